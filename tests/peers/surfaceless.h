/* What the OpenGL sides of these tests begin with: an EGL context without a surface on a software driver of Mesa, its
 * functions, and shaders. Libraries are opened at run time: where there are none the tests are skipped. Draws
 * nothing. */
#ifndef SCH_TESTS_SURFACELESS_H
#define SCH_TESTS_SURFACELESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which context is asked for: versions in the order of preference, ten times the major number plus the minor one. */
struct surfaceless_wish {
    int versions[2]; /* 0: no other */
    bool compatibility;
};

/* False: the driver or what it needs is not there; `why` says what. One at a time. */
bool surfaceless_open(const char *driver, const struct surfaceless_wish *wish, char *why, size_t room);
/* Always false, for returns. */
bool surfaceless_refuse(char *why, size_t room, const char *what);
/* NULL: the driver has no such function. */
void *surfaceless_function(const char *name);
/* Name and version. */
const char *surfaceless_driver(void);
/* 0: the driver refuses; its words are printed. */
uint32_t surfaceless_shader(uint32_t kind, const char *text);
bool surfaceless_link(uint32_t program);
void surfaceless_close(void);

#endif
