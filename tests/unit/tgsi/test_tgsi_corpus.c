/* TGSI as programs send it: the repository's own texts (tests/corpus/tgsi) and the captured ones byte for byte through
 * text and tokens, also when rewritten as the grammar allows; the words that tools/corpus made of the former and Mesa
 * 22.3.6 of the latter; verdicts of Mesa's parser on probes and on public texts. What is captured or public is beside
 * the repository, and left out where that folder is missing. */
#include "tgsi_support.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/errors.h"

static bool same_text(const char *path, const char *found, const char *expected)
{
    if (!strcmp(found, expected)) return true;
    size_t at = 0, line = 1;
    for (; found[at] == expected[at]; at++) line += found[at] == '\n';
    print_message("# %s: line %zu differs\n", path, line);
    return false;
}

/* Calls `check` with each text; it returns whether all was well. */
static void for_each_text(bool (*check)(const char *path, const char *text, size_t bytes))
{
    size_t count, failed = 0;
    char **paths = corpus_texts(&count);
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        char *text = load_file(paths[i], &bytes);
        assert_non_null(text);
        failed += !check(paths[i], text, bytes);
        free(text);
    }
    print_message("# %zu texts\n", count);
    free_texts(paths, count);
    assert_int_equal(failed, 0);
}

static bool text_comes_back(const char *path, const char *text, size_t bytes)
{
    char *print = reprint(text, bytes);
    bool good = same_text(path, print, text);
    free(print);
    return good;
}

static void texts_print_as_they_were(void **state)
{
    (void)state;
    for_each_text(text_comes_back);
}

static bool text_comes_back_through_tokens(const char *path, const char *text, size_t bytes)
{
    struct reading reading = read_text(text, bytes);
    assert_non_null(reading.shader);
    size_t count;
    uint32_t *words = encode_shader(reading.shader, &count);
    struct reading decoded = read_words(words, count);
    assert_non_null(decoded.shader);
    char *print = print_shader(decoded.shader, (enum sch_float_text)reading.shader->float_style);
    bool good = same_text(path, print, text);
    free(print);
    free(words);
    release(&decoded);

    void *data;
    size_t size;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *contained;
    assert_int_equal(sch_tgsi_container_write(reading.shader, &sch_allocator_libc, NULL, &data, &size), SCH_OK);
    assert_int_equal(sch_tgsi_container_read(&sch_allocator_libc, &limits, data, size, NULL, &contained), SCH_OK);
    print = print_shader(contained, SCH_FLOAT_TEXT_SOURCE);
    good = same_text(path, print, text) && good;
    free(print);
    free(data);
    sch_ir_destroy(contained);
    release(&reading);
    return good;
}

static void texts_come_back_through_tokens(void **state)
{
    (void)state;
    for_each_text(text_comes_back_through_tokens);
}

/* Lower case, no labels, one line. */
static char *squeeze(const char *text, bool lower, bool span_labels, char line_end)
{
    char *result = malloc(2 * strlen(text) + 1), *out = result;
    assert_non_null(result);
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n'), *at = line;
        if (!end) end = line + strlen(line);
        const char *digits = line + strspn(line, " ");
        size_t length = strspn(digits, "0123456789");
        if (span_labels && length && digits[length] == ':') at = digits + length + 1;
        for (; at < end; at++) {
            *out++ = lower ? (char)tolower((unsigned char)*at) : *at;
            if (*at == ',' && line_end != '\n') *out++ = '\t'; /* more white space, too */
        }
        if (*end) *out++ = line_end;
        line = *end ? end + 1 : end;
    }
    *out = 0;
    return result;
}

static bool rewritten_text_comes_back(const char *path, const char *text, size_t bytes)
{
    (void)bytes;
    bool good = true;
    for (unsigned variant = 1; variant < 8; variant++) {
        char *rewritten = squeeze(text, variant & 1, variant & 2, variant & 4 ? ' ' : '\n');
        char *print = reprint(rewritten, strlen(rewritten));
        good = same_text(path, print, text) && good;
        free(print);
        free(rewritten);
    }
    return good;
}

static void rewritten_texts_print_as_they_were(void **state)
{
    (void)state;
    for_each_text(rewritten_text_comes_back);
}

