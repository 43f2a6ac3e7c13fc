/* LOAD, STORE, RESQ and the ATOM* opcodes: from operands and bindings to an access that src/ops makes. Where a resource
 * is chosen by a register, lanes that name the same one make an access together, in ascending order. A register that is
 * not bound is empty: reads give 0 and writes nothing. Images are in exec/image.c. */
#include "exec/control.h"
#include "exec/engine.h"
#include "exec/image.h"

typedef const struct sch_prepared_instruction instruction;

/* ---- resources ---- */

static struct sch_memory_view storage_view(const struct sch_exec_machine *machine,
                                           const struct sch_storage_buffer *array, uint32_t count, int64_t number)
{
    if (number < 0 || number >= count) return (struct sch_memory_view){0};
    return (struct sch_memory_view){.data = array[number].data,
                                    .bytes = array[number].bytes,
                                    .writable = true,
                                    .concurrent = machine->group.concurrent};
}

static struct sch_memory_view memory_register(const struct sch_exec_machine *machine, int64_t number)
{
    return machine->memory[sch_prepared_memory_kind(&machine->program->prepared, number)];
}

/* What the register `number` of the operand's file shows. `*shift`: log2 of the bytes of an address unit. */
static struct sch_memory_view view_of(const struct sch_exec_machine *machine,
                                      const struct sch_prepared_resource *resource, int64_t number, uint8_t *shift)
{
    static const struct sch_exec_bindings none;
    const struct sch_exec_bindings *bindings = machine->bindings ? machine->bindings : &none;
    const struct sch_prepared_memory *memory = &machine->program->prepared.memory;
    struct sch_memory_view view = {0};
    *shift = sch_prepared_address_shift(&machine->program->prepared, resource, number);
    switch (resource->file) {
    case SCH_FILE_BUFFER:
        return storage_view(machine, bindings->buffers, bindings->buffer_count, number);
    case SCH_FILE_HW_ATOMIC:
        return storage_view(machine, bindings->counters, bindings->counter_count, number);
    case SCH_FILE_MEMORY:
        return memory_register(machine, number);
    case SCH_FILE_CONSTBUF:
        if (number < 0 || number >= bindings->constant_count) return view;
        /* Only read: the view is not writable. */
        view.data = (uint8_t *)(uintptr_t)bindings->constants[number].data;
        view.bytes = bindings->constants[number].bytes;
        return view;
    case SCH_FILE_RESOURCE:
        if (number < 0 || number >= memory->resource_count || !memory->resources[number].declared) return view;
        view = storage_view(machine, bindings->buffers, bindings->buffer_count, number);
        view.writable = memory->resources[number].writable;
        return view;
    default:
        return view;
    }
}

struct sch_memory_view sch_exec_fixed_view(const struct sch_exec_machine *machine,
                                           const struct sch_prepared_resource *resource, uint8_t *shift)
{
    bool counter = resource->file == SCH_FILE_HW_ATOMIC;
    return view_of(machine, resource, counter ? resource->dimension.base : resource->index.base, shift);
}

uint32_t sch_exec_memory_size(const struct sch_memory_view *view)
{
    return view->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)view->bytes;
}

/* ---- accesses ---- */

/* What one of the opcodes does with a view; `out` and `value` as the opcode has it. */
typedef void access_fn(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                       const struct sch_memory_request *request, struct sch_lanes *const out[4],
                       const struct sch_lanes *const value[4]);

static void load(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                 const struct sch_memory_request *request, struct sch_lanes *const out[4],
                 const struct sch_lanes *const value[4])
{
    (void)in;
    (void)value;
    machine->ops->load(view, request, out);
}

static void store(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                  const struct sch_memory_request *request, struct sch_lanes *const out[4],
                  const struct sch_lanes *const value[4])
{
    (void)in;
    (void)out;
    machine->ops->store(view, request, value);
}

static void update(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                   const struct sch_memory_request *request, struct sch_lanes *const out[4],
                   const struct sch_lanes *const value[4])
{
    machine->ops->atomic[in->opcode](view, request, value, out[0]);
}

static void query(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                  const struct sch_memory_request *request, struct sch_lanes *const out[4],
                  const struct sch_lanes *const value[4])
{
    (void)machine;
    (void)in;
    (void)value;
    uint32_t bytes = sch_exec_memory_size(view);
    for (uint32_t left = request->lanes; left; left &= left - 1) out[0]->u[__builtin_ctz(left)] = bytes;
}

/* An opcode's way with memory and its way with textures. */
struct access {
    access_fn *memory;
    sch_exec_image_fn *image;
};
static const struct access loads = {load, sch_exec_image_load}, stores = {store, sch_exec_image_store},
                           updates = {update, sch_exec_image_update}, queries = {query, sch_exec_image_query};

