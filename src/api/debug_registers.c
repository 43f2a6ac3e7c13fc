/* The registers of a group that is stopped: reading them, and what an instruction changes. */
#include "api/debug.h"

#include <string.h>

/* Those that have values, in the order in which registers are listed. */
static const uint8_t files[] = {SCH_FILE_INPUT,        SCH_FILE_OUTPUT,   SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS,
                                SCH_FILE_SYSTEM_VALUE, SCH_FILE_CONSTANT, SCH_FILE_IMMEDIATE};

/* ---- reading ---- */

static const struct sch_lanes *constant(const struct sch_debug *debug, const struct sch_debug_register *which,
                                        struct sch_lanes scratch[4])
{
    const struct sch_exec_machine *machine = debug->machine;
    for (unsigned c = 0; c < 4; c++)
        machine->ops->splat(&scratch[c], sch_exec_constant_word(machine->bindings, which->dimension, which->index, c));
    return scratch;
}

/* A register of Maxwell code that the program does not name. */
static const struct sch_lanes *unnamed(const struct sch_debug_register *which, struct sch_lanes scratch[4])
{
    memset(scratch, 0, 4 * sizeof *scratch);
    return which->file == SCH_FILE_TEMPORARY && which->index < SCH_MAXWELL_GROUP_REGISTERS && !which->dimension
               ? scratch
               : NULL;
}

const struct sch_lanes *sch_api_debug_register(const struct sch_debug *debug, const struct sch_debug_register *which,
                                               struct sch_lanes scratch[4])
{
    const struct sch_exec_machine *machine = debug->machine;
    if ((unsigned)which->file >= SCH_FILE_COUNT || !memchr(files, (int)which->file, sizeof files)) return NULL;
    if (which->file == SCH_FILE_CONSTANT) return constant(debug, which, scratch);
    const struct sch_prepared_file *file = &machine->program->prepared.files[which->file];
    const uint32_t dimensions = which->file == SCH_FILE_INPUT ? machine->group.input_vertices : 1;
    if (machine->program->prepared.scalar && which->index >= file->count) return unnamed(which, scratch);
    if (which->index >= file->count || which->dimension >= dimensions) return NULL;
    const size_t number = (size_t)which->dimension * file->count + which->index;
    const struct sch_lanes *words = machine->group.space[file->space] + file->base + file->width * number;
    if (file->width == 4) return words;
    memset(scratch, 0, 4 * sizeof *scratch);
    scratch[0] = *words;
    return scratch;
}

bool sch_debug_register_at(const struct sch_debug *debug, uint32_t position, struct sch_debug_register *found)
{
    if (!debug || !found || !debug->machine) return false;
    const struct sch_prepared *program = &debug->machine->program->prepared;
    for (unsigned n = 0; n < sizeof files; n++) {
        const enum sch_file f = (enum sch_file)files[n];
        const struct sch_prepared_file *file = &program->files[f];
        uint64_t count = file->count;
        if (f == SCH_FILE_INPUT) count *= debug->machine->group.input_vertices;
        if (f == SCH_FILE_CONSTANT) count = program->constants.count;
        if (position >= count) {
            position -= (uint32_t)count;
            continue;
        }
        *found = (struct sch_debug_register){f, 0, position};
        if (f == SCH_FILE_INPUT)
            *found = (struct sch_debug_register){SCH_FILE_INPUT, position / file->count, position % file->count};
        if (f == SCH_FILE_CONSTANT)
            *found = (struct sch_debug_register){SCH_FILE_CONSTANT, program->constants.items[position].first,
                                                 program->constants.items[position].second};
        return true;
    }
    return false;
}

bool sch_debug_read_source(const struct sch_debug *debug, uint32_t number, uint32_t words[4][32])
{
    if (!debug || !words || !debug->machine || number >= debug->at->src_count) return false;
    if (debug->at->src[number].access == SCH_ACCESS_NONE) return false;
    for (unsigned c = 0; c < 4; c++)
        memcpy(words[c], sch_exec_operand(debug->machine, debug->at, number, c)->u, sizeof words[c]);
    return true;
}

/* ---- what an instruction changes ---- */

uint32_t sch_api_debug_not_finite(const struct sch_lanes *words, uint32_t lanes)
{
    uint32_t found = 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        if ((words->u[i] & 0x7f800000) == 0x7f800000) found |= UINT32_C(1) << i;
    return found & lanes;
}

static void note_change(struct sch_debug *debug, unsigned file, uint32_t index, unsigned channels, uint32_t lanes)
{
    const struct sch_exec_machine *machine = debug->machine;
    const struct sch_prepared_file *from = &machine->program->prepared.files[file];
    if (index >= from->count) return;
    for (uint32_t i = 0; i < debug->last.change_count; i++) {
        struct sch_api_debug_change *earlier = &debug->changes[i];
        if (earlier->file != file || earlier->index != index) continue;
        earlier->channels |= (uint8_t)channels;
        earlier->lanes |= lanes;
        return;
    }
    struct sch_api_debug_change *change = &debug->changes[debug->last.change_count++];
    *change = (struct sch_api_debug_change){
        .file = (uint8_t)file, .channels = (uint8_t)channels, .index = index, .lanes = lanes};
    memset(change->before, 0, sizeof change->before);
    memcpy(change->before, machine->group.space[SCH_SPACE_STATE] + from->base + from->width * (size_t)index,
           from->width * sizeof *change->before);
}

