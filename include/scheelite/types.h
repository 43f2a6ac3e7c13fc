/* Plain data that the library and its callers share: enumerations, and structs of numbers and of the caller's memory.
 * It declares no handles and no functions; the other headers say what they do with these types, and base.h explains
 * `size` and "Closed". Every folder of src may include this header; only src/api, src/files, src/cli, src/script and
 * src/scene include the others.
 *
 * Example:
 *
 *     static void print(void *user, const struct sch_log_message *message)
 *     {
 *         if (message->level <= SCH_LOG_WARNING) fprintf(user, "scheelite: %s\n", message->text);
 *     }
 *
 *     struct sch_log_callback log = {.function = print, .user = stderr};
 *     struct sch_warning_options warnings = {.size = sizeof warnings, .pedantic = true};
 *     struct sch_context_options options = {.size = sizeof options, .log = &log, .warnings = &warnings};
 *     struct sch_context *context;
 *     if (sch_context_create(&options, &context) != SCH_OK) return 1;
 *     sch_context_destroy(context);
 */
#ifndef SCHEELITE_TYPES_H
#define SCHEELITE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vocabulary.h"

/* ---- results, memory, reports ---- */

/* What a function returns. Functions that take a diagnostics list report details there. */
enum sch_result {
    SCH_OK = 0,
    SCH_ERROR_ARGUMENT,    /* a wrong call, such as a NULL that is not optional, or a wrong size */
    SCH_ERROR_MEMORY,      /* the allocator returned NULL */
    SCH_ERROR_INVALID,     /* the input is wrong; the diagnostics say where */
    SCH_ERROR_UNSUPPORTED, /* the input is valid, but this version does not support it */
    SCH_ERROR_LIMIT,       /* the input exceeds a limit (struct sch_limit_options) */
    SCH_ERROR_BUDGET,      /* an invocation used up its budget */
    SCH_ERROR_INTERNAL,    /* a bug of Scheelite */
    SCH_ERROR_BARRIER,     /* not every invocation of a work group reached a BARRIER */
    SCH_ERROR_ABORTED,     /* an invocation executed ABORT, which Direct3D's abort becomes, or Maxwell code did what the
                              machine traps: an access outside of memory, a misaligned one, BPT.TRAP */
    SCH_ERROR_WORK,        /* the dispatch executed as many instructions as it may */
    SCH_ERROR_DEADLINE,    /* the dispatch took longer than it may */
    SCH_ERROR_CANCELLED,   /* the caller cancelled the dispatch */
};

/* Memory for everything that a context makes. Several threads call both functions at once. `alloc` returns memory that
 * is aligned for any type, or NULL. `free` is never called with NULL. Closed: no other member will come. */
struct sch_allocator {
    void *(*alloc)(void *user, size_t bytes);
    void (*free)(void *user, void *memory);
    void *user;
};

/* A PEDANTIC report is a warning about what real shaders do every day. It is made only if the context asks for it
 * (struct sch_warning_options). */
enum sch_severity { SCH_SEVERITY_WARNING = 0, SCH_SEVERITY_ERROR = 1, SCH_SEVERITY_PEDANTIC = 2 };

/* Which warnings the diagnostics lists of a context keep. They keep all errors. */
struct sch_warning_options {
    size_t size;
    bool pedantic;     /* keep pedantic warnings, too; `scheelite list errors` says which warnings are pedantic */
    bool counted_only; /* count warnings, but keep none */
    /* Optional: numbers of warnings that are neither kept nor counted; copied. Numbers of errors have no effect; a
     * number that no diagnostic has is ARGUMENT. */
    const unsigned *ignored;
    size_t ignored_count;
};

/* ---- textures ---- */

/* Wrap modes, with gallium's numbers. */
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
/* Comparison functions: reference FUNCTION texel, with Direct3D's numbers. */
enum sch_compare {
    SCH_COMPARE_NONE = 0, /* not set: as LEQUAL */
    SCH_COMPARE_NEVER = 1,
    SCH_COMPARE_LESS = 2,
    SCH_COMPARE_EQUAL = 3,
    SCH_COMPARE_LEQUAL = 4,
    SCH_COMPARE_GREATER = 5,
    SCH_COMPARE_NOTEQUAL = 6,
    SCH_COMPARE_GEQUAL = 7,
    SCH_COMPARE_ALWAYS = 8
};
/* How a filter combines its texels: the weighted average, the least or the greatest. */
enum sch_reduction { SCH_REDUCTION_AVERAGE = 0, SCH_REDUCTION_MINIMUM = 1, SCH_REDUCTION_MAXIMUM = 2 };
/* Which rules are followed where TGSI, Direct3D and Maxwell differ (docs/texture.md). */
enum sch_rules { SCH_RULES_TGSI = 0, SCH_RULES_D3D = 1, SCH_RULES_MAXWELL = 2 };

