/* The public functions of Maxwell programs from outside: kinds, results, struct sizes, NULL arguments, an allocator
 * that fails, many threads on one program. What the texts mean is tested elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/maxwell.h>

#include "../support/api_program.h"
#include "../support/counting.h"
#include "maxwell_group.h"

#define TLDS      "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA"
#define TLDS_WORD 0xda50007000b70904
#define NOP_WORD  0x50b0000000070f00
#define ODD       "TLDS.LZ R1, R5, R9, R11, 0x7, 2D, RGBA" /* registers that are not aligned */

static const char program_text[] = ".arch sm_52\n.section .text.first\n" TLDS ";\n.section .text.second\n.word 5\n";

static struct sch_shader *read_text(struct sch_context *context, const char *text)
{
    struct sch_shader *program = NULL;
    assert_int_equal(maxwell_read(context, text, strlen(text), NULL, NULL, &program), SCH_OK);
    assert_non_null(program);
    return program;
}

/* The generic view of the same: registers that are written (a bit each, of R0 to R63), then all that are read, the
 * guard among them, each once and in the order of their numbers. */
static void check_operands(const struct sch_shader *shader, const struct sch_maxwell_instruction_info *expected,
                           uint64_t written)
{
    struct sch_instruction_info in = {.size = sizeof in};
    struct sch_operand_info operand = {.size = sizeof operand};
    uint64_t reads = 0, found = 0;
    int32_t guard = -1;
    for (uint32_t n = 0; n < expected->operand_count; n++) reads |= UINT64_C(1) << expected->operands[n].number;
    assert_true(sch_shader_instruction(shader, 0, &in));
    for (uint32_t n = 0; sch_shader_operand(shader, 0, n, &operand); n++) {
        const bool writes = n < in.destinations;
        assert_int_equal(operand.kind, writes ? SCH_OPERAND_DESTINATION : SCH_OPERAND_SOURCE);
        assert_int_equal(operand.write_mask, writes);
        assert_true(n < in.destinations + in.sources);
        if (operand.file == SCH_FILE_ADDRESS) {
            guard = operand.index.number;
            continue;
        }
        assert_int_equal(operand.file, SCH_FILE_TEMPORARY);
        if (writes)
            found |= UINT64_C(1) << operand.index.number;
        else
            reads &= ~(UINT64_C(1) << operand.index.number);
    }
    assert_true(found == written);
    assert_int_equal(reads, 0);
    assert_int_equal(guard, expected->guard);
    assert_int_equal(in.target, expected->target < 0 ? SCH_TARGET_UNKNOWN : (unsigned)expected->target);
}

static void check_instruction(struct sch_context *context, const char *text, uint64_t written,
                              const struct sch_maxwell_instruction_info *expected)
{
    struct sch_shader *program = read_text(context, text);
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    assert_true(sch_maxwell_instruction(program, 0, &info));
    assert_int_equal(info.operand_count, expected->operand_count);
    for (uint32_t n = 0; n < info.operand_count; n++) {
        assert_int_equal(info.operands[n].number, expected->operands[n].number);
        assert_int_equal(info.operands[n].kind, expected->operands[n].kind);
    }
    check_operands(program, expected, written);
    assert_int_equal(info.guard, expected->guard);
    assert_int_equal(info.handle, expected->handle);
    assert_int_equal(info.target, expected->target);
    assert_int_equal(info.compares, expected->compares);
    sch_shader_destroy(program);
}

