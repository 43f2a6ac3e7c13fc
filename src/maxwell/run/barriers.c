/* Barriers of a block by their numbers. A warp arrives as a whole and counts as 32 threads, whichever of its lanes have
 * ended. Groups that wait are held until the barrier has as many threads as it expects. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "maxwell/run/handlers.h"
#include "maxwell/run/thread.h"

typedef const struct sch_prepared_instruction instruction;

enum { POPULATION, ALL, ANY };

static struct sch_maxwell_thread *thread_of(const struct sch_exec_machine *machine) { return machine->engine_state; }

/* The group's, which is empty when another one has begun. */
static struct sch_maxwell_waiting *waiting_of(const struct sch_exec_machine *machine)
{
    struct sch_maxwell_waiting *waiting = &thread_of(machine)->waiting;
    if (waiting->of.unit != machine->at.unit || waiting->of.group != machine->at.group)
        *waiting = (struct sch_maxwell_waiting){.of = machine->at};
    return waiting;
}

/* Lanes that have not ended. */
static uint32_t alive(const struct sch_exec_machine *machine)
{
    uint32_t lanes = machine->group.exec;
    for (uint32_t f = 0; f < machine->depth; f++) lanes |= machine->frames[f].resume;
    return lanes;
}

/* A number that all lanes agree on. */
static bool read_number(struct sch_exec_machine *machine, instruction *in, const struct sch_maxwell_source *source,
                        uint32_t lanes, uint32_t *number)
{
    const struct sch_lanes *value;
    const unsigned first = (unsigned)__builtin_ctz(lanes);
    *number = 0;
    if (source->kind == SCH_MAXWELL_FROM_NOTHING) return true;
    sch_maxwell_source(machine, source, 0, &thread_of(machine)->read[0], &value);
    *number = value->u[first];
    if (!(lanes & ~machine->ops->equal_u32(value, *number))) return true;
    sch_maxwell_fail(machine, in, first, SCH_ERROR_BARRIER, SCH_D_MAXWELL_RUN_BARRIER,
                     "lanes of a warp name different barriers or counts");
    return false;
}

enum { PLACE = 48 };

/* An instruction's place, as reports have it. */
static void name_place(const struct sch_exec_machine *machine, uint32_t number, char text[PLACE])
{
    const struct sch_position *at = &machine->program->prepared.positions[number];
    if (at->line)
        snprintf(text, PLACE, "line %" PRIu32, at->line);
    else
        snprintf(text, PLACE, "byte 0x%" PRIx64, at->offset);
}

/* A lane does not come to a barrier with its warp. It is in the stack: the entry says where it continues. */
static void fail_alone(struct sch_exec_machine *machine, instruction *in, unsigned lane)
{
    char place[PLACE] = "";
    for (uint32_t f = machine->depth; f-- > 0 && !*place;)
        if (machine->frames[f].resume >> lane & 1 && machine->frames[f].back)
            name_place(machine, machine->frames[f].back->number, place);
    sch_maxwell_fail(machine, in, lane, SCH_ERROR_BARRIER, SCH_D_MAXWELL_RUN_BARRIER,
                     "it has not ended, and does not come to the barrier with its warp: %s%s",
                     *place ? "it waits to continue at " : "its guard does not hold", place);
}

/* The warp arrives: NULL: it has failed. */
static struct sch_maxwell_arrival *arrive(struct sch_exec_machine *machine, instruction *in, uint32_t lanes)
{
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t missing = alive(machine) & ~lanes;
    uint32_t number, count;
    if (missing) {
        fail_alone(machine, in, (unsigned)__builtin_ctz(missing));
        return NULL;
    }
    if (!read_number(machine, in, &step->source[0], lanes, &number) ||
        !read_number(machine, in, &step->source[1], lanes, &count))
        return NULL;
    if (number >= SCH_MAXWELL_BARRIERS) {
        sch_maxwell_fail(machine, in, (unsigned)__builtin_ctz(lanes), SCH_ERROR_BARRIER, SCH_D_MAXWELL_RUN_BARRIER,
                         "there is no barrier %u", number);
        return NULL;
    }
    struct sch_maxwell_waiting *waiting = waiting_of(machine);
    struct sch_maxwell_arrival *arrival = &waiting->barrier[number];
    arrival->threads += SCH_GROUP_LANES;
    arrival->expected = count;
    waiting->at = (uint8_t)number;
    return arrival;
}

static uint64_t expected_threads(const struct sch_maxwell_arrival *arrival, uint64_t groups)
{
    const uint64_t lanes = SCH_GROUP_LANES;
    return arrival->expected ? (arrival->expected + lanes - 1) / lanes * lanes : groups * lanes;
}

/* What BAR.RED finds of all that have asked. */
static uint32_t reduce(unsigned mode, uint64_t trues, uint64_t all)
{
    return mode == POPULATION ? (uint32_t)trues : mode == ALL ? trues == all : trues != 0;
}

/* For a block of one warp, which waits for no other. */
static instruction *pass_alone(struct sch_exec_machine *machine, instruction *in, struct sch_maxwell_arrival *arrival)
{
    if (arrival->threads < expected_threads(arrival, 1))
        return sch_maxwell_fail(machine, in, 0, SCH_ERROR_BARRIER, SCH_D_MAXWELL_RUN_BARRIER,
                                "the barrier expects %u threads, which the block does not have", arrival->expected);
    thread_of(machine)->reduced = reduce(arrival->mode, (uint64_t)__builtin_popcount(arrival->truths),
                                         (uint64_t)__builtin_popcount(arrival->lanes));
    *arrival = (struct sch_maxwell_arrival){0};
    return in + 1;
}

