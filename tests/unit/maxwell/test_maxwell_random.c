/* Maxwell's texture instructions on random textures, states, registers, masks and handles, at every width: each lane
 * against the scalar reference of docs/texture.md with rules = maxwell, and every register that must not change.
 * 10^5 lookups to each operation, 10^5 quads to TMML; a quarter of them with SCH_PART. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/texture_lookups.h"
#include "maxwell_support.h"

enum { LOOKUPS = 100000, BOUND = 5, MISSING = 6, WIDTHS = 3 };

static const unsigned widths[WIDTHS] = {4, 8, 16};

/* One instruction, what it finds and what must come of it. */
struct trial {
    struct group group;
    struct sch_maxwell_texture texture;
    struct sch_maxwell_sampler sampler;
    struct sch_maxwell_instruction in;
    struct operands operands;
    uint32_t valid; /* lanes whose handle names the texture */
    uint32_t whole; /* lanes whose quad is not divergent */
    bool matches;   /* #paramA and the texture */
    struct sch_maxwell_warp before, expected;
    uint32_t lanes;
    struct sch_lanes words[4];
    uint32_t doubtful[4]; /* lanes whose axes may be one step off */
};

static uint64_t state;

static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}
static unsigned below(unsigned limit) { return next() % limit; }
static bool chance(unsigned n) { return below(n) == 0; }

