/* What fragments do to a colour buffer (src/ops/raster/merge.c), with the keys that src/pipeline makes of state, at
 * every level against blend_reference.c: factors, equations, logic operations, masks, advanced equations, in every
 * format that can be a colour buffer; and values worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/blend_reference.h"
#include "../support/random_number.h"
#include "ops/ops.h"
#include "pipeline/output_key.h"

enum { LANES = SCH_GROUP_LANES };

static const enum sch_blend_factor factors[] = {SCH_FACTOR_ONE,
                                                SCH_FACTOR_SRC_COLOR,
                                                SCH_FACTOR_SRC_ALPHA,
                                                SCH_FACTOR_DST_ALPHA,
                                                SCH_FACTOR_DST_COLOR,
                                                SCH_FACTOR_CONST_COLOR,
                                                SCH_FACTOR_CONST_ALPHA,
                                                SCH_FACTOR_SRC_ALPHA_SATURATE,
                                                SCH_FACTOR_SRC1_COLOR,
                                                SCH_FACTOR_SRC1_ALPHA,
                                                SCH_FACTOR_ZERO,
                                                SCH_FACTOR_INV_SRC_COLOR,
                                                SCH_FACTOR_INV_SRC_ALPHA,
                                                SCH_FACTOR_INV_DST_ALPHA,
                                                SCH_FACTOR_INV_DST_COLOR,
                                                SCH_FACTOR_INV_CONST_COLOR,
                                                SCH_FACTOR_INV_CONST_ALPHA,
                                                SCH_FACTOR_INV_SRC1_COLOR,
                                                SCH_FACTOR_INV_SRC1_ALPHA};
enum { FACTORS = sizeof factors / sizeof *factors, EQUATIONS = 5, LOGIC_OPERATIONS = 16, ADVANCED = 15 };

static uint64_t seed = 5;

static uint32_t next(void) { return (uint32_t)(random_number(&seed) >> 32); }

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* ---- values ---- */

/* A colour's component: mostly between 0 and 1, and the edges of everything. */
static uint32_t any_component(void)
{
    static const uint32_t edges[] = {0x7fc00000u, 0xffc12345u, 0x7f800001u, /* NaN */
                                     0x7f800000u, 0xff800000u,              /* infinities */
                                     0x00000001u, 0x807fffffu,              /* denormals */
                                     0x00000000u, 0x80000000u, 0x3f800000u, 0xbf800000u, 0x3f800001u, 0x3f7fffffu,
                                     0x3f000000u, 0x3e800000u, 0x40000000u, 0xc0000000u, 0x47800000u, 0x7f7fffffu};
    const uint32_t kind = next() % 8;
    if (kind == 0) return edges[next() % (sizeof edges / sizeof *edges)];
    if (kind == 1) return bits_of(((float)(next() >> 8) * 0x1p-24f - 0.5f) * 4.0f);
    if (kind == 2) return bits_of((float)(next() % 256) / 255.0f); /* codes */
    return bits_of((float)(next() >> 8) * 0x1p-24f);
}

static uint32_t any_integer(void)
{
    static const uint32_t edges[] = {0,     1,     127,   128,         255,         256,
                                     32767, 65535, 65536, 0x7fffffffu, 0x80000000u, 0xffffffffu};
    return next() % 2 ? edges[next() % (sizeof edges / sizeof *edges)] : next() >> next() % 32;
}

/* What there is in a group: colours, texels, and which lanes merge. */
struct group {
    struct ref_fragment fragment[LANES]; /* constant and clamp as the first one's */
    uint8_t texel[LANES][REF_BLOCK_BYTES];
    uint32_t mask;
};

/* Texels are random bits; floats often of ordinary size. */
static void any_texel(const struct ref_row *row, uint8_t *texel)
{
    uint32_t value[4];
    for (unsigned b = 0; b < REF_BLOCK_BYTES; b++) texel[b] = b < row->bytes ? (uint8_t)next() : 0;
    if (!ref_is_float(row) || next() % 4 == 0) return;
    for (unsigned c = 0; c < 4; c++) value[c] = any_component();
    ref_texel_encode(row, SCH_RULES_TGSI, value, texel);
}

