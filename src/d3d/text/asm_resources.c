/* Resources from directives; print_resources.c shows their form. */
#include "d3d/text/assembler.h"

#include <string.h>

/* A number after a comma. */
static uint32_t next_number(struct sch_d3d_assembler *a)
{
    sch_d3d_asm_expect(a, ',');
    return (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
}

static uint32_t next_word(struct sch_d3d_assembler *a, enum sch_d3d_vocabulary vocabulary)
{
    sch_d3d_asm_expect(a, ',');
    return sch_d3d_asm_word_or_number(a, vocabulary);
}

/* Counts what the limits bound. */
static bool may_add(struct sch_d3d_assembler *a, const char *at)
{
    if (++a->items <= a->limits->declarations) return true;
    sch_d3d_asm_report(a, SCH_D_D3D_LIMIT, at, "too many resources, variables and members");
    return false;
}

static void take_binding(struct sch_d3d_assembler *a, const char *begin)
{
    struct sch_d3d_resources *resources = &a->shader->resources;
    struct sch_d3d_binding made = {.name = sch_d3d_asm_quoted(a)};
    made.kind = next_word(a, SCH_D3D_WORDS_BINDING);
    made.return_type = next_word(a, SCH_D3D_WORDS_RETURN);
    made.dimension = next_word(a, SCH_D3D_WORDS_BOUND);
    made.samples = next_number(a);
    made.slot = next_number(a);
    made.count = next_number(a);
    made.flags = next_number(a);
    if (sch_d3d_asm_skip(a) == ',') {
        if (!sch_d3d_has_spaces(a->shader->program))
            sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, a->at, "register spaces are shader model 5.1's");
        made.space = next_number(a);
        made.id = next_number(a);
    }
    if (a->bad || !may_add(a, begin)) return;
    if (!SCH_ARENA_GROW(&a->shader->arena, resources->bindings, resources->binding_capacity, resources->binding_count))
        sch_d3d_asm_memory(a);
    else
        resources->bindings[resources->binding_count++] = made;
}

static void take_buffer(struct sch_d3d_assembler *a, const char *begin)
{
    struct sch_d3d_resources *resources = &a->shader->resources;
    struct sch_d3d_constant_buffer made = {.name = sch_d3d_asm_quoted(a)};
    made.size = next_number(a);
    made.flags = next_number(a);
    made.kind = next_number(a);
    if (a->bad || !may_add(a, begin)) return;
    if (!SCH_ARENA_GROW(&a->shader->arena, resources->buffers, resources->buffer_capacity, resources->buffer_count))
        sch_d3d_asm_memory(a);
    else
        resources->buffers[resources->buffer_count++] = made;
}

/* CLASS TYPE ROWS x COLUMNS[ELEMENTS] "NAME" {; the last three may be missing. True: members follow. */
static bool take_type(struct sch_d3d_assembler *a, struct sch_d3d_type *type)
{
    type->name = "";
    type->kind = next_word(a, SCH_D3D_WORDS_CLASS) & 0xffff;
    type->base = sch_d3d_asm_word_or_number(a, SCH_D3D_WORDS_TYPE) & 0xffff;
    type->rows = (uint32_t)sch_d3d_asm_number(a, 0xffff);
    if (sch_d3d_asm_expect(a, 'x')) type->columns = (uint32_t)sch_d3d_asm_number(a, 0xffff);
    if (sch_d3d_asm_take(a, '[')) {
        type->elements = (uint32_t)sch_d3d_asm_number(a, 0xffff);
        sch_d3d_asm_expect(a, ']');
    }
    if (sch_d3d_asm_skip(a) == '"') {
        if (a->shader->program->major < 5)
            sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, a->at, "types have names from shader model 5 on");
        else
            type->name = sch_d3d_asm_quoted(a);
    }
    return sch_d3d_asm_take(a, '{');
}

static void open_type(struct sch_d3d_assembler *a, struct sch_d3d_type *type, const char *begin)
{
    if (a->open_count == SCH_D3D_TYPE_DEPTH)
        sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, begin, "structures are nested too deep");
    else
        a->open[a->open_count++] = type;
}

