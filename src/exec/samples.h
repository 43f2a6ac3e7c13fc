/* Sample positions as floats, for INTERP_SAMPLE and SAMPLEPOS. */
#ifndef SCH_EXEC_SAMPLES_H
#define SCH_EXEC_SAMPLES_H

#include <stdint.h>

/* The offset of a sample from the pixel's centre, exact; the centre where a pixel of `samples` samples has none of this
 * number. */
void sch_exec_sample_offset(uint32_t samples, uint32_t number, float offset[2]);

#endif
