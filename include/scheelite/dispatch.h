/* Running shaders. A program is a shader that was prepared for an engine. A dispatch runs it over any number of
 * invocations, a rectangle of pixels or a compute grid.
 *
 * Example, with a context:
 *
 *     const char text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nRCP OUT[0], IN[0].xxxx\nEND\n";
 *     uint32_t in[2][4] = {{0x40000000}, {0x40400000}}, out[2][4]; // 2.0 and 3.0: the inputs of two invocations
 *     struct sch_invocations two = {.size = sizeof two, .count = 2, .inputs = in[0], .input_bytes = sizeof in,
 *                                   .input_registers = 1, .outputs = out[0], .output_bytes = sizeof out,
 *                                   .output_registers = 1};
 *     struct sch_shader *shader;
 *     struct sch_program *program;
 *     if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) return 1;
 *     if (sch_program_create(context, shader, NULL, NULL, &program) != SCH_OK) return 1;
 *     if (sch_dispatch(program, NULL, &two, NULL, NULL) != SCH_OK) return 1;
 *     printf("%08x %08x\n", out[0][0], out[1][0]); // prints 3f000000 3eaaaaab
 *     sch_program_destroy(program);
 *     sch_shader_destroy(shader);
 */
#ifndef SCHEELITE_DISPATCH_H
#define SCHEELITE_DISPATCH_H

#include "resource.h"
#include "shader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A shader that was prepared for an engine. Immutable: any number of threads may dispatch it at once. The shader may be
 * destroyed before it. */
struct sch_program;
struct sch_debug;

/* What runs a program. All engines compute the same bits, except for texture lookups of MAXWELL. */
enum sch_engine {
    /* Begins with the interpreter. If a program runs for long, it is compiled in the background, and its groups run as
     * machine code as soon as the code is ready. Without a compiler, and for programs that the compiler refuses, the
     * interpreter continues. */
    SCH_ENGINE_AUTO = 0,
    SCH_ENGINE_INTERPRETER = 1,
    /* The interpreter, with texture lookups executed as Maxwell texture instructions, by Maxwell's rules whatever
     * sch_sampler_options.rules says. A program with a lookup that has no Maxwell code is UNSUPPORTED. Does not count
     * texels and levels (sch_invocations.texels_read). */
    SCH_ENGINE_MAXWELL = 2,
    /* Machine code only. The first dispatch that needs a piece of code compiles it, or reads it from the cache.
     * sch_program_create returns UNSUPPORTED if there is no compiler or the compiler refuses the program. If the cache
     * has code of the program, the compiler is not needed then; a dispatch that needs code which the cache does not
     * have returns UNSUPPORTED instead. Does not count texels and levels. */
    SCH_ENGINE_JIT = 3
};

/* How a program is prepared (sch_program_create). Results never depend on it, but for the engine MAXWELL. */
struct sch_program_options {
    size_t size;
    enum sch_engine engine;
    uint32_t width; /* lanes of a vector: 4, 8 or 16, or the next narrower that this processor has; 0: its best. It does
                     * not change results */
    /* Of the engine MAXWELL, optional: Maxwell code of one section whose texture instructions are executed in place of
     * those that the lookups become, one for each lookup, in their order. Operands and results are in the registers
     * that sch_shader_translate prints (docs/maxwell.md, "Lookups in given code"); all other registers are 0. Used
     * while the call runs. A program that does not fit is UNSUPPORTED, one that breaks restrictions
     * (sch_shader_check) INVALID. */
    const struct sch_shader *lookup_code;
    /* Optional: bounds of the time that checking the shader may take, as in struct sch_read_options. */
    uint32_t deadline_ms;
    const uint32_t *cancel;
};

/* Checks a shader and prepares it to run. `options` and `diagnostics` are optional. Direct3D shaders are lowered first
 * (sch_shader_lower). Maxwell code must have one section (sch_read_options.kernel chooses it), and is a compute shader;
 * the interpreter executes it for AUTO, INTERPRETER and MAXWELL.
 * Errors: ARGUMENT, MEMORY, LIMIT, INVALID (as sch_shader_check), UNSUPPORTED (this version or the engine does not
 * execute something in the shader; the list names each), DEADLINE, CANCELLED. Thread-safe. */
