/* See session_pixel.h. */
#include "session_pixel.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "scenes/pixel.h"

/* ---- the event ---- */

static bool has_passed(const struct sch_pixel_history *history, uint32_t index, uint32_t samples)
{
    struct sch_pixel_sample sample = {.size = sizeof sample};
    for (uint32_t s = 0; s < samples; s++)
        if (sch_pixel_history_get_sample(history, index, s, &sample) == SCH_OK && sample.outcome == SCH_PIXEL_PASSED)
            return true;
    return false;
}

static struct sch_pixel_event event_of(const struct sch_pixel_history *history, uint32_t index)
{
    struct sch_pixel_event event = {.size = sizeof event};
    sch_pixel_history_get_event(history, index, &event);
    return event;
}

/* By its number, which counts a clear of several buffers once; else the last one that was written. UINT32_MAX: there is
 * none. */
static uint32_t find_event(uint32_t wanted, const struct sch_pixel_history *history)
{
    struct sch_pixel_history_info info = {.size = sizeof info};
    uint32_t found = UINT32_MAX;
    sch_pixel_history_get_info(history, &info);
    for (uint32_t i = 0, number = 1; i < info.event_count; i = sch_cli_pixel_event_end(history, i), number++) {
        const struct sch_pixel_event event = event_of(history, i);
        if (wanted && number == wanted) return i;
        if (!wanted && event.kind == SCH_PIXEL_DRAW && event.ran && has_passed(history, i, event.samples)) found = i;
    }
    return found;
}

enum sch_cli_exit sch_cli_choose_event(const struct sch_cli_session *session, const char *name,
                                       const struct sch_pixel_history *history, struct sch_cli_pixel_choice *choice)
{
    const uint32_t index = find_event(session->asked.event, history);
    if (index == UINT32_MAX && session->asked.event)
        return sch_cli_fail(SCH_CLI_NO, "%s: the pixel has no event %" PRIu32, name, session->asked.event);
    if (index == UINT32_MAX)
        return sch_cli_fail(SCH_CLI_NO, "%s: no draw has written the pixel; %s", name,
                            session->replay ? "where a copy has, --draw N --pixel X,Y is a pixel of a draw before it"
                                            : "`render --explain-pixel` says what happened there");
    *choice = (struct sch_cli_pixel_choice){.made = true, .event = event_of(history, index)};
    if (choice->event.kind != SCH_PIXEL_DRAW)
        return sch_cli_fail(SCH_CLI_NO, "%s: event %" PRIu32 " of the pixel is not a draw", name, session->asked.event);
    if (!choice->event.ran && sch_cli_session_stage(session) == SCH_STAGE_FRAGMENT)
        return sch_cli_fail(SCH_CLI_NO, "%s: the fragment of event %" PRIu32 " was not shaded", name,
                            session->asked.event);
    for (uint32_t i = 0; i < index; i++) {
        const struct sch_pixel_event earlier = event_of(history, i);
        choice->skip += earlier.kind == SCH_PIXEL_DRAW && earlier.label == choice->event.label && earlier.ran;
    }
    return SCH_CLI_YES;
}

/* ---- the invocation ---- */

enum sch_stage sch_cli_session_stage(const struct sch_cli_session *session)
{
    return session->asked.has_stage ? (enum sch_stage)session->asked.stage : SCH_STAGE_FRAGMENT;
}

enum sch_cli_exit sch_cli_fill_place(const struct sch_cli_session *session, const char *name,
                                     const struct sch_cli_pixel_choice *choice, struct sch_debug_options *options,
                                     struct sch_invocation_place *place)
{
    const enum sch_stage stage = sch_cli_session_stage(session);
    *place = session->wanted;
    place->size = sizeof *place;
    options->stages = 1u << stage;
    if (!choice->made && !session->asked.has_pixel) return SCH_CLI_YES;
    if (stage == SCH_STAGE_FRAGMENT) {
        place->parts |= SCH_PLACE_PIXEL;
        place->x = session->asked.pixel[0];
        place->y = session->asked.pixel[1];
        options->skip = choice->skip;
    }
    if (stage != SCH_STAGE_VERTEX) return SCH_CLI_YES;
    if (!(place->parts & SCH_PLACE_VERTEX) && !choice->event.vertex_count)
        return sch_cli_fail(SCH_CLI_NO,
                            "%s: which vertices made the primitive is not known; --vertex N says which one "
                            "is meant",
                            name);
    if (!(place->parts & SCH_PLACE_VERTEX)) place->vertex = choice->event.vertices[0];
    if (!(place->parts & SCH_PLACE_INSTANCE)) place->instance = choice->event.instance;
    place->parts |= SCH_PLACE_VERTEX | SCH_PLACE_INSTANCE;
    return SCH_CLI_YES;
}

/* Appends to the words; what does not fit is cut off. */
static void add(struct sch_cli_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct sch_cli_session *session, const char *format, ...)
{
    const size_t at = strlen(session->what);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(session->what + at, sizeof session->what - at, format, arguments);
    va_end(arguments);
}

void sch_cli_describe_place(struct sch_cli_session *session, const char *draw,
                            const struct sch_cli_pixel_choice *choice, const struct sch_invocation_place *place)
{
    *session->what = 0;
    session->made_by = choice->event;
    add(session, "%s", draw);
    if (choice->made) add(session, ", primitive %" PRIu32, choice->event.primitive_id);
    if (place->parts & SCH_PLACE_PIXEL) add(session, ", pixel %" PRIu32 ",%" PRIu32, place->x, place->y);
    if (place->parts & SCH_PLACE_VERTEX) add(session, ", vertex %" PRIu32, place->vertex);
    if (place->parts & SCH_PLACE_PRIMITIVE) add(session, ", primitive %" PRIu32, place->primitive);
    if (place->parts & SCH_PLACE_INSTANCE) add(session, ", instance %" PRIu32, place->instance);
    if (place->parts & SCH_PLACE_INVOCATION) add(session, ", invocation %" PRIu32, place->invocation);
}
