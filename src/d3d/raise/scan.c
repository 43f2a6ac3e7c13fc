/* What a shader declares and uses, before its first instruction is raised: where its registers are, which of them need
 * copies, what properties ask for, and what is computed at the beginning and copied at the end. */
#include "d3d/raise/internal.h"

#include <string.h>

typedef const struct sch_ir_declaration declaration;

/* ---- inputs and outputs ---- */

static void refuse_semantic(struct sch_raise *r, declaration *of, const char *file)
{
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, of->semantic);
    sch_raise_refuse(r, SCH_D_RAISE_SEMANTIC, "%s[%u], %s: Direct3D has no such %s in this stage", file, of->first,
                     word->word, strcmp(file, "OUT") ? "input" : "output");
}

/* Attributes of vertices mean nothing; outputs of pixel shaders are targets, depth, stencil and the sample mask. */
static bool has_place(const struct sch_raise *r, const struct sch_raise_io *io, bool is_input)
{
    if (is_input && r->in->stage == SCH_STAGE_VERTEX) return true;
    if (!is_input && sch_raise_is_pixel(r))
        return sch_raise_special(r, io) ||
               (io->semantic == SCH_SEMANTIC_COLOR && io->semantic_index < SCH_RAISE_TARGETS);
    return sch_raise_meaning_of(r, io, is_input) != NULL;
}

/* Attributes of vertices keep their numbers, outputs of pixel shaders are targets; between stages each meaning has its
 * home, unless another one's index reaches it. */
static unsigned number_of(struct sch_raise *r, const struct sch_raise_io *io, unsigned index, bool is_input)
{
    if (is_input && r->in->stage == SCH_STAGE_VERTEX) {
        r->inputs_taken |= UINT32_C(1) << index;
        return index;
    }
    if (!is_input && sch_raise_is_pixel(r))
        return io->semantic_index % SCH_RAISE_TARGETS; /* what is not a target has any */
    const struct sch_raise_meaning *meaning = sch_raise_meaning_of(r, io, is_input);
    return sch_raise_free(is_input ? &r->inputs_taken : &r->outputs_taken, meaning->home + io->semantic_index, false);
}

static void take_io(struct sch_raise *r, declaration *of, struct sch_raise_io *list, bool is_input)
{
    const char *file = is_input ? "IN" : "OUT";
    if (of->last >= SCH_RAISE_REGISTERS) {
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "%s[%u]: there are %d registers", file, of->last,
                         SCH_RAISE_REGISTERS);
        return;
    }
    for (unsigned i = of->first; i <= of->last; i++) {
        struct sch_raise_io made = {.declared = true,
                                    .mask = of->usage_mask,
                                    .semantic = of->semantic,
                                    .semantic_index = (uint16_t)(of->semantic_index + (i - of->first)),
                                    .interpolation =
                                        of->has_interpolation ? of->interpolation : SCH_INTERPOLATION_PERSPECTIVE,
                                    .location = of->location,
                                    .stream = of->stream[0]};
        if (!of->has_semantic) made.semantic = SCH_SEMANTIC_GENERIC;
        made.named = of->has_semantic;
        if (i == of->first) made.range = (uint8_t)(of->last - of->first + 1);
        if (!has_place(r, &made, is_input)) {
            refuse_semantic(r, of, file);
            return;
        }
        made.mask |= list[i].mask;
        unsigned number = list[i].declared ? list[i].number : number_of(r, &made, i, is_input);
        if (number >= SCH_RAISE_REGISTERS) {
            sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "%s[%u]: all registers are taken", file, i);
            return;
        }
        made.number = (uint8_t)number;
        list[i] = made;
    }
}

static void take_value(struct sch_raise *r, declaration *of)
{
    for (unsigned i = of->first; i <= of->last && i < SCH_RAISE_REGISTERS; i++)
        r->values[i] = (struct sch_raise_io){.declared = true, .semantic = of->semantic};
}

/* ---- temporaries and constants ---- */

