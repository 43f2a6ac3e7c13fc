/* scheelite trace: what an invocation does, instruction by instruction, with the values that it makes. Pages are
 * trace_page.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "maxwell.h"
#include "sort.h"
#include "trace_page.h"

enum { LANES = 32, SOURCES = SCH_CLI_SORT_SOURCES, TEXT_COLUMNS = 44 };

enum only { ONLY_ALL, ONLY_LOOKUPS, ONLY_MEMORY, ONLY_CHANGES };

struct wanted {
    struct sch_cli_session session;
    uint64_t from, to; /* moments */
    uint32_t lanes;    /* bits; 0: that of the invocation */
    enum only only;
    enum sch_cli_floats floats;
    bool json, html;
};

/* An instruction that was executed, as it is told. */
struct step {
    struct sch_debug_stop before, after;
    const char *text;
    uint32_t length;
    bool is_lookup, is_memory;
    uint32_t lanes;      /* that are shown, of those that executed it */
    uint32_t has_source; /* bits: sources that are values */
    uint32_t sources[SOURCES][4][LANES];
};

struct tracer {
    const struct wanted *wanted;
    const struct sch_cli_session *session;
    struct sch_cli_json *json; /* NULL: lines */
    bool several_vertices;
    struct step step;
};

/* ---- options ---- */

static enum sch_cli_exit take_lanes(struct wanted *wanted, const char *value)
{
    const char *at = value;
    wanted->lanes = strcmp(value, "all") == 0 ? UINT32_MAX : 0;
    while (!wanted->lanes || *at == ',') {
        uint32_t lane;
        at += *at == ',';
        if (!sch_cli_read_number(&at, &lane) || lane >= LANES || (*at && *at != ','))
            return sch_cli_usage_error(&sch_cli_trace, "--lanes is all, or numbers of 0 to 31 with commas, not %s",
                                       value);
        wanted->lanes |= UINT32_C(1) << lane;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_only(struct wanted *wanted, const char *value)
{
    static const char *const words[] = {
        [ONLY_LOOKUPS] = "lookups", [ONLY_MEMORY] = "memory", [ONLY_CHANGES] = "changes"};
    for (unsigned w = ONLY_LOOKUPS; w <= ONLY_CHANGES; w++)
        if (strcmp(value, words[w]) == 0) wanted->only = (enum only)w;
    if (wanted->only) return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_trace, "--only is lookups, memory or changes, not %s", value);
}

static enum sch_cli_exit take_moment(const char *option, const char *value, uint64_t *moment)
{
    if (sch_cli_number(value, 0, UINT64_MAX / 2, moment)) return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_trace, "%s is a number from 0, not %s", option, value);
}

static enum sch_cli_exit take_option(struct wanted *wanted, int option, const char *value)
{
    switch (option) {
    case SCH_OPTION_TRACE_LANES:
        return take_lanes(wanted, value);
    case SCH_OPTION_TRACE_ONLY:
        return take_only(wanted, value);
    case SCH_OPTION_TRACE_FROM:
        return take_moment("--from", value, &wanted->from);
    case SCH_OPTION_TRACE_TO:
        return take_moment("--to", value, &wanted->to);
    case SCH_OPTION_TRACE_FLOATS:
        return sch_cli_floats_option(&sch_cli_trace, value, &wanted->floats);
    case SCH_OPTION_JSON:
        wanted->json = true;
        return SCH_CLI_YES;
    case SCH_OPTION_TRACE_HTML:
        wanted->html = true;
        return SCH_CLI_YES;
    default:
        return sch_cli_session_option(&sch_cli_trace, &wanted->session, option, value);
    }
}

