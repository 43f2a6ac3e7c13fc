/* The driver of the validator of shader models 4 and 5: runs its parts over a program, and the rules that every
 * instruction has: stages and models. */
#include "d3d/check/internal.h"

/* Model 5 instructions that exist in model 4 on devices with raw and structured buffers. */
static const struct {
    uint8_t opcode;
    const char *stages;
} compute_4[] = {
#define D3D_COMPUTE_4(op, stages) {SCH_D3D_OP_##op, stages},
#include "d3d/check/check.def"
};

static bool is_in_compute_4(const struct sch_d3d_check *check, unsigned opcode)
{
    enum { RAW_AND_STRUCTURED = 8 }; /* vocabulary FLAG */
    if (check->stage != 'c' && !(check->global_flags & RAW_AND_STRUCTURED)) return false;
    for (size_t i = 0; i < sizeof compute_4 / sizeof *compute_4; i++)
        if (compute_4[i].opcode == opcode) return sch_d3d_in_stage(check, compute_4[i].stages);
    return false;
}

/* "ld2dms: SM4.0 accepts literal index only", but it has it. */
static bool is_literal_load(const struct sch_d3d_instruction *instruction)
{
    return instruction->opcode == SCH_D3D_OP_LD2DMS && instruction->operand_count == 4 &&
           instruction->operands[3].type == SCH_D3D_REGISTER_IMMEDIATE32;
}

/* Parts of declarations that came with model 4.1. */
static const char *later_part(const struct sch_d3d_instruction *instruction, const struct sch_d3d_op_info *info)
{
    enum { SAMPLE = 6, CUBE_ARRAY = SCH_D3D_KIND_CUBE_ARRAY }; /* vocabulary INTERPOLATION */
    if (sch_d3d_has_field(info, SCH_D3D_FIELD_INTERPOLATION) &&
        sch_d3d_get(instruction->controls, SCH_D3D_FIELD_INTERPOLATION) >= SAMPLE)
        return "interpolation for each sample";
    if (sch_d3d_has_field(info, SCH_D3D_FIELD_DIMENSION) &&
        sch_d3d_get(instruction->controls, SCH_D3D_FIELD_DIMENSION) == CUBE_ARRAY)
        return "an array of cubes";
    return NULL;
}

static void check_model(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                        const struct sch_d3d_op_info *info)
{
    unsigned model = check->model;
    const char *later = model < 41 ? later_part(instruction, info) : NULL;
    if (later) SCH_D3D_REPORT(check, D3D_MODEL, instruction, "%s needs shader model 4.1", later);
    if (info->model <= model || is_in_compute_4(check, info->opcode) || is_literal_load(instruction)) return;
    SCH_D3D_REPORT(check, D3D_MODEL, instruction, "%s needs shader model %u.%u, but this is %u.%u", info->word,
                   info->model / 10, info->model % 10, model / 10, model % 10);
}

static const struct {
    uint8_t opcode;
    const char *stages;
} stages_4[] = {
#define D3D_STAGE_4(op, stages) {SCH_D3D_OP_##op, stages},
#include "d3d/check/check.def"
};

static bool is_out_of_stage_4(const struct sch_d3d_check *check, unsigned opcode)
{
    for (size_t i = 0; i < sizeof stages_4 / sizeof *stages_4 && check->model < 50; i++)
        if (stages_4[i].opcode == opcode) return !sch_d3d_in_stage(check, stages_4[i].stages);
    return false;
}

static void check_stage(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                        const struct sch_d3d_op_info *info)
{
    if (sch_d3d_in_stage(check, info->stages) && !is_out_of_stage_4(check, info->opcode)) return;
    /* Views in every stage came with Direct3D 11.1; the program does not say which one it is for. */
    if (info->flags & (SCH_D3D_F_ALL_11_1 | SCH_D3D_F_ALL_5) && check->model >= 50) return;
    const struct sch_d3d_word *stage = sch_d3d_word_by_number(SCH_D3D_WORDS_STAGE, check->program->stage);
    SCH_D3D_REPORT(check, D3D_STAGE, instruction, "%s is not allowed in %s", info->word, stage->word);
}

