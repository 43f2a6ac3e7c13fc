/* Texture lookups and queries: SAMP[n] of the TEX opcodes is t#n and s#n, SVIEW[n] and SAMP[n] of the SAMPLE opcodes
 * are t#n and s#n each for itself. */
#include "d3d/raise/internal.h"

#include <string.h>

typedef const struct sch_raise_row row_t;
typedef struct sch_d3d_operand operand_t;

/* ---- what a lookup names ---- */

static bool names(struct sch_raise *r, unsigned number, unsigned file, uint32_t *found)
{
    const struct sch_ir_src *src = &r->at->src[number];
    *found = (uint32_t)src->index.index;
    if (src->file == file && !src->index.is_indirect && *found < SCH_RAISE_RESOURCES) return true;
    sch_raise_refuse(r, SCH_D_RAISE_OPERAND,
                     "a texture or sampler that a register or a handle chooses: shader model 5.0 has no such lookups");
    return false;
}

/* The view that a TEX opcode names with its sampler; its declaration, or the instruction's target, says what it is. */
static struct sch_raise_resource *use_view(struct sch_raise *r, unsigned number, const struct sch_raise_target *target,
                                           uint32_t *found)
{
    if (!names(r, number, SCH_FILE_SAMPLER, found)) return NULL;
    struct sch_raise_resource *view = &r->views[*found];
    if (!view->types) *view = (struct sch_raise_resource){.dimension = target->dimension, .types = SCH_RAISE_ALL_FLOAT};
    view->used = true;
    if (view->dimension == target->dimension) return view;
    sch_raise_refuse(r, SCH_D_RAISE_TARGET, "SAMP[%u] is looked up as two kinds of texture", *found);
    return NULL;
}

static bool use_sampler(struct sch_raise *r, uint32_t number, bool compares)
{
    struct sch_raise_resource *sampler = &r->samplers[number];
    sampler->used = true;
    sampler->compared |= compares;
    sampler->filtered |= !compares;
    if (!sampler->compared || !sampler->filtered) return true;
    sch_raise_refuse(r, SCH_D_RAISE_TARGET, "SAMP[%u] compares in one lookup and not in another", number);
    return false;
}

/* ---- offsets ---- */

/* "_aoffimmi(u, v, w)": three signed fields of 4 bits; of a literal. */
static bool is_immediate(const struct sch_raise *r, unsigned axes, uint32_t *bits)
{
    const struct sch_ir_texel_offset *offset = &r->at->offset[0];
    bool literal = offset->file == SCH_FILE_IMMEDIATE && offset->index >= 0 &&
                   (size_t)offset->index < r->in->immediate_count && r->at->offset_count == 1;
    for (unsigned c = 0; c < axes && literal; c++) {
        int32_t value = (int32_t)r->in->immediates[offset->index].word[offset->swizzle[c]];
        literal = value >= -8 && value <= 7;
        *bits |= ((uint32_t)value & 15) << (9 + 4 * c);
    }
    return literal;
}

static bool immediate_offset(struct sch_raise *r, unsigned axes, uint32_t *bits)
{
    *bits = 0;
    if (!r->at->offset_count || is_immediate(r, axes, bits)) return true;
    sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "a texel offset that is not a literal from -8 to 7");
    return false;
}

static unsigned axes_of(const struct sch_raise_target *target)
{
    if (target->dimension == SCH_RAISE_1D || target->dimension == SCH_RAISE_1D_ARRAY) return 1;
    return target->dimension == SCH_RAISE_3D ? 3 : 2;
}

/* ---- lookups ---- */

struct lookup {
    const struct sch_raise_target *target;
    struct sch_raise_resource *view;
    uint32_t number; /* t#, s# */
    bool compares;
    bool computes; /* a gather whose offset is an operand */
    uint32_t offset;
};

