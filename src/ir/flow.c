/* Links the control flow of a shader: one pass matches openers and closers on a stack, one from the end backwards finds
 * where invocations continue, and a walk over the call graph finds recursion and the depth of calls. Holds no messages
 * (the validator has them) and no execution. */
#include "ir/flow.h"

/* A construct that is open. */
struct frame {
    uint32_t construct; /* into constructs */
    uint32_t loop;      /* the frame of the innermost loop of the subroutine, this construct included; or none */
    uint32_t breakable; /* of the innermost loop or switch, likewise */
    uint32_t stay;      /* how many frames, from the outermost on, invocations stay in that leave some of them early */
    bool split;         /* IF: has its ELSE; SWITCH: has a label */
    bool has_default;   /* SWITCH */
    bool warned;        /* SWITCH: an instruction before its first label was reported */
};

/* A subroutine, or the main program (number 0). */
struct function {
    uint32_t first_call; /* into calls */
    uint32_t depth;      /* constructs of its own, then calls too */
    uint32_t next_call;  /* where the walk over the call graph is */
    uint8_t state;       /* enum visit */
};
enum visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

struct call {
    uint32_t instruction;
    uint32_t target; /* the BGNSUB's instruction number */
    uint32_t depth;  /* constructs around it */
    uint32_t callee; /* into functions */
    uint32_t next;   /* the caller's next call */
};

struct builder {
    const struct sch_ir_shader *shader;
    struct sch_ir_flow flow;
    struct sch_arena scratch; /* everything below; gone when the links are done */
    struct frame *frames;
    size_t frame_count, frame_capacity;
    uint32_t open[SCH_CONSTRUCT_COUNT]; /* frames of each construct */
    struct function *functions;
    size_t function_count, function_capacity;
    struct call *calls;
    size_t call_count, call_capacity;
    uint32_t *function_of; /* BGNSUB's instruction number to function number */
    uint32_t function;     /* the one whose instructions are being read */
    uint32_t first_end;    /* the first END, or none */
    bool stop;             /* a limit was hit */
    enum sch_result status;
    void (*report)(void *user, enum sch_flow_problem problem, uint32_t instruction);
    void *user;
};

static void problem(struct builder *b, enum sch_flow_problem what, uint32_t instruction)
{
    const bool harmless = what == SCH_FLOW_BEFORE_CASE || what == SCH_FLOW_NO_END;
    if (!harmless && b->status == SCH_OK) b->status = SCH_ERROR_INVALID;
    if (what == SCH_FLOW_DEPTH) b->status = SCH_ERROR_LIMIT;
    if (what == SCH_FLOW_MEMORY) b->status = SCH_ERROR_MEMORY;
    if (b->report) b->report(b->user, what, instruction);
}

static void out_of_memory(struct builder *b, uint32_t instruction)
{
    problem(b, SCH_FLOW_MEMORY, instruction);
    b->stop = true;
}

static struct frame *top(const struct builder *b) { return b->frame_count ? &b->frames[b->frame_count - 1] : NULL; }

static struct sch_ir_construct *construct_of(const struct builder *b, const struct frame *frame)
{
    return &b->flow.constructs[frame->construct];
}

/* Constructs that are open inside the subroutine being read: its own frame does not count. */
static uint32_t depth_now(const struct builder *b) { return (uint32_t)b->frame_count - b->open[SCH_CONSTRUCT_SUB]; }

static bool add_function(struct builder *b)
{
    if (!SCH_ARENA_GROW(&b->scratch, b->functions, b->function_capacity, b->function_count)) return false;
    b->functions[b->function_count++] = (struct function){.first_call = SCH_FLOW_NONE, .next_call = SCH_FLOW_NONE};
    return true;
}

