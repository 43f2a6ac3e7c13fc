/* Texture headers and samplers as text: every bit survives both ways, every field alone changes its line and no other,
 * values mean what the class headers say, and errors have their place. Names and bit ranges are stated here again from
 * the facts, not taken from src/isa/maxwell_headers.def. */
#include <scheelite/scheelite.h>

#include "../support/counting.h"
#include "base/limits.h"
#include "isa/errors.h"
#include "maxwell/header/number.h"
#include "maxwell/header/text.h"
#include "maxwell_header_support.h"

/* B all block-linear, P all pitch, V the versions without a key, K those with one, E every version, I not the buffer, U
 * the buffer, S the sampler. A second range holds upper bits. */
static const struct field {
    const char *name;
    char owner;
    uint8_t high, low, high2, low2;
} fields[] = {
    {"COMPONENTS", 'E', 6, 0, 0, 0},
    {"R_DATA_TYPE", 'E', 9, 7, 0, 0},
    {"G_DATA_TYPE", 'E', 12, 10, 0, 0},
    {"B_DATA_TYPE", 'E', 15, 13, 0, 0},
    {"A_DATA_TYPE", 'E', 18, 16, 0, 0},
    {"X_SOURCE", 'E', 21, 19, 0, 0},
    {"Y_SOURCE", 'E', 24, 22, 0, 0},
    {"Z_SOURCE", 'E', 27, 25, 0, 0},
    {"W_SOURCE", 'E', 30, 28, 0, 0},
    {"PACK_COMPONENTS", 'E', 31, 31, 0, 0},
    {"GOB_DEPTH_OFFSET", 'B', 38, 37, 0, 0},
    {"ADDRESS", 'B', 63, 41, 79, 64},
    {"ADDRESS", 'P', 63, 37, 79, 64},
    {"ADDRESS", 'U', 63, 32, 79, 64},
    {"COHERENCY_HASH", 'I', 92, 89, 0, 0},
    {"GOBS_PER_BLOCK_WIDTH", 'B', 98, 96, 0, 0},
    {"GOBS_PER_BLOCK_HEIGHT", 'B', 101, 99, 0, 0},
    {"GOBS_PER_BLOCK_DEPTH", 'B', 104, 102, 0, 0},
    {"SPARSE_ENABLE", 'B', 105, 105, 0, 0},
    {"TILE_WIDTH_IN_GOBS", 'B', 108, 106, 0, 0},
    {"GOB3D", 'B', 109, 109, 0, 0},
    {"USE_ARRAY_TILE_ALIGNMENT", 'B', 110, 110, 0, 0},
    {"PITCH", 'P', 111, 96, 0, 0},
    {"LOD_ANISO_QUALITY2", 'I', 112, 112, 0, 0},
    {"LOD_ANISO_QUALITY", 'I', 113, 113, 0, 0},
    {"LOD_ISO_QUALITY", 'I', 114, 114, 0, 0},
    {"ANISO_COARSE_SPREAD_MODIFIER", 'I', 116, 115, 0, 0},
    {"ANISO_SPREAD_SCALE", 'I', 121, 117, 0, 0},
    {"USE_HEADER_OPT_CONTROL", 'I', 122, 122, 0, 0},
    {"DEPTH_TEXTURE", 'I', 123, 123, 0, 0},
    {"MAX_MIP_LEVEL", 'I', 127, 124, 0, 0},
    {"WIDTH", 'I', 143, 128, 0, 0},
    {"WIDTH", 'U', 143, 128, 111, 96},
    {"ANISO_SPREAD_MAX_LOG2", 'I', 149, 147, 0, 0},
    {"S_R_G_B_CONVERSION", 'E', 150, 150, 0, 0},
    {"TEXTURE_TYPE", 'E', 154, 151, 0, 0},
    {"SECTOR_PROMOTION", 'E', 156, 155, 0, 0},
    {"BORDER_SIZE", 'I', 159, 157, 0, 0},
    {"HEIGHT", 'I', 175, 160, 0, 0},
    {"DEPTH", 'I', 189, 176, 0, 0},
    {"NORMALIZED_COORDS", 'I', 191, 191, 0, 0},
    {"COLOR_KEY_OP", 'K', 192, 192, 0, 0},
    {"TRILIN_OPT", 'I', 197, 193, 0, 0},
    {"MIP_LOD_BIAS", 'I', 210, 198, 0, 0},
    {"ANISO_BIAS", 'I', 214, 211, 0, 0},
    {"ANISO_FINE_SPREAD_FUNC", 'I', 216, 215, 0, 0},
    {"ANISO_COARSE_SPREAD_FUNC", 'I', 218, 217, 0, 0},
    {"MAX_ANISOTROPY", 'I', 221, 219, 0, 0},
    {"ANISO_FINE_SPREAD_MODIFIER", 'I', 223, 222, 0, 0},
    {"COLOR_KEY_VALUE", 'K', 255, 224, 0, 0},
    {"RES_VIEW_MIN_MIP_LEVEL", 'V', 227, 224, 0, 0},
    {"RES_VIEW_MAX_MIP_LEVEL", 'V', 231, 228, 0, 0},
    {"MULTI_SAMPLE_COUNT", 'V', 235, 232, 0, 0},
    {"MIN_LOD_CLAMP", 'V', 247, 236, 0, 0},
    {"ADDRESS_U", 'S', 2, 0, 0, 0},
    {"ADDRESS_V", 'S', 5, 3, 0, 0},
    {"ADDRESS_P", 'S', 8, 6, 0, 0},
    {"DEPTH_COMPARE", 'S', 9, 9, 0, 0},
    {"DEPTH_COMPARE_FUNC", 'S', 12, 10, 0, 0},
    {"S_R_G_B_CONVERSION", 'S', 13, 13, 0, 0},
    {"MAX_ANISOTROPY", 'S', 22, 20, 0, 0},
    {"MAG_FILTER", 'S', 34, 32, 0, 0},
    {"MIN_LOD_CLAMP_BEHAVIOR_FOR_NEAREST_MIP", 'S', 35, 35, 0, 0},
    {"MIN_FILTER", 'S', 37, 36, 0, 0},
    {"MIP_FILTER", 'S', 39, 38, 0, 0},
    {"CUBEMAP_INTERFACE_FILTERING", 'S', 41, 40, 0, 0},
    {"REDUCTION_FILTER", 'S', 43, 42, 0, 0},
    {"MIP_LOD_BIAS", 'S', 56, 44, 0, 0},
    {"FLOAT_COORD_NORMALIZATION", 'S', 57, 57, 0, 0},
    {"TRILIN_OPT", 'S', 62, 58, 0, 0},
    {"MIN_LOD_CLAMP", 'S', 75, 64, 0, 0},
    {"MAX_LOD_CLAMP", 'S', 87, 76, 0, 0},
    {"S_R_G_B_BORDER_COLOR_R", 'S', 95, 88, 0, 0},
    {"S_R_G_B_BORDER_COLOR_G", 'S', 115, 108, 0, 0},
    {"S_R_G_B_BORDER_COLOR_B", 'S', 123, 116, 0, 0},
    {"BORDER_COLOR_R", 'S', 159, 128, 0, 0},
    {"BORDER_COLOR_G", 'S', 191, 160, 0, 0},
    {"BORDER_COLOR_B", 'S', 223, 192, 0, 0},
    {"BORDER_COLOR_A", 'S', 255, 224, 0, 0},
};

