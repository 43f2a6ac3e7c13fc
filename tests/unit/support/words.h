/* What a test found, or a shader that it makes, as text that grows in an array of the test's. */
#ifndef TESTS_WORDS_H
#define TESTS_WORDS_H

#include <stddef.h>

struct words {
    char *text; /* ends with 0 */
    size_t used, room;
};

/* No text yet, with room for `room` bytes. */
struct words words_in(char *text, size_t room);

/* Appends; the test fails where there is no room. */
void put(struct words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