static void push(struct builder *b, enum sch_construct kind, uint32_t at)
{
    const struct frame *outer = kind == SCH_CONSTRUCT_SUB ? NULL : top(b);
    const uint32_t here = (uint32_t)b->frame_count, number = b->flow.construct_count;
    struct frame frame = {.construct = number, .loop = SCH_FLOW_NONE, .breakable = SCH_FLOW_NONE, .stay = UINT32_MAX};
    if (outer) frame.loop = outer->loop;
    if (outer) frame.breakable = outer->breakable;
    if (kind == SCH_CONSTRUCT_LOOP) frame.loop = here;
    if (kind == SCH_CONSTRUCT_LOOP || kind == SCH_CONSTRUCT_SWITCH) frame.breakable = here;

    size_t subroutine = b->open[SCH_CONSTRUCT_SUB] ? 1 : 0; /* counts where it is called, not where it is written */
    if (b->frame_count - subroutine >= b->shader->limits.nesting) {
        problem(b, SCH_FLOW_DEPTH, at);
        b->stop = true;
        return;
    }
    if (!SCH_ARENA_GROW(&b->scratch, b->frames, b->frame_capacity, b->frame_count)) {
        out_of_memory(b, at);
        return;
    }
    b->flow.constructs[number] = (struct sch_ir_construct){.opener = at,
                                                           .end = SCH_FLOW_NONE,
                                                           .outer = b->flow.links[at].around,
                                                           .depth = depth_now(b),
                                                           .kind = (uint8_t)kind};
    b->flow.links[at].construct = number;
    b->flow.construct_count++;
    b->flow.loops += kind == SCH_CONSTRUCT_LOOP;
    b->frames[b->frame_count++] = frame;
    b->open[kind]++;

    struct function *function = &b->functions[b->function];
    if (kind != SCH_CONSTRUCT_SUB && depth_now(b) > function->depth) function->depth = depth_now(b);
}

static void begin_subroutine(struct builder *b, uint32_t at)
{
    if (b->frame_count) problem(b, SCH_FLOW_NESTED_SUB, at);
    push(b, SCH_CONSTRUCT_SUB, at);
    if (b->stop) return;
    if (!add_function(b)) {
        out_of_memory(b, at);
        return;
    }
    b->function = (uint32_t)b->function_count - 1;
    if (b->function_of) b->function_of[at] = b->function;
}

/* What holds inside of a construct holds inside of the one around it. */
static void pop(struct builder *b)
{
    const struct frame *frame = top(b);
    struct sch_ir_construct *construct = construct_of(b, frame);
    const uint32_t stay = frame->stay;
    b->open[construct->kind]--;
    b->frame_count--;
    construct->left = stay <= b->frame_count;
    if (construct->kind == SCH_CONSTRUCT_SUB && !b->open[SCH_CONSTRUCT_SUB]) b->function = 0;
    if (!b->frame_count) return;
    if (stay < top(b)->stay) top(b)->stay = stay;
    if (construct->waits) construct_of(b, top(b))->waits = true;
}

static void pop_unclosed(struct builder *b)
{
    problem(b, SCH_FLOW_UNCLOSED, construct_of(b, top(b))->opener);
    pop(b);
}

/* ENDIF, ENDLOOP, ENDSWITCH, ENDSUB: closes the innermost construct of its kind; what is open inside it has lost its
 * own end. */
static void close_construct(struct builder *b, enum sch_construct kind, uint32_t at)
{
    if (!b->open[kind]) {
        problem(b, SCH_FLOW_UNOPENED, at);
        return;
    }
    while (construct_of(b, top(b))->kind != kind) pop_unclosed(b);
    construct_of(b, top(b))->end = at;
    pop(b);
}

static void link_else(struct builder *b, uint32_t at)
{
    struct frame *frame = top(b);
    if (!frame || construct_of(b, frame)->kind != SCH_CONSTRUCT_IF) {
        problem(b, SCH_FLOW_UNOPENED, at);
        return;
    }
    if (frame->split) problem(b, SCH_FLOW_SECOND_ELSE, at);
    frame->split = true;
}

static void link_case(struct builder *b, uint32_t at, bool is_default)
{
    struct frame *frame = top(b);
    if (!frame || construct_of(b, frame)->kind != SCH_CONSTRUCT_SWITCH) {
        problem(b, SCH_FLOW_UNOPENED, at);
        return;
    }
    if (is_default && frame->has_default) problem(b, SCH_FLOW_SECOND_DEFAULT, at);
    frame->has_default |= is_default;
    frame->split = true;
}