static void any_group(const struct ref_row *row, struct group *group)
{
    float constant[4];
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t word = any_component();
        memcpy(&constant[c], &word, sizeof constant[c]);
    }
    const bool clamp = next() % 4 == 0;
    for (unsigned i = 0; i < LANES; i++) {
        struct ref_fragment *fragment = &group->fragment[i];
        for (unsigned c = 0; c < 4; c++) {
            fragment->source[c] = ref_is_integral(row) ? any_integer() : any_component();
            fragment->second[c] = ref_is_integral(row) ? any_integer() : any_component();
            fragment->constant[c] = constant[c];
        }
        fragment->clamp = clamp;
        any_texel(row, group->texel[i]);
    }
    group->mask = next() % 3 ? UINT32_MAX : next();
    if (strcmp(row->space, "SRGB") == 0) group->mask &= 0x10204081; /* the reference is slow there */
}

/* ---- comparing ---- */

static void lanes_of(const struct group *group, struct sch_lanes source[4], struct sch_lanes second[4])
{
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < LANES; i++) {
            source[c].u[i] = group->fragment[i].source[c];
            second[c].u[i] = group->fragment[i].second[c];
        }
}

static void words_of(const uint8_t *texel, uint32_t words[SCH_TEXEL_WORDS])
{
    for (unsigned w = 0; w < SCH_TEXEL_WORDS; w++)
        words[w] = texel[4 * w] | (uint32_t)texel[4 * w + 1] << 8 | (uint32_t)texel[4 * w + 2] << 16 |
                   (uint32_t)texel[4 * w + 3] << 24;
}

static void fail_at(const struct ref_row *row, const struct sch_ops *ops, const struct sch_color_key *key,
                    const struct group *group, unsigned lane, const uint32_t want[4], const struct sch_lanes *got)
{
    const struct ref_fragment *f = &group->fragment[lane];
    uint32_t old[4];
    words_of(group->texel[lane], old);
    fail_msg("%s at %s, mode %u, mask %x, clamp %d, equations %u %u, factors %u %u %u %u, logic %u, advanced %u\n"
             "source %08x %08x %08x %08x second %08x %08x %08x %08x before %08x %08x %08x %08x\n"
             "want %08x %08x %08x %08x, got %08x %08x %08x %08x",
             row->name, ops->name, key->mode, key->color_mask, key->clamp, key->color_equation, key->alpha_equation,
             key->color_source, key->color_destination, key->alpha_source, key->alpha_destination, key->logic_operation,
             key->advanced, f->source[0], f->source[1], f->source[2], f->source[3], f->second[0], f->second[1],
             f->second[2], f->second[3], old[0], old[1], old[2], old[3], want[0], want[1], want[2], want[3],
             got[0].u[lane], got[1].u[lane], got[2].u[lane], got[3].u[lane]);
}

/* Texels that the key says are not read are something else on the mask. */
static void fill_words(const struct sch_color_key *key, const struct ref_row *row, const struct group *group,
                       struct sch_lanes word[SCH_TEXEL_WORDS])
{
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t old[SCH_TEXEL_WORDS];
        words_of(group->texel[i], old);
        for (unsigned w = 0; w < SCH_TEXEL_WORDS; w++) {
            word[w].u[i] = old[w];
            if (!key->reads && group->mask >> i & 1 && 4 * w < row->bytes)
                word[w].u[i] = row->bytes < 4 ? next() >> (32 - 8 * row->bytes) : next();
        }
    }
}

