/* What a shader uses its registers for, read from its printed text by string functions alone, one register at a time:
 * the reference of sch_shader_register_uses. */
#ifndef TESTS_USES_REFERENCE_H
#define TESTS_USES_REFERENCE_H

#include <scheelite/scheelite.h>

struct uses_reference;

/* Of a text that sch_shader_print wrote. The test fails when memory is out. */
struct uses_reference *uses_reference_read(const char *text);
void uses_reference_release(struct uses_reference *reference);

/* Whether a register is declared, is read, and what its components are. */
bool uses_reference_of(struct uses_reference *reference, enum sch_file file, unsigned buffer, uint32_t index,
                       bool *is_read, enum sch_value_type types[4]);

/* How many registers are declared, each once. */
size_t uses_reference_declared(const struct uses_reference *reference);

#endif
