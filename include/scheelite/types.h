/* Plain state that the library and its callers share: enumerations and structs of numbers and of the caller's memory,
 * without handles and without functions. The other headers of this folder say what is done with them. Inside the
 * library every folder may include this header, and none but the top one any other of this folder.
 *
 * Structs with a `size` member: base.h. */
#ifndef SCHEELITE_TYPES_H
#define SCHEELITE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vocabulary.h"

/* ---- results, memory, reports ---- */

/* What a function answers. Details are in the diagnostics list where the function takes one. */
enum sch_result {
    SCH_OK = 0,
    SCH_ERROR_ARGUMENT,    /* a call that breaks this documentation (a NULL that is not optional, a wrong size) */
    SCH_ERROR_MEMORY,      /* the allocator gave none */
    SCH_ERROR_INVALID,     /* the input is wrong; the diagnostics say where */
    SCH_ERROR_UNSUPPORTED, /* the input is right and recognised, but this version does not run it */
    SCH_ERROR_LIMIT,       /* the input asks for more than the limits allow */
    SCH_ERROR_BUDGET,      /* execution used up its budget */
    SCH_ERROR_INTERNAL,    /* a bug of Scheelite */
    SCH_ERROR_BARRIER,     /* execution came to a BARRIER that not every invocation of the work group reached */
    SCH_ERROR_ABORTED,     /* an invocation executed ABORT, which Direct3D's abort becomes */
    SCH_ERROR_WORK,        /* the dispatch executed as many instructions as it may */
    SCH_ERROR_DEADLINE,    /* the dispatch took longer than it may */
    SCH_ERROR_CANCELLED,   /* the caller cancelled the dispatch */
};

/* Memory for everything that a context makes. Both functions must be safe to call from several threads at once.
 * `alloc` returns memory aligned for any type or NULL; `free` is never called with NULL.
 * Closed: no other member will come. */
struct sch_allocator {
    void *(*alloc)(void *user, size_t bytes);
    void (*free)(void *user, void *memory);
    void *user;
};

/* PEDANTIC is a warning of what producers write every day: reported only where the context asks for it
 * (sch_warning_options). */
enum sch_severity { SCH_SEVERITY_WARNING = 0, SCH_SEVERITY_ERROR = 1, SCH_SEVERITY_PEDANTIC = 2 };

/* Which warnings the lists of a context take (sch_diagnostics_list). Errors always are. */
struct sch_warning_options {
    size_t size;
    bool pedantic;           /* the pedantic ones too: `scheelite list errors` says which they are */
    bool counted_only;       /* warnings are counted, but none is kept */
    const unsigned *ignored; /* optional: numbers that are neither kept nor counted where they are warnings; copied. One
                                that no diagnostic has is SCH_ERROR_ARGUMENT. */
    size_t ignored_count;
};

/* ---- textures ---- */

/* gallium's wrap modes and numbers. */
enum sch_wrap {
    SCH_WRAP_REPEAT = 0,
    SCH_WRAP_CLAMP = 1,
    SCH_WRAP_CLAMP_TO_EDGE = 2,
    SCH_WRAP_CLAMP_TO_BORDER = 3,
    SCH_WRAP_MIRROR_REPEAT = 4,
    SCH_WRAP_MIRROR_CLAMP = 5,
    SCH_WRAP_MIRROR_CLAMP_TO_EDGE = 6,
    SCH_WRAP_MIRROR_CLAMP_TO_BORDER = 7
};
enum sch_filter { SCH_FILTER_NEAREST = 0, SCH_FILTER_LINEAR = 1 };
enum sch_mip_filter { SCH_MIP_NONE = 0, SCH_MIP_NEAREST = 1, SCH_MIP_LINEAR = 2 };
/* Direct3D's numbers: reference FUNCTION texel. */
enum sch_compare {
    SCH_COMPARE_NONE = 0, /* LEQUAL */
    SCH_COMPARE_NEVER = 1,
    SCH_COMPARE_LESS = 2,
    SCH_COMPARE_EQUAL = 3,
    SCH_COMPARE_LEQUAL = 4,
    SCH_COMPARE_GREATER = 5,
    SCH_COMPARE_NOTEQUAL = 6,
    SCH_COMPARE_GEQUAL = 7,
    SCH_COMPARE_ALWAYS = 8
};
enum sch_reduction { SCH_REDUCTION_AVERAGE = 0, SCH_REDUCTION_MINIMUM = 1, SCH_REDUCTION_MAXIMUM = 2 };
/* Whose rules hold where Direct3D, TGSI and Maxwell differ (docs/texture.md). */
enum sch_rules { SCH_RULES_TGSI = 0, SCH_RULES_D3D = 1, SCH_RULES_MAXWELL = 2 };