static void compare(const struct ref_row *row, const struct sch_blend_options *state, unsigned target,
                    const struct group *group)
{
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    const struct ref_fragment *first = &group->fragment[0];
    const struct sch_color_key key = sch_color_key_of(state, target, (enum sch_format)row->number, first->clamp);
    struct sch_color_values values;
    struct sch_lanes source[4], second[4], word[SCH_TEXEL_WORDS];
    uint32_t want[LANES][SCH_TEXEL_WORDS];
    memcpy(values.constant, first->constant, sizeof values.constant);
    lanes_of(group, source, second);
    for (unsigned i = 0; i < LANES; i++) {
        uint8_t texel[REF_BLOCK_BYTES];
        memcpy(texel, group->texel[i], sizeof texel);
        if (group->mask >> i & 1) ref_merge(row, state, target, &group->fragment[i], texel);
        words_of(texel, want[i]);
    }
    for (unsigned l = 0; l < levels; l++) {
        fill_words(&key, row, group, word);
        ops[l]->merge_color(&key, &values, source, key.second_source ? second : NULL, group->mask, word);
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned w = 0; w < SCH_TEXEL_WORDS; w++)
                if (word[w].u[i] != want[i][w]) fail_at(row, ops[l], &key, group, i, want[i], word);
    }
}

/* ---- state ---- */

static void any_target(struct sch_blend_target *target)
{
    target->enabled = next() % 4 != 0;
    target->color_equation = (enum sch_blend_equation)(next() % EQUATIONS);
    target->alpha_equation = (enum sch_blend_equation)(next() % EQUATIONS);
    target->color_source = factors[next() % FACTORS];
    target->color_destination = factors[next() % FACTORS];
    target->alpha_source = factors[next() % FACTORS];
    target->alpha_destination = factors[next() % FACTORS];
    target->color_mask = next() % 2 ? 15 : next() % 16;
}

static struct sch_blend_options any_state(void)
{
    struct sch_blend_options state = {.size = sizeof state};
    for (unsigned t = 0; t < SCH_COLOR_BUFFERS; t++) any_target(&state.targets[t]);
    state.independent = next() % 2;
    state.logic_enabled = next() % 4 == 0;
    state.logic_operation = (enum sch_logic_operation)(next() % LOGIC_OPERATIONS);
    state.advanced = (enum sch_advanced_blend)(next() % 4 ? 0 : next() % (ADVANCED + 1));
    return state;
}

static const struct ref_row *row_of(const char *name)
{
    const struct ref_row *row;
    const unsigned rows = ref_rows(&row);
    for (unsigned r = 0; r < rows; r++)
        if (strcmp(row[r].name, name) == 0) return &row[r];
    fail_msg("no format %s", name);
    return NULL;
}

/* One of each class that blends in a way of its own. */
static const char *const classes[] = {
    "R8G8B8A8_UNORM", "B8G8R8A8_UNORM", "B8G8R8X8_UNORM",     "R8G8B8A8_SRGB",      "R8G8B8A8_SNORM",
    "B5G6R5_UNORM",   "B5G5R5A1_UNORM", "R10G10B10A2_UNORM",  "R16G16B16A16_UNORM", "R16G16B16A16_SNORM",
    "R32G32_UNORM",   "R8G8_UNORM",     "R16G16B16A16_FLOAT", "R32G32B32A32_FLOAT", "R11G11B10_FLOAT",
    "R9G9B9E5_FLOAT", "L8A8_UNORM",     "A8_UNORM",           "I8_UNORM",           "R10SG10SB10SA2U_NORM"};
enum { CLASSES = sizeof classes / sizeof *classes };

/* Every factor as source and as destination of colours and of alpha, with every equation, in every class. */
static void factors_and_equations(void **unused)
{
    (void)unused;
    static struct group group;
    for (unsigned f = 0; f < CLASSES; f++) {
        const struct ref_row *row = row_of(classes[f]);
        for (unsigned n = 0; n < FACTORS * FACTORS * EQUATIONS; n++) {
            const unsigned s = n % FACTORS, d = n / FACTORS % FACTORS, e = n / FACTORS / FACTORS;
            struct sch_blend_options state = {.size = sizeof state};
            state.targets[0] = (struct sch_blend_target){true,
                                                         (enum sch_blend_equation)e,
                                                         (enum sch_blend_equation)((e + 2) % EQUATIONS),
                                                         factors[s],
                                                         factors[d],
                                                         factors[(d + 5) % FACTORS],
                                                         factors[(s + 11) % FACTORS],
                                                         15};
            any_group(row, &group);
            compare(row, &state, 0, &group);
        }
    }
}

