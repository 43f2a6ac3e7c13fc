/* Draws: resolves the handles of a call, checks it, and gives its draws to src/pipeline one after the other, also those
 * that a buffer counts. */
#include <stdatomic.h>
#include <string.h>

#include "api/draw.h"
#include "api/run.h"
#include "base/clock.h"
#include "exec/program.h"

/* A call while it runs. Begins as it is: what a draw has little of is not worth being cleared. */
struct call {
    struct sch_renderer *renderer;
    struct sch_diagnostics *list;
    struct sch_draw_state state;
    struct sch_draw draw;
    struct sch_draw_memory buffers[SCH_VERTEX_BUFFERS];
    struct sch_draw_memory indices;
    struct sch_api_bound bound[SCH_STAGE_COUNT];
    uint32_t bound_stages;              /* bits: of `bound` */
    struct sch_draw_pipeline *pipeline; /* the renderer's */
    struct sch_run_options run;
    struct sch_run_report done; /* of the draw that ended last; `instructions` of all */
    enum sch_stage stage;
    bool reports; /* the caller wants to know what the draw did */
};

/* ---- memory ---- */

/* What the caller calls a thing: in words, and as an argument (isa/errors.h) with an index. */
struct named {
    const char *what, *argument;
    uint32_t index;
};

static bool is_buffer(const struct call *call, const struct sch_resource *resource, const struct named *named)
{
    if (resource->context != call->renderer->context)
        return sch_refuse_element(call->list, named->argument, named->index, "draw: %s is of another context",
                                  named->what);
    if (sch_texture_resource_shape(resource->texture)->target == SCH_TARGET_BUFFER) return true;
    return sch_refuse_element(call->list, named->argument, named->index, "draw: %s is not a BUFFER", named->what);
}

/* All bytes of a resource that is a BUFFER. */
static struct sch_draw_memory bytes_of(const struct sch_resource *resource)
{
    return (struct sch_draw_memory){sch_texture_of(resource->texture)->level[0].texels,
                                    sch_texture_resource_bytes(resource->texture)};
}

/* An offset beyond the end leaves nothing, which reads as memory beyond the end does. */
static bool take_memory(const struct call *call, const struct sch_vertex_buffer *given, const struct named *named,
                        struct sch_draw_memory *taken)
{
    *taken = (struct sch_draw_memory){given->memory, given->memory_bytes};
    if (given->resource) {
        if (!is_buffer(call, given->resource, named)) return false;
        *taken = bytes_of(given->resource);
    } else if (given->memory_bytes && !given->memory) {
        return sch_refuse_element(call->list, named->argument, named->index, "draw: %s: %zu bytes of no memory",
                                  named->what, given->memory_bytes);
    }
    const uint64_t skipped = given->offset < taken->bytes ? given->offset : taken->bytes;
    if (skipped) taken->data += skipped;
    taken->bytes -= skipped;
    return true;
}

static bool take_vertex_buffers(struct call *call)
{
    const struct sch_draw_state *state = &call->state;
    const uint32_t count = state->vertex_buffer_count;
    if (count > SCH_VERTEX_BUFFERS)
        return sch_refuse_argument(call->list, ".vertex_buffer_count", "draw: %u vertex buffers, of at most %d", count,
                                   SCH_VERTEX_BUFFERS);
    if (count && !state->vertex_buffers)
        return sch_refuse_argument(call->list, ".vertex_buffers", "draw: %u vertex buffers of no array", count);
    for (uint32_t i = 0; i < count; i++) {
        struct sch_vertex_buffer buffer;
        const char *at = (const char *)state->vertex_buffers + i * state->vertex_buffer_stride;
        if (!sch_sized_read_array(&buffer, sizeof buffer, sizeof buffer, at, state->vertex_buffer_stride, 1))
            return sch_refuse_argument(call->list, ".vertex_buffer_stride",
                                       "draw: vertex buffers of %zu bytes, or with members that this "
                                       "version does not have",
                                       state->vertex_buffer_stride);
        const struct named named = {"a vertex buffer", ".vertex_buffers[#]", i};
        if (!take_memory(call, &buffer, &named, &call->buffers[i])) return false;
    }
    return true;
}

