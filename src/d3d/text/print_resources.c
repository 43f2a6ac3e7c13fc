/* Resources as directives: .resources, .binding, .cbuffer, .variable, .default, .member, .end. */
#include "d3d/text/internal.h"

#include <string.h>

void sch_d3d_print_quoted(struct sch_bytes *out, const char *text)
{
    sch_bytes_text(out, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
            sch_bytes_format(out, "\\x%02x", c);
        else
            sch_bytes_append(out, &c, 1);
    }
    sch_bytes_text(out, "\"");
}

void sch_d3d_print_numbered(struct sch_bytes *out, enum sch_d3d_vocabulary vocabulary, uint32_t number)
{
    const struct sch_d3d_word *word = sch_d3d_word_by_number(vocabulary, number);
    if (word)
        sch_bytes_text(out, word->word);
    else
        sch_bytes_format(out, "%u", number);
}

static void print_type(struct sch_bytes *out, const struct sch_d3d_type *type, bool named);

static void print_members(struct sch_bytes *out, const struct sch_d3d_type *type, bool named)
{
    for (size_t i = 0; i < type->member_count; i++) {
        sch_bytes_text(out, ".member ");
        sch_d3d_print_quoted(out, type->members[i].name);
        sch_bytes_format(out, ", %u, ", type->members[i].offset);
        print_type(out, &type->members[i].type, named);
    }
    sch_bytes_text(out, ".end\n");
}

/* "vector float 1 x 4", "matrix_columns float 4 x 4[3]", "struct void 1 x 8 "Light" {" and members until .end. */
static void print_type(struct sch_bytes *out, const struct sch_d3d_type *type, bool named)
{
    sch_d3d_print_numbered(out, SCH_D3D_WORDS_CLASS, type->kind);
    sch_bytes_text(out, " ");
    sch_d3d_print_numbered(out, SCH_D3D_WORDS_TYPE, type->base);
    sch_bytes_format(out, " %u x %u", type->rows, type->columns);
    if (type->elements) sch_bytes_format(out, "[%u]", type->elements);
    if (named && *type->name) {
        sch_bytes_text(out, " ");
        sch_d3d_print_quoted(out, type->name);
    }
    sch_bytes_text(out, type->member_count ? " {\n" : "\n");
    if (type->member_count) print_members(out, type, named);
}

static void print_variable(struct sch_bytes *out, const struct sch_d3d_variable *variable, bool named)
{
    sch_bytes_text(out, ".variable ");
    sch_d3d_print_quoted(out, variable->name);
    sch_bytes_format(out, ", %u, %u, %u, ", variable->start, variable->size, variable->flags);
    print_type(out, &variable->type, named);
    if (!variable->value_count) return;
    for (size_t i = 0; i < variable->value_count; i++) {
        sch_bytes_text(out, i ? ", " : ".default ");
        sch_d3d_print_untyped(out, variable->value[i], SCH_LISTING_FXC);
    }
    sch_bytes_text(out, "\n");
}

static void print_binding(struct sch_bytes *out, const struct sch_d3d_binding *binding, bool spaces)
{
    sch_bytes_text(out, ".binding ");
    sch_d3d_print_quoted(out, binding->name);
    sch_bytes_text(out, ", ");
    sch_d3d_print_numbered(out, SCH_D3D_WORDS_BINDING, binding->kind);
    sch_bytes_text(out, ", ");
    sch_d3d_print_numbered(out, SCH_D3D_WORDS_RETURN, binding->return_type);
    sch_bytes_text(out, ", ");
    sch_d3d_print_numbered(out, SCH_D3D_WORDS_BOUND, binding->dimension);
    sch_bytes_format(out, ", %u, %u, %u, %u", binding->samples, binding->slot, binding->count, binding->flags);
    if (spaces && (binding->space || binding->id)) sch_bytes_format(out, ", %u, %u", binding->space, binding->id);
    sch_bytes_text(out, "\n");
}

void sch_d3d_print_resources(struct sch_bytes *out, const struct sch_d3d_resources *resources,
                             const struct sch_d3d_program *program)
{
    bool named = program->major >= 5, spaces = sch_d3d_has_spaces(program);
    sch_bytes_format(out, ".resources %u, ", resources->flags);
    sch_d3d_print_quoted(out, resources->creator);
    sch_bytes_text(out, "\n");
    for (size_t i = 0; i < resources->binding_count; i++) print_binding(out, &resources->bindings[i], spaces);
    for (size_t i = 0; i < resources->buffer_count; i++) {
        const struct sch_d3d_constant_buffer *buffer = &resources->buffers[i];
        sch_bytes_text(out, ".cbuffer ");
        sch_d3d_print_quoted(out, buffer->name);
        sch_bytes_format(out, ", %u, %u, %u\n", buffer->size, buffer->flags, buffer->kind);
        for (size_t k = 0; k < buffer->variable_count; k++) print_variable(out, &buffer->variables[k], named);
    }
}
