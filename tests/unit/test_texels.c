/* Rows of texels as what moves them without a shader reads, writes and reduces them (src/ops/texture/transfer.c): every format
 * that is written, at every level, against format_reference.c and sums in whole numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format_reference.h"
#include "ops/ops.h"

__extension__ typedef __int128 wide;

enum { WIDTH = 40, LANES = SCH_GROUP_LANES, BYTES = 16 };

static uint64_t seed = 11;

static uint32_t next(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return isnan(f) ? 0x7fc00000u : u;
}

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static bool is_depth(const struct ref_row *row) { return strcmp(row->space, "ZS") == 0; }

/* Formats that texels are written in: those of stores, and depth and stencil. */
static bool is_written(const struct ref_row *row) { return row->stored || (row->read && is_depth(row)); }

/* A row of memory of the exact size, so that a checker sees any access outside. */
static uint8_t *make_row(const struct ref_row *row, uint32_t width)
{
    uint32_t bytes = (width + row->width - 1) / row->width * row->bytes;
    uint8_t *texels = malloc(bytes);
    assert_non_null(texels);
    for (uint32_t i = 0; i < bytes; i++) texels[i] = (uint8_t)(next() % 4 ? next() : next() % 2 ? 255 : 0);
    return texels;
}

/* Lanes with any texels of a row, most of them on the mask. */
struct lanes {
    struct sch_lanes x, mask;
};
static void any_lanes(struct lanes *lanes, uint32_t width)
{
    for (unsigned i = 0; i < LANES; i++) {
        lanes->x.u[i] = next() % width;
        lanes->mask.u[i] = next() % 8 ? UINT32_MAX : 0;
    }
}

/* Lanes that write: no texel twice. */
static void own_lanes(struct lanes *lanes)
{
    any_lanes(lanes, WIDTH);
    for (unsigned i = 0; i < LANES; i++) lanes->x.u[i] = (i * 7 + 3) % WIDTH; /* 7 and 40 have no common divisor */
}

static uint32_t channel_at(const struct ref_row *row, const uint8_t *block, unsigned channel)
{
    return ref_bits_at(block, row->channel[channel].offset, row->channel[channel].bits);
}

static void put_channel(const struct ref_row *row, uint8_t *block, unsigned channel, uint32_t code)
{
    for (unsigned b = 0; b < row->channel[channel].bits; b++) {
        unsigned at = row->channel[channel].offset + b;
        block[at / 8] = (uint8_t)((block[at / 8] & ~(1u << at % 8)) | (code >> b & 1u) << at % 8);
    }
}

