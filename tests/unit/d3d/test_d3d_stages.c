/* Direct3D's hull, domain and geometry shaders in draws: what the tessellator makes, patches without it, and several
 * streams, as stream output writes it down. Expectations are from the Direct3D 11.3 functional specification and
 * docs/pipeline.md; what a domain is divided into is tessellate_reference.c's. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../support/draw_support.h"
#include "../support/tessellate_reference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SIDE = 8, STREAMS = SCH_STREAM_BUFFERS, BUFFER_WORDS = 3 * 3 * 4000, TEXT = 4096 };
#define UNTOUCHED 0xabadcafeu

/* ---- a draw with stream output ---- */

struct subject {
    struct draw_scene scene;
    struct sch_stream_output_options layout;
    struct sch_resource *buffers[STREAMS];
    uint32_t filled[STREAMS]; /* words that the last draw left */
};

static float levels[2][4]; /* outer, inner: cb0 */
static const struct sch_constant_buffer constants = {.data = levels, .bytes = sizeof levels};
static const struct sch_bindings bindings = {.size = sizeof bindings, .constants = &constants, .constant_count = 1};
static uint32_t words[STREAMS][BUFFER_WORDS]; /* what the last draw left */

static const char vertex_text[] = "vs_5_0\ndcl_input v0.xyzw\ndcl_input v1.xyzw\ndcl_output o0.xyzw\n"
                                  "dcl_output o1.xyzw\nmov o0.xyzw, v0.xyzw\nmov o1.xyzw, v1.xyzw\nret\n";

/* Buffer b takes `stride` words of a vertex. */
static void begin(struct subject *subject, const uint32_t stride[STREAMS])
{
    memset(subject, 0, sizeof *subject);
    struct draw_scene *scene = &subject->scene;
    draw_begin(scene, SIDE, SIDE, 1, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_NONE);
    scene->engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
    scene->rasterizer.rasterizer_discard = true;
    scene->vertex = vertex_text;
    scene->fragment = NULL;
    for (unsigned s = 0; s < COUNT(scene->bindings); s++) scene->bindings[s] = &bindings;
    subject->layout.size = sizeof subject->layout;
    scene->stream_layout = &subject->layout;
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R8_UINT, .width = 4 * BUFFER_WORDS};
    for (unsigned b = 0; b < STREAMS; b++) {
        subject->layout.stride[b] = stride[b];
        if (!stride[b]) continue;
        assert_int_equal(sch_resource_create(scene->context, &options, NULL, &subject->buffers[b]), SCH_OK);
        const struct sch_stream_target_options all = {.size = sizeof all, .resource = subject->buffers[b]};
        assert_int_equal(sch_stream_target_create(scene->context, &all, NULL, &scene->stream_targets[b]), SCH_OK);
    }
}

static void end(struct subject *subject)
{
    for (unsigned b = 0; b < STREAMS; b++) {
        sch_stream_target_destroy(subject->scene.stream_targets[b]);
        sch_resource_destroy(subject->buffers[b]);
    }
    draw_end(&subject->scene);
}

/* So many components of OUT[output], from the first one on, go to the words from `offset` on. */
static void stream_out(struct subject *subject, uint32_t output, uint8_t count, uint8_t buffer, uint8_t stream,
                       uint32_t offset)
{
    subject->layout.registers[subject->layout.register_count++] =
        (struct sch_stream_output_register){output, 0, count, buffer, stream, offset};
}

