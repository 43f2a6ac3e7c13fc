/* scheelite diff: where and by how much two pictures or textures differ, whatever kinds of files and formats they have.
 * Both are read as numbers, some rows at a time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/json.h"
#include "common/common.h"
#include "common/progress.h"
#include "texture_data.h"
#include "texture_file.h"

enum { CHANNELS = 4, BAND = 64 };

struct wanted {
    const char *path[2], *output;
    double tolerance;
    struct sch_cli_part part;
    bool json;
};

/* One of the two. */
struct side {
    const char *path;
    struct sch_file_texture texture;
    struct sch_format_info format;
    struct sch_resource *resource, *band;
    enum sch_format as; /* the format that its bits are read as */
};

struct place {
    uint32_t x, y, z, level;
};

/* A channel's largest difference. */
struct largest {
    double difference, values[2];
    struct place place;
};

struct comparison {
    struct sch_context *context;
    const struct wanted *wanted;
    struct side side[2];
    enum sch_format numbers; /* of four channels, that both are read as */
    uint64_t texels, different;
    struct place first;
    struct largest largest[CHANNELS];
    float *picture; /* differences of the first level's first layer; NULL: not asked for */
};

/* ---- two textures of one shape ----------------------------------------------------------------------------------- */

static enum sch_cli_exit unreadable(enum sch_cli_exit exit_code)
{
    return exit_code == SCH_CLI_NO || exit_code == SCH_CLI_UNSUPPORTED ? SCH_CLI_IO : exit_code;
}

static enum sch_cli_exit read_side(struct comparison *comparison, struct side *side)
{
    struct sch_context *context = comparison->context;
    struct sch_cli_texture_file file;
    enum sch_cli_exit exit_code = unreadable(sch_cli_texture_file_read(context, side->path, false, &file));
    side->texture = file.texture;
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_texture_pick(side->path, &side->texture, &comparison->wanted->part);
    if (exit_code == SCH_CLI_YES) exit_code = unreadable(sch_cli_texture_as_color(context, side->path, &side->texture));
    if (exit_code == SCH_CLI_YES)
        exit_code = unreadable(sch_cli_texture_upload(context, side->path, &side->texture, 0, false, &side->resource));
    if (exit_code != SCH_CLI_YES) return exit_code;
    /* The resource has the texels now. */
    side->texture.memory.free(side->texture.memory.user, side->texture.texels);
    side->texture.texels = NULL;
    side->format.size = sizeof side->format;
    return sch_cli_exit_of(sch_format_get_info(side->texture.format, &side->format));
}

static enum sch_cli_exit check_shapes(const struct side *a, const struct side *b)
{
    const struct {
        const char *what;
        uint32_t of_a, of_b;
    } counts[] = {{"texels in a row", a->texture.width, b->texture.width},
                  {"rows", a->texture.height, b->texture.height},
                  {"slices", a->texture.depth, b->texture.depth},
                  {"layers", a->texture.layers, b->texture.layers},
                  {"levels", a->texture.levels, b->texture.levels}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].of_a != counts[i].of_b)
            return sch_cli_fail(SCH_CLI_NO, "%s has %u %s, and %s has %u: they are not compared", a->path,
                                counts[i].of_a, counts[i].what, b->path, counts[i].of_b);
    if (a->format.integers == b->format.integers && a->format.is_signed == b->format.is_signed) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_NO, "%s has texels of %s, and %s of %s: integers are compared with their like only",
                        a->path, a->format.name, b->path, b->format.name);
}

/* sRGB codes are compared with other codes, for which files rarely say a curve, and as colours with floats, which are
 * linear. */
static void choose_numbers(struct comparison *comparison)
{
    struct side *a = &comparison->side[0], *b = &comparison->side[1];
    const bool codes = !strstr(a->format.name, "FLOAT") && !strstr(b->format.name, "FLOAT");
    comparison->numbers = !a->format.integers   ? SCH_FORMAT_R32G32B32A32_FLOAT
                          : a->format.is_signed ? SCH_FORMAT_R32G32B32A32_SINT
                                                : SCH_FORMAT_R32G32B32A32_UINT;
    for (unsigned i = 0; i < 2; i++) {
        struct side *side = &comparison->side[i];
        if (codes && side->format.srgb) side->as = sch_cli_format_twin(side->format.name, false);
    }
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static double channel_value(const struct comparison *comparison, const uint8_t *texels, size_t at)
{
    union {
        uint32_t u;
        int32_t i;
        float f;
    } word;
    memcpy(&word, texels + at * sizeof word, sizeof word);
    return comparison->numbers == SCH_FORMAT_R32G32B32A32_FLOAT  ? (double)word.f
           : comparison->numbers == SCH_FORMAT_R32G32B32A32_SINT ? (double)word.i
                                                                 : (double)word.u;
}

/* A NaN is like any other, and unlike every number. */
static double difference_of(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b))) return 0;
    const double difference = fabs(a - b);
    return isnan(difference) ? INFINITY : difference;
}

