/* Comparisons of the output: a function of enum sch_compare on floats and on unsigned integers. */
#ifndef SCH_OPS_RASTER_COMPARE_H
#define SCH_OPS_RASTER_COMPARE_H

#include "ops/op.h"

#define RASTER_COMPARE(name, type)                                                                                     \
    OPS_INLINE vi32 name(unsigned function, type a, type b)                                                            \
    {                                                                                                                  \
        switch (function) {                                                                                            \
        case SCH_COMPARE_NEVER:                                                                                        \
            return v_splat_i32(0);                                                                                     \
        case SCH_COMPARE_LESS:                                                                                         \
            return (vi32)(a < b);                                                                                      \
        case SCH_COMPARE_EQUAL:                                                                                        \
            return (vi32)(a == b);                                                                                     \
        case SCH_COMPARE_GREATER:                                                                                      \
            return (vi32)(a > b);                                                                                      \
        case SCH_COMPARE_NOTEQUAL:                                                                                     \
            return (vi32)(a != b);                                                                                     \
        case SCH_COMPARE_GEQUAL:                                                                                       \
            return (vi32)(a >= b);                                                                                     \
        case SCH_COMPARE_ALWAYS:                                                                                       \
            return v_splat_i32(-1);                                                                                    \
        default: /* LEQUAL, and NONE */                                                                                \
            return (vi32)(a <= b);                                                                                     \
        }                                                                                                              \
    }
RASTER_COMPARE(raster_compare_f32, vf32)
RASTER_COMPARE(raster_compare_u32, vu32)
#undef RASTER_COMPARE

#endif
