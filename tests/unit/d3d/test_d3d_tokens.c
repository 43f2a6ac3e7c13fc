/* Tokens of shader models 4 and 5, both ways: every opcode, operand form and extended token; the programs of real files
 * give themselves back; damaged ones end with an answer. */
#include "d3d_support.h"

#include <stdlib.h>
#include <string.h>

#include "../support/random_number.h"
#include "d3d/dxbc/program.h"
#include "isa/errors.h"

#define TEST(name) cmocka_unit_test(name)

enum { MOST = 4096, PS_5_0 = 0x50, PS_5_1 = 0x51 };

/* Decodes; the first number reported, 0 when accepted. What is accepted must encode to the same words. */
static unsigned decode(const uint32_t *words, size_t count, struct sch_d3d_program **keep)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics diagnostics;
    sch_diagnostics_init(&diagnostics, &sch_allocator_libc, 0);
    struct sch_d3d_program *program;
    enum sch_result status =
        sch_d3d_decode(&sch_allocator_libc, &limits, words, count, 40, "SHEX", &diagnostics, &program);
    assert_true((status == SCH_OK) == (program != NULL));
    assert_true((status == SCH_OK) == (diagnostics.errors == 0));
    unsigned code = 0;
    if (!program) {
        code = diagnostics.items[0].code;
        assert_true(diagnostics.items[0].position.offset >= 40);
        assert_true(diagnostics.items[0].position.offset <= 40 + 4 * count);
        assert_ptr_equal(strstr(diagnostics.items[0].message, "SHEX: "), diagnostics.items[0].message);
    } else {
        uint32_t *again;
        size_t length;
        assert_int_equal(sch_d3d_encode(program, &sch_allocator_libc, NULL, &again, &length), SCH_OK);
        assert_int_equal(length, count);
        assert_memory_equal(again, words, count * sizeof *words);
        free(again);
    }
    sch_diagnostics_release(&diagnostics);
    if (keep)
        *keep = program;
    else
        sch_d3d_program_destroy(program);
    return code;
}

/* The same for the words of one instruction in a program of `version`. */
static unsigned decode_one(uint32_t version, const uint32_t *words, size_t count, struct sch_d3d_program **keep)
{
    uint32_t program[MOST] = {version, (uint32_t)count + 2};
    assert_true(count + 2 <= MOST);
    memcpy(program + 2, words, count * sizeof *words);
    return decode(program, count + 2, keep);
}

#define ONE(version, ...)                                                                                              \
    decode_one(version, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, NULL)

