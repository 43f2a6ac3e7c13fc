/* ASTC blocks decoded by src/ops and by astcenc's command: random ones of every footprint and profile, or those of
 * .astc files. Prints a line for each footprint and profile, and tables of what the blocks were; exits with 1 where a
 * texel differs that no difference stated here explains. Holds no decoder.
 *
 *     blocks_astc [--command astcenc] [--blocks N] [--seed N] [--folder /tmp] [FILE.astc...]
 *
 * Stated differences:
 *   - The error colour of halves: astcenc has NaNs, 0xffff, where we have magenta; the text allows "Magenta or NaNs".
 *   - HDR void extents of NaNs, which are undefined: we keep the bits, astcenc makes the NaNs quiet.
 *   - LDR results as 8-bit codes: astcenc rounds the half times 255, so that is what is done with our halves here.
 *   - Texels of HDR endpoints at the LDR profile: the text's error colour is (1, 0, 1, 1), and ours; astcenc's is
 *     0xff00 of 65536 in place of 1, thus the code 254. */
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "astc_codec.h"
#include "astc_reference.h"
#include "random_number.h"

extern char **environ;

enum { FOOTPRINTS = 14, PROFILES = 3, SIDE = 256, ASTC_HEADER = 16, KTX_HEADER = 64, HALF_BYTES = 8, CODE_BYTES = 4 };

static const int footprints[FOOTPRINTS][2] = {{4, 4},  {5, 4},  {5, 5}, {6, 5},  {6, 6},   {8, 5},   {8, 6},
                                              {10, 5}, {10, 6}, {8, 8}, {10, 8}, {10, 10}, {12, 10}, {12, 12}};
static const char *const profile_names[PROFILES] = {"ldr", "hdr", "srgb"};
static const char *const profile_options[PROFILES] = {"-dl", "-dh", "-ds"};

static const char *command = "astcenc", *folder = "/tmp";
static uint64_t seed = 1, random_count = 65536;

/* What has been seen, by profile. */
static struct {
    uint64_t kind[PROFILES][ASTC_KINDS];
    uint64_t partitions[PROFILES][5][2]; /* by planes - 1 */
    uint64_t endpoint_mode[PROFILES][16];
    uint64_t mode[2048];
} seen;

struct picture {
    uint32_t width, height; /* texels */
    int block_width, block_height;
    uint64_t blocks;
    uint32_t (*block)[4];
};

static void die(const char *what, const char *name)
{
    fprintf(stderr, "blocks_astc: %s%s%s%s%s\n", what, name ? ": " : "", name ? name : "", errno ? ": " : "",
            errno ? strerror(errno) : "");
    exit(2);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory) die("no memory", NULL);
    return memory;
}

static uint64_t blocks_across(const struct picture *p)
{
    return (p->width + (uint32_t)p->block_width - 1) / (uint32_t)p->block_width;
}

/* ---- files ---- */

static uint8_t *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) die("cannot read", name);
    const long length = ftell(file);
    if (length < 0 || fseek(file, 0, SEEK_SET)) die("cannot read", name);
    uint8_t *bytes = allocate((size_t)length);
    if (fread(bytes, 1, (size_t)length, file) != (size_t)length) die("cannot read", name);
    fclose(file);
    *size = (size_t)length;
    return bytes;
}

static uint32_t little(const uint8_t *bytes, unsigned count)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++) value |= (uint32_t)bytes[i] << 8 * i;
    return value;
}

static void put_little(uint8_t *bytes, uint32_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++) bytes[i] = (uint8_t)(value >> 8 * i);
}

static void write_astc(const char *name, const struct picture *p)
{
    uint8_t header[ASTC_HEADER] = {0x13, 0xab, 0xa1, 0x5c, (uint8_t)p->block_width, (uint8_t)p->block_height, 1};
    put_little(header + 7, p->width, 3);
    put_little(header + 10, p->height, 3);
    put_little(header + 13, 1, 3);
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(header, sizeof header, 1, file) != 1) die("cannot write", name);
    for (uint64_t i = 0; i < p->blocks; i++) {
        uint8_t bytes[16];
        for (unsigned w = 0; w < 4; w++) put_little(bytes + 4 * w, p->block[i][w], 4);
        if (fwrite(bytes, sizeof bytes, 1, file) != 1) die("cannot write", name);
    }
    if (fclose(file)) die("cannot write", name);
}