/* gather4_po: "signed low 6 bits of the first two components", of textures of two dimensions. */
static bool computes_offset(const struct sch_raise *r, const struct sch_raise_target *target)
{
    uint32_t bits = 0;
    bool plane = target->dimension == SCH_RAISE_2D || target->dimension == SCH_RAISE_2D_ARRAY;
    return r->at->opcode == SCH_OP_TG4 && plane && r->at->offset_count == 1 && !is_immediate(r, 2, &bits);
}

static bool begin_lookup(struct sch_raise *r, unsigned sampler, struct lookup *lookup)
{
    unsigned target = r->at->target;
    *lookup = (struct lookup){.target = sch_raise_target(target)};
    if (!lookup->target || !lookup->target->dimension) {
        sch_raise_refuse(r, SCH_D_RAISE_TARGET, "a lookup without a target");
        return false;
    }
    lookup->compares = lookup->target->reference != SCH_RAISE_NO_REFERENCE;
    lookup->computes = computes_offset(r, lookup->target);
    if (!lookup->computes && !immediate_offset(r, axes_of(lookup->target), &lookup->offset)) return false;
    lookup->view = use_view(r, sampler, lookup->target, &lookup->number);
    return lookup->view != NULL;
}

static bool begin_filtered(struct sch_raise *r, unsigned sampler, struct lookup *lookup)
{
    if (!begin_lookup(r, sampler, lookup)) return false;
    if (lookup->target->texels) {
        sch_raise_refuse(r, SCH_D_RAISE_TARGET, "Direct3D's coordinates of lookups are not in texels");
        return false;
    }
    return use_sampler(r, lookup->number, lookup->compares);
}

static operand_t texture(const struct lookup *lookup)
{
    operand_t made = sch_raise_register(SCH_D3D_REGISTER_RESOURCE, lookup->number);
    return lookup->compares ? sch_raise_splat(made, 0) : made; /* the result of a comparison is red */
}

/* Operands dst, address, t#, s# where it filters, then `extra`. */
static void look_up(struct sch_raise *r, unsigned op, const struct lookup *lookup, operand_t address, bool filters,
                    const operand_t *extra, unsigned count)
{
    operand_t operands[SCH_D3D_MAX_OPERANDS];
    operand_t result = sch_raise_destination(r, 0);
    unsigned at = 0;
    operands[at++] = result;
    operands[at++] = address;
    operands[at++] = texture(lookup);
    if (filters) operands[at++] = sch_raise_named(SCH_D3D_REGISTER_SAMPLER, lookup->number);
    for (unsigned i = 0; i < count; i++) operands[at++] = extra[i];
    struct sch_d3d_instruction *made = sch_raise_emit(r, op, operands, at);
    sch_raise_modify(r, made);
    if (lookup->offset) sch_raise_extend(made, SCH_D3D_EXTENDED_OFFSET, lookup->offset);
    sch_raise_say_type(made, lookup->view);
}

static unsigned prefix(unsigned count) { return (1u << count) - 1; }

/* The reference value: a component of the coordinates, or x of the second source. */
static operand_t reference_of(struct sch_raise *r, const struct lookup *lookup, operand_t address)
{
    if (lookup->target->coordinates == 4 || r->at->opcode == SCH_OP_TEX2) return sch_raise_source(r, 1, 1);
    return sch_raise_splat(address, lookup->target->reference);
}

/* TEX, TXP, TXB, TXL, TEX_LZ, TXD and the forms with a second source. */
static bool has_own_level(unsigned opcode) { return opcode == SCH_OP_TXL || opcode == SCH_OP_TXL2; }
static bool has_bias(unsigned opcode) { return opcode == SCH_OP_TXB || opcode == SCH_OP_TXB2; }

static bool is_second(unsigned opcode)
{
    return opcode == SCH_OP_TEX2 || opcode == SCH_OP_TXB2 || opcode == SCH_OP_TXL2;
}