/* Whether register `number` of the operand's file is a texture. */
static bool is_texture(const struct sch_exec_machine *machine, const struct sch_prepared_resource *resource,
                       int64_t number)
{
    const struct sch_prepared_memory *memory = &machine->program->prepared.memory;
    if (!resource->texture || resource->file != SCH_FILE_RESOURCE) return resource->texture;
    return number >= 0 && number < memory->resource_count && memory->resources[number].target != SCH_TARGET_BUFFER;
}

/* Whether a texture register is declared RAW. */
static bool is_raw(const struct sch_exec_machine *machine, const struct sch_prepared_resource *resource, int64_t number)
{
    const struct sch_prepared_memory *memory = &machine->program->prepared.memory;
    const bool image = resource->file == SCH_FILE_IMAGE;
    if (!resource->raw || number < 0 || number >= (image ? memory->image_count : memory->resource_count)) return false;
    return (image ? memory->images : memory->resources)[number].raw;
}

/* The lowest of `lanes` and those that follow it up to the first that names another register. */
static uint32_t same_register(uint32_t lanes, const int64_t numbers[SCH_GROUP_LANES])
{
    uint32_t run = 0;
    int64_t number = numbers[__builtin_ctz(lanes)];
    for (uint32_t left = lanes; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (numbers[i] != number) break;
        run |= 1u << i;
    }
    return run;
}

/* Which register each lane names. A counter is named by the resource operand alone: the offset, which producers fill
 * with the counter's own offset in bytes, is not looked at; its place goes to `counters`. For a counter, the first
 * bracket is the buffer. */
static void name_registers(struct sch_exec_machine *machine, instruction *in, int64_t numbers[SCH_GROUP_LANES],
                           struct sch_lanes *counters, bool *uniform)
{
    const struct sch_prepared_resource *resource = in->resource;
    if (resource->handle)
        sch_exec_handle_numbers(machine, resource->handle, SCH_HANDLE_IMAGE, numbers, uniform);
    else
        sch_exec_resolve(machine, &resource->index, numbers, uniform);
    if (resource->file != SCH_FILE_HW_ATOMIC) return;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) counters->u[i] = sch_prepared_counter_address(numbers[i]);
    sch_exec_resolve(machine, &resource->dimension, numbers, uniform);
}

static void access_memory(struct sch_exec_machine *machine, instruction *in, uint32_t lanes,
                          const struct access *access, const struct sch_lanes *const address[4],
                          struct sch_lanes *const out[4], const struct sch_lanes *const value[4])
{
    const struct sch_prepared_resource *resource = in->resource;
    int64_t numbers[SCH_GROUP_LANES];
    bool uniform;
    struct sch_lanes counters;
    name_registers(machine, in, numbers, &counters, &uniform);
    const struct sch_lanes *words = resource->file == SCH_FILE_HW_ATOMIC ? &counters : address[0];
    for (uint32_t left = lanes, run; left; left &= ~run) {
        run = uniform ? left : same_register(left, numbers);
        int64_t number = numbers[__builtin_ctz(run)];
        if (is_texture(machine, resource, number)) {
            struct sch_exec_shown shown;
            sch_exec_show(machine->program, machine->bindings, resource, number, &shown);
            sch_exec_image_fn *image = is_raw(machine, resource, number) ? sch_exec_raw_access : access->image;
            image(machine, in, &shown, run, address, out, value);
            continue;
        }
        struct sch_memory_request request = {
            .address = words, .lanes = run, .components = sch_prepared_components(resource, access == &loads)};
        struct sch_memory_view view = view_of(machine, resource, number, &request.shift);
        access->memory(machine, in, &view, &request, out, value);
    }
}

instruction *sch_exec_finish(struct sch_exec_machine *machine, instruction *in, const uint8_t from[4])
{
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        const struct sch_lanes *value = &machine->group.result[from[c]];
        if (in->modify) {
            struct sch_lanes *to = &machine->group.result[4];
            machine->ops->modify[in->modify](SCH_RULE_NONE, &to, &value);
            value = to;
        }
        sch_exec_write(machine, &in->dst[0], c, value);
    }
    return in + 1;
}

static void clear_results(struct sch_exec_machine *machine, unsigned channels, struct sch_lanes *out[4])
{
    for (unsigned c = 0; c < 4; c++) {
        out[c] = &machine->group.result[c];
        if (channels >> c & 1) machine->ops->splat(out[c], 0);
    }
}

