/* See native/wire.h. */
#include "native/wire.h"

enum { FIRST_BYTES = 1024 };

bool sch_wire_grow(struct sch_wire *wire, size_t bytes)
{
    size_t wanted = wire->capacity ? wire->capacity : FIRST_BYTES;
    while (wanted - wire->size < bytes) wanted *= 2;
    uint8_t *larger = wire->allocator.alloc(wire->allocator.user, wanted);
    if (!larger) return false;
    if (wire->size) memcpy(larger, wire->bytes, wire->size);
    if (wire->bytes) wire->allocator.free(wire->allocator.user, wire->bytes);
    wire->bytes = larger;
    wire->capacity = wanted;
    return true;
}

void sch_wire_release(struct sch_wire *wire)
{
    if (wire->bytes) wire->allocator.free(wire->allocator.user, wire->bytes);
    *wire = (struct sch_wire){.allocator = wire->allocator};
}

void sch_wire_bytes(struct sch_wire *wire, void *field, size_t bytes)
{
    if (wire->failed || !bytes) return;
    if (wire->reading) {
        if (wire->size - wire->at < bytes) {
            wire->failed = true;
            return;
        }
        memcpy(field, wire->bytes + wire->at, bytes);
        wire->at += bytes;
        return;
    }
    if (wire->capacity - wire->size < bytes && !sch_wire_grow(wire, bytes)) {
        wire->failed = true;
        return;
    }
    memcpy(wire->bytes + wire->size, field, bytes);
    wire->size += bytes;
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
    if (size > wire->size - wire->at) {
        wire->failed = true;
        return;
    }
    *block = (struct sch_wire_block){.bytes = wire->bytes + wire->at, .size = (size_t)size};
    wire->at += (size_t)size;
}
