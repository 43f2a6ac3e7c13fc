/* What moves texels without a program: transfers to and from the client's memory, copies, blits, clears of textures. */
#include <string.h>

#include "client.h"
#include "protocol.h"
#include "record.h"

/* ---- transfers ---- */

/* The client's memory of a transfer: where it begins, and how much there is from there on. */
struct place {
    uint8_t *data;
    size_t bytes;
};

static bool find_place(struct sch_virgl *virgl, const struct sch_virgl_resource *memory, uint64_t offset,
                       struct place *place)
{
    if (!memory->memory) return sch_virgl_refuse(virgl, "the resource has no memory of the client");
    if (offset > memory->memory_bytes)
        return sch_virgl_refuse(virgl, "offset %llu is beyond %zu bytes", (unsigned long long)offset,
                                memory->memory_bytes);
    *place = (struct place){memory->memory + offset, memory->memory_bytes - (size_t)offset};
    return true;
}

static uint32_t of_level(uint32_t side, uint32_t level) { return side >> level ? side >> level : 1; }

/* Rows and layers of the whole level, where the transfer names no strides. */
static bool make_transfer(struct sch_virgl *virgl, const struct sch_virgl_resource *resource,
                          const struct sch_virgl_transfer *asked, struct sch_transfer *made)
{
    const struct sch_format_info *facts = &resource->facts;
    const struct sch_virgl_box *box = &asked->box;
    const uint32_t most = INT32_MAX;
    if (asked->level > resource->as_asked.last_level)
        return sch_virgl_refuse(virgl, "there is no level %u", asked->level);
    if (box->x > most || box->y > most || box->z > most || box->width > most || box->height > most || box->depth > most)
        return sch_virgl_refuse(virgl, "a box with a side or corner beyond 2^31");
    *made = (struct sch_transfer){.size = sizeof *made,
                                  .level = asked->level,
                                  .box = {(int32_t)box->x, (int32_t)box->y, (int32_t)box->z, (int32_t)box->width,
                                          (int32_t)box->height, (int32_t)box->depth},
                                  .row_bytes = asked->row_bytes,
                                  .slice_bytes = asked->layer_bytes};
    if (!facts->block_bytes) return sch_virgl_refuse(virgl, "a format without texels");
    const size_t columns =
        (of_level(resource->as_asked.width, asked->level) + facts->block_width - 1) / facts->block_width;
    const size_t rows =
        (of_level(resource->as_asked.height, asked->level) + facts->block_height - 1) / facts->block_height;
    if (!made->row_bytes) made->row_bytes = columns * facts->block_bytes;
    if (!made->slice_bytes) made->slice_bytes = rows * made->row_bytes;
    return true;
}

static bool put(struct sch_virgl *virgl, struct sch_virgl_resource *to, const struct sch_virgl_transfer *asked,
                const struct place *from, enum sch_result *result)
{
    struct sch_transfer transfer;
    *result = SCH_ERROR_ARGUMENT;
    if (!make_transfer(virgl, to, asked, &transfer)) return false;
    const struct sch_moving_options moving = sch_virgl_moving(virgl);
    transfer.moving = &moving;
    virgl->counts.transfers++;
    *result = sch_resource_write(to->resource, &transfer, from->data, from->bytes, sch_virgl_list(virgl));
    return sch_virgl_end_move(virgl, *result, "transfer");
}

/* What a client reads of a texture is an answer of its program, as frames are. */
static void show_read(struct sch_virgl *virgl, const struct sch_virgl_resource *from,
                      const struct sch_virgl_transfer *asked, const struct sch_transfer *done, const struct place *to)
{
    const struct sch_virgl_box *box = &asked->box;
    if (!from->as_asked.target || !box->width || !box->height || !box->depth) return; /* 0: BUFFER */
    const struct sch_virgl_read read = {.number = virgl->counts.reads++,
                                        .resource = asked->resource,
                                        .level = asked->level,
                                        .width = box->width,
                                        .height = box->height,
                                        .depth = box->depth,
                                        .format = from->format,
                                        .texels = to->data,
                                        .row_bytes = done->row_bytes,
                                        .slice_bytes = done->slice_bytes};
    if (virgl->frame_callbacks.read) virgl->frame_callbacks.read(virgl->frame_callbacks.user, &read);
}

