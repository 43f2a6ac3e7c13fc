/* See astc_reference.h. Clause names are those of the specification's chapter "ASTC Compressed Texture Image
 * Formats". */
#include "astc_reference.h"

#include <string.h>

/* ---- bits ---- */

static int bit(const uint32_t block[4], int n) { return n >= 0 && n < 128 ? block[n / 32] >> n % 32 & 1 : 0; }

/* Bits high to low, as the text writes them. */
static int bits(const uint32_t block[4], int high, int low)
{
    int value = 0;
    for (int n = high; n >= low; n--) value = 2 * value + bit(block, n);
    return value;
}

/* Bits high to low of a number. */
static int part(int value, int high, int low) { return value >> low & ((1 << (high - low + 1)) - 1); }

/* ---- ranges and sequences ---- */

struct range {
    int limit; /* the greatest value */
    int trits, quints, bits;
};

/* "ASTC weight range encodings": [P][rho]. */
static const struct range weight_ranges[2][8] = {
    {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 1}, {2, 1, 0, 0}, {3, 0, 0, 2}, {4, 0, 1, 0}, {5, 1, 0, 1}, {7, 0, 0, 3}},
    {{0, 0, 0, 0},
     {0, 0, 0, 0},
     {9, 0, 1, 1},
     {11, 1, 0, 2},
     {15, 0, 0, 4},
     {19, 0, 1, 2},
     {23, 1, 0, 3},
     {31, 0, 0, 5}}};

/* Endpoint ranges in descending order of size: "ASTC range forms" up to 8, 6 and 5 bits, but none below 0..5. */
static const struct range value_ranges[] = {
    {255, 0, 0, 8}, {191, 1, 0, 6}, {159, 0, 1, 5}, {127, 0, 0, 7}, {95, 1, 0, 5}, {79, 0, 1, 4},
    {63, 0, 0, 6},  {47, 1, 0, 4},  {39, 0, 1, 3},  {31, 0, 0, 5},  {23, 1, 0, 3}, {19, 0, 1, 2},
    {15, 0, 0, 4},  {11, 1, 0, 2},  {9, 0, 1, 1},   {7, 0, 0, 3},   {5, 1, 0, 1}};

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

/* "Data Size Determination". */
static int sequence_bits(const struct range *range, int count)
{
    return ceil_div(count * 8 * range->trits, 5) + ceil_div(count * 7 * range->quints, 3) + count * range->bits;
}

/* A sequence of bits that begins at a bit of the block and goes up or down; behind its end are zeros. */
struct stream {
    const uint32_t *block;
    int first, step, length;
};

static int stream_bit(const struct stream *s, int n)
{
    return n < s->length ? bit(s->block, s->first + s->step * n) : 0;
}

static int stream_bits(const struct stream *s, int at, int count)
{
    int value = 0;
    for (int n = 0; n < count; n++) value |= stream_bit(s, at + n) << n;
    return value;
}

/* "if T[4:2] = 111 ..." */
static void unpack_trits(int T, int t[5])
{
    int C;
    if (part(T, 4, 2) == 7) {
        C = part(T, 7, 5) << 2 | part(T, 1, 0);
        t[4] = t[3] = 2;
    } else {
        C = part(T, 4, 0);
        if (part(T, 6, 5) == 3) {
            t[4] = 2;
            t[3] = part(T, 7, 7);
        } else {
            t[4] = part(T, 7, 7);
            t[3] = part(T, 6, 5);
        }
    }
    if (part(C, 1, 0) == 3) {
        t[2] = 2;
        t[1] = part(C, 4, 4);
        t[0] = part(C, 3, 3) << 1 | (part(C, 2, 2) & ~part(C, 3, 3));
    } else if (part(C, 3, 2) == 3) {
        t[2] = 2;
        t[1] = 2;
        t[0] = part(C, 1, 0);
    } else {
        t[2] = part(C, 4, 4);
        t[1] = part(C, 3, 2);
        t[0] = part(C, 1, 1) << 1 | (part(C, 0, 0) & ~part(C, 1, 1));
    }
}

/* "if Q[2:1] = 11 and Q[6:5] = 00 ..." */
static void unpack_quints(int Q, int q[3])
{
    int C;
    if (part(Q, 2, 1) == 3 && part(Q, 6, 5) == 0) {
        const int last = part(Q, 0, 0);
        q[2] = last << 2 | (part(Q, 4, 4) & ~last) << 1 | (part(Q, 3, 3) & ~last);
        q[1] = q[0] = 4;
        return;
    }
    if (part(Q, 2, 1) == 3) {
        q[2] = 4;
        C = part(Q, 4, 3) << 3 | (part(Q, 6, 5) ^ 3) << 1 | part(Q, 0, 0);
    } else {
        q[2] = part(Q, 6, 5);
        C = part(Q, 4, 0);
    }
    if (part(C, 2, 0) == 5) {
        q[1] = 4;
        q[0] = part(C, 4, 3);
    } else {
        q[1] = part(C, 4, 3);
        q[0] = part(C, 2, 0);
    }
}

