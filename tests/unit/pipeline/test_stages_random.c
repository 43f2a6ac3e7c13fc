/* Random draws by pipelines of all stages: captured vertex, tessellation, geometry and fragment shaders, wherever they
 * link, over random meshes with random state, with stream output in some, and in some behind a compute program that
 * writes the vertices first. What is written and counted does not depend on the width of vectors, on the number of
 * threads or on how the shaders run; with SCH_LONG 10,000 draws, each at every width with every number of threads.
 * Some shaders are the test's own, so that something is drawn where there are no captured ones, and Direct3D's, which
 * have what TGSI has not: geometry shaders of patches, partitioning by powers of two. Holds no expectation of what a
 * pixel is: the other tests of draws do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../tgsi/tgsi_support.h"
#include "random_draw.h"

enum {
    LAYERS = 3, /* of a framebuffer, at most */
    TRIES = 4,  /* to find shaders that link */
    STREAMS = SCH_STREAM_BUFFERS,
    OUTPUTS = 64,       /* that are chosen from */
    STREAM_WORDS = 600, /* of a buffer of stream output */
    TEXT = 4096         /* bytes of a shader of the test's own, at most */
};

/* What is counted: statistics, samples, and of each stream what there was and what was written. */
enum { QUERY_STATISTICS, QUERY_SAMPLES, QUERY_GENERATED, QUERY_WRITTEN = QUERY_GENERATED + STREAMS };
enum { QUERIES = QUERY_WRITTEN + STREAMS };

struct subject {
    struct random_draw draw;
    struct sch_stream_output_options layout;
    struct sch_resource *stream_buffers[STREAMS];
    bool streams;
    struct sch_query *queries[QUERIES];
    struct sch_query_result counted[QUERIES]; /* by the last draw */
};

/* Of all draws of a test, so that it is known to test what it says. */
struct totals {
    unsigned drawn, tessellated, amplified, streamed, computed, seen, hulls, patches;
};

/* Numbers are taken in full expressions of their own: arguments and initialisers have no order. */
static uint32_t below(struct subject *subject, uint32_t count) { return random_draw_below(&subject->draw, count); }
static bool chance(struct subject *subject, uint32_t one_of) { return random_draw_chance(&subject->draw, one_of); }
static float part(struct subject *subject) { return random_draw_part(&subject->draw); }

/* ---- shaders of the test's own ---- */

/* Levels up to 15, some of which discard the patch. */
static const char own_control[] = "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT %u\n"
                                  "DCL IN[][0], POSITION\nDCL IN[][1], COLOR\nDCL IN[][2], GENERIC[0]\n"
                                  "DCL SV[0], INVOCATIONID\n"
                                  "DCL OUT[][0], POSITION\nDCL OUT[][1], COLOR\nDCL OUT[][2], GENERIC[0]\n"
                                  "DCL OUT[3], TESSOUTER\nDCL OUT[4], TESSINNER\nDCL OUT[5], PATCH\n"
                                  "DCL ADDR[0]\nDCL TEMP[0]\nIMM[0] FLT32 {8.0, 1.0, 0.0, 0.0}\n"
                                  "UARL ADDR[0].x, SV[0].xxxx\n"
                                  "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
                                  "MOV OUT[ADDR[0].x][1], IN[ADDR[0].x][1]\n"
                                  "MOV OUT[ADDR[0].x][2], IN[ADDR[0].x][2]\n"
                                  "MAD TEMP[0], IN[0][2], IMM[0].xxxx, IMM[0].yyyy\n"
                                  "MOV OUT[3], TEMP[0]\nMOV OUT[4], TEMP[0].yxzw\nMOV OUT[5], IN[0][1]\nEND\n";
/* Points on the plane through the first three vertices of the patch. */
static const char own_evaluation[] =
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE %u\nPROPERTY TES_SPACING %u\nPROPERTY TES_VERTEX_ORDER_CW %u\n"
    "PROPERTY TES_POINT_MODE %u\n"
    "DCL IN[][0], POSITION\nDCL IN[][1], COLOR\nDCL IN[][2], GENERIC[0]\nDCL IN[3], PATCH\nDCL SV[0], TESSCOORD\n"
    "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], GENERIC[0]\nDCL OUT[3], PSIZE\nDCL TEMP[0..1]\n"
    "IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\n"
    "ADD TEMP[0].x, IMM[0].xxxx, -SV[0].xxxx\nADD TEMP[0].x, TEMP[0].xxxx, -SV[0].yyyy\n"
    "MUL TEMP[1], IN[0][0], SV[0].xxxx\nMAD TEMP[1], IN[1][0], SV[0].yyyy, TEMP[1]\n"
    "MAD OUT[0], IN[2][0], TEMP[0].xxxx, TEMP[1]\n"
    "ADD OUT[1], IN[3], SV[0]\nMOV OUT[2], IN[0][2]\nMOV OUT[3].x, IN[1][2].xxxx\nEND\n";
