/* What belongs to the whole program: resources, samplers, constant buffers, views, memory, streams and interfaces are
 * collected from its declarations before anything else is checked, and found by their numbers. */
#include <stdlib.h>

#include "d3d/check/internal.h"

static void collect(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction, unsigned type,
                    uint64_t id)
{
    if (!SCH_ARENA_GROW(&check->arena, check->declared, check->declared_capacity, check->declared_count)) return;
    check->declared[check->declared_count++] = (struct sch_d3d_declared){(uint8_t)type, id, instruction};
}

/* Declarations that name their register by a number instead of an operand, and the registers that are collected. */
static const uint8_t numbered[][2] = {{SCH_D3D_OP_DCL_FUNCTION_BODY, SCH_D3D_REGISTER_FUNCTION_BODY},
                                      {SCH_D3D_OP_DCL_FUNCTION_TABLE, SCH_D3D_REGISTER_FUNCTION_TABLE},
                                      {SCH_D3D_OP_DCL_INTERFACE, SCH_D3D_REGISTER_INTERFACE}};
static const uint8_t global[] = {SCH_D3D_REGISTER_RESOURCE,        SCH_D3D_REGISTER_SAMPLER,
                                 SCH_D3D_REGISTER_CONSTANT_BUFFER, SCH_D3D_REGISTER_VIEW,
                                 SCH_D3D_REGISTER_SHARED_MEMORY,   SCH_D3D_REGISTER_STREAM};

/* What does not hold is reported later. */
static void take_slots(struct sch_d3d_check *check, uint32_t first, uint32_t size)
{
    if (sch_d3d_slots_hold(first, size) && first + size > check->interface_slots) check->interface_slots = first + size;
}

static void collect_one(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    if (instruction->opcode == SCH_D3D_OP_DCL_GLOBAL_FLAGS)
        check->global_flags |= sch_d3d_get(instruction->controls, SCH_D3D_FIELD_FLAGS);
    if (instruction->opcode == SCH_D3D_OP_DCL_INDEXABLE_TEMP && instruction->literals[0] < SCH_D3D_ARRAYS &&
        instruction->literals[0] >= check->array_count)
        check->array_count = instruction->literals[0] + (size_t)1;
    if (instruction->opcode == SCH_D3D_OP_DCL_INTERFACE)
        take_slots(check, instruction->literals[0], instruction->literals[2] >> 16);
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (numbered[i][0] == instruction->opcode)
            collect(check, instruction, numbered[i][1], instruction->literals[0]);
    if (!instruction->operand_count || !instruction->operands[0].index_count) return;
    if (memchr(global, instruction->operands[0].type, sizeof global))
        collect(check, instruction, instruction->operands[0].type, instruction->operands[0].index[0].value);
}

static int compare_declared(const void *a, const void *b)
{
    const struct sch_d3d_declared *left = a, *right = b;
    int by = sch_d3d_order(left->type, right->type);
    if (!by) by = sch_d3d_order(left->id, right->id);
    return by ? by : sch_d3d_order((uintptr_t)left->instruction, (uintptr_t)right->instruction); /* one array */
}

static void report_twice(struct sch_d3d_check *check, const struct sch_d3d_declared *declared)
{
    const struct sch_d3d_register_info *file = sch_d3d_register_info(declared->type);
    SCH_D3D_REPORT(check, D3D_DECLARED_TWICE, declared->instruction, "%s%llu is declared twice", file->word,
                   (unsigned long long)declared->id);
}

/* Shader model 5.1: the registers of a file that a declaration takes in a space. */
struct taken {
    uint64_t first, last;
    uint32_t space;
    uint8_t type;
    const struct sch_d3d_instruction *instruction;
};

static int compare_taken(const void *a, const void *b)
{
    const struct taken *left = a, *right = b;
    int by = sch_d3d_order(left->type, right->type);
    if (!by) by = sch_d3d_order(left->space, right->space);
    if (!by) by = sch_d3d_order(left->first, right->first);
    return by ? by : sch_d3d_order((uintptr_t)left->instruction, (uintptr_t)right->instruction); /* one array */
}

