/* What the tests of src/tgsi share: reading, printing and encoding in one call, diagnostics, files of the shared
 * folder and of our own corpus. Everything fails the running cmocka test when it cannot be had. */
#ifndef SCH_TESTS_TGSI_SUPPORT_H
#define SCH_TESTS_TGSI_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>
#include <stdbool.h>

#include <cmocka.h>

#include "../support/random_number.h"
#include "base/diagnostics.h"
#include "tgsi/tgsi.h"

/* The outcome of one reading. */
struct reading {
    struct sch_ir_shader *shader; /* NULL: refused */
    enum sch_result status;
    struct sch_diagnostics diagnostics;
};

struct reading read_text(const char *text, size_t bytes);
struct reading read_string(const char *text);
struct reading read_text_within(const char *text, size_t bytes, const struct sch_limits *limits);
struct reading read_words(const uint32_t *words, size_t count);
void release(struct reading *reading);

/* The print, from malloc. */
char *print_shader(const struct sch_ir_shader *shader, enum sch_float_text floats);

/* What `text` prints as; fails the test when it is refused. From malloc. */
char *reprint(const char *text, size_t bytes);

/* The words, from malloc; fails the test when there are none. */
uint32_t *encode_shader(const struct sch_ir_shader *shader, size_t *count);

/* The text is accepted and prints as `expected`. */
void assert_prints(const char *text, const char *expected);

/* The text is refused; its first report has this number, line and column. */
void assert_refused(const char *text, unsigned code, unsigned line, unsigned column);

/* How many reports have the number; how many errors have another one; the line of the first with the number, or 0. */
size_t count_reports(const struct sch_diagnostics *diagnostics, unsigned code);
size_t count_other_errors(const struct sch_diagnostics *diagnostics, unsigned code);
uint32_t line_of_report(const struct sch_diagnostics *diagnostics, unsigned code);

/* A path below the shared folder that the tests are told of, or NULL when there is none: then skip(). */
const char *shared_path(const char *path);

/* A whole file and a closing zero byte, from malloc; NULL when it cannot be read. */
char *load_file(const char *path, size_t *bytes);

/* The texts that were captured from real programs: full paths, sorted. `*count` is 0 without the shared folder. */
char **captured_texts(size_t *count);
/* The repository's own (tests/corpus), and behind them the captured ones; some in any case. */
char **corpus_texts(size_t *count);
/* Our own that binary tokens cannot hold, and texts that other projects publish, some of them not of today's
 * language. */
char **other_texts(size_t *count);
/* Whether a path is of the repository's own corpus. */
bool is_own_text(const char *path);
/* A path below tests/corpus; always the same buffer. */
const char *own_path(const char *path);
void free_texts(char **paths, size_t count);

#endif
