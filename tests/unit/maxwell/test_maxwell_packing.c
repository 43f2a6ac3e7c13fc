/* What operands of Maxwell's texture instructions hold: the tables of the instruction pages, line by line, and the
 * packing that was measured in compiled code for the operations without a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "maxwell/text/text.h"

/* Ra and Rb as words, the registers that Rd and Rd1 get. */
struct packing_case {
    const char *text, *a, *b;
    unsigned rd, rd1;
};

static const char *const roles[] = {
    [SCH_MAXWELL_ROLE_LAYER] = "a",       [SCH_MAXWELL_ROLE_S] = "s",
    [SCH_MAXWELL_ROLE_T] = "t",           [SCH_MAXWELL_ROLE_R] = "r",
    [SCH_MAXWELL_ROLE_HANDLE] = "handle", [SCH_MAXWELL_ROLE_LOD] = "lod",
    [SCH_MAXWELL_ROLE_OFFSET] = "aoffi",  [SCH_MAXWELL_ROLE_PTP0] = "ptp0",
    [SCH_MAXWELL_ROLE_PTP1] = "ptp1",     [SCH_MAXWELL_ROLE_REFERENCE] = "ref",
    [SCH_MAXWELL_ROLE_SAMPLE] = "ms",     [SCH_MAXWELL_ROLE_LAYER_OFFSETS] = "a+aoffi",
    [SCH_MAXWELL_ROLE_DSDX] = "dsdx",     [SCH_MAXWELL_ROLE_DSDY] = "dsdy",
    [SCH_MAXWELL_ROLE_DTDX] = "dtdx",     [SCH_MAXWELL_ROLE_DTDY] = "dtdy",
    [SCH_MAXWELL_ROLE_DRDX] = "drdx",     [SCH_MAXWELL_ROLE_DRDY] = "drdy",
};

static void join(char text[64], unsigned count, const uint8_t *list)
{
    text[0] = 0;
    for (unsigned i = 0; i < count; i++) {
        strcat(text, i ? "," : "");
        strcat(text, roles[list[i]]);
    }
}

static void check_packing(const struct packing_case *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sch_maxwell_instruction instruction;
        struct sch_maxwell_packing packing;
        size_t used;
        enum sch_result status =
            sch_maxwell_parse(rows[i].text, strlen(rows[i].text), (struct sch_position){.line = 1, .column = 1}, NULL,
                              &instruction, NULL, &used);
        if (status != SCH_OK) print_message("# %s\n", rows[i].text);
        assert_int_equal(status, SCH_OK);
        sch_maxwell_operands(&instruction, &packing);
        char a[64], b[64];
        join(a, packing.a_count, packing.a);
        join(b, packing.b_count, packing.b);
        if (strcmp(a, rows[i].a) || strcmp(b, rows[i].b) || packing.result[0].count != rows[i].rd ||
            packing.result[1].count != rows[i].rd1)
            print_message("# %s: Ra %s, Rb %s, %u and %u results\n", rows[i].text, a, b, packing.result[0].count,
                          packing.result[1].count);
        assert_string_equal(a, rows[i].a);
        assert_string_equal(b, rows[i].b);
        assert_int_equal(packing.result[0].count, rows[i].rd);
        assert_int_equal(packing.result[1].count, rows[i].rd1);
        assert_int_equal(packing.result[0].first, instruction.rd);
        assert_int_equal(packing.result[1].first, instruction.rd1);
    }
}

#define CHECK(rows) check_packing(rows, sizeof(rows) / sizeof *(rows))

/* TLDS, "Legal modifier table": encoding, #paramA .lod .AOFFI .MS, Ra, Rb; and "bit [2] of field indicates Ra size (1 =
 * vec2, 0:scalar). Similarly bit[3] indicates Rb size". */
