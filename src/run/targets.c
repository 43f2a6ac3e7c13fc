/* The colours of a rectangle's groups in the caller's render targets. Killed pixels, and those outside of the
 * rectangle, stay as they are. */
#include "run/rectangle.h"

enum {
    GROUP_QUADS = SCH_RUN_GROUP_QUADS,
    ROW_LANES = 2 * GROUP_QUADS,
    ROW_BYTES = 4 * ROW_LANES,
    ALL_COLUMNS = 0xffff
};

/* What is written of a group, as bits of each row from left to right. */
struct writing {
    uint32_t row[2];
};

/* Bits 4q, 4q + 1 of quad q's upper row to 2q, 2q + 1. */
static uint32_t row_bits(uint32_t lanes)
{
    lanes &= 0x33333333;
    lanes = (lanes | lanes >> 2) & 0x0f0f0f0f;
    lanes = (lanes | lanes >> 4) & 0x00ff00ff;
    return (lanes | lanes >> 8) & 0xffff;
}

static uint8_t *pixel_place(const struct sch_run_area *area, const struct sch_render_target *target,
                            const struct sch_run_piece *piece, unsigned row, size_t pixel_bytes)
{
    const size_t y = (size_t)area->given->y - target->first_row + 2 * (size_t)piece->row + row;
    return (uint8_t *)target->pixels + y * target->row_bytes +
           ((size_t)area->given->x + 2 * (size_t)piece->column) * pixel_bytes;
}

/* A whole row of a group where some pixels stay. They are the group's own: no other group writes them. */
static void store_some(const struct sch_exec_machine *machine, uint8_t *to, const uint32_t *colors, uint32_t bits)
{
    struct sch_lanes old, mask, now;
    memcpy(old.u, to, ROW_BYTES);
    memcpy(now.u, colors, ROW_BYTES);
    machine->ops->mask_lanes(&mask, bits);
    machine->ops->commit(&old, &now, &mask);
    memcpy(to, old.u, ROW_BYTES);
}

static void store_unorm8_row(const struct sch_exec_machine *machine, uint8_t *to, const uint32_t *colors, uint32_t bits,
                             uint32_t all, bool inside)
{
    if (all == ALL_COLUMNS && inside)
        store_some(machine, to, colors, bits);
    else
        for (; bits; bits &= bits - 1) {
            unsigned i = (unsigned)__builtin_ctz(bits);
            memcpy(to + (size_t)i * 4, colors + i, 4);
        }
}

static void store_unorm8(const struct sch_run_area *area, const struct sch_exec_machine *machine,
                         const struct sch_render_target *target, const struct sch_run_piece *piece,
                         const struct sch_lanes *rows, const struct writing *writing)
{
    uint32_t all = 0xffffu >> (ROW_LANES - 2 * piece->quads);
    bool inside = !sch_run_outside(area, piece);
    for (unsigned row = 0; row < 2; row++) {
        uint32_t bits = writing->row[row] >> 2 * piece->first & all;
        if (!bits) continue;
        store_unorm8_row(machine, pixel_place(area, target, piece, row, 4),
                         rows->u + (size_t)row * ROW_LANES + 2 * (size_t)piece->first, bits, all, inside);
    }
}

static void store_words(const struct sch_run_area *area, const struct sch_render_target *target,
                        const struct sch_run_piece *piece, const struct sch_lanes *rgba, const struct writing *writing)
{
    for (unsigned row = 0; row < 2; row++) {
        uint32_t bits = writing->row[row] >> 2 * piece->first & (0xffffu >> (ROW_LANES - 2 * piece->quads));
        if (!bits) continue;
        uint8_t *to = pixel_place(area, target, piece, row, 16);
        for (; bits; bits &= bits - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(bits), lane = (piece->first + i / 2) * 4 + row * 2 + (i & 1);
            const uint32_t words[4] = {rgba[0].u[lane], rgba[1].u[lane], rgba[2].u[lane], rgba[3].u[lane]};
            memcpy(to + (size_t)i * sizeof words, words, sizeof words);
        }
    }
}

static void store_target(const struct sch_run_area *area, const struct sch_exec_machine *machine,
                         const struct sch_render_target *target, const struct writing *writing)
{
    static const struct sch_lanes nothing[4];
    const struct sch_run_pixels *at = machine->place;
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    const struct sch_lanes *rgba = nothing;
    if (target->output < file->count)
        rgba = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * (size_t)target->output;
    struct sch_lanes rows;
    if (target->format == SCH_RENDER_TARGET_UNORM8) {
        const struct sch_run_piece whole = sch_run_first_piece(at);
        if (writing->row[0] == ALL_COLUMNS && writing->row[1] == ALL_COLUMNS && whole.quads == GROUP_QUADS) {
            machine->ops->pack_unorm8(pixel_place(area, target, &whole, 0, 4), pixel_place(area, target, &whole, 1, 4),
                                      rgba);
            return;
        }
        machine->ops->pack_unorm8(rows.u, rows.u + ROW_LANES, rgba);
    }
    for (struct sch_run_piece piece = sch_run_first_piece(at);; piece = sch_run_next_piece(area, &piece, at->quads)) {
        if (target->format == SCH_RENDER_TARGET_UNORM8)
            store_unorm8(area, machine, target, &piece, &rows, writing);
        else
            store_words(area, target, &piece, rgba, writing);
        if (piece.first + piece.quads >= at->quads) return;
    }
}

void sch_run_store_colors(const struct sch_exec_source *source, const struct sch_exec_machine *machine)
{
    const struct sch_run_area *area = sch_run_area_of(source);
    uint32_t lanes = machine->group.present & ~machine->group.helpers;
    const struct writing writing = {.row = {row_bits(lanes), row_bits(lanes >> 2)}};
    if (!lanes) return;
    for (uint32_t t = 0; t < area->given->render_target_count; t++)
        store_target(area, machine, &area->given->render_targets[t], &writing);
}
