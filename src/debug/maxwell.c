/* Maxwell code as what is debugged: a group of 32 lanes goes through the instructions of a program one by one. All that
 * an instruction changes is in the group, so a copy of it is a moment; the way back is from such a copy. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuggee.h"

enum { LANES = SCH_MAXWELL_GROUP_LANES, MOST_KEPT = 64, MOST_BREAKPOINTS = 256 };

/* Why it has stopped at a moment. */
struct found {
    enum sch_debug_reason reason;
    uint32_t breakpoint;
};

struct maxwell {
    struct sch_debuggee is;
    struct sch_debuggee_maxwell of;
    uint32_t count;                       /* of instructions, without what fills the last bundle */
    struct sch_maxwell_group now, before; /* before the last instruction */
    uint64_t time;                        /* instructions that were executed */
    struct found why;
    enum sch_result result; /* of the instruction that has failed */
    bool ended;
    uint32_t interrupted;

    struct sch_maxwell_group *kept; /* the moments 0, every, 2 * every, ... */
    uint32_t every, kept_count;

    struct sch_debug_breakpoint breakpoints[MOST_BREAKPOINTS];
    uint32_t breakpoint_count;
};

static struct maxwell *maxwell_of(const struct sch_debuggee *debuggee) { return (struct maxwell *)debuggee; }

static struct sch_maxwell_instruction_info info_of(const struct maxwell *maxwell, uint64_t number)
{
    struct sch_maxwell_instruction_info info = {.size = sizeof info};
    sch_maxwell_program_instruction(maxwell->of.program, 0, number, &info);
    return info;
}

static uint32_t lanes_of(const struct maxwell *maxwell)
{
    return sch_maxwell_program_lanes(maxwell->of.program, 0, maxwell->time, &maxwell->now);
}

/* ---- registers ---- */

/* The words of R# and P#; NULL: there is no such register. */
static const uint32_t *words_of(const struct sch_maxwell_group *group, const struct sch_debug_register *which,
                                uint32_t scratch[LANES])
{
    if (which->dimension) return NULL;
    if (which->file == SCH_FILE_TEMPORARY && which->index < SCH_MAXWELL_GROUP_REGISTERS)
        return group->registers[which->index];
    if (which->file != SCH_FILE_ADDRESS || which->index >= SCH_MAXWELL_GROUP_PREDICATES) return NULL;
    for (unsigned lane = 0; lane < LANES; lane++) scratch[lane] = group->predicates[which->index] >> lane & 1;
    return scratch;
}

/* The lanes in which the last instruction changed a register. */
static uint32_t changed_lanes(const struct maxwell *maxwell, const struct sch_debug_register *which)
{
    uint32_t scratch[2][LANES], lanes = 0;
    const uint32_t *now = words_of(&maxwell->now, which, scratch[0]);
    const uint32_t *before = words_of(&maxwell->before, which, scratch[1]);
    for (unsigned lane = 0; now && before && lane < LANES; lane++)
        lanes |= (uint32_t)(now[lane] != before[lane]) << lane;
    return lanes;
}

/* ---- executing ---- */

/* False: the instruction has failed, and nothing is changed. */
static bool execute(struct maxwell *maxwell)
{
    maxwell->before = maxwell->now;
    maxwell->result = sch_maxwell_executor_step(maxwell->of.executor, 0, maxwell->time, &maxwell->now, NULL);
    if (maxwell->result != SCH_OK) maxwell->now = maxwell->before;
    if (maxwell->result != SCH_OK) return false;
    maxwell->time++;
    const uint64_t number = maxwell->time / maxwell->every;
    if (maxwell->time % maxwell->every == 0 && number == maxwell->kept_count && number < MOST_KEPT)
        maxwell->kept[maxwell->kept_count++] = maxwell->now;
    return true;
}

/* To the last moment that is kept and not after `time`. */
static void go_to_kept(struct maxwell *maxwell, uint64_t time)
{
    uint64_t number = time / maxwell->every;
    if (number >= maxwell->kept_count) number = maxwell->kept_count - 1;
    maxwell->now = maxwell->before = maxwell->kept[number];
    maxwell->time = number * maxwell->every;
}

static bool is_interrupted(const struct maxwell *maxwell)
{
    return __atomic_load_n(&maxwell->interrupted, __ATOMIC_RELAXED) != 0;
}

/* To a moment, by the instruction before it. */
static void go_to(struct maxwell *maxwell, uint64_t time)
{
    maxwell->ended = false;
    maxwell->result = SCH_OK;
    go_to_kept(maxwell, time ? time - 1 : 0);
    while (maxwell->time < time && execute(maxwell)) continue;
    maxwell->why.reason = maxwell->result != SCH_OK         ? SCH_DEBUG_FAILED
                          : maxwell->time == maxwell->count ? SCH_DEBUG_GROUP_END
                          : maxwell->time == 0              ? SCH_DEBUG_BEGIN
                                                            : SCH_DEBUG_STEP;
}