static void take_temps(struct sch_raise *r, declaration *of)
{
    if (of->last >= SCH_RAISE_TEMPS) {
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "TEMP[%u]: there are %d temporaries", of->last, SCH_RAISE_TEMPS);
        return;
    }
    for (unsigned i = of->first; i <= of->last; i++) r->temps[i].declared = true;
    if (of->last >= r->temp_end) r->temp_end = of->last + 1u;
    if (!of->array_id) return;
    if (r->array_count == SCH_RAISE_ARRAYS) {
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "more than %d arrays of temporaries", SCH_RAISE_ARRAYS);
        return;
    }
    r->arrays[r->array_count++] =
        (struct sch_raise_array){.id = of->array_id, .first = of->first, .size = of->last - of->first + 1};
}

static void take_constants(struct sch_raise *r, declaration *of)
{
    enum { MOST = 4096 };
    unsigned buffer = of->has_dimension ? of->dimension : 0;
    if (buffer >= SCH_RAISE_BUFFERS || of->last >= MOST)
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "CONST[%u][%u]: there are %d constant buffers of %d vectors", buffer,
                         of->last, SCH_RAISE_BUFFERS, MOST);
    else if (of->last >= r->constants[buffer])
        r->constants[buffer] = of->last + 1u;
}

/* ---- resources ---- */

static struct sch_raise_resource *list_of(struct sch_raise *r, unsigned file)
{
    switch (file) {
    case SCH_FILE_SAMPLER:
        return r->samplers;
    case SCH_FILE_SAMPLER_VIEW:
        return r->views;
    case SCH_FILE_BUFFER:
        return r->buffers;
    default:
        return r->images;
    }
}

static void take_resource(struct sch_raise *r, declaration *of)
{
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_FILE, of->file);
    if (of->last >= SCH_RAISE_RESOURCES) {
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "%s[%u]: %d are followed", word->word, of->last, SCH_RAISE_RESOURCES);
        return;
    }
    if (of->file == SCH_FILE_IMAGE && of->raw) {
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "IMAGE[%u] is RAW: views of textures are typed", of->first);
        return;
    }
    for (unsigned i = of->first; i <= of->last; i++) {
        struct sch_raise_resource *made = &list_of(r, of->file)[i];
        *made = (struct sch_raise_resource){.declared = true};
        if (of->file == SCH_FILE_SAMPLER_VIEW) sch_raise_type_view(made, of);
        if (of->file == SCH_FILE_IMAGE) sch_raise_type_image(made, of->target, of->format);
    }
}

static void take_declaration(struct sch_raise *r, declaration *of)
{
    switch (of->file) {
    case SCH_FILE_INPUT:
        take_io(r, of, r->inputs, true);
        return;
    case SCH_FILE_OUTPUT:
        take_io(r, of, r->outputs, false);
        return;
    case SCH_FILE_SYSTEM_VALUE:
        take_value(r, of);
        return;
    case SCH_FILE_TEMPORARY:
        take_temps(r, of);
        return;
    case SCH_FILE_ADDRESS:
        if (of->last >= r->addresses) r->addresses = of->last + 1u;
        return;
    case SCH_FILE_CONSTANT:
        take_constants(r, of);
        return;
    case SCH_FILE_SAMPLER:
    case SCH_FILE_SAMPLER_VIEW:
    case SCH_FILE_BUFFER:
    case SCH_FILE_IMAGE:
        take_resource(r, of);
        return;
    case SCH_FILE_MEMORY:
        for (unsigned i = of->first; i <= of->last && i < SCH_RAISE_RESOURCES; i++)
            r->is_shared[i] = of->memory_kind == SCH_MEMORY_SHARED;
        return;
    default: /* what Direct3D does not have: where it is used */
        return;
    }
}

/* ---- uses ---- */

static void take_temp_index(struct sch_raise *r, unsigned file, const struct sch_ir_bracket *bracket)
{
    if (file != SCH_FILE_TEMPORARY || !bracket->is_indirect) return;
    for (unsigned i = 0; i < r->array_count; i++)
        if (r->arrays[i].id == bracket->indirect.array_id) {
            r->arrays[i].indexed = true;
            return;
        }
    r->one_array = true;
}

