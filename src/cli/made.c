/* See made.h. What a shader names is read from its canonical text. */
#include "made.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* FILE[n] or FILE[n..m] at `at`; false: another file, or an index from a register. */
static bool read_numbers(const char *at, const char *file, unsigned most, unsigned *first, unsigned *last)
{
    const size_t length = strlen(file);
    char *end;
    if (strncmp(at, file, length) != 0 || at[length] != '[' || !isdigit((unsigned char)at[length + 1])) return false;
    *first = *last = (unsigned)strtoul(at + length + 1, &end, 10);
    if (strncmp(end, "..", 2) == 0) *last = (unsigned)strtoul(end + 2, &end, 10);
    if (*last >= most) *last = most - 1;
    return *first < most && *first <= *last;
}

/* The word behind comma number `n` of a line; "": there is none. */
static void copy_word(const char *line, unsigned n, char *to, size_t room)
{
    *to = 0;
    while (n-- && line) line = (line = strchr(line, ',')) ? line + 1 : NULL;
    if (!line) return;
    line += strspn(line, " ");
    const size_t length = strcspn(line, ", \n");
    if (length < room) snprintf(to, room, "%.*s", (int)length, line);
}

/* The first shader's target; RECT and 2D, which Direct3D makes of it, are a texture of one level. */
static void name_view(struct sch_cli_named *named, unsigned n, const char *target)
{
    char *own = named->view[n].target;
    if (!*own) snprintf(own, sizeof named->view[n].target, "%s", target);
    if (strstr(own, "RECT") && !strstr(target, "RECT")) named->view[n].plain = true;
}

static void take_declaration(struct sch_cli_named *named, const char *line)
{
    unsigned first, last;
    if (read_numbers(line, "SVIEW", SCH_CLI_TEXTURES, &first, &last))
        for (unsigned n = first; n <= last; n++) {
            char target[sizeof named->view[n].target];
            copy_word(line, 1, target, sizeof target);
            name_view(named, n, target);
            copy_word(line, 2, named->view[n].type, sizeof named->view[n].type);
        }
    if (read_numbers(line, "SAMP", SCH_CLI_TEXTURES, &first, &last))
        for (unsigned n = first; n <= last; n++) named->sampler[n] = true;
    if (read_numbers(line, "BUFFER", SCH_CLI_BUFFERS, &first, &last))
        for (unsigned n = first; n <= last; n++) named->buffer[n] = true;
    if (read_numbers(line, "HWATOMIC", SCH_CLI_BUFFERS, &first, &last)) named->counters[first] = true;
    named->global |= strncmp(line, "MEMORY", 6) == 0 && strstr(line, ", GLOBAL");
    named->input |= strncmp(line, "MEMORY", 6) == 0 && strstr(line, ", INPUT");
    if (read_numbers(line, "IMAGE", SCH_CLI_IMAGES, &first, &last))
        for (unsigned n = first; n <= last; n++) {
            copy_word(line, 1, named->image[n].target, sizeof named->image[n].target);
            copy_word(line, 2, named->image[n].format, sizeof named->image[n].format);
        }
}

/* A lookup without a view takes that of its sampler's number, with the target that stands at the end. */
static void take_lookup(struct sch_cli_named *named, const char *line)
{
    unsigned number, last;
    const char *sampler = strstr(line, " SAMP["), *view = strstr(line, " SVIEW[");
    const bool compares = strstr(line, "SAMPLE_C") || strstr(line, "GATHER4_C");
    if (compares && view && read_numbers(view + 1, "SVIEW", SCH_CLI_TEXTURES, &number, &last))
        named->view[number].compares = true;
    if (view || !sampler || !read_numbers(sampler + 1, "SAMP", SCH_CLI_TEXTURES, &number, &last)) return;
    if (!*named->view[number].target)
        copy_word(sampler, 1, named->view[number].target, sizeof named->view[number].target);
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
    enum { TEXTURE_BUFFERS = 64 }; /* t# of bytes and structures stand behind the u# */
    uint32_t unit;
    for (uint32_t n = 0; n < SCH_CLI_TEXTURES; n++) {
        if (is_unit(shader, SCH_RANGE_TEXTURES, SCH_UNITS_VIEWS, n, SCH_CLI_TEXTURES, &unit) && !*named->view[n].target)
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
        if (is_unit(shader, SCH_RANGE_VIEWS, SCH_UNITS_IMAGES, n, SCH_CLI_IMAGES, &unit) && !*named->image[n].target)
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
    char *text;
    if (sch_shader_print(shader->shader, NULL, &text, NULL) != SCH_OK) return false;
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = 0;
        if (strncmp(line, "DCL ", 4) == 0)
            take_declaration(named, line + 4);
        else
            take_lookup(named, line);
    }
    sch_free(shader->context, text);
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

static const char *format_of(const char *type, bool compares)
{
    static const struct {
        const char *type, *format;
    } rows[] = {{"UINT", "R32G32B32A32_UINT"}, {"SINT", "R32G32B32A32_SINT"}, {"SNORM", "R8G8B8A8_SNORM"}};
    if (compares) return "Z16_UNORM";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, type) == 0) return rows[i].format;
    return "R8G8B8A8_UNORM";
}

static bool is_integer(const char *type) { return strcmp(type, "UINT") == 0 || strcmp(type, "SINT") == 0; }

static bool make_texture(const struct sch_cli_named *named, unsigned n, const char *rules, struct sch_cli_words *words)
{
    const char *target = named->view[n].target, *type = named->view[n].type;
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
    static const char prefix[] = "PIPE_FORMAT_";
    const struct shape *shape = shape_of(named->image[n].target);
    const char *format = named->image[n].format;
    char value[256];
    if (!shape) return true;
    if (strncmp(format, prefix, sizeof prefix - 1) == 0) format += sizeof prefix - 1;
    const bool known = strchr(format, '_') && strcmp(format, "NONE") != 0;
    snprintf(value, sizeof value, "%u=random:%s:%s:seed=%u,target=%s", n, known ? format : "R32G32B32A32_UINT",
             shape->shape[n & 1], n + 1, named->image[n].target);
    return sch_cli_words_add(words, SCH_OPTION_IMAGE, value);
}

bool sch_cli_make_bindings(const struct sch_cli_named *named, const struct sch_cli_setup *setup, const char *rules,
                           struct sch_cli_words *words)
{
    enum { BUFFER_BYTES = 4096 };
    char value[256];
    bool good = true;
    for (unsigned n = 0; n < SCH_CLI_TEXTURES && good; n++) {
        const bool bound = setup->texture[n].path, view = *named->view[n].target && !bound;
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
        if (*named->image[n].target && !setup->image[n].source) good = make_image(named, n, words);
    return good;
}
