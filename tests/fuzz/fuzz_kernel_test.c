/* Fuzz target: tests of kernels (NAME.test). A text that is refused has an error with its place in the text; the memory
 * of one that is read is bounded by its length; results compare as equal with the words that the text has for them, and
 * textures are made of what there is. */
#include <string.h>

#include "../../src/cli/launch/test.h"
#include "fuzz.h"

enum { MOST = 1 << 14 };

static const char *fault;
static unsigned errors;

/* ---- what the command has for it ---- */

void sch_cli_report(const struct sch_cli_location *location, unsigned code, const char *format, ...)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < location->input->bytes; i++) lines += location->input->data[i] == '\n';
    if (!code || !format || !*format) fault = "a report without number or words";
    if (!location->line || location->line > lines) fault = "a report beyond the last line";
    if (location->column > location->input->bytes + 1) fault = "a report beyond the end of its line";
    errors++;
}

enum sch_cli_exit sch_cli_fail(enum sch_cli_exit code, const char *format, ...)
{
    if (code != SCH_CLI_LIMIT || !format || !*format) fault = "a failure that has no place";
    errors++;
    return code;
}

enum sch_cli_exit sch_cli_no_memory(void)
{
    errors++;
    return SCH_CLI_LIMIT;
}

enum sch_cli_exit sch_cli_result(enum sch_result result, const struct sch_diagnostics_list *list, const char *name)
{
    if (result == SCH_OK) return SCH_CLI_YES;
    if (list && name) errors++;
    return SCH_CLI_NO;
}

enum sch_cli_exit sch_cli_print_diagnostics(const struct sch_diagnostics_list *list, const struct sch_cli_input *input)
{
    (void)input;
    if (!list) fault = "reports of no list";
    return SCH_CLI_YES;
}

/* ---- the target ---- */

static void compare(const struct sch_cli_test *test)
{
    struct sch_cli_test_difference differences[4];
    struct sch_cli_test_verdict verdict;
    for (uint32_t i = 0; i < test->memory_count; i++) {
        const struct sch_cli_test_memory *memory = &test->memories[i];
        if (memory->kind != SCH_CLI_TEST_RESULT && memory->kind != SCH_CLI_TEST_SURFACE_RESULT) continue;
        memset(&verdict, 0, sizeof verdict);
        sch_cli_test_compare(memory, memory->words, differences, 4, &verdict);
        if (!verdict.passed && memory->rule.how == SCH_CLI_TEST_EXACT) fault = "words that differ from themselves";
        if (verdict.shown > 4 || verdict.differing > verdict.count) fault = "more differences than words";
    }
}

static void make_textures(const struct sch_cli_test *test)
{
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = 32 << 20, .context_memory = 64 << 20};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct sch_cli_test_textures made = {.context = NULL};
    struct sch_context *context;
    if (sch_context_create(&options, &context) != SCH_OK) return;
    sch_cli_test_textures_make(test, context, &made);
    sch_cli_test_textures_release(&made);
    sch_context_destroy(context);
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    static struct sch_cli_test test;
    char *text = bytes < MOST ? calloc(1, bytes + 1) : NULL;
    fault = NULL;
    errors = 0;
    if (!text) return NULL;
    memcpy(text, data, bytes);
    struct sch_cli_input input = {.name = "fuzz.test", .data = text, .bytes = bytes};
    memset(&test, 0, sizeof test);
    if (sch_cli_test_is(&input)) {
        const enum sch_cli_exit exit_code = sch_cli_test_read(&input, &test);
        if ((exit_code == SCH_CLI_YES) != !errors) fault = "a result that the reports do not fit";
        for (uint32_t i = 0; i < test.memory_count; i++)
            if (test.memories[i].count > bytes) fault = "more words than characters";
        if (exit_code == SCH_CLI_YES) {
            compare(&test);
            make_textures(&test);
        }
        sch_cli_test_release(&test);
    }
    free(text);
    return fault;
}

SCH_FUZZ_TARGET
