/* Programs and their runs on src/exec. */
#include "api/debug.h"
#include "api/maxwell.h"
#include "api/run.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/clock.h"
#include "base/log.h"
#include "d3d/dxbc/ranges.h"
#include "ir/check.h"
#include "isa/errors.h"
#include "maxwell/run/code.h"
#include "maxwell/run/engine.h"
#include "maxwell/run/program.h"
#include "ops/ops.h"
#include "run/checks.h"

static bool program_options_hold(const struct sch_program_options *options, struct sch_diagnostics *list)
{
    if (!sch_api_takes(list, ".engine", (uint32_t)options->engine, 0, SCH_ENGINE_JIT)) return false;
    if (options->lookup_code && options->engine != SCH_ENGINE_MAXWELL)
        return sch_refuse_argument(list, ".lookup_code", "Maxwell code for another engine than MAXWELL");
    if (options->lookup_code && !options->lookup_code->maxwell)
        return sch_refuse_argument(list, ".lookup_code", "the shader is not Maxwell code");
    return sch_ops_for_width(options->width) ||
           sch_refuse_argument(list, ".width", "width %u, of 4, 8 or 16", options->width);
}

/* Prepares Maxwell code. */
static enum sch_result make_maxwell_program(struct sch_program *made, const struct sch_shader *shader,
                                            const struct sch_ir_shader *ir, const struct sch_program_options *wanted,
                                            struct sch_diagnostics *list)
{
    static const struct sch_exec_engine *const engines[] = {[SCH_ENGINE_AUTO] = &sch_engine_maxwell_auto,
                                                            [SCH_ENGINE_INTERPRETER] = &sch_engine_maxwell_code,
                                                            [SCH_ENGINE_MAXWELL] = &sch_engine_maxwell_code,
                                                            [SCH_ENGINE_JIT] = &sch_engine_maxwell_jit};
    struct sch_maxwell_context context = {.code = shader->maxwell, .native = made->context->native};
    const struct sch_exec_options options = {
        .lanes = wanted->width, .engine = engines[wanted->engine], .engine_context = &context};
    made->counts_instructions = wanted->engine != SCH_ENGINE_JIT;
    made->stage = (enum sch_stage)ir->stage;
    return sch_exec_create(ir, &options, &made->context->allocator, list, &made->exec);
}

/* Checks a shader and prepares it for the wanted engine. */
static enum sch_result make_program(struct sch_program *made, const struct sch_ir_shader *ir,
                                    const struct sch_program_options *wanted, struct sch_diagnostics *list)
{
    made->counts_instructions = wanted->engine != SCH_ENGINE_JIT;
    made->counts_texels = wanted->engine != SCH_ENGINE_MAXWELL && wanted->engine != SCH_ENGINE_JIT;
    made->stage = (enum sch_stage)ir->stage;

    const struct sch_until until = sch_until_ms(wanted->deadline_ms, wanted->cancel);
    enum sch_result status = sch_ir_check_until(ir, &until, list);
    if (status == SCH_OK) status = sch_until_look(&until);
    static const struct sch_exec_engine *const engines[] = {[SCH_ENGINE_AUTO] = &sch_engine_auto,
                                                            [SCH_ENGINE_INTERPRETER] = &sch_engine_interpreter,
                                                            [SCH_ENGINE_MAXWELL] = &sch_engine_maxwell,
                                                            [SCH_ENGINE_JIT] = &sch_engine_jit};
    struct sch_exec_options exec_options = {
        .lanes = wanted->width, .engine = engines[wanted->engine], .engine_context = made->context->native};
    if (wanted->engine == SCH_ENGINE_MAXWELL)
        exec_options.engine_context = wanted->lookup_code ? wanted->lookup_code->maxwell : NULL;
    if (status != SCH_OK) return status;
    return sch_exec_create(ir, &exec_options, &made->context->allocator, list, &made->exec);
}

/* What dispatches of a program cannot do. */
static void tell(const struct sch_program *program)
{
    if (program->exec->prepared.memory.writes_outside)
        sch_log(&program->context->log, SCH_LOG_INFO, SCH_LOG_PERFORMANCE,
                "%s writes to memory: one thread runs each of its dispatches, but for those that are `unordered`",
                *program->name ? program->name : "the program");
}

