/* Debugging sessions: making them, moving in time, reporting where they are. What the run does meanwhile is in
 * api/debug_watch.c. */
#include "api/debug.h"

#include "base/thread.h"

enum { MOST_BREAKPOINTS = 256, MOST_BREAK_BYTES = 1 << 20, RUN_STACK = SCH_THREAD_STACK };

/* ---- the run's thread ---- */

static void *run_thread(void *user)
{
    struct sch_debug *debug = user;
    pthread_mutex_lock(&debug->lock);
    debug->runs_in = pthread_self();
    debug->runs = true;
    pthread_mutex_unlock(&debug->lock);
    const enum sch_result result = debug->run(debug->user, &debug->options);
    pthread_mutex_lock(&debug->lock);
    debug->runs = false;
    debug->result = result;
    debug->phase = SCH_API_DEBUG_ENDED;
    pthread_cond_broadcast(&debug->changed);
    pthread_mutex_unlock(&debug->lock);
    return NULL;
}

static void wait_for_run(struct sch_debug *debug)
{
    while (debug->phase == SCH_API_DEBUG_RUNS) pthread_cond_wait(&debug->changed, &debug->lock);
    if (debug->phase == SCH_API_DEBUG_ENDED) debug->machine = NULL;
}

static void go_on(struct sch_debug *debug)
{
    pthread_mutex_lock(&debug->lock);
    debug->phase = SCH_API_DEBUG_RUNS;
    pthread_cond_broadcast(&debug->changed);
    wait_for_run(debug);
    pthread_mutex_unlock(&debug->lock);
}

/* Until its thread is gone. */
static void end_run(struct sch_debug *debug)
{
    debug->aborting = true;
    if (debug->has_thread && debug->phase == SCH_API_DEBUG_STOPPED) go_on(debug);
    if (debug->has_thread) pthread_join(debug->thread, NULL);
    debug->has_thread = false;
    debug->aborting = false;
    sch_api_debug_drop_moments(debug);
}

static enum sch_result begin_run(struct sch_debug *debug)
{
    debug->time = 0;
    debug->calls = debug->skipped = 0;
    debug->found = debug->begun = debug->others = debug->put = false;
    debug->job = NULL;
    debug->machine = NULL;
    debug->last = (struct sch_api_debug_last){.in = NULL};
    pthread_mutex_lock(&debug->lock);
    debug->phase = SCH_API_DEBUG_RUNS;
    debug->has_thread = sch_thread_start(&debug->thread, RUN_STACK, run_thread, debug);
    if (debug->has_thread) wait_for_run(debug);
    if (!debug->has_thread) {
        debug->phase = SCH_API_DEBUG_ENDED;
        debug->result = SCH_ERROR_MEMORY;
    }
    pthread_mutex_unlock(&debug->lock);
    return debug->has_thread ? SCH_OK : SCH_ERROR_MEMORY;
}

static void put_back(struct sch_debug *debug)
{
    for (uint32_t i = 0; i < debug->kept_count; i++) {
        const struct sch_api_debug_kept *kept = &debug->kept[i];
        if (kept->resource)
            sch_resource_write_all(kept->resource, kept->before, kept->bytes);
        else if (kept->bytes)
            memcpy(kept->memory, kept->before, kept->bytes);
    }
}

static enum sch_result begin_again(struct sch_debug *debug)
{
    end_run(debug);
    put_back(debug);
    return begin_run(debug);
}

/* ---- making ---- */

/* Room for what a resource or memory holds before the run; NULL: there is none. */
static uint8_t *room(struct sch_debug *debug, struct sch_resource *resource, void *memory, size_t bytes)
{
    uint8_t *before = sch_api_alloc(debug->context, bytes);
    if (before) debug->kept[debug->kept_count++] = (struct sch_api_debug_kept){resource, memory, before, bytes};
    return before;
}

static bool keep_memory(struct sch_debug *debug, void *memory, size_t bytes)
{
    uint8_t *before = room(debug, NULL, memory, bytes);
    if (before && bytes) memcpy(before, memory, bytes);
    return before;
}

