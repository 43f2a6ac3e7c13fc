/* Which combinations the peers test looks up, with which textures and at which points. */
#ifndef SCH_TESTS_PEER_CASES_H
#define SCH_TESTS_PEER_CASES_H

#include "peer.h"

/* All combinations in the order of their classes; the count. Owned by the module. */
const struct peer_case *cases_make(struct sch_context *context, size_t *count);
void cases_free(void);
/* The points of one combination: the same in every run. */
void cases_points(const struct peer_case *c, struct peer_point *points);
/* Size of an axis at a level. */
uint32_t cases_size(const struct peer_texture *t, unsigned axis, uint32_t level);

#endif
