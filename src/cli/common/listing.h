/* A Direct3D container as its listing: what runs then has lines. */
#ifndef SCH_CLI_LISTING_H
#define SCH_CLI_LISTING_H

#include "cli.h"

/* sch_cli_shader_lower, with the listing of a Direct3D container in place of the container, which assembles to the same
 * shader; prints the reports about it. */
enum sch_cli_exit sch_cli_shader_lower_listed(struct sch_cli_shader *shader);

/* The listing of a container, the caller's and with a zero byte behind it, that assembles to the same shader. NULL: the
 * bytes are no container, or have none. Reports nothing. */
char *sch_cli_listing_of(const char *data, size_t bytes, size_t *listed);

#endif
