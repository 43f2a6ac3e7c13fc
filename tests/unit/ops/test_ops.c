/* The tables of operations themselves: every level computes the same bits for every arithmetic opcode and every set of
 * rules, only flagged opcodes answer to rules, and modifiers, saturate and the group primitives do what their
 * declarations say. What opcodes compute is tested in test_opcodes.c. */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../support/values.h"
#include "ops/ops.h"

enum { CHANNELS = 16, RESULTS = 4, GROUPS = 320 }; /* 320 groups: 10240 lanes */

static uint64_t seed;

static unsigned level_count(void)
{
    unsigned count;
    sch_ops_levels(&count);
    return count;
}

static const struct sch_ops *level(unsigned i)
{
    unsigned count;
    return sch_ops_levels(&count)[i];
}

/* The type letter of what src[k] of a shape holds. */
static char channel_type(const struct sch_op_info *info, unsigned k)
{
    switch (info->shape) {
    case SCH_SHAPE_VREPL2:
    case SCH_SHAPE_VREPL3:
    case SCH_SHAPE_VREPL4:
    case SCH_SHAPE_CHAN:
        return k / 4 < info->srcs ? info->src_type[k / 4] : 'U';
    case SCH_SHAPE_COMP64:
    case SCH_SHAPE_COMPARE64:
    case SCH_SHAPE_NARROW64:
    case SCH_SHAPE_FRACEXP:
        return k / 2 < info->srcs ? info->src_type[k / 2] : 'U';
    default:
        return k < info->srcs ? info->src_type[k] : 'U';
    }
}

/* Operands as an engine lays them out: two words for a 64-bit value. */
static void fill(const struct sch_op_info *info, struct sch_lanes source[CHANNELS])
{
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
        for (unsigned k = 0; k < CHANNELS; k++) {
            char type = channel_type(info, k);
            union value v = value_random(type == 'X' ? 'F' : type, &seed);
            source[k].u[lane] = v.u;
            if (value_is_wide(type)) source[++k].u[lane] = (uint32_t)(v.q >> 32);
        }
    }
}

static void call(sch_op_fn *fn, uint32_t rules, const struct sch_lanes source[CHANNELS],
                 struct sch_lanes result[RESULTS])
{
    const struct sch_lanes *src[CHANNELS];
    struct sch_lanes *dst[RESULTS];
    for (unsigned k = 0; k < CHANNELS; k++) src[k] = &source[k];
    for (unsigned k = 0; k < RESULTS; k++) dst[k] = &result[k];
    memset(result, 0x5a, RESULTS * sizeof *result);
    fn(rules, dst, src);
}

static void test_levels_agree(void **state)
{
    (void)state;
    seed = 1;
    unsigned operations = 0;
    for (unsigned opcode = 0; opcode < SCH_OP_LIMIT; opcode++) {
        const struct sch_op_info *info = sch_op_info(opcode);
        if (!info || !SCH_SHAPE_IS_ARITHMETIC(info->shape)) continue;
        operations++;
        for (unsigned g = 0; g < GROUPS; g++) {
            struct sch_lanes source[CHANNELS], first[RESULTS], other[RESULTS];
            uint32_t rules = g & (SCH_RULE_LEGACY_MUL | SCH_RULE_PRECISE | SCH_RULE_D3D);
            fill(info, source);
            call(level(0)->op[opcode], rules, source, first);
            for (unsigned l = 1; l < level_count(); l++) {
                call(level(l)->op[opcode], rules, source, other);
                if (memcmp(first, other, sizeof first) != 0)
                    fail_msg("%s, rules %u: %s differs from %s", info->name, rules, level(l)->name, level(0)->name);
            }
        }
    }
    assert_true(operations > 150);
}

/* A result may be written over a source at the same place. */
static void test_in_place(void **state)
{
    (void)state;
    seed = 2;
    for (unsigned opcode = 0; opcode < SCH_OP_LIMIT; opcode++) {
        const struct sch_op_info *info = sch_op_info(opcode);
        if (!info || info->shape != SCH_SHAPE_COMP) continue;
        for (unsigned l = 0; l < level_count(); l++) {
            struct sch_lanes source[CHANNELS], result[RESULTS];
            const struct sch_lanes *src[CHANNELS];
            struct sch_lanes *dst[1] = {&source[0]};
            fill(info, source);
            for (unsigned k = 0; k < CHANNELS; k++) src[k] = &source[k];
            call(level(l)->op[opcode], 0, source, result);
            level(l)->op[opcode](0, dst, src);
            if (memcmp(&result[0], &source[0], sizeof result[0]) != 0)
                fail_msg("%s of %s does not work in place", info->name, level(l)->name);
        }
    }
}

