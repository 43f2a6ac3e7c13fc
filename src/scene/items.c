/* The memory of a scene, and its table of names. */
#include "items.h"

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

/* FNV-1a */
static uint32_t hash(const char *name, size_t bytes)
{
    uint32_t value = 2166136261u;
    for (size_t i = 0; i < bytes; i++) value = (value ^ (uint8_t)name[i]) * 16777619u;
    return value;
}

struct sch_scene_object *sch_scene_find(const struct sch_scene *scene, const char *name, size_t bytes)
{
    if (!scene->table_size) return NULL;
    for (uint32_t at = hash(name, bytes) % scene->table_size; scene->table[at]; at = (at + 1) % scene->table_size)
        if (strlen(scene->table[at]->name) == bytes && memcmp(scene->table[at]->name, name, bytes) == 0)
            return scene->table[at];
    return NULL;
}

static void enter(struct sch_scene *scene, struct sch_scene_object *object)
{
    uint32_t at = hash(object->name, strlen(object->name)) % scene->table_size;
    while (scene->table[at]) at = (at + 1) % scene->table_size;
    scene->table[at] = object;
}

/* At least half of the table stays empty. */
static bool grow(struct sch_scene *scene)
{
    if ((scene->object_count + 1) * 2 <= scene->table_size) return true;
    const uint32_t size = scene->table_size ? scene->table_size * 2 : 256;
    struct sch_scene_object **table = sch_scene_alloc(scene, size * sizeof *table);
    if (!table) return false;
    scene->table = table;
    scene->table_size = size;
    for (struct sch_scene_object *object = scene->objects; object; object = object->next)
        if (*object->name) enter(scene, object);
    return true;
}

bool sch_scene_enter(struct sch_scene *scene, struct sch_scene_object *object)
{
    if (!grow(scene)) return false;
    object->number = scene->object_count++;
    if (scene->last_object)
        scene->last_object->next = object;
    else
        scene->objects = object;
    scene->last_object = object;
    if (*object->name) enter(scene, object);
    return true;
}

unsigned sch_scene_error_number(const char *name)
{
    struct sch_error_info row = {.size = sizeof row};
    for (size_t i = 0; sch_table_error(i, &row); i++)
        if (strcmp(row.name, name) == 0) return row.number;
    return 0;
}

void sch_scene_destroy(struct sch_scene *scene)
{
    if (!scene) return;
    while (scene->blocks) {
        struct sch_scene_block *next = scene->blocks->next;
        free(scene->blocks);
        scene->blocks = next;
    }
    free(scene);
}