static uint32_t float_word(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* ---- the instruction ---- */

static unsigned dimensions_of(unsigned target) { return ref_is_cube(target) ? 3 : ref_coordinates(target) - 1; }

static uint8_t random_register(unsigned count)
{
    unsigned unit = count > 2 ? 4 : count > 1 ? 2 : 1;
    return (uint8_t)(below(248 / unit) * unit);
}

/* #paramA that fits, of any arrayness, or now and then another. */
static void choose_parameter(struct trial *t)
{
    unsigned dimensions = dimensions_of(t->group.key.target);
    if (chance(24)) dimensions = below(4);
    bool arrayed = chance(8) ? chance(2) : ref_has_layers(t->group.key.target);
    t->in.parameter = (uint8_t)(dimensions << 1 | arrayed);
}

static bool choose_scalar(struct trial *t)
{
    unsigned fitting = 0;
    const struct scalar_form *found = NULL;
    bool multisampled = t->texture.target == SCH_TARGET_2D_MSAA || t->texture.target == SCH_TARGET_2D_ARRAY_MSAA;
    for (unsigned i = 0; i < scalar_form_count; i++) {
        const struct scalar_form *form = &scalar_forms[i];
        if (form->operation != t->in.operation || form->parameter >> 1 != dimensions_of(t->group.key.target)) continue;
        if (form->compare && !t->group.key.compare) continue;
        if (form->multisample != multisampled && !chance(16)) continue;
        if (chance(++fitting)) found = form;
    }
    if (!found) return false;
    t->in.form_code = found->code;
    t->in.parameter = found->parameter;
    t->in.lod = found->lod;
    t->in.offset = found->offset ? SCH_MAXWELL_AOFFI : SCH_MAXWELL_OFFSET_NONE;
    t->in.multisample = found->multisample;
    t->in.compare = found->compare;
    return true;
}

static void choose_modifiers(struct trial *t)
{
    struct sch_maxwell_instruction *in = &t->in;
    const bool multisampled = t->group.texture.samples > 1;
    in->bindless = in->operation != SCH_MAXWELL_TLD4S && chance(4);
    in->compare = in->operation != SCH_MAXWELL_TXD && in->operation != SCH_MAXWELL_TLD &&
                  in->operation != SCH_MAXWELL_TMML && t->group.key.compare && !chance(8);
    if (in->operation == SCH_MAXWELL_TEX) in->lod = (uint8_t)below(4);
    if (in->operation == SCH_MAXWELL_TLD) {
        in->lod = chance(3) ? SCH_MAXWELL_LZ : SCH_MAXWELL_LL;
        in->multisample = multisampled ? !chance(8) : chance(16);
        if (in->multisample && !chance(8)) in->lod = SCH_MAXWELL_LZ;
        in->clamp_lod = chance(4);
    }
    if (in->operation != SCH_MAXWELL_TMML && chance(2)) in->offset = SCH_MAXWELL_AOFFI;
    if (in->operation == SCH_MAXWELL_TLD4 && chance(3)) in->offset = SCH_MAXWELL_PTP;
    if (in->operation == SCH_MAXWELL_TLD4 || in->operation == SCH_MAXWELL_TLD4S) in->component = (uint8_t)below(4);
    bool ndv = in->operation == SCH_MAXWELL_TEX || in->operation == SCH_MAXWELL_TMML;
    in->nondivergent = ndv && chance(4);
}

static bool choose_instruction(struct trial *t, enum sch_maxwell_operation operation)
{
    t->in = sch_maxwell_blank(operation, false);
    struct sch_maxwell_instruction *in = &t->in;
    if (operation == SCH_MAXWELL_TEXS || operation == SCH_MAXWELL_TLDS) {
        if (!choose_scalar(t)) return false;
        bool wide = chance(2);
        static const uint8_t narrow_masks[8] = {1, 2, 4, 8, 3, 9, 10, 12}, wide_masks[5] = {7, 11, 13, 14, 15};
        in->mask_code = (uint8_t)below(wide ? 5 : 8);
        in->write_mask = wide ? wide_masks[in->mask_code] : narrow_masks[in->mask_code];
        in->rd = (uint8_t)(2 * below(60));
        if (wide) in->rd1 = (uint8_t)(120 + 2 * below(60));
        in->half = chance(4);
    } else {
        if (operation == SCH_MAXWELL_TLD4S) in->parameter = SCH_MAXWELL_2D;
        if (operation == SCH_MAXWELL_TLD4S && dimensions_of(t->group.key.target) != 1) return false;
        if (operation != SCH_MAXWELL_TLD4S) choose_parameter(t);
        choose_modifiers(t);
        in->bindless = in->bindless && operation != SCH_MAXWELL_TLD4S;
        in->write_mask = operation == SCH_MAXWELL_TLD4S ? 15 : (uint8_t)below(16);
        in->rd = random_register(4);
        if (operation == SCH_MAXWELL_TLD4S) {
            in->rd = (uint8_t)(2 * below(60));
            in->rd1 = (uint8_t)(120 + 2 * below(60));
            in->half = chance(4);
        }
        if (operation != SCH_MAXWELL_TMML && operation != SCH_MAXWELL_TLD4S && chance(4)) in->residency = 2;
    }
    if (chance(32)) in->rd = SCH_MAXWELL_RZ;
    in->nodep = chance(3);
    in->guard = chance(2) ? SCH_MAXWELL_PT : 1;
    in->guard_not = in->guard == 1 && chance(2);
    if (in->bindless == false) in->index = 7;
    return true;
}

/* ---- the operands ---- */

/* 4-bit fields (TLD4: 6-bit ones, 8 bits apart), sign extended for the reference. */
static void pack_offsets(struct trial *t)
{
    struct group *g = &t->group;
    bool gathers = t->in.operation == SCH_MAXWELL_TLD4 || t->in.operation == SCH_MAXWELL_TLD4S;
    unsigned bits = gathers ? 6 : 4, stride = gathers ? 8 : 4, low = t->in.operation == SCH_MAXWELL_TXD ? 16 : 0;
    int32_t half = 1 << (bits - 1);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t word[4] = {next(), next(), next(), next()};
        for (unsigned n = 0; n < 4; n++)
            for (unsigned a = 0; a < 3; a++) {
                uint32_t field = next() & ((1u << bits) - 1);
                g->offset[n][a].u[i] = (uint32_t)((int32_t)(field ^ (uint32_t)half) - half);
                if (n == 0 && (a < 2 || !gathers)) {
                    unsigned at = low + a * stride;
                    word[0] = (word[0] & ~(((1u << bits) - 1) << at)) | field << at;
                }
                if (t->in.offset == SCH_MAXWELL_PTP && a < 2) {
                    unsigned at = n % 2 * 16 + a * 8;
                    word[2 + n / 2] = (word[2 + n / 2] & ~(0x3fu << at)) | field << at;
                }
            }
        t->operands.value['O'].u[i] = t->operands.value['X'].u[i] = word[0];
        t->operands.value['P'].u[i] = word[2];
        t->operands.value['Q'].u[i] = word[3];
    }
}

