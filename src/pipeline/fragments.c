/* Fragments: what programs read of them, and what becomes of their results. Which there are is pipeline/tile.c; how
 * they are tested and blended is pipeline/output.c. */
#include "pipeline/fragments.h"

#include "exec/group.h"
#include "exec/interpolate.h"
#include "pipeline/heat.h"
#include "pipeline/history.h"
#include "pipeline/levels.h"
#include "pipeline/rules.h"
#include "pipeline/spans.h"
#include "pipeline/triangle.h"
#include "run/values.h"

/* Where inputs are evaluated. */
enum place { PLACE_CENTER, PLACE_CENTROID, PLACE_SAMPLE, PLACES };

struct tiles {
    struct sch_exec_source source;
    const struct sch_fragments *fragments;
    const struct sch_bins *bins;
    const struct sch_heat *heat; /* NULL if not wanted */
    uint32_t left, top, columns; /* tiles that have primitives */
    struct sch_exec_spans spans;
    atomic_ullong samples_passed, invocations;
};

/* A group, and what of it is evaluated already. */
struct place_of_group {
    struct sch_tile_group *group;
    uint32_t sample_masks[SCH_MAX_SAMPLES]; /* of the group before the early tests */
    uint32_t known;                         /* bits: of `places` and `weights` that are there */
    struct sch_lane_places places[PLACES];
    struct sch_weights perspective[PLACES], linear[PLACES];
};

/* Where a machine is in its tile. Groups that follow each other are found before they are shaded: GROUPS_AHEAD at once,
 * or no fewer than LEAST_AHEAD where together they would stand for more blocks than a span may have groups. */
enum { LEAST_AHEAD = 8, GROUPS_AHEAD = 16, MOST_BLOCKS = SCH_TILE_SIDE / SCH_BLOCK_WIDTH };
struct place_in_tile {
    uint32_t first, count;         /* of the groups: the number of the first one in the unit */
    uint32_t span_begin, span_end; /* of them, that code was to take, and that are not counted yet */
    uint64_t begun;                /* the unit + 1 */
    bool ended;                    /* the walk has no more groups */
    uint64_t samples_passed, invocations;
    struct sch_tile_walk walk; /* need not be cleared, nor what follows */
    struct place_of_group at;  /* the present one */
    struct sch_tile_group groups[GROUPS_AHEAD];
};

static const struct tiles *tiles_of(const struct sch_exec_source *source) { return (const struct tiles *)source; }

static const uint32_t one = 0x3f800000; /* 1.0f */

/* ---- places ---- */

/* What is covered of pixels, also where a lane is one sample: centroids are of all of it (D3D 3.5.5). */
static const uint32_t *pixel_masks(const struct sch_fragments *fragments, const struct place_of_group *at)
{
    return fragments->rules.per_sample ? at->group->pixel_masks : at->sample_masks;
}

/* Where a location is, with its weights. Primitives that samples do not matter to are at the centre. */
static enum place find_place(const struct sch_fragments *fragments, struct place_of_group *at, unsigned location)
{
    const struct sch_ops *ops = fragments->rules.ops;
    enum place place = location == SCH_LOCATION_CENTROID ? PLACE_CENTROID
                       : location == SCH_LOCATION_SAMPLE ? PLACE_SAMPLE
                                                         : PLACE_CENTER;
    if (fragments->at_samples) place = PLACE_SAMPLE;
    if (fragments->rules.pattern.samples == 1 || sch_tile_primitive(at->group, 0)->all_samples) place = PLACE_CENTER;
    if (at->known >> place & 1) return place;
    at->known |= 1u << place;
    if (place == PLACE_CENTER)
        ops->places(&at->places[place], &at->group->quads, 0, 0);
    else if (place == PLACE_CENTROID)
        ops->places_centroid(&at->places[place], &at->group->quads, pixel_masks(fragments, at),
                             fragments->rules.sample_mask, &fragments->rules.pattern);
    else
        ops->places_sample(&at->places[place], &at->group->quads, at->group->sample, &fragments->rules.pattern);
    ops->weights(&at->perspective[place], &at->linear[place], &at->group->quads, &at->places[place]);
    return place;
}

