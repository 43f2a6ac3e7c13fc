/* The tessellator: against a reference that is written from the text, each domain and spacing at levels from 0 to 64 in
 * eighths; against what llvmpipe made of the same levels; and what the text promises: each place of the domain in one
 * triangle, edges that neighbours share, powers of two, patches that are discarded, bounds. SCH_LONG=1: all pairs of
 * outer and inner levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/random_number.h"
#include "../support/sanitized.h"
#include "../support/tessellate_reference.h"
#include "pipeline/tessellate.h"

enum { STEPS = SCH_TESS_LEVEL * 8 };

static uint64_t seed;
static uint32_t draw(uint32_t below) { return (uint32_t)(random_number(&seed) % below); }
static float draw_level(void) { return (float)(1 + draw(STEPS)) / 8; }
static float draw_small(void) { return (float)(1 + draw(8 * 8)) / 8; }

/* What is made of a patch. */
static struct sch_tess_plan plan;
static struct sch_tess_point points[SCH_TESS_POINTS + 1];
static uint16_t indices[SCH_TESS_INDICES + 1];

static void tessellate(uint32_t domain, uint32_t spacing, const float outer[4], const float inner[2])
{
    struct sch_tess_mode mode = {.domain = (uint8_t)domain, .spacing = (uint8_t)spacing};
    sch_tessellate_plan(&mode, outer, inner, &plan);
    assert_true(plan.point_count <= SCH_TESS_POINTS && plan.primitive_count <= SCH_TESS_PRIMITIVES);
    size_t count = (size_t)plan.primitive_count * plan.corners;
    points[plan.point_count].u = 0xdeadbeef;
    indices[count] = 0xbeef;
    sch_tessellate_points(&plan, points);
    sch_tessellate_primitives(&plan, indices);
    assert_int_equal(points[plan.point_count].u, 0xdeadbeef);
    assert_int_equal(indices[count], 0xbeef);
    for (size_t i = 0; i < count; i++) assert_true(indices[i] < plan.point_count);
}

static void fill(float levels[], uint32_t count, float level)
{
    for (uint32_t i = 0; i < count; i++) levels[i] = level;
}

/* ---- the reference ---- */

static struct ref_tess ours, expected;

static ref_place place_of(uint32_t i) { return (uint64_t)points[i].u << 32 | points[i].v; }

static void compare(uint32_t domain, uint32_t spacing, const float outer[4], const float inner[2])
{
    tessellate(domain, spacing, outer, inner);
    memset(&ours, 0, sizeof ours);
    ours.points = plan.point_count;
    ours.primitives = plan.primitive_count;
    ours.corners = domain == SCH_TESS_ISOLINES ? 2 : 3;
    for (uint32_t i = 0; i < ours.points; i++) ours.point[i] = place_of(i);
    for (uint32_t i = 0; i < ours.primitives * ours.corners; i++)
        ours.primitive[i / ours.corners][i % ours.corners] = place_of(indices[i]);
    ref_tess_sort(&ours);
    ref_tessellate((enum ref_tess_domain)domain, (enum ref_tess_spacing)spacing, outer, inner, &expected);
    ref_tess_sort(&expected);
    if (memcmp(&ours, &expected, sizeof ours))
        fail_msg("domain %u, spacing %u: outer %a %a %a %a inner %a %a: %u points, %u primitives, expected %u, %u",
                 domain, spacing, (double)outer[0], (double)outer[1], (double)outer[2], (double)outer[3],
                 (double)inner[0], (double)inner[1], ours.points, ours.primitives, expected.points,
                 expected.primitives);
}

/* Each level on all edges and inside, and on one of both with some others on the other. With SCH_LONG all pairs; of
 * equal spacing those of whole numbers, to which it rounds. */
