/* See program.h. A run shares one machine with the headers and samplers that were read; each thread has its own
 * values. */
#include "maxwell/run/program.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "exec/job.h"
#include "isa/errors.h"
#include "maxwell/run/handlers.h"
#include "maxwell/run/thread.h"
#include "maxwell/text/effects.h"

typedef const struct sch_prepared_instruction instruction;

enum { REGISTERS = SCH_MAXWELL_GROUP_REGISTERS, PREDICATES = SCH_MAXWELL_GROUP_PREDICATES, MOST_ENTRIES = 1024 };

/* ---- the shader ---- */

static bool has_register(const struct sch_maxwell_places *places, unsigned number)
{
    return places->words[number / 64] >> number % 64 & 1;
}

/* Instructions without the NOPs at the end, which fill the last bundle. */
static size_t count_instructions(const struct sch_maxwell_section *section)
{
    size_t count = section->count;
    while (count && !section->items[count - 1].texture && section->items[count - 1].word == SCH_MAXWELL_NOP) count--;
    return count;
}

/* Registers up to the highest that instructions name. */
static uint32_t count_registers(const struct sch_maxwell_section *section)
{
    uint32_t count = 0;
    for (size_t i = 0; i < section->count; i++) {
        struct sch_maxwell_effects effects;
        sch_maxwell_effects_of(&section->items[i], &effects);
        sch_maxwell_places_add(&effects.reads, &effects.writes);
        for (uint32_t r = count; r < REGISTERS; r++)
            if (has_register(&effects.reads, r)) count = r + 1;
    }
    return count;
}

/* Which operations were refused already: texture operations, then the others by their numbers. */
struct refusals {
    struct sch_diagnostics *diagnostics;
    bool *told;
    bool any;
};

static void check_item(struct refusals *refusals, const struct sch_maxwell_section *section,
                       const struct sch_maxwell_item *item)
{
    struct sch_maxwell_step step;
    enum sch_result status;
    if (item->texture) {
        status = sch_maxwell_can_execute(&item->instruction, item->position, refusals->diagnostics);
    } else if (!item->general) {
        status = SCH_ERROR_UNSUPPORTED;
        sch_diagnostics_add(refusals->diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_WORD, item->position,
                            "0x%016llx is not an instruction", (unsigned long long)item->word);
    } else {
        const unsigned operation = sch_maxwell_code_form_of(item->word)->operation;
        status =
            sch_maxwell_step_decode(section, item, refusals->told[operation] ? NULL : refusals->diagnostics, &step);
        if (status != SCH_OK) refusals->told[operation] = true;
    }
    if (status != SCH_OK) refusals->any = true;
}

static enum sch_result check_section(const struct sch_maxwell_section *section, struct sch_diagnostics *diagnostics)
{
    bool told[SCH_MAXWELL_CODE_OPERATIONS] = {false};
    struct refusals refusals = {.diagnostics = diagnostics, .told = told};
    for (size_t i = 0; i < section->count; i++) check_item(&refusals, section, &section->items[i]);
    return refusals.any ? SCH_ERROR_UNSUPPORTED : SCH_OK;
}

static enum sch_result add_registers(struct sch_ir_shader *ir, enum sch_file file, uint32_t count)
{
    const struct sch_ir_declaration declaration = {.file = (uint8_t)file, .usage_mask = 1, .last = count - 1};
    return count ? sch_ir_add_declaration(ir, &declaration) : SCH_OK;
}

/* What special registers are made of: the source of work fills it in. */
static enum sch_result add_system_value(struct sch_ir_shader *ir, unsigned number, enum sch_semantic semantic)
{
    const struct sch_ir_declaration declaration = {.file = SCH_FILE_SYSTEM_VALUE,
                                                   .usage_mask = 15,
                                                   .first = number,
                                                   .last = number,
                                                   .has_semantic = true,
                                                   .semantic = (uint8_t)semantic};
    return sch_ir_add_declaration(ir, &declaration);
}

/* A texture instruction has no more than its kind here; engines keep the rest beside it. */
static enum sch_result make_step(const struct sch_maxwell_section *section, const struct sch_maxwell_item *item,
                                 struct sch_maxwell_step *step)
{
    if (!item->texture) return sch_maxwell_step_decode(section, item, NULL, step);
    *step = (struct sch_maxwell_step){.kind = SCH_MAXWELL_KIND_texture,
                                      .guard = SCH_MAXWELL_NO_PREDICATE,
                                      .test = SCH_MAXWELL_ALWAYS,
                                      .result = SCH_MAXWELL_NO_REGISTER,
                                      .predicate = {SCH_MAXWELL_NO_PREDICATE, SCH_MAXWELL_NO_PREDICATE},
                                      .base = SCH_MAXWELL_NO_REGISTER,
                                      .address = item->address};
    return SCH_OK;
}

