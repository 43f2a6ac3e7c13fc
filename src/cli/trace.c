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

/* What of a session is told, and how. */
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
};

/* A register that an instruction wrote, with its values behind it. */
struct written {
    struct sch_debug_register which;
    uint32_t channels, lanes;
    uint32_t words[4][LANES];
    enum sch_cli_type type; /* what the opcode makes */
};

/* An instruction that was executed, as it is told: of a Direct3D shader all that it was lowered to. */
struct step {
    struct sch_debug_stop before, after;
    char *text;
    bool is_lookup, is_memory, has_changed;
    uint32_t lanes;      /* that are shown, of those that executed it */
    uint32_t has_source; /* bits: sources that are values, of the access to memory where there is one */
    uint32_t sources[SOURCES][4][LANES];
    enum sch_cli_type source_types[SOURCES]; /* what the opcode takes them for */
    struct written *written;
    uint32_t written_count, capacity;
    struct sch_explanation *explained[LANES];
};

struct tracer {
    const struct shown *shown;
    const struct sch_cli_session *session;
    struct sch_cli_json *json; /* NULL: lines */
    struct step step;
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

static enum sch_cli_exit take_only(struct wanted *wanted, const char *value)
{
    static const char *const words[] = {
        [ONLY_LOOKUPS] = "lookups", [ONLY_MEMORY] = "memory", [ONLY_CHANGES] = "changes"};
    for (unsigned w = ONLY_LOOKUPS; w <= ONLY_CHANGES; w++)
        if (strcmp(value, words[w]) == 0) wanted->shown.only = (enum only)w;
    if (wanted->shown.only) return SCH_CLI_YES;
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
        return take_moment("--from", value, &wanted->shown.from);
    case SCH_OPTION_TRACE_TO:
        return take_moment("--to", value, &wanted->shown.to);
    case SCH_OPTION_TRACE_FLOATS:
        return sch_cli_floats_option(&sch_cli_trace, value, &wanted->shown.floats);
    case SCH_OPTION_JSON:
        wanted->shown.json = true;
        return SCH_CLI_YES;
    case SCH_OPTION_TRACE_HTML:
        wanted->shown.html = true;
        return SCH_CLI_YES;
    default:
        return sch_cli_session_option(&sch_cli_trace, &wanted->session, option, value);
    }
}

/* The page has all lanes and steps, and a switch for how values are shown. */
static enum sch_cli_exit check_page(const struct sch_cli_arguments *arguments, const struct wanted *wanted)
{
    if (!wanted->shown.html) return SCH_CLI_YES;
    if (wanted->shown.json) return sch_cli_usage_error(&sch_cli_trace, "either --json or --html");
    if (arguments->given[SCH_OPTION_TRACE_LANES] || wanted->shown.only || arguments->given[SCH_OPTION_TRACE_FLOATS])
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
    if (wanted->shown.from > wanted->shown.to)
        return sch_cli_usage_error(&sch_cli_trace, "--from %" PRIu64 " is behind --to %" PRIu64, wanted->shown.from,
                                   wanted->shown.to);
    return check_page(arguments, wanted);
}

/* ---- one instruction ---- */

static void end_step(struct step *step)
{
    free(step->text);
    step->text = NULL;
    for (unsigned i = 0; i < LANES; i++) {
        sch_explanation_destroy(step->explained[i]);
        step->explained[i] = NULL;
    }
    step->written_count = step->has_source = step->lanes = 0;
    step->is_lookup = step->is_memory = step->has_changed = false;
}

static struct written *find_written(struct step *step, const struct sch_debug_register *which)
{
    for (uint32_t n = 0; n < step->written_count; n++)
        if (memcmp(&step->written[n].which, which, sizeof *which) == 0) return &step->written[n];
    if (step->written_count == step->capacity) {
        const uint32_t capacity = step->capacity ? 2 * step->capacity : LANES;
        struct written *grown = realloc(step->written, capacity * sizeof *grown);
        if (!grown) return NULL;
        step->written = grown;
        step->capacity = capacity;
    }
    struct written *made = &step->written[step->written_count++];
    *made = (struct written){.which = *which};
    return made;
}

