/* What the compilers of tests give instead of compiled code: a file that the build made. */
#ifndef TESTS_READ_PIECE_H
#define TESTS_READ_PIECE_H

#include <stdio.h>
#include <stdlib.h>

#include "protocol/compiler.h"

static inline enum sch_result read_piece(struct sch_native_object *object, const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file) return SCH_ERROR_INTERNAL;
    fseek(file, 0, SEEK_END);
    object->size = (size_t)ftell(file);
    rewind(file);
    object->bytes = malloc(object->size);
    size_t got = object->bytes ? fread(object->bytes, 1, object->size, file) : 0;
    fclose(file);
    return got == object->size ? SCH_OK : SCH_ERROR_MEMORY;
}

#endif
