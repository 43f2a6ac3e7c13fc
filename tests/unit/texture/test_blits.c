/* Clears, blits and mip chains: random ones of every target, texel by texel against a model written from
 * docs/resources.md: places in exact fractions, codecs and means of texel_reference.c, filters of
 * texture_reference.c. */
#include "../support/resource_support.h"

#include "../support/texel_reference.h"
#include "../support/texture_reference.h"

/* ---- the model ---- */

static uint32_t below(uint32_t limit) { return limit ? random_word() % limit : 0; }
static int32_t between(int32_t low, int32_t high) { return low + (int32_t)below((uint32_t)(high - low + 1)); }

static const struct ref_row *row_of(const char *name)
{
    const struct ref_row *rows;
    unsigned count = ref_rows(&rows);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    fail_msg("no format %s", name);
    return NULL;
}

struct world {
    struct shape shape;
    const struct ref_row *row;
    struct sch_resource *resource;
    size_t bytes;
    uint8_t *texels;
};

static struct world make_world(struct sch_context *context, const struct shape *shape, const char *name)
{
    struct world world = {.shape = *shape, .row = row_of(name), .resource = make(context, shape, format(name))};
    world.bytes = sch_resource_bytes(world.resource);
    world.texels = malloc(world.bytes);
    assert_non_null(world.texels);
    for (size_t i = 0; i < world.bytes; i++) world.texels[i] = (uint8_t)random_word();
    assert_int_equal(sch_resource_write_all(world.resource, world.texels, world.bytes), SCH_OK);
    return world;
}

/* Whether the resource is what the model says; says where it is not. */
static bool is_right(const struct world *world)
{
    uint8_t *now = malloc(world->bytes);
    size_t at = 0;
    assert_non_null(now);
    assert_int_equal(sch_resource_read_all(world->resource, now, world->bytes), SCH_OK);
    while (at < world->bytes && now[at] == world->texels[at]) at++;
    if (at < world->bytes)
        print_message("byte %zu of %zu: %02x, not %02x\n", at, world->bytes, now[at], world->texels[at]);
    free(now);
    return at == world->bytes;
}

static void end_world(struct world *world)
{
    sch_resource_destroy(world->resource);
    free(world->texels);
}

static uint32_t layers_of(const struct shape *shape, uint32_t level)
{
    return shape->target == SCH_TARGET_3D ? halved(shape->depth, level) : shape->layers;
}

/* Texel x of row y; of subsampled formats its block. */
static uint8_t *texel_at(const struct world *world, uint32_t level, uint32_t layer, uint32_t sample, uint32_t x,
                         uint32_t y)
{
    const struct shape *shape = &world->shape;
    const uint32_t width = world->row->width, bytes = world->row->bytes;
    const size_t line = (halved(shape->width, level) + width - 1) / width * bytes;
    return world->texels + place_of(shape, level, (size_t)layer * shape->samples + sample, width, bytes) + y * line +
           x / width * bytes;
}

static uint32_t parts_of(const struct ref_row *row)
{
    if (!ref_is_depth(row)) return SCH_PART_COLOR;
    return (row->swizzle[0] != '_' ? SCH_PART_DEPTH : 0u) | (row->swizzle[1] != '_' ? SCH_PART_STENCIL : 0u);
}

static unsigned components_of(const struct ref_row *row, uint32_t parts)
{
    if (!ref_is_depth(row)) return parts & SCH_PART_COLOR;
    return (parts & SCH_PART_DEPTH ? 1u : 0u) | (parts & SCH_PART_STENCIL ? 2u : 0u);
}

/* ---- clears ---- */

static struct sch_box any_box(const struct shape *shape, uint32_t level)
{
    const uint32_t width = halved(shape->width, level), height = halved(shape->height, level),
                   depth = layers_of(shape, level), x = below(width), y = below(height), z = below(depth);
    return (struct sch_box){(int32_t)x,
                            (int32_t)y,
                            (int32_t)z,
                            1 + (int32_t)below(width - x),
                            1 + (int32_t)below(height - y),
                            1 + (int32_t)below(depth - z)};
}

static void model_clear(struct world *world, const struct ref_row *row, const struct sch_clear *clear)
{
    const struct sch_box *box = &clear->box;
    uint32_t value[4];
    memcpy(value, clear->color.u, sizeof value);
    if (ref_is_depth(row)) {
        memcpy(value, &clear->depth, sizeof clear->depth);
        value[1] = clear->stencil & 255;
    }
    const unsigned components = components_of(row, clear->parts ? clear->parts : UINT32_MAX);
    for (uint32_t z = 0; z < (uint32_t)box->depth; z++)
        for (uint32_t s = 0; s < world->shape.samples; s++)
            for (uint32_t y = 0; y < (uint32_t)box->height; y++)
                for (uint32_t x = 0; x < (uint32_t)box->width; x++) {
                    uint8_t *texel = texel_at(world, clear->level, (uint32_t)box->z + z, s, (uint32_t)box->x + x,
                                              (uint32_t)box->y + y);
                    if (clear->block)
                        memcpy(texel, clear->block, clear->block_bytes);
                    else
                        ref_write(row, components, value, texel);
                }
}

/* Every format that is encoded, and another of the same bytes. */
static void boxes_are_cleared(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    const struct ref_row *rows;
    unsigned count = ref_rows(&rows), formats = 0;
    for (unsigned r = 0; r < count; r++) {
        if (!ref_is_written(&rows[r])) continue;
        formats++;
        struct world world = make_world(context, &shapes[1 + r % (COUNT(shapes) - 1)], rows[r].name);
        for (unsigned n = 0; n < 4; n++) {
            const struct ref_row *as = &rows[r];
            if (n == 3)
                for (unsigned o = 0; o < count; o++)
                    if (ref_is_written(&rows[o]) && rows[o].bytes == as->bytes && below(8) == 0) as = &rows[o];
            struct sch_clear clear = {.size = sizeof clear,
                                      .level = below(world.shape.levels),
                                      .format = as == &rows[r] ? 0 : (int)as->number,
                                      .depth = (float)below(1000) / 999.0f,
                                      .stencil = random_word()};
            clear.box = any_box(&world.shape, clear.level);
            clear.parts = n ? random_word() & 63 : 0;
            const bool integer = ref_is_integer(as);
            for (unsigned c = 0; c < 4; c++)
                if (integer)
                    clear.color.u[c] = random_word() >> below(32);
                else
                    clear.color.f[c] = (float)between(-100, 1100) / 999.0f;
            assert_int_equal(sch_resource_clear(world.resource, &clear, NULL), SCH_OK);
            model_clear(&world, as, &clear);
            if (!is_right(&world)) fail_msg("%s as %s, parts %x", rows[r].name, as->name, clear.parts);
        }
        end_world(&world);
    }
    assert_true(formats > 200);
    sch_context_destroy(context);
}

