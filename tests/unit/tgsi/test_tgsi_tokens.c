/* TGSI binary tokens: words written out by hand from the layout, what the decoder refuses and where, what the encoder
 * cannot say, and the container. */
#include "tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/errors.h"

static void assert_encodes(const char *text, const uint32_t *expected, size_t expected_count)
{
    struct reading reading = read_string(text);
    assert_non_null(reading.shader);
    size_t count;
    uint32_t *words = encode_shader(reading.shader, &count);
    for (size_t i = 0; i < count && i < expected_count; i++)
        if (words[i] != expected[i]) print_message("# word %zu: 0x%08x, expected 0x%08x\n", i, words[i], expected[i]);
    assert_int_equal(count, expected_count);
    assert_memory_equal(words, expected, count * sizeof *words);

    struct reading decoded = read_words(words, count);
    assert_non_null(decoded.shader);
    decoded.shader->float_style = reading.shader->float_style;
    char *print = print_shader(decoded.shader, SCH_FLOAT_TEXT_SOURCE),
         *again = print_shader(reading.shader, SCH_FLOAT_TEXT_SOURCE);
    assert_string_equal(print, again);
    free(print);
    free(again);
    free(words);
    release(&decoded);
    release(&reading);
}

#define ENCODES(text, ...)                                                                                             \
    do {                                                                                                               \
        const uint32_t expected[] = {__VA_ARGS__};                                                                     \
        assert_encodes(text, expected, sizeof expected / sizeof *expected);                                            \
    } while (0)

static void declarations_as_words(void **state)
{
    (void)state;
    ENCODES("FRAG\n", 0x00000002, 4);
    ENCODES("VERT\nDCL IN[3].xy\n", 0x00000202, 0, 0x20u | 2u << 12 | 3u << 16, 0x00030003);
    ENCODES("FRAG\nDCL IN[1..2], ARRAY(5), GENERIC[7], LINEAR, SAMPLE, INVARIANT\n", 0x00000502, 4,
            5u << 4 | 2u << 12 | 15u << 16 | 1u << 21 | 1u << 22 | 1u << 23 | 1u << 25, 0x00020001, 1u | 2u << 4,
            5u | 7u << 8, 5u);
    ENCODES("GEOM\nDCL OUT[0], POSITION, STREAM(1, 2, 3, 0)\n", 0x00000302, 3,
            3u << 4 | 3u << 12 | 15u << 16 | 1u << 21, 0, 1u << 24 | 2u << 26 | 3u << 28);
    ENCODES("FRAG\nDCL CONST[9][1..4]\n", 0x00000302, 4, 3u << 4 | 1u << 12 | 15u << 16 | 1u << 20, 0x00040001, 9);
    ENCODES("FRAG\nDCL TEMP[0], LOCAL\n", 0x00000202, 4, 2u << 4 | 4u << 12 | 15u << 16 | 1u << 24, 0);
    ENCODES("FRAG\nDCL BUFFER[0], ATOMIC\n", 0x00000202, 4, 2u << 4 | 11u << 12 | 15u << 16 | 1u << 26, 0);
    ENCODES("COMP\nDCL MEMORY[0], PRIVATE\n", 0x00000202, 5, 2u << 4 | 12u << 12 | 15u << 16 | 2u << 27, 0);
    ENCODES("FRAG\nDCL IMAGE[0], 3D, PIPE_FORMAT_R32_FLOAT, RAW\n", 0x00000302, 4, 3u << 4 | 9u << 12 | 15u << 16, 0,
            3u | 1u << 8 | 13u << 10);
    ENCODES("FRAG\nDCL SVIEW[0], 2D, FLOAT, UINT, SINT, UNORM\n", 0x00000302, 4, 3u << 4 | 10u << 12 | 15u << 16, 0,
            2u | 4u << 8 | 3u << 14 | 2u << 20 | 0u << 26);
    ENCODES("FRAG\nDCL IN[7], LINEAR, CENTROID, INVARIANT\n", 0x00000302, 4, 3u << 4 | 2u << 12 | 15u << 16 | 3u << 22,
            0x00070007, 1u | 1u << 4);
    ENCODES("VERT\nDCL OUT[7], INVARIANT\n", 0x00000202, 0, 2u << 4 | 3u << 12 | 15u << 16 | 1u << 23, 0x00070007);
}

