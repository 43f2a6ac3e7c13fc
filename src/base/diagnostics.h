/* A list of what was wrong with an input: severity, stable number, place, message, and the source line for a caret.
 * The numbers are rows of src/isa/errors.def. Holds no policy: who reports decides; who prints lives in src/cli. */
#ifndef SCH_BASE_DIAGNOSTICS_H
#define SCH_BASE_DIAGNOSTICS_H

#include "base/arena.h"

/* A place in an input. Text has line and column (from 1, columns in bytes); binary input has line 0 and only the
 * byte offset (from 0). */
struct sch_position {
    uint32_t line, column;
    uint64_t offset;
};

/* The position of the byte `at` of a text that begins at `position`. */
struct sch_position sch_position_at(struct sch_position position, const char *text, const char *at);

struct sch_diagnostic {
    enum sch_severity severity;
    unsigned code;
    struct sch_position position;
    const char *source;    /* the input's name as the caller gave it */
    const char *message;   /* one line, no final full stop */
    const char *line_text; /* the source line (at most SCH_DIAGNOSTIC_LINE bytes of it around the column), or NULL */
    uint32_t caret;        /* byte of line_text under which the caret is, from 0 */
    const char *argument;  /* of a wrong call: the parameter or member; otherwise NULL */
    struct sch_register_name about;
};

/* What a call does not take, and why: the first that it refused. */
enum { SCH_REFUSED_ARGUMENT = 96, SCH_REFUSED_REASON = 192 };
struct sch_refusal {
    const char *whose;                   /* the parameter whose members names with a leading dot are */
    char argument[SCH_REFUSED_ARGUMENT]; /* "": nothing was refused */
    char reason[SCH_REFUSED_REASON];
};

enum { SCH_DIAGNOSTIC_LINE = 160 };

struct sch_diagnostics {
    struct sch_arena arena;
    struct sch_diagnostic *items;
    size_t count, capacity;
    size_t errors, warnings; /* all that were reported, those past the limit too; pedantic ones are warnings */
    size_t limit;            /* items kept; later ones are counted only */
    const struct sch_warning_options *filter; /* the caller's; NULL: pedantic reports are dropped */
    const char *source;                       /* stamped on what is added next */
    const char *text;                         /* the whole source text for line_text, or NULL */
    size_t text_bytes;
    struct sch_register_name about; /* of the report that is added next, which takes it */
    struct sch_refusal *refusal;    /* of the call that runs; or NULL */
    bool silent;                    /* stands for no list: keeps and counts nothing, but for `refusal` */
};

/* Whether reports are kept or counted at all. */
static inline bool sch_diagnostics_hears(const struct sch_diagnostics *list) { return list && !list->silent; }
/* Whether the words of one more error would be kept, for who takes long to find them. */
static inline bool sch_diagnostics_keeps(const struct sch_diagnostics *list)
{
    return sch_diagnostics_hears(list) && !(list->limit && list->count >= list->limit);
}

void sch_diagnostics_init(struct sch_diagnostics *list, const struct sch_allocator *allocator, size_t limit);
void sch_diagnostics_release(struct sch_diagnostics *list);

/* Names the input that the following reports are about. `source` is copied; `text` (may be NULL) must live until the
 * next call of this function. */
void sch_diagnostics_source(struct sch_diagnostics *list, const char *source, const char *text, size_t bytes);
/* The same of an input without a text. */
void sch_diagnostics_name(struct sch_diagnostics *list, const char *source);

/* Adds one report. `list` may be NULL: nothing is kept. */
void sch_diagnostics_add(struct sch_diagnostics *list, enum sch_severity severity, unsigned code,
                         struct sch_position position, const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