/* ---- breakpoints ---- */

static bool compare_holds(const struct sch_debug_breakpoint *point, uint32_t word)
{
    return sch_debug_compare(point->type, point->compare, word, point->value);
}

static bool condition_holds(const struct maxwell *maxwell, const struct sch_debug_breakpoint *point)
{
    uint32_t scratch[LANES];
    if (point->compare == SCH_COMPARE_NONE) return true;
    const uint32_t *words = words_of(&maxwell->now, &point->of, scratch);
    if (!words) return false;
    if (!point->some_lane) return compare_holds(point, words[maxwell->of.lane]);
    for (uint32_t left = maxwell->of.present; left; left &= left - 1)
        if (compare_holds(point, words[__builtin_ctz(left)])) return true;
    return false;
}

static bool begins_line(const struct maxwell *maxwell)
{
    return !maxwell->time || info_of(maxwell, maxwell->time).line != info_of(maxwell, maxwell->time - 1).line;
}

static bool is_hit(const struct maxwell *maxwell, const struct sch_debug_breakpoint *point)
{
    switch (point->kind) {
    case SCH_DEBUG_BREAK_INSTRUCTION:
        return maxwell->time == point->number;
    case SCH_DEBUG_BREAK_LINE:
        return maxwell->time < maxwell->count && info_of(maxwell, maxwell->time).line == point->number &&
               begins_line(maxwell);
    case SCH_DEBUG_BREAK_WRITE:
        return changed_lanes(maxwell, &point->which) != 0;
    default:
        return false;
    }
}

static bool find_break(const struct maxwell *maxwell, uint32_t *number)
{
    for (*number = 0; *number < maxwell->breakpoint_count; ++*number)
        if (is_hit(maxwell, &maxwell->breakpoints[*number]) && condition_holds(maxwell, &maxwell->breakpoints[*number]))
            return true;
    return false;
}

static enum sch_result set_breakpoints(struct sch_debuggee *debuggee, const struct sch_debug_breakpoint *list,
                                       size_t stride, uint32_t count)
{
    struct maxwell *maxwell = maxwell_of(debuggee);
    if (count > MOST_BREAKPOINTS) return SCH_ERROR_ARGUMENT;
    for (uint32_t b = 0; b < count; b++)
        memcpy(&maxwell->breakpoints[b], (const char *)list + b * stride, sizeof maxwell->breakpoints[b]);
    maxwell->breakpoint_count = count;
    return SCH_OK;
}

/* ---- moving ---- */

static bool is_step(const struct maxwell *maxwell, const struct sch_debug_go *go, uint32_t line)
{
    if (go->step == SCH_DEBUG_STEP_INSTRUCTION || go->step == SCH_DEBUG_STEP_OVER) return true;
    if (go->step != SCH_DEBUG_STEP_LINE) return false;
    return begins_line(maxwell) && (go->back || info_of(maxwell, maxwell->time).line != line);
}

/* What sch_debug_go would stop for at the moment; `line` is that where it set out. */
static bool stops(const struct maxwell *maxwell, const struct sch_debug_go *go, uint32_t line, struct found *found)
{
    const bool end = maxwell->time == maxwell->count;
    const bool counts = end || !go->lane || lanes_of(maxwell) >> maxwell->of.lane & 1;
    found->reason = SCH_DEBUG_BREAK;
    if (find_break(maxwell, &found->breakpoint)) return true;
    found->reason = SCH_DEBUG_EVENT;
    if (go->events & SCH_DEBUG_LOOKUP && !end && counts && info_of(maxwell, maxwell->time).is_texture) return true;
    found->reason = end ? SCH_DEBUG_GROUP_END : SCH_DEBUG_STEP;
    return (end && !go->back) || (counts && is_step(maxwell, go, line));
}

static void go_on(struct maxwell *maxwell, const struct sch_debug_go *go)
{
    const uint32_t line = info_of(maxwell, maxwell->time).line;
    uint32_t left = go->count ? go->count : 1;
    if (maxwell->time == maxwell->count || maxwell->result != SCH_OK) {
        maxwell->ended = true;
        return;
    }
    while (!is_interrupted(maxwell)) {
        if (!execute(maxwell)) {
            maxwell->why.reason = SCH_DEBUG_FAILED;
            return;
        }
        if (stops(maxwell, go, line, &maxwell->why) && (maxwell->why.reason != SCH_DEBUG_STEP || --left == 0)) return;
    }
    maxwell->why.reason = SCH_DEBUG_INTERRUPTED;
}