static void take_source(struct sch_raise *r, const struct sch_ir_instruction *instruction, const struct sch_ir_src *src)
{
    take_temp_index(r, src->file, &src->index);
    if (src->file == SCH_FILE_IMMEDIATE && src->index.is_indirect) r->immediates_indexed = true;
    if (src->file == SCH_FILE_CONSTANT && src->index.is_indirect) {
        uint32_t buffer = (uint32_t)src->dimension.index; /* 0 where there is none */
        if (buffer < SCH_RAISE_BUFFERS) r->constants_indexed[buffer] = true;
    }
    bool inside = !src->index.is_indirect && (uint32_t)src->index.index < SCH_RAISE_REGISTERS;
    if (!inside) return;
    unsigned used = sch_raise_used(instruction), components = 0;
    for (unsigned c = 0; c < 4; c++)
        if (used >> c & 1) components |= 1u << src->swizzle[c];
    if (src->file == SCH_FILE_INPUT) r->inputs[src->index.index].read |= (uint8_t)components;
    if (src->file == SCH_FILE_OUTPUT) r->outputs[src->index.index].shadowed = true;
}

static void take_destination(struct sch_raise *r, const struct sch_ir_dst *dst)
{
    take_temp_index(r, dst->file, &dst->index);
    bool inside = !dst->index.is_indirect && (uint32_t)dst->index.index < SCH_RAISE_REGISTERS;
    if (dst->file == SCH_FILE_OUTPUT && inside) r->outputs[dst->index.index].mask |= dst->write_mask;
}

/* Atomic operations want integers: an image of no stated format holds words then. */
static void take_atomic(struct sch_raise *r, const struct sch_ir_instruction *instruction)
{
    enum { WORDS = 0x4444 };
    const struct sch_ir_src *src = &instruction->src[0];
    bool image = instruction->src_count && src->file == SCH_FILE_IMAGE && !src->index.is_indirect;
    bool atomic = sch_op_info(instruction->opcode)->flags & SCH_OPF_ATOMIC;
    if (!image || !atomic || src->index.index >= SCH_RAISE_RESOURCES) return;
    if (r->images[src->index.index].untyped) r->images[src->index.index].types = WORDS;
}

static void take_uses(struct sch_raise *r)
{
    for (size_t i = 0; i < r->in->instruction_count; i++) {
        const struct sch_ir_instruction *instruction = &r->in->instructions[i];
        for (unsigned s = 0; s < instruction->src_count; s++) take_source(r, instruction, &instruction->src[s]);
        for (unsigned d = 0; d < instruction->dst_count; d++) take_destination(r, &instruction->dst[d]);
        take_atomic(r, instruction);
    }
}

/* ---- places ---- */

static void place_temps(struct sch_raise *r)
{
    if (r->one_array) {
        r->array_count = 1;
        r->arrays[0] = (struct sch_raise_array){.size = r->temp_end, .indexed = true};
    }
    for (unsigned a = 0; a < r->array_count; a++)
        for (unsigned i = 0; i < r->arrays[a].size && r->arrays[a].indexed; i++)
            r->temps[r->arrays[a].first + i].array = (uint32_t)a + 1;
    for (unsigned i = 0; i < r->temp_end; i++)
        if (r->temps[i].declared && !r->temps[i].array) r->temps[i].number = r->fixed++;
    r->address = r->fixed;
    r->fixed += r->addresses;
}

/* Programs that were Direct3D's have its w of POSITION (docs/pipeline.md, "Linking"). */
static bool has_reciprocal(const struct sch_raise *r) { return !sch_raise_was_d3d(r); }

/* The window position as TGSI has it: w is the reciprocal, a pixel's centre may be a whole number. */
static void place_position(struct sch_raise *r, struct sch_raise_io *io)
{
    bool lower = sch_ir_property_value(r->in, SCH_PROPERTY_FS_COORD_ORIGIN, 0) == 1;
    if (lower && io->read & 2)
        sch_raise_refuse(r, SCH_D_RAISE_PROPERTY,
                         "FS_COORD_ORIGIN LOWER_LEFT: Direct3D counts POSITION.y from above, and the shader reads it");
    bool whole = sch_ir_property_value(r->in, SCH_PROPERTY_FS_COORD_PIXEL_CENTER, 0) == 1;
    io->mask = 15;
    io->shadowed = (io->read & 8 && has_reciprocal(r)) || (whole && io->read & 3);
}

