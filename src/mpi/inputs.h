/* What an item is made of: a key of its command line and of the files that it reads, so that a journal's results are
 * those of today's inputs. */
#ifndef SCH_MPI_INPUTS_H
#define SCH_MPI_INPUTS_H

#include "mpi/common.h"
#include "mpi/journal.h"

/* Sums of files that were read, so that a photograph of a thousand items is read once. */
struct sch_mpi_sums;
struct sch_mpi_sums *sch_mpi_sums_create(void); /* NULL: out of memory */
void sch_mpi_sums_release(struct sch_mpi_sums *sums);

/* The key of a command with its program: SHA-256 of the version, of the words, and of the contents of every file that a
 * word names, by itself or between the signs = , + @; but for what follows an option of outputs (-o,
 * --buffer-out and others). False: out of memory. */
bool sch_mpi_key_of(struct sch_mpi_sums *sums, const char *program, char *const *words, size_t count,
                    uint8_t key[SCH_MPI_KEY_BYTES]);

#endif