static void all_formats(void **unused)
{
    (void)unused;
    static struct group group;
    unsigned formats = 0;
    const struct ref_row *row;
    const unsigned rows = ref_rows(&row);
    for (unsigned r = 0; r < rows; r++, row++) {
        assert_int_equal(sch_format_is_color((enum sch_format)row->number), ref_is_color(row));
        if (!ref_is_color(row)) continue;
        formats++;
        assert_int_equal(sch_format_texel_bytes((enum sch_format)row->number), row->bytes);
        assert_int_equal(sch_format_is_integer((enum sch_format)row->number), ref_is_integral(row));
        for (unsigned n = 0; n < 40; n++) {
            const struct sch_blend_options state = any_state();
            any_group(row, &group);
            compare(row, &state, next() % SCH_COLOR_BUFFERS, &group);
        }
    }
    assert_in_range(formats, 200, 400);
}

static void logic_operations(void **unused)
{
    (void)unused;
    static struct group group;
    const struct ref_row *row;
    const unsigned rows = ref_rows(&row);
    for (unsigned r = 0; r < rows; r++, row++) {
        if (!ref_is_color(row)) continue;
        for (unsigned n = 0; n < LOGIC_OPERATIONS; n++) {
            struct sch_blend_options state = any_state();
            state.logic_enabled = true;
            state.logic_operation = (enum sch_logic_operation)n;
            any_group(row, &group);
            compare(row, &state, 0, &group);
        }
    }
}

/* Stored and blended, with every mask, in every format. */
static void color_masks(void **unused)
{
    (void)unused;
    static struct group group;
    const struct ref_row *row;
    const unsigned rows = ref_rows(&row);
    for (unsigned r = 0; r < rows; r++, row++) {
        if (!ref_is_color(row)) continue;
        for (unsigned mask = 0; mask < 16; mask++) {
            struct sch_blend_options state = any_state();
            state.logic_enabled = false;
            state.targets[0].color_mask = (uint8_t)mask;
            state.targets[0].enabled = mask % 2 ^ next() % 2;
            any_group(row, &group);
            compare(row, &state, 0, &group);
        }
    }
}

static void advanced_equations(void **unused)
{
    (void)unused;
    static struct group group;
    for (unsigned f = 0; f < CLASSES; f++) {
        const struct ref_row *row = row_of(classes[f]);
        for (unsigned n = 0; n < ADVANCED * 12; n++) {
            struct sch_blend_options state = {.size = sizeof state};
            any_target(&state.targets[0]);
            state.targets[0].enabled = true;
            state.advanced = (enum sch_advanced_blend)(1 + n % ADVANCED);
            any_group(row, &group);
            for (unsigned i = 0; i < LANES && n % 2 && !ref_is_integral(row); i++)
                for (unsigned c = 0; c < 3; c++) { /* colours that are multiplied by their alpha */
                    uint32_t *source = group.fragment[i].source;
                    float part = (float)(next() >> 8) * 0x1p-24f, alpha;
                    memcpy(&alpha, &source[3], sizeof alpha);
                    source[c] = bits_of(alpha * part);
                }
            compare(row, &state, 0, &group);
        }
    }
}

/* Where formulas turn: zeros of both signs, ends and middles of the range, what is past them, and colours that are
 * equal. */
static void advanced_equations_turn(void **unused)
{
    (void)unused;
    static const float parts[] = {0, -0.0f, 1, 0.25f, 0.5f, -1, 2, 0x1p-30f, -0.25f, INFINITY, NAN},
                       alphas[] = {1, 0.5f, 2, 0, -1};
    static struct group group;
    const struct ref_row *row = row_of("R32G32B32A32_FLOAT");
    for (unsigned n = 0; n < ADVANCED * 300; n++) {
        struct sch_blend_options state = {.size = sizeof state};
        const unsigned usual = n % 3 ? 9 : sizeof parts / sizeof *parts;
        any_target(&state.targets[0]);
        state.targets[0].enabled = true;
        state.advanced = (enum sch_advanced_blend)(1 + n % ADVANCED);
        any_group(row, &group);
        for (unsigned i = 0; i < LANES; i++) {
            const float alpha[2] = {alphas[next() % 5], alphas[next() % 5]};
            uint32_t before[4] = {[3] = bits_of(alpha[1])};
            group.fragment[i].source[3] = bits_of(alpha[0]);
            for (unsigned c = 0; c < 3; c++) {
                group.fragment[i].source[c] = bits_of(parts[next() % usual] * alpha[0]);
                before[c] = bits_of(parts[next() % usual] * alpha[1]);
            }
            ref_texel_encode(row, SCH_RULES_TGSI, before, group.texel[i]);
        }
        compare(row, &state, 0, &group);
    }
}

