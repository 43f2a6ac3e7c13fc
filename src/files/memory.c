/* Options, memory and reports of the picture files. */
#include <stdarg.h>
#include <stdio.h>

#include "base/allocator.h"
#include "files/files.h"

enum { MAX_SIZE = 16384 };
#define MAX_BYTES ((size_t)1 << 30)

bool sch_files_options(const struct sch_file_options *options, struct sch_files_limits *limits)
{
    const struct sch_allocator *libc = &sch_allocator_libc;
    *limits = (struct sch_files_limits){.memory = {libc->alloc, libc->free, libc->user},
                                        .max_width = MAX_SIZE,
                                        .max_height = MAX_SIZE,
                                        .max_bytes = MAX_BYTES};
    if (!options) return true;
    if (options->size < sizeof *options) return false;
    if (options->memory) {
        if (!options->memory->alloc || !options->memory->free) return false;
        limits->memory = *options->memory;
    }
    if (options->max_width) limits->max_width = options->max_width;
    if (options->max_height) limits->max_height = options->max_height;
    if (options->max_bytes) limits->max_bytes = options->max_bytes;
    return true;
}

void sch_files_report(struct sch_file_error *error, unsigned code, const char *format, ...)
{
    if (!error) return;
    error->code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
}

void sch_picture_release(struct sch_picture *picture)
{
    if (!picture) return;
    if (picture->texels) picture->memory.free(picture->memory.user, picture->texels);
    *picture = (struct sch_picture){0};
}

void sch_file_bytes_release(struct sch_file_bytes *file)
{
    if (!file) return;
    if (file->data) file->memory.free(file->memory.user, file->data);
    *file = (struct sch_file_bytes){0};
}
