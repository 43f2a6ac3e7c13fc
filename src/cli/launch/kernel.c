/* See kernel.h. */
#include "kernel.h"

#include <inttypes.h>
#include <string.h>

static enum sch_cli_exit create(struct sch_cli_kernel *kernel, enum sch_engine engine, struct sch_program **program)
{
    const struct sch_cli_shader *shader = &kernel->shader;
    struct sch_program_options options = kernel->setup->program;
    const size_t said = sch_diagnostics_count(shader->list);
    options.engine = engine;
    const enum sch_result result = sch_program_create(shader->context, shader->shader, &options, shader->list, program);
    if (result != SCH_OK) sch_cli_print_diagnostics(shader->list, &shader->input);
    if (result == SCH_OK && program == &kernel->program)
        return sch_cli_print_more_diagnostics(shader->list, said, &shader->input);
    return sch_cli_result(result, shader->list, shader->input.name);
}

enum sch_cli_exit sch_cli_kernel_prepare(struct sch_cli_kernel *kernel)
{
    const struct sch_cli_setup *setup = kernel->setup;
    const struct sch_cli_shader *shader = &kernel->shader;
    kernel->section.size = sizeof kernel->section;
    sch_maxwell_section(shader->shader, 0, &kernel->section);
    enum sch_cli_exit exit_code =
        create(kernel, setup->both ? SCH_ENGINE_INTERPRETER : setup->program.engine, &kernel->program);
    if (exit_code == SCH_CLI_YES && setup->both) exit_code = create(kernel, SCH_ENGINE_JIT, &kernel->again);
    return exit_code;
}

/* Text whose first bytes do not say so is Maxwell code all the same. */
enum sch_cli_exit sch_cli_kernel_open(struct sch_cli_kernel *kernel, const struct sch_cli_reading *reading,
                                      const char *path)
{
    struct sch_cli_reading code = *reading;
    struct sch_cli_input input;
    enum sch_cli_exit exit_code = sch_cli_read(path, &input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (!sch_cli_is_maxwell(&code.maxwell, code.kind, &input)) code.maxwell.kind = code.kind = SCH_KIND_MAXWELL;
    exit_code = sch_cli_maxwell_read(&code.maxwell, &input, &kernel->shader);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_maxwell_check(&kernel->shader);
    exit_code = sch_cli_worse(exit_code, sch_cli_print_diagnostics(kernel->shader.list, &kernel->shader.input));
    return exit_code == SCH_CLI_YES ? sch_cli_kernel_prepare(kernel) : exit_code;
}

void sch_cli_kernel_release(struct sch_cli_kernel *kernel)
{
    sch_program_destroy(kernel->program);
    sch_program_destroy(kernel->again);
    sch_cli_shader_release(&kernel->shader);
}

/* The lane, as grids count them. */
static void name_lane(const struct sch_launch *launch, uint32_t invocation, char *who, size_t bytes)
{
    uint32_t at[3] = {invocation, 0, 0}, size[3];
    uint64_t lanes = 1;
    for (unsigned d = 0; d < 3; d++) size[d] = launch->block[d] ? launch->block[d] : 1;
    for (unsigned d = 0; d < 3; d++) lanes *= size[d];
    const uint32_t block = (uint32_t)(invocation / lanes);
    at[0] = (uint32_t)(invocation % lanes);
    at[1] = at[0] / size[0] % size[1];
    at[2] = at[0] / size[0] / size[1];
    at[0] %= size[0];
    snprintf(who, bytes, "lane %" PRIu32 ",%" PRIu32 ",%" PRIu32 " of block %" PRIu32, at[0], at[1], at[2], block);
}

enum sch_cli_exit sch_cli_kernel_launch(const struct sch_cli_kernel *kernel, const struct sch_program *program,
                                        const struct sch_launch *launch, struct sch_dispatch_report *report)
{
    const struct sch_cli_shader *code = &kernel->shader;
    struct sch_dispatch_options options = kernel->setup->dispatch;
    const size_t said = sch_diagnostics_count(code->list), wrong = sch_diagnostics_errors(code->list);
    char who[96];
    options.diagnostics = code->list;
    *report = (struct sch_dispatch_report){.size = sizeof *report};
    const enum sch_result result = sch_launch_kernel(program, code->shader, launch, &options, report);
    const enum sch_cli_exit warned = sch_cli_print_more_diagnostics(code->list, said, &code->input);
    if (result == SCH_OK) return warned;
    if (result == SCH_ERROR_ARGUMENT) {
        struct sch_wrong_call call = {.size = sizeof call};
        const bool known = sch_context_get_wrong_call(code->context, &call);
        return sch_cli_fail(SCH_CLI_USAGE, "%s: %s", code->input.name, known ? call.reason : sch_result_text(result));
    }
    if (sch_diagnostics_errors(code->list) > wrong + report->findings)
        return sch_cli_exit_of(result); /* which says the place */
    name_lane(launch, report->invocation, who, sizeof who);
    return sch_cli_dispatched(kernel->setup, result, report, code, who);
}
