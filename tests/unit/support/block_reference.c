/* See block_reference.h. */
#include "block_reference.h"

#include <string.h>

#include "astc_reference.h"
#include "atc_reference.h"
#include "bptc_reference.h"
#include "etc_reference.h"
#include "fxt1_reference.h"

enum kind {
    BC1,
    BC2,
    BC3,
    BC4,
    BC4S,
    BC5,
    BC5S,
    BC6,
    BC6S,
    BC7,
    ETC1,
    ETC2,
    ETC2A1,
    ETC2A8,
    R11,
    R11S,
    RG11,
    RG11S,
    ASTC,
    FXT1,
    ATC,
    ATCE,
    ATCI
};

/* 35 * 255 and 35 * 127: sevenths and fifths of codes of 8 bits are whole numbers of these parts. */
static const struct block_facts rows[] = {
    {"DXT1_", BC1, 8, 4, 'u', 8, 255},
    {"DXT3_", BC2, 16, 4, 'u', 8, 255},
    {"DXT5_", BC3, 16, 4, 'u', 8, 255},
    {"RGTC1_UNORM", BC4, 8, 1, 'u', 16, 8925},
    {"RGTC1_SNORM", BC4S, 8, 1, 's', 16, 4445},
    {"RGTC2_UNORM", BC5, 16, 2, 'u', 16, 8925},
    {"RGTC2_SNORM", BC5S, 16, 2, 's', 16, 4445},
    {"LATC1_UNORM", BC4, 8, 1, 'u', 16, 8925},
    {"LATC1_SNORM", BC4S, 8, 1, 's', 16, 4445},
    {"LATC2_UNORM", BC5, 16, 2, 'u', 16, 8925},
    {"LATC2_SNORM", BC5S, 16, 2, 's', 16, 4445},
    {"BPTC_RGB_UFLOAT", BC6, 16, 4, 'f', 16, 0},
    {"BPTC_RGB_FLOAT", BC6S, 16, 4, 'f', 16, 0},
    {"BPTC_", BC7, 16, 4, 'u', 8, 255},
    {"ETC1_", ETC1, 8, 4, 'u', 8, 255},
    {"ETC2_RGB8A1", ETC2A1, 8, 4, 'u', 8, 255},
    {"ETC2_SRGB8A1", ETC2A1, 8, 4, 'u', 8, 255},
    {"ETC2_RGB8", ETC2, 8, 4, 'u', 8, 255},
    {"ETC2_SRGB8", ETC2, 8, 4, 'u', 8, 255},
    {"ETC2_RGBA8", ETC2A8, 16, 4, 'u', 8, 255},
    {"ETC2_SRGBA8", ETC2A8, 16, 4, 'u', 8, 255},
    {"ETC2_R11_UNORM", R11, 8, 1, 'u', 11, 2047},
    {"ETC2_R11_SNORM", R11S, 8, 1, 's', 11, 1023},
    {"ETC2_RG11_UNORM", RG11, 16, 2, 'u', 11, 2047},
    {"ETC2_RG11_SNORM", RG11S, 16, 2, 's', 11, 1023},
    {"FXT1_", FXT1, 16, 4, 'u', 8, 255},
    {"ATC_RGB", ATC, 8, 4, 'u', 8, 255},
    {"ATC_RGBA_EXPLICIT", ATCE, 16, 4, 'u', 8, 255},
    {"ATC_RGBA_INTERPOLATED", ATCI, 16, 4, 'u', 8, 255},
};

const struct block_facts *block_facts_of(const char *format)
{
    static const struct block_facts linear = {"ASTC_", ASTC, 16, 4, 'f', 16, 0},
                                    srgb = {"ASTC_", ASTC, 16, 4, 'u', 8, 255};
    const struct block_facts *found = NULL;
    if (strncmp(format, "ASTC_", 5) == 0) {
        const char *sides = strchr(format, 'x');
        const char *third = sides ? strchr(sides + 1, 'x') : NULL;
        if (third) return NULL;
        return strstr(format, "_SRGB") ? &srgb : &linear;
    }
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) { /* the longest beginning */
        size_t length = strlen(rows[i].begin);
        if (strncmp(format, rows[i].begin, length) != 0) continue;
        if (!found || length > strlen(found->begin)) found = &rows[i];
    }
    return found;
}

