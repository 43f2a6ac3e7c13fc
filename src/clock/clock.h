/* What the steady clock has in common with the command, which checks rates, and with the tests' module that also keeps
 * a picture (tests/system/steady.c). */
#ifndef SCH_CLOCK_H
#define SCH_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_EXPORT __attribute__((visibility("default")))

enum { CLOCK_MOST = 1000000 }; /* of both numbers of a rate */

/* What the command learns of its program, in a file whose descriptor SCH_CLOCK_SEEN names; each byte is 0 or 1. */
enum clock_seen {
    CLOCK_SEEN_FRAME, /* a process with the clock has shown a frame */
    CLOCK_SEEN_LOOK,  /* and the same one has asked for the time, or waited */
    CLOCK_SEEN_BYTES
};

/* The next function of a name after this module's, or the library's where the program has loaded none; NULL:
 * neither. */
void *clock_find(const char *library, const char *name);

/* Called around a frame that GLX shows, where they are there. */
__attribute__((weak)) void clock_before_frame(void *display, unsigned long drawable);
__attribute__((weak)) void clock_after_frame(void);

#endif
