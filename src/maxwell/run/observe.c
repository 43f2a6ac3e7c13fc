/* What instructions of Maxwell code are about to do, for observers: the memory that they access, the barriers that they
 * come to, the registers that they read. Nothing is executed, and nothing fails. */
#include "maxwell/run/handlers.h"
#include "maxwell/run/program.h"
#include "maxwell/run/reach.h"
#include "maxwell/run/thread.h"

typedef const struct sch_prepared_instruction instruction;

enum { REGISTERS = SCH_MAXWELL_GROUP_REGISTERS, PREDICATES = SCH_MAXWELL_GROUP_PREDICATES, TEST_ALWAYS = 15 };

/* ---- memory ---- */

static enum sch_maxwell_space space_of(unsigned facts)
{
    if (facts & SCH_MAXWELL_ANYWHERE) return SCH_MAXWELL_GENERIC;
    if (facts & SCH_MAXWELL_OUTSIDE) return SCH_MAXWELL_GLOBAL;
    return facts & SCH_MAXWELL_OF_LANE ? SCH_MAXWELL_LOCAL : SCH_MAXWELL_SHARED;
}

/* A lane's place: of global memory its range, of the others the kind. */
static void name_place(const struct sch_maxwell_reach *access, unsigned lane, struct sch_exec_touched *place)
{
    const struct sch_maxwell_run *run = access->machine->run_state;
    const enum sch_maxwell_space space = sch_maxwell_space_of(access, access->address[lane], &place->byte);
    place->file = SCH_FILE_MEMORY;
    place->address = access->address[lane];
    place->bytes = place->inside = access->lane_bytes[lane] ? access->lane_bytes[lane] : access->bytes;
    place->memory = access->place[lane];
    place->kind = space == SCH_MAXWELL_SHARED  ? SCH_MEMORY_SHARED
                  : space == SCH_MAXWELL_LOCAL ? SCH_MEMORY_PRIVATE
                                               : SCH_MEMORY_GLOBAL;
    if (space != SCH_MAXWELL_GLOBAL) return;
    const int64_t range = sch_maxwell_find_range(run, place->address);
    place->number = (uint32_t)range;
    place->byte = place->address - run->ranges[range].address;
}

uint32_t sch_maxwell_observe_places(struct sch_exec_machine *machine, instruction *in,
                                    struct sch_exec_touched places[SCH_GROUP_LANES])
{
    if (in->texture || in->number >= machine->program->prepared.instruction_count) return 0;
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const unsigned facts = sch_maxwell_facts_of(step);
    if (!in->accesses) return 0;
    const uint8_t touch = facts & SCH_MAXWELL_LOADS    ? SCH_EXEC_READS
                          : facts & SCH_MAXWELL_STORES ? SCH_EXEC_WRITES
                                                       : SCH_EXEC_UPDATES;
    struct sch_maxwell_reach access = {
        .machine = machine, .in = in, .space = space_of(facts), .writes = touch != SCH_EXEC_READS, .quiet = true};
    access.bytes = touch == SCH_EXEC_UPDATES ? sch_maxwell_number_bytes(sch_maxwell_update_number(step))
                                             : sch_maxwell_bytes_of(step->how.size);
    uint32_t lanes, found = 0;
    if (facts & SCH_MAXWELL_BY_HEADER) {
        lanes = sch_maxwell_reach_surface(&access);
    } else {
        lanes = sch_maxwell_lanes(machine, step);
        sch_maxwell_find_addresses(&access, step);
        sch_maxwell_reach_lanes(&access, lanes);
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (!access.place[lane]) continue;
        places[lane] = (struct sch_exec_touched){.touch = touch};
        name_place(&access, lane, &places[lane]);
        found |= UINT32_C(1) << lane;
    }
    return found;
}

uint32_t sch_maxwell_run_ranges(const struct sch_exec_machine *machine, const struct sch_maxwell_range **ranges)
{
    const struct sch_maxwell_run *run = machine->program->prepared.scalar ? machine->run_state : NULL;
    if (ranges) *ranges = run ? run->ranges : NULL;
    return run ? run->range_count : 0;
}

/* ---- barriers ---- */

bool sch_maxwell_observe_barrier(struct sch_exec_machine *machine, instruction *in, struct sch_exec_arrival *arrival)
{
    if (in->texture || in->number >= machine->program->prepared.instruction_count) return false;
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const bool waits = in->waits;
    const struct sch_lanes *number;
    if (!waits && step->kind != SCH_MAXWELL_KIND_arrive) return false;
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    if (!lanes) return false;
    *arrival = (struct sch_exec_arrival){.waits = waits};
    if (step->source[0].kind == SCH_MAXWELL_FROM_NOTHING) return true;
    struct sch_maxwell_thread *thread = machine->engine_state;
    sch_maxwell_source(machine, &step->source[0], 0, &thread->read[0], &number);
    arrival->barrier = number->u[__builtin_ctz(lanes)];
    return arrival->barrier < SCH_MAXWELL_BARRIERS;
}

/* ---- registers ---- */

struct reads {
    struct sch_exec_register_read *to;
    uint32_t count;
};

static void add(struct reads *reads, enum sch_file file, unsigned first, unsigned count, uint32_t lanes)
{
    const unsigned end = file == SCH_FILE_TEMPORARY ? REGISTERS : (unsigned)SCH_MAXWELL_ADDRESSES;
    if (first >= end || !lanes || reads->count == SCH_EXEC_MOST_READS) return;
    if (count > end - first) count = end - first;
    reads->to[reads->count++] = (struct sch_exec_register_read){
        .lanes = lanes, .first = (uint16_t)first, .count = (uint16_t)count, .file = (uint8_t)file};
}

