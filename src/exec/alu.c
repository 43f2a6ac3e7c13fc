/* Arithmetic: one handler per shape of src/isa, none per opcode. The meaning is the operation of src/ops. Results go
 * straight to the destination when nothing can see the difference, otherwise to the machine's scratch and from there
 * under the mask. */
#include "exec/machine.h"

typedef const struct sch_prepared_instruction instruction;

static inline bool straight(const struct sch_exec_machine *machine, instruction *in)
{
    return in->direct && machine->group.exec == (uint32_t)SCH_ALL_LANES;
}

static inline void modify(const struct sch_exec_machine *machine, instruction *in, struct sch_lanes *value)
{
    if (!in->modify) return;
    struct sch_lanes *to = value;
    const struct sch_lanes *from = value;
    machine->ops->modify[in->modify](SCH_RULE_NONE, &to, &from);
}

static inline void modify_pair(const struct sch_exec_machine *machine, instruction *in, struct sch_lanes *const to[2])
{
    if (!in->modify) return;
    const struct sch_lanes *from[2] = {to[0], to[1]};
    machine->ops->modify[in->modify](SCH_RULE_NONE, to, from);
}

/* The destination channel, or a scratch channel when results must wait. */
static inline struct sch_lanes *place(struct sch_exec_machine *machine, instruction *in, unsigned channel, bool direct)
{
    return direct ? machine->group.space[SCH_SPACE_STATE] + in->dst[0].channel + channel
                  : &machine->group.result[channel];
}

static void write_results(struct sch_exec_machine *machine, const struct sch_prepared_dst *dst,
                          const struct sch_lanes *results)
{
    for (unsigned mask = dst->mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        sch_exec_write(machine, dst, c, &results[c]);
    }
}

/* ---- COMP: each channel by itself ---- */

static inline __attribute__((always_inline)) instruction *run_comp(struct sch_exec_machine *machine, instruction *in,
                                                                   unsigned sources)
{
    bool direct = straight(machine, in);
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        const struct sch_lanes *src[SCH_MAX_SRCS];
        for (unsigned s = 0; s < sources; s++) src[s] = sch_exec_operand(machine, in, s, c);
        struct sch_lanes *to = place(machine, in, c, direct);
        machine->ops->op[in->opcode](in->rules, &to, src);
        modify(machine, in, to);
    }
    if (!direct) write_results(machine, &in->dst[0], machine->group.result);
    return in + 1;
}

static instruction *comp_1(struct sch_exec_machine *machine, instruction *in) { return run_comp(machine, in, 1); }
static instruction *comp_2(struct sch_exec_machine *machine, instruction *in) { return run_comp(machine, in, 2); }
static instruction *comp_3(struct sch_exec_machine *machine, instruction *in) { return run_comp(machine, in, 3); }
static instruction *comp_n(struct sch_exec_machine *machine, instruction *in)
{
    return run_comp(machine, in, in->src_count);
}

/* Derivatives where lanes are not quads are zero (struct sch_invocations). */
static instruction *derivative(struct sch_exec_machine *machine, instruction *in)
{
    if (machine->quads) return comp_n(machine, in);
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1)
        sch_exec_write(machine, &in->dst[0], (unsigned)__builtin_ctz(mask), machine->group.space[SCH_SPACE_PROGRAM]);
    return in + 1;
}

/* ---- REPL, VREPL: one result for all channels ---- */

static instruction *replicate(struct sch_exec_machine *machine, instruction *in, const struct sch_lanes *const src[])
{
    struct sch_lanes *value = machine->group.result;
    machine->ops->op[in->opcode](in->rules, &value, src);
    modify(machine, in, value);
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1)
        sch_exec_write(machine, &in->dst[0], (unsigned)__builtin_ctz(mask), value);
    return in + 1;
}

static instruction *repl(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *src[SCH_MAX_SRCS];
    for (unsigned s = 0; s < in->src_count; s++) src[s] = sch_exec_operand(machine, in, s, 0);
    return replicate(machine, in, src);
}

/* All four channels of every source, whether the operation reads them or not. */
static void gather_sources(struct sch_exec_machine *machine, instruction *in,
                           const struct sch_lanes *src[4 * SCH_MAX_SRCS])
{
    for (unsigned s = 0; s < in->src_count; s++)
        for (unsigned c = 0; c < 4; c++) src[4 * s + c] = sch_exec_operand(machine, in, s, c);
}

static instruction *vrepl(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *src[4 * SCH_MAX_SRCS];
    gather_sources(machine, in, src);
    return replicate(machine, in, src);
}

/* ---- CHAN, UNPACK: four results at once ---- */

static instruction *four_results(struct sch_exec_machine *machine, instruction *in, const struct sch_lanes *const src[])
{
    bool direct = straight(machine, in);
    struct sch_lanes *to[4];
    for (unsigned c = 0; c < 4; c++) to[c] = place(machine, in, c, direct && (in->dst[0].mask >> c & 1));
    machine->ops->op[in->opcode](in->rules, to, src);
    for (unsigned c = 0; c < 4; c++) modify(machine, in, to[c]);
    if (!direct) write_results(machine, &in->dst[0], machine->group.result);
    return in + 1;
}

static instruction *chan(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *src[4 * SCH_MAX_SRCS];
    gather_sources(machine, in, src);
    return four_results(machine, in, src);
}

