/* Binding registers of shaders. */
#include <stdlib.h>

#include "pass.h"

static struct sch_player_bindings *bound_of(struct sch_scene_pass_run *run, enum sch_stage stage)
{
    struct sch_player_bindings **bound = &run->state.bound[stage];
    if (!*bound) *bound = sch_player_bindings_create();
    return *bound;
}

static struct sch_scene_temporary *add_temporary(struct sch_scene_pass_run *run)
{
    struct sch_scene_temporary *temporary = calloc(1, sizeof *temporary);
    if (!temporary) return NULL;
    temporary->next = run->temporaries;
    run->temporaries = temporary;
    return temporary;
}

static void count(uint32_t *counted, uint32_t slot)
{
    if (*counted <= slot) *counted = slot + 1;
}

/* A view or an image of a texture. */
static void bind_texture(struct sch_scene_pass_run *run, const struct sch_scene_command *command,
                         struct sch_player_bindings *bound)
{
    const struct sch_scene_bind *bind = command->bind;
    struct sch_scene_player *player = run->player;
    struct sch_resource *resource = sch_scene_resource(player, bind->object);
    struct sch_scene_temporary *temporary = resource ? add_temporary(run) : NULL;
    struct sch_view_options view = bind->view;
    struct sch_image_options image = bind->image;
    view.diagnostics = image.diagnostics = player->list;
    if (!resource) return;
    const enum sch_result result = !temporary ? SCH_ERROR_MEMORY
                                   : bind->kind == SCH_SCENE_VIEW
                                       ? sch_view_create(resource, &view, &temporary->object.view)
                                       : sch_image_create(resource, &image, &temporary->object.image);
    if (!sch_scene_told(player, &command->place, result, bind->object->name)) return;
    if (bind->kind == SCH_SCENE_IMAGE) {
        bound->images[bind->slot] = temporary->object.image;
        count(&bound->bindings.image_count, bind->slot);
        return;
    }
    bound->views[bind->slot] = temporary->object.view;
    count(&bound->bindings.view_count, bind->slot);
    if (!bind->sampler) return;
    bound->samplers[bind->slot] = sch_scene_sampler(player, bind->sampler);
    count(&bound->bindings.sampler_count, bind->slot);
}

static void bind_constants(struct sch_scene_pass_run *run, const struct sch_scene_bind *bind,
                           struct sch_player_bindings *bound)
{
    struct sch_constant_buffer *to = &bound->constants[bind->slot];
    struct sch_resource *resource = bind->object ? sch_scene_resource(run->player, bind->object) : NULL;
    count(&bound->bindings.constant_count, bind->slot);
    *to = (struct sch_constant_buffer){0};
    if (resource)
        *to = (struct sch_constant_buffer){.resource = resource, .offset = bind->offset, .bytes = bind->bytes};
    else if (!bind->object)
        *to = (struct sch_constant_buffer){.data = bind->data.data, .bytes = bind->data.bytes};
}

static void bind_storage(struct sch_scene_pass_run *run, const struct sch_scene_bind *bind,
                         struct sch_storage_buffer *slots, uint32_t *counted)
{
    struct sch_resource *resource = sch_scene_resource(run->player, bind->object);
    slots[bind->slot] = (struct sch_storage_buffer){0};
    if (resource)
        slots[bind->slot] =
            (struct sch_storage_buffer){.resource = resource, .offset = bind->offset, .bytes = bind->bytes};
    count(counted, bind->slot);
}

void sch_scene_do_bind(struct sch_scene_pass_run *run, const struct sch_scene_command *command)
{
    const struct sch_scene_bind *bind = command->bind;
    struct sch_player_bindings *bound = bound_of(run, bind->stage);
    if (!sch_scene_told(run->player, &command->place, bound ? SCH_OK : SCH_ERROR_MEMORY, "bind")) return;
    switch (bind->kind) {
    case SCH_SCENE_CONSTANTS:
        bind_constants(run, bind, bound);
        break;
    case SCH_SCENE_VIEW:
    case SCH_SCENE_IMAGE:
        bind_texture(run, command, bound);
        break;
    case SCH_SCENE_SAMPLER_SLOT:
        bound->samplers[bind->slot] = sch_scene_sampler(run->player, bind->object);
        count(&bound->bindings.sampler_count, bind->slot);
        break;
    case SCH_SCENE_STORAGE:
        bind_storage(run, bind, bound->buffers, &bound->bindings.buffer_count);
        break;
    case SCH_SCENE_ATOMIC:
        bind_storage(run, bind, bound->counters, &bound->bindings.hw_atomic_count);
        break;
    }
}

void sch_scene_unbind(struct sch_scene_pass_run *run)
{
    while (run->temporaries) {
        struct sch_scene_temporary *next = run->temporaries->next;
        sch_player_object_release(&run->temporaries->object);
        free(run->temporaries);
        run->temporaries = next;
    }
}
