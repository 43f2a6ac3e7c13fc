/* What src/tgsi says of wrong inputs, in full: every report of a text or of a program of binary tokens, its place and
 * its words. The rows stand in tgsi_text_cases.def and tgsi_token_cases.def. */
#include "tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that was reported, and the print of what was read. */
static void outcome(const struct reading *reading, char *text, size_t room)
{
    size_t at = 0;
    for (size_t i = 0; i < reading->diagnostics.count; i++) {
        const struct sch_diagnostic *item = &reading->diagnostics.items[i];
        const char *mark = item->severity == SCH_SEVERITY_WARNING ? "W " : "";
        if (item->position.line)
            at += (size_t)snprintf(text + at, room - at, "%s%u:%u: %s\n", mark, item->position.line,
                                   item->position.column, item->message);
        else
            at += (size_t)snprintf(text + at, room - at, "%s%u: %s\n", mark, (unsigned)item->position.offset / 4,
                                   item->message);
        assert_true(at < room);
    }
    char *print = reading->shader ? print_shader(reading->shader, SCH_FLOATS_UNKNOWN) : NULL;
    snprintf(text + at, room - at, "%s", print ? print : "");
    free(print);
}

static void texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
        const char *outcome;
    } cases[] = {
#define CASE(text, outcome) {text, sizeof text - 1, outcome},
#include "tgsi_text_cases.def"
#undef CASE
    };
    char found[4096];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading reading = read_text(cases[i].text, cases[i].bytes);
        outcome(&reading, found, sizeof found);
        if (strcmp(found, cases[i].outcome) != 0)
            fail_msg("%s\nis\n%s\nand should be\n%s", cases[i].text, found, cases[i].outcome);
        release(&reading);
    }
}

enum { VERT = 0, CTRL = 1, EVAL = 2, GEOM = 3, FRAG = 4, DST = 4 | 15 << 4 };

/* What is read is written as the same words. */
static void tokens(void **state)
{
    (void)state;
    static const struct {
        const char *outcome;
        size_t count;
        uint32_t words[16];
    } cases[] = {
#define BODY(stage, count)       2 | (count) << 8, stage
#define DCL(words, file)         (uint32_t)((words) << 4 | (file) << 12 | 15 << 16)
#define INS(words, opcode, d, s) (uint32_t)(2 | (words) << 4 | (opcode) << 12 | (d) << 21 | (s) << 23)
#define SRC(file)                ((file) | 0xe4u << 22)
#define OFFSET(n)                ((n) | 7 << 16 | (n) << 20)
#define CASE(outcome, ...)       {outcome, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), {__VA_ARGS__}},
#include "tgsi_token_cases.def"
#undef CASE
    };
    char found[4096];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading reading = read_words(cases[i].words, cases[i].count);
        outcome(&reading, found, sizeof found);
        if (strcmp(found, cases[i].outcome) != 0) fail_msg("row %zu is\n%s\nnot\n%s", i, found, cases[i].outcome);
        if (reading.shader) {
            size_t count;
            uint32_t *words = encode_shader(reading.shader, &count);
            assert_int_equal(count, cases[i].count);
            assert_memory_equal(words, cases[i].words, count * sizeof *words);
            free(words);
        }
        release(&reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(tokens),
    };
    return cmocka_run_group_tests_name("tgsi_reports", tests, NULL, NULL);
}