enum { SAMPLER = 8 }; /* besides the versions */

static bool owns(unsigned version, char owner)
{
    bool known = version <= BLOCK_KEY, keyed = version == PITCH_KEY || version == BLOCK_KEY;
    switch (owner) {
    case 'B':
        return version == BLOCK || version == BLOCK_KEY;
    case 'P':
        return version == PITCH || version == PITCH_KEY;
    case 'V':
        return version == PITCH || version == BLOCK;
    case 'K':
        return keyed;
    case 'U':
        return version == BUFFER;
    case 'I':
        return known && version != BUFFER;
    case 'E':
        return known;
    default:
        return version == SAMPLER;
    }
}

static char *print(const void *entries, uint32_t count, bool samplers)
{
    char *text;
    size_t bytes;
    assert_int_equal(sch_maxwell_headers_print(&sch_allocator_libc, 0, entries, count, samplers, &text, &bytes),
                     SCH_OK);
    assert_int_equal(bytes, strlen(text));
    return text;
}

/* Parses and compares with what was printed. */
static void expect_entries(const char *text, const void *entries, uint32_t count, bool samplers)
{
    struct sch_arena arena;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics list;
    struct sch_maxwell_pools pools;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    if (sch_maxwell_headers_parse(&arena, &limits, text, strlen(text), &list, &pools) != SCH_OK)
        fail_msg("line %u: %s\n%s", list.items[0].position.line, list.items[0].message, text);
    const struct sch_maxwell_entries *read = samplers ? &pools.samplers : &pools.headers;
    assert_int_equal(read->count, count);
    assert_int_equal((samplers ? &pools.headers : &pools.samplers)->count, 0);
    if (count) assert_memory_equal(read->bytes, entries, count * 32);
    sch_diagnostics_release(&list);
    sch_arena_release(&arena);
}

static void random_entries_survive_both_ways(void **state)
{
    (void)state;
    enum { ENTRIES = 1000, ROUNDS = 100 };
    uint32_t(*words)[8] = malloc(ENTRIES * sizeof *words);
    for (unsigned round = 0; round < ROUNDS; round++) {
        bool samplers = round & 1;
        for (unsigned i = 0; i < ENTRIES * 8; i++) words[i / 8][i % 8] = random_word();
        char *text = print(words, ENTRIES, samplers);
        expect_entries(text, words, ENTRIES, samplers);
        if (round < 4) { /* and the text is its own print */
            char *again = print(words, ENTRIES, samplers);
            assert_string_equal(text, again);
            free(again);
        }
        free(text);
    }
    free(words);
    printf("# %d entries\n", ENTRIES * ROUNDS);
}

/* The line of `text` that begins with the name; its length. */
static const char *line_of(const char *text, const char *name, size_t *bytes)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length = strlen(name);
        if (strncmp(line, "  ", 2) == 0 && strncmp(line + 2, name, length) == 0 && line[2 + length] == ' ') {
            *bytes = strcspn(line, "\n");
            return line;
        }
    }
    return NULL;
}