static void take_variable(struct sch_d3d_assembler *a, const char *begin)
{
    struct sch_d3d_resources *resources = &a->shader->resources;
    if (!resources->buffer_count || a->open_count) {
        sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, begin, "a variable comes after .cbuffer, not inside a structure");
        return;
    }
    struct sch_d3d_constant_buffer *buffer = &resources->buffers[resources->buffer_count - 1];
    struct sch_d3d_variable made = {.name = sch_d3d_asm_quoted(a)};
    made.start = next_number(a);
    made.size = next_number(a);
    made.flags = next_number(a);
    bool members = take_type(a, &made.type);
    if (a->bad || !may_add(a, begin)) return;
    if (!SCH_ARENA_GROW(&a->shader->arena, buffer->variables, buffer->variable_capacity, buffer->variable_count)) {
        sch_d3d_asm_memory(a);
        return;
    }
    buffer->variables[buffer->variable_count++] = made;
    if (members) open_type(a, &buffer->variables[buffer->variable_count - 1].type, begin);
}

static void take_member(struct sch_d3d_assembler *a, const char *begin)
{
    if (!a->open_count) {
        sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, begin, "a member belongs inside a structure");
        return;
    }
    struct sch_d3d_type *type = a->open[a->open_count - 1];
    struct sch_d3d_member made = {.name = sch_d3d_asm_quoted(a)};
    made.offset = next_number(a);
    bool members = take_type(a, &made.type);
    if (a->bad || !may_add(a, begin)) return;
    if (type->member_count == 0xffff)
        sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, begin, "a structure has at most 65535 members");
    else if (!SCH_ARENA_GROW(&a->shader->arena, type->members, type->member_capacity, type->member_count))
        sch_d3d_asm_memory(a);
    else
        type->members[type->member_count++] = made;
    if (!a->bad && members) open_type(a, &type->members[type->member_count - 1].type, begin);
}

/* The words of the last variable's default; as many as it has. */
static void take_default(struct sch_d3d_assembler *a, const char *begin)
{
    struct sch_d3d_resources *resources = &a->shader->resources;
    struct sch_d3d_constant_buffer *buffer =
        resources->buffer_count ? &resources->buffers[resources->buffer_count - 1] : NULL;
    if (!buffer || !buffer->variable_count || a->open_count) {
        sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, begin, "a default comes after its variable");
        return;
    }
    struct sch_d3d_variable *variable = &buffer->variables[buffer->variable_count - 1];
    do {
        uint32_t value = (uint32_t)sch_d3d_asm_value(a, false);
        if (!may_add(a, begin)) return;
        if (!SCH_ARENA_GROW(&a->shader->arena, variable->value, variable->value_capacity, variable->value_count)) {
            sch_d3d_asm_memory(a);
            return;
        }
        variable->value[variable->value_count++] = value;
    } while (sch_d3d_asm_take(a, ','));
    if (variable->value_count != variable->size / 4)
        sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, begin, "the default of a variable of %u bytes has %u words",
                           variable->size, variable->size / 4);
}

static void take_header(struct sch_d3d_assembler *a, const char *begin)
{
    struct sch_d3d_shader *shader = a->shader;
    if (shader->has_resources) {
        sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, begin, "resources are described once");
        return;
    }
    shader->has_resources = true;
    shader->resources.flags = (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
    if (!sch_d3d_asm_expect(a, ',')) return;
    shader->resources.creator = sch_d3d_asm_quoted(a);
}

bool sch_d3d_asm_resource(struct sch_d3d_assembler *a, const char *begin)
{
    static const struct {
        const char *word;
        void (*take)(struct sch_d3d_assembler *a, const char *begin);
    } rows[] = {{"binding", take_binding},
                {"cbuffer", take_buffer},
                {"variable", take_variable},
                {"member", take_member},
                {"default", take_default}};
    if (sch_d3d_asm_take_word(a, "resources")) {
        take_header(a, begin);
        return true;
    }
    if (sch_d3d_asm_take_word(a, "end")) {
        if (a->open_count)
            a->open_count--;
        else
            sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, begin, "no structure is open here");
        return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!sch_d3d_asm_take_word(a, rows[i].word)) continue;
        if (a->shader->has_resources)
            rows[i].take(a, begin);
        else
            sch_d3d_asm_report(a, SCH_D_ASM_RESOURCE, begin, ".resources comes first");
        return true;
    }
    return false;
}
