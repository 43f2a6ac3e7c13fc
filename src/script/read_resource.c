/* The lines of resource sections: format, size, stride, levels, offset, and numbers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static const struct {
    const char *name;
    uint8_t channels;
    enum sch_script_number number;
    bool typeless, unknown;
} formats[] = {{"r32g32b32a32-float", 4, SCH_SCRIPT_FLOAT, false, false},
               {"r32g32b32a32-sint", 4, SCH_SCRIPT_SINT, false, false},
               {"r32g32b32a32-uint", 4, SCH_SCRIPT_UINT, false, false},
               {"r32g32-float", 2, SCH_SCRIPT_FLOAT, false, false},
               {"r32g32-sint", 2, SCH_SCRIPT_SINT, false, false},
               {"r32g32-uint", 2, SCH_SCRIPT_UINT, false, false},
               {"r32-float-shadow", 1, SCH_SCRIPT_FLOAT, false, false},
               {"r32-float", 1, SCH_SCRIPT_FLOAT, false, false},
               {"r32-sint", 1, SCH_SCRIPT_SINT, false, false},
               {"r32-uint", 1, SCH_SCRIPT_UINT, false, false},
               {"r32-typeless", 1, SCH_SCRIPT_UINT, true, false},
               {"unknown", 1, SCH_SCRIPT_FLOAT, false, true}};

static const struct {
    const char *name;
    enum sch_script_shape shape;
    unsigned numbers; /* in the order samples, width, height, depth or layers */
    bool samples, layers, depth;
} shapes[] = {{"1darray", SCH_SCRIPT_1D_ARRAY, 2, false, true, false},
              {"1d", SCH_SCRIPT_1D, 1, false, false, false},
              {"cubearray", SCH_SCRIPT_CUBE_ARRAY, 2, false, true, false},
              {"2dms", SCH_SCRIPT_2D_MS, 3, true, false, false},
              {"2darray", SCH_SCRIPT_2D_ARRAY, 3, false, true, false},
              {"2d", SCH_SCRIPT_2D, 2, false, false, false},
              {"3d", SCH_SCRIPT_3D, 3, false, false, true},
              {"cube", SCH_SCRIPT_CUBE, 1, false, false, false},
              {"buffer", SCH_SCRIPT_BUFFER, 1, false, false, false},
              {"raw_buffer", SCH_SCRIPT_RAW_BUFFER, 1, false, false, false},
              {"counter_buffer", SCH_SCRIPT_COUNTER_BUFFER, 1, false, false, false}};

struct sch_script_resource *sch_script_resource_begin(struct sch_script_slot slot)
{
    struct sch_script_resource *resource = calloc(1, sizeof *resource);
    if (!resource) return NULL;
    *resource = (struct sch_script_resource){.kind = slot.kind,
                                             .slot = slot.number,
                                             .channels = slot.kind == SCH_SCRIPT_DSV ? 1 : 4,
                                             .depth = 1,
                                             .layers = 1,
                                             .samples = 1,
                                             .levels = 1};
    return resource;
}

/* A name of the tables, whose letters may be large or small, with dashes or as it is there: r8g8b8a8-unorm. */
int sch_script_format(struct sch_script_text *text)
{
    char name[64];
    size_t bytes = 0;
    sch_cursor_blanks(&text->cursor);
    for (const char *at = text->cursor.at;
         at < text->cursor.end && (isalnum((unsigned char)*at) || *at == '-' || *at == '_'); at++) {
        if (bytes + 1 == sizeof name) return -1;
        name[bytes++] = *at == '-' ? '_' : *at;
    }
    name[bytes] = 0;
    int format = sch_format_by_name(name);
    if (format > 0) text->cursor.at += bytes;
    return format;
}

