/* SHA-256 (FIPS 180-4): names for what must not be mistaken for anything else. Not for secrets. */
#ifndef SCH_BASE_SHA256_H
#define SCH_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SCH_SHA256_BYTES = 32, SCH_SHA256_BLOCK = 64 };

struct sch_sha256 {
    uint32_t state[8];
    uint64_t bytes; /* that came in */
    uint8_t block[SCH_SHA256_BLOCK];
};

void sch_sha256_begin(struct sch_sha256 *hash);
void sch_sha256_add(struct sch_sha256 *hash, const void *bytes, size_t size);
/* A number as four bytes, the lowest first, so that digests are the same on every machine. */
void sch_sha256_add_u32(struct sch_sha256 *hash, uint32_t number);
void sch_sha256_end(struct sch_sha256 *hash, uint8_t digest[SCH_SHA256_BYTES]);

#endif
