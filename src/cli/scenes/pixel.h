/* What happened to a pixel of a scene, as text. */
#ifndef SCH_CLI_PIXEL_H
#define SCH_CLI_PIXEL_H

#include "../scene/scene.h"
#include "common/cli.h"

/* Prints the events that a player has recorded of a pixel, in their order. */
enum sch_cli_exit sch_cli_print_pixel(const struct sch_scene *scene, const struct sch_scene_player *player,
                                      const struct sch_scene_pixel *pixel);

/* The event after those of one clear, which has an event for each buffer; of others the next one. */
uint32_t sch_cli_pixel_event_end(const struct sch_pixel_history *history, uint32_t first);

#endif
