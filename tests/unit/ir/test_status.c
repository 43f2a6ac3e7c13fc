/* docs/status.md names exactly the opcodes that the interpreter does not run. */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tgsi/tgsi_support.h"
#include "ir/prepared.h"

/* The document between the markers, in memory of the caller. */
static char *read_list(void)
{
    const char *source = getenv("SCH_SOURCE");
    if (!source) return NULL;
    char path[4096];
    snprintf(path, sizeof path, "%s/docs/status.md", source);
    size_t bytes;
    char *text = load_file(path, &bytes);
    if (!text) fail_msg("cannot read %s", path);
    char *begin = strstr(text, "<!-- begin refused opcodes -->"), *end = strstr(text, "<!-- end refused opcodes -->");
    if (!begin || !end || end < begin) fail_msg("%s: the markers are missing", path);
    *end = 0;
    memmove(text, begin + strlen("<!-- begin refused opcodes -->"), (size_t)(end - begin));
    return text;
}

static bool is_word_byte(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool names(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length)
        if ((at == text || !is_word_byte(at[-1])) && !is_word_byte(at[length])) return true;
    return false;
}

static void status_names_what_is_refused(void **state)
{
    (void)state;
    char *text = read_list();
    if (!text) {
        skip();
        return;
    }
    unsigned refused = 0;
    for (unsigned i = 0; i < SCH_OP_LIMIT; i++) {
        const struct sch_op_info *info = sch_op_info(i);
        if (!info) continue;
        bool runs = sch_prepare_runs(i);
        refused += !runs;
        if (runs && names(text, info->name)) fail_msg("%s runs, but docs/status.md says it does not", info->name);
        if (!runs && !names(text, info->name)) fail_msg("docs/status.md does not say that %s is refused", info->name);
    }
    /* Every word in capitals is one of them: nothing is named that is not an opcode. */
    unsigned words = 0;
    for (const char *at = text; *at;) {
        if (!isupper((unsigned char)*at)) {
            at++;
            continue;
        }
        size_t length = 0;
        while (is_word_byte(at[length])) length++;
        if (!sch_op_find(at, length)) fail_msg("docs/status.md names %.*s, which is not an opcode", (int)length, at);
        words++;
        at += length;
    }
    assert_int_equal(words, refused);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(status_names_what_is_refused)};
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
