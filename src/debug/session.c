/* A session of the library as what is debugged. A Direct3D shader runs as what it is lowered to: here it has its own
 * registers again, and what one of its instructions was lowered to is one instruction: its changes and its lookup are
 * had by making it once more. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

enum { CONSTANT_BUFFERS = 32 };

struct session {
    struct sch_debugger_target is;
    struct sch_debug *debug;
    const struct sch_shader *lowered; /* whose names registers have; NULL: they have those of TGSI */
    struct sch_register_use *uses;    /* Maxwell code: the registers that it names */
    size_t use_count;
    uint64_t begin; /* the moment of the first instruction */

    /* What the last instruction of the Direct3D shader wrote. */
    struct sch_debug_change *changes;
    uint32_t change_count, change_capacity;
    uint64_t noted; /* the moment that they are of */
    bool has_noted;
};

static struct session *session_of(const struct sch_debugger_target *target) { return (struct session *)target; }

static struct sch_debug_stop stop_of(const struct session *session)
{
    struct sch_debug_stop stop = {.size = sizeof stop};
    sch_debug_get_stop(session->debug, &stop);
    return stop;
}

/* ---- moving ---- */

/* Past what the lowering adds before the first instruction, and between phases of a hull shader. */
static enum sch_result settle(struct session *session, bool stepped_out)
{
    static const struct sch_debug_go next = {.size = sizeof next, .step = SCH_DEBUG_STEP_LINE};
    const struct sch_debug_stop stop = stop_of(session);
    const bool between = stop.reason == SCH_DEBUG_BEGIN || (stepped_out && stop.reason == SCH_DEBUG_STEP);
    return session->is.folds && between && !stop.ended && !stop.line ? sch_debug_go(session->debug, &next) : SCH_OK;
}

enum sch_result sch_debugger_target_go(struct sch_debugger_target *target, const struct sch_debug_go *go)
{
    struct session *session = session_of(target);
    session->has_noted = false;
    const enum sch_result result = sch_debug_go(session->debug, go);
    return result == SCH_OK ? settle(session, go->step == SCH_DEBUG_STEP_OUT && !go->back) : result;
}

enum sch_result sch_debugger_target_seek(struct sch_debugger_target *target, uint64_t time)
{
    struct session *session = session_of(target);
    session->has_noted = false;
    return sch_debug_seek(session->debug, time);
}

void sch_debugger_target_interrupt(struct sch_debugger_target *target)
{
    sch_debug_interrupt(session_of(target)->debug);
}

enum sch_result sch_debugger_target_set_breakpoints(struct sch_debugger_target *target,
                                                    const struct sch_debug_breakpoint *list, size_t stride,
                                                    uint32_t count)
{
    return sch_debug_set_breakpoints(session_of(target)->debug, list, stride, count);
}

/* ---- where it is ---- */

void sch_debugger_target_get_stop(const struct sch_debugger_target *target, struct sch_debug_stop *stop)
{
    const struct session *session = session_of(target);
    sch_debug_get_stop(session->debug, stop);
    if (session->is.folds && !stop->ended && stop->reason == SCH_DEBUG_STEP && stop->time == session->begin)
        stop->reason = SCH_DEBUG_BEGIN;
}

enum sch_result sch_debugger_target_get_place(const struct sch_debugger_target *target, uint32_t lane,
                                              struct sch_invocation_place *place)
{
    return sch_debug_get_place(session_of(target)->debug, lane, place);
}

enum sch_result sch_debugger_target_get_frame(const struct sch_debugger_target *target, uint32_t number,
                                              struct sch_debug_frame *frame)
{
    return sch_debug_get_frame(session_of(target)->debug, number, frame);
}

bool sch_debugger_target_position_at(const struct sch_debugger_target *target, uint32_t number,
                                     struct sch_debug_position *position)
{
    return sch_debug_position_at(session_of(target)->debug, number, position);
}

/* ---- the last instruction once more ---- */

/* Called after each instruction; `is_part`: it is one of those that the last one of the Direct3D shader became. */
typedef void visit_function(struct session *session, void *user, bool is_part);

