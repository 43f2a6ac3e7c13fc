/* Control flow: what opens, divides and closes, breaks, values of switches, subroutines and the phases of hull
 * shaders. */
#include <stdlib.h>

#include "d3d/check/internal.h"

enum {
    NESTING = 64,   /* COMMONSHADER_FLOWCONTROL_NESTING_LIMIT */
    CALL_DEPTH = 32 /* COMMONSHADER_SUBROUTINE_NESTING_LIMIT */
};

#define BODY_KEY ((uint64_t)1 << 32) /* of fb#; l# have none */

static const char *word_of(unsigned opcode) { return sch_d3d_op_info(opcode)->word; }

/* --- constructs --- */

static struct sch_d3d_frame *top(struct sch_d3d_check *check)
{
    return check->frame_count ? &check->frames[check->frame_count - 1] : NULL;
}

static void open(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    if (!SCH_ARENA_GROW(&check->arena, check->frames, check->frame_capacity, check->frame_count)) return;
    const struct sch_d3d_frame *around = top(check);
    bool loop = instruction->opcode == SCH_D3D_OP_LOOP, breakable = loop || instruction->opcode == SCH_D3D_OP_SWITCH;
    check->frames[check->frame_count] = (struct sch_d3d_frame){.opcode = instruction->opcode,
                                                               .cases = check->case_count,
                                                               .loops = loop || (around && around->loops),
                                                               .breakable = breakable || (around && around->breakable),
                                                               .instruction = instruction};
    check->frame_count++;
    if (check->frame_count <= NESTING || check->told_depth) return;
    check->told_depth = true;
    SCH_D3D_REPORT(check, D3D_NESTING, instruction, "control flow nests more than %d deep", NESTING);
}

static void report_unopened(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_frame *frame = top(check);
    SCH_D3D_REPORT(check, D3D_UNOPENED, instruction, "%s, but %s is open", word_of(instruction->opcode),
                   frame ? word_of(frame->opcode) : "nothing");
}

static void divide_if(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    struct sch_d3d_frame *frame = top(check);
    if (!frame || (frame->opcode != SCH_D3D_OP_IF && frame->opcode != SCH_D3D_OP_ELSE))
        report_unopened(check, instruction);
    else if (frame->opcode == SCH_D3D_OP_ELSE)
        SCH_D3D_REPORT(check, D3D_SECOND_BRANCH, instruction, "a second else");
    else
        frame->opcode = SCH_D3D_OP_ELSE;
}

static void take_case(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    struct sch_d3d_frame *frame = top(check);
    if (!frame || frame->opcode != SCH_D3D_OP_SWITCH) {
        report_unopened(check, instruction);
        return;
    }
    if (instruction->opcode == SCH_D3D_OP_DEFAULT) {
        if (frame->has_default) SCH_D3D_REPORT(check, D3D_SECOND_BRANCH, instruction, "a second default");
        frame->has_default = true;
        return;
    }
    if (!SCH_ARENA_GROW(&check->arena, check->cases, check->case_capacity, check->case_count)) return;
    check->cases[check->case_count++] = (struct sch_d3d_case){instruction->operands[0].values[0], instruction};
}

static int compare_cases(const void *a, const void *b)
{
    const struct sch_d3d_case *left = a, *right = b;
    int by = sch_d3d_order(left->value, right->value);
    return by ? by : sch_d3d_order((uintptr_t)left->instruction, (uintptr_t)right->instruction); /* one array */
}

/* "32-bit literal, must be unique in switch". */
static void close_switch(struct sch_d3d_check *check, const struct sch_d3d_frame *frame)
{
    size_t count = check->case_count - frame->cases;
    struct sch_d3d_case *cases = check->cases + frame->cases;
    if (count) qsort(cases, count, sizeof *cases, compare_cases);
    for (size_t i = 1; i < count; i++)
        if (cases[i].value == cases[i - 1].value)
            SCH_D3D_REPORT(check, D3D_CASE_TWICE, cases[i].instruction, "a second case %u", cases[i].value);
    check->case_count = frame->cases;
}

static void close(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction, unsigned opener,
                  unsigned divided)
{
    struct sch_d3d_frame *frame = top(check);
    if (!frame || (frame->opcode != opener && frame->opcode != divided)) {
        report_unopened(check, instruction);
        return;
    }
    if (opener == SCH_D3D_OP_SWITCH) close_switch(check, frame);
    check->frame_count--;
}

