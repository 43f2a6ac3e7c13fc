/* Floats as decimal numbers. */
#ifndef SCH_SUPPORT_DECIMAL_H
#define SCH_SUPPORT_DECIMAL_H

#include <stdint.h>

enum { SCH_FLOAT_TEXT = 48 };

/* The shortest decimal number that reads back as these bits, with a point or an exponent; inf, nan, nan(0x1). */
void sch_float_text(uint32_t bits, char text[SCH_FLOAT_TEXT]);

#endif