/* Value i of a sequence: its low bits, and its trit or quint (0 where there is none). */
struct value {
    int m, d;
};

/* "ASTC trit-based packing": T7 m4 T6 T5 m3 T4 m2 T3 T2 m1 T1 T0 m0. */
static struct value trit_value(const struct stream *s, int n, int i)
{
    static const int pieces[5] = {2, 2, 1, 2, 1}; /* bits of T behind m0 to m4 */
    int at = i / 5 * (8 + 5 * n), T = 0, have = 0, t[5];
    struct value value = {0, 0};
    for (int k = 0; k < 5; k++) {
        if (k == i % 5) value.m = stream_bits(s, at, n);
        at += n;
        T |= stream_bits(s, at, pieces[k]) << have;
        at += pieces[k];
        have += pieces[k];
    }
    unpack_trits(T, t);
    value.d = t[i % 5];
    return value;
}

/* "ASTC quint-based packing": Q6 Q5 m2 Q4 Q3 m1 Q2 Q1 Q0 m0. */
static struct value quint_value(const struct stream *s, int n, int i)
{
    static const int pieces[3] = {3, 2, 2};
    int at = i / 3 * (7 + 3 * n), Q = 0, have = 0, q[3];
    struct value value = {0, 0};
    for (int k = 0; k < 3; k++) {
        if (k == i % 3) value.m = stream_bits(s, at, n);
        at += n;
        Q |= stream_bits(s, at, pieces[k]) << have;
        at += pieces[k];
        have += pieces[k];
    }
    unpack_quints(Q, q);
    value.d = q[i % 3];
    return value;
}

static struct value sequence_value(const struct stream *s, const struct range *range, int i)
{
    if (range->trits) return trit_value(s, range->bits, i);
    if (range->quints) return quint_value(s, range->bits, i);
    return (struct value){stream_bits(s, i * range->bits, range->bits), 0};
}

/* The bits of m by the text's letters, a the lowest, in a pattern from the most significant one on. */
static int pattern(const char *letters, int m)
{
    int value = 0;
    for (; *letters; letters++) value = 2 * value + (*letters == '0' ? 0 : m >> (*letters - 'a') & 1);
    return value;
}

/* Bit replication from the most significant bit on. */
static int replicate(int m, int from, int to)
{
    int value = 0;
    for (int n = 0; n < to; n++) value = 2 * value + (m >> (from - 1 - n % from) & 1);
    return value;
}

struct parameters {
    int limit;
    const char *B;
    int C;
};

static const struct parameters *parameters_of(const struct parameters *table, int limit)
{
    while (table->limit != limit) table++;
    return table;
}

/* "Weight Unquantization". (The text's example of a 3-bit weight stops at 5 bits; its range is "0..63".) */
static int unquantize_weight(const struct range *range, struct value v)
{
    static const struct parameters table[] = {
        {5, "0000000", 50}, {9, "0000000", 28}, {11, "b000b0b", 23}, {19, "b0000b0", 13}, {23, "cb000cb", 11}};
    static const int trits[3] = {0, 32, 63}, quints[5] = {0, 16, 32, 47, 63};
    int unq;
    if (range->limit == 2) {
        unq = trits[v.d];
    } else if (range->limit == 4) {
        unq = quints[v.d];
    } else if (!range->trits && !range->quints) {
        unq = replicate(v.m, range->bits, 6);
    } else {
        const struct parameters *row = parameters_of(table, range->limit);
        const int A = pattern("aaaaaaa", v.m), B = pattern(row->B, v.m), C = row->C, D = v.d;
        unq = D * C + B;
        unq = unq ^ A;
        unq = (A & 0x20) | (unq >> 2);
    }
    if (unq > 32) unq += 1;
    return unq;
}

/* "Endpoint Unquantization". */
static int unquantize_value(const struct range *range, struct value v)
{
    static const struct parameters table[] = {{5, "000000000", 204}, {9, "000000000", 113}, {11, "b000b0bb0", 93},
                                              {19, "b0000bb00", 54}, {23, "cb000cbcb", 44}, {39, "cb0000cbc", 26},
                                              {47, "dcb000dcb", 22}, {79, "dcb0000dc", 13}, {95, "edcb000ed", 11},
                                              {159, "edcb0000e", 6}, {191, "fedcb000f", 5}};
    if (!range->trits && !range->quints) return replicate(v.m, range->bits, 8);
    const struct parameters *row = parameters_of(table, range->limit);
    const int A = pattern("aaaaaaaaa", v.m), B = pattern(row->B, v.m), C = row->C, D = v.d;
    int unq = D * C + B;
    unq = unq ^ A;
    unq = (A & 0x80) | (unq >> 2);
    return unq;
}

/* ---- what the block is ---- */

/* Everything between the header and the texel. */
struct block {
    const uint32_t *words;
    struct astc_reference *facts;
    const struct range *weights, *values;
    int values_at; /* the first bit of the endpoints' values */
};

