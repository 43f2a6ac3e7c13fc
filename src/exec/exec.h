/* A program prepared from a shader that was checked, and what its registers are bound to. Its engine is
 * a struct sch_exec_engine (exec/engine.h); src/run runs it. */
#ifndef SCH_EXEC_EXEC_H
#define SCH_EXEC_EXEC_H

#include <scheelite/dispatch.h>

#include "abi/texture.h"
#include "ir/ir.h"

struct sch_exec_program;
struct sch_exec_engine;

struct sch_exec_options {
    unsigned lanes;                       /* 4, 8, 16; 0: the processor's best */
    const struct sch_exec_engine *engine; /* NULL: the interpreter */
    /* What engines need beside the program: struct sch_native; struct sch_maxwell_code, for the lookups or as the
     * program; else NULL. */
    void *engine_context;
};

/* Prepares a valid shader. UNSUPPORTED: each opcode or construct that cannot run yet is reported once, by name. The
 * program keeps no pointer into the shader. */
enum sch_result sch_exec_create(const struct sch_ir_shader *shader, const struct sch_exec_options *options,
                                const struct sch_allocator *allocator, struct sch_diagnostics *diagnostics,
                                struct sch_exec_program **program);
void sch_exec_destroy(struct sch_exec_program *program);

/* What SAMP[n] and SVIEW[n] are bound to. `texture` NULL: unbound, lookups give 0. */
struct sch_exec_view {
    const struct sch_texture *texture;
    uint16_t format;
    uint8_t target;
    uint8_t swizzle[4];
};
/* IMAGE[n] and colour buffers: one level. `texture` NULL: unbound. */
struct sch_exec_image {
    const struct sch_texture *texture;
    uint16_t format;
    uint8_t target;
    uint8_t rules;
    bool writable;
};
struct sch_exec_sampler {
    struct sch_sampler_key key; /* the sampler's part; the view's part is filled in when both are known. `compare` is
                                   the function, for lookups that compare; of others it becomes 0 */
    struct sch_sampler_values values;
    bool missing; /* none is bound: lookups that need one give 0 */
};

struct sch_exec_bindings {
    const struct sch_constant_buffer *constants;
    uint32_t constant_count;
    const struct sch_exec_view *views;
    uint32_t view_count;
    const struct sch_exec_sampler *samplers;
    uint32_t sampler_count;
    const struct sch_storage_buffer *buffers; /* BUFFER[n], and RES[n] that are buffers */
    uint32_t buffer_count;
    const struct sch_storage_buffer *counters; /* HWATOMIC[n] */
    uint32_t counter_count;
    struct sch_storage_buffer global_memory; /* MEMORY of kind GLOBAL */
    struct sch_constant_buffer input_memory; /* and INPUT */
    const struct sch_exec_image *images;
    uint32_t image_count;
    const struct sch_exec_image *color_buffers;
    uint32_t color_buffer_count;
    const struct sch_maxwell_bindings *maxwell; /* NULL: none */
};

#endif