static unsigned lines(const char *text)
{
    unsigned count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

static void differ_in_one_line(const char *a, const char *b, const char *name)
{
    size_t length_a, length_b;
    const char *line_a = line_of(a, name, &length_a), *line_b = line_of(b, name, &length_b);
    if (!line_a || !line_b) fail_msg("no line %s in\n%s", name, a);
    assert_int_equal(line_a - a, line_b - b);
    assert_memory_equal(a, b, (size_t)(line_a - a));
    if (length_a == length_b && memcmp(line_a, line_b, length_a) == 0) fail_msg("%s does not change", name);
    assert_string_equal(line_a + length_a, line_b + length_b);
}

static void every_field_changes_its_own_line(void **state)
{
    (void)state;
    unsigned changed = 0;
    static const unsigned versions[] = {BUFFER, PITCH_KEY, PITCH, BLOCK, BLOCK_KEY, SAMPLER};
    for (unsigned v = 0; v < COUNT(versions); v++) {
        unsigned version = versions[v], owned = 0;
        uint32_t named[8] = {0};
        for (unsigned f = 0; f < COUNT(fields); f++) {
            const struct field *field = &fields[f];
            if (!owns(version, field->owner)) continue;
            owned++;
            put(named, field->high, field->low, UINT64_MAX);
            if (field->high2) put(named, field->high2, field->low2, UINT64_MAX);
            unsigned bits = (unsigned)(field->high - field->low + 1), bits2 = 0;
            if (field->high2) bits2 = (unsigned)(field->high2 - field->low2 + 1);
            for (unsigned bit = 0; bit < bits + bits2; bit++) {
                uint32_t base[8], other[8];
                for (unsigned i = 0; i < 8; i++) base[i] = random_word();
                if (version != SAMPLER) put(base, 87, 85, version);
                memcpy(other, base, sizeof other);
                unsigned at = bit < bits ? field->low + bit : field->low2 + bit - bits;
                put(other, at, at, !get(base, at, at));
                char *a = print(base, 1, version == SAMPLER), *b = print(other, 1, version == SAMPLER);
                differ_in_one_line(a, b, field->name);
                expect_entries(b, other, 1, version == SAMPLER);
                free(a);
                free(b);
                changed++;
            }
        }
        /* No field is missing: what no range names is printed as reserved, word by word. */
        if (version != SAMPLER) put(named, 87, 85, 7);
        uint32_t rest[8];
        for (unsigned i = 0; i < 8; i++) rest[i] = ~named[i];
        if (version != SAMPLER) put(rest, 87, 85, version);
        char *text = print(rest, 1, version == SAMPLER);
        unsigned reserved = 0;
        for (unsigned i = 0; i < 8; i++) {
            char name[16], wanted[48];
            size_t bytes;
            snprintf(name, sizeof name, "RESERVED_%u", i);
            snprintf(wanted, sizeof wanted, "  RESERVED_%u = 0x%08x", i, ~named[i]);
            const char *line = line_of(text, name, &bytes);
            assert_int_equal(line != NULL, named[i] != UINT32_MAX);
            if (line) assert_memory_equal(line, wanted, bytes);
            reserved += line != NULL;
        }
        assert_int_equal(lines(text), owned + reserved + 2);
        free(text);
    }
    printf("# %u single bits\n", changed);
}

/* ---- values ---- */

static void values_mean_what_the_class_headers_say(void **state)
{
    (void)state;
    static const struct {
        const char *block, *line;
        unsigned high, low;
        uint64_t bits;
    } rows[] = {
        {"header BLOCKLINEAR", "WIDTH = 1", 143, 128, 0},
        {"header BLOCKLINEAR", "WIDTH = 65536", 143, 128, 0xffff},
        {"header BLOCKLINEAR", "HEIGHT = 0x10", 175, 160, 15},
        {"header BLOCKLINEAR", "DEPTH = 16384", 189, 176, 0x3fff},
        {"header BLOCKLINEAR", "ADDRESS = 0x200", 63, 41, 1},
        {"header BLOCKLINEAR", "ADDRESS = 0xfffffffffe00", 63, 41, 0x7fffff},
        {"header BLOCKLINEAR", "ADDRESS = 0xfffffffffe00", 79, 64, 0xffff},
        {"header BLOCKLINEAR", "GOBS_PER_BLOCK_HEIGHT = 32", 101, 99, 5},
        {"header BLOCKLINEAR", "GOBS_PER_BLOCK_DEPTH = 2", 104, 102, 1},
        {"header BLOCKLINEAR", "TILE_WIDTH_IN_GOBS = 128", 108, 106, 7},
        {"header PITCH", "ADDRESS = 32", 63, 37, 1},
        {"header PITCH", "PITCH = 2097120", 111, 96, 0xffff},
        {"header ONE_D_BUFFER", "ADDRESS = 0x123456789abc", 79, 64, 0x1234},
        {"header ONE_D_BUFFER", "ADDRESS = 0x123456789abc", 63, 32, 0x56789abc},
        {"header ONE_D_BUFFER", "WIDTH = 65537", 111, 96, 1},
        {"header ONE_D_BUFFER", "WIDTH = 65537", 143, 128, 0},
        {"header ONE_D_BUFFER", "", 154, 151, 6},
        {"header BLOCKLINEAR", "COMPONENTS = ASTC_2D_10X6", 6, 0, 0x57},
        {"header BLOCKLINEAR", "COMPONENTS = 0x7f", 6, 0, 0x7f},
        {"header BLOCKLINEAR", "R_DATA_TYPE = FLOAT", 9, 7, 7},
        {"header BLOCKLINEAR", "W_SOURCE = ONE_FLOAT", 30, 28, 7},
        {"header BLOCKLINEAR", "", 30, 19, 05432},
        {"header BLOCKLINEAR", "MIP_LOD_BIAS = -16", 210, 198, 0x1000},
        {"header BLOCKLINEAR", "MIP_LOD_BIAS = 15.99609375", 210, 198, 0xfff},
        {"header BLOCKLINEAR", "MIN_LOD_CLAMP = 1.5", 247, 236, 0x180},
        {"header BLOCKLINEAR", "MULTI_SAMPLE_COUNT = MODE_4X2", 235, 232, 3},
        {"header BLOCKLINEAR", "NORMALIZED_COORDS = FALSE", 191, 191, 0},
        {"header BLOCKLINEAR", "", 191, 191, 1},
        {"header BLOCKLINEAR", "", 159, 157, 7},
        {"header BLOCKLINEAR_COLOR_KEY", "COLOR_KEY_VALUE = 0xdeadbeef", 255, 224, 0xdeadbeef},
        {"header BLOCKLINEAR_COLOR_KEY", "COLOR_KEY_OP = 1", 192, 192, 1},
        {"header BLOCKLINEAR", "RESERVED_1 = 0x80", 39, 39, 1},
        {"header VERSION_6", "RESERVED_7 = 0xffffffff", 255, 224, 0xffffffff},
        {"header VERSION_6", "", 87, 85, 6},
        {"sampler", "ADDRESS_V = MIRROR_ONCE_BORDER", 5, 3, 6},
        {"sampler", "MAX_ANISOTROPY = ANISO_12_TO_1", 22, 20, 6},
        {"sampler", "MIP_LOD_BIAS = -0.00390625", 56, 44, 0x1fff},
        {"sampler", "", 87, 76, 0xfff},
        {"sampler", "", 39, 32, 0x51},
        {"sampler", "BORDER_COLOR_R = 0.1", 159, 128, 0x3dcccccd},
        {"sampler", "BORDER_COLOR_G = -1", 191, 160, 0xbf800000},
        {"sampler", "BORDER_COLOR_B = 0x7f800001", 223, 192, 0x7f800001},
        {"sampler", "BORDER_COLOR_A = 16777217.0", 255, 224, 0x4b800000},
        {"sampler", "S_R_G_B_BORDER_COLOR_B = 255", 123, 116, 255},
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        char text[256];
        snprintf(text, sizeof text, "# a comment\n%s {\n\t%s # another\r\n}\n", rows[i].block, rows[i].line);
        struct sch_arena arena;
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_maxwell_pools pools;
        sch_arena_init(&arena, &sch_allocator_libc, 0);
        if (sch_maxwell_headers_parse(&arena, &limits, text, strlen(text), NULL, &pools) != SCH_OK)
            fail_msg("refused: %s", text);
        uint32_t words[8];
        memcpy(words, pools.headers.count ? pools.headers.bytes[0] : pools.samplers.bytes[0], 32);
        if (get(words, rows[i].high, rows[i].low) != rows[i].bits)
            fail_msg("%s %s: 0x%llx", rows[i].block, rows[i].line,
                     (unsigned long long)get(words, rows[i].high, rows[i].low));
        sch_arena_release(&arena);
    }
}

static void pools_have_an_order(void **state)
{
    (void)state;
    static const char text[] = "sampler { } header 2 PITCH { WIDTH = 3; HEIGHT = 4 } header ONE_D_BUFFER {} header 0 "
                               "BLOCKLINEAR { }\nsampler 5 { ADDRESS_U = MIRROR }";
    struct sch_arena arena;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_maxwell_pools pools;
    uint32_t words[8];
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    assert_int_equal(sch_maxwell_headers_parse(&arena, &limits, text, sizeof text - 1, NULL, &pools), SCH_OK);
    assert_int_equal(pools.headers.count, 4);
    assert_int_equal(pools.samplers.count, 6);
    static const unsigned versions[] = {BLOCK, 0, PITCH, BUFFER};
    for (unsigned i = 0; i < 4; i++) {
        memcpy(words, pools.headers.bytes[i], 32);
        assert_int_equal(get(words, 87, 85), versions[i]);
    }
    memset(words, 0, sizeof words);
    assert_memory_equal(pools.headers.bytes[1], words, 32); /* nobody gave it */
    assert_memory_equal(pools.samplers.bytes[4], words, 32);
    memcpy(words, pools.headers.bytes[2], 32);
    assert_int_equal(get(words, 143, 128), 2);
    assert_int_equal(get(words, 175, 160), 3);
    sch_arena_release(&arena);
}

/* The line of one field whose bits are these, and no other given. */
static void values_are_written_as_documented(void **state)
{
    (void)state;
    static const struct {
        unsigned version;
        const char *name;
        unsigned high, low;
        uint64_t bits;
        const char *value;
    } rows[] = {
        {BLOCK, "ADDRESS", 63, 41, 0, "0x0"},
        {BLOCK, "ADDRESS", 63, 41, 1, "0x200"},
        {BLOCK, "ADDRESS", 79, 64, 0xffff, "0xffff00000000"},
        {PITCH, "ADDRESS", 63, 37, 3, "0x60"},
        {BUFFER, "ADDRESS", 63, 32, 0x56789abc, "0x56789abc"},
        {BUFFER, "WIDTH", 111, 96, 0xffff, "4294901761"},
        {BLOCK, "WIDTH", 143, 128, 0, "1"},
        {BLOCK, "WIDTH", 143, 128, 0xffff, "65536"},
        {BLOCK, "DEPTH", 189, 176, 0x3fff, "16384"},
        {BLOCK, "GOBS_PER_BLOCK_HEIGHT", 101, 99, 0, "1"},
        {BLOCK, "GOBS_PER_BLOCK_HEIGHT", 101, 99, 7, "128"},
        {PITCH, "PITCH", 111, 96, 0xffff, "0x1fffe0"},
        {PITCH, "PITCH", 111, 96, 0, "0x0"},
        {BLOCK, "MIP_LOD_BIAS", 210, 198, 0x1000, "-16.0"},
        {BLOCK, "MIP_LOD_BIAS", 210, 198, 0xfff, "15.99609375"},
        {BLOCK, "MIP_LOD_BIAS", 210, 198, 0x1fff, "-0.00390625"},
        {BLOCK, "MIP_LOD_BIAS", 210, 198, 0, "0.0"},
        {BLOCK, "MIN_LOD_CLAMP", 247, 236, 0x180, "1.5"},
        {BLOCK, "MIN_LOD_CLAMP", 247, 236, 0xfff, "15.99609375"},
        {BLOCK, "MULTI_SAMPLE_COUNT", 235, 232, 3, "MODE_4X2"},
        {BLOCK, "MULTI_SAMPLE_COUNT", 235, 232, 7, "7"},
        {BLOCK, "COMPONENTS", 6, 0, 0x1d, "R8"},
        {BLOCK, "COMPONENTS", 6, 0, 0x7f, "127"},
        {BLOCK, "GOB3D", 109, 109, 1, "TRUE"},
        {BLOCK_KEY, "COLOR_KEY_VALUE", 255, 224, 0, "0x0"},
        {BLOCK_KEY, "COLOR_KEY_VALUE", 255, 224, 0xdeadbeef, "0xdeadbeef"},
        {SAMPLER, "ADDRESS_U", 2, 0, 1, "MIRROR"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0, "0.0"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x80000000, "-0.0"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x3dcccccd, "0.1"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0xbf800000, "-1.0"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x3f000001, "0.50000006"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x3089705f, "0.000000001"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x2f89705f, "0x2f89705f"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x4b7fffff, "16777215.0"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x4b800000, "0x4b800000"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x4afffffe, "8388607.0"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x4affffff, "8388607.5"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 1, "0x00000001"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0x7f800000, "0x7f800000"},
        {SAMPLER, "BORDER_COLOR_R", 159, 128, 0xffc00001, "0xffc00001"},
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        uint32_t words[8] = {0};
        char wanted[128];
        size_t bytes;
        if (rows[i].version != SAMPLER) put(words, 87, 85, rows[i].version);
        put(words, rows[i].high, rows[i].low, rows[i].bits);
        char *text = print(words, 1, rows[i].version == SAMPLER);
        snprintf(wanted, sizeof wanted, "  %s = %s", rows[i].name, rows[i].value);
        const char *line = line_of(text, rows[i].name, &bytes);
        assert_non_null(line);
        if (bytes != strlen(wanted) || memcmp(line, wanted, bytes)) fail_msg("%.*s, not %s", (int)bytes, line, wanted);
        free(text);
    }
}

/* ---- the end of a text, and the two pools ---- */

struct said {
    enum sch_result status;
    size_t reports;
    struct sch_position first;
    unsigned code;
    uint32_t headers, samplers;
    uint8_t bytes[2][8][32];
};

static struct said all_of(const char *text, size_t bytes)
{
    struct said said;
    struct sch_arena arena;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics list;
    struct sch_maxwell_pools pools;
    memset(&said, 0, sizeof said);
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    said.status = sch_maxwell_headers_parse(&arena, &limits, text, bytes, &list, &pools);
    said.reports = list.count;
    if (list.count) {
        said.code = list.items[0].code;
        said.first.line = list.items[0].position.line;
        said.first.column = list.items[0].position.column;
        said.first.offset = list.items[0].position.offset;
    }
    said.headers = pools.headers.count;
    said.samplers = pools.samplers.count;
    for (uint32_t i = 0; i < said.headers && i < 8; i++) memcpy(said.bytes[0][i], pools.headers.bytes[i], 32);
    for (uint32_t i = 0; i < said.samplers && i < 8; i++) memcpy(said.bytes[1][i], pools.samplers.bytes[i], 32);
    sch_diagnostics_release(&list);
    sch_arena_release(&arena);
    return said;
}

static void what_lies_behind_a_text_is_not_read(void **state)
{
    (void)state;
    static const char text[] =
        "# a\nsampler { MAG_FILTER = MAG_LINEAR; RESERVED_1 = 0x80000000 ; ADDRESS_U=1 }# b\n"
        "header 1 PITCH{\r\n WIDTH = 0x10\n\tMIP_LOD_BIAS = -1.50\n}header 2 VERSION_5 { }sampler 3 { }";
    for (size_t bytes = 0; bytes < sizeof text; bytes++) {
        static const char behind[] = "}#=;{0 \nx";
        char alone[sizeof text + 1] = "", followed[sizeof text + 1];
        memcpy(alone, text, bytes);
        const struct said first = all_of(alone, bytes), second = all_of(text, bytes);
        if (memcmp(&first, &second, sizeof first)) fail_msg("%.*s|%s", (int)bytes, text, text + bytes);
        for (size_t i = 0; i < sizeof behind; i++) {
            memcpy(followed, alone, sizeof followed);
            followed[bytes] = behind[i];
            const struct said third = all_of(followed, bytes);
            if (memcmp(&first, &third, sizeof first)) fail_msg("%.*s|%c", (int)bytes, text, behind[i]);
        }
    }
    const struct said all = all_of(text, sizeof text - 1);
    assert_int_equal(all.status, SCH_OK);
    uint32_t words[8];
    memcpy(words, all.bytes[1][0], 32);
    assert_int_equal(words[0] & 7, 1);
    assert_int_equal(words[1] & 0x80000007, 0x80000002);
    memcpy(words, all.bytes[0][1], 32);
    assert_int_equal(get(words, 143, 128), 15);
    assert_int_equal(get(words, 210, 198), 0x1e80);
}

/* Headers and samplers in turn, each pool with its own count, room and marks of what was given. */
static void pools_grow_apart(void **state)
{
    (void)state;
    enum { BLOCKS = 200 };
    static char text[BLOCKS * 64];
    size_t bytes = 0;
    for (unsigned i = 0; i < BLOCKS; i++) {
        bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, "header PITCH { WIDTH = %u }\n", i + 1);
        if (i % 3 == 0)
            bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, "sampler { BORDER_COLOR_A = 0x%x }\n", i);
    }
    struct sch_arena arena;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_maxwell_pools pools;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    assert_int_equal(sch_maxwell_headers_parse(&arena, &limits, text, bytes, NULL, &pools), SCH_OK);
    assert_int_equal(pools.headers.count, BLOCKS);
    assert_int_equal(pools.samplers.count, BLOCKS / 3 + 1);
    for (unsigned i = 0; i < BLOCKS; i++) {
        uint32_t words[8];
        memcpy(words, pools.headers.bytes[i], 32);
        assert_int_equal(get(words, 143, 128), i);
        memcpy(words, pools.samplers.bytes[i / 3], 32);
        assert_int_equal(words[7], i / 3 * 3);
    }
    sch_arena_release(&arena);
    for (unsigned last = 63; last < 66; last++) { /* up to the room that was taken first, and beyond */
        snprintf(text, sizeof text,
                 "header PITCH { }\nsampler 2 { }\nheader %u PITCH { }\nsampler { }\nheader %u PITCH {}", last, last);
        const struct said said = all_of(text, strlen(text));
        assert_int_equal(said.headers, last + 1);
        assert_int_equal(said.samplers, 4);
        assert_int_equal(said.reports, 1);
        assert_int_equal(said.code, SCH_D_HEADERS_TWICE);
        assert_int_equal(said.first.line, 5);
    }
}

