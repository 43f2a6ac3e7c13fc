/* What texture headers and samplers say besides texels: filtering, levels, borders, and both together. Every field
 * changes something, or is one of those that docs/maxwell.md says are ignored. */
#include <math.h>

#include "isa/errors.h"
#include "maxwell/run/warp.h"
#include "maxwell/text/text.h"
#include "maxwell_header_support.h"

/* ---- what a header says besides its texels ---- */

static void headers_say_how_they_are_filtered(void **state)
{
    (void)state;
    uint32_t words[8];
    plain_header(words, BLOCK, TWO_D, 0);
    put_size(words, 20, 9, 5);
    put_levels(words, 4, 1, 3);
    put(words, 247, 236, 0x180);  /* 1.5 */
    put(words, 210, 198, 0x1f80); /* -0.5 */
    put(words, 221, 219, 5);
    put(words, 122, 122, 1);
    put(words, 191, 191, 0);
    struct sch_maxwell_texture *texture = make(words, NULL, 0, 0);
    assert_int_equal(texture->width, 20);
    assert_int_equal(texture->height, 9);
    assert_int_equal(texture->depth, 5);
    assert_int_equal(texture->max_level, 4);
    assert_int_equal(texture->view_min_level, 1);
    assert_int_equal(texture->view_max_level, 3);
    assert_int_equal(texture->texture.levels, 3);
    assert_int_equal(texture->texture.level[0].width, 10);
    assert_int_equal(texture->texture.level[2].height, 1);
    assert_true(texture->texture.min_lod == 1.5f);
    assert_true(texture->lod_bias == -0.5f);
    assert_int_equal(texture->max_anisotropy, 10);
    assert_true(texture->use_header_options && !texture->normalized && texture->sampler_border);
    for (unsigned i = 0; i < 50; i++) assert_int_equal(texture->texture.level[0].texels[i], 0); /* no memory at all */
    sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
}

/* What a view names beyond MAX_MIP_LEVEL is not there, and types with one level have no view: docs/maxwell.md, "What
 * instructions see". TXQ counts the same levels that lookups see. */
static void views_end_with_the_texture(void **state)
{
    (void)state;
    static const struct {
        unsigned type, samples, minimum, maximum, seen_minimum, seen_maximum;
    } cases[] = {{TWO_D, 0, 0, 5, 0, 2},
                 {TWO_D, 0, 1, 15, 1, 2},
                 {TWO_D, 2, 2, 0, 0, 0},
                 {TWO_ARRAY, 2, 1, 2, 0, 0},
                 {SCH_MAXWELL_TWO_D_NO_MIPMAP, 0, 2, 1, 0, 0}};
    for (unsigned i = 0; i < COUNT(cases); i++) {
        uint32_t words[8];
        plain_header(words, BLOCK, cases[i].type, 0);
        put_size(words, 64, 32, 1);
        put_levels(words, 2, cases[i].minimum, cases[i].maximum);
        put(words, 235, 232, cases[i].samples);
        struct sch_maxwell_texture *texture = make(words, NULL, 0, 0);
        assert_int_equal(texture->view_min_level, cases[i].seen_minimum);
        assert_int_equal(texture->view_max_level, cases[i].seen_maximum);
        assert_int_equal(texture->texture.levels, cases[i].seen_maximum - cases[i].seen_minimum + 1);
        assert_int_equal(texture->texture.level[0].width, 64 >> cases[i].seen_minimum);
        sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
    }
}

