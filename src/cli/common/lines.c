/* Reads a file line by line in large blocks. */
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, LONGEST_LINE = 1 << 20 };

struct lines {
    sch_cli_take_line *take;
    void (*finish)(void *user);
    void *user;
    uint32_t line;
};

static ssize_t read_more(struct lines *lines, int file, char *to, size_t bytes)
{
    struct pollfd ready = {.fd = file, .events = POLLIN};
    if (poll(&ready, 1, 0) == 0) {
        if (lines->finish) lines->finish(lines->user);
        fflush(stdout);
    }
    ssize_t got;
    do got = read(file, to, bytes);
    while (got < 0 && errno == EINTR);
    return got;
}

static void take_line(struct lines *lines, char *text, size_t bytes)
{
    if (bytes && text[bytes - 1] == '\r') bytes--;
    text[bytes] = 0;
    lines->take(lines->user, text, bytes, ++lines->line);
}

/* Takes all whole lines of the text and returns how many bytes they were. */
static size_t take_lines(struct lines *lines, char *text, size_t bytes)
{
    size_t at = 0;
    for (char *end; (end = memchr(text + at, '\n', bytes - at)) != NULL;) {
        take_line(lines, text + at, (size_t)(end - text) - at);
        at = (size_t)(end - text) + 1;
    }
    return at;
}

static enum sch_cli_exit take_file(struct lines *lines, const char *name, int file, char *text)
{
    size_t have = 0;
    for (;;) {
        if (LONGEST_LINE - have < BLOCK)
            return sch_cli_fail(SCH_CLI_LIMIT, "%s:%u: the line is too long", name, lines->line + 1);
        ssize_t got = read_more(lines, file, text + have, BLOCK);
        if (got < 0) return sch_cli_fail(SCH_CLI_IO, "cannot read %s: %s", name, strerror(errno));
        if (got == 0) break;
        if (!lines->line && !have) { /* the first bytes of the file */
            size_t mark;
            const enum sch_cli_exit exit_code = sch_cli_text_mark(name, text, (size_t)got, &mark);
            if (exit_code != SCH_CLI_YES) return exit_code;
            got -= (ssize_t)mark;
            memmove(text, text + mark, (size_t)got);
        }
        have += (size_t)got;
        size_t taken = take_lines(lines, text, have);
        memmove(text, text + taken, have - taken);
        have -= taken;
    }
    if (have) take_line(lines, text, have);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_each_line(const char *path, sch_cli_take_line *take, void (*finish)(void *user), void *user)
{
    bool standard = strcmp(path, "-") == 0;
    int file = standard ? STDIN_FILENO : open(path, O_RDONLY);
    if (file < 0) return sch_cli_fail(SCH_CLI_IO, "cannot open %s: %s", path, strerror(errno));
    char *text = malloc(LONGEST_LINE + 1);
    struct lines lines = {.take = take, .finish = finish, .user = user};
    enum sch_cli_exit exit_code =
        text ? take_file(&lines, standard ? "<stdin>" : path, file, text) : sch_cli_no_memory();
    free(text);
    if (!standard) close(file);
    return exit_code;
}
