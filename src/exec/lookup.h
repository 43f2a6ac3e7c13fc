/* Texture lookups as the interpreter and engines run them: exec/run_lookup.c. */
#ifndef SCH_EXEC_LOOKUP_H
#define SCH_EXEC_LOOKUP_H

#include "exec/machine.h"
#include "texture/texture.h"

/* Whether lookups of target `target` can read a view of target `shown` (docs/texture.md, "Resources and views"). */
static inline bool sch_exec_results(unsigned shown, unsigned target)
{
    const struct sch_target_facts *a = sch_target_facts(shown), *b = sch_target_facts(target);
    return a->family != SCH_FAMILY_NONE && a->family == b->family && a->cube == b->cube;
}

/* The register numbers that bindless handles stand for, -1 where a handle is of another kind. */
void sch_exec_handle_numbers(struct sch_exec_machine *machine, const struct sch_prepared_src *src, unsigned kind,
                             int64_t numbers[SCH_GROUP_LANES], bool *uniform);

/* The views and samplers that the lanes of a lookup name; numbers below 0 name none. */
struct sch_exec_units {
    int64_t views[SCH_GROUP_LANES], samplers[SCH_GROUP_LANES];
    bool same; /* all lanes name those of lane 0 */
};

/* exec/run_lookup.c */
sch_exec_handler sch_exec_run_bound_lookup;
/* What a lookup or query returns in all its four words, to `result` of the machine. `staged`: its operands, but not
 * handles and offsets, are in scratch: channel c of source s in scratch[s][c]. */
void sch_exec_run_lookup(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                         bool staged);

/* What a lookup or query refers to under these bindings, whose units are fixed numbers, or `number` where registers
 * name them. False: it returns zeros. */
struct sch_exec_bound_lookup {
    struct sch_sampler_key key;
    const struct sch_sampler_values *values; /* of the bindings; NULL: the lookup has no sampler */
    const struct sch_texture *texture;       /* likewise */
};
bool sch_exec_bind_lookup(const struct sch_exec_bindings *bindings, const struct sch_prepared_instruction *in,
                          int64_t number, struct sch_exec_bound_lookup *bound);
/* SIZE, SAMPLES and POSITION: what the texture of the unit says (NULL: none is bound, or one of another shape).
 * `value`: the level or the sample; NULL where the query has none. */
void sch_exec_run_query(const struct sch_exec_machine *machine, const struct sch_prepared_lookup *lookup,
                        const struct sch_texture *texture, const struct sch_lanes *value,
                        struct sch_lanes *const result[4]);
void sch_exec_name_units(struct sch_exec_machine *machine, const struct sch_prepared_instruction *in,
                         struct sch_exec_units *units);

#endif
