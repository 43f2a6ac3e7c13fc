/* See pairing.h. */
#include "pairing.h"

#include "../support/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "shade/vectors.h"

enum { MOST_CONSTANTS = 4096, PRIMITIVE = 6 };

/* ---- parties ---- */

static bool keep_names(struct sch_cli_party *party, enum sch_signature_kind kind, bool outputs)
{
    struct sch_signature_info info = {.size = sizeof info};
    for (uint32_t i = 0; sch_shader_signature(party->shader.shader, kind, i, &info); i++) {
        const uint32_t count = party->name_count;
        struct sch_signature_info *names = realloc(party->names, (count + 1) * sizeof *names);
        if (names) party->names = names;
        bool *which = realloc(party->names_outputs, (count + 1) * sizeof *which);
        if (which) party->names_outputs = which;
        if (!names || !which || !(info.name = strdup(info.name))) return false;
        names[count] = info;
        which[count] = outputs;
        party->name_count++;
    }
    return true;
}

/* The names that go when a Direct3D shader is lowered. */
static bool keep_signatures(struct sch_cli_party *party)
{
    const bool patch_is_output = party->info.stage == SCH_STAGE_TESS_CTRL;
    return keep_names(party, SCH_SIGNATURE_INPUT, false) && keep_names(party, SCH_SIGNATURE_OUTPUT, true) &&
           keep_names(party, SCH_SIGNATURE_PATCH_CONSTANT, patch_is_output);
}

/* Whether a shader reads constants as memory; their buffers need not be declared so. */
static bool reads_memory(const struct sch_shader *shader)
{
    struct sch_instruction_info in = {.size = sizeof in};
    struct sch_operand_info operand = {.size = sizeof operand};
    for (uint32_t n = 0; sch_shader_instruction(shader, n, &in); n++)
        for (uint32_t o = 0; sch_shader_operand(shader, n, o, &operand); o++)
            if (operand.file == SCH_FILE_CONSTBUF) return true;
    return false;
}

enum sch_cli_exit sch_cli_party_load(const struct sch_cli_reading *reading, const char *path,
                                     struct sch_cli_party *party)
{
    struct sch_cli_shader *shader = &party->shader;
    party->info.size = sizeof party->info;
    enum sch_cli_exit exit_code = sch_cli_reading_file(reading, path, shader);
    if (exit_code == SCH_CLI_YES) {
        enum sch_result result = sch_shader_get_info(shader->shader, &party->info);
        if (result == SCH_OK && !keep_signatures(party)) result = SCH_ERROR_MEMORY;
        exit_code = sch_cli_result(result, shader->list, path);
    }
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_shader_lower(shader);
    exit_code = sch_cli_worse(exit_code, sch_cli_print_diagnostics(shader->list, &shader->input));
    if (exit_code != SCH_CLI_YES) return exit_code;
    party->reads_memory = reads_memory(shader->shader);
    party->d3d_rules = sch_shader_property(shader->shader, "D3D_RULES", 0);
    exit_code = sch_cli_result(sch_shader_get_info(shader->shader, &party->info), NULL, path);
    return exit_code == SCH_CLI_YES ? sch_cli_registers_create(shader, &party->registers) : exit_code;
}

void sch_cli_party_release(struct sch_cli_party *party)
{
    for (uint32_t i = 0; i < party->name_count; i++) free((void *)party->names[i].name);
    free(party->names);
    free(party->names_outputs);
    sch_cli_registers_destroy(party->registers);
    sch_cli_shader_release(&party->shader);
}

/* ---- names ---- */

static const struct sch_signature_info *signature_of(const struct sch_cli_party *party, bool output, uint32_t index)
{
    for (uint32_t i = 0; i < party->name_count; i++)
        if (party->names_outputs[i] == output && party->names[i].register_number == index) return &party->names[i];
    return NULL;
}

/* Attributes that were made of TGSI's inputs have no other name than their number. */
static bool is_attribute(const struct sch_cli_party *party, const struct sch_signature_info *of)
{
    return party->info.stage == SCH_STAGE_VERTEX && strcasecmp(of->name, "ATTRIBUTE") == 0;
}

/* How registers are named: by what they mean in each language; by the number that they have in Direct3D, which is what
 * is left of a name in TGSI that was translated from it; by what they mean in that TGSI, which is their name in a
 * Direct3D shader that was made of it. */
enum naming { BY_MEANING, BY_NUMBER, AS_LOWERED };

/* The register of a value between stages in the Direct3D shader that a TGSI shader becomes (docs/d3d.md, "From TGSI to
 * Direct3D"); UINT32_MAX: it is named by its meaning there, too. */