/* By the packing tables of the pages: what stands in Ra and Rb, in which order, and where results go. */
static void an_instruction_says_what_it_reads_and_writes(void **state)
{
    const enum sch_maxwell_operand_kind F = SCH_MAXWELL_READS_FLOAT, I = SCH_MAXWELL_READS_INTEGER;
    (void)state;
    struct sch_context *context = api_context();
    check_instruction(
        context, TLDS, 0x33,
        &(struct sch_maxwell_instruction_info){
            .operands = {{9, I}, {11, I}}, .operand_count = 2, .guard = -1, .handle = 7, .target = SCH_TARGET_2D});
    check_instruction(
        context, "@!P3 TEX.AOFFI.DC R40, R8, R4, 0x10, ARRAY_2D, 0x5", UINT64_C(0x300) << 32,
        &(struct sch_maxwell_instruction_info){
            .operands = {{8, SCH_MAXWELL_READS_LAYER}, {9, F}, {10, F}, {4, SCH_MAXWELL_READS_OFFSETS}, {5, F}},
            .operand_count = 5,
            .guard = 3,
            .handle = 16,
            .target = SCH_TARGET_2D_ARRAY,
            .compares = true});
    check_instruction(context, "TEX.B.LL RZ, R8, R4, 0x0, CUBE, 0xf", 0,
                      &(struct sch_maxwell_instruction_info){
                          .operands = {{8, F}, {9, F}, {10, F}, {4, SCH_MAXWELL_READS_HANDLE}, {5, F}},
                          .operand_count = 5,
                          .guard = -1,
                          .handle = -1,
                          .target = SCH_TARGET_CUBE});
    check_instruction(context, "TXQ R0, R5, TEX_HEADER_DIMENSION, 0x3, 0x1", 1,
                      &(struct sch_maxwell_instruction_info){
                          .operands = {{5, I}}, .operand_count = 1, .guard = -1, .handle = 3, .target = -1});
    check_instruction(context, "TXD.AOFFI R8, R0, R4, 0x2, ARRAY_1D, 0x1", 0x100,
                      &(struct sch_maxwell_instruction_info){
                          .operands = {{0, F}, {1, SCH_MAXWELL_READS_LAYER_OFFSETS}, {4, F}, {5, F}},
                          .operand_count = 4,
                          .guard = -1,
                          .handle = 2,
                          .target = SCH_TARGET_1D_ARRAY});
    check_instruction(context, ".word 5", 0,
                      &(struct sch_maxwell_instruction_info){.guard = -1, .handle = -1, .target = -1});
    sch_context_destroy(context);
}

