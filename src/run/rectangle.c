/* A rectangle of pixels as a source of work: inputs from planes, without arrays of invocations between. Invocations are
 * the rectangle's quads row by row; a group is a unit: 8 quads that are side by side or continue in the next row of
 * quads. Lanes outside of the rectangle are helpers. Where colours go is run/targets.c. */
#include "run/rectangle.h"

#include "exec/lookup.h"
#include "run/heat.h"
#include "run/run.h"
#include "run/values.h"

enum { GROUP_QUADS = SCH_RUN_GROUP_QUADS };

/* 64 by 8 pixels. If there were more, rows of textures and render targets whose rows are a power of two apart fall into
 * the same sets of the first cache: 64 by 64 costs lookups at texel steps a third, and gains only where texels are 16
 * bytes. */
enum { TILE_GROUPS = 4, TILE_ROWS = 4 };

/* ---- when a run begins ---- */

/* Powers of two and infinities: dividing by one is multiplying by its reciprocal. Not -0, which no sum of a plane
 * is. */
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

static void add_plane(struct sch_run_area *area, uint32_t channel, const struct sch_plane *given)
{
    uint32_t at = area->plane_count++;
    for (; at > 0 && area->channels[at - 1] > channel; at--) {
        area->channels[at] = area->channels[at - 1];
        area->planes[at] = area->planes[at - 1];
    }
    area->channels[at] = channel;
    area->planes[at] = prepare_plane(given);
}

static void order_planes(struct sch_run_area *area)
{
    uint32_t count = 0;
    for (unsigned along_rows = 0; along_rows < 2; along_rows++) {
        for (uint32_t p = 0; p < area->plane_count; p++) {
            const struct sch_group_plane *plane = &area->planes[p];
            if ((plane->value[1] != 0 || plane->divisor[1] != 0) == along_rows) area->order[count++] = p;
        }
        if (!along_rows) area->row_count = count;
    }
}

static void add_register(const struct sch_exec_program *program, const struct sch_rectangle_register *given,
                         struct sch_run_area *area)
{
    const struct sch_prepared_file *file =
        &program->prepared.files[given->system_value ? SCH_FILE_SYSTEM_VALUE : SCH_FILE_INPUT];
    if (given->index >= file->count) return;
    unsigned read = given->system_value ? 15 : program->prepared.input_masks[given->index];
    bool *seen = given->system_value ? &area->given_values[given->index] : &area->given_inputs[given->index];
    if (*seen) return;
    *seen = true;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t channel = file->base + 4 * given->index + c;
        if (!(read >> c & 1)) continue;
        if (given->planar >> c & 1)
            add_plane(area, channel, &given->planes[c]);
        else
            area->words[area->word_count++] = (struct sch_run_uniform){.channel = channel, .word = given->words[c]};
    }
}

/* Whether groups can run in another order: that cannot be seen, and each is a part of one row. */
static bool can_tile(const struct sch_exec_program *program, const struct sch_run_area *area)
{
    bool looks_up = false;
    for (uint32_t n = 0; n < program->prepared.instruction_count; n++)
        looks_up |= program->prepared.instructions[n].lookup != NULL;
    return looks_up && !program->prepared.memory.writes_outside && area->across % GROUP_QUADS == 0;
}

/* Whether planes, colours as bytes and the pixels' order are all that there is around a group. */
static bool can_span(const struct sch_exec_program *program, const struct sch_rectangle *given,
                     const struct sch_heat *heat)
{
    if (program->prepared.memory.declared_kinds >> SCH_MEMORY_PRIVATE & 1) return false;
    if (heat) return false; /* it counts group by group */
    for (uint32_t t = 0; t < given->render_target_count; t++)
        if (given->render_targets[t].format != SCH_RENDER_TARGET_UNORM8) return false;
    /* What reads pixels needs to know where the group is. */
    for (uint32_t n = 0; n < program->prepared.instruction_count; n++) {
        const struct sch_prepared_instruction *in = &program->prepared.instructions[n];
        if (in->lookup && in->lookup->render_target) return false;
        if (sch_op_info(in->opcode)->shape == SCH_SHAPE_FETCH) return false;
    }
    return true;
}

/* Code adds y times the bytes of a row, whatever row the memory begins with. The sum before it is not a pointer to
 * anything, so that it is made of numbers. */
static struct sch_group_target describe_target(const struct sch_render_target *given)
{
    const uintptr_t above = (uintptr_t)given->first_row * given->row_bytes;
    return (struct sch_group_target){.pixels = (void *)((uintptr_t)given->pixels - above),
                                     .row_bytes = given->row_bytes};
}

