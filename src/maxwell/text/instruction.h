/* A Maxwell texture instruction in memory, as the assembler and the decoder make it and as the executor, the lowering
 * and the printers read it. Encodings, names and restrictions are rows of src/isa/maxwell.def; here are only the plain
 * values. Source: the instruction pages TMML, TLDS and TXQ (SPA 5.0 and 5.2), and measured encodings. */
#ifndef SCH_MAXWELL_TEXT_INSTRUCTION_H
#define SCH_MAXWELL_TEXT_INSTRUCTION_H

#include <scheelite/types.h>

/* The operations; the bindless form (.B) is a flag of the instruction. */
enum sch_maxwell_operation {
    SCH_MAXWELL_TMML,
    SCH_MAXWELL_TXQ,
    SCH_MAXWELL_TXA,
    SCH_MAXWELL_TEX,
    SCH_MAXWELL_TLD,
    SCH_MAXWELL_TLD4,
    SCH_MAXWELL_TXD,
    SCH_MAXWELL_TEXS,
    SCH_MAXWELL_TLDS,
    SCH_MAXWELL_TLD4S,
    SCH_MAXWELL_OPERATIONS
};

/* #paramA. Bit 0: arrayed; bits 2:1: 1D, 2D, 3D, cube. */
enum sch_maxwell_parameter {
    SCH_MAXWELL_1D,
    SCH_MAXWELL_ARRAY_1D,
    SCH_MAXWELL_2D,
    SCH_MAXWELL_ARRAY_2D,
    SCH_MAXWELL_3D,
    SCH_MAXWELL_ARRAY_3D,
    SCH_MAXWELL_CUBE,
    SCH_MAXWELL_ARRAY_CUBE
};

/* .lod, numbered as TEX encodes it. TLD and TLDS have LZ and LL only. */
enum sch_maxwell_lod {
    SCH_MAXWELL_LOD_NONE, /* implicit */
    SCH_MAXWELL_LZ,       /* level 0 */
    SCH_MAXWELL_LB,       /* bias */
    SCH_MAXWELL_LL,       /* absolute */
    SCH_MAXWELL_LOD_4,    /* 4 and 5 print .INVALIDBLOD4 and 5 */
    SCH_MAXWELL_LOD_5,
    SCH_MAXWELL_LBA, /* bias, and clamp: not executed */
    SCH_MAXWELL_LLA
};

enum sch_maxwell_offset {
    SCH_MAXWELL_OFFSET_NONE,
    SCH_MAXWELL_AOFFI,   /* one register of packed offsets */
    SCH_MAXWELL_PTP,     /* TLD4: two registers, an offset for each texel */
    SCH_MAXWELL_OFFSET_3 /* prints .INVALIDBTOFF03 */
};

/* #query of TXQ: the field's values. Other even values but 0 and 4 print as a number, value / 2. */
enum sch_maxwell_query {
    SCH_MAXWELL_HEADER_DIMENSION = 0x01,
    SCH_MAXWELL_HEADER_TEXTURE_TYPE = 0x02,
    SCH_MAXWELL_HEADER_SAMPLER_POS = 0x05,
    SCH_MAXWELL_SAMPLER_FILTER = 0x10,
    SCH_MAXWELL_SAMPLER_LOD = 0x12,
    SCH_MAXWELL_SAMPLER_WRAP = 0x14,
    SCH_MAXWELL_SAMPLER_BORDER_COLOR = 0x16
};

enum { SCH_MAXWELL_RZ = 255, SCH_MAXWELL_PT = 7 };

/* Fields that an operation does not have are 0 (registers: RZ; residency: PT). */
struct sch_maxwell_instruction {
    uint8_t operation; /* enum sch_maxwell_operation */
    bool bindless;     /* .B: the handle comes by register */
    uint8_t guard;     /* predicate 0..6, 7: PT */
    bool guard_not;
    uint8_t rd, rd1, ra, rb; /* 255: RZ. rd1: TEXS, TLDS, TLD4S */
    uint8_t residency;       /* sm_52 and later: destination predicate, 7: none */
    uint8_t parameter;       /* enum sch_maxwell_parameter; of TEXS and TLDS by their code; TLD4S: 2D */
    uint8_t write_mask;      /* R = 1, G = 2, B = 4, A = 8; of TEXS and TLDS by their mask code; TLD4S: 15 */
    uint8_t mask_code;       /* TEXS, TLDS: 0..7; 5 to 7 with rd1 mean no mask: write_mask is 0 */
    uint8_t form_code;       /* TEXS, TLDS: the tex2d4 or tld2d4 field */
    uint16_t index;          /* #tsPtrIdxU13; 0 of bindless forms */
    uint8_t lod;             /* enum sch_maxwell_lod */
    uint8_t offset;          /* enum sch_maxwell_offset */
    uint8_t component;       /* TLD4, TLD4S: 0..3 */
    uint8_t query;           /* TXQ */
    bool multisample;        /* .MS */
    bool compare;            /* .DC */
    bool nondivergent;       /* .NDV */
    bool nodep;              /* .NODEP */
    bool clamp_lod;          /* .CL of TLD */
    bool lc;                 /* .LC of TEX and TXD, sm_52 and later */
    bool half;               /* .F16: sm_52 and later */
    uint8_t phase;           /* from the control word: 0 none, 1 .T, 2 .P, 3 prints .INVALIDPHASE3 */
};

