/* Reading texts: files, numbers, and a cursor over the words of lines. */
#ifndef SCH_SUPPORT_TEXT_H
#define SCH_SUPPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Reads a file to its end, at most so many bytes, and puts a zero byte after them; the caller frees it. NULL: errno
 * says why, EFBIG for more bytes. */
char *sch_text_read(FILE *file, size_t most, size_t *bytes);

/* Adds to a text that ends with a zero byte, as far as there is room. */
void sch_text_add(char *text, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The number that digits of a base up to 16 make. False: there is something else, nothing, or more than 64 bits. */
bool sch_text_digits(const char *text, size_t bytes, unsigned base, uint64_t *number);
/* The same, decimal, or hexadecimal after 0x. */
bool sch_text_natural(const char *text, size_t bytes, uint64_t *number);
/* The same after a sign or without one, in two's complement: from `low` on and up to `high`. */
bool sch_text_integer(const char *text, size_t bytes, int64_t low, uint64_t high, uint64_t *number);

/* Word `n` of bytes that have the low one first. */
static inline uint32_t sch_bytes_word(const void *data, size_t n)
{
    const unsigned char *at = (const unsigned char *)data + 4 * n;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* FNV-1a with 64 bits, of the bytes after those that `hash` is of. Not for bytes that are made to collide. */
#define SCH_HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)
static inline uint64_t sch_bytes_hash(uint64_t hash, const void *data, size_t bytes)
{
    for (const unsigned char *at = (const unsigned char *)data; bytes; bytes--)
        hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
    return hash;
}

/* Whether a text ends with another one, and has something before it. */
bool sch_text_ends(const char *text, const char *ending);
/* Whether a file's name ends with one of a list's endings, which NULL ends, in capitals or not. */
bool sch_text_name_ends(const char *name, const char *const *endings);

/* A word of the shell: as it is where all its characters are plain, else between quotes. */
void sch_text_shell_word(FILE *file, const char *word);

/* Room for one more in a list of `count` things of `bytes` each, of which there is room for `*room`: the list, which
 * may have moved. NULL: memory; the list is as it was. */
void *sch_text_grow(void *list, size_t count, uint32_t *room, size_t bytes);

/* Scans a text of our own: lines of words with blanks around them, or character by character. */
struct sch_cursor {
    const char *at, *end;
    const char *line; /* where the line begins */
    uint32_t number;  /* of the line, from 1 */
    const char *word; /* the last word */
    size_t bytes;     /* of it */
};

struct sch_cursor sch_cursor_begin(const char *text, size_t bytes);
void sch_cursor_blanks(struct sch_cursor *cursor);       /* passes over them */
bool sch_cursor_char(struct sch_cursor *cursor, char c); /* takes it after blanks, if it is there */
/* Likewise words; a blank is any number of blanks. A word does not end within one. */
bool sch_cursor_words(struct sch_cursor *cursor, const char *words);
bool sch_cursor_next(struct sch_cursor *cursor); /* takes a word; false: the line has no more */
bool sch_cursor_next_line(struct sch_cursor *cursor);
bool sch_cursor_is(const struct sch_cursor *cursor, const char *word);
/* Goes to a word that is somewhere in the text, `begin`. */
void sch_cursor_seek(struct sch_cursor *cursor, const char *begin, const char *word);
static inline uint32_t sch_cursor_column(const struct sch_cursor *cursor) /* from 1 */
{
    return (uint32_t)(cursor->at - cursor->line) + 1;
}
/* Letters, digits and _. */
bool sch_text_in_word(char c);

#endif
