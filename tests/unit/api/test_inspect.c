/* Looking into shaders: each kind of instruction, operand, declaration and immediate against expectations written by
 * hand; the repository's and captured shaders written again from their pieces, which gives the printed text; uses of
 * registers against a reference that reads the text; wrong calls; structs of other sizes. */
#include "../tgsi/tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/api_program.h"
#include "../support/counting.h"
#include "uses_reference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- what is expected, as text ---- */

struct sheet {
    char text[8192];
    size_t used;
};

static void __attribute__((format(printf, 2, 3))) put(struct sheet *sheet, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sheet->used += (size_t)vsnprintf(sheet->text + sheet->used, sizeof sheet->text - sheet->used, format, arguments);
    va_end(arguments);
    assert_true(sheet->used < sizeof sheet->text);
}

static const char *const types[] = {"-", "f", "i", "u", "F", "I", "U"};

static void put_index(struct sheet *sheet, const struct sch_operand_index *index)
{
    put(sheet, "[%d", index->number);
    if (index->is_indirect)
        put(sheet, "+%d:%d.%u/%u", (int)index->file, index->index, index->component, index->array_id);
    put(sheet, "]");
}

/* kind file[dimension][index] mask|swizzle modifiers type */
static void put_operand(struct sheet *sheet, const struct sch_operand_info *operand)
{
    put(sheet, " %c%d", "dso"[operand->kind], (int)operand -> file);
    if (operand->has_dimension) put_index(sheet, &operand->dimension);
    put_index(sheet, &operand->index);
    if (operand->kind == SCH_OPERAND_DESTINATION)
        put(sheet, "m%u", operand->write_mask);
    else
        put(sheet, "%u%u%u%u", operand->swizzle[0], operand->swizzle[1], operand->swizzle[2], operand->swizzle[3]);
    put(sheet, "%s%s%s", operand->negate ? "n" : "", operand->absolute ? "a" : "", types[operand->type]);
}

static void put_instructions(struct sheet *sheet, const struct sch_shader *shader)
{
    struct sch_instruction_info in = {.size = sizeof in};
    for (uint32_t n = 0; sch_shader_instruction(shader, n, &in); n++) {
        struct sch_operand_info operand = {.size = sizeof operand};
        uint32_t operands = 0;
        put(sheet, "%u %s %x t%d", in.opcode, in.name, in.flags, (int)in.target);
        if (in.format) put(sheet, " f%d", (int)in.format);
        if (in.qualifiers) put(sheet, " q%u", in.qualifiers);
        if (in.label) put(sheet, " :%u", in.label);
        put(sheet, " %u,%u,%u", in.destinations, in.sources, in.texel_offsets);
        for (; sch_shader_operand(shader, n, operands, &operand); operands++) put_operand(sheet, &operand);
        assert_int_equal(operands, in.destinations + in.sources + in.texel_offsets);
        put(sheet, " @%u:%u+%u\n", in.line, in.column, (unsigned)in.offset);
    }
}

static void expect_instructions(const char *text, const char *wanted)
{
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, text);
    struct sheet sheet = {.used = 0};
    put_instructions(&sheet, shader);
    assert_string_equal(sheet.text, wanted);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* Flags: 1 saturate, 2 precise, 4 TEX, 8 SAMPLE, 10 memory, 20 store, 40 atomic, 80 barrier, 100 derivative, 200
 * label, 400 target. Target 18 is none. */