/* The layer is a whole number of 16 bits with anything above it. */
static void pack_layer(struct trial *t)
{
    struct group *g = &t->group;
    bool fetch = g->operation == ASK_FETCH, arrayed = t->in.parameter & 1;
    unsigned axes = ref_coordinates(g->key.target);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t layer = chance(8) ? next() & 0xffff : below(g->texture.layers + 2);
        if (chance(8)) layer |= 0x8000; /* the upper bit alone makes it the last one */
        uint32_t word = (next() & 0xffff0000u) | layer;
        t->operands.value['l'].u[i] = word;
        t->operands.value['X'].u[i] = (t->operands.value['X'].u[i] & 0xffff0000u) | layer;
        if (ref_has_layers(g->key.target)) {
            uint32_t counts = arrayed ? layer : 0;
            g->at[axes].u[i] = fetch ? counts : float_word((float)counts);
        }
    }
}

static void pack_handles(struct trial *t)
{
    t->valid = UINT32_MAX;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        bool missing = t->in.bindless && chance(6);
        if (missing) t->valid &= ~(1u << i);
        t->operands.value['H'].u[i] = (uint32_t)BOUND << 20 | (missing ? MISSING : BOUND);
    }
}

static void pack_operands(struct trial *t)
{
    struct group *g = &t->group;
    static const char spatial[3] = {'s', 't', 'r'};
    pack_offsets(t);
    pack_layer(t);
    pack_handles(t);
    for (unsigned a = 0; a < 3; a++) {
        t->operands.value[(unsigned char)spatial[a]] = g->at[a];
        t->operands.value['1' + 2 * a] = g->ddx[a];
        t->operands.value['2' + 2 * a] = g->ddy[a];
    }
    t->operands.value['D'] = g->reference;
    t->operands.value['L'] = g->lod;
    t->operands.value['M'] = g->lod;
}

/* ---- the lookup to the reference ---- */

static void adapt_request(struct trial *t)
{
    static const uint8_t modes[] = {SCH_LOD_IMPLICIT, SCH_LOD_ZERO, SCH_LOD_BIAS, SCH_LOD_EXPLICIT};
    struct sch_sample_request *r = &t->group.request;
    struct group *g = &t->group;
    r->lod_mode = t->in.operation == SCH_MAXWELL_TXD ? SCH_LOD_GRADIENTS : modes[t->in.lod];
    r->biased = false;
    r->min_lod = NULL;
    r->lod = &g->lod;
    if (!t->in.compare) g->key.compare = 0;
    r->component = g->key.compare ? 0 : t->in.component;
    r->reference = &g->reference;
    r->offsets = t->in.offset == SCH_MAXWELL_AOFFI ? 1 : t->in.offset == SCH_MAXWELL_PTP ? 4 : 0;
    if (ref_is_cube(g->key.target)) r->offsets = 0;
    memset(r->offset, 0, sizeof r->offset);
    unsigned axes = ref_coordinates(g->key.target);
    for (unsigned n = 0; n < r->offsets; n++)
        for (unsigned a = 0; a < axes; a++) r->offset[n][a] = &g->offset[n][a];
    for (unsigned a = 0; a < axes; a++) {
        r->ddx[a] = &g->ddx[a];
        r->ddy[a] = &g->ddy[a];
    }
}

