/* A fragment program over a rectangle of pixels: checks of what the caller gave. */
#include "api/run.h"

#include "base/checked.h"

static size_t pixel_bytes(enum sch_render_target_format format) { return format == SCH_RENDER_TARGET_UNORM8 ? 4 : 16; }

/* Whether the last pixel of the rectangle ends in the render target, and no row reaches into the next one. */
static bool render_target_holds(const struct sch_render_target *render_target, const struct sch_rectangle *rectangle)
{
    if ((unsigned)render_target->format > SCH_RENDER_TARGET_WORDS) return false;
    if (!rectangle->width || !rectangle->height) return true;
    size_t row = ((size_t)rectangle->x + rectangle->width) * pixel_bytes(render_target->format);
    size_t above, end;
    if (!render_target->pixels || render_target->row_bytes < row || render_target->first_row > rectangle->y)
        return false;
    const size_t last = (size_t)rectangle->y - render_target->first_row + rectangle->height - 1;
    if (!sch_mul_size(last, render_target->row_bytes, &above)) return false;
    return sch_add_size(above, row, &end) && end <= render_target->bytes;
}

static bool rectangle_holds(const struct sch_rectangle *rectangle, struct sch_diagnostics *list)
{
    const uint32_t most = SCH_RECTANGLE_SIDE;
    const char *beyond = rectangle->x > most        ? ".x"
                         : rectangle->y > most      ? ".y"
                         : rectangle->width > most  ? ".width"
                         : rectangle->height > most ? ".height"
                                                    : NULL;
    if (beyond) return sch_refuse_argument(list, beyond, "a rectangle with a side or corner beyond %u", most);
    if ((rectangle->x | rectangle->y) & 1)
        return sch_refuse_argument(list, rectangle->x & 1 ? ".x" : ".y", "a rectangle with an odd corner");
    for (uint32_t c = 0; c < rectangle->render_target_count; c++)
        if (!render_target_holds(&rectangle->render_targets[c], rectangle))
            return sch_refuse_element(list, ".render_targets[#]", c,
                                      "render_targets[%u]: a render target that does not hold the rectangle", c);
    return true;
}

/* The caller's elements, or where theirs are of another size a copy of them in `*copy` with elements of `bytes`. */
static enum sch_result take_elements(struct sch_context *context, const char *argument, const void *given,
                                     size_t stride, uint32_t count, size_t bytes, void **copy,
                                     struct sch_diagnostics *list)
{
    if (count && !given) {
        sch_refuse_argument(list, argument, "%s: %u of no array", argument + 1, count);
        return SCH_ERROR_ARGUMENT;
    }
    if (!count || stride == bytes) return SCH_OK;
    if (!sch_api_array(context, count, bytes, copy)) return SCH_ERROR_MEMORY;
    if (sch_sized_read_array(*copy, bytes, bytes, given, stride, count)) return SCH_OK;
    sch_refuse_argument(list, argument, "%s: elements of %zu bytes, or with members that this version does not have",
                        argument + 1, stride);
    return SCH_ERROR_ARGUMENT;
}

static enum sch_result take_arrays(struct sch_context *context, struct sch_diagnostics *list,
                                   struct sch_api_rectangle *taken)
{
    struct sch_rectangle *given = &taken->given;
    enum sch_result result = take_elements(context, ".registers", given->registers, given->register_stride,
                                           given->register_count, sizeof *given->registers, &taken->registers, list);
    if (result == SCH_OK)
        result = take_elements(context, ".render_targets", given->render_targets, given->render_target_stride,
                               given->render_target_count, sizeof *given->render_targets, &taken->render_targets, list);
    if (taken->registers) given->registers = taken->registers;
    if (taken->render_targets) given->render_targets = taken->render_targets;
    given->register_stride = sizeof *given->registers;
    given->render_target_stride = sizeof *given->render_targets;
    return result;
}

enum sch_result sch_api_take_rectangle(const struct sch_program *program, const struct sch_rectangle *given,
                                       struct sch_diagnostics *list, struct sch_api_rectangle *taken)
{
    *taken = (struct sch_api_rectangle){.registers = NULL};
    if (!sch_api_read_inner(list, "", &taken->given, sizeof taken->given, sizeof taken->given, given))
        return SCH_ERROR_ARGUMENT;
    if (program->stage != SCH_STAGE_FRAGMENT) {
        sch_refuse_argument(list, "program", "a rectangle for a program that is not a fragment shader");
        return SCH_ERROR_ARGUMENT;
    }
    enum sch_result result = take_arrays(program->context, list, taken);
    if (result != SCH_OK) return result;
    return rectangle_holds(&taken->given, list) ? SCH_OK : SCH_ERROR_ARGUMENT;
}

void sch_api_release_rectangle(struct sch_context *context, struct sch_api_rectangle *taken)
{
    sch_api_free(context, taken->registers);
    sch_api_free(context, taken->render_targets);
}

enum sch_result sch_dispatch_rectangle(const struct sch_program *program, const struct sch_bindings *bindings,
                                       const struct sch_rectangle *rectangle,
                                       const struct sch_dispatch_options *options, struct sch_dispatch_report *report)
{
    struct sch_api_call call;
    struct sch_run_options run;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(program), NULL, __func__, "bindings");
    if (!sch_api_given(&call, program, "program") || !sch_api_given(&call, rectangle, "rectangle") ||
        !sch_api_begin_run(&call, program->name, options, report, &run) || !sch_api_has_no_checks(&call, &run))
        return sch_api_refused(&call);

    struct sch_api_bound bound;
    struct sch_api_rectangle taken = {.registers = NULL};
    struct sch_run_report done = {0};
    enum sch_result status = sch_api_bind(program, bindings, run.diagnostics, &bound);
    call.refusal.whose = "rectangle";
    if (status == SCH_OK) status = sch_api_take_rectangle(program, rectangle, run.diagnostics, &taken);
    if (status == SCH_OK) status = sch_api_counts_heat(program, &run);
    if (status == SCH_OK) sch_api_warn_units(program, &bound.exec, run.diagnostics);
    if (status == SCH_OK) status = sch_run_rectangle(program->exec, &bound.exec, &taken.given, &run, &done);
    sch_api_release_rectangle(program->context, &taken);
    sch_api_unbind(program->context, &bound);
    return sch_api_end_run(&call, &done, program->stage, status, report);
}
