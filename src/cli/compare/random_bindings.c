/* See random_bindings.h. */
#include "random_bindings.h"

#include <stdlib.h>
#include <string.h>

#include "bind/registers.h"

/* ---- options ---- */

bool sch_cli_words_add(struct sch_cli_words *words, enum sch_cli_option_id option, const char *value)
{
    struct sch_cli_said *larger = realloc(words->list, (words->count + 1) * sizeof *larger);
    if (!larger) return false;
    words->list = larger;
    char *copy = strdup(value ? value : "");
    if (!copy) return false;
    larger[words->count++] = (struct sch_cli_said){option, copy};
    return true;
}

void sch_cli_words_release(struct sch_cli_words *words)
{
    for (uint32_t i = 0; i < words->count; i++) free(words->list[i].value);
    free(words->list);
    *words = (struct sch_cli_words){0};
}

/* ---- what a shader names ---- */

enum { MOST_NAMED = 1 << 12 }; /* more than any option has */

/* The first shader's target; RECT and 2D, which Direct3D makes of it, are a texture of one level. */
static void name_view(struct sch_cli_named *named, uint32_t n, enum sch_target target)
{
    const char *word = sch_cli_table_word(SCH_NAMES_TARGETS, target);
    if (!named->view[n].target) named->view[n].target = word;
    if (strstr(named->view[n].target, "RECT") && !strstr(word, "RECT")) named->view[n].plain = true;
}

static void take_register(struct sch_cli_named *named, const struct sch_declaration_info *at, uint32_t n)
{
    if (at->file == SCH_FILE_SAMPLER_VIEW && n < SCH_CLI_TEXTURES) {
        name_view(named, n, at->target);
        named->view[n].type = at->return_types[0];
    }
    if (at->file == SCH_FILE_SAMPLER && n < SCH_CLI_TEXTURES) named->sampler[n] = true;
    if (at->file == SCH_FILE_BUFFER && n < SCH_CLI_BUFFERS) named->buffer[n] = true;
    if (at->file == SCH_FILE_IMAGE && n < SCH_CLI_IMAGES) {
        named->image[n].target = sch_cli_table_word(SCH_NAMES_TARGETS, at->target);
        named->image[n].format = at->format;
    }
}

/* Counters of several registers are in the buffer of the first, or of the dimension. */
static void take_declaration(struct sch_cli_named *named, const struct sch_declaration_info *at)
{
    const uint32_t counters = at->has_dimension ? at->dimension : at->first;
    for (uint32_t n = at->first; n <= at->last && n < MOST_NAMED; n++) take_register(named, at, n);
    if (at->file == SCH_FILE_HW_ATOMIC && counters < SCH_CLI_BUFFERS) named->counters[counters] = true;
    named->global |= at->file == SCH_FILE_MEMORY && at->memory_kind == SCH_MEMORY_GLOBAL;
    named->input |= at->file == SCH_FILE_MEMORY && at->memory_kind == SCH_MEMORY_INPUT;
}

/* A lookup without a view takes that of its sampler's number, with the target that the instruction names. */
static void take_lookup(struct sch_cli_named *named, const struct sch_shader *shader, uint32_t number,
                        const struct sch_instruction_info *in)
{
    const bool compares = strstr(in->name, "SAMPLE_C") || strstr(in->name, "GATHER4_C");
    struct sch_operand_info operand = {.size = sizeof operand};
    uint32_t sampler = SCH_CLI_TEXTURES;
    bool view = false;
    for (uint32_t n = 0; sch_shader_operand(shader, number, n, &operand); n++) {
        const bool named_here = !operand.index.is_indirect && (uint32_t)operand.index.number < SCH_CLI_TEXTURES;
        view |= operand.file == SCH_FILE_SAMPLER_VIEW;
        if (operand.file == SCH_FILE_SAMPLER_VIEW && compares && named_here)
            named->view[operand.index.number].compares = true;
        if (operand.file == SCH_FILE_SAMPLER && named_here) sampler = (uint32_t)operand.index.number;
    }
    if (!view && in->flags & SCH_INSTRUCTION_TEXTURE && sampler < SCH_CLI_TEXTURES && !named->view[sampler].target)
        named->view[sampler].target = sch_cli_table_word(SCH_NAMES_TARGETS, in->target);
}