static void test_reference(void **state)
{
    bool all = getenv("SCH_LONG");
    (void)state;
    for (uint32_t domain = 0; domain < 3; domain++)
        for (uint32_t spacing = 0; spacing < 4; spacing++)
            for (uint32_t step = 0; step <= STEPS; step++) {
                float outer[4], inner[2], level = (float)step / 8;
                bool pairs = all && (spacing < SCH_TESS_EQUAL || step % 8 == 0);
                uint32_t others = spacing < SCH_TESS_EQUAL ? 1 : 8;
                for (uint32_t other = pairs ? 0 : step; other <= (pairs ? STEPS : step); other += others) {
                    fill(outer, 4, level);
                    fill(inner, 2, (float)other / 8);
                    if (domain == SCH_TESS_ISOLINES) outer[1] = inner[0];
                    compare(domain, spacing, outer, inner);
                }
                fill(outer, 4, level);
                for (uint32_t i = 0; i < 2; i++) inner[i] = draw_small();
                if (domain == SCH_TESS_ISOLINES) outer[draw(2)] = draw_small();
                compare(domain, spacing, outer, inner);
                for (uint32_t i = 0; i < 4; i++) outer[i] = draw(2) ? draw_small() : draw_level();
                fill(inner, 2, level);
                inner[draw(2)] = draw_small();
                compare(domain, spacing, outer, inner);
            }
}

/* Any levels between the eighths, out of range, or none. */
static void test_any_levels(void **state)
{
    static const float special[] = {0,
                                    1,
                                    2,
                                    3,
                                    63,
                                    64,
                                    65,
                                    -1,
                                    1e30f,
                                    0x1p-149f,
                                    __builtin_nanf(""),
                                    __builtin_inff(),
                                    0x1.0001p0f,
                                    0x1.0002p0f,
                                    0x1.fffep0f,
                                    0x1.ffffp0f,
                                    0x1.fffffep0f,
                                    0x1.f80002p5f};
    (void)state;
    for (uint32_t n = 0; n < 12 * sanitized_share(400, 4); n++) {
        float levels[6];
        for (uint32_t i = 0; i < 6; i++) {
            bool odd = draw(4) == 0;
            float whole = (float)(1 + draw(draw(2) ? 8 : 64)), part = (float)draw(1 << 24) * 0x1p-24f;
            levels[i] = odd ? special[draw(sizeof special / sizeof *special)] : whole + part;
        }
        compare(n % 3, n / 3 % 4, levels, levels + 4);
    }
}

/* ---- llvmpipe ---- */

struct golden {
    struct sch_tess_mode mode;
    float outer[4], inner[2];
    uint32_t count;
    uint64_t sum;
    const char *coordinates;
};

#define LEVELS(...)                                                                                                    \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define PATCH(domain, spacing, clockwise, points, outer, inner, count, coordinates)                                    \
    {{domain, spacing, clockwise, points}, LEVELS outer, LEVELS inner, count, 0, coordinates},
#define SUM(domain, spacing, clockwise, points, outer, inner, count, sum)                                              \
    {{domain, spacing, clockwise, points}, LEVELS outer, LEVELS inner, count, sum, NULL},
static const struct golden goldens[] = {
#include "tessellate_golden.def"
};

static uint64_t add_to_sum(uint64_t sum, uint32_t number)
{
    for (uint32_t i = 0; i < 3; i++) sum = (sum ^ (number >> 8 * i & 0xff)) * 0x100000001b3u;
    return sum;
}

static void compare_golden(const struct golden *g)
{
    const char *text = g->coordinates;
    uint64_t sum = 0xcbf29ce484222325u;
    sch_tessellate_plan(&g->mode, g->outer, g->inner, &plan);
    sch_tessellate_points(&plan, points);
    sch_tessellate_primitives(&plan, indices);
    assert_int_equal(plan.primitive_count * plan.corners, g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct sch_tess_point *p = &points[indices[i]];
        sum = add_to_sum(add_to_sum(sum, p->u), p->v);
        for (uint32_t k = 0; k < 2 && text; k++) {
            char *end;
            assert_int_equal(k ? p->v : p->u, strtoul(text, &end, 10));
            text = end;
        }
    }
    if (!g->coordinates) assert_true(sum == g->sum);
}

static void test_golden(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) compare_golden(&goldens[i]);
}

/* ---- each place of the domain is in one triangle ---- */

