/* See program.h. A run shares one machine with the headers and samplers that were read; each thread has its own
 * values. */
#include "maxwell/run/program.h"

#include <pthread.h>
#include <string.h>

#include "exec/job.h"
#include "isa/errors.h"
#include "maxwell/run/warp.h"
#include "maxwell/text/effects.h"

typedef const struct sch_prepared_instruction instruction;

enum { REGISTERS = SCH_MAXWELL_GROUP_REGISTERS, PREDICATES = SCH_MAXWELL_GROUP_PREDICATES };

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

static void refuse(struct refusals *refusals, const struct sch_maxwell_item *item)
{
    refusals->any = true;
    if (!item->general) {
        sch_diagnostics_add(refusals->diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_WORD, item->position,
                            "0x%016llx is no instruction", (unsigned long long)item->word);
        return;
    }
    const unsigned operation = sch_maxwell_code_form_of(item->word)->operation;
    if (!refusals->told[operation])
        sch_diagnostics_add(refusals->diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_WORD, item->position,
                            "%s is no texture instruction, and is not executed",
                            sch_maxwell_code_operations[operation].name);
    refusals->told[operation] = true;
}

static void check_item(struct refusals *refusals, const struct sch_maxwell_item *item)
{
    if (item->texture) {
        if (sch_maxwell_can_execute(&item->instruction, item->position, refusals->diagnostics) != SCH_OK)
            refusals->any = true;
    } else if (item->word != SCH_MAXWELL_NOP) {
        refuse(refusals, item);
    }
}

static enum sch_result check_section(const struct sch_maxwell_section *section, struct sch_diagnostics *diagnostics)
{
    bool told[SCH_MAXWELL_CODE_OPERATIONS] = {false};
    struct refusals refusals = {.diagnostics = diagnostics, .told = told};
    for (size_t i = 0; i < section->count; i++) check_item(&refusals, &section->items[i]);
    return refusals.any ? SCH_ERROR_UNSUPPORTED : SCH_OK;
}

static enum sch_result add_registers(struct sch_ir_shader *ir, enum sch_file file, uint32_t count)
{
    const struct sch_ir_declaration declaration = {.file = (uint8_t)file, .usage_mask = 1, .last = count - 1};
    return count ? sch_ir_add_declaration(ir, &declaration) : SCH_OK;
}

static enum sch_result fill(struct sch_ir_shader *ir, const struct sch_maxwell_section *section)
{
    ir->scalar = true;
    enum sch_result status = add_registers(ir, SCH_FILE_TEMPORARY, count_registers(section));
    if (status == SCH_OK) status = add_registers(ir, SCH_FILE_ADDRESS, PREDICATES);
    const size_t count = count_instructions(section);
    for (size_t i = 0; i < count && status == SCH_OK; i++) {
        const struct sch_ir_instruction made = {.opcode = SCH_OP_NOP, .position = section->items[i].position};
        status = sch_ir_add_instruction(ir, &made);
    }
    return status;
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

/* The texture instructions, by number; of other numbers nothing. */
static const struct sch_maxwell_instruction *texture_of(const struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_maxwell_instruction *textures = machine->program->engine_data;
    return &textures[in->number];
}

/* Where results go, for who looks on: four registers at most to a destination, and the residency predicate. */
static bool list_results(struct sch_prepared *prepared, struct sch_prepared_instruction *in,
                         const struct sch_maxwell_instruction *texture)
{
    enum { RESULTS = 2 };
    struct sch_maxwell_packing packing;
    struct sch_prepared_dst *dst = SCH_ARENA_ARRAY(&prepared->arena, struct sch_prepared_dst, RESULTS + 1);
    if (!dst) return false;
    sch_maxwell_operands(texture, &packing);
    for (unsigned g = 0; g < RESULTS; g++) {
        const struct sch_maxwell_registers *to = &packing.result[g];
        unsigned count = to->first < REGISTERS ? to->count : 0;
        if (to->first + count > REGISTERS) count = REGISTERS - to->first;
        if (!count) continue;
        dst[in->dst_count++] =
            (struct sch_prepared_dst){.access = SCH_ACCESS_PLAIN,
                                      .file = SCH_FILE_TEMPORARY,
                                      .mask = (uint8_t)((1u << count) - 1),
                                      .channel = prepared->files[SCH_FILE_TEMPORARY].base + to->first};
    }
    if (texture->residency < PREDICATES)
        dst[in->dst_count++] =
            (struct sch_prepared_dst){.access = SCH_ACCESS_PLAIN,
                                      .file = SCH_FILE_ADDRESS,
                                      .mask = 1,
                                      .channel = prepared->files[SCH_FILE_ADDRESS].base + texture->residency};
    in->dst = dst;
    return true;
}

static instruction *run_texture(struct sch_exec_machine *machine, instruction *in);

static enum sch_result prepare(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                               struct sch_diagnostics *diagnostics)
{
    struct sch_prepared *prepared = &program->prepared;
    const struct sch_maxwell_code *code = program->engine_context;
    const struct sch_maxwell_section *section = &code->sections[0];
    enum sch_result status = sch_engine_interpreter.prepare(program, shader, diagnostics);
    if (status != SCH_OK) return status;
    struct sch_maxwell_instruction *textures =
        SCH_ARENA_ARRAY(&prepared->arena, struct sch_maxwell_instruction, (size_t)prepared->instruction_count + 1);
    if (!textures) return SCH_ERROR_MEMORY;
    for (uint32_t n = 0; n < prepared->instruction_count; n++) {
        if (!section->items[n].texture) continue;
        textures[n] = section->items[n].instruction;
        prepared->instructions[n].texture = true;
        prepared->extra_cost += sch_prepared_cost(&prepared->instructions[n]) - 1;
        program->handlers[n] = run_texture;
        if (!list_results(prepared, &prepared->instructions[n], &textures[n])) return SCH_ERROR_MEMORY;
    }
    program->engine_data = textures;
    program->engine_context = NULL; /* the caller's, which may end before the program */
    return SCH_OK;
}

/* ---- a run ---- */

/* One thread's. */
struct thread {
    struct sch_maxwell_warp warp;
    struct sch_maxwell_machine *machine;
    struct sch_diagnostics reports; /* of the instruction that failed */
    struct sch_maxwell_told *told;  /* NULL: nobody looks on */
};

/* Of an empty pool, which has none, any number. */
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
    options->half_rounding = given->half_toward_zero ? SCH_MAXWELL_HALF_ZERO : SCH_MAXWELL_HALF_NEAREST;
}

