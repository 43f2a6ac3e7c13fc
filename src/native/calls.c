/* What code calls for what it has no form of its own for: thin ways into src/exec. Holds the table of these functions
 * (native/runtime.h says what each is for). */
#include "native/internal.h"

#include "exec/lookup.h"

static const struct sch_lanes *read_source(struct sch_exec_machine *machine, const struct sch_exec_src *src,
                                           unsigned channel)
{
    return sch_exec_source(machine, src, channel, &machine->result[0]);
}

static void write_destination(struct sch_exec_machine *machine, const struct sch_exec_dst *dst, unsigned channel)
{
    sch_exec_write(machine, dst, channel, &machine->result[0]);
}

static void answer_query(struct sch_exec_machine *machine, const struct sch_native_slot *slot,
                         const struct sch_exec_instruction *in)
{
    struct sch_lanes *const result[4] = {&machine->result[0], &machine->result[1], &machine->result[2],
                                         &machine->result[3]};
    const struct sch_lanes *value = in->lookup->value.source < 0 ? NULL : &machine->scratch[0][0];
    sch_exec_run_query(machine, in->lookup, slot->texture, value, result);
}

static void ask(struct sch_exec_machine *machine, const struct sch_exec_instruction *in)
{
    sch_exec_run_lookup(machine, in, true);
}

static void stream(struct sch_exec_machine *machine, const struct sch_exec_instruction *in, uint32_t lanes)
{
    sch_exec_stream(machine, in->opcode == SCH_OP_EMIT, lanes, &machine->scratch[0][0]);
}

static void interpolate(struct sch_exec_machine *machine, const struct sch_exec_instruction *in)
{
    const struct sch_lanes *const operand[2] = {&machine->scratch[1][0], &machine->scratch[1][1]};
    sch_exec_interpolate(machine, in, operand);
}

const struct sch_native_runtime sch_native_functions = {
    .spend = sch_native_spend,
    .load = sch_native_load_words,
    .store = sch_native_store_words,
    .update = sch_native_update_words,
    .renew = sch_native_renew,
    .look = sch_native_look,
    .source = read_source,
    .write = write_destination,
    .query = answer_query,
    .update_texels = sch_native_update_texels,
    .access = sch_native_access_any,
    .ask = ask,
    .pixels = sch_exec_fetch_pixels,
    .stream = stream,
    .interpolate = interpolate,
};
