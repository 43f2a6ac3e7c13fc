/* The journal: results of items, each appended when it is there. A farm that was killed continues with what is in it;
 * one that has no journal keeps its results in a file without a name. A result in it is its facts in a line of text,
 * with the key of what it was made of and the SHA-256 of the bytes that follow: its outputs. Holds no meaning of keys
 * and outputs. */
#ifndef SCH_MPI_JOURNAL_H
#define SCH_MPI_JOURNAL_H

#include "mpi/common.h"

enum { SCH_MPI_KEY_BYTES = 32 };

struct sch_mpi_record {
    uint8_t key[SCH_MPI_KEY_BYTES];
    int exit_code, signal;
    bool late, out_cut, err_cut;
    uint64_t ms, cpu_ms, peak_kb;
    unsigned rank;
    uint64_t facts[3]; /* what the kind of item needs beside: of a band its alpha, Adler-32 and bytes */
    uint64_t out_bytes, err_bytes;
    uint64_t at; /* of the outputs in the file */
    bool used;   /* an item has it */
};

struct sch_mpi_journal {
    int file;
    char *path; /* NULL: it has no name */
    uint64_t end;
    struct sch_mpi_record *records; /* that were read */
    size_t count, capacity;
};

/* Opens a journal: with `resume` one that may be there already, whose records are read; a last one that is not whole is
 * cut off, which is reported. `path` NULL: a file without a name in `folder`. IO, USAGE (it is there, and `resume` was
 * not said; another farm uses it; it is not a journal) or LIMIT, and said. Close it in any case. */
enum sch_mpi_exit sch_mpi_journal_open(const char *path, const char *folder, bool resume,
                                       struct sch_mpi_journal *journal);
void sch_mpi_journal_close(struct sch_mpi_journal *journal);

/* A record of this key that no item has yet, which it has from here on; NULL: there is none. */
struct sch_mpi_record *sch_mpi_journal_find(struct sch_mpi_journal *journal, const uint8_t key[SCH_MPI_KEY_BYTES]);

/* Appends a record with its outputs, and sets `at`. IO, and said. */
enum sch_mpi_exit sch_mpi_journal_append(struct sch_mpi_journal *journal, struct sch_mpi_record *record,
                                         const void *out, const void *err);

/* Reads bytes of a record's outputs, from `offset` of both together on. False: they are not there. */
bool sch_mpi_journal_read(const struct sch_mpi_journal *journal, const struct sch_mpi_record *record, uint64_t offset,
                          void *to, size_t bytes);

#endif
