/* What callers learn about machine code, on src/native. */
#include "api/run.h"

#include <stddef.h>
#include <string.h>

/* Which piece of code the caller means. */
struct piece {
    struct sch_native_selection selection;
    struct sch_api_rectangle rectangle;
    struct sch_api_bound bound;
    struct sch_arena arena; /* of the spans */
};

static enum sch_result read_options(struct sch_api_call *call, const struct sch_program *program,
                                    const struct sch_code_options *given, struct piece *piece)
{
    struct sch_code_options options;
    *piece = (struct piece){.selection = {.spans = NULL}};
    sch_arena_init(&piece->arena, &program->context->allocator, program->context->limits.memory);
    if (!sch_api_read(call, "options", &options, sizeof options, sizeof options, given)) return SCH_ERROR_ARGUMENT;
    sch_api_use_list(call, options.diagnostics);
    sch_diagnostics_name(call->list, program->name);
    piece->selection = (struct sch_native_selection){
        .full = options.full, .quads = options.quads, .metered = options.bounded, .diagnostics = call->list};
    if (!options.rectangle) return SCH_OK;
    struct sch_diagnostics *list = call->list;
    call->refusal.whose = "options.rectangle";
    enum sch_result status = sch_api_take_rectangle(program, options.rectangle, list, &piece->rectangle);
    call->refusal.whose = "options.bindings";
    if (status == SCH_OK) status = sch_api_bind(program, options.bindings, list, &piece->bound);
    if (status == SCH_OK)
        status =
            sch_run_rectangle_spans(program->exec, &piece->rectangle.given, &piece->arena, &piece->selection.spans);
    piece->selection.in_spans = true;
    piece->selection.bindings = &piece->bound.exec;
    return status;
}

static void release_options(const struct sch_program *program, struct piece *piece)
{
    sch_api_unbind(program->context, &piece->bound);
    sch_api_release_rectangle(program->context, &piece->rectangle);
    sch_arena_release(&piece->arena);
}

/* The program is there, and its engine has code. */
static bool code_holds(struct sch_api_call *call, const struct sch_program *program)
{
    return sch_api_given(call, program, "program") &&
           (sch_native_has_code(program->exec) ||
            sch_refuse_argument(call->list, "program", "the program's engine has no machine code"));
}

enum sch_result sch_program_compile(const struct sch_program *program, const struct sch_code_options *options,
                                    struct sch_code_report *report)
{
    struct piece piece;
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(program), NULL, __func__, NULL);
    if (!code_holds(&call, program)) return sch_api_refused(&call);
    if (report && !sch_api_fits(&call, "report", report->size, sizeof *report)) return sch_api_refused(&call);
    struct sch_native_made made = {0};
    enum sch_result status = read_options(&call, program, options, &piece);
    if (status == SCH_OK) status = sch_native_prepare(program->exec, &piece.selection, &made);
    release_options(program, &piece);
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
    value.expected = made.expected;
    if (report) sch_sized_write(report, &value, sizeof value);
    return sch_api_end(&call, status);
}

enum sch_result sch_program_code_text(const struct sch_program *program, const struct sch_code_options *options,
                                      enum sch_code_text kind, char **text)
{
    struct piece piece;
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(program), NULL, __func__, NULL);
    if (text) *text = NULL;
    if (!code_holds(&call, program) || !sch_api_takes(call.list, "kind", (uint32_t)kind, 0, SCH_CODE_ASSEMBLY) ||
        !sch_api_given(&call, text, "text"))
        return sch_api_refused(&call);
    char *made = NULL;
    enum sch_result status = read_options(&call, program, options, &piece);
    if (status == SCH_OK)
        status = sch_native_inspect(program->exec, &piece.selection, kind == SCH_CODE_ASSEMBLY, &made);
    release_options(program, &piece);
    if (status != SCH_OK) return sch_api_end(&call, status);
    if (made) *text = sch_api_name(program->context, made);
    sch_native_release_text(program->exec, made);
    return sch_api_end(&call, *text ? SCH_OK : SCH_ERROR_MEMORY);
}

enum sch_result sch_context_start_compiler(struct sch_context *context)
{
    if (!context) return SCH_ERROR_ARGUMENT; /* and there is no context to report it to */
    return sch_native_start(context->native) ? SCH_OK : SCH_ERROR_UNSUPPORTED;
}

enum sch_result sch_context_get_machine(struct sch_context *context, struct sch_machine_info *info)
{
    struct sch_api_call call;
    sch_api_begin(&call, context, NULL, __func__, NULL);
    if (!sch_api_given(&call, context, "context") || !SCH_API_FILLS(&call, info, sizeof *info))
        return sch_api_refused(&call);
    const struct sch_ops *ops = sch_ops_for_width(0);
    const struct sch_native_description is = sch_native_describe(context->native);
    struct sch_machine_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.level = ops->name;
    made.lanes = ops->lanes;
    made.file = is.file;
    made.program = is.program;
    made.identity = is.identity;
    made.problem = is.problem;
    made.cache = is.cache;
    sch_sized_write(info, &made, sizeof made);
    return SCH_OK;
}

enum sch_result sch_context_code_counts(struct sch_context *context, struct sch_code_counts *counts)
{
    struct sch_api_call call;
    sch_api_begin(&call, context, NULL, __func__, NULL);
    if (!sch_api_given(&call, context, "context") || !SCH_API_FILLS(&call, counts, sizeof *counts))
        return sch_api_refused(&call);
    const struct sch_code_counts made = sch_native_counted(context->native);
    sch_sized_write(counts, &made, sizeof made);
    return SCH_OK;
}