/* ---- errors ---- */

/* The whole text of a report. */
static void reports_say_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"header PITCH {\n  ADDRESS = 33\n}", "33: not a multiple of 32"},
        {"header BLOCKLINEAR {\n  ADDRESS = 33\n}", "33: not a multiple of 512"},
        {"header BLOCKLINEAR {\n  WIDTH = 65537\n}", "65537: not a value of WIDTH, which has 16 bits"},
        {"header BLOCKLINEAR {\n  ADDRESS = 0x1000000000000\n}",
         "0x1000000000000: not a value of ADDRESS, which has 39 bits"},
        {"header BLOCKLINEAR {\n  GOBS_PER_BLOCK_HEIGHT = 0\n}", "0: not a power of two"},
        {"header BLOCKLINEAR {\n  COMPONENTS = x\n}", "x: neither a word of this field nor a number"},
        {"header BLOCKLINEAR {\n  WIDTH = x\n}", "x: not a whole number"},
        {"header BLOCKLINEAR {\n  MIN_LOD_CLAMP = 70000\n}", "70000: not a multiple of 1/256, or far too large"},
        {"header BLOCKLINEAR {\n  MIN_LOD_CLAMP = x\n}", "x: not a decimal fraction"},
        {"sampler {\n  BORDER_COLOR_R = x\n}", "x: neither a decimal fraction nor the bits of a float (0x...)"},
        {"sampler {\n  WIDTH = 1\n}", "WIDTH: samplers have no such field"},
        {"header PITCH {\n  GOB3D = 1\n}", "GOB3D: headers of this version have no such field"},
        {"sampler {\n  a234567890123456789012345678901234567890 = 1\n}",
         "a234567890123456789012345678901234567890: samplers have no such field"},
        {"sampler {\n  a2345678901234567890123456789012345678901 = 1\n}",
         "a234567890123456789012345678901234567890...: samplers have no such field"},
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        struct sch_arena arena;
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_diagnostics list;
        struct sch_maxwell_pools pools;
        sch_arena_init(&arena, &sch_allocator_libc, 0);
        sch_diagnostics_init(&list, &sch_allocator_libc, 10);
        sch_maxwell_headers_parse(&arena, &limits, rows[i].text, strlen(rows[i].text), &list, &pools);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].message, rows[i].message);
        sch_diagnostics_release(&list);
        sch_arena_release(&arena);
    }
}