static void a_program_says_what_it_is(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *program = read_text(context, program_text);
    struct sch_maxwell_code_info info = {.size = sizeof info};
    assert_int_equal(sch_maxwell_get_info(program, &info), SCH_OK);
    assert_int_equal(info.kind, SCH_KIND_MAXWELL_TEXT);
    assert_int_equal(info.arch, SCH_MAXWELL_SM_52);
    assert_int_equal(info.sections, 2);
    assert_int_equal(info.instructions, 6);
    assert_int_equal(info.textures, 1);
    struct sch_maxwell_section_info view = {.size = sizeof view};
    assert_true(sch_maxwell_section(program, 1, &view));
    assert_string_equal(view.name, "second");
    assert_int_equal(view.instructions, 3);
    assert_int_equal(view.textures, 0);
    assert_false(sch_maxwell_section(program, 2, &view));
    assert_false(view.is_kernel);
    /* A text has nothing beside its code. */
    struct sch_maxwell_note_info note = {.size = sizeof note};
    assert_false(sch_maxwell_note(program, 0, &note));
    assert_false(sch_maxwell_note(NULL, 0, &note));
    assert_false(sch_maxwell_note(program, 0, NULL));

    char *text = NULL;
    size_t bytes = 77;
    assert_int_equal(sch_shader_print(program, NULL, &text, &bytes), SCH_OK);
    assert_int_equal(bytes, strlen(text));
    sch_free(context, text);
    uint32_t *words;
    size_t count;
    assert_int_equal(sch_shader_tokens(program, NULL, &words, &count), SCH_OK);
    assert_int_equal(count, 16);
    uint64_t whole[8];
    for (size_t i = 0; i < 8; i++) whole[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    assert_true(whole[0] == (0x7e0 | (uint64_t)0x7e0 << 21 | (uint64_t)0x7e0 << 42));
    assert_true(whole[1] == TLDS_WORD && whole[2] == NOP_WORD && whole[5] == 5);

    /* The words as raw code: the same hash, another kind. */
    unsigned char raw[64];
    void *bytes_of_it;
    for (size_t i = 0; i < sizeof raw; i++) raw[i] = (unsigned char)(words[i / 4] >> i % 4 * 8);
    sch_free(context, words);
    assert_int_equal(sch_shader_serialize(program, NULL, &bytes_of_it, &count), SCH_OK);
    assert_int_equal(count, sizeof raw);
    assert_memory_equal(bytes_of_it, raw, sizeof raw);
    sch_free(context, bytes_of_it);
    struct sch_shader *again = NULL;
    assert_int_equal(maxwell_read(context, raw, sizeof raw, NULL, NULL, &again), SCH_OK);
    struct sch_maxwell_code_info other = {.size = sizeof other};
    assert_int_equal(sch_maxwell_get_info(again, &other), SCH_OK);
    assert_int_equal(other.kind, SCH_KIND_MAXWELL_RAW);
    assert_int_equal(other.arch, SCH_MAXWELL_SM_50);
    assert_true(other.hash == info.hash);
    sch_shader_destroy(again);
    sch_shader_destroy(program);
    sch_context_destroy(context);
}

static void kinds_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum sch_kind kind;
    } rows[] = {
        {TLDS, SCH_KIND_MAXWELL_TEXT},
        {" // TGSI?\n/* no */ ; @!P0 TEX", SCH_KIND_MAXWELL_TEXT},
        {".arch sm_50", SCH_KIND_MAXWELL_TEXT},
        {".section .text.x", SCH_KIND_MAXWELL_TEXT},
        {".control 5", SCH_KIND_MAXWELL_TEXT},
        {"{ TXQ", SCH_KIND_MAXWELL_TEXT},
        {"TEX.LL R0", SCH_KIND_MAXWELL_TEXT},
        {"FRAG\nTEX TEMP[0], IN[0], SAMP[0], 2D", SCH_KIND_TGSI},
        {"TEXAS", SCH_KIND_TGSI},
        {"", SCH_KIND_TGSI},
        {"/* no end", SCH_KIND_TGSI},
        {"\177ELF", SCH_KIND_CUBIN},
        {"\177EL", SCH_KIND_TGSI},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sch_shader_recognise(rows[i].text, strlen(rows[i].text)) != rows[i].kind) fail_msg("%s", rows[i].text);
    assert_int_equal(sch_shader_recognise(NULL, 0), SCH_KIND_TGSI);
    /* What stands behind the bytes is not looked at. */
    static const struct {
        const char *text;
        size_t bytes;
        enum sch_kind kind;
    } cut[] = {{"\177ELF", 3, SCH_KIND_TGSI},
               {" TEX R0", 3, SCH_KIND_TGSI},
               {" TEX R0", 4, SCH_KIND_MAXWELL_TEXT},
               {"  TLDX", 5, SCH_KIND_MAXWELL_TEXT},
               {" \n TLD4S", 6, SCH_KIND_MAXWELL_TEXT},
               {".arch ", 5, SCH_KIND_TGSI},
               {" .arch ", 7, SCH_KIND_MAXWELL_TEXT},
               {" @P0", 2, SCH_KIND_TGSI},
               {"// TEX\nTEX", 7, SCH_KIND_TGSI},
               {"// TEX\nTEX", 6, SCH_KIND_TGSI},
               {"//\nTEX", 6, SCH_KIND_MAXWELL_TEXT},
               {"/**/TEX", 7, SCH_KIND_MAXWELL_TEXT},
               {"/**/TEX", 3, SCH_KIND_TGSI},
               {"/*/TEX", 6, SCH_KIND_TGSI},
               {"/ TEX", 5, SCH_KIND_TGSI},
               {"/", 1, SCH_KIND_TGSI},
               {"/**/TEX", 1, SCH_KIND_TGSI},
               {"/**/TEX", 2, SCH_KIND_TGSI},
               {"TEX8", 4, SCH_KIND_TGSI},
               {"TEXA", 4, SCH_KIND_TGSI},
               {"TEXZ", 4, SCH_KIND_TGSI},
               {"TEX0", 4, SCH_KIND_TGSI},
               {"TEX9", 4, SCH_KIND_TGSI},
               {"TEX.", 4, SCH_KIND_MAXWELL_TEXT},
               {"TEX[", 4, SCH_KIND_MAXWELL_TEXT},
               {"TEX@", 4, SCH_KIND_MAXWELL_TEXT},
               {"TEX:", 4, SCH_KIND_MAXWELL_TEXT},
               {"TEX/", 4, SCH_KIND_MAXWELL_TEXT},
               {"TEX", 3, SCH_KIND_MAXWELL_TEXT},
               {"\0TEX", 4, SCH_KIND_TGSI},
               {"\t\v\f\r;TXQ", 8, SCH_KIND_MAXWELL_TEXT}};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
        if (sch_shader_recognise(cut[i].text, cut[i].bytes) != cut[i].kind)
            fail_msg("%zu bytes of %s", cut[i].bytes, cut[i].text);
}

