/* Where the samples of a pixel are, in sub-pixels. */
#ifndef SCH_PIPELINE_SAMPLES_H
#define SCH_PIPELINE_SAMPLES_H

#include "abi/raster.h"

/* The pattern of 1, 2, 4, 8 or 16 samples (src/isa/sample_positions.def). */
void sch_sample_pattern(uint32_t samples, struct sch_sample_pattern *pattern);

#endif
