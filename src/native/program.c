/* A program's machine code while the program lives: what it weighs, its variants, preparing, reporting and releasing.
 * Holds nothing of runs (native/engine.c) and no way to code itself (native/make.c). */
#include "native/program.h"

#include <stdio.h>
#include <string.h>

#include "exec/lookup.h"
#include "ir/digest.h"
#include "isa/errors.h"

/* What `auto` weighs, in units of about 10 ns: the time that the interpreter takes for an arithmetic instruction of a
 * group. A lookup takes it as long as so many; compiling costs as native/costs.c says (docs/performance.md), and until
 * a run says what its lookups are, so much for each that is not like one before. Maxwell code has costs of its own. */
enum {
    LOOKUP_WEIGHT = 40,
    COMPILE_WEIGHT_LOOKUP = 1100000,
    COMPILE_WEIGHT_MAXWELL = 700000,
    COMPILE_WEIGHT_STEP = 120000, /* each instruction; it is compiled twice */
    USEFUL = 16,                  /* so many runs of the program's whole host pay for compiling at idle priority */
    LOOKUPS_COMPARED = 16         /* so that weighing stays linear */
};

/* ---- variants ---- */

static struct sch_native_program_request request_of(const struct sch_native_variant *variant)
{
    return (struct sch_native_program_request){.program = &variant->program->exec->prepared,
                                               .level = variant->program->exec->ops->name,
                                               .full = variant->full,
                                               .quads = variant->quads,
                                               .metered = variant->metered,
                                               .span = variant->span};
}

static void publish(struct sch_native_variant *variant)
{
    struct sch_native_program *program = variant->program;
    if (variant->result.status == SCH_OK)
        atomic_store_explicit(&variant->function, variant->result.code.function, memory_order_release);
    const bool has_sign = !program->native->inside && !variant->result.made.from_cache;
    const struct sch_native_source source = {.digest = program->digest, .shader = program->shader};
    if (variant->span && variant->result.kept && !has_sign)
        sch_native_note_spans(program->native, program->exec->ops->name, &source);
}

static void compile(struct sch_native_job *job)
{
    struct sch_native_variant *variant =
        (struct sch_native_variant *)((char *)job - offsetof(struct sch_native_variant, job));
    struct sch_native_program *program = variant->program;
    uint8_t key[SCH_SHA256_BYTES];
    const struct sch_native_program_request request = request_of(variant);
    sch_native_program_key(&request, program->digest, key);
    const struct sch_native_source source = {.digest = program->digest, .shader = program->shader};
    sch_native_make_program(program->native, &request, &source, key, &job->call, &variant->result);
    publish(variant);
}

static bool get(struct sch_native_job *job, bool from_cache)
{
    struct sch_native_variant *variant =
        (struct sch_native_variant *)((char *)job - offsetof(struct sch_native_variant, job));
    struct sch_native_program *program = variant->program;
    uint8_t key[SCH_SHA256_BYTES];
    const struct sch_native_program_request request = request_of(variant);
    sch_native_program_key(&request, program->digest, key);
    const bool has = from_cache ? sch_native_take_program(program->native, key, &variant->result)
                                : sch_native_share_piece(program->native, key, &variant->result);
    if (has) publish(variant);
    return has;
}

bool sch_native_take_variant(struct sch_native_job *job) { return get(job, true); }
bool sch_native_share_variant(struct sch_native_job *job) { return get(job, false); }

/* ---- when the program is made ---- */

/* Whether an instruction can see if lanes are quads: derivatives, levels of detail, and which lanes continue when some
 * are killed. */
static bool sees_quads(const struct sch_prepared_instruction *in)
{
    const struct sch_op_info *info = sch_op_info(in->opcode);
    if (in->lookup || (info->flags & SCH_OPF_DERIVATIVE)) return true;
    return !SCH_SHAPE_IS_ARITHMETIC(info->shape) && info->shape != SCH_SHAPE_FLOW;
}

static bool kills(unsigned opcode) { return opcode == SCH_OP_KILL || opcode == SCH_OP_KILL_IF; }

static bool names_same(const struct sch_prepared_instruction *a, const struct sch_prepared_instruction *b, int source)
{
    if (source < 0) return true;
    const struct sch_prepared_index *x = &a->src[source].index, *y = &b->src[source].index;
    return x->base == y->base && x->is_indirect == y->is_indirect;
}

