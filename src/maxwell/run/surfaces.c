/* Surface instructions on raw data: coordinates, x in bytes, become addresses in global memory by the surface's header.
 * What a texel's format means does not count. */
#include <string.h>

#include "maxwell/header/surface.h"
#include "maxwell/run/handlers.h"
#include "maxwell/run/reach.h"

typedef const struct sch_prepared_instruction instruction;

enum { COORDINATES = 3, WORD_BYTES = 4, LAYER_MASK = 0xffff };
enum { IGNORE, NEAREST, TRAP }; /* table SUCLAMP */

static struct sch_maxwell_thread *thread_of(const struct sch_exec_machine *machine) { return machine->engine_state; }

/* By table SUDIM: which coordinates there are. */
static const struct dimensions {
    uint8_t axes;
    bool layered;
} dimensions[] = {{1, false}, {1, false}, {1, true}, {2, false}, {2, true}, {3, false}, {1, false}, {1, false}};

/* One instruction on its way. */
struct job {
    struct sch_exec_machine *machine;
    instruction *in;
    const struct sch_maxwell_step *step;
    struct dimensions is;
    const struct sch_lanes *coordinate[COORDINATES];
    struct sch_maxwell_reach access;
};

/* ---- headers ---- */

static void *fail(const struct job *job, unsigned lane, unsigned code, const char *what, uint32_t number)
{
    if (!job->access.quiet) sch_maxwell_fail(job->machine, job->in, lane, SCH_ERROR_ABORTED, code, what, number);
    return NULL;
}

/* The surface of a handle, which the thread keeps until it meets another one. */
static const struct sch_maxwell_surface *find_surface(const struct job *job, unsigned lane, uint32_t handle)
{
    struct sch_maxwell_thread *thread = thread_of(job->machine);
    const struct sch_maxwell_bindings *given = job->machine->bindings ? job->machine->bindings->maxwell : NULL;
    const uint32_t index = sch_maxwell_header_of(handle);
    uint32_t words[SCH_MAXWELL_HEADER_WORDS];
    if (thread->has_surface && thread->surface_index == index) return &thread->surface;
    if (!given || index >= given->header_bytes / SCH_MAXWELL_HEADER_BYTES)
        return fail(job, lane, SCH_D_MAXWELL_RUN_HANDLE, "there is no header %u", index);
    memcpy(words, (const char *)given->headers + (size_t)index * SCH_MAXWELL_HEADER_BYTES, sizeof words);
    const enum sch_result status =
        sch_maxwell_surface_read(words, job->access.quiet ? NULL : &thread->reports, &thread->surface);
    thread->has_surface = status == SCH_OK;
    thread->surface_index = index;
    if (status == SCH_OK) return &thread->surface;
    fail(job, lane, SCH_D_MAXWELL_RUN_HANDLE, "this instruction names header %u", index);
    if (!job->access.quiet) job->machine->group.failure = status;
    return NULL;
}

/* ---- places ---- */

/* A coordinate within its size, or what the clamp makes of it; -1: outside. */
static int64_t within(unsigned clamp, int64_t at, int64_t size)
{
    if (at >= 0 && at < size) return at;
    if (clamp != NEAREST || size <= 0) return -1;
    return at < 0 ? 0 : size - 1;
}

/* x counts bytes, of which an access takes some. */
static int64_t within_row(const struct job *job, int64_t x, int64_t row_bytes)
{
    const int64_t bytes = job->access.bytes, last = row_bytes / bytes * bytes - bytes;
    if (x >= 0 && x <= last) return x;
    if (job->step->how.clamp != NEAREST || last < 0) return -1;
    return x < 0 ? 0 : last;
}

static uint32_t coordinate(const struct job *job, unsigned number, unsigned lane)
{
    return job->coordinate[number]->u[lane];
}

/* Finds the address of a lane; false: outside of the surface. */
static bool find_address(struct job *job, const struct sch_maxwell_surface *surface, unsigned lane)
{
    const unsigned clamp = job->step->how.clamp, axes = job->is.axes;
    const int64_t x = within_row(job, (int32_t)coordinate(job, 0, lane), surface->row_bytes);
    const int64_t y = axes > 1 ? within(clamp, (int32_t)coordinate(job, 1, lane), surface->rows) : 0;
    const int64_t slice = axes > 2 ? within(clamp, (int32_t)coordinate(job, 2, lane), surface->slices) : 0;
    const int64_t layer =
        job->is.layered ? within(clamp, coordinate(job, axes, lane) & LAYER_MASK, surface->layers) : 0;
    if (x < 0 || y < 0 || slice < 0 || layer < 0) return false;
    job->access.address[lane] =
        sch_maxwell_surface_address(surface, (uint32_t)x, (uint32_t)y, (uint32_t)slice, (uint32_t)layer);
    return true;
}

