/* What blending asks of a framebuffer and of a fragment program: one colour buffer where the second source or an
 * advanced equation is used, and a program that declares the equation (docs/pipeline.md, "Blending"). */
#include "api/draw.h"
#include "exec/program.h"

/* ---- factors of the second source ---- */

static bool is_of_second_source(enum sch_blend_factor factor)
{
    return factor == SCH_FACTOR_SRC1_COLOR || factor == SCH_FACTOR_SRC1_ALPHA || factor == SCH_FACTOR_INV_SRC1_COLOR ||
           factor == SCH_FACTOR_INV_SRC1_ALPHA;
}

bool sch_api_needs_second_source(const struct sch_blend_target *target)
{
    if (!target->enabled) return false;
    const bool color = is_of_second_source(target->color_source) || is_of_second_source(target->color_destination),
               alpha = is_of_second_source(target->alpha_source) || is_of_second_source(target->alpha_destination);
    return (color && target->color_equation < SCH_BLEND_MIN) || (alpha && target->alpha_equation < SCH_BLEND_MIN);
}

/* ---- one colour buffer ---- */

/* The first colour buffer after number 0; 0: there is none. */
static uint32_t other_buffer(const struct sch_draw_framebuffer *framebuffer)
{
    for (uint32_t n = 1; n < SCH_COLOR_BUFFERS; n++)
        if (framebuffer->colors[n].texels) return n;
    return 0;
}

/* OpenGL 17.3.6.3, where MAX_DUAL_SOURCE_DRAW_BUFFERS is 1; D3D 17.6; KHR_blend_equation_advanced, "Errors". */
static bool buffers_hold(const struct sch_draw_pipeline *draw, bool advanced, struct sch_diagnostics *list)
{
    const uint32_t other = other_buffer(draw->framebuffer);
    if (!other) return true;
    if (advanced)
        return sch_refuse_argument(list, ".blend",
                                   "draw: an advanced blend equation, and colour buffer %u beside number 0", other);
    return !sch_api_needs_second_source(&draw->blend->targets[0]) ||
           sch_refuse_argument(list, ".blend",
                               "draw: blending has a factor of the second source, and colour buffer %u beside number 0",
                               other);
}

/* ---- declared equations ---- */

static const char *name_of(enum sch_advanced_blend equation)
{
    static const char *const names[] = {"NONE",      "MULTIPLY",       "SCREEN",     "OVERLAY",
                                        "DARKEN",    "LIGHTEN",        "COLORDODGE", "COLORBURN",
                                        "HARDLIGHT", "SOFTLIGHT",      "DIFFERENCE", "EXCLUSION",
                                        "HSL_HUE",   "HSL_SATURATION", "HSL_COLOR",  "HSL_LUMINOSITY"};
    return names[equation];
}

/* Bit n of the property is equation n (Mesa: blend_support_multiply is 2, all equations are 0xfffe). */
static void warn_undeclared(const struct sch_program *program, enum sch_advanced_blend equation,
                            struct sch_diagnostics *list)
{
    const uint32_t bit = UINT32_C(1) << equation;
    const struct sch_prepared_property *declared =
        &program->exec->prepared.interface.properties[SCH_PROPERTY_FS_BLEND_EQUATION_ADVANCED];
    if (!sch_diagnostics_hears(list) || declared->value & bit) return;
    if (atomic_fetch_or_explicit(program->told_equations, bit, memory_order_relaxed) & bit) return;
    sch_diagnostics_name(list, program->name);
    sch_diagnostics_add(list, SCH_SEVERITY_WARNING, SCH_D_BLEND_UNDECLARED, (struct sch_position){0},
                        "colours are blended by %s, which FS_BLEND_EQUATION_ADVANCED (0x%x) does not have",
                        name_of(equation), declared->value);
}

bool sch_api_blending_holds(const struct sch_pipeline *pipeline, const struct sch_draw_pipeline *draw,
                            struct sch_diagnostics *list)
{
    const struct sch_blend_options *blend = draw->blend;
    if (blend->logic_enabled || !blend->targets[0].enabled) return true;
    const bool advanced = blend->advanced != SCH_ADVANCED_NONE;
    if (!buffers_hold(draw, advanced, list)) return false;
    if (advanced && !pipeline->empty) warn_undeclared(pipeline->programs[SCH_STAGE_FRAGMENT], blend->advanced, list);
    return true;
}
