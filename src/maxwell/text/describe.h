/* The rows of src/isa/maxwell.def and src/isa/maxwell_forms.def in words: what `scheelite list maxwell` and `scheelite
 * explain` print. */
#ifndef SCH_MAXWELL_TEXT_DESCRIBE_H
#define SCH_MAXWELL_TEXT_DESCRIBE_H

#include <scheelite/types.h>

/* Fact `index` from 0, operation by operation, texture operations first; false past the last. Those of one operation or
 * form, as TEX or TEX.B; NULL: of all. */
bool sch_maxwell_describe(const char *name, size_t index, struct sch_maxwell_info *fact);

/* The same of the operations other than texture operations. */
bool sch_maxwell_code_describe(const char *name, size_t index, struct sch_maxwell_info *fact);

#endif
