/* Operands: which register of the IR a register of Direct3D is, with components, modifiers and indices. */
#include <string.h>

#include "d3d/lower/lower.h"

uint32_t sch_lower_number(const struct sch_d3d_operand *operand, unsigned index)
{
    if (index >= operand->index_count || operand->index[index].value > UINT32_MAX) return UINT32_MAX;
    return (uint32_t)operand->index[index].value;
}

static bool is_relative(const struct sch_d3d_operand *operand)
{
    for (unsigned i = 0; i < operand->index_count; i++)
        if (operand->index[i].relative) return true;
    return false;
}

/* ---- indices ---- */

void sch_lower_address(struct sch_lower *l, struct sch_ir_src src, struct sch_ir_bracket *bracket)
{
    uint32_t place = l->addresses++;
    if (l->addresses > l->most_address) l->most_address = l->addresses;
    struct sch_ir_dst dst = sch_ir_dst(SCH_FILE_ADDRESS, (int)(place / 4));
    dst.write_mask = (uint8_t)(1u << (place & 3));
    sch_lower_1(l, SCH_OP_UARL, dst, src);
    bracket->is_indirect = true;
    bracket->indirect = (struct sch_ir_indirect){
        .file = SCH_FILE_ADDRESS, .component = (uint8_t)(place & 3), .index = (int16_t)(place / 4)};
}

/* "Out-of-range index: undefined value, no effect on others" (dcl_indexableTemp): such an index becomes one that no
 * register has. */
struct sch_ir_src sch_lower_bounded(struct sch_lower *l, struct sch_ir_src index, uint32_t value, uint32_t limit)
{
    enum { NOWHERE = 1 << 30 };
    uint16_t sum = sch_lower_scratch(l), inside = sch_lower_scratch(l);
    sch_lower_2(l, SCH_OP_UADD, sch_lower_temp_dst(sum, 1), index, sch_lower_word(l, value));
    sch_lower_2(l, SCH_OP_USLT, sch_lower_temp_dst(inside, 1), sch_lower_temp(sum), sch_lower_word(l, limit));
    sch_lower_3(l, SCH_OP_UCMP, sch_lower_temp_dst(sum, 1), sch_lower_temp(inside), sch_lower_temp(sum),
                sch_lower_word(l, NOWHERE));
    return sch_lower_splat(sch_lower_temp(sum), 0);
}

void sch_lower_bracket(struct sch_lower *l, const struct sch_d3d_index *index, uint32_t base, uint32_t limit,
                       struct sch_ir_bracket *bracket)
{
    uint64_t value = index->value;
    if (value > INT16_MAX || base + value > INT16_MAX) {
        sch_lower_refuse(l, "an index of %llu is more than a register can have", (unsigned long long)value);
        return;
    }
    *bracket = (struct sch_ir_bracket){.index = (int16_t)(base + value)};
    if (!index->relative) {
        if (limit && value >= limit) bracket->index = INT16_MAX;
        return;
    }
    struct sch_ir_src by = sch_lower_splat(sch_lower_source(l, index->relative, 'u'), 0);
    if (limit) {
        by = sch_lower_bounded(l, by, (uint32_t)value, limit);
        bracket->index = (int16_t)base;
    }
    sch_lower_address(l, by, bracket);
}

/* ---- sources ---- */

void sch_lower_select(const struct sch_d3d_operand *operand, uint8_t swizzle[4])
{
    unsigned select = operand->select;
    for (unsigned c = 0; c < 4; c++) {
        if (operand->form == SCH_D3D_FORM_SWIZZLE)
            swizzle[c] = (uint8_t)(select >> (2 * c) & 3);
        else if (operand->form == SCH_D3D_FORM_SELECT)
            swizzle[c] = (uint8_t)(select & 3);
        else if (operand->form == SCH_D3D_FORM_SCALAR)
            swizzle[c] = 0;
    }
}

static struct sch_ir_src immediate(struct sch_lower *l, const struct sch_d3d_operand *operand, char type)
{
    uint32_t words[4];
    bool wide = operand->type == SCH_D3D_REGISTER_IMMEDIATE64;
    for (unsigned c = 0; c < 4; c++)
        words[c] = operand->value_count == 4 ? operand->values[c] : wide ? operand->values[c & 1] : operand->values[0];
    return sch_lower_immediate(l, words, type == 'f');
}

