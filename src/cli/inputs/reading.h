/* How a verb reads its inputs: -x, --arch, --kernel, --offset and --nth of the command line. */
#ifndef SCH_CLI_READING_H
#define SCH_CLI_READING_H

#include "maxwell.h"

struct sch_cli_reading {
    enum sch_kind kind;
    struct sch_cli_maxwell_options maxwell;
    uint32_t nth; /* which shader of several; 0: not said */
};

/* Fills what the options say into `*reading`. */
enum sch_cli_exit sch_cli_reading_take(struct sch_cli_reading *reading, const struct sch_cli_arguments *arguments);

#endif