/* "ASTC 2D block mode layout": rows whose bits 1..0 are not 00. */
static void low_mode(const uint32_t w[4], struct astc_reference *f)
{
    switch (bits(w, 3, 2)) {
    case 0:
        f->grid_width = bits(w, 8, 7) + 4;
        f->grid_height = bits(w, 6, 5) + 2;
        break;
    case 1:
        f->grid_width = bits(w, 8, 7) + 8;
        f->grid_height = bits(w, 6, 5) + 2;
        break;
    case 2:
        f->grid_width = bits(w, 6, 5) + 2;
        f->grid_height = bits(w, 8, 7) + 8;
        break;
    default:
        if (bit(w, 8) == 0) {
            f->grid_width = bits(w, 6, 5) + 2;
            f->grid_height = bit(w, 7) + 6;
        } else {
            f->grid_width = bit(w, 7) + 2;
            f->grid_height = bits(w, 6, 5) + 2;
        }
    }
}

/* The other rows, whose bits 3..2 are not 00; returns 0 for reserved ones. */
static int high_mode(const uint32_t w[4], struct astc_reference *f)
{
    switch (bits(w, 8, 7)) {
    case 0:
        f->grid_width = 12;
        f->grid_height = bits(w, 6, 5) + 2;
        return 1;
    case 1:
        f->grid_width = bits(w, 6, 5) + 2;
        f->grid_height = 12;
        return 1;
    case 2:
        f->grid_width = bits(w, 6, 5) + 6;
        f->grid_height = bits(w, 10, 9) + 6;
        f->planes = 1;
        return 1;
    default:
        if (bits(w, 6, 5) == 0) {
            f->grid_width = 6;
            f->grid_height = 10;
            return 1;
        }
        f->grid_width = 10;
        f->grid_height = 6;
        return bits(w, 6, 5) == 1;
    }
}

/* Returns 0 for reserved modes. */
static int read_mode(struct block *b)
{
    const uint32_t *w = b->words;
    struct astc_reference *f = b->facts;
    int rho, P = bit(w, 9);
    f->planes = bit(w, 10) ? 2 : 1;
    if (bits(w, 3, 0) == 0) return 0;
    if (bits(w, 1, 0) != 0) {
        rho = bit(w, 1) << 2 | bit(w, 0) << 1 | bit(w, 4);
        low_mode(w, f);
    } else {
        rho = bit(w, 3) << 2 | bit(w, 2) << 1 | bit(w, 4);
        if (bits(w, 8, 7) == 2) P = 0;
        if (!high_mode(w, f)) return 0;
    }
    b->weights = &weight_ranges[P][rho];
    f->weight_limit = b->weights->limit;
    return 1;
}

static enum astc_reference_kind void_kind(const uint32_t w[4])
{
    if (bit(w, 10) != 1 || bit(w, 11) != 1) return ASTC_VOID_RESERVED_BITS;
    const int min_s = bits(w, 24, 12), max_s = bits(w, 37, 25), min_t = bits(w, 50, 38), max_t = bits(w, 63, 51);
    const int ignored = min_s == 8191 && max_s == 8191 && min_t == 8191 && max_t == 8191;
    if (!ignored && (min_s >= max_s || min_t >= max_t)) return ASTC_VOID_COORDINATES;
    return bit(w, 9) ? ASTC_VOID_HDR : ASTC_VOID_LDR;
}

static enum astc_reference_kind grid_kind(const struct block *b, int width, int height)
{
    const struct astc_reference *f = b->facts;
    const int count = f->grid_width * f->grid_height * f->planes, needed = sequence_bits(b->weights, count);
    if (f->grid_width > width || f->grid_height > height) return ASTC_GRID_TOO_LARGE;
    if (count > 64) return ASTC_TOO_MANY_WEIGHTS;
    if (needed > 96) return ASTC_TOO_MANY_WEIGHT_BITS;
    if (needed < 24) return ASTC_TOO_FEW_WEIGHT_BITS;
    return ASTC_WEIGHTED;
}

/* "Color Endpoint Mode"; `top` is the first bit of the weights. Returns how many bits stand right below it. */
static int read_endpoint_modes(const struct block *b, int top)
{
    const uint32_t *w = b->words;
    struct astc_reference *f = b->facts;
    if (f->partitions == 1) {
        f->endpoint_mode[0] = bits(w, 16, 13);
        return 0;
    }
    const int select = bits(w, 24, 23);
    if (select == 0) {
        for (int i = 0; i < f->partitions; i++) f->endpoint_mode[i] = bits(w, 28, 25);
        return 0;
    }
    /* The table's places of C0, C1, ..., and of the bits of M0, M1, ... */
    const int more = f->partitions == 2 ? 2 : f->partitions == 3 ? 5 : 8;
    int place[12], count = 0;
    for (int n = 25; n <= 28; n++) place[count++] = n;
    for (int n = 0; n < more; n++) place[count++] = top - more + n;
    for (int i = 0; i < f->partitions; i++) {
        const int class = select - 1 + bit(w, place[i]);
        const int M = bit(w, place[f->partitions + 2 * i]) | bit(w, place[f->partitions + 2 * i + 1]) << 1;
        f->endpoint_mode[i] = 4 * class + M;
    }
    return more;
}

