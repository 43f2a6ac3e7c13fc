/* A Direct3D container as its listing: what runs then has lines. */
#ifndef SCH_CLI_LISTING_H
#define SCH_CLI_LISTING_H

#include "cli.h"

/* sch_cli_shader_load, with the listing of a Direct3D container in place of the container. It assembles to the same
 * shader. */
enum sch_cli_exit sch_cli_shader_load_listed(const char *path, enum sch_kind kind, uint32_t nth,
                                             struct sch_cli_shader *shader);

#endif
