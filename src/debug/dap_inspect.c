/* What editors show of a session that has stopped: threads, which are lanes; frames; scopes and their variables. */
#include "dap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "expression.h"
#include "value.h"

enum { MOST_VARIABLES = 4096, MOST_FRAMES = 256 };

bool sch_dap_get_lane(struct sch_dap *dap, struct json_object *arguments, uint32_t *lane)
{
    int64_t thread;
    if (!sch_dap_get_number(dap, arguments, "threadId", 1, SCH_DEBUGGER_LANES, dap->lane + 1, &thread)) return false;
    *lane = (uint32_t)thread - 1;
    return dap->stop.present >> *lane & 1 || sch_dap_wrong(dap, "the group has no such lane");
}

/* ---- threads ---- */

bool sch_dap_threads(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    struct json_object *list = sch_dap_put_list(body, "threads");
    const uint32_t present = dap->state == SCH_DAP_ENDED ? 0 : dap->stop.present;
    (void)arguments;
    for (uint32_t lane = 0; lane < SCH_DEBUGGER_LANES; lane++) {
        char name[160];
        if (!(present >> lane & 1)) continue;
        snprintf(name, sizeof name, "%s%s", dap->lane_names[lane], dap->stop.helpers >> lane & 1 ? " (helper)" : "");
        struct json_object *thread = sch_dap_put_object(list, NULL);
        sch_dap_put_number(thread, "id", lane + 1);
        sch_dap_put_text(thread, "name", name);
    }
    return true;
}

/* ---- frames ---- */

struct frames {
    struct sch_dap *dap;
    struct json_object *list; /* those that are wanted */
    uint32_t lane, count, first, wanted;
};

static void put_frame(struct frames *frames, const char *name, uint32_t instruction, const char *hint)
{
    const struct sch_dap *dap = frames->dap;
    const uint32_t number = frames->count++;
    char address[16];
    if (number < frames->first || number - frames->first >= frames->wanted) return;
    struct json_object *frame = sch_dap_put_object(frames->list, NULL);
    struct sch_debug_position position = {0, 0, 0};
    sch_debugger_target_position_at(dap->subject->target, instruction, &position);
    const bool source = sch_dap_in_source(dap, instruction);
    sch_dap_put_number(frame, "id", (int64_t)number * SCH_DEBUGGER_LANES + frames->lane);
    sch_dap_put_text(frame, "name", name);
    sch_dap_put_source(dap, frame, "source", !source);
    sch_dap_put_number(frame, "line", sch_dap_line(dap, instruction) - 1 + dap->lines_first);
    sch_dap_put_number(frame, "column", (source && position.column ? position.column : 1) - 1 + dap->columns_first);
    sch_dap_address(instruction, address);
    sch_dap_put_text(frame, "instructionPointerReference", address);
    if (hint) sch_dap_put_text(frame, "presentationHint", hint);
}

/* By the lowering of a Direct3D shader: the source has no such construct. */
static bool is_added(const struct sch_dap *dap, uint32_t instruction)
{
    struct sch_debug_position position = {0, 0, 0};
    return dap->subject->target->folds &&
           !(sch_debugger_target_position_at(dap->subject->target, instruction, &position) && position.line);
}

/* The innermost place is a frame, and so is each CAL; constructs around it are labels, which are not places to go
 * to. */
static void put_frames(struct frames *frames)
{
    static const char *const names[] = {"IF", "LOOP", "SWITCH", "subroutine"};
    struct sch_dap *dap = frames->dap;
    const bool idle = dap->stop.active && !(dap->stop.active >> frames->lane & 1);
    struct sch_debug_frame frame = {.size = sizeof frame};
    uint32_t at = dap->stop.instruction, length;
    char name[120];
    const char *text = sch_debugger_statement(dap->subject, &dap->lines, at, &length);
    const uint32_t blanks = (uint32_t)strspn(text, " ");
    length -= blanks;
    snprintf(name, sizeof name, "%.*s%s", (int)(length < 90 ? length : 90), text + blanks,
             idle ? " (the lane waits)" : "");
    put_frame(frames, name, at, idle ? "subtle" : NULL);
    for (uint32_t depth = dap->stop.depth; depth > 0; depth--) {
        if (sch_debugger_target_get_frame(dap->subject->target, depth - 1, &frame) != SCH_OK) return;
        const bool call = frame.kind == SCH_CONSTRUCT_SUB;
        const uint32_t opener = call ? frame.call : sch_debugger_opener(dap->subject, at);
        if (opener == UINT32_MAX) continue;
        snprintf(name, sizeof name, "%s at %" PRIu32 ": lanes 0x%08" PRIx32 " continue after it", names[frame.kind],
                 dap->subject->target->folds ? sch_dap_line(dap, opener) : opener, frame.resume);
        at = opener;
        if (!is_added(dap, at)) put_frame(frames, name, at, call ? NULL : "label");
    }
}

