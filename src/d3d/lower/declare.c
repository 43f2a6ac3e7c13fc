/* Declarations: which registers a program has, what they mean, and what must be computed before its first instruction
 * and copied after its last. */
#include <string.h>

#include "d3d/lower/lower.h"

typedef const struct sch_d3d_instruction instruction;

int16_t sch_lower_system_value(struct sch_lower *l, unsigned semantic)
{
    if (l->system_place[semantic]) return (int16_t)(l->system_place[semantic] - 1);
    struct sch_ir_declaration declaration = {.file = SCH_FILE_SYSTEM_VALUE,
                                             .usage_mask = 15,
                                             .has_semantic = true,
                                             .semantic = (uint8_t)semantic,
                                             .first = l->system_values,
                                             .last = l->system_values};
    sch_lower_declare(l, &declaration);
    l->system_place[semantic] = (int16_t)(l->system_values + 1);
    return (int16_t)l->system_values++;
}

/* ---- inputs and outputs ---- */

/* Direct3D's system values by number: position 1, clip 2, cull 3, array index 4, viewport 5, vertex 6, primitive 7,
 * instance 8, front face 9, sample 10. `from_system`: an input that the stage's hardware supplies. */
static const struct {
    uint8_t value, semantic;
    bool from_system;
} system_values[] = {
    {1, SCH_SEMANTIC_POSITION, false}, {2, SCH_SEMANTIC_CLIPDIST, false},       {3, SCH_SEMANTIC_CLIPDIST, false},
    {4, SCH_SEMANTIC_LAYER, false},    {5, SCH_SEMANTIC_VIEWPORT_INDEX, false}, {6, SCH_SEMANTIC_VERTEXID_NOBASE, true},
    {7, SCH_SEMANTIC_PRIMID, true},    {8, SCH_SEMANTIC_INSTANCEID, true},      {9, SCH_SEMANTIC_FACE, true},
    {10, SCH_SEMANTIC_SAMPLEID, true}};

static void add_piece(struct sch_lower *l, struct sch_lower_register *is, const struct sch_lower_piece *piece)
{
    for (unsigned i = 0; i < is->pieces; i++)
        if (is->piece[i].semantic == piece->semantic && is->piece[i].number == piece->number &&
            is->piece[i].file == piece->file && is->piece[i].stream == piece->stream) {
            is->piece[i].mask |= piece->mask;
            return;
        }
    if (is->pieces == SCH_LOWER_PIECES)
        sch_lower_refuse(l, "a register with more parts than components");
    else
        is->piece[is->pieces++] = *piece;
}

static unsigned mask_of(const struct sch_d3d_operand *operand)
{
    return operand->form == SCH_D3D_FORM_MASK ? operand->select : 15u;
}

/* What a register means by its system value; `number` of those that have none is the register's. */
static struct sch_lower_piece piece_of(struct sch_lower *l, uint32_t value, uint32_t number, unsigned mask,
                                       bool is_input)
{
    struct sch_lower_piece piece = {.mask = (uint8_t)mask,
                                    .file = is_input ? SCH_FILE_INPUT : SCH_FILE_OUTPUT,
                                    .semantic = SCH_SEMANTIC_GENERIC,
                                    .number = (uint16_t)number,
                                    .index = (uint16_t)number};
    if (l->program->stage == SCH_D3D_PIXEL && !is_input) piece.semantic = SCH_SEMANTIC_COLOR;
    if (!value) return piece;
    for (size_t i = 0; i < sizeof system_values / sizeof *system_values; i++) {
        if (system_values[i].value != value) continue;
        piece.semantic = system_values[i].semantic;
        piece.number = 0;
        piece.is_system = true;
        piece.first = piece.semantic != SCH_SEMANTIC_POSITION && piece.semantic != SCH_SEMANTIC_CLIPDIST;
        if (is_input && system_values[i].from_system) {
            piece.file = SCH_FILE_SYSTEM_VALUE;
            piece.index = (uint16_t)sch_lower_system_value(l, piece.semantic);
        }
        return piece;
    }
    sch_lower_refuse(l, "system value %u is not lowered yet", value);
    return piece;
}

