/* Registers at the borders of a group: constants, inputs and system values in, outputs out. Callers store a register's
 * four words together; here each channel has its lanes together. */
#include "exec/job.h"

static const float least_lod = -128.0f;

void sch_exec_load_constants(struct sch_exec_job *job)
{
    const struct sch_exec_program *program = job->program;
    for (uint32_t n = 0; n < program->constants.count; n++) {
        const struct sch_pair *constant = &program->constants.items[n];
        for (unsigned c = 0; c < 4; c++)
            program->ops->splat(job->run_space + 4 * n + c,
                                sch_exec_constant_word(job->bindings, constant->first, constant->second, c));
    }
}

static unsigned lane_count(const struct sch_exec_machine *machine)
{
    /* They are the first ones. */
    return machine->group.present == UINT32_MAX ? SCH_GROUP_LANES : (unsigned)__builtin_ctz(~machine->group.present);
}

/* One register of every lane, `stride` words apart. */
static void load_register(const struct sch_exec_machine *machine, struct sch_lanes *to, const uint32_t *from,
                          size_t stride)
{
    unsigned lanes = lane_count(machine);
    if (lanes < SCH_GROUP_LANES) memset(to, 0, 4 * sizeof *to);
    for (unsigned i = 0; i < lanes; i++, from += stride) {
        to[0].u[i] = from[0];
        to[1].u[i] = from[1];
        to[2].u[i] = from[2];
        to[3].u[i] = from[3];
    }
}

static void load_inputs(const struct sch_exec_job *job, struct sch_exec_machine *machine, uint64_t first)
{
    const struct sch_exec_program *program = job->program;
    const struct sch_invocations *given = job->invocations;
    const struct sch_exec_file *file = &program->files[SCH_FILE_INPUT];
    uint32_t registers = given->input_registers;
    size_t stride = (size_t)job->input_vertices * registers * 4;
    for (uint32_t v = 0; v < job->input_vertices; v++)
        for (uint32_t n = 0; n < program->input_count; n++) {
            uint32_t r = program->inputs[n];
            struct sch_lanes *to =
                machine->group.space[SCH_SPACE_STATE] + file->base + 4 * ((size_t)v * file->count + r);
            if (r >= registers) continue; /* stays zero: nothing writes inputs */
            load_register(machine, to, given->inputs + first * stride + ((size_t)v * registers + r) * 4, stride);
        }
}

/* ---- system values ---- */

static void splat(const struct sch_exec_machine *machine, struct sch_lanes *to, const uint32_t *words, unsigned count)
{
    for (unsigned c = 0; c < count; c++) machine->ops->splat(&to[c], words[c]);
}

static uint32_t work_dimensions(const struct sch_exec_job *job)
{
    for (unsigned d = 3; d > 1; d--)
        if (job->grid[d - 1] > 1 || job->block[d - 1] > 1) return d;
    return 1;
}

/* What a lane's mask semantics say of lane i: lanes equal to, from, after, up to, before it. */
static void load_lane_masks(struct sch_lanes *to, unsigned semantic)
{
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t self = 1u << i, before = self - 1;
        to->u[i] = semantic == SCH_SEMANTIC_SUBGROUP_EQ_MASK   ? self
                   : semantic == SCH_SEMANTIC_SUBGROUP_GE_MASK ? ~before
                   : semantic == SCH_SEMANTIC_SUBGROUP_GT_MASK ? ~(before | self)
                   : semantic == SCH_SEMANTIC_SUBGROUP_LE_MASK ? before | self
                                                               : before;
    }
}

/* The semantics that execution itself decides; the others stay 0. Of a machine all but one stay, too. */
static void load_own_value(const struct sch_exec_machine *machine, unsigned semantic, struct sch_lanes *to)
{
    if (semantic == SCH_SEMANTIC_HELPER_INVOCATION) machine->ops->mask_lanes(&to[0], machine->started_helpers);
    if (machine->loaded) return;
    if (semantic == SCH_SEMANTIC_SUBGROUP_SIZE) machine->ops->splat(&to[0], SCH_GROUP_LANES);
    if (semantic == SCH_SEMANTIC_SUBGROUP_INVOCATION)
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) to[0].u[i] = i;
    if (semantic >= SCH_SEMANTIC_SUBGROUP_EQ_MASK && semantic <= SCH_SEMANTIC_SUBGROUP_LT_MASK)
        load_lane_masks(&to[0], semantic);
}

static uint32_t number_below(uint64_t number, uint32_t limit) { return (uint32_t)(number % limit); }

/* Only what changes is written: neighbours have two of the three numbers in common. Before the first group all are
 * zero. */
static __attribute__((noinline)) void load_block_id(const struct sch_exec_job *job,
                                                    const struct sch_exec_machine *machine, struct sch_lanes *to,
                                                    uint64_t unit)
{
    uint32_t id[3] = {(uint32_t)unit, 0, 0};
    if (unit >= job->grid[0]) {
        uint64_t row = unit / job->grid[0];
        id[0] = number_below(unit, job->grid[0]);
        id[1] = number_below(row, job->grid[1]);
        id[2] = (uint32_t)(row / job->grid[1]);
    }
    for (unsigned c = 0; c < 3; c++)
        if (to[c].u[0] != id[c]) machine->ops->splat(&to[c], id[c]);
}