instruction *sch_maxwell_barrier(struct sch_exec_machine *machine, instruction *in)
{
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    if (!lanes) return in + 1;
    struct sch_maxwell_arrival *arrival = arrive(machine, in, lanes);
    if (!arrival) return NULL;
    if (step->source_count > 2) {
        arrival->mode = step->how.mode;
        arrival->lanes = lanes;
        arrival->truths = sch_maxwell_truths(machine, &step->source[2]) & lanes;
    }
    if (machine->job->source->groups == 1) return pass_alone(machine, in, arrival);
    thread_of(machine)->waiting.instruction = in->number;
    machine->held = true;
    machine->group.at = in->number + 1;
    return NULL;
}

instruction *sch_maxwell_arrive(struct sch_exec_machine *machine, instruction *in)
{
    const uint32_t lanes = sch_maxwell_lanes(machine, sch_maxwell_step_of(machine, in));
    if (!lanes) return in + 1;
    return arrive(machine, in, lanes) ? in + 1 : NULL;
}

instruction *sch_maxwell_barrier_result(struct sch_exec_machine *machine, instruction *in)
{
    struct sch_maxwell_thread *thread = thread_of(machine);
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const uint32_t lanes = sch_maxwell_lanes(machine, step);
    machine->ops->splat(&thread->made[0], thread->reduced);
    sch_maxwell_write(machine, step->result, &thread->made[0], lanes);
    if (step->predicates)
        sch_maxwell_write_truths(machine, step->predicate[0], thread->reduced ? UINT32_MAX : 0, lanes);
    return in + 1;
}

/* ---- all groups of a block ---- */

/* Whether a barrier is complete; if so, those that wait at it continue. */
static bool release(struct sch_exec_machine *machines, uint32_t count, unsigned barrier)
{
    uint64_t threads = 0, expected = UINT64_MAX, trues = 0, all = 0;
    unsigned mode = POPULATION;
    for (uint32_t m = 0; m < count; m++) {
        const struct sch_maxwell_arrival *arrival = &waiting_of(&machines[m])->barrier[barrier];
        if (!arrival->threads) continue;
        threads += arrival->threads;
        if (expected_threads(arrival, count) < expected) expected = expected_threads(arrival, count);
        if (arrival->lanes) mode = arrival->mode;
        trues += (uint64_t)__builtin_popcount(arrival->truths);
        all += (uint64_t)__builtin_popcount(arrival->lanes);
    }
    if (threads < expected) return false;
    for (uint32_t m = 0; m < count; m++) {
        struct sch_maxwell_waiting *waiting = waiting_of(&machines[m]);
        waiting->barrier[barrier] = (struct sch_maxwell_arrival){0};
        if (!machines[m].held || waiting->at != barrier) continue;
        machines[m].held = false;
        thread_of(&machines[m])->reduced = reduce(mode, trues, all);
    }
    return true;
}

/* Which warp waits where, as many as there is room for. */
static void name_warps(const struct sch_exec_machine *machines, uint32_t count, char *text, size_t bytes)
{
    size_t length = 0;
    for (uint32_t m = 0; m < count && length < bytes; m++) {
        char place[PLACE], one[2 * PLACE];
        if (machines[m].held) {
            name_place(&machines[m], waiting_of(&machines[m])->instruction, place);
            snprintf(one, sizeof one, "%swarp %" PRIu32 " waits at barrier %u, %s", m ? "; " : "", m,
                     waiting_of(&machines[m])->at, place);
        } else {
            snprintf(one, sizeof one, "%swarp %" PRIu32 " has ended", m ? "; " : "", m);
        }
        if (length + strlen(one) + sizeof "; ..." > bytes) {
            snprintf(text + length, bytes - length, "; ...");
            return;
        }
        length += (size_t)snprintf(text + length, bytes - length, "%s", one);
    }
}

/* The lowest group that is elsewhere than the first one that is held; if all are there the barrier expects more. */
static bool fail_barrier(struct sch_exec_machine *machines, uint32_t count, const struct sch_exec_machine *held)
{
    enum { WARPS = 200 };
    char warps[WARPS];
    const struct sch_maxwell_waiting *first = waiting_of(held);
    struct sch_exec_machine *failed = NULL;
    for (uint32_t m = 0; m < count && !failed; m++)
        if (!machines[m].held || waiting_of(&machines[m])->at != first->at) failed = &machines[m];
    if (!failed) failed = &machines[held - machines];
    name_warps(machines, count, warps, sizeof warps);
    sch_maxwell_fail(failed, &failed->program->prepared.instructions[first->instruction], 0, SCH_ERROR_BARRIER,
                     SCH_D_MAXWELL_RUN_BARRIER, "barrier %u is not complete, and no warp can continue: %s", first->at,
                     warps);
    return false;
}

bool sch_maxwell_meet(struct sch_exec_machine *machines, uint32_t count)
{
    const struct sch_exec_machine *held = NULL;
    bool released = false;
    for (unsigned b = 0; b < SCH_MAXWELL_BARRIERS; b++) released = release(machines, count, b) || released;
    for (uint32_t m = 0; m < count && !held; m++)
        if (machines[m].held) held = &machines[m];
    return !held || released || fail_barrier(machines, count, held);
}
