/* The page of `trace --html`. It is trace_page.html with the moments as one JSON document in it, which is written to
 * memory first: its size is known before anything is printed. Registers are there as they were at the first moment, and
 * then what each step wrote: the page's script goes to and fro with these. What the document has, the script alone
 * reads. */
#include "trace_step.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../support/json.h"
#include "common/cli.h"
#include "common/progress.h"
#include "shade/invoke.h"
#include "trace_memory.h"

enum { LANES = 32, WORDS_BYTES = 8 * LANES + 1, MOST_FRAMES = 64 };
enum { MOST_STEPS = 100000, MOST_BYTES = 64 << 20 };

extern const unsigned char sch_cli_trace_template[]; /* trace_page.html */

struct page {
    const struct sch_cli_session *session;
    struct sch_cli_tracer
        *tracer;            /* its step is the last one; `after` says where the group is, before the first one too */
    uint64_t to;            /* the last moment with a step */
    enum sch_result result; /* of the session */
    struct sch_json *json;
    struct sch_cli_trace_memory *memory;
    bool no_memory;             /* for the page */
    uint32_t count;             /* of steps */
    uint32_t *lines;            /* in the source, of each instruction that was come to; 0: none */
    enum sch_value_type *makes; /* each instruction */
    bool has_source;
    uint32_t helpers; /* as they were written last */
    struct sch_debug_frame frames[MOST_FRAMES];
    uint32_t frame_count;
};

/* ---- going through the moments ---- */

/* Whether there is a step, up to the last moment. */
static bool goes_on(const struct page *page)
{
    return page->result == SCH_OK && sch_cli_tracer_goes_on(page->tracer) && page->tracer->step.after.time <= page->to;
}

/* What the next instruction is about to access. */
static void look_at_memory(void *user)
{
    struct page *page = user;
    const uint32_t flags = page->tracer->step.flags;
    if (!(flags & (SCH_INSTRUCTION_MEMORY | SCH_INSTRUCTION_BARRIER))) return;
    if (!sch_cli_trace_memory_look(page->memory, flags & SCH_INSTRUCTION_BARRIER)) page->no_memory = true;
}

/* Makes a step. False: there is none. */
static bool take_step(struct page *page)
{
    if (!goes_on(page)) return false;
    page->result = sch_cli_tracer_step(page->tracer);
    return page->result == SCH_OK;
}

/* ---- words of lanes ---- */

/* Eight digits for each lane of `lanes`, or for all of them where they are equal. */
static void spell(const uint32_t words[LANES], uint32_t lanes, char text[WORDS_BYTES])
{
    char *at = text;
    bool equal = true;
    *at = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t word = words[__builtin_ctz(left)];
        at += snprintf(at, 9, "%08" PRIx32, word);
        equal = equal && word == words[__builtin_ctz(lanes)];
    }
    if (equal && lanes) text[8] = 0;
}

static void put_words(struct page *page, const uint32_t words[4][LANES], uint32_t channels, uint32_t lanes)
{
    char text[WORDS_BYTES];
    sch_json_list(page->json, "words", true);
    for (unsigned c = 0; c < 4; c++) {
        if (!(channels >> c & 1)) continue;
        spell(words[c], lanes, text);
        sch_json_text(page->json, NULL, text);
    }
    sch_json_close(page->json);
}

/* ---- before the first step ---- */

static void put_registers(struct page *page)
{
    const struct sch_debug *debug = page->session->debug;
    struct sch_debug_register which;
    uint32_t words[4][LANES];
    sch_json_list(page->json, "registers", false);
    for (uint32_t n = 0; sch_debug_register_at(debug, n, &which); n++) {
        char name[SCH_DEBUG_NAME_BYTES];
        enum sch_value_type types[4];
        if (sch_debug_read(debug, &which, words) != SCH_OK) continue;
        sch_cli_register_name(page->session, &which, name);
        sch_json_object(page->json, NULL, true);
        sch_json_text(page->json, "name", name);
        if (sch_debug_register_name(page->session->shader.shader, &which, name))
            sch_json_text(page->json, "direct3d", name);
        sch_cli_session_types(page->session, &which, types);
        sch_json_types(page->json, "types", types, 4);
        put_words(page, words, 15, UINT32_MAX);
        sch_json_close(page->json);
    }
    sch_json_close(page->json);
}

