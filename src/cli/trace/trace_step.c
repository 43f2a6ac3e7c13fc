/* See trace_step.h. */
#include "trace_step.h"

#include "../support/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- an instruction ---- */

static void end_step(struct sch_cli_step *step)
{
    free(step->text);
    step->text = NULL;
    for (unsigned i = 0; i < SCH_CLI_TRACE_LANES; i++) {
        sch_explanation_destroy(step->explained[i]);
        step->explained[i] = NULL;
    }
    step->written_count = step->has_source = step->lanes = step->flags = 0;
    step->is_lookup = step->is_memory = step->has_changed = false;
}

static struct sch_cli_written *find_written(struct sch_cli_step *step, const struct sch_debug_register *which)
{
    for (uint32_t n = 0; n < step->written_count; n++)
        if (memcmp(&step->written[n].which, which, sizeof *which) == 0) return &step->written[n];
    struct sch_cli_written *grown = sch_text_grow(step->written, step->written_count, &step->capacity, sizeof *grown);
    if (!grown) return NULL;
    step->written = grown;
    struct sch_cli_written *made = &step->written[step->written_count++];
    *made = (struct sch_cli_written){.which = *which};
    return made;
}

static bool changes_lane(const struct sch_debug_change *change, unsigned lane, uint32_t now[4][SCH_CLI_TRACE_LANES])
{
    for (unsigned c = 0; c < 4; c++)
        if (change->channels >> c & 1 && now[c][lane] != change->before[c][lane]) return true;
    return false;
}

/* What the last instruction wrote. False: out of memory. */
static bool note_changes(struct sch_cli_tracer *tracer, uint32_t lanes, enum sch_value_type makes)
{
    struct sch_cli_step *step = &tracer->step;
    struct sch_debug_change change = {.size = sizeof change};
    for (uint32_t n = 0; sch_debug_change_at(tracer->session->debug, n, &change); n++) {
        char name[SCH_DEBUG_NAME_BYTES];
        if (!sch_cli_register_name(tracer->session, &change.which, name)) continue;
        struct sch_cli_written *written = find_written(step, &change.which);
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

static void note_lookups(struct sch_cli_tracer *tracer, uint32_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct sch_explanation *explanation;
        if (sch_debug_explain(tracer->session->debug, lane, &explanation) != SCH_OK) continue;
        sch_explanation_destroy(tracer->step.explained[lane]);
        tracer->step.explained[lane] = explanation;
    }
}

static struct sch_debug_stop stop_of(const struct sch_cli_tracer *tracer)
{
    struct sch_debug_stop stop = {.size = sizeof stop};
    sch_debug_get_stop(tracer->session->debug, &stop);
    return stop;
}

/* One instruction of what runs. */
static enum sch_result execute(struct sch_cli_tracer *tracer)
{
    static const struct sch_debug_go next = {.size = sizeof next, .step = SCH_DEBUG_STEP_INSTRUCTION};
    struct sch_cli_step *step = &tracer->step;
    struct sch_debug *debug = tracer->session->debug;
    const struct sch_debug_stop *now = &step->after;
    const struct sch_shader *shader = tracer->session->shader.shader;
    const uint32_t number = now->instruction;
    struct sch_instruction_info in = {.size = sizeof in};
    sch_shader_instruction(shader, number, &in); /* past the last, no flag is set */
    const bool is_lookup = in.flags & SCH_CLI_LOOKS_UP, is_memory = in.flags & SCH_INSTRUCTION_MEMORY;
    const uint32_t wanted = tracer->lanes;
    const uint32_t lanes = now->active & (wanted ? wanted : UINT32_C(1) << now->lane);
    step->lanes |= lanes;
    step->flags |= in.flags;
    step->is_lookup |= is_lookup;
    if (is_memory || !step->is_memory) {
        step->has_source = 0;
        for (uint32_t s = 0; s < SCH_CLI_SOURCES; s++) {
            struct sch_operand_info operand = {.size = sizeof operand};
            if (sch_debug_read_source(debug, s, step->sources[s])) step->has_source |= 1u << s;
            if (s < in.sources) sch_shader_operand(shader, number, in.destinations + s, &operand);
            step->source_types[s] = sch_cli_word_type(operand.type);
        }
    }
    step->is_memory |= is_memory;
    const enum sch_value_type makes = sch_cli_session_makes(tracer->session, number);
    if (tracer->look) tracer->look(tracer->user);
    const enum sch_result result = sch_debug_go(debug, &next);
    step->after = stop_of(tracer);
    if (result != SCH_OK) return result;
    if (is_lookup) note_lookups(tracer, lanes);
    return note_changes(tracer, lanes, makes) ? SCH_OK : SCH_ERROR_MEMORY;
}

/* Whether the next instruction belongs to the same one of the Direct3D shader. */
static bool is_same_source(const struct sch_cli_tracer *tracer)
{
    const struct sch_debug_stop *before = &tracer->step.before, *after = &tracer->step.after;
    return tracer->session->source && after->reason == SCH_DEBUG_STEP && !after->ended && after->line == before->line &&
           after->column == before->column && after->offset == before->offset && after->instruction > after->previous;
}

enum sch_result sch_cli_tracer_step(struct sch_cli_tracer *tracer)
{
    struct sch_cli_step *step = &tracer->step;
    end_step(step);
    step->before = step->after;
    step->text = sch_cli_session_text(tracer->session, &step->before);
    enum sch_result result = step->text ? SCH_OK : SCH_ERROR_MEMORY;
    do {
        if (result == SCH_OK) result = execute(tracer);
    } while (result == SCH_OK && is_same_source(tracer));
    return result;
}

/* ---- its values ---- */

void sch_cli_written_types(const struct sch_cli_tracer *tracer, const struct sch_cli_written *written,
                           enum sch_value_type types[4])
{
    sch_cli_session_types(tracer->session, &written->which, types);
    for (unsigned c = 0; c < 4; c++)
        if (types[c] == SCH_VALUE_UNKNOWN) types[c] = written->type;
}

void sch_cli_channel_letters(uint32_t channels, char text[5])
{
    unsigned length = 0;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1) text[length++] = "xyzw"[c];
    text[length] = 0;
}

