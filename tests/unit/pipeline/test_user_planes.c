/* User clip planes through whole draws. OpenGL 4.6 13.7 wants that a plane and the plane turned round share what is
 * drawn: no sample is in both pictures or in neither, also where a sample is exactly on a plane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../support/draw_support.h"
#include "../support/random_number.h"

enum { SIDE = 16, SAMPLES = 4, VERTICES = 9, PLANES = 3 };

/* How often each sample was drawn. */
struct picture {
    float drawn[SAMPLES * SIDE * SIDE];
};

static void begin(struct draw_scene *scene, uint32_t samples)
{
    draw_begin(scene, SIDE, SIDE, samples, SCH_FORMAT_R32_FLOAT, SCH_FORMAT_NONE);
    draw_clear(scene, (const float[4]){0}, 1, 0);
    scene->blend.targets[0].enabled = true;
    scene->blend.targets[0].color_source = scene->blend.targets[0].color_destination = SCH_FACTOR_ONE;
    scene->rasterizer.multisample = samples > 1;
}

static void take(struct draw_scene *scene, struct picture *picture)
{
    memset(picture, 0, sizeof *picture);
    for (uint32_t s = 0; s < scene->samples; s++) {
        const struct sch_transfer all = {.size = sizeof all, .sample = s, .box = {0, 0, 0, SIDE, SIDE, 1}};
        assert_int_equal(sch_resource_read(scene->color, &all, picture->drawn + s * SIDE * SIDE,
                                           sizeof picture->drawn / SAMPLES, NULL),
                         SCH_OK);
    }
    draw_clear(scene, (const float[4]){0}, 1, 0);
}

static double samples_of(const struct picture *picture)
{
    double sum = 0;
    for (unsigned i = 0; i < SAMPLES * SIDE * SIDE; i++) sum += picture->drawn[i];
    return sum;
}

/* Vertices of two registers: the position, and what the second one has in x, which is 1 for what is drawn to count. */
typedef float vertex[8];

static void put(vertex *at, double x, double y, float z, float w)
{
    const vertex made = {draw_at(x, SIDE) * w, draw_at(y, SIDE) * w, z * w, w, 1, 1, 1, 1};
    memcpy(*at, made, sizeof made);
}

/* The plane a (x - at_x) + b (y - at_y) >= 0 of window coordinates. */
static void set_plane(float plane[4], float a, float b, float at_x, float at_y)
{
    const float half = (float)SIDE / 2;
    plane[0] = a * half;
    plane[1] = b * half;
    plane[2] = 0;
    plane[3] = a * (half - at_x) + b * (half - at_y);
}

static float distance_from(const float plane[4], const vertex at)
{
    return ((plane[0] * at[0] + plane[1] * at[1]) + plane[2] * at[2]) + plane[3] * at[3];
}

static void turn(float plane[4])
{
    for (unsigned c = 0; c < 4; c++) plane[c] = -plane[c];
}

/* ---- which side has what is on the plane ---- */

/* What two draws with a plane, and with the plane turned round, leave of the same vertices. */
static void draw_both(struct draw_scene *scene, enum sch_primitive primitive, const vertex *vertices, uint32_t count,
                      struct picture sides[2])
{
    draw_vertices(scene, vertices[0], count, 2);
    scene->rasterizer.clip_plane_enable = 1;
    for (unsigned turned = 0; turned < 2; turned++) {
        draw(scene, primitive, count);
        take(scene, &sides[turned]);
        turn(scene->dynamic.clip_planes[0]);
    }
}

/* Pixels of a row that are drawn, as bits. */
static uint32_t row_of(const struct picture *picture, unsigned y)
{
    uint32_t bits = 0;
    for (unsigned x = 0; x < SIDE; x++) bits |= (uint32_t)(picture->drawn[y * SIDE + x] != 0) << x;
    return bits;
}

