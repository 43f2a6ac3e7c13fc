/* A fragment program over a rectangle of pixels: checks of what the caller gave, and its inner form. */
#include "api/run.h"

#include <string.h>

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

static void turn_register(const struct sch_rectangle_register *given, struct sch_exec_rectangle_register *made)
{
    made->system_value = given->system_value;
    made->index = given->index;
    made->planar = given->planar;
    for (unsigned c = 0; c < 4; c++) {
        made->words[c] = given->words[c];
        memcpy(made->planes[c].value, given->planes[c].value, sizeof made->planes[c].value);
        memcpy(made->planes[c].divisor, given->planes[c].divisor, sizeof made->planes[c].divisor);
    }
}

enum sch_status sch_api_take_rectangle(const struct sch_program *program, const struct sch_rectangle *caller,
                                       struct sch_diagnostics *list, struct sch_api_rectangle *taken)
{
    struct sch_rectangle given;
    *taken = (struct sch_api_rectangle){.registers = NULL};
    if (!sch_api_options(&given, sizeof given, sizeof given, caller)) return SCH_STATUS_ARGUMENT;
    if (program->stage != SCH_STAGE_FRAGMENT) {
        sch_api_refuse(list, "a rectangle for a program that is no fragment shader");
        return SCH_STATUS_ARGUMENT;
    }
    if (!rectangle_holds(&given, list)) return SCH_STATUS_ARGUMENT;
    struct sch_context *context = program->context;
    if (!sch_api_array(context, given.register_count, sizeof *taken->registers, (void **)&taken->registers) ||
        !sch_api_array(context, given.render_target_count, sizeof *taken->render_targets,
                       (void **)&taken->render_targets))
        return SCH_STATUS_MEMORY;
    for (uint32_t r = 0; r < given.register_count; r++) turn_register(&given.registers[r], &taken->registers[r]);
    for (uint32_t c = 0; c < given.render_target_count; c++)
        taken->render_targets[c] = (struct sch_exec_render_target){
            .pixels = given.render_targets[c].pixels,
            .row_bytes = given.render_targets[c].row_bytes,
            .output = given.render_targets[c].output,
            .format = given.render_targets[c].format == SCH_RENDER_TARGET_UNORM8 ? SCH_EXEC_RENDER_TARGET_UNORM8
                                                                                 : SCH_EXEC_RENDER_TARGET_WORDS};
    taken->exec = (struct sch_exec_rectangle){.x = given.x,
                                              .y = given.y,
                                              .width = given.width,
                                              .height = given.height,
                                              .registers = taken->registers,
                                              .register_count = given.register_count,
                                              .render_targets = taken->render_targets,
                                              .render_target_count = given.render_target_count};
    return SCH_STATUS_OK;
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
    struct sch_run_options run;
    if (!program || !rectangle || !sch_api_begin_run(program, options, report, &run)) return SCH_ERROR_ARGUMENT;

    struct sch_api_bound bound;
    struct sch_api_rectangle taken = {.registers = NULL};
    struct sch_run_report done = {0};
    enum sch_status status = sch_api_bind(program, bindings, run.diagnostics, &bound);
    if (status == SCH_STATUS_OK) status = sch_api_take_rectangle(program, rectangle, run.diagnostics, &taken);
    if (status == SCH_STATUS_OK) sch_api_warn_units(program, &bound.exec, run.diagnostics);
    if (status == SCH_STATUS_OK) status = sch_run_rectangle(program->exec, &bound.exec, &taken.exec, &run, &done);
    sch_api_release_rectangle(program->context, &taken);
    return sch_api_end_run(program, &bound, &run, &done, status, report);
}