static void errors_have_their_place(void **state)
{
    (void)state;
    assert_int_equal(sch_header_word_code(SCH_HEADER_WORDS_VERSION, "SQUARE", 6), -1);
    assert_int_equal(sch_header_word_code(SCH_HEADER_WORDS_VERSION, "", 0), -1);
    static const struct {
        const char *text;
        unsigned code, line, column;
    } rows[] = {
        {"haeder 0 PITCH {}", SCH_D_HEADERS_STATEMENT, 1, 1},
        {"\n {", SCH_D_HEADERS_STATEMENT, 2, 2},
        {"header 0 { }", SCH_D_HEADERS_VERSION, 1, 10},
        {"header 0 SQUARE { }", SCH_D_HEADERS_VERSION, 1, 10},
        {"header 1048576 PITCH { }", SCH_D_HEADERS_INDEX, 1, 8},
        {"header 1048575 PITCH { }\nheader PITCH { }", SCH_D_HEADERS_INDEX, 2, 8},
        {"header 9x PITCH { }", SCH_D_HEADERS_INDEX, 1, 8},
        {"header 3 PITCH { }\nheader 3 PITCH { }", SCH_D_HEADERS_TWICE, 2, 8},
        {"header PITCH WIDTH = 3", SCH_D_HEADERS_PUNCTUATION, 1, 14},
        {"header PITCH {\n  WIDTH = 3\n  WIDTH = 3\n}", SCH_D_HEADERS_TWICE, 3, 3},
        {"sampler {\n  RESERVED_0 = 0\n  RESERVED_0 = 0\n}", SCH_D_HEADERS_TWICE, 3, 3},
        {"header PITCH {\n  GOB3D = TRUE\n}", SCH_D_HEADERS_FIELD, 2, 3},
        {"header PITCH {\n  HEADER_VERSION = 3\n}", SCH_D_HEADERS_FIELD, 2, 3},
        {"header PITCH {\n  RESERVED_8 = 0\n}", SCH_D_HEADERS_FIELD, 2, 3},
        {"header VERSION_5 {\n  WIDTH = 1\n}", SCH_D_HEADERS_FIELD, 2, 3},
        {"sampler {\n  WIDTH = 1\n}", SCH_D_HEADERS_FIELD, 2, 3},
        {"header PITCH {\n  WIDTH 3\n}", SCH_D_HEADERS_PUNCTUATION, 2, 9},
        {"header PITCH {\n  WIDTH =\n}", SCH_D_HEADERS_VALUE, 2, 10},
        {"header PITCH {\n  = 3\n}", SCH_D_HEADERS_PUNCTUATION, 2, 3},
        {"header PITCH {\n  WIDTH = three\n}", SCH_D_HEADERS_VALUE, 2, 11},
        {"header PITCH {\n  WIDTH = 1.5\n}", SCH_D_HEADERS_VALUE, 2, 11},
        {"header PITCH {\n  WIDTH = 3 4\n}", SCH_D_HEADERS_PUNCTUATION, 2, 13},
        {"header PITCH {\n  WIDTH = 0\n}", SCH_D_HEADERS_RANGE, 2, 11},
        {"header PITCH {\n  WIDTH = 65537\n}", SCH_D_HEADERS_RANGE, 2, 11},
        {"header PITCH {\n  WIDTH = 99999999999999999999\n}", SCH_D_HEADERS_VALUE, 2, 11},
        {"header PITCH {\n  ADDRESS = 33\n}", SCH_D_HEADERS_RANGE, 2, 13},
        {"header BLOCKLINEAR {\n  ADDRESS = 0x1000000000000\n}", SCH_D_HEADERS_RANGE, 2, 13},
        {"header BLOCKLINEAR {\n  GOBS_PER_BLOCK_HEIGHT = 3\n}", SCH_D_HEADERS_RANGE, 2, 27},
        {"header BLOCKLINEAR {\n  GOBS_PER_BLOCK_HEIGHT = 256\n}", SCH_D_HEADERS_RANGE, 2, 27},
        {"header BLOCKLINEAR {\n  MIP_LOD_BIAS = 16\n}", SCH_D_HEADERS_RANGE, 2, 18},
        {"header BLOCKLINEAR {\n  MIP_LOD_BIAS = -16.00390625\n}", SCH_D_HEADERS_RANGE, 2, 18},
        {"header BLOCKLINEAR {\n  MIP_LOD_BIAS = 0.001\n}", SCH_D_HEADERS_RANGE, 2, 18},
        {"header BLOCKLINEAR {\n  MIP_LOD_BIAS = 0x10\n}", SCH_D_HEADERS_VALUE, 2, 18},
        {"header BLOCKLINEAR {\n  MIN_LOD_CLAMP = -1\n}", SCH_D_HEADERS_RANGE, 2, 19},
        {"header BLOCKLINEAR {\n  COMPONENTS = 128\n}", SCH_D_HEADERS_RANGE, 2, 16},
        {"header BLOCKLINEAR {\n  COMPONENTS = SNORM\n}", SCH_D_HEADERS_VALUE, 2, 16},
        {"sampler {\n  BORDER_COLOR_R = 0x100000000\n}", SCH_D_HEADERS_RANGE, 2, 20},
        {"sampler {\n  BORDER_COLOR_R = 1e5\n}", SCH_D_HEADERS_VALUE, 2, 20},
        {"sampler {\n  BORDER_COLOR_R = .\n}", SCH_D_HEADERS_VALUE, 2, 20},
        {"sampler {\n  RESERVED_0 = 0x1\n}", SCH_D_HEADERS_RESERVED, 2, 16},
        {"sampler {\n  RESERVED_0 = 0x100000000\n}", SCH_D_HEADERS_RESERVED, 2, 16},
        {"sampler {\n  ADDRESS_U = WRAP\n", SCH_D_HEADERS_PUNCTUATION, 3, 1},
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        struct sch_arena arena;
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_diagnostics list;
        struct sch_maxwell_pools pools;
        sch_arena_init(&arena, &sch_allocator_libc, 0);
        sch_diagnostics_init(&list, &sch_allocator_libc, 10);
        enum sch_result status =
            sch_maxwell_headers_parse(&arena, &limits, rows[i].text, strlen(rows[i].text), &list, &pools);
        if (status != SCH_ERROR_INVALID || !list.count) fail_msg("accepted: %s", rows[i].text);
        if (list.count != 1) fail_msg("%zu reports: %s", list.count, rows[i].text);
        const struct sch_diagnostic *first = &list.items[0];
        if (first->code != rows[i].code || first->position.line != rows[i].line ||
            first->position.column != rows[i].column)
            fail_msg("%s\n%u:%u: %u: %s", rows[i].text, first->position.line, first->position.column, first->code,
                     first->message);
        sch_diagnostics_release(&list);
        sch_arena_release(&arena);
    }
}

