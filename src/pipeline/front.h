/* From the shaded vertices of a chunk to primitives that are ready to be rasterised: clipping, faces, fill modes,
 * setup. */
#ifndef SCH_PIPELINE_FRONT_H
#define SCH_PIPELINE_FRONT_H

#include "pipeline/chunk.h"
#include "pipeline/clip.h"
#include "pipeline/draw.h"
#include "pipeline/line.h"
#include "pipeline/point.h"
#include "pipeline/tile.h"
#include "pipeline/triangle.h"

/* What all primitives of a draw have in common. */
struct sch_front {
    const struct sch_draw_pipeline *draw;
    const struct sch_vertex_layout *layout;
    struct sch_clip_state clip;
    struct sch_setup setup;
    struct sch_setup unculled; /* the same, of triangles whose polygon is known to be drawn */
    struct sch_setup_sides sides[SCH_VIEWPORTS];
    struct sch_line_rules line;
    struct sch_point_rules point;
    bool layered;  /* primitives name their layers */
    bool outlines; /* triangles of some face are not filled */
};

/* `rules` are those of the tiles that walk over the records. */
void sch_front_init(struct sch_front *front, const struct sch_draw_pipeline *draw,
                    const struct sch_vertex_layout *layout, const struct sch_tile_rules *rules);

/* Makes the records of a chunk whose vertices are shaded. `stipple` is the counter of the line stipple before the
 * chunk, and receives that after it; chunks of stippled lines are made in their order. MEMORY: the records are not
 * complete. */
enum sch_result sch_front_run(const struct sch_front *front, struct sch_chunk *chunk, struct sch_scratch *scratch,
                              uint32_t *stipple);

#endif
