/* Running shaders. A program is a shader prepared for one engine; one call runs it over any number of invocations. */
#ifndef SCHEELITE_DISPATCH_H
#define SCHEELITE_DISPATCH_H

#include "resource.h"
#include "shader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A shader made ready to run. Immutable: any number of threads may dispatch it at once. Does not need its shader to
 * stay. */
struct sch_program;

enum sch_engine {
    SCH_ENGINE_AUTO = 0, /* begins in the interpreter; has programs that run for long compiled in the background, and
                            goes on with their machine code; without a compiler, or where it does not take the program,
                            it stays with the interpreter */
    SCH_ENGINE_INTERPRETER = 1,
    SCH_ENGINE_MAXWELL = 2, /* the interpreter, its texture lookups lowered to Maxwell texture instructions and executed
                              as those, by Maxwell's rules whatever the samplers' `rules` say. A program with a lookup
                              that has no Maxwell code is UNSUPPORTED. Texels and levels are not counted. */
    SCH_ENGINE_JIT = 3 /* machine code only: UNSUPPORTED where there is no compiler or it does not take the program. The
                          code is compiled by the first dispatch that needs it. Texels and levels are not counted. Where
                          the cache has code of the program, the compiler is not looked for, and UNSUPPORTED is what a
                          dispatch answers that wants other code which cannot be compiled. */
};

struct sch_program_options {
    size_t size;
    enum sch_engine engine;
    uint32_t width; /* lanes of one vector: 4, 8, 16, or 0 for this processor's best. The results are the same. */
};

/* Prepares a shader, checking it first. INVALID as sch_shader_check; UNSUPPORTED when the program uses what this
 * version does not execute: the list names each. */
SCH_API enum sch_result sch_program_create(struct sch_context *context, const struct sch_shader *shader,
                                           const struct sch_program_options *options,
                                           struct sch_diagnostics_list *diagnostics, struct sch_program **program);
/* Takes NULL. Waits where the program is just being compiled. */
SCH_API void sch_program_destroy(struct sch_program *program);

/* What a slot of a Direct3D shader's interfaces holds (docs/d3d.md, "Interfaces"): the class, and where the data of its
 * instance are, as ID3D11ClassLinkage::CreateClassInstance says it. Zeros are the first class, at the beginning.
 * Closed: no other member will come. */
struct sch_interface_slot {
    uint32_t table;                            /* which of the interface's tables, counted from 0 */
    uint32_t constant_buffer, constant_offset; /* the cb#, and the vector of four components in it */
    uint32_t texture, sampler;                 /* the first t# and s# */
};
enum { SCH_INTERFACE_SLOTS = 253 };

/* What the program's register files are bound to. Entry n of an array is register n (CONST[n][...], SAMP[n], SVIEW[n],
 * BUFFER[n], HWATOMIC[n][...]; of a register of a Direct3D shader, sch_shader_unit); a TEX instruction on SAMP[n] reads
 * view n, RES[n] of target BUFFER is buffer n, and CONSTBUF[n] constant buffer n. The library uses them only while the
 * call runs, and writes storage buffers only. What is not bound reads 0; options->diagnostics says what. */
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
    struct sch_image *const *images;             /* IMAGE[n]; entries may be NULL */
    uint32_t image_count;
    struct sch_image *const *color_buffers; /* FBFETCH OUT[n]: the buffer of the output's semantic index */
    uint32_t color_buffer_count;

    /* Entry n is slot n of a Direct3D shader's interfaces (sch_shader_interface); slots past the last are zeros. A
     * table that the slot's interface does not have is ARGUMENT. Lowered shaders read them as constant buffers 16 and
     * 17, which `constants` gives where interface_count is 0. At most SCH_INTERFACE_SLOTS. */
    const struct sch_interface_slot *interfaces;
    uint32_t interface_count;

    /* Memory of resources: where a range has a resource it takes the place of the entry with its number of `constants`,
     * `buffers` and `hw_atomics`, and of global_memory and input_memory. ARGUMENT for a range that the resource does
     * not have, or a resource that is no BUFFER. range_stride: sizeof(struct sch_buffer_range), of all three arrays. */
    const struct sch_buffer_range *constant_ranges, *buffer_ranges, *hw_atomic_ranges;
    uint32_t constant_range_count, buffer_range_count, hw_atomic_range_count;
    size_t range_stride;
    struct sch_buffer_range global_range, input_range;
};

struct sch_dispatch_options {
    size_t size;
    /* 0 or 1: the calling thread alone; else it and up to threads - 1 of the context's, as many as are free or the
     * system gives, 256 at most. The results do not depend on it. */
    uint32_t threads;
    uint64_t budget; /* loop iterations and calls that one invocation may make; 0: 1048576 */

    /* A program that writes what other work groups may read runs on one thread, work groups ascending, so that results
     * do not depend on threads. With `unordered` it uses all of them: atomic operations are atomic then, words of
     * memory and components of texels that are loaded or fetched are of one store each (lookups that filter promise
     * nothing about texels that are stored meanwhile), and everything that depends on the order of work groups is the
     * caller's concern. */
    bool unordered;
    uint32_t shared_bytes;  /* of MEMORY, SHARED of a work group; 0: 65536 */
    uint32_t private_bytes; /* of MEMORY, PRIVATE of an invocation; 0: 16384 */

