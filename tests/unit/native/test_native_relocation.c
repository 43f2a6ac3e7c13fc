/* Relocations, of each processor on each: places as an assembler would leave them, and the instructions that must come
 * of them, encoded by hand from "Arm Architecture Reference Manual for A-profile", C6.2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "native/relocation.h"

static enum sch_result relocate(uint16_t machine, uint32_t type, uint64_t symbol, int64_t addend, uint64_t address,
                                uint64_t left, uint64_t *word)
{
    const struct sch_native_place place = {(uint8_t *)word, left, address};
    return sch_native_relocate(machine, type, symbol, (uint64_t)addend, &place);
}

static void instructions_of_arm(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        uint64_t symbol;
        int64_t addend;
        uint64_t address;
        uint32_t before, after;
    } cases[] = {
        {R_AARCH64_CALL26, 0x1000, 0, 0x1004, 0x94000000, 0x97ffffff},                   /* BL .-4 */
        {R_AARCH64_CALL26, 0x8001000, -4, 0x1000, 0x94000000, 0x95ffffff},               /* as far as it goes */
        {R_AARCH64_CALL26, 0x1000, 0, 0x8001000, 0x94000000, 0x96000000},                /* and back */
        {R_AARCH64_JUMP26, 0x2000, 8, 0x1000, 0x14000000, 0x14000402},                   /* B .+0x1008 */
        {R_AARCH64_CONDBR19, 0x1008, 0, 0x1000, 0x54000001, 0x54000041},                 /* B.NE .+8 */
        {R_AARCH64_TSTBR14, 0xffc, 0, 0x1000, 0x37000003, 0x3707ffe3},                   /* TBNZ W3, #0, .-4 */
        {R_AARCH64_LD_PREL_LO19, 0x1010, 0, 0x1000, 0x58000005, 0x58000085},             /* LDR X5, .+16 */
        {R_AARCH64_ADR_PREL_LO21, 0x1007, 0, 0x1000, 0x10000001, 0x70000021},            /* ADR X1, .+7 */
        {R_AARCH64_ADR_PREL_PG_HI21, 0x12345678, 0, 0x12344ffc, 0x90000000, 0xb0000000}, /* the next page */
        {R_AARCH64_ADR_PREL_PG_HI21, 0x1000, 0x10, 0x5fff, 0x90000000, 0x90ffffe0},      /* four pages back */
        {R_AARCH64_ADD_ABS_LO12_NC, 0x12345a00, 0xbc, 0, 0x91000020, 0x912af020},        /* ADD X0, X1, #0xabc */
        {R_AARCH64_LDST8_ABS_LO12_NC, 0x7fffffff01, 0, 0, 0x39400000, 0x397c0400},       /* LDRB, #0xf01 */
        {R_AARCH64_LDST16_ABS_LO12_NC, 0x102, 0, 0, 0x79400000, 0x79420400},             /* LDRH, #0x102 */
        {R_AARCH64_LDST32_ABS_LO12_NC, 0x104, 0, 0, 0xb9400000, 0xb9410400},             /* LDR W, #0x104 */
        {R_AARCH64_LDST64_ABS_LO12_NC, 0x108, 0, 0, 0xf9400000, 0xf9408400},             /* LDR X, #0x108 */
        {R_AARCH64_LDST128_ABS_LO12_NC, 0x3120, 0, 0, 0x3dc00000, 0x3dc04800},           /* LDR Q, #0x120 */
        {R_AARCH64_PREL32, 0x1000, 4, 0x2000, 0xffffffff, 0xfffff004},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t word = UINT64_C(0x5555555500000000) | cases[i].before;
        assert_int_equal(
            relocate(EM_AARCH64, cases[i].type, cases[i].symbol, cases[i].addend, cases[i].address, 4, &word), SCH_OK);
        assert_int_equal(word, UINT64_C(0x5555555500000000) | cases[i].after);
    }
}

