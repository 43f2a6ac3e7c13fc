/* Draws whose fragments code shades in spans (docs/jit.md, "Spans"): that they have the bits that the interpreter has,
 * group by group, whatever stands around the groups; and which draws have spans at all. What the bits are to be is
 * asked elsewhere (test_draw_output.c, test_fragment_effects.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/draw_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SIDE = 61, SMALL = 200, VERTICES = 3 * (SMALL + 2), REGISTERS = 3 };
enum { WHOLE_BLOCKS = (SIDE / 8) * (SIDE / 4) };
enum { MOST_SAMPLES = 4, PICTURE_WORDS = SIDE * SIDE * MOST_SAMPLES * 4 };

/* One case. */
struct draw_case {
    const char *name, *fragment;
    enum sch_format format, depth; /* 0: RGBA8; none */
    unsigned samples;              /* 0: 1 */
    void (*change)(struct draw_scene *scene);
    bool has_spans;
    bool perspective;
    bool odd; /* inputs are infinite, NaN with any bits, or very small */
};

static const char vertex_text[] =
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
    "DCL OUT[2], GENERIC[1]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nEND\n";

#define INPUTS(mode)                                                                                                   \
    "FRAG\nDCL IN[0], GENERIC[0], " mode "\nDCL IN[1], GENERIC[1], " mode "\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
#define SUM "MUL TEMP[0], IN[0], IN[1].wzyx\nMAD OUT[0], TEMP[0], IN[1], IN[0]\nEND\n"

/* ---- changes ---- */

static void blend_over(struct draw_scene *scene)
{
    scene->blend.targets[0] = (struct sch_blend_target){.enabled = true,
                                                        .color_source = SCH_FACTOR_SRC_ALPHA,
                                                        .color_destination = SCH_FACTOR_INV_SRC_ALPHA,
                                                        .alpha_source = SCH_FACTOR_CONST_ALPHA,
                                                        .alpha_destination = SCH_FACTOR_DST_ALPHA,
                                                        .alpha_equation = SCH_BLEND_REVERSE_SUBTRACT,
                                                        .color_mask = 15};
    scene->dynamic.blend_color[3] = 0.3f;
}
static void mask_channels(struct draw_scene *scene) { scene->blend.targets[0].color_mask = 5; }
static void add_logic(struct draw_scene *scene)
{
    scene->blend.logic_enabled = true;
    scene->blend.logic_operation = SCH_LOGIC_XOR;
}
static void test_depth(struct draw_scene *scene)
{
    scene->tests.depth_enabled = scene->tests.depth_writes = true;
    scene->tests.depth_function = SCH_COMPARE_LESS;
}
static void read_depth(struct draw_scene *scene)
{
    scene->tests.depth_enabled = true;
    scene->tests.depth_function = SCH_COMPARE_LEQUAL;
}
static void bound_depth(struct draw_scene *scene)
{
    test_depth(scene);
    scene->tests.depth_bounds = true;
    scene->tests.depth_bounds_min = 0.3f;
    scene->tests.depth_bounds_max = 0.75f;
}
static void test_stencil(struct draw_scene *scene)
{
    test_depth(scene);
    scene->tests.stencil[0] = (struct sch_stencil_face){.enabled = true,
                                                        .function = SCH_COMPARE_GEQUAL,
                                                        .pass = SCH_STENCIL_INCREMENT,
                                                        .depth_fail = SCH_STENCIL_DECREMENT_WRAP,
                                                        .fail = SCH_STENCIL_INVERT,
                                                        .value_mask = 0x0f,
                                                        .write_mask = 0x3f};
    scene->dynamic.stencil_reference[0] = 3;
}
static void test_both_faces(struct draw_scene *scene)
{
    test_stencil(scene);
    scene->tests.stencil[1] = (struct sch_stencil_face){.enabled = true,
                                                        .function = SCH_COMPARE_NOTEQUAL,
                                                        .pass = SCH_STENCIL_REPLACE,
                                                        .depth_fail = SCH_STENCIL_ZERO,
                                                        .fail = SCH_STENCIL_INCREMENT_WRAP,
                                                        .value_mask = 0xff,
                                                        .write_mask = 0xff};
    scene->dynamic.stencil_reference[1] = 7;
}
static void test_alpha(struct draw_scene *scene)
{
    scene->tests.alpha_enabled = true;
    scene->tests.alpha_function = SCH_COMPARE_GREATER;
    scene->tests.alpha_reference = 0.5f;
}
static void test_alpha_and_depth(struct draw_scene *scene)
{
    test_alpha(scene);
    test_depth(scene);
    scene->blend.targets[0].color_mask = 0;
    scene->rasterizer.clamp_fragment_color = true;
}
static void smooth(struct draw_scene *scene) { scene->rasterizer.poly_smooth = true; }
static void cover_by_alpha(struct draw_scene *scene) { scene->blend.alpha_to_coverage = true; }
static void run_each_sample(struct draw_scene *scene) { scene->dynamic.min_samples = MOST_SAMPLES; }
static void mask_samples(struct draw_scene *scene) { scene->dynamic.sample_mask = 0xa; }
static void multisample(struct draw_scene *scene) { scene->rasterizer.multisample = true; }
static void multisample_mask(struct draw_scene *scene)
{
    multisample(scene);
    mask_samples(scene);
}
static void multisample_blend(struct draw_scene *scene)
{
    multisample(scene);
    blend_over(scene);
}
static void multisample_each(struct draw_scene *scene)
{
    multisample(scene);
    run_each_sample(scene);
}
static void multisample_depth(struct draw_scene *scene)
{
    multisample(scene);
    test_depth(scene);
}
static void multisample_stencil(struct draw_scene *scene)
{
    multisample(scene);
    test_both_faces(scene);
}
static void multisample_alpha(struct draw_scene *scene)
{
    multisample(scene);
    cover_by_alpha(scene);
}

