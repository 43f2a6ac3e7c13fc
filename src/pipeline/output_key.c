/* Keys of the output: what state asks for, less what the format does not have. docs/pipeline.md, "Depth and stencil"
 * and "Blending". */
#include "pipeline/output_key.h"

#include <stddef.h>

#include "ops/texture/format.h"

static const struct tex_format *facts_of(enum sch_format format)
{
    return &tex_formats[(unsigned)format < SCH_FORMAT_LIMIT ? (unsigned)format : 0];
}

/* Scaled and fixed channels are of vertices: no text says how they are blended. */
static bool is_rendered_type(unsigned type)
{
    return type == TEX_VOID || type == TEX_UNORM || type == TEX_SNORM || type == TEX_FLOAT || type == TEX_UINT ||
           type == TEX_SINT;
}

bool sch_format_is_color(enum sch_format format)
{
    const struct tex_format *facts = facts_of(format);
    for (unsigned i = 0; i < 4; i++)
        if (!is_rendered_type(facts->channel[i].type)) return false;
    return facts->flags & TEX_STORABLE && facts->kind != TEX_KIND_WIDE;
}

/* Views of stencil alone (X24S8) are for lookups. */
bool sch_format_has_stencil(enum sch_format format)
{
    const struct tex_format *facts = facts_of(format);
    if (!(facts->flags & (TEX_DEPTH | TEX_STENCIL))) return false;
    return facts->component[1] < TEX_ZERO && (facts->flags & TEX_DEPTH || facts->bytes == 1);
}

bool sch_format_has_depth(enum sch_format format) { return (facts_of(format)->flags & TEX_DEPTH) != 0; }

double sch_format_depth_unit(enum sch_format format)
{
    const double of_16 = 0x1.000102p-16, of_24 = 0x1.000002p-24;
    const struct tex_format *facts = facts_of(format);
    if (!sch_format_has_depth(format)) return of_24;
    const struct tex_channel *channel = &facts->channel[facts->component[0]];
    if (channel->type == TEX_FLOAT) return 0;
    return channel->bits == 16 ? of_16 : of_24;
}

bool sch_format_is_depth_stencil(enum sch_format format)
{
    return sch_format_has_depth(format) || sch_format_has_stencil(format);
}

bool sch_format_is_integer(enum sch_format format)
{
    return sch_format_is_color(format) && facts_of(format)->flags & TEX_INTEGER;
}

unsigned sch_format_texel_bytes(enum sch_format format)
{
    return sch_format_is_color(format) || sch_format_is_depth_stencil(format) ? facts_of(format)->bytes : 0;
}

/* ---- colours ---- */

/* Whether all colour channels are normalised: what is blended is then finite. */
static bool is_normalized(const struct tex_format *facts)
{
    for (unsigned i = 0; i < 4; i++) {
        const unsigned type = facts->channel[i].type;
        if (type != TEX_VOID && type != TEX_UNORM && type != TEX_SNORM) return false;
    }
    return true;
}

/* Whether all are of 0..1, to which colours are clamped in any case. */
static bool is_unsigned(const struct tex_format *facts)
{
    for (unsigned i = 0; i < 4; i++)
        if (facts->channel[i].type != TEX_VOID && facts->channel[i].type != TEX_UNORM) return false;
    return true;
}

static bool is_float(const struct tex_format *facts)
{
    for (unsigned i = 0; i < 4; i++)
        if (facts->channel[i].type == TEX_FLOAT) return true;
    return false;
}

/* The components that channels are stored from. */
static unsigned stored_components(const struct tex_format *facts)
{
    unsigned stored = 0;
    for (unsigned channel = 0; channel < 4; channel++)
        for (unsigned c = 0; c < 4; c++)
            if (facts->component[c] == channel && facts->channel[channel].type != TEX_VOID) {
                stored |= 1u << c;
                break;
            }
    return stored;
}

