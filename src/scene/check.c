/* Expectations: what a texture or a query holds is compared with what the scene says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { REASON = 400 };

static const double color_tolerance = 0.002, depth_tolerance = 0.00001;

static void fail(struct sch_scene_world *world, const struct sch_scene_step *step, const char *reason)
{
    const struct sch_scene_failure failure = {step->place.line, reason};
    world->failed++;
    if (world->watch->failed) world->watch->failed(world->watch->user, &failure);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* What is there, as a number. */
static double value_of(const union sch_color *color, unsigned c, enum sch_format format)
{
    if (format == SCH_FORMAT_R32G32B32A32_UINT) return color->u[c];
    return format == SCH_FORMAT_R32G32B32A32_SINT ? (double)color->i[c] : (double)color->f[c];
}

static bool holds(double value, const struct sch_scene_number *expected, double tolerance)
{
    if (expected->any || value == expected->real) return true;
    if (isnan(expected->real)) return isnan(value);
    return fabs(value - expected->real) <= tolerance;
}

static void list_values(const double *values, unsigned count, char *text, size_t room)
{
    size_t at = 0;
    for (unsigned i = 0; i < count && at < room; i++)
        at += (size_t)snprintf(text + at, room - at, "%s%.9g", i ? ", " : "", values[i]);
}

static void list_expected(const struct sch_scene_expect *expect, char *text, size_t room)
{
    size_t at = 0;
    for (unsigned i = 0; i < expect->value_count && at < room; i++)
        at += expect->values[i].any
                  ? (size_t)snprintf(text + at, room - at, "%s_", i ? ", " : "")
                  : (size_t)snprintf(text + at, room - at, "%s%.9g", i ? ", " : "", expect->values[i].real);
}

/* ---- pixels ------------------------------------------------------------------------------------------------------ */

/* Texels of formats with one component, as colours. */
static void widen(enum sch_format format, const uint8_t *texels, size_t count, union sch_color *colors)
{
    for (size_t i = count; i-- > 0;) {
        union sch_color color = {.u = {0}};
        if (format == SCH_FORMAT_Z32_FLOAT)
            memcpy(&color.f[0], texels + 4 * i, 4);
        else if (format == SCH_FORMAT_S8_UINT)
            color.f[0] = texels[i];
        else
            memcpy(&color, texels + 16 * i, 16);
        colors[i] = color;
    }
}

static void compare(struct sch_scene_world *world, const struct sch_scene_step *step, const struct sch_scene_look *look,
                    enum sch_format format, const union sch_color *colors)
{
    const struct sch_scene_expect *expect = step->expect;
    const bool floats = format == SCH_FORMAT_R32G32B32A32_FLOAT;
    const double usual = floats ? color_tolerance : format == SCH_FORMAT_Z32_FLOAT ? depth_tolerance : 0;
    const double tolerance = expect->has_tolerance ? expect->tolerance : usual;
    char reason[REASON], got[120], wanted[120];
    size_t wrong = 0, first = 0;
    const size_t count = (size_t)look->width * look->height;
    double values[4] = {0};
    for (size_t i = 0; i < count; i++) {
        bool good = true;
        for (unsigned c = 0; c < expect->value_count; c++)
            good &= holds(value_of(&colors[i], c, format), &expect->values[c], tolerance);
        if (!good && !wrong++) first = i;
    }
    if (!wrong) return;
    for (unsigned c = 0; c < expect->value_count; c++) values[c] = value_of(&colors[first], c, format);
    list_values(values, expect->value_count, got, sizeof got);
    list_expected(expect, wanted, sizeof wanted);
    snprintf(reason, sizeof reason, "%s %zu,%zu is (%s), not (%s)", expect->object->name, look->x + first % look->width,
             look->y + first / look->width, got, wanted);
    if (wrong > 1)
        snprintf(reason + strlen(reason), sizeof reason - strlen(reason), "; so are %zu of %zu pixels", wrong, count);
    fail(world, step, reason);
}

static void check_pixels(struct sch_scene_world *world, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    struct sch_resource *resource = sch_scene_resource(world, expect->object);
    struct sch_resource_info is = {.size = sizeof is};
    if (!resource) return;
    if (!sch_scene_told(world, &step->place, sch_resource_get_info(resource, expect->level, &is), "the level")) return;
    const struct sch_scene_look look = {.kind = expect->kind,
                                        .level = expect->level,
                                        .layer = expect->layer,
                                        .x = expect->x,
                                        .y = expect->y,
                                        .width = expect->all ? is.width : expect->width,
                                        .height = expect->all ? is.height : expect->height,
                                        .has_sample = expect->has_sample,
                                        .sample = expect->sample};
    const uint32_t layers = is.target == SCH_TARGET_3D ? is.depth : is.layers;
    const enum sch_format format = sch_scene_look_format(resource, expect->kind);
    if (format == SCH_FORMAT_NONE) {
        sch_scene_wrong(world, &step->place, "%s has no such part", expect->object->name);
        return;
    }
    if (look.x + look.width > is.width || look.y + look.height > is.height || look.layer >= layers ||
        look.sample >= is.samples) {
        sch_scene_wrong(world, &step->place, "%s has %u x %u pixels, %u layers and %u samples", expect->object->name,
                        is.width, is.height, layers, is.samples);
        return;
    }
    const size_t count = (size_t)look.width * look.height;
    const size_t texel = format == SCH_FORMAT_S8_UINT ? 1 : format == SCH_FORMAT_Z32_FLOAT ? 4 : 16;
    union sch_color *colors = malloc(count * sizeof *colors);
    const enum sch_result result =
        colors ? sch_scene_look_at(world, resource, &look, format, colors, count * texel) : SCH_ERROR_MEMORY;
    if (sch_scene_told(world, &step->place, result, expect->object->name)) {
        widen(format, (const uint8_t *)colors, count, colors);
        compare(world, step, &look, format, colors);
    }
    free(colors);
}

