/* The ends of the blocks of a deflate stream (RFC 1951), and the sum of joined pieces. Compressors of whole buffers say
 * the bytes of what they made, not the bits; bands that are to be joined need the bits. Codes are followed, nothing is
 * inflated. */
#include <string.h>

#include "files/bands.h"

enum {
    LITERALS = 288,
    DISTANCES = 32,
    PRE_CODES = 19,
    PRE_BITS = 7,
    MAX_BITS = 15,
    FIRST_LENGTH = 257,
    LENGTHS = 29, /* 286 and 287 are never used (3.2.6) */
    REAL_DISTANCES = 30,
    DISTANCE_EXTRA = 13
};
enum block_type { STORED = 0, FIXED = 1, DYNAMIC = 2 };

/* An entry of a table: how many bits the symbol takes, with its extra bits, and what it is. 0: no symbol. */
enum { ENTRY_BITS = 31, ENTRY_LENGTH = 32, ENTRY_END = 64 };

struct bits {
    const uint8_t *data;
    size_t bytes, at; /* at: the next byte to load */
    uint64_t buffer;
    unsigned count;  /* of bits in the buffer */
    unsigned beyond; /* bytes that were loaded after the end, as zeros */
};

/* At least 56 bits in the buffer. */
static inline void refill(struct bits *in)
{
    if (in->bytes - in->at >= 8) {
        const uint8_t *at = in->data + in->at;
        uint64_t word = 0;
        for (unsigned i = 0; i < 8; i++) word |= (uint64_t)at[i] << 8 * i;
        in->buffer |= word << in->count;
        in->at += (63 - in->count) >> 3;
        in->count |= 56;
        return;
    }
    for (; in->count < 56; in->count += 8) {
        if (in->at < in->bytes)
            in->buffer |= (uint64_t)in->data[in->at++] << in->count;
        else
            in->beyond++;
    }
}

static inline void drop(struct bits *in, unsigned count)
{
    in->buffer >>= count;
    in->count -= count;
}

static inline unsigned take(struct bits *in, unsigned count)
{
    unsigned value = (unsigned)(in->buffer & ((1u << count) - 1));
    drop(in, count);
    return value;
}

/* The position of the next bit; bytes after the end count as if they were there. */
static size_t position(const struct bits *in) { return 8 * (in->at + in->beyond) - in->count; }

static bool passed_end(const struct bits *in) { return position(in) > 8 * in->bytes; }

static unsigned reversed(unsigned code, unsigned bits)
{
    unsigned result = 0;
    for (; bits; bits--, code >>= 1) result = result << 1 | (code & 1);
    return result;
}

/* A code from its lengths (3.2.2). `entry` are the symbols' entries without the bits of the code. Incomplete codes are
 * taken: a single distance has one bit (3.2.7). Returns the bits that index the table; 0: no such code. */
static unsigned make_table(const uint8_t *lengths, unsigned symbols, const uint16_t *entries, unsigned most,
                           uint16_t *table)
{
    unsigned counts[MAX_BITS + 1] = {0}, next[MAX_BITS + 1], bits = 0, code = 0;
    for (unsigned s = 0; s < symbols; s++) counts[lengths[s]]++;
    counts[0] = 0;
    for (unsigned length = 1; length <= most; length++) {
        code = (code + counts[length - 1]) << 1;
        next[length] = code;
        if (code + counts[length] > 1u << length) return 0;
        if (counts[length]) bits = length;
    }
    if (!bits) bits = 1; /* no symbol at all: every entry is 0 */
    memset(table, 0, sizeof *table << bits);
    for (unsigned s = 0; s < symbols; s++) {
        const unsigned length = lengths[s];
        if (!length) continue;
        const uint16_t entry = (uint16_t)(entries[s] + length);
        for (unsigned i = reversed(next[length]++, length); i < 1u << bits; i += 1u << length) table[i] = entry;
    }
    return bits;
}

/* The entries of literals and lengths, and of distances, with their extra bits (3.2.5). */
static void make_entries(uint16_t literals[LITERALS], uint16_t distances[DISTANCES])
{
    memset(literals, 0, LITERALS * sizeof *literals);
    memset(distances, 0, DISTANCES * sizeof *distances);
    literals[FIRST_LENGTH - 1] = ENTRY_END;
    for (unsigned i = 0; i < LENGTHS; i++)
        literals[FIRST_LENGTH + i] = (uint16_t)(ENTRY_LENGTH + (i < 8 || i == 28 ? 0 : i / 4 - 1));
    for (unsigned i = 4; i < REAL_DISTANCES; i++) distances[i] = (uint16_t)(i / 2 - 1);
}

