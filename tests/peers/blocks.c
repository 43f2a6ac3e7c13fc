/* Compressed blocks as others decode them: Mesa's software drivers through OpenGL, libsquish, astcenc. Random blocks,
 * or those of an .astc file, become texels on both sides; a texel that differs is explained by a rule (blocks_rules.c),
 * or fails the test.
 *
 *     blocks PEER [--blocks N] [--seed N] [--only PART-OF-A-NAME] [--from FILE.astc]
 *
 * Prints TAP: for each format a line of counts, and for those that have modes how many blocks of each there were. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/support/astc_reference.h"
#include "../unit/support/random_number.h"
#include "blocks.h"

/* ---- formats ---- */

#define FORMAT(name, gl, bytes, channels, family, numbers)                                                             \
    {                                                                                                                  \
#name, SCH_FORMAT_##name, gl, 4, 4, bytes, channels, FAMILY_##family, NUMBERS_##numbers, PROFILE_LDR           \
    }
static const struct block_format plain_formats[] = {
    FORMAT(DXT1_RGB, 0x83f0, 8, 3, S3TC, CODES),
    FORMAT(DXT1_RGBA, 0x83f1, 8, 4, S3TC, CODES),
    FORMAT(DXT3_RGBA, 0x83f2, 16, 4, S3TC, CODES),
    FORMAT(DXT5_RGBA, 0x83f3, 16, 4, S3TC, CODES),
    FORMAT(DXT5_SRGBA, 0x8c4f, 16, 4, S3TC, SRGB),
    FORMAT(RGTC1_UNORM, 0x8dbb, 8, 1, RGTC, FRACTIONS),
    FORMAT(RGTC1_SNORM, 0x8dbc, 8, 1, RGTC, SIGNED_FRACTIONS),
    FORMAT(RGTC2_UNORM, 0x8dbd, 16, 2, RGTC, FRACTIONS),
    FORMAT(RGTC2_SNORM, 0x8dbe, 16, 2, RGTC, SIGNED_FRACTIONS),
    FORMAT(BPTC_RGBA_UNORM, 0x8e8c, 16, 4, BC7, CODES),
    FORMAT(BPTC_SRGBA, 0x8e8d, 16, 4, BC7, SRGB),
    FORMAT(BPTC_RGB_FLOAT, 0x8e8e, 16, 3, BC6H, HALVES),
    FORMAT(BPTC_RGB_UFLOAT, 0x8e8f, 16, 3, BC6H, HALVES),
    FORMAT(ETC2_RGB8, 0x9274, 8, 3, ETC, CODES),
    FORMAT(ETC2_SRGB8, 0x9275, 8, 3, ETC, SRGB),
    FORMAT(ETC2_RGB8A1, 0x9276, 8, 4, ETC, CODES),
    FORMAT(ETC2_RGBA8, 0x9278, 16, 4, ETC, CODES),
    FORMAT(ETC2_R11_UNORM, 0x9270, 8, 1, ETC, ELEVEN),
    FORMAT(ETC2_R11_SNORM, 0x9271, 8, 1, ETC, SIGNED_ELEVEN),
    FORMAT(ETC2_RG11_UNORM, 0x9272, 16, 2, ETC, ELEVEN),
    FORMAT(ETC2_RG11_SNORM, 0x9273, 16, 2, ETC, SIGNED_ELEVEN),
    {"FXT1_RGB", SCH_FORMAT_FXT1_RGB, 0x86b0, 8, 4, 16, 3, FAMILY_FXT1, NUMBERS_CODES, PROFILE_LDR},
    {"FXT1_RGBA", SCH_FORMAT_FXT1_RGBA, 0x86b1, 8, 4, 16, 4, FAMILY_FXT1, NUMBERS_CODES, PROFILE_LDR},
};
#undef FORMAT