static uint32_t lowered_register(const struct sch_cli_party *party, const struct sch_register_info *info, bool output)
{
    static const struct {
        enum sch_semantic semantic;
        uint32_t first;
    } rows[] = {{SCH_SEMANTIC_GENERIC, 1},
                {SCH_SEMANTIC_FOG, 21},
                {SCH_SEMANTIC_TEXCOORD, 22},
                {SCH_SEMANTIC_COLOR, 30},
                {SCH_SEMANTIC_NORMAL, 14}};
    const bool target = output && party->info.stage == SCH_STAGE_FRAGMENT;
    if (party->d3d_rules) return info->semantic == SCH_SEMANTIC_GENERIC ? info->semantic_index : UINT32_MAX;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !target; i++)
        if (rows[i].semantic == info->semantic) return rows[i].first + info->semantic_index;
    return UINT32_MAX;
}

static void name_register(const struct sch_cli_party *party, const struct sch_register_info *info, bool output,
                          enum naming naming, char name[48])
{
    const bool own = info->semantic < 0 || info->semantic == SCH_SEMANTIC_GENERIC;
    const uint32_t number = naming == BY_NUMBER ? lowered_register(party, info, output) : UINT32_MAX;
    const struct sch_signature_info *of = own && naming == BY_MEANING ? signature_of(party, output, info->index) : NULL;
    if (of && !is_attribute(party, of)) {
        snprintf(name, 48, "%.30s[%u]", of->name, of->index);
        for (char *at = name; *at; at++) *at = (char)toupper((unsigned char)*at);
    } else if (info->semantic < 0) {
        snprintf(name, 48, "#%u", info->index);
    } else if (number != UINT32_MAX) {
        snprintf(name, 48, "register %u", number);
    } else {
        snprintf(name, 48, "%.30s[%u]", info->semantic_name, info->semantic_index);
    }
}

void sch_cli_seat_name(const struct sch_cli_seat *seat, uint32_t vertex, char name[40])
{
    const char *word = seat->file == SCH_FILE_TEMPORARY ? "R"
                       : seat->file == SCH_FILE_ADDRESS ? "P"
                                                        : sch_cli_table_word(SCH_NAMES_FILES, seat->file);
    if (seat->per_vertex || (seat->file == SCH_FILE_CONSTANT && seat->buffer))
        snprintf(name, 40, "%s[%u][%u]", word, seat->per_vertex ? vertex : seat->buffer, seat->index);
    else
        snprintf(name, 40, "%s[%u]", word, seat->index);
}

/* ---- pairs ---- */

struct sch_cli_pair *sch_cli_pair_add(struct sch_cli_pairs *pairs, const char *name)
{
    struct sch_cli_pair *larger = sch_text_grow(pairs->list, pairs->count, &pairs->room, sizeof *larger);
    if (!larger) return NULL;
    pairs->list = larger;
    struct sch_cli_pair *pair = &pairs->list[pairs->count++];
    *pair = (struct sch_cli_pair){.vertices = 1, .semantic = SCH_SEMANTIC_NONE};
    snprintf(pair->name, sizeof pair->name, "%s", name);
    return pair;
}

void sch_cli_pairs_release(struct sch_cli_pairs *pairs)
{
    free(pairs->list);
    *pairs = (struct sch_cli_pairs){0};
}

/* The value of this name that has no seat in the second shader yet. */
static struct sch_cli_pair *find_pair(const struct sch_cli_pairs *pairs, const char *name)
{
    for (uint32_t i = 0; i < pairs->count; i++)
        if (!pairs->list[i].seat[1].there && strcmp(pairs->list[i].name, name) == 0) return &pairs->list[i];
    return NULL;
}

/* A type counts where both agree, or one has none. */
static void join_types(struct sch_cli_party *party, const struct sch_cli_seat *seat, bool first,
                       enum sch_value_type types[4])
{
    enum sch_value_type own[4];
    const uint32_t buffer = seat->file == SCH_FILE_CONSTANT ? party->buffers[seat->buffer] : 0;
    sch_cli_types_of(party->registers, seat->file, buffer, seat->index, own);
    for (unsigned c = 0; c < 4; c++) {
        if (first || types[c] == SCH_VALUE_UNKNOWN)
            types[c] = own[c];
        else if (own[c] != SCH_VALUE_UNKNOWN && own[c] != types[c])
            types[c] = SCH_VALUE_UNKNOWN;
    }
}

/* A register may be declared in parts. */
static bool is_seated(const struct sch_cli_pairs *pairs, unsigned which, const struct sch_cli_seat *seat)
{
    for (uint32_t i = 0; i < pairs->count && seat->file != SCH_FILE_CONSTANT; i++) {
        const struct sch_cli_seat *other = &pairs->list[i].seat[which];
        if (other->there && other->file == seat->file && other->index == seat->index) return true;
    }
    return false;
}