bool sch_dap_stack_trace(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    struct frames frames = {.dap = dap, .list = sch_dap_put_list(body, "stackFrames")};
    int64_t first, levels;
    if (!sch_dap_get_lane(dap, arguments, &frames.lane)) return false;
    if (!sch_dap_get_number(dap, arguments, "startFrame", 0, INT32_MAX, 0, &first)) return false;
    if (!sch_dap_get_number(dap, arguments, "levels", 0, INT32_MAX, 0, &levels)) return false;
    frames.first = (uint32_t)first;
    frames.wanted = levels && levels < MOST_FRAMES ? (uint32_t)levels : MOST_FRAMES;
    put_frames(&frames);
    sch_dap_put_number(body, "totalFrames", frames.count);
    return true;
}

/* ---- scopes ---- */

/* Whether a register is one of the source's in a file, or one that only the lowered program has. */
static bool is_listed(const struct sch_dap *dap, const struct sch_debug_register *which,
                      const struct sch_dap_reference *of)
{
    char name[SCH_DEBUGGER_NAME_BYTES];
    const bool own = sch_debugger_shown_name(dap->subject, which, name);
    return of->kind == SCH_DAP_LOWERED ? !own : own && which->file == of->item;
}

static uint32_t count_registers(const struct sch_dap *dap, const struct sch_dap_reference *of)
{
    struct sch_debug_register at;
    uint32_t count = 0;
    for (uint32_t n = 0; sch_debugger_target_register_at(dap->subject->target, n, &at); n++)
        count += is_listed(dap, &at, of);
    return count;
}

static void put_scope(struct json_object *list, const char *name, const struct sch_dap_reference *reference,
                      uint32_t count, const char *hint)
{
    struct json_object *scope = sch_dap_put_object(list, NULL);
    sch_dap_put_text(scope, "name", name);
    sch_dap_put_number(scope, "variablesReference", sch_dap_reference(reference));
    if (count) sch_dap_put_number(scope, "namedVariables", count);
    if (hint) sch_dap_put_text(scope, "presentationHint", hint);
    sch_dap_put_bool(scope, "expensive", count > 64);
}

bool sch_dap_scopes(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    static const enum sch_file files[] = {SCH_FILE_TEMPORARY,    SCH_FILE_INPUT,    SCH_FILE_OUTPUT,   SCH_FILE_ADDRESS,
                                          SCH_FILE_SYSTEM_VALUE, SCH_FILE_CONSTANT, SCH_FILE_IMMEDIATE};
    struct json_object *list = sch_dap_put_list(body, "scopes");
    int64_t frame;
    size_t shared, own;
    if (!sch_dap_get_number(dap, arguments, "frameId", 0, INT32_MAX, -1, &frame)) return false;
    const uint32_t lane = (uint32_t)frame % SCH_DEBUGGER_LANES;
    if (frame < 0 || !(dap->stop.present >> lane & 1)) return sch_dap_wrong(dap, "there is no such frame");
    put_scope(list, "Changes", &(struct sch_dap_reference){SCH_DAP_CHANGES, lane, 0, 0}, 0, NULL);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        const struct sch_dap_reference reference = {SCH_DAP_FILE, lane, 0, files[f]};
        const uint32_t count = count_registers(dap, &reference);
        if (count) put_scope(list, dap->subject->target->titles[files[f]], &reference, count, "registers");
    }
    const struct sch_dap_reference lowered = {SCH_DAP_LOWERED, lane, 0, 0};
    const uint32_t count = count_registers(dap, &lowered);
    if (count) put_scope(list, "Lowered", &lowered, count, "registers");
    put_scope(list, "Masks", &(struct sch_dap_reference){SCH_DAP_MASKS, lane, 0, 0}, 0, NULL);
    sch_debugger_target_shared_memory(dap->subject->target, &shared);
    sch_debugger_target_private_memory(dap->subject->target, lane, &own);
    if (shared || own) put_scope(list, "Memory", &(struct sch_dap_reference){SCH_DAP_MEMORY, lane, 0, 0}, 0, NULL);
    return true;
}

