/* Where a session stops: steps, events and breakpoints, as functions of a moment. */
#include "api/debug.h"

/* ---- steps ---- */

uint32_t sch_api_debug_calls(const struct sch_exec_machine *machine)
{
    uint32_t calls = 0;
    for (uint32_t f = 0; f < machine->depth; f++) calls += machine->frames[f].kind == SCH_FRAME_CALL;
    return calls;
}

static const struct sch_position *position_of(const struct sch_debug *debug, uint32_t instruction)
{
    return &debug->machine->program->prepared.positions[instruction];
}

/* Binary sources have no lines: each of their instructions is one, however many it was lowered to. */
static bool same_line(const struct sch_position *a, const struct sch_position *b)
{
    return a->line || b->line ? a->line == b->line : a->offset == b->offset;
}

/* Whether the instruction begins a line: the one before it was of another. What lowering adds is of none. */
static bool begins_line(const struct sch_debug *debug)
{
    const struct sch_position *at = position_of(debug, debug->at->number);
    if (!at->line && !at->offset) return false;
    return !debug->last.in || !same_line(position_of(debug, debug->last.in->number), at);
}

static bool is_step(const struct sch_debug *debug)
{
    const struct sch_api_debug_plan *plan = &debug->plan;
    switch (plan->go.step) {
    case SCH_DEBUG_STEP_INSTRUCTION:
        return true;
    case SCH_DEBUG_STEP_OVER:
        return sch_api_debug_calls(debug->machine) <= plan->calls;
    case SCH_DEBUG_STEP_OUT:
        return debug->machine->depth < plan->depth;
    case SCH_DEBUG_STEP_LINE:
        return begins_line(debug) &&
               (plan->go.back || !same_line(&plan->position, position_of(debug, debug->at->number)));
    default:
        return false;
    }
}

/* ---- events ---- */

static uint32_t events_before(const struct sch_prepared_instruction *in)
{
    return (in->lookup || in->texture ? SCH_DEBUG_LOOKUP : 0) | (in->resource || in->accesses ? SCH_DEBUG_MEMORY : 0) |
           (in->opcode == SCH_OP_BARRIER || in->waits ? SCH_DEBUG_BARRIER : 0);
}

/* Some lanes have taken a branch, and others wait. */
static bool diverged(const struct sch_debug *debug)
{
    const struct sch_exec_machine *machine = debug->machine;
    if (machine->program->prepared.scalar)
        return machine->depth > debug->last.depth && machine->frames[machine->depth - 1].entry == SCH_ENTRY_DIVERGED;
    switch (debug->last.in->opcode) {
    case SCH_OP_IF:
    case SCH_OP_UIF:
        return machine->group.exec && machine->group.exec != debug->last.lanes;
    case SCH_OP_CASE:
    case SCH_OP_DEFAULT:
        return machine->group.exec && machine->depth && machine->frames[machine->depth - 1].waiting;
    case SCH_OP_BRK:
    case SCH_OP_CONT:
    case SCH_OP_RET:
        return machine->group.exec & ~debug->last.lanes;
    default:
        return false;
    }
}

static bool made_not_finite(const struct sch_debug *debug)
{
    const struct sch_api_debug_last *last = &debug->last;
    const struct sch_lanes *state = debug->machine->group.space[SCH_SPACE_STATE];
    const struct sch_exec_engine *engine = debug->machine->program->engine;
    if (engine->find_not_finite)
        return engine->find_not_finite(debug->machine, last->in, true) & last->lanes & ~last->not_finite;
    if (sch_op_form(last->in->opcode, last->in->src_count)->dst_type != 'F') return false;
    for (uint32_t i = 0; i < last->change_count; i++) {
        const struct sch_api_debug_change *change = &debug->changes[i];
        const uint32_t base = debug->machine->program->prepared.files[change->file].base + 4 * change->index;
        for (unsigned c = 0; c < 4; c++)
            if (change->channels >> c & 1 &&
                sch_api_debug_not_finite(&state[base + c], change->lanes & ~last->not_finite))
                return true;
    }
    return false;
}

static uint32_t events_of(const struct sch_debug *debug)
{
    const uint32_t wanted = debug->plan.go.events;
    uint32_t events = events_before(debug->at) & wanted;
    if (!debug->last.in) return events;
    if (wanted & SCH_DEBUG_DIVERGENCE && diverged(debug)) events |= SCH_DEBUG_DIVERGENCE;
    if (wanted & SCH_DEBUG_NOT_FINITE && made_not_finite(debug)) events |= SCH_DEBUG_NOT_FINITE;
    return events;
}

/* ---- breakpoints ---- */

static int order(enum sch_debug_type type, uint32_t a, uint32_t b)
{
    float fa, fb;
    if (type == SCH_DEBUG_I32) return ((int32_t)a > (int32_t)b) - ((int32_t)a < (int32_t)b);
    if (type == SCH_DEBUG_U32) return (a > b) - (a < b);
    memcpy(&fa, &a, sizeof fa);
    memcpy(&fb, &b, sizeof fb);
    return fa != fb && !(fa < fb) && !(fa > fb) ? 2 : (fa > fb) - (fa < fb); /* 2: not in order */
}

