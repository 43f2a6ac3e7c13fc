/* See protocol/wire.h. */
#include "protocol/wire.h"

void sch_wire_release(struct sch_wire *wire)
{
    sch_bytes_release(&wire->bytes);
    *wire = (struct sch_wire){.bytes = wire->bytes};
}

void sch_wire_bytes(struct sch_wire *wire, void *field, size_t bytes)
{
    if (wire->failed || !bytes) return;
    if (wire->reading) {
        if (wire->bytes.size - wire->at < bytes) {
            wire->failed = true;
            return;
        }
        memcpy(field, wire->bytes.data + wire->at, bytes);
        wire->at += bytes;
        return;
    }
    sch_bytes_append(&wire->bytes, field, bytes);
    wire->failed = wire->bytes.status != SCH_OK;
}

void sch_wire_block(struct sch_wire *wire, struct sch_wire_block *block, size_t most)
{
    uint64_t size = block->size;
    SCH_WIRE(wire, size, most);
    if (wire->failed) return;
    if (!wire->reading) {
        sch_wire_bytes(wire, (void *)block->bytes, block->size);
        return;
    }
    if (size > wire->bytes.size - wire->at) {
        wire->failed = true;
        return;
    }
    *block = (struct sch_wire_block){.bytes = wire->bytes.data + wire->at, .size = (size_t)size};
    wire->at += (size_t)size;
}
