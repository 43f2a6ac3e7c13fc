/* The pipeline: draws, from vertex buffers to pixels. State objects are made once and are immutable; a renderer
 * executes draws with them. docs/pipeline.md has the rules and their clauses.
 *
 * Example, with a surface, two programs, and variables for what is made:
 *
 *     struct sch_framebuffer_options buffers = {.size = sizeof buffers, .colors = {surface}};
 *     struct sch_pipeline_options stages = {.size = sizeof stages, .vertex = vertex, .fragment = fragment};
 *     if (sch_framebuffer_create(context, &buffers, list, &framebuffer) != SCH_OK) return 1;
 *     if (sch_pipeline_create(context, &stages, list, &pipeline) != SCH_OK) return 1;
 *     if (sch_renderer_create(context, &renderer) != SCH_OK) return 1;
 *     struct sch_draw_state state = {.size = sizeof state, .pipeline = pipeline, .framebuffer = framebuffer};
 *     struct sch_draw triangle = {.size = sizeof triangle, .primitive = SCH_PRIMITIVE_TRIANGLES, .count = 3,
 *                                 .instance_count = 1};
 *     if (sch_renderer_draw(renderer, &state, &triangle, NULL, NULL) != SCH_OK) return 1;
 *     if (sch_renderer_flush(renderer, NULL) != SCH_OK) return 1;
 *     if (sch_resource_read_all(texture, pixels, sizeof pixels) != SCH_OK) return 1;
 *
 * State objects may be used by any number of threads and renderers at once. Each holds what it was made from, so that
 * the caller may destroy that first, except where a function says otherwise. They belong to one context; objects of
 * different contexts in one call are ARGUMENT. */
#ifndef SCHEELITE_DRAW_H
#define SCHEELITE_DRAW_H

#include "dispatch.h"
#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- state objects ---- */

/* State objects: how vertices are laid out in buffers, how primitives are rasterised, how depth, stencil and alpha are
 * tested, how colours are blended, and which outputs are written to buffers. */
struct sch_vertex_elements;
struct sch_rasterizer;
struct sch_depth_stencil_alpha;
struct sch_blend;
struct sch_stream_output;

/* Makes the layout of vertices: elements[n] feeds IN[n] of the vertex shader. `stride` is sizeof *elements. Errors:
 * MEMORY, LIMIT (more than SCH_VERTEX_ELEMENTS), ARGUMENT; UNSUPPORTED for a format that vertices cannot have. The list
 * names the element. Thread-safe. */
SCH_API enum sch_result sch_vertex_elements_create(struct sch_context *context,
                                                   const struct sch_vertex_element *elements, uint32_t count,
                                                   size_t stride, struct sch_diagnostics_list *diagnostics,
                                                   struct sch_vertex_elements **made);
SCH_API void sch_vertex_elements_destroy(struct sch_vertex_elements *elements); /* takes NULL */

/* Fill in what most programs want, and nothing that changes pixels unasked: pixel centres at 0.5, depth clipping, solid
 * triangles that are not culled, counter-clockwise front faces, multisampling, points and lines one pixel wide; no
 * depth, stencil or alpha test; all colour channels written without blending; one viewport, whose window is clip space
 * itself, scissors that hold any framebuffer, all samples. ARGUMENT if `size` is not set. Thread-safe. */
SCH_API enum sch_result sch_rasterizer_options_default(struct sch_rasterizer_options *options);
SCH_API enum sch_result sch_depth_stencil_alpha_options_default(struct sch_depth_stencil_alpha_options *options);
SCH_API enum sch_result sch_blend_options_default(struct sch_blend_options *options);
SCH_API enum sch_result sch_dynamic_state_default(struct sch_dynamic_state *state);

/* Make a state object. `options` NULL: the defaults above; no stream output. Errors: MEMORY, LIMIT; ARGUMENT for a
 * member outside of its enumeration or range, or NaN, a test that is enabled without a function, stencil[1] without
 * stencil[0], a factor of the second source for another target than the first; UNSUPPORTED for what this version does
 * not do (docs/status.md). Blending that is not enabled may have any factors, and those of MIN and MAX may be 0.
 * `diagnostics` is optional and names the member. Thread-safe. */
SCH_API enum sch_result sch_rasterizer_create(struct sch_context *context, const struct sch_rasterizer_options *options,
                                              struct sch_diagnostics_list *diagnostics, struct sch_rasterizer **made);
