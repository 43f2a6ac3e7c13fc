/* The OpenGL client of `scheelite gl`: Mesa's driver virpipe as it is installed. */
#ifndef SCH_CLI_DRIVER_H
#define SCH_CLI_DRIVER_H

#include <stdbool.h>

#include "common/code.h"

struct sch_cli_driver {
    char file[SCH_CLI_PATH_BYTES]; /* the first file with the driver, where loaders look; "": none */
    char version[32];              /* of Mesa, "22.3.6"; "": the file does not say it */
    char old[256]; /* the first driver that does not read VTEST_SOCKET_NAME (Mesa before 25.0); "": none */
};

/* Finds the drivers that a program may load, of which nothing is loaded. False: there are none. */
bool sch_cli_driver_find(struct sch_cli_driver *driver);

#endif
