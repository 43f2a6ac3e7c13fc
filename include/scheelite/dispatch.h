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
    /* Optional: what ends the checks of the shader before their end, as in struct sch_read_options. */
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

    /* Ranges of BUFFER resources instead of the caller's memory. An entry with a resource replaces the same entry of
     * `constants`, `buffers` or `hw_atomics`; global_range and input_range replace global_memory and input_memory.
     * ARGUMENT for a resource that is not a BUFFER, and for a range beyond its end. range_stride is sizeof(struct
     * sch_buffer_range), for all of them. */
    const struct sch_buffer_range *constant_ranges, *buffer_ranges, *hw_atomic_ranges;
    uint32_t constant_range_count, buffer_range_count, hw_atomic_range_count;
    size_t range_stride;
    const struct sch_buffer_range *global_range, *input_range; /* optional: one each */

    /* Maxwell code, whose constant bank c[n] is entry n of `constants`. Optional: without it there are no headers and
     * samplers. */
    const struct sch_maxwell_bindings *maxwell;
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

    /* Optional: how far the dispatch is, for who waits for it. Draws do not write it. */
    struct sch_dispatch_progress *progress;

    /* The debugging session whose run makes this call (debug.h); otherwise NULL. ARGUMENT for a call that its run does
     * not make. */
    struct sch_debug *debug;

    /* Optional, of rectangles and draws: what happens at each pixel is counted. Not with `debug`; other dispatches have
     * no pixels: both are ARGUMENT. Groups are then not run as spans, so that a run takes longer. */
    const struct sch_heat *heat;
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