static const char own_geometry[] =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE %s\nPROPERTY GS_OUTPUT_PRIMITIVE %s\nPROPERTY GS_MAX_OUTPUT_VERTICES %u\n"
    "PROPERTY GS_INVOCATIONS %u\n"
    "DCL IN[][0], POSITION\nDCL IN[][1], COLOR\nDCL IN[][2], GENERIC[0]\nDCL SV[0], PRIM_ID\nDCL SV[1], INVOCATIONID\n"
    "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], GENERIC[0]\nDCL OUT[3], LAYER\nDCL OUT[4], VIEWPORT_INDEX\n"
    "DCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] FLT32 {0.0625, 0.0, 0.0, 0.0}\n"
    "MOV TEMP[0], IMM[1].yyyy\nU2F TEMP[0].x, SV[1].xxxx\nMUL TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n";
/* Moves the positions of some vertices; a vertex has 256 bytes. */
static const char own_compute[] = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 16\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                                  "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
                                  "DCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0..1]\n"
                                  "IMM[0] UINT32 {256, 0, 0, 0}\nIMM[1] FLT32 {0.75, 0.125, 0.0, 0.0}\n"
                                  "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nLOAD TEMP[1], BUFFER[0], TEMP[0].xxxx\n"
                                  "MAD TEMP[1].xy, TEMP[1].yxxx, IMM[1].xxxx, IMM[1].yyyy\n"
                                  "STORE BUFFER[0], TEMP[0].xxxx, TEMP[1]\nEND\n";

/* Direct3D's, of the same vertices: v0 is GENERIC[0]. Levels up to 15. */
static const char own_hull[] =
    "hs_5_0\nhs_decls\ndcl_input_control_point_count %u\ndcl_output_control_point_count %u\n"
    "dcl_tessellator_domain domain_%s\ndcl_tessellator_partitioning partitioning_%s\n"
    "dcl_tessellator_output_primitive output_%s\n"
    "hs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[%u][0].xyzw\n"
    "dcl_input_siv v[%u][1].xyzw, position\ndcl_output o0.xyzw\ndcl_output_siv o1.xyzw, position\ndcl_temps 1\n"
    "mov r0.x, vOutputControlPointID\nmov o0.xyzw, v[r0.x + 0][0].xyzw\nmov o1.xyzw, v[r0.x + 0][1].xyzw\nret\n"
    "hs_fork_phase\ndcl_input vicp[%u][0].xyzw\n";
static const char *const hull_factors[] = {
    "dcl_output_siv o0.x, finalLineDensityTessFactor\ndcl_output_siv o1.x, finalLineDetailTessFactor\n",
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n",
    "dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor\ndcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor\n"
    "dcl_output_siv o4.x, finalQuadUInsideTessFactor\ndcl_output_siv o5.x, finalQuadVInsideTessFactor\n"};
static const char *const domain_names[] = {"isoline", "tri", "quad"};
static const char own_domain[] =
    "ds_5_0\ndcl_input_control_point_count %u\ndcl_tessellator_domain domain_%s\ndcl_input vDomain.%s\n"
    "dcl_input vicp[%u][0].xyzw\ndcl_input_siv vicp[%u][1].xyzw, position\n"
    "dcl_output o0.xyzw\ndcl_output_siv o1.xyzw, position\ndcl_temps 1\n"
    "mul r0.xyzw, vicp[0][1].xyzw, vDomain.xxxx\nmad o1.xyzw, vicp[%u][1].xyzw, vDomain.yyyy, r0.xyzw\n"
    "add o0.xyzw, vicp[0][0].xyzw, vDomain.xyxy\nret\n";
static const char own_patches[] =
    "gs_5_0\ndcl_input v[%u][0].xyzw\ndcl_input_siv v[%u][1].xyzw, position\ndcl_input vGSInstanceID\n"
    "dcl_temps 1\ndcl_inputprimitive patch%u\n";
static const char own_patches_outputs[] = "dcl_outputtopology %s\ndcl_output o0.xyzw\n"
                                          "dcl_output_siv o1.xyzw, position\n";

