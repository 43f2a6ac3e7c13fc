/* Texture headers with memory behind them: texels lie where a walk through the memory says, and mean what the layout's
 * name says; what cannot be read is refused by name; hostile headers harm nothing. The walk and the decoding are stated
 * here from the facts, not taken from src. */
#include <math.h>

#include "isa/errors.h"
#include "maxwell/header/fields.h"
#include "maxwell/header/header.h"
#include "maxwell/header/layout.h"
#include "maxwell_header_support.h"
#include "maxwell_walk.h"
#include "ops/ops.h"

/* ---- the made texture against the walk ---- */

struct comparison {
    const struct sch_maxwell_texture *texture;
    const unsigned char *memory;
    uint64_t bytes;
    const struct surface *surface;
    uint32_t layer, first; /* first: the level of memory that the view calls 0 */
    uint64_t compared;
};

static void compare_byte(void *user, uint32_t n, uint32_t x, uint32_t y, uint32_t z, uint64_t at)
{
    struct comparison *c = user;
    const struct sch_texture *t = &c->texture->texture;
    if (n < c->first || n - c->first >= t->levels) return;
    const struct sch_texture_level *level = &t->level[n - c->first];
    if (x >= row_of(c->surface, n) || y >= rows_of(c->surface, n) || z >= level->depth) return;
    unsigned expected = at < c->bytes ? c->memory[at] : 0;
    uint64_t slice = (uint64_t)c->layer * level->depth + z;
    if (level->texels[slice * level->slice_bytes + (uint64_t)y * level->row_bytes + x] != expected)
        fail_msg("level %u layer %u: byte %u of row %u, slice %u is not the memory's byte %llu", n, c->layer, x, y, z,
                 (unsigned long long)at);
    c->compared++;
}

/* Bytes of an element, and its texels beside and above each other. */
static const struct layout_size {
    unsigned code, bytes, width, height;
} layout_sizes[] = {
    {0x1d, 1, 1, 1},   {0x1b, 2, 1, 1},   {0x0f, 4, 1, 1},    {0x04, 8, 1, 1},    {0x02, 12, 1, 1},
    {0x01, 16, 1, 1},  {0x22, 4, 2, 1}, /* G8B8G8R8 */
    {0x24, 8, 4, 4},   {0x25, 16, 4, 4},  {0x26, 16, 4, 4},   {0x27, 8, 4, 4},    {0x28, 16, 4, 4},
    {0x17, 16, 4, 4},  {0x06, 8, 4, 4},   {0x0a, 8, 4, 4},    {0x0b, 16, 4, 4},   {0x19, 8, 4, 4},
    {0x1a, 16, 4, 4},  {0x40, 16, 4, 4},  {0x50, 16, 5, 4},   {0x41, 16, 5, 5},   {0x51, 16, 6, 5},
    {0x42, 16, 6, 6},  {0x55, 16, 8, 5},  {0x52, 16, 8, 6},   {0x44, 16, 8, 8},   {0x56, 16, 10, 5},
    {0x57, 16, 10, 6}, {0x53, 16, 10, 8}, {0x45, 16, 10, 10}, {0x54, 16, 12, 10}, {0x46, 16, 12, 12},
};
enum { FIRST_COMPRESSED = 7 };

static void surface_of(unsigned type, struct surface *s, uint32_t words[8])
{
    bool one_axis = type == ONE_D || type == ONE_ARRAY;
    const struct layout_size *size = &layout_sizes[below(one_axis ? FIRST_COMPRESSED : COUNT(layout_sizes))];
    uint32_t most = size->height > 1 ? (type == THREE_D ? 160 : 800) : type == THREE_D ? 40 : 200;
    uint32_t width = 1 + below(most), height = 1 + below(most), depth = 1 + below(type == THREE_D ? 40 : 4);
    if (type == CUBE || type == CUBE_ARRAY) height = width;
    put(words, 6, 0, size->code);
    put_size(words, width, height, depth);
    bool cube = type == CUBE || type == CUBE_ARRAY;
    bool array = type == ONE_ARRAY || type == TWO_ARRAY || type == CUBE_ARRAY;
    *s = (struct surface){.width = width,
                          .height = one_axis ? 1 : height,
                          .depth = type == THREE_D ? depth : 1,
                          .texel = size->bytes,
                          .layers = (cube ? 6 : 1) * (array ? depth : 1),
                          .levels = type == NO_MIP ? 1 : 1 + below(9),
                          .bh = below(6),
                          .bd = below(6),
                          .tile = below(4) ? 0 : below(4),
                          .side_x = size->width,
                          .side_y = size->height};
    put(words, 101, 99, s->bh);
    put(words, 104, 102, s->bd);
    put(words, 108, 106, s->tile);
}

static void block_linear_texels_lie_where_a_walk_finds_them(void **state)
{
    (void)state;
    enum { MEMORY = 1 << 20 };
    unsigned char *memory = random_memory(MEMORY);
    uint64_t compared = 0;
    for (unsigned round = 0; round < 700; round++) {
        unsigned type = round % 9;
        if (type == BUFFERS) continue;
        uint32_t words[8];
        struct surface s;
        uint64_t base = UINT64_C(0x123400000) + below(8) * 512u, begin = base + 256 - below(3) * 256;
        plain_header(words, round & 16 ? BLOCK : BLOCK_KEY, type, base);
        surface_of(type, &s, words);
        uint32_t first = round & 16 ? below(s.levels) : 0;
        put(words, 127, 124, s.levels - 1);
        if (round & 16) put_levels(words, s.levels - 1, first, s.levels - 1 + below(3));
        struct sch_maxwell_texture *texture = make(words, memory, MEMORY, begin);
        assert_int_equal(texture->texture.levels, s.levels - first);
        assert_int_equal(texture->texture.layers, s.layers);
        struct comparison c = {texture, memory, MEMORY, &s, 0, first, 0};
        uint64_t at = base - begin;
        for (; c.layer < s.layers; c.layer++) at = walk_layer(&s, at, compare_byte, &c);
        uint64_t texels = 0; /* every byte of every level was met */
        for (uint32_t i = 0; i < texture->texture.levels; i++)
            texels += texture->texture.level[i].slice_bytes * texture->texture.level[i].depth * s.layers;
        assert_int_equal(c.compared, texels);
        compared += c.compared;
        sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
    }
    printf("# %llu bytes\n", (unsigned long long)compared);
    free(memory);
}