static void tlds_legal_modifiers(void **state)
{
    (void)state;
    static const struct packing_case rows[] = {
        {"TLDS.LZ RZ, R0, R4, 0, 1D, R;", "s", "", 1, 0},                      /* 0 1D .LZ - - s must be RZ */
        {"TLDS.LL RZ, R0, R4, R8, 0, 1D, R;", "s", "lod", 1, 0},               /* 1 1D .LL - - s lod */
        {"TLDS.LZ RZ, R0, R4, R8, 0, 2D, R;", "s", "t", 1, 0},                 /* 2 2D .LZ - - s t */
        {"TLDS.LZ.AOFFI RZ, R0, R4, R8, 0, 2D, R;", "s,t", "aoffi", 1, 0},     /* 4 2D .LZ .AOFFI - s,t aoffi */
        {"TLDS.LL RZ, R0, R4, R8, 0, 2D, R;", "s,t", "lod", 1, 0},             /* 5 2D .LL - - s,t lod */
        {"TLDS.LZ.MS RZ, R0, R4, R8, 0, 2D, R;", "s,t", "ms", 1, 0},           /* 6 2D .LZ - MS s,t ms */
        {"TLDS.LZ RZ, R0, R4, R8, 0, 3D, R;", "s,t", "r", 1, 0},               /* 7 3D .LZ - - s,t r */
        {"TLDS.LZ RZ, R0, R4, R8, 0, ARRAY_2D, R;", "a", "s,t", 1, 0},         /* 8 ARRAY_2D .LZ - - array s,t */
        {"TLDS.LL.AOFFI RZ, R0, R4, R8, 0, 2D, R;", "s,t", "lod,aoffi", 1, 0}, /* 12 2D .LL .AOFFI - s,t lod,aoffi */
    };
    static const unsigned encodings[] = {0, 1, 2, 4, 5, 6, 7, 8, 12};
    CHECK(rows);
    for (unsigned i = 0; i < 9; i++) {
        uint64_t word = 0xda000000000f0000 | (uint64_t)encodings[i] << 53;
        struct sch_maxwell_instruction instruction, read;
        struct sch_maxwell_packing packing;
        size_t used;
        assert_true(sch_maxwell_decode(word, SCH_MAXWELL_SM_50, &instruction));
        sch_maxwell_parse(rows[i].text, strlen(rows[i].text), (struct sch_position){.line = 1, .column = 1}, NULL,
                          &read, NULL, &used);
        assert_int_equal(instruction.form_code, read.form_code);
        sch_maxwell_operands(&read, &packing);
        assert_int_equal(packing.a_count == 2, encodings[i] >> 2 & 1);
        assert_int_equal(packing.b_count == 2, encodings[i] >> 3 & 1);
    }
    for (unsigned code = 0; code < 16; code++) {
        struct sch_maxwell_instruction instruction;
        bool legal = false;
        for (unsigned i = 0; i < 9; i++) legal |= encodings[i] == code;
        assert_int_equal(sch_maxwell_decode(0xda00000000000000 | (uint64_t)code << 53, SCH_MAXWELL_SM_50, &instruction),
                         legal);
    }
}

/* TLDS, "Legal modifier table for Rd1,Rd0,wmsk for 32 bit return data", and "for packed FP16 return data": Rd0-size,
 * Rd1-size, wmsk encoding, components. */
static const struct {
    const char *rd1, *mask;
    unsigned code, components;
    unsigned rd, rd1_size;           /* 32 bit */
    unsigned half_rd, half_rd1_size; /* .F16 */
} masks[] = {
    {"RZ", "R", 0, 1, 1, 0, 1, 0},    /* RZ R 0 scalar none */
    {"RZ", "G", 1, 2, 1, 0, 1, 0},    /* RZ G 1 scalar none */
    {"RZ", "B", 2, 4, 1, 0, 1, 0},    /* RZ B 2 scalar none */
    {"RZ", "A", 3, 8, 1, 0, 1, 0},    /* RZ A 3 scalar none */
    {"RZ", "RG", 4, 3, 2, 0, 1, 0},   /* RZ RG 4 vec2 none; scalar none */
    {"RZ", "RA", 5, 9, 2, 0, 1, 0},   /* RZ RA 5 */
    {"RZ", "GA", 6, 10, 2, 0, 1, 0},  /* RZ GA 6 */
    {"RZ", "BA", 7, 12, 2, 0, 1, 0},  /* RZ BA 7 */
    {"R8", "RGB", 0, 7, 2, 1, 1, 1},  /* non-RZ RGB 0 vec2 scalar; scalar scalar */
    {"R8", "RGA", 1, 11, 2, 1, 1, 1}, /* non-RZ RGA 1 */
    {"R8", "RBA", 2, 13, 2, 1, 1, 1}, /* non-RZ RBA 2 */
    {"R8", "GBA", 3, 14, 2, 1, 1, 1}, /* non-RZ GBA 3 */
    {"R8", "RGBA", 4, 15, 2, 2, 1, 1} /* non-RZ RGBA 4 vec2 vec2; scalar scalar */
};