static void instructions_have_their_operands(void **state)
{
    (void)state;
    expect_instructions(
        "FRAG\n"
        "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SAMP[1]\n"
        "DCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[1], 2D, FLOAT\n"
        "DCL CONST[0..3]\nDCL CONST[2][0..9]\nDCL TEMP[0..3]\nDCL TEMP[4..7], ARRAY(1)\nDCL ADDR[0..1]\n"
        "IMM[0] INT32 {1, -1, 0, 7}\n"
        "  0: MOV TEMP[0], IN[0]\n"
        "  1: ADD_SAT_PRECISE TEMP[1].xz, -|TEMP[0].wzyx|, CONST[3].yyyy\n"
        "  2: UARL ADDR[0].y, -CONST[2][4].zzzz\n"
        "  3: MOV TEMP[ADDR[0].y+5](1), |CONST[2][ADDR[1].w-2]|\n"
        "  4: TXF TEMP[2], IMM[0], SAMP[0], 2D, IMM[0].xyx\n"
        "  5: SAMPLE TEMP[2].x, IN[0], SVIEW[1], SAMP[1]\n"
        "  6: DFRACEXP TEMP[0].xy, TEMP[1].x, TEMP[2]\n"
        "  7: IF TEMP[0].xxxx :9\n"
        "  8:   DADD TEMP[2].zw, TEMP[0], -TEMP[1]\n"
        "  9: ENDIF\n"
        " 10: USHR TEMP[0], TEMP[0], IMM[0].wwww\n"
        " 11: END\n",
        "1 MOV 0 t18 1,1,0 d4[0]m15- s2[0]0123- @14:6+252\n"
        "8 ADD 3 t18 1,2,0 d4[1]m5f s4[0]3210naf s1[3]1111f @15:6+276\n"
        "157 UARL 0 t18 1,1,0 d6[0]m2u s1[2][4]2222nu @16:6+340\n"
        "1 MOV 0 t18 1,1,0 d4[5+6:0.1/1]m15- s1[2][-2+6:1.3/0]0123a- @17:6+379\n"
        "94 TXF 404 t2 1,2,1 d4[2]m15- s7[0]0123i s5[0]0123- o7[0]0100i @18:6+434\n"
        "145 SAMPLE 108 t18 1,3,0 d4[2]m1- s2[0]0123f s10[1]0123- s5[1]0123- @19:6+484\n"
        "212 DFRACEXP 0 t18 2,1,0 d4[0]m3F d4[1]m1- s4[2]0123F @20:6+532\n"
        "74 IF 200 t18 :9 0,1,0 s4[0]0000f @21:6+577\n"
        "199 DADD 0 t18 1,2,0 d4[2]m12F s4[0]0123F s4[1]0123nF @22:8+603\n"
        "78 ENDIF 0 t18 0,0,0 @23:6+643\n"
        "138 USHR 0 t18 1,2,0 d4[0]m15u s4[0]0123u s7[0]3333u @24:6+654\n"
        "117 END 0 t18 0,0,0 @25:6+694\n");
    expect_instructions("COMP\nDCL BUFFER[0]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL MEMORY[0], SHARED\n"
                        "DCL CONSTBUF[1]\nDCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                        "LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx, COHERENT, VOLATILE\n"
                        "STORE IMAGE[0], IMM[0], TEMP[0], RESTRICT, 2D, PIPE_FORMAT_R32_UINT\n"
                        "ATOMFADD TEMP[0].x, MEMORY[0], IMM[0].xxxx, TEMP[1].yyyy\n"
                        "BARRIER\n"
                        "LOAD TEMP[1], CONSTBUF[1], TEMP[0].xxxx\n"
                        "ATOMCAS TEMP[0].x, BUFFER[0], IMM[0].xxxx, TEMP[1].xxxx, TEMP[1].yyyy, STREAM_CACHE_POLICY\n"
                        "U64ADD TEMP[0], TEMP[1], TEMP[1]\nI64SHR TEMP[0], TEMP[1], IMM[0].yyyy\n"
                        "DDX TEMP[0], TEMP[1]\nTXQ TEMP[0], IMM[0].xxxx, SAMP[0], SHADOW2D\nEND\n",

                        "161 LOAD 10 t18 q5 1,2,0 d4[0]m1- s11[0]0123- s7[0]0000i @8:1+142\n"
                        "162 STORE 430 t2 f104 q2 1,2,0 d9[0]m15- s7[0]0123i s4[0]0123- @9:1+201\n"
                        "103 ATOMFADD 70 t18 1,3,0 d4[0]m1f s12[0]0123- s7[0]0000i s4[1]1111f @10:1+269\n"
                        "166 BARRIER 80 t18 0,0,0 @11:1+326\n"
                        "161 LOAD 10 t18 1,2,0 d4[1]m15- s13[1]0123- s4[0]0000i @12:1+334\n"
                        "169 ATOMCAS 70 t18 q8 1,4,0 d4[0]m1u s11[0]0123- s7[0]0000i s4[1]0000u s4[1]1111u @13:1+374\n"
                        "239 U64ADD 0 t18 1,2,0 d4[0]m15U s4[1]0123U s4[1]0123U @14:1+465\n"
                        "242 I64SHR 0 t18 1,2,0 d4[0]m15I s4[1]0123I s7[0]1111u @15:1+498\n"
                        "37 DDX 100 t18 1,1,0 d4[0]m15f s4[1]0123f @16:1+535\n"
                        "95 TXQ 404 t7 1,2,0 d4[0]m15u s7[0]0000i s5[0]0123- @17:1+556\n"
                        "117 END 0 t18 0,0,0 @18:1+600\n");
}

/* ---- declarations ---- */

static void put_declarations(struct sheet *sheet, const struct sch_shader *shader)
{
    struct sch_declaration_info dcl = {.size = sizeof dcl};
    for (uint32_t n = 0; sch_shader_declaration(shader, n, &dcl); n++) {
        put(sheet, "%d", (int)dcl.file);
        if (dcl.has_dimension) put(sheet, "[%u]", dcl.dimension);
        put(sheet, "[%u..%u]", dcl.first, dcl.last);
        if (dcl.usage_mask != 15) put(sheet, " mask %u", dcl.usage_mask);
        if (dcl.array_id) put(sheet, " array %u", dcl.array_id);
        if (dcl.semantic != SCH_SEMANTIC_NONE) put(sheet, " semantic %d[%u]", (int)dcl.semantic, dcl.semantic_index);
        if (dcl.has_interpolation) put(sheet, " interpolation %d at %d", (int)dcl.interpolation, (int)dcl.location);
        if (dcl.streams[0] || dcl.streams[1] || dcl.streams[2] || dcl.streams[3])
            put(sheet, " streams %u%u%u%u", dcl.streams[0], dcl.streams[1], dcl.streams[2], dcl.streams[3]);
        if (dcl.target != SCH_TARGET_UNKNOWN) put(sheet, " target %d", (int)dcl.target);
        if (dcl.format) put(sheet, " format %d", (int)dcl.format);
        if (dcl.file == SCH_FILE_SAMPLER_VIEW)
            put(sheet, " returns %d%d%d%d", (int)dcl.return_types[0], (int)dcl.return_types[1],
                (int)dcl.return_types[2], (int)dcl.return_types[3]);
        if (dcl.file == SCH_FILE_MEMORY) put(sheet, " kind %d", (int)dcl.memory_kind);
        put(sheet, "%s%s%s%s%s%s", dcl.per_vertex ? " vertices" : "", dcl.invariant ? " invariant" : "",
            dcl.local ? " local" : "", dcl.atomic ? " atomic" : "", dcl.raw ? " raw" : "",
            dcl.writable ? " writable" : "");
        put(sheet, " @%u:%u+%u\n", dcl.line, dcl.column, (unsigned)dcl.offset);
    }
}

static void expect_declarations(const char *text, const char *wanted)
{
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, text);
    struct sheet sheet = {.used = 0};
    put_declarations(&sheet, shader);
    assert_string_equal(sheet.text, wanted);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

