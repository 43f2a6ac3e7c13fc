/* What the farm is to do: a list of commands, a picture, a grid. Each is a source of work with its results (farm.h);
 * this has what they share. On rank 0 alone. */
#ifndef SCH_MPI_TASK_H
#define SCH_MPI_TASK_H

#include "mpi/farm.h"
#include "mpi/inputs.h"
#include "mpi/options.h"
#include "mpi/report.h"

struct sch_mpi_task {
    const struct sch_mpi_options *options;
    struct sch_mpi_journal journal;
    struct sch_mpi_sums *sums;
    struct sch_mpi_result *results;
    uint8_t (*keys)[SCH_MPI_KEY_BYTES]; /* of what was handed out */
    size_t count, next;                 /* results; the next one to hand out */
};

/* Opens the journal; makes room for `count` results. `folder`: where a journal without a name is. Close the task in
 * any case. */
enum sch_mpi_exit sch_mpi_task_open(struct sch_mpi_task *task, const struct sch_mpi_options *options, size_t count,
                                    const char *folder);
void sch_mpi_task_close(struct sch_mpi_task *task);

/* Notes what result `number` is made of; true: the journal has it, and the result is done. `failed`: out of memory. */
bool sch_mpi_task_find(struct sch_mpi_task *task, size_t number, char *const *words, size_t count, bool *failed);

/* Keeps an answer. */
enum sch_mpi_exit sch_mpi_task_keep(struct sch_mpi_task *task, const struct sch_mpi_answer *answer);

/* Writes reports and the summary; returns the farm's exit code. */
enum sch_mpi_exit sch_mpi_task_report(const struct sch_mpi_task *task, bool outputs, enum sch_mpi_exit exit_code);

/* Prints what is in the journal of a record's first or second output. */
enum sch_mpi_exit sch_mpi_task_print(const struct sch_mpi_task *task, const struct sch_mpi_record *record, bool second);

/* Files out, beside their place until they are whole. */
struct sch_mpi_file {
    char *path, *name; /* of the file, and of the one beside it */
    int file;
    uint64_t bytes;
};
enum sch_mpi_exit sch_mpi_file_begin(const char *path, struct sch_mpi_file *file);
enum sch_mpi_exit sch_mpi_file_put(struct sch_mpi_file *file, const void *data, size_t bytes);
enum sch_mpi_exit sch_mpi_file_restart(struct sch_mpi_file *file);
enum sch_mpi_exit sch_mpi_file_end(struct sch_mpi_file *file);
void sch_mpi_file_release(struct sch_mpi_file *file); /* removes what was not finished */

/* The folder that a file is in. The caller's; NULL: out of memory. */
char *sch_mpi_folder_of(const char *path);

enum sch_mpi_exit sch_mpi_run_lists(const struct sch_mpi_options *options);
enum sch_mpi_exit sch_mpi_run_picture(const struct sch_mpi_options *options);
enum sch_mpi_exit sch_mpi_run_grid(const struct sch_mpi_options *options);

#endif