/* OpenGL's numbers of footprints follow each other; those of sRGB come 32 later. */
static const struct footprint {
    unsigned width, height;
    enum sch_format format, srgb;
} footprints[] = {
#define FOOTPRINT(w, h)                                                                                                \
    {                                                                                                                  \
        w, h, SCH_FORMAT_ASTC_##w##x##h, SCH_FORMAT_ASTC_##w##x##h##_SRGB                                              \
    }
    FOOTPRINT(4, 4),  FOOTPRINT(5, 4),   FOOTPRINT(5, 5),   FOOTPRINT(6, 5),   FOOTPRINT(6, 6),
    FOOTPRINT(8, 5),  FOOTPRINT(8, 6),   FOOTPRINT(8, 8),   FOOTPRINT(10, 5),  FOOTPRINT(10, 6),
    FOOTPRINT(10, 8), FOOTPRINT(10, 10), FOOTPRINT(12, 10), FOOTPRINT(12, 12),
#undef FOOTPRINT
};

enum {
    PLAIN_FORMATS = sizeof plain_formats / sizeof *plain_formats,
    FOOTPRINTS = sizeof footprints / sizeof *footprints,
    PROFILES = 3
};
static struct block_format formats[PLAIN_FORMATS + FOOTPRINTS * PROFILES];
static char names[FOOTPRINTS * PROFILES][32];
static unsigned format_count;

static void make_formats(void)
{
    static const char *const profiles[PROFILES] = {
        [PROFILE_LDR] = "LDR", [PROFILE_HDR] = "HDR", [PROFILE_SRGB] = "SRGB"};
    memcpy(formats, plain_formats, sizeof plain_formats);
    format_count = PLAIN_FORMATS;
    for (unsigned i = 0; i < FOOTPRINTS * PROFILES; i++) {
        const struct footprint *f = &footprints[i % FOOTPRINTS];
        const enum block_profile profile = (enum block_profile)(i / FOOTPRINTS);
        const bool srgb = profile == PROFILE_SRGB;
        snprintf(names[i], sizeof names[i], "ASTC_%ux%u %s", f->width, f->height, profiles[profile]);
        formats[format_count++] = (struct block_format){.name = names[i],
                                                        .format = srgb ? f->srgb : f->format,
                                                        .gl = (srgb ? 0x93d0 : 0x93b0) + i % FOOTPRINTS,
                                                        .width = f->width,
                                                        .height = f->height,
                                                        .bytes = 16,
                                                        .channels = 4,
                                                        .family = FAMILY_ASTC,
                                                        .numbers = srgb ? NUMBERS_SRGB : NUMBERS_ASTC,
                                                        .profile = profile};
    }
}

/* ---- blocks ---- */

static uint64_t seed = 1, wanted = 3000;
static const char *only = "";

/* Blocks that were read from a file, and how many are left of them. */
static struct {
    uint8_t *blocks;
    size_t count, done;
    unsigned width, height;
} file;

static unsigned blocks_of(const struct block_format *format)
{
    return BLOCKS_SIDE / format->width * (BLOCKS_SIDE / format->height);
}

/* A quarter of ASTC's as they come; of the others most are legal: few partitions, mostly with one endpoint mode for
 * all, and some void extents without an extent. Their infinities and NaNs are undefined, and left out. */
