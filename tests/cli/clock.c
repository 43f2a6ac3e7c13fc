/* What tests of ./dev bench load in front of its program (LD_PRELOAD): each look of the program at a clock finds it one
 * step later, by the nanoseconds that SCH_STEP says, so that what is measured is known; with SCH_UNEVEN the step before
 * look n is 1 + n * n % 97 times that. The library sees the clock as it is. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool is_program(const void *caller)
{
    Dl_info place;
    const char *slash = dladdr(caller, &place) && place.dli_fname ? strrchr(place.dli_fname, '/') : NULL;
    return slash && strcmp(slash, "/timings") == 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static long long looks, now; /* of one thread */
    const char *step = getenv("SCH_STEP");
    if (!step || !is_program(__builtin_return_address(0))) return (int)syscall(SYS_clock_gettime, clock, time);
    looks++;
    now += atoll(step) * (getenv("SCH_UNEVEN") ? 1 + looks * looks % 97 : 1);
    *time = (struct timespec){.tv_sec = (time_t)(now / 1000000000), .tv_nsec = (long)(now % 1000000000)};
    return 0;
}