static void draw_streams(struct subject *subject, enum sch_primitive primitive, uint32_t count)
{
    memset(words, 0xee, sizeof words);
    for (uint32_t w = 0; w < BUFFER_WORDS; w++) words[0][w] = UNTOUCHED;
    for (unsigned b = 0; b < STREAMS; b++) {
        if (!subject->buffers[b]) continue;
        assert_int_equal(sch_resource_write_all(subject->buffers[b], words[0], sizeof words[0]), SCH_OK);
        assert_int_equal(sch_stream_target_set_filled(subject->scene.stream_targets[b], 0), SCH_OK);
    }
    draw(&subject->scene, primitive, count);
    for (unsigned b = 0; b < STREAMS; b++) {
        if (!subject->buffers[b]) continue;
        subject->filled[b] = (uint32_t)(sch_stream_target_get_filled(subject->scene.stream_targets[b]) / 4);
        assert_int_equal(sch_resource_read_all(subject->buffers[b], words[b], sizeof words[b]), SCH_OK);
    }
}

/* ---- what the hull shader says of the tessellator ---- */

/* Partitioning, output primitive; levels are constants. */
static const char *const hulls[] = {
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
    "dcl_tessellator_domain domain_isoline\ndcl_tessellator_partitioning %s\ndcl_tessellator_output_primitive %s\n"
    "dcl_constantbuffer cb0[2], immediateIndexed\n"
    "hs_fork_phase\ndcl_output_siv o0.x, finalLineDensityTessFactor\ndcl_output_siv o1.x, finalLineDetailTessFactor\n"
    "mov o0.x, cb0[0].x\nmov o1.x, cb0[0].y\nret\n",
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning %s\ndcl_tessellator_output_primitive %s\n"
    "dcl_constantbuffer cb0[2], immediateIndexed\n"
    "hs_fork_phase\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n"
    "mov o0.x, cb0[0].x\nmov o1.x, cb0[0].y\nmov o2.x, cb0[0].z\nmov o3.x, cb0[1].x\nret\n",
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
    "dcl_tessellator_domain domain_quad\ndcl_tessellator_partitioning %s\ndcl_tessellator_output_primitive %s\n"
    "dcl_constantbuffer cb0[2], immediateIndexed\n"
    "hs_fork_phase\ndcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\n"
    "dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor\ndcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor\n"
    "dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor\ndcl_output_siv o4.x, finalQuadUInsideTessFactor\n"
    "dcl_output_siv o5.x, finalQuadVInsideTessFactor\nmov o0.x, cb0[0].x\nmov o1.x, cb0[0].y\nmov o2.x, cb0[0].z\n"
    "mov o3.x, cb0[0].w\nmov o4.x, cb0[1].x\nmov o5.x, cb0[1].y\nret\n"};
static const char *const domains[] = {
    "ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_isoline\ndcl_input vDomain.xy\n"
    "dcl_output o0.xyz\nmov o0.xyz, vDomain.xyxx\nret\n",
    "ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_tri\ndcl_input vDomain.xyz\n"
    "dcl_output o0.xyz\nmov o0.xyz, vDomain.xyzx\nret\n",
    "ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_quad\ndcl_input vDomain.xy\n"
    "dcl_output o0.xyz\nmov o0.xyz, vDomain.xyxx\nret\n"};

static const struct {
    const char *name;
    enum ref_tess_spacing spacing;
} partitionings[] = {{"partitioning_integer", REF_EQUAL},
                     {"partitioning_pow2", REF_POWER_OF_TWO},
                     {"partitioning_fractional_odd", REF_ODD},
                     {"partitioning_fractional_even", REF_EVEN}};

static ref_place place_at(uint32_t vertex)
{
    float at[2];
    memcpy(at, &words[0][3 * vertex], sizeof at);
    return (uint64_t)((double)at[0] * REF_TESS_ONE) << 32 | (uint64_t)((double)at[1] * REF_TESS_ONE);
}

static int compare_places(const void *a, const void *b)
{
    const ref_place x = *(const ref_place *)a, y = *(const ref_place *)b;
    return x < y ? -1 : x > y;
}

static void same_points(struct ref_tess *expected, uint32_t vertices)
{
    static ref_place got[REF_TESS_POINTS];
    assert_int_equal(vertices, expected->points);
    for (uint32_t v = 0; v < vertices; v++) got[v] = place_at(v);
    qsort(got, vertices, sizeof *got, compare_places);
    qsort(expected->point, vertices, sizeof *expected->point, compare_places);
    assert_memory_equal(got, expected->point, vertices * sizeof *got);
}