/* ---- the call ---- */

static bool refuse_primitive(const struct call *call)
{
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_PRIMITIVE, (unsigned)call->draw.primitive);
    sch_note_refusal(call->list, "draw.primitive", 0, "the pipeline does not take %s", word ? word->word : "?");
    sch_diagnostics_add(call->list, sch_diagnostic_severity(SCH_D_LINK_PRIMITIVE), SCH_D_LINK_PRIMITIVE,
                        (struct sch_position){0}, "draw: the pipeline does not take %s", word ? word->word : "?");
    return false;
}

static bool primitive_holds(const struct call *call)
{
    const struct sch_draw *draw = &call->draw;
    if ((unsigned)draw->primitive > SCH_PRIMITIVE_PATCHES)
        return sch_refuse_argument(call->list, "draw.primitive", "draw: primitive %u does not exist",
                                   (unsigned)draw->primitive);
    if (!sch_link_takes(&call->state.pipeline->link, draw->primitive)) return refuse_primitive(call);
    const uint32_t bytes = draw->index_bytes;
    if (bytes == 0 || bytes == 1 || bytes == 2 || bytes == 4) return true;
    return sch_refuse_argument(call->list, "draw.index_bytes", "draw: indices of %u bytes, of 1, 2 or 4", bytes);
}

static bool indirect_holds(const struct call *call)
{
    const struct sch_draw *draw = &call->draw;
    static const struct named indirect = {"indirect", "draw.indirect", 0},
                              count_buffer = {"count_buffer", "draw.count_buffer", 0};
    const char *unaligned = draw->indirect_offset % 4   ? "draw.indirect_offset"
                            : draw->indirect_stride % 4 ? "draw.indirect_stride"
                            : draw->count_offset % 4    ? "draw.count_offset"
                                                        : NULL;
    if (draw->count_buffer && !draw->indirect)
        return sch_refuse_argument(call->list, "draw.count_buffer", "draw: count_buffer without indirect");
    if (!draw->indirect) return true;
    if (draw->ranges) return sch_refuse_argument(call->list, "draw.ranges", "draw: ranges and indirect");
    if (unaligned)
        return sch_refuse_argument(call->list, unaligned, "draw: an indirect offset or stride is not a multiple of 4");
    return is_buffer(call, draw->indirect, &indirect) &&
           (!draw->count_buffer || is_buffer(call, draw->count_buffer, &count_buffer));
}

static bool count_holds(const struct call *call)
{
    const struct sch_draw *draw = &call->draw;
    if (!draw->count_target) return true;
    if (draw->count_target->context != call->renderer->context)
        return sch_refuse_argument(call->list, "draw.count_target", "draw: count_target is of another context");
    if (!draw->ranges && !draw->indirect && !draw->index_bytes) return true;
    return sch_refuse_argument(call->list, "draw.count_target", "draw: count_target with %s",
                               draw->ranges     ? "ranges"
                               : draw->indirect ? "indirect"
                                                : "indices");
}

static bool draw_holds(struct call *call)
{
    static const struct named indices = {"indices", "draw.indices", 0};
    const struct sch_draw *draw = &call->draw;
    if (draw->range_count && !draw->ranges)
        return sch_refuse_argument(call->list, "draw.ranges", "draw: %u ranges of no array", draw->range_count);
    return primitive_holds(call) && indirect_holds(call) && count_holds(call) &&
           (!draw->index_bytes || take_memory(call, &draw->indices, &indices, &call->indices));
}

/* `argument` is the member of the state, after a dot. */
static bool is_here(const struct call *call, const struct sch_context *context, const char *argument)
{
    return context == call->renderer->context ||
           sch_refuse_argument(call->list, argument, "draw: %s is of another context", argument + 1);
}