static enum sch_result describe_spans(struct sch_run_area *area, struct sch_arena *arena)
{
    const struct sch_rectangle *given = area->given;
    const uint32_t count = given->render_target_count, in_row = given->width / (2 * GROUP_QUADS);
    const bool even = given->width % (2 * GROUP_QUADS) == 0;
    uint32_t *outputs = SCH_ARENA_ARRAY(arena, uint32_t, count);
    area->targets = SCH_ARENA_ARRAY(arena, struct sch_group_target, count);
    if (!area->targets || !outputs) return SCH_ERROR_MEMORY;
    for (uint32_t t = 0; t < count; t++) {
        area->targets[t] = describe_target(&given->render_targets[t]);
        outputs[t] = given->render_targets[t].output;
    }
    area->spans =
        (struct sch_exec_spans){.channels = area->channels,
                                .divisions = area->divisions,
                                .plane_count = area->plane_count,
                                .outputs = outputs,
                                .target_count = count,
                                /* of a row that does not come out even they begin anywhere */
                                .groups = (uint64_t)(even || !in_row ? in_row : in_row - 1) * (given->height / 2),
                                .all = even && given->height % 2 == 0};
    area->source.spans = &area->spans;
    return SCH_OK;
}

static enum sch_result prepare(struct sch_exec_source *source, const struct sch_exec_program *program,
                               struct sch_arena *arena)
{
    struct sch_run_area *area = (struct sch_run_area *)source;
    const struct sch_rectangle *given = area->given;
    const size_t channels = 4 * (size_t)given->register_count;
    area->channels = SCH_ARENA_ARRAY(arena, uint32_t, channels);
    area->planes = SCH_ARENA_ARRAY(arena, struct sch_group_plane, channels);
    area->divisions = SCH_ARENA_ARRAY(arena, uint8_t, channels);
    area->order = SCH_ARENA_ARRAY(arena, uint32_t, channels);
    area->words = SCH_ARENA_ARRAY(arena, struct sch_run_uniform, channels);
    area->given_values = SCH_ARENA_ARRAY(arena, bool, program->prepared.files[SCH_FILE_SYSTEM_VALUE].count);
    area->given_inputs = SCH_ARENA_ARRAY(arena, bool, program->prepared.files[SCH_FILE_INPUT].count);
    if (!area->channels || !area->planes || !area->divisions || !area->order || !area->words) return SCH_ERROR_MEMORY;
    if (!area->given_values || !area->given_inputs) return SCH_ERROR_MEMORY;
    for (uint32_t r = given->register_count; r-- > 0;) add_register(program, &given->registers[r], area);
    for (uint32_t p = 0; p < area->plane_count; p++) area->divisions[p] = area->planes[p].division;
    order_planes(area);
    area->tiled = can_tile(program, area);
    source->grain = area->across % GROUP_QUADS ? 0 : area->across / GROUP_QUADS * (area->tiled ? TILE_ROWS : 1);
    return can_span(program, given, area->heat) ? describe_spans(area, arena) : SCH_OK;
}

static void begin(const struct sch_exec_source *source, struct sch_exec_machine *machine)
{
    const struct sch_run_area *area = sch_run_area_of(source);
    for (uint32_t w = 0; w < area->word_count; w++)
        machine->ops->splat(machine->group.space[SCH_SPACE_STATE] + area->words[w].channel, area->words[w].word);
}

/* ---- where groups are ---- */

/* Places where the pieces of a group are one by one. */
static void place_piece(const struct sch_run_area *area, const struct sch_exec_machine *machine,
                        const struct sch_run_piece *piece, struct sch_run_pixels *at)
{
    struct sch_lanes x, y;
    machine->ops->quad_pixels(&x, &y, area->given->x + 2 * piece->column, area->given->y + 2 * piece->row);
    size_t first = (size_t)piece->first * SCH_QUAD_LANES, bytes = (size_t)piece->quads * SCH_QUAD_LANES * 4;
    memcpy(at->x.u + first, x.u, bytes);
    memcpy(at->y.u + first, y.u, bytes);
}

/* The tile of a unit: bands of TILE_ROWS rows from above, in each the tiles from the left. */
static void find_tile(const struct sch_run_area *area, uint64_t unit, struct sch_run_tile *tile)
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

/* The first quad of a group, and the invocation that it begins with. */
static void place_quad(const struct sch_run_area *area, struct sch_exec_machine *machine, uint64_t unit,
                       struct sch_run_pixels *at)
{
    if (area->tiled) {
        find_tile(area, unit, &at->tile);
        at->row = at->tile.row + at->tile.row_in;
        at->column = (at->tile.group + at->tile.group_in) * GROUP_QUADS;
    } else {
        uint32_t quad = (uint32_t)unit * GROUP_QUADS;
        at->row = quad / area->across;
        at->column = quad - at->row * area->across;
    }
    machine->group.first = ((uint64_t)at->row * area->across + at->column) * SCH_QUAD_LANES;
}

