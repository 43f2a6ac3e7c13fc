/* Names of registers, the slots that they take, and the units that these are. */
#include "slots.h"

#include <stdlib.h>
#include <string.h>

#include "setup.h"

enum { FIRST_TEXTURE_BUFFER = 64 }; /* t# of bytes and structures, up to shader model 5.0: docs/d3d.md */

/* What there is of each kind: plain numbers, the class of the registers, and the letter they have. */
static const struct {
    uint32_t plain;
    enum sch_range_class registers;
    enum sch_unit_array array;
    char letter;
    const char *what;
} kinds[SCH_CLI_SLOT_KINDS] = {
    [SCH_CLI_CONSTANT_SLOTS] = {SCH_CLI_CONSTANT_BUFFERS, SCH_RANGE_CONSTANTS, SCH_UNITS_CONSTANTS, 'b', "constants"},
    [SCH_CLI_TEXTURE_SLOTS] = {SCH_CLI_TEXTURES, SCH_RANGE_TEXTURES, SCH_UNITS_VIEWS, 't', "a texture"},
    [SCH_CLI_SAMPLER_SLOTS] = {SCH_CLI_TEXTURES, SCH_RANGE_SAMPLERS, SCH_UNITS_SAMPLERS, 's', "a sampler"},
    [SCH_CLI_BUFFER_SLOTS] = {SCH_CLI_BUFFERS, SCH_RANGE_VIEWS, SCH_UNITS_BUFFERS, 'u', "a buffer"},
    [SCH_CLI_IMAGE_SLOTS] = {SCH_CLI_IMAGES, SCH_RANGE_VIEWS, SCH_UNITS_IMAGES, 'u', "an image"}};

static bool same(const struct sch_cli_name *a, const struct sch_cli_name *b)
{
    return a->space == b->space && a->number == b->number && a->texture == b->texture;
}

uint32_t sch_cli_slot_of(struct sch_cli_slots *slots, uint32_t plain, const struct sch_cli_name *name)
{
    bool buffers = plain == SCH_CLI_BUFFERS;
    uint32_t first = name->texture ? FIRST_TEXTURE_BUFFER : 0;
    uint32_t end = buffers && !name->texture ? (uint32_t)FIRST_TEXTURE_BUFFER : plain;
    if (!name->space && name->number < end - first) return first + name->number;
    for (uint32_t i = 0; i < slots->count; i++)
        if (same(&slots->placed[i], name)) return plain + i;
    if (slots->count == SCH_CLI_PLACED) return UINT32_MAX;
    slots->placed[slots->count] = *name;
    return plain + slots->count++;
}

/* The register whose slot it is. */
static struct sch_cli_name name_of(const struct sch_cli_setup *setup, enum sch_cli_slot_kind kind, uint32_t slot)
{
    if (slot >= kinds[kind].plain) return setup->slots[kind].placed[slot - kinds[kind].plain];
    bool texture = kind == SCH_CLI_BUFFER_SLOTS && slot >= FIRST_TEXTURE_BUFFER;
    return (struct sch_cli_name){.number = slot - (texture ? FIRST_TEXTURE_BUFFER : 0), .texture = texture};
}

/* [SPACE:]N, or as Direct3D's listings name it: t3, u0, s1, and t3,space1. For buffers, which may be t# and u#, N alone
 * is the slot. */
static bool read_name(const char **at, enum sch_cli_slot_kind kind, struct sch_cli_name *name)
{
    static const char space[] = ",space";
    const bool buffers = kind == SCH_CLI_BUFFER_SLOTS;
    const char *colon = *at + strcspn(*at, ":=");
    *name = (struct sch_cli_name){.spaced = *colon == ':'};
    if (name->spaced && (!sch_cli_read_number(at, &name->space) || *(*at)++ != ':')) return false;
    bool lettered = **at == kinds[kind].letter || (buffers && **at == 't');
    if (lettered) name->texture = *(*at)++ == 't' && buffers;
    if (!sch_cli_read_number(at, &name->number)) return false;
    if (lettered && !name->spaced && strncmp(*at, space, sizeof space - 1) == 0) {
        *at += sizeof space - 1;
        name->spaced = true;
        if (!sch_cli_read_number(at, &name->space)) return false;
    }
    if (buffers && !lettered && !name->spaced && name->number >= FIRST_TEXTURE_BUFFER) {
        name->texture = true;
        name->number -= FIRST_TEXTURE_BUFFER;
    }
    return true;
}