static bool changes_lane(const struct sch_debug_change *change, unsigned lane, uint32_t now[4][LANES])
{
    for (unsigned c = 0; c < 4; c++)
        if (change->channels >> c & 1 && now[c][lane] != change->before[c][lane]) return true;
    return false;
}

/* What the last instruction wrote. False: out of memory. */
static bool note_changes(struct tracer *tracer, uint32_t lanes, enum sch_cli_type makes)
{
    struct step *step = &tracer->step;
    struct sch_debug_change change = {.size = sizeof change};
    for (uint32_t n = 0; sch_debug_change_at(tracer->session->debug, n, &change); n++) {
        char name[SCH_DEBUG_NAME_BYTES];
        if (!sch_cli_register_name(tracer->session, &change.which, name)) continue;
        struct written *written = find_written(step, &change.which);
        if (!written) return false;
        written->channels |= change.channels;
        written->lanes |= change.lanes;
        written->type = makes;
        if (sch_debug_read(tracer->session->debug, &change.which, written->words) != SCH_OK) continue;
        for (uint32_t left = lanes & change.lanes; left; left &= left - 1)
            step->has_changed |= changes_lane(&change, (unsigned)__builtin_ctz(left), written->words);
    }
    return true;
}

static void note_lookups(struct tracer *tracer, uint32_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct sch_explanation *explanation;
        if (sch_debug_explain(tracer->session->debug, lane, &explanation) != SCH_OK) continue;
        sch_explanation_destroy(tracer->step.explained[lane]);
        tracer->step.explained[lane] = explanation;
    }
}

static struct sch_debug_stop stop_of(const struct tracer *tracer)
{
    struct sch_debug_stop stop = {.size = sizeof stop};
    sch_debug_get_stop(tracer->session->debug, &stop);
    return stop;
}

/* One instruction of what runs. */
static enum sch_result execute(struct tracer *tracer)
{
    static const struct sch_debug_go next = {.size = sizeof next, .step = SCH_DEBUG_STEP_INSTRUCTION};
    struct step *step = &tracer->step;
    struct sch_debug *debug = tracer->session->debug;
    const struct sch_debug_stop *now = &step->after;
    uint32_t length;
    const struct sch_cli_sort sort =
        sch_cli_sort_of(sch_cli_session_instruction(tracer->session, now->instruction, &length));
    const uint32_t wanted = tracer->shown->lanes;
    const uint32_t lanes = now->active & (wanted ? wanted : UINT32_C(1) << now->lane);
    step->lanes |= lanes;
    step->is_lookup |= sort.is_lookup;
    if (sort.is_memory || !step->is_memory) {
        step->has_source = 0;
        for (uint32_t s = 0; s < SOURCES; s++)
            if (sch_debug_read_source(debug, s, step->sources[s])) step->has_source |= 1u << s;
        memcpy(step->source_types, sort.takes, sizeof step->source_types);
    }
    step->is_memory |= sort.is_memory;
    const enum sch_result result = sch_debug_go(debug, &next);
    step->after = stop_of(tracer);
    if (result != SCH_OK) return result;
    if (sort.is_lookup) note_lookups(tracer, lanes);
    return note_changes(tracer, lanes, sort.makes) ? SCH_OK : SCH_ERROR_MEMORY;
}

/* Whether the next instruction belongs to the same one of the Direct3D shader. */
static bool goes_on(const struct tracer *tracer)
{
    const struct sch_debug_stop *before = &tracer->step.before, *after = &tracer->step.after;
    return tracer->session->source && after->reason == SCH_DEBUG_STEP && !after->ended && after->line == before->line &&
           after->column == before->column && after->offset == before->offset && after->instruction > after->previous;
}