/* Words that the description of the format names, each for what it says. */
static void test_published_words(void **state)
{
    (void)state;
    struct sch_d3d_program *program;
    /* sample_aoffimmi(-3,4,0) o0.xyzw, r0.xyzw, t0.xyzw, s0 */
    const uint32_t sample[] = {0x8a000045, 0x00009a01, 0x001020f2, 0, 0x00100e46, 0, 0x00107e46, 0, 0x00106000, 0};
    assert_int_equal(decode_one(0x40, sample, 10, &program), 0);
    const struct sch_d3d_instruction *at = &program->instructions[0];
    assert_int_equal(at->opcode, SCH_D3D_OP_SAMPLE);
    assert_int_equal(at->operand_count, 4);
    uint32_t offset = sch_d3d_extended(at, SCH_D3D_EXTENDED_OFFSET);
    assert_int_equal(offset >> 9 & 0xf, 13); /* -3 */
    assert_int_equal(offset >> 13 & 0xf, 4);
    assert_int_equal(offset >> 17 & 0xf, 0);
    assert_int_equal(at->operands[0].type, SCH_D3D_REGISTER_OUTPUT);
    assert_int_equal(at->operands[0].form, SCH_D3D_FORM_MASK);
    assert_int_equal(at->operands[0].select, 0xf);
    assert_int_equal(at->operands[1].form, SCH_D3D_FORM_SWIZZLE);
    assert_int_equal(at->operands[1].select, SCH_D3D_SWIZZLE_XYZW);
    assert_int_equal(at->operands[2].type, SCH_D3D_REGISTER_RESOURCE);
    assert_int_equal(at->operands[3].form, SCH_D3D_FORM_NONE);
    sch_d3d_program_destroy(program);

    /* dcl_resource_texture2d (float,float,float,float) t0 */
    assert_int_equal(ONE(0x40, 0x04001858, 0x00107000, 0, 0x00005555), 0);
    assert_int_equal(ONE(0x40, 0x04000059, 0x00208e46, 0, 2), 0);    /* dcl_constantbuffer CB0[2] */
    assert_int_equal(ONE(0x40, 0x0300085a, 0x00106000, 1), 0);       /* dcl_sampler s1, mode_comparison */
    assert_int_equal(ONE(0x40, 0x0100086a), 0);                      /* dcl_globalFlags refactoringAllowed */
    assert_int_equal(ONE(0x20040, 0x0100285c, 0x0100185d), 0);       /* trianglestrip, triangle */
    assert_int_equal(ONE(0x20050, 0x0300008f, 0x00110000, 0), 0);    /* dcl_stream m0 */
    assert_int_equal(ONE(0x50050, 0x010018be), 0);                   /* sync_g_t */
    assert_int_equal(ONE(PS_5_0, 0x0480009e, 0x0011e000, 0, 16), 0); /* dcl_uav_structured_opc u0, 16 */
    assert_int_equal(ONE(PS_5_0, 0x00001835, 10, 1, 2, 3, 4, 5, 6, 7, 8), 0);
    /* Dimension and return types. */
    assert_int_equal(
        ONE(PS_5_0, 0x8b000045, 0x800000c2, 0x00155543, 0x001020f2, 0, 0x00100e46, 0, 0x00107e46, 0, 0x00106000, 0), 0);
}

/* -|x|, minimum precision, relative and wide indices, immediates of one and four, doubles. */
static void test_operand_forms(void **state)
{
    (void)state;
    struct sch_d3d_program *program;
    const uint32_t modifiers[] = {0x07000036, 0x801000f2, 0x00004001, 0, 0x80100e46, 0x000000c1, 3};
    assert_int_equal(decode_one(PS_5_0, modifiers, 7, &program), 0);
    const struct sch_d3d_operand *operands = program->instructions[0].operands;
    assert_int_equal(operands[0].precision, 1);
    assert_int_equal(operands[1].modifier, SCH_D3D_NEGATE | SCH_D3D_ABSOLUTE);
    assert_int_equal(operands[1].index[0].value, 3);
    sch_d3d_program_destroy(program);

    /* mov r0.x, cb1[r2.y + 7].x: relative with offset */
    const uint32_t relative[] = {0x08000036, 0x00100012, 0, 0x0620800a, 1, 7, 0x0010001a, 2};
    assert_int_equal(decode_one(PS_5_0, relative, 8, &program), 0);
    const struct sch_d3d_index *index = &program->instructions[0].operands[1].index[1];
    assert_int_equal(index->parts, SCH_D3D_INDEX_VALUE | SCH_D3D_INDEX_RELATIVE);
    assert_int_equal(index->value, 7);
    assert_int_equal(index->relative->form, SCH_D3D_FORM_SELECT);
    assert_int_equal(index->relative->select, 1);
    assert_int_equal(index->relative->index[0].value, 2);
    sch_d3d_program_destroy(program);

    /* A wide index: high word first. */
    const uint32_t wide[] = {0x06000036, 0x00100012, 0, 0x0050000a, 1, 2};
    assert_int_equal(decode_one(PS_5_0, wide, 6, &program), 0);
    assert_true(program->instructions[0].operands[1].index[0].value == 0x100000002u);
    sch_d3d_program_destroy(program);
    assert_int_equal(ONE(PS_5_0, 0x08000036, 0x00100012, 0, 0x0110000a, 1, 2, 0x0010001a, 0), 0);
    /* dmov r0.xy, d(1.0): two doubles */
    assert_int_equal(ONE(PS_5_0, 0x080000c7, 0x00100032, 0, 0x00005002, 0, 0x3ff00000, 0, 0), 0);
    assert_int_equal(ONE(PS_5_0, 0x060000c7, 0x00100032, 0, 0x00005001, 0, 0x3ff00000), 0);
    /* A chain of indices: x0[x1[r0.x].x].x */
    assert_int_equal(ONE(PS_5_0, 0x09000036, 0x00100012, 0, 0x0420300a, 0, 0x0420300a, 1, 0x0010000a, 0), 0);
}