static void declarations_have_their_attributes(void **state)
{
    (void)state;
    expect_declarations("FRAG\nDCL IN[0..2], GENERIC[3], PERSPECTIVE, CENTROID\nDCL IN[3].xw, COLOR, COLOR\n"
                        "DCL OUT[1], COLOR[1], INVARIANT\nDCL SV[0], FACE\nDCL CONST[0..7]\nDCL CONST[3][1..2]\n"
                        "DCL TEMP[0], LOCAL\nDCL TEMP[4..9], ARRAY(2)\nDCL ADDR[0..1]\nDCL SAMP[5]\n"
                        "DCL SVIEW[5], 2D_MSAA, UINT\nDCL SVIEW[6], CUBEARRAY, UNORM, SNORM, SINT, FLOAT\n"
                        "DCL IMAGE[1], 3D, PIPE_FORMAT_R8G8B8A8_UNORM, WR\nDCL IMAGE[2], BUFFER, RAW\n"
                        "DCL BUFFER[3]\nDCL BUFFER[4], ATOMIC\nDCL RES[0], 2D, WR, RAW\nEND\n",

                        "2[0..2] semantic 5[3] interpolation 2 at 1 @2:1+5\n"
                        "2[3..3] mask 9 semantic 1[0] interpolation 3 at 0 @3:1+53\n"
                        "3[1..1] semantic 1[1] invariant @4:1+80\n"
                        "8[0..0] semantic 7[0] @5:1+112\n"
                        "1[0..7] @6:1+128\n"
                        "1[3][1..2] @7:1+144\n"
                        "4[0..0] local @8:1+163\n"
                        "4[4..9] array 2 @9:1+182\n"
                        "6[0..1] @10:1+207\n"
                        "5[5..5] @11:1+222\n"
                        "10[5..5] target 14 returns 3333 @12:1+234\n"
                        "10[6..6] target 16 returns 0124 @13:1+262\n"
                        "9[1..1] target 3 format 53 writable @14:1+313\n"
                        "9[2..2] target 0 raw @15:1+362\n"
                        "11[3..3] @16:1+388\n"
                        "11[4..4] atomic @17:1+402\n"
                        "15[0..0] target 2 raw writable @18:1+424\n");
    expect_declarations("COMP\nDCL MEMORY[0], GLOBAL\nDCL MEMORY[1], SHARED\nDCL MEMORY[2], PRIVATE\n"
                        "DCL MEMORY[3], INPUT\nDCL HWATOMIC[2..5]\nDCL HWATOMIC[1][0]\nDCL CONSTBUF[0..3]\nEND\n",

                        "12[0..0] kind 0 @2:1+5\n"
                        "12[1..1] kind 1 @3:1+27\n"
                        "12[2..2] kind 2 @4:1+49\n"
                        "12[3..3] kind 3 @5:1+72\n"
                        "14[2..5] @6:1+93\n"
                        "14[1][0..0] @7:1+112\n"
                        "13[0..3] @8:1+131\n");
    expect_declarations("GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nDCL IN[][0], POSITION\nDCL IN[1], PRIM_ID\n"
                        "DCL OUT[0], POSITION, STREAM(0, 1, 2, 3)\nEND\n",

                        "2[0..0] semantic 0[0] vertices @3:1+43\n"
                        "2[1..1] semantic 9[0] vertices @4:1+65\n"
                        "3[0..0] semantic 0[0] streams 0123 @5:1+84\n");
    expect_declarations("TESS_CTRL\nDCL IN[][0], GENERIC[0]\nDCL OUT[][1], GENERIC[1]\nDCL OUT[2], PATCH[0]\nEND\n",

                        "2[0..0] semantic 5[0] vertices @2:1+10\n"
                        "3[1..1] semantic 5[1] vertices @3:1+34\n"
                        "3[2..2] semantic 29[0] @4:1+59\n");
}

static void immediates_have_their_words(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nIMM[0] FLT32 {1.0, -0.5, 0x7fc00001, 2.0}\nIMM[1] UINT32 {1, 4294967295, 0, 7}\n"
                               "IMM[2] INT32 {-1, 2, 3, 4}\nIMM[3] FLT64 {1.0, -2.0}\n"
                               "IMM[4] UINT64 {18446744073709551615, 5}\nIMM[5] INT64 {-2, 4294967296}\nEND\n";
    static const struct sch_immediate_info wanted[] = {
        {0, SCH_IMMEDIATE_FLT32, {0x3f800000, 0xbf000000, 0x7fc00001, 0x40000000}, 2, 1, 5},
        {0, SCH_IMMEDIATE_UINT32, {1, 0xffffffff, 0, 7}, 3, 1, 47},
        {0, SCH_IMMEDIATE_INT32, {0xffffffff, 2, 3, 4}, 4, 1, 83},
        {0, SCH_IMMEDIATE_FLT64, {0, 0x3ff00000, 0, 0xc0000000}, 5, 1, 110},
        {0, SCH_IMMEDIATE_UINT64, {0xffffffff, 0xffffffff, 5, 0}, 6, 1, 135},
        {0, SCH_IMMEDIATE_INT64, {0xfffffffe, 0xffffffff, 0, 1}, 7, 1, 175}};
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, text);
    for (uint32_t n = 0; n < COUNT(wanted); n++) {
        struct sch_immediate_info found = {.size = sizeof found};
        assert_true(sch_shader_immediate(shader, n, &found));
        assert_int_equal(found.type, wanted[n].type);
        assert_memory_equal(found.words, wanted[n].words, sizeof found.words);
        assert_int_equal(found.line, wanted[n].line);
        assert_int_equal(found.column, wanted[n].column);
        assert_int_equal(found.offset, wanted[n].offset);
    }
    struct sch_immediate_info beyond = {.size = sizeof beyond};
    assert_false(sch_shader_immediate(shader, COUNT(wanted), &beyond));
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* ---- uses ---- */