static void pitch_texels_lie_in_rows(void **state)
{
    (void)state;
    enum { MEMORY = 1 << 18 };
    unsigned char *memory = random_memory(MEMORY);
    static const unsigned types[] = {ONE_D, TWO_D, NO_MIP};
    for (unsigned round = 0; round < 200; round++) {
        uint32_t words[8], width = 1 + below(300), height = 1 + below(100);
        const bool one_axis = types[round % 3] == ONE_D;
        const struct layout_size *size = &layout_sizes[below(one_axis ? FIRST_COMPRESSED : COUNT(layout_sizes))];
        const uint32_t row = whole(width, size->width) * size->bytes, rows = one_axis ? 1 : whole(height, size->height);
        uint32_t pitch = (row + 31) / 32 * 32 + 32 * below(3);
        uint64_t base = UINT64_C(0xffff00000000) + 32 * below(100);
        plain_header(words, round & 1 ? PITCH : PITCH_KEY, types[round % 3], base);
        put(words, 6, 0, size->code);
        put_size(words, width, height, 1);
        put(words, 111, 96, pitch / 32);
        struct sch_maxwell_texture *texture = make(words, memory, MEMORY, base);
        const struct sch_texture_level *level = &texture->texture.level[0];
        assert_int_equal(level->height, one_axis ? 1 : height);
        assert_int_equal(level->slice_bytes, rows * row);
        for (uint32_t y = 0; y < rows; y++)
            for (uint32_t x = 0; x < row; x++) {
                uint64_t at = (uint64_t)y * pitch + x;
                assert_int_equal(level->texels[y * row + x], at < MEMORY ? memory[at] : 0);
            }
        sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
    }
    free(memory);
}

static void buffers_are_plain_memory(void **state)
{
    (void)state;
    enum { MEMORY = 1 << 20 };
    unsigned char *memory = random_memory(MEMORY);
    static const uint32_t widths[] = {1, 2, 1000, 65536, 65537, 200001};
    for (unsigned i = 0; i < COUNT(widths); i++) {
        uint32_t words[8];
        plain_header(words, BUFFER, BUFFERS, 0x10003);
        put(words, 6, 0, 0x0f); /* R32 */
        put(words, 143, 128, (widths[i] - 1) & 0xffff);
        put(words, 111, 96, (widths[i] - 1) >> 16);
        struct sch_maxwell_texture *texture = make(words, memory, MEMORY, 0x10003);
        assert_int_equal(texture->width, widths[i]);
        assert_int_equal(texture->target, SCH_TARGET_BUFFER);
        assert_int_equal(texture->texture.level[0].width, widths[i]);
        assert_memory_equal(texture->texture.level[0].texels, memory, widths[i] * 4);
        sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
    }
    free(memory);
}

/* Samples of a texel lie beside and above each other in a surface that is that much larger: 0 1 / 2 3, then the next
 * four to the right (8), then the same below (16). */
static void samples_lie_in_a_wider_surface(void **state)
{
    (void)state;
    static const struct {
        unsigned mode, wide, high;
    } modes[] = {{0, 1, 1}, {1, 2, 1}, {2, 2, 2}, {3, 4, 2}, {6, 4, 4}, {12, 2, 1}, {15, 4, 4}};
    static const unsigned place_x[16] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
    static const unsigned place_y[16] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};
    enum { MEMORY = 1 << 18 };
    unsigned char *memory = random_memory(MEMORY);
    for (unsigned round = 0; round < COUNT(modes) * 6; round++) {
        unsigned mode = round % COUNT(modes), samples = modes[mode].wide * modes[mode].high;
        bool array = round & 1;
        uint32_t words[8], width = 1 + below(20), height = 1 + below(20), layers = array ? 3 : 1;
        plain_header(words, BLOCK, array ? TWO_ARRAY : TWO_D, 0x4000);
        put(words, 6, 0, 0x02); /* R32G32B32 */
        put_size(words, width, height, layers);
        put(words, 101, 99, 2);
        put(words, 235, 232, modes[mode].mode);
        struct sch_maxwell_texture *texture = make(words, memory, MEMORY, 0x4000);
        assert_int_equal(texture->texture.samples, samples);
        /* The same memory as a larger texture without samples. */
        uint32_t wide[8];
        memcpy(wide, words, sizeof wide);
        put(wide, 235, 232, 0);
        put_size(wide, width * modes[mode].wide, height * modes[mode].high, layers);
        struct sch_maxwell_texture *large = make(wide, memory, MEMORY, 0x4000);
        const struct sch_texture_level *a = &texture->texture.level[0], *b = &large->texture.level[0];
        for (uint32_t i = 0; i < layers * samples * height * width; i++) {
            uint32_t x = i % width, y = i / width % height, s = i / width / height % samples;
            uint32_t layer = i / width / height / samples;
            uint32_t bx = x * modes[mode].wide + place_x[s], by = y * modes[mode].high + place_y[s];
            assert_memory_equal(a->texels + (layer * samples + s) * a->slice_bytes + y * a->row_bytes + x * 12,
                                b->texels + layer * b->slice_bytes + by * b->row_bytes + bx * 12, 12);
        }
        sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
        sch_maxwell_texture_destroy(large, &sch_allocator_libc);
    }
    free(memory);
}

/* ---- what texels mean ---- */

/* The components of a layout by its name: bits and the first bit, for R, G, B, A; bits 0: there is none. Names of
 * packed layouts go from the highest bits down. */