/* Keys that have code of their own are chosen, and do what others do. */
static void constant_keys(void **unused)
{
    (void)unused;
    static struct group group;
    static const struct {
        const char *format;
        enum sch_merge_mode mode;
        enum sch_blend_factor source, destination, alpha_source, alpha_destination;
        enum sch_merge_constant constant;
    } cases[] = {
#define MERGE(format, name, mode, mask, source, destination, alpha_source, alpha_destination)                          \
    {#format,                                                                                                          \
     SCH_MERGE_##mode,                                                                                                 \
     (enum sch_blend_factor)source,                                                                                    \
     (enum sch_blend_factor)destination,                                                                               \
     (enum sch_blend_factor)alpha_source,                                                                              \
     (enum sch_blend_factor)alpha_destination,                                                                         \
     SCH_MERGE_CONSTANT_##format##_##name},
#define MERGE_ANY(format, mask)                                                                                        \
    {#format,                                                                                                          \
     SCH_MERGE_BLEND,                                                                                                  \
     SCH_FACTOR_DST_COLOR,                                                                                             \
     SCH_FACTOR_INV_CONST_COLOR,                                                                                       \
     SCH_FACTOR_SRC_ALPHA_SATURATE,                                                                                    \
     SCH_FACTOR_ZERO,                                                                                                  \
     SCH_MERGE_CONSTANT_##format##_ANY},
#include "abi/merges.def"
    };
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        const struct ref_row *row = row_of(cases[n].format);
        struct sch_blend_options state = {.size = sizeof state};
        state.targets[0] = (struct sch_blend_target){cases[n].mode == SCH_MERGE_BLEND,
                                                     SCH_BLEND_ADD,
                                                     SCH_BLEND_ADD,
                                                     cases[n].source,
                                                     cases[n].destination,
                                                     cases[n].alpha_source,
                                                     cases[n].alpha_destination,
                                                     15};
        const struct sch_color_key key = sch_color_key_of(&state, 0, (enum sch_format)row->number, false);
        assert_int_equal(key.constant, cases[n].constant);
        /* what is stored between 0 and 1 is clamped anyway */
        const bool clamps = ref_is_float(row);
        assert_int_equal(sch_color_key_of(&state, 0, (enum sch_format)row->number, true).clamp, clamps);
        assert_int_equal(sch_color_key_of(&state, 0, (enum sch_format)row->number, true).constant,
                         clamps ? SCH_MERGE_CONSTANT_NONE : cases[n].constant);
        for (unsigned i = 0; i < 300; i++) {
            any_group(row, &group);
            group.fragment[0].clamp = false;
            for (unsigned lane = 0; lane < LANES; lane++) group.fragment[lane].clamp = false;
            compare(row, &state, 0, &group);
        }
    }
}

/* A second colour that is not given is 0. */
static void second_source_is_missing(void **unused)
{
    (void)unused;
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    struct sch_blend_options state = {.size = sizeof state};
    state.targets[0] = (struct sch_blend_target){true,
                                                 SCH_BLEND_ADD,
                                                 SCH_BLEND_ADD,
                                                 SCH_FACTOR_SRC1_COLOR,
                                                 SCH_FACTOR_INV_SRC1_ALPHA,
                                                 SCH_FACTOR_SRC1_COLOR,
                                                 SCH_FACTOR_INV_SRC1_ALPHA,
                                                 15};
    const struct sch_color_key key = sch_color_key_of(&state, 0, SCH_FORMAT_R8G8B8A8_UNORM, false);
    const struct sch_color_values values = {{0}};
    struct sch_lanes source[4], word[SCH_TEXEL_WORDS];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < LANES; i++) source[c].u[i] = 0x3f800000u;
    for (unsigned l = 0; l < levels; l++) {
        for (unsigned i = 0; i < LANES; i++) word[0].u[i] = 0x12345678u + i;
        ops[l]->merge_color(&key, &values, source, NULL, UINT32_MAX, word);
        for (unsigned i = 0; i < LANES; i++) assert_int_equal(word[0].u[i], 0x12345678u + i);
    }
}

