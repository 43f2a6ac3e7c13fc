/* What wild_compiler.c does with a program of so many instructions, and what it answers. */
#ifndef WILD_H
#define WILD_H

enum {
    WILD_COMPILES = 1,
    WILD_DIES,
    WILD_ABORTS,
    WILD_LOOPS,
    WILD_TAKES_MEMORY,
    WILD_SLEEPS, /* 8 s */
    WILD_NAPS,   /* a tenth of a second; then it compiles */
    WILD_SAYS_MUCH,
    WILD_SAYS_OTHER,
    WILD_SAYS_NONSENSE,
    WILD_SAYS_LITTLE,
    WILD_OBJECT,
    WILD_LOOKS
};

/* Bits of `built` of WILD_LOOKS: what should not be. */
enum {
    WILD_SOCKET = 1, /* these five are asked where the build has a filter of system calls */
    WILD_FORK = 2,
    WILD_EXECVE = 4,
    WILD_CODE = 8,
    WILD_KILL = 16,
    WILD_FILES = 32,
    WILD_ENVIRONMENT = 64,
    WILD_CORE = 128,
    WILD_FOLDER = 256,
    WILD_SIGNALS = 512,
    WILD_OPENS = 1024 /* is right where the system has no Landlock, and with sanitizers */
};

#endif
