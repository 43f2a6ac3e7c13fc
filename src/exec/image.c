/* LOAD, STORE, RESQ and ATOM* on images and on RES registers that are textures, and FBFETCH: from operands to requests
 * that src/ops executes. What is not bound, and what has another shape than the instruction means, reads 0 and is not
 * written. */
#include "exec/image.h"

#include "exec/control.h"
#include "exec/source.h"

typedef const struct sch_prepared_instruction instruction;

static const uint8_t identity[4] = {0, 1, 2, 3};

/* ---- what registers show ---- */

static void show(struct sch_exec_shown *shown, const struct sch_texture *texture, unsigned format, unsigned own_target,
                 unsigned target)
{
    if (target >= SCH_TARGET_UNKNOWN) target = own_target;
    if (!texture || !texture->levels || !sch_exec_results(own_target, target)) return;
    shown->texture = texture;
    shown->key.format = (uint16_t)format;
    shown->key.target = sch_target_facts(target)->plain;
    memcpy(shown->key.swizzle, identity, sizeof identity);
}

static void show_image(const struct sch_exec_image *images, uint32_t count, int64_t number, unsigned target,
                       struct sch_exec_shown *shown)
{
    if (number < 0 || number >= count) return;
    const struct sch_exec_image *image = &images[number];
    shown->key.rules = image->rules;
    shown->writable = image->writable;
    show(shown, image->texture, image->format, image->target, target);
}

/* A RES that is declared writable is the image of its number, another one the view. */
static void show_resource(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                          int64_t number, struct sch_exec_shown *shown)
{
    const struct sch_prepared_memory *memory = &program->prepared.memory;
    if (number < 0 || number >= memory->resource_count || !memory->resources[number].declared) return;
    const struct sch_prepared_declared *declared = &memory->resources[number];
    if (declared->writable) {
        show_image(bindings->images, bindings->image_count, number, declared->target, shown);
        return;
    }
    if (number >= bindings->view_count) return;
    const struct sch_exec_view *view = &bindings->views[number];
    show(shown, view->texture, view->format, view->target, declared->target);
    memcpy(shown->key.swizzle, view->swizzle, sizeof shown->key.swizzle);
}

void sch_exec_show(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                   const struct sch_prepared_resource *resource, int64_t number, struct sch_exec_shown *shown)
{
    *shown = (struct sch_exec_shown){0};
    if (!bindings) return;
    if (resource->file == SCH_FILE_RESOURCE) {
        show_resource(program, bindings, number, shown);
        return;
    }
    const struct sch_prepared_declared *declared = sch_prepared_declared_image(&program->prepared, resource, number);
    unsigned target = sch_prepared_shown_target(&program->prepared, resource, number);
    show_image(bindings->images, bindings->image_count, number, target, shown);
    if (declared && !declared->writable) shown->writable = false;
    if (program->prepared.d3d) shown->key.rules = SCH_RULES_D3D;
}

/* ---- accesses ---- */

static void take_address(unsigned target, const struct sch_lanes *const address[4],
                         const struct sch_lanes *coordinate[4], const struct sch_lanes **sample)
{
    memcpy(coordinate, address, 4 * sizeof *coordinate);
    *sample = sch_target_facts(target)->multisampled ? address[3] : NULL;
}

void sch_exec_image_load(struct sch_exec_machine *machine, instruction *in, const struct sch_exec_shown *shown,
                         uint32_t lanes, const struct sch_lanes *const address[4], struct sch_lanes *const out[4],
                         const struct sch_lanes *const value[4])
{
    (void)in;
    (void)value;
    struct sch_lanes some[4], mask;
    struct sch_lanes *const to[4] = {&some[0], &some[1], &some[2], &some[3]};
    if (!shown->texture) return;
    struct sch_fetch_request request = {
        .mask = &mask, .tiles = machine->group.tiles, .concurrent = machine->group.concurrent};
    machine->ops->mask_lanes(&mask, lanes);
    take_address(shown->key.target, address, request.coordinate, &request.level);
    machine->ops->fetch(&shown->key, shown->texture, &request, to);
    for (unsigned c = 0; c < 4; c++) machine->ops->commit(out[c], to[c], &mask);
}

void sch_exec_image_store(struct sch_exec_machine *machine, instruction *in, const struct sch_exec_shown *shown,
                          uint32_t lanes, const struct sch_lanes *const address[4], struct sch_lanes *const out[4],
                          const struct sch_lanes *const value[4])
{
    (void)in;
    (void)out;
    struct sch_lanes mask;
    if (!shown->texture || !shown->writable || !lanes) return;
    struct sch_image_request request = {.mask = &mask, .concurrent = machine->group.concurrent};
    machine->ops->mask_lanes(&mask, lanes);
    take_address(shown->key.target, address, request.coordinate, &request.sample);
    machine->ops->image_store(&shown->key, shown->texture, &request, value);
}