bool sch_debug_compare(enum sch_debug_type type, enum sch_compare compare, uint32_t word, uint32_t value)
{
    const int is = order(type, word, value);
    switch (compare) {
    case SCH_COMPARE_LESS:
        return is == -1;
    case SCH_COMPARE_EQUAL:
        return is == 0;
    case SCH_COMPARE_LEQUAL:
        return is == -1 || is == 0;
    case SCH_COMPARE_GREATER:
        return is == 1;
    case SCH_COMPARE_NOTEQUAL:
        return is != 0;
    case SCH_COMPARE_GEQUAL:
        return is == 1 || is == 0;
    case SCH_COMPARE_ALWAYS:
    case SCH_COMPARE_NONE:
        return true;
    default:
        return false;
    }
}

static bool compare_holds(const struct sch_debug_breakpoint *given, uint32_t word)
{
    return sch_debug_compare(given->type, given->compare, word, given->value);
}

static bool condition_holds(const struct sch_debug *debug, const struct sch_debug_breakpoint *given)
{
    struct sch_lanes scratch[4];
    if (given->compare == SCH_COMPARE_NONE) return true;
    const struct sch_lanes *words = sch_api_debug_register(debug, &given->of, scratch);
    if (!words) return false;
    if (!given->some_lane)
        return sch_api_debug_is_target(debug) && compare_holds(given, words[given->channel].u[debug->lane]);
    for (uint32_t left = debug->machine->group.exec; left; left &= left - 1)
        if (compare_holds(given, words[given->channel].u[__builtin_ctz(left)])) return true;
    return false;
}

static bool wrote(const struct sch_debug *debug, const struct sch_debug_breakpoint *given)
{
    const uint32_t channels = given->channels ? given->channels : 15;
    if (!debug->last.lanes) return false;
    for (uint32_t i = 0; debug->last.in && i < debug->last.change_count; i++) {
        const struct sch_api_debug_change *change = &debug->changes[i];
        if (change->file == given->which.file && change->index == given->which.index && change->channels & channels)
            return true;
    }
    return false;
}

/* Bytes that a breakpoint looks at; NULL: there are none. */
static const uint8_t *bytes_of(const struct sch_debug *debug, const struct sch_debug_breakpoint *given)
{
    if (given->kind == SCH_DEBUG_BREAK_MEMORY) return given->memory;
    const struct sch_memory_view *shared = &debug->machine->memory[SCH_MEMORY_SHARED];
    const bool there = shared->data && given->number <= shared->bytes && given->bytes <= shared->bytes - given->number;
    return there ? shared->data + given->number : NULL;
}

void sch_api_debug_note_memory(struct sch_debug *debug)
{
    for (uint32_t b = 0; b < debug->breakpoint_count; b++) {
        struct sch_api_debug_break *breakpoint = &debug->breakpoints[b];
        const uint8_t *from = breakpoint->bytes ? bytes_of(debug, &breakpoint->given) : NULL;
        if (from) memcpy(breakpoint->bytes, from, breakpoint->given.bytes);
    }
}

static bool changed(const struct sch_debug *debug, const struct sch_api_debug_break *breakpoint)
{
    const uint8_t *now = bytes_of(debug, &breakpoint->given);
    return debug->last.in && (debug->last.in->resource || debug->last.in->accesses) && now &&
           memcmp(now, breakpoint->bytes, breakpoint->given.bytes) != 0;
}

static bool is_hit(const struct sch_debug *debug, const struct sch_api_debug_break *breakpoint)
{
    const struct sch_debug_breakpoint *given = &breakpoint->given;
    switch (given->kind) {
    case SCH_DEBUG_BREAK_INSTRUCTION:
        return debug->at->number == given->number;
    case SCH_DEBUG_BREAK_LINE:
        return position_of(debug, debug->at->number)->line == given->number && begins_line(debug);
    case SCH_DEBUG_BREAK_WRITE:
        return wrote(debug, given);
    default:
        return changed(debug, breakpoint);
    }
}

static bool find_break(const struct sch_debug *debug, uint32_t *number)
{
    for (uint32_t b = 0; b < debug->breakpoint_count; b++) {
        if (!is_hit(debug, &debug->breakpoints[b]) || !condition_holds(debug, &debug->breakpoints[b].given)) continue;
        *number = b;
        return true;
    }
    return false;
}

/* ---- a moment ---- */

bool sch_api_debug_is_end(const struct sch_debug *debug)
{
    return debug->at->opcode == SCH_OP_END && debug->machine->depth == 0;
}

bool sch_api_debug_stops(struct sch_debug *debug, struct sch_api_debug_found *found)
{
    struct sch_api_debug_plan *plan = &debug->plan;
    const bool target = sch_api_debug_is_target(debug), ends = target && sch_api_debug_is_end(debug);
    *found = (struct sch_api_debug_found){.reason = SCH_DEBUG_BREAK};
    if (find_break(debug, &found->breakpoint)) return true;
    found->reason = SCH_DEBUG_EVENT;
    found->events = events_of(debug);
    const bool counts = !plan->go.lane || (target && sch_exec_executing(debug->machine, debug->at) >> debug->lane & 1);
    if (found->events && counts) return true;
    found->reason = SCH_DEBUG_GROUP_END;
    if (ends && !plan->go.back) return true;
    if (!target || !counts || !is_step(debug)) return false;
    found->reason = ends ? SCH_DEBUG_GROUP_END : SCH_DEBUG_STEP;
    if (plan->mode == SCH_API_DEBUG_SCAN) return true;
    return --plan->count == 0;
}
