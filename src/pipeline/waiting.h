/* Fragments that wait: those of small draws into one framebuffer, whose vertices are shaded and whose primitives are
 * set up. They are shaded together, cell by cell of the framebuffer, each cell by one thread and in the order of the
 * draws. So threads share draws that are too small for two, and find the pixels of a cell in their cache; threads of
 * the pool shade them while the vertices of others are shaded. Pixels do not depend on each other, and a draw waits
 * only if nothing but its own framebuffer shows when its fragments are shaded. */
#ifndef SCH_PIPELINE_WAITING_H
#define SCH_PIPELINE_WAITING_H

#include "pipeline/derived.h"
#include "pipeline/draw_context.h"

struct sch_waiting;

/* NULL: no memory. */
struct sch_waiting *sch_waiting_create(struct sch_scratch *memory);
void sch_waiting_destroy(struct sch_waiting *waiting); /* takes NULL; nothing waits any more */

/* Whether the fragments of a draw may wait, as far as its state and its bindings show. */
bool sch_waiting_allows(const struct sch_draw_context *context, const struct sch_derived *derived);

/* Parts of that: programs without loops and calls end, so that no budget is missed; and options without anything that
 * sees when a draw ends. */
bool sch_waiting_takes_program(const struct sch_exec_program *program);
bool sch_waiting_takes_options(const struct sch_run_options *options);

/* Whether fragments may wait that go to this framebuffer: those that wait do so. */
bool sch_waiting_goes_to(const struct sch_waiting *waiting, const struct sch_draw_framebuffer *framebuffer);

/* Takes a chunk of a draw that may wait, with its part of the bins, and leaves memory of another one in their place.
 * False: no room or no memory; the chunk and the part are as before. */
bool sch_waiting_take(struct sch_waiting *waiting, const struct sch_draw_context *context,
                      const struct sch_derived *derived, const struct sch_bins *bins, struct sch_chunk *chunk);

/* Shades all that waits. What failed is the first draw's of those that did, since this was called last. Takes NULL. */
enum sch_result sch_waiting_shade(struct sch_waiting *waiting);

#endif