static struct picture read_astc(const char *name)
{
    size_t size;
    uint8_t *bytes = read_file(name, &size);
    if (size < ASTC_HEADER || little(bytes, 4) != 0x5ca1ab13) die("no .astc file", name);
    struct picture p = {.block_width = bytes[4], .block_height = bytes[5]};
    p.width = little(bytes + 7, 3);
    p.height = little(bytes + 10, 3);
    if (!p.block_width || !p.block_height) die("no .astc file", name);
    p.blocks = blocks_across(&p) * ((p.height + (uint32_t)p.block_height - 1) / (uint32_t)p.block_height);
    if (size != ASTC_HEADER + 16 * p.blocks) die("wrong size", name);
    p.block = allocate(p.blocks * sizeof *p.block);
    for (uint64_t i = 0; i < p.blocks; i++)
        for (unsigned w = 0; w < 4; w++) p.block[i][w] = little(bytes + ASTC_HEADER + 16 * i + 4 * w, 4);
    free(bytes);
    return p;
}

/* ---- astcenc ---- */

static void run_astcenc(int profile, const char *from, const char *to)
{
    char *arguments[] = {(char *)(uintptr_t)command,    (char *)(uintptr_t)profile_options[profile],
                         (char *)(uintptr_t)from,       (char *)(uintptr_t)to,
                         (char *)(uintptr_t) "-silent", NULL};
    pid_t child;
    int status;
    errno = posix_spawnp(&child, command, NULL, NULL, arguments, environ);
    if (errno) die("cannot run", command);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status)) die("failed", command);
}

/* astcenc leaves out components that a whole picture has no use for: L, LA, RGB or RGBA. */
static unsigned components_of(uint32_t gl_format)
{
    static const uint32_t formats[5] = {0, 0x1909, 0x190a, 0x1907, 0x1908};
    for (unsigned n = 4; n > 0; n--)
        if (formats[n] == gl_format) return n;
    die("astcenc's KTX has an unknown format", NULL);
    return 0;
}

/* A texel of `count` components of `bytes` bytes as one of four. */
static void expand_texel(const uint8_t *from, unsigned count, unsigned bytes, uint8_t *to)
{
    static const uint8_t source[5][4] = {{0}, {0, 0, 0, 4}, {0, 0, 0, 1}, {0, 1, 2, 4}, {0, 1, 2, 3}};
    for (unsigned c = 0; c < 4; c++) {
        const unsigned which = source[count][c];
        if (which < count)
            memcpy(to + c * bytes, from + which * bytes, bytes);
        else
            put_little(to + c * bytes, bytes == 2 ? 0x3c00 : 255, bytes);
    }
}

static uint8_t *read_ktx(const char *name, const struct picture *p, int profile)
{
    size_t size;
    uint8_t *file = read_file(name, &size);
    if (size < KTX_HEADER + 4) die("astcenc's KTX is too short", NULL);
    const unsigned count = components_of(little(file + 24, 4)), bytes = profile == ASTC_REFERENCE_HDR ? 2 : 1;
    const size_t first = KTX_HEADER + 4 + little(file + 60, 4), row = ((size_t)p->width * count * bytes + 3) / 4 * 4;
    if (little(file + 20, 4) != bytes || size < first || size - first != row * p->height)
        die("astcenc's KTX has another size", NULL);
    uint8_t *texels = allocate((size_t)p->width * p->height * 4 * bytes);
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++)
            expand_texel(file + first + y * row + x * count * bytes, count, bytes,
                         texels + (y * p->width + x) * 4 * bytes);
    free(file);
    return texels;
}

/* The texels that astcenc makes of a picture: halves, or codes unless the profile is HDR. */
static uint8_t *astcenc_texels(const struct picture *p, int profile)
{
    char place[4096], from[4200], to[4200];
    snprintf(place, sizeof place, "%s/blocks_astc.XXXXXX", folder);
    if (!mkdtemp(place)) die("cannot make a folder in", folder);
    snprintf(from, sizeof from, "%s/in.astc", place);
    snprintf(to, sizeof to, "%s/out.ktx", place);
    write_astc(from, p);
    run_astcenc(profile, from, to);
    uint8_t *texels = read_ktx(to, p, profile);
    unlink(from);
    unlink(to);
    rmdir(place);
    return texels;
}

/* ---- comparing ---- */

static double float_of_half(uint32_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    double value = exponent ? fraction + 1024 : fraction;
    for (int e = exponent ? exponent : 1; e < 25; e++) value /= 2;
    for (int e = 25; e < exponent; e++) value *= 2;
    return half & 0x8000 ? -value : value;
}

static uint32_t code_of_half(uint32_t half)
{
    const double value = float_of_half(half);
    return value >= 1 ? 255 : (uint32_t)(value * 255 + 0.5);
}

struct tally {
    uint64_t texels, errors, quiet, almost, different; /* errors to almost: the stated differences */
};

static bool is_magenta(const uint32_t word[2]) { return word[0] == 0x00003c00 && word[1] == 0x3c003c00; }