static enum sch_result take_step(struct tracer *tracer)
{
    struct step *step = &tracer->step;
    end_step(step);
    step->before = step->after;
    step->text = sch_cli_session_text(tracer->session, &step->before);
    enum sch_result result = step->text ? SCH_OK : SCH_ERROR_MEMORY;
    do {
        if (result == SCH_OK) result = execute(tracer);
    } while (result == SCH_OK && goes_on(tracer));
    return result;
}

static bool is_shown(const struct tracer *tracer)
{
    const struct step *step = &tracer->step;
    if (!step->lanes || (!*step->text && !step->written_count)) return false;
    switch (tracer->shown->only) {
    case ONLY_LOOKUPS:
        return step->is_lookup;
    case ONLY_MEMORY:
        return step->is_memory;
    case ONLY_CHANGES:
        return step->has_changed;
    default:
        return true;
    }
}

/* What the shader takes a register for, else what the instruction makes. */
static void types_of(const struct tracer *tracer, const struct written *written, enum sch_cli_type types[4])
{
    sch_cli_session_types(tracer->session, &written->which, types);
    for (unsigned c = 0; c < 4; c++)
        if (types[c] == SCH_CLI_TYPE_UNKNOWN) types[c] = written->type;
}

static void write_channels(uint32_t channels, char text[5])
{
    unsigned length = 0;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1) text[length++] = "xyzw"[c];
    text[length] = 0;
}

/* ---- as text ---- */

/* Values of channels with commas between them; one where all are the same. */
static void put_words(const struct tracer *tracer, const uint32_t words[4][LANES], uint32_t channels, unsigned lane,
                      const enum sch_cli_type types[4])
{
    char texts[4][SCH_CLI_VALUE_BYTES];
    unsigned count = 0;
    bool same = true;
    for (unsigned c = 0; c < 4; c++) {
        if (!(channels >> c & 1)) continue;
        sch_cli_value_print(words[c][lane], types[c], tracer->shown->floats, texts[count]);
        same = same && strcmp(texts[count], texts[0]) == 0;
        count++;
    }
    for (unsigned n = 0; n < (same ? 1 : count); n++) printf("%s%s", n ? ", " : "", texts[n]);
}

static void put_changes(const struct tracer *tracer, unsigned lane)
{
    for (uint32_t n = 0; n < tracer->step.written_count; n++) {
        const struct written *written = &tracer->step.written[n];
        char name[SCH_DEBUG_NAME_BYTES], channels[5];
        enum sch_cli_type types[4];
        if (!(written->lanes >> lane & 1) || !sch_cli_register_name(tracer->session, &written->which, name)) continue;
        types_of(tracer, written, types);
        write_channels(written->channels, channels);
        printf("  %s.%s = ", name, channels);
        put_words(tracer, written->words, written->channels, lane, types);
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
        for (unsigned c = 0; c < 4; c++)
            types[c] = step->source_types[s] ? step->source_types[s] : guess(step->sources[s][c][lane]);
        printf("%s", between);
        put_words(tracer, step->sources[s], 15, lane, types);
        between = "; ";
    }
}

/* Fetches have a level in place of a level of detail. */
static void put_lookup(const struct tracer *tracer, unsigned lane)
{
    const struct sch_explanation *explanation = tracer->step.explained[lane];
    struct sch_explanation_info info = {.size = sizeof info};
    struct sch_footprint_texel texel = {.size = sizeof texel};
    if (!explanation || sch_explanation_get_info(explanation, &info) != SCH_OK || !info.texel_count) return;
    char lod[SCH_CLI_VALUE_BYTES];
    uint32_t bits;
    memcpy(&bits, &info.lod, sizeof bits);
    sch_cli_value_decimal(bits, lod);
    if (info.taps)
        printf("  (level of detail %s", lod);
    else if (sch_explanation_texel(explanation, 0, &texel))
        printf("  (level %" PRIu32, texel.level);
    printf(", %" PRIu32 " texel%s)", info.texel_count, info.texel_count == 1 ? "" : "s");
}

