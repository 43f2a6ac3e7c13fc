/* Expectations: what a texture or a query holds is compared with what the scene says. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "data.h"
#include "player.h"

enum { REASON = 400 };

static const double color_tolerance = 0.002, depth_tolerance = 0.00001;

static void fail(struct sch_scene_player *player, const struct sch_scene_step *step, const char *reason)
{
    const struct sch_player_outcome outcome = {step->place.line, reason, false, 1};
    player->failed++;
    if (player->watch->failed) player->watch->failed(player->watch->user, &outcome);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

enum kind { REAL, UNSIGNED, SIGNED };

/* What is there: integers are exact, as numbers of 64 bits. */
struct value {
    enum kind kind;
    double real;
    uint64_t integer; /* two's complement */
};

static struct value real(double number) { return (struct value){.real = number}; }
static struct value natural(uint64_t number) { return (struct value){UNSIGNED, (double)number, number}; }

static struct value value_of(const union sch_color *color, unsigned c, enum sch_format format)
{
    if (format == SCH_FORMAT_R32G32B32A32_UINT || format == SCH_FORMAT_S8_UINT) return natural(color->u[c]);
    if (format == SCH_FORMAT_R32G32B32A32_SINT)
        return (struct value){SIGNED, color->i[c], (uint64_t)(int64_t)color->i[c]};
    return real((double)color->f[c]);
}

static bool is_below_zero(const struct value *value) { return value->kind == SIGNED && (int64_t)value->integer < 0; }

/* For two integers; where their signs differ, both magnitudes. */
static uint64_t distance(const struct value *value, const struct sch_scene_number *expected)
{
    const uint64_t a = value->integer, b = expected->integer;
    if (is_below_zero(value) != (expected->real < 0)) {
        const uint64_t of_a = is_below_zero(value) ? 0 - a : a, of_b = expected->real < 0 ? 0 - b : b;
        return of_a > UINT64_MAX - of_b ? UINT64_MAX : of_a + of_b;
    }
    return a > b ? a - b : b - a;
}

static bool holds(const struct value *value, const struct sch_scene_number *expected, double tolerance)
{
    if (expected->any) return true;
    if (value->kind != REAL && expected->whole) {
        const uint64_t apart = distance(value, expected);
        return !apart || (double)apart <= tolerance;
    }
    if (value->real == expected->real) return true;
    if (isnan(expected->real)) return isnan(value->real);
    return fabs(value->real - expected->real) <= tolerance;
}

static void add_integer(char *text, size_t room, bool below_zero, uint64_t integer)
{
    sch_text_add(text, room, "%s%" PRIu64, below_zero ? "-" : "", below_zero ? 0 - integer : integer);
}

static void list_values(const struct value *values, unsigned count, char *text, size_t room)
{
    *text = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i) sch_text_add(text, room, ", ");
        if (values[i].kind == REAL)
            sch_text_add(text, room, "%.9g", values[i].real);
        else
            add_integer(text, room, is_below_zero(&values[i]), values[i].integer);
    }
}

/* Beside integers whole numbers are shown with all their digits. */
static void list_expected(const struct sch_scene_expect *expect, enum kind kind, char *text, size_t room)
{
    *text = 0;
    for (unsigned i = 0; i < expect->value_count; i++) {
        const struct sch_scene_number *number = &expect->values[i];
        if (i) sch_text_add(text, room, ", ");
        if (number->any)
            sch_text_add(text, room, "_");
        else if (kind != REAL && number->whole)
            add_integer(text, room, number->real < 0, number->integer);
        else
            sch_text_add(text, room, "%.9g", number->real);
    }
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
            color.u[0] = texels[i];
        else
            memcpy(&color, texels + 16 * i, 16);
        colors[i] = color;
    }
}

static void compare(struct sch_scene_player *player, const struct sch_scene_step *step,
                    const struct sch_player_look *look, enum sch_format format, const union sch_color *colors)
{
    const struct sch_scene_expect *expect = step->expect;
    const bool floats = format == SCH_FORMAT_R32G32B32A32_FLOAT;
    const double usual = floats ? color_tolerance : format == SCH_FORMAT_Z32_FLOAT ? depth_tolerance : 0;
    const double tolerance = expect->has_tolerance ? expect->tolerance : usual;
    char reason[REASON], got[120], wanted[120];
    size_t wrong = 0, first = 0;
    const size_t count = (size_t)look->width * look->height;
    struct value values[4] = {{0}};
    for (size_t i = 0; i < count; i++) {
        bool good = true;
        for (unsigned c = 0; c < expect->value_count; c++) {
            const struct value value = value_of(&colors[i], c, format);
            good &= holds(&value, &expect->values[c], tolerance);
        }
        if (!good && !wrong++) first = i;
    }
    if (!wrong) return;
    for (unsigned c = 0; c < expect->value_count; c++) values[c] = value_of(&colors[first], c, format);
    list_values(values, expect->value_count, got, sizeof got);
    list_expected(expect, values->kind, wanted, sizeof wanted);
    snprintf(reason, sizeof reason, "%s %zu,%zu is (%s), not (%s)", expect->object->name, look->x + first % look->width,
             look->y + first / look->width, got, wanted);
    if (wrong > 1) sch_text_add(reason, sizeof reason, "; so are %zu of %zu pixels", wrong, count);
    fail(player, step, reason);
}

