/* Textures and samplers of the command line: what --tex N=... and --sampler N=... of run and eval say. */
#include "texture.h"

#include <stdlib.h>
#include <string.h>

#include "common/common.h"
#include "picture/texels.h"
#include "picture/texture_data.h"

/* Whether `text` begins with the key of a setting, or of a part of the file, and its sign. */
static bool is_setting(const char *text)
{
    size_t bytes = strcspn(text, "=,");
    return text[bytes] == '=' && (sch_cli_state_has(text, bytes) || sch_cli_part_has(text, bytes));
}

/* The next comma that a setting follows, or the end: names of files and values may have commas of their own. */
static char *end_of_part(char *text)
{
    for (char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ','))
        if (is_setting(comma + 1)) return comma;
    return text + strlen(text);
}

/* Reads ",key=value,..." and takes it apart on the way. Those that choose a part of the file are appended to `parts`,
 * which has the room, for the text that texels.h describes. NULL: there is no file. */
static bool read_settings(struct sch_cli_state *state, char *text, char *parts, struct sch_cli_complaint *complaint)
{
    while (*text == ',') {
        char *word = ++text, *value = strchr(word, '=') + 1;
        const size_t bytes = (size_t)(value - 1 - word);
        text = end_of_part(word);
        char after = *text;
        *text = 0;
        const enum sch_cli_taken taken = sch_cli_state_option(state, word, bytes, value, complaint);
        if (taken == SCH_CLI_NO_OPTION && parts)
            parts += sprintf(parts, ",%s", word);
        else if (taken == SCH_CLI_NO_OPTION)
            snprintf(complaint->text, sizeof complaint->text, "that belongs to a texture (--tex): %.100s", word);
        if (taken == SCH_CLI_WRONG || (taken == SCH_CLI_NO_OPTION && !parts)) return false;
        *text = after;
    }
    return true;
}

/* Reads the slot before the sign. Returns a copy of the sign and of what follows it; NULL, with the error reported: the
 * text has another form, or there is no memory. */
static char *take_slot(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, enum sch_cli_slot_kind kind,
                       const char *text, uint32_t *slot, enum sch_cli_exit *exit_code)
{
    const char *rest;
    *slot = sch_cli_take_slot(verb, setup, kind,
                              kind == SCH_CLI_TEXTURE_SLOTS ? "--tex is N=FILE" : "--sampler is N=KEY=VALUE,...", text,
                              &rest);
    *exit_code = SCH_CLI_USAGE;
    if (*slot == UINT32_MAX) return NULL;
    char *copy = strdup(rest - 1);
    *exit_code = copy ? SCH_CLI_YES : sch_cli_no_memory();
    return copy;
}

enum sch_cli_exit sch_cli_texture_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    uint32_t number;
    char *copy = take_slot(verb, setup, SCH_CLI_TEXTURE_SLOTS, text, &number, &exit_code);
    if (!copy) return exit_code;
    char *path = copy + 1, *settings = end_of_part(path);
    const size_t bytes = (size_t)(settings - path);
    struct sch_cli_texture *texture = &setup->texture[number];
    struct sch_cli_complaint complaint;
    sch_cli_state_init(&texture->options);
    free(texture->path);
    texture->path = calloc(1, strlen(path) + 1);
    if (!texture->path)
        exit_code = sch_cli_no_memory();
    else if (!read_settings(&texture->options, settings, texture->path + bytes, &complaint))
        exit_code = sch_cli_usage_error(verb, "--tex: %s", complaint.text);
    else
        memcpy(texture->path, path, bytes);
    free(copy);
    if (exit_code == SCH_CLI_YES && number >= setup->textures) setup->textures = number + 1;
    return exit_code;
}

/* Levels to choose from are asked for where there are none, and could be. */
static enum sch_cli_exit warn_of_one_level(const struct sch_cli_texture *texture, const struct sch_resource_info *is)
{
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = is->target,
                                               .width = is->width,
                                               .height = is->height,
                                               .depth = is->depth,
                                               .layers = is->layers};
    if (texture->options.sampler.mip_filter == SCH_MIP_NONE || is->levels > 1) return SCH_CLI_YES;
    if (sch_resource_full_levels(&shape) < 2) return SCH_CLI_YES;
    return sch_cli_warn(texture->path, "ONE_LEVEL", "mip=%s, and the texture has one level: mips=make makes the others",
                        texture->options.sampler.mip_filter == SCH_MIP_LINEAR ? "linear" : "nearest");
}

