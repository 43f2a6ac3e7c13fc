/* The archives as data of the shared object. Assembled with the folder of the archives among the include paths. */
#define STRING_(x) #x
#define STRING(x) STRING_(x)
#define LEVEL(level, needs) \
    .global jit_archive_##level; \
    .hidden jit_archive_##level; \
    .balign 64; \
    jit_archive_##level: \
    .incbin STRING(level.archive);
    .section .rodata
#include "isa/levels.def"
    .section .note.GNU-stack, "", %progbits
