/* Probes: what a resource holds against what the script says. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../support/text.h"
#include "run.h"

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

/* Where the values of a texel begin, or `instance->size` when it has not so many. In buffers the index counts what is
 * probed, whatever the buffer's elements are. */
static uint64_t place_of(const struct sch_script_instance *instance, const struct sch_script_probe *probe, uint32_t x,
                         uint32_t y)
{
    const struct sch_script_resource *shape = instance->shape;
    uint64_t bytes = (uint64_t)probe->count * (is_wide(probe->type) ? 8 : 4), texel = (uint64_t)shape->channels * 4;
    uint64_t offset;
    if (sch_script_is_buffer(shape)) {
        offset = x * bytes;
    } else {
        if (x >= shape->width || y >= shape->height || probe->layer >= shape->layers * shape->depth || bytes > texel)
            return instance->size;
        offset = (((uint64_t)probe->layer * shape->height + y) * shape->width + x) * texel;
    }
    return offset + bytes <= instance->size ? offset : instance->size;
}

static void read_values(const struct sch_script_instance *instance, const struct sch_script_probe *probe,
                        uint64_t offset, uint64_t values[4])
{
    for (unsigned i = 0; i < probe->count && i < 4; i++) { /* the parser reads no more; gcc 14 does not know */
        uint32_t word;
        if (is_wide(probe->type)) {
            memcpy(&values[i], instance->bytes + offset + (size_t)i * 8, 8);
        } else {
            memcpy(&word, instance->bytes + offset + (size_t)i * 4, 4);
            values[i] = word;
        }
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
static void resolve(const struct sch_script_instance *instance, const struct sch_script_probe *probe, uint64_t offset,
                    uint64_t values[4])
{
    const struct sch_script_resource *shape = instance->shape;
    read_values(instance, probe, offset, values);
    if (shape->samples < 2 || shape->number != SCH_SCRIPT_FLOAT || is_wide(probe->type)) return;
    uint64_t plane = (uint64_t)shape->width * shape->height * shape->channels * 4;
    for (unsigned i = 0; i < probe->count; i++) {
        double sum = 0;
        for (uint32_t sample = 0; sample < shape->samples; sample++) {
            float value;
            memcpy(&value, instance->bytes + offset + sample * plane + (size_t)i * 4, 4);
            sum += (double)value;
        }
        values[i] = mean_bits(sum, shape->samples);
    }
}

static bool is_integer(int format)
{
    struct sch_format_info is = {.size = sizeof is};
    return sch_format_get_info((enum sch_format)format, &is) == SCH_OK && is.integers;
}

/* The same of a format of the tables; false: there is no such texel. */
static bool resolve_packed(const struct sch_script_instance *instance, const struct sch_script_probe *probe, uint32_t x,
                           uint32_t y, uint64_t values[4])
{
    const uint32_t samples = is_integer(instance->shape->format) ? 1 : instance->shape->samples;
    uint32_t words[1][4];
    double sum[4] = {0};
    if (is_wide(probe->type)) return false;
    for (uint32_t sample = 0; sample < samples; sample++) {
        if (!sch_script_texel_get(instance, x, y, probe->layer, sample, words)) return false;
        for (unsigned i = 0; i < 4; i++) {
            float value;
            memcpy(&value, &words[0][i], sizeof value);
            sum[i] += (double)value;
        }
    }
    for (unsigned i = 0; i < 4; i++) values[i] = samples > 1 ? mean_bits(sum[i], samples) : words[0][i];
    return true;
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
                        const struct sch_script_instance *instance, uint32_t x, uint32_t y)
{
    const struct sch_script_probe *probe = item->probe;
    uint64_t have[4] = {0}, offset = instance->shape->format ? 0 : place_of(instance, probe, x, y);
    bool packed = instance->shape->format != 0;
    if (packed ? !resolve_packed(instance, probe, x, y, have) : offset == instance->size) {
        sch_script_fail(run, item, "the resource has no (%u, %u) with %u components", x, y, probe->count);
        return false;
    }
    if (!packed) resolve(instance, probe, offset, have);
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
    for (uint32_t y = probe->top; y < probe->bottom; y++)
        for (uint32_t x = probe->left; x < probe->right; x++)
            if (!check_texel(run, item, instance, x, y)) return;
    run->report->passed++;
}
