/* Which Maxwell instruction a lookup becomes, and in which registers. The steps around it: maxwell/lower/steps.c. The
 * operand packing is that of src/isa/maxwell.def, through sch_maxwell_operands. */
#include "maxwell/lower/lower.h"

#include <string.h>

#include "isa/errors.h"
#include "maxwell/lower/steps.h"

static const char *const refusal_words[] = {
    [SCH_MAXWELL_LOWERS] = "it lowers",
    [SCH_MAXWELL_REFUSES_COMPONENT] = "the gathered component is not a constant, and TLD4 names it in the instruction",
    [SCH_MAXWELL_REFUSES_OFFSET] = "a texel offset is larger than its packed field",
    [SCH_MAXWELL_REFUSES_UNIT] = "a view or sampler number does not fit a handle",
    [SCH_MAXWELL_REFUSES_RENDER_TARGET] = "the render target is not a texture",
    [SCH_MAXWELL_REFUSES_CLAMP] = "no documented instruction takes a least level of detail",
    [SCH_MAXWELL_REFUSES_CENTRE] = "Direct3D counts sample positions from the centre, TXQ from the corner",
    [SCH_MAXWELL_REFUSES_FORM] = "no instruction takes these operands together",
};

const char *sch_maxwell_refusal_words(enum sch_maxwell_refusal refusal) { return refusal_words[refusal]; }

/* ---- what the instruction is ---- */

static unsigned parameter_of(unsigned target)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    if (is->cube) return is->layered ? SCH_MAXWELL_ARRAY_CUBE : SCH_MAXWELL_CUBE;
    static const uint8_t plain[4] = {SCH_MAXWELL_1D, SCH_MAXWELL_1D, SCH_MAXWELL_2D, SCH_MAXWELL_3D};
    return plain[is->axes] + (is->layered ? 1 : 0);
}

/* "Level 0" of an explicit level that is the constant 0 needs no register. */
static unsigned lod_of(const struct lowering *l)
{
    uint32_t word;
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    switch ((enum sch_lod_mode)lookup->mode) {
    case SCH_LOD_IMPLICIT:
    case SCH_LOD_GRADIENTS:
        return SCH_MAXWELL_LOD_NONE;
    case SCH_LOD_BIAS:
        return SCH_MAXWELL_LB;
    case SCH_LOD_EXPLICIT:
        if (lookup->value.source < 0) return SCH_MAXWELL_LZ;
        return sch_maxwell_constant_source(l, lookup->value, &word) && !word ? SCH_MAXWELL_LZ : SCH_MAXWELL_LL;
    case SCH_LOD_ZERO:
        return SCH_MAXWELL_LZ;
    }
    return SCH_MAXWELL_LOD_NONE;
}

static void choose_sample(struct lowering *l)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    struct sch_maxwell_instruction *t = &l->plan->texture;
    bool gradients = lookup->mode == SCH_LOD_GRADIENTS;
    /* TXD has no reference value, and compilers make none of three axes: TEX.LL then, whose level is computed. */
    l->plan->computes_level = gradients && (lookup->compares || lookup->axes > 2);
    t->operation = gradients && !l->plan->computes_level ? SCH_MAXWELL_TXD : SCH_MAXWELL_TEX;
    t->lod = l->plan->computes_level ? SCH_MAXWELL_LL : (uint8_t)lod_of(l);
    t->compare = lookup->compares;
    if (lookup->clamp.source >= 0) l->plan->refusal = SCH_MAXWELL_REFUSES_CLAMP;
}

static void choose_gather(struct lowering *l)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    struct sch_maxwell_instruction *t = &l->plan->texture;
    uint32_t component = lookup->component;
    if (lookup->value.source >= 0 && !sch_maxwell_constant_source(l, lookup->value, &component))
        l->plan->refusal = SCH_MAXWELL_REFUSES_COMPONENT;
    t->operation = SCH_MAXWELL_TLD4;
    t->component = component & 3;
    t->compare = lookup->compares;
    if (lookup->offsets == SCH_MAX_OFFSETS) t->offset = SCH_MAXWELL_PTP;
}

/* A cube is fetched as an array of faces: its header is read as a 2-D array's. */
static void choose_fetch(struct lowering *l)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    const struct sch_target_facts *is = sch_target_facts(lookup->target);
    struct sch_maxwell_instruction *t = &l->plan->texture;
    if (is->cube) {
        l->plan->target = SCH_TARGET_2D_ARRAY;
        t->parameter = SCH_MAXWELL_ARRAY_2D;
    }
    t->operation = SCH_MAXWELL_TLD;
    t->multisample = is->multisampled;
    t->lod = is->multisampled ? SCH_MAXWELL_LZ : (uint8_t)lod_of(l);
}