static bool factor_reads_second(unsigned factor)
{
    return factor == SCH_FACTOR_SRC1_COLOR || factor == SCH_FACTOR_SRC1_ALPHA || factor == SCH_FACTOR_INV_SRC1_COLOR ||
           factor == SCH_FACTOR_INV_SRC1_ALPHA;
}

static bool factor_reads_destination(unsigned factor)
{
    return factor == SCH_FACTOR_DST_COLOR || factor == SCH_FACTOR_DST_ALPHA || factor == SCH_FACTOR_INV_DST_COLOR ||
           factor == SCH_FACTOR_INV_DST_ALPHA || factor == SCH_FACTOR_SRC_ALPHA_SATURATE;
}

static bool equation_has_factors(unsigned equation) { return equation != SCH_BLEND_MIN && equation != SCH_BLEND_MAX; }

/* A destination that is multiplied by 0 is 0, unless it can be infinite or NaN (Direct3D 11.3 17.5: "including 0.0
 * blend weights"). */
static bool equation_reads(unsigned equation, unsigned source, unsigned destination, bool normalized)
{
    if (!equation_has_factors(equation) || !normalized) return true;
    return destination != SCH_FACTOR_ZERO || factor_reads_destination(source);
}

static bool logic_reads(unsigned operation)
{
    return operation != SCH_LOGIC_CLEAR && operation != SCH_LOGIC_COPY && operation != SCH_LOGIC_COPY_INVERTED &&
           operation != SCH_LOGIC_SET;
}

static void blend_by(struct sch_color_key *key, const struct sch_blend_target *target)
{
    key->mode = SCH_MERGE_BLEND;
    key->color_equation = (uint8_t)target->color_equation;
    key->alpha_equation = (uint8_t)target->alpha_equation;
    if (equation_has_factors(key->color_equation)) {
        key->color_source = (uint8_t)target->color_source;
        key->color_destination = (uint8_t)target->color_destination;
    }
    if (equation_has_factors(key->alpha_equation)) {
        key->alpha_source = (uint8_t)target->alpha_source;
        key->alpha_destination = (uint8_t)target->alpha_destination;
    }
    key->second_source = factor_reads_second(key->color_source) || factor_reads_second(key->color_destination) ||
                         factor_reads_second(key->alpha_source) || factor_reads_second(key->alpha_destination);
}

/* What happens to colours (OpenGL 17.3.6, 17.3.9): with a logic operation nothing is blended, even where it is
 * ignored. */
static void choose_mode(struct sch_color_key *key, const struct sch_blend_options *blend,
                        const struct sch_blend_target *target, const struct tex_format *facts)
{
    if (blend->logic_enabled) {
        if (is_float(facts) || facts->flags & TEX_SRGB) return;
        key->mode = SCH_MERGE_LOGIC;
        key->logic_operation = (uint8_t)blend->logic_operation;
    } else if (target->enabled && !(facts->flags & TEX_INTEGER)) {
        if (blend->advanced == SCH_ADVANCED_NONE) {
            blend_by(key, target);
        } else {
            key->mode = SCH_MERGE_ADVANCED;
            key->advanced = (uint8_t)blend->advanced;
        }
    }
}

static bool mode_reads(const struct sch_color_key *key, const struct tex_format *facts)
{
    const unsigned stored = stored_components(facts);
    const bool normalized = is_normalized(facts);
    switch (key->mode) {
    case SCH_MERGE_BLEND:
        if (stored & 7 && equation_reads(key->color_equation, key->color_source, key->color_destination, normalized))
            return true;
        return stored & 8 && equation_reads(key->alpha_equation, key->alpha_source, key->alpha_destination, normalized);
    case SCH_MERGE_ADVANCED:
        return true;
    case SCH_MERGE_LOGIC:
        return logic_reads(key->logic_operation);
    default:
        return false;
    }
}

