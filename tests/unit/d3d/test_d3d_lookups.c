/* Every Direct3D instruction that reads or asks a texture, on random textures, states, coordinates, offsets, masks and
 * resource swizzles, as pixel shaders in assembly text at every width: each invocation against the scalar reference of
 * docs/texture.md with rules = d3d. At least 2,000 invocations for each instruction and dimension. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/random_number.h"
#include "../support/texture_lookups.h"

enum { LEAST = 2000, WIDTHS = 3, REGISTERS = 5, TEXT = 2048, UNTOUCHED = 0x5eed };

/* Dimensions by the targets' numbers. */
#define DIM(name)    (1u << SCH_TARGET_##name)
#define DIMS_PLANES  (DIM(2D) | DIM(2D_ARRAY))
#define DIMS_CUBES   (DIM(CUBE) | DIM(CUBE_ARRAY))
#define DIMS_LINES   (DIM(1D) | DIM(1D_ARRAY))
#define DIMS_SAMPLES (DIM(2D_MSAA) | DIM(2D_ARRAY_MSAA))
#define DIMS_PLAIN   (DIMS_LINES | DIMS_PLANES | DIMS_CUBES)
#define DIMS_ALL     (DIMS_PLAIN | DIM(3D))

#define SAMPLES                                                                                                        \
    {                                                                                                                  \
        ASK_NEAREST, ASK_LINEAR, ASK_ANISOTROPIC, ASK_REDUCED                                                          \
    }

/* v0: place, v1: reference, LOD, clamp, sample; v2, v3: derivatives; v4: offset. */
static const struct form {
    const char *name, *between, *behind; /* between place and resource, behind the resource */
    unsigned asks;                       /* kinds of lookup in `ask` */
    enum operation ask[4];
    uint8_t lod_mode;
    bool biased, clamp, status, aoffimmi, component, register_offset;
    uint32_t dimensions;
} forms[] = {
    {"sample", "", ", s0", 4, SAMPLES, SCH_LOD_IMPLICIT, .aoffimmi = true, .dimensions = DIMS_ALL},
    {"sample_b", "", ", s0, v1.y", 4, SAMPLES, SCH_LOD_BIAS, .aoffimmi = true, .dimensions = DIMS_ALL},
    {"sample_l", "", ", s0, v1.y", 4, SAMPLES, SCH_LOD_EXPLICIT, .aoffimmi = true, .dimensions = DIMS_ALL},
    {"sample_d", "", ", s0, v2.xyzw, v3.xyzw", 4, SAMPLES, SCH_LOD_GRADIENTS, .aoffimmi = true, .dimensions = DIMS_ALL},
    {"sample_c", "", ", s0, v1.x", 1, {ASK_COMPARED}, SCH_LOD_IMPLICIT, .aoffimmi = true, .dimensions = DIMS_PLAIN},
    {"sample_c_lz", "", ", s0, v1.x", 1, {ASK_COMPARED}, SCH_LOD_ZERO, .aoffimmi = true, .dimensions = DIMS_PLAIN},
    {"sample_cl_s", "", ", s0, v1.z", 4, SAMPLES, SCH_LOD_IMPLICIT, .clamp = true, .status = true, .aoffimmi = true,
     .dimensions = DIMS_ALL},
    {"sample_b_cl_s", "", ", s0, v1.y, v1.z", 4, SAMPLES, SCH_LOD_BIAS, .clamp = true, .status = true, .aoffimmi = true,
     .dimensions = DIMS_ALL},
    {"sample_d_cl_s", "", ", s0, v2.xyzw, v3.xyzw, v1.z", 4, SAMPLES, SCH_LOD_GRADIENTS, .clamp = true, .status = true,
     .aoffimmi = true, .dimensions = DIMS_ALL},
    {"sample_c_cl_s",
     "",
     ", s0, v1.x, v1.z",
     1,
     {ASK_COMPARED},
     SCH_LOD_IMPLICIT,
     .clamp = true,
     .status = true,
     .aoffimmi = true,
     .dimensions = DIMS_PLAIN},
    {"gather4",
     "",
     ", s0",
     1,
     {ASK_GATHER},
     SCH_LOD_ZERO,
     .aoffimmi = true,
     .component = true,
     .dimensions = DIMS_PLANES | DIMS_CUBES},
    {"gather4_c",
     "",
     ", s0.x, v1.x",
     1,
     {ASK_GATHER_COMPARED},
     SCH_LOD_ZERO,
     .aoffimmi = true,
     .dimensions = DIMS_PLANES | DIMS_CUBES},
    {"gather4_po",
     "v4.xyzw, ",
     ", s0",
     1,
     {ASK_GATHER},
     SCH_LOD_ZERO,
     .component = true,
     .register_offset = true,
     .dimensions = DIMS_PLANES},
    {"gather4_po_c",
     "v4.xyzw, ",
     ", s0.x, v1.x",
     1,
     {ASK_GATHER_COMPARED},
     SCH_LOD_ZERO,
     .register_offset = true,
     .dimensions = DIMS_PLANES},
    {"ld", "", "", 1, {ASK_FETCH}, .aoffimmi = true, .dimensions = DIMS_LINES | DIMS_PLANES | DIM(3D)},
    {"ld", "", "", 1, {ASK_FETCH}, .dimensions = DIM(BUFFER)},
    {"ldms", "", ", v1.w", 1, {ASK_FETCH}, .aoffimmi = true, .dimensions = DIMS_SAMPLES},
    {"lod", "", ", s0", 1, {ASK_LOD}, SCH_LOD_IMPLICIT, .dimensions = DIMS_ALL},
};
enum { FORMS = sizeof forms / sizeof *forms, TARGETS = 32 };

