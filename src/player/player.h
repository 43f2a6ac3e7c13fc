/* What executes scenes and scripts, which read different languages: the library's objects for theirs, what registers
 * are bound to, framebuffers, draws, and the texels that these leave. On the public headers alone; reports are the
 * reader's. */
#ifndef SCH_PLAYER_PLAYER_H
#define SCH_PLAYER_PLAYER_H

#include <scheelite/draw.h>
#include <scheelite/scheelite.h>

/* ---- outcomes -------------------------------------------------------------------------------------------------- */

/* What does not hold, or is skipped, of what a text expects. Some bytes of the reason are the text's: whoever prints it
 * replaces control characters. */
struct sch_player_outcome {
    uint32_t line;
    const char *reason;
    bool skipped;
    uint64_t items; /* that have this outcome */
};

/* ---- programs -------------------------------------------------------------------------------------------------- */

struct sch_player_source {
    enum sch_kind kind;
    enum sch_stage stage;
    const char *name; /* in reports */
    const char *data;
    size_t bytes;
    uint32_t line; /* of the first line of a text in a larger one; 0 and 1: it has no lines before it */
};

/* HLSL, which the caller compiles. */
struct sch_player_hlsl {
    enum sch_stage stage;
    unsigned model;    /* of scripts: major * 10 + minor */
    unsigned number;   /* of a script's sections with HLSL, from 0 */
    const char *entry; /* of scenes: the function */
    const char *text;  /* after as many empty lines as come before it; comments of scripts are left out */
    size_t bytes;      /* a zero byte follows the last */
};

/* A file that is read, or what HLSL was compiled to. */
struct sch_player_file {
    char *data; /* freed by free(); a zero byte follows the last. NULL: the problem says why there is none */
    size_t bytes;
    char problem[256];
    bool stop; /* the script ends here (SCH_ERROR_CANCELLED) */
};

struct sch_player_program {
    struct sch_shader *shader;
    struct sch_program *program;
    struct sch_shader_info info;
    bool other_stage; /* the shader is not of the source's stage, and has no program */
};

enum sch_result sch_player_shader_read(struct sch_context *context, const struct sch_player_source *source,
                                       struct sch_diagnostics_list *list, struct sch_shader **shader);

/* Makes a program, which is released whatever comes back; `*made` is zero. */
enum sch_result sch_player_program_make(struct sch_context *context, const struct sch_player_source *source,
                                        const struct sch_program_options *options, struct sch_diagnostics_list *list,
                                        struct sch_player_program *made);
void sch_player_program_release(struct sch_player_program *program);

/* A text after as many empty lines as come before it where it is, so that reports have its lines; a zero byte follows.
 * The caller frees it. NULL: there is no memory. */
char *sch_player_text_at(uint32_t line, const char *text, size_t bytes, size_t *made_bytes);

/* ---- objects ---------------------------------------------------------------------------------------------------- */

/* What the library has of something that a text names or a draw needs; NULL: it was not made. */
struct sch_player_object {
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_image *image;
    struct sch_player_program program;
    struct sch_sampler *sampler;
    struct sch_vertex_elements *elements;
    struct sch_rasterizer *rasterizer;
    struct sch_depth_stencil_alpha *depth_stencil_alpha;
    struct sch_blend *blend;
    struct sch_stream_output *stream_output;
    struct sch_stream_target *stream_target;
    struct sch_query *query;
};
/* Pipelines that link its program go first (sch_player_unlink). */
void sch_player_object_release(struct sch_player_object *object);

/* ---- bindings -------------------------------------------------------------------------------------------------- */

enum { SCH_PLAYER_SLOTS = 128, SCH_PLAYER_BUFFERS = 64 + SCH_PLAYER_SLOTS };

/* The arrays that struct sch_bindings points to. */
struct sch_player_bindings {
    struct sch_constant_buffer constants[SCH_PLAYER_SLOTS];
    struct sch_view *views[SCH_PLAYER_SLOTS];
    struct sch_sampler *samplers[SCH_PLAYER_SLOTS];
    struct sch_storage_buffer buffers[SCH_PLAYER_BUFFERS], counters[SCH_PLAYER_SLOTS];
    struct sch_image *images[SCH_PLAYER_SLOTS];
    struct sch_bindings bindings; /* with the arrays, and counts of 0 */
};
/* NULL: memory is out. */
struct sch_player_bindings *sch_player_bindings_create(void);

