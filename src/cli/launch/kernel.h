/* A kernel of Maxwell code in the command: read, prepared and launched, with the messages of what fails. */
#ifndef SCH_CLI_KERNEL_H
#define SCH_CLI_KERNEL_H

#include "bind/setup.h"
#include "inputs/reading.h"

struct sch_cli_kernel {
    const struct sch_cli_setup *setup; /* engine, width, limits of the command line */
    struct sch_cli_shader shader;
    struct sch_maxwell_section_info section;
    struct sch_program *program, *again; /* again: machine code, of --engine both; else NULL */
};

/* Reads and prepares one, or prepares `shader`, which was read. Release it whatever the result was. */
enum sch_cli_exit sch_cli_kernel_open(struct sch_cli_kernel *kernel, const struct sch_cli_reading *reading,
                                      const char *path);
enum sch_cli_exit sch_cli_kernel_prepare(struct sch_cli_kernel *kernel);
void sch_cli_kernel_release(struct sch_cli_kernel *kernel);

/* Launches it with `program`, one of the two. `report` receives what ran. */
enum sch_cli_exit sch_cli_kernel_launch(const struct sch_cli_kernel *kernel, const struct sch_program *program,
                                        const struct sch_launch *launch, struct sch_dispatch_report *report);

#endif