static void errors_and_memory_are_bounded(void **state)
{
    (void)state;
    struct sch_arena arena;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics list;
    struct sch_maxwell_pools pools;
    enum { WRONG = 5000 };
    char *text = malloc(2 * WRONG + 1);
    for (unsigned i = 0; i < WRONG; i++) memcpy(text + 2 * i, "?\n", 3);
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    sch_diagnostics_init(&list, &sch_allocator_libc, 1000);
    assert_int_equal(sch_maxwell_headers_parse(&arena, &limits, text, strlen(text), &list, &pools), SCH_ERROR_INVALID);
    assert_int_equal(list.count, limits.diagnostics + 1);
    assert_int_equal(list.items[list.count - 1].code, SCH_D_HEADERS_ERRORS);
    sch_diagnostics_release(&list);
    sch_arena_release(&arena);
    free(text);

    sch_arena_init(&arena, &sch_allocator_libc, 1 << 16);
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    static const char large[] = "header 1000000 PITCH { }";
    assert_int_equal(sch_maxwell_headers_parse(&arena, &limits, large, strlen(large), &list, &pools), SCH_ERROR_LIMIT);
    assert_int_equal(list.items[0].code, SCH_D_HEADERS_LIMIT);
    sch_diagnostics_release(&list);
    sch_arena_release(&arena);
}

/* ---- numbers ---- */

static void decimal_floats_are_the_nearest(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 1000000; i++) {
        char text[64];
        unsigned whole = below(16), behind = 1 + below(19 - whole > 9 ? 9 : 19 - whole);
        size_t at = 0;
        if (below(2)) text[at++] = '-';
        text[at++] = (char)('0' + below(10));
        for (unsigned k = 1; k < whole; k++) text[at++] = (char)('0' + below(10));
        text[at++] = '.';
        for (unsigned k = 0; k < behind; k++) text[at++] = (char)('0' + below(10));
        text[at] = 0;
        struct sch_header_decimal decimal;
        assert_true(sch_header_read_decimal(text, at, &decimal));
        float wanted = strtof(text, NULL);
        uint32_t bits;
        memcpy(&bits, &wanted, sizeof bits);
        if (sch_header_float(&decimal) != bits)
            fail_msg("%s: 0x%08x, not 0x%08x", text, sch_header_float(&decimal), bits);
    }
}

static void floats_are_written_to_be_read(void **state)
{
    (void)state;
    static const struct {
        uint32_t bits;
        const char *text;
    } rows[] = {{0, "0.0"},
                {0x80000000, "-0.0"},
                {0x3f800000, "1.0"},
                {0xbf000000, "-0.5"},
                {0x3dcccccd, "0.1"},
                {0x7fc00000, "0x7fc00000"},
                {0xff800000, "0xff800000"},
                {1, "0x00000001"},
                {0x40490fdb, "3.1415927"}};
    char text[SCH_HEADER_NUMBER];
    for (unsigned i = 0; i < COUNT(rows); i++) {
        sch_header_write_float(rows[i].bits, text);
        assert_string_equal(text, rows[i].text);
    }
    unsigned decimals = 0;
    for (unsigned i = 0; i < 300000; i++) {
        uint32_t bits = i & 1 ? random_word() : (random_word() & 0x80ffffff) | (100 + below(50)) << 23;
        sch_header_write_float(bits, text);
        if (text[1] == 'x') continue;
        float value = strtof(text, NULL);
        assert_memory_equal(&value, &bits, sizeof bits);
        decimals++;
    }
    assert_true(decimals > 50000);
}

static void texts_are_told_from_pools(void **state)
{
    (void)state;
    static const unsigned char zeros[32];
    assert_false(sch_maxwell_headers_is_text(zeros, sizeof zeros));
    assert_false(sch_maxwell_headers_is_text("caf\xe9", 4));
    assert_false(sch_maxwell_headers_is_text("caf\xe9 b", 6));
    assert_false(sch_maxwell_headers_is_text("\x7f", 1));
    assert_true(sch_maxwell_headers_is_text("# caf\xc3\xa9", 7));
    assert_true(sch_maxwell_headers_is_text("header 0\tPITCH {\r\n}\n", 20));
    assert_true(sch_maxwell_headers_is_text("", 0));
    /* Of single bytes the printable ones, the tab and the line ends; of longer characters what UTF-8 allows. */
    for (unsigned c = 0; c < 256; c++) {
        const unsigned char byte = (unsigned char)c;
        const bool text = (c >= 0x20 && c < 0x7f) || c == '\t' || c == '\n' || c == '\r';
        if (sch_maxwell_headers_is_text(&byte, 1) != text) fail_msg("0x%02x", c);
    }
    for (unsigned lead = 0x80; lead < 256; lead++)
        for (size_t bytes = 1; bytes < 6; bytes++) {
            const unsigned char character[6] = {(unsigned char)lead, 0x80, 0xbf, 0x9a, 0x80, 0x80};
            const size_t wanted = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
            if (sch_maxwell_headers_is_text(character, bytes) != (bytes == wanted))
                fail_msg("%zu of 0x%02x", bytes, lead);
        }
    for (unsigned second = 0; second < 256; second++) {
        const unsigned char character[2] = {0xc3, (unsigned char)second};
        assert_int_equal(sch_maxwell_headers_is_text(character, 2), second >= 0x80 && second < 0xc0);
    }
}

