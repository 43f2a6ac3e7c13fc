/* Files of scenes: those that they name, and the textures that render writes: -o and --target NAME=FILE[,format=F]. */
#ifndef SCH_CLI_SCENE_FILES_H
#define SCH_CLI_SCENE_FILES_H

#include <scheelite/files.h>

#include "../scene/scene.h"
#include "common/cli.h"

struct sch_cli_scene_file {
    char *text;          /* of the option, taken apart; NULL: the other two are elsewhere */
    const char *texture; /* NULL: the scene's output */
    const char *path;
    enum sch_file_kind kind;
    enum sch_format format; /* NONE: the texture's where the kind keeps numbers, else colours of 8 bits */
};

enum { SCH_CLI_SCENE_FILES = 64 };
struct sch_cli_scene_files {
    struct sch_cli_scene_file list[SCH_CLI_SCENE_FILES];
    uint32_t count;
};

/* Takes NAME=FILE[,format=F]. */
enum sch_cli_exit sch_cli_scene_files_option(const struct sch_cli_verb *verb, struct sch_cli_scene_files *files,
                                             const char *text);

/* Writes one; `name` is the scene's, for messages. */
enum sch_cli_exit sch_cli_scene_file_write(const struct sch_cli_scene_file *file, struct sch_context *context,
                                           struct sch_scene_player *player, const char *name);
void sch_cli_scene_files_release(struct sch_cli_scene_files *files);

/* Reads a file that the scene in the file `scene` names: relative paths begin in its folder. `*file` is zero; without
 * data it has the problem. */
void sch_cli_scene_read_file(const char *scene, const char *path, struct sch_player_file *file);

#endif
