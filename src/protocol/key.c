/* See protocol/key.h. */
#include "protocol/key.h"

#include <string.h>

static void begin_key(struct sch_sha256 *hash, const char *what, const char *level)
{
    sch_sha256_begin(hash);
    sch_sha256_add(hash, sch_native_build, strlen(sch_native_build));
    sch_sha256_add_u32(hash, SCH_NATIVE_VERSION);
    sch_sha256_add(hash, what, strlen(what) + 1);
    sch_sha256_add(hash, level, strlen(level) + 1);
}

static void add_form(struct sch_sha256 *hash, const struct sch_native_lookup_form *form)
{
    const struct sch_sampler_key *key = &form->key;
    const uint8_t state[] = {key->target,     key->rules,      key->wrap[0],     key->wrap[1],        key->wrap[2],
                             key->min_linear, key->mag_linear, key->mip,         key->max_anisotropy, key->unnormalized,
                             key->swizzle[0], key->swizzle[1], key->swizzle[2],  key->swizzle[3],     key->compare,
                             key->reduction,  key->seamless,   form->kind,       form->lod_mode,      form->offsets,
                             form->component, form->quads,     form->biased,     form->has_min_lod,   form->has_lod,
                             form->in_rows,   form->straight,  form->from_0_to_1};
    sch_sha256_add_u32(hash, key->format);
    sch_sha256_add(hash, state, sizeof state);
}

static void add_span_form(struct sch_sha256 *hash, const struct sch_native_span_form *form)
{
    sch_sha256_add_u32(hash, form->plane_count);
    sch_sha256_add_u32(hash, form->render_target_count);
    for (uint32_t p = 0; p < form->plane_count; p++) {
        sch_sha256_add_u32(hash, form->channel[p]);
        sch_sha256_add_u32(hash, form->division[p]);
    }
    for (uint32_t c = 0; c < form->render_target_count; c++) sch_sha256_add_u32(hash, form->output[c]);
    sch_sha256_add_u32(hash, form->known.count);
    if (form->known.count) sch_sha256_add(hash, form->known.of_slot, sizeof form->known.of_slot);
    for (uint32_t f = 0; f < form->known.count; f++) add_form(hash, &form->known.form[f]);
    if (form->has_fragments) sch_sha256_add(hash, &form->fragments, sizeof form->fragments); /* has no padding */
}

void sch_native_program_key(const struct sch_native_program_request *request, const uint8_t digest[SCH_SHA256_BYTES],
                            uint8_t key[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    begin_key(&hash, "program", request->level);
    sch_sha256_add(&hash, digest, SCH_SHA256_BYTES);
    sch_sha256_add_u32(&hash,
                       (uint32_t)request->full | (uint32_t)request->quads << 1 | (uint32_t)request->metered << 2);
    if (request->span) add_span_form(&hash, request->span);
    sch_sha256_end(&hash, key);
}

void sch_native_sign_key(const char *level, const uint8_t digest[SCH_SHA256_BYTES], uint8_t key[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    begin_key(&hash, "spans", level);
    sch_sha256_add(&hash, digest, SCH_SHA256_BYTES);
    sch_sha256_end(&hash, key);
}

void sch_native_lookup_key(const struct sch_native_lookup_form *form, const char *level, uint8_t key[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    begin_key(&hash, "lookup", level);
    add_form(&hash, form);
    sch_sha256_end(&hash, key);
}
