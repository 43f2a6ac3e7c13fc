/* Shaders in logs (src/tgsi/find.h): which are found, where, what is left of their lines, and that places stay those of
 * the text. Texts of our own, in the shapes that drivers' debug output, kernel logs and numbered listings have. */
#include "tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../support/counting.h"
#include "ir/check.h"
#include "isa/errors.h"
#include "tgsi/find.h"

enum { MOST = 4 };

/* A text, and of each shader in it: its line, its first byte's column, and what it prints as. */
static const struct log {
    const char *text;
    struct {
        unsigned line, column;
        const char *print;
    } shader[MOST];
} logs[] = {
    /* plain, as files are */
    {"FRAG\nEND\n", {{1, 1, "FRAG\n  0: END\n"}}},
    {"\n  frag DCL TEMP[0] END", {{1, 1, "FRAG\nDCL TEMP[0]\n  0: END\n"}}},
    {"FRAG\r\nDCL TEMP[0]\r\n  0: MOV TEMP[0],\r\n TEMP[0]\r\n  1: END\r\n\r\n",
     {{1, 1, "FRAG\nDCL TEMP[0]\n  0: MOV TEMP[0], TEMP[0]\n  1: END\n"}}},
    {"\xef\xbb\xbf"
     "FRAG\nEND\r",
     {{1, 1, "FRAG\n  0: END\n"}}},
    {"\xef\xbb\xbf// c\r\n; d\n\n# FRAG\nFRAG # stage\nEND // it\r\n// END\n", {{1, 1, "FRAG\n  0: END\n"}}},
    {"FRAG ; a one\nPROPERTY NEXT_SHADER //\nFRAG\nPROPERTY NEXT_SHADER FRAG\nDCL TEMP[0]\nEND\n",
     {{1, 1, "FRAG\nPROPERTY NEXT_SHADER FRAG\nPROPERTY NEXT_SHADER FRAG\nDCL TEMP[0]\n  0: END\n"}}},
    {"COMP\nEND\nBGNSUB\nENDSUB\n", {{1, 1, "COMP\n  0: END\n  1: BGNSUB\n  2: ENDSUB\n"}}},
    /* several */
    {"FRAG\nEND\nVERT\nDCL OUT[0], POSITION\nEND\n",
     {{1, 1, "FRAG\n  0: END\n"}, {3, 1, "VERT\nDCL OUT[0], POSITION\n  0: END\n"}}},
    {"FRAG DCL TEMP[0] END\nVERT 0: END\nGEOM\nEND\n",
     {{1, 1, "FRAG\nDCL TEMP[0]\n  0: END\n"}, {2, 1, "VERT\n  0: END\n"}, {3, 1, "GEOM\n  0: END\n"}}},
    {"Shader cache: off\n-- vertex --\nVERT\nPROPERTY NEXT_SHADER FRAG\nDCL TEMP[0]\n  0: END\n\ncompiled in 3 "
     "ms\nMesa: 2 FRAG "
     "shaders\nFRAG # two\nEND\nif this were read, it would be wrong\n",
     {{3, 1, "VERT\nPROPERTY NEXT_SHADER FRAG\nDCL TEMP[0]\n  0: END\n"}, {10, 1, "FRAG\n  0: END\n"}}},
    {"dump follows\nFRAG\n  0: CAL :2\n  1: END\n  2: BGNSUB\n  3: RET\n  4: ENDSUB\nEND of dump\n",
     {{2, 1, "FRAG\n  0: CAL :2\n  1: END\n  2: BGNSUB\n  3:   RET\n  4: ENDSUB\n"}}},
    /* a name before the stage, on its line alone */
    {"fragment shader 3: FRAG\nDCL TEMP[0]\n  0: END\nvertex shader #4: VERT\r\nEND\r\n",
     {{1, 20, "FRAG\nDCL TEMP[0]\n  0: END\n"}, {4, 19, "VERT\n  0: END\n"}}},
    {"compiling FRAG\nnothing of it\n COMP\n END\n", {{3, 2, "COMP\n  0: END\n"}}},
    /* prefixes on every line */
    {"[    1.000000] drm: begin\n[    1.000002] FRAG\n[   12.000304] DCL TEMP[0]\n[   12.000304]   0: MOV TEMP[0], "
     "TEMP[0]\n"
     "audit: a line of others\n[  999.999999]   1: END\n[ 1000.000000] drm: end\n[ 1000.100000] VERT\n[ 1000.100000]\n"
     "[ 1000.100000]   0: END\n",
     {{2, 16, "FRAG\nDCL TEMP[0]\n  0: MOV TEMP[0], TEMP[0]\n  1: END\n"}, {8, 16, "VERT\n  0: END\n"}}},
    {"mesa: FRAG\nmesa: # note\nmesa: DCL TEMP[0] // t\nmesa:   0: END\n", {{1, 7, "FRAG\nDCL TEMP[0]\n  0: END\n"}}},
    {"2026-11-22T09:52:40.123Z virgl[77]: FRAG\n2026-11-22T09:52:41.004Z virgl[80]: DCL TEMP[0]\n"
     "2026-11-22T09:52:41.004Z virgl[81]: 0: END\n",
     {{1, 37, "FRAG\nDCL TEMP[0]\n  0: END\n"}}},
    {"thread 0x7f3a91: COMP\r\nthread 0x7fffffab00: DCL TEMP[0]\r\nthread 0x1:   0: END\r\n",
     {{1, 18, "COMP\nDCL TEMP[0]\n  0: END\n"}}},
    {"     1\tFRAG\n     2\tDCL TEMP[0]\n     9\t  0: MOV TEMP[0], TEMP[0]\n    10\t  1: END\n",
     {{1, 8, "FRAG\nDCL TEMP[0]\n  0: MOV TEMP[0], TEMP[0]\n  1: END\n"}}},
    {"1: FRAG\n2: DCL TEMP[0]\n3:   0: MOV TEMP[0], TEMP[0]\n4:   1: END\n5: VERT\n6: END\n",
     {{1, 4, "FRAG\nDCL TEMP[0]\n  0: MOV TEMP[0], TEMP[0]\n  1: END\n"}, {5, 4, "VERT\n  0: END\n"}}},
    {"> FRAG\n> END\n", {{1, 3, "FRAG\n  0: END\n"}}},
    /* what begins as a shader does and is none */
    {"hello\nGEOM is a stage\nFRAG\nEND\n", {{3, 1, "FRAG\n  0: END\n"}}},
    {"hello\nGEOM IF it is one\nFRAG IF[0] :0\nfrag\nGEOM MOVE\nFRAG ; END\nEND\n", {{6, 1, "FRAG\n  0: END\n"}}},
    {"hello\nx FRAG\nx nothing\ny FRAGX\nx NEXT_SHADER VERT\nx VERT\nx END\n", {{6, 3, "VERT\n  0: END\n"}}},
    {"FRAG\nEND\nnote: GEOM\nit is none\n// GEOM\nGEOMETRY\n", {{1, 1, NULL}}},
    {"x\nFRAG\nPROPERTY NEXT_SHADER\n\n# of it\n  VERT\nDCL TEMP[0]\nEND\n",
     {{2, 1, "FRAG\nPROPERTY NEXT_SHADER VERT\nDCL TEMP[0]\n  0: END\n"}}},
    {"x\nFRAG\nPROPERTY NEXT_SHADER // which\nVERT\nEND\nVERT\nEND",
     {{2, 1, "FRAG\nPROPERTY NEXT_SHADER VERT\n  0: END\n"}, {6, 1, "VERT\n  0: END\n"}}},
    {"x1 FRAG\nx0x2f DCL TEMP[0]\nx22 0: END\nx23END\n", {{1, 4, "FRAG\nDCL TEMP[0]\n  0: END\n"}}},
    {"x\nFRAG\n  0: CAL :2\n  1: END\n  2: BGNSUB\n  3: ENDSUB\n4 of them\n  4: BGNSUB\n  5: ENDSUB\n6 bytes\n",
     {{2, 1, NULL}}},
    /* a version after the stage, as Mesa had it up to 7.8 */
    {"FRAG1.1\nDCL TEMP[0]\n  0: END\nlog: VERT1.1\nDCL TEMP[0]\n0: END\n",
     {{1, 1, "FRAG\nDCL TEMP[0]\n  0: END\n"}, {4, 6, "VERT\nDCL TEMP[0]\n  0: END\n"}}},
    /* string literals: of C, of Rust with line ends escaped and raw, a whole shader in one */
    {"\"FRAG\\n\"\n\"DCL TEMP[0]\\n\"\n\"0: END\\n\"\n", {{1, 2, "FRAG\nDCL TEMP[0]\n  0: END\n"}}},
    {"const char *a = \"FRAG\\n\"\n  \"DCL TEMP[0]\\n\" /* it */\n  \"0: END\\n\";\nint x = 0;\nlet b = \"VERT\\n\\\n"
     "  DCL TEMP[0]\\n\\\n  0: END\\n\";\nlet c = r#\"COMP\n  0: END\n\"#;\n",
     {{1, 18, "FRAG\nDCL TEMP[0]\n  0: END\n"}, {5, 10, "VERT\nDCL TEMP[0]\n  0: END\n"}, {8, 12, "COMP\n  0: END\n"}}},
    {"{\"stage\": 1, \"text\": \"FRAG\\nDCL TEMP[0]\\n0: END\\n\"}\n", {{1, 23, "FRAG\nDCL TEMP[0]\n  0: END\n"}}},
    {"say \"FRAGMENT\\n\"\nsay \"frag\\n\"\nFRAG\nEND\n", {{3, 1, "FRAG\n  0: END\n"}}},
    /* among NIR */
    {"shader: MESA_SHADER_FRAGMENT\ndecl_function main (0 params)\nimpl main {\n    32x4  %0 = load_const "
     "(1)\n}\nFRAG\nDCL "
     "TEMP[0]\n  0: END\n\nshader: MESA_SHADER_VERTEX\nimpl main {\n}\n",
     {{6, 1, "FRAG\nDCL TEMP[0]\n  0: END\n"}}},
    /* END is missing: the shader ends before a line that no shader has, unless statements follow */
    {"x\nFRAG\nDCL TEMP[0]\n  0: MOV TEMP[0],\n TEMP[0]\ndriver: 3 shaders\nlog of more\nVERT\nEND\n",
     {{2, 1, "FRAG\nDCL TEMP[0]\n  0: MOV TEMP[0], TEMP[0]\n"}, {8, 1, "VERT\n  0: END\n"}}},
    {"x\nFRAG\nDCL TEMP[0]\nfrob of it\n  0: END\n", {{2, 1, NULL}}},
    /* prefixes of two kinds */
    {"a| FRAG\na| END\nb] VERT\nb] END\nGEOM\nEND",
     {{1, 4, "FRAG\n  0: END\n"}, {3, 4, "VERT\n  0: END\n"}, {5, 1, "GEOM\n  0: END\n"}}},
};