/* Streams stand in the word of the semantic: a register without one has the label that its absence means. */
static void streams_without_a_semantic_as_words(void **state)
{
    (void)state;
    static const uint32_t expected[] = {0x00000302, 3, 3u << 4 | 3u << 12 | 15u << 16 | 1u << 21, 0x00070007,
                                        5u | 7u << 8 | 2u << 26 | 1u << 28 | 3u << 30};
    struct reading reading = read_string("GEOM\nDCL OUT[7], STREAM(0, 2, 1, 3)\n");
    assert_non_null(reading.shader);
    size_t count;
    uint32_t *words = encode_shader(reading.shader, &count);
    assert_int_equal(count, sizeof expected / sizeof *expected);
    assert_memory_equal(words, expected, sizeof expected);
    free(words);
    release(&reading);
}

static void other_items_as_words(void **state)
{
    (void)state;
    ENCODES("FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\n", 0x00000202, 4, 3u | 2u << 4 | 3u << 12, 1);
    ENCODES("FRAG\nIMM FLT32 {1, -2, 0, 0.5}\n", 0x00000502, 4, 1u | 5u << 4, 0x3f800000, 0xc0000000, 0, 0x3f000000);
    ENCODES("FRAG\nIMM INT32 {-1, 0, 1, 2}\n", 0x00000502, 4, 1u | 5u << 4 | 2u << 18, 0xffffffff, 0, 1, 2);
    ENCODES("FRAG\nIMM FLT64 {1, -0x1.0000000000001p0}\n", 0x00000502, 4, 1u | 5u << 4 | 3u << 18, 0, 0x3ff00000, 1,
            0xbff00000);
    ENCODES("FRAG\nIMM UINT64 {0x0123456789abcdef, 1}\n", 0x00000502, 4, 1u | 5u << 4 | 4u << 18, 0x89abcdef,
            0x01234567, 1, 0);
}

