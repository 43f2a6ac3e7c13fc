/* What is around a program that shades fragments, as machine code takes it: the fragments of a group, and for code
 * that interpolates inputs and writes colours itself the constants of a draw and its values. Plain structs, shared by
 * the code that makes them (src/pipeline), the operations (src/ops/raster) and machine code. Holds no meaning:
 * docs/pipeline.md. */
#ifndef SCH_ABI_FRAGMENT_H
#define SCH_ABI_FRAGMENT_H

#include <stddef.h>

#include "abi/output.h"
#include "abi/raster.h"

/* The fragments of a group. */
struct sch_tile_group {
    struct sch_quads quads;
    uint32_t count;                  /* quads that are used: the first ones, but those of whole blocks */
    uint8_t sample[SCH_GROUP_QUADS]; /* that a quad's fragments are of, where programs run for each sample */
    uint32_t masks[SCH_MAX_SAMPLES]; /* lanes that have the sample */
    uint32_t back;                   /* lanes of back faces */
    uint32_t covered;                /* lanes that are fragments */
    struct sch_lanes part;           /* of smooth primitives: how much of a pixel is covered, 0 to 256 */
    bool smooth;                     /* some primitive is */
    bool tested;                     /* `masks` and `covered` are what the early tests left */
    /* So many blocks, this one and those to the right of it, all of whose pixels are covered: 1, or else as `masks`
     * say. Code leaves 1. */
    uint32_t repeat;
    uint32_t passed, shaded; /* counted by code, over all blocks: samples that passed, and fragments that it began */
    /* Where programs run for each sample: lanes whose pixel has the sample, whichever one the lanes are of. */
    uint32_t pixel_masks[SCH_MAX_SAMPLES];
};

/* The primitive of a quad. */
static inline const struct sch_raster_primitive *sch_tile_primitive(const struct sch_tile_group *group, uint32_t q)
{
    const char *of = (const char *)group->quads.of[group->quads.same ? 0 : q];
    return (const struct sch_raster_primitive *)(of - offsetof(struct sch_raster_primitive, of));
}

/* From a block of whole ones to the next. */
static inline void sch_tile_group_advance(struct sch_tile_group *group, uint32_t samples, uint32_t sample_mask)
{
    typedef int32_t quads __attribute__((vector_size(SCH_GROUP_QUADS * 4), aligned(4), may_alias));
    *(quads *)group->quads.x += SCH_BLOCK_WIDTH;
    for (uint32_t s = 0; s < samples; s++) group->masks[s] = 0u - (sample_mask >> s & 1);
    group->covered = UINT32_MAX;
    group->repeat--;
}

/* ---- what code does around groups ---- */

enum sch_fragment_input_kind {
    SCH_FRAGMENT_CONSTANT, /* the provoking vertex' */
    SCH_FRAGMENT_LINEAR,
    SCH_FRAGMENT_PERSPECTIVE,
    SCH_FRAGMENT_POSITION,
    SCH_FRAGMENT_FACE, /* (+1 or -1, 0, 0, 1) */
    SCH_FRAGMENT_FIXED /* (0, 0, 0, 1) */
};
struct sch_fragment_input {
    uint16_t word; /* of vertices: the first one */
    uint8_t kind;  /* enum sch_fragment_input_kind */
    uint8_t mask;  /* channels that are read */
};

enum { SCH_FRAGMENT_NO_REGISTER = UINT16_MAX };
struct sch_fragment_color {
    struct sch_color_key key;
    uint16_t output, second; /* registers of OUT: the colour, and the second one or NO_REGISTER */
};

/* When depth and stencil are tested. */
enum sch_fragment_tests {
    SCH_FRAGMENT_UNTESTED,
    SCH_FRAGMENT_EARLY, /* before the program: what fails is not in `masks` and `covered` when it begins */
    SCH_FRAGMENT_LATE   /* after it: what fails, or was discarded, is not in `masks` afterwards */
};

/* Constants of a draw. All inputs are at the pixels' centres. */
enum { SCH_FRAGMENT_INPUTS = 16, SCH_FRAGMENT_COLORS = 8 };
struct sch_fragment_form {
    uint8_t input_count, color_count;
    uint8_t samples;                      /* of the framebuffer */
    bool lower_left, integer_center, d3d; /* as struct sch_position_key */
    uint8_t tests;                        /* enum sch_fragment_tests */
    uint8_t alpha_function;               /* enum sch_compare; NONE: there is no alpha test */
    struct sch_depth_stencil_key depth_stencil;
    uint16_t alpha, depth; /* registers of OUT, or NO_REGISTER: what is tested, and depth that late tests take */
    bool clamp;            /* alpha, to 0..1, before it is tested */
    uint8_t depth_layout;  /* FS_DEPTH_LAYOUT */
    bool depth_ranges;     /* depth is clamped to the ranges of primitives; else all of them have 0..1 */
    uint8_t unused;        /* 0 */
    struct sch_fragment_input input[SCH_FRAGMENT_INPUTS];
    struct sch_fragment_color color[SCH_FRAGMENT_COLORS];
};
_Static_assert(sizeof(struct sch_fragment_form) ==
                   16 + sizeof(struct sch_depth_stencil_key) + 4 * SCH_FRAGMENT_INPUTS + 22 * SCH_FRAGMENT_COLORS,
               "the form is compared as bytes");

/* Room for what code keeps of a group's primitive, with any number of lanes (ops/raster/fragment.h). */
enum { SCH_FRAGMENT_KEPT_BYTES = 16384 };

/* What changes between draws. */
struct sch_fragment_values {
    struct sch_color_values colors;
    uint32_t height; /* as struct sch_position_key */
    uint32_t sample_mask;
    struct sch_sample_pattern pattern;    /* of the framebuffer */
    struct sch_draw_target depth_stencil; /* where there are tests */
    struct sch_depth_stencil_values stencil;
    float alpha_reference;
    struct sch_draw_target targets[SCH_FRAGMENT_COLORS]; /* of the form's colours, in its order */
};

#endif