static enum sch_result parse(const char *text, size_t bytes, uint32_t line, struct sch_diagnostics *list,
                             struct sch_ir_shader **shader)
{
    const struct sch_limits limits = SCH_LIMITS_DEFAULT;
    sch_diagnostics_init(list, &sch_allocator_libc, 20);
    sch_diagnostics_source(list, "log", text, bytes);
    return sch_tgsi_parse_part(&sch_allocator_libc, &limits, text, bytes, line, NULL, list, shader);
}

static void check_log(const struct log *log)
{
    struct sch_tgsi_found found;
    size_t bytes = strlen(log->text), count = 0;
    while (count < MOST && log->shader[count].line) count++;
    assert_int_equal(sch_tgsi_find(&sch_allocator_libc, log->text, bytes, NULL, &found), SCH_OK);
    if (found.count != count) fail_msg("%s: %zu shaders", log->text, found.count);
    for (size_t i = 0; i < count; i++) {
        const struct sch_tgsi_span *span = &found.spans[i];
        struct sch_diagnostics list;
        struct sch_ir_shader *shader;
        if (span->line != log->shader[i].line || span->begin - span->line_begin + 1 != log->shader[i].column)
            fail_msg("%s: shader %zu at %u:%zu", log->text, i, span->line, span->begin - span->line_begin + 1);
        if (!log->shader[i].print) continue; /* what stands there is no whole shader */
        /* The part by itself is read as a text of one shader. */
        enum sch_result status =
            parse(log->text + span->line_begin, span->end - span->line_begin, span->line, &list, &shader);
        if (status != SCH_OK) fail_msg("%s: shader %zu: %s", log->text, i, list.items[0].message);
        assert_int_equal(list.count, 0);
        char *print = print_shader(shader, SCH_FLOAT_TEXT_SOURCE);
        assert_string_equal(print, log->shader[i].print);
        free(print);
        sch_ir_destroy(shader);
        sch_diagnostics_release(&list);
    }
    sch_tgsi_found_release(&found);
    if (!log->shader[0].print) return;
    struct sch_diagnostics list;
    struct sch_ir_shader *shader;
    enum sch_result status = parse(log->text, bytes, 1, &list, &shader);
    assert_int_equal(status, count > 1 ? SCH_ERROR_INVALID : SCH_OK);
    if (count > 1) {
        assert_int_equal(list.items[0].code, SCH_D_TEXT_WHICH);
        assert_int_equal(list.items[0].position.line, log->shader[1].line);
        assert_int_equal(list.items[0].position.column, log->shader[1].column);
    }
    sch_ir_destroy(shader);
    sch_diagnostics_release(&list);
}

