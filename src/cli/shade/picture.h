/* The invocations of a fragment shader that covers a picture, and the picture that they make. */
#ifndef SCH_CLI_PICTURE_H
#define SCH_CLI_PICTURE_H

#include "bind/setup.h"
#include "invocation.h"
#include "picture/targets.h"

/* Rows of a picture. */
struct sch_cli_rows {
    uint32_t first, count; /* count 0: all rows */
};

/* The rows that are drawn with some rows, so that quads and groups of 32 pixels are those of the whole picture. */
struct sch_cli_rows sch_cli_rows_around(struct sch_cli_rows rows, uint32_t width, uint32_t height);

/* A picture that a fragment shader makes. What FBFETCH reads is what --fb gave; where it gave nothing, the picture
 * before: transparent black. */
struct sch_cli_shading {
    uint32_t width, height;
    struct sch_cli_rows rows;             /* of the picture that are drawn; the targets have texels for these */
    const struct sch_cli_target *targets; /* with texels */
    uint32_t target_count;
};

/* What a picture is to the library: a rectangle, and what is bound. */
typedef enum sch_cli_exit sch_cli_use_rectangle(void *user, const struct sch_rectangle *rectangle,
                                                const struct sch_bindings *bindings);
enum sch_cli_exit sch_cli_with_rectangle(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                         const struct sch_cli_shading *shading, sch_cli_use_rectangle *use, void *user);

/* Runs the group that pixel `at` is in, and fills in what this one got and gave. */
enum sch_cli_exit sch_cli_shade_pixel(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                      const struct sch_program *program, const struct sch_cli_shading *shading,
                                      struct sch_cli_invocation *pixel);

enum sch_cli_exit sch_cli_shade(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                const struct sch_program *program, const struct sch_cli_shading *shading);

#endif