/* What reads give: components; of depth and stencil formats both, each through the channel that its letter names. */
static void expected_components(const struct ref_row *row, const uint8_t *block, unsigned x, uint32_t value[4])
{
    ref_texel_decode(row, SCH_RULES_TGSI, block, x, value);
    if (!is_depth(row)) return;
    const char *depth = strchr("xyzw", row->swizzle[0]), *stencil = strchr("xyzw", row->swizzle[1]);
    value[0] = depth && row->swizzle[0] != '_' ? value[0] : 0;
    value[1] = stencil && row->swizzle[1] != '_' ? channel_at(row, block, (unsigned)(stencil - "xyzw")) : 0;
    value[2] = value[3] = 0;
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
            struct lanes lanes;
            struct sch_lanes got[4];
            struct sch_lanes *const to[4] = {&got[0], &got[1], &got[2], &got[3]};
            any_lanes(&lanes, WIDTH);
            const struct sch_texel_row from = {texels, &lanes.x, &lanes.mask};
            ops[l]->texels_read(row->number, &from, to);
            for (unsigned i = 0; i < LANES; i++) {
                uint32_t value[4], x = lanes.x.u[i];
                if (!lanes.mask.u[i]) continue;
                expected_components(row, texels + x / row->width * row->bytes, x, value);
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
    bool integer = is_depth(row) ? component == 1 : strstr(row->name, "UINT") || strstr(row->name, "SINT");
    if (integer) return next() >> next() % 32;
    switch (next() % 8) {
    case 0:
        return next();
    case 1:
        return bits_of((float)(int32_t)next());
    case 2:
        return 0x7fc00000u;
    default:
        return bits_of((float)(int32_t)next() / 0x1.8p31f + 0.25f);
    }
}

/* The texel after a write of some components: channels of others keep their bits, and bits of no channel are 0. */
static void expected_block(const struct ref_row *row, unsigned components, const uint32_t value[4], const uint8_t *old,
                           uint8_t block[BYTES])
{
    uint32_t all[4];
    memcpy(all, value, sizeof all);
    if (strcmp(row->name, "R9G9B9E5_FLOAT") == 0) {
        uint32_t before[4];
        ref_texel_decode(row, SCH_RULES_TGSI, old, 0, before);
        for (unsigned c = 0; c < 3; c++)
            if (!(components >> c & 1)) all[c] = before[c];
        ref_texel_encode(row, SCH_RULES_TGSI, all, block);
        return;
    }
    ref_texel_encode(row, SCH_RULES_TGSI, all, block);
    for (unsigned i = 0; i < row->channels; i++) {
        const char *from = strchr(row->swizzle, "xyzw"[i]);
        if (!from || row->channel[i].type[0] == 'x' || components >> (from - row->swizzle) & 1) continue;
        put_channel(row, block, i, channel_at(row, old, i));
    }
}

static void write_row(const struct ref_row *row, const struct sch_ops *ops, unsigned components)
{
    uint8_t *texels = make_row(row, WIDTH), *before = malloc((size_t)WIDTH * row->bytes);
    struct lanes lanes;
    struct sch_lanes value[4];
    const struct sch_lanes *const from[4] = {&value[0], &value[1], &value[2], &value[3]};
    assert_non_null(before);
    memcpy(before, texels, (size_t)WIDTH * row->bytes);
    own_lanes(&lanes);
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned c = 0; c < 4; c++) value[c].u[i] = any_component(row, c);
    const struct sch_texel_row to = {texels, &lanes.x, &lanes.mask};
    ops->texels_write(row->number, components, &to, from);
    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t words[4] = {value[0].u[i], value[1].u[i], value[2].u[i], value[3].u[i]};
        uint8_t *old = before + (size_t)lanes.x.u[i] * row->bytes, block[BYTES];
        if (!lanes.mask.u[i]) continue;
        expected_block(row, components, words, old, block);
        memcpy(old, block, row->bytes);
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
        if (!is_written(row)) continue;
        formats++;
        for (unsigned l = 0; l < levels; l++)
            for (unsigned n = 0; n < 4; n++) write_row(row, ops[l], n ? next() % 16 : 15);
    }
    assert_true(formats > 200);
}

/* ---- means ---- */

/* Columns and rows of one mean, and what each counts. */
struct plan {
    struct lanes lanes;
    struct sch_lanes x[SCH_MEAN_COLUMNS], weight[SCH_MEAN_COLUMNS];
    uint8_t *row[SCH_MEAN_ROWS];
    int64_t row_weight[SCH_MEAN_ROWS];
    unsigned columns, rows;
    int64_t total;
};

enum kind { BOX, SAMPLES, HUGE_WEIGHTS, NEAR_TIES, KINDS };

/* Two neighbouring codes whose mean is a tie, or 1/2 of so large a total beside it that no float tells. */
static void plan_near_tie(struct plan *plan, const struct ref_row *row)
{
    const int64_t total = ((int64_t)1 << 41) + next() % 2;
    plan->columns = 1;
    plan->rows = 2;
    plan->total = total;
    plan->row_weight[1] = total / 2 + (int64_t)(next() % 3) - 1;
    plan->row_weight[0] = total - plan->row_weight[1];
    for (unsigned r = 0; r < 2; r++) plan->row[r] = make_row(row, WIDTH);
    for (unsigned c = 0; c < row->channels; c++) {
        const uint32_t code = next() % (uint32_t)(((uint64_t)1 << row->channel[c].bits) - 1);
        for (unsigned x = 0; x < WIDTH; x++)
            for (unsigned r = 0; r < 2; r++) put_channel(row, plan->row[r] + (size_t)x * row->bytes, c, code + r);
    }
    for (unsigned i = 0; i < LANES; i++) {
        plan->x[0].u[i] = i;
        plan->weight[0].u[i] = 1;
    }
}

