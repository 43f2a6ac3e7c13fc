/* Depth bounds, stencil and depth of one texel, as OpenGL 4.6 17.3.3, 17.3.4, EXT_depth_bounds_test and
 * docs/pipeline.md say them. Must not include anything of src. */
#ifndef TESTS_DEPTH_REFERENCE_H
#define TESTS_DEPTH_REFERENCE_H

#include <scheelite/state.h>

/* Where depth and stencil are in a texel: bits and first bit; 0 bits: nowhere. */
struct ref_depth_layout {
    enum sch_format format;
    const char *name;
    unsigned bytes, depth_bits, depth_at, stencil_at;
    bool is_float, has_stencil;
};
enum { REF_DEPTH_LAYOUTS = 10 };
extern const struct ref_depth_layout ref_depth_layouts[REF_DEPTH_LAYOUTS];

/* A texel of up to 64 bits, as a number. */
uint64_t ref_ones(unsigned bits);
uint32_t ref_field(uint64_t texel, unsigned at, unsigned bits);
uint64_t ref_with_field(uint64_t texel, unsigned at, unsigned bits, uint32_t value);

/* A depth as it is stored. */
uint32_t ref_depth_code(const struct ref_depth_layout *layout, double z, float min, float max);
bool ref_compare_floats(enum sch_compare function, float a, float b);

enum ref_verdict { REF_PASSED, REF_FAILED_BOUNDS, REF_FAILED_STENCIL, REF_FAILED_DEPTH };

struct ref_depth_fragment {
    bool back;
    uint32_t code, reference;
};

enum ref_verdict ref_depth_test(const struct ref_depth_layout *layout,
                                const struct sch_depth_stencil_alpha_options *state,
                                const struct ref_depth_fragment *fragment, uint64_t *texel);

#endif
