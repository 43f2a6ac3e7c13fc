/* The texture unit's lookups, and what is around fragments, as bitcode for the compiler of machine code:
 * src/ops/texture/texture.c and texel.c, and src/ops/raster/fragment.h, with every step a function of its own, which
 * jit/lookup.c and jit/fragments.c inline one after the other, the state being constant. Holds no meaning; compiled by
 * clang only. */
#define SCH_FOLD_VECTORS /* of fragments */
#include <stddef.h>

#include "ops/op.h"
#include "protocol/compiler.h"

/* Internal, whatever the declarations in the files say: a first declaration decides. */
static __attribute__((unused)) sch_sample_fn OPS_LOCAL(sample), OPS_LOCAL(texture_gather), OPS_LOCAL(lod_query);
static __attribute__((unused)) sch_fetch_fn OPS_LOCAL(fetch);
static __attribute__((unused)) sch_image_store_fn OPS_LOCAL(image_store);
static __attribute__((unused)) sch_image_texel_fn OPS_LOCAL(image_texel);

/* What the instruction says is in the form, whose key comes first: constant as that is. */
_Static_assert(offsetof(struct sch_native_lookup_form, key) == 0, "the key is the form's first member");
#define FORM_OF(key)                         ((const struct sch_native_lookup_form *)(key))
#define TEX_ASKED(key, request, field)       ((void)(request), FORM_OF(key)->field)
#define TEX_GIVES_MIN_LOD(key, request)      ((void)(request), FORM_OF(key)->has_min_lod)
#define TEX_GIVES_LEVEL(key, request)        ((void)(request), FORM_OF(key)->has_lod)
#define TEX_GIVES_OFFSET(key, request, axis) (FORM_OF(key)->offsets && (request)->offset[axis])

/* Groups that are not straight. A function of its own, made if the lookup's calls it (jit/lookup.c): the state is in
 * it, so that the call has none. */
void jit_lookup_rest(const struct sch_native_lookup_form *none, const struct sch_sampler_values *values,
                     const struct sch_texture *texture, const struct sch_sample_request *request,
                     struct sch_lanes *const result[4]);
#define TEX_SAMPLE_REST(values, texture, request, result) jit_lookup_rest(NULL, values, texture, request, result)

#include "ops/texture/texel.c"
#include "ops/texture/texture.c"

/* What is around fragments. */
#include "ops/raster/fragment.h"

_Static_assert(sizeof(struct fragment_kept) <= SCH_FRAGMENT_KEPT_BYTES, "code has room for it");
void jit_fragment_keep(const struct sch_fragment_form *form, const struct sch_tile_group *group,
                       struct fragment_kept *kept);
void jit_fragment_keep(const struct sch_fragment_form *form, const struct sch_tile_group *group,
                       struct fragment_kept *kept)
{
    fragment_keep(form, group, kept);
}

void jit_fragment_begin(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                        struct sch_tile_group *group, const struct fragment_kept *kept, struct sch_lanes *to);
void jit_fragment_begin(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                        struct sch_tile_group *group, const struct fragment_kept *kept, struct sch_lanes *to)
{
    fragment_begin(form, values, group, kept, to);
}

void jit_fragment_end(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                      struct sch_tile_group *group, uint32_t lanes, const struct sch_lanes *colors);
void jit_fragment_end(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                      struct sch_tile_group *group, uint32_t lanes, const struct sch_lanes *colors)
{
    fragment_end(form, values, group, lanes, colors);
}

void jit_fragment_advance(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                          struct sch_tile_group *group, struct fragment_kept *kept);
void jit_fragment_advance(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                          struct sch_tile_group *group, struct fragment_kept *kept)
{
    fragment_advance(form, values, group, kept);
}

/* What code generators call for copies that they do not write out: code can name nothing outside of itself. */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int value, size_t bytes);
void *memset(void *to, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = (char)value;
    return to;
}

#define LOOKUP(name, function)                                                                                         \
    void jit_lookup_##name(const struct sch_native_lookup_form *form, const struct sch_sampler_values *values,         \
                           const struct sch_texture *texture, const struct sch_sample_request *request,                \
                           struct sch_lanes *const result[4]);                                                         \
    void jit_lookup_##name(const struct sch_native_lookup_form *form, const struct sch_sampler_values *values,         \
                           const struct sch_texture *texture, const struct sch_sample_request *request,                \
                           struct sch_lanes *const result[4])                                                          \
    {                                                                                                                  \
        function(&form->key, values, texture, request, result);                                                        \
    }
LOOKUP(sample, OPS_LOCAL(sample))
LOOKUP(gather, OPS_LOCAL(texture_gather))
LOOKUP(lod, OPS_LOCAL(lod_query))

void jit_lookup_rest_of(const struct sch_native_lookup_form *form, const struct sch_sampler_values *values,
                        const struct sch_texture *texture, const struct sch_sample_request *request,
                        struct sch_lanes *const result[4]);
void jit_lookup_rest_of(const struct sch_native_lookup_form *form, const struct sch_sampler_values *values,
                        const struct sch_texture *texture, const struct sch_sample_request *request,
                        struct sch_lanes *const result[4])
{
    tex_sample_pairs(&form->key, values, texture, request, result);
}

/* What is made of a sampled lookup in the place where it is used (in_rows), and of a fetch. */
bool jit_lookup_rows(const struct sch_native_lookup_form *form, const struct sch_sampler_values *values,
                     const struct sch_texture *texture, const struct sch_sample_request *request,
                     struct sch_lanes *const result[4]);
bool jit_lookup_rows(const struct sch_native_lookup_form *form, const struct sch_sampler_values *values,
                     const struct sch_texture *texture, const struct sch_sample_request *request,
                     struct sch_lanes *const result[4])
{
    return tex_sampled_rows(&form->key, values, texture, request, result);
}

bool jit_lookup_straight(const struct sch_native_lookup_form *form, const struct sch_sampler_values *values,
                         const struct sch_texture *texture, const struct sch_sample_request *request,
                         struct sch_lanes *const result[4]);
bool jit_lookup_straight(const struct sch_native_lookup_form *form, const struct sch_sampler_values *values,
                         const struct sch_texture *texture, const struct sch_sample_request *request,
                         struct sch_lanes *const result[4])
{
    return tex_straight_sample(&form->key, values, texture, request, result);
}

bool jit_lookup_fetch_rows(const struct sch_native_lookup_form *form, const struct sch_texture *texture,
                           const struct sch_fetch_request *request, struct sch_lanes *const result[4]);
bool jit_lookup_fetch_rows(const struct sch_native_lookup_form *form, const struct sch_texture *texture,
                           const struct sch_fetch_request *request, struct sch_lanes *const result[4])
{
    return tex_fetched_rows(&form->key, texture, request, result);
}

void jit_lookup_fetch(const struct sch_native_lookup_form *form, const struct sch_texture *texture,
                      const struct sch_fetch_request *request, struct sch_lanes *const result[4]);
void jit_lookup_fetch(const struct sch_native_lookup_form *form, const struct sch_texture *texture,
                      const struct sch_fetch_request *request, struct sch_lanes *const result[4])
{
    OPS_LOCAL(fetch)(&form->key, texture, request, result);
}

void jit_lookup_store(const struct sch_native_lookup_form *form, const struct sch_texture *texture,
                      const struct sch_image_request *request, const struct sch_lanes *const value[4]);
void jit_lookup_store(const struct sch_native_lookup_form *form, const struct sch_texture *texture,
                      const struct sch_image_request *request, const struct sch_lanes *const value[4])
{
    OPS_LOCAL(image_store)(&form->key, texture, request, value);
}
