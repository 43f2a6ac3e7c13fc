/* Declarations: which registers a program has, what they mean, and what must be computed before its first
 * instruction. */
#include <string.h>

#include "d3d/lower/internal.h"

typedef const struct sch_d3d_instruction instruction;

/* ---- immediate constants, arrays ---- */

/* Custom data of class 3: the first immediates. */
static void declare_vectors(struct sch_lower *l, instruction *in)
{
    enum { CONSTANT_BUFFER = 3 };
    if (in->controls >> 11 != CONSTANT_BUFFER) return;
    if (l->constant_count || in->literal_count / 4 > INT16_MAX / 2) {
        sch_lower_refuse(l, "a second immediate constant buffer");
        return;
    }
    for (uint32_t v = 0; v < in->literal_count / 4; v++)
        if (!sch_build_vector(l->build, in->literals + 4 * (size_t)v)) return;
    l->constant_count = in->literal_count / 4;
}

static void declare_array(struct sch_lower *l, instruction *in)
{
    uint32_t number = in->literals[0], size = in->literals[1];
    enum { MOST = 4096 };
    if (number >= l->array_count || !size || size > MOST || l->array_end + size > 2 * MOST) {
        sch_lower_refuse(l, "x%u[%u] is more than is lowered", number, size);
        return;
    }
    struct sch_lower_array *array = &l->arrays[number];
    if (array->declared) { /* each phase of a hull shader declares its own */
        if (size > array->size) sch_lower_refuse(l, "x%u with two sizes", number);
        return;
    }
    *array = (struct sch_lower_array){.declared = true, .base = l->array_end, .size = size, .id = ++l->array_ids};
    struct sch_ir_declaration declaration =
        sch_build_registers(SCH_FILE_TEMPORARY, array->base, array->base + size - 1);
    declaration.array_id = array->id;
    sch_build_declare(l->build, &declaration);
    l->array_end += size;
}

/* ---- shared memory ---- */

/* All g# share one memory, one after the other. */
static void declare_shared(struct sch_lower *l, instruction *in, uint32_t stride, uint64_t bytes)
{
    enum { MOST_BYTES = 32768 };
    uint32_t number = sch_lower_number(&in->operands[0], 0);
    if (number >= SCH_LOWER_SHARED || bytes > MOST_BYTES || l->shared_bytes + bytes > MOST_BYTES) {
        sch_lower_refuse(l, "more shared memory than a group has");
        return;
    }
    l->shared[number] = (struct sch_lower_shared){.declared = true, .base = l->shared_bytes, .stride = stride};
    if (!l->shared_bytes) {
        struct sch_ir_declaration declaration = sch_build_registers(SCH_FILE_MEMORY, 0, 0);
        declaration.memory_kind = SCH_MEMORY_SHARED;
        sch_build_declare(l->build, &declaration);
    }
    l->shared_bytes += ((uint32_t)bytes + 3) & ~3u;
}

/* ---- properties ---- */

static void declare_primitives(struct sch_lower *l, instruction *in)
{
    static const uint8_t inputs[] = {0,
                                     SCH_PRIMITIVE_POINTS,
                                     SCH_PRIMITIVE_LINES,
                                     SCH_PRIMITIVE_TRIANGLES,
                                     0,
                                     0,
                                     SCH_PRIMITIVE_LINES_ADJACENCY,
                                     SCH_PRIMITIVE_TRIANGLES_ADJACENCY};
    static const uint8_t outputs[] = {0, SCH_PRIMITIVE_POINTS,        0, SCH_PRIMITIVE_LINE_STRIP,
                                      0, SCH_PRIMITIVE_TRIANGLE_STRIP};
    if (in->opcode == SCH_D3D_OP_DCL_INPUTPRIMITIVE) {
        uint32_t number = sch_d3d_get(in->controls, SCH_D3D_FIELD_PRIMITIVE);
        sch_build_property(l->build, SCH_PROPERTY_GS_INPUT_PRIMITIVE,
                           number < sizeof inputs ? inputs[number] : SCH_PRIMITIVE_PATCHES);
        return;
    }
    if (l->has_topology) return; /* streams repeat it */
    l->has_topology = true;
    uint32_t number = sch_d3d_get(in->controls, SCH_D3D_FIELD_TOPOLOGY);
    sch_build_property(l->build, SCH_PROPERTY_GS_OUTPUT_PRIMITIVE, number < sizeof outputs ? outputs[number] : 0);
}