/* Invocations leave the frames from number `stay` on. */
static void leave_frames(struct builder *b, uint32_t stay)
{
    if (b->frame_count && stay < top(b)->stay) top(b)->stay = stay;
}

static void link_jump(struct builder *b, uint32_t at, bool is_break)
{
    const struct frame *frame = top(b);
    uint32_t to = !frame ? SCH_FLOW_NONE : is_break ? frame->breakable : frame->loop;
    if (to == SCH_FLOW_NONE) {
        problem(b, is_break ? SCH_FLOW_BREAK_OUTSIDE : SCH_FLOW_CONTINUE_OUTSIDE, at);
        return;
    }
    b->flow.links[at].construct = b->frames[to].construct;
    if (!is_break) construct_of(b, &b->frames[to])->continues = true;
    leave_frames(b, to + 1);
}

static void link_call(struct builder *b, uint32_t at)
{
    const struct sch_ir_instruction *call = &b->shader->instructions[at];
    uint32_t target = call->has_label ? call->label : SCH_FLOW_NONE;
    if (target >= b->shader->instruction_count || b->shader->instructions[target].opcode != SCH_OP_BGNSUB) {
        problem(b, SCH_FLOW_CALL_TARGET, at);
        return;
    }
    if (!SCH_ARENA_GROW(&b->scratch, b->calls, b->call_capacity, b->call_count)) {
        out_of_memory(b, at);
        return;
    }
    struct function *caller = &b->functions[b->function];
    b->calls[b->call_count] =
        (struct call){.instruction = at, .target = target, .depth = depth_now(b), .next = caller->first_call};
    caller->first_call = (uint32_t)b->call_count++;
    b->flow.calls++;
}

static void link_end(struct builder *b, uint32_t at)
{
    if (b->first_end != SCH_FLOW_NONE) {
        problem(b, SCH_FLOW_SECOND_END, at);
        return;
    }
    b->first_end = at;
    while (b->frame_count) pop_unclosed(b);
}

/* RET: the subroutine around it, which is the outermost frame where the nesting is right. */
static void link_return(struct builder *b, uint32_t at)
{
    if (!b->frame_count) return;
    const struct sch_ir_construct *outermost = construct_of(b, &b->frames[0]);
    if (outermost->kind == SCH_CONSTRUCT_SUB) b->flow.links[at].construct = b->frames[0].construct;
    b->flow.ends_invocations = true;
    leave_frames(b, 0);
}

/* An instruction that opens, divides or closes a construct. */
static void link_part(struct builder *b, uint32_t at, const struct sch_op_info *info)
{
    const enum sch_construct construct = sch_op_construct(info);
    if (info->flags & SCH_OPF_CLOSES)
        close_construct(b, construct, at);
    else if (info->flags & SCH_OPF_DIVIDES && construct == SCH_CONSTRUCT_IF)
        link_else(b, at);
    else if (info->flags & SCH_OPF_DIVIDES)
        link_case(b, at, info->opcode == SCH_OP_DEFAULT);
    else if (construct == SCH_CONSTRUCT_SUB)
        begin_subroutine(b, at);
    else
        push(b, construct, at);
}

/* A barrier waits with all constructs around it open. */
static void link_barrier(struct builder *b)
{
    b->flow.barriers++;
    if (b->frame_count) construct_of(b, top(b))->waits = true;
}

/* An instruction between SWITCH and its first label, once a switch. */
static void check_before_case(struct builder *b, uint32_t at, const struct sch_op_info *info)
{
    struct frame *frame = top(b);
    const bool label =
        info->flags & (SCH_OPF_DIVIDES | SCH_OPF_CLOSES) && sch_op_construct(info) == SCH_CONSTRUCT_SWITCH;
    if (!frame || construct_of(b, frame)->kind != SCH_CONSTRUCT_SWITCH || frame->split || frame->warned || label)
        return;
    frame->warned = true;
    problem(b, SCH_FLOW_BEFORE_CASE, at);
}

