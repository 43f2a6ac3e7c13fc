/* What is found out about a program before code is made, beside its flow (ir/flow.h): where blocks begin, which
 * constructs code treats in its own way, and how large it will be. */
#include "jit/emit.h"
#include "jit/indexed.h"

typedef const struct sch_prepared_instruction instruction;

static uint32_t flags_of(unsigned opcode) { return sch_op_info(opcode)->flags; }

/* Whether control may go elsewhere than to the next instruction. */
static bool branches(unsigned opcode)
{
    return (flags_of(opcode) & (SCH_OPF_OPENS | SCH_OPF_DIVIDES | SCH_OPF_CLOSES | SCH_OPF_LEAVES | SCH_OPF_BARRIER)) !=
           0;
}

static void list_blocks(struct jit_plan *plan, const struct sch_prepared *program)
{
    uint32_t count = program->instruction_count;
    plan->starts[0] = plan->starts[count] = true;
    for (uint32_t n = 0; n <= count; n++) {
        instruction *in = &program->instructions[n];
        if (!branches(in->opcode)) continue;
        if (n < count) plan->starts[n + 1] = true;
        if (in->target) plan->starts[in->target - program->instructions] = true;
        uint32_t reconvergence = (uint32_t)(in->reconvergence - program->instructions);
        plan->starts[reconvergence] = true;
        if (in->opcode == SCH_OP_BGNSUB && reconvergence < count) plan->starts[reconvergence + 1] = true;
    }
}

static void count_accesses(struct jit_plan *plan, const struct sch_prepared *program)
{
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        instruction *in = &program->instructions[n];
        plan->accesses += in->resource && !in->resource->texture && !sch_prepared_is_atomic(in);
    }
}

/* From a subroutine lanes come back to wherever they were called. Lanes without budget end where a loop begins its next
 * iteration; `all`: none can, as only helpers do it alone. */
static void list_left(struct jit_emitter *e, bool all)
{
    const struct sch_ir_flow *flow = e->flow;
    for (uint32_t c = 0; c < flow->construct_count; c++) {
        struct jit_construct *construct = &e->plan.constructs[c];
        construct->left = construct->left || flow->constructs[c].left || flow->calls;
        bool turns = !all && flow->constructs[c].kind == SCH_CONSTRUCT_LOOP;
        for (uint32_t at = c; at != SCH_FLOW_NONE && turns; at = flow->constructs[at].outer) {
            turns = at == c || flow->constructs[at].kind != SCH_CONSTRUCT_LOOP; /* what is around that was marked */
            e->plan.constructs[at].left = true;
        }
    }
}

/* Loops whose lanes all leave by such constructs directly in them: code follows their lanes as a word, too, as testing
 * that is quicker than testing mask registers; and with AVX2 as vectors, which are there sooner than what is made of a
 * word. */
static void list_tracked(struct jit_emitter *e)
{
    const struct sch_ir_flow *flow = e->flow;
    struct jit_plan *plan = &e->plan;
    for (uint32_t c = 0; c < flow->construct_count; c++) {
        struct jit_construct *loop = &plan->constructs[c];
        loop->tracked = !e->quick && loop->is->kind == SCH_CONSTRUCT_LOOP && e->request->full &&
                        (e->mask_parts > 1 || e->has_avx2_masks) && !flow->ends_invocations && !loop->is->continues &&
                        !loop->is->waits && !loop->left;
    }
    for (uint32_t n = 0; n < e->program->instruction_count; n++) {
        if (e->program->instructions[n].opcode != SCH_OP_BRK) continue;
        const uint32_t around = flow->links[n].around, loop = sch_ir_flow_innermost(flow, around, SCH_CONSTRUCT_LOOP);
        if (loop == SCH_FLOW_NONE) continue;
        const bool direct = flow->constructs[around].outer == loop && flow->constructs[around].kind == SCH_CONSTRUCT_IF;
        const bool known = plan->constructs[around].exits || plan->uniformity.same_way[around];
        if (!direct || !known) plan->constructs[loop].tracked = false;
    }
}

/* Where code looks beside loops and calls, so that no way through it is long without. What has passed since the last
 * look is known by instruction, as far as all but subroutines' ends lead onwards; those are short. */
static void list_looks(struct jit_plan *plan, const struct sch_prepared *program, uint32_t *since)
{
    enum { DISTANCE = SCH_GROUP_LOOK_DISTANCE, SUBROUTINE = DISTANCE / 16 };
    const uint32_t count = program->instruction_count;
    for (uint32_t n = 0; n <= count; n++) {
        instruction *in = &program->instructions[n];
        const uint32_t cost = sch_prepared_cost(in), most = in->opcode == SCH_OP_ENDSUB ? SUBROUTINE : DISTANCE;
        if (n && since[n] + cost > most) {
            plan->looks[n] = plan->starts[n] = plan->watches = true;
            since[n] = 0;
        }
        const uint32_t passed = flags_of(in->opcode) & SCH_OPF_SPENDS ? 0 : since[n] + cost; /* which looks */
        const size_t reconvergence = (size_t)(in->reconvergence - program->instructions);
        const size_t after[] = {n + 1, reconvergence, reconvergence + 1,
                                in->target ? (size_t)(in->target - program->instructions) : n};
        for (unsigned i = 0; i < 4; i++)
            if (after[i] > n && after[i] <= count && since[after[i]] < passed) since[after[i]] = passed;
    }
}

