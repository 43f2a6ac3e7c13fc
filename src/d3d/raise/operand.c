/* Operands: which register of Direct3D a register of the IR is, with components, modifiers and indices. */
#include "d3d/raise/internal.h"

/* ---- indices ---- */

/* The register of a bracket as one component, or a refusal. */
static struct sch_d3d_operand index_register(struct sch_raise *r, const struct sch_ir_indirect *by)
{
    struct sch_d3d_operand made = sch_raise_temp(0);
    uint32_t number = (uint32_t)by->index; /* one below 0 is more than all */
    if (by->file == SCH_FILE_ADDRESS) {
        made = sch_raise_temp(r->address + number);
    } else if (by->file == SCH_FILE_TEMPORARY && number < SCH_RAISE_TEMPS && !r->temps[number].array) {
        made = sch_raise_temp(r->temps[number].number);
    } else {
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "an index that is neither in ADDR nor in a plain TEMP");
    }
    return sch_raise_scalar(sch_raise_splat(made, by->component));
}

/* An index of `base` plus what the register holds; a base below 0 is added by an instruction. */
static struct sch_d3d_index relative(struct sch_raise *r, const struct sch_ir_indirect *by, int64_t base)
{
    struct sch_d3d_operand *held = SCH_ARENA_NEW(r->arena, struct sch_d3d_operand);
    if (!held) return (struct sch_d3d_index){.parts = SCH_D3D_INDEX_VALUE};
    *held = index_register(r, by);
    if (base < 0) {
        struct sch_d3d_operand sum = sch_raise_scratch(r), vector = *held;
        vector.form = SCH_D3D_FORM_SWIZZLE;
        vector.select = (uint8_t)(held->select * 0x55);
        sch_raise_2(r, SCH_D3D_OP_IADD, sch_raise_masked(sum, 1), vector, sch_raise_word((uint32_t)base));
        *held = sch_raise_scalar(sch_raise_splat(sum, 0));
        base = 0;
    }
    uint8_t parts = base ? SCH_D3D_INDEX_RELATIVE | SCH_D3D_INDEX_VALUE : SCH_D3D_INDEX_RELATIVE;
    return (struct sch_d3d_index){.parts = parts, .value = (uint64_t)base, .relative = held};
}

static struct sch_d3d_index index_of(struct sch_raise *r, const struct sch_ir_bracket *bracket, int64_t less)
{
    int64_t base = bracket->index - less;
    if (bracket->is_indirect) return relative(r, &bracket->indirect, base);
    return sch_raise_index((uint32_t)base);
}

struct sch_d3d_operand sch_raise_byte(struct sch_raise *r, const struct sch_ir_bracket *bracket)
{
    struct sch_d3d_operand base = sch_raise_word(4u * (uint32_t)(int32_t)bracket->index);
    if (!bracket->is_indirect) return base;
    struct sch_d3d_operand held = index_register(r, &bracket->indirect), sum = sch_raise_scratch(r);
    held.form = SCH_D3D_FORM_SWIZZLE;
    held.select = (uint8_t)(held.select * 0x55);
    sch_raise_3(r, SCH_D3D_OP_IMAD, sch_raise_masked(sum, 1), held, sch_raise_word(4), base);
    return sum;
}

/* ---- registers ---- */

/* Array `place` at a bracket. */
static struct sch_d3d_operand element(struct sch_raise *r, const struct sch_ir_bracket *bracket, unsigned place)
{
    struct sch_d3d_operand made = sch_raise_register(SCH_D3D_REGISTER_INDEXABLE_TEMP, place);
    made.index_count = 2;
    made.index[1] = index_of(r, bracket, r->arrays[place].first);
    return made;
}

