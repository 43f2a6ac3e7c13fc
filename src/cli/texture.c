/* Textures of the command line: the option's text, and the texels behind it. */
#include "texture.h"

#include <scheelite/files.h>

#include <stdlib.h>
#include <string.h>

/* ---- texels ------------------------------------------------------------------------------------------------------ */

/* What random:... and zero:... say. */
struct made {
    struct sch_resource_options shape;
    uint64_t seed;
    bool random;
};

/* A decimal number that `*at` begins with. */
static bool read_number(const char **at, uint64_t high, uint64_t *number)
{
    char digits[24];
    size_t count = strspn(*at, "0123456789");
    if (count == 0 || count >= sizeof digits) return false;
    memcpy(digits, *at, count);
    digits[count] = 0;
    *at += count;
    return sch_cli_number(digits, 0, high, number);
}

/* W, WxH or WxHxD. */
static bool read_size(const char **at, struct sch_resource_options *shape)
{
    uint32_t *const sides[3] = {&shape->width, &shape->height, &shape->depth};
    for (unsigned axis = 0; axis < 3; axis++) {
        uint64_t side;
        if (!read_number(at, UINT32_MAX, &side) || side == 0) return false;
        *sides[axis] = (uint32_t)side;
        if (**at != 'x') return true;
        (*at)++;
    }
    return false;
}

/* levels=N and the like. */
static bool read_part(const char **at, struct made *made)
{
    const struct {
        const char *key;
        uint32_t *number;
    } parts[] = {
        {"levels=", &made->shape.levels}, {"layers=", &made->shape.layers}, {"samples=", &made->shape.samples}};
    uint64_t number;
    if (strncmp(*at, "seed=", 5) == 0) {
        *at += 5;
        return read_number(at, UINT64_MAX, &made->seed);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t bytes = strlen(parts[i].key);
        if (strncmp(*at, parts[i].key, bytes) != 0) continue;
        *at += bytes;
        if (!read_number(at, UINT32_MAX, &number) || number == 0) return false;
        *parts[i].number = (uint32_t)number;
        return true;
    }
    return false;
}

/* Reads what follows "random:" or "zero:". */
static enum sch_cli_exit read_made(const char *text, enum sch_target target, struct made *made)
{
    bool cube = target == SCH_TARGET_CUBE || target == SCH_TARGET_CUBE_ARRAY;
    made->shape = (struct sch_resource_options){.size = sizeof made->shape, .target = target, .layers = cube ? 6 : 1};
    char name[64];
    const char *at = strchr(text, ':') + 1;
    size_t bytes = strcspn(at, ":");
    if (bytes < sizeof name) {
        memcpy(name, at, bytes);
        name[bytes] = 0;
        made->shape.format = sch_format_by_name(name);
    }
    if (made->shape.format <= 0)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: there is no format %.*s", text, (int)bytes, at);
    at += bytes;
    if (*at++ != ':' || !read_size(&at, &made->shape))
        return sch_cli_fail(SCH_CLI_USAGE, "%s: what follows the format is a size, WxHxD", text);
    while (*at == ':') {
        at++;
        if (!read_part(&at, made))
            return sch_cli_fail(SCH_CLI_USAGE, "%s: levels=N, layers=N, samples=N and seed=K may follow the size",
                                text);
    }
    return *at ? sch_cli_fail(SCH_CLI_USAGE, "%s: what does %s mean?", text, at) : SCH_CLI_YES;
}

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static enum sch_result fill_random(struct sch_resource *resource, uint64_t seed)
{
    size_t bytes = sch_resource_bytes(resource);
    uint8_t *data = malloc(bytes + 8);
    if (!data) return SCH_ERROR_MEMORY;
    for (size_t at = 0; at < bytes; at += 8) {
        uint64_t number = splitmix64(&seed);
        for (unsigned i = 0; i < 8; i++) data[at + i] = (uint8_t)(number >> (8 * i));
    }
    enum sch_result result = sch_resource_write_all(resource, data, bytes);
    free(data);
    return result;
}

/* Creates the resource; says why not. */
static enum sch_cli_exit create(struct sch_context *context, const char *text, struct sch_cli_texels *texels)
{
    struct sch_diagnostics_list *list = NULL;
    enum sch_result result = sch_diagnostics_create(context, &list);
    if (result == SCH_OK) result = sch_resource_create(context, &texels->shape, list, &texels->resource);
    sch_cli_print_diagnostics(list, NULL);
    if (result != SCH_OK && !sch_diagnostics_count(list))
        sch_cli_fail(sch_cli_exit_of(result), "%s: %s", text, sch_result_text(result));
    sch_diagnostics_destroy(list);
    texels->format = sch_cli_format_name(texels->shape.format);
    return sch_cli_exit_of(result);
}

