/* See wire.h. */
#include "wire.h"
#include "../support/system.h"
#include "../support/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = SCH_DEBUGGER_HEADER_BYTES + SCH_DEBUGGER_MESSAGE_BYTES };

bool sch_debugger_wire_begin(struct sch_debugger_wire *wire, int in, int out)
{
    *wire = (struct sch_debugger_wire){.in = in, .out = out, .data = malloc(ROOM)};
    return wire->data != NULL;
}

void sch_debugger_wire_release(struct sch_debugger_wire *wire) { free(wire->data); }

static void drop(struct sch_debugger_wire *wire, size_t bytes)
{
    wire->held -= bytes;
    memmove(wire->data, wire->data + bytes, wire->held);
}

void sch_debugger_wire_read(struct sch_debugger_wire *wire)
{
    const ssize_t got = read(wire->in, wire->data + wire->held, ROOM - wire->held);
    if (got > 0)
        wire->held += (size_t)got;
    else if (got == 0 || errno != EINTR)
        wire->ended = true;
    const size_t skipped = wire->skipped < wire->held ? (size_t)wire->skipped : wire->held;
    wire->skipped -= skipped;
    drop(wire, skipped);
}

/* ---- taking ---- */

/* The length that a line of the header says. No other line is taken for one: a browser's request is not a message. */
static bool read_length(const char *line, uint64_t *length)
{
    static const char name[] = "Content-Length:";
    if (strncmp(line, name, sizeof name - 1) != 0) return false;
    const char *at = line + sizeof name - 1;
    while (*at == ' ') at++;
    if (!isdigit((unsigned char)*at)) return false;
    for (*length = 0; isdigit((unsigned char)*at); at++) {
        *length = *length * 10 + (uint64_t)(*at - '0');
        if (*length > UINT32_MAX) return false;
    }
    return strncmp(at, "\r\n", 2) == 0;
}

static struct json_object *parse(const char *text, size_t length, const char **problem)
{
    struct json_tokener *tokener = json_tokener_new_ex(SCH_DEBUGGER_NESTING);
    struct json_object *made = NULL;
    *problem = "there is no memory for it";
    if (!tokener) return NULL;
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    made = json_tokener_parse_ex(tokener, text, (int)length);
    const enum json_tokener_error error = json_tokener_get_error(tokener);
    *problem = error == json_tokener_continue ? "it is not whole JSON" : json_tokener_error_desc(error);
    if (error == json_tokener_success && json_tokener_get_parse_end(tokener) != length) {
        *problem = "there is something after its JSON";
        json_object_put(made);
        made = NULL;
    }
    json_tokener_free(tokener);
    if (made && json_object_is_type(made, json_type_object)) return made;
    if (made) *problem = "it is not an object of JSON";
    json_object_put(made);
    return NULL;
}

enum sch_debugger_got sch_debugger_wire_take(struct sch_debugger_wire *wire, struct json_object **message,
                                             const char **problem)
{
    static const char end[] = "\r\n\r\n";
    uint64_t length;
    char line[64];
    *message = NULL;
    const char *behind = memmem(wire->data, wire->held, end, sizeof end - 1);
    if (!behind && wire->held < SCH_DEBUGGER_HEADER_BYTES &&
        (wire->held < 16 || memcmp(wire->data, "Content-Length:", 15) == 0))
        return SCH_DEBUGGER_NOTHING;
    snprintf(line, sizeof line, "%.*s", (int)(behind ? behind + 4 - wire->data : 0), wire->data);
    *problem = "there is no header Content-Length";
    if (!behind || behind + 4 - wire->data >= (ptrdiff_t)sizeof line || !read_length(line, &length))
        return SCH_DEBUGGER_NO_HEADER;
    const size_t header = (size_t)(behind + 4 - wire->data);
    if (strchr(line, '\r') != line + header - 4) return SCH_DEBUGGER_NO_HEADER;
    if (length > SCH_DEBUGGER_MESSAGE_BYTES) {
        *problem = "a message has at most 262144 bytes";
        wire->skipped = length;
        drop(wire, header);
        const size_t there = wire->skipped < wire->held ? (size_t)wire->skipped : wire->held;
        wire->skipped -= there;
        drop(wire, there);
        return SCH_DEBUGGER_BAD;
    }
    if (wire->held - header < length) return SCH_DEBUGGER_NOTHING;
    *message = parse(wire->data + header, (size_t)length, problem);
    drop(wire, header + (size_t)length);
    return *message ? SCH_DEBUGGER_MESSAGE : SCH_DEBUGGER_BAD;
}

/* ---- writing ---- */

void sch_debugger_wire_write(struct sch_debugger_wire *wire, struct json_object *message)
{
    char header[64];
    size_t bytes;
    json_object_object_add(message, "seq", json_object_new_int64((int64_t)++wire->sequence));
    const char *text =
        json_object_to_json_string_length(message, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &bytes);
    const int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", bytes);
    if (!text || !sch_write_all(wire->out, header, (size_t)length) || !sch_write_all(wire->out, text, bytes))
        wire->ended = true;
    json_object_put(message);
}

struct json_object *sch_debugger_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    for (size_t i = 0; i < length;) {
        const size_t bytes = sch_text_character(copy + i, length - i);
        if (!bytes) copy[i] = '?';
        i += bytes ? bytes : 1;
    }
    struct json_object *made = json_object_new_string_len(copy, (int)length);
    free(copy);
    return made;
}