/* What a lookup without a shader does (lookup.h). */
enum sch_lookup_operation {
    SCH_LOOKUP_SAMPLE = 0, /* a filtered sample; ddx and ddy (0 unless set) give the level of detail */
    SCH_LOOKUP_SAMPLE_L,   /* a filtered sample at the level of detail `lod` */
    SCH_LOOKUP_SAMPLE_B,   /* as SAMPLE, with `bias` added to the level of detail */
    SCH_LOOKUP_SAMPLE_D,   /* as SAMPLE, whose derivatives are always given */
    SCH_LOOKUP_GATHER,     /* one component of the four texels that a linear filter would read */
    SCH_LOOKUP_FETCH,      /* one texel, unfiltered */
    SCH_LOOKUP_SIZE,       /* width, height, depth or layers of `level`; number of levels */
    SCH_LOOKUP_SAMPLES,    /* number of samples, 0, 0, 0 */
    SCH_LOOKUP_LOD         /* level of detail that is accessed, the same before the clamps, 0, 0 */
};

/* A lookup (sch_lookup_run). Members that the operation does not read have no effect. */
struct sch_lookup {
    size_t size; /* the same in all elements of an array, whose stride it is */
    enum sch_lookup_operation operation;
    bool compare; /* SAMPLE*, GATHER: compare texels with `reference` by the sampler's function */
    float at[4];  /* SAMPLE*, GATHER, LOD: coordinates along the target's axes (cubes: x, y, z), then the layer */
    float reference, lod, bias, ddx[3], ddy[3]; /* ddx, ddy: differences of `at` to the next pixel in x and in y */
    int32_t offset[3];                          /* SAMPLE*, GATHER, FETCH: in texels */
    uint32_t component;                         /* GATHER: 0 to 3 */
    uint32_t texel[4];                          /* FETCH: coordinates of the texel, then the layer */
    uint32_t level, sample;                     /* FETCH, SIZE; `sample` of multisampled targets */
};

/* ---- texts ---- */

/* How TGSI text writes 32-bit floats. */
enum sch_float_text {
    SCH_FLOAT_TEXT_SOURCE = 0, /* as the source wrote them; HEX if it has none */
    SCH_FLOAT_TEXT_HEX = 1,    /* 0x3f800000: exact */
    SCH_FLOAT_TEXT_DECIMAL = 2 /* "%10.4f", as Mesa prints them: rounded */
};

/* How listings of Direct3D shaders are written (docs/d3d.md, "Listings"). */
enum sch_listing_style {
    SCH_LISTING_FXC = 0,   /* as Microsoft's compiler fxc, with directives; assembles to the same container */
    SCH_LISTING_VKD3D = 1, /* as vkd3d-compiler 2.1, where that is unambiguous; assembles to the same program */
    SCH_LISTING_FXC_DUMP =
        2 /* exactly as fxc, signatures in comments; floats are rounded to six digits, as fxc's are */
};

/* The architecture whose encodings hold. Those after sm_50 have the same. */
enum sch_maxwell_arch {
    SCH_MAXWELL_ARCH_DEFAULT = 0, /* what the input says (.arch, e_flags of a cubin), otherwise sm_50 */
    SCH_MAXWELL_SM_50 = 50,
    SCH_MAXWELL_SM_52 = 52,
    SCH_MAXWELL_SM_53 = 53,
    SCH_MAXWELL_SM_60 = 60,
    SCH_MAXWELL_SM_61 = 61
};

/* What a cubin says beside its code. */
enum sch_maxwell_note_kind {
    SCH_MAXWELL_NOTE_FUNCTION = 0,   /* a function inside of a section: offset its address, text its bytes */
    SCH_MAXWELL_NOTE_LINE = 1,       /* a place in a source: offset the address, name the file, text the line */
    SCH_MAXWELL_NOTE_RELOCATION = 2, /* offset the place, name the symbol, text where it is and its type */
    SCH_MAXWELL_NOTE_PARAMETER = 3,  /* offset in the constant bank c[0x0], name its number, text its bytes */
    SCH_MAXWELL_NOTE_CONSTANT = 4,   /* a constant bank: offset its number, text its bytes */
    SCH_MAXWELL_NOTE_ATTRIBUTE = 5   /* a record of .nv.info: offset its number, text its values */
};

/* How Maxwell text is written. Readers accept both styles. */
enum sch_maxwell_text_style {
    SCH_MAXWELL_TEXT_NVDISASM = 0, /* as nvdisasm 11.8 prints instructions */
    SCH_MAXWELL_TEXT_ISA = 1       /* as NVIDIA's instruction pages write them, with control fields */
};

/* The signatures of Direct3D shaders. */
enum sch_signature_kind { SCH_SIGNATURE_INPUT = 0, SCH_SIGNATURE_OUTPUT = 1, SCH_SIGNATURE_PATCH_CONSTANT = 2 };

