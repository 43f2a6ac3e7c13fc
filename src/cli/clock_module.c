/* The steady clock as the command knows it. See clock_module.h. */
#include "clock_module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../clock/clock.h"
#include "common.h"

static bool is_number(const char *from, const char *to)
{
    char text[16];
    uint64_t number;
    if ((size_t)(to - from) >= sizeof text) return false;
    memcpy(text, from, (size_t)(to - from));
    text[to - from] = 0;
    return sch_cli_number(text, 1, CLOCK_MOST, &number);
}

enum sch_cli_exit sch_cli_clock_option(const struct sch_cli_verb *verb, struct sch_cli_clock *clock, const char *value)
{
    const char *end = value + strlen(value), *slash = strchr(value, '/');
    if (!is_number(value, slash ? slash : end) || (slash && !is_number(slash + 1, end)))
        return sch_cli_usage_error(verb,
                                   "--clock is frames in a second, 1 to %d or two such numbers as 30000/1001, not %s",
                                   CLOCK_MOST, value);
    clock->rate = value;
    return SCH_CLI_YES;
}

bool sch_cli_clock_find(struct sch_cli_clock *clock, char problem[256])
{
    /* Where it was built, and where it was installed, from the command's folder. */
    static const char *const folders[] = {"/../clock", SCH_LIBRARIES};
    char own[2048];
    const ssize_t bytes = readlink("/proc/self/exe", own, sizeof own - 1);
    own[bytes > 0 ? bytes : 0] = 0;
    char *slash = strrchr(own, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; slash && i < sizeof folders / sizeof *folders; i++) {
        const int length = snprintf(clock->module, sizeof clock->module, "%s%s/libscheelite-clock.so", own, folders[i]);
        if (length > 0 && (size_t)length < sizeof clock->module && access(clock->module, R_OK) == 0 &&
            !strpbrk(clock->module, " :"))
            return true;
    }
    snprintf(
        problem, 256,
        "--clock: libscheelite-clock.so is not beside the command (or its path has blanks or colons, which LD_PRELOAD "
        "cannot name)");
    return false;
}

void sch_cli_clock_enter(const struct sch_cli_clock *clock)
{
    const char *others = getenv("LD_PRELOAD");
    char *all = NULL;
    if (!clock->rate) return;
    if (others && *others && asprintf(&all, "%s:%s", clock->module, others) < 0) _exit(SCH_CLI_LIMIT);
    setenv("LD_PRELOAD", all ? all : clock->module, 1);
    setenv("SCH_CLOCK_FPS", clock->rate, 1);
    free(all);
}