/* What a lookup without a shader does (lookup.h). Those that filter come first, except LOD. */
enum sch_lookup_operation {
    SCH_LOOKUP_SAMPLE = 0, /* the level from ddx and ddy (0 unless given) */
    SCH_LOOKUP_SAMPLE_L,   /* at `lod` */
    SCH_LOOKUP_SAMPLE_B,   /* as SAMPLE, `bias` added */
    SCH_LOOKUP_SAMPLE_D,   /* as SAMPLE: given derivatives */
    SCH_LOOKUP_GATHER,
    SCH_LOOKUP_FETCH,   /* words: texel coordinates, layer; `level` or `sample` */
    SCH_LOOKUP_SIZE,    /* of `level`: width, height, depth or layers, levels */
    SCH_LOOKUP_SAMPLES, /* number of samples, 0, 0, 0 */
    SCH_LOOKUP_LOD      /* level that is accessed, level before the clamps, 0, 0 */
};

struct sch_lookup {
    size_t size; /* the same in all elements of an array: it is the distance from one to the next */
    enum sch_lookup_operation operation;
    bool compare; /* samples and gathers: with `reference` and the sampler's function */
    float at[4];  /* s, t, r of the target's axes (cubes: x, y, z), then the layer */
    float reference, lod, bias, ddx[3], ddy[3];
    int32_t offset[3];      /* texels */
    uint32_t component;     /* of a gather: 0..3 */
    uint32_t texel[4];      /* FETCH: the target's axes, then the layer */
    uint32_t level, sample; /* FETCH, SIZE */
};

/* ---- texts ---- */

/* How 32-bit floats are written in text. */
enum sch_float_text {
    SCH_FLOAT_TEXT_SOURCE = 0, /* as the source wrote them; hexadecimal when it wrote none */
    SCH_FLOAT_TEXT_HEX = 1,    /* 0x3f800000: exact */
    SCH_FLOAT_TEXT_DECIMAL = 2 /* "%10.4f": as Mesa prints them, rounded */
};

/* How listings of Direct3D shaders are spelt. */
enum sch_listing_style {
    SCH_LISTING_FXC = 0,     /* as Microsoft's compiler fxc, with directives; assembles to the same container */
    SCH_LISTING_VKD3D = 1,   /* as vkd3d-compiler 2.1, with all that tells operands apart; to the same program */
    SCH_LISTING_FXC_DUMP = 2 /* as fxc itself prints it, signatures in comments; to the same program and signatures */
};

/* The architecture whose encodings hold. sm_52 and sm_53 encode alike. */
enum sch_maxwell_arch {
    SCH_MAXWELL_ARCH_DEFAULT = 0, /* what the input says (.arch, e_flags of a cubin), else sm_50 */
    SCH_MAXWELL_SM_50 = 50,
    SCH_MAXWELL_SM_52 = 52,
    SCH_MAXWELL_SM_53 = 53
};

/* How text is written. Both styles are read alike. */
enum sch_maxwell_text_style {
    SCH_MAXWELL_TEXT_NVDISASM = 0, /* as nvdisasm 11.8 prints instructions */
    SCH_MAXWELL_TEXT_ISA = 1       /* as the instruction pages write them, control fields included */
};

