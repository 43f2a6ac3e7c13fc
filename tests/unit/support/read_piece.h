/* What the compilers of tests give instead of compiled code: a file that the build made. It is read when the compiler
 * is loaded, since the process that compiles can open no file afterwards. */
#ifndef TESTS_READ_PIECE_H
#define TESTS_READ_PIECE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/compiler.h"

/* Of no bytes if it cannot be read. */
static inline struct sch_native_object read_piece(const char *name)
{
    struct sch_native_object piece = {0};
    FILE *file = fopen(name, "rb");
    if (!file) return piece;
    fseek(file, 0, SEEK_END);
    piece.size = (size_t)ftell(file);
    rewind(file);
    piece.bytes = malloc(piece.size);
    if (!piece.bytes || fread(piece.bytes, 1, piece.size, file) != piece.size) piece.size = 0;
    fclose(file);
    return piece;
}

static inline enum sch_result give_piece(struct sch_native_object *object, const struct sch_native_object *piece)
{
    if (!piece->size) return SCH_ERROR_INTERNAL;
    object->bytes = malloc(piece->size);
    if (!object->bytes) return SCH_ERROR_MEMORY;
    object->size = piece->size;
    memcpy(object->bytes, piece->bytes, piece->size);
    return SCH_OK;
}

#endif