static void instructions_as_words(void **state)
{
    (void)state;
    ENCODES("FRAG\nEND\n", 0x00000102, 4, 2u | 117u << 12);
    ENCODES("FRAG\nMAD_SAT_PRECISE TEMP[3].xw, IN[1], -|CONST[2].wzyx|, IMM[0].yyyy\n", 0x00000502, 4,
            2u | 4u << 4 | 16u << 12 | 1u << 20 | 1u << 21 | 3u << 23 | 1u << 30, 4u | 9u << 4 | 3u << 10,
            2u | 1u << 6 | 1u << 24 | 2u << 26 | 3u << 28, 1u | 2u << 6 | 3u << 22 | 2u << 24 | 1u << 26 | 3u << 30,
            7u | 1u << 22 | 1u << 24 | 1u << 26 | 1u << 28);
    /* dimension behind the index, each with its index register */
    ENCODES("FRAG\nMOV TEMP[ADDR[1].y+3](7), CONST[ADDR[0].x-1][TEMP[2].w]\n", 0x00000702, 4,
            2u | 6u << 4 | 1u << 12 | 1u << 21 | 1u << 23, 4u | 15u << 4 | 1u << 8 | 3u << 10,
            6u | 1u << 4 | 1u << 20 | 7u << 22, 1u | 1u << 4 | 1u << 5 | 1u << 24 | 2u << 26 | 3u << 28,
            4u | 2u << 4 | 3u << 20, 1u | 0xffffu << 16, 6u);
    ENCODES("FRAG\nUIF TEMP[0].xxxx :12\n", 0x00000302, 4, 2u | 2u << 4 | 75u << 12 | 1u << 23 | 1u << 27, 12, 4u);
    ENCODES("FRAG\nTEX TEMP[0], IN[0], SAMP[1], RECT, IMM[2].yxz\n", 0x00000602, 4,
            2u | 5u << 4 | 52u << 12 | 1u << 21 | 2u << 23 | 1u << 28, 5u | 1u << 8 | 5u << 12,
            2u | 7u << 16 | 1u << 20 | 0u << 22 | 2u << 24, 4u | 15u << 4, 2u | 1u << 24 | 2u << 26 | 3u << 28,
            5u | 1u << 6 | 1u << 24 | 2u << 26 | 3u << 28);
    /* the component in the sampler's swizzle, and no operand for it */
    ENCODES("FRAG\nTG4 TEMP[0], IN[0], SAMP[1].yyzw, 2D\n", 0x00000502, 4,
            2u | 4u << 4 | 182u << 12 | 1u << 21 | 2u << 23 | 1u << 28, 2u | 5u << 12, 4u | 15u << 4,
            2u | 1u << 24 | 2u << 26 | 3u << 28, 5u | 1u << 6 | 1u << 22 | 1u << 24 | 2u << 26 | 3u << 28);
    ENCODES("FRAG\nSAMPLE_I TEMP[0], IN[0], SVIEW[0]\n", 0x00000502, 4,
            2u | 4u << 4 | 146u << 12 | 1u << 21 | 2u << 23 | 1u << 28, 18u | 5u << 12, 4u | 15u << 4,
            2u | 1u << 24 | 2u << 26 | 3u << 28, 10u | 1u << 24 | 2u << 26 | 3u << 28);
    ENCODES("FRAG\nSTORE BUFFER[1].x, IN[0], IN[0], COHERENT, VOLATILE, 2D, PIPE_FORMAT_R32_FLOAT\n", 0x00000502, 4,
            2u | 4u << 4 | 162u << 12 | 1u << 21 | 2u << 23 | 1u << 29, 5u | 2u << 4 | 13u << 12,
            11u | 1u << 4 | 1u << 10, 2u | 1u << 24 | 2u << 26 | 3u << 28, 2u | 1u << 24 | 2u << 26 | 3u << 28);
    ENCODES("COMP\nBARRIER\n", 0x00000202, 5, 2u | 1u << 4 | 166u << 12 | 1u << 29, 0);
}

/* ---- what cannot be said ---- */

static void assert_cannot_say(const char *text, unsigned line)
{
    struct reading reading = read_string(text);
    assert_non_null(reading.shader);
    struct sch_diagnostics diagnostics;
    uint32_t *words;
    void *data;
    size_t count;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 10);
    assert_int_equal(sch_tgsi_encode(reading.shader, &sch_allocator_libc, &diagnostics, &words, &count),
                     SCH_ERROR_INVALID);
    assert_null(words);
    assert_int_equal(diagnostics.items[0].code, SCH_D_TOKENS_CANNOT_SAY);
    assert_int_equal(diagnostics.items[0].position.line, line);
    assert_int_equal(sch_tgsi_container_write(reading.shader, &sch_allocator_libc, NULL, &data, &count),
                     SCH_ERROR_INVALID);
    assert_null(data);
    sch_diagnostics_release(&diagnostics);
    release(&reading);
}

static void assert_can_say(const char *text)
{
    struct reading reading = read_string(text);
    assert_non_null(reading.shader);
    uint32_t *words;
    size_t count;
    assert_int_equal(sch_tgsi_encode(reading.shader, &sch_allocator_libc, NULL, &words, &count), SCH_OK);
    free(words);
    release(&reading);
}