/* ---- state that is kept ---- */

/* An object of another context is not kept. */
#define NUMBER_OF(context_, object) (!(object) ? 0 : (object)->context == (context_) ? (object)->number : UINT64_MAX)

static void list_numbers(const struct call *call, uint64_t numbers[SCH_API_STATE_OBJECTS])
{
    const struct sch_draw_state *state = &call->state;
    const struct sch_context *context = call->renderer->context;
    numbers[0] = NUMBER_OF(context, state->pipeline);
    numbers[1] = NUMBER_OF(context, state->framebuffer);
    numbers[2] = NUMBER_OF(context, state->vertex_elements);
    numbers[3] = NUMBER_OF(context, state->rasterizer);
    numbers[4] = NUMBER_OF(context, state->depth_stencil_alpha);
    numbers[5] = NUMBER_OF(context, state->blend);
}

static bool same_dynamic(const struct sch_api_kept *kept, const struct sch_dynamic_state *given)
{
    if (!given || !kept->own_dynamic) return !given && !kept->own_dynamic;
    return given->size == sizeof *given && memcmp(given, &kept->dynamic, sizeof *given) == 0;
}

/* Whether the state is that of the draw before, which was right. If not, nothing is kept until this one is known to be
 * right. */
static bool is_kept(const struct call *call)
{
    struct sch_api_kept *kept = &call->renderer->kept;
    uint64_t numbers[SCH_API_STATE_OBJECTS];
    list_numbers(call, numbers);
    if (kept->pipeline.number && memcmp(numbers, kept->numbers, sizeof numbers) == 0 &&
        same_dynamic(kept, call->state.dynamic))
        return true;
    memcpy(kept->numbers, numbers, sizeof numbers);
    kept->own_dynamic = call->state.dynamic != NULL;
    kept->pipeline.number = 0;
    return false;
}

static bool objects_hold(const struct call *call)
{
    const struct sch_draw_state *state = &call->state;
    if (!state->pipeline || !state->framebuffer)
        return sch_refuse_argument(call->list, state->pipeline ? ".framebuffer" : ".pipeline", "draw: no %s",
                                   state->pipeline ? "framebuffer" : "pipeline");
    return is_here(call, state->pipeline->context, ".pipeline") &&
           is_here(call, state->framebuffer->context, ".framebuffer") &&
           (!state->vertex_elements || is_here(call, state->vertex_elements->context, ".vertex_elements")) &&
           (!state->rasterizer || is_here(call, state->rasterizer->context, ".rasterizer")) &&
           (!state->depth_stencil_alpha ||
            is_here(call, state->depth_stencil_alpha->context, ".depth_stencil_alpha")) &&
           (!state->blend || is_here(call, state->blend->context, ".blend"));
}

/* What is NULL is the default. */
static bool take_state(const struct call *call)
{
    static const struct sch_fetcher none;
    const struct sch_draw_state *state = &call->state;
    struct sch_draw_pipeline *pipeline = call->pipeline;
    pipeline->link = &state->pipeline->link;
    for (unsigned stage = 0; stage < SCH_STAGE_COUNT; stage++) {
        const struct sch_program *program = state->pipeline->programs[stage];
        pipeline->programs[stage] = program ? program->exec : NULL;
        pipeline->bindings[stage] = NULL;
    }
    pipeline->framebuffer = &state->framebuffer->draw;
    pipeline->fetcher = state->vertex_elements ? &state->vertex_elements->fetcher : &none;
    pipeline->rasterizer = state->rasterizer ? &state->rasterizer->state : &sch_api_default_rasterizer;
    pipeline->depth_stencil_alpha =
        state->depth_stencil_alpha ? &state->depth_stencil_alpha->state : &sch_api_default_depth_stencil_alpha;
    pipeline->blend = state->blend ? &state->blend->state : &sch_api_default_blend;
    pipeline->dynamic = &call->renderer->kept.dynamic;
    return sch_api_take_dynamic(state->dynamic, state->framebuffer, pipeline->rasterizer->clip_halfz, call->list,
                                &call->renderer->kept.dynamic);
}