/* The page has all lanes and steps, and a switch for how values are shown. */
static enum sch_cli_exit check_page(const struct sch_cli_arguments *arguments, const struct wanted *wanted)
{
    if (!wanted->html) return SCH_CLI_YES;
    if (wanted->json) return sch_cli_usage_error(&sch_cli_trace, "either --json or --html");
    if (arguments->given[SCH_OPTION_TRACE_LANES] || wanted->only || arguments->given[SCH_OPTION_TRACE_FLOATS])
        return sch_cli_usage_error(&sch_cli_trace,
                                   "--html shows all lanes and instructions: --lanes, --only and --floats do not go "
                                   "with it");
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        if (option == SCH_CLI_STOP) return arguments->exit;
        const enum sch_cli_exit exit = take_option(wanted, option, arguments->value);
        if (exit != SCH_CLI_YES) return exit;
    }
    if (wanted->from > wanted->to)
        return sch_cli_usage_error(&sch_cli_trace, "--from %" PRIu64 " is behind --to %" PRIu64, wanted->from,
                                   wanted->to);
    return check_page(arguments, wanted);
}

/* ---- one instruction ---- */

static void begin_step(struct tracer *tracer)
{
    struct step *step = &tracer->step;
    const struct sch_debug *debug = tracer->session->debug;
    const uint32_t wanted = tracer->wanted->lanes;
    step->text = sch_cli_session_instruction(tracer->session, step->before.instruction, &step->length);
    step->lanes = step->before.active & (wanted ? wanted : UINT32_C(1) << step->before.lane);
    const struct sch_cli_sort sort = sch_cli_sort_of(step->text);
    step->is_lookup = sort.is_lookup;
    step->is_memory = sort.is_memory;
    step->has_source = 0;
    for (uint32_t s = 0; s < SOURCES; s++)
        if (sch_debug_read_source(debug, s, step->sources[s])) step->has_source |= 1u << s;
}

static bool changes_lane(const struct sch_debug_change *change, unsigned lane, uint32_t now[4][LANES])
{
    for (unsigned c = 0; c < 4; c++)
        if (change->channels >> c & 1 && now[c][lane] != change->before[c][lane]) return true;
    return false;
}

/* Whether some lane that is shown has another value than before. */
static bool changes(const struct tracer *tracer)
{
    struct sch_debug_change change = {.size = sizeof change};
    uint32_t now[4][LANES];
    for (uint32_t n = 0; sch_debug_change_at(tracer->session->debug, n, &change); n++) {
        if (sch_debug_read(tracer->session->debug, &change.which, now) != SCH_OK) continue;
        for (uint32_t left = tracer->step.lanes; left; left &= left - 1)
            if (changes_lane(&change, (unsigned)__builtin_ctz(left), now)) return true;
    }
    return false;
}

static bool is_shown(const struct tracer *tracer)
{
    const struct step *step = &tracer->step;
    if (!step->lanes) return false;
    switch (tracer->wanted->only) {
    case ONLY_LOOKUPS:
        return step->is_lookup;
    case ONLY_MEMORY:
        return step->is_memory;
    case ONLY_CHANGES:
        return changes(tracer);
    default:
        return true;
    }
}

/* ---- as text ---- */

static void put_channels(uint32_t channels)
{
    putchar('.');
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1) putchar("xyzw"[c]);
}

static void put_words(const struct tracer *tracer, uint32_t words[4][LANES], uint32_t channels, unsigned lane,
                      const enum sch_cli_type types[4])
{
    const char *between = "";
    for (unsigned c = 0; c < 4; c++) {
        char text[SCH_CLI_VALUE_BYTES];
        if (!(channels >> c & 1)) continue;
        sch_cli_value_print(words[c][lane], types[c], tracer->wanted->floats, text);
        printf("%s%s", between, text);
        between = ", ";
    }
}

static void put_changes(const struct tracer *tracer, unsigned lane)
{
    const struct sch_debug *debug = tracer->session->debug;
    struct sch_debug_change change = {.size = sizeof change};
    for (uint32_t n = 0; sch_debug_change_at(debug, n, &change); n++) {
        char name[48];
        enum sch_cli_type types[4];
        uint32_t now[4][LANES];
        if (sch_debug_read(debug, &change.which, now) != SCH_OK) continue;
        sch_cli_register_name(&change.which, tracer->several_vertices, name);
        sch_cli_session_types(tracer->session, &change.which, types);
        printf("  %s", name);
        put_channels(change.channels);
        printf(" = ");
        put_words(tracer, now, change.channels, lane, types);
    }
}