static bool agrees_in_codes(enum astc_reference_kind kind, const uint32_t word[2], const uint8_t *theirs,
                            struct tally *tally)
{
    const uint32_t half[4] = {word[0] & 0xffff, word[0] >> 16, word[1] & 0xffff, word[1] >> 16};
    if (kind == ASTC_WEIGHTED && is_magenta(word) && little(theirs, 4) == 0xfefe00fe) {
        tally->almost++;
        return true;
    }
    for (unsigned c = 0; c < 4; c++)
        if (theirs[c] != code_of_half(half[c])) return false;
    return true;
}

static bool agrees_in_halves(enum astc_reference_kind kind, const uint32_t word[2], const uint8_t *theirs,
                             struct tally *tally)
{
    uint32_t quiet[2] = {word[0], word[1]};
    if (little(theirs, 4) == word[0] && little(theirs + 4, 4) == word[1]) return true;
    if (is_magenta(word) && little(theirs, 4) == UINT32_MAX && little(theirs + 4, 4) == UINT32_MAX) {
        tally->errors++;
        return true;
    }
    if (kind != ASTC_VOID_HDR) return false;
    tally->quiet++;
    for (unsigned c = 0; c < 4; c++)
        if ((word[c / 2] >> 16 * (c % 2) & 0x7fff) > 0x7c00) quiet[c / 2] |= UINT32_C(0x200) << 16 * (c % 2);
    return little(theirs, 4) == quiet[0] && little(theirs + 4, 4) == quiet[1];
}

/* Whether a texel of ours is what astcenc made, or differs as stated. */
static bool agrees(int profile, enum astc_reference_kind kind, const uint32_t word[2], const uint8_t *theirs,
                   struct tally *tally)
{
    if (profile == ASTC_REFERENCE_SRGB) return little(theirs, 4) == word[0];
    if (profile == ASTC_REFERENCE_LDR) return agrees_in_codes(kind, word, theirs, tally);
    return agrees_in_halves(kind, word, theirs, tally);
}

static void complain(const struct picture *p, int profile, uint64_t block, enum astc_reference_kind kind, int x, int y,
                     const uint32_t word[2], const uint8_t *theirs)
{
    const uint32_t *b = p->block[block];
    printf("# %dx%d %s block %08x %08x %08x %08x kind %d texel (%d, %d): ours %08x %08x, theirs %08x %08x\n",
           p->block_width, p->block_height, profile_names[profile], b[0], b[1], b[2], b[3], kind, x, y, word[0],
           word[1], little(theirs, 4), profile == ASTC_REFERENCE_HDR ? little(theirs + 4, 4) : 0);
}

static enum astc_reference_kind count_block(const struct picture *p, int profile, uint64_t block)
{
    struct astc_reference facts;
    astc_reference_facts(p->block[block], p->block_width, p->block_height, &facts);
    seen.kind[profile][facts.kind]++;
    if (facts.kind != ASTC_WEIGHTED) return facts.kind;
    seen.mode[facts.mode]++;
    seen.partitions[profile][facts.partitions][facts.planes - 1]++;
    for (int i = 0; i < facts.partitions; i++) seen.endpoint_mode[profile][facts.endpoint_mode[i]]++;
    return facts.kind;
}

static void compare_block(const struct picture *p, int profile, uint64_t block, const uint8_t *theirs,
                          struct tally *tally)
{
    const enum astc_reference_kind kind = count_block(p, profile, block);
    const uint64_t across = blocks_across(p), bytes = profile == ASTC_REFERENCE_HDR ? HALF_BYTES : CODE_BYTES;
    const uint64_t left = block % across * (uint64_t)p->block_width, top = block / across * (uint64_t)p->block_height;
    for (int y = 0; y < p->block_height; y += 4)
        for (int x = 0; x < p->block_width; x += 4) {
            uint32_t word0[16], word1[16] = {0};
            astc_tile_8(p->block[block], p->block_width, p->block_height, profile, x, y, word0, word1);
            for (int t = 0; t < 16; t++) {
                const int at_x = x + t % 4, at_y = y + t / 4;
                const uint64_t place_x = left + (uint64_t)at_x, place_y = top + (uint64_t)at_y;
                if (at_x >= p->block_width || at_y >= p->block_height || place_x >= p->width || place_y >= p->height)
                    continue;
                const uint8_t *texel = theirs + (place_y * p->width + place_x) * bytes;
                const uint32_t word[2] = {word0[t], word1[t]};
                tally->texels++;
                if (agrees(profile, kind, word, texel, tally)) continue;
                if (tally->different++ < 5) complain(p, profile, block, kind, at_x, at_y, word, texel);
            }
        }
}