/* ---- by hand ---- */

/* One fragment over one texel, through every level. */
static void expect(const char *format, const struct sch_blend_options *state, const float source[4],
                   const float second[4], const float constant[4], bool clamp, uint32_t before, uint32_t after)
{
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    const struct sch_color_key key = sch_color_key_of(state, 0, (enum sch_format)row_of(format)->number, clamp);
    struct sch_color_values values;
    struct sch_lanes colors[8], word[SCH_TEXEL_WORDS];
    memcpy(values.constant, constant, sizeof values.constant);
    for (unsigned l = 0; l < levels; l++) {
        memset(word, 0, sizeof word);
        for (unsigned i = 0; i < LANES; i++) {
            for (unsigned c = 0; c < 4; c++) {
                colors[c].u[i] = bits_of(source[c]);
                colors[4 + c].u[i] = bits_of(second[c]);
            }
            word[0].u[i] = before;
        }
        ops[l]->merge_color(&key, &values, colors, &colors[4], 0x00f0, word);
        for (unsigned i = 0; i < LANES; i++) {
            const uint32_t want = i >= 4 && i < 8 ? after : before;
            if (word[0].u[i] != want) fail_msg("%s at %s: %08x, not %08x", format, ops[l]->name, word[0].u[i], want);
        }
    }
}

static struct sch_blend_options blending(enum sch_blend_equation equation, enum sch_blend_factor source,
                                         enum sch_blend_factor destination)
{
    struct sch_blend_options state = {.size = sizeof state};
    state.targets[0] =
        (struct sch_blend_target){true, equation, equation, source, destination, source, destination, 15};
    return state;
}

static const float zeros[4];

