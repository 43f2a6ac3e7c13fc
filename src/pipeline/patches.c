/* See patches.h. */
#include "pipeline/patches.h"

#include "exec/group.h"
#include "pipeline/levels.h"
#include "run/values.h"

static const uint32_t missing[4] = {0, 0, 0, 0x3f800000}; /* (0, 0, 0, 1) */

/* ---- what both shaders read ---- */

/* Lanes of one patch in a group. */
struct span {
    const struct sch_patch *patch;
    uint32_t number;      /* of the patch */
    uint32_t lane, count; /* its lanes */
};

/* The lanes of a group, by their patches. */
struct spans {
    uint32_t count;
    struct span span[SCH_GROUP_LANES];
};

static void put_word(const struct sch_exec_machine *machine, const struct span *span, bool whole, uint32_t word,
                     struct sch_lanes *to)
{
    if (whole) {
        machine->ops->splat(to, word);
        return;
    }
    for (uint32_t i = 0; i < span->count; i++) to->u[span->lane + i] = word;
}

static void put_register(const struct sch_exec_machine *machine, const struct spans *spans, uint32_t n,
                         const uint32_t *words, unsigned mask, struct sch_lanes to[4])
{
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) put_word(machine, &spans->span[n], spans->count == 1, words[c], &to[c]);
}

/* Words of vertex `vertex` of the patch that the stage reads. */
static const uint32_t *vertex_of(const struct sch_patches *patches, const struct span *span, bool controls,
                                 uint32_t vertex)
{
    if (controls || !patches->of_vertices) return sch_patch_input(span->patch, vertex);
    return patches->of_vertices + ((size_t)span->number * patches->vertices + vertex) * patches->vertex_words;
}

/* The levels of a patch before its control shader are the default ones. */
static const uint32_t *levels_of(const struct sch_patches *patches, const struct span *span, bool controls,
                                 uint32_t words[SCH_LINK_LEVELS])
{
    if (!controls) return sch_patch_words(patches, span->number);
    sch_default_level_words(patches->draw->dynamic, false, words + SCH_LINK_OUTER);
    sch_default_level_words(patches->draw->dynamic, true, words + SCH_LINK_INNER);
    return words;
}

/* IN of the lanes of one span. */
static void load_span(const struct sch_patches *patches, const struct sch_link_hop *hop,
                      const struct sch_exec_machine *machine, const struct spans *spans, uint32_t n)
{
    const bool controls = hop->to->stage == SCH_STAGE_TESS_CTRL;
    const struct span *span = &spans->span[n];
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_INPUT];
    struct sch_lanes *inputs = machine->group.space[SCH_SPACE_STATE] + file->base;
    const uint32_t number[4] = {sch_patch_primitive(span->patch)->id, 0, 0, 1};
    uint32_t levels[SCH_LINK_LEVELS];
    const uint32_t *of_patch = levels_of(patches, span, controls, levels);
    for (uint32_t i = 0; i < hop->input_count; i++) {
        const struct sch_link_register *input = &hop->inputs[i];
        struct sch_lanes *to = inputs + 4 * (size_t)input->number;
        const uint32_t *from = missing;
        if (input->source == SCH_LINK_PATCH) from = of_patch + input->word;
        if (input->source == SCH_LINK_PRIMITIVE_ID) from = number;
        for (uint32_t v = 0; v < machine->group.input_vertices; v++, to += 4 * (size_t)file->count) {
            if (input->source == SCH_LINK_ATTRIBUTE) from = vertex_of(patches, span, controls, v) + input->word;
            put_register(machine, spans, n, from, input->mask, to);
        }
    }
}

