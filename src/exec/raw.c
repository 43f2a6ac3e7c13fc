/* LOAD, STORE and ATOM* of textures that are declared RAW (tgsi.rst, "Declaration Resource"): no texel is converted;
 * the channels are consecutive words of memory, and x counts bytes. The other coordinates say which row, as of texels.
 * A word is there when it is inside of its row and aligned in memory; others read 0 and are not written. Holds no other
 * accesses (exec/image.c), and no access of words itself (src/ops/memory/memory.c). */
#include "exec/image.h"

typedef const struct sch_prepared_instruction instruction;

enum { WORD_BYTES = 4, SAMPLE = 3 };

/* The coordinates that choose a row of level 0. */
struct row {
    uint32_t y, layer, sample;
};

static struct row row_of(const struct sch_target_facts *is, const struct sch_lanes *const address[4], unsigned lane)
{
    struct row row = {0};
    if (is->axes >= 2) row.y = address[1]->u[lane];
    if (is->axes >= 3) row.layer = address[2]->u[lane];
    if (is->layered || is->cube) row.layer = address[is->axes]->u[lane];
    if (is->multisampled) row.sample = address[SAMPLE]->u[lane];
    return row;
}

/* Its bytes; none where the row is outside, or does not begin at a word, so that no address in it is aligned. */
static struct sch_memory_view view_of(const struct sch_exec_machine *machine, const struct sch_exec_shown *shown,
                                      const struct row *row)
{
    const struct sch_texture *texture = shown->texture;
    const struct sch_texture_level *level = &texture->level[0];
    uint32_t layers = shown->key.target == SCH_TARGET_3D ? level->depth : texture->layers;
    struct sch_memory_view none = {0};
    if (row->y >= level->height || row->layer >= layers || row->sample >= texture->samples) return none;
    uint64_t slice = (uint64_t)row->layer * texture->samples + row->sample;
    uint8_t *begin = level->texels + slice * level->slice_bytes + (uint64_t)row->y * level->row_bytes;
    if ((uintptr_t)begin % WORD_BYTES) return none;
    return (struct sch_memory_view){
        .data = begin, .bytes = level->row_bytes, .writable = shown->writable, .concurrent = machine->group.concurrent};
}

/* The lowest of `lanes` and those that follow it up to the first that names another row. */
static uint32_t same_row(uint32_t lanes, const struct sch_target_facts *is, const struct sch_lanes *const address[4])
{
    const struct row first = row_of(is, address, (unsigned)__builtin_ctz(lanes));
    uint32_t run = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const struct row row = row_of(is, address, (unsigned)__builtin_ctz(left));
        if (row.y != first.y || row.layer != first.layer || row.sample != first.sample) break;
        run |= left & (0 - left);
    }
    return run;
}

void sch_exec_raw_access(struct sch_exec_machine *machine, instruction *in, const struct sch_exec_shown *shown,
                         uint32_t lanes, const struct sch_lanes *const address[4], struct sch_lanes *const out[4],
                         const struct sch_lanes *const value[4])
{
    const struct sch_target_facts *is = sch_target_facts(shown->key.target);
    if (!shown->texture || shown->texture->min_lod >= 1.0f) return; /* level 0 is not there */
    for (uint32_t run; lanes; lanes &= ~run) {
        const struct row row = row_of(is, address, (unsigned)__builtin_ctz(lanes));
        const struct sch_memory_view view = view_of(machine, shown, &row);
        run = same_row(lanes, is, address);
        struct sch_memory_request request = {.address = address[0], .lanes = run, .components = 15};
        if (in->opcode == SCH_OP_LOAD) {
            machine->ops->load(&view, &request, out);
        } else if (in->opcode == SCH_OP_STORE) {
            request.components = in->resource->written;
            machine->ops->store(&view, &request, value);
        } else {
            machine->ops->atomic[in->opcode](&view, &request, value, out[0]);
        }
    }
}

bool sch_exec_raw_byte(const struct sch_exec_machine *machine, const struct sch_exec_shown *shown,
                       const struct sch_lanes *const address[4], unsigned lane, uint64_t *byte)
{
    if (!shown->texture || shown->texture->min_lod >= 1.0f) return false;
    const struct row row = row_of(sch_target_facts(shown->key.target), address, lane);
    const struct sch_memory_view view = view_of(machine, shown, &row);
    const uint32_t x = address[0]->u[lane] & ~(uint32_t)(WORD_BYTES - 1);
    if (!view.data || x >= view.bytes) return false;
    *byte = (uint64_t)(view.data - shown->texture->level[0].texels) + x;
    return true;
}