/* For memory bytes in x, 0 in the others. For updates one result; helpers get 0. */
void sch_exec_access(struct sch_exec_machine *machine, instruction *in, const struct sch_lanes *const address[4],
                     const struct sch_lanes *const value[4])
{
    struct sch_lanes *out[4];
    if (in->opcode == SCH_OP_STORE) {
        access_memory(machine, in, machine->group.exec & ~machine->group.helpers, &stores, address, NULL, value);
    } else if (in->opcode == SCH_OP_LOAD) {
        clear_results(machine, in->resource->components, out);
        access_memory(machine, in, machine->group.exec, &loads, address, out, NULL);
    } else if (in->opcode == SCH_OP_RESQ) {
        clear_results(machine, 15, out);
        access_memory(machine, in, machine->group.exec, &queries, address, out, NULL);
    } else {
        clear_results(machine, 1, out);
        access_memory(machine, in, machine->group.exec & ~machine->group.helpers, &updates, address, out, value);
    }
}

/* For memory x is the address; for what may be a texture all channels are. */
static void read_address(struct sch_exec_machine *machine, instruction *in, const struct sch_lanes *address[4])
{
    for (unsigned c = 0; c < (in->resource->texture ? 4 : 1); c++)
        address[c] = sch_exec_operand(machine, in, (unsigned)in->resource->address, c);
}

instruction *sch_exec_LOAD(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *address[4] = {NULL};
    read_address(machine, in, address);
    sch_exec_access(machine, in, address, NULL);
    return sch_exec_finish(machine, in, in->resource->swizzle);
}

instruction *sch_exec_STORE(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *address[4] = {NULL}, *value[4] = {NULL};
    read_address(machine, in, address);
    for (unsigned c = 0; c < 4; c++)
        if (in->resource->components >> c & 1) value[c] = sch_exec_operand(machine, in, 1, c);
    sch_exec_access(machine, in, address, value);
    return in + 1;
}

instruction *sch_exec_RESQ(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *none[4] = {NULL};
    sch_exec_access(machine, in, none, NULL);
    return sch_exec_finish(machine, in, in->resource->swizzle);
}

/* One result for all written channels. */
instruction *sch_exec_atomic(struct sch_exec_machine *machine, instruction *in)
{
    static const uint8_t all_x[4] = {0, 0, 0, 0};
    const struct sch_lanes *address[4] = {NULL}, *operand[4] = {NULL};
    read_address(machine, in, address);
    for (unsigned s = 2; s < in->src_count; s++) operand[s - 2] = sch_exec_operand(machine, in, s, 0);
    sch_exec_access(machine, in, address, operand);
    return sch_exec_finish(machine, in, all_x);
}

/* ---- for observers ---- */

uint64_t sch_exec_level_bytes(const struct sch_texture *texture)
{
    const struct sch_texture_level *level = &texture->level[0];
    return (uint64_t)level->depth * texture->layers * texture->samples * level->slice_bytes;
}

/* What an access reaches, counted from its address. */
static uint32_t bytes_of(instruction *in)
{
    enum { WORD_BYTES = 4 };
    if (sch_prepared_is_atomic(in)) return WORD_BYTES;
    const unsigned words = sch_prepared_components(in->resource, in->opcode == SCH_OP_LOAD);
    return words ? WORD_BYTES * (32u - (unsigned)__builtin_clz(words)) : 0;
}

static uint8_t touch_of(instruction *in)
{
    return in->opcode == SCH_OP_LOAD ? SCH_EXEC_READS : in->opcode == SCH_OP_STORE ? SCH_EXEC_WRITES : SCH_EXEC_UPDATES;
}

/* Where the bytes of a place are in a view, for a lane: whole words. */
static void find_memory(const struct sch_memory_view *view, unsigned lane, struct sch_exec_touched *place)
{
    const uint64_t end = view->bytes & ~UINT64_C(3);
    if (place->byte >= end) return;
    place->inside = place->bytes < end - place->byte ? place->bytes : (uint32_t)(end - place->byte);
    place->memory = view->data + view->lane_bytes * lane + place->byte;
}

/* For lanes that name one register, as below. */
static uint32_t find_in_memory(const struct sch_exec_machine *machine, instruction *in, int64_t number, uint32_t lanes,
                               const struct sch_lanes *address, struct sch_exec_touched places[SCH_GROUP_LANES])
{
    uint8_t shift;
    const struct sch_memory_view view = view_of(machine, in->resource, number, &shift);
    const uint8_t file = in->resource->file;
    struct sch_exec_touched place = {
        .number = (uint32_t)number, .bytes = bytes_of(in), .file = file == SCH_FILE_RESOURCE ? SCH_FILE_BUFFER : file};
    if (!view.data || !place.bytes) return 0;
    place.touch = touch_of(in);
    if (file == SCH_FILE_MEMORY) place.kind = (uint8_t)sch_prepared_memory_kind(&machine->program->prepared, number);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        place.byte = place.address = ((uint64_t)address->u[lane] << shift) & ~UINT64_C(3);
        places[lane] = place;
        find_memory(&view, lane, &places[lane]);
    }
    return lanes;
}

