/* scheelite check of a scene: all that is wrong with it before anything is drawn. */
#ifndef SCH_CLI_CHECK_SCENE_H
#define SCH_CLI_CHECK_SCENE_H

#include "cli.h"

struct sch_cli_scene_check {
    bool collects;             /* reports go to `reports`, else to standard error */
    unsigned errors, warnings; /* that there were */
    char *reports;             /* elements of a list of JSON; freed by free() */
    size_t bytes;
};

/* A file whose name ends in .scene. */
bool sch_cli_is_scene(const char *path);

/* Reads a scene with the files that it names, and checks the shaders of its draws. `check` is zero but for its first
 * member. */
enum sch_cli_exit sch_cli_check_scene(const char *path, struct sch_cli_scene_check *check);

#endif