static bool keep_resource(struct sch_debug *debug, struct sch_resource *resource)
{
    const size_t bytes = sch_resource_bytes(resource);
    uint8_t *before = room(debug, resource, NULL, bytes);
    return before && sch_resource_read_all(resource, before, bytes) == SCH_OK;
}

static bool keep_all(struct sch_debug *debug, const struct sch_debug_options *options)
{
    const size_t count = (size_t)options->memory_count + options->resource_count;
    bool kept = sch_api_array(debug->context, count, sizeof *debug->kept, (void **)&debug->kept);
    for (uint32_t i = 0; i < options->memory_count && kept; i++)
        kept = keep_memory(debug, options->memory[i].data, options->memory[i].bytes);
    for (uint32_t i = 0; i < options->resource_count && kept; i++) kept = keep_resource(debug, options->resources[i]);
    return kept;
}

static bool resources_hold(struct sch_api_call *call, const struct sch_debug_options *options)
{
    if (options->resource_count && !options->resources)
        return sch_refuse_argument(call->list, ".resources", "resources: %u of no array", options->resource_count);
    for (uint32_t i = 0; i < options->resource_count; i++)
        if (!options->resources[i] || options->resources[i]->context != call->context)
            return sch_refuse_element(call->list, ".resources[#]", i, "resources[%u] is NULL, or of another context",
                                      i);
    return true;
}

static bool options_hold(struct sch_api_call *call, const struct sch_debug_options *options)
{
    if (options->memory_count && !options->memory)
        return sch_refuse_argument(call->list, ".memory", "memory: %u of no array", options->memory_count);
    for (uint32_t i = 0; i < options->memory_count; i++)
        if (options->memory[i].bytes && !options->memory[i].data)
            return sch_refuse_element(call->list, ".memory[#]", i, "memory[%u]: %zu bytes of no memory", i,
                                      options->memory[i].bytes);
    if (!resources_hold(call, options)) return false;
    if (options->stages >> (SCH_STAGE_COMPUTE + 1))
        return sch_refuse_argument(call->list, ".stages", "stages: bits of no stage in 0x%x", options->stages);
    return true;
}

/* What the caller points to. */
static bool take_inner(struct sch_api_call *call, const struct sch_debug_options *options, struct sch_debug *debug)
{
    if (options->options && !sch_api_read_inner(call->list, ".options", &debug->options, sizeof debug->options,
                                                sizeof debug->options, options->options))
        return false;
    if (options->place && !sch_api_read_inner(call->list, ".place", &debug->place, sizeof debug->place,
                                              sizeof debug->place, options->place))
        return false;
    if (debug->place.parts & ~(uint32_t)SCH_PLACE_PARTS)
        return sch_refuse_argument(call->list, ".place.parts", "place: unknown parts 0x%x", debug->place.parts);
    debug->options.size = sizeof debug->options;
    debug->options.threads = 1;
    debug->options.deadline_ms = 0;
    debug->options.debug = debug;
    return true;
}

static enum sch_result make(struct sch_api_call *call, const struct sch_debug_options *options, struct sch_debug *debug)
{
    debug->run = options->run;
    debug->user = options->user;
    debug->stages = options->stages;
    debug->call = options->call;
    debug->skip = options->skip;
    debug->kept_bytes = options->kept_bytes;
    sch_api_debug_init_watch(&debug->watch);
    if (!take_inner(call, options, debug)) return SCH_ERROR_ARGUMENT;
    debug->texels = sch_api_alloc(debug->context, SCH_TRACE_TEXELS * SCH_GROUP_LANES * sizeof *debug->texels);
    if (!debug->texels || !keep_all(debug, options)) return SCH_ERROR_MEMORY;
    return begin_run(debug);
}

static struct sch_debug *new_session(struct sch_context *context)
{
    struct sch_arena arena;
    sch_arena_init(&arena, &context->allocator, 0);
    struct sch_debug *made = SCH_ARENA_NEW(&arena, struct sch_debug);
    if (!made) return NULL;
    made->arena = arena;
    made->context = context;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    return made;
}

