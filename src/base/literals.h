/* String literals of C, Rust and JSON in a text, line by line: where what is not their contents is. Knows no
 * language of shaders: who looks for one says at which quote it begins. */
#ifndef SCH_BASE_LITERALS_H
#define SCH_BASE_LITERALS_H

#include "base/lines.h"

/* What is known of the literals before a line; all false at the text's begin. */
struct sch_literals {
    bool active; /* literals are taken: from the first wanted one on, over all lines that have some or are within one */
    bool inside; /* the line continues with one that an earlier line began */
    struct sch_line rest; /* of the line: what is not yet looked at */
    const char *quote;    /* where the wanted literal begins on it; NULL: at the first quote, if it has one */
};

/* A part of a line that is not content: code, a quote, an escape. */
struct sch_no_content {
    const char *begin, *end;
    bool breaks; /* it stands for a line end */
};

/* Takes the next line; `quote` is where a wanted literal begins on it, NULL: none does, or it continues with one. */
void sch_literals_line(struct sch_literals *literals, struct sch_line line, const char *quote);

/* The next part of the line that is not content; false: there is no further one. */
bool sch_literals_next(struct sch_literals *literals, struct sch_no_content *part);

#endif
