/* What the verbs of the command share: exit codes, messages, arguments, inputs. The command sees the public headers of
 * the library only; it is the one place of the project that prints, reads the environment and ends the process. */
#ifndef SCH_CLI_CLI_H
#define SCH_CLI_CLI_H

#include <scheelite/scheelite.h>

#include <stdio.h>

#include "../support/names.h"
#include "options.h"

/* The exit codes that scripts rely on. */
enum sch_cli_exit {
    SCH_CLI_YES = 0,
    SCH_CLI_NO = 1, /* the answer is no: invalid, differs */
    SCH_CLI_USAGE = 2,
    SCH_CLI_IO = 3, /* cannot read or write */
    SCH_CLI_UNSUPPORTED = 4,
    SCH_CLI_LIMIT = 5, /* a budget or limit was hit; memory is one */
    SCH_CLI_INTERNAL = 70
};

enum sch_cli_exit sch_cli_exit_of(enum sch_result result);

/* The same; prints an error about the input `name` if no report of the list says why the result is not SCH_OK. */
enum sch_cli_exit sch_cli_result(enum sch_result result, const struct sch_diagnostics_list *list, const char *name);

/* Which of two results of several files the process ends with. */
enum sch_cli_exit sch_cli_worse(enum sch_cli_exit a, enum sch_cli_exit b);

enum { SCH_CLI_DIGITS = 24 }; /* a number in a value has fewer */

/* Messages (report.c). Each prints what is wrong on stderr, a usage error also where help is, and returns its exit
 * code. */
