/* Runs a command of the user's on a file, as `reduce --test` does: by the shell, in a process group of its own, for a
 * bounded time. Holds nothing of what is in the file. */
#ifndef SCH_CLI_TRIAL_H
#define SCH_CLI_TRIAL_H

#include "common/cli.h"

/* How a run of the command ended. */
enum sch_cli_verdict {
    SCH_CLI_PASSED,      /* exit code 0 */
    SCH_CLI_FAILED,      /* another exit code, or a signal */
    SCH_CLI_TIMED_OUT,   /* it was killed, with all that it started */
    SCH_CLI_NOT_RUN,     /* the shell finds no such command (its codes 126 and 127) */
    SCH_CLI_INTERRUPTED, /* a signal came meanwhile */
    SCH_CLI_BROKEN       /* no process can be started, or the file not be written: errno */
};

struct sch_cli_trial {
    char *command; /* with the path in it */
    char *path;
    uint32_t milliseconds;
    const uint32_t *interrupted; /* not 0: a signal came */
};

/* Makes an empty file for candidates, with the ending of `like`, and the command: {} in it is the file's path, which is
 * appended if there is none. `beside`: in the folder of `like`, else in that for temporary files. IO: the error was
 * reported. */
enum sch_cli_exit sch_cli_trial_create(const char *command, const char *like, bool beside, struct sch_cli_trial *trial);

/* Removes the file, or what the command has put in its place. */
void sch_cli_trial_release(struct sch_cli_trial *trial);

/* Runs the command on a file that holds these bytes. */
enum sch_cli_verdict sch_cli_trial_run(const struct sch_cli_trial *trial, const void *data, size_t bytes);

#endif