enum sch_signature_kind { SCH_SIGNATURE_INPUT = 0, SCH_SIGNATURE_OUTPUT = 1, SCH_SIGNATURE_PATCH_CONSTANT = 2 };

/* ---- rows of tables ---- */

/* A diagnostic: all of one number. */
struct sch_error_info {
    size_t size;
    unsigned number;
    const char *name;
    const char *severity; /* error, warning, or pedantic: a warning that is reported where it is asked for */
    const char *summary, *explanation;
};

/* A fact about one of NVIDIA Maxwell's texture instructions. */
struct sch_maxwell_info {
    size_t size;
    char operation[8]; /* TMML, TXQ, ... */
    char form[8];      /* the operation, or with .B: what holds of its bindless form only */
    char kind[16];     /* operation: its title; syntax; word: its fixed bits; field: its bits in the word and its codes;
                          encoding and mask: the codes of TEXS and TLDS; operand: what Ra and Rb hold; result: what it
                          gives; restriction: the number of its diagnostic */
    char name[32], bits[8];
    char text[256];
};

/* ---- what runs ---- */

/* What instructions open, divide and close. */
enum sch_construct {
    SCH_CONSTRUCT_IF = 0, /* IF or UIF */
    SCH_CONSTRUCT_LOOP = 1,
    SCH_CONSTRUCT_SWITCH = 2,
    SCH_CONSTRUCT_SUB = 3 /* a subroutine */
};

/* Bytes of a constant buffer. Reads past the end give 0. Closed: no other member will come. */
struct sch_constant_buffer {
    const void *data;
    size_t bytes;
};

/* Memory that a program reads and writes. Accesses outside read 0 and write nothing. Closed: no other member will
 * come. */
struct sch_storage_buffer {
    void *data; /* aligned to 4 bytes */
    size_t bytes;
};

/* What a context tells about itself: what happens inside that no result and no diagnostic says, for whoever wonders
 * where time went or why there is no machine code. Results never depend on it, and it is complete in no sense: which
 * messages there are, and their words, change from version to version. */
enum sch_log_level {
    SCH_LOG_WARNING = 1, /* something does not work as it should; results are right all the same */
    SCH_LOG_INFO = 2,    /* what took time, or would take less */
    SCH_LOG_DEBUG = 3    /* what went as it should */
};
enum sch_log_subject {
    SCH_LOG_CODE = 1,       /* machine code: made, or refused */
    SCH_LOG_CACHE = 2,      /* compiled code on disk */
    SCH_LOG_COMPILER = 3,   /* the process that compiles: started, lost, missing */
    SCH_LOG_PERFORMANCE = 4 /* of a program: what its dispatches cannot do, and why */
};
struct sch_log_message {
    size_t size; /* of what the library fills in */
    enum sch_log_level level;
    enum sch_log_subject subject;
    const char *text; /* one line, no final full stop; bytes of paths are as they are */
};

/* The function is called by any thread that is in a call with the context, and by the context's own, several at once;
 * the message ends with the call. It must not call this library with the context or what belongs to it. Closed:
 * no other member will come. */
struct sch_log_callback {
    void (*function)(void *user, const struct sch_log_message *message);
    void *user;
};

/* What a geometry shader emits is a list of events; bits 0 and 1 of an event are the stream. */
enum sch_event {
    SCH_EVENT_VERTEX = 0,         /* EMIT */
    SCH_EVENT_PRIMITIVE_END = 256 /* ENDPRIM, where the stream's primitive has a vertex; else it does nothing */
};

