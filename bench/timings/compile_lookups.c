/* ./dev bench compile, second part: what it costs to compile a lookup, for a hundred states of samplers and views.
 * Each is the only lookup of a program, compiled for the spans of a rectangle, as what the state decides is decided
 * there. */
#include <string.h>

#include "timings.h"

enum { TEXT_BYTES = 512, SIDE = 64 };

struct filter {
    const char *name;
    enum sch_filter filter;
    enum sch_mip_filter mip;
    uint32_t anisotropy;
};
struct target {
    const char *name, *view; /* of the lookup, of the view's declaration */
    enum sch_target target;
};
struct key {
    const struct target *target;
    const char *format;
    const struct filter *filter;
    enum sch_wrap wrap;
    const char *opcode;
};

static const char *const formats[] = {"R8G8B8A8_UNORM",     "B8G8R8A8_SRGB", "R8_UNORM",  "R16G16B16A16_FLOAT",
                                      "R32G32B32A32_FLOAT", "DXT1_RGBA",     "DXT5_RGBA", "BPTC_RGBA_UNORM"};
enum { NEAREST, LINEAR, MIP_NEAREST, MIP_LINEAR, ANISO, FILTERS };
static const struct filter filters[FILTERS] = {{"nearest", SCH_FILTER_NEAREST, SCH_MIP_NONE, 0},
                                               {"linear", SCH_FILTER_LINEAR, SCH_MIP_NONE, 0},
                                               {"linear,mip=nearest", SCH_FILTER_LINEAR, SCH_MIP_NEAREST, 0},
                                               {"linear,mip=linear", SCH_FILTER_LINEAR, SCH_MIP_LINEAR, 0},
                                               {"linear,mip=linear,aniso=16", SCH_FILTER_LINEAR, SCH_MIP_LINEAR, 16}};
static const char *const wrap_names[] = {[SCH_WRAP_REPEAT] = "repeat",
                                         [SCH_WRAP_CLAMP_TO_EDGE] = "clamp_to_edge",
                                         [SCH_WRAP_MIRROR_REPEAT] = "mirror_repeat",
                                         [SCH_WRAP_CLAMP_TO_BORDER] = "clamp_to_border"};
enum { IN_1D, IN_2D, IN_RECT, IN_ARRAY, IN_3D, IN_CUBE, IN_SHADOW };
static const struct target targets[] = {
    {"1D", "1D", SCH_TARGET_1D},       {"2D", "2D", SCH_TARGET_2D},
    {"RECT", "RECT", SCH_TARGET_RECT}, {"2D_ARRAY", "2D_ARRAY", SCH_TARGET_2D_ARRAY},
    {"3D", "3D", SCH_TARGET_3D},       {"CUBE", "CUBE", SCH_TARGET_CUBE},
    {"SHADOW2D", "2D", SCH_TARGET_2D}};

/* Every format with every filter, repeated and clamped. */
enum { WRAPS = 2, PRODUCT = sizeof formats / sizeof *formats * FILTERS * WRAPS };

