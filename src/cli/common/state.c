/* The options of samplers and views, one at a time. */
#include "state.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "../support/text.h"
#include "words.h"

void sch_cli_state_init(struct sch_cli_state *state)
{
    memset(state, 0, sizeof *state); /* states are compared byte by byte */
    state->sampler.size = sizeof state->sampler;
    state->view.size = sizeof state->view;
    state->target = SCH_TARGET_2D;
}

bool sch_cli_complain(struct sch_cli_complaint *complaint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
    va_end(arguments);
    return false;
}

typedef bool take_fn(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint);

/* The place of a word among those that an option takes; UINT32_MAX, and said. */
static uint32_t word_of(enum sch_cli_option_id id, const char *word, size_t bytes, struct sch_cli_complaint *complaint)
{
    const struct sch_cli_option *option = &sch_cli_options[id];
    struct sch_nearest nearest = sch_nearest_to(word, bytes);
    char words[160];
    const uint32_t place = sch_cli_list_find(option->values, word, bytes);
    if (place != UINT32_MAX) return place;
    sch_nearest_offer_set(&nearest, option->values);
    sch_cli_list_print(option->values, " or ", words, sizeof words);
    sch_cli_complain(complaint, "%s is %s, not %.*s%s", option->name + strlen("--"), words, (int)bytes, word,
                     sch_nearest_said(&nearest));
    return UINT32_MAX;
}

/* One word: all axes; two: s and r, and t; three: s, t, r. */
static bool take_wrap(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        const size_t bytes = strcspn(value, ",");
        const uint32_t place = word_of(SCH_OPTION_WRAP, value, bytes, complaint);
        if (place == UINT32_MAX) return false;
        const enum sch_wrap mode = (enum sch_wrap)place;
        if (axis == 0) state->sampler.wrap_s = state->sampler.wrap_t = state->sampler.wrap_r = mode;
        if (axis == 1) state->sampler.wrap_t = mode;
        if (axis == 2) state->sampler.wrap_r = mode;
        value += bytes;
        if (*value == 0) return true;
        value++;
    }
    return sch_cli_complain(complaint, "wrap modes are for three axes");
}

static bool take_target(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    const size_t bytes = strlen(value);
    if (!sch_cli_find_target(value, bytes, &state->target, &state->shadow)) {
        struct sch_nearest nearest = sch_cli_nearest_target(value, bytes);
        return sch_cli_complain(complaint, "there is no target %s%s", value, sch_nearest_said(&nearest));
    }
    state->has_target = true;
    return true;
}

static bool take_aniso(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    uint64_t number;
    if (!sch_cli_number(value, 0, 16, &number))
        return sch_cli_complain(complaint, "anisotropy is 1 to 16, not %s", value);
    state->sampler.max_anisotropy = (uint32_t)number;
    return true;
}

static bool take_border(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    if (sch_cli_read_values(value, state->border, 4) != 4)
        return sch_cli_complain(complaint, "a border colour is r,g,b,a, not %s", value);
    state->has_border = true;
    return true;
}

static bool take_swizzle(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    static const char letters[] = "xyzw01";
    if (strlen(value) != 4 || strspn(value, letters) != 4)
        return sch_cli_complain(complaint, "a swizzle is four of xyzw01, not %s", value);
    state->view.swizzled = true;
    for (unsigned i = 0; i < 4; i++) state->view.swizzle[i] = (uint8_t)(strchr(letters, value[i]) - letters);
    return true;
}

static bool take_view_format(struct sch_cli_state *state, const char *value, struct sch_cli_complaint *complaint)
{
    int number = sch_format_by_name(value);
    if (number <= 0) {
        struct sch_nearest nearest = sch_nearest_format(value, strlen(value));
        return sch_cli_complain(complaint, "there is no format %s%s", value, sch_nearest_said(&nearest));
    }
    state->view.format = number;
    return true;
}

/* N or A-B; the count may not be 0. */
static bool take_range(const char *value, uint32_t *first, uint32_t *count, struct sch_cli_complaint *complaint)
{
    enum { DIGITS = 16 };
    uint64_t a = 0, b;
    const size_t digits = strcspn(value, "-");
    bool good = digits < DIGITS && sch_text_digits(value, digits, 10, &a) && a <= INT32_MAX;
    b = a;
    if (good && value[digits]) good = sch_cli_number(value + digits + 1, a, INT32_MAX, &b);
    if (!good) return sch_cli_complain(complaint, "a range is A-B with A not above B, not %s", value);
    *first = (uint32_t)a;
    *count = (uint32_t)(b - a + 1);
    return true;
}

static bool take_float(float *to, const char *value, struct sch_cli_complaint *complaint)
{
    struct sch_cli_value number;
    if (sch_cli_read_values(value, &number, 1) != 1) return sch_cli_complain(complaint, "%s is not a number", value);
    memcpy(to, &number.bits, sizeof *to);
    return true;
}

/* What a value becomes: the number of its word, or that of a comparison; whether it is the second word; a bool, or its
 * contrary; a float; a first one and a count; what a function makes of it. */
enum becomes { WORD, COMPARISON, MADE, TRUTH, CONTRARY, FLOAT, RANGE, OWN };
#define IN(member) offsetof(struct sch_cli_state, member)
_Static_assert(sizeof(enum sch_filter) == sizeof(uint32_t), "numbers of words are written as those of 32 bits");

