/* What a shader says as one number: equal for shaders that mean the same word by word, different for all others. Places
 * in the source and how numbers were written there do not count. */
#ifndef SCH_IR_DIGEST_H
#define SCH_IR_DIGEST_H

#include "base/sha256.h"
#include "ir/ir.h"

void sch_ir_digest(const struct sch_ir_shader *shader, uint8_t digest[SCH_SHA256_BYTES]);

#endif
