/* A script in memory: what reading makes (text.h) and executing takes (run.h), item by item in the text's order. Holds
 * neither. */
#ifndef SCH_SCRIPT_ITEMS_H
#define SCH_SCRIPT_ITEMS_H

#include "script.h"

enum {
    SCH_SCRIPT_SLOTS = 128, /* of each kind of resource */
    SCH_SCRIPT_TARGETS = 8, /* render targets */
    SCH_SCRIPT_SAMPLERS = 16,
    SCH_SCRIPT_UNIFORMS = 16384, /* words of a constant buffer: 4096 registers */
    SCH_SCRIPT_CONSTANTS = 14,   /* constant buffers */
    SCH_SCRIPT_PREFIXES = 4,
    SCH_SCRIPT_SIDE = 16384,
    SCH_SCRIPT_BYTES = 1 << 28 /* of one resource */
};

/* A part of the script's text. */
struct sch_script_string {
    const char *text;
    size_t bytes;
};

enum sch_script_stage {
    SCH_SCRIPT_PIXEL,
    SCH_SCRIPT_VERTEX,
    SCH_SCRIPT_COMPUTE,
    SCH_SCRIPT_HULL,
    SCH_SCRIPT_DOMAIN,
    SCH_SCRIPT_GEOMETRY,
    SCH_SCRIPT_EFFECT,
    SCH_SCRIPT_STAGES
};

enum sch_script_language {
    SCH_SCRIPT_HLSL,
    SCH_SCRIPT_TGSI,
    SCH_SCRIPT_D3D_ASM,
    SCH_SCRIPT_DXBC_HEX,
    SCH_SCRIPT_D3DBC_HEX /* shader models 1 to 3 */
};

/* todo(...), bug(...), if(...), fail(...), notimpl(...): the word, and what is in the parentheses. */
enum sch_script_word { SCH_SCRIPT_TODO, SCH_SCRIPT_BUG, SCH_SCRIPT_IF, SCH_SCRIPT_FAIL, SCH_SCRIPT_NOTIMPL };
struct sch_script_prefix {
    enum sch_script_word word;
    struct sch_script_string condition; /* no bytes: always */
};

struct sch_script_shader {
    enum sch_script_stage stage;
    enum sch_script_language language;
    struct sch_script_string body;
    unsigned number; /* of the file's sections with HLSL, from 0 */
};

enum sch_script_kind {
    SCH_SCRIPT_RTV,
    SCH_SCRIPT_SRV,
    SCH_SCRIPT_UAV,
    SCH_SCRIPT_DSV,
    SCH_SCRIPT_VB,
    SCH_SCRIPT_KINDS
};
enum sch_script_shape {
    SCH_SCRIPT_2D, /* what a resource is that nothing declares */
    SCH_SCRIPT_1D,
    SCH_SCRIPT_1D_ARRAY,
    SCH_SCRIPT_2D_MS,
    SCH_SCRIPT_2D_ARRAY,
    SCH_SCRIPT_3D,
    SCH_SCRIPT_CUBE,
    SCH_SCRIPT_CUBE_ARRAY,
    SCH_SCRIPT_BUFFER,
    SCH_SCRIPT_RAW_BUFFER,
    SCH_SCRIPT_COUNTER_BUFFER
};
enum sch_script_number { SCH_SCRIPT_FLOAT, SCH_SCRIPT_SINT, SCH_SCRIPT_UINT };

/* [srv N] and its like. Channels have 32 bits, or there is a format of the tables (sch_player_look_format). */
struct sch_script_resource {
    enum sch_script_kind kind;
    unsigned slot;
    enum sch_script_shape shape;
    enum sch_script_number number;
    unsigned channels;
    bool typeless, unknown; /* of the format */
    int format;             /* of the tables: numbers are words of its bytes; 0: channels of 32 bits */
    uint32_t offset;        /* the element with which a buffer's view begins */
    uint32_t width, height, depth, layers, samples, levels, stride;
    uint32_t *words; /* the numbers, in their order */
    size_t count, capacity;
};

/* [input layout]: vertices of [vb N], element after element. */
struct sch_script_layout {
    uint32_t count;
    struct sch_script_element {
        enum sch_format format;
        uint32_t buffer, index;
        struct sch_script_string name;
    } elements[SCH_VERTEX_ELEMENTS];
};

/* draw: of a layout's vertices, or the one triangle of `draw quad`. */
struct sch_script_draw {
    bool quad;
    enum sch_primitive primitive;
    uint32_t patch_vertices; /* of PATCHES */
    uint32_t count, instances;
};

struct sch_script_sampler {
    unsigned slot;
    struct sch_sampler_options options;
};

