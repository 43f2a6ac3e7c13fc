/* Where lanes of a prepared program continue: after loops' ends and calls, and where an instruction leaves none
 * running. */
#include "ir/prepare.h"

/* After the instruction to which ENDLOOP goes back, and CAL forth. */
static const struct sch_prepared_instruction *target_of(const struct sch_prepared *program, uint32_t n)
{
    const struct sch_ir_flow *flow = &program->flow;
    const unsigned opcode = program->instructions[n].opcode;
    if (opcode != SCH_OP_ENDLOOP && opcode != SCH_OP_CAL) return NULL;
    const uint32_t construct = opcode == SCH_OP_CAL ? flow->links[n].construct : flow->links[n].around;
    return &program->instructions[flow->constructs[construct].opener + 1];
}

/* The validator reports what is wrong with the structure; here only the status counts. */
enum sch_result sch_prepare_flow(struct sch_prepared *program, const struct sch_ir_shader *shader)
{
    enum sch_result status = sch_ir_flow_build(shader, &program->arena, &program->flow, NULL, NULL);
    if (status != SCH_OK) return status;
    for (uint32_t n = 0; n <= program->instruction_count; n++) {
        struct sch_prepared_instruction *out = &program->instructions[n];
        out->reconvergence = &program->instructions[program->flow.links[n].reconvergence];
        out->target = target_of(program, n);
    }
    return SCH_OK;
}