/* What differs between the groups of a grid: the threads unless each group has a machine of its own, and the work group
 * when another one begins. */
static inline void load_changing_value(const struct sch_exec_job *job, const struct sch_exec_machine *machine,
                                       unsigned semantic, struct sch_lanes *to, uint64_t unit, uint32_t group)
{
    if (semantic == SCH_SEMANTIC_THREAD_ID && (!machine->loaded || job->groups != job->machines))
        machine->ops->thread_ids(to, group * SCH_GROUP_LANES, job->block);
    if (semantic == SCH_SEMANTIC_BLOCK_ID && (!machine->loaded || group == 0 || job->machines > 1))
        load_block_id(job, machine, to, unit);
}

/* And what does not. */
static void load_grid_value(const struct sch_exec_job *job, const struct sch_exec_machine *machine, unsigned semantic,
                            struct sch_lanes *to, uint64_t unit, uint32_t group)
{
    load_changing_value(job, machine, semantic, to, unit, group);
    if (machine->loaded) return;
    if (semantic == SCH_SEMANTIC_GRID_SIZE) splat(machine, to, job->grid, 3);
    if (semantic == SCH_SEMANTIC_BLOCK_SIZE) splat(machine, to, job->block, 3);
    if (semantic == SCH_SEMANTIC_WORK_DIM) machine->ops->splat(&to[0], work_dimensions(job));
}

/* The caller's registers where it gave them, else what execution knows. */
static void load_system_values(const struct sch_exec_job *job, struct sch_exec_machine *machine, uint64_t unit,
                               uint32_t group)
{
    const struct sch_exec_program *program = job->program;
    const struct sch_exec_file *file = &program->files[SCH_FILE_SYSTEM_VALUE];
    const struct sch_invocations *given = job->invocations;
    uint32_t registers = given && given->system_values ? given->system_value_registers : 0;
    for (uint32_t r = 0; r < file->count; r++) {
        struct sch_lanes *to = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * r;
        if (r < registers && (!given->system_value_given || given->system_value_given[r])) {
            const uint32_t *from = given->system_values + (machine->group.first * registers + r) * 4;
            load_register(machine, to, from, (size_t)registers * 4);
            continue;
        }
        if (!program->system_values[r].declared || (job->area && job->area->given_values[r])) continue;
        load_own_value(machine, program->system_values[r].semantic, to);
        if (given) sch_exec_load_stage_value(machine, program->system_values[r].semantic, to);
        if (!given) load_grid_value(job, machine, program->system_values[r].semantic, to, unit, group);
    }
}

/* ---- groups ---- */

static uint32_t first_lanes(uint64_t count) { return count >= SCH_GROUP_LANES ? UINT32_MAX : (1u << count) - 1; }

static uint32_t given_helpers(const struct sch_exec_job *job, uint64_t first, uint32_t present)
{
    if (!job->invocations || !job->invocations->helpers) return 0;
    uint32_t helpers = 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES && present >> i & 1; i++)
        if (job->invocations->helpers[first + i]) helpers |= 1u << i;
    return helpers;
}

/* TEMP, ADDR and OUT start at zero. */
static const uint8_t cleared_files[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT};

static void clear_file(const struct sch_exec_machine *machine, unsigned number)
{
    const struct sch_exec_file *file = &machine->program->files[number];
    if (!file->count) return;
    memset(machine->group.space[SCH_SPACE_STATE] + file->base, 0, 4 * (size_t)file->count * sizeof(struct sch_lanes));
}

void sch_exec_clear_rest(const struct sch_exec_machine *machine)
{
    for (unsigned f = 0; f < sizeof cleared_files; f++)
        if (!machine->program->files[cleared_files[f]].cleared) clear_file(machine, cleared_files[f]);
}

/* The state of a group's execution before its first instruction; its lanes are known. */
static inline void begin_group(struct sch_exec_machine *machine)
{
    machine->group.exec = machine->group.present;
    machine->group.helpers = machine->started_helpers;
    machine->group.at = 0;
    machine->depth = 0;
    machine->payers = 0;
    machine->pending = machine->room = 0;
    if (machine->group.settled) memset(machine->spent, 0, sizeof machine->spent);
    machine->group.settled = false;
    machine->most_spent = 0;
    machine->group.executed_before = machine->group.executed;
    machine->group.budget_end = machine->group.executed + machine->group.first_room;
}

static void clear_group(struct sch_exec_machine *machine)
{
    for (unsigned f = 0; f < sizeof cleared_files; f++)
        if (machine->program->files[cleared_files[f]].cleared) clear_file(machine, cleared_files[f]);
    const struct sch_memory_view *own = &machine->memory[SCH_MEMORY_PRIVATE];
    if (own->data) sch_exec_clear(machine, own->data, (size_t)own->lane_bytes * SCH_GROUP_LANES);
}

