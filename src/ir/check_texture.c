/* Rules of texture lookups: the two styles of opcode, which targets each opcode takes, views and samplers that belong
 * together, offsets. */
#include "ir/check_internal.h"

#define T(name) (1u << SCH_TARGET_##name)
enum {
    CUBES = T(CUBE) | T(CUBE_ARRAY),
    MULTISAMPLED = T(2D_MSAA) | T(2D_ARRAY_MSAA),
    SHADOWS = T(SHADOW1D) | T(SHADOW2D) | T(SHADOWRECT) | T(SHADOW1D_ARRAY) | T(SHADOW2D_ARRAY) | T(SHADOWCUBE) |
              T(SHADOWCUBE_ARRAY),
    ANY_CUBES = CUBES | T(SHADOWCUBE) | T(SHADOWCUBE_ARRAY),
    /* "Only works with 2D, 2D array, cubemaps, and cubemaps arrays"; SM5 adds comparisons. */
    GATHERED = T(2D) | T(2D_ARRAY) | T(SHADOW2D) | T(SHADOW2D_ARRAY) | ANY_CUBES,
    GATHERED_BY_PRODUCERS = T(RECT) | T(SHADOWRECT),
    /* Targets whose coordinates and reference value fill all four components, so that w holds nothing else. */
    W_TAKEN = T(CUBE_ARRAY) | T(SHADOW2D_ARRAY) | T(SHADOWCUBE) | T(SHADOWCUBE_ARRAY),
    TEX2_TARGETS = T(SHADOWCUBE_ARRAY),
    TXB2_TARGETS = T(CUBE_ARRAY) | T(SHADOWCUBE) | T(SHADOWCUBE_ARRAY),
    TXL2_TARGETS = T(CUBE_ARRAY) | T(SHADOWCUBE_ARRAY)
};

enum style { STYLE_NONE, STYLE_TEX, STYLE_SAMPLE };

static enum style style_of(const struct sch_op_info *info)
{
    if (info->shape != SCH_SHAPE_TEX) return STYLE_NONE;
    return info->flags & SCH_OPF_SAMPLE ? STYLE_SAMPLE : STYLE_TEX;
}

static void check_styles(struct sch_check *check, const struct sch_ir_instruction *instruction,
                         const struct sch_op_info *info)
{
    if (style_of(info) == STYLE_TEX) check->uses_tex = true;
    if (style_of(info) == STYLE_SAMPLE) check->uses_sample = true;
    if (!check->uses_tex || !check->uses_sample || check->told_mixed) return;
    check->told_mixed = true;
    SCH_CHECK_REPORT(check, STYLES_MIXED, instruction->position, "%s in a shader that has %s opcodes", info->name,
                     style_of(info) == STYLE_TEX ? "SAMPLE" : "TEX");
}

/* Whether the opcode filters, which buffers and multisampled textures are not. */
static bool filters(unsigned opcode)
{
    switch (opcode) {
    case SCH_OP_TXF:
    case SCH_OP_TXF_LZ:
    case SCH_OP_TXQ:
    case SCH_OP_TXQS:
    case SCH_OP_SAMPLE_I:
    case SCH_OP_SAMPLE_I_MS:
    case SCH_OP_SVIEWINFO:
    case SCH_OP_SAMPLE_POS:
    case SCH_OP_SAMPLE_INFO:
        return false;
    default:
        return true;
    }
}

static bool gathers(unsigned opcode)
{
    return opcode == SCH_OP_TG4 || opcode == SCH_OP_GATHER4 || opcode == SCH_OP_GATHER4_C ||
           opcode == SCH_OP_GATHER4_PO || opcode == SCH_OP_GATHER4_PO_C;
}

static void check_gather(struct sch_check *check, const struct sch_ir_instruction *instruction,
                         const struct sch_op_info *info, unsigned target)
{
    unsigned bit = 1u << target;
    if (bit & GATHERED_BY_PRODUCERS)
        SCH_CHECK_REPORT(check, GATHER_RECT, instruction->position, "%s is not described for %s", info->name,
                         sch_check_target_word(target));
    else if (!(bit & (GATHERED | T(UNKNOWN))))
        SCH_CHECK_REPORT(check, GATHER_TARGET, instruction->position, "%s cannot gather from %s", info->name,
                         sch_check_target_word(target));
}

