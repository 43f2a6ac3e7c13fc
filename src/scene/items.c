/* The memory of a scene, and its table of names. */
#include "items.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

const char *const sch_scene_kind_words[SCH_SCENE_KINDS] = {
    "shader", "buffer",  "mesh",          "texture", "sampler", "elements",     "rasterizer", "depth_stencil_alpha",
    "blend",  "dynamic", "stream_output", "matrix",  "query",   "stream_target"};

enum { BLOCK = 1 << 16, ALIGNMENT = 16 };

struct sch_scene_block {
    struct sch_scene_block *next;
    size_t used, room;
    _Alignas(ALIGNMENT) uint8_t data[];
};

void *sch_scene_alloc(struct sch_scene *scene, size_t bytes)
{
    if (bytes > SCH_SCENE_BYTES - scene->held) {
        scene->no_memory = true;
        return NULL;
    }
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    struct sch_scene_block *block = scene->blocks;
    if (!block || bytes > block->room - block->used) {
        const size_t room = bytes > BLOCK ? bytes : BLOCK;
        block = calloc(1, sizeof *block + room);
        if (!block) {
            scene->no_memory = true;
            return NULL;
        }
        block->room = room;
        block->next = scene->blocks;
        scene->blocks = block;
        scene->held += room < SCH_SCENE_BYTES - scene->held ? room : SCH_SCENE_BYTES - scene->held;
    }
    uint8_t *data = block->data + block->used;
    block->used += bytes;
    return data;
}

/* ---- names ---- */

/* By name. A tree of the C library: whatever names a scene chooses, none is far from the root. */
static int compare_objects(const void *a, const void *b)
{
    const struct sch_scene_object *x = a, *y = b;
    const int order = memcmp(x->name, y->name, x->name_bytes < y->name_bytes ? x->name_bytes : y->name_bytes);
    return order ? order : x->name_bytes < y->name_bytes ? -1 : x->name_bytes > y->name_bytes;
}

struct sch_scene_object *sch_scene_find(const struct sch_scene *scene, const char *name, size_t bytes)
{
    const struct sch_scene_object key = {.name = name, .name_bytes = bytes};
    struct sch_scene_object *const *found = tfind(&key, &scene->names, compare_objects);
    return found ? *found : NULL;
}

bool sch_scene_enter(struct sch_scene *scene, struct sch_scene_object *object)
{
    object->name_bytes = strlen(object->name);
    if (*object->name && !tsearch(object, &scene->names, compare_objects)) {
        scene->no_memory = true;
        return false;
    }
    object->number = scene->object_count++;
    if (scene->last_object)
        scene->last_object->next = object;
    else
        scene->objects = object;
    scene->last_object = object;
    return true;
}

static void keep_object(void *object) { (void)object; } /* it is in the scene's memory */

void sch_scene_destroy(struct sch_scene *scene)
{
    if (!scene) return;
    tdestroy(scene->names, keep_object);
    while (scene->blocks) {
        struct sch_scene_block *next = scene->blocks->next;
        free(scene->blocks);
        scene->blocks = next;
    }
    free(scene);
}
