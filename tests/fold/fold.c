/* A lookup of the texture unit whose sampler key is a constant, as machine code for a known sampler has it. FOLD_KEY
 * names one of the keys below, FOLD_LOOKUP the lookup; fold.py compiles this once for each and looks at the
 * instructions. Without FOLD_KEY the key is in another object: that one must not fold. Holds no assertions. */
#include "ops/op.h"

/* Internal and inlined here, whatever the declarations in the file say: a first declaration decides. */
static __attribute__((always_inline, unused)) sch_sample_fn OPS_LOCAL(sample), OPS_LOCAL(texture_gather),
    OPS_LOCAL(lod_query);
static __attribute__((unused)) sch_fetch_fn OPS_LOCAL(fetch);
static __attribute__((unused)) sch_image_store_fn OPS_LOCAL(image_store);
static __attribute__((unused)) sch_image_texel_fn OPS_LOCAL(image_texel);

#include "ops/texture/texture.c"

#define FOLD_IDENTITY                                                                                                  \
    {                                                                                                                  \
        0, 1, 2, 3                                                                                                     \
    }
#define FOLD_LINEAR .min_linear = 1, .mag_linear = 1, .swizzle = FOLD_IDENTITY
#define FOLD_EDGE                                                                                                      \
    {                                                                                                                  \
        SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_EDGE                                         \
    }
#define FOLD_BORDER                                                                                                    \
    {                                                                                                                  \
        SCH_WRAP_CLAMP_TO_BORDER, SCH_WRAP_CLAMP_TO_BORDER, SCH_WRAP_CLAMP_TO_BORDER                                   \
    }

#define KEY_bilinear                                                                                                   \
    {                                                                                                                  \
        .format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_2D, FOLD_LINEAR                                      \
    }
#define KEY_nearest                                                                                                    \
    {                                                                                                                  \
        .format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_2D, .wrap = FOLD_EDGE, .swizzle = FOLD_IDENTITY      \
    }
#define KEY_trilinear                                                                                                  \
    {                                                                                                                  \
        .format = SCH_FORMAT_B8G8R8A8_UNORM, .target = SCH_TARGET_2D, .mip = 2, FOLD_LINEAR                            \
    }
#define KEY_shadow                                                                                                     \
    {                                                                                                                  \
        .format = SCH_FORMAT_R32_FLOAT, .target = SCH_TARGET_2D, .wrap = FOLD_EDGE, .compare = SCH_COMPARE_LEQUAL,     \
        FOLD_LINEAR                                                                                                    \
    }
#define KEY_volume                                                                                                     \
    {                                                                                                                  \
        .format = SCH_FORMAT_R32G32B32A32_FLOAT, .target = SCH_TARGET_3D, FOLD_LINEAR                                  \
    }
#define KEY_cube                                                                                                       \
    {                                                                                                                  \
        .format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_CUBE, .mip = 1, .seamless = 1, FOLD_LINEAR           \
    }
#define KEY_layers                                                                                                     \
    {                                                                                                                  \
        .format = SCH_FORMAT_R16G16_FLOAT, .target = SCH_TARGET_2D_ARRAY, .rules = SCH_RULES_D3D, .mip = 2,            \
        FOLD_LINEAR                                                                                                    \
    }
#define KEY_gather                                                                                                     \
    {                                                                                                                  \
        .format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_2D, .wrap = FOLD_EDGE, FOLD_LINEAR                   \
    }
#define KEY_srgb                                                                                                       \
    {                                                                                                                  \
        .format = SCH_FORMAT_R8G8B8A8_SRGB, .target = SCH_TARGET_2D, .mag_linear = 1, .swizzle = { 2, 1, 0, 5 }        \
    }
#define KEY_aniso                                                                                                      \
    {                                                                                                                  \
        .format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_2D, .mip = 2, .max_anisotropy = 16, FOLD_LINEAR      \
    }
#define KEY_border                                                                                                     \
    {                                                                                                                  \
        .format = SCH_FORMAT_R16_SNORM, .target = SCH_TARGET_1D, .wrap = FOLD_BORDER, FOLD_LINEAR                      \
    }

/* External, so that the object names it where anything of it is left to load. */
extern const struct sch_sampler_key fold_key;
#ifdef FOLD_KEY
const struct sch_sampler_key fold_key = FOLD_KEY;
#endif

#define FOLD_SYMBOL(name) OPS_LOCAL(name) /* expands the name first */

sch_sample_fn folded;
void folded(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
            const struct sch_texture *texture, const struct sch_sample_request *request,
            struct sch_lanes *const result[4])
{
    (void)key;                                  /* not the caller's: the constant */
    struct sch_sample_request known = *request; /* what the instruction says is constant too */
    known.component = 0;
    FOLD_SYMBOL(FOLD_LOOKUP)(&fold_key, values, texture, &known, result);
}
