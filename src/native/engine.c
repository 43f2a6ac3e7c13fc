/* The engines that run machine code: what a run begins with, which code takes which group or span, and when `auto`
 * has code made. Both prepare a program as the interpreter does (native/program.c), as `auto` begins with it, and a
 * run's failures are its handlers' to say. */
#include "native/program.h"

#include <string.h>

#include "exec/group.h"
#include "isa/errors.h"

typedef void group_fn(struct sch_group *group);
typedef void span_fn(struct sch_group *group, struct sch_group_span *span);

/* What the machines of a run share. */
struct native_run {
    struct sch_native_program *program;
    struct sch_native_slots slots;
    bool quads;
    bool metered;                   /* the work is bounded */
    bool may_be_native;             /* texels are not counted */
    struct sch_native_spans *spans; /* code for the run's spans; NULL: groups run one by one */
    struct sch_native_spans *later; /* code with lookups in it, which takes the place of that; NULL: none */
    bool spans_all;                 /* that is all groups */
    bool uses_slots;                /* and calls functions of slots */
    uint32_t calls;                 /* `auto`: so many in a group, that `later` has in it */
    uint64_t threshold;             /* `auto`: the program's, with the lookups that are to be in the code */
    uint64_t later_threshold;       /* the same of `later`, for its calls */
    atomic_bool compiles;           /* `auto`: the run is worth it */
};

/* One machine's own. */
struct native_machine {
    group_fn *began;    /* the code that runs the present group; NULL: the interpreter */
    group_fn *codes[2]; /* `jit`: for groups of any lanes and helpers, and for those of all lanes without helpers */
    uint64_t work[2];   /* not yet in program->work: of the same groups */
    uint64_t called;    /* not yet in program->called */
    uint64_t native_groups, span_groups, decoded_groups;
};

enum { WORK_STEP = 4096 }; /* work that a machine keeps to itself */

static group_fn *as_group(void *function)
{
    group_fn *group;
    memcpy(&group, &function, sizeof group);
    return group;
}

/* ---- spans ---- */

/* Whether the compiler may find the program too large to compile lookups with it (jit/program.c): with up to 160
 * vectors of instructions none is. */
static bool may_be_large(const struct sch_exec_program *program)
{
    return program->prepared.instruction_count > 160 * program->ops->lanes / SCH_GROUP_LANES;
}

static void find_spans(const struct sch_exec_job *job, struct native_run *run)
{
    struct sch_native_span_form form;
    const struct sch_exec_spans *spans = job->source->spans;
    if (!spans || !run->may_be_native || !run->program->can_span) return;
    if (!run->quads && run->program->has_slots) return; /* lookups and images are those of pixels */
    run->uses_slots = may_be_large(job->program);
    /* Lookups are part of the form, and may be others in each run. */
    void **found = spans->memo && !run->slots.count ? &spans->memo->found[run->metered] : NULL;
    if (found && *found) {
        run->spans = *found;
        run->spans_all = spans->all;
        return;
    }
    if (!sch_native_make_span_form(spans, &form)) return;
    form.metered = run->metered;
    bool all = sch_native_know_lookups(job->program, &run->slots, &form.known);
    run->spans = sch_native_spans_of(run->program, &form);
    run->spans_all = run->spans && spans->all;
    run->uses_slots = run->uses_slots || !all || (run->slots.count && !form.known.count);
    if (found) *found = run->spans;
}

/* ---- when a run begins ---- */

/* So many lookups of groups cost as much by src/ops as two functions do that are compiled for their state. */
enum { WORTH_FUNCTIONS = 1 << 16 };

static enum sch_result begin_run(const struct sch_exec_job *job, struct sch_arena *arena, struct native_run **made)
{
    struct sch_native_program *program = job->program->code;
    struct native_run *run = *made = SCH_ARENA_NEW(arena, struct native_run);
    if (!run) return SCH_ERROR_MEMORY;
    run->program = program;
    run->quads = job->source->quads;
    sch_native_warn_of_lost(program->native, job->diagnostics);
    run->metered = job->work != UINT64_MAX;
    run->may_be_native = !job->source->counts_texels;
    enum sch_result status = SCH_OK;
    if (program->has_slots) status = sch_native_fill_slots(job->program, job->bindings, run->quads, arena, &run->slots);
    if (status == SCH_OK) find_spans(job, run);
    if (run->spans && atomic_load_explicit(&program->left, memory_order_relaxed) >= WORTH_FUNCTIONS)
        sch_native_compile_slots(program->native, &run->slots, SCH_EFFORT_LATER, NULL);
    return status;
}

