/* Paths that do not depend on the folder that the host is in. Holds no looking for files (native/paths.c). */
#ifndef SCH_PROTOCOL_PATH_H
#define SCH_PROTOCOL_PATH_H

#include "base/allocator.h"

/* A zero-terminated copy; NULL for NULL. `*made` is false when memory is out. */
char *sch_native_copy(const struct sch_allocator *allocator, const char *text, bool *made);

/* A copy of a path that does not depend on the folder that the host is in; NULL for NULL. `*made` is false when memory
 * is out. */
char *sch_native_absolute(const struct sch_allocator *allocator, const char *path, bool *made);

#endif
