/* A small implementation of src/virgl/virgl.h for tests of src/vtest: it notes what it is called with. Buffers (target
 * 0) have as many bytes as they are wide, other resources four bytes a texel; of each the first bytes are kept. There
 * are no commands but those below, which try what a process in the sandbox must not do. */
#ifndef SCH_TESTS_VIRGL_FAKE_H
#define SCH_TESTS_VIRGL_FAKE_H

#include "../../../src/virgl/virgl.h"

enum { FAKE_BUFFER = 0, FAKE_TEXTURE = 2, FAKE_REFUSED_FORMAT = 999 };

/* The number of threads of a client that may use these commands. Others, such as those of a fuzzer, have none. */
enum { FAKE_DARING = 3 };

/* The first word of a command buffer, which has two: the second is the resource in whose memory the answer is, an errno
 * and then 1. */
enum fake_command {
    FAKE_OPEN = 0x1000, /* a file to read */
    FAKE_CREATE,        /* a file to write */
    FAKE_SOCKET,
    FAKE_FORK,
    FAKE_CODE,        /* memory that is both written and executed */
    FAKE_MAP_CODE,    /* memory that is mapped as code */
    FAKE_TWICE,       /* a memory file that is mapped as code and, elsewhere, to be written */
    FAKE_SHARED_CODE, /* memory that is shared with the client is made code */
    FAKE_AGAIN,       /* and is mapped once more */
    FAKE_PRIVATE,     /* a memory file is mapped privately */
    FAKE_LARGE,       /* a memory file of 8 GiB */
    FAKE_KILL,        /* its parent */
    FAKE_THREAD,      /* which it may start */
    FAKE_MEMORY,      /* 64 GiB of addresses */
    FAKE_SHARE,       /* a memory of 4 KiB, which it may make */
    FAKE_COMPILE,     /* a program to machine code, which the compiler may do that was there before */
    FAKE_COMPILE_TWO, /* one that takes long, and meanwhile another */
    FAKE_INTERPRET,   /* a program that is interpreted */
    FAKE_EXECUTE,     /* a program: never answers */
    FAKE_CRASH,       /* likewise */
    FAKE_CRASH_TRY,   /* crashes in a thread, and does from there what it can: opens, connects, makes a process */
    FAKE_SPIN,        /* likewise */
    FAKE_FAIL         /* the result is INVALID */
};

/* All calls, one line each. */
const char *fake_told(const struct sch_virgl *virgl);

#endif
