/* scheelite run of kernels of Maxwell code: `run NAME.test`, and `run FILE --kernel NAME --grid X,Y,Z --param ...`. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/progress.h"
#include "test_file.h"
#include "test_run.h"

enum { PARAMETERS = 256 };

/* One --param, and its --param-out. */
struct parameter {
    bool is_memory;
    struct sch_cli_buffer memory;
    unsigned char value[8];
    size_t bytes; /* of the value */
};

struct wanted {
    struct sch_cli_test_wanted test;
    struct sch_cli_setup setup;
    const char *file;
    struct sch_cli_options_of_launch options;
    struct parameter parameters[PARAMETERS];
    const char *outputs[PARAMETERS]; /* of --param-out, which may stand before the --param */
    uint32_t count, outputs_end;     /* one past the last with an output */
};

/* ---- arguments ---- */

static void put(struct parameter *parameter, uint64_t bits, size_t bytes)
{
    parameter->bytes = bytes;
    for (size_t i = 0; i < bytes; i++) parameter->value[i] = (unsigned char)(bits >> 8 * i);
}

/* A value of 64 bits, after its prefix; false: it is none. */
static bool take_wide(struct parameter *parameter, const char *text, bool real)
{
    char *end;
    uint64_t bits;
    errno = 0;
    if (real) {
        const double value = strtod(text, &end);
        memcpy(&bits, &value, sizeof bits);
    } else {
        bits = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    }
    if (end == text || *end || (errno && !real)) return false;
    put(parameter, bits, sizeof bits);
    return true;
}

static enum sch_cli_exit take_parameter(struct wanted *wanted, const char *value)
{
    const struct sch_cli_verb *verb = &sch_cli_run_kernel;
    if (wanted->count == PARAMETERS) return sch_cli_usage_error(verb, "at most %d times --param", PARAMETERS);
    struct parameter *parameter = &wanted->parameters[wanted->count++];
    const bool file = strncmp(value, "file:", 5) == 0;
    parameter->is_memory = file || strncmp(value, "zero:", 5) == 0 || strncmp(value, "random:", 7) == 0;
    if (parameter->is_memory)
        return sch_cli_buffer_source(verb, "--param", &parameter->memory, file ? value + 5 : value);
    if (strncmp(value, "f64:", 4) == 0 || strncmp(value, "i64:", 4) == 0)
        return take_wide(parameter, value + 4, *value == 'f')
                   ? SCH_CLI_YES
                   : sch_cli_usage_error(verb, "--param: %s is no number of 64 bits", value + 4);
    const char *at = value, *end = value + strlen(value);
    struct sch_cli_spelled spelled;
    const char *wrong = sch_cli_value_read(&at, end, SCH_CLI_PLACE_OPTION, &spelled);
    if (wrong || at != end)
        return sch_cli_usage_error(verb,
                                   "--param is a value (1.5, 3i, 0x3, f64:1.5, i64:3), file:FILE, zero:BYTES or "
                                   "random:BYTES, not %s",
                                   value);
    put(parameter, spelled.bits, sizeof spelled.bits);
    return SCH_CLI_YES;
}