/* The lengths of a dynamic block's codes (3.2.7). */
static bool read_lengths(struct bits *in, uint16_t *table, unsigned wanted, uint8_t *lengths)
{
    static const uint8_t order[PRE_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint16_t entries[PRE_CODES];
    uint8_t pre[PRE_CODES] = {0};
    unsigned count = take(in, 4) + 4;
    for (unsigned i = 0; i < PRE_CODES; i++) entries[i] = (uint16_t)(i << 5); /* the symbol itself */
    for (unsigned i = 0; i < count; i++) {
        refill(in);
        pre[order[i]] = (uint8_t)take(in, 3);
    }
    const unsigned bits = make_table(pre, PRE_CODES, entries, PRE_BITS, table);
    if (!bits) return false;
    for (unsigned n = 0; n < wanted;) {
        refill(in);
        const uint16_t entry = table[in->buffer & ((1u << bits) - 1)];
        if (!entry || passed_end(in)) return false;
        drop(in, entry & 31);
        const unsigned symbol = entry >> 5;
        if (symbol < 16) {
            lengths[n++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16 && !n) return false;
        const uint8_t value = symbol == 16 ? lengths[n - 1] : 0;
        unsigned repeat = symbol == 16 ? 3 + take(in, 2) : symbol == 17 ? 3 + take(in, 3) : 11 + take(in, 7);
        if (repeat > wanted - n) return false;
        while (repeat--) lengths[n++] = value;
    }
    return true;
}

/* The tables of a block of type FIXED or DYNAMIC: the bits that index them. */
static bool read_codes(struct bits *in, bool dynamic, struct sch_files_deflate_tables *tables, unsigned *literal_bits,
                       unsigned *distance_bits)
{
    uint16_t literal_entries[LITERALS], distance_entries[DISTANCES];
    uint8_t lengths[LITERALS + DISTANCES];
    unsigned literals = LITERALS, distances = DISTANCES;
    make_entries(literal_entries, distance_entries);
    refill(in);
    if (dynamic) {
        literals = 257 + take(in, 5);
        distances = 1 + take(in, 5);
        if (literals > 286 || !read_lengths(in, tables->literals, literals + distances, lengths)) return false;
    } else {
        for (unsigned s = 0; s < LITERALS; s++) lengths[s] = s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8;
        memset(lengths + LITERALS, 5, DISTANCES);
    }
    *literal_bits = make_table(lengths, literals, literal_entries, MAX_BITS, tables->literals);
    *distance_bits = make_table(lengths + literals, distances, distance_entries, MAX_BITS, tables->distances);
    return *literal_bits && *distance_bits;
}

static bool skip_symbols(struct bits *in, const struct sch_files_deflate_tables *tables, unsigned literal_bits,
                         unsigned distance_bits)
{
    const unsigned literal_mask = (1u << literal_bits) - 1, distance_mask = (1u << distance_bits) - 1;
    for (;;) {
        refill(in);
        unsigned entry = tables->literals[in->buffer & literal_mask];
        /* Two literals and a length with its distance take no more than 15 + 20 + 15 bits of the 56, then 28. */
        for (unsigned i = 0; i < 2 && entry && entry < ENTRY_LENGTH; i++) {
            drop(in, entry);
            entry = tables->literals[in->buffer & literal_mask];
        }
        if (!entry || in->beyond > 8) return false;
        drop(in, entry & ENTRY_BITS);
        if (entry & ENTRY_END) return true;
        if (!(entry & ENTRY_LENGTH)) continue;
        if (in->count < MAX_BITS + DISTANCE_EXTRA) refill(in);
        entry = tables->distances[in->buffer & distance_mask];
        if (!entry) return false;
        drop(in, entry & ENTRY_BITS);
    }
}

/* A stored block: the rest of the byte, a length twice, the bytes (3.2.4). */
static bool skip_stored(struct bits *in)
{
    drop(in, in->count & 7);
    const size_t at = position(in) / 8;
    if (at > in->bytes || in->bytes - at < 4) return false;
    const uint8_t *data = in->data + at;
    const unsigned length = data[0] | (unsigned)data[1] << 8, inverse = data[2] | (unsigned)data[3] << 8;
    if ((length ^ inverse) != 0xffff || in->bytes - at - 4 < length) return false;
    *in = (struct bits){.data = in->data, .bytes = in->bytes, .at = at + 4 + length};
    return true;
}

bool sch_files_deflate_find_ends(struct sch_files_deflate_tables *tables, const uint8_t *data, size_t bytes,
                                 struct sch_files_deflate_ends *ends)
{
    struct bits in = {.data = data, .bytes = bytes};
    for (bool last = false; !last;) {
        unsigned literal_bits, distance_bits;
        refill(&in);
        ends->last_block = position(&in);
        last = take(&in, 1);
        const unsigned type = take(&in, 2);
        if (type > DYNAMIC) return false;
        if (type == STORED) {
            if (!skip_stored(&in)) return false;
        } else if (!read_codes(&in, type == DYNAMIC, tables, &literal_bits, &distance_bits) ||
                   !skip_symbols(&in, tables, literal_bits, distance_bits)) {
            return false;
        }
        if (passed_end(&in)) return false;
    }
    ends->end = position(&in);
    return true;
}

/* RFC 1950, 8.2: one sum of bytes, and one of the first sum's values, which the second piece began at 1. */
uint32_t sch_files_adler32_join(uint32_t first, uint32_t second, size_t bytes)
{
    enum { BASE = 65521 };
    const uint64_t a1 = first & 0xffff, b1 = first >> 16, a2 = second & 0xffff, b2 = second >> 16;
    const uint64_t a = (a1 + a2 + BASE - 1) % BASE;
    const uint64_t b = (b1 + b2 + bytes % BASE * ((a1 + BASE - 1) % BASE)) % BASE;
    return (uint32_t)(b << 16 | a);
}
