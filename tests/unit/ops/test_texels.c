/* Rows of texels as what moves them without a shader reads, writes and reduces them (src/ops/texture/transfer.c): every
 * format that is written, at every level, against texel_reference.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/random_number.h"
#include "../support/texel_reference.h"
#include "ops/ops.h"

enum { WIDTH = 40, LANES = SCH_GROUP_LANES };

static uint64_t seed = 11;

static uint32_t next(void) { return (uint32_t)(random_number(&seed) >> 32); }

/* A row of memory of the exact size, so that a checker sees any access outside. */
static uint8_t *make_row(const struct ref_row *row, uint32_t width)
{
    uint32_t bytes = (width + row->width - 1) / row->width * row->bytes;
    uint8_t *texels = malloc(bytes);
    assert_non_null(texels);
    for (uint32_t i = 0; i < bytes; i++) texels[i] = (uint8_t)(next() % 4 ? next() : next() % 2 ? 255 : 0);
    return texels;
}

/* How many texels of a group there are: often all. */
static uint32_t any_count(void) { return next() % 3 ? LANES : 1 + next() % LANES; }

static void any_texels(struct sch_lanes *x, uint32_t width)
{
    for (unsigned i = 0; i < LANES; i++) x->u[i] = next() % width;
}

static void texels_are_read(void **state)
{
    (void)state;
    unsigned rows, levels, formats = 0;
    const struct ref_row *row;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    rows = ref_rows(&row);
    for (unsigned r = 0; r < rows; r++, row++) {
        if (!row->read) continue;
        formats++;
        for (unsigned l = 0; l < levels; l++) {
            uint8_t *texels = make_row(row, WIDTH);
            const uint32_t count = any_count();
            struct sch_lanes got[4], lanes;
            struct sch_lanes *const to[4] = {&got[0], &got[1], &got[2], &got[3]};
            any_texels(&lanes, WIDTH);
            const struct sch_texel_row from = {.texels = texels, .x = &lanes, .count = count};
            ops[l]->texels_read(row->number, &from, to);
            for (unsigned i = 0; i < count; i++) {
                uint32_t value[4], x = lanes.u[i];
                ref_components(row, texels + x / row->width * row->bytes, x, value);
                for (unsigned c = 0; c < 4; c++)
                    if (got[c].u[i] != value[c])
                        fail_msg("%s, %s: component %u of texel %u is %08x, not %08x", row->name, ops[l]->name, c, x,
                                 got[c].u[i], value[c]);
            }
            free(texels);
        }
    }
    assert_true(formats > 200);
}

/* A component to write: floats in and out of range, NaN, integers. */
static uint32_t any_component(const struct ref_row *row, unsigned component)
{
    bool integer = ref_is_depth(row) ? component == 1 : strstr(row->name, "UINT") || strstr(row->name, "SINT");
    if (integer) return next() >> next() % 32;
    switch (next() % 8) {
    case 0:
        return next();
    case 1:
        return ref_word((float)(int32_t)next());
    case 2:
        return 0x7fc00000u;
    default:
        return ref_word((float)(int32_t)next() / 0x1.8p31f + 0.25f);
    }
}

static void write_row(const struct ref_row *row, const struct sch_ops *ops, unsigned components)
{
    uint8_t *texels = make_row(row, WIDTH), *before = malloc((size_t)WIDTH * row->bytes);
    const uint32_t count = any_count(), first = next() % (WIDTH - count + 1);
    struct sch_lanes value[4];
    const struct sch_lanes *const from[4] = {&value[0], &value[1], &value[2], &value[3]};
    assert_non_null(before);
    memcpy(before, texels, (size_t)WIDTH * row->bytes);
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned c = 0; c < 4; c++) value[c].u[i] = any_component(row, c);
    ops->texels_write(row->number, components, texels + (size_t)first * row->bytes, count, from);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t words[4] = {value[0].u[i], value[1].u[i], value[2].u[i], value[3].u[i]};
        ref_write(row, components, words, before + (size_t)(first + i) * row->bytes);
    }
    if (memcmp(texels, before, (size_t)WIDTH * row->bytes))
        fail_msg("%s, %s: components %x are written wrong", row->name, ops->name, components);
    free(texels);
    free(before);
}

static void texels_are_written_in_part(void **state)
{
    (void)state;
    unsigned rows, levels, formats = 0;
    const struct ref_row *row;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    rows = ref_rows(&row);
    for (unsigned r = 0; r < rows; r++, row++) {
        if (!ref_is_written(row)) continue;
        formats++;
        for (unsigned l = 0; l < levels; l++)
            for (unsigned n = 0; n < 4; n++) write_row(row, ops[l], n ? next() % 16 : 15);
    }
    assert_true(formats > 200);
}

/* ---- means ---- */

/* Columns and rows of one mean, and what each counts. */
struct plan {
    struct sch_lanes x[SCH_MEAN_COLUMNS], weight[SCH_MEAN_COLUMNS];
    uint8_t *row[SCH_MEAN_ROWS];
    int64_t row_weight[SCH_MEAN_ROWS];
    unsigned columns, rows;
    int64_t total;
};

enum kind { BOX, SAMPLES, ROW_OF_SAMPLES, QUADS, HUGE_WEIGHTS, NEAR_TIES, KINDS };

/* Two neighbouring codes whose mean is a tie, or 1/2 of a total beside it that is so large that no float tells, or as
 * large as totals with sums of 32 bits are. */