/* Values of channels with commas between them; one where all are the same. */
static void put_words(FILE *file, const struct sch_cli_tracer *tracer, const uint32_t words[4][SCH_CLI_TRACE_LANES],
                      uint32_t channels, unsigned lane, const enum sch_value_type types[4])
{
    char texts[4][SCH_CLI_VALUE_BYTES];
    unsigned count = 0;
    bool same = true;
    for (unsigned c = 0; c < 4; c++) {
        if (!(channels >> c & 1)) continue;
        sch_cli_value_print(words[c][lane], types[c], tracer->floats, texts[count]);
        same = same && strcmp(texts[count], texts[0]) == 0;
        count++;
    }
    for (unsigned n = 0; n < (same ? 1 : count); n++) fprintf(file, "%s%s", n ? ", " : "", texts[n]);
}

static void put_changes(FILE *file, const struct sch_cli_tracer *tracer, unsigned lane)
{
    for (uint32_t n = 0; n < tracer->step.written_count; n++) {
        const struct sch_cli_written *written = &tracer->step.written[n];
        char name[SCH_DEBUG_NAME_BYTES], channels[5];
        enum sch_value_type types[4];
        if (!(written->lanes >> lane & 1) || !sch_cli_register_name(tracer->session, &written->which, name)) continue;
        sch_cli_written_types(tracer, written, types);
        sch_cli_channel_letters(written->channels, channels);
        fprintf(file, "  %s%s%s = ", name, tracer->scalar ? "" : ".", tracer->scalar ? "" : channels);
        put_words(file, tracer, written->words, written->channels, lane, types);
    }
}

/* A word that would be a float next to zero is an integer. */
static enum sch_value_type guess(uint32_t word)
{
    return word && (word & 0x7f800000) == 0 ? SCH_VALUE_UINT : SCH_VALUE_UNKNOWN;
}

/* The words of the sources: an address, then what is stored or combined. */
static void put_access(FILE *file, const struct sch_cli_tracer *tracer, unsigned lane)
{
    const struct sch_cli_step *step = &tracer->step;
    const char *between = "  of ";
    for (uint32_t s = 0; s < SCH_CLI_SOURCES; s++) {
        enum sch_value_type types[4];
        if (!(step->has_source >> s & 1)) continue;
        for (unsigned c = 0; c < 4; c++)
            types[c] = step->source_types[s] ? step->source_types[s] : guess(step->sources[s][c][lane]);
        fprintf(file, "%s", between);
        put_words(file, tracer, step->sources[s], 15, lane, types);
        between = "; ";
    }
}