static void put_uses(struct sheet *sheet, const struct sch_shader *shader)
{
    struct sch_register_use list[64];
    size_t count;
    assert_int_equal(sch_shader_register_uses(shader, list, sizeof *list, COUNT(list), &count), SCH_OK);
    assert_true(count <= COUNT(list));
    for (size_t i = 0; i < count; i++)
        put(sheet, "%d[%u][%u..%u]%s %s%s%s%s\n", (int)list[i].file, list[i].buffer, list[i].first, list[i].last,
            list[i].is_read ? " read" : "", types[list[i].types[0]], types[list[i].types[1]], types[list[i].types[2]],
            types[list[i].types[3]]);
}

static void expect_uses(const char *text, const char *wanted)
{
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, text);
    struct sheet sheet = {.used = 0};
    put_uses(&sheet, shader);
    assert_string_equal(sheet.text, wanted);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* Types go through moves in both directions, by component; buffers of CONST are told apart. */
static void uses_follow_moves(void **state)
{
    (void)state;
    expect_uses("FRAG\nDCL IN[0..2], GENERIC[0], CONSTANT\nDCL SV[0], FACE\nDCL OUT[0], COLOR\n"
                "DCL CONST[0..9]\nDCL CONST[1][0..9]\nDCL TEMP[0..9]\nDCL ADDR[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
                "MOV TEMP[0].xy, CONST[2].zwzz\n" /* of unsigned x, and y that is nothing */
                "UADD TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                "MOV OUT[0].x, TEMP[1].xxxx\n" /* certain: no longer a float */
                "MOV TEMP[2], CONST[1][3]\n"   /* floats by their use */
                "ADD TEMP[3].yz, TEMP[2], TEMP[2]\n"
                "UARL ADDR[0].x, IN[1].xxxx\n"
                "MUL TEMP[4].w, CONST[1][ADDR[0].x+1].yyyy, TEMP[ADDR[0].x].wwww\n"
                "IMAX TEMP[5], TEMP[5], TEMP[6]\n"
                "UADD TEMP[6].x, TEMP[6].xxxx, TEMP[6].xxxx\n" /* both kinds of integers */
                "FSNE TEMP[7].x, TEMP[7].xxxx, TEMP[7].xxxx\n" /* a float that becomes an integer: neither */
                "DADD TEMP[8].xy, TEMP[8], TEMP[8]\nMOV TEMP[8].zw, |TEMP[0]|\nEND\n",

                "1[0][0..1] ----\n"
                "1[0][2..2] read --u-\n"
                "1[0][3..9] ----\n"
                "1[1][0..2] read -f--\n"
                "1[1][3..3] read ffff\n"
                "1[1][4..9] read -f--\n"
                "2[0][0..0] ffff\n"
                "2[0][1..1] read ufff\n"
                "2[0][2..2] ffff\n"
                "3[0][0..0] ufff\n"
                "4[0][0..1] read u--f\n"
                "4[0][2..2] read ffff\n"
                "4[0][3..3] read -fff\n"
                "4[0][4..4] read ---f\n"
                "4[0][5..6] read iii-\n"
                "4[0][7..7] read ---f\n"
                "4[0][8..8] read FFFf\n"
                "4[0][9..9] read ---f\n"
                "8[0][0..0] ----\n");
    /* Declared twice, in parts, and never used; undeclared registers are not listed. */
    expect_uses("VERT\nDCL IN[3..5]\nDCL IN[0..3]\nDCL IN[9]\nDCL OUT[0], POSITION\nDCL OUT[1], PRIM_ID\n"
                "DCL CONST[0..4095]\nMOV OUT[0], CONST[7]\nMOV OUT[1], CONST[4096]\nMOV OUT[0], IN[7]\nEND\n",

                "1[0][0..6] ----\n"
                "1[0][7..7] read ffff\n"
                "1[0][8..4095] ----\n"
                "2[0][0..5] ----\n"
                "2[0][9..9] ----\n"
                "3[0][0..0] ffff\n"
                "3[0][1..1] uuuu\n");
    /* The second result is dropped: all of the source counts, z of which is a float, too. */
    expect_uses("FRAG\nDCL TEMP[0..1]\nDFRACEXP TEMP[0].xy, NULL[0], TEMP[1]\nADD TEMP[1].z, TEMP[1], TEMP[1]\nEND\n",
                "4[0][0..0] FF--\n4[0][1..1] read FF-F\n");
    expect_uses("FRAG\nEND\n", "");
}

/* ---- shaders written again from their pieces ---- */

/* The word of a number in a public table. */
static const char *word_of(enum sch_name_table table, unsigned number)
{
    static struct sch_name_info info;
    info.size = sizeof info;
    for (size_t n = 0; sch_table_name(table, n, &info); n++)
        if (info.number == number) return info.word;
    fail_msg("no word for %u in table %d", number, (int)table);
    return "";
}

struct lines {
    char *text;
    size_t bytes;
    FILE *file;
};

static void begin_lines(struct lines *lines)
{
    lines->file = open_memstream(&lines->text, &lines->bytes);
    assert_non_null(lines->file);
}

static void write_mask(FILE *file, unsigned mask)
{
    if (mask == 15) return;
    fputc('.', file);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) fputc("xyzw"[c], file);
}

static void write_index(FILE *file, const struct sch_operand_index *index)
{
    if (!index->is_indirect) {
        fprintf(file, "[%d]", index->number);
        return;
    }
    fprintf(file, "[%s[%d].%c", word_of(SCH_NAMES_FILES, index->file), index->index, "xyzw"[index->component]);
    if (index->number) fprintf(file, "%+d", index->number);
    fputc(']', file);
    if (index->array_id) fprintf(file, "(%u)", index->array_id);
}