static instruction *unpack(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *src = sch_exec_operand(machine, in, 0, 0);
    return four_results(machine, in, &src);
}

/* ---- 64-bit shapes: half 0 is xy, half 1 is zw ---- */

/* Both words of every source for one half. A 32-bit source of COMP64 is in x and z, and has no high word. */
static void gather_halves(struct sch_exec_machine *machine, instruction *in, unsigned half,
                          const struct sch_lanes *src[2 * SCH_MAX_SRCS])
{
    for (unsigned s = 0; s < in->src_count; s++)
        for (unsigned w = 0; w < 2; w++) src[2 * s + w] = sch_exec_operand(machine, in, s, 2 * half + w);
}

/* dst.xy and dst.zw, each written when any of its channels is. */
static instruction *comp64(struct sch_exec_machine *machine, instruction *in)
{
    for (unsigned half = 0; half < 2; half++) {
        if (!(in->dst[0].mask >> (2 * half) & 3)) continue;
        const struct sch_lanes *src[2 * SCH_MAX_SRCS];
        gather_halves(machine, in, half, src);
        struct sch_lanes *to[2] = {&machine->group.result[2 * half], &machine->group.result[2 * half + 1]};
        machine->ops->op[in->opcode](in->rules, to, src);
        modify_pair(machine, in, to);
    }
    write_results(machine, &in->dst[0], machine->group.result);
    return in + 1;
}

static void write_some(struct sch_exec_machine *machine, const struct sch_prepared_dst *dst, unsigned channels)
{
    struct sch_prepared_dst some = *dst;
    some.mask &= (uint8_t)channels;
    write_results(machine, &some, machine->group.result);
}

/* Results in channels x and z (COMPARE64) or x and y (NARROW64); the other channels are not written. */
static instruction *one_per_half(struct sch_exec_machine *machine, instruction *in, unsigned second)
{
    for (unsigned half = 0; half < 2; half++) {
        const struct sch_lanes *src[2 * SCH_MAX_SRCS];
        gather_halves(machine, in, half, src);
        struct sch_lanes *to = &machine->group.result[half ? second : 0];
        machine->ops->op[in->opcode](in->rules, &to, src);
        modify(machine, in, to);
    }
    write_some(machine, &in->dst[0], 1u | 1u << second);
    return in + 1;
}

static instruction *compare64(struct sch_exec_machine *machine, instruction *in)
{
    return one_per_half(machine, in, 2);
}
static instruction *narrow64(struct sch_exec_machine *machine, instruction *in) { return one_per_half(machine, in, 1); }

static instruction *widen64(struct sch_exec_machine *machine, instruction *in)
{
    for (unsigned half = 0; half < 2; half++) {
        const struct sch_lanes *src[SCH_MAX_SRCS];
        for (unsigned s = 0; s < in->src_count; s++) src[s] = sch_exec_operand(machine, in, s, half);
        struct sch_lanes *to[2] = {&machine->group.result[2 * half], &machine->group.result[2 * half + 1]};
        machine->ops->op[in->opcode](in->rules, to, src);
        modify_pair(machine, in, to);
    }
    write_results(machine, &in->dst[0], machine->group.result);
    return in + 1;
}

/* One value, src.xy; the fraction goes to dst0.xy and dst0.zw, the exponent to all of dst1. */
static instruction *fracexp(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_lanes *src[2 * SCH_MAX_SRCS];
    gather_halves(machine, in, 0, src);
    struct sch_lanes *to[3] = {&machine->group.result[0], &machine->group.result[1], &machine->group.result[4]};
    machine->ops->op[in->opcode](in->rules, to, src);
    modify_pair(machine, in, to);
    machine->group.result[2] = machine->group.result[0];
    machine->group.result[3] = machine->group.result[1];
    write_results(machine, &in->dst[0], machine->group.result);
    for (unsigned mask = in->dst[1].mask; mask; mask &= mask - 1)
        sch_exec_write(machine, &in->dst[1], (unsigned)__builtin_ctz(mask), &machine->group.result[4]);
    return in + 1;
}

sch_exec_handler *sch_exec_arithmetic(const struct sch_prepared_instruction *in, enum sch_op_shape shape)
{
    static sch_exec_handler *const by_shape[] = {
        [SCH_SHAPE_REPL] = repl,         [SCH_SHAPE_VREPL2] = vrepl,        [SCH_SHAPE_VREPL3] = vrepl,
        [SCH_SHAPE_VREPL4] = vrepl,      [SCH_SHAPE_CHAN] = chan,           [SCH_SHAPE_UNPACK] = unpack,
        [SCH_SHAPE_COMP64] = comp64,     [SCH_SHAPE_COMPARE64] = compare64, [SCH_SHAPE_WIDEN64] = widen64,
        [SCH_SHAPE_NARROW64] = narrow64, [SCH_SHAPE_FRACEXP] = fracexp,
    };
    static sch_exec_handler *const by_sources[] = {comp_n, comp_1, comp_2, comp_3, comp_n, comp_n};
    if (shape != SCH_SHAPE_COMP) return by_shape[shape];
    if (sch_op_info(in->opcode)->flags & SCH_OPF_DERIVATIVE) return derivative;
    return by_sources[in->src_count];
}
