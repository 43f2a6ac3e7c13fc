/* The items of a script, and what the section of a resource says together. */
#include "items.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 1 << 20 };

struct sch_script_item *sch_script_add(struct sch_script *script, enum sch_script_item_kind kind, uint32_t line)
{
    if (script->count == script->capacity) {
        size_t capacity = script->capacity ? script->capacity * 2 : 64;
        struct sch_script_item *larger =
            capacity <= MOST_ITEMS ? realloc(script->items, capacity * sizeof *larger) : NULL;
        if (!larger) {
            script->no_memory = true;
            return NULL;
        }
        script->items = larger;
        script->capacity = capacity;
    }
    struct sch_script_item *item = &script->items[script->count++];
    memset(item, 0, sizeof *item);
    item->kind = kind;
    item->line = line;
    return item;
}

static void release_resource(struct sch_script_resource *resource)
{
    if (!resource) return;
    free(resource->words);
    free(resource);
}

void sch_script_destroy(struct sch_script *script)
{
    if (!script) return;
    for (size_t i = 0; i < script->count; i++) {
        struct sch_script_item *item = &script->items[i];
        if (item->kind == SCH_SCRIPT_ITEM_RESOURCE) release_resource(item->resource);
        if (item->kind == SCH_SCRIPT_ITEM_SAMPLER) free(item->sampler);
        if (item->kind == SCH_SCRIPT_ITEM_INPUT_LAYOUT) free(item->layout);
        if (item->kind == SCH_SCRIPT_ITEM_PROBE) free(item->probe);
    }
    free(script->items);
    free(script);
}

bool sch_script_is_buffer(const struct sch_script_resource *resource)
{
    return resource->shape == SCH_SCRIPT_BUFFER || resource->shape == SCH_SCRIPT_RAW_BUFFER ||
           resource->shape == SCH_SCRIPT_COUNTER_BUFFER;
}

uint64_t sch_script_offset_bytes(const struct sch_script_resource *resource)
{
    bool words = resource->shape == SCH_SCRIPT_RAW_BUFFER;
    uint64_t texel = (uint64_t)resource->channels * 4;
    return resource->offset * (words ? 4 : resource->stride ? resource->stride : texel);
}

uint64_t sch_script_resource_bytes(const struct sch_script_resource *resource)
{
    uint64_t texel = (uint64_t)resource->channels * 4;
    if (resource->kind == SCH_SCRIPT_VB) return (uint64_t)resource->count * 4;
    if (resource->shape == SCH_SCRIPT_RAW_BUFFER || resource->shape == SCH_SCRIPT_COUNTER_BUFFER)
        return (uint64_t)resource->width * 4;
    if (resource->shape == SCH_SCRIPT_BUFFER) {
        uint64_t bytes = (uint64_t)resource->width * (resource->stride ? resource->stride : texel);
        return (bytes + 3) / 4 * 4;
    }
    uint64_t texels = 0;
    for (uint32_t level = 0; level < resource->levels; level++) {
        uint64_t width = resource->width >> level, height = resource->height >> level, depth = resource->depth >> level;
        texels += (width ? width : 1) * (height ? height : 1) * (depth ? depth : 1);
    }
    return texels * resource->layers * resource->samples *
           texel; /* sides, layers and samples end at 2^14: below 2^63 */
}

bool sch_script_is_memory(const struct sch_script_resource *resource)
{
    return sch_script_is_buffer(resource) &&
           (resource->shape != SCH_SCRIPT_BUFFER || resource->stride || resource->typeless || resource->unknown);
}