static void write_operand(FILE *file, const struct sch_operand_info *operand)
{
    const uint32_t *s = operand->swizzle;
    fprintf(file, "%s%s%s", operand->negate ? "-" : "", operand->absolute ? "|" : "",
            word_of(SCH_NAMES_FILES, operand->file));
    if (operand->has_dimension) write_index(file, &operand->dimension);
    write_index(file, &operand->index);
    if (operand->kind == SCH_OPERAND_DESTINATION)
        write_mask(file, operand->write_mask);
    else if (operand->kind == SCH_OPERAND_TEXEL_OFFSET)
        fprintf(file, ".%c%c%c", "xyzw"[s[0]], "xyzw"[s[1]], "xyzw"[s[2]]);
    else if (s[0] != 0 || s[1] != 1 || s[2] != 2 || s[3] != 3)
        fprintf(file, ".%c%c%c%c", "xyzw"[s[0]], "xyzw"[s[1]], "xyzw"[s[2]], "xyzw"[s[3]]);
    if (operand->absolute) fputc('|', file);
}

/* In the order of the text: operands, the target before texel offsets, qualifiers, target and format of an
 * image, label. */
static void write_instruction(FILE *file, const struct sch_shader *shader, uint32_t number)
{
    static const char *const qualifiers[] = {"COHERENT", "RESTRICT", "VOLATILE", "STREAM_CACHE_POLICY"};
    struct sch_instruction_info in = {.size = sizeof in};
    struct sch_operand_info operand = {.size = sizeof operand};
    const char *comma = " ";
    assert_true(sch_shader_instruction(shader, number, &in));
    fprintf(file, "%s%s%s", in.name, in.flags & SCH_INSTRUCTION_SATURATE ? "_SAT" : "",
            in.flags & SCH_INSTRUCTION_PRECISE ? "_PRECISE" : "");
    for (uint32_t n = 0; n < in.destinations + in.sources; n++, comma = ", ") {
        assert_true(sch_shader_operand(shader, number, n, &operand));
        fputs(comma, file);
        write_operand(file, &operand);
    }
    if (in.flags & SCH_INSTRUCTION_TEXTURE) fprintf(file, ", %s", word_of(SCH_NAMES_TARGETS, in.target));
    for (uint32_t n = in.destinations + in.sources; sch_shader_operand(shader, number, n, &operand); n++) {
        fputs(", ", file);
        write_operand(file, &operand);
    }
    for (unsigned q = 0; q < COUNT(qualifiers); q++)
        if (in.qualifiers >> q & 1) fprintf(file, ", %s", qualifiers[q]);
    if (!(in.flags & SCH_INSTRUCTION_TEXTURE) && in.flags & SCH_INSTRUCTION_TARGET)
        fprintf(file, ", %s", word_of(SCH_NAMES_TARGETS, in.target));
    if (in.format) fprintf(file, ", PIPE_FORMAT_%s", word_of(SCH_NAMES_FORMATS, in.format));
    if (in.flags & SCH_INSTRUCTION_LABEL) fprintf(file, " :%u", in.label);
    fputc('\n', file);
}

static void write_semantic(FILE *file, const struct sch_declaration_info *dcl)
{
    if (dcl->semantic == SCH_SEMANTIC_NONE) return;
    fprintf(file, ", %s", sch_semantic_name(dcl->semantic));
    if (dcl->semantic_index || dcl->semantic == SCH_SEMANTIC_GENERIC || dcl->semantic == SCH_SEMANTIC_TEXCOORD)
        fprintf(file, "[%u]", dcl->semantic_index);
}

static void write_declaration(FILE *file, const struct sch_declaration_info *dcl, enum sch_stage stage)
{
    static const char *const kinds[] = {"GLOBAL", "SHARED", "PRIVATE", "INPUT"};
    static const char *const returns[] = {"UNORM", "SNORM", "SINT", "UINT", "FLOAT"};
    static const char *const modes[] = {"CONSTANT", "LINEAR", "PERSPECTIVE", "COLOR"};
    static const char *const locations[] = {"CENTER", "CENTROID", "SAMPLE"};
    fprintf(file, "DCL %s", word_of(SCH_NAMES_FILES, dcl->file));
    if (dcl->per_vertex && !dcl->has_dimension) fputs("[]", file);
    if (dcl->has_dimension) fprintf(file, "[%u]", dcl->dimension);
    fprintf(file, dcl->first == dcl->last ? "[%u]" : "[%u..%u]", dcl->first, dcl->last);
    write_mask(file, dcl->usage_mask);
    if (dcl->array_id) fprintf(file, ", ARRAY(%u)", dcl->array_id);
    if (dcl->local) fputs(", LOCAL", file);
    write_semantic(file, dcl);
    if (dcl->streams[0] || dcl->streams[1] || dcl->streams[2] || dcl->streams[3])
        fprintf(file, ", STREAM(%u, %u, %u, %u)", dcl->streams[0], dcl->streams[1], dcl->streams[2], dcl->streams[3]);
    if (dcl->target != SCH_TARGET_UNKNOWN) fprintf(file, ", %s", word_of(SCH_NAMES_TARGETS, dcl->target));
    const enum sch_return_type *type = dcl->return_types;
    const bool same = type[0] == type[1] && type[0] == type[2] && type[0] == type[3];
    for (unsigned c = 0; c < (same ? 1u : 4u) && dcl->file == SCH_FILE_SAMPLER_VIEW; c++)
        fprintf(file, ", %s", returns[type[c]]);
    if (dcl->file == SCH_FILE_IMAGE) fprintf(file, ", PIPE_FORMAT_%s", word_of(SCH_NAMES_FORMATS, dcl->format));
    if (dcl->writable) fputs(", WR", file);
    if (dcl->raw) fputs(", RAW", file);
    if (dcl->atomic) fputs(", ATOMIC", file);
    if (dcl->file == SCH_FILE_MEMORY) fprintf(file, ", %s", kinds[dcl->memory_kind]);
    const bool input = stage == SCH_STAGE_FRAGMENT && dcl->file == SCH_FILE_INPUT;
    if (dcl->has_interpolation && (input || dcl->location)) fprintf(file, ", %s", modes[dcl->interpolation]);
    if (dcl->has_interpolation && dcl->location) fprintf(file, ", %s", locations[dcl->location]);
    if (dcl->invariant) fputs(", INVARIANT", file);
    fputc('\n', file);
}

