/* What code accesses memory and images through: the views of its instructions, and the slow way of those accesses that
 * are not simple. What an access means is src/ops/memory/memory.c; which register is which memory exec/memory.c. */
#include "native/internal.h"

static uint64_t simple_bytes(const struct sch_memory_view *view)
{
    const uint64_t addresses = (uint64_t)1 << 32;
    if (view->lane_bytes) return 0;
    return view->bytes < addresses ? view->bytes : addresses;
}

static void make_view(const struct sch_exec_machine *machine, const struct sch_prepared_instruction *in,
                      struct sch_group_view *to)
{
    const struct sch_prepared_resource *resource = in->resource;
    if (resource->texture) {
        struct sch_exec_shown shown;
        sch_exec_show(machine->program, machine->bindings, resource, resource->index.base, &shown);
        sch_exec_texel_counts(&shown, to->sizes);
        return;
    }
    to->view = sch_exec_fixed_view(machine, resource, &to->shift);
    to->readable = simple_bytes(&to->view);
    to->storable = to->view.writable ? to->readable : 0;
    to->writable = to->view.writable ? to->view.bytes : 0;
    to->sizes[0] = sch_exec_memory_size(&to->view);
}

enum sch_result sch_native_make_views(const struct sch_exec_machine *machine, struct sch_arena *arena,
                                      struct sch_group_view **views)
{
    const struct sch_exec_program *program = machine->program;
    size_t count = 0;
    for (uint32_t n = 0; n < program->prepared.instruction_count; n++)
        count += sch_native_has_view(&program->prepared.instructions[n]);
    if (!count) return SCH_OK;
    *views = SCH_ARENA_ARRAY(arena, struct sch_group_view, count);
    if (!*views) return SCH_ERROR_MEMORY;
    struct sch_group_view *to = *views;
    for (uint32_t n = 0; n < program->prepared.instruction_count; n++) {
        if (sch_native_has_view(&program->prepared.instructions[n]))
            make_view(machine, &program->prepared.instructions[n], to++);
    }
    return SCH_OK;
}

void sch_native_list_constants(const struct sch_exec_bindings *bindings,
                               struct sch_group_constants constants[SCH_GROUP_CONSTANTS])
{
    const uint64_t most = INT32_MAX;
    memset(constants, 0, SCH_GROUP_CONSTANTS * sizeof *constants);
    for (uint32_t n = 0; bindings && n < bindings->constant_count && n < SCH_GROUP_CONSTANTS; n++) {
        uint64_t words = bindings->constants[n].bytes / 4;
        constants[n].data = bindings->constants[n].data;
        for (unsigned c = 0; c < 4; c++) {
            uint64_t registers = (words + 3 - c) / 4;
            constants[n].registers[c] = (uint32_t)(registers < most ? registers : most);
        }
    }
}

/* ---- the slow ways ---- */

static const struct sch_prepared_instruction *instruction_of(const struct sch_exec_machine *machine, uint32_t number)
{
    return &machine->program->prepared.instructions[number];
}

static struct sch_memory_request request_of(const struct sch_group *group, const struct sch_group_view *view,
                                            uint32_t lanes, uint32_t components)
{
    return (struct sch_memory_request){
        .address = &group->scratch[0][0], .lanes = lanes, .shift = view->shift, .components = (uint8_t)components};
}

void sch_native_load_words(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes,
                           uint32_t components)
{
    struct sch_lanes *const result[4] = {&group->result[0], &group->result[1], &group->result[2], &group->result[3]};
    const struct sch_memory_request request = request_of(group, view, lanes, components);
    sch_exec_machine_of(group)->ops->load(&view->view, &request, result);
}

void sch_native_store_words(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes,
                            uint32_t components)
{
    const struct sch_lanes *const value[4] = {&group->scratch[1][0], &group->scratch[1][1], &group->scratch[1][2],
                                              &group->scratch[1][3]};
    const struct sch_memory_request request = request_of(group, view, lanes, components);
    sch_exec_machine_of(group)->ops->store(&view->view, &request, value);
}

void sch_native_update_words(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes,
                             uint32_t number)
{
    const struct sch_exec_machine *machine = sch_exec_machine_of(group);
    const struct sch_lanes *const operand[2] = {&group->scratch[2][0], &group->scratch[3][0]};
    const struct sch_memory_request request = request_of(group, view, lanes, 1);
    if (lanes != (uint32_t)SCH_ALL_LANES) machine->ops->splat(&group->result[0], 0);
    machine->ops->atomic[instruction_of(machine, number)->opcode](&view->view, &request, operand, &group->result[0]);
}

/* ---- textures, and whatever registers name ---- */

struct operands {
    const struct sch_lanes *address[4], *value[4];
};

/* Where code puts them. */
static struct operands operands_of(const struct sch_group *group, bool atomic)
{
    struct operands at;
    for (unsigned c = 0; c < 4; c++) at.address[c] = &group->scratch[0][c];
    for (unsigned c = 0; c < 4; c++) at.value[c] = &group->scratch[1][c];
    if (atomic) at.value[0] = &group->scratch[2][0];
    if (atomic) at.value[1] = &group->scratch[3][0];
    return at;
}

void sch_native_update_texels(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes,
                              uint32_t number)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    const struct sch_prepared_instruction *in = instruction_of(machine, number);
    const struct operands at = operands_of(group, true);
    struct sch_lanes *const result[4] = {&group->result[0]};
    struct sch_exec_shown shown;
    (void)view;
    sch_exec_show(machine->program, machine->bindings, in->resource, in->resource->index.base, &shown);
    machine->ops->splat(&group->result[0], 0);
    sch_exec_image_update(machine, in, &shown, lanes, at.address, result, at.value);
}

void sch_native_access_any(struct sch_group *group, uint32_t number)
{
    struct sch_exec_machine *machine = sch_exec_machine_of(group);
    const struct sch_prepared_instruction *in = instruction_of(machine, number);
    const struct operands at = operands_of(group, sch_prepared_is_atomic(in));
    sch_exec_access(machine, in, at.address, at.value);
}
