/* A relocatable object for the tests of src/native, in the place of what a compiler makes of spans of rectangles and
 * of lookups: it does nothing, as those tests ask when code runs, not what it computes. Compiled by itself, not
 * linked. */
#include "abi/group.h"

void sch_native_group(struct sch_group *group, struct sch_group_span *span);
void sch_native_lookup(void);

/* What a compiler says about its frames (native/object.h). */
#if defined(__x86_64__) || defined(__aarch64__)
__asm__(".pushsection .stack_sizes,\"o\",@progbits,.text\n"
        ".quad sch_native_group\n.byte 120\n.quad sch_native_lookup\n.byte 120\n"
        ".popsection\n");
#endif

void sch_native_group(struct sch_group *group, struct sch_group_span *span)
{
    (void)group;
    span->done = (uint64_t)span->groups * span->rows;
}

void sch_native_lookup(void) {}