static void link_instruction(struct builder *b, uint32_t at)
{
    const struct sch_op_info *info = sch_op_info(b->shader->instructions[at].opcode);
    if (!info) return; /* the validator names it */
    check_before_case(b, at, info);
    if (info->flags & (SCH_OPF_OPENS | SCH_OPF_DIVIDES | SCH_OPF_CLOSES)) {
        link_part(b, at, info);
        return;
    }
    if (info->flags & SCH_OPF_BARRIER) link_barrier(b);
    if (info->flags & SCH_OPF_DISCARDS) b->flow.ends_invocations = true;
    switch (info->opcode) {
    case SCH_OP_BRK:
        link_jump(b, at, true);
        break;
    case SCH_OP_CONT:
        link_jump(b, at, false);
        break;
    case SCH_OP_CAL:
        link_call(b, at);
        break;
    case SCH_OP_RET:
        link_return(b, at);
        break;
    case SCH_OP_END:
        link_end(b, at);
        break;
    default:
        if (info->flags & SCH_OPF_LEAVES) leave_frames(b, 0);
        break;
    }
}

/* ---- what is known when all constructs are closed ---- */

/* From the last instruction backwards: the next part of each construct, and of the one around an instruction. */
static bool link_reconvergence(struct builder *b, uint32_t count)
{
    const struct sch_ir_flow *flow = &b->flow;
    uint32_t *next = SCH_ARENA_ARRAY(&b->scratch, uint32_t, flow->construct_count);
    if (!next) return false;
    for (uint32_t c = 0; c < flow->construct_count; c++) next[c] = flow->constructs[c].end;
    for (uint32_t n = count; n-- > 0;) {
        struct sch_ir_flow_link *link = &flow->links[n];
        const struct sch_op_info *info = sch_op_info(b->shader->instructions[n].opcode);
        const uint32_t flags = info ? info->flags : 0;
        uint32_t open = link->around; /* after the instruction */
        if (flags & SCH_OPF_OPENS) open = link->construct;
        if (flags & SCH_OPF_CLOSES) open = flow->constructs[link->around].outer;
        link->reconvergence = open == SCH_FLOW_NONE ? count : next[open];
        if (flags & SCH_OPF_DIVIDES) next[open] = n;
    }
    return true;
}

/* Around a BARRIER of a subroutine every other construct may be open, too: that of a caller. */
static void spread_waiting(struct sch_ir_flow *flow)
{
    bool all = false;
    for (uint32_t c = 0; c < flow->construct_count; c++)
        all = all || (flow->constructs[c].waits && flow->constructs[c].kind == SCH_CONSTRUCT_SUB);
    for (uint32_t c = 0; c < flow->construct_count && all; c++) flow->constructs[c].waits = true;
}

/* Walks the call graph depth first from function `root`, on a path kept in `path` (room for every function). A call of
 * a function that is on the path closes a cycle. A function's depth is final when the walk leaves it. */
static void walk_calls(struct builder *b, uint32_t root, uint32_t *path)
{
    struct function *functions = b->functions;
    size_t length = 0;
    if (functions[root].state != VISIT_NEW) return;
    functions[root].state = VISIT_OPEN;
    functions[root].next_call = functions[root].first_call;
    path[length++] = root;

    while (length) {
        struct function *caller = &functions[path[length - 1]];
        if (caller->next_call == SCH_FLOW_NONE) {
            caller->state = VISIT_DONE;
            length--;
            continue;
        }
        const struct call *call = &b->calls[caller->next_call];
        struct function *callee = &functions[call->callee];
        if (callee->state == VISIT_NEW) {
            callee->state = VISIT_OPEN;
            callee->next_call = callee->first_call;
            path[length++] = call->callee;
            continue; /* the caller looks at this call again when the callee is done */
        }
        if (callee->state == VISIT_OPEN) {
            problem(b, SCH_FLOW_RECURSION, call->instruction);
        } else {
            uint32_t depth = call->depth + 1 + callee->depth;
            if (depth > caller->depth) caller->depth = depth;
        }
        caller->next_call = call->next;
    }
}

