/* What code calls for what it has no form of its own for: thin ways into src/exec. Holds the table of these functions
 * (abi/group.h says what each is for). */
#include "native/internal.h"

#include "exec/lookup.h"

typedef const struct sch_prepared_instruction instruction;

static instruction *instruction_of(const struct sch_exec_machine *machine, uint32_t number)
{
    return &machine->program->prepared.instructions[number];
}

static void interpret(struct sch_group *group, uint32_t number)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    instruction *in = instruction_of(machine, number);
    machine->program->handlers[number](machine, in);
}

/* One step of the interpreter's loop, which code has counted. */
static bool run_single(struct sch_group *group, uint32_t number)
{
    interpret(group, number);
    return group->failure == SCH_OK;
}

static bool run_several(struct sch_group *group, uint32_t first, uint32_t count)
{
    for (uint32_t n = first; n < first + count; n++) {
        group->executed++;
        if (!run_single(group, n)) return false;
    }
    return true;
}

/* The interpreter's loop up to the next block. */
static uint32_t proceed(struct sch_group *group, uint32_t number)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    const bool *starts = machine->program->prepared.maxwell.starts;
    sch_exec_handler *const *handlers = machine->program->handlers;
    instruction *at = instruction_of(machine, number);
    do {
        if (group->executed >= group->stop_at && !sch_exec_may_go_on(machine, at->number)) return SCH_GROUP_ENDED;
        group->executed++;
        at = handlers[at->number](machine, at);
    } while (at && !starts[at->number]);
    return at ? at->number : SCH_GROUP_ENDED;
}

static const struct sch_lanes *read_source(struct sch_group *group, uint32_t number, uint32_t source, uint32_t channel)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    return sch_exec_source(machine, &instruction_of(machine, number)->src[source], channel, &group->result[0]);
}

static void write_destination(struct sch_group *group, uint32_t number, uint32_t destination, uint32_t channel)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    machine->named = NULL; /* code writes some channels itself */
    sch_exec_write(machine, &instruction_of(machine, number)->dst[destination], channel, &group->result[0]);
}

static void answer_query(struct sch_group *group, const struct sch_group_slot *slot, uint32_t number)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    const struct sch_prepared_lookup *lookup = instruction_of(machine, number)->lookup;
    struct sch_lanes *const result[4] = {&group->result[0], &group->result[1], &group->result[2], &group->result[3]};
    const struct sch_lanes *value = lookup->value.source < 0 ? NULL : &group->scratch[0][0];
    sch_exec_run_query(machine, lookup, slot->texture, value, result);
}

static void look_up(struct sch_group *group, uint32_t number)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    sch_exec_run_lookup(machine, instruction_of(machine, number), true);
}

static void fetch_pixels(struct sch_group *group, uint32_t number)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    sch_exec_fetch_pixels(machine, instruction_of(machine, number));
}

static void stream(struct sch_group *group, uint32_t number, uint32_t lanes)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    sch_exec_stream(machine, instruction_of(machine, number)->opcode == SCH_OP_EMIT, lanes, &group->scratch[0][0]);
}

static void interpolate(struct sch_group *group, uint32_t number)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    const struct sch_lanes *const operand[2] = {&group->scratch[1][0], &group->scratch[1][1]};
    sch_exec_interpolate(machine, instruction_of(machine, number), operand);
}

const struct sch_group_runtime sch_native_functions = {
    .spend = sch_native_spend,
    .renew = sch_native_renew,
    .begin_work_group = sch_native_begin_work_group,
    .look = sch_native_look,
    .interpret = interpret,
    .single = run_single,
    .several = run_several,
    .proceed = proceed,
    .load = sch_native_load_words,
    .store = sch_native_store_words,
    .update = sch_native_update_words,
    .source = read_source,
    .write = write_destination,
    .query = answer_query,
    .update_texels = sch_native_update_texels,
    .access = sch_native_access_any,
    .lookup = look_up,
    .pixels = fetch_pixels,
    .stream = stream,
    .interpolate = interpolate,
};
