/* What programs read and write besides vertices: constants, textures, samplers, buffers, images, counters; and how a
 * draw or a grid is given them. */
#include <string.h>

#include "client.h"

static struct stage_bindings *find_stage(struct sch_virgl *virgl, uint32_t number)
{
    if (number < STAGES) return &virgl->sub->stages[number];
    sch_virgl_refuse(virgl, "there is no stage %u", number);
    return NULL;
}

/* Whether so many slots from the first one on are there. */
static bool check_slots(struct sch_virgl *virgl, uint32_t first, uint32_t count, uint32_t most)
{
    if (first <= most && count <= most - first) return true;
    return sch_virgl_refuse(virgl, "%u slots from slot %u on, where there are %u", count, first, most);
}

bool sch_virgl_bind_range(struct sch_virgl *virgl, uint32_t handle, uint32_t offset, uint32_t bytes, uint32_t align,
                          struct sch_storage_buffer *range, struct sch_virgl_resource **held)
{
    struct sch_virgl_resource *resource = NULL;
    if (handle) {
        if (!(resource = sch_virgl_resource_find(virgl, handle))) return false;
        if (resource->as_asked.target) return sch_virgl_refuse(virgl, "resource %u is not a buffer", handle);
        const size_t whole = sch_resource_bytes(resource->resource);
        if (offset % align) return sch_virgl_refuse(virgl, "offset %u is not a multiple of %u", offset, align);
        if (offset > whole) return sch_virgl_refuse(virgl, "offset %u is beyond %zu bytes", offset, whole);
        if (bytes > whole - offset) bytes = (uint32_t)(whole - offset); /* what lies beyond is not there */
        if (!bytes) resource = NULL;
    }
    sch_virgl_resource_hold(resource);
    sch_virgl_resource_drop(virgl, *held);
    *held = resource;
    *range = resource ? (struct sch_storage_buffer){.resource = resource->resource, .offset = offset, .bytes = bytes}
                      : (struct sch_storage_buffer){0};
    return true;
}

static uint32_t count_held(struct sch_virgl_resource *const *resources, uint32_t most)
{
    while (most && !resources[most - 1]) most--;
    return most;
}

/* ---- constants ---- */

/* `words`: offset, bytes and resource. */
static bool bind_constants(struct sch_virgl *virgl, struct stage_bindings *stage, uint32_t index,
                           const uint32_t words[3])
{
    struct sch_storage_buffer range;
    if (!sch_virgl_bind_range(virgl, words[2], words[0], words[1], 1, &range, &stage->constant_resources[index]))
        return false;
    stage->constants[index] =
        (struct sch_constant_buffer){.resource = range.resource, .offset = range.offset, .bytes = range.bytes};
    if (!index && !range.resource)
        stage->constants[0] =
            (struct sch_constant_buffer){.data = stage->words, .bytes = stage->word_count * sizeof *stage->words};
    const uint32_t count = count_held(stage->constant_resources, CONSTANT_BUFFERS);
    stage->constant_count = count ? count : 1;
    return true;
}

bool sch_virgl_set_constant_buffer(struct sch_virgl *virgl, const struct command *command)
{
    struct stage_bindings *stage = find_stage(virgl, command->words[0]);
    static const uint32_t unbound[3];
    const uint32_t index = command->words[1], count = command->count - 2;
    if (!stage) return false;
    if (index >= CONSTANT_BUFFERS || (index && count))
        return sch_virgl_refuse(virgl, "words of constant buffer %u, where only buffer 0 has some", index);
    if (index) return bind_constants(virgl, stage, index, unbound);
    if (count > stage->word_room) {
        uint32_t *words = sch_virgl_alloc(virgl, count * sizeof *words);
        if (!words) return false;
        sch_virgl_free(virgl, stage->words);
        stage->words = words;
        stage->word_room = count;
    }
    if (count) memcpy(stage->words, command->words + 2, count * sizeof *stage->words);
    stage->word_count = count;
    return bind_constants(virgl, stage, 0, unbound);
}

bool sch_virgl_set_uniform_buffer(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t *words = command->words;
    struct stage_bindings *stage = find_stage(virgl, words[0]);
    if (!stage || !check_slots(virgl, words[1], 1, CONSTANT_BUFFERS)) return false;
    return bind_constants(virgl, stage, words[1], words + 2);
}

/* ---- textures ---- */

static uint32_t count_bound(struct object *const *objects, uint32_t most)
{
    while (most && !objects[most - 1]) most--;
    return most;
}

