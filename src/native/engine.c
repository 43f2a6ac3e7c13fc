/* The engines that run machine code. Both prepare a program as the interpreter does, as code calls the handlers of what
 * it has no form of its own for. A program has up to four variants of code: for groups with all lanes or any, as quads
 * or not; and some for strips of rectangles, by what stands around their groups. Which one runs is decided group by
 * group or strip by strip, and makes no difference to results. */
#include "native/internal.h"

#include <string.h>

#include "exec/job.h"
#include "exec/lookup.h"
#include "ir/digest.h"
#include "isa/errors.h"

typedef void group_fn(struct sch_exec_machine *machine);

struct variant {
    struct sch_native_job job;
    struct native_program *program;
    bool full, quads;
    const struct sch_native_frame *frame; /* NULL: groups one by one */
    _Atomic(void *) function;             /* NULL: not there yet, or never */
    struct sch_native_result result;
};

/* A variant for strips. Who changes FREE to TAKEN writes the form, then KNOWN. */
enum strip_state { STRIP_FREE, STRIP_TAKEN, STRIP_KNOWN };
struct strip_code {
    atomic_uint state; /* enum strip_state */
    struct sch_native_frame frame;
    struct variant variant;
};
enum { STRIP_CODES = 4 }; /* forms of rectangles that a program has code for */

struct native_program {
    struct sch_native *native;
    const struct sch_exec_program *exec;
    uint8_t digest[SCH_SHA256_BYTES];
    bool in_quads;                 /* whether lanes are quads can make a difference */
    uint64_t weight;               /* of one pass through the instructions, in units of an arithmetic instruction */
    uint64_t threshold;            /* the work after which `auto` compiles, in the same units */
    atomic_uint_least64_t work;    /* that the interpreter has done */
    atomic_bool asked_cache;       /* `auto`: once */
    struct variant variants[2][2]; /* [full][quads] */
    struct strip_code strips[STRIP_CODES];
};

/* What the machines of a run share. */
struct native_run {
    struct native_program *program;
    struct sch_native_slots slots;
    bool quads;
    bool may_be_native;        /* nobody counts texels */
    struct strip_code *strips; /* code for the run's strips; NULL: groups run one by one */
    struct sch_ops_plane *planes;
    const struct sch_exec_canvas *canvases;
};

/* One machine's own; code sees only the first member. */
struct native_machine {
    struct sch_native_state state;
    group_fn *began;    /* the code that runs the present group; NULL: the interpreter */
    group_fn *codes[2]; /* `jit`: for groups of any lanes and helpers, and for those of all lanes without helpers */
    uint64_t work;      /* not yet in program->work */
    uint64_t native_groups, decoded_groups;
};

/* What `auto` weighs, in units of about 30 ns: the time that the interpreter takes for an arithmetic instruction of a
 * group. A lookup takes it as long as so many; compiling costs so much, for each instruction and each lookup that is
 * not like one before more (docs/performance.md). */
enum {
    LOOKUP_WEIGHT = 30,
    COMPILE_WEIGHT = 700000,
    COMPILE_WEIGHT_EACH = 12000,
    COMPILE_WEIGHT_LOOKUP = 600000,
    LOOKUPS_COMPARED = 16, /* so that weighing stays linear */
    WORK_STEP = 4096
};

static group_fn *as_group(void *function)
{
    group_fn *group;
    memcpy(&group, &function, sizeof group);
    return group;
}

/* ---- variants ---- */

static struct variant *variant_of(struct native_program *program, bool full, bool quads)
{
    return &program->variants[full][quads && program->in_quads];
}

static void publish(struct variant *variant)
{
    if (variant->result.status == SCH_STATUS_OK)
        atomic_store_explicit(&variant->function, variant->result.code.function, memory_order_release);
}

static void compile(struct sch_native_job *job)
{
    struct variant *variant = (struct variant *)((char *)job - offsetof(struct variant, job));
    struct native_program *program = variant->program;
    uint8_t key[SCH_SHA256_BYTES];
    struct sch_native_program_request request = {
        .program = program->exec, .full = variant->full, .quads = variant->quads, .frame = variant->frame};
    sch_native_program_key(program->exec, program->digest, variant->full, variant->quads, variant->frame, key);
    sch_native_make_program(program->native, &request, key, &variant->result);
    publish(variant);
}