/* ---- inputs ---- */

static void splat_register(const struct sch_ops *ops, struct sch_lanes to[4], uint32_t x, uint32_t y, uint32_t z,
                           uint32_t w)
{
    ops->splat(&to[0], x);
    ops->splat(&to[1], y);
    ops->splat(&to[2], z);
    ops->splat(&to[3], w);
}

/* A word of each quad in its lanes. */
static void put_by_quad(struct sch_lanes *to, const uint32_t words[SCH_GROUP_QUADS])
{
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) to->u[i] = words[i / SCH_QUAD_LANES];
}

/* x of PRIM_ID, LAYER, VIEWPORT_INDEX: what the last stage wrote, or else what the primitive has. */
static void load_number(const struct sch_link *link, const struct sch_tile_group *group, uint16_t word, unsigned source,
                        struct sch_lanes *to)
{
    uint32_t words[SCH_GROUP_QUADS];
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        const struct sch_raster_primitive *primitive = sch_tile_primitive(group, q);
        words[q] = source == SCH_LINK_PRIMITIVE_ID ? primitive->primitive_id
                   : source == SCH_LINK_VIEWPORT   ? primitive->viewport
                                                   : 0;
        if (word != SCH_VERTEX_NONE)
            words[q] = group->quads.vertex[group->quads.same ? 0 : q][SCH_QUAD_PROVOKING][word];
        if (source == SCH_LINK_LAYER && link->layer_relative) words[q] += primitive->viewport;
    }
    put_by_quad(to, words);
}

static void load_face(const struct sch_tile_group *group, uint32_t front, uint32_t back, struct sch_lanes *to)
{
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) to->u[i] = group->back >> i & 1 ? back : front;
}

static void load_varying(const struct sch_fragments *fragments, struct place_of_group *at,
                         const struct sch_link_input *input, uint16_t word, struct sch_lanes to[4])
{
    const struct sch_ops *ops = fragments->rules.ops;
    const enum sch_interpolation how = sch_link_interpolation(input, fragments->draw->rasterizer);
    if (how == SCH_INTERPOLATION_CONSTANT) {
        ops->constants(to, input->mask, &at->group->quads, word);
        return;
    }
    const enum place place = find_place(fragments, at, input->location);
    ops->attributes(to, input->mask, how == SCH_INTERPOLATION_LINEAR ? &at->linear[place] : &at->perspective[place],
                    &at->group->quads, word);
}

/* Colours of back faces are in the place of the front's. */
static void load_attribute(const struct sch_fragments *fragments, struct place_of_group *at,
                           const struct sch_link_input *input, struct sch_lanes to[4])
{
    struct sch_lanes back[4];
    load_varying(fragments, at, input, input->word, to);
    if (!fragments->draw->rasterizer->light_twoside || input->back_word == input->word) return;
    load_varying(fragments, at, input, input->back_word, back);
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++)
        for (unsigned c = 0; c < 4; c++)
            if (at->group->back >> i & 1) to[c].u[i] = back[c].u[i];
}

/* (s, t, 0, 1) across points, the others as they are. */
static void load_sprite(const struct sch_fragments *fragments, struct place_of_group *at, unsigned location,
                        struct sch_lanes to[4])
{
    const enum place place = find_place(fragments, at, location);
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) {
        if (!sch_tile_primitive(at->group, i / SCH_QUAD_LANES)->is_point) continue;
        to[0].u[i] = at->linear[place].l1.u[i];
        to[1].u[i] = at->linear[place].l2.u[i];
        to[2].u[i] = 0;
        to[3].u[i] = one;
    }
}

static void load_position(const struct sch_fragments *fragments, struct place_of_group *at, unsigned mask,
                          unsigned location, struct sch_lanes to[4])
{
    const enum place place = find_place(fragments, at, location);
    fragments->rules.ops->position(to, mask, &fragments->position, &at->group->quads, &at->places[place]);
}