struct layout {
    unsigned code, bytes, bits[4], first[4];
    const char *types; /* u UNORM, s SNORM, U UINT, S SINT, f FLOAT */
};
static const struct layout layouts[] = {
    {0x01, 16, {32, 32, 32, 32}, {0, 32, 64, 96}, "usUSf"},
    {0x02, 12, {32, 32, 32, 0}, {0, 32, 64, 0}, "usUSf"},
    {0x03, 8, {16, 16, 16, 16}, {0, 16, 32, 48}, "usUSf"},
    {0x04, 8, {32, 32, 0, 0}, {0, 32, 0, 0}, "usUSf"},
    {0x07, 4, {8, 8, 8, 0}, {0, 8, 16, 0}, "usUS"},
    {0x08, 4, {8, 8, 8, 8}, {0, 8, 16, 24}, "usUS"},
    {0x09, 4, {10, 10, 10, 2}, {0, 10, 20, 30}, "usUS"},
    {0x0c, 4, {16, 16, 0, 0}, {0, 16, 0, 0}, "usUSf"},
    {0x0f, 4, {32, 0, 0, 0}, {0, 0, 0, 0}, "usUSf"},
    {0x12, 2, {4, 4, 4, 4}, {0, 4, 8, 12}, "uU"},
    {0x13, 2, {1, 5, 5, 5}, {0, 1, 6, 11}, "uU"},
    {0x14, 2, {5, 5, 5, 1}, {0, 5, 10, 15}, "uU"},
    {0x15, 2, {5, 6, 5, 0}, {0, 5, 11, 0}, "uU"},
    {0x18, 2, {8, 8, 0, 0}, {0, 8, 0, 0}, "usUS"},
    {0x1b, 2, {16, 0, 0, 0}, {0, 0, 0, 0}, "usUSf"},
    {0x1d, 1, {8, 0, 0, 0}, {0, 0, 0, 0}, "usUS"},
    {0x1e, 1, {4, 4, 0, 0}, {0, 4, 0, 0}, "u"},
};

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float half(uint32_t code)
{
    uint32_t exponent = code >> 10 & 31, mantissa = code & 1023;
    float value = exponent == 31 ? (mantissa ? NAN : INFINITY)
                  : exponent     ? ldexpf((float)(1024 + mantissa), (int)exponent - 25)
                                 : ldexpf((float)mantissa, -24);
    return code >> 15 ? -value : value;
}

static uint32_t decode(char type, uint32_t code, unsigned bits)
{
    uint32_t all = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    int32_t number = bits == 32 ? (int32_t)code : (int32_t)(code << (32 - bits)) >> (32 - bits);
    switch (type) {
    case 'u':
        return bits_of((float)((double)code / all));
    case 's': {
        double value = (double)number / (all >> 1);
        return bits_of((float)(value < -1 ? -1 : value));
    }
    case 'U':
        return code;
    case 'S':
        return (uint32_t)number;
    default:
        return bits == 32 ? code : bits_of(half(code));
    }
}

static const unsigned type_codes[] = {['u'] = 2, ['s'] = 1, ['U'] = 4, ['S'] = 3, ['f'] = 7};

static void fetch_level(const struct sch_maxwell_texture *texture, const uint32_t at[4], uint32_t level,
                        uint32_t answer[4])
{
    uint32_t answers[1][4];
    struct sch_lookup lookup = {.texel = {at[0], at[1], at[2], at[3]}, .level = level};
    struct sch_texture_lookups asked = {
        .key = {.format = texture->format, .target = texture->target, .rules = SCH_RULES_MAXWELL},
        .texture = &texture->texture,
        .kind = {.operation = SCH_LOOKUP_FETCH},
        .lookups = &lookup,
        .count = 1};
    memcpy(asked.key.swizzle, texture->swizzle, 4);
    sch_texture_run_lookups(sch_ops_for_width(8), &asked, answers);
    for (unsigned i = 0; i < 4; i++) answer[i] = texture->fixed_mask >> i & 1 ? texture->fixed[i] : answers[0][i];
}

static uint32_t code_of(const struct layout *layout, const unsigned char *texel, unsigned component)
{
    uint32_t code = 0;
    for (unsigned i = 0; i < layout->bits[component]; i++) {
        unsigned bit = layout->first[component] + i;
        code |= (uint32_t)(texel[bit / 8] >> (bit % 8) & 1) << i;
    }
    return code;
}

static uint32_t expected(const struct layout *layout, char type, const unsigned char *texel, unsigned source)
{
    bool integer = type == 'U' || type == 'S';
    if (source == 0) return 0;
    if (source == 6) return 1;
    if (source == 7) return 0x3f800000;
    unsigned component = source - 2;
    if (!layout->bits[component]) return component < 3 ? 0 : integer ? 1 : 0x3f800000;
    return decode(type, code_of(layout, texel, component), layout->bits[component]);
}

static bool same(uint32_t a, uint32_t b)
{
    bool nan_a = (a & 0x7fffffff) > 0x7f800000, nan_b = (b & 0x7fffffff) > 0x7f800000;
    return a == b || (nan_a && nan_b);
}

