/* From a pixel inward: which event of its history is meant, and which invocation of that draw. For sessions on draws:
 * of scenes and of recordings. */
#ifndef SCH_CLI_SESSION_PIXEL_H
#define SCH_CLI_SESSION_PIXEL_H

#include "session.h"

struct sch_cli_pixel_choice {
    bool made;
    struct sch_pixel_event event; /* DRAW */
    uint32_t skip;                /* fragments of the pixel that its draw shades before that one */
};

/* The event that --event names, else the last draw that was written. NO, and said, where there is none, or where the
 * fragment that is wanted was not shaded. `name` is that of the input. */
enum sch_cli_exit sch_cli_choose_event(const struct sch_cli_session *session, const char *name,
                                       const struct sch_pixel_history *history, struct sch_cli_pixel_choice *choice);

/* The stage that is looked at. */
enum sch_stage sch_cli_session_stage(const struct sch_cli_session *session);

/* The invocation: the pixel's fragment, or the first vertex of its primitive, unless another one was asked for. */
enum sch_cli_exit sch_cli_fill_place(const struct sch_cli_session *session, const char *name,
                                     const struct sch_cli_pixel_choice *choice, struct sch_debug_options *options,
                                     struct sch_invocation_place *place);

/* Puts it into words: session->what. */
void sch_cli_describe_place(struct sch_cli_session *session, const char *draw,
                            const struct sch_cli_pixel_choice *choice, const struct sch_invocation_place *place);

#endif
