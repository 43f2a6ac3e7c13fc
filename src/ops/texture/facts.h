/* What filters need to know of a format. Holds no decoding. */
#ifndef SCH_OPS_TEXTURE_FACTS_H
#define SCH_OPS_TEXTURE_FACTS_H

#include "ops/op.h"
#include "ops/texture/format.h"

OPS_INLINE bool tex_is_integer(const struct tex_format *format) { return (format->flags & TEX_INTEGER) != 0; }
OPS_INLINE bool tex_is_exact(const struct tex_format *format) { return (format->flags & TEX_EXACT) != 0; }

/* The type of the channel that R comes from: of those that every component shares it is that of all. */
OPS_INLINE unsigned tex_type_of(const struct tex_format *format)
{
    OPS_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (format->channel[i].type != TEX_VOID) return format->channel[i].type;
    return TEX_VOID;
}

OPS_INLINE bool tex_is_signed(const struct tex_format *format)
{
    unsigned type = tex_type_of(format);
    return type == TEX_SNORM || type == TEX_SINT || type == TEX_SSCALED;
}

#endif
