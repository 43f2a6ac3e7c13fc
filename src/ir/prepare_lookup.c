/* Texture lookups when a program is made: from an opcode's row and the instruction's target to what exec/run_lookup.c
 * asks. No lookup is refused here: what the language forbids, the validator reports. */
#include "ir/check.h"
#include "ir/lookup.h"
#include "ir/prepare.h"
#include "isa/targets.h"

bool sch_prepare_runs(unsigned opcode)
{
    const struct sch_op_info *info = sch_op_info(opcode);
    return info && (info->shape != SCH_SHAPE_TEX || sch_ir_lookup(opcode, info->srcs));
}

/* The target: the instruction's own, or that of the view's declaration where it has none, else 2D. An indexed view that
 * is not declared itself is like the first one that is. */
static unsigned lookup_target(const struct sch_preparation *d, const struct sch_ir_lookup *row)
{
    const struct sch_ir_instruction *in = d->source;
    bool tex = sch_op_info(in->opcode)->flags & SCH_OPF_TEXTURE;
    if (tex && in->has_texture && in->target < SCH_TARGET_UNKNOWN) return in->target;
    const struct sch_prepared *program = d->program;
    const struct sch_ir_src *view = &in->src[row->view];
    unsigned target = SCH_TARGET_UNKNOWN;
    if (view->file != SCH_FILE_SAMPLER && view->file != SCH_FILE_SAMPLER_VIEW) return SCH_TARGET_2D;
    if (view->index.index >= 0 && (uint32_t)view->index.index < program->view_target_count)
        target = program->view_targets[view->index.index];
    for (uint32_t v = 0; v < program->view_target_count && view->index.is_indirect && target >= SCH_TARGET_UNKNOWN; v++)
        target = program->view_targets[v];
    return target < SCH_TARGET_UNKNOWN ? target : (unsigned)SCH_TARGET_2D;
}

/* "src0.z for shadow textures with no arrays", src0.w for those that need z themselves, and else another operand. */
static struct sch_prepared_operand reference_place(const struct sch_ir_lookup *row, unsigned coordinates)
{
    if (row->where == SCH_IR_REFERENCE_BEHIND || (row->where == SCH_IR_REFERENCE_SPILL && coordinates < 4)) {
        unsigned component = coordinates > 2 ? coordinates : 2;
        return (struct sch_prepared_operand){component < 4 ? 0 : -1, component & 3};
    }
    return (struct sch_prepared_operand){row->reference, row->reference_component};
}

/* The component that is gathered is in the operand for it, or as the swizzle of the sampler operand. A handle's
 * swizzle chooses its words. */
static void decode_component(const struct sch_ir_instruction *in, const struct sch_ir_lookup *row,
                             struct sch_prepared_lookup *lookup)
{
    const uint8_t *swizzle = in->src[row->sampler].swizzle;
    bool identity = swizzle[0] == 0 && swizzle[1] == 1 && swizzle[2] == 2 && swizzle[3] == 3;
    if (lookup->compares || (!identity && !lookup->handle)) lookup->value.source = -1;
    lookup->component = lookup->compares || lookup->handle ? 0 : swizzle[0] & 3;
}

static bool decode_offsets(struct sch_preparation *d, const struct sch_ir_lookup *row,
                           const struct sch_prepared_instruction *out, struct sch_prepared_lookup *lookup)
{
    const struct sch_ir_instruction *in = d->source;
    if (row->offset >= 0) {
        lookup->offsets = 1;
        lookup->offset = &out->src[row->offset];
        return true;
    }
    if (!in->offset_count) return true;
    lookup->offsets = lookup->kind == SCH_PREPARED_GATHER && in->offset_count == SCH_MAX_OFFSETS ? SCH_MAX_OFFSETS : 1;
    struct sch_prepared_src *offset = SCH_ARENA_ARRAY(&d->program->arena, struct sch_prepared_src, lookup->offsets);
    if (!offset) return false;
    for (unsigned n = 0; n < lookup->offsets; n++) {
        struct sch_ir_src src = sch_ir_src(in->offset[n].file, in->offset[n].index);
        for (unsigned c = 0; c < 3; c++) src.swizzle[c] = in->offset[n].swizzle[c] & 3;
        sch_prepare_source(d, &src, 'I', &offset[n]);
    }
    lookup->offset = offset;
    return true;
}

enum sch_result sch_prepare_lookup(struct sch_preparation *d, struct sch_prepared_instruction *out)
{
    const struct sch_ir_instruction *in = d->source;
    const struct sch_op_info *info = sch_op_info(out->opcode);
    const struct sch_ir_lookup *row = sch_ir_lookup(in->opcode, in->src_count);
    struct sch_prepared_lookup *lookup = SCH_ARENA_NEW(&d->program->arena, struct sch_prepared_lookup);
    if (!lookup) return SCH_ERROR_MEMORY;
    unsigned target = lookup_target(d, row);
    const struct sch_target_facts *is = sch_target_facts(target);
    bool cube = is->cube && !sch_ir_fetches(row);
    *lookup = (struct sch_prepared_lookup){.kind = row->kind,
                                           .mode = row->mode,
                                           .target = is->plain,
                                           .axes = cube ? 3 : is->axes,
                                           .layer = is->layered || (is->cube && sch_ir_fetches(row)),
                                           .handle = sch_ir_takes_handle(info, in->src[row->view].file),
                                           .view = row->view,
                                           .sampler = row->sampler,
                                           .ddx = row->ddx,
                                           .d3d = d->d3d,
                                           .value = {row->value, (uint8_t)row->component},
                                           .clamp = {row->clamp, (uint8_t)row->clamp_component}};
    lookup->compares =
        row->compares == SCH_IR_COMPARES_ALWAYS || (row->compares == SCH_IR_COMPARES_TARGET && target != is->plain);
    lookup->reference = reference_place(row, lookup->axes + lookup->layer);
    lookup->render_target = (info->flags & SCH_OPF_SAMPLE) && in->src[row->view].file == SCH_FILE_TEMPORARY;
    if (row->kind == SCH_PREPARED_GATHER) decode_component(in, row, lookup);
    /* "The swizzle on src1 ... is ignored" (SVIEWINFO). */
    bool swizzled = (info->flags & SCH_OPF_SAMPLE) && row->kind != SCH_PREPARED_SIZE;
    for (unsigned c = 0; c < 4; c++) lookup->swizzle[c] = swizzled ? in->src[row->view].swizzle[c] & 3 : (uint8_t)c;
    if (is->multisampled == false && (is->one_level || row->kind == SCH_PREPARED_FETCH_MS) && sch_ir_fetches(row))
        lookup->value.source = -1;
    out->lookup = lookup;
    return decode_offsets(d, row, out, lookup) ? SCH_OK : SCH_ERROR_MEMORY;
}
