/* See trace_inward.h. */
#include "trace_inward.h"

#include <stdlib.h>

/* A session on one of them; NULL: no memory. */
static struct sch_cli_session *begin_inward_session(const struct sch_cli_inward *inward, enum sch_stage stage)
{
    struct sch_cli_session *session = malloc(sizeof *session);
    if (!session) return NULL;
    sch_cli_session_init(session);
    session->file = inward->file;
    session->asked.target = inward->target;
    session->asked.frame = inward->frame;
    session->asked.has_pixel = session->asked.has_stage = true;
    session->asked.pixel[0] = inward->pixel[0];
    session->asked.pixel[1] = inward->pixel[1];
    session->asked.stage = stage;
    session->setup.program.width = inward->width;
    return session;
}

static void end(struct sch_cli_session *session)
{
    if (session) sch_cli_session_release(session);
    free(session);
}

static enum sch_cli_exit trace_one(const struct sch_cli_verb *verb, struct sch_cli_session *session)
{
    if (!session) return sch_cli_no_memory();
    putchar('\n');
    const enum sch_cli_exit exit_code = sch_cli_session_open(verb, session);
    return exit_code == SCH_CLI_YES ? sch_cli_trace_lines(session) : exit_code;
}

static enum sch_cli_exit trace_vertex(const struct sch_cli_verb *verb, const struct sch_cli_inward *inward,
                                      const struct sch_pixel_event *event, uint32_t vertex)
{
    struct sch_cli_session *session = begin_inward_session(inward, SCH_STAGE_VERTEX);
    if (session) {
        session->wanted.parts = SCH_PLACE_VERTEX | SCH_PLACE_INSTANCE;
        session->wanted.vertex = vertex;
        session->wanted.instance = event->instance;
    }
    const enum sch_cli_exit exit_code = trace_one(verb, session);
    end(session);
    return exit_code;
}

enum sch_cli_exit sch_cli_trace_inward(const struct sch_cli_verb *verb, const struct sch_cli_inward *inward)
{
    struct sch_cli_session *fragment = begin_inward_session(inward, SCH_STAGE_FRAGMENT);
    enum sch_cli_exit exit_code = trace_one(verb, fragment);
    const struct sch_pixel_event event = fragment ? fragment->made_by : (struct sch_pixel_event){0};
    end(fragment);
    for (uint32_t v = 0; v < event.vertex_count && exit_code == SCH_CLI_YES; v++)
        exit_code = trace_vertex(verb, inward, &event, event.vertices[v]);
    if (exit_code == SCH_CLI_YES && !event.vertex_count)
        puts("\nwhich vertices made the primitive is not known, as of what tessellation and geometry shaders make; "
             "`scheelite trace` with --stage looks at them");
    return exit_code;
}
