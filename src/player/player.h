/* What executes scenes and scripts, which read different languages: their programs, what registers are bound to, the
 * framebuffers of draws, viewports. On the public headers alone; reports are the reader's. */
#ifndef SCH_PLAYER_PLAYER_H
#define SCH_PLAYER_PLAYER_H

#include <scheelite/draw.h>
#include <scheelite/scheelite.h>

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

/* What does not hold, or is skipped, of what a text expects. Some bytes of the reason are the text's: whoever prints it
 * replaces control characters. */
struct sch_player_outcome {
    uint32_t line;
    const char *reason;
    bool skipped;
    uint64_t items; /* that have this outcome */
};

/* ---- programs ---------------------------------------------------------------------------------------------------- */

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

/* ---- bindings ---------------------------------------------------------------------------------------------------- */

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
void sch_player_bindings_begin(struct sch_player_bindings *bound);

/* ---- framebuffers ------------------------------------------------------------------------------------------------ */

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

/* Makes it from the targets and, where there are none, the sizes of `options`. `*wrong`: the number of a target that
 * cannot be drawn to, or SCH_PLAYER_TARGETS. */
enum sch_result sch_player_framebuffer_make(struct sch_context *context,
                                            const struct sch_player_target targets[SCH_PLAYER_TARGETS],
                                            const struct sch_framebuffer_options *options,
                                            struct sch_diagnostics_list *list, struct sch_player_framebuffer *made,
                                            unsigned *wrong);

/* ---- draws ------------------------------------------------------------------------------------------------------- */

/* A viewport by its rectangle: where the clip volume's corners (-1, 1) and (1, -1) lie, and the depths of near and far
 * plane. `halfz`: the volume's depth is from 0 to 1. */
struct sch_player_rectangle {
    float x, y, width, height, near, far;
};
struct sch_viewport sch_player_viewport(const struct sch_player_rectangle *rectangle, bool halfz);

/* Whether a draw or dispatch ended before its end, at the place that its report names. */
bool sch_player_ended_early(enum sch_result result);

#endif