/* System values of patches; others stay. */
static void load_value(const struct sch_patches *patches, const struct sch_link_hop *hop,
                       const struct sch_exec_machine *machine, const struct spans *spans, unsigned semantic,
                       struct sch_lanes to[4])
{
    const bool controls = hop->to->stage == SCH_STAGE_TESS_CTRL;
    const bool is_inner = semantic == SCH_SEMANTIC_TESSINNER, is_level = is_inner || semantic == SCH_SEMANTIC_TESSOUTER;
    for (uint32_t n = 0; n < spans->count; n++) {
        const struct span *span = &spans->span[n];
        uint32_t levels[SCH_LINK_LEVELS];
        if (semantic == SCH_SEMANTIC_PRIMID)
            put_word(machine, span, spans->count == 1, sch_patch_primitive(span->patch)->id, &to[0]);
        if (is_level)
            put_register(machine, spans, n,
                         levels_of(patches, span, controls, levels) + (is_inner ? SCH_LINK_INNER : SCH_LINK_OUTER), 15,
                         to);
    }
}

static void load_values(const struct sch_patches *patches, const struct sch_link_hop *hop,
                        const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                        const struct spans *spans)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_SYSTEM_VALUE];
    for (uint32_t n = 0; n < hop->value_count; n++) {
        const unsigned semantic = hop->values[n].semantic;
        struct sch_lanes *to = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * (size_t)hop->values[n].number;
        sch_run_own_value(machine, semantic, to);
        sch_run_stage_value(source, machine, semantic, to);
        sch_load_default_levels(machine, patches->draw->dynamic, semantic, to);
        load_value(patches, hop, machine, spans, semantic, to);
    }
}

static void begin_group(struct sch_exec_machine *machine, uint64_t first, uint32_t lanes)
{
    machine->group.first = first;
    machine->group.present = sch_exec_first_lanes(lanes);
    machine->started_helpers = 0;
    sch_exec_begin_group(machine);
    sch_exec_clear_group(machine);
}

/* ---- control shaders: a group is a patch ---- */

struct control {
    struct sch_exec_source source;
    const struct sch_patches *patches;
    const struct sch_link_hop *in, *out;
    struct sch_results results;
};

static const struct control *control_of(const struct sch_exec_source *source) { return (const struct control *)source; }

static bool load_patch(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit,
                       uint32_t group)
{
    const struct control *control = control_of(source);
    const struct sch_patches *patches = control->patches;
    const struct spans spans = {.count = 1, .span = {{.patch = &patches->patch[unit], .number = (uint32_t)unit}}};
    (void)group;
    begin_group(machine, (patches->first + unit) * patches->vertices, patches->vertices);
    load_span(patches, control->in, machine, &spans, 0);
    load_values(patches, control->in, source, machine, &spans);
    machine->loaded = true;
    return true;
}

/* What all lanes of the patch have: that of the first. */
static void store_patch_words(const struct control *control, const struct sch_exec_machine *machine, uint32_t *to)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    const struct sch_lanes *outputs = machine->group.space[SCH_SPACE_STATE] + file->base;
    memset(to, 0, SCH_LINK_LEVELS * sizeof *to);
    for (uint32_t n = 0; n < control->out->patch_copy_count; n++) {
        const struct sch_link_copy *copy = &control->out->patch_copies[n];
        for (unsigned c = 0; c < 4; c++)
            if (copy->mask >> c & 1)
                to[copy->word + c] =
                    copy->output < file->count ? outputs[4 * (size_t)copy->output + c].u[0] : missing[c];
    }
}

static void store_patch(const struct sch_exec_source *source, const struct sch_exec_machine *machine)
{
    const struct control *control = control_of(source);
    const struct sch_patches *patches = control->patches;
    const uint64_t number = machine->group.first / patches->vertices - patches->first;
    sch_results_store(&control->results, machine, control->out->layout.words,
                      patches->of_vertices + number * patches->vertices * patches->vertex_words);
    store_patch_words(control, machine, patches->of_patches + number * patches->patch_stride);
}

static void identify_corner(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lane,
                            struct sch_invocation_place *place)
{
    const struct sch_patches *patches = control_of(source)->patches;
    place->parts = SCH_PLACE_PRIMITIVE | SCH_PLACE_INVOCATION;
    place->primitive = sch_patch_primitive(&patches->patch[machine->at.unit])->id;
    place->invocation = lane;
}

static const struct sch_exec_source_kind control_kind = {
    .name = "patches", .load = load_patch, .store = store_patch, .identify = identify_corner};

