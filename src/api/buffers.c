/* Ranges of BUFFER resources among the memory of a dispatch: in copies of the arrays pointers take their place. */
#include "api/run.h"

#include <stddef.h>
#include <string.h>

#include "texture/texture.h"

/* A member of the bindings. */
struct binding {
    const char *name, *element; /* in words; one element of it, after dots */
    bool written;
    struct sch_diagnostics *list;
};

/* An element of either kind: struct sch_constant_buffer and struct sch_storage_buffer differ by const alone. */
struct range {
    const void *data;
    size_t bytes;
    const struct sch_resource *resource;
    size_t offset;
};
#define SAME(type, member)                                                                                             \
    _Static_assert(offsetof(struct range, member) == offsetof(struct type, member), "elements are read as ranges")
SAME(sch_constant_buffer, data);
SAME(sch_constant_buffer, bytes);
SAME(sch_constant_buffer, resource);
SAME(sch_constant_buffer, offset);
SAME(sch_storage_buffer, data);
SAME(sch_storage_buffer, bytes);
SAME(sch_storage_buffer, resource);
SAME(sch_storage_buffer, offset);
#undef SAME
_Static_assert(sizeof(struct range) == sizeof(struct sch_constant_buffer), "no member is left out");
_Static_assert(sizeof(struct range) == sizeof(struct sch_storage_buffer), "no member is left out");

static bool is_range(const void *element)
{
    struct range range;
    memcpy(&range, element, sizeof range);
    return range.resource || range.offset;
}

/* Replaces a range of a resource by its memory. False, with a report: there is no such range. */
static bool find_memory(const struct binding *binding, uint32_t number, struct range *range)
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
    *range = (struct range){.data = sch_texture_of(resource)->level[0].texels + range->offset,
                            .bytes = range->bytes ? range->bytes : (size_t)(all - range->offset)};
    return true;
}

static bool replace(const struct binding *binding, uint32_t number, void *element)
{
    struct range range;
    if (!is_range(element)) return true;
    memcpy(&range, element, sizeof range);
    if (!find_memory(binding, number, &range)) return false;
    memcpy(element, &range, sizeof range);
    return true;
}

static bool has_range(const void *elements, uint32_t count)
{
    bool any = false;
    for (uint32_t i = 0; elements && i < count; i++) any |= is_range((const char *)elements + i * sizeof(struct range));
    return any;
}

/* `*elements` is left as it is if it has no ranges; otherwise `*copy`, where they were replaced, takes its place. */
static enum sch_result replace_all(struct sch_context *context, const struct binding *binding, const void **elements,
                                   uint32_t count, void **copy)
{
    const char *given = *elements;
    if (!has_range(given, count)) return SCH_OK;
    if (!sch_api_array(context, count, sizeof(struct range), copy)) return SCH_ERROR_MEMORY;
    memcpy(*copy, given, count * sizeof(struct range));
    for (uint32_t i = 0; i < count; i++)
        if (!replace(binding, i, (char *)*copy + i * sizeof(struct range))) return SCH_ERROR_ARGUMENT;
    *elements = *copy;
    return SCH_OK;
}

enum sch_result sch_api_replace_ranges(struct sch_context *context, struct sch_bindings *given,
                                       struct sch_diagnostics *list, struct sch_api_replaced *replaced)
{
    /* Most draws have none, and many of them. */
    if (!has_range(given->constants, given->constant_count) && !has_range(given->buffers, given->buffer_count) &&
        !has_range(given->hw_atomics, given->hw_atomic_count) && !is_range(&given->global_memory) &&
        !is_range(&given->input_memory))
        return SCH_OK;
    const struct binding constants = {"constants", ".constants[#]", false, list},
                         buffers = {"buffers", ".buffers[#]", true, list},
                         counters = {"hw_atomics", ".hw_atomics[#]", true, list},
                         global = {"global_memory", ".global_memory", true, list},
                         input = {"input_memory", ".input_memory", false, list};
    const void *arrays[] = {given->constants, given->buffers, given->hw_atomics};
    enum sch_result result = replace_all(context, &constants, &arrays[0], given->constant_count, &replaced->constants);
    if (result == SCH_OK) result = replace_all(context, &buffers, &arrays[1], given->buffer_count, &replaced->buffers);
    if (result == SCH_OK)
        result = replace_all(context, &counters, &arrays[2], given->hw_atomic_count, &replaced->counters);
    if (result != SCH_OK) return result;
    given->constants = arrays[0];
    given->buffers = arrays[1];
    given->hw_atomics = arrays[2];
    return replace(&global, 0, &given->global_memory) && replace(&input, 0, &given->input_memory) ? SCH_OK
                                                                                                  : SCH_ERROR_ARGUMENT;
}

void sch_api_release_replaced(struct sch_context *context, struct sch_api_replaced *replaced)
{
    sch_api_free(context, replaced->constants);
    sch_api_free(context, replaced->buffers);
    sch_api_free(context, replaced->counters);
}
