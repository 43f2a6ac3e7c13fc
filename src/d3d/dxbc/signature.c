/* Signature chunks: elements with names, and the three layouts that they come in. */
#include "d3d/dxbc/shader.h"

#include <string.h>

#include "isa/errors.h"

/* ISGN and its like have six words an element; OSG5 has the stream first; the "1" forms have the minimum precision
 * last, too. */
struct layout {
    uint32_t tag;
    bool stream, precision;
};

static const struct layout layouts[] = {
    {SCH_D3D_TAG('I', 'S', 'G', 'N'), false, false}, {SCH_D3D_TAG('O', 'S', 'G', 'N'), false, false},
    {SCH_D3D_TAG('P', 'C', 'S', 'G'), false, false}, {SCH_D3D_TAG('O', 'S', 'G', '5'), true, false},
    {SCH_D3D_TAG('I', 'S', 'G', '1'), true, true},   {SCH_D3D_TAG('O', 'S', 'G', '1'), true, true},
    {SCH_D3D_TAG('P', 'S', 'G', '1'), true, true},
};

enum { HEADER_BYTES = 8, PLAIN_BYTES = 24 };

static const struct layout *find_layout(uint32_t tag)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].tag == tag) return &layouts[i];
    return NULL;
}

static size_t element_bytes(const struct layout *layout)
{
    return PLAIN_BYTES + (layout->stream ? 4 : 0) + (layout->precision ? 4 : 0);
}

bool sch_d3d_is_signature(uint32_t tag) { return find_layout(tag) != NULL; }

static enum sch_result read_element(struct sch_arena *arena, const struct sch_d3d_chunk *chunk,
                                    const struct layout *layout, size_t offset, struct sch_diagnostics *diagnostics,
                                    struct sch_d3d_signature_element *element)
{
    const unsigned char *at = chunk->data + offset;
    if (layout->stream) {
        element->stream = sch_word_at(at);
        at += 4;
    }
    const char *name = sch_d3d_chunk_string(chunk, sch_word_at(at));
    if (!name)
        return sch_d3d_refuse(diagnostics, SCH_D_DXBC_SIGNATURE, chunk, (size_t)(at - chunk->data),
                              "an element's name is not inside the chunk");
    element->name = sch_arena_string(arena, name, strlen(name));
    if (!element->name) return SCH_ERROR_MEMORY;
    element->index = sch_word_at(at + 4);
    element->system_value = sch_word_at(at + 8);
    element->component_type = sch_word_at(at + 12);
    element->reg = sch_word_at(at + 16);
    element->mask = at[20];
    element->used = at[21];
    if (layout->precision) element->min_precision = sch_word_at(at + 24);
    return SCH_OK;
}

enum sch_result sch_d3d_signature_read(struct sch_arena *arena, const struct sch_d3d_chunk *chunk,
                                       struct sch_diagnostics *diagnostics, struct sch_d3d_signature *signature)
{
    *signature = (struct sch_d3d_signature){.tag = chunk->tag};
    const struct layout *layout = find_layout(chunk->tag);
    if (!layout || chunk->bytes < HEADER_BYTES)
        return sch_d3d_refuse(diagnostics, SCH_D_DXBC_SIGNATURE, chunk, 0, "the signature's header is cut off");
    size_t stride = element_bytes(layout);
    uint32_t count = sch_word_at(chunk->data), first = sch_word_at(chunk->data + 4);
    if (first < HEADER_BYTES || first > chunk->bytes)
        return sch_d3d_refuse(diagnostics, SCH_D_DXBC_SIGNATURE, chunk, 4, "the elements begin outside of the chunk");
    if (count > (chunk->bytes - first) / stride)
        return sch_d3d_refuse(diagnostics, SCH_D_DXBC_SIGNATURE, chunk, 0, "%u elements do not fit into the chunk",
                              count);
    signature->elements = SCH_ARENA_ARRAY(arena, struct sch_d3d_signature_element, count ? count : 1);
    if (!signature->elements) return SCH_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        enum sch_result status =
            read_element(arena, chunk, layout, first + i * stride, diagnostics, &signature->elements[i]);
        if (status != SCH_OK) return status;
    }
    signature->count = count;
    return SCH_OK;
}