static bool take_from_cache(struct sch_native_job *job)
{
    struct variant *variant = (struct variant *)((char *)job - offsetof(struct variant, job));
    struct native_program *program = variant->program;
    uint8_t key[SCH_SHA256_BYTES];
    sch_native_program_key(program->exec, program->digest, variant->full, variant->quads, variant->frame, key);
    if (!sch_native_take_program(program->native, key, &variant->result)) return false;
    publish(variant);
    return true;
}

/* ---- when the program is made ---- */

/* Whether an instruction can see if lanes are quads: derivatives, levels of detail, and which lanes go on when some are
 * killed. */
static bool sees_quads(const struct sch_exec_instruction *in)
{
    const struct sch_op_info *info = sch_op_info(in->opcode);
    if (in->lookup || (info->flags & SCH_OPF_DERIVATIVE)) return true;
    return !SCH_SHAPE_IS_ARITHMETIC(info->shape) && info->shape != SCH_SHAPE_FLOW;
}

static bool kills(unsigned opcode) { return opcode == SCH_OP_KILL || opcode == SCH_OP_KILL_IF; }

static bool names_same(const struct sch_exec_instruction *a, const struct sch_exec_instruction *b, int source)
{
    if (source < 0) return true;
    const struct sch_exec_index *x = &a->src[source].index, *y = &b->src[source].index;
    return x->base == y->base && x->is_indirect == y->is_indirect;
}

/* Whether one function will answer both, whatever is bound. */
static bool ask_alike(const struct sch_exec_instruction *a, const struct sch_exec_instruction *b)
{
    const struct sch_exec_lookup *x = a->lookup, *y = b->lookup;
    return x->kind == y->kind && x->mode == y->mode && x->offsets == y->offsets && x->view == y->view &&
           x->sampler == y->sampler && (x->value.source < 0) == (y->value.source < 0) && names_same(a, b, x->view) &&
           names_same(a, b, x->sampler);
}

/* Whether a lookup costs compiling: not when it is like one of `seen`, to which it is added. */
static bool is_new(const struct sch_exec_instruction *seen[LOOKUPS_COMPARED], uint32_t *count,
                   const struct sch_exec_instruction *in)
{
    for (uint32_t i = 0; i < *count && i < LOOKUPS_COMPARED; i++)
        if (ask_alike(seen[i], in)) return false;
    seen[(*count)++ % LOOKUPS_COMPARED] = in;
    return true;
}

static void weigh(struct native_program *program)
{
    const struct sch_exec_program *exec = program->exec;
    const struct sch_exec_instruction *seen[LOOKUPS_COMPARED] = {0};
    uint32_t count = 0;
    program->threshold = COMPILE_WEIGHT;
    for (uint32_t n = 0; n < exec->instruction_count; n++) {
        const struct sch_exec_instruction *in = &exec->instructions[n];
        if (sees_quads(in) || kills(in->opcode)) program->in_quads = true;
        program->weight += in->lookup ? LOOKUP_WEIGHT : 1;
        program->threshold += COMPILE_WEIGHT_EACH;
        if (in->lookup && is_new(seen, &count, in)) program->threshold += COMPILE_WEIGHT_LOOKUP;
    }
    if (program->native->patience) program->threshold = program->native->patience;
}

static bool is_indexed(unsigned access) { return access == SCH_ACCESS_REGISTERS || access == SCH_ACCESS_PATCH; }

/* Code keeps registers that no operand indexes in registers of its own, and does not want them cleared. Outputs are
 * cleared, as code stores only those that it writes. */