/* Rows of more texels than are written at once, and rows, layers and samples that follow each other without a gap;
 * some of the bits of each texel, and all. */
static void long_rows_are_cleared(void **state)
{
    (void)state;
    static const char *const names[] = {"Z24_UNORM_S8_UINT", "Z32_FLOAT_S8X24_UINT", "R8G8B8_UNORM", "R32G32B32_FLOAT"};
    static const struct shape shapes_of_rows[] = {{SCH_TARGET_2D_ARRAY, 1500, 2, 1, 3, 1, 1},
                                                  {SCH_TARGET_2D_ARRAY, 37, 64, 1, 5, 1, 1},
                                                  {SCH_TARGET_2D_MSAA, 700, 3, 1, 1, 1, 4}};
    struct sch_context *context = make_context(0, NULL);
    for (size_t n = 0; n < 6 * COUNT(names) * COUNT(shapes_of_rows); n++) {
        const struct shape *shape = &shapes_of_rows[n / COUNT(names) % COUNT(shapes_of_rows)];
        struct world world = make_world(context, shape, names[n % COUNT(names)]);
        const bool depths = ref_is_depth(world.row), all = n / (COUNT(names) * COUNT(shapes_of_rows)) % 2;
        struct sch_clear clear = {.size = sizeof clear,
                                  .parts = !depths ? SCH_PART_COLOR
                                           : n % 3 ? SCH_PART_DEPTH
                                                   : SCH_PART_STENCIL,
                                  .color.f = {0.25f, 0.5f, 0.75f, 1.0f},
                                  .depth = 0.625f,
                                  .stencil = 1 + below(255)};
        clear.box = (struct sch_box){0, 0, 0, (int32_t)shape->width, (int32_t)shape->height, (int32_t)shape->layers};
        if (!all) clear.box = any_box(shape, 0);
        assert_int_equal(sch_resource_clear(world.resource, &clear, NULL), SCH_OK);
        model_clear(&world, world.row, &clear);
        if (!is_right(&world)) fail_msg("%s, parts %x", world.row->name, clear.parts);
        end_world(&world);
    }
    sch_context_destroy(context);
}

/* Blocks as they are; of formats that are not encoded, too. */
static void blocks_are_repeated(void **state)
{
    (void)state;
    static const char *const names[] = {"R8_UNORM",          "R5G6B5_UNORM",   "R8G8B8_UNORM",    "R8G8Bx_SNORM",
                                        "Z16_UNORM_S8_UINT", "R16G16B16_UINT", "R32G32B32_FLOAT", "R32G32B32A32_SINT"};
    struct sch_context *context = make_context(0, NULL);
    for (size_t n = 0; n < COUNT(names) * COUNT(shapes); n++) {
        struct world world = make_world(context, &shapes[n % COUNT(shapes)], names[n / COUNT(shapes)]);
        uint8_t block[16];
        for (unsigned i = 0; i < 16; i++) block[i] = (uint8_t)random_word();
        struct sch_clear clear = {
            .size = sizeof clear, .level = below(world.shape.levels), .block = block, .block_bytes = world.row->bytes};
        clear.box = any_box(&world.shape, clear.level);
        assert_int_equal(sch_resource_clear(world.resource, &clear, NULL), SCH_OK);
        model_clear(&world, world.row, &clear);
        assert_true(is_right(&world));
        end_world(&world);
    }
    /* Without a word level 0 becomes zeros; pairs of texels are blocks. */
    const struct shape shape = {SCH_TARGET_2D, 5, 3, 1, 1, 2, 1};
    struct world world = make_world(context, &shape, "R8_UINT"), pairs = make_world(context, &shape, "YUYV");
    assert_int_equal(sch_resource_clear(world.resource, NULL, NULL), SCH_OK);
    memset(world.texels, 0, 15);
    assert_true(is_right(&world));
    const uint8_t pair[4] = {1, 2, 3, 4};
    const struct sch_clear all = {.size = sizeof all, .block = pair, .block_bytes = 4};
    assert_int_equal(sch_resource_clear(pairs.resource, &all, NULL), SCH_OK);
    for (unsigned i = 0; i < 9; i++) memcpy(pairs.texels + 4 * i, pair, 4);
    assert_true(is_right(&pairs));
    end_world(&pairs);
    end_world(&world);
    sch_context_destroy(context);
}

/* ---- blits ---- */

/* Whether texel d of the destination has a place along an axis; the texel that its centre lies in, and the centre in
 * 1/256 texels. */
static bool find_place(int64_t d, int64_t to, int64_t to_side, int64_t from, int64_t from_side, uint32_t texels,
                       int64_t *texel, int64_t *centre)
{
    const int64_t low = to_side < 0 ? to + to_side : to, high = to_side < 0 ? to : to + to_side;
    if (d < low || d >= high) return false;
    ref_wide n = (ref_wide)(2 * (d - to) + 1) * from_side + (ref_wide)from * 2 * to_side, q = (ref_wide)2 * to_side;
    if (q < 0) n = -n, q = -q;
    if (n < 0 || n >= q * texels) return false;
    *texel = (int64_t)(n / q);
    *centre = (int64_t)(256 * n / q);
    const ref_wide rest = 256 * n % q * 2;
    if (rest > q || (rest == q && *centre % 2)) ++*centre;
    return true;
}

/* What a blit reads: the source as it was before. */
struct source {
    const struct world *world;
    const struct ref_row *row;
    uint32_t level;
};