static bool is_unit(const struct sch_shader *shader, enum sch_range_class class, enum sch_unit_array array,
                    uint32_t number, uint32_t most, uint32_t *unit)
{
    struct sch_unit found = {.size = sizeof found};
    if (!sch_shader_unit(shader, class, 0, number, &found) || found.array != array || found.number >= most)
        return false;
    *unit = found.number;
    return true;
}

/* What the text names by units, by the registers of space 0 that options name. */
static void name_registers(const struct sch_shader *shader, const struct sch_cli_named *units,
                           struct sch_cli_named *named)
{
    enum { TEXTURE_BUFFERS = 64 }; /* t# of bytes and structures follow the u# */
    uint32_t unit;
    for (uint32_t n = 0; n < SCH_CLI_TEXTURES; n++) {
        if (is_unit(shader, SCH_RANGE_TEXTURES, SCH_UNITS_VIEWS, n, SCH_CLI_TEXTURES, &unit) && !named->view[n].target)
            named->view[n] = units->view[unit];
        if (is_unit(shader, SCH_RANGE_SAMPLERS, SCH_UNITS_SAMPLERS, n, SCH_CLI_TEXTURES, &unit))
            named->sampler[n] |= units->sampler[unit];
    }
    for (uint32_t n = 0; n < TEXTURE_BUFFERS; n++) {
        if (is_unit(shader, SCH_RANGE_VIEWS, SCH_UNITS_BUFFERS, n, SCH_CLI_BUFFERS, &unit))
            named->buffer[n] |= units->buffer[unit];
        if (is_unit(shader, SCH_RANGE_TEXTURES, SCH_UNITS_BUFFERS, n, SCH_CLI_BUFFERS, &unit))
            named->buffer[TEXTURE_BUFFERS + n] |= units->buffer[unit];
    }
    for (uint32_t n = 0; n < SCH_CLI_IMAGES; n++)
        if (is_unit(shader, SCH_RANGE_VIEWS, SCH_UNITS_IMAGES, n, SCH_CLI_IMAGES, &unit) && !named->image[n].target)
            named->image[n] = units->image[unit];
}

bool sch_cli_named_add(struct sch_cli_named *named, const struct sch_cli_shader *shader, bool spaces)
{
    if (spaces) {
        struct sch_cli_named *units = calloc(1, sizeof *units);
        const bool good = units && sch_cli_named_add(units, shader, false);
        if (good) name_registers(shader->shader, units, named);
        free(units);
        return good;
    }
    struct sch_declaration_info at = {.size = sizeof at};
    struct sch_instruction_info in = {.size = sizeof in};
    for (uint32_t n = 0; sch_shader_declaration(shader->shader, n, &at); n++) take_declaration(named, &at);
    for (uint32_t n = 0; sch_shader_instruction(shader->shader, n, &in); n++)
        take_lookup(named, shader->shader, n, &in);
    return true;
}

/* ---- bindings ---- */

/* The shape of a made texture by its target: of those with even numbers, and of the others, so that a query of the
 * wrong one shows. */
static const struct shape {
    const char *target, *shape[2], *levels; /* levels "": it has one, and no filter between them */
} shapes[] = {
    {"1D", {"16x1", "32x1"}, ":levels=5"},
    {"2D", {"16x16", "32x16"}, ":levels=5"},
    {"3D", {"8x8x8", "16x8x8"}, ":levels=4"},
    {"CUBE", {"16x16:layers=6", "32x32:layers=6"}, ":levels=5"},
    {"RECT", {"16x16", "32x16"}, ""},
    {"1D_ARRAY", {"16x1:layers=4", "32x1:layers=5"}, ":levels=5"},
    {"2D_ARRAY", {"16x16:layers=4", "32x16:layers=5"}, ":levels=5"},
    {"CUBEARRAY", {"16x16:layers=12", "32x32:layers=18"}, ":levels=5"},
    {"2D_MSAA", {"16x16:samples=4", "32x16:samples=4"}, ""},
    {"2D_ARRAY_MSAA", {"16x16:layers=4:samples=4", "32x16:layers=5:samples=4"}, ""},
    {"BUFFER", {"256x1", "512x1"}, ""},
};

static const struct shape *shape_of(const char *target)
{
    if (strncmp(target, "SHADOW", 6) == 0) target += 6;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].target, target) == 0) return &shapes[i];
    return NULL;
}

