/* The verbs run, check and test: each item is a command, and what it prints is printed in the order of the list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/list.h"
#include "mpi/task.h"
#include "support/utf8.h"

#define LARGEST_LIST ((size_t)1 << 28)

struct lists {
    struct sch_mpi_task task;
    struct sch_mpi_items items;
    size_t printed;
    enum sch_mpi_exit exit_code;
};

/* ---- items ---- */

static enum sch_mpi_exit read_text(const char *name, const struct sch_mpi_bytes *text, struct sch_mpi_items *items)
{
    const char *data = text->data;
    const size_t mark = sch_text_mark(data, text->size);
    if (sch_text_is_utf16(data, text->size))
        return sch_mpi_fail(SCH_MPI_NO, "%s is UTF-16, and UTF-8 is read (iconv -f UTF-16 -t UTF-8)", name);
    return sch_mpi_list_read(name, data + mark, text->size - mark, items);
}

static enum sch_mpi_exit read_list(const char *path, struct sch_mpi_items *items)
{
    struct sch_mpi_bytes text;
    enum sch_mpi_exit exit_code = sch_mpi_read_file(path, LARGEST_LIST, &text);
    if (exit_code == SCH_MPI_YES) exit_code = read_text(strcmp(path, "-") == 0 ? "stdin" : path, &text, items);
    sch_mpi_bytes_release(&text);
    return exit_code;
}

static enum sch_mpi_exit read_items(const struct sch_mpi_options *options, struct sch_mpi_items *items)
{
    static const char *const check[] = {"check"}, *const run[] = {"run"};
    const bool checks = options->verb == SCH_MPI_CHECK;
    const struct sch_mpi_frame frame = {.before = checks ? check : run,
                                        .before_count = 1,
                                        .after = (const char *const *)options->words + options->files,
                                        .after_count = options->count - options->files,
                                        .wanted = checks ? sch_mpi_is_shader : sch_mpi_is_script};
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    for (size_t i = 0; i < options->files && exit_code == SCH_MPI_YES; i++)
        exit_code = options->verb == SCH_MPI_RUN ? read_list(options->words[i], items)
                                                 : sch_mpi_folder_read(options->words[i], &frame, items);
    if (exit_code == SCH_MPI_YES && !items->count && options->verb != SCH_MPI_RUN)
        return sch_mpi_fail(SCH_MPI_IO, "%s: there is no %s in it", options->words[0],
                            checks ? "shader (.tgsi, .bin, .dxbc, .asm, .cubin)" : "script (.shader_test)");
    return exit_code;
}

/* Lines may begin with the command's name, as they would in a shell. */
static size_t skipped_words(const struct sch_mpi_options *options, const struct sch_mpi_item *item)
{
    return !options->other_program && item->count > 1 && strcmp(item->words[0], "scheelite") == 0;
}

static bool name_results(struct lists *lists)
{
    for (size_t i = 0; i < lists->items.count; i++) {
        const struct sch_mpi_item *item = &lists->items.list[i];
        struct sch_mpi_result *result = &lists->task.results[i];
        result->name = sch_mpi_item_line(item);
        result->source = item->source;
        result->line = item->line;
        if (!result->name) return false;
    }
    return true;
}

/* ---- results ---- */

static enum sch_mpi_exit print_result(const struct lists *lists, const struct sch_mpi_result *result)
{
    char end[64], line[32] = "";
    enum sch_mpi_exit exit_code = sch_mpi_task_print(&lists->task, &result->record, false);
    fflush(stdout);
    if (exit_code == SCH_MPI_YES) exit_code = sch_mpi_task_print(&lists->task, &result->record, true);
    if (exit_code != SCH_MPI_YES || !sch_mpi_record_exit(&result->record)) return exit_code;
    sch_mpi_describe_end(&result->record, end);
    if (result->line) snprintf(line, sizeof line, ":%u", result->line);
    sch_mpi_fail(SCH_MPI_NO, "%s%s: %s: %s", result->source, line, end, result->name);
    return SCH_MPI_YES;
}

/* Those that all before them are printed of. */
static enum sch_mpi_exit print_ready(struct lists *lists)
{
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    while (exit_code == SCH_MPI_YES && lists->printed < lists->task.count && lists->task.results[lists->printed].done)
        exit_code = print_result(lists, &lists->task.results[lists->printed++]);
    return exit_code;
}

/* ---- the source of work ---- */

static bool pack(struct lists *lists, size_t number, bool *found, struct sch_mpi_bytes *bytes)
{
    const struct sch_mpi_options *options = lists->task.options;
    const struct sch_mpi_item *item = &lists->items.list[number];
    const size_t skipped = skipped_words(options, item), count = item->count - skipped;
    bool failed;
    *found = sch_mpi_task_find(&lists->task, number, item->words + skipped, count, &failed);
    if (failed || *found) return !failed;
    char **words = calloc(count + 2, sizeof *words);
    if (!words) return false;
    words[0] = options->program;
    memcpy(words + 1, item->words + skipped, count * sizeof *words);
    const struct sch_mpi_work work = {.number = number,
                                      .kind = SCH_MPI_PLAIN,
                                      .timeout_ms = options->timeout_ms,
                                      .output_limit = options->output_limit,
                                      .words = words,
                                      .count = count + 1};
    sch_mpi_pack_work(&work, bytes);
    free(words);
    return !bytes->failed;
}

static bool next(void *user, struct sch_mpi_bytes *work)
{
    struct lists *lists = user;
    while (lists->task.next < lists->task.count && lists->exit_code == SCH_MPI_YES) {
        bool found;
        if (!pack(lists, lists->task.next++, &found, work))
            lists->exit_code = sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
        if (lists->exit_code == SCH_MPI_YES && !found) return true;
        if (lists->exit_code == SCH_MPI_YES) lists->exit_code = print_ready(lists);
    }
    return false;
}

static enum sch_mpi_exit take(void *user, const struct sch_mpi_answer *answer)
{
    struct lists *lists = user;
    enum sch_mpi_exit exit_code = sch_mpi_task_keep(&lists->task, answer);
    if (exit_code == SCH_MPI_YES) exit_code = print_ready(lists);
    return exit_code;
}

static enum sch_mpi_exit farm(struct lists *lists, bool *farmed)
{
    const struct sch_mpi_source source = {.user = lists, .next = next, .take = take};
    if (!name_results(lists)) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    *farmed = true;
    const enum sch_mpi_exit exit_code = sch_mpi_farm(&source);
    return sch_mpi_task_report(&lists->task, true, sch_mpi_worse(exit_code, lists->exit_code));
}

enum sch_mpi_exit sch_mpi_run_lists(const struct sch_mpi_options *options)
{
    struct lists lists = {.task = {.journal = {.file = -1}}};
    const char *folder = getenv("TMPDIR");
    bool farmed = false;
    enum sch_mpi_exit exit_code = read_items(options, &lists.items);
    if (exit_code == SCH_MPI_YES)
        exit_code = sch_mpi_task_open(&lists.task, options, lists.items.count, folder && *folder ? folder : P_tmpdir);
    if (exit_code == SCH_MPI_YES) exit_code = farm(&lists, &farmed);
    if (!farmed) sch_mpi_farm(NULL);
    sch_mpi_task_close(&lists.task);
    sch_mpi_items_release(&lists.items);
    return exit_code;
}
