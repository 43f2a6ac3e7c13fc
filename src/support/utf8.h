/* Texts of UTF-8 (RFC 3629), for who reads and writes them beside the library. */
#ifndef SCH_SUPPORT_UTF8_H
#define SCH_SUPPORT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the character that a text of `left` bytes, at least one, begins with. 0: the byte begins no character (a
 * continuation, a longer form than needed, a surrogate, beyond U+10FFFF, cut off). */
size_t sch_text_character(const char *text, size_t left);

/* The bytes of the byte order mark that a text begins with, 3 or 0. */
size_t sch_text_mark(const char *text, size_t bytes);

/* Whether it is a text of UTF-16, with its mark or by eight letters of ASCII. */
bool sch_text_is_utf16(const char *text, size_t bytes);

#endif
