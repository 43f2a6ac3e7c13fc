/* Rectangles of pixels: inputs from planes, colours into render targets, without arrays of invocations between.
 * Invocations are the rectangle's quads row by row, so a group is 8 quads that stand side by side or go on in the next
 * row of quads. A span is a part of a group in one row; most groups are one. Lanes outside of the rectangle are
 * helpers. */
#include "exec/job.h"
#include "exec/lookup.h"

enum {
    GROUP_QUADS = SCH_GROUP_LANES / SCH_QUAD_LANES,
    ROW_LANES = 2 * GROUP_QUADS,
    ROW_BYTES = 4 * ROW_LANES,
    ALL_COLUMNS = 0xffff
};

/* Quads `first` to `first + quads - 1` of a group. */
struct span {
    uint32_t column, row; /* of the first one, in quads */
    uint32_t first, quads;
};

/* ---- when a run begins ---- */

/* Powers of two and infinities: dividing by one is multiplying by its reciprocal. Not -0, which no sum of a plane is.
 */
static bool is_scale(float divisor)
{
    uint32_t bits;
    memcpy(&bits, &divisor, sizeof bits);
    return divisor != 0 && !(bits & 0x7fffff);
}

static struct sch_group_plane prepare_plane(const struct sch_plane *given)
{
    struct sch_group_plane plane = {.scale = 1.0f / given->divisor[0], .division = SCH_PLANE_DIVIDED};
    memcpy(plane.value, given->value, sizeof plane.value);
    memcpy(plane.divisor, given->divisor, sizeof plane.divisor);
    if (given->divisor[1] == 0 && given->divisor[2] == 0 && is_scale(given->divisor[0]))
        plane.division = SCH_PLANE_SCALED;
    return plane;
}

/* Those that are the same all along a row come first. */
static void add_plane(struct sch_exec_area *area, uint32_t channel, const struct sch_plane *given)
{
    struct sch_exec_planar made = {.channel = channel, .plane = prepare_plane(given)};
    uint32_t place = area->plane_count++;
    if (given->value[1] == 0 && given->divisor[1] == 0) {
        area->planes[place] = area->planes[area->row_count];
        place = area->row_count++;
    }
    area->planes[place] = made;
}

static void add_register(const struct sch_exec_program *program, const struct sch_rectangle_register *given,
                         struct sch_exec_area *area)
{
    const struct sch_exec_file *file = &program->files[given->system_value ? SCH_FILE_SYSTEM_VALUE : SCH_FILE_INPUT];
    if (given->index >= file->count) return;
    unsigned read = given->system_value ? 15 : program->input_masks[given->index];
    bool *seen = given->system_value ? &area->given_values[given->index] : &area->given_inputs[given->index];
    if (*seen) return;
    *seen = true;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t channel = file->base + 4 * given->index + c;
        if (!(read >> c & 1)) continue;
        if (given->planar >> c & 1)
            add_plane(area, channel, &given->planes[c]);
        else
            area->words[area->word_count++] = (struct sch_exec_uniform){.channel = channel, .word = given->words[c]};
    }
}

/* Whether groups can run in another order: nobody sees it, and each is a part of one row. */
static bool can_tile(const struct sch_exec_program *program, const struct sch_exec_area *area)
{
    bool looks_up = false;
    for (uint32_t n = 0; n < program->instruction_count; n++) looks_up |= program->instructions[n].lookup != NULL;
    return looks_up && !program->memory.writes_outside && area->across % GROUP_QUADS == 0;
}

/* Whether planes, colours as bytes and the pixels' order are all that there is around a group. */
static bool can_span(const struct sch_exec_program *program, const struct sch_rectangle *rectangle)
{
    if (program->memory.declared_kinds >> SCH_MEMORY_PRIVATE & 1) return false;
    for (uint32_t c = 0; c < rectangle->render_target_count; c++)
        if (rectangle->render_targets[c].format != SCH_RENDER_TARGET_UNORM8) return false;
    for (uint32_t n = 0; n < program->instruction_count; n++) { /* what reads pixels asks where the group is */
        const struct sch_exec_instruction *in = &program->instructions[n];
        if (in->lookup && in->lookup->render_target) return false;
        if (sch_op_info(in->opcode)->shape == SCH_SHAPE_FETCH) return false;
    }
    return true;
}