/* A word that would be a float next to zero is an integer. */
static enum sch_cli_type guess(uint32_t word)
{
    return word && (word & 0x7f800000) == 0 ? SCH_CLI_TYPE_UINT : SCH_CLI_TYPE_UNKNOWN;
}

/* The words of the sources: an address, then what is stored or combined. */
static void put_access(const struct tracer *tracer, unsigned lane)
{
    const struct step *step = &tracer->step;
    const char *between = "  of ";
    for (uint32_t s = 0; s < SOURCES; s++) {
        enum sch_cli_type types[4];
        if (!(step->has_source >> s & 1)) continue;
        for (unsigned c = 0; c < 4; c++) types[c] = guess(step->sources[s][c][lane]);
        printf("%s", between);
        put_words(tracer, (uint32_t(*)[LANES])step->sources[s], 15, lane, types);
        between = "; ";
    }
}

static void put_lookup(const struct tracer *tracer, unsigned lane)
{
    struct sch_explanation *explanation;
    struct sch_explanation_info info = {.size = sizeof info};
    if (sch_debug_explain(tracer->session->debug, lane, &explanation) != SCH_OK) return;
    if (sch_explanation_get_info(explanation, &info) == SCH_OK && info.texel_count) {
        char lod[SCH_CLI_VALUE_BYTES];
        uint32_t bits;
        memcpy(&bits, &info.lod, sizeof bits);
        sch_cli_value_decimal(bits, lod);
        printf("  (level of detail %s, %" PRIu32 " texel%s)", lod, info.texel_count, info.texel_count == 1 ? "" : "s");
    }
    sch_explanation_destroy(explanation);
}

static void print_step(const struct tracer *tracer)
{
    const struct step *step = &tracer->step;
    const bool one = !(step->lanes & (step->lanes - 1));
    const int blanks = step->length < TEXT_COLUMNS ? (int)(TEXT_COLUMNS - step->length) : 0;
    printf("%6" PRIu64, step->before.time);
    if (step->before.line) printf("  line %-4" PRIu32, step->before.line);
    printf("  %.*s%*s", (int)step->length, step->text, one ? blanks : 0, "");
    for (uint32_t left = step->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (!one) printf("\n%16slane %-3u", "", lane);
        put_changes(tracer, lane);
        if (step->is_memory) put_access(tracer, lane);
        if (step->is_lookup) put_lookup(tracer, lane);
    }
    putchar('\n');
}

/* ---- as JSON ---- */

