/* The arguments of scheelite-mpi: its own options, and words for the commands that it runs. */
#ifndef SCH_MPI_OPTIONS_H
#define SCH_MPI_OPTIONS_H

#include "mpi/common.h"

enum sch_mpi_verb { SCH_MPI_RUN, SCH_MPI_CHECK, SCH_MPI_TEST, SCH_MPI_PICTURE, SCH_MPI_GRID };

struct sch_mpi_options {
    enum sch_mpi_verb verb;
    const char *verb_name;
    char *program; /* the command scheelite, or what --program says */
    bool other_program;
    const char *journal, *json, *junit;
    bool resume, quiet;
    uint64_t timeout_ms, output_limit;
    uint64_t band_rows, parts; /* 0: not said */
    char **words;              /* lists, folders; of pictures and grids what scheelite run takes; room for more */
    size_t count;
    size_t files; /* how many words come before a -- */
};

/* Reads the arguments. USAGE, and said. Release the options in any case. */
enum sch_mpi_exit sch_mpi_options_read(int argc, char **argv, struct sch_mpi_options *options);
void sch_mpi_options_release(struct sch_mpi_options *options);

/* The value of `name` VALUE or `name`=VALUE among words from `*at` on, which is moved after it; NULL: there is no
 * more. */
const char *sch_mpi_option_value(char *const *words, size_t count, const char *name, size_t *at);
bool sch_mpi_has_option(char *const *words, size_t count, const char *name);

extern const char sch_mpi_usage[];

#endif
