/* Runs lowered lookups: bound views and samplers take the place of headers, the steps of a plan run on registers of
 * the warp, results go where the shader wants them. */
#include "maxwell/run/engine.h"

#include "isa/errors.h"
#include "maxwell/lower/lower.h"
#include "maxwell/run/warp.h"

#include <string.h>

typedef const struct sch_prepared_instruction instruction;

/* A header's index is the target that it shows and the number of the view. */
enum { VIEW_BITS = 15, HEADER_BITS = 20, HEADERS = SCH_TARGET_COUNT << VIEW_BITS };
static const uint32_t INVALID_HANDLE = UINT32_MAX;

/* ---- when the program is made ---- */

static instruction *run_lookup(struct sch_exec_machine *machine, instruction *in);

static enum sch_result prepare(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                               struct sch_diagnostics *diagnostics)
{
    enum sch_result status = sch_engine_interpreter.prepare(program, shader, diagnostics);
    if (status != SCH_OK) return status;
    struct sch_maxwell_lowered *lowered = SCH_ARENA_NEW(&program->prepared.arena, struct sch_maxwell_lowered);
    if (!lowered) return SCH_ERROR_MEMORY;
    status = sch_maxwell_lower(&program->prepared, &program->prepared.arena, diagnostics, lowered);
    if (status != SCH_OK) return status;
    for (uint32_t n = 0; n < program->prepared.instruction_count; n++) {
        if (lowered->plans[n]) program->handlers[n] = run_lookup;
    }
    program->engine_data = lowered;
    if (lowered->refused) return SCH_ERROR_UNSUPPORTED;
    if (!program->engine_context) return SCH_OK;
    return sch_maxwell_take_code(program->engine_context, &program->prepared, diagnostics, lowered);
}

static const struct sch_maxwell_plan *plan_of(const struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_maxwell_lowered *lowered = machine->program->engine_data;
    return lowered->plans[in->number];
}

/* ---- what is bound ---- */

/* One thread's: the machine, and headers and samplers of what is bound. */
struct engine_state {
    struct sch_maxwell_warp warp;
    struct sch_maxwell_machine *machine;
    uint32_t *constants;
};

static const uint8_t types[SCH_TARGET_COUNT] = {
    [SCH_TARGET_BUFFER] = SCH_MAXWELL_ONE_D_BUFFER,
    [SCH_TARGET_1D] = SCH_MAXWELL_ONE_D,
    [SCH_TARGET_2D] = SCH_MAXWELL_TWO_D,
    [SCH_TARGET_3D] = SCH_MAXWELL_THREE_D,
    [SCH_TARGET_CUBE] = SCH_MAXWELL_CUBEMAP,
    [SCH_TARGET_RECT] = SCH_MAXWELL_TWO_D_NO_MIPMAP,
    [SCH_TARGET_1D_ARRAY] = SCH_MAXWELL_ONE_D_ARRAY,
    [SCH_TARGET_2D_ARRAY] = SCH_MAXWELL_TWO_D_ARRAY,
    [SCH_TARGET_CUBE_ARRAY] = SCH_MAXWELL_CUBEMAP_ARRAY,
    [SCH_TARGET_2D_MSAA] = SCH_MAXWELL_TWO_D_NO_MIPMAP,
    [SCH_TARGET_2D_ARRAY_MSAA] = SCH_MAXWELL_TWO_D_ARRAY,
};

/* What a header would say of a bound view under a target. Its samples are where Direct3D has them, as those of every
 * mode without positions of its own (maxwell/run/queries.def), the first among them. */
static void show_view(const struct sch_exec_view *view, unsigned target, struct sch_maxwell_texture *texture)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    const struct sch_texture *shown = view->texture;
    const struct sch_texture_level *level = &shown->level[0];
    uint32_t cubes = is->cube ? shown->layers / SCH_CUBE_FACES : shown->layers;
    *texture = (struct sch_maxwell_texture){.texture = *shown,
                                            .type = types[target],
                                            .target = (uint8_t)target,
                                            .format = view->format,
                                            .format_linear = view->format,
                                            .component = {0, 1, 2, 3},
                                            .normalized = target != SCH_TARGET_RECT,
                                            .sampler_border = true,
                                            .width = level->width,
                                            .height = level->height,
                                            .depth = is->axes == 3 ? level->depth : cubes,
                                            .max_level = shown->levels - 1,
                                            .view_max_level = shown->levels - 1,
                                            .samples = (uint8_t)shown->samples};
    memcpy(texture->swizzle, view->swizzle, sizeof texture->swizzle);
}