/* "pixel 100,37": the most tracing one of the numbers that an invocation has. */
static void name_place(const struct sch_invocation_place *place, char text[96])
{
    const uint32_t *group = place->work_group, *thread = place->thread;
    const uint32_t parts = place->parts;
    *text = 0;
    if (parts & SCH_PLACE_THREAD)
        snprintf(text, 96, "thread %u,%u,%u of work group %u,%u,%u", thread[0], thread[1], thread[2], group[0],
                 group[1], group[2]);
    else if (parts & SCH_PLACE_PIXEL && parts & SCH_PLACE_SAMPLE)
        snprintf(text, 96, "pixel %u,%u, sample %u", place->x, place->y, place->sample);
    else if (parts & SCH_PLACE_PIXEL)
        snprintf(text, 96, "pixel %u,%u", place->x, place->y);
    else if (parts & SCH_PLACE_VERTEX)
        snprintf(text, 96, "vertex %u of instance %u", place->vertex, place->instance);
    else if (parts & SCH_PLACE_PRIMITIVE)
        snprintf(text, 96, "primitive %u", place->primitive);
    else if (parts & SCH_PLACE_INVOCATION)
        snprintf(text, 96, "invocation %u", place->invocation);
}

static void put_places(struct page *page)
{
    sch_json_list(page->json, "places", false);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        struct sch_invocation_place place = {.size = sizeof place};
        char text[96] = "";
        if (sch_debug_get_place(page->session->debug, lane, &place) == SCH_OK) name_place(&place, text);
        sch_json_text(page->json, NULL, text);
    }
    sch_json_close(page->json);
}

static void put_head(struct page *page)
{
    const struct sch_cli_session *session = page->session;
    const struct sch_debug_stop *at = &page->tracer->step.after;
    SCH_JSON_FIELDS(page->json, SCH_JSON_TEXT("file", session->shader.input.name),
                    SCH_JSON_TEXT("stage", sch_cli_stage_word(at->stage)), SCH_JSON_TEXT("invocation", session->what),
                    SCH_JSON_NUMBER("lane", at->lane), SCH_JSON_WORD("present", at->present),
                    SCH_JSON_BOOL("quads", at->stage == SCH_STAGE_FRAGMENT),
                    SCH_JSON_BOOL("direct3d", sch_shader_property(session->shader.shader, "D3D_RULES", 0)),
                    SCH_JSON_TEXT("program", session->text));
    put_places(page);
    put_registers(page);
}

/* ---- steps ---- */

static bool same_frame(const struct sch_debug_frame *a, const struct sch_debug_frame *b)
{
    return a->kind == b->kind && a->resume == b->resume && a->waiting == b->waiting;
}

/* Reads the open constructs. Whether they are others than before. */
static bool read_frames(struct page *page, uint32_t depth)
{
    const struct sch_debug *debug = page->session->debug;
    const uint32_t count = depth < MOST_FRAMES ? depth : MOST_FRAMES;
    bool others = count != page->frame_count;
    for (uint32_t n = 0; n < count; n++) {
        struct sch_debug_frame frame = {.size = sizeof frame};
        if (sch_debug_get_frame(debug, n, &frame) != SCH_OK) break;
        others = others || !same_frame(&frame, &page->frames[n]);
        page->frames[n] = frame;
    }
    page->frame_count = count;
    return others;
}

static void put_frames(struct page *page)
{
    static const char *const kinds[] = {"IF", "LOOP", "SWITCH", "CAL"};
    sch_json_list(page->json, "frames", true);
    for (uint32_t n = 0; n < page->frame_count; n++) {
        const struct sch_debug_frame *frame = &page->frames[n];
        SCH_JSON_ROW(page->json, NULL, SCH_JSON_TEXT("kind", kinds[frame->kind]),
                     SCH_JSON_WORD("resume", frame->resume), SCH_JSON_WORD("waiting", frame->waiting));
    }
    sch_json_close(page->json);
}

