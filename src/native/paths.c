/* Paths as they are when a context is made: absolute, so that a host that changes its folder later changes nothing, and
 * found by where this library is mapped, never by how the host was called. Holds no loading (protocol/compiler.c). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "native/internal.h"

enum { PATH_BYTES = 4096, LINE_BYTES = PATH_BYTES + 128 };

/* Any of this library's addresses says where it is. */
static const char here;

/* A line of proc(5), "/proc/pid/maps": "08048000-08056000 r-xp 00000000 03:0c 64593 /usr/sbin/gpm"; lines are in the
 * order of addresses. Whether it is the mapping with this library; its absolute path goes to `folder` without the
 * name. */
static bool take_folder(const char *line, char folder[PATH_BYTES])
{
    unsigned long end = 0;
    sscanf(line, "%*x-%lx", &end);
    if ((uintptr_t)&here >= end) return false;
    const char *path = strchr(line, '/');
    if (path) snprintf(folder, PATH_BYTES, "%.*s", (int)(strrchr(path, '/') - path), path);
    return true;
}

/* The folder of the file that this library, or the program that it is part of, is mapped from; empty: not known. What
 * dladdr() says of a program is the name that it was called by, and of a library the path that it was opened by. */
static void find_own_folder(char folder[PATH_BYTES])
{
    char line[LINE_BYTES];
    FILE *maps = fopen("/proc/self/maps", "re");
    folder[0] = 0;
    if (!maps) return;
    while (fgets(line, sizeof line, maps) && !take_folder(line, folder)) {
    }
    fclose(maps);
}

static const struct {
    const char *name, *installed; /* below the prefix */
} parts[] = {[SCH_NATIVE_COMPILER] = {"libscheelite-jit.so.1", sch_native_libraries},
             [SCH_NATIVE_PROCESS] = {"scheelite-jit", sch_native_programs}};

/* The prefix that all was moved to: what is in front of the folder's end, if that is as it was installed. Another end
 * says nothing of what is above, where anybody may write. */
static size_t prefix_length(const char *folder, const char *end)
{
    const size_t whole = strlen(folder), below = strlen(end);
    if (whole <= below || folder[whole - below - 1] != '/' || strcmp(folder + whole - below, end) != 0) return 0;
    return whole - below - 1;
}

char *sch_native_find(const struct sch_allocator *allocator, enum sch_native_part part, bool *made)
{
    char folder[PATH_BYTES], path[2 * PATH_BYTES];
    const char *const name = parts[part].name, *const installed = parts[part].installed;
    static const char *const below[] = {"", "jit/"}; /* beside this library; where it is built */
    const char *const ends[] = {sch_native_libdir,
                                sch_native_bindir}; /* of this library; of a program with it inside */
    find_own_folder(folder);
    for (size_t i = 0; i < sizeof below / sizeof *below && folder[0]; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, below[i], name);
        if (access(path, F_OK) == 0) return sch_native_copy(allocator, path, made);
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t prefix = prefix_length(folder, ends[i]);
        snprintf(path, sizeof path, "%.*s/%s/%s", (int)prefix, folder, installed, name);
        if (prefix && access(path, F_OK) == 0) return sch_native_copy(allocator, path, made);
    }
    snprintf(path, sizeof path, "%s/%s/%s", sch_native_prefix, installed, name);
    return sch_native_copy(allocator, path, made);
}

char *sch_native_find_process(const struct sch_allocator *allocator, const char *compiler, bool *made)
{
    char path[PATH_BYTES + 64];
    const char *slash = compiler ? strrchr(compiler, '/') : NULL;
    if (slash) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - compiler), compiler, parts[SCH_NATIVE_PROCESS].name);
        if (access(path, X_OK) == 0) return sch_native_copy(allocator, path, made);
    }
    return sch_native_find(allocator, SCH_NATIVE_PROCESS, made);
}