static uint32_t least(uint64_t a, uint64_t b) { return (uint32_t)(a < b ? a : b); }

/* All quads of a group; the lanes that are not pixels of the rectangle. */
static uint32_t place_group(const struct sch_run_area *area, struct sch_exec_machine *machine,
                            struct sch_run_pixels *at)
{
    at->quads = least(GROUP_QUADS, (uint64_t)area->across * area->down - machine->group.first / SCH_QUAD_LANES);
    at->whole = least(at->quads, area->across - at->column);
    struct sch_run_piece piece = sch_run_first_piece(at);
    machine->ops->quad_pixels(&at->x, &at->y, area->given->x + 2 * piece.column, area->given->y + 2 * piece.row);
    uint32_t lanes = sch_run_outside(area, &piece);
    while (piece.first + piece.quads < at->quads) {
        piece = sch_run_next_piece(area, &piece, at->quads);
        place_piece(area, machine, &piece, at);
        lanes |= sch_run_outside(area, &piece);
    }
    return lanes;
}

static void locate(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                   struct sch_lanes pixel[4])
{
    const struct sch_run_pixels *at = machine->place;
    (void)source;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        float place[2];
        memcpy(&place[0], &at->x.u[i], sizeof *place);
        memcpy(&place[1], &at->y.u[i], sizeof *place);
        for (unsigned c = 0; c < 2; c++) pixel[c].u[i] = (uint32_t)place[c];
    }
}

static void identify(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lane,
                     struct sch_invocation_place *place)
{
    struct sch_lanes pixel[4];
    locate(source, machine, pixel);
    place->parts = SCH_PLACE_PIXEL | SCH_PLACE_INVOCATION;
    place->invocation = (uint32_t)(machine->group.first + lane);
    place->x = pixel[0].u[lane];
    place->y = pixel[1].u[lane];
}

/* ---- groups ---- */

/* What the caller does not give; all but one the same in all groups. */
static void load_system_values(const struct sch_run_area *area, const struct sch_exec_machine *machine)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_SYSTEM_VALUE];
    for (uint32_t r = 0; r < file->count; r++) {
        struct sch_lanes *to = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * r;
        unsigned semantic = machine->program->prepared.system_values[r].semantic;
        if (!machine->program->prepared.system_values[r].declared || area->given_values[r]) continue;
        sch_run_own_value(machine, semantic, to);
        if (machine->loaded) continue;
        sch_run_stage_value(&area->source, machine, semantic, to);
        for (unsigned i = 0; i < SCH_GROUP_LANES && semantic == SCH_SEMANTIC_SAMPLEPOS; i++)
            sch_run_sample_position(&area->source, i, 0, to);
    }
}

/* What depends on the row alone is there from the group before. */
static void load_planes(const struct sch_run_area *area, const struct sch_exec_machine *machine,
                        struct sch_run_pixels *at)
{
    bool same_row = at->whole == at->quads && at->kept_row == at->row + 1;
    at->kept_row = at->whole == at->quads ? at->row + 1 : 0;
    for (uint32_t n = same_row ? area->row_count : 0; n < area->plane_count; n++) {
        const uint32_t p = area->order[n];
        machine->ops->plane(machine->group.space[SCH_SPACE_STATE] + area->channels[p], &area->planes[p], &at->x,
                            &at->y);
    }
}

static bool load(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit, uint32_t group)
{
    (void)group;
    const struct sch_run_area *area = sch_run_area_of(source);
    struct sch_run_pixels *pixels = machine->place;
    place_quad(area, machine, unit, pixels);
    machine->started_helpers = place_group(area, machine, pixels);
    machine->group.present = sch_exec_first_lanes((uint64_t)pixels->quads * SCH_QUAD_LANES);
    load_planes(area, machine, pixels);
    sch_exec_begin_group(machine);
    sch_exec_clear_heat(machine);
    sch_exec_clear_group(machine);
    load_system_values(area, machine);
    machine->loaded = true;
    return true;
}

/* Every pixel has a fragment. Lanes outside of the rectangle are not pixels of it. */
static void count_heat(const struct sch_run_area *area, const struct sch_exec_machine *machine)
{
    const struct sch_prepared_interface *interface = &machine->program->prepared.interface;
    struct sch_run_heat_lanes at = {.lanes = machine->group.present & ~machine->started_helpers};
    struct sch_lanes pixel[4];
    locate(&area->source, machine, pixel);
    at.x = pixel[0];
    at.y = pixel[1];
    sch_run_heat_add(area->heat, area->heat->covered, &at);
    sch_run_heat_group(area->heat, machine, &at);
    for (uint32_t n = 0; n < interface->output_count; n++)
        if (interface->outputs[n].declared && interface->outputs[n].semantic == SCH_SEMANTIC_COLOR)
            sch_run_heat_color(area->heat, machine, n, &at);
}

