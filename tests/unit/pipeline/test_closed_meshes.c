/* Fans and closed meshes through whole draws, clipped and whole: how often each sample is covered. Of a mesh that lies
 * in a plane and contains the picture that is once; of one that is closed in space front faces and back faces are as
 * many. Colours count, by blending: the sum of faces (+1 or -1), and the number of fragments. With SCH_LONG 100,000
 * triangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "../support/api_program.h"
#include "../support/draw_support.h"
#include "../support/random_number.h"

enum { SIDE = 64, TRIANGLES = 3000, LONG_TRIANGLES = 100000, SAMPLES_MOST = 16 };

static const double turn = 6.283185307179586;

/* ---- meshes ---- */

struct mesh {
    float (*vertices)[4]; /* in clip space */
    uint32_t *indices;
    uint32_t vertex_count, index_count;
};

static uint64_t seed;
/* From 0 to 1. */
static double part(void) { return (double)(random_number(&seed) >> 11) * 0x1p-53; }
static double between(double low, double high) { return low + part() * (high - low); }

static void mesh_begin(struct mesh *mesh, uint32_t vertices, uint32_t triangles)
{
    *mesh = (struct mesh){.vertices = calloc(vertices, sizeof *mesh->vertices),
                          .indices = calloc(triangles, 3 * sizeof *mesh->indices)};
    assert_non_null(mesh->vertices);
    assert_non_null(mesh->indices);
}

static void mesh_end(struct mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
}

static uint32_t add_vertex(struct mesh *mesh, double x, double y, double z, double w)
{
    const double at[4] = {x, y, z, w};
    for (unsigned c = 0; c < 4; c++) mesh->vertices[mesh->vertex_count][c] = (float)at[c];
    return mesh->vertex_count++;
}

/* Corners in any order of rotation, as long as all of the mesh have the same. */
static void add_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    const uint32_t first = (uint32_t)random_number(&seed) % 3;
    for (unsigned v = 0; v < 3; v++) mesh->indices[mesh->index_count++] = corners[(first + v) % 3];
}

/* ---- meshes in a plane ---- */

/* Where the plane is: w = 1 + a u + b v and z = c u + d v + e w of the place (u, v), whose x and y are u and v. In the
 * picture w is positive. */
struct plane {
    double a, b, c, d, e;
};

static uint32_t add_in_plane(struct mesh *mesh, const struct plane *plane, double u, double v)
{
    const double w = 1 + plane->a * u + plane->b * v;
    return add_vertex(mesh, u, v, plane->c * u + plane->d * v + plane->e * w, w);
}

/* A fan around (u, v), whose rim is from `near` to `far` away, turned at random. */
static void make_fan(struct mesh *mesh, const struct plane *plane, uint32_t triangles, double u, double v, double near,
                     double far)
{
    const double start = part() * turn;
    mesh_begin(mesh, triangles + 1, triangles);
    const uint32_t centre = add_in_plane(mesh, plane, u, v);
    for (uint32_t n = 0; n < triangles; n++) {
        const double angle = start + turn * (n + part() * 0.5) / triangles, radius = between(near, far);
        add_in_plane(mesh, plane, u + cos(angle) * radius, v + sin(angle) * radius);
    }
    for (uint32_t n = 0; n < triangles; n++) add_triangle(mesh, centre, 1 + n, 1 + (n + 1) % triangles);
}

/* A grid of cells, each of two triangles, with moved corners. */
static void make_grid(struct mesh *mesh, const struct plane *plane, uint32_t triangles, double half)
{
    const uint32_t side = (uint32_t)sqrt(triangles / 2.0);
    const double cell = 2 * half / side;
    mesh_begin(mesh, (side + 1) * (side + 1), 2 * side * side);
    for (uint32_t y = 0; y <= side; y++)
        for (uint32_t x = 0; x <= side; x++)
            add_in_plane(mesh, plane, (x + between(-0.3, 0.3)) * cell - half, (y + between(-0.3, 0.3)) * cell - half);
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            const uint32_t a = y * (side + 1) + x, b = a + 1, c = a + side + 1, d = c + 1;
            const bool other = random_number(&seed) & 1;
            add_triangle(mesh, a, b, other ? d : c);
            add_triangle(mesh, other ? a : b, d, c);
        }
}