static void keep_uncleared(struct sch_exec_program *exec)
{
    bool indexed[SCH_FILE_COUNT] = {false};
    for (uint32_t n = 0; n < exec->instruction_count; n++) {
        const struct sch_exec_instruction *in = &exec->instructions[n];
        for (unsigned s = 0; s < in->src_count; s++)
            if (is_indexed(in->src[s].access)) indexed[in->src[s].file] = true;
        for (unsigned d = 0; d < in->dst_count; d++)
            if (is_indexed(in->dst[d].access)) indexed[in->dst[d].file] = true;
    }
    static const uint8_t own[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS};
    for (unsigned f = 0; f < sizeof own; f++)
        if (!indexed[own[f]]) exec->files[own[f]].cleared = false;
}

static void make_variants(struct native_program *program)
{
    for (unsigned full = 0; full < 2; full++)
        for (unsigned quads = 0; quads < 2; quads++)
            program->variants[full][quads] =
                (struct variant){.program = program, .full = full, .quads = quads, .job.run = compile};
    for (unsigned i = 0; i < STRIP_CODES; i++) {
        struct strip_code *code = &program->strips[i];
        code->variant = (struct variant){
            .program = program, .full = true, .quads = program->in_quads, .frame = &code->frame, .job.run = compile};
    }
}

static enum sch_status make_data(struct sch_exec_program *exec, const struct sch_ir_shader *shader,
                                 struct sch_diagnostics *diagnostics)
{
    enum sch_status status = sch_engine_interpreter.prepare(exec, shader, diagnostics);
    if (status != SCH_STATUS_OK) return status;
    if (!exec->engine_context) return SCH_STATUS_ARGUMENT;
    struct native_program *program = SCH_ARENA_NEW(&exec->arena, struct native_program);
    if (!program) return SCH_STATUS_MEMORY;
    program->native = exec->engine_context;
    program->exec = exec;
    sch_ir_digest(shader, program->digest);
    weigh(program);
    keep_uncleared(exec);
    make_variants(program);
    exec->engine_data = program;
    return SCH_STATUS_OK;
}

static bool any_from_cache(struct native_program *program)
{
    bool any = false;
    for (unsigned full = 0; full < 2; full++)
        for (unsigned quads = 0; quads < 2; quads++) {
            struct variant *variant = variant_of(program, full, quads);
            sch_native_try(&program->native->worker, &variant->job, take_from_cache);
            any = any || atomic_load(&variant->function);
        }
    return any;
}

static enum sch_status refuse(struct sch_diagnostics *diagnostics, unsigned code, const char *why)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, code, (struct sch_position){0}, "%s", why);
    return SCH_STATUS_UNSUPPORTED;
}

static enum sch_status prepare_jit(struct sch_exec_program *exec, const struct sch_ir_shader *shader,
                                   struct sch_diagnostics *diagnostics)
{
    enum sch_status status = make_data(exec, shader, diagnostics);
    if (status != SCH_STATUS_OK) return status;
    struct native_program *program = exec->engine_data;
    if (any_from_cache(program)) return SCH_STATUS_OK;
    const struct sch_native_compiler *compiler = sch_native_compiler_of(program->native);
    if (!compiler)
        return refuse(diagnostics, SCH_D_NATIVE_NO_COMPILER,
                      "no compiler of machine code (libscheelite-jit) was found that fits this library");
    if (!compiler->fits(&(struct sch_native_program_request){.program = exec, .quads = program->in_quads}))
        return refuse(diagnostics, SCH_D_NATIVE_TOO_LARGE, "the program is too large for the compiler of machine code");
    return SCH_STATUS_OK;
}

static void release_variant(struct variant *variant)
{
    sch_native_never(&variant->program->native->worker, &variant->job);
    sch_native_unload(&variant->result.code);
}

static void release(struct sch_exec_program *exec)
{
    struct native_program *program = exec->engine_data;
    if (!program) return; /* preparing failed */
    for (unsigned full = 0; full < 2; full++)
        for (unsigned quads = 0; quads < 2; quads++) release_variant(&program->variants[full][quads]);
    for (unsigned i = 0; i < STRIP_CODES; i++) release_variant(&program->strips[i].variant);
}

/* ---- strips of rectangles ---- */

