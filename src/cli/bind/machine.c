/* See machine.h. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "common/common.h"
#include "common/wrapped.h"
#include "pools.h"
#include "setup.h"

/* ---- options ---- */

static bool read_address(const char *text, uint64_t *address)
{
    if (strncmp(text, "0x", 2) == 0) text += 2;
    const size_t digits = strspn(text, "0123456789abcdefABCDEF");
    *address = strtoull(text, NULL, 16);
    return digits > 0 && digits <= 16 && !text[digits];
}

static enum sch_cli_exit take_memory(struct sch_cli_machine *machine, const struct sch_cli_arguments *arguments)
{
    const char *value = arguments->values.machine.memory, *at = value ? strrchr(value, '@') : NULL;
    if (!value) return SCH_CLI_YES;
    if (at && !read_address(at + 1, &machine->bindings.memory_address))
        return sch_cli_usage_error(arguments->verb, "--memory FILE@ADDRESS: the address is hexadecimal");
    machine->memory = at ? strndup(value, (size_t)(at - value)) : strdup(value);
    return machine->memory ? SCH_CLI_YES : sch_cli_no_memory();
}

static enum sch_cli_exit check_standard(const struct sch_cli_machine *machine,
                                        const struct sch_cli_arguments *arguments)
{
    const char *files[] = {arguments->file_count ? arguments->files[0] : NULL,
                           arguments->values.of_eval.vectors,
                           machine->headers,
                           machine->samplers,
                           machine->bank,
                           machine->memory};
    unsigned standard = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) standard += files[i] && strcmp(files[i], "-") == 0;
    if (standard < 2) return SCH_CLI_YES;
    return sch_cli_usage_error(arguments->verb, "only one file can be standard input");
}

enum sch_cli_exit sch_cli_machine_take(struct sch_cli_setup *setup, const struct sch_cli_arguments *arguments)
{
    const struct sch_cli_options_machine *given = &arguments->values.machine;
    struct sch_cli_reading *reading = &setup->reading;
    struct sch_cli_machine *machine = &setup->machine;
    if (!given->any && !arguments->values.arch.any) return SCH_CLI_YES;
    if (reading->kind != SCH_KIND_AUTO && !reading->maxwell.chosen)
        return sch_cli_usage_error(arguments->verb,
                                   "--headers, --samplers, --cbank, --memory, --arch and the like go with -x maxwell");
    if (!reading->maxwell.chosen) reading->maxwell.kind = SCH_KIND_MAXWELL;
    reading->maxwell.chosen = true;
    sch_cli_wrapped_is_maxwell();
    machine->headers = given->headers;
    machine->samplers = given->samplers;
    machine->bank = given->cbank;
    machine->bindings.via_header_binding = given->via_header_binding;
    machine->bindings.half_toward_zero = given->half == 1;
    const enum sch_cli_exit exit_code = take_memory(machine, arguments);
    return exit_code == SCH_CLI_YES ? check_standard(machine, arguments) : exit_code;
}

/* ---- files ---- */

/* A pool as bytes, or as the text of `scheelite headers`. */
static enum sch_cli_exit load_pool(struct sch_cli_machine *machine, bool samplers, const char *path, const void **pool,
                                   size_t *bytes)
{
    struct sch_cli_input *file = &machine->pools[samplers];
    if (!path) return SCH_CLI_YES;
    enum sch_cli_exit exit_code = sch_cli_read(path, file);
    if (exit_code != SCH_CLI_YES) return exit_code;
    *pool = file->data;
    *bytes = file->bytes;
    if (sch_maxwell_pool_is_text(file->data, file->bytes)) {
        exit_code = sch_cli_pool_assemble(machine->context, file, samplers, &machine->assembled[samplers], bytes);
        *pool = machine->assembled[samplers];
        return exit_code;
    }
    if (file->bytes % 32 != 0) return sch_cli_fail(SCH_CLI_NO, "%s: entries have 32 bytes", file->name);
    return SCH_CLI_YES;
}

