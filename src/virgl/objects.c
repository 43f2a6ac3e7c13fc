/* Objects: who holds them, and what ends with the last one. */
#include "client.h"

static const char *const names[OBJECT_KINDS] = {
    "no object", "a blend state",   "a rasterizer",           "a depth-stencil-alpha state",
    "a shader",  "vertex elements", "a sampler view",         "a sampler",
    "a surface", "a query",         "a stream-output target", "a surface"};

struct object *sch_virgl_object_find(struct sch_virgl *virgl, uint32_t handle, enum object_kind kind)
{
    struct object *object = sch_virgl_map_get(&virgl->sub->objects, handle);
    if (object && object->kind == kind) return object;
    sch_virgl_refuse(virgl, object ? "object %u is not %s" : "there is no object %u that is %s", handle, names[kind]);
    return NULL;
}

struct object *sch_virgl_object_hold(struct object *object)
{
    if (object) object->references++;
    return object;
}

void sch_virgl_object_drop(struct sch_virgl *virgl, struct object *object)
{
    if (!object || --object->references) return;
    sch_virgl_finish(virgl);
    object->end(virgl, object);
    sch_virgl_free(virgl, object);
}

void sch_virgl_object_bind(struct sch_virgl *virgl, struct object **place, struct object *object)
{
    struct object *before = *place;
    *place = sch_virgl_object_hold(object);
    sch_virgl_object_drop(virgl, before);
}

/* ---- commands ---- */

bool sch_virgl_destroy_object(struct sch_virgl *virgl, const struct command *command)
{
    struct object *object = sch_virgl_map_get(&virgl->sub->objects, command->words[0]);
    if (!object) return sch_virgl_refuse(virgl, "there is no object %u", command->words[0]);
    sch_virgl_map_remove(&virgl->sub->objects, command->words[0]);
    sch_virgl_object_drop(virgl, object);
    return true;
}

/* Kinds that one is bound of at a time. */
static struct object **place_of(struct sub_context *sub, uint32_t kind)
{
    switch (kind) {
    case OBJECT_BLEND:
        return &sub->blend;
    case OBJECT_RASTERIZER:
        return &sub->rasterizer;
    case OBJECT_DSA:
        return &sub->dsa;
    case OBJECT_VERTEX_ELEMENTS:
        return &sub->elements;
    default:
        return NULL;
    }
}

bool sch_virgl_bind_object(struct sch_virgl *virgl, const struct command *command)
{
    struct object **place = place_of(virgl->sub, command->kind), *object = NULL;
    if (!place) return sch_virgl_refuse(virgl, "objects of kind %u are not bound so", command->kind);
    if (command->words[0] &&
        !(object = sch_virgl_object_find(virgl, command->words[0], (enum object_kind)command->kind)))
        return false;
    sch_virgl_object_bind(virgl, place, object);
    return true;
}
