/* See atc_reference.h. */
#include "atc_reference.h"

static int extend5(int code) { return code << 3 | code >> 2; }
static int extend6(int code) { return code << 2 | code >> 4; }

/* Bytes 0 and 1 are a colour of 15 bits below the bit of the method, 2 and 3 one of 16 bits, and each of the next has a
 * row of indices. */
enum atc_method atc_reference(const uint8_t block[8], unsigned x, unsigned y, uint8_t rgb[3])
{
    const int low = block[0] | block[1] << 8, high = block[2] | block[3] << 8;
    const int first[3] = {extend5(low >> 10 & 31), extend5(low >> 5 & 31), extend5(low & 31)};
    const int second[3] = {extend5(high >> 11), extend6(high >> 5 & 63), extend5(high & 31)};
    const int index = block[4 + y] >> 2 * x & 3;
    const enum atc_method method = low & 0x8000 ? ATC_BLACK : ATC_FOUR;
    for (unsigned c = 0; c < 3; c++) {
        const int a = first[c], b = second[c];
        const int darker = a - b / 4 < 0 ? 0 : a - b / 4;
        const int four[4] = {a, (5 * a + 3 * b) / 8, (3 * a + 5 * b) / 8, b}, black[4] = {0, darker, a, b};
        rgb[c] = (uint8_t)(method == ATC_BLACK ? black[index] : four[index]);
    }
    return method;
}

/* Half a byte a texel, the lower one first: 0 to 15. */
uint8_t atc_reference_explicit(const uint8_t block[8], unsigned x, unsigned y)
{
    return (uint8_t)((block[2 * y + x / 2] >> x % 2 * 4 & 15) * 255 / 15);
}

/* Two ends and three bits a texel; the rows of the table of alpha's formulas in the data format specification, "BC3",
 * truncated. */
uint8_t atc_reference_interpolated(const uint8_t block[8], unsigned x, unsigned y)
{
    const int a = block[0], b = block[1];
    unsigned code = 0;
    for (unsigned i = 3; i-- > 0;) {
        const unsigned at = 16 + 3 * (4 * y + x) + i;
        code = code * 2 + (block[at / 8] >> at % 8 & 1);
    }
    const int seven[8] = {a,
                          b,
                          (6 * a + 1 * b) / 7,
                          (5 * a + 2 * b) / 7,
                          (4 * a + 3 * b) / 7,
                          (3 * a + 4 * b) / 7,
                          (2 * a + 5 * b) / 7,
                          (1 * a + 6 * b) / 7};
    const int five[8] = {a, b,  (4 * a + 1 * b) / 5, (3 * a + 2 * b) / 5, (2 * a + 3 * b) / 5, (1 * a + 4 * b) / 5,
                         0, 255};
    return (uint8_t)(a > b ? seven[code] : five[code]);
}