static void what_tokens_cannot_say(void **state)
{
    (void)state;
    assert_cannot_say("COMP\nDCL RES[0], BUFFER, RAW\nEND\n", 2);
    assert_cannot_say("COMP\nLOAD TEMP[0], RES[0], TEMP[0]\nEND\n", 2);
    assert_cannot_say("COMP\nMOV TEMP[0], TEMP[0]\nSTORE RES[0], TEMP[0], TEMP[0]\nEND\n", 3);
    assert_cannot_say("FRAG\n\nCAL :16777216\nEND\n", 3);
    assert_cannot_say("FRAG\nPROPERTY D3D_RULES 1\nEND\n", 2);
    assert_cannot_say("FRAG\nDCL SV[0], INNER_COVERAGE\nEND\n", 2);
    assert_cannot_say("VERT\n\nMSAD TEMP[0], TEMP[0], TEMP[0], TEMP[0]\nEND\n", 3);
    static const char *const wide[] = {"MOV TEMP[%u], IN[0]",
                                       "MOV OUT[0], CONST[%u]",
                                       "MOV OUT[0], CONST[%u][0]",
                                       "MOV OUT[0], CONST[ADDR[0].x+%u]",
                                       "MOV OUT[0], CONST[ADDR[%u].x]",
                                       "MOV OUT[0], CONST[ADDR[%u].x][0]",
                                       "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[%u].xyz"};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        for (unsigned beyond = 0; beyond < 2; beyond++) {
            char line[80], text[100];
            snprintf(line, sizeof line, wide[i], INT16_MAX + beyond);
            snprintf(text, sizeof text, "FRAG\n\n%s\nEND\n", line);
            if (beyond)
                assert_cannot_say(text, 3);
            else
                assert_can_say(text);
        }
    assert_can_say("FRAG\nMOV OUT[0], CONST[ADDR[0].x-32768]\nEND\n");
    assert_cannot_say("FRAG\nMOV OUT[0], CONST[ADDR[0].x-32769]\nEND\n", 2);

    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = sch_ir_create(&sch_allocator_libc, SCH_STAGE_FRAGMENT, &limits);
    struct sch_ir_instruction own = {.opcode = 256};
    assert_int_equal(sch_ir_add_instruction(shader, &own), SCH_OK);
    uint32_t *words;
    size_t count;
    assert_int_equal(sch_tgsi_encode(shader, &sch_allocator_libc, NULL, &words, &count), SCH_ERROR_INVALID);
    sch_ir_destroy(shader);

    for (uint32_t last = UINT16_MAX; last <= UINT16_MAX + 1u; last++) {
        const struct sch_ir_declaration declaration = {.file = SCH_FILE_TEMPORARY, .usage_mask = 15, .last = last};
        shader = sch_ir_create(&sch_allocator_libc, SCH_STAGE_FRAGMENT, &limits);
        assert_int_equal(sch_ir_add_declaration(shader, &declaration), SCH_OK);
        assert_int_equal(sch_tgsi_encode(shader, &sch_allocator_libc, NULL, &words, &count),
                         last > UINT16_MAX ? SCH_ERROR_INVALID : SCH_OK);
        if (last <= UINT16_MAX) free(words);
        sch_ir_destroy(shader);
    }
}

/* ---- what is refused ---- */

static void assert_words_refused(const uint32_t *words, size_t count, unsigned code, uint64_t offset)
{
    struct reading reading = read_words(words, count);
    assert_null(reading.shader);
    assert_int_equal(reading.diagnostics.count, 1);
    const struct sch_diagnostic *report = &reading.diagnostics.items[0];
    if (report->code != code || report->position.offset != offset)
        print_message("# %u at %zu: %s\n", report->code, (size_t)report->position.offset, report->message);
    assert_int_equal(report->code, code);
    assert_int_equal(report->position.offset, offset);
    assert_int_equal(report->position.line, 0);
    release(&reading);
}

/* A program of these words behind a right header; `stage` and `word` (of the body) where the fault is. */
#define REFUSED(stage, code, word, ...)                                                                                \
    do {                                                                                                               \
        const uint32_t body[] = {__VA_ARGS__};                                                                         \
        enum { COUNT = sizeof body / sizeof *body };                                                                   \
        uint32_t program[COUNT + 2] = {2 | COUNT << 8, stage};                                                         \
        memcpy(program + 2, body, sizeof body);                                                                        \
        assert_words_refused(program, COUNT + 2, code, ((word) + 2) * 4u);                                             \
    } while (0)

