/* What a scene says, as it was read: objects with names, and what is done in its order. Everything lies in the scene's
 * own memory and goes with it. Holds no reading and no execution. */
#ifndef SCH_SCENE_ITEMS_H
#define SCH_SCENE_ITEMS_H

#include "../support/names.h"
#include "scene.h"

enum {
    SCH_SCENE_OBJECTS = 1 << 16,  /* with and without names */
    SCH_SCENE_COMMANDS = 1 << 20, /* of all passes, and what is beside them */
    SCH_SCENE_ATTRIBUTES = 16,    /* of a mesh */
    SCH_SCENE_CELLS = 256,        /* of a checker along a side */
    SCH_SCENE_ERRORS = 20,        /* that are reported */
    SCH_SCENE_BYTES = 1 << 30,    /* of all that a scene holds */
    SCH_SCENE_SLOTS = SCH_PLAYER_SLOTS
};

/* Where something is. */
struct sch_scene_place {
    uint32_t line, column; /* from 1 */
    size_t offset;
};

/* A number as it is written: it becomes a float, an integer or a code when it is known what it is for. */
struct sch_scene_number {
    double real;
    float single;     /* nearest to what is written, which the one nearest to `real` may not be */
    uint64_t integer; /* two's complement */
    bool whole;       /* `integer` is it */
    bool any;         /* `_`: whatever is there */
};

/* Numbers of one type that follow each other in bytes, up to the next run. */
struct sch_scene_run {
    size_t from;
    const struct sch_scene_type *type; /* NULL: bytes */
};

struct sch_scene_bytes {
    uint8_t *data;
    size_t bytes;
};

struct sch_scene_shader {
    struct sch_player_source from;
    bool maxwell; /* its lookups are executed as Maxwell code */
};

struct sch_scene_mesh {
    uint32_t attribute_count, stride, vertex_count, index_count;
    struct sch_vertex_element attributes[SCH_SCENE_ATTRIBUTES];
    struct sch_scene_bytes vertices;
    uint32_t *indices; /* NULL: none */
};

enum sch_scene_content_kind {
    SCH_SCENE_SOLID,
    SCH_SCENE_CHECKER,
    SCH_SCENE_GRADIENT,
    SCH_SCENE_PICTURE,
    SCH_SCENE_DATA,
    SCH_SCENE_WHOLE /* of a file: all levels and layers */
};

/* What a texture is filled with. */
struct sch_scene_content {
    enum sch_scene_content_kind kind;
    struct sch_scene_place place;
    uint32_t level, first_layer, layer_count; /* layer_count 0: all */
    struct sch_scene_number colors[2][4];     /* CHECKER, GRADIENT: from the first to the second */
    uint32_t cells[2];
    bool vertical;
    uint32_t width, height; /* PICTURE */
    enum sch_format format; /* PICTURE, WHOLE */
    struct sch_scene_bytes bytes;
    struct sch_scene_content *next;
};

struct sch_scene_texture {
    struct sch_resource_options options;
    bool all_levels, mips;
    struct sch_scene_content *contents;
};

struct sch_scene_elements {
    struct sch_vertex_element elements[SCH_VERTEX_ELEMENTS];
    uint32_t count;
};

struct sch_scene_dynamic {
    struct sch_dynamic_state state;
    uint32_t given;      /* bits: viewports that the scene gives; others are over the framebuffer */
    uint32_t rectangles; /* bits: those of them that `viewports` has */
    struct sch_player_rectangle viewports[SCH_VIEWPORTS];
};

/* Rows of a matrix that is multiplied with columns. */
struct sch_scene_matrix {
    float m[4][4];
};

struct sch_scene_query {
    enum sch_query_kind kind;
    uint32_t index;
};

/* A range of a buffer; bytes 0: all that follow. */
struct sch_scene_stream_target {
    const struct sch_scene_object *buffer;
    uint64_t offset, bytes;
};