static void read_format(struct sch_script_text *text, struct sch_script_resource *resource)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!sch_cursor_words(&text->cursor, formats[i].name)) continue;
        /* r32 is not a beginning of r32-float: a word ends before a dash. */
        resource->channels = formats[i].channels;
        resource->number = formats[i].number;
        resource->typeless = formats[i].typeless;
        resource->unknown = formats[i].unknown;
        resource->format = 0;
        return;
    }
    resource->format = sch_script_format(text);
    if (resource->format <= 0) sch_script_refuse(text, "SCRIPT_RESOURCE", "no format that scripts have");
    resource->number = SCH_SCRIPT_UINT; /* words */
    resource->channels = 4;
    resource->typeless = resource->unknown = false;
}

static void read_size(struct sch_script_text *text, struct sch_script_resource *resource)
{
    size_t shape = 0;
    if (!sch_cursor_char(&text->cursor, '(')) {
        sch_script_refuse(text, "SCRIPT_LINE", "( follows size");
        return;
    }
    while (shape < sizeof shapes / sizeof *shapes && !sch_cursor_words(&text->cursor, shapes[shape].name)) shape++;
    if (shape == sizeof shapes / sizeof *shapes) {
        sch_script_refuse(text, "SCRIPT_RESOURCE", "no shape that scripts have");
        return;
    }
    uint32_t numbers[3];
    uint32_t high = shapes[shape].shape >= SCH_SCRIPT_BUFFER ? SCH_SCRIPT_BYTES / 4 : SCH_SCRIPT_SIDE;
    for (unsigned i = 0; i < shapes[shape].numbers; i++) {
        if (!sch_cursor_char(&text->cursor, ',')) {
            sch_script_refuse(text, "SCRIPT_LINE", "%u numbers follow %s, commas between", shapes[shape].numbers,
                              shapes[shape].name);
            return;
        }
        if (!sch_script_uint(text, high, &numbers[i]) || !numbers[i]) {
            sch_script_refuse(text, "SCRIPT_NUMBER", "sizes are 1 to %u", high);
            return;
        }
    }
    if (!sch_cursor_char(&text->cursor, ')')) sch_script_refuse(text, "SCRIPT_LINE", ") ends a size");
    unsigned width = shapes[shape].samples, last = shapes[shape].numbers - 1;
    bool line = shapes[shape].shape == SCH_SCRIPT_1D_ARRAY;
    bool cube = shapes[shape].shape == SCH_SCRIPT_CUBE || shapes[shape].shape == SCH_SCRIPT_CUBE_ARRAY;
    resource->shape = shapes[shape].shape;
    resource->samples = width ? numbers[0] : 1;
    resource->width = numbers[width];
    resource->height = cube ? numbers[0] : last && !line ? numbers[width + 1] : 1;
    resource->layers = (shapes[shape].layers ? numbers[last] : 1) * (cube ? 6 : 1);
    resource->depth = shapes[shape].depth ? numbers[last] : 1;
}

/* Counters are integers; structures hold floats and integers, and a number is what it is written as. */
static enum sch_script_number number_type(struct sch_script_text *text, const struct sch_script_resource *resource)
{
    if (resource->shape == SCH_SCRIPT_COUNTER_BUFFER) return SCH_SCRIPT_UINT;
    if (!resource->stride && !resource->unknown) return resource->number;
    sch_cursor_blanks(&text->cursor);
    const char *at = text->cursor.at;
    bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X'); /* zero ends the text */
    for (; at < text->cursor.end && !strchr(" \t\r,%#", *at); at++)
        if (*at == '.' || (!hexadecimal && strchr("eEnN", *at))) return SCH_SCRIPT_FLOAT;
    return SCH_SCRIPT_SINT;
}

static void read_numbers(struct sch_script_text *text, struct sch_script_resource *resource)
{
    while (!sch_script_at_end(text)) {
        if (resource->count == resource->capacity) {
            size_t capacity = resource->capacity ? resource->capacity * 2 : 64;
            uint32_t *larger = realloc(resource->words, capacity * sizeof *larger);
            if (!larger) {
                text->script->no_memory = true;
                return;
            }
            resource->words = larger;
            resource->capacity = capacity;
        }
        if (!sch_script_word32(text, number_type(text, resource), &resource->words[resource->count])) {
            sch_script_refuse(text, "SCRIPT_LINE",
                              resource->number == SCH_SCRIPT_FLOAT
                                  ? "expected format, size, stride, levels, offset or numbers"
                                  : "expected format, size, stride, levels, offset or integers of 32 bits");
            return;
        }
        resource->count++;
        sch_cursor_char(&text->cursor, ',');
    }
}

