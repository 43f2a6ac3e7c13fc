/* Pools of texture headers and samplers as text, both ways. Syntax: docs/maxwell.md, "Headers and samplers"; the fields
 * are rows of src/isa/maxwell_headers.def. Holds no meaning of a field. */
#ifndef SCH_MAXWELL_HEADER_TEXT_H
#define SCH_MAXWELL_HEADER_TEXT_H

#include <scheelite/types.h>

#include "base/diagnostics.h"
#include "base/limits.h"

enum { SCH_MAXWELL_POOL_ENTRIES = 1 << 20, SCH_MAXWELL_ENTRY_WORDS = 8, SCH_MAXWELL_ENTRY_BYTES = 32 };

/* Entries of one kind, 32 bytes each as hardware has them; those between that no block gives are zero. */
struct sch_maxwell_entries {
    uint8_t (*bytes)[SCH_MAXWELL_ENTRY_BYTES];
    uint32_t count;
};

/* What a text says. The memory is the arena's. */
struct sch_maxwell_pools {
    struct sch_maxwell_entries headers, samplers;
};

/* INVALID, LIMIT or MEMORY, reported with line and column. */
enum sch_result sch_maxwell_headers_parse(struct sch_arena *arena, const struct sch_limits *limits, const char *text,
                                          size_t bytes, struct sch_diagnostics *diagnostics,
                                          struct sch_maxwell_pools *pools);

/* Text of `count` entries, zero-terminated, from the allocator; every field, and reserved bits that are not zero.
 * LIMIT: more than `limit` bytes (0: none). */
enum sch_result sch_maxwell_headers_print(const struct sch_allocator *allocator, size_t limit, const void *entries,
                                          uint32_t count, bool samplers, char **text, size_t *bytes);

/* The value of a field's bits as the text has it: a word, or a number. `id`: enum sch_header_field_id. */
enum { SCH_MAXWELL_VALUE_TEXT = 64 };
void sch_maxwell_header_value(unsigned id, uint64_t bits, char text[SCH_MAXWELL_VALUE_TEXT]);

/* Whether bytes are a text: characters, white space and UTF-8 only. Pools have zero bytes in practice. */
bool sch_maxwell_headers_is_text(const void *data, size_t bytes);

#endif