/* N=FILE, N from 0. */
static enum sch_cli_exit take_output(struct wanted *wanted, const char *value)
{
    const char *at = value;
    uint32_t number;
    if (!sch_cli_read_number(&at, &number) || number >= PARAMETERS || *at != '=' || !at[1])
        return sch_cli_usage_error(&sch_cli_run_kernel, "--param-out is N=FILE with N from 0, not %s", value);
    wanted->outputs[number] = at + 1;
    if (number >= wanted->outputs_end) wanted->outputs_end = number + 1;
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_option(void *user, int option, const char *value)
{
    struct wanted *wanted = user;
    if (option == SCH_OPTION_LAUNCH_PARAM) return take_parameter(wanted, value);
    return take_output(wanted, value);
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    enum sch_cli_exit exit = sch_cli_setup_parse(&wanted->setup, arguments, take_option, wanted);
    const struct sch_cli_values *values = &arguments->values;
    struct sch_cli_maxwell_options *options = &wanted->test.options;
    if (exit != SCH_CLI_YES) return exit;
    wanted->file = arguments->files[0];
    wanted->options = values->of_launch;
    wanted->test.code = values->of_launch.code;
    wanted->test.json = values->json.json;
    options->kernel = values->arch.kernel;
    enum sch_kind kind = SCH_KIND_AUTO;
    if (values->lanes_input.kind) exit = sch_cli_any_kind(arguments->verb, values->lanes_input.kind, &kind, options);
    if (exit == SCH_CLI_YES && values->arch.arch) exit = sch_cli_arch(arguments->verb, values->arch.arch, options);
    if (exit == SCH_CLI_YES && values->raw.offset)
        exit = sch_cli_maxwell_offset(arguments->verb, values->raw.offset, options);
    for (uint32_t i = 0; i < wanted->outputs_end && exit == SCH_CLI_YES; i++) {
        if (!wanted->outputs[i]) continue;
        if (i >= wanted->count || !wanted->parameters[i].is_memory)
            return sch_cli_usage_error(arguments->verb, "--param-out %" PRIu32 ": parameter %" PRIu32 " is no memory",
                                       i, i);
        wanted->parameters[i].memory.output = wanted->outputs[i];
    }
    return exit;
}

/* ---- a launch ---- */

static void put_json(const struct wanted *wanted, const struct sch_cli_kernel *kernel,
                     const struct sch_dispatch_report *report)
{
    struct sch_cli_json json;
    sch_cli_json_begin(&json, stdout, "scheelite-launch/1");
    sch_cli_json_text(&json, "file", wanted->file);
    sch_cli_json_text(&json, "kernel", kernel->section.name);
    const struct {
        const char *key;
        const uint32_t *size;
    } sizes[] = {{"grid", wanted->options.grid}, {"block", wanted->options.block}};
    for (unsigned i = 0; i < 2; i++) {
        sch_cli_json_list(&json, sizes[i].key, true);
        for (unsigned d = 0; d < 3; d++) sch_cli_json_number(&json, NULL, sizes[i].size[d] ? sizes[i].size[d] : 1);
        sch_cli_json_close(&json);
    }
    sch_cli_json_list(&json, "parameters", false);
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct parameter *parameter = &wanted->parameters[i];
        sch_cli_json_object(&json, NULL, true);
        sch_cli_json_bool(&json, "memory", parameter->is_memory);
        sch_cli_json_number(&json, "bytes", parameter->is_memory ? parameter->memory.bytes : parameter->bytes);
        sch_cli_json_text(&json, "output", parameter->memory.output);
        sch_cli_json_close(&json);
    }
    sch_cli_json_close(&json);
    sch_cli_json_number(&json, "instructions", report->instructions);
    sch_cli_json_end(&json);
}

/* Launches with `program`, on what the files have. */
static enum sch_cli_exit launch_once(struct wanted *wanted, const struct sch_cli_kernel *kernel,
                                     const struct sch_program *program, struct sch_dispatch_report *report)
{
    struct sch_launch_argument arguments[PARAMETERS];
    struct sch_launch launch = {.size = sizeof launch,
                                .arguments = arguments,
                                .argument_count = wanted->count,
                                .shared_bytes = wanted->options.shared,
                                .local_bytes = wanted->options.local};
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct parameter *parameter = &wanted->parameters[i];
        arguments[i] =
            parameter->is_memory
                ? (struct sch_launch_argument){.memory = parameter->memory.data, .bytes = parameter->memory.bytes}
                : (struct sch_launch_argument){.value = parameter->value, .bytes = parameter->bytes};
    }
    memcpy(launch.grid, wanted->options.grid, sizeof launch.grid);
    memcpy(launch.block, wanted->options.block, sizeof launch.block);
    return sch_cli_kernel_launch(kernel, program, &launch, report);
}

/* The memories' contents; of --engine both `copies`, too. */
static enum sch_cli_exit load(struct wanted *wanted, void *copies[PARAMETERS], bool both)
{
    for (uint32_t i = 0; i < wanted->count; i++) {
        struct sch_cli_buffer *memory = &wanted->parameters[i].memory;
        if (!wanted->parameters[i].is_memory) continue;
        const enum sch_cli_exit exit = sch_cli_buffer_load(memory);
        if (exit != SCH_CLI_YES) return exit;
        if (!both) continue;
        copies[i] = malloc(memory->bytes + 1);
        if (!copies[i]) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
        memcpy(copies[i], memory->data, memory->bytes);
    }
    return SCH_CLI_YES;
}