/* Lines of declarations, then of instructions without number and indentation. */
static char *from_pieces(const struct sch_shader *shader)
{
    struct lines lines;
    struct sch_shader_info info = {.size = sizeof info};
    struct sch_declaration_info dcl = {.size = sizeof dcl};
    assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
    begin_lines(&lines);
    uint32_t declarations = 0;
    for (; sch_shader_declaration(shader, declarations, &dcl); declarations++)
        write_declaration(lines.file, &dcl, info.stage);
    assert_int_equal(declarations, info.declarations);
    for (uint32_t n = 0; n < info.instructions; n++) write_instruction(lines.file, shader, n);
    assert_int_equal(fclose(lines.file), 0);
    return lines.text;
}

/* The same of the printed text; `starts` are where its instructions begin. */
static char *from_text(const char *text, const size_t *starts, uint32_t count)
{
    struct lines lines;
    begin_lines(&lines);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "DCL ", 4) == 0) fprintf(lines.file, "%.*s\n", (int)strcspn(line, "\n"), line);
    for (uint32_t n = 0; n < count; n++) {
        char number[16];
        const int length = snprintf(number, sizeof number, "\n%3u: ", n);
        assert_memory_equal(text + starts[n] - length, number, (size_t)length);
        const char *line = text + starts[n] + strspn(text + starts[n], " ");
        fprintf(lines.file, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
    assert_int_equal(fclose(lines.file), 0);
    return lines.text;
}

/* Each declared register once, as the reference has it. */
static size_t check_uses(const struct sch_shader *shader, const char *text)
{
    struct uses_reference *reference = uses_reference_read(text);
    struct sch_register_use *list;
    size_t count, registers = 0;
    assert_int_equal(sch_shader_register_uses(shader, NULL, sizeof *list, 0, &count), SCH_OK);
    list = calloc(count + 1, sizeof *list);
    assert_non_null(list);
    assert_int_equal(sch_shader_register_uses(shader, list, sizeof *list, count, &count), SCH_OK);
    for (size_t i = 0; i < count; i++) {
        const struct sch_register_use *use = &list[i];
        if (i && list[i - 1].file == use->file && list[i - 1].buffer == use->buffer)
            assert_true(list[i - 1].last < use->first);
        for (uint32_t n = use->first; n <= use->last; n++, registers++) {
            bool is_read;
            enum sch_value_type wanted[4];
            if (!uses_reference_of(reference, use->file, use->buffer, n, &is_read, wanted))
                fail_msg("file %d, register [%u][%u] is not declared", (int)use->file, use->buffer, n);
            if (is_read != use->is_read || memcmp(wanted, use->types, sizeof wanted) != 0)
                fail_msg("file %d, register [%u][%u]: %s%s%s%s, read %d; by the text %s%s%s%s, %d", (int)use->file,
                         use->buffer, n, types[use->types[0]], types[use->types[1]], types[use->types[2]],
                         types[use->types[3]], use->is_read, types[wanted[0]], types[wanted[1]], types[wanted[2]],
                         types[wanted[3]], is_read);
        }
    }
    assert_int_equal(registers, uses_reference_declared(reference));
    uses_reference_release(reference);
    free(list);
    return registers;
}

static size_t check_pieces(struct sch_context *context, const struct sch_shader *shader, const char *name)
{
    struct sch_shader_info info = {.size = sizeof info};
    assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
    size_t *starts = calloc(info.instructions + 1, sizeof *starts);
    assert_non_null(starts);
    const struct sch_print_options options = {
        .size = sizeof options, .starts = starts, .start_capacity = info.instructions};
    char *text;
    assert_int_equal(sch_shader_print(shader, &options, &text, NULL), SCH_OK);
    char *pieces = from_pieces(shader), *printed = from_text(text, starts, info.instructions);
    if (strcmp(pieces, printed) != 0) {
        size_t at = 0, line = 0;
        for (; pieces[at] == printed[at]; at++)
            if (pieces[at] == '\n') line = at + 1;
        fail_msg("%s: pieces give\n%.200s\nbut the text has\n%.200s", name, pieces + line, printed + line);
    }
    const size_t registers = check_uses(shader, text);
    free(pieces);
    free(printed);
    free(starts);
    sch_free(context, text);
    return registers;
}

/* Every shader of the corpora; those that are wrong on purpose, too, if they can be read. */
static void pieces_give_the_text(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    const struct sch_read_options plain = {.size = sizeof plain, .dialect = SCH_DIALECT_TGSI};
    size_t shaders = 0, registers = 0;
    char **(*const lists[])(size_t * count) = {corpus_texts, other_texts};
    for (size_t l = 0; l < COUNT(lists); l++) {
        size_t count;
        char **paths = lists[l](&count);
        for (size_t i = 0; i < count; i++) {
            size_t bytes;
            struct sch_shader *shader;
            char *text = load_file(paths[i], &bytes);
            assert_non_null(text);
            if (sch_shader_read(context, text, bytes, &plain, NULL, &shader) == SCH_OK) {
                registers += check_pieces(context, shader, paths[i]);
                shaders++;
            }
            sch_shader_destroy(shader);
            free(text);
        }
        free_texts(paths, count);
    }
    print_message("# %zu shaders, %zu declared registers\n", shaders, registers);
    assert_true(shaders > 100 && registers > 1000);
    sch_context_destroy(context);
}

/* ---- Direct3D ---- */

/* Pieces are those of the lowered shader; their positions are in the listing. */
static void listings_are_looked_into_when_lowered(void **state)
{
    (void)state;
    static const char text[] =
        "ps_5_0\ndcl_resource_texture2d (float,float,float,float) t3\ndcl_sampler s1, mode_default\n"
        "dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\nsample o0.xyzw, v1.xyxx, t3.xyzw, s1\nret\n";
    struct sch_context *context = api_context();
    struct sch_shader *listing = api_shader(context, text), *lowered;
    struct sch_instruction_info in = {.size = sizeof in};
    struct sch_operand_info operand = {.size = sizeof operand};
    struct sch_declaration_info dcl = {.size = sizeof dcl};
    struct sch_immediate_info immediate = {.size = sizeof immediate};
    struct sch_register_use use;
    size_t count = 77;
    assert_false(sch_shader_instruction(listing, 0, &in));
    assert_false(sch_shader_operand(listing, 0, 0, &operand));
    assert_false(sch_shader_declaration(listing, 0, &dcl));
    assert_false(sch_shader_immediate(listing, 0, &immediate));
    assert_int_equal(sch_shader_register_uses(listing, &use, sizeof use, 1, &count), SCH_ERROR_ARGUMENT);
    assert_int_equal(count, 0);
    assert_int_equal(sch_shader_lower(listing, NULL, &lowered), SCH_OK);
    bool seen = false;
    for (uint32_t n = 0; sch_shader_instruction(lowered, n, &in); n++) {
        if (strcmp(in.name, "SAMPLE") != 0) continue;
        seen = true;
        assert_int_equal(in.line, 6);
        assert_int_equal(in.column, 1);
        assert_int_equal(in.offset, strstr(text, "sample o0") - text);
        assert_true(in.flags & SCH_INSTRUCTION_SAMPLE);
        assert_true(sch_shader_operand(lowered, n, in.destinations + 1, &operand));
        assert_int_equal(operand.file, SCH_FILE_SAMPLER_VIEW);
        assert_int_equal(operand.index.number, 3);
    }
    assert_true(seen);
    assert_true(check_pieces(context, lowered, "the lowered listing") > 1);
    sch_shader_destroy(lowered);
    sch_shader_destroy(listing);
    sch_context_destroy(context);
}

static void lowered_corpus_gives_its_text(void **state)
{
    (void)state;
    static const char *const names[] = {"cs-atomics-raw", "cs-counters", "cs-memory", "ds-quad", "ds-tri", "gs-line"};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[256];
        size_t bytes;
        struct sch_shader *listing, *lowered;
        snprintf(path, sizeof path, "d3d/%s.asm", names[i]);
        char *text = load_file(own_path(path), &bytes);
        assert_non_null(text);
        assert_int_equal(sch_shader_read(context, text, bytes, NULL, NULL, &listing), SCH_OK);
        assert_int_equal(sch_shader_lower(listing, NULL, &lowered), SCH_OK);
        check_pieces(context, lowered, names[i]);
        sch_shader_destroy(lowered);
        sch_shader_destroy(listing);
        free(text);
    }
    sch_context_destroy(context);
}

