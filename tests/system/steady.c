/* What the tests of OpenGL programs load in front of them (LD_PRELOAD), so that one program shows the same frames by
 * each driver: its clock stands still while it draws a frame, and is SCH_STEP milliseconds later in the next. The
 * program ends when it has shown SCH_FRAMES frames; before it shows the last of them, that is written to the file that
 * SCH_FILE names, as a portable pixmap. For GLX, whose functions programs link or look up by name. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
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

enum { MS_PER_S = 1000, US_PER_MS = 1000, NS_PER_MS = 1000000, BEGUN_S = 1000000 };

static long frames;

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

/* ---- the functions behind ---- */

static void *look_up(void *handle, const char *name)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17",
                                           "GLIBC_2.2.5"}; /* of dlsym, by processor and age */
    static void *(*next)(void *, const char *);
    for (size_t i = 0; !next && i < sizeof versions / sizeof *versions; i++)
        *(void **)&next = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return next(handle, name);
}

/* A function of libGL's, which may be the program's own or loaded by it. */
static void *find(const char *name)
{
    void *library = dlopen("libGL.so.1", RTLD_NOW);
    return library ? look_up(library, name) : NULL;
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
    *(void **)&query = find("glXQueryDrawable");
    *(void **)&bind = find("glBindFramebuffer");
    *(void **)&store = find("glPixelStorei");
    *(void **)&read_texels = find("glReadPixels");
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

/* ---- what the program calls ---- */

void glXSwapBuffers(void *display, unsigned long window);
void *glXGetProcAddressARB(const unsigned char *name);
void *glXGetProcAddress(const unsigned char *name);

void glXSwapBuffers(void *display, unsigned long window)
{
    void (*swap)(void *, unsigned long);
    const bool last = ++frames == number("SCH_FRAMES");
    if (last && getenv("SCH_FILE")) save(display, window, getenv("SCH_FILE"));
    *(void **)&swap = find("glXSwapBuffers");
    swap(display, window);
    if (last) _exit(0);
}

static void *own(const char *name)
{
    void (*swap)(void *, unsigned long) = glXSwapBuffers;
    void *(*get)(const unsigned char *) = glXGetProcAddressARB;
    if (strcmp(name, "glXSwapBuffers") == 0) return *(void **)&swap;
    if (strcmp(name, "glXGetProcAddress") == 0 || strcmp(name, "glXGetProcAddressARB") == 0) return *(void **)&get;
    return NULL;
}

void *glXGetProcAddressARB(const unsigned char *name)
{
    void *(*get)(const unsigned char *);
    void *found = own((const char *)name);
    *(void **)&get = find("glXGetProcAddressARB");
    return found ? found : get(name);
}

void *glXGetProcAddress(const unsigned char *name) { return glXGetProcAddressARB(name); }

void *dlsym(void *restrict handle, const char *restrict name)
{
    void *found = own(name);
    return found ? found : look_up(handle, name);
}

/* ---- the clock ---- */

/* Libraries see the clock as it is: they wait by it. */
static bool is_for_program(const void *caller)
{
    Dl_info place;
    return getenv("SCH_STEP") && dladdr(caller, &place) && place.dli_fname && !strstr(place.dli_fname, ".so");
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const long now = frames * number("SCH_STEP");
    if (!is_for_program(__builtin_return_address(0))) return (int)syscall(SYS_clock_gettime, clock, time);
    *time = (struct timespec){.tv_sec = BEGUN_S + now / MS_PER_S, .tv_nsec = now % MS_PER_S * NS_PER_MS};
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    const long now = frames * number("SCH_STEP");
    if (!is_for_program(__builtin_return_address(0))) return (int)syscall(SYS_gettimeofday, time, zone);
    *time = (struct timeval){.tv_sec = BEGUN_S + now / MS_PER_S, .tv_usec = now % MS_PER_S * US_PER_MS};
    return 0;
}
