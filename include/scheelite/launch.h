/* Launching kernels of Maxwell code. A kernel runs as the grid of a compute program (dispatch.h). sch_launch_kernel
 * adds what its code expects besides: the words of the constant bank c[0x0], an address for each memory, the contents
 * of the cubin's other banks, and the sizes of shared and local memory.
 *
 * Example, with a context:
 *
 *     const char text[] = ".arch sm_50\nS2R R0, SR_TID.X ;\n" // the file of a cubin is read in the same way
 *                         "ISCADD R2.CC, R0, c[0x0][0x140], 0x2 ;\nIADD.X R3, RZ, c[0x0][0x144] ;\nLDG.E R4, [R2] ;\n"
 *                         "FMUL R4, R4, c[0x0][0x148] ;\nSTG.E [R2], R4 ;\nEXIT ;\n";
 *     float x[32] = {1, 2}, a = 3;
 *     const struct sch_launch_argument arguments[] = {{.memory = x, .bytes = sizeof x},
 *                                                     {.value = &a, .bytes = sizeof a}};
 *     const struct sch_launch launch = {
 *         .size = sizeof launch, .block = {32}, .arguments = arguments, .argument_count = 2};
 *     struct sch_shader *shader;
 *     struct sch_program *program;
 *     if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) return 1;
 *     if (sch_program_create(context, shader, NULL, NULL, &program) != SCH_OK) return 1;
 *     if (sch_launch_kernel(program, shader, &launch, NULL, NULL) != SCH_OK) return 1;
 *     printf("%g %g\n", (double)x[0], (double)x[1]); // prints 3 6
 *     sch_program_destroy(program);
 *     sch_shader_destroy(shader);
 */
#ifndef SCHEELITE_LAUNCH_H
#define SCHEELITE_LAUNCH_H

#include "dispatch.h"
#include "maxwell.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An argument of a kernel. With `memory` it is the address of that memory, of 64 bits; otherwise the bytes of `value`.
 * Closed: no other member will come. */
struct sch_launch_argument {
    void *memory; /* of the caller, where words are; read and written while the call runs */
    const void *value;
    size_t bytes; /* of the memory, or of the value */
    /* Where kernels see the memory. 0: the library chooses; no memory directly follows another, and the address is a
     * multiple of 256 if `memory` is aligned to 8 bytes, which accesses of 8 and 16 bytes need. */
    uint64_t address;
    uint32_t offset; /* in c[0x0], from 0x140; 0: that of the kernel's parameter of the argument's place in the list */
    bool read_only;  /* stores to the memory are errors */
    bool hidden;     /* memory that code reaches otherwise: no parameter, with an address */
};

/* What is launched (sch_launch_kernel). */
struct sch_launch {
    size_t size;
    uint32_t grid[3], block[3]; /* work groups, and lanes of each; 0 counts as 1 */
    const struct sch_launch_argument *arguments;
    uint32_t argument_count; /* at most SCH_LAUNCH_ARGUMENTS */
    uint32_t shared_bytes;   /* of a work group, beside those that the kernel declares */
    uint32_t local_bytes;    /* of a lane; 0: what the cubin says that it needs, at least 16384 */
    /* Optional. Pools, memory of textures and other ranges are used from its `maxwell`; of `constants`, entries from 1
     * on that are not NULL take the place of the cubin's banks. */
    const struct sch_bindings *bindings;
};
enum {
    SCH_LAUNCH_ARGUMENTS = 1024,
    SCH_LAUNCH_LANES = 1024,               /* in a block, at most */
    SCH_LAUNCH_PARAMETERS = 0x140,         /* where parameters begin in c[0x0] */
    SCH_LAUNCH_SHARED_WINDOW = 0x01000000, /* generic addresses of shared memory begin there, */
    SCH_LAUNCH_LOCAL_WINDOW = 0x03000000   /* those of local memory there */
};

/* Runs a kernel. `program` was made of `kernel`, which is Maxwell code of one section. Parameters have the places that
 * the cubin says; in code without that they follow each other as in a struct of C. `options` and `report` are as for
 * sch_dispatch_grid, and so are the results; ARGUMENT also for blocks of more than SCH_LAUNCH_LANES lanes, and for
 * arguments that do not fit the parameters, or are fewer where no one has an offset. Thread-safe as
 * sch_dispatch_grid. */
SCH_API enum sch_result sch_launch_kernel(const struct sch_program *program, const struct sch_shader *kernel,
                                          const struct sch_launch *launch, const struct sch_dispatch_options *options,
                                          struct sch_dispatch_report *report);

#ifdef __cplusplus
}
#endif
#endif