#define KILL "KILL_IF -TEMP[0].xxxx\n"
static const char killing[] = INPUTS("PERSPECTIVE") "ADD TEMP[0], IN[0], -IN[1]\n" KILL "MOV OUT[0], IN[0]\nEND\n";
static const char early_killing[] =
    "FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\n"
    "DCL OUT[0], COLOR\nDCL TEMP[0]\nADD TEMP[0], IN[0], -IN[1]\n" KILL "MOV OUT[0], IN[0]\nEND\n";
static const char placed[] = "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL IN[1], FACE, CONSTANT\nDCL OUT[0], COLOR\n"
                             "IMM[0] FLT32 {0.01, 0.5, 1, 0}\nMUL OUT[0].xyz, IN[0], IMM[0].xxyy\n"
                             "MAD OUT[0].w, IN[1].xxxx, IMM[0].yyyy, IN[0].wwww\nEND\n";
static const char derived[] = INPUTS("PERSPECTIVE") "DDX TEMP[0].xy, IN[0]\nDDY TEMP[0].zw, IN[1]\n"
                                                    "MOV OUT[0], TEMP[0]\nEND\n";
static const char looping[] = INPUTS("PERSPECTIVE") "IMM[0] FLT32 {0.1, 0.9, 0, 0}\nMOV TEMP[0], IN[0]\nBGNLOOP\n"
                                                    "SGE TEMP[0].w, TEMP[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].wwww\nBRK\n"
                                                    "ENDIF\nADD TEMP[0].x, TEMP[0], IMM[0].xxxx\nENDLOOP\n"
                                                    "MOV OUT[0], TEMP[0].xyzx\nEND\n";
static const char missing[] = "FRAG\nDCL IN[0], GENERIC[7], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
static const char votes[] = INPUTS("PERSPECTIVE") "VOTE_ANY TEMP[0], IN[0].xxxx\nMOV OUT[0], TEMP[0]\nEND\n";
static const char writes_depth[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\n"
                                   "MOV OUT[0], IN[0]\nMOV OUT[1].z, IN[0].xxxx\nEND\n";

static const char greater_depth[] =
    "FRAG\nPROPERTY FS_DEPTH_LAYOUT 2\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\n"
    "MOV OUT[0], IN[0]\nMOV OUT[1].z, IN[0].xxxx\nEND\n";
static const char writes_stencil[] =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], STENCIL\n"
    "IMM[0] UINT32 {2, 2, 2, 2}\nMOV OUT[0], IN[0]\nMOV OUT[1].y, IMM[0].xxxx\nEND\n";

static const char single[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], LINEAR\n"
                             "DCL OUT[0], COLOR\nMUL OUT[0], IN[0].yyyy, IN[1].wwww\nMOV OUT[0].z, IN[1].wwww\nEND\n";
static const char ends[] = INPUTS("LINEAR") "ADD OUT[0], IN[0].xxwx, IN[1].xwxx\nEND\n";

