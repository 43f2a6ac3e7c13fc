/* What is found out about a program before code is made: its constructs, where blocks begin, which registers must stay
 * in memory, and how large the code will be. Without recursion: nesting is kept in a stack of its own. */
#include "jit/emit.h"
#include "jit/indexed.h"

typedef const struct sch_exec_instruction instruction;

static uint32_t flags_of(unsigned opcode) { return sch_op_info(opcode)->flags; }

/* Whether control may go elsewhere than to the next instruction. */
static bool branches(unsigned opcode)
{
    return (flags_of(opcode) & (SCH_OPF_OPENS | SCH_OPF_DIVIDES | SCH_OPF_CLOSES | SCH_OPF_LEAVES)) != 0 ||
           opcode == SCH_OP_BARRIER;
}

static void list_constructs(struct jit_plan *plan, const struct sch_exec_program *program)
{
    int32_t open = JIT_NONE;
    for (uint32_t n = 0; n <= program->instruction_count; n++) {
        const struct sch_op_info *info = sch_op_info(program->instructions[n].opcode);
        plan->around[n] = open;
        if (info->flags & SCH_OPF_OPENS) {
            plan->constructs[plan->construct_count] =
                (struct jit_construct){.opener = n, .kind = (uint8_t)sch_op_construct(info), .outer = open};
            open = (int32_t)plan->construct_count++;
        }
        if (!(info->flags & SCH_OPF_CLOSES) || open == JIT_NONE) continue;
        plan->constructs[open].end = n;
        open = plan->constructs[open].outer;
    }
}

static void list_blocks(struct jit_plan *plan, const struct sch_exec_program *program)
{
    uint32_t count = program->instruction_count;
    plan->starts[0] = plan->starts[count] = true;
    for (uint32_t n = 0; n <= count; n++) {
        instruction *in = &program->instructions[n];
        if (!branches(in->opcode)) continue;
        if (n < count) plan->starts[n + 1] = true;
        if (in->target) plan->starts[in->target - program->instructions] = true;
        uint32_t wake = (uint32_t)(in->wake - program->instructions);
        plan->starts[wake] = true;
        if (in->opcode == SCH_OP_BGNSUB && wake < count) plan->starts[wake + 1] = true;
    }
}

static void list_files(struct jit_plan *plan, const struct sch_exec_program *program)
{
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        instruction *in = &program->instructions[n];
        for (unsigned s = 0; s < in->src_count; s++)
            if (sch_exec_is_indexed(in->src[s].access)) plan->in_memory[in->src[s].file] = true;
        for (unsigned d = 0; d < in->dst_count; d++)
            if (sch_exec_is_indexed(in->dst[d].access)) plan->in_memory[in->dst[d].file] = true;
    }
    plan->in_memory[SCH_FILE_INPUT] = plan->in_memory[SCH_FILE_SYSTEM_VALUE] = true;
}

static bool is_open(const struct jit_plan *plan, uint32_t n) { return plan->around[n] != JIT_NONE; }

static void list_ends(struct jit_plan *plan, const struct sch_exec_program *program)
{
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        instruction *in = &program->instructions[n];
        unsigned opcode = in->opcode;
        if (opcode == SCH_OP_KILL || opcode == SCH_OP_KILL_IF || opcode == SCH_OP_DEMOTE || opcode == SCH_OP_ABORT)
            plan->ends_lanes = true;
        if ((opcode == SCH_OP_END || opcode == SCH_OP_RET) && is_open(plan, n)) plan->ends_lanes = true;
        if (opcode == SCH_OP_BARRIER) plan->barriers++;
        if (opcode == SCH_OP_BGNLOOP) plan->loops++;
        if (opcode == SCH_OP_CAL) plan->calls++;
        if (in->place && !in->place->texture && !in->atomic) plan->accesses++;
        if (opcode == SCH_OP_ENDLOOP || opcode == SCH_OP_CAL) plan->spends = true;
    }
}

