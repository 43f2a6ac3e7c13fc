/* Resources: gallium's shapes and formats become those of the library. */
#include <string.h>

#include "client.h"
#include "record.h"

/* ---- formats ---- */

static const uint16_t formats[] = {
#define FORMAT(number, name) [number] = SCH_FORMAT_##name,
#include "formats.def"
#undef FORMAT
};

enum sch_format sch_virgl_format(uint32_t number)
{
    return number < sizeof formats / sizeof *formats ? (enum sch_format)formats[number] : SCH_FORMAT_NONE;
}

/* ---- lives ---- */

struct sch_virgl_resource *sch_virgl_resource_find(struct sch_virgl *virgl, uint32_t handle)
{
    struct sch_virgl_resource *resource = sch_virgl_map_get(&virgl->resources, handle);
    if (!resource) sch_virgl_refuse(virgl, "there is no resource %u", handle);
    return resource;
}

struct sch_resource *sch_virgl_resource_get(struct sch_virgl *virgl, uint32_t handle)
{
    const struct sch_virgl_resource *resource = sch_virgl_map_get(&virgl->resources, handle);
    return resource ? resource->resource : NULL;
}

struct sch_virgl_resource *sch_virgl_resource_hold(struct sch_virgl_resource *resource)
{
    if (resource) resource->references++;
    return resource;
}

void sch_virgl_resource_drop(struct sch_virgl *virgl, struct sch_virgl_resource *resource)
{
    if (!resource || --resource->references) return;
    sch_virgl_finish(virgl);
    sch_resource_destroy(resource->resource);
    sch_virgl_free(virgl, resource);
}

/* ---- shapes ---- */

/* Gallium's targets, by the library's; multisampled ones have targets of their own. */
static bool find_target(const struct sch_virgl_resource_options *asked, enum sch_target *target)
{
    static const uint8_t targets[] = {SCH_TARGET_BUFFER,   SCH_TARGET_1D,       SCH_TARGET_2D,
                                      SCH_TARGET_3D,       SCH_TARGET_CUBE,     SCH_TARGET_RECT,
                                      SCH_TARGET_1D_ARRAY, SCH_TARGET_2D_ARRAY, SCH_TARGET_CUBE_ARRAY};
    if (asked->target >= sizeof targets) return false;
    *target = (enum sch_target)targets[asked->target];
    if (asked->samples < 2) return true;
    if (*target != SCH_TARGET_2D && *target != SCH_TARGET_2D_ARRAY) return false;
    *target = *target == SCH_TARGET_2D ? SCH_TARGET_2D_MSAA : SCH_TARGET_2D_ARRAY_MSAA;
    return true;
}

bool sch_virgl_view_target(uint32_t number, bool multisampled, enum sch_target *target)
{
    const struct sch_virgl_resource_options asked = {.target = number, .samples = multisampled ? 2 : 1};
    return find_target(&asked, target);
}

static bool has_layers(enum sch_target target)
{
    return target == SCH_TARGET_CUBE || target == SCH_TARGET_1D_ARRAY || target == SCH_TARGET_2D_ARRAY ||
           target == SCH_TARGET_CUBE_ARRAY || target == SCH_TARGET_2D_ARRAY_MSAA;
}