static void paint(const struct comparison *comparison, const double differences[CHANNELS], struct place place)
{
    if (!comparison->picture || place.level || place.z) return;
    float *texel = comparison->picture + ((size_t)place.y * comparison->side[0].texture.width + place.x) * CHANNELS;
    for (unsigned c = 0; c < 3; c++) texel[c] = (float)fmax(differences[c], differences[3]);
    texel[3] = 1;
}

static void compare_texel(struct comparison *comparison, const uint8_t *const texels[2], size_t at, struct place place)
{
    double differences[CHANNELS];
    bool differs = false;
    for (unsigned c = 0; c < CHANNELS; c++) {
        const double a = channel_value(comparison, texels[0], at * CHANNELS + c),
                     b = channel_value(comparison, texels[1], at * CHANNELS + c);
        differences[c] = difference_of(a, b);
        differs |= differences[c] > comparison->wanted->tolerance;
        if (differences[c] > comparison->largest[c].difference)
            comparison->largest[c] = (struct largest){differences[c], {a, b}, place};
    }
    paint(comparison, differences, place);
    comparison->texels++;
    if (differs && !comparison->different++) comparison->first = place;
}

static enum sch_result read_band(const struct side *side, const struct place *from, int32_t width, int32_t rows,
                                 uint8_t *texels)
{
    const struct sch_blit blit = {.size = sizeof blit,
                                  .source_level = from->level,
                                  .source = {0, (int32_t)from->y, (int32_t)from->z, width, rows, 1},
                                  .box = {0, 0, 0, width, rows, 1},
                                  .source_format = side->as};
    const struct sch_transfer transfer = {.size = sizeof transfer, .box = {0, 0, 0, width, rows, 1}};
    const enum sch_result result = sch_resource_blit(side->band, side->resource, &blit, NULL);
    if (result != SCH_OK) return result;
    return sch_resource_read(side->band, &transfer, texels, (size_t)width * (size_t)rows * CHANNELS * 4, NULL);
}

static enum sch_result compare_slice(struct comparison *comparison, struct place at, uint32_t width, uint32_t height,
                                     uint8_t *const texels[2])
{
    const uint8_t *const read[2] = {texels[0], texels[1]};
    enum sch_result result = SCH_OK;
    for (at.y = 0; at.y < height && result == SCH_OK; at.y += BAND) {
        const uint32_t rows = height - at.y < BAND ? height - at.y : BAND;
        for (unsigned i = 0; i < 2 && result == SCH_OK; i++)
            result = read_band(&comparison->side[i], &at, (int32_t)width, (int32_t)rows, texels[i]);
        for (uint32_t i = 0; i < width * rows && result == SCH_OK; i++)
            compare_texel(comparison, read, i, (struct place){i % width, at.y + i / width, at.z, at.level});
    }
    return result;
}

static enum sch_result compare_all(struct comparison *comparison, uint8_t *const texels[2])
{
    struct sch_resource_info is = {.size = sizeof is};
    enum sch_result result = SCH_OK;
    for (uint32_t level = 0; level < comparison->side[0].texture.levels && result == SCH_OK; level++) {
        result = sch_resource_get_info(comparison->side[0].resource, level, &is);
        const uint32_t slices = is.target == SCH_TARGET_3D ? is.depth : is.layers;
        for (uint32_t z = 0; z < slices && result == SCH_OK; z++)
            result = compare_slice(comparison, (struct place){.z = z, .level = level}, is.width, is.height, texels);
    }
    return result;
}