static void addresses(void **state)
{
    (void)state;
    uint64_t word = 0;
    assert_int_equal(relocate(EM_AARCH64, R_AARCH64_ABS64, UINT64_MAX, 3, 0, 8, &word), SCH_OK);
    assert_int_equal(word, 2);
    assert_int_equal(relocate(EM_AARCH64, R_AARCH64_PREL64, 0x1000, -1, 0x3000, 8, &word), SCH_OK);
    assert_int_equal(word, (uint64_t)-0x2001);
    assert_int_equal(relocate(EM_X86_64, R_X86_64_64, 0x123456789a, 1, 0, 8, &word), SCH_OK);
    assert_int_equal(word, 0x123456789b);
    assert_int_equal(relocate(EM_X86_64, R_X86_64_PC64, 0x1000, 0, 0x1001, 8, &word), SCH_OK);
    assert_int_equal(word, UINT64_MAX);
    assert_int_equal(relocate(EM_X86_64, R_X86_64_PC32, 0x1000, -4, 0x1000, 4, &word), SCH_OK);
    assert_int_equal(word, UINT64_C(0xfffffffffffffffc));
    assert_int_equal(relocate(EM_X86_64, R_X86_64_PLT32, 0x80000fff, 0, 0x1000, 4, &word), SCH_OK);
    assert_int_equal(word, UINT64_C(0xffffffff7fffffff));
    assert_int_equal(relocate(EM_X86_64, R_X86_64_32, 0xffffffff, 0, 0, 4, &word), SCH_OK);
    assert_int_equal(word, UINT64_MAX);
    assert_int_equal(sch_native_address_type(EM_X86_64), R_X86_64_64);
    assert_int_equal(sch_native_address_type(EM_AARCH64), R_AARCH64_ABS64);
}

/* What does not fit, is not aligned, has no room, or is not known changes nothing. */
static void refused(void **state)
{
    (void)state;
    static const struct {
        uint16_t machine;
        uint32_t type;
        uint64_t symbol, address, left;
        enum sch_result result;
    } cases[] = {
        {EM_AARCH64, R_AARCH64_CALL26, 0x8001000, 0x1000, 4, SCH_ERROR_UNSUPPORTED},
        {EM_AARCH64, R_AARCH64_CALL26, 0x1000, 0x8001004, 4, SCH_ERROR_UNSUPPORTED},
        {EM_AARCH64, R_AARCH64_CONDBR19, 0x101000, 0x1000, 4, SCH_ERROR_UNSUPPORTED},
        {EM_AARCH64, R_AARCH64_TSTBR14, 0x9000, 0x1000, 4, SCH_ERROR_UNSUPPORTED},
        {EM_AARCH64, R_AARCH64_ADR_PREL_LO21, 0x101000, 0x1000, 4, SCH_ERROR_UNSUPPORTED},
        {EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, UINT64_C(0x100001000), 0x1000, 4, SCH_ERROR_UNSUPPORTED},
        {EM_AARCH64, R_AARCH64_PREL32, UINT64_C(0x80001000), 0x1000, 4, SCH_ERROR_UNSUPPORTED},
        {EM_AARCH64, R_AARCH64_CALL26, 0x1002, 0x1000, 4, SCH_ERROR_INVALID},
        {EM_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, 0x1008, 0, 4, SCH_ERROR_INVALID},
        {EM_AARCH64, R_AARCH64_LDST16_ABS_LO12_NC, 0x1001, 0, 4, SCH_ERROR_INVALID},
        {EM_AARCH64, R_AARCH64_CALL26, 0x1000, 0x1000, 3, SCH_ERROR_INVALID},
        {EM_AARCH64, R_AARCH64_ABS64, 0x1000, 0x1000, 7, SCH_ERROR_INVALID},
        {EM_AARCH64, R_AARCH64_TLSDESC, 0x1000, 0x1000, 8, SCH_ERROR_UNSUPPORTED},
        {EM_AARCH64, R_X86_64_PC32, 0x1000, 0x1000, 8, SCH_ERROR_UNSUPPORTED},
        {EM_X86_64, R_AARCH64_CALL26, 0x1000, 0x1000, 8, SCH_ERROR_UNSUPPORTED},
        {EM_X86_64, R_X86_64_PC32, UINT64_C(0x80001000), 0x1000, 4, SCH_ERROR_UNSUPPORTED},
        {EM_X86_64, R_X86_64_32, UINT64_C(0x100000000), 0, 4, SCH_ERROR_UNSUPPORTED},
        {EM_X86_64, R_X86_64_32S, UINT64_C(0x80000000), 0, 4, SCH_ERROR_UNSUPPORTED},
        {EM_X86_64, R_X86_64_PC32, 0x1000, 0x1000, 3, SCH_ERROR_INVALID},
        {EM_X86_64, R_X86_64_GOTPCREL, 0x1000, 0x1000, 8, SCH_ERROR_UNSUPPORTED},
        {EM_NONE, 1, 0x1000, 0x1000, 8, SCH_ERROR_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t word = UINT64_C(0x123456789abcdef0);
        assert_int_equal(
            relocate(cases[i].machine, cases[i].type, cases[i].symbol, 0, cases[i].address, cases[i].left, &word),
            cases[i].result);
        assert_int_equal(word, UINT64_C(0x123456789abcdef0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(instructions_of_arm), cmocka_unit_test(addresses),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
