/* LOAD, STORE, RESQ and the ATOM* opcodes: from operands and bindings to an access that src/ops makes. Where a resource
 * is chosen by a register, lanes that name the same one make an access together, in ascending order. A register that is
 * not bound is empty: reads give 0 and writes nothing. Images are in exec/image.c. */
#include "exec/control.h"
#include "exec/decode.h"
#include "exec/image.h"
#include "ir/check.h"

typedef const struct sch_exec_instruction instruction;

enum { COUNTER_BYTES = 4, ELEMENT_SHIFT = 4 };

/* ---- what a program does with memory ---- */

static uint32_t declared_registers(const struct sch_ir_shader *shader, unsigned file)
{
    uint32_t count = 0;
    for (size_t n = 0; n < shader->declaration_count; n++)
        if (shader->declarations[n].file == file && (uint32_t)shader->declarations[n].last + 1 > count)
            count = (uint32_t)shader->declarations[n].last + 1;
    return count;
}

static void list_memory(struct sch_exec_memory *memory, const struct sch_ir_declaration *declaration, uint32_t *lowest)
{
    for (uint32_t r = declaration->first; r <= declaration->last; r++) memory->kinds[r] = declaration->memory_kind;
    memory->declared_kinds |= 1u << declaration->memory_kind;
    if (declaration->first >= *lowest) return;
    *lowest = declaration->first;
    memory->first_kind = declaration->memory_kind;
}

/* Whether a write by this instruction can be seen outside of its work group. */
static bool writes_outside(const struct sch_exec_memory *memory, const struct sch_ir_instruction *in)
{
    const struct sch_op_info *info = sch_op_info(in->opcode);
    if (!info || !(info->flags & SCH_OPF_STORE)) return false;
    unsigned file = in->opcode == SCH_OP_STORE ? in->dst[0].file : in->src[0].file;
    return file != SCH_FILE_MEMORY || (memory->declared_kinds >> SCH_MEMORY_GLOBAL & 1);
}

enum sch_result sch_exec_list_memory(struct sch_exec_program *program, const struct sch_ir_shader *shader)
{
    struct sch_exec_memory *memory = &program->memory;
    memory->kind_count = declared_registers(shader, SCH_FILE_MEMORY);
    memory->resource_count = declared_registers(shader, SCH_FILE_RESOURCE);
    memory->image_count = declared_registers(shader, SCH_FILE_IMAGE);
    memory->kinds = SCH_ARENA_ARRAY(&program->arena, uint8_t, memory->kind_count);
    memory->resources = SCH_ARENA_ARRAY(&program->arena, struct sch_exec_resource, memory->resource_count);
    memory->images = SCH_ARENA_ARRAY(&program->arena, struct sch_exec_resource, memory->image_count);
    if (!memory->kinds || !memory->resources || !memory->images) return SCH_ERROR_MEMORY;
    memset(memory->kinds, SCH_MEMORY_KIND_COUNT, memory->kind_count);

    uint32_t lowest = UINT32_MAX;
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        if (declaration->file == SCH_FILE_MEMORY) list_memory(memory, declaration, &lowest);
        struct sch_exec_resource *list = declaration->file == SCH_FILE_RESOURCE ? memory->resources
                                         : declaration->file == SCH_FILE_IMAGE  ? memory->images
                                                                                : NULL;
        for (uint32_t r = declaration->first; r <= declaration->last && list; r++)
            list[r] = (struct sch_exec_resource){.declared = true,
                                                 .raw = declaration->raw,
                                                 .writable = declaration->writable,
                                                 .target = declaration->target};
    }
    for (size_t n = 0; n < shader->instruction_count; n++) {
        if (shader->instructions[n].opcode == SCH_OP_BARRIER) memory->barriers = true;
        if (writes_outside(memory, &shader->instructions[n])) memory->writes_outside = true;
    }
    return SCH_OK;
}

/* ---- decoding ---- */

/* Whether one of the registers that an index may name is a texture that is declared RAW. */
static bool may_be_raw(const struct sch_exec_decoder *d, unsigned file, const struct sch_ir_bracket *index)
{
    const struct sch_exec_memory *memory = &d->program->memory;
    const bool image = file == SCH_FILE_IMAGE;
    const struct sch_exec_resource *list = image ? memory->images : memory->resources;
    const uint32_t count = image ? memory->image_count : memory->resource_count;
    for (uint32_t r = 0; r < count && (image || file == SCH_FILE_RESOURCE); r++)
        if (list[r].raw && (image || list[r].target != SCH_TARGET_BUFFER) &&
            (index->is_indirect || index->index == (int64_t)r))
            return true;
    return false;
}

