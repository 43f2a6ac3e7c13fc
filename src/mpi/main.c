/* scheelite-mpi: commands of scheelite, pictures and grids on all ranks of an MPI job. Rank 0 reads the arguments; the
 * others wait for work. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <mpi.h>

#include "mpi/task.h"

static enum sch_mpi_exit lead(int argc, char **argv)
{
    struct sch_mpi_options options;
    enum sch_mpi_exit exit_code = sch_mpi_options_read(argc, argv, &options);
    if (exit_code != SCH_MPI_YES)
        sch_mpi_farm(NULL);
    else if (options.verb == SCH_MPI_PICTURE)
        exit_code = sch_mpi_run_picture(&options);
    else if (options.verb == SCH_MPI_GRID)
        exit_code = sch_mpi_run_grid(&options);
    else
        exit_code = sch_mpi_run_lists(&options);
    sch_mpi_options_release(&options);
    return exit_code;
}

static bool wants(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], word) == 0) return true;
    return false;
}

int main(int argc, char **argv)
{
    int rank, threads;
    enum sch_mpi_exit exit_code = SCH_MPI_YES;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* ignored, which may be inherited, children end without an exit status */
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads) != MPI_SUCCESS)
        return sch_mpi_fail(SCH_MPI_INTERNAL, "MPI does not start");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank) {
        sch_mpi_serve();
    } else if (wants(argc, argv, "--help") || wants(argc, argv, "-h")) {
        fputs(sch_mpi_usage, stdout);
        sch_mpi_farm(NULL);
    } else if (wants(argc, argv, "--version")) {
        printf("scheelite-mpi %s\n", SCH_MPI_VERSION);
        sch_mpi_farm(NULL);
    } else {
        exit_code = lead(argc, argv);
    }
    if (fflush(stdout) != 0)
        exit_code =
            sch_mpi_worse(exit_code, sch_mpi_fail(SCH_MPI_IO, "cannot write standard output: %s", strerror(errno)));
    MPI_Finalize();
    return exit_code;
}