static enum sch_result fill(struct sch_ir_shader *ir, const struct sch_maxwell_section *section)
{
    ir->scalar = true;
    enum sch_result status = add_registers(ir, SCH_FILE_TEMPORARY, count_registers(section));
    if (status == SCH_OK) status = add_registers(ir, SCH_FILE_ADDRESS, SCH_MAXWELL_ADDRESSES);
    if (status == SCH_OK) status = add_system_value(ir, 0, SCH_SEMANTIC_THREAD_ID);
    if (status == SCH_OK) status = add_system_value(ir, 1, SCH_SEMANTIC_BLOCK_ID);
    const size_t count = count_instructions(section);
    for (size_t i = 0; i < count && status == SCH_OK; i++) {
        const struct sch_ir_instruction made = {.opcode = SCH_OP_NOP, .position = section->items[i].position};
        status = sch_ir_add_instruction(ir, &made);
    }
    struct sch_maxwell_step *steps =
        status == SCH_OK ? SCH_ARENA_ARRAY(&ir->arena, struct sch_maxwell_step, count + 1) : NULL;
    if (!steps) return status == SCH_OK ? SCH_ERROR_MEMORY : status;
    for (size_t i = 0; i < count && status == SCH_OK; i++) status = make_step(section, &section->items[i], &steps[i]);
    return status == SCH_OK ? sch_ir_set_steps(ir, steps) : status;
}

enum sch_result sch_maxwell_make_ir(const struct sch_maxwell_code *code, const struct sch_allocator *allocator,
                                    const struct sch_limits *limits, struct sch_diagnostics *diagnostics,
                                    struct sch_ir_shader **ir)
{
    *ir = NULL;
    if (code->section_count != 1) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_SECTIONS, (struct sch_position){0},
                            "the code has %zu sections; one of them is run", code->section_count);
        return SCH_ERROR_UNSUPPORTED;
    }
    enum sch_result status = check_section(&code->sections[0], diagnostics);
    if (status != SCH_OK) return status;
    *ir = sch_ir_create(allocator, SCH_STAGE_COMPUTE, limits);
    if (!*ir) return SCH_ERROR_MEMORY;
    status = fill(*ir, &code->sections[0]);
    if (status == SCH_OK) return SCH_OK;
    sch_ir_destroy(*ir);
    *ir = NULL;
    return status;
}

/* ---- when the program is made ---- */

static const struct sch_maxwell_instruction *texture_of(const struct sch_exec_machine *machine, instruction *in)
{
    return &sch_maxwell_program_of(machine)->textures[in->number];
}

enum { RESULTS = 5 };

static void list_result(const struct sch_prepared *prepared, struct sch_prepared_instruction *in,
                        struct sch_prepared_dst dst[RESULTS], enum sch_file file, unsigned first, unsigned count)
{
    const uint32_t most = prepared->files[file].count;
    if (first >= most) return;
    if (first + count > most) count = most - first;
    if (!count) return;
    dst[in->dst_count++] = (struct sch_prepared_dst){.access = SCH_ACCESS_PLAIN,
                                                     .file = (uint8_t)file,
                                                     .mask = (uint8_t)((1u << count) - 1),
                                                     .channel = prepared->files[file].base + first};
}

/* Where results go, for observers: four registers at most to a destination, and the residency predicate. */
static bool list_texture_results(struct sch_prepared *prepared, struct sch_prepared_instruction *in,
                                 const struct sch_maxwell_instruction *texture)
{
    struct sch_maxwell_packing packing;
    struct sch_prepared_dst *dst = SCH_ARENA_ARRAY(&prepared->arena, struct sch_prepared_dst, RESULTS);
    if (!dst) return false;
    sch_maxwell_operands(texture, &packing);
    for (unsigned g = 0; g < 2; g++)
        if (packing.result[g].first < REGISTERS)
            list_result(prepared, in, dst, SCH_FILE_TEMPORARY, packing.result[g].first, packing.result[g].count);
    if (texture->residency < PREDICATES) list_result(prepared, in, dst, SCH_FILE_ADDRESS, texture->residency, 1);
    in->dst = dst;
    return true;
}

