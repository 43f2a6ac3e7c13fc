/* --hwatomic, --global, --input and --fb, before and after a run. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "slots.h"

static const char *name_of(enum sch_cli_option_id option) { return sch_cli_options[option].name; }

/* The N of N=..., below `limit`; the letter that listings have may come before it, unless `letter` is 0. UINT32_MAX,
 * with the usage error reported: there is no such number. */
static uint32_t numbered(const struct sch_cli_verb *verb, const char *name, const char *text, char letter,
                         uint32_t limit, const char **rest)
{
    uint32_t number;
    const char *at = text + (letter && *text == letter);
    bool good = sch_cli_read_number(&at, &number) && *at == '=' && at[1] && number < limit;
    *rest = at + 1;
    if (good) return number;
    sch_cli_usage_error(verb, "%s is N=FILE with N from 0 to %u, not %s", name, limit - 1, text);
    return UINT32_MAX;
}

static enum sch_cli_exit take_fb(const struct sch_cli_verb *verb, struct sch_cli_memory *memory, const char *text)
{
    const char *rest, *name = name_of(SCH_OPTION_FB);
    uint32_t number = numbered(verb, name, text, 'o', SCH_CLI_IMAGES, &rest);
    return number == UINT32_MAX ? SCH_CLI_USAGE : sch_cli_image_source(verb, name, &memory->fb[number], rest);
}

enum sch_cli_exit sch_cli_memory_option(const struct sch_cli_verb *verb, struct sch_cli_memory *memory, int option,
                                        const char *text)
{
    const char *name = sch_cli_options[option].name, *rest = text;
    const bool output = option == SCH_OPTION_HWATOMIC_OUT || option == SCH_OPTION_GLOBAL_OUT;
    struct sch_cli_buffer *buffer;
    uint32_t number;
    switch (option) {
    case SCH_OPTION_FB:
        return take_fb(verb, memory, text);
    case SCH_OPTION_HWATOMIC:
    case SCH_OPTION_HWATOMIC_OUT:
        number = numbered(verb, name, text, 0, SCH_CLI_BUFFERS, &rest);
        if (number == UINT32_MAX) return SCH_CLI_USAGE;
        buffer = &memory->counters[number];
        break;
    case SCH_OPTION_GLOBAL:
    case SCH_OPTION_GLOBAL_OUT:
        buffer = &memory->global;
        break;
    case SCH_OPTION_INPUT_MEMORY:
        buffer = &memory->input;
        break;
    default:
        return SCH_CLI_INTERNAL;
    }
    if (!*rest) return sch_cli_usage_error(verb, "%s is a file, not nothing", name);
    if (!output) return sch_cli_buffer_source(verb, name, buffer, rest);
    buffer->output = rest;
    return SCH_CLI_YES;
}

static enum sch_cli_exit load(struct sch_cli_buffer *buffer, const char *output, const char *option)
{
    if (buffer->output && !buffer->source)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: there is no %s to write", output, option);
    return buffer->source ? sch_cli_buffer_load(buffer) : SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_memory_load(struct sch_cli_memory *memory, struct sch_context *context)
{
    enum sch_cli_exit exit_code = load(&memory->global, name_of(SCH_OPTION_GLOBAL_OUT), name_of(SCH_OPTION_GLOBAL));
    if (exit_code == SCH_CLI_YES) exit_code = load(&memory->input, "", name_of(SCH_OPTION_INPUT_MEMORY));
    for (unsigned i = 0; i < SCH_CLI_BUFFERS && exit_code == SCH_CLI_YES; i++)
        exit_code = load(&memory->counters[i], name_of(SCH_OPTION_HWATOMIC_OUT), name_of(SCH_OPTION_HWATOMIC));
    for (unsigned i = 0; i < SCH_CLI_IMAGES && exit_code == SCH_CLI_YES; i++)
        if (memory->fb[i].source) exit_code = sch_cli_image_load(context, &memory->fb[i]);
    return exit_code;
}

static enum sch_cli_exit write_buffer(const struct sch_cli_buffer *buffer)
{
    return buffer->output ? sch_cli_write(buffer->output, buffer->data, buffer->bytes) : SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_memory_write(const struct sch_cli_memory *memory)
{
    enum sch_cli_exit exit_code = write_buffer(&memory->global);
    for (unsigned i = 0; i < SCH_CLI_BUFFERS && exit_code == SCH_CLI_YES; i++)
        exit_code = write_buffer(&memory->counters[i]);
    return exit_code;
}

void sch_cli_memory_release(struct sch_cli_memory *memory)
{
    free(memory->global.data);
    free(memory->input.data);
    for (unsigned i = 0; i < SCH_CLI_BUFFERS; i++) free(memory->counters[i].data);
    for (unsigned i = 0; i < SCH_CLI_IMAGES; i++) {
        sch_image_destroy(memory->fb[i].image);
        sch_resource_destroy(memory->fb[i].resource);
        free(memory->fb[i].source);
    }
    memset(memory, 0, sizeof *memory);
}

void sch_cli_memory_bind(const struct sch_cli_memory *memory, struct sch_storage_buffer *counters, uint32_t count,
                         struct sch_image **color_buffers, struct sch_bindings *bindings)
{
    for (uint32_t i = 0; i < SCH_CLI_BUFFERS && i < count; i++)
        if (memory->counters[i].data)
            counters[i] = (struct sch_storage_buffer){memory->counters[i].data, memory->counters[i].bytes};
    for (unsigned i = 0; i < SCH_CLI_IMAGES; i++) color_buffers[i] = memory->fb[i].image;
    bindings->color_buffers = color_buffers;
    bindings->color_buffer_count = SCH_CLI_IMAGES;
    bindings->global_memory = (struct sch_storage_buffer){memory->global.data, memory->global.bytes};
    bindings->input_memory = (struct sch_constant_buffer){.data = memory->input.data, .bytes = memory->input.bytes};
}
