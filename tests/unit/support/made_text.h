/* A shader's text that grows line by line, for shaders too large to be written down. */
#ifndef SCH_TESTS_MADE_TEXT_H
#define SCH_TESTS_MADE_TEXT_H

#include <stddef.h>

struct made_text {
    char *at; /* the caller frees it */
    size_t bytes, room;
};

/* Appends up to 4,095 bytes; the test fails when there is no memory. */
void made_text_add(struct made_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