static struct sch_ir_src array_element(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_ir_src src = sch_lower_of(SCH_FILE_TEMPORARY);
    uint32_t number = sch_lower_number(operand, 0);
    if (number >= l->array_count || !l->arrays[number].declared || operand->index_count != 2) {
        sch_lower_refuse(l, "x%u is not declared", number);
        return src;
    }
    const struct sch_lower_array *array = &l->arrays[number];
    sch_lower_bracket(l, &operand->index[1], array->base, array->size, &src.index);
    if (src.index.is_indirect) src.index.indirect.array_id = array->id;
    return src;
}

/* Which buffer is the second bracket: one that a register may choose. */
static struct sch_ir_src constant(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_ir_src src = sch_lower_of(SCH_FILE_CONSTANT);
    unsigned wanted = sch_d3d_has_spaces(l->program) ? 3 : 2;
    if (operand->index_count != wanted) {
        sch_lower_refuse(l, "constant buffers have one number and one index");
        return src;
    }
    const struct sch_d3d_index *index = &operand->index[wanted - 1];
    src.has_dimension = true;
    if (sch_lower_of_class(l, operand)) {
        sch_lower_class_buffer(l, operand, &src.dimension);
    } else {
        uint32_t vectors = sch_lower_named(l, operand, &src.dimension)->stride;
        if (!index->relative && index->value >= vectors) return sch_lower_word(l, 0); /* outside: 0 */
        if (!src.dimension.is_indirect) sch_lower_need_constants(l, (uint32_t)src.dimension.index, vectors);
    }
    sch_lower_bracket(l, index, 0, 0, &src.index);
    return src;
}

static struct sch_ir_src constant_vector(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_ir_src src = sch_lower_of(SCH_FILE_IMMEDIATE);
    if (operand->index_count != 1 || !l->constant_count) {
        sch_lower_refuse(l, "there is no immediate constant buffer");
        return src;
    }
    sch_lower_bracket(l, &operand->index[0], l->constants_base, l->constant_count, &src.index);
    return src;
}

/* v#, with a vertex where the stage has them. */
static struct sch_ir_src input(struct sch_lower *l, const struct sch_d3d_operand *operand, uint32_t base)
{
    struct sch_ir_src src = sch_lower_of(SCH_FILE_INPUT);
    unsigned last = operand->index_count - 1u; /* without one no number is below the limit */
    uint32_t number = sch_lower_number(operand, last);
    if (operand->index_count > 2 || number >= SCH_LOWER_REGISTERS) {
        sch_lower_refuse(l, "an input register that is not there");
        return src;
    }
    const struct sch_lower_register *is = base ? NULL : &l->inputs[number];
    if (is && is->copied && !operand->index[last].relative) return sch_lower_temp(is->temp);
    if (is && is->copied) sch_lower_refuse(l, "indexed inputs that share registers with system values");
    sch_lower_bracket(l, &operand->index[last], base, 0, &src.index);
    if (is && is->pieces == 1 && is->piece[0].file != SCH_FILE_INPUT && !src.index.is_indirect) {
        src.file = is->piece[0].file;
        src.index.index = (int16_t)is->piece[0].index;
    }
    if (operand->index_count == 2) {
        src.has_dimension = true;
        sch_lower_bracket(l, &operand->index[0], 0, 0, &src.dimension);
    }
    return src;
}

/* vpc#: an input of domain shaders, in hull shaders what phases before this one wrote. */
static struct sch_ir_src patch_constant(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    if (operand->index_count != 1) sch_lower_refuse(l, "patch constants have one index");
    struct sch_ir_src src = input(l, operand, SCH_LOWER_PATCH);
    if (l->program->stage == SCH_D3D_HULL) src.file = SCH_FILE_OUTPUT;
    return src;
}

/* vocp[point][#] */
static struct sch_ir_src control_point(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_ir_src src = sch_lower_of(SCH_FILE_OUTPUT);
    if (operand->index_count != 2) {
        sch_lower_refuse(l, "output control points have two indices");
        return src;
    }
    src.has_dimension = true;
    sch_lower_bracket(l, &operand->index[0], 0, 0, &src.dimension);
    sch_lower_bracket(l, &operand->index[1], 0, 0, &src.index);
    return src;
}