/* The reference's triangles are counter-clockwise with v upwards, which is clockwise with Direct3D's v. */
static void same_primitives(struct ref_tess *expected, uint32_t vertices, bool counter_clockwise)
{
    static struct ref_tess got;
    const uint32_t corners = expected->corners;
    const bool turned = counter_clockwise && corners == 3;
    got = (struct ref_tess){.primitives = vertices / corners, .corners = corners};
    assert_int_equal(vertices, expected->primitives * corners);
    for (uint32_t v = 0; v < vertices; v++) {
        const uint32_t corner = v % corners;
        got.primitive[v / corners][turned && corner ? 3 - corner : corner] = place_at(v);
    }
    ref_tess_sort(&got);
    ref_tess_sort(expected);
    for (uint32_t n = 0; n < got.primitives; n++)
        for (uint32_t c = 0; c < corners; c++) assert_true(got.primitive[n][c] == expected->primitive[n][c]);
}

static void divide(enum ref_tess_domain domain, unsigned partitioning, const char *primitive)
{
    static struct ref_tess expected;
    static const uint32_t stride[STREAMS] = {3};
    static const float vertex[8] = {0};
    char hull[TEXT];
    struct subject subject;
    begin(&subject, stride);
    snprintf(hull, sizeof hull, hulls[domain], partitionings[partitioning].name, primitive);
    subject.scene.tess_ctrl = hull;
    subject.scene.tess_eval = domains[domain];
    subject.scene.dynamic.patch_vertices = 1;
    draw_vertices(&subject.scene, vertex, 1, 2);
    stream_out(&subject, 0, 3, 0, 0, 0);
    draw_streams(&subject, SCH_PRIMITIVE_PATCHES, 1);
    ref_tessellate(domain, partitionings[partitioning].spacing, levels[0], levels[1], &expected);
    if (!strcmp(primitive, "output_point"))
        same_points(&expected, subject.filled[0] / 3);
    else
        same_primitives(&expected, subject.filled[0] / 3, !strcmp(primitive, "output_triangle_ccw"));
    end(&subject);
}

/* Partitioning and output primitive are the hull shader's (D3D 11.7, 22.3.14, 22.3.15). */
static void hull_shaders_say_how_domains_are_divided(void **state)
{
    static const float sets[][6] = {{3.5f, 2, 5.25f, 7, 4, 6.5f}, {6, 7.75f, 8, 1, 3, 2.5f}, {1, 4, 1, 1, 1, 1}};
    static const char *const primitives[3][3] = {{"output_line", "output_point"},
                                                 {"output_triangle_cw", "output_triangle_ccw", "output_point"},
                                                 {"output_triangle_cw", "output_triangle_ccw", "output_point"}};
    (void)state;
    for (unsigned n = 0; n < COUNT(sets); n++)
        for (unsigned domain = 0; domain < 3; domain++)
            for (unsigned p = 0; p < COUNT(partitionings); p++)
                for (unsigned o = 0; o < 3 && primitives[domain][o]; o++) {
                    if (by_code_skips(8)) continue;
                    memcpy(levels[0], sets[n], sizeof levels[0]);
                    memcpy(levels[1], sets[n] + 4, 2 * sizeof(float));
                    divide((enum ref_tess_domain)domain, p, primitives[domain][o]);
                }
}

