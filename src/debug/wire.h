/* Messages of the Debug Adapter Protocol on descriptors: a header, Content-Length, and so many bytes of JSON. Holds
 * nothing of what they mean. */
#ifndef SCH_DEBUGGER_WIRE_H
#define SCH_DEBUGGER_WIRE_H

#include <json-c/json.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SCH_DEBUGGER_HEADER_BYTES = 1024,
    SCH_DEBUGGER_MESSAGE_BYTES =
        1 << 18, /* of JSON, whose objects take hundreds of times as many; larger ones are skipped */
    SCH_DEBUGGER_NESTING = 32
};

struct sch_debugger_wire {
    int in, out;
    char *data; /* what came and was not taken yet */
    size_t held;
    uint64_t skipped; /* bytes of a message that is too large, which are yet to come */
    uint64_t sequence;
    bool ended; /* no more comes, or the reader is gone */
};

bool sch_debugger_wire_begin(struct sch_debugger_wire *wire, int in, int out);
void sch_debugger_wire_release(struct sch_debugger_wire *wire);

/* Reads what is there, waiting for something. */
void sch_debugger_wire_read(struct sch_debugger_wire *wire);

enum sch_debugger_got {
    SCH_DEBUGGER_NOTHING,  /* more has to be read */
    SCH_DEBUGGER_MESSAGE,  /* an object of JSON: the caller's */
    SCH_DEBUGGER_BAD,      /* not a message: why is in `problem`; the next one can be read */
    SCH_DEBUGGER_NO_HEADER /* no header: where the next message begins is unknown */
};
enum sch_debugger_got sch_debugger_wire_take(struct sch_debugger_wire *wire, struct json_object **message,
                                             const char **problem);

/* Writes a message, with its number, and releases it. */
void sch_debugger_wire_write(struct sch_debugger_wire *wire, struct json_object *message);

/* Text as JSON, of which bytes that are not UTF-8 become question marks. NULL: no memory. */
struct json_object *sch_debugger_text(const char *text, size_t length);

#endif