static void check_pixels(struct sch_scene_player *player, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    const enum sch_part part = expect->kind == SCH_SCENE_EXPECT_DEPTH     ? SCH_PART_DEPTH
                               : expect->kind == SCH_SCENE_EXPECT_STENCIL ? SCH_PART_STENCIL
                                                                          : SCH_PART_COLOR;
    struct sch_resource *resource = sch_scene_resource(player, expect->object);
    struct sch_resource_info is = {.size = sizeof is};
    if (!resource) return;
    if (!sch_scene_told(player, &step->place, sch_resource_get_info(resource, expect->level, &is), "the level")) return;
    const struct sch_player_look look = {.level = expect->level,
                                         .layer = expect->layer,
                                         .x = expect->x,
                                         .y = expect->y,
                                         .width = expect->all ? is.width : expect->width,
                                         .height = expect->all ? is.height : expect->height,
                                         .has_sample = expect->has_sample,
                                         .sample = expect->sample};
    const uint32_t layers = is.target == SCH_TARGET_3D ? is.depth : is.layers;
    const enum sch_format format = sch_player_look_format(resource, part);
    if (format == SCH_FORMAT_NONE) {
        sch_scene_wrong(player, &step->place, "%s has no such part", expect->object->name);
        return;
    }
    if (look.x + look.width > is.width || look.y + look.height > is.height || look.layer >= layers ||
        look.sample >= is.samples) {
        sch_scene_wrong(player, &step->place, "%s has %u x %u pixels, %u layers and %u samples", expect->object->name,
                        is.width, is.height, layers, is.samples);
        return;
    }
    const size_t count = (size_t)look.width * look.height;
    const size_t texel = format == SCH_FORMAT_S8_UINT ? 1 : format == SCH_FORMAT_Z32_FLOAT ? 4 : 16;
    union sch_color *colors = malloc(count * sizeof *colors);
    const enum sch_result result =
        colors ? sch_player_look(player->base.context, resource, &look, format, colors, count * texel, player->list)
               : SCH_ERROR_MEMORY;
    if (sch_scene_told(player, &step->place, result, expect->object->name)) {
        widen(format, (const uint8_t *)colors, count, colors);
        compare(player, step, &look, format, colors);
    }
    free(colors);
}

/* ---- queries, buffers, and textures that are the same ------------------------------------------------------------ */

static void check_query(struct sch_scene_player *player, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    struct sch_query_result result;
    struct sch_query *query = sch_scene_query(player, expect->object);
    char reason[REASON], got[200], wanted[120];
    struct value values[SCH_STATISTICS];
    bool good = true;
    if (!query || !sch_scene_told(player, &step->place, sch_query_get_result(query, &result), expect->object->name))
        return;
    for (unsigned i = 0; i < result.count; i++) values[i] = natural(result.values[i]);
    for (unsigned i = 0; i < expect->value_count; i++)
        good &= i < result.count && holds(&values[i], &expect->values[i], expect->tolerance);
    if (good) return;
    list_values(values, result.count, got, sizeof got);
    list_expected(expect, UNSIGNED, wanted, sizeof wanted);
    snprintf(reason, sizeof reason, "%s is (%s), not (%s)", expect->object->name, got, wanted);
    fail(player, step, reason);
}

static void check_filled(struct sch_scene_player *player, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    const struct sch_stream_target *target = sch_scene_stream_target(player, expect->object);
    if (!target) return;
    char reason[REASON], wanted[120];
    const struct value filled = natural(sch_stream_target_get_filled(target));
    if (holds(&filled, &expect->values[0], expect->tolerance)) return;
    list_expected(expect, filled.kind, wanted, sizeof wanted);
    snprintf(reason, sizeof reason, "%s is filled with %" PRIu64 " bytes, not %s", expect->object->name, filled.integer,
             wanted);
    fail(player, step, reason);
}