static bool list_results(struct sch_prepared *prepared, struct sch_prepared_instruction *in,
                         const struct sch_maxwell_step *step)
{
    const bool any = (step->result_words && step->result < REGISTERS) || step->predicates || step->how.flags;
    if (!any) return true;
    struct sch_prepared_dst *dst = SCH_ARENA_ARRAY(&prepared->arena, struct sch_prepared_dst, RESULTS);
    if (!dst) return false;
    if (step->result < REGISTERS) list_result(prepared, in, dst, SCH_FILE_TEMPORARY, step->result, step->result_words);
    for (unsigned p = 0; p < step->predicates; p++)
        if (step->predicate[p] < PREDICATES) list_result(prepared, in, dst, SCH_FILE_ADDRESS, step->predicate[p], 1);
    if (step->how.flags) list_result(prepared, in, dst, SCH_FILE_ADDRESS, SCH_MAXWELL_CC, 1);
    in->dst = dst;
    return true;
}

static instruction *run_texture(struct sch_exec_machine *machine, instruction *in);

/* What the program does, for who deals the work and for sessions. */
static void note_memory(struct sch_prepared *prepared, struct sch_prepared_instruction *in,
                        const struct sch_maxwell_step *step)
{
    struct sch_prepared_memory *memory = &prepared->memory;
    struct sch_prepared_facts *facts = &prepared->interface.facts;
    const unsigned is = sch_maxwell_facts_of(step);
    const bool accesses = is & SCH_MAXWELL_ACCESSES && !(is & SCH_MAXWELL_IN_BANK), outside = is & SCH_MAXWELL_OUTSIDE;
    const bool writes = is & (SCH_MAXWELL_STORES | SCH_MAXWELL_UPDATES), waits = is & SCH_MAXWELL_WAITS;
    const bool local = is & (SCH_MAXWELL_OF_LANE | SCH_MAXWELL_ANYWHERE);
    const bool shared = is & SCH_MAXWELL_ANYWHERE || (accesses && !outside && !local);
    if (shared) memory->declared_kinds |= UINT32_C(1) << SCH_MEMORY_SHARED;
    if (local) memory->declared_kinds |= UINT32_C(1) << SCH_MEMORY_PRIVATE;
    memory->writes_outside = memory->writes_outside || (outside && writes);
    memory->barriers = memory->barriers || waits;
    in->accesses = accesses;
    in->waits = waits;
    facts->reads_memory = facts->reads_memory || accesses;
    facts->writes_memory = facts->writes_memory || writes;
}

static void note_flow(struct sch_prepared *prepared, const struct sch_maxwell_step *step, uint32_t number)
{
    struct sch_ir_flow *flow = &prepared->flow;
    const bool pushes = step->flow >= SCH_MAXWELL_FLOW_BRANCH && step->flow != SCH_MAXWELL_FLOW_WAIT;
    if (step->kind == SCH_MAXWELL_KIND_activate_quads || step->kind == SCH_MAXWELL_KIND_push_long ||
        (pushes && step->flow != SCH_MAXWELL_FLOW_END))
        flow->max_depth = MOST_ENTRIES;
    if (step->flow == SCH_MAXWELL_FLOW_CALL || step->flow == SCH_MAXWELL_FLOW_PUSH_RETURN) flow->calls++;
    if ((step->known_target && step->target <= number) || step->flow == SCH_MAXWELL_FLOW_COMPUTED) flow->loops++;
    if (step->flow == SCH_MAXWELL_FLOW_END) flow->ends_invocations = true;
}

static enum sch_result prepare_instruction(struct sch_exec_program *program, const struct sch_maxwell_section *section,
                                           uint32_t n, struct sch_maxwell_instruction *texture)
{
    const struct sch_maxwell_item *item = &section->items[n];
    const struct sch_maxwell_step *step = &program->prepared.maxwell.steps[n];
    struct sch_prepared_instruction *in = &program->prepared.instructions[n];
    in->texture = item->texture;
    if (item->texture) {
        *texture = item->instruction;
        program->prepared.extra_cost += sch_prepared_cost(in) - 1;
        program->handlers[n] = run_texture;
        return list_texture_results(&program->prepared, in, texture) ? SCH_OK : SCH_ERROR_MEMORY;
    }
    program->handlers[n] = sch_maxwell_handler_of(step->kind);
    note_memory(&program->prepared, in, step);
    note_flow(&program->prepared, step, n);
    return list_results(&program->prepared, in, step) ? SCH_OK : SCH_ERROR_MEMORY;
}

