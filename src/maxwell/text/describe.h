/* The rows of src/isa/maxwell.def in words: what `scheelite list maxwell` and `scheelite explain` print. */
#ifndef SCH_MAXWELL_TEXT_DESCRIBE_H
#define SCH_MAXWELL_TEXT_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

struct sch_maxwell_fact {
    const char *operation; /* TMML, ... */
    const char *kind;      /* operation, syntax, word, field, encoding, mask, operand or restriction */
    char form[8];          /* TMML.B: of this form only; else the operation */
    char name[32], bits[8], text[256];
};

/* Fact `index` from 0, operation by operation; false past the last. */
bool sch_maxwell_describe(size_t index, struct sch_maxwell_fact *fact);

#endif