/* The mean of a texel's samples, as a block of the source's format. */
static void mean_of_samples(const struct source *from, uint32_t layer, uint32_t x, uint32_t y, uint8_t *block)
{
    struct ref_mean mean = {.columns = 1, .rows = from->world->shape.samples, .column_weight = {1}};
    for (uint32_t s = 0; s < mean.rows; s++) {
        mean.texel[s][0] = texel_at(from->world, from->level, layer, s, x, y);
        mean.row_weight[s] = 1;
    }
    memset(block, 0, from->row->bytes);
    ref_write_mean(from->row, 15, &mean, block);
}

/* One layer and sample (slices: of all), filtered at a centre. `resolved`: of means of the samples. */
static void filtered(const struct source *from, bool resolved, uint32_t layer, uint32_t sample, const int64_t centre[3],
                     uint32_t value[4])
{
    const struct shape *shape = &from->world->shape;
    const bool slices = shape->target == SCH_TARGET_3D;
    const uint32_t width = halved(shape->width, from->level), height = halved(shape->height, from->level),
                   depth = slices ? halved(shape->depth, from->level) : 1, block = from->row->width;
    const uint32_t line = (width + block - 1) / block * from->row->bytes;
    uint8_t *texels = malloc((size_t)line * height * depth);
    assert_non_null(texels);
    for (uint32_t z = 0; z < depth; z++)
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < width; x += block) {
                uint8_t *to = texels + ((size_t)z * height + y) * line + x / block * from->row->bytes;
                if (resolved)
                    mean_of_samples(from, layer, x, y, to);
                else
                    memcpy(to, texel_at(from->world, from->level, slices ? z : layer, sample, x, y), from->row->bytes);
            }
    const struct sch_texture texture = {.levels = 1,
                                        .layers = 1,
                                        .samples = 1,
                                        .level = {{texels, width, height, depth, line, (uint64_t)line * height, NULL}}};
    const struct sch_sampler_key key = {
        .format = (uint16_t)from->row->number,
        .target = slices ? SCH_TARGET_3D : SCH_TARGET_2D,
        .wrap = {SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_EDGE},
        .min_linear = 1,
        .mag_linear = 1,
        .unnormalized = 1,
        .swizzle = {0, 1, 2, 3}};
    const struct sch_sampler_values values = {0};
    struct ref_lookup lookup = {.format = ref_format_of(from->row->number),
                                .texture = &texture,
                                .key = &key,
                                .values = &values,
                                .lod_mode = SCH_LOD_ZERO};
    for (unsigned a = 0; a < 3; a++) lookup.at[a] = (float)centre[a] / 256.0f;
    ref_sample(&lookup, value);
    free(texels);
}

/* How one texel of the destination comes to be. */
static void blit_texel(const struct source *from, const struct ref_row *to, const struct sch_blit *blit, bool linear,
                       bool resolved, unsigned components, uint32_t sample, const int64_t texel[3],
                       const int64_t centre[3], uint8_t *block)
{
    const uint32_t layer = (uint32_t)texel[2], x = (uint32_t)texel[0], y = (uint32_t)texel[1];
    uint8_t mean[REF_BLOCK_BYTES];
    uint32_t value[4];
    (void)blit;
    if (linear) {
        filtered(from, resolved, layer, sample, centre, value);
        ref_write(to, components, value, block);
        return;
    }
    const uint8_t *source = texel_at(from->world, from->level, layer, sample, x, y);
    if (resolved) {
        mean_of_samples(from, layer, x, y, mean);
        source = mean;
    }
    if (from->row == to && (strcmp(to->name, "R9G9B9E5_FLOAT") || (components & 7) == 7)) {
        uint8_t old[REF_BLOCK_BYTES];
        memcpy(old, block, to->bytes);
        memset(block, 0, to->bytes);
        for (unsigned i = 0; i < to->channels; i++) { /* bits move */
            const char *reads = strchr(to->swizzle, "xyzw"[i]);
            const bool is_void = !reads || to->channel[i].type[0] == 'x';
            const bool moved = is_void ? !ref_is_depth(to) : components >> (reads - to->swizzle) & 1;
            ref_put_channel(to, block, i, ref_channel_at(to, moved ? source : old, i));
        }
        return;
    }
    ref_components(from->row, source, x, value);
    ref_write(to, components, value, block);
}

static bool is_zero(const struct sch_box *box)
{
    return !box->x && !box->y && !box->z && !box->width && !box->height && !box->depth;
}

static void model_blit(struct world *to, const struct ref_row *to_row, const struct world *from,
                       const struct ref_row *from_row, const struct sch_blit *blit)
{
    struct world before = *from;
    before.texels = malloc(from->bytes);
    assert_non_null(before.texels);
    memcpy(before.texels, from->texels, from->bytes);
    const struct source source = {&before, from_row, blit->source_level};
    const uint32_t size[3] = {halved(to->shape.width, blit->level), halved(to->shape.height, blit->level),
                              layers_of(&to->shape, blit->level)},
                   from_size[3] = {halved(from->shape.width, blit->source_level),
                                   halved(from->shape.height, blit->source_level),
                                   layers_of(&from->shape, blit->source_level)};
    int64_t corner[3] = {blit->box.x, blit->box.y, blit->box.z},
            side[3] = {blit->box.width, blit->box.height, blit->box.depth},
            from_corner[3] = {blit->source.x, blit->source.y, blit->source.z},
            from_side[3] = {blit->source.width, blit->source.height, blit->source.depth};
    bool same = true, empty = false;
    for (unsigned a = 0; a < 3; a++) {
        if (is_zero(&blit->box)) side[a] = size[a];
        if (is_zero(&blit->source)) from_side[a] = from_size[a];
        if (llabs(side[a]) != llabs(from_side[a])) same = false;
        if (!side[a] || !from_side[a]) empty = true;
    }
    const uint32_t parts = parts_of(to_row) & parts_of(from_row) & (blit->parts ? blit->parts : UINT32_MAX);
    const unsigned components = components_of(to_row, parts);
    const bool linear = blit->filter == SCH_FILTER_LINEAR && !same;
    const bool resolved = from->shape.samples > to->shape.samples && !blit->first_sample && !ref_is_depth(from_row) &&
                          !ref_is_integer(from_row);
    for (int64_t z = 0; z < size[2] && parts && !empty; z++)
        for (int64_t y = 0; y < size[1]; y++)
            for (int64_t x = 0; x < size[0]; x++) {
                const int64_t at[3] = {x, y, z};
                int64_t texel[3], centre[3];
                bool written = true;
                for (unsigned a = 0; a < 3; a++)
                    if (!find_place(at[a], corner[a], side[a], from_corner[a], from_side[a], from_size[a], &texel[a],
                                    &centre[a]))
                        written = false;
                const int32_t *scissor = blit->scissor;
                if (blit->scissored && (x < scissor[0] || x >= scissor[2] || y < scissor[1] || y >= scissor[3]))
                    written = false;
                for (uint32_t s = 0; s < to->shape.samples && written; s++)
                    blit_texel(&source, to_row, blit, linear, resolved, components,
                               from->shape.samples == to->shape.samples ? s : 0, texel, centre,
                               texel_at(to, blit->level, (uint32_t)z, s, (uint32_t)x, (uint32_t)y));
            }
    free(before.texels);
}