static enum sch_cli_exit compare(struct comparison *comparison)
{
    const struct sch_file_texture *texture = &comparison->side[0].texture;
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TARGET_2D,
                                               .format = comparison->numbers,
                                               .width = texture->width,
                                               .height = BAND};
    const size_t bytes = (size_t)texture->width * BAND * CHANNELS * 4;
    uint8_t *const texels[2] = {malloc(bytes), malloc(bytes)};
    enum sch_result result = texels[0] && texels[1] ? SCH_OK : SCH_ERROR_MEMORY;
    for (unsigned i = 0; i < 2 && result == SCH_OK; i++)
        result = sch_resource_create(comparison->context, &shape, NULL, &comparison->side[i].band);
    if (comparison->wanted->output && result == SCH_OK) {
        comparison->picture = calloc((size_t)texture->width * texture->height, CHANNELS * sizeof(float));
        if (!comparison->picture) result = SCH_ERROR_MEMORY;
    }
    if (result == SCH_OK) result = compare_all(comparison, texels);
    free(texels[0]);
    free(texels[1]);
    return sch_cli_result(result, NULL, "diff");
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static void print_place(const struct comparison *comparison, const struct place *place)
{
    const struct sch_file_texture *texture = &comparison->side[0].texture;
    printf("%u,%u", place->x, place->y);
    if (texture->levels > 1) printf(" of level %u", place->level);
    if (texture->layers > 1 || texture->depth > 1)
        printf(" of %s %u", texture->depth > 1 ? "slice" : "layer", place->z);
}

/* Integers have all their digits. */
static void print_number(const struct comparison *comparison, double number)
{
    if (comparison->numbers == SCH_FORMAT_R32G32B32A32_FLOAT)
        printf("%.9g", number);
    else
        printf("%.0f", number);
}

static const char *const channel_names[CHANNELS] = {"red", "green", "blue", "alpha"};

static void print_comparison(const struct comparison *comparison)
{
    printf("%llu of %llu texels differ", (unsigned long long)comparison->different,
           (unsigned long long)comparison->texels);
    if (comparison->different) printf(", the first at ");
    if (comparison->different) print_place(comparison, &comparison->first);
    putchar('\n');
    for (unsigned c = 0; c < CHANNELS; c++) {
        const struct largest *largest = &comparison->largest[c];
        if (!(largest->difference > 0)) continue;
        printf("%s\t", channel_names[c]);
        print_number(comparison, largest->difference);
        printf(" at ");
        print_place(comparison, &largest->place);
        printf(": ");
        print_number(comparison, largest->values[0]);
        printf(" and ");
        print_number(comparison, largest->values[1]);
        putchar('\n');
    }
}

static void json_place(struct sch_json *json, const char *key, const struct place *place)
{
    sch_json_object(json, key, true);
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("x", place->x), SCH_JSON_NUMBER("y", place->y),
                    SCH_JSON_NUMBER("z", place->z), SCH_JSON_NUMBER("level", place->level));
    sch_json_close(json);
}

static void json_comparison(const struct comparison *comparison)
{
    struct sch_json json;
    sch_json_begin(&json, stdout, "scheelite-diff/1");
    sch_json_list(&json, "files", true);
    for (unsigned i = 0; i < 2; i++) sch_json_text(&json, NULL, comparison->side[i].path);
    sch_json_close(&json);
    SCH_JSON_FIELDS(&json, SCH_JSON_NUMBER("texels", comparison->texels),
                    SCH_JSON_NUMBER("different", comparison->different));
    if (comparison->different) json_place(&json, "first", &comparison->first);
    sch_json_list(&json, "channels", false);
    for (unsigned c = 0; c < CHANNELS; c++) {
        const struct largest *largest = &comparison->largest[c];
        if (!(largest->difference > 0)) continue;
        sch_json_row(&json, NULL);
        SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("channel", channel_names[c]),
                        SCH_JSON_REAL("difference", largest->difference));
        json_place(&json, "place", &largest->place);
        sch_json_list(&json, "values", true);
        for (unsigned i = 0; i < 2; i++) sch_json_real(&json, NULL, largest->values[i]);
        sch_json_close(&json);
        sch_json_close(&json);
    }
    sch_json_end(&json);
}