/* ---- rows of tables ---- */

/* What the diagnostics of one number have in common. */
struct sch_error_info {
    size_t size;
    unsigned number;
    const char *name;
    const char *severity; /* "error", "warning" or "pedantic" (enum sch_severity) */
    const char *summary, *explanation;
};

/* A fact about one of NVIDIA Maxwell's instructions. */
struct sch_maxwell_info {
    size_t size;
    char operation[16]; /* TMML, TXQ, ... */
    char form[16];      /* the operation; with .B the fact holds for its bindless form only */
    /* What `text` says. operation: its title; syntax; word: its fixed bits; field: its bits in the word and its codes;
     * encoding, mask: the codes of TEXS and TLDS; operand: what Ra and Rb hold; result: what it returns; restriction:
     * the number of its diagnostic. For instructions other than texture operations `name` is that of the form, and for
     * a field that of the list of its codes; `text` then begins with the forms that have it, if others do not ("of R,
     * C: "). */
    char kind[16];
    char name[32], bits[16];
    char text[256];
};

/* ---- what runs ---- */

/* Classes of registers that resources are bound to, as HLSL's register(t3, space1) names them. */
enum sch_range_class {
    SCH_RANGE_CONSTANTS = 0, /* b#: cb# in programs */
    SCH_RANGE_TEXTURES = 1,  /* t# */
    SCH_RANGE_SAMPLERS = 2,  /* s# */
    SCH_RANGE_VIEWS = 3      /* u# */
};

/* What the 32-bit components of a register or an operand hold. A 64-bit value is in two of them, low word first. */
enum sch_value_type {
    SCH_VALUE_UNKNOWN = 0, /* bits: nothing says what they are, or instructions take them for different things */
    SCH_VALUE_FLOAT = 1,
    SCH_VALUE_INT = 2,
    SCH_VALUE_UINT = 3,
    SCH_VALUE_FLOAT64 = 4,
    SCH_VALUE_INT64 = 5,
    SCH_VALUE_UINT64 = 6
};

/* The register that a report is about, as the shader's own language names it. Closed: no other member will come. */
struct sch_register_name {
    enum sch_file file; /* NULL: the report is about no register. Direct3D: the file that the register is lowered to */
    uint32_t number;    /* 2 of SAMP[2] and of s2. CONSTANT: the buffer, 0 for CONST[3]. OUTPUT: the colour buffer that
                           FBFETCH reads */
    uint32_t vector;    /* CONSTANT: the first register of the buffer that the report is about; otherwise 0 */
    bool is_d3d;        /* the members below have a meaning */
    bool has_space;     /* shader model 5.1 */
    enum sch_range_class kind;
    uint32_t space;
};

/* Constructs of control flow. */
enum sch_construct {
    SCH_CONSTRUCT_IF = 0, /* IF or UIF, to ENDIF */
    SCH_CONSTRUCT_LOOP = 1,
    SCH_CONSTRUCT_SWITCH = 2,
    SCH_CONSTRUCT_SUB = 3 /* a subroutine */
};

/* Which invocation of a run: `parts` says which of the numbers count. */
enum sch_place_part {
    SCH_PLACE_INVOCATION = 1 << 0,
    SCH_PLACE_VERTEX = 1 << 1,
    SCH_PLACE_INSTANCE = 1 << 2,
    SCH_PLACE_PRIMITIVE = 1 << 3,
    SCH_PLACE_PIXEL = 1 << 4,
    SCH_PLACE_LAYER = 1 << 5,
    SCH_PLACE_SAMPLE = 1 << 6,
    SCH_PLACE_WORK_GROUP = 1 << 7,
    SCH_PLACE_THREAD = 1 << 8
};
enum { SCH_PLACE_PARTS = (1 << 9) - 1 };
struct sch_invocation_place {
    size_t size;
    uint32_t parts; /* bits of enum sch_place_part */
    /* For arrays of invocations and for rectangles: as struct sch_dispatch_report counts. For geometry and tessellation
     * control shaders in a draw: INVOCATIONID. */
    uint32_t invocation;
    uint32_t vertex;    /* VERTEXID; of a tessellation evaluation shader in a draw: the point of the patch, from 0 on */
    uint32_t instance;  /* INSTANCEID */
    uint32_t primitive; /* PRIMID, of fragments too */
    uint32_t x, y;      /* PIXEL */
    uint32_t layer, sample;
    uint32_t work_group[3], thread[3]; /* BLOCK_ID, THREAD_ID */
};

/* How far a dispatch is: `done` of `all` parts, which are groups of 32 invocations, or work groups. The library writes
 * both while the call runs, from its threads, atomically: first `done` 0 and `all`, then `done` some thousand times at
 * most. It grows until it is `all`, unless the dispatch ends early; one that is refused writes neither. Other threads
 * and signal handlers may read both (__atomic_load_n). Results do not depend on it. Closed: no other member will
 * come. */
