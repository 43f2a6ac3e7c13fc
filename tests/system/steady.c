/* What the tests of OpenGL programs load in front of them (LD_PRELOAD), with the steady clock (src/clock), so that one
 * program shows the same frames by each driver: it ends when it has shown SCH_FRAMES frames; before it shows the last
 * of them, that is written to the file that SCH_FILE names, as a portable pixmap. For GLX. */
#include "clock/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Tables 8.2, 8.7, 9.1 and 18.1 of OpenGL 4.6, 3.3.4 of GLX 1.4 */
enum {
    GL_RGB = 0x1907,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_PACK_ALIGNMENT = 0x0D05,
    GL_READ_FRAMEBUFFER = 0x8CA8,
    GLX_WIDTH = 0x801D,
    GLX_HEIGHT = 0x801E
};

#define LIBRARY "libGL.so.1"

static long frames;

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

/* ---- the picture ---- */

static void write_picture(const unsigned char *texels, unsigned width, unsigned height, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fprintf(file, "P6 %u %u 255\n", width, height);
    for (unsigned y = height; y > 0; y--)
        fwrite(texels + (size_t)(y - 1) * width * 3, 3, width, file); /* lowest first */
    fclose(file);
}

static void save(void *display, unsigned long window, const char *path)
{
    void (*query)(void *, unsigned long, int, unsigned *), (*bind)(unsigned, unsigned), (*store)(unsigned, int);
    void (*read_texels)(int, int, int, int, unsigned, unsigned, void *);
    unsigned width = 0, height = 0;
    *(void **)&query = clock_find(LIBRARY, "glXQueryDrawable");
    *(void **)&bind = clock_find(LIBRARY, "glBindFramebuffer");
    *(void **)&store = clock_find(LIBRARY, "glPixelStorei");
    *(void **)&read_texels = clock_find(LIBRARY, "glReadPixels");
    query(display, window, GLX_WIDTH, &width);
    query(display, window, GLX_HEIGHT, &height);
    unsigned char *texels = calloc((size_t)width * height, 3);
    if (!texels) return;
    bind(GL_READ_FRAMEBUFFER, 0); /* nothing is put back: the program ends */
    store(GL_PACK_ALIGNMENT, 1);
    read_texels(0, 0, (int)width, (int)height, GL_RGB, GL_UNSIGNED_BYTE, texels);
    write_picture(texels, width, height, path);
    free(texels);
}

/* ---- around a frame ---- */

void clock_before_frame(void *display, unsigned long drawable)
{
    if (++frames == number("SCH_FRAMES") && getenv("SCH_FILE")) save(display, drawable, getenv("SCH_FILE"));
}

void clock_after_frame(void)
{
    if (frames == number("SCH_FRAMES")) _exit(0);
}
