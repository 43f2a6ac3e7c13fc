/* Which sampler states the unit executes. Holds refusals only: what a state means is in src/ops. */
#include "isa/errors.h"
#include "texture/texture.h"

enum { LAST_SWIZZLE = 5, LAST_MIP = 2 };

/* Values that no caller of the public interface can make: a key from elsewhere is checked before it is believed. */
static bool in_range(const struct sch_sampler_key *key)
{
    for (unsigned i = 0; i < 3; i++)
        if (key->wrap[i] > SCH_WRAPS_MIRROR_CLAMP_TO_BORDER) return false;
    for (unsigned i = 0; i < 4; i++)
        if (key->swizzle[i] > LAST_SWIZZLE) return false;
    return key->rules <= SCH_RULES_MAXWELL && key->min_linear <= 1 && key->mag_linear <= 1 && key->mip <= LAST_MIP &&
           key->unnormalized <= 1;
}

enum sch_status sch_texture_key_check(const struct sch_sampler_key *key, struct sch_position position,
                                      struct sch_diagnostics *diagnostics)
{
    if (!in_range(key)) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_SAMPLER_STATE, position,
                            "a member of the sampler state has no such value");
        return SCH_STATUS_INVALID;
    }
    enum sch_status status = sch_texture_refuse_target(key->target, position, diagnostics);
    if (status == SCH_STATUS_OK) status = sch_texture_refuse_format(key->format, position, diagnostics);
    if (status != SCH_STATUS_OK) return status;
    if (key->max_anisotropy > 1) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_SAMPLER_ANISOTROPY, position,
                            "anisotropic filtering (max_anisotropy %u) is not done yet", key->max_anisotropy);
        return SCH_STATUS_UNSUPPORTED;
    }
    if (key->mip != 0 && key->unnormalized && key->target != SCH_TARGET_RECT) { /* RECT has one level anyway */
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_SAMPLER_STATE, position,
                            "coordinates in texels go with mip filter none");
        return SCH_STATUS_INVALID;
    }
    return SCH_STATUS_OK;
}