/* What lies between mode and weights. */
static enum astc_reference_kind read_config(struct block *b)
{
    const uint32_t *w = b->words;
    struct astc_reference *f = b->facts;
    const int weight_bits = sequence_bits(b->weights, f->grid_width * f->grid_height * f->planes);
    f->partitions = bits(w, 12, 11) + 1;
    if (f->partitions > 1) f->pattern = bits(w, 22, 13);
    const int more = read_endpoint_modes(b, 128 - weight_bits);
    b->values_at = f->partitions == 1 ? 17 : 29;
    int config_bits = b->values_at + more;
    if (f->planes == 2) {
        if (f->partitions == 4) return ASTC_PLANES_OF_FOUR_PARTITIONS;
        config_bits += 2;
        f->second_channel = bits(w, 128 - weight_bits - more - 1, 128 - weight_bits - more - 2);
    }
    const int remaining = 128 - config_bits - weight_bits;
    for (int i = 0; i < f->partitions; i++) f->values += 2 * (f->endpoint_mode[i] / 4 + 1);
    if (f->values > 18) return ASTC_TOO_MANY_VALUES;
    if (remaining < ceil_div(13 * f->values, 5)) return ASTC_TOO_FEW_VALUE_BITS;
    b->values = value_ranges;
    while (sequence_bits(b->values, f->values) > remaining) b->values++;
    f->value_limit = b->values->limit;
    return ASTC_WEIGHTED;
}

static void read_block(struct block *b, int width, int height)
{
    struct astc_reference *f = b->facts;
    memset(f, 0, sizeof *f);
    f->second_channel = -1;
    f->mode = bits(b->words, 10, 0);
    if (bits(b->words, 8, 0) == 0x1fc) {
        f->mode = -1;
        f->kind = void_kind(b->words);
        return;
    }
    f->kind = ASTC_RESERVED_MODE;
    if (!read_mode(b)) return;
    f->kind = grid_kind(b, width, height);
    if (f->kind == ASTC_WEIGHTED) f->kind = read_config(b);
}

void astc_reference_facts(const uint32_t block[4], int width, int height, struct astc_reference *facts)
{
    struct block b = {.words = block, .facts = facts};
    read_block(&b, width, height);
}

/* ---- endpoints ---- */

struct color {
    int r, g, b, a;
};
struct pair {
    struct color e0, e1;
    int rgb_hdr, alpha_hdr;
};

static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

static struct color clamp_unorm8(struct color c)
{
    return (struct color){clamp(c.r, 0, 255), clamp(c.g, 0, 255), clamp(c.b, 0, 255), clamp(c.a, 0, 255)};
}

static void bit_transfer_signed(int *a, int *b)
{
    *b >>= 1;
    *b |= *a & 0x80;
    *a >>= 1;
    *a &= 0x3F;
    if ((*a & 0x20) != 0) *a -= 0x40;
}

static struct color blue_contract(int r, int g, int b, int a)
{
    return (struct color){(r + b) >> 1, (g + b) >> 1, b, a};
}

static void swap(int *a, int *b)
{
    const int t = *a;
    *a = *b;
    *b = t;
}

static void swap_major(struct color *c, int majcomp)
{
    if (majcomp == 1) swap(&c->r, &c->g);
    if (majcomp == 2) swap(&c->r, &c->b);
}

/* Modes 0, 1, 4, 5, 6 and 10. */
static struct pair luminance_or_scale(int mode, const int v[8])
{
    struct pair p = {0};
    if (mode == 0) {
        p.e0 = (struct color){v[0], v[0], v[0], 0xFF};
        p.e1 = (struct color){v[1], v[1], v[1], 0xFF};
    } else if (mode == 1) {
        const int L0 = (v[0] >> 2) | (v[1] & 0xC0);
        int L1 = L0 + (v[1] & 0x3F);
        if (L1 > 0xFF) L1 = 0xFF;
        p.e0 = (struct color){L0, L0, L0, 0xFF};
        p.e1 = (struct color){L1, L1, L1, 0xFF};
    } else if (mode == 4) {
        p.e0 = (struct color){v[0], v[0], v[0], v[2]};
        p.e1 = (struct color){v[1], v[1], v[1], v[3]};
    } else if (mode == 5) {
        int v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
        bit_transfer_signed(&v1, &v0);
        bit_transfer_signed(&v3, &v2);
        p.e0 = clamp_unorm8((struct color){v0, v0, v0, v2});
        p.e1 = clamp_unorm8((struct color){v0 + v1, v0 + v1, v0 + v1, v2 + v3});
    } else {
        p.e0 = (struct color){v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, mode == 10 ? v[4] : 0xFF};
        p.e1 = (struct color){v[0], v[1], v[2], mode == 10 ? v[5] : 0xFF};
    }
    return p;
}

