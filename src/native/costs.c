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
 * costs"). With several levels the functions that read texels are called, else they are inlined. */
enum reading { NEAREST, LINEAR, LEVELS, READINGS };
static const uint8_t plain[READINGS] = {[NEAREST] = 10, [LINEAR] = 65, [LEVELS] = 125};
static const uint8_t decoded[READINGS] = {[NEAREST] = 55, [LINEAR] = 220, [LEVELS] = 115}; /* blocks and sRGB */
enum { GATHER = 45, SEVERAL_AXES = 65 /* more, of linear filters of cubes and volumes */ };

static enum reading reading_of(const struct sch_native_lookup_form *form)
{
    const struct sch_sampler_key *key = &form->key;
    if (form->kind != SCH_NATIVE_SAMPLE) return NEAREST;
    if (key->mip) return LEVELS;
    return key->min_linear || key->mag_linear ? LINEAR : NEAREST;
}

uint64_t sch_native_lookup_weight(const struct sch_native_lookup_form *form)
{
    const struct sch_target_facts *target = sch_target_facts(form->key.target);
    const enum reading reading = reading_of(form);
    const bool decodes = sch_texture_is_block(form->key.format) || sch_texels_are_srgb(form->key.format);
    uint64_t cost = decodes ? decoded[reading] : plain[reading];
    if (form->kind == SCH_NATIVE_GATHER) cost += GATHER;
    if (reading != NEAREST && (target->cube || target->axes == 3)) cost += SEVERAL_AXES;
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
