/* Depth, stencil and alpha of fragments (src/ops/raster/depth_stencil.c, alpha.c), with the keys that src/pipeline
 * makes of state, at every level against depth_reference.c, alpha to coverage in whole numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/depth_reference.h"
#include "../support/random_number.h"
#include "ops/ops.h"
#include "pipeline/output_key.h"

enum { LANES = SCH_GROUP_LANES, FUNCTIONS = 8, OPERATIONS = 8 };
__extension__ typedef __int128 wide;

static uint64_t seed = 3;

static uint32_t next(void) { return (uint32_t)(random_number(&seed) >> 32); }

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* ---- comparing ---- */

struct group {
    struct ref_depth_fragment fragment[LANES];
    uint64_t texel[LANES];
    uint32_t mask;
    uint8_t reference[2];
    bool own; /* references of lanes */
};

static uint32_t any_depth_code(const struct ref_depth_layout *layout)
{
    static const uint32_t floats[] = {0, 0x80000000u, 0x3f800000u, 0x3f000000u, 0x7fc00000u, 0x00000001u, 0x40000000u};
    if (layout->is_float)
        return next() % 3 ? bits_of((float)(next() % 16) / 8.0f) : floats[next() % (sizeof floats / sizeof *floats)];
    const uint32_t most = (uint32_t)ref_ones(layout->depth_bits ? layout->depth_bits : 1), step = most / 5;
    return next() % 2 ? next() % 6 * step : next() & most;
}

static void any_group(const struct ref_depth_layout *layout, struct group *group)
{
    static const uint8_t stencils[] = {0, 1, 2, 127, 128, 254, 255};
    group->mask = next() % 2 ? UINT32_MAX : next();
    group->own = next() % 4 == 0;
    for (unsigned f = 0; f < 2; f++) group->reference[f] = next() % 2 ? stencils[next() % 7] : (uint8_t)next();
    for (unsigned i = 0; i < LANES; i++) {
        struct ref_depth_fragment *fragment = &group->fragment[i];
        fragment->back = next() % 3 == 0;
        fragment->code = any_depth_code(layout);
        fragment->reference = next() % 2 ? stencils[next() % 7] : next();
        group->texel[i] = (uint64_t)next() << 32 | next();
        if (layout->depth_bits)
            group->texel[i] =
                ref_with_field(group->texel[i], layout->depth_at, layout->depth_bits, any_depth_code(layout));
        if (layout->has_stencil && next() % 2)
            group->texel[i] = ref_with_field(group->texel[i], layout->stencil_at, 8, stencils[next() % 7]);
        if (layout->bytes < 8) group->texel[i] &= ref_ones(8 * layout->bytes);
    }
}

static void fail_at(const struct ref_depth_layout *layout, const struct sch_ops *ops, const struct group *group,
                    unsigned lane, uint64_t want, uint64_t got)
{
    fail_msg("%s at %s, lane %u (back %d): %016llx, code %08x, reference %u: want %016llx, got %016llx", layout->name,
             ops->name, lane, group->fragment[lane].back, (unsigned long long)group->texel[lane],
             group->fragment[lane].code, group->fragment[lane].reference, (unsigned long long)want,
             (unsigned long long)got);
}

static void compare_level(const struct ref_depth_layout *layout, const struct sch_ops *ops,
                          const struct sch_depth_stencil_alpha_options *state, const struct group *group)
{
    const struct sch_depth_stencil_key key = sch_depth_stencil_key_of(state, layout->format);
    const struct sch_depth_stencil_values values = {{group->reference[0], group->reference[1]}};
    struct sch_lanes word[SCH_DEPTH_WORDS], code, reference;
    uint32_t back = 0, verdicts[4] = {0};
    for (unsigned i = 0; i < LANES; i++) {
        back |= (uint32_t)group->fragment[i].back << i;
        word[0].u[i] = (uint32_t)group->texel[i];
        word[1].u[i] = (uint32_t)(group->texel[i] >> 32);
        code.u[i] = group->fragment[i].code;
        reference.u[i] = group->fragment[i].reference;
    }
    const struct sch_output_tests tests =
        ops->test_depth_stencil(&key, &values, group->mask, back, &code, group->own ? &reference : NULL, word);
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t texel = group->texel[i];
        struct ref_depth_fragment fragment = group->fragment[i];
        if (!group->own) fragment.reference = group->reference[fragment.back && state->stencil[1].enabled];
        if (group->mask >> i & 1) verdicts[ref_depth_test(layout, state, &fragment, &texel)] |= 1u << i;
        const uint64_t got = word[0].u[i] | (uint64_t)word[1].u[i] << 32;
        if (got != texel) fail_at(layout, ops, group, i, texel, got);
        if (!sch_depth_stencil_touches(&key) && got != group->texel[i]) fail_at(layout, ops, group, i, texel, got);
    }
    assert_int_equal(tests.passed, verdicts[REF_PASSED]);
    assert_int_equal(tests.failed_bounds, verdicts[REF_FAILED_BOUNDS]);
    assert_int_equal(tests.failed_stencil, verdicts[REF_FAILED_STENCIL]);
    assert_int_equal(tests.failed_depth, verdicts[REF_FAILED_DEPTH]);
}