static void shaders_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) check_log(&logs[i]);
}

/* Where a report about a shader in a log stands. */
static void places_are_those_of_the_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned code, line, column;
        const char *source;
    } cases[] = {
        {"[  1.5] FRAG\n[ 10.5] DCL FOO[0]\n", SCH_D_TEXT_FILE, 2, 13, "[ 10.5] DCL FOO[0]"},
        {"[  1.5] FRAG\n[ 10.5] DCL TEMP[0]\n[ 10.5] usb: new device\n[ 10.6] 0: END\n", SCH_D_TEXT_STATEMENT, 3, 9,
         "[ 10.5] usb: new device"},
        {"\xef\xbb\xbf"
         "FRAG\r\n  0: MUV TEMP[0] // x\r\n",
         SCH_D_TEXT_STATEMENT, 2, 6, "  0: MUV TEMP[0] // x "},
        {"hello\nFRAG // c\nMOV TEMP[0]\n, 7\nEND\n", SCH_D_TEXT_FILE, 4, 3, ", 7"},
        /* behind END: statements follow, so that what stands between is no other text */
        {"hello\nFRAG\nEND\nENDSUBB\nBGNSUB\nENDSUB\n", SCH_D_TEXT_STATEMENT, 4, 1, "ENDSUBB"},
        {"FRAG\nEND\nmore\n", SCH_D_TEXT_STATEMENT, 3, 1, "more"},
        {"FRAG\nDCL TEMP[0]\rEND\n", SCH_D_TEXT_CHARACTER, 2, 12, "DCL TEMP[0] END"},
        {"# only a comment", SCH_D_TEXT_STAGE, 1, 17, "# only a comment"},
        {"no shader here\n", SCH_D_TEXT_STAGE, 1, 1, "no shader here"},
        {"FRAGMENT\nDCL TEMP[0]\n", SCH_D_TEXT_STAGE, 1, 1, "FRAGMENT"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_diagnostics list;
        struct sch_ir_shader *shader;
        assert_int_equal(parse(cases[i].text, strlen(cases[i].text), 1, &list, &shader), SCH_ERROR_INVALID);
        const struct sch_diagnostic *first = &list.items[0];
        if (first->code != cases[i].code || first->position.line != cases[i].line ||
            first->position.column != cases[i].column)
            fail_msg("%s: %u at %u:%u: %s", cases[i].text, first->code, first->position.line, first->position.column,
                     first->message);
        if (first->line_text && strncmp(first->line_text, cases[i].source, strlen(first->line_text)) != 0)
            fail_msg("%s: source %s", cases[i].text, first->line_text);
        sch_diagnostics_release(&list);
        assert_int_equal(parse(cases[i].text, strlen(cases[i].text), 100, &list, &shader), SCH_ERROR_INVALID);
        assert_int_equal(list.items[0].position.line, cases[i].line + 99);
        sch_diagnostics_release(&list);
    }
}

