/* Texts and bytes for editors: the source, the program as disassembly, memory, and what an exception is. */
#include "dap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSTRUCTIONS = 4096, MOST_BYTES = 1 << 16 };

/* ---- places ---- */

void sch_dap_address(uint32_t instruction, char text[16])
{
    snprintf(text, 16, "0x%08" PRIx32, SCH_DAP_PROGRAM_AT + instruction);
}

bool sch_dap_read_address(const char *text, uint32_t *instruction)
{
    char *end;
    const unsigned long long address = strtoull(text, &end, 16);
    *instruction = (uint32_t)(address - SCH_DAP_PROGRAM_AT);
    return strncmp(text, "0x", 2) == 0 && !*end && address >= SCH_DAP_PROGRAM_AT && address < INT32_MAX;
}

bool sch_dap_in_source(const struct sch_dap *dap, uint32_t instruction)
{
    return dap->subject->source && instruction < dap->lines.count && dap->lines.source[instruction];
}

uint32_t sch_dap_line(const struct sch_dap *dap, uint32_t instruction)
{
    if (sch_dap_in_source(dap, instruction)) return dap->lines.source[instruction];
    return dap->lines.program[instruction < dap->lines.count ? instruction : dap->lines.count];
}

void sch_dap_put_source(const struct sch_dap *dap, struct json_object *to, const char *member, bool program)
{
    struct json_object *source = sch_dap_put_object(to, member);
    const char *slash = strrchr(dap->subject->name, '/');
    char name[200];
    snprintf(name, sizeof name, "%.160s%s", slash ? slash + 1 : dap->subject->name, program ? " (program)" : "");
    sch_dap_put_text(source, "name", name);
    if (!program && dap->subject->path)
        sch_dap_put_text(source, "path", dap->subject->path);
    else
        sch_dap_put_number(source, "sourceReference", program ? SCH_DAP_PROGRAM : SCH_DAP_TEXT);
}

/* ---- source ---- */

bool sch_dap_source(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    int64_t reference, inner;
    struct json_object *source = sch_dap_get_object(arguments, "source");
    if (!sch_dap_get_number(dap, arguments, "sourceReference", 0, INT32_MAX, 0, &reference)) return false;
    if (!sch_dap_get_number(dap, source, "sourceReference", 0, INT32_MAX, reference, &inner)) return false;
    if (inner < 0 || inner > SCH_DAP_TEXT) return sch_dap_wrong(dap, "there is no such source");
    const char *text = inner == SCH_DAP_PROGRAM ? dap->subject->program : dap->subject->source;
    if (!text) return sch_dap_wrong(dap, "the source is not a text");
    sch_dap_put_text(body, "content", text);
    return true;
}

/* ---- disassembly ---- */

static void put_instruction(const struct sch_dap *dap, int64_t number, bool symbols, struct json_object *list)
{
    struct json_object *told = sch_dap_put_object(list, NULL);
    char address[24];
    uint32_t length;
    snprintf(address, sizeof address, "0x%08" PRIx64, (uint64_t)(number + SCH_DAP_PROGRAM_AT));
    sch_dap_put_text(told, "address", address);
    if (number < 0 || number >= dap->lines.count) {
        sch_dap_put_text(told, "instruction", "");
        sch_dap_put_text(told, "presentationHint", "invalid");
        return;
    }
    const char *text = sch_debugger_instruction(dap->subject, (uint32_t)number, &length);
    sch_dap_put_bytes(told, "instruction", text, length);
    if (!symbols || !sch_dap_in_source(dap, (uint32_t)number)) return;
    sch_dap_put_source(dap, told, "location", false);
    sch_dap_put_number(told, "line", sch_dap_line(dap, (uint32_t)number) - 1 + dap->lines_first);
}

