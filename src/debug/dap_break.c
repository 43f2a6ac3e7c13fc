/* Breakpoints of editors: on lines, instructions, data, and events of the engine as exceptions. */
#include "dap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"

bool sch_dap_apply_breakpoints(struct sch_dap *dap)
{
    struct sch_debug_breakpoint points[SCH_DAP_BREAKPOINTS];
    for (uint32_t i = 0; i < dap->breakpoint_count; i++) points[i] = dap->breakpoints[i].point;
    return sch_debugger_target_set_breakpoints(dap->subject->target, points, sizeof *points,
                                               dap->no_debug ? 0 : dap->breakpoint_count) == SCH_OK;
}

/* ---- sets of them ---- */

static void remove_set(struct sch_dap *dap, enum sch_dap_set set)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < dap->breakpoint_count; i++)
        if (dap->breakpoints[i].set != set) dap->breakpoints[kept++] = dap->breakpoints[i];
    dap->breakpoint_count = kept;
}

/* Adds a breakpoint, and reports it; `problem`: why it cannot be set. */
static struct json_object *add(struct sch_dap *dap, enum sch_dap_set set, const struct sch_debug_breakpoint *point,
                               const char *problem, struct json_object *list)
{
    struct json_object *told = sch_dap_put_object(list, NULL);
    if (!*problem && dap->breakpoint_count == SCH_DAP_BREAKPOINTS) problem = "there are 256 breakpoints already";
    sch_dap_put_number(told, "id", ++dap->last_id);
    sch_dap_put_bool(told, "verified", !*problem);
    if (*problem)
        sch_dap_put_text(told, "message", problem);
    else
        dap->breakpoints[dap->breakpoint_count++] = (struct sch_dap_breakpoint){set, dap->last_id, *point};
    return told;
}

/* The conditions that a breakpoint may have. */
static void read_conditions(const struct sch_dap *dap, struct json_object *from, struct sch_debug_breakpoint *point,
                            char problem[160])
{
    const char *condition = sch_dap_get_text(from, "condition"), *hits = sch_dap_get_text(from, "hitCondition");
    if (hits && *hits) snprintf(problem, 160, "hits are not counted");
    if (!*problem && condition && *condition) sch_debugger_read_condition(dap->subject, condition, point, problem);
}

/* The list of a request; its elements are objects. NULL and a problem if it is something else. */
static struct json_object *read_list(struct sch_dap *dap, struct json_object *arguments, size_t *count)
{
    struct json_object *given = sch_dap_get_list(arguments, "breakpoints", count);
    if (!given) sch_dap_wrong(dap, "breakpoints is a list");
    for (size_t i = 0; i < *count; i++) {
        if (json_object_is_type(json_object_array_get_idx(given, i), json_type_object)) continue;
        sch_dap_wrong(dap, "breakpoints is a list of objects");
        return NULL;
    }
    return given;
}

static bool applied(struct sch_dap *dap)
{
    return sch_dap_apply_breakpoints(dap) || sch_dap_wrong(dap, "the breakpoints cannot be set");
}

typedef bool add_fn(struct sch_dap *dap, enum sch_dap_set set, struct json_object *from, const char *refusal,
                    struct json_object *list);

/* The breakpoints of a request are those of a set from then on; `refusal`: why none of them can be set. */
static bool replace_set(struct sch_dap *dap, struct json_object *arguments, struct json_object *body,
                        enum sch_dap_set set, const char *refusal, add_fn *add_one)
{
    size_t count;
    struct json_object *given = read_list(dap, arguments, &count);
    if (!given) return false;
    struct json_object *list = sch_dap_put_list(body, "breakpoints");
    if (!*refusal) remove_set(dap, set);
    for (size_t i = 0; i < count; i++)
        if (!add_one(dap, set, json_object_array_get_idx(given, i), refusal, list)) return applied(dap) && false;
    return applied(dap);
}

/* ---- lines ---- */

static bool is_same_file(const char *a, const char *b)
{
    char *real = realpath(a, NULL);
    const bool same = strcmp(a, b) == 0 || (real && strcmp(real, b) == 0);
    free(real);
    return same;
}

