/* Executing a script: its state, and the files that do items. run.c goes from item to item and calls them; they call
 * report.c and what comes before them here. Holds no reading. */
#ifndef SCH_SCRIPT_RUN_H
#define SCH_SCRIPT_RUN_H

#include "items.h"

/* A resource that there is: what its section says, and what it holds. */
struct sch_script_instance {
    const struct sch_script_resource *shape; /* NULL: there is none */
    struct sch_script_resource made;         /* the render target that nothing declares */
    size_t size, skipped;                    /* bytes; skipped: those before a buffer's view */
    struct sch_player_object of;             /* the resource; NULL: it cannot be made, or has no bytes. View, image */
    struct sch_player_object
        one_sample;                /* of a srv: the same picture as one of one sample, where a shader wants it so */
    uint32_t counter;              /* of a uav of structures: a script cannot say where it begins, so it is 0 */
    char stale[SCH_SCRIPT_REASON]; /* why its contents are not what the script says; "": they are */
};

/* A shader that there is. */
struct sch_script_loaded {
    bool there;
    char reason[SCH_SCRIPT_REASON]; /* why it cannot be executed; "": it can */
    bool from_hlsl;
    bool failed; /* `reason` is a failure, not a lack */
    struct sch_player_program made;
    struct sch_shader *lowered;                   /* of a Direct3D shader */
    const struct sch_shader *registers;           /* that of the two whose registers the program has */
    uint32_t multisampled[SCH_SCRIPT_SLOTS / 32]; /* a bit for each view that the shader declares so */
    uint32_t line;
};

/* The pipeline's state since the last [test]. */
struct sch_script_state {
    uint32_t sample_mask;
    enum sch_compare depth;  /* NONE: not said */
    uint32_t viewport_count; /* up to the last one that was set; 0: one, of the whole framebuffer */
    struct sch_viewport viewports[SCH_VIEWPORTS];
    bool depth_bounds;
    float depth_bounds_min, depth_bounds_max;
    enum sch_compare alpha; /* NONE: not said */
    float alpha_reference;
    uint32_t clip_planes; /* bits: that were set */
    float planes[SCH_CLIP_PLANES][4];
    float point_size; /* 0: not said */
    bool sprites, flat;
};

struct sch_script_run {
    const struct sch_script *script;
    struct sch_script_options options;    /* their dispatches report to: */
    struct sch_diagnostics_list *refused; /* why there is no machine code */
    const struct sch_script_host *host;
    struct sch_script_report *report;
    struct sch_context *context;
    bool silent;                      /* nothing is reported to the host */
    unsigned model;                   /* of the items since the last [require] */
    char required[SCH_SCRIPT_REASON]; /* why items are skipped up to the next [require]; "": they are not */
    bool row_major;
    bool from_hlsl;                  /* the last draw or dispatch was of a program that came from HLSL */
    char lacking[SCH_SCRIPT_REASON]; /* pipeline state that draws would need */
    struct sch_script_instance instance[SCH_SCRIPT_KINDS][SCH_SCRIPT_SLOTS];
    struct sch_sampler *samplers[SCH_SCRIPT_SAMPLERS];
    struct sch_script_loaded shader[SCH_SCRIPT_STAGES];
    struct sch_script_state state;
    uint32_t *uniforms[SCH_SCRIPT_CONSTANTS];
    uint32_t uniform_count[SCH_SCRIPT_CONSTANTS]; /* words */
    struct sch_player player;                     /* begun when it is needed, as the next one is made */
    struct sch_program *plain_vertex;             /* where a script has no vertex shader: its output is its input */
    const struct sch_script_layout *layout;       /* NULL: none */
    enum sch_result stop;                         /* SCH_OK: it continues */
};

