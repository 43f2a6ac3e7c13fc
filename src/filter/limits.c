/* See filter.h. */
#include "filter/filter.h"

#include <sys/resource.h>

bool sch_filter_limit(int resource, uint64_t most)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0) return false;
    if (limit.rlim_max > most) limit.rlim_max = (rlim_t)most; /* one that is lower cannot be raised */
    limit.rlim_cur = limit.rlim_max;
    return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}