static void declare_input(struct sch_lower *l, instruction *in, uint32_t value, unsigned interpolation)
{
    const struct sch_d3d_operand *operand = &in->operands[0];
    if (operand->type == SCH_D3D_REGISTER_PATCH_CONSTANT) {
        sch_lower_patch_declared(l, sch_lower_number(operand, 0),
                                 l->program->stage == SCH_D3D_HULL ? SCH_FILE_OUTPUT : SCH_FILE_INPUT);
        return;
    }
    bool vertices = operand->type == SCH_D3D_REGISTER_INPUT || operand->type == SCH_D3D_REGISTER_INPUT_CONTROL_POINT;
    if (!vertices) return; /* others are declared where they are read */
    uint32_t number = sch_lower_number(operand, operand->index_count - 1u);
    if (number >= SCH_LOWER_REGISTERS) {
        sch_lower_refuse(l, "input register %u is more than is lowered", number);
        return;
    }
    if (operand->index_count > 1) l->input_arrays = true;
    struct sch_lower_piece piece = piece_of(l, value, number, mask_of(operand), true);
    piece.interpolation = (uint8_t)interpolation;
    add_piece(l, &l->inputs[number], &piece);
}

/* oDepth and the like have registers of their own behind those of o#. */
static bool declare_special_output(struct sch_lower *l, unsigned type)
{
    static const struct {
        uint8_t type, semantic, layout;
    } outputs[] = {{SCH_D3D_REGISTER_DEPTH, SCH_SEMANTIC_POSITION, 0},
                   {SCH_D3D_REGISTER_DEPTH_GREATER_EQUAL, SCH_SEMANTIC_POSITION, 2},
                   {SCH_D3D_REGISTER_DEPTH_LESS_EQUAL, SCH_SEMANTIC_POSITION, 3},
                   {SCH_D3D_REGISTER_COVERAGE_MASK, SCH_SEMANTIC_SAMPLEMASK, 0},
                   {SCH_D3D_REGISTER_STENCIL_REFERENCE, SCH_SEMANTIC_STENCIL, 0}};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        if (outputs[i].type != type) continue;
        if (l->special_output[type]) return true;
        struct sch_ir_declaration declaration = {.file = SCH_FILE_OUTPUT,
                                                 .usage_mask = 15,
                                                 .has_semantic = true,
                                                 .semantic = outputs[i].semantic,
                                                 .first = l->next_output,
                                                 .last = l->next_output};
        sch_lower_declare(l, &declaration);
        l->special_output[type] = (int16_t)(l->next_output + 1);
        l->next_output++;
        struct sch_ir_property layout = {
            .name = SCH_PROPERTY_FS_DEPTH_LAYOUT, .count = 1, .value = {outputs[i].layout}};
        if (outputs[i].layout && sch_ir_add_property(l->out, &layout) != SCH_IR_OK) l->status = SCH_STATUS_LIMIT;
        return true;
    }
    return false;
}

static void declare_output(struct sch_lower *l, instruction *in, uint32_t value, unsigned stream)
{
    if (l->phase == SCH_LOWER_PATCH_CONSTANTS) {
        sch_lower_patch_output(l, in, value);
        return;
    }
    const struct sch_d3d_operand *operand = &in->operands[0];
    if (operand->type != SCH_D3D_REGISTER_OUTPUT) return; /* declared behind the o# */
    uint32_t number = sch_lower_number(operand, 0);
    if (operand->index_count != 1 || number >= SCH_LOWER_REGISTERS) {
        sch_lower_refuse(l, "output register %u is more than is lowered", number);
        return;
    }
    struct sch_lower_piece piece = piece_of(l, value, number, mask_of(operand), false);
    piece.stream = (uint8_t)stream;
    add_piece(l, &l->outputs[number], &piece);
}

