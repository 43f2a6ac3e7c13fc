/* The floating-point environment that everything is computed in: rounding to nearest, denormals, no traps. The caller's
 * is in its place afterwards, with its flags. Holds no arithmetic. */
#ifndef SCH_BASE_ENVIRONMENT_H
#define SCH_BASE_ENVIRONMENT_H

/* On x86-64 all arithmetic is that of SSE, whose register of control and flags is read and written within nanoseconds;
 * the environment of <fenv.h> takes a hundred, which small draws feel. */
#ifdef __SSE2__
#include <emmintrin.h>

struct sch_environment {
    unsigned callers;
};

static inline void sch_environment_begin(struct sch_environment *environment)
{
    enum { DEFAULT = 0x1f80, FLAGS = 0x3f };
    environment->callers = _mm_getcsr();
    if ((environment->callers & ~(unsigned)FLAGS) != DEFAULT) _mm_setcsr(DEFAULT); /* which takes longer than to look */
}

static inline void sch_environment_end(const struct sch_environment *environment) { _mm_setcsr(environment->callers); }
#else
#include <fenv.h>

struct sch_environment {
    fenv_t callers;
};

static inline void sch_environment_begin(struct sch_environment *environment)
{
    fegetenv(&environment->callers);
    fesetenv(FE_DFL_ENV);
}

static inline void sch_environment_end(const struct sch_environment *environment) { fesetenv(&environment->callers); }
#endif

#endif