static bool take_targets(const struct call *call)
{
    const struct sch_draw_state *state = &call->state;
    return sch_api_take_stream_targets(call->renderer, state->pipeline, state->stream_targets, call->list,
                                       call->pipeline);
}

/* Binds what a program reads. FBFETCH reads the framebuffer, whatever the caller's color_buffers are. */
static enum sch_result bind_stage(struct call *call, const struct sch_program *program, struct sch_api_bound *bound)
{
    static const char *const whose[SCH_STAGE_COUNT] = {"state.bindings[0]", "state.bindings[1]", "state.bindings[2]",
                                                       "state.bindings[3]", "state.bindings[4]", "state.bindings[5]"};
    call->list->refusal->whose = whose[program->stage];
    sch_diagnostics_name(call->list, program->name);
    enum sch_result result = sch_api_bind(program, call->state.bindings[program->stage], call->list, bound);
    bound->exec.color_buffers = call->state.framebuffer->images;
    bound->exec.color_buffer_count = SCH_COLOR_BUFFERS;
    if (result == SCH_OK) sch_api_warn_units(program, &bound->exec, call->list);
    return result;
}

static enum sch_result bind(struct call *call)
{
    const struct sch_pipeline *pipeline = call->state.pipeline;
    enum sch_result result = SCH_OK;
    for (unsigned stage = 0; stage < SCH_STAGE_COUNT && result == SCH_OK; stage++) {
        if (!pipeline->programs[stage]) continue;
        result = bind_stage(call, pipeline->programs[stage], &call->bound[stage]);
        call->bound_stages |= UINT32_C(1) << stage;
        call->pipeline->bindings[stage] = &call->bound[stage].exec;
    }
    return result;
}

/* ---- draws ---- */

/* As a run that was to end before it began: at the first instruction of the vertex program. */
static enum sch_result end_before(struct call *call, enum sch_result result)
{
    call->done = (struct sch_run_report){.position = call->pipeline->programs[SCH_STAGE_VERTEX]->prepared.positions[0],
                                         .instructions = call->done.instructions};
    call->stage = SCH_STAGE_VERTEX;
    return result;
}

/* Between draws, of which there may be many without a vertex. */
static enum sch_result look(struct call *call)
{
    const struct sch_run_options *run = &call->run;
    if (sch_run_is_cancelled(run)) return end_before(call, SCH_ERROR_CANCELLED);
    if (run->deadline && sch_clock_ns() >= run->deadline) return end_before(call, SCH_ERROR_DEADLINE);
    return SCH_OK;
}

static enum sch_result run_draw(struct call *call, const struct sch_draw_vertices *vertices)
{
    struct sch_renderer *renderer = call->renderer;
    enum sch_result result = look(call);
    if (result != SCH_OK || !vertices->count || !vertices->instance_count) return result;
    const uint64_t executed = call->done.instructions;
    struct sch_run_options run = call->run;
    if (run.work && executed >= run.work) return end_before(call, SCH_ERROR_WORK);
    if (run.work) run.work -= executed;
    call->pipeline->counted = renderer->counting && !renderer->queries_inactive;
    struct sch_draw_counts *counts = renderer->queries_inactive ? &renderer->suspended : &renderer->counts;
    result = sch_draw_run(renderer->scratch, call->pipeline, vertices, &run, counts, &call->done, &call->stage);
    call->done.instructions += executed;
    return result;
}

