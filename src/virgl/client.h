/* What the files of this folder share: a client, its sub-contexts and their state, objects that are counted by those
 * who hold them. Nothing outside of the folder includes it. */
#ifndef SCH_VIRGL_CLIENT_H
#define SCH_VIRGL_CLIENT_H

#include "map.h"
#include "virgl.h"

/* Stages by the protocol's numbers. */
enum stage { STAGE_VERTEX, STAGE_FRAGMENT, STAGE_GEOMETRY, STAGE_TESS_CTRL, STAGE_TESS_EVAL, STAGE_COMPUTE, STAGES };

enum {
    CONSTANT_BUFFERS = 16,
    SAMPLER_VIEWS = 128,
    SAMPLERS = 64,
    SHADER_BUFFERS = 32,
    SHADER_IMAGES = 32,
    ATOMIC_BUFFERS = 32,
    SUB_CONTEXTS = 1024 /* of a client, at most */
};

/* ---- resources ---- */

struct sch_virgl_resource {
    unsigned references;
    struct sch_resource *resource;
    struct sch_virgl_resource_options as_asked;
    enum sch_format format;
    struct sch_format_info facts;
    uint8_t *memory; /* the client's; NULL: none */
    size_t memory_bytes;
};

struct sch_virgl_resource *sch_virgl_resource_find(struct sch_virgl *virgl,
                                                   uint32_t handle); /* NULL: refused, and reported */
struct sch_virgl_resource *sch_virgl_resource_hold(struct sch_virgl_resource *resource);    /* takes NULL */
void sch_virgl_resource_drop(struct sch_virgl *virgl, struct sch_virgl_resource *resource); /* takes NULL */

/* The format with the protocol's number; NONE: there is none. */
enum sch_format sch_virgl_format(uint32_t number);

/* ---- objects ---- */

enum object_kind {
    OBJECT_NULL,
    OBJECT_BLEND,
    OBJECT_RASTERIZER,
    OBJECT_DSA,
    OBJECT_SHADER,
    OBJECT_VERTEX_ELEMENTS,
    OBJECT_SAMPLER_VIEW,
    OBJECT_SAMPLER_STATE,
    OBJECT_SURFACE,
    OBJECT_QUERY,
    OBJECT_STREAMOUT_TARGET,
    OBJECT_MSAA_SURFACE,
    OBJECT_KINDS
};

struct shader {
    enum stage stage;
    char *text; /* while it comes in parts: `whole` bytes, `have` of them there; NULL: it is whole */
    uint32_t whole, have;
    struct sch_program *program;
    struct sch_shader *shader;               /* NULL: it is not kept */
    struct sch_stream_output *stream_output; /* NULL: none */
    uint32_t shared_bytes;                   /* of a work group */
    uint32_t collected;                      /* its collector's number; 0: none */
};

struct elements {
    uint32_t count;
    struct sch_vertex_element items[SCH_VERTEX_ELEMENTS];
    struct sch_vertex_elements *made; /* with the strides that `items` have */
};

struct query {
    struct sch_query *query;
    struct sch_renderer *renderer; /* that counts for it; NULL: none */
    struct sch_virgl_resource *to; /* whose memory receives the result */
    uint32_t offset;
    bool statistic; /* one of the statistics of the pipeline */
};

struct stream_target {
    struct sch_stream_target *target;
    struct sch_virgl_resource *resource;
    uint32_t offset, bytes;
    uint64_t bound_at; /* when it was last bound, counted in commands; 0: never */
};

struct surface {
    struct sch_surface *made;
    struct sch_virgl_buffer of;
};

struct object {
    enum object_kind kind;
    unsigned references; /* the handle's, and one of each place where it is bound */
    void (*end)(struct sch_virgl *virgl, struct object *object); /* what ends with the last of them */
    union {
        struct sch_blend *blend;
        struct sch_rasterizer *rasterizer;
        struct sch_depth_stencil_alpha *dsa;
        struct shader shader;
        struct elements elements;
        struct sch_view *view;
        struct sch_sampler *sampler;
        struct surface surface;
        struct query query;
        struct stream_target target;
    };
};