static int64_t area(int64_t ax, int64_t ay, int64_t bx, int64_t by, int64_t cx, int64_t cy)
{
    return (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
}

static int64_t triangle_area(const uint16_t *t)
{
    const struct sch_tess_point *a = &points[t[0]], *b = &points[t[1]], *c = &points[t[2]];
    return area(a->u, a->v, b->u, b->v, c->u, c->v);
}

/* How many triangles have the place inside; places are in 1/64 of a unit, which no edge meets if `on_edge` stays. */
static uint32_t triangles_at(int64_t u, int64_t v, bool *on_edge)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan.primitive_count; i++) {
        uint32_t inside = 0;
        for (uint32_t k = 0; k < 3; k++) {
            const struct sch_tess_point *a = &points[indices[3 * i + k]], *b = &points[indices[3 * i + (k + 1) % 3]];
            int64_t side = area(64 * (int64_t)a->u, 64 * (int64_t)a->v, 64 * (int64_t)b->u, 64 * (int64_t)b->v, u, v);
            *on_edge |= !side;
            inside += side > 0;
        }
        count += inside == 3;
    }
    return count;
}

static uint8_t edges[SCH_TESS_POINTS][SCH_TESS_POINTS]; /* directed, from one point to another */

/* Each edge of a triangle is that of another one in the other direction, or one of the patch. */
static void check_edges(uint32_t boundary)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < plan.primitive_count * 3; i++)
        assert_int_equal(edges[indices[i]][indices[i / 3 * 3 + (i + 1) % 3]]++, 0);
    for (uint32_t i = 0; i < plan.primitive_count * 3; i++) {
        uint32_t a = indices[i], b = indices[i / 3 * 3 + (i + 1) % 3];
        if (edges[b][a]) continue;
        assert_true(a < boundary && b == (a + 1) % boundary);
        open++;
    }
    assert_int_equal(open, boundary);
    for (uint32_t i = 0; i < plan.primitive_count * 3; i++) memset(edges[indices[i]], 0, sizeof *edges);
}

static void check_cover(uint32_t domain)
{
    uint32_t sides = domain == SCH_TESS_QUADS ? 4 : 3, boundary = 0;
    int64_t sum = 0, one = SCH_TESS_ONE, whole = one * one * (domain == SCH_TESS_QUADS ? 2 : 1);
    for (uint32_t i = 0; i < plan.primitive_count; i++) {
        int64_t piece = triangle_area(&indices[3 * i]);
        assert_true(piece >= 0);
        sum += piece;
    }
    assert_true(sum == whole);
    for (uint32_t i = 0; i < sides; i++) boundary += plan.outer[i].segments;
    check_edges(boundary);
    for (uint32_t n = 0; n < 4; n++) {
        bool on_edge = false;
        int64_t u = draw((uint32_t)(64 * one)), v = draw((uint32_t)(64 * one));
        bool outside = domain == SCH_TESS_TRIANGLES && u + v > 64 * one;
        uint32_t found = triangles_at(u, v, &on_edge);
        if (!on_edge) assert_int_equal(found, !outside);
    }
}

static void test_cover(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 2 * 4 * 150; n++) {
        float outer[4], inner[2];
        bool small = draw(2);
        for (uint32_t i = 0; i < 4; i++) outer[i] = small ? draw_small() : draw_level();
        for (uint32_t i = 0; i < 2; i++) inner[i] = draw(3) ? draw_small() : draw_level();
        tessellate(1 + n % 2, n / 2 % 4, outer, inner);
        check_cover(1 + n % 2);
    }
}

/* ---- edges ---- */

/* The places along an edge, from its first corner on. */
static uint32_t edge_places(uint32_t domain, uint32_t side, uint32_t places[SCH_TESS_LEVEL + 1])
{
    uint32_t first = 0, count = plan.outer[side].segments, all = plan.outer[0].segments;
    for (uint32_t i = 0; i < side; i++) first += plan.outer[i].segments;
    for (uint32_t i = 1; i < (domain == SCH_TESS_QUADS ? 4 : 3); i++) all += plan.outer[i].segments;
    for (uint32_t i = 0; i <= count; i++) {
        const struct sch_tess_point *p = &points[(first + i) % all];
        uint32_t w = SCH_TESS_ONE - p->u - p->v;
        const uint32_t quad[4] = {SCH_TESS_ONE - p->v, p->u, p->v, SCH_TESS_ONE - p->u}, triangle[3] = {w, p->u, p->v};
        places[i] = domain == SCH_TESS_QUADS ? quad[side] : triangle[side];
    }
    return count;
}