/* A texel of random bits, read through random sources, in every arrangement of memory. */
static void check_texel(const struct layout *layout, char type, unsigned round)
{
    static const unsigned arrangements[][2] = {
        {BLOCK, TWO_D},     {PITCH, TWO_D},   {BUFFER, BUFFERS},   {BLOCK_KEY, CUBE},  {BLOCK, ONE_D},
        {BLOCK, TWO_ARRAY}, {BLOCK, THREE_D}, {PITCH_KEY, NO_MIP}, {BLOCK, ONE_ARRAY}, {BLOCK, CUBE_ARRAY}};
    const unsigned *arrangement = arrangements[round % COUNT(arrangements)];
    unsigned char memory[512] = {0};
    for (unsigned i = 0; i < 16; i++) memory[i] = (unsigned char)random_word();
    uint32_t words[8], answer[4];
    plain_header(words, arrangement[0], arrangement[1], 0x200);
    put(words, 6, 0, layout->code);
    unsigned sources[4];
    for (unsigned i = 0; i < 4; i++) {
        static const unsigned codes[] = {0, 2, 3, 4, 5, 6, 7};
        sources[i] = codes[below(COUNT(codes))];
        put(words, 9 + 3 * i, 7 + 3 * i, type_codes[(unsigned char)type]);
        put(words, 21 + 3 * i, 19 + 3 * i, sources[i]);
    }
    struct sch_maxwell_texture *texture = make(words, memory, sizeof memory, 0x200);
    fetch_level(texture, (uint32_t[4]){0}, 0, answer);
    bool any = false; /* with constants alone any row of the layout will do, and an absent A is one of any kind */
    for (unsigned i = 0; i < 4; i++) any |= sources[i] >= 2 && sources[i] <= 5 && layout->bits[sources[i] - 2];
    for (unsigned i = 0; i < 4 && any; i++)
        if (!same(answer[i], expected(layout, type, memory, sources[i])))
            fail_msg("COMPONENTS 0x%02x type %c source %u: 0x%08x, not 0x%08x", layout->code, type, sources[i],
                     answer[i], expected(layout, type, memory, sources[i]));
    sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
}

static void texels_mean_what_the_layout_says(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT(layouts); i++)
        for (const char *type = layouts[i].types; *type; type++)
            for (unsigned round = 0; round < 200; round++) check_texel(&layouts[i], *type, round);
}

/* ---- texels by lookups ---- */

/* One texel that is looked for in the walk. */
struct wanted {
    const unsigned char *memory;
    uint64_t bytes;
    uint32_t level, x, y, z, size; /* x and size in bytes */
    unsigned char texel[16];
};

static void find_byte(void *user, uint32_t level, uint32_t x, uint32_t y, uint32_t z, uint64_t at)
{
    struct wanted *w = user;
    if (level != w->level || y != w->y || z != w->z || x < w->x || x >= w->x + w->size) return;
    w->texel[x - w->x] = at < w->bytes ? w->memory[at] : 0;
}

/* The texel of a layer at (x, y, z) of a level, by the walk, or in rows. */
static void find_texel(const struct surface *s, unsigned version, uint32_t pitch, uint32_t layer, struct wanted *w)
{
    if (version == BLOCK || version == BLOCK_KEY) {
        uint64_t at = 0;
        for (uint32_t l = 0; l < layer; l++) {
            struct wanted nothing = {.size = 0, .level = UINT32_MAX};
            at = walk_layer(s, at, find_byte, &nothing);
        }
        walk_layer(s, at, find_byte, w);
        return;
    }
    for (uint32_t i = 0; i < w->size; i++) {
        uint64_t at = (uint64_t)w->y * pitch + w->x + i;
        w->texel[i] = at < w->bytes ? w->memory[at] : 0;
    }
}

static void small_surface(unsigned version, unsigned type, uint32_t texel, struct surface *s, uint32_t words[8])
{
    bool blocks = version >= BLOCK, flat = type == ONE_D || type == ONE_ARRAY || type == BUFFERS;
    bool cube = type == CUBE || type == CUBE_ARRAY,
         array = type == ONE_ARRAY || type == TWO_ARRAY || type == CUBE_ARRAY;
    uint32_t width = 1 + below(40), depth = 1 + below(3);
    *s = (struct surface){.width = width,
                          .height = flat   ? 1
                                    : cube ? width
                                           : 1 + below(40),
                          .depth = type == THREE_D ? 1 + below(9) : 1,
                          .texel = texel,
                          .layers = (cube ? 6 : 1) * (array ? depth : 1),
                          .levels = blocks && type != NO_MIP ? 1 + below(4) : 1,
                          .bh = blocks ? below(4) : 0,
                          .bd = blocks ? below(3) : 0,
                          .side_x = 1,
                          .side_y = 1};
    put(words, 143, 128, width - 1);
    if (version == BUFFER) return;
    put_size(words, width, flat ? 1 + below(9) : s->height, type == THREE_D ? s->depth : array ? depth : 1);
    if (!blocks) return;
    put(words, 101, 99, s->bh);
    put(words, 104, 102, s->bd);
    put(words, 127, 124, s->levels - 1);
    if (version == BLOCK) put(words, 231, 228, s->levels - 1);
}