/* ---- calls ---- */

/* Structs of 0 bytes and more than there are; those of an older program are filled as far as they go, those of a newer
 * one are zeroed after that. */
#define EXPECT_SIZES(call, type)                                                                                       \
    do {                                                                                                               \
        struct {                                                                                                       \
            struct type known;                                                                                         \
            uint64_t newer;                                                                                            \
        } room;                                                                                                        \
        memset(&room, 0x5a, sizeof room);                                                                              \
        room.known.size = 0;                                                                                           \
        assert_false(call(&room.known));                                                                               \
        room.known.size = sizeof room.known - 1;                                                                       \
        assert_false(call(&room.known));                                                                               \
        assert_int_equal(room.newer, 0x5a5a5a5a5a5a5a5a);                                                              \
        room.known.size = sizeof room;                                                                                 \
        assert_true(call(&room.known));                                                                                \
        assert_int_equal(room.known.size, sizeof room);                                                                \
        assert_int_equal(room.newer, 0);                                                                               \
        assert_false(call(NULL));                                                                                      \
    } while (0)

static void calls_refuse_what_is_not_there(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, "FRAG\nDCL IN[0..1], GENERIC[0]\nDCL OUT[0], COLOR\n"
                                                    "IMM[0] FLT32 {1, 2, 3, 4}\nMOV OUT[0], IN[0]\nEND\n");
