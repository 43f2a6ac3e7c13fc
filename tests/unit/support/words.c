/* Growing text. */
#include "words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

struct words words_in(char *text, size_t room)
{
    *text = 0;
    return (struct words){.text = text, .room = room};
}

void put(struct words *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int bytes = vsnprintf(w->text + w->used, w->room - w->used, format, list);
    va_end(list);
    assert_true(bytes >= 0 && (size_t)bytes < w->room - w->used);
    w->used += (size_t)bytes;
}
