/* What an instruction reads and writes: registers, predicates and flags, by the templates of src/isa/maxwell_forms.def
 * and the packing of texture instructions. Holds no policy. */
#ifndef SCH_MAXWELL_TEXT_EFFECTS_H
#define SCH_MAXWELL_TEXT_EFFECTS_H

#include "maxwell/text/code.h"
#include "maxwell/text/general.h"

/* A set of places: R0 to R254 by their numbers, then predicates and the flags. */
enum { SCH_MAXWELL_PLACE_P0 = 256, SCH_MAXWELL_PLACE_CC = 263, SCH_MAXWELL_PLACES = 264, SCH_MAXWELL_PLACE_WORDS = 5 };
struct sch_maxwell_places {
    uint64_t words[SCH_MAXWELL_PLACE_WORDS];
};

static inline bool sch_maxwell_places_any(const struct sch_maxwell_places *a)
{
    return (a->words[0] | a->words[1] | a->words[2] | a->words[3] | a->words[4]) != 0;
}

static inline void sch_maxwell_places_add(struct sch_maxwell_places *to, const struct sch_maxwell_places *from)
{
    for (unsigned i = 0; i < SCH_MAXWELL_PLACE_WORDS; i++) to->words[i] |= from->words[i];
}

struct sch_maxwell_effects {
    struct sch_maxwell_places reads, writes;
    enum sch_maxwell_flow flow;
    bool variable; /* of variable latency: barriers say when it has read and written */
};

/* A word that is not an instruction has no effects. */
void sch_maxwell_effects_of(const struct sch_maxwell_item *item, struct sch_maxwell_effects *effects);

/* The name of a place, as text has it. */
enum { SCH_MAXWELL_PLACE_TEXT = 8 };
void sch_maxwell_place_name(unsigned place, char text[SCH_MAXWELL_PLACE_TEXT]);

#endif