enum sch_result sch_debug_create(struct sch_context *context, const struct sch_debug_options *options,
                                 struct sch_debug **debug)
{
    struct sch_api_call call;
    struct sch_debug_options wanted;
    sch_api_begin(&call, context, options ? options->diagnostics : NULL, __func__, "options");
    if (debug) *debug = NULL;
    if (!sch_api_given(&call, debug, "debug") || !sch_api_given(&call, context, "context") ||
        !sch_api_given(&call, options, "options") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options) ||
        !sch_api_given(&call, (const void *)(uintptr_t)wanted.run, "options.run") || !options_hold(&call, &wanted))
        return sch_api_refused(&call);
    struct sch_debug *made = new_session(context);
    if (!made) return sch_api_end(&call, SCH_ERROR_MEMORY);
    const enum sch_result result = make(&call, &wanted, made);
    if (result == SCH_OK)
        *debug = made;
    else
        sch_debug_destroy(made);
    return sch_api_end(&call, result);
}

static void drop_breakpoints(struct sch_debug *debug)
{
    for (uint32_t b = 0; b < debug->breakpoint_count; b++) sch_api_free(debug->context, debug->breakpoints[b].bytes);
    sch_api_free(debug->context, debug->breakpoints);
    debug->breakpoints = NULL;
    debug->breakpoint_count = 0;
    debug->breaks_on_memory = false;
}

void sch_debug_destroy(struct sch_debug *debug)
{
    if (!debug) return;
    end_run(debug);
    drop_breakpoints(debug);
    for (uint32_t i = 0; i < debug->kept_count; i++) sch_api_free(debug->context, debug->kept[i].before);
    sch_api_free(debug->context, debug->kept);
    sch_api_free(debug->context, debug->texels);
    pthread_cond_destroy(&debug->changed);
    pthread_mutex_destroy(&debug->lock);
    struct sch_arena arena = debug->arena;
    sch_arena_release(&arena);
}

/* ---- moving ---- */

static struct sch_api_debug_plan plan_of(const struct sch_debug *debug, enum sch_api_debug_mode mode, uint64_t until)
{
    struct sch_api_debug_plan plan = {.mode = mode, .until = until, .time = debug->time, .count = 1};
    if (!debug->machine) return plan;
    plan.depth = debug->machine->depth;
    plan.calls = sch_api_debug_calls(debug->machine);
    plan.position = debug->machine->program->prepared.positions[debug->at->number];
    return plan;
}

/* From the kept moment that is not after `time`, or from the beginning, as the plan says. A group that has failed is
 * not in its loop any more. */
static enum sch_result go_back(struct sch_debug *debug, uint64_t time)
{
    const bool waits = debug->phase == SCH_API_DEBUG_STOPPED && debug->why.reason != SCH_DEBUG_FAILED;
    if (!waits || !sch_api_debug_is_target(debug) || !sch_api_debug_find_moment(debug, time)) return begin_again(debug);
    debug->put = true;
    debug->put_to = time;
    go_on(debug);
    return SCH_OK;
}

/* What came before a moment is known if the instruction before it is executed. */
static uint64_t earlier(const struct sch_debug *debug, uint64_t time) { return time > debug->begin ? time - 1 : time; }

static enum sch_result seek(struct sch_debug *debug, uint64_t time)
{
    debug->plan = plan_of(debug, SCH_API_DEBUG_SEEK, time);
    const bool stopped = debug->phase == SCH_API_DEBUG_STOPPED;
    if (stopped && time == debug->time) return SCH_OK;
    if (stopped && time > debug->time) {
        go_on(debug);
        return SCH_OK;
    }
    return go_back(debug, earlier(debug, time));
}