static void declare_block(struct sch_lower *l, instruction *in)
{
    static const uint8_t names[] = {SCH_PROPERTY_CS_FIXED_BLOCK_WIDTH, SCH_PROPERTY_CS_FIXED_BLOCK_HEIGHT,
                                    SCH_PROPERTY_CS_FIXED_BLOCK_DEPTH};
    for (unsigned d = 0; d < 3; d++) {
        l->block[d] = in->literals[d];
        sch_build_property(l->build, (enum sch_property)names[d], in->literals[d]);
    }
}

/* What the tessellator makes; hull shaders say it, domain shaders repeat the domain. */
static void declare_tessellation(struct sch_lower *l, instruction *in)
{
    static const uint8_t modes[] = {0, SCH_PRIMITIVE_LINES, SCH_PRIMITIVE_TRIANGLES, SCH_PRIMITIVE_QUADS};
    static const uint8_t spacings[] = {0, 2, 2, 0, 1, 0, 0, 0}; /* integer, pow2, fractional odd, fractional even */
    enum { POINTS = 1, COUNTER_CLOCKWISE = 4 }; /* Direct3D's v goes down (D3D 11.5): the other way round in TGSI */
    unsigned domain = sch_d3d_get(in->controls, SCH_D3D_FIELD_DOMAIN);
    unsigned partitioning = sch_d3d_get(in->controls, SCH_D3D_FIELD_PARTITIONING);
    unsigned primitive = sch_d3d_get(in->controls, SCH_D3D_FIELD_OUTPUT_PRIMITIVE);
    if (in->opcode == SCH_D3D_OP_DCL_TESSELLATOR_DOMAIN)
        sch_build_property(l->build, SCH_PROPERTY_TES_PRIM_MODE, modes[domain & 3]);
    else if (in->opcode == SCH_D3D_OP_DCL_TESSELLATOR_PARTITIONING)
        sch_build_property(l->build, SCH_PROPERTY_TES_SPACING, spacings[partitioning & 7]);
    else if (primitive == POINTS)
        sch_build_property(l->build, SCH_PROPERTY_TES_POINT_MODE, 1);
    else
        sch_build_property(l->build, SCH_PROPERTY_TES_VERTEX_ORDER_CW, primitive == COUNTER_CLOCKWISE);
}

static void declare_points(struct sch_lower *l, instruction *in)
{
    unsigned count = sch_d3d_get(in->controls, SCH_D3D_FIELD_CONTROL_POINTS);
    sch_build_property(l->build, SCH_PROPERTY_TCS_VERTICES_OUT, count ? count : 1);
}

static void declare_flags(struct sch_lower *l, instruction *in)
{
    enum { EARLY_DEPTH = 4 };
    if (l->program->stage == SCH_D3D_PIXEL && sch_d3d_get(in->controls, SCH_D3D_FIELD_FLAGS) & EARLY_DEPTH)
        sch_build_property(l->build, SCH_PROPERTY_FS_EARLY_DEPTH_STENCIL, 1);
}

/* ---- the walk ---- */

