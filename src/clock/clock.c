/* The steady clock of `scheelite gl --clock`: what the program loads in front of its libraries (LD_PRELOAD). Its clocks
 * continue by the same time from one frame that it shows to the next, however long a frame takes, so that it draws the
 * same frames each time. Time also passes where the thread that shows the frames waits for it, or its program would
 * wait forever: by as much as a sleep or a wait that timed out lasts, and by a millisecond for each look at the clock
 * after the first LOOKS that nothing else follows. Sleeps of that thread are not slept. Clocks of processor time stay
 * as they are, and so do all clocks of the libraries that talk to the display, the sound and the graphics card: they
 * wait by them.
 *
 * Holds no OpenGL but the names of what shows a frame. Environment: SCH_CLOCK_FPS, frames in a second: N or N/D;
 * SCH_CLOCK_SEEN, the descriptor of a file in which the command finds what the program has seen (clock.h). */
#include "clock/clock.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)
enum { NS_PER_MS = 1000000, NS_PER_US = 1000, LOOKS = 10000 };

/* Where the clocks begin: 2020-01-01 for those of the calendar. The others begin early, so that a deadline which the
 * program computes from them and the system takes for one of its own has passed. */
#define CALENDAR_S INT64_C(1577836800)
enum { OTHERS_S = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t now_ns, frames;
static int looks;
static atomic_int drawing; /* the thread that shows frames; 0: none has been shown, and the first thread is meant */

/* ---- what the command learns ---- */

static atomic_bool has_shown, has_looked;

static void tell(enum clock_seen what)
{
    const char *text = getenv("SCH_CLOCK_SEEN");
    const int file = text ? (int)strtol(text, NULL, 10) : -1;
    struct stat info;
    /* The program may have closed the descriptor, and opened another file of that number. */
    if (file < 0 || fstat(file, &info) != 0 || info.st_nlink != 0 || info.st_size != CLOCK_SEEN_BYTES) return;
    const ssize_t written = pwrite(file, "\1", 1, what);
    (void)written;
}

/* Once each, of a process that does both. */
static void note(atomic_bool *what)
{
    if (atomic_exchange(what, true)) return;
    if (what == &has_shown) tell(CLOCK_SEEN_FRAME);
    if (atomic_load(&has_shown) && atomic_load(&has_looked)) tell(CLOCK_SEEN_LOOK);
}

/* ---- time ---- */

/* Frames are shown in seconds; 0 frames: the clocks are left alone. */
struct rate {
    int64_t frames, seconds;
};

static struct rate read_rate(void)
{
    const char *text = getenv("SCH_CLOCK_FPS");
    char *end = NULL;
    struct rate rate = {.frames = text ? strtol(text, &end, 10) : 0, .seconds = 1};
    if (end && *end == '/') rate.seconds = strtol(end + 1, NULL, 10);
    const bool holds = rate.frames >= 1 && rate.frames <= CLOCK_MOST && rate.seconds >= 1 && rate.seconds <= CLOCK_MOST;
    return holds ? rate : (struct rate){0};
}

static bool is_drawing(void)
{
    const int thread = atomic_load(&drawing), own = (int)syscall(SYS_gettid);
    return own == (thread ? thread : (int)getpid());
}

static void pass(int64_t ns)
{
    note(&has_looked);
    if (ns <= 0) return;
    pthread_mutex_lock(&lock);
    if (!__builtin_add_overflow(now_ns, ns, &ns)) now_ns = ns;
    looks = 0;
    pthread_mutex_unlock(&lock);
}

static void show(void)
{
    const struct rate rate = read_rate();
    if (!rate.frames) return;
    note(&has_shown);
    atomic_store(&drawing, (int)syscall(SYS_gettid));
    pthread_mutex_lock(&lock);
    frames++;
    const int64_t seconds = frames * rate.seconds; /* times rate.frames */
    const int64_t due = seconds / rate.frames * NS_PER_S + seconds % rate.frames * NS_PER_S / rate.frames;
    if (now_ns < due) now_ns = due;
    looks = 0;
    pthread_mutex_unlock(&lock);
}

static int64_t look(void)
{
    const bool counts = is_drawing();
    note(&has_looked);
    pthread_mutex_lock(&lock);
    if (counts && ++looks > LOOKS) now_ns += NS_PER_MS;
    const int64_t ns = now_ns;
    pthread_mutex_unlock(&lock);
    return ns;
}

/* Whether the code at an address gets the steady clock. */
static bool is_steady_for(const void *caller)
{
    static const char *const others[] = {"libGL",   "libEGL",      "libgallium", "libgbm",   "libdrm",
                                         "libX",    "libxcb",      "libwayland", "libpulse", "libasound",
                                         "libjack", "libpipewire", "libdbus",    "libc.so"};
    Dl_info place;
    if (!read_rate().frames || !dladdr(caller, &place) || !place.dli_fname) return false;
    const char *slash = strrchr(place.dli_fname, '/'), *name = slash ? slash + 1 : place.dli_fname;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0) return false;
    return !strstr(name, "_dri.so");
}

