/* Contexts, programs and dispatches for tests of memory and work groups. */
#include "compute_support.h"
#include "engine.h"

static struct sch_shader *read_text(struct sch_context *context, struct sch_diagnostics_list *list, const char *text)
{
    struct sch_shader *shader = NULL;
    struct sch_diagnostic_info view = {.size = sizeof view};
    if (sch_shader_read(context, text, strlen(text), NULL, list, &shader) == SCH_OK) return shader;
    sch_diagnostics_get(list, 0, &view);
    fail_msg("line %u: %s", view.line, view.message);
    return NULL;
}

void compute_open(struct compute *compute, const char *text, uint32_t width)
{
    compute_open_on(compute, text, engine_wanted(SCH_ENGINE_AUTO), width);
}

void compute_open_on(struct compute *compute, const char *text, enum sch_engine engine, uint32_t width)
{
    *compute = (struct compute){.bindings = {.size = sizeof compute->bindings},
                                .options = {.size = sizeof compute->options},
                                .report = {.size = sizeof compute->report},
                                .grid = {1, 1, 1}};
    struct sch_diagnostics_list *list = NULL;
    assert_int_equal(sch_context_create(NULL, &compute->context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(compute->context, &list), SCH_OK);
    struct sch_shader *shader = read_text(compute->context, list, text);
    struct sch_program_options options = {.size = sizeof options, .engine = engine, .width = width};
    enum sch_result result = sch_program_create(compute->context, shader, &options, list, &compute->program);
    if (result != SCH_OK) {
        struct sch_diagnostic_info view = {.size = sizeof view};
        for (uint32_t i = 0; sch_diagnostics_get(list, i, &view) && view.severity != SCH_SEVERITY_ERROR; i++) continue;
        fail_msg("%s: line %u: %s", sch_result_text(result), view.line, view.message);
    }
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
}

void compute_close(struct compute *compute)
{
    sch_program_destroy(compute->program);
    sch_context_destroy(compute->context);
}

enum sch_result compute_run(struct compute *compute)
{
    compute->report = (struct sch_dispatch_report){.size = sizeof compute->report};
    return sch_dispatch_grid(compute->program, &compute->bindings, compute->grid, compute->block, &compute->options,
                             &compute->report);
}

enum sch_result compute_invoke(struct compute *compute, uint32_t count, uint32_t registers, const uint32_t *inputs,
                               const uint8_t *helpers, uint32_t *outputs)
{
    struct sch_invocations work = {.size = sizeof work,
                                   .count = count,
                                   .inputs = inputs,
                                   .input_bytes = inputs ? (size_t)count * registers * 16 : 0,
                                   .input_registers = inputs ? registers : 0,
                                   .helpers = helpers,
                                   .helper_bytes = helpers ? count : 0,
                                   .outputs = outputs,
                                   .output_bytes = outputs ? (size_t)count * registers * 16 : 0,
                                   .output_registers = outputs ? registers : 0};
    compute->report = (struct sch_dispatch_report){.size = sizeof compute->report};
    return sch_dispatch(compute->program, &compute->bindings, &work, &compute->options, &compute->report);
}