/* Every row: its own words, all its fields, short by a word, and with each bit that is reserved. */
static void test_every_instruction(void **state)
{
    (void)state;
    unsigned rows = 0;
    for (unsigned opcode = 0; opcode < SCH_D3D_OP_LIMIT; opcode++) {
        const struct sch_d3d_op_info *info = sch_d3d_op_info(opcode);
        if (!info || info->flags & (SCH_D3D_F_DECLARATION | SCH_D3D_F_CUSTOM)) continue;
        uint32_t words[64];
        size_t count = d3d_make_instruction(info, words);
        struct sch_d3d_program *program;
        assert_int_equal(decode_one(PS_5_0, words, count, &program), 0);
        assert_int_equal(program->instructions[0].opcode, opcode);
        assert_int_equal(program->instructions[0].operand_count, sch_d3d_operand_count(info));
        assert_int_equal(program->instructions[0].spare_count, 0);
        sch_d3d_program_destroy(program);
        if (count > 1) {
            uint32_t cut[64];
            memcpy(cut, words, sizeof cut);
            cut[0] -= 1u << 24;
            assert_int_equal(decode_one(PS_5_0, cut, count - 1, NULL), SCH_D_D3D_LENGTH);
        }
        for (unsigned bit = 11; bit < 24; bit++) {
            words[0] ^= 1u << bit;
            bool reserved = !(sch_d3d_field_bits(info) >> bit & 1);
            unsigned code = decode_one(PS_5_0, words, count, NULL);
            assert_true(reserved ? code == SCH_D_D3D_RESERVED : code == 0 || code == SCH_D_D3D_NUMBER);
            words[0] ^= 1u << bit;
        }
        /* A spare word behind the operands is kept. */
        words[count] = 0;
        words[0] += 1u << 24;
        assert_int_equal(decode_one(PS_5_0, words, count + 1, &program), 0);
        assert_int_equal(program->instructions[0].spare_count, 1);
        sch_d3d_program_destroy(program);
        rows++;
    }
    assert_int_equal(rows, 190);
}

static void test_every_declaration(void **state)
{
    (void)state;
    (void)state;
    bool seen[SCH_D3D_OP_LIMIT] = {false};
    for (size_t i = 0; i < D3D_DECLARATIONS; i++) {
        struct sch_d3d_program *program;
        unsigned code =
            decode_one(d3d_declarations[i].version, d3d_declarations[i].words, d3d_declarations[i].count, &program);
        if (code) print_message("# row %zu: %u\n", i, code);
        assert_int_equal(code, 0);
        assert_int_equal(program->count, 1);
        assert_int_equal(program->instructions[0].spare_count, 0);
        seen[program->instructions[0].opcode] = true;
        sch_d3d_program_destroy(program);
        for (size_t cut = 1; cut < d3d_declarations[i].count; cut++) {
            uint32_t words[10];
            memcpy(words, d3d_declarations[i].words, sizeof words);
            words[0] = (words[0] & 0x80ffffff) | (uint32_t)cut << 24;
            assert_int_equal(decode_one(d3d_declarations[i].version, words, cut, NULL), SCH_D_D3D_LENGTH);
        }
    }
    for (unsigned opcode = 0; opcode < SCH_D3D_OP_LIMIT; opcode++) {
        const struct sch_d3d_op_info *info = sch_d3d_op_info(opcode);
        if (info && info->flags & SCH_D3D_F_DECLARATION && !seen[opcode]) print_message("# %s not seen\n", info->word);
        if (info && info->flags & SCH_D3D_F_DECLARATION) assert_true(seen[opcode]);
    }
}

