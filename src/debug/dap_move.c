/* Moving on behalf of an editor: steps and runs, in a thread beside the one that reads messages, and reporting where
 * they stopped. */
#include "dap.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- reporting ---- */

static uint32_t thread_of(uint32_t lane) { return lane + 1; }

static const struct sch_dap_breakpoint *hit(const struct sch_dap *dap)
{
    const uint32_t number = dap->stop.breakpoint;
    return dap->stop.reason == SCH_DEBUG_BREAK && number < dap->breakpoint_count ? &dap->breakpoints[number] : NULL;
}

static const char *reason_of(const struct sch_dap *dap)
{
    static const char *const of_sets[] = {"breakpoint", "breakpoint", "instruction breakpoint", "data breakpoint"};
    static const char *const reasons[] = {
        [SCH_DEBUG_BEGIN] = "entry",      [SCH_DEBUG_STEP] = "step",      [SCH_DEBUG_EVENT] = "exception",
        [SCH_DEBUG_BREAK] = "breakpoint", [SCH_DEBUG_GROUP_END] = "step", [SCH_DEBUG_FAILED] = "exception",
        [SCH_DEBUG_INTERRUPTED] = "pause"};
    const struct sch_dap_breakpoint *point = hit(dap);
    return point ? of_sets[point->set] : reasons[dap->stop.reason];
}

static void note_lanes(struct sch_dap *dap)
{
    for (uint32_t lane = 0; lane < SCH_DEBUGGER_LANES; lane++)
        if (dap->stop.present >> lane & 1) sch_debugger_lane_name(dap->subject, lane, dap->lane_names[lane]);
}

static void tell_end(struct sch_dap *dap)
{
    struct json_object *body = json_object_new_object();
    char text[160];
    dap->state = SCH_DAP_ENDED;
    if (dap->stop.result != SCH_OK) {
        struct json_object *output = json_object_new_object();
        sch_debugger_reason(&dap->stop, text);
        strcat(text, "\n");
        sch_dap_put_text(output, "category", "stderr");
        sch_dap_put_text(output, "output", text);
        sch_dap_send_event(dap, "output", output);
    }
    sch_dap_put_number(body, "exitCode", dap->host->exit_of(dap->stop.result));
    sch_dap_send_event(dap, "exited", body);
    sch_dap_send_event(dap, "terminated", NULL);
}

void sch_dap_tell_stop(struct sch_dap *dap)
{
    const struct sch_dap_breakpoint *point = hit(dap);
    char text[160];
    if (dap->stop.ended) {
        tell_end(dap);
        return;
    }
    dap->state = SCH_DAP_STOPPED;
    dap->lane = dap->plan.lane < SCH_DEBUGGER_LANES && dap->stop.active >> dap->plan.lane & 1
                    ? dap->plan.lane
                    : sch_debugger_lane_at(&dap->stop);
    note_lanes(dap);
    sch_debugger_reason(&dap->stop, text);
    struct json_object *body = json_object_new_object();
    sch_dap_put_text(body, "reason", reason_of(dap));
    sch_dap_put_text(body, "description", text);
    if (dap->stop.reason == SCH_DEBUG_EVENT || dap->stop.reason == SCH_DEBUG_FAILED)
        sch_dap_put_text(body, "text", text);
    sch_dap_put_number(body, "threadId", thread_of(dap->lane));
    sch_dap_put_bool(body, "allThreadsStopped", true);
    if (point) json_object_array_add(sch_dap_put_list(body, "hitBreakpointIds"), json_object_new_int64(point->id));
    sch_dap_send_event(dap, "stopped", body);
}

/* ---- the thread ---- */

static bool is_wanted_to_stop(const struct sch_dap *dap)
{
    return __atomic_load_n(&dap->wanted_stop, __ATOMIC_RELAXED) != 0;
}

/* Steps of a line are made again until the line is another. A step of the lane that the session was made for is the
 * engine's; those of others are made until the lane executes. Without debugging nothing stops it before the end. */
static bool goes_on(const struct sch_dap *dap, const struct sch_debug_stop *from, const struct sch_debug_stop *now)
{
    if (dap->plan.seeks) return false;
    if (dap->no_debug) return !now->ended;
    if (now->ended || now->reason != SCH_DEBUG_STEP) return false;
    if (dap->plan.lane < SCH_DEBUGGER_LANES && !(now->active >> dap->plan.lane & 1)) return true;
    if (!dap->plan.by_line || dap->plan.step != SCH_DEBUG_STEP_OVER) return false;
    return now->line ? now->line == from->line : dap->subject->target->folds;
}

/* Over a line is a step of instructions that do not enter subroutines; what the lowering of a Direct3D shader adds is
 * not a line, and the subroutines that it makes of phases are entered. */
static enum sch_debug_step step_of(const struct sch_dap *dap, const struct sch_debug_stop *now)
{
    const struct sch_dap_plan *plan = &dap->plan;
    const bool between = dap->subject->target->folds && !now->line;
    if (plan->by_line && (plan->back || plan->step == SCH_DEBUG_STEP_INSTRUCTION || between))
        return SCH_DEBUG_STEP_LINE;
    return plan->step;
}

static void *run(void *user)
{
    struct sch_dap *dap = user;
    struct sch_debugger_target *target = dap->subject->target;
    const struct sch_dap_plan *plan = &dap->plan;
    struct sch_debug_go go = {.size = sizeof go,
                              .back = plan->back,
                              .lane = dap->stop.is_target && plan->lane == dap->stop.lane,
                              .events = dap->no_debug ? 0 : dap->events};
    struct sch_debug_stop now = dap->stop;
    do {
        go.step = step_of(dap, &now);
        dap->result = plan->seeks ? sch_debugger_target_seek(target, plan->time) : sch_debugger_target_go(target, &go);
        now = sch_debugger_stop(dap->subject);
    } while (dap->result == SCH_OK && !is_wanted_to_stop(dap) && goes_on(dap, &dap->stop, &now));
    ssize_t written;
    do written = write(dap->done[1], "", 1);
    while (written < 0);
    return NULL;
}

