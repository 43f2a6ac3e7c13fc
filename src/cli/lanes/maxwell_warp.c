/* See maxwell_warp.h. */
#include "maxwell_warp.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = SCH_MAXWELL_GROUP_LANES, WORDS = 4 * SCH_MAXWELL_INPUT_REGISTERS };

static void put(const struct sch_cli_warp *group, uint32_t inputs[LANES][WORDS], uint8_t helpers[LANES])
{
    for (unsigned i = 0; i < LANES; i++) {
        for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++) inputs[i][r] = group->registers[r][i];
        for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++)
            inputs[i][SCH_MAXWELL_PREDICATE_WORD + p] = group->predicates[p] >> i & 1;
        if (group->killed >> i & 1) helpers[i] = SCH_INVOCATION_HELPER;
        if (!(group->active >> i & 1)) helpers[i] = SCH_INVOCATION_OFF;
    }
}

/* Words and helpers of one warp after the other. */
struct invocations {
    uint32_t (*inputs)[LANES][WORDS], (*outputs)[LANES][WORDS];
    uint8_t (*helpers)[LANES];
    uint32_t count;
};

static bool make(struct invocations *made, const struct sch_cli_warp *warps, uint32_t count)
{
    *made = (struct invocations){.inputs = calloc(count, sizeof *made->inputs),
                                 .outputs = calloc(count, sizeof *made->outputs),
                                 .helpers = calloc(count, sizeof *made->helpers),
                                 .count = count};
    const bool room = made->inputs && made->outputs && made->helpers;
    for (uint32_t n = 0; n < count && room; n++) put(&warps[n], made->inputs[n], made->helpers[n]);
    return room;
}

static void release(struct invocations *made)
{
    free(made->inputs);
    free(made->outputs);
    free(made->helpers);
}

static enum sch_result dispatch(const struct sch_program *program, const struct sch_cli_warp_machine *machine,
                                const struct invocations *of, const struct sch_dispatch_options *options)
{
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .constants = &machine->constants, .constant_count = 1, .maxwell = &machine->bindings};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = of->count * LANES,
                                         .quads = machine->quads,
                                         .inputs = of->inputs[0][0],
                                         .input_bytes = of->count * sizeof *of->inputs,
                                         .input_registers = SCH_MAXWELL_INPUT_REGISTERS,
                                         .helpers = of->helpers[0],
                                         .helper_bytes = of->count * sizeof *of->helpers,
                                         .outputs = of->outputs[0][0],
                                         .output_bytes = of->count * sizeof *of->outputs,
                                         .output_registers = SCH_MAXWELL_INPUT_REGISTERS};
    return sch_dispatch(program, &bindings, &work, options, NULL);
}

static enum sch_result run_session(void *user, const struct sch_dispatch_options *options)
{
    const struct sch_cli_warp_session *session = user;
    struct invocations of;
    enum sch_result result = make(&of, session->group, 1) ? SCH_OK : SCH_ERROR_MEMORY;
    if (result == SCH_OK) result = dispatch(session->program, session->machine, &of, options);
    release(&of);
    return result;
}

enum sch_result sch_cli_warp_debug(struct sch_context *context, struct sch_cli_warp_session *session, unsigned lane)
{
    const struct sch_invocation_place place = {.size = sizeof place, .parts = SCH_PLACE_INVOCATION, .invocation = lane};
    const struct sch_debug_options options = {.size = sizeof options,
                                              .run = run_session,
                                              .user = session,
                                              .options = &session->machine->dispatch,
                                              .place = &place};
    return sch_debug_create(context, &options, &session->debug);
}