/* ---- meshes in space ---- */

/* A lumpy ball around `centre`: rings of `columns` vertices between two poles, cut by perspective. */
static void make_ball(struct mesh *mesh, uint32_t triangles, const double centre[3], double least, double most)
{
    const uint32_t rings = (uint32_t)sqrt(triangles / 4.0) + 2, columns = 2 * rings;
    mesh_begin(mesh, rings * columns + 2, 2 * rings * columns);
    for (uint32_t v = 0; v < rings * columns + 2; v++) {
        const uint32_t ring = v / columns;
        const double height = v < rings * columns ? turn / 2 * (ring + 0.75 + part() * 0.5) / (rings + 1)
                              : v & 1             ? turn / 2
                                                  : 0;
        const double around = turn * (v % columns + part() * 0.5) / columns, radius = between(least, most);
        const double x = centre[0] + radius * sin(height) * cos(around);
        const double y = centre[1] + radius * cos(height);
        const double w = centre[2] + radius * sin(height) * sin(around);
        add_vertex(mesh, x, y, 0.5 * w, w);
    }
    const uint32_t top = rings * columns + (rings * columns & 1), bottom = rings * columns + !(rings * columns & 1);
    for (uint32_t c = 0; c < columns; c++) {
        const uint32_t d = (c + 1) % columns, last = (rings - 1) * columns;
        add_triangle(mesh, top, c, d);
        add_triangle(mesh, bottom, last + d, last + c);
        for (uint32_t r = 0; r + 1 < rings; r++) {
            const uint32_t at = r * columns;
            add_triangle(mesh, at + c, at + columns + c, at + columns + d);
            add_triangle(mesh, at + c, at + columns + d, at + d);
        }
    }
}

/* ---- draws ---- */

static const char vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
static const char fragment[] = "FRAG\nDCL IN[0], FACE, CONSTANT\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\n"
                               "MOV OUT[0].x, IN[0].xxxx\nMOV OUT[0].y, IMM[0].xxxx\nEND\n";

static void begin(struct draw_scene *scene, uint32_t samples, unsigned threads)
{
    static const float black[4] = {0, 0, 0, 0};
    draw_begin(scene, SIDE, SIDE, samples, SCH_FORMAT_R32G32_FLOAT, SCH_FORMAT_NONE);
    draw_clear(scene, black, 1, 0);
    scene->vertex = vertex;
    scene->fragment = fragment;
    scene->rasterizer.bottom_edge_rule = random_number(&seed) & 1;
    scene->blend.targets[0] = (struct sch_blend_target){.enabled = true,
                                                        .color_source = SCH_FACTOR_ONE,
                                                        .color_destination = SCH_FACTOR_ONE,
                                                        .alpha_source = SCH_FACTOR_ONE,
                                                        .alpha_destination = SCH_FACTOR_ONE,
                                                        .color_mask = 15};
    scene->dispatch.threads = threads;
}

static void draw_mesh(struct draw_scene *scene, const struct mesh *mesh)
{
    const struct sch_draw what = {
        .size = sizeof what,
        .primitive = SCH_PRIMITIVE_TRIANGLES,
        .count = mesh->index_count,
        .instance_count = 1,
        .index_bytes = 4,
        .indices = {.memory = mesh->indices, .memory_bytes = mesh->index_count * sizeof *mesh->indices}};
    draw_vertices(scene, mesh->vertices[0], mesh->vertex_count, 1);
    assert_int_equal(draw_try(scene, &what), SCH_OK);
}

/* What samples have, and where they are in clip space (x and y over w). */
struct sample {
    double x, y;
    float faces, count;
};

static void read_sample(const struct draw_scene *scene, uint32_t x, uint32_t y, uint32_t s, struct sample *sample)
{
    uint32_t word[4];
    draw_read(scene, scene->color, x, y, s, word);
    *sample =
        (struct sample){(x + 0.5) * 2 / SIDE - 1, (y + 0.5) * 2 / SIDE - 1, api_float(word[0]), api_float(word[1])};
}

