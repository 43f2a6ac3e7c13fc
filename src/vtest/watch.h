/* Whether a client is still there while its process is at work and does not look at the connection: a thread does. */
#ifndef SCH_VTEST_WATCH_H
#define SCH_VTEST_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sch_vtest_watch {
    uint32_t gone;       /* becomes 1, atomically: no one waits for what is done any more */
    int connection, end; /* -1: it is not watched */
    uint32_t grace_ms;
    pthread_t thread;
};

/* Watches a connection from now on. The client is gone so many milliseconds after it has closed its side, in which what
 * is left of its work may end by itself. Errors: of the system, 0 if it was begun. */
int sch_vtest_watch_begin(struct sch_vtest_watch *watch, int connection, uint32_t grace_ms);

/* After the connection was served. */
void sch_vtest_watch_end(struct sch_vtest_watch *watch);

#endif