SCH_API enum sch_result sch_program_create(struct sch_context *context, const struct sch_shader *shader,
                                           const struct sch_program_options *options,
                                           struct sch_diagnostics_list *diagnostics, struct sch_program **program);
/* Whether an instruction of the program writes memory or texels that invocations of other work groups can read: a
 * storage buffer, an image, a counter, GLOBAL memory. Thread-safe. False for NULL. */
SCH_API bool sch_program_writes_memory(const struct sch_program *program);
/* Destroys a program. Takes NULL. No dispatch of the program may be running. If the compiler is loaded into this
 * process, this waits for code of the program that is being compiled. */
SCH_API void sch_program_destroy(struct sch_program *program);

/* What a slot of a Direct3D shader's interfaces holds: a class, and the data of its instance, as in
 * ID3D11ClassLinkage::CreateClassInstance (docs/d3d.md, "Interfaces"). Zeros mean the first class, with its data at the
 * beginning of cb0, t0 and s0. Closed: no other member will come. */
struct sch_interface_slot {
    uint32_t table;                            /* the class: index in the list of the interface's tables */
    uint32_t constant_buffer, constant_offset; /* the cb#, and the first vector of four components in it */
    uint32_t texture, sampler;                 /* the first t# and s# */
};
enum { SCH_INTERFACE_SLOTS = 253 };

/* Memory of a constant buffer: the caller's, or a range of a BUFFER resource. All zeros: nothing is bound. Reads beyond
 * it return 0. A resource may be bound in several places at once, and have views, too; it must live while the call
 * runs. Closed: no other member will come. */
struct sch_constant_buffer {
    const void *data;                    /* the caller's; NULL with a resource */
    size_t bytes;                        /* 0 with a resource: all that follow `offset` */
    const struct sch_resource *resource; /* NULL: the memory is the caller's */
    size_t offset;                       /* in the resource, in bytes; otherwise 0 */
};

/* Memory that a program reads and writes, likewise. Reads beyond it return 0, and writes beyond it do nothing. Closed:
 * no other member will come. */
struct sch_storage_buffer {
    void *data; /* aligned to 4 bytes */
    size_t bytes;
    struct sch_resource *resource;
    size_t offset; /* a multiple of 4 */
};

/* What the registers of a program are bound to. Entry n of an array is register n: CONST[n][...] and CONSTBUF[n],
 * SVIEW[n], SAMP[n], BUFFER[n], HWATOMIC[n][...], IMAGE[n]. A TEX instruction on SAMP[n] reads view n; RES[n] of target
 * BUFFER is buffer n. sch_shader_unit gives the entry of a Direct3D shader's register. Entries of arrays of pointers
 * may be NULL. Registers that are not bound read 0, and options->diagnostics receives a warning.
 *
 * The library uses bindings only while the call runs. It writes storage buffers (`buffers`, `hw_atomics`,
 * global_memory), and texels through images. */
struct sch_bindings {
    size_t size;
    const struct sch_constant_buffer *constants;
    uint32_t constant_count;
    struct sch_view *const *views;
    uint32_t view_count;
    struct sch_sampler *const *samplers;
    uint32_t sampler_count;
    const struct sch_storage_buffer *buffers;
    uint32_t buffer_count;
    uint32_t hw_atomic_count;
    const struct sch_storage_buffer *hw_atomics; /* counter i of a buffer is its 32-bit word i */
    struct sch_storage_buffer global_memory;     /* MEMORY, GLOBAL: addresses count from its first byte */
    struct sch_constant_buffer input_memory;     /* MEMORY, INPUT */
    struct sch_image *const *images;
    uint32_t image_count;
    struct sch_image *const *color_buffers; /* what FBFETCH of an output reads: entry n for the semantic index n */
    uint32_t color_buffer_count;