SCH_API void sch_rasterizer_destroy(struct sch_rasterizer *rasterizer); /* takes NULL */
SCH_API enum sch_result sch_depth_stencil_alpha_create(struct sch_context *context,
                                                       const struct sch_depth_stencil_alpha_options *options,
                                                       struct sch_diagnostics_list *diagnostics,
                                                       struct sch_depth_stencil_alpha **made);
SCH_API void sch_depth_stencil_alpha_destroy(struct sch_depth_stencil_alpha *state); /* takes NULL */
SCH_API enum sch_result sch_blend_create(struct sch_context *context, const struct sch_blend_options *options,
                                         struct sch_diagnostics_list *diagnostics, struct sch_blend **made);
SCH_API void sch_blend_destroy(struct sch_blend *blend); /* takes NULL */
SCH_API enum sch_result sch_stream_output_create(struct sch_context *context,
                                                 const struct sch_stream_output_options *options,
                                                 struct sch_diagnostics_list *diagnostics,
                                                 struct sch_stream_output **made);
SCH_API void sch_stream_output_destroy(struct sch_stream_output *stream_output); /* takes NULL */

/* A range of a BUFFER that stream output appends to. It keeps the resource's bytes alive, and how many of them are
 * filled: at first none. Draws that write to it begin there and advance it; so a target that a draw does not get is
 * paused, and continues when a later draw gets it. One thread at a time may use it. */
struct sch_stream_target;
struct sch_stream_target_options {
    size_t size;
    struct sch_resource *resource;
    uint64_t offset, bytes; /* `offset` is a multiple of 4; bytes 0: all that follow */
};

/* Makes a target. Errors: MEMORY; ARGUMENT for a resource that is not a BUFFER or of another context, and for a range
 * beyond its end. `diagnostics` is optional. Thread-safe. */
SCH_API enum sch_result sch_stream_target_create(struct sch_context *context,
                                                 const struct sch_stream_target_options *options,
                                                 struct sch_diagnostics_list *diagnostics,
                                                 struct sch_stream_target **made);
SCH_API void sch_stream_target_destroy(struct sch_stream_target *target); /* takes NULL */

/* How many bytes of its range are filled. Setting it says where the next draw begins; ARGUMENT: beyond the range, or
 * not a multiple of 4. NULL has 0. */
SCH_API enum sch_result sch_stream_target_set_filled(struct sch_stream_target *target, uint64_t bytes);
SCH_API uint64_t sch_stream_target_get_filled(const struct sch_stream_target *target);

/* ---- pipelines ---- */

/* Programs that are linked: outputs of a stage feed inputs of the next by the name and index of their semantic. */
struct sch_pipeline;

/* The programs of a pipeline (sch_pipeline_create). Each is of its stage and of the context of the pipeline. */
struct sch_pipeline_options {
    size_t size;
    const struct sch_program *vertex;
    const struct sch_program *tess_ctrl; /* optional; with tess_eval only. Patches without one have default levels */
    const struct sch_program *tess_eval; /* optional: the pipeline takes PATCHES and nothing else */
    const struct sch_program *geometry;  /* optional */
    const struct sch_program *fragment;  /* optional: nothing but depth and stencil is written */
    const struct sch_stream_output *stream_output; /* optional: outputs of the last program before `fragment` */
};

/* Links programs, which must live as long as the pipeline. An input that no output feeds is (0, 0, 0, 1), and the list
 * receives a warning that names it (6520). Errors: MEMORY; ARGUMENT for a program of another stage or context than its
 * member, no vertex program, or stream output of a register that does not exist; LIMIT for more inputs than can be
 * linked, or a geometry shader that may emit more than 16384 vertices (6311); INVALID for a tessellation control
 * program without an evaluation program (6310), and for a geometry program that does not take what tessellation makes
 * (6312). `diagnostics` is optional. Thread-safe. */
SCH_API enum sch_result sch_pipeline_create(struct sch_context *context, const struct sch_pipeline_options *options,
                                            struct sch_diagnostics_list *diagnostics, struct sch_pipeline **made);
SCH_API void sch_pipeline_destroy(struct sch_pipeline *pipeline); /* takes NULL */

/* ---- framebuffers ---- */