/* The object of a handle; 0 and other kinds are refused. */
struct object *sch_virgl_object_find(struct sch_virgl *virgl, uint32_t handle, enum object_kind kind);
struct object *sch_virgl_object_hold(struct object *object);                /* takes NULL */
void sch_virgl_object_drop(struct sch_virgl *virgl, struct object *object); /* takes NULL */
/* Puts an object, or NULL, in a place where another one may be. */
void sch_virgl_object_bind(struct sch_virgl *virgl, struct object **place, struct object *object);

/* ---- sub-contexts ---- */

/* What the programs of a stage are given. Arrays are as struct sch_bindings takes them; next to each is who is
 * held. */
struct stage_bindings {
    struct sch_constant_buffer constants[CONSTANT_BUFFERS];
    struct sch_virgl_resource *constant_resources[CONSTANT_BUFFERS];
    uint32_t *words; /* constant buffer 0 if it has no resource; `word_room` of them, `word_count` used */
    uint32_t word_count, word_room;
    struct sch_view *views[SAMPLER_VIEWS];
    struct object *view_objects[SAMPLER_VIEWS];
    struct sch_sampler *samplers[SAMPLERS];
    struct object *sampler_objects[SAMPLERS];
    struct sch_storage_buffer buffers[SHADER_BUFFERS];
    struct sch_virgl_resource *buffer_resources[SHADER_BUFFERS];
    struct sch_image *images[SHADER_IMAGES];
    /* Highest one that is bound + 1. */
    uint32_t constant_count, view_count, sampler_count, buffer_count, image_count;
};

struct vertex_buffer {
    struct sch_virgl_resource *resource;
    uint32_t stride, offset;
};

struct linked; /* a pipeline of some programs */

struct sub_context {
    uint32_t id;
    struct sch_virgl_map objects;
    struct sch_renderer *renderer;
    struct object *blend, *rasterizer, *dsa, *elements;
    struct object *shaders[STAGES];
    struct linked *pipelines;
    struct stage_bindings stages[STAGES];
    struct sch_storage_buffer atomics[ATOMIC_BUFFERS];
    struct sch_virgl_resource *atomic_resources[ATOMIC_BUFFERS];
    uint32_t atomic_count; /* highest one that is bound + 1 */
    struct sch_dynamic_state dynamic;
    struct sch_framebuffer *framebuffer;
    struct object *surfaces[SCH_COLOR_BUFFERS + 1]; /* the last one: depth and stencil */
    uint32_t color_count, width, height, layers, samples;
    struct vertex_buffer vertex_buffers[SCH_VERTEX_BUFFERS];
    uint32_t vertex_buffer_count;
    struct sch_virgl_resource *indices;
    uint32_t index_bytes, index_offset;
    struct object *stream_targets[SCH_STREAM_BUFFERS];
    struct object *condition;
    bool condition_inverted;
};

/* ---- a client ---- */

struct sch_virgl {
    struct sch_virgl_options options;
    struct sch_allocator memory;
    struct sch_diagnostics_list *diagnostics;
    struct sch_virgl_map resources, subs;
    struct sub_context *sub; /* where commands go */
    struct sch_virgl_counts counts;
    struct sch_virgl_losses *losses, own_losses; /* the caller's, or its own */
    const char *command;                         /* that is executed, for the log; NULL: none */
    size_t word;                                 /* where it begins */
    struct sch_virgl_sink sink;                  /* of a recording; no function: nothing is recorded */
    struct sch_virgl_frame_callbacks frame_callbacks;
    struct sch_virgl_draw_callbacks draw_callbacks; /* no functions: there is none */
    struct sch_virgl_collector collector;           /* no functions: there is none */
    struct sch_virgl_log explained;                 /* receives all commands; no function: no log */
    bool stopped;                                   /* no more of a recording is played */
    enum sch_result worst;                          /* of what ended early */
    bool waits;                                     /* draws of the sub-context may wait for others */
};

/* A command: the words after its header. */
struct command {
    const uint32_t *words;
    uint32_t count;
    uint32_t kind; /* enum object_kind, of commands of objects */
};