static void add_source(struct reads *reads, const struct sch_maxwell_source *source, uint32_t lanes)
{
    if (source->kind == SCH_MAXWELL_FROM_REGISTER)
        add(reads, SCH_FILE_TEMPORARY, source->number, source->words ? source->words : 1, lanes);
    if (source->kind == SCH_MAXWELL_FROM_PREDICATE && source->number < PREDICATES)
        add(reads, SCH_FILE_ADDRESS, source->number, 1, lanes);
}

static void add_texture(struct reads *reads, const struct sch_maxwell_instruction *texture, uint32_t lanes)
{
    struct sch_maxwell_packing packing;
    sch_maxwell_operands(texture, &packing);
    add(reads, SCH_FILE_TEMPORARY, texture->ra, packing.a_count, packing.a_count ? lanes : 0);
    add(reads, SCH_FILE_TEMPORARY, texture->rb, packing.b_count, packing.b_count ? lanes : 0);
}

/* Beside branches and guards. P2R may save what no one has written. */
static bool reads_flags(const struct sch_maxwell_step *step)
{
    enum { LOWEST = 1, MIDDLE = 2 }; /* table XMODE */
    if (step->kind != SCH_MAXWELL_KIND_arithmetic) return false;
    const bool goes_on = step->how.chain == LOWEST || step->how.chain == MIDDLE;
    return step->how.extend || step->body == SCH_MAXWELL_BODY_CSET || step->body == SCH_MAXWELL_BODY_CSETP ||
           (step->body == SCH_MAXWELL_BODY_IMNMX && goes_on);
}

uint32_t sch_maxwell_observe_reads(struct sch_exec_machine *machine, instruction *in,
                                   struct sch_exec_register_read to[SCH_EXEC_MOST_READS])
{
    struct reads reads = {.to = to};
    if (in->number >= machine->program->prepared.instruction_count) return 0;
    const uint32_t lanes = sch_exec_executing(machine, in);
    if (in->texture) {
        const struct sch_maxwell_instruction *texture = &sch_maxwell_program_of(machine)->textures[in->number];
        if (texture->guard < PREDICATES) add(&reads, SCH_FILE_ADDRESS, texture->guard, 1, machine->group.exec);
        add_texture(&reads, texture, lanes);
        return reads.count;
    }
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    if (step->guard < PREDICATES) add(&reads, SCH_FILE_ADDRESS, step->guard, 1, machine->group.exec);
    if (step->test != TEST_ALWAYS) add(&reads, SCH_FILE_ADDRESS, SCH_MAXWELL_CC, 1, machine->group.exec);
    if (reads_flags(step)) add(&reads, SCH_FILE_ADDRESS, SCH_MAXWELL_CC, 1, lanes);
    /* Functions save registers of their callers on the stack, whether or not these hold anything. */
    const unsigned first = step->kind == SCH_MAXWELL_KIND_store_local ? 1 : 0;
    for (unsigned s = first; s < step->source_count; s++) add_source(&reads, &step->source[s], lanes);
    add(&reads, SCH_FILE_TEMPORARY, step->base, step->how.wide ? 2 : 1, lanes);
    return reads.count;
}

/* ---- infinities and NaNs ---- */

/* Lanes of a word that has the exponent of a float of 16, 32 or 64 bits, all ones. */
static uint32_t not_finite(const struct sch_lanes *word, unsigned bits)
{
    const uint32_t exponent = bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : 0x7ff00000;
    uint32_t found = 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        if ((word->u[i] & exponent) == exponent) found |= UINT32_C(1) << i;
    return found;
}

/* Floats that the texture unit has returned to a lookup of a session, and that the instruction keeps. */
static uint32_t texture_not_finite(const struct sch_exec_machine *machine,
                                   const struct sch_maxwell_instruction *texture)
{
    const struct sch_maxwell_thread *thread = machine->engine_state;
    uint32_t found = 0;
    if (!thread->told) return 0;
    for (unsigned c = 0; c < 4; c++)
        if (texture->write_mask >> c & 1) found |= not_finite(&machine->group.result[c], 32);
    return found & thread->told->floats;
}

uint32_t sch_maxwell_observe_not_finite(struct sch_exec_machine *machine, instruction *in, bool results)
{
    if (in->number >= machine->program->prepared.instruction_count) return 0;
    if (in->texture)
        return results ? texture_not_finite(machine, &sch_maxwell_program_of(machine)->textures[in->number]) : 0;
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const struct sch_maxwell_floats floats = sch_maxwell_step_floats(step);
    if (results) {
        const unsigned above = step->result_words > 1 && step->result < REGISTERS ? 1 : 0;
        return floats.result ? not_finite(sch_maxwell_read(machine, step->result + above), floats.result) : 0;
    }
    struct sch_maxwell_thread *thread = machine->engine_state;
    const struct sch_lanes *word;
    uint32_t found = 0;
    for (unsigned s = 0; s < step->source_count; s++) {
        if (!floats.source[s]) continue;
        const unsigned last = step->source[s].words > 1 ? 1 : 0;
        sch_maxwell_source(machine, &step->source[s], last, &thread->read[0], &word);
        found |= not_finite(word, floats.source[s]);
    }
    return found;
}