/* ---- hostile texts ---- */

/* Lines that look like something, in any order: nothing but answers, and spans that do not overlap. */
static void any_lines(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "FRAG",     "VERT\n",   "a: FRAG\n",    "[ 1.5] ", "[",     "END\n", "  0: END\n", "DCL TEMP[0]\n",
        "\n",       "\r\n",     "\r",           "# ",      "//",    ";",     "1: ",        "PROPERTY NEXT_SHADER ",
        "BGNSUB\n", "ENDSUB\n", "\xef\xbb\xbf", "text ",   "0x7f ", " \t",   "\xff"};
    uint64_t seed = 11;
    char text[1024];
    size_t several = 0;
    for (unsigned round = 0; round < 20000; round++) {
        size_t bytes = 0;
        for (unsigned n = (unsigned)(random_number(&seed) % 24); n > 0; n--) {
            const char *piece = pieces[random_number(&seed) % (sizeof pieces / sizeof *pieces)];
            memcpy(text + bytes, piece, strlen(piece));
            bytes += strlen(piece);
        }
        char *exact = malloc(bytes ? bytes : 1); /* the sanitizers see a byte too far */
        assert_non_null(exact);
        memcpy(exact, text, bytes);
        struct sch_tgsi_found found;
        assert_int_equal(sch_tgsi_find(&sch_allocator_libc, exact, bytes, NULL, &found), SCH_OK);
        assert_true(found.count >= 1);
        several += found.count > 1;
        size_t before = 0;
        for (size_t i = 0; i < found.count; i++) {
            const struct sch_tgsi_span *span = &found.spans[i];
            assert_true(span->line_begin >= before && span->begin >= span->line_begin && span->end >= span->begin &&
                        span->end <= bytes);
            uint32_t line = 1;
            for (size_t at = 0; at < span->line_begin; at++) line += exact[at] == '\n';
            assert_int_equal(span->line, line);
            before = span->end;
        }
        for (size_t at = 0; at < bytes; at++) /* lines stay where they are */
            if (exact[at] == '\n') assert_int_equal(found.text[at], '\n');
        sch_tgsi_found_release(&found);
        struct sch_diagnostics list;
        struct sch_ir_shader *shader = NULL;
        enum sch_result status = parse(exact, bytes, 1, &list, &shader);
        assert_true((status == SCH_OK) == (shader != NULL) && (status == SCH_OK || list.errors));
        sch_ir_destroy(shader);
        sch_diagnostics_release(&list);
        free(exact);
    }
    assert_true(several > 1000);
}

