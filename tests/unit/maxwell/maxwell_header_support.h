/* What the tests of Maxwell's headers share: random words, textures, and fields set by the bit ranges of the class
 * headers, stated here again and not taken from src/isa/maxwell_headers.def. */
#ifndef MAXWELL_HEADER_SUPPORT_H
#define MAXWELL_HEADER_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/random_number.h"
#include "maxwell/header/fields.h"
#include "maxwell/header/header.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t random_state __attribute__((unused)) = 1;
__attribute__((unused)) static uint32_t random_word(void) { return (uint32_t)(random_number(&random_state) >> 32); }
__attribute__((unused)) static uint32_t below(uint32_t limit) { return random_word() % limit; }

/* Bits high to low of 256, one at a time. */
__attribute__((unused)) static void put(uint32_t words[8], unsigned high, unsigned low, uint64_t value)
{
    for (unsigned bit = low; bit <= high; bit++) {
        uint32_t mask = 1u << (bit % 32);
        words[bit / 32] = (value >> (bit - low) & 1) ? words[bit / 32] | mask : words[bit / 32] & ~mask;
    }
}

__attribute__((unused)) static uint64_t get(const uint32_t words[8], unsigned high, unsigned low)
{
    uint64_t value = 0;
    for (unsigned bit = low; bit <= high; bit++) value |= (uint64_t)(words[bit / 32] >> (bit % 32) & 1) << (bit - low);
    return value;
}

enum { BUFFER, PITCH_KEY, PITCH, BLOCK, BLOCK_KEY };                                     /* versions */
enum { ONE_D, TWO_D, THREE_D, CUBE, ONE_ARRAY, TWO_ARRAY, BUFFERS, NO_MIP, CUBE_ARRAY }; /* types */

/* A header of 8-bit UNORM texels without mip levels at `address`. */
__attribute__((unused)) static void plain_header(uint32_t words[8], unsigned version, unsigned type, uint64_t address)
{
    memset(words, 0, 32);
    put(words, 6, 0, 0x1d); /* R8 */
    for (unsigned i = 0; i < 4; i++) {
        put(words, 9 + 3 * i, 7 + 3 * i, 2);       /* UNORM */
        put(words, 21 + 3 * i, 19 + 3 * i, 2 + i); /* R, G, B, A */
    }
    put(words, 87, 85, version);
    put(words, 154, 151, type);
    put(words, 63, 32, version == BUFFER ? address : version <= PITCH ? address & ~31u : address & ~511u);
    put(words, 79, 64, address >> 32);
    if (version == BUFFER) return;
    put(words, 191, 191, 1); /* NORMALIZED_COORDS */
    put(words, 159, 157, 7); /* SAMPLER_COLOR */
}

__attribute__((unused)) static void put_size(uint32_t words[8], uint32_t width, uint32_t height, uint32_t depth)
{
    put(words, 143, 128, width - 1);
    put(words, 175, 160, height - 1);
    put(words, 189, 176, depth - 1);
}

__attribute__((unused)) static void put_levels(uint32_t words[8], uint32_t last, uint32_t first_seen,
                                               uint32_t last_seen)
{
    put(words, 127, 124, last);
    put(words, 227, 224, first_seen);
    put(words, 231, 228, last_seen);
}

__attribute__((unused)) static struct sch_maxwell_texture *make(const uint32_t words[8], const void *memory,
                                                                size_t bytes, uint64_t address)
{
    struct sch_maxwell_memory piece = {memory, address, bytes};
    struct sch_diagnostics list;
    struct sch_maxwell_texture *texture;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    enum sch_result status = sch_maxwell_texture_create(words, &piece, &sch_allocator_libc, 0, &list, &texture);
    if (status != SCH_OK) fail_msg("refused: %s", list.count ? list.items[0].message : "without a report");
    sch_diagnostics_release(&list);
    return texture;
}

__attribute__((unused)) static unsigned char *random_memory(size_t bytes)
{
    unsigned char *memory = malloc(bytes);
    assert_non_null(memory);
    for (size_t i = 0; i < bytes; i++) memory[i] = (unsigned char)random_word();
    return memory;
}

#endif