/* The last stop of a step back before `end`, looked for from moment to moment, the last ones first. */
static enum sch_result scan_back(struct sch_debug *debug, const struct sch_api_debug_plan *origin)
{
    const uint64_t begin = debug->begin;
    enum sch_result result = SCH_OK;
    debug->has_scanned = false;
    for (uint64_t end = origin->time; end > begin && !debug->has_scanned && result == SCH_OK;) {
        const struct sch_api_debug_moment *from = sch_api_debug_find_moment(debug, end - 1);
        const uint64_t start = from ? from->time : begin;
        debug->plan = *origin;
        debug->plan.mode = SCH_API_DEBUG_SCAN;
        debug->plan.until = end;
        result = go_back(debug, start);
        if (debug->phase == SCH_API_DEBUG_STOPPED && debug->why.reason == SCH_DEBUG_INTERRUPTED) return result;
        end = start;
    }
    const struct sch_api_debug_found found = debug->scanned;
    const bool has_found = debug->has_scanned;
    if (result == SCH_OK) result = seek(debug, has_found ? debug->scanned_time : begin);
    if (debug->phase == SCH_API_DEBUG_STOPPED && debug->why.reason == SCH_DEBUG_STEP)
        debug->why = has_found ? found : (struct sch_api_debug_found){.reason = SCH_DEBUG_BEGIN};
    return result;
}

/* One instruction back in the only group is the moment before. */
static bool is_plain(const struct sch_debug *debug, const struct sch_debug_go *go)
{
    return go->step == SCH_DEBUG_STEP_INSTRUCTION && !go->lane && !go->events && !debug->breakpoint_count &&
           !debug->others;
}

static enum sch_result step_back(struct sch_debug *debug, const struct sch_debug_go *go)
{
    if (!debug->begun) return SCH_OK; /* the run never came to the invocation */
    for (uint32_t n = 0; n < go->count; n++) {
        const uint64_t now = debug->time;
        struct sch_api_debug_plan origin = plan_of(debug, SCH_API_DEBUG_SCAN, now);
        origin.go = *go;
        const enum sch_result result =
            is_plain(debug, go) ? seek(debug, earlier(debug, now)) : scan_back(debug, &origin);
        const enum sch_debug_reason reason = debug->why.reason;
        if (result != SCH_OK || debug->phase != SCH_API_DEBUG_STOPPED || debug->time <= debug->begin) return result;
        if (reason != SCH_DEBUG_STEP && reason != SCH_DEBUG_GROUP_END) break;
    }
    return SCH_OK;
}

static bool go_holds(struct sch_api_call *call, const struct sch_debug_go *go)
{
    if (!sch_api_takes(call->list, ".step", (uint32_t)go->step, 0, SCH_DEBUG_STEP_LINE)) return false;
    if (!(go->events & ~(uint32_t)SCH_DEBUG_EVENTS)) return true;
    return sch_refuse_argument(call->list, ".events", "unknown events 0x%x", go->events);
}

static void allow_run(struct sch_debug *debug) { __atomic_store_n(&debug->interrupted, 0, __ATOMIC_RELAXED); }

enum sch_result sch_debug_go(struct sch_debug *debug, const struct sch_debug_go *go)
{
    struct sch_api_call call;
    struct sch_debug_go wanted;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(debug), NULL, __func__, "go");
    if (!sch_api_given(&call, debug, "debug") || !sch_api_given(&call, go, "go") ||
        !sch_api_read(&call, "go", &wanted, sizeof wanted, sizeof wanted, go) || !go_holds(&call, &wanted))
        return sch_api_refused(&call);
    allow_run(debug);
    if (!wanted.count) wanted.count = 1;
    if (wanted.back) return sch_api_end(&call, step_back(debug, &wanted));
    if (debug->phase == SCH_API_DEBUG_STOPPED) {
        debug->plan = plan_of(debug, SCH_API_DEBUG_FORWARD, 0);
        debug->plan.go = wanted;
        debug->plan.count = wanted.count;
        go_on(debug);
    }
    return sch_api_end(&call, SCH_OK);
}

enum sch_result sch_debug_seek(struct sch_debug *debug, uint64_t time)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(debug), NULL, __func__, NULL);
    if (!sch_api_given(&call, debug, "debug")) return sch_api_refused(&call);
    allow_run(debug);
    return sch_api_end(&call, seek(debug, time));
}

void sch_debug_interrupt(struct sch_debug *debug)
{
    if (debug) __atomic_store_n(&debug->interrupted, 1, __ATOMIC_RELAXED);
}

/* ---- where it is ---- */

