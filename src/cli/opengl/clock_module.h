/* The steady clock of `scheelite gl --clock`: reads the option, finds the module (src/clock) and has a program load
 * it. */
#ifndef SCH_CLI_CLOCK_MODULE_H
#define SCH_CLI_CLOCK_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/cli.h"

struct sch_cli_clock {
    const char *rate; /* as it was given; NULL: the program has the system's clocks */
    char module[4096];
    int seen; /* the file that says what the program has seen (clock/clock.h); -1: none */
};

/* Takes N or N/D, frames in a second. */
enum sch_cli_exit sch_cli_clock_option(const struct sch_cli_verb *verb, struct sch_cli_clock *clock, const char *value);

/* Finds the module beside the command; false: `problem` says why there is none. */
bool sch_cli_clock_find(struct sch_cli_clock *clock, char problem[256]);

/* Warns of a program file that loads no module: -Werror is heeded at the end. */
void sch_cli_clock_warn(const struct sch_cli_clock *clock, const char *program);

/* Warns, after the program's end, if it has shown `frames` frames without the module's clocks. */
void sch_cli_clock_report(const struct sch_cli_clock *clock, const char *program, uint64_t frames);

/* In the process that becomes the program: sets what makes it load the module. */
void sch_cli_clock_enter(const struct sch_cli_clock *clock);

#endif