    /* Slots of a Direct3D shader's interfaces (sch_shader_interface), at most SCH_INTERFACE_SLOTS. Slots that are not
     * given are zeros. A table that the slot's interface does not have is ARGUMENT. Lowered shaders read the slots as
     * constant buffers 16 and 17. These may be given in `constants` instead, with interface_count 0. */
    const struct sch_interface_slot *interfaces;
    uint32_t interface_count;

    /* Maxwell code, whose constant bank c[n] is entry n of `constants`. Optional: without it there are no headers and
     * samplers. */
    const struct sch_maxwell_bindings *maxwell;
};

/* The progress of a dispatch: `done` of `all` parts have run. A part is a group of 32 invocations, or a work group. The
 * library's threads write both members atomically while the call runs: first `done` 0 and `all`, then `done` a few
 * thousand times at most, until it equals `all` or the dispatch ends early. A dispatch that is refused writes neither.
 * Other threads and signal handlers may read both (__atomic_load_n). Results do not depend on them. Closed: no other
 * member will come. */
struct sch_dispatch_progress {
    uint64_t done, all;
};

/* Counts of what happens at each pixel of a rectangle or draw (sch_dispatch_options.heat). The arrays are the caller's.
 * Each is optional and has width * height elements; the element of pixel (x, y) is y * width + x. The call adds to the
 * elements. It does not count pixels outside of the arrays, nor lanes outside of a rectangle. It counts all layers of a
 * framebuffer together. Counts do not depend on threads, widths and engines, and results do not depend on whether
 * anything is counted. If the call fails, the counts are undefined.
 *
 * A fragment is the part of one primitive in one pixel, or in one sample if the program runs for each sample; in a
 * rectangle every pixel is one fragment. docs/heat.md describes the counts. */
struct sch_heat {
    size_t size;
    uint32_t width, height;

    uint64_t *covered;    /* fragments, before all tests: depth complexity */
    uint64_t *shaded;     /* fragments whose program was run: overdraw */
    uint64_t *helpers;    /* how often the program ran for the pixel only as a helper of its neighbours */
    uint64_t *discarded;  /* fragments that their program killed */
    uint64_t *not_finite; /* components of colours that are NaN or infinite, of fragments that were not killed: of all
                             COLOR outputs, in draws of those that buffers take which have no integers */

    /* What only the interpreter counts: with these no group is run as machine code, and programs of the engine JIT are
     * UNSUPPORTED (4383). An instruction is executed by the lanes of the execution mask with which it begins, helpers
     * among them; END is one. */
    uint64_t *instructions; /* that the pixel's lane executed */
    uint64_t *group_slots;  /* lanes of the pixel's groups, for each instruction that a group executes */
    uint64_t *idle_slots;   /* lanes among these that did not execute it. idle / group is the divergence */

    /* Likewise, and UNSUPPORTED with the engine MAXWELL, too: sch_invocations.texels_read and greatest_lods. */
    uint64_t *texels;
    float *greatest_lods; /* the maximum of the element and the level: initialise with -128 */
};

/* How a program is run, and where a run ends (sch_dispatch, sch_renderer_draw). */
struct sch_dispatch_options {
    size_t size;
    /* How many threads run the dispatch: the calling thread, and threads - 1 of the context's, if so many are free; or
     * how many calls the caller's threads get (sch_context_options.threads). 0 counts as 1; at most 256. Very little
     * work stays with the calling thread. Results do not depend on it. */
    uint32_t threads;
    uint64_t budget; /* loop iterations and calls that one invocation may make; 0: 1048576 */

    /* Normally a program that writes memory which other work groups may read runs on one thread, in the order of the
     * work groups, so that results do not depend on threads. With `unordered` it runs on all threads. Results may then
     * depend on the order of work groups. Atomic operations are atomic; a load or fetch returns words and components
     * that one store wrote; filtered lookups of texels that are stored meanwhile return undefined values. */
    bool unordered;
    uint32_t shared_bytes;  /* of MEMORY, SHARED of a work group, and of Maxwell's shared memory; 0: 65536 */
    uint32_t private_bytes; /* of MEMORY, PRIVATE of an invocation, and of Maxwell's local memory; 0: 16384 */

