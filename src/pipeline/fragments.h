/* The fragments of a draw as a source of work (exec/source.h): a unit is a tile of the framebuffer, its groups are
 * quads of covered pixels in the order of the draw. */
#ifndef SCH_PIPELINE_FRAGMENTS_H
#define SCH_PIPELINE_FRAGMENTS_H

#include "exec/source.h"
#include "pipeline/output.h"

/* Fragments that code shades in spans: what the code must know of a draw (abi/fragment.h). */
struct sch_fragment_spans {
    bool any; /* otherwise there is something around groups that only src/pipeline does */
    struct sch_fragment_form form;
    struct sch_fragment_values values;
    uint32_t channels[4 * SCH_FRAGMENT_INPUTS], channel_count; /* of the state, that code interpolates, ascending */
    struct sch_exec_spans_memo *memo;                          /* for as long as the state is the same; or NULL */
};

/* What all fragments of a draw have in common. */
struct sch_fragments {
    const struct sch_draw_pipeline *draw;
    struct sch_tile_rules rules;
    struct sch_output output;
    struct sch_position_key position;
    bool at_samples;             /* inputs without a location are evaluated at the sample */
    bool masks_pixels;           /* SAMPLEMASK is 1 where the pixel is covered (GL 15.2.2, without multisampling) */
    bool post_depth_coverage;    /* SAMPLEMASK has what the early tests left */
    struct sch_history *history; /* NULL: none */
    struct sch_fragment_spans spans;
};

void sch_fragments_init(struct sch_fragments *fragments, const struct sch_draw_pipeline *draw,
                        const struct sch_vertex_layout *layout);

/* What is shaded of primitives in bins, as the draw does not have it any more. */
struct sch_fragments_part {
    const struct sch_exec_bindings *bindings; /* of the fragment program */
    struct sch_exec_spans_memo *memo;         /* of one thread, for as long as the state is the same */
    struct sch_bin_tiles tiles;               /* no others */
};

/* Shades the primitives in bins, or a part of them. Adds to `counts`. */
enum sch_result sch_fragments_run_part(const struct sch_fragments *fragments, const struct sch_bins *bins,
                                       const struct sch_fragments_part *part, const struct sch_run_options *options,
                                       struct sch_draw_counts *counts, struct sch_run_report *report);
enum sch_result sch_fragments_run(const struct sch_fragments *fragments, const struct sch_bins *bins,
                                  const struct sch_run_options *options, struct sch_draw_counts *counts,
                                  struct sch_run_report *report);

#endif