static void place_io(struct sch_raise *r)
{
    bool pixel = sch_raise_is_pixel(r), geometry = r->in->stage == SCH_STAGE_GEOMETRY;
    for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++) {
        struct sch_raise_io *in = &r->inputs[i], *out = &r->outputs[i];
        if (pixel && in->declared && in->semantic == SCH_SEMANTIC_POSITION) place_position(r, in);
        if (pixel && in->declared && in->semantic == SCH_SEMANTIC_FACE) in->shadowed = true;
        if (!out->declared) out->shadowed = false;
        if (out->declared && (geometry || sch_raise_special(r, out))) out->shadowed = true;
        const struct sch_raise_meaning *meaning = out->declared && !pixel ? sch_raise_meaning_of(r, out, false) : NULL;
        if (meaning && sch_raise_is_scalar(meaning)) { /* Direct3D has x alone */
            out->shadowed = out->shadowed || out->mask & 14;
            out->mask &= 1;
        }
        if (out->declared && r->broadcasts && out->semantic == SCH_SEMANTIC_COLOR && !out->semantic_index)
            out->shadowed = true;
        if (in->shadowed) in->temp = r->fixed++;
        if (out->shadowed) out->temp = r->fixed++;
    }
}

static void place_views(struct sch_raise *r)
{
    if (sch_raise_is_pixel(r)) /* render targets and views share their slots */
        for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++)
            if (r->outputs[i].declared && !sch_raise_special(r, &r->outputs[i]) &&
                r->outputs[i].number >= r->first_buffer)
                r->first_buffer = r->outputs[i].number + 1u;
    if (r->broadcasts) r->first_buffer = SCH_RAISE_TARGETS;
    r->first_image = r->first_buffer;
    for (unsigned i = 0; i < SCH_RAISE_RESOURCES; i++)
        if (r->buffers[i].declared) r->first_image = r->first_buffer + i + 1;
    r->first_counter = r->first_image;
    for (unsigned i = 0; i < SCH_RAISE_RESOURCES; i++)
        if (r->images[i].declared) r->first_counter = r->first_image + i + 1;
}

/* ---- properties ---- */

static void take_property(struct sch_raise *r, const struct sch_ir_property *property)
{
    uint32_t value = property->value[0];
    switch (property->name) {
    case SCH_PROPERTY_FS_COLOR0_WRITES_ALL_CBUFS:
        r->broadcasts = value != 0;
        return;
    case SCH_PROPERTY_FS_DEPTH_LAYOUT:
        r->depth_layout = value;
        return;
    case SCH_PROPERTY_FS_EARLY_DEPTH_STENCIL:
        if (value) r->flags |= SCH_RAISE_FLAG_EARLY_DEPTH;
        return;
    case SCH_PROPERTY_CS_FIXED_BLOCK_WIDTH:
    case SCH_PROPERTY_CS_FIXED_BLOCK_HEIGHT:
    case SCH_PROPERTY_CS_FIXED_BLOCK_DEPTH:
        r->block[property->name - SCH_PROPERTY_CS_FIXED_BLOCK_WIDTH] = value;
        return;
    case SCH_PROPERTY_LEGACY_MATH_RULES:
    case SCH_PROPERTY_VS_WINDOW_SPACE_POSITION:
    case SCH_PROPERTY_LAYER_VIEWPORT_RELATIVE:
    case SCH_PROPERTY_FS_POST_DEPTH_COVERAGE:
    case SCH_PROPERTY_FS_BLEND_EQUATION_ADVANCED:
        if (value) {
            const struct sch_word *word = sch_word_by_number(SCH_WORDS_PROPERTY, property->name);
            sch_raise_refuse(r, SCH_D_RAISE_PROPERTY, "%s: Direct3D has no such rule", word->word);
        }
        return;
    default: /* hints, and what is asked for where it counts */
        return;
    }
}

static void check_block(struct sch_raise *r)
{
    if (r->in->stage != SCH_STAGE_COMPUTE) return;
    for (unsigned d = 0; d < 3; d++)
        if (!r->block[d]) {
            sch_raise_refuse(
                r, SCH_D_RAISE_PROPERTY,
                "CS_FIXED_BLOCK_WIDTH, _HEIGHT and _DEPTH: a compute shader of Direct3D has a fixed block");
            return;
        }
}

