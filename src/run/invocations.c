/* Invocations that the caller has in arrays, as a source of work: 32 consecutive ones are a group, of a tessellation
 * control shader those of a patch; each group is a unit. Callers store a register's four words together; here each
 * channel has its lanes together. What INTERP_* reads is in run/planes.c. */
#include "run/arrays.h"

#include "run/values.h"

static const struct sch_invocations *given_of(const struct sch_exec_source *source)
{
    return ((const struct sch_run_arrays *)source)->given;
}

/* ---- inputs ---- */

/* One register of every lane, `stride` words apart. */
static void load_register(const struct sch_exec_machine *machine, struct sch_lanes *to, const uint32_t *from,
                          size_t stride)
{
    unsigned lanes = sch_exec_lane_count(machine);
    if (lanes < SCH_GROUP_LANES) memset(to, 0, 4 * sizeof *to);
    for (unsigned i = 0; i < lanes; i++, from += stride) {
        to[0].u[i] = from[0];
        to[1].u[i] = from[1];
        to[2].u[i] = from[2];
        to[3].u[i] = from[3];
    }
}

static void load_inputs(const struct sch_invocations *given, struct sch_exec_machine *machine)
{
    const struct sch_exec_program *program = machine->program;
    const struct sch_prepared_file *file = &program->prepared.files[SCH_FILE_INPUT];
    uint32_t registers = given->input_registers;
    size_t stride = (size_t)machine->group.input_vertices * registers * 4;
    for (uint32_t v = 0; v < machine->group.input_vertices; v++)
        for (uint32_t n = 0; n < program->prepared.input_count; n++) {
            uint32_t r = program->prepared.inputs[n];
            struct sch_lanes *to =
                machine->group.space[SCH_SPACE_STATE] + file->base + 4 * ((size_t)v * file->count + r);
            if (r >= registers) continue; /* stays zero: nothing writes inputs */
            load_register(machine, to, given->inputs + machine->group.first * stride + ((size_t)v * registers + r) * 4,
                          stride);
        }
}

/* ---- the registers of Maxwell code ---- */

/* The lanes of a word of the caller's registers; NULL: the program does not name the register. */
static struct sch_lanes *scalar_at(const struct sch_exec_machine *machine, uint32_t word)
{
    const bool predicate = word >= SCH_MAXWELL_PREDICATE_WORD;
    const struct sch_prepared_file *file =
        &machine->program->prepared.files[predicate ? SCH_FILE_ADDRESS : SCH_FILE_TEMPORARY];
    const uint32_t number = predicate ? word - SCH_MAXWELL_PREDICATE_WORD : word;
    return number < file->count ? machine->group.space[SCH_SPACE_STATE] + file->base + number : NULL;
}

static void load_scalars(const struct sch_invocations *given, const struct sch_exec_machine *machine)
{
    const size_t stride = (size_t)given->input_registers * 4;
    const uint32_t *from = given->inputs + machine->group.first * stride;
    const unsigned lanes = sch_exec_lane_count(machine);
    for (uint32_t word = 0; word < stride; word++) {
        struct sch_lanes *to = scalar_at(machine, word);
        for (unsigned i = 0; to && i < lanes; i++) to->u[i] = from[i * stride + word];
    }
}

/* Registers that the program does not name are as they were given. */
static void store_scalars(const struct sch_invocations *given, const struct sch_exec_machine *machine)
{
    const size_t stride = (size_t)given->output_registers * 4, given_words = (size_t)given->input_registers * 4;
    uint32_t *to = given->outputs + machine->group.first * stride;
    const unsigned lanes = sch_exec_lane_count(machine);
    for (uint32_t word = 0; word < stride; word++) {
        const struct sch_lanes *from = scalar_at(machine, word);
        const uint32_t *before =
            given->inputs && word < given_words ? given->inputs + machine->group.first * given_words + word : NULL;
        for (unsigned i = 0; i < lanes; i++)
            to[i * stride + word] = from ? from->u[i] : before ? before[i * given_words] : 0;
    }
}

/* ---- system values ---- */

static bool has_value(const struct sch_invocations *given, uint32_t r)
{
    return given->system_values && r < given->system_value_registers &&
           (!given->system_value_given || given->system_value_given[r]);
}

/* The sample that an invocation runs for: what the caller gives as SAMPLEID, else 0. Looked up in what the caller gave,
 * as SAMPLEID's register may be loaded after the one that needs it, or never, when nothing else reads it. */
