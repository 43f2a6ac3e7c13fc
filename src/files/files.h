/* What the readers and writers of picture files share: memory, reports. Holds no file format. */
#ifndef SCH_FILES_FILES_H
#define SCH_FILES_FILES_H

#include <scheelite/files.h>

#include "isa/errors.h"

/* The caller's options (which may be NULL) with all defaults filled in: `memory` is never NULL. False: `options` breaks
 * its documentation. */
bool sch_files_options(const struct sch_file_options *options, struct sch_file_options *complete);

/* Empties a report, which may be NULL; false: it has no size that reports have. */
bool sch_files_begin(struct sch_file_error *error);

/* Fills in a report; `error` may be NULL. */
void sch_files_report(struct sch_file_error *error, unsigned code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fill in a report, and return what it means: INVALID for a damaged file (PICTURE_DAMAGED), UNSUPPORTED for what is not
 * read or written. */
enum sch_result sch_files_damaged(struct sch_file_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
enum sch_result sch_files_unsupported(struct sch_file_error *error, unsigned code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
