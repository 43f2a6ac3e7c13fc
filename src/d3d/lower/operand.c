/* Operands: which register of the IR a register of Direct3D is, with components, modifiers and indices. */
#include <string.h>

#include "d3d/lower/internal.h"

static bool is_relative(const struct sch_d3d_operand *operand)
{
    for (unsigned i = 0; i < operand->index_count; i++)
        if (operand->index[i].relative) return true;
    return false;
}

/* ---- indices ---- */

/* "Out-of-range index: undefined value, no effect on others" (dcl_indexableTemp): such an index becomes one that no
 * register has. */
struct sch_ir_src sch_lower_bounded(struct sch_lower *l, struct sch_ir_src index, uint32_t value, uint32_t limit)
{
    enum { NOWHERE = 1 << 30 };
    uint32_t sum = sch_build_scratch(l->build), inside = sch_build_scratch(l->build);
    sch_build_2(l->build, SCH_OP_UADD, sch_build_temp_dst(sum, 1), index, sch_build_word(l->build, value));
    sch_build_2(l->build, SCH_OP_USLT, sch_build_temp_dst(inside, 1), sch_build_temp_src(sum),
                sch_build_word(l->build, limit));
    sch_build_3(l->build, SCH_OP_UCMP, sch_build_temp_dst(sum, 1), sch_build_temp_src(inside), sch_build_temp_src(sum),
                sch_build_word(l->build, NOWHERE));
    return sch_build_splat(sch_build_temp_src(sum), 0);
}

void sch_lower_bracket(struct sch_lower *l, const struct sch_d3d_index *index, uint32_t base, uint32_t limit,
                       struct sch_ir_bracket *bracket)
{
    uint64_t value = index->value;
    if (value >= SCH_IR_REGISTERS || base + value >= SCH_IR_REGISTERS) {
        sch_lower_refuse(l, "an index of %llu is more than a register can have", (unsigned long long)value);
        return;
    }
    *bracket = (struct sch_ir_bracket){.index = (int32_t)(base + value)};
    if (!index->relative) {
        if (limit && value >= limit) bracket->index = SCH_BUILD_NOWHERE;
        return;
    }
    struct sch_ir_src by = sch_build_splat(sch_lower_source(l, index->relative, 'u'), 0);
    if (limit) {
        by = sch_lower_bounded(l, by, (uint32_t)value, limit);
        bracket->index = (int32_t)base;
    }
    sch_build_address(l->build, by, bracket);
}

/* ---- resources, and what a register chooses ---- */

static struct sch_ir_src this_of(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_ir_src src = sch_ir_src(SCH_FILE_CONSTANT, 0);
    if (!l->interface_slots || !operand->index_count) {
        sch_lower_refuse(l, "this[] of no interface");
        return src;
    }
    unsigned last = operand->index_count - 1u;
    uint32_t base = last ? sch_lower_number(operand, 0) : 0;
    if (base >= SCH_LOWER_INTERFACES || (last && operand->index[0].relative)) {
        sch_lower_refuse(l, "this[] of no interface");
        return src;
    }
    src.has_dimension = true;
    src.dimension.index = SCH_D3D_CHOSEN_THIS;
    sch_lower_bracket(l, &operand->index[last], base, 0, &src.index);
    return src;
}

bool sch_lower_of_class(const struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    return !sch_d3d_has_spaces(l->program) && operand->index_count && operand->index[0].relative;
}

/* "Out of bounds resource indexing produces the same result as if accessing a slot with no resource bound" (7.11.2).
 * The bracket counts from `unit`, which is that of register `number`. */
void sch_lower_by_register(struct sch_lower *l, const struct sch_d3d_operand *operand, uint32_t limit, uint32_t number,
                           uint32_t unit, struct sch_ir_bracket *bracket)
{
    struct sch_ir_src by = sch_build_splat(sch_lower_source(l, operand->index[0].relative, 'u'), 0);
    by = sch_lower_bounded(l, by, (uint32_t)operand->index[0].value, limit);
    if (number) {
        uint32_t distance = sch_build_scratch(l->build);
        sch_build_2(l->build, SCH_OP_UADD, sch_build_temp_dst(distance, 1), by, sch_build_word(l->build, 0 - number));
        by = sch_build_splat(sch_build_temp_src(distance), 0);
    }
    sch_build_address(l->build, by, bracket);
    bracket->index = (int32_t)unit;
}

