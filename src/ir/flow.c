/* Links the control flow of a shader: one pass matches openers and closers on a stack, a second copies what is known
 * only at the end of a construct, and a walk over the call graph finds recursion and the depth of calls. Holds no
 * messages (the validator has them) and no execution. */
#include "ir/flow.h"

/* A construct that is open. */
struct frame {
    uint32_t opener;    /* its first instruction */
    uint32_t last;      /* the newest part that waits for its `next`: IF or ELSE; SWITCH, CASE or DEFAULT */
    uint32_t loop;      /* the innermost loop of the subroutine, this construct included; or none */
    uint32_t breakable; /* the innermost loop or switch, likewise */
    uint8_t construct;  /* enum sch_construct */
    bool split;         /* IF: has its ELSE; SWITCH: has a label */
    bool has_default;   /* SWITCH */
    bool warned;        /* SWITCH: an instruction before its first label was reported */
};

/* A subroutine, or the main program (number 0). */
struct function {
    uint32_t first_call; /* into calls */
    uint32_t depth;      /* constructs of its own, then calls too */
    uint32_t next_call;  /* where the walk over the call graph stands */
    uint8_t state;       /* enum visit */
};
enum visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

struct call {
    uint32_t instruction;
    uint32_t callee; /* into functions */
    uint32_t next;   /* the caller's next call */
};

struct builder {
    const struct sch_ir_shader *shader;
    struct sch_ir_flow_link *links;
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
    bool sound, stop;      /* no fatal problem so far; a limit was hit */
    void (*report)(void *user, enum sch_flow_problem problem, uint32_t instruction);
    void *user;
};

static void problem(struct builder *b, enum sch_flow_problem what, uint32_t instruction)
{
    if (what != SCH_FLOW_BEFORE_CASE && what != SCH_FLOW_NO_END) b->sound = false;
    if (b->report) b->report(b->user, what, instruction);
}

static void out_of_memory(struct builder *b, uint32_t instruction)
{
    problem(b, SCH_FLOW_MEMORY, instruction);
    b->stop = true;
}

static struct frame *top(struct builder *b) { return b->frame_count ? &b->frames[b->frame_count - 1] : NULL; }

/* Constructs that are open inside the subroutine being read: its own frame does not count. */
static uint32_t depth_now(const struct builder *b) { return (uint32_t)b->frame_count - b->open[SCH_CONSTRUCT_SUB]; }

static bool add_function(struct builder *b)
{
    if (!SCH_ARENA_GROW(&b->scratch, b->functions, b->function_capacity, b->function_count)) return false;
    b->functions[b->function_count++] = (struct function){.first_call = SCH_FLOW_NONE, .next_call = SCH_FLOW_NONE};
    return true;
}