struct sch_dispatch_progress {
    uint64_t done, all;
};

/* The caller's memory of a constant buffer. Reads beyond it return 0. Closed: no other member will come. */
struct sch_constant_buffer {
    const void *data;
    size_t bytes;
};

/* The caller's memory that a program reads and writes. Reads beyond it return 0, and writes beyond it do nothing.
 * Closed: no other member will come. */
struct sch_storage_buffer {
    void *data; /* aligned to 4 bytes */
    size_t bytes;
};

/* ---- the log ---- */

/* Log messages say where time goes, why a program has no machine code, and which argument of a call was wrong. Errors
 * in inputs are diagnostics, not log messages. Results never depend on the log. The texts may change with every
 * version. */
enum sch_log_level {
    SCH_LOG_ERROR = 0,   /* the caller did something wrong: the call returned ARGUMENT and did nothing */
    SCH_LOG_WARNING = 1, /* something does not work as it should; results are right nevertheless */
    SCH_LOG_INFO = 2,    /* something took time, or could take less */
    SCH_LOG_DEBUG = 3    /* something went as it should */
};
enum sch_log_subject {
    SCH_LOG_CODE = 1,        /* machine code: made or refused */
    SCH_LOG_CACHE = 2,       /* compiled code on disk */
    SCH_LOG_COMPILER = 3,    /* the process that compiles: started, lost, missing */
    SCH_LOG_PERFORMANCE = 4, /* why the dispatches of a program are slower than they could be */
    SCH_LOG_CALL = 5         /* a wrong call: `function` and `argument` say which (sch_context_get_wrong_call) */
};
/* One message. Strings are valid during the call of the callback. */
struct sch_log_message {
    size_t size; /* set by the library */
    enum sch_log_level level;
    enum sch_log_subject subject;
    const char *text; /* one line, no final full stop, at most 1023 bytes; paths are not escaped */

    /* CALL: the function that was called, and the parameter or member that was wrong ("options.min_lod"), as in struct
     * sch_wrong_call. NULL in other messages. */
    const char *function, *argument;
};

/* A function of the caller's that receives log messages, and a pointer that it is called with. It receives messages of
 * all levels and chooses among them itself. Any thread that calls the library with the context may call it, and so may
 * the context's own threads, several at once: it does its own locking. A CALL message comes on the thread that made the
 * call, before that returns, so that a breakpoint in the callback shows the wrong call. The library holds no lock
 * meanwhile. The callback must not call the library with the context or its objects, must return, and must not use
 * longjmp. The last message comes before sch_context_destroy returns. Closed: no other member will come. */
struct sch_log_callback {
    void (*function)(void *user, const struct sch_log_message *message);
    void *user;
};

/* ---- dispatches ---- */

/* The caller's threads, on which a context's dispatches run instead of threads of its own. `function` calls work(job,
 * i) for each i from 0 to count - 1, exactly once, and returns when all of these calls have returned. They may run in
 * any order and on any threads, also the calling one, at the same time or one after the other. Each takes at most 256
 * KiB of stack. Several threads may call `function` at once. Closed: no other member will come. */
struct sch_thread_callback {
    void (*function)(void *user, uint32_t count, void (*work)(void *job, uint32_t index), void *job);
    void *user;
};

/* A geometry shader emits a list of events. Bits 0 and 1 of an event are the stream. */
enum sch_event {
    SCH_EVENT_VERTEX = 0,         /* EMIT */
    SCH_EVENT_PRIMITIVE_END = 256 /* ENDPRIM after a vertex of its stream; otherwise ENDPRIM does nothing */
};

/* Values of sch_invocations.helpers. */
enum { SCH_INVOCATION_HELPER = 1, SCH_INVOCATION_OFF = 2 };