/* The places of all lanes; what is outside of its surface has none. False: one has failed. */
static bool find_places(struct job *job, const struct sch_maxwell_source *handle, uint32_t lanes)
{
    const bool is_index = handle->kind == SCH_MAXWELL_FROM_WORD;
    const struct sch_maxwell_bindings *given = job->machine->bindings ? job->machine->bindings->maxwell : NULL;
    const struct sch_lanes *handles;
    uint32_t inside = 0;
    sch_maxwell_source(job->machine, handle, 0, &thread_of(job->machine)->read[COORDINATES], &handles);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t value = handles->u[lane];
        if (is_index) value = sch_maxwell_constant(job->machine, given ? given->handle_bank : 0, value * WORD_BYTES);
        const struct sch_maxwell_surface *surface = find_surface(job, lane, value);
        if (!surface) return false;
        job->access.place[lane] = NULL;
        if (find_address(job, surface, lane))
            inside |= UINT32_C(1) << lane;
        else if (job->step->how.clamp == TRAP)
            return fail(job, lane, SCH_D_MAXWELL_RUN_ACCESS, "an access outside of its surface, x = %u",
                        coordinate(job, 0, lane));
    }
    return sch_maxwell_reach_lanes(&job->access, inside);
}

/* Lanes that execute, whose coordinates are read; 0: none, or it has failed. */
static uint32_t find_lanes(struct job *job)
{
    struct sch_exec_machine *machine = job->access.machine;
    job->machine = machine;
    job->in = job->access.in;
    job->step = sch_maxwell_step_of(machine, job->in);
    job->access.space = SCH_MAXWELL_GLOBAL;
    job->is = dimensions[job->step->how.dimensions & 7];
    const uint32_t lanes = sch_maxwell_lanes(machine, job->step);
    for (unsigned c = 0; c < COORDINATES; c++)
        sch_maxwell_source(machine, &job->step->source[0], c, &thread_of(machine)->read[c], &job->coordinate[c]);
    const struct sch_maxwell_source *handle = &job->step->source[job->step->source_count - 1];
    return lanes && find_places(job, handle, lanes) ? lanes : 0;
}

static uint32_t begin(struct job *job, struct sch_exec_machine *machine, instruction *in, unsigned bytes, bool writes)
{
    *job = (struct job){.access = {.machine = machine, .in = in, .bytes = bytes, .writes = writes}};
    return find_lanes(job);
}

uint32_t sch_maxwell_reach_surface(struct sch_maxwell_reach *access)
{
    struct job job = {.access = *access};
    const uint32_t lanes = find_lanes(&job);
    *access = job.access;
    return lanes;
}

static instruction *next(const struct sch_exec_machine *machine, instruction *in)
{
    return machine->group.failure == SCH_OK ? in + 1 : NULL;
}

/* ---- instructions ---- */

instruction *sch_maxwell_load_surface(struct sch_exec_machine *machine, instruction *in)
{
    struct job job;
    const unsigned bytes = sch_maxwell_bytes_of(sch_maxwell_step_of(machine, in)->how.size);
    const uint32_t lanes = begin(&job, machine, in, bytes, false);
    if (lanes) sch_maxwell_load_reached(&job.access, job.step, lanes);
    return next(machine, in);
}

instruction *sch_maxwell_store_surface(struct sch_exec_machine *machine, instruction *in)
{
    struct job job;
    const unsigned bytes = sch_maxwell_bytes_of(sch_maxwell_step_of(machine, in)->how.size);
    const uint32_t lanes = begin(&job, machine, in, bytes, true);
    if (lanes) sch_maxwell_store_reached(&job.access, &job.step->source[1], lanes);
    return next(machine, in);
}

instruction *sch_maxwell_update_surface(struct sch_exec_machine *machine, instruction *in)
{
    struct job job;
    const unsigned number = sch_maxwell_update_number(sch_maxwell_step_of(machine, in));
    const uint32_t lanes = begin(&job, machine, in, sch_maxwell_number_bytes(number), true);
    if (lanes) sch_maxwell_update_reached(&job.access, job.step, 1, number, lanes);
    return next(machine, in);
}