/* ---- variables ---- */

/* A list that is being made: of the members from `first` on `wanted` ones. */
struct listing {
    struct sch_dap *dap;
    struct json_object *list;
    uint32_t lane, at, first, wanted;
    bool hex;
};

static struct json_object *put_variable(struct listing *listing, const char *name, const char *value, const char *type,
                                        const struct sch_dap_reference *children)
{
    const uint32_t number = listing->at++;
    if (number < listing->first || number - listing->first >= listing->wanted) return NULL;
    struct json_object *variable = sch_dap_put_object(listing->list, NULL);
    sch_dap_put_text(variable, "name", name);
    sch_dap_put_text(variable, "value", value);
    if (type) sch_dap_put_text(variable, "type", type);
    sch_dap_put_number(variable, "variablesReference", children ? sch_dap_reference(children) : 0);
    json_object_array_add(sch_dap_put_list(sch_dap_put_object(variable, "presentationHint"), "attributes"),
                          json_object_new_string("readOnly"));
    return variable;
}

static void list_file(struct listing *listing, const struct sch_dap_reference *of)
{
    const struct sch_dap *dap = listing->dap;
    struct sch_debug_register which;
    for (uint32_t n = 0; sch_debugger_target_register_at(dap->subject->target, n, &which); n++) {
        char name[SCH_DEBUGGER_NAME_BYTES], value[256] = "";
        if (!is_listed(dap, &which, of)) continue;
        if (listing->at >= listing->first && listing->at - listing->first < listing->wanted)
            sch_dap_print_register(dap, &which, listing->lane, listing->hex, value);
        sch_debugger_shown_name(dap->subject, &which, name);
        const struct sch_dap_reference children = {sch_dap_kind_of_registers(dap), listing->lane, 0, n};
        struct json_object *variable = put_variable(listing, name, value, "register", &children);
        if (variable) sch_dap_put_text(variable, "evaluateName", name);
    }
}

/* The components of a register; or of one of them what its bits are as each type. */
static bool list_register(struct listing *listing, const struct sch_dap_reference *reference)
{
    const struct sch_dap *dap = listing->dap;
    struct sch_debug_register which;
    uint32_t words[4][SCH_DEBUGGER_LANES];
    enum sch_debugger_type types[4];
    char of[SCH_DEBUGGER_NAME_BYTES];
    if (!sch_debugger_target_register_at(dap->subject->target, reference->item, &which) ||
        sch_debugger_target_read(dap->subject->target, &which, words) != SCH_OK)
        return false;
    dap->subject->types(dap->subject->user, &which, types);
    sch_debugger_shown_name(dap->subject, &which, of);
    for (unsigned c = 0; reference->kind == SCH_DAP_REGISTER && c < 4; c++) {
        const char name[2] = {"xyzw"[c], 0};
        char value[SCH_DEBUGGER_VALUE_BYTES], full[SCH_DEBUGGER_NAME_BYTES + 4];
        const struct sch_dap_reference children = {SCH_DAP_COMPONENT, listing->lane, c, reference->item};
        sch_debugger_value(dap->subject, words[c][listing->lane], listing->hex ? SCH_DEBUGGER_HEX : types[c], value);
        snprintf(full, sizeof full, "%s.%s", of, name);
        struct json_object *variable = put_variable(listing, name, value, sch_debugger_type_name(types[c]), &children);
        if (variable) sch_dap_put_text(variable, "evaluateName", full);
    }
    if (reference->kind == SCH_DAP_REGISTER) return true;
    const unsigned c = reference->channel;
    static const char *const forms[] = {NULL, "float", "int", "uint", "hex"};
    for (unsigned type = SCH_DEBUGGER_FLOAT; type <= SCH_DEBUGGER_HEX; type++) {
        char value[SCH_DEBUGGER_VALUE_BYTES];
        sch_debugger_value(dap->subject, words[c][listing->lane], (enum sch_debugger_type)type, value);
        put_variable(listing, forms[type], value, forms[type], NULL);
    }
    if (c + 1 < dap->subject->target->components && c % 2 == 0) {
        char value[SCH_DEBUGGER_VALUE_BYTES];
        sch_debugger_double(words[c][listing->lane], words[c + 1][listing->lane], value);
        put_variable(listing, "double", value, "double", NULL);
    }
    return true;
}

