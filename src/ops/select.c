/* Which levels this processor runs. Width-agnostic, built for the baseline. */
#include "ops/ops.h"

#if defined(__x86_64__) && defined(__clang__) && __clang_major__ < 19
#include <cpuid.h>
#endif

#define LEVEL(name, needs) extern const struct sch_ops sch_ops_##name;
#include "isa/levels.def"
#undef LEVEL
extern const struct sch_ops sch_ops_w4t;

static const struct sch_ops *const levels[] = {
#define LEVEL(name, needs) &sch_ops_##name,
#include "isa/levels.def"
#undef LEVEL
};

enum needs { NOTHING, AVX2, AVX512 };

/* Each level needs what those before it need, so those that run are the first few. */
static const enum needs needs[] = {
#define LEVEL(name, needs) needs,
#include "isa/levels.def"
#undef LEVEL
};

#if defined(__x86_64__)
/* Compilers keep what the processor has since the program began. The instruction itself is left to clang before 19,
 * which does not know F16C by name: a virtual machine's host executes it, which takes longer than clearing a row.
 * F16C's registers are AVX's, which the system keeps where there is AVX2. */
static bool has_f16c(void)
{
#if defined(__clang__) && __clang_major__ < 19
    enum { FEATURES = 1, F16C = 1 << 29 };
    unsigned a, b, c, d;
    return __get_cpuid(FEATURES, &a, &b, &c, &d) && c & F16C;
#else
    return __builtin_cpu_supports("f16c");
#endif
}

static enum needs processor(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !has_f16c()) return NOTHING;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl")) return AVX2;
    if (!__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw")) return AVX2;
    return AVX512;
}
#else
static enum needs processor(void) { return NOTHING; }
#endif

static unsigned level_count(void)
{
    const enum needs has = processor();
    unsigned count = 0;
    while (count < sizeof levels / sizeof levels[0] && needs[count] <= has) count++;
    return count;
}

const struct sch_ops *const *sch_ops_levels(unsigned *count)
{
    *count = level_count();
    return levels;
}

const struct sch_ops *sch_ops_for_width(unsigned lanes)
{
    if (lanes != 0 && lanes != 4 && lanes != 8 && lanes != 16) return NULL;
    const struct sch_ops *widest = levels[0];
    for (unsigned i = level_count(); i-- > 0;) {
        if (lanes == 0 || levels[i]->lanes == lanes) return levels[i];
        if (levels[i]->lanes < lanes && levels[i]->lanes > widest->lanes) widest = levels[i];
    }
    return widest;
}

const struct sch_ops *sch_ops_traced(void) { return &sch_ops_w4t; }
