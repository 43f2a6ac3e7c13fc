/* Structs of callers that may know fewer or more members than the library: those whose first member is `size_t size`,
 * and elements of arrays whose stride the caller says. Members are only ever added at the end. Holds no struct. */
#ifndef SCH_BASE_SIZED_H
#define SCH_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/* Copies a caller's struct into `known`, a struct of `known_bytes` bytes. `first_bytes` is the size that the struct had
 * when it was published: smaller ones were never right. A larger struct comes from a program newer than the library:
 * what the library does not know must be zero. What is not given is zero. `given` NULL: all is. False: a wrong call. */
bool sch_sized_read(void *known, size_t known_bytes, size_t first_bytes, const void *given);

/* Whether a struct that the library fills in has a size that it can have. */
bool sch_sized_fits(size_t given_bytes, size_t first_bytes);

/* Fills in as much of `value` as such a struct holds, and zeros after it. */
void sch_sized_write(void *given, const void *value, size_t value_bytes);

/* The same for an element of an array: `bytes` from one to the next. */
void sch_sized_write_element(void *given, size_t bytes, const void *value, size_t value_bytes);

/* The same as sch_sized_read for `count` elements that are `stride` bytes apart; they have no member `size`. */
bool sch_sized_read_array(void *known, size_t known_bytes, size_t first_bytes, const void *given, size_t stride,
                          size_t count);

#endif
