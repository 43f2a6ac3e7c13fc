/* Probes: what a resource holds against what the script says. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "run.h"

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

static bool is_wide(enum sch_script_type type) { return type >= SCH_SCRIPT_F64; }

static bool is_float(enum sch_script_type type)
{
    return type == SCH_SCRIPT_RGBA || type == SCH_SCRIPT_F32 || type == SCH_SCRIPT_F64;
}

/* The numbers of a float format in their order, both zeros the same: neighbours are 1 apart. */
static uint64_t order(enum sch_script_type type, uint64_t bits)
{
    uint64_t sign = is_wide(type) ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
    return bits & sign ? sign - (bits & (sign - 1)) : sign + bits;
}

static bool is_near(enum sch_script_type type, uint64_t a, uint64_t b, uint32_t ulps)
{
    if (a == b) return true;
    if (is_float(type)) {
        a = order(type, a);
        b = order(type, b);
    }
    return (a > b ? a - b : b - a) <= ulps;
}

static void add_value(char *text, size_t room, enum sch_script_type type, uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float single;
    double wide;
    memcpy(&single, &word, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    if (type == SCH_SCRIPT_RGBA || type == SCH_SCRIPT_F32)
        sch_text_add(text, room, "%.9g", (double)single);
    else if (type == SCH_SCRIPT_F64)
        sch_text_add(text, room, "%.17g", wide);
    else if (type == SCH_SCRIPT_U32 || type == SCH_SCRIPT_U64)
        sch_text_add(text, room, "0x%" PRIx64, bits);
    else
        sch_text_add(text, room, "%" PRId64, type == SCH_SCRIPT_I32 ? (int32_t)word : (int64_t)bits);
}

/* Four values of 25 letters at most. */
static void list_values(char *text, size_t room, const struct sch_script_probe *probe, const uint64_t *values)
{
    *text = 0;
    for (unsigned i = 0; i < probe->count; i++) {
        if (i) sch_text_add(text, room, ", ");
        add_value(text, room, probe->type, values[i]);
    }
}

/* What a probe reads: all words of a buffer, or the rectangle of a texture, sample after sample, converted to channels
 * of 32 bits if the format is of the tables. */
struct texels {
    const struct sch_script_resource *shape;
    uint8_t *bytes; /* freed by free() */
    size_t plane;   /* bytes of a sample */
    uint32_t width; /* of the rectangle; 0: words */
    uint32_t channels;
    bool floats; /* samples have a mean; of integers the first counts */
};

/* The rectangle of all samples, through a transfer, which keeps bits, or converted. */
static enum sch_result read_samples(struct sch_script_run *run, struct sch_resource *resource,
                                    const struct sch_script_probe *probe, uint32_t height, struct texels *texels)
{
    const enum sch_format color = sch_player_look_format(resource, SCH_PART_COLOR);
    const enum sch_format format = color ? color : sch_player_look_format(resource, SCH_PART_DEPTH);
    const bool converted = texels->shape->format != 0;
    const bool flat = texels->shape->samples == 1 && !sch_script_is_buffer(texels->shape);
    const struct sch_transfer box = {.size = sizeof box,
                                     .box = {(int32_t)probe->left, (int32_t)probe->top, (int32_t)probe->layer,
                                             (int32_t)texels->width, (int32_t)height, 1}};
    enum sch_result result = SCH_OK;
    if (converted) texels->channels = format == SCH_FORMAT_Z32_FLOAT ? 1 : 4;
    if (converted) texels->floats = format == SCH_FORMAT_Z32_FLOAT || format == SCH_FORMAT_R32G32B32A32_FLOAT;
    texels->plane = (size_t)texels->width * height * texels->channels * 4;
    texels->bytes = calloc(texels->shape->samples, texels->plane + 1);
    if (!texels->bytes) return SCH_ERROR_MEMORY;
    for (uint32_t i = 0; i < texels->shape->samples && texels->plane && result == SCH_OK; i++) {
        struct sch_transfer transfer = box;
        transfer.sample = i;
        const struct sch_player_look look = {.layer = probe->layer,
                                             .x = probe->left,
                                             .y = probe->top,
                                             .width = texels->width,
                                             .height = height,
                                             .has_sample = !flat,
                                             .sample = i};
        uint8_t *at = texels->bytes + i * texels->plane;
        result = converted ? sch_player_look(run->context, resource, &look, format, at, texels->plane, NULL)
                           : sch_resource_read(resource, &transfer, at, texels->plane, NULL);
    }
    return result;
}

static struct texels read_texels(struct sch_script_run *run, const struct sch_script_instance *instance,
                                 const struct sch_script_probe *probe)
{
    const struct sch_script_resource *shape = instance->shape;
    struct texels texels = {.shape = shape,
                            .plane = instance->size,
                            .channels = shape->channels,
                            .floats = shape->number == SCH_SCRIPT_FLOAT};
    if (sch_script_is_buffer(shape) && !shape->format) {
        texels.bytes = sch_script_read_back(run, instance);
        return texels;
    }
    const uint32_t right = lesser(probe->right, shape->width), bottom = lesser(probe->bottom, shape->height);
    const bool inside = probe->layer < shape->layers * shape->depth && probe->left >= shape->offset &&
                        probe->left < right && probe->top < bottom;
    texels.plane = 0;
    texels.width = inside ? right - probe->left : 0;
    if (inside && read_samples(run, instance->of.resource, probe, bottom - probe->top, &texels) != SCH_OK)
        sch_script_memory(run);
    return texels;
}

/* Where the values of a texel begin; NULL: it has not so many. In buffers of words the index counts what is probed,
 * whatever the buffer's elements are. */
static const uint8_t *place_of(const struct sch_script_probe *probe, const struct texels *texels, uint32_t x,
                               uint32_t y)
{
    const struct sch_script_resource *shape = texels->shape;
    const uint64_t bytes = (uint64_t)probe->count * (is_wide(probe->type) ? 8 : 4);
    const uint64_t texel = (uint64_t)texels->channels * 4;
    uint64_t offset = x * bytes;
    if (!sch_script_is_buffer(shape) || shape->format) {
        if (x >= shape->width || y >= shape->height || bytes > texel || (shape->format && is_wide(probe->type)))
            return NULL;
        offset = ((uint64_t)(y - probe->top) * texels->width + x - probe->left) * texel;
    }
    return offset + bytes <= texels->plane ? texels->bytes + offset : NULL;
}

static void read_values(const struct sch_script_probe *probe, const uint8_t *at, uint64_t values[4])
{
    const size_t bytes = is_wide(probe->type) ? 8 : 4;
    for (unsigned i = 0; i < probe->count && i < 4; i++) { /* the parser reads no more; gcc 14 does not know */
        values[i] = 0;
        memcpy(&values[i], at + i * bytes, bytes); /* low bytes come first */
    }
}

static uint32_t mean_bits(double sum, uint32_t samples)
{
    float mean = (float)(sum / samples);
    uint32_t word;
    memcpy(&word, &mean, sizeof word);
    return word;
}

/* Samples are resolved: floats to their mean, integers to the first of them. */
static void resolve(const struct sch_script_probe *probe, const struct texels *texels, const uint8_t *at,
                    uint64_t values[4])
{
    const struct sch_script_resource *shape = texels->shape;
    read_values(probe, at, values);
    if (shape->samples < 2 || !texels->floats || is_wide(probe->type)) return;
    for (unsigned i = 0; i < probe->count; i++) {
        double sum = 0;
        for (uint32_t sample = 0; sample < shape->samples; sample++) {
            float value;
            memcpy(&value, at + sample * texels->plane + (size_t)i * 4, 4);
            sum += (double)value;
        }
        values[i] = mean_bits(sum, shape->samples);
    }
}

/* rgba and f32 take a texel's words for floats, whatever the format is, as vkd3d's runner does: of integers the report
 * has the numbers, too, and the type that means them. */
static void tell_integers(const struct sch_script_instance *instance, const struct sch_script_probe *probe,
                          const uint64_t *have, char *text, size_t room)
{
    const struct sch_script_resource *shape = instance->shape;
    struct sch_format_info is = {.size = sizeof is};
    bool integers = shape->number != SCH_SCRIPT_FLOAT, is_signed = shape->number == SCH_SCRIPT_SINT;
    if (shape->format && sch_format_get_info((enum sch_format)shape->format, &is) == SCH_OK) {
        integers = is.integers;
        is_signed = is.is_signed;
    }
    *text = 0;
    if (!integers || shape->typeless || shape->unknown ||
        (probe->type != SCH_SCRIPT_RGBA && probe->type != SCH_SCRIPT_F32))
        return;
    sch_text_add(text, room, "; the integers there are (");
    for (unsigned i = 0; i < probe->count; i++)
        sch_text_add(text, room, is_signed ? "%s%" PRId64 : "%s%" PRIu64, i ? ", " : "",
                     is_signed ? (uint64_t)(int64_t)(int32_t)have[i] : have[i]);
    sch_text_add(text, room, "): probe %s", is_signed ? "i32" : "u32");
}

/* Whether one texel holds; says what it has instead. */
static bool check_texel(struct sch_script_run *run, const struct sch_script_item *item,
                        const struct sch_script_instance *instance, const struct texels *texels, uint32_t x, uint32_t y)
{
    const struct sch_script_probe *probe = item->probe;
    const uint8_t *at = place_of(probe, texels, x, y);
    uint64_t have[4] = {0};
    if (!at) {
        sch_script_fail(run, item, "the resource has no (%u, %u) with %u components", x, y, probe->count);
        return false;
    }
    resolve(probe, texels, at, have);
    for (unsigned i = 0; i < probe->count; i++) {
        if (is_near(probe->type, have[i], probe->values[i], probe->ulps)) continue;
        char expected[200], got[200], integers[300];
        list_values(expected, sizeof expected, probe, probe->values);
        list_values(got, sizeof got, probe, have);
        tell_integers(instance, probe, have, integers, sizeof integers);
        sch_script_fail(run, item, "(%u, %u) is (%s), not (%s)%s", x, y, got, expected, integers);
        return false;
    }
    return true;
}

static bool check(struct sch_script_run *run, const struct sch_script_item *item,
                  const struct sch_script_instance *instance, const struct texels *texels)
{
    const struct sch_script_probe *probe = item->probe;
    for (uint32_t y = probe->top; y < probe->bottom && run->stop == SCH_OK; y++)
        for (uint32_t x = probe->left; x < probe->right; x++)
            if (!check_texel(run, item, instance, texels, x, y)) return false;
    return run->stop == SCH_OK;
}

void sch_script_probe(struct sch_script_run *run, const struct sch_script_item *item)
{
    const struct sch_script_probe *probe = item->probe;
    const struct sch_script_instance *instance = sch_script_find(run, probe->slot);
    if (!instance) {
        sch_script_fail(run, item, "there is no such resource");
        return;
    }
    if (instance->stale[0]) {
        sch_script_skip(run, item->line, 1, instance->stale);
        return;
    }
    const struct texels texels = read_texels(run, instance, probe);
    if (check(run, item, instance, &texels)) run->report->passed++;
    free(texels.bytes);
}
