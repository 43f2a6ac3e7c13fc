/* Ranges of BUFFER resources as memory of a dispatch: bindings in which they have taken the place of pointers. */
#include "api/run.h"

#include <stddef.h>

#include "base/sized.h"
#include "texture/texture.h"

/* A member of the bindings that has ranges. */
struct binding {
    const char *name, *argument, *element; /* in words; the member, and one element of it, after dots */
    bool written;
    struct sch_diagnostics *list;
};

/* Memory of a range; NULL data where it has no resource. False, with a report, where there is no such range. */
static bool memory_of(const struct binding *binding, uint32_t number, const struct sch_buffer_range *range,
                      uint8_t **data, size_t *bytes)
{
    *data = NULL;
    if (!range->resource) return true;
    const struct sch_texture_resource *resource = range->resource->texture;
    if (sch_texture_resource_shape(resource)->target != SCH_TARGET_BUFFER)
        return sch_refuse_element(binding->list, binding->element, number, "%s[%u]: the resource is not a BUFFER",
                                  binding->name, number);
    const uint64_t all = sch_texture_resource_bytes(resource);
    if (range->offset > all || range->bytes > all - range->offset)
        return sch_refuse_element(binding->list, binding->element, number, "%s[%u]: %llu bytes from %llu on, of %llu",
                                  binding->name, number, (unsigned long long)range->bytes,
                                  (unsigned long long)range->offset, (unsigned long long)all);
    if (binding->written && range->offset % sizeof(uint32_t))
        return sch_refuse_element(binding->list, binding->element, number,
                                  "%s[%u]: memory that is not aligned to words", binding->name, number);
    *data = sch_texture_of(resource)->level[0].texels + range->offset;
    *bytes = (size_t)(range->bytes ? range->bytes : all - range->offset);
    return true;
}

/* Element i of an array whose elements are `stride` bytes apart. */
static bool memory_at(const struct binding *binding, const struct sch_buffer_range *ranges, size_t stride, uint32_t i,
                      uint8_t **data, size_t *bytes)
{
    struct sch_buffer_range range;
    const char *at = (const char *)ranges + i * stride;
    if (stride == sizeof range)
        range = ranges[i];
    else if (!sch_sized_read_array(&range, sizeof range, sizeof range, at, stride, 1))
        return sch_refuse_argument(binding->list, ".range_stride",
                                   "%s: elements of %zu bytes, or with members that this version does not have",
                                   binding->name, stride);
    return memory_of(binding, i, &range, data, bytes);
}

static bool is_array(const struct binding *binding, const struct sch_buffer_range *ranges, uint32_t count)
{
    return !count || ranges ||
           sch_refuse_argument(binding->list, binding->argument, "%s: %u of no array", binding->name, count);
}

static uint32_t greater(uint32_t a, uint32_t b) { return a > b ? a : b; }

static enum sch_result merge_constants(struct sch_context *context, struct sch_bindings *given,
                                       struct sch_diagnostics *list, struct sch_constant_buffer **merged)
{
    const struct binding binding = {"constant_ranges", ".constant_ranges", ".constant_ranges[#]", false, list};
    const uint32_t count = greater(given->constant_count, given->constant_range_count);
    if (!is_array(&binding, given->constant_ranges, given->constant_range_count)) return SCH_ERROR_ARGUMENT;
    if (!given->constant_range_count || (given->constant_count && !given->constants)) return SCH_OK;
    if (!sch_api_array(context, count, sizeof **merged, (void **)merged)) return SCH_ERROR_MEMORY;
    for (uint32_t i = 0; i < given->constant_count; i++) (*merged)[i] = given->constants[i];
    for (uint32_t i = 0; i < given->constant_range_count; i++) {
        uint8_t *data = NULL;
        size_t bytes = 0;
        if (!memory_at(&binding, given->constant_ranges, given->range_stride, i, &data, &bytes))
            return SCH_ERROR_ARGUMENT;
        if (data) (*merged)[i] = (struct sch_constant_buffer){data, bytes};
    }
    given->constants = *merged;
    given->constant_count = count;
    return SCH_OK;
}

/* Memory that programs write: `buffers`, `*count` of them. */
static enum sch_result merge_storage(struct sch_context *context, const struct binding *binding,
                                     const struct sch_buffer_range *ranges, uint32_t range_count, size_t stride,
                                     const struct sch_storage_buffer **buffers, uint32_t *count,
                                     struct sch_storage_buffer **merged)
{
    if (!is_array(binding, ranges, range_count)) return SCH_ERROR_ARGUMENT;
    if (!range_count || (*count && !*buffers)) return SCH_OK;
    if (!sch_api_array(context, greater(*count, range_count), sizeof **merged, (void **)merged))
        return SCH_ERROR_MEMORY;
    for (uint32_t i = 0; i < *count; i++) (*merged)[i] = (*buffers)[i];
    for (uint32_t i = 0; i < range_count; i++) {
        uint8_t *data = NULL;
        size_t bytes = 0;
        if (!memory_at(binding, ranges, stride, i, &data, &bytes)) return SCH_ERROR_ARGUMENT;
        if (data) (*merged)[i] = (struct sch_storage_buffer){data, bytes};
    }
    *buffers = *merged;
    *count = greater(*count, range_count);
    return SCH_OK;
}

static bool merge_whole(struct sch_bindings *given, struct sch_diagnostics *list)
{
    const struct binding global = {"global_range", ".global_range", ".global_range", true, list},
                         input = {"input_range", ".input_range", ".input_range", false, list};
    uint8_t *data = NULL;
    size_t bytes = 0;
    const size_t stride = given->range_stride;
    if (given->global_range && !memory_at(&global, given->global_range, stride, 0, &data, &bytes)) return false;
    if (data) given->global_memory = (struct sch_storage_buffer){data, bytes};
    data = NULL;
    if (given->input_range && !memory_at(&input, given->input_range, stride, 0, &data, &bytes)) return false;
    if (data) given->input_memory = (struct sch_constant_buffer){data, bytes};
    return true;
}

static bool has_ranges(const struct sch_bindings *given)
{
    return given->constant_range_count || given->buffer_range_count || given->hw_atomic_range_count ||
           given->global_range || given->input_range;
}

enum sch_result sch_api_merge_ranges(struct sch_context *context, struct sch_bindings *given,
                                     struct sch_diagnostics *list, struct sch_api_merged *merged)
{
    if (!has_ranges(given)) return SCH_OK;
    const struct binding buffers = {"buffer_ranges", ".buffer_ranges", ".buffer_ranges[#]", true, list},
                         counters = {"hw_atomic_ranges", ".hw_atomic_ranges", ".hw_atomic_ranges[#]", true, list};
    enum sch_result result = merge_constants(context, given, list, &merged->constants);
    if (result == SCH_OK)
        result = merge_storage(context, &buffers, given->buffer_ranges, given->buffer_range_count, given->range_stride,
                               &given->buffers, &given->buffer_count, &merged->buffers);
    if (result == SCH_OK)
        result = merge_storage(context, &counters, given->hw_atomic_ranges, given->hw_atomic_range_count,
                               given->range_stride, &given->hw_atomics, &given->hw_atomic_count, &merged->counters);
    if (result == SCH_OK && !merge_whole(given, list)) result = SCH_ERROR_ARGUMENT;
    return result;
}

void sch_api_release_merged(struct sch_context *context, struct sch_api_merged *merged)
{
    sch_api_free(context, merged->constants);
    sch_api_free(context, merged->buffers);
    sch_api_free(context, merged->counters);
}
