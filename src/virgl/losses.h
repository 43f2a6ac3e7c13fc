/* What a client wanted and did not get: how much of what, and why. Plain memory, which the process of a client can
 * share with the process that reports it to its user at the end. Holds no text for users: src/cli has it. */
#ifndef SCH_VIRGL_LOSSES_H
#define SCH_VIRGL_LOSSES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum sch_virgl_loss {
#define LOSS(name, one, several)    SCH_VIRGL_LOST_##name,
#define LOST_COMMAND(command, loss) /* virgl.c */
#include "losses.def"
#undef LOSS
#undef LOST_COMMAND
    SCH_VIRGL_LOSSES
};

/* What can be done about it. */
enum sch_virgl_why {
    SCH_VIRGL_WHY_DEADLINE = 1 << 0,
    SCH_VIRGL_WHY_MEMORY = 1 << 1, /* of the client's, which is bounded */
    SCH_VIRGL_WHY_TIME = 1 << 2,   /* the processor time of a client's process */
    SCH_VIRGL_WHY_CODE = 1 << 3,   /* the engine has no machine code */
    SCH_VIRGL_WHY_LATE = 1 << 4,   /* the deadline passed while machine code was made */
    SCH_VIRGL_WHY_MIXED = 1 << 5,  /* messages of several threads, which the client does not keep apart */
    SCH_VIRGL_WHY_ENDED = 1 << 6,  /* the server ended before its client */
    SCH_VIRGL_WHY_SILENT = 1 << 7, /* the client had said nothing for too long */
    SCH_VIRGL_WHY_WINDOW = 1 << 8  /* nothing is lost, but the client went after it made a window's buffer */
};

enum { SCH_VIRGL_REASON = 480 }; /* bytes of a reason */

struct sch_virgl_losses {
    uint64_t counts[SCH_VIRGL_LOSSES];
    uint32_t why;                 /* of all of them; SCH_VIRGL_WHY_ */
    char first[SCH_VIRGL_REASON]; /* the first reason that there was; may hold what the client sent. "": none */
};

/* Notes why something is refused, which whoever refuses it counts. */
static inline void sch_virgl_losses_note(struct sch_virgl_losses *losses, uint32_t why, const char *reason)
{
    losses->why |= why;
    if (!losses->first[0]) snprintf(losses->first, sizeof losses->first, "%.*s", (int)sizeof losses->first - 1, reason);
}

/* Adds those of a client. What another process has written ends at its last byte. */
static inline void sch_virgl_losses_add(struct sch_virgl_losses *to, const struct sch_virgl_losses *from)
{
    for (unsigned n = 0; n < SCH_VIRGL_LOSSES; n++) to->counts[n] += from->counts[n];
    to->why |= from->why;
    if (!to->first[0]) snprintf(to->first, sizeof to->first, "%.*s", (int)sizeof from->first - 1, from->first);
}

static inline bool sch_virgl_losses_any(const struct sch_virgl_losses *losses)
{
    for (unsigned n = 0; n < SCH_VIRGL_LOSSES; n++)
        if (losses->counts[n]) return true;
    return false;
}

#endif
