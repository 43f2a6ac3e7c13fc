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

#include "api_program.h"
#include "counting.h"

#define TLDS      "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA"
#define TLDS_WORD 0xda50007000b70904
#define NOP_WORD  0x50b0000000070f00
#define ODD       "TLDS.LZ R1, R5, R9, R11, 0x7, 2D, RGBA" /* registers that are not aligned */

static const char program_text[] = ".arch sm_52\n.section .text.first\n" TLDS ";\n.section .text.second\n.word 5\n";

static struct sch_maxwell_program *read_text(struct sch_context *context, const char *text)
{
    struct sch_maxwell_program *program = NULL;
    assert_int_equal(sch_maxwell_program_read(context, text, strlen(text), NULL, NULL, &program), SCH_OK);
    assert_non_null(program);
    return program;
}

static void check_instruction(struct sch_context *context, const char *text,
                              const struct sch_maxwell_instruction_info *expected)
{
    struct sch_maxwell_program *program = read_text(context, text);
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    assert_true(sch_maxwell_program_instruction(program, 0, 0, &info));
    assert_int_equal(info.operand_count, expected->operand_count);
    for (uint32_t n = 0; n < info.operand_count; n++) {
        assert_int_equal(info.operands[n].number, expected->operands[n].number);
        assert_int_equal(info.operands[n].kind, expected->operands[n].kind);
    }
    assert_memory_equal(info.written, expected->written, sizeof info.written);
    assert_int_equal(info.written_predicates, expected->written_predicates);
    assert_int_equal(info.guard, expected->guard);
    assert_int_equal(info.handle, expected->handle);
    assert_int_equal(info.target, expected->target);
    assert_int_equal(info.compares, expected->compares);
    sch_maxwell_program_destroy(program);
}

/* By the packing tables of the pages: what stands in Ra and Rb, in which order, and where results go. */
static void an_instruction_says_what_it_reads_and_writes(void **state)
{
    const enum sch_maxwell_operand_kind F = SCH_MAXWELL_READS_FLOAT, I = SCH_MAXWELL_READS_INTEGER;
    (void)state;
    struct sch_context *context = api_context();
    check_instruction(context, TLDS,
                      &(struct sch_maxwell_instruction_info){.operands = {{9, I}, {11, I}},
                                                             .operand_count = 2,
                                                             .written = {0x33},
                                                             .guard = -1,
                                                             .handle = 7,
                                                             .target = SCH_TARGET_2D});
    check_instruction(
        context, "@!P3 TEX.AOFFI.DC R40, R8, R4, 0x10, ARRAY_2D, 0x5",
        &(struct sch_maxwell_instruction_info){
            .operands = {{8, SCH_MAXWELL_READS_LAYER}, {9, F}, {10, F}, {4, SCH_MAXWELL_READS_OFFSETS}, {5, F}},
            .operand_count = 5,
            .written = {0, 0x300},
            .guard = 3,
            .handle = 16,
            .target = SCH_TARGET_2D_ARRAY,
            .compares = true});
    check_instruction(context, "TEX.B.LL RZ, R8, R4, 0x0, CUBE, 0xf",
                      &(struct sch_maxwell_instruction_info){
                          .operands = {{8, F}, {9, F}, {10, F}, {4, SCH_MAXWELL_READS_HANDLE}, {5, F}},
                          .operand_count = 5,
                          .guard = -1,
                          .handle = -1,
                          .target = SCH_TARGET_CUBE});
    check_instruction(
        context, "TXQ R0, R5, TEX_HEADER_DIMENSION, 0x3, 0x1",
        &(struct sch_maxwell_instruction_info){
            .operands = {{5, I}}, .operand_count = 1, .written = {1}, .guard = -1, .handle = 3, .target = -1});
    check_instruction(context, "TXD.AOFFI R8, R0, R4, 0x2, ARRAY_1D, 0x1",
                      &(struct sch_maxwell_instruction_info){
                          .operands = {{0, F}, {1, SCH_MAXWELL_READS_LAYER_OFFSETS}, {4, F}, {5, F}},
                          .operand_count = 4,
                          .written = {0x100},
                          .guard = -1,
                          .handle = 2,
                          .target = SCH_TARGET_1D_ARRAY});
    check_instruction(context, ".word 5",
                      &(struct sch_maxwell_instruction_info){.guard = -1, .handle = -1, .target = -1});
    sch_context_destroy(context);
}