/* Lanes in a loop have made its iterations together. Those that left it have made fewer, which matters to those only
 * that come to a loop again. */
static void find_owing(struct jit_emitter *e)
{
    const struct sch_ir_flow *flow = e->flow;
    bool differ = false; /* after what is listed so far */
    e->plan.owes = flow->calls > 0;
    for (uint32_t c = 0; c < flow->construct_count; c++) {
        const struct sch_ir_construct *construct = &flow->constructs[c];
        if (construct->kind != SCH_CONSTRUCT_LOOP) continue;
        const bool whole = jit_is_whole(e, c);
        const bool again = sch_ir_flow_innermost(flow, construct->outer, SCH_CONSTRUCT_LOOP) != SCH_FLOW_NONE;
        e->plan.owes = e->plan.owes || differ || (!whole && again);
        differ = differ || !whole;
    }
}

void jit_plan_exits(struct jit_emitter *e)
{
    struct jit_plan *plan = &e->plan;
    for (uint32_t c = 0; c < e->flow->construct_count; c++) {
        struct jit_construct *construct = &plan->constructs[c];
        const uint32_t opener = construct->is->opener;
        const unsigned inside = e->program->instructions[opener + 1].opcode;
        if (construct->is->kind != SCH_CONSTRUCT_IF || construct->is->end != opener + 2) continue;
        if (plan->uniformity.same_way[c]) continue;
        if (plan->looks[opener + 1] || plan->looks[opener + 2]) continue;
        construct->exits = inside == SCH_OP_BRK || inside == SCH_OP_CONT;
        if (construct->exits) plan->starts[opener + 1] = plan->starts[opener + 2] = false;
    }
    list_tracked(e);
    find_owing(e);
}

enum sch_result jit_plan_make(struct jit_emitter *e)
{
    const struct sch_prepared *program = e->program;
    struct jit_plan *plan = &e->plan;
    const size_t count = plan->count = (size_t)program->instruction_count + 1;
    for (size_t n = 0; n < count; n++) plan->indexed += jit_indexed_channels(&program->instructions[n]);
    plan->constructs = SCH_ARENA_ARRAY(&e->arena, struct jit_construct, e->flow->construct_count);
    plan->starts = SCH_ARENA_ARRAY(&e->arena, bool, count);
    plan->looks = SCH_ARENA_ARRAY(&e->arena, bool, count);
    uint32_t *since = SCH_ARENA_ARRAY(&e->arena, uint32_t, count);
    if (e->arena.failed) return SCH_ERROR_MEMORY;
    for (uint32_t c = 0; c < e->flow->construct_count; c++) plan->constructs[c].is = &e->flow->constructs[c];
    plan->spends = e->flow->loops || e->flow->calls;
    list_blocks(plan, program);
    list_looks(plan, program, since);
    count_accesses(plan, program);
    plan->watches = plan->watches || plan->spends || e->request->metered;
    list_left(e, e->request->full && !e->flow->ends_invocations);
    return SCH_OK;
}

/* ---- how large the code will be ---- */

/* WEIGHT_CALLED: of a CAL where there are more than a few. It becomes fewer instructions (17), but blocks and edges,
 * which cost more: 0.4 ms each; 8,000 of them are as dear as the most that is taken of anything. */
enum { WEIGHT_CALLED = 2048, WEIGHT_CALL = 12, WEIGHT_BLOCK = 24, WEIGHT_STEP = 8, WEIGHT_INDEXED = 4 };

static unsigned channels_of(instruction *in)
{
    return in->dst_count ? (unsigned)__builtin_popcount(in->dst[0].mask) : 1;
}

/* `compact`: of arithmetic that is steps of tables, one vector counts. */
static size_t weigh(const struct sch_prepared *program, unsigned lanes, bool compact)
{
    const size_t calls = program->flow.calls;
    size_t weight = 0;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        instruction *in = &program->instructions[n];
        const size_t vectors = compact && jit_has_steps(in) ? 1 : SCH_GROUP_LANES / lanes;
        weight += branches(in->opcode) ? WEIGHT_BLOCK * vectors : 0;
        weight += (size_t)WEIGHT_STEP * (1 + in->src_count) * channels_of(in) * vectors;
        weight += WEIGHT_INDEXED * jit_indexed_channels(in) * vectors;
        if (!SCH_SHAPE_IS_ARITHMETIC(sch_op_info(in->opcode)->shape)) weight += WEIGHT_CALL * vectors;
    }
    return calls > JIT_FEW_CALLS ? weight + WEIGHT_CALLED * calls : weight;
}

size_t jit_plan_weight(const struct sch_prepared *program, unsigned lanes) { return weigh(program, lanes, false); }

size_t jit_plan_compact_weight(const struct sch_prepared *program, unsigned lanes)
{
    return weigh(program, lanes, true);
}
