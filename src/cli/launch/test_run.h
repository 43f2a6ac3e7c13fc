/* Running a test of a kernel: launches it, and compares what came out. */
#ifndef SCH_CLI_TEST_RUN_H
#define SCH_CLI_TEST_RUN_H

#include "kernel.h"

struct sch_cli_test_wanted {
    struct sch_cli_setup *setup;
    struct sch_cli_maxwell_options options;
    const char *code; /* --code: the file of the kernel; NULL: the one beside the test */
    bool json;
};

/* Takes the input over. NO: words differ, or the file is wrong. */
enum sch_cli_exit sch_cli_test_run(const struct sch_cli_test_wanted *wanted, struct sch_cli_input *input);

#endif