static bool same_frame(const struct sch_native_frame *a, const struct sch_native_frame *b)
{
    return a->plane_count == b->plane_count && a->canvas_count == b->canvas_count &&
           memcmp(a->channel, b->channel, sizeof a->channel) == 0 &&
           memcmp(a->division, b->division, sizeof a->division) == 0 &&
           memcmp(a->output, b->output, sizeof a->output) == 0;
}

/* The code of a form, or a place for it; NULL: there are others already. */
static struct strip_code *strips_of(struct native_program *program, const struct sch_native_frame *frame)
{
    for (unsigned i = 0; i < STRIP_CODES; i++) {
        struct strip_code *code = &program->strips[i];
        unsigned state = STRIP_FREE;
        if (atomic_compare_exchange_strong(&code->state, &state, STRIP_TAKEN)) {
            code->frame = *frame;
            atomic_store(&code->state, STRIP_KNOWN);
            return code;
        }
        if (state == STRIP_KNOWN && same_frame(&code->frame, frame)) return code;
    }
    return NULL;
}

static enum sch_status find_strips(const struct sch_exec_job *job, struct sch_arena *arena, struct native_run *run)
{
    struct sch_native_frame frame;
    if (!job->area || !job->area->strips || !run->may_be_native || !sch_native_can_frame(job->program))
        return SCH_STATUS_OK;
    run->planes = SCH_ARENA_ARRAY(arena, struct sch_ops_plane, SCH_NATIVE_PLANES);
    if (!run->planes) return SCH_STATUS_MEMORY;
    run->canvases = job->area->given->canvases;
    if (sch_native_make_frame(job->area, &frame, run->planes)) run->strips = strips_of(run->program, &frame);
    return SCH_STATUS_OK;
}

/* Groups of a rectangle that strips have, at least; `*all`: there are no others. */
static uint64_t count_in_strips(const struct sch_exec_area *area, bool *all)
{
    enum { ACROSS = SCH_GROUP_LANES / 2 };
    uint32_t width = area->given->width, height = area->given->height;
    *all = width % ACROSS == 0 && height % 2 == 0;
    uint32_t in_row = width / ACROSS;
    if (width % ACROSS && in_row) in_row--;
    return (uint64_t)in_row * (height / 2);
}

/* ---- when a run begins ---- */

static enum sch_status begin_run(const struct sch_exec_job *job, struct sch_arena *arena, struct native_run **made)
{
    struct native_program *program = job->program->engine_data;
    struct native_run *run = *made = SCH_ARENA_NEW(arena, struct native_run);
    if (!run) return SCH_STATUS_MEMORY;
    run->program = program;
    run->quads = job->invocations && job->invocations->quads;
    run->may_be_native = !(job->invocations && (job->invocations->texels_read || job->invocations->greatest_lods));
    enum sch_status status = find_strips(job, arena, run);
    if (status != SCH_STATUS_OK) return status;
    return sch_native_fill_slots(job->program, job->bindings, run->quads, arena, &run->slots);
}

/* How many groups have all lanes and no helper from the start, as far as one can tell, and whether there may be others.
 */
static uint64_t count_full(const struct sch_exec_job *job, bool *others)
{
    const struct sch_exec_invocations *work = job->invocations;
    uint64_t lanes = work ? job->program->of_stage.group_lanes : job->block_threads;
    bool helpers = work && work->helpers;
    if (job->area) helpers = (job->area->given->width | job->area->given->height) & 1;
    *others = helpers || lanes % SCH_GROUP_LANES || (work && work->count % SCH_GROUP_LANES);
    if (!work) return job->units * (lanes / SCH_GROUP_LANES);
    if (lanes % SCH_GROUP_LANES || (work->helpers && !job->area)) return 0;
    return work->count / SCH_GROUP_LANES;
}

enum { WORTH_TWO_VARIANTS = 64 }; /* groups */

/* Compiles for the strips of a rectangle where they are enough; whether no other groups are left. Where there is no
 * such code, the groups run one by one. */
static bool compile_strips(const struct sch_exec_job *job, struct native_run *run)
{
    bool all;
    if (!run->strips) return false;
    uint64_t count = count_in_strips(job->area, &all);
    if (all || count >= WORTH_TWO_VARIANTS) {
        sch_native_now(&run->program->native->worker, &run->strips->variant.job);
        if (run->strips->variant.result.status == SCH_STATUS_OK) return all;
    }
    run->strips = NULL;
    return false;
}

