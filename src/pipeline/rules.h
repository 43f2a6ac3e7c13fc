/* The rules of rasterisation that Direct3D has and OpenGL has not, as the state that asks OpenGL for the same
 * (docs/pipeline.md, "Direct3D"). Holds no rule of a step that has no such state: those ask the link. */
#ifndef SCH_PIPELINE_RULES_H
#define SCH_PIPELINE_RULES_H

#include "pipeline/draw.h"

/* The rasterizer's state as it is for triangles and points, and for lines. */
struct sch_rasterizer_options sch_rules_of_areas(const struct sch_draw_pipeline *draw);
struct sch_rasterizer_options sch_rules_of_lines(const struct sch_draw_pipeline *draw);

/* Whether coverage is of samples, which masks and alpha take away one by one; otherwise it is of pixels. */
bool sch_rules_have_samples(const struct sch_draw_pipeline *draw);

/* Whether there is no rasterisation, for want of a fragment program and of tests. */
bool sch_rules_disable_rasterization(const struct sch_draw_pipeline *draw);

#endif