/* A geometry shader behind tessellation takes what the hull shader's output primitive is. */
static void output_primitives_meet_geometry_shaders(void **state)
{
    static const uint32_t stride[STREAMS] = {1};
    static const float vertex[8] = {0};
    static const char *const made[] = {"output_point", "output_triangle_cw"};
    static const char *const taken[] = {"point", "triangle"};
    static const uint32_t corners[] = {1, 3}, primitives[] = {3, 1};
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        char hull[TEXT], geometry[TEXT];
        struct subject subject;
        begin(&subject, stride);
        snprintf(hull, sizeof hull, hulls[REF_TRIANGLES], "partitioning_integer", made[n]);
        snprintf(geometry, sizeof geometry,
                 "gs_5_0\ndcl_input v[%u][0].xyz\ndcl_inputprimitive %s\ndcl_outputtopology pointlist\n"
                 "dcl_output o0.x\ndcl_maxout 1\nmov o0.x, l(7)\nemit\nret\n",
                 corners[n], taken[n]);
        for (unsigned c = 0; c < 4; c++) levels[0][c] = levels[1][c] = 1;
        subject.scene.tess_ctrl = hull;
        subject.scene.tess_eval = domains[REF_TRIANGLES];
        subject.scene.geometry = geometry;
        subject.scene.dynamic.patch_vertices = 1;
        draw_vertices(&subject.scene, vertex, 1, 2);
        stream_out(&subject, 0, 1, 0, 0, 0);
        draw_streams(&subject, SCH_PRIMITIVE_PATCHES, 1);
        assert_int_equal(subject.filled[0], primitives[n]);
        end(&subject);
    }
}

/* ---- patches without tessellation ---- */

/* A geometry shader takes each patch as one primitive (D3D 13.5, patch1 to patch32): its last vertex, and its number;
 * restart and what does not complete a patch as in any draw. */
static void geometry_shaders_take_patches(void **state)
{
    static const uint32_t stride[STREAMS] = {5};
    static float vertices[32 * 3 + 1][8];
    (void)state;
    for (uint32_t v = 0; v < COUNT(vertices); v++) vertices[v][0] = (float)v;
    for (uint32_t size = 1; size <= 32; size += size < 6 ? 1 : 13) {
        char text[TEXT];
        struct subject subject;
        begin(&subject, stride);
        snprintf(text, sizeof text,
                 "gs_5_0\ndcl_input v[%u][0].xyzw\ndcl_input vPrim\ndcl_inputprimitive patch%u\n"
                 "dcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_output o1.x\ndcl_maxout 1\n"
                 "mov o0.xyzw, v[%u][0].xyzw\nmov o1.x, vPrim\nemit\nret\n",
                 size, size, size - 1);
        subject.scene.geometry = text;
        subject.scene.dynamic.patch_vertices = size;
        draw_vertices(&subject.scene, vertices[0], COUNT(vertices), 2);
        stream_out(&subject, 0, 4, 0, 0, 0);
        stream_out(&subject, 1, 1, 0, 0, 4);
        draw_streams(&subject, SCH_PRIMITIVE_PATCHES, size > 1 ? 3 * size + 1 : 3);
        assert_int_equal(subject.filled[0], 3 * 5);
        for (uint32_t p = 0; p < 3; p++) {
            const float last = (float)(p * size + size - 1);
            assert_memory_equal(&words[0][5 * p], &last, sizeof last);
            assert_int_equal(words[0][5 * p + 4], p);
        }
        end(&subject);
    }
}

/* ---- streams ---- */

/* Each stream declares its own outputs in the same registers (D3D 13.5.2). OUT[2] is o0 of stream 0, a position, and
 * OUT[1] its o1; OUT[0] is o0 of stream 1; OUT[3] and OUT[4] are o0 and o1 of stream 3 (docs/d3d.md, "Registers"). */