/* Fetches have a level in place of a level of detail. */
static void put_lookup(FILE *file, const struct sch_cli_tracer *tracer, unsigned lane)
{
    const struct sch_explanation *explanation = tracer->step.explained[lane];
    struct sch_explanation_info info = {.size = sizeof info};
    struct sch_footprint_texel texel = {.size = sizeof texel};
    if (!explanation || sch_explanation_get_info(explanation, &info) != SCH_OK || !info.texel_count) return;
    char lod[SCH_CLI_VALUE_BYTES];
    uint32_t bits;
    memcpy(&bits, &info.lod, sizeof bits);
    sch_float_text(bits, lod);
    if (info.taps)
        fprintf(file, "  (level of detail %s", lod);
    else if (sch_explanation_texel(explanation, 0, &texel))
        fprintf(file, "  (level %" PRIu32, texel.level);
    fprintf(file, ", %" PRIu32 " texel%s)", info.texel_count, info.texel_count == 1 ? "" : "s");
}

/* ---- for those who print it ---- */

struct sch_cli_tracer *sch_cli_tracer_create(const struct sch_cli_session *session, uint32_t lanes,
                                             enum sch_cli_floats floats)
{
    struct sch_cli_tracer *tracer = calloc(1, sizeof *tracer);
    if (!tracer) return NULL;
    tracer->session = session;
    tracer->scalar = sch_shader_language(session->shader.shader) == SCH_LANGUAGE_MAXWELL;
    tracer->lanes = lanes;
    tracer->floats = floats;
    tracer->step.after = stop_of(tracer);
    return tracer;
}

void sch_cli_tracer_destroy(struct sch_cli_tracer *tracer)
{
    if (!tracer) return;
    end_step(&tracer->step);
    free(tracer->step.written);
    free(tracer);
}

enum sch_result sch_cli_tracer_seek(struct sch_cli_tracer *tracer, uint64_t from)
{
    struct sch_cli_step *step = &tracer->step;
    if (from <= step->after.time) return SCH_OK;
    const enum sch_result result = sch_debug_seek(tracer->session->debug, from);
    step->after = stop_of(tracer);
    return result;
}

enum sch_cli_exit sch_cli_tracer_report_end(const struct sch_cli_tracer *tracer)
{
    static const struct sch_debug_go on = {.size = sizeof on, .step = SCH_DEBUG_STEP_INSTRUCTION};
    const struct sch_debug_stop *stop = &tracer->step.after;
    const struct sch_cli_session *session = tracer->session;
    const char *name = session->shader.input.name;
    if (stop->result == SCH_OK) return SCH_CLI_YES;
    if (stop->reason == SCH_DEBUG_FAILED) sch_debug_go(session->debug, &on); /* the run ends, and says why */
    if (session->setup.refused && sch_diagnostics_errors(session->setup.refused)) {
        sch_cli_print_diagnostics(session->setup.refused, &session->shader.input);
        return sch_cli_exit_of(stop->result);
    }
    return sch_cli_fail(sch_cli_exit_of(stop->result), "%s: %s, at instruction %" PRIu32, name,
                        sch_result_text(stop->result), stop->instruction);
}

bool sch_cli_tracer_goes_on(const struct sch_cli_tracer *tracer)
{
    const struct sch_debug_stop *at = &tracer->step.after;
    return !at->ended && at->reason != SCH_DEBUG_GROUP_END && at->reason != SCH_DEBUG_FAILED;
}

bool sch_cli_step_is_shown(const struct sch_cli_step *step)
{
    return step->lanes && (*step->text || step->written_count);
}

const char *sch_cli_step_text(const struct sch_cli_step *step)
{
    return *step->text ? step->text : "(what the lowering adds)";
}

bool sch_cli_step_has_values(const struct sch_cli_step *step, unsigned lane)
{
    bool written = false;
    for (uint32_t n = 0; n < step->written_count; n++) written |= step->written[n].lanes >> lane & 1;
    return written || step->is_memory || step->explained[lane];
}

void sch_cli_step_put_values(FILE *file, const struct sch_cli_tracer *tracer, unsigned lane)
{
    put_changes(file, tracer, lane);
    if (tracer->step.is_memory) put_access(file, tracer, lane);
    put_lookup(file, tracer, lane);
}
