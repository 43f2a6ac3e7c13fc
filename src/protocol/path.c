/* See protocol/path.h. */
#include "protocol/path.h"

#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

char *sch_native_copy(const struct sch_allocator *allocator, const char *text, bool *made)
{
    if (!text) return NULL;
    size_t bytes = strlen(text) + 1;
    char *copy = allocator->alloc(allocator->user, bytes);
    if (!copy) {
        *made = false;
        return NULL;
    }
    return memcpy(copy, text, bytes);
}

char *sch_native_absolute(const struct sch_allocator *allocator, const char *path, bool *made)
{
    char folder[PATH_BYTES];
    /* A path without a name stays so; nothing can be found of a folder without one. */
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