/* ---- S3TC and RGTC: Direct3D 11.3, 19.5.3 to 19.5.12 ---- */

/* UNORMPromote: "utilize MSB extension to define the new LSBs" */
static int promoted(int input, int bits) { return input << (8 - bits) | input >> (2 * bits - 8); }

static unsigned word_of(const uint8_t *bytes) { return bytes[0] | (unsigned)bytes[1] << 8; }

/* Channel 0, 1, 2 of colour 0 or 1. */
static int end_of(const uint8_t *block, unsigned which, unsigned channel)
{
    static const int shift[] = {11, 5, 0}, bits[] = {5, 6, 5};
    int color = (int)word_of(block + 2 * which);
    return promoted(color >> shift[channel] & ((1 << bits[channel]) - 1), bits[channel]);
}

static void bc1(const uint8_t *block, bool four_colors, unsigned x, unsigned y, int32_t code[4])
{
    unsigned selected = block[4 + y] >> (2 * x) & 3;
    bool four = four_colors || word_of(block) > word_of(block + 2);
    code[3] = 255;
    for (unsigned c = 0; c < 3; c++) {
        int color_0 = end_of(block, 0, c), color_1 = end_of(block, 1, c);
        int color_2 = four ? (2 * color_0 + color_1) / 3 : (color_0 + color_1) / 2;
        int color_3 = four ? (color_0 + 2 * color_1) / 3 : 0;
        code[c] = selected == 0 ? color_0 : selected == 1 ? color_1 : selected == 2 ? color_2 : color_3;
    }
    if (!four && selected == 3) code[3] = 0;
}

static unsigned three_bits(const uint8_t *block, unsigned x, unsigned y)
{
    unsigned first = 3 * (4 * y + x), code = 0;
    for (unsigned b = 0; b < 3; b++) code |= (unsigned)(block[2 + (first + b) / 8] >> (first + b) % 8 & 1) << b;
    return code;
}

/* red_n in 35ths of a code. */
static int32_t bc4(const uint8_t *block, bool is_signed, unsigned x, unsigned y)
{
    int32_t red_0 = is_signed ? (int8_t)block[0] : block[0], red_1 = is_signed ? (int8_t)block[1] : block[1];
    const bool eight = red_0 > red_1;
    const int32_t least = is_signed ? -127 : 0, greatest = is_signed ? 127 : 255;
    if (red_0 < least) red_0 = least;
    if (red_1 < least) red_1 = least;
    const int32_t n = (int32_t)three_bits(block, x, y);
    if (n == 0) return 35 * red_0;
    if (n == 1) return 35 * red_1;
    if (eight) return 5 * ((8 - n) * red_0 + (n - 1) * red_1);
    if (n == 6) return 35 * least;
    if (n == 7) return 35 * greatest;
    return 7 * ((6 - n) * red_0 + (n - 1) * red_1);
}

/* ---- all of them ---- */

static void take(const uint8_t *bytes, unsigned count, int32_t code[4])
{
    for (unsigned c = 0; c < count; c++) code[c] = bytes[c];
}

static void bptc(const struct block_facts *facts, const uint8_t *block, unsigned number, int32_t code[4])
{
    struct bptc_visit visit;
    if (facts->kind == BC7) {
        uint8_t texel[16][4];
        bptc_reference_bc7(block, texel, &visit);
        take(texel[number], 4, code);
        return;
    }
    uint16_t half[16][4];
    bptc_reference_bc6h(block, facts->kind == BC6S, half, &visit);
    for (unsigned c = 0; c < 4; c++) code[c] = half[number][c];
}

