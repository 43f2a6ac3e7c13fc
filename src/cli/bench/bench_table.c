/* See bench_table.h. One table is printed in a run of the command. */
#include "bench_table.h"

#include "common/progress.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct {
    bool as_json;
    const char *columns;
    size_t rows, all;
    struct sch_cli_json json;
} table;

void sch_cli_bench_as_json(const char *subject)
{
    table.as_json = true;
    sch_cli_json_begin(&table.json, stdout, "scheelite-bench/1");
    sch_cli_json_text(&table.json, "subject", subject);
    sch_cli_json_list(&table.json, "rows", false);
}

void sch_cli_bench_end(void)
{
    sch_cli_progress_end();
    if (table.as_json) sch_cli_json_end(&table.json);
}

void sch_cli_bench_head(const char *columns, size_t rows)
{
    table.columns = columns;
    table.all = rows;
    sch_cli_progress_begin(&sch_cli_bench, table.as_json);
    sch_cli_progress_at(0, rows, "rows");
    if (!table.as_json) puts(columns);
}

/* A cell is a number where all of it is one. */
static void put_cell(const char *column, const char *cell)
{
    char *end;
    const double number = strtod(cell, &end);
    if (!*cell || *end)
        sch_cli_json_text(&table.json, column, cell);
    else
        sch_cli_json_real(&table.json, column, number);
}

void sch_cli_bench_row(const char *format, ...)
{
    char row[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row, sizeof row, format, arguments);
    va_end(arguments);
    sch_cli_progress_at(++table.rows, table.all, "rows");
    sch_cli_progress_clear();
    if (!table.as_json) {
        puts(row);
        return;
    }
    sch_cli_json_object(&table.json, NULL, true);
    const char *column = table.columns;
    for (char *cell = row; *column; column += *column == '\t') {
        char name[64];
        const size_t bytes = strcspn(column, "\t"), length = strcspn(cell, "\t");
        const bool last = !cell[length];
        snprintf(name, sizeof name, "%.*s", (int)bytes, column);
        cell[length] = 0;
        put_cell(name, cell);
        cell += length + !last;
        column += bytes;
    }
    sch_cli_json_close(&table.json);
}