bool sch_d3d_signature_fits(const struct sch_d3d_signature *signature, uint32_t tag)
{
    const struct layout *layout = find_layout(tag);
    if (!layout) return false;
    for (size_t i = 0; i < signature->count; i++) {
        const struct sch_d3d_signature_element *element = &signature->elements[i];
        if (element->stream && !layout->stream) return false;
        if (element->min_precision && !layout->precision) return false;
    }
    return true;
}

/* The first element that has the name of element `of`. */
static size_t first_of_name(const struct sch_d3d_signature *signature, size_t of)
{
    size_t same = 0;
    while (strcmp(signature->elements[same].name, signature->elements[of].name)) same++;
    return same;
}

/* Where each element's name comes after the elements; `offsets` has one number an element. */
static void lay_out_names(const struct sch_d3d_signature *signature, size_t *offsets)
{
    size_t offset = 0;
    for (size_t i = 0; i < signature->count; i++) {
        size_t first = first_of_name(signature, i);
        offsets[i] = first == i ? offset : offsets[first];
        if (first == i) offset += strlen(signature->elements[i].name) + 1;
    }
}

static void write_element(struct sch_bytes *out, const struct layout *layout,
                          const struct sch_d3d_signature_element *element, size_t name)
{
    if (layout->stream) sch_bytes_word(out, element->stream);
    sch_bytes_word(out, (uint32_t)name);
    sch_bytes_word(out, element->index);
    sch_bytes_word(out, element->system_value);
    sch_bytes_word(out, element->component_type);
    sch_bytes_word(out, element->reg);
    sch_bytes_word(out, element->mask | (uint32_t)element->used << 8);
    if (layout->precision) sch_bytes_word(out, element->min_precision);
}

void sch_d3d_signature_write(struct sch_bytes *out, const struct sch_d3d_signature *signature)
{
    const struct layout *layout = find_layout(signature->tag);
    size_t names = HEADER_BYTES + element_bytes(layout) * signature->count;
    size_t *offsets = out->allocator->alloc(out->allocator->user, (signature->count + 1) * sizeof *offsets);
    if (!offsets) {
        out->status = SCH_ERROR_MEMORY;
        return;
    }
    lay_out_names(signature, offsets);
    sch_bytes_word(out, (uint32_t)signature->count);
    sch_bytes_word(out, HEADER_BYTES);
    for (size_t i = 0; i < signature->count; i++)
        write_element(out, layout, &signature->elements[i], names + offsets[i]);
    for (size_t i = 0; i < signature->count; i++)
        if (first_of_name(signature, i) == i)
            sch_bytes_append(out, signature->elements[i].name, strlen(signature->elements[i].name) + 1);
    out->allocator->free(out->allocator->user, offsets);
    sch_bytes_pad(out, 0xab);
}

bool sch_d3d_is_written(uint8_t stage, enum sch_signature_kind kind)
{
    return kind == SCH_SIGNATURE_OUTPUT || (kind == SCH_SIGNATURE_PATCH_CONSTANT && stage == SCH_D3D_HULL);
}

uint32_t sch_d3d_system_value(const struct sch_d3d_signature_element *element, uint8_t stage,
                              enum sch_signature_kind kind)
{
    if (element->system_value || stage != SCH_D3D_PIXEL || kind != SCH_SIGNATURE_OUTPUT) return element->system_value;
    const struct sch_d3d_word *word = sch_d3d_word_find(SCH_D3D_WORDS_SEMANTIC, element->name, strlen(element->name));
    return word ? word->number : 0;
}
