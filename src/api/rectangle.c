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
    if (!render_target->pixels || render_target->row_bytes < row) return false;
    if (!sch_mul_size((size_t)rectangle->y + rectangle->height - 1, render_target->row_bytes, &above)) return false;
    return sch_add_size(above, row, &end) && end <= render_target->bytes;
}

static bool rectangle_holds(const struct sch_rectangle *rectangle, struct sch_diagnostics *list)
{
    const uint32_t most = SCH_RECTANGLE_SIDE;
    if (rectangle->x > most || rectangle->y > most || rectangle->width > most || rectangle->height > most)
        return sch_api_refuse(list, "a rectangle with a side or corner beyond %u", most);
    if ((rectangle->x | rectangle->y) & 1) return sch_api_refuse(list, "a rectangle with an odd corner");
    if (rectangle->register_count && !rectangle->registers)
        return sch_api_refuse(list, "registers: %u of no array", rectangle->register_count);
    if (rectangle->render_target_count && !rectangle->render_targets)
        return sch_api_refuse(list, "render targets: %u of no array", rectangle->render_target_count);
    for (uint32_t c = 0; c < rectangle->render_target_count; c++)
        if (!render_target_holds(&rectangle->render_targets[c], rectangle))
            return sch_api_refuse(list, "render_targets[%u]: a render target that does not hold the rectangle", c);
    return true;
}

enum sch_result sch_api_take_rectangle(const struct sch_program *program, const struct sch_rectangle *given,
                                       struct sch_diagnostics *list, struct sch_rectangle *taken)
{
    if (!sch_api_options(taken, sizeof *taken, sizeof *taken, given)) return SCH_ERROR_ARGUMENT;
    if (program->stage != SCH_STAGE_FRAGMENT) {
        sch_api_refuse(list, "a rectangle for a program that is no fragment shader");
        return SCH_ERROR_ARGUMENT;
    }
    return rectangle_holds(taken, list) ? SCH_OK : SCH_ERROR_ARGUMENT;
}

enum sch_result sch_dispatch_rectangle(const struct sch_program *program, const struct sch_bindings *bindings,
                                       const struct sch_rectangle *rectangle,
                                       const struct sch_dispatch_options *options, struct sch_dispatch_report *report)
{
    struct sch_run_options run;
    if (!program || !rectangle || !sch_api_begin_run(program, options, report, &run)) return SCH_ERROR_ARGUMENT;

    struct sch_api_bound bound;
    struct sch_rectangle taken;
    struct sch_run_report done = {0};
    enum sch_result status = sch_api_bind(program, bindings, run.diagnostics, &bound);
    if (status == SCH_OK) status = sch_api_take_rectangle(program, rectangle, run.diagnostics, &taken);
    if (status == SCH_OK) sch_api_warn_units(program, &bound.exec, run.diagnostics);
    if (status == SCH_OK) status = sch_run_rectangle(program->exec, &bound.exec, &taken, &run, &done);
    return sch_api_end_run(program, &bound, &run, &done, status, report);
}