static void a_program_says_what_it_is(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_maxwell_program *program = read_text(context, program_text);
    struct sch_maxwell_program_info info = {.size = sizeof info};
    assert_int_equal(sch_maxwell_program_get_info(program, &info), SCH_OK);
    assert_int_equal(info.kind, SCH_MAXWELL_KIND_TEXT);
    assert_int_equal(info.arch, SCH_MAXWELL_SM_52);
    assert_int_equal(info.sections, 2);
    assert_int_equal(info.instructions, 6);
    assert_int_equal(info.textures, 1);
    struct sch_maxwell_section_info view = {.size = sizeof view};
    assert_true(sch_maxwell_program_section(program, 1, &view));
    assert_string_equal(view.name, "second");
    assert_int_equal(view.instructions, 3);
    assert_int_equal(view.textures, 0);
    assert_false(sch_maxwell_program_section(program, 2, &view));
    assert_false(view.is_kernel);
    /* A text has nothing beside its code. */
    struct sch_maxwell_note_info note = {.size = sizeof note};
    assert_false(sch_maxwell_program_note(program, 0, &note));
    assert_false(sch_maxwell_program_note(NULL, 0, &note));
    assert_false(sch_maxwell_program_note(program, 0, NULL));

    char *text = NULL;
    size_t bytes = 77;
    assert_int_equal(sch_maxwell_program_print(program, NULL, &text, &bytes), SCH_OK);
    assert_int_equal(bytes, strlen(text));
    sch_free(context, text);
    uint64_t *words;
    size_t count;
    assert_int_equal(sch_maxwell_program_words(program, &words, &count), SCH_OK);
    assert_int_equal(count, 8);
    assert_true(words[0] == (0x7e0 | (uint64_t)0x7e0 << 21 | (uint64_t)0x7e0 << 42));
    assert_true(words[1] == TLDS_WORD && words[2] == NOP_WORD && words[5] == 5);

    /* The words as raw code: the same hash, another kind. */
    unsigned char raw[64];
    for (size_t i = 0; i < sizeof raw; i++) raw[i] = (unsigned char)(words[i / 8] >> i % 8 * 8);
    sch_free(context, words);
    struct sch_maxwell_program *again = NULL;
    assert_int_equal(sch_maxwell_program_read(context, raw, sizeof raw, NULL, NULL, &again), SCH_OK);
    struct sch_maxwell_program_info other = {.size = sizeof other};
    assert_int_equal(sch_maxwell_program_get_info(again, &other), SCH_OK);
    assert_int_equal(other.kind, SCH_MAXWELL_KIND_RAW);
    assert_int_equal(other.arch, SCH_MAXWELL_SM_50);
    assert_true(other.hash == info.hash);
    sch_maxwell_program_destroy(again);
    sch_maxwell_program_destroy(program);
    sch_context_destroy(context);
}

