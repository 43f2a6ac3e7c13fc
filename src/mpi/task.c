/* See task.h. */
#include "mpi/task.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PART_BYTES = 1 << 16, NAMES_TRIED = 100 };

enum sch_mpi_exit sch_mpi_task_open(struct sch_mpi_task *task, const struct sch_mpi_options *options, size_t count,
                                    const char *folder)
{
    *task = (struct sch_mpi_task){.options = options, .count = count, .journal = {.file = -1}};
    const enum sch_mpi_exit exit_code = sch_mpi_journal_open(options->journal, folder, options->resume, &task->journal);
    if (exit_code != SCH_MPI_YES) return exit_code;
    task->sums = sch_mpi_sums_create();
    task->results = calloc(count + 1, sizeof *task->results);
    task->keys = calloc(count + 1, sizeof *task->keys);
    return task->sums && task->results && task->keys ? SCH_MPI_YES : sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
}

void sch_mpi_task_close(struct sch_mpi_task *task)
{
    for (size_t i = 0; task->results && i < task->count; i++) free(task->results[i].name);
    free(task->results);
    free(task->keys);
    sch_mpi_sums_release(task->sums);
    sch_mpi_journal_close(&task->journal);
}

bool sch_mpi_task_find(struct sch_mpi_task *task, size_t number, char *const *words, size_t count, bool *failed)
{
    struct sch_mpi_result *result = &task->results[number];
    *failed = false;
    if (!task->options->journal) return false; /* no one will ask for the key */
    *failed = !sch_mpi_key_of(task->sums, task->options->program, words, count, task->keys[number]);
    const struct sch_mpi_record *found = *failed ? NULL : sch_mpi_journal_find(&task->journal, task->keys[number]);
    if (!found) return false;
    result->record = *found;
    result->done = result->resumed = true;
    return true;
}

enum sch_mpi_exit sch_mpi_task_keep(struct sch_mpi_task *task, const struct sch_mpi_answer *answer)
{
    if (answer->number >= task->count) return sch_mpi_fail(SCH_MPI_INTERNAL, "an answer that no one asked for");
    struct sch_mpi_result *result = &task->results[answer->number];
    result->record = answer->record;
    memcpy(result->record.key, task->keys[answer->number], SCH_MPI_KEY_BYTES);
    result->done = true;
    result->resumed = false;
    return sch_mpi_journal_append(&task->journal, &result->record, answer->out.data, answer->err.data);
}

enum sch_mpi_exit sch_mpi_task_report(const struct sch_mpi_task *task, bool outputs, enum sch_mpi_exit exit_code)
{
    const struct sch_mpi_options *options = task->options;
    for (size_t i = 0; i < task->count; i++)
        if (task->results[i].done) exit_code = sch_mpi_worse(exit_code, sch_mpi_record_exit(&task->results[i].record));
    struct sch_mpi_summary summary = {.verb = options->verb_name,
                                      .results = task->results,
                                      .count = task->count,
                                      .outputs = outputs,
                                      .journal = &task->journal,
                                      .exit_code = exit_code};
    enum sch_mpi_exit written = SCH_MPI_YES;
    if (options->json) written = sch_mpi_worse(written, sch_mpi_write_json(options->json, &summary));
    if (options->junit) written = sch_mpi_worse(written, sch_mpi_write_junit(options->junit, &summary));
    if (!options->quiet) sch_mpi_print_summary(&summary);
    return sch_mpi_worse(exit_code, written);
}

enum sch_mpi_exit sch_mpi_task_print(const struct sch_mpi_task *task, const struct sch_mpi_record *record, bool second)
{
    char part[PART_BYTES];
    const uint64_t bytes = second ? record->err_bytes : record->out_bytes;
    for (uint64_t at = 0; at < bytes;) {
        const size_t count = bytes - at < sizeof part ? (size_t)(bytes - at) : sizeof part;
        if (!sch_mpi_journal_read(&task->journal, record, (second ? record->out_bytes : 0) + at, part, count))
            return sch_mpi_fail(SCH_MPI_IO, "the journal cannot be read");
        if (fwrite(part, 1, count, second ? stderr : stdout) != count)
            return sch_mpi_fail(SCH_MPI_IO, "cannot write standard output: %s", strerror(errno));
        at += count;
    }
    return SCH_MPI_YES;
}

/* ---- files out ---- */

char *sch_mpi_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A new file in the folder of `path`; errno says why not. */
static bool create_beside(struct sch_mpi_file *file, mode_t mode)
{
    char *folder = sch_mpi_folder_of(file->path);
    const size_t bytes = folder ? strlen(folder) + 64 : 0;
    file->name = folder ? malloc(bytes) : NULL;
    errno = file->name ? EEXIST : ENOMEM;
    for (unsigned n = 0; file->name && file->file < 0 && errno == EEXIST && n < NAMES_TRIED; n++) {
        snprintf(file->name, bytes, "%s/.scheelite-mpi-%ld-%u", folder, (long)getpid(), n);
        file->file = open(file->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    const int problem = errno;
    free(folder);
    errno = problem;
    return file->file >= 0;
}

enum sch_mpi_exit sch_mpi_file_begin(const char *path, struct sch_mpi_file *file)
{
    struct stat is;
    *file = (struct sch_mpi_file){.file = -1};
    const bool there = stat(path, &is) == 0;
    if (there && !S_ISREG(is.st_mode))
        return sch_mpi_fail(SCH_MPI_USAGE, "%s is not a file that can be replaced", path);
    if (there && access(path, W_OK) != 0) return sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", path, strerror(errno));
    file->path = there ? realpath(path, NULL) : strdup(path); /* links stay */
    if (!file->path) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    if (create_beside(file, there ? is.st_mode & 0777 : 0666)) return SCH_MPI_YES;
    return sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", path, strerror(errno));
}

enum sch_mpi_exit sch_mpi_file_put(struct sch_mpi_file *file, const void *data, size_t bytes)
{
    const char *from = data;
    while (bytes) {
        const ssize_t put = write(file->file, from, bytes);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", file->path, strerror(errno));
        from += put;
        bytes -= (size_t)put;
    }
    return SCH_MPI_YES;
}

enum sch_mpi_exit sch_mpi_file_restart(struct sch_mpi_file *file)
{
    if (ftruncate(file->file, 0) == 0 && lseek(file->file, 0, SEEK_SET) == 0) return SCH_MPI_YES;
    return sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", file->path, strerror(errno));
}

enum sch_mpi_exit sch_mpi_file_end(struct sch_mpi_file *file)
{
    const int closed = close(file->file);
    file->file = -1;
    if (closed != 0 || rename(file->name, file->path) != 0)
        return sch_mpi_fail(SCH_MPI_IO, "cannot write %s: %s", file->path, strerror(errno));
    free(file->name);
    file->name = NULL;
    return SCH_MPI_YES;
}

void sch_mpi_file_release(struct sch_mpi_file *file)
{
    if (file->file >= 0) close(file->file);
    if (file->name && file->path) unlink(file->name);
    free(file->name);
    free(file->path);
    *file = (struct sch_mpi_file){.file = -1};
}