/* The number in a buffer's bytes; false: it is shown as bytes. */
static bool read_number(const struct sch_scene_type *type, const uint8_t *bytes, struct value *value)
{
    float single;
    *value = (struct value){REAL, 0, 0};
    if (type->kind != SCH_SCENE_IEEE) {
        const unsigned unused = 64 - 8 * type->bytes;
        memcpy(&value->integer, bytes, type->bytes); /* the low bytes come first */
        value->kind = type->kind == SCH_SCENE_SIGNED ? SIGNED : UNSIGNED;
        if (value->kind == SIGNED) value->integer = (uint64_t)((int64_t)(value->integer << unused) >> unused);
    } else if (type->bytes == 4) {
        memcpy(&single, bytes, 4);
        value->real = (double)single;
    } else if (type->bytes == 8) {
        memcpy(&value->real, bytes, 8);
    }
    return type->kind != SCH_SCENE_IEEE || type->bytes >= 4;
}

/* Says of what is expected from `data` on that byte `at` differs, as the number that it belongs to. */
static void tell_byte(const struct sch_scene_expect *expect, const uint8_t *there, size_t at, char *reason, size_t room)
{
    const struct sch_scene_run *run = NULL;
    for (size_t i = 0; i < expect->run_count && expect->runs[i].from <= at; i++) run = &expect->runs[i];
    const struct sch_scene_type *type = run ? run->type : NULL;
    const size_t from = type ? at - (at - run->from) % type->bytes : at;
    struct value values[2];
    char got[60] = "", wanted[60] = "";
    if (type && from + type->bytes <= expect->data.bytes && read_number(type, there + from, &values[0]) &&
        read_number(type, expect->data.data + from, &values[1])) {
        list_values(&values[0], 1, got, sizeof got);
        list_values(&values[1], 1, wanted, sizeof wanted);
    }
    if (strcmp(got, wanted) != 0) /* of NaNs the bytes say how they differ */
        snprintf(reason, room, "%s byte %zu is %s, not %s (%s)", expect->object->name, (size_t)expect->offset + from,
                 got, wanted, type->word);
    else
        snprintf(reason, room, "%s byte %zu is 0x%02x, not 0x%02x", expect->object->name, (size_t)expect->offset + at,
                 there[at], expect->data.data[at]);
}

static void check_buffer(struct sch_scene_player *player, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    struct sch_resource *resource = sch_scene_resource(player, expect->object);
    const size_t bytes = expect->object->buffer.bytes;
    char reason[REASON];
    uint8_t *data = resource ? malloc(bytes) : NULL;
    if (!resource) return;
    const enum sch_result result = data ? sch_resource_read_all(resource, data, bytes) : SCH_ERROR_MEMORY;
    if (sch_scene_told(player, &step->place, result, expect->object->name)) {
        const uint8_t *there = data + expect->offset, *wanted = expect->data.data;
        size_t at = 0;
        while (at < expect->data.bytes && there[at] == wanted[at]) at++;
        if (at < expect->data.bytes) {
            tell_byte(expect, there, at, reason, sizeof reason);
            fail(player, step, reason);
        }
    }
    free(data);
}

static void check_same(struct sch_scene_player *player, const struct sch_scene_step *step)
{
    const struct sch_scene_expect *expect = step->expect;
    struct sch_resource *a = sch_scene_resource(player, expect->object), *b = NULL;
    if (a) b = sch_scene_resource(player, expect->other);
    if (!b) return;
    const size_t bytes = sch_resource_bytes(a);
    char reason[REASON];
    if (bytes != sch_resource_bytes(b)) {
        fail(player, step, "the textures do not have as many bytes");
        return;
    }
    uint8_t *one = malloc(bytes), *other = malloc(bytes);
    enum sch_result result = one && other ? sch_resource_read_all(a, one, bytes) : SCH_ERROR_MEMORY;
    if (result == SCH_OK) result = sch_resource_read_all(b, other, bytes);
    if (sch_scene_told(player, &step->place, result, "same") && memcmp(one, other, bytes) != 0) {
        size_t at = 0;
        while (one[at] == other[at]) at++;
        snprintf(reason, sizeof reason, "%s and %s differ from byte %zu on", expect->object->name, expect->other->name,
                 at);
        fail(player, step, reason);
    }
    free(one);
    free(other);
}

void sch_scene_check(struct sch_scene_player *player, const struct sch_scene_step *step)
{
    player->expected++;
    if (step->expect->kind == SCH_SCENE_EXPECT_QUERY)
        check_query(player, step);
    else if (step->expect->kind == SCH_SCENE_EXPECT_SAME)
        check_same(player, step);
    else if (step->expect->kind == SCH_SCENE_EXPECT_BUFFER)
        check_buffer(player, step);
    else if (step->expect->kind == SCH_SCENE_EXPECT_FILLED)
        check_filled(player, step);
    else
        check_pixels(player, step);
}