/* One row of tokens.tsv: file, count, words in hex. */
static bool words_are_equal(const char *folder, char *row)
{
    char *file = strtok(row, "\t"), *number = strtok(NULL, "\t"), *hex = strtok(NULL, "\t"), path[8192];
    assert_non_null(hex);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    size_t bytes, count, expected_count = strtoul(number, NULL, 10);
    char *text = load_file(path, &bytes);
    assert_non_null(text);
    uint32_t *expected = calloc(expected_count, sizeof *expected);
    assert_non_null(expected);
    for (size_t i = 0; i < expected_count; i++) expected[i] = (uint32_t)strtoul(hex, &hex, 16);

    struct reading reading = read_text(text, bytes);
    assert_non_null(reading.shader);
    uint32_t *words = encode_shader(reading.shader, &count);
    bool good = count == expected_count && !memcmp(words, expected, count * sizeof *words);
    if (!good) print_message("# %s: other words\n", file);

    struct reading decoded = read_words(expected, expected_count);
    assert_non_null(decoded.shader);
    char *print = print_shader(decoded.shader, (enum sch_float_text)reading.shader->float_style);
    good = same_text(file, print, text) && good;
    free(print);
    release(&decoded);
    release(&reading);
    free(words);
    free(expected);
    free(text);
    return good;
}

static void check_words(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", (int)(strlen(path) - strlen("/tokens.tsv")), path);
    size_t bytes, rows = 0, failed = 0;
    char *table = load_file(path, &bytes), *next;
    for (char *line = table; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (*line == '#' || !strncmp(line, "file\t", 5)) continue;
        rows++;
        failed += !words_are_equal(folder, line);
    }
    free(table);
    print_message("# %zu programs\n", rows);
    assert_true(rows > 0);
    assert_int_equal(failed, 0);
}

/* By tools/corpus/tgsi_tokens.py, which was written from the layout of tokens, and by Mesa. */
static void words_are_those_of_others(void **state)
{
    (void)state;
    check_words(own_path("tgsi/tokens.tsv"));
    if (shared_path("corpus/tgsi/tokens.tsv")) check_words(shared_path("corpus/tgsi/tokens.tsv"));
}

/* ---- probes of the grammar ---- */

/* Probes on which we differ from Mesa's parser on purpose: see the "Text form" rows of decisions.def. */
static const char *const exceptions[] = {"CR LF line ends",
                                         "VS input with semantic",
                                         "interp without semantic",
                                         "comment line with #",
                                         "comment with ;",
                                         "swizzle 1 letter",
                                         "swizzle rgba letters",
                                         "SAMPLE_INFO one source",
                                         "EMIT without stream (GEOM)",
                                         "opcode ABS",
                                         "opcode SUB",
                                         "opcode KIL",
                                         "opcode KILP"};

/* \n, \r, \t, \\ in place. */
static void unescape(char *text)
{
    char *out = text;
    for (; *text; text++) {
        if (*text != '\\' || !text[1]) {
            *out++ = *text;
            continue;
        }
        text++;
        *out++ = *text == 'n' ? '\n' : *text == 'r' ? '\r' : *text == 't' ? '\t' : *text;
    }
    *out = 0;
}

/* Of a row the first fields; what is behind them is its text. */
static char *fields_of(char *row, char *fields[], unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char *tab = strchr(row, '\t');
        assert_non_null(tab);
        *tab = 0;
        fields[i] = row;
        row = tab + 1;
    }
    unescape(row);
    return row;
}

static bool verdict_agrees(const char *name, bool expected, const char *text)
{
    struct reading reading = read_string(text);
    bool accepted = reading.shader != NULL;
    if (accepted != expected) print_message("# %s: %s\n", name, accepted ? "accepted" : "refused");
    release(&reading);
    return accepted == expected;
}

/* Calls `check` with each row of a table, without its heading and comments; answers how many there are. */
static size_t for_each_row(const char *path, size_t *failed, bool (*check)(char *row))
{
    size_t bytes, rows = 0;
    char *table = load_file(path, &bytes), *next;
    assert_non_null(table);
    for (char *line = table; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (*line == '#' || !strncmp(line, "case\t", 5)) continue;
        rows++;
        *failed += !check(line);
    }
    free(table);
    return rows;
}

