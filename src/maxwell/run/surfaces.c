/* Surface instructions: coordinates become addresses in global memory by the surface's header. Raw data are moved as
 * they are; texels of formatted instructions are decoded and encoded by the code of textures. */
#include <string.h>

#include "maxwell/header/surface.h"
#include "maxwell/run/handlers.h"
#include "maxwell/run/reach.h"
#include "texture/convert.h"

typedef const struct sch_prepared_instruction instruction;

enum { COORDINATES = 3, WORD_BYTES = 4, LAYER_MASK = 0xffff, CHANNELS = 4 };
enum { READS_0 = 4, READS_1 = 5, SIZE_SD32 = 6 };
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
    bool formatted;
    const struct sch_lanes *coordinate[COORDINATES];
    uint32_t handle[SCH_GROUP_LANES];
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

/* Why texels of a surface are not accessed as such; NULL: they are. */
static const char *unknown_texels(const struct job *job, const struct sch_maxwell_surface *surface)
{
    const struct sch_texels_kind kind = sch_texels_kind_of(surface->format);
    const uint32_t bytes = surface->element_bytes;
    if (sch_texture_block(surface->format).width > 1 || bytes & (bytes - 1) || bytes > SCH_BLOCK_BYTES)
        return "header %u has no texels of 1, 2, 4, 8 or 16 bytes each";
    if (kind.parts != SCH_PART_COLOR) return "header %u has depth, or stencil";
    if (job->access.writes && !kind.written) return "texels of header %u are not written";
    if (job->step->kind != SCH_MAXWELL_KIND_update_texel) return NULL;
    if (bytes != WORD_BYTES || surface->component[0] != 0 || surface->component[1] != READS_0)
        return "header %u has no texels of one number of 32 bits";
    if (kind.numbers != SCH_NUMBERS_FLOAT) return NULL;
    if (surface->format != SCH_FORMAT_R32_FLOAT) return "texels of header %u are fractions";
    if (job->step->swaps || job->step->how.mode == SCH_MAXWELL_UPDATE_ADD ||
        job->step->how.mode == SCH_MAXWELL_UPDATE_EXCH)
        return NULL;
    return "header %u has floats, which are only added and exchanged";
}

/* The bytes that a lane accesses, of texels those of the format. */
static bool find_bytes(struct job *job, unsigned lane, const struct sch_maxwell_surface *surface)
{
    if (!job->formatted) return true;
    const char *why = unknown_texels(job, surface);
    job->access.bytes = job->access.lane_bytes[lane] = (uint8_t)surface->element_bytes;
    if (!why) return true;
    fail(job, lane, SCH_D_MAXWELL_RUN_HANDLE, why, job->handle[lane]);
    if (!job->access.quiet) job->machine->group.failure = SCH_ERROR_UNSUPPORTED;
    return false;
}

/* ---- places ---- */

/* A coordinate within its size, or what the clamp makes of it; -1: outside. */
static int64_t within(unsigned clamp, int64_t at, int64_t size)
{
    if (at >= 0 && at < size) return at;
    if (clamp != NEAREST || size <= 0) return -1;
    return at < 0 ? 0 : size - 1;
}

/* A byte of a row, from which on an access takes some. */
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
    const int64_t unit = job->step->how.in_bytes ? 1 : surface->element_bytes;
    const int64_t x = within_row(job, (int32_t)coordinate(job, 0, lane) * unit, surface->row_bytes);
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
        job->handle[lane] = sch_maxwell_header_of(value);
        job->access.place[lane] = NULL;
        if (!surface || !find_bytes(job, lane, surface)) return false;
        if (find_address(job, surface, lane))
            inside |= UINT32_C(1) << lane;
        else if (job->step->how.clamp == TRAP)
            return fail(job, lane, SCH_D_MAXWELL_RUN_ACCESS, "an access outside of its surface, x = %u",
                        coordinate(job, 0, lane));
        if (job->formatted && !sch_maxwell_reach_lanes(&job->access, inside & UINT32_C(1) << lane)) return false;
    }
    return job->formatted || sch_maxwell_reach_lanes(&job->access, inside);
}