static void compare(struct sch_raise *r, const struct lookup *lookup, operand_t address, operand_t level, bool implicit)
{
    bool zero = has_own_level(r->at->opcode) && level.value_count && !(level.values[0] << 1) && !level.modifier;
    if (has_bias(r->at->opcode) || r->at->opcode == SCH_OP_TXD || (has_own_level(r->at->opcode) && !zero)) {
        sch_raise_refuse(r, SCH_D_RAISE_TARGET,
                         "Direct3D compares at the computed level or at level 0: with no bias, level or derivatives");
        return;
    }
    operand_t reference = reference_of(r, lookup, address);
    look_up(r, implicit ? SCH_D3D_OP_SAMPLE_C : SCH_D3D_OP_SAMPLE_C_LZ, lookup, address, true, &reference, 1);
}

static void filter(struct sch_raise *r, const struct lookup *lookup, operand_t address, operand_t level, bool implicit)
{
    if (r->at->opcode == SCH_OP_TXD) {
        const operand_t derivatives[] = {sch_raise_source(r, 1, prefix(lookup->target->coordinates) & 7),
                                         sch_raise_source(r, 2, prefix(lookup->target->coordinates) & 7)};
        look_up(r, SCH_D3D_OP_SAMPLE_D, lookup, address, true, derivatives, 2);
    } else if (has_bias(r->at->opcode)) {
        if (!implicit) {
            sch_raise_refuse(r, SCH_D_RAISE_TARGET, "a bias of a level that nothing computes");
            return;
        }
        look_up(r, SCH_D3D_OP_SAMPLE_B, lookup, address, true, &level, 1);
    } else if (has_own_level(r->at->opcode)) {
        look_up(r, SCH_D3D_OP_SAMPLE_L, lookup, address, true, &level, 1);
    } else if (implicit) {
        look_up(r, SCH_D3D_OP_SAMPLE, lookup, address, true, NULL, 0);
    } else {
        const operand_t zero = sch_raise_word(0);
        look_up(r, SCH_D3D_OP_SAMPLE_L, lookup, address, true, &zero, 1);
    }
}

void sch_raise_TEX_(struct sch_raise *r, row_t *row)
{
    (void)row;
    struct lookup lookup;
    unsigned opcode = r->at->opcode;
    if (!begin_filtered(r, r->at->src_count - 1u, &lookup)) return;
    bool own = has_own_level(opcode) || has_bias(opcode), projects = opcode == SCH_OP_TXP, second = is_second(opcode);
    unsigned used = prefix(lookup.target->coordinates);
    if (lookup.compares && !second) used |= 1u << lookup.target->reference;
    if ((own && !second) || projects) used |= 8;
    operand_t address = sch_raise_source(r, 0, used);
    operand_t level = second ? sch_raise_source(r, 1, 1) : sch_raise_splat(address, 3);
    if (projects) {
        operand_t divided = sch_raise_scratch(r);
        sch_raise_2(r, SCH_D3D_OP_DIV, sch_raise_masked(divided, used & 7), address, level);
        address = divided;
    }
    bool implicit = r->in->stage == SCH_STAGE_FRAGMENT && opcode != SCH_OP_TEX_LZ && !has_own_level(opcode);
    if (lookup.compares)
        compare(r, &lookup, address, level, implicit);
    else
        filter(r, &lookup, address, level, implicit);
}

/* TXF: the level in w, or the sample. */
void sch_raise_FETCH(struct sch_raise *r, row_t *row)
{
    struct lookup lookup;
    if (!begin_lookup(r, r->at->src_count - 1u, &lookup)) return;
    unsigned dimension = lookup.target->dimension, used = prefix(lookup.target->coordinates);
    bool samples = dimension == SCH_RAISE_2DMS || dimension == SCH_RAISE_2DMS_ARRAY;
    if (lookup.compares || dimension == SCH_RAISE_CUBE || dimension == SCH_RAISE_CUBE_ARRAY) {
        sch_raise_refuse(r, SCH_D_RAISE_TARGET, "ld takes no cubes and compares nothing");
        return;
    }
    operand_t address = sch_raise_source(r, 0, dimension == SCH_RAISE_BUFFER ? 1 : used | 8);
    if (samples) {
        operand_t sample = sch_raise_splat(address, 3);
        look_up(r, row->other, &lookup, address, false, &sample, 1);
        return;
    }
    if (r->at->opcode == SCH_OP_TXF_LZ || r->at->target == SCH_TARGET_RECT) {
        operand_t made = sch_raise_scratch(r);
        sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 7), address);
        sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_masked(made, 8), sch_raise_word(0));
        address = made;
    }
    look_up(r, row->op, &lookup, address, false, NULL, 0);
}