static void load_input(const struct sch_fragments *fragments, struct place_of_group *at,
                       const struct sch_link_input *input, struct sch_lanes to[4])
{
    const struct sch_ops *ops = fragments->rules.ops;
    switch ((enum sch_link_source)input->source) {
    case SCH_LINK_ATTRIBUTE:
        load_attribute(fragments, at, input, to);
        break;
    case SCH_LINK_POSITION:
        load_position(fragments, at, input->mask, input->location, to);
        break;
    case SCH_LINK_FACE:
        splat_register(ops, to, 0, 0, 0, one);
        load_face(at->group, one, one | UINT32_C(1) << 31, &to[0]);
        break;
    case SCH_LINK_PRIMITIVE_ID:
    case SCH_LINK_LAYER:
    case SCH_LINK_VIEWPORT:
        splat_register(ops, to, 0, 0, 0, 1);
        load_number(fragments->draw->link, at->group, input->word, input->source, &to[0]);
        break;
    case SCH_LINK_POINT_COORD:
    case SCH_LINK_PATCH: /* fragments have none */
    case SCH_LINK_MISSING:
        splat_register(ops, to, 0, 0, 0, one);
        break;
    }
    if (input->source == SCH_LINK_POINT_COORD || sch_link_is_sprite(input, fragments->draw->rasterizer))
        load_sprite(fragments, at, input->location, to);
}

static void load_inputs(const struct sch_fragments *fragments, const struct sch_exec_machine *machine,
                        struct place_of_group *at)
{
    const struct sch_link *link = fragments->draw->link;
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_INPUT];
    struct sch_lanes *inputs = machine->group.space[SCH_SPACE_STATE] + file->base;
    for (uint32_t n = 0; n < link->input_count; n++)
        load_input(fragments, at, &link->inputs[n], inputs + 4 * (size_t)link->inputs[n].number);
}

/* ---- system values ---- */

static void load_sample_mask(const struct sch_fragments *fragments, const struct place_of_group *at,
                             struct sch_lanes *to)
{
    const uint32_t *masks = fragments->post_depth_coverage ? at->group->masks
                            : fragments->draw->link->d3d   ? pixel_masks(fragments, at) /* D3D 16.3.2 */
                                                           : at->sample_masks;
    const uint32_t samples = fragments->rules.pattern.samples;
    uint32_t covered = 0;
    if (!fragments->masks_pixels) {
        fragments->rules.ops->masks_of_lanes(masks, samples, to);
        return;
    }
    for (uint32_t s = 0; s < samples; s++) covered |= masks[s];
    fragments->rules.ops->masks_of_lanes(&covered, 1, to);
}

/* From the pixel's corner. */
static void load_sample_position(const struct sch_fragments *fragments, const struct sch_tile_group *group,
                                 struct sch_lanes to[2])
{
    const struct sch_ops *ops = fragments->rules.ops;
    struct sch_lane_places places;
    ops->places_sample(&places, &group->quads, group->sample, &fragments->rules.pattern);
    ops->offsets(to, 0.5f, &group->quads, &places);
}

/* The lanes of a quad whose pixels are wholly in its triangle. */
static uint32_t inner_lanes(const struct sch_ops *ops, const struct sch_tile_group *group, uint32_t q)
{
    static const struct sch_sample_pattern centre = {.samples = 1};
    const int32_t x = group->quads.x[q], y = group->quads.y[q];
    const int32_t column = x & ~(SCH_BLOCK_WIDTH - 1), row = y & ~(SCH_BLOCK_HEIGHT - 1);
    const uint32_t number = (uint32_t)((x - column) / 2 + (y - row) / 2 * (SCH_BLOCK_WIDTH / 2));
    const struct sch_raster_primitive *primitive = sch_tile_primitive(group, q);
    struct sch_edge edges[3];
    uint32_t mask;
    if (!primitive->is_triangle) return 0;
    sch_triangle_inner_edges(primitive, edges);
    ops->cover_edges(&mask, edges, 3, column, row, &centre);
    return mask >> SCH_QUAD_LANES * number & 15;
}