static struct sch_draw_vertices vertices_of(const struct call *call)
{
    const struct sch_draw *draw = &call->draw;
    return (struct sch_draw_vertices){
        .primitive = draw->primitive,
        .start = draw->start,
        .count = draw->count_target ? sch_api_stream_vertices(draw->count_target, draw->count_stride) : draw->count,
        .instance_count = draw->instance_count,
        .start_instance = draw->start_instance,
        .index_bytes = draw->index_bytes,
        .indices = call->indices,
        .index_bias = draw->index_bias,
        .restart = draw->restart,
        .restart_index = draw->restart_index,
        .draw_id = draw->draw_id,
        .no_base = draw->no_base};
}

static enum sch_result run_ranges(struct call *call)
{
    const struct sch_draw *draw = &call->draw;
    struct sch_draw_vertices vertices = vertices_of(call);
    enum sch_result result = SCH_OK;
    for (uint32_t i = 0; i < draw->range_count && result == SCH_OK; i++) {
        struct sch_draw_range range;
        const char *at = (const char *)draw->ranges + i * draw->range_stride;
        if (!sch_sized_read_array(&range, sizeof range, sizeof range, at, draw->range_stride, 1)) {
            sch_refuse_argument(call->list, "draw.range_stride",
                                "draw: ranges of %zu bytes, or with members that this version does not have",
                                draw->range_stride);
            return SCH_ERROR_ARGUMENT;
        }
        vertices.start = range.start;
        vertices.count = range.count;
        vertices.index_bias = range.index_bias;
        vertices.draw_id = draw->draw_id + i;
        result = run_draw(call, &vertices);
    }
    return result;
}

/* Words of DrawArraysIndirectCommand and DrawElementsIndirectCommand (OpenGL 10.4). */
enum { ARRAYS_WORDS = 4, ELEMENTS_WORDS = 5 };

static void take_command(const struct call *call, const uint8_t *data, struct sch_draw_vertices *vertices)
{
    uint32_t word[ELEMENTS_WORDS] = {0};
    const bool indexed = call->draw.index_bytes != 0;
    memcpy(word, data, (indexed ? ELEMENTS_WORDS : ARRAYS_WORDS) * sizeof *word);
    vertices->count = word[0];
    vertices->instance_count = word[1];
    vertices->start = word[2];
    vertices->index_bias = indexed ? (int32_t)word[3] : 0;
    vertices->start_instance = word[indexed ? 4 : 3];
}

/* How many commands there are: a count that is not wholly in its buffer is 0. */
static uint32_t count_commands(const struct sch_draw *draw)
{
    uint32_t count = 0;
    if (!draw->count_buffer) return draw->indirect_count;
    const struct sch_draw_memory memory = bytes_of(draw->count_buffer);
    if (draw->count_offset <= memory.bytes && memory.bytes - draw->count_offset >= sizeof count)
        memcpy(&count, memory.data + draw->count_offset, sizeof count);
    return count < draw->indirect_count ? count : draw->indirect_count;
}

/* Commands that are not wholly in the buffer are not executed. */
static enum sch_result run_indirect(struct call *call)
{
    const struct sch_draw *draw = &call->draw;
    const uint64_t bytes = (draw->index_bytes ? ELEMENTS_WORDS : ARRAYS_WORDS) * sizeof(uint32_t);
    const uint64_t stride = draw->indirect_stride ? draw->indirect_stride : bytes;
    const struct sch_draw_memory memory = bytes_of(draw->indirect);
    const uint32_t count = count_commands(draw);
    struct sch_draw_vertices vertices = vertices_of(call);
    enum sch_result result = SCH_OK;
    uint64_t at = draw->indirect_offset;
    for (uint32_t i = 0; i < count && result == SCH_OK && at <= memory.bytes && memory.bytes - at >= bytes; i++) {
        take_command(call, memory.data + at, &vertices);
        vertices.draw_id = draw->draw_id + i;
        result = run_draw(call, &vertices);
        at += stride;
    }
    return result;
}

static enum sch_result run_each(struct call *call)
{
    const struct sch_draw_vertices vertices = vertices_of(call);
    if (call->draw.indirect) return run_indirect(call);
    return call->draw.ranges ? run_ranges(call) : run_draw(call, &vertices);
}