/* ---- queries, buffers, and textures that are the same ------------------------------------------------------------ */

static void check_query(struct sch_scene_world *world, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    struct sch_query_result result;
    struct sch_query *query = sch_scene_query(world, expect->object);
    char reason[REASON], got[200], wanted[120];
    double values[SCH_STATISTICS];
    bool good = true;
    if (!query || !sch_scene_told(world, &step->place, sch_query_get_result(query, &result), expect->object->name))
        return;
    for (unsigned i = 0; i < result.count; i++) values[i] = (double)result.values[i];
    for (unsigned i = 0; i < expect->value_count; i++)
        good &= i < result.count && holds(values[i], &expect->values[i], expect->tolerance);
    if (good) return;
    list_values(values, result.count, got, sizeof got);
    list_expected(expect, wanted, sizeof wanted);
    snprintf(reason, sizeof reason, "%s is (%s), not (%s)", expect->object->name, got, wanted);
    fail(world, step, reason);
}

static void check_filled(struct sch_scene_world *world, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    const struct sch_stream_target *target = sch_scene_stream_target(world, expect->object);
    char reason[REASON], wanted[120];
    if (!target || holds((double)sch_stream_target_get_filled(target), &expect->values[0], expect->tolerance)) return;
    list_expected(expect, wanted, sizeof wanted);
    snprintf(reason, sizeof reason, "%s is filled with %llu bytes, not %s", expect->object->name,
             (unsigned long long)sch_stream_target_get_filled(target), wanted);
    fail(world, step, reason);
}

static void check_buffer(struct sch_scene_world *world, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    struct sch_resource *resource = sch_scene_resource(world, expect->object);
    const size_t bytes = expect->object->buffer.bytes;
    char reason[REASON];
    uint8_t *data = resource ? malloc(bytes) : NULL;
    if (!resource) return;
    const enum sch_result result = data ? sch_resource_read_all(resource, data, bytes) : SCH_ERROR_MEMORY;
    if (sch_scene_told(world, &step->place, result, expect->object->name)) {
        const uint8_t *there = data + expect->offset, *wanted = expect->data.data;
        size_t at = 0;
        while (at < expect->data.bytes && there[at] == wanted[at]) at++;
        if (at < expect->data.bytes) {
            snprintf(reason, sizeof reason, "%s byte %zu is 0x%02x, not 0x%02x", expect->object->name,
                     (size_t)expect->offset + at, there[at], wanted[at]);
            fail(world, step, reason);
        }
    }
    free(data);
}

static void check_same(struct sch_scene_world *world, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    struct sch_resource *a = sch_scene_resource(world, expect->object), *b = NULL;
    if (a) b = sch_scene_resource(world, expect->other);
    if (!b) return;
    const size_t bytes = sch_resource_bytes(a);
    char reason[REASON];
    if (bytes != sch_resource_bytes(b)) {
        fail(world, step, "the textures do not have as many bytes");
        return;
    }
    uint8_t *one = malloc(bytes), *other = malloc(bytes);
    enum sch_result result = one && other ? sch_resource_read_all(a, one, bytes) : SCH_ERROR_MEMORY;
    if (result == SCH_OK) result = sch_resource_read_all(b, other, bytes);
    if (sch_scene_told(world, &step->place, result, "same") && memcmp(one, other, bytes) != 0) {
        size_t at = 0;
        while (one[at] == other[at]) at++;
        snprintf(reason, sizeof reason, "%s and %s differ from byte %zu on", expect->object->name, expect->other->name,
                 at);
        fail(world, step, reason);
    }
    free(one);
    free(other);
}

void sch_scene_check(struct sch_scene_world *world, const struct sch_scene_step *step)
{
    world->expected++;
    if (step->expect->kind == SCH_SCENE_EXPECT_QUERY)
        check_query(world, step);
    else if (step->expect->kind == SCH_SCENE_EXPECT_SAME)
        check_same(world, step);
    else if (step->expect->kind == SCH_SCENE_EXPECT_BUFFER)
        check_buffer(world, step);
    else if (step->expect->kind == SCH_SCENE_EXPECT_FILLED)
        check_filled(world, step);
    else
        check_pixels(world, step);
}