/* Bit 0: the primitive covers the whole pixel. */
static void load_inner_coverage(const struct sch_ops *ops, const struct sch_tile_group *group, struct sch_lanes *to)
{
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        const uint32_t lanes = inner_lanes(ops, group, q);
        for (uint32_t i = 0; i < SCH_QUAD_LANES; i++) to->u[SCH_QUAD_LANES * q + i] = lanes >> i & 1;
    }
}

static void load_value(const struct sch_fragments *fragments, const struct sch_exec_machine *machine,
                       struct place_of_group *at, const struct sch_link_value *value, struct sch_lanes to[4])
{
    const struct sch_tile_group *group = at->group;
    uint32_t samples[SCH_GROUP_QUADS];
    switch (value->semantic) {
    case SCH_SEMANTIC_POSITION:
        load_position(fragments, at, 15, SCH_LOCATION_CENTER, to);
        break;
    case SCH_SEMANTIC_FACE: /* (F, 0, 0, 1): tgsi.rst, TGSI_SEMANTIC_FACE */
        load_face(group, UINT32_MAX, 0, &to[0]);
        fragments->rules.ops->splat(&to[3], 1);
        break;
    case SCH_SEMANTIC_SAMPLEID:
        for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) samples[q] = group->sample[q];
        put_by_quad(&to[0], samples);
        break;
    case SCH_SEMANTIC_SAMPLEPOS:
        load_sample_position(fragments, group, to);
        break;
    case SCH_SEMANTIC_SAMPLEMASK:
        load_sample_mask(fragments, at, &to[0]);
        break;
    case SCH_SEMANTIC_PRIMID:
        load_number(fragments->draw->link, group, value->word, SCH_LINK_PRIMITIVE_ID, &to[0]);
        break;
    case SCH_SEMANTIC_INNER_COVERAGE:
        load_inner_coverage(fragments->rules.ops, group, &to[0]);
        break;
    default:
        sch_run_own_value(machine, value->semantic, to);
        sch_load_default_levels(machine, fragments->draw->dynamic, value->semantic, to);
    }
}

static void load_values(const struct sch_fragments *fragments, const struct sch_exec_machine *machine,
                        struct place_of_group *at)
{
    const struct sch_link *link = fragments->draw->link;
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_SYSTEM_VALUE];
    struct sch_lanes *values = machine->group.space[SCH_SPACE_STATE] + file->base;
    for (uint32_t n = 0; n < link->fragment_value_count; n++)
        load_value(fragments, machine, at, &link->fragment_values[n],
                   values + 4 * (size_t)link->fragment_values[n].number);
}

/* ---- groups ---- */

static uint32_t test_early(const struct sch_fragments *fragments, struct sch_tile_group *group)
{
    if (fragments->history) return sch_history_test_early(fragments->history, &fragments->output, group);
    return sch_output_test_early(&fragments->output, group);
}

static uint32_t write_group(const struct sch_fragments *fragments, struct sch_tile_group *group, uint32_t lanes,
                            const struct sch_lanes *registers)
{
    if (fragments->history) return sch_history_write(fragments->history, &fragments->output, group, lanes, registers);
    return sch_output_write(&fragments->output, group, lanes, registers);
}

/* The groups that code took as a span have been shaded where the work continues after them; otherwise it did not take
 * them after all. */
static void settle_span(struct place_in_tile *at, uint32_t group)
{
    const bool shaded = group - at->first >= at->span_end;
    for (uint32_t n = at->span_begin; n < at->span_end && shaded; n++) {
        at->samples_passed += at->groups[n].passed;
        at->invocations += at->groups[n].shaded;
    }
    at->span_begin = at->span_end = 0;
}

static void begin_tile(const struct tiles *tiles, struct place_in_tile *at, uint64_t unit)
{
    sch_tile_begin(&at->walk, &tiles->fragments->rules, tiles->bins, tiles->left + (uint32_t)unit % tiles->columns,
                   tiles->top + (uint32_t)unit / tiles->columns);
    at->begun = unit + 1;
    at->ended = false;
    at->first = at->count = at->span_begin = at->span_end = 0;
}