/* The invocations of a dispatch.
 *
 * Register data are 32-bit words, four to a register (x, y, z, w). Doubles take two words, low word first. Register r
 * of invocation i starts at word (i * registers + r) * 4 of its array. A per-vertex input r of vertex v starts at word
 * ((i * input_vertices + v) * input_registers + r) * 4. Registers that the caller does not give read 0.
 *
 * Each array is followed by its size in bytes. An array may be longer than it must be for `count` invocations. An array
 * that is too short, and a size without an array, are ARGUMENT; nothing is run then.
 *
 * 32 consecutive invocations make a group. With `quads`, each four consecutive invocations are a quad of pixels, (0,0),
 * (1,0), (0,1), (1,1); without, derivatives are zero.
 *
 * Tessellation control shaders: TCS_VERTICES_OUT consecutive invocations make a patch, and each patch is a group of its
 * own. Invocation v computes vertex v. Its `outputs` hold the registers of its vertex and those of the patch (PATCH,
 * TESSOUTER, TESSINNER), which are the same in every invocation. The caller repeats the patch's inputs for every
 * invocation. Geometry shaders: GS_INVOCATIONS consecutive invocations belong to one primitive.
 *
 * Maxwell code: a group is a warp. `inputs` hold the registers that a lane begins with, SCH_MAXWELL_INPUT_REGISTERS at
 * most, and `outputs` receive those that it ends with; registers that the code does not name stay as they are. With
 * `quads` the code is that of a pixel shader; otherwise only instructions with .NDV have derivatives. */
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
    /* Optional: one byte for each invocation. Not 0: a helper, whose results do not count. SCH_INVOCATION_OFF: a lane
     * of Maxwell code that executes nothing. */
    const uint8_t *helpers;
    size_t helper_bytes;
    uint32_t *outputs; /* optional: receives the OUT registers; 0 if the program wrote nothing */
    size_t output_bytes;
    uint32_t output_registers;
    uint8_t *killed; /* optional: receives a byte for each invocation, 1 if it was killed or demoted, otherwise 0 */
    size_t killed_bytes;

    /* Optional: one byte for each SV register. 0: the register is not given, whatever system_values holds. The library
     * computes these registers if they are not given: SUBGROUP_* and HELPER_INVOCATION; INVOCATIONID, counted from 0 in
     * each patch or primitive; VERTICESIN, from input_vertices; SAMPLEPOS, of the sample in SAMPLEID; and SAMPLEMASK,
     * with a bit for each of `samples`. Others that are not given are 0. */
    const uint8_t *system_value_given;
    size_t system_value_given_bytes;

    /* For INTERP_*, optional: the planes of inputs. The plane of input r of invocation i starts at word (i *
     * plane_registers + r) * 16. It is four registers: the value at the pixel's centre; how it changes from pixel to
     * pixel in x; the same in y; and the divisor, whose x is its value at the centre, and y and z how that changes in x
     * and y. With (x, y) the distance from the centre, an input declared CONSTANT is the value, and one declared LINEAR
     * is value + x * change in x + y * change in y. Other inputs are this sum divided by the same sum of the divisor:
     * their planes hold value/w, and the divisor 1/w. A divisor of which all words are 0 is not used. An input without
     * a plane has the value in `inputs` everywhere. */
    const uint32_t *planes;
    size_t plane_bytes;
    uint32_t plane_registers;
    uint32_t samples;          /* of each pixel: 1, 2, 4, 8 or 16; 0: 1. They lie at Direct3D's standard positions */
    const uint32_t *centroids; /* optional: two floats each, from the pixel's centre to the centroid; otherwise 0 */
    size_t centroid_bytes;

    /* Geometry shaders, optional: what they emit, in the order of execution. Event n of invocation i is events[i *
     * event_capacity + n], enum sch_event plus the stream. The OUT registers of a vertex start at word (i *
     * event_capacity + n) * event_registers * 4 of event_outputs. Events beyond the capacity are only counted. A
     * capacity of twice GS_MAX_OUTPUT_VERTICES (1024 if the shader does not set it) is always enough. Helpers emit
     * nothing. */
    uint32_t event_capacity, event_registers;
    uint32_t *events;
    size_t event_bytes;
    uint32_t *event_counts; /* receives the number of events of each invocation */
    size_t event_count_bytes;
    uint32_t *event_outputs;
    size_t event_output_bytes;

    /* For FBFETCH, optional: four words for each invocation, its x, y, layer and sample in the colour buffers.
     * Otherwise all are 0. */
    const uint32_t *pixels;
    size_t pixel_bytes;

    /* Optional: what the texture lookups of each invocation did. texels_read receives the number of texels, without
     * border colours. greatest_lods receives the greatest level of detail, after the clamps, of a lookup that filters;
     * -128 if there was none. Both make lookups slower, and change nothing else. */
    uint32_t *texels_read;
    size_t texels_read_bytes;
    float *greatest_lods;
    size_t greatest_lod_bytes;
};

/* A number that changes linearly from pixel to pixel, or the quotient of two such numbers (perspective: value/w and
 * 1/w). At the pixel in column x and row y of the render target it is
 *
 *     (value[0] + x * value[1] + y * value[2]) / (divisor[0] + x * divisor[1] + y * divisor[2])
 *
 * with x and y as floats. Each sum a + x * b + y * c is computed as fma(y, c, fma(x, b, a)), and the quotient is
 * correctly rounded; a NaN becomes 0x7fc00000. value[0] is the value at the pixel (0, 0). The divisor {1, 0, 0} has no
 * effect. Closed: no other member will come. */
struct sch_plane {
    float value[3], divisor[3];
};

/* The value of a register at every pixel of a rectangle. If bit c of `planar` is set, component c is `planes[c]`.
 * Otherwise its bits are `words[c]` at all pixels. Elements of an array with a stride. */
