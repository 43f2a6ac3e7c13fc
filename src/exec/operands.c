/* The operands that are not simply registers in place: indexed by registers, out of constant buffers, with modifiers;
 * and destinations indexed by registers. Register numbers are computed in 64 bits and compared with what exists: a
 * register that does not exist reads 0 and is not written. */
#include "exec/job.h"

void sch_exec_resolve(const struct sch_exec_machine *machine, const struct sch_prepared_index *index,
                      int64_t numbers[SCH_GROUP_LANES], bool *uniform)
{
    *uniform = true;
    if (!index->is_indirect) {
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) numbers[i] = index->base;
        return;
    }
    const struct sch_lanes *by = machine->group.space[index->space] + index->channel;
    uint32_t differs = 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        numbers[i] = (int64_t)index->base + (int32_t)by->u[i];
        differs |= by->u[i] ^ by->u[0];
    }
    *uniform = differs == 0;
}

static const struct sch_lanes *zeros(const struct sch_exec_machine *machine)
{
    return machine->group.space[SCH_SPACE_PROGRAM];
}

/* Combines vertex and register into one number: of a vertex that does not exist one below 0 or after the last, -1
 * where the register does not exist. */
static void join_vertices(const struct sch_exec_machine *machine, const struct sch_prepared_src *src, uint32_t count,
                          int64_t numbers[SCH_GROUP_LANES], bool *uniform)
{
    int64_t vertices[SCH_GROUP_LANES];
    bool same;
    sch_exec_resolve(machine, &src->dimension, vertices, &same);
    *uniform = *uniform && same;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        bool there = numbers[i] >= 0 && numbers[i] < count;
        numbers[i] = there ? vertices[i] * count + numbers[i] : -1;
    }
}

static const struct sch_lanes *read_register(struct sch_exec_machine *machine, const struct sch_prepared_src *src,
                                             unsigned component, struct sch_lanes *scratch)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[src->file];
    const struct sch_lanes *base = machine->group.space[file->space] + file->base + component;
    int64_t numbers[SCH_GROUP_LANES], limit = file->count;
    bool uniform;
    sch_exec_resolve(machine, &src->index, numbers, &uniform);
    if (src->file == SCH_FILE_INPUT) {
        join_vertices(machine, src, file->count, numbers, &uniform);
        limit *= machine->group.input_vertices;
    }
    if (uniform) return numbers[0] >= 0 && numbers[0] < limit ? base + 4 * numbers[0] : zeros(machine);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        scratch->u[i] = numbers[i] >= 0 && numbers[i] < limit ? base[4 * numbers[i]].u[i] : 0;
    return scratch;
}

/* Words from `at` on, as many of `count` as there are. */
static void take_words(const struct sch_constant_buffer *from, uint64_t at, unsigned count, uint32_t *words)
{
    const uint64_t there = from->bytes / sizeof *words;
    if (at >= there) return;
    if (count > there - at) count = (unsigned)(there - at);
    memcpy(words, (const uint8_t *)from->data + sizeof *words * at, count * sizeof *words);
}

void sch_exec_constant_words(const struct sch_exec_bindings *bindings, uint32_t buffer, uint32_t index,
                             uint32_t word[4])
{
    memset(word, 0, 4 * sizeof *word);
    if (bindings && buffer < bindings->constant_count)
        take_words(&bindings->constants[buffer], 4 * (uint64_t)index, 4, word);
}

uint32_t sch_exec_constant_word(const struct sch_exec_bindings *bindings, int64_t buffer, int64_t index,
                                unsigned component)
{
    uint32_t word = 0;
    if (bindings && buffer >= 0 && buffer < bindings->constant_count && index >= 0)
        take_words(&bindings->constants[buffer], 4 * (uint64_t)index + component, 1, &word);
    return word;
}

static const struct sch_lanes *read_constant(struct sch_exec_machine *machine, const struct sch_prepared_src *src,
                                             unsigned component, struct sch_lanes *scratch)
{
    int64_t numbers[SCH_GROUP_LANES], buffers[SCH_GROUP_LANES];
    bool uniform, same;
    sch_exec_resolve(machine, &src->index, numbers, &uniform);
    sch_exec_resolve(machine, &src->dimension, buffers, &same);
    if (uniform && same) {
        machine->ops->splat(scratch, sch_exec_constant_word(machine->bindings, buffers[0], numbers[0], component));
        return scratch;
    }
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        scratch->u[i] = sch_exec_constant_word(machine->bindings, buffers[i], numbers[i], component);
    return scratch;
}

static const struct sch_lanes *read_raw(struct sch_exec_machine *machine, const struct sch_prepared_src *src,
                                        unsigned channel, struct sch_lanes *scratch)
{
    if (src->access == SCH_ACCESS_PLAIN) return machine->group.space[src->space] + src->channel[channel];
    if (src->access == SCH_ACCESS_REGISTERS) return read_register(machine, src, src->swizzle[channel], scratch);
    if (src->access == SCH_ACCESS_CONSTANTS) return read_constant(machine, src, src->swizzle[channel], scratch);
    if (src->access == SCH_ACCESS_PATCH) return sch_exec_patch_read(machine, src, src->swizzle[channel], scratch);
    return zeros(machine);
}

const struct sch_lanes *sch_exec_read(struct sch_exec_machine *machine, const struct sch_prepared_src *src,
                                      unsigned channel, struct sch_lanes *scratch)
{
    if (!src->modify) return read_raw(machine, src, channel, scratch);
    if (sch_modifier_words(src->modify) == 1) {
        const struct sch_lanes *raw = read_raw(machine, src, channel, scratch);
        machine->ops->modify[src->modify](SCH_RULE_NONE, &scratch, &raw);
        return scratch;
    }
    /* The modifier of a 64-bit value needs both words, and this is one of them. */
    struct sch_lanes words[2], modified[2];
    const struct sch_lanes *raw[2] = {read_raw(machine, src, channel & ~1u, &words[0]),
                                      read_raw(machine, src, channel | 1u, &words[1])};
    struct sch_lanes *to[2] = {&modified[0], &modified[1]};
    machine->ops->modify[src->modify](SCH_RULE_NONE, to, raw);
    *scratch = modified[channel & 1];
    return scratch;
}

void sch_exec_scatter(struct sch_exec_machine *machine, const struct sch_prepared_dst *dst, unsigned channel,
                      const struct sch_lanes *value)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[dst->file];
    struct sch_lanes *base = machine->group.space[SCH_SPACE_STATE] + file->base + channel;
    const uint8_t *masks = dst->file == SCH_FILE_OUTPUT ? machine->program->prepared.output_masks : NULL;
    const int64_t *numbers = machine->numbers;
    if (machine->named != dst || channel == (unsigned)__builtin_ctz(dst->mask)) {
        bool uniform;
        sch_exec_resolve(machine, &dst->index, machine->numbers, &uniform);
        machine->named = dst;
    }
    for (uint32_t left = machine->group.exec; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (numbers[i] < 0 || numbers[i] >= file->count) continue;
        if (masks && !(masks[numbers[i]] >> channel & 1)) continue;
        base[4 * numbers[i]].u[i] = value->u[i];
    }
}
