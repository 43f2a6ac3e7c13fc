/* v# and o#: a register may hold several things, each of which is a register of the IR. What is copied before the first
 * instruction, and after the last or where a vertex is emitted. */
#include <string.h>

#include "d3d/lower/internal.h"

typedef const struct sch_d3d_instruction instruction;

/* Direct3D's system values by number: position 1, clip 2, cull 3, array index 4, viewport 5, vertex 6, primitive 7,
 * instance 8, front face 9, sample 10. `from_system`: an input that the stage's hardware supplies. */
enum { CULL_DISTANCE = 3 };
static const struct {
    uint8_t value, semantic;
    bool from_system;
} system_values[] = {{1, SCH_SEMANTIC_POSITION, false},
                     {2, SCH_SEMANTIC_CLIPDIST, false},
                     {CULL_DISTANCE, SCH_SEMANTIC_CLIPDIST, false},
                     {4, SCH_SEMANTIC_LAYER, false},
                     {5, SCH_SEMANTIC_VIEWPORT_INDEX, false},
                     {6, SCH_SEMANTIC_VERTEXID_NOBASE, true},
                     {7, SCH_SEMANTIC_PRIMID, true},
                     {8, SCH_SEMANTIC_INSTANCEID, true},
                     {9, SCH_SEMANTIC_FACE, true},
                     {10, SCH_SEMANTIC_SAMPLEID, true}};

static void add_piece(struct sch_lower *l, struct sch_lower_register *is, const struct sch_lower_piece *piece)
{
    for (unsigned i = 0; i < is->pieces; i++)
        if (is->piece[i].semantic == piece->semantic && is->piece[i].number == piece->number &&
            is->piece[i].file == piece->file && is->piece[i].stream == piece->stream) {
            is->piece[i].mask |= piece->mask;
            is->piece[i].cull |= piece->cull;
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
                                    .index = number};
    if (l->program->stage == SCH_D3D_PIXEL && !is_input) piece.semantic = SCH_SEMANTIC_COLOR;
    if (!value) return piece;
    for (size_t i = 0; i < sizeof system_values / sizeof *system_values; i++) {
        if (system_values[i].value != value) continue;
        piece.semantic = system_values[i].semantic;
        piece.number = 0;
        piece.is_system = true;
        if (value == CULL_DISTANCE) piece.cull = piece.mask;
        piece.first = piece.semantic != SCH_SEMANTIC_POSITION && piece.semantic != SCH_SEMANTIC_CLIPDIST;
        if (is_input && system_values[i].from_system) {
            piece.file = SCH_FILE_SYSTEM_VALUE;
            piece.index = (uint32_t)sch_lower_system_value(l, piece.semantic);
        }
        return piece;
    }
    sch_lower_refuse(l, "system value %u is not lowered yet", value);
    return piece;
}

void sch_lower_declare_input(struct sch_lower *l, instruction *in, uint32_t value, unsigned interpolation)
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

/* oDepth and the like have registers of their own after those of o#. */
void sch_lower_declare_special(struct sch_lower *l, unsigned type)
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
        if (l->special_output[type]) return;
        const struct sch_ir_declaration declaration =
            sch_build_semantic(SCH_FILE_OUTPUT, l->next_output, outputs[i].semantic, 0);
        sch_build_declare(l->build, &declaration);
        l->special_output[type] = l->next_output + 1;
        l->next_output++;
        if (outputs[i].layout) sch_build_property(l->build, SCH_PROPERTY_FS_DEPTH_LAYOUT, outputs[i].layout);
        return;
    }
}

void sch_lower_declare_output(struct sch_lower *l, instruction *in, uint32_t value, unsigned stream)
{
    if (l->phase == SCH_LOWER_PATCH_CONSTANTS) {
        sch_lower_patch_output(l, in, value);
        return;
    }
    const struct sch_d3d_operand *operand = &in->operands[0];
    if (operand->type != SCH_D3D_REGISTER_OUTPUT) return; /* declared after the o# */
    uint32_t number = sch_lower_number(operand, 0);
    if (operand->index_count != 1 || number >= SCH_LOWER_REGISTERS) {
        sch_lower_refuse(l, "output register %u is more than is lowered", number);
        return;
    }
    struct sch_lower_piece piece = piece_of(l, value, number, mask_of(operand), false);
    piece.stream = (uint8_t)stream;
    add_piece(l, &l->outputs[number], &piece);
}

/* A register is itself when all of it means one thing and the value is where the meaning has it. */
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
    struct sch_ir_declaration declaration =
        sch_build_semantic(piece->file, piece->index, piece->semantic, piece->number);
    memset(declaration.stream, piece->stream, sizeof declaration.stream);
    /* Vertex elements have a number only, and Mesa's parser reads no semantic there. */
    if (piece->file == SCH_FILE_INPUT && l->program->stage == SCH_D3D_VERTEX) declaration.has_semantic = false;
    if (piece->file == SCH_FILE_INPUT && l->program->stage == SCH_D3D_PIXEL) {
        declaration.has_interpolation = true;
        declaration.interpolation = interpolation_of(piece->interpolation);
        declaration.location = location_of(piece->interpolation);
    }
    sch_build_declare(l->build, &declaration);
}