enum sch_result sch_patches_control(const struct sch_patches *patches, const struct sch_run_options *options,
                                    struct sch_run_report *report)
{
    const bool whole = patches->vertices == SCH_GROUP_LANES;
    struct control control = {.patches = patches,
                              .in = sch_link_hop_to(patches->draw->link, SCH_STAGE_TESS_CTRL),
                              .out = sch_link_hop_to(patches->draw->link, SCH_STAGE_TESS_EVAL),
                              .source = {.kind = &control_kind,
                                         .units = patches->count,
                                         .groups = 1,
                                         .all_groups = patches->count,
                                         .samples = 1,
                                         .input_vertices = patches->input_vertices,
                                         .full_groups = whole ? patches->count : 0,
                                         .other_groups = !whole}};
    sch_results_init(&control.results, patches->draw, SCH_STAGE_TESS_CTRL);
    return sch_run(patches->draw->programs[SCH_STAGE_TESS_CTRL], patches->draw->bindings[SCH_STAGE_TESS_CTRL],
                   &control.source, options, report);
}

/* ---- evaluation shaders: a group is 32 points ---- */

struct evaluation {
    struct sch_exec_source source;
    const struct sch_patches *patches;
    const struct sch_link_hop *in;
    struct sch_tess_plan plan; /* the mode alone */
    const struct sch_domain *domains;
    struct sch_results results;
};

/* A machine's group. */
struct place_of_group {
    const struct sch_domain *domain;
    uint64_t begin, end; /* units of the domain */
    uint32_t first;      /* vertex of the chunk */
    uint32_t loaded;     /* the patch whose registers are in all lanes, plus one */
};

static const struct evaluation *evaluation_of(const struct sch_exec_source *source)
{
    return (const struct evaluation *)source;
}

static uint64_t units_of(const struct sch_domain *domain)
{
    return (domain->chunk->vertices.count + (uint64_t)SCH_GROUP_LANES - 1) / SCH_GROUP_LANES;
}

static void find_domain(const struct evaluation *evaluation, struct place_of_group *at, uint64_t unit)
{
    if (!at->domain || unit < at->begin) {
        at->domain = evaluation->domains;
        at->begin = 0;
        at->end = units_of(at->domain);
    }
    while (unit >= at->end) {
        at->domain++;
        at->begin = at->end;
        at->end += units_of(at->domain);
    }
    at->first = (uint32_t)(unit - at->begin) * SCH_GROUP_LANES;
}

/* The last piece that begins at or before a vertex. */
static uint32_t find_piece(const struct sch_domain *domain, uint32_t vertex)
{
    uint32_t low = 0, high = domain->piece_count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (domain->pieces[middle].first <= vertex)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint32_t end_of(const struct sch_domain *domain, uint32_t piece)
{
    return piece + 1 < domain->piece_count ? domain->pieces[piece + 1].first : domain->chunk->vertices.count;
}

/* The patches of a group, and the coordinates of its points. */
static void find_points(const struct evaluation *evaluation, const struct place_of_group *at, uint32_t lanes,
                        struct spans *spans, struct sch_lanes coordinates[3])
{
    const struct sch_domain *domain = at->domain;
    uint32_t piece = find_piece(domain, at->first);
    for (uint32_t i = 0; i < lanes; piece++) {
        const struct sch_domain_piece *of = &domain->pieces[piece];
        struct span *span = &spans->span[spans->count++];
        const uint32_t begin = at->first + i, end = end_of(domain, piece);
        const uint32_t count = end - begin < lanes - i ? end - begin : lanes - i;
        *span = (struct span){
            .patch = &evaluation->patches->patch[of->patch], .number = of->patch, .lane = i, .count = count};
        for (uint32_t n = 0; n < count; n++, i++) {
            float coordinate[3];
            sch_tessellate_coordinate(&evaluation->plan, &domain->points[of->points + begin + n - of->first],
                                      coordinate);
            for (unsigned c = 0; c < 3; c++) memcpy(&coordinates[c].u[i], &coordinate[c], sizeof coordinate[c]);
        }
    }
}

static void load_coordinates(const struct evaluation *evaluation, const struct sch_exec_machine *machine,
                             const struct sch_lanes coordinates[3])
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_SYSTEM_VALUE];
    struct sch_lanes *values = machine->group.space[SCH_SPACE_STATE] + file->base;
    for (uint32_t n = 0; n < evaluation->in->value_count; n++)
        if (evaluation->in->values[n].semantic == SCH_SEMANTIC_TESSCOORD)
            memcpy(values + 4 * (size_t)evaluation->in->values[n].number, coordinates, 3 * sizeof *coordinates);
}