enum sch_result sch_program_create(struct sch_context *context, const struct sch_shader *shader,
                                   const struct sch_program_options *options, struct sch_diagnostics_list *diagnostics,
                                   struct sch_program **program)
{
    struct sch_api_call call;
    struct sch_program_options wanted;
    sch_api_begin_input(&call, context, diagnostics, __func__, "options");
    if (program) *program = NULL;
    if (!sch_api_given(&call, program, "program") || !sch_api_given(&call, context, "context") ||
        !sch_api_given(&call, shader, "shader") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options) ||
        !program_options_hold(&wanted, call.list))
        return sch_api_refused(&call);

    struct sch_diagnostics *list = call.list;
    sch_diagnostics_name(list, shader->name);

    struct sch_program *made = sch_api_alloc(context, sizeof *made);
    if (!made) return sch_api_end(&call, SCH_ERROR_MEMORY);
    made->context = context;
    made->name = sch_api_name(context, shader->name);
    struct sch_api_ir opened = {.ir = NULL};
    enum sch_result status = made->name ? sch_api_open(shader, list, &opened) : SCH_ERROR_MEMORY;
    if (status == SCH_OK)
        status = shader->maxwell ? make_maxwell_program(made, shader, opened.ir, &wanted, list)
                                 : make_program(made, opened.ir, &wanted, list);
    sch_api_count_tables(shader, made->tables);
    if (status == SCH_OK && !sch_api_watch_units(made, shader)) status = SCH_ERROR_MEMORY;
    sch_api_close(&opened);
    status = sch_api_end(&call, status);
    if (status != SCH_OK) {
        sch_program_destroy(made);
        return status;
    }
    tell(made);
    *program = made;
    return SCH_OK;
}

bool sch_program_writes_memory(const struct sch_program *program)
{
    return program && program->exec->prepared.memory.writes_outside;
}

void sch_program_destroy(struct sch_program *program)
{
    if (!program) return;
    sch_exec_destroy(program->exec);
    sch_api_free(program->context, program->name);
    sch_api_free(program->context, program->ranges);
    sch_api_free(program->context, program->told);
    sch_api_free(program->context, program);
}

void sch_api_unbind(struct sch_context *context, struct sch_api_bound *bound)
{
    sch_api_free(context, bound->constants);
    sch_api_free(context, bound->views);
    sch_api_free(context, bound->samplers);
    sch_api_free(context, bound->images);
    sch_api_free(context, bound->color_buffers);
    sch_api_free(context, bound->interfaces);
    sch_api_release_replaced(context, &bound->replaced);
}

/* An array of a binding is there where it has a length. `argument` is its name, after a dot. */
static bool array_holds(const void *array, uint32_t count, const char *argument, struct sch_diagnostics *list)
{
    if (!count || array) return true;
    return sch_refuse_argument(list, argument, "%s: %u of no array", argument + 1, count);
}

/* Words of storage buffers are accessed in place, so they are where words are. `element` is what one is called. */
static bool storage_holds(const struct sch_storage_buffer *buffers, uint32_t count, const char *argument,
                          const char *element, struct sch_diagnostics *list)
{
    if (!array_holds(buffers, count, argument, list)) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (buffers[i].bytes && !buffers[i].data)
            return sch_refuse_element(list, element, i, "%s[%u]: %zu bytes of no memory", argument + 1, i,
                                      buffers[i].bytes);
        if ((uintptr_t)buffers[i].data % sizeof(uint32_t))
            return sch_refuse_element(list, element, i, "%s[%u]: memory that is not aligned to words", argument + 1, i);
    }
    return true;
}

static bool memory_holds(const struct sch_bindings *given, struct sch_diagnostics *list)
{
    if (given->input_memory.bytes && !given->input_memory.data)
        return sch_refuse_argument(list, ".input_memory", "input_memory: %zu bytes of no memory",
                                   given->input_memory.bytes);
    return storage_holds(given->buffers, given->buffer_count, ".buffers", ".buffers[#]", list) &&
           storage_holds(given->hw_atomics, given->hw_atomic_count, ".hw_atomics", ".hw_atomics[#]", list) &&
           storage_holds(&given->global_memory, 1, ".global_memory", ".global_memory", list);
}