static uint16_t fixed_temp(struct sch_lower *l) { return (uint16_t)l->fixed++; }

/* A register is itself when all of it means one thing and the value stands where the meaning has it. */
static bool is_plain(const struct sch_lower_register *is)
{
    return is->pieces == 1 && (!is->piece[0].first || is->piece[0].mask & 1) && !is->piece[0].stream;
}

static uint8_t interpolation_of(unsigned number)
{
    static const uint8_t modes[8] = {SCH_INTERPOLATION_PERSPECTIVE, SCH_INTERPOLATION_CONSTANT,
                                     SCH_INTERPOLATION_PERSPECTIVE, SCH_INTERPOLATION_PERSPECTIVE,
                                     SCH_INTERPOLATION_LINEAR,      SCH_INTERPOLATION_LINEAR,
                                     SCH_INTERPOLATION_PERSPECTIVE, SCH_INTERPOLATION_LINEAR};
    return modes[number & 7];
}

static uint8_t location_of(unsigned number)
{
    if (number == 3 || number == 5) return SCH_LOCATION_CENTROID;
    return number == 6 || number == 7 ? SCH_LOCATION_SAMPLE : SCH_LOCATION_CENTER;
}

static void declare_piece(struct sch_lower *l, const struct sch_lower_piece *piece)
{
    if (piece->file == SCH_FILE_SYSTEM_VALUE) return;
    struct sch_ir_declaration declaration = {.file = piece->file,
                                             .usage_mask = 15,
                                             .has_semantic = true,
                                             .semantic = piece->semantic,
                                             .semantic_index = piece->number,
                                             .first = piece->index,
                                             .last = piece->index};
    memset(declaration.stream, piece->stream, sizeof declaration.stream);
    if (piece->file == SCH_FILE_INPUT && l->program->stage == SCH_D3D_PIXEL) {
        declaration.has_interpolation = true;
        declaration.interpolation = interpolation_of(piece->interpolation);
        declaration.location = location_of(piece->interpolation);
    }
    sch_lower_declare(l, &declaration);
}

/* Gives pieces their registers: user values keep the register's number, system values beside them get one behind all.
 */
static void place_registers(struct sch_lower *l, struct sch_lower_register *registers, bool is_input)
{
    uint16_t distances = 0;
    uint16_t *next = is_input ? &l->next_input : &l->next_output;
    for (unsigned n = 0; n < SCH_LOWER_REGISTERS; n++)
        if (registers[n].pieces) *next = (uint16_t)(n + 1);
    for (unsigned n = 0; n < SCH_LOWER_REGISTERS; n++) {
        struct sch_lower_register *is = &registers[n];
        bool taken = false;
        if (!is->pieces) continue;
        for (unsigned i = 0; i < is->pieces; i++) {
            struct sch_lower_piece *piece = &is->piece[i];
            if (piece->semantic == SCH_SEMANTIC_CLIPDIST) piece->number = distances++;
            if (piece->file == SCH_FILE_SYSTEM_VALUE) continue;
            bool own = is->pieces > 1 && (taken || piece->is_system);
            piece->index = own ? (*next)++ : (uint16_t)n;
            taken = taken || !own;
            declare_piece(l, piece);
        }
        is->copied = !is_plain(is);
        if (!is->copied) continue;
        is->temp = fixed_temp(l);
        if (is_input && l->input_arrays)
            sch_lower_refuse(l, "v%u of several vertices has parts of several meanings", n);
    }
}

static struct sch_ir_src piece_source(const struct sch_lower_piece *piece)
{
    struct sch_ir_src src = sch_ir_src((enum sch_file)piece->file, piece->index);
    return piece->first ? sch_lower_splat(src, 0) : src;
}

static void copy_inputs(struct sch_lower *l)
{
    for (unsigned n = 0; n < SCH_LOWER_REGISTERS; n++) {
        const struct sch_lower_register *is = &l->inputs[n];
        for (unsigned i = 0; i < is->pieces && is->copied; i++)
            sch_lower_1(l, SCH_OP_MOV, sch_lower_temp_dst(is->temp, is->piece[i].mask), piece_source(&is->piece[i]));
    }
}