/* The invocations of a dispatch. All register data are 32-bit words, four a register (x, y, z, w); doubles take two,
 * low word first. Invocation i's register r starts at word (i * registers + r) * 4; a per-vertex input at word
 * ((i * vertices + v) * registers + r) * 4, `vertices` being input_vertices. Registers past what is given read as 0.
 *
 * Behind each array stands what it has in bytes (`sizeof array`). One that is shorter than `count` and the numbers of
 * registers ask for is ARGUMENT, as is one of no bytes where some are needed, and bytes without an array; a longer one
 * is right. Nothing has run then.
 *
 * 32 consecutive invocations make a group; of a tessellation control shader TCS_VERTICES_OUT consecutive ones make a
 * patch, which is a group of its own: invocation v of the patch computes vertex v. Its `outputs` are the registers of
 * its vertex, and the registers of the patch (PATCH, TESSOUTER, TESSINNER), which are the same in every invocation.
 * Every invocation is given the patch's inputs. Of a geometry shader GS_INVOCATIONS consecutive ones belong to a
 * primitive. With `quads`, each four make a quad: (0,0), (1,0), (0,1), (1,1); without, derivatives are zero. */
struct sch_invocations {
    size_t size;
    uint32_t count;
    bool quads;
    const uint32_t *inputs; /* optional */
    size_t input_bytes;
    uint32_t input_registers, input_vertices; /* input_vertices 0: inputs have no vertex dimension */
    const uint32_t *system_values;            /* optional: SV registers */
    size_t system_value_bytes;
    uint32_t system_value_registers;
    const uint8_t *helpers; /* optional: one byte each; not 0: a helper, whose outputs do not count */
    size_t helper_bytes;
    uint32_t *outputs; /* optional: receives the OUT registers, 0 where nothing was written */
    size_t output_bytes;
    uint32_t output_registers;
    uint8_t *killed; /* optional: receives 1 for a killed or demoted invocation, else 0 */
    size_t killed_bytes;

    /* Optional: one byte for each SV register; 0: as if the caller had not given the register. A register that is not
     * given is what execution knows: SUBGROUP_*, HELPER_INVOCATION; INVOCATIONID, counted from 0 in each patch or
     * primitive; VERTICESIN, from input_vertices; SAMPLEPOS, of the sample that SAMPLEID gives; SAMPLEMASK, all
     * `samples`. Else it is 0. */
    const uint8_t *system_value_given;
    size_t system_value_given_bytes;

    /* For INTERP_*. Input r of invocation i has its plane at word (i * plane_registers + r) * 16: four registers with
     * the value at the pixel's centre, its step for one pixel in x, its step in y, and the divisor: in x at the
     * centre, in y and z its steps. An input that is declared CONSTANT has its value everywhere, a LINEAR one value +
     * x * step + y * step; of others this sum is divided by that of the divisor (so they hold value/w, the divisor
     * 1/w), unless the divisor's words are all 0. An input without a plane is what `inputs` say, everywhere. */
    const uint32_t *planes; /* optional */
    size_t plane_bytes;
    uint32_t plane_registers;
    uint32_t samples;          /* of a pixel: 1, 2, 4, 8, 16; 0: 1. Their places are Direct3D's standard ones. */
    const uint32_t *centroids; /* optional: two floats each, the centroid's offset from the pixel's centre; else 0 */
    size_t centroid_bytes;

    /* What geometry shaders emit, in the order of execution. Event n of invocation i is events[i * event_capacity + n]
     * (enum sch_event plus the stream); the OUT registers of a vertex are at word
     * ((i * event_capacity + n) * event_registers) * 4 of event_outputs. Events past the capacity are only counted;
     * twice GS_MAX_OUTPUT_VERTICES (1024 when the shader does not say) is always enough. A helper emits nothing. */
    uint32_t event_capacity, event_registers;
    uint32_t *events; /* optional */
    size_t event_bytes;
    uint32_t *event_counts; /* optional: receives the number of each invocation's events */
    size_t event_count_bytes;
    uint32_t *event_outputs; /* optional */
    size_t event_output_bytes;

    /* For FBFETCH: four words an invocation: x, y, layer and sample in the colour buffers. Optional: all 0. */
    const uint32_t *pixels;
    size_t pixel_bytes;

