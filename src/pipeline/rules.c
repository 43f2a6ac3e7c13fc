/* Direct3D's rules of rasterisation: see rules.h. */
#include "pipeline/rules.h"

#include "pipeline/link.h"

/* D3D 15.14.2, 15.14.3: points and triangles are drawn as if MultisampleEnable were true, points as squares (3.4.6);
 * 15.6, 17.10: depth is clamped to the viewport's range, always. */
struct sch_rasterizer_options sch_rules_of_areas(const struct sch_draw_pipeline *draw)
{
    struct sch_rasterizer_options areas = *draw->rasterizer;
    if (!draw->link->d3d) return areas;
    areas.multisample = true;
    areas.depth_clamp = true;
    areas.point_quad_rasterization = true;
    return areas;
}

/* D3D 15.14.1: with MultisampleEnable lines are rectangles, however many samples there are; without it they are aliased,
 * or with AntialiasedLineEnable a part of each pixel. */
struct sch_rasterizer_options sch_rules_of_lines(const struct sch_draw_pipeline *draw)
{
    struct sch_rasterizer_options lines = *draw->rasterizer;
    if (!draw->link->d3d) return lines;
    lines.line_rectangular = lines.multisample;
    lines.line_smooth = lines.line_smooth && !lines.multisample;
    return lines;
}

/* OpenGL 4.6 14.9.3: "If MULTISAMPLE is disabled, or if the value of SAMPLE_BUFFERS is not one, this step is skipped"; D3D
 * 17.17: "always applied, regardless of whether Multisample rendertargets are bound or not". */
bool sch_rules_have_samples(const struct sch_draw_pipeline *draw)
{
    return draw->link->d3d || (draw->rasterizer->multisample && draw->framebuffer->samples > 1);
}

/* D3D 15.2: without a pixel shader, DepthEnable and StencilEnable. */
bool sch_rules_disable_rasterization(const struct sch_draw_pipeline *draw)
{
    const struct sch_depth_stencil_alpha_options *tests = draw->depth_stencil_alpha;
    return draw->link->d3d && draw->link->no_fragment && !tests->depth_enabled && !tests->stencil[0].enabled;
}
