/* Executes Maxwell texture instructions on a group of 32 lanes, with rules = maxwell, on the one texture unit. Meaning:
 * docs/maxwell.md, "Execution". Whole programs and their files: maxwell/text/code.h. */
#ifndef SCH_MAXWELL_RUN_WARP_H
#define SCH_MAXWELL_RUN_WARP_H

#include <pthread.h>

#include "maxwell/header/header.h"
#include "maxwell/text/instruction.h"
#include "ops/ops.h"

_Static_assert((int)SCH_MAXWELL_GROUP_LANES == (int)SCH_GROUP_LANES, "a Maxwell warp is a group");

/* Whose quads have derivatives: those of pixel shaders only. */
enum sch_maxwell_shader { SCH_MAXWELL_SHADER_PIXEL, SCH_MAXWELL_SHADER_OTHER };

/* Aligned to 64 bytes. */
struct sch_maxwell_warp {
    struct sch_lanes registers[SCH_MAXWELL_GROUP_REGISTERS]; /* R0..R254 */
    uint32_t active;                                         /* a bit for each lane */
    uint32_t predicates[SCH_MAXWELL_GROUP_PREDICATES];       /* a bit for each lane */
    uint32_t killed; /* a bit for each lane; a killed lane is active as a helper */
    uint8_t shader;  /* enum sch_maxwell_shader */
};

enum sch_maxwell_half_rounding { SCH_MAXWELL_HALF_NEAREST, SCH_MAXWELL_HALF_ZERO };

/* What instructions see of the machine. The pools hold 32-byte entries; the entries that MaximumIndex permits must be
 * there. */
struct sch_maxwell_machine_options {
    const void *headers, *samplers;
    uint32_t maximum_header, maximum_sampler; /* SetTexHeaderPoolC and SetTexSamplerPoolC .MaximumIndex */
    bool no_headers, no_samplers;             /* an empty pool: every index is invalid; TXQ needs no samplers */
    bool via_header_binding;                  /* SetSamplerBinding: the header's index is the sampler's too */
    const void *constants;                    /* words, the bank of #tsPtrIdxU13 */
    uint32_t constant_words;                  /* handles beyond it are 0 */
    struct sch_maxwell_memory memory;
    uint8_t half_rounding; /* enum sch_maxwell_half_rounding */
    bool clamp_loads;      /* of coordinates outside of a level; otherwise such a texel is 0 */
    unsigned lanes;        /* of a vector: 4, 8, 16; 0: the processor's best */
    size_t memory_limit;   /* bytes of texels kept; 0: the default */
};

/* Holds the headers and samplers that were read: each is read once, when an instruction first names it. Not
 * thread-safe. The options' memory must outlive it. ARGUMENT: no such number of lanes. */
struct sch_maxwell_machine;
enum sch_result sch_maxwell_machine_create(const struct sch_maxwell_machine_options *options,
                                           const struct sch_allocator *allocator, struct sch_maxwell_machine **machine);
void sch_maxwell_machine_destroy(struct sch_maxwell_machine *machine); /* takes NULL */

/* A machine that finds headers and samplers in another one, which reads them, and has the same options. Their users may
 * be in several threads: each finds them under the lock. */
struct sch_maxwell_sharing {
    pthread_mutex_t lock;
    struct sch_maxwell_machine *owner;
};
enum sch_result sch_maxwell_machine_share(struct sch_maxwell_sharing *sharing, const struct sch_allocator *allocator,
                                          struct sch_maxwell_machine **machine);

/* The caller's own texture or sampler in the place of the one that the pool holds at an index; NULL: the pool's again.
 * Not copied. The bounds of the pools hold as they are. ARGUMENT: an index beyond what handles can name. */
enum sch_result sch_maxwell_bind_texture(struct sch_maxwell_machine *machine, uint32_t index,
                                         const struct sch_maxwell_texture *texture);
enum sch_result sch_maxwell_bind_sampler(struct sch_maxwell_machine *machine, uint32_t index,
                                         const struct sch_maxwell_sampler *sampler);

/* Executes one instruction for the active lanes whose guard holds. UNSUPPORTED, INVALID, LIMIT: an operation, query or
 * header that cannot be executed, reported at `position`; nothing is written then. */
enum sch_result sch_maxwell_execute(struct sch_maxwell_machine *machine,
                                    const struct sch_maxwell_instruction *instruction, struct sch_maxwell_warp *warp,
                                    struct sch_position position, struct sch_diagnostics *diagnostics);

/* Whether the instruction can be executed at all, whatever it finds; UNSUPPORTED, reported at `position`. */
enum sch_result sch_maxwell_can_execute(const struct sch_maxwell_instruction *instruction, struct sch_position position,
                                        struct sch_diagnostics *diagnostics);

/* The lanes that would execute it: active ones whose guard holds. */
uint32_t sch_maxwell_executing(const struct sch_maxwell_instruction *instruction, const struct sch_maxwell_warp *warp);

/* What lookups record of themselves. */
struct sch_maxwell_told {
    struct sch_texture_trace trace;              /* its texels are the caller's */
    uint32_t samples[SCH_MAXWELL_GROUP_LANES];   /* of each lane's texture */
    uint32_t result[4][SCH_MAXWELL_GROUP_LANES]; /* as the texture unit returns it */
    uint32_t floats;                             /* lanes whose results are floats */
};

/* The same as sch_maxwell_execute, told: `told` is empty before. */
enum sch_result sch_maxwell_execute_told(struct sch_maxwell_machine *machine,
                                         const struct sch_maxwell_instruction *instruction,
                                         struct sch_maxwell_warp *warp, struct sch_position position,
                                         struct sch_diagnostics *diagnostics, struct sch_maxwell_told *told);

#endif