enum { WORTH_TWO_VARIANTS = 64 }; /* groups */

static bool goes_on(const void *job) { return sch_exec_stopped(job) == SCH_OK; }

/* Whether there is the code: from the cache, which takes no waiting, or from the compiler. */
static bool have_code(const struct native_run *run, struct sch_native_variant *variant,
                      const struct sch_native_patience *patience)
{
    struct sch_native_worker *worker = &run->program->native->worker;
    if (atomic_load_explicit(&variant->function, memory_order_acquire)) return true;
    if (patience) sch_native_try(worker, &variant->job, sch_native_take_variant);
    return sch_native_now(worker, &variant->job, patience);
}

/* Whether there is the code, from the cache too, where each is looked for once, or since another program has come to
 * have it. */
static bool is_there(struct sch_native_variant *variant)
{
    struct sch_native *native = variant->program->native;
    if (atomic_load_explicit(&variant->function, memory_order_acquire)) return true;
    const unsigned made = atomic_load_explicit(&native->pieces_made, memory_order_acquire) + 1;
    if (atomic_load_explicit(&variant->tried, memory_order_relaxed) == made) return false;
    if (!atomic_exchange(&variant->tried, made))
        sch_native_try(&native->worker, &variant->job, sch_native_take_variant);
    else
        sch_native_settle(&native->worker, &variant->job, sch_native_share_variant);
    return atomic_load_explicit(&variant->function, memory_order_acquire) != NULL;
}

/* Code that calls its lookups is compiled in half of the time. A run that would wait for code with lookups in it begins
 * with that, and the other is made in the background. */
static void begin_with_calls(struct native_run *run)
{
    struct sch_native_span_form form = run->spans->form;
    if (!form.known.count || is_there(&run->spans->variant)) return;
    form.known = (struct sch_native_known){0};
    struct sch_native_spans *calling = sch_native_spans_of(run->program, &form);
    if (!calling) return;
    run->later = run->spans;
    run->spans = calling;
}

static void ask_for_later(const struct native_run *run)
{
    sch_native_later(&run->program->native->worker, &run->later->variant.job, SCH_RANK_BETTER);
}

/* Whether a host has had code for a grid's groups compiled: it serves until code for spans is there. */
static bool serves_meanwhile(const struct native_run *run)
{
    const struct sch_native_variant *groups = sch_native_variant_of(run->program, run->metered, true, run->quads);
    if (run->quads || !atomic_load_explicit(&groups->function, memory_order_acquire)) return false;
    if (is_there(&run->spans->variant)) return false;
    sch_native_later(&run->program->native->worker, &run->spans->variant.job, SCH_RANK_BETTER);
    return true;
}

/* Compiles for spans where they are enough; whether no other groups are left. Where there is no
 * such code, the groups run one by one. */
static bool compile_spans(const struct sch_exec_job *job, struct native_run *run,
                          const struct sch_native_patience *patience)
{
    if (!run->spans) return false;
    const bool all = job->source->spans->all;
    const bool wanted = all || job->source->spans->groups >= WORTH_TWO_VARIANTS;
    if (wanted && serves_meanwhile(run)) {
        run->spans = NULL;
        return false;
    }
    if (wanted) begin_with_calls(run);
    struct sch_native_variant *variant = &run->spans->variant;
    const bool made = wanted && have_code(run, variant, patience) && variant->result.status == SCH_OK;
    if (made && run->later) ask_for_later(run);
    if (made) return all;
    run->spans = run->later = NULL;
    return false;
}

/* What ended the run is not its program, which has not begun. */
static enum sch_result late(const struct sch_exec_job *job)
{
    sch_diagnostics_add(job->diagnostics, SCH_SEVERITY_ERROR, SCH_D_NATIVE_LATE, (struct sch_position){0},
                        "the run ended before its machine code was compiled");
    return sch_exec_stopped(job);
}

/* Only groups with all lanes have the faster code, and it pays only for many of them. A run that may be ended is, while
 * it waits for the compiler, too. */
