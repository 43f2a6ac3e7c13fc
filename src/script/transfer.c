/* Lines of [test] that write a resource without a shader: clear and copy. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* A channel's bits for a number; integers are cut off and clamped. */
static uint32_t channel_bits(enum sch_script_number number, float value)
{
    uint32_t bits;
    if (number == SCH_SCRIPT_FLOAT) {
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    if (!(value > -2147483648.0f) || value != value)
        return number == SCH_SCRIPT_SINT && value == value ? 0x80000000u : 0;
    if (number == SCH_SCRIPT_SINT) return value >= 2147483648.0f ? 0x7fffffffu : (uint32_t)(int32_t)value;
    if (value <= 0) return 0;
    return value >= 4294967296.0f ? UINT32_MAX : (uint32_t)value;
}

/* What colours of a format of the tables are; depth is no integer. */
static enum sch_script_number number_of(int format)
{
    struct sch_format_info is = {.size = sizeof is};
    if (sch_format_get_info((enum sch_format)format, &is) != SCH_OK || !is.integers) return SCH_SCRIPT_FLOAT;
    return is.is_signed ? SCH_SCRIPT_SINT : SCH_SCRIPT_UINT;
}

/* Of integers the number is meant, not the bits of a float. */
static void clear_texels(struct sch_script_run *run, struct sch_script_live *live, const float values[4])
{
    const struct sch_script_resource *shape = live->shape;
    const enum sch_script_number number = number_of(shape->format);
    uint32_t(*colors)[4] = calloc(shape->width, sizeof *colors), (*places)[2] = calloc(shape->width, sizeof *places);
    for (uint32_t x = 0; colors && places && x < shape->width; x++)
        for (unsigned c = 0; c < 4; c++) colors[x][c] = channel_bits(number, values[c]);
    for (uint32_t y = 0; colors && places && y < shape->height && run->stop == SCH_OK; y++) {
        for (uint32_t x = 0; x < shape->width; x++) {
            places[x][0] = x;
            places[x][1] = y;
        }
        sch_script_texels_put(run, live, shape->width, places[0], colors[0]);
    }
    if (!colors || !places) sch_script_memory(run);
    free(colors);
    free(places);
    sch_script_pull(run);
}

void sch_script_clear(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct sch_script_live *live = sch_script_find(run, item->clear.slot);
    if (!live) {
        sch_script_fail(run, item, "there is no such resource to clear");
        return;
    }
    if (live->shape->format) {
        clear_texels(run, live, item->clear.values);
        live->stale[0] = 0;
        return;
    }
    uint32_t words[4];
    for (unsigned i = 0; i < 4; i++) words[i] = channel_bits(live->shape->number, item->clear.values[i]);
    size_t texel = (size_t)live->shape->channels * 4;
    for (size_t at = 0; at + texel <= live->size; at += texel) memcpy(live->bytes + at, words, texel);
    sch_script_push(run, live);
    live->stale[0] = 0;
}

void sch_script_copy(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct sch_script_live *from = sch_script_find(run, item->copy.from), *to = sch_script_find(run, item->copy.to);
    if (!from || !to) {
        sch_script_fail(run, item, "there is no such resource to copy");
        return;
    }
    const struct sch_script_resource *a = from->shape, *b = to->shape;
    bool same = from->size == to->size && a->width == b->width && a->height == b->height && a->depth == b->depth &&
                a->layers == b->layers && a->levels == b->levels && a->samples == b->samples &&
                a->channels == b->channels && a->format == b->format &&
                sch_script_is_buffer(a) == sch_script_is_buffer(b);
    if (!same) {
        sch_script_fail(run, item, "resources of different shapes cannot be copied");
        return;
    }
    memcpy(to->bytes, from->bytes, to->size);
    memcpy(to->stale, from->stale, sizeof to->stale);
    sch_script_push(run, to);
}
