/* What `auto` takes compiling to cost: of programs, of what spans add to them, and of lookups by their forms. Holds no
 * decision when to compile (native/engine.c). */
#include "native/internal.h"

#include "isa/targets.h"
#include "texture/convert.h"
#include "texture/texture.h"

/* Processor time with eight lanes on the processor of docs/performance.md, "What compiling costs", where the unit of
 * `auto` is about 10 ns. Code of other widths differs as the interpreter does. */
enum {
    MICROSECOND = 100, /* in units */
    MILLISECOND = 1000 * MICROSECOND,
    FORMS_COMPARED = 16 /* so that weighing stays linear */
};

/* ---- programs ---- */

enum {
    PROGRAM = 1500 * MICROSECOND,
    LARGE = 12000 * MICROSECOND, /* opcode of long code that is compiled once: POW, SIN, COS */
    CHANNEL = 95 * MICROSECOND,  /* that an arithmetic instruction writes */
    OTHER = 1100 * MICROSECOND,  /* instruction: flow, memory, a lookup besides its function's code */
    INDEXED = OTHER,             /* operand in memory, as registers choose among registers of its file */
    SPANS = 3700 * MICROSECOND,  /* code for spans */
    INPUTS = 3000 * MICROSECOND, /* of spans */
    PLANE = 350 * MICROSECOND    /* each channel of theirs */
};

static bool is_indexed(const struct sch_prepared *program, unsigned access, unsigned file)
{
    if (access == SCH_ACCESS_NONE) return false;
    return access != SCH_ACCESS_PLAIN || program->indexed >> file & 1;
}

static uint64_t weigh_instruction(const struct sch_prepared *program, const struct sch_prepared_instruction *in)
{
    const bool is_arithmetic = !in->lookup && SCH_SHAPE_IS_ARITHMETIC(sch_op_info(in->opcode)->shape);
    const uint64_t channels = in->dst_count ? (uint64_t)__builtin_popcount(in->dst[0].mask) : 1;
    uint64_t weight = is_arithmetic ? CHANNEL * channels : OTHER;
    for (unsigned s = 0; s < in->src_count; s++)
        if (is_indexed(program, in->src[s].access, in->src[s].file)) weight += INDEXED;
    for (unsigned d = 0; d < in->dst_count; d++)
        if (is_indexed(program, in->dst[d].access, in->dst[d].file)) weight += INDEXED;
    return weight;
}

/* Of TGSI and Direct3D. */
uint64_t sch_native_weigh_program(const struct sch_prepared *program)
{
    bool seen[SCH_OP_LIMIT] = {0};
    uint64_t weight = PROGRAM;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        const unsigned opcode = program->instructions[n].opcode;
        if (!seen[opcode] && sch_op_info(opcode)->flags & SCH_OPF_QUICK) weight += LARGE;
        seen[opcode] = true;
        weight += weigh_instruction(program, &program->instructions[n]);
    }
    return weight;
}

/* Draws' fragments are counted as a rectangle's: tests and blending, which cost several times more, are left out, as
 * pictures would wait longer for code that is made beside them. */
uint64_t sch_native_weigh_spans(const struct sch_native_span_form *form)
{
    return SPANS + (form->plane_count ? INPUTS : 0) + (uint64_t)PLANE * form->plane_count;
}

/* ---- lookups ---- */

/* Milliseconds, besides what the program costs that has the lookup: of the code in it, or of the function that it
 * calls. */
enum reading { NEAREST, LINEAR, LEVEL, LEVELS, TAPS, READINGS };
enum texels { WORDS, SHORT, WIDE, CURVED, BLOCKS, TEXELS };
static const uint8_t costs[TEXELS][READINGS] = {
    [WORDS] = {9, 16, 23, 51, 33},   /* of four bytes; those in rows are read as such */
    [SHORT] = {5, 11, 17, 20, 25},   /* of fewer, and lines */
    [WIDE] = {6, 23, 28, 33, 38},    /* of more */
    [CURVED] = {15, 65, 33, 35, 42}, /* sRGB */
    [BLOCKS] = {14, 79, 33, 38, 44},
};
enum { FETCHED_WORDS = 22, GATHER = 5 };            /* more than the nearest texel */
enum { SEVERAL_AXES = 50, SEVERAL_AXES_MORE = 25 }; /* more; of linear filters of cubes and volumes */

static enum reading reading_of(const struct sch_native_lookup_form *form)
{
    const struct sch_sampler_key *key = &form->key;
    if (form->kind != SCH_NATIVE_SAMPLE) return NEAREST;
    if (key->max_anisotropy > 1) return TAPS;
    if (key->mip) return key->mip == 2 ? LEVELS : LEVEL;
    return key->min_linear || key->mag_linear ? LINEAR : NEAREST;
}

static enum texels texels_of(const struct sch_sampler_key *key)
{
    const uint32_t bytes = sch_texture_block_bytes(key->format);
    if (sch_texture_is_block(key->format)) return BLOCKS;
    if (sch_texels_are_srgb(key->format)) return CURVED;
    if (bytes < 4 || sch_target_facts(key->target)->axes == 1) return SHORT;
    return bytes == 4 ? WORDS : WIDE;
}

uint64_t sch_native_lookup_weight(const struct sch_native_lookup_form *form)
{
    const struct sch_target_facts *target = sch_target_facts(form->key.target);
    const enum reading reading = reading_of(form);
    const enum texels texels = texels_of(&form->key);
    uint64_t cost = costs[texels][reading];
    if (form->kind == SCH_NATIVE_GATHER) cost += GATHER;
    if (form->kind == SCH_NATIVE_FETCH && texels == WORDS) cost += FETCHED_WORDS;
    if (reading != NEAREST && (target->cube || target->axes == 3))
        cost += reading == LINEAR && texels != WIDE ? SEVERAL_AXES : SEVERAL_AXES_MORE;
    return cost * MILLISECOND;
}

/* Each form once, of those that are compared. */
uint64_t sch_native_weigh_lookups(const struct sch_native_slots *slots)
{
    const struct sch_native_lookup_form *seen[FORMS_COMPARED];
    uint64_t weight = 0;
    uint32_t count = 0;
    for (uint32_t n = 0; n < slots->count; n++) {
        const struct sch_native_lookup_form *form = &slots->wishes[n].form;
        bool is_new = slots->wishes[n].there;
        for (uint32_t i = 0; is_new && i < count && i < FORMS_COMPARED; i++)
            is_new = !sch_native_same_form(seen[i], form);
        if (!is_new) continue;
        seen[count++ % FORMS_COMPARED] = form;
        weight += sch_native_lookup_weight(form);
    }
    return weight;
}
