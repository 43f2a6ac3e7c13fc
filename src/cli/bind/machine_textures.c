/* Textures of the command line for Maxwell code: pools of headers and samplers, memory, handles (machine.h). */
#include <stdlib.h>
#include <string.h>

#include "picture/texels.h"
#include "pools.h"
#include "setup.h"

/* ---- one texture ---- */

static bool has_plain_view(const struct sch_cli_state *state)
{
    struct sch_cli_state plain;
    sch_cli_state_init(&plain);
    return memcmp(&state->view, &plain.view, sizeof plain.view) == 0 && !state->has_srgb;
}

static enum sch_cli_exit put_texture(struct sch_cli_pool_texts *texts, struct sch_context *context, uint32_t number,
                                     const struct sch_cli_texture *texture)
{
    struct sch_cli_state state;
    memcpy(&state, &texture->options, sizeof state);
    const struct sch_cli_texels_options options = sch_cli_texels_of(texture->path, &state);
    struct sch_cli_texels texels;
    struct sch_cli_complaint complaint;
    if (!has_plain_view(&state))
        return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                            "%s: of Maxwell code --tex takes no settings of views (levels, layers, "
                            "elements, swizzle, srgb, view-format, view-min-lod)",
                            texture->path);
    enum sch_cli_exit exit_code = sch_cli_texels_load(context, &options, &texels);
    if (exit_code != SCH_CLI_YES) return exit_code;
    exit_code = sch_cli_pools_header(texts, number, texture->path, &texels);
    if (exit_code == SCH_CLI_YES && !sch_cli_state_settle(&state, texels.format, &complaint))
        exit_code = sch_cli_fail(SCH_CLI_USAGE, "%s: %s", texture->path, complaint.text);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_pools_sampler(texts, number, texture->path, &state);
    sch_resource_destroy(texels.resource);
    return exit_code;
}

/* Word N is the handle of header N and sampler N. */
static enum sch_cli_exit make_handles(struct sch_cli_setup *setup)
{
    struct sch_cli_machine *machine = &setup->machine;
    if (machine->words || setup->constants.buffer[0].registers) return SCH_CLI_YES;
    machine->words = calloc((size_t)setup->textures + 1, sizeof *machine->words);
    if (!machine->words) return sch_cli_no_memory();
    for (uint32_t i = 0; i < setup->textures; i++) machine->words[i] = i << 20 | i;
    machine->constants = (struct sch_constant_buffer){machine->words, setup->textures * sizeof *machine->words};
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_machine_make(struct sch_cli_setup *setup, struct sch_context *context)
{
    struct sch_cli_pool_texts texts = {0};
    struct sch_cli_machine *machine = &setup->machine;
    struct sch_maxwell_bindings *to = &machine->bindings;
    size_t bytes[SCH_CLI_POOLS] = {0, 0};
    enum sch_cli_exit exit_code = sch_cli_pools_begin(&texts);
    for (uint32_t i = 0; i < setup->textures && exit_code == SCH_CLI_YES; i++)
        if (setup->texture[i].path) exit_code = put_texture(&texts, context, i, &setup->texture[i]);
    exit_code = sch_cli_pools_end(&texts, exit_code, "--tex", context, machine->assembled, bytes);
    machine->texels = texts.memory;
    to->headers = machine->assembled[SCH_CLI_HEADERS];
    to->header_bytes = bytes[SCH_CLI_HEADERS];
    to->samplers = machine->assembled[SCH_CLI_SAMPLERS];
    to->sampler_bytes = bytes[SCH_CLI_SAMPLERS];
    to->memory = machine->texels;
    to->memory_bytes = texts.memory_bytes;
    to->memory_address = SCH_CLI_POOL_TEXELS;
    return exit_code == SCH_CLI_YES ? make_handles(setup) : exit_code;
}
