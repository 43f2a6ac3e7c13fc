/* Which levels this processor runs. Width-agnostic, built for the baseline. */
#include "ops/ops.h"

#if defined(__x86_64__) && defined(__clang__) && __clang_major__ < 19
#include <cpuid.h>
#endif

extern const struct sch_ops sch_ops_w4, sch_ops_w8, sch_ops_w16, sch_ops_w4t;

#if defined(__x86_64__)
extern const struct sch_ops sch_ops_w8v3, sch_ops_w16v4;

/* Each level needs what those before it need, so those that run are the first few. */
static const struct sch_ops *const levels[] = {&sch_ops_w4, &sch_ops_w8, &sch_ops_w16, &sch_ops_w8v3, &sch_ops_w16v4};

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

static unsigned level_count(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !has_f16c()) return 3;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl")) return 4;
    if (!__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw")) return 4;
    return 5;
}
#else
static const struct sch_ops *const levels[] = {&sch_ops_w4, &sch_ops_w8, &sch_ops_w16};

static unsigned level_count(void) { return 3; }
#endif

const struct sch_ops *const *sch_ops_levels(unsigned *count)
{
    *count = level_count();
    return levels;
}

const struct sch_ops *sch_ops_for_width(unsigned lanes)
{
    for (unsigned i = level_count(); i-- > 0;)
        if (lanes == 0 || levels[i]->lanes == lanes) return levels[i];
    return NULL;
}

const struct sch_ops *sch_ops_traced(void) { return &sch_ops_w4t; }
