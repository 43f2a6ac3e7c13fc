/* What is around the groups of spans as machine code takes it: which channels are planes, and where colours go.
 * Holds no walk over pixels (that is the source's of the work) and no code (jit/span.c). */
#include "exec/source.h"
#include "native/internal.h"

bool sch_native_can_span(const struct sch_exec_program *program)
{
    /* Code has these registers as values, which no operand may choose by number. */
    const uint32_t values = SCH_FILE_BIT(INPUT) | SCH_FILE_BIT(SYSTEM_VALUE) | SCH_FILE_BIT(OUTPUT);
    const struct sch_ir_flow *flow = &program->prepared.flow;
    const bool rounds = program->prepared.stage == SCH_STAGE_COMPUTE && !flow->ends_invocations;
    if ((flow->barriers && !rounds) || program->prepared.indexed & values) return false;
    for (uint32_t n = 0; n < program->prepared.instruction_count; n++) {
        const struct sch_prepared_instruction *in = &program->prepared.instructions[n];
        if (sch_op_info(in->opcode)->shape == SCH_SHAPE_INTERPOLATE) return false; /* reads IN by number */
    }
    /* Whoever keeps them in memory has them cleared for every group. */
    return !program->cleared[SCH_FILE_TEMPORARY] && !program->cleared[SCH_FILE_ADDRESS];
}

bool sch_native_make_span_form(const struct sch_exec_spans *spans, struct sch_native_span_form *form)
{
    *form =
        (struct sch_native_span_form){.plane_count = spans->plane_count, .render_target_count = spans->target_count};
    form->has_fragments = spans->fragments != NULL;
    if (spans->fragments) form->fragments = *spans->fragments;
    if (form->plane_count > SCH_NATIVE_PLANES || form->render_target_count > SCH_NATIVE_RENDER_TARGETS) return false;
    for (uint32_t p = 0; p < form->plane_count; p++) form->channel[p] = spans->channels[p];
    for (uint32_t p = 0; p < form->plane_count && spans->divisions; p++) form->division[p] = spans->divisions[p];
    for (uint32_t t = 0; t < form->render_target_count; t++) form->output[t] = spans->outputs[t];
    return true;
}

static enum sch_result form_in(const struct sch_exec_program *program, const struct sch_exec_spans *spans,
                               const struct sch_exec_bindings *bindings, struct sch_arena *arena,
                               struct sch_native_span_form *form)
{
    struct sch_native_slots slots = {0};
    enum sch_result status = sch_native_fill_slots(program, bindings, true, arena, &slots);
    if (status != SCH_OK) return status;
    if (!sch_native_can_span(program) || !sch_native_make_span_form(spans, form)) return SCH_ERROR_UNSUPPORTED;
    sch_native_know_lookups(program, &slots, &form->known);
    return SCH_OK;
}

enum sch_result sch_native_span_form_of(const struct sch_exec_program *program, const struct sch_exec_spans *spans,
                                        const struct sch_exec_bindings *bindings, struct sch_native_span_form *form)
{
    struct sch_arena arena;
    sch_arena_init(&arena, &program->prepared.arena.allocator, program->prepared.limits.memory);
    enum sch_result status = form_in(program, spans, bindings, &arena, form);
    sch_arena_release(&arena);
    return status;
}