/* Lanes from the first of `lanes` on that have one surface: what differs by its format is done to these at once, and
 * lanes ascend. */
static uint32_t alike(const struct job *job, uint32_t lanes)
{
    const unsigned first = (unsigned)__builtin_ctz(lanes);
    uint32_t found = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (job->handle[lane] != job->handle[first]) break;
        found |= UINT32_C(1) << lane;
    }
    return found;
}

/* Lanes that execute, whose coordinates are read; 0: none, or it has failed. */
static uint32_t find_lanes(struct job *job)
{
    struct sch_exec_machine *machine = job->access.machine;
    job->machine = machine;
    job->in = job->access.in;
    job->step = sch_maxwell_step_of(machine, job->in);
    job->formatted = job->step->kind == SCH_MAXWELL_KIND_load_texel ||
                     job->step->kind == SCH_MAXWELL_KIND_store_texel ||
                     job->step->kind == SCH_MAXWELL_KIND_update_texel;
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

/* What a texel's number is by its format. */
static unsigned number_of(const struct sch_maxwell_surface *surface)
{
    const enum sch_numbers numbers = sch_texels_kind_of(surface->format).numbers;
    return numbers == SCH_NUMBERS_UNSIGNED ? SCH_MAXWELL_U32
           : numbers == SCH_NUMBERS_SIGNED ? SCH_MAXWELL_S32
                                           : SCH_MAXWELL_F32;
}

static void update_texels(struct job *job, uint32_t lanes)
{
    for (uint32_t some, left = lanes; left; left &= ~some) {
        const unsigned first = (unsigned)__builtin_ctz(left);
        const struct sch_maxwell_surface *surface = find_surface(job, first, job->handle[first]);
        unsigned number = number_of(surface);
        if (!job->formatted && number == SCH_MAXWELL_F32) number = SCH_MAXWELL_S32;
        some = alike(job, left);
        sch_maxwell_update_reached(&job->access, job->step, 1, number, some);
    }
}

instruction *sch_maxwell_update_surface(struct sch_exec_machine *machine, instruction *in)
{
    struct job job;
    const struct sch_maxwell_step *step = sch_maxwell_step_of(machine, in);
    const unsigned number = sch_maxwell_update_number(step);
    const uint32_t lanes = begin(&job, machine, in, sch_maxwell_number_bytes(number), true);
    if (lanes && step->how.size == SIZE_SD32)
        update_texels(&job, lanes);
    else if (lanes)
        sch_maxwell_update_reached(&job.access, job.step, 1, number, lanes);
    return next(machine, in);
}

instruction *sch_maxwell_update_texel(struct sch_exec_machine *machine, instruction *in)
{
    struct job job;
    const uint32_t lanes = begin(&job, machine, in, WORD_BYTES, true);
    if (lanes) update_texels(&job, lanes);
    return next(machine, in);
}

/* The texels of some lanes side by side, lane by lane; where there are none, zeros. */
struct texels {
    uint8_t of[SCH_GROUP_LANES * SCH_BLOCK_BYTES];
};

static void gather(const struct job *job, unsigned bytes, uint32_t lanes, struct texels *texels)
{
    memset(texels, 0, sizeof *texels);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (job->access.place[lane])
            sch_maxwell_copy_from(job->access.place[lane], texels->of + (size_t)bytes * lane, bytes,
                                  job->machine->group.concurrent);
    }
}

/* Component `channel`, R to A, of decoded texels; 0 where there is no texel. */
static void take_channel(const struct job *job, const struct sch_maxwell_surface *surface, unsigned channel,
                         const struct sch_lanes decoded[CHANNELS], uint32_t lanes, struct sch_lanes *to)
{
    const bool floats = sch_texels_kind_of(surface->format).numbers == SCH_NUMBERS_FLOAT;
    const uint32_t one = floats ? 0x3f800000 : 1;
    const unsigned from = surface->component[channel];
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint32_t word = from < CHANNELS ? decoded[from].u[lane] : from == READS_1 ? one : 0;
        to->u[lane] = job->access.place[lane] ? word : 0;
    }
}

