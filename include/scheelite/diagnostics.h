/* Diagnostics: errors and warnings about an input, with their place in it. Functions append reports to a list that the
 * caller makes; one list may be used for many calls, by one thread at a time.
 *
 * Example, with a context:
 *
 *     const char text[] = "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[1]\nEND\n";
 *     struct sch_diagnostics_list *list;
 *     struct sch_diagnostic_info report = {.size = sizeof report};
 *     struct sch_shader *shader;
 *     if (sch_diagnostics_create(context, &list) != SCH_OK) return 1;
 *     if (sch_shader_read(context, text, strlen(text), NULL, list, &shader) == SCH_OK) sch_shader_check(shader, list);
 *     for (size_t n = 0; sch_diagnostics_get(list, n, &report); n++)
 *         printf("%u:%u: %s\n", report.line, report.column, report.message); // prints 3:1: IN[1] is not declared
 *     sch_shader_destroy(shader);
 *     sch_diagnostics_destroy(list);
 */
#ifndef SCHEELITE_DIAGNOSTICS_H
#define SCHEELITE_DIAGNOSTICS_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A list of reports, which calls append to. One thread at a time may use it. It keeps names, messages and lines of its
 * own, so that inputs need not live as long. */
struct sch_diagnostics_list;

/* One report. Strings live as long as the list. */
struct sch_diagnostic_info {
    size_t size;
    enum sch_severity severity;
    unsigned code;         /* stable number; `scheelite list errors` explains all of them */
    uint32_t line, column; /* counted from 1, columns in bytes; 0 for binary input */
    uint64_t offset;       /* bytes from the start of the input */
    const char *source;    /* the name that the caller gave the input */
    const char *message;   /* one line, without a final full stop */
    const char *line_text; /* the source line, or at most 160 bytes of it; control characters are blanks. NULL for
                            * binary input */
    uint32_t caret;        /* the byte of line_text that the report is about */
    const char *argument;  /* 6300: the argument that was wrong, as in struct sch_wrong_call; otherwise NULL */

    /* Reports about what a dispatch has not bound (6510 to 6515): the register that reads 0 or writes nothing; of
     * several, the first. Otherwise `about.file` is NULL. */
    struct sch_register_name about;
};

/* Makes an empty list. Errors: ARGUMENT, MEMORY, LIMIT. Thread-safe. */
SCH_API enum sch_result sch_diagnostics_create(struct sch_context *context, struct sch_diagnostics_list **list);
SCH_API void sch_diagnostics_destroy(struct sch_diagnostics_list *list); /* takes NULL */

/* The number of reports that the list keeps, at most sch_limit_options.diagnostics. */
SCH_API size_t sch_diagnostics_count(const struct sch_diagnostics_list *list);

/* Fills in `*info` with report `index`, counted from 0 in the order in which they were made. False past the last, and
 * if `size` is not set. */
SCH_API bool sch_diagnostics_get(const struct sch_diagnostics_list *list, size_t index,
                                 struct sch_diagnostic_info *info);

/* How reports are written. */
struct sch_report_options {
    size_t size;
    bool color;       /* with escape sequences of ANSI terminals (ECMA-48, SGR) */
    uint32_t columns; /* of the source line, at most; 0: 160. A longer line shows the part around the caret */
    /* Optional: the input itself, whose byte 0 is offset 0 of the reports. The source line of a report without
     * line_text is taken from it: reports of calls that do not see the text have none, such as those of
     * sch_shader_check. */
    const char *text;
    size_t text_bytes;
};

/* Writes a report as the command `scheelite` prints it: the place, severity, number and message in one line; then,
 * where there is a source line, that line and a caret below the column, both after four blanks. Each line ends with a
 * line feed:
 *
 *     broken.tgsi:4:6: error 2040: IN[1] is not declared
 *           0: MUL OUT[0], IN[0], IN[1]
 *              ^
 *
 * The caret is under the character: it counts what a terminal shows of UTF-8 (combining characters take no column, wide
 * ones two). Tabs and control characters of the line are shown as one blank, those of names and messages and what is no
 * UTF-8 as `?`, so that no input moves a terminal's cursor. A report without a name is of "scheelite".
 *
 * As snprintf: writes at most `bytes` bytes with the closing zero to `text`, which may be NULL if `bytes` is 0, and
 * returns the length that the whole text has without the zero. 0: `info` is NULL or its `size` is not set, or that of
 * `options`. `options` is optional. Allocates nothing and needs no context. Thread-safe. */
SCH_API size_t sch_report_format(const struct sch_diagnostic_info *info, const struct sch_report_options *options,
                                 char *text, size_t bytes);

/* Writes all reports of a list, one after the other, and how many more there were than the list keeps. `*text` is
 * zero-terminated, "" for an empty list, and the caller's (sch_free, with the context of the list). `bytes` (optional)
 * receives its length without the zero. `options` is optional. Errors: ARGUMENT, MEMORY, LIMIT. Thread-safe, as long as
 * no call appends to the list. */
SCH_API enum sch_result sch_diagnostics_print(const struct sch_diagnostics_list *list,
                                              const struct sch_report_options *options, char **text, size_t *bytes);

/* The number of errors and of warnings that were reported, including those beyond the limit. Pedantic warnings count;
 * warnings that the context ignores do not. */
SCH_API size_t sch_diagnostics_errors(const struct sch_diagnostics_list *list);
SCH_API size_t sch_diagnostics_warnings(const struct sch_diagnostics_list *list);

#ifdef __cplusplus
}
#endif
#endif