/* TXQ: sizes and levels as words. */
void sch_raise_SIZE(struct sch_raise *r, row_t *row)
{
    struct lookup lookup;
    if (!begin_lookup(r, r->at->src_count - 1u, &lookup)) return;
    lookup.compares = false;
    operand_t made = sch_raise_scratch(r), view = texture(&lookup), to = sch_raise_masked(made, 15);
    if (lookup.target->dimension == SCH_RAISE_BUFFER) {
        const operand_t operands[] = {sch_raise_masked(made, 1), view};
        sch_raise_1(r, SCH_D3D_OP_MOV, to, sch_raise_word(0));
        sch_raise_emit(r, row->other, operands, 2);
    } else {
        bool levels = !lookup.target->texels;
        const operand_t operands[] = {to, levels ? sch_raise_source(r, 0, 1) : sch_raise_word(0), view};
        struct sch_d3d_instruction *query = sch_raise_emit(r, row->op, operands, 3);
        query->controls = sch_d3d_put(SCH_D3D_FIELD_RESINFO, SCH_RAISE_RESINFO_UINT);
        sch_raise_say_type(query, lookup.view);
    }
    sch_raise_modify(r, sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_destination(r, 0), made));
}

/* TXQS: as sampleinfo the count in x, and 0 in the others. */
void sch_raise_SAMPLES(struct sch_raise *r, row_t *row)
{
    struct lookup lookup;
    if (!begin_lookup(r, r->at->src_count - 1u, &lookup)) return;
    operand_t made = sch_raise_scratch(r);
    const operand_t operands[] = {sch_raise_masked(made, 15), texture(&lookup)};
    sch_raise_emit(r, row->op, operands, 2)->controls = sch_d3d_put(SCH_D3D_FIELD_UINT, 1);
    sch_raise_modify(r, sch_raise_1(r, SCH_D3D_OP_MOV, sch_raise_destination(r, 0), made));
}

/* LODQ: the clamped level, then the computed one, as lod gives them. */
void sch_raise_LEVEL(struct sch_raise *r, row_t *row)
{
    struct lookup lookup;
    if (!begin_filtered(r, r->at->src_count - 1u, &lookup)) return;
    lookup.compares = false;
    look_up(r, row->op, &lookup, sch_raise_source(r, 0, prefix(lookup.target->coordinates) & 7), true, NULL, 0);
}

/* The component that a gather takes: a literal; comparisons take red. 4: none. */
static unsigned gathered(struct sch_raise *r, const struct lookup *lookup)
{
    if (lookup->compares) return 0;
    operand_t named = sch_raise_source(r, 1, 1);
    return named.value_count && !named.modifier && named.values[0] < 4 ? named.values[0] : 4;
}

void sch_raise_GATHER(struct sch_raise *r, row_t *row)
{
    struct lookup lookup;
    operand_t operands[6];
    unsigned at = 0, op = row->op;
    if (!begin_filtered(r, r->at->src_count - 1u, &lookup)) return;
    unsigned component = gathered(r, &lookup), used = prefix(lookup.target->coordinates);
    if (component > 3) {
        sch_raise_refuse(r, SCH_D_RAISE_OPERAND, "the gathered component is not a literal from 0 to 3");
        return;
    }
    if (lookup.compares) used |= 1u << lookup.target->reference;
    operand_t address = sch_raise_source(r, 0, used);
    operand_t result = sch_raise_destination(r, 0);
    operands[at++] = result;
    operands[at++] = address;
    if (lookup.computes) operands[at++] = sch_raise_texel_offset(r);
    operands[at++] = sch_raise_register(SCH_D3D_REGISTER_RESOURCE, lookup.number);
    operands[at] = sch_raise_named(SCH_D3D_REGISTER_SAMPLER, lookup.number);
    operands[at].form = SCH_D3D_FORM_SELECT;
    operands[at++].select = (uint8_t)component;
    if (lookup.compares) operands[at++] = reference_of(r, &lookup, address);
    if (lookup.computes)
        op = lookup.compares ? SCH_D3D_OP_GATHER4_PO_C : SCH_D3D_OP_GATHER4_PO;
    else if (lookup.compares)
        op = row->other;
    struct sch_d3d_instruction *made = sch_raise_emit(r, op, operands, at);
    sch_raise_modify(r, made);
    if (lookup.offset) sch_raise_extend(made, SCH_D3D_EXTENDED_OFFSET, lookup.offset);
    sch_raise_say_type(made, lookup.view);
}