static void check_refuses_and_warn_warns(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_diagnostics_list *list;
    struct sch_diagnostic_info view = {.size = sizeof view};
    struct sch_shader *odd = read_text(context, TLDS ";\n" ODD), *good = read_text(context, TLDS);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    assert_int_equal(sch_shader_check(good, list), SCH_OK);
    assert_int_equal(sch_maxwell_warn(odd, list), SCH_OK);
    assert_int_equal(sch_diagnostics_errors(list), 0);
    size_t warnings = sch_diagnostics_warnings(list);
    assert_true(warnings > 0);
    assert_int_equal(sch_shader_check(odd, list), SCH_ERROR_INVALID);
    assert_int_equal(sch_diagnostics_errors(list), warnings);
    assert_int_equal(sch_shader_check(odd, NULL), SCH_ERROR_INVALID);
    struct sch_diagnostic_info first = {.size = sizeof first};
    assert_true(sch_diagnostics_get(list, 0, &first) && sch_diagnostics_get(list, warnings, &view));
    assert_int_equal(first.code, view.code);
    assert_int_equal(view.line, 2);
    assert_int_equal(view.severity, SCH_SEVERITY_ERROR);
    sch_diagnostics_destroy(list);
    sch_shader_destroy(odd);
    sch_shader_destroy(good);
    sch_context_destroy(context);
}

