/* What a shader of a script sees: constants, views, images, buffers and counters of the resources that there are. */
#include "run.h"

static struct sch_storage_buffer memory_of(const struct sch_script_instance *instance)
{
    return (struct sch_storage_buffer){
        .resource = instance->of.resource, .offset = instance->skipped, .bytes = instance->size - instance->skipped};
}

struct sch_player_bindings *sch_script_bind(struct sch_script_run *run, const struct sch_script_loaded *shader)
{
    struct sch_player_bindings *bound = sch_player_bindings_create();
    if (!bound) return NULL;
    for (unsigned i = 0; i < SCH_SCRIPT_CONSTANTS; i++)
        bound->constants[i] =
            (struct sch_constant_buffer){run->uniforms[i], (size_t)((run->uniform_count[i] + 3) / 4) * 16};
    for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++) {
        struct sch_script_instance *view = &run->instance[SCH_SCRIPT_SRV][i],
                                   *store = &run->instance[SCH_SCRIPT_UAV][i];
        bool samples = shader->multisampled[i / 32] >> i % 32 & 1;
        bound->views[i] = samples ? sch_script_one_sample_view(run, view) : view->of.view;
        bound->images[i] = store->of.image;
        if (view->shape && sch_script_is_memory(view->shape)) bound->buffers[64 + i] = memory_of(view);
        if (!store->shape || !sch_script_is_memory(store->shape)) continue;
        if (store->shape->shape == SCH_SCRIPT_COUNTER_BUFFER)
            bound->counters[i] = memory_of(store);
        else
            bound->buffers[i] = memory_of(store);
        if (store->shape->stride && store->shape->shape != SCH_SCRIPT_COUNTER_BUFFER)
            bound->counters[i] = (struct sch_storage_buffer){&store->counter, sizeof store->counter};
    }
    bound->bindings.samplers = run->samplers;
    bound->bindings.sampler_count = SCH_SCRIPT_SAMPLERS;
    bound->bindings.constant_count = SCH_SCRIPT_CONSTANTS;
    bound->bindings.buffer_count = SCH_PLAYER_BUFFERS;
    bound->bindings.view_count = bound->bindings.image_count = bound->bindings.hw_atomic_count = SCH_SCRIPT_SLOTS;
    return bound;
}