static enum sch_result begin_run_jit(const struct sch_exec_job *job, struct sch_arena *arena, void **state)
{
    struct native_run *run = NULL;
    enum sch_result status = begin_run(job, arena, &run);
    *state = run;
    if (status != SCH_OK) return status;
    if (!run->may_be_native) return SCH_ERROR_UNSUPPORTED;
    struct sch_native_program *program = run->program;
    const struct sch_native_patience endable = {goes_on, job},
                                     *patience = job->cancel || job->interrupt || job->deadline ? &endable : NULL;
    const bool all = compile_spans(job, run, patience);
    const uint64_t full = run->spans ? 0 : job->source->full_groups;
    const bool others = run->spans ? !all : job->source->other_groups;
    for (unsigned whole = 0; whole < 2; whole++) {
        bool wanted = whole ? full && (!others || full >= WORTH_TWO_VARIANTS) : others;
        if (!wanted) continue;
        struct sch_native_variant *variant = sch_native_variant_of(program, run->metered, whole, run->quads);
        if (!have_code(run, variant, patience)) return late(job);
        if (variant->result.status != SCH_OK) return sch_native_refuse(variant, job->diagnostics);
    }
    if (run->spans && run->uses_slots)
        sch_native_compile_slots(program->native, &run->slots, SCH_EFFORT_LATER, NULL);
    else if (!all || run->uses_slots)
        sch_native_compile_slots(program->native, &run->slots, SCH_EFFORT_NOW, patience);
    return sch_exec_stopped(job);
}

/* Whether there is code for groups that are not of quads, which small runs have. */
static bool is_ready_jit(const struct sch_exec_program *exec)
{
    for (unsigned full = 0; full < 2; full++)
        if (atomic_load_explicit(&sch_native_variant_of(exec->code, false, full, false)->function,
                                 memory_order_acquire))
            return true;
    return false;
}

/* Has the code for groups of this kind made in the background. Where there are spans, they have most of those with all
 * lanes; where they have their lookups, too, functions of slots wait for a group that calls them. */
static void compile_later(struct native_run *run, bool full)
{
    struct sch_native_worker *worker = &run->program->native->worker;
    struct sch_native_variant *variant = sch_native_variant_of(run->program, run->metered, full, run->quads);
    const bool spans = run->spans && (full || run->spans_all);
    sch_native_later(worker, spans ? &run->spans->variant.job : &variant->job, SCH_RANK_CODE);
    atomic_store_explicit(&run->compiles, true, memory_order_relaxed);
    if (!spans || run->uses_slots) sch_native_compile_slots(run->program->native, &run->slots, SCH_EFFORT_LATER, NULL);
}

/* With so many instructions whose lookups code can have in it, code that calls them is there in half of the time, or
 * less. With fewer it takes a draw's tests and colours as long. */
enum { WORTH_CALLS = 4 };

static uint32_t count_known(const struct sch_native_spans *spans)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < SCH_NATIVE_KNOWN_SLOTS; s++) count += spans->form.known.of_slot[s] != 0;
    return count;
}

/* The code of spans that the run begins with, and what takes its place when calls have cost more than compiling. */
static void choose_spans(struct native_run *run)
{
    if (!run->spans) return;
    run->calls = count_known(run->spans);
    if (run->calls >= WORTH_CALLS) begin_with_calls(run);
    run->uses_slots = run->uses_slots || run->later;
    if (sch_native_is_refused(&run->spans->variant)) run->spans = run->later = NULL;
}

/* Code is made beside the interpreter, and no picture waits for it: half of what it costs is enough to begin. */
enum { BESIDE = 2 };

/* Code that the cache has costs little, and code that the run is sure to repay is begun at once. A small run takes what
 * there is: code for groups where there is none for its spans, which the compiler refuses to large programs, and code
 * for any groups where there is none for those with all lanes. */
