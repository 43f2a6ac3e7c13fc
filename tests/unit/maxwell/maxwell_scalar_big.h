/* Numbers with a fixed point for maxwell_scalar.h: wide enough for every sum of a product of doubles and a double, so
 * that nothing is rounded before the end, where it is rounded once. */
#ifndef TEST_MAXWELL_SCALAR_BIG_H
#define TEST_MAXWELL_SCALAR_BIG_H

#include <stdbool.h>
#include <stdint.h>

enum { BIG_WORDS = 144, BIG_POINT = 2240 }; /* bit BIG_POINT counts ones */
struct big {
    uint32_t words[BIG_WORDS];
    bool minus;
};

/* A format of floats: its bits, those of its mantissa with the hidden one, and its bias. */
struct format {
    unsigned bits, precision;
    int bias;
};
extern const struct format format16, format32, format64;

enum rounding { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_ZERO };

bool format_is_nan(const struct format *format, uint64_t bits);
bool format_is_infinite(const struct format *format, uint64_t bits);
bool format_is_zero(const struct format *format, uint64_t bits);
bool format_is_subnormal(const struct format *format, uint64_t bits);
uint64_t format_sign(const struct format *format); /* its bit */
uint64_t format_infinity(const struct format *format);
uint64_t format_nan(const struct format *format);                /* as Maxwell makes it */
int format_exponent(const struct format *format, uint64_t bits); /* the field */

/* The value of finite bits; an integer; times 2^power. */
void big_of(struct big *big, const struct format *format, uint64_t bits);
void big_of_integer(struct big *big, __int128 value);
void big_scale(struct big *big, int power);
void big_multiply(struct big *big, const struct format *format, uint64_t a, uint64_t b); /* exact */
void big_add(struct big *sum, const struct big *other);
bool big_is_zero(const struct big *big);
int big_compare(const struct big *a, const struct big *b);

/* Rounded to a format; of zero the sign is that of `big`. */
uint64_t big_round(const struct big *big, const struct format *format, enum rounding rounding);
/* Rounded to a whole number, clamped to `low` and `high`. */
__int128 big_to_integer(const struct big *big, enum rounding rounding, __int128 low, __int128 high);
/* The same as a number that stays one. */
void big_round_whole(struct big *big, enum rounding rounding);

#endif