    /* Optional: receives the reason of ARGUMENT (6300), and that of UNSUPPORTED: there is no compiler (4380), or the
     * program is too large for it (4381). Calls that run at the same time need a list each.
     *
     * It also receives warnings about registers that the program reads, but that are not bound, and therefore read 0:
     * views (6510), samplers of bound views (6511), images and colour buffers (6512), buffers, counters, GLOBAL and
     * INPUT memory (6513), constants (6514), and bindings of another shape (6515). The message begins with the
     * register's name in the shader's language (SAMP[2], CONST[1][3]; t4, cb0[2], or t4,space1 with register spaces).
     * The place is the first instruction that names the register. Each register is reported once in the life of a
     * program, by the first dispatch with a list. Registers that an instruction indexes are reported together, and only
     * if none of them is bound. Bindless handles are not reported. */
    struct sch_diagnostics_list *diagnostics;

    /* Three limits on the whole dispatch: `work`, `deadline_ms` and `cancel`; each may be 0 or NULL, for no limit. The
     * budget does not limit the time of a dispatch: a loop of 200,000 instructions may run for hours within it, and so
     * may a grid of 2^31 work groups.
     *
     * WORK: the number of instructions that may be executed. An instruction counts once for each group, and work groups
     * count one after the other, as if on one thread. In a work group with BARRIERs, each group counts up to its next
     * BARRIER before the next group does. The dispatch ends if there is another instruction after that many. Which one
     * that is does not depend on threads, engine or width. The exception is a program that runs `unordered` on several
     * threads: the dispatch ends when all threads together have executed more, not always at the same instruction, and
     * the other threads end up to 2^20 instructions later. Stores by machine code shortly before the last instruction
     * may be missing. */
    uint64_t work;

    /* DEADLINE: milliseconds from the call on, by CLOCK_MONOTONIC. CANCELLED: `cancel` points to a word that another
     * thread sets to a value other than 0, atomically (__atomic_store_n). The library reads it while the call runs.
     * Each thread checks both at least every 2^20 instructions, in practice about once a millisecond. If the word is
     * set before the call, no instruction is executed. If the call compiles code, the compiler finishes first. */
    uint32_t deadline_ms;
    const uint32_t *cancel;

    /* For a grid: only `group_count` of its work groups, from `first_group` on, counted along x first, then y, then z;
     * 0: all from `first_group` on. They see the numbers and sizes of the whole grid, and `report` counts invocations
     * as if all had run. ARGUMENT beyond the end of the grid. Other dispatches ignore both. */
    uint64_t first_group, group_count;

    /* Optional: the progress of the dispatch, for threads that wait for it. Draws do not write it. */
    struct sch_dispatch_progress *progress;

    /* The debugging session whose run makes this call (debug.h); otherwise NULL. ARGUMENT for a call that its run does
     * not make. */
    struct sch_debug *debug;

    /* Optional, of rectangles and draws: what happens at each pixel is counted. Not with `debug`; other dispatches have
     * no pixels: both are ARGUMENT. Groups are then not run as spans, so that a run takes longer. */
    const struct sch_heat *heat;

    /* Of grids: bits of enum sch_dispatch_check, what is looked for while the grid runs. What is found is reported to
     * `diagnostics`, once for each instruction or pair of instructions, and counted in the report. Results are the
     * same. Such a grid runs in the interpreter, whatever the engine, on one thread. Not with `debug`; other dispatches
     * have no work groups: both are ARGUMENT. */
    uint32_t checks;
};

/* What a grid is checked for (sch_dispatch_options.checks). */
enum sch_dispatch_check {
    /* Two threads touch a word, one writes it, not both are atomic, and nothing orders them (4400): no barrier of their
     * work group is between, or they are of different work groups, which nothing orders. Threads of Maxwell code are
     * also ordered where their warp executes both together. Memory is shared memory, buffers, counters, images, global
     * memory and ranges of it. */
    SCH_CHECK_RACES = 1 << 0,
    /* Shared memory and a thread's own memory that is read before it was written (4401); of Maxwell code registers,
     * too (4402). */
    SCH_CHECK_UNWRITTEN = 1 << 1
};

