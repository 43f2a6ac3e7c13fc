/* Launches of kernels: `run FILE --kernel NAME --grid X,Y,Z --param ...`. */
#ifndef SCH_CLI_LAUNCH_H
#define SCH_CLI_LAUNCH_H

#include "bind/buffer.h"
#include "kernel.h"

enum { SCH_CLI_LAUNCH_PARAMETERS = 256 };

/* What the command line says of a launch. */
struct sch_cli_launch {
    const struct sch_cli_verb *verb; /* whose options they are */
    struct sch_cli_options_parameters options;
    uint32_t grid[3], block[3];
    bool json;
    const struct sch_maxwell_bindings *machine; /* pools, and the memory of textures */
    struct sch_cli_launch_parameter {           /* one --param, and its --param-out */
        bool is_memory;
        struct sch_cli_buffer memory;
        unsigned char value[8];
        size_t bytes; /* of the value */
    } parameters[SCH_CLI_LAUNCH_PARAMETERS];
    const char *outputs[SCH_CLI_LAUNCH_PARAMETERS]; /* of --param-out, which may come before the --param */
    uint32_t count, outputs_end;                    /* one past the last with an output */
};

/* Takes --param or --param-out. */
enum sch_cli_exit sch_cli_launch_option(struct sch_cli_launch *launch, int option, const char *value);

/* For who launches a kernel by itself: reads the memories of its parameters, and says what is launched. `arguments` has
 * room for all parameters. */
enum sch_cli_exit sch_cli_launch_load(struct sch_cli_launch *launch);
void sch_cli_launch_make(const struct sch_cli_launch *launch, struct sch_launch_argument *arguments,
                         struct sch_bindings *bindings, struct sch_launch *made);

/* Prepares and launches a kernel whose `setup` and `shader` are set, and writes what was asked for. */
enum sch_cli_exit sch_cli_launch_run(struct sch_cli_launch *launch, struct sch_cli_kernel *kernel);

/* Releases it, which calloc made. Takes NULL. */
void sch_cli_launch_release(struct sch_cli_launch *launch);

#endif
