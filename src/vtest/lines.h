/* Lines of the log, which all processes of a server write together: so many at once, and then so many in a time. */
#ifndef SCH_VTEST_LINES_H
#define SCH_VTEST_LINES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../virgl/virgl.h"

enum {
    SCH_VTEST_LINES_AT_ONCE = 2000,
    SCH_VTEST_LINE_MS = 1000 /* until another one may be written */
};

/* In memory that the processes share. All 0: nothing was written. */
struct sch_vtest_lines {
    _Atomic uint64_t paid_ms; /* on the clock: when all lines are paid for */
    _Atomic uint64_t left_out;
};

/* Whether another line may be written; one that may not is counted. If lines were left out before, says so to the log,
 * which may have no function. */
bool sch_vtest_lines_take(struct sch_vtest_lines *lines, const struct sch_virgl_log *log);

/* Writes a line, if there is a log. False: it is left out. */
bool sch_vtest_lines_write(struct sch_vtest_lines *lines, const struct sch_virgl_log *log, const char *line);

/* Says how many lines were left out since that was last said, if any were. */
void sch_vtest_lines_tell(struct sch_vtest_lines *lines, const struct sch_virgl_log *log);

#endif