static const struct draw_case cases[] = {
    {"perspective", INPUTS("PERSPECTIVE") SUM, .has_spans = true, .perspective = true},
    {"perspective of equal w", INPUTS("PERSPECTIVE") SUM, .has_spans = true},
    {"linear", INPUTS("LINEAR") SUM, .has_spans = true, .perspective = true},
    {"constant", INPUTS("CONSTANT") SUM, .has_spans = true},
    {"position and face", placed, .has_spans = true, .perspective = true},
    {"a missing input", missing, .has_spans = true},
    {"derivatives", derived, .has_spans = true, .perspective = true},
    {"loops", looping, .has_spans = true},
    {"blending", INPUTS("PERSPECTIVE") SUM, .change = blend_over, .has_spans = true},
    {"a colour mask", INPUTS("PERSPECTIVE") SUM, .change = mask_channels, .has_spans = true},
    {"a logic operation", INPUTS("PERSPECTIVE") SUM, .change = add_logic, .has_spans = true},
    {"discarding", killing, .has_spans = true},
    {"early depth", INPUTS("LINEAR") SUM, .depth = SCH_FORMAT_Z24_UNORM_S8_UINT, .change = test_depth,
     .has_spans = true},
    {"BGRX", INPUTS("LINEAR") SUM, .format = SCH_FORMAT_B8G8R8X8_UNORM, .change = blend_over, .has_spans = true},
    {"8 bits", INPUTS("LINEAR") SUM, .format = SCH_FORMAT_R8_UNORM, .change = blend_over, .has_spans = true},
    {"565", INPUTS("LINEAR") SUM, .format = SCH_FORMAT_B5G6R5_UNORM, .change = blend_over, .has_spans = true},
    {"shared exponent's size", INPUTS("LINEAR") SUM, .format = SCH_FORMAT_R11G11B10_FLOAT, .has_spans = true},
    {"halves", INPUTS("LINEAR") SUM, .format = SCH_FORMAT_R16G16B16A16_FLOAT, .change = blend_over, .has_spans = true},
    {"floats", INPUTS("LINEAR") SUM, .format = SCH_FORMAT_R32G32B32A32_FLOAT, .change = blend_over, .has_spans = true},
    {"any float", INPUTS("PERSPECTIVE") "MOV OUT[0], IN[0]\nEND\n", .format = SCH_FORMAT_R32_FLOAT, .has_spans = true,
     .odd = true},
    {"any constant", INPUTS("CONSTANT") "MOV OUT[0], IN[0]\nEND\n", .format = SCH_FORMAT_R32_FLOAT, .has_spans = true,
     .odd = true},
    {"any floats that are blended", INPUTS("LINEAR") SUM, .format = SCH_FORMAT_R32_FLOAT, .change = blend_over,
     .has_spans = true, .odd = true},
    {"any floats", INPUTS("LINEAR") SUM, .format = SCH_FORMAT_R32G32B32A32_FLOAT, .change = blend_over,
     .has_spans = true, .odd = true},
    {"any halves", INPUTS("PERSPECTIVE") SUM, .format = SCH_FORMAT_R16G16_FLOAT, .has_spans = true, .odd = true},
    {"integers", INPUTS("CONSTANT") SUM, .format = SCH_FORMAT_R32_UINT, .has_spans = true},
    {"sRGB", INPUTS("LINEAR") SUM, .format = SCH_FORMAT_R8G8B8A8_SRGB, .change = blend_over, .has_spans = true},
    {"samples", INPUTS("LINEAR") SUM, .samples = 4, .change = multisample, .has_spans = true},
    {"samples that are blended", INPUTS("LINEAR") SUM, .samples = 4, .change = multisample_blend, .has_spans = true},
    {"a sample mask", INPUTS("LINEAR") SUM, .samples = 4, .change = multisample_mask, .has_spans = true},
    {"samples without multisampling", INPUTS("LINEAR") SUM, .samples = 4, .has_spans = true},
    {"an alpha test", INPUTS("LINEAR") SUM, .change = test_alpha, .has_spans = true},
    {"an alpha test and depth", INPUTS("LINEAR") SUM, .depth = SCH_FORMAT_Z24_UNORM_S8_UINT,
     .change = test_alpha_and_depth, .has_spans = true},
    {"smooth polygons", INPUTS("LINEAR") SUM, .change = smooth},
    {"alpha to coverage", INPUTS("LINEAR") SUM, .samples = 4, .change = multisample_alpha},
    {"each sample", INPUTS("LINEAR") SUM, .samples = 4, .change = multisample_each},
    {"late depth", killing, .depth = SCH_FORMAT_Z32_FLOAT, .change = test_depth, .has_spans = true},
    {"early depth of what is discarded", early_killing, .depth = SCH_FORMAT_Z32_FLOAT, .change = test_depth,
     .has_spans = true},
    {"depth of 16 bits", INPUTS("PERSPECTIVE") SUM, .depth = SCH_FORMAT_Z16_UNORM, .change = test_depth,
     .has_spans = true, .perspective = true},
    {"depth that is only read", placed, .depth = SCH_FORMAT_Z32_FLOAT, .change = read_depth, .has_spans = true},
    {"depth of samples", INPUTS("LINEAR") SUM, .depth = SCH_FORMAT_Z24X8_UNORM, .samples = 4,
     .change = multisample_depth, .has_spans = true},
    {"late depth of samples", killing, .depth = SCH_FORMAT_Z32_FLOAT, .samples = 4, .change = multisample_depth,
     .has_spans = true},
    {"depth without multisampling", placed, .depth = SCH_FORMAT_Z32_FLOAT, .samples = 4, .change = test_depth,
     .has_spans = true},
    {"depth bounds", INPUTS("LINEAR") SUM, .depth = SCH_FORMAT_Z24_UNORM_S8_UINT, .change = bound_depth,
     .has_spans = true},
    {"stencil", INPUTS("CONSTANT") SUM, .depth = SCH_FORMAT_Z24_UNORM_S8_UINT, .change = test_stencil,
     .has_spans = true},
    {"stencil of both faces", missing, .depth = SCH_FORMAT_Z32_FLOAT_S8X24_UINT, .change = test_both_faces,
     .has_spans = true},
    {"late stencil", killing, .depth = SCH_FORMAT_Z32_FLOAT_S8X24_UINT, .change = test_both_faces, .has_spans = true},
    {"stencil alone", INPUTS("LINEAR") SUM, .depth = SCH_FORMAT_S8_UINT, .change = test_stencil, .has_spans = true},
    {"stencil of samples", INPUTS("LINEAR") SUM, .depth = SCH_FORMAT_Z24_UNORM_S8_UINT, .samples = 4,
     .change = multisample_stencil, .has_spans = true},
    {"written depth", writes_depth, .depth = SCH_FORMAT_Z32_FLOAT, .change = test_depth, .has_spans = true},
    {"written depth that is greater", greater_depth, .depth = SCH_FORMAT_Z24_UNORM_S8_UINT, .samples = 4,
     .change = multisample_depth, .has_spans = true},
    {"written stencil", writes_stencil, .depth = SCH_FORMAT_Z24_UNORM_S8_UINT, .change = test_stencil},
    {"votes", votes, .has_spans = false},
    {"one channel of each input", single, .has_spans = true, .perspective = true},
    {"a first and a last channel", ends, .change = blend_over, .has_spans = true},
    {"one channel with early tests", single, .depth = SCH_FORMAT_Z24_UNORM_S8_UINT, .change = test_depth,
     .has_spans = true, .perspective = true},
};