/* Of samples and levels a texture has one; the other must be 0. A clamped level is one that is there. */
static void adapt_fetch(struct trial *t)
{
    struct group *g = &t->group;
    struct sch_fetch_request *r = &g->fetch;
    const bool multisampled = g->key.target == SCH_TARGET_2D_MSAA || g->key.target == SCH_TARGET_2D_ARRAY_MSAA;
    const bool level = t->in.lod == SCH_MAXWELL_LL;
    unsigned axes = ref_coordinates(g->key.target);
    for (unsigned a = 0; a < 3; a++) {
        r->offset[a] = t->in.offset && a < axes ? &g->offset[0][a] : NULL;
        if (t->in.offset && a < axes)
            for (unsigned i = 0; i < SCH_GROUP_LANES; i++) g->at[a].u[i] -= chance(2) ? g->offset[0][a].u[i] : 0;
    }
    r->level = multisampled ? (t->in.multisample ? &g->lod : NULL) : level ? &g->lod : NULL;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        if (level && t->in.clamp_lod && chance(4)) g->lod.u[i] = next(); /* far outside, both ways */
        uint32_t it = g->lod.u[i];
        uint32_t clamped = (int32_t)it < 0 ? 0 : it < g->texture.levels ? it : g->texture.levels - 1;
        t->operands.value['L'].u[i] = t->operands.value['M'].u[i] = it;
        if (t->in.multisample && level) t->operands.value[multisampled ? 'L' : 'M'].u[i] = chance(2) ? 0 : it;
        if (level && t->in.clamp_lod && !multisampled) g->lod.u[i] = clamped;
    }
    for (unsigned a = 0; a < axes; a++) t->operands.value[(unsigned char)"str"[a]] = g->at[a];
}

/* Whether a load names both a sample and a level of which one is not 0. */
static bool has_neither(const struct trial *t, unsigned lane)
{
    const bool multisampled =
        t->group.key.target == SCH_TARGET_2D_MSAA || t->group.key.target == SCH_TARGET_2D_ARRAY_MSAA;
    uint32_t level = t->in.lod == SCH_MAXWELL_LL && !t->in.clamp_lod ? t->operands.value['L'].u[lane] : 0;
    uint32_t sample = t->in.multisample ? t->operands.value['M'].u[lane] : 0;
    return (multisampled ? level : sample) != 0;
}

/* ---- what must come of it ---- */

static void reference_lane(struct trial *t, unsigned i, uint32_t words[4])
{
    struct group *g = &t->group;
    memset(words, 0, 4 * sizeof *words);
    if (!t->matches || !(t->valid >> i & 1)) return;
    g->request.quads = t->whole >> i & 1;
    if (g->operation == ASK_FETCH && has_neither(t, i)) {
        uint32_t at = g->at[0].u[i];
        g->at[0].u[i] = 0x80000000u;
        group_reference(g, i, words);
        g->at[0].u[i] = at;
        return;
    }
    if (t->in.operation != SCH_MAXWELL_TMML) {
        group_reference(g, i, words);
        return;
    }
    struct ref_lookup q;
    struct ref_axes axes;
    uint32_t lod[4];
    group_lookup(g, i, &q);
    ref_lod_query(&q, lod);
    ref_footprint_axes(&q, &axes);
    float biased = ref_float(lod[1]) * 256;
    biased = biased < -32768 ? -32768 : biased > 32767 ? 32767 : biased;
    words[0] = (uint32_t)(int32_t)biased & 0xffff;
    words[1] = (uint32_t)(ref_float(lod[0]) * 256);
    words[2] = ((uint32_t)axes.v & 255) << 8 | ((uint32_t)axes.u & 255);
    words[3] = (uint32_t)axes.ratio & 0xffff;
    if (axes.doubtful) t->doubtful[2] |= 1u << i, t->doubtful[3] |= 1u << i;
}