static void tlds_masks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
        for (int half = 0; half < 2; half++) {
            char text[96];
            snprintf(text, sizeof text, "TLDS%s.LZ %s, R0, R4, R12, 0, 2D, %s;", half ? ".F16" : "", masks[i].rd1,
                     masks[i].mask);
            const struct packing_case row = {text, "s", "t", half ? masks[i].half_rd : masks[i].rd,
                                             half ? masks[i].half_rd1_size : masks[i].rd1_size};
            check_packing(&row, 1);
            struct sch_maxwell_instruction instruction;
            size_t used;
            uint64_t word;
            sch_maxwell_parse(text, strlen(text), (struct sch_position){0}, NULL, &instruction, NULL, &used);
            assert_int_equal(instruction.write_mask, masks[i].components);
            assert_true(sch_maxwell_encode(&instruction, SCH_MAXWELL_SM_52, &word));
            assert_int_equal(word >> 50 & 7, masks[i].code);
        }
}

/* TMML, "parameter | Coordinate Registers implied" and "Ra+0 array ... Rb+0 SamplerPtr | HeaderPtr"; results by
 * #wmskU04
 * "(decimated contiguous writes)". */
static void tmml_parameters(void **state)
{
    (void)state;
    static const struct packing_case rows[] = {
        {"TMML.LOD R0, R4, 0, 1D, 0xf;", "s", "", 4, 0},               /* 1D | s */
        {"TMML.LOD R0, R4, 0, 2D, 0x3;", "s,t", "", 2, 0},             /* 2D | s,t */
        {"TMML.LOD R0, R4, 0, 3D, 0x5;", "s,t,r", "", 2, 0},           /* 3D | s,t,r */
        {"TMML.LOD R0, R4, 0, CUBE, 0x8;", "s,t,r", "", 1, 0},         /* CUBE | s,t,r */
        {"TMML.LOD R0, R4, 0, ARRAY_1D, 0x0;", "a,s", "", 0, 0},       /* ARRAY_1D | a,s */
        {"TMML.LOD R0, R4, 0, ARRAY_2D, 0xe;", "a,s,t", "", 3, 0},     /* ARRAY_2D | a,s,t */
        {"TMML.LOD R0, R4, 0, ARRAY_CUBE, 0x1;", "a,s,t,r", "", 1, 0}, /* ARRAY_CUBE | a,s,t,r */
        {"TMML.B.LOD R0, R4, R8, 0, 2D;", "s,t", "handle", 4, 0},      /* Rb+0 */
    };
    CHECK(rows);
}

/* TXQ, "Texture parameter packing in Ra": Ra+0 SamplerPtr | HeaderPtr, Ra+1 LOD or Sample Position; "If a parameter is
 * not specified, then the rest are compacted upwards"; TEX_HEADER_TEXTURE_TYPE: "No input data register required". */
static void txq_parameters(void **state)
{
    (void)state;
    static const struct packing_case rows[] = {
        {"TXQ R0, R4, TEX_HEADER_DIMENSION, 0, 0xf;", "lod", "", 4, 0},
        {"TXQ R0, R4, TEX_HEADER_TEXTURE_TYPE, 0, 0x4;", "", "", 1, 0},
        {"TXQ R0, R4, TEX_HEADER_SAMPLER_POS, 0, 0x1;", "ms", "", 1, 0},
        {"TXQ.B R0, R4, TEX_HEADER_DIMENSION, 0, 0x7;", "handle,lod", "", 3, 0},
        {"TXQ.B R0, R4, TEX_HEADER_TEXTURE_TYPE, 0, 0xf;", "handle", "", 4, 0},
        {"TXQ.B R0, R4, TEX_HEADER_SAMPLER_POS, 0, 0xf;", "handle,ms", "", 4, 0},
        {"TXQ.B R0, R4, TEX_SAMPLER_FILTER, 0, 0xf;", "handle", "", 4, 0},
    };
    CHECK(rows);
}