/* The number after that of a group that ran alone, and stands for more blocks, is its next block's. */
static void advance_group(const struct tiles *tiles, struct place_in_tile *at, uint32_t number)
{
    const uint32_t before = number - at->first - 1;
    if (before >= at->count) return;
    struct sch_tile_group *group = &at->groups[before];
    if (!group->tested || group->repeat == 1) return;
    sch_tile_group_advance(group, tiles->fragments->rules.pattern.samples, tiles->fragments->rules.sample_mask);
    group->tested = false;
    at->first++;
}

/* The group of a number, and those found after it, at most `ahead` at once. `blocks`: how many each may stand for.
 * NULL: there is none. */
static struct sch_tile_group *find_groups(const struct tiles *tiles, struct place_in_tile *at, uint64_t unit,
                                          uint32_t number, uint32_t ahead, uint32_t blocks)
{
    const uint32_t samples = tiles->fragments->rules.pattern.samples;
    if (at->begun != unit + 1) begin_tile(tiles, at, unit);
    settle_span(at, number);
    advance_group(tiles, at, number);
    if (number - at->first < at->count) return &at->groups[number - at->first];
    at->first = number;
    at->count = at->ended ? 0 : sch_tile_next(&at->walk, at->groups, ahead, blocks);
    at->ended = at->count < ahead;
    for (uint32_t n = 0; n < at->count; n++) {
        if (tiles->heat) sch_heat_cover(tiles->heat, &at->groups[n], samples);
        at->groups[n].covered = sch_tile_covered(&at->groups[n], samples);
    }
    return at->count ? at->groups : NULL;
}

/* The group of a number that runs alone, of those of which the early tests leave something. */
static struct sch_tile_group *find_group(const struct tiles *tiles, struct place_in_tile *at, uint64_t unit,
                                         uint32_t number)
{
    const struct sch_fragments *fragments = tiles->fragments;
    const uint32_t samples = fragments->rules.pattern.samples;
    for (;;) {
        struct sch_tile_group *group = find_groups(tiles, at, unit, number, GROUPS_AHEAD, 1);
        if (!group || group->tested) return group;
        memcpy(at->at.sample_masks, group->masks, samples * sizeof *group->masks);
        if (fragments->output.early) at->samples_passed += test_early(fragments, group);
        group->covered = sch_tile_covered(group, samples);
        group->tested = true;
        at->invocations += sch_count_lanes(group->covered);
        if (group->covered) return group;
        at->first--; /* the next one has this number */
    }
}

static void count(const struct tiles *given, struct place_in_tile *at)
{
    struct tiles *tiles = (struct tiles *)given;
    atomic_fetch_add_explicit(&tiles->samples_passed, at->samples_passed, memory_order_relaxed);
    atomic_fetch_add_explicit(&tiles->invocations, at->invocations, memory_order_relaxed);
    at->samples_passed = at->invocations = 0;
}

static bool load(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit, uint32_t group)
{
    const struct tiles *tiles = tiles_of(source);
    struct place_in_tile *in_tile = machine->place;
    struct place_of_group *at = &in_tile->at;
    at->group = find_group(tiles, in_tile, unit, group);
    if (!at->group) {
        count(tiles, in_tile);
        return false;
    }
    const uint32_t covered = at->group->covered;
    const uint32_t quads = (covered | covered >> 1 | covered >> 2 | covered >> 3) & 0x11111111;
    at->known = 0;
    machine->group.first = (uint64_t)group * SCH_GROUP_LANES;
    machine->group.present = quads * 15;
    machine->started_helpers = machine->group.present & ~covered;
    sch_exec_begin_group(machine);
    sch_exec_clear_heat(machine);
    sch_exec_clear_group(machine);
    load_inputs(tiles->fragments, machine, at);
    load_values(tiles->fragments, machine, at);
    machine->loaded = true;
    return true;
}

static void store(const struct sch_exec_source *source, const struct sch_exec_machine *machine)
{
    const struct tiles *tiles = tiles_of(source);
    struct place_in_tile *in_tile = machine->place;
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    if (tiles->heat) sch_heat_shade(tiles->heat, &tiles->fragments->output, in_tile->at.group, machine);
    in_tile->samples_passed +=
        write_group(tiles->fragments, in_tile->at.group, machine->group.present & ~machine->group.helpers,
                    machine->group.space[SCH_SPACE_STATE] + file->base);
}