/* A side and corner along an axis: often the whole, a part, beyond the level, mirrored, empty or huge. */
static void any_axis(uint32_t size, int32_t *corner, int32_t *side)
{
    const int32_t most = (int32_t)size;
    switch (below(8)) {
    case 0:
        *corner = 0;
        *side = most;
        break;
    case 1:
        *corner = between(-2 * most, 2 * most);
        *side = between(-3 * most, 3 * most);
        break;
    case 2:
        *corner = most;
        *side = -most;
        break;
    case 3:
        *corner = below(2) ? INT32_MIN : between(-1000000, 0);
        *side = INT32_MAX;
        break;
    default:
        *corner = between(0, most - 1);
        *side = between(1, most - *corner);
    }
}

static struct sch_box any_blit_box(const struct shape *shape, uint32_t level)
{
    struct sch_box box;
    any_axis(halved(shape->width, level), &box.x, &box.width);
    any_axis(halved(shape->height, level), &box.y, &box.height);
    any_axis(layers_of(shape, level), &box.z, &box.depth);
    return box;
}

static struct sch_blit any_blit(const struct world *to, const struct world *from)
{
    struct sch_blit blit = {.size = sizeof blit,
                            .level = below(to->shape.levels),
                            .source_level = below(from->shape.levels),
                            .parts = below(3) ? 0 : random_word() & 63,
                            .first_sample = below(4) == 0,
                            .scissored = below(4) == 0};
    blit.box = any_blit_box(&to->shape, blit.level);
    blit.source = any_blit_box(&from->shape, blit.source_level);
    if (below(3) == 0) { /* as large as each other */
        blit.source.width = below(2) ? blit.box.width : blit.box.width == INT32_MIN ? 1 : -blit.box.width;
        blit.source.height = blit.box.height;
        blit.source.depth = blit.box.depth;
    }
    if (below(8) == 0) blit.box = (struct sch_box){0};
    if (below(8) == 0) blit.source = (struct sch_box){0};
    const bool floats = !ref_is_depth(from->row) && !ref_is_integer(from->row);
    if (floats && ref_format_of(from->row->number) && below(2)) /* the reference has no R8G8Bx_SNORM */
        blit.filter = SCH_FILTER_LINEAR;
    if (parts_of(from->row) & SCH_PART_DEPTH && below(4) == 0) {
        blit.parts = SCH_PART_DEPTH;
        blit.filter = SCH_FILTER_LINEAR;
    }
    for (unsigned i = 0; i < 4; i++) blit.scissor[i] = between(-2, 12);
    return blit;
}

/* Pairs that are converted; pairs of one format are in between. */
static const char *const pairs[][2] = {
    {"R8G8B8A8_UNORM", "R8G8B8A8_UNORM"},
    {"B8G8R8A8_UNORM", "R8G8B8A8_UNORM"},
    {"R8G8B8A8_SRGB", "R8G8B8A8_UNORM"},
    {"R8G8B8A8_UNORM", "B8G8R8A8_SRGB"},
    {"R5G6B5_UNORM", "R16G16B16A16_FLOAT"},
    {"R32G32B32A32_FLOAT", "R10G10B10A2_UNORM"},
    {"R8G8B8A8_SNORM", "R16G16_SNORM"},
    {"R11G11B10_FLOAT", "R32G32B32_FLOAT"},
    {"R9G9B9E5_FLOAT", "R9G9B9E5_FLOAT"},
    {"L8A8_UNORM", "R8G8B8A8_UNORM"},
    {"R16_UNORM", "A8_UNORM"},
    {"R32_FLOAT", "R32_FLOAT"},
    {"R8G8B8X8_UNORM", "R8G8B8A8_UNORM"},
    {"R16G16B16A16_UNORM", "YUYV"},
    {"R8G8B8A8_UNORM", "R8G8Bx_SNORM"},
    {"R16G16_USCALED", "R32_FIXED"},
    {"R8G8B8A8_UINT", "R32G32B32A32_UINT"},
    {"R16G16_SINT", "R32_SINT"},
    {"R32_UINT", "R10G10B10A2_UINT"},
    {"R8_SINT", "R8_SINT"},
    {"Z24_UNORM_S8_UINT", "Z24_UNORM_S8_UINT"},
    {"Z32_FLOAT_S8X24_UINT", "S8_UINT_Z24_UNORM"},
    {"Z16_UNORM", "Z32_FLOAT"},
    {"Z24X8_UNORM", "Z16_UNORM_S8_UINT"},
    {"S8_UINT", "Z24_UNORM_S8_UINT"},
    {"Z32_UNORM", "X8Z24_UNORM"},
    {"Z32_FLOAT_S8X24_UINT", "X24S8_UINT"},
    {"R8G8B8A8_UNORM", "Z24_UNORM_S8_UINT"},
    {"R3G3B2_UNORM", "R5G5B5A1_UNORM"},
    {"R8_UNORM", "R8_UNORM"},
    {"R64_UINT", "R64_UINT"},
    {"R64G64_SINT", "R64_SINT"},
    {"R64_FLOAT", "R64G64_FLOAT"},
    {"R16G16B16A16_UNORM", "Y210"},
    {"R8_UNORM", "R1_UNORM"},
    {"AYUV", "Y410"},
};