/* Measured: vec4 operations. */
static void vector_operations(void **state)
{
    (void)state;
    static const struct packing_case rows[] = {
        {"TEX R0, R4, 0, 2D;", "s,t", "", 4, 0},
        {"TEX.LZ.DC R0, R4, R8, 0, ARRAY_2D;", "a,s,t", "ref", 4, 0},
        {"TEX.B.LB.AOFFI.DC R0, R4, R8, 0, ARRAY_CUBE, 0x1;", "a,s,t,r", "handle,lod,aoffi,ref", 1, 0},
        {"TEX.LL.AOFFI R0, R4, R8, 0, 1D;", "s", "lod,aoffi", 4, 0},
        {"TLD.LZ R0, R4, 0, ARRAY_1D;", "a,s", "", 4, 0},
        {"TLD.B.LL.AOFFI.MS R0, R4, R8, 0, 2D;", "s,t", "handle,lod,aoffi,ms", 4, 0},
        {"TLD4.R R0, R4, 0, 2D;", "s,t", "", 4, 0},
        {"TLD4.G.AOFFI.DC R0, R4, R8, 0, ARRAY_2D;", "a,s,t", "aoffi,ref", 4, 0},
        {"TLD4.A.B.PTP.DC R0, R4, R8, 0, CUBE;", "s,t,r", "handle,ptp0,ptp1,ref", 4, 0},
        {"TXD R0, R4, R8, 0, 1D;", "s", "dsdx,dsdy", 4, 0},
        {"TXD.AOFFI R0, R4, R8, 0, 2D;", "s,t,a+aoffi", "dsdx,dsdy,dtdx,dtdy", 4, 0},
        {"TXD.B R0, R4, R8, 0, ARRAY_2D;", "handle,s,t,a+aoffi", "dsdx,dsdy,dtdx,dtdy", 4, 0},
        {"TXD R0, R4, R8, 0, 3D;", "s,t,r", "dsdx,dsdy,dtdx,dtdy,drdx,drdy", 4, 0},
    };
    CHECK(rows);
}

/* Measured: the scalar operations but TLDS. */
static void scalar_operations(void **state)
{
    (void)state;
    static const struct packing_case rows[] = {
        {"TEXS.LZ RZ, R0, R4, 0, 1D, R;", "s", "", 1, 0},
        {"TEXS RZ, R0, R4, R8, 0, 2D, R;", "s", "t", 1, 0},
        {"TEXS.LZ RZ, R0, R4, R8, 0, 2D, R;", "s", "t", 1, 0},
        {"TEXS.LL RZ, R0, R4, R8, 0, 2D, R;", "s,t", "lod", 1, 0},
        {"TEXS.DC RZ, R0, R4, R8, 0, 2D, R;", "s,t", "ref", 1, 0},
        {"TEXS.LL.DC RZ, R0, R4, R8, 0, 2D, R;", "s,t", "lod,ref", 1, 0},
        {"TEXS.LZ.DC RZ, R0, R4, R8, 0, 2D, R;", "s,t", "ref", 1, 0},
        {"TEXS RZ, R0, R4, R8, 0, ARRAY_2D, R;", "a,s", "t", 1, 0},
        {"TEXS.LZ RZ, R0, R4, R8, 0, ARRAY_2D, R;", "a,s", "t", 1, 0},
        {"TEXS.LZ.DC RZ, R0, R4, R8, 0, ARRAY_2D, R;", "a,s", "t,ref", 1, 0},
        {"TEXS RZ, R0, R4, R8, 0, 3D, R;", "s,t", "r", 1, 0},
        {"TEXS.LZ RZ, R0, R4, R8, 0, 3D, R;", "s,t", "r", 1, 0},
        {"TEXS RZ, R0, R4, R8, 0, CUBE, R;", "s,t", "r", 1, 0},
        {"TEXS.LL RZ, R0, R4, R8, 0, CUBE, R;", "s,t", "r,lod", 1, 0},
        {"TLD4S.R R2, R0, R4, R8, 0;", "s", "t", 2, 2},
        {"TLD4S.R.AOFFI R2, R0, R4, R8, 0;", "s,t", "aoffi", 2, 2},
        {"TLD4S.R.DC R2, R0, R4, R8, 0;", "s,t", "ref", 2, 2},
        {"TLD4S.R.AOFFI.DC R2, R0, R4, R8, 0;", "s,t", "aoffi,ref", 2, 2},
        {"TLD4S.F16.R R2, R0, R4, R8, 0;", "s", "t", 1, 1},
        {"TLD4S.R RZ, R0, R4, R8, 0;", "s", "t", 2, 0},
    };
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tlds_legal_modifiers), cmocka_unit_test(tlds_masks),
        cmocka_unit_test(tmml_parameters),      cmocka_unit_test(txq_parameters),
        cmocka_unit_test(vector_operations),    cmocka_unit_test(scalar_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
