/* The units that a program reads: from decoded instructions to a list without repetition. Its length is at most that of
 * what instructions name, never that of declarations, which may have thousands of registers that nothing reads. */
#include "exec/units.h"

#include <string.h>

#include "exec/image.h"
#include "isa/isa.h"

enum { NO_SPAN = 0 };

struct listing {
    struct sch_exec_program *program;
    const struct sch_ir_shader *shader;
    struct sch_arena scratch;
    struct sch_exec_unit *units;
    size_t count, capacity;
    struct sch_pairs pairs;          /* of each unit what it is reported by */
    uint32_t *spans[SCH_FILE_COUNT]; /* of each declared register: the declaration + 1; made when first needed */
    uint32_t declared[SCH_FILE_COUNT];
    const struct sch_prepared_instruction *at;
    const struct sch_prepared_instruction *chooses_buffer; /* the first that chooses constant buffers by registers */
    bool failed;                                           /* no memory */
};

/* ---- the table ---- */

static uint32_t key_of(unsigned kind, bool indexed) { return 2 * kind + indexed; }

/* The entry of a unit, which is made if there is none; NULL: no memory. */
static struct sch_exec_unit *take(struct listing *l, const struct sch_exec_unit *named)
{
    uint32_t entry = sch_pairs_add(&l->pairs, key_of(named->kind, named->indexed), named->first);
    if (entry == SCH_PAIRS_NONE || !SCH_ARENA_GROW(&l->scratch, l->units, l->capacity, l->count)) {
        l->failed = true;
        return NULL;
    }
    if (entry == l->count) {
        l->units[entry] = *named;
        l->units[entry].position = l->program->prepared.positions[l->at->number];
        l->count++;
    }
    struct sch_exec_unit *unit = &l->units[entry];
    unit->reads = unit->reads || named->reads;
    unit->writes = unit->writes || named->writes;
    return unit;
}

/* ---- which registers ---- */

static bool make_spans(struct listing *l, unsigned file)
{
    uint32_t declared = 0;
    for (size_t n = 0; n < l->shader->declaration_count; n++)
        if (l->shader->declarations[n].file == file && l->shader->declarations[n].last + 1u > declared)
            declared = l->shader->declarations[n].last + 1u;
    l->declared[file] = declared;
    l->spans[file] = SCH_ARENA_ARRAY(&l->scratch, uint32_t, declared);
    if (!l->spans[file]) return false;
    for (size_t n = 0; n < l->shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &l->shader->declarations[n];
        for (uint32_t r = declaration->first; r <= declaration->last && declaration->file == file; r++)
            l->spans[file][r] = (uint32_t)n + 1;
    }
    return true;
}

/* What an index register can reach of a file: the declaration of several registers in which its operand begins, else
 * all that is declared. */
static void take_span(struct listing *l, unsigned file, int32_t base, struct sch_exec_unit *unit)
{
    if (!l->spans[file] && !make_spans(l, file)) {
        l->failed = true;
        return;
    }
    unit->first = 0;
    unit->count = l->declared[file];
    uint32_t span = base >= 0 && (uint32_t)base < unit->count ? l->spans[file][base] : NO_SPAN;
    if (span == NO_SPAN) return;
    const struct sch_ir_declaration *declaration = &l->shader->declarations[span - 1];
    if (declaration->first == declaration->last) return;
    unit->first = declaration->first;
    unit->count = declaration->last - declaration->first + 1u;
}

/* Names register `index` of `file`, which is what `unit` says; false: there is none, or no memory. */
static bool name_registers(struct listing *l, unsigned file, const struct sch_prepared_index *index,
                           struct sch_exec_unit *unit)
{
    unit->file = (uint8_t)file;
    unit->indexed = index->is_indirect;
    unit->first = (uint32_t)index->base;
    unit->count = 1;
    if (index->is_indirect)
        take_span(l, file, index->base, unit);
    else if (index->base < 0)
        return false;
    return unit->count > 0 && !l->failed;
}

/* ---- constants ---- */

/* `vectors`: 0 where registers say which. */
static void take_buffer(struct listing *l, uint32_t buffer, uint32_t vectors, bool two_dimensional)
{
    const struct sch_exec_unit named = {.kind = SCH_EXEC_UNIT_CONSTANTS,
                                        .file = SCH_FILE_CONSTANT,
                                        .two_dimensional = two_dimensional,
                                        .target = SCH_TARGET_UNKNOWN,
                                        .reads = true,
                                        .first = buffer,
                                        .count = 1};
    struct sch_exec_unit *unit = take(l, &named);
    if (!unit) return;
    if (vectors > unit->vectors) unit->vectors = vectors;
    if (!vectors) unit->vectors_indexed = true;
}