static enum sch_result begin_run_auto(const struct sch_exec_job *job, struct sch_arena *arena, void **state)
{
    struct native_run *run = NULL;
    enum sch_result status = begin_run(job, arena, &run);
    *state = run;
    if (status != SCH_OK || !run->may_be_native) return status;
    struct sch_native_program *program = run->program;
    uint64_t weight;
    choose_spans(run);
    const uint64_t groups = job->source->all_groups;
    const bool most = (run->spans && run->spans_all) || job->source->full_groups > groups / 2;
    if (__builtin_mul_overflow(groups, program->weight, &weight)) weight = UINT64_MAX;
    struct sch_native_variant *groups_variant = sch_native_variant_of(program, run->metered, most, run->quads);
    struct sch_native_variant *variant = most && run->spans ? &run->spans->variant : groups_variant;
    const bool there = is_there(variant) || is_there(groups_variant) ||
                       is_there(sch_native_variant_of(program, run->metered, false, run->quads));
    atomic_store_explicit(&variant->wanted, true, memory_order_relaxed);
    if (run->later) atomic_store_explicit(&run->later->variant.wanted, true, memory_order_relaxed);
    const bool patient = program->native->patience != 0; /* which is the threshold, whatever the code */
    const uint64_t lookups = patient ? 0 : sch_native_weigh_lookups(&run->slots);
    const uint64_t own =
        program->own_threshold + (patient || !run->spans ? 0 : sch_native_weigh_spans(&run->spans->form));
    const uint64_t share = patient ? 1 : BESIDE;
    run->later_threshold = (own + lookups) / share;
    run->threshold = run->later ? own / share : run->later_threshold;
    if (run->later && atomic_load(&program->called) >= run->later_threshold) ask_for_later(run);
    const bool worth = weight >= run->threshold || atomic_load(&program->work) >= run->threshold;
    if (worth)
        compile_later(run, most);
    else if (there)
        sch_native_compile_slots(program->native, &run->slots, SCH_EFFORT_CACHED, NULL);
    return SCH_OK;
}

/* The code that takes groups of all lanes without helpers, or of any; NULL: there is none yet. */
static group_fn *code_for(struct native_run *run, bool full)
{
    const struct sch_native_variant *whole = sch_native_variant_of(run->program, run->metered, true, run->quads),
                                    *any = sch_native_variant_of(run->program, run->metered, false, run->quads);
    void *function = full ? atomic_load_explicit(&whole->function, memory_order_acquire) : NULL;
    if (!function) function = atomic_load_explicit(&any->function, memory_order_acquire);
    return as_group(function);
}

/* ---- a machine of a run ---- */

static enum sch_result begin(struct sch_exec_machine *machine, struct sch_arena *arena)
{
    if (!machine->code_run) machine->code_run = machine->run_state; /* the engine is one of these two */
    struct native_run *run = machine->code_run;
    struct native_machine *own = SCH_ARENA_NEW(arena, struct native_machine);
    if (!own) return SCH_ERROR_MEMORY;
    struct sch_group *group = &machine->group;
    group->runtime = &sch_native_functions;
    group->slots = run->slots.slots;
    const size_t kept = run->program->kept_words;
    if (kept) group->kept = sch_arena_array(arena, kept, sizeof(uint32_t), 64);
    if (kept && !group->kept) return SCH_ERROR_MEMORY;
    for (unsigned full = 0; full < 2; full++) own->codes[full] = code_for(run, full);
    machine->code_state = own;
    if (run->program->has_constants) sch_native_list_constants(machine->bindings, group->constants);
    return run->program->has_views ? sch_native_make_views(machine, arena, &group->views) : SCH_OK;
}

/* Most counts of small runs are 0, and adding takes the line of the cache from other threads. */
static void add_to(atomic_uint_least64_t *sum, uint64_t count)
{
    if (count) atomic_fetch_add_explicit(sum, count, memory_order_relaxed);
}

static void end(struct sch_exec_machine *machine)
{
    struct native_run *run = machine->code_run;
    struct native_machine *own = machine->code_state;
    if (!own) return;
    struct sch_native *native = run->program->native;
    add_to(&native->native_groups, own->native_groups);
    add_to(&native->span_groups, own->span_groups);
    add_to(&native->decoded_groups, own->decoded_groups);
    add_to(&run->program->work, own->work[false] + own->work[true]);
    add_to(&run->program->called, own->called);
    own->work[false] = own->work[true] = own->called = 0;
}

/* ---- groups ---- */

static bool begins(const struct sch_exec_machine *machine) { return machine->group.at == 0; }

static void run_group_jit(struct sch_exec_machine *machine)
{
    struct native_machine *own = machine->code_state;
    if (begins(machine)) {
        own->began = own->codes[machine->group.exec == (uint32_t)SCH_ALL_LANES && !machine->group.helpers];
        own->native_groups++;
    }
    if (!own->began) { /* begin_run made what the groups need */
        machine->group.failure = SCH_ERROR_INTERNAL;
        return;
    }
    own->began(&machine->group);
}

