/* See test.h. */
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/json.h"
#include "kernel.h"

enum {
    LEAST_BYTES = 65536, /* of a buffer: kernels may read zeros after the words that the file has */
    SHOWN = 8            /* differences of a result that are shown */
};

/* A test that is being run. */
struct running {
    const struct sch_cli_test_wanted *wanted;
    struct sch_cli_test test;
    struct sch_cli_kernel kernel;
    struct sch_cli_test_textures textures;
    unsigned char *memories[SCH_CLI_TEST_MEMORIES]; /* what kernels read and write; NULL of textures */
    struct sch_launch_argument arguments[SCH_CLI_TEST_PARAMETERS + SCH_CLI_TEST_MEMORIES];
    uint32_t argument_count;
    char path[4096]; /* of the code */
    uint32_t failed; /* results */
    uint64_t instructions;
    uint32_t findings; /* of checks */
};

/* ---- the code ---- */

/* The file that begins as the test's does: NAME.sm_50.cubin, NAME.cubin or NAME.maxwell, in the folder of NAME.test. */
static enum sch_cli_exit find_code(struct running *running, const char *name)
{
    static const char ending[] = ".test", *const kinds[] = {".sm_50.cubin", ".cubin", ".maxwell"};
    const size_t length = strlen(name), stem = length > sizeof ending - 1 ? length - (sizeof ending - 1) : 0;
    if (running->wanted->code && strlen(running->wanted->code) >= sizeof running->path)
        return sch_cli_fail(SCH_CLI_IO, "%s: the name of a file is too long", running->wanted->code);
    if (running->wanted->code) {
        snprintf(running->path, sizeof running->path, "%s", running->wanted->code);
        return SCH_CLI_YES;
    }
    if (!stem || strcmp(name + stem, ending) != 0 || stem > sizeof running->path - 32)
        return sch_cli_usage_error(&sch_cli_run, "%s is not called NAME.test: --code says which file its code is",
                                   name);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(running->path, sizeof running->path, "%.*s%s", (int)stem, name, kinds[i]);
        if (access(running->path, R_OK) == 0) return SCH_CLI_YES;
    }
    return sch_cli_fail(SCH_CLI_IO,
                        "%s: there is no %.*s.sm_50.cubin, .cubin or .maxwell beside it (--code says which file its "
                        "code is)",
                        name, (int)stem, name);
}

/* ---- memory ---- */

static bool is_surface(const struct sch_cli_test_memory *memory)
{
    return memory->kind == SCH_CLI_TEST_SURFACE || memory->kind == SCH_CLI_TEST_SURFACE_RESULT;
}

static bool is_result(const struct sch_cli_test_memory *memory)
{
    return memory->kind == SCH_CLI_TEST_RESULT || memory->kind == SCH_CLI_TEST_SURFACE_RESULT;
}

static size_t bytes_of(const struct sch_cli_test_memory *memory)
{
    if (is_surface(memory)) return (size_t)sch_cli_test_pitch(memory) * memory->height;
    const size_t bytes = memory->count * sizeof *memory->words;
    return bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
}

/* A row of a surface's words, all of a buffer's. */
static size_t row_words(const struct sch_cli_test_memory *memory)
{
    return is_surface(memory) ? (size_t)memory->width * memory->texel_bytes / 4 : memory->count;
}

static uint32_t word_at(const struct running *running, uint32_t i, size_t word)
{
    const struct sch_cli_test_memory *memory = &running->test.memories[i];
    size_t at = word * 4;
    uint32_t value;
    if (is_surface(memory)) at = word / row_words(memory) * sch_cli_test_pitch(memory) + word % row_words(memory) * 4;
    memcpy(&value, running->memories[i] + at, sizeof value);
    return value;
}

/* What the file has, or zeros of results. */
static void fill(const struct running *running, uint32_t i)
{
    const struct sch_cli_test_memory *memory = &running->test.memories[i];
    const size_t words = row_words(memory), rows = words ? memory->count / words : 0;
    const size_t pitch = is_surface(memory) ? sch_cli_test_pitch(memory) : 0;
    memset(running->memories[i], 0, bytes_of(memory));
    if (is_result(memory)) return;
    for (size_t y = 0; y < rows; y++)
        memcpy(running->memories[i] + y * pitch, memory->words + y * words, words * sizeof *memory->words);
}

