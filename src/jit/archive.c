/* Finding in the embedded archives. See jit/archive.h. */
#include "jit/archive.h"

#include <stdlib.h>
#include <string.h>

/* jit/archives.S */
#define LEVEL(level, needs) extern const struct jit_archive_header jit_archive_##level;
#include "isa/levels.def"
#undef LEVEL

const struct jit_archive_header *jit_archive_find(const char *name)
{
    static const struct {
        const char *name;
        const struct jit_archive_header *archive;
    } archives[] = {
#define LEVEL(level, needs) {#level, &jit_archive_##level},
#include "isa/levels.def"
#undef LEVEL
    };
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++)
        if (strcmp(archives[i].name, name) == 0) return archives[i].archive;
    return NULL;
}

static int compare(const void *name, const void *entry)
{
    return strcmp(name, ((const struct jit_archive_entry *)entry)->name);
}

const struct jit_archive_entry *jit_archive_entry(const struct jit_archive_header *archive, const char *name)
{
    return bsearch(name, archive + 1, archive->count, sizeof(struct jit_archive_entry), compare);
}