struct sch_rectangle_register {
    bool system_value; /* SV[index]; otherwise IN[index] */
    uint32_t index, planar;
    uint32_t words[4];
    struct sch_plane planes[4];
};

/* What a pixel of a render target is. */
enum sch_render_target_format {
    SCH_RENDER_TARGET_UNORM8 = 0, /* four bytes: x, y, z, w clamped to 0..1 (NaN: 0), times 255, to nearest even */
    SCH_RENDER_TARGET_WORDS = 1   /* four 32-bit words, as the program wrote them */
};

/* Memory that receives an output register of a fragment program. Pixel (x, y) starts at byte (y - first_row) *
 * row_bytes + x * 4 of `pixels`, or x * 16 with WORDS. Elements of an array with a stride. */
struct sch_render_target {
    void *pixels;     /* any alignment */
    size_t bytes;     /* of `pixels`; nothing is written beyond them */
    size_t row_bytes; /* from one row to the next */
    uint32_t output;  /* OUT[output]; zeros are written if the program does not write it */
    enum sch_render_target_format format;

    /* The row that `pixels` begins with, at most the rectangle's y: a large picture can be drawn in bands of rows, each
     * in memory of its own. Inputs and derivatives depend on the pixel alone. Where the picture's width is a multiple
     * of 16, a band that begins with an even row and has an even number of rows also has the same groups as the whole
     * picture; otherwise one that begins with a multiple of 16 rows and has as many. */
    uint32_t first_row;
};

enum { SCH_RECTANGLE_SIDE = 32768 }; /* pixels that a rectangle may have along a side, and its greatest corner */

/* The pixels (x, y) to (x + width - 1, y + height - 1) of render targets. Each quad is the pixels (x, y), (x + 1, y),
 * (x, y + 1), (x + 1, y + 1), and quads follow each other row by row. Pixels of a quad that are outside of the
 * rectangle are helpers. Otherwise everything is as if sch_dispatch were given these invocations in this order, with
 * `pixels` (x, y, 0, 0) and no planes: IN registers that are not given are 0, SV registers that are not given are
 * computed or 0 (sch_invocations.system_value_given), and INTERP_* returns what IN holds. */
struct sch_rectangle {
    size_t size;
    uint32_t x, y;                                  /* even, at most SCH_RECTANGLE_SIDE */
    uint32_t width, height;                         /* at most SCH_RECTANGLE_SIDE; 0: nothing is run */
    const struct sch_rectangle_register *registers; /* registers that the program does not have are ignored; of two
                                                       elements for one register the later one counts */
    uint32_t register_count;
    const struct sch_render_target *render_targets; /* must not overlap */
    uint32_t render_target_count;
    size_t register_stride, render_target_stride; /* sizeof *registers, sizeof *render_targets; must be set if there are
                                                     elements */
};

/* ---- what happens at pixels ---- */

/* What happened at each pixel of a rectangle or draw: arrays of the caller that sch_dispatch_options.heat has counted
 * in. Each is optional, has width * height elements, pixel (x, y) at y * width + x, and is added to; pixels beyond are
 * not counted, nor are lanes outside of a rectangle. Layers of a framebuffer are counted together. Counts do not depend
 * on threads, widths and engines, and results do not depend on them. Where a call fails they are undefined.
 *
 * A fragment is what one primitive has of one pixel, or of one sample where the program runs for each sample; in a
 * rectangle every pixel has one. docs/heat.md says more. */
struct sch_heat {
    size_t size;
    uint32_t width, height;

    uint64_t *covered;    /* fragments, before all tests: depth complexity */
    uint64_t *shaded;     /* fragments whose program was run: overdraw */
    uint64_t *helpers;    /* how often the program was run for the pixel only as its neighbours' helper */
    uint64_t *discarded;  /* fragments that their program killed */
    uint64_t *not_finite; /* components of colours that are NaN or infinite, of fragments that were not killed: of all
                             COLOR outputs, in draws of those that buffers take which have no integers */

    /* What only the interpreter counts: with these no group is run as machine code, and programs of the engine JIT are
     * UNSUPPORTED (4383). An instruction is executed by the lanes of the execution mask with which it begins, helpers
     * among them; END is one. */
    uint64_t *instructions; /* that the pixel's lane executed */
    uint64_t *group_slots;  /* lanes of the pixel's groups, for each instruction that a group executes */
    uint64_t *idle_slots;   /* of those: lanes that did not execute it. idle / group is the divergence */

    /* Likewise, and UNSUPPORTED with the engine MAXWELL, too: sch_invocations.texels_read and greatest_lods. */
    uint64_t *texels;
    float *greatest_lods; /* an element is raised, and else stays: begin with -128 */
};

/* ---- boxes of texels ---- */

/* Texels of one level of a resource: a corner, and three sides in texels. z counts the slices of a 3-D level, and the
 * layers of others; faces of cubes are layers. Along an axis that the target does not have, the corner is 0 and the
 * side 1. Only blits may have negative sides. A box of zeros is the whole level. Closed: no other member will come. */
