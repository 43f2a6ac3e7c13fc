/* What bench prints: a table of columns with tabs between them, or JSON with a row an object. */
#ifndef SCH_CLI_BENCH_TABLE_H
#define SCH_CLI_BENCH_TABLE_H

#include "common/json.h"

/* --json; `subject`: "bench tex". Before anything is printed. Ended behind the last row. */
void sch_cli_bench_as_json(const char *subject);
void sch_cli_bench_end(void);

/* The names of the columns, with tabs between them, which stay; and how many rows there will be. */
void sch_cli_bench_head(const char *columns, size_t rows);

/* A row: as many cells, with tabs between them. */
void sch_cli_bench_row(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