static enum sch_cli_exit make_memories(struct running *running)
{
    struct sch_cli_test *test = &running->test;
    for (uint32_t i = 0; i < test->parameter_count; i++) {
        const struct sch_cli_test_parameter *parameter = &test->parameters[i];
        if (parameter->memory < 0)
            running->arguments[running->argument_count++] = (struct sch_launch_argument){
                .value = &parameter->value, .bytes = parameter->bytes, .offset = parameter->offset};
    }
    for (uint32_t i = 0; i < test->memory_count; i++) {
        const struct sch_cli_test_memory *memory = &test->memories[i];
        if (memory->kind == SCH_CLI_TEST_TEXTURE) continue;
        running->memories[i] = malloc(bytes_of(memory));
        if (!running->memories[i]) return sch_cli_no_memory();
        struct sch_launch_argument argument = {.memory = running->memories[i], .bytes = bytes_of(memory)};
        if (is_surface(memory)) {
            argument.hidden = true;
            argument.address = sch_cli_test_surface_address(test, i);
            running->arguments[running->argument_count++] = argument;
        }
        for (uint32_t p = 0; p < test->parameter_count; p++) {
            if (test->parameters[p].memory != (int32_t)i) continue;
            argument.offset = test->parameters[p].offset;
            running->arguments[running->argument_count++] = argument;
        }
    }
    return sch_cli_test_textures_make(test, running->kernel.shader.context, &running->textures);
}

/* ---- messages ---- */

static void say_failure(const struct running *running, const struct sch_cli_test_memory *memory,
                        const struct sch_cli_test_difference *differences, const struct sch_cli_test_verdict *verdict)
{
    const char *name = running->test.input->name;
    for (size_t i = 0; i < verdict->shown; i++)
        printf("%s:%" PRIu32 ": %s[%zu] is 0x%08" PRIx32 ", not 0x%08" PRIx32 "\n", name, memory->line, memory->name,
               differences[i].word, differences[i].got, differences[i].want);
    printf("%s:%" PRIu32 ": failed: %zu of %zu %s of %s differ", name, memory->line, verdict->differing, verdict->count,
           verdict->what, memory->name);
    if (verdict->allowed) printf(", %zu may", verdict->allowed);
    putchar('\n');
}

static void put_result(struct sch_json *json, const struct sch_cli_test_memory *memory,
                       const struct sch_cli_test_difference *differences, const struct sch_cli_test_verdict *verdict)
{
    sch_json_object(json, NULL, false);
    SCH_JSON_FIELDS(json, SCH_JSON_TEXT("name", memory->name), SCH_JSON_NUMBER("line", memory->line),
                    SCH_JSON_BOOL("passed", verdict->passed), SCH_JSON_NUMBER(verdict->what, verdict->count),
                    SCH_JSON_NUMBER("differing", verdict->differing), SCH_JSON_NUMBER("allowed", verdict->allowed));
    sch_json_list(json, "differences", false);
    for (size_t i = 0; i < verdict->shown; i++) {
        SCH_JSON_ROW(json, NULL, SCH_JSON_NUMBER("word", differences[i].word), SCH_JSON_WORD("got", differences[i].got),
                     SCH_JSON_WORD("want", differences[i].want));
    }
    sch_json_close(json);
    sch_json_close(json);
}

/* ---- the run ---- */

static enum sch_cli_exit compare(struct running *running, uint32_t i, struct sch_json *json)
{
    const struct sch_cli_test_memory *memory = &running->test.memories[i];
    struct sch_cli_test_difference differences[SHOWN];
    struct sch_cli_test_verdict verdict;
    uint32_t *got = malloc((memory->count + 1) * sizeof *got);
    if (!got) return sch_cli_no_memory();
    for (size_t word = 0; word < memory->count; word++) got[word] = word_at(running, i, word);
    sch_cli_test_compare(memory, got, differences, SHOWN, &verdict);
    free(got);
    running->failed += !verdict.passed;
    if (json)
        put_result(json, memory, differences, &verdict);
    else if (!verdict.passed)
        say_failure(running, memory, differences, &verdict);
    return SCH_CLI_YES;
}

