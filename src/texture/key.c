/* Which sampler states there are. Holds refusals only: what a state means is in src/ops. */
#include "isa/errors.h"
#include "texture/texture.h"

enum { LAST_SWIZZLE = 5, LAST_MIP = 2, MAX_ANISOTROPY = 16 };

/* Values that no caller of the public interface can make: a key from elsewhere is checked before it is believed. */
static bool in_range(const struct sch_sampler_key *key)
{
    for (unsigned i = 0; i < 3; i++)
        if (key->wrap[i] > SCH_WRAP_MIRROR_CLAMP_TO_BORDER) return false;
    for (unsigned i = 0; i < 4; i++)
        if (key->swizzle[i] > LAST_SWIZZLE) return false;
    return key->rules <= SCH_RULES_MAXWELL && key->min_linear <= 1 && key->mag_linear <= 1 && key->mip <= LAST_MIP &&
           key->unnormalized <= 1 && key->compare <= SCH_COMPARE_ALWAYS && key->reduction <= SCH_REDUCTION_MAXIMUM &&
           key->seamless <= 1;
}

bool sch_texture_takes_texels(unsigned target)
{
    return sch_target_facts(target)->axes <= 2 && !sch_target_facts(target)->cube;
}

enum sch_result sch_texture_key_check(const struct sch_sampler_key *key, struct sch_position position,
                                      struct sch_diagnostics *diagnostics)
{
    const char *wrong = NULL;
    if (!in_range(key))
        wrong = "a member of the sampler state has no such value";
    else if (key->unnormalized && key->mip != 0 && key->target != SCH_TARGET_RECT) /* RECT has one level anyway */
        wrong = "coordinates in texels go with mip filter none";
    else if (key->unnormalized && !sch_texture_takes_texels(key->target))
        wrong = "cubes and 3D textures have no coordinates in texels";
    if (wrong) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_SAMPLER_STATE, position, "%s", wrong);
        return SCH_ERROR_INVALID;
    }
    if (key->max_anisotropy > MAX_ANISOTROPY) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_SAMPLER_ANISOTROPY, position,
                            "max_anisotropy %u is more than %d", key->max_anisotropy, MAX_ANISOTROPY);
        return SCH_ERROR_INVALID;
    }
    enum sch_result status = sch_texture_refuse_target(key->target, position, diagnostics);
    return status == SCH_OK ? sch_texture_refuse_format(key->format, position, diagnostics) : status;
}
