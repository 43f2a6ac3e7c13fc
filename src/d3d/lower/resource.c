/* cb#, s#, t# and u#: how they are declared, and which register of the IR an operand names. Registers become units by
 * d3d/dxbc/ranges.h; an index outside of the units of its range names none. */
#include "d3d/lower/lower.h"

typedef const struct sch_d3d_instruction instruction;

/* ---- declarations ---- */

static uint8_t target_of(unsigned dimension)
{
    static const uint8_t targets[] = {
        SCH_TARGET_UNKNOWN,   SCH_TARGET_BUFFER, SCH_TARGET_1D,       SCH_TARGET_2D,       SCH_TARGET_2D_MSAA,
        SCH_TARGET_3D,        SCH_TARGET_CUBE,   SCH_TARGET_1D_ARRAY, SCH_TARGET_2D_ARRAY, SCH_TARGET_2D_ARRAY_MSAA,
        SCH_TARGET_CUBE_ARRAY};
    return dimension < sizeof targets ? targets[dimension] : SCH_TARGET_UNKNOWN;
}

/* Direct3D: 1 unorm, 2 snorm, 3 sint, 4 uint, 5 float, 6 mixed and on. */
static uint8_t return_of(uint32_t types, unsigned component)
{
    static const uint8_t returns[] = {SCH_RETURN_FLOAT, SCH_RETURN_UNORM, SCH_RETURN_SNORM,
                                      SCH_RETURN_SINT,  SCH_RETURN_UINT,  SCH_RETURN_FLOAT};
    uint32_t type = types >> (4 * component) & 15;
    return type < sizeof returns ? returns[type] : SCH_RETURN_FLOAT;
}

/* A declaration of `units` registers from `unit` on. */
static struct sch_ir_declaration units_of(unsigned file, uint32_t unit, uint32_t units)
{
    return (struct sch_ir_declaration){
        .file = (uint8_t)file, .usage_mask = 15, .first = (uint16_t)unit, .last = (uint16_t)(unit + units - 1)};
}

static void declare_texels(struct sch_lower *l, struct sch_lower_resource *made, uint32_t units, unsigned dimension,
                           uint32_t types)
{
    made->declared = true;
    made->target = target_of(dimension);
    made->dimension = (uint8_t)dimension;
    struct sch_ir_declaration declaration = units_of(SCH_FILE_SAMPLER_VIEW, made->unit, units);
    declaration.target = made->target;
    for (unsigned c = 0; c < 4; c++) declaration.return_type[c] = return_of(types, c);
    sch_lower_declare(l, &declaration);
}

static void declare_image(struct sch_lower *l, struct sch_lower_resource *made, uint32_t units, unsigned dimension)
{
    made->declared = true;
    made->target = target_of(dimension);
    struct sch_ir_declaration declaration = units_of(SCH_FILE_IMAGE, made->unit, units);
    declaration.target = made->target;
    declaration.writable = true;
    sch_lower_declare(l, &declaration);
}

static void declare_memory(struct sch_lower *l, struct sch_lower_resource *made, uint32_t units, uint32_t stride)
{
    made->declared = true;
    made->kind = stride ? SCH_LOWER_STRUCTURED : SCH_LOWER_RAW;
    made->target = SCH_TARGET_BUFFER;
    made->stride = stride;
    const struct sch_ir_declaration declaration = units_of(SCH_FILE_BUFFER, made->unit, units);
    sch_lower_declare(l, &declaration);
}

void sch_lower_declare_view(struct sch_lower *l, struct sch_lower_resource *made, unsigned dimension, uint32_t types)
{
    declare_texels(l, made, 1, dimension, types);
}

void sch_lower_declare_bytes(struct sch_lower *l, struct sch_lower_resource *made, uint32_t stride)
{
    declare_memory(l, made, 1, stride);
}

/* The first time that a unit is named. */
static bool is_new(uint8_t *bits, uint32_t unit)
{
    if (unit >= SCH_D3D_UNITS || bits[unit / 8] >> (unit % 8) & 1) return false;
    bits[unit / 8] |= (uint8_t)(1u << (unit % 8));
    return true;
}

void sch_lower_need_constants(struct sch_lower *l, uint32_t unit, uint32_t vectors)
{
    if (!is_new(l->buffers, unit)) return;
    struct sch_ir_declaration declaration = units_of(SCH_FILE_CONSTANT, 0, vectors);
    declaration.has_dimension = true;
    declaration.dimension = (uint16_t)unit;
    sch_lower_declare(l, &declaration);
}

void sch_lower_need_counter(struct sch_lower *l, uint32_t unit)
{
    if (!is_new(l->counters, unit)) return;
    struct sch_ir_declaration declaration = units_of(SCH_FILE_HW_ATOMIC, 0, 1);
    declaration.has_dimension = true;
    declaration.dimension = (uint16_t)unit;
    sch_lower_declare(l, &declaration);
}