static enum sch_result prepare(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                               struct sch_diagnostics *diagnostics)
{
    struct sch_prepared *prepared = &program->prepared;
    const struct sch_maxwell_context *context = program->engine_context;
    const struct sch_maxwell_section *section = &context->code->sections[0];
    const size_t count = (size_t)prepared->instruction_count + 1;
    enum sch_result status = sch_engine_interpreter.prepare(program, shader, diagnostics);
    if (status != SCH_OK) return status;
    struct sch_maxwell_program *made = SCH_ARENA_NEW(&prepared->arena, struct sch_maxwell_program);
    struct sch_maxwell_instruction *textures =
        SCH_ARENA_ARRAY(&prepared->arena, struct sch_maxwell_instruction, section->textures ? count : 1);
    if (!made || !textures) return SCH_ERROR_MEMORY;
    for (uint32_t n = 0; n < prepared->instruction_count && status == SCH_OK; n++)
        status = prepare_instruction(program, section, n, section->textures ? &textures[n] : textures);
    program->handlers[prepared->instruction_count] = sch_maxwell_after_last;
    *made = (struct sch_maxwell_program){textures, prepared->maxwell.steps, (uint32_t)section->count};
    program->engine_data = made;
    program->engine_context = NULL; /* the caller's, which may end before the program */
    return status;
}

/* ---- a run ---- */

/* An empty pool has none: any number. */
static uint32_t last_entry(size_t bytes) { return (uint32_t)(bytes / SCH_MAXWELL_HEADER_BYTES - 1); }

static void take_constants(const struct sch_exec_bindings *bindings, struct sch_maxwell_machine_options *options)
{
    const uint32_t bank = bindings->maxwell ? bindings->maxwell->handle_bank : 0;
    if (bank >= bindings->constant_count) return;
    const size_t words = bindings->constants[bank].bytes / sizeof(uint32_t);
    options->constants = bindings->constants[bank].data;
    options->constant_words = words > UINT32_MAX ? UINT32_MAX : (uint32_t)words;
}

static void take_pools(const struct sch_maxwell_bindings *given, struct sch_maxwell_machine_options *options)
{
    options->headers = given->headers;
    options->samplers = given->samplers;
    options->maximum_header = last_entry(given->header_bytes);
    options->maximum_sampler = last_entry(given->sampler_bytes);
    options->no_headers = !given->header_bytes;
    options->no_samplers = !given->sampler_bytes;
    options->via_header_binding = given->via_header_binding;
    options->memory = (struct sch_maxwell_memory){given->memory, given->memory_address, given->memory_bytes};
    options->clamp_loads = given->clamp_loads;
    options->half_rounding = given->half_toward_zero ? SCH_MAXWELL_HALF_ZERO : SCH_MAXWELL_HALF_NEAREST;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct sch_maxwell_range *first = a, *second = b;
    return (first->address > second->address) - (first->address < second->address);
}

/* Ranges in order, without those that hold nothing. */
static enum sch_result take_ranges(const struct sch_exec_job *job, struct sch_arena *arena, struct sch_maxwell_run *run)
{
    const struct sch_maxwell_bindings *given = job->bindings ? job->bindings->maxwell : NULL;
    if (!given || !given->range_count) return SCH_OK;
    struct sch_maxwell_range *ranges = SCH_ARENA_ARRAY(arena, struct sch_maxwell_range, given->range_count);
    if (!ranges) return SCH_ERROR_MEMORY;
    for (uint32_t i = 0; i < given->range_count; i++)
        if (given->ranges[i].bytes) ranges[run->range_count++] = given->ranges[i];
    qsort(ranges, run->range_count, sizeof *ranges, compare_ranges);
    run->ranges = ranges;
    for (uint32_t i = 1; i < run->range_count; i++) {
        if (ranges[i].address - ranges[i - 1].address >= ranges[i - 1].bytes) continue;
        sch_diagnostics_add(job->diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_RANGES, (struct sch_position){0},
                            "ranges of global memory overlap at 0x%llx", (unsigned long long)ranges[i].address);
        return SCH_ERROR_ARGUMENT;
    }
    return SCH_OK;
}

