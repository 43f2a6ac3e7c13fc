/* The chunks that describe a program to its user: RDEF (bindings, constant buffers), SFI0. None is needed to run
 * it: one that cannot be read is a warning. */
#include "d3d/dxbc/container.h"

#include <string.h>

#include "isa/errors.h"

enum {
    HEADER_BYTES = 28,
    RD11_BYTES = 32, /* "RD11" and seven sizes */
    BUFFER_BYTES = 24,
    BINDING_BYTES = 32,
    BINDING_BYTES_5_1 = 40,
    VARIABLE_BYTES = 24,
    VARIABLE_BYTES_5 = 40,
    TYPE_BYTES = 16,
    TYPE_BYTES_5 = 36,
    TYPE_NAME_AT = 32,
    MEMBER_BYTES = 12,
};

/* Whether the word after the header is the mark of model 5.1: Microsoft's, or the one that Scheelite wrote before it
 * had seen Microsoft's. */
static bool is_mark_5_1(uint32_t mark) { return mark == SCH_D3D_RD11_5_1 || mark == SCH_D3D_TAG('1', '1', 'D', 'R'); }

/* What a reading of RDEF knows on its way. */
struct reader {
    struct sch_arena *arena;
    const struct sch_limits *limits;
    const struct sch_d3d_chunk *chunk;
    struct sch_diagnostics *diagnostics;
    size_t binding_bytes, variable_bytes, type_bytes;
    size_t items; /* variables and members of all buffers: they may share rows, and the limit is for all */
};

static enum sch_result refuse(struct reader *reader, size_t at, const char *message)
{
    return sch_d3d_skip(reader->diagnostics, SCH_D_DXBC_RESOURCES, reader->chunk, at, message);
}

static bool fits(const struct reader *reader, uint32_t at, size_t count, size_t each)
{
    return at <= reader->chunk->bytes && count <= (reader->chunk->bytes - at) / each;
}

static uint32_t word(const struct reader *reader, size_t at) { return sch_word_at(reader->chunk->data + at); }

static enum sch_result read_name(struct reader *reader, size_t at, const char **name)
{
    const char *text = sch_d3d_chunk_string(reader->chunk, word(reader, at));
    if (!text) return refuse(reader, at, "a name is not inside the chunk");
    *name = sch_arena_string(reader->arena, text, strlen(text));
    return *name ? SCH_OK : SCH_ERROR_MEMORY;
}

static enum sch_result read_binding(struct reader *reader, size_t at, struct sch_d3d_binding *binding)
{
    enum sch_result status = read_name(reader, at, &binding->name);
    if (status != SCH_OK) return status;
    binding->kind = word(reader, at + 4);
    binding->return_type = word(reader, at + 8);
    binding->dimension = word(reader, at + 12);
    binding->samples = word(reader, at + 16);
    binding->slot = word(reader, at + 20);
    binding->count = word(reader, at + 24);
    binding->flags = word(reader, at + 28);
    if (reader->binding_bytes == BINDING_BYTES_5_1) {
        binding->space = word(reader, at + 32);
        binding->id = word(reader, at + 36);
    }
    return SCH_OK;
}

static enum sch_result count_items(struct reader *reader, size_t at, size_t count)
{
    reader->items += count;
    if (!reader->limits->declarations || reader->items <= reader->limits->declarations) return SCH_OK;
    return refuse(reader, at, "it has more variables than the limits allow");
}

static enum sch_result read_type(struct reader *reader, size_t from, uint32_t at, unsigned depth,
                                 struct sch_d3d_type *type);