#define IS_STEADY (is_steady_for(__builtin_return_address(0)))

/* ---- the functions after these ---- */

static void *look_up(void *handle, const char *name)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17",
                                           "GLIBC_2.2.5"}; /* of dlsym, by processor and age */
    void *(*next)(void *, const char *) = NULL;
    for (size_t i = 0; !next && i < sizeof versions / sizeof *versions; i++)
        *(void **)&next = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return next ? next(handle, name) : NULL;
}

void *clock_find(const char *library, const char *name)
{
    void *found = look_up(RTLD_NEXT, name);
    if (found) return found;
    void *opened = dlopen(library, RTLD_NOW); /* the program's own, or loaded by it */
    return opened ? look_up(opened, name) : NULL;
}

/* ---- what shows a frame ---- */

CLOCK_EXPORT void glXSwapBuffers(void *display, unsigned long drawable);
CLOCK_EXPORT int64_t glXSwapBuffersMscOML(void *display, unsigned long drawable, int64_t target, int64_t divisor,
                                          int64_t remainder);
CLOCK_EXPORT unsigned eglSwapBuffers(void *display, void *surface);
CLOCK_EXPORT unsigned eglSwapBuffersWithDamageEXT(void *display, void *surface, const int *rects, int count);
CLOCK_EXPORT unsigned eglSwapBuffersWithDamageKHR(void *display, void *surface, const int *rects, int count);
CLOCK_EXPORT void *glXGetProcAddressARB(const unsigned char *name);
CLOCK_EXPORT void *glXGetProcAddress(const unsigned char *name);
CLOCK_EXPORT void *eglGetProcAddress(const char *name);

#define OF_GLX "libGL.so.1"
#define OF_EGL "libEGL.so.1"

void glXSwapBuffers(void *display, unsigned long drawable)
{
    void (*swap)(void *, unsigned long);
    *(void **)&swap = clock_find(OF_GLX, "glXSwapBuffers");
    if (clock_before_frame) clock_before_frame(display, drawable);
    if (swap) swap(display, drawable);
    if (clock_after_frame) clock_after_frame();
    show();
}

int64_t glXSwapBuffersMscOML(void *display, unsigned long drawable, int64_t target, int64_t divisor, int64_t remainder)
{
    int64_t (*swap)(void *, unsigned long, int64_t, int64_t, int64_t);
    *(void **)&swap = clock_find(OF_GLX, "glXSwapBuffersMscOML");
    const int64_t shown = swap ? swap(display, drawable, target, divisor, remainder) : -1;
    show();
    return shown;
}

unsigned eglSwapBuffers(void *display, void *surface)
{
    unsigned (*swap)(void *, void *);
    *(void **)&swap = clock_find(OF_EGL, "eglSwapBuffers");
    const unsigned shown = swap ? swap(display, surface) : 0;
    show();
    return shown;
}