static bool own_probe_agrees(char *row)
{
    char *fields[2], *text = fields_of(row, fields, 2);
    return verdict_agrees(fields[0], !strcmp(fields[1], "accept"), text);
}

static bool shared_probe_agrees(char *row)
{
    char *fields[4], *text = fields_of(row, fields, 4);
    bool expected = !strcmp(fields[1], "accept"); /* a crash of the peer must be an error */
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (exceptions[i] && !strcmp(exceptions[i], fields[0])) expected = !expected;
    return verdict_agrees(fields[0], expected, text);
}

static void check_shared_probes(void)
{
    const char *path = shared_path("corpus/tgsi/grammar_cases.tsv");
    size_t failed = 0;
    if (!path) return;
    assert_int_equal(for_each_row(path, &failed, shared_probe_agrees), 137);
    assert_int_equal(failed, 0);
}

static void probes_are_judged_as_the_grammar_says(void **state)
{
    (void)state;
    size_t failed = 0;
    assert_true(for_each_row(own_path("tgsi/probes.tsv"), &failed, own_probe_agrees) >= 38);
    assert_int_equal(failed, 0);
    check_shared_probes();
}

/* ---- public texts ---- */

/* Why Mesa 22.3.6 refuses a text, and what the first error here is; 0: accepted here, because RES is a file of the
 * specification, and old opcodes are read. */
static const struct {
    const char *file, *reason;
    unsigned code;
} refused[] = {
    {"graw/fragment-shader--frag-abs.tgsi", "opcode ABS", 0},
    {"graw/fragment-shader--frag-kil.tgsi", "opcodes SUB, KIL", 0},
    {"graw/fragment-shader--frag-lrp.tgsi", "opcode ABS", 0},
    {"graw/fragment-shader--frag-mad-immx.tgsi", "file IMMX", SCH_D_TEXT_FILE},
    {"graw/fragment-shader--frag-rcp.tgsi", "opcode SUB", 0},
    {"graw/fragment-shader--frag-rsq.tgsi", "opcode SUB", 0},
    {"graw/fragment-shader--frag-srcmod-neg.tgsi", "opcode SUB", 0},
    {"graw/fragment-shader--frag-sub.tgsi", "opcode SUB", 0},
    {"graw/fragment-shader--frag-tempx.tgsi", "file TEMPX", SCH_D_TEXT_FILE},
    {"graw/fragment-shader--frag-xpd.tgsi", "opcode XPD", 0},
    {"graw/vertex-shader--vert-abs.tgsi", "opcode ABS", 0},
    {"graw/vertex-shader--vert-arl.tgsi", "blank between + and the number", SCH_D_TEXT_NUMBER},
    {"graw/vertex-shader--vert-arr.tgsi", "blank between + and the number", SCH_D_TEXT_NUMBER},
    {"graw/vertex-shader--vert-flr.tgsi", "blank between + and the number", SCH_D_TEXT_NUMBER},
    {"graw/vertex-shader--vert-lrp.tgsi", "opcode ABS", 0},
    {"graw/vertex-shader--vert-rcp.tgsi", "opcode SUB", 0},
    {"graw/vertex-shader--vert-rsq.tgsi", "opcode SUB", 0},
    {"graw/vertex-shader--vert-sub.tgsi", "opcode SUB", 0},
    {"graw/vertex-shader--vert-xpd.tgsi", "opcode XPD", 0},
    {"mesa-c-tests/compute-0.tgsi", "file RES", 0},
    {"mesa-c-tests/compute-1.tgsi", "file RES", 0},
    {"mesa-c-tests/compute-2.tgsi", "file RES", 0},
    {"mesa-c-tests/compute-3.tgsi", "file RES, and RINPUT of a macro", SCH_D_TEXT_FILE},
    {"mesa-c-tests/compute-4.tgsi", "file RES, and RPRIVATE of a macro", SCH_D_TEXT_FILE},
    {"mesa-c-tests/compute-5.tgsi", "file RES, and RLOCAL of a macro", SCH_D_TEXT_FILE},
    {"mesa-c-tests/compute-6.tgsi", "file RES", 0},
    {"mesa-c-tests/compute-7.tgsi", "file RES", 0},
    {"mesa-c-tests/compute-8.tgsi", "file RES", 0},
    {"mesa-c-tests/compute-9.tgsi", "file RES", 0},
    {"mesa-c-tests/compute-10.tgsi", "file RES", 0},
    {"mesa-c-tests/compute-11.tgsi", "file RES", 0},
    {"mesa-c-tests/compute-12.tgsi", "file RES, and RLOCAL of a macro", SCH_D_TEXT_FILE},
    {"mesa-c-tests/compute-13.tgsi", "macros of the C preprocessor", SCH_D_TEXT_FILE},
    {"mesa-c-tests/compute-14.tgsi", "macros of the C preprocessor", SCH_D_TEXT_FILE},
    {"mesa-c-tests/quad-sample-1.tgsi", "file RES, with a type as of SVIEW", SCH_D_TEXT_ATTRIBUTE},
    {"mesa-c-tests/shader-leak-1.tgsi", "opcode SUB", 0},
    {"mesa-c-tests/tri-gs-2.tgsi", "EMIT without a stream", 0},
    {"virglrenderer/large_frag-lines.tgsi", "opcode ABS", 0},
    {"virglrenderer/large_frag-oneline.tgsi", "opcode ABS", 0},
};
enum { REFUSED = sizeof refused / sizeof *refused };