static void tell_group(const struct sch_debug *debug, struct sch_debug_stop *stop)
{
    const struct sch_exec_machine *machine = debug->machine;
    const struct sch_position *position = &machine->program->prepared.positions[debug->at->number];
    stop->instruction = debug->at->number;
    stop->line = position->line;
    stop->column = position->column;
    stop->offset = (uint32_t)position->offset;
    stop->previous = debug->last.in ? debug->last.in->number : UINT32_MAX;
    stop->stage = (enum sch_stage)machine->program->prepared.stage;
    stop->is_target = sch_api_debug_is_target(debug);
    stop->present = machine->group.present & ~machine->off;
    stop->helpers = machine->group.helpers;
    stop->active = sch_exec_executing(debug->machine, debug->at);
    stop->depth = machine->depth;
    if (debug->why.reason == SCH_DEBUG_FAILED) stop->result = machine->group.failure;
}

enum sch_result sch_debug_get_stop(const struct sch_debug *debug, struct sch_debug_stop *stop)
{
    struct sch_api_call call;
    struct sch_debug_stop made = {.time = 0};
    sch_api_begin(&call, SCH_API_CONTEXT_OF(debug), NULL, __func__, NULL);
    if (!sch_api_given(&call, debug, "debug") || !SCH_API_FILLS(&call, stop, sizeof *stop))
        return sch_api_refused(&call);
    made.ended = debug->phase == SCH_API_DEBUG_ENDED;
    made.reason = made.ended ? SCH_DEBUG_RUN_END : debug->why.reason;
    made.events = made.ended ? 0 : debug->why.events;
    made.breakpoint = made.ended ? 0 : debug->why.breakpoint;
    made.result = made.ended ? debug->result : SCH_OK;
    made.time = debug->time;
    made.call = debug->found_call;
    made.lane = debug->lane;
    made.place = debug->found_place;
    if (debug->machine) tell_group(debug, &made);
    sch_sized_write(stop, &made, sizeof made);
    return SCH_OK;
}

enum sch_result sch_debug_get_place(const struct sch_debug *debug, uint32_t lane, struct sch_invocation_place *place)
{
    struct sch_api_call call;
    struct sch_invocation_place made = {.size = sizeof made};
    sch_api_begin(&call, SCH_API_CONTEXT_OF(debug), NULL, __func__, NULL);
    if (!sch_api_given(&call, debug, "debug") || !SCH_API_FILLS(&call, place, sizeof *place))
        return sch_api_refused(&call);
    if (!debug->machine) return sch_api_wrong(&call, "debug", "the run has ended");
    if (lane >= SCH_GROUP_LANES || !((debug->machine->group.present & ~debug->machine->off) >> lane & 1))
        return sch_api_wrong(&call, "lane", "the group has no lane %u", lane);
    debug->machine->source->kind->identify(debug->machine->source, debug->machine, lane, &made);
    sch_sized_write(place, &made, sizeof made);
    return SCH_OK;
}

enum sch_result sch_debug_get_frame(const struct sch_debug *debug, uint32_t number, struct sch_debug_frame *frame)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(debug), NULL, __func__, NULL);
    if (!sch_api_given(&call, debug, "debug") || !SCH_API_FILLS(&call, frame, sizeof *frame))
        return sch_api_refused(&call);
    if (!debug->machine || number >= debug->machine->depth)
        return sch_api_wrong(&call, "number", "there is no open construct %u", number);
    const struct sch_exec_frame *from = &debug->machine->frames[number];
    const bool scalar = debug->machine->program->prepared.scalar;
    const struct sch_debug_frame made = {.kind = (enum sch_construct)from->kind,
                                         .resume = from->resume,
                                         .waiting = from->waiting,
                                         .call = from->kind == SCH_FRAME_CALL ? from->back->number - 1 : UINT32_MAX,
                                         .entry =
                                             scalar ? (enum sch_debug_entry)(from->entry + 1) : SCH_DEBUG_ENTRY_NONE,
                                         .target = scalar && from->back ? from->back->number : UINT32_MAX};
    sch_sized_write(frame, &made, sizeof made);
    return SCH_OK;
}

