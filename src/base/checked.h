/* Arithmetic on counts from outside: every function returns false instead of wrapping. */
#ifndef SCH_BASE_CHECKED_H
#define SCH_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool sch_add_size(size_t a, size_t b, size_t *sum) { return !__builtin_add_overflow(a, b, sum); }

static inline bool sch_mul_size(size_t a, size_t b, size_t *product) { return !__builtin_mul_overflow(a, b, product); }

#endif