/* Whether one function will serve both, whatever is bound. */
static bool look_up_alike(const struct sch_prepared_instruction *a, const struct sch_prepared_instruction *b)
{
    const struct sch_prepared_lookup *x = a->lookup, *y = b->lookup;
    return x->kind == y->kind && x->mode == y->mode && x->offsets == y->offsets && x->view == y->view &&
           x->sampler == y->sampler && (x->value.source < 0) == (y->value.source < 0) && names_same(a, b, x->view) &&
           names_same(a, b, x->sampler);
}

/* Whether a lookup costs compiling: not when it is like one of `seen`, to which it is added. */
static bool is_new(const struct sch_prepared_instruction *seen[LOOKUPS_COMPARED], uint32_t *count,
                   const struct sch_prepared_instruction *in)
{
    for (uint32_t i = 0; i < *count && i < LOOKUPS_COMPARED; i++)
        if (look_up_alike(seen[i], in)) return false;
    seen[(*count)++ % LOOKUPS_COMPARED] = in;
    return true;
}

static void weigh(struct sch_native_program *program)
{
    const struct sch_exec_program *exec = program->exec;
    const struct sch_prepared_instruction *seen[LOOKUPS_COMPARED] = {0};
    uint32_t count = 0;
    program->own_threshold =
        exec->prepared.maxwell.steps
            ? COMPILE_WEIGHT_MAXWELL + (uint64_t)COMPILE_WEIGHT_STEP * exec->prepared.instruction_count
            : sch_native_weigh_program(&exec->prepared);
    for (uint32_t n = 0; n < exec->prepared.instruction_count; n++) {
        const struct sch_prepared_instruction *in = &exec->prepared.instructions[n];
        if (sees_quads(in) || kills(in->opcode)) program->in_quads = true;
        program->weight += in->lookup ? LOOKUP_WEIGHT : 1;
        if (in->lookup && is_new(seen, &count, in)) program->threshold += COMPILE_WEIGHT_LOOKUP;
    }
    program->threshold += program->own_threshold;
    if (program->native->patience) program->threshold = program->own_threshold = program->native->patience;
}

/* Code keeps registers that no operand indexes in registers of its own, and does not want them cleared. Outputs are
 * cleared, as code stores only those that it writes. */
static void keep_uncleared(struct sch_exec_program *exec)
{
    static const uint8_t own[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS};
    for (unsigned f = 0; f < sizeof own; f++)
        if (!(exec->prepared.indexed >> own[f] & 1)) exec->cleared[own[f]] = false;
}

static bool chooses_constant(const struct sch_prepared_instruction *in)
{
    bool found = false;
    for (unsigned s = 0; s < in->src_count; s++) found |= in->src[s].access == SCH_ACCESS_CONSTANTS;
    for (unsigned o = 0; in->lookup && o < in->lookup->offsets; o++)
        found |= in->lookup->offset[o].access == SCH_ACCESS_CONSTANTS;
    return found;
}

/* What runs ask of the program each time that they begin. */
static void find_facts(struct sch_native_program *program)
{
    const struct sch_prepared *prepared = &program->exec->prepared;
    program->can_span = sch_native_can_span(program->exec);
    program->kept_words = sch_native_kept_words(prepared);
    for (uint32_t n = 0; n <= prepared->instruction_count; n++) {
        program->has_slots |= sch_native_slots_of(prepared, &prepared->instructions[n]) != 0;
        if (n == prepared->instruction_count) break;
        program->has_views |= sch_native_has_view(&prepared->instructions[n]);
        program->has_constants |= chooses_constant(&prepared->instructions[n]);
    }
}

/* For a number below VARIANTS, which is never one of spans. */
enum { VARIANTS = 8 };
static struct sch_native_variant *variant_by_number(struct sch_native_program *program, unsigned number)
{
    return &program->variants[number >> 2][number >> 1 & 1][number & 1];
}

static void make_variants(struct sch_native_program *program)
{
    const struct sch_native_job job = {.run = compile, .work = &program->work};
    for (unsigned n = 0; n < VARIANTS; n++)
        *variant_by_number(program, n) = (struct sch_native_variant){
            .program = program, .metered = n >> 2, .full = n >> 1 & 1, .quads = n & 1, .job = job};
    const bool pixels = program->exec->prepared.stage != SCH_STAGE_COMPUTE;
    for (unsigned i = 0; i < SCH_NATIVE_SPANS; i++) {
        struct sch_native_spans *code = &program->spans[i];
        code->variant = (struct sch_native_variant){
            .program = program, .full = true, .quads = pixels && program->in_quads, .span = &code->form, .job = job};
    }
}

