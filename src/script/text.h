/* Reading a script's text: words, numbers and conditions of a line (text.c, condition.c), and the lines of the sections
 * (read.c and its like). Holds no execution. */
#ifndef SCH_SCRIPT_TEXT_H
#define SCH_SCRIPT_TEXT_H

#include "../support/text.h"
#include "items.h"

/* Where reading is: a line, or all of the text. */
struct sch_script_text {
    struct sch_script *script;
    const struct sch_script_host *host;
    struct sch_cursor cursor;
};

/* text.c. All of them skip blanks first, and stay where they are when they return false. */
bool sch_script_at_end(struct sch_script_text *text); /* of the line; a comment is an end */
/* One of some words, longer ones before their beginnings; NULL ends them. */
struct sch_script_choice {
    const char *words;
    int number;
};
bool sch_script_choose(struct sch_script_text *text, const struct sch_script_choice *choices, int *number);
bool sch_script_uint(struct sch_script_text *text, uint32_t high, uint32_t *value);
bool sch_script_word32(struct sch_script_text *text, enum sch_script_number number, uint32_t *bits);
bool sch_script_word64(struct sch_script_text *text, enum sch_script_number number, uint64_t *bits);
/* less, greater equal, ... */
bool sch_script_comparison(struct sch_script_text *text, enum sch_compare *compare);
/* rtv 0, srv 3, ...; a wrong number is reported. */
bool sch_script_slot(struct sch_script_text *text, struct sch_script_slot *slot);
/* Reports an error at the place that was reached; `name` is that of the diagnostic. */
void sch_script_refuse(struct sch_script_text *text, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* condition.c: todo(...) and its like, `only` these words; reports wrong conditions. */
void sch_script_prefixes(struct sch_script_text *text, struct sch_script_item *item, unsigned words);
/* read_layout.c: a line of [input layout]. */
void sch_script_layout_line(struct sch_script_text *text, struct sch_script_layout *layout);
/* read_resource.c: a name of the tables, with - or _ in it; 0 or less: there is none. */
int sch_script_format(struct sch_script_text *text);
/* A section of a resource; NULL: memory is out. */
struct sch_script_resource *sch_script_resource_begin(struct sch_script_slot slot);
void sch_script_resource_line(struct sch_script_text *text, struct sch_script_resource *resource);
void sch_script_resource_end(struct sch_script_text *text, struct sch_script_resource *resource);

/* read_state.c: a line of [test] about state of the pipeline; false: it is about something else. */
bool sch_script_state_line(struct sch_script_text *text, struct sch_script_item *item);
/* read_test.c: a line of [test]. */
void sch_script_test_line(struct sch_script_text *text);

#endif
