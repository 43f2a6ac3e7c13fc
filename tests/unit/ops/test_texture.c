/* The texture unit's lookups against a scalar reference that was written from docs/texture.md alone
 * (texture_reference.c), at every level of src/ops, bit by bit. The lookups are random (texture_lookups.c), half of
 * them within two floats of a place where the answer changes; tables count what was asked. Without arguments a test of
 * 10^5 lookups or more; --count N: of N or more; FORMAT OPERATION SEED: one group again. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/texture_lookups.h"
#include "ops/ops.h"

enum { MAX_FORMATS = 420, LEAST_VISITS = 100, MAX_PRINTED = 10 };

struct cell {
    unsigned visits;
    uint32_t first[4];
    bool varies;
};

static struct cell by_format[MAX_FORMATS][ASK_COUNT], by_wrap[8][2];
static unsigned differences[ASK_COUNT], printed, near_count, lookup_count;
static unsigned lookup_goal = 100000;

static void visit(struct cell *cell, const uint32_t answer[4])
{
    if (!cell->visits++) memcpy(cell->first, answer, sizeof cell->first);
    cell->varies = cell->varies || memcmp(cell->first, answer, sizeof cell->first) != 0;
}

static bool full(const struct cell *cell) { return cell->visits >= LEAST_VISITS && cell->varies; }

static void report(const struct group *g, unsigned lane, const char *level, const uint32_t expected[4],
                   const struct sch_lanes got[4])
{
    differences[g->operation]++;
    if (printed++ >= MAX_PRINTED) return;
    printf("# %s differs:", level);
    for (unsigned c = 0; c < 4; c++) printf(" %08" PRIx32, got[c].u[lane]);
    printf(", expected");
    for (unsigned c = 0; c < 4; c++) printf(" %08" PRIx32, expected[c]);
    printf("\n");
    group_print(g, lane);
}

static void check_lane(const struct group *g, unsigned lane, const struct sch_ops *const *levels, unsigned count,
                       const struct sch_lanes got[][4], uint32_t expected[4])
{
    group_reference(g, lane, expected);
    for (unsigned n = 0; n < count; n++) {
        bool same = true;
        for (unsigned c = 0; c < 4; c++) same = same && got[n][c].u[lane] == expected[c];
        if (same) continue;
        report(g, lane, levels[n]->name, expected, got[n]);
        return;
    }
}

static void check_group(unsigned format, const struct ref_format *row, enum operation operation, uint64_t seed)
{
    static struct group g;
    static struct sch_lanes got[16][4];
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    assert_true(count <= 16);
    group_make(&g, row, operation, seed);
    for (unsigned n = 0; n < count; n++) group_run(&g, levels[n], got[n]);
    assert_true(group_guards_hold(&g));
    bool filtered = operation <= ASK_LINEAR && g.key.min_linear == g.key.mag_linear &&
                    g.key.target != SCH_TARGET_CUBE && g.key.target != SCH_TARGET_CUBE_ARRAY &&
                    !ref_format_is_integer(row) && !row->stencil;
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
        uint32_t expected[4];
        check_lane(&g, lane, levels, count, (const struct sch_lanes(*)[4])got, expected);
        if (!g.mask.u[lane]) continue;
        lookup_count++;
        near_count += g.near[lane];
        visit(&by_format[format][operation], expected);
        if (filtered) visit(&by_wrap[g.key.wrap[0]][g.key.min_linear], expected);
    }
    group_release(&g);
}

static void print_tables(const struct ref_format *formats, unsigned count)
{
    static const char *const wraps[8] = {
        "repeat",        "clamp",        "clamp_to_edge",        "clamp_to_border",
        "mirror_repeat", "mirror_clamp", "mirror_clamp_to_edge", "mirror_clamp_to_border"};
    printf("# visits: format x operation (- has no meaning of its own)\n# %-24s", "");
    for (unsigned o = 0; o < ASK_COUNT; o++) printf(" %s", operation_names[o]);
    printf("\n");
    for (unsigned f = 0; f < count; f++) {
        printf("# %-24s", formats[f].name);
        for (unsigned o = 0; o < ASK_COUNT; o++) {
            if (group_is_legal(&formats[f], o))
                printf(" %*u", (int)strlen(operation_names[o]), by_format[f][o].visits);
            else
                printf(" %*s", (int)strlen(operation_names[o]), "-");
        }
        printf("\n");
    }
    printf("# visits: wrap x filter\n");
    for (unsigned w = 0; w < 8; w++)
        printf("# %-24s nearest %7u  linear %7u\n", wraps[w], by_wrap[w][0].visits, by_wrap[w][1].visits);
    printf("# %u lookups, %u near a boundary\n", lookup_count, near_count);
}

/* Rounds over the legal cells until the goal is reached and each cell is full; each is asked for at least four
 * times. */