/* D3D 11.7.13: an edge is what its level makes of it alone, the same on each side of each domain and as an isoline, and
 * the same from both ends. */
static void test_edges(void **state)
{
    (void)state;
    for (uint32_t spacing = 0; spacing < 4; spacing++)
        for (uint32_t step = 1; step <= STEPS; step++) {
            uint32_t line[SCH_TESS_LEVEL + 1], places[SCH_TESS_LEVEL + 1], side = draw(3), domain = 1 + draw(2);
            float outer[4] = {1, (float)step / 8, 1, 1}, inner[2] = {draw_level(), draw_level()};
            tessellate(SCH_TESS_ISOLINES, spacing, outer, inner);
            uint32_t count = plan.point_count - 1;
            for (uint32_t i = 0; i <= count; i++) line[i] = points[i].u;
            for (uint32_t i = 0; i <= count; i++) assert_int_equal(line[i], SCH_TESS_ONE - line[count - i]);
            for (uint32_t i = 0; i < count; i++) assert_true(line[i] < line[i + 1]);
            for (uint32_t i = 0; i < 4; i++) outer[i] = draw_level();
            outer[side] = (float)step / 8;
            tessellate(domain, spacing, outer, inner);
            if (outer[side] <= 1 && plan.primitive_count <= 2) continue;
            assert_int_equal(edge_places(domain, side, places), count);
            assert_memory_equal(places, line, (count + 1) * sizeof *line);
        }
}

/* ---- powers of two ---- */

static bool has_point(ref_place wanted)
{
    for (uint32_t i = 0; i < plan.point_count; i++)
        if (place_of(i) == wanted) return true;
    return false;
}

/* D3D 11.2, 11.7.7.1: points stay where they are from one power of two to the next; from 2 on all is as with fractional
 * even spacing; 1 is there, too. */
static void test_powers_of_two(void **state)
{
    static ref_place before[SCH_TESS_POINTS];
    uint32_t count = 0;
    (void)state;
    for (uint32_t domain = 0; domain < 3; domain++, count = 0)
        for (float level = 1; level <= SCH_TESS_LEVEL; level *= 2) {
            const float levels[4] = {level, level, level, level};
            tessellate(domain, SCH_TESS_POWER_OF_TWO, levels, levels);
            for (uint32_t i = 0; i < count; i++) assert_true(has_point(before[i]));
            count = plan.point_count;
            for (uint32_t i = 0; i < count; i++) before[i] = place_of(i);
            if (level < 2) continue;
            tessellate(domain, SCH_TESS_FRACTIONAL_EVEN, levels, levels);
            assert_int_equal(plan.point_count, count);
            for (uint32_t i = 0; i < count; i++) assert_true(place_of(i) == before[i]);
        }
}

/* ---- levels out of range, bounds, forms ---- */

static void test_discarded(void **state)
{
    static const float bad[] = {0, -0.0f, -1, -1e30f, -__builtin_inff(), __builtin_nanf("")};
    (void)state;
    for (uint32_t n = 0; n < 3 * 4 * 4 * 6; n++) {
        uint32_t domain = n % 3, side = n / 12 % 4, relevant = domain == 0 ? 2 : domain == 1 ? 3 : 4;
        float outer[4] = {3, 3, 3, 3}, inner[2] = {3, 3};
        outer[side] = bad[n / 48];
        tessellate(domain, n / 3 % 4, outer, inner);
        assert_int_equal(plan.primitive_count == 0, side < relevant);
        assert_int_equal(plan.point_count == 0, side < relevant);
    }
}

