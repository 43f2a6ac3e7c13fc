/* Ranges of BUFFER resources among the memory of a dispatch: in copies of the arrays pointers take their place. */
#include "api/run.h"

#include <stddef.h>

#include "texture/texture.h"

/* A member of the bindings. */
struct binding {
    const char *name, *element; /* in words; one element of it, after dots */
    bool written;
    struct sch_diagnostics *list;
};

/* What an element of either kind is bound to. */
struct range {
    const void *data;
    const struct sch_resource *resource;
    size_t offset, bytes;
};

/* Finds the memory of a range of a resource. False, with a report: there is no such range. */
static bool find_memory(const struct binding *binding, uint32_t number, const struct range *range, uint8_t **data,
                        size_t *bytes)
{
    const char *name = binding->name, *element = binding->element;
    struct sch_diagnostics *list = binding->list;
    if (!range->resource)
        return sch_refuse_element(list, element, number, "%s[%u]: an offset without a resource", name, number);
    if (range->data) return sch_refuse_element(list, element, number, "%s[%u]: memory and a resource", name, number);
    const struct sch_texture_resource *resource = range->resource->texture;
    if (sch_texture_resource_shape(resource)->target != SCH_TARGET_BUFFER)
        return sch_refuse_element(list, element, number, "%s[%u]: the resource is not a BUFFER", name, number);
    const uint64_t all = sch_texture_resource_bytes(resource);
    if (range->offset > all || range->bytes > all - range->offset)
        return sch_refuse_element(list, element, number, "%s[%u]: %zu bytes from %zu on, of %llu", name, number,
                                  range->bytes, range->offset, (unsigned long long)all);
    if (binding->written && range->offset % sizeof(uint32_t))
        return sch_refuse_element(list, element, number, "%s[%u]: memory that is not aligned to words", name, number);
    *data = sch_texture_of(resource)->level[0].texels + range->offset;
    *bytes = range->bytes ? range->bytes : (size_t)(all - range->offset);
    return true;
}

static bool replace_constants(const struct binding *binding, uint32_t number, struct sch_constant_buffer *buffer)
{
    const struct range range = {buffer->data, buffer->resource, buffer->offset, buffer->bytes};
    uint8_t *data;
    if (!range.resource && !range.offset) return true;
    if (!find_memory(binding, number, &range, &data, &buffer->bytes)) return false;
    *buffer = (struct sch_constant_buffer){.data = data, .bytes = buffer->bytes};
    return true;
}

static bool replace_storage(const struct binding *binding, uint32_t number, struct sch_storage_buffer *buffer)
{
    const struct range range = {buffer->data, buffer->resource, buffer->offset, buffer->bytes};
    uint8_t *data;
    if (!range.resource && !range.offset) return true;
    if (!find_memory(binding, number, &range, &data, &buffer->bytes)) return false;
    *buffer = (struct sch_storage_buffer){.data = data, .bytes = buffer->bytes};
    return true;
}

/* `copy` receives an array in which ranges were replaced; NULL: there are none, or there is no array. */
static enum sch_result copy_constants(struct sch_context *context, const struct binding *binding,
                                      const struct sch_constant_buffer *given, uint32_t count,
                                      struct sch_constant_buffer **copy)
{
    bool any = false;
    for (uint32_t i = 0; given && i < count; i++) any |= given[i].resource || given[i].offset;
    if (!any) return SCH_OK;
    if (!sch_api_array(context, count, sizeof **copy, (void **)copy)) return SCH_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        (*copy)[i] = given[i];
        if (!replace_constants(binding, i, &(*copy)[i])) return SCH_ERROR_ARGUMENT;
    }
    return SCH_OK;
}

static enum sch_result copy_storage(struct sch_context *context, const struct binding *binding,
                                    const struct sch_storage_buffer *given, uint32_t count,
                                    struct sch_storage_buffer **copy)
{
    bool any = false;
    for (uint32_t i = 0; given && i < count; i++) any |= given[i].resource || given[i].offset;
    if (!any) return SCH_OK;
    if (!sch_api_array(context, count, sizeof **copy, (void **)copy)) return SCH_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        (*copy)[i] = given[i];
        if (!replace_storage(binding, i, &(*copy)[i])) return SCH_ERROR_ARGUMENT;
    }
    return SCH_OK;
}

enum sch_result sch_api_replace_ranges(struct sch_context *context, struct sch_bindings *given,
                                       struct sch_diagnostics *list, struct sch_api_replaced *replaced)
{
    const struct binding constants = {"constants", ".constants[#]", false, list},
                         buffers = {"buffers", ".buffers[#]", true, list},
                         counters = {"hw_atomics", ".hw_atomics[#]", true, list},
                         global = {"global_memory", ".global_memory", true, list},
                         input = {"input_memory", ".input_memory", false, list};
    enum sch_result result =
        copy_constants(context, &constants, given->constants, given->constant_count, &replaced->constants);
    if (result == SCH_OK)
        result = copy_storage(context, &buffers, given->buffers, given->buffer_count, &replaced->buffers);
    if (result == SCH_OK)
        result = copy_storage(context, &counters, given->hw_atomics, given->hw_atomic_count, &replaced->counters);
    if (result != SCH_OK) return result;
    if (replaced->constants) given->constants = replaced->constants;
    if (replaced->buffers) given->buffers = replaced->buffers;
    if (replaced->counters) given->hw_atomics = replaced->counters;
    const bool holds =
        replace_storage(&global, 0, &given->global_memory) && replace_constants(&input, 0, &given->input_memory);
    return holds ? SCH_OK : SCH_ERROR_ARGUMENT;
}

void sch_api_release_replaced(struct sch_context *context, struct sch_api_replaced *replaced)
{
    sch_api_free(context, replaced->constants);
    sch_api_free(context, replaced->buffers);
    sch_api_free(context, replaced->counters);
}
