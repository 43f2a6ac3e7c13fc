/* What a stage cannot do without, and inputs and outputs against the signatures and the system values that a stage
 * has. */
#include "d3d/check/internal.h"

enum { NEEDED_ALWAYS, NEEDED_EMITS };

static const struct {
    const char *stages;
    uint8_t opcode, when;
} needs[] = {
#define D3D_NEEDS(stages, op, when) {stages, SCH_D3D_OP_##op, NEEDED_##when},
#include "d3d/check/check.def"
};

static const uint8_t emitting[] = {
#define D3D_EMITS(op) SCH_D3D_OP_##op,
#include "d3d/check/check.def"
};

void sch_d3d_check_stage(struct sch_d3d_check *check)
{
    static const struct sch_d3d_instruction nowhere = {0};
    const struct sch_d3d_instruction *first = check->program->count ? check->program->instructions : &nowhere;
    bool emits = false;
    for (size_t i = 0; i < sizeof emitting; i++) emits = emits || check->seen[emitting[i]];
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (sch_d3d_in_stage(check, needs[i].stages) && !check->seen[needs[i].opcode] &&
            (emits || needs[i].when == NEEDED_ALWAYS))
            SCH_D3D_REPORT(check, D3D_STAGE_MISSING, first, "the program has no %s",
                           sch_d3d_op_info(needs[i].opcode)->word);
}

static const struct {
    const char *inputs, *outputs;
    uint8_t number;
} values[] = {
#define D3D_VALUE(number, inputs, outputs) {inputs, outputs, number},
#include "d3d/check/check.def"
};

/* The system value that a declaration names, or 0. */
static uint32_t value_of(const struct sch_d3d_instruction *instruction)
{
    const char *names = strstr(sch_d3d_row(instruction)->text, "%v");
    return names ? instruction->literals[0] : 0;
}

void sch_d3d_check_system_value(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    uint32_t value = value_of(instruction);
    bool output = instruction->operands[0].type == SCH_D3D_REGISTER_OUTPUT;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (!value || values[i].number != value) continue;
        if (sch_d3d_in_stage(check, output ? values[i].outputs : values[i].inputs)) return;
        const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_SYSTEM_VALUE, value);
        SCH_D3D_REPORT(check, D3D_SYSTEM_VALUE, instruction, "this stage has no %s %s", output ? "output" : "input",
                       word->word);
    }
}

enum { UINT = 1, SINT = 2 }; /* vocabulary COMPONENT */
enum { LAST_COMMON = 10 };   /* up to here system values have the same numbers in signatures and in declarations */

void sch_d3d_check_read_signatures(struct sch_d3d_check *check)
{
    for (unsigned kind = 0; kind < SCH_D3D_SIGNATURE_COUNT && check->signatures; kind++)
        for (size_t i = 0; i < check->signatures[kind].count; i++) {
            const struct sch_d3d_signature_element *element = &check->signatures[kind].elements[i];
            if (element->reg >= SCH_D3D_IO_REGISTERS) continue;
            struct sch_d3d_signed *found = &check->signed_registers[kind][element->reg];
            found->mask |= element->mask & 0xf;
            if (element->component_type == UINT || element->component_type == SINT)
                found->integers |= element->mask & 0xf;
            for (unsigned k = 0; k < 4 && element->system_value <= LAST_COMMON; k++)
                if (element->mask >> k & 1) found->values[k] |= (uint16_t)(1u << element->system_value);
        }
}

/* The signature of a register file, as columns of the control point phase and of the phases after it have it. */
static const struct {
    uint8_t type, kind, patch_kind;
} signed_files[] = {
    {SCH_D3D_REGISTER_INPUT, SCH_SIGNATURE_INPUT, SCH_SIGNATURE_INPUT},
    {SCH_D3D_REGISTER_INPUT_CONTROL_POINT, SCH_SIGNATURE_INPUT, SCH_SIGNATURE_INPUT},
    {SCH_D3D_REGISTER_OUTPUT, SCH_SIGNATURE_OUTPUT, SCH_SIGNATURE_PATCH_CONSTANT},
    {SCH_D3D_REGISTER_OUTPUT_CONTROL_POINT, SCH_SIGNATURE_OUTPUT, SCH_SIGNATURE_OUTPUT},
    {SCH_D3D_REGISTER_PATCH_CONSTANT, SCH_SIGNATURE_PATCH_CONSTANT, SCH_SIGNATURE_PATCH_CONSTANT},
};

/* What the signature has at a register, or NULL where there is no signature. */
static const struct sch_d3d_signed *find_signed(const struct sch_d3d_check *check, unsigned type, uint64_t number)
{
    bool patch = check->phase.opcode == SCH_D3D_OP_HS_FORK_PHASE || check->phase.opcode == SCH_D3D_OP_HS_JOIN_PHASE;
    for (size_t i = 0; i < sizeof signed_files / sizeof *signed_files; i++) {
        if (signed_files[i].type != type) continue;
        unsigned kind = patch ? signed_files[i].patch_kind : signed_files[i].kind;
        if (!check->signatures || !check->signatures[kind].tag || number >= SCH_D3D_IO_REGISTERS) return NULL;
        return &check->signed_registers[kind][number];
    }
    return NULL;
}

void sch_d3d_check_signature(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                             const struct sch_d3d_operand *operand)
{
    if (!operand->index_count || operand->form != SCH_D3D_FORM_MASK) return;
    const struct sch_d3d_signed *found =
        find_signed(check, operand->type, operand->index[operand->index_count - 1].value);
    if (!found) return;
    uint32_t value = value_of(instruction), given = 0;
    for (unsigned k = 0; k < 4; k++)
        if (operand->select >> k & 1) given |= found->values[k];
    enum { LINEAR = 2 }; /* vocabulary INTERPOLATION: and all after it */
    if (sch_d3d_has_field(sch_d3d_row(instruction), SCH_D3D_FIELD_INTERPOLATION) && operand->select & found->integers &&
        sch_d3d_get(instruction->controls, SCH_D3D_FIELD_INTERPOLATION) >= LINEAR)
        SCH_D3D_REPORT(check, D3D_INTERPOLATION, instruction, "the integer %s cannot be interpolated",
                       SCH_D3D_NAMED(operand));
    if (operand->select & (uint8_t)~found->mask)
        SCH_D3D_REPORT(check, D3D_SIGNATURE, instruction, "the signature has not all components of %s",
                       SCH_D3D_NAMED(operand));
    else if (value && value <= LAST_COMMON && !(given >> value & 1))
        SCH_D3D_REPORT(check, D3D_SIGNATURE, instruction, "the signature gives %s another system value",
                       SCH_D3D_NAMED(operand));
}
