/* Lists of command lines: words, quotes, comments. See list.h. */
#include "mpi/list.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1 << 20, WORDS = 4096 };

/* ---- items ---- */

static void release_item(struct sch_mpi_item *item)
{
    for (size_t i = 0; item->words && i < item->count; i++) free(item->words[i]);
    free(item->words);
    free(item->source);
}

bool sch_mpi_items_add(struct sch_mpi_items *items, const char *source, unsigned line, const char *const *words,
                       size_t count)
{
    if (items->count == items->capacity) {
        const size_t capacity = items->capacity * 2 + 16;
        struct sch_mpi_item *moved = realloc(items->list, capacity * sizeof *moved);
        if (!moved) return false;
        items->list = moved;
        items->capacity = capacity;
    }
    struct sch_mpi_item made = {
        .words = calloc(count + 1, sizeof *made.words), .count = count, .source = strdup(source), .line = line};
    bool complete = made.words && made.source;
    for (size_t i = 0; complete && i < count; i++) complete = (made.words[i] = strdup(words[i])) != NULL;
    if (complete)
        items->list[items->count++] = made;
    else
        release_item(&made);
    return complete;
}

void sch_mpi_items_release(struct sch_mpi_items *items)
{
    for (size_t i = 0; i < items->count; i++) release_item(&items->list[i]);
    free(items->list);
    *items = (struct sch_mpi_items){0};
}

/* ---- lines ---- */

/* One line while it is read: its words, one after the other in `text`. */
struct line {
    const char *name;
    unsigned number;
    const char *begin, *at, *end;
    char *text; /* room for the line */
    const char *words[WORDS];
    size_t count;
};

static enum sch_mpi_exit refuse(const struct line *line, const char *at, const char *why)
{
    return sch_mpi_fail(SCH_MPI_USAGE, "%s:%u:%zu: %s", line->name, line->number, (size_t)(at - line->begin) + 1, why);
}

/* What is between quotes, to `*to`. */
static enum sch_mpi_exit read_quoted(struct line *line, char **to)
{
    const char *open = line->at++;
    for (; line->at < line->end && *line->at != *open; line->at++) {
        const char *next = line->at + 1;
        if (*open == '"' && *line->at == '\\' && next < line->end && (*next == '"' || *next == '\\')) line->at++;
        *(*to)++ = *line->at;
    }
    if (line->at == line->end) return refuse(line, open, "the quote is not closed in this line");
    line->at++;
    return SCH_MPI_YES;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static enum sch_mpi_exit read_word(struct line *line, char **to)
{
    if (line->count == WORDS) return refuse(line, line->at, "a line has 4096 words at most");
    line->words[line->count++] = *to;
    while (line->at < line->end && !is_space(*line->at)) {
        if (*line->at == '\'' || *line->at == '"') {
            const enum sch_mpi_exit exit_code = read_quoted(line, to);
            if (exit_code != SCH_MPI_YES) return exit_code;
            continue;
        }
        if (*line->at == '\\' && ++line->at == line->end)
            return refuse(line, line->at - 1, "there is nothing after the backslash: a command is one line");
        *(*to)++ = *line->at++;
    }
    *(*to)++ = 0;
    return SCH_MPI_YES;
}

static enum sch_mpi_exit read_line(struct line *line, struct sch_mpi_items *items)
{
    char *to = line->text;
    const char *zero = memchr(line->begin, 0, (size_t)(line->end - line->begin));
    line->count = 0;
    line->at = line->begin;
    if (zero) return refuse(line, zero, "a zero byte: this is not a list of command lines");
    for (;;) {
        while (line->at < line->end && is_space(*line->at)) line->at++;
        if (line->at == line->end || *line->at == '#') break;
        const enum sch_mpi_exit exit_code = read_word(line, &to);
        if (exit_code != SCH_MPI_YES) return exit_code;
    }
    if (!line->count || sch_mpi_items_add(items, line->name, line->number, line->words, line->count))
        return SCH_MPI_YES;
    return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
}

enum sch_mpi_exit sch_mpi_list_read(const char *name, const char *text, size_t bytes, struct sch_mpi_items *items)
{
    const char *end = text + bytes;
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    struct line *line = calloc(1, sizeof *line);
    /* A word is followed by a zero, and by a space or the end in the text: LINE_BYTES are enough for both. */
    if (line) line->text = malloc(LINE_BYTES + 1);
    if (!line || !line->text) exit_code = sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    if (line) line->name = name;
    for (const char *next; text < end && exit_code == SCH_MPI_YES; text = next) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        line->number++;
        line->begin = text;
        line->end = newline ? newline : end;
        next = newline ? newline + 1 : end;
        exit_code = line->end - text > LINE_BYTES ? refuse(line, text, "the line is longer than 1048576 bytes")
                                                  : read_line(line, items);
    }
    if (line) free(line->text);
    free(line);
    return exit_code;
}

/* ---- and back ---- */

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_./,:=@%";
    return *word && word[strspn(word, plain)] == 0;
}

static void put_word(struct sch_mpi_bytes *line, const char *word)
{
    if (is_plain(word)) {
        sch_mpi_put(line, word, strlen(word));
        return;
    }
    sch_mpi_put(line, "\"", 1);
    for (; *word; word++) {
        if (*word == '"' || *word == '\\') sch_mpi_put(line, "\\", 1);
        sch_mpi_put(line, word, 1);
    }
    sch_mpi_put(line, "\"", 1);
}

char *sch_mpi_item_line(const struct sch_mpi_item *item)
{
    struct sch_mpi_bytes line = {0};
    for (size_t i = 0; i < item->count; i++) {
        if (i) sch_mpi_put(&line, " ", 1);
        put_word(&line, item->words[i]);
    }
    sch_mpi_put(&line, "", 1);
    if (!line.failed) return line.data;
    sch_mpi_bytes_release(&line);
    return NULL;
}
