/* From a pixel inward (render, replay --debug-pixel): the fragment that made it, and the vertices of its primitive. */
#ifndef SCH_CLI_TRACE_INWARD_H
#define SCH_CLI_TRACE_INWARD_H

#include "session.h"

struct sch_cli_inward {
    const char *file;   /* a scene, or a recording */
    const char *target; /* of a scene: the texture; NULL: its output */
    uint32_t frame;     /* of a recording */
    uint32_t pixel[2];
    unsigned width; /* of vectors; 0: the processor's best */
};

/* Traces them, one after the other, on standard output. */
enum sch_cli_exit sch_cli_trace_inward(const struct sch_cli_verb *verb, const struct sch_cli_inward *inward);

#endif