static void push(struct builder *b, enum sch_construct construct, uint32_t at)
{
    const struct frame *outer = top(b);
    struct frame frame = {.opener = at, .last = at, .construct = (uint8_t)construct};
    frame.loop = outer && construct != SCH_CONSTRUCT_SUB ? outer->loop : SCH_FLOW_NONE;
    frame.breakable = outer && construct != SCH_CONSTRUCT_SUB ? outer->breakable : SCH_FLOW_NONE;
    if (construct == SCH_CONSTRUCT_LOOP) frame.loop = at;
    if (construct == SCH_CONSTRUCT_LOOP || construct == SCH_CONSTRUCT_SWITCH) frame.breakable = at;

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
    b->frames[b->frame_count++] = frame;
    b->open[construct]++;

    struct function *function = &b->functions[b->function];
    if (construct != SCH_CONSTRUCT_SUB && depth_now(b) > function->depth) function->depth = depth_now(b);
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

static void pop(struct builder *b)
{
    const struct frame *frame = top(b);
    b->open[frame->construct]--;
    b->frame_count--;
    if (frame->construct == SCH_CONSTRUCT_SUB && !b->open[SCH_CONSTRUCT_SUB]) b->function = 0;
}

static void pop_unclosed(struct builder *b)
{
    problem(b, SCH_FLOW_UNCLOSED, top(b)->opener);
    pop(b);
}

/* ENDIF, ENDLOOP, ENDSWITCH, ENDSUB: closes the innermost construct of its kind; what is open inside it has lost its
 * own end. */
static void close_construct(struct builder *b, enum sch_construct construct, uint32_t at)
{
    if (!b->open[construct]) {
        problem(b, SCH_FLOW_UNOPENED, at);
        return;
    }
    while (top(b)->construct != construct) pop_unclosed(b);
    const struct frame *frame = top(b);
    b->links[at].opener = frame->opener;
    b->links[frame->last].next = at;
    b->links[frame->opener].end = at;
    pop(b);
    b->links[at].depth = depth_now(b);
}

static void link_else(struct builder *b, uint32_t at)
{
    struct frame *frame = top(b);
    if (!frame || frame->construct != SCH_CONSTRUCT_IF) {
        problem(b, SCH_FLOW_UNOPENED, at);
        return;
    }
    if (frame->split) {
        problem(b, SCH_FLOW_SECOND_ELSE, at);
        return;
    }
    frame->split = true;
    b->links[at].opener = frame->opener;
    b->links[at].depth = depth_now(b) - 1;
    b->links[frame->last].next = at;
    frame->last = at;
}

static void link_case(struct builder *b, uint32_t at, bool is_default)
{
    struct frame *frame = top(b);
    if (!frame || frame->construct != SCH_CONSTRUCT_SWITCH) {
        problem(b, SCH_FLOW_UNOPENED, at);
        return;
    }
    if (is_default && frame->has_default) problem(b, SCH_FLOW_SECOND_DEFAULT, at);
    frame->has_default |= is_default;
    frame->split = true;
    b->links[at].opener = frame->opener;
    b->links[at].depth = depth_now(b) - 1;
    b->links[frame->last].next = at;
    frame->last = at;
}

static void link_jump(struct builder *b, uint32_t at, bool is_break)
{
    const struct frame *frame = top(b);
    uint32_t opener = !frame ? SCH_FLOW_NONE : is_break ? frame->breakable : frame->loop;
    if (opener == SCH_FLOW_NONE) {
        problem(b, is_break ? SCH_FLOW_BREAK_OUTSIDE : SCH_FLOW_CONTINUE_OUTSIDE, at);
        return;
    }
    b->links[at].opener = opener;
}

static void link_call(struct builder *b, uint32_t at)
{
    const struct sch_ir_instruction *call = &b->shader->instructions[at];
    uint32_t target = call->has_label ? call->label : SCH_FLOW_NONE;
    if (target >= b->shader->instruction_count || b->shader->instructions[target].opcode != SCH_OP_BGNSUB) {
        problem(b, SCH_FLOW_CALL_TARGET, at);
        return;
    }
    b->links[at].next = target;
    if (!SCH_ARENA_GROW(&b->scratch, b->calls, b->call_capacity, b->call_count)) {
        out_of_memory(b, at);
        return;
    }
    struct function *caller = &b->functions[b->function];
    b->calls[b->call_count] = (struct call){.instruction = at, .next = caller->first_call};
    caller->first_call = (uint32_t)b->call_count++;
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
    if (b->frame_count && b->frames[0].construct == SCH_CONSTRUCT_SUB) b->links[at].opener = b->frames[0].opener;
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

static void link_instruction(struct builder *b, uint32_t at)
{
    const struct sch_op_info *info = sch_op_info(b->shader->instructions[at].opcode);
    if (!info) return; /* the validator names it */
    const uint32_t flags = info->flags;
    struct frame *frame = top(b);
    const bool goes_on = flags & (SCH_OPF_DIVIDES | SCH_OPF_CLOSES) && sch_op_construct(info) == SCH_CONSTRUCT_SWITCH;
    if (frame && frame->construct == SCH_CONSTRUCT_SWITCH && !frame->split && !frame->warned && !goes_on) {
        frame->warned = true;
        problem(b, SCH_FLOW_BEFORE_CASE, at);
    }
    if (flags & (SCH_OPF_OPENS | SCH_OPF_DIVIDES | SCH_OPF_CLOSES)) {
        link_part(b, at, info);
        return;
    }
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
        break;
    }
}

/* What a part learns from its opener once that is closed. */
static void link_ends(struct builder *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct sch_ir_flow_link *link = &b->links[i];
        const unsigned opcode = b->shader->instructions[i].opcode;
        if (link->opener == SCH_FLOW_NONE) continue;
        const struct sch_op_info *info = sch_op_info(opcode);
        if ((info && info->flags & SCH_OPF_DIVIDES) || opcode == SCH_OP_BRK || opcode == SCH_OP_CONT)
            link->end = b->links[link->opener].end;
    }
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
            uint32_t depth = b->links[call->instruction].depth + 1 + callee->depth;
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
        uint32_t depth = b->links[call->instruction].depth + 1 + b->functions[call->callee].depth;
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
    for (size_t i = 0; i < b->call_count; i++)
        b->calls[i].callee = b->function_of[b->links[b->calls[i].instruction].next];
    for (uint32_t i = 0; i < b->function_count; i++) walk_calls(b, i, path);
    if (b->sound && b->functions[0].depth > b->shader->limits.nesting) problem(b, SCH_FLOW_DEPTH, deepest_call(b));
}

/* The links, the main program's function, and the map that calls need. */
static bool allocate(struct builder *b, struct sch_arena *arena, uint32_t count)
{
    b->links = SCH_ARENA_ARRAY(arena, struct sch_ir_flow_link, count);
    if (!b->links || !add_function(b)) return false;
    for (uint32_t i = 0; i < count; i++)
        b->links[i] = (struct sch_ir_flow_link){.opener = SCH_FLOW_NONE, .next = SCH_FLOW_NONE, .end = SCH_FLOW_NONE};
    for (uint32_t i = 0; i < count; i++)
        if (b->shader->instructions[i].opcode == SCH_OP_CAL) {
            b->function_of = SCH_ARENA_ARRAY(&b->scratch, uint32_t, count);
            return b->function_of != NULL;
        }
    return true;
}

bool sch_ir_flow_build(const struct sch_ir_shader *shader, struct sch_arena *arena, struct sch_ir_flow *flow,
                       void (*report)(void *user, enum sch_flow_problem problem, uint32_t instruction), void *user)
{
    struct builder b = {.shader = shader, .report = report, .user = user, .sound = true, .first_end = SCH_FLOW_NONE};
    uint32_t count = (uint32_t)shader->instruction_count;
    sch_arena_init(&b.scratch, &arena->allocator, shader->limits.memory);
    *flow = (struct sch_ir_flow){0};

    if (!allocate(&b, arena, count)) out_of_memory(&b, 0);
    for (uint32_t i = 0; i < count && !b.stop; i++) {
        b.links[i].depth = depth_now(&b);
        link_instruction(&b, i);
    }
    if (!b.stop) {
        while (b.frame_count) pop_unclosed(&b);
        if (b.first_end == SCH_FLOW_NONE) problem(&b, SCH_FLOW_NO_END, count);
        link_ends(&b, count);
        link_calls(&b);
        flow->links = b.links;
        flow->max_depth = b.functions[0].depth;
    }
    sch_arena_release(&b.scratch);
    return b.sound;
}