static unsigned swap_damaged(const char *name, void *display, void *surface, const int *rects, int count)
{
    unsigned (*swap)(void *, void *, const int *, int);
    void *(*get)(const char *);
    *(void **)&get = clock_find(OF_EGL, "eglGetProcAddress");
    *(void **)&swap = get ? get(name) : NULL;
    const unsigned shown = swap ? swap(display, surface, rects, count) : 0;
    show();
    return shown;
}

unsigned eglSwapBuffersWithDamageEXT(void *display, void *surface, const int *rects, int count)
{
    return swap_damaged("eglSwapBuffersWithDamageEXT", display, surface, rects, count);
}

unsigned eglSwapBuffersWithDamageKHR(void *display, void *surface, const int *rects, int count)
{
    return swap_damaged("eglSwapBuffersWithDamageKHR", display, surface, rects, count);
}

/* ---- what programs look up by name ---- */

#define ROW(name)                                                                                                      \
    {                                                                                                                  \
#name, (void (*)(void))name                                                                                    \
    }

static void *own(const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } rows[] = {ROW(glXSwapBuffers),
                ROW(glXSwapBuffersMscOML),
                ROW(eglSwapBuffers),
                ROW(eglSwapBuffersWithDamageEXT),
                ROW(eglSwapBuffersWithDamageKHR),
                ROW(glXGetProcAddress),
                ROW(glXGetProcAddressARB),
                ROW(eglGetProcAddress)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name, rows[i].name) == 0) return *(void *const *)&rows[i].function;
    return NULL;
}

/* What the library does not have stays unknown: programs ask so whether an extension is there. */
static void *get_by(const char *library, const char *getter, const char *name)
{
    void *(*get)(const char *);
    *(void **)&get = clock_find(library, getter);
    void *theirs = get ? get(name) : NULL, *ours = own(name);
    return theirs && ours ? ours : theirs;
}

void *glXGetProcAddressARB(const unsigned char *name)
{
    return get_by(OF_GLX, "glXGetProcAddressARB", (const char *)name);
}

void *glXGetProcAddress(const unsigned char *name) { return get_by(OF_GLX, "glXGetProcAddress", (const char *)name); }

void *eglGetProcAddress(const char *name) { return get_by(OF_EGL, "eglGetProcAddress", name); }

CLOCK_EXPORT void *dlsym(void *restrict handle, const char *restrict name)
{
    void *theirs = look_up(handle, name), *ours = own(name);
    return theirs && ours ? ours : theirs;
}

/* ---- clocks ---- */

static bool is_of_calendar(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

static bool is_of_time(clockid_t clock)
{
    return is_of_calendar(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
           clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}

static int64_t begun_s(clockid_t clock) { return is_of_calendar(clock) ? CALENDAR_S : OTHERS_S; }

CLOCK_EXPORT int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!is_of_time(clock) || !IS_STEADY) return (int)syscall(SYS_clock_gettime, clock, now);
    const int64_t ns = look();
    *now = (struct timespec){.tv_sec = begun_s(clock) + ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
    return 0;
}

CLOCK_EXPORT int timespec_get(struct timespec *now, int base)
{
    if (base != TIME_UTC) return 0;
    if (!IS_STEADY) return syscall(SYS_clock_gettime, CLOCK_REALTIME, now) ? 0 : base;
    const int64_t ns = look();
    *now = (struct timespec){.tv_sec = CALENDAR_S + ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
    return base;
}

CLOCK_EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    if (!IS_STEADY) return (int)syscall(SYS_gettimeofday, now, zone);
    const int64_t ns = look();
    *now = (struct timeval){.tv_sec = CALENDAR_S + ns / NS_PER_S, .tv_usec = ns % NS_PER_S / NS_PER_US};
    return 0;
}

CLOCK_EXPORT time_t time(time_t *now)
{
    struct timespec real = {0};
    if (!IS_STEADY)
        syscall(SYS_clock_gettime, CLOCK_REALTIME, &real);
    else
        real.tv_sec = CALENDAR_S + look() / NS_PER_S;
    if (now) *now = real.tv_sec;
    return real.tv_sec;
}

/* ---- sleeps ---- */

static bool in_range(const struct timespec *length)
{
    return length->tv_sec >= 0 && length->tv_sec < INT64_MAX / NS_PER_S - 1 && length->tv_nsec >= 0 &&
           length->tv_nsec < NS_PER_S;
}

static int64_t ns_of(const struct timespec *length) { return length->tv_sec * NS_PER_S + length->tv_nsec; }

CLOCK_EXPORT int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    if (!IS_STEADY || !is_drawing() || !in_range(wanted)) return (int)syscall(SYS_nanosleep, wanted, left);
    pass(ns_of(wanted));
    return 0;
}