/* A buffer has what its header says, and nothing of the bits that are another version's. */
static void buffers_have_defaults(void **state)
{
    (void)state;
    uint32_t words[8];
    plain_header(words, BUFFER, BUFFERS, 0);
    put(words, 143, 128, 0);
    put(words, 111, 96, 99);
    put(words, 149, 144, 0x3f); /* bits of no field of a buffer, which images have */
    put(words, 149, 144, UINT64_MAX);
    put(words, 95, 88, UINT64_MAX);
    put(words, 127, 112, UINT64_MAX);
    put(words, 191, 157, UINT64_MAX);
    put(words, 255, 192, UINT64_MAX);
    struct sch_maxwell_texture *t = make(words, NULL, 0, 0);
    assert_int_equal(t->type, SCH_MAXWELL_ONE_D_BUFFER);
    assert_int_equal(t->target, SCH_TARGET_BUFFER);
    assert_int_equal(t->width, 99 << 16 | 1);
    assert_int_equal(t->height, 1);
    assert_int_equal(t->depth, 1);
    assert_int_equal(t->max_level, 0);
    assert_int_equal(t->view_min_level, 0);
    assert_int_equal(t->view_max_level, 0);
    assert_int_equal(t->samples, 1);
    assert_int_equal(t->sample_mode, 0);
    assert_int_equal(t->max_anisotropy, 1);
    assert_true(t->normalized && t->sampler_border && !t->use_header_options && !t->srgb);
    assert_true(t->lod_bias == 0 && t->texture.min_lod == 0);
    assert_int_equal(t->texture.levels, 1);
    assert_int_equal(t->texture.layers, 1);
    assert_int_equal(t->texture.level[0].width, 99 << 16 | 1);
    assert_int_equal(t->texture.level[0].height, 1);
    assert_int_equal(t->texture.level[0].depth, 1);
    sch_maxwell_texture_destroy(t, &sch_allocator_libc);
}

/* Which layout and types are not read is said by name. */
static void formats_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        unsigned components, types[4];
        const char *message;
    } rows[] = {{0x08,
                 {2, 1, 4, 7},
                 "COMPONENTS A8B8G8R8 is not read with R_, G_, B_ and A_DATA_TYPE UNORM, SNORM, UINT, FLOAT and these "
                 "sources"},
                {0x08,
                 {0, 1, 4, 7},
                 "COMPONENTS A8B8G8R8 is not read with R_, G_, B_ and A_DATA_TYPE (reserved), SNORM, UINT, FLOAT and "
                 "these sources"},
                {0x7f, {2, 2, 2, 2}, "COMPONENTS 0x7f, (reserved): texels of this layout are not read"}};
    for (unsigned i = 0; i < COUNT(rows); i++) {
        uint32_t words[8];
        struct sch_diagnostics list;
        struct sch_maxwell_texture *t;
        const struct sch_maxwell_memory none = {NULL, 0, 0};
        plain_header(words, BLOCK, TWO_D, 0);
        put(words, 6, 0, rows[i].components);
        for (unsigned c = 0; c < 4; c++) put(words, 9 + 3 * c, 7 + 3 * c, rows[i].types[c]);
        sch_diagnostics_init(&list, &sch_allocator_libc, 4);
        assert_int_equal(sch_maxwell_texture_create(words, &none, &sch_allocator_libc, 0, &list, &t),
                         SCH_ERROR_UNSUPPORTED);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].message, rows[i].message);
        sch_diagnostics_release(&list);
    }
}