/* RES registers that are no buffers are textures. */
static bool may_be_texture(const struct sch_exec_decoder *d, unsigned file, const struct sch_ir_bracket *index)
{
    const struct sch_exec_memory *memory = &d->program->memory;
    if (file == SCH_FILE_IMAGE) return true;
    for (uint32_t r = 0; r < memory->resource_count && file == SCH_FILE_RESOURCE; r++) {
        const struct sch_exec_resource *resource = &memory->resources[r];
        if (!resource->declared || resource->target == SCH_TARGET_BUFFER) continue;
        if (index->is_indirect || index->index == (int64_t)r) return true;
    }
    return false;
}

/* The words that the written components of the destination take. */
static uint8_t words_needed(const struct sch_ir_src *resource, unsigned mask)
{
    unsigned words = 0;
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) words |= 1u << resource->swizzle[c];
    return (uint8_t)words;
}

/* A handle, which STORE has as its destination. */
static bool decode_handle(struct sch_exec_decoder *d, struct sch_exec_instruction *out, struct sch_exec_place *place)
{
    const struct sch_ir_instruction *in = d->source;
    if (!sch_ir_takes_handle(sch_op_info(in->opcode), place->file)) return true;
    place->texture = true;
    place->handle = out->src;
    if (in->opcode != SCH_OP_STORE) return true;
    struct sch_exec_src *handle = SCH_ARENA_NEW(&d->program->arena, struct sch_exec_src);
    if (!handle) return false;
    struct sch_ir_src src = sch_ir_src(place->file, 0);
    src.index = in->dst[0].index;
    src.has_dimension = in->dst[0].has_dimension;
    src.dimension = in->dst[0].dimension;
    sch_exec_decode_source(d, &src, 'U', handle);
    place->handle = handle;
    return true;
}

enum sch_result sch_exec_memory_decode(struct sch_exec_decoder *d, struct sch_exec_instruction *out)
{
    const struct sch_ir_instruction *in = d->source;
    struct sch_exec_place *place = SCH_ARENA_NEW(&d->program->arena, struct sch_exec_place);
    if (!place) return SCH_ERROR_MEMORY;
    bool store = in->opcode == SCH_OP_STORE;
    const struct sch_ir_bracket *index = store ? &in->dst[0].index : &in->src[0].index;
    *place = (struct sch_exec_place){.file = store ? in->dst[0].file : in->src[0].file,
                                     .swizzle = {0, 1, 2, 3},
                                     .target = in->has_memory ? in->memory_target : SCH_TARGET_UNKNOWN,
                                     .address = store                       ? 0
                                                : in->opcode == SCH_OP_RESQ ? -1
                                                                            : 1};
    place->texture = may_be_texture(d, place->file, index);
    place->raw = may_be_raw(d, place->file, index) && in->opcode != SCH_OP_RESQ;
    if (store) {
        place->index = out->dst[0].index;
        place->written = in->dst[0].write_mask & 15;
        place->components = place->written;
    } else {
        place->index = out->src[0].index;
        place->dimension = out->src[0].dimension;
        memcpy(place->swizzle, in->src[0].swizzle, sizeof place->swizzle);
        place->components = words_needed(&in->src[0], out->dst[0].mask);
    }
    if (!decode_handle(d, out, place)) return SCH_ERROR_MEMORY;
    if (place->handle) memcpy(place->swizzle, (const uint8_t[4]){0, 1, 2, 3}, sizeof place->swizzle);
    if (place->texture) place->components = 15;
    out->place = place;
    out->atomic = d->program->ops->atomic[in->opcode];
    return SCH_OK;
}

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
    const struct sch_exec_memory *memory = &machine->program->memory;
    bool listed = number >= 0 && number < memory->kind_count && memory->kinds[number] < SCH_MEMORY_KIND_COUNT;
    return machine->memory[listed ? memory->kinds[number] : memory->first_kind];
}

uint8_t sch_exec_address_shift(const struct sch_exec_program *program, const struct sch_exec_place *place,
                               int64_t number)
{
    const struct sch_exec_memory *memory = &program->memory;
    if (place->file != SCH_FILE_RESOURCE || number < 0 || number >= memory->resource_count) return 0;
    return memory->resources[number].declared && !memory->resources[number].raw ? ELEMENT_SHIFT : 0;
}