static bool get(struct sch_virgl *virgl, const struct sch_virgl_resource *from, const struct sch_virgl_transfer *asked,
                const struct place *to, enum sch_result *result)
{
    struct sch_transfer transfer;
    *result = SCH_ERROR_ARGUMENT;
    if (!make_transfer(virgl, from, asked, &transfer)) return false;
    const struct sch_moving_options moving = sch_virgl_moving(virgl);
    transfer.moving = &moving;
    virgl->counts.transfers++;
    *result = sch_resource_read(from->resource, &transfer, to->data, to->bytes, sch_virgl_list(virgl));
    if (*result == SCH_OK) show_read(virgl, from, asked, &transfer, to);
    return sch_virgl_end_move(virgl, *result, "transfer");
}

static enum sch_result move(struct sch_virgl *virgl, const struct sch_virgl_transfer *asked, bool to_client)
{
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, asked->resource);
    struct place place = {0};
    enum sch_result result = SCH_ERROR_ARGUMENT;
    if (!resource || !find_place(virgl, resource, asked->offset, &place)) return result;
    if (to_client)
        get(virgl, resource, asked, &place, &result);
    else
        put(virgl, resource, asked, &place, &result);
    return result;
}

enum sch_result sch_virgl_transfer_put(struct sch_virgl *virgl, const struct sch_virgl_transfer *asked)
{
    sch_virgl_record_transfer(virgl, SCH_VIRGL_RECORD_PUT, asked);
    return sch_virgl_count(virgl, SCH_VIRGL_LOST_TRANSFER, move(virgl, asked, false));
}

static void show(struct sch_virgl *virgl, uint32_t handle)
{
    const struct sch_virgl_resource *resource = sch_virgl_map_get(&virgl->resources, handle);
    if (!(resource->as_asked.bind & SCH_VIRGL_BIND_DISPLAY_TARGET)) return;
    const struct sch_virgl_frame frame = {.number = virgl->counts.frames++,
                                          .resource = handle,
                                          .width = resource->as_asked.width,
                                          .height = resource->as_asked.height,
                                          .format = resource->format,
                                          .texels = resource->memory,
                                          .bytes = resource->memory_bytes};
    if (virgl->frame_callbacks.show) virgl->frame_callbacks.show(virgl->frame_callbacks.user, &frame);
}

enum sch_result sch_virgl_transfer_get(struct sch_virgl *virgl, const struct sch_virgl_transfer *asked)
{
    sch_virgl_record_transfer(virgl, SCH_VIRGL_RECORD_GET, asked);
    const enum sch_result result = sch_virgl_count(virgl, SCH_VIRGL_LOST_TRANSFER, move(virgl, asked, true));
    if (result == SCH_OK) show(virgl, asked->resource);
    return result;
}

bool sch_virgl_transfer(struct sch_virgl *virgl, const struct command *command)
{
    struct sch_virgl_transfer transfer = sch_virgl_read_transfer(command->words);
    transfer.offset = command->words[11];
    if (command->words[12] == SCH_VIRGL_TO_HOST) return move(virgl, &transfer, false) == SCH_OK;
    if (command->words[12] == SCH_VIRGL_FROM_HOST) return move(virgl, &transfer, true) == SCH_OK;
    return sch_virgl_refuse(virgl, "there is no direction %u", command->words[12]);
}

bool sch_virgl_inline_write(struct sch_virgl *virgl, const struct command *command)
{
    enum { DATA = 11 };
    const struct sch_virgl_transfer transfer = sch_virgl_read_transfer(command->words);
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, transfer.resource);
    const struct place place = {(uint8_t *)(uintptr_t)(command->words + DATA),
                                (command->count - DATA) * sizeof *command->words};
    enum sch_result result;
    return resource && put(virgl, resource, &transfer, &place, &result);
}