bool sch_virgl_set_sampler_views(struct sch_virgl *virgl, const struct command *command)
{
    struct stage_bindings *stage = find_stage(virgl, command->words[0]);
    const uint32_t first = command->words[1], count = command->count - 2;
    if (!stage || !check_slots(virgl, first, count, SAMPLER_VIEWS)) return false;
    for (uint32_t n = 0; n < count; n++)
        if (command->words[2 + n] && !sch_virgl_object_find(virgl, command->words[2 + n], OBJECT_SAMPLER_VIEW))
            return false;
    for (uint32_t n = 0; n < count; n++) {
        struct object *object = sch_virgl_map_get(&virgl->sub->objects, command->words[2 + n]);
        sch_virgl_object_bind(virgl, &stage->view_objects[first + n], object);
        stage->views[first + n] = object ? object->view : NULL;
    }
    stage->view_count = count_bound(stage->view_objects, SAMPLER_VIEWS);
    return true;
}

bool sch_virgl_bind_samplers(struct sch_virgl *virgl, const struct command *command)
{
    struct stage_bindings *stage = find_stage(virgl, command->words[0]);
    const uint32_t first = command->words[1], count = command->count - 2;
    if (!stage || !check_slots(virgl, first, count, SAMPLERS)) return false;
    for (uint32_t n = 0; n < count; n++)
        if (command->words[2 + n] && !sch_virgl_object_find(virgl, command->words[2 + n], OBJECT_SAMPLER_STATE))
            return false;
    for (uint32_t n = 0; n < count; n++) {
        struct object *object = sch_virgl_map_get(&virgl->sub->objects, command->words[2 + n]);
        sch_virgl_object_bind(virgl, &stage->sampler_objects[first + n], object);
        stage->samplers[first + n] = object ? object->sampler : NULL;
    }
    stage->sampler_count = count_bound(stage->sampler_objects, SAMPLERS);
    return true;
}

/* ---- buffers, images, counters ---- */

bool sch_virgl_set_shader_buffers(struct sch_virgl *virgl, const struct command *command)
{
    enum { WORDS = 3 };
    struct stage_bindings *stage = find_stage(virgl, command->words[0]);
    const uint32_t first = command->words[1], count = (command->count - 2) / WORDS;
    if (!stage || !check_slots(virgl, first, count, SHADER_BUFFERS)) return false;
    if ((command->count - 2) % WORDS) return sch_virgl_refuse(virgl, "%u words are not buffers", command->count);
    bool done = true;
    for (uint32_t n = 0; n < count && done; n++) {
        const uint32_t *words = command->words + 2 + n * WORDS;
        done = sch_virgl_bind_range(virgl, words[2], words[0], words[1], 4, &stage->buffers[first + n],
                                    &stage->buffer_resources[first + n]);
    }
    stage->buffer_count = count_held(stage->buffer_resources, SHADER_BUFFERS);
    return done;
}

bool sch_virgl_set_atomic_buffers(struct sch_virgl *virgl, const struct command *command)
{
    enum { WORDS = 3 };
    struct sub_context *sub = virgl->sub;
    const uint32_t first = command->words[0], count = (command->count - 1) / WORDS;
    if (!check_slots(virgl, first, count, ATOMIC_BUFFERS)) return false;
    if ((command->count - 1) % WORDS) return sch_virgl_refuse(virgl, "%u words are not buffers", command->count);
    bool done = true;
    for (uint32_t n = 0; n < count && done; n++) {
        const uint32_t *words = command->words + 1 + n * WORDS;
        done = sch_virgl_bind_range(virgl, words[2], words[0], words[1], 4, &sub->atomics[first + n],
                                    &sub->atomic_resources[first + n]);
    }
    sub->atomic_count = count_held(sub->atomic_resources, ATOMIC_BUFFERS);
    return done;
}

/* One layer or slice of several is bound as a texture without layers (OpenGL 8.26: "considered to use a texture target
 * corresponding to the bound layer"). */
static void set_plain_target(const struct sch_virgl_resource *resource, struct sch_image_options *options)
{
    struct sch_resource_info info = {.size = sizeof info};
    if (options->layer_count != 1 || sch_resource_get_info(resource->resource, options->level, &info) != SCH_OK) return;
    if ((info.target == SCH_TARGET_3D ? info.depth : info.layers) < 2) return;
    options->has_target = true;
    options->target = info.target == SCH_TARGET_1D_ARRAY        ? SCH_TARGET_1D
                      : info.target == SCH_TARGET_2D_ARRAY_MSAA ? SCH_TARGET_2D_MSAA
                                                                : SCH_TARGET_2D;
}