static void show_sampler(const struct sch_exec_sampler *bound, struct sch_maxwell_sampler *sampler)
{
    *sampler = (struct sch_maxwell_sampler){
        .key = bound->key, .values = bound->values, .compare_function = bound->key.compare};
    sampler->key.rules = SCH_RULES_MAXWELL;
    memcpy(sampler->border_srgb, bound->values.border, sizeof sampler->border_srgb);
}

/* NULL: none is bound, or one of another shape. */
static const struct sch_exec_view *bound_view(const struct sch_exec_bindings *bindings, int64_t number, unsigned target)
{
    if (!bindings || number < 0 || number >= bindings->view_count || number >= SCH_MAXWELL_VIEWS) return NULL;
    const struct sch_exec_view *view = &bindings->views[number];
    bool there = view->texture && view->texture->levels && sch_exec_results(view->target, target);
    return there ? view : NULL;
}

/* Coordinates in texels go with some targets only: elsewhere the result is 0. */
static bool is_sampler(const struct sch_exec_bindings *bindings, int64_t number, unsigned target)
{
    if (!bindings || number < 0 || number >= bindings->sampler_count || number >= SCH_MAXWELL_SAMPLERS) return false;
    const struct sch_exec_sampler *sampler = &bindings->samplers[number];
    return !sampler->missing && (!sampler->key.unnormalized || sch_texture_takes_texels(target));
}

/* What is not bound has a handle that no pool holds. */
static uint32_t handle_word(const struct sch_exec_bindings *bindings, int64_t view, int64_t sampler,
                            const struct sch_maxwell_handle *handle)
{
    if (!bound_view(bindings, view, (unsigned)handle->lookup_target)) return INVALID_HANDLE;
    if (handle->samples && !is_sampler(bindings, sampler, (unsigned)handle->lookup_target)) return INVALID_HANDLE;
    uint32_t header = (uint32_t)handle->target << VIEW_BITS | (uint32_t)view;
    return (handle->samples ? (uint32_t)sampler << HEADER_BITS : 0) | header;
}

/* The bound views that lookups of one target read, as headers of another. */
static enum sch_result bind_views_as(struct engine_state *state, const struct sch_exec_bindings *bindings,
                                     unsigned lookup_target, unsigned target, struct sch_arena *arena)
{
    for (uint32_t v = 0; v < bindings->view_count; v++) {
        const struct sch_exec_view *view = bound_view(bindings, v, lookup_target);
        if (!view) continue;
        struct sch_maxwell_texture *texture = SCH_ARENA_NEW(arena, struct sch_maxwell_texture);
        if (!texture) return SCH_ERROR_MEMORY;
        show_view(view, target, texture);
        enum sch_result status = sch_maxwell_bind_texture(state->machine, (uint32_t)target << VIEW_BITS | v, texture);
        if (status != SCH_OK) return status;
    }
    return SCH_OK;
}

/* Cubes are sampled as cubes and fetched as arrays of faces. */
static enum sch_result bind_views(struct engine_state *state, const struct sch_exec_machine *machine,
                                  struct sch_arena *arena)
{
    const struct sch_exec_program *program = machine->program;
    uint32_t shown[SCH_TARGET_COUNT] = {0}; /* of each target of lookups: bits of the headers' targets */
    for (uint32_t n = 0; n < program->prepared.instruction_count; n++) {
        instruction *in = &program->prepared.instructions[n];
        const struct sch_maxwell_plan *plan = plan_of(machine, in);
        if (plan) shown[in->lookup->target] |= 1u << plan->target;
    }
    for (unsigned lookup_target = 0; lookup_target < SCH_TARGET_COUNT; lookup_target++)
        for (uint32_t left = shown[lookup_target]; left; left &= left - 1) {
            const unsigned target = (unsigned)__builtin_ctz(left);
            enum sch_result status = bind_views_as(state, machine->bindings, lookup_target, target, arena);
            if (status != SCH_OK) return status;
        }
    return SCH_OK;
}

static enum sch_result bind_samplers(struct engine_state *state, const struct sch_exec_bindings *bindings,
                                     struct sch_arena *arena)
{
    for (uint32_t n = 0; n < bindings->sampler_count && n < SCH_MAXWELL_SAMPLERS; n++) {
        struct sch_maxwell_sampler *sampler = SCH_ARENA_NEW(arena, struct sch_maxwell_sampler);
        if (!sampler) return SCH_ERROR_MEMORY;
        show_sampler(&bindings->samplers[n], sampler);
        enum sch_result status = sch_maxwell_bind_sampler(state->machine, n, sampler);
        if (status != SCH_OK) return status;
    }
    return SCH_OK;
}