static enum sch_cli_exit load_made(struct sch_context *context, const char *text, enum sch_target target,
                                   struct sch_cli_texels *texels)
{
    struct made made = {.random = text[0] == 'r'};
    enum sch_cli_exit exit = read_made(text, target, &made);
    if (exit != SCH_CLI_YES) return exit;
    texels->shape = made.shape;
    exit = create(context, text, texels);
    if (exit != SCH_CLI_YES || !made.random) return exit;
    enum sch_result result = fill_random(texels->resource, made.seed);
    return result == SCH_OK ? exit : sch_cli_fail(sch_cli_exit_of(result), "%s: %s", text, sch_result_text(result));
}

/* How a picture is a texture of a target: always the picture's bytes in their order. */
static void shape_of_picture(struct sch_resource_options *shape, enum sch_target target, uint32_t width,
                             uint32_t height)
{
    *shape = (struct sch_resource_options){.size = sizeof *shape,
                                           .target = target,
                                           .format = sch_format_by_name("R8G8B8A8_UNORM"),
                                           .width = width,
                                           .height = height};
    if (target == SCH_TARGET_1D_ARRAY) {
        shape->height = 1;
        shape->layers = height;
    }
    if (target == SCH_TARGET_CUBE || target == SCH_TARGET_CUBE_ARRAY) {
        shape->height = width;
        shape->layers = height / width;
    }
}

static enum sch_cli_exit load_picture(struct sch_context *context, const char *path, enum sch_target target,
                                      struct sch_cli_texels *texels)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit = sch_cli_read(path, &input);
    if (exit != SCH_CLI_YES) return exit;
    struct sch_picture picture = {.size = sizeof picture};
    struct sch_file_error error = {.size = sizeof error};
    struct sch_context_memory room = {.size = sizeof room};
    enum sch_result result = sch_context_get_memory(context, &room);
    /* It is held twice until the texture has it: refused by its header where that is too much. */
    const struct sch_file_options options = {
        .size = sizeof options, .memory = &room.memory, .max_bytes = (room.limit - room.held) / 2};
    if (result == SCH_OK) result = sch_png_read(&options, input.data, input.bytes, &picture, &error);
    if (result != SCH_OK) {
        struct sch_cli_location location = {.input = &input};
        sch_cli_report(&location, error.code, "%s", *error.message ? error.message : sch_result_text(result));
        exit = sch_cli_exit_of(result);
    } else {
        shape_of_picture(&texels->shape, target, picture.width, picture.height);
        exit = create(context, path, texels);
    }
    if (exit == SCH_CLI_YES) {
        result = sch_resource_write_all(texels->resource, picture.texels, picture.bytes);
        if (result != SCH_OK) exit = sch_cli_fail(SCH_CLI_NO, "%s: the picture has no shape of this target", path);
    }
    sch_picture_release(&picture);
    sch_cli_input_release(&input);
    return exit;
}

enum sch_cli_exit sch_cli_texels_load(struct sch_context *context, const char *text, enum sch_target target,
                                      struct sch_cli_texels *texels)
{
    *texels = (struct sch_cli_texels){0};
    bool made = strncmp(text, "random:", 7) == 0 || strncmp(text, "zero:", 5) == 0;
    enum sch_cli_exit exit =
        made ? load_made(context, text, target, texels) : load_picture(context, text, target, texels);
    if (exit == SCH_CLI_YES) return exit;
    sch_resource_destroy(texels->resource);
    texels->resource = NULL;
    return exit;
}

/* ---- --tex N=... and --sampler N=... of run and eval ------------------------------------------------------------- */

/* Whether `text` begins with the key of a setting and its sign. */
static bool is_setting(const char *text)
{
    size_t bytes = strcspn(text, "=,");
    return text[bytes] == '=' && sch_cli_state_has(text, bytes);
}

/* The next comma that a setting follows, or the end: names of files and values may have commas of their own. */
static char *end_of_part(char *text)
{
    for (char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ','))
        if (is_setting(comma + 1)) return comma;
    return text + strlen(text);
}

/* Reads ",key=value,..." and takes it apart on the way. */
static bool read_settings(struct sch_cli_state *state, char *text, struct sch_cli_complaint *complaint)
{
    while (*text == ',') {
        char *word = ++text, *value = strchr(word, '=') + 1;
        text = end_of_part(word);
        char after = *text;
        *text = 0;
        if (sch_cli_state_option(state, word, (size_t)(value - 1 - word), value, complaint) != SCH_CLI_TAKEN)
            return false;
        *text = after;
    }
    return true;
}

