/* The output of fragments: tests before and after the program, and colours into the buffers, sample by sample. What
 * each step computes is src/ops/raster; this file moves texels and keeps the order (docs/pipeline.md, "Order of the
 * output"). */
#ifndef SCH_PIPELINE_OUTPUT_H
#define SCH_PIPELINE_OUTPUT_H

#include "abi/output.h"
#include "pipeline/draw.h"
#include "pipeline/link.h"
#include "pipeline/tile.h"

/* What is the same for all fragments of a draw. */
struct sch_output {
    const struct sch_ops *ops;
    const struct sch_draw_framebuffer *framebuffer;
    const struct sch_link_outputs *from; /* registers of the program */
    struct sch_sample_pattern pattern;

    struct sch_color_key colors[SCH_COLOR_BUFFERS];
    struct sch_color_values color_values;
    uint32_t color_buffers; /* bits: that are written */
    bool dual_source;

    struct sch_depth_stencil_key depth_stencil;
    struct sch_depth_stencil_values stencil_values;
    bool tests;       /* there is something to test or to write */
    bool tests_depth; /* ... the depth of primitives, and nothing else, in texels of one word */
    bool early;       /* before the program */
    bool unshaded;    /* what the program computes is seen nowhere: it is not run */
    bool unwritten;   /* ... nor is anything else written */
    bool alpha_test;
    uint8_t alpha_function;
    float alpha_reference;
    bool clamp; /* colours of fragments, to 0..1 */
    bool alpha_to_coverage, alpha_to_one;
    bool masks_samples;     /* a SAMPLEMASK that is written counts */
    bool replaces_coverage; /* a SAMPLEMASK that is written stands for alpha to coverage, too: Direct3D */
    uint8_t depth_layout;   /* FS_DEPTH_LAYOUT */
};

void sch_output_init(struct sch_output *output, const struct sch_draw_pipeline *draw, const struct sch_ops *ops);

/* Depth bounds, stencil and depth of a group's covered samples, with the depth of the primitives: takes those that do
 * not pass out of its masks. Answers how many passed. */
uint32_t sch_output_test_early(const struct sch_output *output, struct sch_tile_group *group);

/* What is left to do after the program, by the lanes that it left. `registers`: the first channel of OUT. Answers how
 * many samples passed that sch_output_test_early has not counted. */
uint32_t sch_output_write(const struct sch_output *output, struct sch_tile_group *group, uint32_t lanes,
                          const struct sch_lanes *registers);

/* ---- parts of these, for the history of a pixel (pipeline/history.h) ---- */

/* What the fragments of a group are tested with. */
struct sch_output_tested {
    const struct sch_lanes *depth;   /* as the program wrote it; NULL: of the primitives */
    const struct sch_lanes *stencil; /* likewise; NULL: the state's references */
};

/* `registers` NULL: before the program. */
struct sch_output_tested sch_output_tested_with(const struct sch_output *output, const struct sch_lanes *registers);

/* Depth bounds, stencil and depth of one sample in the lanes of `mask`, without writing texels. `code` receives the
 * fragments' depth as it is stored, `word` the texels after. */
struct sch_output_tests sch_output_try(const struct sch_output *output, const struct sch_tile_group *group,
                                       uint32_t sample, uint32_t mask, const struct sch_output_tested *tested,
                                       struct sch_lanes *code, struct sch_lanes word[SCH_DEPTH_WORDS]);

/* Takes out of the masks what the program and alpha take out: all but `lanes`, SAMPLEMASK, alpha to coverage, alpha
 * test. */
void sch_output_restrict(const struct sch_output *output, struct sch_tile_group *group, uint32_t lanes,
                         const struct sch_lanes *registers);

#endif
