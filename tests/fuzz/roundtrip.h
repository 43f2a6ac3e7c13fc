/* What must hold for any input of the TGSI readers, whatever its bytes: used by the fuzz targets, by the replay of
 * their corpus and by the robustness tests. */
#ifndef SCH_TESTS_ROUNDTRIP_H
#define SCH_TESTS_ROUNDTRIP_H

#include <stdbool.h>
#include <stddef.h>

/* Reads `bytes` of text. If it is accepted: printing and reading gives the same print, so do tokens and the container,
 * and encoding is stable. NULL when all holds (also when the text is refused with at least one report), else what did
 * not. `*accepted` (optional) says which. */
const char *sch_roundtrip_text(const void *data, size_t bytes, bool *accepted);

/* The same for a container, or for words in host order when it has no magic: what is accepted encodes to the same
 * words. */
const char *sch_roundtrip_tokens(const void *data, size_t bytes, bool *accepted);

#endif
