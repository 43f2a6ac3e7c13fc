/* One sum over lines that stand in the order of their numbers. Where a table of ours must be that of a specification's
 * list which is not part of the repository, a test says the list's sum: what the table gives must have it anywhere, and
 * where the list is there, the list, too. Inline functions; no facts of any list. */
#ifndef SCH_TESTS_LIST_SUM_H
#define SCH_TESTS_LIST_SUM_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_LINES = 1024, LIST_LINE = 160 };

struct list_sum {
    char lines[LIST_LINES][LIST_LINE];
};

static inline struct list_sum *list_sum_begin(void) { return calloc(1, sizeof(struct list_sum)); }

static inline void list_sum_say(struct list_sum *sum, unsigned number, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (number < LIST_LINES) vsnprintf(sum->lines[number], LIST_LINE, format, values);
    va_end(values);
}

static inline uint64_t list_sum_add(uint64_t sum, unsigned char byte) { return (sum ^ byte) * 0x100000001b3; }

/* The sum (FNV-1a of 64 bits) in hexadecimal, in a buffer that the next call overwrites; frees what was said. */
static inline const char *list_sum_end(struct list_sum *sum)
{
    static char text[17];
    uint64_t value = 0xcbf29ce484222325;
    for (unsigned n = 0; n < LIST_LINES; n++) {
        if (!*sum->lines[n]) continue;
        value = list_sum_add(list_sum_add(value, (unsigned char)n), (unsigned char)(n >> 8));
        for (const char *at = sum->lines[n]; *at; at++) value = list_sum_add(value, (unsigned char)*at);
    }
    snprintf(text, sizeof text, "%016" PRIx64, value);
    free(sum);
    return text;
}

#endif
