/* A scene that is drawn: the library's objects for those of the scene, and what passes, blits and expectations do
 * with them. Holds no reading. */
#ifndef SCH_SCENE_PLAYER_H
#define SCH_SCENE_PLAYER_H

#include "items.h"

struct sch_scene_player {
    const struct sch_scene *scene;
    struct sch_player base;
    const struct sch_scene_options *options;
    const struct sch_scene_host *host;
    const struct sch_scene_watch *watch;
    struct sch_diagnostics_list *list;
    size_t told;                       /* reports of the list that the host knows */
    struct sch_pixel_history *history; /* NULL: none */
    const char *history_target;
    const struct sch_heat *heat;    /* NULL: none */
    struct sch_scene_output heated; /* its texture */
    struct sch_player_object *live; /* by the number of the object, made when it is first used */
    bool *begun;                    /* likewise: queries */
    enum sch_result stop;           /* not OK: the run ends */
    uint64_t work_left, deadline;   /* nanoseconds of CLOCK_MONOTONIC; 0: none */
    uint64_t expected, failed;
    uint64_t statements, reached; /* that there are, that were begun */
    uint32_t passes;
    uint64_t label; /* of the statement that is executed */
};

static inline struct sch_player_object *sch_scene_live(struct sch_scene_player *player,
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

/* ---- check.c ---- */

void sch_scene_check(struct sch_scene_player *player, const struct sch_scene_step *step);

#endif
