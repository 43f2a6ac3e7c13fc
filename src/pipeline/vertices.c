/* Vertices: what their program reads, and where its results go. */
#include "pipeline/vertices.h"

#include "exec/group.h"
#include "pipeline/levels.h"
#include "run/values.h"

struct rows {
    struct sch_exec_source source;
    const struct sch_shading *shading;
    struct sch_chunk *chunks;
    uint32_t chunk_count;
};

/* A machine's group. */
struct place_of_group {
    struct sch_chunk *chunk;
    uint64_t begin, end; /* units of the chunk */
    uint32_t first;      /* vertex of the chunk */
};

static const struct rows *rows_of(const struct sch_exec_source *source) { return (const struct rows *)source; }

static uint32_t vertices_to_shade(const struct sch_chunk *chunk)
{
    return chunk->assembled.vertex_count - chunk->cut.repeated;
}

static uint64_t units_of(const struct sch_chunk *chunk)
{
    return (vertices_to_shade(chunk) + (uint64_t)SCH_GROUP_LANES - 1) / SCH_GROUP_LANES;
}

/* ---- groups ---- */

/* The chunk of a unit: the same as before, or one after it, or else from the first on. */
static void find_chunk(const struct rows *rows, struct place_of_group *at, uint64_t unit)
{
    if (!at->chunk || unit < at->begin) {
        at->chunk = rows->chunks;
        at->begin = 0;
        at->end = units_of(at->chunk);
    }
    while (unit >= at->end) {
        at->chunk++;
        at->begin = at->end;
        at->end += units_of(at->chunk);
    }
    at->first = at->chunk->cut.repeated + (uint32_t)(unit - at->begin) * SCH_GROUP_LANES;
}

static void load_value(const struct rows *rows, const struct sch_exec_machine *machine,
                       const struct sch_link_value *value, const struct sch_lanes *numbers,
                       const struct sch_lanes *instances, struct sch_lanes *to)
{
    const struct sch_draw_vertices *vertices = rows->shading->vertices;
    const uint32_t base = sch_assembly_base_vertex(vertices);
    switch (value->semantic) {
    case SCH_SEMANTIC_VERTEXID:
        *to = *numbers;
        break;
    case SCH_SEMANTIC_VERTEXID_NOBASE:
        for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) to->u[i] = numbers->u[i] - base;
        break;
    case SCH_SEMANTIC_INSTANCEID:
        *to = *instances;
        break;
    case SCH_SEMANTIC_BASEVERTEX:
        machine->ops->splat(to, base);
        break;
    case SCH_SEMANTIC_BASEINSTANCE:
        machine->ops->splat(to, vertices->start_instance);
        break;
    case SCH_SEMANTIC_DRAWID:
        machine->ops->splat(to, vertices->draw_id);
        break;
    default:
        sch_run_own_value(machine, value->semantic, to);
        sch_load_default_levels(machine, rows->shading->draw->dynamic, value->semantic, to);
    }
}

/* Numbers of a group's vertices; nearly all groups are full. */
static void take_numbers(const uint32_t *from, uint32_t lanes, struct sch_lanes *to)
{
    if (lanes == SCH_GROUP_LANES) {
        memcpy(to->u, from, sizeof to->u);
        return;
    }
    memcpy(to->u, from, lanes * sizeof *to->u);
    memset(to->u + lanes, 0, (SCH_GROUP_LANES - lanes) * sizeof *to->u);
}

static void load_registers(const struct rows *rows, const struct sch_exec_machine *machine,
                           const struct place_of_group *at)
{
    const struct sch_prepared *program = &machine->program->prepared;
    const struct sch_link *link = rows->shading->draw->link;
    struct sch_lanes *state = machine->group.space[SCH_SPACE_STATE];
    const uint32_t lanes = sch_exec_lane_count(machine);
    struct sch_lanes numbers, instances;
    take_numbers(at->chunk->assembled.numbers + at->first, lanes, &numbers);
    take_numbers(at->chunk->assembled.instances + at->first, lanes, &instances);
    sch_fetch_vertices(machine->ops, &rows->shading->fetch, program, &numbers, &instances, machine->group.present,
                       state + program->files[SCH_FILE_INPUT].base);
    for (uint32_t n = 0; n < link->vertex_value_count; n++)
        load_value(rows, machine, &link->vertex_values[n], &numbers, &instances,
                   state + program->files[SCH_FILE_SYSTEM_VALUE].base + 4 * (size_t)link->vertex_values[n].number);
}

static bool load(const struct sch_exec_source *source, struct sch_exec_machine *machine, uint64_t unit, uint32_t group)
{
    const struct rows *rows = rows_of(source);
    struct place_of_group *at = machine->place;
    (void)group;
    find_chunk(rows, at, unit);
    machine->group.first = unit * SCH_GROUP_LANES;
    machine->group.present = sch_exec_first_lanes(at->chunk->assembled.vertex_count - at->first);
    machine->started_helpers = 0;
    sch_exec_begin_group(machine);
    sch_exec_clear_group(machine);
    load_registers(rows, machine, at);
    machine->loaded = true;
    return true;
}

/* ---- results ---- */

static void store(const struct sch_exec_source *source, const struct sch_exec_machine *machine)
{
    const struct rows *rows = rows_of(source);
    const struct place_of_group *at = machine->place;
    const struct sch_vertices *vertices = &at->chunk->vertices;
    sch_results_store(rows->shading->results, machine, vertices->layout->words,
                      vertices->words + (size_t)at->first * vertices->layout->words);
}

/* ---- a run ---- */

static void identify(const struct sch_exec_source *source, const struct sch_exec_machine *machine, uint32_t lane,
                     struct sch_invocation_place *place)
{
    const struct place_of_group *at = machine->place;
    (void)source;
    place->parts = SCH_PLACE_VERTEX | SCH_PLACE_INSTANCE;
    place->vertex = at->chunk->assembled.numbers[at->first + lane];
    place->instance = at->chunk->assembled.instances[at->first + lane];
}

static const struct sch_exec_source_kind kind = {
    .name = "vertices", .load = load, .store = store, .identify = identify};

void sch_shading_init(struct sch_shading *shading, const struct sch_draw_pipeline *draw,
                      const struct sch_draw_vertices *vertices, const struct sch_results *results)
{
    shading->draw = draw;
    shading->vertices = vertices;
    shading->results = results;
    sch_fetch_begin(&shading->fetch, draw->fetcher, draw->buffers, draw->buffer_count, vertices->start_instance);
}

enum sch_result sch_shading_run(const struct sch_shading *shading, struct sch_chunk *chunks, uint32_t chunk_count,
                                const struct sch_run_options *options, struct sch_run_report *report)
{
    struct rows rows = {.shading = shading,
                        .chunks = chunks,
                        .chunk_count = chunk_count,
                        .source = {.kind = &kind,
                                   .groups = 1,
                                   .place_bytes = sizeof(struct place_of_group),
                                   .samples = 1,
                                   .input_vertices = 1,
                                   .other_groups = true}};
    for (uint32_t n = 0; n < chunk_count; n++) {
        rows.source.units += units_of(&chunks[n]);
        rows.source.full_groups += vertices_to_shade(&chunks[n]) / SCH_GROUP_LANES;
    }
    rows.source.all_groups = rows.source.units;
    return sch_run(shading->draw->programs[SCH_STAGE_VERTEX], shading->draw->bindings[SCH_STAGE_VERTEX], &rows.source,
                   options, report);
}