struct sch_box {
    int32_t x, y, z, width, height, depth;
};

/* How texels are moved without a program, and when that ends early: the optional member `moving` of transfers, copies,
 * clears, blits and mip chains. The members are those of struct sch_dispatch_options: `threads` that move (0 counts as
 * 1; results do not depend on it), and what ends it with DEADLINE and CANCELLED, after which the contents of what was
 * to be written are undefined. Each thread looks about once a millisecond. */
struct sch_moving_options {
    size_t size;
    uint32_t threads, deadline_ms;
    const uint32_t *cancel;
};

/* A box of a resource, and its layout in the caller's memory (sch_resource_write, sch_resource_read): rows of blocks,
 * and slices or layers of rows. */
struct sch_transfer {
    size_t size;
    uint32_t level;
    uint32_t sample; /* of multisampled resources */
    struct sch_box box;
    size_t row_bytes, slice_bytes; /* from one row or slice to the next; 0: without gaps */
    const struct sch_moving_options *moving;
};

/* A copy of bits (sch_resource_copy): the blocks of the box `source` of `source_level`, to the texel (x, y, z) of
 * `level`. */
struct sch_copy {
    size_t size;
    uint32_t level;
    int32_t x, y, z;
    uint32_t source_level;
    struct sch_box source;
    const struct sch_moving_options *moving;
};

/* Parts of texels, with gallium's bits. */
enum sch_part {
    SCH_PART_RED = 1,
    SCH_PART_GREEN = 2,
    SCH_PART_BLUE = 4,
    SCH_PART_ALPHA = 8,
    SCH_PART_COLOR = 15,
    SCH_PART_DEPTH = 16,
    SCH_PART_STENCIL = 32
};

/* The components R, G, B, A: integers for integer formats, otherwise floats. */
union sch_color {
    float f[4];
    int32_t i[4];
    uint32_t u[4];
};

/* What sch_resource_clear writes to all texels of a box: a colour, or depth and stencil, encoded as stores encode
 * (docs/texture.md, "Formats"); or the bytes of a block. */
struct sch_clear {
    size_t size;
    uint32_t level;
    struct sch_box box;
    enum sch_format format; /* with blocks like those of the resource's format; NONE: the resource's format */
    uint32_t parts;         /* bits of enum sch_part that are written; 0: all that the format has */
    union sch_color color;
    float depth;
    uint32_t stencil;  /* its low 8 bits are written */
    const void *block; /* optional: the bytes of a block, instead of colour, depth and stencil */
    size_t block_bytes;
    const struct sch_moving_options *moving;
};

/* What sch_resource_blit does: it stretches the texels of `source` over `box` and converts them to the destination's
 * format. A box goes from the corner (x, y, z) to the corner (x + width, y + height, z + depth). If one of both boxes
 * has a negative side along an axis, the picture is mirrored. Boxes may reach beyond their levels. */
struct sch_blit {
    size_t size;
    uint32_t level, source_level;
    struct sch_box box, source;
    enum sch_format format, source_format; /* with blocks like those of the resource's format; NONE: the resource's */
    uint32_t parts;                        /* bits of enum sch_part; 0: all. Only parts of both formats count. */
    enum sch_filter filter;                /* used if the sides of the boxes differ */
    bool first_sample; /* from a multisampled source to a destination with one sample: sample 0 instead of the mean */
    bool scissored;    /* write only texels with scissor[0] <= x < scissor[2] and scissor[1] <= y < scissor[3] */
    int32_t scissor[4];
    const struct sch_moving_options *moving;
};

/* What sch_resource_make_mips makes: `level_count` levels after `base_level`, each from the one before it. */
struct sch_mips {
    size_t size;
    uint32_t base_level, level_count;  /* level_count 0: all levels that follow */
    uint32_t first_layer, layer_count; /* layer_count 0: all layers that follow. 3D resources: both are 0 */
    enum sch_format format;            /* with blocks like those of the resource's format; NONE: the resource's */
    const struct sch_moving_options *moving;
};

/* ---- video ---- */

/* What colours luma and chroma are made of, and which codes stand for black and white. None is a default. */
enum sch_video_matrix { SCH_MATRIX_BT601 = 1, SCH_MATRIX_BT709 = 2, SCH_MATRIX_BT2020 = 3 };
enum sch_video_range {
    SCH_RANGE_LIMITED = 1, /* of 8 bits: luma 16 to 235, chroma 16 to 240 */
    SCH_RANGE_FULL = 2     /* all codes */
};

/* Where the chroma samples of subsampled pictures are, beside those of luma. */
enum sch_video_siting {
    SCH_SITING_LEFT = 1,    /* at the left one of two texels; in the middle between two rows */
    SCH_SITING_CENTER = 2,  /* in the middle between two texels, and between two rows */
    SCH_SITING_TOP_LEFT = 3 /* at the left one of two texels, in the upper one of two rows */
};

