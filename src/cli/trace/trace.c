/* scheelite trace: what an invocation does, instruction by instruction, with the values that it makes. Pages are
 * trace_page.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../support/json.h"
#include "common/files.h"
#include "common/progress.h"
#include "common/value.h"
#include "trace_step.h"

enum { LANES = SCH_CLI_TRACE_LANES, TEXT_COLUMNS = 44 };

enum only { ONLY_ALL, ONLY_LOOKUPS, ONLY_MEMORY, ONLY_CHANGES };

/* What part of a session is printed, and how. */
struct shown {
    uint64_t from, to; /* moments */
    uint32_t lanes;    /* bits; 0: that of the invocation */
    enum only only;
    enum sch_cli_floats floats;
    bool json, html;
};

struct wanted {
    struct sch_cli_session session;
    struct shown shown;
    const char *output; /* NULL: standard output */
};

struct printer {
    const struct shown *shown;
    struct sch_cli_tracer *tracer;
    struct sch_json *json; /* NULL: lines */
};

/* ---- options ---- */

static enum sch_cli_exit take_lanes(struct wanted *wanted, const char *value)
{
    const char *at = value;
    wanted->shown.lanes = strcmp(value, "all") == 0 ? UINT32_MAX : 0;
    while (!wanted->shown.lanes || *at == ',') {
        uint32_t lane;
        at += *at == ',';
        if (!sch_cli_read_number(&at, &lane) || lane >= LANES || (*at && *at != ','))
            return sch_cli_usage_error(&sch_cli_trace, "--lanes is all, or numbers of 0 to 31 with commas, not %s",
                                       value);
        wanted->shown.lanes |= UINT32_C(1) << lane;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_trace_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct wanted *wanted = user;
    if (option == SCH_OPTION_TRACE_LANES) return take_lanes(wanted, value);
    return sch_cli_session_option(&wanted->session, verb, option, value);
}

static enum sch_cli_exit read_trace_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    const struct sch_cli_options_of_trace *options = &arguments->values.of_trace;
    struct shown *shown = &wanted->shown;
    const enum sch_cli_exit exit_code = sch_cli_session_parse(&wanted->session, arguments, take_trace_option, wanted);
    if (exit_code != SCH_CLI_YES) return exit_code;
    wanted->output = options->output;
    shown->from = options->from;
    shown->to = options->has_to ? options->to : UINT64_MAX;
    shown->only = options->has_only ? (enum only)(ONLY_LOOKUPS + options->only) : ONLY_ALL;
    shown->floats = (enum sch_cli_floats)options->floats;
    shown->json = arguments->values.json.json;
    shown->html = options->html;
    if (shown->from <= shown->to) return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_trace, "--from %" PRIu64 " is after --to %" PRIu64, shown->from, shown->to);
}

static bool is_shown(const struct printer *printer)
{
    const struct sch_cli_step *step = &printer->tracer->step;
    const bool has[] = {[ONLY_ALL] = true,
                        [ONLY_LOOKUPS] = step->is_lookup,
                        [ONLY_MEMORY] = step->is_memory,
                        [ONLY_CHANGES] = step->has_changed};
    return sch_cli_step_is_shown(step) && has[printer->shown->only];
}

/* ---- as text ---- */

static void print_step(const struct printer *printer)
{
    const struct sch_cli_step *step = &printer->tracer->step;
    const bool one = !(step->lanes & (step->lanes - 1));
    printf("%6" PRIu64, step->before.time);
    if (step->before.line) printf("  line %-4" PRIu32, step->before.line);
    const char *text = sch_cli_step_text(step);
    const int blanks = (int)strlen(text) < TEXT_COLUMNS ? TEXT_COLUMNS - (int)strlen(text) : 0;
    printf("  %s", text);
    for (uint32_t left = step->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (!sch_cli_step_has_values(step, lane)) continue;
        if (one)
            printf("%*s", blanks, "");
        else
            printf("\n%16slane %-3u", "", lane);
        sch_cli_step_put_values(stdout, printer->tracer, lane);
    }
    putchar('\n');
}

/* ---- as JSON ---- */