/* The same launch as machine code on the copies, whose contents must become the same. */
static enum sch_cli_exit compare_engines(struct wanted *wanted, const struct sch_cli_kernel *kernel,
                                         void *copies[PARAMETERS])
{
    struct sch_dispatch_report report;
    for (unsigned turn = 0; turn < 2; turn++) { /* there and back */
        const enum sch_cli_exit exit = turn ? launch_once(wanted, kernel, kernel->again, &report) : SCH_CLI_YES;
        if (exit != SCH_CLI_YES) return exit;
        for (uint32_t i = 0; i < wanted->count; i++) {
            void *const other = wanted->parameters[i].memory.data;
            wanted->parameters[i].memory.data = copies[i];
            copies[i] = other;
        }
    }
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct sch_cli_buffer *memory = &wanted->parameters[i].memory;
        if (copies[i] && memcmp(copies[i], memory->data, memory->bytes) != 0)
            return sch_cli_fail(SCH_CLI_NO, "%s: the memory of parameter %" PRIu32 " differs between the engines",
                                wanted->file, i);
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit launch(struct wanted *wanted, const struct sch_cli_kernel *kernel)
{
    void *copies[PARAMETERS] = {NULL};
    struct sch_dispatch_report report;
    enum sch_cli_exit exit = load(wanted, copies, kernel->again != NULL);
    if (exit == SCH_CLI_YES) exit = launch_once(wanted, kernel, kernel->program, &report);
    if (exit == SCH_CLI_YES && kernel->again) exit = compare_engines(wanted, kernel, copies);
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct sch_cli_buffer *memory = &wanted->parameters[i].memory;
        if (exit == SCH_CLI_YES && memory->output) exit = sch_cli_write(memory->output, memory->data, memory->bytes);
        free(copies[i]);
    }
    if (exit == SCH_CLI_YES && wanted->test.json) put_json(wanted, kernel, &report);
    return exit;
}

static enum sch_cli_exit run_kernel(struct wanted *wanted)
{
    struct sch_cli_kernel kernel = {.setup = &wanted->setup};
    if (!wanted->options.has_grid) return sch_cli_usage_error(&sch_cli_run_kernel, "how many blocks? (--grid X,Y,Z)");
    enum sch_cli_exit exit = sch_cli_kernel_open(&kernel, &wanted->test.options, wanted->file);
    if (exit == SCH_CLI_YES) exit = launch(wanted, &kernel);
    sch_cli_kernel_release(&kernel);
    return exit;
}

/* ---- the form ---- */

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

bool sch_cli_launch_is_form(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (*argv[i] != '-' && (ends_with(argv[i], ".test") || ends_with(argv[i], ".cubin"))) return true;
    return sch_cli_maxwell_is_form(&sch_cli_run, &sch_cli_run_kernel, argc, argv);
}

static enum sch_cli_exit run_file(struct wanted *wanted)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit = sch_cli_read(wanted->file, &input);
    wanted->setup.dispatch.cancel = sch_cli_interruptible();
    sch_cli_progress_begin(&sch_cli_run_kernel, false);
    wanted->setup.dispatch.progress = sch_cli_progress_of_dispatch();
    if (exit != SCH_CLI_YES) return exit;
    const bool is_test = sch_cli_test_is(&input);
    if (is_test && (wanted->count || wanted->options.has_grid || wanted->options.has_block))
        exit = sch_cli_usage_error(&sch_cli_run_kernel, "a test says itself what is launched");
    else if (is_test)
        return sch_cli_test_run(&wanted->test, &input);
    sch_cli_input_release(&input);
    if (exit == SCH_CLI_YES && wanted->options.code)
        exit = sch_cli_usage_error(&sch_cli_run_kernel, "--code goes with tests of kernels (NAME.test)");
    return exit == SCH_CLI_YES ? run_kernel(wanted) : exit;
}

enum sch_cli_exit sch_cli_launch(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_run_kernel, .argc = argc, .argv = argv};
    struct wanted *wanted = calloc(1, sizeof *wanted);
    if (!wanted) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    sch_cli_setup_init(&wanted->setup);
    wanted->test.setup = &wanted->setup;
    enum sch_cli_exit exit = read_arguments(&arguments, wanted);
    if (exit == SCH_CLI_YES) exit = run_file(wanted);
    sch_cli_progress_end();
    for (uint32_t i = 0; i < wanted->count; i++) free(wanted->parameters[i].memory.data);
    sch_cli_setup_release(&wanted->setup);
    free(wanted);
    return exit;
}
