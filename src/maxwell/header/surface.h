/* A header as surface instructions see it: where its texels are, and which format they have. */
#ifndef SCH_MAXWELL_HEADER_SURFACE_H
#define SCH_MAXWELL_HEADER_SURFACE_H

#include "maxwell/header/layout.h"

struct sch_maxwell_surface {
    uint64_t address;
    uint32_t row_bytes, rows; /* of the level that is seen */
    uint32_t slices, layers;
    uint32_t pitch; /* where `blocks` is not set */
    bool blocks;
    uint64_t layer_stride;
    struct sch_maxwell_level level;
    uint32_t element_bytes; /* of a texel, or of a block of several */
    uint16_t format;        /* enum sch_format, of sRGB where the header converts */
    uint8_t component[4];   /* where `format` has the layout's R, G, B, A: 0..3; 4: reads 0, 5: reads 1 */
};

/* Results as those of sch_maxwell_texture_create; no memory is read. Headers with samples are UNSUPPORTED. */
enum sch_result sch_maxwell_surface_read(const uint32_t header[SCH_MAXWELL_HEADER_WORDS],
                                         struct sch_diagnostics *diagnostics, struct sch_maxwell_surface *surface);

/* The address of byte x of row y of a slice and layer that there are. */
uint64_t sch_maxwell_surface_address(const struct sch_maxwell_surface *surface, uint32_t x, uint32_t y, uint32_t slice,
                                     uint32_t layer);

#endif