static void declare(struct sch_lower *l, instruction *in, unsigned *stream)
{
    switch (in->opcode) {
    case SCH_D3D_OP_DCL_TEMPS: /* taken before */
    case SCH_D3D_OP_DCL_INDEX_RANGE:
        return;
    case SCH_D3D_OP_DCL_TGSM_RAW:
        declare_shared(l, in, 0, in->literals[0]);
        return;
    case SCH_D3D_OP_DCL_TGSM_STRUCTURED:
        declare_shared(l, in, in->literals[0], (uint64_t)in->literals[0] * in->literals[1]);
        return;
    case SCH_D3D_OP_DCL_INDEXABLE_TEMP:
        declare_array(l, in);
        return;
    case SCH_D3D_OP_CUSTOMDATA:
        declare_vectors(l, in);
        return;
    case SCH_D3D_OP_DCL_INPUT:
        sch_lower_declare_input(l, in, 0, 0);
        return;
    case SCH_D3D_OP_DCL_INPUT_SGV:
    case SCH_D3D_OP_DCL_INPUT_SIV:
        sch_lower_declare_input(l, in, in->literals[0], 0);
        return;
    case SCH_D3D_OP_DCL_INPUT_PS:
        sch_lower_declare_input(l, in, 0, sch_d3d_get(in->controls, SCH_D3D_FIELD_INTERPOLATION));
        return;
    case SCH_D3D_OP_DCL_INPUT_PS_SGV:
    case SCH_D3D_OP_DCL_INPUT_PS_SIV:
        sch_lower_declare_input(l, in, in->literals[0], sch_d3d_get(in->controls, SCH_D3D_FIELD_INTERPOLATION));
        return;
    case SCH_D3D_OP_DCL_OUTPUT:
        sch_lower_declare_output(l, in, 0, *stream);
        return;
    case SCH_D3D_OP_DCL_OUTPUT_SGV:
    case SCH_D3D_OP_DCL_OUTPUT_SIV:
        sch_lower_declare_output(l, in, in->literals[0], *stream);
        return;
    case SCH_D3D_OP_DCL_STREAM:
        *stream = sch_lower_number(&in->operands[0], 0) & 3;
        return;
    case SCH_D3D_OP_DCL_OUTPUTTOPOLOGY:
    case SCH_D3D_OP_DCL_INPUTPRIMITIVE:
        declare_primitives(l, in);
        return;
    case SCH_D3D_OP_DCL_MAXOUT:
        sch_build_property(l->build, SCH_PROPERTY_GS_MAX_OUTPUT_VERTICES, in->literals[0]);
        return;
    case SCH_D3D_OP_DCL_GSINSTANCES:
        sch_build_property(l->build, SCH_PROPERTY_GS_INVOCATIONS, in->literals[0]);
        return;
    case SCH_D3D_OP_DCL_THREAD_GROUP:
        declare_block(l, in);
        return;
    case SCH_D3D_OP_HS_CONTROL_POINT_PHASE:
        l->phase = SCH_LOWER_POINTS;
        return;
    case SCH_D3D_OP_HS_FORK_PHASE:
    case SCH_D3D_OP_HS_JOIN_PHASE:
        l->phase = SCH_LOWER_PATCH_CONSTANTS;
        return;
    case SCH_D3D_OP_DCL_INPUT_CONTROL_POINT_COUNT: /* the caller's */
    case SCH_D3D_OP_DCL_HS_MAX_TESSFACTOR:         /* the pipeline's */
    case SCH_D3D_OP_DCL_HS_FORK_PHASE_INSTANCE_COUNT:
    case SCH_D3D_OP_DCL_HS_JOIN_PHASE_INSTANCE_COUNT: /* taken where the phase is called */
        return;
    case SCH_D3D_OP_DCL_OUTPUT_CONTROL_POINT_COUNT:
        declare_points(l, in);
        return;
    case SCH_D3D_OP_DCL_TESSELLATOR_DOMAIN:
    case SCH_D3D_OP_DCL_TESSELLATOR_PARTITIONING:
    case SCH_D3D_OP_DCL_TESSELLATOR_OUTPUT_PRIMITIVE:
        declare_tessellation(l, in);
        return;
    case SCH_D3D_OP_DCL_GLOBAL_FLAGS:
        declare_flags(l, in);
        return;
    case SCH_D3D_OP_DCL_FUNCTION_BODY:
    case SCH_D3D_OP_DCL_FUNCTION_TABLE:
    case SCH_D3D_OP_DCL_INTERFACE:
        sch_lower_interface(l, in);
        return;
    default:
        return;
    }
}

/* How many r# and x# there are. */
static void count_registers(struct sch_lower *l)
{
    for (size_t i = 0; i < l->program->count; i++) {
        instruction *in = &l->program->instructions[i];
        bool temps = in->opcode == SCH_D3D_OP_DCL_TEMPS, array = in->opcode == SCH_D3D_OP_DCL_INDEXABLE_TEMP;
        uint32_t number = temps || array ? in->literals[0] : 0;
        if (temps && number > l->temps) l->temps = number;
        if (array && number < SCH_LOWER_ARRAYS && number >= l->array_count) l->array_count = number + 1;
    }
    l->arrays = SCH_ARENA_ARRAY(&l->arena, struct sch_lower_array, l->array_count);
    if (!l->arrays) l->array_count = 0;
}

