/* What an instruction of TGSI text does, by its opcode's row in the table. */
#ifndef SCH_CLI_SORT_H
#define SCH_CLI_SORT_H

#include "value.h"

enum { SCH_CLI_SORT_SOURCES = 5 };

struct sch_cli_sort {
    bool is_lookup, is_memory, is_barrier;
    enum sch_cli_type makes, takes[SCH_CLI_SORT_SOURCES];
};

/* `text` begins with the instruction, which may be indented, as instructions in constructs are. */
struct sch_cli_sort sch_cli_sort_of(const char *text);

#endif
