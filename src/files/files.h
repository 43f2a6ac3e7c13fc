/* What the readers and writers of picture files share: memory, reports. Holds no file format. */
#ifndef SCH_FILES_FILES_H
#define SCH_FILES_FILES_H

#include <scheelite/files.h>

#include "isa/errors.h"

/* The caller's options (which may be NULL) with all defaults filled in: `memory` is never NULL. False: `options` breaks
 * its documentation; reported as the argument `name`. */
bool sch_files_options(const struct sch_file_options *options, const char *name, struct sch_file_options *complete,
                       struct sch_file_error *error);

/* Empties a report, which may be NULL; false: it has no size that reports have. */
bool sch_files_begin(struct sch_file_error *error);

/* Fills in a report; `error` may be NULL. */
void sch_files_report(struct sch_file_error *error, unsigned code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports an argument that a call cannot take, by the name that it has in the public header ("texture.bytes"), and
 * returns ARGUMENT. */
enum sch_result sch_files_wrong(struct sch_file_error *error, const char *argument, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether a pointer is given; whether a struct is, and has a size that it can have, `first_bytes` at least; and the
 * same, and copies it. They report what is wrong. */
bool sch_files_given(struct sch_file_error *error, const char *argument, const void *pointer);
bool sch_files_fits(struct sch_file_error *error, const char *argument, const void *given, size_t first_bytes);
bool sch_files_take(struct sch_file_error *error, const char *argument, void *known, size_t known_bytes,
                    const void *given);

/* Fill in a report, and return what it means: INVALID for a damaged file (PICTURE_DAMAGED), UNSUPPORTED for what is not
 * read or written. */
enum sch_result sch_files_damaged(struct sch_file_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
enum sch_result sch_files_unsupported(struct sch_file_error *error, unsigned code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