static void close_if(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    close(check, instruction, SCH_D3D_OP_IF, SCH_D3D_OP_ELSE);
}

static void close_loop(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    close(check, instruction, SCH_D3D_OP_LOOP, SCH_D3D_OP_LOOP);
}

static void end_switch(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    close(check, instruction, SCH_D3D_OP_SWITCH, SCH_D3D_OP_SWITCH);
}

static void leave(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_frame *frame = top(check);
    if (!frame || !frame->breakable)
        SCH_D3D_REPORT(check, D3D_BREAK_OUTSIDE, instruction, "%s outside of loops and switches",
                       word_of(instruction->opcode));
}

static void repeat(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_frame *frame = top(check);
    if (!frame || !frame->loops)
        SCH_D3D_REPORT(check, D3D_CONTINUE_OUTSIDE, instruction, "%s outside of loops", word_of(instruction->opcode));
}

/* Where a body ends: the program's, a subroutine's, a phase's. */
static void end_body(struct sch_d3d_check *check)
{
    for (size_t i = 0; i < check->frame_count; i++)
        SCH_D3D_REPORT(check, D3D_UNCLOSED, check->frames[i].instruction, "%s has no end",
                       word_of(check->frames[i].opcode));
    check->frame_count = check->case_count = 0;
    const struct sch_d3d_instruction *last = check->phase.last;
    if (last && last->opcode != SCH_D3D_OP_RET)
        SCH_D3D_REPORT(check, D3D_NO_RET, last, "the last instruction of a body is not a ret");
    check->phase.last = NULL;
}

/* --- subroutines --- */

static bool label_key(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction, uint64_t *key)
{
    const struct sch_d3d_operand *label = &instruction->operands[instruction->operand_count - 1];
    bool body = label->type == SCH_D3D_REGISTER_FUNCTION_BODY;
    bool plain = label->index_count == 1 && !label->index[0].relative && label->index[0].value <= UINT32_MAX;
    if (!plain || (!body && label->type != SCH_D3D_REGISTER_LABEL)) {
        SCH_D3D_REPORT(check, D3D_SUBROUTINE, instruction, "%s takes a label l#", word_of(instruction->opcode));
        return false;
    }
    *key = (body ? BODY_KEY : 0) | label->index[0].value;
    return true;
}

static void begin_routine(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction, uint64_t key)
{
    if (!SCH_ARENA_GROW(&check->arena, check->routines, check->routine_capacity, check->routine_count)) return;
    check->routines[check->routine_count++] =
        (struct sch_d3d_routine){.key = key, .instruction = instruction, .first_call = check->call_count};
}

static void label(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    uint64_t key;
    end_body(check);
    if (label_key(check, instruction, &key)) begin_routine(check, instruction, key);
}

static void add_call(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction, uint64_t key)
{
    if (!SCH_ARENA_GROW(&check->arena, check->calls, check->call_capacity, check->call_count)) return;
    check->calls[check->call_count++] = (struct sch_d3d_call){key, instruction};
    if (check->routine_count) check->routines[check->routine_count - 1].call_count++;
}

static void call(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    uint64_t key;
    if (label_key(check, instruction, &key)) add_call(check, instruction, key);
}

static void call_interface(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_operand *operand = &instruction->operands[0];
    if (operand->type != SCH_D3D_REGISTER_INTERFACE || !operand->index_count) return;
    add_call(check, instruction, operand->index[0].value);
}

/* What a call may lead to: one routine, or the bodies of a call site in all tables of an interface. */
struct targets {
    const struct sch_d3d_call *call;
    const struct sch_d3d_instruction *interface; /* NULL: one */
    uint32_t count;
};

static struct targets targets_of(const struct sch_d3d_check *check, const struct sch_d3d_call *made)
{
    if (made->instruction->opcode != SCH_D3D_OP_FCALL) return (struct targets){made, NULL, 1};
    const struct sch_d3d_declared *found = sch_d3d_find_declared(check, SCH_D3D_REGISTER_INTERFACE, made->key);
    if (!found) return (struct targets){made, NULL, 0};
    return (struct targets){made, found->instruction, found->instruction->literal_count - 3};
}