static enum sch_result read_members(struct reader *reader, uint32_t at, uint32_t count, unsigned depth,
                                    struct sch_d3d_type *type)
{
    uint32_t first = word(reader, at + 12);
    if (!fits(reader, first, count, MEMBER_BYTES)) return refuse(reader, at, "members are not inside the chunk");
    if (depth == SCH_D3D_TYPE_DEPTH) return refuse(reader, at, "structures are nested too deep");
    enum sch_result status = count_items(reader, at, count);
    if (status != SCH_OK) return status;
    type->members = SCH_ARENA_ARRAY(reader->arena, struct sch_d3d_member, count);
    if (!type->members) return SCH_ERROR_MEMORY;
    type->member_count = count;
    for (uint32_t i = 0; i < count && status == SCH_OK; i++) {
        struct sch_d3d_member *member = &type->members[i];
        size_t place = first + (size_t)i * MEMBER_BYTES;
        status = read_name(reader, place, &member->name);
        member->offset = word(reader, place + 8);
        if (status == SCH_OK) status = read_type(reader, place + 4, word(reader, place + 4), depth + 1, &member->type);
    }
    return status;
}

/* The type at `at`, which the word at `from` names. */
static enum sch_result read_type(struct reader *reader, size_t from, uint32_t at, unsigned depth,
                                 struct sch_d3d_type *type)
{
    if (!fits(reader, at, 1, reader->type_bytes)) return refuse(reader, from, "a type is not inside the chunk");
    uint32_t words[3];
    for (unsigned i = 0; i < 3; i++) words[i] = word(reader, at + (size_t)4 * i);
    *type = (struct sch_d3d_type){.kind = words[0] & 0xffff,
                                  .base = words[0] >> 16,
                                  .rows = words[1] & 0xffff,
                                  .columns = words[1] >> 16,
                                  .elements = words[2] & 0xffff,
                                  .name = ""};
    if (reader->type_bytes == TYPE_BYTES_5 && word(reader, at + TYPE_NAME_AT)) {
        enum sch_result status = read_name(reader, at + TYPE_NAME_AT, &type->name);
        if (status != SCH_OK) return status;
    }
    return words[2] >> 16 ? read_members(reader, at, words[2] >> 16, depth, type) : SCH_OK;
}

/* The default: as many words as the variable has. */
static enum sch_result read_value(struct reader *reader, size_t from, struct sch_d3d_variable *variable)
{
    uint32_t at = word(reader, from);
    size_t count = variable->size / 4;
    if (!at || !count) return SCH_OK;
    if (!fits(reader, at, count, 4)) return refuse(reader, from, "a default value is not inside the chunk");
    enum sch_result status = count_items(reader, from, count);
    if (status != SCH_OK) return status;
    variable->value = SCH_ARENA_ARRAY(reader->arena, uint32_t, count);
    if (!variable->value) return SCH_ERROR_MEMORY;
    variable->value_count = count;
    for (size_t i = 0; i < count; i++) variable->value[i] = word(reader, at + (size_t)4 * i);
    return SCH_OK;
}

static enum sch_result read_variable(struct reader *reader, size_t at, struct sch_d3d_variable *variable)
{
    enum sch_result status = read_name(reader, at, &variable->name);
    if (status != SCH_OK) return status;
    variable->start = word(reader, at + 4);
    variable->size = word(reader, at + 8);
    variable->flags = word(reader, at + 12);
    status = read_type(reader, at + 16, word(reader, at + 16), 0, &variable->type);
    return status == SCH_OK ? read_value(reader, at + 20, variable) : status;
}

static enum sch_result read_buffer(struct reader *reader, size_t at, struct sch_d3d_constant_buffer *buffer)
{
    enum sch_result status = read_name(reader, at, &buffer->name);
    if (status != SCH_OK) return status;
    uint32_t count = word(reader, at + 4), first = word(reader, at + 8);
    buffer->size = word(reader, at + 12);
    buffer->flags = word(reader, at + 16);
    buffer->kind = word(reader, at + 20);
    if (!fits(reader, first, count, reader->variable_bytes))
        return refuse(reader, at + 4, "a constant buffer's variables are not inside the chunk");
    status = count_items(reader, at + 4, count);
    if (status != SCH_OK) return status;
    buffer->variables = SCH_ARENA_ARRAY(reader->arena, struct sch_d3d_variable, count ? count : 1);
    if (!buffer->variables) return SCH_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        status = read_variable(reader, first + i * reader->variable_bytes, &buffer->variables[i]);
        if (status != SCH_OK) return status;
    }
    buffer->variable_count = count;
    return SCH_OK;
}