static const char *const input_names[] = {"POINTS", "LINES", "TRIANGLES", "LINES_ADJACENCY", "TRIANGLES_ADJACENCY"};
static const uint32_t input_vertices[] = {1, 2, 3, 4, 6};

static char *made_control(struct subject *subject)
{
    char *text = malloc(TEXT);
    assert_non_null(text);
    snprintf(text, TEXT, own_control, 1 + below(subject, 5));
    return text;
}

static char *made_evaluation(struct subject *subject)
{
    static const uint32_t modes[] = {1, 4, 4, 7, 7}; /* isolines, triangles, quadrilaterals */
    char *text = malloc(TEXT);
    assert_non_null(text);
    const uint32_t mode = modes[below(subject, 5)], spacing = below(subject, 3), clockwise = below(subject, 2);
    snprintf(text, TEXT, own_evaluation, mode, spacing, clockwise, (uint32_t)chance(subject, 6));
    return text;
}

/* Emits its vertices in turn, some of them to other streams than 0. */
static char *made_geometry(struct subject *subject)
{
    static const char *const outputs[] = {"POINTS", "LINE_STRIP", "TRIANGLE_STRIP", "TRIANGLE_STRIP"};
    char *text = malloc(TEXT);
    assert_non_null(text);
    const uint32_t input = below(subject, 5), output = below(subject, 4);
    const uint32_t most = 2 + below(subject, 9), invocations = 1 + (chance(subject, 3) ? below(subject, 5) : 0);
    size_t at = (size_t)snprintf(text, TEXT, own_geometry, input_names[input], outputs[output], most, invocations);
    for (uint32_t emitted = 0; emitted < most + 1; emitted++) {
        const uint32_t vertex = emitted % input_vertices[input];
        const char stream = "xyzw"[chance(subject, 4) ? below(subject, STREAMS) : 0];
        at += (size_t)snprintf(text + at, TEXT - at,
                               "ADD OUT[0], IN[%u][0], TEMP[0]\nMOV OUT[1], IN[%u][1]\nMOV OUT[2], IN[0][2]\n"
                               "AND OUT[3].x, SV[0].xxxx, IMM[0].wwww\nMOV OUT[4].x, SV[1].xxxx\n"
                               "EMIT IMM[0].%c%c%c%c\n",
                               vertex, vertex, stream, stream, stream, stream);
        if (chance(subject, 4))
            at += (size_t)snprintf(text + at, TEXT - at, "ENDPRIM IMM[0].%c%c%c%c\n", stream, stream, stream, stream);
    }
    snprintf(text + at, TEXT - at, "END\n");
    return text;
}

/* A hull shader and its domain shader, which have a domain and a number of vertices in common. */
static void make_hull_and_domain(struct subject *subject, char **hull, char **domain)
{
    static const char *const partitionings[] = {"integer", "pow2", "pow2", "fractional_odd", "fractional_even"};
    static const char *const outputs[3][3] = {
        {"line", "line", "point"}, {"triangle_cw", "triangle_ccw", "point"}, {"triangle_cw", "triangle_ccw", "point"}};
    static const unsigned factors[] = {2, 4, 6};
    const uint32_t kind = below(subject, 3), points = 1 + below(subject, 4);
    const char *partitioning = partitionings[below(subject, 5)], *output = outputs[kind][below(subject, 3)];
    *hull = malloc(TEXT);
    *domain = malloc(TEXT);
    assert_true(*hull && *domain);
    size_t at = (size_t)snprintf(*hull, TEXT, own_hull, points, points, domain_names[kind], partitioning, output,
                                 points, points, points);
    at += (size_t)snprintf(*hull + at, TEXT - at, "%s", hull_factors[kind]);
    for (unsigned n = 0; n < factors[kind]; n++)
        at += (size_t)snprintf(*hull + at, TEXT - at, "mad o%u.x, vicp[0][0].%c, l(8.0), l(1.0)\n", n, "xyzw"[n % 4]);
    snprintf(*hull + at, TEXT - at, "ret\n");
    snprintf(*domain, TEXT, own_domain, points, domain_names[kind], kind == 1 ? "xyz" : "xy", points, points,
             points - 1);
}