/* ---- the SAMPLE family: views and samplers apart ---- */

static operand_t view_operand(struct sch_raise *r, unsigned source, uint32_t number)
{
    const uint8_t *swizzle = r->at->src[source].swizzle;
    return sch_raise_swizzle(sch_raise_register(SCH_D3D_REGISTER_RESOURCE, number), swizzle[0], swizzle[1], swizzle[2],
                             swizzle[3]);
}

static bool compares_always(unsigned op)
{
    return op == SCH_D3D_OP_SAMPLE_C || op == SCH_D3D_OP_SAMPLE_C_LZ || op == SCH_D3D_OP_GATHER4_C ||
           op == SCH_D3D_OP_GATHER4_PO_C;
}

static bool gathers(unsigned op)
{
    return op == SCH_D3D_OP_GATHER4 || op == SCH_D3D_OP_GATHER4_C || op == SCH_D3D_OP_GATHER4_PO ||
           op == SCH_D3D_OP_GATHER4_PO_C;
}

void sch_raise_SAMPLE_(struct sch_raise *r, row_t *row)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(row->op);
    operand_t operands[SCH_D3D_MAX_OPERANDS];
    struct sch_raise_resource *view = NULL;
    unsigned count = r->at->src_count;
    uint32_t number;
    bool compares = compares_always(row->op);
    for (unsigned i = 0; i < count; i++) {
        char role = sch_d3d_operand_role(info, 1 + i);
        if (role == 'R') {
            if (!names(r, i, SCH_FILE_SAMPLER_VIEW, &number)) return;
            view = &r->views[number];
            operands[1 + i] = view_operand(r, i, number);
        } else if (role == 'P') {
            if (!names(r, i, SCH_FILE_SAMPLER, &number) || !use_sampler(r, number, compares)) return;
            operands[1 + i] = sch_raise_named(SCH_D3D_REGISTER_SAMPLER, number);
            if (gathers(row->op)) operands[1 + i].form = SCH_D3D_FORM_SELECT;
            if (gathers(row->op)) operands[1 + i].select = r->at->src[i].swizzle[0];
        } else {
            operands[1 + i] = sch_raise_source(r, i, role == 'C' ? 1 : 15);
        }
    }
    if (!view || !view->dimension || (view->texels && view->dimension == SCH_RAISE_2D)) {
        sch_raise_refuse(r, SCH_D_RAISE_TARGET, "a view of a target that Direct3D's lookups do not have");
        return;
    }
    view->used = true;
    uint32_t offset;
    static const uint8_t axes[] = {0, 1, 1, 2, 2, 3, 2, 1, 2, 2, 2};
    if (!immediate_offset(r, axes[view->dimension], &offset)) return;
    operand_t result = sch_raise_destination(r, 0);
    operands[0] = result;
    struct sch_d3d_instruction *made = sch_raise_emit(r, row->op, operands, 1 + count);
    sch_raise_modify(r, made);
    if (row->op == SCH_D3D_OP_RESINFO) made->controls |= sch_d3d_put(SCH_D3D_FIELD_RESINFO, SCH_RAISE_RESINFO_UINT);
    if (offset) sch_raise_extend(made, SCH_D3D_EXTENDED_OFFSET, offset);
    sch_raise_say_type(made, view);
}