static const char three_streams[] =
    "gs_5_0\ndcl_input v[3][0].xyzw\ndcl_input v[3][1].xyzw\ndcl_input vPrim\ndcl_temps 1\ndcl_inputprimitive "
    "triangle\n"
    "dcl_stream m0\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xy\n"
    "dcl_stream m1\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\n"
    "dcl_stream m3\ndcl_outputtopology pointlist\ndcl_output o0.xy\ndcl_output o1.zw\n"
    "dcl_maxout %u\n"
    "mov o0.xyzw, v[0][0].xyzw\nmov o1.xy, v[0][1].xyxx\nemit_stream m0\ncut_stream m0\n"
    "and r0.x, vPrim, l(1)\nif_nz r0.x\n"
    "  mov o0.xyzw, v[1][1].xyzw\n  emitThenCut_stream m1\n  mov o0.xyzw, v[2][0].xyzw\n  emit_stream m1\n  cut_stream "
    "m3\n"
    "endif\n"
    "mov o0.xy, v[1][0].xyxx\nmov o1.zw, v[2][1].zzzw\nemit_stream m3\nret\n";

enum { TRIANGLES = 5, STREAM_VERTICES = 3 * TRIANGLES };
static float stream_vertices[STREAM_VERTICES][8];

static void fill_vertices(void)
{
    for (uint32_t v = 0; v < STREAM_VERTICES; v++)
        for (uint32_t c = 0; c < 8; c++) stream_vertices[v][c] = (float)(100 * v + c);
}

static void expect_words(unsigned buffer, uint32_t at, const float *expected, uint32_t count)
{
    if (memcmp(&words[buffer][at], expected, count * sizeof *expected) != 0)
        fail_msg("buffer %u, word %u is 0x%08x", buffer, at, words[buffer][at]);
}

/* What three streams write of TRIANGLES triangles, of which odd ones have four vertices and even ones two; no more than
 * `most` of one triangle, of all streams together (D3D 13.3). Cuts have no effect on points. */
static void expect_streams(const struct subject *subject, uint32_t most)
{
    uint32_t at[STREAMS] = {0};
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        float(*corner)[8] = &stream_vertices[3 * t];
        uint32_t left = most;
        if (left) {
            left--;
            expect_words(0, at[0], corner[0], 2);
            assert_int_equal(words[0][at[0] + 2], UNTOUCHED);
            expect_words(0, at[0] + 3, corner[0] + 4, 2);
            at[0] += 6;
        }
        for (uint32_t n = 0; t % 2 && n < 2 && left; n++, left--) {
            expect_words(1, at[1], n ? corner[2] : corner[1] + 4, 4);
            at[1] += 4;
        }
        if (!left) continue;
        expect_words(3, at[3], corner[1], 2);
        expect_words(2, at[2], corner[2] + 6, 2);
        at[2] += 2;
        at[3] += 2;
    }
    for (unsigned b = 0; b < STREAMS; b++) {
        assert_int_equal(subject->filled[b], at[b]);
        assert_int_equal(words[b][at[b]], UNTOUCHED);
    }
}

/* Streams at rates of their own, one of them into two buffers, with words that nothing is written to between others. */
static void streams_are_independent(void **state)
{
    static const uint32_t stride[STREAMS] = {6, 4, 2, 2}, most[] = {6, 3, 2, 1};
    (void)state;
    fill_vertices();
    for (unsigned n = 0; n < COUNT(most); n++)
        for (unsigned threads = 1; threads <= 3; threads++) {
            char text[TEXT];
            struct subject subject;
            if (by_code_skips(4)) continue;
            begin(&subject, stride);
            snprintf(text, sizeof text, three_streams, most[n]);
            subject.scene.geometry = text;
            subject.scene.dispatch.threads = threads;
            draw_vertices(&subject.scene, stream_vertices[0], STREAM_VERTICES, 2);
            stream_out(&subject, 2, 2, 0, 0, 0);
            stream_out(&subject, 1, 2, 0, 0, 3);
            stream_out(&subject, 0, 4, 1, 1, 0);
            stream_out(&subject, 4, 2, 2, 3, 0);
            subject.layout.registers[3].first_component = 2;
            stream_out(&subject, 3, 2, 3, 3, 0);
            draw_streams(&subject, SCH_PRIMITIVE_TRIANGLES, STREAM_VERTICES);
            expect_streams(&subject, most[n]);
            end(&subject);
        }
}