/* The component that a mask names first. */
static unsigned first_of(unsigned mask) { return mask ? (unsigned)__builtin_ctz(mask) : 0; }

void sch_lower_epilogue(struct sch_lower *l, unsigned stream)
{
    for (unsigned n = 0; n < SCH_LOWER_REGISTERS; n++) {
        const struct sch_lower_register *is = &l->outputs[n];
        for (unsigned i = 0; i < is->pieces && is->copied; i++) {
            const struct sch_lower_piece *piece = &is->piece[i];
            if (piece->stream != stream) continue;
            struct sch_ir_dst dst = sch_ir_dst(SCH_FILE_OUTPUT, piece->index);
            dst.write_mask = piece->first ? 1 : piece->mask;
            struct sch_ir_src from = sch_lower_temp(is->temp);
            if (piece->first) from = sch_lower_splat(from, first_of(piece->mask));
            sch_lower_1(l, SCH_OP_MOV, dst, from);
        }
    }
}

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
    for (uint32_t v = 0; v < in->literal_count / 4; v++) {
        if (!SCH_ARENA_GROW(&l->arena, l->immediates, l->immediate_capacity, l->immediate_count)) return;
        struct sch_ir_immediate *made = &l->immediates[l->immediate_count++];
        *made = (struct sch_ir_immediate){.type = SCH_IMMEDIATE_UINT32};
        memcpy(made->word, in->literals + 4 * (size_t)v, sizeof made->word);
    }
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
    *array = (struct sch_lower_array){
        .declared = true, .base = (uint16_t)l->array_end, .size = (uint16_t)size, .id = ++l->array_ids};
    struct sch_ir_declaration declaration = {.file = SCH_FILE_TEMPORARY,
                                             .usage_mask = 15,
                                             .first = array->base,
                                             .last = (uint16_t)(array->base + size - 1),
                                             .array_id = array->id};
    sch_lower_declare(l, &declaration);
    l->array_end += size;
}

/* ---- shared memory ---- */

/* All g# share one memory, one behind the other. */
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
        struct sch_ir_declaration declaration = {
            .file = SCH_FILE_MEMORY, .usage_mask = 15, .memory_kind = SCH_MEMORY_SHARED};
        sch_lower_declare(l, &declaration);
    }
    l->shared_bytes += ((uint32_t)bytes + 3) & ~3u;
}

/* ---- properties ---- */

static void property(struct sch_lower *l, enum sch_property name, uint32_t value)
{
    struct sch_ir_property made = {.name = (uint8_t)name, .count = 1, .value = {value}};
    enum sch_ir_status status = sch_ir_add_property(l->out, &made);
    if (status != SCH_IR_OK) l->status = status == SCH_IR_LIMIT ? SCH_STATUS_LIMIT : SCH_STATUS_MEMORY;
}

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
        property(l, SCH_PROPERTY_GS_INPUT_PRIMITIVE, number < sizeof inputs ? inputs[number] : SCH_PRIMITIVE_PATCHES);
        return;
    }
    if (l->has_topology) return; /* streams repeat it */
    l->has_topology = true;
    uint32_t number = sch_d3d_get(in->controls, SCH_D3D_FIELD_TOPOLOGY);
    property(l, SCH_PROPERTY_GS_OUTPUT_PRIMITIVE, number < sizeof outputs ? outputs[number] : 0);
}

static void declare_block(struct sch_lower *l, instruction *in)
{
    static const uint8_t names[] = {SCH_PROPERTY_CS_FIXED_BLOCK_WIDTH, SCH_PROPERTY_CS_FIXED_BLOCK_HEIGHT,
                                    SCH_PROPERTY_CS_FIXED_BLOCK_DEPTH};
    for (unsigned d = 0; d < 3; d++) {
        l->block[d] = in->literals[d];
        property(l, (enum sch_property)names[d], in->literals[d]);
    }
}