static void bind_memory(const struct sch_bindings *given, struct sch_exec_bindings *bound)
{
    bound->buffers = given->buffers;
    bound->buffer_count = given->buffer_count;
    bound->counters = given->hw_atomics;
    bound->counter_count = given->hw_atomic_count;
    bound->global_memory = given->global_memory;
    bound->input_memory = given->input_memory;
}

static bool bind_images(struct sch_context *context, struct sch_image *const *given, uint32_t count,
                        struct sch_exec_image **images)
{
    if (!sch_api_array(context, count, sizeof **images, (void **)images)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (given[i]) (*images)[i] = given[i]->exec;
    return true;
}

/* Turns the textures of `given`, those that are there; false: no memory. */
static bool bind_textures(struct sch_context *context, const struct sch_bindings *given, struct sch_api_bound *bound)
{
    if (!sch_api_array(context, given->view_count, sizeof *bound->views, (void **)&bound->views) ||
        !sch_api_array(context, given->sampler_count, sizeof *bound->samplers, (void **)&bound->samplers) ||
        !bind_images(context, given->images, given->image_count, &bound->images) ||
        !bind_images(context, given->color_buffers, given->color_buffer_count, &bound->color_buffers))
        return false;
    for (uint32_t i = 0; i < given->view_count; i++)
        if (given->views[i]) bound->views[i] = given->views[i]->exec;
    for (uint32_t i = 0; i < given->sampler_count; i++)
        if (given->samplers[i])
            bound->samplers[i] = given->samplers[i]->exec;
        else
            bound->samplers[i].missing = true;
    bound->exec.views = bound->views;
    bound->exec.view_count = given->view_count;
    bound->exec.samplers = bound->samplers;
    bound->exec.sampler_count = given->sampler_count;
    bound->exec.images = bound->images;
    bound->exec.image_count = given->image_count;
    bound->exec.color_buffers = bound->color_buffers;
    bound->exec.color_buffer_count = given->color_buffer_count;
    return true;
}

static bool textures_hold(const struct sch_bindings *given, struct sch_diagnostics *list)
{
    return array_holds(given->views, given->view_count, ".views", list) &&
           array_holds(given->samplers, given->sampler_count, ".samplers", list) &&
           array_holds(given->images, given->image_count, ".images", list) &&
           array_holds(given->color_buffers, given->color_buffer_count, ".color_buffers", list);
}

static bool constants_hold(const struct sch_bindings *given, struct sch_diagnostics *list)
{
    if (!array_holds(given->constants, given->constant_count, ".constants", list)) return false;
    for (uint32_t i = 0; i < given->constant_count; i++)
        if (given->constants[i].bytes && !given->constants[i].data)
            return sch_refuse_element(list, ".constants[#]", i, "constants[%u]: %zu bytes of no memory", i,
                                      given->constants[i].bytes);
    return true;
}

/* `pool` and `size` are the members. */
static bool pool_holds(const void *data, size_t bytes, const char *pool, const char *size, struct sch_diagnostics *list)
{
    enum { ENTRY = 32 };
    if (bytes % ENTRY || bytes / ENTRY > UINT32_MAX)
        return sch_refuse_argument(list, size, "%zu bytes of entries of %d", bytes, ENTRY);
    return data || !bytes || sch_refuse_argument(list, pool, "%zu bytes of no memory", bytes);
}

/* Whether they overlap is seen when the run begins (maxwell/run). */
static bool ranges_hold(const struct sch_maxwell_bindings *given, struct sch_diagnostics *list)
{
    enum { ALIGNMENT = 8 };
    if (given->range_count > SCH_MAXWELL_MOST_RANGES)
        return sch_refuse_argument(list, ".maxwell.range_count", "%" PRIu32 " ranges, of at most %d",
                                   given->range_count, SCH_MAXWELL_MOST_RANGES);
    if (!array_holds(given->ranges, given->range_count, ".maxwell.ranges", list)) return false;
    for (uint32_t i = 0; i < given->range_count; i++) {
        const struct sch_maxwell_range *range = &given->ranges[i];
        if (range->bytes && !range->data)
            return sch_refuse_element(list, ".maxwell.ranges[#]", i, "ranges[%u]: %" PRIu64 " bytes of no memory", i,
                                      range->bytes);
        if (range->bytes > SIZE_MAX || range->bytes > UINT64_MAX - range->address)
            return sch_refuse_element(list, ".maxwell.ranges[#]", i, "ranges[%u]: it ends beyond the last address", i);
        if (range->bytes && ((uintptr_t)range->data - range->address) % ALIGNMENT)
            return sch_refuse_element(list, ".maxwell.ranges[#]", i,
                                      "ranges[%u]: data and address are not equal modulo %d", i, ALIGNMENT);
    }
    return true;
}

/* What Maxwell code finds in the machine; false: refused. */
static bool bind_maxwell(const struct sch_bindings *given, struct sch_diagnostics *list, struct sch_api_bound *bound)
{
    struct sch_maxwell_bindings *maxwell = &bound->maxwell;
    if (!given->maxwell) return true;
    if (!sch_api_read_inner(list, ".maxwell", maxwell, sizeof *maxwell, sizeof *maxwell, given->maxwell) ||
        !ranges_hold(maxwell, list) ||
        !pool_holds(maxwell->headers, maxwell->header_bytes, ".maxwell.headers", ".maxwell.header_bytes", list) ||
        !pool_holds(maxwell->samplers, maxwell->sampler_bytes, ".maxwell.samplers", ".maxwell.sampler_bytes", list))
        return false;
    bound->exec.maxwell = maxwell;
    return maxwell->memory || !maxwell->memory_bytes ||
           sch_refuse_argument(list, ".maxwell.memory", "%zu bytes of no memory", maxwell->memory_bytes);
}

/* The constant buffers of `given`, and its interfaces, which take the place of two; false: no memory. */
static bool bind_constants(struct sch_context *context, const struct sch_bindings *given, struct sch_api_bound *bound)
{
    bound->exec.constants = given->constants;
    bound->exec.constant_count = given->constant_count;
    if (!given->interface_count) return true;
    uint32_t count = given->constant_count > SCH_D3D_CHOSEN_THIS ? given->constant_count : SCH_D3D_CHOSEN_THIS + 1;
    if (!sch_api_array(context, count, sizeof *bound->constants, (void **)&bound->constants)) return false;
    for (uint32_t i = 0; i < given->constant_count; i++) bound->constants[i] = given->constants[i];
    bound->exec.constants = bound->constants;
    bound->exec.constant_count = count;
    bound->interfaces = sch_api_interface_words(context, given, bound->constants);
    return bound->interfaces != NULL;
}

enum sch_result sch_api_bind(const struct sch_program *program, const struct sch_bindings *given,
                             struct sch_diagnostics *list, struct sch_api_bound *bound)
{
    *bound = (struct sch_api_bound){.constants = NULL};
    struct sch_context *context = program->context;
    struct sch_bindings wanted;
    if (!given) return SCH_OK;
    if (!sch_api_read_inner(list, "", &wanted, sizeof wanted, sizeof wanted, given)) return SCH_ERROR_ARGUMENT;
    enum sch_result result = sch_api_replace_ranges(context, &wanted, list, &bound->replaced);
    if (result != SCH_OK) return result;
    bool holds = memory_holds(&wanted, list) && constants_hold(&wanted, list) && textures_hold(&wanted, list) &&
                 sch_api_interfaces_hold(&wanted, program->tables, list) && bind_maxwell(&wanted, list, bound);
    if (!holds) return SCH_ERROR_ARGUMENT;
    bind_memory(&wanted, &bound->exec);
    bool made = bind_constants(context, &wanted, bound) && bind_textures(context, &wanted, bound);
    return made ? SCH_OK : SCH_ERROR_MEMORY;
}

/* What pixels are counted in. A session that goes back would count again. */
static bool take_heat(struct sch_api_call *call, const struct sch_dispatch_options *wanted, struct sch_run_options *run)
{
    if (!wanted->heat) return true;
    if (wanted->debug) return sch_refuse_argument(call->list, "options.heat", "heat of a run that a session debugs");
    run->heat = &call->heat;
    return sch_api_read_inner(call->list, "options.heat", &call->heat, sizeof call->heat, sizeof call->heat,
                              wanted->heat);
}

bool sch_api_has_no_heat(struct sch_api_call *call, const struct sch_run_options *run)
{
    return !run->heat || sch_refuse_argument(call->list, "options.heat", "heat of a dispatch that has no pixels");
}

bool sch_api_has_no_checks(struct sch_api_call *call, const struct sch_run_options *run)
{
    return !run->checks || sch_refuse_argument(call->list, "options.checks", "checks of what is not a grid");
}

enum sch_result sch_api_counts_heat(const struct sch_program *program, const struct sch_run_options *run)
{
    const char *what = !program                                                                ? NULL
                       : sch_run_heat_instructions(run->heat) && !program->counts_instructions ? "instructions"
                       : sch_run_heat_texels(run->heat) && !program->counts_texels             ? "texels"
                                                                                               : NULL;
    if (!what) return SCH_OK;
    sch_diagnostics_add(run->diagnostics, sch_diagnostic_severity(SCH_D_HEAT_ENGINE), SCH_D_HEAT_ENGINE,
                        (struct sch_position){0}, "the engine does not count %s", what);
    return SCH_ERROR_UNSUPPORTED;
}

bool sch_api_begin_run(struct sch_api_call *call, const char *name, const struct sch_dispatch_options *options,
                       const struct sch_dispatch_report *report, struct sch_run_options *run)
{
    struct sch_dispatch_options wanted;
    if (!sch_api_read(call, "options", &wanted, sizeof wanted, sizeof wanted, options)) return false;
    sch_api_use_list(call, wanted.diagnostics);
    sch_diagnostics_name(call->list, name);
    if (report && !sch_api_fits(call, "report", report->size, sizeof *report)) return false;
    *run = (struct sch_run_options){.pool = call->context->pool,
                                    .threads = wanted.threads,
                                    .budget = wanted.budget,
                                    .unordered = wanted.unordered,
                                    .shared_bytes = wanted.shared_bytes,
                                    .private_bytes = wanted.private_bytes,
                                    .diagnostics = call->list,
                                    .work = wanted.work,
                                    .cancel = wanted.cancel,
                                    .first_group = wanted.first_group,
                                    .group_count = wanted.group_count,
                                    .progress = wanted.progress};
    if (!take_heat(call, &wanted, run)) return false;
    if (wanted.checks & ~(uint32_t)(SCH_CHECK_RACES | SCH_CHECK_UNWRITTEN))
        return sch_refuse_argument(call->list, "options.checks", "checks that do not exist: 0x%" PRIx32, wanted.checks);
    if (wanted.checks && wanted.debug)
        return sch_refuse_argument(call->list, "options.checks", "checks of a run that a session debugs");
    run->checks = wanted.checks;
    if (wanted.debug) {
        run->watch = sch_api_debug_begin_call(wanted.debug, call->list);
        run->threads = 1;
        run->interrupt = &wanted.debug->interrupted;
        if (!run->watch) return false;
    }
    if (wanted.deadline_ms) run->deadline = sch_clock_after_ms(sch_clock_ns(), wanted.deadline_ms);
    return true;
}

static void write_report(struct sch_dispatch_report *report, const struct sch_run_report *done, enum sch_stage stage,
                         enum sch_result status)
{
    struct sch_dispatch_report made;
    memset(&made, 0, sizeof made); /* padding, too: callers may compare and keep whole reports */
    made.invocation = done->invocation;
    made.instruction = done->instruction;
    made.line = done->position.line;
    made.column = done->position.column;
    made.instructions = done->instructions;
    made.contents_undefined = status == SCH_ERROR_DEADLINE || status == SCH_ERROR_CANCELLED;
    made.stage = stage;
    made.findings = done->findings;
    sch_sized_write(report, &made, sizeof made);
}

enum sch_result sch_api_end_run(struct sch_api_call *call, const struct sch_run_report *done, enum sch_stage stage,
                                enum sch_result status, struct sch_dispatch_report *report)
{
    if (report) write_report(report, done, stage, status);
    return sch_api_end(call, status);
}

enum sch_result sch_dispatch(const struct sch_program *program, const struct sch_bindings *bindings,
                             const struct sch_invocations *invocations, const struct sch_dispatch_options *options,
                             struct sch_dispatch_report *report)
{
    struct sch_api_call call;
    struct sch_run_options run;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(program), NULL, __func__, "bindings");
    if (!sch_api_given(&call, program, "program") || !sch_api_given(&call, invocations, "invocations") ||
        !sch_api_begin_run(&call, program->name, options, report, &run) || !sch_api_has_no_heat(&call, &run) ||
        !sch_api_has_no_checks(&call, &run))
        return sch_api_refused(&call);

