/* One client's connection, from its first message to its last: the vtest protocol (Mesa's virpipe driver), versions 0
 * and 2. Whatever a client sends ends in a call of src/virgl, in an answer, or in a line of the log; a message that is
 * refused gets an answer where clients wait for one. Makes no process and no socket. */
#ifndef SCH_VTEST_SESSION_H
#define SCH_VTEST_SESSION_H

#include <stdatomic.h>

#include "sandbox.h"
#include "vtest.h"

struct sch_vtest_session_options {
    struct sch_virgl *virgl;              /* this client's alone */
    const struct sch_allocator *memory;   /* for what the session itself needs */
    uint64_t shared_bytes;                /* that the memory of all resources may have together */
    struct sch_vtest_addresses addresses; /* of what is shared with the client */
    uint32_t first_seconds;               /* that the client's first message may take to come whole; 0: any */
    enum sch_vtest_protocol protocol;
    int zeros; /* optional: of /dev/zero, which a client gets instead of memory that it is refused; not 0 */
    struct sch_virgl_log log;
    const uint32_t *gone;            /* optional: not 0, set atomically: the client has left, and the session ends */
    atomic_bool *busy;               /* optional: false while the session waits for the client's next message */
    struct sch_virgl_losses *losses; /* receives what of the client's messages is lost before src/virgl has it */
};

enum sch_vtest_end {
    SCH_VTEST_CLOSED, /* the client went between two messages */
    SCH_VTEST_CUT,    /* in the middle of one */
    SCH_VTEST_LOST,   /* where the next message begins is not known */
    SCH_VTEST_SILENT, /* the client says nothing or takes no answers, or the connection failed */
    SCH_VTEST_MEMORY
};

struct sch_vtest_counts {
    uint64_t messages, refused, bytes; /* of the client; bytes that it sent */
    uint64_t submits, waits;
};

/* Serves the client until it goes or cannot be served any more: all ends but CLOSED were reported to the log. The
 * socket stays open. `counts` is optional. When it returns, no resource has memory any more: destroy the virgl client
 * next. */
enum sch_vtest_end sch_vtest_session(int connection, const struct sch_vtest_session_options *options,
                                     struct sch_vtest_counts *counts);

#endif
