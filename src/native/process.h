/* The compiler in a process of its own: requests to it, from any thread of any context of the host. Holds no message
 * (protocol/message.h). */
#ifndef SCH_NATIVE_PROCESS_H
#define SCH_NATIVE_PROCESS_H

#include <stdatomic.h>

#include "protocol/message.h"

struct sch_native;
struct sch_process;

/* One request, while it is open. Zero at the begin. */
struct sch_native_call {
    atomic_bool abandoned;       /* the reply is not wanted any more */
    bool leaves;                 /* nor ever did: it is for the cache, when the context ends */
    struct sch_process *process; /* that has it */
};

enum sch_call_outcome {
    SCH_CALL_REPLIED,
    SCH_CALL_NONE,      /* there is no compiler: native->compiler_problem */
    SCH_CALL_LOST,      /* it ended or took too long; sch_native_lost has counted it */
    SCH_CALL_ABANDONED, /* before the reply came */
    SCH_CALL_MEMORY
};

/* Sends a request, waits and reads the reply, whose object is in `bytes`: to be released. `culprit` is what the
 * reply is about: of what a process was lost by, no process gets a request again. `running`: only a process that is
 * there and idle. */
enum sch_call_outcome sch_native_request(struct sch_native *native, struct sch_request *request,
                                         const uint8_t culprit[SCH_SHA256_BYTES], bool running,
                                         struct sch_native_call *call, struct sch_wire *bytes, struct sch_reply *reply);

/* Has a call return ABANDONED soon, from another thread. The process continues with what it does. */
void sch_native_abandon(struct sch_native_call *call);

/* Keeps a request until the context ends; there is room for some. */
void sch_native_leave(struct sch_native *native, struct sch_request *request);

/* When the context ends: gives what was left to one of its processes that does nothing anyone waits for. From here on
 * that is no one's. */
void sch_native_hand_over(struct sch_native *native);

/* Every context that may have requests. When none is left no process is. */
void sch_native_join_processes(void);
void sch_native_leave_processes(void);

/* ---- native/spawn.c ---- */

/* Starts a program that is not a child of this process: it sends no SIGCHLD, and no wait() of the host's finds it. It
 * has `end` as descriptor SCH_MESSAGE_SOCKET, no other but perhaps 0 to 2, and no environment. Returns 0 or an
 * errno. */
int sch_native_spawn(const char *path, const char *const arguments[], int end);

#endif