static struct sch_ir_src special(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    int16_t temp = l->special_input[operand->type];
    if (temp) return sch_lower_temp((uint16_t)(temp - 1));
    static const struct {
        uint8_t type, semantic;
    } values[] = {{SCH_D3D_REGISTER_PRIMITIVE_ID, SCH_SEMANTIC_PRIMID},
                  {SCH_D3D_REGISTER_OUTPUT_CONTROL_POINT_ID, SCH_SEMANTIC_INVOCATIONID},
                  {SCH_D3D_REGISTER_DOMAIN, SCH_SEMANTIC_TESSCOORD},
                  {SCH_D3D_REGISTER_THREAD_GROUP_ID, SCH_SEMANTIC_BLOCK_ID},
                  {SCH_D3D_REGISTER_THREAD_ID_IN_GROUP, SCH_SEMANTIC_THREAD_ID},
                  {SCH_D3D_REGISTER_COVERAGE, SCH_SEMANTIC_SAMPLEMASK},
                  {SCH_D3D_REGISTER_GS_INSTANCE_ID, SCH_SEMANTIC_INVOCATIONID},
                  {SCH_D3D_REGISTER_INNER_COVERAGE, SCH_SEMANTIC_INNER_COVERAGE}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].type == operand->type)
            return sch_ir_src(SCH_FILE_SYSTEM_VALUE, sch_lower_system_value(l, values[i].semantic));
    if (operand->type == SCH_D3D_REGISTER_CYCLE_COUNTER) { /* 64 bits in xy, read anew each time */
        uint16_t clock = sch_lower_scratch(l);
        sch_lower_emit(l, SCH_OP_CLOCK, sch_lower_temp_dst(clock, 15), NULL, 0);
        return sch_lower_temp(clock);
    }
    sch_lower_refuse(l, "%s is not lowered yet", sch_d3d_register_info(operand->type)->word);
    return sch_lower_of(SCH_FILE_TEMPORARY);
}

static struct sch_ir_src place_of(struct sch_lower *l, const struct sch_d3d_operand *operand, char type)
{
    struct sch_ir_src src;
    switch (operand->type) {
    case SCH_D3D_REGISTER_TEMP:
        src = sch_lower_of(SCH_FILE_TEMPORARY);
        if (sch_lower_number(operand, 0) >= l->temps || is_relative(operand))
            sch_lower_refuse(l, "r%u is not declared", sch_lower_number(operand, 0));
        else
            src.index.index = (int16_t)operand->index[0].value;
        return src;
    case SCH_D3D_REGISTER_INPUT:
    case SCH_D3D_REGISTER_INPUT_CONTROL_POINT:
        return input(l, operand, 0);
    case SCH_D3D_REGISTER_PATCH_CONSTANT:
        return patch_constant(l, operand);
    case SCH_D3D_REGISTER_OUTPUT_CONTROL_POINT:
        return control_point(l, operand);
    case SCH_D3D_REGISTER_INDEXABLE_TEMP:
        return array_element(l, operand);
    case SCH_D3D_REGISTER_IMMEDIATE32:
    case SCH_D3D_REGISTER_IMMEDIATE64:
        return immediate(l, operand, type);
    case SCH_D3D_REGISTER_CONSTANT_BUFFER:
        return constant(l, operand);
    case SCH_D3D_REGISTER_IMMEDIATE_CONSTANT_BUFFER:
        return constant_vector(l, operand);
    case SCH_D3D_REGISTER_THIS:
        return sch_lower_this(l, operand);
    default:
        return special(l, operand);
    }
}

/* A 64-bit immediate keeps its words as they are: one component of a value is a pair. */
struct sch_ir_src sch_lower_source(struct sch_lower *l, const struct sch_d3d_operand *operand, char type)
{
    struct sch_ir_src src = place_of(l, operand, type);
    bool constant = operand->type == SCH_D3D_REGISTER_IMMEDIATE32 || operand->type == SCH_D3D_REGISTER_IMMEDIATE64;
    if (!constant) sch_lower_select(operand, src.swizzle);
    src.negate = operand->modifier & SCH_D3D_NEGATE;
    src.absolute = operand->modifier & SCH_D3D_ABSOLUTE;
    return src;
}

unsigned sch_lower_results(const struct sch_lower *l)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(l->at->opcode);
    unsigned count = 0;
    while (sch_d3d_operand_role(info, count) == 'D' || sch_d3d_operand_role(info, count) == 'N') count++;
    return count;
}

struct sch_ir_src sch_lower_operand(struct sch_lower *l, unsigned number)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(l->at->opcode);
    return sch_lower_source(l, &l->at->operands[number], sch_d3d_operand_type(info, number));
}