/* Only groups with all lanes have the faster code, and it pays only for many of them. */
static enum sch_status begin_run_jit(const struct sch_exec_job *job, struct sch_arena *arena, void **state)
{
    struct native_run *run = NULL;
    enum sch_status status = begin_run(job, arena, &run);
    *state = run;
    if (status != SCH_STATUS_OK) return status;
    if (!run->may_be_native) return SCH_STATUS_UNSUPPORTED;
    struct native_program *program = run->program;
    bool others, all = compile_strips(job, run);
    uint64_t full = count_full(job, &others);
    if (run->strips) full = 0, others = !all;
    for (unsigned whole = 0; whole < 2; whole++) {
        bool wanted = whole ? full && (!others || full >= WORTH_TWO_VARIANTS) : others;
        struct variant *variant = variant_of(program, whole, run->quads);
        if (!wanted) continue;
        sch_native_now(&program->native->worker, &variant->job);
        if (variant->result.status != SCH_STATUS_OK) return variant->result.status;
    }
    sch_native_compile_slots(program->native, &run->slots, SCH_EFFORT_NOW);
    return SCH_STATUS_OK;
}

/* Has the code for groups of this kind made in the background. In a rectangle strips have most of those with all lanes.
 */
static void compile_later(struct native_run *run, bool full)
{
    struct sch_native_worker *worker = &run->program->native->worker;
    struct variant *variant = variant_of(run->program, full, run->quads);
    sch_native_later(worker, full && run->strips ? &run->strips->variant.job : &variant->job);
    sch_native_compile_slots(run->program->native, &run->slots, SCH_EFFORT_LATER);
}

/* Code that the cache has costs little, and code that the run is sure to repay is begun at once. A small run takes what
 * there is. */
static enum sch_status begin_run_auto(const struct sch_exec_job *job, struct sch_arena *arena, void **state)
{
    struct native_run *run = NULL;
    enum sch_status status = begin_run(job, arena, &run);
    *state = run;
    if (status != SCH_STATUS_OK || !run->may_be_native) return status;
    struct native_program *program = run->program;
    uint64_t weight;
    bool others, most = count_full(job, &others) > job->units * job->groups / 2;
    if (__builtin_mul_overflow(job->units * job->groups, program->weight, &weight)) weight = UINT64_MAX;
    struct variant *variant = most && run->strips ? &run->strips->variant : variant_of(program, most, run->quads);
    if (!atomic_exchange(&program->asked_cache, true))
        sch_native_try(&program->native->worker, &variant->job, take_from_cache);
    bool worth = weight >= program->threshold || atomic_load(&program->work) >= program->threshold;
    if (worth)
        compile_later(run, most);
    else if (atomic_load(&variant->function))
        sch_native_compile_slots(program->native, &run->slots, SCH_EFFORT_CACHED);
    return SCH_STATUS_OK;
}

/* The code that takes groups of all lanes without helpers, or of any; NULL: there is none yet. */
static group_fn *code_for(struct native_run *run, bool full)
{
    void *function = NULL;
    if (full)
        function = atomic_load_explicit(&variant_of(run->program, true, run->quads)->function, memory_order_acquire);
    if (!function)
        function = atomic_load_explicit(&variant_of(run->program, false, run->quads)->function, memory_order_acquire);
    return as_group(function);
}

/* ---- what code calls ---- */

static const struct sch_lanes *read_source(struct sch_exec_machine *machine, const struct sch_exec_src *src,
                                           unsigned channel)
{
    return sch_exec_source(machine, src, channel, &machine->result[0]);
}

static void write_destination(struct sch_exec_machine *machine, const struct sch_exec_dst *dst, unsigned channel)
{
    sch_exec_write(machine, dst, channel, &machine->result[0]);
}