/* The key of a target; false: none, which is reported elsewhere. */
static bool target_key(const struct sch_d3d_check *check, const struct targets *targets, uint32_t i, uint64_t *key)
{
    *key = targets->call->key;
    if (!targets->interface) return true;
    uint32_t site = targets->call->instruction->literals[0];
    const struct sch_d3d_declared *table =
        sch_d3d_find_declared(check, SCH_D3D_REGISTER_FUNCTION_TABLE, targets->interface->literals[3 + i]);
    if (!table || table->instruction->literal_count - 2 <= site) return false;
    *key = BODY_KEY | table->instruction->literals[2 + site];
    return true;
}

static int compare_routines(const void *a, const void *b)
{
    const struct sch_d3d_routine *left = a, *right = b;
    int by = sch_d3d_order(left->key, right->key);
    return by ? by : sch_d3d_order((uintptr_t)left->instruction, (uintptr_t)right->instruction); /* one array */
}

static struct sch_d3d_routine *find_routine(struct sch_d3d_check *check, uint64_t key)
{
    size_t low = 0, high = check->routine_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (check->routines[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < check->routine_count && check->routines[low].key == key ? &check->routines[low] : NULL;
}

static unsigned follow(struct sch_d3d_check *check, struct sch_d3d_routine *routine, unsigned above);

/* How deep one target of a call goes; 0: too deep or in circles, which is reported. */
static unsigned follow_target(struct sch_d3d_check *check, const struct sch_d3d_call *made,
                              struct sch_d3d_routine *target, unsigned above)
{
    if (target->open) {
        SCH_D3D_REPORT(check, D3D_RECURSION, made->instruction, "a subroutine calls itself, or one that calls it");
        return 0;
    }
    unsigned depth = target->depth ? target->depth : above < CALL_DEPTH ? follow(check, target, above + 1) : 0;
    if (!depth && above >= CALL_DEPTH) depth = CALL_DEPTH;
    if (!depth || above + depth <= CALL_DEPTH) return depth;
    SCH_D3D_REPORT(check, D3D_NESTING, made->instruction, "subroutines call each other more than %d deep", CALL_DEPTH);
    return 0;
}

/* How deep the calls below a routine go; 0: too deep or in circles, which is reported. Every routine is followed once,
 * and at most CALL_DEPTH + 1 of them at a time. */
static unsigned follow(struct sch_d3d_check *check, struct sch_d3d_routine *routine, unsigned above)
{
    if (routine->depth) return routine->depth;
    unsigned deepest = 0;
    routine->open = true;
    for (size_t i = 0; i < routine->call_count; i++) {
        const struct sch_d3d_call *made = &check->calls[routine->first_call + i];
        struct targets targets = targets_of(check, made);
        for (uint32_t t = 0; t < targets.count; t++) {
            uint64_t key;
            struct sch_d3d_routine *target = target_key(check, &targets, t, &key) ? find_routine(check, key) : NULL;
            if (!target) continue; /* reported */
            unsigned depth = follow_target(check, made, target, above);
            if (!depth) return 0;
            if (depth > deepest) deepest = depth;
        }
    }
    routine->open = false;
    routine->depth = (uint8_t)(deepest + 1);
    return routine->depth;
}

static void check_targets(struct sch_d3d_check *check, const struct targets *targets)
{
    for (uint32_t t = 0; t < targets->count; t++) {
        uint64_t key;
        if (!target_key(check, targets, t, &key) || find_routine(check, key)) continue;
        if (targets->interface)
            SCH_D3D_REPORT(check, D3D_INTERFACE, targets->call->instruction, "fb%u has no code", (uint32_t)key);
        else
            SCH_D3D_REPORT(check, D3D_SUBROUTINE, targets->call->instruction, "a call of a label that does not exist");
    }
}

/* False: calls through interfaces have more targets than are looked at, which no program of honest size has. */
static bool check_calls(struct sch_d3d_check *check)
{
    enum { MOST = 1 << 20 };
    uint64_t followed = 0;
    for (size_t i = 0; i < check->call_count; i++) {
        struct targets targets = targets_of(check, &check->calls[i]);
        if (targets.interface) followed += targets.count;
        if (followed > MOST) {
            SCH_D3D_REPORT(check, D3D_NESTING, targets.call->instruction, "interfaces lead to more than %d calls",
                           MOST);
            return false;
        }
        check_targets(check, &targets);
    }
    return true;
}

/* The main program has the greatest key: it sorts after all labels. */
static void check_subroutines(struct sch_d3d_check *check)
{
    if (!check->routine_count) return;
    qsort(check->routines, check->routine_count, sizeof *check->routines, compare_routines);
    size_t kept = 1;
    for (size_t i = 1; i < check->routine_count; i++) {
        if (check->routines[i].key == check->routines[kept - 1].key && check->routines[i].instruction)
            SCH_D3D_REPORT(check, D3D_SUBROUTINE, check->routines[i].instruction, "a label that is defined twice");
        else
            check->routines[kept++] = check->routines[i];
    }
    check->routine_count = kept;
    if (!check_calls(check)) return;
    for (size_t i = 0; i < check->routine_count; i++)
        if (!follow(check, &check->routines[i], 0)) return;
}

/* --- phases --- */

static void begin_phase(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    unsigned before = check->phase.opcode, now = instruction->opcode;
    bool first = now == SCH_D3D_OP_HS_DECLS, control = now == SCH_D3D_OP_HS_CONTROL_POINT_PHASE;
    /* The opcodes are in the order of the phases; fork and join phases may repeat. */
    if (first ? before != 0 : !before || now < before || (control && now == before))
        SCH_D3D_REPORT(check, D3D_PHASE, instruction, "%s is not allowed here", word_of(now));
    end_body(check);
    uint32_t number = check->phase.number + 1;
    check->phase = (struct sch_d3d_phase){.number = number, .opcode = (uint8_t)now};
}

static void check_place(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    bool declarations = check->phase.opcode == 0 || check->phase.opcode == SCH_D3D_OP_HS_DECLS;
    if (check->stage != 'h' || !declarations || check->told_outside) return;
    check->told_outside = true;
    SCH_D3D_REPORT(check, D3D_PHASE, instruction, "%s is in no phase", word_of(instruction->opcode));
}

static const struct {
    uint8_t opcode;
    void (*check)(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction);
} parts[] = {
    {SCH_D3D_OP_IF, open},
    {SCH_D3D_OP_LOOP, open},
    {SCH_D3D_OP_SWITCH, open},
    {SCH_D3D_OP_ELSE, divide_if},
    {SCH_D3D_OP_CASE, take_case},
    {SCH_D3D_OP_DEFAULT, take_case},
    {SCH_D3D_OP_ENDIF, close_if},
    {SCH_D3D_OP_ENDLOOP, close_loop},
    {SCH_D3D_OP_ENDSWITCH, end_switch},
    {SCH_D3D_OP_BREAK, leave},
    {SCH_D3D_OP_BREAKC, leave},
    {SCH_D3D_OP_CONTINUE, repeat},
    {SCH_D3D_OP_CONTINUEC, repeat},
    {SCH_D3D_OP_LABEL, label},
    {SCH_D3D_OP_CALL, call},
    {SCH_D3D_OP_CALLC, call},
    {SCH_D3D_OP_FCALL, call_interface},
    {SCH_D3D_OP_HS_DECLS, begin_phase},
    {SCH_D3D_OP_HS_CONTROL_POINT_PHASE, begin_phase},
    {SCH_D3D_OP_HS_FORK_PHASE, begin_phase},
    {SCH_D3D_OP_HS_JOIN_PHASE, begin_phase},
};

void sch_d3d_check_flow(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction)
{
    if (!check->routine_count) begin_routine(check, NULL, UINT64_MAX);
    const struct sch_d3d_op_info *info = sch_d3d_row(instruction);
    bool phase = info->opcode >= SCH_D3D_OP_HS_DECLS && info->opcode <= SCH_D3D_OP_HS_JOIN_PHASE;
    bool statement = !phase && !(info->flags & (SCH_D3D_F_DECLARATION | SCH_D3D_F_CUSTOM));
    if (statement) check_place(check, instruction);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].opcode == instruction->opcode) parts[i].check(check, instruction);
    if (!statement) return;
    check->phase.begun = true;
    check->phase.last = instruction;
}

void sch_d3d_check_flow_end(struct sch_d3d_check *check)
{
    end_body(check);
    check_subroutines(check);
}
