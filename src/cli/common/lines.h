/* Inputs with a result for each line, however long they are: whoever waits for a result gets it before more lines
 * are awaited. Knows nothing of what the lines say. */
#ifndef SCH_CLI_LINES_H
#define SCH_CLI_LINES_H

#include "cli.h"

/* What is done with a line: without its end (\n or \r\n), ended with a zero byte, counted from 1. */
typedef void sch_cli_take_line(void *user, char *text, size_t bytes, uint32_t line);

/* Calls `take` for each line of the file or of "-". Before the file is waited for, `finish` (may be NULL) prints what
 * was put off, and standard output is flushed. */
enum sch_cli_exit sch_cli_each_line(const char *path, sch_cli_take_line *take, void (*finish)(void *user), void *user);

#endif
