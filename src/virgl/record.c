/* Writes recordings: see record.h. */
#include "record.h"

#include <string.h>

#include "protocol.h"

/* ---- records ---- */

static void write_bytes(struct sch_virgl *virgl, const void *data, size_t bytes)
{
    const struct sch_virgl_sink *sink = &virgl->sink;
    if (sink->write && bytes && !sink->write(sink->user, data, bytes)) virgl->sink.write = NULL;
}

/* A record of two pieces. */
static void write_record(struct sch_virgl *virgl, enum sch_virgl_record_kind kind, const void *head, size_t head_bytes,
                         const void *rest, size_t rest_bytes)
{
    static const uint8_t filling[4];
    const uint32_t start[2] = {kind, (uint32_t)(head_bytes + rest_bytes)};
    write_bytes(virgl, start, sizeof start);
    write_bytes(virgl, head, head_bytes);
    write_bytes(virgl, rest, rest_bytes);
    write_bytes(virgl, filling, -start[1] % 4);
}

void sch_virgl_record(struct sch_virgl *virgl, const struct sch_virgl_sink *sink)
{
    const struct sch_virgl_record_header header = {.name = "SCHVIRGL", .version = SCH_VIRGL_RECORDING_VERSION};
    virgl->sink = *sink;
    write_bytes(virgl, &header, sizeof header);
}

void sch_virgl_record_create(struct sch_virgl *virgl, uint32_t handle, const struct sch_virgl_resource_options *options)
{
    if (virgl->sink.write)
        write_record(virgl, SCH_VIRGL_RECORD_CREATE, &handle, sizeof handle, options, sizeof *options);
}

void sch_virgl_record_attach(struct sch_virgl *virgl, uint32_t handle, size_t bytes)
{
    const uint32_t words[2] = {handle, (uint32_t)bytes};
    if (virgl->sink.write) write_record(virgl, SCH_VIRGL_RECORD_ATTACH, words, sizeof words, NULL, 0);
}

void sch_virgl_record_destroy(struct sch_virgl *virgl, uint32_t handle)
{
    if (virgl->sink.write) write_record(virgl, SCH_VIRGL_RECORD_DESTROY, &handle, sizeof handle, NULL, 0);
}

/* ---- the client's memory ---- */

/* What a transfer to the resource reads: from its offset on to the end of the last row, or of the memory. */
static size_t span_of(const struct sch_virgl_resource *resource, const struct sch_virgl_transfer *transfer, size_t room)
{
    const struct sch_format_info *facts = &resource->facts;
    const struct sch_virgl_box *box = &transfer->box;
    if (!facts->block_bytes || transfer->level > 31 || !box->width || !box->height || !box->depth) return 0;
    const uint64_t columns = (resource->as_asked.width >> transfer->level) / facts->block_width + 1;
    const uint64_t rows = (resource->as_asked.height >> transfer->level) / facts->block_height + 1;
    const uint64_t row = transfer->row_bytes ? transfer->row_bytes : columns * facts->block_bytes;
    const uint64_t layer = transfer->layer_bytes ? transfer->layer_bytes : rows * row;
    const double most = (double)(box->depth - 1) * (double)layer + (double)box->height * (double)row +
                        ((double)box->width / facts->block_width + 1) * facts->block_bytes;
    return most < (double)room ? (size_t)most : room;
}

static void write_memory(struct sch_virgl *virgl, uint32_t handle, const struct sch_virgl_transfer *transfer,
                         uint32_t offset)
{
    const struct sch_virgl_resource *to = sch_virgl_map_get(&virgl->resources, transfer->resource);
    const struct sch_virgl_resource *from = sch_virgl_map_get(&virgl->resources, handle);
    const uint32_t words[2] = {handle, offset};
    if (!to || !from || !from->memory || offset >= from->memory_bytes) return;
    write_record(virgl, SCH_VIRGL_RECORD_MEMORY, words, sizeof words, from->memory + offset,
                 span_of(to, transfer, from->memory_bytes - offset));
}

void sch_virgl_record_transfer(struct sch_virgl *virgl, enum sch_virgl_record_kind kind,
                               const struct sch_virgl_transfer *transfer)
{
    const struct sch_virgl_record_transfer words = {transfer->resource,    transfer->level,
                                                    transfer->box,         transfer->row_bytes,
                                                    transfer->layer_bytes, (uint32_t)transfer->offset};
    if (!virgl->sink.write) return;
    if (kind == SCH_VIRGL_RECORD_PUT) write_memory(virgl, transfer->resource, transfer, words.offset);
    write_record(virgl, kind, &words, sizeof words, NULL, 0);
}

/* Commands that read the client's memory. */
static void write_memory_of(struct sch_virgl *virgl, uint32_t header, const uint32_t *words)
{
    const uint32_t number = header & 0xff, count = header >> 16;
    if (number == SCH_VIRGL_TRANSFER3D && count == 13 && words[12] == SCH_VIRGL_TO_HOST) {
        const struct sch_virgl_transfer transfer = sch_virgl_read_transfer(words);
        write_memory(virgl, transfer.resource, &transfer, words[11]);
    }
    if (number == SCH_VIRGL_COPY_TRANSFER3D && count == 14 && !(words[13] & SCH_VIRGL_READ_FROM_HOST)) {
        const struct sch_virgl_transfer transfer = sch_virgl_read_transfer(words);
        write_memory(virgl, words[11], &transfer, words[12]);
    }
}

void sch_virgl_record_submit(struct sch_virgl *virgl, const uint32_t *words, size_t count)
{
    if (!virgl->sink.write) return;
    for (size_t at = 0; at < count && words[at] >> 16 <= count - at - 1; at += 1 + (words[at] >> 16))
        write_memory_of(virgl, words[at], words + at + 1);
    write_record(virgl, SCH_VIRGL_RECORD_SUBMIT, words, count * sizeof *words, NULL, 0);
}