static bool add_seat(struct sch_cli_party *party, unsigned which, struct sch_cli_pairs *pairs, const char *name,
                     enum sch_semantic semantic, const struct sch_cli_seat *seat)
{
    if (is_seated(pairs, which, seat)) return true;
    struct sch_cli_pair *pair = which ? find_pair(pairs, name) : NULL;
    const bool first = !pair;
    if (!pair) pair = sch_cli_pair_add(pairs, name);
    if (!pair) return false;
    pair->seat[which] = *seat;
    if (first) pair->semantic = semantic;
    join_types(party, seat, first, pair->types);
    return true;
}

/* The streams of what a geometry shader puts out. */
static void add_streams(const struct sch_cli_party *party, unsigned which, struct sch_cli_pairs *pairs)
{
    struct sch_declaration_info at = {.size = sizeof at};
    for (uint32_t d = 0; sch_shader_declaration(party->shader.shader, d, &at); d++) {
        for (uint32_t i = 0; i < pairs->count && at.file == SCH_FILE_OUTPUT; i++) {
            struct sch_cli_seat *seat = &pairs->list[i].seat[which];
            for (unsigned c = 0; c < 4 && seat->there && seat->index >= at.first && seat->index <= at.last; c++)
                seat->stream[c] = (uint8_t)at.streams[c];
        }
    }
}

static bool add_registers(struct sch_cli_party *party, unsigned which, enum sch_file file, enum naming naming,
                          struct sch_cli_pairs *pairs)
{
    struct sch_register_info info = {.size = sizeof info};
    for (uint32_t i = 0; sch_shader_register(party->shader.shader, file, i, &info); i++) {
        char name[48];
        const struct sch_cli_seat seat = {
            .there = true, .file = file, .index = info.index, .per_vertex = info.per_vertex};
        name_register(party, &info, file == SCH_FILE_OUTPUT, naming, name);
        if (!add_seat(party, which, pairs, name, info.semantic, &seat)) return false;
    }
    return true;
}

/* Those that are read: arrays are as long as a buffer may be. */
static bool add_constants(struct sch_cli_party *party, unsigned which, uint32_t buffer, struct sch_cli_pairs *pairs)
{
    struct sch_declaration_info at = {.size = sizeof at};
    const uint32_t own = party->buffers[buffer];
    for (uint32_t i = 0; sch_shader_declaration(party->shader.shader, i, &at); i++) {
        if (at.file != SCH_FILE_CONSTANT || at.dimension != own) continue;
        for (uint32_t n = at.first; n <= at.last && n < MOST_CONSTANTS; n++) {
            char name[48];
            const struct sch_cli_seat seat = {.there = true, .file = SCH_FILE_CONSTANT, .buffer = buffer, .index = n};
            if (!party->reads_memory && !sch_cli_is_read(party->registers, SCH_FILE_CONSTANT, own, n)) continue;
            snprintf(name, sizeof name, "CONST[%u][%u]", buffer, n);
            if (!add_seat(party, which, pairs, name, SCH_SEMANTIC_NONE, &seat)) return false;
        }
    }
    return true;
}

/* Attributes that only one shader has a name for go by their number. */
static void pair_attributes(struct sch_cli_party parties[2], struct sch_cli_pairs *pairs)
{
    if (parties[0].info.stage != SCH_STAGE_VERTEX) return;
    for (uint32_t i = 0; i < pairs->count; i++) {
        struct sch_cli_pair *pair = &pairs->list[i];
        if (!pair->seat[0].there || pair->seat[1].there || pair->seat[0].file != SCH_FILE_INPUT) continue;
        for (uint32_t k = i + 1; k < pairs->count; k++) {
            struct sch_cli_pair *other = &pairs->list[k];
            const struct sch_cli_seat *seat = &other->seat[1];
            if (other->seat[0].there || seat->file != SCH_FILE_INPUT || seat->index != pair->seat[0].index) continue;
            pair->seat[1] = *seat;
            join_types(&parties[1], seat, false, pair->types);
            memmove(other, other + 1, (pairs->count - k - 1) * sizeof *other);
            pairs->count--;
            break;
        }
    }
}

void sch_cli_pairs_place(struct sch_cli_pairs *pairs)
{
    pairs->words = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        pairs->list[i].at = pairs->words;
        pairs->words += (size_t)pairs->list[i].vertices * 4;
    }
}

