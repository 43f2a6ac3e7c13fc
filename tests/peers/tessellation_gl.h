/* The OpenGL side of the test of the tessellator: what a driver makes of a patch, captured by transform feedback. Knows
 * nothing of how either side tessellates. */
#ifndef SCH_TESTS_TESSELLATION_GL_H
#define SCH_TESTS_TESSELLATION_GL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a patch is cut: words of the shading language. */
struct captured_mode {
    const char *domain, *spacing, *order; /* "triangles", "fractional_odd_spacing", "cw" */
    bool points;
};

/* False: the driver or what it needs is not there; `why` says what. */
bool tessellation_gl_open(const char *driver, char *why, size_t room);
/* gl_TessCoord of each vertex of each primitive, in their order; `count` vertices. False: the driver refuses. */
bool tessellation_gl_capture(const struct captured_mode *mode, const float outer[4], const float inner[2],
                             const float (**coordinates)[3], size_t *count);
void tessellation_gl_close(void);

#endif