/* A level of a resource that draws write: colours, or depth and stencil. Immutable. Keeps the texels of its resource
 * alive: sch_resource_destroy may come first. */
struct sch_surface;
struct sch_surface_options {
    size_t size;
    enum sch_format format; /* with as many bytes in a texel; NONE: the resource's */
    uint32_t level;
    uint32_t first_layer, layer_count; /* 3-D resources: slices; 0: all that follow */
};

/* Makes a surface. `options` is optional: NULL means all layers of level 0. Errors: MEMORY; ARGUMENT for a BUFFER and
 * for a level, layers or format that do not fit the resource; UNSUPPORTED for a format that cannot be drawn to.
 * `diagnostics` is optional. Thread-safe. */
SCH_API enum sch_result sch_surface_create(struct sch_resource *resource, const struct sch_surface_options *options,
                                           struct sch_diagnostics_list *diagnostics, struct sch_surface **made);
SCH_API void sch_surface_destroy(struct sch_surface *surface); /* takes NULL */

/* What draws write. Immutable. Its surfaces may be of different sizes and formats, and the framebuffer is as large as
 * the smallest; it has as many layers as the one with the fewest. All have the same number of samples. */
struct sch_framebuffer;
struct sch_framebuffer_options {
    size_t size;
    struct sch_surface *colors[SCH_COLOR_BUFFERS]; /* each may be NULL */
    struct sch_surface *depth_stencil;             /* optional */
    uint32_t width, height, layers, samples;       /* used if there is no surface; 0 counts as 1 for the last two */
};

/* Makes a framebuffer; the surfaces may be destroyed before it. Errors: MEMORY; ARGUMENT for a depth surface among the
 * colours or the other way round, different numbers of samples, no surface and no size, or a size beyond
 * SCH_FRAMEBUFFER_SIDE. `diagnostics` is optional. Thread-safe. */
SCH_API enum sch_result sch_framebuffer_create(struct sch_context *context,
                                               const struct sch_framebuffer_options *options,
                                               struct sch_diagnostics_list *diagnostics, struct sch_framebuffer **made);
SCH_API void sch_framebuffer_destroy(struct sch_framebuffer *framebuffer); /* takes NULL */

/* Where sample `index` of a pixel with so many samples (1, 2, 4, 8 or 16) is: x and y from the pixel's upper left
 * corner, in pixels. ARGUMENT: there is no such sample. Thread-safe. */
SCH_API enum sch_result sch_sample_position(uint32_t samples, uint32_t index, float position[2]);

/* ---- renderers ---- */

/* Executes draws, clears and queries, as if in the order of the calls. It keeps memory from draw to draw, at most what
 * the context's limits allow. One thread at a time may use it; different renderers are independent.
 *
 * A call may return before its work is done. Until sch_renderer_flush, or a wait for its fence, what draws write must
 * not be read, what they read must not be written, and resources and memory that they were given must stay, unless by
 * calls with the same renderer. */
struct sch_renderer;
SCH_API enum sch_result sch_renderer_create(struct sch_context *context, struct sch_renderer **renderer);
SCH_API void sch_renderer_destroy(struct sch_renderer *renderer); /* takes NULL; flushes */

/* Begins all work that the renderer was given. With `fence`, the call returns at once, and the fence says when the work
 * is done; without (NULL), the call returns when the work is done. Errors: ARGUMENT, MEMORY, those of draws that may
 * wait. */
struct sch_fence;
SCH_API enum sch_result sch_renderer_flush(struct sch_renderer *renderer, struct sch_fence **fence);
/* Waits at most that many milliseconds (UINT32_MAX: forever) and returns whether the work is done. Thread-safe. */
SCH_API bool sch_fence_wait(struct sch_fence *fence, uint32_t milliseconds);
SCH_API void sch_fence_destroy(struct sch_fence *fence); /* takes NULL; does not wait */

/* Vertices or indices: a range of a BUFFER resource or, if `resource` is NULL, the caller's memory. What lies beyond
 * the end is not read, also if `offset` does (docs/pipeline.md, "Vertex fetch"). Elements of an array with a stride. */
struct sch_vertex_buffer {
    struct sch_resource *resource;
    uint64_t offset; /* bytes, also into `memory` */
    const void *memory;
    size_t memory_bytes;
};

/* Everything that a draw reads except its counts. State objects that are NULL count as made with the default
 * options. */