static void check_spaces(struct sch_d3d_check *check)
{
    struct taken *taken = SCH_ARENA_ARRAY(&check->arena, struct taken, check->declared_count);
    size_t count = 0;
    if (!taken) return;
    for (size_t i = 0; i < check->declared_count; i++) {
        const struct sch_d3d_instruction *at = check->declared[i].instruction;
        if (!sch_d3d_file(check->declared[i].type)->extra || at->operands[0].index_count != 3) continue;
        const struct sch_d3d_index *index = at->operands[0].index;
        taken[count++] = (struct taken){index[1].value, index[2].value, at->literals[at->literal_count - 1],
                                        check->declared[i].type, at};
    }
    if (count) qsort(taken, count, sizeof *taken, compare_taken);
    struct taken *before = NULL;
    for (size_t i = 0; i < count; i++, before = &taken[i - 1]) {
        struct taken *at = &taken[i];
        if (!before || before->type != at->type || before->space != at->space || before->last < at->first) continue;
        SCH_D3D_REPORT(check, D3D_DECLARED_TWICE, at->instruction, "%s%llu of space %u is declared twice",
                       sch_d3d_register_info(at->type)->word, (unsigned long long)at->first, at->space);
        if (at->last < before->last) at->last = before->last; /* the ranges after meet the longer one */
    }
}

void sch_d3d_check_collect(struct sch_d3d_check *check)
{
    for (size_t i = 0; i < check->program->count; i++) {
        const struct sch_d3d_instruction *instruction = &check->program->instructions[i];
        const struct sch_d3d_op_info *info = sch_d3d_row(instruction);
        check->seen[instruction->opcode] = instruction;
        if (info->flags & SCH_D3D_F_DECLARATION) collect_one(check, instruction);
    }
    check->arrays = SCH_ARENA_ARRAY(&check->arena, struct sch_d3d_array, check->array_count);
    if (!check->arrays) check->array_count = 0;
    if (!check->declared_count) return;
    qsort(check->declared, check->declared_count, sizeof *check->declared, compare_declared);
    size_t kept = 1;
    for (size_t i = 1; i < check->declared_count; i++) {
        const struct sch_d3d_declared *declared = &check->declared[i];
        if (declared->type == check->declared[kept - 1].type && declared->id == check->declared[kept - 1].id)
            report_twice(check, declared);
        else
            check->declared[kept++] = *declared;
    }
    check->declared_count = kept;
    if (check->spaces) check_spaces(check);
}

const struct sch_d3d_declared *sch_d3d_find_declared(const struct sch_d3d_check *check, unsigned type, uint64_t id)
{
    size_t low = 0, high = check->declared_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sch_d3d_declared *declared = &check->declared[middle];
        if (declared->type == type && declared->id == id) return declared;
        if (declared->type < type || (declared->type == type && declared->id < id))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

unsigned sch_d3d_declared_kind(const struct sch_d3d_instruction *declaration)
{
    switch (declaration->opcode) {
    case SCH_D3D_OP_DCL_RESOURCE:
    case SCH_D3D_OP_DCL_UAV_TYPED:
        return sch_d3d_get(declaration->controls, SCH_D3D_FIELD_DIMENSION);
    case SCH_D3D_OP_DCL_RESOURCE_RAW:
    case SCH_D3D_OP_DCL_UAV_RAW:
    case SCH_D3D_OP_DCL_TGSM_RAW:
        return SCH_D3D_KIND_RAW;
    case SCH_D3D_OP_DCL_RESOURCE_STRUCTURED:
    case SCH_D3D_OP_DCL_UAV_STRUCTURED:
    case SCH_D3D_OP_DCL_TGSM_STRUCTURED:
        return SCH_D3D_KIND_STRUCTURED;
    default:
        return 0;
    }
}
