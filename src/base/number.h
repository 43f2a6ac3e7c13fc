/* Numbers as text, read and written without the C library's locale or rounding mode: the same text gives the same bits
 * everywhere. Holds no syntax of any language. */
#ifndef SCH_BASE_NUMBER_H
#define SCH_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sch_float_width { SCH_FLOAT_32, SCH_FLOAT_64 };

/* The bits of the number nearest to `text` (ties to even, overflow to infinity). `text` is [+-] digits [. digits]
 * [e [+-] digits], as sch_number_scan_decimal found it. Linear in `bytes`. */
uint64_t sch_number_read_decimal(const char *text, size_t bytes, enum sch_float_width width);

/* How many bytes at `text` are such a number; 0 when there is none or its exponent has no digit. */
size_t sch_number_scan_decimal(const char *text, size_t bytes);

/* A 64-bit float in any form of C's strtod, and snan(0x...), which strtod lacks. Returns the bytes it took, 0 when
 * there is none. */
size_t sch_number_read_double(const char *text, size_t bytes, uint64_t *bits);

enum { SCH_NUMBER_BYTES = 96 };

/* Writes the value with `decimals` digits after the point, rounded to nearest even, at least `field` wide. Returns the
 * length, or 0 when the value is not finite or too large or `decimals` too many for exact arithmetic. */
size_t sch_number_write_fixed(uint64_t bits, enum sch_float_width width, unsigned decimals, unsigned field,
                              char text[SCH_NUMBER_BYTES]);

/* Writes the value as C libraries of Microsoft print %.*f before the universal one: at most 17 digits that are not
 * zeros, ties away from zero, and 1.#INF, 1.#QNAN, 1.#SNAN and -1.#IND (the quiet NaN with a sign and no payload),
 * filled with zeros up to `decimals` places after the point, of which there are at most 8. (A signaling NaN of 32 bits
 * is printed as a double, which makes it quiet.) Returns the length. */
enum { SCH_NUMBER_MICROSOFT_BYTES = 352 };
size_t sch_number_write_microsoft(uint64_t bits, enum sch_float_width width, unsigned decimals,
                                  char text[SCH_NUMBER_MICROSOFT_BYTES]);

/* Reads such a word for what is not a number, from the 1 on, in any case; `*bits` without the sign that was before it.
 * A NaN other than -1.#IND has no payload in the text: one is chosen with which it is printed again. Returns the bytes
 * it took, 0 when there is none. */
size_t sch_number_read_microsoft(const char *text, size_t bytes, enum sch_float_width width, bool negative,
                                 uint64_t *bits);

/* Writes what sch_number_read_double reads back to the same bits, decimal with at least eight digits after the point
 * when that is exact, else hexadecimal. */
size_t sch_number_write_double(uint64_t bits, char text[SCH_NUMBER_BYTES]);

/* Writes what sch_number_read_decimal reads back to the same 32 bits, with at least four digits after the point, or
 * returns 0 when there is no such text of moderate length. */
size_t sch_number_write_float(uint32_t bits, char text[SCH_NUMBER_BYTES]);

/* Writes "d.ddde+XX" with `decimals` digits after the point, rounded to nearest even, as C's %.*e does; 0 when the
 * value is not finite or `decimals` more than 40. */
size_t sch_number_write_scientific(uint64_t bits, enum sch_float_width width, unsigned decimals,
                                   char text[SCH_NUMBER_BYTES]);

/* Writes the fewest digits that sch_number_read_decimal reads back to the same bits, with a point or an exponent, so
 * that it is not an integer to look at: 1.0, 0.1, 1.5e-07. 0 when the value is not finite. */
size_t sch_number_write_shortest(uint64_t bits, enum sch_float_width width, char text[SCH_NUMBER_BYTES]);

#endif
