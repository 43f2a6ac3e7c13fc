/* What scenes ask of the command: files, by paths that begin in the scene's folder, and reports on standard error. */
#ifndef SCH_CLI_SCENE_HOST_H
#define SCH_CLI_SCENE_HOST_H

#include "../scene/scene.h"
#include "common/cli.h"

struct sch_cli_scene_host {
    struct sch_cli_input input;  /* the scene */
    const char *file;            /* its path */
    enum sch_cli_exit exit_code; /* of what it names: files, HLSL */
    bool silent;                 /* reports are not printed */
    bool listed;                 /* Direct3D containers are taken as their listings, which have lines */
};

/* Reads a scene, of whose host `listed` says what is wanted; `scene` is NULL unless YES. Release both whatever was
 * returned, the scene first. */
enum sch_cli_exit sch_cli_scene_open(const char *file, struct sch_cli_scene_host *host, struct sch_scene **scene);
void sch_cli_scene_host_release(struct sch_cli_scene_host *host);

/* The functions that run a scene of this host. */
struct sch_scene_host sch_cli_scene_functions(struct sch_cli_scene_host *host);

#endif
