/* mesh NAME { attributes, vertices { rows }, indices { numbers } }, or an OBJ file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "data.h"

/* An attribute: so many numbers of a type. */
struct attribute {
    const struct sch_scene_type *type;
    unsigned count;
};

struct mesh_reader {
    struct sch_scene_mesh *mesh;
    struct attribute attributes[SCH_SCENE_ATTRIBUTES];
    bool has_vertices;
};

/* float3, ubyte4_norm, short2_scaled: R32G32B32_FLOAT, R8G8B8A8_UNORM, R16G16_SSCALED. */
static enum sch_format format_of(const struct attribute *attribute, const char *suffix)
{
    static const char letters[] = "RGBA";
    const bool floats = attribute->type->kind == SCH_SCENE_IEEE;
    const char *sign = attribute->type->kind == SCH_SCENE_SIGNED ? "S" : "U", *ending = NULL;
    char name[40] = "";
    for (unsigned i = 0; i < attribute->count; i++)
        sch_text_add(name, sizeof name, "%c%u", letters[i], attribute->type->bytes * 8);
    if (!*suffix)
        ending = floats ? "FLOAT" : "INT";
    else if (!floats)
        ending = strcmp(suffix, "_norm") == 0 ? "NORM" : strcmp(suffix, "_scaled") == 0 ? "SCALED" : NULL;
    if (!ending) return SCH_FORMAT_NONE;
    sch_text_add(name, sizeof name, "_%s%s", floats ? "" : sign, ending);
    return sch_format_by_name(name);
}

/* The type that a word names, and its format. */
static enum sch_format take_type(const struct sch_scene_token *token, struct attribute *attribute)
{
    char word[32] = "";
    if (token->kind == SCH_SCENE_ATOM && token->bytes < sizeof word) memcpy(word, token->text, token->bytes);
    for (unsigned i = 0; i < SCH_SCENE_TYPES; i++) {
        const size_t bytes = strlen(sch_scene_types[i].word);
        if (strncmp(word, sch_scene_types[i].word, bytes) != 0) continue;
        const char *rest = word + bytes;
        *attribute = (struct attribute){&sch_scene_types[i], 1};
        if (*rest >= '2' && *rest <= '4') attribute->count = (unsigned)(*rest++ - '0');
        const enum sch_format format = format_of(attribute, rest);
        if (format != SCH_FORMAT_NONE) return format;
    }
    return SCH_FORMAT_NONE;
}

static void read_attribute(struct sch_scene_text *text, struct mesh_reader *reader)
{
    struct sch_scene_mesh *mesh = reader->mesh;
    if (reader->has_vertices) {
        sch_scene_refuse(text, "SCENE_WORD", "only indices follow the vertices of a mesh");
        return;
    }
    if (mesh->attribute_count == SCH_SCENE_ATTRIBUTES) {
        sch_scene_refuse(text, "SCENE_LIMIT", "a mesh has at most %d attributes", SCH_SCENE_ATTRIBUTES);
        return;
    }
    if (text->token.kind != SCH_SCENE_ATOM) {
        sch_scene_refuse(text, "SCENE_SYNTAX", "expected an attribute, vertices or indices");
        return;
    }
    sch_scene_next(text); /* the name is for readers */
    struct attribute *attribute = &reader->attributes[mesh->attribute_count];
    struct sch_vertex_element *element = &mesh->attributes[mesh->attribute_count];
    element->format = take_type(&text->token, attribute);
    if (element->format == SCH_FORMAT_NONE) {
        sch_scene_refuse(text, "SCENE_WORD",
                         "a type is float, half, double, int, uint, short, ushort, byte or ubyte, with 2, 3 or 4 for "
                         "several, and _norm or _scaled after those of integers");
        return;
    }
    sch_scene_next(text);
    element->offset = mesh->stride;
    mesh->stride += attribute->type->bytes * attribute->count;
    mesh->attribute_count++;
    sch_scene_end(text);
}

static bool read_vertex(struct sch_scene_text *text, const struct mesh_reader *reader,
                        struct sch_scene_growing *vertices)
{
    uint8_t bytes[8];
    for (uint32_t a = 0; a < reader->mesh->attribute_count; a++)
        for (unsigned i = 0; i < reader->attributes[a].count; i++) {
            const struct sch_scene_type *type = reader->attributes[a].type;
            sch_scene_skip_lines(text);
            if (!sch_scene_take(text, type, bytes) || !sch_scene_put(text, vertices, bytes, type->bytes)) return false;
        }
    sch_scene_skip_lines(text);
    return !text->wrong;
}

static void read_vertices(struct sch_scene_text *text, struct mesh_reader *reader)
{
    struct sch_scene_growing vertices = {0};
    if (!reader->mesh->attribute_count || reader->has_vertices) {
        sch_scene_refuse(text, "SCENE_VALUE",
                         reader->has_vertices ? "a mesh has its vertices once"
                                              : "the attributes come before the vertices");
        return;
    }
    if (!sch_scene_open(text)) return;
    while (!sch_scene_sign(text, '}'))
        if (!read_vertex(text, reader, &vertices)) break;
    sch_scene_keep(text, &vertices, &reader->mesh->vertices);
    reader->mesh->vertex_count = (uint32_t)(reader->mesh->vertices.bytes / reader->mesh->stride);
    reader->has_vertices = true;
    sch_scene_end(text);
}

static void read_indices(struct sch_scene_text *text, struct sch_scene_mesh *mesh)
{
    static const struct sch_scene_type type = {"uint", SCH_SCENE_UNSIGNED, 4};
    struct sch_scene_growing indices = {0};
    struct sch_scene_bytes kept;
    uint8_t bytes[8];
    if (mesh->indices) {
        sch_scene_refuse(text, "SCENE_VALUE", "a mesh has its indices once");
        return;
    }
    if (!sch_scene_open(text)) return;
    while (!sch_scene_sign(text, '}')) {
        if (!sch_scene_take(text, &type, bytes) || !sch_scene_put(text, &indices, bytes, 4)) break;
        sch_scene_skip_lines(text);
    }
    sch_scene_keep(text, &indices, &kept);
    mesh->indices = (uint32_t *)(void *)kept.data; /* the scene's memory is aligned for them */
    mesh->index_count = (uint32_t)(kept.bytes / 4);
    sch_scene_end(text);
}

void sch_scene_read_mesh(struct sch_scene_text *text, struct sch_scene_object *object)
{
    struct mesh_reader reader = {.mesh = &object->mesh};
    const struct sch_scene_place place = text->token.place;
    if (text->token.kind == SCH_SCENE_STRING) {
        sch_scene_read_obj(text, &object->mesh);
        return;
    }
    if (!sch_scene_open(text)) return;
    while (!text->wrong && !sch_scene_sign(text, '}')) {
        if (sch_scene_word(text, "vertices"))
            read_vertices(text, &reader);
        else if (sch_scene_word(text, "indices"))
            read_indices(text, &object->mesh);
        else
            read_attribute(text, &reader);
    }
    if (!text->wrong && !object->mesh.vertex_count)
        sch_scene_refuse_at(text, &place, "SCENE_VALUE", "a mesh has at least one vertex");
    for (uint32_t a = 0; a < object->mesh.attribute_count; a++) object->mesh.attributes[a].stride = object->mesh.stride;
}