/* What may stand in reserved bits, and that one mistake of a line is one report. */
static void reserved_bits_and_reports(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned errors;
        uint32_t word; /* of the sampler that is read, and its value */
        uint32_t value;
    } rows[] = {
        {"sampler {\n  RESERVED_0 = 0x80000000\n}", 0, 0, 0x80000000},
        {"sampler {\n  RESERVED_1 = 0x80000000\n  MAG_FILTER = MAG_LINEAR\n}", 0, 1, 0x80000002},
        {"sampler {\n  RESERVED_0 = 1x\n}", 1, 0, 0},
        {"sampler {\n  RESERVED_0 = 0x1\n}", 1, 0, 0},
        {"sampler {\n  RESERVED_8 = 0\n  RESERVED_9 = 0\n  RESERVED_ = 0\n  RESERVED_00 = 0\n  RESERVED_/ = 0\n}", 5, 0,
         0},
        {"foo bar baz\nsampler {\n}\nfoo\n", 2, 0, 0},
        {"sampler foo bar\nsampler {\n}\n", 1, 0, 0},
        {"sampler {\n  MAG_FILTER = x y z\n  MIN_FILTER = q\n}\n", 2, 0, 0}};
    for (unsigned i = 0; i < COUNT(rows); i++) {
        struct sch_arena arena;
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_diagnostics list;
        struct sch_maxwell_pools pools;
        sch_arena_init(&arena, &sch_allocator_libc, 0);
        sch_diagnostics_init(&list, &sch_allocator_libc, 10);
        enum sch_result status =
            sch_maxwell_headers_parse(&arena, &limits, rows[i].text, strlen(rows[i].text), &list, &pools);
        if (list.errors != rows[i].errors) fail_msg("%s: %zu errors", rows[i].text, (size_t)list.errors);
        assert_int_equal(status, rows[i].errors ? SCH_ERROR_INVALID : SCH_OK);
        if (!rows[i].errors) {
            uint32_t words[8];
            assert_int_equal(pools.samplers.count, 1);
            memcpy(words, pools.samplers.bytes[0], sizeof words);
            if ((words[rows[i].word] & rows[i].value) != rows[i].value) fail_msg("%s", rows[i].text);
        }
        sch_diagnostics_release(&list);
        sch_arena_release(&arena);
    }
}

/* The limit of a printed text counts the zero byte that closes it. */
static void printed_texts_have_a_limit(void **state)
{
    (void)state;
    static const uint8_t entries[3][SCH_MAXWELL_ENTRY_BYTES];
    char *whole, *text;
    size_t bytes, length;
    assert_int_equal(sch_maxwell_headers_print(&sch_allocator_libc, 0, entries, 3, true, &whole, &bytes), SCH_OK);
    assert_int_equal(strlen(whole), bytes);
    for (size_t limit = bytes - 1; limit <= bytes + 2; limit++) {
        const enum sch_result status =
            sch_maxwell_headers_print(&sch_allocator_libc, limit, entries, 3, true, &text, &length);
        assert_int_equal(status, limit > bytes ? SCH_OK : SCH_ERROR_LIMIT);
        assert_int_equal(text != NULL, limit > bytes);
        assert_int_equal(length, limit > bytes ? bytes : 0);
        if (text) assert_string_equal(text, whole);
        free(text);
    }
    free(whole);
    char *none;
    assert_int_equal(sch_maxwell_headers_print(&sch_allocator_libc, 0, entries, 0, true, &none, &length), SCH_OK);
    assert_string_equal(none, "");
    free(none);
}

/* n / 256 is written exactly, and read back. */
static void fixed_numbers_come_back(void **state)
{
    (void)state;
    for (int64_t value = -8192; value <= 8192; value++) {
        char text[SCH_HEADER_NUMBER], expected[64];
        struct sch_header_decimal decimal;
        int64_t read;
        sch_header_write_fixed(value, text);
        snprintf(expected, sizeof expected, "%.8f", (double)value / 256);
        size_t length = strlen(expected);
        while (expected[length - 1] == '0' && expected[length - 2] != '.') expected[--length] = 0;
        assert_string_equal(text, expected);
        assert_true(sch_header_read_decimal(text, strlen(text), &decimal));
        assert_true(sch_header_fixed(&decimal, &read));
        assert_int_equal(read, value);
    }
    struct sch_header_decimal decimal;
    int64_t read;
    assert_true(sch_header_read_decimal("65536", 5, &decimal));
    assert_true(sch_header_fixed(&decimal, &read));
    assert_int_equal(read, 1 << 24);
    assert_true(sch_header_read_decimal("65537", 5, &decimal));
    assert_false(sch_header_fixed(&decimal, &read));
    assert_true(sch_header_read_decimal("65536.00390625", 14, &decimal));
    assert_false(sch_header_fixed(&decimal, &read));
    assert_true(sch_header_read_decimal("0.001953125", 11, &decimal));
    assert_false(sch_header_fixed(&decimal, &read)); /* half a step */
}

/* [+-] digits [. digits], at most 19 that count, of which zeros before and behind are none. */
static void decimals_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t digits;
        int scale; /* -1: refused */
        bool negative;
    } rows[] = {{"0", 0, 0, false},
                {"-0", 0, 0, true},
                {"+5", 5, 0, false},
                {"00012", 12, 0, false},
                {"100", 100, 0, false},
                {"1.50", 15, 1, false},
                {"-1.05", 105, 2, true},
                {"1.0", 1, 0, false},
                {"10.00", 10, 0, false},
                {"0.0", 0, 0, false},
                {"9999999999999999999", UINT64_C(9999999999999999999), 0, false},
                {"00009999999999999999999", UINT64_C(9999999999999999999), 0, false},
                {"999999999.9999999999", UINT64_C(9999999999999999999), 10, false},
                {"0.9999999999999999999", UINT64_C(9999999999999999999), 19, false},
                {"0.0000000000000000001", 1, 19, false},
                {"0.00000000000000000000", 0, 0, false},
                {"0.50000000000000000000000", 5, 1, false},
                {"10000000000000000000", 0, -1, false},
                {"99999999999999999990", 0, -1, false},
                {"0.00000000000000000001", 0, -1, false},
                {"0.99999999999999999991", 0, -1, false},
                {"", 0, -1, false},
                {"-", 0, -1, false},
                {"+", 0, -1, false},
                {".", 0, -1, false},
                {".5", 0, -1, false},
                {"-.5", 0, -1, false},
                {"1.", 0, -1, false},
                {"0.", 0, -1, false},
                {"1..2", 0, -1, false},
                {"1.2.3", 0, -1, false},
                {"1.2.0", 0, -1, false},
                {"--1", 0, -1, false},
                {"1-", 0, -1, false},
                {"1x", 0, -1, false},
                {"x1", 0, -1, false},
                {"1.x0", 0, -1, false},
                {"1.0x", 0, -1, false},
                {"1/", 0, -1, false},
                {"1:", 0, -1, false}};
    for (unsigned i = 0; i < COUNT(rows); i++) {
        struct sch_header_decimal decimal;
        const bool good = sch_header_read_decimal(rows[i].text, strlen(rows[i].text), &decimal);
        if (good != (rows[i].scale >= 0)) fail_msg("%s", rows[i].text);
        if (!good) continue;
        if (decimal.digits != rows[i].digits || decimal.scale != (unsigned)rows[i].scale ||
            decimal.negative != rows[i].negative)
            fail_msg("%s: %llu, %u", rows[i].text, (unsigned long long)decimal.digits, decimal.scale);
    }
}