/* Where the group is; what has not changed since it was written last is left out. */
static void put_moment(struct page *page, const struct sch_debug_stop *at)
{
    struct sch_json *json = page->json;
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("time", at->time), SCH_JSON_NUMBER("instruction", at->instruction),
                    SCH_JSON_WORD("active", at->active));
    if (at->helpers != page->helpers || !page->count) sch_json_hex(json, "helpers", at->helpers, 8);
    page->helpers = at->helpers;
}

static void put_sources(struct page *page)
{
    const struct sch_cli_step *step = &page->tracer->step;
    sch_json_list(page->json, "sources", true);
    for (uint32_t s = 0; s < SCH_CLI_SOURCES; s++) {
        if (!(step->has_source >> s & 1)) continue;
        sch_json_object(page->json, NULL, true);
        sch_json_number(page->json, "source", s);
        put_words(page, step->sources[s], 15, step->before.active);
        sch_json_close(page->json);
    }
    sch_json_close(page->json);
}

static void put_writes(struct page *page)
{
    sch_json_list(page->json, "writes", true);
    for (uint32_t n = 0; n < page->tracer->step.written_count; n++) {
        const struct sch_cli_written *written = &page->tracer->step.written[n];
        char name[SCH_DEBUG_NAME_BYTES], channels[5];
        sch_cli_register_name(page->session, &written->which, name);
        sch_cli_channel_letters(written->channels, channels);
        sch_json_object(page->json, NULL, true);
        SCH_JSON_FIELDS(page->json, SCH_JSON_TEXT("register", name), SCH_JSON_TEXT("channels", channels),
                        SCH_JSON_WORD("lanes", written->lanes));
        put_words(page, written->words, written->channels, written->lanes);
        sch_json_close(page->json);
    }
    sch_json_close(page->json);
}

/* ---- lookups ---- */

static void put_words_of_four(struct sch_json *json, const char *key, const uint32_t words[4])
{
    char text[33];
    snprintf(text, sizeof text, "%08" PRIx32 "%08" PRIx32 "%08" PRIx32 "%08" PRIx32, words[0], words[1], words[2],
             words[3]);
    sch_json_text(json, key, text);
}