/* An instance may lie in any constant buffer, also in one that the program does not declare. */
static void class_buffer(struct sch_lower *l, const struct sch_d3d_operand *operand, struct sch_ir_bracket *bracket)
{
    enum { VECTORS = 4096 }; /* REQ_CONSTANT_BUFFER_ELEMENT_COUNT */
    for (uint32_t n = 0; n < SCH_LOWER_BUFFERS; n++) sch_lower_need_constants(l, n, VECTORS);
    sch_lower_by_register(l, operand, SCH_LOWER_BUFFERS, 0, 0, bracket);
}

/* The second index of model 5.1: a register of the range, which counts from the range's first. */
static void choose(struct sch_lower *l, const struct sch_d3d_range *range, const struct sch_d3d_index *index,
                   struct sch_ir_bracket *bracket)
{
    uint32_t value = (uint32_t)index->value - range->first;
    bool there = index->value <= UINT32_MAX && value < range->units;
    if (!index->relative && there) {
        bracket->index = (int32_t)(range->unit + value);
        return;
    }
    struct sch_ir_src by =
        index->relative ? sch_build_splat(sch_lower_source(l, index->relative, 'u'), 0) : sch_build_word(l->build, 0);
    sch_build_address(l->build, sch_lower_bounded(l, by, value, index->relative ? range->units : 0), bracket);
}

const struct sch_lower_resource *sch_lower_named(struct sch_lower *l, const struct sch_d3d_operand *operand,
                                                 struct sch_ir_bracket *bracket)
{
    static const struct sch_lower_resource none;
    const struct sch_d3d_range *range = sch_lower_range(l, operand);
    bool spaces = sch_d3d_has_spaces(l->program);
    unsigned indices = 1u + spaces + (operand->type == SCH_D3D_REGISTER_CONSTANT_BUFFER);
    if (!range || operand->index_count != indices || !l->placed[range - l->ranges.items].declared) {
        sch_lower_refuse(l, "%s%u is not declared", sch_d3d_register_info(operand->type)->word,
                         sch_lower_number(operand, 0));
        return &none;
    }
    bracket->index = (int32_t)range->unit;
    if (spaces) choose(l, range, &operand->index[1], bracket);
    return &l->placed[range - l->ranges.items];
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
    return sch_build_immediate(l->build, words, type == 'f');
}

static struct sch_ir_src array_element(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_ir_src src = sch_ir_src(SCH_FILE_TEMPORARY, 0);
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
    struct sch_ir_src src = sch_ir_src(SCH_FILE_CONSTANT, 0);
    unsigned dimensions = sch_d3d_has_spaces(l->program) ? 3 : 2;
    if (operand->index_count != dimensions) {
        sch_lower_refuse(l, "constant buffers have one number and one index");
        return src;
    }
    const struct sch_d3d_index *index = &operand->index[dimensions - 1];
    src.has_dimension = true;
    if (sch_lower_of_class(l, operand)) {
        class_buffer(l, operand, &src.dimension);
    } else {
        uint32_t vectors = sch_lower_named(l, operand, &src.dimension)->stride;
        if (!index->relative && index->value >= vectors) return sch_build_word(l->build, 0); /* outside: 0 */
        if (!src.dimension.is_indirect) sch_lower_need_constants(l, (uint32_t)src.dimension.index, vectors);
    }
    sch_lower_bracket(l, index, 0, 0, &src.index);
    return src;
}

static struct sch_ir_src constant_vector(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    struct sch_ir_src src = sch_ir_src(SCH_FILE_IMMEDIATE, 0);
    if (operand->index_count != 1 || !l->constant_count) {
        sch_lower_refuse(l, "there is no immediate constant buffer");
        return src;
    }
    sch_lower_bracket(l, &operand->index[0], 0, l->constant_count, &src.index);
    return src;
}