/* A text of so many bytes that repeats a piece is looked through in time that grows with its length alone. */
static void endless_texts(void **state)
{
    (void)state;
    enum { BYTES = 4 << 20 };
    static const char *const pieces[] = {"x FRAG\n\n\n\n\n\n\n",
                                         "x FRAG\ny FRAG\n",
                                         "FRAG\n",
                                         "a",
                                         "[1] FRAG\n[1] END\n",
                                         "FRAG\nEND\nx\n",
                                         "1 ",
                                         "x FRAG\n# c\n",
                                         "/"};
    char *text = malloc(BYTES);
    assert_non_null(text);
    for (size_t n = 0; n < sizeof pieces / sizeof *pieces; n++) {
        size_t length = strlen(pieces[n]);
        for (size_t at = 0; at < BYTES; at++) text[at] = pieces[n][at % length];
        struct sch_tgsi_found found;
        clock_t before = clock();
        enum sch_result status = sch_tgsi_find(&sch_allocator_libc, text, BYTES, NULL, &found);
        double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
        if (seconds > 20) fail_msg("%s: %f s", pieces[n], seconds);
        assert_true(status == SCH_OK || (status == SCH_ERROR_LIMIT && found.count == SCH_TGSI_FOUND_LIMIT));
        sch_tgsi_found_release(&found);
    }
    free(text);
}

