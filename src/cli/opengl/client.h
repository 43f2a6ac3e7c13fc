/* The OpenGL client of `scheelite gl`: Mesa's driver virpipe, and which version of Mesa it is. */
#ifndef SCH_CLI_CLIENT_H
#define SCH_CLI_CLIENT_H

#include <stdbool.h>

#include "common/code.h"

struct sch_cli_client {
    char file[SCH_CLI_PATH_BYTES];
    char version[32]; /* "22.3.6"; empty: the file does not say it */
};

/* The first file with the driver, where loaders look (LIBGL_DRIVERS_PATH, then the system's folders); false: none. */
bool sch_cli_client_find(struct sch_cli_client *client);

/* driver.c: whether all drivers that a program may load read VTEST_SOCKET_NAME (Mesa 25.0 and later). False: one does
 * not, or none was found; `found` says so, with its name. Nothing of them is loaded. */
bool sch_cli_driver_reads_name(char found[256]);

#endif
