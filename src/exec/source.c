/* See source.h. */
#include "exec/source.h"

#include <inttypes.h>
#include <stdio.h>

void sch_exec_name_lane(const struct sch_exec_machine *machine, uint32_t lane, char *text, size_t bytes)
{
    const struct sch_exec_source *source = machine->source;
    struct sch_invocation_place is = {.size = sizeof is};
    if (source->kind->identify) source->kind->identify(source, machine, lane, &is);
    if (is.parts & SCH_PLACE_THREAD)
        snprintf(text, bytes, "thread %" PRIu32 ",%" PRIu32 ",%" PRIu32 " of block %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                 is.thread[0], is.thread[1], is.thread[2], is.work_group[0], is.work_group[1], is.work_group[2]);
    else
        snprintf(text, bytes, "lane %" PRIu32, lane);
}