/* Once a context. */
static void warn_of_cache(struct sch_native *native, struct sch_diagnostics *diagnostics)
{
    if (atomic_exchange(&native->told_cache, true)) return;
    const char *problem = sch_native_cache_problem(&native->cache);
    if (!problem) return;
    sch_log(&native->log, SCH_LOG_WARNING, SCH_LOG_CACHE, "compiled code is not kept in %s: %s", native->cache.folder,
            problem);
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_WARNING, SCH_D_NATIVE_CACHE, (struct sch_position){0},
                        "compiled code is not kept in %s: %s", native->cache.folder, problem);
}

/* How a process was lost, for a message. */
static void copy_lost(struct sch_native *native, char *text, size_t bytes)
{
    pthread_mutex_lock(&native->compiler_lock);
    snprintf(text, bytes, "%s", native->lost_problem[0] ? native->lost_problem : "it was lost by this program before");
    pthread_mutex_unlock(&native->compiler_lock);
}

void sch_native_warn_of_lost(struct sch_native *native, struct sch_diagnostics *diagnostics)
{
    char why[sizeof native->lost_problem];
    if (!sch_diagnostics_hears(diagnostics) || !atomic_load(&native->lost) || atomic_exchange(&native->told_lost, true))
        return;
    copy_lost(native, why, sizeof why);
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_WARNING, SCH_D_NATIVE_LOST_WARNING, (struct sch_position){0},
                        "the compiler of machine code was lost: %s; what it was to compile is interpreted", why);
}

/* The shader as the compiler's process receives it; it does not live as long as the program. */
static enum sch_result keep_shader(struct sch_native_program *program, const struct sch_ir_shader *shader,
                                   struct sch_arena *arena)
{
    struct sch_wire wire = {.bytes = {.allocator = &arena->allocator}};
    if (program->native->inside) return SCH_OK;
    sch_message_shader(&wire, shader);
    void *copy = wire.failed ? NULL : sch_arena_alloc(arena, wire.bytes.size, 1);
    if (copy) memcpy(copy, wire.bytes.data, wire.bytes.size);
    if (copy) program->shader = (struct sch_wire_block){copy, wire.bytes.size};
    sch_wire_release(&wire);
    return copy ? SCH_OK : SCH_ERROR_MEMORY;
}

enum sch_result sch_native_add_auto(struct sch_exec_program *exec, const struct sch_ir_shader *shader,
                                    struct sch_native *native, struct sch_diagnostics *diagnostics)
{
    enum sch_result status;
    struct sch_native_program *program = SCH_ARENA_NEW(&exec->prepared.arena, struct sch_native_program);
    if (!program) return SCH_ERROR_MEMORY;
    program->native = native;
    program->exec = exec;
    sch_ir_digest(shader, program->digest);
    weigh(program);
    status = keep_shader(program, shader, &exec->prepared.arena);
    if (status != SCH_OK) return status;
    if (!exec->prepared.maxwell.steps) keep_uncleared(exec);
    find_facts(program);
    make_variants(program);
    exec->code = program;
    warn_of_cache(program->native, diagnostics);
    sch_native_warn_of_lost(program->native, diagnostics);
    return SCH_OK;
}

enum sch_result sch_native_prepare_auto(struct sch_exec_program *exec, const struct sch_ir_shader *shader,
                                        struct sch_diagnostics *diagnostics)
{
    enum sch_result status = sch_engine_interpreter.prepare(exec, shader, diagnostics);
    if (status != SCH_OK) return status;
    if (!exec->engine_context) return SCH_ERROR_ARGUMENT;
    return sch_native_add_auto(exec, shader, exec->engine_context, diagnostics);
}

static bool any_from_cache(struct sch_native_program *program)
{
    bool any = false;
    for (unsigned n = 0; n < VARIANTS; n++) {
        struct sch_native_variant *variant = variant_by_number(program, n);
        if (variant->quads && !program->in_quads) continue;
        sch_native_try(&program->native->worker, &variant->job, sch_native_take_variant);
        any = any || atomic_load(&variant->function);
    }
    return any;
}

/* ---- refusing ---- */

static enum sch_result refuse(struct sch_diagnostics *diagnostics, unsigned code, const char *why)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, code, (struct sch_position){0}, "%s", why);
    return SCH_ERROR_UNSUPPORTED;
}

static enum sch_result refuse_compiler(const struct sch_native *native, struct sch_diagnostics *diagnostics)
{
    char why[sizeof native->compiler_problem + 64];
    snprintf(why, sizeof why, "no compiler of machine code (libscheelite-jit) was found: %s", native->compiler_problem);
    return refuse(diagnostics, SCH_D_NATIVE_NO_COMPILER, why);
}