void sch_dap_move(struct sch_dap *dap)
{
    dap->wanted_stop = 0;
    dap->pausing = false;
    if (pthread_create(&dap->thread, NULL, run, dap) == 0) {
        dap->state = SCH_DAP_RUNNING;
        return;
    }
    run(dap); /* without a thread it cannot be interrupted */
    char byte;
    if (read(dap->done[0], &byte, 1) == 1) dap->stop = sch_debugger_stop(dap->subject);
    sch_dap_tell_stop(dap);
}

/* Waits for the thread, whose byte is there. */
static void join(struct sch_dap *dap)
{
    char byte;
    while (read(dap->done[0], &byte, 1) < 0) continue;
    pthread_join(dap->thread, NULL);
    dap->state = SCH_DAP_STOPPED;
    dap->stop = sch_debugger_stop(dap->subject);
}

/* An interrupt ends a run of which no group is looked at any more, or none yet: then it is taken to where it was
 * before, since the client wanted it to stop and not to end. */
static bool return_to(struct sch_dap *dap, uint64_t time)
{
    if (!dap->stop.ended || dap->stop.result != SCH_ERROR_CANCELLED) return false;
    dap->result = sch_debugger_target_seek(dap->subject->target, time);
    dap->stop = sch_debugger_stop(dap->subject);
    return dap->result == SCH_OK && !dap->stop.ended;
}

void sch_dap_moved(struct sch_dap *dap)
{
    const uint64_t from = dap->stop.time;
    join(dap);
    const bool returned = dap->pausing && return_to(dap, from);
    if (dap->result != SCH_OK) {
        struct json_object *output = json_object_new_object();
        sch_dap_put_text(output, "category", "stderr");
        sch_dap_put_text(output, "output", sch_result_text(dap->result));
        sch_dap_send_event(dap, "output", output);
    }
    if (returned || (dap->pausing && dap->stop.reason == SCH_DEBUG_STEP)) dap->stop.reason = SCH_DEBUG_INTERRUPTED;
    sch_dap_tell_stop(dap);
}

void sch_dap_interrupt(struct sch_dap *dap)
{
    __atomic_store_n(&dap->wanted_stop, 1, __ATOMIC_RELAXED);
    sch_debugger_target_interrupt(dap->subject->target);
}

void sch_dap_halt(struct sch_dap *dap)
{
    if (dap->state != SCH_DAP_RUNNING) return;
    struct pollfd done = {.fd = dap->done[0], .events = POLLIN};
    do sch_dap_interrupt(dap);
    while (poll(&done, 1, SCH_DAP_PATIENCE_MS) <= 0);
    join(dap);
}

bool sch_dap_hold(struct sch_dap *dap)
{
    const uint64_t from = dap->stop.time;
    sch_dap_halt(dap);
    if (return_to(dap, from)) dap->stop.reason = SCH_DEBUG_INTERRUPTED;
    const bool interrupted = dap->stop.reason == SCH_DEBUG_INTERRUPTED && dap->plan.step == SCH_DEBUG_RUN;
    if (!dap->stop.ended && !dap->pausing && (interrupted || dap->no_debug)) return true;
    sch_dap_tell_stop(dap);
    return false;
}

/* ---- requests ---- */

/* A step in the thread that the request names. */
static bool step(struct sch_dap *dap, struct json_object *arguments, enum sch_debug_step step, bool back)
{
    const char *granularity = sch_dap_get_text(arguments, "granularity");
    struct sch_dap_plan plan = {.step = step, .back = back};
    if (!sch_dap_get_lane(dap, arguments, &plan.lane)) return false;
    if (granularity && strcmp(granularity, "statement") != 0 && strcmp(granularity, "line") != 0 &&
        strcmp(granularity, "instruction") != 0)
        return sch_dap_wrong(dap, "granularity is statement, line or instruction");
    plan.by_line = step != SCH_DEBUG_STEP_OUT && (dap->stop.line || dap->subject->target->folds) &&
                   !(granularity && *granularity == 'i');
    dap->plan = plan;
    dap->then = SCH_DAP_MOVE;
    return true;
}

bool sch_dap_next(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)body;
    return step(dap, arguments, SCH_DEBUG_STEP_OVER, false);
}

bool sch_dap_step_in(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)body;
    return step(dap, arguments, SCH_DEBUG_STEP_INSTRUCTION, false);
}

bool sch_dap_step_out(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)body;
    return step(dap, arguments, SCH_DEBUG_STEP_OUT, false);
}

bool sch_dap_step_back(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)body;
    return step(dap, arguments, SCH_DEBUG_STEP_OVER, true);
}

static bool run_to(struct sch_dap *dap, bool back)
{
    dap->plan = (struct sch_dap_plan){.step = SCH_DEBUG_RUN, .back = back, .lane = UINT32_MAX};
    dap->then = SCH_DAP_MOVE;
    return true;
}

bool sch_dap_continue(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)arguments;
    sch_dap_put_bool(body, "allThreadsContinued", true);
    return run_to(dap, false);
}

bool sch_dap_reverse_continue(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)arguments;
    (void)body;
    return run_to(dap, true);
}

/* Where it has stopped already, the client hears of that anyway. */
bool sch_dap_pause(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)arguments;
    (void)body;
    dap->pausing = true;
    return true;
}