static struct sch_d3d_operand temporary(struct sch_raise *r, const struct sch_ir_bracket *bracket)
{
    if (bracket->is_indirect) {
        for (unsigned i = 0; i < r->array_count; i++)
            if (r->arrays[i].indexed && (r->arrays[i].id == bracket->indirect.array_id || !r->arrays[i].id))
                return element(r, bracket, i);
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "an index into temporaries that are not an array");
        return sch_raise_temp(0);
    }
    if ((uint32_t)bracket->index >= SCH_RAISE_TEMPS) {
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "TEMP[%d]: there are %d temporaries", bracket->index,
                         SCH_RAISE_TEMPS);
        return sch_raise_temp(0);
    }
    const struct sch_raise_temp *is = &r->temps[bracket->index];
    return is->array ? element(r, bracket, is->array - 1u) : sch_raise_temp(is->number);
}

static struct sch_d3d_operand constant(struct sch_raise *r, const struct sch_ir_src *src)
{
    struct sch_d3d_operand made = sch_raise_register(SCH_D3D_REGISTER_CONSTANT_BUFFER, 0);
    int buffer = src->dimension.index; /* 0 where there is none */
    if (src->dimension.is_indirect)
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "a constant buffer that is chosen by a register");
    else if ((uint32_t)buffer >= SCH_RAISE_BUFFERS)
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "CONST[%d]: there are %d constant buffers", buffer,
                         SCH_RAISE_BUFFERS);
    else
        made.index[0] = sch_raise_index((uint32_t)buffer);
    made.index_count = 2;
    made.index[1] = index_of(r, &src->index, 0);
    return made;
}

static struct sch_d3d_operand immediate(struct sch_raise *r, const struct sch_ir_src *src)
{
    if (src->index.is_indirect) {
        struct sch_d3d_operand made = sch_raise_register(SCH_D3D_REGISTER_IMMEDIATE_CONSTANT_BUFFER, 0);
        made.index[0] = index_of(r, &src->index, 0);
        return made;
    }
    const uint32_t *word = r->in->immediates[src->index.index].word;
    return sch_raise_literal(word[0], word[1], word[2], word[3]);
}

/* Marks the range of registers that an index leads into; false: there is none, or parts of it are elsewhere. */
static bool index_range(struct sch_raise_io *list, int number)
{
    for (int i = 0; i < SCH_RAISE_REGISTERS; i++) {
        int end = i + list[i].range;
        if (!list[i].declared || number < i || number >= end) continue;
        for (int k = i; k < end && k < SCH_RAISE_REGISTERS; k++)
            if (list[k].shadowed || !list[k].declared || list[k].number - list[i].number != k - i) return false;
        list[i].indexed = true;
        return true;
    }
    return false;
}

/* Inputs and outputs, with the vertex first where there are vertices. */
static struct sch_d3d_operand in_or_out(struct sch_raise *r, unsigned type, struct sch_raise_io *list,
                                        const struct sch_ir_bracket *bracket, unsigned components)
{
    int number = bracket->index;
    if ((uint32_t)number >= SCH_RAISE_REGISTERS) {
        sch_raise_refuse(r, SCH_D_RAISE_REGISTER, "register %d: there are %d inputs and outputs", number,
                         SCH_RAISE_REGISTERS);
        return sch_raise_temp(0);
    }
    struct sch_raise_io *is = &list[number];
    is->used = true;
    if (is->shadowed && !bracket->is_indirect) return sch_raise_temp(is->temp);
    is->mask |= (uint8_t)components;
    struct sch_d3d_operand made = sch_raise_register(type, is->number);
    if (!bracket->is_indirect) return made;
    if (!index_range(list, number))
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND,
                         "an index into registers that are not a range, or are computed or copied");
    else
        made.index[0] = index_of(r, bracket, number - is->number);
    return made;
}

static struct sch_d3d_operand input(struct sch_raise *r, const struct sch_ir_src *src, unsigned components)
{
    struct sch_d3d_operand made = in_or_out(r, SCH_D3D_REGISTER_INPUT, r->inputs, &src->index, components);
    if (!src->has_dimension || made.type != SCH_D3D_REGISTER_INPUT) return made;
    made.index[1] = made.index[0];
    made.index[0] = index_of(r, &src->dimension, 0);
    made.index_count = 2;
    return made;
}