static void compare(const struct ref_depth_layout *layout, const struct sch_depth_stencil_alpha_options *state)
{
    static struct group group;
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    any_group(layout, &group);
    for (unsigned l = 0; l < levels; l++) compare_level(layout, ops[l], state, &group);
}

/* ---- depth and stencil ---- */

static enum sch_compare any_function(void) { return (enum sch_compare)(1 + next() % FUNCTIONS); }
static enum sch_stencil_operation any_operation(void) { return (enum sch_stencil_operation)(next() % OPERATIONS); }
static uint8_t any_mask(void) { return next() % 2 ? 255 : (uint8_t)next(); }

static struct sch_stencil_face any_face(bool enabled)
{
    return (struct sch_stencil_face){enabled,         any_function(), any_operation(), any_operation(),
                                     any_operation(), any_mask(),     any_mask()};
}

static struct sch_depth_stencil_alpha_options any_state(void)
{
    static const float bounds[] = {-1.0f, 0.0f, 0.2f, 0.25f, 0.6f, 1.0f, 2.0f, 0x1p-24f};
    struct sch_depth_stencil_alpha_options state = {.size = sizeof state};
    state.depth_enabled = next() % 4 != 0;
    state.depth_writes = next() % 4 != 0;
    state.depth_function = any_function();
    state.depth_bounds = next() % 4 == 0;
    state.depth_bounds_min = bounds[next() % 8];
    state.depth_bounds_max = bounds[next() % 8];
    state.stencil[0] = any_face(next() % 4 != 0);
    state.stencil[1] = any_face(next() % 2);
    return state;
}

/* Every function with every operation in every place, on both faces. */
static void stencil_operations(void **unused)
{
    (void)unused;
    for (unsigned f = 0; f < REF_DEPTH_LAYOUTS; f++) {
        const struct ref_depth_layout *layout = &ref_depth_layouts[f];
        if (!layout->has_stencil) continue;
        for (unsigned n = 0; n < FUNCTIONS * OPERATIONS * OPERATIONS; n++) {
            struct sch_depth_stencil_alpha_options state = any_state();
            struct sch_stencil_face *face = &state.stencil[n % 2];
            *face = any_face(true);
            face->function = (enum sch_compare)(1 + n / 64);
            face->fail = (enum sch_stencil_operation)(n / 8 % 8);
            face->depth_fail = (enum sch_stencil_operation)(n % 8);
            face->pass = (enum sch_stencil_operation)((n / 8 + n) % 8);
            state.depth_bounds = false;
            compare(layout, &state);
        }
    }
}

static void depth_functions(void **unused)
{
    (void)unused;
    for (unsigned f = 0; f < REF_DEPTH_LAYOUTS; f++)
        for (unsigned n = 0; n <= FUNCTIONS; n++)
            for (unsigned writes = 0; writes < 8; writes++) {
                struct sch_depth_stencil_alpha_options state = {.size = sizeof state};
                state.depth_enabled = true;
                state.depth_writes = writes % 2;
                state.depth_function = (enum sch_compare)n; /* NONE, too */
                compare(&ref_depth_layouts[f], &state);
            }
}

static void random_states(void **unused)
{
    (void)unused;
    for (unsigned f = 0; f < REF_DEPTH_LAYOUTS; f++)
        for (unsigned n = 0; n < 1500; n++) {
            const struct sch_depth_stencil_alpha_options state = any_state();
            compare(&ref_depth_layouts[f], &state);
        }
}

