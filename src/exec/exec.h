/* A program prepared from a shader that was checked, and what its registers are bound to. The engine behind it is chosen
 * through struct sch_exec_engine (exec/engine.h); what runs it is src/run. The public twin is <scheelite/dispatch.h>,
 * whose documentation of data layouts holds here too. */
#ifndef SCH_EXEC_EXEC_H
#define SCH_EXEC_EXEC_H

#include "abi/texture.h"
#include "base/status.h"
#include "ir/ir.h"

struct sch_exec_program;
struct sch_exec_engine;

struct sch_exec_options {
    unsigned lanes;                       /* 4, 8, 16; 0: the processor's best */
    const struct sch_exec_engine *engine; /* NULL: the interpreter */
    void *engine_context;                 /* what engines need beside the program: struct sch_native; else NULL */
};

/* Prepares a valid shader. UNSUPPORTED: each opcode or construct that cannot run yet is reported once, by name. The
 * program keeps no pointer into the shader. */
enum sch_status sch_exec_create(const struct sch_ir_shader *shader, const struct sch_exec_options *options,
                                const struct sch_allocator *allocator, struct sch_diagnostics *diagnostics,
                                struct sch_exec_program **program);
void sch_exec_destroy(struct sch_exec_program *program);

struct sch_exec_buffer {
    const void *data;
    size_t bytes;
};

/* Memory that programs write. */
struct sch_exec_storage {
    void *data; /* aligned to 4 bytes */
    size_t bytes;
};

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
    const struct sch_exec_buffer *constants;
    uint32_t constant_count;
    const struct sch_exec_view *views;
    uint32_t view_count;
    const struct sch_exec_sampler *samplers;
    uint32_t sampler_count;
    const struct sch_exec_storage *buffers; /* BUFFER[n], and RES[n] that are buffers */
    uint32_t buffer_count;
    const struct sch_exec_storage *counters; /* HWATOMIC[n] */
    uint32_t counter_count;
    struct sch_exec_storage global_memory; /* MEMORY of kind GLOBAL */
    struct sch_exec_buffer input_memory;   /* and INPUT */
    const struct sch_exec_image *images;
    uint32_t image_count;
    const struct sch_exec_image *color_buffers;
    uint32_t color_buffer_count;
};

/* What an event is, plus its stream: as enum sch_event of <scheelite/dispatch.h>. */
enum { SCH_EVENT_VERTEX = 0, SCH_EVENT_PRIMITIVE_END = 256 };

/* As struct sch_invocations of <scheelite/dispatch.h>. */
struct sch_exec_invocations {
    uint32_t count;
    bool quads;
    const uint32_t *inputs;
    uint32_t input_registers, input_vertices;
    const uint32_t *system_values;
    uint32_t system_value_registers;
    const uint8_t *helpers;
    uint32_t *outputs;
    uint32_t output_registers;
    uint8_t *killed;
    const uint8_t *system_value_given;
    const uint32_t *planes;
    uint32_t plane_registers;
    const uint32_t *centroids;
    uint32_t samples;
    uint32_t event_capacity, event_registers;
    uint32_t *events, *event_counts, *event_outputs;
    const uint32_t *pixels;
    uint32_t *texels_read;
    float *greatest_lods;
};

/* As struct sch_plane, sch_rectangle_register, sch_render_target and sch_rectangle of <scheelite/dispatch.h>. */
struct sch_exec_plane {
    float value[3], divisor[3];
};
struct sch_exec_rectangle_register {
    bool system_value;
    uint32_t index, planar;
    uint32_t words[4];
    struct sch_exec_plane planes[4];
};
enum sch_exec_render_target_format { SCH_EXEC_RENDER_TARGET_UNORM8, SCH_EXEC_RENDER_TARGET_WORDS };
struct sch_exec_render_target {
    uint8_t *pixels;
    size_t row_bytes;
    uint32_t output;
    enum sch_exec_render_target_format format;
};
struct sch_exec_rectangle {
    uint32_t x, y, width, height; /* x, y even; all at most SCH_RECTANGLE_SIDE */
    const struct sch_exec_rectangle_register *registers;
    uint32_t register_count;
    const struct sch_exec_render_target *render_targets;
    uint32_t render_target_count;
};
enum { SCH_RECTANGLE_SIDE = 32768 };

#endif
