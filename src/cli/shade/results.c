/* See results.h. */
#include "results.h"

#include <stdlib.h>
#include <string.h>

void sch_cli_results_release(struct sch_cli_results *results)
{
    free(results->outputs);
    free(results->killed);
    free(results->printed);
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

/* The declared outputs. NULL: memory. */
static struct sch_cli_result *list_outputs(const struct sch_shader *shader,
                                           const struct sch_cli_registers_of *registers, uint32_t *count)
{
    struct sch_register_info at = {.size = sizeof at};
    while (sch_shader_register(shader, SCH_FILE_OUTPUT, *count, &at)) ++*count;
    struct sch_cli_result *list = calloc((size_t)*count + 1, sizeof *list);
    for (uint32_t i = 0; list && i < *count; i++) {
        list[i] = (struct sch_cli_result){.is = {.size = sizeof list[i].is}, .file = "OUT", .count = 4};
        sch_shader_register(shader, SCH_FILE_OUTPUT, i, &list[i].is);
        list[i].at = list[i].is.index * 4;
        sch_cli_types_of(registers, SCH_FILE_OUTPUT, 0, list[i].is.index, list[i].types);
    }
    return list;
}

/* What Maxwell code writes, which does not say what it is. NULL: memory. */
static struct sch_cli_result *list_written(const struct sch_shader *code, uint32_t *count)
{
    struct sch_register_use uses[SCH_MAXWELL_GROUP_REGISTERS + SCH_MAXWELL_GROUP_PREDICATES];
    size_t used = 0;
    struct sch_cli_result *list = calloc(sizeof uses / sizeof *uses, sizeof *list);
    if (!list || sch_shader_register_uses(code, uses, sizeof *uses, sizeof uses / sizeof *uses, &used) != SCH_OK)
        return list;
    for (size_t i = 0; i < used; i++) {
        const bool predicate = uses[i].file == SCH_FILE_ADDRESS;
        if (!uses[i].is_written) continue;
        list[(*count)++] =
            (struct sch_cli_result){.is = {.index = uses[i].first, .semantic = SCH_SEMANTIC_NONE},
                                    .file = predicate ? "P" : "R",
                                    .at = uses[i].first + (predicate ? (uint32_t)SCH_MAXWELL_PREDICATE_WORD : 0),
                                    .count = 1,
                                    .types = {predicate ? SCH_VALUE_UINT : SCH_VALUE_UNKNOWN}};
    }
    return list;
}

bool sch_cli_results_init(struct sch_cli_results *results, const struct sch_shader *shader,
                          struct sch_cli_registers_of *registers, struct sch_cli_batch *batch)
{
    struct sch_shader_info info = {.size = sizeof info};
    *results = (struct sch_cli_results){.registers = 0};
    if (sch_shader_get_info(shader, &info) != SCH_OK) return false;
    results->registers = batch->lanes ? (uint32_t)SCH_MAXWELL_INPUT_REGISTERS : info.outputs;
    if (info.stage == SCH_STAGE_TESS_CTRL) results->vertices = batch->unit;
    if (info.stage == SCH_STAGE_GEOMETRY && !events_init(results, shader, batch->unit, &batch->capacity)) return false;
    const bool room = sch_cli_registers(batch->capacity, results->registers, &results->outputs, &results->output_bytes);
    results->killed = calloc(batch->capacity, 1);
    results->printed = batch->lanes ? list_written(shader, &results->printed_count)
                                    : list_outputs(shader, registers, &results->printed_count);
    return room && results->killed && results->printed;
}

void sch_cli_result_name(const struct sch_cli_results *results, const struct sch_cli_result *result, uint32_t vertex,
                         char name[40])
{
    if (results->vertices && result->is.per_vertex)
        snprintf(name, 40, "%s[%u][%u]", result->file, vertex, result->is.index);
    else
        snprintf(name, 40, "%s[%u]", result->file, result->is.index);
}

/* The registers at `words`, of the invocation's vertex where they have one. */
static void print_registers(const struct sch_cli_results *results, const uint32_t *words, uint32_t vertex,
                            enum sch_cli_floats floats)
{
    for (uint32_t r = 0; r < results->printed_count; r++) {
        const struct sch_cli_result *result = &results->printed[r];
        char name[40], text[SCH_CLI_VALUE_BYTES];
        sch_cli_result_name(results, result, vertex, name);
        printf("%s%s=", r ? "\t" : "", name);
        if (result->count > 1) {
            sch_cli_put_values(stdout, words + result->at, result->types, floats);
        } else if (result->types[0] == SCH_VALUE_UINT) { /* a predicate */
            printf("%u", words[result->at]);
        } else {
            sch_cli_value_print(words[result->at], result->types[0], floats, text);
            fputs(text, stdout);
        }
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

void sch_cli_results_print(const struct sch_cli_results *results, const struct sch_cli_batch *batch,
                           enum sch_cli_floats floats)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        if (results->events) print_events(results, i, floats);
        if (batch->helpers[i] == SCH_INVOCATION_OFF)
            puts("OFF");
        else if (results->killed[i] || batch->helpers[i])
            puts("KILL");
        else
            print_registers(results, results->outputs + (size_t)i * results->registers * 4,
                            results->vertices ? i % results->vertices : 0, floats);
    }
}

/* ---- JSON ---- */

static void registers_json(const struct sch_cli_results *results, const uint32_t *words, uint32_t vertex,
                           struct sch_json *json)
{
    sch_json_list(json, "outputs", false);
    for (uint32_t r = 0; r < results->printed_count; r++) {
        const struct sch_cli_result *result = &results->printed[r];
        char name[40];
        sch_cli_result_name(results, result, vertex, name);
        sch_json_object(json, NULL, true);
        SCH_JSON_FIELDS(json, SCH_JSON_TEXT("register", name),
                        SCH_JSON_TEXT("semantic", result->is.semantic >= 0 ? result->is.semantic_name : NULL),
                        SCH_JSON_NUMBER("semantic_index", result->is.semantic_index));
        sch_json_some_values(json, words + result->at, result->types, result->count);
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void events_json(const struct sch_cli_results *results, uint32_t invocation, struct sch_json *json)
{
    const uint32_t count = results->event_counts[invocation];
    sch_json_list(json, "events", false);
    for (uint32_t n = 0; n < count && n < results->event_capacity; n++) {
        const size_t at = (size_t)invocation * results->event_capacity + n;
        const bool end = results->events[at] & SCH_EVENT_PRIMITIVE_END;
        sch_json_object(json, NULL, false);
        SCH_JSON_FIELDS(json, SCH_JSON_TEXT("event", end ? "end_primitive" : "emit"),
                        SCH_JSON_NUMBER("stream", results->events[at] & 3));
        if (!end) registers_json(results, results->event_outputs + at * results->registers * 4, 0, json);
        sch_json_close(json);
    }
    sch_json_close(json);
}

void sch_cli_results_json(const struct sch_cli_results *results, const struct sch_cli_batch *batch,
                          struct sch_json *json)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        sch_json_object(json, NULL, false);
        SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("line", batch->lines[i]),
                        SCH_JSON_BOOL("killed", results->killed[i] || batch->helpers[i] == SCH_INVOCATION_HELPER));
        if (batch->helpers[i] == SCH_INVOCATION_OFF) sch_json_bool(json, "off", true);
        if (results->events) events_json(results, i, json);
        if (!results->killed[i] && !batch->helpers[i])
            registers_json(results, results->outputs + (size_t)i * results->registers * 4,
                           results->vertices ? i % results->vertices : 0, json);
        sch_json_close(json);
    }
}