/* The constructs that lanes leave at an instruction: up to the one that the BRK or CONT stays in, or all. */
static void leave_constructs(struct jit_plan *plan, uint32_t n, unsigned opcode)
{
    for (int32_t at = plan->around[n]; at != JIT_NONE; at = plan->constructs[at].outer) {
        unsigned kind = plan->constructs[at].kind;
        if (kind == SCH_FRAME_LOOP && opcode == SCH_OP_CONT) plan->constructs[at].continues = true;
        if (kind == SCH_FRAME_LOOP && (opcode == SCH_OP_BRK || opcode == SCH_OP_CONT)) break;
        if (kind == SCH_FRAME_SWITCH && opcode == SCH_OP_BRK) break;
        plan->constructs[at].left = true;
    }
}

/* Lanes without budget end where a loop turns; `all`: none can, as only helpers do it alone. */
static void list_left(struct jit_plan *plan, const struct sch_exec_program *program, bool all)
{
    bool calls = false;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        unsigned opcode = program->instructions[n].opcode;
        const bool call = opcode == SCH_OP_CAL; /* its lanes come back */
        if ((flags_of(opcode) & SCH_OPF_LEAVES && !call) || (opcode == SCH_OP_ENDLOOP && !all))
            leave_constructs(plan, n, opcode);
        calls = calls || call;
    }
    for (uint32_t i = 0; i < plan->construct_count && calls; i++) plan->constructs[i].left = true;
}

/* Loops whose lanes all leave by such constructs directly in them: code follows their lanes as a word, too, as asking
 * that is quicker than asking mask registers. */
static void list_tracked(struct jit_emitter *e)
{
    struct jit_plan *plan = &e->plan;
    for (uint32_t i = 0; i < plan->construct_count; i++) {
        struct jit_construct *loop = &plan->constructs[i];
        loop->tracked = !e->quick && loop->kind == SCH_FRAME_LOOP && e->mask_parts > 1 && e->request->full &&
                        !plan->ends_lanes && !loop->continues && !loop->waits && !loop->left;
    }
    for (uint32_t n = 0; n < e->program->instruction_count; n++) {
        if (e->program->instructions[n].opcode != SCH_OP_BRK) continue;
        const struct jit_construct *around = plan->around[n] == JIT_NONE ? NULL : &plan->constructs[plan->around[n]];
        const bool direct = around && (around->exits || (around->uniform && around->kind == SCH_FRAME_IF));
        int32_t at = plan->around[n];
        while (at != JIT_NONE && plan->constructs[at].kind != SCH_FRAME_LOOP) at = plan->constructs[at].outer;
        if (at != JIT_NONE && !(direct && around->outer == at)) plan->constructs[at].tracked = false;
    }
}

/* Where code looks beside loops and calls, so that no way through it is long without. What has passed since the last
 * look is known by instruction, as far as all but subroutines' ends lead onwards; those are short. */
static void list_looks(struct jit_plan *plan, const struct sch_exec_program *program, uint32_t *since)
{
    enum { DISTANCE = SCH_GROUP_LOOK_DISTANCE, SUBROUTINE = DISTANCE / 16 };
    const uint32_t count = program->instruction_count;
    for (uint32_t n = 0; n <= count; n++) {
        instruction *in = &program->instructions[n];
        const uint32_t cost = sch_exec_cost(in), most = in->opcode == SCH_OP_ENDSUB ? SUBROUTINE : DISTANCE;
        if (n && since[n] + cost > most) {
            plan->looks[n] = plan->starts[n] = plan->watches = true;
            since[n] = 0;
        }
        const bool looks = in->opcode == SCH_OP_ENDLOOP || in->opcode == SCH_OP_CAL;
        const uint32_t passed = looks ? 0 : since[n] + cost;
        const size_t wake = (size_t)(in->wake - program->instructions);
        const size_t after[] = {n + 1, wake, wake + 1, in->target ? (size_t)(in->target - program->instructions) : n};
        for (unsigned i = 0; i < 4; i++)
            if (after[i] > n && after[i] <= count && since[after[i]] < passed) since[after[i]] = passed;
    }
}