/* Takes patches, on one stream or, which are points, on several. */
static char *made_patches(struct subject *subject)
{
    static const char *const topologies[] = {"pointlist", "linestrip", "trianglestrip", "trianglestrip"};
    char *text = malloc(TEXT);
    assert_non_null(text);
    const uint32_t points = 1 + below(subject, 6), most = 2 + below(subject, 7);
    const uint32_t streams = chance(subject, 3) ? 2 + below(subject, STREAMS - 1) : 0;
    const char *topology = streams ? topologies[0] : topologies[below(subject, 4)];
    size_t at = (size_t)snprintf(text, TEXT, own_patches, points, points, points);
    for (uint32_t s = 0; s < (streams ? streams : 1); s++) {
        if (streams) at += (size_t)snprintf(text + at, TEXT - at, "dcl_stream m%u\n", s);
        at += (size_t)snprintf(text + at, TEXT - at, own_patches_outputs, topology);
    }
    at += (size_t)snprintf(text + at, TEXT - at, "dcl_maxout %u\ndcl_gsinstances %u\n", most, 1 + below(subject, 2));
    at += (size_t)snprintf(text + at, TEXT - at, "utof r0.x, vGSInstanceID\nmul r0.x, r0.x, l(0.0625)\n");
    for (uint32_t emitted = 0; emitted < most + 1; emitted++) {
        const uint32_t vertex = emitted % points;
        at += (size_t)snprintf(text + at, TEXT - at,
                               "mov o0.xyzw, v[%u][0].xyzw\nadd o1.xyzw, v[%u][1].xyzw, r0.xxxx\n", vertex, vertex);
        at += (size_t)snprintf(text + at, TEXT - at, chance(subject, 4) ? "emitThenCut" : "emit");
        if (streams) at += (size_t)snprintf(text + at, TEXT - at, "_stream m%u", below(subject, streams));
        at += (size_t)snprintf(text + at, TEXT - at, "\n");
    }
    snprintf(text + at, TEXT - at, "ret\n");
    return text;
}

/* ---- shaders that link ---- */

/* A captured text or, more often than one in `one_of`, an own one. */
static char *either(struct subject *subject, char **paths, size_t count, const char *stage, uint32_t one_of,
                    char *(*own)(struct subject *))
{
    char *text = chance(subject, one_of) ? NULL : random_draw_captured(&subject->draw, paths, count, stage);
    return text ? text : own(subject);
}

static char *made_vertex(struct subject *subject) { return (void)subject, random_draw_copy(random_draw_vertex); }
static char *made_fragment(struct subject *subject) { return (void)subject, random_draw_copy(random_draw_fragment); }
static char *made_compute(struct subject *subject) { return (void)subject, random_draw_copy(own_compute); }

static struct sch_program *program_of(const struct subject *subject, enum sch_stage stage)
{
    enum sch_result why;
    const char *text = subject->draw.texts[stage];
    if (!text) return NULL;
    struct sch_program *made =
        api_program_on(subject->draw.scene.context, text, strlen(text), SCH_ENGINE_INTERPRETER, 4, &why);
    assert_non_null(made);
    return made;
}

/* The pipeline may be refused for what its shaders do not have in common, and for its size. */
static bool links(const struct subject *subject)
{
    struct sch_program *programs[SCH_STAGE_COMPUTE];
    struct sch_pipeline *pipeline = NULL;
    for (unsigned s = 0; s < SCH_STAGE_COMPUTE; s++) programs[s] = program_of(subject, (enum sch_stage)s);
    const struct sch_pipeline_options options = {.size = sizeof options,
                                                 .vertex = programs[SCH_STAGE_VERTEX],
                                                 .tess_ctrl = programs[SCH_STAGE_TESS_CTRL],
                                                 .tess_eval = programs[SCH_STAGE_TESS_EVAL],
                                                 .geometry = programs[SCH_STAGE_GEOMETRY],
                                                 .fragment = programs[SCH_STAGE_FRAGMENT]};
    const enum sch_result result = sch_pipeline_create(subject->draw.scene.context, &options, NULL, &pipeline);
    sch_pipeline_destroy(pipeline);
    for (unsigned s = 0; s < SCH_STAGE_COMPUTE; s++) sch_program_destroy(programs[s]);
    return result == SCH_OK;
}

static void drop_shaders(struct subject *subject)
{
    for (unsigned s = 0; s < RANDOM_DRAW_STAGES; s++) {
        free(subject->draw.texts[s]);
        subject->draw.texts[s] = NULL;
    }
}

