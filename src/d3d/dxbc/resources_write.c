/* Writing the chunk RDEF: the tables first, names after them. Where they are is ours; what they say is the same. */
#include "d3d/dxbc/container.h"

#include <string.h>

enum { RD11_SIZES = 7 };

/* What is written: words whose offsets are filled in as the things they name get their places. */
struct tables {
    struct sch_bytes *out;
    size_t base; /* where the chunk's data begins in `out` */
    bool five, spaces;
};

static uint32_t here(const struct tables *t) { return (uint32_t)(t->out->size - t->base); }

static void put(struct tables *t, uint32_t word) { sch_bytes_word(t->out, word); }

static void patch(struct tables *t, uint32_t at, uint32_t word) { sch_bytes_patch_word(t->out, t->base + at, word); }

static uint32_t write_name(struct tables *t, const char *name)
{
    uint32_t at = here(t);
    sch_bytes_append(t->out, name, strlen(name) + 1);
    sch_bytes_pad(t->out, 0xab);
    return at;
}

/* A word that is patched when it is known. */
static void hold(struct tables *t) { put(t, 0); }

/* A type, its members after it; returns its place. */
static uint32_t write_type(struct tables *t, const struct sch_d3d_type *type)
{
    uint32_t at = here(t), members = (uint32_t)type->member_count;
    put(t, type->kind | type->base << 16);
    put(t, type->rows | type->columns << 16);
    put(t, type->elements | members << 16);
    put(t, 0);
    if (t->five)
        for (unsigned i = 0; i < 5; i++) put(t, 0);
    if (t->five && *type->name) patch(t, at + 32, write_name(t, type->name));
    if (!members) return at;
    uint32_t first = here(t);
    patch(t, at + 12, first);
    for (uint32_t i = 0; i < members; i++) {
        hold(t);
        hold(t);
        put(t, type->members[i].offset);
    }
    for (uint32_t i = 0; i < members && t->out->status == SCH_OK; i++) {
        patch(t, first + 12 * i, write_name(t, type->members[i].name));
        patch(t, first + 12 * i + 4, write_type(t, &type->members[i].type));
    }
    return at;
}

static void write_variables(struct tables *t, const struct sch_d3d_constant_buffer *buffer, uint32_t row)
{
    uint32_t first = here(t), stride = t->five ? 40 : 24;
    patch(t, row + 8, first);
    for (size_t i = 0; i < buffer->variable_count; i++) {
        const struct sch_d3d_variable *variable = &buffer->variables[i];
        hold(t);
        put(t, variable->start);
        put(t, variable->size);
        put(t, variable->flags);
        hold(t);
        put(t, 0);
        for (unsigned k = 0; t->five && k < 4; k++) put(t, k % 2 ? 0 : UINT32_MAX); /* no textures, no samplers */
    }
    for (size_t i = 0; i < buffer->variable_count && t->out->status == SCH_OK; i++) {
        const struct sch_d3d_variable *variable = &buffer->variables[i];
        uint32_t at = first + (uint32_t)i * stride;
        patch(t, at, write_name(t, variable->name));
        patch(t, at + 16, write_type(t, &variable->type));
        if (!variable->value_count) continue;
        patch(t, at + 20, here(t));
        for (size_t k = 0; k < variable->value_count; k++) put(t, variable->value[k]);
    }
}

static void write_bindings(struct tables *t, const struct sch_d3d_resources *resources)
{
    uint32_t first = here(t), stride = t->spaces ? 40 : 32;
    patch(t, 12, first);
    for (size_t i = 0; i < resources->binding_count; i++) {
        const struct sch_d3d_binding *binding = &resources->bindings[i];
        hold(t);
        put(t, binding->kind);
        put(t, binding->return_type);
        put(t, binding->dimension);
        put(t, binding->samples);
        put(t, binding->slot);
        put(t, binding->count);
        put(t, binding->flags);
        if (!t->spaces) continue;
        put(t, binding->space);
        put(t, binding->id);
    }
    for (size_t i = 0; i < resources->binding_count; i++)
        patch(t, first + (uint32_t)i * stride, write_name(t, resources->bindings[i].name));
}

static void write_buffers(struct tables *t, const struct sch_d3d_resources *resources)
{
    uint32_t first = here(t);
    patch(t, 4, first);
    for (size_t i = 0; i < resources->buffer_count; i++) {
        const struct sch_d3d_constant_buffer *buffer = &resources->buffers[i];
        hold(t);
        put(t, (uint32_t)buffer->variable_count);
        hold(t);
        put(t, buffer->size);
        put(t, buffer->flags);
        put(t, buffer->kind);
    }
    for (size_t i = 0; i < resources->buffer_count && t->out->status == SCH_OK; i++) {
        uint32_t row = first + (uint32_t)i * 24;
        patch(t, row, write_name(t, resources->buffers[i].name));
        write_variables(t, &resources->buffers[i], row);
    }
}

void sch_d3d_resources_write(struct sch_bytes *out, const struct sch_d3d_resources *resources)
{
    uint32_t version = resources->target & 0xffff;
    struct tables t = {.out = out, .base = out->size, .five = version >= 0x500, .spaces = version >= 0x501};
    put(&t, (uint32_t)resources->buffer_count);
    hold(&t);
    put(&t, (uint32_t)resources->binding_count);
    hold(&t);
    put(&t, resources->target);
    put(&t, resources->flags);
    hold(&t);
    if (t.five) {
        const uint32_t sizes[RD11_SIZES] = {60, 24, t.spaces ? 40 : 32, 40, 36, 12, 0};
        put(&t, t.spaces ? SCH_D3D_RD11_5_1 : SCH_D3D_RD11);
        for (unsigned i = 0; i < RD11_SIZES; i++) put(&t, sizes[i]);
    }
    write_bindings(&t, resources);
    write_buffers(&t, resources);
    patch(&t, 24, write_name(&t, resources->creator));
}