enum sch_cli_exit sch_cli_usage_error(const struct sch_cli_verb *verb, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
enum sch_cli_exit sch_cli_fail(enum sch_cli_exit code, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum sch_cli_exit sch_cli_no_memory(void); /* LIMIT, and said */

/* What was perhaps meant by a value ("; did you mean X?", or ""): the next usage error says it. For sch_cli_next. */
void sch_cli_meant(const char *said);

/* Notes the number of an error that was printed otherwise than by a function here. */
void sch_cli_see(unsigned number);

/* At the end: where the errors that were printed are explained, a line for each number. */
void sch_cli_print_seen(void);

/* struct sch_virgl_log: a line of the verb on standard error, in one call, since several processes may write. */
void sch_cli_log_line(void *verb, const char *line);

/* The text of one input, for the source lines under reports. */
struct sch_cli_input {
    const char *name; /* as reports name it */
    char *data;       /* a zero byte follows the last */
    size_t bytes;
    bool any_checksum; /* a Direct3D container may have a wrong one */
    bool compiled;     /* of HLSL: the name is that of the source */
    bool listed;       /* the listing of a Direct3D container: the name is that of the container, or of its source */

    uint32_t nth;  /* --nth: which of several shaders in a text, or of the containers nested in one without a program,
                      from 1; 0: not said */
    uint32_t line; /* of a text of several shaders: the part of `data` that is meant; `length` 0: all of it */
    size_t at, length;
};

/* The shaders that an input holds: of a text of TGSI all of them, of other kinds one. `*list` is the caller's. */
enum sch_cli_exit sch_cli_shaders(const struct sch_cli_input *input, enum sch_kind kind, struct sch_text_shader **list,
                                  size_t *count);

/* Makes the input the shader `nth` of its list. */
void sch_cli_choose(struct sch_cli_input *input, const struct sch_text_shader *list, uint32_t nth);

/* Prints every report of a list as `name:line:column: error 2013: message`, the source line and a caret; once, where
 * two are the same. NO where the list has warnings that are errors by -Werror, else YES. */
enum sch_cli_exit sch_cli_print_diagnostics(const struct sch_diagnostics_list *list, const struct sch_cli_input *input);

/* The same for the reports after the first `said`, except those that repeat one of these. */
enum sch_cli_exit sch_cli_print_more_diagnostics(const struct sch_diagnostics_list *list, size_t said,
                                                 const struct sch_cli_input *input);

/* One report; `input` is the text that it is about, for its line, NULL where it brings the line along. */
void sch_cli_print_diagnostic(const struct sch_diagnostic_info *view, const struct sch_cli_input *input);

/* Whether one of the first `before` reports of a list is the same as `view`: two programs of one shader (--engine both)
 * say the same of it. */
bool sch_cli_is_said(const struct sch_diagnostics_list *list, size_t before, const struct sch_diagnostic_info *view);

/* The same for reports about one line of an input that is read line by line: the list knows it as line 1. */
enum sch_cli_exit sch_cli_print_line_diagnostics(const struct sch_diagnostics_list *list, const char *name,
                                                 uint32_t line);

/* One report made by the command itself, in the same form; `code` 0: no number. */
struct sch_cli_location {
    const struct sch_cli_input *input;
    uint32_t line, column; /* from 1; column 0: the whole line */
};
void sch_cli_report(const struct sch_cli_location *location, unsigned code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a text from outside, which must not move the cursor of a terminal. */
void sch_cli_print_clean(FILE *file, const char *text);
/* A line about what a scene or script expects. */
struct sch_player_outcome;
void sch_cli_print_outcome(const char *name, const struct sch_player_outcome *outcome);

/* Arguments (arguments.c). */
struct sch_cli_arguments {
    const struct sch_cli_verb *verb;
    int argc;
    char **argv;
    int at;
    bool only_files;                     /* after -- */
    const char *value;                   /* of the option, or the file */
    const char *given[SCH_OPTION_COUNT]; /* values as they were written, "" of flags; NULL: not given */
    struct sch_cli_values values;        /* what sch_cli_parse read */
    char **files;                        /* words that are not options; they are moved to the front of `argv` */
    int file_count;
};

/* Takes the next argument: an option, whose id and `value` are set, or a file, SCH_CLI_FILE. What is not YES has been
 * reported. (`--help` never comes here: main() handles it.) */
enum { SCH_CLI_FILE = -1 };
enum sch_cli_exit sch_cli_next(struct sch_cli_arguments *arguments, int *id);

/* Takes an option whose value the verb reads itself (OWN, options.def). */
typedef enum sch_cli_exit sch_cli_own_fn(void *user, const struct sch_cli_verb *verb, int option, const char *value);

/* Reads all arguments: fills `values` and `files`, and checks what the tables say of values, of the number of files and
 * of options that go together. `take` may be NULL. What is not YES has been reported. */
enum sch_cli_exit sch_cli_parse(struct sch_cli_arguments *arguments, sch_cli_own_fn *take, void *user);

/* What the arguments said that were parsed last, for what holds for the whole run of the command; and its -x, NULL. */
const struct sch_cli_values *sch_cli_given(void);
void sch_cli_keep_given(const struct sch_cli_values *values);
const char *sch_cli_given_kind(void);

/* The verbs (verbs.def): one source file each. They get the arguments after the verb's name. */
#define VERB(id, summary, follows, words, synopsis, groups)                                                            \
    enum sch_cli_exit sch_cli_main_##id(struct sch_cli_arguments *arguments);
#include "verbs.def"

/* A decimal number between `low` and `high`, with nothing after it. */
bool sch_cli_number(const char *text, uint64_t low, uint64_t high, uint64_t *number);

/* A decimal number at `*at`, which moves past it. */
bool sch_cli_read_number(const char **at, uint32_t *number);

/* The kind of `-x`; YES or USAGE. */
enum sch_cli_exit sch_cli_kind(const struct sch_cli_verb *verb, const char *word, enum sch_kind *kind);

/* Inputs (input.c) and outputs (output.c). A file that is written is there whole or as it was before; "-": standard
 * output. */
enum sch_cli_exit sch_cli_read_bytes(const char *path, struct sch_cli_input *input);
/* The byte order mark that a text begins with, which is passed over: 3 bytes of UTF-8, or 0. NO: the text is UTF-16,
 * and the error that says what to do is printed. */
enum sch_cli_exit sch_cli_text_mark(const char *name, const char *text, size_t bytes, size_t *mark);
/* Reads what may be a text, without its byte order mark. NO: it is UTF-16. */
enum sch_cli_exit sch_cli_read(const char *path, struct sch_cli_input *input);
void sch_cli_input_release(struct sch_cli_input *input);
enum sch_cli_exit sch_cli_write(const char *path, const void *data, size_t bytes);

/* Notes the file that the value of an option will be written to, if it is there. False: there are too many. An input
 * must not be one of them: */
bool sch_cli_output_named(const struct sch_cli_option *option, const char *value);

/* The option that says that an opened file is written; NULL: none does. */
const char *sch_cli_output_of(int file);

/* A context without machine code, for what runs none; others are made by code.h. */
enum sch_result sch_cli_plain_context_create(struct sch_context **context);

/* A shader that was read, with what belongs to it. */
struct sch_cli_shader {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    struct sch_cli_input input;
    bool reported;                    /* its warnings were printed before, and stay in the list */
    bool is_lowered;                  /* it was a Direct3D shader */
    struct sch_cli_code_place *place; /* of raw Maxwell code after something else (inputs/maxwell.h); else NULL */
};

/* Reads a shader, number `nth` of several (0: the only one). Reports are in its list. Release it whatever was
 * returned. */
enum sch_cli_exit sch_cli_shader_read(const char *path, enum sch_kind kind, uint32_t nth,
                                      struct sch_cli_shader *shader);
/* The same for an input that was read, which is taken over. */
enum sch_cli_exit sch_cli_shader_take(struct sch_cli_input *input, enum sch_kind kind, struct sch_cli_shader *shader);
/* In place of a Direct3D shader the one that it is lowered to: that is what has the registers of a run. Others stay. */
enum sch_cli_exit sch_cli_shader_lower(struct sch_cli_shader *shader);
/* The same for bytes that `shader->input` already holds; the rest of it is zero. */
enum sch_cli_exit sch_cli_shader_parse(enum sch_kind kind, struct sch_cli_shader *shader);
void sch_cli_shader_release(struct sch_cli_shader *shader);

/* --version (doctor.c): which version this is, and what it found. */
enum sch_cli_exit sch_cli_print_version(void);

/* What info says of Direct3D shaders beside the counts; nothing of others (d3d.c). */
struct sch_json;
void sch_cli_d3d_info(const struct sch_shader *shader, struct sch_json *json);

const char *sch_cli_stage_word(enum sch_stage stage);

/* interrupt.c: from here on SIGINT cancels dispatches that have this flag; and then the command ends by the signal. */
const uint32_t *sch_cli_interruptible(void);
/* Likewise, for a command that has more to put in order: SIGTERM and SIGHUP are as Ctrl-C. */
const uint32_t *sch_cli_endable(void);
void sch_cli_end_interrupted(void);

#endif