/* Rows of samples in the caller's memory. Closed: no other member will come. */
struct sch_video_plane {
    const void *data;
    size_t bytes, row_bytes; /* of all, and from one row to the next; row_bytes 0: without gaps */
};

/* A picture of luma and chroma (sch_resource_write_video), and the texels of a resource that receive its colours. */
struct sch_video {
    size_t size;
    enum sch_format format; /* docs/resources.md, "Video", lists those that there are, and their planes */
    uint32_t width, height; /* in texels; of planes with half as many samples the last one may be of one texel */
    struct sch_video_plane planes[3];
    enum sch_video_matrix matrix;
    enum sch_video_range range;
    enum sch_video_siting siting; /* of formats with fewer samples of chroma; others need none */
    uint32_t level;
    int32_t x, y, z; /* the first texel; z as of boxes */
};

/* ---- machine code ---- */

/* What machine code did for the programs of a context so far (sch_context_code_counts). */
struct sch_code_counts {
    size_t size;
    uint64_t programs, lookups;    /* pieces of code that were compiled, of programs and of lookups */
    uint64_t from_cache, to_cache; /* pieces read from the cache and written to it */
    uint64_t refused;              /* pieces that the compiler refused */
    uint64_t native_groups;        /* groups that ran as machine code */
    uint64_t decoded_groups;       /* groups of programs of AUTO that the interpreter ran */
    uint64_t span_groups;          /* groups that ran in spans (docs/jit.md, "Spans"); native_groups counts them, too */
};

/* ---- Maxwell ---- */

/* Maxwell code's registers in `inputs` and `outputs` of struct sch_invocations: of a lane R0 to R254 are words 0 to
 * 254, P0 to P6 words 256 to 262 (0 or not 0), the flags Z, S, C, O bits 0 to 3 of word 263. */
enum {
    SCH_MAXWELL_GROUP_LANES = 32,
    SCH_MAXWELL_GROUP_REGISTERS = 255, /* R0..R254 */
    SCH_MAXWELL_GROUP_PREDICATES = 7,  /* P0..P6 */
    SCH_MAXWELL_PREDICATE_WORD = 256,  /* where P0 is */
    SCH_MAXWELL_INPUT_REGISTERS = 66   /* of four words: that hold all of these */
};

/* Memory that Maxwell code reaches at addresses of 64 bits: `bytes` bytes, the first one at `address`. `data` and
 * `address` are equal modulo 8. Closed: no other member will come. */
struct sch_maxwell_range {
    uint64_t address;
    void *data;
    uint64_t bytes;
    bool writable; /* otherwise stores and atomic operations there end the dispatch, and `data` is only read */
};
enum { SCH_MAXWELL_MOST_RANGES = 65536 }; /* of a dispatch, at most */

/* What Maxwell code finds in the machine beside its constant banks. The memory is the caller's, and is used while the
 * call runs.
 *
 * The library fills in no constants. Compiled kernels expect in c[0x0], entry 0 of the constants: the base of the
 * shared window at 0x0 and that of the local window at 0x4 (multiples of 2^24 that differ; a window is 2^24 addresses
 * below 2^32 whose generic accesses go to shared or local memory; 0: there is no such window), the size of a block at
 * 0x8, of the grid at 0x14, the local bytes of a lane at 0x20 (where the stack begins), parameters from 0x140 on. The
 * sizes of shared and local memory are shared_bytes and private_bytes of struct sch_dispatch_options. */
struct sch_maxwell_bindings {
    size_t size;
    const void *headers, *samplers;     /* pools; their last entry is MaximumIndex */
    size_t header_bytes, sampler_bytes; /* multiples of 32; 0: there are no entries (TXQ needs no samplers) */
    uint32_t handle_bank;               /* the constant buffer in which #tsPtrIdxU13 counts words */
    const void *memory;                 /* the memory that addresses in headers point to; texels outside of it are 0 */
    size_t memory_bytes;
    uint64_t memory_address; /* the address of the first byte of `memory` */
    bool via_header_binding; /* SetSamplerBinding: a header's index is also the index of its sampler */
    bool half_toward_zero;   /* FP16_ROUNDING_MODE of .F16 results; otherwise to nearest even */

    /* Global memory, ranges that do not overlap, in any order. An access that is not wholly inside of one range ends
     * the dispatch (ABORTED), as misaligned ones do; options->diagnostics says which. Surfaces have their headers in
     * `headers`, and their texels in these ranges. */
    const struct sch_maxwell_range *ranges;
    uint32_t range_count;
    bool clamp_loads; /* TLD and TLDS take the nearest texel where a coordinate is outside of its level; otherwise 0 */
};

#endif