/* A line's samples on the plane belong to the part that begins there (OpenGL 14.5.1: a line has its first end). */
static void lines_begin_on_the_plane(void **state)
{
    (void)state;
    struct draw_scene scene;
    struct picture sides[2];
    vertex vertices[2];
    begin(&scene, 1);
    set_plane(scene.dynamic.clip_planes[0], 1, 0, 7.5f, 0);
    put(&vertices[0], 2.5, 4.5, 0, 1);
    put(&vertices[1], 12.5, 4.5, 0, 1);
    draw_both(&scene, SCH_PRIMITIVE_LINES, vertices, 2, sides);
    assert_int_equal(row_of(&sides[0], 4), 0xf80);
    assert_int_equal(row_of(&sides[1], 4), 0x07c);
    put(&vertices[0], 12.5, 4.5, 0, 1);
    put(&vertices[1], 2.5, 4.5, 0, 1);
    draw_both(&scene, SCH_PRIMITIVE_LINES, vertices, 2, sides);
    assert_int_equal(row_of(&sides[0], 4), 0x1f00);
    assert_int_equal(row_of(&sides[1], 4), 0x00f8);
    draw_end(&scene);
}

/* What is in the plane with all of its vertices is not cut, and satisfies both inequalities of OpenGL 13.7. */
static void what_is_in_the_plane_is_inside(void **state)
{
    (void)state;
    static const struct {
        enum sch_primitive primitive;
        uint32_t count;
        double samples;
    } cases[] = {{SCH_PRIMITIVE_POINTS, 1, 1}, {SCH_PRIMITIVE_LINES, 2, 5}, {SCH_PRIMITIVE_TRIANGLES, 3, 15}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct draw_scene scene;
        struct picture sides[2];
        vertex vertices[3];
        begin(&scene, 1);
        scene.dynamic.clip_planes[0][2] = 2; /* z >= w / 2 */
        scene.dynamic.clip_planes[0][3] = -1;
        put(&vertices[0], 4.5, 4.5, 0.5f, 1);
        put(&vertices[1], 9.5, 4.5, 0.5f, 1);
        put(&vertices[2], 4.5, 9.5, 0.5f, 1);
        draw_both(&scene, cases[i].primitive, vertices, cases[i].count, sides);
        assert_true(samples_of(&sides[0]) == cases[i].samples);
        assert_true(samples_of(&sides[1]) == cases[i].samples);
        draw_end(&scene);
    }
}

/* Distances that a program writes have no planes that can be turned round: 0 is inside, as TGSI (CLIPDIST) and D3D 11.3
 * 15.4.1 say. */
static void distances_of_programs_include_zero(void **state)
{
    (void)state;
    struct draw_scene scene;
    struct picture sides[2];
    vertex vertices[3];
    begin(&scene, 1);
    scene.vertex = "VERT\nPROPERTY NUM_CLIPDIST_ENABLED 1\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\n"
                   "DCL OUT[1], GENERIC[0]\nDCL OUT[2], CLIPDIST\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1].yyyy\n"
                   "MOV OUT[2].x, IN[1].xxxx\nEND\n";
    scene.rasterizer.clip_plane_enable = 1;
    static const double places[3][2] = {{-16, 0}, {16, 0}, {0, 32}};
    for (unsigned turned = 0; turned < 2; turned++) {
        for (unsigned v = 0; v < 3; v++) {
            put(&vertices[v], places[v][0], places[v][1], 0, 1);
            vertices[v][4] = (float)(turned ? 2.5 - places[v][1] : places[v][1] - 2.5);
        }
        draw_vertices(&scene, vertices[0], 3, 2);
        draw(&scene, SCH_PRIMITIVE_TRIANGLES, 3);
        take(&scene, &sides[turned]);
    }
    assert_int_equal(row_of(&sides[0], 1), 0);
    assert_int_equal(row_of(&sides[0], 2), 0x7fff);
    assert_int_equal(row_of(&sides[1], 2), 0x7fff);
    assert_int_equal(row_of(&sides[1], 3), 0);
    draw_end(&scene);
}