bool block_is_error(const struct block_facts *facts, const uint8_t *block, unsigned width, unsigned height)
{
    struct astc_reference visit;
    uint32_t words[4];
    if (facts->kind != ASTC) return false;
    for (unsigned i = 0; i < 4; i++) words[i] = word_of(block + 4 * i) | (uint32_t)word_of(block + 4 * i + 2) << 16;
    astc_reference_facts(words, (int)width, (int)height, &visit);
    return visit.kind > ASTC_VOID_HDR;
}

static void astc(const struct block_facts *facts, const uint8_t *block, unsigned width, unsigned height, unsigned x,
                 unsigned y, int32_t code[4])
{
    struct astc_reference visit;
    uint32_t words[4], word[2];
    for (unsigned i = 0; i < 4; i++) words[i] = word_of(block + 4 * i) | (uint32_t)word_of(block + 4 * i + 2) << 16;
    const bool halves = facts->type == 'f';
    astc_reference_texel(words, (int)width, (int)height, halves ? ASTC_REFERENCE_HDR : ASTC_REFERENCE_SRGB, (int)x,
                         (int)y, word, &visit);
    for (unsigned c = 0; c < 4; c++) code[c] = halves ? word[c / 2] >> 16 * (c % 2) & 0xffff : word[0] >> 8 * c & 0xff;
}

static void atc(const struct block_facts *facts, const uint8_t *block, unsigned x, unsigned y, int32_t code[4])
{
    uint8_t rgb[3];
    atc_reference(facts->kind == ATC ? block : block + 8, x, y, rgb);
    take(rgb, 3, code);
    code[3] = facts->kind == ATC    ? 255
              : facts->kind == ATCE ? atc_reference_explicit(block, x, y)
                                    : atc_reference_interpolated(block, x, y);
}

void block_reference(const struct block_facts *facts, const uint8_t *block, unsigned width, unsigned height, unsigned x,
                     unsigned y, int32_t code[4])
{
    uint8_t rgba[4];
    memset(code, 0, 4 * sizeof *code);
    switch ((enum kind)facts->kind) {
    case BC1:
        bc1(block, false, x, y, code);
        break;
    case BC2:
        bc1(block + 8, true, x, y, code);
        code[3] = (block[2 * y + x / 2] >> 4 * (x % 2) & 15) * 17;
        break;
    case BC3:
        bc1(block + 8, true, x, y, code);
        code[3] = bc4(block, false, x, y) / 35;
        break;
    case BC4:
    case BC4S:
        code[0] = bc4(block, facts->kind == BC4S, x, y);
        break;
    case BC5:
    case BC5S:
        for (unsigned c = 0; c < 2; c++) code[c] = bc4(block + 8 * c, facts->kind == BC5S, x, y);
        break;
    case BC6:
    case BC6S:
    case BC7:
        bptc(facts, block, x + 4 * y, code);
        break;
    case ETC1:
    case ETC2:
    case ETC2A1:
        etc_reference(block, facts->kind == ETC2A1, x, y, rgba);
        take(rgba, 4, code);
        break;
    case ETC2A8:
        etc_reference(block + 8, false, x, y, rgba);
        take(rgba, 4, code);
        code[3] = etc_reference_alpha(block, x, y);
        break;
    case R11:
    case R11S:
    case RG11:
    case RG11S:
        for (unsigned c = 0; c < facts->channels; c++)
            code[c] = etc_reference_eac(block + 8 * c, facts->type == 's', x, y);
        break;
    case ASTC:
        astc(facts, block, width, height, x, y, code);
        break;
    case FXT1:
        fxt1_reference(block, 16 * (x / 4) + 4 * y + x % 4, rgba);
        take(rgba, 4, code);
        break;
    case ATC:
    case ATCE:
    case ATCI:
        atc(facts, block, x, y, code);
        break;
    }
}
