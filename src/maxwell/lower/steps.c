/* The scalar steps around a lowered lookup: operands into the registers that the texture instruction reads, and its
 * results into what the lookup returns. Fixed-point results become floats here; nothing else is computed. */
#include "maxwell/lower/steps.h"

#include <string.h>

/* Floats that steps multiply with or add. */
enum { HALF = 0x3f000000, PER_256 = 0x3b800000, PER_4096 = 0x39800000 };

/* ---- building steps ---- */

static void add_step(struct lowering *l, struct sch_maxwell_lowered_step step)
{
    struct sch_maxwell_plan *plan = l->plan;
    plan->steps[plan->before + plan->after] = step;
    if (l->behind)
        plan->after++;
    else
        plan->before++;
}

static uint8_t spare_register(struct lowering *l) { return l->plan->registers++; }

static void add_constant(struct lowering *l, uint8_t to, uint32_t word)
{
    add_step(l, (struct sch_maxwell_lowered_step){.kind = SCH_MAXWELL_STEP_CONSTANT, .to = to, .word = word});
}

static uint8_t spare_constant(struct lowering *l, uint32_t word)
{
    uint8_t to = spare_register(l);
    add_constant(l, to, word);
    return to;
}

static void add_alu(struct lowering *l, enum sch_opcode opcode, uint8_t to, const uint8_t from[SCH_MAX_SRCS])
{
    struct sch_maxwell_lowered_step step = {.kind = SCH_MAXWELL_STEP_ALU, .opcode = (uint16_t)opcode, .to = to};
    memcpy(step.from, from, sizeof step.from);
    add_step(l, step);
}

/* The registers of an opcode's sources. */
#define FROM(...) ((const uint8_t[SCH_MAX_SRCS]){__VA_ARGS__})

static void add_source(struct lowering *l, uint8_t to, struct sch_prepared_operand which)
{
    if (which.source < 0)
        add_constant(l, to, 0);
    else
        add_step(l, (struct sch_maxwell_lowered_step){.kind = SCH_MAXWELL_STEP_SOURCE,
                                                      .to = to,
                                                      .operand = (uint8_t)which.source,
                                                      .component = which.component});
}

/* ---- immediates ---- */

static bool constant_channel(const struct lowering *l, const struct sch_prepared_src *src, unsigned component,
                             uint32_t *word)
{
    bool constant = src->access == SCH_ACCESS_PLAIN && src->space == SCH_SPACE_PROGRAM && !src->modify;
    if (constant) *word = l->program->program_words[src->channel[component]];
    return constant;
}

bool sch_maxwell_constant_source(const struct lowering *l, struct sch_prepared_operand which, uint32_t *word)
{
    return which.source >= 0 && constant_channel(l, &l->in->src[which.source], which.component, word);
}

/* ---- operands ---- */

bool sch_maxwell_fetches(const struct sch_prepared_lookup *lookup)
{
    return lookup->kind == SCH_PREPARED_FETCH || lookup->kind == SCH_PREPARED_FETCH_MS;
}

/* A coordinate or reference, divided where the lookup projects. */
static void add_projected(struct lowering *l, uint8_t to, struct sch_prepared_operand which)
{
    add_source(l, to, which);
    if (l->in->lookup->kind != SCH_PREPARED_PROJECT) return;
    uint8_t w = spare_register(l);
    add_source(l, w, (struct sch_prepared_operand){0, 3});
    add_alu(l, SCH_OP_DIV, to, FROM(to, w));
}

/* "a is U16 integer": the nearest, and what is larger the largest. Fetches bring an integer. */
static void add_layer(struct lowering *l, uint8_t to)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    add_projected(l, to, (struct sch_prepared_operand){0, lookup->axes});
    if (!sch_maxwell_fetches(lookup)) {
        add_alu(l, SCH_OP_ROUND, to, FROM(to));
        add_alu(l, SCH_OP_F2U, to, FROM(to));
    }
    add_alu(l, SCH_OP_UMIN, to, FROM(to, spare_constant(l, UINT16_MAX)));
}