/* A triangle that only touches the plane, with an edge or a corner: all of it is on one side. */
static void touching_is_not_cutting(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (unsigned round = 0; round < 200; round++) {
        struct draw_scene scene;
        struct picture sides[2], whole;
        vertex vertices[3];
        begin(&scene, round % 3 ? 1 : SAMPLES);
        const bool edge = round & 1, left = round & 2;
        for (unsigned v = 0; v < 3; v++) {
            const bool on = v == 0 || (v == 1 && edge);
            const double away = on ? 0 : (double)(1 + random_number(&random) % 700) / 64;
            put(&vertices[v], 7.5 + (left ? -away : away), (double)(random_number(&random) % 1024) / 64, 0,
                (float)(1 + random_number(&random) % 7));
        }
        draw_vertices(&scene, vertices[0], 3, 2);
        draw(&scene, SCH_PRIMITIVE_TRIANGLES, 3);
        take(&scene, &whole);
        const float steep = 1.0f / (float)(1 + random_number(&random) % 50);
        set_plane(scene.dynamic.clip_planes[0], steep, 0, 7.5f, 0);
        draw_both(&scene, SCH_PRIMITIVE_TRIANGLES, vertices, 3, sides);
        if (left) turn(scene.dynamic.clip_planes[0]);
        for (unsigned v = 0; v < 3; v++)
            if (distance_from(scene.dynamic.clip_planes[0], vertices[v]) < 0) goto rounded;
        assert_memory_equal(&sides[left], &whole, sizeof whole);
        assert_true(samples_of(&sides[!left]) == 0);
    rounded:
        draw_end(&scene);
    }
}

/* ---- planes are edges ---- */

/* Half a square by a plane is that half as a polygon (D3D 11.3 3.4.2.1, OpenGL 14.6.1): the plane goes through places
 * of the sub-pixel grid on two sides of the square. */
static void draw_halves(struct draw_scene *scene, bool rows, float from, float to, uint32_t w, struct picture halves[2])
{
    vertex square[4], half[4];
    for (unsigned v = 0; v < 4; v++) {
        const float far = v & 1 ? SIDE : 0, cut = v & 1 ? to : from, x = v & 2 ? SIDE : cut;
        put(&square[v], v & 2 ? SIDE : 0, v & 1 ? SIDE : 0, 0, (float)(1u << (w >> 2 * v & 3)));
        put(&half[v], rows ? far : x, rows ? x : far, 0, 1);
    }
    float *plane = scene->dynamic.clip_planes[0];
    set_plane(plane, rows ? from - to : SIDE, rows ? SIDE : from - to, rows ? 0 : from, rows ? from : 0);
    scene->rasterizer.clip_plane_enable = 1;
    draw_vertices(scene, square[0], 4, 2);
    draw(scene, SCH_PRIMITIVE_TRIANGLE_STRIP, 4);
    take(scene, &halves[0]);
    scene->rasterizer.clip_plane_enable = 0;
    draw_vertices(scene, half[0], 4, 2);
    draw(scene, SCH_PRIMITIVE_TRIANGLE_STRIP, 4);
    take(scene, &halves[1]);
}

static void planes_cut_as_edges_do(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (unsigned round = 0; round < 300; round++) {
        struct draw_scene scene;
        struct picture halves[2];
        begin(&scene, round & 1 ? SAMPLES : 1);
        scene.rasterizer.bottom_edge_rule = round & 2;
        if (round & 4) scene.dynamic.viewports[0].scale[0] = -(float)SIDE / 2;
        if (round & 8) scene.dynamic.viewports[0].scale[1] = -(float)SIDE / 2;
        const uint32_t step = round % 3 ? 128 : 1 + round % 5; /* sub-pixels: also planes through many centres */
        const float from = (float)(random_number(&random) % (SIDE * 256 / step + 1) * step) / 256;
        float to = (float)(random_number(&random) % (SIDE * 256 / step + 1) * step) / 256;
        if (round % 7 == 0) to = from;
        draw_halves(&scene, round & 16, from, to, round & 32 ? (uint32_t)random_number(&random) : 0, halves);
        for (unsigned i = 0; i < SAMPLES * SIDE * SIDE; i++)
            if (halves[0].drawn[i] != halves[1].drawn[i])
                fail_msg("round %u, from %g to %g: sample %u", round, (double)from, (double)to, i);
        draw_end(&scene);
    }
}