bool sch_debug_position_at(const struct sch_debug *debug, uint32_t number, struct sch_debug_position *position)
{
    if (!debug || !position || !debug->machine) return false;
    const struct sch_prepared *program = &debug->machine->program->prepared;
    if (number > program->instruction_count) return false;
    const struct sch_position *from = &program->positions[number];
    *position = (struct sch_debug_position){from->line, from->column, (uint32_t)from->offset};
    return true;
}

_Static_assert((int)SCH_DEBUG_ENTRY_SYNC == (int)SCH_ENTRY_SYNC + 1 &&
                   (int)SCH_DEBUG_ENTRY_LANES == (int)SCH_ENTRY_LANES + 1,
               "entries are those of the stack, from 1");

/* ---- what is there ---- */

enum sch_result sch_debug_read(const struct sch_debug *debug, const struct sch_debug_register *which,
                               uint32_t words[4][32])
{
    struct sch_api_call call;
    struct sch_lanes scratch[4];
    sch_api_begin(&call, SCH_API_CONTEXT_OF(debug), NULL, __func__, NULL);
    if (!sch_api_given(&call, debug, "debug") || !sch_api_given(&call, which, "which") ||
        !sch_api_given(&call, words, "words"))
        return sch_api_refused(&call);
    if (!debug->machine) return sch_api_wrong(&call, "debug", "the run has ended");
    const struct sch_lanes *from = sch_api_debug_register(debug, which, scratch);
    if (!from) return sch_api_wrong(&call, "which", "the program has no register %u of this file", which->index);
    for (unsigned c = 0; c < 4; c++) memcpy(words[c], from[c].u, sizeof from[c].u);
    return SCH_OK;
}

bool sch_debug_change_at(const struct sch_debug *debug, uint32_t position, struct sch_debug_change *change)
{
    struct sch_debug_change made = {.channels = 0};
    if (!debug || !change || !sch_sized_fits(change->size, sizeof *change) || !debug->machine) return false;
    if (!debug->last.in || position >= debug->last.change_count) return false;
    const struct sch_api_debug_change *from = &debug->changes[position];
    made.which = (struct sch_debug_register){(enum sch_file)from->file, 0, from->index};
    made.channels = from->channels;
    made.lanes = from->lanes;
    for (unsigned c = 0; c < 4; c++) memcpy(made.before[c], from->before[c].u, sizeof made.before[c]);
    sch_sized_write(change, &made, sizeof made);
    return true;
}

const void *sch_debug_shared_memory(const struct sch_debug *debug, size_t *bytes)
{
    const struct sch_memory_view *view = debug && debug->machine ? &debug->machine->memory[SCH_MEMORY_SHARED] : NULL;
    if (bytes) *bytes = view && view->data ? (size_t)view->bytes : 0;
    return view ? view->data : NULL;
}

const void *sch_debug_private_memory(const struct sch_debug *debug, uint32_t lane, size_t *bytes)
{
    const struct sch_memory_view *view = debug && debug->machine ? &debug->machine->memory[SCH_MEMORY_PRIVATE] : NULL;
    const bool there = view && view->data && lane < SCH_GROUP_LANES;
    if (bytes) *bytes = there ? view->lane_bytes : 0;
    return there ? view->data + (size_t)lane * view->lane_bytes : NULL;
}

enum sch_result sch_debug_explain(const struct sch_debug *debug, uint32_t lane, struct sch_explanation **explanation)
{
    struct sch_api_call call;
    uint32_t result[4];
    sch_api_begin(&call, SCH_API_CONTEXT_OF(debug), NULL, __func__, NULL);
    if (explanation) *explanation = NULL;
    if (!sch_api_given(&call, debug, "debug") || !sch_api_given(&call, explanation, "explanation"))
        return sch_api_refused(&call);
    const bool looked = debug->machine && debug->last.in && (debug->last.in->lookup || debug->last.in->texture);
    const struct sch_trace_lane *told =
        looked && lane < SCH_GROUP_LANES ? &debug->machine->heat->trace.lane[lane] : NULL;
    if (!told || !(told->active || told->texels)) /* fetches have no level of detail */
        return sch_api_wrong(&call, "lane", "the last instruction looked up no texel in lane %u", lane);
    for (unsigned c = 0; c < 4; c++) result[c] = debug->machine->group.result[c].u[lane];
    const uint32_t *samples = debug->last.in->texture ? debug->machine->heat->samples : debug->last.samples;
    *explanation = sch_api_explain_lane(debug->context, &debug->machine->heat->trace, lane, result, samples[lane]);
    return *explanation ? SCH_OK : sch_api_no_memory(debug->context);
}

