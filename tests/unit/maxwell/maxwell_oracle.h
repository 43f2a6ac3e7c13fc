/* A small disassembler of Maxwell's texture instructions, independent of src/maxwell: an oracle. */
#ifndef SCH_TESTS_MAXWELL_ORACLE_H
#define SCH_TESTS_MAXWELL_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The text of the word as nvdisasm prints it; false when it is no texture instruction. `phase`: 0..3. */
bool oracle_disassemble(uint64_t word, bool sm50, unsigned phase, char *text, size_t bytes);

/* Which bits of the word the text depends on. */
uint64_t oracle_bits(uint64_t word, bool sm50);

#endif
