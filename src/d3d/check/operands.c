/* Operands by the slot they are in: which register files it takes, how components are named, modifiers. */
#include "d3d/check/internal.h"

/* Write masks that are not free. */
enum mask_shape { SHAPE_FREE, SHAPE_ALL, SHAPE_PREFIX, SHAPE_ONE, SHAPE_TWO, SHAPE_PAIRS };

static const struct {
    uint8_t opcode, operand, shape;
} masks[] = {
#define D3D_MASK(op, operand, shape) {SCH_D3D_OP_##op, operand, SHAPE_##shape},
#include "d3d/check/check.def"
};

static const uint8_t bitwise[] = {
#define D3D_BITWISE(op) SCH_D3D_OP_##op,
#include "d3d/check/check.def"
};

static enum mask_shape shape_of(const struct sch_d3d_instruction *instruction, unsigned operand, char type)
{
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
        if (masks[i].opcode == instruction->opcode && masks[i].operand == operand)
            return (enum mask_shape)masks[i].shape;
    return type == 'd' ? SHAPE_PAIRS : SHAPE_FREE;
}

static bool shape_holds(enum mask_shape shape, unsigned mask)
{
    unsigned count = (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
    switch (shape) {
    case SHAPE_ALL:
        return mask == 0xf;
    case SHAPE_PREFIX:
        return (mask & (mask + 1)) == 0;
    case SHAPE_ONE:
        return count == 1;
    case SHAPE_TWO:
        return count <= 2;
    case SHAPE_PAIRS:
        return mask == 0x3 || mask == 0xc || mask == 0xf;
    default:
        return true;
    }
}

/* What an operand's check is given. */
struct slot {
    const struct sch_d3d_instruction *instruction;
    const struct sch_d3d_op_info *info;
    const struct sch_d3d_operand *operand;
    unsigned number;
    char role, type;
};

static void check_mask(struct sch_d3d_check *check, const struct slot *slot)
{
    const struct sch_d3d_operand *operand = slot->operand;
    bool swizzled = operand->form == SCH_D3D_FORM_SWIZZLE || operand->form == SCH_D3D_FORM_SELECT;
    if (swizzled && slot->role != 'V') { /* views of atomics name no components */
        SCH_D3D_REPORT(check, D3D_COMPONENTS, slot->instruction, "%s: the destination %s has a swizzle, no write mask",
                       slot->info->word, SCH_D3D_NAMED(slot->operand));
        return;
    }
    if (operand->form != SCH_D3D_FORM_MASK) return;
    if (!operand->select)
        SCH_D3D_REPORT(check, D3D_MASK_EMPTY, slot->instruction, "%s: the destination %s has an empty write mask",
                       slot->info->word, SCH_D3D_NAMED(slot->operand));
    else if (!shape_holds(shape_of(slot->instruction, slot->number, slot->type), operand->select))
        SCH_D3D_REPORT(check, D3D_MASK_SHAPE, slot->instruction, "%s cannot write these components of %s",
                       slot->info->word, SCH_D3D_NAMED(slot->operand));
}

static void check_destination(struct sch_d3d_check *check, const struct slot *slot)
{
    const struct sch_d3d_operand *operand = slot->operand;
    if (!sch_d3d_may(operand->type, 'w') && !(slot->role == 'N' && sch_d3d_may(operand->type, 'n'))) {
        SCH_D3D_REPORT(check, D3D_DESTINATION_REGISTER, slot->instruction, "%s: the destination %s cannot be written",
                       slot->info->word, SCH_D3D_NAMED(slot->operand));
        return;
    }
    if (operand->modifier)
        SCH_D3D_REPORT(check, D3D_MODIFIER, slot->instruction, "%s: the destination %s has a modifier",
                       slot->info->word, SCH_D3D_NAMED(slot->operand));
    check_mask(check, slot);
    sch_d3d_check_register(check, slot->instruction, operand, slot->role);
}

/* Doubles are in the pairs xy and zw. */
static bool pairs_hold(const struct sch_d3d_operand *operand)
{
    if (operand->type == SCH_D3D_REGISTER_IMMEDIATE64) return true;
    if (operand->form != SCH_D3D_FORM_SWIZZLE) return false;
    for (unsigned i = 0; i < 2; i++) {
        unsigned pair = operand->select >> (4 * i) & 0xf;
        if (pair != 0x4 && pair != 0xe) return false; /* xy, zw */
    }
    return true;
}

static bool is_one_component(const struct sch_d3d_operand *operand)
{
    if (operand->value_count > 1) return false;
    return operand->form != SCH_D3D_FORM_SWIZZLE || operand->select == (operand->select & 3) * 0x55;
}

static void check_source_components(struct sch_d3d_check *check, const struct slot *slot)
{
    const struct sch_d3d_operand *operand = slot->operand;
    if (operand->form == SCH_D3D_FORM_MASK && !operand->value_count)
        SCH_D3D_REPORT(check, D3D_COMPONENTS, slot->instruction, "%s: the source %s has a write mask", slot->info->word,
                       SCH_D3D_NAMED(slot->operand));
    else if (slot->role == 'C' && !is_one_component(operand))
        SCH_D3D_REPORT(check, D3D_NOT_ONE_COMPONENT, slot->instruction, "%s reads one component of %s",
                       slot->info->word, SCH_D3D_NAMED(operand));
    else if (slot->type != 'd' && operand->type == SCH_D3D_REGISTER_IMMEDIATE64)
        SCH_D3D_REPORT(check, D3D_COMPONENTS, slot->instruction, "%s reads no doubles here", slot->info->word);
    else if (slot->type == 'd' && !pairs_hold(operand))
        SCH_D3D_REPORT(check, D3D_SWIZZLE_DOUBLE, slot->instruction, "%s: %s is not pairs of components",
                       slot->info->word, SCH_D3D_NAMED(slot->operand));
}

static void check_source_modifier(struct sch_d3d_check *check, const struct slot *slot)
{
    uint8_t modifier = slot->operand->modifier;
    if (!modifier) return;
    if (memchr(bitwise, slot->instruction->opcode, sizeof bitwise))
        SCH_D3D_REPORT(check, D3D_MODIFIER, slot->instruction, "%s takes no modifiers", slot->info->word);
    else if (modifier & SCH_D3D_ABSOLUTE && (slot->type == 'i' || slot->type == 'u'))
        SCH_D3D_REPORT(check, D3D_MODIFIER, slot->instruction, "%s: the absolute value of the integer %s",
                       slot->info->word, SCH_D3D_NAMED(slot->operand));
}

/* The address of a lookup is the first source before the texture. */
static bool is_address(const struct slot *slot)
{
    for (unsigned i = 0; i < slot->number; i++)
        if (strchr("SC", sch_d3d_operand_role(slot->info, i))) return false;
    return strchr(slot->info->operands, 'P');
}

/* Clamps of _cl_s may be null. */
static bool may_be_null(const struct slot *slot)
{
    return slot->role == 'C' && slot->info->flags & SCH_D3D_F_TILED &&
           slot->number + 1 == sch_d3d_operand_count(slot->info);
}

static void check_source(struct sch_d3d_check *check, const struct slot *slot)
{
    const struct sch_d3d_operand *operand = slot->operand;
    if (operand->type == SCH_D3D_REGISTER_NULL && may_be_null(slot)) return;
    if (!sch_d3d_may(operand->type, 'r')) {
        if (is_address(slot))
            SCH_D3D_REPORT(check, D3D_ADDRESS_REGISTER, slot->instruction, "%s: the address cannot be %s",
                           slot->info->word, SCH_D3D_NAMED(slot->operand));
        else
            SCH_D3D_REPORT(check, D3D_SOURCE_REGISTER, slot->instruction, "%s: %s cannot be read", slot->info->word,
                           SCH_D3D_NAMED(slot->operand));
        return;
    }
    check_source_components(check, slot);
    check_source_modifier(check, slot);
    sch_d3d_check_register(check, slot->instruction, operand, slot->role);
}

/* Slots that take one kind of register, and those whose registers access.c looks at. */
static void check_named(struct sch_d3d_check *check, const struct slot *slot)
{
    static const struct {
        char role;
        uint8_t type;
        const char *what;
    } named[] = {{'M', SCH_D3D_REGISTER_STREAM, "a stream m#"}, {'F', SCH_D3D_REGISTER_INTERFACE, "an interface fp#"}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (named[i].role != slot->role) continue;
        if (slot->operand->type == named[i].type)
            sch_d3d_check_register(check, slot->instruction, slot->operand, slot->role);
        else
            SCH_D3D_REPORT(check, D3D_SOURCE_REGISTER, slot->instruction, "%s takes %s, not %s", slot->info->word,
                           named[i].what, SCH_D3D_NAMED(slot->operand));
    }
    if (slot->role == 'I' && slot->operand->type != SCH_D3D_REGISTER_IMMEDIATE32)
        SCH_D3D_REPORT(check, D3D_LITERAL, slot->instruction, "%s takes a literal, not %s", slot->info->word,
                       SCH_D3D_NAMED(slot->operand));
    if (slot->operand->modifier)
        SCH_D3D_REPORT(check, D3D_MODIFIER, slot->instruction, "%s: %s has a modifier", slot->info->word,
                       SCH_D3D_NAMED(slot->operand));
}

/* "_sat" is of floats: the rows of the opcodes have it where the result is one, or has no type. */
static void check_saturation(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                             const struct sch_d3d_op_info *info)
{
    if (!sch_d3d_has_field(info, SCH_D3D_FIELD_SAT) || !sch_d3d_get(instruction->controls, SCH_D3D_FIELD_SAT)) return;
    if (!instruction->operand_count || !strchr("iub", sch_d3d_operand_type(info, 0))) return;
    SCH_D3D_REPORT(check, D3D_MODIFIER, instruction, "%s has no float result to saturate", info->word);
}

/* The interpolated input of eval_*: "dst, v#". */
static void check_evaluated(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                            const struct sch_d3d_op_info *info)
{
    if (instruction->opcode < SCH_D3D_OP_EVAL_SNAPPED || instruction->opcode > SCH_D3D_OP_EVAL_CENTROID) return;
    if (instruction->operands[1].type != SCH_D3D_REGISTER_INPUT)
        SCH_D3D_REPORT(check, D3D_EVALUATED, instruction, "%s evaluates inputs v#, not %s", info->word,
                       SCH_D3D_NAMED(&instruction->operands[1]));
}

/* "graphics: uglobal only"; threads and shared memory are in compute shaders. */
static void check_sync(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    enum { GLOBAL = 8 }; /* vocabulary SYNC */
    if (instruction->opcode != SCH_D3D_OP_SYNC) return;
    uint32_t what = sch_d3d_get(instruction->controls, SCH_D3D_FIELD_SYNC);
    if (!what || (check->stage != 'c' && what != GLOBAL))
        SCH_D3D_REPORT(check, D3D_SYNC, instruction, "%s",
                       what ? "outside of compute shaders, sync is sync_uglobal" : "sync for nothing");
}

void sch_d3d_check_operands(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                            const struct sch_d3d_op_info *info)
{
    for (unsigned i = 0; i < sch_d3d_operand_count(info); i++) {
        struct slot slot = {instruction,
                            info,
                            &instruction->operands[i],
                            i,
                            sch_d3d_operand_role(info, i),
                            sch_d3d_operand_type(info, i)};
        if (strchr("DN", slot.role))
            check_destination(check, &slot);
        else if (strchr("SC", slot.role))
            check_source(check, &slot);
        else
            check_named(check, &slot);
        if (slot.role == 'V') check_mask(check, &slot);
    }
    check_saturation(check, instruction, info);
    check_evaluated(check, instruction, info);
    check_sync(check, instruction);
}