static void matches_the_reference(void **unused)
{
    (void)unused;
    unsigned count;
    const struct ref_format *formats = ref_formats(&count);
    assert_true(count > 250 && count <= MAX_FORMATS);
    uint64_t seed = 4;
    for (unsigned round = 0; round < 4 || lookup_count < lookup_goal; round++)
        for (unsigned f = 0; f < count; f++)
            for (unsigned o = 0; o < ASK_COUNT; o++)
                if (group_is_legal(&formats[f], o)) check_group(f, &formats[f], o, seed++);
    for (unsigned f = 0; f < count; f++)
        for (unsigned o = 0; o < ASK_COUNT; o++)
            for (unsigned i = 0; i < 20 && group_is_legal(&formats[f], o) && !full(&by_format[f][o]); i++)
                check_group(f, &formats[f], o, seed++);
    print_tables(formats, count);
    for (unsigned o = 0; o < ASK_COUNT; o++)
        if (differences[o]) printf("# %s: %u lanes differ\n", operation_names[o], differences[o]);
    for (unsigned o = 0; o < ASK_COUNT; o++) assert_int_equal(differences[o], 0);
    for (unsigned f = 0; f < count; f++)
        for (unsigned o = 0; o < ASK_COUNT; o++)
            if (group_is_legal(&formats[f], o) && !full(&by_format[f][o]))
                fail_msg("%s, %s: %u visits, all alike: %d", formats[f].name, operation_names[o],
                         by_format[f][o].visits, !by_format[f][o].varies);
    for (unsigned w = 0; w < 16; w++) assert_true(full(&by_wrap[w / 2][w % 2]));
    assert_true(2 * near_count >= lookup_count);
}

/* What the reference relies on: no float is so near to 2^((2k + 1) / 128 / 2) that extended precision could take the
 * wrong side. The thresholds of all binades are these, shifted. */
static void steps_of_the_lod_are_far_from_floats(void **unused)
{
    (void)unused;
    for (unsigned k = 0; k < 128; k++) {
        long double step = exp2l((2.0L * k + 1) / 256.0L), nearest = (long double)(float)step;
        assert_true(fabsl(step - nearest) > 0x1p-48L);
    }
}

static const struct sch_texture unbound = {0};

static void answers_zero_without_a_view(void **unused)
{
    (void)unused;
    static struct group g;
    static struct sch_lanes got[4];
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned o = 0; o < ASK_COUNT; o++)
        for (unsigned n = 0; n < count; n++) {
            group_make(&g, ref_format_of(SCH_FORMAT_R8G8B8A8_UNORM), o, 77 + n);
            g.texture = unbound;
            memset(got, 0xff, sizeof got);
            group_run(&g, levels[n], got);
            for (unsigned c = 0; c < 4; c++)
                for (unsigned i = 0; i < SCH_GROUP_LANES; i++) assert_int_equal(got[c].u[i], 0);
            group_release(&g);
        }
}

static int again(const char *format, const char *operation, const char *seed)
{
    unsigned count;
    const struct ref_format *formats = ref_formats(&count);
    for (unsigned f = 0; f < count; f++)
        for (unsigned o = 0; o < ASK_COUNT; o++)
            if (!strcmp(formats[f].name, format) && !strcmp(operation_names[o], operation)) {
                check_group(f, &formats[f], o, strtoull(seed, NULL, 10));
                printf("# %u lanes differ\n", differences[o]);
                return differences[o] != 0;
            }
    return 2;
}

int main(int argc, char **argv)
{
    if (argc == 4) return again(argv[1], argv[2], argv[3]);
    if (argc == 3 && !strcmp(argv[1], "--count")) lookup_goal = (unsigned)strtoul(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_the_lod_are_far_from_floats),
        cmocka_unit_test(answers_zero_without_a_view),
        cmocka_unit_test(matches_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
