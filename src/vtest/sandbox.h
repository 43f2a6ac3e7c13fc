/* What a process gives up before it reads what a hostile client sends: files, other processes, the network, and memory
 * and time without end. Knows no client. */
#ifndef SCH_VTEST_SANDBOX_H
#define SCH_VTEST_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

/* Addresses that memory may have which is shared with others. It begins below `middle` and takes at most as much as
 * from there to `end`, so all of it is below `end`, and what may become code is not. */
struct sch_vtest_addresses {
    uint64_t begin, middle, end; /* 0: any, as nothing becomes code */
};

struct sch_vtest_sandbox {
    uint64_t memory;                   /* bytes of addresses beyond those that the process has now; 0: any */
    uint32_t seconds;                  /* of processor time; 0: any */
    uint64_t file;                     /* bytes of a file, and so of a memory that is shared; 0: any */
    bool code;                         /* memory that was written may become machine code */
    struct sch_vtest_addresses shared; /* if `code`: of memory that is shared, which never becomes code */
    const char *cache;                 /* a folder whose files may be read; NULL: none */
};

/* Chooses such addresses for so many bytes of shared memory. False: the system has none that are free. */
bool sch_vtest_addresses_choose(struct sch_vtest_addresses *addresses, uint64_t bytes);

/* Closes it, for all threads of the process. NULL, or what the system refused. */
const char *sch_vtest_sandbox_close(const struct sch_vtest_sandbox *sandbox);

/* What a client that takes its process over can still do, one line: the build has no filter of system calls. NULL:
 * there is one. */
const char *sch_vtest_sandbox_leaves(void);

#endif
