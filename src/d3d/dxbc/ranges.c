/* Which units the declared registers of resources become. Up to model 5.0 a register's number is its unit's. From 5.1
 * on, ranges take consecutive units of their file in the order of the program; what does not fit, and ranges without
 * end, come after and share what the others leave. */
#include "d3d/dxbc/ranges.h"

#include <stdlib.h>

#include "d3d/dxbc/shader.h"
#include "isa/isa.h"

typedef const struct sch_d3d_instruction instruction;

/* Files that hold units of ranges. */
static const uint8_t files[] = {SCH_FILE_CONSTANT, SCH_FILE_SAMPLER, SCH_FILE_SAMPLER_VIEW, SCH_FILE_BUFFER,
                                SCH_FILE_IMAGE};

/* The file that a declaration's registers become, and in *type the register; SCH_FILE_COUNT: another declaration. */
static unsigned file_of(instruction *in, uint8_t *type)
{
    static const struct {
        uint8_t opcode, type, file;
    } rows[] = {{SCH_D3D_OP_DCL_CONSTANT_BUFFER, SCH_D3D_REGISTER_CONSTANT_BUFFER, SCH_FILE_CONSTANT},
                {SCH_D3D_OP_DCL_SAMPLER, SCH_D3D_REGISTER_SAMPLER, SCH_FILE_SAMPLER},
                {SCH_D3D_OP_DCL_RESOURCE, SCH_D3D_REGISTER_RESOURCE, SCH_FILE_SAMPLER_VIEW},
                {SCH_D3D_OP_DCL_RESOURCE_RAW, SCH_D3D_REGISTER_RESOURCE, SCH_FILE_BUFFER},
                {SCH_D3D_OP_DCL_RESOURCE_STRUCTURED, SCH_D3D_REGISTER_RESOURCE, SCH_FILE_BUFFER},
                {SCH_D3D_OP_DCL_UAV_TYPED, SCH_D3D_REGISTER_VIEW, SCH_FILE_IMAGE},
                {SCH_D3D_OP_DCL_UAV_RAW, SCH_D3D_REGISTER_VIEW, SCH_FILE_BUFFER},
                {SCH_D3D_OP_DCL_UAV_STRUCTURED, SCH_D3D_REGISTER_VIEW, SCH_FILE_BUFFER}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].opcode != in->opcode || !in->operand_count || in->operands[0].type != rows[i].type) continue;
        *type = rows[i].type;
        return rows[i].file;
    }
    return SCH_FILE_COUNT;
}

/* Up to model 5.0: one register, whose number says all. */
static bool read_register(instruction *in, struct sch_d3d_range *range)
{
    const struct sch_d3d_operand *operand = &in->operands[0];
    if (operand->index[0].value > INT16_MAX / 2) return false; /* one without a number is not asked for */
    bool bytes = range->type == SCH_D3D_REGISTER_RESOURCE && range->file == SCH_FILE_BUFFER;
    range->id = operand->index[0].value;
    range->first = (uint32_t)range->id;
    range->count = range->units = 1;
    range->unit = range->first + (bytes ? SCH_D3D_BYTE_UNITS : 0);
    return true;
}

/* 5.1: identifier, first and last register; the space is the last word. */
static bool read_range(instruction *in, struct sch_d3d_range *range)
{
    const struct sch_d3d_index *index = in->operands[0].index;
    if (in->operands[0].index_count != 3 || !in->literal_count) return false;
    if (index[1].value > index[2].value || index[2].value > UINT32_MAX) return false;
    for (unsigned i = 0; i < 3; i++)
        if (index[i].relative) return false;
    range->id = index[0].value;
    range->first = (uint32_t)index[1].value;
    range->space = in->literals[in->literal_count - 1];
    range->count = index[2].value == UINT32_MAX ? 0 : (uint32_t)(index[2].value - index[1].value) + 1;
    return true;
}

/* How many units a range wants: one without end takes what it gets. */
static uint32_t wish(const struct sch_d3d_range *range)
{
    return range->count && range->count < SCH_D3D_UNITS ? range->count : SCH_D3D_UNITS;
}

/* Ranges that want no more than an even share get what they want, and come first, so that numbers stay small; the
 * others get even shares of the rest. */
static void give_units(struct sch_d3d_ranges *ranges, unsigned file, uint32_t first)
{
    uint32_t all = 0, large = 0, next = first, share = 0;
    for (size_t i = 0; i < ranges->count; i++) all += ranges->items[i].file == file;
    uint32_t even = all ? (SCH_D3D_UNITS - first) / all : 0;
    for (size_t i = 0; i < ranges->count; i++) {
        struct sch_d3d_range *range = &ranges->items[i];
        if (range->file != file) continue;
        bool small = wish(range) <= even;
        range->units = small ? wish(range) : 0;
        range->unit = next;
        next += range->units;
        large += !small;
    }
    if (large) share = (SCH_D3D_UNITS - next) / large;
    for (size_t i = 0; i < ranges->count; i++) {
        struct sch_d3d_range *range = &ranges->items[i];
        if (range->file != file || range->units) continue;
        range->units = wish(range) < share ? wish(range) : share;
        range->unit = next;
        next += range->units;
    }
}

static bool has_interfaces(const struct sch_d3d_program *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (program->instructions[i].opcode == SCH_D3D_OP_DCL_INTERFACE) return true;
    return false;
}

static int compare(const void *a, const void *b)
{
    const struct sch_d3d_range *left = a, *right = b;
    int by = sch_d3d_order(left->type, right->type);
    if (!by) by = sch_d3d_order(left->id, right->id);
    return by ? by : sch_d3d_order((uintptr_t)left->declaration, (uintptr_t)right->declaration); /* one array */
}

bool sch_d3d_list_ranges(const struct sch_d3d_program *program, struct sch_arena *arena, struct sch_d3d_ranges *ranges)
{
    bool spaces = sch_d3d_has_spaces(program);
    size_t most = 0;
    uint8_t type;
    *ranges = (struct sch_d3d_ranges){0};
    for (size_t i = 0; i < program->count; i++) most += file_of(&program->instructions[i], &type) < SCH_FILE_COUNT;
    if (!most) return true;
    ranges->items = SCH_ARENA_ARRAY(arena, struct sch_d3d_range, most);
    if (!ranges->items) return false;
    for (size_t i = 0; i < program->count; i++) {
        instruction *in = &program->instructions[i];
        struct sch_d3d_range range = {.declaration = in};
        range.file = (uint8_t)file_of(in, &range.type);
        if (range.file == SCH_FILE_COUNT) continue;
        if (spaces ? read_range(in, &range) : read_register(in, &range)) ranges->items[ranges->count++] = range;
    }
    if (spaces)
        for (size_t f = 0; f < sizeof files; f++) {
            bool behind = files[f] == SCH_FILE_CONSTANT && has_interfaces(program);
            give_units(ranges, files[f], behind ? SCH_D3D_CHOSEN_THIS + 1 : 0);
        }
    if (ranges->count) qsort(ranges->items, ranges->count, sizeof *ranges->items, compare);
    return true;
}

const struct sch_d3d_range *sch_d3d_find_range(const struct sch_d3d_ranges *ranges, unsigned type, uint64_t id)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sch_d3d_range *range = &ranges->items[middle];
        if (range->type < type || (range->type == type && range->id < id))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < ranges->count && ranges->items[low].type == type && ranges->items[low].id == id;
    return found ? &ranges->items[low] : NULL;
}
