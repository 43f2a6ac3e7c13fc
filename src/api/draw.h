/* The objects of the handles that include/scheelite/draw.h declares. Those that a draw's state consists of are
 * immutable and have numbers, by which a renderer knows them again: another one may have the address of one that is
 * gone. Holds no step of a draw: those are in src/pipeline. */
#ifndef SCH_API_DRAW_H
#define SCH_API_DRAW_H

#include "api/api.h"
#include "pipeline/draw.h"
#include "pipeline/fetch.h"
#include "pipeline/history.h"
#include "pipeline/link.h"

struct sch_rasterizer {
    struct sch_context *context;
    uint64_t number;
    struct sch_rasterizer_options state;
};

struct sch_depth_stencil_alpha {
    struct sch_context *context;
    uint64_t number;
    struct sch_depth_stencil_alpha_options state;
};

struct sch_blend {
    struct sch_context *context;
    uint64_t number;
    struct sch_blend_options state;
};

struct sch_stream_output {
    struct sch_context *context;
    struct sch_stream_output_options state;
};

struct sch_stream_target {
    struct sch_context *context;
    struct sch_texture_resource *texture; /* held */
    uint64_t offset, bytes;
    uint64_t filled; /* bytes */
    uint32_t stride; /* bytes of a vertex, as the last draw wrote them; 0: none did */
};

struct sch_vertex_elements {
    struct sch_context *context;
    uint64_t number;
    struct sch_fetcher fetcher;
};

struct sch_pipeline {
    struct sch_context *context;
    uint64_t number;
    const struct sch_program *programs[SCH_STAGE_COUNT]; /* NULL where there is none */
    struct sch_program *empty;                           /* the fragment program where the caller has none; else NULL */
    bool uses_handles;                                   /* instructions name views and images by values */
    bool streams_out;                                    /* stream output writes something */
    bool has_units;                                      /* instructions name what bindings have */
    struct sch_link link;
};

struct sch_surface {
    struct sch_context *context;
    struct sch_texture_resource *texture; /* held */
    uint32_t level, first_layer;
    bool is_color; /* otherwise depth, stencil or both */
    struct sch_draw_target target;
};

/* What clears and FBFETCH need of a surface of a framebuffer. */
struct sch_api_attachment {
    struct sch_texture_resource *texture; /* held; NULL: there is no surface */
    uint32_t level, first_layer;
    struct sch_texture descriptor; /* of colours, as an array of two axes */
};

struct sch_framebuffer {
    struct sch_context *context;
    uint64_t number;
    struct sch_draw_framebuffer draw;
    struct sch_api_attachment colors[SCH_COLOR_BUFFERS], depth_stencil;
    struct sch_exec_image images[SCH_COLOR_BUFFERS]; /* that FBFETCH reads; they point at the descriptors */
};

enum sch_api_query_state { SCH_API_QUERY_NEW, SCH_API_QUERY_BEGUN, SCH_API_QUERY_ENDED };

/* Counts are differences: what the renderer has counted at the end, less what it had at the beginning. */
struct sch_query {
    struct sch_context *context;
    enum sch_query_kind kind;
    uint32_t index;
    enum sch_api_query_state state;
    const struct sch_renderer *renderer; /* that began it */
    struct sch_draw_counts begun;
    uint64_t begun_at; /* as sch_clock_ns counts */
    uint64_t values[SCH_STATISTICS];
};

struct sch_pixel_history {
    struct sch_context *context;
    struct sch_texture_resource *texture; /* held */
    uint32_t level, layer;
    struct sch_draw_framebuffer own;     /* the level alone, of this layer */
    const struct sch_renderer *renderer; /* that records in it; NULL: none */
    struct sch_history history;
    uint64_t label, calls;
    uint8_t last[SCH_MAX_SAMPLES][SCH_HISTORY_TEXEL_BYTES]; /* the pixel after the last event */
};

/* The state of the last draw, if it was right. */
enum { SCH_API_STATE_OBJECTS = 6 };
struct sch_api_kept {
    uint64_t numbers[SCH_API_STATE_OBJECTS]; /* of its objects; 0: none, the default */
    bool own_dynamic;                        /* the caller's */
    struct sch_dynamic_state dynamic;
    struct sch_draw_pipeline pipeline; /* its number is 0 where the state was not right */
};

