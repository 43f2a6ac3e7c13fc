/* See heat.h: the kinds, their values, pictures and numbers. */
#include "heat.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bind/setup.h"
#include "picture/render_target.h"
#include "picture/texture_file.h"

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

/* An array of struct sch_heat. */
#define COUNTS(member) offsetof(struct sch_heat, member)

static const struct kind {
    const char *word, *title; /* the option's; below the picture */
    size_t counts;            /* of LOD: of no array of counts */
    size_t divisor;           /* 0: the value is the count */
    const char *interpreted;  /* what only the interpreter counts; NULL: every engine counts it */
} kinds[SCH_CLI_HEAT_KINDS] = {
    [SCH_CLI_HEAT_COST] = {"cost", "INSTRUCTIONS", COUNTS(instructions), 0, "instructions"},
    [SCH_CLI_HEAT_LOD] = {"lod", "LEVEL OF DETAIL", 0, 0, "texels"},
    [SCH_CLI_HEAT_TEXELS] = {"texels", "TEXELS", COUNTS(texels), 0, "texels"},
    [SCH_CLI_HEAT_DIVERGENCE] = {"divergence", "IDLE LANES", COUNTS(idle_slots), COUNTS(group_slots), "instructions"},
    [SCH_CLI_HEAT_DISCARD] = {"discard", "DISCARDED", COUNTS(discarded), 0, NULL},
    [SCH_CLI_HEAT_OVERDRAW] = {"overdraw", "OVERDRAW", COUNTS(shaded), 0, NULL},
    [SCH_CLI_HEAT_DEPTH_COMPLEXITY] = {"depth-complexity", "DEPTH COMPLEXITY", COUNTS(covered), 0, NULL},
    [SCH_CLI_HEAT_HELPERS] = {"helpers", "HELPER LANES", COUNTS(helpers), 0, NULL},
    [SCH_CLI_HEAT_NAN] = {"nan", "NOT FINITE", COUNTS(not_finite), 0, NULL},
};

static uint64_t **counts_at(struct sch_heat *heat, size_t member)
{
    return (uint64_t **)(void *)((char *)heat + member);
}

static uint64_t count_of(const struct sch_heat *heat, size_t member, size_t pixel)
{
    const uint64_t *counts;
    memcpy(&counts, (const char *)heat + member, sizeof counts);
    return counts[pixel];
}

/* Whether values are counts, which are printed and added up as such. */
static bool is_count(enum sch_cli_heat_kind kind) { return kinds[kind].counts && !kinds[kind].divisor; }

