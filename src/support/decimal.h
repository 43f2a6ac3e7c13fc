/* Floats as decimal numbers. */
#ifndef SCH_SUPPORT_DECIMAL_H
#define SCH_SUPPORT_DECIMAL_H

#include <stdint.h>
#include <string.h>

enum { SCH_FLOAT_TEXT = 48 };

/* The shortest decimal number that reads back as these bits, with a point or an exponent; inf, nan, nan(0x1). */
void sch_float_text(uint32_t bits, char text[SCH_FLOAT_TEXT]);

/* The float of a word, and back. */
static inline float sch_float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint32_t sch_float_bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

#endif