static const struct shape blit_shapes[] = {
    {SCH_TARGET_1D, 13, 1, 1, 1, 3, 1},       {SCH_TARGET_2D, 7, 9, 1, 1, 3, 1},
    {SCH_TARGET_3D, 5, 4, 6, 1, 2, 1},        {SCH_TARGET_CUBE, 6, 6, 1, 6, 2, 1},
    {SCH_TARGET_RECT, 40, 3, 1, 1, 1, 1},     {SCH_TARGET_1D_ARRAY, 9, 1, 1, 5, 2, 1},
    {SCH_TARGET_2D_ARRAY, 6, 5, 1, 4, 2, 1},  {SCH_TARGET_CUBE_ARRAY, 4, 4, 1, 12, 2, 1},
    {SCH_TARGET_2D_MSAA, 6, 5, 1, 1, 1, 4},   {SCH_TARGET_2D_ARRAY_MSAA, 5, 3, 1, 3, 1, 4},
    {SCH_TARGET_2D_MSAA, 35, 2, 1, 1, 1, 16}, {SCH_TARGET_2D_MSAA, 3, 3, 1, 1, 1, 1},
};

static void check_blit(struct world *to, struct world *from)
{
    const struct sch_blit blit = any_blit(to, from);
    assert_int_equal(sch_resource_blit(to->resource, from->resource, &blit, NULL), SCH_OK);
    model_blit(to, to->row, from, from->row, &blit);
    if (is_right(to)) return;
    fail_msg(
        "%s (target %d, %u samples) to %s (target %d, %u samples): level %u, box %d %d %d %d %d %d to level %u, box "
        "%d %d %d %d %d %d, filter %d, parts %x",
        from->row->name, from->shape.target, from->shape.samples, to->row->name, to->shape.target, to->shape.samples,
        blit.source_level, blit.source.x, blit.source.y, blit.source.z, blit.source.width, blit.source.height,
        blit.source.depth, blit.level, blit.box.x, blit.box.y, blit.box.z, blit.box.width, blit.box.height,
        blit.box.depth, blit.filter, blit.parts);
}

static void texels_are_stretched(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t p = 0; p < COUNT(pairs); p++)
        for (unsigned n = 0; n < 24; n++) {
            const struct shape *here, *there;
            do here = &blit_shapes[below(COUNT(blit_shapes))];
            while (!ref_is_written(row_of(pairs[p][1])) && here->samples > 1); /* no means */
            do there = &blit_shapes[below(COUNT(blit_shapes))];
            while (here->samples != there->samples && here->samples > 1 && there->samples > 1);
            struct world from = make_world(context, here, pairs[p][1]), to = make_world(context, there, pairs[p][0]);
            for (unsigned i = 0; i < 4; i++) check_blit(&to, &from);
            assert_true(is_right(&from));
            end_world(&to);
            end_world(&from);
        }
    sch_context_destroy(context);
}

/* A level onto itself, or onto another of the same resource. */
static void overlapping_blits_read_what_was(void **state)
{
    (void)state;
    static const char *const names[] = {"R8G8B8A8_UNORM", "R32_FLOAT", "Z24_UNORM_S8_UINT", "R16_SINT"};
    struct sch_context *context = make_context(0, NULL);
    for (size_t n = 0; n < COUNT(names); n++)
        for (size_t s = 0; s < COUNT(blit_shapes); s++) {
            struct world world = make_world(context, &blit_shapes[s], names[n]);
            for (unsigned i = 0; i < 24; i++) check_blit(&world, &world);
            end_world(&world);
        }
    sch_context_destroy(context);
}

/* Levels taken for other formats of as many bytes. */
static void formats_of_blits_are_asked(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"R8G8B8A8_SRGB", "R8G8B8A8_UNORM"},
                                           {"R8G8B8A8_UNORM", "B8G8R8A8_SRGB"},
                                           {"R32_FLOAT", "R16G16_UNORM"},
                                           {"X24S8_UINT", "X24S8_UINT"}};
    struct sch_context *context = make_context(0, NULL);
    for (size_t n = 0; n < COUNT(names); n++)
        for (unsigned i = 0; i < 20; i++) {
            const bool stencil = n == 3;
            const char *stored = stencil ? "Z24_UNORM_S8_UINT" : "R8G8B8A8_UINT";
            struct world to = make_world(context, &blit_shapes[1], stored),
                         from = make_world(context, &blit_shapes[6], stored);
            struct sch_blit blit = any_blit(&to, &from);
            const struct ref_row *to_row = row_of(names[n][0]), *from_row = row_of(names[n][1]);
            blit.format = (int)to_row->number;
            blit.source_format = (int)from_row->number;
            blit.filter = stencil || i % 2 ? SCH_FILTER_NEAREST : SCH_FILTER_LINEAR;
            assert_int_equal(sch_resource_blit(to.resource, from.resource, &blit, NULL), SCH_OK);
            model_blit(&to, to_row, &from, from_row, &blit);
            assert_true(is_right(&to));
            end_world(&from);
            end_world(&to);
        }
    sch_context_destroy(context);
}

/* ---- mip chains ---- */

static void cover(uint32_t size, uint32_t i, unsigned *count, uint32_t at[3], int64_t weight[3])
{
    const uint32_t half = size / 2;
    const int64_t odd[3] = {(int64_t)half - i, half, (int64_t)i + 1};
    *count = size == 1 ? 1 : size % 2 ? 3 : 2;
    for (unsigned n = 0; n < *count; n++) {
        at[n] = 2 * i + n;
        weight[n] = *count == 3 ? odd[n] : 1;
    }
}

static void model_level(struct world *world, const struct ref_row *row, uint32_t level, uint32_t first, uint32_t count)
{
    const struct shape *shape = &world->shape;
    const bool slices = shape->target == SCH_TARGET_3D;
    for (uint32_t z = first; z < first + count; z++)
        for (uint32_t y = 0; y < halved(shape->height, level); y++)
            for (uint32_t x = 0; x < halved(shape->width, level); x++) {
                unsigned columns, rows, depth = 1;
                uint32_t at[3][3] = {{0}, {0}, {z}};
                int64_t weight[3][3] = {{0}, {0}, {1}};
                cover(halved(shape->width, level - 1), x, &columns, at[0], weight[0]);
                cover(halved(shape->height, level - 1), y, &rows, at[1], weight[1]);
                if (slices) cover(halved(shape->depth, level - 1), z, &depth, at[2], weight[2]);
                struct ref_mean mean = {.columns = columns, .rows = rows * depth};
                memcpy(mean.column_weight, weight[0], sizeof mean.column_weight);
                for (unsigned d = 0; d < depth; d++)
                    for (unsigned r = 0; r < rows; r++) {
                        mean.row_weight[d * rows + r] = weight[2][d] * weight[1][r];
                        for (unsigned c = 0; c < columns; c++)
                            mean.texel[d * rows + r][c] = texel_at(world, level - 1, at[2][d], 0, at[0][c], at[1][r]);
                    }
                ref_write_mean(row, 15, &mean, texel_at(world, level, z, 0, x, y));
            }
}