/* A field of packed offsets. */
struct offset_field {
    uint8_t position, bits; /* in the word */
    uint8_t range;          /* bits of the numbers that it may hold, signed */
};

static bool fits(uint32_t word, unsigned bits)
{
    int32_t number = (int32_t)word, half = 1 << (bits - 1);
    return number >= -half && number < half;
}

/* Puts component `axis` of texel offset n into its field of `word`; true when it was a constant and is in. */
static bool fold_offset(struct lowering *l, unsigned n, unsigned axis, struct offset_field field, uint32_t *word)
{
    uint32_t number;
    if (!constant_channel(l, &l->in->lookup->offset[n], axis, &number)) return false;
    if (!fits(number, field.range)) l->plan->refusal = SCH_MAXWELL_REFUSES_OFFSET;
    *word |= (number & ((1u << field.bits) - 1)) << field.position;
    return true;
}

static void add_offset(struct lowering *l, uint8_t to, unsigned n, unsigned axis, struct offset_field field)
{
    uint8_t value = spare_register(l);
    add_step(l, (struct sch_maxwell_lowered_step){
                    .kind = SCH_MAXWELL_STEP_OFFSET, .to = value, .operand = (uint8_t)n, .component = (uint8_t)axis});
    uint8_t position = spare_constant(l, field.position), bits = spare_constant(l, field.bits);
    add_alu(l, SCH_OP_BFI, to, FROM(to, value, position, bits));
}

/* A word of packed offsets: those of `count` texels from the n-th, constants first, the others inserted. With `keep`
 * the register has its other bits already. */
static void add_offsets(struct lowering *l, uint8_t to, unsigned n, unsigned count, struct offset_field first,
                        unsigned stride, bool keep)
{
    unsigned axes = sch_target_facts(l->in->lookup->target)->axes;
    uint32_t word = 0, open = 0;
    for (unsigned i = 0; i < count * axes; i++) {
        struct offset_field field = {(uint8_t)(first.position + i * stride), first.bits, first.range};
        if (!fold_offset(l, n + i / axes, i % axes, field, &word)) open |= 1u << i;
    }
    if (!keep)
        add_constant(l, to, word);
    else if (word)
        add_alu(l, SCH_OP_OR, to, FROM(to, spare_constant(l, word)));
    for (unsigned i = 0; i < count * axes; i++) {
        struct offset_field field = {(uint8_t)(first.position + i * stride), first.bits, first.range};
        if (open >> i & 1) add_offset(l, to, n + i / axes, i % axes, field);
    }
}

/* "((w & 0xf)<<8) | ((v & 0xf)<<4) | (u & 0xf)"; gathers have six bits, a byte apart. */
static void add_packed_offsets(struct lowering *l, uint8_t to)
{
    bool gathers = l->in->lookup->kind == SCH_PREPARED_GATHER;
    struct offset_field first = gathers ? (struct offset_field){0, 6, 6} : (struct offset_field){0, 4, 4};
    add_offsets(l, to, 0, 1, first, gathers ? 8 : 4, false);
}

/* Two texels a word, a byte for each axis. */
static void add_texel_offsets(struct lowering *l, uint8_t to, unsigned n)
{
    add_offsets(l, to, n, 2, (struct offset_field){0, 8, 6}, 8, false);
}

static void add_layer_and_offsets(struct lowering *l, uint8_t to)
{
    const bool offsets = l->plan->texture.offset == SCH_MAXWELL_AOFFI, layer = l->in->lookup->layer;
    if (layer) add_layer(l, to);
    if (offsets) add_offsets(l, to, 0, 1, (struct offset_field){16, 4, 4}, 4, layer);
}

