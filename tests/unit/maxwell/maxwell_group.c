/* See maxwell_group.h. */
#include "maxwell_group.h"

#include <string.h>

enum { WORDS = 4 * SCH_MAXWELL_INPUT_REGISTERS, REGISTERS = SCH_MAXWELL_GROUP_REGISTERS };

struct words {
    uint32_t word[GROUP_LANES][WORDS];
    uint8_t helpers[GROUP_LANES];
};

enum sch_result maxwell_read(struct sch_context *context, const void *data, size_t bytes,
                             const struct sch_read_options *options, struct sch_diagnostics_list *list,
                             struct sch_shader **shader)
{
    struct sch_read_options wanted = {.size = sizeof wanted};
    if (options) memcpy(&wanted, options, options->size < sizeof wanted ? options->size : sizeof wanted);
    if (!wanted.kind) wanted.kind = SCH_KIND_MAXWELL;
    return sch_shader_read(context, data, bytes, &wanted, list, shader);
}

static void put(const struct maxwell_group *group, struct words *to)
{
    memset(to, 0, sizeof *to);
    for (unsigned i = 0; i < GROUP_LANES; i++) {
        for (unsigned r = 0; r < REGISTERS; r++) to->word[i][r] = group->registers[r][i];
        for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++)
            to->word[i][SCH_MAXWELL_PREDICATE_WORD + p] = group->predicates[p] >> i & 1;
        if (group->killed >> i & 1) to->helpers[i] = SCH_INVOCATION_HELPER;
        if (!(group->active >> i & 1)) to->helpers[i] = SCH_INVOCATION_OFF;
    }
}

static void take(const struct words *from, struct maxwell_group *group)
{
    memset(group->predicates, 0, sizeof group->predicates);
    for (unsigned i = 0; i < GROUP_LANES; i++) {
        for (unsigned r = 0; r < REGISTERS; r++) group->registers[r][i] = from->word[i][r];
        for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++)
            group->predicates[p] |= (uint32_t)(from->word[i][SCH_MAXWELL_PREDICATE_WORD + p] != 0) << i;
    }
}

static enum sch_result dispatch(const struct sch_program *program, const struct maxwell_environment *environment,
                                struct maxwell_group *group, const struct sch_dispatch_options *options)
{
    static _Thread_local struct words in, out;
    const struct sch_constant_buffer bank = {environment->constants, environment->constant_count * sizeof(uint32_t)};
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .constants = &bank, .constant_count = 1, .maxwell = &environment->machine};
    const struct sch_invocations invocations = {.size = sizeof invocations,
                                                .count = GROUP_LANES,
                                                .quads = environment->pixel_shader,
                                                .inputs = in.word[0],
                                                .input_bytes = sizeof in.word,
                                                .input_registers = SCH_MAXWELL_INPUT_REGISTERS,
                                                .helpers = in.helpers,
                                                .helper_bytes = sizeof in.helpers,
                                                .outputs = out.word[0],
                                                .output_bytes = sizeof out.word,
                                                .output_registers = SCH_MAXWELL_INPUT_REGISTERS};
    put(group, &in);
    const enum sch_result result = sch_dispatch(program, &bindings, &invocations, options, NULL);
    if (result == SCH_OK) take(&out, group);
    return result;
}

enum sch_result maxwell_dispatch(const struct sch_program *program, const struct maxwell_environment *environment,
                                 struct maxwell_group *group, struct sch_diagnostics_list *list)
{
    const struct sch_dispatch_options options = {
        .size = sizeof options, .threads = environment->threads, .diagnostics = list};
    return dispatch(program, environment, group, &options);
}

enum sch_result maxwell_run(struct sch_context *context, const struct sch_shader *shader,
                            const struct maxwell_environment *environment, struct maxwell_group *group,
                            struct sch_diagnostics_list *list)
{
    const struct sch_program_options options = {.size = sizeof options, .width = environment->width};
    struct sch_program *program = NULL;
    enum sch_result result = sch_program_create(context, shader, &options, list, &program);
    if (result == SCH_OK) result = maxwell_dispatch(program, environment, group, list);
    sch_program_destroy(program);
    return result;
}

static enum sch_result run_session(void *user, const struct sch_dispatch_options *options)
{
    const struct maxwell_session *session = user;
    static struct maxwell_group group;
    group = *session->group;
    return dispatch(session->program, session->environment, &group, options);
}

enum sch_result maxwell_debug(struct sch_context *context, struct maxwell_session *session, uint32_t lane)
{
    const struct sch_invocation_place place = {.size = sizeof place, .parts = SCH_PLACE_INVOCATION, .invocation = lane};
    const struct sch_debug_options options = {
        .size = sizeof options, .run = run_session, .user = session, .place = &place};
    return sch_debug_create(context, &options, &session->debug);
}
