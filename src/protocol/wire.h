/* Bytes that one process of the same build writes and another reads: a walk over fields does both, so that what is
 * written and what is read are one list. Whoever reads trusts nothing: each number is checked against the most that it
 * may be, each count against what is left. Holds no message (protocol/message.h). */
#ifndef SCH_PROTOCOL_WIRE_H
#define SCH_PROTOCOL_WIRE_H

#include <string.h>

#include "base/bytes.h"

/* Zero but for the allocator of its bytes: to be written. With bytes of somebody else, who keeps them, and `reading`:
 * to be read. */
struct sch_wire {
    struct sch_bytes bytes;
    size_t at; /* reading: how many were read */
    bool reading;
    bool failed; /* memory is out, or what is read is not a message; nothing is written or read any more */
};

/* Releases its memory; what is left is empty, to be written. */
void sch_wire_release(struct sch_wire *wire);

/* `width` bytes of an unsigned number, or of bits that are taken as one. */
static inline void sch_wire_number(struct sch_wire *wire, void *field, size_t width, uint64_t most)
{
    uint64_t value = 0;
    if (wire->failed) return;
    if (!wire->reading) {
        memcpy(&value, field, width); /* x86-64 and aarch64 have low bytes first */
        if (value <= most) sch_bytes_append(&wire->bytes, &value, width);
        wire->failed = value > most || wire->bytes.status != SCH_OK;
        return;
    }
    if (wire->bytes.size - wire->at < width) {
        wire->failed = true;
        return;
    }
    memcpy(&value, wire->bytes.data + wire->at, width);
    wire->at += width;
    if (value > most)
        wire->failed = true;
    else
        memcpy(field, &value, width);
}

#define SCH_WIRE(wire, field, most) sch_wire_number((wire), &(field), sizeof(field), (most))
#define SCH_WIRE_BOOL(wire, field)  SCH_WIRE(wire, field, 1)
#define SCH_WIRE_ANY(wire, field)   SCH_WIRE(wire, field, UINT64_MAX)

/* An array of bytes of a fixed size. */
void sch_wire_bytes(struct sch_wire *wire, void *field, size_t bytes);

/* A count of bytes and these; what is read is in the message. */
struct sch_wire_block {
    const void *bytes;
    size_t size;
};
void sch_wire_block(struct sch_wire *wire, struct sch_wire_block *block, size_t most);

#endif