static const struct shape mip_shapes[] = {
    {SCH_TARGET_1D, 77, 1, 1, 1, 7, 1},       {SCH_TARGET_2D, 16, 16, 1, 1, 5, 1},
    {SCH_TARGET_2D, 13, 5, 1, 1, 4, 1},       {SCH_TARGET_2D, 1, 31, 1, 1, 5, 1},
    {SCH_TARGET_3D, 7, 6, 5, 1, 3, 1},        {SCH_TARGET_3D, 8, 1, 9, 1, 4, 1},
    {SCH_TARGET_CUBE, 11, 11, 1, 6, 4, 1},    {SCH_TARGET_1D_ARRAY, 70, 1, 1, 3, 7, 1},
    {SCH_TARGET_2D_ARRAY, 9, 10, 1, 4, 4, 1}, {SCH_TARGET_CUBE_ARRAY, 5, 5, 1, 12, 3, 1},
};

static void levels_are_means_of_those_before(void **state)
{
    (void)state;
    static const char *const names[] = {"R8G8B8A8_UNORM", "R8G8B8A8_SRGB",      "R16G16_SNORM",   "R5G6B5_UNORM",
                                        "R32_FLOAT",      "R16G16B16A16_FLOAT", "R9G9B9E5_FLOAT", "Z16_UNORM",
                                        "Z32_FLOAT",      "Z24X8_UNORM",        "R32_UNORM",      "L8A8_UNORM"};
    struct sch_context *context = make_context(0, NULL);
    for (size_t n = 0; n < COUNT(names); n++)
        for (size_t s = 0; s < COUNT(mip_shapes); s++) {
            struct world world = make_world(context, &mip_shapes[s], names[n]);
            const bool slices = world.shape.target == SCH_TARGET_3D;
            const uint32_t base = below(world.shape.levels), behind = world.shape.levels - 1 - base;
            struct sch_mips mips = {.size = sizeof mips, .base_level = base, .level_count = below(behind + 1)};
            mips.first_layer = slices ? 0 : below(world.shape.layers);
            mips.layer_count = slices ? 0 : below(world.shape.layers - mips.first_layer + 1);
            const bool all = below(2);
            assert_int_equal(sch_resource_make_mips(world.resource, all ? NULL : &mips, NULL), SCH_OK);
            if (all) mips = (struct sch_mips){0};
            const uint32_t last = mips.level_count ? mips.base_level + mips.level_count : world.shape.levels - 1;
            for (uint32_t level = mips.base_level + 1; level <= last; level++) {
                uint32_t layers = mips.layer_count ? mips.layer_count : world.shape.layers - mips.first_layer;
                if (slices) layers = halved(world.shape.depth, level);
                model_level(&world, world.row, level, mips.first_layer, layers);
            }
            if (!is_right(&world)) fail_msg("%s, shape %zu", names[n], s);
            end_world(&world);
        }
    sch_context_destroy(context);
}

/* A picture of one colour stays it; sRGB is averaged as light. */
static void known_means(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    const struct shape shape = {SCH_TARGET_2D, 13, 7, 1, 1, 4, 1}, two = {SCH_TARGET_2D, 2, 1, 1, 1, 2, 1},
                       three = {SCH_TARGET_1D, 3, 1, 1, 1, 2, 1};
    struct world plain = make_world(context, &shape, "R32_FLOAT"), light = make_world(context, &two, "R8G8B8A8_SRGB"),
                 ties = make_world(context, &two, "R8G8B8A8_UNORM"), odd = make_world(context, &three, "R8_UNORM");
    const float third = 1.0f / 3.0f;
    for (size_t i = 0; i < plain.bytes; i += 4) memcpy(plain.texels + i, &third, 4);
    assert_int_equal(sch_resource_write_all(plain.resource, plain.texels, plain.bytes), SCH_OK);
    assert_int_equal(sch_resource_make_mips(plain.resource, NULL, NULL), SCH_OK);
    assert_true(is_right(&plain));
    static const uint8_t black_and_white[12] = {0, 255, 0, 0, 255, 255, 0, 255, 188, 255, 0, 128};
    assert_int_equal(sch_resource_write_all(light.resource, black_and_white, 12), SCH_OK);
    assert_int_equal(sch_resource_make_mips(light.resource, NULL, NULL), SCH_OK);
    memcpy(light.texels, black_and_white, 12); /* half of all light is code 188; alpha 127 1/2 is not on the curve */
    assert_true(is_right(&light));
    static const uint8_t halves[12] = {0, 1, 2, 254, 1, 2, 3, 255, 0, 2, 2, 254};
    assert_int_equal(sch_resource_write_all(ties.resource, halves, 12), SCH_OK);
    assert_int_equal(sch_resource_make_mips(ties.resource, NULL, NULL), SCH_OK);
    memcpy(ties.texels, halves, 12);
    assert_true(is_right(&ties));
    static const uint8_t thirds[4] = {30, 60, 90, 60}, uneven[4] = {0, 0, 100, 33};
    assert_int_equal(sch_resource_write_all(odd.resource, thirds, 4), SCH_OK);
    assert_int_equal(sch_resource_make_mips(odd.resource, NULL, NULL), SCH_OK);
    memcpy(odd.texels, thirds, 4);
    assert_true(is_right(&odd));
    assert_int_equal(sch_resource_write_all(odd.resource, uneven, 4), SCH_OK);
    assert_int_equal(sch_resource_make_mips(odd.resource, NULL, NULL), SCH_OK);
    memcpy(odd.texels, uneven, 4);
    assert_true(is_right(&odd));
    end_world(&odd);
    end_world(&ties);
    end_world(&light);
    end_world(&plain);
    sch_context_destroy(context);
}

