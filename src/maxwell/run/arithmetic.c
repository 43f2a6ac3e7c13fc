/* Arithmetic: operands are brought where the bodies of src/ops want them, and results to the registers, predicates and
 * flags of the lanes that execute. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "maxwell/run/handlers.h"
#include "maxwell/run/thread.h"

typedef const struct sch_prepared_instruction instruction;

static struct sch_maxwell_thread *thread_of(const struct sch_exec_machine *machine) { return machine->engine_state; }

/* ---- operands ---- */

uint32_t sch_maxwell_constant(const struct sch_exec_machine *machine, unsigned bank, uint32_t offset)
{
    const struct sch_exec_bindings *bindings = machine->bindings;
    uint32_t word = 0;
    if (!bindings || bank >= bindings->constant_count) return 0;
    const struct sch_constant_buffer *from = &bindings->constants[bank];
    if (offset <= from->bytes && from->bytes - offset >= sizeof word)
        memcpy(&word, (const char *)from->data + offset, sizeof word);
    return word;
}

/* The bits that keep a word's value, and those that are turned round, for signs and complements. */
static void find_signs(const struct sch_maxwell_source *source, unsigned word, uint32_t *keep, uint32_t *flip)
{
    const uint32_t sign = source->half ? UINT32_C(1) << 15 : UINT32_C(1) << 31;
    const bool last = word + 1u == source->words;
    *keep = source->bars && last ? ~sign : UINT32_MAX;
    *flip = source->invert ? UINT32_MAX : source->minus && last ? sign : 0;
}

static uint32_t uniform_word(const struct sch_exec_machine *machine, const struct sch_maxwell_source *source,
                             unsigned word)
{
    enum { BYTES = 4, BITS = 32 };
    if (source->kind == SCH_MAXWELL_FROM_CONSTANT)
        return sch_maxwell_constant(machine, source->number, source->offset + BYTES * word);
    return (uint32_t)(source->word >> BITS * word);
}

/* P0 to P6 as bits 0 to 6. */
static void read_predicates(const struct sch_exec_machine *machine, struct sch_lanes *to)
{
    uint32_t truth[SCH_MAXWELL_GROUP_PREDICATES];
    for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++)
        truth[p] = machine->ops->nonzero_u32(sch_maxwell_predicate(machine, p));
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        to->u[i] = 0;
        for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++) to->u[i] |= (truth[p] >> i & 1) << p;
    }
}

static const struct sch_lanes *predicate_source(struct sch_exec_machine *machine,
                                                const struct sch_maxwell_source *source, struct sch_lanes *scratch)
{
    if (source->number < SCH_MAXWELL_GROUP_PREDICATES && !source->is_not)
        return sch_maxwell_predicate(machine, source->number);
    if (source->number < SCH_MAXWELL_GROUP_PREDICATES)
        machine->ops->maxwell_truth(scratch, sch_maxwell_predicate(machine, source->number), true);
    else
        machine->ops->splat(scratch, source->is_not ? 0 : UINT32_MAX);
    return scratch;
}

/* Signs, complements and halves of a register. */
static const struct sch_lanes *change(struct sch_exec_machine *machine, const struct sch_maxwell_source *source,
                                      unsigned word, const struct sch_lanes *from, struct sch_lanes *scratch)
{
    enum { HALF_BITS = 16 };
    uint32_t keep, flip;
    find_signs(source, word, &keep, &flip);
    if (source->half) {
        machine->ops->bit_field(scratch, from, source->half == 2 ? HALF_BITS : 0, HALF_BITS, false);
        from = scratch;
    }
    if (keep == UINT32_MAX && !flip) return from;
    machine->ops->maxwell_flip(scratch, from, keep, flip);
    return scratch;
}

void sch_maxwell_source(struct sch_exec_machine *machine, const struct sch_maxwell_source *source, unsigned word,
                        struct sch_lanes *scratch, const struct sch_lanes **to)
{
    uint32_t keep, flip, value;
    *to = scratch;
    switch ((enum sch_maxwell_source_kind)source->kind) {
    case SCH_MAXWELL_FROM_REGISTER: {
        const unsigned number = source->number < SCH_MAXWELL_GROUP_REGISTERS ? source->number + word : source->number;
        *to = change(machine, source, word, sch_maxwell_read(machine, number), scratch);
        break;
    }
    case SCH_MAXWELL_FROM_PREDICATE:
        *to = predicate_source(machine, source, scratch);
        break;
    case SCH_MAXWELL_FROM_BANK:
        read_predicates(machine, scratch);
        break;
    default:
        find_signs(source, word, &keep, &flip);
        value = uniform_word(machine, source, word);
        if (source->half) value = source->half == 2 ? value >> 16 : value & 0xffff;
        machine->ops->splat(scratch, (value & keep) ^ flip);
        break;
    }
}

uint32_t sch_maxwell_truths(const struct sch_exec_machine *machine, const struct sch_maxwell_source *source)
{
    uint32_t truths = UINT32_MAX;
    if (source->number < SCH_MAXWELL_GROUP_PREDICATES)
        truths = machine->ops->nonzero_u32(sch_maxwell_predicate(machine, source->number));
    return source->is_not ? ~truths : truths;
}

/* ---- results ---- */

static void write_lanes(struct sch_exec_machine *machine, struct sch_lanes *to, const struct sch_lanes *value,
                        uint32_t lanes)
{
    if (lanes == UINT32_MAX) {
        *to = *value;
        return;
    }
    struct sch_lanes *mask = &thread_of(machine)->mask;
    machine->ops->mask_lanes(mask, lanes);
    machine->ops->commit(to, value, mask);
}