static void whole_numbers_are_read_and_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } rows[] = {{"0", true, 0},
                {"0x0", true, 0},
                {"0xfF", true, 255},
                {"0XaB", true, 0xab},
                {"007", true, 7},
                {"18446744073709551615", true, UINT64_MAX},
                {"18446744073709551616", false, 0},
                {"18446744073709551620", false, 0},
                {"0xffffffffffffffff", true, UINT64_MAX},
                {"0x10000000000000000", false, 0},
                {"0x", false, 0},
                {"0xg", false, 0},
                {"00x1", false, 0},
                {"1x1", false, 0},
                {"x1", false, 0},
                {"", false, 0},
                {"12a", false, 0},
                {"-1", false, 0},
                {"1.", false, 0},
                {"0x1`", false, 0},
                {"0x1@", false, 0},
                {"1/", false, 0},
                {"1:", false, 0}};
    for (unsigned i = 0; i < COUNT(rows); i++) {
        uint64_t value;
        if (sch_header_read_unsigned(rows[i].text, strlen(rows[i].text), &value) != rows[i].good)
            fail_msg("%s", rows[i].text);
        if (rows[i].good) assert_true(value == rows[i].value);
    }
    for (unsigned bits = 0; bits < 64; bits++)
        for (unsigned less = 0; less < 2; less++)
            for (unsigned digits = 1; digits < 17; digits += 3) {
                char text[SCH_HEADER_NUMBER], wanted[64];
                const uint64_t value = (UINT64_C(1) << bits) - less;
                sch_header_write_unsigned(value, text);
                snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)value);
                assert_string_equal(text, wanted);
                sch_header_write_hex(value, digits, text);
                snprintf(wanted, sizeof wanted, "0x%0*llx", (int)digits, (unsigned long long)value);
                assert_string_equal(text, wanted);
            }
}

/* ---- the public functions ---- */

static void pools_fail_cleanly(void **state)
{
    (void)state;
    static const char source[] = "header 3 PITCH { WIDTH = 7 }\nheader BLOCKLINEAR { }";
    unsigned succeeded = 0;
    for (long from = 1; succeeded < 3; from++) {
        struct counting counting = {.fail_from = from};
        const struct sch_allocator memory = counting_callbacks(&counting);
        struct sch_context_options options = {.size = sizeof options, .memory = &memory};
        struct sch_context *context;
        void *pool = NULL;
        char *text = NULL;
        size_t bytes, length;
        if (sch_context_create(&options, &context) != SCH_OK) continue;
        enum sch_result result =
            sch_maxwell_pool_assemble(context, source, sizeof source - 1, NULL, NULL, &pool, &bytes);
        assert_true(result == SCH_OK || result == SCH_ERROR_MEMORY);
        if (result == SCH_OK) {
            assert_int_equal(bytes, 5 * 32);
            result = sch_maxwell_pool_print(context, pool, bytes, NULL, NULL, &text, &length);
            assert_true(result == SCH_OK || result == SCH_ERROR_MEMORY);
            succeeded += result == SCH_OK;
        }
        sch_free(context, pool);
        sch_free(context, text);
        sch_context_destroy(context);
        assert_int_equal(counting.live, 0);
    }
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    struct sch_limit_options limits = {.size = sizeof limits, .memory = 1 << 14, .source_bytes = 4096};
    struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct sch_context *context;
    struct sch_maxwell_pool_options pool_options = {.size = sizeof pool_options, .pool = SCH_MAXWELL_POOL_SAMPLERS};
    void *pool;
    char *text;
    size_t bytes;
    static const unsigned char zeros[8192];
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    assert_int_equal(sch_maxwell_pool_assemble(NULL, "", 0, NULL, NULL, &pool, &bytes), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_pool_assemble(context, NULL, 1, NULL, NULL, &pool, &bytes), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_pool_assemble(context, "", 0, NULL, NULL, NULL, &bytes), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_pool_assemble(context, NULL, 0, NULL, NULL, &pool, &bytes), SCH_OK);
    assert_int_equal(bytes, 0);
    sch_free(context, pool);
    assert_int_equal(sch_maxwell_pool_print(context, NULL, 1, NULL, NULL, &text, &bytes), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_pool_print(context, zeros, 31, NULL, NULL, &text, &bytes), SCH_ERROR_INVALID);
    assert_int_equal(sch_maxwell_pool_print(context, zeros, 4128, NULL, NULL, &text, &bytes), SCH_ERROR_LIMIT);
    assert_int_equal(sch_maxwell_pool_print(context, zeros, 4096, NULL, NULL, &text, &bytes), SCH_ERROR_LIMIT);
    assert_null(text);
    assert_int_equal(sch_maxwell_pool_print(context, zeros, 64, &pool_options, NULL, &text, NULL), SCH_OK);
    assert_memory_equal(text, "sampler 0 {", 11);
    sch_free(context, text);
    assert_int_equal(sch_maxwell_pool_assemble(context, "header 5000 PITCH { }", 21, NULL, NULL, &pool, &bytes),
                     SCH_ERROR_LIMIT);
    pool_options.pool = 3;
    assert_int_equal(sch_maxwell_pool_print(context, zeros, 64, &pool_options, NULL, &text, NULL), SCH_ERROR_ARGUMENT);
    pool_options.size = 1;
    assert_int_equal(sch_maxwell_pool_print(context, zeros, 64, &pool_options, NULL, &text, NULL), SCH_ERROR_ARGUMENT);
    assert_true(sch_maxwell_pool_is_text(NULL, 0));
    sch_context_destroy(context);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_entries_survive_both_ways),
        cmocka_unit_test(every_field_changes_its_own_line),
        cmocka_unit_test(values_mean_what_the_class_headers_say),
        cmocka_unit_test(pools_have_an_order),
        cmocka_unit_test(values_are_written_as_documented),
        cmocka_unit_test(what_lies_behind_a_text_is_not_read),
        cmocka_unit_test(pools_grow_apart),
        cmocka_unit_test(reports_say_what_is_wrong),
        cmocka_unit_test(errors_have_their_place),
        cmocka_unit_test(errors_and_memory_are_bounded),
        cmocka_unit_test(decimals_are_read),
        cmocka_unit_test(whole_numbers_are_read_and_written),
        cmocka_unit_test(decimal_floats_are_the_nearest),
        cmocka_unit_test(floats_are_written_to_be_read),
        cmocka_unit_test(texts_are_told_from_pools),
        cmocka_unit_test(reserved_bits_and_reports),
        cmocka_unit_test(printed_texts_have_a_limit),
        cmocka_unit_test(fixed_numbers_come_back),
        cmocka_unit_test(pools_fail_cleanly),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests_name("maxwell_headers", tests, NULL, NULL);
}