/* A length in a word of its own: always for custom data; kept where a file has it; made where seven bits are too
 * few. */
static void test_long_lengths(void **state)
{
    (void)state;
    assert_int_equal(ONE(PS_5_0, 0x00000091, 6, 2, 2, 4, 5), 0);
    uint32_t words[200] = {0x00000091, 200, 0, 196};
    struct sch_d3d_program *program;
    for (uint32_t i = 4; i < 200; i++) words[i] = i;
    assert_int_equal(decode_one(PS_5_0, words, 200, &program), 0);
    assert_int_equal(program->instructions[0].literal_count, 198);
    program->instructions[0].long_length = false;
    uint32_t *again;
    size_t count;
    assert_int_equal(sch_d3d_encode(program, &sch_allocator_libc, NULL, &again, &count), SCH_OK);
    assert_int_equal(count, 202);
    assert_memory_equal(again + 2, words, sizeof words);
    free(again);
    sch_d3d_program_destroy(program);
    for (uint32_t kind = 0; kind < 5; kind++) assert_int_equal(ONE(PS_5_0, 0x35 | kind << 11, 6, 1, 2, 3, 4), 0);
    assert_int_equal(ONE(PS_5_0, 0x35 | 5 << 11, 6, 1, 2, 3, 4), SCH_D_D3D_NUMBER);
    assert_int_equal(ONE(PS_5_0, 0x35 | 3 << 11, 5, 1, 2, 3), SCH_D_D3D_LENGTH);
}

