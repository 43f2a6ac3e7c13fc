/* Which draws are one: see joining.h. */
#include "pipeline/joining.h"

#include <string.h>

#include "base/clock.h"
#include "exec/engine.h"
#include "pipeline/waiting.h"

/* What its engine may refuse, or be late with, is reported by the draw itself. */
static bool is_ready(const struct sch_exec_program *program)
{
    return !program->engine->is_ready || program->engine->is_ready(program);
}

bool sch_joining_allows(const struct sch_draw_pipeline *draw)
{
    const struct sch_exec_bindings *bindings = draw->bindings[SCH_STAGE_VERTEX];
    const struct sch_exec_program *program = draw->programs[SCH_STAGE_VERTEX];
    return sch_waiting_takes_program(program) && is_ready(program) && sch_bound_fits(bindings) &&
           (!bindings || (!bindings->view_count && !bindings->sampler_count)) &&
           draw->buffer_count <= SCH_VERTEX_BUFFERS;
}

static size_t bytes_of_buffers(const struct sch_draw_pipeline *draw)
{
    return draw->buffer_count * sizeof *draw->buffers;
}

bool sch_joining_begin(struct sch_joining *joining, const struct sch_draw_context *context,
                       struct sch_draw_pipeline *draw)
{
    static const enum sch_stage stages[] = {SCH_STAGE_VERTEX, SCH_STAGE_FRAGMENT};
    for (unsigned n = 0; n < sizeof stages / sizeof *stages; n++) {
        struct sch_bound *bound = &joining->bound[stages[n]];
        if (!sch_bound_keep(bound, context->memory, draw->bindings[stages[n]])) return false;
        draw->bindings[stages[n]] = &bound->bindings;
    }
    if (draw->buffer_count) memcpy(joining->buffers, draw->buffers, bytes_of_buffers(draw));
    draw->buffers = joining->buffers;
    sch_fetcher_copy(&joining->fetcher, draw->fetcher);
    draw->fetcher = &joining->fetcher;
    joining->draw = draw;
    joining->vertices = *context->vertices;
    joining->counts = context->counts;
    joining->draws = 0;
    joining->allowed = joining->primitives = 0;
    return true;
}

/* Whether the vertices of two draws are fetched in the same way, and their program reads the same of the draw. */
static bool same_values(const struct sch_link *link, const struct sch_draw_vertices *a,
                        const struct sch_draw_vertices *b)
{
    return a->start_instance == b->start_instance &&
           (!link->vertex_value_count ||
            (sch_assembly_base_vertex(a) == sch_assembly_base_vertex(b) && a->draw_id == b->draw_id));
}

static bool same_options(const struct sch_run_options *a, const struct sch_run_options *b)
{
    return a->pool == b->pool && a->threads == b->threads && a->budget == b->budget && a->cancel == b->cancel &&
           !a->deadline == !b->deadline;
}

bool sch_joining_fits(const struct sch_joining *joining, const struct sch_draw_pipeline *draw,
                      const struct sch_draw_vertices *vertices, const struct sch_run_options *options,
                      const struct sch_draw_counts *counts)
{
    const struct sch_draw_pipeline *kept = joining->draw;
    if (!joining->draws || draw->number != kept->number || !draw->may_wait || draw->live_feedback ||
        draw->live_streams || draw->streams_out || draw->history || draw->counted != kept->counted ||
        counts != joining->counts || !same_values(draw->link, vertices, &joining->vertices) ||
        !sch_waiting_takes_options(options) || !same_options(options, &joining->options))
        return false;
    if (draw->buffer_count != kept->buffer_count ||
        (draw->buffer_count && memcmp(draw->buffers, kept->buffers, bytes_of_buffers(draw)) != 0))
        return false;
    for (unsigned stage = 0; stage < SCH_STAGE_COUNT; stage++)
        if (kept->programs[stage] &&
            (!sch_bound_fits(draw->bindings[stage]) || !sch_bound_equals(kept->bindings[stage], draw->bindings[stage])))
            return false;
    return true;
}

void sch_joining_add(struct sch_joining *joining, const struct sch_run_options *options, uint64_t primitives)
{
    const uint64_t now = options->deadline ? sch_clock_ns() : 0;
    if (options->deadline > now) joining->allowed += options->deadline - now;
    joining->options = *options;
    joining->primitives += primitives;
    joining->draws++;
}

struct sch_run_options sch_joining_options(const struct sch_joining *joining)
{
    struct sch_run_options options = joining->options;
    options.diagnostics = NULL; /* that was the call's */
    if (options.deadline) options.deadline = sch_clock_ns() + joining->allowed;
    return options;
}

void sch_joining_release(struct sch_joining *joining, struct sch_scratch *scratch)
{
    for (unsigned stage = 0; stage < SCH_STAGE_COUNT; stage++) sch_scratch_free(scratch, &joining->bound[stage].memory);
}