static uint32_t sample_number(const struct sch_invocations *given, const struct sch_exec_machine *machine,
                              unsigned lane)
{
    const struct sch_exec_program *program = machine->program;
    for (uint32_t r = 0; r < program->prepared.system_value_count && r < given->system_value_registers; r++) {
        if (program->prepared.system_values[r].semantic != SCH_SEMANTIC_SAMPLEID ||
            !program->prepared.system_values[r].declared)
            continue;
        if (given->system_value_given && !given->system_value_given[r]) continue;
        return given->system_values[((machine->group.first + lane) * given->system_value_registers + r) * 4];
    }
    return 0;
}

static void load_sample_positions(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                                  struct sch_lanes *to)
{
    for (unsigned i = 0; i < SCH_GROUP_LANES && machine->group.present >> i & 1; i++)
        sch_run_sample_position(source, i, sample_number(given_of(source), machine, i), to);
}

/* The caller's registers where it gave them, else what execution knows. */
static void load_system_values(const struct sch_exec_source *source, struct sch_exec_machine *machine)
{
    const struct sch_invocations *given = given_of(source);
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_SYSTEM_VALUE];
    uint32_t registers = given->system_value_registers;
    for (uint32_t r = 0; r < file->count; r++) {
        struct sch_lanes *to = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * r;
        unsigned semantic = machine->program->prepared.system_values[r].semantic;
        if (has_value(given, r)) {
            load_register(machine, to, given->system_values + (machine->group.first * registers + r) * 4,
                          (size_t)registers * 4);
            continue;
        }
        if (!machine->program->prepared.system_values[r].declared) continue;
        sch_run_own_value(machine, semantic, to);
        sch_run_stage_value(source, machine, semantic, to);
        if (semantic == SCH_SEMANTIC_SAMPLEPOS) load_sample_positions(source, machine, to);
    }
}

/* ---- a group ---- */

static uint32_t given_helpers(const struct sch_invocations *given, const struct sch_exec_machine *machine)
{
    uint32_t helpers = 0;
    for (unsigned i = 0; given->helpers && i < SCH_GROUP_LANES && machine->group.present >> i & 1; i++)
        if (given->helpers[machine->group.first + i]) helpers |= 1u << i;
    return helpers;
}

/* Lanes that are off are not helpers of Maxwell code, and execute nothing. */
static void turn_off(const struct sch_invocations *given, struct sch_exec_machine *machine)
{
    machine->off = 0;
    for (uint32_t left = machine->group.helpers; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (given->helpers[machine->group.first + i] != SCH_INVOCATION_OFF) continue;
        machine->off |= UINT32_C(1) << i;
    }
    machine->group.exec &= ~machine->off;
    machine->group.helpers &= ~machine->off;
    machine->started_helpers &= ~machine->off;
}

static bool load(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit, uint32_t group)
{
    (void)group;
    const struct sch_invocations *given = given_of(source);
    const uint32_t most = machine->program->prepared.of_stage.group_lanes;
    machine->group.first = unit * most;
    const uint64_t rest = given->count - machine->group.first;
    machine->group.present = sch_exec_first_lanes(rest < most ? rest : most);
    machine->started_helpers = given_helpers(given, machine);
    if (machine->program->prepared.of_stage.emit_limit) memset(&machine->emission, 0, sizeof machine->emission);
    sch_exec_begin_group(machine);
    sch_exec_clear_heat(machine);
    sch_exec_clear_group(machine);
    const bool scalar = machine->program->prepared.scalar;
    if (scalar) turn_off(given, machine);
    if (given->inputs && scalar)
        load_scalars(given, machine);
    else if (given->inputs)
        load_inputs(given, machine);
    load_system_values(source, machine);
    machine->loaded = true;
    return true;
}

/* ---- results ---- */

static void store_register(const struct sch_exec_machine *machine, const struct sch_lanes *from, uint32_t *to,
                           size_t stride)
{
    unsigned lanes = sch_exec_lane_count(machine);
    for (unsigned i = 0; i < lanes; i++, to += stride) {
        to[0] = from[0].u[i];
        to[1] = from[1].u[i];
        to[2] = from[2].u[i];
        to[3] = from[3].u[i];
    }
}

static void store_outputs(const struct sch_invocations *given, const struct sch_exec_machine *machine)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    const size_t stride = (size_t)given->output_registers * 4;
    const uint32_t registers = given->outputs ? given->output_registers : 0;
    for (uint32_t r = 0; r < registers; r++) {
        uint32_t *to = given->outputs + machine->group.first * stride + (size_t)r * 4;
        if (r < file->count) {
            store_register(machine, machine->group.space[SCH_SPACE_STATE] + file->base + 4 * r, to, stride);
            continue;
        }
        for (unsigned i = 0; i < sch_exec_lane_count(machine); i++) memset(to + i * stride, 0, 4 * sizeof *to);
    }
}