/* Sizes up to the limits of the unit, and one more. */
static void sizes_have_limits(void **state)
{
    (void)state;
    static const struct {
        unsigned version, type;
        uint32_t width, height, depth;
        bool good;
    } rows[] = {
        {PITCH, ONE_D, 16384, 1, 1, true},     {PITCH, ONE_D, 16385, 1, 1, false},
        {PITCH, ONE_D, 1, 65536, 16384, true}, {PITCH, TWO_D, 1, 16384, 16384, true},
        {PITCH, TWO_D, 1, 16385, 1, false},    {BLOCK, ONE_ARRAY, 1, 1, 2048, true},
        {BLOCK, ONE_ARRAY, 1, 1, 2049, false}, {BLOCK, CUBE_ARRAY, 1, 1, 341, true},
        {BLOCK, CUBE_ARRAY, 1, 1, 342, false}, {BLOCK, CUBE, 2, 2, 2049, true},
        {BLOCK, THREE_D, 1, 1, 16384, true},   {PITCH, NO_MIP, 16384, 1, 1, true},
        {PITCH, NO_MIP, 16385, 1, 1, false},
    };
    for (unsigned i = 0; i < COUNT(rows); i++) {
        uint32_t words[8];
        struct sch_diagnostics list;
        struct sch_maxwell_texture *t;
        const struct sch_maxwell_memory none = {NULL, 0, 0};
        plain_header(words, rows[i].version, rows[i].type, 0);
        put_size(words, rows[i].width, rows[i].height, rows[i].depth);
        if (rows[i].version == PITCH) put(words, 111, 96, 0xffff);
        sch_diagnostics_init(&list, &sch_allocator_libc, 4);
        const enum sch_result status = sch_maxwell_texture_create(words, &none, &sch_allocator_libc, 0, &list, &t);
        if (status != (rows[i].good ? SCH_OK : SCH_ERROR_LIMIT)) fail_msg("row %u: %d", i, (int)status);
        assert_int_equal(list.count, !rows[i].good);
        if (list.count) assert_int_equal(list.items[0].code, SCH_D_TEXTURE_SIZE);
        sch_maxwell_texture_destroy(t, &sch_allocator_libc);
        sch_diagnostics_release(&list);
    }
    for (uint32_t width = (1 << 27) - 1; width <= (1 << 27) + 1;
         width++) { /* of a buffer; the memory is refused first */
        uint32_t words[8];
        struct sch_diagnostics list;
        struct sch_maxwell_texture *t;
        const struct sch_maxwell_memory none = {NULL, 0, 0};
        plain_header(words, BUFFER, BUFFERS, 0);
        put(words, 143, 128, (width - 1) & 0xffff);
        put(words, 111, 96, (width - 1) >> 16);
        sch_diagnostics_init(&list, &sch_allocator_libc, 4);
        assert_int_equal(sch_maxwell_texture_create(words, &none, &sch_allocator_libc, 1000, &list, &t),
                         SCH_ERROR_LIMIT);
        assert_int_equal(list.items[0].code, width > 1 << 27 ? SCH_D_TEXTURE_SIZE : SCH_D_TEXTURE_MEMORY);
        sch_diagnostics_release(&list);
    }
}

/* ---- the machine ---- */

static struct sch_maxwell_instruction query(unsigned index)
{
    char text[96];
    struct sch_maxwell_instruction in;
    size_t used;
    snprintf(text, sizeof text, "TXQ R4, R8, TEX_HEADER_DIMENSION, %u, 0x1;", index);
    assert_int_equal(sch_maxwell_parse(text, strlen(text), (struct sch_position){0}, NULL, &in, NULL, &used), SCH_OK);
    return in;
}