/* The bases of the windows of generic addresses are where compiled code finds them. */
static void take_windows(const struct sch_exec_job *job, struct sch_maxwell_run *run)
{
    enum { WORDS = 2 };
    const uint32_t inside = (UINT32_C(1) << 24) - 1;
    uint32_t base[WORDS] = {0};
    const struct sch_exec_bindings *bindings = job->bindings;
    if (!bindings || !bindings->constant_count || bindings->constants[0].bytes < sizeof base) return;
    memcpy(base, bindings->constants[0].data, sizeof base);
    run->shared_window = base[0] & ~inside;
    run->local_window = base[1] & ~inside;
}

static enum sch_result begin_run(const struct sch_exec_job *job, struct sch_arena *arena, void **state)
{
    const struct sch_exec_program *program = job->program;
    struct sch_maxwell_machine_options options = {.no_headers = true,
                                                  .no_samplers = true,
                                                  .lanes = program->ops->lanes,
                                                  .memory_limit = program->prepared.limits.memory};
    struct sch_maxwell_run *run = SCH_ARENA_NEW(arena, struct sch_maxwell_run);
    if (!run) return SCH_ERROR_MEMORY;
    if (job->bindings) take_constants(job->bindings, &options);
    if (job->bindings && job->bindings->maxwell) take_pools(job->bindings->maxwell, &options);
    take_windows(job, run);
    enum sch_result status = take_ranges(job, arena, run);
    if (status == SCH_OK) status = sch_maxwell_machine_create(&options, &arena->allocator, &run->sharing.owner);
    if (status != SCH_OK) return status;
    pthread_mutex_init(&run->sharing.lock, NULL);
    *state = run;
    return SCH_OK;
}

static void end_run(void *state)
{
    struct sch_maxwell_run *run = state;
    pthread_mutex_destroy(&run->sharing.lock);
    sch_maxwell_machine_destroy(run->sharing.owner);
}

static enum sch_result begin(struct sch_exec_machine *machine, struct sch_arena *arena)
{
    struct sch_maxwell_thread *thread = SCH_ARENA_NEW(arena, struct sch_maxwell_thread);
    if (!thread) return SCH_ERROR_MEMORY;
    machine->engine_state = thread;
    sch_diagnostics_init(&thread->reports, &arena->allocator, 0);
    if (machine->heat && !(thread->told = SCH_ARENA_NEW(arena, struct sch_maxwell_told))) return SCH_ERROR_MEMORY;
    struct sch_maxwell_run *run = machine->run_state;
    return sch_maxwell_machine_share(&run->sharing, &arena->allocator, &thread->machine);
}

static void end(struct sch_exec_machine *machine)
{
    struct sch_maxwell_thread *thread = machine->engine_state;
    if (!thread) return;
    sch_maxwell_machine_destroy(thread->machine);
    sch_diagnostics_release(&thread->reports);
}

/* ---- an instruction ---- */

static struct sch_lanes *register_of(const struct sch_exec_machine *machine, enum sch_file file, unsigned number)
{
    return machine->group.space[SCH_SPACE_STATE] + machine->program->prepared.files[file].base + number;
}

/* What is beyond the last register that the program names is never looked at. */
static void load(const struct sch_exec_machine *machine, unsigned first, unsigned count, struct sch_maxwell_warp *warp)
{
    for (unsigned r = first; r < first + count && r < REGISTERS; r++)
        warp->registers[r] = *register_of(machine, SCH_FILE_TEMPORARY, r);
}

static void load_warp(struct sch_exec_machine *machine, const struct sch_maxwell_instruction *texture,
                      struct sch_maxwell_warp *warp)
{
    struct sch_maxwell_packing packing;
    sch_maxwell_operands(texture, &packing);
    load(machine, texture->ra, packing.a_count, warp);
    load(machine, texture->rb, packing.b_count, warp);
    for (unsigned g = 0; g < 2; g++) load(machine, packing.result[g].first, packing.result[g].count, warp);
    for (unsigned p = 0; p < PREDICATES; p++)
        warp->predicates[p] = ~machine->ops->equal_u32(register_of(machine, SCH_FILE_ADDRESS, p), 0);
    warp->active = machine->group.exec;
    warp->killed = machine->group.helpers;
    warp->shader = machine->quads ? SCH_MAXWELL_SHADER_PIXEL : SCH_MAXWELL_SHADER_OTHER;
}