    /* Optional: what the texture lookups of each invocation did: texels read (border colours do not count), and the
     * greatest level of detail, after the clamps, of a lookup that filters (-128 when there was none). Asking for
     * either makes lookups slower and changes nothing else. */
    uint32_t *texels_read;
    size_t texels_read_bytes;
    float *greatest_lods;
    size_t greatest_lod_bytes;
};

/* A number that changes linearly from pixel to pixel, or the quotient of two that do (perspective: value/w and 1/w).
 * With x and y the column and row of a pixel in the render target, as floats, it is (value[0] + x * value[1] + y *
 * value[2]) / (divisor[0] + x * divisor[1] + y * divisor[2]) where each sum is fma(y, c, fma(x, b, a)), and the
 * quotient is correctly rounded; a NaN becomes 0x7fc00000. x and y count pixels, not centres: value[0] is the value at
 * the upper left corner's pixel. A divisor {1, 0, 0} is none. Closed: no other member will come. */
struct sch_plane {
    float value[3], divisor[3];
};

/* What a register holds all over a rectangle. Elements of an array with a stride. Bit c of `planar`: component c is
 * `planes[c]`; else it is the bits of `words[c]`, everywhere. */
struct sch_rectangle_register {
    bool system_value; /* SV[index], else IN[index] */
    uint32_t index, planar;
    uint32_t words[4];
    struct sch_plane planes[4];
};

enum sch_render_target_format {
    SCH_RENDER_TARGET_UNORM8 = 0, /* four bytes: x, y, z, w clamped to 0 to 1 (NaN: 0), times 255, to nearest even */
    SCH_RENDER_TARGET_WORDS = 1   /* four 32-bit words, as the program wrote them */
};

/* Where an output register of a fragment program goes. Elements of an array with a stride. Rows of pixels from y = 0
 * on; pixel (x, y) begins at byte y * row_bytes + x * (4 or 16) of `pixels`. */
struct sch_render_target {
    void *pixels;     /* any alignment */
    size_t bytes;     /* of `pixels`; what is behind is not touched */
    size_t row_bytes; /* from one row to the next */
    uint32_t output;  /* OUT[n]; 0 is written where the program does not write it */
    enum sch_render_target_format format;
};

enum { SCH_RECTANGLE_SIDE = 32768 };

/* The pixels (x, y) to (x + width - 1, y + height - 1) of render targets. Its quads are (x, y), (x + 1, y), (x, y + 1),
 * (x + 1, y + 1), and so on, row by row; each four invocations are a quad, as in struct sch_invocations, and pixels of
 * quads that are outside of the rectangle are helpers. Everything that is not given here is as if sch_dispatch were
 * given these invocations in this order, with `pixels` (x, y, 0, 0) and no planes: IN registers that are not given are
 * 0, SV registers what execution knows, INTERP_* gives what IN holds. */
struct sch_rectangle {
    size_t size;
    uint32_t x, y;                                  /* even, at most SCH_RECTANGLE_SIDE */
    uint32_t width, height;                         /* at most SCH_RECTANGLE_SIDE; 0: nothing is run */
    const struct sch_rectangle_register *registers; /* those that the program has not are left out; of
                                                     * two for one register the later one counts */
    uint32_t register_count;
    const struct sch_render_target *render_targets; /* must not overlap */
    uint32_t render_target_count;
    /* Bytes from one element to the next, sizeof *registers and sizeof *render_targets as the caller knows them; to be
     * given where there are elements. */
    size_t register_stride, render_target_stride;
};

/* Texels of one level of a resource: a corner and the sides from there on. z counts the slices of a 3-D level and the
 * layers of others (the faces of cubes are layers); an axis that the target has not is 0, 1 long. Sides are positive,
 * but for blits. A box of which all members are 0 is the whole level. Closed: no other member will come. */
struct sch_box {
    int32_t x, y, z, width, height, depth;
};