/* Says in the log why the command is refused. Returns false. */
bool sch_virgl_refuse(struct sch_virgl *virgl, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same where the user can do something about it (SCH_VIRGL_WHY_). */
bool sch_virgl_refuse_for(struct sch_virgl *virgl, uint32_t why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Counts what a call of the caller's did not do, unless it did: returns the result. Commands are counted by submit. */
enum sch_result sch_virgl_count(struct sch_virgl *virgl, enum sch_virgl_loss loss, enum sch_result result);
/* How texels of a command are moved: as draws are made. */
struct sch_moving_options sch_virgl_moving(const struct sch_virgl *virgl);
/* The same as sch_virgl_check of them: whoever submitted hears of those that ended early. */
bool sch_virgl_end_move(struct sch_virgl *virgl, enum sch_result result, const char *what);
/* As much of what a function reported, if it failed: false. */
bool sch_virgl_check(struct sch_virgl *virgl, enum sch_result result, const char *what);
/* An empty list for the function that is called next; NULL: no memory. */
struct sch_diagnostics_list *sch_virgl_list(struct sch_virgl *virgl);

void *sch_virgl_alloc(struct sch_virgl *virgl, size_t bytes); /* zeroed; NULL: no memory, and the command is refused */
void sch_virgl_free(struct sch_virgl *virgl, void *memory);   /* takes NULL */

static inline float sch_virgl_float(uint32_t word)
{
    union {
        uint32_t u;
        float f;
    } both = {.u = word};
    return both.f;
}

static inline uint32_t sch_virgl_bits(uint32_t word, unsigned first, unsigned count)
{
    return word >> first & ((UINT32_C(1) << count) - 1);
}

/* resources.c: the target of a view by the protocol's number; false: there is none. */
bool sch_virgl_view_target(uint32_t number, bool multisampled, enum sch_target *target);
/* The client's memory is no longer there. */
void sch_virgl_detach(struct sch_virgl *virgl, uint32_t handle);
/* explain.c: each does nothing without a receiver. A command, whose header says how many words follow. */
void sch_virgl_explain_command(struct sch_virgl *virgl, uint32_t header, const uint32_t *words);
/* Likewise a record (record.h) of so many bytes; only records of words are explained. */
void sch_virgl_explain_record(struct sch_virgl *virgl, uint32_t kind, const void *content, size_t bytes);
/* waiting.c: ends draws that wait, before something changes that they use. */
void sch_virgl_finish(struct sch_virgl *virgl);
/* queries.c */
bool sch_virgl_make_query(struct sch_virgl *virgl, struct query *made, const struct command *command);
void sch_virgl_end_query_object(struct sch_virgl *virgl, struct object *object);
/* sub_context.c */
struct sub_context *sch_virgl_sub_create(struct sch_virgl *virgl, uint32_t id);
void sch_virgl_sub_destroy(struct sch_virgl *virgl, struct sub_context *sub);
/* shaders.c */
/* The pipeline of the bound programs; NULL: refused. */
const struct sch_pipeline *sch_virgl_pipeline(struct sch_virgl *virgl, struct sub_context *sub);
/* Reports to the collector that a draw or a grid of that number uses the shader; NULL: none. */
void sch_virgl_use_shader(const struct sch_virgl *virgl, const struct object *object, uint64_t by);
/* CREATE_OBJECT of a shader: its first part, which may be all of it; or another part of one that there is. */
bool sch_virgl_make_shader(struct sch_virgl *virgl, struct object *made, const struct command *command);
bool sch_virgl_is_continuation(const struct command *command);
bool sch_virgl_continue_shader(struct sch_virgl *virgl, const struct command *command);
void sch_virgl_end_shader(struct sch_virgl *virgl, struct object *object);
/* bindings.c */
void sch_virgl_get_bindings(struct sub_context *sub, enum stage stage, struct sch_bindings *bindings);
void sch_virgl_end_bindings(struct sch_virgl *virgl, struct sub_context *sub);
/* A range of a buffer; `bytes` 0 and no resource: nothing. */
bool sch_virgl_bind_range(struct sch_virgl *virgl, uint32_t handle, uint32_t offset, uint32_t bytes, uint32_t align,
                          struct sch_storage_buffer *range, struct sch_virgl_resource **held);

#define COMMAND(number, name, least, most, waits, function, words)                                                     \
    bool sch_virgl_##function(struct sch_virgl *virgl, const struct command *command);
#include "commands.def"
#undef COMMAND

#endif