/* v#, with a vertex where the stage has them. */
static struct sch_ir_src input(struct sch_lower *l, const struct sch_d3d_operand *operand, uint32_t base)
{
    struct sch_ir_src src = sch_ir_src(SCH_FILE_INPUT, 0);
    unsigned last = operand->index_count - 1u; /* without one no number is below the limit */
    uint32_t number = sch_lower_number(operand, last);
    if (operand->index_count > 2 || number >= SCH_LOWER_REGISTERS) {
        sch_lower_refuse(l, "an input register that is not there");
        return src;
    }
    const struct sch_lower_register *is = base ? NULL : &l->inputs[number];
    if (is && is->copied && !operand->index[last].relative) return sch_build_temp_src(is->temp);
    if (is && is->copied) sch_lower_refuse(l, "indexed inputs that share registers with system values");
    sch_lower_bracket(l, &operand->index[last], base, 0, &src.index);
    if (is && is->pieces == 1 && is->piece[0].file != SCH_FILE_INPUT && !src.index.is_indirect) {
        src.file = is->piece[0].file;
        src.index.index = (int32_t)is->piece[0].index;
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
    struct sch_ir_src src = sch_ir_src(SCH_FILE_OUTPUT, 0);
    if (operand->index_count != 2) {
        sch_lower_refuse(l, "output control points have two indices");
        return src;
    }
    src.has_dimension = true;
    sch_lower_bracket(l, &operand->index[0], 0, 0, &src.dimension);
    sch_lower_bracket(l, &operand->index[1], 0, 0, &src.index);
    return src;
}

/* INVOCATIONID is of hull shaders or of geometry shaders. */
int sch_lower_special_semantic(const struct sch_lower *l, unsigned type)
{
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
    if (type == SCH_D3D_REGISTER_OUTPUT_CONTROL_POINT_ID && l->program->stage != SCH_D3D_HULL) return -1;
    if (type == SCH_D3D_REGISTER_GS_INSTANCE_ID && l->program->stage != SCH_D3D_GEOMETRY) return -1;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].type == type) return values[i].semantic;
    return -1;
}

static struct sch_ir_src special(struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    const uint32_t temp = l->special_input[operand->type];
    if (temp) return sch_build_temp_src(temp - 1);
    const int semantic = sch_lower_special_semantic(l, operand->type);
    if (semantic >= 0) return sch_ir_src(SCH_FILE_SYSTEM_VALUE, sch_lower_system_value(l, (unsigned)semantic));
    if (operand->type == SCH_D3D_REGISTER_CYCLE_COUNTER) { /* 64 bits in xy, read again each time */
        uint32_t clock = sch_build_scratch(l->build);
        sch_build_emit(l->build, SCH_OP_CLOCK, sch_build_temp_dst(clock, 15), NULL, 0);
        return sch_build_temp_src(clock);
    }
    sch_lower_refuse(l, "%s is not lowered yet", sch_d3d_register_info(operand->type)->word);
    return sch_ir_src(SCH_FILE_TEMPORARY, 0);
}

struct sch_ir_src sch_lower_place(struct sch_lower *l, const struct sch_d3d_operand *operand, char type)
{
    struct sch_ir_src src;
    switch (operand->type) {
    case SCH_D3D_REGISTER_TEMP:
        src = sch_ir_src(SCH_FILE_TEMPORARY, 0);
        if (sch_lower_number(operand, 0) >= l->temps || is_relative(operand))
            sch_lower_refuse(l, "r%u is not declared", sch_lower_number(operand, 0));
        else
            src.index.index = (int32_t)operand->index[0].value;
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
        return this_of(l, operand);
    default:
        return special(l, operand);
    }
}

/* A 64-bit immediate keeps its words as they are: one component of a value is a pair. */
struct sch_ir_src sch_lower_source(struct sch_lower *l, const struct sch_d3d_operand *operand, char type)
{
    struct sch_ir_src src = sch_lower_place(l, operand, type);
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
