/* See lines.h. Clients that come again and again would fill a disk if each might write some lines. */
#include "lines.h"

#include <inttypes.h>
#include <stdio.h>

#include "clock.h"

void sch_vtest_lines_tell(struct sch_vtest_lines *lines, const struct sch_virgl_log *log)
{
    char line[128];
    const uint64_t count = atomic_exchange(&lines->left_out, 0);
    if (!count || !log->write) return;
    snprintf(line, sizeof line, "%" PRIu64 " %s of the log left out: clients cause too many", count,
             count == 1 ? "line is" : "lines are");
    log->write(log->user, line);
}

bool sch_vtest_lines_take(struct sch_vtest_lines *lines, const struct sch_virgl_log *log)
{
    const uint64_t most = (uint64_t)SCH_VTEST_LINES_AT_ONCE * SCH_VTEST_LINE_MS, now = sch_vtest_now_ms();
    uint64_t paid = atomic_load(&lines->paid_ms), next;
    do {
        /* A time that is too late was written by a process that a client has taken over. */
        next = (paid < now || paid > now + most ? now : paid) + SCH_VTEST_LINE_MS;
        if (next > now + most) {
            atomic_fetch_add(&lines->left_out, 1);
            return false;
        }
    } while (!atomic_compare_exchange_weak(&lines->paid_ms, &paid, next));
    sch_vtest_lines_tell(lines, log);
    return true;
}

bool sch_vtest_lines_write(struct sch_vtest_lines *lines, const struct sch_virgl_log *log, const char *line)
{
    if (!log->write) return true;
    if (!sch_vtest_lines_take(lines, log)) return false;
    log->write(log->user, line);
    return true;
}
