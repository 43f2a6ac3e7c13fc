/* The combinations of the peers test. A class is a target, with or without comparison, and a form of lookup that GLSL
 * has for it; in each class filters and wrap modes are walked through, while formats, sizes, border colours, LOD limits
 * and offsets come from a generator seeded by the combination's number. Coordinates are multiples of 2^-12 (cubes:
 * components of a direction), so that the differences of a quad's coordinates are exact. Asks nobody. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PEER_HAS_GL
#include <GL/glcorearb.h>
#else
/* Only numbers of tables that are not used then. */
enum {
    GL_RGBA8,
    GL_R8,
    GL_RGBA8_SNORM,
    GL_RGBA16,
    GL_RGBA32F,
    GL_R32F,
    GL_RGBA16F,
    GL_SRGB8_ALPHA8,
    GL_RGB10_A2,
    GL_R11F_G11F_B10F,
    GL_RGB9_E5,
    GL_RGBA8UI,
    GL_RGBA16I,
    GL_DEPTH_COMPONENT16,
    GL_DEPTH24_STENCIL8,
    GL_DEPTH_COMPONENT32F,
    GL_RGBA,
    GL_RED,
    GL_RGB,
    GL_RGBA_INTEGER,
    GL_DEPTH_COMPONENT,
    GL_DEPTH_STENCIL,
    GL_UNSIGNED_BYTE,
    GL_BYTE,
    GL_UNSIGNED_SHORT,
    GL_FLOAT,
    GL_HALF_FLOAT,
    GL_UNSIGNED_INT_2_10_10_10_REV,
    GL_UNSIGNED_INT_10F_11F_11F_REV,
    GL_UNSIGNED_INT_5_9_9_9_REV,
    GL_SHORT,
    GL_UNSIGNED_INT_24_8,
    GL_TEXTURE_1D,
    GL_TEXTURE_2D,
    GL_TEXTURE_RECTANGLE,
    GL_TEXTURE_3D,
    GL_TEXTURE_CUBE_MAP,
    GL_TEXTURE_1D_ARRAY,
    GL_TEXTURE_2D_ARRAY,
    GL_TEXTURE_CUBE_MAP_ARRAY
};
#endif

static const struct peer_format formats[] = {
    {"R8G8B8A8_UNORM", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, KIND_UNORM, 1.0f / 255},
    {"R8G8B8A8_UNORM", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, KIND_UNORM, 1.0f / 255},
    {"R32G32B32A32_FLOAT", GL_RGBA32F, GL_RGBA, GL_FLOAT, 16, KIND_FLOAT, 0x1p-21f},
    {"R16G16B16A16_FLOAT", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8, KIND_FLOAT, 0x1p-10f},
    {"R8_UNORM", GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, KIND_UNORM, 1.0f / 255},
    {"R32_FLOAT", GL_R32F, GL_RED, GL_FLOAT, 4, KIND_FLOAT, 0x1p-21f},
    {"R8G8B8A8_SNORM", GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 4, KIND_SNORM, 1.0f / 127},
    {"R16G16B16A16_UNORM", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 8, KIND_UNORM, 1.0f / 65535},
    {"R8G8B8A8_SRGB", GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, KIND_SRGB, 1.0f / 255},
    {"R10G10B10A2_UNORM", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, KIND_UNORM, 1.0f / 1023},
    {"R9G9B9E5_FLOAT", GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, 4, KIND_FLOAT, 0x1p-9f},
    /* Never filtered. */
    {"R8G8B8A8_UINT", GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, KIND_UINT, 0},
    {"R16G16B16A16_SINT", GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, 8, KIND_SINT, 0},
    /* Compared. */
    {"Z16_UNORM", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2, KIND_DEPTH, 1.0f / 65535},
    {"S8_UINT_Z24_UNORM", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 4, KIND_DEPTH, 0x1p-24f},
    {"Z32_FLOAT", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4, KIND_DEPTH, 0x1p-24f},
};
enum { FILTERED = 11, PLAIN = 13, FORMATS = sizeof formats / sizeof *formats };

