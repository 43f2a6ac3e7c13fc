/* Finds fault with Maxwell words, or with a text of one Maxwell instruction; NULL: all is well. */
#ifndef SCH_TESTS_MAXWELL_ROUNDTRIP_H
#define SCH_TESTS_MAXWELL_ROUNDTRIP_H

#include <stddef.h>
#include <stdint.h>

const char *sch_maxwell_fuzz_words(const uint8_t *data, size_t bytes);
const char *sch_maxwell_fuzz_text(const uint8_t *data, size_t bytes);

#endif