static enum sch_result begin(struct sch_exec_machine *machine, struct sch_arena *arena)
{
    const struct sch_maxwell_lowered *lowered = machine->program->engine_data;
    struct engine_state *state = SCH_ARENA_NEW(arena, struct engine_state);
    uint32_t *constants = SCH_ARENA_ARRAY(arena, uint32_t, (size_t)lowered->handle_count + 1);
    if (!state || !constants) return SCH_ERROR_MEMORY;
    for (uint32_t n = 0; n < lowered->handle_count; n++) {
        const struct sch_maxwell_handle *handle = &lowered->handles[n];
        constants[n] = handle_word(machine->bindings, handle->view, handle->sampler, handle);
    }
    struct sch_maxwell_machine_options options = {.maximum_header = HEADERS - 1,
                                                  .maximum_sampler = SCH_MAXWELL_SAMPLERS - 1,
                                                  .constants = constants,
                                                  .constant_words = lowered->handle_count,
                                                  .lanes = machine->ops->lanes};
    enum sch_result status = sch_maxwell_machine_create(&options, &arena->allocator, &state->machine);
    if (status != SCH_OK) return status;
    machine->engine_state = state;
    if (machine->bindings) status = bind_views(state, machine, arena);
    if (machine->bindings && status == SCH_OK) status = bind_samplers(state, machine->bindings, arena);
    return status;
}

static void end(struct sch_exec_machine *machine)
{
    struct engine_state *state = machine->engine_state;
    if (state) sch_maxwell_machine_destroy(state->machine);
}

/* ---- when a lookup runs ---- */

static void read_handles(struct sch_exec_machine *machine, instruction *in, struct sch_lanes *to)
{
    const struct sch_maxwell_plan *plan = plan_of(machine, in);
    const struct sch_maxwell_handle handle = {
        .target = plan->target, .lookup_target = in->lookup->target, .samples = plan->samples};
    struct sch_exec_units units;
    sch_exec_name_units(machine, in, &units);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        to->u[i] = handle_word(machine->bindings, units.views[i], units.samplers[i], &handle);
}

static void read_source(struct sch_exec_machine *machine, const struct sch_prepared_src *src, unsigned component,
                        struct sch_lanes *to)
{
    const struct sch_lanes *from = sch_exec_source(machine, src, component, to);
    if (from != to) *to = *from;
}

static void fail(struct sch_exec_machine *machine, instruction *in, enum sch_result status, unsigned refused)
{
    machine->group.failure = status;
    machine->refused = refused;
    machine->failed_lane = (uint32_t)__builtin_ctz(machine->group.exec);
    machine->failed_instruction = in->number;
}

/* The level of a lane that looks up a view with coordinates in texels or without. */
static void level_of_view(struct sch_exec_machine *machine, instruction *in,
                          const struct sch_maxwell_lowered_step *step, const struct sch_exec_view *view, bool texels,
                          uint32_t lane)
{
    struct engine_state *state = machine->engine_state;
    const struct sch_ops *ops = machine->ops;
    const struct sch_lanes *at = &state->warp.registers[step->from[0]], *d = &state->warp.registers[step->from[1]];
    const struct sch_sampler_key key = {
        .target = in->lookup->target, .format = view->format, .rules = SCH_RULES_MAXWELL, .unnormalized = texels};
    const struct sch_sampler_values values = {.min_lod = -128.0f, .max_lod = 128.0f};
    struct sch_lanes mask, layer, level, unused;
    struct sch_sample_request request = {.lod_mode = SCH_LOD_GRADIENTS, .mask = &mask};
    for (unsigned a = 0; a < in->lookup->axes; a++) {
        request.coordinate[a] = &at[a];
        request.ddx[a] = &d[2 * a];
        request.ddy[a] = &d[2 * a + 1];
    }
    ops->splat(&layer, 0);
    request.coordinate[in->lookup->axes] = &layer; /* where there are layers; of all the sizes are the same */
    ops->mask_lanes(&mask, lane);
    struct sch_lanes *const to[4] = {&level, &unused, &unused, &unused};
    ops->footprint_query(&key, &values, view->texture, &request, to);
    ops->commit(&state->warp.registers[step->to], &level, &mask);
}

/* Lanes whose view or sampler is not there read 0 anyway. A sampler that filters along the derivatives has no
 * match: the dispatch is refused. */