uint32_t sch_cli_take_slot(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, enum sch_cli_slot_kind kind,
                           const char *syntax, const char *text, const char **rest)
{
    struct sch_cli_name name;
    uint32_t plain = kinds[kind].plain;
    *rest = text;
    bool good = read_name(rest, kind, &name) && **rest == '=' && (*rest)[1];
    uint32_t slot = good ? sch_cli_slot_of(&setup->slots[kind], plain, &name) : UINT32_MAX;
    if (!good || (!name.spaced && slot >= plain)) {
        sch_cli_usage_error(verb, "%s with N from 0 to %u, or SPACE:N, not %s", syntax, plain - 1, text);
        return UINT32_MAX;
    }
    if (slot == UINT32_MAX) sch_cli_usage_error(verb, "%s: more than %d registers of spaces", syntax, SCH_CLI_PLACED);
    (*rest)++;
    return slot;
}

uint32_t sch_cli_take_file_slot(const struct sch_cli_verb *verb, struct sch_cli_setup *setup,
                                enum sch_cli_slot_kind kind, const char *option, const char *text, const char **rest)
{
    char syntax[32];
    snprintf(syntax, sizeof syntax, "%s is N=FILE", option);
    return sch_cli_take_slot(verb, setup, kind, syntax, text, rest);
}

/* ---- units ---- */

uint32_t sch_cli_unit(const struct sch_cli_setup *setup, enum sch_cli_slot_kind kind, uint32_t slot)
{
    if (setup->spaces) return setup->slots[kind].unit[slot];
    return slot < kinds[kind].plain ? slot : (uint32_t)SCH_CLI_NO_UNIT;
}

uint32_t sch_cli_texture_sampler(const struct sch_cli_setup *setup, uint32_t slot)
{
    return setup->spaces ? setup->slots[SCH_CLI_TEXTURE_SLOTS].sampler[slot] : slot;
}

static bool is_given(const struct sch_cli_setup *setup, enum sch_cli_slot_kind kind, uint32_t slot)
{
    switch (kind) {
    case SCH_CLI_CONSTANT_SLOTS:
        return slot < SCH_CLI_CONSTANT_BUFFERS + SCH_CLI_PLACED && setup->constants.buffer[slot].registers;
    case SCH_CLI_TEXTURE_SLOTS:
        return slot < setup->textures && setup->texture[slot].path;
    case SCH_CLI_SAMPLER_SLOTS:
        return slot < setup->samplers && setup->sampler[slot].given;
    case SCH_CLI_BUFFER_SLOTS:
        return slot < setup->buffers && setup->buffer[slot].source;
    default:
        return slot < setup->images && setup->image[slot].source;
    }
}

/* The unit of a register; SCH_CLI_NO_UNIT: the shader does not declare it, or as something else. */
static uint32_t find_unit(const struct sch_shader *shader, enum sch_cli_slot_kind kind, const struct sch_cli_name *name)
{
    struct sch_unit unit = {.size = sizeof unit};
    enum sch_range_class registers = name->texture ? SCH_RANGE_TEXTURES : kinds[kind].registers;
    bool found = sch_shader_unit(shader, registers, name->space, name->number, &unit);
    return found && unit.array == kinds[kind].array ? unit.number : (uint32_t)SCH_CLI_NO_UNIT;
}

static enum sch_cli_exit no_register(enum sch_cli_slot_kind kind, const struct sch_cli_name *name)
{
    return sch_cli_fail(SCH_CLI_USAGE, "the shader has no %c%u of space %u that takes %s",
                        name->texture ? 't' : kinds[kind].letter, name->number, name->space, kinds[kind].what);
}

static void raise(uint32_t *count, uint32_t unit)
{
    if (unit != (uint32_t)SCH_CLI_NO_UNIT && unit >= *count) *count = unit + 1;
}