/* Every layout and data type in every version and type: texels here and there are those of the memory. */
static void lookups_read_the_memory(void **state)
{
    (void)state;
    enum { MEMORY = 1 << 16 };
    static const unsigned pairs[][2] = {
        {BUFFER, BUFFERS},  {PITCH, ONE_D},     {PITCH, TWO_D},         {PITCH, NO_MIP},    {PITCH_KEY, TWO_D},
        {BLOCK, ONE_D},     {BLOCK, TWO_D},     {BLOCK, THREE_D},       {BLOCK, CUBE},      {BLOCK, ONE_ARRAY},
        {BLOCK, TWO_ARRAY}, {BLOCK, NO_MIP},    {BLOCK, CUBE_ARRAY},    {BLOCK_KEY, TWO_D}, {BLOCK_KEY, THREE_D},
        {BLOCK_KEY, CUBE},  {BLOCK_KEY, ONE_D}, {BLOCK_KEY, TWO_ARRAY},
    };
    unsigned char *memory = random_memory(MEMORY);
    unsigned asked = 0;
    for (unsigned i = 0; i < COUNT(layouts) * COUNT(pairs); i++) {
        const struct layout *layout = &layouts[i / COUNT(pairs)];
        const unsigned version = pairs[i % COUNT(pairs)][0], type = pairs[i % COUNT(pairs)][1];
        for (const char *kind = layout->types; *kind; kind++) {
            uint32_t words[8], pitch = 1024;
            struct surface s;
            plain_header(words, version, type, 0x200);
            put(words, 6, 0, layout->code);
            for (unsigned c = 0; c < 4; c++) put(words, 9 + 3 * c, 7 + 3 * c, type_codes[(unsigned char)*kind]);
            if (version == PITCH || version == PITCH_KEY) put(words, 111, 96, pitch / 32);
            small_surface(version, type, layout->bytes, &s, words);
            struct sch_maxwell_texture *texture = make(words, memory, MEMORY, 0x200);
            for (unsigned q = 0; q < 4; q++, asked++) {
                uint32_t level = below(s.levels), layer = below(s.layers), answer[4];
                uint32_t x = below(shrunk(s.width, level)), y = below(shrunk(s.height, level));
                uint32_t z = below(shrunk(s.depth, level));
                struct wanted w = {memory, MEMORY, level, x * layout->bytes, y, z, layout->bytes, {0}};
                find_texel(&s, version, pitch, layer, &w);
                unsigned axes = type == THREE_D ? 3 : type == ONE_D || type == ONE_ARRAY || type == BUFFERS ? 1 : 2;
                uint32_t at[4] = {x, y, z, 0};
                at[axes] = layer;
                fetch_level(texture, at, level, answer);
                for (unsigned c = 0; c < 4; c++)
                    if (!same(answer[c], expected(layout, *kind, w.texel, 2 + c)))
                        fail_msg("COMPONENTS 0x%02x %c version %u type %u level %u layer %u (%u, %u, %u) component %u",
                                 layout->code, *kind, version, type, level, layer, x, y, z, c);
            }
            sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
        }
    }
    printf("# %u texels\n", asked);
    free(memory);
}

/* Outside a texture that wraps to the border: the sampler's colour in the layout's order, before the sources. */
static void borders_follow_the_layout(void **state)
{
    (void)state;
    static const unsigned codes[] = {0x08, 0x13, 0x1e, 0x12, 0x01, 0x24, 0x27, 0x28, 0x06};
    static const unsigned components[] = {4, 4, 2, 4, 4, 4, 1, 2, 3};
    for (unsigned i = 0; i < COUNT(codes) * 24; i++) {
        uint32_t words[8], sampler_words[8] = {0}, answers[1][4];
        const unsigned char memory[64] = {0};
        struct sch_maxwell_sampler sampler;
        plain_header(words, BLOCK, TWO_D, 0);
        put(words, 6, 0, codes[i % COUNT(codes)]);
        unsigned sources[4];
        for (unsigned c = 0; c < 4; c++) {
            sources[c] = 2 + below(4);
            put(words, 21 + 3 * c, 19 + 3 * c, sources[c]);
        }
        put(sampler_words, 8, 0, 0333);
        put(sampler_words, 39, 32, 0x51);
        float colour[4];
        for (unsigned c = 0; c < 4; c++) {
            colour[c] = (float)(1 + below(255)) / 256;
            put(sampler_words, 159 + 32 * c, 128 + 32 * c, bits_of(colour[c]));
        }
        assert_int_equal(sch_maxwell_sampler_read(sampler_words, NULL, &sampler), SCH_OK);
        struct sch_maxwell_texture *texture = make(words, memory, sizeof memory, 0);
        struct sch_lookup lookup = {.at = {3.5f, -7.25f}};
        struct sch_sampler_values values;
        struct sch_texture_lookups asked = {.values = &values,
                                            .texture = &texture->texture,
                                            .kind = {.operation = SCH_LOOKUP_SAMPLE_L},
                                            .lookups = &lookup,
                                            .count = 1};
        assert_int_equal(sch_maxwell_lookup_state(texture, &sampler, NULL, &asked.key, &values), SCH_OK);
        sch_texture_run_lookups(sch_ops_for_width(8), &asked, answers);
        for (unsigned c = 0; c < 4; c++) {
            unsigned from = sources[c] - 2;
            bool there = from < components[i % COUNT(codes)];
            assert_int_equal(answers[0][c], there ? bits_of(colour[from]) : from == 3 ? 0x3f800000 : 0);
        }
        sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
    }
}