    /* Optional: receives what UNSUPPORTED is about where machine code is missing: there is no compiler (4380), or the
     * program is too large for it (4381), and which argument is wrong (6300). Used by one thread at a time: calls at
     * once need a list each.
     *
     * And warnings about what instructions of the program read and the bindings do not have, so that it reads 0: a view
     * (6510), a sampler whose view is there (6511), an image or colour buffer (6512), a buffer, counters, GLOBAL or
     * INPUT memory (6513), constants (6514), and what is bound in another shape (6515). The message begins with the
     * register's name in the shader's language (SAMP[2], CONST[1][3], t4, cb0[2], with register spaces t4,space1), the
     * place is the first instruction that names it. Each unit is told about once in the life of a program, in the list
     * of the dispatch that is first to see it; of registers that other registers choose between, together, only where
     * none is bound. Handles are not looked at. Without a list nothing is looked for. */
    struct sch_diagnostics_list *diagnostics;

    /* Three ways to bound the whole dispatch; each is 0 or NULL where it is not bounded so. `budget` alone bounds no
     * time: 200,000 instructions in a loop are within it for hours, and so is a grid of 2^31 work groups.
     *
     * WORK: how many instructions may be executed, counted as report->instructions counts them: once for 32
     * invocations, work group after work group, in each as if by one thread (with BARRIERs: group after group, each up
     * to its next one). So many are executed, and if there is another one the dispatch ends there. Which one that is
     * does not depend on threads, engine or width, but for programs that `unordered` lets write from several threads at
     * once: of those the dispatch ends if all together executed more, where is not always the same, and other threads
     * notice it up to 2^20 instructions later. What machine code stores with an instruction shortly before the last one
     * may be missing. */
    uint64_t work;

    /* DEADLINE: milliseconds from the call on, by CLOCK_MONOTONIC. CANCELLED: a word that another thread sets to
     * something else than 0 (atomically, as with __atomic_store_n); it is read while the call runs, and not written.
     * Each thread looks at both before it has executed 2^20 more instructions, in practice every millisecond or so,
     * between any two instructions. A call with the word set executes none. Code that the call itself compiles is
     * compiled to its end first. */
    uint32_t deadline_ms;
    const uint32_t *cancel;
};

/* Where a dispatch ended early, and what it did. */
struct sch_dispatch_report {
    size_t size;
    uint32_t invocation;   /* BUDGET: the first invocation that used up its budget; BARRIER: that is not there; ABORTED:
                              that executed ABORT; WORK, DEADLINE, CANCELLED: the lowest that was to execute next, or,
                              where none of its group was (behind a condition that held for none), its group's first */
    uint32_t instruction;  /* BUDGET: the loop or call at which it did; BARRIER: where the others wait; ABORTED: the
                              ABORT; WORK, DEADLINE, CANCELLED: the one that was not executed any more */
    uint32_t line, column; /* of that instruction; 0 for binary input */
    uint64_t instructions; /* instructions executed, counted once a group; WORK: options->work */
    bool contents_undefined; /* DEADLINE, CANCELLED: outputs, render targets and memory hold anything; what a later call
                                makes of the same input may differ */
};

/* Runs every invocation. `bindings`, `options` and `report` are optional. Errors: ARGUMENT, MEMORY, LIMIT, UNSUPPORTED
 * (texels or levels that the engine does not count; JIT: code that is missing, which options->diagnostics tells),
 * BUDGET, BARRIER, ABORTED and WORK (outputs and memory are then incomplete), DEADLINE and CANCELLED (they are
 * undefined). Each group of 32 invocations is a work group of its own to compute shaders. May be called from several
 * threads at once with different outputs and memory. Takes less than 256 KiB of the calling thread's stack, whatever
 * the shader and the engine, as every function of the library. */
SCH_API enum sch_result sch_dispatch(const struct sch_program *program, const struct sch_bindings *bindings,
                                     const struct sch_invocations *invocations,
                                     const struct sch_dispatch_options *options, struct sch_dispatch_report *report);

/* Runs a fragment program over a rectangle of pixels, without arrays of invocations: what sch_dispatch makes of the
 * same invocations, in the same order and groups, bit for bit. Killed pixels are not written. ARGUMENT also when the
 * program is no fragment program, a side or a corner is not as above, or a render target does not hold the rectangle.
 * report->invocation i is pixel i % 4 of quad i / 4, counted row by row, (width + 1) / 2 quads a row. Of several that
 * run out of budget one is reported, not always the first in that order; nor is the work done in it. Nothing depends on
 * the number of threads. */
SCH_API enum sch_result sch_dispatch_rectangle(const struct sch_program *program, const struct sch_bindings *bindings,
                                               const struct sch_rectangle *rectangle,
                                               const struct sch_dispatch_options *options,
                                               struct sch_dispatch_report *report);

/* Runs a compute grid of `grid` work groups of `block` invocations. A 0 in `grid` counts as 1, a 0 in `block` as what
 * CS_FIXED_BLOCK_* fixes, else as 1; both are optional. ARGUMENT when the program is no compute shader or `block` is
 * not what the shader fixes; LIMIT when it has more than 65536 invocations. System values are filled in. */
SCH_API enum sch_result sch_dispatch_grid(const struct sch_program *program, const struct sch_bindings *bindings,
                                          const uint32_t grid[3], const uint32_t block[3],
                                          const struct sch_dispatch_options *options,
                                          struct sch_dispatch_report *report);

#ifdef __cplusplus
}
#endif
#endif