static bool is_same_place(const struct session *session, uint32_t a, uint32_t b)
{
    struct sch_debug_position at[2];
    return sch_debug_position_at(session->debug, a, &at[0]) && sch_debug_position_at(session->debug, b, &at[1]) &&
           at[0].line == at[1].line && at[0].column == at[1].column && at[0].offset == at[1].offset;
}

/* The first of the instructions that one of the Direct3D shader became. */
static uint32_t first_part(const struct session *session, uint32_t number)
{
    while (number > 0 && is_same_place(session, number - 1, number)) number--;
    return number;
}

/* Steps from `from` to where it was. */
static void step_again(struct session *session, uint64_t from, const struct sch_debug_stop *end, visit_function *visit,
                       void *user)
{
    static const struct sch_debug_go next = {.size = sizeof next, .step = SCH_DEBUG_STEP_INSTRUCTION};
    sch_debug_seek(session->debug, from);
    struct sch_debug_stop at = stop_of(session);
    while (!at.ended && at.time < end->time && sch_debug_go(session->debug, &next) == SCH_OK) {
        at = stop_of(session);
        if (!at.ended) visit(session, user, is_same_place(session, at.previous, end->previous));
    }
    if (at.ended || at.time != end->time) sch_debug_seek(session->debug, end->time);
}

/* What has failed, or is in another group, is not made again. */
static void live_again(struct session *session, visit_function *visit, void *user)
{
    const struct sch_debug_stop end = stop_of(session);
    if (end.ended) return;
    const uint32_t first = end.previous == UINT32_MAX ? UINT32_MAX : first_part(session, end.previous);
    const uint64_t parts = first == UINT32_MAX ? 0 : (uint64_t)end.previous - first + 1;
    const uint64_t from = end.time > session->begin + parts ? end.time - parts : session->begin;
    if (parts < 2 || !end.is_target || end.reason == SCH_DEBUG_FAILED || end.time <= session->begin)
        visit(session, user, true);
    else
        step_again(session, from, &end, visit, user);
}

/* ---- what it holds ---- */

bool sch_debugger_target_register_at(const struct sch_debugger_target *target, uint32_t position,
                                     struct sch_debug_register *found)
{
    const struct session *session = session_of(target);
    if (session->uses) {
        if (position >= session->use_count) return false;
        *found = (struct sch_debug_register){session->uses[position].file, 0, session->uses[position].first};
        return true;
    }
    return sch_debug_register_at(session_of(target)->debug, position, found);
}

enum sch_result sch_debugger_target_read(const struct sch_debugger_target *target,
                                         const struct sch_debug_register *which, uint32_t words[4][32])
{
    return sch_debug_read(session_of(target)->debug, which, words);
}

static struct sch_debug_change *noted_of(struct session *session, const struct sch_debug_register *which)
{
    for (uint32_t n = 0; n < session->change_count; n++)
        if (memcmp(&session->changes[n].which, which, sizeof *which) == 0) return &session->changes[n];
    return NULL;
}

/* A change of a register that was changed before has only the words that the first one left alone. */
static void merge(struct sch_debug_change *into, const struct sch_debug_change *change)
{
    for (unsigned c = 0; c < 4; c++) {
        if (!(change->channels >> c & 1)) continue;
        for (unsigned lane = 0; lane < 32; lane++)
            if (!(into->channels >> c & 1) || !(into->lanes >> lane & 1))
                into->before[c][lane] = change->before[c][lane];
    }
    into->channels |= change->channels;
    into->lanes |= change->lanes;
}

/* What there is no memory for is left out. */
static void add(struct session *session, const struct sch_debug_change *change)
{
    struct sch_debug_change *known = noted_of(session, &change->which);
    if (known) {
        merge(known, change);
        return;
    }
    if (session->change_count == session->change_capacity) {
        const uint32_t capacity = session->change_capacity ? 2 * session->change_capacity : 4;
        struct sch_debug_change *grown = realloc(session->changes, capacity * sizeof *grown);
        if (!grown) return;
        session->changes = grown;
        session->change_capacity = capacity;
    }
    session->changes[session->change_count++] = *change;
}

