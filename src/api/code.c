/* What callers ask about machine code, on src/native. */
#include "api/run.h"

#include <stddef.h>
#include <string.h>

/* Which piece of code the caller means. */
struct wanted {
    struct sch_native_selection form;
    struct sch_api_rectangle rectangle;
    struct sch_api_bound bound;
    struct sch_arena arena; /* of the spans */
};

/* Options once ended at `quads`. */
enum { FIRST_BYTES = offsetof(struct sch_code_options, rectangle) };

/* Reports once ended at `from_cache`. */
enum { FIRST_REPORT_BYTES = offsetof(struct sch_code_report, stack_bytes) };

static enum sch_result read_options(const struct sch_program *program, const struct sch_code_options *given,
                                    struct wanted *wanted)
{
    struct sch_code_options options;
    *wanted = (struct wanted){.form = {.spans = NULL}};
    sch_arena_init(&wanted->arena, &program->context->allocator, program->context->limits.memory);
    if (!sch_sized_read(&options, sizeof options, FIRST_BYTES, given)) return SCH_ERROR_ARGUMENT;
    wanted->form = (struct sch_native_selection){.full = options.full,
                                                 .quads = options.quads,
                                                 .metered = options.bounded,
                                                 .diagnostics = sch_api_run_list(program, options.diagnostics)};
    if (!options.rectangle) return SCH_OK;
    struct sch_diagnostics *list = wanted->form.diagnostics;
    enum sch_result status = sch_api_take_rectangle(program, options.rectangle, list, &wanted->rectangle);
    if (status == SCH_OK) status = sch_api_bind(program, options.bindings, list, &wanted->bound);
    if (status == SCH_OK)
        status = sch_run_rectangle_spans(program->exec, &wanted->rectangle.given, &wanted->arena, &wanted->form.spans);
    wanted->form.in_spans = true;
    wanted->form.bindings = &wanted->bound.exec;
    return status;
}

static void release_options(const struct sch_program *program, struct wanted *wanted)
{
    sch_api_unbind(program->context, &wanted->bound);
    sch_api_release_rectangle(program->context, &wanted->rectangle);
    sch_arena_release(&wanted->arena);
}

enum sch_result sch_program_compile(const struct sch_program *program, const struct sch_code_options *options,
                                    struct sch_code_report *report)
{
    struct wanted wanted;
    if (!program) return SCH_ERROR_ARGUMENT;
    if (report && !sch_sized_fits(report->size, FIRST_REPORT_BYTES)) return SCH_ERROR_ARGUMENT;
    struct sch_native_made made = {0};
    enum sch_result status = read_options(program, options, &wanted);
    if (status == SCH_OK) status = sch_native_prepare(program->exec, &wanted.form, &made);
    release_options(program, &wanted);
    struct sch_code_report value;
    memset(&value, 0, sizeof value); /* padding, too */
    value.build_ms = made.cost.build_ms;
    value.passes_ms = made.cost.passes_ms;
    value.code_ms = made.cost.code_ms;
    value.load_ms = made.load_ms;
    value.built = made.cost.built;
    value.optimised = made.cost.optimised;
    value.object_bytes = made.object_bytes;
    value.code_bytes = made.code_bytes;
    value.too_large = made.cost.too_large;
    value.from_cache = made.from_cache;
    value.stack_bytes = made.stack_bytes;
    if (report) sch_sized_write(report, &value, sizeof value);
    return sch_api_settled(program->context, wanted.form.diagnostics, status);
}

enum sch_result sch_program_code_text(const struct sch_program *program, const struct sch_code_options *options,
                                      enum sch_code_text kind, char **text)
{
    struct wanted wanted;
    if (!text) return SCH_ERROR_ARGUMENT;
    *text = NULL;
    if (!program || (unsigned)kind > SCH_CODE_ASSEMBLY) return SCH_ERROR_ARGUMENT;
    char *made = NULL;
    enum sch_result status = read_options(program, options, &wanted);
    if (status == SCH_OK) status = sch_native_inspect(program->exec, &wanted.form, kind == SCH_CODE_ASSEMBLY, &made);
    release_options(program, &wanted);
    if (status != SCH_OK) return sch_api_settled(program->context, wanted.form.diagnostics, status);
    if (made) *text = sch_api_name(program->context, made);
    sch_native_release_text(program->exec, made);
    return *text ? SCH_OK : sch_api_no_memory(program->context, NULL);
}

enum sch_result sch_context_code_counts(struct sch_context *context, struct sch_code_counts *counts)
{
    const size_t first_bytes = offsetof(struct sch_code_counts, span_groups); /* what it once had */
    if (!context || !counts || !sch_sized_fits(counts->size, first_bytes)) return SCH_ERROR_ARGUMENT;
    const struct sch_code_counts made = sch_native_counted(context->native);
    sch_sized_write(counts, &made, sizeof made);
    return SCH_OK;
}
