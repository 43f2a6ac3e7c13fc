/* See buffer.h. */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "picture/texels.h"

static const uint64_t largest_buffer = 1u << 30;

/* BYTES or BYTES:seed=K. */
static bool read_random(const char *text, uint64_t *bytes, uint64_t *seed)
{
    const size_t digits = strcspn(text, ":");
    *seed = 0;
    if (text[digits] &&
        (strncmp(text + digits, ":seed=", 6) != 0 || !sch_cli_number(text + digits + 6, 0, UINT64_MAX, seed)))
        return false;
    return digits < SCH_CLI_DIGITS && sch_text_digits(text, digits, 10, bytes) && *bytes && *bytes <= largest_buffer;
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
