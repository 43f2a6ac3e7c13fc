/* Accesses to memory, after their places are known: for instructions with addresses and those of surfaces. Nothing is
 * read or written before all lanes' places are found. */
#ifndef SCH_MAXWELL_RUN_REACH_H
#define SCH_MAXWELL_RUN_REACH_H

#include "maxwell/run/thread.h"

enum sch_maxwell_space { SCH_MAXWELL_GENERIC, SCH_MAXWELL_GLOBAL, SCH_MAXWELL_LOCAL, SCH_MAXWELL_SHARED };

struct sch_maxwell_reach {
    struct sch_exec_machine *machine;
    const struct sch_prepared_instruction *in;
    enum sch_maxwell_space space;
    unsigned bytes; /* of a lane */
    bool writes;
    bool quiet; /* what cannot be reached has no place, and nothing fails */
    uint64_t address[SCH_GROUP_LANES];
    uint8_t *place[SCH_GROUP_LANES];     /* NULL: reads 0, and is not written */
    uint8_t lane_bytes[SCH_GROUP_LANES]; /* of texels, whose formats may differ; 0: `bytes` */
};

/* The places of lanes' addresses; false: one has failed. */
bool sch_maxwell_reach_lanes(struct sch_maxwell_reach *access, uint32_t lanes);
void sch_maxwell_find_addresses(struct sch_maxwell_reach *access, const struct sch_maxwell_step *step);

/* The memory that an address leads to, which is not GENERIC, and the place in it. */
enum sch_maxwell_space sch_maxwell_space_of(const struct sch_maxwell_reach *access, uint64_t address, uint64_t *at);
/* The range that holds an address; -1: none. */
int64_t sch_maxwell_find_range(const struct sch_maxwell_run *run, uint64_t address);

/* The places of a surface instruction, of which `machine`, `in`, `bytes`, `writes` and `quiet` are set; the lanes that
 * execute it, 0: none, or one has failed. */
uint32_t sch_maxwell_reach_surface(struct sch_maxwell_reach *access);

/* Copies what is at a place, or to it, word by word where other threads access it, too. */
void sch_maxwell_copy_from(const uint8_t *place, void *to, unsigned bytes, bool concurrent);
void sch_maxwell_copy_to(uint8_t *place, const void *from, unsigned bytes, bool concurrent);

/* Bytes by table SZ. */
unsigned sch_maxwell_bytes_of(unsigned size);

void sch_maxwell_load_reached(const struct sch_maxwell_reach *access, const struct sch_maxwell_step *step,
                              uint32_t lanes);
void sch_maxwell_store_reached(const struct sch_maxwell_reach *access, const struct sch_maxwell_source *source,
                               uint32_t lanes);
/* The operands are sources from `first` on. `number`: enum sch_maxwell_number. */
void sch_maxwell_update_reached(const struct sch_maxwell_reach *access, const struct sch_maxwell_step *step,
                                unsigned first, unsigned number, uint32_t lanes);

#endif
