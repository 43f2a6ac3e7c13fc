/* The drivers' liberties and mistakes in drawing, as changes of a scene or of our answer to it: where our pipeline with
 * the changes in agrees with the driver, its difference is explained. docs/peer-differences.md has each by its name. */
#ifndef SCH_TESTS_SCENE_MODEL_H
#define SCH_TESTS_SCENE_MODEL_H

#include "scene.h"

enum scene_driver { SCENE_LLVMPIPE = 1, SCENE_SOFTPIPE = 2 }; /* bits */

struct scene_mistake {
    const char *name;
    unsigned drivers;
    bool (*change)(struct scene *scene); /* false: nothing to change */
    /* Optional: of what was drawn of the changed scene. `plain` is what we draw of the scene as it is. */
    void (*adjust)(const struct scene *scene, const struct scene_answer *plain, struct scene_answer *answer);
    bool uncounted; /* samples that pass are not compared */
};
/* Two of them exclude each other: how polygons become triangles that are captured, and such as are drawn. */
enum { SCENE_CAPTURED_CUT, SCENE_RASTERED_CUT };
extern const struct scene_mistake scene_mistakes[];
extern const unsigned scene_mistake_count;

/* Where a driver's corners, or depth, may be elsewhere: the scene, a little moved. The first is not; those before
 * SCENE_CORNERS are moved by 1/256 pixel, the others nearer or farther by the least difference of depths. */
enum { SCENE_CORNERS = 9, SCENE_PLACES = 11 };
void scene_move(struct scene *scene, unsigned place);

#endif