static const struct peer_target targets[] = {
    {"1D", "sampler1D", SCH_TARGET_1D, GL_TEXTURE_1D, 1, 1, false, false},
    {"2D", "sampler2D", SCH_TARGET_2D, GL_TEXTURE_2D, 2, 2, false, false},
    {"RECT", "sampler2DRect", SCH_TARGET_RECT, GL_TEXTURE_RECTANGLE, 2, 2, false, false},
    {"3D", "sampler3D", SCH_TARGET_3D, GL_TEXTURE_3D, 3, 3, false, false},
    {"CUBE", "samplerCube", SCH_TARGET_CUBE, GL_TEXTURE_CUBE_MAP, 3, 2, false, true},
    {"1D_ARRAY", "sampler1DArray", SCH_TARGET_1D_ARRAY, GL_TEXTURE_1D_ARRAY, 1, 1, true, false},
    {"2D_ARRAY", "sampler2DArray", SCH_TARGET_2D_ARRAY, GL_TEXTURE_2D_ARRAY, 2, 2, true, false},
    {"CUBE_ARRAY", "samplerCubeArray", SCH_TARGET_CUBE_ARRAY, GL_TEXTURE_CUBE_MAP_ARRAY, 3, 2, true, true},
};
enum { TARGETS = sizeof targets / sizeof *targets };