/* The words of a level whose texels have 32 bits each; none where they have other sizes. */
static struct sch_memory_view texel_words(const struct sch_exec_machine *machine, const struct sch_exec_shown *shown)
{
    const struct sch_texture *texture = shown->texture;
    const struct sch_texture_level *level = &texture->level[0];
    if (level->row_bytes != 4ull * level->width) return (struct sch_memory_view){0};
    uint64_t slices = (uint64_t)level->depth * texture->layers * texture->samples;
    return (struct sch_memory_view){.data = level->texels,
                                    .bytes = slices * level->slice_bytes,
                                    .writable = shown->writable,
                                    .concurrent = machine->group.concurrent};
}

enum { TEXEL_SHIFT = 2 };

void sch_exec_image_update(struct sch_exec_machine *machine, instruction *in, const struct sch_exec_shown *shown,
                           uint32_t lanes, const struct sch_lanes *const address[4], struct sch_lanes *const out[4],
                           const struct sch_lanes *const value[4])
{
    struct sch_lanes mask, texel;
    if (!shown->texture || !lanes) return;
    struct sch_memory_view words = texel_words(machine, shown);
    if (!words.data) return;
    struct sch_image_request at = {.mask = &mask};
    machine->ops->mask_lanes(&mask, lanes);
    take_address(shown->key.target, address, at.coordinate, &at.sample);
    machine->ops->image_texel(&shown->key, shown->texture, &at, &texel);
    struct sch_memory_request request = {.address = &texel, .lanes = lanes, .shift = TEXEL_SHIFT};
    machine->ops->atomic[in->opcode](&words, &request, value, out[0]);
}

/* Width, height, depth or layers (of cube arrays the cubes, as TXQ returns), samples. */
void sch_exec_texel_counts(const struct sch_exec_shown *shown, uint32_t words[4])
{
    sch_texture_size(shown->texture, shown->key.target, 0, words);
    words[3] = sch_texture_samples(shown->texture, shown->key.target);
}

void sch_exec_image_query(struct sch_exec_machine *machine, instruction *in, const struct sch_exec_shown *shown,
                          uint32_t lanes, const struct sch_lanes *const address[4], struct sch_lanes *const out[4],
                          const struct sch_lanes *const value[4])
{
    (void)machine;
    (void)in;
    (void)address;
    (void)value;
    uint32_t words[4];
    sch_exec_texel_counts(shown, words);
    for (uint32_t left = lanes; left; left &= left - 1)
        for (unsigned c = 0; c < 4; c++) out[c]->u[__builtin_ctz(left)] = words[c];
}

/* ---- the framebuffer ---- */

enum { PIXEL_LAYER = 2, PIXEL_SAMPLE = 3 };

static void fetch_pixels(struct sch_exec_machine *machine, int64_t output, const struct sch_lanes pixel[4],
                         uint32_t lanes)
{
    const struct sch_exec_bindings *bindings = machine->bindings;
    const struct sch_exec_program *program = machine->program;
    struct sch_exec_shown shown = {0};
    if (!bindings || output < 0 || output >= program->prepared.interface.output_count) return;
    show_image(bindings->color_buffers, bindings->color_buffer_count,
               program->prepared.interface.outputs[output].semantic_index, SCH_TARGET_UNKNOWN, &shown);
    if (!shown.texture) return;
    const struct sch_target_facts *is = sch_target_facts(shown.key.target);
    struct sch_lanes some[4], mask;
    struct sch_lanes *const to[4] = {&some[0], &some[1], &some[2], &some[3]};
    struct sch_fetch_request request = {.mask = &mask,
                                        .level = is->multisampled ? &pixel[PIXEL_SAMPLE] : NULL,
                                        .concurrent = machine->group.concurrent};
    machine->ops->mask_lanes(&mask, lanes);
    for (unsigned c = 0; c < is->axes; c++) request.coordinate[c] = &pixel[c];
    request.coordinate[is->axes] = &pixel[PIXEL_LAYER]; /* targets without layers ignore it */
    machine->ops->fetch(&shown.key, shown.texture, &request, to);
    for (unsigned c = 0; c < 4; c++) machine->ops->commit(&machine->group.result[c], to[c], &mask);
}

/* "The color of the current position in the framebuffer", to helpers too. */
void sch_exec_fetch_pixels(struct sch_exec_machine *machine, instruction *in)
{
    int64_t outputs[SCH_GROUP_LANES];
    bool uniform;
    struct sch_lanes pixel[4] = {0};
    for (unsigned c = 0; c < 4; c++) machine->ops->splat(&machine->group.result[c], 0);
    if (machine->source->kind->locate) machine->source->kind->locate(machine->source, machine, pixel);
    sch_exec_resolve(machine, &in->src[0].index, outputs, &uniform);
    for (uint32_t left = machine->group.exec, lanes; left; left &= ~lanes) {
        unsigned first = (unsigned)__builtin_ctz(left);
        lanes = 0;
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
            if (outputs[i] == outputs[first]) lanes |= 1u << i;
        fetch_pixels(machine, outputs[first], pixel, lanes);
    }
}

instruction *sch_exec_FBFETCH(struct sch_exec_machine *machine, instruction *in)
{
    sch_exec_fetch_pixels(machine, in);
    return sch_exec_finish(machine, in, in->src[0].swizzle);
}
