/* What the traced level of src/ops writes down beside its results (struct sch_texture_trace): hooks at the places where
 * lookups decide levels and use texels. Without SCH_TRACE they are empty, so that there is one meaning and the other
 * levels pay nothing. */
#ifndef SCH_OPS_TEXTURE_TRACE_H
#define SCH_OPS_TEXTURE_TRACE_H

#include "ops/texture/decode.h"

/* A texel of each lane in `mask` (weight not 0): where it is, what it is worth. */
struct tex_used {
    vi32 mask, border;
    vi32 x, y, z;
    vf32 weight;
    uint32_t level;
    unsigned tap;
};

#ifdef SCH_TRACE

OPS_INLINE void tex_trace_texel(struct sch_texture_trace *trace, unsigned vector, const struct tex_used *used,
                                const struct tex_texel *value)
{
    if (!trace) return;
    V_EACH_LANE(i) {
        if (!used->mask[i]) continue;
        unsigned lane = vector * SCH_LANES + (unsigned)i;
        bool border = used->border[i] != 0;
        trace->lane[lane].texels += !border;
        if (trace->texel_count >= trace->texel_capacity) continue;
        struct sch_trace_texel *to = &trace->texels[trace->texel_count++];
        *to = (struct sch_trace_texel){.lane = lane,
                                       .level = used->level,
                                       .tap = used->tap,
                                       .x = (uint32_t)used->x[i],
                                       .y = (uint32_t)used->y[i],
                                       .z = (uint32_t)used->z[i],
                                       .border = border,
                                       .weight = used->weight[i]};
        for (unsigned c = 0; c < 4; c++) to->value[c] = v_as_u32(value->c[c])[i];
    }
}

#else

OPS_INLINE void tex_trace_texel(struct sch_texture_trace *trace, unsigned vector, const struct tex_used *used,
                                const struct tex_texel *value)
{
    (void)trace, (void)vector, (void)used, (void)value;
}

#endif
#endif