/* ---- no sample is missed, none is drawn twice ---- */

static uint32_t below(uint64_t *random, uint32_t count) { return (uint32_t)(random_number(random) % count); }
static float part(uint64_t *random) { return (float)below(random, 1 << 24) / (1 << 23) - 1; }

/* A draw of which each sample is to be on one side of each plane. */
struct subject {
    struct draw_scene scene;
    enum sch_primitive primitive;
    vertex vertices[VERTICES];
    uint32_t plane[PLANES], planes; /* which, and how many */
    float at[2];                    /* a place that the first plane goes through, in pixels */
    bool round;                     /* few digits everywhere: planes go through samples */
};

static void make_vertices(struct subject *subject, uint64_t *random)
{
    const bool same_w = below(random, 2);
    for (unsigned v = 0; v < VERTICES; v++) {
        const float w = same_w ? 1 : (float)(1 << below(random, 3)) / 2;
        if (subject->round) {
            put(&subject->vertices[v], (int)below(random, 72) / 2.0 - 10, (int)below(random, 72) / 2.0 - 10,
                (float)below(random, 5) / 4, w);
            continue;
        }
        for (unsigned c = 0; c < 4; c++) subject->vertices[v][c] = part(random) * (c < 2 ? 3 : 2);
        if (same_w) subject->vertices[v][3] = 1;
        for (unsigned c = 4; c < 8; c++) subject->vertices[v][c] = 1;
    }
}

static void make_planes(struct subject *subject, uint64_t *random)
{
    const uint32_t first = below(random, SCH_CLIP_PLANES), step = 1 + 2 * below(random, 4);
    subject->planes = 1 + below(random, PLANES);
    for (uint32_t p = subject->planes; p-- > 0;) {
        float *plane = subject->scene.dynamic.clip_planes[subject->plane[p] = (first + p * step) % SCH_CLIP_PLANES];
        const float a = (float)below(random, 5) - 2, b = a == 0 ? 1 : (float)below(random, 5) - 2;
        for (unsigned c = 0; c < 2; c++)
            subject->at[c] = (float)below(random, SIDE) + (float)(below(random, 2) ? 8 : below(random, 16)) / 16;
        set_plane(plane, a, b, subject->at[0], subject->at[1]);
        for (unsigned c = 0; c < 4 && !subject->round; c++) plane[c] = part(random);
    }
}

static void make_state(struct subject *subject, uint64_t *random)
{
    static const enum sch_primitive primitives[] = {SCH_PRIMITIVE_TRIANGLES,    SCH_PRIMITIVE_TRIANGLE_STRIP,
                                                    SCH_PRIMITIVE_TRIANGLE_FAN, SCH_PRIMITIVE_POLYGON,
                                                    SCH_PRIMITIVE_LINES,        SCH_PRIMITIVE_LINE_LOOP};
    static const enum sch_fill fills[] = {SCH_FILL_SOLID, SCH_FILL_SOLID, SCH_FILL_SOLID, SCH_FILL_LINE,
                                          SCH_FILL_POINT};
    struct sch_rasterizer_options *rasterizer = &subject->scene.rasterizer;
    subject->primitive = primitives[below(random, 6)];
    rasterizer->fill_front = rasterizer->fill_back = fills[below(random, 5)];
    rasterizer->bottom_edge_rule = below(random, 2);
    rasterizer->clip_halfz = below(random, 2);
    rasterizer->half_pixel_center = below(random, 4) != 0;
    rasterizer->line_width = below(random, 3) ? 1 : 2.5f;
    rasterizer->point_size = below(random, 2) ? 1 : 3;
    if (below(random, 3) == 0) subject->scene.dynamic.viewports[0].scale[below(random, 2)] *= -1;
}