enum sch_scene_kind {
    SCH_SCENE_SHADER,
    SCH_SCENE_BUFFER,
    SCH_SCENE_MESH,
    SCH_SCENE_TEXTURE,
    SCH_SCENE_SAMPLER,
    SCH_SCENE_ELEMENTS,
    SCH_SCENE_RASTERIZER,
    SCH_SCENE_DEPTH_STENCIL_ALPHA,
    SCH_SCENE_BLEND,
    SCH_SCENE_DYNAMIC,
    SCH_SCENE_STREAM_OUTPUT, /* the last that passes use */
    SCH_SCENE_MATRIX,
    SCH_SCENE_QUERY,
    SCH_SCENE_STREAM_TARGET,
    SCH_SCENE_KINDS
};
extern const char *const sch_scene_kind_words[SCH_SCENE_KINDS];

/* Something that has a name, or state that a pass says itself. */
struct sch_scene_object {
    enum sch_scene_kind kind;
    const char *name; /* "": none */
    size_t name_bytes;
    struct sch_scene_place place;
    uint32_t number; /* in the order of the scene */
    union {
        struct sch_scene_shader shader;
        struct sch_scene_bytes buffer;
        struct sch_scene_mesh mesh;
        struct sch_scene_texture texture;
        struct sch_sampler_options sampler;
        struct sch_scene_elements elements;
        struct sch_rasterizer_options rasterizer;
        struct sch_depth_stencil_alpha_options depth_stencil_alpha;
        struct sch_blend_options blend;
        struct sch_scene_dynamic dynamic;
        struct sch_scene_matrix matrix;
        struct sch_scene_query query;
        struct sch_stream_output_options stream_output;
        struct sch_scene_stream_target stream_target;
    };
    struct sch_scene_object *next;
};

/* ---- what is done ------------------------------------------------------------------------------------------------ */

enum sch_scene_register {
    SCH_SCENE_CONSTANTS,
    SCH_SCENE_VIEW,
    SCH_SCENE_SAMPLER_SLOT,
    SCH_SCENE_STORAGE,
    SCH_SCENE_ATOMIC,
    SCH_SCENE_IMAGE
};

/* What a register of a stage is bound to. */
struct sch_scene_bind {
    enum sch_stage stage;
    enum sch_scene_register kind;
    uint32_t slot;
    const struct sch_scene_object *object, *sampler; /* `sampler`: of a view */
    uint64_t offset, bytes;
    struct sch_scene_bytes data; /* of constants without an object */
    struct sch_view_options view;
    struct sch_image_options image;
};

struct sch_scene_clear {
    uint32_t parts, colors; /* as in struct sch_framebuffer_clear */
    struct sch_scene_number color[4];
    double depth;
    uint32_t stencil;
    bool scissored;
    struct sch_scissor scissor;
};

struct sch_scene_draw {
    struct sch_draw draw;                                                             /* without what these are: */
    const struct sch_scene_object *mesh, *indices, *indirect, *count_buffer, *target; /* target: has the count */
    bool has_count;
};

enum sch_scene_command_kind {
    SCH_SCENE_DO_CLEAR,
    SCH_SCENE_DO_USE,     /* a shader, or state */
    SCH_SCENE_DO_WITHOUT, /* a stage has no shader any more */
    SCH_SCENE_DO_BIND,
    SCH_SCENE_DO_VERTEX_BUFFER,
    SCH_SCENE_DO_STREAM, /* a target of stream output; without an object: none */
    SCH_SCENE_DO_FILLED, /* how much of a target is filled */
    SCH_SCENE_DO_DRAW,
    SCH_SCENE_DO_BEGIN,
    SCH_SCENE_DO_END,
    SCH_SCENE_DO_CONDITION
};