struct sch_draw_state {
    size_t size;
    const struct sch_pipeline *pipeline;
    const struct sch_framebuffer *framebuffer;
    const struct sch_vertex_elements *vertex_elements; /* NULL: none */
    const struct sch_vertex_buffer *vertex_buffers;
    uint32_t vertex_buffer_count;
    size_t vertex_buffer_stride; /* sizeof *vertex_buffers */
    const struct sch_rasterizer *rasterizer;
    const struct sch_depth_stencil_alpha *depth_stencil_alpha;
    const struct sch_blend *blend;
    /* NULL: the default, with a scissor and a viewport over the framebuffer: x and y of -1 are the corner of its pixel
     * (0, 0), and depth is from 0 to 1. */
    const struct sch_dynamic_state *dynamic;
    /* Where the pipeline's stream output goes, by buffer. Without any it does not happen; if only some are NULL, they
     * count as full. Buffers that it does not write are left alone. No target may be there twice. Targets may share
     * bytes, as OpenGL allows: the last write holds, in an order that is always the same. */
    struct sch_stream_target *stream_targets[SCH_STREAM_BUFFERS];
    /* By enum sch_stage; each may be NULL. FBFETCH reads the framebuffer: `color_buffers` have no effect. */
    const struct sch_bindings *bindings[SCH_STAGE_COMPUTE];
};

/* A range of vertices or indices. Elements of an array with a stride. */
struct sch_draw_range {
    uint32_t start, count;
    int32_t index_bias; /* added to indices */
};

/* What is drawn (sch_renderer_draw): vertices of the bound buffers, by their order or by indices. */
struct sch_draw {
    size_t size;
    enum sch_primitive primitive;
    uint32_t start, count;   /* vertices, or indices */
    uint32_t instance_count; /* 0: nothing is drawn */
    uint32_t start_instance;

    uint32_t index_bytes; /* of an index: 1, 2 or 4; 0: no indices */
    struct sch_vertex_buffer indices;
    int32_t index_bias;
    bool restart;           /* an index equal to restart_index begins the next primitive */
    uint32_t restart_index; /* compared before index_bias is added */

    uint32_t draw_id; /* DRAWID of the first draw; each further one has one more */

    /* BASEVERTEX of a draw without indices is 0, as OpenGL's gl_BaseVertex is (ARB_shader_draw_parameters), not `start`
     * as TGSI's. VERTEXID_NOBASE is VERTEXID then. */
    bool no_base;

    /* Optional: draws one range after the other, instead of start, count and index_bias. range_stride is sizeof(struct
     * sch_draw_range). */
    const struct sch_draw_range *ranges;
    uint32_t range_count;
    size_t range_stride;

    /* Optional: start, count, instances and so on are read from a BUFFER, as OpenGL's DrawArraysIndirectCommand and
     * DrawElementsIndirectCommand have them, `indirect_count` times, `indirect_stride` bytes from one to the next (0:
     * without gaps); or as many times as the word at count_offset of `count_buffer` says, if that is less. Offsets and
     * the stride are multiples of 4. Draws whose numbers are not wholly in the buffer are left out; a count that is not
     * is 0. A draw may write the numbers of those that follow. */
    struct sch_resource *indirect;
    uint64_t indirect_offset;
    uint32_t indirect_count, indirect_stride;
    struct sch_resource *count_buffer;
    uint64_t count_offset;

    /* Optional: instead of `count`, as many vertices as the target is filled with, of count_stride bytes each (0: of as
     * many as the draw that wrote it last). Not with indices, ranges or indirect draws. */
    const struct sch_stream_target *count_target;
    uint32_t count_stride;

    /* The draw may end after its call has returned, together with others that may: at the renderer's next call that is
     * not such a draw, or its flush, which returns what became of them. All objects of the state and the memory of
     * vertex buffers stay as they are until then; memory of constants and indices may change. Draws with a report or a
     * bound on their work end before they return. */
    bool may_wait;
};

/* Draws. `options` and `report` are optional; of the options `shared_bytes` has no effect, and `budget`, `work`,
 * `deadline_ms` and `cancel` count for all programs of the draw together as for those of a dispatch. Results do not
 * depend on `threads`. Fragment programs are not run where nothing that they do could be seen (docs/pipeline.md, "Order
 * of the output"); report->instructions has what was executed.
 *
 * Errors: ARGUMENT, MEMORY, LIMIT, UNSUPPORTED (options->diagnostics has the reason; 6312: a primitive that the
 * pipeline's geometry shader does not take); BUDGET, ABORTED, WORK (the framebuffer is incomplete then), DEADLINE,
 * CANCELLED (it is undefined then). report->invocation counts in the stage of report->stage. */