static void headers_are_checked(void **state)
{
    (void)state;
    assert_words_refused(NULL, 0, SCH_D_TOKENS_HEADER, 0);
    assert_words_refused((const uint32_t[]){2}, 1, SCH_D_TOKENS_HEADER, 0);
    assert_words_refused((const uint32_t[]){3, 4}, 2, SCH_D_TOKENS_HEADER, 0);
    assert_words_refused((const uint32_t[]){2 | 1 << 8, 4}, 2, SCH_D_TOKENS_SIZE, 0);
    assert_words_refused((const uint32_t[]){2, 4, 0}, 3, SCH_D_TOKENS_SIZE, 0);
    assert_words_refused((const uint32_t[]){2, 6}, 2, SCH_D_TOKENS_NUMBER, 4);
    assert_words_refused((const uint32_t[]){2, 20}, 2, SCH_D_TOKENS_RESERVED, 4);
    assert_words_refused((const uint32_t[]){2 | 1 << 8, 4, 4}, 3, SCH_D_TOKENS_TYPE, 8);
}

enum { FRAG = 4, GEOM = 3, VERT = 0 };
#define DCL(words, file)         ((words) << 4 | (file) << 12 | 15u << 16)
#define INS(words, opcode, d, s) (2u | (words) << 4 | (opcode) << 12 | (d) << 21 | (s) << 23)

static void declarations_are_checked(void **state)
{
    (void)state;
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 0, DCL(3u, 4u), 0);
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 0, DCL(0u, 4u), 0);
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 0, DCL(1u, 4u));
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 1, DCL(3u, 4u), 0, 0);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 0, DCL(2u, 15u), 0);
    REFUSED(FRAG, SCH_D_TOKENS_RESERVED, 0, DCL(2u, 4u) | 1u << 29, 0);
    REFUSED(FRAG, SCH_D_TOKENS_INDEX, 0, DCL(2u, 4u) & ~(15u << 16), 0);
    REFUSED(FRAG, SCH_D_TOKENS_INDEX, 1, DCL(2u, 4u), 0x00010002);
    REFUSED(FRAG, SCH_D_TOKENS_RESERVED, 2, DCL(3u, 1u) | 1u << 20, 0, 0x10000);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 2, DCL(3u, 2u) | 1u << 21, 0, 49);
    REFUSED(FRAG, SCH_D_TOKENS_FLAG, 2, DCL(3u, 2u) | 1u << 21, 0, 5 | 1u << 24);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 2, DCL(4u, 2u) | 3u << 21, 0, 4, 5);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 2, DCL(4u, 2u) | 3u << 21, 0, 3 << 4, 5);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 2, DCL(3u, 2u) | 1u << 22, 0, 4); /* an interpolation without a semantic */
    REFUSED(FRAG, SCH_D_TOKENS_FLAG, 0, DCL(2u, 4u) | 1u << 26, 0);
    REFUSED(FRAG, SCH_D_TOKENS_FLAG, 0, DCL(2u, 4u) | 1u << 27, 0);
    REFUSED(FRAG, SCH_D_TOKENS_FLAG, 0, DCL(4u, 9u) | 1u << 21, 0, 0, 0);
    REFUSED(FRAG, SCH_D_TOKENS_FLAG, 0, DCL(3u, 10u) | 1u << 23, 0, 0);
    REFUSED(GEOM, SCH_D_TOKENS_FLAG, 0, DCL(3u, 2u) | 1u << 20, 0, 0);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 2, DCL(3u, 9u), 0, 19);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 2, DCL(3u, 9u), 0, 1023 << 10);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 2, DCL(3u, 10u), 0, 2 | 5 << 8);
    REFUSED(FRAG, SCH_D_TOKENS_INDEX, 2, DCL(3u, 4u) | 1u << 25, 0, 0);
}