static void compare_picture(const struct picture *p, int profile, struct tally *tally)
{
    uint8_t *theirs = astcenc_texels(p, profile);
    for (uint64_t block = 0; block < p->blocks; block++) compare_block(p, profile, block, theirs, tally);
    free(theirs);
}

static bool report(const char *name, const struct picture *p, int profile, uint64_t blocks, const struct tally *tally)
{
    const struct tally t = *tally;
    printf("%s %dx%d %s: %" PRIu64 " blocks, %" PRIu64 " texels, %" PRIu64 " different; NaNs for magenta %" PRIu64
           ", quiet NaNs %" PRIu64 ", 254 for 255 %" PRIu64 "\n",
           name, p->block_width, p->block_height, profile_names[profile], blocks, t.texels, t.different, t.errors,
           t.quiet, t.almost);
    fflush(stdout);
    return tally->different == 0;
}

/* ---- random blocks ---- */

/* A quarter as they come; of the others most are legal: few partitions, mostly with one endpoint mode for all. */
static void any_block(uint32_t block[4])
{
    for (unsigned i = 0; i < 4; i++) block[i] = (uint32_t)(random_number(&seed) >> 32);
    const uint64_t choice = random_number(&seed) >> 40;
    if (choice % 4 == 0) return;
    if (choice % 16 == 1) { /* a void extent without an extent; infinities and NaNs are undefined */
        block[0] = 0xfffffdfc | (choice >> 5 & 1) << 9;
        block[1] = UINT32_MAX;
        block[2] &= 0xbfffbfff;
        block[3] &= 0xbfffbfff;
        return;
    }
    if (choice >> 6 & 3) block[0] &= ~(UINT32_C(1) << 12);
    if (choice >> 8 & 1) block[0] &= ~(UINT32_C(1) << 11);
    if (choice >> 9 & 1) block[0] &= ~(UINT32_C(3) << 23);
    if (choice >> 10 & 1) block[0] &= ~(UINT32_C(1) << 16);
}

static bool random_blocks(int footprint, int profile)
{
    struct picture p = {.block_width = footprints[footprint][0], .block_height = footprints[footprint][1]};
    struct tally tally = {0};
    uint64_t done = 0;
    p.blocks = SIDE * SIDE;
    p.width = (uint32_t)(SIDE * p.block_width);
    p.height = (uint32_t)(SIDE * p.block_height);
    p.block = allocate(p.blocks * sizeof *p.block);
    for (; done < random_count; done += p.blocks) {
        for (uint64_t i = 0; i < p.blocks; i++) any_block(p.block[i]);
        compare_picture(&p, profile, &tally);
    }
    free(p.block);
    return report("random", &p, profile, done, &tally);
}

static bool file_blocks(const char *name, int profile)
{
    struct picture p = read_astc(name);
    struct tally tally = {0};
    compare_picture(&p, profile, &tally);
    free(p.block);
    return report(name, &p, profile, p.blocks, &tally);
}

static void print_seen(void)
{
    unsigned modes = 0;
    for (unsigned m = 0; m < 2048; m++) modes += seen.mode[m] != 0;
    printf("block modes of legal blocks: %u\n", modes);
    for (int profile = 0; profile < PROFILES; profile++) {
        printf("%s kinds:", profile_names[profile]);
        for (unsigned k = 0; k < ASTC_KINDS; k++) printf(" %" PRIu64, seen.kind[profile][k]);
        printf("\n%s partitions of one and of two planes:", profile_names[profile]);
        for (unsigned n = 1; n <= 4; n++)
            printf(" %" PRIu64 "+%" PRIu64, seen.partitions[profile][n][0], seen.partitions[profile][n][1]);
        printf("\n%s endpoint modes:", profile_names[profile]);
        for (unsigned m = 0; m < 16; m++) printf(" %" PRIu64, seen.endpoint_mode[profile][m]);
        printf("\n");
    }
}

int main(int count, char **arguments)
{
    bool equal = true;
    int i = 1;
    for (; i + 1 < count && arguments[i][0] == '-'; i += 2) {
        if (!strcmp(arguments[i], "--command"))
            command = arguments[i + 1];
        else if (!strcmp(arguments[i], "--blocks"))
            random_count = strtoull(arguments[i + 1], NULL, 10);
        else if (!strcmp(arguments[i], "--seed"))
            seed = strtoull(arguments[i + 1], NULL, 10);
        else if (!strcmp(arguments[i], "--folder"))
            folder = arguments[i + 1];
        else
            die("what is", arguments[i]);
    }
    for (int profile = 0; profile < PROFILES; profile++) {
        if (i == count)
            for (int f = 0; f < FOOTPRINTS; f++) equal &= random_blocks(f, profile);
        for (int n = i; n < count; n++) equal &= file_blocks(arguments[n], profile);
    }
    print_seen();
    return equal ? 0 : 1;
}