enum sch_status sch_exec_make_area(const struct sch_exec_program *program, const struct sch_rectangle *rectangle,
                                   struct sch_arena *arena, struct sch_exec_area *area)
{
    *area = (struct sch_exec_area){
        .given = rectangle, .across = (rectangle->width + 1) / 2, .down = (rectangle->height + 1) / 2};
    const size_t channels = 4 * (size_t)rectangle->register_count;
    area->planes = SCH_ARENA_ARRAY(arena, struct sch_exec_planar, channels);
    area->words = SCH_ARENA_ARRAY(arena, struct sch_exec_uniform, channels);
    area->given_values = SCH_ARENA_ARRAY(arena, bool, program->files[SCH_FILE_SYSTEM_VALUE].count);
    area->given_inputs = SCH_ARENA_ARRAY(arena, bool, program->files[SCH_FILE_INPUT].count);
    if (!area->planes || !area->words || !area->given_values || !area->given_inputs) return SCH_STATUS_MEMORY;
    for (uint32_t r = rectangle->register_count; r-- > 0;) add_register(program, &rectangle->registers[r], area);
    area->tiled = can_tile(program, area);
    area->spans = can_span(program, rectangle);
    return SCH_STATUS_OK;
}

void sch_exec_begin_area(const struct sch_exec_area *area, struct sch_exec_machine *machine)
{
    for (uint32_t w = 0; w < area->word_count; w++)
        machine->ops->splat(machine->group.space[SCH_SPACE_STATE] + area->words[w].channel, area->words[w].word);
}

/* ---- spans ---- */

static struct span first_span(const struct sch_exec_pixels *at)
{
    return (struct span){.column = at->column, .row = at->row, .quads = at->whole};
}

static struct span next_span(const struct sch_exec_area *area, const struct span *span, uint32_t quads)
{
    struct span next = {.row = span->row + 1, .first = span->first + span->quads};
    next.quads = quads - next.first < area->across ? quads - next.first : area->across;
    return next;
}

/* Lanes of the span that are outside of the rectangle: the right column of a last quad, the lower row of the last
 * row. */
static uint32_t outside(const struct sch_exec_area *area, const struct span *span)
{
    uint32_t lanes = 0, last = span->first + span->quads - 1;
    if (area->given->width & 1 && span->column + span->quads == area->across) lanes |= UINT32_C(0xa) << 4 * last;
    if (area->given->height & 1 && span->row + 1 == area->down)
        lanes |= (UINT32_C(0xcccccccc) >> (SCH_GROUP_LANES - 4 * span->quads)) << 4 * span->first;
    return lanes;
}

/* ---- groups ---- */

/* Places where the spans stand one by one. */
static void place_span(const struct sch_exec_area *area, struct sch_exec_machine *machine, const struct span *span)
{
    struct sch_exec_pixels at;
    machine->ops->quad_pixels(&at.x, &at.y, area->given->x + 2 * span->column, area->given->y + 2 * span->row);
    size_t first = (size_t)span->first * SCH_QUAD_LANES, bytes = (size_t)span->quads * SCH_QUAD_LANES * 4;
    memcpy(machine->pixels->x.u + first, at.x.u, bytes);
    memcpy(machine->pixels->y.u + first, at.y.u, bytes);
}

/* 64 by 8 pixels. Of more rows, those of textures and render targets whose rows are a power of two apart fall into the
 * same sets of the first cache: 64 by 64 costs lookups at texel steps a third, and gains only where texels are 16
 * bytes. */
enum { TILE_GROUPS = 4, TILE_ROWS = 4 };

/* The tile of a unit: bands of TILE_ROWS rows from above, in each the tiles from the left. */
static void find_tile(const struct sch_exec_area *area, uint64_t unit, struct sch_exec_tile *tile)
{
    uint32_t across = area->across / GROUP_QUADS, number = (uint32_t)unit; /* below 2^27 */
    tile->row = number / (across * TILE_ROWS) * TILE_ROWS;
    tile->rows = area->down - tile->row < TILE_ROWS ? area->down - tile->row : TILE_ROWS;
    number -= tile->row * across;
    tile->group = number / (TILE_GROUPS * tile->rows) * TILE_GROUPS;
    tile->groups = across - tile->group < TILE_GROUPS ? across - tile->group : TILE_GROUPS;
    number -= tile->group * tile->rows;
    tile->row_in = number / tile->groups;
    tile->group_in = number % tile->groups;
}