/* Textures are kept up to the limit, each once; a machine that could not be made is none. */
static void texels_are_counted(void **state)
{
    (void)state;
    enum { TEXTURES = 4, EACH = 64 };
    uint32_t pool[TEXTURES][8];
    static const uint32_t constants[TEXTURES] = {0, 1, 2, 3};
    for (unsigned i = 0; i < TEXTURES; i++) {
        plain_header(pool[i], BLOCK, TWO_D, 0);
        put_size(pool[i], 8, 4, 1);
        if (i) put(pool[i], 235, 232, 1); /* two samples */
        if (!i) put_size(pool[i], 16, 4, 1);
    }
    struct sch_maxwell_warp *warp = aligned_alloc(64, (sizeof *warp + 63) & ~(size_t)63);
    for (size_t limit = 0; limit <= 4 * EACH + 1; limit += limit ? 1 : EACH - 1) {
        const struct sch_maxwell_machine_options options = {.headers = pool,
                                                            .maximum_header = TEXTURES - 1,
                                                            .constants = constants,
                                                            .constant_words = TEXTURES,
                                                            .memory_limit = limit};
        struct sch_maxwell_machine *machine;
        struct sch_diagnostics list;
        assert_int_equal(sch_maxwell_machine_create(&options, &sch_allocator_libc, &machine), SCH_OK);
        sch_diagnostics_init(&list, &sch_allocator_libc, 16);
        memset(warp, 0, sizeof *warp);
        warp->active = UINT32_MAX;
        for (unsigned round = 0; round < 2; round++)
            for (unsigned i = 0; i < TEXTURES; i++) {
                const struct sch_maxwell_instruction in = query(i);
                const bool fits = !limit || (i + 1) * EACH <= limit;
                const size_t before = list.count;
                const enum sch_result status =
                    sch_maxwell_execute(machine, &in, warp, (struct sch_position){.line = 9}, &list);
                if (status != (fits ? SCH_OK : SCH_ERROR_LIMIT)) fail_msg("limit %zu, texture %u", limit, i);
                assert_int_equal(list.count - before, fits ? 0 : 2);
                if (fits) assert_int_equal(warp->registers[4].u[31], i ? 8 : 16);
                if (fits) continue;
                char message[80];
                snprintf(message, sizeof message, "this instruction names header %u, sampler 0", i);
                assert_int_equal(list.items[before].code, SCH_D_TEXTURE_MEMORY);
                assert_int_equal(list.items[before + 1].code, SCH_D_MAXWELL_RUN_HANDLE);
                assert_string_equal(list.items[before + 1].message, message);
                for (size_t k = before; k < list.count; k++) assert_int_equal(list.items[k].position.line, 9);
            }
        sch_diagnostics_release(&list);
        sch_maxwell_machine_destroy(machine);
    }
    free(warp);
    for (unsigned lanes = 1; lanes < 40; lanes++) {
        const struct sch_maxwell_machine_options options = {.lanes = lanes};
        struct sch_maxwell_machine *machine = (void *)pool;
        const bool good = lanes == 4 || lanes == 8 || lanes == 16;
        assert_int_equal(sch_maxwell_machine_create(&options, &sch_allocator_libc, &machine),
                         good ? SCH_OK : SCH_ERROR_ARGUMENT);
        assert_int_equal(machine != NULL, good);
        sch_maxwell_machine_destroy(machine);
    }
}

/* ---- every field counts, or is said not to ---- */