#define EACH_SAMPLE(scene, sample)                                                                                     \
    for (uint32_t y = 0; y < SIDE; y++)                                                                                \
        for (uint32_t x = 0; x < SIDE; x++)                                                                            \
            for (uint32_t s = 0; s < (scene)->samples && (read_sample(scene, x, y, s, sample), true); s++)

static uint32_t triangles_of(void) { return getenv("SCH_LONG") ? LONG_TRIANGLES : TRIANGLES; }

static const uint32_t sample_counts[] = {1, 4, SAMPLES_MOST};
enum { ROUNDS = sizeof sample_counts / sizeof *sample_counts };

/* ---- tests ---- */

/* A fan around a place in the picture, whose corners on the rim are more than 2 sub-pixels apart: nearer ones, snapped,
 * may change places. Perspective draws them together, to a distance of 1.4 from the middle. */
static void make_near_fan(struct mesh *mesh, const struct plane *plane, uint32_t triangles, double near, double far)
{
    const bool deep = fabs(plane->a) + fabs(plane->b) > 0.1;
    if (deep && triangles > 15000) triangles = 15000;
    const double least = deep ? 0 : triangles * 2e-4, u = between(-0.5, 0.5), v = between(-0.5, 0.5);
    make_fan(mesh, plane, triangles, u, v, fmax(near, least), fmax(far, least * 1.5));
}

/* What contains the picture covers each sample once: far inside of the guard band, past it, behind the eye. */
static void what_lies_in_a_plane_covers_once(void **state)
{
    (void)state;
    static const struct {
        struct plane plane;
        double near, far;
    } rows[] = {{{0, 0, 0, 0, 0.5}, 3, 4},
                {{0, 0, 0, 0, 0.5}, 900, 3000},      /* half of the rim is past the guard band, 1024 from the centre */
                {{0, 0, 0, 0, 0.5}, 1e5, 1e12},      /* all of it */
                {{0.3, 0.4, 0, 0, 0.5}, 9, 10},      /* behind the eye on one side */
                {{-0.5, 0.3, 0, 0, 0.25}, 50, 1e6},  /* and past the guard band */
                {{0.2, -0.7, 1e-3, 0, 0.5}, 40, 60}, /* and past the far plane, outside of the picture */
                {{1e-4, 0, 0, 0, 0.5}, 1e3, 3e4}};
    for (uint32_t n = 0; n < 2 * ROUNDS * sizeof rows / sizeof *rows; n++) {
        const uint32_t row = n / 2 % (sizeof rows / sizeof *rows), samples = sample_counts[n % ROUNDS];
        struct draw_scene scene;
        struct sample sample;
        struct mesh mesh;
        seed = n + 1;
        if (n & 1)
            make_near_fan(&mesh, &rows[row].plane, triangles_of(), rows[row].near, rows[row].far);
        else
            make_grid(&mesh, &rows[row].plane, triangles_of(), rows[row].near);
        begin(&scene, samples, 1 + n % 3);
        draw_mesh(&scene, &mesh);
        const double all = scene.samples * SIDE * SIDE;
        double sum = 0;
        EACH_SAMPLE(&scene, &sample)
        {
            if (sample.count != 1)
                fail_msg("case %u: sample %u of (%u, %u) is covered %g times", n, s, x, y, (double)sample.count);
            sum += sample.faces;
        }
        assert_true(fabs(sum) == all); /* all in the same direction */
        draw_end(&scene);
        mesh_end(&mesh);
    }
}

/* A fan around a place so far from where the near plane cuts that the cut edges of neighbours are more than 2
 * sub-pixels apart: nearer ones, snapped, may change places, and then their triangles overlap as they would whole. */
static void make_far_fan(struct mesh *mesh, const struct plane *plane, uint32_t triangles)
{
    const double slope = hypot(plane->c, plane->d), distance = 0.5 + triangles * 2e-4;
    const double far = plane->e / slope < 5 ? distance + plane->e / slope : distance;
    const double x = -plane->c / slope * far, y = -plane->d / slope * far, w = 1 / (1 - plane->a * x - plane->b * y);
    make_fan(mesh, plane, triangles, x * w, y * w, 60, 90);
}