static void test_broken_words_are_refused(void **state)
{
    (void)state;
    assert_int_equal(decode((const uint32_t[]){0x50}, 1, NULL), SCH_D_D3D_PROGRAM);
    assert_int_equal(decode((const uint32_t[]){0x50, 3}, 2, NULL), SCH_D_D3D_PROGRAM);
    assert_int_equal(decode((const uint32_t[]){0x50, 1}, 2, NULL), SCH_D_D3D_PROGRAM);
    assert_int_equal(decode((const uint32_t[]){0x60050, 2}, 2, NULL), SCH_D_D3D_PROGRAM);
    assert_int_equal(decode((const uint32_t[]){0x60, 2}, 2, NULL), SCH_D_D3D_PROGRAM);
    assert_int_equal(decode((const uint32_t[]){0x52, 2}, 2, NULL), SCH_D_D3D_PROGRAM);
    assert_int_equal(decode((const uint32_t[]){0x30, 2}, 2, NULL), SCH_D_D3D_PROGRAM);
    assert_int_equal(decode((const uint32_t[]){0x50, 2, 7}, 3, NULL), 0); /* a word behind the program is kept */
    assert_int_equal(ONE(PS_5_0, 0x01000000 | 0x6b), SCH_D_D3D_OPCODE);
    assert_int_equal(ONE(PS_5_0, 0x01000000 | 0xeb), SCH_D_D3D_OPCODE);
    assert_int_equal(ONE(PS_5_0, 0x0100053e), SCH_D_D3D_OPCODE);
    assert_int_equal(ONE(PS_5_0, 0x0000003e), SCH_D_D3D_LENGTH);
    assert_int_equal(ONE(PS_5_0, 0x0200003e), SCH_D_D3D_LENGTH);
    assert_int_equal(ONE(PS_5_0, 0x00001835), SCH_D_D3D_LENGTH);
    assert_int_equal(ONE(PS_5_0, 0x00001835, 1), SCH_D_D3D_LENGTH);
    assert_int_equal(ONE(PS_5_0, 0x00001835, 0xffffffff), SCH_D_D3D_LENGTH);
    assert_int_equal(ONE(PS_5_0, 0x05000036, 0x001000f2, 0, 0x001000f3, 0), SCH_D_D3D_OPERAND);
    assert_int_equal(ONE(PS_5_0, 0x05000036, 0x001000f2, 0, 0x0010000e, 0), SCH_D_D3D_OPERAND);
    assert_int_equal(ONE(PS_5_0, 0x05000036, 0x001000f2, 0, 0x01500e46, 0), SCH_D_D3D_OPERAND);
    assert_int_equal(ONE(PS_5_0, 0x05000036, 0x001000f2, 0, 0x00104001, 0), SCH_D_D3D_OPERAND);
    assert_int_equal(ONE(PS_5_0, 0x04000036, 0x001000f2, 0, 0x00004000), SCH_D_D3D_OPERAND);
    assert_int_equal(ONE(PS_5_0, 0x05000036, 0x001000f2, 0, 0x0012b001, 0), SCH_D_D3D_NUMBER);
    assert_int_equal(ONE(PS_5_0, 0x05000036, 0x001001f2, 0, 0x00004001, 0), SCH_D_D3D_RESERVED);
    assert_int_equal(ONE(PS_5_0, 0x05000036, 0x021000f2, 0, 0x00004001, 0), SCH_D_D3D_RESERVED);
    assert_int_equal(ONE(PS_5_0, 0x06000036, 0x801000f2, 0x00000002, 0, 0x00004001, 0), SCH_D_D3D_RESERVED);
    assert_int_equal(ONE(PS_5_0, 0x06000036, 0x801000f2, 0x00000101, 0, 0x00004001, 0), SCH_D_D3D_NUMBER);
    assert_int_equal(ONE(PS_5_0, 0x06000036, 0x801000f2, 0x0000c001, 0, 0x00004001, 0), SCH_D_D3D_NUMBER);
    assert_int_equal(ONE(PS_5_0, 0x86000036, 0x00000001, 0x001000f2, 0, 0x00004001, 0), SCH_D_D3D_EXTENDED);
    assert_int_equal(
        ONE(PS_5_0, 0x8b000045, 0x80009a01, 0x00009a01, 0x001020f2, 0, 0x00100e46, 0, 0x00107e46, 0, 0x00106000, 0),
        SCH_D_D3D_EXTENDED);
    assert_int_equal(ONE(PS_5_0, 0x8a000045, 0x00000004, 0x001020f2, 0, 0x00100e46, 0, 0x00107e46, 0, 0x00106000, 0),
                     SCH_D_D3D_RESERVED);
    assert_int_equal(ONE(PS_5_0, 0x8a000045, 0x00000342, 0x001020f2, 0, 0x00100e46, 0, 0x00107e46, 0, 0x00106000, 0),
                     SCH_D_D3D_NUMBER);
    assert_int_equal(ONE(PS_5_0, 0x04001858, 0x00107000, 0, 0x00015555), SCH_D_D3D_NUMBER);
    assert_int_equal(ONE(PS_5_0, 0x04000063, 0x00101012, 1, 23), SCH_D_D3D_NUMBER);
    assert_int_equal(ONE(PS_5_0, 0x03000091, 0, 0xffffffff), SCH_D_D3D_LENGTH);
    /* x0[x0[x0[x0[x0[r0.x]]]]]: nested too deep */
    assert_int_equal(ONE(PS_5_0, 0x0e000036, 0x00100012, 0, 0x0420300a, 0, 0x0420300a, 0, 0x0420300a, 0, 0x0420300a, 0,
                         0x0420300a, 0, 0x0010000a, 0),
                     SCH_D_D3D_OPERAND);
}

static uint32_t *program_words(const struct sch_d3d_container *container, size_t *count)
{
    const struct sch_d3d_chunk *chunk = sch_d3d_container_program(container);
    assert_non_null(chunk);
    assert_int_equal(chunk->bytes % 4, 0);
    *count = chunk->bytes / 4;
    uint32_t *words = malloc(chunk->bytes + 4);
    assert_non_null(words);
    for (size_t i = 0; i < *count; i++) words[i] = sch_word_at(chunk->data + 4 * i);
    return words;
}

