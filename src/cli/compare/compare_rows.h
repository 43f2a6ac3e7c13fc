/* Two traces side by side: rows that pair instructions which made the same values, and the place where
 * they first did not. Knows nothing of what ran. */
#ifndef SCH_CLI_COMPARE_ROWS_H
#define SCH_CLI_COMPARE_ROWS_H

#include "../support/json.h"
#include "common/cli.h"

enum {
    SCH_CLI_TRACED_MOST = 20000, /* instructions of a trace that are looked at */
    SCH_CLI_ROWS_BEFORE = 8,     /* rows that are shown before the first difference, and from it on */
    SCH_CLI_ROWS_FROM = 8
};

/* A register that an instruction wrote. */
struct sch_cli_traced_write {
    char name[48], channels[5];
    uint32_t words[4];
    enum sch_value_type types[4];
};

/* An instruction that was executed. */
struct sch_cli_traced_step {
    uint64_t time;
    uint32_t line; /* of the source; 0: none */
    char *text;
    char *values; /* as `trace` prints them after the text */
    struct sch_cli_traced_write *writes;
    uint32_t write_count;
    uint64_t key;    /* equal where the same was done: see sch_cli_traced_settle */
    uint64_t opcode; /* of both traces the same number; 0: they have different opcodes */
};

struct sch_cli_traced {
    struct sch_cli_traced_step *list;
    uint32_t count, room;
    bool cut; /* more was executed */
};

/* Adds an instruction, of zeros; NULL: memory. */
struct sch_cli_traced_step *sch_cli_traced_add(struct sch_cli_traced *trace);
bool sch_cli_traced_write(struct sch_cli_traced_step *traced, const struct sch_cli_traced_write *write);
/* When an instruction is whole. `alike`: both traces are of one language, in which opcodes are the same. */
void sch_cli_traced_settle(struct sch_cli_traced_step *traced, bool alike);
void sch_cli_traced_release(struct sch_cli_traced *trace);

struct sch_cli_row {
    uint32_t at[2]; /* in each trace; UINT32_MAX: it has no such instruction */
    bool same;
};

struct sch_cli_rows {
    const struct sch_cli_traced *trace; /* two */
    struct sch_cli_row *list;
    uint32_t count;
    uint32_t different;  /* the first row that is not the same; UINT32_MAX: all are */
    uint32_t first, end; /* the rows that are shown */
};

/* False: memory. */
bool sch_cli_rows_align(const struct sch_cli_traced trace[2], struct sch_cli_rows *rows);
void sch_cli_rows_release(struct sch_cli_rows *rows);

/* In two columns, or one below the other where `columns` are few. */
void sch_cli_rows_print(const struct sch_cli_rows *rows, unsigned columns);
/* A member "traces" of the open object. */
void sch_cli_rows_json(const struct sch_cli_rows *rows, struct sch_json *json);

#endif