/* What the words of an image say: format, access, layers or byte offset, level or bytes, resource. */
static bool make_image(struct sch_virgl *virgl, const uint32_t *words, struct sch_image **made)
{
    enum { WRITE = 2 };
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, words[4]);
    if (!resource) return false;
    struct sch_image_options options = {.size = sizeof options,
                                        .format = sch_virgl_format(words[0]),
                                        .read_only = !(words[1] & WRITE),
                                        .diagnostics = sch_virgl_list(virgl)};
    struct sch_format_info facts = {.size = sizeof facts};
    if (options.format == SCH_FORMAT_NONE || sch_format_get_info(options.format, &facts) != SCH_OK ||
        !facts.block_bytes)
        return sch_virgl_refuse(virgl, "no format %u", words[0]);
    if (resource->as_asked.target == 0) {
        options.first_element = words[2] / facts.block_bytes;
        options.element_count = words[3] / facts.block_bytes;
        if (!options.element_count) return sch_virgl_refuse(virgl, "an image of no elements");
    } else {
        options.first_layer = sch_virgl_bits(words[2], 0, 16);
        options.level = sch_virgl_bits(words[3], 0, 8); /* clients leave anything above */
        if (sch_virgl_bits(words[2], 16, 16) < options.first_layer)
            return sch_virgl_refuse(virgl, "layers that end too early");
        options.layer_count = sch_virgl_bits(words[2], 16, 16) - options.first_layer + 1;
        set_plain_target(resource, &options);
    }
    return sch_virgl_check(virgl, sch_image_create(resource->resource, &options, made), "image");
}

bool sch_virgl_set_shader_images(struct sch_virgl *virgl, const struct command *command)
{
    enum { WORDS = 5 };
    struct stage_bindings *stage = find_stage(virgl, command->words[0]);
    const uint32_t first = command->words[1], count = (command->count - 2) / WORDS;
    if (!stage || !check_slots(virgl, first, count, SHADER_IMAGES)) return false;
    if ((command->count - 2) % WORDS) return sch_virgl_refuse(virgl, "%u words are not images", command->count);
    bool done = true;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *words = command->words + 2 + n * WORDS;
        struct sch_image *made = NULL;
        if (words[4] && !make_image(virgl, words, &made)) done = false;
        sch_image_destroy(stage->images[first + n]);
        stage->images[first + n] = made;
    }
    for (stage->image_count = SHADER_IMAGES; stage->image_count; stage->image_count--)
        if (stage->images[stage->image_count - 1]) break;
    return done;
}

/* ---- for draws and grids ---- */

void sch_virgl_get_bindings(struct sub_context *sub, enum stage number, struct sch_bindings *bindings)
{
    struct stage_bindings *stage = &sub->stages[number];
    *bindings = (struct sch_bindings){.size = sizeof *bindings,
                                      .constants = stage->constants,
                                      .constant_count = stage->constant_count,
                                      .views = stage->views,
                                      .view_count = stage->view_count,
                                      .samplers = stage->samplers,
                                      .sampler_count = stage->sampler_count,
                                      .images = stage->images,
                                      .image_count = stage->image_count,
                                      .buffers = stage->buffers,
                                      .buffer_count = stage->buffer_count,
                                      .hw_atomics = sub->atomics,
                                      .hw_atomic_count = sub->atomic_count};
}

static void end_stage(struct sch_virgl *virgl, struct stage_bindings *stage)
{
    sch_virgl_free(virgl, stage->words);
    for (unsigned n = 0; n < CONSTANT_BUFFERS; n++) sch_virgl_resource_drop(virgl, stage->constant_resources[n]);
    for (unsigned n = 0; n < SAMPLER_VIEWS; n++) sch_virgl_object_bind(virgl, &stage->view_objects[n], NULL);
    for (unsigned n = 0; n < SAMPLERS; n++) sch_virgl_object_bind(virgl, &stage->sampler_objects[n], NULL);
    for (unsigned n = 0; n < SHADER_BUFFERS; n++) sch_virgl_resource_drop(virgl, stage->buffer_resources[n]);
    for (unsigned n = 0; n < SHADER_IMAGES; n++) sch_image_destroy(stage->images[n]);
}

void sch_virgl_end_bindings(struct sch_virgl *virgl, struct sub_context *sub)
{
    for (unsigned n = 0; n < STAGES; n++) end_stage(virgl, &sub->stages[n]);
    for (unsigned n = 0; n < ATOMIC_BUFFERS; n++) sch_virgl_resource_drop(virgl, sub->atomic_resources[n]);
}
