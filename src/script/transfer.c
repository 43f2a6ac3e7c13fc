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

/* What colours of a format of the tables are. */
static enum sch_script_number number_of(int format)
{
    struct sch_format_info is = {.size = sizeof is};
    if (sch_format_get_info((enum sch_format)format, &is) != SCH_OK || !is.integers) return SCH_SCRIPT_FLOAT;
    return is.is_signed ? SCH_SCRIPT_SINT : SCH_SCRIPT_UINT;
}

/* All layers and samples of level 0. For integers the number is meant, not the bits of a float. */
static void clear_texels(struct sch_script_run *run, const struct sch_script_item *item,
                         struct sch_script_instance *instance)
{
    const bool depth = instance->shape->kind == SCH_SCRIPT_DSV;
    const enum sch_script_number number = number_of(instance->shape->format);
    struct sch_clear clear = {
        .size = sizeof clear, .parts = depth ? SCH_PART_DEPTH : SCH_PART_COLOR, .depth = item->clear.values[0]};
    for (unsigned c = 0; c < 4; c++) clear.color.u[c] = channel_bits(number, item->clear.values[c]);
    enum sch_result result = sch_resource_clear(instance->of.resource, &clear, NULL);
    if (result != SCH_OK) sch_script_fail(run, item, "the clear fails: %s", sch_result_text(result));
}

/* All bytes, those of other levels and before a buffer's view, too. */
static void clear_words(struct sch_script_run *run, const struct sch_script_item *item,
                        struct sch_script_instance *instance)
{
    const struct sch_script_resource *shape = instance->shape;
    const size_t texel = (size_t)shape->channels * 4;
    uint32_t words[4];
    for (unsigned i = 0; i < 4; i++) words[i] = channel_bits(shape->number, item->clear.values[i]);
    uint8_t *bytes = sch_script_read_back(run, instance);
    for (size_t at = 0; bytes && at + texel <= instance->size; at += texel) memcpy(bytes + at, words, texel);
    if (bytes && sch_resource_write_all(instance->of.resource, bytes, instance->size) != SCH_OK) sch_script_memory(run);
    free(bytes);
}

void sch_script_clear(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct sch_script_instance *instance = sch_script_find(run, item->clear.slot);
    if (!instance) {
        sch_script_fail(run, item, "there is no such resource to clear");
        return;
    }
    if (!instance->of.resource) return; /* its section failed */
    (instance->shape->format ? clear_texels : clear_words)(run, item, instance);
    instance->stale[0] = 0;
}

void sch_script_copy(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct sch_script_instance *from = sch_script_find(run, item->copy.from), *to = sch_script_find(run, item->copy.to);
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
    uint8_t *bytes = sch_script_read_back(run, from);
    if (bytes && to->of.resource && sch_resource_write_all(to->of.resource, bytes, to->size) != SCH_OK)
        sch_script_memory(run);
    free(bytes);
    memcpy(to->stale, from->stale, sizeof to->stale);
}
