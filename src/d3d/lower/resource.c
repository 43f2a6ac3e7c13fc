/* cb#, s#, t# and u#: how they are declared. Registers become units by d3d/dxbc/ranges.h. */
#include "d3d/lower/internal.h"

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
    return sch_build_registers(file, unit, unit + units - 1);
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
    sch_build_declare(l->build, &declaration);
}

static void declare_image(struct sch_lower *l, struct sch_lower_resource *made, uint32_t units, unsigned dimension)
{
    made->declared = true;
    made->target = target_of(dimension);
    struct sch_ir_declaration declaration = units_of(SCH_FILE_IMAGE, made->unit, units);
    declaration.target = made->target;
    declaration.writable = true;
    sch_build_declare(l->build, &declaration);
}

static void declare_memory(struct sch_lower *l, struct sch_lower_resource *made, uint32_t units, uint32_t stride)
{
    made->declared = true;
    made->kind = stride ? SCH_LOWER_STRUCTURED : SCH_LOWER_RAW;
    made->target = SCH_TARGET_BUFFER;
    made->stride = stride;
    const struct sch_ir_declaration declaration = units_of(SCH_FILE_BUFFER, made->unit, units);
    sch_build_declare(l->build, &declaration);
}

void sch_lower_declare_view(struct sch_lower *l, struct sch_lower_resource *made, unsigned dimension, uint32_t types)
{
    declare_texels(l, made, 1, dimension, types);
}

void sch_lower_declare_bytes(struct sch_lower *l, struct sch_lower_resource *made, uint32_t stride)
{
    declare_memory(l, made, 1, stride);
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
        sch_build_declare(l->build, &samplers);
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
    const struct sch_d3d_range *range = in->operand_count ? sch_lower_range(l, &in->operands[0]) : NULL;
    bool fits = range && range->declaration == in && range->units && range->unit + range->units <= SCH_D3D_UNITS;
    if (fits)
        declare_range(l, range, in);
    else
        sch_lower_refuse(l, "register %u is more than is lowered", sch_lower_number(&in->operands[0], 0));
    return true;
}
