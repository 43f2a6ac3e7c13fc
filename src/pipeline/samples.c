/* The patterns of samples, from the table. */
#include "pipeline/samples.h"

#include <stddef.h>

void sch_sample_pattern(uint32_t samples, struct sch_sample_pattern *pattern)
{
    static const struct {
        uint8_t samples, number;
        int8_t x, y;
    } positions[] = {
#define SAMPLE_AT(samples, number, x, y) {samples, number, x, y},
#include "isa/sample_positions.def"
#undef SAMPLE_AT
    };
    enum { SIXTEENTH = SCH_SUBPIXELS / 16 };
    *pattern = (struct sch_sample_pattern){.samples = samples};
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        if (positions[i].samples != samples) continue;
        pattern->x[positions[i].number] = positions[i].x * SIXTEENTH;
        pattern->y[positions[i].number] = positions[i].y * SIXTEENTH;
    }
    for (uint32_t i = 0; i < samples; i++) {
        const int32_t at[2] = {pattern->x[i], pattern->y[i]};
        for (unsigned axis = 0; axis < 2; axis++) {
            if (at[axis] < pattern->least[axis]) pattern->least[axis] = at[axis];
            if (at[axis] > pattern->most[axis]) pattern->most[axis] = at[axis];
        }
    }
}