/* False: the pixel has none. */
static bool value_of(const struct sch_cli_heats *heats, enum sch_cli_heat_kind kind, size_t pixel, double *value)
{
    const struct sch_heat *heat = &heats->counts;
    if (kind == SCH_CLI_HEAT_LOD) {
        *value = (double)heat->greatest_lods[pixel];
        return *value > -128; /* no level is as low */
    }
    const uint64_t divisor = kinds[kind].divisor ? count_of(heat, kinds[kind].divisor, pixel) : 1;
    if (divisor) *value = (double)count_of(heat, kinds[kind].counts, pixel) / (double)divisor;
    return divisor != 0;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static enum sch_cli_exit wrong_kind(const struct sch_cli_verb *verb, const char *value, bool unnamed)
{
    char words[160] = "";
    for (unsigned k = 0; k < SCH_CLI_HEAT_KINDS; k++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s",
                 !k                           ? ""
                 : k + 1 < SCH_CLI_HEAT_KINDS ? ", "
                                              : " or ",
                 kinds[k].word);
    return sch_cli_usage_error(verb, "--heat is KIND=FILE%s, where KIND is %s, not %s",
                               unnamed ? ", or KIND with -o" : "", words, value);
}

enum sch_cli_exit sch_cli_heats_option(const struct sch_cli_verb *verb, struct sch_cli_heats *heats, const char *value,
                                       bool unnamed)
{
    const char *equals = strchr(value, '=');
    const size_t length = equals ? (size_t)(equals - value) : strlen(value);
    unsigned kind = 0;
    while (kind < SCH_CLI_HEAT_KINDS &&
           (strncmp(kinds[kind].word, value, length) != 0 || kinds[kind].word[length] || !length))
        kind++;
    if (kind == SCH_CLI_HEAT_KINDS || (equals && !equals[1]) || (!equals && !unnamed))
        return wrong_kind(verb, value, unnamed);
    if (heats->paths[kind]) return sch_cli_usage_error(verb, "--heat %s is there twice", kinds[kind].word);
    if (!equals && heats->unnamed)
        return sch_cli_usage_error(verb, "-o writes one picture: --heat %s needs a file, %s=FILE", kinds[kind].word,
                                   kinds[kind].word);
    heats->paths[kind] = equals ? equals + 1 : "";
    heats->count++;
    enum sch_file_kind file;
    if (equals) return sch_cli_texture_file_kind(equals + 1, &file);
    heats->unnamed = true;
    heats->of_output = (enum sch_cli_heat_kind)kind;
    return SCH_CLI_YES;
}

/* Machine code counts no instructions, Maxwell's lookups no texels. */
static bool counts(enum sch_engine engine, const char *interpreted)
{
    if (!interpreted || engine == SCH_ENGINE_AUTO || engine == SCH_ENGINE_INTERPRETER) return true;
    return engine == SCH_ENGINE_MAXWELL && strcmp(interpreted, "instructions") == 0;
}

enum sch_cli_exit sch_cli_heats_check(const struct sch_cli_verb *verb, const struct sch_cli_heats *heats, bool both,
                                      enum sch_engine engine)
{
    if (heats->count && both) return sch_cli_usage_error(verb, "--heat shows what one engine does, not --engine both");
    for (unsigned k = 0; k < SCH_CLI_HEAT_KINDS; k++)
        if (heats->paths[k] && !counts(engine, kinds[k].interpreted))
            return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                                "%s: --engine %s does not count %s: --heat %s needs --engine interp or auto",
                                verb->name, sch_cli_engine_word(engine), kinds[k].interpreted, kinds[k].word);
    return SCH_CLI_YES;
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

static bool allocate(struct sch_cli_heats *heats, enum sch_cli_heat_kind kind, size_t pixels)
{
    struct sch_heat *heat = &heats->counts;
    const size_t members[] = {kinds[kind].counts, kinds[kind].divisor};
    for (unsigned m = 0; m < 2; m++)
        if (members[m] && !(*counts_at(heat, members[m]) = calloc(pixels, sizeof(uint64_t)))) return false;
    if (kind != SCH_CLI_HEAT_LOD) return true;
    heat->greatest_lods = calloc(pixels, sizeof *heat->greatest_lods);
    for (size_t p = 0; p < pixels && heat->greatest_lods; p++) heat->greatest_lods[p] = -128;
    return heat->greatest_lods;
}

enum sch_cli_exit sch_cli_heats_allocate(struct sch_cli_heats *heats, uint32_t width, uint32_t height)
{
    heats->counts = (struct sch_heat){.size = sizeof heats->counts, .width = width, .height = height};
    for (unsigned k = 0; k < SCH_CLI_HEAT_KINDS; k++)
        if (heats->paths[k] && !allocate(heats, (enum sch_cli_heat_kind)k, (size_t)width * height))
            return sch_cli_no_memory();
    return SCH_CLI_YES;
}

void sch_cli_heats_release(struct sch_cli_heats *heats)
{
    struct sch_heat *heat = &heats->counts;
    for (unsigned k = 0; k < SCH_CLI_HEAT_KINDS; k++) {
        if (kinds[k].counts) free(*counts_at(heat, kinds[k].counts));
        if (kinds[k].divisor) free(*counts_at(heat, kinds[k].divisor));
    }
    free(heat->greatest_lods);
    *heat = (struct sch_heat){0};
}

/* ---- all pixels -------------------------------------------------------------------------------------------------- */

enum { BINS = 16 };

struct summary {
    uint64_t pixels; /* that have a value */
    double low, high, mean;
    uint64_t sum; /* of counts */
};

static void find_range(const struct sch_cli_heats *heats, enum sch_cli_heat_kind kind, struct summary *all)
{
    const size_t pixels = (size_t)heats->counts.width * heats->counts.height;
    double value, total = 0;
    *all = (struct summary){.pixels = 0};
    for (size_t p = 0; p < pixels; p++) {
        if (!value_of(heats, kind, p, &value)) continue;
        if (!all->pixels || value < all->low) all->low = value;
        if (!all->pixels || value > all->high) all->high = value;
        total += value;
        if (is_count(kind)) all->sum += count_of(&heats->counts, kinds[kind].counts, p);
        all->pixels++;
    }
    if (is_count(kind)) total = (double)all->sum;
    if (all->pixels) all->mean = total / (double)all->pixels;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

enum {
    MARGIN = 4,
    BAR = 8,
    LINE = 2 + SCH_CLI_TEXT_HEIGHT,
    LEGEND = MARGIN + BAR + 2 * LINE + MARGIN, /* the bar, its numbers, what they are */
    NARROWEST = 96,
    NUMBER = 32
};

/* Short enough for the legend: whole numbers without a point, others with two digits after it. */
static void number_text(char text[NUMBER], double value)
{
    const bool whole = value >= -1e15 && value <= 1e15 && value == (double)(int64_t)value;
    snprintf(text, NUMBER, whole ? "%.0f" : value < 1e15 ? "%.2f" : "%.3E", value);
}

static void draw_legend(struct sch_cli_render_target *render_target, uint32_t top, const struct summary *all,
                        const char *title)
{
    const struct sch_cli_color white = {255, 255, 255};
    int64_t width = (int64_t)render_target->width - 2 * MARGIN;
    for (int64_t x = 0; x < width; x++)
        sch_cli_draw_box(render_target, MARGIN + x, top + MARGIN, 1, BAR,
                         sch_cli_heat_color((float)x / (float)(width - 1)));
    for (unsigned i = 0; i < 3; i++) {
        char text[NUMBER];
        number_text(text, all->low + (all->high - all->low) * i / 2);
        int64_t bytes = (int64_t)strlen(text) * SCH_CLI_TEXT_STEP - 1;
        int64_t left = MARGIN + (width - bytes) * i / 2;
        sch_cli_draw_text(render_target, left, top + MARGIN + BAR + 2, text, white);
    }
    const int64_t bytes = (int64_t)strlen(title) * SCH_CLI_TEXT_STEP - 1;
    sch_cli_draw_text(render_target, MARGIN + (width - bytes) / 2, top + MARGIN + BAR + LINE + 2, title, white);
}

static enum sch_cli_exit write_picture(const struct sch_cli_heats *heats, enum sch_cli_heat_kind kind)
{
    const uint32_t width = heats->counts.width, height = heats->counts.height;
    struct sch_cli_render_target render_target;
    struct summary all;
    double value;
    find_range(heats, kind, &all);
    enum sch_cli_exit exit_code = sch_cli_render_target_create(&render_target, width < NARROWEST ? NARROWEST : width,
                                                               height + LEGEND, (struct sch_cli_color){0, 0, 0});
    if (exit_code != SCH_CLI_YES) return exit_code;
    const double range = all.high - all.low;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            if (value_of(heats, kind, (size_t)y * width + x, &value))
                sch_cli_draw_box(&render_target, x, y, 1, 1,
                                 sch_cli_heat_color((float)(range > 0 ? (value - all.low) / range : 0)));
    draw_legend(&render_target, height, &all, kinds[kind].title);
    exit_code = sch_cli_render_target_write(&render_target, heats->paths[kind]);
    sch_cli_render_target_release(&render_target);
    return exit_code;
}

enum sch_cli_exit sch_cli_heats_write(const struct sch_cli_heats *heats)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (unsigned k = 0; k < SCH_CLI_HEAT_KINDS && exit_code == SCH_CLI_YES; k++)
        if (heats->paths[k]) exit_code = write_picture(heats, (enum sch_cli_heat_kind)k);
    return exit_code;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void print_number(struct sch_json *json, const char *key, double value, bool count)
{
    if (count)
        sch_json_number(json, key, (uint64_t)value);
    else
        sch_json_real(json, key, value);
}

/* Bins of equal width from the least value on. Those of counts are whole numbers from `from` to `to`; the last one may
 * be narrower. For other values, the last bin includes the greatest value. */
struct histogram {
    unsigned count;
    double width;
    uint64_t pixels[BINS];
};

static void find_bins(const struct summary *all, bool count, struct histogram *histogram)
{
    const double range = all->high - all->low;
    *histogram = (struct histogram){.count = range > 0 ? BINS : 1, .width = range / BINS};
    if (!count) return;
    histogram->width = (double)(((uint64_t)range + BINS) / BINS);
    histogram->count = (unsigned)(range / histogram->width) + 1;
}

static void fill_bins(const struct sch_cli_heats *heats, enum sch_cli_heat_kind kind, const struct summary *all,
                      struct histogram *histogram)
{
    const size_t pixels = (size_t)heats->counts.width * heats->counts.height;
    double value;
    for (size_t p = 0; p < pixels; p++) {
        if (!value_of(heats, kind, p, &value)) continue;
        const unsigned bin = histogram->width > 0 ? (unsigned)((value - all->low) / histogram->width) : 0;
        histogram->pixels[bin < histogram->count ? bin : histogram->count - 1]++;
    }
}

static void print_histogram(const struct sch_cli_heats *heats, enum sch_cli_heat_kind kind, const struct summary *all,
                            struct sch_json *json)
{
    const bool count = is_count(kind);
    struct histogram histogram;
    find_bins(all, count, &histogram);
    fill_bins(heats, kind, all, &histogram);
    sch_json_list(json, "histogram", false);
    for (unsigned b = 0; b < histogram.count; b++) {
        const double from = all->low + histogram.width * b, to = from + histogram.width - (count ? 1 : 0);
        sch_json_object(json, NULL, true);
        print_number(json, "from", from, count);
        print_number(json, "to", b + 1 < histogram.count ? to : all->high, count);
        sch_json_number(json, "pixels", histogram.pixels[b]);
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void print_kind(const struct sch_cli_heats *heats, enum sch_cli_heat_kind kind, struct sch_json *json)
{
    struct summary all;
    const bool count = is_count(kind);
    find_range(heats, kind, &all);
    sch_json_object(json, kinds[kind].word, false);
    SCH_JSON_FIELDS(json, SCH_JSON_TEXT("file", heats->paths[kind]), SCH_JSON_NUMBER("pixels", all.pixels));
    if (all.pixels) {
        print_number(json, "min", all.low, count);
        print_number(json, "max", all.high, count);
        sch_json_real(json, "mean", all.mean);
        if (count) sch_json_number(json, "sum", all.sum);
        print_histogram(heats, kind, &all, json);
    }
    sch_json_close(json);
}

void sch_cli_heats_json(const struct sch_cli_heats *heats, struct sch_json *json)
{
    sch_json_object(json, "heat", false);
    for (unsigned k = 0; k < SCH_CLI_HEAT_KINDS; k++)
        if (heats->paths[k]) print_kind(heats, (enum sch_cli_heat_kind)k, json);
    sch_json_close(json);
}