static void check_fetch(struct sch_check *check, const struct sch_ir_instruction *instruction,
                        const struct sch_op_info *info, unsigned target)
{
    if (1u << target & SHADOWS)
        SCH_CHECK_REPORT(check, FETCH_SHADOW, instruction->position, "%s cannot fetch from %s", info->name,
                         sch_check_target_word(target));
    if (1u << target & CUBES)
        SCH_CHECK_REPORT(check, FETCH_CUBE, instruction->position, "%s is not described for %s", info->name,
                         sch_check_target_word(target));
}

/* TEX, TXB, TXL, TXP put something in w; their variants with another operand are for the targets that have no room. */
static void check_operand_room(struct sch_check *check, const struct sch_ir_instruction *instruction,
                               const struct sch_op_info *info, unsigned target)
{
    unsigned bit = 1u << target, taken = 0, variant = 0;
    switch (info->opcode) {
    case SCH_OP_TEX:
    case SCH_OP_TEX_LZ:
    case SCH_OP_TXD:
        taken = T(SHADOWCUBE_ARRAY);
        break;
    case SCH_OP_TXB:
    case SCH_OP_TXL:
    case SCH_OP_TXP:
        taken = W_TAKEN;
        break;
    case SCH_OP_TEX2:
        variant = TEX2_TARGETS;
        break;
    case SCH_OP_TXB2:
        variant = TXB2_TARGETS;
        break;
    case SCH_OP_TXL2:
        variant = TXL2_TARGETS;
        break;
    case SCH_OP_TG4:
        taken = info->srcs == 2 ? T(SHADOWCUBE_ARRAY) : 0; /* without the operand that the reference would stand in */
        break;
    default:
        return;
    }
    if (bit & taken)
        SCH_CHECK_REPORT(check, NO_ROOM, instruction->position, "%s has no component left for %s", info->name,
                         sch_check_target_word(target));
    if (variant && !(bit & variant))
        SCH_CHECK_REPORT(check, SECOND_OPERAND_TARGET, instruction->position, "%s is not described for %s", info->name,
                         sch_check_target_word(target));
}

static void check_target(struct sch_check *check, const struct sch_ir_instruction *instruction,
                         const struct sch_op_info *info, unsigned target)
{
    unsigned bit = 1u << target;
    if (filters(info->opcode) && bit & (MULTISAMPLED | T(BUFFER)) && !gathers(info->opcode))
        SCH_CHECK_REPORT(check, TARGET_NOT_FILTERED, instruction->position, "%s cannot sample %s", info->name,
                         sch_check_target_word(target));
    if (gathers(info->opcode)) check_gather(check, instruction, info, target);
    switch (info->opcode) {
    case SCH_OP_TXF:
    case SCH_OP_TXF_LZ:
        check_fetch(check, instruction, info, target);
        break;
    case SCH_OP_SAMPLE_I:
    case SCH_OP_SAMPLE_I_MS:
        if (bit & ANY_CUBES)
            SCH_CHECK_REPORT(check, VIEW_CUBE, instruction->position, "%s cannot fetch from a cube", info->name);
        if (bit & MULTISAMPLED && info->opcode == SCH_OP_SAMPLE_I)
            SCH_CHECK_REPORT(check, VIEW_MULTISAMPLED, instruction->position,
                             "SAMPLE_I does not say which sample: use SAMPLE_I_MS");
        break;
    case SCH_OP_SAMPLE_C:
    case SCH_OP_SAMPLE_C_LZ:
    case SCH_OP_SAMPLE_C_CL:
        if (bit & T(3D))
            SCH_CHECK_REPORT(check, COMPARED_3D, instruction->position, "%s cannot compare in 3D", info->name);
        break;
    default:
        check_operand_room(check, instruction, info, target);
        break;
    }
}

