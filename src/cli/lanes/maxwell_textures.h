/* Textures of the command line as a Maxwell program sees them: pools of headers and samplers, memory, handles. */
#ifndef SCH_CLI_MAXWELL_TEXTURES_H
#define SCH_CLI_MAXWELL_TEXTURES_H

#include "bind/setup.h"
#include "maxwell_warp.h"

struct sch_cli_maxwell_textures {
    struct sch_context *context; /* that the pools belong to */
    void *headers, *samplers;
    unsigned char *memory;
    uint32_t *handles;
};

/* Makes all from the textures of the setup: texture N is header N and sampler N, and word N of the constant bank is the
 * handle of both, unless the machine has a constant bank. Reports what Maxwell has no header for. Release it
 * whatever was returned. */
enum sch_cli_exit sch_cli_maxwell_textures_load(struct sch_cli_setup *setup, struct sch_context *context,
                                                struct sch_cli_machine *to, struct sch_cli_maxwell_textures *made);
void sch_cli_maxwell_textures_release(struct sch_cli_maxwell_textures *made);

#endif