/* Code that tests, interpolates inputs and writes colours itself takes all groups that are found at once. Groups stand
 * for several blocks unless somebody looks after each few of them. */
static bool find_span(const struct sch_exec_source *source, struct sch_exec_machine *machine, struct sch_exec_at *at,
                      uint64_t end, uint64_t most, struct sch_group_span *span)
{
    const struct tiles *tiles = tiles_of(source);
    struct place_in_tile *in_tile = machine->place;
    const uint32_t ahead = most < GROUPS_AHEAD * MOST_BLOCKS ? (uint32_t)most / MOST_BLOCKS : GROUPS_AHEAD;
    (void)end;
    struct sch_tile_group *first = ahead < LEAST_AHEAD
                                       ? find_groups(tiles, in_tile, at->unit, at->group, GROUPS_AHEAD, 1)
                                       : find_groups(tiles, in_tile, at->unit, at->group, ahead, MOST_BLOCKS);
    if (!first) {
        count(tiles, in_tile);
        span->groups = 0;
        *at = (struct sch_exec_at){.unit = at->unit + 1};
        return true;
    }
    if (first->tested) return false;
    in_tile->span_begin = at->group - in_tile->first;
    const uint32_t left = in_tile->count - in_tile->span_begin;
    *span = (struct sch_group_span){.groups = left < most ? left : (uint32_t)most,
                                    .rows = 1,
                                    .fragments = first,
                                    .values = &tiles->fragments->spans.values};
    in_tile->span_end = in_tile->span_begin + span->groups;
    for (uint32_t n = 0; n < span->groups; n++) span->runs += first[n].repeat;
    machine->group.first = (uint64_t)at->group * SCH_GROUP_LANES;
    machine->group.present = UINT32_MAX;
    machine->started_helpers = 0;
    sch_exec_begin_group(machine);
    machine->loaded = true;
    at->group += span->groups;
    return true;
}

/* ---- what instructions ask ---- */

static void locate(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                   struct sch_lanes pixel[4])
{
    const struct place_of_group *at = &((const struct place_in_tile *)machine->place)->at;
    const struct sch_tile_group *group = at->group;
    (void)source;
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) {
        const uint32_t q = i / SCH_QUAD_LANES;
        pixel[0].u[i] = (uint32_t)group->quads.x[q] + (i & 1);
        pixel[1].u[i] = (uint32_t)group->quads.y[q] + (i >> 1 & 1);
        pixel[2].u[i] = group->quads.layer[q];
        pixel[3].u[i] = group->sample[q];
    }
}

static void identify(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lane,
                     struct sch_invocation_place *place)
{
    const struct sch_tile_group *group = ((const struct place_in_tile *)machine->place)->at.group;
    struct sch_lanes pixel[4];
    locate(source, machine, pixel);
    place->parts = SCH_PLACE_PIXEL | SCH_PLACE_LAYER | SCH_PLACE_PRIMITIVE;
    if (tiles_of(source)->fragments->rules.per_sample) place->parts |= SCH_PLACE_SAMPLE;
    place->x = pixel[0].u[lane];
    place->y = pixel[1].u[lane];
    place->layer = pixel[2].u[lane];
    place->sample = pixel[3].u[lane];
    place->primitive = sch_tile_primitive(group, lane / SCH_QUAD_LANES)->primitive_id;
}

static void centroids(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                      struct sch_lanes offset[2])
{
    const struct sch_fragments *fragments = tiles_of(source)->fragments;
    struct place_of_group *at = &((struct place_in_tile *)machine->place)->at;
    const enum place place = find_place(fragments, at, SCH_LOCATION_CENTROID);
    if (place != PLACE_CENTER) fragments->rules.ops->offsets(offset, 0, &at->group->quads, &at->places[place]);
}

static const struct sch_link_input *find_input(const struct sch_link *link, int64_t number)
{
    for (uint32_t n = 0; n < link->input_count; n++)
        if (link->inputs[n].number == number) return &link->inputs[n];
    return NULL;
}

