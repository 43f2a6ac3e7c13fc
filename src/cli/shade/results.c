/* See results.h. */
#include "results.h"

#include <stdlib.h>
#include <string.h>

void sch_cli_results_release(struct sch_cli_results *results)
{
    free(results->outputs);
    free(results->killed);
    free(results->helpers);
    free(results->printed);
    free(results->types);
    free(results->events);
    free(results->event_counts);
    free(results->event_outputs);
}

enum { EVENTS_MOST = 1 << 16, EVENT_WORDS = 1 << 26 };

/* Room for what each of `*capacity` invocations can emit; fewer invocations when that is much. */
static bool events_init(struct sch_cli_results *results, const struct sch_shader *shader, uint32_t unit,
                        uint32_t *capacity)
{
    uint32_t vertices = sch_shader_property(shader, "GS_MAX_OUTPUT_VERTICES", 1024);
    results->event_capacity = vertices > EVENTS_MOST / 2 ? EVENTS_MOST : 2 * vertices;
    size_t words = (size_t)results->event_capacity * ((size_t)results->registers * 4 + 1) + 1;
    while (*capacity > unit && *capacity * words > EVENT_WORDS) *capacity = *capacity / 2 / unit * unit;
    if (*capacity * words > EVENT_WORDS) return false;
    results->events = calloc((size_t)*capacity * results->event_capacity + 1, sizeof(uint32_t));
    results->event_counts = calloc(*capacity, sizeof(uint32_t));
    bool room = sch_cli_registers((size_t)*capacity * results->event_capacity, results->registers,
                                  &results->event_outputs, &results->event_output_bytes);
    return results->events && results->event_counts && room;
}

bool sch_cli_results_init(struct sch_cli_results *results, const struct sch_shader *shader,
                          struct sch_cli_registers_of *registers, const struct sch_shader_info *info,
                          struct sch_cli_batch *batch)
{
    struct sch_register_info at = {.size = sizeof at};
    uint32_t declared = 0;
    while (sch_shader_register(shader, SCH_FILE_OUTPUT, declared, &at)) declared++;
    *results = (struct sch_cli_results){.registers = info->outputs, .printed_count = declared};
    if (info->stage == SCH_STAGE_TESS_CTRL) results->vertices = batch->unit;
    if (info->stage == SCH_STAGE_GEOMETRY && !events_init(results, shader, batch->unit, &batch->capacity)) return false;
    bool room = sch_cli_registers(batch->capacity, info->outputs, &results->outputs, &results->output_bytes);
    results->killed = calloc(batch->capacity, 1);
    results->helpers = calloc(batch->capacity, 1);
    results->printed = calloc((size_t)declared + 1, sizeof *results->printed);
    results->types = calloc((size_t)declared + 1, sizeof *results->types);
    if (!room || !results->killed || !results->helpers || !results->printed || !results->types) return false;
    for (uint32_t i = 0; i < declared; i++) {
        results->printed[i].size = sizeof results->printed[i];
        sch_shader_register(shader, SCH_FILE_OUTPUT, i, &results->printed[i]);
        sch_cli_types_of(registers, SCH_FILE_OUTPUT, 0, results->printed[i].index, results->types[i]);
    }
    return true;
}

/* The output registers at `words`, of the invocation's vertex where they have one. */
static void print_registers(const struct sch_cli_results *results, const uint32_t *words, uint32_t vertex,
                            enum sch_cli_floats floats)
{
    for (uint32_t r = 0; r < results->printed_count; r++) {
        const struct sch_register_info *at = &results->printed[r];
        printf("%sOUT", r ? "\t" : "");
        if (results->vertices && at->per_vertex) printf("[%u]", vertex);
        printf("[%u]=", at->index);
        sch_cli_put_values(stdout, words + (size_t)at->index * 4, results->types[r], floats);
    }
    putchar('\n');
}

static void print_events(const struct sch_cli_results *results, uint32_t invocation, enum sch_cli_floats floats)
{
    uint32_t count = results->event_counts[invocation];
    for (uint32_t n = 0; n < count && n < results->event_capacity; n++) {
        size_t at = (size_t)invocation * results->event_capacity + n;
        uint32_t event = results->events[at], stream = event & 3;
        if (event & SCH_EVENT_PRIMITIVE_END) {
            printf("ENDPRIM %u\n", stream);
            continue;
        }
        printf("EMIT %u%s", stream, results->printed_count ? " " : "");
        print_registers(results, results->event_outputs + at * results->registers * 4, 0, floats);
    }
}

void sch_cli_results_print(const struct sch_cli_results *results, uint32_t count, enum sch_cli_floats floats)
{
    for (uint32_t i = 0; i < count; i++) {
        if (results->events) print_events(results, i, floats);
        if (results->killed[i])
            puts("KILL");
        else
            print_registers(results, results->outputs + (size_t)i * results->registers * 4,
                            results->vertices ? i % results->vertices : 0, floats);
    }
}

/* ---- JSON ---- */

static void registers_json(const struct sch_cli_results *results, const uint32_t *words, uint32_t vertex,
                           struct sch_cli_json *json)
{
    sch_cli_json_list(json, "outputs", false);
    for (uint32_t r = 0; r < results->printed_count; r++) {
        const struct sch_register_info *at = &results->printed[r];
        char name[40];
        if (results->vertices && at->per_vertex)
            snprintf(name, sizeof name, "OUT[%u][%u]", vertex, at->index);
        else
            snprintf(name, sizeof name, "OUT[%u]", at->index);
        sch_cli_json_object(json, NULL, true);
        SCH_CLI_FIELDS(json, SCH_CLI_TEXT("register", name),
                       SCH_CLI_TEXT("semantic", at->semantic >= 0 ? at->semantic_name : NULL),
                       SCH_CLI_NUMBER("semantic_index", at->semantic_index));
        sch_cli_json_values(json, words + (size_t)at->index * 4, results->types[r]);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
}

static void events_json(const struct sch_cli_results *results, uint32_t invocation, struct sch_cli_json *json)
{
    const uint32_t count = results->event_counts[invocation];
    sch_cli_json_list(json, "events", false);
    for (uint32_t n = 0; n < count && n < results->event_capacity; n++) {
        const size_t at = (size_t)invocation * results->event_capacity + n;
        const bool end = results->events[at] & SCH_EVENT_PRIMITIVE_END;
        sch_cli_json_object(json, NULL, false);
        sch_cli_json_text(json, "event", end ? "end_primitive" : "emit");
        sch_cli_json_number(json, "stream", results->events[at] & 3);
        if (!end) registers_json(results, results->event_outputs + at * results->registers * 4, 0, json);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
}

void sch_cli_results_json(const struct sch_cli_results *results, const struct sch_cli_batch *batch,
                          struct sch_cli_json *json)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        sch_cli_json_object(json, NULL, false);
        sch_cli_json_number(json, "line", batch->lines[i]);
        sch_cli_json_bool(json, "killed", results->killed[i]);
        if (results->events) events_json(results, i, json);
        if (!results->killed[i])
            registers_json(results, results->outputs + (size_t)i * results->registers * 4,
                           results->vertices ? i % results->vertices : 0, json);
        sch_cli_json_close(json);
    }
}
