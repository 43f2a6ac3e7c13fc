/* Registers and memory for editors: references that stand for them, their text, and what expressions give. */
#include "dap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "value.h"

/* ---- references ---- */

enum { LANE_BITS = 5, KIND_BITS = 4, CHANNEL_BITS = 2, ITEM_BITS = 20 };

int64_t sch_dap_reference(const struct sch_dap_reference *reference)
{
    uint32_t number = reference->item;
    number = number << CHANNEL_BITS | reference->channel;
    number = number << KIND_BITS | reference->kind;
    return (int64_t)(number << LANE_BITS | reference->lane);
}

bool sch_dap_read_reference(int64_t number, struct sch_dap_reference *reference)
{
    if (number <= 0 || number > INT32_MAX) return false;
    const uint32_t bits = (uint32_t)number;
    const uint32_t kind = bits >> LANE_BITS & ((1 << KIND_BITS) - 1);
    *reference = (struct sch_dap_reference){(enum sch_dap_kind)kind, bits & ((1 << LANE_BITS) - 1),
                                            bits >> (LANE_BITS + KIND_BITS) & ((1 << CHANNEL_BITS) - 1),
                                            bits >> (LANE_BITS + KIND_BITS + CHANNEL_BITS)};
    return kind >= SCH_DAP_FILE && kind <= SCH_DAP_LOWERED;
}

/* ---- text ---- */

void sch_dap_print_register(const struct sch_dap *dap, const struct sch_debug_register *which, uint32_t lane, bool hex,
                            char text[256])
{
    uint32_t words[4][SCH_DEBUGGER_LANES];
    enum sch_debugger_type types[4];
    size_t at = 0;
    text[0] = 0;
    if (sch_debugger_target_read(dap->subject->target, which, words) != SCH_OK) return;
    dap->subject->types(dap->subject->user, which, types);
    for (unsigned c = 0; c < dap->subject->target->components; c++) {
        char value[SCH_DEBUGGER_VALUE_BYTES];
        sch_debugger_value(dap->subject, words[c][lane], hex ? SCH_DEBUGGER_HEX : types[c], value);
        at += (size_t)snprintf(text + at, 256 - at, "%s%s", c ? ", " : "", value);
    }
}

enum sch_dap_kind sch_dap_kind_of_registers(const struct sch_dap *dap)
{
    return dap->subject->target->components == 1 ? SCH_DAP_COMPONENT : SCH_DAP_REGISTER;
}

/* ---- evaluate ---- */

/* What a value is shown as, after a comma: TEMP[0].x,h. */
static bool read_format(const char *text, enum sch_debugger_type *type)
{
    static const struct {
        char letter;
        enum sch_debugger_type type;
    } letters[] = {{'h', SCH_DEBUGGER_HEX}, {'x', SCH_DEBUGGER_HEX}, {'f', SCH_DEBUGGER_FLOAT},
                   {'d', SCH_DEBUGGER_INT}, {'i', SCH_DEBUGGER_INT}, {'u', SCH_DEBUGGER_UINT}};
    *type = SCH_DEBUGGER_UNKNOWN;
    if (!*text) return true;
    for (size_t i = 0; *text == ',' && text[1] && !text[2] && i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == text[1]) *type = letters[i].type;
    return *type != SCH_DEBUGGER_UNKNOWN;
}

static uint32_t position_of(const struct sch_dap *dap, const struct sch_debug_register *which)
{
    struct sch_debug_register at;
    for (uint32_t n = 0; n < 1u << ITEM_BITS && sch_debugger_target_register_at(dap->subject->target, n, &at); n++)
        if (at.file == which->file && at.dimension == which->dimension && at.index == which->index) return n;
    return UINT32_MAX;
}

static bool evaluate_register(struct sch_dap *dap, const char *text, uint32_t lane, bool hex, struct json_object *body)
{
    struct sch_debugger_operand operand;
    enum sch_debugger_type format, types[4];
    uint32_t words[4][SCH_DEBUGGER_LANES];
    char all[256];
    size_t at = 0;
    if (!sch_debugger_read_operand(dap->subject, &text, &operand) || !read_format(text, &format)) return false;
    if (sch_debugger_target_read(dap->subject->target, &operand.which, words) != SCH_OK) return false;
    dap->subject->types(dap->subject->user, &operand.which, types);
    for (unsigned n = 0; n < operand.count; n++) {
        const unsigned c = operand.channel[n];
        char value[SCH_DEBUGGER_VALUE_BYTES];
        sch_debugger_value(dap->subject, words[c][lane], format ? format : hex ? SCH_DEBUGGER_HEX : types[c], value);
        at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", n ? ", " : "", value);
    }
    const uint32_t position = operand.plain ? position_of(dap, &operand.which) : UINT32_MAX;
    const struct sch_dap_reference reference = {sch_dap_kind_of_registers(dap), lane, 0, position};
    sch_dap_put_text(body, "result", all);
    sch_dap_put_text(body, "type", operand.count == 1 ? sch_debugger_type_name(types[operand.channel[0]]) : "register");
    sch_dap_put_number(body, "variablesReference", position == UINT32_MAX ? 0 : sch_dap_reference(&reference));
    return true;
}