/* To a resource, from the client's memory of another one; or back. */
bool sch_virgl_copy_transfer(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t *words = command->words;
    const struct sch_virgl_transfer transfer = sch_virgl_read_transfer(words);
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, transfer.resource);
    const struct sch_virgl_resource *staging = resource ? sch_virgl_resource_find(virgl, words[11]) : NULL;
    struct place place = {0};
    enum sch_result result;
    if (!staging || !find_place(virgl, staging, words[12], &place)) return false;
    if (words[13] & SCH_VIRGL_READ_FROM_HOST) return get(virgl, resource, &transfer, &place, &result);
    return put(virgl, resource, &transfer, &place, &result);
}

/* ---- copies, blits, clears ---- */

static struct sch_box signed_box(const uint32_t *words)
{
    return (struct sch_box){(int32_t)words[0], (int32_t)words[1], (int32_t)words[2],
                            (int32_t)words[3], (int32_t)words[4], (int32_t)words[5]};
}

bool sch_virgl_copy_region(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t *words = command->words;
    struct sch_virgl_resource *to = sch_virgl_resource_find(virgl, words[0]);
    const struct sch_virgl_resource *from = to ? sch_virgl_resource_find(virgl, words[5]) : NULL;
    if (!from) return false;
    const struct sch_moving_options moving = sch_virgl_moving(virgl);
    const struct sch_copy copy = {.size = sizeof copy,
                                  .level = words[1],
                                  .x = (int32_t)words[2],
                                  .y = (int32_t)words[3],
                                  .z = (int32_t)words[4],
                                  .source_level = words[6],
                                  .source = signed_box(words + 7),
                                  .moving = &moving};
    return sch_virgl_end_move(virgl, sch_resource_copy(to->resource, from->resource, &copy, sch_virgl_list(virgl)),
                              "copy");
}

bool sch_virgl_blit(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t *words = command->words, flags = words[0];
    struct sch_virgl_resource *to = sch_virgl_resource_find(virgl, words[3]);
    const struct sch_virgl_resource *from = to ? sch_virgl_resource_find(virgl, words[12]) : NULL;
    if (!from) return false;
    if (sch_virgl_bits(flags, 12, 1)) return sch_virgl_refuse(virgl, "blits do not blend");
    if (sch_virgl_bits(flags, 8, 2) > SCH_FILTER_LINEAR)
        return sch_virgl_refuse(virgl, "no such filter in 0x%08x", flags);
    const struct sch_moving_options moving = sch_virgl_moving(virgl);
    const struct sch_blit blit = {
        .size = sizeof blit,
        .parts = sch_virgl_bits(flags, 0, 6),
        .filter = (enum sch_filter)sch_virgl_bits(flags, 8, 2),
        .scissored = sch_virgl_bits(flags, 10, 1),
        .scissor = {(int32_t)sch_virgl_bits(words[1], 0, 16), (int32_t)sch_virgl_bits(words[1], 16, 16),
                    (int32_t)sch_virgl_bits(words[2], 0, 16), (int32_t)sch_virgl_bits(words[2], 16, 16)},
        .level = words[4],
        .format = sch_virgl_format(words[5]),
        .box = signed_box(words + 6),
        .source_level = words[13],
        .source_format = sch_virgl_format(words[14]),
        .source = signed_box(words + 15),
        .moving = &moving};
    if (blit.format == SCH_FORMAT_NONE || blit.source_format == SCH_FORMAT_NONE)
        return sch_virgl_refuse(virgl, "no format %u or %u", words[5], words[14]);
    if (!blit.parts) return true;
    return sch_virgl_end_move(virgl,
                              sch_renderer_blit(virgl->sub->renderer, to->resource, from->resource, &blit,
                                                sch_virgl_bits(flags, 11, 1), sch_virgl_list(virgl)),
                              "blit");
}

bool sch_virgl_clear_texture(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t *words = command->words;
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, words[0]);
    if (!resource) return false;
    if (resource->facts.block_bytes > 4 * sizeof *words)
        return sch_virgl_refuse(virgl, "a block of more than 16 bytes");
    const struct sch_moving_options moving = sch_virgl_moving(virgl);
    const struct sch_clear clear = {.size = sizeof clear,
                                    .level = words[1],
                                    .box = signed_box(words + 2),
                                    .block = words + 8,
                                    .block_bytes = resource->facts.block_bytes,
                                    .moving = &moving};
    return sch_virgl_end_move(virgl, sch_resource_clear(resource->resource, &clear, sch_virgl_list(virgl)), "clear");
}