/* ---- breakpoints ---- */

static bool breakpoint_holds(struct sch_api_call *call, const struct sch_debug_breakpoint *given)
{
    const bool of_memory = given->kind == SCH_DEBUG_BREAK_MEMORY || given->kind == SCH_DEBUG_BREAK_SHARED;
    if (!sch_api_takes(call->list, "list", (uint32_t)given->kind, 0, SCH_DEBUG_BREAK_SHARED) ||
        !sch_api_takes(call->list, "list", (uint32_t)given->compare, 0, SCH_COMPARE_ALWAYS) ||
        !sch_api_takes(call->list, "list", (uint32_t)given->type, 0, SCH_DEBUG_U32) ||
        !sch_api_takes(call->list, "list", given->channel, 0, 3))
        return false;
    if (of_memory && (given->bytes == 0 || given->bytes > MOST_BREAK_BYTES))
        return sch_refuse_argument(call->list, "list", "a breakpoint on %zu bytes, of 1 to %u", given->bytes,
                                   (unsigned)MOST_BREAK_BYTES);
    if (given->kind == SCH_DEBUG_BREAK_MEMORY && !given->memory)
        return sch_refuse_argument(call->list, "list", "a breakpoint on no memory");
    return true;
}

static enum sch_result take_breakpoint(struct sch_debug *debug, const struct sch_debug_breakpoint *given)
{
    struct sch_api_debug_break *made = &debug->breakpoints[debug->breakpoint_count++];
    made->given = *given;
    if (given->kind != SCH_DEBUG_BREAK_MEMORY && given->kind != SCH_DEBUG_BREAK_SHARED) return SCH_OK;
    made->bytes = sch_api_alloc(debug->context, given->bytes);
    debug->breaks_on_memory = true;
    return made->bytes ? SCH_OK : SCH_ERROR_MEMORY;
}

enum sch_result sch_debug_set_breakpoints(struct sch_debug *debug, const struct sch_debug_breakpoint *list,
                                          size_t stride, uint32_t count)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(debug), NULL, __func__, NULL);
    if (!sch_api_given(&call, debug, "debug")) return sch_api_refused(&call);
    if (count && !sch_api_given(&call, list, "list")) return sch_api_refused(&call);
    if (count > MOST_BREAKPOINTS)
        return sch_api_wrong(&call, "count", "%u breakpoints, of at most %u", count, (unsigned)MOST_BREAKPOINTS);
    for (uint32_t b = 0; b < count; b++) {
        struct sch_debug_breakpoint given;
        const char *from = (const char *)list + b * stride;
        if (!sch_sized_read_array(&given, sizeof given, sizeof given, from, stride, 1))
            return sch_api_wrong(&call, "stride", "breakpoints of %zu bytes", stride);
        if (!breakpoint_holds(&call, &given)) return sch_api_refused(&call);
    }
    drop_breakpoints(debug);
    if (!sch_api_array(debug->context, count, sizeof *debug->breakpoints, (void **)&debug->breakpoints))
        return sch_api_end(&call, SCH_ERROR_MEMORY);
    enum sch_result result = SCH_OK;
    for (uint32_t b = 0; b < count && result == SCH_OK; b++) {
        struct sch_debug_breakpoint given;
        sch_sized_read_array(&given, sizeof given, sizeof given, (const char *)list + b * stride, stride, 1);
        result = take_breakpoint(debug, &given);
    }
    if (result != SCH_OK) drop_breakpoints(debug);
    return sch_api_end(&call, result);
}
