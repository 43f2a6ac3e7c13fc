/* Numbers of the text of headers: decimal fractions, fixed and floating point, both ways and exactly, without the C
 * library's locale and rounding. */
#ifndef SCH_MAXWELL_HEADER_NUMBER_H
#define SCH_MAXWELL_HEADER_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* digits / 10^scale, and a sign. */
struct sch_header_decimal {
    uint64_t digits;
    unsigned scale; /* at most 19 */
    bool negative;
};

/* Reads [+-] digits [. digits]. False: the text has another form, or more than 19 digits that count. */
bool sch_header_read_decimal(const char *text, size_t bytes, struct sch_header_decimal *decimal);

/* Reads 0x and hexadecimal digits, or decimal digits. False: the text has another form, or the number has more than 64
 * bits. */
bool sch_header_read_unsigned(const char *text, size_t bytes, uint64_t *value);

/* The number times 256. False: that is not an integer, or it is far outside any field. */
bool sch_header_fixed(const struct sch_header_decimal *decimal, int64_t *value);

/* The bits of the nearest binary32, ties to even. */
uint32_t sch_header_float(const struct sch_header_decimal *decimal);

enum { SCH_HEADER_NUMBER = 40 };
void sch_header_write_unsigned(uint64_t value, char text[SCH_HEADER_NUMBER]);
void sch_header_write_hex(uint64_t value, unsigned digits, char text[SCH_HEADER_NUMBER]);
void sch_header_write_fixed(int64_t value, char text[SCH_HEADER_NUMBER]);

/* A short decimal fraction that reads back to the same bits, or the bits in hexadecimal. */
void sch_header_write_float(uint32_t bits, char text[SCH_HEADER_NUMBER]);

#endif
