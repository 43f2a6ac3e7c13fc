/* What a farm reports: its results in a file of JSON or of JUnit's XML, and a line at the end. */
#ifndef SCH_MPI_REPORT_H
#define SCH_MPI_REPORT_H

#include "mpi/journal.h"

struct sch_mpi_result {
    char *name;         /* of the item: its command line, file, rows */
    const char *source; /* where it comes from; NULL: nothing says it */
    unsigned line;      /* in the source; 0: all of it */
    struct sch_mpi_record record;
    bool done, resumed;
};

struct sch_mpi_summary {
    const char *verb;
    const struct sch_mpi_result *results;
    size_t count;
    bool outputs; /* what items have printed is text, and is reported */
    const struct sch_mpi_journal *journal;
    enum sch_mpi_exit exit_code;
};

/* The code that a record counts as. */
int sch_mpi_record_exit(const struct sch_mpi_record *record);
/* Why an item failed: "exit code 1", "signal 11", "the time limit". */
void sch_mpi_describe_end(const struct sch_mpi_record *record, char text[64]);

/* Write the reports. IO, and said. docs/farms.md has the schema. */
enum sch_mpi_exit sch_mpi_write_json(const char *path, const struct sch_mpi_summary *summary);
enum sch_mpi_exit sch_mpi_write_junit(const char *path, const struct sch_mpi_summary *summary);
void sch_mpi_print_summary(const struct sch_mpi_summary *summary);

#endif