static void one_instruction_there_and_back(void **state)
{
    (void)state;
    char text[SCH_MAXWELL_TEXT_BYTES];
    uint64_t word = 0;
    uint32_t slot = 0;
    assert_true(sch_maxwell_disassemble(TLDS_WORD, NULL, text));
    assert_string_equal(text, TLDS ";");
    assert_false(sch_maxwell_disassemble(0x123, NULL, text));
    assert_string_equal(text, "");
    assert_true(sch_maxwell_disassemble(NOP_WORD, NULL, text));
    assert_string_equal(text, "NOP;");
    assert_int_equal(sch_maxwell_assemble(TLDS, strlen(TLDS), NULL, NULL, &word, NULL), SCH_OK);
    assert_true(word == TLDS_WORD);

    struct sch_maxwell_word_options options = {
        .size = sizeof options, .has_control = true, .slot = 1, .control = (uint64_t)(2 << 17 | 0x732) << 21};
    assert_true(sch_maxwell_disassemble(TLDS_WORD, &options, text));
    assert_string_equal(text, "TLDS.LZ.P R0, R4, R9, R11, 0x7, 2D, RGBA ;");
    options.style = SCH_MAXWELL_TEXT_ISA;
    assert_true(sch_maxwell_disassemble(TLDS_WORD, &options, text));
    assert_int_equal(sch_maxwell_assemble(text, strlen(text), NULL, NULL, &word, &slot), SCH_OK);
    assert_true(word == TLDS_WORD);
    assert_int_equal(slot, 2 << 17 | 0x732);

    options.slot = 3;
    assert_false(sch_maxwell_disassemble(TLDS_WORD, &options, text));
    assert_int_equal(sch_maxwell_assemble(TLDS, strlen(TLDS), &options, NULL, &word, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_assemble("TLDS", 4, NULL, NULL, &word, NULL), SCH_ERROR_INVALID);
    assert_int_equal(sch_maxwell_assemble(NULL, 0, NULL, NULL, &word, NULL), SCH_ERROR_INVALID);
}

static void wrong_calls_are_named(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *program = NULL, *good = read_text(context, TLDS);
    struct sch_read_options read = {.size = sizeof read};
    char *text;
    char line[SCH_MAXWELL_TEXT_BYTES];
    uint32_t *words;
    uint64_t word;
    size_t count;
    assert_int_equal(maxwell_read(context, TLDS, 4, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(maxwell_read(NULL, TLDS, 4, NULL, NULL, &program), SCH_ERROR_ARGUMENT);
    assert_int_equal(maxwell_read(context, NULL, 4, NULL, NULL, &program), SCH_ERROR_ARGUMENT);
    assert_int_equal(maxwell_read(context, NULL, 0, NULL, NULL, &program), SCH_ERROR_INVALID);
    read.kind = (enum sch_kind)9;
    assert_int_equal(maxwell_read(context, TLDS, 4, &read, NULL, &program), SCH_ERROR_ARGUMENT);
    read = (struct sch_read_options){.size = sizeof read, .arch = (enum sch_maxwell_arch)51};
    assert_int_equal(maxwell_read(context, TLDS, 4, &read, NULL, &program), SCH_ERROR_ARGUMENT);
    read = (struct sch_read_options){.size = 3};
    assert_int_equal(maxwell_read(context, TLDS, 4, &read, NULL, &program), SCH_ERROR_ARGUMENT);
    read = (struct sch_read_options){.size = sizeof read, .kind = SCH_KIND_CUBIN};
    assert_int_equal(maxwell_read(context, TLDS, 4, &read, NULL, &program), SCH_ERROR_INVALID);
    read.kind = SCH_KIND_MAXWELL_RAW;
    assert_int_equal(maxwell_read(context, TLDS, 32, &read, NULL, &program), SCH_OK);
    sch_shader_destroy(program);

    struct sch_print_options print = {.size = sizeof print, .style = (enum sch_maxwell_text_style)2};
    assert_int_equal(sch_shader_print(good, &print, &text, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_print(NULL, NULL, &text, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_print(good, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_tokens(good, NULL, &words, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_tokens(NULL, NULL, &words, &count), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_shader_check(NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_warn(NULL, NULL), SCH_ERROR_ARGUMENT);
    struct sch_maxwell_code_info info = {.size = 0};
    assert_int_equal(sch_maxwell_get_info(good, &info), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_get_info(good, NULL), SCH_ERROR_ARGUMENT);
    assert_false(sch_maxwell_section(NULL, 0, NULL));
    assert_false(sch_maxwell_disassemble(TLDS_WORD, NULL, NULL));
    struct sch_maxwell_word_options options = {.size = sizeof options, .arch = (enum sch_maxwell_arch)1};
    assert_false(sch_maxwell_disassemble(TLDS_WORD, &options, line));
    assert_int_equal(sch_maxwell_assemble(TLDS, 4, NULL, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_assemble(TLDS, 4, &options, NULL, &word, NULL), SCH_ERROR_ARGUMENT);
    sch_shader_destroy(NULL);
    sch_shader_destroy(good);
    sch_context_destroy(context);
}

/* Reads, prints and takes the words; the worst result. */
static enum sch_result use_all(struct sch_context *context, const void *data, size_t bytes)
{
    struct sch_diagnostics_list *list = NULL;
    struct sch_shader *program = NULL;
    char *text = NULL;
    uint32_t *words = NULL;
    size_t count;
    enum sch_result result = sch_diagnostics_create(context, &list);
    if (result == SCH_OK) result = maxwell_read(context, data, bytes, NULL, list, &program);
    if (result == SCH_OK) result = sch_maxwell_warn(program, list);
    if (result == SCH_OK) result = sch_shader_print(program, NULL, &text, NULL);
    if (result == SCH_OK) result = sch_shader_tokens(program, NULL, &words, &count);
    sch_free(context, text);
    sch_free(context, words);
    sch_shader_destroy(program);
    sch_diagnostics_destroy(list);
    return result;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (int fail_at = 1;; fail_at++) {
        struct counting counting = {.fail_at = fail_at};
        struct sch_allocator memory = counting_callbacks(&counting);
        struct sch_context_options options = {.size = sizeof options, .memory = &memory};
        struct sch_context *context;
        enum sch_result result = sch_context_create(&options, &context);
        if (result == SCH_OK) {
            result = use_all(context, program_text, sizeof program_text - 1);
            sch_context_destroy(context);
        }
        assert_int_equal(counting.live, 0);
        if (result == SCH_OK) break;
        assert_int_equal(result, SCH_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures >= 5);
}

struct task {
    struct sch_context *context;
    const struct sch_shader *program;
    char *text;
};

static void *print_program(void *user)
{
    struct task *task = user;
    for (int i = 0; i < 50; i++) {
        sch_free(task->context, task->text);
        if (sch_shader_print(task->program, NULL, &task->text, NULL) != SCH_OK) return NULL;
    }
    return NULL;
}

static void threads_share_a_program(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct sch_context *context = api_context();
    struct sch_shader *program = read_text(context, program_text);
    struct task tasks[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        tasks[i] = (struct task){context, program, NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, print_program, &tasks[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_non_null(tasks[i].text);
        assert_string_equal(tasks[i].text, tasks[0].text);
    }
    for (int i = 0; i < THREADS; i++) sch_free(context, tasks[i].text);
    sch_shader_destroy(program);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_says_what_it_is),
        cmocka_unit_test(an_instruction_says_what_it_reads_and_writes),
        cmocka_unit_test(kinds_are_recognised),
        cmocka_unit_test(check_refuses_and_warn_warns),
        cmocka_unit_test(one_instruction_there_and_back),
        cmocka_unit_test(wrong_calls_are_named),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(threads_share_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
