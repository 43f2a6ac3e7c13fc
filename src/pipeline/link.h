/* What the programs of a pipeline read of each other and of the fixed functions between them, by semantic name and
 * index (docs/pipeline.md, "Linking"). Made once from their interfaces (ir/prepared.h), before any state is known; what
 * depends on the rasterizer's state is asked with it. Plain data. Holds no state and runs nothing. */
#ifndef SCH_PIPELINE_LINK_H
#define SCH_PIPELINE_LINK_H

#include "ir/prepared.h"
#include "pipeline/primitive.h"

enum {
    SCH_LINK_REGISTERS = 80, /* inputs that a shader may read; as many as PIPE_MAX_SHADER_INPUTS */
    SCH_LINK_COPIES = 512,   /* parts of registers that make a vertex */
    SCH_LINK_STREAM_COPIES = 2 * SCH_STREAM_OUTPUTS,
    SCH_LINK_VALUES = 32,              /* system values that a program may read */
    SCH_LINK_NO_REGISTER = UINT16_MAX, /* nor does any program have it */
    SCH_LINK_NO_SPRITE = 32,
    SCH_LINK_EMITTED = 16384 /* vertices that GS_MAX_OUTPUT_VERTICES may allow */
};

/* A part of a shaded vertex: component c of OUT[output], for each c of `mask`, is word `word` + c. */
struct sch_link_copy {
    uint16_t output; /* NO_REGISTER: nothing writes them, and they are those of (0, 0, 0, 1) */
    uint16_t word;
    uint8_t mask;
};

enum sch_link_source {
    SCH_LINK_ATTRIBUTE,    /* of the vertices: four words from `word` on */
    SCH_LINK_MISSING,      /* (0, 0, 0, 1), unless a sprite replaces it */
    SCH_LINK_POSITION,     /* x, y, depth, 1/w */
    SCH_LINK_FACE,         /* (1.0 or -1.0, 0, 0, 1) */
    SCH_LINK_POINT_COORD,  /* (x, y, 0, 1) */
    SCH_LINK_PRIMITIVE_ID, /* an integer in x: word `word` of the provoking vertex, or the primitive's number */
    SCH_LINK_LAYER,        /* integers in x: as the provoking vertex says, before it is bounded; 0 where none does */
    SCH_LINK_VIEWPORT,
    SCH_LINK_PATCH /* of a patch: four words from `word` on */
};

/* A register of IN that the fragment shader can read. */
struct sch_link_input {
    uint16_t number;       /* of the register */
    uint8_t source;        /* enum sch_link_source */
    uint8_t mask;          /* components that are read */
    uint8_t interpolation; /* enum sch_interpolation; COLOR: sch_link_interpolation */
    uint8_t location;      /* enum sch_location */
    uint8_t sprite;        /* bit of sprite_coord_enable by which a sprite's coordinates replace it, or NO_SPRITE */
    bool sprite_generic;   /* the bit counts where it names GENERIC inputs, else where it names TEXCOORD inputs */
    uint16_t word;         /* of a shaded vertex; VERTEX_NONE: not there */
    uint16_t back_word;    /* the colour of back faces with light_twoside; equal to `word` where there is none */
};

/* A register of SV that a program can read. */
struct sch_link_value {
    uint16_t number;
    uint8_t semantic;
    uint16_t word; /* PRIM_ID, LAYER, VIEWPORT_INDEX of fragments: as that of sch_link_input */
};

/* Registers of OUT of the fragment shader; NO_REGISTER: none. */
struct sch_link_outputs {
    uint16_t color[SCH_COLOR_BUFFERS]; /* colour buffer n; [1] is the second source of dual-source blending */
    uint16_t depth;                    /* z */
    uint16_t stencil;                  /* y */
    uint16_t sample_mask;              /* x */
    bool broadcast;                    /* COLOR 0 goes to all colour buffers */
};

/* A register of IN that a stage between vertices and fragments can read: of each vertex the words from `word` on. */
struct sch_link_register {
    uint16_t number;
    uint8_t source; /* ATTRIBUTE, PATCH, MISSING, PRIMITIVE_ID: an integer in x */
    uint8_t mask;   /* components that are read */
    uint16_t word;
};

/* Where a patch has its levels, four words each, and what else it has after them. */
enum { SCH_LINK_OUTER = 0, SCH_LINK_INNER = 4, SCH_LINK_LEVELS = 8 };