/* Which text of the program a source is; false: none. */
static bool find_text(const struct sch_dap *dap, struct json_object *source, enum sch_dap_set *set)
{
    struct json_object *given = NULL;
    const char *path = sch_dap_get_text(source, "path");
    if (source) json_object_object_get_ex(source, "sourceReference", &given);
    const int64_t reference = json_object_get_int64(given);
    *set = reference == SCH_DAP_PROGRAM ? SCH_DAP_OF_PROGRAM : SCH_DAP_OF_SOURCE;
    if (reference == SCH_DAP_PROGRAM) return true;
    if (reference) return reference == SCH_DAP_TEXT && dap->subject->source && !dap->subject->path;
    return path && dap->subject->path && dap->subject->source && is_same_file(path, dap->subject->path);
}

static bool add_line(struct sch_dap *dap, enum sch_dap_set set, struct json_object *from, const char *refusal,
                     struct json_object *list)
{
    const uint32_t *lines = set == SCH_DAP_OF_SOURCE ? dap->lines.source : dap->lines.program;
    struct sch_debug_breakpoint point = {.compare = SCH_COMPARE_NONE};
    char problem[160];
    int64_t line;
    if (!sch_dap_get_number(dap, from, "line", 0, INT32_MAX, -1, &line)) return false;
    if (line < 0) return sch_dap_wrong(dap, "a breakpoint needs a line");
    snprintf(problem, sizeof problem, "%s", refusal);
    const uint32_t at = sch_debugger_at_line(lines, dap->lines.count, (uint32_t)line + 1 - dap->lines_first);
    if (!*problem && at == UINT32_MAX) snprintf(problem, sizeof problem, "there is no instruction from there on");
    if (!*problem) {
        const bool source = set == SCH_DAP_OF_SOURCE;
        point.kind = source ? SCH_DEBUG_BREAK_LINE : SCH_DEBUG_BREAK_INSTRUCTION;
        point.number = source ? lines[at] : at;
        line = lines[at] - 1 + dap->lines_first;
        read_conditions(dap, from, &point, problem);
    }
    sch_dap_put_number(add(dap, set, &point, problem, list), "line", line);
    return true;
}

bool sch_dap_set_breakpoints(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    enum sch_dap_set set;
    const bool known = find_text(dap, sch_dap_get_object(arguments, "source"), &set);
    return replace_set(dap, arguments, body, set, known ? "" : "this is not the source of the shader", add_line);
}

/* ---- instructions ---- */

static bool add_instruction(struct sch_dap *dap, enum sch_dap_set set, struct json_object *from, const char *refusal,
                            struct json_object *list)
{
    const char *reference = sch_dap_get_text(from, "instructionReference");
    struct sch_debug_breakpoint point = {.kind = SCH_DEBUG_BREAK_INSTRUCTION, .compare = SCH_COMPARE_NONE};
    char problem[160];
    int64_t offset;
    snprintf(problem, sizeof problem, "%s", refusal);
    if (!reference) return sch_dap_wrong(dap, "a breakpoint needs an instructionReference");
    if (!sch_dap_get_number(dap, from, "offset", INT32_MIN, INT32_MAX, 0, &offset)) return false;
    if (!sch_dap_read_address(reference, &point.number) || (int64_t)point.number + offset < 0 ||
        (int64_t)point.number + offset >= dap->lines.count)
        snprintf(problem, sizeof problem, "the program has no instruction there");
    point.number = (uint32_t)((int64_t)point.number + offset);
    if (!*problem) read_conditions(dap, from, &point, problem);
    struct json_object *told = add(dap, set, &point, problem, list);
    if (!*problem) {
        char address[16];
        sch_dap_address(point.number, address);
        sch_dap_put_text(told, "instructionReference", address);
    }
    return true;
}

bool sch_dap_set_instruction_breakpoints(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    return replace_set(dap, arguments, body, SCH_DAP_OF_INSTRUCTIONS, "", add_instruction);
}

/* ---- data ---- */

