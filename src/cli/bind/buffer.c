/* Storage buffers of the command line: --buffer and --buffer-out. */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "picture/texels.h"
#include "setup.h"

static const uint64_t largest_buffer = 1u << 30;

/* The N of N=FILE; NULL, with the usage error reported, if there is none. */
static struct sch_cli_buffer *numbered(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *option,
                                       const char *text, const char **rest)
{
    uint32_t number = sch_cli_take_file_slot(verb, setup, SCH_CLI_BUFFER_SLOTS, option, text, rest);
    if (number == UINT32_MAX) return NULL;
    if (setup->buffers <= number) setup->buffers = number + 1;
    return &setup->buffer[number];
}

enum sch_cli_exit sch_cli_buffer_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    const char *rest;
    struct sch_cli_buffer *buffer = numbered(verb, setup, "--buffer", text, &rest);
    return buffer ? sch_cli_buffer_source(verb, "--buffer", buffer, rest) : SCH_CLI_USAGE;
}

/* BYTES or BYTES:seed=K. */
static bool read_random(const char *text, uint64_t *bytes, uint64_t *seed)
{
    const size_t digits = strcspn(text, ":");
    *seed = 0;
    if (text[digits] &&
        (strncmp(text + digits, ":seed=", 6) != 0 || !sch_cli_number(text + digits + 6, 0, UINT64_MAX, seed)))
        return false;
    return sch_text_digits(text, digits, 10, bytes) && *bytes && *bytes <= largest_buffer;
}

enum sch_cli_exit sch_cli_buffer_source(const struct sch_cli_verb *verb, const char *option,
                                        struct sch_cli_buffer *buffer, const char *source)
{
    uint64_t bytes = 0;
    buffer->source = source;
    buffer->random = strncmp(source, "random:", 7) == 0;
    if (buffer->random && !read_random(source + 7, &bytes, &buffer->seed))
        return sch_cli_usage_error(verb, "%s: random:BYTES[:seed=K] takes 1 to %llu, and a number, not %s", option,
                                   (unsigned long long)largest_buffer, source + 7);
    if (strncmp(source, "zero:", 5) == 0 && !sch_cli_number(source + 5, 1, largest_buffer, &bytes))
        return sch_cli_usage_error(verb, "%s: zero:BYTES takes 1 to %llu, not %s", option,
                                   (unsigned long long)largest_buffer, source + 5);
    buffer->bytes = (size_t)bytes;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_buffer_output(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    const char *rest;
    struct sch_cli_buffer *buffer = numbered(verb, setup, "--buffer-out", text, &rest);
    if (buffer) buffer->output = rest;
    return buffer ? SCH_CLI_YES : SCH_CLI_USAGE;
}

enum sch_cli_exit sch_cli_buffer_load(struct sch_cli_buffer *buffer)
{
    if (buffer->bytes) { /* the size was given */
        buffer->data = calloc(1, buffer->bytes);
        if (buffer->data && buffer->random) sch_cli_random_bytes(buffer->seed, buffer->data, buffer->bytes);
        return buffer->data ? SCH_CLI_YES : sch_cli_no_memory();
    }
    struct sch_cli_input input = {0};
    enum sch_cli_exit exit_code = sch_cli_read_bytes(buffer->source, &input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    buffer->data = input.data; /* allocated, so aligned for any type */
    buffer->bytes = input.bytes;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_buffers_load(struct sch_cli_setup *setup)
{
    for (unsigned i = 0; i < setup->buffers; i++) {
        struct sch_cli_buffer *buffer = &setup->buffer[i];
        if (buffer->output && !buffer->source)
            return sch_cli_fail(SCH_CLI_USAGE, "--buffer-out %u: there is no --buffer %u", i, i);
        enum sch_cli_exit exit_code = buffer->source ? sch_cli_buffer_load(buffer) : SCH_CLI_YES;
        if (exit_code != SCH_CLI_YES) return exit_code;
    }
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_buffers_write(const struct sch_cli_setup *setup)
{
    for (unsigned i = 0; i < setup->buffers; i++) {
        const struct sch_cli_buffer *buffer = &setup->buffer[i];
        enum sch_cli_exit exit_code =
            buffer->output ? sch_cli_write(buffer->output, buffer->data, buffer->bytes) : SCH_CLI_YES;
        if (exit_code != SCH_CLI_YES) return exit_code;
    }
    return SCH_CLI_YES;
}

void sch_cli_buffers_release(struct sch_cli_setup *setup)
{
    for (unsigned i = 0; i < SCH_CLI_BUFFERS + SCH_CLI_PLACED; i++) free(setup->buffer[i].data);
}