/* Layouts that are not fields of one type side by side: texels worked out by hand. */
static void special_layouts(void **state)
{
    (void)state;
    static const struct {
        unsigned code, types[4], sources[4], bytes;
        unsigned char texel[8];
        uint32_t answer[4];
    } rows[] = {
        /* Z24S8: depth in the high 24 bits. 0xffffff / 0xffffff. */
        {0x29,
         {2, 2, 2, 2},
         {2, 2, 2, 7},
         4,
         {0x55, 0xff, 0xff, 0xff},
         {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}},
        /* S8Z24: in the low 24; 0x800000 / 0xffffff is a little more than 1/2 + half an ulp. */
        {0x2b, {2, 2, 2, 2}, {2, 0, 0, 7}, 4, {0, 0, 0x80, 0xff}, {0x3f000001, 0, 0, 0x3f800000}},
        {0x2a, {2, 2, 2, 2}, {2, 0, 0, 5}, 4, {0, 0, 0, 0xff}, {0, 0, 0, 0x3f800000}},
        {0x3a, {2, 2, 2, 2}, {2, 2, 0, 7}, 2, {0xff, 0xff}, {0x3f800000, 0x3f800000, 0, 0x3f800000}},
        {0x2f, {7, 7, 7, 7}, {2, 2, 2, 2}, 4, {0, 0, 0xc0, 0x40}, {0x40c00000, 0x40c00000, 0x40c00000, 0x40c00000}},
        {0x30, {7, 7, 7, 7}, {2, 0, 0, 7}, 8, {0, 0, 0, 0x3f, 7, 9, 9, 9}, {0x3f000000, 0, 0, 0x3f800000}},
        /* G8R24: R the low 24, G the high 8. */
        {0x0d, {2, 4, 4, 4}, {3, 0, 0, 6}, 4, {1, 2, 3, 0xfe}, {0xfe, 0, 0, 1}},
        {0x0d, {2, 2, 2, 2}, {2, 0, 0, 7}, 4, {0xff, 0xff, 0xff, 0}, {0x3f800000, 0, 0, 0x3f800000}},
        /* G24R8: the other way round. */
        {0x0e, {4, 4, 4, 4}, {2, 2, 2, 6}, 4, {0xfd, 2, 3, 4}, {0xfd, 0xfd, 0xfd, 1}},
        {0x0e, {4, 2, 4, 4}, {3, 3, 3, 7}, 4, {9, 0xff, 0xff, 0xff}, {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}},
        /* R32_B24G8: R first, G the next byte. */
        {0x05, {4, 4, 4, 4}, {3, 0, 0, 6}, 8, {1, 2, 3, 4, 0xab, 6, 7, 8}, {0xab, 0, 0, 1}},
        {0x05, {4, 4, 4, 4}, {2, 0, 0, 6}, 8, {1, 2, 3, 4, 0xab, 6, 7, 8}, {0x04030201, 0, 0, 1}},
        {0x05, {7, 4, 4, 4}, {2, 0, 0, 7}, 8, {0, 0, 0x80, 0xbf, 5, 6, 7, 8}, {0xbf800000, 0, 0, 0x3f800000}},
        /* 9 bits each and an exponent: 256 * 2^(16 - 15 - 9) = 1, 128: 1/2, 0. */
        {0x20, {7, 7, 7, 7}, {2, 3, 4, 5}, 4, {0x00, 0x01, 0x01, 0x80}, {0x3f800000, 0x3f000000, 0, 0x3f800000}},
        /* 11, 11 and 10 bits: 0x3c0 is 1 of 11 bits, 0x1e0 of 10. */
        {0x21, {7, 7, 7, 7}, {2, 3, 4, 7}, 4, {0xc0, 0x03, 0x00, 0x78}, {0x3f800000, 0, 0x3f800000, 0x3f800000}},
        /* G8B8G8R8, from the lowest byte R, G, B, G; B8G8R8G8: G, R, G, B. */
        {0x22, {2, 2, 2, 2}, {2, 3, 4, 7}, 4, {0xff, 0, 0xff, 0xff}, {0x3f800000, 0, 0x3f800000, 0x3f800000}},
        {0x23, {2, 2, 2, 2}, {2, 3, 4, 7}, 4, {0xff, 0, 0, 0xff}, {0, 0x3f800000, 0x3f800000, 0x3f800000}},
        /* B6G5R5 of two signs: -16 (-1), 15 (1), 63 (1); X8B8G8R8 likewise. */
        {0x16, {1, 1, 2, 2}, {2, 3, 4, 7}, 2, {0xf0, 0xfd}, {0xbf800000, 0x3f800000, 0x3f800000, 0x3f800000}},
        {0x07, {1, 1, 2, 2}, {2, 3, 4, 5}, 4, {0x81, 0x7f, 0xff, 0}, {0xbf800000, 0x3f800000, 0x3f800000, 0x3f800000}},
        {0x09, {1, 1, 1, 2}, {2, 3, 4, 5}, 4, {0xff, 0x01, 0, 0xc0}, {0x3f800000, 0, 0, 0x3f800000}},
        /* R8 whose own component no source reads: a missing A is the one of the data types' kind. */
        {0x1d, {4, 4, 4, 4}, {4, 5, 0, 5}, 1, {9}, {0, 1, 0, 1}},
        {0x1d, {1, 1, 1, 1}, {4, 5, 0, 5}, 1, {9}, {0, 0x3f800000, 0, 0x3f800000}},
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        uint32_t words[8], answer[4];
        plain_header(words, BLOCK, TWO_D, 0);
        put(words, 6, 0, rows[i].code);
        for (unsigned c = 0; c < 4; c++) {
            put(words, 9 + 3 * c, 7 + 3 * c, rows[i].types[c]);
            put(words, 21 + 3 * c, 19 + 3 * c, rows[i].sources[c]);
        }
        struct sch_maxwell_texture *texture = make(words, rows[i].texel, rows[i].bytes, 0);
        fetch_level(texture, (uint32_t[4]){0}, 0, answer);
        for (unsigned c = 0; c < 4; c++)
            if (answer[c] != rows[i].answer[c])
                fail_msg("row %u component %u: 0x%08x, not 0x%08x", i, c, answer[c], rows[i].answer[c]);
        sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
    }
}

/* R, G and B are on the curve where header and sampler say so; A is not. 188 / 255 is 0.5029 on it. */
static void srgb_is_the_headers_and_the_samplers(void **state)
{
    (void)state;
    static const unsigned char texel[] = {188, 188, 188, 188};
    uint32_t words[8], answer[4];
    plain_header(words, BLOCK, TWO_D, 0);
    put(words, 6, 0, 0x08);
    put(words, 150, 150, 1);
    struct sch_maxwell_texture *texture = make(words, texel, sizeof texel, 0);
    fetch_level(texture, (uint32_t[4]){0}, 0, answer);
    for (unsigned i = 0; i < 4; i++) {
        float value;
        memcpy(&value, &answer[i], sizeof value);
        double linear = i < 3 ? pow((188 / 255.0 + 0.055) / 1.055, 2.4) : 188 / 255.0;
        assert_true(fabs(value - linear) < 1e-7);
    }
    assert_true(texture->srgb);
    assert_int_equal(texture->format_linear, SCH_FORMAT_R8G8B8A8_UNORM);
    sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
}

/* ---- what is not read ---- */

static unsigned refusal(const uint32_t words[8], size_t limit, enum sch_result *status)
{
    static const unsigned char memory[512];
    struct sch_maxwell_memory piece = {memory, 0, sizeof memory};
    struct sch_diagnostics list;
    struct sch_maxwell_texture *texture;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    *status = sch_maxwell_texture_create(words, &piece, &sch_allocator_libc, limit, &list, &texture);
    unsigned code = list.count ? list.items[0].code : 0;
    if (*status == SCH_OK)
        sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
    else
        assert_null(texture);
    sch_diagnostics_release(&list);
    return code;
}