static bool load_points(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit,
                        uint32_t group)
{
    const struct evaluation *evaluation = evaluation_of(source);
    struct place_of_group *at = machine->place;
    struct spans spans;
    struct sch_lanes coordinates[3] = {{.u = {0}}};
    (void)group;
    find_domain(evaluation, at, unit);
    const uint32_t rest = at->domain->chunk->vertices.count - at->first;
    const uint32_t lanes = rest < SCH_GROUP_LANES ? rest : SCH_GROUP_LANES;
    begin_group(machine, unit * SCH_GROUP_LANES, lanes);
    spans.count = 0;
    find_points(evaluation, at, lanes, &spans, coordinates);
    const uint32_t loaded = spans.count == 1 ? spans.span[0].number + 1 : 0;
    if (!loaded || loaded != at->loaded) /* nothing writes inputs */
        for (uint32_t n = 0; n < spans.count; n++) load_span(evaluation->patches, evaluation->in, machine, &spans, n);
    at->loaded = loaded;
    load_values(evaluation->patches, evaluation->in, source, machine, &spans);
    load_coordinates(evaluation, machine, coordinates);
    machine->loaded = true;
    return true;
}

static void store_points(const struct sch_exec_source *source, const struct sch_exec_machine *machine)
{
    const struct place_of_group *at = machine->place;
    const struct sch_vertices *vertices = &at->domain->chunk->vertices;
    sch_results_store(&evaluation_of(source)->results, machine, vertices->layout->words,
                      vertices->words + (size_t)at->first * vertices->layout->words);
}

static void identify_point(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lane,
                           struct sch_invocation_place *place)
{
    const struct place_of_group *at = machine->place;
    const struct sch_domain_piece *piece = &at->domain->pieces[find_piece(at->domain, at->first + lane)];
    place->parts = SCH_PLACE_PRIMITIVE | SCH_PLACE_VERTEX;
    place->primitive = sch_patch_primitive(&evaluation_of(source)->patches->patch[piece->patch])->id;
    place->vertex = at->first + lane - piece->first;
}

static const struct sch_exec_source_kind evaluation_kind = {
    .name = "points", .load = load_points, .store = store_points, .identify = identify_point};

enum sch_result sch_patches_evaluate(const struct sch_patches *patches, const struct sch_tess_mode *mode,
                                     const struct sch_domain *domains, uint32_t count,
                                     const struct sch_run_options *options, struct sch_run_report *report)
{
    struct evaluation evaluation = {.patches = patches,
                                    .in = sch_link_hop_to(patches->draw->link, SCH_STAGE_TESS_EVAL),
                                    .plan = {.mode = *mode},
                                    .domains = domains,
                                    .source = {.kind = &evaluation_kind,
                                               .groups = 1,
                                               .place_bytes = sizeof(struct place_of_group),
                                               .samples = 1,
                                               .input_vertices = patches->vertices,
                                               .other_groups = true}};
    for (uint32_t n = 0; n < count; n++) {
        evaluation.source.units += units_of(&domains[n]);
        evaluation.source.full_groups += domains[n].chunk->vertices.count / SCH_GROUP_LANES;
    }
    evaluation.source.all_groups = evaluation.source.units;
    sch_results_init(&evaluation.results, patches->draw, SCH_STAGE_TESS_EVAL);
    return sch_run(patches->draw->programs[SCH_STAGE_TESS_EVAL], patches->draw->bindings[SCH_STAGE_TESS_EVAL],
                   &evaluation.source, options, report);
}