/* Where a dispatch ended early, and what it did. */
struct sch_dispatch_report {
    size_t size;
    /* BUDGET: the first invocation that used up its budget. BARRIER: one that did not reach the BARRIER. ABORTED: one
     * that executed ABORT. WORK, DEADLINE, CANCELLED: the lowest one that would have executed `instruction`, or the
     * first of its group if none would have. */
    uint32_t invocation;
    /* BUDGET: the loop or call where that happened. BARRIER: where the others wait. ABORTED: the ABORT. WORK, DEADLINE,
     * CANCELLED: the first instruction that was not executed. */
    uint32_t instruction;
    uint32_t line, column; /* of that instruction; 0 for binary input */
    uint64_t instructions; /* how many were executed, counted once for each group; WORK: options->work */
    /* DEADLINE, CANCELLED: the contents of outputs, render targets and memory are undefined, and another call with the
     * same input may end elsewhere. */
    bool contents_undefined;
    enum sch_stage stage; /* whose program that is; of a draw that did not end early: the vertex stage */
    uint32_t findings;    /* of options->checks: how many different ones were reported */
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

/* Runs every invocation. `bindings`, `options` and `report` are optional. For compute shaders, each group of 32
 * invocations is a work group of its own. Thread-safe, if the calls have different outputs and memory.
 *
 * Errors: ARGUMENT, MEMORY, LIMIT; UNSUPPORTED (texels or levels that the engine does not count, or with JIT code that
 * is missing; options->diagnostics has the reason); BUDGET, BARRIER, ABORTED, WORK (outputs and memory are incomplete
 * then); DEADLINE, CANCELLED (they are undefined then).
 *
 * No function of the library takes more than 256 KiB of the calling thread's stack, whatever the shader and the
 * engine. */
SCH_API enum sch_result sch_dispatch(const struct sch_program *program, const struct sch_bindings *bindings,
                                     const struct sch_invocations *invocations,
                                     const struct sch_dispatch_options *options, struct sch_dispatch_report *report);

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

/* Runs a fragment program over a rectangle of pixels. The results are those that sch_dispatch computes for the same
 * invocations, bit for bit. Killed pixels are not written. Thread-safe as sch_dispatch. Errors as there; ARGUMENT also
 * if the program is not a fragment program, if struct sch_rectangle does not allow a side or corner, or if a render
 * target is too small for the rectangle.
 *
 * report->invocation i is pixel i % 4 of quad i / 4; quads are counted row by row, (width + 1) / 2 in a row. Pixels are
 * not run in that order: if several use up their budget, the one that is reported need not be the first. Nothing
 * depends on the number of threads. */
SCH_API enum sch_result sch_dispatch_rectangle(const struct sch_program *program, const struct sch_bindings *bindings,
                                               const struct sch_rectangle *rectangle,
                                               const struct sch_dispatch_options *options,
                                               struct sch_dispatch_report *report);

/* Runs a compute grid of `grid` work groups, each of `block` invocations. Both are optional. A 0 in `grid` counts as 1;
 * a 0 in `block` as what CS_FIXED_BLOCK_* says, or as 1. The library fills in system values. Thread-safe as
 * sch_dispatch. Errors as there; ARGUMENT also if the program is not a compute program, or if `block` differs from
 * CS_FIXED_BLOCK_*; LIMIT also for work groups of more than 65536 invocations. */
SCH_API enum sch_result sch_dispatch_grid(const struct sch_program *program, const struct sch_bindings *bindings,
                                          const uint32_t grid[3], const uint32_t block[3],
                                          const struct sch_dispatch_options *options,
                                          struct sch_dispatch_report *report);

#ifdef __cplusplus
}
#endif
#endif