/* The components after the swizzle that are read. */
static unsigned read_components(const struct sch_ir_src *src, unsigned used)
{
    unsigned components = 0;
    for (unsigned c = 0; c < 4; c++)
        if (used >> c & 1) components |= 1u << src->swizzle[c];
    return components;
}

static struct sch_d3d_operand place_of(struct sch_raise *r, const struct sch_ir_src *src, unsigned components)
{
    switch (src->file) {
    case SCH_FILE_TEMPORARY:
        return temporary(r, &src->index);
    case SCH_FILE_ADDRESS:
        return sch_raise_temp(r->address + (uint32_t)src->index.index);
    case SCH_FILE_CONSTANT:
        return constant(r, src);
    case SCH_FILE_IMMEDIATE:
        return immediate(r, src);
    case SCH_FILE_INPUT:
        return input(r, src, components);
    case SCH_FILE_OUTPUT:
        return in_or_out(r, SCH_D3D_REGISTER_OUTPUT, r->outputs, &src->index, components);
    case SCH_FILE_SYSTEM_VALUE:
        if (src->index.is_indirect) break;
        return sch_raise_system_value(r, (unsigned)src->index.index, components);
    default:
        break;
    }
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_FILE, src->file);
    sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "%s cannot be read like this", word->word);
    return sch_raise_temp(0);
}

/* The source's swizzle; components that are not read repeat the first one that is read, and literals have 0 there. */
static struct sch_d3d_operand select_used(struct sch_d3d_operand operand, const struct sch_ir_src *src, unsigned used)
{
    unsigned from[4], first = (unsigned)__builtin_ctz(used);
    for (unsigned c = 0; c < 4; c++) from[c] = src->swizzle[used >> c & 1 ? c : first];
    operand = sch_raise_swizzle(operand, from[0], from[1], from[2], from[3]);
    for (unsigned c = 0; c < 4 && operand.value_count; c++)
        if (!(used >> c & 1)) operand.values[c] = 0;
    return operand;
}

unsigned sch_raise_used(const struct sch_ir_instruction *instruction)
{
    return sch_op_channels_read(sch_op_info(instruction->opcode), instruction->dst[0].write_mask);
}

struct sch_d3d_operand sch_raise_source(struct sch_raise *r, unsigned number, unsigned used)
{
    const struct sch_ir_src *src = &r->at->src[number];
    struct sch_d3d_operand made = place_of(r, src, read_components(src, used));
    made = select_used(made, src, used);
    made.modifier = (uint8_t)((src->negate ? SCH_D3D_NEGATE : 0) | (src->absolute ? SCH_D3D_ABSOLUTE : 0));
    return made;
}

struct sch_d3d_operand sch_raise_texel_offset(struct sch_raise *r)
{
    const struct sch_ir_texel_offset *offset = &r->at->offset[0];
    struct sch_ir_src src = sch_ir_src((enum sch_file)offset->file, offset->index);
    for (unsigned c = 0; c < 3; c++) src.swizzle[c] = offset->swizzle[c];
    return select_used(place_of(r, &src, read_components(&src, 3)), &src, 3);
}

struct sch_d3d_operand sch_raise_destination(struct sch_raise *r, unsigned number)
{
    const struct sch_ir_dst *dst = &r->at->dst[number];
    struct sch_d3d_operand made;
    switch (dst->file) {
    case SCH_FILE_TEMPORARY:
        made = temporary(r, &dst->index);
        break;
    case SCH_FILE_ADDRESS:
        made = sch_raise_temp(r->address + (uint32_t)dst->index.index);
        break;
    case SCH_FILE_OUTPUT:
        made = in_or_out(r, SCH_D3D_REGISTER_OUTPUT, r->outputs, &dst->index, dst->write_mask);
        break;
    default: /* NULL: dropped */
        made = sch_raise_scratch(r);
        break;
    }
    return sch_raise_masked(made, dst->write_mask);
}