static void choose_query(struct lowering *l)
{
    static const uint8_t queries[] = {[SCH_PREPARED_SIZE] = SCH_MAXWELL_HEADER_DIMENSION,
                                      [SCH_PREPARED_SAMPLES] = SCH_MAXWELL_HEADER_TEXTURE_TYPE,
                                      [SCH_PREPARED_POSITION] = SCH_MAXWELL_HEADER_SAMPLER_POS};
    l->plan->texture.operation = SCH_MAXWELL_TXQ;
    l->plan->texture.parameter = 0;
    l->plan->texture.query = queries[l->in->lookup->kind];
    if (l->in->lookup->render_target) l->plan->refusal = SCH_MAXWELL_REFUSES_RENDER_TARGET;
    if (l->in->lookup->d3d && l->in->lookup->kind == SCH_PREPARED_POSITION)
        l->plan->refusal = SCH_MAXWELL_REFUSES_CENTRE;
}

static void choose_operation(struct lowering *l)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    struct sch_maxwell_instruction *t = &l->plan->texture;
    t->parameter = (uint8_t)parameter_of(lookup->target);
    bool cube = sch_target_facts(l->plan->target)->cube;
    switch ((enum sch_prepared_lookup_kind)lookup->kind) {
    case SCH_PREPARED_SAMPLE:
    case SCH_PREPARED_PROJECT:
        choose_sample(l);
        break;
    case SCH_PREPARED_GATHER:
        choose_gather(l);
        break;
    case SCH_PREPARED_LOD:
        t->operation = SCH_MAXWELL_TMML;
        break;
    case SCH_PREPARED_FETCH:
    case SCH_PREPARED_FETCH_MS:
        choose_fetch(l);
        break;
    case SCH_PREPARED_SIZE:
    case SCH_PREPARED_SAMPLES:
    case SCH_PREPARED_POSITION:
        choose_query(l);
        break;
    }
    /* Offsets do not apply to cubes (docs/texture.md), nor to level-of-detail queries. */
    bool offsets = lookup->offsets && !cube && lookup->kind != SCH_PREPARED_LOD && lookup->kind < SCH_PREPARED_SIZE;
    if (!offsets)
        t->offset = SCH_MAXWELL_OFFSET_NONE;
    else if (t->offset == SCH_MAXWELL_OFFSET_NONE)
        t->offset = SCH_MAXWELL_AOFFI;
    /* A lookup that lanes of a quad may skip still takes its level from all four. */
    bool implicit = t->operation == SCH_MAXWELL_TMML ||
                    (t->operation == SCH_MAXWELL_TEX && (t->lod == SCH_MAXWELL_LOD_NONE || t->lod == SCH_MAXWELL_LB));
    t->nondivergent = implicit && l->divergent;
}

/* ---- which texture and sampler ---- */

static uint32_t handle_index(struct sch_maxwell_lowered *lowered, struct sch_maxwell_handle handle)
{
    uint32_t n = 0;
    while (n < lowered->handle_count && memcmp(&lowered->handles[n], &handle, sizeof handle) != 0) n++;
    if (n == lowered->handle_count && n < SCH_MAXWELL_HANDLES) lowered->handles[lowered->handle_count++] = handle;
    return n;
}

/* Units that registers name need the bindless form; others an entry of the constant bank. Queries and fetches use no
 * sampler. */
static void choose_handle(struct lowering *l)
{
    const struct sch_prepared_instruction *in = l->in;
    const struct sch_prepared_lookup *lookup = in->lookup;
    const struct sch_prepared_index *view = &in->src[lookup->view].index;
    const struct sch_prepared_index *sampler = lookup->sampler >= 0 ? &in->src[lookup->sampler].index : NULL;
    struct sch_maxwell_instruction *t = &l->plan->texture;
    l->plan->samples = sampler && !sch_maxwell_fetches(lookup);
    t->bindless = lookup->handle || view->is_indirect || (l->plan->samples && sampler->is_indirect);
    if (t->bindless || l->plan->refusal) return;
    struct sch_maxwell_handle handle = {
        .view = view->base, .target = l->plan->target, .lookup_target = lookup->target, .samples = l->plan->samples};
    if (handle.samples) handle.sampler = sampler->base;
    uint32_t index = handle_index(l->lowered, handle);
    bool fits = handle.view >= 0 && handle.view < SCH_MAXWELL_VIEWS && handle.sampler < SCH_MAXWELL_SAMPLERS;
    if (!fits || index == SCH_MAXWELL_HANDLES) l->plan->refusal = SCH_MAXWELL_REFUSES_UNIT;
    t->index = (uint16_t)index;
}

/* ---- which results ---- */

/* The components of the texture instruction's result that the destination needs. */
static unsigned needed_components(const struct lowering *l)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    unsigned needed = 0;
    for (unsigned c = 0; c < 4; c++)
        if (l->in->dst[0].mask >> c & 1) needed |= 1u << sch_maxwell_result_component(lookup, lookup->swizzle[c]);
    return needed & 15;
}