static void add_gradient(struct lowering *l, uint8_t to, unsigned role)
{
    unsigned n = role - SCH_MAXWELL_ROLE_DSDX;
    add_source(l, to, (struct sch_prepared_operand){(int8_t)(l->in->lookup->ddx + (n & 1)), (uint8_t)(n / 2)});
}

/* A fixed-point field of a result as a float: exact. */
static uint8_t add_fixed(struct lowering *l, uint8_t from, unsigned position, bool is_signed, uint32_t unit)
{
    uint8_t to = spare_register(l), bits = spare_constant(l, 16);
    add_alu(l, is_signed ? SCH_OP_IBFE : SCH_OP_UBFE, to, FROM(from, spare_constant(l, position), bits));
    add_alu(l, is_signed ? SCH_OP_I2F : SCH_OP_U2F, to, FROM(to));
    add_alu(l, SCH_OP_MUL, to, FROM(to, spare_constant(l, unit)));
    return to;
}

/* The level for given derivatives. Coordinates and derivatives are in registers of their own, one after the other. */
static void add_computed_level(struct lowering *l, uint8_t to)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    struct sch_maxwell_lowered_step level = {.kind = SCH_MAXWELL_STEP_LEVEL, .to = to, .from = {l->plan->registers}};
    for (unsigned axis = 0; axis < lookup->axes; axis++)
        add_source(l, spare_register(l), (struct sch_prepared_operand){0, (uint8_t)axis});
    level.from[1] = l->plan->registers;
    for (unsigned n = 0; n < 2 * lookup->axes; n++) add_gradient(l, spare_register(l), SCH_MAXWELL_ROLE_DSDX + n);
    add_step(l, level);
    uint8_t fraction = add_fixed(l, to, 0, true, PER_256);
    add_alu(l, SCH_OP_MOV, to, FROM(fraction));
}

/* If there is only one level, queries are of that one. */
static void add_level(struct lowering *l, uint8_t to)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    if (l->plan->computes_level) {
        add_computed_level(l, to);
        return;
    }
    bool by_level = lookup->kind != SCH_PREPARED_SIZE || !sch_target_facts(lookup->target)->one_level;
    add_source(l, to, by_level ? lookup->value : (struct sch_prepared_operand){.source = -1});
}

static void add_operand(struct lowering *l, enum sch_maxwell_operand_role role, uint8_t to)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    switch (role) {
    case SCH_MAXWELL_ROLE_LAYER:
        add_layer(l, to);
        break;
    case SCH_MAXWELL_ROLE_S:
    case SCH_MAXWELL_ROLE_T:
    case SCH_MAXWELL_ROLE_R:
        add_projected(l, to, (struct sch_prepared_operand){0, (uint8_t)(role - SCH_MAXWELL_ROLE_S)});
        break;
    case SCH_MAXWELL_ROLE_HANDLE:
        add_step(l, (struct sch_maxwell_lowered_step){.kind = SCH_MAXWELL_STEP_HANDLE, .to = to});
        break;
    case SCH_MAXWELL_ROLE_LOD:
        add_level(l, to);
        break;
    case SCH_MAXWELL_ROLE_SAMPLE:
        add_source(l, to, lookup->value);
        break;
    case SCH_MAXWELL_ROLE_OFFSET:
        add_packed_offsets(l, to);
        break;
    case SCH_MAXWELL_ROLE_PTP0:
    case SCH_MAXWELL_ROLE_PTP1:
        add_texel_offsets(l, to, role == SCH_MAXWELL_ROLE_PTP0 ? 0 : 2);
        break;
    case SCH_MAXWELL_ROLE_REFERENCE:
        add_projected(l, to, lookup->reference);
        break;
    case SCH_MAXWELL_ROLE_LAYER_OFFSETS:
        add_layer_and_offsets(l, to);
        break;
    case SCH_MAXWELL_ROLE_DSDX:
    case SCH_MAXWELL_ROLE_DSDY:
    case SCH_MAXWELL_ROLE_DTDX:
    case SCH_MAXWELL_ROLE_DTDY:
    case SCH_MAXWELL_ROLE_DRDX:
    case SCH_MAXWELL_ROLE_DRDY:
        add_gradient(l, to, role);
        break;
    }
}

