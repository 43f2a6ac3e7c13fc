/* Texel formats from outside: their names, and what each is and can be used for. */
#include <scheelite/resource.h>

#include <string.h>

#include "api/api.h"
#include "ops/texture/format.h"
#include "pipeline/fetch.h"
#include "pipeline/output_key.h"
#include "texture/convert.h"

enum sch_format sch_format_by_name(const char *name)
{
    static const char prefix[] = "PIPE_FORMAT_";
    if (!name) return SCH_FORMAT_NONE;
    const struct sch_word *word = sch_word_find(SCH_WORDS_FORMAT, name, strlen(name));
    if (!word && strncmp(name, prefix, sizeof prefix - 1) == 0) {
        name += sizeof prefix - 1;
        word = sch_word_find(SCH_WORDS_FORMAT, name, strlen(name));
    }
    return word ? (enum sch_format)word->number : SCH_FORMAT_NONE;
}

/* Bits of the channel that a component comes from; 0: it comes from none. Channels of 64 bits are two of those that the
 * unit knows. */
static uint32_t bits_of(const struct tex_format *facts, unsigned component)
{
    const bool wide = facts->kind == TEX_KIND_WIDE;
    if (wide && component >= 2) return 0;
    const unsigned channel = facts->component[wide ? 2 * component : component];
    return channel < TEX_ZERO ? (uint32_t)facts->channel[channel].bits << wide : 0;
}

/* Formats with components of several types, depth and stencil, have the first one's. */
static enum sch_component_type type_of(const struct tex_format *facts)
{
    static const enum sch_component_type types[] = {
        [TEX_VOID] = SCH_COMPONENT_NONE,       [TEX_UNORM] = SCH_COMPONENT_UNORM,
        [TEX_SNORM] = SCH_COMPONENT_SNORM,     [TEX_USCALED] = SCH_COMPONENT_USCALED,
        [TEX_SSCALED] = SCH_COMPONENT_SSCALED, [TEX_FIXED] = SCH_COMPONENT_FIXED,
        [TEX_UINT] = SCH_COMPONENT_UINT,       [TEX_SINT] = SCH_COMPONENT_SINT,
        [TEX_FLOAT] = SCH_COMPONENT_FLOAT};
    for (unsigned c = 0; c < 4; c++)
        if (facts->component[c] < TEX_ZERO) return types[facts->channel[facts->component[c]].type];
    return SCH_COMPONENT_NONE;
}

static uint32_t uses_of(unsigned format, const struct tex_format *facts, const struct sch_texels_kind *kind)
{
    const bool atomic = format == SCH_FORMAT_R32_UINT || format == SCH_FORMAT_R32_SINT;
    return (uint32_t)SCH_USE_SAMPLED | (facts->flags & TEX_INTEGER ? 0u : SCH_USE_FILTERED) |
           (sch_texture_storable(format) ? SCH_USE_STORED : 0u) | (atomic ? SCH_USE_ATOMIC : 0u) |
           (kind->written ? SCH_USE_WRITTEN : 0u) | (kind->averaged ? SCH_USE_MIPS : 0u) |
           (sch_format_is_color((enum sch_format)format) ? SCH_USE_RENDER_TARGET : 0u) |
           (sch_format_is_depth_stencil((enum sch_format)format) ? SCH_USE_DEPTH_STENCIL : 0u);
}

/* For a format that is read. */
static void describe(unsigned format, struct sch_format_info *is)
{
    const struct tex_format *facts = &tex_formats[format];
    const struct sch_texels_kind kind = sch_texels_kind_of(format);
    const bool color = kind.parts == SCH_PART_COLOR;
    is->block_width = facts->block_width;
    is->block_height = facts->block_height;
    is->block_depth = facts->block_depth;
    is->block_bytes = facts->bytes;
    is->parts = kind.parts;
    is->uses = uses_of(format, facts, &kind);
    for (unsigned c = 0; c < 4 && color; c++) is->color_bits[c] = bits_of(facts, c);
    is->depth_bits = color ? 0 : bits_of(facts, 0);
    is->stencil_bits = color ? 0 : bits_of(facts, 1);
    is->integers = kind.numbers != SCH_NUMBERS_FLOAT && kind.numbers != SCH_NUMBERS_DOUBLE;
    is->is_signed = kind.numbers == SCH_NUMBERS_SIGNED || kind.numbers == SCH_NUMBERS_LONG_SIGNED;
    is->srgb = facts->flags & TEX_SRGB;
    is->component_type = type_of(facts);
}

enum sch_result sch_format_get_info(enum sch_format format, struct sch_format_info *info)
{
    if (!info || !sch_sized_fits(info->size, sizeof *info)) return SCH_ERROR_ARGUMENT;
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_FORMAT, (unsigned)format);
    if (!word) return SCH_ERROR_ARGUMENT;
    struct sch_format_info is = {.name = word->word};
    if (sch_texture_block_bytes((unsigned)format)) describe((unsigned)format, &is);
    if (sch_fetch_has_format((unsigned)format)) is.uses |= SCH_USE_VERTICES;
    sch_sized_write(info, &is, sizeof is);
    return SCH_OK;
}