/* Words, low byte first. */
static enum sch_cli_exit load_bank(struct sch_cli_machine *machine)
{
    struct sch_cli_input file;
    if (!machine->bank) return SCH_CLI_YES;
    enum sch_cli_exit exit_code = sch_cli_read_bytes(machine->bank, &file);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (file.bytes % 4 != 0) exit_code = sch_cli_fail(SCH_CLI_NO, "%s: words have 4 bytes", machine->bank);
    if (exit_code == SCH_CLI_YES && !(machine->words = malloc(file.bytes + 4))) exit_code = sch_cli_no_memory();
    for (size_t i = 0; exit_code == SCH_CLI_YES && i < file.bytes / 4; i++)
        machine->words[i] = sch_bytes_word(file.data, i);
    machine->constants = (struct sch_constant_buffer){.data = machine->words, .bytes = file.bytes};
    sch_cli_input_release(&file);
    return exit_code;
}

static enum sch_cli_exit load_memory(struct sch_cli_machine *machine)
{
    if (!machine->memory) return SCH_CLI_YES;
    const enum sch_cli_exit exit_code = sch_cli_read_bytes(machine->memory, &machine->memory_file);
    machine->bindings.memory = machine->memory_file.data;
    machine->bindings.memory_bytes = machine->memory_file.bytes;
    return exit_code;
}

/* Where a whole pool is missing, every lookup gets what an invalid index gives, whatever the lanes hold. */
static void warn_of_pools(const struct sch_maxwell_bindings *has, const struct sch_cli_shader *code)
{
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    const char *name = code->input.name;
    bool header = !has->headers, sampler = has->headers && !has->samplers;
    for (uint32_t n = 0; (header || sampler) && sch_maxwell_instruction(code->shader, n, &info); n++) {
        if (!info.is_texture) continue;
        if (header)
            sch_cli_warn(name, "UNBOUND_VIEW",
                         "%.*s: there are no texture headers, so each index of one is invalid "
                         "(--tex N=FILE makes them, --headers FILE has them)",
                         (int)strcspn(info.text, ";"), info.text);
        if (sampler && info.samples)
            sch_cli_warn(name, "UNBOUND_SAMPLER",
                         "%.*s: there are no samplers, so each index of one is invalid (--samplers FILE has them)",
                         (int)strcspn(info.text, ";"), info.text);
        header = false;
        sampler = sampler && !info.samples;
    }
}

enum sch_cli_exit sch_cli_machine_load(struct sch_cli_setup *setup, const struct sch_cli_shader *code,
                                       struct sch_context *context)
{
    struct sch_cli_machine *machine = &setup->machine;
    struct sch_maxwell_bindings *to = &machine->bindings;
    to->size = sizeof *to;
    machine->context = context;
    enum sch_cli_exit exit_code = load_pool(machine, false, machine->headers, &to->headers, &to->header_bytes);
    if (exit_code == SCH_CLI_YES)
        exit_code = load_pool(machine, true, machine->samplers, &to->samplers, &to->sampler_bytes);
    if (exit_code == SCH_CLI_YES) exit_code = load_bank(machine);
    if (exit_code == SCH_CLI_YES) exit_code = load_memory(machine);
    if (exit_code == SCH_CLI_YES && setup->textures) exit_code = sch_cli_machine_make(setup, context);
    if (exit_code == SCH_CLI_YES) warn_of_pools(to, code);
    return exit_code;
}

void sch_cli_machine_release(struct sch_cli_machine *machine)
{
    for (unsigned i = 0; i < 2; i++) {
        if (machine->assembled[i]) sch_free(machine->context, machine->assembled[i]);
        sch_cli_input_release(&machine->pools[i]);
    }
    sch_cli_input_release(&machine->memory_file);
    free(machine->memory);
    free(machine->texels);
    free(machine->words);
}