/* ---- refusals ---- */

static void refused(enum sch_result result, enum sch_result expected, struct sch_diagnostics_list *list, unsigned code,
                    const char *message)
{
    struct sch_diagnostic_info why = {.size = sizeof why};
    assert_int_equal(result, expected);
    assert_true(sch_diagnostics_get(list, sch_diagnostics_count(list) - 1, &why));
    if (why.code != code || strcmp(why.message, message)) fail_msg("%u %s", why.code, why.message);
}

static void what_is_not_converted_is_refused(void **state)
{
    (void)state;
    const enum sch_result ARGUMENT = SCH_ERROR_ARGUMENT, INVALID = SCH_ERROR_INVALID,
                          UNSUPPORTED = SCH_ERROR_UNSUPPORTED;
    struct sch_context *context = make_context(0, NULL);
    struct sch_diagnostics_list *list;
    const struct shape flat = {SCH_TARGET_2D, 8, 8, 1, 1, 2, 1}, four = {SCH_TARGET_2D_MSAA, 8, 8, 1, 1, 1, 4},
                       two = {SCH_TARGET_2D_MSAA, 8, 8, 1, 1, 1, 2}, line = {SCH_TARGET_BUFFER, 8, 1, 1, 1, 1, 1};
    struct world color = make_world(context, &flat, "R8G8B8A8_UNORM"),
                 uint = make_world(context, &flat, "R8G8B8A8_UINT"), sint = make_world(context, &flat, "R32_SINT"),
                 depth = make_world(context, &flat, "Z24_UNORM_S8_UINT"), pair = make_world(context, &flat, "YUYV"),
                 samples = make_world(context, &four, "R8G8B8A8_UNORM"),
                 others = make_world(context, &two, "R8G8B8A8_UNORM"), buffer = make_world(context, &line, "R8_UNORM"),
                 pairs_of_samples = make_world(context, &four, "YUYV"), wide = make_world(context, &flat, "R64_FLOAT"),
                 longs = make_world(context, &flat, "R64_UINT");
    const struct sch_blit linear = {.size = sizeof linear, .filter = SCH_FILTER_LINEAR};
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
#define BLIT(to, from, blit) sch_resource_blit((to).resource, (from).resource, blit, list)
    refused(BLIT(color, uint, NULL), INVALID, list, 6005,
            "blit: R8G8B8A8_UINT to R8G8B8A8_UNORM: integers stay what they are");
    refused(BLIT(sint, uint, NULL), INVALID, list, 6005,
            "blit: R8G8B8A8_UINT to R32_SINT: integers stay what they are");
    refused(BLIT(uint, color, NULL), INVALID, list, 6005,
            "blit: R8G8B8A8_UNORM to R8G8B8A8_UINT: integers stay what they are");
    refused(BLIT(uint, uint, &linear), INVALID, list, 6005, "blit: texels of format R8G8B8A8_UINT are not filtered");
    refused(BLIT(depth, depth, &linear), INVALID, list, 6005,
            "blit: texels of format Z24_UNORM_S8_UINT are not filtered");
    refused(BLIT(color, wide, NULL), INVALID, list, 6005,
            "blit: R64_FLOAT to R8G8B8A8_UNORM: numbers of 64 bits stay what they are");
    refused(BLIT(longs, wide, NULL), INVALID, list, 6005,
            "blit: R64_FLOAT to R64_UINT: numbers of 64 bits stay what they are");
    refused(BLIT(wide, wide, &linear), INVALID, list, 6005, "blit: texels of format R64_FLOAT are not filtered");
    refused(BLIT(samples, others, NULL), INVALID, list, 6005, "blit: 2 samples to 4");
    refused(BLIT(pair, color, NULL), UNSUPPORTED, list, 6005, "texels of format YUYV are not encoded");
    refused(BLIT(color, pairs_of_samples, NULL), UNSUPPORTED, list, 6005, "texels of format YUYV are not encoded");
    refused(BLIT(buffer, color, NULL), ARGUMENT, list, 6300, "blit: a BUFFER has no sides");
    refused(BLIT(color, buffer, NULL), ARGUMENT, list, 6300, "blit: a BUFFER has no sides");
    struct sch_blit blit = {.size = sizeof blit, .level = 2};
    refused(BLIT(color, color, &blit), ARGUMENT, list, 6300, "level 2: the resource has 2");
    blit = (struct sch_blit){.size = sizeof blit, .source_level = 2};
    refused(BLIT(color, color, &blit), ARGUMENT, list, 6300, "level 2: the resource has 2");
    blit = (struct sch_blit){.size = sizeof blit, .format = format("R16_UNORM")};
    refused(BLIT(color, color, &blit), ARGUMENT, list, 6300,
            "format R16_UNORM: it has other blocks than the resource's, R8G8B8A8_UNORM");
    blit = (struct sch_blit){.size = sizeof blit, .source_format = -1};
    refused(BLIT(color, color, &blit), ARGUMENT, list, 6300,
            "format (unknown): it has other blocks than the resource's, R8G8B8A8_UNORM");
    blit = (struct sch_blit){.size = sizeof blit, .source_format = INT32_MAX};
    refused(BLIT(color, color, &blit), ARGUMENT, list, 6300,
            "format (unknown): it has other blocks than the resource's, R8G8B8A8_UNORM");
    blit = (struct sch_blit){.size = sizeof blit, .filter = (enum sch_filter)2};
    refused(BLIT(color, color, &blit), ARGUMENT, list, 6300, "blit: there is no filter 2");
    const size_t told = sch_diagnostics_count(list);
    blit = (struct sch_blit){.size = 8};
    assert_int_equal(BLIT(color, color, &blit), ARGUMENT);
    assert_int_equal(sch_resource_blit(NULL, color.resource, NULL, list), ARGUMENT);
    assert_int_equal(sch_resource_blit(color.resource, NULL, NULL, list), ARGUMENT);
    assert_int_equal(sch_diagnostics_count(list), told + 3);
    /* Parts that only one has: nothing happens. */
    assert_int_equal(BLIT(color, depth, &linear), SCH_OK);
    blit = (struct sch_blit){.size = sizeof blit, .parts = SCH_PART_DEPTH, .filter = SCH_FILTER_LINEAR};
    assert_int_equal(BLIT(color, uint, &blit), SCH_OK);
    assert_int_equal(sch_diagnostics_count(list), told + 3);
#undef BLIT

    struct sch_clear clear = {.size = sizeof clear, .block = "abc", .block_bytes = 3};
    refused(sch_resource_clear(color.resource, &clear, list), ARGUMENT, list, 6300,
            "clear: a block of 3 bytes, of a format of 4");
    clear = (struct sch_clear){.size = sizeof clear, .level = 7};
    refused(sch_resource_clear(color.resource, &clear, list), ARGUMENT, list, 6300, "level 7: the resource has 2");
    clear = (struct sch_clear){.size = sizeof clear, .box = {0, 0, 0, 9, 1, 1}};
    refused(sch_resource_clear(color.resource, &clear, list), ARGUMENT, list, 6300,
            "box: 9 texels from x = 0 on, of 8");
    refused(sch_resource_clear(pair.resource, NULL, list), UNSUPPORTED, list, 6005,
            "texels of format YUYV are not encoded");
    clear = (struct sch_clear){.size = 4};
    assert_int_equal(sch_resource_clear(color.resource, &clear, list), ARGUMENT);
    assert_int_equal(sch_resource_clear(NULL, NULL, list), ARGUMENT);

    struct sch_mips mips = {.size = sizeof mips, .base_level = 2};
    refused(sch_resource_make_mips(color.resource, &mips, list), ARGUMENT, list, 6300, "level 2: the resource has 2");
    mips = (struct sch_mips){.size = sizeof mips, .level_count = 2};
    refused(sch_resource_make_mips(color.resource, &mips, list), ARGUMENT, list, 6300,
            "mips: 2 levels after level 0, of 2");
    mips = (struct sch_mips){.size = sizeof mips, .first_layer = 1};
    refused(sch_resource_make_mips(color.resource, &mips, list), ARGUMENT, list, 6300,
            "mips: 0 layers from 1 on, of 1");
    mips = (struct sch_mips){.size = sizeof mips, .layer_count = UINT32_MAX};
    refused(sch_resource_make_mips(color.resource, &mips, list), ARGUMENT, list, 6300,
            "mips: 4294967295 layers from 0 on, of 1");
    refused(sch_resource_make_mips(uint.resource, NULL, list), UNSUPPORTED, list, 6005,
            "mips: there are no means of format R8G8B8A8_UINT");
    refused(sch_resource_make_mips(depth.resource, NULL, list), UNSUPPORTED, list, 6005,
            "mips: there are no means of format Z24_UNORM_S8_UINT");
    refused(sch_resource_make_mips(pair.resource, NULL, list), UNSUPPORTED, list, 6005,
            "texels of format YUYV are not encoded");
    mips = (struct sch_mips){.size = 4};
    assert_int_equal(sch_resource_make_mips(color.resource, &mips, list), ARGUMENT);
    assert_int_equal(sch_resource_make_mips(NULL, NULL, list), ARGUMENT);
    assert_int_equal(sch_resource_make_mips(samples.resource, NULL, list), SCH_OK); /* one level: nothing to make */

    struct world *const worlds[] = {&color, &uint, &sint, &depth, &pair, &samples, &others, &buffer, &pairs_of_samples,
                                    &wide,  &longs};
    sch_diagnostics_destroy(list);
    for (size_t i = 0; i < COUNT(worlds); i++) {
        assert_true(is_right(worlds[i]));
        end_world(worlds[i]);
    }
    sch_context_destroy(context);
}

