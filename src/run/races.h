/* Which accesses of a grid race: a record of who touched each word last, in the place where it is, so that registers
 * that are bound to one memory are one. Knows no order (run/checks.c) and reports nothing. */
#ifndef SCH_RUN_RACES_H
#define SCH_RUN_RACES_H

#include "base/arena.h"
#include "exec/places.h"

/* An access to a word, by one thread. */
struct sch_run_stamp {
    uint64_t time;        /* instructions of its group before it */
    uint32_t unit, clock; /* the work group; its group's count of barriers */
    uint32_t instruction;
    uint16_t thread; /* of the work group */
    uint8_t bytes;   /* bits: of the word; 0: there is no access */
    uint8_t touch;   /* enum sch_exec_touch */
};

enum { SCH_RUN_READERS = 2 };
struct sch_run_word {
    struct sch_run_stamp write, update, read[SCH_RUN_READERS]; /* the last ones; of reads two that differ most */
};

enum { SCH_RUN_PAGE_WORDS = 32, SCH_RUN_WORD_BYTES = 4 };
struct sch_run_page {
    uintptr_t number;
    struct sch_run_word words[SCH_RUN_PAGE_WORDS];
};

struct sch_run_races {
    struct sch_arena arena;
    struct sch_run_page **pages; /* by their numbers, hashed; a power of two */
    size_t capacity, count;
    struct sch_run_page *last;
    bool full; /* words were left out */
};

void sch_run_races_init(struct sch_run_races *races, const struct sch_allocator *allocator, size_t limit);
void sch_run_races_release(struct sch_run_races *races);

/* The record of the word that is at an address; NULL: there is no memory for it. */
struct sch_run_word *sch_run_races_word(struct sch_run_races *races, uintptr_t address);
/* Takes an access into it. */
void sch_run_races_note(struct sch_run_word *word, const struct sch_run_stamp *stamp);

#endif