static bool answers(const struct trial *t)
{
    unsigned target = t->texture.target;
    bool multisampled = target == SCH_TARGET_2D_MSAA || target == SCH_TARGET_2D_ARRAY_MSAA;
    if (t->in.parameter >> 1 != dimensions_of(target)) return false;
    if (t->group.operation == ASK_FETCH) return !ref_is_cube(target);
    bool gathers = t->in.operation == SCH_MAXWELL_TLD4 || t->in.operation == SCH_MAXWELL_TLD4S;
    if (gathers && !ref_is_cube(target) && ref_coordinates(target) != 2) return false;
    return !multisampled && target != SCH_TARGET_BUFFER;
}

static void choose_lanes(struct trial *t)
{
    struct sch_maxwell_warp *warp = &t->before;
    warp->active = chance(2) ? UINT32_MAX : next() | next();
    warp->killed = chance(2) ? 0 : next() & next();
    warp->predicates[1] = next();
    warp->predicates[2] = next();
    warp->shader = chance(4) ? SCH_MAXWELL_SHADER_OTHER : SCH_MAXWELL_SHADER_PIXEL;
    uint32_t guard = t->in.guard == 1 ? warp->predicates[1] : UINT32_MAX;
    t->lanes = warp->active & (t->in.guard_not ? ~guard : guard);
    if (t->in.nodep) t->lanes &= ~warp->killed;
    for (unsigned q = 0; q < 8; q++) {
        bool full = (warp->active >> 4 * q & 15) == 15 && warp->shader == SCH_MAXWELL_SHADER_PIXEL;
        if (full || t->in.nondivergent) t->whole |= 15u << 4 * q;
    }
}

static void expect(struct trial *t, bool toward_zero)
{
    struct ref_layout layout;
    ref_layout(t->group.format, SCH_RULES_MAXWELL, &layout);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t words[4];
        reference_lane(t, i, words);
        for (unsigned c = 0; c < 4; c++) t->words[c].u[i] = t->in.half && layout.integer ? 0 : words[c];
    }
    t->expected = t->before;
    expect_results(&t->in, t->words, t->lanes, toward_zero, &t->expected);
}

static void show_texture(struct trial *t)
{
    const struct group *g = &t->group;
    t->texture = (struct sch_maxwell_texture){.texture = g->texture,
                                              .type = SCH_MAXWELL_TWO_D,
                                              .target = g->key.target,
                                              .format = g->key.format,
                                              .format_linear = g->key.format,
                                              .component = {0, 1, 2, 3},
                                              .normalized = !g->key.unnormalized,
                                              .sampler_border = true,
                                              .max_anisotropy = 16,
                                              .samples = (uint8_t)g->texture.samples};
    memcpy(t->texture.swizzle, g->key.swizzle, sizeof t->texture.swizzle);
    t->sampler = (struct sch_maxwell_sampler){.key = g->key, .values = g->values, .srgb = true};
    t->sampler.compare_function = g->key.compare;
    memcpy(t->sampler.border_srgb, g->values.border, sizeof t->sampler.border_srgb);
}

/* False: the texture that came does not go with the operation. */
static bool make_trial(struct trial *t, enum sch_maxwell_operation operation, enum operation asked,
                       const struct ref_format *format, uint64_t seed, bool toward_zero)
{
    memset(t, 0, sizeof *t);
    group_make(&t->group, format, asked, seed);
    t->group.key.rules = SCH_RULES_MAXWELL;
    if (t->group.key.unnormalized) t->group.key.mip = 0;
    if (t->group.key.unnormalized && t->group.key.target == SCH_TARGET_3D) t->group.key.unnormalized = 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) t->group.mask.u[i] = UINT32_MAX;
    show_texture(t);
    state = seed * 0x9e3779b97f4a7c15u + 1;
    for (unsigned i = 0; i < 8; i++) next();
    if (!choose_instruction(t, operation)) return false;
    t->matches = answers(t);
    fill_group(&t->before, seed);
    choose_lanes(t);
    pack_operands(t);
    if (asked == ASK_FETCH)
        adapt_fetch(t);
    else
        adapt_request(t);
    char a[16], b[16];
    vector_packing(&t->in, a, b);
    for (unsigned i = 0; i < scalar_form_count; i++)
        if (scalar_forms[i].operation == operation && scalar_forms[i].code == t->in.form_code) {
            strcpy(a, scalar_forms[i].a);
            strcpy(b, scalar_forms[i].b);
        }
    t->in.ra = random_register((unsigned)strlen(a));
    do t->in.rb = random_register((unsigned)strlen(b));
    while (t->in.rb + strlen(b) > t->in.ra && t->in.ra + strlen(a) > t->in.rb);
    if (chance(3) && t->in.rd != SCH_MAXWELL_RZ && t->in.rd1 == SCH_MAXWELL_RZ) t->in.rd = t->in.ra & 0xfc;
    place_operands(&t->before, &t->operands, a, t->in.ra, b, t->in.rb);
    if (!b[0]) t->in.rb = SCH_MAXWELL_RZ;
    expect(t, toward_zero);
    return true;
}