static void answer_query(struct sch_exec_machine *machine, const struct sch_native_slot *slot,
                         const struct sch_exec_instruction *in)
{
    struct sch_lanes *const result[4] = {&machine->result[0], &machine->result[1], &machine->result[2],
                                         &machine->result[3]};
    const struct sch_lanes *value = in->lookup->value.source < 0 ? NULL : &machine->scratch[0][0];
    sch_exec_answer_query(machine, in->lookup, slot->texture, value, result);
}

static void ask(struct sch_exec_machine *machine, const struct sch_exec_instruction *in)
{
    sch_exec_ask(machine, in, true);
}

static void stream(struct sch_exec_machine *machine, const struct sch_exec_instruction *in, uint32_t lanes)
{
    sch_exec_stream(machine, in->opcode == SCH_OP_EMIT, lanes, &machine->scratch[0][0]);
}

static void interpolate(struct sch_exec_machine *machine, const struct sch_exec_instruction *in)
{
    const struct sch_lanes *const operand[2] = {&machine->scratch[1][0], &machine->scratch[1][1]};
    sch_exec_interpolate(machine, in, operand);
}

static enum sch_status begin(struct sch_exec_machine *machine, struct sch_arena *arena)
{
    struct native_run *run = machine->run_state;
    struct native_machine *own = SCH_ARENA_NEW(arena, struct native_machine);
    if (!own) return SCH_STATUS_MEMORY;
    static const struct sch_native_runtime runtime = {.spend = sch_native_spend,
                                                      .load = sch_native_load_words,
                                                      .store = sch_native_store_words,
                                                      .update = sch_native_update_words,
                                                      .renew = sch_native_renew,
                                                      .source = read_source,
                                                      .write = write_destination,
                                                      .query = answer_query,
                                                      .update_texels = sch_native_update_texels,
                                                      .access = sch_native_access_any,
                                                      .ask = ask,
                                                      .pixels = sch_exec_fetch_pixels,
                                                      .stream = stream,
                                                      .interpolate = interpolate};
    own->state.runtime = &runtime;
    own->state.slots = run->slots.slots;
    own->state.planes = run->planes;
    own->state.canvases = run->canvases;
    size_t kept = sch_native_kept_words(machine->program);
    if (kept) own->state.kept = sch_arena_array(arena, kept, sizeof(uint32_t), 64);
    if (kept && !own->state.kept) return SCH_STATUS_MEMORY;
    for (unsigned full = 0; full < 2; full++) own->codes[full] = code_for(run, full);
    machine->engine_state = own;
    sch_native_list_constants(machine->bindings, own->state.constants);
    return sch_native_make_views(machine, arena, &own->state.views);
}

static void end(struct sch_exec_machine *machine)
{
    struct native_run *run = machine->run_state;
    struct native_machine *own = machine->engine_state;
    if (!own) return;
    struct sch_native *native = run->program->native;
    atomic_fetch_add_explicit(&native->native_groups, own->native_groups, memory_order_relaxed);
    atomic_fetch_add_explicit(&native->decoded_groups, own->decoded_groups, memory_order_relaxed);
    atomic_fetch_add_explicit(&run->program->work, own->work, memory_order_relaxed);
    own->work = 0;
}

/* ---- groups ---- */

static bool begins(const struct sch_exec_machine *machine) { return machine->at == machine->program->instructions; }

static void run_group_jit(struct sch_exec_machine *machine)
{
    struct native_machine *own = machine->engine_state;
    if (begins(machine)) {
        own->began = own->codes[machine->exec == (uint32_t)SCH_ALL_LANES && !machine->helpers];
        own->native_groups++;
    }
    if (!own->began) { /* begin_run made what the groups need */
        machine->failure = SCH_STATUS_INTERNAL;
        return;
    }
    own->began(machine);
}

typedef void strip_fn(struct sch_exec_machine *machine, struct sch_exec_strip *strip);

static bool run_strip(struct sch_exec_machine *machine, struct sch_exec_strip *strip)
{
    struct native_run *run = machine->run_state;
    struct native_machine *own = machine->engine_state;
    void *function = run->strips ? atomic_load_explicit(&run->strips->variant.function, memory_order_acquire) : NULL;
    if (!function) return false;
    strip_fn *code;
    memcpy(&code, &function, sizeof code);
    own->native_groups += (uint64_t)strip->groups * strip->rows;
    code(machine, strip);
    return true;
}

