/* A scene that is drawn: the library's objects for those of the scene, and what passes, blits and expectations do
 * with them. Holds no reading. */
#ifndef SCH_SCENE_PLAYER_H
#define SCH_SCENE_PLAYER_H

#include "items.h"

/* Shaders that were linked. */
struct sch_scene_linked {
    const struct sch_scene_object *shaders[SCH_SCENE_STAGES]; /* NULL: none */
    const struct sch_scene_object *stream_output;             /* NULL: none */
    struct sch_pipeline *pipeline;
    struct sch_scene_linked *next;
};

/* What the library has of an object, made when it is first used. */
struct sch_scene_live {
    struct sch_resource *resource; /* BUFFER, TEXTURE */
    struct sch_player_program program;
    struct sch_scene_linked *linked; /* vertex shaders: pipelines that begin with them */
    struct sch_sampler *sampler;
    struct sch_vertex_elements *elements; /* ELEMENTS, MESH */
    struct sch_rasterizer *rasterizer;
    struct sch_depth_stencil_alpha *depth_stencil_alpha;
    struct sch_blend *blend;
    struct sch_stream_output *stream_output;
    struct sch_stream_target *stream_target;
    struct sch_query *query;
    bool query_begun, query_ended;
};

struct sch_scene_player {
    const struct sch_scene *scene;
    struct sch_context *context;
    const struct sch_scene_options *options;
    const struct sch_scene_host *host;
    const struct sch_scene_watch *watch;
    struct sch_diagnostics_list *list;
    size_t told; /* reports of the list that the host knows */
    struct sch_renderer *renderer;
    struct sch_pixel_history *history; /* NULL: none */
    const char *history_target;
    const struct sch_heat *heat;    /* NULL: none */
    struct sch_scene_output heated; /* its texture */
    struct sch_scene_live *live;    /* by the number of the object */
    enum sch_result stop;           /* not OK: the run ends */
    uint64_t work_left, deadline;   /* nanoseconds of CLOCK_MONOTONIC; 0: none */
    uint64_t expected, failed;
    uint64_t statements, reached; /* that there are, that were begun */
    uint32_t passes;
    uint64_t label; /* of the statement that is executed */
};

static inline struct sch_scene_live *sch_scene_live(struct sch_scene_player *player,
                                                    const struct sch_scene_object *object)
{
    return &player->live[object->number];
}

/* ---- reports.c ---- */

/* Passes to the host what the library has reported since, at a place if it has none of its own. A result that is not OK
 * ends the run; if nothing was reported, it is reported in a word, with what it is about. Whether the result is OK. */
bool sch_scene_told(struct sch_scene_player *player, const struct sch_scene_place *place, enum sch_result result,
                    const char *what);
/* The host learns that the next statement is begun. */
void sch_scene_reached(struct sch_scene_player *player);
/* An error of the scene itself. False. */
bool sch_scene_wrong(struct sch_scene_player *player, const struct sch_scene_place *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- objects.c, fill.c: NULL, and the run ends: it cannot be made ---- */

struct sch_program *sch_scene_program(struct sch_scene_player *player, const struct sch_scene_object *shader);
struct sch_pipeline *sch_scene_pipeline(struct sch_scene_player *player, const struct sch_scene_place *place,
                                        const struct sch_scene_object *const shaders[SCH_SCENE_STAGES],
                                        const struct sch_scene_object *stream_output);
struct sch_stream_target *sch_scene_stream_target(struct sch_scene_player *player,
                                                  const struct sch_scene_object *object);
struct sch_resource *sch_scene_resource(struct sch_scene_player *player, const struct sch_scene_object *object);
struct sch_sampler *sch_scene_sampler(struct sch_scene_player *player, const struct sch_scene_object *object);
struct sch_vertex_elements *sch_scene_elements(struct sch_scene_player *player, const struct sch_scene_object *object);
bool sch_scene_state(struct sch_scene_player *player, const struct sch_scene_object *object);
struct sch_query *sch_scene_query(struct sch_scene_player *player, const struct sch_scene_object *object);
bool sch_scene_fill(struct sch_scene_player *player, const struct sch_scene_object *object,
                    struct sch_resource *resource);
void sch_scene_live_release(struct sch_scene_player *player);

/* Numbers as a colour of a format. */
void sch_scene_color_of(const struct sch_scene_number numbers[4], enum sch_format format, union sch_color *color);

/* ---- pass.c, bind.c, draw.c ---- */

struct sch_scene_pass_run;
void sch_scene_pass(struct sch_scene_player *player, const struct sch_scene_step *step);

/* ---- pixel.c ---- */

/* What is written: the texture `target`, or the scene's output; without a texture there is none. */
struct sch_scene_output sch_scene_find_output(const struct sch_scene *scene, const char *target);
/* The texture of an output. NULL, and the run ends: it cannot be made, or the problem says why there is none. */
struct sch_resource *sch_scene_open_output(struct sch_scene_player *player, const char *target,
                                           struct sch_scene_output *output, struct sch_resource_info *is,
                                           char problem[SCH_SCENE_PROBLEM]);
/* Begins to record the pixel of the options. False, and the run ends: there is none. */
bool sch_scene_record(struct sch_scene_player *player);
/* What follows is of the statement at this place. */
void sch_scene_label(struct sch_scene_player *player, const struct sch_scene_place *place);

/* ---- heat.c ---- */

/* Begins to count at the pixels of the texture that the options name. False, and the run ends: there is none. */
bool sch_scene_begin_heat(struct sch_scene_player *player);

/* ---- readback.c ---- */

/* Pixels of a texture: floats, or integers where the format has such; of depth and stencil the first component. */
struct sch_scene_pixels {
    uint32_t width, height;
    bool integers, is_signed;
    union sch_color *colors; /* freed by free() */
};

/* Where to look. */
struct sch_scene_look {
    enum sch_scene_expect_kind kind; /* COLOR, DEPTH, STENCIL */
    uint32_t level, layer, x, y, width, height;
    bool has_sample;
    uint32_t sample;
};

/* The format that texels of a resource are looked at in; NONE: it does not have what is wanted. */
enum sch_format sch_scene_look_format(const struct sch_resource *resource, enum sch_scene_expect_kind kind);
/* Texels of a box, converted to a format, row by row. */
enum sch_result sch_scene_look_at(struct sch_scene_player *player, struct sch_resource *resource,
                                  const struct sch_scene_look *look, enum sch_format format, void *texels,
                                  size_t bytes);

/* ---- check.c ---- */

void sch_scene_check(struct sch_scene_player *player, const struct sch_scene_step *step);

#endif
