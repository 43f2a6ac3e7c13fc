/* See kernel.h. */
#include "kernel.h"

#include <inttypes.h>
#include <string.h>

static enum sch_cli_exit create(struct sch_cli_kernel *kernel, enum sch_engine engine, struct sch_program **program)
{
    struct sch_program_options options = kernel->setup->program;
    options.engine = engine;
    const enum sch_result result =
        sch_program_create(kernel->code.context, kernel->code.program, &options, kernel->code.list, program);
    if (result != SCH_OK) sch_cli_print_diagnostics(kernel->code.list, &kernel->code.input);
    return sch_cli_result(result, kernel->code.list, kernel->code.input.name);
}

enum sch_cli_exit sch_cli_kernel_open(struct sch_cli_kernel *kernel, const struct sch_cli_maxwell_options *options,
                                      const char *path)
{
    struct sch_cli_setup *setup = kernel->setup;
    enum sch_cli_exit exit = sch_cli_maxwell_load(options, path, &kernel->code);
    if (exit != SCH_CLI_YES) return exit;
    kernel->section.size = sizeof kernel->section;
    sch_maxwell_section(kernel->code.program, 0, &kernel->section);
    exit = create(kernel, setup->both ? SCH_ENGINE_INTERPRETER : setup->program.engine, &kernel->program);
    if (exit == SCH_CLI_YES && setup->both) exit = create(kernel, SCH_ENGINE_JIT, &kernel->again);
    return exit;
}

void sch_cli_kernel_release(struct sch_cli_kernel *kernel)
{
    sch_program_destroy(kernel->program);
    sch_program_destroy(kernel->again);
    sch_cli_maxwell_release(&kernel->code);
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
    const struct sch_cli_maxwell *code = &kernel->code;
    struct sch_dispatch_options options = kernel->setup->dispatch;
    const size_t said = sch_diagnostics_count(code->list), wrong = sch_diagnostics_errors(code->list);
    char who[96];
    options.diagnostics = code->list;
    *report = (struct sch_dispatch_report){.size = sizeof *report};
    const enum sch_result result = sch_launch_kernel(program, code->program, launch, &options, report);
    const enum sch_cli_exit warned = sch_cli_print_more_diagnostics(code->list, said, &code->input);
    if (result == SCH_OK) return warned;
    if (result == SCH_ERROR_ARGUMENT) {
        struct sch_wrong_call call = {.size = sizeof call};
        const bool known = sch_context_get_wrong_call(code->context, &call);
        return sch_cli_fail(SCH_CLI_USAGE, "%s: %s", code->input.name, known ? call.reason : sch_result_text(result));
    }
    if (sch_diagnostics_errors(code->list) > wrong) return sch_cli_exit_of(result); /* which says the place */
    const struct sch_cli_shader shader = {.input = code->input};
    name_lane(launch, report->invocation, who, sizeof who);
    return sch_cli_dispatched(kernel->setup, result, report, &shader, who);
}