/* Values of vertices: as many as a primitive may have, or a patch. */
static void place_words(const struct sch_cli_party *party, struct sch_cli_pairs *pairs)
{
    const uint32_t vertices =
        party->info.stage == SCH_STAGE_GEOMETRY ? (uint32_t)PRIMITIVE : (uint32_t)SCH_CLI_VERTICES;
    for (uint32_t i = 0; i < pairs->count; i++) {
        struct sch_cli_pair *pair = &pairs->list[i];
        if (pair->seat[0].per_vertex || pair->seat[1].per_vertex) pair->vertices = vertices;
    }
    sch_cli_pairs_place(pairs);
}

static bool pair_inputs(struct sch_cli_party parties[2], const enum naming namings[2], struct sch_cli_pairs *pairs)
{
    bool good = true;
    for (unsigned which = 0; which < 2; which++) {
        struct sch_cli_party *party = &parties[which];
        good = good && add_registers(party, which, SCH_FILE_INPUT, namings[which], pairs) &&
               add_registers(party, which, SCH_FILE_SYSTEM_VALUE, namings[which], pairs);
        for (uint32_t b = 0; b < party->buffer_count; b++)
            good = good && (party->buffers[b] == UINT32_MAX || add_constants(party, which, b, pairs));
    }
    pair_attributes(parties, pairs);
    place_words(&parties[0], pairs);
    return good;
}

/* A shader that writes COLOR[0] to all targets (FS_COLOR0_WRITES_ALL_CBUFS) has the colours that the other names. */
static void pair_colors(struct sch_cli_party parties[2], struct sch_cli_pairs *pairs)
{
    for (unsigned which = 0; which < 2; which++) {
        const struct sch_cli_seat *first = NULL;
        if (!sch_shader_property(parties[which].shader.shader, "FS_COLOR0_WRITES_ALL_CBUFS", 0)) continue;
        for (uint32_t i = 0; i < pairs->count; i++)
            if (strcmp(pairs->list[i].name, "COLOR[0]") == 0) first = &pairs->list[i].seat[which];
        for (uint32_t i = 0; i < pairs->count && first && first->there; i++)
            if (!pairs->list[i].seat[which].there && pairs->list[i].semantic == SCH_SEMANTIC_COLOR)
                pairs->list[i].seat[which] = *first;
    }
}

static bool pair_outputs(struct sch_cli_party parties[2], const enum naming namings[2], struct sch_cli_pairs *pairs)
{
    bool good = true;
    for (unsigned which = 0; which < 2; which++) {
        good = good && add_registers(&parties[which], which, SCH_FILE_OUTPUT, namings[which], pairs);
        if (good) add_streams(&parties[which], which, pairs);
    }
    pair_colors(parties, pairs);
    return good;
}

/* How many values only one shader has; constants do not count: a shader has those that it reads. */
static uint32_t count_alone(const struct sch_cli_pairs *pairs)
{
    uint32_t alone = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const struct sch_cli_seat *seat = pairs->list[i].seat;
        alone +=
            seat[0].there != seat[1].there && seat[0].file != SCH_FILE_CONSTANT && seat[1].file != SCH_FILE_CONSTANT;
    }
    return alone;
}

typedef bool pair_fn(struct sch_cli_party parties[2], const enum naming namings[2], struct sch_cli_pairs *pairs);

/* By the first of the ways in which most have a partner. */
static enum sch_cli_exit pair_all(pair_fn *pair, struct sch_cli_party parties[2], struct sch_cli_pairs *pairs)
{
    static const enum naming ways[][2] = {
        {BY_MEANING, BY_MEANING}, {BY_NUMBER, BY_NUMBER}, {AS_LOWERED, BY_MEANING}, {BY_MEANING, AS_LOWERED}};
    bool good = pair(parties, ways[0], pairs);
    for (size_t way = 1; way < sizeof ways / sizeof *ways && good && count_alone(pairs); way++) {
        struct sch_cli_pairs other = {0};
        good = pair(parties, ways[way], &other);
        const bool better = good && count_alone(&other) < count_alone(pairs);
        struct sch_cli_pairs worse = better ? *pairs : other;
        if (better) *pairs = other;
        sch_cli_pairs_release(&worse);
    }
    return good ? SCH_CLI_YES : sch_cli_no_memory();
}

enum sch_cli_exit sch_cli_pair_inputs(struct sch_cli_party parties[2], struct sch_cli_pairs *pairs)
{
    return pair_all(pair_inputs, parties, pairs);
}

enum sch_cli_exit sch_cli_pair_outputs(struct sch_cli_party parties[2], struct sch_cli_pairs *pairs)
{
    return pair_all(pair_outputs, parties, pairs);
}