static enum sch_result refuse_lost(struct sch_native *native, struct sch_diagnostics *diagnostics)
{
    char why[sizeof native->lost_problem], text[sizeof why + 64];
    copy_lost(native, why, sizeof why);
    snprintf(text, sizeof text, "the compiler of machine code was lost by this program: %s", why);
    return refuse(diagnostics, SCH_D_NATIVE_LOST, text);
}

static enum sch_result refuse_size(const struct sch_native_cost *cost, struct sch_diagnostics *diagnostics)
{
    const bool stack = cost->stack_bytes > SCH_NATIVE_STACK;
    return refuse(diagnostics, SCH_D_NATIVE_TOO_LARGE,
                  stack ? "the program's machine code would take more than 64 KiB of stack"
                        : "the program is too large for the compiler of machine code");
}

enum sch_result sch_native_refuse(const struct sch_native_variant *variant, struct sch_diagnostics *diagnostics)
{
    struct sch_native *native = variant->program->native;
    const struct sch_native_result *result = &variant->result;
    if (result->status != SCH_ERROR_UNSUPPORTED) return result->status;
    if (result->made.cost.too_large) return refuse_size(&result->made.cost, diagnostics);
    if (result->lost) return refuse_lost(native, diagnostics);
    return sch_native_has_compiler(native) ? result->status : refuse_compiler(native, diagnostics);
}

/* The compiler has no request where the cache has code: which of it runs want, they know first. What is missing then is
 * compiled or refused when they begin. */
static enum sch_result try_program(struct sch_exec_program *exec, struct sch_diagnostics *diagnostics)
{
    enum sch_result status;
    struct sch_native_program *program = exec->code;
    if (any_from_cache(program) || sch_native_has_spans(program->native, exec->ops->name, program->digest))
        return SCH_OK;
    bool too_large;
    const struct sch_native_program_request request = {
        .program = &exec->prepared, .level = exec->ops->name, .quads = program->in_quads};
    const struct sch_native_source source = {.digest = program->digest, .shader = program->shader};
    status = sch_native_try_program(program->native, &request, &source, &too_large);
    if (too_large) return refuse_size(&(struct sch_native_cost){0}, diagnostics);
    if (status != SCH_ERROR_UNSUPPORTED) return status;
    if (!sch_native_has_compiler(program->native)) return refuse_compiler(program->native, diagnostics);
    return refuse_lost(program->native, diagnostics);
}

enum sch_result sch_native_prepare_jit(struct sch_exec_program *exec, const struct sch_ir_shader *shader,
                                       struct sch_diagnostics *diagnostics)
{
    const enum sch_result status = sch_native_prepare_auto(exec, shader, diagnostics);
    return status == SCH_OK ? try_program(exec, diagnostics) : status;
}

enum sch_result sch_native_add_jit(struct sch_exec_program *exec, const struct sch_ir_shader *shader,
                                   struct sch_native *native, struct sch_diagnostics *diagnostics)
{
    const enum sch_result status = sch_native_add_auto(exec, shader, native, diagnostics);
    return status == SCH_OK ? try_program(exec, diagnostics) : status;
}

static void release_variant(struct sch_native_variant *variant)
{
    const struct sch_native_program *program = variant->program;
    variant->job.useful = atomic_load(&variant->wanted) && atomic_load(&program->work) >= program->threshold / USEFUL;
    sch_native_never(&variant->program->native->worker, &variant->job);
    sch_native_release_piece(program->native, &variant->result);
}

void sch_native_release_program(struct sch_exec_program *exec)
{
    struct sch_native_program *program = exec->code;
    if (!program) return; /* preparing failed */
    for (unsigned n = 0; n < VARIANTS; n++) release_variant(variant_by_number(program, n));
    for (unsigned i = 0; i < SCH_NATIVE_SPANS; i++) release_variant(&program->spans[i].variant);
}

bool sch_native_is_refused(struct sch_native_variant *variant)
{
    return !atomic_load_explicit(&variant->function, memory_order_acquire) &&
           sch_native_is_done(&variant->program->native->worker, &variant->job);
}

/* ---- spans ---- */

static bool same_form(const struct sch_native_span_form *a, const struct sch_native_span_form *b)
{
    return a->plane_count == b->plane_count && a->render_target_count == b->render_target_count &&
           a->metered == b->metered && memcmp(a->channel, b->channel, sizeof a->channel) == 0 &&
           memcmp(a->division, b->division, sizeof a->division) == 0 &&
           memcmp(a->output, b->output, sizeof a->output) == 0 && sch_native_same_known(&a->known, &b->known) &&
           a->has_fragments == b->has_fragments &&
           (!a->has_fragments || memcmp(&a->fragments, &b->fragments, sizeof a->fragments) == 0);
}