static void blending_by_hand(void **unused)
{
    (void)unused;
    const float half_red[4] = {1, 0, 0, 0.5f}, bright[4] = {2, 0.25f, -1, 1}, white[4] = {1, 1, 1, 0.5f};
    struct sch_blend_options state = blending(SCH_BLEND_ADD, SCH_FACTOR_SRC_ALPHA, SCH_FACTOR_INV_SRC_ALPHA);
    /* red over green: 127.5 to even in both channels; alpha 1/4 + 1/2 = 191.25 */
    expect("R8G8B8A8_UNORM", &state, half_red, zeros, zeros, false, 0xff00ff00u, 0xbf008080u);
    expect("B8G8R8A8_UNORM", &state, half_red, zeros, zeros, false, 0xff00ff00u, 0xbf808000u);
    /* half of white over black in light, not in codes: the curve of 1/2 is 187.5.. */
    expect("R8G8B8A8_SRGB", &state, white, zeros, zeros, false, 0x00000000u, 0x40bcbcbcu);
    /* a format without alpha has a destination of 1 */
    state = blending(SCH_BLEND_ADD, SCH_FACTOR_DST_ALPHA, SCH_FACTOR_ZERO);
    expect("B5G6R5_UNORM", &state, white, zeros, zeros, false, 0x1234u, 0xffffu);
    /* colours are clamped before they are multiplied: 2 is 1, -1 is 0 */
    state = blending(SCH_BLEND_ADD, SCH_FACTOR_CONST_COLOR, SCH_FACTOR_ONE);
    const float fifths[4] = {0.2f, 4, 0.2f, 0.2f};
    expect("R8G8B8A8_UNORM", &state, bright, zeros, fifths, false, 0u, 0x33004033u);
    /* and not at all in floats: 2 * 2 */
    const float two[4] = {2, 0, 0, 0};
    expect("R32_FLOAT", &state, two, zeros, two, false, 0u, 0x40800000u);
    expect("R32_FLOAT", &state, two, zeros, two, true, 0u, 0x40000000u);
    /* signed: 1 - -1 is 2, which is no colour and is not clamped: -1/2 * 2 */
    state = blending(SCH_BLEND_ADD, SCH_FACTOR_INV_CONST_COLOR, SCH_FACTOR_ZERO);
    const float low[4] = {-3, -3, -3, -3}, minus_half[4] = {-0.5f, -0.5f, -0.5f, -0.5f};
    expect("R8G8B8A8_SNORM", &state, minus_half, zeros, low, false, 0u, 0x81818181u);
    /* the saturated factor is 1 for alpha: min(1/2, 1 - 51/255) = 1/2 */
    state = blending(SCH_BLEND_ADD, SCH_FACTOR_SRC_ALPHA_SATURATE, SCH_FACTOR_ZERO);
    expect("R8G8B8A8_UNORM", &state, white, zeros, zeros, false, 0x33000000u, 0x80808080u);
    expect("R8G8B8A8_UNORM", &state, white, zeros, zeros, false, 0xcc000000u, 0x80333333u);
    /* the second colour weighs */
    state = blending(SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_SRC1_COLOR);
    const float weights[4] = {0, 1, 0.2f, 1}, black[4] = {0, 0, 0, 0};
    expect("R8G8B8A8_UNORM", &state, black, weights, zeros, false, 0xffffffffu, 0xff33ff00u);
    /* differences, and what is below 0 */
    state = blending(SCH_BLEND_REVERSE_SUBTRACT, SCH_FACTOR_ONE, SCH_FACTOR_ONE);
    const float gray[4] = {0.2f, 0.4f, 0.6f, 0.8f};
    expect("R8G8B8A8_UNORM", &state, gray, zeros, zeros, false, 0x80808080u, 0x00001a4du);
    state = blending(SCH_BLEND_SUBTRACT, SCH_FACTOR_ONE, SCH_FACTOR_ONE);
    expect("R8G8B8A8_UNORM", &state, gray, zeros, zeros, false, 0x80808080u, 0x4c190000u);
    /* factors have no part in the lesser and the greater */
    state = blending(SCH_BLEND_MIN, SCH_FACTOR_ZERO, SCH_FACTOR_ZERO);
    expect("R8G8B8A8_UNORM", &state, gray, zeros, zeros, false, 0x80808080u, 0x80806633u);
    state = blending(SCH_BLEND_MAX, SCH_FACTOR_ZERO, SCH_FACTOR_ZERO);
    expect("R8G8B8A8_UNORM", &state, gray, zeros, zeros, false, 0x80808080u, 0xcc998080u);
}

static void floats_by_hand(void **unused)
{
    (void)unused;
    const float nan[4] = {NAN, NAN, NAN, NAN}, one[4] = {1, 1, 1, 1};
    struct sch_blend_options state = blending(SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ZERO);
    expect("R32_FLOAT", &state, one, zeros, zeros, false, 0x3f800000u, 0x3f800000u);
    expect("R32_FLOAT", &state, one, zeros, zeros, false, 0x7f800000u, 0x7fc00000u); /* infinity times 0 */
    expect("R8G8B8A8_UNORM", &state, nan, zeros, zeros, false, 0x12345678u, 0u);
    state = blending(SCH_BLEND_MIN, SCH_FACTOR_ONE, SCH_FACTOR_ONE);
    expect("R32_FLOAT", &state, nan, zeros, zeros, false, 0x41000000u, 0x41000000u);
    expect("R32_FLOAT", &state, one, zeros, zeros, false, 0x7fc00000u, 0x3f800000u);
    /* bits that nothing computes with stay */
    state.targets[0].enabled = false;
    const float zero[4] = {-0.0f, 0, 0, 0};
    expect("R32_FLOAT", &state, zero, zeros, zeros, false, 0x41000000u, 0x80000000u);
    /* ignored on floats and sRGB, where it still keeps from blending */
    state = blending(SCH_BLEND_ADD, SCH_FACTOR_ZERO, SCH_FACTOR_ZERO);
    state.logic_enabled = true;
    state.logic_operation = SCH_LOGIC_INVERT;
    expect("R32_FLOAT", &state, one, zeros, zeros, false, 0u, 0x3f800000u);
    expect("R8G8B8A8_SRGB", &state, one, zeros, zeros, false, 0u, 0xffffffffu);
    expect("R8G8B8A8_UNORM", &state, one, zeros, zeros, false, 0x12345678u, 0xedcba987u);
}

