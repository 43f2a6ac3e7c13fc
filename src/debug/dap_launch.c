/* How a session of an editor begins: initialize, launch with the options of the command line, configurationDone. */
#include "dap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- initialize ---- */

static void put_filters(struct json_object *body)
{
    struct json_object *list = sch_dap_put_list(body, "exceptionBreakpointFilters");
    const struct sch_debugger_event *event;
    for (uint32_t n = 0; (event = sch_debugger_event_at(n)) != NULL; n++) {
        struct json_object *filter = sch_dap_put_object(list, NULL);
        sch_dap_put_text(filter, "filter", event->name);
        sch_dap_put_text(filter, "label", event->title);
        sch_dap_put_text(filter, "description", event->text);
        sch_dap_put_bool(filter, "default", false);
    }
}

bool sch_dap_initialize(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    static const struct {
        const char *name;
        bool has;
    } capabilities[] = {{"supportsConfigurationDoneRequest", true},
                        {"supportsFunctionBreakpoints", false},
                        {"supportsConditionalBreakpoints", true},
                        {"supportsHitConditionalBreakpoints", false},
                        {"supportsEvaluateForHovers", true},
                        {"supportsStepBack", true},
                        {"supportsSetVariable", false},
                        {"supportsExceptionInfoRequest", true},
                        {"supportsValueFormattingOptions", true},
                        {"supportsTerminateRequest", true},
                        {"supportsDataBreakpoints", true},
                        {"supportsReadMemoryRequest", true},
                        {"supportsDisassembleRequest", true},
                        {"supportsSteppingGranularity", true},
                        {"supportsInstructionBreakpoints", true}};
    const char *path_format = sch_dap_get_text(arguments, "pathFormat");
    if (path_format && strcmp(path_format, "path") != 0) return sch_dap_wrong(dap, "pathFormat is path");
    struct json_object *from;
    dap->lines_first = !(arguments && json_object_object_get_ex(arguments, "linesStartAt1", &from)) ||
                       sch_dap_get_bool(arguments, "linesStartAt1");
    dap->columns_first = !(arguments && json_object_object_get_ex(arguments, "columnsStartAt1", &from)) ||
                         sch_dap_get_bool(arguments, "columnsStartAt1");
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        sch_dap_put_bool(body, capabilities[i].name, capabilities[i].has);
    put_filters(body);
    dap->state = SCH_DAP_READY;
    return true;
}

/* ---- launch ---- */

/* The members of launch, and the options of the command line that they stand for. A value is a text, a number, or a
 * list of numbers with `separator` between them. */
static const struct launch_member {
    const char *name, *option;
    char separator; /* 0: a text or a number */
    bool many;      /* a list of texts, each of which is an option of its own */
} members[] = {{"kind", "-x", 0, false},
               {"nth", "--nth", 0, false},
               {"vectors", "--vectors", 0, false},
               {"line", "--line", 0, false},
               {"samples", "--samples", 0, false},
               {"pixel", "--pixel", ',', false},
               {"size", "--size", 'x', false},
               {"grid", "--grid", ',', false},
               {"block", "--block", ',', false},
               {"workGroup", "--work-group", ',', false},
               {"thread", "--thread", ',', false},
               {"target", "--target", 0, false},
               {"frame", "--frame", 0, false},
               {"event", "--event", 0, false},
               {"draw", "--draw", 0, false},
               {"stage", "--stage", 0, false},
               {"vertex", "--vertex", 0, false},
               {"instance", "--instance", 0, false},
               {"primitive", "--primitive", 0, false},
               {"invocation", "--invocation", 0, false},
               {"engine", "--engine", 0, false},
               {"width", "--width", 0, false},
               {"budget", "--budget", 0, false},
               {"work", "--work", 0, false},
               {"parameters", "--param", 0, true},
               {"shared", "--shared", 0, false},
               {"local", "--local", 0, false},
               {"kernel", "--kernel", 0, false},
               {"textures", "--tex", 0, true},
               {"samplers", "--sampler", 0, true},
               {"constants", "--const", 0, true},
               {"buffers", "--buffer", 0, true},
               {"images", "--image", 0, true},
               {"interfaces", "--interface", 0, true},
               {"counters", "--hwatomic", 0, true},
               {"global", "--global", 0, false},
               {"input", "--input", 0, false},
               {"framebuffers", "--fb", 0, true},
               {"headers", "--headers", 0, false},
               {"samplerPool", "--samplers", 0, false},
               {"constantBank", "--cbank", 0, false},
               {"memory", "--memory", 0, false},
               {"half", "--half", 0, false},
               {"arch", "--arch", 0, false},
               {"offset", "--offset", 0, false}};
