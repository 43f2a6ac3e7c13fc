/* See relocation.h. One row for each type: "System V Application Binary Interface, AMD64 Architecture Processor
 * Supplement", table 4.10, and "ELF for the Arm 64-bit Architecture (AArch64)", 5.7. Compilers in the medium of this
 * library make position-independent code of the small code model. */
#include "native/relocation.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What is computed of S, the symbol's address, A, the addend, and P, the place's. */
enum value {
    SUM,      /* S + A */
    DISTANCE, /* S + A - P */
    PAGES     /* the distance of their pages of 4 KiB */
};

/* How many bits of the value there must be room for. */
enum range { ANY, SIGNED, UNSIGNED };

/* Bits of a place: a mask in the order of the value's bits. Instructions of ARM are words of 32 bits. */
enum field {
    LONG_WORD, /* 64 bits */
    WORD,      /* 32 bits */
    IMM26,     /* 25:0, of branches and calls */
    IMM19,     /* 23:5, of conditional branches and literals */
    IMM14,     /* 18:5, of branches on a bit */
    IMM12,     /* 21:10, of additions, loads and stores */
    IMM_ADR    /* 30:29, then 23:5, of ADR and ADRP */
};

static const struct relocation {
    uint16_t machine, type;
    uint8_t value, range, bits; /* `bits` of the value, before those that are left out; of ANY the others are lost */
    uint8_t dropped;            /* low bits that are left out; they are 0 */
    uint8_t field;
} relocations[] = {
    {EM_X86_64, R_X86_64_64, SUM, ANY, 64, 0, LONG_WORD},
    {EM_X86_64, R_X86_64_PC64, DISTANCE, ANY, 64, 0, LONG_WORD},
    {EM_X86_64, R_X86_64_PC32, DISTANCE, SIGNED, 32, 0, WORD},
    {EM_X86_64, R_X86_64_PLT32, DISTANCE, SIGNED, 32, 0, WORD},
    {EM_X86_64, R_X86_64_32S, SUM, SIGNED, 32, 0, WORD},
    {EM_X86_64, R_X86_64_32, SUM, UNSIGNED, 32, 0, WORD},
    {EM_AARCH64, R_AARCH64_ABS64, SUM, ANY, 64, 0, LONG_WORD},
    {EM_AARCH64, R_AARCH64_PREL64, DISTANCE, ANY, 64, 0, LONG_WORD},
    {EM_AARCH64, R_AARCH64_PREL32, DISTANCE, SIGNED, 32, 0, WORD},
    {EM_AARCH64, R_AARCH64_CALL26, DISTANCE, SIGNED, 28, 2, IMM26},
    {EM_AARCH64, R_AARCH64_JUMP26, DISTANCE, SIGNED, 28, 2, IMM26},
    {EM_AARCH64, R_AARCH64_CONDBR19, DISTANCE, SIGNED, 21, 2, IMM19},
    {EM_AARCH64, R_AARCH64_TSTBR14, DISTANCE, SIGNED, 16, 2, IMM14},
    {EM_AARCH64, R_AARCH64_LD_PREL_LO19, DISTANCE, SIGNED, 21, 2, IMM19},
    {EM_AARCH64, R_AARCH64_ADR_PREL_LO21, DISTANCE, SIGNED, 21, 0, IMM_ADR},
    {EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, PAGES, SIGNED, 33, 12, IMM_ADR},
    {EM_AARCH64, R_AARCH64_ADD_ABS_LO12_NC, SUM, ANY, 12, 0, IMM12},
    {EM_AARCH64, R_AARCH64_LDST8_ABS_LO12_NC, SUM, ANY, 12, 0, IMM12},
    {EM_AARCH64, R_AARCH64_LDST16_ABS_LO12_NC, SUM, ANY, 12, 1, IMM12},
    {EM_AARCH64, R_AARCH64_LDST32_ABS_LO12_NC, SUM, ANY, 12, 2, IMM12},
    {EM_AARCH64, R_AARCH64_LDST64_ABS_LO12_NC, SUM, ANY, 12, 3, IMM12},
    {EM_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, SUM, ANY, 12, 4, IMM12},
};

uint32_t sch_native_address_type(uint16_t machine) { return machine == EM_AARCH64 ? R_AARCH64_ABS64 : R_X86_64_64; }

static const struct relocation *find(uint16_t machine, uint32_t type)
{
    for (size_t i = 0; i < sizeof relocations / sizeof *relocations; i++)
        if (relocations[i].machine == machine && relocations[i].type == type) return &relocations[i];
    return NULL;
}

static bool fits(const struct relocation *how, uint64_t value)
{
    const uint64_t half = UINT64_C(1) << (how->bits - 1);
    if (how->range == ANY) return true;
    return how->range == SIGNED ? value + half < 2 * half : value < 2 * half;
}

/* Puts `bits` of a value into an instruction, or a word, from bit `at` on. */
static void put_bits(uint32_t *word, uint64_t value, unsigned bits, unsigned at)
{
    const uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1) << at;
    *word = (*word & ~mask) | ((uint32_t)value << at & mask);
}

static uint32_t put_field(uint32_t word, enum field field, uint64_t value)
{
    switch (field) {
    case IMM26:
        put_bits(&word, value, 26, 0);
        break;
    case IMM19:
        put_bits(&word, value, 19, 5);
        break;
    case IMM14:
        put_bits(&word, value, 14, 5);
        break;
    case IMM12:
        put_bits(&word, value, 12, 10);
        break;
    case IMM_ADR:
        put_bits(&word, value, 2, 29);
        put_bits(&word, value >> 2, 19, 5);
        break;
    case WORD:
    case LONG_WORD:
        word = (uint32_t)value;
        break;
    }
    return word;
}

enum sch_result sch_native_relocate(uint16_t machine, uint32_t type, uint64_t symbol, uint64_t addend,
                                    const struct sch_native_place *place)
{
    const struct relocation *how = find(machine, type);
    if (!how) return SCH_ERROR_UNSUPPORTED;
    const uint64_t page = ~UINT64_C(4095), to = symbol + addend;
    uint64_t value = how->value == SUM        ? to
                     : how->value == DISTANCE ? to - place->address
                                              : (to & page) - (place->address & page);
    const size_t bytes = how->field == LONG_WORD ? 8 : 4;
    if (place->left < bytes) return SCH_ERROR_INVALID;
    if (!fits(how, value)) return SCH_ERROR_UNSUPPORTED;
    if (value & ((UINT64_C(1) << how->dropped) - 1)) return SCH_ERROR_INVALID;
    /* Low bytes first, as the processors have them. */
    if (bytes == sizeof value) {
        memcpy(place->bytes, &value, sizeof value);
        return SCH_OK;
    }
    uint32_t word;
    if (how->range == ANY) value &= (UINT64_C(1) << how->bits) - 1;
    memcpy(&word, place->bytes, sizeof word);
    word = put_field(word, (enum field)how->field, value >> how->dropped);
    memcpy(place->bytes, &word, sizeof word);
    return SCH_OK;
}
