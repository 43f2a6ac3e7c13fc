/* Reads samplers, and puts a sampler and a texture together into a key of the texture unit. Holds no text. */
#include <string.h>

#include "isa/errors.h"
#include "maxwell/header/fields.h"
#include "maxwell/header/header.h"
#include "ops/texture/format.h"
#include "ops/texture/srgb.h"

#define GET(field) ((uint32_t)sch_header_field_get(words, SCH_HEADER_FIELD_##field))

static enum sch_result refuse(struct sch_diagnostics *diagnostics, unsigned code, enum sch_result status,
                              const char *what)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, code, (struct sch_position){0}, "%s", what);
    return status;
}

static enum sch_result reserved(struct sch_diagnostics *diagnostics, const char *what)
{
    return refuse(diagnostics, SCH_D_MAXWELL_RESERVED_CODE, SCH_ERROR_INVALID, what);
}

static uint8_t wrap_of(uint32_t code)
{
    static const uint8_t modes[] = {
        [SCH_HEADER_WRAP_WRAP] = SCH_WRAP_REPEAT,
        [SCH_HEADER_WRAP_MIRROR] = SCH_WRAP_MIRROR_REPEAT,
        [SCH_HEADER_WRAP_CLAMP_TO_EDGE] = SCH_WRAP_CLAMP_TO_EDGE,
        [SCH_HEADER_WRAP_BORDER] = SCH_WRAP_CLAMP_TO_BORDER,
        [SCH_HEADER_WRAP_CLAMP_OGL] = SCH_WRAP_CLAMP,
        [SCH_HEADER_WRAP_MIRROR_ONCE_CLAMP_TO_EDGE] = SCH_WRAP_MIRROR_CLAMP_TO_EDGE,
        [SCH_HEADER_WRAP_MIRROR_ONCE_BORDER] = SCH_WRAP_MIRROR_CLAMP_TO_BORDER,
        [SCH_HEADER_WRAP_MIRROR_ONCE_CLAMP_OGL] = SCH_WRAP_MIRROR_CLAMP,
    };
    return modes[code & 7];
}

static enum sch_result read_filters(const uint32_t *words, struct sch_diagnostics *diagnostics,
                                    struct sch_sampler_key *key)
{
    uint32_t mag = GET(MAG_FILTER), min = GET(MIN_FILTER), mip = GET(MIP_FILTER), reduction = GET(REDUCTION_FILTER);
    if (mag == SCH_HEADER_MAG_VCAA_4_TAP || mag == SCH_HEADER_MAG_VCAA_8_TAP)
        return refuse(diagnostics, SCH_D_MAXWELL_SAMPLER_FILTER, SCH_ERROR_UNSUPPORTED,
                      "MAG_FILTER: the filters of coverage samples, VCAA_4_TAP and VCAA_8_TAP, are not there");
    if (mag != SCH_HEADER_MAG_MAG_POINT && mag != SCH_HEADER_MAG_MAG_LINEAR)
        return reserved(diagnostics, "MAG_FILTER: codes 0, 5, 6 and 7 are reserved");
    if (!min) return reserved(diagnostics, "MIN_FILTER: code 0 is reserved");
    if (!mip) return reserved(diagnostics, "MIP_FILTER: code 0 is reserved");
    if (reduction > SCH_HEADER_REDUCTION_RED_MAXIMUM)
        return reserved(diagnostics, "REDUCTION_FILTER: code 3 is reserved");
    key->mag_linear = mag == SCH_HEADER_MAG_MAG_LINEAR;
    key->min_linear = min != SCH_HEADER_MIN_MIN_POINT;
    key->mip = (uint8_t)(mip - SCH_HEADER_MIP_MIP_NONE);
    key->reduction = (uint8_t)reduction; /* none, minimum, maximum: the unit's order */
    static const uint8_t ratios[] = {1, 2, 4, 6, 8, 10, 12, 16};
    key->max_anisotropy = key->min_linear ? ratios[GET(SAMPLER_ANISOTROPY) & 7] : 1;
    return SCH_OK;
}

static void read_values(const uint32_t *words, struct sch_maxwell_sampler *sampler)
{
    sampler->values.lod_bias = sch_header_lod_bias(GET(SAMPLER_BIAS));
    sampler->values.min_lod = (float)GET(SAMPLER_MIN_LOD) / 256;
    sampler->values.max_lod = (float)GET(SAMPLER_MAX_LOD) / 256;
    for (unsigned i = 0; i < 4; i++)
        sampler->values.border[i] = (uint32_t)sch_header_field_get(words, SCH_HEADER_FIELD_BORDER_COLOR_R + i);
    for (unsigned i = 0; i < 3; i++)
        sampler->border_srgb[i] =
            tex_srgb_decoded_8[sch_header_field_get(words, SCH_HEADER_FIELD_S_R_G_B_BORDER_COLOR_R + i) & 255];
}