/* Functions for the lookups that code of spans leaves to slots are made when that is often. */
static void take_left(struct native_run *run, struct sch_group *group)
{
    const uint64_t left = group->left_lookups;
    if (!left) return;
    group->left_lookups = 0;
    if (atomic_fetch_add_explicit(&run->program->left, left, memory_order_relaxed) + left >= WORTH_FUNCTIONS)
        sch_native_compile_slots(run->program->native, &run->slots, SCH_EFFORT_LATER, NULL);
}

static void *code_of(const struct sch_native_spans *spans)
{
    return spans ? atomic_load_explicit(&spans->variant.function, memory_order_acquire) : NULL;
}

/* A lookup that is called costs about so much as the interpreter takes for an arithmetic instruction more than one that
 * code has in it. */
static void count_calls(struct native_run *run, struct native_machine *own, uint64_t groups)
{
    struct sch_native_program *program = run->program;
    own->called += groups * run->calls;
    if (own->called < WORK_STEP) return;
    const uint64_t before = atomic_fetch_add_explicit(&program->called, own->called, memory_order_relaxed);
    if (before + own->called >= run->later_threshold) ask_for_later(run);
    own->called = 0;
}

static bool run_span(struct sch_exec_machine *machine, struct sch_group_span *span)
{
    struct native_run *run = machine->code_run;
    sch_native_refresh_slots(&run->slots);
    struct native_machine *own = machine->code_state;
    void *function = code_of(run->later);
    const bool calls = !function && run->later;
    if (!function) function = code_of(run->spans);
    if (!function) return false;
    if (calls) count_calls(run, own, span->runs);
    span_fn *code;
    memcpy(&code, &function, sizeof code);
    own->native_groups += span->runs;
    own->span_groups += span->runs;
    code(&machine->group, span);
    take_left(run, &machine->group);
    return true;
}

/* Adds up what the interpreter did; at the threshold the program is compiled. */
static void count_work(struct native_run *run, struct native_machine *own, const struct sch_exec_machine *machine,
                       uint64_t executed, bool full)
{
    struct sch_native_program *program = run->program;
    uint64_t *work = &own->work[full];
    *work += executed * program->weight / (machine->program->prepared.instruction_count + 1);
    if (*work < WORK_STEP) return;
    uint64_t before = atomic_fetch_add_explicit(&program->work, *work, memory_order_relaxed);
    if (before + *work >= run->threshold && run->may_be_native) compile_later(run, full);
    *work = 0;
}

/* What a group's code calls: better functions as they come. */
static void get_lookups(struct native_run *run)
{
    if (atomic_load_explicit(&run->compiles, memory_order_relaxed))
        sch_native_compile_slots(run->program->native, &run->slots, SCH_EFFORT_LATER, NULL);
    sch_native_refresh_slots(&run->slots);
}

static void run_group_auto(struct sch_exec_machine *machine)
{
    struct native_run *run = machine->code_run;
    struct native_machine *own = machine->code_state;
    bool full = machine->group.exec == (uint32_t)SCH_ALL_LANES && !machine->group.helpers;
    if (begins(machine)) {
        own->began = run->may_be_native ? code_for(run, full) : NULL;
        own->native_groups += own->began != NULL;
        own->decoded_groups += own->began == NULL;
        if (own->began)
            get_lookups(run);
        else
            sch_exec_clear_files(machine, false);
    }
    if (own->began) {
        own->began(&machine->group);
        return;
    }
    uint64_t before = machine->group.executed;
    sch_engine_interpreter.run_group(machine); /* by the program's handlers, whosever they are */
    count_work(run, own, machine, machine->group.executed - before, full);
}

const struct sch_exec_engine sch_engine_jit = {
    .name = "jit",
    .prepare = sch_native_prepare_jit,
    .release = sch_native_release_program,
    .begin_run = begin_run_jit,
    .is_ready = is_ready_jit,
    .begin = begin,
    .end = end,
    .run_group = run_group_jit,
    .run_span = run_span,
};

const struct sch_exec_engine sch_engine_auto = {
    .name = "auto",
    .prepare = sch_native_prepare_auto,
    .release = sch_native_release_program,
    .begin_run = begin_run_auto,
    .begin = begin,
    .end = end,
    .run_group = run_group_auto,
    .run_span = run_span,
};