    struct sch_api_bound bound;
    struct sch_invocations work;
    struct sch_run_report done = {0};
    enum sch_result status = sch_api_bind(program, bindings, run.diagnostics, &bound);
    call.refusal.whose = "invocations";
    if (status == SCH_OK) status = sch_api_take_invocations(program, invocations, run.diagnostics, &work);
    if (status == SCH_OK) sch_api_warn_units(program, &bound.exec, run.diagnostics);
    if (status == SCH_OK) status = sch_run_invocations(program->exec, &bound.exec, &work, &run, &done);
    sch_api_unbind(program->context, &bound);
    return sch_api_end_run(&call, &done, program->stage, status, report);
}

/* The program's stage and the size of its work groups. */
static bool grid_holds(const struct sch_program *program, const uint32_t block[3], struct sch_diagnostics *list)
{
    if (program->stage != SCH_STAGE_COMPUTE)
        return sch_refuse_argument(list, "program", "a grid for a program that is not a compute shader");
    for (uint32_t d = 0; block && d < 3; d++) {
        const uint32_t fixed = program->exec->prepared.fixed_block[d];
        if (fixed && block[d] && block[d] != fixed)
            return sch_refuse_element(list, "block[#]", d, "block[%u] is %u, but the shader fixes %u", d, block[d],
                                      fixed);
    }
    return true;
}