/* Inner levels discard nothing: what is not greater than the least one is that. */
static void test_inner_levels(void **state)
{
    static const float low[] = {0, -1, -__builtin_inff(), __builtin_nanf(""), 0x1p-149f};
    const float outer[4] = {5, 6, 7, 8}, one[2] = {1, 1}, most[2] = {64, 64};
    const float more[2] = {1e30f, __builtin_inff()};
    (void)state;
    for (uint32_t n = 0; n < 8; n++) {
        uint32_t domain = 1 + n % 2, spacing = n / 2;
        tessellate(domain, spacing, outer, one);
        uint32_t least = plan.primitive_count;
        for (uint32_t i = 0; i < 5; i++) {
            const float inner[2] = {low[i], low[i]};
            tessellate(domain, spacing, outer, inner);
            assert_int_equal(plan.primitive_count, least);
        }
        tessellate(domain, spacing, outer, most);
        uint32_t greatest = plan.primitive_count;
        tessellate(domain, spacing, outer, more);
        assert_int_equal(plan.primitive_count, greatest);
    }
}

static void test_bounds(void **state)
{
    const float most[4] = {64, 64, 64, 64};
    (void)state;
    tessellate(SCH_TESS_QUADS, SCH_TESS_EQUAL, most, most);
    assert_int_equal(plan.point_count, SCH_TESS_POINTS);
    assert_int_equal(plan.primitive_count * plan.corners, SCH_TESS_INDICES);
    tessellate(SCH_TESS_TRIANGLES, SCH_TESS_EQUAL, most, most);
    assert_int_equal(plan.point_count, 3 * (64 + 62 * 16) + 1);
    assert_int_equal(plan.primitive_count, 6 * 32 * 32);
    tessellate(SCH_TESS_ISOLINES, SCH_TESS_EQUAL, most, most);
    assert_int_equal(plan.point_count, 64 * 65);
    assert_int_equal(plan.primitive_count, 64 * 64);
}

/* Clockwise is the other two vertices exchanged; points are one primitive each, in order. */
static void test_forms(void **state)
{
    static uint16_t other[SCH_TESS_INDICES];
    const float outer[4] = {5, 6, 7, 8}, inner[2] = {5, 4};
    (void)state;
    for (uint32_t domain = 0; domain < 3; domain++) {
        struct sch_tess_mode mode = {(uint8_t)domain, SCH_TESS_EQUAL, true, false};
        struct sch_tess_plan form;
        tessellate(domain, SCH_TESS_EQUAL, outer, inner);
        sch_tessellate_plan(&mode, outer, inner, &form);
        sch_tessellate_primitives(&form, other);
        for (uint32_t i = 0; i < plan.primitive_count * plan.corners; i++) {
            uint32_t turned = domain && i % 3 ? i / 3 * 3 + 3 - i % 3 : i;
            assert_int_equal(other[i], indices[turned]);
        }
        mode.points = true;
        sch_tessellate_plan(&mode, outer, inner, &form);
        assert_int_equal(form.corners, 1);
        assert_int_equal(form.primitive_count, plan.point_count);
        memset(other, 0xff, sizeof other);
        sch_tessellate_primitives(&form, other);
        assert_int_equal(other[plan.point_count], 0xffff);
        for (uint32_t i = 0; i < plan.point_count; i++) assert_int_equal(other[i], i);
    }
}

/* Coordinates are the fixed-point ones exactly; those of triangles sum up to 1, others have w = 0. */
static void test_coordinates(void **state)
{
    const float outer[4] = {5, 6, 7, 8}, inner[2] = {5.5f, 4};
    (void)state;
    for (uint32_t domain = 0; domain < 3; domain++) {
        tessellate(domain, SCH_TESS_FRACTIONAL_ODD, outer, inner);
        for (uint32_t i = 0; i < plan.point_count; i++) {
            float at[3];
            sch_tessellate_coordinate(&plan, &points[i], at);
            assert_true(at[0] * 0x1p16f == (float)points[i].u && at[1] * 0x1p16f == (float)points[i].v);
            assert_true(domain == SCH_TESS_TRIANGLES ? at[0] + at[1] + at[2] == 1 : at[2] == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference), cmocka_unit_test(test_any_levels),   cmocka_unit_test(test_golden),
        cmocka_unit_test(test_cover),     cmocka_unit_test(test_edges),        cmocka_unit_test(test_powers_of_two),
        cmocka_unit_test(test_discarded), cmocka_unit_test(test_inner_levels), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_forms),     cmocka_unit_test(test_coordinates),
    };
    return cmocka_run_group_tests_name("tessellate", tests, NULL, NULL);
}