static void other_items_are_checked(void **state)
{
    (void)state;
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 0, 1 | 4 << 4, 0, 0, 0);
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 0, 1 | 6 << 4, 0, 0, 0, 0, 0);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 0, 1 | 5 << 4 | 6 << 18, 0, 0, 0, 0);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 0, 3 | 2 << 4 | 29 << 12, 0);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 0, 3 | 2 << 4 | 48 << 12, 1); /* D3D_RULES */
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 0, 3 | 1 << 4);
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 0, 3 | 10 << 4, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 0, 3 | 2 << 4 | 29 << 12, 0);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 1, 3 | 2 << 4 | 3 << 12, 2); /* FS_COORD_ORIGIN */
}

static void instructions_are_checked(void **state)
{
    (void)state;
    const uint32_t dst = 4u | 15u << 4, src = 4u;
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 0, INS(0u, 252u, 0u, 0u));
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 0, INS(0u, 67u, 0u, 0u)); /* a gap */
    REFUSED(FRAG, SCH_D_TOKENS_OPERANDS, 0, INS(1u, 1u, 1u, 0u), dst);
    REFUSED(FRAG, SCH_D_TOKENS_OPERANDS, 0, INS(3u, 1u, 1u, 2u), dst, src, src);
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 1, INS(1u, 1u, 1u, 1u), dst);
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 0, INS(2u, 1u, 1u, 1u), dst);
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 2, INS(3u, 1u, 1u, 1u), dst, src, src);
    REFUSED(FRAG, SCH_D_TOKENS_RESERVED, 0, INS(2u, 1u, 1u, 1u) | 1u << 31, dst, src);
    REFUSED(FRAG, SCH_D_TOKENS_FLAG, 0, INS(3u, 1u, 1u, 1u) | 1u << 27, 0, dst, src);
    REFUSED(FRAG, SCH_D_TOKENS_FLAG, 0, INS(3u, 1u, 1u, 1u) | 1u << 28, 0, dst, src);
    REFUSED(FRAG, SCH_D_TOKENS_FLAG, 0, INS(3u, 1u, 1u, 1u) | 1u << 29, 0, dst, src);
    REFUSED(FRAG, SCH_D_TOKENS_FLAG, 0, INS(3u, 52u, 1u, 2u), dst, src, src); /* TEX without a target */
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 1, INS(4u, 52u, 1u, 2u) | 1u << 28, 19, dst, src, src);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 1, INS(4u, 52u, 1u, 2u) | 1u << 28, 6 << 12, dst, src, src);
    REFUSED(FRAG, SCH_D_TOKENS_OPERANDS, 1, INS(4u, 52u, 1u, 2u) | 1u << 28, 5 << 8, dst, src, src);
    REFUSED(FRAG, SCH_D_TOKENS_INDEX, 2, INS(5u, 52u, 1u, 2u) | 1u << 28, 1 << 8, 0x8000, dst, src, src);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 1, INS(4u, 161u, 1u, 2u) | 1u << 29, 19 << 4, dst, src, src);
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 1, INS(4u, 161u, 1u, 2u) | 1u << 29, 1023 << 12, dst, src, src);
    REFUSED(FRAG, SCH_D_TOKENS_OPERANDS, 0, INS(3u, 182u, 1u, 1u) | 1u << 28, 2, dst, src);
    REFUSED(FRAG, SCH_D_TOKENS_OPERANDS, 4, INS(4u, 182u, 1u, 2u) | 1u << 28, 2, dst, src, src); /* of a handle */
    REFUSED(FRAG, SCH_D_TOKENS_INDEX, 1, INS(2u, 1u, 1u, 1u), 4u, src);                          /* no mask */
    REFUSED(FRAG, SCH_D_TOKENS_INDEX, 1, INS(2u, 1u, 1u, 1u), dst | 0x8000u << 10, src);         /* negative */
    REFUSED(FRAG, SCH_D_TOKENS_NUMBER, 1, INS(2u, 1u, 1u, 1u), dst | 15u, src);
    REFUSED(FRAG, SCH_D_TOKENS_INDEX, 2, INS(2u, 1u, 1u, 1u), dst, src | 0xffffu << 6);
    REFUSED(FRAG, SCH_D_TOKENS_INDEX, 3, INS(3u, 1u, 1u, 1u), dst, src | 1u << 4, 0); /* NULL as index */
    REFUSED(FRAG, SCH_D_TOKENS_INDEX, 3, INS(3u, 1u, 1u, 1u), dst, src | 1u << 4, 6 | 0x8000 << 4);
    REFUSED(FRAG, SCH_D_TOKENS_RESERVED, 3, INS(3u, 1u, 1u, 1u), dst, src | 1u << 5, 2); /* three brackets */
    REFUSED(FRAG, SCH_D_TOKENS_SIZE, 2, INS(2u, 1u, 1u, 1u), dst, src | 1u << 5);
}