/* A plane that the near or the far plane cuts in the picture: once on one side, not at all on the other. */
static void what_is_cut_covers_once_or_not(void **state)
{
    (void)state;
    static const struct plane planes[] = {
        {0, 0, 0.5, 0.2, 0.1}, {0.3, 0.4, 0.8, 0.1, 0.2}, {-0.2, 0.1, -0.3, 0.9, 0.7}, {0.1, 0, 0.02, 0.01, 1}};
    for (uint32_t n = 0; n < 2 * ROUNDS * sizeof planes / sizeof *planes; n++) {
        const struct plane *plane = &planes[n / 2 % (sizeof planes / sizeof *planes)];
        uint32_t covered = 0, uncovered = 0;
        struct draw_scene scene;
        struct sample sample;
        struct mesh mesh;
        seed = n + 100;
        if (n & 1)
            make_far_fan(&mesh, plane, triangles_of());
        else
            make_grid(&mesh, plane, triangles_of(), 5);
        begin(&scene, sample_counts[n % ROUNDS], 1 + n % 3);
        draw_mesh(&scene, &mesh);
        EACH_SAMPLE(&scene, &sample)
        {
            /* Depth is linear over the picture: z / w of (x, y). A sample is less than a pixel from (x, y). */
            const double slope = 2.0 / SIDE * 1.5 * (fabs(plane->c) + fabs(plane->d) + 1e-6);
            const double depth = plane->c * sample.x + plane->d * sample.y + plane->e;
            const bool inside = depth > slope && depth < 1 - slope, outside = depth < -slope || depth > 1 + slope;
            if (sample.count > 1 || (inside && sample.count == 0) || (outside && sample.count > 0))
                fail_msg("case %u: sample %u of (%u, %u) is covered %g times", n, s, x, y, (double)sample.count);
            covered += inside;
            uncovered += outside;
        }
        assert_true(covered > 100 && uncovered > 100);
        draw_end(&scene);
        mesh_end(&mesh);
    }
}

/* Who sees a closed mesh from outside sees as many front faces as back faces; who is in it, one more, everywhere. */
static void what_is_closed_has_two_sides(void **state)
{
    (void)state;
    static const struct {
        double centre[3], least, most;
        bool within;
    } rows[] = {{{0, 0, 5}, 1.5, 2.5, false},     {{0, 0, 1.5}, 0.9, 1.4, false}, {{0.5, 0.5, 30}, 20, 25, false},
                {{0, 0, 0}, 1, 3, true},          {{0.2, -0.3, 1}, 2, 9, true},   {{0, 1, -0.5}, 1.5, 1e4, true},
                {{40, 0, 3}, 20, 30, false}, /* beside, and partly behind the eye */
                {{0, 3000, 3}, 1000, 2500, false}};
    for (uint32_t n = 0; n < ROUNDS * sizeof rows / sizeof *rows; n++) {
        const uint32_t row = n % (sizeof rows / sizeof *rows);
        struct draw_scene scene;
        struct sample sample;
        struct mesh mesh;
        double most = 0;
        seed = n + 1000;
        make_ball(&mesh, triangles_of(), rows[row].centre, rows[row].least, rows[row].most);
        begin(&scene, sample_counts[n / (sizeof rows / sizeof *rows)], 1 + n % 3);
        draw_mesh(&scene, &mesh);
        float faces = rows[row].within ? 1 : 0;
        EACH_SAMPLE(&scene, &sample)
        {
            if (rows[row].within && !x && !y && !s) faces = sample.faces;
            if (sample.faces != faces)
                fail_msg("case %u: sample %u of (%u, %u) has %g more front faces", n, s, x, y, (double)sample.faces);
            if (sample.count > most) most = sample.count;
        }
        assert_true(fabs((double)faces) == rows[row].within);
        assert_true(most >= (row < 6 ? 1 : 0));
        draw_end(&scene);
        mesh_end(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_in_a_plane_covers_once),
        cmocka_unit_test(what_is_cut_covers_once_or_not),
        cmocka_unit_test(what_is_closed_has_two_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
