/* What drivers draw in place of lines and points: triangles and pixels, as a scene that we draw. A model of
 * docs/peer-differences.md; how lines and points ought to be drawn is not here. */
#ifndef SCH_TESTS_SCENE_SHAPES_H
#define SCH_TESTS_SCENE_SHAPES_H

#include "scene_model.h"

/* Whether a line's first and last column are drawn depends on diamonds, which are not here: there are several tries. In
 * the first four none, the first, the last or both are, in the others each line has its own. */
enum { SCENE_TRIES = 14 };

/* `captured`: what our stream output of the scene holds, `primitives` of them. False: the scene has other shapes, or
 * too many. */
bool scene_shapes(const struct scene *scene, const float *captured, uint64_t primitives, enum scene_driver driver,
                  unsigned number, struct scene *made);

#endif