/* Worked out from the texts, at one texel. */
static void tests_by_hand(void **unused)
{
    (void)unused;
    static const struct {
        enum sch_compare stencil, depth;
        float bounds_max;
        uint32_t before, after;
        unsigned verdict;
    } cases[] = {
        /* fail INCREMENT_WRAP, depth_fail DECREMENT, pass REPLACE by 0x55, of which 0x0f is written; code 0x000100 */
        {SCH_COMPARE_ALWAYS, SCH_COMPARE_LESS, 1, 0xff000200u, 0xf5000100u, REF_PASSED},
        {SCH_COMPARE_ALWAYS, SCH_COMPARE_GREATER, 1, 0xff000200u, 0xfe000200u, REF_FAILED_DEPTH},
        {SCH_COMPARE_NEVER, SCH_COMPARE_LESS, 1, 0xff000200u, 0xf0000200u, REF_FAILED_STENCIL},
        {SCH_COMPARE_GREATER, SCH_COMPARE_EQUAL, 1, 0x54000100u, 0x55000100u, REF_PASSED},
        {SCH_COMPARE_GREATER, SCH_COMPARE_EQUAL, 1, 0x56000100u, 0x57000100u, REF_FAILED_STENCIL},
        {SCH_COMPARE_ALWAYS, SCH_COMPARE_ALWAYS, 0.5f, 0x01800001u, 0x01800001u, REF_FAILED_BOUNDS},
        {SCH_COMPARE_ALWAYS, SCH_COMPARE_ALWAYS, 0.5f, 0x01800000u, 0x05000100u,
         REF_PASSED}, /* 1/2 is stored as that */
    };
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned l = 0; l < levels; l++)
        for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
            struct sch_depth_stencil_alpha_options state = {.size = sizeof state, .depth_enabled = true};
            state.depth_writes = state.depth_bounds = true;
            state.depth_function = cases[n].depth;
            state.depth_bounds_max = cases[n].bounds_max;
            state.stencil[0] = (struct sch_stencil_face){
                true, cases[n].stencil, SCH_STENCIL_INCREMENT_WRAP, SCH_STENCIL_DECREMENT, SCH_STENCIL_REPLACE, 255,
                15};
            const struct sch_depth_stencil_key key = sch_depth_stencil_key_of(&state, SCH_FORMAT_Z24_UNORM_S8_UINT);
            const struct sch_depth_stencil_values values = {{0x55, 0xaa}};
            struct sch_lanes word[SCH_DEPTH_WORDS], code;
            for (unsigned i = 0; i < LANES; i++) word[0].u[i] = cases[n].before, code.u[i] = 0x100;
            const struct sch_output_tests tests =
                ops[l]->test_depth_stencil(&key, &values, 0x8001, UINT32_MAX, &code, NULL, word);
            const uint32_t got[4] = {tests.passed, tests.failed_bounds, tests.failed_stencil, tests.failed_depth};
            for (unsigned v = 0; v < 4; v++) assert_int_equal(got[v], v == cases[n].verdict ? 0x8001 : 0);
            for (unsigned i = 0; i < LANES; i++)
                assert_int_equal(word[0].u[i], 0x8001 >> i & 1 ? cases[n].after : cases[n].before);
        }
}

/* What there is not is not tested, and formats are what the table says. */
static void formats_have_their_parts(void **unused)
{
    (void)unused;
    unsigned found = 0;
    for (unsigned n = 0; n < SCH_FORMAT_LIMIT; n++) {
        const enum sch_format format = (enum sch_format)n;
        const struct ref_depth_layout *layout = NULL;
        for (unsigned f = 0; f < REF_DEPTH_LAYOUTS; f++)
            if (ref_depth_layouts[f].format == format) layout = &ref_depth_layouts[f];
        assert_int_equal(sch_format_is_depth_stencil(format), layout != NULL);
        if (!layout) continue;
        found++;
        assert_int_equal(sch_format_has_depth(format), layout->depth_bits != 0);
        assert_int_equal(sch_format_has_stencil(format), layout->has_stencil);
        assert_int_equal(sch_format_texel_bytes(format), layout->bytes);
        assert_false(sch_format_is_color(format));
    }
    assert_int_equal(found, REF_DEPTH_LAYOUTS);
    struct sch_depth_stencil_alpha_options state = any_state();
    state.depth_enabled = state.depth_bounds = state.stencil[0].enabled = state.stencil[1].enabled = true;
    struct sch_depth_stencil_key key = sch_depth_stencil_key_of(&state, SCH_FORMAT_NONE);
    assert_false(sch_depth_stencil_touches(&key));
    key = sch_depth_stencil_key_of(&state, SCH_FORMAT_Z16_UNORM);
    assert_true(sch_depth_stencil_touches(&key));
    assert_false(key.stencil[0].enabled || key.stencil[1].enabled || key.two_sided);
    key = sch_depth_stencil_key_of(&state, SCH_FORMAT_S8_UINT);
    assert_true(sch_depth_stencil_touches(&key));
    assert_false(key.depth_test || key.depth_bounds || key.depth_writes);
}

