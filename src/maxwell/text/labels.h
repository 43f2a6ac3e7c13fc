/* Labels of a section's text: where they are, and the instructions that name them. Names are found once the section
 * ends, so that branches may lead forward. */
#ifndef SCH_MAXWELL_TEXT_LABELS_H
#define SCH_MAXWELL_TEXT_LABELS_H

#include "maxwell/text/code.h"

struct sch_maxwell_label_entry {
    const char *name;
    size_t bytes;
    uint32_t address;
};

struct sch_maxwell_label_use {
    struct sch_maxwell_label label; /* its name is a copy */
    size_t item;
    struct sch_position position;
};

/* All in the arena that it is made with. */
struct sch_maxwell_labels {
    struct sch_arena *arena;
    struct sch_maxwell_label_entry *entries;
    size_t count, capacity;
    uint32_t *table; /* of twice as many places at least: a number + 1 */
    size_t places;
    struct sch_maxwell_label_use *uses;
    size_t use_count, use_capacity;
};

/* The bytes of a label before the rest of a statement, its colon included; 0: there is none. A name is letters, digits,
 * `.`, `_`, `$` and `@`, and does not begin with a digit; after the colon comes a blank or the end. */
size_t sch_maxwell_label_before(const char *text, size_t bytes);

/* Adds a label. INVALID: there is one of this name; MEMORY. */
enum sch_result sch_maxwell_labels_add(struct sch_maxwell_labels *labels, const char *name, size_t bytes,
                                       uint32_t address);

/* Remembers that an instruction names a label; false: no memory. */
bool sch_maxwell_labels_use(struct sch_maxwell_labels *labels, const struct sch_maxwell_label *label, size_t item,
                            struct sch_position position);

/* Puts the addresses into the words of the section, reports names that are missing and targets that are too far away,
 * and forgets all of it. How many reports there were. */
unsigned sch_maxwell_labels_resolve(struct sch_maxwell_labels *labels, struct sch_maxwell_section *section,
                                    struct sch_diagnostics *diagnostics);

#endif