/* What the tessellator makes; hull shaders say it, domain shaders repeat the domain. */
static void declare_tessellation(struct sch_lower *l, instruction *in)
{
    static const uint8_t modes[] = {0, SCH_PRIMITIVE_LINES, SCH_PRIMITIVE_TRIANGLES, SCH_PRIMITIVE_QUADS};
    static const uint8_t spacings[] = {0, 2, 2, 0, 1, 0, 0, 0}; /* integer, pow2, fractional odd, fractional even */
    enum { POINTS = 1, CLOCKWISE = 3 };
    unsigned domain = sch_d3d_get(in->controls, SCH_D3D_FIELD_DOMAIN);
    unsigned partitioning = sch_d3d_get(in->controls, SCH_D3D_FIELD_PARTITIONING);
    unsigned primitive = sch_d3d_get(in->controls, SCH_D3D_FIELD_OUTPUT_PRIMITIVE);
    if (in->opcode == SCH_D3D_OP_DCL_TESSELLATOR_DOMAIN)
        property(l, SCH_PROPERTY_TES_PRIM_MODE, modes[domain & 3]);
    else if (in->opcode == SCH_D3D_OP_DCL_TESSELLATOR_PARTITIONING)
        property(l, SCH_PROPERTY_TES_SPACING, spacings[partitioning & 7]);
    else if (primitive == POINTS)
        property(l, SCH_PROPERTY_TES_POINT_MODE, 1);
    else
        property(l, SCH_PROPERTY_TES_VERTEX_ORDER_CW, primitive == CLOCKWISE);
}

static void declare_points(struct sch_lower *l, instruction *in)
{
    unsigned count = sch_d3d_get(in->controls, SCH_D3D_FIELD_CONTROL_POINTS);
    property(l, SCH_PROPERTY_TCS_VERTICES_OUT, count ? count : 1);
}