static enum sch_result read_tables(struct reader *reader, struct sch_d3d_resources *resources)
{
    uint32_t buffers = word(reader, 0), buffers_at = word(reader, 4);
    uint32_t bindings = word(reader, 8), bindings_at = word(reader, 12);
    if (!fits(reader, buffers_at, buffers, BUFFER_BYTES))
        return refuse(reader, 0, "the constant buffers are not inside the chunk");
    if (!fits(reader, bindings_at, bindings, reader->binding_bytes))
        return refuse(reader, 8, "the bindings are not inside the chunk");
    resources->bindings = SCH_ARENA_ARRAY(reader->arena, struct sch_d3d_binding, bindings ? bindings : 1);
    resources->buffers = SCH_ARENA_ARRAY(reader->arena, struct sch_d3d_constant_buffer, buffers ? buffers : 1);
    if (!resources->bindings || !resources->buffers) return SCH_ERROR_MEMORY;
    for (uint32_t i = 0; i < bindings; i++) {
        enum sch_result status = read_binding(reader, bindings_at + i * reader->binding_bytes, &resources->bindings[i]);
        if (status != SCH_OK) return status;
    }
    resources->binding_count = bindings;
    for (uint32_t i = 0; i < buffers; i++) {
        enum sch_result status = read_buffer(reader, buffers_at + (size_t)i * BUFFER_BYTES, &resources->buffers[i]);
        if (status != SCH_OK) return status;
    }
    resources->buffer_count = buffers;
    return SCH_OK;
}

enum sch_result sch_d3d_resources_read(struct sch_arena *arena, const struct sch_limits *limits,
                                       const struct sch_d3d_chunk *chunk, struct sch_diagnostics *diagnostics,
                                       struct sch_d3d_resources *resources)
{
    *resources = (struct sch_d3d_resources){.creator = ""};
    struct reader reader = {.arena = arena,
                            .limits = limits,
                            .chunk = chunk,
                            .diagnostics = diagnostics,
                            .binding_bytes = BINDING_BYTES,
                            .variable_bytes = VARIABLE_BYTES,
                            .type_bytes = TYPE_BYTES};
    if (chunk->bytes < HEADER_BYTES) return refuse(&reader, 0, "the header is cut off");
    resources->target = word(&reader, 16);
    resources->flags = word(&reader, 20);
    enum sch_result status = read_name(&reader, 24, &resources->creator);
    if (status != SCH_OK) return status;
    if ((resources->target >> 8 & 0xff) >= 5 && chunk->bytes >= HEADER_BYTES + RD11_BYTES) {
        uint32_t mark = word(&reader, HEADER_BYTES);
        if (mark == SCH_D3D_RD11 || is_mark_5_1(mark)) {
            reader.variable_bytes = VARIABLE_BYTES_5;
            reader.type_bytes = TYPE_BYTES_5;
        }
        if (is_mark_5_1(mark)) reader.binding_bytes = BINDING_BYTES_5_1;
    }
    return read_tables(&reader, resources);
}

enum sch_result sch_d3d_features_read(const struct sch_d3d_chunk *chunk, struct sch_diagnostics *diagnostics,
                                      uint64_t *features)
{
    *features = 0;
    if (chunk->bytes < 8)
        return sch_d3d_skip(diagnostics, SCH_D_DXBC_STATISTICS, chunk, 0, "the features have 64 bits");
    *features = sch_word_at(chunk->data) | (uint64_t)sch_word_at(chunk->data + 4) << 32;
    return SCH_OK;
}