static void plan_near_tie(struct plan *plan, const struct ref_row *row)
{
    static const int64_t totals[] = {(int64_t)1 << 41, ((int64_t)1 << 41) + 1, 1 << 15, (1 << 15) - 1, (1 << 16) + 1};
    const int64_t total = totals[next() % 5];
    plan->columns = 1;
    plan->rows = 2;
    plan->total = total;
    plan->row_weight[1] = total / 2 + (int64_t)(next() % 3) - 1;
    plan->row_weight[0] = total - plan->row_weight[1];
    for (unsigned r = 0; r < 2; r++) plan->row[r] = make_row(row, WIDTH);
    for (unsigned c = 0; c < row->channels; c++) {
        const uint32_t code = next() % (uint32_t)(((uint64_t)1 << row->channel[c].bits) - 1);
        for (unsigned x = 0; x < WIDTH; x++)
            for (unsigned r = 0; r < 2; r++) ref_put_channel(row, plan->row[r] + (size_t)x * row->bytes, c, code + r);
    }
    for (unsigned i = 0; i < LANES; i++) {
        plan->x[0].u[i] = i;
        plan->weight[0].u[i] = 1;
    }
}

/* All texels count once: samples, at places side by side or anywhere, or two columns and rows. */
static void plan_equal(struct plan *plan, const struct ref_row *row, enum kind kind)
{
    const unsigned begin = next() % (WIDTH - LANES + 1);
    plan->columns = kind == QUADS ? 2 : 1;
    plan->rows = kind == QUADS ? 2 : 1u << next() % 5;
    plan->total = plan->columns * plan->rows;
    for (unsigned r = 0; r < plan->rows; r++) {
        plan->row[r] = make_row(row, WIDTH);
        plan->row_weight[r] = 1;
    }
    for (unsigned i = 0; i < LANES * plan->columns; i++) {
        struct sch_lanes *x = &plan->x[i / LANES];
        x->u[i % LANES] = kind == ROW_OF_SAMPLES ? begin + i : next() % WIDTH;
        plan->weight[i / LANES].u[i % LANES] = 1;
    }
}

/* A box's weights as of an axis of `total` texels; each lane its own, with the same sum. */
static void plan_mean(struct plan *plan, const struct ref_row *row, enum kind kind)
{
    if (kind == NEAR_TIES) {
        plan_near_tie(plan, row);
        return;
    }
    if (kind >= SAMPLES && kind <= QUADS) {
        plan_equal(plan, row, kind);
        return;
    }
    plan->columns = 1 + next() % SCH_MEAN_COLUMNS;
    plan->rows = 1 + next() % 9;
    uint32_t across = kind == BOX ? 3 + 2 * (next() % 9) : 16383;
    int64_t down = 0;
    for (unsigned r = 0; r < plan->rows; r++) {
        plan->row[r] = make_row(row, WIDTH);
        plan->row_weight[r] = kind == BOX ? 1 + next() % 5 : 1 + next() % (1 << 24);
        down += plan->row_weight[r];
    }
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t left = across;
        for (unsigned c = 0; c < plan->columns; c++) {
            uint32_t part = c + 1 == plan->columns ? left : next() % (left + 1);
            plan->x[c].u[i] = next() % WIDTH;
            plan->weight[c].u[i] = part;
            left -= part;
        }
    }
    plan->total = across * down;
}

static void check_mean(const struct ref_row *row, const struct sch_ops *ops, enum kind kind, unsigned components)
{
    struct plan plan;
    plan_mean(&plan, row, kind);
    uint8_t *texels = make_row(row, WIDTH), *before = malloc((size_t)WIDTH * row->bytes);
    assert_non_null(before);
    memcpy(before, texels, (size_t)WIDTH * row->bytes);
    const uint32_t count = any_count(), first_texel = next() % (WIDTH - count + 1);
    struct sch_mean mean = {.columns = plan.columns, .rows = plan.rows, .total = plan.total};
    for (unsigned c = 0; c < plan.columns; c++) {
        mean.x[c] = &plan.x[c];
        mean.weight[c] = &plan.weight[c];
    }
    for (unsigned r = 0; r < plan.rows; r++) {
        mean.row[r].texels = plan.row[r];
        mean.row[r].weight = plan.row_weight[r];
    }
    ops->texels_mean(row->number, components, &mean, texels + (size_t)first_texel * row->bytes, count);
    for (unsigned i = 0; i < count; i++) {
        struct ref_mean expected = {.columns = plan.columns, .rows = plan.rows};
        for (unsigned c = 0; c < plan.columns; c++) expected.column_weight[c] = plan.weight[c].u[i];
        for (unsigned r = 0; r < plan.rows; r++) {
            expected.row_weight[r] = plan.row_weight[r];
            for (unsigned c = 0; c < plan.columns; c++)
                expected.texel[r][c] = plan.row[r] + (size_t)plan.x[c].u[i] * row->bytes;
        }
        ref_write_mean(row, components, &expected, before + (size_t)(first_texel + i) * row->bytes);
    }
    if (memcmp(texels, before, (size_t)WIDTH * row->bytes))
        fail_msg("%s, %s: a mean of %u times %u texels is wrong", row->name, ops->name, plan.columns, plan.rows);
    for (unsigned r = 0; r < plan.rows; r++) free(plan.row[r]);
    free(texels);
    free(before);
}

static void means_are_exact(void **state)
{
    (void)state;
    unsigned rows, levels, formats = 0;
    const struct ref_row *row;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    rows = ref_rows(&row);
    for (unsigned r = 0; r < rows; r++, row++) {
        if (!ref_has_means(row)) continue;
        formats++;
        for (unsigned l = 0; l < levels; l++)
            for (unsigned kind = 0; kind < KINDS; kind++)
                for (unsigned n = 0; n < 3; n++) check_mean(row, ops[l], (enum kind)kind, n ? 15 : next() % 16);
    }
    assert_true(formats > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texels_are_read),
        cmocka_unit_test(texels_are_written_in_part),
        cmocka_unit_test(means_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
