/* What bench/peers_stages.c adds to the harness of the other renderers. */
#ifndef BENCH_PEERS_STAGES_H
#define BENCH_PEERS_STAGES_H

#include <GL/gl.h>
#include <stdbool.h>

#include "pb.h"

/* Whether a workload has more stages; nothing else is asked of others but vertices. */
bool stages_has(const struct pb_work *work);
float *stages_vertices(const struct pb_work *work, unsigned *count);
/* The shaders of all stages; false: one does not compile. */
bool stages_attach(const struct pb_work *work, GLuint program);
/* A frame, or its beginning. */
void stages_draw(const struct pb_work *work, unsigned vertices, bool first);

#endif
