/* The memory that a stopped group can reach, in pieces, and what its next instruction accesses. */
#include "api/debug.h"

#include "exec/places.h"
#include "maxwell/run/program.h"

/* ---- pieces ---- */

static const struct sch_exec_bindings no_bindings;

static const struct sch_exec_bindings *bindings_of(const struct sch_debug *debug)
{
    return debug->machine->bindings ? debug->machine->bindings : &no_bindings;
}

static void take_memory(struct sch_debug_piece *piece, const void *data, uint64_t bytes)
{
    piece->data = data;
    piece->bytes = data ? bytes : 0;
}

static void take_image(struct sch_debug_piece *piece, const struct sch_exec_image *image)
{
    const struct sch_texture *texture = image->texture;
    if (!texture || !texture->levels) return;
    const struct sch_texture_level *level = &texture->level[0];
    take_memory(piece, level->texels, sch_exec_level_bytes(texture));
    piece->format = (enum sch_format)image->format;
    piece->width = level->width;
    piece->row_bytes = level->row_bytes;
    piece->slice_bytes = level->slice_bytes;
}

static void take_own(struct sch_debug_piece *piece, const struct sch_memory_view *view)
{
    take_memory(piece, view->data, view->bytes);
    if (piece->kind != SCH_DEBUG_PIECE_PRIVATE || !view->data) return;
    piece->data = view->data + (size_t)piece->number * view->lane_bytes;
    piece->bytes = view->lane_bytes;
}

static void take_range(struct sch_debug_piece *piece, const struct sch_exec_machine *machine)
{
    const struct sch_maxwell_range *ranges;
    if (piece->number >= sch_maxwell_run_ranges(machine, &ranges)) return;
    take_memory(piece, ranges[piece->number].data, ranges[piece->number].bytes);
    piece->address = ranges[piece->number].address;
}

/* How many there may be of a kind; some of them are not bound. */
static uint32_t count_of(const struct sch_debug *debug, unsigned kind)
{
    const struct sch_exec_bindings *bound = bindings_of(debug);
    const uint32_t counts[] = {[SCH_DEBUG_PIECE_BUFFER] = bound->buffer_count,
                               [SCH_DEBUG_PIECE_COUNTERS] = bound->counter_count,
                               [SCH_DEBUG_PIECE_CONSTANTS] = bound->constant_count,
                               [SCH_DEBUG_PIECE_IMAGE] = bound->image_count,
                               [SCH_DEBUG_PIECE_GLOBAL] = 1,
                               [SCH_DEBUG_PIECE_INPUT] = 1,
                               [SCH_DEBUG_PIECE_SHARED] = 1,
                               [SCH_DEBUG_PIECE_PRIVATE] = SCH_GROUP_LANES,
                               [SCH_DEBUG_PIECE_RANGE] = sch_maxwell_run_ranges(debug->machine, NULL)};
    return counts[kind];
}

static struct sch_debug_piece piece_of(const struct sch_debug *debug, enum sch_debug_piece_kind kind, uint32_t number)
{
    const struct sch_exec_bindings *bound = bindings_of(debug);
    const struct sch_memory_view *own = debug->machine->memory;
    struct sch_debug_piece piece = {.size = sizeof piece, .kind = kind, .number = number};
    switch (kind) {
    case SCH_DEBUG_PIECE_BUFFER:
        take_memory(&piece, bound->buffers[number].data, bound->buffers[number].bytes);
        break;
    case SCH_DEBUG_PIECE_COUNTERS:
        take_memory(&piece, bound->counters[number].data, bound->counters[number].bytes);
        break;
    case SCH_DEBUG_PIECE_CONSTANTS:
        take_memory(&piece, bound->constants[number].data, bound->constants[number].bytes);
        break;
    case SCH_DEBUG_PIECE_IMAGE:
        take_image(&piece, &bound->images[number]);
        break;
    case SCH_DEBUG_PIECE_GLOBAL:
        take_memory(&piece, bound->global_memory.data, bound->global_memory.bytes);
        break;
    case SCH_DEBUG_PIECE_INPUT:
        take_memory(&piece, bound->input_memory.data, bound->input_memory.bytes);
        break;
    case SCH_DEBUG_PIECE_SHARED:
        take_own(&piece, &own[SCH_MEMORY_SHARED]);
        break;
    case SCH_DEBUG_PIECE_PRIVATE:
        take_own(&piece, &own[SCH_MEMORY_PRIVATE]);
        break;
    case SCH_DEBUG_PIECE_RANGE:
        take_range(&piece, debug->machine);
        break;
    }
    return piece;
}