static struct sch_native_spans *spans_among(struct sch_native_spans *codes, unsigned count,
                                            const struct sch_native_span_form *form)
{
    for (unsigned i = 0; i < count; i++) {
        struct sch_native_spans *code = &codes[i];
        unsigned state = atomic_load(&code->state);
        if (state == SCH_SPANS_FREE && atomic_compare_exchange_strong(&code->state, &state, SCH_SPANS_TAKEN)) {
            code->form = *form;
            code->variant.metered = form->metered;
            atomic_store(&code->state, SCH_SPANS_KNOWN);
            return code;
        }
        if (state == SCH_SPANS_KNOWN && same_form(&code->form, form)) return code;
    }
    return NULL;
}

struct sch_native_spans *sch_native_spans_of(struct sch_native_program *program, struct sch_native_span_form *form)
{
    struct sch_native_spans *codes = program->spans, *found = NULL;
    if (form->known.count) found = spans_among(codes, SCH_NATIVE_SPANS_KNOWN, form);
    if (found) return found;
    form->known = (struct sch_native_known){0};
    return spans_among(codes + SCH_NATIVE_SPANS_KNOWN, SCH_NATIVE_SPANS - SCH_NATIVE_SPANS_KNOWN, form);
}

/* ---- asking ---- */

bool sch_native_has_code(const struct sch_exec_program *exec) { return exec->code != NULL; }

/* The variant that is selected. */
static enum sch_result find_variant(const struct sch_exec_program *exec, const struct sch_native_selection *selection,
                                    struct sch_native_variant **variant)
{
    struct sch_native_program *program = exec->code;
    *variant = sch_native_variant_of(program, selection->metered, selection->full, selection->quads);
    if (!selection->in_spans) return SCH_OK;
    if (!selection->spans) return SCH_ERROR_UNSUPPORTED;
    struct sch_native_span_form form;
    enum sch_result status = sch_native_span_form_of(exec, selection->spans, selection->bindings, &form);
    if (status != SCH_OK) return status;
    form.metered = selection->metered;
    struct sch_native_spans *spans = sch_native_spans_of(program, &form);
    if (!spans) return SCH_ERROR_LIMIT;
    *variant = &spans->variant;
    return SCH_OK;
}

enum sch_result sch_native_prepare(const struct sch_exec_program *exec, const struct sch_native_selection *selection,
                                   struct sch_native_made *made)
{
    struct sch_native_variant *variant;
    if (!sch_native_has_code(exec)) return SCH_ERROR_ARGUMENT;
    enum sch_result status = find_variant(exec, selection, &variant);
    if (status != SCH_OK) return status;
    sch_native_now(&variant->program->native->worker, &variant->job, NULL);
    *made = variant->result.made;
    made->expected = variant->program->own_threshold;
    if (variant->span) made->expected += sch_native_weigh_spans(variant->span);
    status = sch_native_refuse(variant, selection->diagnostics);
    if (status != SCH_OK || !selection->in_spans || !variant->program->has_slots) return status;
    return sch_native_prepare_lookups(exec, variant->program->native, selection->bindings, made);
}

enum sch_result sch_native_inspect(const struct sch_exec_program *exec, const struct sch_native_selection *selection,
                                   bool assembly, char **text)
{
    *text = NULL;
    struct sch_native_variant *variant;
    if (!sch_native_has_code(exec)) return SCH_ERROR_ARGUMENT;
    enum sch_result status = find_variant(exec, selection, &variant);
    if (status != SCH_OK) return status;
    const struct sch_native_compiler *compiler = sch_native_compiler_of(variant->program->native);
    if (!compiler) return refuse_compiler(variant->program->native, selection->diagnostics);
    struct sch_native_cost cost = {0};
    struct sch_native_object object = {0};
    struct sch_native_program_request request = request_of(variant);
    request.want_ir = !assembly;
    request.want_assembly = assembly;
    status = sch_native_compile_program(compiler, &request, &object, &cost, text);
    return cost.too_large ? refuse_size(&cost, selection->diagnostics) : status;
}

void sch_native_release_text(const struct sch_exec_program *exec, char *text)
{
    struct sch_native_program *program = exec->code;
    const struct sch_native_compiler *compiler = sch_native_compiler_of(program->native);
    if (compiler && text) compiler->release_text(text);
}