static void try_shaders(struct subject *subject, char **paths, size_t count)
{
    char **texts = subject->draw.texts;
    const bool tessellated = chance(subject, 2), controlled = tessellated && !chance(subject, 3);
    const bool amplified = chance(subject, 2), computed = chance(subject, 4);
    const bool d3d = chance(subject, 4);
    texts[SCH_STAGE_VERTEX] = either(subject, paths, count, "/vs/", 2, made_vertex);
    texts[SCH_STAGE_FRAGMENT] = either(subject, paths, count, "/fs/", 2, made_fragment);
    if (computed) texts[SCH_STAGE_COMPUTE] = either(subject, paths, count, "/cs/", 2, made_compute);
    if (tessellated && d3d) {
        make_hull_and_domain(subject, &texts[SCH_STAGE_TESS_CTRL], &texts[SCH_STAGE_TESS_EVAL]);
        return;
    }
    if (d3d) {
        texts[SCH_STAGE_GEOMETRY] = made_patches(subject);
        return;
    }
    if (controlled) texts[SCH_STAGE_TESS_CTRL] = either(subject, paths, count, "/tcs/", 2, made_control);
    if (tessellated) texts[SCH_STAGE_TESS_EVAL] = either(subject, paths, count, "/tes/", 2, made_evaluation);
    if (amplified) texts[SCH_STAGE_GEOMETRY] = either(subject, paths, count, "/gs/", 2, made_geometry);
}

static void choose_shaders(struct subject *subject, char **paths, size_t count)
{
    for (unsigned turn = 0; turn < TRIES; turn++) {
        drop_shaders(subject);
        try_shaders(subject, paths, count);
        if (links(subject)) return;
    }
    drop_shaders(subject);
    subject->draw.texts[SCH_STAGE_VERTEX] = made_vertex(subject);
    subject->draw.texts[SCH_STAGE_FRAGMENT] = made_fragment(subject);
}

/* ---- primitives and state ---- */

/* One that the geometry shader takes. */
static enum sch_primitive fitting(struct subject *subject, const char *geometry)
{
    static const enum sch_primitive taken[][3] = {
        {SCH_PRIMITIVE_POINTS, SCH_PRIMITIVE_POINTS, SCH_PRIMITIVE_POINTS},
        {SCH_PRIMITIVE_LINES, SCH_PRIMITIVE_LINE_STRIP, SCH_PRIMITIVE_LINE_LOOP},
        {SCH_PRIMITIVE_TRIANGLES, SCH_PRIMITIVE_TRIANGLE_STRIP, SCH_PRIMITIVE_TRIANGLE_FAN},
        {SCH_PRIMITIVE_LINES_ADJACENCY, SCH_PRIMITIVE_LINE_STRIP_ADJACENCY, SCH_PRIMITIVE_LINES_ADJACENCY},
        {SCH_PRIMITIVE_TRIANGLES_ADJACENCY, SCH_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY, SCH_PRIMITIVE_TRIANGLES_ADJACENCY}};
    const char *named = strstr(geometry, "GS_INPUT_PRIMITIVE ");
    const uint32_t one = below(subject, 3);
    if (random_draw_is_d3d(geometry)) return SCH_PRIMITIVE_PATCHES;
    if (!named) return SCH_PRIMITIVE_POINTS;
    named += strlen("GS_INPUT_PRIMITIVE ");
    for (size_t n = 0; n < sizeof taken / sizeof *taken; n++)
        if (strcspn(named, "\r\n") == strlen(input_names[n]) && !strncmp(named, input_names[n], strlen(input_names[n])))
            return taken[n][one];
    fail_msg("a geometry shader of other primitives: %.20s", named);
    return SCH_PRIMITIVE_POINTS;
}

static void choose_primitive(struct subject *subject)
{
    struct sch_draw *draw = &subject->draw.draw;
    char *const *texts = subject->draw.texts;
    struct sch_dynamic_state *state = &subject->draw.scene.dynamic;
    state->patch_vertices = 1 + below(subject, 5);
    for (unsigned n = 0; n < 4; n++) state->default_outer_levels[n] = part(subject) * 12 - 0.5f;
    for (unsigned n = 0; n < 2; n++) state->default_inner_levels[n] = part(subject) * 12;
    if (texts[SCH_STAGE_TESS_EVAL]) {
        draw->primitive = SCH_PRIMITIVE_PATCHES;
        if (draw->count > 4 * state->patch_vertices) draw->count = 4 * state->patch_vertices;
    } else if (texts[SCH_STAGE_GEOMETRY]) {
        draw->primitive = fitting(subject, texts[SCH_STAGE_GEOMETRY]);
    }
}

