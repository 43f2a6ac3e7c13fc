/* scheelite run --heat: what the lookups of each pixel did, as a picture with a legend. */
#ifndef SCH_CLI_HEAT_H
#define SCH_CLI_HEAT_H

#include "cli.h"

enum sch_cli_heat_kind { SCH_CLI_HEAT_NONE, SCH_CLI_HEAT_LOD, SCH_CLI_HEAT_TEXELS };

/* Draws `values`, one a pixel, as colours between the least and the greatest of them, with a bar of the colours and
 * their numbers below, and writes a PNG file. A pixel below `least_meant` did nothing that counts, and is black. */
enum sch_cli_exit sch_cli_heat_write(const float *values, uint32_t width, uint32_t height, float least_meant,
                                     const char *path);

#endif
