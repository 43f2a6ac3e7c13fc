/* What compiling lookups costs, by their forms. Holds no other cost of machine code (native/program.c). */
#include "native/internal.h"

#include "isa/targets.h"
#include "texture/convert.h"
#include "texture/texture.h"

enum {
    MILLISECOND = 33333, /* in the units of `auto`, of about 30 ns */
    FORMS_COMPARED = 16  /* so that weighing stays linear */
};

/* Milliseconds with eight lanes, besides what a program costs without lookups (docs/performance.md, "What compiling
 * costs"): of the code in the program, or of the function that it calls. */
enum reading { NEAREST, LINEAR, LEVEL, LEVELS, TAPS, READINGS };
enum texels { WORDS, SHORT, WIDE, CURVED, BLOCKS, TEXELS };
static const uint8_t costs[TEXELS][READINGS] = {
    [WORDS] = {9, 23, 40, 90, 54},    /* of four bytes; those in rows are read as such */
    [SHORT] = {4, 15, 26, 37, 56},    /* of fewer, and lines */
    [WIDE] = {13, 41, 50, 63, 72},    /* of more */
    [CURVED] = {17, 116, 57, 57, 82}, /* sRGB */
    [BLOCKS] = {18, 130, 51, 60, 70},
};
enum { GATHER = 10, SEVERAL_AXES = 60, SEVERAL_AXES_MORE = 25 }; /* more; of linear filters of cubes and volumes */

static enum reading reading_of(const struct sch_native_lookup_form *form)
{
    const struct sch_sampler_key *key = &form->key;
    if (form->kind != SCH_NATIVE_SAMPLE) return NEAREST;
    if (key->max_anisotropy > 1) return TAPS;
    if (key->mip) return key->mip == 2 ? LEVELS : LEVEL;
    return key->min_linear || key->mag_linear ? LINEAR : NEAREST;
}

static enum texels texels_of(const struct sch_sampler_key *key)
{
    const uint32_t bytes = sch_texture_block_bytes(key->format);
    if (sch_texture_is_block(key->format)) return BLOCKS;
    if (sch_texels_are_srgb(key->format)) return CURVED;
    if (bytes < 4 || sch_target_facts(key->target)->axes == 1) return SHORT;
    return bytes == 4 ? WORDS : WIDE;
}

uint64_t sch_native_lookup_weight(const struct sch_native_lookup_form *form)
{
    const struct sch_target_facts *target = sch_target_facts(form->key.target);
    const enum reading reading = reading_of(form);
    const enum texels texels = texels_of(&form->key);
    uint64_t cost = costs[texels][reading];
    if (form->kind == SCH_NATIVE_GATHER) cost += GATHER;
    if (reading != NEAREST && (target->cube || target->axes == 3))
        cost += reading == LINEAR && texels != WIDE ? SEVERAL_AXES : SEVERAL_AXES_MORE;
    return cost * MILLISECOND;
}

/* Each form once, of those that are compared. */
uint64_t sch_native_weigh_lookups(const struct sch_native_slots *slots)
{
    const struct sch_native_lookup_form *seen[FORMS_COMPARED];
    uint64_t weight = 0;
    uint32_t count = 0;
    for (uint32_t n = 0; n < slots->count; n++) {
        const struct sch_native_lookup_form *form = &slots->wishes[n].form;
        bool is_new = slots->wishes[n].there;
        for (uint32_t i = 0; is_new && i < count && i < FORMS_COMPARED; i++)
            is_new = !sch_native_same_form(seen[i], form);
        if (!is_new) continue;
        seen[count++ % FORMS_COMPARED] = form;
        weight += sch_native_lookup_weight(form);
    }
    return weight;
}