/* ---- drawing ---- */

static float random_float(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return (float)(*seed >> 8) / (1 << 24);
}

/* Small triangles of any kind, and two that cover all, whose blocks are whole. */
static void make_vertices(float (*vertices)[4 * REGISTERS], bool perspective, bool odd)
{
    static const uint32_t odd_words[] = {0x7f800000, 0xff800000, 0x7fc12345, 0xffabcdef, 0x00000001, 0x80012345};
    static const float corners[6][2] = {{-1, -1}, {3, -1}, {-1, 3}, {1, 1}, {-3, 1}, {1, -3}};
    uint32_t seed = 1;
    for (unsigned n = 0; n < VERTICES; n++) {
        float *to = vertices[n];
        const float w = perspective ? 0.5f + random_float(&seed) : 1;
        const bool large = n < 6;
        static float first[2];
        for (unsigned c = 0; c < 2; c++) {
            const float place = n % 3 || large ? 0 : random_float(&seed) * 2 - 1;
            if (n % 3 == 0) first[c] = place;
            to[c] = w * (large ? corners[n][c] : first[c] + (n % 3 ? random_float(&seed) - 0.5f : 0) * 0.4f);
        }
        to[2] = random_float(&seed) * w;
        to[3] = w;
        for (unsigned c = 4; c < 4 * REGISTERS; c++) {
            to[c] = random_float(&seed);
            if (odd && n >= 6 && seed >> 12 & 1)
                memcpy(&to[c], &odd_words[(seed >> 16) % COUNT(odd_words)], sizeof to[c]);
        }
    }
}