/* What vertices have between two stages, neither of which is the fragments', and patches until they are tessellated. */
struct sch_link_hop {
    const struct sch_prepared *from, *to;
    struct sch_vertex_layout layout; /* words, and nothing for fixed functions */
    struct sch_link_copy copies[SCH_LINK_COPIES];
    uint32_t copy_count;
    struct sch_link_copy patch_copies[SCH_LINK_COPIES]; /* levels that nothing writes are in none */
    uint32_t patch_copy_count;
    uint16_t patch_words; /* a multiple of 4 */
    struct sch_link_register inputs[SCH_LINK_REGISTERS];
    uint32_t input_count;
    struct sch_link_value values[SCH_LINK_VALUES]; /* system values of `to` */
    uint32_t value_count;
};

/* A part of a vertex that stream output writes: words from `word` on, `offset` words from the vertex's beginning in the
 * buffer. */
struct sch_link_part {
    uint16_t word;
    uint8_t count, buffer;
    uint32_t offset;
};

/* What stream output writes of a stream. Stream 0 has its words in the vertices that are rasterised, each of the others
 * vertices of its own, which only geometry shaders emit. */
struct sch_link_stream {
    struct sch_link_copy copies[SCH_LINK_STREAM_COPIES]; /* of the others */
    uint32_t copy_count, words;
    struct sch_link_part parts[SCH_STREAM_OUTPUTS];
    uint32_t part_count;
    uint32_t buffers; /* bits: that parts go to */
};

enum { SCH_LINK_HOPS = 3 }; /* to tessellation control, to tessellation evaluation, to geometry */

struct sch_link {
    const struct sch_prepared *vertex, *fragment;                /* `fragment` may be NULL */
    const struct sch_prepared *tess_ctrl, *tess_eval, *geometry; /* NULL: none */
    const struct sch_prepared *last;                             /* the stage before the rasterizer */
    struct sch_link_hop hops[SCH_LINK_HOPS];                     /* in the order of the stages */
    uint32_t hop_count;

    struct sch_vertex_layout layout; /* of vertices that are rasterised */
    struct sch_link_copy copies[SCH_LINK_COPIES];
    uint32_t copy_count;

    struct sch_link_input inputs[SCH_LINK_REGISTERS];
    uint32_t input_count;
    struct sch_link_value vertex_values[SCH_LINK_VALUES], fragment_values[SCH_LINK_VALUES];
    uint32_t vertex_value_count, fragment_value_count;
    struct sch_link_outputs outputs;

    struct sch_link_stream streams[SCH_STREAM_BUFFERS];
    uint32_t stride[SCH_STREAM_BUFFERS]; /* words of a vertex in a buffer */

    bool window_space;   /* VS_WINDOW_SPACE_POSITION */
    bool prohibit_ucps;  /* VS_PROHIBIT_UCPS */
    bool layer_relative; /* LAYER_VIEWPORT_RELATIVE: the viewport's number is added to LAYER */
    bool d3d;            /* Direct3D's rules hold for what follows the last stage: the fragment program has D3D_RULES */
    bool no_fragment;    /* the caller has no fragment program, `fragment` is an empty one */
    uint8_t effects;     /* enum sch_prepared_effects of all programs together */
};

/* Links prepared programs, which must live as long as `link`: they are in the order of their stages, a vertex shader
 * first; a fragment shader is last or missing. INVALID, UNSUPPORTED, LIMIT. Warns of inputs that nothing writes, at
 * their declarations, under the names of their programs; `names` may be NULL. */
enum sch_result sch_link_programs(const struct sch_prepared *const *programs, const char *const *names, size_t count,
                                  struct sch_diagnostics *diagnostics, struct sch_link *link);

/* Adds what stream output writes of the last stage's outputs, all of which there are. False: more than vertices have
 * room for. */
bool sch_link_stream_output(struct sch_link *link, const struct sch_stream_output_options *options);

/* Whether the first stage that takes primitives takes those of a draw. */
bool sch_link_takes(const struct sch_link *link, enum sch_primitive primitive);

/* A property of the tessellator (TES_*) of a pipeline with an evaluation shader: that shader's or, where it does not
 * give it, a hull shader's, since Direct3D declares there what the tessellator makes (D3D 22.3.15 to 22.3.17). */
const struct sch_prepared_property *sch_link_tess_property(const struct sch_link *link, enum sch_property property);

/* The hop into a stage; NULL: there is none. */
const struct sch_link_hop *sch_link_hop_to(const struct sch_link *link, enum sch_stage stage);

/* How an input changes over a primitive: CONSTANT, LINEAR or PERSPECTIVE. */
enum sch_interpolation sch_link_interpolation(const struct sch_link_input *input,
                                              const struct sch_rasterizer_options *rasterizer);

/* Whether sprites have their coordinates in an input's place. */
bool sch_link_is_sprite(const struct sch_link_input *input, const struct sch_rasterizer_options *rasterizer);

#endif