/* One component of one input, in all lanes. What does not change over the primitive is what IN has. */
static void interpolate_input(const struct sch_fragments *fragments, const struct sch_exec_machine *machine,
                              const struct sch_exec_interpolation *wanted, int64_t number, struct sch_lanes *value)
{
    const struct sch_ops *ops = fragments->rules.ops;
    const struct place_of_group *at = &((const struct place_in_tile *)machine->place)->at;
    const struct sch_link_input *input = find_input(fragments->draw->link, number);
    struct place_of_group moved;
    struct sch_lanes to[4];
    memset(value, 0, sizeof *value);
    if (!input) return;
    moved.group = at->group;
    memcpy(moved.sample_masks, at->sample_masks, sizeof moved.sample_masks);
    moved.known = (1u << PLACES) - 1;
    ops->places_offset(&moved.places[0], &at->group->quads, &wanted->offset[0], &wanted->offset[1]);
    ops->weights(&moved.perspective[0], &moved.linear[0], &at->group->quads, &moved.places[0]);
    for (unsigned p = 1; p < PLACES; p++) {
        moved.places[p] = moved.places[0];
        moved.perspective[p] = moved.perspective[0];
        moved.linear[p] = moved.linear[0];
    }
    load_input(fragments, &moved, input, to);
    *value = to[wanted->component];
}

static void interpolate(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                        const struct sch_exec_interpolation *wanted, struct sch_lanes *value)
{
    const struct sch_fragments *fragments = tiles_of(source)->fragments;
    struct sch_lanes of_number;
    uint32_t left = UINT32_MAX;
    while (left) {
        const int64_t number = wanted->numbers[__builtin_ctz(left)];
        interpolate_input(fragments, machine, wanted, number, &of_number);
        for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) {
            if (wanted->numbers[i] != number) continue;
            value->u[i] = of_number.u[i];
            left &= ~(UINT32_C(1) << i);
        }
    }
}

/* ---- a run ---- */

static const struct sch_exec_source_kind kind = {.name = "fragments",
                                                 .load = load,
                                                 .store = store,
                                                 .find_span = find_span,
                                                 .identify = identify,
                                                 .locate = locate,
                                                 .centroids = centroids,
                                                 .interpolate = interpolate};

static bool has_location(const struct sch_link *link, unsigned location)
{
    for (uint32_t n = 0; n < link->input_count; n++)
        if (link->inputs[n].location == location) return true;
    return false;
}

void sch_fragments_init(struct sch_fragments *fragments, const struct sch_draw_pipeline *draw,
                        const struct sch_vertex_layout *layout)
{
    const struct sch_prepared_interface *interface = &draw->programs[SCH_STAGE_FRAGMENT]->prepared.interface;
    const struct sch_prepared_property *properties = interface->properties;
    const bool d3d = draw->link->d3d, coverage = sch_rules_have_samples(draw);
    *fragments = (struct sch_fragments){
        .draw = draw,
        .history = draw->history,
        .position = {.lower_left = properties[SCH_PROPERTY_FS_COORD_ORIGIN].value == SCH_ORIGIN_LOWER_LEFT,
                     .integer_center = properties[SCH_PROPERTY_FS_COORD_PIXEL_CENTER].value == SCH_PIXEL_CENTER_INTEGER,
                     .d3d = d3d,
                     .height = draw->framebuffer->height},
        .post_depth_coverage = properties[SCH_PROPERTY_FS_POST_DEPTH_COVERAGE].value != 0,
        .rules = {.ops = draw->programs[SCH_STAGE_FRAGMENT]->ops,
                  .layout = layout,
                  .polygon_stipple = draw->dynamic->polygon_stipple,
                  .sample_mask = coverage ? draw->dynamic->sample_mask : UINT32_MAX,
                  .vertices = draw->link->input_count || draw->link->fragment_value_count || layout->clip_distances,
                  .whole_blocks = interface->facts.shows_group || interface->facts.effects == SCH_EFFECTS_ORDERED ||
                                  draw->live_feedback}};
    sch_output_init(&fragments->output, draw, draw->programs[SCH_STAGE_FRAGMENT]->ops);
    fragments->rules.pattern = fragments->output.pattern;
    fragments->rules.per_sample =
        coverage && draw->framebuffer->samples > 1 &&
        (interface->facts.per_sample || draw->dynamic->min_samples > 1 || draw->rasterizer->force_persample_interp ||
         has_location(draw->link, SCH_LOCATION_SAMPLE));
    fragments->masks_pixels = !coverage;
    /* Direct3D's inputs stay where their own modes are, however often the program runs (D3D 3.5.4.1, 3.5.5). */
    fragments->at_samples = fragments->rules.per_sample && (!d3d || draw->rasterizer->force_persample_interp);
    sch_fragments_find_spans(fragments);
}