/* Each allocation refused in its turn. */
static void no_memory(void **state)
{
    (void)state;
    static const char text[] = "x\nFRAG // c\nEND\nVERT\nEND\n";
    for (long n = 1;; n++) {
        struct counting counting = {.fail_at = n};
        const struct sch_allocator allocator = counting_callbacks(&counting);
        struct sch_tgsi_found found;
        enum sch_result status = sch_tgsi_find(&allocator, text, strlen(text), NULL, &found);
        sch_tgsi_found_release(&found);
        assert_int_equal(counting.live, 0);
        if (status == SCH_OK) break;
        assert_int_equal(status, SCH_ERROR_MEMORY);
        assert_true(n <= 10);
    }
}

/* ---- what ends the reading ---- */

/* An allocator that sets a word at its n-th request, as another thread would. */
struct canceller {
    long requests, at;
    uint32_t cancel;
};

static void *cancelling_alloc(void *user, size_t bytes)
{
    struct canceller *canceller = user;
    if (++canceller->requests == canceller->at) canceller->cancel = 1;
    return malloc(bytes);
}

static void cancelling_free(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* A flag that is set within the search and within the reading of statements ends it; so does a moment that has
 * passed, and one that is far does not. The checks of the shader look, too. */
static void reading_ends_early(void **state)
{
    (void)state;
    enum { STATEMENTS = 40000 };
    static const char head[] = "FRAG\nDCL TEMP[0]\n", line[] = "MOV TEMP[0], TEMP[0]\n", tail[] = "END\n";
    const size_t bytes = sizeof head - 1 + STATEMENTS * (sizeof line - 1) + sizeof tail - 1;
    const struct sch_limits limits = SCH_LIMITS_DEFAULT;
    char *text = malloc(bytes), *at = text;
    assert_non_null(text);
    at = (char *)memcpy(at, head, sizeof head - 1) + sizeof head - 1;
    for (size_t n = 0; n < STATEMENTS; n++) at = (char *)memcpy(at, line, sizeof line - 1) + sizeof line - 1;
    memcpy(at, tail, sizeof tail - 1);

    struct sch_diagnostics list;
    struct sch_ir_shader *shader = NULL;
    sch_diagnostics_init(&list, &sch_allocator_libc, 20);
    unsigned ended = 0;
    for (long n = 1;; n++) {
        struct canceller canceller = {.at = n};
        const struct sch_allocator allocator = {.user = &canceller, .alloc = cancelling_alloc, .free = cancelling_free};
        const struct sch_until until = {.cancel = &canceller.cancel};
        const enum sch_result status = sch_tgsi_parse_part(&allocator, &limits, text, bytes, 1, &until, &list, &shader);
        ended += status == SCH_ERROR_CANCELLED;
        if (status == SCH_OK) sch_ir_destroy(shader);
        if (!canceller.cancel) break; /* fewer requests than n */
        assert_true(status == SCH_OK || (status == SCH_ERROR_CANCELLED && !shader));
        assert_true(n < 10000);
    }
    assert_true(ended >= 4); /* the array of statements has grown as often */

    static const struct sch_until passed = {.moment = 1};
    struct sch_tgsi_found found;
    assert_int_equal(sch_tgsi_find(&sch_allocator_libc, text, bytes, &passed, &found), SCH_ERROR_DEADLINE);
    sch_tgsi_found_release(&found);
    const struct sch_until far = sch_until_ms(UINT32_MAX, NULL);
    assert_int_equal(sch_tgsi_parse_part(&sch_allocator_libc, &limits, text, bytes, 1, &far, &list, &shader), SCH_OK);
    assert_int_equal(sch_ir_check_until(shader, &far, &list), SCH_OK);
    assert_int_equal(sch_ir_check_until(shader, &passed, &list), SCH_ERROR_DEADLINE);
    assert_int_equal(list.count, 0);
    sch_ir_destroy(shader);
    sch_diagnostics_release(&list);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaders_are_found), cmocka_unit_test(places_are_those_of_the_text),
        cmocka_unit_test(any_lines),         cmocka_unit_test(endless_texts),
        cmocka_unit_test(no_memory),         cmocka_unit_test(reading_ends_early),
    };
    return cmocka_run_group_tests_name("tgsi find", tests, NULL, NULL);
}