/* Width, height, depth, layers; one-dimensional targets take the width, cubes the width twice. */
static const uint8_t sizes[][4] = {{16, 16, 4, 3}, {8, 5, 3, 4}, {3, 7, 5, 2},
                                   {16, 4, 8, 1},  {5, 8, 2, 3}, {1, 3, 1, 2}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct peer_texture *textures[TARGETS][FORMATS][SIZES];
static struct peer_case *cases;
static size_t case_count, case_room;

/* splitmix64 */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t below(uint64_t *state, uint32_t limit) { return (uint32_t)(next(state) >> 33) % limit; }

/* ---- textures
 * ------------------------------------------------------------------------------------------------------ */

uint32_t cases_size(const struct peer_texture *t, unsigned axis, uint32_t level)
{
    uint32_t size = axis == 0 ? t->width : axis == 1 ? t->height : t->depth;
    return size >> level ? size >> level : 1;
}

/* Depths are few, so that comparisons for equality hold sometimes. */
static void fill_texel(const struct peer_format *f, uint8_t *texel, uint64_t *random)
{
    uint32_t few = below(random, 17);
    if (f->kind == KIND_DEPTH && f->bytes == 2) {
        uint16_t code = (uint16_t)(few * 4095);
        memcpy(texel, &code, 2);
    } else if (f->kind == KIND_DEPTH && f->type == GL_FLOAT) {
        float z = (float)few / 16;
        memcpy(texel, &z, 4);
    } else if (f->kind == KIND_DEPTH) {
        uint32_t code = few * 0xfffffu << 8 | below(random, 256);
        memcpy(texel, &code, 4);
    } else if (f->kind == KIND_FLOAT && f->bytes == 8) { /* magnitudes from 2^-4 to 8 */
        for (unsigned i = 0; i < 4; i++) {
            uint16_t half = (uint16_t)(below(random, 2) << 15 | (11 + below(random, 7)) << 10 | below(random, 1024));
            memcpy(texel + 2 * i, &half, 2);
        }
    } else if (f->kind == KIND_FLOAT && f->type == GL_FLOAT) {
        for (unsigned i = 0; i < f->bytes / 4; i++) {
            float value = ((float)below(random, 1 << 20) - 0x1p19f) * 0x1p-16f;
            memcpy(texel + 4 * i, &value, 4);
        }
    } else if (f->type == GL_UNSIGNED_INT_5_9_9_9_REV) { /* shared exponents: 2^-5 to 16 */
        uint32_t word = (11 + below(random, 10)) << 27 | below(random, 1 << 27);
        memcpy(texel, &word, 4);
    } else
        for (unsigned i = 0; i < f->bytes; i++) texel[i] = (uint8_t)below(random, 256);
}

static void shape(struct peer_texture *t, const uint8_t size[4])
{
    const struct peer_target *target = t->target;
    t->width = size[0];
    t->height = target->axes == 1 ? 1 : target->cube ? size[0] : size[1];
    t->depth = target->axes == 3 ? size[2] : 1;
    t->layers = (target->array ? size[3] : 1) * (target->cube ? 6 : 1);
    t->levels = 1;
    if (target->target == SCH_TARGET_RECT) return;
    while (cases_size(t, 0, t->levels - 1) > 1 || cases_size(t, 1, t->levels - 1) > 1 ||
           cases_size(t, 2, t->levels - 1) > 1)
        t->levels++;
}

static void make_data(struct peer_texture *t, uint64_t seed)
{
    for (uint32_t level = 0; level < t->levels; level++) {
        t->level_at[level] = t->bytes;
        t->bytes += (size_t)cases_size(t, 0, level) * cases_size(t, 1, level) * cases_size(t, 2, level) * t->layers *
                    t->format->bytes;
    }
    t->data = malloc(t->bytes);
    if (!t->data) abort();
    for (size_t at = 0; at < t->bytes; at += t->format->bytes) fill_texel(t->format, t->data + at, &seed);
}

static void make_ours(struct sch_context *context, struct peer_texture *t)
{
    struct sch_resource_options options = {.size = sizeof options,
                                           .target = t->target->target,
                                           .format = sch_format_by_name(t->format->name),
                                           .width = t->width,
                                           .height = t->height,
                                           .depth = t->depth,
                                           .layers = t->layers,
                                           .levels = t->levels};
    if (sch_resource_create(context, &options, NULL, &t->resource) != SCH_OK ||
        sch_resource_write_all(t->resource, t->data, t->bytes) != SCH_OK ||
        sch_view_create(t->resource, NULL, &t->view) != SCH_OK)
        printf("# no texture of ours: %s %s\n", t->target->name, t->format->name);
}

static void fetch_texels(struct peer_texture *t)
{
    size_t at = 0;
    t->texels = calloc(t->bytes / t->format->bytes, sizeof *t->texels);
    if (!t->texels || !t->view) return;
    for (uint32_t level = 0; level < t->levels; level++)
        for (uint32_t z = 0; z < cases_size(t, 2, level) * t->layers; z++)
            for (uint32_t y = 0; y < cases_size(t, 1, level); y++)
                for (uint32_t x = 0; x < cases_size(t, 0, level); x++) {
                    struct sch_lookup q = {.size = sizeof q, .operation = SCH_LOOKUP_FETCH, .level = level};
                    const uint32_t texel[4] = {x, t->target->axes == 1 ? z : y, z, 0};
                    memcpy(q.texel, texel, sizeof texel);
                    if (sch_lookup_run(t->view, NULL, &q, 1, 4, &t->texels[at++]) != SCH_OK)
                        printf("# no texel of ours\n");
                }
}

static struct peer_texture *texture_of(struct sch_context *context, unsigned target, unsigned format, unsigned size)
{
    struct peer_texture **slot = &textures[target][format][size];
    if (*slot) return *slot;
    struct peer_texture *t = *slot = calloc(1, sizeof *t);
    if (!t) abort();
    t->target = &targets[target];
    t->format = &formats[format];
    shape(t, sizes[size]);
    make_data(t, target * 10000 + format * 100 + size);
    make_ours(context, t);
    fetch_texels(t);
    gl_texture(t);
    return t;
}

static void free_texture(struct peer_texture *t)
{
    if (!t) return;
    sch_view_destroy(t->view);
    sch_resource_destroy(t->resource);
    free(t->data);
    free(t->texels);
    free(t);
}

void cases_free(void)
{
    for (unsigned i = 0; i < TARGETS; i++)
        for (unsigned j = 0; j < FORMATS; j++)
            for (unsigned k = 0; k < SIZES; k++) free_texture(textures[i][j][k]);
    free(cases);
}

/* ---- combinations
 * -------------------------------------------------------------------------------------------------- */

/* GLSL's list of overloads. */
static bool in_glsl(const struct peer_case *c)
{
    const struct peer_target *t = c->target;
    bool rect = t->target == SCH_TARGET_RECT;
    bool layered_plane = t->target == SCH_TARGET_2D_ARRAY;
    if (c->shadow && t->axes == 3) return false;
    if (c->offset && (t->cube || c->lookup == LOOK_QUERY)) return false;
    switch (c->lookup) {
    case LOOK_IMPLICIT:
        return !(c->shadow && layered_plane && c->offset); /* GLSL 4.30 */
    case LOOK_BIAS:
        return !rect && !(c->shadow && (layered_plane || (t->cube && t->array)));
    case LOOK_LOD:
        return !rect && !(c->shadow && (layered_plane || t->cube));
    case LOOK_GRAD:
        return !(c->shadow && t->cube && t->array);
    case LOOK_GATHER:
        return t->axes == 2;
    case LOOK_FETCH:
        return !t->cube && !c->shadow;
    default:
        return !rect && !c->shadow;
    }
}

static const struct {
    enum sch_filter min, mag;
    enum sch_mip_filter mip;
} filters[] = {
    {SCH_FILTER_NEAREST, SCH_FILTER_NEAREST, SCH_MIP_NONE},    {SCH_FILTER_LINEAR, SCH_FILTER_LINEAR, SCH_MIP_NONE},
    {SCH_FILTER_LINEAR, SCH_FILTER_LINEAR, SCH_MIP_LINEAR},    {SCH_FILTER_LINEAR, SCH_FILTER_LINEAR, SCH_MIP_NEAREST},
    {SCH_FILTER_NEAREST, SCH_FILTER_NEAREST, SCH_MIP_NEAREST}, {SCH_FILTER_NEAREST, SCH_FILTER_NEAREST, SCH_MIP_LINEAR},
    {SCH_FILTER_NEAREST, SCH_FILTER_LINEAR, SCH_MIP_NONE},     {SCH_FILTER_LINEAR, SCH_FILTER_NEAREST, SCH_MIP_LINEAR},
};
enum { FILTER_SETS = sizeof filters / sizeof *filters, WRAPS = 8 };

static enum sch_wrap legal_wrap(const struct peer_case *c, unsigned wrap)
{
    static const enum sch_wrap rect[] = {SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_BORDER, SCH_WRAP_CLAMP};
    return c->target->target == SCH_TARGET_RECT ? rect[wrap % 3] : (enum sch_wrap)(wrap % WRAPS);
}

static void choose_border(struct peer_case *c, uint64_t *random)
{
    static const float borders[][4] = {
        {0, 0, 0, 0}, {1, 0.25f, 0.5f, 0.75f}, {0.125f, 1, 0, 1}, {1.5f, -0.5f, 0.5f, 2}};
    memcpy(c->sampler.border, borders[below(random, 4)], sizeof c->sampler.border);
    c->sampler.border_is_words = c->texture->format->kind == KIND_UINT || c->texture->format->kind == KIND_SINT;
    for (unsigned i = 0; i < 4; i++) c->sampler.border_words[i] = below(random, 128);
}

static void choose_lod_state(struct peer_case *c, uint64_t *random)
{
    bool mips = c->target->target != SCH_TARGET_RECT;
    bool limits = mips && below(random, 4) == 0;
    c->sampler.min_lod = limits ? 0.625f : -1000; /* no threshold: a clamped level cannot be moved off it */
    c->sampler.max_lod = limits ? 1.75f : 1000;
    c->sampler.lod_bias = mips && below(random, 4) == 0 ? 0.75f : 0;
}

static unsigned choose_format(const struct peer_case *c, unsigned filter, uint64_t *random)
{
    if (c->shadow) return PLAIN + below(random, FORMATS - PLAIN);
    bool nearest = filters[filter].min == SCH_FILTER_NEAREST && filters[filter].mag == SCH_FILTER_NEAREST &&
                   filters[filter].mip != SCH_MIP_LINEAR;
    return below(random, nearest ? PLAIN : FILTERED); /* integers are incomplete with linear filters */
}

static struct peer_case *append(const struct peer_case *c)
{
    if (case_count == case_room) {
        case_room = case_room ? 2 * case_room : 1024;
        cases = realloc(cases, case_room * sizeof *cases);
        if (!cases) abort();
    }
    cases[case_count] = *c;
    cases[case_count].number = (uint32_t)case_count;
    return &cases[case_count++];
}

static void add_case(struct sch_context *context, const struct peer_case *class, unsigned filter, unsigned wrap)
{
    uint64_t random = case_count * 1000003u + 17;
    struct peer_case *c = append(class);
    unsigned target = (unsigned)(c->target - targets);
    c->texture = texture_of(context, target, choose_format(c, filter, &random), below(&random, SIZES));
    bool mips = c->texture->levels > 1;
    c->sampler = (struct sch_sampler_options){.size = sizeof c->sampler,
                                              .wrap_s = legal_wrap(c, wrap),
                                              .wrap_t = legal_wrap(c, below(&random, WRAPS)),
                                              .wrap_r = legal_wrap(c, below(&random, WRAPS)),
                                              .min_filter = filters[filter].min,
                                              .mag_filter = filters[filter].mag,
                                              .mip_filter = mips ? filters[filter].mip : SCH_MIP_NONE,
                                              .compare = (enum sch_compare)(c->shadow ? 1 + below(&random, 8) : 0)};
    choose_border(c, &random);
    choose_lod_state(c, &random);
    c->seamless = below(&random, 4) != 0;
    c->sampler.non_seamless_cube_map = !c->seamless;
    c->component = below(&random, 4);
    static const int8_t offsets[][3] = {{1, -2, 3}, {-8, 7, -1}, {7, -8, 2}, {0, 1, -8}};
    for (unsigned i = 0; i < 3; i++) c->offsets[i] = c->offset ? offsets[(case_count + target) % 4][i] : 0;
}

static void add_class(struct sch_context *context, const struct peer_case *class)
{
    if (!in_glsl(class)) return;
    bool few = class->per_pixel || class->oblique || class->lookup == LOOK_FETCH || class->lookup == LOOK_QUERY;
    unsigned step = few ? 4 : 2; /* of the wrap modes that each filter is seen with */
    for (unsigned filter = 0; filter < FILTER_SETS; filter++)
        for (unsigned wrap = filter % step; wrap < WRAPS; wrap += step) add_case(context, class, filter, wrap);
}

static void add_target(struct sch_context *context, unsigned target, bool shadow)
{
    for (unsigned lookup = 0; lookup < LOOK_COUNT; lookup++) {
        struct peer_case class = {.target = &targets[target], .shadow = shadow, .lookup = (enum peer_lookup)lookup};
        add_class(context, &class);
        class.offset = true;
        add_class(context, &class);
        class.offset = false;
        class.per_pixel = lookup == LOOK_BIAS || lookup == LOOK_LOD || lookup == LOOK_GRAD || lookup == LOOK_FETCH;
        if (class.per_pixel) add_class(context, &class);
        class.per_pixel = false;
        class.oblique =
            class.target->coordinates > 1 && !class.target->cube && (lookup == LOOK_IMPLICIT || lookup == LOOK_GRAD);
        if (class.oblique) add_class(context, &class);
    }
}

const struct peer_case *cases_make(struct sch_context *context, size_t *count)
{
    for (unsigned target = 0; target < TARGETS; target++) {
        add_target(context, target, false);
        add_target(context, target, true);
    }
    *count = case_count;
    return cases;
}

/* ---- points
 * -------------------------------------------------------------------------------------------------------- */

static float grid(float x, float unit) { return (float)(int32_t)(x / unit) * unit; }

static float power(float exponent) /* 2^exponent, for thirds of octaves only roughly: any number will do */
{
    float value = 1;
    for (; exponent >= 1; exponent--) value *= 2;
    for (; exponent < 0; exponent++) value /= 2;
    return value * (1 + exponent);
}

static float choose_level(uint64_t *random)
{
    static const float levels[] = {-1.5f,   -0.5f, -0.0625f, 0.1875f, 0.375f, 0.625f,
                                   0.8125f, 1.25f, 1.6875f,  2.3125f, 3.75f,  6.5f};
    return levels[below(random, sizeof levels / sizeof *levels)];
}

static void choose_place(const struct peer_case *c, float at[4], uint64_t *random)
{
    bool rect = c->target->target == SCH_TARGET_RECT;
    for (unsigned i = 0; i < c->target->axes; i++) {
        float size = (float)cases_size(c->texture, i, 0);
        float place;
        switch (below(random, 4)) {
        case 0: /* around it */
            place = (float)below(random, 6 << 12) / 4096 - 2.5f;
            break;
        case 1: /* a texel's centre or edge */
            place = (float)below(random, 4 * (uint32_t)size) / (2 * size) - 0.5f;
            break;
        default:
            place = (float)below(random, 1 << 12) / 4096;
        }
        at[i] = grid(rect ? place * size : place, 0x1p-12f);
    }
}

static void choose_direction(float at[4], uint64_t *random)
{
    unsigned major = below(random, 3);
    /* No two of magnitude 1: OpenGL leaves the face open then (8.13). */
    for (unsigned i = 0; i < 3; i++) at[i] = (float)(1 + below(random, (2 << 10) - 1)) / 1024 - 1;
    at[major] = below(random, 2) ? 1 : -1;
    if (below(random, 4) == 0) /* near an edge */
        at[(major + 1) % 3] = (below(random, 2) ? 1 : -1) * (1 - (float)(1 + below(random, 16)) / 128);
}

static unsigned major_axis(const float at[3])
{
    float x = at[0] < 0 ? -at[0] : at[0], y = at[1] < 0 ? -at[1] : at[1], z = at[2] < 0 ? -at[2] : at[2];
    return z > x && z > y ? 2 : y > x && y > z ? 1 : x > y && x > z ? 0 : 3;
}

/* Whose face's derivatives a quad across an edge takes is each driver's affair: no quad gets there. */
static bool quad_leaves_face(const struct peer_point *p)
{
    unsigned major = major_axis(p->at);
    for (unsigned lane = 1; lane < 4; lane++) {
        float at[3];
        for (unsigned i = 0; i < 3; i++) at[i] = p->at[i] + (lane & 1 ? p->ddx[i] : 0) + (lane >> 1 ? p->ddy[i] : 0);
        if (major == 3 || major_axis(at) != major) return true;
    }
    return false;
}

static void keep_on_face(struct peer_point *p)
{
    for (unsigned turn = 0; turn < 12 && quad_leaves_face(p); turn++) /* 2^-12 inward at the last */
        for (unsigned i = 0; i < 3; i++) {
            float factor = turn == 0 ? -1 : 0.5f, inward = p->at[i] < 0 ? 0x1p-12f : -0x1p-12f;
            p->ddx[i] = turn == 11 && p->ddx[i] != 0 ? inward : grid(p->ddx[i] * factor, 0x1p-12f);
            p->ddy[i] = turn == 11 && p->ddy[i] != 0 ? inward : grid(p->ddy[i] * factor, 0x1p-12f);
        }
}

/* Derivatives of about 2^level texels along one axis; oblique: along two. */
static void choose_gradient(const struct peer_case *c, const float at[4], float ddx[3], float ddy[3], uint64_t *random)
{
    unsigned axes = c->target->coordinates, axis = below(random, axes);
    if (c->target->cube) /* not the face's */
        while (at[axis] == 1 || at[axis] == -1) {
            if ((at[0] == 1 || at[0] == -1) && (at[1] == 1 || at[1] == -1) && (at[2] == 1 || at[2] == -1)) break;
            axis = (axis + 1) % axes;
        }
    float size =
        c->target->target == SCH_TARGET_RECT ? 1 : (float)cases_size(c->texture, c->target->cube ? 0 : axis, 0);
    float step = grid(power(choose_level(random)) / size * (c->target->cube ? 2 : 1), 0x1p-12f);
    (below(random, 2) ? ddx : ddy)[axis] = below(random, 2) ? step : -step;
    if (!c->oblique) return;
    unsigned other = (axis + 1) % axes;
    ddx[axis] = step;
    ddx[other] = grid(step * (float)below(random, 64) / 64, 0x1p-12f);
    ddy[other] = grid(step * (float)below(random, 64) / 64, 0x1p-12f);
    ddy[axis] = -grid(step * (float)below(random, 64) / 64, 0x1p-12f);
}

static void choose_fetch(const struct peer_case *c, struct peer_point *p, uint64_t *random)
{
    uint32_t level = (uint32_t)p->lod;
    for (unsigned i = 0; i < c->target->axes; i++) /* inside also after the offset: outside is undefined */
        p->at[i] = (float)((int32_t)below(random, cases_size(c->texture, i, level)) - c->offsets[i]);
    if (c->target->array) p->at[c->target->coordinates] = (float)below(random, c->texture->layers);
}

static void choose_rest(const struct peer_case *c, struct peer_point *p, uint64_t *random)
{
    uint32_t cubes = c->texture->layers / (c->target->cube ? 6 : 1);
    if (c->target->array) p->at[c->target->coordinates] = (float)below(random, 4 * (cubes + 2)) / 4 - 1;
    p->reference = below(random, 2) ? (float)below(random, 17) / 16 : (float)below(random, 384) / 256 - 0.25f;
    p->lod = choose_level(random);
}

void cases_points(const struct peer_case *c, struct peer_point *points)
{
    uint64_t random = c->number * 7919u + 5;
    bool quads = c->lookup == LOOK_IMPLICIT || c->lookup == LOOK_BIAS || c->lookup == LOOK_QUERY;
    memset(points, 0, PEER_POINTS * sizeof *points);
    for (unsigned quad = 0; quad < PEER_POINTS / 4; quad++) {
        struct peer_point first = {.reference = 0};
        for (unsigned lane = 0; lane < 4; lane++) {
            unsigned x = quad % (PEER_SIDE / 2) * 2 + (lane & 1), y = quad / (PEER_SIDE / 2) * 2 + (lane >> 1);
            struct peer_point *p = &points[y * PEER_SIDE + x];
            if (c->lookup == LOOK_FETCH) {
                if (lane == 0 || c->per_pixel) first.lod = (float)below(&random, c->texture->levels);
                p->lod = first.lod;
                choose_fetch(c, p, &random);
                continue;
            }
            choose_rest(c, p, &random);
            if (c->target->cube)
                choose_direction(p->at, &random);
            else
                choose_place(c, p->at, &random);
            if (lane == 0 || (c->per_pixel && !quads)) choose_gradient(c, p->at, p->ddx, p->ddy, &random);
            if (lane == 0 && c->target->cube && quads) keep_on_face(p);
            if (lane == 0) {
                first = *p;
                continue;
            }
            if (!c->per_pixel) p->lod = first.lod;
            if (quads || !c->per_pixel) {
                memcpy(p->ddx, first.ddx, sizeof p->ddx);
                memcpy(p->ddy, first.ddy, sizeof p->ddy);
            }
            for (unsigned i = 0; quads && i < c->target->coordinates; i++)
                p->at[i] = first.at[i] + (lane & 1 ? first.ddx[i] : 0) + (lane >> 1 ? first.ddy[i] : 0);
        }
    }
}