static enum sch_result begin_run(const struct sch_exec_job *job, struct sch_arena *arena, void **state)
{
    const struct sch_exec_program *program = job->program;
    struct sch_maxwell_machine_options options = {.no_headers = true,
                                                  .no_samplers = true,
                                                  .lanes = program->ops->lanes,
                                                  .memory_limit = program->prepared.limits.memory};
    struct sch_maxwell_sharing *sharing = SCH_ARENA_NEW(arena, struct sch_maxwell_sharing);
    if (!sharing) return SCH_ERROR_MEMORY;
    if (job->bindings) take_constants(job->bindings, &options);
    if (job->bindings && job->bindings->maxwell) take_pools(job->bindings->maxwell, &options);
    const enum sch_result status = sch_maxwell_machine_create(&options, &arena->allocator, &sharing->owner);
    if (status != SCH_OK) return status;
    pthread_mutex_init(&sharing->lock, NULL);
    *state = sharing;
    return SCH_OK;
}

static void end_run(void *state)
{
    struct sch_maxwell_sharing *sharing = state;
    pthread_mutex_destroy(&sharing->lock);
    sch_maxwell_machine_destroy(sharing->owner);
}

static enum sch_result begin(struct sch_exec_machine *machine, struct sch_arena *arena)
{
    struct thread *thread = SCH_ARENA_NEW(arena, struct thread);
    if (!thread) return SCH_ERROR_MEMORY;
    machine->engine_state = thread;
    sch_diagnostics_init(&thread->reports, &arena->allocator, 0);
    if (machine->heat && !(thread->told = SCH_ARENA_NEW(arena, struct sch_maxwell_told))) return SCH_ERROR_MEMORY;
    return sch_maxwell_machine_share(machine->run_state, &arena->allocator, &thread->machine);
}

static void end(struct sch_exec_machine *machine)
{
    struct thread *thread = machine->engine_state;
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
    if (!in->texture) return machine->group.exec;
    if (texture->guard < PREDICATES)
        guard = ~machine->ops->equal_u32(register_of(machine, SCH_FILE_ADDRESS, texture->guard), 0);
    if (texture->guard_not) guard = ~guard;
    return machine->group.exec & guard & ~(texture->nodep ? machine->group.helpers : 0);
}

/* The same, and what the lookup does is kept for who looks on. */
static enum sch_result execute_told(struct sch_exec_machine *machine, struct thread *thread,
                                    const struct sch_maxwell_instruction *texture, struct sch_position position)
{
    struct sch_exec_heat *heat = machine->heat;
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
    struct thread *thread = machine->engine_state;
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
    const struct thread *thread = machine->engine_state;
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
                                                        .executing = executing,
                                                        .explain = explain};