static bool encodes(const struct sch_maxwell_instruction *instruction)
{
    uint64_t word;
    return sch_maxwell_encode(instruction, SCH_MAXWELL_SM_50, &word);
}

/* The scalar forms where the tables have one with these modifiers and this mask. TEXS has no .NDV. */
static void prefer_scalar(struct lowering *l)
{
    static const uint8_t scalar[SCH_MAXWELL_OPERATIONS] = {[SCH_MAXWELL_TEX] = SCH_MAXWELL_TEXS,
                                                           [SCH_MAXWELL_TLD] = SCH_MAXWELL_TLDS,
                                                           [SCH_MAXWELL_TLD4] = SCH_MAXWELL_TLD4S};
    struct sch_maxwell_instruction *t = &l->plan->texture, s = *t;
    s.operation = scalar[t->operation];
    if (!s.operation) return;
    if (s.operation == SCH_MAXWELL_TLD4S) s.write_mask = 15;
    s.rd1 = __builtin_popcount(s.write_mask) > 2 ? 0 : SCH_MAXWELL_RZ;
    if (sch_maxwell_choose_codes(&s) && encodes(&s)) *t = s;
}

/* ---- the registers ---- */

static uint8_t take_registers(struct lowering *l, unsigned count)
{
    unsigned align = count < 2 ? 1 : count == 2 ? 2 : 4;
    if (!count) return SCH_MAXWELL_RZ;
    unsigned first = (l->plan->registers + align - 1) & ~(align - 1);
    l->plan->registers = (uint8_t)(first + count);
    return (uint8_t)first;
}

static void place_registers(struct lowering *l)
{
    struct sch_maxwell_instruction *t = &l->plan->texture;
    struct sch_maxwell_packing packing;
    sch_maxwell_operands(t, &packing);
    t->ra = take_registers(l, packing.a_count);
    t->rb = take_registers(l, packing.b_count);
    t->rd = take_registers(l, packing.result[0].count);
    t->rd1 = take_registers(l, packing.result[1].count);
    sch_maxwell_operands(t, &l->packing);
}

static void lower_lookup(struct lowering *l)
{
    struct sch_maxwell_instruction *t = &l->plan->texture;
    *t = sch_maxwell_blank(SCH_MAXWELL_TEX, false);
    l->plan->target = l->in->lookup->target;
    choose_operation(l);
    choose_handle(l);
    t->write_mask = (uint8_t)needed_components(l);
    if (l->plan->refusal) return;
    prefer_scalar(l);
    place_registers(l);
    sch_maxwell_steps_before(l);
    sch_maxwell_steps_after(l);
    if (!l->plan->refusal && !encodes(t)) l->plan->refusal = SCH_MAXWELL_REFUSES_FORM;
}

/* ---- programs ---- */

static void report_refusal(const struct lowering *l, struct sch_diagnostics *diagnostics)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_LOWERING, l->program->positions[l->in->number],
                        "%s has no Maxwell code: %s", sch_op_info(l->in->opcode)->name,
                        sch_maxwell_refusal_words(l->plan->refusal));
}

/* Lanes of a quad may be off inside a construct, whose end brings them back, and after a RET, which leaves for good.
 * Killed lanes continue as helpers or end with their quad. */
static enum sch_result lower_lookups(const struct sch_prepared *program, struct sch_arena *arena,
                                     struct sch_diagnostics *diagnostics, struct sch_maxwell_lowered *lowered)
{
    bool left = false;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        const struct sch_prepared_instruction *in = &program->instructions[n];
        left = left || in->opcode == SCH_OP_RET;
        if (!in->lookup) continue;
        struct sch_maxwell_plan *plan = SCH_ARENA_NEW(arena, struct sch_maxwell_plan);
        if (!plan) return SCH_ERROR_MEMORY;
        struct lowering l = {.program = program,
                             .in = in,
                             .lowered = lowered,
                             .plan = plan,
                             .divergent = left || program->flow.links[n].around != SCH_FLOW_NONE};
        lower_lookup(&l);
        if (plan->refusal) report_refusal(&l, diagnostics);
        lowered->plans[n] = plan;
        lowered->lookups++;
        lowered->refused += plan->refusal != SCH_MAXWELL_LOWERS;
    }
    return SCH_OK;
}

enum sch_result sch_maxwell_lower(const struct sch_prepared *program, struct sch_arena *arena,
                                  struct sch_diagnostics *diagnostics, struct sch_maxwell_lowered *lowered)
{
    size_t count = (size_t)program->instruction_count + 1;
    *lowered = (struct sch_maxwell_lowered){0};
    lowered->plans = SCH_ARENA_ARRAY(arena, struct sch_maxwell_plan *, count);
    lowered->handles = SCH_ARENA_ARRAY(arena, struct sch_maxwell_handle, count);
    if (!lowered->plans || !lowered->handles) return SCH_ERROR_MEMORY;
    return lower_lookups(program, arena, diagnostics, lowered);
}