static bool run_strip_auto(struct sch_exec_machine *machine, struct sch_exec_strip *strip)
{
    struct native_run *run = machine->run_state;
    sch_native_refresh_slots(&run->slots);
    return run_strip(machine, strip);
}

/* Adds up what the interpreter did; at the threshold the program is compiled. */
static void count_work(struct native_run *run, struct native_machine *own, const struct sch_exec_machine *machine,
                       uint64_t executed, bool full)
{
    struct native_program *program = run->program;
    own->work += executed * program->weight / (machine->program->instruction_count + 1);
    if (own->work < WORK_STEP) return;
    uint64_t before = atomic_fetch_add_explicit(&program->work, own->work, memory_order_relaxed);
    if (before + own->work >= program->threshold && run->may_be_native) compile_later(run, full);
    own->work = 0;
}

static void run_group_auto(struct sch_exec_machine *machine)
{
    struct native_run *run = machine->run_state;
    struct native_machine *own = machine->engine_state;
    bool full = machine->exec == (uint32_t)SCH_ALL_LANES && !machine->helpers;
    if (begins(machine)) {
        own->began = run->may_be_native ? code_for(run, full) : NULL;
        own->native_groups += own->began != NULL;
        own->decoded_groups += own->began == NULL;
        if (own->began)
            sch_native_refresh_slots(&run->slots);
        else
            sch_exec_clear_rest(machine);
    }
    if (own->began) {
        own->began(machine);
        return;
    }
    uint64_t before = machine->executed;
    sch_engine_interpreter.run_group(machine);
    count_work(run, own, machine, machine->executed - before, full);
}

/* ---- asking ---- */

enum sch_status sch_native_prepare(const struct sch_exec_program *exec, bool full, bool quads,
                                   struct sch_native_made *made)
{
    if (exec->engine != &sch_engine_jit && exec->engine != &sch_engine_auto) return SCH_STATUS_ARGUMENT;
    struct native_program *program = exec->engine_data;
    struct variant *variant = variant_of(program, full, quads);
    sch_native_now(&program->native->worker, &variant->job);
    *made = variant->result.made;
    return variant->result.status;
}

enum sch_status sch_native_inspect(const struct sch_exec_program *exec, bool full, bool quads, bool assembly,
                                   char **text)
{
    *text = NULL;
    if (exec->engine != &sch_engine_jit && exec->engine != &sch_engine_auto) return SCH_STATUS_ARGUMENT;
    struct native_program *program = exec->engine_data;
    const struct sch_native_compiler *compiler = sch_native_compiler_of(program->native);
    if (!compiler) return SCH_STATUS_UNSUPPORTED;
    struct sch_native_cost cost = {0};
    struct sch_native_object object = {0};
    struct sch_native_program_request request = {.program = exec,
                                                 .full = full,
                                                 .quads = quads && program->in_quads,
                                                 .want_ir = !assembly,
                                                 .want_assembly = assembly};
    return compiler->compile_program(&request, &object, &cost, text);
}

void sch_native_release_text(const struct sch_exec_program *exec, char *text)
{
    struct native_program *program = exec->engine_data;
    const struct sch_native_compiler *compiler = sch_native_compiler_of(program->native);
    if (compiler && text) compiler->release_text(text);
}

static bool runs(unsigned opcode) { return sch_engine_interpreter.runs(opcode); }

const struct sch_exec_engine sch_engine_jit = {
    .name = "jit",
    .runs = runs,
    .prepare = prepare_jit,
    .release = release,
    .begin_run = begin_run_jit,
    .begin = begin,
    .end = end,
    .run_group = run_group_jit,
    .run_strip = run_strip,
};

const struct sch_exec_engine sch_engine_auto = {
    .name = "auto",
    .runs = runs,
    .prepare = make_data,
    .release = release,
    .begin_run = begin_run_auto,
    .begin = begin,
    .end = end,
    .run_group = run_group_auto,
    .run_strip = run_strip_auto,
};
