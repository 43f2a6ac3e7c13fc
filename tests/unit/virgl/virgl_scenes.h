/* Small drawings as clients of the virgl protocol send them, many of each kind: a kind is a row of a table, which says
 * what the drawings of one kind have that others have not. */
#ifndef SCH_TESTS_VIRGL_SCENES_H
#define SCH_TESTS_VIRGL_SCENES_H

#include "virgl_stream.h"

struct scene_kind {
    const char *name;
    unsigned count;
};

/* NULL: no such kind. */
const struct scene_kind *scene_kind(unsigned index);

/* Writes the recording of a drawing: what it shows are its frames. */
void scene_write(struct stream *stream, unsigned kind, unsigned number);

#endif
