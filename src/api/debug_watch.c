/* What the run of a session does while it goes: it finds the invocation, asks at each instruction whether the session
 * stops there, and waits if so. All of it in the run's thread. */
#include "api/debug.h"

#include "ops/ops.h"

/* ---- which group ---- */

static bool same3(const uint32_t a[3], const uint32_t b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

/* Whether an invocation has all the numbers that are asked for. */
static bool matches(const struct sch_invocation_place *wanted, const struct sch_invocation_place *is)
{
    const uint32_t parts = wanted->parts;
    return (is->parts & parts) == parts && (!(parts & SCH_PLACE_INVOCATION) || is->invocation == wanted->invocation) &&
           (!(parts & SCH_PLACE_VERTEX) || is->vertex == wanted->vertex) &&
           (!(parts & SCH_PLACE_INSTANCE) || is->instance == wanted->instance) &&
           (!(parts & SCH_PLACE_PRIMITIVE) || is->primitive == wanted->primitive) &&
           (!(parts & SCH_PLACE_PIXEL) || (is->x == wanted->x && is->y == wanted->y)) &&
           (!(parts & SCH_PLACE_LAYER) || is->layer == wanted->layer) &&
           (!(parts & SCH_PLACE_SAMPLE) || is->sample == wanted->sample) &&
           (!(parts & SCH_PLACE_WORK_GROUP) || same3(is->work_group, wanted->work_group)) &&
           (!(parts & SCH_PLACE_THREAD) || same3(is->thread, wanted->thread));
}

/* Groups that wait for each other are looked at together; then the first one is asked for the lanes of all. */
static bool go_together(const struct sch_exec_machine *machine)
{
    return machine->program->prepared.memory.barriers && machine->source->groups > 1;
}

static void find_invocation(struct sch_debug *debug, const struct sch_exec_machine *machine)
{
    const uint32_t groups = go_together(machine) ? machine->source->groups : 1;
    if (groups > 1 && machine->at.group > 0) return;
    for (uint32_t n = 0; n < groups * SCH_GROUP_LANES; n++) {
        struct sch_invocation_place is = {.size = sizeof is};
        const bool own = n < SCH_GROUP_LANES;
        if (own && !((machine->group.present & ~machine->started_helpers) >> n & 1)) continue;
        machine->source->kind->identify(machine->source, machine, n, &is);
        if (!is.parts || !matches(&debug->place, &is)) continue;
        if (debug->skipped < debug->skip) {
            debug->skipped++;
            continue;
        }
        debug->found = true;
        debug->found_call = debug->calls;
        debug->found_place = is;
        debug->target = machine->at;
        debug->target.group += n / SCH_GROUP_LANES;
        debug->lane = n % SCH_GROUP_LANES;
        debug->others = groups > 1;
        return;
    }
}

static bool is_asked(const struct sch_debug *debug, const struct sch_exec_machine *machine)
{
    return (!debug->stages || debug->stages >> machine->program->prepared.stage & 1) &&
           (!debug->call || debug->calls == debug->call);
}

static bool chooses(struct sch_exec_watch *watch, struct sch_exec_machine *machine)
{
    struct sch_debug *debug = sch_api_debug_of(watch);
    const bool before = debug->found;
    if (!before && is_asked(debug, machine)) find_invocation(debug, machine);
    const bool of_target = debug->found && debug->job == machine->job && machine->at.unit == debug->target.unit &&
                           (debug->others || machine->at.group == debug->target.group);
    const bool chosen = of_target && (!before || debug->others);
    machine->heat->kept = chosen;
    machine->heat->trace.texels = chosen ? debug->texels : NULL;
    machine->heat->trace.texel_capacity = chosen ? SCH_TRACE_TEXELS * SCH_GROUP_LANES : 0;
    machine->lookups = chosen || machine->source->counts_texels ? sch_ops_traced() : machine->ops;
    return chosen;
}

static void begin_run(struct sch_exec_watch *watch, const struct sch_exec_job *job)
{
    struct sch_debug *debug = sch_api_debug_of(watch);
    debug->job = debug->found ? NULL : job; /* the invocation is of no other run, though jobs may have one address */
    debug->machine = NULL;
}

/* ---- waiting ---- */

/* Until the session continues. */
static void stop(struct sch_debug *debug, const struct sch_api_debug_found *why)
{
    debug->why = *why;
    pthread_mutex_lock(&debug->lock);
    debug->phase = SCH_API_DEBUG_STOPPED;
    pthread_cond_broadcast(&debug->changed);
    while (debug->phase == SCH_API_DEBUG_STOPPED) pthread_cond_wait(&debug->changed, &debug->lock);
    pthread_mutex_unlock(&debug->lock);
}

static const struct sch_prepared_instruction *abort_run(struct sch_exec_machine *machine, uint32_t instruction)
{
    machine->group.failure = SCH_ERROR_CANCELLED;
    machine->failed_lane = 0;
    machine->failed_instruction = instruction;
    return NULL;
}

/* ---- a moment ---- */

/* A machine that continues after a BARRIER has executed that last. */
static void enter(struct sch_debug *debug, struct sch_exec_machine *machine, const struct sch_prepared_instruction *at)
{
    const bool begins = machine->group.executed == machine->group.executed_before;
    debug->machine = machine;
    debug->last = (struct sch_api_debug_last){.in = begins ? NULL : at - 1};
    if (!begins || !sch_api_debug_is_target(debug)) return;
    debug->begin = debug->time;
    debug->begun = true;
    debug->at = at;
    sch_api_debug_begin_moments(debug);
}

static bool is_interrupted(const struct sch_debug *debug)
{
    return __atomic_load_n(&debug->interrupted, __ATOMIC_RELAXED) != 0;
}

/* The flag that interrupts a session ends runs of which nothing is looked at; here the next moment is a stop. */
static bool goes_on(struct sch_exec_watch *watch, struct sch_exec_machine *machine)
{
    const struct sch_debug *debug = sch_api_debug_of(watch);
    if (machine->group.failure != SCH_ERROR_CANCELLED || debug->aborting || !is_interrupted(debug)) return false;
    machine->group.failure = SCH_OK;
    return true;
}

/* Whether the session stops here, and why. What a scan finds is noted. */
static bool stops_here(struct sch_debug *debug, struct sch_api_debug_found *why)
{
    const struct sch_api_debug_plan *plan = &debug->plan;
    *why = (struct sch_api_debug_found){.reason = SCH_DEBUG_STEP};
    if (is_interrupted(debug)) {
        __atomic_store_n(&debug->interrupted, 0, __ATOMIC_RELAXED);
        why->reason = SCH_DEBUG_INTERRUPTED;
        return true;
    }
    if (plan->mode == SCH_API_DEBUG_SEEK) {
        if (sch_api_debug_is_target(debug) && sch_api_debug_is_end(debug)) why->reason = SCH_DEBUG_GROUP_END;
        return debug->time == plan->until;
    }
    if (plan->mode == SCH_API_DEBUG_SCAN) {
        struct sch_api_debug_found found;
        if (debug->time == plan->until) return true;
        if (!debug->begun || debug->time < debug->begin || !sch_api_debug_stops(debug, &found)) return false;
        debug->scanned = found;
        debug->scanned_time = debug->time;
        debug->has_scanned = true;
        return false;
    }
    if (sch_api_debug_is_target(debug) && debug->time == debug->begin && plan->go.size == 0) {
        why->reason = SCH_DEBUG_BEGIN;
        return true;
    }
    return plan->go.size && debug->time > plan->time && sch_api_debug_stops(debug, why);
}

static const struct sch_prepared_instruction *before(struct sch_exec_watch *watch, struct sch_exec_machine *machine,
                                                     const struct sch_prepared_instruction *at)
{
    struct sch_debug *debug = sch_api_debug_of(watch);
    struct sch_api_debug_found why;
    if (debug->machine != machine) enter(debug, machine, at);
    debug->at = at;
    while (stops_here(debug, &why)) {
        stop(debug, &why);
        if (debug->aborting) return abort_run(machine, at->number);
        if (!debug->put) break;
        debug->put = false;
        debug->at = sch_api_debug_put(debug, sch_api_debug_find_moment(debug, debug->put_to));
    }
    sch_api_debug_keep_moment(debug);
    if (debug->breaks_on_memory && (debug->at->resource || debug->at->accesses)) sch_api_debug_note_memory(debug);
    sch_api_debug_note(debug);
    debug->time++;
    return debug->at;
}

/* A group that fails stops the session; it cannot continue, but for ending the run. */
static void leaves(struct sch_exec_watch *watch, struct sch_exec_machine *machine)
{
    struct sch_debug *debug = sch_api_debug_of(watch);
    if (machine->group.failure == SCH_OK || debug->aborting) return;
    debug->at = &machine->program->prepared.instructions[machine->failed_instruction];
    stop(debug, &(struct sch_api_debug_found){.reason = SCH_DEBUG_FAILED});
}

struct sch_exec_watch *sch_api_debug_begin_call(struct sch_debug *debug, struct sch_diagnostics *list)
{
    pthread_mutex_lock(&debug->lock);
    const bool own = debug->runs && pthread_equal(debug->runs_in, pthread_self());
    pthread_mutex_unlock(&debug->lock);
    if (!own) {
        sch_refuse_argument(list, ".debug", "debug: the call is not one of the session's run");
        return NULL;
    }
    debug->calls++;
    return &debug->watch;
}

void sch_api_debug_init_watch(struct sch_exec_watch *watch)
{
    *watch = (struct sch_exec_watch){
        .begin_run = begin_run, .chooses = chooses, .before = before, .goes_on = goes_on, .leaves = leaves};
}
