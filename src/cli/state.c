/* The options of samplers and views, one at a time. */
#include "state.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

void sch_cli_state_init(struct sch_cli_state *state)
{
    memset(state, 0, sizeof *state); /* states are compared byte by byte */
    state->sampler.size = sizeof state->sampler;
    state->view.size = sizeof state->view;
    state->target = SCH_TARGET_2D;
}

__attribute__((format(printf, 2, 3))) static enum sch_cli_taken wrong(struct sch_cli_complaint *complaint,
                                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
    va_end(arguments);
    return SCH_CLI_WRONG;
}

static enum sch_cli_taken no_word(struct sch_cli_complaint *complaint, const char *what,
                                  const struct sch_cli_word *words, const char *word, size_t bytes)
{
    struct sch_cli_nearest nearest = sch_cli_nearest_word(words, word, bytes);
    return wrong(complaint, "there is no %s %.*s%s", what, (int)bytes, word, sch_cli_nearest_said(&nearest));
}

typedef enum sch_cli_taken take_fn(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint);

static bool word_of(const struct sch_cli_word *words, const char *value, int *number,
                    struct sch_cli_complaint *complaint)
{
    if (sch_cli_find_word(words, value, strlen(value), number)) return true;
    struct sch_cli_nearest nearest = sch_cli_nearest_word(words, value, strlen(value));
    const char *meant = sch_cli_nearest_said(&nearest);
    wrong(complaint, "what does %s mean?%s", value, *meant ? meant + 1 : ""); /* without the semicolon */
    return false;
}

/* One word: all axes; two: s and r, and t; three: s, t, r. */
static enum sch_cli_taken take_wrap(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        size_t bytes = strcspn(value, ",");
        int number;
        if (!sch_cli_find_word(sch_cli_wraps, value, bytes, &number))
            return no_word(complaint, "wrap mode", sch_cli_wraps, value, bytes);
        enum sch_wrap mode = (enum sch_wrap)number;
        if (axis == 0) state->sampler.wrap_s = state->sampler.wrap_t = state->sampler.wrap_r = mode;
        if (axis == 1) state->sampler.wrap_t = mode;
        if (axis == 2) state->sampler.wrap_r = mode;
        value += bytes;
        if (*value == 0) return SCH_CLI_TAKEN;
        value++;
    }
    return wrong(complaint, "wrap modes are for three axes");
}

