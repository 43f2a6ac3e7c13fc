/* Messages for the caller's log. Holds no policy: what happens decides what is worth a message. */
#ifndef SCH_BASE_LOG_H
#define SCH_BASE_LOG_H

#include <scheelite/types.h>

/* As printf; longer texts are cut. Costs nothing where the caller has no log (`function` is NULL). Whoever says
 * something holds no lock: the caller's function may take its time. */
void sch_log(const struct sch_log_callback *log, enum sch_log_level level, enum sch_log_subject subject,
             const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