enum { MEMBERS = sizeof members / sizeof *members, MOST_WORDS = 1024, MOST_NUMBERS = 4 };

static bool add_word(struct sch_dap *dap, struct json_object *words, const char *word)
{
    if (json_object_array_length(words) >= MOST_WORDS) return sch_dap_wrong(dap, "there are too many options");
    json_object_array_add(words, json_object_new_string(word));
    return true;
}

static bool add_numbers(struct sch_dap *dap, const struct launch_member *member, struct json_object *value,
                        struct json_object *words)
{
    char text[MOST_NUMBERS * 24] = "";
    size_t at = 0;
    const size_t count = json_object_array_length(value);
    if (!member->separator || count > MOST_NUMBERS) return sch_dap_wrong(dap, "%s is no such list", member->name);
    for (size_t i = 0; i < count; i++) {
        struct json_object *number = json_object_array_get_idx(value, i);
        if (!json_object_is_type(number, json_type_int))
            return sch_dap_wrong(dap, "%s is a list of whole numbers", member->name);
        if (i) text[at++] = member->separator;
        at += (size_t)snprintf(text + at, sizeof text - at, "%" PRId64, json_object_get_int64(number));
    }
    return add_word(dap, words, member->option) && add_word(dap, words, text);
}

static bool add_many(struct sch_dap *dap, const struct launch_member *member, struct json_object *value,
                     struct json_object *words)
{
    for (size_t i = 0; i < json_object_array_length(value); i++) {
        struct json_object *text = json_object_array_get_idx(value, i);
        if (!json_object_is_type(text, json_type_string))
            return sch_dap_wrong(dap, "%s is a list of texts", member->name);
        if (!add_word(dap, words, member->option) || !add_word(dap, words, json_object_get_string(text))) return false;
    }
    return true;
}

static bool add_member(struct sch_dap *dap, const struct launch_member *member, struct json_object *value,
                       struct json_object *words)
{
    switch (json_object_get_type(value)) {
    case json_type_string:
    case json_type_int:
        return add_word(dap, words, member->option) && add_word(dap, words, json_object_get_string(value));
    case json_type_array:
        return member->many ? add_many(dap, member, value, words) : add_numbers(dap, member, value, words);
    case json_type_null:
        return true;
    default:
        return sch_dap_wrong(dap, "%s is not a text, number or list", member->name);
    }
}

/* What else is there is the editor's own. */
static bool collect(struct sch_dap *dap, struct json_object *arguments, struct json_object *words)
{
    const char *program = sch_dap_get_text(arguments, "program");
    for (size_t i = 0; i < MEMBERS; i++) {
        struct json_object *value;
        if (!arguments || !json_object_object_get_ex(arguments, members[i].name, &value)) continue;
        if (!add_member(dap, &members[i], value, words)) return false;
    }
    if (sch_dap_get_bool(arguments, "quads") && !add_word(dap, words, "--quads")) return false;
    if (program && !*program) return sch_dap_wrong(dap, "program is not the name of a file");
    return !program || (add_word(dap, words, "--") && add_word(dap, words, program));
}

static bool open(struct sch_dap *dap, struct json_object *words)
{
    const char *list[MOST_WORDS];
    const uint32_t count = (uint32_t)json_object_array_length(words);
    for (uint32_t i = 0; i < count; i++) list[i] = json_object_get_string(json_object_array_get_idx(words, i));
    dap->problem[0] = 0;
    dap->subject = dap->host->open(dap->host->user, list, count, dap->problem, sizeof dap->problem);
    if (!dap->subject) return *dap->problem ? false : sch_dap_wrong(dap, "the session cannot be opened");
    memcpy(dap->remarks, dap->problem, sizeof dap->remarks);
    if (sch_debugger_lines_make(dap->subject, &dap->lines)) return true;
    sch_debugger_lines_release(&dap->lines);
    dap->host->close(dap->host->user);
    dap->subject = NULL;
    return sch_dap_wrong(dap, "out of memory");
}

bool sch_dap_launch(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)body;
    dap->words = json_object_new_array();
    if (!collect(dap, arguments, dap->words) || !open(dap, dap->words)) {
        json_object_put(dap->words);
        dap->words = NULL;
        return false;
    }
    dap->stop_on_entry = sch_dap_get_bool(arguments, "stopOnEntry");
    dap->no_debug = sch_dap_get_bool(arguments, "noDebug");
    dap->breakpoint_count = 0;
    dap->events = 0;
    dap->stop = sch_debugger_stop(dap->subject);
    dap->state = SCH_DAP_OPEN;
    dap->then = SCH_DAP_SAY_OPENED;
    return true;
}

bool sch_dap_configuration_done(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    (void)arguments;
    (void)body;
    dap->then = SCH_DAP_BEGIN;
    return true;
}
