/* See common.h. */
#include "mpi/common.h"
#include "support/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sch_mpi_exit sch_mpi_fail(enum sch_mpi_exit code, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* Text from outside must not move the cursor of a terminal. */
    for (char *at = message; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f) *at = '?';
    fprintf(stderr, "scheelite-mpi: %s\n", message);
    return code;
}

/* -1: scheelite has no such code. */
static int weight(int code)
{
    static const int order[] = {SCH_MPI_YES, SCH_MPI_NO,    SCH_MPI_UNSUPPORTED, SCH_MPI_LIMIT,
                                SCH_MPI_IO,  SCH_MPI_USAGE, SCH_MPI_INTERNAL};
    for (int rank = 0; rank < (int)(sizeof order / sizeof *order); rank++)
        if (order[rank] == code) return rank;
    return -1;
}

enum sch_mpi_exit sch_mpi_worse(enum sch_mpi_exit a, int b)
{
    if (weight(b) < 0) b = SCH_MPI_NO;
    return weight(b) > weight(a) ? (enum sch_mpi_exit)b : a;
}

/* ---- bytes ---- */

void sch_mpi_put(struct sch_mpi_bytes *bytes, const void *data, size_t size)
{
    if (bytes->failed || !size) return;
    if (size > bytes->capacity - bytes->size) {
        size_t capacity = bytes->capacity + bytes->capacity / 2 + 64;
        if (size > SIZE_MAX / 4 - bytes->size) bytes->failed = true;
        if (capacity < bytes->size + size) capacity = bytes->size + size;
        char *moved = bytes->failed ? NULL : realloc(bytes->data, capacity);
        bytes->failed = !moved;
        if (!moved) return;
        bytes->data = moved;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void sch_mpi_put_number(struct sch_mpi_bytes *bytes, uint64_t number) { sch_mpi_put(bytes, &number, sizeof number); }

void sch_mpi_put_text(struct sch_mpi_bytes *bytes, const char *text) { sch_mpi_put(bytes, text, strlen(text) + 1); }

void sch_mpi_bytes_release(struct sch_mpi_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct sch_mpi_bytes){0};
}

const char *sch_mpi_take(struct sch_mpi_reader *reader, size_t size)
{
    const char *at = reader->at;
    if (reader->failed || size > (size_t)(reader->end - reader->at)) {
        reader->failed = true;
        return NULL;
    }
    reader->at += size;
    return at;
}

uint64_t sch_mpi_take_number(struct sch_mpi_reader *reader)
{
    uint64_t number = 0;
    const char *at = sch_mpi_take(reader, sizeof number);
    if (at) memcpy(&number, at, sizeof number);
    return number;
}

const char *sch_mpi_take_text(struct sch_mpi_reader *reader)
{
    const char *zero = reader->failed ? NULL : memchr(reader->at, 0, (size_t)(reader->end - reader->at));
    reader->failed = !zero;
    return zero ? sch_mpi_take(reader, (size_t)(zero + 1 - reader->at)) : "";
}

/* ---- texts and files ---- */

bool sch_mpi_number(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
    return sch_text_digits(text, strlen(text), 10, number) && *number >= low && *number <= high;
}

enum sch_mpi_exit sch_mpi_read_file(const char *path, size_t limit, struct sch_mpi_bytes *bytes)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    *bytes = (struct sch_mpi_bytes){0};
    if (!file) return sch_mpi_fail(SCH_MPI_IO, "cannot read %s: %s", path, strerror(errno));
    bytes->data = sch_text_read(file, limit, &bytes->size);
    const int problem = errno;
    bytes->capacity = bytes->size;
    if (!standard) fclose(file);
    if (bytes->data) return SCH_MPI_YES;
    if (problem == EFBIG) return sch_mpi_fail(SCH_MPI_LIMIT, "%s has more than %zu bytes", path, limit);
    if (problem == ENOMEM) return sch_mpi_fail(SCH_MPI_LIMIT, "out of memory");
    return sch_mpi_fail(SCH_MPI_IO, "cannot read %s: %s", path, strerror(problem));
}