static enum sch_result run_all(struct call *call)
{
    struct sch_pixel_history *history = call->renderer->history;
    if (!sch_api_condition_holds(call->renderer)) return SCH_OK;
    call->pipeline->live_feedback = sch_api_is_feedback(call->state.pipeline, call->pipeline, &call->indices);
    call->pipeline->live_streams = sch_api_reads_streams(call->state.pipeline, call->pipeline, &call->indices);
    enum sch_result result = sch_api_history_begin_draw(history, call->state.framebuffer, &call->pipeline->history);
    if (result == SCH_OK) result = run_each(call);
    const enum sch_result ended = sch_api_history_end_draw(history, call->pipeline->history);
    return result == SCH_OK ? ended : result;
}

static bool patches_hold(const struct call *call)
{
    if (call->draw.primitive != SCH_PRIMITIVE_PATCHES || call->pipeline->dynamic->patch_vertices) return true;
    return sch_refuse_argument(call->list, "state.dynamic.patch_vertices",
                               "draw: PATCHES of no vertices: patch_vertices is 0");
}

static enum sch_result begin(struct call *call)
{
    const bool kept = is_kept(call);
    if (!kept) sch_draw_end_joined(call->renderer->scratch);
    if ((!kept && !objects_hold(call)) || !take_vertex_buffers(call) || !draw_holds(call) || !take_targets(call) ||
        (!kept && !take_state(call)) || !patches_hold(call))
        return SCH_ERROR_ARGUMENT;
    if (!sch_api_blending_holds(call->state.pipeline, call->pipeline, call->list)) return SCH_ERROR_ARGUMENT;
    if (!kept) call->pipeline->number = ++call->renderer->states;
    call->pipeline->buffers = call->buffers;
    call->pipeline->buffer_count = call->state.vertex_buffer_count;
    call->pipeline->may_wait = call->draw.may_wait && !call->reports && !call->renderer->history;
    return bind(call);
}

enum sch_result sch_renderer_draw(struct sch_renderer *renderer, const struct sch_draw_state *state,
                                  const struct sch_draw *draw, const struct sch_dispatch_options *options,
                                  struct sch_dispatch_report *report)
{
    struct call call;
    struct sch_api_call told;
    sch_api_begin(&told, SCH_API_CONTEXT_OF(renderer), NULL, __func__, "state");
    if (!sch_api_given(&told, renderer, "renderer") || !sch_api_given(&told, state, "state") ||
        !sch_api_given(&told, draw, "draw") ||
        !sch_api_read(&told, "state", &call.state, sizeof call.state, sizeof call.state, state) ||
        !sch_api_read(&told, "draw", &call.draw, sizeof call.draw, sizeof call.draw, draw) ||
        !sch_api_begin_run(&told, "", options, report, &call.run) || !sch_api_has_no_checks(&told, &call.run))
        return sch_api_refused(&told);
    call.run.progress = NULL; /* a draw runs its programs many times */
    call.renderer = renderer;
    call.list = call.run.diagnostics;
    call.indices = (struct sch_draw_memory){NULL, 0};
    call.bound_stages = 0;
    call.pipeline = &renderer->kept.pipeline;
    call.done = (struct sch_run_report){.instructions = 0};
    call.stage = SCH_STAGE_VERTEX;
    call.reports = report != NULL;
    enum sch_result result = begin(&call);
    if (result == SCH_OK) result = sch_api_counts_heat(call.state.pipeline->programs[SCH_STAGE_FRAGMENT], &call.run);
    if (result == SCH_OK) result = run_all(&call);
    for (uint32_t stages = call.bound_stages; stages; stages &= stages - 1)
        sch_api_unbind(renderer->context, &call.bound[__builtin_ctz(stages)]);
    return sch_api_end_run(&told, &call.done, call.stage, result, report);
}
