/* Lookups from options: textures by their texts, views and samplers by their states. */
#include "lookups.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "picture/texels.h"

enum { TEXTURES = 64, BINDINGS = 4096 };
static const size_t largest_texels = (size_t)256 << 20;

struct texture {
    struct sch_cli_texels_options options; /* with a text of its own */
    char *text;
    enum sch_cli_exit exit_code; /* of loading it: a bad one is reported once */
    struct sch_cli_texels texels;
};

/* A view of a texture with a sampler. They are found by what comes first. */
struct binding {
    const struct texture *texture;
    struct sch_cli_state state;
    struct sch_view *view;
    struct sch_sampler *sampler;
    const char *format;
};

struct sch_cli_lookups {
    struct sch_context *context;
    struct texture texture[TEXTURES];
    struct binding binding[BINDINGS];
    void *tree; /* of bindings */
    uint32_t textures, bindings;
    size_t bytes; /* of all texels */
};

enum sch_cli_exit sch_cli_lookups_create(struct sch_cli_lookups **lookups)
{
    struct sch_cli_lookups *made = calloc(1, sizeof *made);
    *lookups = NULL;
    if (!made) return sch_cli_no_memory();
    enum sch_result result = sch_cli_plain_context_create(&made->context);
    if (result != SCH_OK) {
        free(made);
        return sch_cli_fail(sch_cli_exit_of(result), "%s", sch_result_text(result));
    }
    *lookups = made;
    return SCH_CLI_YES;
}

static void keep_binding(void *binding) { (void)binding; }

void sch_cli_lookups_clear(struct sch_cli_lookups *lookups)
{
    tdestroy(lookups->tree, keep_binding);
    lookups->tree = NULL;
    for (uint32_t i = 0; i < lookups->bindings; i++) {
        sch_sampler_destroy(lookups->binding[i].sampler);
        sch_view_destroy(lookups->binding[i].view);
    }
    for (uint32_t i = 0; i < lookups->textures; i++) {
        sch_resource_destroy(lookups->texture[i].texels.resource);
        free(lookups->texture[i].text);
    }
    lookups->textures = lookups->bindings = 0;
    lookups->bytes = 0;
}

void sch_cli_lookups_destroy(struct sch_cli_lookups *lookups)
{
    if (!lookups) return;
    sch_cli_lookups_clear(lookups);
    sch_context_destroy(lookups->context);
    free(lookups);
}

bool sch_cli_lookups_full(const struct sch_cli_lookups *lookups)
{
    return lookups->textures == TEXTURES || lookups->bindings == BINDINGS || lookups->bytes >= largest_texels;
}

static const struct texture *find_texture(struct sch_cli_lookups *lookups, const struct sch_cli_texels_options *options)
{
    for (uint32_t i = lookups->textures; i-- > 0;) {
        const struct sch_cli_texels_options *has = &lookups->texture[i].options;
        if (has->target == options->target && has->mips == options->mips && has->has_target == options->has_target &&
            has->decoded == options->decoded && strcmp(has->text, options->text) == 0)
            return &lookups->texture[i];
    }
    struct texture *made = &lookups->texture[lookups->textures];
    *made = (struct texture){.options = *options, .text = strdup(options->text)};
    made->options.text = made->text;
    if (!made->text) return NULL;
    made->exit_code = sch_cli_texels_load(lookups->context, options, &made->texels);
    if (made->exit_code == SCH_CLI_YES)
        lookups->bytes += sch_resource_bytes(made->texels.resource) + made->texels.is.decoded_bytes;
    lookups->textures++;
    return made;
}

static int compare_bindings(const void *a, const void *b)
{
    return memcmp(a, b, offsetof(struct binding, state) + sizeof(struct sch_cli_state));
}

static enum sch_result make_binding(struct sch_cli_lookups *lookups, struct binding *binding,
                                    struct sch_cli_complaint *complaint)
{
    struct sch_cli_state settled = binding->state;
    binding->format = "";
    if (binding->texture) {
        const struct sch_cli_texels *texels = &binding->texture->texels;
        if (!sch_cli_state_settle(&settled, texels->format, complaint)) return SCH_ERROR_ARGUMENT;
        binding->format = settled.view.format ? sch_cli_format_name(settled.view.format) : texels->format;
        enum sch_result result = sch_view_create(texels->resource, &settled.view, &binding->view);
        if (result == SCH_ERROR_ARGUMENT)
            sch_cli_complain(complaint,
                             "the texture has no such view (--view-format, --srgb, --levels, --layers, --elements)");
        if (result != SCH_OK) return result;
    }
    return sch_sampler_create(lookups->context, &settled.sampler, NULL, &binding->sampler);
}

