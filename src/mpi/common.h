/* What the files of scheelite-mpi share: exit codes, messages, bytes that grow. Holds nothing of MPI. */
#ifndef SCH_MPI_COMMON_H
#define SCH_MPI_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit codes of the command scheelite, which are those of the farm, too. */
enum sch_mpi_exit {
    SCH_MPI_YES = 0,
    SCH_MPI_NO = 1,
    SCH_MPI_USAGE = 2,
    SCH_MPI_IO = 3,
    SCH_MPI_UNSUPPORTED = 4,
    SCH_MPI_LIMIT = 5,
    SCH_MPI_INTERNAL = 70
};

/* Prints `scheelite-mpi: MESSAGE` on stderr; returns `code`. */
enum sch_mpi_exit sch_mpi_fail(enum sch_mpi_exit code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Which of two codes the farm ends with. Codes that scheelite does not have, which other programs may end with, count
 * as NO. */
enum sch_mpi_exit sch_mpi_worse(enum sch_mpi_exit a, int b);

/* Bytes that grow. `failed`: there was no memory, and what came then is missing. */
struct sch_mpi_bytes {
    char *data;
    size_t size, capacity;
    bool failed;
};
void sch_mpi_put(struct sch_mpi_bytes *bytes, const void *data, size_t size);
void sch_mpi_put_number(struct sch_mpi_bytes *bytes, uint64_t number); /* eight bytes */
void sch_mpi_put_text(struct sch_mpi_bytes *bytes, const char *text);  /* with its closing zero */
void sch_mpi_bytes_release(struct sch_mpi_bytes *bytes);

/* What was put, taken from the front. `failed`: there was less. */
struct sch_mpi_reader {
    const char *at, *end;
    bool failed;
};
uint64_t sch_mpi_take_number(struct sch_mpi_reader *reader);
const char *sch_mpi_take_text(struct sch_mpi_reader *reader); /* "" if there is none */
const char *sch_mpi_take(struct sch_mpi_reader *reader, size_t size);

/* A decimal number between `low` and `high`, with nothing after it. */
bool sch_mpi_number(const char *text, uint64_t low, uint64_t high, uint64_t *number);

/* Reads a whole file ("-": standard input) of at most `limit` bytes; a zero byte follows the last. IO or LIMIT, and
 * said. */
enum sch_mpi_exit sch_mpi_read_file(const char *path, size_t limit, struct sch_mpi_bytes *bytes);

#endif