bool sch_debug_piece_at(const struct sch_debug *debug, uint32_t position, struct sch_debug_piece *piece)
{
    if (!debug || !piece || !sch_sized_fits(piece->size, sizeof *piece) || !debug->machine) return false;
    for (unsigned kind = 0; kind <= SCH_DEBUG_PIECE_RANGE; kind++) {
        for (uint32_t number = 0; number < count_of(debug, kind); number++) {
            const struct sch_debug_piece made = piece_of(debug, (enum sch_debug_piece_kind)kind, number);
            if (!made.bytes || position-- > 0) continue;
            sch_sized_write(piece, &made, sizeof made);
            return true;
        }
    }
    return false;
}

/* ---- accesses ---- */

/* False: memory that is not a piece. */
static bool kind_of(const struct sch_debug *debug, const struct sch_exec_touched *place,
                    enum sch_debug_piece_kind *kind)
{
    static const uint8_t of_memory[] = {[SCH_MEMORY_GLOBAL] = SCH_DEBUG_PIECE_GLOBAL,
                                        [SCH_MEMORY_SHARED] = SCH_DEBUG_PIECE_SHARED,
                                        [SCH_MEMORY_PRIVATE] = SCH_DEBUG_PIECE_PRIVATE,
                                        [SCH_MEMORY_INPUT] = SCH_DEBUG_PIECE_INPUT};
    switch (place->file) {
    case SCH_FILE_BUFFER:
        *kind = SCH_DEBUG_PIECE_BUFFER;
        return true;
    case SCH_FILE_HW_ATOMIC:
        *kind = SCH_DEBUG_PIECE_COUNTERS;
        return true;
    case SCH_FILE_CONSTBUF:
        *kind = SCH_DEBUG_PIECE_CONSTANTS;
        return true;
    case SCH_FILE_IMAGE:
        *kind = SCH_DEBUG_PIECE_IMAGE;
        return true;
    default:
        if (place->kind >= SCH_MEMORY_KIND_COUNT) return false;
        *kind = (enum sch_debug_piece_kind)of_memory[place->kind];
        if (*kind == SCH_DEBUG_PIECE_GLOBAL && debug->machine->program->prepared.scalar) *kind = SCH_DEBUG_PIECE_RANGE;
        return true;
    }
}

bool sch_debug_access_of(const struct sch_debug *debug, uint32_t lane, struct sch_debug_access *access)
{
    struct sch_debug_access made = {.size = sizeof made};
    if (!debug || !access || !sch_sized_fits(access->size, sizeof *access) || !debug->machine) return false;
    struct sch_exec_touched places[SCH_GROUP_LANES];
    if (lane >= SCH_GROUP_LANES || !(sch_exec_find_places(debug->machine, debug->at, places) >> lane & 1)) return false;
    const struct sch_exec_touched *place = &places[lane];
    if (!kind_of(debug, place, &made.kind)) return false;
    if (made.kind == SCH_DEBUG_PIECE_PRIVATE)
        made.number = lane;
    else if (made.kind <= SCH_DEBUG_PIECE_IMAGE || made.kind == SCH_DEBUG_PIECE_RANGE)
        made.number = place->number;
    made.byte = place->byte;
    made.bytes = place->bytes;
    made.writes = place->touch != SCH_EXEC_READS;
    sch_sized_write(access, &made, sizeof made);
    return true;
}
