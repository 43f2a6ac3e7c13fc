/* See gobs.h. */
#include "gobs.h"

#include <string.h>

enum { WIDTH = 64, ROWS = 8, BYTES = WIDTH * ROWS, RUN = 16 };

static size_t across(size_t row_bytes) { return (row_bytes + WIDTH - 1) / WIDTH; }

size_t sch_cli_gobs_bytes(size_t row_bytes, size_t rows)
{
    return across(row_bytes) * ((rows + ROWS - 1) / ROWS) * BYTES;
}

/* In a GOB: runs of 16 bytes of two rows beside each other, four such pairs below each other, and that twice. */
static size_t in_gob(size_t x, size_t y)
{
    return x / 32 % 2 * 256 + y / 2 % 4 * 64 + x / 16 % 2 * 32 + y % 2 * 16 + x % 16;
}

void sch_cli_gobs_put(unsigned char *to, const unsigned char *from, size_t row_bytes, size_t rows)
{
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < row_bytes; x += RUN) {
            const size_t left = row_bytes - x;
            memcpy(to + (y / ROWS * across(row_bytes) + x / WIDTH) * BYTES + in_gob(x, y), from + y * row_bytes + x,
                   left < RUN ? left : RUN);
        }
}