/* The view that belongs to an operand: its own register for SAMPLE opcodes, the sampler's number for TEX opcodes. */
static const struct sch_ir_declaration *view_of(const struct sch_check *check, const struct sch_ir_src *src)
{
    bool handle = src->file != SCH_FILE_SAMPLER && src->file != SCH_FILE_SAMPLER_VIEW;
    if (handle || src->index.is_indirect) return NULL;
    const struct sch_check_range *range = sch_check_find(check, SCH_FILE_SAMPLER_VIEW, 0, src->index.index);
    return range ? range->declaration : NULL;
}

static void check_tex_target(struct sch_check *check, const struct sch_ir_instruction *instruction,
                             const struct sch_op_info *info)
{
    if (!instruction->has_texture || instruction->target >= SCH_TARGET_COUNT) {
        SCH_CHECK_REPORT(check, TARGET_MISSING, instruction->position, "%s needs a target", info->name);
        return;
    }
    const struct sch_ir_declaration *view = view_of(check, &instruction->src[info->srcs - 1]);
    unsigned target = instruction->target;
    if (target == SCH_TARGET_UNKNOWN) {
        SCH_CHECK_REPORT(check, TARGET_UNKNOWN, instruction->position, "%s does not say what it looks into",
                         info->name);
        target = view && view->target < SCH_TARGET_UNKNOWN ? view->target : (unsigned)SCH_TARGET_2D;
    } else if (view && view->target != target && view->target < SCH_TARGET_UNKNOWN) {
        SCH_CHECK_REPORT(check, TARGET_DIFFERS, instruction->position, "%s of %s through a view declared as %s",
                         info->name, sch_check_target_word(target), sch_check_target_word(view->target));
    }
    check_target(check, instruction, info, target);
}

static void check_view_target(struct sch_check *check, const struct sch_ir_instruction *instruction,
                              const struct sch_op_info *info)
{
    for (unsigned i = 0; i < info->srcs; i++) {
        const struct sch_ir_src *src = &instruction->src[i];
        if (info->src_type[i] != 'R' || src->file != SCH_FILE_SAMPLER_VIEW) continue;
        const struct sch_ir_declaration *view = view_of(check, src);
        if (view && view->target < SCH_TARGET_UNKNOWN) check_target(check, instruction, info, view->target);
        if (view && view->target >= SCH_TARGET_UNKNOWN)
            SCH_CHECK_REPORT(check, VIEW_UNKNOWN, instruction->position, "SVIEW[%d] does not say what it is",
                             src->index.index);
        return;
    }
}

static void check_offsets(struct sch_check *check, const struct sch_ir_instruction *instruction,
                          const struct sch_op_info *info)
{
    unsigned count = instruction->offset_count;
    if (count > 1 && !(gathers(info->opcode) && count == 4))
        SCH_CHECK_REPORT(check, OFFSET_COUNT, instruction->position, "%s has %u offsets: only the first counts",
                         info->name, count);
}

void sch_check_texture(struct sch_check *check, const struct sch_ir_instruction *instruction,
                       const struct sch_op_info *info)
{
    check_styles(check, instruction, info);
    check_offsets(check, instruction, info);
    if (style_of(info) == STYLE_TEX)
        check_tex_target(check, instruction, info);
    else
        check_view_target(check, instruction, info);
}

/* "There must be a corresponding SVIEW[#] declaration for each SAMP[#] declaration", where there is any and TEX opcodes
 * are used. One report a declaration, at its first sampler without a view. */
void sch_check_texture_end(struct sch_check *check)
{
    if (!check->uses_tex || !(check->declared & SCH_FILE_BIT(SAMPLER_VIEW))) return;
    for (size_t i = 0; i < check->range_count; i++) {
        const struct sch_check_range *range = &check->ranges[i];
        if (range->declaration->file != SCH_FILE_SAMPLER) continue;
        for (uint32_t n = (uint32_t)range->first; n <= (uint32_t)range->last; n++) {
            if (sch_check_find(check, SCH_FILE_SAMPLER_VIEW, 0, (int)n)) continue;
            SCH_CHECK_REPORT(check, VIEW_MISSING, range->declaration->position,
                             "SAMP[%u] has no SVIEW[%u]: one of FLOAT", n, n);
            break;
        }
    }
}