/* The last stop between a moment that is kept and `end`, both left out. False: there is none. */
static bool scan(struct maxwell *maxwell, const struct sch_debug_go *go, uint64_t end, uint64_t *at,
                 struct found *found)
{
    bool has_found = false;
    while (maxwell->time + 1 < end && !is_interrupted(maxwell) && execute(maxwell)) {
        struct found here;
        if (!stops(maxwell, go, 0, &here)) continue;
        has_found = true;
        *at = maxwell->time;
        *found = here;
    }
    return has_found;
}

/* From one kept moment to the one before, until something is found. */
static void go_back(struct maxwell *maxwell, const struct sch_debug_go *go)
{
    struct found found = {.reason = SCH_DEBUG_BEGIN};
    uint64_t at = 0, end = maxwell->ended ? maxwell->time + 1 : maxwell->time;
    bool has_found = false;
    while (end > 1 && !has_found && !is_interrupted(maxwell)) {
        go_to_kept(maxwell, end - 2);
        const uint64_t start = maxwell->time;
        has_found = scan(maxwell, go, end, &at, &found);
        end = start + 1;
    }
    const bool interrupted = is_interrupted(maxwell);
    go_to(maxwell, at);
    if (maxwell->result == SCH_OK) maxwell->why = found;
    if (interrupted) maxwell->why.reason = SCH_DEBUG_INTERRUPTED;
}

static enum sch_result go(struct sch_debuggee *debuggee, const struct sch_debug_go *go)
{
    struct maxwell *maxwell = maxwell_of(debuggee);
    __atomic_store_n(&maxwell->interrupted, 0, __ATOMIC_RELAXED);
    if (!go->back && !maxwell->ended) go_on(maxwell, go);
    for (uint32_t n = 0; go->back && n < (go->count ? go->count : 1); n++) go_back(maxwell, go);
    return SCH_OK;
}

static enum sch_result seek(struct sch_debuggee *debuggee, uint64_t time)
{
    struct maxwell *maxwell = maxwell_of(debuggee);
    go_to(maxwell, time < maxwell->count ? time : maxwell->count);
    maxwell->ended = time > maxwell->count;
    return SCH_OK;
}

static void interrupt(struct sch_debuggee *debuggee)
{
    __atomic_store_n(&maxwell_of(debuggee)->interrupted, 1, __ATOMIC_RELAXED);
}

/* ---- where it is ---- */

static void get_stop(const struct sch_debuggee *debuggee, struct sch_debug_stop *stop)
{
    const struct maxwell *maxwell = maxwell_of(debuggee);
    const struct sch_maxwell_instruction_info info = info_of(maxwell, maxwell->time);
    const bool executes = maxwell->time < maxwell->count;
    *stop = (struct sch_debug_stop){.size = sizeof *stop,
                                    .reason = maxwell->ended ? SCH_DEBUG_RUN_END : maxwell->why.reason,
                                    .events = maxwell->why.reason == SCH_DEBUG_EVENT ? SCH_DEBUG_LOOKUP : 0,
                                    .breakpoint = maxwell->why.breakpoint,
                                    .result = maxwell->result,
                                    .ended = maxwell->ended,
                                    .time = maxwell->time,
                                    .instruction = (uint32_t)maxwell->time,
                                    .line = executes ? info.line : 0,
                                    .column = executes ? info.column : 0,
                                    .offset = executes ? info.offset : 0,
                                    .previous = maxwell->time ? (uint32_t)maxwell->time - 1 : UINT32_MAX,
                                    .stage = SCH_STAGE_FRAGMENT,
                                    .is_target = true,
                                    .lane = maxwell->of.lane,
                                    .present = maxwell->of.present,
                                    .helpers = maxwell->now.killed,
                                    .active = executes ? lanes_of(maxwell) : maxwell->of.present};
}

/* The end is where the last instruction does. */
static bool position_at(const struct sch_debuggee *debuggee, uint32_t number, struct sch_debug_position *position)
{
    const struct maxwell *maxwell = maxwell_of(debuggee);
    if (number > maxwell->count) return false;
    const struct sch_maxwell_instruction_info info = info_of(maxwell, number < maxwell->count ? number : number - 1);
    *position = (struct sch_debug_position){info.line, info.column, info.offset};
    return true;
}

/* ---- what it holds ---- */

static bool register_at(const struct sch_debuggee *debuggee, uint32_t position, struct sch_debug_register *found)
{
    const struct sch_debuggee_maxwell *of = &maxwell_of(debuggee)->of;
    for (uint32_t r = 0; r < SCH_MAXWELL_GROUP_REGISTERS + SCH_MAXWELL_GROUP_PREDICATES; r++) {
        const bool predicate = r >= SCH_MAXWELL_GROUP_REGISTERS;
        const uint32_t index = predicate ? r - SCH_MAXWELL_GROUP_REGISTERS : r;
        const uint32_t bits = predicate ? of->predicates : of->registers[index / 32];
        if (!(bits >> index % 32 & 1) || position--) continue;
        *found = (struct sch_debug_register){predicate ? SCH_FILE_ADDRESS : SCH_FILE_TEMPORARY, 0, index};
        return true;
    }
    return false;
}