/* What the register `number` of the operand's file shows. `*shift`: log2 of the bytes of an address unit. */
static struct sch_memory_view view_of(const struct sch_exec_machine *machine, const struct sch_exec_place *place,
                                      int64_t number, uint8_t *shift)
{
    static const struct sch_exec_bindings none;
    const struct sch_exec_bindings *bindings = machine->bindings ? machine->bindings : &none;
    const struct sch_exec_memory *memory = &machine->program->memory;
    struct sch_memory_view view = {0};
    *shift = sch_exec_address_shift(machine->program, place, number);
    switch (place->file) {
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

struct sch_memory_view sch_exec_fixed_view(const struct sch_exec_machine *machine, const struct sch_exec_place *place,
                                           uint8_t *shift)
{
    bool counter = place->file == SCH_FILE_HW_ATOMIC;
    return view_of(machine, place, counter ? place->dimension.base : place->index.base, shift);
}

uint32_t sch_exec_memory_size(const struct sch_memory_view *view)
{
    return view->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)view->bytes;
}

/* A counter is one word. */
uint8_t sch_exec_components(const struct sch_exec_place *place, bool loads)
{
    return place->file == SCH_FILE_HW_ATOMIC && loads ? place->components & 1 : place->components;
}

/* ---- accesses ---- */

/* What one of the opcodes does with a view; `answer` and `value` as the opcode has it. */
typedef void access_fn(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                       const struct sch_memory_request *request, struct sch_lanes *const answer[4],
                       const struct sch_lanes *const value[4]);

static void load(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                 const struct sch_memory_request *request, struct sch_lanes *const answer[4],
                 const struct sch_lanes *const value[4])
{
    (void)in;
    (void)value;
    machine->ops->load(view, request, answer);
}

static void store(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                  const struct sch_memory_request *request, struct sch_lanes *const answer[4],
                  const struct sch_lanes *const value[4])
{
    (void)in;
    (void)answer;
    machine->ops->store(view, request, value);
}

static void update(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                   const struct sch_memory_request *request, struct sch_lanes *const answer[4],
                   const struct sch_lanes *const value[4])
{
    (void)machine;
    in->atomic(view, request, value, answer[0]);
}

static void query(const struct sch_exec_machine *machine, instruction *in, const struct sch_memory_view *view,
                  const struct sch_memory_request *request, struct sch_lanes *const answer[4],
                  const struct sch_lanes *const value[4])
{
    (void)machine;
    (void)in;
    (void)value;
    uint32_t bytes = sch_exec_memory_size(view);
    for (uint32_t left = request->lanes; left; left &= left - 1) answer[0]->u[__builtin_ctz(left)] = bytes;
}

/* An opcode's way with memory and its way with textures. */
struct access {
    access_fn *memory;
    sch_exec_image_fn *image;
};
static const struct access loads = {load, sch_exec_image_load}, stores = {store, sch_exec_image_store},
                           updates = {update, sch_exec_image_update}, queries = {query, sch_exec_image_query};

/* Whether register `number` of the operand's file is a texture. */
static bool is_texture(const struct sch_exec_machine *machine, const struct sch_exec_place *place, int64_t number)
{
    const struct sch_exec_memory *memory = &machine->program->memory;
    if (!place->texture || place->file != SCH_FILE_RESOURCE) return place->texture;
    return number >= 0 && number < memory->resource_count && memory->resources[number].target != SCH_TARGET_BUFFER;
}

/* Whether a texture register is declared RAW. */
static bool is_raw(const struct sch_exec_machine *machine, const struct sch_exec_place *place, int64_t number)
{
    const struct sch_exec_memory *memory = &machine->program->memory;
    const bool image = place->file == SCH_FILE_IMAGE;
    if (!place->raw || number < 0 || number >= (image ? memory->image_count : memory->resource_count)) return false;
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

uint32_t sch_exec_counter_address(int64_t index)
{
    /* A counter that cannot be: an address that is outside of every buffer. */
    if (index < 0 || index >= UINT32_MAX / COUNTER_BYTES) return UINT32_MAX;
    return (uint32_t)index * COUNTER_BYTES;
}

/* A counter is named by the resource operand alone: the offset, which producers fill with the counter's own place in
 * bytes, is not looked at. Of a counter, the first bracket is the buffer. */
static void access_memory(struct sch_exec_machine *machine, instruction *in, uint32_t lanes,
                          const struct access *access, const struct sch_lanes *const address[4],
                          struct sch_lanes *const answer[4], const struct sch_lanes *const value[4])
{
    const struct sch_exec_place *place = in->place;
    int64_t numbers[SCH_GROUP_LANES], counters[SCH_GROUP_LANES];
    bool uniform;
    const struct sch_lanes *words = address[0];
    struct sch_lanes counter_places;
    if (place->handle)
        sch_exec_handle_numbers(machine, place->handle, SCH_HANDLE_IMAGE, numbers, &uniform);
    else
        sch_exec_resolve(machine, &place->index, numbers, &uniform);
    if (place->file == SCH_FILE_HW_ATOMIC) {
        memcpy(counters, numbers, sizeof counters);
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) counter_places.u[i] = sch_exec_counter_address(counters[i]);
        words = &counter_places;
        sch_exec_resolve(machine, &place->dimension, numbers, &uniform);
    }
    for (uint32_t left = lanes, run; left; left &= ~run) {
        run = uniform ? left : same_register(left, numbers);
        int64_t number = numbers[__builtin_ctz(run)];
        if (is_texture(machine, place, number)) {
            struct sch_exec_shown shown;
            sch_exec_show(machine->program, machine->bindings, place, number, &shown);
            sch_exec_image_fn *image = is_raw(machine, place, number) ? sch_exec_raw_access : access->image;
            image(machine, in, &shown, run, address, answer, value);
            continue;
        }
        struct sch_memory_request request = {
            .address = words, .lanes = run, .components = sch_exec_components(place, access == &loads)};
        struct sch_memory_view view = view_of(machine, place, number, &request.shift);
        access->memory(machine, in, &view, &request, answer, value);
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

static void clear_results(struct sch_exec_machine *machine, unsigned channels, struct sch_lanes *answer[4])
{
    for (unsigned c = 0; c < 4; c++) {
        answer[c] = &machine->group.result[c];
        if (channels >> c & 1) machine->ops->splat(answer[c], 0);
    }
}

/* Of memory bytes in x, 0 in the others. Of updates one result; helpers get 0. */
void sch_exec_access(struct sch_exec_machine *machine, instruction *in, const struct sch_lanes *const address[4],
                     const struct sch_lanes *const value[4])
{
    struct sch_lanes *answer[4];
    if (in->opcode == SCH_OP_STORE) {
        access_memory(machine, in, machine->group.exec & ~machine->group.helpers, &stores, address, NULL, value);
    } else if (in->opcode == SCH_OP_LOAD) {
        clear_results(machine, in->place->components, answer);
        access_memory(machine, in, machine->group.exec, &loads, address, answer, NULL);
    } else if (in->opcode == SCH_OP_RESQ) {
        clear_results(machine, 15, answer);
        access_memory(machine, in, machine->group.exec, &queries, address, answer, NULL);
    } else {
        clear_results(machine, 1, answer);
        access_memory(machine, in, machine->group.exec & ~machine->group.helpers, &updates, address, answer, value);
    }
}

/* Of memory x is the address, of what may be a texture all channels are. */
static void read_address(struct sch_exec_machine *machine, instruction *in, const struct sch_lanes *address[4])
{
    for (unsigned c = 0; c < (in->place->texture ? 4 : 1); c++)
        address[c] = sch_exec_operand(machine, in, (unsigned)in->place->address, c);
}

instruction *sch_exec_LOAD(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *address[4] = {NULL};
    read_address(machine, in, address);
    sch_exec_access(machine, in, address, NULL);
    return sch_exec_finish(machine, in, in->place->swizzle);
}

instruction *sch_exec_STORE(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *address[4] = {NULL}, *value[4] = {NULL};
    read_address(machine, in, address);
    for (unsigned c = 0; c < 4; c++)
        if (in->place->components >> c & 1) value[c] = sch_exec_operand(machine, in, 1, c);
    sch_exec_access(machine, in, address, value);
    return in + 1;
}

instruction *sch_exec_RESQ(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *none[4] = {NULL};
    sch_exec_access(machine, in, none, NULL);
    return sch_exec_finish(machine, in, in->place->swizzle);
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