SCH_API enum sch_result sch_renderer_draw(struct sch_renderer *renderer, const struct sch_draw_state *state,
                                          const struct sch_draw *draw, const struct sch_dispatch_options *options,
                                          struct sch_dispatch_report *report);

/* Clears parts of a framebuffer, within the scissor if that is given, all layers, as sch_resource_clear does. `parts`
 * are bits of enum sch_part, of which COLOR bits are of every colour buffer in `colors` (bits). Parts that the
 * framebuffer does not have are ignored. `depth` is rounded to a float first. ARGUMENT: other bits, a depth that is
 * NaN. */
struct sch_framebuffer_clear {
    size_t size;
    uint32_t parts;
    uint32_t colors; /* bits: colour buffers; 0: all */
    union sch_color color;
    double depth;
    uint32_t stencil;
    bool scissored;
    struct sch_scissor scissor;
    const struct sch_moving_options *moving; /* of all parts together */
};
SCH_API enum sch_result sch_renderer_clear(struct sch_renderer *renderer, const struct sch_framebuffer *framebuffer,
                                           const struct sch_framebuffer_clear *clear,
                                           struct sch_diagnostics_list *diagnostics);

/* sch_resource_blit, under the renderer's condition if `conditional`. Copies and transfers ignore conditions: use the
 * functions of resource.h. */
SCH_API enum sch_result sch_renderer_blit(struct sch_renderer *renderer, struct sch_resource *to,
                                          const struct sch_resource *from, const struct sch_blit *blit,
                                          bool conditional, struct sch_diagnostics_list *diagnostics);

/* ---- queries ---- */

/* Counts what a renderer does between begin and end. */
struct sch_query;

/* `index`: the stream of PRIMITIVES_* and of stream-output queries but SO_OVERFLOW_ANY_PREDICATE, or the enum
 * sch_statistic of PIPELINE_STATISTICS_SINGLE, otherwise 0. Errors: MEMORY, ARGUMENT. */
SCH_API enum sch_result sch_query_create(struct sch_context *context, enum sch_query_kind kind, uint32_t index,
                                         struct sch_query **query);
SCH_API void sch_query_destroy(struct sch_query *query); /* takes NULL. No renderer may count for it any more */

/* Begin a query, from 0, and end it with the same renderer. ARGUMENT for beginning: it has begun, or is of a kind that
 * only ends (TIMESTAMP, GPU_FINISHED). ARGUMENT for ending: it has not begun, or with another renderer. */
SCH_API enum sch_result sch_renderer_begin_query(struct sch_renderer *renderer, struct sch_query *query);
SCH_API enum sch_result sch_renderer_end_query(struct sch_renderer *renderer, struct sch_query *query);
/* Queries that count samples, primitives and invocations stop counting while this is false. At first it is true. */
SCH_API void sch_renderer_set_queries_active(struct sch_renderer *renderer, bool active);
/* Dispatches belong to no renderer: to count their CS_INVOCATIONS, add them here. Takes NULL. */
SCH_API void sch_renderer_count_invocations(struct sch_renderer *renderer, uint64_t invocations);

/* Closed: no other member will come. */
struct sch_query_result {
    bool available;
    uint64_t values[SCH_STATISTICS]; /* predicates and GPU_FINISHED: 0 or 1. SO_STATISTICS: primitives written, then
                                        needed. TIMESTAMP_DISJOINT: ticks in a second, then 0. Times are in
                                        nanoseconds, by CLOCK_MONOTONIC. */
    uint32_t count;
};
/* ARGUMENT: it has begun and not ended, or neither. */
SCH_API enum sch_result sch_query_get_result(const struct sch_query *query, struct sch_query_result *result);

/* The integers that sch_query_write_result writes, in the host's byte order. Greater values become the greatest. */
enum sch_query_type { SCH_QUERY_I32 = 0, SCH_QUERY_U32 = 1, SCH_QUERY_I64 = 2, SCH_QUERY_U64 = 3 };
/* Writes values[index], or with index -1 the availability, to a BUFFER; what the type cannot hold becomes its largest
 * value. ARGUMENT: the query has no such value, or the buffer no such place. */