static void json_values(const struct printer *printer, const uint32_t words[4][LANES], uint32_t lanes,
                        const enum sch_value_type types[4])
{
    struct sch_json *json = printer->json;
    sch_json_list(json, "lanes", false);
    for (uint32_t left = printer->tracer->step.lanes & lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint32_t of_lane[4] = {words[0][lane], words[1][lane], words[2][lane], words[3][lane]};
        sch_json_object(json, NULL, true);
        sch_json_number(json, "lane", lane);
        sch_json_values(json, of_lane, types);
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void json_changes(const struct printer *printer)
{
    struct sch_json *json = printer->json;
    sch_json_list(json, "writes", false);
    for (uint32_t n = 0; n < printer->tracer->step.written_count; n++) {
        const struct sch_cli_written *written = &printer->tracer->step.written[n];
        char name[SCH_DEBUG_NAME_BYTES], channels[5];
        enum sch_value_type types[4];
        if (!sch_cli_register_name(printer->tracer->session, &written->which, name)) continue;
        sch_cli_channel_letters(written->channels, channels);
        sch_cli_written_types(printer->tracer, written, types);
        sch_json_object(json, NULL, false);
        SCH_JSON_FIELDS(json, SCH_JSON_TEXT("register", name), SCH_JSON_TEXT("channels", channels));
        json_values(printer, written->words, written->lanes, types);
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void json_texels(struct sch_json *json, const struct sch_explanation *explanation)
{
    struct sch_footprint_texel texel = {.size = sizeof texel};
    sch_json_list(json, "texels", false);
    for (uint32_t n = 0; sch_explanation_texel(explanation, n, &texel); n++) {
        sch_json_object(json, NULL, true);
        SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("level", texel.level), SCH_JSON_NUMBER("tap", texel.tap),
                        SCH_JSON_BOOL("border", texel.border), SCH_JSON_NUMBER("x", texel.x),
                        SCH_JSON_NUMBER("y", texel.y), SCH_JSON_NUMBER("z", texel.z),
                        SCH_JSON_NUMBER("sample", texel.sample), SCH_JSON_FLOAT("weight", texel.weight));
        sch_json_values(json, texel.value, NULL);
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void json_lookups(const struct printer *printer)
{
    struct sch_json *json = printer->json;
    sch_json_list(json, "lookups", false);
    for (uint32_t left = printer->tracer->step.lanes; left; left &= left - 1) {
        struct sch_explanation_info info = {.size = sizeof info};
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const struct sch_explanation *explanation = printer->tracer->step.explained[lane];
        if (!explanation || sch_explanation_get_info(explanation, &info) != SCH_OK || !info.texel_count) continue;
        sch_json_object(json, NULL, false);
        SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("lane", lane), SCH_JSON_FLOAT("lod_computed", info.lod_computed),
                        SCH_JSON_FLOAT("lod", info.lod), SCH_JSON_BOOL("magnified", info.magnified),
                        SCH_JSON_NUMBER("taps", info.taps));
        json_texels(json, explanation);
        sch_json_close(json);
    }
    sch_json_close(json);
}

/* A Direct3D instruction has no list: what it was lowered to has other sources. */
static void json_sources(const struct printer *printer)
{
    const struct sch_cli_step *step = &printer->tracer->step;
    sch_json_list(printer->json, "sources", false);
    for (uint32_t s = 0; s < SCH_CLI_SOURCES; s++) {
        if (!(step->has_source >> s & 1)) continue;
        sch_json_object(printer->json, NULL, false);
        sch_json_number(printer->json, "source", s);
        const enum sch_value_type type = step->source_types[s], types[4] = {type, type, type, type};
        json_values(printer, step->sources[s], UINT32_MAX, types);
        sch_json_close(printer->json);
    }
    sch_json_close(printer->json);
}

static void json_step(const struct printer *printer)
{
    const struct sch_cli_step *step = &printer->tracer->step;
    struct sch_json *json = printer->json;
    sch_json_object(json, NULL, false);
    SCH_JSON_FIELDS(
        json, SCH_JSON_NUMBER("time", step->before.time), SCH_JSON_NUMBER("instruction", step->before.instruction),
        SCH_JSON_NUMBER("line", step->before.line), SCH_JSON_NUMBER("column", step->before.column),
        SCH_JSON_NUMBER("offset", step->before.offset), SCH_JSON_TEXT("text", step->text + strspn(step->text, " ")),
        SCH_JSON_WORD("active", step->before.active), SCH_JSON_WORD("helpers", step->before.helpers));
    if (!printer->tracer->session->source) json_sources(printer);
    json_changes(printer);
    if (step->is_lookup) json_lookups(printer);
    sch_json_close(json);
}

/* ---- all of them ---- */

static enum sch_cli_exit trace_steps(struct printer *printer)
{
    const struct sch_debug_stop *at = &printer->tracer->step.after;
    enum sch_result result = sch_cli_tracer_seek(printer->tracer, printer->shown->from);
    while (result == SCH_OK && sch_cli_tracer_goes_on(printer->tracer) && at->time <= printer->shown->to) {
        result = sch_cli_session_cancelled(printer->tracer->session) ? SCH_ERROR_CANCELLED
                                                                     : sch_cli_tracer_step(printer->tracer);
        sch_cli_progress_at(at->time, 0, "moments");
        if (result != SCH_OK || !is_shown(printer)) continue;
        if (printer->json)
            json_step(printer);
        else
            print_step(printer);
    }
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "%s", sch_result_text(result));
    if (at->ended && at->result == SCH_OK && printer->shown->from > at->time)
        return sch_cli_fail(SCH_CLI_NO, "%s has ended before moment %" PRIu64, printer->tracer->session->what,
                            printer->shown->from);
    return sch_cli_tracer_report_end(printer->tracer);
}

static enum sch_cli_exit trace_json(struct printer *printer)
{
    static const char *const stages[] = {
        "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
    struct sch_json json;
    sch_json_begin(&json, stdout, "scheelite-trace/1");
    printer->json = &json;
    SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("file", printer->tracer->session->shader.input.name),
                    SCH_JSON_TEXT("stage", stages[printer->tracer->step.after.stage]),
                    SCH_JSON_TEXT("invocation", printer->tracer->session->what),
                    SCH_JSON_NUMBER("lane", printer->tracer->step.after.lane),
                    SCH_JSON_WORD("present", printer->tracer->step.after.present));
    sch_json_list(&json, "steps", false);
    const enum sch_cli_exit exit_code = trace_steps(printer);
    sch_json_close(&json);
    sch_json_bool(&json, "complete", exit_code == SCH_CLI_YES);
    sch_json_end(&json);
    return exit_code;
}

static enum sch_cli_exit print_trace(struct printer *printer)
{
    const struct shown *shown = printer->shown;
    const struct sch_cli_session *session = printer->tracer->session;
    if (shown->html) return sch_cli_trace_page(printer->tracer, shown->from, shown->to);
    if (shown->json) return trace_json(printer);
    printf("%s, %s: lane %" PRIu32 " of its group\n", session->shader.input.name, session->what,
           printer->tracer->step.after.lane);
    return trace_steps(printer);
}

static enum sch_cli_exit print_session(const struct sch_cli_session *session, const struct shown *shown)
{
    struct printer printer = {.shown = shown, .tracer = sch_cli_tracer_create(session, shown->lanes, shown->floats)};
    const enum sch_cli_exit exit_code = printer.tracer ? print_trace(&printer) : sch_cli_no_memory();
    sch_cli_tracer_destroy(printer.tracer);
    return exit_code;
}

enum sch_cli_exit sch_cli_trace_lines(const struct sch_cli_session *session)
{
    static const struct shown all = {.to = UINT64_MAX, .floats = SCH_CLI_FLOATS_DEC};
    return print_session(session, &all);
}

/* The same to the file of -o, which is written only if nothing failed. */
static enum sch_cli_exit print_to_file(const struct wanted *wanted)
{
    struct sch_cli_capture capture;
    size_t bytes;
    if (!sch_cli_capture_begin(&capture)) return sch_cli_no_memory();
    enum sch_cli_exit exit_code = print_session(&wanted->session, &wanted->shown);
    char *data = sch_cli_capture_end(&capture, &bytes);
    if (!data) exit_code = sch_cli_worse(exit_code, sch_cli_no_memory());
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_write(wanted->output, data, bytes);
    free(data);
    return exit_code;
}

static enum sch_cli_exit trace(struct wanted *wanted)
{
    wanted->session.listed = wanted->shown.html; /* a page has lines */
    wanted->session.setup.dispatch.cancel = sch_cli_interruptible();
    sch_cli_progress_begin(&sch_cli_trace, true);
    enum sch_cli_exit exit_code = sch_cli_session_open(&sch_cli_trace, &wanted->session);
    if (exit_code != SCH_CLI_YES) return exit_code;
    exit_code = wanted->output ? print_to_file(wanted) : print_session(&wanted->session, &wanted->shown);
    sch_cli_setup_warn(&wanted->session.setup, &wanted->session.shader);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_trace(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    sch_cli_session_init(&wanted.session);
    enum sch_cli_exit exit_code = read_trace_arguments(arguments, &wanted);
    if (exit_code == SCH_CLI_YES) exit_code = trace(&wanted);
    sch_cli_session_release(&wanted.session);
    return exit_code;
}