static void store(const struct sch_exec_source *source, const struct sch_exec_machine *machine)
{
    if (sch_run_area_of(source)->heat) count_heat(sch_run_area_of(source), machine);
    sch_run_store_colors(source, machine);
}

/* ---- spans ---- */

enum { SPAN_ROWS = 16 }; /* so that a worker sees soon that another one has failed */

/* In a tile, the rest of a row of groups, or of all rows. */
static void find_in_tile(const struct sch_run_area *area, const struct sch_run_tile *tile, uint64_t most,
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
static void find_in_rows(const struct sch_run_area *area, uint32_t column, uint32_t row, uint64_t most,
                         struct sch_group_span *span)
{
    uint32_t columns = area->given->width / 2, rows = area->given->height / 2; /* with all pixels */
    if (column >= columns || row >= rows) return;
    span->groups = least((columns - column) / GROUP_QUADS, most);
    span->rows = span->groups != 0;
    if (span->groups && span->groups * GROUP_QUADS == area->across)
        span->rows = least(least(SPAN_ROWS, rows - row), most / span->groups);
}

static bool find_span(const struct sch_exec_source *source, struct sch_exec_machine *machine, struct sch_exec_at *at,
                      uint64_t end, uint64_t most, struct sch_group_span *span)
{
    const struct sch_run_area *area = sch_run_area_of(source);
    struct sch_run_pixels *pixels = machine->place;
    if (most > end - at->unit) most = end - at->unit;
    *span = (struct sch_group_span){.row_step = (uint64_t)area->across * SCH_QUAD_LANES};
    place_quad(area, machine, at->unit, pixels);
    if (area->tiled)
        find_in_tile(area, &pixels->tile, most, span);
    else
        find_in_rows(area, pixels->column, pixels->row, most, span);
    pixels->kept_row = 0;
    if (!span->groups) return false;
    span->runs = (uint64_t)span->groups * span->rows;
    span->x = area->given->x + 2 * pixels->column;
    span->y = area->given->y + 2 * pixels->row;
    at->unit += span->runs;
    machine->group.planes = area->planes;
    machine->group.targets = area->targets;
    machine->group.present = UINT32_MAX;
    machine->started_helpers = 0;
    sch_exec_begin_group(machine);
    load_system_values(area, machine);
    machine->loaded = true;
    return true;
}

/* ---- making ---- */

static const struct sch_exec_source_kind kind = {.name = "rectangle",
                                                 .prepare = prepare,
                                                 .begin = begin,
                                                 .load = load,
                                                 .store = store,
                                                 .find_span = find_span,
                                                 .identify = identify,
                                                 .locate = locate};

static struct sch_run_area area_of(const struct sch_rectangle *given)
{
    const uint32_t across = (given->width + 1) / 2, down = (given->height + 1) / 2, quads = across * down;
    return (struct sch_run_area){
        .given = given,
        .across = across,
        .down = down,
        .source = {.kind = &kind,
                   .units = ((uint64_t)quads + GROUP_QUADS - 1) / GROUP_QUADS,
                   .groups = 1,
                   .all_groups = ((uint64_t)quads + GROUP_QUADS - 1) / GROUP_QUADS,
                   .place_bytes = sizeof(struct sch_run_pixels),
                   .quads = true,
                   .samples = 1,
                   .input_vertices = 1,
                   .full_groups = quads / GROUP_QUADS,
                   .other_groups = ((given->width | given->height) & 1) || quads % GROUP_QUADS != 0}};
}

enum sch_result sch_run_rectangle(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                                  const struct sch_rectangle *rectangle, const struct sch_run_options *options,
                                  struct sch_run_report *report)
{
    if (program->prepared.stage != SCH_STAGE_FRAGMENT) return SCH_ERROR_ARGUMENT;
    struct sch_run_area area = area_of(rectangle);
    area.heat = options ? options->heat : NULL;
    sch_run_heat_begin(area.heat, &area.source);
    return sch_run(program, bindings, &area.source, options, report);
}

enum sch_result sch_run_rectangle_spans(const struct sch_exec_program *program, const struct sch_rectangle *rectangle,
                                        struct sch_arena *arena, const struct sch_exec_spans **spans)
{
    struct sch_run_area *area = SCH_ARENA_NEW(arena, struct sch_run_area);
    *spans = NULL;
    if (!area) return SCH_ERROR_MEMORY;
    *area = area_of(rectangle);
    const enum sch_result status = prepare(&area->source, program, arena);
    *spans = area->source.spans;
    return status;
}