/* The call of the main program that goes deepest: where a depth over the limit is reported. */
static uint32_t deepest_call(const struct builder *b)
{
    uint32_t found = 0, deepest = 0;
    for (uint32_t i = b->functions[0].first_call; i != SCH_FLOW_NONE; i = b->calls[i].next) {
        const struct call *call = &b->calls[i];
        uint32_t depth = call->depth + 1 + b->functions[call->callee].depth;
        if (depth >= deepest) {
            deepest = depth;
            found = call->instruction;
        }
    }
    return found;
}

static void link_calls(struct builder *b)
{
    uint32_t *path = SCH_ARENA_ARRAY(&b->scratch, uint32_t, b->function_count);
    if (!path) {
        out_of_memory(b, 0);
        return;
    }
    for (size_t i = 0; i < b->call_count; i++) {
        struct call *call = &b->calls[i];
        call->callee = b->function_of[call->target];
        b->flow.links[call->instruction].construct = b->flow.links[call->target].construct;
    }
    for (uint32_t i = 0; i < b->function_count; i++) walk_calls(b, i, path);
    if (b->status == SCH_OK && b->functions[0].depth > b->shader->limits.nesting)
        problem(b, SCH_FLOW_DEPTH, deepest_call(b));
}

/* The links, the constructs, the main program's function, and the map that calls need. */
static bool allocate(struct builder *b, struct sch_arena *arena, uint32_t count)
{
    const struct sch_ir_instruction *instructions = b->shader->instructions;
    uint32_t openers = 0;
    bool calls = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct sch_op_info *info = sch_op_info(instructions[i].opcode);
        openers += info && info->flags & SCH_OPF_OPENS;
        calls = calls || instructions[i].opcode == SCH_OP_CAL;
    }
    b->flow.links = SCH_ARENA_ARRAY(arena, struct sch_ir_flow_link, (size_t)count + 1);
    b->flow.constructs = SCH_ARENA_ARRAY(arena, struct sch_ir_construct, openers);
    if (!b->flow.links || !b->flow.constructs || !add_function(b)) return false;
    for (uint32_t i = 0; i <= count; i++)
        b->flow.links[i] = (struct sch_ir_flow_link){SCH_FLOW_NONE, SCH_FLOW_NONE, count};
    if (calls) b->function_of = SCH_ARENA_ARRAY(&b->scratch, uint32_t, count);
    return !calls || b->function_of;
}

enum sch_result sch_ir_flow_build(const struct sch_ir_shader *shader, struct sch_arena *arena, struct sch_ir_flow *flow,
                                  void (*report)(void *user, enum sch_flow_problem problem, uint32_t instruction),
                                  void *user)
{
    struct builder b = {.shader = shader, .report = report, .user = user, .status = SCH_OK, .first_end = SCH_FLOW_NONE};
    uint32_t count = (uint32_t)shader->instruction_count;
    sch_arena_init(&b.scratch, &arena->allocator, shader->limits.memory);
    *flow = (struct sch_ir_flow){0};

    if (!allocate(&b, arena, count)) out_of_memory(&b, 0);
    for (uint32_t i = 0; i < count && !b.stop; i++) {
        if (b.frame_count) b.flow.links[i].around = top(&b)->construct;
        link_instruction(&b, i);
    }
    if (!b.stop) {
        while (b.frame_count) pop_unclosed(&b);
        if (b.first_end == SCH_FLOW_NONE) problem(&b, SCH_FLOW_NO_END, count);
        link_calls(&b);
    }
    if (b.status == SCH_OK && !link_reconvergence(&b, count)) out_of_memory(&b, 0);
    if (b.status == SCH_OK) {
        spread_waiting(&b.flow);
        b.flow.max_depth = b.functions[0].depth;
        *flow = b.flow;
    }
    sch_arena_release(&b.scratch);
    return b.status;
}
