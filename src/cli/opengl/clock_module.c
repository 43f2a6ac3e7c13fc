/* The steady clock as the command knows it. See clock_module.h. */
#include "clock_module.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../clock/clock.h"
#include "common/common.h"

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
            !strpbrk(clock->module, " :")) {
            clock->seen = memfd_create("scheelite-clock", 0); /* the program has it, too */
            if (clock->seen >= 0 && ftruncate(clock->seen, CLOCK_SEEN_BYTES) != 0) clock->seen = -1;
            return true;
        }
    }
    snprintf(
        problem, 256,
        "--clock: libscheelite-clock.so is not beside the command (or its path has blanks or colons, which LD_PRELOAD "
        "cannot name)");
    return false;
}

/* ---- programs without it ---- */

/* The file that execvp runs; false: there is none. */
static bool find_program(const char *name, char path[4096])
{
    const char *folders = strchr(name, '/') ? "" : getenv("PATH");
    for (const char *at = folders ? folders : "/bin:/usr/bin";; at++) {
        const size_t bytes = strcspn(at, ":");
        const int length =
            bytes ? snprintf(path, 4096, "%.*s/%s", (int)bytes, at, name) : snprintf(path, 4096, "%s", name);
        if (length > 0 && length < 4096 && access(path, X_OK) == 0) return true;
        at += bytes;
        if (!*at) return false;
    }
}

/* Whether it is a program of this machine's kind that has no loader to load libraries. */
static bool has_no_loader(FILE *file)
{
#if __SIZEOF_POINTER__ == 8
    enum { OWN_CLASS = ELFCLASS64 };
    Elf64_Ehdr header;
    Elf64_Phdr part;
#else
    enum { OWN_CLASS = ELFCLASS32 };
    Elf32_Ehdr header;
    Elf32_Phdr part;
#endif
    if (fread(&header, sizeof header, 1, file) != 1 || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
    if (header.e_ident[EI_CLASS] != OWN_CLASS || header.e_phentsize != sizeof part) return false;
    if (fseek(file, (long)header.e_phoff, SEEK_SET) != 0) return false;
    for (unsigned n = 0; n < header.e_phnum; n++) {
        if (fread(&part, sizeof part, 1, file) != 1) return false;
        if (part.p_type == PT_INTERP) return false;
    }
    return header.e_phnum > 0;
}

void sch_cli_clock_warn(const struct sch_cli_clock *clock, const char *program)
{
    char path[4096];
    struct stat info;
    if (!clock->rate || !find_program(program, path)) return;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return; /* to open a pipe would wait for its other end */
    FILE *file = fopen(path, "rbe");
    if (file && has_no_loader(file))
        sch_cli_warn(program, "CLOCK_UNSEEN", "it is linked statically, so it does not see the clocks of --clock");
    else if (((info.st_mode & S_ISUID) && info.st_uid != geteuid()) ||
             ((info.st_mode & S_ISGID) && info.st_gid != getegid()))
        sch_cli_warn(program, "CLOCK_UNSEEN",
                     "it runs with the rights of its owner or group, so it does not see the clocks of --clock");
    if (file) fclose(file);
}

void sch_cli_clock_report(const struct sch_cli_clock *clock, const char *program, uint64_t frames)
{
    char seen[CLOCK_SEEN_BYTES];
    if (!clock->rate || !frames || clock->seen < 0 || pread(clock->seen, seen, sizeof seen, 0) != sizeof seen) return;
    if (!seen[CLOCK_SEEN_FRAME])
        sch_cli_warn(program, "CLOCK_UNSEEN",
                     "the server has %" PRIu64 " frame%s of it, but the clocks of --clock have seen none", frames,
                     frames == 1 ? "" : "s");
    else if (!seen[CLOCK_SEEN_LOOK])
        sch_cli_warn(program, "CLOCK_UNSEEN",
                     "it has shown frames, but never asked the C library for the time: if it draws by the clock, it "
                     "is by another one than that of --clock");
}

void sch_cli_clock_enter(const struct sch_cli_clock *clock)
{
    const char *others = getenv("LD_PRELOAD");
    char *all = NULL;
    if (!clock->rate) return;
    if (others && *others && asprintf(&all, "%s:%s", clock->module, others) < 0) _exit(SCH_CLI_LIMIT);
    setenv("LD_PRELOAD", all ? all : clock->module, 1);
    setenv("SCH_CLOCK_FPS", clock->rate, 1);
    char seen[16];
    snprintf(seen, sizeof seen, "%d", clock->seen);
    if (clock->seen >= 0) setenv("SCH_CLOCK_SEEN", seen, 1);
    free(all);
}