void sch_maxwell_steps_before(struct lowering *l)
{
    const struct sch_maxwell_instruction *t = &l->plan->texture;
    l->behind = false;
    for (unsigned i = 0; i < l->packing.a_count; i++)
        add_operand(l, (enum sch_maxwell_operand_role)l->packing.a[i], (uint8_t)(t->ra + i));
    for (unsigned i = 0; i < l->packing.b_count; i++)
        add_operand(l, (enum sch_maxwell_operand_role)l->packing.b[i], (uint8_t)(t->rb + i));
}

/* ---- results ---- */

enum { NO_COMPONENT = 4 };

/* Sizes beyond those of the target are 0, where the query of the header may return 1 or the number of samples
 * ("zero/one*"). */
static unsigned size_component(const struct sch_prepared_lookup *lookup, unsigned c)
{
    const struct sch_target_facts *is = sch_target_facts(lookup->target);
    return c == 2 && is->axes + is->layered < 3 ? NO_COMPONENT : c;
}

unsigned sch_maxwell_result_component(const struct sch_prepared_lookup *lookup, unsigned c)
{
    enum { R, G, B };
    switch ((enum sch_prepared_lookup_kind)lookup->kind) {
    case SCH_PREPARED_SIZE:
        return size_component(lookup, c);
    case SCH_PREPARED_SAMPLES: /* "(B) u32: ms count" */
        return c == 0 ? B : NO_COMPONENT;
    case SCH_PREPARED_POSITION: /* both axes are packed in R */
        return c < 2 ? R : NO_COMPONENT;
    case SCH_PREPARED_LOD: /* x the level that is accessed, y the computed one: TMML has them the other way round */
        return c == 0 ? G : c == 1 ? R : NO_COMPONENT;
    case SCH_PREPARED_SAMPLE:
    case SCH_PREPARED_PROJECT:
    case SCH_PREPARED_GATHER:
    case SCH_PREPARED_FETCH:
    case SCH_PREPARED_FETCH_MS:
        return c;
    }
    return NO_COMPONENT;
}

/* The register of a component of the instruction's result: masked results are contiguous; scalar forms put the third
 * and fourth into Rd1, which was placed right after Rd. */
static uint8_t result_register(const struct lowering *l, unsigned component)
{
    const struct sch_maxwell_instruction *t = &l->plan->texture;
    unsigned rank = (unsigned)__builtin_popcount(t->write_mask & ((1u << component) - 1));
    return (uint8_t)(t->rd + rank);
}

static uint8_t add_result(struct lowering *l, unsigned c)
{
    const struct sch_prepared_lookup *lookup = l->in->lookup;
    unsigned component = sch_maxwell_result_component(lookup, c);
    if (component == NO_COMPONENT) return spare_constant(l, 0);
    uint8_t from = result_register(l, component);
    if (lookup->kind == SCH_PREPARED_LOD) return add_fixed(l, from, 0, c == 1, PER_256);
    if (lookup->kind != SCH_PREPARED_POSITION) return from;
    uint8_t to = add_fixed(l, from, 16 * c, true, PER_4096); /* from the pixel's centre */
    add_alu(l, SCH_OP_ADD, to, FROM(to, spare_constant(l, HALF)));
    return to;
}

void sch_maxwell_steps_after(struct lowering *l)
{
    const struct sch_prepared_dst *dst = &l->in->dst[0];
    l->behind = true;
    l->plan->written = dst->mask;
    for (unsigned c = 0; c < 4; c++)
        if (dst->mask >> c & 1) l->plan->result[c] = add_result(l, l->in->lookup->swizzle[c]);
}
