/* Where the samples of a pixel are. */
#include "exec/samples.h"

#include <stddef.h>

void sch_exec_sample_offset(uint32_t samples, uint32_t number, float offset[2])
{
    static const struct {
        uint8_t samples, number;
        int8_t x, y;
    } positions[] = {
#define SAMPLE_AT(samples, number, x, y) {samples, number, x, y},
#include "isa/sample_positions.def"
#undef SAMPLE_AT
    };
    offset[0] = offset[1] = 0.0f;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        if (positions[i].samples != samples || positions[i].number != number) continue;
        offset[0] = (float)positions[i].x / 16.0f;
        offset[1] = (float)positions[i].y / 16.0f;
    }
}