/* What docs/maxwell.md names as ignored. */
static bool ignored(const char *name)
{
    static const char *const names[] = {"COHERENCY_HASH",
                                        "SPARSE_ENABLE",
                                        "LOD_ANISO_QUALITY2",
                                        "LOD_ANISO_QUALITY",
                                        "LOD_ISO_QUALITY",
                                        "ANISO_COARSE_SPREAD_MODIFIER",
                                        "ANISO_SPREAD_SCALE",
                                        "DEPTH_TEXTURE",
                                        "ANISO_SPREAD_MAX_LOG2",
                                        "SECTOR_PROMOTION",
                                        "TRILIN_OPT",
                                        "ANISO_BIAS",
                                        "ANISO_FINE_SPREAD_FUNC",
                                        "ANISO_COARSE_SPREAD_FUNC",
                                        "ANISO_FINE_SPREAD_MODIFIER",
                                        "COLOR_KEY_VALUE",
                                        "MIN_LOD_CLAMP_BEHAVIOR_FOR_NEAREST_MIP"};
    for (unsigned i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* All that a texture says, texels included, as a text. */
static void describe(const uint32_t words[8], const struct sch_maxwell_memory *memory, char text[512])
{
    struct sch_maxwell_texture *t;
    enum sch_result status = sch_maxwell_texture_create(words, memory, &sch_allocator_libc, 1 << 22, NULL, &t);
    snprintf(text, 512, "status %d", (int)status);
    if (status != SCH_OK) return;
    uint64_t hash = 0xcbf29ce484222325;
    for (uint32_t i = 0; i < t->texture.levels; i++) {
        const struct sch_texture_level *level = &t->texture.level[i];
        uint64_t bytes = level->slice_bytes * level->depth * t->texture.layers * t->texture.samples;
        for (uint64_t k = 0; k < bytes; k++) hash = (hash ^ level->texels[k]) * 0x100000001b3;
    }
    snprintf(text, 512, "%u %u %u %u %u%u%u%u %u %x %x %x %x %d%d%d%d %g %u %u %u %u %u %u %u %u %u %u %u %u %g %llx",
             t->type, t->target, t->format, t->format_linear, t->swizzle[0], t->swizzle[1], t->swizzle[2],
             t->swizzle[3], t->fixed_mask, t->fixed[0], t->fixed[1], t->fixed[2], t->fixed[3], t->normalized, t->srgb,
             t->use_header_options, t->sampler_border, (double)t->lod_bias, t->max_anisotropy, t->width, t->height,
             t->depth, t->max_level, t->view_min_level, t->view_max_level, t->sample_mode, t->samples,
             t->texture.levels, t->texture.layers, t->texture.samples, (double)t->texture.min_lod,
             (unsigned long long)hash);
    sch_maxwell_texture_destroy(t, &sch_allocator_libc);
}

static void flip(uint32_t words[8], unsigned id, unsigned bit)
{
    sch_header_field_set(words, id, sch_header_field_get(words, id) ^ (UINT64_C(1) << bit));
}

/* A header of which every field could matter: 0 an array of levels, 1 a volume, 2 with a key, 3 rows, 4 a buffer. */
static void base_header(unsigned which, uint32_t words[8])
{
    static const unsigned kinds[][2] = {
        {BLOCK, TWO_ARRAY}, {BLOCK, THREE_D}, {BLOCK_KEY, TWO_D}, {PITCH, TWO_D}, {BUFFER, BUFFERS}};
    plain_header(words, kinds[which][0], kinds[which][1], 0x10000);
    put(words, 6, 0, 0x08);
    if (which == 4) return;
    put_size(words, 40, 40, which < 2 ? 6 : 1);
    if (which < 3) put(words, 101, 99, 2);
    if (which < 2) put_levels(words, 3, 1, 2);
    if (which == 1) put(words, 104, 102, 1);
    if (which == 3) put(words, 111, 96, 160 / 32);
}

static void every_field_of_a_header_counts(void **state)
{
    (void)state;
    struct sch_maxwell_memory memory = {random_memory(1 << 18), 0x8000, 1 << 18};
    for (unsigned id = 0; id < SCH_HEADER_FIELDS; id++) {
        const struct sch_header_field *field = &sch_header_fields[id];
        bool differs = false;
        for (unsigned which = 0; which < 5; which++) {
            uint32_t words[8];
            char before[512], after[512];
            base_header(which, words);
            describe(words, &memory, before);
            assert_int_not_equal(before[0], 's');
            if (!(field->owners & sch_header_owner_of(words, false))) continue;
            for (unsigned bit = 0; bit < sch_header_field_bits(field); bit++) {
                flip(words, id, bit);
                describe(words, &memory, after);
                flip(words, id, bit);
                differs |= strcmp(before, after) != 0;
            }
        }
        if (!(field->owners & SCH_HEADER_OWNER_SAMPLER) && differs == ignored(field->name))
            fail_msg("%s %s", field->name, differs ? "is not ignored" : "changes nothing");
    }
    free((void *)(uintptr_t)memory.data);
}

static void samplers_are_read_field_by_field(void **state)
{
    (void)state;
    static const unsigned wraps[8] = {
        SCH_WRAP_REPEAT, SCH_WRAP_MIRROR_REPEAT,        SCH_WRAP_CLAMP_TO_EDGE,          SCH_WRAP_CLAMP_TO_BORDER,
        SCH_WRAP_CLAMP,  SCH_WRAP_MIRROR_CLAMP_TO_EDGE, SCH_WRAP_MIRROR_CLAMP_TO_BORDER, SCH_WRAP_MIRROR_CLAMP};
    static const unsigned ratios[8] = {1, 2, 4, 6, 8, 10, 12, 16};
    for (unsigned round = 0; round < 5000; round++) {
        uint32_t w[8];
        for (unsigned i = 0; i < 8; i++) w[i] = random_word();
        struct sch_maxwell_sampler s;
        enum sch_result status = sch_maxwell_sampler_read(w, NULL, &s);
        unsigned mag = get(w, 34, 32), min = get(w, 37, 36), mip = get(w, 39, 38), cube = get(w, 41, 40);
        bool reserved = mag == 0 || mag > 4 || min == 0 || mip == 0 || get(w, 43, 42) == 3;
        if (mag == 3 || mag == 4) {
            assert_int_equal(status, SCH_ERROR_UNSUPPORTED);
            continue;
        }
        assert_int_equal(status, reserved ? SCH_ERROR_INVALID : SCH_OK);
        if (reserved) continue;
        for (unsigned i = 0; i < 3; i++) assert_int_equal(s.key.wrap[i], wraps[get(w, 2 + 3 * i, 3 * i)]);
        assert_int_equal(s.key.rules, SCH_RULES_MAXWELL);
        assert_int_equal(s.compare_function, get(w, 12, 10) + 1);
        assert_int_equal(s.key.compare, get(w, 9, 9) ? get(w, 12, 10) + 1 : 0);
        assert_int_equal(s.srgb, get(w, 13, 13));
        assert_int_equal(s.key.mag_linear, mag == 2);
        assert_int_equal(s.key.min_linear, min >= 2);
        assert_int_equal(s.key.mip, mip - 1);
        assert_int_equal(s.key.max_anisotropy, min == 1 ? 1 : ratios[get(w, 22, 20)]);
        assert_int_equal(s.key.seamless, cube >= 2);
        assert_int_equal(s.clamp_cube, cube == 1);
        assert_int_equal(s.key.reduction, get(w, 43, 42));
        assert_int_equal(s.key.unnormalized, get(w, 57, 57));
        int bias = (int)get(w, 56, 44);
        assert_true(s.values.lod_bias == (float)(bias > 4095 ? bias - 8192 : bias) / 256);
        assert_true(s.values.min_lod == (float)get(w, 75, 64) / 256);
        assert_true(s.values.max_lod == (float)get(w, 87, 76) / 256);
        for (unsigned i = 0; i < 4; i++) assert_int_equal(s.values.border[i], w[4 + i]);
        static const unsigned srgb[3][2] = {{95, 88}, {115, 108}, {123, 116}};
        for (unsigned i = 0; i < 3; i++) {
            float linear;
            memcpy(&linear, &s.border_srgb[i], sizeof linear);
            double c = (double)get(w, srgb[i][0], srgb[i][1]) / 255;
            assert_true(fabs(linear - (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4))) < 1e-7);
        }
    }
}

/* A header and a sampler together. */
static void lookups_take_their_state_from_both(void **state)
{
    (void)state;
    uint32_t words[8], sampler_words[8] = {0};
    struct sch_maxwell_sampler sampler;
    struct sch_sampler_key key;
    struct sch_sampler_values values;
    put(sampler_words, 8, 0, 0333); /* border on all axes */
    put(sampler_words, 13, 13, 1);
    put(sampler_words, 22, 20, 7);
    put(sampler_words, 39, 32, 0xe2); /* linear, aniso, mip linear */
    put(sampler_words, 56, 44, 0x100);
    put(sampler_words, 95, 88, 255);
    for (unsigned i = 0; i < 4; i++) put(sampler_words, 159 + 32 * i, 128 + 32 * i, 10 + i);
    assert_int_equal(sch_maxwell_sampler_read(sampler_words, NULL, &sampler), SCH_OK);

    plain_header(words, BLOCK, TWO_D, 0);
    put(words, 6, 0, 0x13);  /* A5B5G5R1: the unit's components are in the other order */
    put(words, 221, 219, 1); /* 2:1 */
    struct sch_maxwell_texture *texture = make(words, NULL, 0, 0);
    assert_int_equal(sch_maxwell_lookup_state(texture, &sampler, NULL, &key, &values), SCH_OK);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(values.border[texture->swizzle[i]], 10 + i);
    assert_int_equal(key.max_anisotropy, 16);
    assert_int_equal(key.mip, 2);
    assert_true(values.lod_bias == 1);
    texture->use_header_options = true;
    texture->normalized = false;
    assert_int_equal(sch_maxwell_lookup_state(texture, &sampler, NULL, &key, &values), SCH_OK);
    assert_int_equal(key.max_anisotropy, 2);
    assert_true(values.lod_bias == 0);
    assert_true(key.unnormalized && key.mip == 0);
    assert_int_equal(sch_texture_key_check(&key, (struct sch_position){0}, NULL), SCH_OK);
    texture->sampler_border = false;
    assert_int_equal(sch_maxwell_lookup_state(texture, &sampler, NULL, &key, &values), SCH_ERROR_UNSUPPORTED);
    sch_maxwell_texture_destroy(texture, &sch_allocator_libc);

    plain_header(words, BLOCK, TWO_D, 0);
    put(words, 6, 0, 0x1d); /* R8: the other components have no border */
    texture = make(words, NULL, 0, 0);
    assert_int_equal(sch_maxwell_lookup_state(texture, &sampler, NULL, &key, &values), SCH_OK);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(values.border[i], i == 0 ? 10 : 0);
    sch_maxwell_texture_destroy(texture, &sch_allocator_libc);

    plain_header(words, BLOCK, CUBE, 0);
    put(words, 6, 0, 0x08);
    put(words, 150, 150, 1);
    texture = make(words, NULL, 0, 0);
    assert_int_equal(sch_maxwell_lookup_state(texture, &sampler, NULL, &key, &values), SCH_OK);
    assert_int_equal(key.format, SCH_FORMAT_R8G8B8A8_SRGB);
    assert_int_equal(values.border[0], 0x3f800000); /* the sRGB colour's R, and the other's A */
    assert_int_equal(values.border[3], 13);
    assert_int_equal(key.wrap[0], SCH_WRAP_CLAMP_TO_BORDER);
    sampler.srgb = false;
    sampler.clamp_cube = true;
    assert_int_equal(sch_maxwell_lookup_state(texture, &sampler, NULL, &key, &values), SCH_OK);
    assert_int_equal(key.format, SCH_FORMAT_R8G8B8A8_UNORM);
    assert_int_equal(values.border[0], 10);
    assert_int_equal(key.wrap[0], SCH_WRAP_CLAMP_TO_EDGE);
    sampler.key.unnormalized = 1;
    assert_int_equal(sch_maxwell_lookup_state(texture, &sampler, NULL, &key, &values), SCH_ERROR_UNSUPPORTED);
    sch_maxwell_texture_destroy(texture, &sch_allocator_libc);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_say_how_they_are_filtered),
        cmocka_unit_test(views_end_with_the_texture),
        cmocka_unit_test(buffers_have_defaults),
        cmocka_unit_test(formats_are_refused_by_name),
        cmocka_unit_test(sizes_have_limits),
        cmocka_unit_test(texels_are_counted),
        cmocka_unit_test(every_field_of_a_header_counts),
        cmocka_unit_test(samplers_are_read_field_by_field),
        cmocka_unit_test(lookups_take_their_state_from_both),
    };
    return cmocka_run_group_tests_name("maxwell_states", tests, NULL, NULL);
}