/* Forms that the text does not have but real builders write. */
static void builders_forms_are_read(void **state)
{
    (void)state;
    const uint32_t dst = 4u | 15u << 4, src = 4u | 1u << 24 | 2u << 26 | 3u << 28;
    const struct {
        uint32_t words[8];
        size_t count;
        const char *print;
    } cases[] = {
        {{2 | 1 << 8, 5, INS(0u, 166u, 0u, 0u)}, 3, "COMP\n  0: BARRIER\n"},
        {{2 | 5 << 8, 4, INS(4u, 145u, 1u, 3u), dst, src, src, src},
         7,
         "FRAG\n  0: SAMPLE TEMP[0], TEMP[0], TEMP[0], TEMP[0]\n"},
        {{2 | 6 << 8, 4, INS(5u, 103u, 1u, 3u) | 1u << 29, 1 | 2 << 4, dst, src, src, src},
         8,
         "FRAG\n  0: ATOMFADD TEMP[0], TEMP[0], TEMP[0], TEMP[0], COHERENT, 2D\n"},
        {{2 | 3 << 8, 4, 3 | 3 << 4 | 28 << 12, 1, 2}, 5, "FRAG\nPROPERTY SEPARABLE_PROGRAM 1, 2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading reading = read_words(cases[i].words, cases[i].count);
        assert_non_null(reading.shader);
        char *print = print_shader(reading.shader, SCH_FLOAT_TEXT_SOURCE);
        assert_string_equal(print, cases[i].print);
        free(print);
        size_t count;
        uint32_t *words = encode_shader(reading.shader, &count);
        assert_int_equal(count, cases[i].count);
        assert_memory_equal(words, cases[i].words, count * sizeof *words);
        free(words);
        release(&reading);
    }
}

/* ---- the container ---- */

static void *contained(const char *text, size_t *bytes)
{
    struct reading reading = read_string(text);
    assert_non_null(reading.shader);
    void *data;
    assert_int_equal(sch_tgsi_container_write(reading.shader, &sch_allocator_libc, NULL, &data, bytes), SCH_OK);
    release(&reading);
    return data;
}

static unsigned container_error(const void *data, size_t bytes)
{
    struct sch_diagnostics diagnostics;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 10);
    enum sch_result status = sch_tgsi_container_read(&sch_allocator_libc, &limits, data, bytes, &diagnostics, &shader);
    unsigned code = status == SCH_OK ? 0 : diagnostics.items[0].code;
    assert_true((status == SCH_OK) == (shader != NULL));
    sch_ir_destroy(shader);
    sch_diagnostics_release(&diagnostics);
    return code;
}

