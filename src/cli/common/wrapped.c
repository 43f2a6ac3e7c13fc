/* See wrapped.h. */
#include "wrapped.h"

#include "../support/text.h"

#include <stdlib.h>
#include <string.h>

static struct {
    size_t offset;
    bool is_maxwell;
} wanted;

enum sch_cli_exit sch_cli_offset(const struct sch_cli_verb *verb, const char *word, size_t *offset)
{
    char *end;
    const bool hexadecimal = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    const char *digits = word + (hexadecimal ? 2 : 0);
    const size_t count = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
    if (!count || digits[count] || count > 10)
        return sch_cli_usage_error(verb, "--offset is a number of bytes, decimal or 0x and hexadecimal, not %s", word);
    *offset = strtoull(digits, &end, hexadecimal ? 16 : 10);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_wrapped_offset(const struct sch_cli_verb *verb, const char *word)
{
    return sch_cli_offset(verb, word, &wanted.offset);
}

void sch_cli_wrapped_is_maxwell(void) { wanted.is_maxwell = true; }

enum sch_cli_exit sch_cli_unwrap(struct sch_cli_input *input)
{
    const char *kind = sch_cli_given_kind();
    input->any_checksum = sch_cli_given()->checksum.any_checksum;
    if (!wanted.offset || wanted.is_maxwell || (kind && (strcmp(kind, "maxwell") == 0 || strcmp(kind, "cubin") == 0)))
        return SCH_CLI_YES;
    if (wanted.offset > input->bytes) {
        const enum sch_cli_exit exit_code = sch_cli_fail(
            SCH_CLI_NO, "%s: --offset %zu is past the end: it has %zu bytes", input->name, wanted.offset, input->bytes);
        sch_cli_input_release(input);
        return exit_code;
    }
    input->bytes -= wanted.offset;
    memmove(input->data, input->data + wanted.offset, input->bytes);
    input->data[input->bytes] = 0;
    return SCH_CLI_YES;
}

size_t sch_cli_wrapped_find(const struct sch_cli_input *input)
{
    enum { VERSION_AT = 20, SIZE_AT = 24, HEADER = 32 };
    const bool whole = input->bytes >= 4 && (!memcmp(input->data, "DXBC", 4) || !memcmp(input->data, "\177ELF", 4));
    if (whole || !memchr(input->data, 0, input->bytes)) return 0;
    for (const char *at = input->data, *found;
         (found = memmem(at, input->bytes - (size_t)(at - input->data), "DXBC", 4)); at = found + 1) {
        const size_t begin = (size_t)(found - input->data), rest = input->bytes - begin;
        if (!begin || rest < HEADER || sch_bytes_word(found + VERSION_AT, 0) != 1) continue;
        const uint32_t size = sch_bytes_word(found + SIZE_AT, 0);
        if (size >= HEADER && size <= rest) return begin;
    }
    return 0;
}