static void place_in_tile(const struct sch_exec_area *area, struct sch_exec_machine *machine, uint64_t unit,
                          struct sch_exec_pixels *at)
{
    find_tile(area, unit, &at->tile);
    at->row = at->tile.row + at->tile.row_in;
    at->column = (at->tile.group + at->tile.group_in) * GROUP_QUADS;
    at->quads = at->whole = GROUP_QUADS;
    machine->group.first = ((uint64_t)at->row * area->across + at->column) * SCH_QUAD_LANES;
}

static void place_group(const struct sch_exec_area *area, const struct sch_exec_machine *machine,
                        struct sch_exec_pixels *at)
{
    uint32_t quad = (uint32_t)(machine->group.first / SCH_QUAD_LANES);
    at->row = quad / area->across;
    at->column = quad - at->row * area->across;
    at->quads = machine->group.present == UINT32_MAX
                    ? GROUP_QUADS
                    : (uint32_t)__builtin_ctz(~machine->group.present) / SCH_QUAD_LANES;
    at->whole = at->quads < area->across - at->column ? at->quads : area->across - at->column;
}

uint32_t sch_exec_load_area(const struct sch_exec_area *area, struct sch_exec_machine *machine, uint64_t unit)
{
    struct sch_exec_pixels *at = machine->pixels;
    if (area->tiled)
        place_in_tile(area, machine, unit, at);
    else
        place_group(area, machine, at);
    struct span span = first_span(at);
    machine->ops->quad_pixels(&at->x, &at->y, area->given->x + 2 * span.column, area->given->y + 2 * span.row);
    uint32_t lanes = outside(area, &span);
    while (span.first + span.quads < at->quads) {
        span = next_span(area, &span, at->quads);
        place_span(area, machine, &span);
        lanes |= outside(area, &span);
    }
    /* What depends on the row alone stands there from the group before. */
    bool same_row = at->whole == at->quads && at->kept_row == at->row + 1;
    at->kept_row = at->whole == at->quads ? at->row + 1 : 0;
    for (uint32_t p = same_row ? area->row_count : 0; p < area->plane_count; p++)
        machine->ops->plane(machine->group.space[SCH_SPACE_STATE] + area->planes[p].channel, &area->planes[p].plane,
                            &at->x, &at->y);
    return lanes;
}

/* ---- spans ---- */

enum { SPAN_ROWS = 16 }; /* so that a worker sees soon that another one has failed */

static uint32_t least(uint64_t a, uint64_t b) { return (uint32_t)(a < b ? a : b); }

/* In a tile, the rest of a row of groups, or of all rows. */
static void find_in_tile(const struct sch_exec_area *area, const struct sch_exec_tile *tile, uint64_t most,
                         struct sch_group_span *span)
{
    uint32_t group = tile->group + tile->group_in, row = tile->row + tile->row_in;
    uint32_t groups = area->given->width / (2 * GROUP_QUADS), rows = area->given->height / 2; /* with all pixels */
    if (group >= groups || row >= rows) return;
    span->groups = least(least(tile->groups - tile->group_in, groups - group), most);
    span->rows = 1;
    if (span->groups == tile->groups)
        span->rows = least(least(tile->rows - tile->row_in, rows - row), most / tile->groups);
}

/* Without tiles, the rest of a row, or rows of nothing but such groups. */
static void find_in_rows(const struct sch_exec_area *area, uint32_t column, uint32_t row, uint64_t most,
                         struct sch_group_span *span)
{
    uint32_t columns = area->given->width / 2, rows = area->given->height / 2; /* with all pixels */
    if (column >= columns || row >= rows) return;
    span->groups = least((columns - column) / GROUP_QUADS, most);
    span->rows = span->groups != 0;
    if (span->groups && span->groups * GROUP_QUADS == area->across)
        span->rows = least(least(SPAN_ROWS, rows - row), most / span->groups);
}

uint64_t sch_exec_find_span(const struct sch_exec_area *area, struct sch_exec_machine *machine, uint64_t unit,
                            uint64_t end, struct sch_group_span *span)
{
    struct sch_exec_pixels *at = machine->pixels;
    *span = (struct sch_group_span){.row_step = (uint64_t)area->across * SCH_QUAD_LANES};
    if (area->tiled) {
        find_tile(area, unit, &at->tile);
        at->row = at->tile.row + at->tile.row_in;
        at->column = (at->tile.group + at->tile.group_in) * GROUP_QUADS;
        find_in_tile(area, &at->tile, end - unit, span);
    } else {
        uint32_t quad = (uint32_t)unit * GROUP_QUADS;
        at->row = quad / area->across;
        at->column = quad - at->row * area->across;
        find_in_rows(area, at->column, at->row, end - unit, span);
    }
    at->kept_row = 0;
    span->x = area->given->x + 2 * at->column;
    span->y = area->given->y + 2 * at->row;
    machine->group.first = ((uint64_t)at->row * area->across + at->column) * SCH_QUAD_LANES;
    return (uint64_t)span->groups * span->rows;
}