struct change {
    unsigned high, low;
    uint64_t value;
};

static void what_is_not_read_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        unsigned version, type;
        struct change change[3];
        unsigned code;
        enum sch_result status;
    } rows[] = {
        {5, TWO_D, {{0}}, SCH_D_MAXWELL_HEADER_VERSION, SCH_ERROR_UNSUPPORTED},
        {7, TWO_D, {{0}}, SCH_D_MAXWELL_HEADER_VERSION, SCH_ERROR_UNSUPPORTED},
        {BLOCK, 9, {{0}}, SCH_D_MAXWELL_HEADER_TYPE, SCH_ERROR_UNSUPPORTED},
        {BLOCK, 15, {{0}}, SCH_D_MAXWELL_HEADER_TYPE, SCH_ERROR_UNSUPPORTED},
        {BUFFER, TWO_D, {{0}}, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID},
        {BLOCK, BUFFERS, {{0}}, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID},
        {BLOCK, ONE_D, {{6, 0, 0x24}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED}, /* compressed */
        {BLOCK, ONE_ARRAY, {{6, 0, 0x40}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {PITCH, ONE_D, {{6, 0, 0x28}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {BUFFER, BUFFERS, {{6, 0, 0x17}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x24}, {235, 232, 1}}, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID},
        {BLOCK, TWO_D, {{6, 0, 0x22}, {235, 232, 1}}, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID},
        {PITCH, TWO_D, {{6, 0, 0x24}, {175, 160, 4}}, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID},
        {PITCH, TWO_D, {{6, 0, 0x24}, {175, 160, 3}}, 0, SCH_OK}, /* one row of blocks needs no PITCH */
        {BLOCK, TWO_D, {{6, 0, 0x24}, {9, 7, 1}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x24}, {18, 16, 7}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x10}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED}, /* UNORM BC6H */
        {BLOCK, TWO_D, {{6, 0, 0x27}, {9, 7, 4}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x28}, {12, 10, 1}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x40}, {15, 7, 0777}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x46}, {9, 7, 6}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x28}, {150, 150, 1}}, SCH_D_MAXWELL_HEADER_SRGB, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x19}, {150, 150, 1}}, SCH_D_MAXWELL_HEADER_SRGB, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x11}, {15, 7, 0777}, {150, 150, 1}}, SCH_D_MAXWELL_HEADER_SRGB, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{31, 31, 1}}, SCH_D_MAXWELL_HEADER_FORMAT, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x2c}}, SCH_D_MAXWELL_HEADER_FORMAT, SCH_ERROR_UNSUPPORTED}, /* a COV form */
        {BLOCK, TWO_D, {{6, 0, 0x43}}, SCH_D_MAXWELL_HEADER_FORMAT, SCH_ERROR_UNSUPPORTED}, /* reserved */
        {BLOCK, TWO_D, {{6, 0, 0}}, SCH_D_MAXWELL_HEADER_FORMAT, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{9, 7, 7}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED}, /* 8-bit floats */
        {BLOCK, TWO_D, {{9, 7, 6}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 8}, {12, 10, 4}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x29}}, SCH_D_MAXWELL_HEADER_DATA_TYPE, SCH_ERROR_UNSUPPORTED}, /* Y_SOURCE: stencil */
        {BLOCK, TWO_D, {{21, 19, 1}}, SCH_D_MAXWELL_RESERVED_CODE, SCH_ERROR_INVALID},
        {BLOCK, TWO_D, {{109, 109, 1}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{38, 37, 2}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{98, 96, 1}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_ARRAY, {{110, 110, 1}, {189, 176, 1}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {PITCH, TWO_D, {{127, 124, 1}, {231, 228, 1}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {PITCH, TWO_ARRAY, {{189, 176, 1}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {PITCH, CUBE, {{0}}, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED},
        {PITCH, TWO_D, {{175, 160, 1}}, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID}, /* PITCH 0 */
        {BLOCK, TWO_D, {{235, 232, 8}}, SCH_D_MAXWELL_HEADER_SAMPLES, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{235, 232, 7}}, SCH_D_MAXWELL_HEADER_SAMPLES, SCH_ERROR_UNSUPPORTED},
        {BLOCK, THREE_D, {{235, 232, 2}}, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID},
        {BLOCK_KEY, TWO_D, {{192, 192, 1}}, SCH_D_MAXWELL_HEADER_COLOR_KEY, SCH_ERROR_UNSUPPORTED},
        {BLOCK, TWO_D, {{6, 0, 0x1b}, {150, 150, 1}}, SCH_D_MAXWELL_HEADER_SRGB, SCH_ERROR_UNSUPPORTED},
        {BLOCK, CUBE, {{143, 128, 3}}, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID},
        {BLOCK, TWO_D, {{227, 224, 1}}, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID},
        {BLOCK, TWO_D, {{127, 124, 15}, {231, 228, 15}}, SCH_D_TEXTURE_SIZE, SCH_ERROR_LIMIT},
        {BLOCK, TWO_D, {{143, 128, 16384}}, SCH_D_TEXTURE_SIZE, SCH_ERROR_LIMIT},
        {BLOCK, TWO_ARRAY, {{189, 176, 2048}}, SCH_D_TEXTURE_SIZE, SCH_ERROR_LIMIT},
        {BUFFER, BUFFERS, {{111, 96, 0xffff}}, SCH_D_TEXTURE_SIZE, SCH_ERROR_LIMIT},
        {BLOCK, TWO_D, {{143, 128, 16383}, {175, 160, 16383}}, SCH_D_TEXTURE_MEMORY, SCH_ERROR_LIMIT},
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        uint32_t words[8];
        enum sch_result status;
        plain_header(words, rows[i].version, rows[i].type, 0);
        for (unsigned c = 0; c < 3; c++)
            if (rows[i].change[c].high)
                put(words, rows[i].change[c].high, rows[i].change[c].low, rows[i].change[c].value);
        unsigned code = refusal(words, 1 << 20, &status);
        if (code != rows[i].code || status != rows[i].status)
            fail_msg("row %u: report %u, status %d", i, code, (int)status);
    }
}

/* A row's bytes are those of all its samples; where there is but one row of samples, no pitch is asked for. */
static void pitches_hold_a_row_of_samples(void **state)
{
    (void)state;
    static const struct {
        unsigned mode; /* 0: 1x1, 1: 2x1, 2: 2x2, 3: 4x2, 6: 4x4 */
        uint32_t width, height, pitch;
        bool good;
    } rows[] = {{0, 32, 2, 32, true},  {0, 33, 2, 32, false}, {0, 33, 1, 0, true},   {1, 16, 2, 32, true},
                {1, 17, 2, 32, false}, {1, 17, 1, 0, true},   {2, 16, 1, 32, true},  {2, 17, 1, 32, false},
                {3, 8, 1, 32, true},   {3, 9, 1, 32, false},  {6, 32, 1, 128, true}, {6, 33, 1, 128, false}};
    for (unsigned i = 0; i < COUNT(rows); i++) {
        uint32_t words[8];
        enum sch_result status;
        plain_header(words, PITCH, TWO_D, 0); /* one byte a sample */
        put_size(words, rows[i].width, rows[i].height, 1);
        put(words, 111, 96, rows[i].pitch / 32);
        put(words, 235, 232, rows[i].mode);
        unsigned code = refusal(words, 1 << 20, &status);
        if (code != (rows[i].good ? 0 : SCH_D_MAXWELL_HEADER_CONTRADICTION)) fail_msg("row %u: report %u", i, code);
        assert_int_equal(status, rows[i].good ? SCH_OK : SCH_ERROR_INVALID);
    }
}

/* Bytes of memory that is not there are 0, wherever it begins and ends. */
static void memory_ends_where_it_ends(void **state)
{
    (void)state;
    static const uint64_t begins[] = {0, 0x1000, UINT64_MAX - 40, UINT64_MAX - 20};
    enum { BYTES = 21 };
    unsigned char data[BYTES];
    for (unsigned i = 0; i < BYTES; i++) data[i] = (unsigned char)(i + 1);
    for (unsigned b = 0; b < COUNT(begins); b++) {
        const struct sch_maxwell_memory memory = {data, begins[b], BYTES};
        for (int from = -30; from < 30; from++)
            for (size_t bytes = 0; bytes < 40; bytes++) {
                const uint64_t first = begins[b] + (uint64_t)(int64_t)from;
                if ((from < 0 && begins[b] == 0) || first > UINT64_MAX - bytes) continue; /* no address wraps */
                unsigned char out[48];
                memset(out, 0xa5, sizeof out);
                sch_maxwell_load(&memory, first, out + 4, bytes);
                for (size_t i = 0; i < sizeof out; i++) {
                    const int64_t at = from + (int64_t)i - 4;
                    const bool there = at >= 0 && at < BYTES && begins[b] + (uint64_t)at < UINT64_MAX;
                    const unsigned char wanted = i < 4 || i >= 4 + bytes ? 0xa5 : there ? data[at] : 0;
                    if (out[i] != wanted) fail_msg("%u: %d, %zu bytes: byte %zu", b, from, bytes, i);
                }
            }
    }
}

static void hostile_headers_harm_nothing(void **state)
{
    (void)state;
    unsigned made = 0;
    for (unsigned round = 0; round < 200000; round++) {
        uint32_t words[8];
        enum sch_result status;
        for (unsigned i = 0; i < 8; i++) words[i] = random_word();
        if (round & 1) { /* half of them nearly sound, so that later steps are reached */
            static const unsigned sound[] = {0x01, 0x08, 0x0f, 0x1d, 0x22, 0x29, 0x24, 0x28, 0x40, 0x46};
            put(words, 6, 0, sound[below(COUNT(sound))]);
            put(words, 31, 31, 0);
            for (unsigned c = 0; c < 4; c++) {
                put(words, 9 + 3 * c, 7 + 3 * c, 2);
                put(words, 21 + 3 * c, 19 + 3 * c, c ? 0 : 2);
            }
            put(words, 87, 85, below(5));
            put(words, 150, 150, 0);
            if (get(words, 87, 85) == BUFFER)
                put(words, 154, 151, BUFFERS);
            else
                put(words, 154, 151, below(6));
            if (below(2)) put_size(words, 1 + below(70), 1 + below(70), 1 + below(70));
            if (below(2)) put_size(words, 1 + below(16384), 1 + below(3), 1);
            put(words, 109, 109, 0);
            put(words, 98, 96, 0);
            put(words, 38, 37, 0);
        }
        refusal(words, 1 << 18, &status);
        made += status == SCH_OK;
    }
    printf("# %u of 200000 headers were read\n", made);
    assert_true(made > 1000);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_linear_texels_lie_where_a_walk_finds_them),
        cmocka_unit_test(pitch_texels_lie_in_rows),
        cmocka_unit_test(buffers_are_plain_memory),
        cmocka_unit_test(samples_lie_in_a_wider_surface),
        cmocka_unit_test(texels_mean_what_the_layout_says),
        cmocka_unit_test(lookups_read_the_memory),
        cmocka_unit_test(borders_follow_the_layout),
        cmocka_unit_test(special_layouts),
        cmocka_unit_test(srgb_is_the_headers_and_the_samplers),
        cmocka_unit_test(what_is_not_read_is_refused_by_name),
        cmocka_unit_test(pitches_hold_a_row_of_samples),
        cmocka_unit_test(memory_ends_where_it_ends),
        cmocka_unit_test(hostile_headers_harm_nothing),
    };
    return cmocka_run_group_tests_name("maxwell_texels", tests, NULL, NULL);
}