CLOCK_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
    int (*next)(clockid_t, int, const struct timespec *, struct timespec *);
    const bool until = flags & TIMER_ABSTIME;
    struct timespec rest = *wanted;
    if (IS_STEADY && is_of_time(clock) && in_range(wanted)) {
        if (is_drawing() || until) {
            int64_t ns = ns_of(wanted);
            if (until) ns -= begun_s(clock) * NS_PER_S + look();
            if (is_drawing()) return pass(ns), 0;
            if (ns <= 0) return 0;
            rest = (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
            flags &= ~TIMER_ABSTIME;
        }
    }
    *(void **)&next = clock_find("libc.so.6", "clock_nanosleep");
    return next(clock, flags, &rest, left);
}

CLOCK_EXPORT int usleep(useconds_t us)
{
    const struct timespec wanted = {.tv_sec = us / 1000000, .tv_nsec = (long)(us % 1000000) * NS_PER_US};
    if (!IS_STEADY || !is_drawing()) return (int)syscall(SYS_nanosleep, &wanted, NULL);
    pass(ns_of(&wanted));
    return 0;
}

CLOCK_EXPORT unsigned sleep(unsigned seconds)
{
    struct timespec wanted = {.tv_sec = seconds};
    if (IS_STEADY && is_drawing()) return pass(seconds * NS_PER_S), 0;
    return syscall(SYS_nanosleep, &wanted, &wanted) ? (unsigned)wanted.tv_sec : 0;
}

/* ---- waits ---- */

/* A wait of the drawing thread that ended by its time-out lasted as long. */
static int waited(int events, bool counts, int64_t ns)
{
    if (events == 0 && counts && is_drawing()) pass(ns);
    return events;
}

CLOCK_EXPORT int poll(struct pollfd *files, nfds_t count, int ms)
{
    int (*next)(struct pollfd *, nfds_t, int);
    *(void **)&next = clock_find("libc.so.6", "poll");
    return waited(next(files, count, ms), IS_STEADY, ms * (int64_t)NS_PER_MS);
}

CLOCK_EXPORT int ppoll(struct pollfd *files, nfds_t count, const struct timespec *most, const sigset_t *mask)
{
    int (*next)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
    *(void **)&next = clock_find("libc.so.6", "ppoll");
    return waited(next(files, count, most, mask), most && in_range(most) && IS_STEADY, most ? ns_of(most) : 0);
}

CLOCK_EXPORT int select(int count, fd_set *in, fd_set *out, fd_set *errors, struct timeval *most)
{
    int (*next)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
    const struct timespec asked =
        most ? (struct timespec){most->tv_sec, most->tv_usec * NS_PER_US} : (struct timespec){-1, 0};
    *(void **)&next = clock_find("libc.so.6", "select");
    return waited(next(count, in, out, errors, most), in_range(&asked) && IS_STEADY, ns_of(&asked));
}

CLOCK_EXPORT int epoll_wait(int set, struct epoll_event *events, int most, int ms)
{
    int (*next)(int, struct epoll_event *, int, int);
    *(void **)&next = clock_find("libc.so.6", "epoll_wait");
    return waited(next(set, events, most, ms), IS_STEADY, ms * (int64_t)NS_PER_MS);
}