static void read_picture(const struct draw_scene *scene, const struct sch_resource *from, uint32_t *words)
{
    memset(words, 0, PICTURE_WORDS * sizeof *words);
    if (!from) return;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            for (uint32_t s = 0; s < scene->samples; s++, words += 4) draw_read(scene, from, x, y, s, words);
}

/* What is drawn, how many samples passed, and how often the program ran. */
struct drawn {
    uint32_t color[PICTURE_WORDS], depth[PICTURE_WORDS];
    uint64_t passed, invocations;
};

static struct sch_query *begin_query(struct draw_scene *scene, enum sch_query_kind kind, uint32_t index)
{
    struct sch_query *query = NULL;
    assert_int_equal(sch_query_create(scene->context, kind, index, &query), SCH_OK);
    assert_int_equal(sch_renderer_begin_query(scene->renderer, query), SCH_OK);
    return query;
}

static uint64_t end_query(struct draw_scene *scene, struct sch_query *query)
{
    struct sch_query_result result;
    assert_int_equal(sch_renderer_end_query(scene->renderer, query), SCH_OK);
    assert_int_equal(sch_query_get_result(query, &result), SCH_OK);
    sch_query_destroy(query);
    return result.values[0];
}

static void draw_counting(struct draw_scene *scene, struct drawn *drawn)
{
    struct sch_query *passed = begin_query(scene, SCH_QUERY_OCCLUSION_COUNTER, 0);
    struct sch_query *invocations =
        begin_query(scene, SCH_QUERY_PIPELINE_STATISTICS_SINGLE, SCH_STATISTIC_PS_INVOCATIONS);
    draw(scene, SCH_PRIMITIVE_TRIANGLES, VERTICES);
    drawn->invocations = end_query(scene, invocations);
    drawn->passed = end_query(scene, passed);
}

static uint64_t draw_case(const struct draw_case *of, enum sch_engine engine, unsigned width, unsigned threads,
                          struct drawn *drawn)
{
    static const float color[4] = {0.2f, 0.4f, 0.6f, 0.8f};
    static float vertices[VERTICES][4 * REGISTERS];
    struct draw_scene scene;
    struct sch_code_counts counts = {.size = sizeof counts};
    make_vertices(vertices, of->perspective, of->odd);
    draw_begin(&scene, SIDE, SIDE, of->samples ? of->samples : 1, of->format ? of->format : SCH_FORMAT_R8G8B8A8_UNORM,
               of->depth);
    draw_clear(&scene, color, 0.75, 0);
    draw_vertices(&scene, vertices[0], VERTICES, REGISTERS);
    scene.vertex = vertex_text;
    scene.fragment = of->fragment;
    scene.engine = engine;
    scene.width = width;
    scene.dispatch.threads = threads;
    if (of->change) of->change(&scene);
    draw_counting(&scene, drawn);
    read_picture(&scene, scene.color, drawn->color);
    read_picture(&scene, scene.depth, drawn->depth);
    assert_int_equal(sch_context_code_counts(scene.context, &counts), SCH_OK);
    draw_end(&scene);
    return counts.span_groups;
}

static void spans_have_the_same_bits(void **state)
{
    (void)state;
    static struct drawn plain, code;
    for (size_t n = 0; n < COUNT(cases); n++) {
        assert_int_equal(draw_case(&cases[n], SCH_ENGINE_INTERPRETER, 4, 1, &plain), 0);
        if (plain.passed < 300) fail_msg("%s: %u samples", cases[n].name, (unsigned)plain.passed);
        for (unsigned width = 4; width <= 16; width *= 2) {
            if (!getenv("SCH_LONG") && n % 9 != 0 && width != 4u << n / 3 % 3) continue; /* a ninth at all */
            const uint64_t spans = draw_case(&cases[n], SCH_ENGINE_JIT, width, width == 8 ? 3 : 1, &code);
            if (cases[n].has_spans ? spans < 2 * WHOLE_BLOCKS : spans > 0)
                fail_msg("%s: %u groups in spans", cases[n].name, (unsigned)spans);
            if (memcmp(plain.color, code.color, sizeof code.color) != 0) fail_msg("%s, %u lanes", cases[n].name, width);
            if (memcmp(plain.depth, code.depth, sizeof code.depth) != 0)
                fail_msg("%s, %u lanes: depth", cases[n].name, width);
            if (plain.passed != code.passed || plain.invocations != code.invocations)
                fail_msg("%s, %u lanes: %u and %u samples, %u and %u invocations", cases[n].name, width,
                         (unsigned)plain.passed, (unsigned)code.passed, (unsigned)plain.invocations,
                         (unsigned)code.invocations);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spans_have_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