struct sch_renderer {
    struct sch_context *context;
    struct sch_draw_scratch *scratch;
    uint64_t states; /* that there have been; the number of the last one */
    struct sch_api_kept kept;
    struct sch_draw_counts counts;    /* of all draws while queries were active */
    struct sch_draw_counts suspended; /* of the others; never read */
    bool queries_inactive;
    uint32_t counting;                 /* queries that are begun and count samples, or runs of fragment programs */
    const struct sch_query *condition; /* NULL: none */
    bool condition_inverted;
    struct sch_pixel_history *history; /* NULL: none */
};

/* Whether the renderer's condition lets draws, clears and blits happen (queries.c). */
bool sch_api_condition_holds(const struct sch_renderer *renderer);

/* Whether what the programs of a draw read, bound so, is what the draw also writes: its targets, or memory that its
 * programs write (feedback.c). */
bool sch_api_is_feedback(const struct sch_pipeline *pipeline, const struct sch_draw_pipeline *draw,
                         const struct sch_draw_memory *indices);

/* Whether what the draw reads, vertices and indices included, is what its stream output writes; or whether two buffers
 * of stream output overlap (feedback.c). */
bool sch_api_reads_streams(const struct sch_pipeline *pipeline, const struct sch_draw_pipeline *draw,
                           const struct sch_draw_memory *indices);

/* stream_targets.c: the targets of a draw. False, with a report, for wrong ones. */
bool sch_api_take_stream_targets(const struct sch_renderer *renderer, const struct sch_pipeline *pipeline,
                                 struct sch_stream_target *const *targets, struct sch_diagnostics *list,
                                 struct sch_draw_pipeline *draw);
/* How many vertices of `stride` bytes (0: its own) are in a target. */
uint32_t sch_api_stream_vertices(const struct sch_stream_target *target, uint32_t stride);

/* The history of a pixel (histories.c). Each call of a renderer begins and ends in it; `history` NULL: nothing is done.
 * Where begin_draw is OK, `*recorded` is what the draw records in, or NULL: the pixel is in none of its buffers. */
enum sch_result sch_api_history_begin_draw(struct sch_pixel_history *history, const struct sch_framebuffer *framebuffer,
                                           struct sch_history **recorded);
enum sch_result sch_api_history_end_draw(struct sch_pixel_history *history, const struct sch_history *recorded);

/* Clears and blits: the event on its way. */
struct sch_api_recorded {
    struct sch_pixel_history *history; /* NULL: none */
    uint32_t event;
};
enum sch_result sch_api_history_begin_clear(struct sch_pixel_history *history,
                                            const struct sch_framebuffer *framebuffer,
                                            const struct sch_framebuffer_clear *clear,
                                            struct sch_api_recorded *recorded);
enum sch_result sch_api_history_begin_blit(struct sch_pixel_history *history, const struct sch_resource *to,
                                           const struct sch_blit *blit, struct sch_api_recorded *recorded);
void sch_api_history_end(const struct sch_api_recorded *recorded);

/* The default states (states.c). */
extern const struct sch_rasterizer_options sch_api_default_rasterizer;
extern const struct sch_depth_stencil_alpha_options sch_api_default_depth_stencil_alpha;
extern const struct sch_blend_options sch_api_default_blend;

/* The caller's dynamic state, or for NULL the default with a viewport and scissor over the framebuffer. False, with a
 * report, for one that does not exist. */
bool sch_api_take_dynamic(const struct sch_dynamic_state *given, const struct sch_framebuffer *framebuffer,
                          bool clip_halfz, struct sch_diagnostics *list, struct sch_dynamic_state *taken);

/* blending.c: whether enabled factors are of the second source. */
bool sch_api_needs_second_source(const struct sch_blend_target *target);
/* Whether blending fits the framebuffer; warns where the fragment program does not declare the equation. */
bool sch_api_blending_holds(const struct sch_pipeline *pipeline, const struct sch_draw_pipeline *draw,
                            struct sch_diagnostics *list);

#endif