static enum sch_result read_register(const struct sch_debuggee *debuggee, const struct sch_debug_register *which,
                                     uint32_t words[4][32])
{
    uint32_t scratch[LANES];
    const uint32_t *from = words_of(&maxwell_of(debuggee)->now, which, scratch);
    if (!from) return SCH_ERROR_ARGUMENT;
    memset(words, 0, 4 * sizeof *words);
    memcpy(words[0], from, sizeof words[0]);
    return SCH_OK;
}

static bool change_at(struct sch_debuggee *debuggee, uint32_t position, struct sch_debug_change *change)
{
    const struct maxwell *maxwell = maxwell_of(debuggee);
    uint32_t scratch[LANES];
    for (uint32_t r = 0; r < SCH_MAXWELL_GROUP_REGISTERS + SCH_MAXWELL_GROUP_PREDICATES; r++) {
        const bool predicate = r >= SCH_MAXWELL_GROUP_REGISTERS;
        const struct sch_debug_register which = {predicate ? SCH_FILE_ADDRESS : SCH_FILE_TEMPORARY, 0,
                                                 predicate ? r - SCH_MAXWELL_GROUP_REGISTERS : r};
        const uint32_t lanes = changed_lanes(maxwell, &which);
        if (!lanes || position--) continue;
        *change = (struct sch_debug_change){.size = sizeof *change, .which = which, .channels = 1, .lanes = lanes};
        memcpy(change->before[0], words_of(&maxwell->before, &which, scratch), sizeof change->before[0]);
        return true;
    }
    return false;
}

static enum sch_result explain(struct sch_debuggee *debuggee, uint32_t lane, struct sch_explanation **explanation)
{
    const struct maxwell *maxwell = maxwell_of(debuggee);
    if (!maxwell->time || maxwell->ended) return SCH_ERROR_ARGUMENT;
    return sch_maxwell_executor_explain(maxwell->of.executor, 0, maxwell->time - 1, &maxwell->before, lane,
                                        explanation);
}

/* ---- names ---- */

static bool own_name(const struct sch_debuggee *debuggee, const struct sch_debug_register *which,
                     char name[SCH_DEBUG_NAME_BYTES])
{
    (void)debuggee;
    snprintf(name, SCH_DEBUG_NAME_BYTES, "%c%u", which->file == SCH_FILE_ADDRESS ? 'P' : 'R', (unsigned)which->index);
    return true;
}

/* R0 to R254, P0 to P6, whether the program names them or not. */
static bool find_own(const struct sch_debuggee *debuggee, const char **text, struct sch_debug_register *which)
{
    const char *at = *text + 1;
    char *end;
    (void)debuggee;
    if ((**text != 'R' && **text != 'P') || !isdigit((unsigned char)*at)) return false;
    const unsigned long index = strtoul(at, &end, 10);
    if (end - at > 3 || isalnum((unsigned char)*end)) return false;
    *which = (struct sch_debug_register){**text == 'P' ? SCH_FILE_ADDRESS : SCH_FILE_TEMPORARY, 0, (uint32_t)index};
    *text = end;
    return true;
}

/* ---- making ---- */

static void destroy(struct sch_debuggee *debuggee)
{
    free(maxwell_of(debuggee)->kept);
    free(debuggee);
}

static const struct sch_debuggee_kind kind = {.destroy = destroy,
                                              .go = go,
                                              .seek = seek,
                                              .interrupt = interrupt,
                                              .get_stop = get_stop,
                                              .position_at = position_at,
                                              .register_at = register_at,
                                              .read = read_register,
                                              .change_at = change_at,
                                              .explain = explain,
                                              .set_breakpoints = set_breakpoints,
                                              .name = own_name,
                                              .find = find_own};

struct sch_debuggee *sch_debuggee_of_maxwell(const struct sch_debuggee_maxwell *of)
{
    static const char *const titles[SCH_DEBUGGEE_FILES] = {
        [SCH_FILE_TEMPORARY] = "Registers (R)", [SCH_FILE_ADDRESS] = "Predicates (P)"};
    struct maxwell *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->is = (struct sch_debuggee){.kind = &kind, .titles = titles, .components = 1, .has_names = true};
    made->of = *of;
    made->count = of->count;
    made->every = of->count / MOST_KEPT + 1;
    made->kept = malloc(MOST_KEPT * sizeof *made->kept);
    if (!made->kept) {
        free(made);
        return NULL;
    }
    made->now = made->before = made->kept[0] = *of->group;
    made->kept_count = 1;
    return &made->is;
}