static void declare_flags(struct sch_lower *l, instruction *in)
{
    enum { EARLY_DEPTH = 4 };
    if (l->program->stage == SCH_D3D_PIXEL && sch_d3d_get(in->controls, SCH_D3D_FIELD_FLAGS) & EARLY_DEPTH)
        property(l, SCH_PROPERTY_FS_EARLY_DEPTH_STENCIL, 1);
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
        declare_input(l, in, 0, 0);
        return;
    case SCH_D3D_OP_DCL_INPUT_SGV:
    case SCH_D3D_OP_DCL_INPUT_SIV:
        declare_input(l, in, in->literals[0], 0);
        return;
    case SCH_D3D_OP_DCL_INPUT_PS:
        declare_input(l, in, 0, sch_d3d_get(in->controls, SCH_D3D_FIELD_INTERPOLATION));
        return;
    case SCH_D3D_OP_DCL_INPUT_PS_SGV:
    case SCH_D3D_OP_DCL_INPUT_PS_SIV:
        declare_input(l, in, in->literals[0], sch_d3d_get(in->controls, SCH_D3D_FIELD_INTERPOLATION));
        return;
    case SCH_D3D_OP_DCL_OUTPUT:
        declare_output(l, in, 0, *stream);
        return;
    case SCH_D3D_OP_DCL_OUTPUT_SGV:
    case SCH_D3D_OP_DCL_OUTPUT_SIV:
        declare_output(l, in, in->literals[0], *stream);
        return;
    case SCH_D3D_OP_DCL_STREAM:
        *stream = sch_lower_number(&in->operands[0], 0) & 3;
        return;
    case SCH_D3D_OP_DCL_OUTPUTTOPOLOGY:
    case SCH_D3D_OP_DCL_INPUTPRIMITIVE:
        declare_primitives(l, in);
        return;
    case SCH_D3D_OP_DCL_MAXOUT:
        property(l, SCH_PROPERTY_GS_MAX_OUTPUT_VERTICES, in->literals[0]);
        return;
    case SCH_D3D_OP_DCL_GSINSTANCES:
        property(l, SCH_PROPERTY_GS_INVOCATIONS, in->literals[0]);
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

/* A hull shader without a control point phase has the registers of its signatures. */
static void declare_passed(struct sch_lower *l)
{
    for (size_t i = 0; i < l->program->count; i++)
        if (l->program->instructions[i].opcode == SCH_D3D_OP_HS_CONTROL_POINT_PHASE) return;
    const struct sch_d3d_signature *outputs = &l->signatures[SCH_D3D_SIGNATURE_OUTPUT];
    for (size_t i = 0; i < outputs->count; i++) {
        const struct sch_d3d_signature_element *element = &outputs->elements[i];
        if (element->reg >= SCH_LOWER_PATCH) continue;
        struct sch_lower_piece piece = piece_of(l, 0, element->reg, element->mask & 15u, true);
        add_piece(l, &l->inputs[element->reg], &piece);
        piece = piece_of(l, 0, element->reg, element->mask & 15u, false);
        add_piece(l, &l->outputs[element->reg], &piece);
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
    property(l, SCH_PROPERTY_D3D_RULES, 1);
    count_registers(l);
    if (l->status != SCH_STATUS_OK) return;
    enum { MOST_TEMPS = 4096 };
    if (l->temps > MOST_TEMPS) {
        sch_lower_refuse(l, "%u temporaries are more than a program has", l->temps);
        return;
    }
    l->array_end = l->temps;
    for (size_t i = 0; i < l->program->count; i++) {
        l->at = &l->program->instructions[i];
        if (!sch_lower_declare_resource(l, l->at)) declare(l, l->at, &stream);
    }
    l->at = NULL;
    sch_lower_linkage(l);
    l->phase = SCH_LOWER_NO_PHASE;
    if (l->program->stage == SCH_D3D_HULL) declare_passed(l);
    l->fixed = l->array_end;
    place_registers(l, l->inputs, true);
    place_registers(l, l->outputs, false);
    for (size_t i = 0; i < l->program->count; i++) {
        instruction *in = &l->program->instructions[i];
        if (in->opcode == SCH_D3D_OP_DCL_OUTPUT) declare_special_output(l, in->operands[0].type);
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
        uint16_t temp = fixed_temp(l);
        const uint32_t size[4] = {l->block[0], l->block[1], l->block[2], 0};
        struct sch_ir_src group = sch_ir_src(SCH_FILE_SYSTEM_VALUE, sch_lower_system_value(l, SCH_SEMANTIC_BLOCK_ID));
        sch_lower_3(l, SCH_OP_UMAD, sch_lower_temp_dst(temp, 7), group, sch_lower_immediate(l, size, false), in_group);
        l->special_input[SCH_D3D_REGISTER_THREAD_ID] = (int16_t)(temp + 1);
    }
    if (reads(l, SCH_D3D_REGISTER_THREAD_ID_IN_GROUP_FLATTENED)) {
        uint16_t temp = fixed_temp(l);
        struct sch_ir_src sum = sch_lower_splat(sch_lower_temp(temp), 0);
        sch_lower_3(l, SCH_OP_UMAD, sch_lower_temp_dst(temp, 1), sch_lower_splat(in_group, 2),
                    sch_lower_word(l, l->block[1]), sch_lower_splat(in_group, 1));
        sch_lower_3(l, SCH_OP_UMAD, sch_lower_temp_dst(temp, 1), sum, sch_lower_word(l, l->block[0]),
                    sch_lower_splat(in_group, 0));
        l->special_input[SCH_D3D_REGISTER_THREAD_ID_IN_GROUP_FLATTENED] = (int16_t)(temp + 1);
    }
}

void sch_lower_prologue(struct sch_lower *l)
{
    if (l->program->stage == SCH_D3D_COMPUTE) compute_threads(l);
    copy_inputs(l);
}