static const char *const dimension_names[TARGETS] = {
    [SCH_TARGET_BUFFER] = "buffer",           [SCH_TARGET_1D] = "texture1d",
    [SCH_TARGET_1D_ARRAY] = "texture1darray", [SCH_TARGET_2D] = "texture2d",
    [SCH_TARGET_2D_ARRAY] = "texture2darray", [SCH_TARGET_3D] = "texture3d",
    [SCH_TARGET_CUBE] = "texturecube",        [SCH_TARGET_CUBE_ARRAY] = "texturecubearray",
    [SCH_TARGET_2D_MSAA] = "texture2dms",     [SCH_TARGET_2D_ARRAY_MSAA] = "texture2dmsarray"};

static uint64_t state;

static uint32_t next(void) /* splitmix64 */ { return (uint32_t)(random_number(&state) >> 32); }
static unsigned below(unsigned limit) { return next() % limit; }
static bool chance(unsigned n) { return below(n) == 0; }

/* One program and what comes of it. */
struct trial {
    struct group group;
    const struct form *form;
    int offset[3]; /* immediate */
    bool offsets, has_view, has_sampler;
    unsigned swizzle[4], mask, component;
    char text[TEXT];
    uint32_t inputs[SCH_GROUP_LANES][REGISTERS][4], expected[SCH_GROUP_LANES][4];
};

/* ---- the lookup ---- */

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static bool is_nan(float f) { return !(f == f); }

/* States that a sampler of the library cannot have: NaN; both limits 0 mean that there are none. */
static void tame_state(struct group *g)
{
    struct sch_sampler_values *v = &g->values;
    if (is_nan(v->lod_bias)) v->lod_bias = 0;
    if (is_nan(v->min_lod)) v->min_lod = 0;
    if (is_nan(v->max_lod)) v->max_lod = 1;
    if (v->min_lod == 0 && v->max_lod == 0) v->max_lod = 0x1p-8f;
    g->key.rules = SCH_RULES_D3D;
    g->key.unnormalized = 0;
}

static int32_t six_bits(uint32_t word) { return (int32_t)((word & 63) ^ 32) - 32; }

static void choose_offsets(struct trial *t)
{
    struct group *g = &t->group;
    t->offsets = t->form->aoffimmi && !ref_is_cube(g->key.target) && chance(2);
    for (unsigned a = 0; a < 3; a++) t->offset[a] = t->offsets ? (int)below(16) - 8 : 0;
}

