/* Triangles with coverage masks as a source of work, as the bins of a draw are one: all of it is in this file. A unit
 * is a bin of 64 by 8 pixels, its groups are the blocks of 16 by 2 in it that triangles touch, triangle after triangle,
 * so that those of a pixel come in their order. Quads that nothing covers have no lanes, other pixels that are not
 * covered are helpers. Each triangle has planes of its own; blocks side by side that it covers wholly are spans. */
#include "coverage_source.h"

#include <math.h>

#include "exec/interpolate.h"
#include "run/values.h"

enum {
    BIN_COLUMNS = COVERAGE_BIN_WIDTH / COVERAGE_BLOCK_WIDTH,
    BIN_ROWS = COVERAGE_BIN_HEIGHT / 2,
    PLANES = 4 * COVERAGE_INPUTS,
    TARGETS = 2
};

/* A group. */
struct block {
    uint32_t triangle, x, y, covered; /* lanes */
};

struct bin {
    uint64_t first; /* groups of the bins before */
    struct block *blocks;
    uint32_t count;
};

struct coverage {
    struct sch_exec_source source;
    const struct coverage_draw *draw;
    struct bin *bins;
    uint32_t across;                /* bins */
    struct sch_group_plane *planes; /* PLANES of each triangle */
    uint32_t channels[PLANES], outputs[TARGETS];
    uint8_t divisions[PLANES];
    struct sch_group_target targets[TARGETS];
    struct sch_exec_spans spans;
    atomic_ullong loaded;
};

/* Of a machine: its group. */
struct place {
    const struct block *block;
    struct sch_lanes x, y;
};

static const struct coverage *coverage_of(const struct sch_exec_source *source)
{
    return (const struct coverage *)source;
}

bool coverage_covers(const struct coverage_triangle *triangle, uint32_t x, uint32_t y)
{
    for (unsigned e = 0; e < 3; e++)
        if (triangle->edge[e][0] * x + triangle->edge[e][1] * y + triangle->edge[e][2] < 0) return false;
    return true;
}

/* ---- bins ---- */

static uint32_t lane_x(uint32_t lane) { return lane / 4 * 2 + (lane & 1); }
static uint32_t lane_y(uint32_t lane) { return lane >> 1 & 1; }

static uint32_t covered_lanes(const struct coverage_draw *draw, uint32_t triangle, uint32_t x, uint32_t y)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) {
        const uint32_t px = x + lane_x(i), py = y + lane_y(i);
        if (px >= draw->width || py >= draw->height) continue;
        if (coverage_covers(&draw->triangles[triangle], px, py)) lanes |= UINT32_C(1) << i;
    }
    return lanes;
}

static bool fill_bin(const struct coverage_draw *draw, uint32_t left, uint32_t top, struct sch_arena *arena,
                     struct bin *bin)
{
    const uint32_t most = draw->triangle_count * BIN_COLUMNS * BIN_ROWS;
    bin->blocks = SCH_ARENA_ARRAY(arena, struct block, most);
    for (uint32_t n = 0; n < most && bin->blocks; n++) {
        struct block block = {.triangle = n / (BIN_COLUMNS * BIN_ROWS),
                              .x = left + n % BIN_COLUMNS * COVERAGE_BLOCK_WIDTH,
                              .y = top + n / BIN_COLUMNS % BIN_ROWS * 2};
        block.covered = covered_lanes(draw, block.triangle, block.x, block.y);
        if (block.covered) bin->blocks[bin->count++] = block;
    }
    return bin->blocks != NULL;
}

static bool fill_bins(struct coverage *coverage, struct sch_arena *arena)
{
    struct sch_exec_source *source = &coverage->source;
    source->all_groups = source->full_groups = source->groups = 0;
    coverage->bins = SCH_ARENA_ARRAY(arena, struct bin, source->units);
    for (uint32_t n = 0; n < source->units && coverage->bins; n++) {
        struct bin *bin = &coverage->bins[n];
        const uint32_t left = n % coverage->across * COVERAGE_BIN_WIDTH,
                       top = n / coverage->across * COVERAGE_BIN_HEIGHT;
        if (!fill_bin(coverage->draw, left, top, arena, bin)) return false;
        bin->first = source->all_groups;
        source->all_groups += bin->count;
        if (source->groups < bin->count) source->groups = bin->count;
        for (uint32_t b = 0; b < bin->count; b++) source->full_groups += bin->blocks[b].covered == UINT32_MAX;
    }
    source->other_groups = source->full_groups != source->all_groups;
    return coverage->bins != NULL;
}

/* ---- planes and spans ---- */

static void prepare_planes(struct coverage *coverage, const struct sch_exec_program *program, uint32_t triangle)
{
    for (unsigned p = 0; p < PLANES; p++) {
        const struct sch_plane *given = &coverage->draw->triangles[triangle].planes[p / 4][p % 4];
        struct sch_group_plane *plane = &coverage->planes[triangle * PLANES + p];
        plane->division = coverage->divisions[p] = p / 4 ? SCH_PLANE_SCALED : SCH_PLANE_DIVIDED;
        plane->scale = 1 / given->divisor[0];
        memcpy(plane->value, given->value, sizeof plane->value);
        memcpy(plane->divisor, given->divisor, sizeof plane->divisor);
        coverage->channels[p] = program->prepared.files[SCH_FILE_INPUT].base + p;
    }
}