/* shared[N], private[N]: the word at byte N. */
static bool evaluate_memory(struct sch_dap *dap, const char *text, uint32_t lane, struct json_object *body)
{
    const uint8_t *memory;
    char name[32], rest, value[SCH_DEBUGGER_VALUE_BYTES];
    unsigned at;
    size_t bytes;
    uint32_t word;
    if (sscanf(text, "%8[a-z][%9u]%c", name, &at, &rest) != 2) return false;
    if (strcmp(name, "private") == 0) snprintf(name, sizeof name, "private %" PRIu32, lane);
    if (!sch_dap_memory(dap, name, &memory, &bytes) || bytes < 4 || at > bytes - 4) return false;
    memcpy(&word, memory + at, sizeof word);
    sch_debugger_value(dap->subject, word, SCH_DEBUGGER_HEX, value);
    sch_dap_put_text(body, "result", value);
    sch_dap_put_number(body, "variablesReference", 0);
    return true;
}

static bool evaluate_fact(struct sch_dap *dap, const char *text, struct json_object *body)
{
    const struct {
        const char *name;
        uint64_t value;
    } facts[] = {{"time", dap->stop.time},
                 {"present", dap->stop.present},
                 {"helpers", dap->stop.helpers},
                 {"active", dap->stop.active}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        char value[32];
        if (strcmp(text, facts[i].name) != 0) continue;
        snprintf(value, sizeof value, i == 0 ? "%" PRIu64 : "0x%08" PRIx64, facts[i].value);
        sch_dap_put_text(body, "result", value);
        sch_dap_put_number(body, "variablesReference", 0);
        return true;
    }
    return false;
}

/* What the texture lookup did that the group has executed last. */
static bool evaluate_lookup(struct sch_dap *dap, uint32_t lane, struct json_object *body)
{
    struct sch_explanation *explanation;
    struct sch_explanation_info info = {.size = sizeof info};
    struct sch_footprint_texel texel = {.size = sizeof texel};
    char text[4096];
    size_t at;
    if (sch_debugger_target_explain(dap->subject->target, lane, &explanation) != SCH_OK)
        return sch_dap_wrong(dap, "the last instruction of the lane was not a texture lookup");
    sch_explanation_get_info(explanation, &info);
    at = (size_t)snprintf(text, sizeof text, "level of detail %g, %" PRIu32 " texels", (double)info.lod,
                          info.texel_count);
    for (uint32_t n = 0; at + 100 < sizeof text && sch_explanation_texel(explanation, n, &texel); n++)
        at += (size_t)snprintf(text + at, sizeof text - at, "\nlevel %u texel %d,%d,%d weight %g",
                               (unsigned)texel.level, (int)texel.x, (int)texel.y, (int)texel.z, (double)texel.weight);
    sch_explanation_destroy(explanation);
    sch_dap_put_text(body, "result", text);
    sch_dap_put_number(body, "variablesReference", 0);
    return true;
}

/* seek N: to a moment, where people type commands. */
static bool seek(struct sch_dap *dap, const char *text, struct json_object *body)
{
    char *end;
    const uint64_t time = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end) return sch_dap_wrong(dap, "seek N goes to moment N");
    dap->plan = (struct sch_dap_plan){.step = SCH_DEBUG_RUN, .lane = UINT32_MAX, .seeks = true, .time = time};
    sch_dap_put_text(body, "result", "");
    sch_dap_put_number(body, "variablesReference", 0);
    dap->then = SCH_DAP_MOVE;
    return true;
}

bool sch_dap_evaluate(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    const char *given = sch_dap_get_text(arguments, "expression"), *context = sch_dap_get_text(arguments, "context");
    char text[128];
    int64_t frame;
    uint32_t lane = dap->lane;
    if (!given) return sch_dap_wrong(dap, "expression is missing");
    if (!sch_dap_get_number(dap, arguments, "frameId", 0, INT32_MAX, -1, &frame)) return false;
    if (frame >= 0) lane = (uint32_t)frame % SCH_DEBUGGER_LANES;
    if (!(dap->stop.present >> lane & 1)) return sch_dap_wrong(dap, "the group has no such lane");
    snprintf(text, sizeof text, "%s", given + strspn(given, " \t"));
    for (size_t end = strlen(text); end && strchr(" \t\n", text[end - 1]);) text[--end] = 0;
    const bool hex = sch_dap_get_bool(sch_dap_get_object(arguments, "format"), "hex");
    if (context && strcmp(context, "repl") == 0 && strncmp(text, "seek ", 5) == 0) return seek(dap, text + 5, body);
    if (strcmp(text, "lookup") == 0) return evaluate_lookup(dap, lane, body);
    if (evaluate_fact(dap, text, body) || evaluate_memory(dap, text, lane, body) ||
        evaluate_register(dap, text, lane, hex, body))
        return true;
    return sch_dap_wrong(dap,
                         "%.60s is not a register of the program; TEMP[0], OUT[1].xy, CONST[0][2].x,h, shared[16], "
                         "time, active and lookup can be asked for",
                         text);
}
