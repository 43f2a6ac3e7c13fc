/* What ranks send each other: work, which one of them does, and its answer. As bytes, since all ranks run this program.
 * How it is done is in execute.c; who does it is decided in farm.c. */
#ifndef SCH_MPI_WORK_H
#define SCH_MPI_WORK_H

#include "mpi/journal.h"

enum sch_mpi_kind {
    SCH_MPI_PLAIN, /* a command: its outputs are the answer */
    SCH_MPI_BAND,  /* rows of a picture: the first output is a piece of a PNG, the facts are those of the piece */
    SCH_MPI_PART   /* work groups of a grid: the first output says which bytes of memory they have changed */
};

/* A piece of a PNG (struct sch_png_piece). */
struct sch_mpi_piece {
    uint64_t width, height, first, rows, alpha, has_compression, compression;
};

/* Memory that a grid writes: `option` SLOT=FILE names it, or `option` FILE where `slot` is empty. It begins with what
 * `initial` is: a file, or zero:BYTES. */
struct sch_mpi_memory {
    const char *option, *slot, *initial;
};
enum { SCH_MPI_MEMORIES = 64 };

struct sch_mpi_work {
    uint64_t number;
    enum sch_mpi_kind kind;
    uint64_t timeout_ms, output_limit;
    char *const *words; /* the program and its arguments */
    size_t count;
    struct sch_mpi_piece piece;
    struct sch_mpi_memory memories[SCH_MPI_MEMORIES];
    size_t memory_count;
};

void sch_mpi_pack_work(const struct sch_mpi_work *work, struct sch_mpi_bytes *bytes);

struct sch_mpi_answer {
    uint64_t number;
    struct sch_mpi_record record; /* without key and place */
    struct sch_mpi_bytes out, err;
};

/* Does what packed work says. Release the answer. */
void sch_mpi_execute(const struct sch_mpi_bytes *packed, unsigned rank, struct sch_mpi_answer *answer);
void sch_mpi_answer_release(struct sch_mpi_answer *answer);

/* The contents that memory begins with: the caller's, NULL with a zero size where there are none. False: they cannot be
 * had, and `why` says it. */
bool sch_mpi_initial(const char *source, struct sch_mpi_bytes *contents, char why[256]);

#endif
