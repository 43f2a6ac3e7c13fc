/* A pass that is drawn: its framebuffer, and what is bound at the moment. */
#ifndef SCH_SCENE_PASS_H
#define SCH_SCENE_PASS_H

#include "player.h"

/* Views and images live until the pass is done. */
struct sch_scene_temporary {
    struct sch_view *view;
    struct sch_image *image;
    struct sch_scene_temporary *next;
};

struct sch_scene_pass_run {
    struct sch_scene_player *player;
    const struct sch_scene_pass *pass;
    struct sch_player_framebuffer target;
    const struct sch_scene_object *shaders[SCH_SCENE_STAGES]; /* NULL: none */
    const struct sch_scene_object *elements, *rasterizer, *depth_stencil_alpha, *blend, *dynamic, *stream_output;
    struct sch_stream_target *stream_targets[SCH_STREAM_BUFFERS];
    struct sch_vertex_buffer vertex_buffers[SCH_VERTEX_BUFFERS];
    struct sch_player_bindings *bound[SCH_SCENE_STAGES]; /* NULL: nothing */
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
