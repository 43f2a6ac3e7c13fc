/* See base/log.h. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_BYTES = 1024 };

void sch_log(const struct sch_log_callback *log, enum sch_log_level level, enum sch_log_subject subject,
             const char *format, ...)
{
    char text[TEXT_BYTES];
    if (!log->function) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const struct sch_log_message message = {.size = sizeof message, .level = level, .subject = subject, .text = text};
    log->function(log->user, &message);
}