bool sch_dap_disassemble(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    const char *reference = sch_dap_get_text(arguments, "memoryReference");
    int64_t offset, first, count;
    uint32_t at;
    if (!reference || !sch_dap_read_address(reference, &at))
        return sch_dap_wrong(dap, "memoryReference is not an address of the program");
    if (!sch_dap_get_number(dap, arguments, "offset", -INT32_MAX, INT32_MAX, 0, &offset)) return false;
    if (!sch_dap_get_number(dap, arguments, "instructionOffset", -SCH_DAP_PROGRAM_AT / 2, INT32_MAX, 0, &first))
        return false;
    if (!sch_dap_get_number(dap, arguments, "instructionCount", 0, MOST_INSTRUCTIONS, -1, &count)) return false;
    if (count < 0) return sch_dap_wrong(dap, "instructionCount is missing");
    if ((int64_t)at + offset + first < -SCH_DAP_PROGRAM_AT) return sch_dap_wrong(dap, "there is no such address");
    struct json_object *list = sch_dap_put_list(body, "instructions");
    for (int64_t n = 0; n < count; n++) put_instruction(dap, (int64_t)at + offset + first + n, true, list);
    return true;
}

/* ---- memory ---- */

bool sch_dap_memory(const struct sch_dap *dap, const char *reference, const uint8_t **memory, size_t *bytes)
{
    unsigned lane;
    char rest;
    *bytes = 0;
    *memory = NULL;
    if (strcmp(reference, "shared") == 0)
        *memory = sch_debugger_target_shared_memory(dap->subject->target, bytes);
    else if (sscanf(reference, "private %2u%c", &lane, &rest) == 1 && lane < SCH_DEBUGGER_LANES &&
             dap->stop.present >> lane & 1)
        *memory = sch_debugger_target_private_memory(dap->subject->target, lane, bytes);
    return *memory != NULL;
}

static void put_base64(struct json_object *to, const char *name, const uint8_t *data, size_t bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc(bytes / 3 * 4 + 5);
    size_t at = 0;
    if (!text) return;
    for (size_t i = 0; i < bytes; i += 3) {
        const size_t left = bytes - i;
        const uint32_t bits =
            (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0);
        text[at++] = digits[bits >> 18];
        text[at++] = digits[bits >> 12 & 63];
        text[at++] = left > 1 ? digits[bits >> 6 & 63] : '=';
        text[at++] = left > 2 ? digits[bits & 63] : '=';
    }
    sch_dap_put_bytes(to, name, text, at);
    free(text);
}

bool sch_dap_read_memory(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    const char *reference = sch_dap_get_text(arguments, "memoryReference");
    const uint8_t *memory;
    char address[32];
    int64_t offset, count;
    size_t bytes;
    if (!reference || !sch_dap_memory(dap, reference, &memory, &bytes))
        return sch_dap_wrong(dap, "there is no such memory: shared, or private and a lane");
    if (!sch_dap_get_number(dap, arguments, "offset", INT32_MIN, INT32_MAX, 0, &offset)) return false;
    if (!sch_dap_get_number(dap, arguments, "count", 0, INT32_MAX, -1, &count)) return false;
    if (count < 0) return sch_dap_wrong(dap, "count is missing");
    const size_t first = offset < 0 || (uint64_t)offset > bytes ? bytes : (size_t)offset;
    const size_t most = bytes - first < MOST_BYTES ? bytes - first : MOST_BYTES;
    const size_t given = (size_t)count < most ? (size_t)count : most;
    snprintf(address, sizeof address, "0x%" PRIx64, (uint64_t)(offset < 0 ? 0 : offset));
    sch_dap_put_text(body, "address", address);
    put_base64(body, "data", memory + first, given);
    if ((size_t)count > given) sch_dap_put_number(body, "unreadableBytes", count - (int64_t)given);
    return true;
}

/* ---- exceptions ---- */

bool sch_dap_exception_info(struct sch_dap *dap, struct json_object *arguments, struct json_object *body)
{
    const struct sch_debugger_event *event;
    const char *id = dap->stop.reason == SCH_DEBUG_FAILED ? "failed" : NULL;
    char text[160];
    (void)arguments;
    for (uint32_t n = 0; dap->stop.reason == SCH_DEBUG_EVENT && !id && (event = sch_debugger_event_at(n)) != NULL; n++)
        if (dap->stop.events & event->bit) id = event->name;
    if (!id) return sch_dap_wrong(dap, "it did not stop at an exception");
    sch_debugger_reason(&dap->stop, text);
    sch_dap_put_text(body, "exceptionId", id);
    sch_dap_put_text(body, "description", text);
    sch_dap_put_text(body, "breakMode", "always");
    return true;
}
