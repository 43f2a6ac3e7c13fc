/* Paths as they are when a context is made: absolute, so that a host that changes its folder later changes nothing, and
 * found by where this library is mapped, never by how the host was called. Holds no loading (native/compiler.c). */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "native/internal.h"

enum { PATH_BYTES = 4096, MAP_BYTES = 2 * PATH_BYTES };

/* Any of this library's addresses says where it stands. */
static const char here;

char *sch_native_absolute(const struct sch_allocator *allocator, const char *path, bool *made)
{
    char folder[PATH_BYTES];
    /* A path without a name is none, and stays so; of a folder that has none, nothing can be found. */
    if (!path || !*path || *path == '/' || !getcwd(folder, sizeof folder))
        return sch_native_copy(allocator, path, made);
    size_t length = strlen(folder), bytes = strlen(path) + 1;
    char *whole = allocator->alloc(allocator->user, length + 1 + bytes);
    if (!whole) {
        *made = false;
        return NULL;
    }
    memcpy(whole, folder, length);
    whole[length] = '/';
    memcpy(whole + length + 1, path, bytes);
    return whole;
}

/* A line of proc(5), "/proc/pid/maps": "08048000-08056000 r-xp 00000000 03:0c 64593 /usr/sbin/gpm". Whether it is the
 * mapping with `address`, and the absolute path in it. */
static bool has_address(const char *line, uintptr_t address, const char **path)
{
    unsigned long begin, end;
    if (sscanf(line, "%lx-%lx", &begin, &end) != 2 || address < begin || address >= end) return false;
    *path = strchr(line, '/');
    return true;
}

/* Looks at the whole lines of `text`; answers how many bytes they have. SIZE_MAX: the line was there. */
static size_t search_lines(char *text, char folder[PATH_BYTES])
{
    size_t done = 0;
    for (char *end; (end = strchr(text + done, '\n')); done = (size_t)(end - text) + 1) {
        const char *path;
        *end = 0;
        if (!has_address(text + done, (uintptr_t)&here, &path)) continue;
        const char *slash = path ? strrchr(path, '/') : NULL;
        if (slash && slash - path < PATH_BYTES) {
            memcpy(folder, path, (size_t)(slash - path));
            folder[slash - path] = 0;
        }
        return SIZE_MAX;
    }
    return done;
}

/* The folder of the file that this library, or the program that it is part of, is mapped from; empty: not known. What
 * dladdr() says of a program is the name that it was called by, and of a library the path that it was opened by. */
static void find_own_folder(char folder[PATH_BYTES])
{
    folder[0] = 0;
    char text[MAP_BYTES];
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t kept = 0;
    for (ssize_t got; file >= 0 && (got = read(file, text + kept, MAP_BYTES - 1 - kept)) > 0;) {
        kept += (size_t)got;
        text[kept] = 0;
        size_t done = search_lines(text, folder);
        if (done == SIZE_MAX || (!done && kept == MAP_BYTES - 1)) break;
        memmove(text, text + done, kept -= done);
    }
    if (file >= 0) close(file);
}

static const struct {
    const char *name, *installed;
} parts[] = {[SCH_NATIVE_COMPILER] = {"libscheelite-jit.so.0", sch_native_libraries},
             [SCH_NATIVE_PROCESS] = {"scheelite-jit", sch_native_programs}};

char *sch_native_find(const struct sch_allocator *allocator, enum sch_native_part part, bool *made)
{
    char folder[PATH_BYTES], path[PATH_BYTES + 64];
    static const char *const below[] = {"", "jit/"}; /* where it is installed; where it is built */
    find_own_folder(folder);
    for (size_t i = 0; i < sizeof below / sizeof *below && folder[0]; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, below[i], parts[part].name);
        if (access(path, F_OK) == 0) return sch_native_copy(allocator, path, made);
    }
    snprintf(path, sizeof path, "%s/%s", parts[part].installed, parts[part].name);
    return sch_native_copy(allocator, path, made);
}

char *sch_native_find_process(const struct sch_allocator *allocator, const char *compiler, bool *made)
{
    char path[PATH_BYTES + 64];
    const char *slash = compiler ? strrchr(compiler, '/') : NULL;
    if (slash && slash - compiler < PATH_BYTES) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - compiler), compiler, parts[SCH_NATIVE_PROCESS].name);
        if (access(path, X_OK) == 0) return sch_native_copy(allocator, path, made);
    }
    return sch_native_find(allocator, SCH_NATIVE_PROCESS, made);
}