static void describe_spans(struct coverage *coverage)
{
    const struct coverage_draw *draw = coverage->draw;
    for (uint32_t t = 0; t < draw->target_count; t++) {
        coverage->targets[t] =
            (struct sch_group_target){.pixels = draw->targets[t].pixels, .row_bytes = draw->targets[t].row_bytes};
        coverage->outputs[t] = draw->targets[t].output;
    }
    coverage->spans = (struct sch_exec_spans){.channels = coverage->channels,
                                              .divisions = coverage->divisions,
                                              .plane_count = PLANES,
                                              .outputs = coverage->outputs,
                                              .target_count = draw->target_count,
                                              .groups = coverage->source.full_groups,
                                              .all = !coverage->source.other_groups};
    coverage->source.spans = &coverage->spans;
}

static enum sch_result prepare(struct sch_exec_source *source, const struct sch_exec_program *program,
                               struct sch_arena *arena)
{
    struct coverage *coverage = (struct coverage *)source;
    const struct coverage_draw *draw = coverage->draw;
    if (program->prepared.files[SCH_FILE_INPUT].count != COVERAGE_INPUTS) return SCH_ERROR_ARGUMENT;
    coverage->planes = SCH_ARENA_ARRAY(arena, struct sch_group_plane, (size_t)draw->triangle_count * PLANES);
    if (!coverage->planes || !fill_bins(coverage, arena)) return SCH_ERROR_MEMORY;
    for (uint32_t t = 0; t < draw->triangle_count; t++) prepare_planes(coverage, program, t);
    if (draw->spans) describe_spans(coverage);
    return SCH_OK;
}

/* ---- groups ---- */

static void load_system_values(const struct sch_exec_machine *machine)
{
    const struct sch_prepared *prepared = &machine->program->prepared;
    const struct sch_prepared_file *file = &prepared->files[SCH_FILE_SYSTEM_VALUE];
    for (uint32_t r = 0; r < file->count; r++)
        if (prepared->system_values[r].declared)
            sch_run_own_value(machine, prepared->system_values[r].semantic,
                              machine->group.space[SCH_SPACE_STATE] + file->base + 4 * r);
}

static void begin_block(const struct coverage *coverage, struct sch_exec_machine *machine, uint64_t unit,
                        uint32_t group)
{
    const struct bin *bin = &coverage->bins[unit];
    const uint32_t covered = bin->blocks[group].covered;
    const uint32_t quads = (covered | covered >> 1 | covered >> 2 | covered >> 3) & 0x11111111;
    struct place *place = machine->place;
    place->block = &bin->blocks[group];
    machine->group.first = (bin->first + group) * SCH_GROUP_LANES;
    machine->group.present = quads * 15;
    machine->started_helpers = machine->group.present & ~covered;
    sch_exec_begin_group(machine);
    load_system_values(machine);
    machine->loaded = true;
}

static bool load(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit, uint32_t group)
{
    const struct coverage *coverage = coverage_of(source);
    struct place *place = machine->place;
    if (group >= coverage->bins[unit].count) return false;
    begin_block(coverage, machine, unit, group);
    sch_exec_clear_group(machine);
    machine->ops->quad_pixels(&place->x, &place->y, place->block->x, place->block->y);
    for (unsigned p = 0; p < PLANES; p++)
        machine->ops->plane(machine->group.space[SCH_SPACE_STATE] + coverage->channels[p],
                            &coverage->planes[place->block->triangle * PLANES + p], &place->x, &place->y);
    atomic_fetch_add_explicit((atomic_ullong *)&coverage->loaded, 1, memory_order_relaxed);
    return true;
}

static bool goes_on(const struct block *block, const struct block *next)
{
    return next->covered == UINT32_MAX && next->triangle == block->triangle && next->y == block->y &&
           next->x == block->x + COVERAGE_BLOCK_WIDTH;
}

static bool find_span(const struct sch_exec_source *source, struct sch_exec_machine *machine, struct sch_exec_at *at,
                      uint64_t end, uint64_t most, struct sch_group_span *span)
{
    const struct coverage *coverage = coverage_of(source);
    const struct bin *bin = &coverage->bins[at->unit];
    (void)end; /* spans are in one unit */
    if (at->group >= bin->count || bin->blocks[at->group].covered != UINT32_MAX) return false;
    begin_block(coverage, machine, at->unit, at->group);
    const struct block *block = &bin->blocks[at->group];
    *span = (struct sch_group_span){.x = block->x, .y = block->y, .rows = 1};
    do {
        span->groups++;
        at->group++;
    } while (span->groups < most && at->group < bin->count && goes_on(&block[span->groups - 1], &block[span->groups]));
    if (at->group == bin->count) *at = (struct sch_exec_at){.unit = at->unit + 1};
    machine->group.planes = &coverage->planes[block->triangle * PLANES];
    machine->group.targets = coverage->targets;
    return true;
}

