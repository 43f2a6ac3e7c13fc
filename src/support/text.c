/* See text.h. */
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *sch_text_read(FILE *file, size_t most, size_t *bytes)
{
    enum { BLOCK = 1 << 16 };
    char *data = NULL;
    size_t got = 0;
    *bytes = 0;
    do {
        char *larger = realloc(data, *bytes + BLOCK);
        if (!larger) break;
        data = larger;
        got = fread(data + *bytes, 1, BLOCK, file);
        *bytes += got;
        if (*bytes > most) errno = EFBIG;
    } while (got == BLOCK && *bytes <= most);
    if (!data || ferror(file) || *bytes > most || got == BLOCK) {
        free(data);
        return NULL;
    }
    data[*bytes] = 0;
    return data;
}

bool sch_text_ends(const char *text, const char *ending)
{
    const size_t bytes = strlen(text), end = strlen(ending);
    return bytes > end && strcmp(text + bytes - end, ending) == 0;
}

bool sch_text_name_ends(const char *name, const char *const *endings)
{
    const size_t bytes = strlen(name);
    for (; *endings; endings++) {
        const size_t end = strlen(*endings);
        if (bytes > end && strcasecmp(name + bytes - end, *endings) == 0) return true;
    }
    return false;
}

void *sch_text_grow(void *list, size_t count, uint32_t *room, size_t bytes)
{
    if (count < *room) return list;
    if (count > UINT32_MAX / 2 - 32) return NULL;
    void *larger = reallocarray(list, 2 * count + 32, bytes);
    if (larger) *room = (uint32_t)(2 * count + 32);
    return larger;
}

void sch_text_add(char *text, size_t room, const char *format, ...)
{
    const size_t at = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    if (at < room) vsnprintf(text + at, room - at, format, arguments);
    va_end(arguments);
}

bool sch_text_digits(const char *text, size_t bytes, unsigned base, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < bytes; i++) {
        const char c = (char)(text[i] | (text[i] >= 'A' ? 0x20 : 0));
        const unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' ? (unsigned)(c - 'a') + 10 : 16;
        if (digit >= base || __builtin_mul_overflow(*number, base, number) ||
            __builtin_add_overflow(*number, digit, number))
            return false;
    }
    return bytes;
}

bool sch_text_natural(const char *text, size_t bytes, uint64_t *number)
{
    const bool hexadecimal = bytes > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    return hexadecimal ? sch_text_digits(text + 2, bytes - 2, 16, number) : sch_text_digits(text, bytes, 10, number);
}

bool sch_text_integer(const char *text, size_t bytes, int64_t low, uint64_t high, uint64_t *number)
{
    const bool minus = bytes && *text == '-', sign = minus || (bytes && *text == '+');
    if (!sch_text_natural(text + sign, bytes - sign, number)) return false;
    if (minus ? *number > 0 - (uint64_t)low : *number > high) return false;
    if (minus) *number = 0 - *number;
    return true;
}

/* ---- the cursor ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

struct sch_cursor sch_cursor_begin(const char *text, size_t bytes)
{
    return (struct sch_cursor){.at = text, .end = text + bytes, .line = text, .number = 1, .word = text};
}

bool sch_text_in_word(char c) { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }

void sch_cursor_blanks(struct sch_cursor *cursor)
{
    while (cursor->at < cursor->end && is_blank(*cursor->at)) cursor->at++;
}

bool sch_cursor_char(struct sch_cursor *cursor, char c)
{
    sch_cursor_blanks(cursor);
    if (cursor->at == cursor->end || *cursor->at != c) return false;
    cursor->at++;
    return true;
}

bool sch_cursor_words(struct sch_cursor *cursor, const char *words)
{
    struct sch_cursor at = *cursor;
    sch_cursor_blanks(&at);
    for (; *words; words++)
        if (*words == ' ')
            sch_cursor_blanks(&at);
        else if (at.at == at.end || *at.at++ != *words)
            return false;
    if (at.at < at.end && sch_text_in_word(at.at[-1]) && sch_text_in_word(*at.at)) return false;
    *cursor = at;
    return true;
}

bool sch_cursor_next(struct sch_cursor *cursor)
{
    sch_cursor_blanks(cursor);
    cursor->word = cursor->at;
    while (cursor->at < cursor->end && *cursor->at != '\n' && !is_blank(*cursor->at)) cursor->at++;
    cursor->bytes = (size_t)(cursor->at - cursor->word);
    return cursor->bytes;
}

bool sch_cursor_next_line(struct sch_cursor *cursor)
{
    const char *stop = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
    cursor->at = stop ? stop : cursor->end;
    if (!stop) return false;
    cursor->line = cursor->word = ++cursor->at;
    cursor->bytes = 0;
    cursor->number++;
    return true;
}

bool sch_cursor_is(const struct sch_cursor *cursor, const char *word)
{
    return cursor->bytes == strlen(word) && memcmp(cursor->word, word, cursor->bytes) == 0;
}

void sch_cursor_seek(struct sch_cursor *cursor, const char *begin, const char *word)
{
    *cursor = sch_cursor_begin(begin, (size_t)(cursor->end - begin));
    for (const char *stop; (stop = memchr(cursor->at, '\n', (size_t)(word - cursor->at)));) {
        cursor->line = cursor->at = stop + 1;
        cursor->number++;
    }
    cursor->at = word;
    sch_cursor_next(cursor);
}

void sch_text_shell_word(FILE *file, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,%@";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, file);
        return;
    }
    putc('\'', file);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", file);
        else
            putc(*word, file);
    putc('\'', file);
}