void jit_plan_exits(struct jit_emitter *e)
{
    struct jit_plan *plan = &e->plan;
    for (uint32_t i = 0; i < plan->construct_count; i++) {
        struct jit_construct *construct = &plan->constructs[i];
        instruction *in = &e->program->instructions[construct->opener];
        if (construct->kind != SCH_FRAME_IF || construct->uniform || construct->end != construct->opener + 2) continue;
        if (plan->looks[construct->opener + 1] || plan->looks[construct->opener + 2]) continue;
        construct->exits = in[1].opcode == SCH_OP_BRK || in[1].opcode == SCH_OP_CONT;
        if (construct->exits) plan->starts[construct->opener + 1] = plan->starts[construct->opener + 2] = false;
    }
    list_tracked(e);
}

/* Around a BARRIER of a subroutine every other construct may be open, too: that of a caller. */
static void list_waiting(struct jit_plan *plan, const struct sch_exec_program *program)
{
    bool all = false;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        if (program->instructions[n].opcode != SCH_OP_BARRIER) continue;
        for (int32_t at = plan->around[n]; at != JIT_NONE; at = plan->constructs[at].outer) {
            if (plan->constructs[at].waits) break; /* and what is around it */
            plan->constructs[at].waits = true;
            all = all || plan->constructs[at].kind == SCH_FRAME_CALL;
        }
    }
    for (uint32_t i = 0; i < plan->construct_count && all; i++) plan->constructs[i].waits = true;
}

enum sch_status jit_plan_make(struct jit_emitter *e)
{
    const struct sch_exec_program *program = e->program;
    struct jit_plan *plan = &e->plan;
    const size_t count = plan->count = (size_t)program->instruction_count + 1;
    size_t openers = 0;
    for (size_t n = 0; n < count; n++) plan->indexed += jit_indexed_channels(&program->instructions[n]);
    for (size_t n = 0; n < count; n++) openers += (flags_of(program->instructions[n].opcode) & SCH_OPF_OPENS) != 0;
    plan->constructs = SCH_ARENA_ARRAY(&e->arena, struct jit_construct, openers);
    plan->around = SCH_ARENA_ARRAY(&e->arena, int32_t, count);
    plan->starts = SCH_ARENA_ARRAY(&e->arena, bool, count);
    plan->looks = SCH_ARENA_ARRAY(&e->arena, bool, count);
    uint32_t *since = SCH_ARENA_ARRAY(&e->arena, uint32_t, count);
    if (e->arena.failed) return SCH_STATUS_MEMORY;
    list_constructs(plan, program);
    list_blocks(plan, program);
    list_looks(plan, program, since);
    list_files(plan, program);
    list_ends(plan, program);
    plan->watches = plan->watches || plan->spends || e->request->metered;
    list_waiting(plan, program);
    list_left(plan, program, e->request->full && !plan->ends_lanes);
    return SCH_STATUS_OK;
}

/* ---- how large the code will be ---- */

/* WEIGHT_CALLED: of a CAL where there are more than a few. It becomes fewer instructions (17), but blocks and edges,
 * which cost more: 0.4 ms each; 8,000 of them are as dear as the most that is taken of anything. */
enum { WEIGHT_CALLED = 2048, WEIGHT_CALL = 12, WEIGHT_BLOCK = 24, WEIGHT_STEP = 8, WEIGHT_INDEXED = 4 };

static unsigned channels_of(instruction *in)
{
    return in->dst_count ? (unsigned)__builtin_popcount(in->dst[0].mask) : 1;
}

size_t jit_plan_weight(const struct sch_exec_program *program)
{
    size_t weight = 0, vectors = SCH_GROUP_LANES / program->ops->lanes, calls = 0;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        instruction *in = &program->instructions[n];
        weight += branches(in->opcode) ? WEIGHT_BLOCK * vectors : 0;
        weight += (size_t)(WEIGHT_STEP * (1 + in->src_count)) * channels_of(in) * vectors;
        weight += WEIGHT_INDEXED * jit_indexed_channels(in) * vectors;
        if (!in->op) weight += WEIGHT_CALL * vectors;
        calls += in->opcode == SCH_OP_CAL;
    }
    return calls > JIT_FEW_CALLS ? weight + WEIGHT_CALLED * calls : weight;
}