static void check_broadcast(struct sch_raise *r)
{
    for (unsigned i = 0; i < SCH_RAISE_REGISTERS && r->broadcasts; i++)
        if (r->outputs[i].declared && r->outputs[i].semantic == SCH_SEMANTIC_COLOR && r->outputs[i].semantic_index)
            sch_raise_refuse(r, SCH_D_RAISE_PROPERTY,
                             "FS_COLOR0_WRITES_ALL_CBUFS: OUT[%u] is another color, which goes to one of them", i);
}

void sch_raise_scan(struct sch_raise *r)
{
    uint32_t primitive = sch_ir_property_value(r->in, SCH_PROPERTY_GS_INPUT_PRIMITIVE, SCH_PRIMITIVE_TRIANGLES);
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_PRIMITIVE, primitive);
    r->vertices = word->extra;
    for (size_t i = 0; i < r->in->property_count; i++) take_property(r, &r->in->properties[i]);
    for (size_t i = 0; i < r->in->declaration_count; i++) take_declaration(r, &r->in->declarations[i]);
    check_block(r);
    check_broadcast(r);
    take_uses(r);
    place_temps(r);
    place_io(r);
    place_views(r);
}

/* ---- before the first instruction, and after the last ---- */

static void compute_position(struct sch_raise *r, const struct sch_raise_io *io)
{
    struct sch_d3d_operand from = sch_raise_register(SCH_D3D_REGISTER_INPUT, io->number);
    struct sch_d3d_operand to = sch_raise_temp(io->temp);
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(to, has_reciprocal(r) ? 7 : 15), from);
    if (has_reciprocal(r)) sch_raise_1(r, SCH_D3D_OP_RCP, sch_raise_masked(to, 8), sch_raise_splat(from, 3));
    if (sch_ir_property_value(r->in, SCH_PROPERTY_FS_COORD_PIXEL_CENTER, 0) == 1)
        sch_raise_2(r, SCH_D3D_OP_ADD, sch_raise_masked(to, 3), to, sch_raise_float(-0.5f));
}

/* FACE of TGSI is 1 or -1 in x, then 0, 0, 1. */
static void compute_face(struct sch_raise *r, struct sch_raise_io *io)
{
    enum { ONE = 0x3f800000 };
    io->mask = 1;
    struct sch_d3d_operand from = sch_raise_register(SCH_D3D_REGISTER_INPUT, io->number);
    struct sch_d3d_operand to = sch_raise_temp(io->temp);
    sch_raise_3(r, SCH_D3D_OP_MOVC, sch_raise_masked(to, 1), sch_raise_splat(from, 0), sch_raise_float(1.0f),
                sch_raise_float(-1.0f));
    sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(to, 14), sch_raise_literal(0, 0, 0, ONE));
}

void sch_raise_prologue(struct sch_raise *r)
{
    for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++) {
        struct sch_raise_io *io = &r->inputs[i];
        if (!io->shadowed) continue;
        if (io->semantic == SCH_SEMANTIC_POSITION)
            compute_position(r, io);
        else
            compute_face(r, io);
    }
}

static void copy_special(struct sch_raise *r, const struct sch_raise_io *io, unsigned type)
{
    struct sch_d3d_operand to = sch_raise_bare(type);
    to.form = SCH_D3D_FORM_SCALAR;
    unsigned component = io->semantic == SCH_SEMANTIC_POSITION ? 2 : io->semantic == SCH_SEMANTIC_STENCIL ? 1 : 0;
    sch_raise_1(r, SCH_D3D_OP_MOV, to, sch_raise_splat(sch_raise_temp(io->temp), component));
}

void sch_raise_epilogue(struct sch_raise *r, unsigned stream)
{
    for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++) {
        const struct sch_raise_io *io = &r->outputs[i];
        if (!io->shadowed || io->stream != stream || !io->mask) continue;
        unsigned special = sch_raise_special(r, io);
        if (special) {
            copy_special(r, io, special);
            continue;
        }
        bool all = r->broadcasts && io->semantic == SCH_SEMANTIC_COLOR && !io->semantic_index;
        for (unsigned target = io->number; target <= (all ? SCH_RAISE_TARGETS - 1u : io->number); target++)
            sch_raise_1(r, SCH_D3D_OP_MOV,
                        sch_raise_masked(sch_raise_register(SCH_D3D_REGISTER_OUTPUT, target), io->mask),
                        sch_raise_temp(io->temp));
    }
}
