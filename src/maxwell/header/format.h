/* Which texel format a texture header's texels are. */
#ifndef SCH_MAXWELL_HEADER_FORMAT_H
#define SCH_MAXWELL_HEADER_FORMAT_H

#include "maxwell/header/header.h"

/* Fills format, format_linear, swizzle, fixed, component and srgb. UNSUPPORTED or INVALID, reported by field. */
enum sch_result sch_maxwell_header_format(const uint32_t *words, struct sch_diagnostics *diagnostics,
                                          struct sch_maxwell_texture *texture);

#endif