/* ---- framebuffers ---------------------------------------------------------------------------------------------- */

enum { SCH_PLAYER_DEPTH_STENCIL = SCH_COLOR_BUFFERS, SCH_PLAYER_TARGETS };

/* What is drawn to: the colour buffers, then the depth buffer. */
struct sch_player_target {
    bool given;
    struct sch_resource *resource;
    struct sch_surface_options options;
};
struct sch_player_framebuffer {
    struct sch_framebuffer *framebuffer;
    uint32_t width, height, samples;             /* what all targets have */
    enum sch_format formats[SCH_PLAYER_TARGETS]; /* NONE: no target */
};

/* Makes it of the targets and, where there are none, the sizes of `options`. `*wrong`: the number of a target that
 * cannot be drawn to, or SCH_PLAYER_TARGETS. */
enum sch_result sch_player_framebuffer_make(struct sch_context *context,
                                            const struct sch_player_target targets[SCH_PLAYER_TARGETS],
                                            const struct sch_framebuffer_options *options,
                                            struct sch_diagnostics_list *list, struct sch_player_framebuffer *made,
                                            unsigned *wrong);

/* ---- draws ----------------------------------------------------------------------------------------------------- */

enum { SCH_PLAYER_STAGES = SCH_STAGE_COMPUTE };

/* What draws: a renderer, and the pipelines that it has linked. */
struct sch_player {
    struct sch_context *context;
    struct sch_renderer *renderer;
    struct sch_player_linked *linked;
};

/* `*player` is zero, and is ended whatever comes back. */
enum sch_result sch_player_begin(struct sch_player *player, struct sch_context *context);
void sch_player_end(struct sch_player *player);

/* The pipeline of programs, by stage; NULL: none. It stays until they are unlinked. */
enum sch_result sch_player_link(struct sch_player *player, const struct sch_program *const programs[SCH_PLAYER_STAGES],
                                const struct sch_stream_output *stream_output, struct sch_diagnostics_list *list,
                                const struct sch_pipeline **pipeline);
/* Destroys all pipelines: before a program is. */
void sch_player_unlink(struct sch_player *player);

/* What a draw reads. `draw` points to the rest when sch_player_draw is called. */
struct sch_player_state {
    struct sch_draw_state draw;
    struct sch_player_framebuffer target;
    struct sch_player_bindings *bound[SCH_PLAYER_STAGES]; /* NULL: nothing */
    struct sch_vertex_buffer vertex_buffers[SCH_VERTEX_BUFFERS];
    struct sch_dynamic_state dynamic;
};
enum sch_result sch_player_draw(const struct sch_player *player, struct sch_player_state *state,
                                const struct sch_draw *draw, const struct sch_dispatch_options *options,
                                struct sch_dispatch_report *report);
void sch_player_state_release(struct sch_player_state *state); /* the framebuffer and what is bound */

/* A viewport by its rectangle: where the clip volume's corners (-1, 1) and (1, -1) lie, and the depths of near and far
 * plane. `halfz`: the volume's depth is from 0 to 1. */
struct sch_player_rectangle {
    float x, y, width, height, near, far;
};
struct sch_viewport sch_player_viewport(const struct sch_player_rectangle *rectangle, bool halfz);

/* Whether a draw or dispatch ended before its end, at the place that its report names. */
bool sch_player_ended_early(enum sch_result result);

/* ---- reading back ----------------------------------------------------------------------------------------------- */

/* Texels of a level. */
struct sch_player_look {
    uint32_t level, layer, x, y, width, height;
    bool has_sample; /* otherwise samples are resolved */
    uint32_t sample;
};

/* A format with words or floats for a part of a resource's texels (SCH_PART_COLOR, DEPTH or STENCIL); NONE: they do not
 * have it. */
enum sch_format sch_player_look_format(const struct sch_resource *resource, enum sch_part part);
/* Reads them row by row, converted to a format. */
enum sch_result sch_player_look(struct sch_context *context, struct sch_resource *resource,
                                const struct sch_player_look *look, enum sch_format format, void *texels, size_t bytes,
                                struct sch_diagnostics_list *list);

#endif