static void adapt_sample(struct trial *t)
{
    struct group *g = &t->group;
    struct sch_sample_request *r = &g->request;
    const struct form *form = t->form;
    unsigned axes = ref_coordinates(g->key.target);
    r->lod_mode = form->lod_mode;
    r->quads = true;
    r->biased = false;
    r->component = (uint8_t)t->component;
    r->reference = g->key.compare ? &g->reference : NULL;
    r->lod = &g->lod;
    r->min_lod = form->clamp ? &g->clamp : NULL;
    r->offsets = t->offsets || form->register_offset ? 1 : 0;
    memset(r->offset, 0, sizeof r->offset);
    for (unsigned a = 0; a < axes; a++) {
        r->ddx[a] = &g->ddx[a];
        r->ddy[a] = &g->ddy[a];
        if (r->offsets) r->offset[0][a] = &g->offset[0][a];
    }
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        for (unsigned a = 0; a < 3; a++) {
            uint32_t word = form->register_offset && chance(4) ? next() : g->offset[0][a].u[i];
            t->inputs[i][4][a] = word;
            g->offset[0][a].u[i] = (uint32_t)(form->register_offset ? six_bits(word) : t->offset[a]);
        }
}

static void adapt_fetch(struct trial *t)
{
    struct group *g = &t->group;
    struct sch_fetch_request *r = &g->fetch;
    unsigned axes = ref_coordinates(g->key.target);
    for (unsigned a = 0; a < axes; a++)
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
            if (r->offset[a]) g->at[a].u[i] += g->offset[0][a].u[i];
            g->at[a].u[i] -= (uint32_t)t->offset[a];
            g->offset[0][a].u[i] = (uint32_t)t->offset[a];
        }
    for (unsigned a = 0; a < 3; a++) r->offset[a] = t->offsets && a < axes ? &g->offset[0][a] : NULL;
    r->level = g->key.target == SCH_TARGET_BUFFER ? NULL : &g->lod;
}

/* Inputs; components that the dimension does not have hold anything. */
static void fill_inputs(struct trial *t)
{
    const struct group *g = &t->group;
    unsigned target = g->key.target, used = ref_coordinates(target) + ref_has_layers(target);
    bool fetch = g->operation == ASK_FETCH;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t(*v)[4] = t->inputs[i];
        for (unsigned c = 0; c < 4; c++) v[0][c] = c < used ? g->at[c].u[i] : next();
        if (fetch && target != SCH_TARGET_BUFFER) v[0][3] = g->lod.u[i];
        v[1][0] = g->reference.u[i];
        v[1][1] = g->lod.u[i];
        v[1][2] = g->clamp.u[i];
        v[1][3] = g->lod.u[i];
        for (unsigned a = 0; a < 3; a++) {
            v[2][a] = g->ddx[a].u[i];
            v[3][a] = g->ddy[a].u[i];
        }
    }
}

static void flush(struct sch_lanes *lanes)
{
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        if (!(lanes->u[i] & 0x7f800000)) lanes->u[i] &= 0x80000000;
}

/* Float operands of lookups are flushed (docs/d3d.md, "The rules"); inputs hold what is written, texels stay. */
static void flush_operands(struct group *g)
{
    for (unsigned c = 0; c < 4; c++) flush(&g->at[c]);
    for (unsigned a = 0; a < 3; a++) {
        flush(&g->ddx[a]);
        flush(&g->ddy[a]);
    }
    flush(&g->reference);
    flush(&g->lod);
    flush(&g->clamp);
}

static const char *return_type(const struct group *g)
{
    const struct ref_format *format = g->format;
    const struct ref_channel *channel = &format->channel[0];
    for (unsigned c = 0; c < format->channels && channel->kind == 'x'; c++) channel = &format->channel[c];
    if (ref_format_is_integer(format) || format->stencil) return channel->kind == 's' ? "sint" : "uint";
    if (!channel->normalized || chance(2)) return "float";
    return channel->kind == 's' ? "snorm" : "unorm";
}