enum sch_result sch_maxwell_sampler_read(const uint32_t words[SCH_MAXWELL_HEADER_WORDS],
                                         struct sch_diagnostics *diagnostics, struct sch_maxwell_sampler *sampler)
{
    *sampler = (struct sch_maxwell_sampler){.key.rules = SCH_RULES_MAXWELL};
    enum sch_result status = read_filters(words, diagnostics, &sampler->key);
    if (status != SCH_OK) return status;
    for (unsigned i = 0; i < 3; i++)
        sampler->key.wrap[i] = wrap_of((uint32_t)sch_header_field_get(words, SCH_HEADER_FIELD_ADDRESS_U + i));
    /* The same order, and the unit's begins with "no comparison". */
    sampler->compare_function = (uint8_t)(GET(DEPTH_COMPARE_FUNC) + SCH_COMPARE_NEVER);
    sampler->key.compare = GET(DEPTH_COMPARE) ? sampler->compare_function : (uint8_t)SCH_COMPARE_NONE;
    sampler->key.unnormalized = GET(FLOAT_COORD_NORMALIZATION) == SCH_HEADER_COORDS_FORCE_UNNORMALIZED_COORDS;
    uint32_t cube = GET(CUBEMAP_INTERFACE_FILTERING);
    sampler->key.seamless = cube == SCH_HEADER_CUBE_AUTO_SPAN_SEAM || cube == SCH_HEADER_CUBE_AUTO_CROSS_SEAM;
    sampler->clamp_cube = cube == SCH_HEADER_CUBE_OVERRIDE_WRAP;
    sampler->srgb = GET(SAMPLER_SRGB);
    read_values(words, sampler);
    return SCH_OK;
}

static bool reaches_border(const struct sch_sampler_key *key)
{
    const struct sch_target_facts *is = sch_target_facts(key->target);
    if (is->cube && key->seamless) return false;
    for (unsigned i = 0; i < is->axes; i++)
        if (key->wrap[i] == SCH_WRAP_CLAMP || key->wrap[i] == SCH_WRAP_CLAMP_TO_BORDER ||
            key->wrap[i] == SCH_WRAP_MIRROR_CLAMP || key->wrap[i] == SCH_WRAP_MIRROR_CLAMP_TO_BORDER)
            return true;
    return false;
}

/* The border's words go where the format has the layout's components. */
static void place_border(const struct sch_maxwell_texture *texture, const struct sch_maxwell_sampler *sampler,
                         uint16_t format, uint32_t border[4])
{
    memset(border, 0, 4 * sizeof *border);
    bool curve = tex_formats[format].flags & TEX_SRGB;
    for (unsigned i = 0; i < 4; i++)
        if (texture->component[i] < 4)
            border[texture->component[i]] = curve && i < 3 ? sampler->border_srgb[i] : sampler->values.border[i];
}

enum sch_result sch_maxwell_lookup_state(const struct sch_maxwell_texture *texture,
                                         const struct sch_maxwell_sampler *sampler, struct sch_diagnostics *diagnostics,
                                         struct sch_sampler_key *key, struct sch_sampler_values *values)
{
    *key = sampler->key;
    *values = sampler->values;
    key->format = sampler->srgb ? texture->format : texture->format_linear;
    key->target = texture->target;
    memcpy(key->swizzle, texture->swizzle, sizeof key->swizzle);
    if (!texture->normalized) key->unnormalized = 1;
    if (key->unnormalized && !sch_texture_takes_texels(key->target))
        return refuse(
            diagnostics, SCH_D_MAXWELL_HEADER_COORDS, SCH_ERROR_UNSUPPORTED,
            "NORMALIZED_COORDS, FLOAT_COORD_NORMALIZATION: coordinates in texels go with 1D and 2D types only");
    if (key->unnormalized) key->mip = 0; /* level 0: coordinates count its texels */
    if (texture->use_header_options) {
        if (key->min_linear) key->max_anisotropy = texture->max_anisotropy;
        values->lod_bias = texture->lod_bias;
    }
    if (sampler->clamp_cube && sch_target_facts(key->target)->cube)
        memset(key->wrap, SCH_WRAP_CLAMP_TO_EDGE, sizeof key->wrap);
    if (!texture->sampler_border && reaches_border(key))
        return refuse(diagnostics, SCH_D_MAXWELL_HEADER_BORDER, SCH_ERROR_UNSUPPORTED,
                      "BORDER_SIZE: borders in memory are not read, only the sampler's colour");
    place_border(texture, sampler, key->format, values->border);
    return SCH_OK;
}