/* Finds the binding or makes it. */
static enum sch_cli_exit bind(struct sch_cli_lookups *lookups, const struct texture *texture,
                              const struct sch_cli_state *state, const struct binding **bound,
                              struct sch_cli_complaint *complaint)
{
    struct binding *made = &lookups->binding[lookups->bindings];
    *made = (struct binding){.texture = texture};
    memcpy(&made->state, state, sizeof *state);
    struct binding **found = tsearch(made, &lookups->tree, compare_bindings);
    if (!found) {
        sch_cli_complain(complaint, "out of memory");
        return SCH_CLI_LIMIT;
    }
    *bound = *found;
    if (*found != made) return SCH_CLI_YES;
    enum sch_result result = make_binding(lookups, made, complaint);
    if (result != SCH_OK) {
        tdelete(made, &lookups->tree, compare_bindings);
        sch_view_destroy(made->view);
        if (!*complaint->text) sch_cli_complain(complaint, "view and sampler: %s", sch_result_text(result));
        return sch_cli_lookup_exit(result);
    }
    lookups->bindings++;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_lookups_make(struct sch_cli_lookups *lookups, struct sch_cli_lookup_options *options,
                                       struct sch_cli_lookup *lookup, struct sch_cli_complaint *complaint)
{
    complaint->text[0] = 0;
    if (!options->texture) {
        sch_cli_complain(complaint, "which texture? (--tex)");
        return SCH_CLI_USAGE;
    }
    if (!sch_cli_lookup_of(options, &lookup->request, complaint)) return SCH_CLI_USAGE;
    const struct texture *texture = NULL;
    if (strcmp(options->texture, "none") != 0) {
        const struct sch_cli_texels_options texels = sch_cli_texels_of(options->texture, &options->state);
        texture = find_texture(lookups, &texels);
        if (!texture) {
            sch_cli_complain(complaint, "out of memory");
            return SCH_CLI_LIMIT;
        }
        if (texture->exit_code != SCH_CLI_YES) return texture->exit_code;
        options->state.target = texture->texels.is.target;
    }
    if (!sch_cli_lookup_places(options, complaint)) return SCH_CLI_USAGE;
    const struct binding *bound = NULL;
    enum sch_cli_exit exit_code = bind(lookups, texture, &options->state, &bound, complaint);
    if (exit_code != SCH_CLI_YES) return exit_code;
    lookup->context = lookups->context;
    lookup->view = bound->view;
    lookup->sampler = bound->sampler;
    lookup->format = bound->format;
    lookup->binding = (uint32_t)(bound - lookups->binding);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_lookup_exit(enum sch_result result)
{
    return result == SCH_ERROR_ARGUMENT ? SCH_CLI_USAGE : sch_cli_exit_of(result);
}

const char *sch_cli_lookup_problem(enum sch_result result)
{
    return result == SCH_ERROR_ARGUMENT ? "the target has no such operation, or the component is not 0 to 3"
                                        : sch_result_text(result);
}

enum sch_value_type sch_cli_lookup_type(const struct sch_cli_lookup *lookup)
{
    struct sch_format_info format = {.size = sizeof format};
    switch (lookup->request.operation) {
    case SCH_LOOKUP_SIZE:
    case SCH_LOOKUP_SAMPLES:
        return SCH_VALUE_INT;
    case SCH_LOOKUP_LOD:
        return SCH_VALUE_FLOAT;
    default:
        break;
    }
    if (lookup->request.compare || !*lookup->format) return SCH_VALUE_FLOAT;
    if (sch_format_get_info(sch_format_by_name(lookup->format), &format) != SCH_OK || !format.integers)
        return SCH_VALUE_FLOAT;
    return format.is_signed ? SCH_VALUE_INT : SCH_VALUE_UINT;
}