static void make_likely(uint8_t *block)
{
    const uint64_t choice = random_number(&seed) >> 40;
    if (choice % 4 == 0) return;
    if (choice % 16 == 1) {
        const uint8_t head[8] = {0xfc, (uint8_t)(0xfd | (choice >> 5 & 1) << 1), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
        memcpy(block, head, sizeof head);
        for (unsigned c = 0; c < 4; c++) block[9 + 2 * c] &= 0xbf;
        return;
    }
    if (choice >> 6 & 3) block[1] &= (uint8_t)~0x10;
    if (choice >> 8 & 1) block[1] &= (uint8_t)~0x08;
    if (choice >> 9 & 1) block[2] &= (uint8_t)~0x80;
    if (choice >> 9 & 1) block[3] &= (uint8_t)~0x01;
    if (choice >> 10 & 1) block[2] &= (uint8_t)~0x01;
}

/* A picture of random blocks; returns how many. */
static unsigned fill_random(const struct block_format *format, uint8_t *blocks)
{
    const unsigned count = blocks_of(format);
    for (unsigned i = 0; i < count * format->bytes; i += 8) {
        const uint64_t number = random_number(&seed);
        for (unsigned b = 0; b < 8; b++) blocks[i + b] = (uint8_t)(number >> 8 * b);
    }
    for (unsigned i = 0; format->family == FAMILY_ASTC && i < count; i++) make_likely(blocks + 16 * i);
    return count;
}

/* The next picture of the file; behind its end there are zeros. */
static unsigned fill_from_file(const struct block_format *format, uint8_t *blocks)
{
    const size_t left = file.count - file.done, room = blocks_of(format), count = left < room ? left : room;
    memset(blocks, 0, room * 16);
    memcpy(blocks, file.blocks + 16 * file.done, 16 * count);
    file.done += count;
    return (unsigned)count;
}

static bool open_file(const char *name)
{
    static const uint8_t magic[4] = {0x13, 0xab, 0xa1, 0x5c};
    uint8_t header[16];
    FILE *in = fopen(name, "rb");
    if (!in || fread(header, sizeof header, 1, in) != 1 || memcmp(header, magic, sizeof magic)) return false;
    file.width = header[4];
    file.height = header[5];
    if (fseek(in, 0, SEEK_END)) return false;
    const long bytes = ftell(in) - (long)sizeof header;
    file.count = bytes > 0 ? (size_t)bytes / 16 : 0;
    file.blocks = malloc(16 * file.count);
    const bool read =
        file.blocks && !fseek(in, sizeof header, SEEK_SET) && fread(file.blocks, 16, file.count, in) == file.count;
    fclose(in);
    return read;
}

/* ---- counts ---- */

enum { MODES = 32 };

struct counts {
    uint64_t blocks, texels, rules[RULES], modes[MODES];
    unsigned shown;
};

/* BC7's modes, 8 is reserved; BC6H's by the numbers of their bits; ASTC's kinds of blocks (astc_reference.h). */
static unsigned mode_of(const struct block_format *format, const uint8_t *block)
{
    unsigned mode = 0;
    if (format->family == FAMILY_BC6H) return (block[0] & 3) < 2 ? block[0] & 3 : block[0] & 31;
    if (format->family == FAMILY_ASTC) {
        struct astc_reference facts;
        blocks_astc_facts(format, block, &facts);
        return (unsigned)facts.kind;
    }
    while (mode < 8 && !(block[0] >> mode & 1)) mode++;
    return mode;
}

static bool has_modes(const struct block_format *format)
{
    return format->family == FAMILY_BC7 || format->family == FAMILY_BC6H || format->family == FAMILY_ASTC;
}

static void complain(const struct block_format *format, const uint8_t *block, unsigned x, unsigned y,
                     const float ours[4], const float theirs[4])
{
    printf("# %s: block", format->name);
    for (unsigned b = 0; b < format->bytes; b++) printf(" %02x", block[b]);
    printf(", texel (%u, %u): ours %.9g %.9g %.9g %.9g, theirs %.9g %.9g %.9g %.9g\n", x, y, (double)ours[0],
           (double)ours[1], (double)ours[2], (double)ours[3], (double)theirs[0], (double)theirs[1], (double)theirs[2],
           (double)theirs[3]);
}

static void compare_block(const struct block_peer *peer, const struct block_format *format, const uint8_t *block,
                          const block_texel *ours, const block_texel *theirs, struct counts *counts)
{
    counts->blocks++;
    if (has_modes(format)) counts->modes[mode_of(format, block)]++;
    for (unsigned y = 0; y < format->height; y++)
        for (unsigned x = 0; x < format->width; x++) {
            const size_t at = (size_t)y * BLOCKS_SIDE + x;
            const enum block_rule rule = blocks_judge(peer, format, block, x, y, ours[at], theirs[at]);
            counts->texels++;
            counts->rules[rule]++;
            if (rule == RULE_NONE && counts->shown++ < 3) complain(format, block, x, y, ours[at], theirs[at]);
        }
}

static bool compare_picture(const struct block_peer *peer, const struct block_format *format, struct counts *counts)
{
    static uint8_t blocks[BLOCKS_BYTES];
    static block_texel ours[BLOCKS_TEXELS], theirs[BLOCKS_TEXELS];
    const unsigned across = BLOCKS_SIDE / format->width;
    const unsigned count = file.blocks ? fill_from_file(format, blocks) : fill_random(format, blocks);
    if (!blocks_ours_decode(format, blocks, ours) || !peer->decode(format, blocks, theirs)) return false;
    for (unsigned n = 0; n < count; n++) {
        const size_t at = (size_t)(n / across * format->height * BLOCKS_SIDE + n % across * format->width);
        compare_block(peer, format, blocks + (size_t)n * format->bytes, ours + at, theirs + at, counts);
    }
    return true;
}

static void print_counts(unsigned number, const struct block_format *format, const struct counts *counts)
{
    const uint64_t wrong = counts->rules[RULE_NONE];
    if (has_modes(format)) {
        printf("# %s: blocks of each mode:", format->name);
        for (unsigned m = 0; m < MODES; m++)
            if (counts->modes[m]) printf(" %u: %" PRIu64, m, counts->modes[m]);
        printf("\n");
    }
    printf("%sok %u - %s: %" PRIu64 " blocks, %" PRIu64 " texels", wrong ? "not " : "", number, format->name,
           counts->blocks, counts->texels);
    for (unsigned r = 0; r < RULES; r++)
        if (counts->rules[r] || r == RULE_EQUAL) printf(", %" PRIu64 " %s", counts->rules[r], block_rule_names[r]);
    printf("\n");
    fflush(stdout);
}

static bool check(const struct block_peer *peer, unsigned number, const struct block_format *format)
{
    struct counts counts = {0};
    file.done = 0;
    while (file.blocks ? file.done < file.count : counts.blocks < wanted)
        if (!compare_picture(peer, format, &counts)) {
            printf("not ok %u - %s: no texels\n", number, format->name);
            return false;
        }
    print_counts(number, format, &counts);
    return !counts.rules[RULE_NONE];
}

/* ---- the command ---- */

static bool is_asked(const struct block_peer *peer, const struct block_format *format)
{
    if (!strstr(format->name, only) || !peer->has(format)) return false;
    return !file.blocks ||
           (format->family == FAMILY_ASTC && format->width == file.width && format->height == file.height);
}

static bool read_options(int count, char **arguments)
{
    for (int i = 2; i + 1 < count; i += 2) {
        const char *name = arguments[i], *value = arguments[i + 1];
        if (!strcmp(name, "--blocks"))
            wanted = strtoull(value, NULL, 10);
        else if (!strcmp(name, "--seed"))
            seed = strtoull(value, NULL, 10);
        else if (!strcmp(name, "--only"))
            only = value;
        else if (strcmp(name, "--from") != 0 || !open_file(value))
            return false;
    }
    return count % 2 == 0;
}

static int compare_all(const struct block_peer *peer)
{
    const struct block_format *asked[sizeof formats / sizeof *formats];
    unsigned number = 0;
    bool good = true;
    make_formats();
    for (unsigned f = 0; f < format_count; f++)
        if (is_asked(peer, &formats[f])) asked[number++] = &formats[f];
    printf("1..%u\n", number);
    for (unsigned n = 0; n < number; n++) good &= check(peer, n + 1, asked[n]);
    return number && good ? 0 : 1;
}

int main(int count, char **arguments)
{
    static const struct block_peer *const peers[] = {&blocks_llvmpipe, &blocks_softpipe, &blocks_squish,
                                                     &blocks_astcenc};
    const struct block_peer *peer = NULL;
    char why[200] = "";
    for (unsigned p = 0; p < sizeof peers / sizeof *peers; p++)
        if (count > 1 && !strcmp(arguments[1], peers[p]->name)) peer = peers[p];
    if (!peer || !read_options(count, arguments)) {
        fprintf(stderr, "blocks PEER [--blocks N] [--seed N] [--only NAME] [--from FILE.astc]\n");
        return 2;
    }
    if (!peer->open(peer->name, why, sizeof why)) {
        printf("1..0 # SKIP %s\n", why);
        return 0;
    }
    if (!blocks_ours_open()) return 1;
    const int result = compare_all(peer);
    blocks_ours_close();
    peer->close();
    free(file.blocks);
    return result;
}