static void json_values(const struct tracer *tracer, uint32_t words[4][LANES], const enum sch_cli_type types[4])
{
    struct sch_cli_json *json = tracer->json;
    sch_cli_json_list(json, "lanes", false);
    for (uint32_t left = tracer->step.lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint32_t of_lane[4] = {words[0][lane], words[1][lane], words[2][lane], words[3][lane]};
        sch_cli_json_object(json, NULL, true);
        sch_cli_json_number(json, "lane", lane);
        sch_cli_json_values(json, of_lane, types);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
}

static void json_changes(const struct tracer *tracer)
{
    struct sch_cli_json *json = tracer->json;
    struct sch_debug_change change = {.size = sizeof change};
    sch_cli_json_list(json, "writes", false);
    for (uint32_t n = 0; sch_debug_change_at(tracer->session->debug, n, &change); n++) {
        char name[48], channels[5] = "";
        enum sch_cli_type types[4];
        uint32_t now[4][LANES];
        if (sch_debug_read(tracer->session->debug, &change.which, now) != SCH_OK) continue;
        for (unsigned c = 0, length = 0; c < 4; c++)
            if (change.channels >> c & 1) channels[length++] = "xyzw"[c];
        sch_cli_register_name(&change.which, tracer->several_vertices, name);
        sch_cli_session_types(tracer->session, &change.which, types);
        sch_cli_json_object(json, NULL, false);
        sch_cli_json_text(json, "register", name);
        sch_cli_json_text(json, "channels", channels);
        json_values(tracer, now, types);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
}

static void json_texels(struct sch_cli_json *json, const struct sch_explanation *explanation)
{
    struct sch_footprint_texel texel = {.size = sizeof texel};
    sch_cli_json_list(json, "texels", false);
    for (uint32_t n = 0; sch_explanation_texel(explanation, n, &texel); n++) {
        sch_cli_json_object(json, NULL, true);
        sch_cli_json_number(json, "level", texel.level);
        sch_cli_json_number(json, "tap", texel.tap);
        sch_cli_json_bool(json, "border", texel.border);
        sch_cli_json_number(json, "x", texel.x);
        sch_cli_json_number(json, "y", texel.y);
        sch_cli_json_number(json, "z", texel.z);
        sch_cli_json_number(json, "sample", texel.sample);
        sch_cli_json_float(json, "weight", texel.weight);
        sch_cli_json_values(json, texel.value, NULL);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
}

static void json_lookups(const struct tracer *tracer)
{
    struct sch_cli_json *json = tracer->json;
    sch_cli_json_list(json, "lookups", false);
    for (uint32_t left = tracer->step.lanes; left; left &= left - 1) {
        struct sch_explanation *explanation;
        struct sch_explanation_info info = {.size = sizeof info};
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (sch_debug_explain(tracer->session->debug, lane, &explanation) != SCH_OK) continue;
        if (sch_explanation_get_info(explanation, &info) == SCH_OK && info.texel_count) {
            sch_cli_json_object(json, NULL, false);
            sch_cli_json_number(json, "lane", lane);
            sch_cli_json_float(json, "lod_computed", info.lod_computed);
            sch_cli_json_float(json, "lod", info.lod);
            sch_cli_json_bool(json, "magnified", info.magnified);
            sch_cli_json_number(json, "taps", info.taps);
            json_texels(json, explanation);
            sch_cli_json_close(json);
        }
        sch_explanation_destroy(explanation);
    }
    sch_cli_json_close(json);
}

static void json_step(const struct tracer *tracer)
{
    const struct step *step = &tracer->step;
    struct sch_cli_json *json = tracer->json;
    char *text = strndup(step->text, step->length);
    sch_cli_json_object(json, NULL, false);
    sch_cli_json_number(json, "time", step->before.time);
    sch_cli_json_number(json, "instruction", step->before.instruction);
    sch_cli_json_number(json, "line", step->before.line);
    sch_cli_json_number(json, "column", step->before.column);
    sch_cli_json_text(json, "text", text ? text : "");
    sch_cli_json_hex(json, "active", step->before.active, 8);
    sch_cli_json_hex(json, "helpers", step->before.helpers, 8);
    sch_cli_json_list(json, "sources", false);
    for (uint32_t s = 0; s < SOURCES; s++) {
        if (!(step->has_source >> s & 1)) continue;
        sch_cli_json_object(json, NULL, false);
        sch_cli_json_number(json, "source", s);
        json_values(tracer, (uint32_t(*)[LANES])step->sources[s], NULL);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
    json_changes(tracer);
    if (step->is_lookup) json_lookups(tracer);
    sch_cli_json_close(json);
    free(text);
}

/* ---- all of them ---- */

static const char *stage_name(enum sch_stage stage)
{
    static const char *const names[] = {
        "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
    return names[stage];
}

static struct sch_debug_stop stop_of(const struct tracer *tracer)
{
    struct sch_debug_stop stop = {.size = sizeof stop};
    sch_debug_get_stop(tracer->session->debug, &stop);
    return stop;
}

/* A group that fails says why, and so does the run behind one that did not. */
static enum sch_cli_exit tell_end(const struct tracer *tracer)
{
    const struct sch_debug_stop *stop = &tracer->step.after;
    if (stop->result == SCH_OK) return SCH_CLI_YES;
    return sch_cli_fail(sch_cli_exit_of(stop->result), "%s: %s, at instruction %" PRIu32,
                        tracer->session->shader.input.name, sch_result_text(stop->result), stop->instruction);
}

static enum sch_cli_exit trace_steps(struct tracer *tracer)
{
    static const struct sch_debug_go next = {.size = sizeof next, .step = SCH_DEBUG_STEP_INSTRUCTION};
    struct sch_debug *debug = tracer->session->debug;
    enum sch_result result = SCH_OK;
    if (tracer->wanted->from > tracer->step.after.time) result = sch_debug_seek(debug, tracer->wanted->from);
    tracer->step.after = stop_of(tracer);
    while (result == SCH_OK && !tracer->step.after.ended) {
        tracer->step.before = tracer->step.after;
        const enum sch_debug_reason reason = tracer->step.before.reason;
        if (reason == SCH_DEBUG_GROUP_END || reason == SCH_DEBUG_FAILED ||
            tracer->step.before.time > tracer->wanted->to)
            return reason == SCH_DEBUG_FAILED ? tell_end(tracer) : SCH_CLI_YES;
        begin_step(tracer);
        result = sch_debug_go(debug, &next);
        tracer->step.after = stop_of(tracer);
        if (result != SCH_OK || !is_shown(tracer)) continue;
        if (tracer->json)
            json_step(tracer);
        else
            print_step(tracer);
    }
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "%s", sch_result_text(result));
    return tell_end(tracer);
}

static enum sch_cli_exit trace_json(struct tracer *tracer)
{
    struct sch_cli_json json;
    sch_cli_json_begin(&json, stdout, "scheelite-trace/1");
    tracer->json = &json;
    sch_cli_json_text(&json, "file", tracer->session->shader.input.name);
    sch_cli_json_text(&json, "stage", stage_name(tracer->step.after.stage));
    sch_cli_json_text(&json, "invocation", tracer->session->what);
    sch_cli_json_number(&json, "lane", tracer->step.after.lane);
    sch_cli_json_hex(&json, "present", tracer->step.after.present, 8);
    sch_cli_json_list(&json, "steps", false);
    const enum sch_cli_exit exit = trace_steps(tracer);
    sch_cli_json_close(&json);
    sch_cli_json_bool(&json, "complete", exit == SCH_CLI_YES);
    sch_cli_json_end(&json);
    return exit;
}

static enum sch_cli_exit trace_text(struct tracer *tracer)
{
    printf("%s, %s: lane %" PRIu32 " of its group\n", tracer->session->shader.input.name, tracer->session->what,
           tracer->step.after.lane);
    return trace_steps(tracer);
}

static bool has_several_vertices(const struct sch_shader *shader)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(shader, SCH_REGISTERS_INPUT, i, &at); i++)
        if (at.per_vertex) return true;
    return false;
}

static enum sch_cli_exit tell(struct tracer *tracer)
{
    const struct wanted *wanted = tracer->wanted;
    if (wanted->html) return sch_cli_trace_page(tracer->session, wanted->from, wanted->to);
    return wanted->json ? trace_json(tracer) : trace_text(tracer);
}

static enum sch_cli_exit trace(struct wanted *wanted)
{
    enum sch_cli_exit exit = sch_cli_session_open(&sch_cli_trace, &wanted->session);
    struct tracer *tracer = calloc(1, sizeof *tracer);
    if (exit == SCH_CLI_YES && !tracer) exit = sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    if (exit == SCH_CLI_YES) {
        tracer->wanted = wanted;
        tracer->session = &wanted->session;
        tracer->several_vertices = has_several_vertices(wanted->session.shader.shader);
        tracer->step.after = stop_of(tracer);
        exit = tell(tracer);
        sch_cli_setup_warn(&wanted->session.setup, &wanted->session.shader);
    }
    free(tracer);
    return exit;
}

enum sch_cli_exit sch_cli_main_trace(int argc, char **argv)
{
    if (sch_cli_maxwell_is_form(&sch_cli_trace, &sch_cli_trace_maxwell, argc, argv))
        return sch_cli_maxwell_lanes(&sch_cli_trace_maxwell, argc, argv);
    struct sch_cli_arguments arguments = {.verb = &sch_cli_trace, .argc = argc, .argv = argv};
    struct wanted wanted = {.to = UINT64_MAX, .floats = SCH_CLI_FLOATS_DEC};
    sch_cli_session_init(&wanted.session);
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit == SCH_CLI_YES) exit = trace(&wanted);
    sch_cli_session_release(&wanted.session);
    return exit;
}
