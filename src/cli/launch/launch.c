/* See launch.h. */
#include "launch.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/json.h"
#include "common/value.h"

enum { PARAMETERS = SCH_CLI_LAUNCH_PARAMETERS };

/* ---- arguments ---- */

static void put(struct sch_cli_launch_parameter *parameter, uint64_t bits, size_t bytes)
{
    parameter->bytes = bytes;
    for (size_t i = 0; i < bytes; i++) parameter->value[i] = (unsigned char)(bits >> 8 * i);
}

/* A value of 64 bits, after its prefix; false: it is not one. */
static bool take_wide(struct sch_cli_launch_parameter *parameter, const char *text, bool real)
{
    char *end;
    uint64_t bits;
    bool small = false; /* rounded to a denormal or to 0, which is right */
    errno = 0;
    if (real) {
        const double value = strtod(text, &end);
        small = fabs(value) < 1;
        memcpy(&bits, &value, sizeof bits);
    } else {
        bits = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    }
    if (end == text || *end || (errno && !small)) return false;
    put(parameter, bits, sizeof bits);
    return true;
}

static enum sch_cli_exit take_parameter(struct sch_cli_launch *wanted, const char *value)
{
    const struct sch_cli_verb *verb = wanted->verb;
    if (wanted->count == PARAMETERS) return sch_cli_usage_error(verb, "at most %d times --param", PARAMETERS);
    struct sch_cli_launch_parameter *parameter = &wanted->parameters[wanted->count++];
    const bool file = strncmp(value, "file:", 5) == 0;
    parameter->is_memory = file || strncmp(value, "zero:", 5) == 0 || strncmp(value, "random:", 7) == 0;
    if (parameter->is_memory)
        return sch_cli_buffer_source(verb, "--param", &parameter->memory, file ? value + 5 : value);
    if (strncmp(value, "f64:", 4) == 0 || strncmp(value, "i64:", 4) == 0)
        return take_wide(parameter, value + 4, *value == 'f')
                   ? SCH_CLI_YES
                   : sch_cli_usage_error(verb, "--param: %s is not a number of 64 bits", value + 4);
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
static enum sch_cli_exit take_output(struct sch_cli_launch *wanted, const char *value)
{
    const char *at = value;
    uint32_t number;
    if (!sch_cli_read_number(&at, &number) || number >= PARAMETERS || *at != '=' || !at[1])
        return sch_cli_usage_error(wanted->verb, "--param-out is N=FILE with N from 0, not %s", value);
    wanted->outputs[number] = at + 1;
    if (number >= wanted->outputs_end) wanted->outputs_end = number + 1;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_launch_option(struct sch_cli_launch *launch, int option, const char *value)
{
    return option == SCH_OPTION_LAUNCH_PARAM ? take_parameter(launch, value) : take_output(launch, value);
}

/* Gives memories their outputs, which may come before them. */
static enum sch_cli_exit place_outputs(struct sch_cli_launch *wanted)
{
    for (uint32_t i = 0; i < wanted->outputs_end; i++) {
        if (!wanted->outputs[i]) continue;
        if (i >= wanted->count || !wanted->parameters[i].is_memory)
            return sch_cli_usage_error(wanted->verb, "--param-out %" PRIu32 ": parameter %" PRIu32 " is not memory", i,
                                       i);
        wanted->parameters[i].memory.output = wanted->outputs[i];
    }
    return SCH_CLI_YES;
}

/* ---- a launch ---- */

static void put_json(const struct sch_cli_launch *wanted, const struct sch_cli_kernel *kernel,
                     const struct sch_dispatch_report *report)
{
    struct sch_json json;
    sch_json_begin(&json, stdout, "scheelite-launch/1");
    SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("file", kernel->shader.input.name),
                    SCH_JSON_TEXT("kernel", kernel->section.name));
    const struct {
        const char *key;
        const uint32_t *size;
    } sizes[] = {{"grid", wanted->grid}, {"block", wanted->block}};
    for (unsigned i = 0; i < 2; i++) {
        sch_json_list(&json, sizes[i].key, true);
        for (unsigned d = 0; d < 3; d++) sch_json_number(&json, NULL, sizes[i].size[d] ? sizes[i].size[d] : 1);
        sch_json_close(&json);
    }
    sch_json_list(&json, "parameters", false);
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct sch_cli_launch_parameter *parameter = &wanted->parameters[i];
        SCH_JSON_ROW(&json, NULL, SCH_JSON_BOOL("memory", parameter->is_memory),
                     SCH_JSON_NUMBER("bytes", parameter->is_memory ? parameter->memory.bytes : parameter->bytes),
                     SCH_JSON_TEXT("output", parameter->memory.output));
    }
    sch_json_close(&json);
    sch_json_number(&json, "instructions", report->instructions);
    if (kernel->setup->dispatch.checks) sch_json_number(&json, "findings", report->findings);
    sch_json_end(&json);
}

