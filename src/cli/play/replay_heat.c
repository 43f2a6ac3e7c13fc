/* See replay_heat.h. Which draws make a frame is known only after it, so the recording is played twice. */
#include "replay_heat.h"

#include <inttypes.h>

enum sch_cli_exit sch_cli_replay_heat_find(struct sch_cli_replay_heat *heat, const struct sch_virgl_options *options,
                                           const struct sch_cli_input *recording)
{
    if (heat->draw) return SCH_CLI_YES;
    const enum sch_cli_exit exit_code = sch_cli_recorded_frame_find(&heat->frame, recording, options);
    if (exit_code != SCH_CLI_YES) return exit_code;
    return sch_cli_heats_allocate(&heat->heats, heat->frame.width, heat->frame.height);
}

/* ---- the draws ---- */

/* What the frame shows was written by a draw of it. */
static bool is_of_frame(const struct sch_cli_replay_heat *heat, const struct sch_virgl_drawing *drawing)
{
    const struct sch_resource *shown = sch_virgl_resource_get(heat->virgl, heat->frame.resource);
    if (drawing->number < heat->frame.first || drawing->number > heat->frame.last || !shown) return false;
    for (unsigned n = 0; n <= SCH_COLOR_BUFFERS; n++)
        if (drawing->buffers[n].resource == shown && !drawing->buffers[n].level) return true;
    return false;
}

/* The picture of one draw is as large as its first buffer. False: it has none. */
static bool begin_draw(struct sch_cli_replay_heat *heat, const struct sch_virgl_drawing *drawing)
{
    for (unsigned n = 0; n <= SCH_COLOR_BUFFERS; n++) {
        const struct sch_virgl_buffer *buffer = &drawing->buffers[n];
        if (!buffer->resource) continue;
        heat->exit_code = sch_cli_heats_allocate(&heat->heats, buffer->width, buffer->height);
        return heat->exit_code == SCH_CLI_YES;
    }
    return false;
}

static const struct sch_heat *count_draw(void *user, const struct sch_virgl_drawing *drawing)
{
    struct sch_cli_replay_heat *heat = user;
    heat->draws = drawing->number;
    const bool wanted =
        heat->draw ? drawing->number == heat->draw && begin_draw(heat, drawing) : is_of_frame(heat, drawing);
    heat->counted += wanted;
    return wanted ? &heat->heats.counts : NULL;
}

void sch_cli_replay_heat_count(struct sch_cli_replay_heat *heat, struct sch_virgl *virgl)
{
    const struct sch_virgl_draw_callbacks draws = {.user = heat, .count = count_draw};
    heat->virgl = virgl;
    sch_virgl_set_draw_callbacks(virgl, &draws);
}

/* ---- the numbers ---- */

static void print_json(const struct sch_cli_replay_heat *heat, const char *file)
{
    struct sch_json json;
    sch_json_begin(&json, stdout, "scheelite-replay/1");
    sch_json_text(&json, "file", file);
    if (heat->draw)
        sch_json_number(&json, "draw", heat->draw);
    else
        sch_json_number(&json, "frame", heat->frame.number == UINT64_MAX ? heat->frame.frames - 1 : heat->frame.number);
    sch_json_number(&json, "draws", heat->counted);
    sch_cli_heats_json(&heat->heats, &json);
    sch_json_end(&json);
}

enum sch_cli_exit sch_cli_replay_heat_write(const struct sch_cli_replay_heat *heat, const char *file, bool json)
{
    if (heat->exit_code != SCH_CLI_YES) return heat->exit_code;
    if (heat->draw > heat->draws)
        return sch_cli_fail(SCH_CLI_NO, "%s has no draw %" PRIu64 ": it has %" PRIu64, file, heat->draw, heat->draws);
    if (heat->draw && !heat->counted)
        return sch_cli_fail(SCH_CLI_NO, "%s: draw %" PRIu64 " writes no texture", file, heat->draw);
    if (!heat->counted)
        sch_cli_fail(SCH_CLI_YES,
                     "%s: no draw writes what the frame shows: --heat with --draw counts at the pixels of one", file);
    const enum sch_cli_exit exit_code = sch_cli_heats_write(&heat->heats);
    if (exit_code == SCH_CLI_YES && json) print_json(heat, file);
    return exit_code;
}