/* report.c: an item that did not pass. */
void sch_script_fail(struct sch_script_run *run, const struct sch_script_item *item, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sch_script_skip(struct sch_script_run *run, uint32_t line, uint64_t items, const char *reason);
void sch_script_memory(struct sch_script_run *run); /* is out: the run stops */
/* Stops the run for want of machine code. */
void sch_script_lacks_code(struct sch_script_run *run, const struct sch_diagnostic_info *why);
/* The first error of a list; where it has none, one without a number that says the result. */
struct sch_diagnostic_info sch_script_first_error(const struct sch_diagnostics_list *list, enum sch_result result);

/* instances.c: the resources that there are. */
void sch_script_instance_make(struct sch_script_run *run, const struct sch_script_item *item,
                              const struct sch_script_resource *shape);
void sch_script_instance_release(struct sch_script_instance *instance);
struct sch_script_instance *sch_script_find(struct sch_script_run *run, struct sch_script_slot slot); /* NULL: none */
void sch_script_targets(struct sch_script_run *run); /* makes render target 0 where there is no other */
/* All that a resource holds, as sch_resource_read_all has it; the caller frees it. NULL: memory is out. */
uint8_t *sch_script_read_back(struct sch_script_run *run, const struct sch_script_instance *instance);
/* A picture without samples serves a shader that declares it multisampled as one of one sample. */
struct sch_view *sch_script_one_sample_view(struct sch_script_run *run, struct sch_script_instance *instance);
/* Why what shaders would read is not what the script says; NULL: it is. */
const char *sch_script_stale(const struct sch_script_run *run);
void sch_script_spoil(struct sch_script_run *run, const char *reason); /* all that shaders may write */

/* transfer.c */
void sch_script_clear(struct sch_script_run *run, const struct sch_script_item *item);
void sch_script_copy(struct sch_script_run *run, const struct sch_script_item *item);

/* bind.c: NULL, memory is out. */
struct sch_player_bindings *sch_script_bind(struct sch_script_run *run, const struct sch_script_loaded *shader);

/* shader.c */
void sch_script_shader_load(struct sch_script_run *run, const struct sch_script_item *item);
void sch_script_shader_release(struct sch_script_loaded *loaded);

/* vertices.c: what feeds the vertex shader. */
enum sch_result sch_script_vertices_make(struct sch_script_run *run, bool quad,
                                         struct sch_vertex_buffer buffers[SCH_VERTEX_BUFFERS],
                                         struct sch_vertex_elements **elements);
/* The program of a script without a vertex shader. NULL: memory is out. */
const struct sch_program *sch_script_plain_vertex(struct sch_script_run *run);

/* framebuffer.c: the render targets and the depth buffer. */
enum sch_result sch_script_framebuffer_make(struct sch_script_run *run, struct sch_diagnostics_list *list,
                                            struct sch_player_framebuffer *made);

/* state.c: the pipeline's state around the shaders. */
void sch_script_state_reset(struct sch_script_state *state);
void sch_script_state_set(struct sch_script_state *state, const struct sch_script_setting *setting);
enum sch_result sch_script_rasterizer_make(const struct sch_script_run *run, struct sch_diagnostics_list *list,
                                           struct sch_rasterizer **made);
enum sch_result sch_script_tests_make(const struct sch_script_run *run, bool depth, struct sch_diagnostics_list *list,
                                      struct sch_depth_stencil_alpha **made);
/* `box`: the pixels that are drawn. */
void sch_script_dynamic_make(const struct sch_script_run *run, const struct sch_player_framebuffer *target,
                             struct sch_scissor box, struct sch_dynamic_state *made);

/* draw.c */
void sch_script_draw(struct sch_script_run *run, const struct sch_script_item *item);
void sch_script_dispatch(struct sch_script_run *run, const struct sch_script_item *item);

/* probe.c */
void sch_script_probe(struct sch_script_run *run, const struct sch_script_item *item);

/* trace.c: after a draw or dispatch; fails the item when what it left is not what is recorded. */
void sch_script_trace_item(struct sch_script_run *run, const struct sch_script_item *item);
/* Whether a run with this trace is the one that records. */
bool sch_script_trace_records(const struct sch_script_trace *trace);
void sch_script_trace_end(struct sch_script_trace *trace);

#endif