/* Of the forms with a residency status an answer is kept only where the status says that all is there. */
static void write_program(struct trial *t)
{
    static const char letters[] = "xyzw";
    char dimension[40], offset[40] = "", mask[8] = "", swizzle[8] = "", selected[8] = "";
    const struct group *g = &t->group;
    unsigned target = g->key.target;
    const char *name = dimension_names[target], *type = return_type(g);
    snprintf(dimension, sizeof dimension, g->texture.samples > 1 || strstr(name, "dms") ? "%s(%u)" : "%s", name,
             (unsigned)g->texture.samples);
    if (t->offsets) snprintf(offset, sizeof offset, "_aoffimmi(%d,%d,%d)", t->offset[0], t->offset[1], t->offset[2]);
    for (unsigned c = 0, at = 0; c < 4; c++) {
        if (t->mask >> c & 1) mask[at++] = letters[c];
        swizzle[c] = letters[t->swizzle[c]];
    }
    if (t->form->component) snprintf(selected, sizeof selected, ".%c", letters[t->component]);
    const char *status = t->form->status ? "r1.x, " : "";
    const char *asks = t->form->status ? "check_access_fully_mapped r1.y, r1.x\nand r0.xyzw, r0.xyzw, r1.yyyy\n" : "";
    int length = snprintf(t->text, TEXT,
                          "ps_5_0\ndcl_sampler s0, mode_%s\ndcl_resource_%s (%s,%s,%s,%s) t0\n"
                          "dcl_input_ps linear v0.xyzw\ndcl_input_ps linear v1.xyzw\ndcl_input_ps linear v2.xyzw\n"
                          "dcl_input_ps linear v3.xyzw\ndcl_input_ps linear v4.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n"
                          "mov r1.x, l(0)\nmov r0.xyzw, l(%d, %d, %d, %d)\n%s%s r0.%s, %sv0.xyzw, %st0.%s%s%s\n"
                          "%smov o0.xyzw, r0.xyzw\nret\n",
                          g->key.compare ? "comparison" : "default", dimension, type, type, type, type, UNTOUCHED,
                          UNTOUCHED, UNTOUCHED, UNTOUCHED, t->form->name, offset, mask, status, t->form->between,
                          swizzle, t->form->behind, selected, asks);
    assert_true(length > 0 && length < TEXT);
}

/* The answers of the reference, turned by the resource's swizzle and masked. */
static void expect(struct trial *t)
{
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t words[4] = {0};
        t->group.mask.u[i] = ~0u;
        if (t->has_view && t->has_sampler) group_reference(&t->group, i, words);
        for (unsigned c = 0; c < 4; c++) t->expected[i][c] = t->mask >> c & 1 ? words[t->swizzle[c]] : UNTOUCHED;
    }
}

/* False: the group's target is none of the form's. */
static bool make_trial(struct trial *t, const struct form *form, const struct ref_format *format, enum operation ask,
                       uint64_t seed)
{
    group_make(&t->group, format, ask, seed);
    if (!(form->dimensions >> t->group.key.target & 1)) return false;
    state = seed;
    memset(t->inputs, 0, sizeof t->inputs);
    t->form = form;
    tame_state(&t->group);
    t->has_view = !chance(24);
    t->has_sampler = ask == ASK_FETCH || !chance(24);
    t->component = form->component ? below(4) : 0;
    t->mask = chance(2) ? 15 : 1 + below(15);
    for (unsigned c = 0; c < 4; c++) t->swizzle[c] = chance(2) ? c : below(4);
    choose_offsets(t);
    if (ask == ASK_FETCH)
        adapt_fetch(t);
    else
        adapt_sample(t);
    fill_inputs(t);
    if (ask != ASK_FETCH) flush_operands(&t->group);
    write_program(t);
    expect(t);
    return true;
}

/* ---- running ---- */

struct bound {
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_sampler *sampler;
};

static void bind_texture(struct sch_context *context, const struct group *g, struct bound *to)
{
    enum { GUARD = 64 };
    const struct sch_texture *texture = &g->texture;
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = (enum sch_target)g->key.target,
                                               .format = g->format->number,
                                               .width = texture->level[0].width,
                                               .height = texture->level[0].height,
                                               .depth = texture->level[0].depth,
                                               .layers = texture->layers,
                                               .levels = texture->levels,
                                               .samples = texture->samples};
    struct sch_view_options view = {.size = sizeof view, .swizzled = true, .min_lod = texture->min_lod};
    memcpy(view.swizzle, g->key.swizzle, sizeof view.swizzle);
    assert_int_equal(sch_resource_create(context, &shape, NULL, &to->resource), SCH_OK);
    assert_int_equal(sch_resource_bytes(to->resource), g->bytes);
    assert_int_equal(sch_resource_write_all(to->resource, g->memory + GUARD, g->bytes), SCH_OK);
    assert_int_equal(sch_view_create(to->resource, &view, &to->view), SCH_OK);
}