/* A box of a resource as it stands in the caller's memory: rows of blocks, and slices (layers) of rows. */
struct sch_transfer {
    size_t size;
    uint32_t level;
    uint32_t sample; /* of multisampled resources */
    struct sch_box box;
    size_t row_bytes, slice_bytes; /* from one row, one slice to the next; 0: without gaps */
};

/* A copy of bits: the blocks of `source` to as many blocks whose corner is the texel (x, y, z). */
struct sch_copy {
    size_t size;
    uint32_t level;
    int32_t x, y, z;
    uint32_t source_level;
    struct sch_box source;
};

/* Parts of texels; gallium's bits. */
enum sch_part {
    SCH_PART_RED = 1,
    SCH_PART_GREEN = 2,
    SCH_PART_BLUE = 4,
    SCH_PART_ALPHA = 8,
    SCH_PART_COLOR = 15,
    SCH_PART_DEPTH = 16,
    SCH_PART_STENCIL = 32
};

/* Components R, G, B, A: as integers for integer formats, else as floats. */
union sch_color {
    float f[4];
    int32_t i[4];
    uint32_t u[4];
};

/* What all texels of a box become: a block as it stands in memory, or a colour, or depth and stencil, encoded as stores
 * encode (docs/texture.md, "Formats"). */
struct sch_clear {
    size_t size;
    uint32_t level;
    struct sch_box box;
    enum sch_format format; /* of blocks like the resource's; NONE: the resource's */
    uint32_t parts;         /* enum sch_part; 0: all that the format has. Others stay. */
    union sch_color color;
    float depth;
    uint32_t stencil;  /* its low 8 bits */
    const void *block; /* not NULL: the bytes of a block, in the place of all of this */
    size_t block_bytes;
};

/* Texels of `source` stretched over `box`, converted to the destination's format. Corners are (x, y, z) and (x + width,
 * y + height, z + depth): where just one of both boxes has a negative side, the picture is mirrored along it. Boxes may
 * reach beyond their levels. */
struct sch_blit {
    size_t size;
    uint32_t level, source_level;
    struct sch_box box, source;
    enum sch_format format, source_format; /* of blocks like the resource's; NONE: the resource's */
    uint32_t parts;                        /* enum sch_part; 0: all. Those that not both formats have do not count. */
    enum sch_filter filter;                /* where the boxes' sides differ */
    bool first_sample;                     /* of a multisampled source to one that is not: sample 0, not the mean */
    bool scissored;     /* only texels of the scissor are written: x from scissor[0] to below scissor[2], y from */
    int32_t scissor[4]; /* scissor[1] to below scissor[3] */
};

/* Levels behind `base_level`, each made of the one before it. */
struct sch_mips {
    size_t size;
    uint32_t base_level, level_count;  /* 0: all that follow */
    uint32_t first_layer, layer_count; /* 0: all that follow; of 3D resources both are 0 */
    enum sch_format format;            /* of blocks like the resource's; NONE: the resource's */
};

/* ---- machine code ---- */

/* What the programs of a context did as machine code so far. */
struct sch_code_counts {
    size_t size;
    uint64_t programs, lookups;    /* pieces of code that were compiled */
    uint64_t from_cache, to_cache; /* pieces read from and written to the folder */
    uint64_t refused;              /* that the compiler did not take */
    uint64_t native_groups;        /* groups of 32 that ran as machine code */
    uint64_t decoded_groups;       /* that AUTO ran by the interpreter */
    uint64_t span_groups; /* of native_groups, those that ran in spans: side by side in a rectangle, without the steps
                              between groups */
};

/* ---- Maxwell ---- */

enum {
    SCH_MAXWELL_GROUP_LANES = 32,
    SCH_MAXWELL_GROUP_REGISTERS = 255, /* R0..R254 */
    SCH_MAXWELL_GROUP_PREDICATES = 7   /* P0..P6 */
};

#endif