/* The slot before the sign; what is behind it, in a copy whose sign is the first letter: NULL when the text is not so,
 * or there is no memory, with the error said. */
static char *take_slot(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, enum sch_cli_slot_kind kind,
                       const char *text, uint32_t *slot, enum sch_cli_exit *exit)
{
    const char *rest;
    *slot = sch_cli_take_slot(verb, setup, kind,
                              kind == SCH_CLI_TEXTURE_SLOTS ? "--tex is N=FILE" : "--sampler is N=KEY=VALUE,...", text,
                              &rest);
    *exit = SCH_CLI_USAGE;
    if (*slot == UINT32_MAX) return NULL;
    char *copy = strdup(rest - 1);
    *exit = copy ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    return copy;
}

enum sch_cli_exit sch_cli_texture_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    enum sch_cli_exit exit = SCH_CLI_YES;
    uint32_t number;
    char *copy = take_slot(verb, setup, SCH_CLI_TEXTURE_SLOTS, text, &number, &exit);
    if (!copy) return exit;
    char *path = copy + 1, *settings = end_of_part(path);
    struct sch_cli_texture *texture = &setup->texture[number];
    struct sch_cli_complaint complaint;
    sch_cli_state_init(&texture->options);
    if (!read_settings(&texture->options, settings, &complaint)) {
        sch_cli_usage_error(verb, "--tex: %s", complaint.text);
        free(copy);
        return SCH_CLI_USAGE;
    }
    *settings = 0;
    free(texture->path);
    texture->path = strdup(path);
    free(copy);
    if (!texture->path) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    if (number >= setup->textures) setup->textures = number + 1;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_texture_load(struct sch_context *context, struct sch_cli_texture *texture)
{
    struct sch_cli_texels texels;
    struct sch_cli_complaint complaint;
    enum sch_cli_exit exit = sch_cli_texels_load(context, texture->path, texture->options.target, &texels);
    if (exit != SCH_CLI_YES) return exit;
    texture->resource = texels.resource;
    if (!sch_cli_state_settle(&texture->options, texels.format, &complaint))
        return sch_cli_fail(SCH_CLI_USAGE, "%s: %s", texture->path, complaint.text);
    enum sch_result result = sch_view_create(texture->resource, &texture->options.view, &texture->view);
    if (result == SCH_ERROR_ARGUMENT)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: it has no such view (levels, layers, format)", texture->path);
    if (result == SCH_OK) result = sch_sampler_create(context, &texture->options.sampler, NULL, &texture->state);
    return result == SCH_OK ? SCH_CLI_YES
                            : sch_cli_fail(sch_cli_exit_of(result), "%s: %s", texture->path, sch_result_text(result));
}

/* Whether all that was said is about the sampler: nothing of the view and the target. */
static bool is_sampler(const struct sch_cli_state *state)
{
    struct sch_cli_state plain;
    sch_cli_state_init(&plain);
    return memcmp(&state->view, &plain.view, sizeof plain.view) == 0 && state->target == plain.target &&
           !state->shadow && !state->has_srgb;
}

enum sch_cli_exit sch_cli_sampler_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    enum sch_cli_exit exit = SCH_CLI_YES;
    uint32_t number;
    char *copy = take_slot(verb, setup, SCH_CLI_SAMPLER_SLOTS, text, &number, &exit);
    if (!copy) return exit;
    char *settings = copy + 1;
    struct sch_cli_sampler *sampler = &setup->sampler[number];
    struct sch_cli_complaint complaint;
    sch_cli_state_init(&sampler->options);
    if (!is_setting(settings))
        exit = sch_cli_usage_error(verb, "--sampler: what does %s mean?", settings);
    else {
        settings[-1] = ','; /* in place of the sign: settings begin with a comma */
        if (!read_settings(&sampler->options, settings - 1, &complaint))
            exit = sch_cli_usage_error(verb, "--sampler: %s", complaint.text);
        else if (!is_sampler(&sampler->options))
            exit = sch_cli_usage_error(verb, "--sampler: that belongs to a texture (--tex): %s", text);
    }
    free(copy);
    if (exit != SCH_CLI_YES) return exit;
    sampler->given = true;
    if (number >= setup->samplers) setup->samplers = number + 1;
    return SCH_CLI_YES;
}

/* The border colour is four words, since the texture, whose format tells what they are, is not known. */
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
    return result == SCH_OK ? SCH_CLI_YES
                            : sch_cli_fail(sch_cli_exit_of(result), "--sampler: %s", sch_result_text(result));
}