static void kinds_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum sch_maxwell_kind kind;
    } rows[] = {
        {TLDS, SCH_MAXWELL_KIND_TEXT},          {" // TGSI?\n/* no */ ; @!P0 TEX", SCH_MAXWELL_KIND_TEXT},
        {".arch sm_50", SCH_MAXWELL_KIND_TEXT}, {".section .text.x", SCH_MAXWELL_KIND_TEXT},
        {".control 5", SCH_MAXWELL_KIND_TEXT},  {"{ TXQ", SCH_MAXWELL_KIND_TEXT},
        {"TEX.LL R0", SCH_MAXWELL_KIND_TEXT},   {"FRAG\nTEX TEMP[0], IN[0], SAMP[0], 2D", SCH_MAXWELL_KIND_AUTO},
        {"TEXAS", SCH_MAXWELL_KIND_AUTO},       {"", SCH_MAXWELL_KIND_AUTO},
        {"/* no end", SCH_MAXWELL_KIND_AUTO},   {"\177ELF", SCH_MAXWELL_KIND_CUBIN},
        {"\177EL", SCH_MAXWELL_KIND_AUTO},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sch_maxwell_recognise(rows[i].text, strlen(rows[i].text)) != rows[i].kind) fail_msg("%s", rows[i].text);
    assert_int_equal(sch_maxwell_recognise(NULL, 0), SCH_MAXWELL_KIND_AUTO);
    /* What stands behind the bytes is not looked at. */
    static const struct {
        const char *text;
        size_t bytes;
        enum sch_maxwell_kind kind;
    } cut[] = {{"\177ELF", 3, SCH_MAXWELL_KIND_AUTO},     {" TEX R0", 3, SCH_MAXWELL_KIND_AUTO},
               {" TEX R0", 4, SCH_MAXWELL_KIND_TEXT},     {"  TLDX", 5, SCH_MAXWELL_KIND_TEXT},
               {" \n TLD4S", 6, SCH_MAXWELL_KIND_TEXT},   {".arch ", 5, SCH_MAXWELL_KIND_AUTO},
               {" .arch ", 7, SCH_MAXWELL_KIND_TEXT},     {" @P0", 2, SCH_MAXWELL_KIND_AUTO},
               {"// TEX\nTEX", 7, SCH_MAXWELL_KIND_AUTO}, {"// TEX\nTEX", 6, SCH_MAXWELL_KIND_AUTO},
               {"//\nTEX", 6, SCH_MAXWELL_KIND_TEXT},     {"/**/TEX", 7, SCH_MAXWELL_KIND_TEXT},
               {"/**/TEX", 3, SCH_MAXWELL_KIND_AUTO},     {"/*/TEX", 6, SCH_MAXWELL_KIND_AUTO},
               {"/ TEX", 5, SCH_MAXWELL_KIND_AUTO},       {"/", 1, SCH_MAXWELL_KIND_AUTO},
               {"/**/TEX", 1, SCH_MAXWELL_KIND_AUTO},     {"/**/TEX", 2, SCH_MAXWELL_KIND_AUTO},
               {"TEX8", 4, SCH_MAXWELL_KIND_AUTO},        {"TEXA", 4, SCH_MAXWELL_KIND_AUTO},
               {"TEXZ", 4, SCH_MAXWELL_KIND_AUTO},        {"TEX0", 4, SCH_MAXWELL_KIND_AUTO},
               {"TEX9", 4, SCH_MAXWELL_KIND_AUTO},        {"TEX.", 4, SCH_MAXWELL_KIND_TEXT},
               {"TEX[", 4, SCH_MAXWELL_KIND_TEXT},        {"TEX@", 4, SCH_MAXWELL_KIND_TEXT},
               {"TEX:", 4, SCH_MAXWELL_KIND_TEXT},        {"TEX/", 4, SCH_MAXWELL_KIND_TEXT},
               {"TEX", 3, SCH_MAXWELL_KIND_TEXT},         {"\0TEX", 4, SCH_MAXWELL_KIND_AUTO},
               {"\t\v\f\r;TXQ", 8, SCH_MAXWELL_KIND_TEXT}};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
        if (sch_maxwell_recognise(cut[i].text, cut[i].bytes) != cut[i].kind)
            fail_msg("%zu bytes of %s", cut[i].bytes, cut[i].text);
}