/* Channels `channels` from a register on: of it, or of registers that have one each. */
static void note_channels(struct sch_debug *debug, unsigned file, uint32_t index, unsigned channels, uint32_t lanes)
{
    if (debug->machine->program->prepared.files[file].width == 4) {
        note_change(debug, file, index, channels, lanes);
        return;
    }
    for (; channels; channels &= channels - 1)
        note_change(debug, file, index + (uint32_t)__builtin_ctz(channels), 1, lanes);
}

/* The file that a channel of the state is of. */
static unsigned file_of(const struct sch_prepared *program, uint32_t channel)
{
    static const uint8_t written[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT};
    for (unsigned f = 0; f < sizeof written; f++) {
        const struct sch_prepared_file *file = &program->files[written[f]];
        if (channel >= file->base && channel - file->base < file->width * file->count) return written[f];
    }
    return SCH_FILE_NULL;
}

static void note_destination(struct sch_debug *debug, const struct sch_prepared_dst *dst)
{
    const struct sch_exec_machine *machine = debug->machine;
    const struct sch_prepared *program = &machine->program->prepared;
    if (dst->access == SCH_ACCESS_PLAIN) {
        const unsigned file = file_of(program, dst->channel);
        if (file != SCH_FILE_NULL)
            note_channels(debug, file, (dst->channel - program->files[file].base) / program->files[file].width,
                          dst->mask, debug->last.lanes);
        return;
    }
    if (dst->access != SCH_ACCESS_REGISTERS && dst->access != SCH_ACCESS_PATCH) return;
    int64_t numbers[SCH_GROUP_LANES], vertices[SCH_GROUP_LANES];
    bool same;
    sch_exec_resolve(machine, &dst->index, numbers, &same);
    const bool others = dst->access == SCH_ACCESS_PATCH && dst->has_vertex;
    if (others) sch_exec_resolve(machine, &dst->dimension, vertices, &same);
    for (uint32_t left = machine->group.exec; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const int64_t number = numbers[lane], vertex = others ? vertices[lane] : lane;
        if (number < 0 || number >= program->files[dst->file].count) continue;
        const bool all = dst->access == SCH_ACCESS_PATCH && program->of_stage.patch_outputs[number];
        if (!all && (vertex < 0 || vertex >= program->of_stage.group_lanes)) continue; /* there is no such vertex */
        note_change(debug, dst->file, (uint32_t)number, dst->mask,
                    all ? (uint32_t)SCH_ALL_LANES : UINT32_C(1) << vertex);
    }
}

/* Lanes with an infinity or a NaN in a floating-point source; coordinates of lookups do not count. */
static uint32_t sources_not_finite(struct sch_exec_machine *machine, const struct sch_prepared_instruction *in)
{
    const struct sch_op_info *info = sch_op_form(in->opcode, in->src_count);
    const unsigned channels = sch_op_channels_read(info, in->dst_count ? in->dst[0].mask : 15);
    const struct sch_exec_engine *engine = machine->program->engine;
    uint32_t found = 0;
    if (engine->find_not_finite) return engine->find_not_finite(machine, in, false);
    for (unsigned s = 0; s < in->src_count; s++) {
        if (info->src_type[s] != 'F' || in->src[s].access == SCH_ACCESS_NONE) continue;
        for (unsigned c = 0; c < 4; c++)
            if (channels >> c & 1)
                found |= sch_api_debug_not_finite(sch_exec_operand(machine, in, s, c), machine->group.exec);
    }
    return found;
}

static void note_samples(struct sch_debug *debug)
{
    const struct sch_exec_machine *machine = debug->machine;
    const struct sch_exec_bindings *bindings = machine->bindings;
    const struct sch_prepared_lookup *lookup = debug->at->lookup;
    int64_t numbers[SCH_GROUP_LANES];
    bool same;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) debug->last.samples[i] = 1;
    if (lookup->view < 0 || lookup->handle) return;
    sch_exec_resolve(machine, &debug->at->src[lookup->view].index, numbers, &same);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        if (!bindings || numbers[i] < 0 || numbers[i] >= bindings->view_count) continue;
        const struct sch_texture *texture = bindings->views[numbers[i]].texture;
        if (texture && texture->samples > 1) debug->last.samples[i] = texture->samples;
    }
}

static void clear_trace(struct sch_debug *debug)
{
    struct sch_texture_trace *trace = &debug->machine->heat->trace;
    trace->texel_count = 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) trace->lane[i] = (struct sch_trace_lane){.face = -1, .layer = -1};
}

void sch_api_debug_note(struct sch_debug *debug)
{
    const struct sch_prepared_instruction *in = debug->at;
    debug->last.in = in;
    debug->last.lanes = sch_exec_executing(debug->machine, in);
    debug->last.depth = debug->machine->depth;
    debug->last.change_count = 0;
    debug->last.not_finite = 0;
    if (debug->plan.go.events & SCH_DEBUG_NOT_FINITE) debug->last.not_finite = sources_not_finite(debug->machine, in);
    for (unsigned d = 0; d < in->dst_count; d++) note_destination(debug, &in->dst[d]);
    if (!in->lookup) return;
    note_samples(debug);
    clear_trace(debug);
}