/* An instruction whose fields all have the value of an operation that has none: RZ, PT, 0. */
struct sch_maxwell_instruction sch_maxwell_blank(enum sch_maxwell_operation operation, bool bindless);

/* Sets form_code and mask_code of TEXS and TLDS by parameter, lod, offset, multisample, compare, write_mask and whether
 * rd1 is RZ. False: the tables have no such code. True, and no change, for other operations. */
bool sch_maxwell_choose_codes(struct sch_maxwell_instruction *instruction);

/* Every field, `phase` included. */
bool sch_maxwell_equal(const struct sch_maxwell_instruction *a, const struct sch_maxwell_instruction *b);

/* Reads a word. False if it is not a supported instruction of that arch (another operation, or a reserved code). Bits
 * that the operation does not look at are dropped. `phase` is 0: it lies in the control word. */
bool sch_maxwell_decode(uint64_t word, enum sch_maxwell_arch arch, struct sch_maxwell_instruction *instruction);

/* The word, don't-care bits zero. False when the instruction cannot be encoded on that arch, or when decoding the word
 * would not give the instruction again: a field that the operation lacks must be as sch_maxwell_blank sets it, and what
 * TEXS and TLDS say by codes must agree with the codes. `phase` is not looked at. */
bool sch_maxwell_encode(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_arch arch, uint64_t *word);

/* A register group that an operation reads or writes: `count` registers from `first`; count 0: none. */
struct sch_maxwell_registers {
    uint8_t first, count;
};

/* What the instruction's operands hold, by the packing tables: one row for each parameter that is present, in the order
 * of registers. Derived from src/isa/maxwell.def for every operation and legal form. */
enum sch_maxwell_operand_role {
    SCH_MAXWELL_ROLE_LAYER, /* u16 */
    SCH_MAXWELL_ROLE_S,     /* float; of TLD and TLDS an integer */
    SCH_MAXWELL_ROLE_T,
    SCH_MAXWELL_ROLE_R,
    SCH_MAXWELL_ROLE_HANDLE, /* sampler[31:20], header[19:0] */
    SCH_MAXWELL_ROLE_LOD,    /* level or bias: float; of TLD, TLDS and TXQ an integer */
    SCH_MAXWELL_ROLE_OFFSET, /* packed AOFFI */
    SCH_MAXWELL_ROLE_PTP0,   /* TLD4 .PTP: texels 0 and 1, then 2 and 3 */
    SCH_MAXWELL_ROLE_PTP1,
    SCH_MAXWELL_ROLE_REFERENCE,     /* float */
    SCH_MAXWELL_ROLE_SAMPLE,        /* integer */
    SCH_MAXWELL_ROLE_LAYER_OFFSETS, /* TXD: layer in bits 15:0, offsets in 27:16 */
    SCH_MAXWELL_ROLE_DSDX,
    SCH_MAXWELL_ROLE_DSDY,
    SCH_MAXWELL_ROLE_DTDX,
    SCH_MAXWELL_ROLE_DTDY,
    SCH_MAXWELL_ROLE_DRDX,
    SCH_MAXWELL_ROLE_DRDY
};

enum { SCH_MAXWELL_OPERAND_LIMIT = 8 };
struct sch_maxwell_packing {
    uint8_t a_count, b_count;             /* registers from ra, from rb */
    uint8_t a[SCH_MAXWELL_OPERAND_LIMIT]; /* enum sch_maxwell_operand_role */
    uint8_t b[SCH_MAXWELL_OPERAND_LIMIT];
    struct sch_maxwell_registers result[2]; /* from rd, from rd1; half results count packed registers */
};
void sch_maxwell_operands(const struct sch_maxwell_instruction *instruction, struct sch_maxwell_packing *packing);

#endif