static bool says_more(const struct tracer *tracer, unsigned lane)
{
    const struct step *step = &tracer->step;
    bool written = false;
    for (uint32_t n = 0; n < step->written_count; n++) written |= step->written[n].lanes >> lane & 1;
    return written || step->is_memory || step->explained[lane];
}

static void print_step(const struct tracer *tracer)
{
    const struct step *step = &tracer->step;
    const bool one = !(step->lanes & (step->lanes - 1));
    printf("%6" PRIu64, step->before.time);
    if (step->before.line) printf("  line %-4" PRIu32, step->before.line);
    const char *text = *step->text ? step->text : "(what the lowering adds)";
    const int blanks = (int)strlen(text) < TEXT_COLUMNS ? TEXT_COLUMNS - (int)strlen(text) : 0;
    printf("  %s", text);
    for (uint32_t left = step->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (!says_more(tracer, lane)) continue;
        if (one)
            printf("%*s", blanks, "");
        else
            printf("\n%16slane %-3u", "", lane);
        put_changes(tracer, lane);
        if (step->is_memory) put_access(tracer, lane);
        put_lookup(tracer, lane);
    }
    putchar('\n');
}

/* ---- as JSON ---- */

static void json_values(const struct tracer *tracer, const uint32_t words[4][LANES], uint32_t lanes,
                        const enum sch_cli_type types[4])
{
    struct sch_cli_json *json = tracer->json;
    sch_cli_json_list(json, "lanes", false);
    for (uint32_t left = tracer->step.lanes & lanes; left; left &= left - 1) {
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
    sch_cli_json_list(json, "writes", false);
    for (uint32_t n = 0; n < tracer->step.written_count; n++) {
        const struct written *written = &tracer->step.written[n];
        char name[SCH_DEBUG_NAME_BYTES], channels[5];
        enum sch_cli_type types[4];
        if (!sch_cli_register_name(tracer->session, &written->which, name)) continue;
        write_channels(written->channels, channels);
        types_of(tracer, written, types);
        sch_cli_json_object(json, NULL, false);
        sch_cli_json_text(json, "register", name);
        sch_cli_json_text(json, "channels", channels);
        json_values(tracer, written->words, written->lanes, types);
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
        struct sch_explanation_info info = {.size = sizeof info};
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const struct sch_explanation *explanation = tracer->step.explained[lane];
        if (!explanation || sch_explanation_get_info(explanation, &info) != SCH_OK || !info.texel_count) continue;
        sch_cli_json_object(json, NULL, false);
        sch_cli_json_number(json, "lane", lane);
        sch_cli_json_float(json, "lod_computed", info.lod_computed);
        sch_cli_json_float(json, "lod", info.lod);
        sch_cli_json_bool(json, "magnified", info.magnified);
        sch_cli_json_number(json, "taps", info.taps);
        json_texels(json, explanation);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
}

/* Of a Direct3D instruction there is no list: what it was lowered to has other sources. */
static void json_sources(const struct tracer *tracer)
{
    const struct step *step = &tracer->step;
    sch_cli_json_list(tracer->json, "sources", false);
    for (uint32_t s = 0; s < SOURCES; s++) {
        if (!(step->has_source >> s & 1)) continue;
        sch_cli_json_object(tracer->json, NULL, false);
        sch_cli_json_number(tracer->json, "source", s);
        const enum sch_cli_type type = step->source_types[s], types[4] = {type, type, type, type};
        json_values(tracer, step->sources[s], UINT32_MAX, types);
        sch_cli_json_close(tracer->json);
    }
    sch_cli_json_close(tracer->json);
}

static void json_step(const struct tracer *tracer)
{
    const struct step *step = &tracer->step;
    struct sch_cli_json *json = tracer->json;
    sch_cli_json_object(json, NULL, false);
    sch_cli_json_number(json, "time", step->before.time);
    sch_cli_json_number(json, "instruction", step->before.instruction);
    sch_cli_json_number(json, "line", step->before.line);
    sch_cli_json_number(json, "column", step->before.column);
    sch_cli_json_number(json, "offset", step->before.offset);
    sch_cli_json_text(json, "text", step->text + strspn(step->text, " "));
    sch_cli_json_hex(json, "active", step->before.active, 8);
    sch_cli_json_hex(json, "helpers", step->before.helpers, 8);
    if (!tracer->session->source) json_sources(tracer);
    json_changes(tracer);
    if (step->is_lookup) json_lookups(tracer);
    sch_cli_json_close(json);
}

/* ---- all of them ---- */

static const char *stage_name(enum sch_stage stage)
{
    static const char *const names[] = {
        "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
    return names[stage];
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
    const struct sch_debug_stop *at = &tracer->step.after;
    enum sch_result result = SCH_OK;
    if (tracer->shown->from > at->time) result = sch_debug_seek(tracer->session->debug, tracer->shown->from);
    tracer->step.after = stop_of(tracer);
    while (result == SCH_OK && !at->ended && at->reason != SCH_DEBUG_GROUP_END && at->reason != SCH_DEBUG_FAILED &&
           at->time <= tracer->shown->to) {
        result = take_step(tracer);
        if (result != SCH_OK || !is_shown(tracer)) continue;
        if (tracer->json)
            json_step(tracer);
        else
            print_step(tracer);
    }
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "%s", sch_result_text(result));
    if (at->ended && at->result == SCH_OK && tracer->shown->from > at->time)
        return sch_cli_fail(SCH_CLI_NO, "%s has ended before moment %" PRIu64, tracer->session->what,
                            tracer->shown->from);
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

static enum sch_cli_exit tell(struct tracer *tracer)
{
    const struct shown *shown = tracer->shown;
    if (shown->html) return sch_cli_trace_page(tracer->session, shown->from, shown->to);
    return shown->json ? trace_json(tracer) : trace_text(tracer);
}

static enum sch_cli_exit tell_session(const struct sch_cli_session *session, const struct shown *shown)
{
    struct tracer *tracer = calloc(1, sizeof *tracer);
    if (!tracer) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    tracer->shown = shown;
    tracer->session = session;
    tracer->step.after = stop_of(tracer);
    const enum sch_cli_exit exit = tell(tracer);
    end_step(&tracer->step);
    free(tracer->step.written);
    free(tracer);
    return exit;
}

enum sch_cli_exit sch_cli_trace_lines(const struct sch_cli_session *session)
{
    static const struct shown all = {.to = UINT64_MAX, .floats = SCH_CLI_FLOATS_DEC};
    return tell_session(session, &all);
}

static enum sch_cli_exit trace(struct wanted *wanted)
{
    wanted->session.listed = wanted->shown.html; /* a page has lines */
    enum sch_cli_exit exit = sch_cli_session_open(&sch_cli_trace, &wanted->session);
    if (exit != SCH_CLI_YES) return exit;
    exit = tell_session(&wanted->session, &wanted->shown);
    sch_cli_setup_warn(&wanted->session.setup, &wanted->session.shader);
    return exit;
}

enum sch_cli_exit sch_cli_main_trace(int argc, char **argv)
{
    if (sch_cli_maxwell_is_form(&sch_cli_trace, &sch_cli_trace_maxwell, argc, argv))
        return sch_cli_maxwell_lanes(&sch_cli_trace_maxwell, argc, argv);
    struct sch_cli_arguments arguments = {.verb = &sch_cli_trace, .argc = argc, .argv = argv};
    struct wanted wanted = {.shown = {.to = UINT64_MAX, .floats = SCH_CLI_FLOATS_DEC}};
    sch_cli_session_init(&wanted.session);
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit == SCH_CLI_YES) exit = trace(&wanted);
    sch_cli_session_release(&wanted.session);
    return exit;
}