SCH_API enum sch_result sch_query_write_result(const struct sch_query *query, int32_t index, enum sch_query_type type,
                                               struct sch_resource *buffer, uint64_t offset);

/* Draws, clears and conditional blits happen only if the first value of the query's result is not 0, or with `inverted`
 * if it is; NULL: they always happen. With a query that has not ended they happen. The query must live until the next
 * call. */
SCH_API void sch_renderer_set_condition(struct sch_renderer *renderer, const struct sch_query *query, bool inverted);

/* ---- pixel history ---- */

/* What happened to one pixel of a resource while a renderer drew: each primitive that covers a sample of it, what
 * became of its fragment, and what the buffers held before and after; clears and blits. docs/pipeline.md, "Pixel
 * history", has an example. Results do not depend on it, nor does it on threads and engines.
 *
 *     sch_pixel_history_create(resource, &options, list, &history);
 *     sch_renderer_record_pixel(renderer, history);
 *     ...                                              draws, clears, blits
 *     sch_renderer_record_pixel(renderer, NULL);
 *     while (sch_pixel_history_get_event(history, n++, &event) == SCH_OK) ...
 *
 * One thread at a time may use it, and it counts as used while its renderer draws. */
struct sch_pixel_history;
struct sch_pixel_history_options {
    size_t size;
    uint32_t x, y;
    uint32_t level, layer; /* 3-D resources: a slice */
    uint32_t samples;      /* bits; 0: all. Others are not recorded, nor are primitives that cover none of these */
    uint32_t max_events;   /* 0: 1024. The first ones are kept */
};

/* Makes an empty history. It keeps the texels of the resource alive. Its memory grows with its events, each of some 600
 * bytes and 600 for each sample. Errors: MEMORY; ARGUMENT for a BUFFER, and for a pixel or samples that the resource
 * does not have; UNSUPPORTED for a format that cannot be drawn to. `diagnostics` is optional. Thread-safe. */
SCH_API enum sch_result sch_pixel_history_create(struct sch_resource *resource,
                                                 const struct sch_pixel_history_options *options,
                                                 struct sch_diagnostics_list *diagnostics,
                                                 struct sch_pixel_history **made);
/* Takes NULL. No renderer may record in it any more. */
SCH_API void sch_pixel_history_destroy(struct sch_pixel_history *history);

/* Draws, clears and blits of the renderer are recorded in the history from now on, in place of another one; NULL: in
 * none. Draws and clears are, if the resource is part of their framebuffer; what a condition prevents is not. While it
 * is recorded a draw may take longer, and is MEMORY where the history cannot grow. Errors: ARGUMENT (another context,
 * or another renderer records in it), MEMORY. */
SCH_API enum sch_result sch_renderer_record_pixel(struct sch_renderer *renderer, struct sch_pixel_history *history);

/* What events have as their label from now on; at first 0. If the pixel has changed since the last event, that is an
 * event OTHER, with the label that held until now: so copies and transfers between two labels show. Errors: ARGUMENT,
 * MEMORY. */
SCH_API enum sch_result sch_pixel_history_set_label(struct sch_pixel_history *history, uint64_t label);

/* How much was recorded of a pixel. */
struct sch_pixel_history_info {
    size_t size;
    uint32_t event_count;
    uint64_t not_kept; /* events beyond max_events */
    uint64_t calls;    /* draws, clears and blits while it was recorded */
};
/* ARGUMENT if `size` is not set. */
SCH_API enum sch_result sch_pixel_history_get_info(const struct sch_pixel_history *history,
                                                   struct sch_pixel_history_info *info);

/* Fill in event `index`, in the order in which the pixel was changed, and one of its samples. ARGUMENT: there is no
 * such event, the sample is not recorded, or `size` is not set. */
SCH_API enum sch_result sch_pixel_history_get_event(const struct sch_pixel_history *history, uint32_t index,
                                                    struct sch_pixel_event *event);
SCH_API enum sch_result sch_pixel_history_get_sample(const struct sch_pixel_history *history, uint32_t index,
                                                     uint32_t sample, struct sch_pixel_sample *made);

#ifdef __cplusplus
}
#endif
#endif