/* Vocabulary FLAG. */
enum { DOUBLES = 2, MINIMUM_PRECISION = 32, DOUBLE_EXTENSIONS = 64, SHADER_EXTENSIONS = 128 };

static void check_flags(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                        const struct sch_d3d_op_info *info)
{
    uint32_t needed = 0;
    if (info->flags & SCH_D3D_F_EXTENDED)
        needed = info->flags & SCH_D3D_F_DOUBLE ? DOUBLE_EXTENSIONS : SHADER_EXTENSIONS;
    else if (info->flags & SCH_D3D_F_DOUBLE)
        needed = DOUBLES | DOUBLE_EXTENSIONS;
    for (unsigned i = 0; i < instruction->operand_count && !needed; i++)
        if (instruction->operands[i].precision) needed = MINIMUM_PRECISION;
    if (!needed || check->global_flags & needed) return;
    uint32_t first = needed & (0 - needed);
    SCH_D3D_REPORT(check, D3D_FLAG, instruction, "%s needs dcl_globalFlags %s", info->word,
                   sch_d3d_word_by_number(SCH_D3D_WORDS_FLAG, first)->word);
}

static void check_instruction(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_op_info *info = sch_d3d_row(instruction);
    check_stage(check, instruction, info);
    check_model(check, instruction, info);
    check_flags(check, instruction, info);
    sch_d3d_check_flow(check, instruction);
    if (info->flags & (SCH_D3D_F_DECLARATION | SCH_D3D_F_CUSTOM)) {
        sch_d3d_check_declaration(check, instruction, info);
        return;
    }
    sch_d3d_check_operands(check, instruction, info);
    sch_d3d_check_access(check, instruction, info);
}

static void run(struct sch_d3d_check *check)
{
    sch_d3d_check_collect(check);
    sch_d3d_check_read_signatures(check);
    for (size_t i = 0; i < check->program->count; i++) check_instruction(check, &check->program->instructions[i]);
    sch_d3d_check_flow_end(check);
    sch_d3d_check_stage(check);
    sch_d3d_check_geometry(check);
}

enum sch_result sch_d3d_check(const struct sch_d3d_program *program, const struct sch_d3d_signature *signatures,
                              struct sch_diagnostics *diagnostics)
{
    static const char stages[SCH_D3D_STAGE_COUNT] = {
        [SCH_D3D_PIXEL] = 'p', [SCH_D3D_VERTEX] = 'v', [SCH_D3D_GEOMETRY] = 'g',
        [SCH_D3D_HULL] = 'h',  [SCH_D3D_DOMAIN] = 'd', [SCH_D3D_COMPUTE] = 'c'};
    if (!program->major) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_DXBC_NO_PROGRAM, (struct sch_position){0},
                            "the container has neither SHDR nor SHEX");
        return SCH_ERROR_INVALID;
    }
    struct sch_arena arena;
    sch_arena_init(&arena, &program->arena.allocator, program->arena.limit);
    struct sch_d3d_check *check = SCH_ARENA_NEW(&arena, struct sch_d3d_check);
    if (!check) {
        sch_arena_release(&arena);
        return SCH_ERROR_MEMORY;
    }
    check->program = program;
    check->signatures = signatures;
    check->diagnostics = diagnostics;
    check->arena = arena;
    check->stage = stages[program->stage < SCH_D3D_STAGE_COUNT ? program->stage : SCH_D3D_PIXEL];
    check->model = (uint8_t)(10 * program->major + program->minor);
    check->spaces = sch_d3d_has_spaces(program);
    check->phase.number = 1;
    run(check);

    bool out_of_memory = check->arena.failed;
    bool wrong = check->errors > 0;
    arena = check->arena; /* the check itself is in it */
    sch_arena_release(&arena);
    return out_of_memory ? SCH_ERROR_MEMORY : wrong ? SCH_ERROR_INVALID : SCH_OK;
}
