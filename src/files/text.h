/* Headers that are text: words and numbers with white space between them. Takes no more than the bytes there are. Holds
 * no kind of file. */
#ifndef SCH_FILES_TEXT_H
#define SCH_FILES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sch_files_text {
    const uint8_t *at, *end;
    bool comments; /* from # to the end of a line is white space */
};

bool sch_files_is_space(uint8_t c);

/* Each skips white space first. A word may not be longer than its room, with a closing zero; a number has digits only,
 * of at most 32 bits, and nothing but white space or the end after it; a digit may have anything. False: there is no
 * such thing. */
bool sch_files_text_word(struct sch_files_text *text, char *word, size_t room);
bool sch_files_text_number(struct sch_files_text *text, uint32_t *number);
bool sch_files_text_digit(struct sch_files_text *text, uint32_t *digit);

/* One character of white space, without comments. */
bool sch_files_text_space(struct sch_files_text *text);

/* Goes after the end of this line. */
void sch_files_text_line(struct sch_files_text *text);

#endif