static void load_texels(struct job *job, uint32_t lanes)
{
    struct sch_exec_machine *machine = job->machine;
    struct sch_maxwell_thread *thread = thread_of(machine);
    struct sch_lanes decoded[CHANNELS], lane_numbers;
    struct sch_lanes *const to[CHANNELS] = {&decoded[0], &decoded[1], &decoded[2], &decoded[3]};
    struct texels texels;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) lane_numbers.u[i] = i;
    for (uint32_t some, left = lanes; left; left &= ~some) {
        const unsigned first = (unsigned)__builtin_ctz(left);
        const struct sch_maxwell_surface *surface = find_surface(job, first, job->handle[first]);
        const struct sch_texel_row row = {.texels = texels.of, .x = &lane_numbers, .count = SCH_GROUP_LANES};
        some = alike(job, left);
        gather(job, surface->element_bytes, some, &texels);
        machine->ops->texels_read(surface->format, &row, to);
        unsigned made = 0;
        for (unsigned c = 0; c < CHANNELS; c++)
            if (job->step->how.mask >> c & 1) take_channel(job, surface, c, decoded, some, &thread->made[made++]);
    }
    const unsigned words = (unsigned)__builtin_popcount(job->step->how.mask);
    for (unsigned w = 0; w < words && job->step->result < SCH_MAXWELL_GROUP_REGISTERS; w++)
        sch_maxwell_write(machine, job->step->result + w, &thread->made[w], lanes);
}

instruction *sch_maxwell_load_texel(struct sch_exec_machine *machine, instruction *in)
{
    struct job job;
    const uint32_t lanes = begin(&job, machine, in, 1, false);
    if (lanes) load_texels(&job, lanes);
    return next(machine, in);
}

/* Components that the instruction does not name, and those that it names and the format does not have, stay. */
static void store_texels(struct job *job, uint32_t lanes)
{
    struct sch_exec_machine *machine = job->machine;
    struct sch_maxwell_thread *thread = thread_of(machine);
    struct texels texels;
    for (uint32_t some, left = lanes; left; left &= ~some) {
        const unsigned first = (unsigned)__builtin_ctz(left);
        const struct sch_maxwell_surface *surface = find_surface(job, first, job->handle[first]);
        const unsigned bytes = surface->element_bytes;
        const struct sch_lanes *value[CHANNELS] = {sch_maxwell_zero(machine), sch_maxwell_zero(machine),
                                                   sch_maxwell_zero(machine), sch_maxwell_zero(machine)};
        unsigned components = 0, word = 0;
        some = alike(job, left);
        for (unsigned c = 0; c < CHANNELS; c++) {
            if (!(job->step->how.mask >> c & 1)) continue;
            const unsigned to = surface->component[c], from = word++;
            if (to >= CHANNELS) continue;
            sch_maxwell_source(machine, &job->step->source[1], from, &thread->read[from], &value[to]);
            components |= 1u << to;
        }
        if (!components) continue;
        gather(job, bytes, some, &texels);
        machine->ops->texels_write(surface->format, components, texels.of, SCH_GROUP_LANES, value);
        for (uint32_t rest = some; rest; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(rest);
            uint8_t *place = job->access.place[lane];
            if (place) sch_maxwell_copy_to(place, texels.of + (size_t)bytes * lane, bytes, machine->group.concurrent);
        }
    }
}

instruction *sch_maxwell_store_texel(struct sch_exec_machine *machine, instruction *in)
{
    struct job job;
    const uint32_t lanes = begin(&job, machine, in, 1, true);
    if (lanes) store_texels(&job, lanes);
    return next(machine, in);
}