/* Stream 0 alone is rasterised: the points of others are not in the picture (13.5.2: the default is stream 0). */
static void stream_0_is_rasterised(void **state)
{
    static const uint32_t stride[STREAMS] = {0, 4};
    static const char text[] =
        "gs_5_0\ndcl_input v[1][0].xyzw\ndcl_input v[1][1].xyzw\ndcl_inputprimitive point\n"
        "dcl_stream m0\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\n"
        "dcl_stream m1\ndcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\ndcl_maxout 2\n"
        "mov o0.xyzw, v[0][0].xyzw\nemit_stream m0\nmov o0.xyzw, v[0][1].xyzw\nemit_stream m1\nret\n";
    static const char red[] = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 0, 0, 1.0)\nret\n";
    static const float black[4] = {0, 0, 0, 0};
    const float vertex[8] = {draw_at(2.5, SIDE), draw_at(3.5, SIDE), 0, 1,
                             draw_at(6.5, SIDE), draw_at(5.5, SIDE), 0, 1};
    struct subject subject;
    (void)state;
    begin(&subject, stride);
    struct draw_scene *scene = &subject.scene;
    scene->rasterizer.rasterizer_discard = false;
    scene->geometry = text;
    scene->fragment = red;
    draw_clear(scene, black, 1, 0);
    draw_vertices(scene, vertex, 1, 2);
    stream_out(&subject, 2, 4, 1, 1, 0); /* a position behind that of stream 0 */
    draw_streams(&subject, SCH_PRIMITIVE_POINTS, 1);
    assert_int_equal(subject.filled[1], 4);
    expect_words(1, 0, vertex + 4, 4);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            assert_int_equal(draw_pixel(scene, x, y), x == 2 && y == 3 ? 0xff0000ff : 0);
    end(&subject);
}

/* A single stream may have strips, which are written as lists (13.5.2); cut_stream begins the next one, and what is not
 * complete is dropped (13.7). */
static void one_stream_has_strips(void **state)
{
    static const uint32_t stride[STREAMS] = {0, 0, 1};
    static const char text[] =
        "gs_5_0\ndcl_input v[1][0].xyzw\ndcl_temps 1\ndcl_inputprimitive point\n"
        "dcl_stream m2\ndcl_outputtopology trianglestrip\ndcl_output o0.x\ndcl_maxout 32\nmov r0.x, l(0)\n"
        "loop\n  ige r0.y, r0.x, l(10)\n  breakc_nz r0.y\n  mov o0.x, r0.x\n  emit_stream m2\n"
        "  ieq r0.y, r0.x, l(3)\n  if_nz r0.y\n    cut_stream m2\n  endif\n"
        "  ieq r0.y, r0.x, l(5)\n  if_nz r0.y\n    cut_stream m2\n  endif\n  iadd r0.x, r0.x, l(1)\nendloop\nret\n";
    static const uint32_t expected[] = {0, 1, 2, 2, 1, 3, 6, 7, 8, 8, 7, 9};
    static const float vertices[2][8];
    struct subject subject;
    (void)state;
    begin(&subject, stride);
    subject.scene.geometry = text;
    draw_vertices(&subject.scene, vertices[0], 2, 2);
    stream_out(&subject, 0, 1, 2, 2, 0);
    draw_streams(&subject, SCH_PRIMITIVE_POINTS, 2);
    assert_int_equal(subject.filled[2], 2 * COUNT(expected));
    assert_memory_equal(words[2], expected, sizeof expected);
    assert_memory_equal(words[2] + COUNT(expected), expected, sizeof expected);
    end(&subject);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hull_shaders_say_how_domains_are_divided),
        cmocka_unit_test(output_primitives_meet_geometry_shaders),
        cmocka_unit_test(geometry_shaders_take_patches),
        cmocka_unit_test(streams_are_independent),
        cmocka_unit_test(stream_0_is_rasterised),
        cmocka_unit_test(one_stream_has_strips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
