/* See decimal.h. Decimal to float and back go by the C library, which rounds correctly; no program sets a locale,
 * so the point is a point. */
#include "decimal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUIET = 0x00400000 };

#define EXPONENT 0x7f800000u
#define FRACTION 0x007fffffu
#define SIGN     0x80000000u

static bool is_same(const char *text, float number)
{
    const float again = strtof(text, NULL);
    return memcmp(&again, &number, sizeof again) == 0;
}

/* The number with as many digits as `text`, but one more or one less in the last place. A power of two needs it: the
 * nearest number of so many digits may lie on its narrow side, and only the next one read back. */
static bool find_neighbour(char *text, float number)
{
    const bool negative = *text == '-';
    char *mantissa = text + negative, *exponent = strchr(text, 'e');
    const int power = atoi(exponent + 1);
    long digits = 0;
    int places = 0;
    for (const char *at = mantissa; at < exponent; at++) {
        if (*at == '.') continue;
        digits = digits * 10 + (*at - '0');
        places++;
    }
    for (long step = -1; step <= 1; step += 2) {
        char other[SCH_FLOAT_TEXT];
        snprintf(other, sizeof other, "%s%lde%d", negative ? "-" : "", digits + step, power - places + 1);
        if (!is_same(other, number)) continue;
        snprintf(text, SCH_FLOAT_TEXT, "%.*e", places - 1, strtod(other, NULL));
        return true;
    }
    return false;
}

void sch_float_text(uint32_t bits, char text[SCH_FLOAT_TEXT])
{
    const char *sign = bits & SIGN ? "-" : "";
    float number;
    memcpy(&number, &bits, sizeof number);
    if ((bits & EXPONENT) == EXPONENT && !(bits & FRACTION)) {
        snprintf(text, SCH_FLOAT_TEXT, "%sinf", sign);
        return;
    }
    if ((bits & EXPONENT) == EXPONENT) {
        if ((bits & FRACTION) == QUIET)
            snprintf(text, SCH_FLOAT_TEXT, "%snan", sign);
        else
            snprintf(text, SCH_FLOAT_TEXT, "%snan(0x%x)", sign, bits & FRACTION);
        return;
    }
    int digits = 0;
    do {
        digits++;
        snprintf(text, SCH_FLOAT_TEXT, "%.*e", digits - 1, (double)number);
    } while (digits < 9 && !is_same(text, number) && ((bits & FRACTION) || !find_neighbour(text, number)));
    const int power = atoi(strchr(text, 'e') + 1);
    const double shown = strtod(text, NULL);
    if (power >= -5 && power < 9)
        snprintf(text, SCH_FLOAT_TEXT, "%.*g", digits > power + 1 ? digits : power + 1, shown);
    if (power >= -5 && power < 9 && strspn(text, "-0123456789") == strlen(text)) strcat(text, ".0");
}
