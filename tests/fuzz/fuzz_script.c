/* Fuzz target: scripts of shader tests, read and run with small limits. A line of two percent signs ends the
 * script; what follows it is the container that every section with HLSL compiles to. What is checked: a script that
 * is not read has an error, whose place is in the text; two runs, of different widths and numbers of threads, have
 * the same results. */
#include <string.h>

#include "../../src/script/script.h"
#include "fuzz.h"

enum { MEMORY = 8 << 20, BUDGET = 64, WORK = 20000, MOST = 1 << 14 };

struct input {
    const uint8_t *container;
    size_t container_bytes;
    uint32_t lines;
    unsigned errors;
    uint64_t results; /* FNV-1a of what was said */
    const char *finding;
};

static void add(struct input *input, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) input->results = (input->results ^ ((const uint8_t *)data)[i]) * 1099511628211u;
}

static void tell_error(void *user, const struct sch_diagnostic_info *error)
{
    struct input *input = user;
    input->errors++;
    if (!error->message || !*error->message) input->finding = "an error without a message";
    if (error->line > input->lines) input->finding = "an error beyond the end of the text";
}

static void tell_result(void *user, const struct sch_player_outcome *result)
{
    struct input *input = user;
    if (result->line > input->lines) input->finding = "a result beyond the end of the text";
    if (result->skipped && (!result->reason || !*result->reason))
        input->finding = "an item is skipped without a reason";
    add(input, &result->line, sizeof result->line);
    add(input, &result->skipped, sizeof result->skipped);
    add(input, &result->items, sizeof result->items);
}

static void compile(void *user, const struct sch_player_hlsl *section, struct sch_player_file *program)
{
    const struct input *input = user;
    (void)section;
    snprintf(program->problem, sizeof program->problem, "there is no container");
    if (!input->container) return;
    program->data = calloc(1, input->container_bytes + 1);
    if (!program->data) return;
    memcpy(program->data, input->container, input->container_bytes);
    program->bytes = input->container_bytes;
}

/* Whether it ran to its end. */
static bool run(const struct sch_script *script, struct input *input, uint32_t threads, uint32_t width,
                struct sch_script_report *report)
{
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = MEMORY, .context_memory = 2 * MEMORY};
    const struct sch_context_options of_context = {.size = sizeof of_context, .limits = &limits};
    const struct sch_script_host host = {.user = input, .error = tell_error, .result = tell_result, .compile = compile};
    const struct sch_script_options options = {
        .program = {.size = sizeof options.program, .engine = SCH_ENGINE_INTERPRETER, .width = width},
        .dispatch = {.size = sizeof options.dispatch, .threads = threads, .budget = BUDGET, .work = WORK}};
    struct sch_context *context;
    if (sch_context_create(&of_context, &context) != SCH_OK) return false;
    input->results = 14695981039346656037u;
    const enum sch_result result = sch_script_run(script, context, &options, &host, report);
    sch_context_destroy(context);
    if (result != SCH_OK && result != SCH_ERROR_MEMORY) input->finding = "a run that ends with a strange status";
    return result == SCH_OK;
}

static void run_twice(const struct sch_script *script, struct input *input)
{
    struct sch_script_report one = {0}, other = {0};
    if (!run(script, input, 1, 8, &one)) return;
    const uint64_t results = input->results;
    if (!run(script, input, 2, 4, &other)) return;
    if (one.passed != other.passed || one.failed != other.failed || one.skipped != other.skipped ||
        results != input->results)
        input->finding = "two runs of a script differ";
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    struct input input = {0};
    struct sch_script *script = NULL;
    char *text = bytes < MOST ? calloc(1, bytes + 1) : NULL;
    if (!text) return NULL;
    memcpy(text, data, bytes);
    const char *end = memmem(text, bytes, "\n%%\n", 4);
    const size_t text_bytes = end ? (size_t)(end - text) : bytes;
    if (end) {
        input.container = data + text_bytes + 4;
        input.container_bytes = bytes - text_bytes - 4;
        text[text_bytes] = 0;
    }
    input.lines = 1;
    for (size_t i = 0; i < text_bytes; i++) input.lines += text[i] == '\n';
    const struct sch_script_host host = {
        .user = &input, .error = tell_error, .result = tell_result, .compile = compile};
    const enum sch_result result = sch_script_read("script", text, text_bytes, &host, &script);
    if (result == SCH_ERROR_INVALID && !input.errors) input.finding = "a script that is refused without an error";
    if (result == SCH_OK && !input.finding) run_twice(script, &input);
    sch_script_destroy(script);
    free(text);
    return input.finding;
}

SCH_FUZZ_TARGET