/* The largest becomes 1. */
static void scale(const struct comparison *comparison)
{
    const size_t count = (size_t)comparison->side[0].texture.width * comparison->side[0].texture.height * CHANNELS;
    float most = 0;
    for (size_t i = 0; i < count; i++)
        if (i % CHANNELS < 3 && isfinite(comparison->picture[i]) && comparison->picture[i] > most)
            most = comparison->picture[i];
    for (size_t i = 0; i < count && most > 0; i++)
        if (i % CHANNELS < 3) comparison->picture[i] = fminf(comparison->picture[i] / most, 1);
}

static enum sch_cli_exit write_picture(const struct comparison *comparison)
{
    enum sch_file_kind kind;
    const uint32_t width = comparison->side[0].texture.width, height = comparison->side[0].texture.height;
    struct sch_file_texture texture =
        sch_cli_flat(SCH_FORMAT_R32G32B32A32_FLOAT, width, height, (uint8_t *)comparison->picture,
                     (size_t)width * height * CHANNELS * sizeof(float));
    enum sch_cli_exit exit_code = sch_cli_texture_file_kind(comparison->wanted->output, &kind);
    if (exit_code == SCH_CLI_YES && (kind == SCH_FILE_KIND_PNG || kind == SCH_FILE_KIND_PNM)) {
        scale(comparison);
        exit_code = sch_cli_texture_convert(comparison->context, comparison->wanted->output, &texture,
                                            SCH_FORMAT_R8G8B8A8_UNORM);
    }
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_texture_file_write(comparison->context, comparison->wanted->output, kind, &texture);
    if (texture.memory.free) sch_file_texture_release(&texture);
    return exit_code;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

static enum sch_cli_exit compare_files(struct comparison *comparison)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (unsigned i = 0; i < 2 && exit_code == SCH_CLI_YES; i++)
        exit_code = read_side(comparison, &comparison->side[i]);
    if (exit_code == SCH_CLI_YES) exit_code = check_shapes(&comparison->side[0], &comparison->side[1]);
    if (exit_code != SCH_CLI_YES) return exit_code;
    choose_numbers(comparison);
    exit_code = compare(comparison);
    if (exit_code != SCH_CLI_YES) return exit_code;
    sch_cli_progress_clear();
    if (comparison->wanted->json)
        json_comparison(comparison);
    else
        print_comparison(comparison);
    if (comparison->picture) exit_code = write_picture(comparison);
    return exit_code == SCH_CLI_YES && comparison->different ? SCH_CLI_NO : exit_code;
}

static void release(struct comparison *comparison)
{
    for (unsigned i = 0; i < 2; i++) {
        struct side *side = &comparison->side[i];
        if (side->texture.texels) sch_file_texture_release(&side->texture);
        sch_resource_destroy(side->resource);
        sch_resource_destroy(side->band);
    }
    free(comparison->picture);
    sch_context_destroy(comparison->context);
}

/* N or N/M. */
static enum sch_cli_exit take_tolerance(struct wanted *wanted, const char *value)
{
    char *end;
    const double number = strtod(value, &end), parts = *end == '/' ? strtod(end + 1, &end) : 1;
    wanted->tolerance = number / parts;
    if (end != value && !*end && wanted->tolerance >= 0 && isfinite(wanted->tolerance)) return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_diff, "--tolerance is a number from 0, or a quotient such as 1/255, not %s",
                               value);
}

static enum sch_cli_exit take_diff_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct wanted *wanted = user;
    if (option == SCH_OPTION_TOLERANCE) return take_tolerance(wanted, value);
    return sch_cli_part_take(verb, &wanted->part, option, value);
}

static enum sch_cli_exit read_diff_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    const enum sch_cli_exit exit_code = sch_cli_parse(arguments, take_diff_option, wanted);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const char *output = arguments->values.of_diff.output;
    for (unsigned i = 0; i < 2; i++) wanted->path[i] = arguments->files[i];
    wanted->json = arguments->values.json.json;
    return output ? sch_cli_picture_output(output, &wanted->output) : SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_main_diff(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    enum sch_cli_exit exit_code = read_diff_arguments(arguments, &wanted);
    if (exit_code != SCH_CLI_YES) return exit_code;
    struct comparison comparison = {.wanted = &wanted, .side = {{.path = wanted.path[0]}, {.path = wanted.path[1]}}};
    if (sch_cli_plain_context_create(&comparison.context) != SCH_OK) return sch_cli_no_memory();
    sch_cli_progress_begin(&sch_cli_diff, false);
    exit_code = compare_files(&comparison);
    release(&comparison);
    return exit_code;
}
