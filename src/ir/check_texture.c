/* Rules of texture lookups: the two styles of opcode, which targets each opcode takes, views and samplers that belong
 * together, offsets. */
#include "ir/check_internal.h"
#include "ir/lookup.h"

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

static const struct sch_ir_lookup *lookup_of(const struct sch_op_info *info)
{
    return sch_ir_lookup(info->opcode, info->srcs);
}

/* Whether it filters, which buffers and multisampled textures are not. */
static bool filters(const struct sch_ir_lookup *lookup)
{
    return lookup->kind == SCH_PREPARED_SAMPLE || lookup->kind == SCH_PREPARED_PROJECT ||
           lookup->kind == SCH_PREPARED_LOD;
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

/* Where a reference value may have no room after the coordinates: the less, as TXB, TXL and TXP have something in
 * w. */
static unsigned targets_without_room(const struct sch_ir_lookup *lookup)
{
    if (lookup->compares != SCH_IR_COMPARES_TARGET || lookup->where != SCH_IR_REFERENCE_BEHIND) return 0;
    return lookup->kind == SCH_PREPARED_PROJECT || lookup->value == 0 ? W_TAKEN : T(SHADOWCUBE_ARRAY);
}

/* What the variants with another operand are for; 0: it is not one. */
static unsigned targets_of_variant(const struct sch_ir_lookup *lookup)
{
    if (lookup->compares != SCH_IR_COMPARES_TARGET || lookup->kind != SCH_PREPARED_SAMPLE) return 0;
    if (lookup->where == SCH_IR_REFERENCE_OPERAND) return TEX2_TARGETS;
    if (lookup->where == SCH_IR_REFERENCE_BEHIND) return 0;
    return lookup->mode == SCH_LOD_BIAS ? TXB2_TARGETS : TXL2_TARGETS;
}

static void check_operand_room(struct sch_check *check, const struct sch_ir_instruction *instruction,
                               const struct sch_op_info *info, unsigned target)
{
    const struct sch_ir_lookup *lookup = lookup_of(info);
    const unsigned bit = 1u << target, variant = targets_of_variant(lookup);
    if (bit & targets_without_room(lookup))
        SCH_CHECK_REPORT(check, NO_ROOM, instruction->position, "%s has no component left for %s", info->name,
                         sch_check_target_word(target));
    if (variant && !(bit & variant))
        SCH_CHECK_REPORT(check, SECOND_OPERAND_TARGET, instruction->position, "%s is not described for %s", info->name,
                         sch_check_target_word(target));
}

/* A fetch through a view of its own. */
static void check_view_fetch(struct sch_check *check, const struct sch_ir_instruction *instruction,
                             const struct sch_op_info *info, unsigned target)
{
    if (1u << target & ANY_CUBES)
        SCH_CHECK_REPORT(check, VIEW_CUBE, instruction->position, "%s cannot fetch from a cube", info->name);
    if (1u << target & MULTISAMPLED && lookup_of(info)->kind != SCH_PREPARED_FETCH_MS)
        SCH_CHECK_REPORT(check, VIEW_MULTISAMPLED, instruction->position,
                         "SAMPLE_I does not say which sample: use SAMPLE_I_MS");
}

static void check_target(struct sch_check *check, const struct sch_ir_instruction *instruction,
                         const struct sch_op_info *info, unsigned target)
{
    const struct sch_ir_lookup *lookup = lookup_of(info);
    const unsigned bit = 1u << target;
    if (filters(lookup) && bit & (MULTISAMPLED | T(BUFFER)))
        SCH_CHECK_REPORT(check, TARGET_NOT_FILTERED, instruction->position, "%s cannot sample %s", info->name,
                         sch_check_target_word(target));
    if (lookup->kind == SCH_PREPARED_GATHER) check_gather(check, instruction, info, target);
    if (sch_ir_fetches(lookup))
        (style_of(info) == STYLE_TEX ? check_fetch : check_view_fetch)(check, instruction, info, target);
    if (lookup->kind == SCH_PREPARED_SAMPLE && lookup->compares == SCH_IR_COMPARES_ALWAYS && bit & T(3D))
        SCH_CHECK_REPORT(check, COMPARED_3D, instruction->position, "%s cannot compare in 3D", info->name);
    check_operand_room(check, instruction, info, target);
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
    if (count > 1 && !(lookup_of(info)->kind == SCH_PREPARED_GATHER && count == 4))
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
