/* Relocations of machine code, of each processor that it is made for. */
#ifndef SCH_NATIVE_RELOCATION_H
#define SCH_NATIVE_RELOCATION_H

#include <elf.h>
#include <stdint.h>

#include <scheelite/types.h>

/* The processor that this library runs on, as ELF calls it. EM_NONE: no machine code is made for it. */
#if defined(__x86_64__)
#define SCH_NATIVE_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define SCH_NATIVE_MACHINE EM_AARCH64
#else
#define SCH_NATIVE_MACHINE EM_NONE
#endif

/* A place that is relocated. */
struct sch_native_place {
    uint8_t *bytes;   /* in memory */
    uint64_t left;    /* bytes from there to the end of the section */
    uint64_t address; /* that the bytes have when the code runs */
};

/* The type of the relocation that is an address of 64 bits; of no other is a section of frame sizes made. */
uint32_t sch_native_address_type(uint16_t machine);

/* Makes a place refer to `symbol` + `addend`. UNSUPPORTED: another type of relocation, or the value does not fit;
 * INVALID: the place ends first, or the value is not aligned as the instruction needs it. */
enum sch_result sch_native_relocate(uint16_t machine, uint32_t type, uint64_t symbol, uint64_t addend,
                                    const struct sch_native_place *place);

#endif