/* ---- depth as it is stored ---- */

/* Near a tie between two codes, at it, or anything. */
static double any_z(const struct ref_depth_layout *layout)
{
    static const double edges[] = {0.0,   -0.0,   1.0,    0.5,       -1.0,     2.0,
                                   1e300, -1e300, 1e-300, 0x1p-1074, 0x1p-149, 0x1p-150};
    const double most = (double)ref_ones(layout->is_float || !layout->depth_bits ? 24 : layout->depth_bits);
    const uint32_t kind = next() % 8;
    if (kind == 0) return edges[next() % (sizeof edges / sizeof *edges)];
    if (kind == 1) return next() % 2 ? NAN : next() % 2 ? INFINITY : -INFINITY;
    if (kind == 2) return ((double)next() * 0x1p-32 - 0.5) * 8;
    if (kind == 3) return ldexp((double)next(), -32 - (int)(next() % 60));
    double z = (floor((double)next() * 0x1p-32 * most) + 0.5) / most; /* a tie, nearly always beside it */
    if (kind == 4) z = nextafter(z, 2.0);
    if (kind == 5) z = nextafter(z, -1.0);
    return z;
}

static void depth_is_rounded_once(void **unused)
{
    (void)unused;
    static const float ends[] = {0.0f, 1.0f, 0.25f, 0.75f, -2.0f, 3.0f, 0.1f, -0.0f};
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    static struct sch_double_lanes z;
    struct sch_lanes min, max, code;
    for (unsigned f = 0; f < REF_DEPTH_LAYOUTS; f++)
        for (unsigned n = 0; n < 1500; n++) {
            for (unsigned i = 0; i < LANES; i++) {
                float low = n % 2 ? 0.0f : ends[next() % 8], high = n % 2 ? 1.0f : ends[next() % 8];
                z.d[i] = any_z(&ref_depth_layouts[f]);
                min.u[i] = bits_of(low < high ? low : high);
                max.u[i] = bits_of(low < high ? high : low);
            }
            for (unsigned l = 0; l < levels; l++) {
                /* D3D 16.3.1: what a program would write back after it has read it has the same code */
                const struct sch_depth_stencil_key key = {.format = (uint16_t)ref_depth_layouts[f].format,
                                                          .single = n / 2 % 2};
                ops[l]->encode_depth(&key, &z, &min, &max, &code);
                for (unsigned i = 0; i < LANES; i++) {
                    const uint32_t want =
                        ref_depth_code(&ref_depth_layouts[f], key.single ? (double)(float)z.d[i] : z.d[i],
                                       float_of(min.u[i]), float_of(max.u[i]));
                    if (code.u[i] != want)
                        fail_msg("%s at %s: %a in %a..%a is %08x, not %08x", ref_depth_layouts[f].name, ops[l]->name,
                                 z.d[i], (double)float_of(min.u[i]), (double)float_of(max.u[i]), want, code.u[i]);
                }
            }
        }
}