/* A copy of the source is memory of the context while the blit runs, and bounded like it. */
static void copies_of_sources_are_bounded(void **state)
{
    (void)state;
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = 100000, .context_memory = 100000};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    const struct shape shape = {SCH_TARGET_2D_ARRAY, 64, 64, 1, 4, 1, 1},
                       samples = {SCH_TARGET_2D_MSAA, 32, 8, 1, 1, 1, 4};
    const struct sch_blit one = {.size = sizeof one, .box = {64, 0, 0, -64, 64, 1}, .source = {0, 0, 0, 64, 64, 1}},
                          all = {.size = sizeof all, .box = {64, 0, 0, -64, 64, 4}},
                          apart = {.size = sizeof apart, .box = {0, 0, 0, 64, 64, 2}, .source = {0, 0, 2, 64, 64, 2}},
                          linear = {.size = sizeof linear, .box = {0, 0, 0, 64, 64, 1}, .filter = SCH_FILTER_LINEAR};
    struct sch_context_memory before = {.size = sizeof before}, after = {.size = sizeof after};
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    struct world world = make_world(context, &shape, "R8G8B8A8_UNORM"),
                 other = make_world(context, &samples, "R8G8B8A8_UNORM");
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    const struct sch_blit deep = {.size = sizeof deep, .level = 9};
    refused(sch_resource_blit(world.resource, world.resource, &deep, list), SCH_ERROR_ARGUMENT, list, 6300,
            "level 9: the resource has 1"); /* and the list has room */
    assert_int_equal(sch_context_get_memory(context, &before), SCH_OK);
    assert_int_equal(sch_resource_blit(world.resource, world.resource, &one, list), SCH_OK);
    assert_int_equal(sch_resource_blit(world.resource, world.resource, &apart, list), SCH_OK);
    assert_int_equal(sch_resource_blit(world.resource, other.resource, &linear, list), SCH_OK);
    refused(sch_resource_blit(world.resource, world.resource, &all, list), SCH_ERROR_LIMIT, list, 5010,
            "all that the context holds would be more than the 100000 bytes allowed");
    assert_int_equal(sch_context_get_memory(context, &after), SCH_OK);
    assert_in_range(after.held, before.held, before.held + 200); /* one more report */
    end_world(&other);
    end_world(&world);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_cleared),
        cmocka_unit_test(long_rows_are_cleared),
        cmocka_unit_test(blocks_are_repeated),
        cmocka_unit_test(texels_are_stretched),
        cmocka_unit_test(overlapping_blits_read_what_was),
        cmocka_unit_test(formats_of_blits_are_asked),
        cmocka_unit_test(levels_are_means_of_those_before),
        cmocka_unit_test(known_means),
        cmocka_unit_test(what_is_not_converted_is_refused),
        cmocka_unit_test(copies_of_sources_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