static void test_corpus_gives_itself_back(void **state)
{
    (void)state;
    size_t count, spare = 0, instructions = 0;
    struct d3d_file *files = d3d_corpus(&count);
    for (size_t i = 0; i < count; i++) {
        struct sch_d3d_container *container = d3d_read(files[i].data, files[i].bytes);
        size_t length;
        uint32_t *words = program_words(container, &length);
        struct sch_d3d_program *program;
        unsigned code = decode(words, length, &program);
        if (code) print_message("# %s: %u\n", files[i].name, code);
        assert_int_equal(code, 0);
        assert_int_equal(program->trailing_count, 0);
        for (size_t k = 0; k < program->count; k++) spare += program->instructions[k].spare_count;
        instructions += program->count;
        sch_d3d_program_destroy(program);
        free(words);
        sch_d3d_container_destroy(container);
    }
    print_message("# %zu programs, %zu instructions, %zu spare words\n", count, instructions, spare);
    assert_int_equal(spare, d3d_shared_count(files, count) ? 5 : 0); /* in five programs of fxc */
    d3d_corpus_free(files, count);
}

static void test_damaged_programs_end_with_an_answer(void **state)
{
    (void)state;
    size_t count, accepted = 0, refused = 0;
    struct d3d_file *files = d3d_corpus(&count);
    uint64_t seed = 2;
    for (size_t i = 0; i < count; i += count < 1000 ? 7 : 61) {
        struct sch_d3d_container *container = d3d_read(files[i].data, files[i].bytes);
        size_t length;
        uint32_t *words = program_words(container, &length);
        for (size_t cut = 0; cut < length && cut < 1000; cut++) {
            uint32_t *part = malloc(cut * 4 + 1);
            memcpy(part, words, cut * 4);
            assert_int_not_equal(decode(part, cut, NULL), 0);
            if (cut > 1) {
                part[1] = (uint32_t)cut;
                decode(part, cut, NULL);
            }
            free(part);
        }
        for (unsigned flip = 0; flip < 1000; flip++) {
            uint32_t *damaged = malloc(length * 4);
            memcpy(damaged, words, length * 4);
            for (unsigned k = 0; k < 1 + flip % 3; k++) {
                uint64_t random = random_number(&seed);
                damaged[random % length] ^= 1u << (random >> 32) % 32;
            }
            if (decode(damaged, length, NULL))
                refused++;
            else
                accepted++;
            free(damaged);
        }
        free(words);
        sch_d3d_container_destroy(container);
    }
    print_message("# %zu damaged programs refused, %zu accepted\n", refused, accepted);
    assert_true(refused > 5000 && accepted > 5000);
    d3d_corpus_free(files, count);
}

static void test_limits_hold(void **state)
{
    (void)state;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    limits.instructions = 3;
    limits.declarations = 1;
    const uint32_t words[] = {0x50, 7, 0x0100003a, 0x0100003a, 0x0100003a, 0x0100003a, 0x0100003a};
    struct sch_d3d_program *program;
    assert_int_equal(sch_d3d_decode(&sch_allocator_libc, &limits, words, 7, 0, "SHEX", NULL, &program),
                     SCH_ERROR_LIMIT);
    assert_null(program);
    limits = SCH_LIMITS_DEFAULT;
    limits.memory = 512;
    assert_int_equal(sch_d3d_decode(&sch_allocator_libc, &limits, words, 7, 0, "SHEX", NULL, &program),
                     SCH_ERROR_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_published_words),
        TEST(test_operand_forms),
        TEST(test_every_instruction),
        TEST(test_every_declaration),
        TEST(test_long_lengths),
        TEST(test_broken_words_are_refused),
        TEST(test_corpus_gives_itself_back),
        TEST(test_damaged_programs_end_with_an_answer),
        TEST(test_limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