void sch_exec_list_changing(struct sch_exec_job *job)
{
    const struct sch_exec_program *program = job->program;
    const struct sch_exec_file *file = &program->files[SCH_FILE_SYSTEM_VALUE];
    job->quick = !job->invocations;
    for (uint32_t r = 0; r < file->count && job->quick; r++) {
        unsigned semantic = program->system_values[r].semantic;
        if (!program->system_values[r].declared) continue;
        if (semantic != SCH_SEMANTIC_THREAD_ID && semantic != SCH_SEMANTIC_BLOCK_ID) continue;
        if (job->changing_count < SCH_EXEC_CHANGING)
            job->changing[job->changing_count++] =
                (struct sch_exec_changing){.semantic = semantic, .channel = file->base + 4 * r};
        else
            job->quick = false;
    }
}

/* A group of a grid on a machine that has run one before: small kernels live on this being quick. */
static inline void load_next_threads(const struct sch_exec_job *job, struct sch_exec_machine *machine, uint64_t unit,
                                     uint32_t group)
{
    machine->group.first = (uint64_t)group * SCH_GROUP_LANES;
    machine->group.present = first_lanes(job->block_threads - machine->group.first);
    machine->started_helpers = 0;
    begin_group(machine);
    clear_group(machine);
    for (uint32_t i = 0; i < job->changing_count; i++)
        load_changing_value(job, machine, job->changing[i].semantic,
                            machine->group.space[SCH_SPACE_STATE] + job->changing[i].channel, unit, group);
}

void sch_exec_load_group(const struct sch_exec_job *job, struct sch_exec_machine *machine, uint64_t unit,
                         uint32_t group)
{
    const struct sch_invocations *given = job->invocations;
    if (job->quick && machine->loaded) {
        load_next_threads(job, machine, unit, group);
        return;
    }
    uint32_t most = job->program->of_stage.group_lanes;
    uint64_t first = given ? unit * most : (uint64_t)group * SCH_GROUP_LANES;
    uint64_t rest = (given ? given->count : job->block_threads) - first;
    machine->group.first = first;
    if (job->program->of_stage.emit_limit) memset(&machine->emission, 0, sizeof machine->emission);
    machine->group.present = first_lanes(rest < most ? rest : most);
    machine->started_helpers =
        job->area ? sch_exec_load_area(job->area, machine, unit) : given_helpers(job, first, machine->group.present);
    begin_group(machine);
    for (unsigned i = 0; i < SCH_GROUP_LANES && machine->heat; i++) {
        machine->heat->texels[i] = 0;
        machine->heat->lods[i] = least_lod;
    }
    clear_group(machine);
    if (given && given->inputs) load_inputs(job, machine, first); /* they are zero, or planes */
    load_system_values(job, machine, unit, group);
    machine->loaded = true;
}

void sch_exec_load_span(const struct sch_exec_job *job, struct sch_exec_machine *machine, uint64_t unit)
{
    machine->group.present = UINT32_MAX;
    machine->started_helpers = 0;
    begin_group(machine);
    load_system_values(job, machine, unit, 0);
    machine->loaded = true;
}

static void store_register(const struct sch_exec_machine *machine, const struct sch_lanes *from, uint32_t *to,
                           size_t stride)
{
    unsigned lanes = lane_count(machine);
    for (unsigned i = 0; i < lanes; i++, to += stride) {
        to[0] = from[0].u[i];
        to[1] = from[1].u[i];
        to[2] = from[2].u[i];
        to[3] = from[3].u[i];
    }
}

void sch_exec_store_group(const struct sch_exec_job *job, const struct sch_exec_machine *machine)
{
    const struct sch_invocations *given = job->invocations;
    if (job->area) {
        sch_exec_store_area(job->area, machine);
        return;
    }
    sch_exec_store_events(machine);
    for (unsigned i = 0; i < lane_count(machine) && machine->heat; i++) {
        if (given->texels_read) given->texels_read[machine->group.first + i] = machine->heat->texels[i];
        if (given->greatest_lods) given->greatest_lods[machine->group.first + i] = machine->heat->lods[i];
    }
    const struct sch_exec_file *file = &job->program->files[SCH_FILE_OUTPUT];
    uint64_t first = machine->group.first;
    size_t stride = (size_t)given->output_registers * 4;
    uint32_t registers = given->outputs ? given->output_registers : 0;
    for (uint32_t r = 0; r < registers; r++) {
        uint32_t *to = given->outputs + first * stride + (size_t)r * 4;
        if (r < file->count) {
            store_register(machine, machine->group.space[SCH_SPACE_STATE] + file->base + 4 * r, to, stride);
            continue;
        }
        for (unsigned i = 0; i < lane_count(machine); i++) memset(to + i * stride, 0, 4 * sizeof *to);
    }
    if (!given->killed) return;
    uint32_t killed = machine->group.helpers & ~machine->started_helpers;
    for (unsigned i = 0; i < lane_count(machine); i++) given->killed[first + i] = killed >> i & 1;
}