static enum sch_cli_taken take_min(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    int number;
    if (!word_of(sch_cli_filters, value, &number, complaint)) return SCH_CLI_WRONG;
    state->sampler.min_filter = (enum sch_filter)number;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_mag(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    int number;
    if (!word_of(sch_cli_filters, value, &number, complaint)) return SCH_CLI_WRONG;
    state->sampler.mag_filter = (enum sch_filter)number;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_filter(struct sch_cli_state *state, const char *value,
                                      struct sch_cli_complaint *complaint)
{
    if (take_min(state, value, complaint) != SCH_CLI_TAKEN) return SCH_CLI_WRONG;
    return take_mag(state, value, complaint);
}

static enum sch_cli_taken take_mip(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    int number;
    if (!word_of(sch_cli_mips, value, &number, complaint)) return SCH_CLI_WRONG;
    state->sampler.mip_filter = (enum sch_mip_filter)number;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_compare(struct sch_cli_state *state, const char *value,
                                       struct sch_cli_complaint *complaint)
{
    int number;
    if (!word_of(sch_cli_compares, value, &number, complaint)) return SCH_CLI_WRONG;
    state->sampler.compare = (enum sch_compare)number;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_reduction(struct sch_cli_state *state, const char *value,
                                         struct sch_cli_complaint *complaint)
{
    int number;
    if (!word_of(sch_cli_reductions, value, &number, complaint)) return SCH_CLI_WRONG;
    state->sampler.reduction = (enum sch_reduction)number;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_rules(struct sch_cli_state *state, const char *value,
                                     struct sch_cli_complaint *complaint)
{
    int number;
    if (!word_of(sch_cli_rules, value, &number, complaint)) return SCH_CLI_WRONG;
    state->sampler.rules = (enum sch_rules)number;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_target(struct sch_cli_state *state, const char *value,
                                      struct sch_cli_complaint *complaint)
{
    int number;
    if (!sch_cli_find_word(sch_cli_targets, value, strlen(value), &number))
        return no_word(complaint, "target", sch_cli_targets, value, strlen(value));
    state->target = (enum sch_target)(number & ~SCH_CLI_SHADOW);
    state->has_target = true;
    state->shadow = number & SCH_CLI_SHADOW;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_aniso(struct sch_cli_state *state, const char *value,
                                     struct sch_cli_complaint *complaint)
{
    uint64_t number;
    if (!sch_cli_number(value, 0, 16, &number)) return wrong(complaint, "anisotropy is 1 to 16, not %s", value);
    state->sampler.max_anisotropy = (uint32_t)number;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_float(float *to, const char *value, struct sch_cli_complaint *complaint)
{
    struct sch_cli_value number;
    if (sch_cli_read_values(value, &number, 1) != 1) return wrong(complaint, "%s is no number", value);
    memcpy(to, &number.bits, sizeof *to);
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_min_lod(struct sch_cli_state *state, const char *value,
                                       struct sch_cli_complaint *complaint)
{
    return take_float(&state->sampler.min_lod, value, complaint);
}

static enum sch_cli_taken take_max_lod(struct sch_cli_state *state, const char *value,
                                       struct sch_cli_complaint *complaint)
{
    state->has_max_lod = true;
    return take_float(&state->sampler.max_lod, value, complaint);
}

static enum sch_cli_taken take_lod_bias(struct sch_cli_state *state, const char *value,
                                        struct sch_cli_complaint *complaint)
{
    return take_float(&state->sampler.lod_bias, value, complaint);
}

static enum sch_cli_taken take_view_min_lod(struct sch_cli_state *state, const char *value,
                                            struct sch_cli_complaint *complaint)
{
    return take_float(&state->view.min_lod, value, complaint);
}

static enum sch_cli_taken take_border(struct sch_cli_state *state, const char *value,
                                      struct sch_cli_complaint *complaint)
{
    if (sch_cli_read_values(value, state->border, 4) != 4)
        return wrong(complaint, "a border colour is r,g,b,a, not %s", value);
    state->has_border = true;
    return SCH_CLI_TAKEN;
}

static bool take_bool(const char *value, bool *to, struct sch_cli_complaint *complaint)
{
    if ((*value != '0' && *value != '1') || value[1]) {
        wrong(complaint, "it is 0 or 1, not %s", value);
        return false;
    }
    *to = *value == '1';
    return true;
}

static enum sch_cli_taken take_unnormalized(struct sch_cli_state *state, const char *value,
                                            struct sch_cli_complaint *complaint)
{
    return take_bool(value, &state->sampler.unnormalized, complaint) ? SCH_CLI_TAKEN : SCH_CLI_WRONG;
}

static enum sch_cli_taken take_seamless(struct sch_cli_state *state, const char *value,
                                        struct sch_cli_complaint *complaint)
{
    bool seamless;
    if (!take_bool(value, &seamless, complaint)) return SCH_CLI_WRONG;
    state->sampler.non_seamless_cube_map = !seamless;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_srgb(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    bool srgb;
    if (!take_bool(value, &srgb, complaint)) return SCH_CLI_WRONG;
    state->has_srgb = true;
    state->srgb = srgb;
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_swizzle(struct sch_cli_state *state, const char *value,
                                       struct sch_cli_complaint *complaint)
{
    static const char letters[] = "xyzw01";
    if (strlen(value) != 4 || strspn(value, letters) != 4)
        return wrong(complaint, "a swizzle is four of xyzw01, not %s", value);
    state->view.swizzled = true;
    for (unsigned i = 0; i < 4; i++) state->view.swizzle[i] = (uint8_t)(strchr(letters, value[i]) - letters);
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_view_format(struct sch_cli_state *state, const char *value,
                                           struct sch_cli_complaint *complaint)
{
    int number = sch_format_by_name(value);
    if (number <= 0) {
        struct sch_cli_nearest nearest = sch_cli_nearest_format(value, strlen(value));
        return wrong(complaint, "there is no format %s%s", value, sch_cli_nearest_said(&nearest));
    }
    state->view.format = number;
    return SCH_CLI_TAKEN;
}

/* N or A-B; the count may not be 0. */
static enum sch_cli_taken take_range(const char *value, uint32_t *first, uint32_t *count,
                                     struct sch_cli_complaint *complaint)
{
    char low[16];
    uint64_t a, b;
    size_t digits = strcspn(value, "-");
    bool good = digits < sizeof low;
    if (good) {
        memcpy(low, value, digits);
        low[digits] = 0;
        good = sch_cli_number(low, 0, INT32_MAX, &a);
        b = a;
        if (good && value[digits]) good = sch_cli_number(value + digits + 1, a, INT32_MAX, &b);
    }
    if (!good) return wrong(complaint, "a range is A-B with A not above B, not %s", value);
    *first = (uint32_t)a;
    *count = (uint32_t)(b - a + 1);
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_levels(struct sch_cli_state *state, const char *value,
                                      struct sch_cli_complaint *complaint)
{
    return take_range(value, &state->view.first_level, &state->view.level_count, complaint);
}

static enum sch_cli_taken take_layers(struct sch_cli_state *state, const char *value,
                                      struct sch_cli_complaint *complaint)
{
    return take_range(value, &state->view.first_layer, &state->view.layer_count, complaint);
}

static enum sch_cli_taken take_elements(struct sch_cli_state *state, const char *value,
                                        struct sch_cli_complaint *complaint)
{
    return take_range(value, &state->view.first_element, &state->view.element_count, complaint);
}

static enum sch_cli_taken take_mips(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    if (strcmp(value, "none") != 0 && strcmp(value, "make") != 0 && strcmp(value, "box") != 0)
        return wrong(complaint, "mips is none, make or box, not %s", value);
    state->mips = *value != 'n';
    return SCH_CLI_TAKEN;
}

static enum sch_cli_taken take_decoded(struct sch_cli_state *state, const char *value,
                                       struct sch_cli_complaint *complaint)
{
    return take_bool(value, &state->decoded, complaint) ? SCH_CLI_TAKEN : SCH_CLI_WRONG;
}

static const struct state_option {
    const char *name;
    size_t bytes;
    take_fn *take;
} options[] = {
#define OPTION(name, take)                                                                                             \
    {                                                                                                                  \
        name, sizeof name - 1, take                                                                                    \
    }
    OPTION("wrap", take_wrap),
    OPTION("filter", take_filter),
    OPTION("min", take_min),
    OPTION("mag", take_mag),
    OPTION("mip", take_mip),
    OPTION("aniso", take_aniso),
    OPTION("min-lod", take_min_lod),
    OPTION("max-lod", take_max_lod),
    OPTION("lod-bias", take_lod_bias),
    OPTION("border", take_border),
    OPTION("compare", take_compare),
    OPTION("unnormalized", take_unnormalized),
    OPTION("seamless", take_seamless),
    OPTION("reduction", take_reduction),
    OPTION("rules", take_rules),
    OPTION("target", take_target),
    OPTION("srgb", take_srgb),
    OPTION("swizzle", take_swizzle),
    OPTION("view-format", take_view_format),
    OPTION("levels", take_levels),
    OPTION("layers", take_layers),
    OPTION("elements", take_elements),
    OPTION("view-min-lod", take_view_min_lod),
    OPTION("mips", take_mips),
    OPTION("decoded", take_decoded),
#undef OPTION
};

static const struct state_option *find_option(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].bytes == bytes && memcmp(options[i].name, name, bytes) == 0) return &options[i];
    return NULL;
}

enum sch_cli_taken sch_cli_state_option(struct sch_cli_state *state, const char *name, size_t name_bytes,
                                        const char *value, struct sch_cli_complaint *complaint)
{
    const struct state_option *option = find_option(name, name_bytes);
    return option ? option->take(state, value, complaint) : SCH_CLI_NO_OPTION;
}

bool sch_cli_state_has(const char *name, size_t name_bytes) { return find_option(name, name_bytes) != NULL; }

const char *sch_cli_state_name(size_t index)
{
    return index < sizeof options / sizeof *options ? options[index].name : NULL;
}

bool sch_cli_format_is_integer(const char *format)
{
    struct sch_format_info is = {.size = sizeof is};
    return sch_format_get_info(sch_format_by_name(format), &is) == SCH_OK && is.integers;
}

const char *sch_cli_format_name(int format)
{
    struct sch_format_info is = {.size = sizeof is};
    return sch_format_get_info((enum sch_format)format, &is) == SCH_OK ? is.name : "?";
}

/* The number of the format's name with the one word in place of the other; NONE: there is no such format. */
static enum sch_format replaced(const char *format, const char *from, const char *to)
{
    char name[80];
    const char *at = strstr(format, from);
    if (!at) return SCH_FORMAT_NONE;
    snprintf(name, sizeof name, "%.*s%s%s", (int)(at - format), format, to, at + strlen(from));
    return sch_format_by_name(name);
}

enum sch_format sch_cli_format_twin(const char *format, bool srgb)
{
    /* R8G8B8A8_UNORM, BPTC_RGBA_UNORM, DXT1_RGBA, ETC2_RGB8, ASTC_4x4 */
    static const char *const pairs[][2] = {
        {"_RGBA_UNORM", "_SRGBA"}, {"UNORM", "SRGB"}, {"RGBA", "SRGBA"}, {"RGB", "SRGB"}};
    char longer[80];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const enum sch_format twin = replaced(format, pairs[i][!srgb], pairs[i][srgb]);
        if (twin > SCH_FORMAT_NONE) return twin;
    }
    if (!srgb) return replaced(format, "_SRGB", "");
    snprintf(longer, sizeof longer, "%s_SRGB", format);
    return sch_format_by_name(longer);
}

static bool settle_srgb(struct sch_cli_state *state, const char *format, struct sch_cli_complaint *complaint)
{
    struct sch_format_info is = {.size = sizeof is};
    sch_format_get_info(sch_format_by_name(format), &is);
    if (!state->has_srgb || is.srgb == state->srgb) return true;
    const enum sch_format twin = sch_cli_format_twin(format, state->srgb);
    if (twin > SCH_FORMAT_NONE) {
        state->view.format = twin;
        return true;
    }
    wrong(complaint, "%s has no sRGB twin", format);
    return false;
}

static bool settle_border(struct sch_cli_state *state, const char *format, struct sch_cli_complaint *complaint)
{
    if (!state->has_border) return true;
    state->sampler.border_is_words = sch_cli_format_is_integer(format);
    for (unsigned c = 0; c < 4; c++) {
        memcpy(&state->sampler.border[c], &state->border[c].bits, sizeof state->sampler.border[c]);
        state->sampler.border_words[c] = state->border[c].integer;
        if (!state->sampler.border_is_words || state->border[c].is_integer) continue;
        wrong(complaint, "the border colour of %s is four integers", format);
        return false;
    }
    return true;
}

bool sch_cli_state_settle(struct sch_cli_state *state, const char *format, struct sch_cli_complaint *complaint)
{
    /* 0 and 0 would be no limit to the library; where the least level is 0, any number below it is the same. */
    if (state->has_max_lod && state->sampler.max_lod == 0 && state->sampler.min_lod == 0) state->sampler.max_lod = -1;
    if (state->view.format) format = sch_cli_format_name(state->view.format);
    return settle_srgb(state, format, complaint) && settle_border(state, format, complaint);
}