/* And other targets and instructions. */
#define KEY(target, format, filter, wrap, opcode)                                                                      \
    {                                                                                                                  \
        &targets[IN_##target], #format, &filters[filter], SCH_WRAP_##wrap, #opcode                                     \
    }
static const struct key others[] = {
    KEY(1D, R8G8B8A8_UNORM, LINEAR, REPEAT, TEX),
    KEY(RECT, R8G8B8A8_UNORM, LINEAR, CLAMP_TO_EDGE, TEX),
    KEY(ARRAY, R8G8B8A8_UNORM, LINEAR, REPEAT, TEX),
    KEY(ARRAY, R8G8B8A8_UNORM, MIP_LINEAR, REPEAT, TEX),
    KEY(3D, R8G8B8A8_UNORM, NEAREST, REPEAT, TEX),
    KEY(3D, R8G8B8A8_UNORM, LINEAR, REPEAT, TEX),
    KEY(3D, R16G16B16A16_FLOAT, LINEAR, REPEAT, TEX),
    KEY(CUBE, R8G8B8A8_UNORM, NEAREST, CLAMP_TO_EDGE, TEX),
    KEY(CUBE, R8G8B8A8_UNORM, LINEAR, CLAMP_TO_EDGE, TEX),
    KEY(CUBE, R8G8B8A8_UNORM, MIP_LINEAR, CLAMP_TO_EDGE, TEX),
    KEY(CUBE, R16G16B16A16_FLOAT, MIP_LINEAR, CLAMP_TO_EDGE, TEX),
    KEY(SHADOW, Z32_FLOAT, NEAREST, CLAMP_TO_EDGE, TEX),
    KEY(SHADOW, Z32_FLOAT, LINEAR, CLAMP_TO_EDGE, TEX),
    KEY(SHADOW, Z16_UNORM, LINEAR, CLAMP_TO_EDGE, TEX),
    KEY(2D, R8G8B8A8_UNORM, LINEAR, MIRROR_REPEAT, TEX),
    KEY(2D, R8G8B8A8_UNORM, LINEAR, CLAMP_TO_BORDER, TEX),
    KEY(2D, R32_FLOAT, LINEAR, REPEAT, TEX),
    KEY(2D, R8G8B8A8_UINT, NEAREST, REPEAT, TEX),
    KEY(2D, R8G8B8A8_UNORM, LINEAR, REPEAT, TG4),
    KEY(2D, R8G8B8A8_UNORM, NEAREST, REPEAT, TXF),
};
enum { KEYS = PRODUCT + sizeof others / sizeof *others };

static struct key key_of(unsigned number)
{
    static const enum sch_wrap wraps[WRAPS] = {SCH_WRAP_REPEAT, SCH_WRAP_CLAMP_TO_EDGE};
    if (number >= PRODUCT) return others[number - PRODUCT];
    return (struct key){&targets[IN_2D], formats[number / (WRAPS * FILTERS)], &filters[number / WRAPS % FILTERS],
                        wraps[number % WRAPS], "TEX"};
}

static void write_shader(char text[TEXT_BYTES], const struct key *key)
{
    const bool integers = strstr(key->format, "UINT") != NULL;
    const char *operands = strcmp(key->opcode, "TG4") == 0 ? "IN[0], IMM[0].xxxx" : "IN[0]";
    snprintf(text, TEXT_BYTES,
             "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], %s, %s\n"
             "IMM[0] UINT32 {0, 0, 0, 0}\n%s OUT[0], %s, SAMP[0], %s\nEND\n",
             key->target->view, integers ? "UINT" : "FLOAT", key->opcode, operands, key->target->name);
}

/* A rectangle of a render target's pixels, with an input. */
static void make_rectangle(struct sch_rectangle *rectangle, struct sch_rectangle_register *input,
                           struct sch_render_target *target, uint32_t *pixels)
{
    *input = (struct sch_rectangle_register){.planar = 15};
    for (unsigned c = 0; c < 4; c++) input->planes[c] = (struct sch_plane){{0.5f, 1, 0}, {SIDE, 0, 0}};
    *target = (struct sch_render_target){
        .pixels = pixels, .bytes = SIDE * SIDE * sizeof *pixels, .row_bytes = SIDE * sizeof *pixels};
    *rectangle = (struct sch_rectangle){.size = sizeof *rectangle,
                                        .width = SIDE,
                                        .height = SIDE,
                                        .registers = input,
                                        .register_stride = sizeof *input,
                                        .register_count = 1,
                                        .render_targets = target,
                                        .render_target_stride = sizeof *target,
                                        .render_target_count = 1};
}

static bool measure(const struct bench_setup *setup, const struct key *key, struct bench_compiled *row)
{
    static uint32_t pixels[SIDE * SIDE];
    char text[TEXT_BYTES];
    struct sch_rectangle rectangle;
    struct sch_rectangle_register input;
    struct sch_render_target target;
    struct bench_bindings bound;
    const struct bench_texels texels = {.format = key->format,
                                        .target = key->target->target,
                                        .side = SIDE,
                                        .levels = key->filter->mip == SCH_MIP_NONE ? 1 : 7,
                                        .filter = key->filter->filter,
                                        .mip = key->filter->mip,
                                        .wrap = key->wrap,
                                        .anisotropy = key->filter->anisotropy};
    write_shader(text, key);
    make_rectangle(&rectangle, &input, &target, pixels);
    enum sch_result result = bench_bind(setup->context, &texels, &bound);
    if (result == SCH_OK) {
        const struct sch_code_options spans = {
            .size = sizeof spans, .rectangle = &rectangle, .bindings = &bound.bindings};
        const struct bench_source source = {row->name, text, strlen(text)};
        row->times = bench_compile_once(setup, &source, &spans, NULL);
        result = row->times.result;
    }
    bench_release(&bound);
    return bench_good(row->name, result);
}

bool bench_compile_lookups(const struct bench_setup *setup)
{
    static struct bench_compiled rows[KEYS];
    for (unsigned n = 0; n < KEYS; n++) {
        const struct key key = key_of(n);
        struct bench_compiled *row = &rows[n];
        snprintf(row->name, sizeof row->name, "%s %s %s %s %s", key.opcode, key.target->name, key.format,
                 key.filter->name, wrap_names[key.wrap]);
        if (n == 0 && !measure(setup, &key, row)) return false; /* loads the compiler */
        if (!measure(setup, &key, row)) return false;
        bench_print_compiling(setup, row->name, &row->times, "warm");
    }
    bench_print_places(setup, "lookups", rows, KEYS);
    return true;
}
