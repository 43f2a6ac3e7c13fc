/* The engine both for scripts: the interpreter executes a script without a word and keeps a sum of what each draw and
 * dispatch left in each resource; then machine code executes it and must leave the same. Nothing in a script depends on
 * what was drawn but its probes, so that the two go the same way. */
#include "script_run.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bits: nobody makes pictures on purpose that collide. */
static uint64_t sum_of(const uint8_t *bytes, size_t size, uint32_t counter)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t sum = UINT64_C(0xcbf29ce484222325) ^ counter;
    for (size_t i = 0; i < size; i++) sum = (sum ^ bytes[i]) * prime;
    return sum;
}

static bool keep(struct sch_script_trace *trace, uint64_t sum)
{
    uint64_t *sums = realloc(trace->sums, (trace->count + 1) * sizeof *sums);
    if (!sums) return false;
    trace->sums = sums;
    sums[trace->count++] = sum;
    return true;
}

/* Keeps the sum of a resource, or compares. */
static void look(struct sch_script_run *run, const struct sch_script_item *item, unsigned kind, unsigned slot)
{
    static const char *const words[SCH_SCRIPT_KINDS] = {"rtv", "srv", "uav", "dsv", "vb"};
    struct sch_script_trace *trace = run->trace;
    const struct sch_script_live *live = &run->live[kind][slot];
    uint64_t sum = live->bytes ? sum_of(live->bytes, live->size, live->counter) : 0;
    if (!trace->comparing) {
        if (!keep(trace, sum)) sch_script_memory(run);
        return;
    }
    if (trace->at < trace->count && trace->sums[trace->at++] == sum) return;
    sch_script_fail(run, item, "the interpreter and machine code leave different words in %s %u", words[kind], slot);
}

void sch_script_trace(struct sch_script_run *run, const struct sch_script_item *item)
{
    if (!run->trace) return;
    for (unsigned kind = 0; kind < SCH_SCRIPT_KINDS; kind++)
        for (unsigned slot = 0; slot < SCH_SCRIPT_SLOTS; slot++)
            if (run->exit == SCH_CLI_YES) look(run, item, kind, slot);
}
