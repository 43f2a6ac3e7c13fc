/* How much an input from outside may ask for. Decoders check every count against these before they use it. */
#ifndef SCH_BASE_LIMITS_H
#define SCH_BASE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct sch_limits {
#define LIMIT(name, type, fallback, meaning) type name;
#include "base/limits.def"
#undef LIMIT
};

static const struct sch_limits sch_limits_default = {
#define LIMIT(name_, type, fallback, meaning) .name_ = fallback,
#include "base/limits.def"
#undef LIMIT
};
#define SCH_LIMITS_DEFAULT (sch_limits_default)

#endif