void sch_cli_launch_make(const struct sch_cli_launch *wanted, struct sch_launch_argument *arguments,
                         struct sch_bindings *bindings, struct sch_launch *launch)
{
    *bindings = (struct sch_bindings){.size = sizeof *bindings, .maxwell = wanted->machine};
    *launch = (struct sch_launch){.size = sizeof *launch,
                                  .bindings = bindings,
                                  .arguments = arguments,
                                  .argument_count = wanted->count,
                                  .shared_bytes = wanted->options.shared,
                                  .local_bytes = wanted->options.local};
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct sch_cli_launch_parameter *parameter = &wanted->parameters[i];
        arguments[i] =
            parameter->is_memory
                ? (struct sch_launch_argument){.memory = parameter->memory.data, .bytes = parameter->memory.bytes}
                : (struct sch_launch_argument){.value = parameter->value, .bytes = parameter->bytes};
    }
    memcpy(launch->grid, wanted->grid, sizeof launch->grid);
    memcpy(launch->block, wanted->block, sizeof launch->block);
}

/* Launches with `program`, on what the files have. */
static enum sch_cli_exit launch_once(struct sch_cli_launch *wanted, const struct sch_cli_kernel *kernel,
                                     const struct sch_program *program, struct sch_dispatch_report *report)
{
    struct sch_launch_argument arguments[PARAMETERS];
    struct sch_bindings bindings;
    struct sch_launch launch;
    sch_cli_launch_make(wanted, arguments, &bindings, &launch);
    return sch_cli_kernel_launch(kernel, program, &launch, report);
}

enum sch_cli_exit sch_cli_launch_load(struct sch_cli_launch *launch)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (uint32_t i = 0; i < launch->count && exit_code == SCH_CLI_YES; i++)
        if (launch->parameters[i].is_memory) exit_code = sch_cli_buffer_load(&launch->parameters[i].memory);
    return exit_code;
}

/* The memories' contents; of --engine both `copies`, too. */
static enum sch_cli_exit load(struct sch_cli_launch *wanted, void *copies[PARAMETERS], bool both)
{
    const enum sch_cli_exit exit_code = sch_cli_launch_load(wanted);
    for (uint32_t i = 0; i < wanted->count && both && exit_code == SCH_CLI_YES; i++) {
        const struct sch_cli_buffer *memory = &wanted->parameters[i].memory;
        if (!wanted->parameters[i].is_memory) continue;
        copies[i] = malloc(memory->bytes + 1);
        if (!copies[i]) return sch_cli_no_memory();
        memcpy(copies[i], memory->data, memory->bytes);
    }
    return exit_code;
}

/* The same launch as machine code on the copies, whose contents must become the same. */
static enum sch_cli_exit compare_engines(struct sch_cli_launch *wanted, const struct sch_cli_kernel *kernel,
                                         void *copies[PARAMETERS])
{
    struct sch_dispatch_report report;
    for (unsigned turn = 0; turn < 2; turn++) { /* there and back */
        const enum sch_cli_exit exit_code = turn ? launch_once(wanted, kernel, kernel->again, &report) : SCH_CLI_YES;
        if (exit_code != SCH_CLI_YES) return exit_code;
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
                                kernel->shader.input.name, i);
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit launch(struct sch_cli_launch *wanted, const struct sch_cli_kernel *kernel)
{
    void *copies[PARAMETERS] = {NULL};
    struct sch_dispatch_report report;
    enum sch_cli_exit exit_code = load(wanted, copies, kernel->again != NULL);
    if (exit_code == SCH_CLI_YES) exit_code = launch_once(wanted, kernel, kernel->program, &report);
    if (exit_code == SCH_CLI_YES && kernel->again) exit_code = compare_engines(wanted, kernel, copies);
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct sch_cli_buffer *memory = &wanted->parameters[i].memory;
        if (exit_code == SCH_CLI_YES && memory->output)
            exit_code = sch_cli_write(memory->output, memory->data, memory->bytes);
        free(copies[i]);
    }
    if (exit_code == SCH_CLI_YES && wanted->json) put_json(wanted, kernel, &report);
    return exit_code == SCH_CLI_YES && report.findings ? SCH_CLI_NO : exit_code;
}

enum sch_cli_exit sch_cli_launch_run(struct sch_cli_launch *wanted, struct sch_cli_kernel *kernel)
{
    enum sch_cli_exit exit_code = place_outputs(wanted);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_kernel_prepare(kernel);
    return exit_code == SCH_CLI_YES ? launch(wanted, kernel) : exit_code;
}

void sch_cli_launch_release(struct sch_cli_launch *launch)
{
    if (!launch) return;
    for (uint32_t i = 0; i < launch->count; i++) free(launch->parameters[i].memory.data);
    free(launch);
}
