/* Mesa's driver virpipe as it is installed: whether it reads the name of its server's socket from the environment.
 * Nothing of it is loaded. */
#ifndef SCH_CLI_DRIVER_H
#define SCH_CLI_DRIVER_H

#include <stdbool.h>

/* Whether all drivers that a program may load read VTEST_SOCKET_NAME (Mesa 25.0 and later). False: one does not, or
 * none was found; `found` says so, with its name. */
bool sch_cli_driver_reads_name(char found[256]);

#endif