static void compare(const struct trial *t, const struct sch_maxwell_warp *after, unsigned width, const char *name)
{
    if (memcmp(after, &t->expected, sizeof *after) == 0) return;
    for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++)
        if (after->predicates[p] != t->expected.predicates[p]) fail_msg("%s: P%u at width %u", name, p, width);
    for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++)
        for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) {
            uint32_t is = after->registers[r].u[i], should = t->expected.registers[r].u[i];
            if (is == should || t->doubtful[2] >> i & 1) continue;
            group_print(&t->group, i);
            fail_msg("%s: R%u lane %u at width %u is %08x, not %08x (Ra %u Rb %u Rd %u Rd1 %u mask %x parameter %u lod "
                     "%u offset %u code %u)",
                     name, r, i, width, is, should, t->in.ra, t->in.rb, t->in.rd, t->in.rd1, t->in.write_mask,
                     t->in.parameter, t->in.lod, t->in.offset, t->in.form_code);
        }
}

static const uint32_t constants[8] = {[7] = BOUND << 20 | BOUND};
static struct sch_maxwell_machine *machines[WIDTHS][2];

static int make_machines(void **unused)
{
    (void)unused;
    for (unsigned n = 0; n < WIDTHS * 2; n++) {
        const struct sch_maxwell_machine_options options = {.maximum_header = BOUND,
                                                            .maximum_sampler = BOUND,
                                                            .constants = constants,
                                                            .constant_words = 8,
                                                            .half_rounding = n % 2 ? SCH_MAXWELL_HALF_ZERO
                                                                                   : SCH_MAXWELL_HALF_NEAREST,
                                                            .lanes = widths[n / 2]};
        if (sch_maxwell_machine_create(&options, &sch_allocator_libc, &machines[n / 2][n % 2])) return -1;
    }
    return 0;
}

static int drop_machines(void **unused)
{
    (void)unused;
    for (unsigned n = 0; n < WIDTHS * 2; n++) sch_maxwell_machine_destroy(machines[n / 2][n % 2]);
    return 0;
}

static void run_trial(const struct trial *t, bool toward_zero, const char *name)
{
    for (unsigned w = 0; w < WIDTHS; w++) {
        struct sch_maxwell_machine *machine = machines[w][toward_zero];
        assert_int_equal(sch_maxwell_bind_texture(machine, BOUND, &t->texture), SCH_OK);
        assert_int_equal(sch_maxwell_bind_sampler(machine, BOUND, &t->sampler), SCH_OK);
        struct sch_maxwell_warp after = t->before;
        enum sch_result status = run_word(machine, &t->in, &after, NULL);
        if (status != SCH_OK) fail_msg("%s: status %d", name, (int)status);
        compare(t, &after, widths[w], name);
    }
}

static unsigned part_of(unsigned count) { return getenv("SCH_PART") ? count / 4 : count; }

/* Each form of TEXS and TLDS comes often. */
static void check_visits(enum sch_maxwell_operation operation, const unsigned visits[16])
{
    for (unsigned i = 0; i < scalar_form_count; i++)
        if (scalar_forms[i].operation == operation && visits[scalar_forms[i].code] < (getenv("SCH_PART") ? 100u : 900u))
            fail_msg("form %u has %u lookups", scalar_forms[i].code, visits[scalar_forms[i].code]);
}