static void list_masks(struct listing *listing)
{
    static const char *const kinds[] = {"IF", "LOOP", "SWITCH", "subroutine"};
    struct sch_dap *dap = listing->dap;
    const struct {
        const char *name;
        uint32_t bits;
    } masks[] = {{"active", dap->stop.active}, {"present", dap->stop.present}, {"helpers", dap->stop.helpers}};
    char name[48], value[64];
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        snprintf(value, sizeof value, "0x%08" PRIx32 " (%d lanes)", masks[i].bits, __builtin_popcount(masks[i].bits));
        put_variable(listing, masks[i].name, value, "mask", NULL);
    }
    for (uint32_t depth = 0; depth < dap->stop.depth; depth++) {
        struct sch_debug_frame frame = {.size = sizeof frame};
        if (sch_debugger_target_get_frame(dap->subject->target, depth, &frame) != SCH_OK) return;
        snprintf(name, sizeof name, "%" PRIu32 " %s", depth,
                 frame.entry ? sch_debugger_entry_name(frame.entry) : kinds[frame.kind]);
        if (frame.entry)
            snprintf(value, sizeof value, "0x%08" PRIx32 " continue at line %" PRIu32, frame.resume,
                     sch_dap_line(dap, frame.target) - 1 + (uint32_t)dap->lines_first);
        else
            snprintf(value, sizeof value, "after it 0x%08" PRIx32 ", waiting 0x%08" PRIx32, frame.resume,
                     frame.waiting);
        put_variable(listing, name, value, "mask", NULL);
    }
    snprintf(value, sizeof value, "%" PRIu64, dap->stop.time);
    put_variable(listing, "time", value, "moment", NULL);
}

static void list_changes(struct listing *listing)
{
    const struct sch_dap *dap = listing->dap;
    struct sch_debug_change change = {.size = sizeof change};
    for (uint32_t n = 0; sch_debugger_target_change_at(dap->subject->target, n, &change); n++) {
        enum sch_debugger_type types[4];
        uint32_t now[4][SCH_DEBUGGER_LANES];
        char of[SCH_DEBUGGER_NAME_BYTES], name[SCH_DEBUGGER_NAME_BYTES + 4];
        if (!(change.lanes >> listing->lane & 1) ||
            sch_debugger_target_read(dap->subject->target, &change.which, now) != SCH_OK)
            continue;
        dap->subject->types(dap->subject->user, &change.which, types);
        if (!sch_debugger_shown_name(dap->subject, &change.which, of)) continue;
        for (unsigned c = 0; c < 4; c++) {
            char before[SCH_DEBUGGER_VALUE_BYTES], after[SCH_DEBUGGER_VALUE_BYTES], value[120];
            if (!(change.channels >> c & 1)) continue;
            const enum sch_debugger_type type = listing->hex ? SCH_DEBUGGER_HEX : types[c];
            sch_debugger_value(dap->subject, change.before[c][listing->lane], type, before);
            sch_debugger_value(dap->subject, now[c][listing->lane], type, after);
            if (dap->subject->target->components == 1)
                snprintf(name, sizeof name, "%s", of);
            else
                snprintf(name, sizeof name, "%s.%c", of, "xyzw"[c]);
            snprintf(value, sizeof value, "%s, was %s", after, before);
            struct json_object *variable = put_variable(listing, name, value, sch_debugger_type_name(types[c]), NULL);
            if (variable) sch_dap_put_text(variable, "evaluateName", name);
        }
    }
}