static const char *format_of(enum sch_return_type type, bool compares)
{
    static const char *const formats[] = {[SCH_RETURN_UNORM] = "R8G8B8A8_UNORM",
                                          [SCH_RETURN_SNORM] = "R8G8B8A8_SNORM",
                                          [SCH_RETURN_SINT] = "R32G32B32A32_SINT",
                                          [SCH_RETURN_UINT] = "R32G32B32A32_UINT",
                                          [SCH_RETURN_FLOAT] = "R8G8B8A8_UNORM"};
    return compares ? "Z16_UNORM" : formats[type];
}

static bool is_integer(enum sch_return_type type) { return type == SCH_RETURN_UINT || type == SCH_RETURN_SINT; }

static bool make_texture(const struct sch_cli_named *named, unsigned n, const char *rules, struct sch_cli_words *words)
{
    const char *target = named->view[n].target;
    const enum sch_return_type type = named->view[n].type;
    const struct shape *shape = shape_of(target);
    const bool plain = named->view[n].plain;
    const bool shadow = strncmp(target, "SHADOW", 6) == 0, compares = named->view[n].compares || shadow;
    char value[256];
    if (!shape) return true;
    const bool levels = *shape->levels, filters = !is_integer(type);
    snprintf(value, sizeof value, "%u=random:%s:%s%s:seed=%u,target=%s%s%s%s,rules=%s", n, format_of(type, compares),
             shape->shape[n & 1], shape->levels, n + 1, plain ? "2D" : target, filters ? ",filter=linear" : "",
             levels && filters ? ",mip=linear"
             : levels          ? ",mip=nearest"
                               : "",
             compares && !shadow ? ",compare=lequal" : "", rules);
    return sch_cli_words_add(words, SCH_OPTION_TEX, value);
}

static bool make_image(const struct sch_cli_named *named, unsigned n, struct sch_cli_words *words)
{
    const struct shape *shape = shape_of(named->image[n].target);
    const enum sch_format format = named->image[n].format;
    char value[256];
    if (!shape) return true;
    snprintf(value, sizeof value, "%u=random:%s:%s:seed=%u,target=%s", n,
             format ? sch_cli_table_word(SCH_NAMES_FORMATS, format) : "R32G32B32A32_UINT", shape->shape[n & 1], n + 1,
             named->image[n].target);
    return sch_cli_words_add(words, SCH_OPTION_IMAGE, value);
}

bool sch_cli_make_bindings(const struct sch_cli_named *named, const struct sch_cli_setup *setup, const char *rules,
                           struct sch_cli_words *words)
{
    enum { BUFFER_BYTES = 4096 };
    char value[256];
    bool good = true;
    for (unsigned n = 0; n < SCH_CLI_TEXTURES && good; n++) {
        const bool bound = setup->texture[n].path, view = named->view[n].target && !bound;
        if (view) good = make_texture(named, n, rules, words);
        if (view || bound || !named->sampler[n] || setup->sampler[n].given) continue;
        snprintf(value, sizeof value, "%u=filter=linear,mip=linear,rules=%s", n, rules);
        good = sch_cli_words_add(words, SCH_OPTION_SAMPLER, value);
    }
    for (unsigned n = 0; n < SCH_CLI_BUFFERS && good; n++) {
        snprintf(value, sizeof value, "%u=random:%d:seed=%u", n, BUFFER_BYTES, n + 1);
        if (named->buffer[n] && !setup->buffer[n].source) good = sch_cli_words_add(words, SCH_OPTION_BUFFER, value);
        if (named->counters[n] && !setup->memory.counters[n].source)
            good = good && sch_cli_words_add(words, SCH_OPTION_HWATOMIC, value);
    }
    snprintf(value, sizeof value, "random:%d:seed=1", BUFFER_BYTES);
    if (named->global && !setup->memory.global.source)
        good = good && sch_cli_words_add(words, SCH_OPTION_GLOBAL, value);
    if (named->input && !setup->memory.input.source)
        good = good && sch_cli_words_add(words, SCH_OPTION_INPUT_MEMORY, value);
    for (unsigned n = 0; n < SCH_CLI_IMAGES && good; n++)
        if (named->image[n].target && !setup->image[n].source) good = make_image(named, n, words);
    return good;
}