static void bind_sampler(struct sch_context *context, const struct group *g, struct bound *to)
{
    const struct sch_sampler_key *key = &g->key;
    struct sch_sampler_options options = {.size = sizeof options,
                                          .wrap_s = (enum sch_wrap)key->wrap[0],
                                          .wrap_t = (enum sch_wrap)key->wrap[1],
                                          .wrap_r = (enum sch_wrap)key->wrap[2],
                                          .min_filter = (enum sch_filter)key->min_linear,
                                          .mag_filter = (enum sch_filter)key->mag_linear,
                                          .mip_filter = (enum sch_mip_filter)key->mip,
                                          .max_anisotropy = key->max_anisotropy,
                                          .lod_bias = g->values.lod_bias,
                                          .min_lod = g->values.min_lod,
                                          .max_lod = g->values.max_lod,
                                          .compare = (enum sch_compare)key->compare,
                                          .reduction = (enum sch_reduction)key->reduction,
                                          .non_seamless_cube_map = !key->seamless,
                                          .border_is_words = true};
    memcpy(options.border_words, g->values.border, sizeof options.border_words);
    assert_int_equal(sch_sampler_create(context, &options, NULL, &to->sampler), SCH_OK);
}

static void explain(const char *text, const struct sch_diagnostics_list *list)
{
    struct sch_diagnostic_info view = {.size = sizeof view, .message = "?"};
    for (size_t i = 0; i < sch_diagnostics_count(list); i++)
        if (sch_diagnostics_get(list, i, &view) && view.severity == SCH_SEVERITY_ERROR) break;
    fail_msg("line %u: %u %s:\n%s", view.line, view.code, view.message, text);
}

typedef uint32_t words_of[SCH_GROUP_LANES][4];

/* The words of o0 at every width. */
static void run_text(struct sch_context *context, const char *text, const struct bound *to,
                     const uint32_t inputs[SCH_GROUP_LANES][REGISTERS][4], words_of words[WIDTHS])
{
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    struct sch_program *program;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    if (sch_shader_read(context, text, strlen(text), NULL, list, &shader) != SCH_OK) explain(text, list);
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .views = &to->view, .view_count = 1, .samplers = &to->sampler, .sampler_count = 1};
    for (unsigned w = 0; w < WIDTHS; w++) {
        const struct sch_program_options options = {.size = sizeof options, .width = 4u << w};
        const struct sch_invocations work = {.size = sizeof work,
                                             .count = SCH_GROUP_LANES,
                                             .quads = true,
                                             .inputs = inputs[0][0],
                                             .input_bytes = SCH_GROUP_LANES * sizeof *inputs,
                                             .input_registers = REGISTERS,
                                             .outputs = words[w][0],
                                             .output_bytes = sizeof words[w],
                                             .output_registers = 1};
        if (sch_program_create(context, shader, &options, list, &program) != SCH_OK) explain(text, list);
        assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
        sch_program_destroy(program);
    }
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
}

static void release(struct bound *to)
{
    sch_sampler_destroy(to->sampler);
    sch_view_destroy(to->view);
    sch_resource_destroy(to->resource);
    *to = (struct bound){0};
}

static void run_trial(struct sch_context *context, const struct trial *t)
{
    static words_of words[WIDTHS];
    struct bound to = {0};
    if (t->has_view) bind_texture(context, &t->group, &to);
    if (t->has_sampler && t->group.operation != ASK_FETCH) bind_sampler(context, &t->group, &to);
    run_text(context, t->text, &to, t->inputs, words);
    release(&to);
    for (unsigned w = 0; w < WIDTHS; w++)
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
            const uint32_t *is = words[w][i], *should = t->expected[i];
            if (memcmp(is, should, sizeof t->expected[i]) == 0) continue;
            group_print(&t->group, i);
            fail_msg("width %u lane %u: %08x %08x %08x %08x, not %08x %08x %08x %08x\n%s", 4u << w, i, is[0], is[1],
                     is[2], is[3], should[0], should[1], should[2], should[3], t->text);
        }
}

/* ---- lookups ---- */

static bool full(const unsigned visits[TARGETS], uint32_t dimensions)
{
    for (unsigned d = 0; d < TARGETS; d++)
        if (dimensions >> d & 1 && visits[d] < LEAST) return false;
    return true;
}