struct sch_scene_command {
    enum sch_scene_command_kind kind;
    struct sch_scene_place place;
    const struct sch_scene_object *object; /* USE, VERTEX_BUFFER, BEGIN, END; CONDITION, NULL: none */
    uint32_t slot;                         /* VERTEX_BUFFER, STREAM; WITHOUT: enum sch_stage */
    uint64_t offset;                       /* FILLED: bytes */
    bool inverted;                         /* CONDITION */
    union {
        struct sch_scene_clear *clear;
        struct sch_scene_bind *bind;
        struct sch_scene_draw *draw;
    };
    struct sch_scene_command *next;
};

/* A level of a texture that is drawn to. */
struct sch_scene_attachment {
    const struct sch_scene_object *texture; /* NULL: none */
    struct sch_scene_place place;
    struct sch_surface_options options;
};

struct sch_scene_pass {
    const char *name;
    struct sch_scene_attachment colors[SCH_COLOR_BUFFERS], depth_stencil;
    uint32_t width, height, layers, samples; /* without attachments */
    struct sch_scene_command *commands;
};

/* From a texture to a texture: stretched and converted, or bit by bit. */
struct sch_scene_blit {
    struct sch_blit blit;
    const struct sch_scene_object *to, *from;
    const struct sch_scene_object *condition; /* a query; NULL: none */
    bool copies, inverted;
};

enum sch_scene_expect_kind {
    SCH_SCENE_EXPECT_COLOR,
    SCH_SCENE_EXPECT_DEPTH,
    SCH_SCENE_EXPECT_STENCIL,
    SCH_SCENE_EXPECT_QUERY,
    SCH_SCENE_EXPECT_SAME,
    SCH_SCENE_EXPECT_BUFFER,
    SCH_SCENE_EXPECT_FILLED
};

struct sch_scene_expect {
    enum sch_scene_expect_kind kind;
    const struct sch_scene_object *object, *other;
    uint32_t level, layer, sample;
    bool has_sample, all; /* all: every pixel of the level */
    uint32_t x, y, width, height;
    struct sch_scene_number values[SCH_STATISTICS];
    uint32_t value_count;
    bool has_tolerance;
    double tolerance;
    uint64_t offset; /* BUFFER */
    struct sch_scene_bytes data;
    struct sch_scene_run *runs;
    size_t run_count;
};

enum sch_scene_step_kind { SCH_SCENE_PASS, SCH_SCENE_BLIT, SCH_SCENE_MIPS, SCH_SCENE_EXPECT };

/* What is beside each other in a scene, in its order. */
struct sch_scene_step {
    enum sch_scene_step_kind kind;
    struct sch_scene_place place;
    union {
        struct sch_scene_pass *pass;
        struct sch_scene_blit *blit;
        struct sch_scene_expect *expect;
        const struct sch_scene_object *texture; /* MIPS */
    };
    struct sch_scene_step *next;
};

/* The picture that is written. */
struct sch_scene_output {
    const struct sch_scene_object *texture; /* NULL: colour buffer 0 of the last pass */
    uint32_t level, layer;
};

struct sch_scene_block;

struct sch_scene {
    const char *name, *text; /* the caller's; a zero byte follows the text */
    size_t bytes;
    struct sch_scene_block *blocks; /* all memory */
    size_t held;
    struct sch_scene_object *objects, *last_object;
    void *names; /* of tsearch */
    uint32_t object_count, command_count;
    struct sch_scene_step *steps;
    struct sch_scene_output output;
    unsigned errors;
    bool no_memory;
};

/* Zeros that live as long as the scene; NULL, which is noted: memory is out, or the scene holds too much. */
void *sch_scene_alloc(struct sch_scene *scene, size_t bytes);

/* Adds an object, whose name no other has. False: memory. */
bool sch_scene_enter(struct sch_scene *scene, struct sch_scene_object *object);
/* NULL: there is none. */
struct sch_scene_object *sch_scene_find(const struct sch_scene *scene, const char *name, size_t bytes);

#endif