static enum sch_result create(struct sch_virgl *virgl, uint32_t handle, const struct sch_virgl_resource_options *asked)
{
    enum sch_target target;
    enum sch_format format = sch_virgl_format(asked->format);
    if (!handle) {
        sch_virgl_refuse(virgl, "resource 0: no resource has this number");
        return SCH_ERROR_ARGUMENT;
    }
    if (sch_virgl_map_get(&virgl->resources, handle)) { /* virpipe numbers them without a lock */
        sch_virgl_refuse_for(virgl, SCH_VIRGL_WHY_MIXED, "resource %u: there is one", handle);
        return SCH_ERROR_ARGUMENT;
    }
    if (format == SCH_FORMAT_NONE || !find_target(asked, &target) || asked->last_level > 31) {
        sch_virgl_refuse(virgl, "resource %u: no target %u, format %u or last level %u", handle, asked->target,
                         asked->format, asked->last_level);
        return SCH_ERROR_ARGUMENT;
    }
    if (target == SCH_TARGET_BUFFER) format = SCH_FORMAT_R8_UNORM; /* bytes, whatever its views read them as */
    struct sch_virgl_resource *made = sch_virgl_alloc(virgl, sizeof *made);
    if (!made) return SCH_ERROR_MEMORY;
    *made = (struct sch_virgl_resource){
        .references = 1, .as_asked = *asked, .format = format, .facts.size = sizeof made->facts};
    sch_format_get_info(format, &made->facts);
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = target,
                                                 .format = format,
                                                 .width = asked->width,
                                                 .height = target == SCH_TARGET_BUFFER ? 1 : asked->height,
                                                 .depth = asked->depth,
                                                 .layers = has_layers(target) ? asked->layers : 1,
                                                 .levels = asked->last_level + 1,
                                                 .samples = asked->samples};
    enum sch_result result =
        sch_resource_create(virgl->options.context, &options, sch_virgl_list(virgl), &made->resource);
    sch_virgl_check(virgl, result, "resource");
    if (result == SCH_OK && !sch_virgl_map_put(&virgl->resources, &virgl->memory, handle, made)) {
        sch_virgl_refuse_for(virgl, SCH_VIRGL_WHY_MEMORY, "resource %u: no memory", handle);
        result = SCH_ERROR_MEMORY;
    }
    if (result != SCH_OK) sch_virgl_resource_drop(virgl, made);
    return result;
}

enum sch_result sch_virgl_resource_create(struct sch_virgl *virgl, uint32_t handle,
                                          const struct sch_virgl_resource_options *asked)
{
    sch_virgl_record_create(virgl, handle, asked);
    return sch_virgl_count(virgl, SCH_VIRGL_LOST_RESOURCE, create(virgl, handle, asked));
}

enum sch_result sch_virgl_resource_attach(struct sch_virgl *virgl, uint32_t handle, void *memory, size_t bytes)
{
    struct sch_virgl_resource *resource = sch_virgl_map_get(&virgl->resources, handle);
    if (!resource || resource->memory) {
        sch_virgl_refuse(virgl, resource ? "resource %u has memory" : "memory of resource %u, which there is not",
                         handle);
        return sch_virgl_count(virgl, SCH_VIRGL_LOST_RESOURCE, SCH_ERROR_ARGUMENT);
    }
    sch_virgl_record_attach(virgl, handle, bytes);
    resource->memory = memory;
    resource->memory_bytes = bytes;
    return SCH_OK;
}

void sch_virgl_detach(struct sch_virgl *virgl, uint32_t handle)
{
    struct sch_virgl_resource *resource = sch_virgl_map_get(&virgl->resources, handle);
    if (!resource) return;
    resource->memory = NULL;
    resource->memory_bytes = 0;
}

enum sch_result sch_virgl_resource_destroy(struct sch_virgl *virgl, uint32_t handle)
{
    sch_virgl_record_destroy(virgl, handle);
    sch_virgl_detach(virgl, handle); /* of those who hold it still, too */
    struct sch_virgl_resource *resource = sch_virgl_map_remove(&virgl->resources, handle);
    if (!resource) {
        sch_virgl_refuse(virgl, "the end of resource %u, which there is not", handle);
        return sch_virgl_count(virgl, SCH_VIRGL_LOST_MESSAGE, SCH_ERROR_ARGUMENT);
    }
    sch_virgl_resource_drop(virgl, resource);
    return SCH_OK;
}

uint64_t sch_virgl_resource_bytes(const struct sch_virgl *virgl, uint32_t handle)
{
    const struct sch_virgl_resource *resource = sch_virgl_map_get(&virgl->resources, handle);
    if (!resource || resource->as_asked.samples > 1) return 0;
    return sch_resource_bytes(resource->resource);
}