/* Modes 8 and 12. */
static struct pair rgb_direct(int mode, const int v[8])
{
    struct pair p = {0};
    const int a0 = mode == 12 ? v[6] : 0xFF, a1 = mode == 12 ? v[7] : 0xFF;
    const int s0 = v[0] + v[2] + v[4], s1 = v[1] + v[3] + v[5];
    if (s1 >= s0) {
        p.e0 = (struct color){v[0], v[2], v[4], a0};
        p.e1 = (struct color){v[1], v[3], v[5], a1};
    } else {
        p.e0 = blue_contract(v[1], v[3], v[5], a1);
        p.e1 = blue_contract(v[0], v[2], v[4], a0);
    }
    return p;
}

/* Modes 9 and 13. */
static struct pair rgb_offset(int mode, const int in[8])
{
    struct pair p = {0};
    int v[8];
    memcpy(v, in, sizeof v);
    bit_transfer_signed(&v[1], &v[0]);
    bit_transfer_signed(&v[3], &v[2]);
    bit_transfer_signed(&v[5], &v[4]);
    bit_transfer_signed(&v[7], &v[6]);
    const int a0 = mode == 13 ? v[6] : 0xFF, a1 = mode == 13 ? v[6] + v[7] : 0xFF;
    if (v[1] + v[3] + v[5] >= 0) {
        p.e0 = (struct color){v[0], v[2], v[4], a0};
        p.e1 = (struct color){v[0] + v[1], v[2] + v[3], v[4] + v[5], a1};
    } else {
        p.e0 = blue_contract(v[0] + v[1], v[2] + v[3], v[4] + v[5], a1);
        p.e1 = blue_contract(v[0], v[2], v[4], a0);
    }
    p.e0 = clamp_unorm8(p.e0);
    p.e1 = clamp_unorm8(p.e1);
    return p;
}

/* Modes 2 and 3. */
static struct pair hdr_luminance(int mode, const int v[8])
{
    int y0, y1;
    if (mode == 2) {
        if (v[1] >= v[0]) {
            y0 = v[0] << 4;
            y1 = v[1] << 4;
        } else {
            y0 = (v[1] << 4) + 8;
            y1 = (v[0] << 4) - 8;
        }
    } else {
        int d;
        if ((v[0] & 0x80) != 0) {
            y0 = ((v[1] & 0xE0) << 4) | ((v[0] & 0x7F) << 2);
            d = (v[1] & 0x1F) << 2;
        } else {
            y0 = ((v[1] & 0xF0) << 4) | ((v[0] & 0x7F) << 1);
            d = (v[1] & 0x0F) << 1;
        }
        y1 = y0 + d;
        if (y1 > 0xFFF) y1 = 0xFFF;
    }
    return (struct pair){{y0, y0, y0, 0x780}, {y1, y1, y1, 0x780}, 1, 1};
}

/* Bit X of a table "Destination of extra bits": the letter of the field and the place in it. */
struct destination {
    char field;
    int place;
};

/* Mode 7, by its tables: what the code of the text amounts to. */
static struct pair hdr_scale(const int v[8])
{
    static const struct destination extra[6][7] = {
        {{'R', 9}, {'R', 8}, {'R', 7}, {'R', 10}, {'R', 6}, {'S', 6}, {'S', 5}},
        {{'R', 8}, {'G', 5}, {'R', 7}, {'B', 5}, {'R', 6}, {'R', 10}, {'R', 9}},
        {{'R', 9}, {'R', 8}, {'R', 7}, {'R', 6}, {'S', 7}, {'S', 6}, {'S', 5}},
        {{'R', 8}, {'G', 5}, {'R', 7}, {'B', 5}, {'R', 6}, {'S', 6}, {'S', 5}},
        {{'G', 6}, {'G', 5}, {'B', 6}, {'B', 5}, {'R', 6}, {'R', 7}, {'S', 5}},
        {{'G', 6}, {'G', 5}, {'B', 6}, {'B', 5}, {'R', 6}, {'S', 6}, {'S', 5}}};
    static const int shamts[6] = {1, 1, 2, 3, 4, 5};
    const int modeval = ((v[0] & 0xC0) >> 6) | ((v[1] & 0x80) >> 5) | ((v[2] & 0x80) >> 4);
    int majcomp, mode;
    if ((modeval & 0xC) != 0xC) {
        majcomp = modeval >> 2;
        mode = modeval & 3;
    } else if (modeval != 0xF) {
        majcomp = modeval & 3;
        mode = 4;
    } else {
        majcomp = 0;
        mode = 5;
    }
    int red = v[0] & 0x3f, green = v[1] & 0x1f, blue = v[2] & 0x1f, scale = v[3] & 0x1f;
    const int x[7] = {part(v[1], 6, 6), part(v[1], 5, 5), part(v[2], 6, 6), part(v[2], 5, 5),
                      part(v[3], 7, 7), part(v[3], 6, 6), part(v[3], 5, 5)};
    for (int i = 0; i < 7; i++) {
        const struct destination d = extra[mode][i];
        *(d.field == 'R' ? &red : d.field == 'G' ? &green : d.field == 'B' ? &blue : &scale) |= x[i] << d.place;
    }
    red <<= shamts[mode];
    green <<= shamts[mode];
    blue <<= shamts[mode];
    scale <<= shamts[mode];
    if (mode != 5) {
        green = red - green;
        blue = red - blue;
    }
    struct color c = {red, green, blue, 0};
    swap_major(&c, majcomp);
    return (struct pair){
        {clamp(c.r - scale, 0, 0xFFF), clamp(c.g - scale, 0, 0xFFF), clamp(c.b - scale, 0, 0xFFF), 0x780},
        {clamp(c.r, 0, 0xFFF), clamp(c.g, 0, 0xFFF), clamp(c.b, 0, 0xFFF), 0x780},
        1,
        1};
}