static void put_memory(struct listing *listing, const char *name, const char *reference, enum sch_dap_kind kind)
{
    const struct sch_dap_reference children = {kind, listing->lane, 0, 0};
    const uint8_t *memory;
    char value[48];
    size_t bytes;
    if (!sch_dap_memory(listing->dap, reference, &memory, &bytes)) return;
    snprintf(value, sizeof value, "%zu bytes", bytes);
    struct json_object *variable = put_variable(listing, name, value, "memory", &children);
    if (!variable) return;
    sch_dap_put_text(variable, "memoryReference", reference);
    sch_dap_put_number(variable, "indexedVariables", (int64_t)(bytes / 4));
}

static void list_words(struct listing *listing, const char *reference)
{
    const uint8_t *memory;
    size_t bytes;
    if (!sch_dap_memory(listing->dap, reference, &memory, &bytes)) return;
    listing->at = listing->first;
    for (size_t at = 4 * (size_t)listing->first; at + 4 <= bytes; at += 4) {
        char name[32], value[SCH_DEBUGGER_VALUE_BYTES];
        uint32_t word;
        memcpy(&word, memory + at, sizeof word);
        snprintf(name, sizeof name, "[%zu]", at);
        sch_debugger_value(listing->dap->subject, word, listing->hex ? SCH_DEBUGGER_HEX : SCH_DEBUGGER_UNKNOWN, value);
        if (!put_variable(listing, name, value, "word", NULL)) return;
    }
}

static bool list(struct listing *listing, const struct sch_dap_reference *reference)
{
    char own[32];
    snprintf(own, sizeof own, "private %" PRIu32, listing->lane);
    switch (reference->kind) {
    case SCH_DAP_FILE:
    case SCH_DAP_LOWERED:
        list_file(listing, reference);
        return true;
    case SCH_DAP_MASKS:
        list_masks(listing);
        return true;
    case SCH_DAP_CHANGES:
        list_changes(listing);
        return true;
    case SCH_DAP_MEMORY:
        put_memory(listing, "shared", "shared", SCH_DAP_SHARED);
        put_memory(listing, "private", own, SCH_DAP_PRIVATE);
        return true;
    case SCH_DAP_SHARED:
    case SCH_DAP_PRIVATE:
        list_words(listing, reference->kind == SCH_DAP_SHARED ? "shared" : own);
        return true;
    default:
        return list_register(listing, reference);
    }
}

bool sch_dap_variables(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    struct sch_dap_reference reference;
    struct listing listing = {.dap = dap, .list = sch_dap_put_list(body, "variables")};
    const char *filter = sch_dap_get_text(arguments, "filter");
    int64_t number, first, count;
    if (!sch_dap_get_number(dap, arguments, "variablesReference", 0, INT32_MAX, 0, &number)) return false;
    if (!sch_dap_get_number(dap, arguments, "start", 0, INT32_MAX, 0, &first)) return false;
    if (!sch_dap_get_number(dap, arguments, "count", 0, INT32_MAX, 0, &count)) return false;
    if (!sch_dap_read_reference(number, &reference) || !(dap->stop.present >> reference.lane & 1))
        return sch_dap_wrong(dap, "there is no such variablesReference");
    listing.lane = reference.lane;
    listing.first = (uint32_t)first;
    listing.wanted = count && count < MOST_VARIABLES ? (uint32_t)count : MOST_VARIABLES;
    listing.hex = sch_dap_get_bool(sch_dap_get_object(arguments, "format"), "hex");
    const bool indexed = reference.kind == SCH_DAP_SHARED || reference.kind == SCH_DAP_PRIVATE;
    if (filter && strcmp(filter, indexed ? "named" : "indexed") == 0) return true;
    return list(&listing, &reference) || sch_dap_wrong(dap, "there is no such variablesReference");
}
