/* Options, memory and reports of the picture files. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/allocator.h"
#include "base/sized.h"
#include "files/codec.h"

enum { MAX_SIZE = 16384 };
#define MAX_BYTES ((size_t)1 << 30)

/* ---- calls ---- */

enum sch_result sch_files_wrong(struct sch_file_error *error, const char *argument, const char *format, ...)
{
    struct sch_file_error made = {.code = SCH_D_CALL_ARGUMENT};
    va_list arguments;
    if (!error) return SCH_ERROR_ARGUMENT;
    snprintf(made.argument, sizeof made.argument, "%s", argument);
    const int bytes = snprintf(made.message, sizeof made.message, "%s: ", argument);
    va_start(arguments, format);
    vsnprintf(made.message + bytes, sizeof made.message - (size_t)bytes, format, arguments);
    va_end(arguments);
    sch_sized_write(error, &made, sizeof made);
    return SCH_ERROR_ARGUMENT;
}

bool sch_files_given(struct sch_file_error *error, const char *argument, const void *pointer)
{
    if (!pointer) sch_files_wrong(error, argument, "it is NULL");
    return pointer != NULL;
}

static bool refuse_size(struct sch_file_error *error, const char *argument, const void *given, size_t first_bytes)
{
    char name[sizeof error->argument];
    size_t size;
    memcpy(&size, given, sizeof size);
    snprintf(name, sizeof name, "%s.size", argument);
    if (sch_sized_fits(size, first_bytes))
        sch_files_wrong(error, name, "%zu bytes, with members that are set and that this version does not have", size);
    else
        sch_files_wrong(error, name, "%zu bytes: the struct has at least %zu", size, first_bytes);
    return false;
}

bool sch_files_fits(struct sch_file_error *error, const char *argument, const void *given, size_t first_bytes)
{
    size_t size;
    if (!sch_files_given(error, argument, given)) return false;
    memcpy(&size, given, sizeof size);
    return sch_sized_fits(size, first_bytes) || refuse_size(error, argument, given, first_bytes);
}

bool sch_files_take(struct sch_file_error *error, const char *argument, void *known, size_t known_bytes,
                    const void *given)
{
    return sch_files_given(error, argument, given) &&
           (sch_sized_read(known, known_bytes, known_bytes, given) || refuse_size(error, argument, given, known_bytes));
}

bool sch_files_options(const struct sch_file_options *options, const char *name, struct sch_file_options *complete,
                       struct sch_file_error *error)
{
    char member[sizeof error->argument];
    *complete = (struct sch_file_options){.size = sizeof *complete};
    if (options && !sch_files_take(error, name, complete, sizeof *complete, options)) return false;
    if (!complete->memory) complete->memory = &sch_allocator_libc;
    if (!complete->memory->alloc || !complete->memory->free) {
        snprintf(member, sizeof member, "%s.memory", name);
        sch_files_wrong(error, member, "a function of it is NULL");
        return false;
    }
    if (!complete->max_width) complete->max_width = MAX_SIZE;
    if (!complete->max_height) complete->max_height = MAX_SIZE;
    if (!complete->max_bytes) complete->max_bytes = MAX_BYTES;
    return true;
}

/* ---- reports ---- */

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

void sch_files_warn(const struct sch_files_reader *reader, unsigned code, const char *format, ...)
{
    char message[sizeof reader->error->message];
    va_list arguments;
    if (!reader->warn) return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reader->warn(reader->warn_user, code, message);
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
