/* Who does what: rank 0 hands work out to all ranks, itself one of them, whenever one has nothing to do, and takes
 * their answers. The only file beside main.c that knows MPI. Holds no meaning of work. */
#ifndef SCH_MPI_FARM_H
#define SCH_MPI_FARM_H

#include "mpi/work.h"

/* Where work comes from; called by rank 0's first thread alone. */
struct sch_mpi_source {
    void *user;

    /* Packs the next piece of work; false: there is none now. It is asked again when an answer was taken. */
    bool (*next)(void *user, struct sch_mpi_bytes *work);

    /* Takes an answer. Another code than YES: no more is handed out, and the farm ends with it. */
    enum sch_mpi_exit (*take)(void *user, const struct sch_mpi_answer *answer);
};

/* Rank 0: until there is no more work and all answers are there. Ends the other ranks. Without a source these just
 * end. */
enum sch_mpi_exit sch_mpi_farm(const struct sch_mpi_source *source);

/* The other ranks: until rank 0 says that it was all. */
void sch_mpi_serve(void);

#endif
