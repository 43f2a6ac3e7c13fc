/* One command as a child process: its output is kept up to a limit, its time is bounded, and nothing of it stays. */
#ifndef SCH_MPI_CHILD_H
#define SCH_MPI_CHILD_H

#include "mpi/common.h"

struct sch_mpi_command {
    char *const *words;    /* words[0] is the program's path, or a name to look for in PATH; NULL after the last */
    uint64_t timeout_ms;   /* 0: none */
    uint64_t output_limit; /* bytes that are kept of each of its two outputs; the rest is read and dropped */
};

struct sch_mpi_done {
    int exit_code; /* its exit code, where no signal ended it */
    int signal;    /* that ended it; 0: none */
    bool late;     /* the time limit ended it */
    bool out_cut, err_cut;
    uint64_t ms, cpu_ms, peak_kb;
    struct sch_mpi_bytes out, err;
};

/* False: it could not be started, and `done->err` says why. Release `done` in any case. */
bool sch_mpi_child_run(const struct sch_mpi_command *command, struct sch_mpi_done *done);
void sch_mpi_done_release(struct sch_mpi_done *done);

/* What the farm makes of the end of an item: its exit code, INTERNAL for a signal, LIMIT where it took too long. */
int sch_mpi_done_exit(const struct sch_mpi_done *done);

#endif