/* What data is called in messages: TEMP[0].xy, or shared 16 4: bytes and how many. */
static bool read_data(const struct sch_dap *dap, const char *id, struct sch_debug_breakpoint *point)
{
    struct sch_debugger_operand operand;
    uint32_t words[4][SCH_DEBUGGER_LANES];
    unsigned number, bytes;
    size_t shared;
    char rest;
    if (sscanf(id, "shared %9u %9u%c", &number, &bytes, &rest) == 2) {
        sch_debugger_target_shared_memory(dap->subject->target, &shared);
        point->kind = SCH_DEBUG_BREAK_SHARED;
        point->number = number;
        point->bytes = bytes;
        return bytes && number < shared && bytes <= shared - number;
    }
    if (!sch_debugger_read_operand(dap->subject, &id, &operand) || *id) return false;
    if (sch_debugger_target_read(dap->subject->target, &operand.which, words) != SCH_OK) return false;
    point->kind = SCH_DEBUG_BREAK_WRITE;
    point->which = operand.which;
    point->channels = sch_debugger_channels(&operand);
    return operand.which.file == SCH_FILE_OUTPUT || operand.which.file == SCH_FILE_TEMPORARY ||
           operand.which.file == SCH_FILE_ADDRESS;
}

bool sch_dap_data_breakpoint_info(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    const char *name = sch_dap_get_text(arguments, "name");
    struct sch_dap_reference within = {0};
    struct sch_debug_breakpoint point = {.number = 0};
    char id[80];
    int64_t number;
    if (!name) return sch_dap_wrong(dap, "name is missing");
    if (!sch_dap_get_number(dap, arguments, "variablesReference", 0, INT32_MAX, 0, &number)) return false;
    const bool is_child = number && sch_dap_read_reference(number, &within);
    struct sch_debug_register which;
    if (is_child && within.kind == SCH_DAP_REGISTER &&
        sch_debugger_target_register_at(dap->subject->target, within.item, &which)) {
        char of[SCH_DEBUGGER_NAME_BYTES];
        sch_debugger_shown_name(dap->subject, &which, of);
        snprintf(id, sizeof id, "%s.%.1s", of, name);
    } else if (is_child && within.kind == SCH_DAP_SHARED) {
        snprintf(id, sizeof id, "shared %lu 4", strtoul(name + (*name == '['), NULL, 10));
    } else {
        snprintf(id, sizeof id, "%s", name);
    }
    const bool can = read_data(dap, id, &point);
    if (can)
        sch_dap_put_text(body, "dataId", id);
    else
        json_object_object_add(body, "dataId", NULL);
    sch_dap_put_text(body, "description",
                     can ? id : "Only registers that are written, and shared memory, are watched.");
    if (can) json_object_array_add(sch_dap_put_list(body, "accessTypes"), json_object_new_string("write"));
    sch_dap_put_bool(body, "canPersist", can);
    return true;
}

static bool add_data(struct sch_dap *dap, enum sch_dap_set set, struct json_object *from, const char *refusal,
                     struct json_object *list)
{
    const char *id = sch_dap_get_text(from, "dataId"), *access = sch_dap_get_text(from, "accessType");
    struct sch_debug_breakpoint point = {.compare = SCH_COMPARE_NONE};
    char problem[160];
    snprintf(problem, sizeof problem, "%s", refusal);
    if (!id) return sch_dap_wrong(dap, "a breakpoint needs a dataId");
    if (!read_data(dap, id, &point)) snprintf(problem, sizeof problem, "there is no such data that is written");
    if (access && strcmp(access, "write") != 0) snprintf(problem, sizeof problem, "only writes are watched");
    if (!*problem) read_conditions(dap, from, &point, problem);
    add(dap, set, &point, problem, list);
    return true;
}

bool sch_dap_set_data_breakpoints(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    return replace_set(dap, arguments, body, SCH_DAP_OF_DATA, "", add_data);
}

/* ---- exceptions ---- */

static uint32_t event_named(const char *name)
{
    const struct sch_debugger_event *event;
    for (uint32_t n = 0; (event = sch_debugger_event_at(n)) != NULL; n++)
        if (strcmp(event->name, name) == 0) return event->bit;
    return 0;
}

bool sch_dap_set_exceptions(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    size_t count;
    uint32_t events = 0;
    struct json_object *given = sch_dap_get_list(arguments, "filters", &count);
    (void)body;
    if (!given) return sch_dap_wrong(dap, "filters is a list");
    for (size_t i = 0; i < count; i++) {
        struct json_object *name = json_object_array_get_idx(given, i);
        const uint32_t bit =
            json_object_is_type(name, json_type_string) ? event_named(json_object_get_string(name)) : 0;
        if (!bit) return sch_dap_wrong(dap, "there is no such filter: %.100s", json_object_get_string(name));
        events |= bit;
    }
    dap->events = events;
    return true;
}