/* What must be loaded, and which formats do what. */
static void keys_say_what_is_read(void **unused)
{
    (void)unused;
    static const struct {
        const char *format;
        enum sch_blend_equation equation;
        enum sch_blend_factor source, destination;
        uint8_t mask;
        bool reads;
    } cases[] = {
        {"R8G8B8A8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ZERO, 15, false},
        {"R8G8B8A8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_SRC1_ALPHA, SCH_FACTOR_ZERO, 15, false},
        {"R8G8B8A8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_DST_COLOR, SCH_FACTOR_ZERO, 15, true},
        {"R8G8B8A8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_INV_DST_ALPHA, SCH_FACTOR_ZERO, 15, true},
        {"R8G8B8A8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_SRC_ALPHA_SATURATE, SCH_FACTOR_ZERO, 15, true},
        {"R8G8B8A8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_SRC_ALPHA, 15, true},
        {"R8G8B8A8_UNORM", SCH_BLEND_MAX, SCH_FACTOR_ONE, SCH_FACTOR_ZERO, 15, true},
        {"R8G8B8A8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ZERO, 7, true},
        {"R8G8B8X8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ZERO, 7, false},
        {"R8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ZERO, 1, false},
        {"A8_UNORM", SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ZERO, 8, false},
        {"R8G8B8A8_SRGB", SCH_BLEND_SUBTRACT, SCH_FACTOR_ONE, SCH_FACTOR_ZERO, 15, false},
        {"R16G16B16A16_FLOAT", SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ZERO, 15, true},
        {"R9G9B9E5_FLOAT", SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ZERO, 3, true},
        {"R32_UINT", SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ONE, 15, false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_blend_options state = blending(cases[i].equation, cases[i].source, cases[i].destination);
        state.targets[0].color_mask = cases[i].mask;
        const enum sch_format format = (enum sch_format)row_of(cases[i].format)->number;
        const struct sch_color_key key = sch_color_key_of(&state, 3, format, false);
        if (key.reads != cases[i].reads) fail_msg("case %u", i);
        assert_int_equal(key.second_source, cases[i].source == SCH_FACTOR_SRC1_ALPHA);
    }
    struct sch_blend_options state = blending(SCH_BLEND_ADD, SCH_FACTOR_ONE, SCH_FACTOR_ONE);
    state.logic_enabled = true;
    const uint32_t not_read =
        1 << SCH_LOGIC_CLEAR | 1 << SCH_LOGIC_COPY | 1 << SCH_LOGIC_COPY_INVERTED | 1 << SCH_LOGIC_SET;
    for (unsigned n = 0; n < LOGIC_OPERATIONS; n++) {
        state.logic_operation = (enum sch_logic_operation)n;
        assert_int_equal(sch_color_key_of(&state, 0, SCH_FORMAT_R8G8B8A8_UINT, false).reads, !(not_read >> n & 1));
        assert_false(sch_color_key_of(&state, 0, SCH_FORMAT_R8G8B8A8_SRGB, false).reads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blending_by_hand),
        cmocka_unit_test(floats_by_hand),
        cmocka_unit_test(keys_say_what_is_read),
        cmocka_unit_test(factors_and_equations),
        cmocka_unit_test(all_formats),
        cmocka_unit_test(logic_operations),
        cmocka_unit_test(color_masks),
        cmocka_unit_test(advanced_equations),
        cmocka_unit_test(advanced_equations_turn),
        cmocka_unit_test(constant_keys),
        cmocka_unit_test(second_source_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