static void take_image_address(const struct sch_exec_shown *shown, const struct sch_lanes *const address[4],
                               struct sch_image_request *request)
{
    memcpy(request->coordinate, address, sizeof request->coordinate);
    if (sch_target_facts(shown->key.target)->multisampled) request->sample = address[3];
}

/* The byte of a texel, by its number among all of its level. */
static uint64_t texel_byte(const struct sch_exec_shown *shown, uint32_t number, uint32_t texel_bytes)
{
    const struct sch_texture_level *level = &shown->texture->level[0];
    const uint32_t x = number % level->width, row = number / level->width;
    return row / level->height * level->slice_bytes + (uint64_t)(row % level->height) * level->row_bytes +
           (uint64_t)x * texel_bytes;
}

static uint32_t find_texels(struct sch_exec_machine *machine, const struct sch_exec_shown *shown, uint32_t lanes,
                            const struct sch_lanes *const address[4], struct sch_exec_touched places[SCH_GROUP_LANES])
{
    const uint32_t texel_bytes = sch_texture_block_bytes(shown->key.format);
    struct sch_lanes mask, texel;
    struct sch_image_request at = {.mask = &mask};
    uint32_t found = 0;
    machine->ops->mask_lanes(&mask, lanes);
    take_image_address(shown, address, &at);
    machine->ops->image_texel(&shown->key, shown->texture, &at, &texel);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (texel.u[lane] == UINT32_MAX) continue;
        places[lane].bytes = texel_bytes;
        places[lane].byte = places[lane].address = texel_byte(shown, texel.u[lane], texel_bytes);
        places[lane].memory = shown->texture->level[0].texels + places[lane].byte;
        places[lane].inside = texel_bytes;
        found |= UINT32_C(1) << lane;
    }
    return found;
}

/* A view that a RES register shows is not an image. */
static uint32_t find_in_image(struct sch_exec_machine *machine, instruction *in, int64_t number, uint32_t lanes,
                              const struct sch_lanes *const address[4], struct sch_exec_touched places[SCH_GROUP_LANES])
{
    const struct sch_prepared_resource *resource = in->resource;
    const bool of_view =
        resource->file == SCH_FILE_RESOURCE && !machine->program->prepared.memory.resources[number].writable;
    struct sch_exec_shown shown;
    uint32_t found = 0;
    sch_exec_show(machine->program, machine->bindings, resource, number, &shown);
    if (!shown.texture || of_view) return 0;
    for (uint32_t left = lanes; left; left &= left - 1)
        places[__builtin_ctz(left)] = (struct sch_exec_touched){
            .number = (uint32_t)number, .file = SCH_FILE_IMAGE, .bytes = bytes_of(in), .touch = touch_of(in)};
    if (!is_raw(machine, resource, number)) return find_texels(machine, &shown, lanes, address, places);
    const uint64_t all = sch_exec_level_bytes(shown.texture);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        struct sch_exec_touched *place = &places[lane];
        if (!sch_exec_raw_byte(machine, &shown, address, lane, &place->byte)) continue;
        place->address = place->byte;
        place->memory = shown.texture->level[0].texels + place->byte;
        place->inside = place->bytes < all - place->byte ? place->bytes : (uint32_t)(all - place->byte);
        found |= UINT32_C(1) << lane;
    }
    return found;
}

uint32_t sch_exec_find_places(struct sch_exec_machine *machine, instruction *in,
                              struct sch_exec_touched places[SCH_GROUP_LANES])
{
    const struct sch_lanes *address[4] = {NULL};
    int64_t numbers[SCH_GROUP_LANES];
    struct sch_lanes counters;
    bool uniform;
    uint32_t found = 0;
    if (machine->program->engine->find_places) return machine->program->engine->find_places(machine, in, places);
    if (!in->resource || in->opcode == SCH_OP_RESQ) return 0;
    name_registers(machine, in, numbers, &counters, &uniform);
    read_address(machine, in, address);
    if (in->resource->file == SCH_FILE_HW_ATOMIC) address[0] = &counters;
    const uint32_t helpers = in->opcode == SCH_OP_LOAD ? 0 : machine->group.helpers;
    for (uint32_t left = machine->group.exec & ~helpers, run; left; left &= ~run) {
        run = uniform ? left : same_register(left, numbers);
        const int64_t number = numbers[__builtin_ctz(run)];
        found |= is_texture(machine, in->resource, number)
                     ? find_in_image(machine, in, number, run, address, places)
                     : find_in_memory(machine, in, number, run, address[0], places);
    }
    return found;
}
