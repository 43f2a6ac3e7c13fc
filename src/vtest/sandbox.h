/* What a process gives up before it reads what a hostile client sends: files, other processes, the network, and memory
 * and time without end. Knows no client. */
#ifndef SCH_VTEST_SANDBOX_H
#define SCH_VTEST_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

struct sch_vtest_sandbox {
    uint64_t memory;   /* bytes of addresses beyond those that the process has now; 0: any */
    uint32_t seconds;  /* of processor time; 0: any */
    bool code;         /* memory that was written may become machine code */
    const char *cache; /* a folder whose files may be read; NULL: none */
};

/* Closes it, for all threads of the process. NULL, or what the system refused. */
const char *sch_vtest_sandbox_close(const struct sch_vtest_sandbox *sandbox);

/* What a client that takes its process over can still do, one line: the build has no filter of system calls. NULL:
 * there is one. */
const char *sch_vtest_sandbox_leaves(void);

#endif