static void matches_the_reference(enum sch_maxwell_operation operation, const char *name, const enum operation *asked,
                                  unsigned kinds, unsigned lookups)
{
    unsigned visits[16] = {0};
    unsigned count, executed = 0, not_zero = 0, doubtful = 0;
    const struct ref_format *formats = ref_formats(&count);
    static struct trial t;
    uint64_t seed = (uint64_t)operation << 40;
    while (executed < part_of(lookups)) {
        const struct ref_format *format = &formats[++seed * 2654435761u % count];
        enum operation ask = asked[seed % kinds];
        if (!group_is_legal(format, ask) || (ask == ASK_LOD && !format->bytes)) continue;
        bool toward_zero = seed >> 4 & 1;
        if (make_trial(&t, operation, ask, format, seed, toward_zero)) {
            run_trial(&t, toward_zero, name);
            executed += (unsigned)__builtin_popcount(t.lanes);
            visits[t.in.form_code & 15] += (unsigned)__builtin_popcount(t.lanes);
            doubtful += (unsigned)__builtin_popcount(t.doubtful[2]);
            for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
                if (t.lanes >> i & 1 && (t.words[0].u[i] | t.words[1].u[i] | t.words[2].u[i])) not_zero++;
        }
        assert_true(group_guards_hold(&t.group));
        group_release(&t.group);
    }
    print_message("# %s: %u lookups, %u answers not 0, %u doubtful\n", name, executed, not_zero, doubtful);
    assert_true(not_zero > executed / 5); /* most fetches are outside */
    assert_true(doubtful < executed / 1000);
    check_visits(operation, visits);
}

static const enum operation samples[] = {ASK_NEAREST, ASK_LINEAR, ASK_ANISOTROPIC, ASK_REDUCED, ASK_COMPARED};
static const enum operation compares[] = {ASK_NEAREST, ASK_LINEAR, ASK_COMPARED};
static const enum operation gathers[] = {ASK_GATHER, ASK_GATHER_COMPARED};
static const enum operation fetches[] = {ASK_FETCH};
static const enum operation lods[] = {ASK_LOD};

static void tex(void **unused)
{
    (void)unused;
    matches_the_reference(SCH_MAXWELL_TEX, "TEX", samples, 5, LOOKUPS);
}
static void texs(void **unused)
{
    (void)unused;
    matches_the_reference(SCH_MAXWELL_TEXS, "TEXS", compares, 3, LOOKUPS);
}
static void txd(void **unused)
{
    (void)unused;
    matches_the_reference(SCH_MAXWELL_TXD, "TXD", samples, 4, LOOKUPS);
}
static void tld4(void **unused)
{
    (void)unused;
    matches_the_reference(SCH_MAXWELL_TLD4, "TLD4", gathers, 2, LOOKUPS);
}
static void tld4s(void **unused)
{
    (void)unused;
    matches_the_reference(SCH_MAXWELL_TLD4S, "TLD4S", gathers, 2, LOOKUPS);
}
static void tld(void **unused)
{
    (void)unused;
    matches_the_reference(SCH_MAXWELL_TLD, "TLD", fetches, 1, LOOKUPS);
}
static void tlds(void **unused)
{
    (void)unused;
    matches_the_reference(SCH_MAXWELL_TLDS, "TLDS", fetches, 1, LOOKUPS);
}
static void tmml(void **unused)
{
    (void)unused;
    matches_the_reference(SCH_MAXWELL_TMML, "TMML", lods, 1, 4 * LOOKUPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tex),   cmocka_unit_test(texs), cmocka_unit_test(txd),  cmocka_unit_test(tld4),
        cmocka_unit_test(tld4s), cmocka_unit_test(tld),  cmocka_unit_test(tlds), cmocka_unit_test(tmml),
    };
    return cmocka_run_group_tests(tests, make_machines, drop_machines);
}
