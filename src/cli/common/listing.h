/* A Direct3D container as its listing: what runs then has lines. */
#ifndef SCH_CLI_LISTING_H
#define SCH_CLI_LISTING_H

#include "cli.h"

/* sch_cli_shader_lower, with the listing of a Direct3D container in place of the container, which assembles to the same
 * shader; prints the reports about it. */
enum sch_cli_exit sch_cli_shader_lower_listed(struct sch_cli_shader *shader);

/* The listing of a container, which assembles to the same shader; it is the caller's, and a zero byte follows it. NULL:
 * the bytes are not a container, or it has no such listing. Reports nothing. */
char *sch_cli_listing_of(const char *data, size_t bytes, size_t *listed);

#endif