static int signextend(int v, int count)
{
    v &= (1 << count) - 1;
    return v >> (count - 1) ? v - (1 << count) : v;
}

/* Modes 11, 14 and 15. The letters of b0, b1, d0 and d1 are b, B, d and D; of mode 5 the code of the text puts X2 at
 * c^7. */
static struct pair hdr_direct(const int v[8])
{
    static const struct destination extra[8][6] = {{{'b', 6}, {'B', 6}, {'d', 6}, {'D', 6}, {'d', 5}, {'D', 5}},
                                                   {{'b', 6}, {'B', 6}, {'b', 7}, {'B', 7}, {'d', 5}, {'D', 5}},
                                                   {{'a', 9}, {'c', 6}, {'d', 6}, {'D', 6}, {'d', 5}, {'D', 5}},
                                                   {{'b', 6}, {'B', 6}, {'a', 9}, {'c', 6}, {'d', 5}, {'D', 5}},
                                                   {{'b', 6}, {'B', 6}, {'b', 7}, {'B', 7}, {'a', 9}, {'a', 10}},
                                                   {{'a', 9}, {'a', 10}, {'c', 7}, {'c', 6}, {'d', 5}, {'D', 5}},
                                                   {{'b', 6}, {'B', 6}, {'a', 11}, {'c', 6}, {'a', 9}, {'a', 10}},
                                                   {{'a', 9}, {'a', 10}, {'a', 11}, {'c', 6}, {'d', 5}, {'D', 5}}};
    static const int dbitstab[8] = {7, 6, 7, 6, 5, 6, 5, 6};
    const int majcomp = ((v[4] & 0x80) >> 7) | ((v[5] & 0x80) >> 6);
    if (majcomp == 3)
        return (struct pair){
            {v[0] << 4, v[2] << 4, (v[4] & 0x7f) << 5, 0x780}, {v[1] << 4, v[3] << 4, (v[5] & 0x7f) << 5, 0x780}, 1, 1};
    const int mode = ((v[1] & 0x80) >> 7) | ((v[2] & 0x80) >> 6) | ((v[3] & 0x80) >> 5);
    int va = v[0] | ((v[1] & 0x40) << 2), vb0 = v[2] & 0x3f, vb1 = v[3] & 0x3f, vc = v[1] & 0x3f;
    int vd0 = v[4] & 0x1f, vd1 = v[5] & 0x1f;
    const int x[6] = {part(v[2], 6, 6), part(v[3], 6, 6), part(v[4], 6, 6),
                      part(v[5], 6, 6), part(v[4], 5, 5), part(v[5], 5, 5)};
    for (int i = 0; i < 6; i++) {
        const struct destination d = extra[mode][i];
        int *const field = d.field == 'a'   ? &va
                           : d.field == 'b' ? &vb0
                           : d.field == 'B' ? &vb1
                           : d.field == 'c' ? &vc
                           : d.field == 'd' ? &vd0
                                            : &vd1;
        *field |= x[i] << d.place;
    }
    const int unit = 1 << ((mode >> 1) ^ 3); /* the text's modeval here is the mode */
    va *= unit;
    vb0 *= unit;
    vb1 *= unit;
    vc *= unit;
    vd0 = signextend(vd0, dbitstab[mode]) * unit;
    vd1 = signextend(vd1, dbitstab[mode]) * unit;
    struct pair p = {
        {clamp(va - vc, 0, 0xFFF), clamp(va - vb0 - vc - vd0, 0, 0xFFF), clamp(va - vb1 - vc - vd1, 0, 0xFFF), 0x780},
        {clamp(va, 0, 0xFFF), clamp(va - vb0, 0, 0xFFF), clamp(va - vb1, 0, 0xFFF), 0x780},
        1,
        1};
    swap_major(&p.e0, majcomp);
    swap_major(&p.e1, majcomp);
    return p;
}

static void hdr_alpha(int v6, int v7, struct pair *p)
{
    const int mode = ((v6 >> 7) & 1) | ((v7 >> 6) & 2);
    v6 &= 0x7F;
    v7 &= 0x7F;
    if (mode == 3) {
        p->e0.a = v6 << 5;
        p->e1.a = v7 << 5;
        return;
    }
    v6 |= (v7 << (mode + 1)) & 0x780;
    v7 &= 0x3F >> mode;
    v7 ^= 0x20 >> mode;
    v7 -= 0x20 >> mode;
    v6 *= 1 << (4 - mode);
    v7 *= 1 << (4 - mode);
    v7 += v6;
    p->e0.a = v6;
    p->e1.a = clamp(v7, 0, 0xFFF);
}