static uint8_t any_blend_of(const struct sch_color_key *key)
{
    static const struct {
        uint16_t format;
        uint8_t color_mask, constant;
    } rows[] = {
#define MERGE(...)
#define MERGE_ANY(kind, written) {SCH_FORMAT_##kind, written, SCH_MERGE_CONSTANT_##kind##_ANY},
#include "abi/merges.def"
#undef MERGE
#undef MERGE_ANY
    };
    if (key->mode != SCH_MERGE_BLEND || key->clamp || key->second_source) return SCH_MERGE_CONSTANT_NONE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (key->format == rows[i].format && key->color_mask == rows[i].color_mask) return rows[i].constant;
    return SCH_MERGE_CONSTANT_NONE;
}

/* The row of abi/merges.def that a key is. */
static uint8_t constant_of(const struct sch_color_key *key)
{
    static const struct sch_color_key rows[] = {
#define MERGE(kind, name, way, written, source, destination, source_alpha, destination_alpha)                          \
    {.format = SCH_FORMAT_##kind,                                                                                      \
     .mode = SCH_MERGE_##way,                                                                                          \
     .color_mask = written,                                                                                            \
     .color_source = source,                                                                                           \
     .color_destination = destination,                                                                                 \
     .alpha_source = source_alpha,                                                                                     \
     .alpha_destination = destination_alpha,                                                                           \
     .constant = SCH_MERGE_CONSTANT_##kind##_##name},
#define MERGE_ANY(kind, written)
#include "abi/merges.def"
#undef MERGE
#undef MERGE_ANY
    };
    if (key->clamp || key->color_equation || key->alpha_equation) return any_blend_of(key);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (key->format == rows[i].format && key->mode == rows[i].mode && key->color_mask == rows[i].color_mask &&
            key->color_source == rows[i].color_source && key->color_destination == rows[i].color_destination &&
            key->alpha_source == rows[i].alpha_source && key->alpha_destination == rows[i].alpha_destination)
            return rows[i].constant;
    return any_blend_of(key);
}

struct sch_color_key sch_color_key_of(const struct sch_blend_options *blend, unsigned target, enum sch_format format,
                                      bool clamp)
{
    const struct tex_format *facts = facts_of(format);
    const struct sch_blend_target *of = &blend->targets[blend->independent ? target : 0];
    const unsigned stored = stored_components(facts);
    struct sch_color_key key = {.format = (uint16_t)format, .color_mask = of->color_mask & stored};
    key.clamp = clamp && !is_unsigned(facts) && !(facts->flags & TEX_INTEGER);
    choose_mode(&key, blend, of, facts);
    key.reads = mode_reads(&key, facts) || key.color_mask != stored;
    key.constant = constant_of(&key);
    return key;
}

void sch_color_key_follow_d3d(struct sch_color_key *key)
{
    const struct tex_format *facts = facts_of((enum sch_format)key->format);
    for (unsigned i = 0; i < 4; i++) key->d3d |= facts->channel[i].type == TEX_FLOAT && facts->channel[i].bits == 16;
    if (key->d3d) key->constant = SCH_MERGE_CONSTANT_NONE;
}

/* ---- depth and stencil ---- */

struct sch_depth_stencil_key sch_depth_stencil_key_of(const struct sch_depth_stencil_alpha_options *state,
                                                      enum sch_format format)
{
    const bool depth = sch_format_has_depth(format), stencil = sch_format_has_stencil(format);
    struct sch_depth_stencil_key key = {.format = (uint16_t)format,
                                        .depth_test = depth && state->depth_enabled,
                                        .depth_bounds = depth && state->depth_bounds,
                                        .depth_function = (uint8_t)state->depth_function,
                                        .bounds_min = state->depth_bounds_min,
                                        .bounds_max = state->depth_bounds_max};
    key.depth_writes = key.depth_test && state->depth_writes;
    if (!stencil) return key;
    key.two_sided = state->stencil[1].enabled;
    key.stencil[0] = state->stencil[0];
    if (key.two_sided) key.stencil[1] = state->stencil[1];
    return key;
}

bool sch_depth_stencil_touches(const struct sch_depth_stencil_key *key)
{
    return key->depth_test || key->depth_bounds || key->stencil[0].enabled || key->stencil[1].enabled;
}