void sch_lower_declarations(struct sch_lower *l)
{
    unsigned stream = 0;
    sch_build_property(l->build, SCH_PROPERTY_D3D_RULES, 1);
    count_registers(l);
    if (l->build->status != SCH_OK) return;
    enum { MOST_TEMPS = 4096 };
    if (l->temps > MOST_TEMPS) {
        sch_lower_refuse(l, "%u temporaries are more than a program has", l->temps);
        return;
    }
    l->array_end = l->temps;
    for (size_t i = 0; i < l->program->count; i++) {
        sch_lower_at(l, &l->program->instructions[i]);
        if (!sch_lower_declare_resource(l, l->at)) declare(l, l->at, &stream);
    }
    sch_lower_at(l, NULL);
    sch_lower_linkage(l);
    l->phase = SCH_LOWER_NO_PHASE;
    if (l->program->stage == SCH_D3D_HULL) sch_lower_declare_passed(l);
    l->build->temps = l->array_end;
    sch_lower_place_registers(l, l->inputs, true);
    sch_lower_place_registers(l, l->outputs, false);
    sch_lower_declare_distances(l);
    for (size_t i = 0; i < l->program->count; i++) {
        instruction *in = &l->program->instructions[i];
        if (in->opcode == SCH_D3D_OP_DCL_OUTPUT) sch_lower_declare_special(l, in->operands[0].type);
    }
}

/* ---- before the first instruction ---- */

static bool reads(const struct sch_lower *l, unsigned type)
{
    for (size_t i = 0; i < l->program->count; i++)
        if (l->program->instructions[i].opcode == SCH_D3D_OP_DCL_INPUT &&
            l->program->instructions[i].operands[0].type == type)
            return true;
    return false;
}

/* vThreadID = vThreadGroupID * the group's size + vThreadIDInGroup; the flattened one counts x first. */
static void compute_threads(struct sch_lower *l)
{
    struct sch_ir_src in_group = {0};
    if (reads(l, SCH_D3D_REGISTER_THREAD_ID) || reads(l, SCH_D3D_REGISTER_THREAD_ID_IN_GROUP_FLATTENED))
        in_group = sch_ir_src(SCH_FILE_SYSTEM_VALUE, sch_lower_system_value(l, SCH_SEMANTIC_THREAD_ID));
    if (reads(l, SCH_D3D_REGISTER_THREAD_ID)) {
        uint32_t temp = sch_build_temp(l->build);
        const uint32_t size[4] = {l->block[0], l->block[1], l->block[2], 0};
        struct sch_ir_src group = sch_ir_src(SCH_FILE_SYSTEM_VALUE, sch_lower_system_value(l, SCH_SEMANTIC_BLOCK_ID));
        sch_build_3(l->build, SCH_OP_UMAD, sch_build_temp_dst(temp, 7), group,
                    sch_build_immediate(l->build, size, false), in_group);
        l->special_input[SCH_D3D_REGISTER_THREAD_ID] = temp + 1;
    }
    if (reads(l, SCH_D3D_REGISTER_THREAD_ID_IN_GROUP_FLATTENED)) {
        uint32_t temp = sch_build_temp(l->build);
        struct sch_ir_src sum = sch_build_splat(sch_build_temp_src(temp), 0);
        sch_build_3(l->build, SCH_OP_UMAD, sch_build_temp_dst(temp, 1), sch_build_splat(in_group, 2),
                    sch_build_word(l->build, l->block[1]), sch_build_splat(in_group, 1));
        sch_build_3(l->build, SCH_OP_UMAD, sch_build_temp_dst(temp, 1), sum, sch_build_word(l->build, l->block[0]),
                    sch_build_splat(in_group, 0));
        l->special_input[SCH_D3D_REGISTER_THREAD_ID_IN_GROUP_FLATTENED] = temp + 1;
    }
}

void sch_lower_prologue(struct sch_lower *l)
{
    if (l->program->stage == SCH_D3D_COMPUTE) compute_threads(l);
    sch_lower_copy_inputs(l);
}