/* A line of [test] that sets state of the pipeline around the shaders. */
enum sch_script_setting_kind {
    SCH_SCRIPT_SET_VIEWPORT,
    SCH_SCRIPT_SET_DEPTH_BOUNDS,
    SCH_SCRIPT_SET_ALPHA_TEST,
    SCH_SCRIPT_SET_CLIP_PLANE,
    SCH_SCRIPT_SET_POINT_SIZE,
    SCH_SCRIPT_SET_POINT_SPRITE,
    SCH_SCRIPT_SET_SHADE_MODE
};
struct sch_script_setting {
    enum sch_script_setting_kind kind;
    uint32_t number; /* of the viewport or plane */
    bool on;         /* POINT_SPRITE; SHADE_MODE: flat */
    enum sch_compare compare;
    float values[4]; /* in the line's order */
};

/* rtv 0 and its like */
struct sch_script_slot {
    enum sch_script_kind kind;
    unsigned number;
};

enum sch_script_type {
    SCH_SCRIPT_RGBA,
    SCH_SCRIPT_F32,
    SCH_SCRIPT_U32,
    SCH_SCRIPT_I32,
    SCH_SCRIPT_F64,
    SCH_SCRIPT_U64,
    SCH_SCRIPT_I64
};
struct sch_script_probe {
    struct sch_script_slot slot;
    uint32_t left, top, right, bottom, layer; /* right and bottom are outside */
    enum sch_script_type type;
    unsigned count;
    uint64_t values[4]; /* bits */
    uint32_t ulps;
};

enum sch_script_item_kind {
    SCH_SCRIPT_ITEM_REQUIRE,
    SCH_SCRIPT_ITEM_SHADER,
    SCH_SCRIPT_ITEM_RESOURCE,
    SCH_SCRIPT_ITEM_SAMPLER,
    SCH_SCRIPT_ITEM_INPUT_LAYOUT,
    SCH_SCRIPT_ITEM_TEST,
    SCH_SCRIPT_ITEM_UNIFORM,
    SCH_SCRIPT_ITEM_DRAW,
    SCH_SCRIPT_ITEM_DISPATCH,
    SCH_SCRIPT_ITEM_CLEAR,
    SCH_SCRIPT_ITEM_COPY,
    SCH_SCRIPT_ITEM_SAMPLE_MASK,
    SCH_SCRIPT_ITEM_DEPTH,
    SCH_SCRIPT_ITEM_SETTING,
    SCH_SCRIPT_ITEM_STATE, /* of the pipeline, which draws do not have */
    SCH_SCRIPT_ITEM_PROBE
};

/* What [require] asks for. Models are major * 10 + minor. */
struct sch_script_require {
    bool row_major;                   /* HLSL is compiled with another order of matrices */
    unsigned at_least, below;         /* below 0: no bound */
    struct sch_script_string missing; /* a missing capability; no bytes: none */
};

struct sch_script_item {
    enum sch_script_item_kind kind;
    uint32_t line;
    unsigned prefixes;
    struct sch_script_prefix prefix[SCH_SCRIPT_PREFIXES];
    union {
        struct sch_script_require require;
        struct sch_script_shader shader;
        struct sch_script_resource *resource; /* owned */
        struct sch_script_sampler *sampler;   /* owned */
        struct sch_script_layout *layout;     /* owned */
        struct sch_script_draw draw;
        struct {
            uint32_t buffer, offset, count, words[8];
        } uniform;
        struct sch_script_string text; /* STATE: the line */
        uint32_t grid[3];
        uint32_t sample_mask;
        enum sch_compare depth;
        struct sch_script_setting setting;
        struct {
            struct sch_script_slot slot;
            float values[4];
        } clear;
        struct {
            struct sch_script_slot from, to;
        } copy;
        struct sch_script_probe *probe; /* owned */
    };
};

struct sch_script {
    const char *name, *text; /* the caller's; a zero byte follows the text */
    size_t bytes;
    struct sch_script_item *items;
    size_t count, capacity;
    unsigned shaders, errors; /* shaders: sections with HLSL so far */
    bool no_memory;
};

/* NULL: memory is out, or there are more items than scripts have, which is noted. */
struct sch_script_item *sch_script_add(struct sch_script *script, enum sch_script_item_kind kind, uint32_t line);

/* condition.c: whether some prefix of these words holds at a shader model; whether all of its if(...) hold. */
bool sch_script_holds(const struct sch_script_item *item, unsigned words, unsigned model);
bool sch_script_applies(const struct sch_script_item *item, unsigned model);

bool sch_script_is_buffer(const struct sch_script_resource *resource);
bool sch_script_is_memory(const struct sch_script_resource *resource); /* bytes or structures, which are not texels */
uint64_t sch_script_resource_bytes(const struct sch_script_resource *resource); /* of channels of 32 bits */
/* Bytes of a buffer before its view. */
uint64_t sch_script_offset_bytes(const struct sch_script_resource *resource);

#endif
