/* Vertex fetch: from elements of vertex buffers to the input registers of a vertex program (docs/pipeline.md, "Vertex
 * fetch"). Holds no numbers of vertices: those are pipeline/assemble.h's. */
#ifndef SCH_PIPELINE_FETCH_H
#define SCH_PIPELINE_FETCH_H

#include "base/diagnostics.h"
#include "ir/prepared.h"
#include "ops/ops.h"
#include "pipeline/draw.h"

/* Whether vertex elements may have the format. */
bool sch_fetch_has_format(unsigned format);

/* Vertex elements that are known to be right. Immutable. */
struct sch_fetcher {
    struct sch_vertex_element elements[SCH_VERTEX_ELEMENTS];
    struct sch_vertex_source sources[SCH_VERTEX_ELEMENTS]; /* all of them but where the bytes are */
    uint32_t bytes[SCH_VERTEX_ELEMENTS];                   /* of an element */
    uint32_t count;
};

/* Checks elements. LIMIT: too many. ARGUMENT, UNSUPPORTED: the list says which element and why (6020). */
enum sch_result sch_fetcher_init(struct sch_fetcher *fetcher, const struct sch_vertex_element *elements, uint32_t count,
                                 struct sch_diagnostics *diagnostics);

/* Copies what there is of it. */
void sch_fetcher_copy(struct sch_fetcher *to, const struct sch_fetcher *from);

/* Where a draw's attributes are: elements in the buffers of the draw. */
struct sch_fetch {
    const struct sch_fetcher *fetcher;
    struct sch_vertex_source sources[SCH_VERTEX_ELEMENTS]; /* by register of IN */
    uint32_t fed;                                          /* bits: registers that have a source */
    uint32_t instanced;                                    /* bits: registers with a divisor */
    uint32_t start_instance;
};

void sch_fetch_begin(struct sch_fetch *fetch, const struct sch_fetcher *fetcher, const struct sch_draw_memory *buffers,
                     uint32_t buffer_count, uint32_t start_instance);

/* The input registers that the program can read, IN[r] at inputs + 4 * r, of the lanes on the mask: the vertices with
 * these numbers (VERTEXID, which the base vertex is part of) in these instances (INSTANCEID). Registers without an
 * element are (0, 0, 0, 1). Channels that the program does not read, and lanes off the mask, may receive any value. */
void sch_fetch_vertices(const struct sch_ops *ops, const struct sch_fetch *fetch, const struct sch_prepared *program,
                        const struct sch_lanes *numbers, const struct sch_lanes *instances, uint32_t lanes,
                        struct sch_lanes *inputs);

#endif
