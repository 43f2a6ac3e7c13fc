/* See place.h. */
#include "place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sch_debug_stop sch_debugger_stop(const struct sch_debugger_subject *subject)
{
    struct sch_debug_stop stop = {.size = sizeof stop};
    sch_debugger_target_get_stop(subject->target, &stop);
    return stop;
}

/* ---- instructions ---- */

const char *sch_debugger_instruction(const struct sch_debugger_subject *subject, uint32_t number, uint32_t *length)
{
    const char *line = number < subject->instruction_count ? subject->instructions[number] : "END";
    *length = (uint32_t)strcspn(line, "\n");
    return line;
}

/* The beginning of line `number`, from 1. */
static const char *find_line(const char *text, uint32_t number)
{
    while (--number && *text) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

const char *sch_debugger_statement(const struct sch_debugger_subject *subject, const struct sch_debugger_lines *lines,
                                   uint32_t number, uint32_t *length)
{
    const uint32_t line = number <= lines->count ? lines->source[number] : 0;
    if (!subject->target->folds || !line) return sch_debugger_instruction(subject, number, length);
    const char *text = find_line(subject->source, line);
    *length = (uint32_t)strcspn(text, "\r\n");
    return text;
}

bool sch_debugger_is(const struct sch_debugger_subject *subject, uint32_t number, const char *words)
{
    uint32_t length;
    const char *text = sch_debugger_instruction(subject, number, &length);
    text += strspn(text, " "); /* it is indented in constructs */
    const size_t opcode = strcspn(text, " :\n");
    while (*words) {
        const size_t word = strcspn(words, "|");
        if (word == opcode && strncmp(words, text, word) == 0) return true;
        words += word + (words[word] == '|');
    }
    return false;
}

/* What the lowering adds is of the line that comes next: of a CAL that is after the BGNSUB; the END is of the last. */
static void fill_lines(const struct sch_debugger_subject *subject, struct sch_debugger_lines *lines)
{
    uint32_t last = 0, length;
    for (uint32_t i = 0; i < lines->count; i++)
        if (lines->source[i] > last) last = lines->source[i];
    for (uint32_t i = lines->count; i-- > 0;) {
        if (lines->source[i]) continue;
        const char *colon = strchr(sch_debugger_instruction(subject, i, &length), ':');
        const unsigned long to = sch_debugger_is(subject, i, "CAL") && colon ? strtoul(colon + 1, NULL, 10) + 1 : i + 1;
        const bool end = sch_debugger_is(subject, i, "END") || to >= lines->count || !lines->source[to];
        lines->source[i] = end ? last : lines->source[to];
    }
}

bool sch_debugger_lines_make(const struct sch_debugger_subject *subject, struct sch_debugger_lines *lines)
{
    const char *at = subject->program;
    uint32_t line = 1;
    lines->count = subject->instruction_count;
    lines->source = calloc((size_t)lines->count + 1, sizeof *lines->source);
    lines->program = calloc((size_t)lines->count + 1, sizeof *lines->program);
    if (!lines->source || !lines->program) return false;
    for (uint32_t i = 0; i <= lines->count; i++) {
        struct sch_debug_position position = {0, 0, 0};
        if (subject->source && sch_debugger_target_position_at(subject->target, i, &position))
            lines->source[i] = position.line;
        for (; i < lines->count && at < subject->instructions[i]; at++) line += *at == '\n';
        lines->program[i] = line + (i == lines->count);
    }
    if (subject->target->folds) fill_lines(subject, lines);
    return true;
}

void sch_debugger_lines_release(struct sch_debugger_lines *lines)
{
    free(lines->source);
    free(lines->program);
    *lines = (struct sch_debugger_lines){0};
}

uint32_t sch_debugger_at_line(const uint32_t *lines, uint32_t count, uint32_t line)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (lines[i] >= line && (found == UINT32_MAX || lines[i] < lines[found])) found = i;
    return found;
}

uint32_t sch_debugger_opener(const struct sch_debugger_subject *subject, uint32_t number)
{
    uint32_t closed = 0;
    while (number > 0) {
        number--;
        if (sch_debugger_is(subject, number, "ENDIF|ENDLOOP|ENDSWITCH")) {
            closed++;
        } else if (sch_debugger_is(subject, number, "IF|UIF|BGNLOOP|SWITCH")) {
            if (!closed) return number;
            closed--;
        } else if (sch_debugger_is(subject, number, "BGNSUB")) {
            return number;
        }
    }
    return UINT32_MAX;
}

