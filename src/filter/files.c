/* See filter.h. The kernel's header may be older than the kernel: numbers of later versions are given here, as
 * the kernel's documentation has them (userspace-api/landlock.rst). */
#include "filter/filter.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

enum { ASK_VERSION = 1, PATH_BENEATH = 1 };

/* Rights to files, by the bits of the kernel. */
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_FILE = 1 << 5,
    MAKE_REG = 1 << 8,
    MAKE_SYM = 1 << 12,  /* the last one of version 1 */
    REFER = 1 << 13,     /* version 2: links and renames to other folders */
    TRUNCATE = 1 << 14,  /* version 3 */
    IOCTL_DEV = 1 << 15, /* version 5 */
    ALL_1 = 2 * MAKE_SYM - 1,
    READING = READ_FILE | READ_DIR,
    WRITING = READING | WRITE_FILE | REMOVE_FILE | MAKE_REG
};

/* Version 4 closes TCP off (bind, connect), version 6 abstract sockets and signals. */
enum { TCP = 3, SCOPES = 3, NET_VERSION = 4, SCOPE_VERSION = 6 };

struct ruleset {
    uint64_t files, net, scoped;
};

/* What the kernel calls packed. */
struct beneath {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

static struct ruleset all_of(unsigned version)
{
    static const uint64_t since[][2] = {{2, REFER}, {3, TRUNCATE}, {5, IOCTL_DEV}};
    struct ruleset rules = {.files = ALL_1};
    for (size_t i = 0; i < sizeof since / sizeof *since; i++)
        if (version >= since[i][0]) rules.files |= since[i][1];
    if (version >= NET_VERSION) rules.net = TCP;
    if (version >= SCOPE_VERSION) rules.scoped = SCOPES;
    return rules;
}

static bool open_up(int rules, const struct sch_filter_folder *folder)
{
    const int opened = folder->path ? open(folder->path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (opened < 0) return true; /* nothing is there */
    const struct beneath beneath = {folder->written ? WRITING : READING, opened};
    const bool good = syscall(SYS_landlock_add_rule, rules, PATH_BENEATH, &beneath, 0) == 0;
    close(opened);
    return good;
}

unsigned sch_filter_landlock(void)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
    return version < 1 ? 0 : (unsigned)version;
}

enum sch_filter_files sch_filter_files(const struct sch_filter_folder *folders, size_t count)
{
    const unsigned version = sch_filter_landlock();
    if (!version) return SCH_FILTER_FILES_OPEN;
    const struct ruleset all = all_of(version);
    const size_t size = version >= SCOPE_VERSION ? sizeof all
                        : version >= NET_VERSION ? 16
                                                 : 8; /* older ones want less */
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    if (rules < 0) return SCH_FILTER_FILES_REFUSED;
    bool good = true;
    for (size_t i = 0; i < count; i++) good = good && open_up(rules, &folders[i]);
    good = good && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return good ? SCH_FILTER_FILES_CLOSED : SCH_FILTER_FILES_REFUSED;
}