/* Their names and words are those of options.def. */
static const struct state_option {
    enum sch_cli_option_id id;
    enum becomes becomes;
    size_t to, has; /* where in the state; that it was given, or the other place of a word; 0: nowhere */
    take_fn *take;
} options[] = {{SCH_OPTION_WRAP, OWN, 0, 0, take_wrap},
               {SCH_OPTION_FILTER, WORD, IN(sampler.min_filter), IN(sampler.mag_filter), NULL},
               {SCH_OPTION_MIN, WORD, IN(sampler.min_filter), 0, NULL},
               {SCH_OPTION_MAG, WORD, IN(sampler.mag_filter), 0, NULL},
               {SCH_OPTION_MIP, WORD, IN(sampler.mip_filter), 0, NULL},
               {SCH_OPTION_ANISO, OWN, 0, 0, take_aniso},
               {SCH_OPTION_MIN_LOD, FLOAT, IN(sampler.min_lod), 0, NULL},
               {SCH_OPTION_MAX_LOD, FLOAT, IN(sampler.max_lod), IN(has_max_lod), NULL},
               {SCH_OPTION_LOD_BIAS, FLOAT, IN(sampler.lod_bias), 0, NULL},
               {SCH_OPTION_BORDER, OWN, 0, 0, take_border},
               {SCH_OPTION_COMPARE, COMPARISON, IN(sampler.compare), 0, NULL},
               {SCH_OPTION_UNNORMALIZED, TRUTH, IN(sampler.unnormalized), 0, NULL},
               {SCH_OPTION_SEAMLESS, CONTRARY, IN(sampler.non_seamless_cube_map), 0, NULL},
               {SCH_OPTION_REDUCTION, WORD, IN(sampler.reduction), 0, NULL},
               {SCH_OPTION_RULES, WORD, IN(sampler.rules), 0, NULL},
               {SCH_OPTION_SAMPLE_TARGET, OWN, 0, 0, take_target},
               {SCH_OPTION_SRGB, TRUTH, IN(srgb), IN(has_srgb), NULL},
               {SCH_OPTION_SWIZZLE, OWN, 0, 0, take_swizzle},
               {SCH_OPTION_VIEW_FORMAT, OWN, 0, 0, take_view_format},
               {SCH_OPTION_LEVELS, RANGE, IN(view.first_level), IN(view.level_count), NULL},
               {SCH_OPTION_LAYERS, RANGE, IN(view.first_layer), IN(view.layer_count), NULL},
               {SCH_OPTION_ELEMENTS, RANGE, IN(view.first_element), IN(view.element_count), NULL},
               {SCH_OPTION_VIEW_MIN_LOD, FLOAT, IN(view.min_lod), 0, NULL},
               {SCH_OPTION_SAMPLE_MIPS, MADE, IN(mips), 0, NULL},
               {SCH_OPTION_SAMPLE_DECODED, TRUTH, IN(decoded), 0, NULL}};

static const char *name_of(const struct state_option *option)
{
    return sch_cli_options[option->id].name + strlen("--");
}

/* `also`: the option of two filters; 0: there is one. */
static bool take_word(const struct state_option *option, char *to, char *also, const char *value,
                      struct sch_cli_complaint *complaint)
{
    uint32_t place = word_of(option->id, value, strlen(value), complaint);
    if (place == UINT32_MAX) return false;
    if (option->becomes == COMPARISON) place += SCH_COMPARE_NEVER;
    if (option->becomes == MADE)
        *(bool *)to = place > 0;
    else
        memcpy(to, &place, sizeof place);
    if (option->has) memcpy(also, &place, sizeof place);
    return true;
}

static bool take_state_option(const struct state_option *option, struct sch_cli_state *state, const char *value,
                              struct sch_cli_complaint *complaint)
{
    char *const to = (char *)state + option->to, *const has = (char *)state + option->has;
    if (option->becomes == OWN) return option->take(state, value, complaint);
    if (option->becomes == RANGE) return take_range(value, (uint32_t *)(void *)to, (uint32_t *)(void *)has, complaint);
    if (option->becomes <= MADE) return take_word(option, to, has, value, complaint);
    if (option->has) *(bool *)has = true;
    if (option->becomes == FLOAT) return take_float((float *)(void *)to, value, complaint);
    if ((*value != '0' && *value != '1') || value[1]) return sch_cli_complain(complaint, "it is 0 or 1, not %s", value);
    *(bool *)to = (*value == '1') != (option->becomes == CONTRARY);
    return true;
}

static const struct state_option *find_option(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strncmp(name_of(&options[i]), name, bytes) == 0 && !name_of(&options[i])[bytes]) return &options[i];
    return NULL;
}

enum sch_cli_taken sch_cli_state_option(struct sch_cli_state *state, const char *name, size_t name_bytes,
                                        const char *value, struct sch_cli_complaint *complaint)
{
    const struct state_option *option = find_option(name, name_bytes);
    if (!option) return SCH_CLI_NO_OPTION;
    return take_state_option(option, state, value, complaint) ? SCH_CLI_TAKEN : SCH_CLI_WRONG;
}

bool sch_cli_state_has(const char *name, size_t name_bytes) { return find_option(name, name_bytes) != NULL; }

const char *sch_cli_state_name(size_t index)
{
    return index < sizeof options / sizeof *options ? name_of(&options[index]) : NULL;
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
    return sch_cli_complain(complaint, "%s has no sRGB twin", format);
}

static bool settle_border(struct sch_cli_state *state, const char *format, struct sch_cli_complaint *complaint)
{
    if (!state->has_border) return true;
    state->sampler.border_is_words = sch_cli_format_is_integer(format);
    for (unsigned c = 0; c < 4; c++) {
        memcpy(&state->sampler.border[c], &state->border[c].bits, sizeof state->sampler.border[c]);
        state->sampler.border_words[c] = state->border[c].integer;
        if (!state->sampler.border_is_words || state->border[c].is_integer) continue;
        return sch_cli_complain(complaint, "the border colour of %s is four integers", format);
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