static enum sch_cli_exit run_once(struct running *running, const struct sch_program *program, struct sch_json *json)
{
    const struct sch_cli_test *test = &running->test;
    const struct sch_maxwell_bindings maxwell = {.size = sizeof maxwell,
                                                 .headers = running->textures.pools[SCH_CLI_HEADERS],
                                                 .header_bytes = running->textures.pool_bytes[SCH_CLI_HEADERS],
                                                 .samplers = running->textures.pools[SCH_CLI_SAMPLERS],
                                                 .sampler_bytes = running->textures.pool_bytes[SCH_CLI_SAMPLERS],
                                                 .memory = running->textures.memory,
                                                 .memory_bytes = running->textures.memory_bytes,
                                                 .memory_address = SCH_CLI_POOL_TEXELS,
                                                 .clamp_loads = true};
    const struct sch_bindings bindings = {.size = sizeof bindings, .maxwell = &maxwell};
    struct sch_launch launch = {.size = sizeof launch,
                                .arguments = running->arguments,
                                .argument_count = running->argument_count,
                                .bindings = &bindings};
    struct sch_dispatch_report report;
    memcpy(launch.grid, test->grid, sizeof launch.grid);
    memcpy(launch.block, test->block, sizeof launch.block);
    for (uint32_t i = 0; i < test->memory_count; i++)
        if (running->memories[i]) fill(running, i);
    enum sch_cli_exit exit_code = sch_cli_kernel_launch(&running->kernel, program, &launch, &report);
    running->instructions = report.instructions;
    running->findings += report.findings;
    for (uint32_t i = 0; i < test->memory_count && exit_code == SCH_CLI_YES; i++)
        if (is_result(&test->memories[i])) exit_code = compare(running, i, json);
    return exit_code;
}

static enum sch_cli_exit run_all(struct running *running)
{
    const struct sch_cli_test *test = &running->test;
    struct sch_json document, *json = running->wanted->json ? &document : NULL;
    uint32_t results = 0;
    if (json) {
        sch_json_begin(json, stdout, "scheelite-kernel-test/1");
        SCH_JSON_FIELDS(json, SCH_JSON_TEXT("file", test->input->name), SCH_JSON_TEXT("code", running->path),
                        SCH_JSON_TEXT("kernel", test->kernel));
        sch_json_list(json, "results", false);
    }
    enum sch_cli_exit exit_code = run_once(running, running->kernel.program, json);
    if (exit_code == SCH_CLI_YES && running->kernel.again) exit_code = run_once(running, running->kernel.again, json);
    for (uint32_t i = 0; i < test->memory_count; i++) results += is_result(&test->memories[i]);
    if (running->kernel.again) results *= 2;
    if (json) {
        sch_json_close(json);
        sch_json_number(json, "instructions", running->instructions);
        if (running->wanted->setup->dispatch.checks) sch_json_number(json, "findings", running->findings);
        sch_json_bool(json, "passed", exit_code == SCH_CLI_YES && !running->failed);
        sch_json_end(json);
    } else if (exit_code == SCH_CLI_YES) {
        printf("%s: %" PRIu32 " of %" PRIu32 " results as expected\n", test->kernel, results - running->failed,
               results);
    }
    return exit_code == SCH_CLI_YES && (running->failed || running->findings) ? SCH_CLI_NO : exit_code;
}

enum sch_cli_exit sch_cli_test_run(const struct sch_cli_test_wanted *wanted, struct sch_cli_input *input)
{
    struct running *running = calloc(1, sizeof *running);
    if (!running) {
        sch_cli_input_release(input);
        return sch_cli_no_memory();
    }
    running->wanted = wanted;
    running->kernel.setup = wanted->setup;
    struct sch_cli_reading reading = wanted->setup->reading;
    enum sch_cli_exit exit_code = sch_cli_test_read(input, &running->test);
    if (exit_code == SCH_CLI_YES) exit_code = find_code(running, input->name);
    if (!reading.maxwell.kernel) reading.maxwell.kernel = running->test.kernel;
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_kernel_open(&running->kernel, &reading, running->path);
    if (exit_code == SCH_CLI_YES) exit_code = make_memories(running);
    if (exit_code == SCH_CLI_YES) exit_code = run_all(running);
    for (uint32_t i = 0; i < running->test.memory_count; i++) free(running->memories[i]);
    sch_cli_test_textures_release(&running->textures);
    sch_cli_kernel_release(&running->kernel);
    sch_cli_test_release(&running->test);
    free(running);
    sch_cli_input_release(input);
    return exit_code;
}
