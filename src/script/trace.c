/* Comparing runs of a script: a sum of what each draw and dispatch left in each resource, in their order. */
#include "../support/text.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

struct sch_script_trace {
    uint64_t *sums;
    size_t count, at; /* at: the next that is compared */
    bool recorded;
};

struct sch_script_trace *sch_script_trace_create(void) { return calloc(1, sizeof(struct sch_script_trace)); }

void sch_script_trace_destroy(struct sch_script_trace *trace)
{
    if (trace) free(trace->sums);
    free(trace);
}

bool sch_script_trace_records(const struct sch_script_trace *trace) { return !trace->recorded; }

void sch_script_trace_end(struct sch_script_trace *trace)
{
    trace->recorded = true;
    trace->at = 0;
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
    struct sch_script_trace *trace = run->options.trace;
    const struct sch_script_instance *instance = &run->instance[kind][slot];
    uint8_t *bytes = instance->of.resource ? sch_script_read_back(run, instance) : NULL;
    const uint64_t sum = bytes ? sch_bytes_hash(SCH_HASH_OF_NOTHING ^ instance->counter, bytes, instance->size) : 0;
    free(bytes);
    if (!trace->recorded) {
        if (!keep(trace, sum)) sch_script_memory(run);
        return;
    }
    if (trace->at < trace->count && trace->sums[trace->at++] == sum) return;
    sch_script_fail(run, item, "the interpreter and machine code leave different words in %s %u", words[kind], slot);
}

void sch_script_trace_item(struct sch_script_run *run, const struct sch_script_item *item)
{
    if (!run->options.trace) return;
    for (unsigned kind = 0; kind < SCH_SCRIPT_KINDS; kind++)
        for (unsigned slot = 0; slot < SCH_SCRIPT_SLOTS; slot++)
            if (run->stop == SCH_OK) look(run, item, kind, slot);
}