static void note_changes(struct session *session, void *user, bool is_part)
{
    struct sch_debug_change change = {.size = sizeof change};
    (void)user;
    if (!is_part) session->change_count = 0;
    for (uint32_t n = 0; is_part && sch_debug_change_at(session->debug, n, &change); n++) add(session, &change);
}

bool sch_debugger_target_change_at(struct sch_debugger_target *target, uint32_t position,
                                   struct sch_debug_change *change)
{
    struct session *session = session_of(target);
    if (!session->is.folds) return sch_debug_change_at(session->debug, position, change);
    const struct sch_debug_stop stop = stop_of(session);
    if (!session->has_noted || session->noted != stop.time) {
        session->change_count = 0;
        live_again(session, note_changes, NULL);
        session->noted = stop.time;
        session->has_noted = true;
    }
    if (stop.ended || position >= session->change_count) return false;
    *change = session->changes[position];
    return true;
}

struct explaining {
    uint32_t lane;
    struct sch_explanation *found;
};

static void note_lookup(struct session *session, void *user, bool is_part)
{
    struct explaining *explaining = user;
    struct sch_explanation *explanation = NULL;
    if (is_part && sch_debug_explain(session->debug, explaining->lane, &explanation) != SCH_OK) return;
    sch_explanation_destroy(explaining->found);
    explaining->found = explanation;
}

enum sch_result sch_debugger_target_explain(struct sch_debugger_target *target, uint32_t lane,
                                            struct sch_explanation **explanation)
{
    struct session *session = session_of(target);
    struct explaining explaining = {.lane = lane};
    if (!session->is.folds) return sch_debug_explain(session->debug, lane, explanation);
    live_again(session, note_lookup, &explaining);
    *explanation = explaining.found;
    return explaining.found ? SCH_OK : SCH_ERROR_ARGUMENT;
}

const void *sch_debugger_target_shared_memory(const struct sch_debugger_target *target, size_t *bytes)
{
    return sch_debug_shared_memory(session_of(target)->debug, bytes);
}

const void *sch_debugger_target_private_memory(const struct sch_debugger_target *target, uint32_t lane, size_t *bytes)
{
    return sch_debug_private_memory(session_of(target)->debug, lane, bytes);
}

/* ---- names ---- */

bool sch_debugger_target_name(const struct sch_debugger_target *target, const struct sch_debug_register *which,
                              char name[SCH_DEBUG_NAME_BYTES])
{
    return sch_debug_register_name(session_of(target)->lowered, which, name);
}

/* How much of the text is the name; 0: it is another. */
static size_t match(const char *text, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && !isalnum((unsigned char)text[length]) ? length : 0;
}

/* cb0[9]: elements that no operand names directly are there, too. */
static size_t find_constant(const struct session *session, const char *text, struct sch_debug_register *which)
{
    const char *bracket = strchr(text, '[');
    if (strncmp(text, "cb", 2) != 0 || !bracket || !isdigit((unsigned char)bracket[1])) return 0;
    const unsigned long long index = strtoull(bracket + 1, NULL, 10);
    for (uint32_t buffer = 0; buffer < CONSTANT_BUFFERS && index <= UINT32_MAX; buffer++) {
        const struct sch_debug_register at = {SCH_FILE_CONSTANT, buffer, (uint32_t)index};
        char own[SCH_DEBUG_NAME_BYTES];
        const size_t length = sch_debug_register_name(session->lowered, &at, own) ? match(text, own) : 0;
        if (length) *which = at;
        if (length) return length;
    }
    return 0;
}

/* R0 to R254, P0 to P6, CC, whether the code names them or not. */
static bool find_scalar(const char **text, struct sch_debug_register *which)
{
    enum { FLAGS = SCH_MAXWELL_GROUP_PREDICATES }; /* follow the predicates */
    const char *at = *text + 1;
    char *end;
    if (strncmp(*text, "CC", 2) == 0 && !isalnum((unsigned char)(*text)[2])) {
        *which = (struct sch_debug_register){SCH_FILE_ADDRESS, 0, FLAGS};
        *text += 2;
        return true;
    }
    if ((**text != 'R' && **text != 'P') || !isdigit((unsigned char)*at)) return false;
    const unsigned long index = strtoul(at, &end, 10);
    if (end - at > 3 || isalnum((unsigned char)*end) || (**text == 'P' && index >= FLAGS)) return false;
    *which = (struct sch_debug_register){**text == 'P' ? SCH_FILE_ADDRESS : SCH_FILE_TEMPORARY, 0, (uint32_t)index};
    *text = end;
    return true;
}

