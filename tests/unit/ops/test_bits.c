/* The bits of every arithmetic operation, as committed facts: a hash of what each opcode gives for fixed operands, the
 * same at every level and under every compiler. It says that nothing changed, not that it is right: that is
 * test_opcodes.c. With arguments, only opcodes of those names; with --print, new rows for op_bits.def. */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/random_number.h"
#include "ops/ops.h"

enum { GROUPS = 128, CHANNELS = 16, RESULTS = 4 };

static const struct bits_row {
    const char *name;
    uint64_t hash;
} rows[] = {
#define BITS(name, hash) {#name, hash},
#include "op_bits.def"
#undef BITS
};

/* ---- operands: splitmix64, so that they never change ---- */

static uint64_t operand(char type, uint64_t *state)
{
    static const uint32_t special32[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                         0x7fc00000, 0xffc12345, 0x7f812345, 0x00000001, 0x807fffff, 0x00800000,
                                         0x7f7fffff, 0xcf000000, 0x4f000000, 0x4f800000, 0x3f000000, 0x40490fdb,
                                         0x43000000, 0xffffffff, 31};
    static const uint64_t special64[] = {0,
                                         (uint64_t)1 << 63,
                                         (uint64_t)0x3ff << 52,
                                         (uint64_t)0xbff << 52,
                                         (uint64_t)0x7ff << 52,
                                         (uint64_t)0xfff << 52,
                                         (uint64_t)0x7ff8 << 48,
                                         1,
                                         (uint64_t)1 << 52,
                                         ((uint64_t)0x7ff << 52) - 1,
                                         UINT64_MAX,
                                         INT64_MAX,
                                         (uint64_t)0x43e << 52,
                                         (uint64_t)0xc3e << 52};
    uint64_t kind = random_number(state), r = random_number(state);
    bool wide = strchr("DLQ", type) != NULL;
    if (kind % 8 == 0) return wide ? special64[r % 14] : special32[r % 21];
    if (kind % 8 == 1) return wide ? r >> (kind >> 8 & 63) : (uint32_t)r >> (kind >> 8 & 31); /* small integers */
    if (kind % 8 < 5 && type == 'D') return ((uint64_t)0x3f8 << 52) + (r & 0x80ffffffffffffffu);
    if (kind % 8 < 5 && (type == 'F' || type == 'X')) return 0x3c000000u + (uint32_t)(r & 0x87ffffffu);
    return wide ? r : (uint32_t)r;
}

/* The type of source channel k, and whether it is the low word of a 64-bit value. */
static char channel_type(const struct sch_op_info *info, unsigned k, bool *pair)
{
    unsigned each = 1;
    if (info->shape >= SCH_SHAPE_VREPL2 && info->shape <= SCH_SHAPE_CHAN) each = 4;
    if (info->shape == SCH_SHAPE_COMP64 || info->shape == SCH_SHAPE_COMPARE64 || info->shape == SCH_SHAPE_NARROW64 ||
        info->shape == SCH_SHAPE_FRACEXP)
        each = 2;
    char type = k / each < info->srcs ? info->src_type[k / each] : 'U';
    *pair = each == 2 && k % 2 == 0 && strchr("DLQ", type) != NULL;
    return type;
}

static void fill(const struct sch_op_info *info, struct sch_lanes source[CHANNELS], uint64_t *state)
{
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
        for (unsigned k = 0; k < CHANNELS; k++) {
            bool pair;
            char type = channel_type(info, k, &pair);
            uint64_t v = operand(type, state);
            source[k].u[lane] = (uint32_t)v;
            if (pair) source[++k].u[lane] = (uint32_t)(v >> 32);
        }
        /* Equal operands, now and then. */
        if (random_number(state) % 8 == 0)
            for (unsigned k = 0; k + 4 < CHANNELS; k++)
                source[k + (info->srcs > 1 ? 1 : 0)].u[lane] = source[k].u[lane];
    }
}

/* ---- hashes ---- */

static uint64_t hash_word(uint64_t hash, uint32_t word) { return (hash ^ word) * 0x100000001b3u; }

/* Destinations start at a fixed pattern, so that what an operation leaves alone counts too. */
static uint64_t hash_operation(const struct sch_ops *ops, const struct sch_op_info *info, uint32_t rules)
{
    static struct sch_lanes source[CHANNELS], result[RESULTS];
    const struct sch_lanes *src[CHANNELS];
    struct sch_lanes *dst[RESULTS];
    for (unsigned k = 0; k < CHANNELS; k++) src[k] = &source[k];
    for (unsigned k = 0; k < RESULTS; k++) dst[k] = &result[k];
    uint64_t state = 12345u + info->opcode, hash = 0xcbf29ce484222325u;
    for (unsigned group = 0; group < GROUPS; group++) {
        fill(info, source, &state);
        memset(result, 0x5a, sizeof result);
        ops->op[info->opcode](rules, dst, src);
        for (unsigned k = 0; k < RESULTS; k++)
            for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) hash = hash_word(hash, result[k].u[lane]);
    }
    return hash;
}

static uint64_t hash_opcode(const struct sch_ops *ops, const struct sch_op_info *info)
{
    uint64_t hash = 0;
    uint32_t last = info->flags & (SCH_OPF_LEGACY | SCH_OPF_FUSED) ? SCH_RULE_LEGACY_MUL | SCH_RULE_PRECISE : 0;
    for (uint32_t rules = 0; rules <= last; rules++) hash = hash * 31 + hash_operation(ops, info, rules);
    return hash;
}

static const struct bits_row *find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

static void test_opcode(void **state)
{
    const struct sch_op_info *info = *state;
    const struct bits_row *row = find(info->name);
    if (!row) fail_msg("%s has no row in op_bits.def", info->name);
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned i = 0; i < count; i++) {
        uint64_t hash = hash_opcode(levels[i], info);
        if (hash != row->hash)
            fail_msg("%s at %s: 0x%016llx, committed is 0x%016llx", info->name, levels[i]->name,
                     (unsigned long long)hash, (unsigned long long)row->hash);
    }
}

/* ---- running them ---- */

static bool wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0) return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    bool print = argc == 2 && strcmp(argv[1], "--print") == 0;
    static struct CMUnitTest tests[SCH_OP_LIMIT];
    size_t count = 0;
    for (unsigned i = 0; i < SCH_OP_LIMIT; i++) {
        const struct sch_op_info *info = sch_op_info(i);
        if (!info || !SCH_SHAPE_IS_ARITHMETIC(info->shape)) continue;
        if (print)
            printf("BITS(%s, 0x%016llxu)\n", info->name, (unsigned long long)hash_opcode(sch_ops_for_width(4), info));
        else if (wanted(info->name, argc, argv))
            tests[count++] = (struct CMUnitTest){info->name, test_opcode, NULL, NULL, (void *)(uintptr_t)info};
    }
    return print ? 0 : _cmocka_run_group_tests("bits", tests, count, NULL, NULL);
}