/* Lists of numbers: there are many of them. */
static void put_texels(struct sch_json *json, const struct sch_explanation *explanation)
{
    struct sch_footprint_texel texel = {.size = sizeof texel};
    sch_json_list(json, "texels", true);
    for (uint32_t n = 0; sch_explanation_texel(explanation, n, &texel); n++) {
        const uint32_t numbers[] = {texel.level, texel.tap, texel.x, texel.y, texel.z, texel.sample, texel.border};
        sch_json_list(json, NULL, true);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sch_json_number(json, NULL, numbers[i]);
        sch_json_float(json, NULL, texel.weight);
        put_words_of_four(json, NULL, texel.value);
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void put_explanation(struct sch_json *json, unsigned lane, const struct sch_explanation *explanation)
{
    struct sch_explanation_info info = {.size = sizeof info};
    if (sch_explanation_get_info(explanation, &info) != SCH_OK) return;
    sch_json_object(json, NULL, true);
    sch_json_number(json, "lane", lane);
    put_words_of_four(json, "result", info.result);
    sch_json_signed(json, "face", info.face);
    sch_json_signed(json, "layer", info.layer);
    sch_json_floats(json, "ddx", info.ddx, 3);
    sch_json_floats(json, "ddy", info.ddy, 3);
    SCH_JSON_FIELDS(json, SCH_JSON_FLOAT("lod_computed", info.lod_computed),
                    SCH_JSON_FLOAT("lod_biased", info.lod_biased), SCH_JSON_FLOAT("lod", info.lod),
                    SCH_JSON_BOOL("magnified", info.magnified), SCH_JSON_NUMBER("taps", info.taps));
    sch_json_numbers(json, "levels", info.level, 2);
    sch_json_float(json, "level_weight", info.level_weight);
    put_texels(json, explanation);
    sch_json_close(json);
}

static void put_lookups(struct page *page)
{
    sch_json_list(page->json, "lookups", true);
    for (unsigned lane = 0; lane < LANES; lane++)
        if (page->tracer->step.explained[lane]) put_explanation(page->json, lane, page->tracer->step.explained[lane]);
    sch_json_close(page->json);
}

static void note_line(struct page *page, const struct sch_debug_stop *at)
{
    if (at->instruction > page->session->instruction_count) return;
    page->lines[at->instruction] = at->line;
    page->has_source = page->has_source || at->line;
}

static void put_memory(struct page *page)
{
    const struct sch_cli_step *step = &page->tracer->step;
    if (!(step->flags & (SCH_INSTRUCTION_MEMORY | SCH_INSTRUCTION_BARRIER))) return;
    if (!sch_cli_trace_memory_step(page->memory, page->json)) page->no_memory = true;
}

/* The step was made; the constructs that were open before it were read then. */
static void put_step(struct page *page, bool others)
{
    const struct sch_cli_step *step = &page->tracer->step;
    note_line(page, &step->before);
    sch_json_object(page->json, NULL, true);
    put_moment(page, &step->before);
    if (others) put_frames(page);
    if (step->flags & (SCH_INSTRUCTION_MEMORY | SCH_CLI_LOOKS_UP)) put_sources(page);
    if (step->flags & SCH_INSTRUCTION_MEMORY) sch_json_bool(page->json, "memory", true);
    put_writes(page);
    if (step->flags & SCH_CLI_LOOKS_UP) put_lookups(page);
    put_memory(page);
    sch_json_close(page->json);
    page->count++;
}

/* ---- after the last step ---- */

static void put_end(struct page *page, bool cut, bool others)
{
    const struct sch_debug_stop *at = &page->tracer->step.after;
    struct sch_json *json = page->json;
    const bool failed = !cut && (at->reason == SCH_DEBUG_FAILED || page->result != SCH_OK);
    sch_json_object(json, "end", true);
    put_moment(page, at);
    if (others) put_frames(page);
    if (failed)
        sch_json_text(json, "reason", sch_result_text(at->result));
    else
        sch_json_text(json, "reason", cut ? "limit" : at->reason == SCH_DEBUG_GROUP_END ? "end" : "to");
    sch_json_close(json);
    note_line(page, at);
}

/* A shader of a scene has the scene's lines before it as empty ones. */
static void put_source(struct sch_json *json, const struct sch_cli_input *input)
{
    const char *text = input->data + input->at;
    const size_t bytes = input->length ? input->length : input->bytes;
    const size_t empty = strspn(text, "\n");
    sch_json_bytes(json, "source", text + empty, bytes - empty);
    sch_json_number(json, "first_line", (input->line ? input->line : 1) + empty);
}

/* The text that lines count in, and HLSL, which Direct3D's listing does not lead back to. */
static void put_sources_of_shader(struct page *page)
{
    const struct sch_cli_session *session = page->session;
    const struct sch_cli_input *input = &session->shader.input;
    struct sch_cli_input hlsl = {0};
    if (page->has_source) put_source(page->json, input);
    if (input->compiled && strcmp(session->file, "-") != 0 && sch_cli_read(session->file, &hlsl) == SCH_CLI_YES)
        sch_json_bytes(page->json, "hlsl", hlsl.data, hlsl.bytes);
    sch_cli_input_release(&hlsl);
    for (uint32_t n = 0; n < session->instruction_count; n++) page->makes[n] = sch_cli_session_makes(session, n);
    sch_json_types(page->json, "makes", page->makes, session->instruction_count);
    sch_json_numbers(page->json, "lines", page->lines, session->instruction_count + 1);
}

/* ---- the page ---- */

static bool is_full(const struct page *page)
{
    return page->count >= MOST_STEPS || ftello(page->json->file) > MOST_BYTES;
}

/* False: the page took only the first steps. */
static bool put_document(struct page *page)
{
    put_head(page);
    bool others = read_frames(page, page->tracer->step.after.depth);
    sch_json_list(page->json, "steps", false);
    while (!is_full(page) && !sch_cli_session_cancelled(page->session) && take_step(page)) {
        sch_cli_progress_at(page->tracer->step.after.time, 0, "moments");
        put_step(page, others);
        others = read_frames(page, page->tracer->step.after.depth);
    }
    sch_json_close(page->json);
    const bool cut = goes_on(page);
    put_end(page, cut, others);
    sch_cli_trace_memory_put(page->memory, page->json);
    put_sources_of_shader(page);
    return !cut;
}

/* Only < could end the script that the text is in; JSON has it in strings alone. */
static void print_in_script(const char *text)
{
    for (size_t bytes; *text; text += bytes + 1) {
        bytes = strcspn(text, "<");
        fwrite(text, 1, bytes, stdout);
        if (!text[bytes]) return;
        fputs("\\u003c", stdout);
    }
}

static void print_page(const char *document)
{
    static const char mark[] = "@DOCUMENT@";
    const char *template = (const char *)sch_cli_trace_template;
    const char *at = strstr(template, mark);
    fwrite(template, 1, (size_t)(at - template), stdout);
    print_in_script(document);
    fputs(at + sizeof mark - 1, stdout);
}

static enum sch_cli_exit write_page(struct page *page)
{
    struct sch_json json;
    char *document = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&document, &bytes);
    if (!file) return sch_cli_no_memory();
    sch_json_begin(&json, file, "scheelite-trace-page/1");
    page->json = &json;
    const bool complete = put_document(page);
    sch_json_end(&json);
    const bool written = !ferror(file) && !page->no_memory;
    if (fclose(file) != 0 || !written) {
        free(document);
        return sch_cli_no_memory();
    }
    print_page(document);
    free(document);
    if (sch_cli_session_cancelled(page->session))
        return sch_cli_fail(SCH_CLI_NO, "%s", sch_result_text(SCH_ERROR_CANCELLED));
    if (page->result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(page->result), "%s", sch_result_text(page->result));
    if (complete) return sch_cli_tracer_report_end(page->tracer);
    return sch_cli_fail(SCH_CLI_LIMIT,
                        "the page ends before moment %" PRIu64 ": it takes %d moments and %d MiB; --from and --to say "
                        "which moments are shown",
                        page->tracer->step.after.time, MOST_STEPS, MOST_BYTES >> 20);
}

/* False: no memory. */
static bool begin_page(struct page *page)
{
    page->lines = calloc(page->session->instruction_count + 1, sizeof *page->lines);
    page->makes = calloc(page->session->instruction_count + 1, sizeof *page->makes);
    page->memory = page->lines && page->makes ? sch_cli_trace_memory_begin(page->session->debug) : NULL;
    return page->memory;
}

enum sch_cli_exit sch_cli_trace_page(struct sch_cli_tracer *tracer, uint64_t from, uint64_t to)
{
    struct page page = {.session = tracer->session, .tracer = tracer, .to = to};
    enum sch_cli_exit exit_code = SCH_CLI_LIMIT;
    tracer->lanes = UINT32_MAX;
    tracer->look = look_at_memory;
    tracer->user = &page;
    page.result = sch_cli_tracer_seek(tracer, from);
    if (!begin_page(&page))
        sch_cli_no_memory();
    else if (tracer->step.after.ended)
        exit_code = sch_cli_fail(SCH_CLI_NO, "%s has ended before moment %" PRIu64, page.session->what, from);
    else
        exit_code = write_page(&page);
    sch_cli_trace_memory_end(page.memory);
    free(page.lines);
    free(page.makes);
    return exit_code;
}