static struct pair endpoints(int mode, const int v[8])
{
    struct pair p;
    switch (mode) {
    case 2:
    case 3:
        return hdr_luminance(mode, v);
    case 7:
        return hdr_scale(v);
    case 8:
    case 12:
        return rgb_direct(mode, v);
    case 9:
    case 13:
        return rgb_offset(mode, v);
    case 11:
        return hdr_direct(v);
    case 14:
        p = hdr_direct(v);
        p.e0.a = v[6];
        p.e1.a = v[7];
        p.alpha_hdr = 0;
        return p;
    case 15:
        p = hdr_direct(v);
        hdr_alpha(v[6], v[7], &p);
        return p;
    default:
        return luminance_or_scale(mode, v);
    }
}

/* Those of the facts' partition. */
static struct pair read_endpoints(const struct block *b)
{
    const struct astc_reference *f = b->facts;
    const struct stream stream = {b->words, b->values_at, 1, sequence_bits(b->values, f->values)};
    int v[8] = {0}, first = 0;
    for (int i = 0; i < f->partition; i++) first += 2 * (f->endpoint_mode[i] / 4 + 1);
    const int mode = f->endpoint_mode[f->partition];
    for (int i = 0; i < 2 * (mode / 4 + 1); i++)
        v[i] = unquantize_value(b->values, sequence_value(&stream, b->values, first + i));
    return endpoints(mode, v);
}

/* ---- weights and partitions ---- */

static int decode_weight(const struct block *b, int plane, int n)
{
    const struct astc_reference *f = b->facts;
    const int positions = f->grid_width * f->grid_height;
    if (n >= positions) return 0; /* of no weight */
    const struct stream stream = {b->words, 127, -1, sequence_bits(b->weights, positions * f->planes)};
    return unquantize_weight(b->weights, sequence_value(&stream, b->weights, n * f->planes + plane));
}

/* "Weight Infill". */
static int effective_weight(const struct block *b, int plane, int width, int height, int bs, int bt)
{
    const int W = b->facts->grid_width, H = b->facts->grid_height;
    const int Ds = (1024 + width / 2) / (width - 1), Dt = (1024 + height / 2) / (height - 1);
    const int cs = Ds * bs, ct = Dt * bt;
    const int gs = (cs * (W - 1) + 32) >> 6, gt = (ct * (H - 1) + 32) >> 6;
    const int js = gs >> 4, fs = gs & 0x0F, jt = gt >> 4, ft = gt & 0x0F;
    const int v0 = js + jt * W;
    const int p00 = decode_weight(b, plane, v0), p01 = decode_weight(b, plane, v0 + 1);
    const int p10 = decode_weight(b, plane, v0 + W), p11 = decode_weight(b, plane, v0 + W + 1);
    const int w11 = (fs * ft + 8) >> 4, w10 = ft - w11, w01 = fs - w11, w00 = 16 - fs - ft + w11;
    return (p00 * w00 + p01 * w01 + p10 * w10 + p11 * w11 + 8) >> 4;
}

static uint32_t hash52(uint32_t p)
{
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    return p;
}

static int select_partition(int seed, int x, int y, int partitioncount, int small_block)
{
    if (partitioncount == 1) return 0;
    if (small_block) {
        x <<= 1;
        y <<= 1;
    }
    seed += (partitioncount - 1) * 1024;
    const uint32_t rnum = hash52((uint32_t)seed);
    uint8_t seeds[8]; /* seed1 to seed8; the others are for z */
    for (int i = 0; i < 8; i++) {
        seeds[i] = rnum >> 4 * i & 0xF;
        seeds[i] = (uint8_t)(seeds[i] * seeds[i]);
    }
    int sh1, sh2;
    if (seed & 1) {
        sh1 = seed & 2 ? 4 : 5;
        sh2 = partitioncount == 3 ? 6 : 5;
    } else {
        sh1 = partitioncount == 3 ? 6 : 5;
        sh2 = seed & 2 ? 4 : 5;
    }
    for (int i = 0; i < 8; i++) seeds[i] = (uint8_t)(seeds[i] >> (i % 2 ? sh2 : sh1));
    int a = (int)((uint32_t)(seeds[0] * x + seeds[1] * y) + (rnum >> 14));
    int b = (int)((uint32_t)(seeds[2] * x + seeds[3] * y) + (rnum >> 10));
    int c = (int)((uint32_t)(seeds[4] * x + seeds[5] * y) + (rnum >> 6));
    int d = (int)((uint32_t)(seeds[6] * x + seeds[7] * y) + (rnum >> 2));
    a &= 0x3F;
    b &= 0x3F;
    c &= 0x3F;
    d &= 0x3F;
    if (partitioncount < 4) d = 0;
    if (partitioncount < 3) c = 0;
    if (a >= b && a >= c && a >= d) return 0;
    if (b >= c && b >= d) return 1;
    return c >= d ? 2 : 3;
}

/* ---- texels ---- */