static void run_level(struct sch_exec_machine *machine, instruction *in, const struct sch_maxwell_lowered_step *step)
{
    const struct sch_exec_bindings *bindings = machine->bindings;
    struct sch_exec_units units;
    const unsigned target = in->lookup->target;
    const bool flat = sch_target_facts(target)->axes == 2 && !sch_target_facts(target)->cube;
    sch_exec_name_units(machine, in, &units);
    for (uint32_t left = machine->group.exec; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const struct sch_exec_view *view = bound_view(bindings, units.views[lane], target);
        if (!view || !is_sampler(bindings, units.samplers[lane], target)) continue;
        const struct sch_sampler_key *key = &bindings->samplers[units.samplers[lane]].key;
        if (flat && key->max_anisotropy > 1) {
            fail(machine, in, SCH_ERROR_UNSUPPORTED, SCH_D_MAXWELL_LOWERED_ANISOTROPY);
            return;
        }
        level_of_view(machine, in, step, view, key->unnormalized, 1u << lane);
    }
}

static void run_step(struct sch_exec_machine *machine, instruction *in, const struct sch_maxwell_lowered_step *step)
{
    struct engine_state *state = machine->engine_state;
    struct sch_lanes *registers = state->warp.registers, *to = &registers[step->to];
    const struct sch_lanes *from[SCH_MAX_SRCS];
    switch ((enum sch_maxwell_step_kind)step->kind) {
    case SCH_MAXWELL_STEP_SOURCE:
        read_source(machine, &in->src[step->operand], step->component, to);
        break;
    case SCH_MAXWELL_STEP_OFFSET:
        read_source(machine, &in->lookup->offset[step->operand], step->component, to);
        break;
    case SCH_MAXWELL_STEP_HANDLE:
        read_handles(machine, in, to);
        break;
    case SCH_MAXWELL_STEP_LEVEL:
        run_level(machine, in, step);
        break;
    case SCH_MAXWELL_STEP_CONSTANT:
        machine->ops->splat(to, step->word);
        break;
    case SCH_MAXWELL_STEP_ALU:
        for (unsigned s = 0; s < SCH_MAX_SRCS; s++) from[s] = &registers[step->from[s]];
        machine->ops->op[step->opcode](0, &to, from);
        break;
    }
}

static void write_results(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_maxwell_plan *plan = plan_of(machine, in);
    const struct engine_state *state = machine->engine_state;
    for (unsigned mask = plan->written; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        const struct sch_lanes *value = &state->warp.registers[plan->result[c]];
        if (in->modify) {
            struct sch_lanes *to = &machine->group.result[0];
            machine->ops->modify[in->modify](0, &to, &value);
            value = to;
        }
        sch_exec_write(machine, &in->dst[0], c, value);
    }
}

static instruction *run_lookup(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_maxwell_plan *plan = plan_of(machine, in);
    struct engine_state *state = machine->engine_state;
    struct sch_maxwell_warp *warp = &state->warp;
    const struct sch_maxwell_lowered *lowered = machine->program->engine_data;
    sch_exec_hasten(machine, SCH_EXEC_LOOKUP_COST);
    if (lowered->given) memset(warp, 0, sizeof *warp); /* they may read and write any registers */
    for (unsigned n = 0; n < plan->before; n++) run_step(machine, in, &plan->steps[n]);
    if (machine->group.failure != SCH_OK) return NULL;
    warp->active = machine->group.exec;
    warp->killed = machine->group.helpers;
    warp->shader = machine->quads ? SCH_MAXWELL_SHADER_PIXEL : SCH_MAXWELL_SHADER_OTHER;
    /* Without quads the neighbours are strangers: .NDV would make derivatives of them. */
    struct sch_maxwell_instruction texture = plan->texture;
    texture.nondivergent = texture.nondivergent && machine->quads;
    enum sch_result status =
        sch_maxwell_execute(state->machine, &texture, warp, machine->program->prepared.positions[in->number], NULL);
    if (status != SCH_OK) {
        fail(machine, in, status, 0);
        return NULL;
    }
    for (unsigned n = 0; n < plan->after; n++) run_step(machine, in, &plan->steps[plan->before + n]);
    write_results(machine, in);
    return in + 1;
}

static void run_group(struct sch_exec_machine *machine) { sch_engine_interpreter.run_group(machine); }

const struct sch_exec_engine sch_engine_maxwell = {
    .name = "maxwell", .by_handlers = true, .prepare = prepare, .begin = begin, .end = end, .run_group = run_group};
