/* Vertices of primitives, control points of patches, streams: what the declarations of geometry, hull and domain
 * shaders say together. The limits are constants of Direct3D 11's headers. */
#include "d3d/check/internal.h"

enum { OUTPUT_COMPONENTS = 1024 }; /* REQ_GS_INVOCATION_32BIT_OUTPUT_COMPONENT_LIMIT, and vertices across instances */

/* A field of the last declaration of an opcode, 0 where there is none. */
static uint32_t declared_field(const struct sch_d3d_check *check, enum sch_d3d_opcode opcode, enum sch_d3d_field field)
{
    const struct sch_d3d_instruction *declaration = check->seen[opcode];
    return declaration ? sch_d3d_get(declaration->controls, field) : 0;
}

/* Vertices of a primitive by its number: points, lines, triangles, lines and triangles with their neighbours,
 * patches. */
static uint32_t vertices_of(uint32_t primitive)
{
    static const uint8_t vertices[] = {0, 1, 2, 3, 0, 0, 4, 6};
    enum { FIRST_PATCH = sizeof vertices };
    return primitive < FIRST_PATCH ? vertices[primitive] : primitive - FIRST_PATCH + 1;
}

/* How many vertices or control points the inputs of a file have; 0: not known. */
static uint32_t expected_vertices(const struct sch_d3d_check *check, unsigned type)
{
    if (check->stage == 'g')
        return vertices_of(declared_field(check, SCH_D3D_OP_DCL_INPUTPRIMITIVE, SCH_D3D_FIELD_PRIMITIVE));
    bool output = type == SCH_D3D_REGISTER_OUTPUT_CONTROL_POINT;
    return declared_field(check,
                          output ? SCH_D3D_OP_DCL_OUTPUT_CONTROL_POINT_COUNT : SCH_D3D_OP_DCL_INPUT_CONTROL_POINT_COUNT,
                          SCH_D3D_FIELD_CONTROL_POINTS);
}

void sch_d3d_check_vertices(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                            const struct sch_d3d_operand *operand)
{
    if (operand->index_count < 2) return;
    uint32_t expected = expected_vertices(check, operand->type);
    if (expected && operand->index[0].value != expected)
        SCH_D3D_REPORT(check, D3D_STAGE_VALUE, instruction, "%s, but there are %u vertices or control points",
                       SCH_D3D_NAMED(operand), expected);
}

static unsigned count_streams(const struct sch_d3d_check *check)
{
    unsigned count = 0;
    for (unsigned i = 0; i < SCH_D3D_STREAMS; i++)
        count += sch_d3d_find_declared(check, SCH_D3D_REGISTER_STREAM, i) != NULL;
    return count;
}

void sch_d3d_check_topology(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    enum { POINTS = 1, LINES = 2, TRIANGLES = 4 }; /* vocabulary TOPOLOGY */
    uint32_t topology = sch_d3d_get(instruction->controls, SCH_D3D_FIELD_TOPOLOGY);
    if (topology == LINES || topology == TRIANGLES)
        SCH_D3D_REPORT(check, D3D_STAGE_VALUE, instruction, "geometry shaders emit points and strips");
    else if (topology != POINTS && count_streams(check) > 1)
        SCH_D3D_REPORT(check, D3D_STAGE_VALUE, instruction, "several streams are streams of points");
}

static void check_amount(struct sch_d3d_check *check)
{
    const struct sch_d3d_instruction *most = check->seen[SCH_D3D_OP_DCL_MAXOUT];
    const struct sch_d3d_instruction *instances = check->seen[SCH_D3D_OP_DCL_GSINSTANCES];
    if (!most || most->literals[0] > OUTPUT_COMPONENTS) return;
    if (instances && instances->literals[0] <= 32 && most->literals[0] * instances->literals[0] > OUTPUT_COMPONENTS)
        SCH_D3D_REPORT(check, D3D_STAGE_VALUE, most, "%u instances of %u vertices are more than %d",
                       instances->literals[0], most->literals[0], OUTPUT_COMPONENTS);
    const struct sch_d3d_io *io = sch_d3d_io(check, SCH_D3D_REGISTER_OUTPUT);
    for (unsigned stream = 0; stream < SCH_D3D_STREAMS; stream++) {
        uint32_t components = 0;
        for (unsigned i = 0; i < SCH_D3D_IO_REGISTERS; i++)
            for (unsigned k = 0; k < 4; k++) components += io->mask[stream][i] >> k & 1;
        if (components * most->literals[0] <= OUTPUT_COMPONENTS) continue;
        SCH_D3D_REPORT(check, D3D_STAGE_VALUE, most, "%u vertices of %u components are more than %d components",
                       most->literals[0], components, OUTPUT_COMPONENTS);
        return;
    }
}

static void check_tessellator(struct sch_d3d_check *check)
{
    enum { ISOLINE = 1, POINT = 1, LINE = 2 }; /* vocabularies DOMAIN, OUTPUT_PRIMITIVE */
    uint32_t domain = declared_field(check, SCH_D3D_OP_DCL_TESSELLATOR_DOMAIN, SCH_D3D_FIELD_DOMAIN);
    uint32_t made = declared_field(check, SCH_D3D_OP_DCL_TESSELLATOR_OUTPUT_PRIMITIVE, SCH_D3D_FIELD_OUTPUT_PRIMITIVE);
    if (domain && made && made != POINT && (domain == ISOLINE) != (made == LINE))
        SCH_D3D_REPORT(check, D3D_STAGE_VALUE, check->seen[SCH_D3D_OP_DCL_TESSELLATOR_OUTPUT_PRIMITIVE],
                       "the tessellator makes lines of isolines, triangles of the other domains, or points");
    uint32_t before = declared_field(check, SCH_D3D_OP_DCL_INPUT_CONTROL_POINT_COUNT, SCH_D3D_FIELD_CONTROL_POINTS);
    uint32_t behind = declared_field(check, SCH_D3D_OP_DCL_OUTPUT_CONTROL_POINT_COUNT, SCH_D3D_FIELD_CONTROL_POINTS);
    if (before != behind && behind && !check->seen[SCH_D3D_OP_HS_CONTROL_POINT_PHASE] &&
        check->seen[SCH_D3D_OP_DCL_INPUT_CONTROL_POINT_COUNT])
        SCH_D3D_REPORT(check, D3D_PHASE, check->seen[SCH_D3D_OP_DCL_OUTPUT_CONTROL_POINT_COUNT],
                       "without hs_control_point_phase, %u control points stay %u", before, before);
}

void sch_d3d_check_geometry(struct sch_d3d_check *check)
{
    if (check->stage == 'g') check_amount(check);
    check_tessellator(check);
}
