/* Inputs that are answered line by line, however long they are: whoever waits for an answer gets it before more lines
 * are awaited. Knows nothing of what the lines say. */
#ifndef SCH_CLI_LINES_H
#define SCH_CLI_LINES_H

#include "cli.h"

/* Calls take(user, text, bytes, line) for each line of the file or of "-", without its end (\n or \r\n) and ended with
 * a zero byte; what take printed is flushed before the file is waited for. */
enum sch_cli_exit sch_cli_each_line(const char *path, void (*take)(void *user, char *text, size_t bytes, uint32_t line),
                                    void *user);

#endif