static void take_slot(struct listing *l, uint32_t channel)
{
    const struct sch_pair *constant = &l->program->prepared.constants.items[channel / 4];
    take_buffer(l, constant->first, constant->second + 1, constant->first > 0);
}

/* An index register may be a constant itself. */
static void take_index(struct listing *l, const struct sch_prepared_index *index)
{
    if (index->is_indirect && index->space == SCH_SPACE_RUN) take_slot(l, index->channel);
}

/* Buffers that registers choose between: all that are declared. */
static void take_any_buffer(struct listing *l)
{
    uint32_t first = UINT32_MAX, last = 0;
    for (size_t n = 0; n < l->shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &l->shader->declarations[n];
        if (declaration->file != SCH_FILE_CONSTANT) continue;
        uint32_t buffer = declaration->has_dimension ? declaration->dimension : 0;
        if (buffer < first) first = buffer;
        if (buffer > last) last = buffer;
    }
    const struct sch_exec_unit named = {.kind = SCH_EXEC_UNIT_CONSTANTS,
                                        .file = SCH_FILE_CONSTANT,
                                        .two_dimensional = true,
                                        .target = SCH_TARGET_UNKNOWN,
                                        .indexed = true,
                                        .reads = true,
                                        .first = first,
                                        .count = last - first + 1};
    if (first <= last) take(l, &named);
}

static void take_source(struct listing *l, const struct sch_prepared_src *src)
{
    take_index(l, &src->index);
    take_index(l, &src->dimension);
    if (src->access == SCH_ACCESS_PLAIN && src->space == SCH_SPACE_RUN) take_slot(l, src->channel[0]);
    if (src->access != SCH_ACCESS_CONSTANTS) return;
    if (src->dimension.is_indirect) {
        if (!l->chooses_buffer) l->chooses_buffer = l->at;
        return;
    }
    if (src->dimension.base < 0) return;
    take_buffer(l, (uint32_t)src->dimension.base, 0, src->dimension.base > 0);
}

/* The size that the shader gives a buffer whose vectors registers choose. Producers that do not know it declare the
 * whole of what a constant buffer can be. */
static void take_declared_sizes(struct listing *l)
{
    enum { WHOLE = 4096 };
    for (size_t n = 0; n < l->shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &l->shader->declarations[n];
        if (declaration->file != SCH_FILE_CONSTANT) continue;
        uint32_t buffer = declaration->has_dimension ? declaration->dimension : 0, end = declaration->last + 1u;
        uint32_t entry = sch_pairs_find(&l->pairs, key_of(SCH_EXEC_UNIT_CONSTANTS, false), buffer);
        if (entry == SCH_PAIRS_NONE || !l->units[entry].vectors_indexed || end == WHOLE) continue;
        if (end > l->units[entry].vectors) l->units[entry].vectors = end;
    }
}

/* ---- textures and memory ---- */

static void take_lookup(struct listing *l)
{
    const struct sch_prepared_lookup *lookup = l->at->lookup;
    if (lookup->handle || lookup->render_target) return;
    const struct sch_prepared_src *src = l->at->src;
    struct sch_exec_unit view = {.kind = SCH_EXEC_UNIT_VIEW, .target = lookup->target, .reads = true};
    if (name_registers(l, src[lookup->view].file, &src[lookup->view].index, &view)) take(l, &view);
    if (lookup->kind > SCH_PREPARED_LOD) return;
    struct sch_exec_unit sampler = {.kind = SCH_EXEC_UNIT_SAMPLER,
                                    .target = lookup->target,
                                    .with_view = lookup->sampler == lookup->view,
                                    .reads = true};
    if (name_registers(l, src[lookup->sampler].file, &src[lookup->sampler].index, &sampler)) take(l, &sampler);
}

/* A RES register is what its declaration says. */
static bool choose_resource(struct listing *l, const struct sch_prepared_resource *resource, struct sch_exec_unit *unit)
{
    const struct sch_prepared_memory *memory = &l->program->prepared.memory;
    const int32_t base = resource->index.base;
    if (base < 0 || (uint32_t)base >= memory->resource_count || !memory->resources[base].declared) return false;
    const struct sch_prepared_declared *declared = &memory->resources[base];
    unit->target = declared->target;
    unit->kind = declared->target == SCH_TARGET_BUFFER ? SCH_EXEC_UNIT_BUFFER
                 : declared->writable                  ? SCH_EXEC_UNIT_IMAGE
                                                       : SCH_EXEC_UNIT_VIEW;
    return true;
}