/* ---- colours ---- */

/* What is written of a group: the lanes, and the same as bits of each row from left to right. */
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

static uint8_t *pixel_place(const struct sch_exec_area *area, const struct sch_render_target *render_target,
                            const struct span *span, unsigned row, size_t pixel_bytes)
{
    return (uint8_t *)render_target->pixels +
           ((size_t)area->given->y + 2 * (size_t)span->row + row) * render_target->row_bytes +
           ((size_t)area->given->x + 2 * (size_t)span->column) * pixel_bytes;
}

/* A whole row of a group where some pixels stay. They are the group's own: nobody else writes them. */
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

static void store_unorm8(const struct sch_exec_area *area, const struct sch_exec_machine *machine,
                         const struct sch_render_target *render_target, const struct span *span,
                         const struct sch_lanes *rows, const struct writing *writing)
{
    uint32_t all = 0xffffu >> (ROW_LANES - 2 * span->quads);
    bool inside = !outside(area, span);
    for (unsigned row = 0; row < 2; row++) {
        uint32_t bits = writing->row[row] >> 2 * span->first & all;
        if (!bits) continue;
        store_unorm8_row(machine, pixel_place(area, render_target, span, row, 4),
                         rows->u + (size_t)row * ROW_LANES + 2 * (size_t)span->first, bits, all, inside);
    }
}

static void store_words(const struct sch_exec_area *area, const struct sch_render_target *render_target,
                        const struct span *span, const struct sch_lanes *rgba, const struct writing *writing)
{
    for (unsigned row = 0; row < 2; row++) {
        uint32_t bits = writing->row[row] >> 2 * span->first & (0xffffu >> (ROW_LANES - 2 * span->quads));
        if (!bits) continue;
        uint8_t *to = pixel_place(area, render_target, span, row, 16);
        for (; bits; bits &= bits - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(bits), lane = (span->first + i / 2) * 4 + row * 2 + (i & 1);
            const uint32_t words[4] = {rgba[0].u[lane], rgba[1].u[lane], rgba[2].u[lane], rgba[3].u[lane]};
            memcpy(to + (size_t)i * sizeof words, words, sizeof words);
        }
    }
}

static void store_render_target(const struct sch_exec_area *area, const struct sch_exec_machine *machine,
                                const struct sch_render_target *render_target, const struct writing *writing)
{
    static const struct sch_lanes nothing[4];
    const struct sch_exec_file *file = &machine->program->files[SCH_FILE_OUTPUT];
    const struct sch_lanes *rgba =
        render_target->output < file->count
            ? machine->group.space[SCH_SPACE_STATE] + file->base + 4 * (size_t)render_target->output
            : nothing;
    struct sch_lanes rows;
    if (render_target->format == SCH_RENDER_TARGET_UNORM8) {
        const struct span whole = first_span(machine->pixels);
        if (writing->row[0] == ALL_COLUMNS && writing->row[1] == ALL_COLUMNS && whole.quads == GROUP_QUADS) {
            machine->ops->pack_unorm8(pixel_place(area, render_target, &whole, 0, 4),
                                      pixel_place(area, render_target, &whole, 1, 4), rgba);
            return;
        }
        machine->ops->pack_unorm8(rows.u, rows.u + ROW_LANES, rgba);
    }
    const uint32_t quads = machine->pixels->quads;
    for (struct span span = first_span(machine->pixels);; span = next_span(area, &span, quads)) {
        if (render_target->format == SCH_RENDER_TARGET_UNORM8)
            store_unorm8(area, machine, render_target, &span, &rows, writing);
        else
            store_words(area, render_target, &span, rgba, writing);
        if (span.first + span.quads >= quads) return;
    }
}

void sch_exec_store_area(const struct sch_exec_area *area, const struct sch_exec_machine *machine)
{
    uint32_t lanes = machine->group.present & ~machine->group.helpers;
    const struct writing writing = {.row = {row_bits(lanes), row_bits(lanes >> 2)}};
    if (!lanes) return;
    for (uint32_t c = 0; c < area->given->render_target_count; c++)
        store_render_target(area, machine, &area->given->render_targets[c], &writing);
}