/* A rule changes something if and only if the row's flag says so. */
static void check_rule(uint32_t rule, unsigned flag)
{
    for (unsigned opcode = 0; opcode < SCH_OP_LIMIT; opcode++) {
        const struct sch_op_info *info = sch_op_info(opcode);
        if (!info || !SCH_SHAPE_IS_ARITHMETIC(info->shape)) continue;
        bool differs = false;
        for (unsigned g = 0; g < GROUPS; g++) {
            struct sch_lanes source[CHANNELS], with[RESULTS], without[RESULTS];
            fill(info, source);
            call(level(0)->op[opcode], 0, source, without);
            call(level(0)->op[opcode], rule, source, with);
            differs = differs || memcmp(with, without, sizeof with) != 0;
        }
        if (differs != !!(info->flags & flag))
            fail_msg("%s: rule %u %s, but its row's flags are 0x%x", info->name, rule,
                     differs ? "changes results" : "changes nothing", info->flags);
    }
}

static void test_legacy_flags(void **state)
{
    (void)state;
    seed = 3;
    check_rule(SCH_RULE_LEGACY_MUL, SCH_OPF_LEGACY);
}

static void test_fused_flags(void **state)
{
    (void)state;
    seed = 4;
    check_rule(SCH_RULE_PRECISE, SCH_OPF_FUSED);
}

static void test_d3d_flags(void **state)
{
    (void)state;
    seed = 5;
    check_rule(SCH_RULE_D3D, SCH_OPF_D3D);
}

static void test_tables(void **state)
{
    (void)state;
    bool seen[17] = {false};
    for (unsigned l = 0; l < level_count(); l++) {
        const struct sch_ops *ops = level(l);
        assert_true(ops->lanes == 4 || ops->lanes == 8 || ops->lanes == 16);
        seen[ops->lanes] = true;
        for (unsigned opcode = 0; opcode < SCH_OP_LIMIT; opcode++) {
            const struct sch_op_info *info = sch_op_info(opcode);
            bool arithmetic = info && SCH_SHAPE_IS_ARITHMETIC(info->shape);
            assert_int_equal(arithmetic, ops->op[opcode] != NULL);
        }
    }
    static const unsigned widths[] = {4, 8, 16};
    assert_true(seen[4]);
    for (unsigned w = 0, nearest = 4; w < 3; w++) {
        if (seen[widths[w]]) nearest = widths[w];
        assert_int_equal(sch_ops_for_width(widths[w])->lanes, nearest);
    }
    assert_ptr_equal(sch_ops_for_width(0), level(level_count() - 1));
    assert_null(sch_ops_for_width(1));
    assert_null(sch_ops_for_width(32));
}

/* ---- modifiers and saturate ---- */

static union value modified(char type, unsigned modifier, union value v)
{
    bool absolute = modifier != 0, negate = modifier != 1;
    switch (type) {
    case 'F':
        if (absolute) v.f = fabsf(v.f);
        if (negate) v.f = -v.f;
        break;
    case 'D':
        if (absolute) v.d = fabs(v.d);
        if (negate) v.d = -v.d;
        break;
    case 'I':
        if (absolute) v.q &= 0x7fffffff;
        if (negate) v.q = (uint32_t)(0 - v.u);
        break;
    default:
        if (absolute) v.q &= 0x7fffffffffffffff;
        if (negate) v.q = 0 - v.q;
        break;
    }
    return value_canonical(type, v);
}

static void check_unary(sch_op_fn *fn, char type, union value (*expected)(char, unsigned, union value),
                        unsigned modifier, const char *what)
{
    for (unsigned g = 0; g < 32; g++) {
        struct sch_lanes source[CHANNELS] = {{{0}}}, result[RESULTS];
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
            union value v = value_random(type, &seed);
            source[0].u[lane] = v.u;
            source[1].u[lane] = (uint32_t)(v.q >> 32);
        }
        call(fn, 0, source, result);
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
            union value v = {.q = source[0].u[lane]}, is = {.q = result[0].u[lane]};
            if (value_is_wide(type)) {
                v.q |= (uint64_t)source[1].u[lane] << 32;
                is.q |= (uint64_t)result[1].u[lane] << 32;
            }
            union value want = expected(type, modifier, v);
            if (is.q != want.q)
                fail_msg("%s of %c %016llx is %016llx, not %016llx", what, type, (unsigned long long)v.q,
                         (unsigned long long)is.q, (unsigned long long)want.q);
        }
    }
}

static void test_modifiers(void **state)
{
    (void)state;
    seed = 5;
    static const char *const names[] = {"negate", "absolute", "negate absolute"};
    for (unsigned l = 0; l < level_count(); l++) {
        const struct sch_ops *ops = level(l);
        for (unsigned m = 0; m < 3; m++) {
            check_unary(ops->modify[SCH_MODIFY_NEGATE_F32 + m], 'F', modified, m, names[m]);
            check_unary(ops->modify[SCH_MODIFY_NEGATE_I32 + m], 'I', modified, m, names[m]);
            check_unary(ops->modify[SCH_MODIFY_NEGATE_F64 + m], 'D', modified, m, names[m]);
            check_unary(ops->modify[SCH_MODIFY_NEGATE_I64 + m], 'L', modified, m, names[m]);
        }
    }
}

