/* Under which key code is kept: a digest of everything that decides what the code is. Whoever makes an object computes
 * its key, so that no code is kept under the key of other code. The compiler's own version is not part of a key,
 * as a hit must not load the compiler; it is written into the build's number, with all sources. Nor is the processor:
 * code uses what its level has, and no more. Thread-safe. */
#ifndef SCH_PROTOCOL_KEY_H
#define SCH_PROTOCOL_KEY_H

#include "base/sha256.h"
#include "protocol/compiler.h"

/* `digest` is the shader's (ir/digest.h); of the request everything else counts but its program. */
void sch_native_program_key(const struct sch_native_program_request *request, const uint8_t digest[SCH_SHA256_BYTES],
                            uint8_t key[SCH_SHA256_BYTES]);

/* The key of the sign that there is code for spans of a shader. */
void sch_native_sign_key(const char *level, const uint8_t digest[SCH_SHA256_BYTES], uint8_t key[SCH_SHA256_BYTES]);

void sch_native_lookup_key(const struct sch_native_lookup_form *form, const char *level, uint8_t key[SCH_SHA256_BYTES]);

#endif