/* "C is divided by 65536 and the infinite-precision result of the division is converted to FP16 with round-to-zero". */
static int half_of_unorm16(int C)
{
    if (C == 65535) return 0x3C00;
    int significand = C << 8, exponent = 1; /* in 2^-24, the unit of denormal halves */
    if (significand < 1024) return significand;
    while (significand >= 2048) {
        significand >>= 1;
        exponent++;
    }
    return exponent << 10 | (significand - 1024);
}

static int half_of_hdr(int C)
{
    const int E = (C & 0xF800) >> 11, M = C & 0x7FF;
    int Mt;
    if (M < 512)
        Mt = 3 * M;
    else if (M >= 1536)
        Mt = 5 * M - 2048;
    else
        Mt = 4 * M - 512;
    const int Cf = (E << 10) + (Mt >> 3);
    return Cf >= 0x7C00 ? 0x7BFF : Cf;
}

static void put_halves(const int c[4], uint32_t word[2])
{
    word[0] = (uint32_t)c[0] | (uint32_t)c[1] << 16;
    word[1] = (uint32_t)c[2] | (uint32_t)c[3] << 16;
}

static void put_codes(const int c[4], uint32_t word[2])
{
    word[0] = (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
    word[1] = 0;
}

/* "The magenta error color". */
static void put_error(enum astc_reference_profile profile, uint32_t word[2], struct astc_reference *facts)
{
    static const int codes[4] = {255, 0, 255, 255}, halves[4] = {0x3C00, 0, 0x3C00, 0x3C00};
    facts->is_error = 1;
    if (profile == ASTC_REFERENCE_SRGB)
        put_codes(codes, word);
    else
        put_halves(halves, word);
}

/* UNORM16 results, or FP16 ones of HDR components. */
static void put_results(const int C[4], const int hdr[4], enum astc_reference_profile profile, uint32_t word[2])
{
    int out[4];
    for (int i = 0; i < 4; i++) {
        if (profile == ASTC_REFERENCE_SRGB)
            out[i] = C[i] >> 8;
        else
            out[i] = hdr[i] ? C[i] : half_of_unorm16(C[i]);
    }
    if (profile == ASTC_REFERENCE_SRGB)
        put_codes(out, word);
    else
        put_halves(out, word);
}

static void put_void(const struct block *b, enum astc_reference_profile profile, uint32_t word[2])
{
    const int hdr = b->facts->kind == ASTC_VOID_HDR;
    if (hdr && profile != ASTC_REFERENCE_HDR) {
        put_error(profile, word, b->facts);
        return;
    }
    int C[4] = {bits(b->words, 79, 64), bits(b->words, 95, 80), bits(b->words, 111, 96), bits(b->words, 127, 112)};
    for (int i = 0; hdr && i < 4; i++) /* NaN is undefined; docs/semantics.md makes it quiet */
        if (C[i] % 0x8000 > 0x7c00) C[i] |= 0x200;
    const int all[4] = {hdr, hdr, hdr, hdr};
    put_results(C, all, profile, word);
}

/* "Weight Application". */
static int interpolate(int C0, int C1, int i, int hdr, enum astc_reference_profile profile)
{
    if (hdr) {
        C0 <<= 4;
        C1 <<= 4;
    } else if (profile == ASTC_REFERENCE_SRGB) {
        C0 = (C0 << 8) | 0x80;
        C1 = (C1 << 8) | 0x80;
    } else {
        C0 = (C0 << 8) | C0;
        C1 = (C1 << 8) | C1;
    }
    const int C = (C0 * (64 - i) + C1 * i + 32) / 64;
    return hdr ? half_of_hdr(C) : C;
}

void astc_reference_texel(const uint32_t block[4], int width, int height, enum astc_reference_profile profile, int x,
                          int y, uint32_t word[2], struct astc_reference *facts)
{
    struct block b = {.words = block, .facts = facts};
    read_block(&b, width, height);
    if (facts->kind == ASTC_VOID_LDR || facts->kind == ASTC_VOID_HDR) {
        put_void(&b, profile, word);
        return;
    }
    if (facts->kind != ASTC_WEIGHTED) {
        put_error(profile, word, facts);
        return;
    }
    facts->partition = select_partition(facts->pattern, x, y, facts->partitions, width * height < 31);
    const struct pair p = read_endpoints(&b);
    if (p.rgb_hdr && profile != ASTC_REFERENCE_HDR) {
        put_error(profile, word, facts);
        return;
    }
    const int e0[4] = {p.e0.r, p.e0.g, p.e0.b, p.e0.a}, e1[4] = {p.e1.r, p.e1.g, p.e1.b, p.e1.a};
    const int hdr[4] = {p.rgb_hdr, p.rgb_hdr, p.rgb_hdr, p.alpha_hdr};
    int weight[2], C[4];
    for (int plane = 0; plane < facts->planes; plane++)
        weight[plane] = effective_weight(&b, plane, width, height, x, y);
    for (int i = 0; i < 4; i++) {
        const int plane = facts->planes == 2 && facts->second_channel == i;
        C[i] = interpolate(e0[i], e1[i], weight[plane], hdr[i], profile);
    }
    put_results(C, hdr, profile, word);
}
