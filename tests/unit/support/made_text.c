/* Growing a shader's text. */
#include "made_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

void made_text_add(struct made_text *text, const char *format, ...)
{
    enum { MOST = 4096 };
    va_list arguments;
    if (text->room - text->bytes < MOST) {
        text->room = 2 * text->room + MOST;
        text->at = realloc(text->at, text->room);
        assert_non_null(text->at);
    }
    va_start(arguments, format);
    int bytes = vsnprintf(text->at + text->bytes, MOST, format, arguments);
    va_end(arguments);
    assert_in_range(bytes, 0, MOST - 1);
    text->bytes += (size_t)bytes;
}