/* Viewports beside the first one, in half of the draws fewer tests that fail, in some nothing that is rasterised. */
static void choose_more_state(struct subject *subject)
{
    struct draw_scene *scene = &subject->draw.scene;
    struct sch_dynamic_state *state = &scene->dynamic;
    if (chance(subject, 2)) {
        scene->tests.depth_function = SCH_COMPARE_ALWAYS;
        scene->tests.stencil[0].enabled = scene->tests.stencil[1].enabled = scene->tests.alpha_enabled = false;
        scene->rasterizer.cull_face = scene->rasterizer.clip_plane_enable = 0;
    }
    scene->rasterizer.rasterizer_discard = chance(subject, 10);
    state->viewport_count = 1 + below(subject, 4);
    for (unsigned v = 1; v < state->viewport_count; v++) {
        state->viewports[v] = state->viewports[0];
        state->viewports[v].scale[0] *= part(subject);
        state->viewports[v].translate[1] += part(subject) * 16 - 8;
        state->scissors[v] = state->scissors[0];
    }
}

/* ---- stream output ---- */

/* The output registers that a text declares. */
static uint32_t list_outputs(const struct subject *subject, const char *text, uint32_t outputs[OUTPUTS])
{
    uint32_t count = 0;
    if (random_draw_is_d3d(text)) {
        struct sch_shader *shader = api_shader(subject->draw.scene.context, text);
        char *lowered;
        assert_int_equal(sch_shader_translate(shader, NULL, NULL, &lowered, NULL), SCH_OK);
        count = list_outputs(subject, lowered, outputs);
        sch_free(subject->draw.scene.context, lowered);
        sch_shader_destroy(shader);
        return count;
    }
    for (const char *at = strstr(text, "DCL OUT["); at; at = strstr(at + 1, "DCL OUT[")) {
        const char *number = at + strlen("DCL OUT[");
        unsigned first, last;
        const int read = sscanf(number, "%u..%u", &first, &last);
        if (read < 1) continue; /* of a control shader */
        for (unsigned n = first; n <= (read == 2 ? last : first) && count < OUTPUTS; n++) outputs[count++] = n;
    }
    return count;
}

static const char *last_text(const struct subject *subject)
{
    char *const *texts = subject->draw.texts;
    if (texts[SCH_STAGE_GEOMETRY]) return texts[SCH_STAGE_GEOMETRY];
    return texts[SCH_STAGE_TESS_EVAL] ? texts[SCH_STAGE_TESS_EVAL] : texts[SCH_STAGE_VERTEX];
}

static void choose_register(struct subject *subject, const uint32_t streams[STREAMS], uint32_t output)
{
    struct sch_stream_output_options *layout = &subject->layout;
    const uint32_t buffer = below(subject, STREAMS), first = below(subject, 4);
    uint32_t count = 1 + below(subject, 4 - first);
    if (count > layout->stride[buffer]) count = layout->stride[buffer];
    const uint32_t offset = below(subject, layout->stride[buffer] - count + 1);
    layout->registers[layout->register_count++] =
        (struct sch_stream_output_register){.output = output,
                                            .first_component = (uint8_t)first,
                                            .component_count = (uint8_t)count,
                                            .buffer = (uint8_t)buffer,
                                            .stream = (uint8_t)streams[buffer],
                                            .offset = offset};
}

/* In half of the draws; not all buffers are there. */
static void choose_streams(struct subject *subject)
{
    uint32_t streams[STREAMS];
    struct draw_scene *scene = &subject->draw.scene;
    uint32_t outputs[OUTPUTS];
    const uint32_t count = list_outputs(subject, last_text(subject), outputs);
    subject->streams = count && chance(subject, 2);
    if (!subject->streams) return;
    subject->layout.size = sizeof subject->layout;
    for (unsigned b = 0; b < STREAMS; b++) {
        subject->layout.stride[b] = 1 + below(subject, 12);
        streams[b] = subject->draw.texts[SCH_STAGE_GEOMETRY] && chance(subject, 3) ? below(subject, STREAMS) : 0;
    }
    const uint32_t registers = 1 + below(subject, 7);
    for (uint32_t r = 0; r < registers; r++) choose_register(subject, streams, outputs[below(subject, count)]);
    scene->stream_layout = &subject->layout;
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R8_UINT, .width = 4 * STREAM_WORDS};
    for (unsigned b = 0; b < STREAMS; b++) {
        if (chance(subject, 8)) continue;
        assert_int_equal(sch_resource_create(scene->context, &options, NULL, &subject->stream_buffers[b]), SCH_OK);
        const struct sch_stream_target_options all = {.size = sizeof all, .resource = subject->stream_buffers[b]};
        assert_int_equal(sch_stream_target_create(scene->context, &all, NULL, &scene->stream_targets[b]), SCH_OK);
    }
}