static bool choose_memory(struct listing *l, const struct sch_prepared_resource *resource, struct sch_exec_unit *unit)
{
    if (resource->index.is_indirect) return false;
    const unsigned kind = sch_prepared_memory_kind(&l->program->prepared, resource->index.base);
    unit->kind = kind == SCH_MEMORY_GLOBAL ? SCH_EXEC_UNIT_GLOBAL : SCH_EXEC_UNIT_INPUT;
    return kind == SCH_MEMORY_GLOBAL || kind == SCH_MEMORY_INPUT;
}

/* What the resource operand names; false: nothing that is bound. */
static bool choose_place(struct listing *l, const struct sch_prepared_resource *resource, struct sch_exec_unit *unit)
{
    switch (resource->file) {
    case SCH_FILE_BUFFER:
        unit->kind = SCH_EXEC_UNIT_BUFFER;
        return true;
    case SCH_FILE_IMAGE:
        unit->kind = SCH_EXEC_UNIT_IMAGE;
        unit->target = (uint8_t)sch_prepared_shown_target(&l->program->prepared, resource, resource->index.base);
        return true;
    case SCH_FILE_CONSTBUF:
        unit->kind = SCH_EXEC_UNIT_CONSTANTS;
        return true;
    case SCH_FILE_HW_ATOMIC:
        unit->kind = SCH_EXEC_UNIT_COUNTERS;
        return true;
    case SCH_FILE_RESOURCE:
        return choose_resource(l, resource, unit);
    case SCH_FILE_MEMORY:
        return choose_memory(l, resource, unit);
    default:
        return false;
    }
}

static void take_place(struct listing *l)
{
    const struct sch_prepared_resource *resource = l->at->resource;
    const bool store = l->at->opcode == SCH_OP_STORE;
    struct sch_exec_unit unit = {
        .target = SCH_TARGET_UNKNOWN, .reads = !store, .writes = store || sch_prepared_is_atomic(l->at)};
    take_index(l, &resource->index);
    take_index(l, &resource->dimension);
    if (resource->handle || !choose_place(l, resource, &unit)) return;
    /* The first bracket of a counter is its buffer. */
    const bool counter = unit.kind == SCH_EXEC_UNIT_COUNTERS;
    if (counter && resource->dimension.is_indirect) return;
    if (name_registers(l, resource->file, counter ? &resource->dimension : &resource->index, &unit)) take(l, &unit);
}

static void take_pixels(struct listing *l)
{
    const struct sch_prepared_index *index = &l->at->src[0].index;
    const struct sch_prepared_interface *interface = &l->program->prepared.interface;
    if (index->is_indirect || index->base < 0 || (uint32_t)index->base >= interface->output_count) return;
    const struct sch_exec_unit unit = {.kind = SCH_EXEC_UNIT_COLOR,
                                       .file = SCH_FILE_OUTPUT,
                                       .target = SCH_TARGET_UNKNOWN,
                                       .reads = true,
                                       .first = interface->outputs[index->base].semantic_index,
                                       .count = 1};
    take(l, &unit);
}

/* ---- the list ---- */

static void take_instruction(struct listing *l)
{
    const struct sch_prepared_instruction *in = l->at;
    for (unsigned s = 0; s < in->src_count; s++) take_source(l, &in->src[s]);
    for (unsigned d = 0; d < in->dst_count; d++) {
        take_index(l, &in->dst[d].index);
        take_index(l, &in->dst[d].dimension);
    }
    for (unsigned o = 0; in->lookup && o < in->lookup->offsets; o++) take_source(l, &in->lookup->offset[o]);
    if (in->lookup) take_lookup(l);
    if (in->resource) take_place(l);
    if (in->opcode == SCH_OP_FBFETCH) take_pixels(l);
}

enum sch_result sch_exec_list_units(struct sch_exec_program *program, const struct sch_ir_shader *shader)
{
    struct listing l = {.program = program, .shader = shader, .pairs = {.arena = &l.scratch}};
    sch_arena_init(&l.scratch, &program->prepared.arena.allocator, 0);
    for (uint32_t n = 0; n < program->prepared.instruction_count && !l.failed; n++) {
        l.at = &program->prepared.instructions[n];
        take_instruction(&l);
    }
    if ((l.at = l.chooses_buffer) && !l.failed) take_any_buffer(&l);
    if (!l.failed) take_declared_sizes(&l);
    struct sch_exec_unit *units = SCH_ARENA_ARRAY(&program->prepared.arena, struct sch_exec_unit, l.count);
    if (units && l.count) memcpy(units, l.units, l.count * sizeof *units);
    program->units = units;
    program->unit_count = (uint32_t)l.count;
    sch_arena_release(&l.scratch);
    return units && !l.failed ? SCH_OK : SCH_ERROR_MEMORY;
}

