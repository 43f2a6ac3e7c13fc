/* What the executor's files share: the machine, its scratch, and where headers and samplers come from. */
#ifndef SCH_MAXWELL_RUN_MACHINE_H
#define SCH_MAXWELL_RUN_MACHINE_H

#include "maxwell/run/warp.h"

/* A handle is sampler[31:20], header[19:0]; by header binding the header's index is the sampler's too. */
enum { SCH_MAXWELL_INDICES = 1 << 20, SCH_MAXWELL_PAGE = 256 };

/* Entries that were read, and the caller's in their place. */
struct sch_maxwell_page {
    const void *bound[SCH_MAXWELL_PAGE];
    void *read[SCH_MAXWELL_PAGE];
};

struct sch_maxwell_cache {
    struct sch_maxwell_page *pages[SCH_MAXWELL_INDICES / SCH_MAXWELL_PAGE];
};

/* Values that instructions need for themselves. */
struct sch_maxwell_scratch {
    struct sch_lanes zero;                 /* RZ */
    struct sch_lanes layer, offset[4][3];  /* unpacked operands */
    struct sch_lanes limit[2];             /* constants, clamped levels */
    struct sch_lanes nearest[3];           /* coordinates of loads in their level */
    struct sch_lanes mask, part[4];        /* of one lookup */
    struct sch_lanes result[4], packed[4]; /* R, G, B, A; halves */
    struct sch_few_texel_tiles tiles;      /* of one lookup */
};

struct sch_maxwell_machine {
    struct sch_maxwell_scratch scratch;
    struct sch_maxwell_machine_options options;
    struct sch_arena arena;
    const struct sch_ops *ops;
    size_t texel_bytes;                  /* kept */
    struct sch_maxwell_told *told;       /* NULL: no one asks */
    struct sch_maxwell_sharing *sharing; /* NULL: it reads headers and samplers itself */
    struct sch_maxwell_cache textures, samplers;
};

/* What a handle names. `texture` NULL: invalid, everything is 0; `sampler` NULL where none is needed. */
struct sch_maxwell_bound {
    const struct sch_maxwell_texture *texture;
    const struct sch_maxwell_sampler *sampler;
};

/* The indices of a handle. */
uint32_t sch_maxwell_header_of(uint32_t handle);
uint32_t sch_maxwell_sampler_of(const struct sch_maxwell_machine *machine, uint32_t handle);

/* Whether a handle's indices are within the pools. */
bool sch_maxwell_is_valid(const struct sch_maxwell_machine *machine, uint32_t handle);

/* The texture, and with `needs_sampler` the sampler, of a handle. An index beyond a pool gives no texture. */
enum sch_result sch_maxwell_find(struct sch_maxwell_machine *machine, uint32_t handle, bool needs_sampler,
                                 struct sch_position position, struct sch_diagnostics *diagnostics,
                                 struct sch_maxwell_bound *bound);

/* Results of TXQ (maxwell/run/query.c). `operand`: the level or sample; may be NULL where the query takes none. */
bool sch_maxwell_query_is_known(unsigned query);
void sch_maxwell_query(const struct sch_maxwell_texture *texture, unsigned query, const struct sch_lanes *operand,
                       struct sch_lanes *const result[4]);

#endif