/* What both have. */
static void cut_bounds(struct sch_bin_tiles *bounds, const struct sch_bin_tiles *to)
{
    if (bounds->left < to->left) bounds->left = to->left;
    if (bounds->top < to->top) bounds->top = to->top;
    if (bounds->right > to->right) bounds->right = to->right;
    if (bounds->bottom > to->bottom) bounds->bottom = to->bottom;
}

enum sch_result sch_fragments_run_part(const struct sch_fragments *fragments, const struct sch_bins *bins,
                                       const struct sch_fragments_part *part, const struct sch_run_options *options,
                                       struct sch_draw_counts *counts, struct sch_run_report *report)
{
    const struct sch_draw_pipeline *draw = fragments->draw;
    struct tiles tiles = {.fragments = fragments,
                          .bins = bins,
                          .heat = options->heat,
                          .source = {.kind = &kind,
                                     .groups = UINT32_MAX,
                                     .place_bytes = sizeof(struct place_in_tile),
                                     .place_unset = sizeof(struct place_in_tile) - offsetof(struct place_in_tile, walk),
                                     .quads = true,
                                     .samples = fragments->rules.pattern.samples,
                                     .input_vertices = 1,
                                     .other_groups = true}};
    struct sch_bin_tiles bounds;
    if (!sch_bin_bounds(bins, &bounds)) return SCH_OK;
    cut_bounds(&bounds, &part->tiles);
    if (bounds.left >= bounds.right || bounds.top >= bounds.bottom) return SCH_OK;
    tiles.left = bounds.left;
    tiles.top = bounds.top;
    tiles.columns = (uint32_t)bounds.right - bounds.left;
    tiles.source.units = sch_bin_references(&bounds);
    tiles.spans = (struct sch_exec_spans){.channels = fragments->spans.channels,
                                          .plane_count = fragments->spans.channel_count,
                                          .all = true,
                                          .fragments = &fragments->spans.form,
                                          .memo = part->memo};
    if (fragments->spans.any && !tiles.heat) tiles.source.spans = &tiles.spans;
    sch_run_heat_begin(tiles.heat, &tiles.source);
    const uint32_t side = UINT32_C(1) << bins->shift;
    tiles.source.all_groups = tiles.source.units * ((uint64_t)side * side / SCH_GROUP_LANES);
    atomic_init(&tiles.samples_passed, 0);
    atomic_init(&tiles.invocations, 0);
    const enum sch_result status =
        sch_run(draw->programs[SCH_STAGE_FRAGMENT], part->bindings, &tiles.source, options, report);
    counts->samples_passed += atomic_load(&tiles.samples_passed);
    if (!draw->link->no_fragment) counts->statistics[SCH_STATISTIC_PS_INVOCATIONS] += atomic_load(&tiles.invocations);
    return status;
}

enum sch_result sch_fragments_run(const struct sch_fragments *fragments, const struct sch_bins *bins,
                                  const struct sch_run_options *options, struct sch_draw_counts *counts,
                                  struct sch_run_report *report)
{
    const struct sch_fragments_part all = {.bindings = fragments->draw->bindings[SCH_STAGE_FRAGMENT],
                                           .memo = fragments->spans.memo,
                                           .tiles = {.right = UINT16_MAX, .bottom = UINT16_MAX}};
    return sch_fragments_run_part(fragments, bins, &all, options, counts, report);
}
