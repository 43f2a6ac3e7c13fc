/* A pass that is drawn: its framebuffer, and what is bound at the moment. */
#ifndef SCH_SCENE_PASS_H
#define SCH_SCENE_PASS_H

#include "player.h"

/* Views and images live until the pass is done. */
struct sch_scene_temporary {
    struct sch_player_object object;
    struct sch_scene_temporary *next;
};

struct sch_scene_pass_run {
    struct sch_scene_player *player;
    const struct sch_scene_pass *pass;
    struct sch_player_state state;
    const struct sch_scene_object *shaders[SCH_PLAYER_STAGES]; /* NULL: none */
    const struct sch_scene_object *elements, *rasterizer, *dynamic, *stream_output;
    struct sch_scene_temporary *temporaries;
    uint64_t draws;
};

/* bind.c */
void sch_scene_do_bind(struct sch_scene_pass_run *run, const struct sch_scene_command *command);
void sch_scene_unbind(struct sch_scene_pass_run *run);
/* heat.c: what draws of the pass are counted in; NULL: nothing */
const struct sch_heat *sch_scene_heat_of(const struct sch_scene_pass_run *run);
/* draw.c */
void sch_scene_do_draw(struct sch_scene_pass_run *run, const struct sch_scene_command *command);

#endif