const struct sch_exec_unit *sch_exec_units(const struct sch_exec_program *program, uint32_t *count)
{
    *count = program->unit_count;
    return program->units;
}

uint32_t sch_exec_next_vector(const struct sch_exec_program *program, uint32_t buffer, uint32_t from, uint32_t *more)
{
    uint32_t lowest = UINT32_MAX, count = 0;
    for (uint32_t n = 0; n < program->prepared.constants.count; n++) {
        const struct sch_pair *constant = &program->prepared.constants.items[n];
        if (constant->first != buffer || constant->second < from) continue;
        if (constant->second < lowest) lowest = constant->second;
        count++;
    }
    *more = count ? count - 1 : 0;
    return lowest;
}

/* ---- what bindings have ---- */

static enum sch_exec_unit_state texture_state(const struct sch_texture *texture, unsigned shown, unsigned target)
{
    if (!texture || !texture->levels) return SCH_EXEC_UNIT_MISSING;
    if (target >= SCH_TARGET_UNKNOWN || sch_exec_results(shown, target)) return SCH_EXEC_UNIT_BOUND;
    return SCH_EXEC_UNIT_MISMATCH;
}

static enum sch_exec_unit_state image_state(const struct sch_exec_image *images, uint32_t count, uint32_t number,
                                            unsigned target)
{
    if (number >= count) return SCH_EXEC_UNIT_MISSING;
    return texture_state(images[number].texture, images[number].target, target);
}

static enum sch_exec_unit_state sampler_state(const struct sch_exec_bindings *bindings, uint32_t number,
                                              unsigned target)
{
    if (number >= bindings->sampler_count || bindings->samplers[number].missing) return SCH_EXEC_UNIT_MISSING;
    bool texels = bindings->samplers[number].key.unnormalized;
    return texels && !sch_texture_takes_texels(target) ? SCH_EXEC_UNIT_MISMATCH : SCH_EXEC_UNIT_BOUND;
}

/* A vector of which nothing is there is missing; the present words of the last one count. */
static enum sch_exec_unit_state constants_state(const struct sch_exec_bindings *bindings,
                                                const struct sch_exec_unit *unit, uint32_t number)
{
    enum { VECTOR_BYTES = 16 };
    if (number >= bindings->constant_count || !bindings->constants[number].data) return SCH_EXEC_UNIT_MISSING;
    size_t bytes = bindings->constants[number].bytes;
    bool whole = !unit->vectors || bytes > (size_t)(unit->vectors - 1) * VECTOR_BYTES;
    return !bytes ? SCH_EXEC_UNIT_MISSING : whole ? SCH_EXEC_UNIT_BOUND : SCH_EXEC_UNIT_SHORT;
}

static enum sch_exec_unit_state there_is(bool there) { return there ? SCH_EXEC_UNIT_BOUND : SCH_EXEC_UNIT_MISSING; }

enum sch_exec_unit_state sch_exec_unit_state(const struct sch_exec_bindings *bindings, const struct sch_exec_unit *unit,
                                             uint32_t number)
{
    switch ((enum sch_exec_unit_kind)unit->kind) {
    case SCH_EXEC_UNIT_CONSTANTS:
        return constants_state(bindings, unit, number);
    case SCH_EXEC_UNIT_VIEW:
        if (number >= bindings->view_count) return SCH_EXEC_UNIT_MISSING;
        return texture_state(bindings->views[number].texture, bindings->views[number].target, unit->target);
    case SCH_EXEC_UNIT_SAMPLER:
        return sampler_state(bindings, number, unit->target);
    case SCH_EXEC_UNIT_IMAGE:
        return image_state(bindings->images, bindings->image_count, number, unit->target);
    case SCH_EXEC_UNIT_COLOR:
        return image_state(bindings->color_buffers, bindings->color_buffer_count, number, unit->target);
    case SCH_EXEC_UNIT_BUFFER:
        return there_is(number < bindings->buffer_count && bindings->buffers[number].data);
    case SCH_EXEC_UNIT_COUNTERS:
        return there_is(number < bindings->counter_count && bindings->counters[number].data);
    case SCH_EXEC_UNIT_GLOBAL:
        return there_is(bindings->global_memory.data);
    case SCH_EXEC_UNIT_INPUT:
        return there_is(bindings->input_memory.data);
    }
    return SCH_EXEC_UNIT_BOUND;
}