/* A box's weights as of an axis of `total` texels; each lane its own, with the same sum. */
static void plan_mean(struct plan *plan, const struct ref_row *row, enum kind kind)
{
    own_lanes(&plan->lanes);
    if (kind == NEAR_TIES) {
        plan_near_tie(plan, row);
        return;
    }
    plan->columns = kind == SAMPLES ? 1 : 1 + next() % SCH_MEAN_COLUMNS;
    plan->rows = kind == SAMPLES ? 1u << next() % 5 : 1 + next() % 9;
    uint32_t across = kind == SAMPLES ? 1 : kind == BOX ? 3 + 2 * (next() % 9) : 16383;
    int64_t down = 0;
    for (unsigned r = 0; r < plan->rows; r++) {
        plan->row[r] = make_row(row, WIDTH);
        plan->row_weight[r] = kind == SAMPLES ? 1 : kind == BOX ? 1 + next() % 5 : 1 + next() % (1 << 24);
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

/* The mean of a channel's codes: to the nearest code, ties to even; SNORM's least code counts as the next. */
static uint32_t mean_code(const struct ref_row *row, const struct plan *plan, unsigned lane, unsigned channel)
{
    wide sum = 0;
    bool is_signed = row->channel[channel].type[0] == 's';
    unsigned bits = row->channel[channel].bits;
    for (unsigned r = 0; r < plan->rows; r++)
        for (unsigned c = 0; c < plan->columns; c++) {
            int64_t code = channel_at(row, plan->row[r] + (size_t)plan->x[c].u[lane] * row->bytes, channel);
            if (is_signed && code >> (bits - 1)) code -= (int64_t)1 << bits;
            if (is_signed && code == -((int64_t)1 << (bits - 1))) code++;
            sum += (wide)code * plan->weight[c].u[lane] * plan->row_weight[r];
        }
    bool negative = sum < 0;
    wide magnitude = negative ? -sum : sum, total = plan->total, code = magnitude / total, rest = magnitude % total * 2;
    if (rest > total || (rest == total && code % 2)) code++;
    return (uint32_t)(int32_t)(negative ? -code : code);
}

/* Of components: rows of columns in binary64, in their order. */
static uint32_t mean_component(const struct ref_row *row, const struct plan *plan, unsigned lane, unsigned component)
{
    double sum = 0;
    for (unsigned r = 0; r < plan->rows; r++) {
        double line = 0;
        for (unsigned c = 0; c < plan->columns; c++) {
            uint32_t value[4];
            expected_components(row, plan->row[r] + (size_t)plan->x[c].u[lane] * row->bytes, 0, value);
            line += (double)float_of(value[component]) * (double)plan->weight[c].u[lane];
        }
        sum += line * (double)plan->row_weight[r];
    }
    return bits_of((float)(sum / (double)plan->total));
}

static bool is_exact(const struct ref_row *row)
{
    const char *type = NULL;
    if (strcmp(row->space, "SRGB") == 0 || strcmp(row->layout, "PLAIN")) return false;
    for (unsigned i = 0; i < row->channels; i++) {
        const struct ref_channel_text *channel = &row->channel[i];
        if (channel->type[0] == 'x') continue;
        if (channel->bits > 16 || channel->type[1] != 'n' || (type && strcmp(type, channel->type))) return false;
        type = channel->type;
    }
    return true;
}

static bool has_means(const struct ref_row *row)
{
    for (unsigned i = 0; i < row->channels; i++)
        if (row->channel[i].type[1] == 'p') return false;
    return is_written(row);
}

static void check_mean(const struct ref_row *row, const struct sch_ops *ops, enum kind kind, unsigned components)
{
    struct plan plan;
    plan_mean(&plan, row, kind);
    uint8_t *texels = make_row(row, WIDTH), *before = malloc((size_t)WIDTH * row->bytes);
    assert_non_null(before);
    memcpy(before, texels, (size_t)WIDTH * row->bytes);
    const struct sch_texel_row to = {texels, &plan.lanes.x, &plan.lanes.mask};
    struct sch_mean mean = {.columns = plan.columns, .rows = plan.rows, .total = plan.total, .mask = &plan.lanes.mask};
    for (unsigned c = 0; c < plan.columns; c++) {
        mean.x[c] = &plan.x[c];
        mean.weight[c] = &plan.weight[c];
    }
    for (unsigned r = 0; r < plan.rows; r++) {
        mean.row[r].texels = plan.row[r];
        mean.row[r].weight = plan.row_weight[r];
    }
    ops->texels_mean(row->number, components, &mean, &to);
    for (unsigned i = 0; i < LANES; i++) {
        uint8_t *old = before + (size_t)plan.lanes.x.u[i] * row->bytes, block[BYTES] = {0};
        uint32_t value[4];
        if (!plan.lanes.mask.u[i]) continue;
        if (is_exact(row)) {
            expected_block(row, components, (uint32_t[4]){0}, old, block);
            for (unsigned c = 0; c < row->channels; c++) {
                const char *from = strchr(row->swizzle, "xyzw"[c]);
                if (row->channel[c].type[0] == 'x' || !(components >> (from - row->swizzle) & 1)) continue;
                put_channel(row, block, c, mean_code(row, &plan, i, c));
            }
        } else {
            for (unsigned c = 0; c < 4; c++) value[c] = mean_component(row, &plan, i, c);
            expected_block(row, components, value, old, block);
        }
        memcpy(old, block, row->bytes);
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
        if (!has_means(row)) continue;
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