static void reset_streams(struct subject *subject)
{
    static uint32_t words[STREAM_WORDS];
    for (unsigned w = 0; w < STREAM_WORDS; w++) words[w] = 0xabad0000u + w;
    for (unsigned b = 0; b < STREAMS; b++) {
        if (!subject->stream_buffers[b]) continue;
        assert_int_equal(sch_resource_write_all(subject->stream_buffers[b], words, sizeof words), SCH_OK);
        assert_int_equal(sch_stream_target_set_filled(subject->draw.scene.stream_targets[b], 4 * b), SCH_OK);
    }
}

/* ---- what is counted ---- */

static void make_queries(struct subject *subject)
{
    struct sch_context *context = subject->draw.scene.context;
    for (unsigned q = 0; q < QUERIES; q++) {
        const enum sch_query_kind kind = q == QUERY_STATISTICS ? SCH_QUERY_PIPELINE_STATISTICS
                                         : q == QUERY_SAMPLES  ? SCH_QUERY_OCCLUSION_COUNTER
                                         : q < QUERY_WRITTEN   ? SCH_QUERY_PRIMITIVES_GENERATED
                                                               : SCH_QUERY_SO_STATISTICS;
        const uint32_t stream = q < QUERY_GENERATED ? 0 : (q - QUERY_GENERATED) % STREAMS;
        assert_int_equal(sch_query_create(context, kind, stream, &subject->queries[q]), SCH_OK);
    }
}

static void begin_queries(struct subject *subject)
{
    for (unsigned q = 0; q < QUERIES; q++)
        assert_int_equal(sch_renderer_begin_query(subject->draw.scene.renderer, subject->queries[q]), SCH_OK);
}

static void end_queries(struct subject *subject, struct sch_sha256 *sum)
{
    for (unsigned q = 0; q < QUERIES; q++) {
        struct sch_query_result *counted = &subject->counted[q];
        assert_int_equal(sch_renderer_end_query(subject->draw.scene.renderer, subject->queries[q]), SCH_OK);
        assert_int_equal(sch_query_get_result(subject->queries[q], counted), SCH_OK);
        sch_sha256_add(sum, counted->values, counted->count * sizeof counted->values[0]);
    }
}

/* ---- a draw ---- */

static void begin(struct subject *subject, uint64_t seed, char **paths, size_t count)
{
    memset(subject, 0, sizeof *subject);
    subject->draw.seed = seed;
    subject->draw.layers = 1 + (chance(subject, 3) ? below(subject, LAYERS) : 0);
    random_draw_framebuffer(&subject->draw);
    choose_shaders(subject, paths, count);
    random_draw_state(&subject->draw);
    choose_primitive(subject);
    choose_more_state(subject);
    choose_streams(subject);
    make_queries(subject);
}

static void end(struct subject *subject)
{
    for (unsigned q = 0; q < QUERIES; q++) sch_query_destroy(subject->queries[q]);
    for (unsigned b = 0; b < STREAMS; b++) {
        sch_stream_target_destroy(subject->draw.scene.stream_targets[b]);
        sch_resource_destroy(subject->stream_buffers[b]);
    }
    random_draw_end(&subject->draw);
}

/* The compute program, where there is one: its buffers are the vertices, and parts of them. */
static enum sch_result compute(struct subject *subject)
{
    enum sch_result why;
    struct random_draw *draw = &subject->draw;
    struct sch_storage_buffer buffers[RANDOM_DRAW_BUFFERS];
    const char *text = draw->texts[SCH_STAGE_COMPUTE];
    const uint32_t grid[3] = {2, 1, 1};
    if (!text) return SCH_OK;
    for (unsigned b = 0; b < RANDOM_DRAW_BUFFERS; b++)
        buffers[b] =
            (struct sch_storage_buffer){draw->drawn[3 * b], sizeof draw->drawn - 3 * b * sizeof draw->drawn[0]};
    random_draw_bind(draw, SCH_STAGE_COMPUTE, buffers);
    struct sch_program *program =
        api_program_on(draw->scene.context, text, strlen(text), draw->scene.engine, draw->scene.width, &why);
    assert_non_null(program);
    const enum sch_result result =
        sch_dispatch_grid(program, &draw->bindings[SCH_STAGE_COMPUTE], grid, NULL, &draw->scene.dispatch, NULL);
    sch_program_destroy(program);
    return result;
}

/* All is as it was before the first draw; the result of the compute program. */
static enum sch_result begin_draw(struct subject *subject)
{
    random_draw_reset(&subject->draw);
    reset_streams(subject);
    const enum sch_result result = compute(subject);
    begin_queries(subject);
    return result;
}