/* ---- pixels ---- */

static void store_target(const struct sch_exec_machine *machine, const struct sch_render_target *target)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    const struct sch_lanes *rgba = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * target->output;
    const struct place *place = machine->place;
    const bool words = target->format == SCH_RENDER_TARGET_WORDS;
    uint32_t bytes[2][COVERAGE_BLOCK_WIDTH];
    machine->ops->pack_unorm8(bytes[0], bytes[1], rgba);
    for (uint32_t lanes = machine->group.present & ~machine->group.helpers; lanes; lanes &= lanes - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(lanes), x = lane_x(i), y = lane_y(i);
        uint8_t *pixel = (uint8_t *)target->pixels + (place->block->y + y) * target->row_bytes +
                         (size_t)(place->block->x + x) * (words ? 16 : 4);
        const uint32_t color[4] = {rgba[0].u[i], rgba[1].u[i], rgba[2].u[i], rgba[3].u[i]};
        memcpy(pixel, words ? color : &bytes[y][x], words ? 16 : 4);
    }
}

static void store(const struct sch_exec_source *source, const struct sch_exec_machine *machine)
{
    const struct coverage_draw *draw = coverage_of(source)->draw;
    for (uint32_t t = 0; t < draw->target_count; t++) store_target(machine, &draw->targets[t]);
}

/* ---- what instructions ask ---- */

static void locate(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                   struct sch_lanes pixel[4])
{
    const struct place *place = machine->place;
    (void)source;
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) {
        pixel[0].u[i] = place->block->x + lane_x(i);
        pixel[1].u[i] = place->block->y + lane_y(i);
    }
}

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void centroids(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                      struct sch_lanes offset[2])
{
    const struct place *place = machine->place;
    const struct coverage_triangle *triangle = &coverage_of(source)->draw->triangles[place->block->triangle];
    if (place->block->covered == UINT32_MAX) return;
    for (unsigned c = 0; c < 2; c++) machine->ops->splat(&offset[c], bits(triangle->centroid[c]));
}

/* The plane's value where a lane's pixel has its centre. */
static uint32_t at_centre(const float steps[3], uint32_t x, uint32_t y)
{
    return bits(fmaf((float)y, steps[2], fmaf((float)x, steps[1], steps[0])));
}

static void interpolate(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                        const struct sch_exec_interpolation *wanted, struct sch_lanes *value)
{
    const struct place *place = machine->place;
    const struct coverage_triangle *triangle = &coverage_of(source)->draw->triangles[place->block->triangle];
    struct sch_exec_planes planes;
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) {
        sch_exec_constant_plane(machine, i, wanted->numbers[i], wanted->component, &planes);
        if (wanted->numbers[i] < 0 || wanted->numbers[i] >= COVERAGE_INPUTS) continue;
        const struct sch_plane *plane = &triangle->planes[wanted->numbers[i]][wanted->component];
        const uint32_t x = place->block->x + lane_x(i), y = place->block->y + lane_y(i);
        planes.value[0].u[i] = at_centre(plane->value, x, y);
        planes.divisor[0].u[i] = at_centre(plane->divisor, x, y);
        for (unsigned k = 1; k < 3; k++) planes.value[k].u[i] = bits(plane->value[k]);
        for (unsigned k = 1; k < 3; k++) planes.divisor[k].u[i] = bits(plane->divisor[k]);
    }
    sch_exec_evaluate_planes(machine, &planes, wanted->offset, value);
}

/* ---- making ---- */

static const struct sch_exec_source_kind kind = {.name = "coverage",
                                                 .prepare = prepare,
                                                 .load = load,
                                                 .store = store,
                                                 .find_span = find_span,
                                                 .locate = locate,
                                                 .centroids = centroids,
                                                 .interpolate = interpolate};

enum sch_result coverage_run(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                             const struct coverage_draw *draw, const struct sch_run_options *options,
                             struct sch_run_report *report, uint64_t *loaded, uint64_t *all)
{
    const uint32_t across = (draw->width + COVERAGE_BIN_WIDTH - 1) / COVERAGE_BIN_WIDTH;
    const uint32_t down = (draw->height + COVERAGE_BIN_HEIGHT - 1) / COVERAGE_BIN_HEIGHT;
    struct coverage coverage = {.draw = draw,
                                .across = across,
                                .source = {.kind = &kind,
                                           .units = (uint64_t)across * down,
                                           .groups = draw->triangle_count * BIN_COLUMNS * BIN_ROWS,
                                           .place_bytes = sizeof(struct place),
                                           .quads = true,
                                           .samples = 1,
                                           .input_vertices = 1}};
    atomic_init(&coverage.loaded, 0);
    const enum sch_result status = sch_run(program, bindings, &coverage.source, options, report);
    *loaded = atomic_load(&coverage.loaded);
    *all = coverage.source.all_groups;
    return status;
}