static union value saturated(char type, unsigned unused, union value v)
{
    (void)unused;
    if (type == 'F')
        v.f = v.f != v.f ? 0.0f : v.f < 0 ? 0.0f : v.f > 1 ? 1.0f : v.f;
    else
        v.d = v.d != v.d ? 0.0 : v.d < 0 ? 0.0 : v.d > 1 ? 1.0 : v.d;
    return v;
}

static void test_saturate(void **state)
{
    (void)state;
    seed = 6;
    for (unsigned l = 0; l < level_count(); l++) {
        check_unary(level(l)->modify[SCH_MODIFY_SATURATE_F32], 'F', saturated, 0, "saturate");
        check_unary(level(l)->modify[SCH_MODIFY_SATURATE_F64], 'D', saturated, 0, "saturate");
    }
}

/* ---- groups ---- */

static struct sch_lanes random_lanes(char type)
{
    struct sch_lanes lanes;
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) lanes.u[lane] = value_random(type, &seed).u;
    return lanes;
}

static struct sch_lanes random_mask(void)
{
    struct sch_lanes lanes;
    uint64_t bits = random_number(&seed);
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) lanes.u[lane] = bits >> lane & 1 ? UINT32_MAX : 0;
    return lanes;
}

static void test_masks(void **state)
{
    (void)state;
    seed = 7;
    for (unsigned round = 0; round < 64 * level_count(); round++) {
        const struct sch_ops *ops = level(round % level_count());
        struct sch_lanes before = random_lanes('U'), after = before, value = random_lanes('U'), mask = random_mask();
        ops->commit(&after, &value, &mask);
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
            assert_int_equal(after.u[i], mask.u[i] ? value.u[i] : before.u[i]);

        uint32_t word = (uint32_t)random_number(&seed);
        ops->splat(&after, word);
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) assert_int_equal(after.u[i], word);

        ops->mask_lanes(&after, word);
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) assert_int_equal(after.u[i], word >> i & 1 ? UINT32_MAX : 0);
    }
}

static void test_conditions(void **state)
{
    (void)state;
    seed = 8;
    for (unsigned round = 0; round < 64 * level_count(); round++) {
        const struct sch_ops *ops = level(round % level_count());
        struct sch_lanes value = random_lanes('F');
        for (unsigned i = 0; i < SCH_GROUP_LANES; i += 5) value.u[i] = i & 1 ? 0x80000000 : 0;
        uint32_t word = value.u[round % SCH_GROUP_LANES];
        uint32_t nonzero_u = 0, nonzero_f = 0, negative = 0, equal = 0;
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
            float f = (union value){.u = value.u[i]}.f;
            nonzero_u |= (uint32_t)(value.u[i] != 0) << i;
            nonzero_f |= (uint32_t)(f != 0) << i;
            negative |= (uint32_t)(f < 0) << i;
            equal |= (uint32_t)(value.u[i] == word) << i;
        }
        assert_int_equal(ops->nonzero_u32(&value), nonzero_u);
        assert_int_equal(ops->nonzero_f32(&value), nonzero_f);
        assert_int_equal(ops->negative_f32(&value), negative);
        assert_int_equal(ops->equal_u32(&value, word), equal);
    }
}

static void test_gather(void **state)
{
    (void)state;
    seed = 9;
    enum { STRIDE = 4, LIMIT = 20 };
    uint32_t base[STRIDE * LIMIT];
    for (unsigned i = 0; i < STRIDE * LIMIT; i++) base[i] = 1000 + i;
    for (unsigned round = 0; round < 64 * level_count(); round++) {
        const struct sch_ops *ops = level(round % level_count());
        struct sch_lanes index = random_lanes('U'), mask = random_mask(), result;
        for (unsigned i = 0; i < SCH_GROUP_LANES; i += 2) index.u[i] %= LIMIT + 2;
        ops->gather(&result, base, &index, STRIDE, LIMIT, &mask);
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
            bool inside = mask.u[i] && index.u[i] < LIMIT;
            assert_int_equal(result.u[i], inside ? 1000 + index.u[i] * STRIDE : 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),       cmocka_unit_test(test_levels_agree), cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_legacy_flags), cmocka_unit_test(test_fused_flags),  cmocka_unit_test(test_d3d_flags),
        cmocka_unit_test(test_modifiers),    cmocka_unit_test(test_saturate),     cmocka_unit_test(test_masks),
        cmocka_unit_test(test_conditions),   cmocka_unit_test(test_gather),
    };
    return cmocka_run_group_tests_name("ops", tests, NULL, NULL);
}