/* ---- destinations ---- */

static struct sch_ir_dst as_destination(struct sch_ir_src src, unsigned mask)
{
    return (struct sch_ir_dst){.file = src.file, .write_mask = (uint8_t)mask, .index = src.index};
}

static unsigned mask_of(const struct sch_d3d_operand *operand)
{
    return operand->form == SCH_D3D_FORM_MASK ? operand->select : 1u;
}

static struct sch_ir_dst output(struct sch_lower *l, const struct sch_d3d_operand *operand, unsigned mask)
{
    struct sch_ir_dst dst = {.file = SCH_FILE_OUTPUT, .write_mask = (uint8_t)mask};
    uint32_t number = sch_lower_number(operand, 0);
    if (operand->index_count != 1 || number >= SCH_LOWER_REGISTERS) {
        sch_lower_refuse(l, "an output register that is not there");
        return dst;
    }
    if (l->phase == SCH_LOWER_PATCH_CONSTANTS) {
        sch_lower_bracket(l, &operand->index[0], SCH_LOWER_PATCH, 0, &dst.index);
        return dst;
    }
    const struct sch_lower_register *is = &l->outputs[number];
    if (is->copied && !operand->index[0].relative) return sch_lower_temp_dst(is->temp, mask);
    if (is->copied) sch_lower_refuse(l, "indexed outputs that share registers with system values");
    sch_lower_bracket(l, &operand->index[0], 0, 0, &dst.index);
    return dst;
}

/* oDepth and the like: z of POSITION, y of STENCIL; the value is computed in x of a temporary. */
static struct sch_lower_target special_target(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_lower_target target = {.dst = sch_lower_temp_dst(sch_lower_scratch(l), 1), .moved = true};
    int16_t place = l->special_output[operand->type];
    target.to = sch_ir_dst(SCH_FILE_OUTPUT, place ? place - 1 : 0);
    target.to.write_mask = operand->type == SCH_D3D_REGISTER_COVERAGE_MASK       ? 1
                           : operand->type == SCH_D3D_REGISTER_STENCIL_REFERENCE ? 2
                                                                                 : 4;
    if (!place) sch_lower_refuse(l, "an output that is not declared");
    return target;
}

struct sch_lower_target sch_lower_destination(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_lower_target target = {.dst = sch_lower_temp_dst(0, 1)};
    unsigned mask = mask_of(operand);
    switch (operand->type) {
    case SCH_D3D_REGISTER_NULL:
        target.dropped = true;
        return target;
    case SCH_D3D_REGISTER_TEMP:
    case SCH_D3D_REGISTER_INDEXABLE_TEMP:
        target.dst = as_destination(place_of(l, operand, 'x'), mask);
        return target;
    case SCH_D3D_REGISTER_OUTPUT:
        target.dst = output(l, operand, mask);
        return target;
    case SCH_D3D_REGISTER_DEPTH:
    case SCH_D3D_REGISTER_DEPTH_GREATER_EQUAL:
    case SCH_D3D_REGISTER_DEPTH_LESS_EQUAL:
    case SCH_D3D_REGISTER_COVERAGE_MASK:
    case SCH_D3D_REGISTER_STENCIL_REFERENCE:
        return special_target(l, operand);
    default:
        sch_lower_refuse(l, "a destination of this kind is not lowered yet");
        return target;
    }
}

void sch_lower_finish(struct sch_lower *l, const struct sch_lower_target *target)
{
    if (!target->moved) return;
    struct sch_ir_src from = sch_lower_temp((uint16_t)target->dst.index.index);
    sch_lower_1(l, SCH_OP_MOV, target->to, sch_lower_splat(from, 0));
}

struct sch_lower_target sch_lower_status(struct sch_lower *l)
{
    char role = sch_d3d_operand_role(sch_d3d_op_info(l->at->opcode), 1);
    if (role == 'D' || role == 'N') return sch_lower_destination(l, &l->at->operands[1]);
    return (struct sch_lower_target){.dst = sch_lower_temp_dst(0, 1), .dropped = true};
}

/* Everything is resident here: the status is all ones. */
void sch_lower_write_status(struct sch_lower *l, const struct sch_lower_target *status)
{
    if (status->dropped) return;
    sch_lower_1(l, SCH_OP_MOV, status->dst, sch_lower_word(l, UINT32_MAX));
    sch_lower_finish(l, status);
}
