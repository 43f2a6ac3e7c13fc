/* Copies of bindings: see bound.h. */
#include "pipeline/bound.h"

#include <string.h>

enum {
    MOST_BYTES = 16 << 10, /* of constants */
    ALIGNMENT = 16
};

static const struct sch_exec_bindings none;

bool sch_bound_fits(const struct sch_exec_bindings *bindings)
{
    size_t bytes = 0;
    if (!bindings) return true;
    if (bindings->buffer_count || bindings->counter_count || bindings->image_count || bindings->maxwell) return false;
    if (bindings->global_memory.bytes || bindings->input_memory.bytes) return false;
    for (uint32_t n = 0; n < bindings->constant_count; n++) {
        if (bindings->constants[n].bytes > MOST_BYTES) return false;
        bytes += bindings->constants[n].bytes;
    }
    return bytes <= MOST_BYTES;
}

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

/* A copy in the memory at `*at`, which is moved after it. */
static void *copy(uint8_t **at, const void *from, size_t bytes)
{
    void *to = *at;
    if (bytes) memcpy(to, from, bytes);
    *at += aligned(bytes);
    return to;
}

bool sch_bound_keep(struct sch_bound *bound, struct sch_scratch *scratch, const struct sch_exec_bindings *from)
{
    if (!from) from = &none;
    const size_t views = from->view_count * sizeof *from->views,
                 samplers = from->sampler_count * sizeof *from->samplers;
    const size_t constants = from->constant_count * sizeof *from->constants;
    size_t bytes = aligned(views) + aligned(samplers) + aligned(constants);
    for (uint32_t n = 0; n < from->constant_count; n++) bytes += aligned(from->constants[n].bytes);
    if (!sch_scratch_reserve(scratch, &bound->memory, bytes + ALIGNMENT, 1)) return false;
    uint8_t *at = bound->memory.data;
    struct sch_constant_buffer *buffers = copy(&at, from->constants, constants);
    for (uint32_t n = 0; n < from->constant_count; n++) buffers[n].data = copy(&at, buffers[n].data, buffers[n].bytes);
    bound->bindings = (struct sch_exec_bindings){.constants = buffers, .constant_count = from->constant_count};
    bound->bindings.views = copy(&at, from->views, views);
    bound->bindings.view_count = from->view_count;
    bound->bindings.samplers = copy(&at, from->samplers, samplers);
    bound->bindings.sampler_count = from->sampler_count;
    return true;
}

static bool same_bytes(const void *a, const void *b, size_t bytes) { return !bytes || memcmp(a, b, bytes) == 0; }

bool sch_bound_equals(const struct sch_exec_bindings *kept, const struct sch_exec_bindings *from)
{
    if (!from) from = &none;
    if (kept->constant_count != from->constant_count || kept->view_count != from->view_count ||
        kept->sampler_count != from->sampler_count)
        return false;
    for (uint32_t n = 0; n < kept->constant_count; n++)
        if (kept->constants[n].bytes != from->constants[n].bytes ||
            !same_bytes(kept->constants[n].data, from->constants[n].data, kept->constants[n].bytes))
            return false;
    return same_bytes(kept->views, from->views, kept->view_count * sizeof *kept->views) &&
           same_bytes(kept->samplers, from->samplers, kept->sampler_count * sizeof *kept->samplers);
}