/* The observer of the checks that are asked for. */
static enum sch_result begin_checks(const struct sch_program *program, struct sch_run_options *run,
                                    struct sch_run_checks **checks)
{
    if (!run->checks) return SCH_OK;
    const enum sch_result status =
        sch_run_checks_create(&program->context->allocator, run->checks, run->diagnostics, checks);
    if (status != SCH_OK) return status;
    run->watch = sch_run_checks_watch(*checks);
    run->threads = 1;
    return SCH_OK;
}

enum sch_result sch_dispatch_grid(const struct sch_program *program, const struct sch_bindings *bindings,
                                  const uint32_t grid[3], const uint32_t block[3],
                                  const struct sch_dispatch_options *options, struct sch_dispatch_report *report)
{
    static const uint32_t unsaid[3] = {0};
    struct sch_api_call call;
    struct sch_run_options run;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(program), NULL, __func__, "bindings");
    if (!sch_api_given(&call, program, "program") || !sch_api_begin_run(&call, program->name, options, report, &run) ||
        !sch_api_has_no_heat(&call, &run) || !grid_holds(program, block, call.list))
        return sch_api_refused(&call);

    struct sch_api_bound bound;
    struct sch_run_report done = {0};
    enum sch_result status = sch_api_bind(program, bindings, run.diagnostics, &bound);
    if (status == SCH_OK) sch_api_warn_units(program, &bound.exec, run.diagnostics);
    struct sch_run_checks *checks = NULL;
    if (status == SCH_OK) status = begin_checks(program, &run, &checks);
    if (status == SCH_OK)
        status = sch_run_grid(program->exec, &bound.exec, grid ? grid : unsaid, block ? block : unsaid, &run, &done);
    if (checks) done.findings = sch_run_checks_end(checks);
    sch_run_checks_destroy(checks);
    sch_api_unbind(program->context, &bound);
    return sch_api_end_run(&call, &done, program->stage, status, report);
}