/* Whether a line, or what is outlined, may be in a plane, and so on both sides of it. */
static bool may_be_in_plane(const struct subject *subject)
{
    const bool solid = subject->scene.rasterizer.fill_front == SCH_FILL_SOLID;
    if (solid && subject->primitive >= SCH_PRIMITIVE_TRIANGLES) return false; /* it is seen from its edge */
    for (uint32_t p = 0; p < subject->planes; p++) {
        unsigned on = 0;
        for (unsigned v = 0; v < VERTICES; v++)
            on += distance_from(subject->scene.dynamic.clip_planes[subject->plane[p]], subject->vertices[v]) == 0;
        if (on > 1) return true;
    }
    return false;
}

/* Draws with each way to turn the planes, all into one picture. */
static void draw_all_sides(struct subject *subject, struct picture *sides)
{
    struct draw_scene *scene = &subject->scene;
    scene->rasterizer.clip_plane_enable = 0;
    for (uint32_t p = 0; p < subject->planes; p++) scene->rasterizer.clip_plane_enable |= 1u << subject->plane[p];
    for (uint32_t turned = 0; turned < 1u << subject->planes; turned++) {
        const struct sch_dynamic_state kept = scene->dynamic;
        for (uint32_t p = 0; p < subject->planes; p++)
            if (turned >> p & 1) turn(scene->dynamic.clip_planes[subject->plane[p]]);
        draw(scene, subject->primitive, VERTICES);
        scene->dynamic = kept;
    }
    take(scene, sides);
}

/* Answers whether the first plane goes through the centre of a pixel that is drawn. */
static bool check_subject(uint64_t seed)
{
    uint64_t random = seed;
    struct subject subject = {.round = seed % 4 != 0};
    struct picture whole, sides;
    begin(&subject.scene, below(&random, 3) ? 1 : SAMPLES);
    make_state(&subject, &random);
    do {
        make_vertices(&subject, &random);
        make_planes(&subject, &random);
    } while (may_be_in_plane(&subject));
    draw_vertices(&subject.scene, subject.vertices[0], VERTICES, 2);
    draw(&subject.scene, subject.primitive, VERTICES);
    take(&subject.scene, &whole);
    draw_all_sides(&subject, &sides);
    for (unsigned i = 0; i < SAMPLES * SIDE * SIDE; i++)
        if (whole.drawn[i] != sides.drawn[i])
            fail_msg("seed %llu: sample %u at (%u, %u) is drawn %g times, not %g", (unsigned long long)seed,
                     i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE, (double)sides.drawn[i], (double)whole.drawn[i]);
    const uint32_t x = (uint32_t)subject.at[0], y = (uint32_t)subject.at[1];
    const bool tie = subject.round && subject.scene.samples == 1 && subject.at[0] == (float)x + 0.5f &&
                     subject.at[1] == (float)y + 0.5f && whole.drawn[y * SIDE + x] != 0;
    draw_end(&subject.scene);
    return tie;
}

static void each_sample_is_on_one_side(void **state)
{
    (void)state;
    unsigned ties = 0;
    for (uint64_t seed = 1; seed <= 5000; seed++) ties += check_subject(seed);
    assert_in_range(ties, 200, 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_begin_on_the_plane),
        cmocka_unit_test(what_is_in_the_plane_is_inside),
        cmocka_unit_test(distances_of_programs_include_zero),
        cmocka_unit_test(touching_is_not_cutting),
        cmocka_unit_test(planes_cut_as_edges_do),
        cmocka_unit_test(each_sample_is_on_one_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