/* 1/2 is the only tie, and its upper code is the even one; 1/3 is none. */
static void depth_by_hand(void **unused)
{
    (void)unused;
    static const struct {
        enum sch_format format;
        double z;
        uint32_t code;
    } cases[] = {
        {SCH_FORMAT_Z16_UNORM, 0.5, 0x8000},          {SCH_FORMAT_Z24X8_UNORM, 0.5, 0x800000},
        {SCH_FORMAT_Z32_UNORM, 0.5, 0x80000000u},     {SCH_FORMAT_Z32_UNORM, 1.0, 0xffffffffu},
        {SCH_FORMAT_Z16_UNORM, 1.0 / 3, 0x5555},      {SCH_FORMAT_Z32_UNORM, 0x1p-33, 0},
        {SCH_FORMAT_Z32_UNORM, 0x1.000001p-33, 1},    {SCH_FORMAT_Z32_FLOAT, 1.0 + 0x1p-24, 0x3f800000u},
        {SCH_FORMAT_Z32_FLOAT, 1.0 / 3, 0x3eaaaaabu}, {SCH_FORMAT_Z32_FLOAT, -0.0, 0},
        {SCH_FORMAT_Z24X8_UNORM, 0.25, 0x400000},     {SCH_FORMAT_Z24X8_UNORM, NAN, 0},
        {SCH_FORMAT_Z16_UNORM, INFINITY, 0xffff},     {SCH_FORMAT_S8_UINT, 0.5, 0},
    };
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    static struct sch_double_lanes z;
    struct sch_lanes min, max, code;
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++)
        for (unsigned l = 0; l < levels; l++) {
            for (unsigned i = 0; i < LANES; i++) z.d[i] = cases[n].z, min.u[i] = 0, max.u[i] = 0x3f800000u;
            const struct sch_depth_stencil_key key = {.format = (uint16_t)cases[n].format};
            ops[l]->encode_depth(&key, &z, &min, &max, &code);
            for (unsigned i = 0; i < LANES; i++) assert_int_equal(code.u[i], cases[n].code);
        }
}

/* ---- alpha ---- */

static uint32_t any_alpha(void)
{
    static const uint32_t edges[] = {0x7fc00000u, 0xff800000u, 0x7f800000u, 0x80000000u, 0,          1,
                                     0x3f800000u, 0x3f000000u, 0x3f7fffffu, 0xbf800000u, 0x40000000u};
    const uint32_t kind = next() % 4;
    if (kind == 0) return edges[next() % (sizeof edges / sizeof *edges)];
    if (kind == 1) return bits_of((float)(next() % 64) / 32.0f); /* ties of samples that are powers of two */
    if (kind == 2) return bits_of(((float)(next() % 17) + 0.5f) / (float)(1 + next() % 16)) + next() % 3 - 1;
    return bits_of((float)(next() >> 8) * 0x1p-24f);
}

static void alpha_is_tested(void **unused)
{
    (void)unused;
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned n = 0; n < 500; n++)
        for (unsigned function = 0; function <= FUNCTIONS; function++) {
            struct sch_lanes alpha;
            const bool clamp = next() % 2;
            const float reference = float_of(any_alpha());
            uint32_t want = 0;
            for (unsigned i = 0; i < LANES; i++) {
                alpha.u[i] = next() % 4 ? any_alpha() : bits_of(reference);
                float a = float_of(alpha.u[i]);
                if (clamp) a = isnan(a) || a < 0 ? 0 : a > 1 ? 1 : a;
                want |= (uint32_t)ref_compare_floats((enum sch_compare)function, a, reference) << i;
            }
            for (unsigned l = 0; l < levels; l++)
                assert_int_equal(ops[l]->alpha_test(function, reference, clamp, &alpha), want);
        }
}

/* floor(a * samples + 1/2) of a between 0 and 1, exactly. */
static unsigned covered(uint32_t alpha, unsigned samples)
{
    const float a = float_of(alpha);
    if (!(a > 0)) return 0;
    if (a >= 1) return samples;
    int exponent;
    const wide mantissa = (wide)ldexpf(frexpf(a, &exponent), 24); /* a = mantissa * 2^(exponent - 24) */
    const int shift = 24 - exponent + 1;                          /* of 2 * a * samples + 1 over 2 */
    if (shift > 100) return 0;
    return (unsigned)((mantissa * 2 * samples + ((wide)1 << (shift - 1))) >> shift);
}

/* The first n samples, so that what is covered at one alpha is covered at every greater one. */
static void alpha_becomes_coverage(void **unused)
{
    (void)unused;
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned samples = 1; samples <= SCH_MAX_SAMPLES; samples++)
        for (unsigned n = 0; n < 400; n++) {
            struct sch_lanes alpha;
            for (unsigned i = 0; i < LANES; i++) alpha.u[i] = any_alpha();
            for (unsigned l = 0; l < levels; l++) {
                uint32_t lanes[SCH_MAX_SAMPLES + 1];
                lanes[samples] = 0x5a5a5a5a;
                ops[l]->alpha_to_coverage(&alpha, samples, lanes);
                for (unsigned i = 0; i < LANES; i++)
                    for (unsigned s = 0; s < samples; s++)
                        if ((lanes[s] >> i & 1) != (s < covered(alpha.u[i], samples)))
                            fail_msg("%s: sample %u of %u, alpha %a", ops[l]->name, s, samples,
                                     (double)float_of(alpha.u[i]));
                assert_int_equal(lanes[samples], 0x5a5a5a5a);
            }
        }
    assert_int_equal(covered(0x3f000000u, 1), 1); /* 1/2 and up */
    assert_int_equal(covered(0x3effffffu, 1), 0);
    assert_int_equal(covered(0x3e000000u, 4), 1); /* 1/8 of 4 */
    assert_int_equal(covered(0x3f800000u, 16), 16);
}

