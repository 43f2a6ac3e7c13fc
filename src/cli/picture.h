/* The invocations of a fragment shader that covers a picture, and the picture that they make. */
#ifndef SCH_CLI_PICTURE_H
#define SCH_CLI_PICTURE_H

#include "setup.h"

/* Shades `width` by `height` pixels into `texels`, four bytes each, rows from t = 0; `texels` starts at zero. */
enum sch_cli_exit sch_cli_shade(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                const struct sch_program *program, uint32_t width, uint32_t height, uint8_t *texels);

#endif