/* Vectors that the program says a buffer has; all that there can be where it does not. */
static void declare_constants(struct sch_lower *l, struct sch_lower_resource *made, instruction *in)
{
    enum { MOST = 4096 };
    bool spaces = sch_d3d_has_spaces(l->program);
    uint32_t size = spaces ? in->literals[0] : sch_lower_number(&in->operands[0], 1);
    if (size > 65536) {
        sch_lower_refuse(l, "a constant buffer that cannot be");
        return;
    }
    made->declared = true;
    made->stride = size ? size : MOST;
    sch_lower_need_constants(l, made->unit, made->stride);
}

static const struct sch_d3d_range *range_of(const struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    if (!operand->index_count || operand->index[0].relative) return NULL;
    return sch_d3d_find_range(&l->ranges, operand->type, operand->index[0].value);
}

static bool is_resource(unsigned opcode)
{
    return (opcode >= SCH_D3D_OP_DCL_RESOURCE && opcode <= SCH_D3D_OP_DCL_SAMPLER) ||
           (opcode >= SCH_D3D_OP_DCL_UAV_TYPED && opcode <= SCH_D3D_OP_DCL_UAV_STRUCTURED) ||
           opcode == SCH_D3D_OP_DCL_RESOURCE_RAW || opcode == SCH_D3D_OP_DCL_RESOURCE_STRUCTURED;
}

static void declare_range(struct sch_lower *l, const struct sch_d3d_range *range, instruction *in)
{
    struct sch_lower_resource *made = &l->placed[range - l->ranges.items];
    unsigned dimension = sch_d3d_get(in->controls, SCH_D3D_FIELD_DIMENSION);
    *made = (struct sch_lower_resource){.number = range->first, .unit = range->unit};
    bool structured = in->opcode == SCH_D3D_OP_DCL_RESOURCE_STRUCTURED || in->opcode == SCH_D3D_OP_DCL_UAV_STRUCTURED;
    const struct sch_ir_declaration samplers = units_of(SCH_FILE_SAMPLER, range->unit, range->units);
    if (range->file == SCH_FILE_CONSTANT) {
        declare_constants(l, made, in);
    } else if (range->file == SCH_FILE_SAMPLER) {
        made->declared = true;
        sch_lower_declare(l, &samplers);
    } else if (range->file == SCH_FILE_SAMPLER_VIEW) {
        declare_texels(l, made, range->units, dimension, in->literals[0]);
    } else if (range->file == SCH_FILE_IMAGE) {
        declare_image(l, made, range->units, dimension);
    } else {
        declare_memory(l, made, range->units, structured ? in->literals[0] : 0);
    }
}

bool sch_lower_declare_resource(struct sch_lower *l, instruction *in)
{
    if (!is_resource(in->opcode)) return false;
    const struct sch_d3d_range *range = in->operand_count ? range_of(l, &in->operands[0]) : NULL;
    bool fits = range && range->declaration == in && range->units && range->unit + range->units <= SCH_D3D_UNITS;
    if (fits)
        declare_range(l, range, in);
    else
        sch_lower_refuse(l, "register %u is more than is lowered", sch_lower_number(&in->operands[0], 0));
    return true;
}

/* ---- uses ---- */

/* The second index of model 5.1: a register of the range, which counts from the range's first. */
static void choose(struct sch_lower *l, const struct sch_d3d_range *range, const struct sch_d3d_index *index,
                   struct sch_ir_bracket *bracket)
{
    uint32_t value = (uint32_t)index->value - range->first;
    bool there = index->value <= UINT32_MAX && value < range->units;
    if (!index->relative && there) {
        bracket->index = (int16_t)(range->unit + value);
        return;
    }
    struct sch_ir_src by =
        index->relative ? sch_lower_splat(sch_lower_source(l, index->relative, 'u'), 0) : sch_lower_word(l, 0);
    sch_lower_address(l, sch_lower_bounded(l, by, value, index->relative ? range->units : 0), bracket);
}

const struct sch_lower_resource *sch_lower_named(struct sch_lower *l, const struct sch_d3d_operand *operand,
                                                 struct sch_ir_bracket *bracket)
{
    static const struct sch_lower_resource none;
    const struct sch_d3d_range *range = range_of(l, operand);
    bool spaces = sch_d3d_has_spaces(l->program);
    unsigned indices = 1u + spaces + (operand->type == SCH_D3D_REGISTER_CONSTANT_BUFFER);
    if (!range || operand->index_count != indices || !l->placed[range - l->ranges.items].declared) {
        sch_lower_refuse(l, "%s%u is not declared", sch_d3d_register_info(operand->type)->word,
                         sch_lower_number(operand, 0));
        return &none;
    }
    bracket->index = (int16_t)range->unit;
    if (spaces) choose(l, range, &operand->index[1], bracket);
    return &l->placed[range - l->ranges.items];
}
