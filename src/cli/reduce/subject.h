/* What `scheelite reduce` shrinks: a shader, Maxwell code, a script, a scene or a recorded stream; how each falls into
 * pieces, and when what they make is valid. */
#ifndef SCH_CLI_SUBJECT_H
#define SCH_CLI_SUBJECT_H

#include "inputs/maxwell.h"
#include "shrink.h"

enum sch_cli_subject_kind {
    SCH_CLI_SUBJECT_SHADER,
    SCH_CLI_SUBJECT_MAXWELL,
    SCH_CLI_SUBJECT_SCRIPT,
    SCH_CLI_SUBJECT_SCENE,
    SCH_CLI_SUBJECT_STREAM
};

/* What the options say. */
struct sch_cli_subject_options {
    bool chosen; /* -x */
    enum sch_cli_subject_kind subject;
    enum sch_kind kind; /* of a shader */
    struct sch_cli_maxwell_options maxwell;
    uint32_t nth;
};

/* The word of -x. */
enum sch_cli_exit sch_cli_subject_kind(const struct sch_cli_verb *verb, const char *word,
                                       struct sch_cli_subject_options *options);

struct sch_cli_subject {
    enum sch_cli_subject_kind kind;
    const char *path;
    struct sch_cli_input input; /* the file as it is */
    struct sch_context *context;
    enum sch_language language;         /* of a shader */
    struct sch_read_options reading;    /* how files like it are read */
    size_t skipped;                     /* of raw code: the bytes before it */
    bool is_text;                       /* it is written as text */
    bool words;                         /* TGSI tokens without a container */
    enum sch_float_text floats;         /* how it writes them */
    bool lenient;                       /* it is not valid itself: candidates must be read only */
    uint64_t refused;                   /* commands of a stream that are refused */
    struct sch_cli_form form;           /* it is this subject's: the subject must not move */
    struct sch_cli_shrunk written_anew; /* the file as the form makes it: the beginning */
};

/* Reads a file. Release the subject whatever was returned. NO: it cannot be read, which was reported. */
enum sch_cli_exit sch_cli_subject_open(const char *path, const struct sch_cli_subject_options *options,
                                       struct sch_cli_subject *subject);
void sch_cli_subject_release(struct sch_cli_subject *subject);

/* The forms (subject_shader.c, subject_text.c, subject_stream.c): each looks at the input, and sets `form`. */
enum sch_cli_exit sch_cli_subject_shader(struct sch_cli_subject *subject, enum sch_kind kind);
enum sch_cli_exit sch_cli_subject_maxwell(struct sch_cli_subject *subject,
                                          const struct sch_cli_maxwell_options *options);
enum sch_cli_exit sch_cli_subject_text(struct sch_cli_subject *subject);
enum sch_cli_exit sch_cli_subject_stream(struct sch_cli_subject *subject);

/* ---- what forms share ---- */

/* Text that grows; `failed`: memory is out. */
struct sch_cli_text {
    char *data;
    size_t bytes, room;
    bool failed;
};
void sch_cli_text_put(struct sch_cli_text *text, const char *data, size_t bytes);

/* Adds the lines of a text of the library, without numbers, indentation and comments. */
bool sch_cli_subject_add_lines(struct sch_cli_pieces *pieces, enum sch_cli_language language, uint32_t of,
                               const char *text, size_t bytes);

/* Puts pieces of one shader together: immediates are renumbered. False: one is missing that is read. */
bool sch_cli_subject_join(const struct sch_cli_piece *pieces, size_t count, struct sch_cli_text *text);

#endif
