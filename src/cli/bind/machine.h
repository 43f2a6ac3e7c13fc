/* What Maxwell code finds in the machine beside its constant banks, as the command line gives it: pools of headers and
 * samplers, the memory that they lead to, and modes. */
#ifndef SCH_CLI_MACHINE_H
#define SCH_CLI_MACHINE_H

#include "common/cli.h"

struct sch_cli_setup;

struct sch_cli_machine {
    /* What the options say; `memory` up to its @. */
    const char *headers, *samplers, *bank;
    char *memory;
    struct sch_maxwell_bindings bindings;
    /* Once it is loaded: */
    struct sch_constant_buffer constants; /* bank 0; without data, that of the setup */
    struct sch_context *context;          /* that assembled pools belong to */
    void *assembled[2];
    struct sch_cli_input pools[2], memory_file;
    unsigned char *texels; /* of --tex, in place of a file of memory */
    uint32_t *words;       /* of the bank */
};

/* Takes what the options of Maxwell code say. Where one is given, and no kind, the input is Maxwell code. */
enum sch_cli_exit sch_cli_machine_take(struct sch_cli_setup *setup, const struct sch_cli_arguments *arguments);

/* Loads the files, or makes them of the setup's textures, for code that is to run; warns of a pool that is missing. */
enum sch_cli_exit sch_cli_machine_load(struct sch_cli_setup *setup, const struct sch_cli_shader *code,
                                       struct sch_context *context);
void sch_cli_machine_release(struct sch_cli_machine *machine);

/* machine_textures.c: texture N of the setup becomes header N and sampler N, and word N of the constant bank is the
 * handle of both, unless there is one. Reports what Maxwell has no header for. */
enum sch_cli_exit sch_cli_machine_make(struct sch_cli_setup *setup, struct sch_context *context);

#endif