static void the_container_keeps_the_float_style(void **state)
{
    (void)state;
    const char *const texts[] = {"FRAG\nIMM[0] FLT32 {0x3f800000, 0x00000000, 0x00000000, 0x00000000}\n",
                                 "FRAG\nIMM[0] FLT32 {    1.0000,     0.0000,     0.0000,     0.0000}\n",
                                 "FRAG\n  0: END\n"};
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    for (size_t i = 0; i < 3; i++) {
        size_t bytes;
        void *data = contained(texts[i], &bytes);
        assert_true(sch_tgsi_container_recognise(data, bytes));
        struct sch_ir_shader *shader;
        assert_int_equal(sch_tgsi_container_read(&sch_allocator_libc, &limits, data, bytes, NULL, &shader), SCH_OK);
        char *print = print_shader(shader, SCH_FLOAT_TEXT_SOURCE);
        assert_string_equal(print, texts[i]);
        free(print);
        sch_ir_destroy(shader);
        free(data);
    }
}

/* The layout is written down: the bytes of one container, the checksum too. */
static void the_container_s_bytes(void **state)
{
    (void)state;
    static const unsigned char expected[] = {'S', 'C', 'H', 'T', 'G', 'S', 'I', '\n', 1,    0,    0,    0,
                                             0,   0,   0,   0,   3,   0,   0,   0,    0,    0,    0,    0,
                                             2,   1,   0,   0,   4,   0,   0,   0,    0x02, 0x50, 0x07, 0};
    size_t bytes;
    unsigned char *data = contained("FRAG\nEND\n", &bytes);
    assert_int_equal(bytes, sizeof expected);
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < bytes; i++) {
        if (i >= 20 && i < 24) continue;
        assert_int_equal(data[i], expected[i]);
        hash = (hash ^ expected[i]) * 16777619u;
    }
    for (unsigned i = 0; i < 4; i++) assert_int_equal(data[20 + i], hash >> (8 * i) & 255);
    free(data);
}

static void damaged_containers_are_refused(void **state)
{
    (void)state;
    size_t bytes;
    unsigned char *data =
        contained("FRAG\nDCL OUT[0], COLOR\nIMM FLT32 {1, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n", &bytes);
    assert_int_equal(container_error(data, bytes), 0);
    for (size_t i = 0; i < bytes; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            data[i] ^= (unsigned char)(1u << bit);
            assert_true(container_error(data, bytes) != 0);
            data[i] ^= (unsigned char)(1u << bit);
        }
    for (size_t cut = 0; cut < bytes; cut++)
        assert_int_equal(container_error(data, cut), cut < 8 ? SCH_D_CONTAINER_HEADER : SCH_D_CONTAINER_SIZE);
    assert_int_equal(container_error(data, 8), SCH_D_CONTAINER_SIZE);
    for (unsigned char version = 0; version <= 2; version += 2) {
        data[8] = version;
        assert_int_equal(container_error(data, bytes), SCH_D_OTHER_VERSION);
    }
    data[8] = 1;
    data[bytes - 1] ^= 1;
    assert_int_equal(container_error(data, bytes), SCH_D_CONTAINER_CHECKSUM);
    free(data);
    assert_false(sch_tgsi_container_recognise("SCHTGSI", 7));
    assert_false(sch_tgsi_container_recognise("FRAG\nEND\n", 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_as_words),
        cmocka_unit_test(streams_without_a_semantic_as_words),
        cmocka_unit_test(other_items_as_words),
        cmocka_unit_test(instructions_as_words),
        cmocka_unit_test(what_tokens_cannot_say),
        cmocka_unit_test(headers_are_checked),
        cmocka_unit_test(declarations_are_checked),
        cmocka_unit_test(other_items_are_checked),
        cmocka_unit_test(instructions_are_checked),
        cmocka_unit_test(builders_forms_are_read),
        cmocka_unit_test(the_container_keeps_the_float_style),
        cmocka_unit_test(the_container_s_bytes),
        cmocka_unit_test(damaged_containers_are_refused),
    };
    return cmocka_run_group_tests_name("tgsi_tokens", tests, NULL, NULL);
}