const char *sch_debugger_entry_name(enum sch_debug_entry entry)
{
    static const char *const names[] = {"", "SSY", "PBK", "PCNT", "CAL", "LONG", "BRA", "SAM"};
    return names[entry];
}

/* ---- invocations ---- */

void sch_debugger_lane_name(const struct sch_debugger_subject *subject, uint32_t lane, char name[120])
{
    struct sch_invocation_place place = {.size = sizeof place};
    size_t at = 0;
    snprintf(name, 120, "lane %" PRIu32, lane);
    if (sch_debugger_target_get_place(subject->target, lane, &place) != SCH_OK) return;
    const struct {
        uint32_t part;
        const char *word;
        uint32_t count, number[3];
    } parts[] = {
        {SCH_PLACE_WORK_GROUP, "work group", 3, {place.work_group[0], place.work_group[1], place.work_group[2]}},
        {SCH_PLACE_THREAD, "thread", 3, {place.thread[0], place.thread[1], place.thread[2]}},
        {SCH_PLACE_PIXEL, "pixel", 2, {place.x, place.y}},
        {SCH_PLACE_PRIMITIVE, "primitive", 1, {place.primitive}},
        {SCH_PLACE_INSTANCE, "instance", 1, {place.instance}},
        {SCH_PLACE_VERTEX, "vertex", 1, {place.vertex}},
        {SCH_PLACE_INVOCATION, "invocation", 1, {place.invocation}}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        if (!(place.parts & parts[p].part)) continue;
        at += (size_t)snprintf(name + at, 120 - at, "%s%s ", at ? ", " : "", parts[p].word);
        for (uint32_t n = 0; n < parts[p].count && at < 100; n++)
            at += (size_t)snprintf(name + at, 120 - at, "%s%" PRIu32, n ? "," : "", parts[p].number[n]);
        if (at >= 100) return;
    }
}

uint32_t sch_debugger_lane_at(const struct sch_debug_stop *stop)
{
    if (stop->is_target && (stop->active >> stop->lane & 1 || !stop->active)) return stop->lane;
    if (stop->active) return (uint32_t)__builtin_ctz(stop->active);
    return stop->present ? (uint32_t)__builtin_ctz(stop->present) : 0;
}

/* ---- reasons ---- */

const struct sch_debugger_event *sch_debugger_event_at(uint32_t position)
{
    static const struct sch_debugger_event events[] = {
        {SCH_DEBUG_NOT_FINITE, "not-finite", "Infinities and NaNs",
         "An instruction made an infinity or a NaN of finite values."},
        {SCH_DEBUG_DIVERGENCE, "divergence", "Divergence", "Some lanes took a branch, and others did not."},
        {SCH_DEBUG_LOOKUP, "lookup", "Texture lookups", "The next instruction looks a texture up."},
        {SCH_DEBUG_MEMORY, "memory", "Accesses to memory", "The next instruction accesses memory."},
        {SCH_DEBUG_BARRIER, "barrier", "Barriers", "The next instruction is a BARRIER."}};
    return position < sizeof events / sizeof *events ? &events[position] : NULL;
}

void sch_debugger_reason(const struct sch_debug_stop *stop, char text[160])
{
    static const char *const sentences[] = {[SCH_DEBUG_BEGIN] = "The group begins.",
                                            [SCH_DEBUG_STEP] = "The step was made.",
                                            [SCH_DEBUG_BREAK] = "A breakpoint was reached.",
                                            [SCH_DEBUG_GROUP_END] = "The group ends: its registers are final.",
                                            [SCH_DEBUG_INTERRUPTED] = "It was interrupted."};
    size_t at = 0;
    text[0] = 0;
    if (stop->reason == SCH_DEBUG_FAILED || stop->reason == SCH_DEBUG_RUN_END) {
        snprintf(text, 160, "The %s: %s.", stop->ended ? "run has ended" : "group has failed",
                 sch_result_text(stop->result));
        return;
    }
    if (stop->reason != SCH_DEBUG_EVENT) {
        snprintf(text, 160, "%s", sentences[stop->reason]);
        return;
    }
    const struct sch_debugger_event *event;
    for (uint32_t n = 0; (event = sch_debugger_event_at(n)) != NULL && at < 160; n++)
        if (stop->events & event->bit) at += (size_t)snprintf(text + at, 160 - at, "%s%s", at ? " " : "", event->text);
}