static void check_refuses_and_warn_warns(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_diagnostics_list *list;
    struct sch_diagnostic_info view = {.size = sizeof view};
    struct sch_maxwell_program *odd = read_text(context, TLDS ";\n" ODD), *good = read_text(context, TLDS);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    assert_int_equal(sch_maxwell_program_check(good, list), SCH_OK);
    assert_int_equal(sch_maxwell_program_warn(odd, list), SCH_OK);
    assert_int_equal(sch_diagnostics_errors(list), 0);
    size_t warnings = sch_diagnostics_warnings(list);
    assert_true(warnings > 0);
    assert_int_equal(sch_maxwell_program_check(odd, list), SCH_ERROR_INVALID);
    assert_int_equal(sch_diagnostics_errors(list), warnings);
    assert_int_equal(sch_maxwell_program_check(odd, NULL), SCH_ERROR_INVALID);
    struct sch_diagnostic_info first = {.size = sizeof first};
    assert_true(sch_diagnostics_get(list, 0, &first) && sch_diagnostics_get(list, warnings, &view));
    assert_int_equal(first.code, view.code);
    assert_int_equal(view.line, 2);
    assert_int_equal(view.severity, SCH_SEVERITY_ERROR);
    sch_diagnostics_destroy(list);
    sch_maxwell_program_destroy(odd);
    sch_maxwell_program_destroy(good);
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
    struct sch_maxwell_program *program = NULL, *good = read_text(context, TLDS);
    struct sch_maxwell_read_options read = {.size = sizeof read};
    char *text;
    char line[SCH_MAXWELL_TEXT_BYTES];
    uint64_t *words, word;
    size_t count;
    assert_int_equal(sch_maxwell_program_read(context, TLDS, 4, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_read(NULL, TLDS, 4, NULL, NULL, &program), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_read(context, NULL, 4, NULL, NULL, &program), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_read(context, NULL, 0, NULL, NULL, &program), SCH_ERROR_INVALID);
    read.kind = (enum sch_maxwell_kind)4;
    assert_int_equal(sch_maxwell_program_read(context, TLDS, 4, &read, NULL, &program), SCH_ERROR_ARGUMENT);
    read = (struct sch_maxwell_read_options){.size = sizeof read, .arch = (enum sch_maxwell_arch)51};
    assert_int_equal(sch_maxwell_program_read(context, TLDS, 4, &read, NULL, &program), SCH_ERROR_ARGUMENT);
    read = (struct sch_maxwell_read_options){.size = 3};
    assert_int_equal(sch_maxwell_program_read(context, TLDS, 4, &read, NULL, &program), SCH_ERROR_ARGUMENT);
    read = (struct sch_maxwell_read_options){.size = sizeof read, .kind = SCH_MAXWELL_KIND_CUBIN};
    assert_int_equal(sch_maxwell_program_read(context, TLDS, 4, &read, NULL, &program), SCH_ERROR_INVALID);
    read.kind = SCH_MAXWELL_KIND_RAW;
    assert_int_equal(sch_maxwell_program_read(context, TLDS, 32, &read, NULL, &program), SCH_OK);
    sch_maxwell_program_destroy(program);

    struct sch_maxwell_print_options print = {.size = sizeof print, .style = (enum sch_maxwell_text_style)2};
    assert_int_equal(sch_maxwell_program_print(good, &print, &text, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_print(NULL, NULL, &text, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_print(good, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_words(good, &words, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_words(NULL, &words, &count), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_check(NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_warn(NULL, NULL), SCH_ERROR_ARGUMENT);
    struct sch_maxwell_program_info info = {.size = 0};
    assert_int_equal(sch_maxwell_program_get_info(good, &info), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_program_get_info(good, NULL), SCH_ERROR_ARGUMENT);
    assert_false(sch_maxwell_program_section(NULL, 0, NULL));
    assert_false(sch_maxwell_disassemble(TLDS_WORD, NULL, NULL));
    struct sch_maxwell_word_options options = {.size = sizeof options, .arch = (enum sch_maxwell_arch)1};
    assert_false(sch_maxwell_disassemble(TLDS_WORD, &options, line));
    assert_int_equal(sch_maxwell_assemble(TLDS, 4, NULL, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_maxwell_assemble(TLDS, 4, &options, NULL, &word, NULL), SCH_ERROR_ARGUMENT);
    sch_maxwell_program_destroy(NULL);
    sch_maxwell_program_destroy(good);
    sch_context_destroy(context);
}

/* Reads, prints and takes the words; the worst result. */
static enum sch_result use_all(struct sch_context *context, const void *data, size_t bytes)
{
    struct sch_diagnostics_list *list = NULL;
    struct sch_maxwell_program *program = NULL;
    char *text = NULL;
    uint64_t *words = NULL;
    size_t count;
    enum sch_result result = sch_diagnostics_create(context, &list);
    if (result == SCH_OK) result = sch_maxwell_program_read(context, data, bytes, NULL, list, &program);
    if (result == SCH_OK) result = sch_maxwell_program_warn(program, list);
    if (result == SCH_OK) result = sch_maxwell_program_print(program, NULL, &text, NULL);
    if (result == SCH_OK) result = sch_maxwell_program_words(program, &words, &count);
    sch_free(context, text);
    sch_free(context, words);
    sch_maxwell_program_destroy(program);
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
    const struct sch_maxwell_program *program;
    char *text;
};

static void *print_program(void *user)
{
    struct task *task = user;
    for (int i = 0; i < 50; i++) {
        sch_free(task->context, task->text);
        if (sch_maxwell_program_print(task->program, NULL, &task->text, NULL) != SCH_OK) return NULL;
    }
    return NULL;
}

static void threads_share_a_program(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct sch_context *context = api_context();
    struct sch_maxwell_program *program = read_text(context, program_text);
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
    sch_maxwell_program_destroy(program);
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