static void begin_again(void *user)
{
    struct subject *subject = user;
    for (unsigned q = 0; q < QUERIES; q++)
        assert_int_equal(sch_renderer_end_query(subject->draw.scene.renderer, subject->queries[q]), SCH_OK);
    begin_draw(subject);
}

/* Draws, and sums up all that was written and counted. All but the first draw happen twice with the same objects, so
 * that the second one has what the renderer kept. */
static enum sch_result draw_once(void *drawn, enum sch_engine engine, unsigned width, unsigned threads,
                                 uint8_t digest[SCH_SHA256_BYTES])
{
    struct subject *subject = drawn;
    struct random_draw *draw = &subject->draw;
    struct sch_sha256 sum;
    draw->scene.between = subject->draw.twice ? begin_again : NULL;
    draw->scene.between_user = subject;
    draw->scene.engine = engine;
    draw->scene.width = width;
    draw->scene.dispatch.threads = threads;
    sch_sha256_begin(&sum);
    enum sch_result result = begin_draw(subject);
    if (result == SCH_OK) result = draw_try(&draw->scene, &draw->draw);
    end_queries(subject, &sum);
    random_draw_sum(draw, &sum);
    sch_sha256_add(&sum, draw->drawn, sizeof draw->drawn);
    for (unsigned b = 0; b < STREAMS; b++) {
        const uint64_t filled = sch_stream_target_get_filled(draw->scene.stream_targets[b]);
        if (subject->stream_buffers[b]) random_draw_add(&sum, subject->stream_buffers[b]);
        sch_sha256_add(&sum, &filled, sizeof filled);
    }
    sch_sha256_end(&sum, digest);
    return result;
}

/* ---- the answers ---- */

static bool is_d3d(const struct subject *subject, enum sch_stage stage)
{
    const char *text = subject->draw.texts[stage];
    return text && random_draw_is_d3d(text);
}

/* Of what the last draw counted. */
static void add_totals(const struct subject *subject, struct totals *totals)
{
    const uint64_t *statistics = subject->counted[QUERY_STATISTICS].values;
    uint64_t written = 0;
    for (unsigned s = 0; s < STREAMS; s++) written += subject->counted[QUERY_WRITTEN + s].values[0];
    totals->drawn++;
    totals->tessellated += statistics[SCH_STATISTIC_DS_INVOCATIONS] > 0;
    totals->amplified += statistics[SCH_STATISTIC_GS_PRIMITIVES] > 0;
    totals->streamed += written > 0;
    totals->computed += subject->draw.texts[SCH_STAGE_COMPUTE] != NULL;
    totals->hulls += statistics[SCH_STATISTIC_DS_INVOCATIONS] > 0 && is_d3d(subject, SCH_STAGE_TESS_EVAL);
    totals->patches += statistics[SCH_STATISTIC_GS_PRIMITIVES] > 0 && is_d3d(subject, SCH_STAGE_GEOMETRY);
    totals->seen += subject->counted[QUERY_SAMPLES].values[0] > 0;
}

/* Others are culled, clipped, fail a test or are not rasterised. */
static void enough(const struct totals *totals)
{
    printf("# %u went well: %u tessellated, %u by geometry shaders, %u streamed, %u computed, %u seen\n", totals->drawn,
           totals->tessellated, totals->amplified, totals->streamed, totals->computed, totals->seen);
    printf("# by hull shaders: %u, patches by geometry shaders: %u\n", totals->hulls, totals->patches);
    if (totals->hulls * 32 < totals->drawn || totals->patches * 32 < totals->drawn) fail_msg("too few of Direct3D's");
    const unsigned each[] = {totals->tessellated, totals->amplified, totals->streamed, totals->computed, totals->seen};
    for (unsigned n = 0; n < sizeof each / sizeof *each; n++)
        if (each[n] * 8 < totals->drawn) fail_msg("number %u of these is too small", n);
}

static void draws_have_one_answer(void **state)
{
    (void)state;
    static struct subject subject;
    size_t count;
    char **paths = captured_texts(&count);
    const struct random_draws draws = random_draw_range();
    uint8_t answer[SCH_SHA256_BYTES];
    struct totals totals = {0};
    struct sch_sha256 sum;
    sch_sha256_begin(&sum);
    for (unsigned n = draws.first; n < draws.end; n++) {
        begin(&subject, random_draw_seed(n, 2), paths, count);
        if (random_draw_has_one_answer(draw_once, &subject, n, &sum, answer)) add_totals(&subject, &totals);
        end(&subject);
    }
    random_draw_tell(&sum, draws.count);
    if (draws.all) enough(&totals);
    free_texts(paths, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws_have_one_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