/* Registers of lanes that did not execute are as they were loaded. */
static void store_warp(struct sch_exec_machine *machine, instruction *in, const struct sch_maxwell_instruction *texture,
                       const struct sch_maxwell_warp *warp)
{
    const struct sch_lanes *registers = register_of(machine, SCH_FILE_TEMPORARY, 0);
    for (unsigned d = 0; d < in->dst_count; d++) {
        const struct sch_prepared_dst *dst = &in->dst[d];
        struct sch_lanes *to = machine->group.space[SCH_SPACE_STATE] + dst->channel;
        for (unsigned c = 0; dst->file == SCH_FILE_TEMPORARY && dst->mask >> c & 1; c++)
            to[c] = warp->registers[to + c - registers];
    }
    if (texture->residency >= PREDICATES) return;
    struct sch_lanes one, *predicate = register_of(machine, SCH_FILE_ADDRESS, texture->residency);
    struct sch_lanes mask;
    machine->ops->splat(&one, 1);
    machine->ops->mask_lanes(&mask, sch_maxwell_executing(texture, warp));
    machine->ops->commit(predicate, &one, &mask);
}

static uint32_t executing(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_maxwell_instruction *texture = texture_of(machine, in);
    uint32_t guard = UINT32_MAX;
    if (!in->texture && in->number < machine->program->prepared.instruction_count)
        return sch_maxwell_lanes(machine, sch_maxwell_step_of(machine, in));
    if (!in->texture) return machine->group.exec;
    if (texture->guard < PREDICATES)
        guard = ~machine->ops->equal_u32(register_of(machine, SCH_FILE_ADDRESS, texture->guard), 0);
    if (texture->guard_not) guard = ~guard;
    return machine->group.exec & guard & ~(texture->nodep ? machine->group.helpers : 0);
}

/* The same, and what the lookup does is kept for observers. */
static enum sch_result execute_told(struct sch_exec_machine *machine, struct sch_maxwell_thread *thread,
                                    const struct sch_maxwell_instruction *texture, struct sch_position position)
{
    struct sch_exec_heat *heat = machine->heat;
    thread->told->floats = 0;
    thread->told->trace =
        (struct sch_texture_trace){.texels = heat->trace.texels, .texel_capacity = heat->trace.texel_capacity};
    const enum sch_result status =
        sch_maxwell_execute_told(thread->machine, texture, &thread->warp, position, &thread->reports, thread->told);
    heat->trace = thread->told->trace;
    memcpy(heat->samples, thread->told->samples, sizeof heat->samples);
    for (unsigned c = 0; c < 4; c++)
        memcpy(machine->group.result[c].u, thread->told->result[c], sizeof thread->told->result[c]);
    return status;
}

static instruction *run_texture(struct sch_exec_machine *machine, instruction *in)
{
    struct sch_maxwell_thread *thread = machine->engine_state;
    const struct sch_maxwell_instruction *texture = texture_of(machine, in);
    const struct sch_position position = machine->program->prepared.positions[in->number];
    sch_exec_hasten(machine, SCH_EXEC_LOOKUP_COST);
    load_warp(machine, texture, &thread->warp);
    const enum sch_result status =
        thread->told && machine->heat->kept
            ? execute_told(machine, thread, texture, position)
            : sch_maxwell_execute(thread->machine, texture, &thread->warp, position, &thread->reports);
    if (status != SCH_OK) {
        machine->group.failure = status;
        machine->failed_lane = machine->group.exec ? (uint32_t)__builtin_ctz(machine->group.exec) : 0;
        machine->failed_instruction = in->number;
        return NULL;
    }
    store_warp(machine, in, texture, &thread->warp);
    return in + 1;
}

static void explain(const struct sch_exec_machine *machine, struct sch_diagnostics *diagnostics)
{
    const struct sch_maxwell_thread *thread = machine->engine_state;
    for (size_t i = 0; i < thread->reports.count; i++) {
        const struct sch_diagnostic *report = &thread->reports.items[i];
        sch_diagnostics_add(diagnostics, report->severity, report->code, report->position, "%s", report->message);
    }
}

static void run_group(struct sch_exec_machine *machine) { sch_engine_interpreter.run_group(machine); }

const struct sch_exec_engine sch_engine_maxwell_code = {.name = "maxwell code",
                                                        .by_handlers = true,
                                                        .prepare = prepare,
                                                        .begin_run = begin_run,
                                                        .end_run = end_run,
                                                        .begin = begin,
                                                        .end = end,
                                                        .run_group = run_group,
                                                        .meet = sch_maxwell_meet,
                                                        .executing = executing,
                                                        .find_places = sch_maxwell_observe_places,
                                                        .find_barrier = sch_maxwell_observe_barrier,
                                                        .find_reads = sch_maxwell_observe_reads,
                                                        .find_not_finite = sch_maxwell_observe_not_finite,
                                                        .explain = explain};
