/* Maxwell code for debuggers: a lane of a table, which goes through a program. */
#ifndef SCH_CLI_DEBUG_MAXWELL_H
#define SCH_CLI_DEBUG_MAXWELL_H

#include "../debug/debug.h"
#include "lanes/maxwell_input.h"

/* A value of a condition, as options have them. */
bool sch_cli_read_compared(const char *text, enum sch_debugger_type *type, uint32_t *bits);

struct sch_cli_maxwell_debugging {
    struct sch_cli_maxwell_input input;
    struct sch_cli_warp_session session;
    struct sch_debuggee *debuggee;
    struct sch_debugger_subject subject;
    char *path, *program;
    const char **lines;
    uint32_t *lengths;
    char what[80];
};

void sch_cli_maxwell_debugging_init(struct sch_cli_maxwell_debugging *debugging);
void sch_cli_maxwell_debugging_release(struct sch_cli_maxwell_debugging *debugging);

/* Opens what the options of its input say, and describes it as a subject. */
enum sch_cli_exit sch_cli_maxwell_debugging_open(struct sch_cli_maxwell_debugging *debugging);

#endif
