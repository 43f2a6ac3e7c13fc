/* Textures of the command line: the option's text, and the file behind it. */
#include "texture.h"

#include <scheelite/files.h>

#include <stdlib.h>
#include <string.h>

struct word {
    const char *word;
    int value;
};

static const struct word wraps[] = {{"repeat", SCH_WRAP_REPEAT},
                                    {"clamp", SCH_WRAP_CLAMP},
                                    {"clamp_to_edge", SCH_WRAP_CLAMP_TO_EDGE},
                                    {"clamp_to_border", SCH_WRAP_CLAMP_TO_BORDER},
                                    {"mirror_repeat", SCH_WRAP_MIRROR_REPEAT},
                                    {"mirror_clamp", SCH_WRAP_MIRROR_CLAMP},
                                    {"mirror_clamp_to_edge", SCH_WRAP_MIRROR_CLAMP_TO_EDGE},
                                    {"mirror_clamp_to_border", SCH_WRAP_MIRROR_CLAMP_TO_BORDER},
                                    {NULL, 0}};
static const struct word filters[] = {{"nearest", SCH_FILTER_NEAREST}, {"linear", SCH_FILTER_LINEAR}, {NULL, 0}};
static const struct word mips[] = {
    {"none", SCH_MIP_NONE}, {"nearest", SCH_MIP_NEAREST}, {"linear", SCH_MIP_LINEAR}, {NULL, 0}};

static bool find_word(const struct word *words, const char *text, int *value)
{
    for (; words->word; words++)
        if (strcmp(words->word, text) == 0) {
            *value = words->value;
            return true;
        }
    return false;
}

static const char *const keys[] = {"wrap=", "filter=", "mip=", "aniso="};
enum { KEYS = sizeof keys / sizeof *keys, WRAP = 0, FILTER, MIP, ANISO };

/* The key that `text` begins with, or KEYS. */
static unsigned find_key(const char *text)
{
    unsigned key = 0;
    while (key < KEYS && strncmp(text, keys[key], strlen(keys[key])) != 0) key++;
    return key;
}

/* Where the file's name ends: at the first comma that a key follows; names may have commas of their own. */
static char *settings_of(char *text)
{
    for (char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ','))
        if (find_key(comma + 1) < KEYS) return comma;
    return text + strlen(text);
}

static bool take_wrap(struct sch_sampler_options *sampler, unsigned axis, const char *word)
{
    int value;
    if (axis > 2 || !find_word(wraps, word, &value)) return false;
    if (axis == 0) sampler->wrap_s = sampler->wrap_t = sampler->wrap_r = (enum sch_wrap)value;
    if (axis == 1) sampler->wrap_t = (enum sch_wrap)value;
    if (axis == 2) sampler->wrap_r = (enum sch_wrap)value;
    return true;
}

static bool take_setting(struct sch_sampler_options *sampler, unsigned key, const char *word)
{
    int value;
    uint64_t number;
    switch (key) {
    case WRAP:
        return take_wrap(sampler, 0, word);
    case FILTER:
        if (!find_word(filters, word, &value)) return false;
        sampler->min_filter = sampler->mag_filter = (enum sch_filter)value;
        return true;
    case MIP:
        if (!find_word(mips, word, &value)) return false;
        sampler->mip_filter = (enum sch_mip_filter)value;
        return true;
    case ANISO:
        if (!sch_cli_number(word, 1, 16, &number)) return false;
        sampler->max_anisotropy = (uint32_t)number;
        return true;
    default:
        return false;
    }
}

/* Reads ",key=word,word,..." and takes it apart on the way. */
static bool read_settings(struct sch_sampler_options *sampler, char *text, const char **wrong)
{
    unsigned wrap_axis = 3; /* of a word without a key: wrap=S,T,R */
    while (*text == ',') {
        char *word = ++text;
        text += strcspn(text, ",");
        char after = *text;
        *text = 0;
        *wrong = word;
        unsigned key = find_key(word);
        if (key < KEYS ? !take_setting(sampler, key, word + strlen(keys[key])) : !take_wrap(sampler, wrap_axis, word))
            return false;
        wrap_axis = key == WRAP ? 1 : key < KEYS ? 3 : wrap_axis + 1;
        *text = after;
    }
    return true;
}

enum sch_cli_exit sch_cli_texture_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    size_t digits = strspn(text, "0123456789");
    uint64_t number = 0;
    char *copy = strdup(text);
    if (!copy) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    bool good = digits && text[digits] == '=' && text[digits + 1];
    copy[digits] = 0;
    good = good && sch_cli_number(copy, 0, SCH_CLI_TEXTURES - 1, &number);
    if (!good) {
        free(copy);
        return sch_cli_usage_error(verb, "--tex is N=FILE with N from 0 to %d, not %s", SCH_CLI_TEXTURES - 1, text);
    }

    char *path = copy + digits + 1, *settings = settings_of(path);
    struct sch_cli_texture *texture = &setup->texture[number];
    const char *wrong = "";
    texture->sampler = (struct sch_sampler_options){.size = sizeof texture->sampler};
    if (!read_settings(&texture->sampler, settings, &wrong)) {
        sch_cli_usage_error(verb, "--tex: what does %s mean?", wrong);
        free(copy);
        return SCH_CLI_USAGE;
    }
    *settings = 0;
    free(texture->path);
    texture->path = strdup(path);
    free(copy);
    if (!texture->path) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    if (number >= setup->textures) setup->textures = (uint32_t)number + 1;
    return SCH_CLI_YES;
}

static enum sch_result make_texture(struct sch_context *context, struct sch_cli_texture *texture,
                                    const struct sch_picture *picture, struct sch_diagnostics_list *list)
{
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TEXTURE_2D,
                                               .format = sch_format_by_name("R8G8B8A8_UNORM"),
                                               .width = picture->width,
                                               .height = picture->height};
    enum sch_result result = sch_resource_create(context, &shape, list, &texture->resource);
    if (result == SCH_OK)
        result =
            sch_resource_write(texture->resource, 0, 0, picture->texels, (size_t)picture->width * 4, picture->height);
    if (result == SCH_OK) result = sch_view_create(texture->resource, NULL, &texture->view);
    if (result == SCH_OK) result = sch_sampler_create(context, &texture->sampler, list, &texture->state);
    return result;
}

enum sch_cli_exit sch_cli_texture_load(struct sch_context *context, struct sch_cli_texture *texture)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit = sch_cli_read(texture->path, &input);
    if (exit != SCH_CLI_YES) return exit;
    struct sch_picture picture = {0};
    struct sch_file_error error = {0};
    enum sch_result result = sch_png_read(NULL, input.data, input.bytes, &picture, &error);
    if (result != SCH_OK) {
        struct sch_cli_place place = {.input = &input};
        sch_cli_report(&place, error.code, "%s", *error.message ? error.message : sch_result_text(result));
    } else {
        struct sch_diagnostics_list *list = NULL;
        result = sch_diagnostics_create(context, &list);
        if (result == SCH_OK) result = make_texture(context, texture, &picture, list);
        sch_cli_print_diagnostics(list, NULL);
        if (result != SCH_OK && !sch_diagnostics_count(list))
            sch_cli_fail(sch_cli_exit_of(result), "%s: %s", texture->path, sch_result_text(result));
        sch_diagnostics_destroy(list);
    }
    sch_picture_release(&picture);
    sch_cli_input_release(&input);
    return sch_cli_exit_of(result);
}