static void check_form(void **argument)
{
    const struct form *form = *argument;
    unsigned visits[TARGETS] = {0}, count, not_zero = 0, all = 0;
    const struct ref_format *formats = ref_formats(&count);
    struct sch_context *context;
    struct trial *t = malloc(sizeof *t);
    assert_non_null(t);
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (uint64_t n = 1; !full(visits, form->dimensions); n++) {
        uint64_t seed = n + ((uint64_t)(form - forms) << 40);
        const struct ref_format *format = &formats[seed * 2654435761u % count];
        enum operation ask = form->ask[n % form->asks];
        if (!group_is_legal(format, ask)) continue;
        bool fits = make_trial(t, form, format, ask, seed);
        unsigned *cell = &visits[t->group.key.target];
        if (fits && *cell < LEAST) {
            run_trial(context, t);
            *cell += SCH_GROUP_LANES;
            all += SCH_GROUP_LANES;
            for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
                for (unsigned c = 0; c < 4; c++)
                    if (t->mask >> c & 1 && t->expected[i][c]) {
                        not_zero++;
                        break;
                    }
        }
        group_release(&t->group);
    }
    print_message("# %s: %u invocations, %u answers not 0\n", form->name, all, not_zero);
    assert_true(not_zero > all / 3);
    sch_context_destroy(context);
    free(t);
}

/* ---- queries ---- */

enum answer { SIZE_UINT, SIZE_FLOAT, SIZE_RECIPROCAL, COUNT_UINT, COUNT_FLOAT, PLACE, ELEMENTS };

/* v0.x is the level or the number of a sample. */
static const struct query {
    const char *name, *before, *behind;
    enum answer answer;
    uint32_t dimensions;
} queries[] = {
    {"resinfo_uint", "v0.x, ", "", SIZE_UINT, DIMS_ALL | DIMS_SAMPLES},
    {"resinfo", "v0.x, ", "", SIZE_FLOAT, DIMS_ALL | DIMS_SAMPLES},
    {"resinfo_rcpFloat", "v0.x, ", "", SIZE_RECIPROCAL, DIMS_ALL | DIMS_SAMPLES},
    {"sampleinfo_uint", "", "", COUNT_UINT, DIMS_SAMPLES},
    {"sampleinfo", "", "", COUNT_FLOAT, DIMS_SAMPLES},
    {"samplepos", "", ", v0.x", PLACE, DIMS_SAMPLES},
    {"bufinfo", "", "", ELEMENTS, DIM(BUFFER)},
};
enum { QUERIES = sizeof queries / sizeof *queries };