/* Gives pieces their registers: user values keep the register's number, system values beside them get one after
 * all. */
void sch_lower_place_registers(struct sch_lower *l, struct sch_lower_register *registers, bool is_input)
{
    uint16_t distances = 0;
    uint32_t *next = is_input ? &l->next_input : &l->next_output;
    for (unsigned n = 0; n < SCH_LOWER_REGISTERS; n++)
        if (registers[n].pieces) *next = n + 1;
    for (unsigned n = 0; n < SCH_LOWER_REGISTERS; n++) {
        struct sch_lower_register *is = &registers[n];
        bool taken = false;
        if (!is->pieces) continue;
        for (unsigned i = 0; i < is->pieces; i++) {
            struct sch_lower_piece *piece = &is->piece[i];
            if (piece->semantic == SCH_SEMANTIC_CLIPDIST) piece->number = distances++;
            if (piece->file == SCH_FILE_SYSTEM_VALUE) continue;
            bool own = is->pieces > 1 && (taken || piece->is_system);
            piece->index = own ? (*next)++ : n;
            taken = taken || !own;
            declare_piece(l, piece);
        }
        is->copied = !is_plain(is);
        if (!is->copied) continue;
        is->temp = sch_build_temp(l->build);
        if (is_input && l->input_arrays)
            sch_lower_refuse(l, "v%u of several vertices has parts of several meanings", n);
    }
}

/* Which components of CLIPDIST are what: Direct3D has both kinds of distances in any of them (15.4.3). */
void sch_lower_declare_distances(struct sch_lower *l)
{
    uint32_t clip = 0, cull = 0;
    for (unsigned n = 0; n < SCH_LOWER_REGISTERS; n++) {
        const struct sch_lower_register *is = &l->outputs[n];
        for (unsigned i = 0; i < is->pieces; i++) {
            const struct sch_lower_piece *piece = &is->piece[i];
            if (piece->semantic != SCH_SEMANTIC_CLIPDIST || piece->number > 1) continue; /* the check's 2051 */
            clip |= (piece->mask & ~(uint32_t)piece->cull) << 4 * piece->number;
            cull |= (uint32_t)piece->cull << 4 * piece->number;
        }
    }
    if (clip) sch_build_property(l->build, SCH_PROPERTY_D3D_CLIP_DISTANCES, clip);
    if (cull) sch_build_property(l->build, SCH_PROPERTY_D3D_CULL_DISTANCES, cull);
}

static struct sch_ir_src piece_source(const struct sch_lower_piece *piece)
{
    struct sch_ir_src src = sch_ir_src((enum sch_file)piece->file, piece->index);
    return piece->first ? sch_build_splat(src, 0) : src;
}

void sch_lower_copy_inputs(struct sch_lower *l)
{
    for (unsigned n = 0; n < SCH_LOWER_REGISTERS; n++) {
        const struct sch_lower_register *is = &l->inputs[n];
        for (unsigned i = 0; i < is->pieces && is->copied; i++)
            sch_build_1(l->build, SCH_OP_MOV, sch_build_temp_dst(is->temp, is->piece[i].mask),
                        piece_source(&is->piece[i]));
    }
}

/* The component that a mask names first. */
static unsigned first_of(unsigned mask) { return mask ? (unsigned)__builtin_ctz(mask) : 0; }

void sch_lower_copy_outputs(struct sch_lower *l, unsigned stream)
{
    for (unsigned n = 0; n < SCH_LOWER_REGISTERS; n++) {
        const struct sch_lower_register *is = &l->outputs[n];
        for (unsigned i = 0; i < is->pieces && is->copied; i++) {
            const struct sch_lower_piece *piece = &is->piece[i];
            if (piece->stream != stream) continue;
            struct sch_ir_dst dst = sch_build_masked(SCH_FILE_OUTPUT, piece->index, piece->first ? 1u : piece->mask);
            struct sch_ir_src from = sch_build_temp_src(is->temp);
            if (piece->first) from = sch_build_splat(from, first_of(piece->mask));
            sch_build_1(l->build, SCH_OP_MOV, dst, from);
        }
    }
}

/* A hull shader without a control point phase has the registers of its signatures. */
void sch_lower_declare_passed(struct sch_lower *l)
{
    for (size_t i = 0; i < l->program->count; i++)
        if (l->program->instructions[i].opcode == SCH_D3D_OP_HS_CONTROL_POINT_PHASE) return;
    const struct sch_d3d_signature *outputs = &l->signatures[SCH_SIGNATURE_OUTPUT];
    for (size_t i = 0; i < outputs->count; i++) {
        const struct sch_d3d_signature_element *element = &outputs->elements[i];
        if (element->reg >= SCH_LOWER_PATCH) continue;
        struct sch_lower_piece piece = piece_of(l, 0, element->reg, element->mask & 15u, true);
        add_piece(l, &l->inputs[element->reg], &piece);
        piece = piece_of(l, 0, element->reg, element->mask & 15u, false);
        add_piece(l, &l->outputs[element->reg], &piece);
    }
}
