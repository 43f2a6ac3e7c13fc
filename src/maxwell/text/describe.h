/* The rows of src/isa/maxwell.def in words: what `scheelite list maxwell` and `scheelite explain` print. */
#ifndef SCH_MAXWELL_TEXT_DESCRIBE_H
#define SCH_MAXWELL_TEXT_DESCRIBE_H

#include <scheelite/types.h>

/* Fact `index` from 0, operation by operation; false past the last. */
bool sch_maxwell_describe(size_t index, struct sch_maxwell_info *fact);

#endif
