/* What formats are to conversions, and the bits that a write leaves. */
#include "texture/convert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/errors.h"
#include "ops/texture/format.h"

const char *sch_texels_format_name(unsigned format)
{
    const struct sch_word *row = sch_word_by_number(SCH_WORDS_FORMAT, format);
    return row ? row->word : "(unknown)";
}

enum sch_result sch_texels_refuse(enum sch_result result, struct sch_diagnostics *diagnostics, const char *format, ...)
{
    char message[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_CONVERSION, (struct sch_position){0}, "%s",
                        message);
    return result;
}

static uint32_t parts_of(const struct tex_format *facts)
{
    if (!(facts->flags & (TEX_DEPTH | TEX_STENCIL))) return SCH_PART_COLOR;
    return (facts->component[0] < TEX_ZERO ? SCH_PART_DEPTH : 0u) |
           (facts->component[1] < TEX_ZERO ? SCH_PART_STENCIL : 0u);
}

static enum sch_numbers numbers_of(const struct tex_format *facts)
{
    const unsigned type = facts->channel[0].type;
    if (facts->kind == TEX_KIND_WIDE)
        return type == TEX_FLOAT  ? SCH_NUMBERS_DOUBLE
               : type == TEX_SINT ? SCH_NUMBERS_LONG_SIGNED
                                  : SCH_NUMBERS_LONG_UNSIGNED;
    if (!(facts->flags & TEX_INTEGER)) return SCH_NUMBERS_FLOAT;
    for (unsigned i = 0; i < 4; i++)
        if (facts->channel[i].type == TEX_SINT) return SCH_NUMBERS_SIGNED;
    return SCH_NUMBERS_UNSIGNED;
}

struct sch_texels_kind sch_texels_kind_of(unsigned format)
{
    const struct tex_format *facts = &tex_formats[format];
    struct sch_texels_kind kind = {.parts = parts_of(facts), .numbers = numbers_of(facts)};
    kind.written = facts->flags & TEX_STORABLE || kind.parts != SCH_PART_COLOR;
    kind.averaged = kind.written && kind.numbers == SCH_NUMBERS_FLOAT && !(kind.parts & SCH_PART_STENCIL);
    return kind;
}

bool sch_texels_are_srgb(unsigned format) { return tex_formats[format].flags & TEX_SRGB; }
bool sch_texels_are_bytes(unsigned format) { return tex_is_unorm8(&tex_formats[format]); }

const struct sch_texels_names sch_texels_plain = {".level", ".format"};
const struct sch_texels_names sch_texels_source = {".source_level", ".source_format"};

enum sch_result sch_texels_of(const struct sch_texture_resource *resource, uint32_t level, enum sch_format format,
                              const struct sch_texels_names *names, struct sch_texels *texels,
                              struct sch_diagnostics *diagnostics)
{
    const unsigned own = sch_texture_resource_shape(resource)->format;
    if (!sch_surface_of(resource, level, names->level, &texels->surface, diagnostics)) return SCH_ERROR_ARGUMENT;
    texels->format = format ? (unsigned)format : own;
    if (!sch_texture_same_blocks(texels->format, own)) {
        sch_refuse_argument(diagnostics, names->format, "format %s: it has other blocks than the resource's, %s",
                            sch_texels_format_name(texels->format), sch_texels_format_name(own));
        return SCH_ERROR_ARGUMENT;
    }
    const struct sch_texels_kind kind = sch_texels_kind_of(texels->format);
    texels->parts = kind.parts;
    texels->numbers = kind.numbers;
    texels->written = kind.written;
    texels->averaged = kind.averaged;
    return SCH_OK;
}

enum sch_result sch_texels_check_written(const struct sch_texels *texels, struct sch_diagnostics *diagnostics)
{
    if (texels->written) return SCH_OK;
    return sch_texels_refuse(SCH_ERROR_UNSUPPORTED, diagnostics, "texels of format %s are not encoded",
                             sch_texels_format_name(texels->format));
}

unsigned sch_texels_components(const struct sch_texels *texels, uint32_t parts)
{
    if (texels->parts == SCH_PART_COLOR) return parts & SCH_PART_COLOR;
    return (parts & SCH_PART_DEPTH ? 1u : 0u) | (parts & SCH_PART_STENCIL ? 2u : 0u);
}

bool sch_texels_are_separate(const struct sch_texels *texels, unsigned components)
{
    return texels->format != SCH_FORMAT_R9G9B9E5_FLOAT || (components & 7) == 7;
}

/* One texel is written over zeros and over ones: what differs was there before. */
void sch_texels_pattern(const struct sch_texels *texels, unsigned components, const uint32_t value[4],
                        struct sch_pattern *pattern)
{
    const struct sch_ops *ops = sch_ops_for_width(0);
    struct sch_lanes component[4];
    const struct sch_lanes *const from[4] = {&component[0], &component[1], &component[2], &component[3]};
    for (unsigned c = 0; c < 4; c++) ops->splat(&component[c], value[c]);
    memset(pattern->block, 0, sizeof pattern->block);
    memset(pattern->kept, 255, sizeof pattern->kept);
    ops->texels_write(texels->format, components, pattern->block, 1, from);
    ops->texels_write(texels->format, components, pattern->kept, 1, from);
    pattern->whole = true;
    for (unsigned i = 0; i < texels->surface.block.bytes; i++) {
        pattern->kept[i] ^= pattern->block[i];
        if (pattern->kept[i]) pattern->whole = false;
    }
}
