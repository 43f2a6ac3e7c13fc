/* See debuggee.h. */
#include "debuggee.h"

void sch_debuggee_destroy(struct sch_debuggee *debuggee)
{
    if (debuggee) debuggee->kind->destroy(debuggee);
}

/* ---- moving ---- */

enum sch_result sch_debuggee_go(struct sch_debuggee *debuggee, const struct sch_debug_go *go)
{
    return debuggee->kind->go(debuggee, go);
}

enum sch_result sch_debuggee_seek(struct sch_debuggee *debuggee, uint64_t time)
{
    return debuggee->kind->seek(debuggee, time);
}

void sch_debuggee_interrupt(struct sch_debuggee *debuggee) { debuggee->kind->interrupt(debuggee); }

enum sch_result sch_debuggee_set_breakpoints(struct sch_debuggee *debuggee, const struct sch_debug_breakpoint *list,
                                             size_t stride, uint32_t count)
{
    return debuggee->kind->set_breakpoints(debuggee, list, stride, count);
}

/* ---- where it is ---- */

void sch_debuggee_get_stop(const struct sch_debuggee *debuggee, struct sch_debug_stop *stop)
{
    debuggee->kind->get_stop(debuggee, stop);
}

enum sch_result sch_debuggee_get_place(const struct sch_debuggee *debuggee, uint32_t lane,
                                       struct sch_invocation_place *place)
{
    return debuggee->kind->get_place ? debuggee->kind->get_place(debuggee, lane, place) : SCH_ERROR_ARGUMENT;
}

enum sch_result sch_debuggee_get_frame(const struct sch_debuggee *debuggee, uint32_t number,
                                       struct sch_debug_frame *frame)
{
    return debuggee->kind->get_frame ? debuggee->kind->get_frame(debuggee, number, frame) : SCH_ERROR_ARGUMENT;
}

bool sch_debuggee_position_at(const struct sch_debuggee *debuggee, uint32_t number, struct sch_debug_position *position)
{
    return debuggee->kind->position_at(debuggee, number, position);
}

/* ---- what it holds ---- */

bool sch_debuggee_register_at(const struct sch_debuggee *debuggee, uint32_t position, struct sch_debug_register *found)
{
    return debuggee->kind->register_at(debuggee, position, found);
}

enum sch_result sch_debuggee_read(const struct sch_debuggee *debuggee, const struct sch_debug_register *which,
                                  uint32_t words[4][32])
{
    return debuggee->kind->read(debuggee, which, words);
}

bool sch_debuggee_change_at(struct sch_debuggee *debuggee, uint32_t position, struct sch_debug_change *change)
{
    return debuggee->kind->change_at(debuggee, position, change);
}

const void *sch_debuggee_shared_memory(const struct sch_debuggee *debuggee, size_t *bytes)
{
    *bytes = 0;
    return debuggee->kind->shared_memory ? debuggee->kind->shared_memory(debuggee, bytes) : NULL;
}

const void *sch_debuggee_private_memory(const struct sch_debuggee *debuggee, uint32_t lane, size_t *bytes)
{
    *bytes = 0;
    return debuggee->kind->private_memory ? debuggee->kind->private_memory(debuggee, lane, bytes) : NULL;
}

enum sch_result sch_debuggee_explain(struct sch_debuggee *debuggee, uint32_t lane, struct sch_explanation **explanation)
{
    return debuggee->kind->explain(debuggee, lane, explanation);
}