enum sch_cli_exit sch_cli_texture_load(struct sch_context *context, struct sch_cli_texture *texture)
{
    struct sch_cli_texels texels;
    struct sch_cli_complaint complaint;
    const struct sch_cli_texels_options options = sch_cli_texels_of(texture->path, &texture->options);
    enum sch_cli_exit exit_code = sch_cli_texels_load(context, &options, &texels);
    if (exit_code != SCH_CLI_YES) return exit_code;
    texture->resource = texels.resource;
    exit_code = warn_of_one_level(texture, &texels.is);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (!sch_cli_state_settle(&texture->options, texels.format, &complaint))
        return sch_cli_fail(SCH_CLI_USAGE, "%s: %s", texture->path, complaint.text);
    enum sch_result result = sch_view_create(texture->resource, &texture->options.view, &texture->view);
    if (result == SCH_ERROR_ARGUMENT)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: it has no such view (levels, layers, format)", texture->path);
    if (result == SCH_OK) result = sch_sampler_create(context, &texture->options.sampler, NULL, &texture->state);
    return sch_cli_result(result, NULL, texture->path);
}

/* Whether all settings are about the sampler, and none about the view or the target. */
static bool is_sampler(const struct sch_cli_state *state)
{
    struct sch_cli_state plain;
    sch_cli_state_init(&plain);
    return memcmp(&state->view, &plain.view, sizeof plain.view) == 0 && !state->has_target && !state->shadow &&
           !state->has_srgb && !state->mips && !state->decoded;
}

static enum sch_cli_exit no_setting(const struct sch_cli_verb *verb, const char *settings)
{
    struct sch_nearest nearest = sch_nearest_to(settings, strcspn(settings, "=,"));
    const char *name;
    for (size_t i = 0; (name = sch_cli_state_name(i)) != NULL; i++) sch_nearest_offer(&nearest, name);
    const char *meant = sch_nearest_said(&nearest);
    return sch_cli_usage_error(verb, "--sampler: what does %s mean?%s", settings, *meant ? meant + 1 : "");
}

enum sch_cli_exit sch_cli_sampler_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    uint32_t number;
    char *copy = take_slot(verb, setup, SCH_CLI_SAMPLER_SLOTS, text, &number, &exit_code);
    if (!copy) return exit_code;
    char *settings = copy + 1;
    struct sch_cli_sampler *sampler = &setup->sampler[number];
    struct sch_cli_complaint complaint;
    sch_cli_state_init(&sampler->options);
    if (!is_setting(settings))
        exit_code = no_setting(verb, settings);
    else {
        settings[-1] = ','; /* in place of the sign: settings begin with a comma */
        if (!read_settings(&sampler->options, settings - 1, NULL, &complaint))
            exit_code = sch_cli_usage_error(verb, "--sampler: %s", complaint.text);
        else if (!is_sampler(&sampler->options))
            exit_code = sch_cli_usage_error(verb, "--sampler: that belongs to a texture (--tex): %s", text);
    }
    free(copy);
    if (exit_code != SCH_CLI_YES) return exit_code;
    sampler->given = true;
    if (number >= setup->samplers) setup->samplers = number + 1;
    return SCH_CLI_YES;
}

/* The border colour is four words, since the texture, whose format says what they are, is not known. */
enum sch_cli_exit sch_cli_sampler_load(struct sch_context *context, struct sch_cli_sampler *sampler)
{
    struct sch_cli_state *state = &sampler->options;
    struct sch_cli_complaint complaint;
    sch_cli_state_settle(state, "R32G32B32A32_FLOAT", &complaint);
    if (state->has_border) {
        state->sampler.border_is_words = true;
        for (unsigned c = 0; c < 4; c++) state->sampler.border_words[c] = state->border[c].bits;
    }
    enum sch_result result = sch_sampler_create(context, &state->sampler, NULL, &sampler->state);
    return sch_cli_result(result, NULL, "--sampler");
}
