/* Operands of instructions: a source with its modifier, a destination under its mask, at a fixed place or at one that
 * is known only when code runs. Holds no register (jit/registers.c). */
#include "jit/emit.h"
#include "jit/indexed.h"

static bool read_raw(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, struct jit_value *value)
{
    if (src->access != SCH_ACCESS_PLAIN) return !e->exact && jit_read_by_number(e, src, c, value);
    jit_read_place(e, src->space, src->channel[c], value);
    return true;
}

void jit_read_source(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, struct jit_value *value)
{
    const bool pair = src->modify && sch_modifier_words(src->modify) == 2;
    struct jit_value words[2];
    if (!read_raw(e, src, pair ? c & ~1u : c, &words[0])) {
        jit_ask_source(e, src, c, value);
        return;
    }
    if (pair) {
        read_raw(e, src, c | 1u, &words[1]);
        jit_modify(e, src->modify, (struct jit_value *const[]){&words[0], &words[1]});
        *value = words[c & 1];
        return;
    }
    *value = words[0];
    if (src->modify) jit_modify(e, src->modify, (struct jit_value *const[]){value});
}

bool jit_is_masked(const struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c)
{
    unsigned d = (unsigned)(dst - e->program->instructions[e->number].dst);
    return !(e->plan.liveness.unmasked[e->number] >> (4 * d + c) & 1);
}

void jit_write(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c, const struct jit_value *value)
{
    if (dst->access == SCH_ACCESS_PLAIN)
        jit_write_channel(e, dst->channel + c, value, jit_is_masked(e, dst, c));
    else if (dst->access != SCH_ACCESS_NONE && !jit_scatter(e, dst, c, value))
        jit_give(e, dst, c, value);
}

void jit_write_results(struct jit_emitter *e, const struct sch_prepared_instruction *in, const uint8_t from[4],
                       struct jit_value value[4])
{
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        struct jit_value made = value[from[c]];
        if (in->modify) jit_modify(e, in->modify, (struct jit_value *const[]){&made});
        jit_write(e, &in->dst[0], c, &made);
    }
}