void sch_script_resource_line(struct sch_script_text *text, struct sch_script_resource *resource)
{
    if (sch_cursor_words(&text->cursor, "format ")) {
        read_format(text, resource);
    } else if (sch_cursor_words(&text->cursor, "size")) {
        read_size(text, resource);
    } else if (sch_cursor_words(&text->cursor, "stride ")) {
        if (!sch_script_uint(text, 2048, &resource->stride) || !resource->stride)
            sch_script_refuse(text, "SCRIPT_NUMBER", "strides are 1 to 2048");
    } else if (sch_cursor_words(&text->cursor, "levels ")) {
        if (!sch_script_uint(text, 15, &resource->levels) || !resource->levels)
            sch_script_refuse(text, "SCRIPT_NUMBER", "levels are 1 to 15");
    } else if (sch_cursor_words(&text->cursor, "offset ")) {
        if (!sch_script_uint(text, SCH_SCRIPT_BYTES, &resource->offset))
            sch_script_refuse(text, "SCRIPT_NUMBER", "an element follows offset: the view's first");
    } else {
        read_numbers(text, resource);
    }
    if (!text->script->errors && !sch_script_at_end(text))
        sch_script_refuse(text, "SCRIPT_LINE", "something follows that does not belong here");
}

static bool is_depth(const struct sch_script_resource *resource)
{
    struct sch_format_info is = {.size = sizeof is};
    if (!resource->format) return resource->channels == 1 && resource->number == SCH_SCRIPT_FLOAT;
    return sch_format_get_info((enum sch_format)resource->format, &is) == SCH_OK && is.depth_bits > 0;
}

void sch_script_resource_end(struct sch_script_text *text, struct sch_script_resource *resource)
{
    bool buffer = sch_script_is_buffer(resource);
    if (resource->kind == SCH_SCRIPT_VB || text->script->errors) return;
    uint32_t side = resource->width > resource->height ? resource->width : resource->height;
    if (resource->depth > side) side = resource->depth;
    const char *problem = NULL;
    if (!resource->width)
        problem = "the resource has no size";
    else if (resource->levels > 1 && (buffer || resource->samples > 1 || side >> (resource->levels - 1) == 0))
        problem = "the resource cannot have so many levels";
    else if (resource->stride && resource->shape != SCH_SCRIPT_BUFFER)
        problem = "only buffers have a stride";
    else if (resource->unknown && !resource->stride)
        problem = "without a format there is a stride";
    else if (resource->offset && ((resource->shape != SCH_SCRIPT_BUFFER && resource->shape != SCH_SCRIPT_RAW_BUFFER) ||
                                  resource->offset >= resource->width))
        problem = "offset is an element of a buffer";
    else if (resource->format && (resource->stride || (buffer && resource->shape != SCH_SCRIPT_BUFFER)))
        problem = "structures, bytes and counters have 32-bit formats";
    else if (resource->kind == SCH_SCRIPT_DSV && !is_depth(resource))
        problem = "a depth buffer is of r32-float or a format of depth";
    else if (resource->samples > 16 || (resource->samples & (resource->samples - 1)))
        problem = "samples are 1, 2, 4, 8 or 16";
    else if (buffer && resource->kind != SCH_SCRIPT_SRV && resource->kind != SCH_SCRIPT_UAV)
        problem = "only srv and uav are buffers";
    else if (sch_script_resource_bytes(resource) > SCH_SCRIPT_BYTES)
        problem = "the resource is larger than 256 MiB";
    else if (!resource->format && resource->count > sch_script_resource_bytes(resource) / 4)
        problem = "more numbers follow than the resource holds";
    if (problem) sch_script_refuse(text, "SCRIPT_RESOURCE", "%s", problem);
}