/* Direct3D's standard patterns, in sixteenths of a pixel from its centre: of 1, 2, 4, 8, 16 samples. */
static const int8_t places[5][16][2] = {{{0, 0}},
                                        {{4, 4}, {-4, -4}},
                                        {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
                                        {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
                                        {{1, 1},
                                         {-1, -3},
                                         {-3, 2},
                                         {4, -1},
                                         {-5, -2},
                                         {2, 5},
                                         {5, 3},
                                         {3, -5},
                                         {-2, 6},
                                         {0, -7},
                                         {-4, -6},
                                         {-6, 4},
                                         {-8, 0},
                                         {7, -4},
                                         {6, 7},
                                         {-7, -8}}};

/* The sizes of a level and the number of levels. */
static void sizes_of(const struct group *g, uint32_t level, uint32_t words[4])
{
    const struct sch_texture *texture = &g->texture;
    unsigned target = g->key.target, axes = ref_is_cube(target) ? 2 : ref_coordinates(target);
    bool multisampled = target == SCH_TARGET_2D_MSAA || target == SCH_TARGET_2D_ARRAY_MSAA;
    words[3] = texture->levels;
    if (multisampled) level = 0;
    if (level >= texture->levels) return;
    const struct sch_texture_level *is = &texture->level[level];
    const uint32_t extent[3] = {is->width, is->height, is->depth};
    memcpy(words, extent, axes * sizeof *words);
    if (ref_has_layers(target)) words[axes] = texture->layers / (ref_is_cube(target) ? 6 : 1);
}

static void place_of(uint32_t samples, uint32_t number, uint32_t words[4])
{
    unsigned row = 0;
    while (1u << row < samples) row++;
    if (number >= samples) return;
    for (unsigned a = 0; a < 2; a++) words[a] = bits_of((float)places[row][number][a] / 16.0f);
}

static void answer_query(const struct query *query, const struct group *g, bool bound, uint32_t number,
                         uint32_t words[4])
{
    unsigned axes = ref_is_cube(g->key.target) ? 2 : ref_coordinates(g->key.target);
    memset(words, 0, 4 * sizeof *words);
    if (bound && query->answer <= SIZE_RECIPROCAL) sizes_of(g, number, words);
    if (bound && (query->answer == COUNT_UINT || query->answer == COUNT_FLOAT)) words[0] = g->texture.samples;
    if (bound && query->answer == PLACE) place_of(g->texture.samples, number, words);
    for (unsigned c = 0; c < 4 && bound && query->answer == ELEMENTS; c++) words[c] = g->texture.level[0].width;
    bool floats = query->answer == SIZE_FLOAT || query->answer == SIZE_RECIPROCAL || query->answer == COUNT_FLOAT;
    for (unsigned c = 0; c < 4 && floats; c++) {
        float value = (float)words[c];
        words[c] = bits_of(query->answer == SIZE_RECIPROCAL && c < axes ? 1.0f / value : value);
    }
}

static void write_query(struct trial *t, const struct query *query)
{
    static const char letters[] = "xyzw";
    char dimension[40], swizzle[8] = "";
    const char *name = dimension_names[t->group.key.target], *type = return_type(&t->group);
    snprintf(dimension, sizeof dimension, strstr(name, "dms") ? "%s(%u)" : "%s", name,
             (unsigned)t->group.texture.samples);
    for (unsigned c = 0; c < 4; c++) swizzle[c] = letters[t->swizzle[c]];
    int length = snprintf(t->text, TEXT,
                          "ps_5_0\ndcl_resource_%s (%s,%s,%s,%s) t0\ndcl_input_ps constant v0.x\n"
                          "dcl_output o0.xyzw\ndcl_temps 1\n%s r0.xyzw, %st0.%s%s\nmov o0.xyzw, r0.xyzw\nret\n",
                          dimension, type, type, type, type, query->name, query->before, swizzle, query->behind);
    assert_true(length > 0 && length < TEXT);
}

static bool make_query(struct trial *t, const struct query *query, const struct ref_format *format, enum operation ask,
                       uint64_t seed)
{
    group_make(&t->group, format, ask, seed);
    t->group.key.rules = SCH_RULES_D3D;
    if (!(query->dimensions >> t->group.key.target & 1)) return false;
    state = seed;
    memset(t->inputs, 0, sizeof t->inputs);
    t->has_view = !chance(24);
    t->has_sampler = false;
    for (unsigned c = 0; c < 4; c++) t->swizzle[c] = chance(2) ? c : below(4);
    write_query(t, query);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t words[4], number = chance(8) ? next() : below(18);
        t->inputs[i][0][0] = number;
        answer_query(query, &t->group, t->has_view, number, words);
        for (unsigned c = 0; c < 4; c++) t->expected[i][c] = words[t->swizzle[c]];
    }
    return true;
}

static void check_query(void **argument)
{
    const struct query *query = *argument;
    unsigned visits[TARGETS] = {0}, count;
    const struct ref_format *formats = ref_formats(&count);
    struct sch_context *context;
    struct trial *t = malloc(sizeof *t);
    assert_non_null(t);
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (uint64_t n = 1; !full(visits, query->dimensions); n++) {
        uint64_t seed = n + ((uint64_t)(query - queries + FORMS) << 40);
        const struct ref_format *format = &formats[seed * 2654435761u % count];
        bool fits = make_query(t, query, format, ASK_FETCH, seed);
        unsigned *cell = &visits[t->group.key.target];
        if (fits && *cell < LEAST) {
            run_trial(context, t);
            *cell += SCH_GROUP_LANES;
        }
        group_release(&t->group);
    }
    sch_context_destroy(context);
    free(t);
}

int main(void)
{
    static struct CMUnitTest tests[FORMS + QUERIES];
    for (size_t i = 0; i < FORMS; i++)
        tests[i] = (struct CMUnitTest){forms[i].name, check_form, NULL, NULL, (void *)(uintptr_t)&forms[i]};
    for (size_t i = 0; i < QUERIES; i++)
        tests[FORMS + i] =
            (struct CMUnitTest){queries[i].name, check_query, NULL, NULL, (void *)(uintptr_t)&queries[i]};
    return _cmocka_run_group_tests("d3d lookups", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