/* Plain constant buffers may be given later, by vectors, so that all of them are looked up. */
static enum sch_cli_exit settle_kind(struct sch_cli_setup *setup, const struct sch_shader *shader,
                                     enum sch_cli_slot_kind kind)
{
    struct sch_cli_slots *slots = &setup->slots[kind];
    uint32_t *count = setup->arrays.count;
    for (uint32_t slot = 0; slot < SCH_CLI_MOST_SLOTS; slot++)
        slots->unit[slot] = slots->sampler[slot] = (uint32_t)SCH_CLI_NO_UNIT;
    for (uint32_t slot = 0; slot < kinds[kind].plain + slots->count; slot++) {
        const struct sch_cli_name name = name_of(setup, kind, slot);
        bool given = is_given(setup, kind, slot);
        if (!given && kind != SCH_CLI_CONSTANT_SLOTS) continue;
        slots->unit[slot] = find_unit(shader, kind, &name);
        if (given && slots->unit[slot] == (uint32_t)SCH_CLI_NO_UNIT) return no_register(kind, &name);
        raise(&count[kind], slots->unit[slot]);
        if (kind != SCH_CLI_TEXTURE_SLOTS) continue;
        slots->sampler[slot] = find_unit(shader, SCH_CLI_SAMPLER_SLOTS, &name);
        raise(&count[SCH_CLI_SAMPLER_SLOTS], slots->sampler[slot]);
    }
    return SCH_CLI_YES;
}

/* An array that is never NULL but for want of memory. */
static void *array_of(uint32_t count, size_t bytes) { return calloc((size_t)count + 1, bytes); }

static enum sch_cli_exit make_arrays(struct sch_cli_setup *setup)
{
    struct sch_cli_arrays *to = &setup->arrays;
    if (!setup->spaces) {
        to->count[SCH_CLI_CONSTANT_SLOTS] = SCH_CLI_CONSTANT_BUFFERS;
        to->count[SCH_CLI_TEXTURE_SLOTS] = setup->textures;
        to->count[SCH_CLI_SAMPLER_SLOTS] = setup->samplers > setup->textures ? setup->samplers : setup->textures;
        to->count[SCH_CLI_BUFFER_SLOTS] = setup->buffers;
        to->count[SCH_CLI_IMAGE_SLOTS] = setup->images;
    }
    to->counter_count = setup->spaces ? to->count[SCH_CLI_BUFFER_SLOTS] : SCH_CLI_BUFFERS;
    to->constants = array_of(to->count[SCH_CLI_CONSTANT_SLOTS], sizeof *to->constants);
    to->views = array_of(to->count[SCH_CLI_TEXTURE_SLOTS], sizeof *to->views);
    to->samplers = array_of(to->count[SCH_CLI_SAMPLER_SLOTS], sizeof *to->samplers);
    to->buffers = array_of(to->count[SCH_CLI_BUFFER_SLOTS], sizeof *to->buffers);
    to->counters = array_of(to->counter_count, sizeof *to->counters);
    to->images = array_of(to->count[SCH_CLI_IMAGE_SLOTS], sizeof *to->images);
    bool made = to->constants && to->views && to->samplers && to->buffers && to->counters && to->images;
    return made ? SCH_CLI_YES : sch_cli_no_memory();
}

enum sch_cli_exit sch_cli_slots_settle(struct sch_cli_setup *setup, const struct sch_shader *shader)
{
    if (setup->arrays.constants) return SCH_CLI_YES; /* a second program of the same shader */
    struct sch_range_info range = {.size = sizeof range};
    bool spaces = sch_shader_range(shader, 0, &range) && range.spaces;
    for (unsigned kind = 0; kind < SCH_CLI_SLOT_KINDS; kind++) {
        const struct sch_cli_name *first = &setup->slots[kind].placed[0];
        if (!spaces && setup->slots[kind].count)
            return first->space ? sch_cli_fail(SCH_CLI_USAGE, "%c%u of space %u: the shader's registers have no spaces",
                                               first->texture ? 't' : kinds[kind].letter, first->number, first->space)
                                : no_register((enum sch_cli_slot_kind)kind, first);
        enum sch_cli_exit exit_code = spaces ? settle_kind(setup, shader, (enum sch_cli_slot_kind)kind) : SCH_CLI_YES;
        if (exit_code != SCH_CLI_YES) return exit_code;
    }
    setup->spaces = spaces;
    return make_arrays(setup);
}