#define INSTRUCTION(info) sch_shader_instruction(shader, 0, info)
#define OPERAND(info)     sch_shader_operand(shader, 0, 1, info)
#define DECLARATION(info) sch_shader_declaration(shader, 1, info)
#define IMMEDIATE(info)   sch_shader_immediate(shader, 0, info)
    EXPECT_SIZES(INSTRUCTION, sch_instruction_info);
    EXPECT_SIZES(OPERAND, sch_operand_info);
    EXPECT_SIZES(DECLARATION, sch_declaration_info);
    EXPECT_SIZES(IMMEDIATE, sch_immediate_info);
    struct sch_instruction_info in = {.size = sizeof in};
    struct sch_operand_info operand = {.size = sizeof operand};
    struct sch_declaration_info dcl = {.size = sizeof dcl};
    struct sch_immediate_info immediate = {.size = sizeof immediate};
    assert_false(sch_shader_instruction(shader, 2, &in) || sch_shader_instruction(NULL, 0, &in));
    assert_false(sch_shader_operand(shader, 0, 2, &operand) || sch_shader_operand(shader, 1, 0, &operand));
    assert_false(sch_shader_operand(shader, 2, 0, &operand) || sch_shader_operand(NULL, 0, 0, &operand));
    assert_false(sch_shader_operand(shader, 0, UINT32_MAX, &operand));
    assert_false(sch_shader_declaration(shader, 2, &dcl) || sch_shader_declaration(NULL, 0, &dcl));
    assert_false(sch_shader_immediate(shader, 1, &immediate) || sch_shader_immediate(NULL, 0, &immediate));
    struct {
        struct sch_register_use known;
        uint32_t newer;
    } uses[4];
    size_t count = 77;
    for (size_t capacity = 0; capacity <= COUNT(uses); capacity++) {
        memset(uses, 0x5a, sizeof uses);
        assert_int_equal(sch_shader_register_uses(shader, &uses[0].known, sizeof *uses, capacity, &count), SCH_OK);
        assert_int_equal(count, 3); /* IN[0], which is read, IN[1], OUT[0] */
        for (size_t i = 0; i < COUNT(uses); i++) {
            const bool written = i < capacity && i < count;
            assert_int_equal(uses[i].newer, written ? 0 : 0x5a5a5a5a);
            if (written) assert_int_equal(uses[i].known.is_read, i == 0);
        }
    }
    assert_int_equal(sch_shader_register_uses(NULL, &uses[0].known, sizeof *uses, 1, &count), SCH_ERROR_ARGUMENT);
    assert_int_equal(count, 0);
    assert_int_equal(sch_shader_register_uses(shader, NULL, sizeof *uses, 1, &count), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_register_uses(shader, &uses[0].known, 8, 1, &count), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_register_uses(shader, &uses[0].known, sizeof *uses, 1, NULL), SCH_ERROR_ARGUMENT);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* Any allocation may be refused: the call says so, has listed nothing and keeps nothing. */
static void uses_fail_cleanly(void **state)
{
    (void)state;
    static const char text[] = "FRAG\nDCL IN[0..1], GENERIC[0]\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
    struct counting counting = {.fail_at = 0};
    const struct sch_allocator memory = counting_callbacks(&counting);
    const struct sch_context_options options = {.size = sizeof options, .memory = &memory};
    struct sch_context *context = NULL;
    struct sch_register_use list[3];
    size_t count, refused = 0;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    struct sch_shader *shader = api_shader(context, text);
    const long before = counting.live;
    enum sch_result result;
    do {
        counting.fail_from = counting.calls + (long)++refused;
        result = sch_shader_register_uses(shader, list, sizeof *list, COUNT(list), &count);
        assert_int_equal(count, result == SCH_OK ? 3 : 0);
        assert_true(result == SCH_OK || result == SCH_ERROR_MEMORY);
        assert_int_equal(counting.live, before);
    } while (result != SCH_OK);
    assert_true(refused > 1);
    counting.fail_from = 0;
    sch_shader_destroy(shader);
    sch_context_destroy(context);
    assert_int_equal(counting.live, 0);
}

/* Of the instructions below the capacity; none of a Direct3D shader. */
static void starts_have_a_capacity(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *shader =
        api_shader(context, "FRAG\nDCL TEMP[0]\nIF TEMP[0].xxxx\nMOV TEMP[0], TEMP[0]\nENDIF\nEND\n");
    struct sch_shader *listing = api_shader(context, "ps_5_0\nret\n");
    static const char *const wanted[] = {"IF TEMP[0].xxxx\n", "  MOV TEMP[0], TEMP[0]\n", "ENDIF\n", "END\n"};
    for (size_t capacity = 0; capacity <= 6; capacity++) {
        size_t starts[6];
        memset(starts, 0x5a, sizeof starts);
        const struct sch_print_options options = {.size = sizeof options, .starts = starts, .start_capacity = capacity};
        char *text;
        assert_int_equal(sch_shader_print(shader, &options, &text, NULL), SCH_OK);
        for (size_t n = 0; n < 6; n++) {
            if (n >= capacity || n >= COUNT(wanted))
                assert_int_equal(starts[n], 0x5a5a5a5a5a5a5a5a);
            else
                assert_memory_equal(text + starts[n], wanted[n], strlen(wanted[n]));
        }
        sch_free(context, text);
        assert_int_equal(sch_shader_print(listing, &options, &text, NULL), SCH_ERROR_ARGUMENT);
        assert_null(text);
    }
    const struct sch_print_options none = {.size = sizeof none, .start_capacity = 3}; /* there is no array */
    char *text;
    assert_int_equal(sch_shader_print(shader, &none, &text, NULL), SCH_OK);
    sch_free(context, text);
    sch_shader_destroy(shader);
    sch_shader_destroy(listing);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_have_their_operands),
        cmocka_unit_test(declarations_have_their_attributes),
        cmocka_unit_test(immediates_have_their_words),
        cmocka_unit_test(uses_follow_moves),
        cmocka_unit_test(pieces_give_the_text),
        cmocka_unit_test(listings_are_looked_into_when_lowered),
        cmocka_unit_test(lowered_corpus_gives_its_text),
        cmocka_unit_test(calls_refuse_what_is_not_there),
        cmocka_unit_test(uses_fail_cleanly),
        cmocka_unit_test(starts_have_a_capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