static bool public_text_agrees(const char *folder, const char *file, unsigned *listed)
{
    char path[8192];
    size_t bytes;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    char *text = load_file(path, &bytes);
    assert_non_null(text);
    unsigned expected = 0, found = 0;
    for (size_t i = 0; i < REFUSED; i++)
        if (!strcmp(refused[i].file, file)) {
            expected = refused[i].code;
            (*listed)++;
        }
    struct reading reading = read_text(text, bytes);
    for (size_t i = 0; i < reading.diagnostics.count && !found; i++)
        if (reading.diagnostics.items[i].severity == SCH_SEVERITY_ERROR) found = reading.diagnostics.items[i].code;
    if (found != expected) print_message("# %s: first error %u, expected %u\n", file, found, expected);
    if (reading.shader) { /* what is accepted reads back from its print */
        char *print = print_shader(reading.shader, SCH_FLOAT_TEXT_SOURCE), *again = reprint(print, strlen(print));
        if (strcmp(print, again)) found = ~expected;
        free(again);
        free(print);
    }
    release(&reading);
    free(text);
    return found == expected;
}

/* Accepted, and its print reads back. */
static bool other_text_is_read(const char *path)
{
    unsigned listed = 0;
    const char *file = strrchr(path, '/');
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", (int)(file - path), path);
    return public_text_agrees(folder, file + 1, &listed) && !listed;
}

static void check_public_texts(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", (int)(strlen(path) - strlen("/public_texts.tsv")), path);
    size_t bytes, rows = 0, failed = 0;
    unsigned listed = 0;
    char *table = load_file(path, &bytes), *next;
    for (char *line = table; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (!strncmp(line, "file\t", 5)) continue;
        char *tab = strchr(line, '\t');
        assert_non_null(tab);
        *tab = 0;
        rows++;
        failed += !public_text_agrees(folder, line, &listed);
    }
    free(table);
    assert_int_equal(rows, 131);
    assert_int_equal(listed, 39);
    assert_int_equal(failed, 0);
}

/* Our own that binary tokens cannot hold are read; public texts as Mesa's parser reads them. */
static void other_texts_are_judged(void **state)
{
    (void)state;
    size_t count, failed = 0;
    char **paths = other_texts(&count);
    for (size_t i = 0; i < count && is_own_text(paths[i]); i++) failed += !other_text_is_read(paths[i]);
    free_texts(paths, count);
    assert_int_equal(failed, 0);
    const char *path = shared_path("corpus/tgsi/public_texts.tsv");
    if (path) check_public_texts(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_print_as_they_were),
        cmocka_unit_test(texts_come_back_through_tokens),
        cmocka_unit_test(rewritten_texts_print_as_they_were),
        cmocka_unit_test(words_are_those_of_others),
        cmocka_unit_test(probes_are_judged_as_the_grammar_says),
        cmocka_unit_test(other_texts_are_judged),
    };
    return cmocka_run_group_tests_name("tgsi_corpus", tests, NULL, NULL);
}