static void store(const struct sch_exec_source *source, const struct sch_exec_machine *machine)
{
    const struct sch_invocations *given = given_of(source);
    const unsigned lanes = sch_exec_lane_count(machine);
    const uint32_t killed = machine->group.helpers & ~machine->started_helpers;
    const bool emits = machine->program->prepared.stage == SCH_STAGE_GEOMETRY; /* others have no emission */
    for (unsigned i = 0; i < lanes && given->event_counts; i++)
        given->event_counts[machine->group.first + i] = emits ? machine->emission.events[i] : 0;
    for (unsigned i = 0; i < lanes && machine->heat; i++) {
        if (given->texels_read) given->texels_read[machine->group.first + i] = machine->heat->texels[i];
        if (given->greatest_lods) given->greatest_lods[machine->group.first + i] = machine->heat->lods[i];
    }
    if (given->outputs && machine->program->prepared.scalar)
        store_scalars(given, machine);
    else
        store_outputs(given, machine);
    for (unsigned i = 0; i < lanes && given->killed; i++) given->killed[machine->group.first + i] = killed >> i & 1;
}

/* ---- what instructions need ---- */

static void locate(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                   struct sch_lanes pixel[4])
{
    const struct sch_invocations *given = given_of(source);
    if (!given->pixels) return;
    for (uint32_t left = machine->group.present; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        for (unsigned c = 0; c < 4; c++) pixel[c].u[i] = given->pixels[(machine->group.first + i) * 4 + c];
    }
}

static void copy_outputs(const struct sch_exec_machine *machine, unsigned lane, uint32_t registers, uint32_t *to)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    const struct sch_lanes *from = machine->group.space[SCH_SPACE_STATE] + file->base;
    for (uint32_t r = 0; r < registers; r++)
        for (unsigned c = 0; c < 4; c++) to[4 * r + c] = r < file->count ? from[4 * r + c].u[lane] : 0;
}

/* Straight to the invocation's own part of the caller's arrays, so that nothing depends on groups or threads. */
static void emit_lane(const struct sch_invocations *given, const struct sch_exec_machine *machine, unsigned lane,
                      uint32_t event)
{
    const uint32_t number = machine->emission.events[lane] - 1;
    if (number >= given->event_capacity) return;
    const uint64_t place = (machine->group.first + lane) * given->event_capacity + number;
    given->events[place] = event;
    if (!given->event_outputs) return;
    uint32_t *to = given->event_outputs + place * given->event_registers * 4;
    if (event & SCH_EVENT_PRIMITIVE_END)
        memset(to, 0, (size_t)given->event_registers * 4 * sizeof *to);
    else
        copy_outputs(machine, lane, given->event_registers, to);
}

static void emit(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lanes,
                 uint32_t event)
{
    const struct sch_invocations *given = given_of(source);
    for (; given->events && lanes; lanes &= lanes - 1) emit_lane(given, machine, (unsigned)__builtin_ctz(lanes), event);
}

static void identify(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lane,
                     struct sch_invocation_place *place)
{
    (void)source;
    place->parts = SCH_PLACE_INVOCATION;
    place->invocation = (uint32_t)(machine->group.first + lane);
}

static const struct sch_exec_source_kind kind = {.name = "invocations",
                                                 .load = load,
                                                 .store = store,
                                                 .identify = identify,
                                                 .locate = locate,
                                                 .centroids = sch_run_centroids,
                                                 .interpolate = sch_run_interpolate,
                                                 .emit = emit};

/* ---- making ---- */

enum sch_result sch_run_invocations(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                                    const struct sch_invocations *given, const struct sch_run_options *options,
                                    struct sch_run_report *report)
{
    const uint32_t lanes = program->prepared.of_stage.group_lanes;
    const bool whole = lanes == SCH_GROUP_LANES && !given->helpers;
    struct sch_run_arrays made = {.given = given,
                                  .source = {.kind = &kind,
                                             .units = ((uint64_t)given->count + lanes - 1) / lanes,
                                             .groups = 1,
                                             .all_groups = ((uint64_t)given->count + lanes - 1) / lanes,
                                             .quads = given->quads,
                                             .counts_texels = given->texels_read || given->greatest_lods,
                                             .samples = given->samples ? given->samples : 1,
                                             .input_vertices = given->input_vertices ? given->input_vertices : 1,
                                             .full_groups = whole ? given->count / SCH_GROUP_LANES : 0,
                                             .other_groups = !whole || given->count % SCH_GROUP_LANES}};
    return sch_run(program, bindings, &made.source, options, report);
}