/* Clamped, then 1, then times the part of the pixel: each rounded, in this order. */
static void alpha_is_changed(void **unused)
{
    (void)unused;
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned n = 0; n < 2000; n++) {
        struct sch_lanes alpha, part, changed;
        const bool clamp = n & 1, one = n >> 1 & 1, smooth = n >> 2 & 1;
        for (unsigned i = 0; i < LANES; i++) {
            alpha.u[i] = any_alpha();
            part.u[i] = next() % 257;
        }
        for (unsigned l = 0; l < levels; l++) {
            changed = alpha;
            ops[l]->change_alpha(&changed, clamp, one, smooth ? &part : NULL);
            for (unsigned i = 0; i < LANES; i++) {
                float a = float_of(alpha.u[i]);
                if (clamp) a = isnan(a) || a <= 0 ? 0 : a > 1 ? 1 : a;
                if (one) a = 1;
                if (smooth) a *= (float)part.u[i] / 256;
                if (changed.u[i] != bits_of(a))
                    fail_msg("%s: %a becomes %a", ops[l]->name, (double)float_of(alpha.u[i]),
                             (double)float_of(changed.u[i]));
            }
        }
    }
}

static void masks_are_turned(void **unused)
{
    (void)unused;
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned samples = 1; samples <= SCH_MAX_SAMPLES; samples++)
        for (unsigned l = 0; l < levels; l++) {
            uint32_t lanes[SCH_MAX_SAMPLES + 1];
            struct sch_lanes masks, back;
            for (unsigned i = 0; i < LANES; i++) masks.u[i] = next();
            lanes[samples] = 0x5a5a5a5a;
            ops[l]->lanes_of_masks(&masks, samples, lanes);
            assert_int_equal(lanes[samples], 0x5a5a5a5a);
            for (unsigned i = 0; i < LANES; i++)
                for (unsigned s = 0; s < samples; s++) assert_int_equal(lanes[s] >> i & 1, masks.u[i] >> s & 1);
            ops[l]->masks_of_lanes(lanes, samples, &back);
            for (unsigned i = 0; i < LANES; i++)
                assert_int_equal(back.u[i], masks.u[i] & ((UINT32_C(1) << samples) - 1));
        }
}

/* What FS_DEPTH_LAYOUT promises, by its numbers: 2 at least the primitive's depth, 3 at most, 4 that depth. */
static void depth_is_written(void **unused)
{
    (void)unused;
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned n = 0; n < 1000; n++) {
        const unsigned layout = n % 5;
        struct sch_double_lanes depth, changed;
        struct sch_lanes written;
        for (unsigned i = 0; i < LANES; i++) {
            written.u[i] = any_alpha();
            depth.d[i] = next() % 3 ? (double)float_of(any_alpha()) + (next() % 3 - 1.0) * 1e-12
                                    : (double)float_of(written.u[i]);
        }
        for (unsigned l = 0; l < levels; l++) {
            changed = depth;
            ops[l]->write_depth(&changed, &written, layout);
            for (unsigned i = 0; i < LANES; i++) {
                const double own = (double)float_of(written.u[i]), plain = depth.d[i];
                const bool kept = layout == 4 || (layout == 2 && own < plain) || (layout == 3 && own > plain);
                assert_memory_equal(&changed.d[i], kept ? &plain : &own, sizeof plain);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_their_parts),
        cmocka_unit_test(tests_by_hand),
        cmocka_unit_test(depth_functions),
        cmocka_unit_test(stencil_operations),
        cmocka_unit_test(random_states),
        cmocka_unit_test(depth_by_hand),
        cmocka_unit_test(depth_is_rounded_once),
        cmocka_unit_test(alpha_is_tested),
        cmocka_unit_test(alpha_becomes_coverage),
        cmocka_unit_test(alpha_is_changed),
        cmocka_unit_test(masks_are_turned),
        cmocka_unit_test(depth_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