/* The longest name that the text begins with. */
bool sch_debugger_target_find(const struct sch_debugger_target *target, const char **text,
                              struct sch_debug_register *which)
{
    const struct session *session = session_of(target);
    struct sch_debug_register at;
    if (session->uses) return find_scalar(text, which);
    size_t longest = find_constant(session, *text, which);
    for (uint32_t n = 0; sch_debug_register_at(session->debug, n, &at); n++) {
        char own[SCH_DEBUG_NAME_BYTES];
        const size_t length = sch_debug_register_name(session->lowered, &at, own) ? match(*text, own) : 0;
        if (length <= longest) continue;
        longest = length;
        *which = at;
    }
    *text += longest;
    return longest != 0;
}

/* ---- making ---- */

void sch_debugger_target_destroy(struct sch_debugger_target *target)
{
    if (!target) return;
    free(session_of(target)->changes);
    free(session_of(target)->uses);
    free(target);
}

/* False: no memory. */
static bool list_uses(struct session *session, const struct sch_shader *shader)
{
    size_t count = 0;
    if (sch_shader_register_uses(shader, NULL, 0, 0, &count) != SCH_OK) return false;
    session->uses = calloc(count + 1, sizeof *session->uses);
    return session->uses &&
           sch_shader_register_uses(shader, session->uses, sizeof *session->uses, count, &session->use_count) == SCH_OK;
}

struct sch_debugger_target *sch_debugger_target_of_session(struct sch_debug *debug, const struct sch_shader *lowered,
                                                           bool folds)
{
    static const char *const titles[SCH_DEBUGGER_FILES] = {[SCH_FILE_INPUT] = "Inputs (IN)",
                                                           [SCH_FILE_OUTPUT] = "Outputs (OUT)",
                                                           [SCH_FILE_TEMPORARY] = "Temporaries (TEMP)",
                                                           [SCH_FILE_ADDRESS] = "Addresses (ADDR)",
                                                           [SCH_FILE_SYSTEM_VALUE] = "System values (SV)",
                                                           [SCH_FILE_CONSTANT] = "Constants (CONST)",
                                                           [SCH_FILE_IMMEDIATE] = "Immediates (IMM)"};
    static const char *const titles_of_d3d[SCH_DEBUGGER_FILES] = {[SCH_FILE_INPUT] = "Inputs (v)",
                                                                  [SCH_FILE_OUTPUT] = "Outputs (o)",
                                                                  [SCH_FILE_TEMPORARY] = "Temporaries (r, x)",
                                                                  [SCH_FILE_ADDRESS] = "Addresses",
                                                                  [SCH_FILE_SYSTEM_VALUE] = "System values",
                                                                  [SCH_FILE_CONSTANT] = "Constants (cb)",
                                                                  [SCH_FILE_IMMEDIATE] = "Immediates (icb)"};
    static const char *const titles_of_maxwell[SCH_DEBUGGER_FILES] = {
        [SCH_FILE_TEMPORARY] = "Registers (R)", [SCH_FILE_ADDRESS] = "Predicates (P)"};
    const bool maxwell = sch_shader_language(lowered) == SCH_LANGUAGE_MAXWELL;
    struct session *session = calloc(1, sizeof *session);
    if (session && maxwell && !list_uses(session, lowered)) {
        free(session->uses);
        free(session);
        session = NULL;
    }
    if (!session) return NULL;
    session->is = (struct sch_debugger_target){.titles = maxwell   ? titles_of_maxwell
                                                         : lowered ? titles_of_d3d
                                                                   : titles,
                                               .components = maxwell ? 1 : 4,
                                               .has_names = lowered,
                                               .folds = lowered && !maxwell && folds};
    session->debug = debug;
    session->lowered = lowered;
    settle(session, false);
    session->begin = stop_of(session).time;
    return &session->is;
}
