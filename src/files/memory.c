/* Options, memory and reports of the picture files. */
#include <stdarg.h>
#include <stdio.h>

#include "base/allocator.h"
#include "base/sized.h"
#include "files/files.h"

enum { MAX_SIZE = 16384 };
#define MAX_BYTES ((size_t)1 << 30)

bool sch_files_options(const struct sch_file_options *options, struct sch_file_options *complete)
{
    if (!sch_sized_read(complete, sizeof *complete, sizeof *complete, options)) return false;
    if (!complete->memory) complete->memory = &sch_allocator_libc;
    if (!complete->memory->alloc || !complete->memory->free) return false;
    if (!complete->max_width) complete->max_width = MAX_SIZE;
    if (!complete->max_height) complete->max_height = MAX_SIZE;
    if (!complete->max_bytes) complete->max_bytes = MAX_BYTES;
    return true;
}

static void report(struct sch_file_error *error, unsigned code, const char *format, va_list arguments)
{
    if (!error) return;
    error->code = code;
    vsnprintf(error->message, sizeof error->message, format, arguments);
}

void sch_files_report(struct sch_file_error *error, unsigned code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(error, code, format, arguments);
    va_end(arguments);
}

enum sch_result sch_files_damaged(struct sch_file_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(error, SCH_D_PICTURE_DAMAGED, format, arguments);
    va_end(arguments);
    return SCH_ERROR_INVALID;
}

enum sch_result sch_files_unsupported(struct sch_file_error *error, unsigned code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(error, code, format, arguments);
    va_end(arguments);
    return SCH_ERROR_UNSUPPORTED;
}

bool sch_files_begin(struct sch_file_error *error)
{
    static const struct sch_file_error nothing = {0};
    if (!error) return true;
    if (!sch_sized_fits(error->size, sizeof *error)) return false;
    sch_sized_write(error, &nothing, sizeof nothing);
    return true;
}

void sch_picture_release(struct sch_picture *picture)
{
    static const struct sch_picture empty = {0};
    if (!picture || !sch_sized_fits(picture->size, sizeof *picture)) return;
    if (picture->texels) picture->memory.free(picture->memory.user, picture->texels);
    sch_sized_write(picture, &empty, sizeof empty);
}

void sch_file_bytes_release(struct sch_file_bytes *file)
{
    if (!file) return;
    if (file->data) file->memory.free(file->memory.user, file->data);
    *file = (struct sch_file_bytes){0};
}