void sch_maxwell_write(struct sch_exec_machine *machine, unsigned number, const struct sch_lanes *value, uint32_t lanes)
{
    if (number < SCH_MAXWELL_GROUP_REGISTERS) write_lanes(machine, sch_maxwell_register(machine, number), value, lanes);
}

void sch_maxwell_write_truths(struct sch_exec_machine *machine, unsigned number, uint32_t truths, uint32_t lanes)
{
    struct sch_lanes *spare = &thread_of(machine)->spare;
    if (number >= SCH_MAXWELL_GROUP_PREDICATES) return;
    machine->ops->mask_lanes(spare, truths);
    write_lanes(machine, sch_maxwell_predicate(machine, number), spare, lanes);
}

instruction *sch_maxwell_fail(struct sch_exec_machine *machine, instruction *in, unsigned lane, enum sch_result status,
                              unsigned code, const char *format, ...)
{
    enum { TEXT = 320, NAME = 96, PLACE = 48 };
    const struct sch_position position = machine->program->prepared.positions[in->number];
    char text[TEXT], name[NAME], place[PLACE] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sch_exec_name_lane(machine, lane, name, sizeof name);
    /* A listing of code without lines shows this address, not the place in the file. */
    if (!position.line)
        snprintf(place, sizeof place, "; the instruction is at 0x%" PRIx32, sch_maxwell_step_of(machine, in)->address);
    sch_diagnostics_add(&thread_of(machine)->reports, SCH_SEVERITY_ERROR, code, position, "%s: %s%s", name, text,
                        place);
    machine->group.failure = status;
    machine->failed_lane = lane;
    machine->failed_instruction = in->number;
    return NULL;
}

/* ---- the handler ---- */

static void read_sources(struct sch_exec_machine *machine, const struct sch_maxwell_step *step,
                         const struct sch_lanes *from[SCH_MAXWELL_FROM_COUNT])
{
    struct sch_lanes *scratch = thread_of(machine)->read;
    for (unsigned s = 0; s < step->source_count && s < SCH_MAXWELL_FROM_HIGH; s++) {
        const struct sch_maxwell_source *source = &step->source[s];
        const unsigned high = s + SCH_MAXWELL_FROM_HIGH;
        sch_maxwell_source(machine, source, 0, &scratch[s], &from[s]);
        if (source->words > 1) sch_maxwell_source(machine, source, 1, &scratch[high], &from[high]);
    }
    from[SCH_MAXWELL_FROM_FLAGS] = sch_maxwell_predicate(machine, SCH_MAXWELL_CC);
    if (step->how.bank && step->source[0].kind == SCH_MAXWELL_FROM_BANK) from[0] = from[SCH_MAXWELL_FROM_FLAGS];
}

/* The place of a result in the state; NULL: it is dropped. */
static struct sch_lanes *place_of(const struct sch_exec_machine *machine, const struct sch_maxwell_step *step,
                                  unsigned result)
{
    switch (result) {
    case SCH_MAXWELL_TO_LOW:
    case SCH_MAXWELL_TO_HIGH: {
        const unsigned number = step->result < SCH_MAXWELL_GROUP_REGISTERS ? step->result + result : step->result;
        if (result >= step->result_words || number >= SCH_MAXWELL_GROUP_REGISTERS) return NULL;
        return sch_maxwell_register(machine, number);
    }
    case SCH_MAXWELL_TO_PREDICATE:
    case SCH_MAXWELL_TO_OTHER_PREDICATE: {
        const unsigned number = step->predicate[result - SCH_MAXWELL_TO_PREDICATE];
        return number < SCH_MAXWELL_GROUP_PREDICATES ? sch_maxwell_predicate(machine, number) : NULL;
    }
    default:
        return step->how.flags ? sch_maxwell_predicate(machine, SCH_MAXWELL_CC) : NULL;
    }
}

instruction *sch_maxwell_arithmetic(struct sch_exec_machine *machine, instruction *in)
{
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const struct sch_lanes *from[SCH_MAXWELL_FROM_COUNT];
    struct sch_lanes *to[SCH_MAXWELL_TO_COUNT], *place[SCH_MAXWELL_TO_COUNT];
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    if (!lanes) return in + 1;
    const bool whole = lanes == UINT32_MAX;
    read_sources(machine, step, from);
    for (unsigned r = 0; r < SCH_MAXWELL_TO_COUNT; r++) {
        place[r] = place_of(machine, step, r);
        to[r] = whole && place[r] ? place[r] : &thread->made[r];
    }
    machine->ops->maxwell[step->body](&step->how, to, from);
    if (whole) return in + 1;
    machine->ops->mask_lanes(&thread->mask, lanes);
    for (unsigned r = 0; r < SCH_MAXWELL_TO_COUNT; r++)
        if (place[r]) machine->ops->commit(place[r], to[r], &thread->mask);
    return in + 1;
}

/* Predicates, or flags, whose bits of the second source are set become the bits of a byte of the first. */
instruction *sch_maxwell_registers_to_predicates(struct sch_exec_machine *machine, instruction *in)
{
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    const struct sch_lanes *value, *mask;
    const unsigned low = 8u * step->how.part[0];
    sch_maxwell_source(machine, &step->source[0], 0, &thread->read[0], &value);
    sch_maxwell_source(machine, &step->source[1], 0, &thread->read[1], &mask);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint32_t bits = value->u[lane] >> low;
        uint32_t *flags = &sch_maxwell_predicate(machine, SCH_MAXWELL_CC)->u[lane];
        const uint32_t taken = mask->u[lane] & 0xf;
        if (step->how.bank) *flags = (*flags & ~taken) | (bits & taken);
        for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES && !step->how.bank; p++)
            if (mask->u[lane] >> p & 1) sch_maxwell_predicate(machine, p)->u[lane] = bits >> p & 1 ? UINT32_MAX : 0;
    }
    return in + 1;
}
