/* The public functions for shaders of Maxwell code: reading any form, checking, printing, and describing what is in
 * them. What the code means is in src/maxwell. */
#include "api/maxwell.h"

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "isa/errors.h"
#include "maxwell/slots/slots.h"
#include "maxwell/text/effects.h"
#include "maxwell/text/tables.h"

bool sch_api_maxwell_arch(enum sch_maxwell_arch given, enum sch_maxwell_arch *arch)
{
    *arch = given == SCH_MAXWELL_ARCH_DEFAULT ? SCH_MAXWELL_SM_50 : given;
    return sch_maxwell_arch_is(*arch);
}

/* ---- kinds ---- */

static bool is_elf(const void *data, size_t bytes) { return bytes >= 4 && memcmp(data, "\177ELF", 4) == 0; }

/* Whether all bytes are characters, white space or UTF-8: raw code, whose control words have zero bytes, never is. */
static bool is_text(const unsigned char *text, size_t bytes)
{
    unsigned follow = 0;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = text[i];
        if (follow) {
            if ((c & 0xc0) != 0x80) return false;
            follow--;
        } else if (c >= 0xc2 && c <= 0xf4)
            follow = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        else if (c >= 0x7f || (c < 0x20 && (c < '\t' || c > '\r')))
            return false;
    }
    return true;
}

/* Skips white space and comments. */
static size_t skip_blanks(const char *text, size_t bytes, size_t at)
{
    while (at < bytes) {
        const char *end = NULL;
        if (strchr(" \t\r\n\f\v;", text[at]) && text[at])
            at++;
        else if (bytes - at >= 2 && memcmp(text + at, "//", 2) == 0) {
            end = memchr(text + at, '\n', bytes - at);
            at = end ? (size_t)(end - text) : bytes;
        } else if (bytes - at >= 2 && memcmp(text + at, "/*", 2) == 0) {
            for (at += 2; bytes - at >= 2 && memcmp(text + at, "*/", 2) != 0;) at++;
            at = bytes - at >= 2 ? at + 2 : bytes;
        } else
            break;
    }
    return at;
}

static bool is_word(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/* The first statement of a Maxwell text: a directive, a brace, a guard, or a texture operation. */
static bool is_statement(const char *text, size_t bytes)
{
    static const char *const beginnings[] = {".arch ",     ".arch\t", ".section ", ".section\t", ".control ",
                                             ".control\t", ".word ",  ".word\t",   ".bits ",     ".bits\t",
                                             "{ ",         "@P",      "@!P"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t length = strlen(beginnings[i]);
        if (bytes >= length && memcmp(text, beginnings[i], length) == 0) return true;
    }
    for (size_t i = 0; i < SCH_MAXWELL_OPERATIONS; i++) {
        size_t length = strlen(sch_maxwell_operation_names[i]);
        if (bytes < length || memcmp(text, sch_maxwell_operation_names[i], length) != 0) continue;
        if (bytes == length || !is_word(text[length])) return true;
    }
    return false;
}

enum sch_kind sch_api_recognise_maxwell(const void *data, size_t bytes)
{
    if (is_elf(data, bytes)) return SCH_KIND_CUBIN;
    size_t at = skip_blanks(data, bytes, 0);
    return is_statement((const char *)data + at, bytes - at) ? SCH_KIND_MAXWELL_TEXT : SCH_KIND_AUTO;
}

enum sch_kind sch_api_maxwell_kind(enum sch_kind kind, const void *data, size_t bytes)
{
    if (kind != SCH_KIND_MAXWELL) return kind;
    if (is_elf(data, bytes)) return SCH_KIND_CUBIN;
    return is_text(data, bytes) ? SCH_KIND_MAXWELL_TEXT : SCH_KIND_MAXWELL_RAW;
}

/* ---- reading ---- */

/* A section by its name, else by its number, counted from 1; the count of sections: there is none. */
static size_t find_section(const struct sch_maxwell_code *code, const char *kernel)
{
    size_t number = 0;
    for (size_t i = 0; i < code->section_count; i++)
        if (strcmp(code->sections[i].name, kernel) == 0) return i;
    const char *at = kernel;
    for (; *at >= '0' && *at <= '9' && number <= code->section_count; at++) number = 10 * number + (size_t)(*at - '0');
    return *at || at == kernel || !number || number > code->section_count ? code->section_count : number - 1;
}

/* The names of the sections, as many as fit. */
static const char *names_of(const struct sch_maxwell_code *code, char *text, size_t bytes)
{
    size_t at = 0;
    text[0] = 0;
    for (size_t i = 0; i < code->section_count && at < bytes; i++)
        at += (size_t)snprintf(text + at, bytes - at, "%s%s", i ? ", " : "", code->sections[i].name);
    if (at >= bytes) memcpy(text + bytes - 4, "...", 4);
    return *text ? text : "code without names";
}

static enum sch_result choose_section(struct sch_maxwell_code *code, const char *kernel, struct sch_diagnostics *list)
{
    const size_t number = find_section(code, kernel);
    if (number == code->section_count) {
        char names[256];
        sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_KERNEL, (struct sch_position){0},
                            "there is no kernel %s: the input has %s", kernel, names_of(code, names, sizeof names));
        return SCH_ERROR_INVALID;
    }
    sch_maxwell_code_keep(code, number);
    return SCH_OK;
}

enum sch_result sch_api_read_maxwell(struct sch_shader *shader, const struct sch_read_options *options,
                                     const void *data, size_t bytes, struct sch_diagnostics *list)
{
    struct sch_context *context = shader->context;
    struct sch_maxwell_read how = {
        .allocator = &context->allocator, .limits = &context->limits, .diagnostics = list, .arch = options->arch};
    enum sch_result status =
        shader->kind == SCH_KIND_MAXWELL_TEXT ? sch_maxwell_read_text(&how, data, bytes, &shader->maxwell)
        : shader->kind == SCH_KIND_CUBIN      ? sch_maxwell_read_cubin(&how, data, bytes, &shader->maxwell)
                                              : sch_maxwell_read_raw(&how, data, bytes, &shader->maxwell);
    if (status == SCH_OK && options->kernel) status = choose_section(shader->maxwell, options->kernel, list);
    if (status == SCH_OK && options->schedule)
        status = sch_maxwell_slots_make(shader->maxwell, &context->allocator, context->limits.memory);
    return status;
}

/* ---- checking, writing ---- */

enum sch_result sch_api_check_maxwell(const struct sch_shader *shader, enum sch_severity severity,
                                      struct sch_diagnostics *list)
{
    const struct sch_context *context = shader->context;
    const bool broken = sch_maxwell_code_check(shader->maxwell, severity, list) && severity == SCH_SEVERITY_ERROR;
    sch_maxwell_targets_check(shader->maxwell, list);
    enum sch_result status =
        sch_maxwell_slots_check(shader->maxwell, &context->allocator, context->limits.memory, list);
    return broken && status == SCH_OK ? SCH_ERROR_INVALID : status;
}

/* Begins a call that is about Maxwell code; false: it is refused. */
static bool begin(struct sch_api_call *call, const struct sch_shader *shader)
{
    if (!sch_api_given(call, shader, "shader")) return false;
    return shader->maxwell || sch_refuse_argument(call->list, "shader", "the shader is not Maxwell code");
}

enum sch_result sch_maxwell_warn(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics)
{
    struct sch_api_call call;
    sch_api_begin_input(&call, SCH_API_CONTEXT_OF(shader), diagnostics, __func__, NULL);
    if (!begin(&call, shader)) return sch_api_refused(&call);
    sch_diagnostics_name(call.list, shader->name);
    return sch_api_end(&call, sch_api_check_maxwell(shader, SCH_SEVERITY_WARNING, call.list));
}

/* The words of all sections, low word first; of the context. NULL: no memory. */
static uint32_t *words_of(const struct sch_shader *shader, size_t *count)
{
    *count = sch_maxwell_code_words(shader->maxwell);
    uint64_t *words = sch_api_alloc(shader->context, *count * sizeof *words);
    if (!words) return NULL;
    sch_maxwell_code_write(shader->maxwell, words);
    uint32_t *halves = (uint32_t *)words;
    for (size_t i = 0; i < *count; i++) {
        const uint64_t word = words[i];
        halves[2 * i] = (uint32_t)word;
        halves[2 * i + 1] = (uint32_t)(word >> 32);
    }
    *count *= 2;
    return halves;
}

enum sch_result sch_api_maxwell_words(const struct sch_shader *shader, uint32_t **words, size_t *count)
{
    *words = words_of(shader, count);
    return *words ? SCH_OK : SCH_ERROR_MEMORY;
}

enum sch_result sch_api_maxwell_bytes(const struct sch_shader *shader, void **data, size_t *bytes)
{
    size_t count;
    uint32_t *words = words_of(shader, &count);
    *data = words;
    *bytes = count * sizeof *words;
    if (!words) return SCH_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const uint32_t word = words[i];
        unsigned char *to = (unsigned char *)&words[i];
        for (unsigned b = 0; b < sizeof word; b++) to[b] = (unsigned char)(word >> 8 * b);
    }
    return SCH_OK;
}

enum sch_result sch_api_maxwell_hash(const struct sch_shader *shader, uint64_t *hash)
{
    size_t count;
    uint32_t *words = words_of(shader, &count);
    if (!words) return SCH_ERROR_MEMORY;
    *hash = SCH_API_HASH_OF_NOTHING;
    for (size_t i = 0; i < count; i++) *hash = sch_api_hash(*hash, words[i], sizeof *words);
    sch_api_free(shader->context, words);
    return SCH_OK;
}

/* ---- what there is ---- */

enum sch_result sch_maxwell_get_info(const struct sch_shader *shader, struct sch_maxwell_code_info *info)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(shader), NULL, __func__, NULL);
    if (!begin(&call, shader) || !SCH_API_FILLS(&call, info, sizeof *info)) return sch_api_refused(&call);
    const struct sch_maxwell_code *code = shader->maxwell;
    struct sch_maxwell_code_info known;
    memset(&known, 0, sizeof known); /* padding, too */
    const enum sch_result status = sch_api_maxwell_hash(shader, &known.hash);
    if (status != SCH_OK) return sch_api_end(&call, status);
    known.kind = shader->kind;
    known.arch = (enum sch_maxwell_arch)code->arch;
    known.sections = (uint32_t)code->section_count;
    known.instructions = (uint32_t)code->instructions;
    known.textures = (uint32_t)code->textures;
    known.unknown = (uint32_t)code->unknown;
    sch_sized_write(info, &known, sizeof known);
    return SCH_OK;
}

bool sch_maxwell_section(const struct sch_shader *shader, size_t index, struct sch_maxwell_section_info *info)
{
    if (!shader || !shader->maxwell || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (index >= shader->maxwell->section_count) return false;
    const struct sch_maxwell_section *section = &shader->maxwell->sections[index];
    struct sch_maxwell_section_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.name = section->name;
    made.instructions = (uint32_t)section->count;
    made.textures = (uint32_t)section->textures;
    made.registers = section->registers;
    made.is_kernel = section->entry;
    made.barriers = section->barriers;
    made.shared_bytes = section->shared;
    made.local_bytes = section->local;
    made.stack_bytes = section->stack;
    made.constant_bytes = section->constants;
    made.parameters = section->parameters;
    made.parameter_bytes = section->parameter_bytes;
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_maxwell_note(const struct sch_shader *shader, size_t index, struct sch_maxwell_note_info *info)
{
    if (!shader || !shader->maxwell || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (index >= shader->maxwell->note_count) return false;
    const struct sch_maxwell_note *note = &shader->maxwell->notes[index];
    struct sch_maxwell_note_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    made.kind = (enum sch_maxwell_note_kind)note->kind;
    made.section = note->section == SCH_MAXWELL_NOTE_FILE ? -1 : (int32_t)note->section;
    made.offset = note->offset;
    made.name = note->name;
    made.text = note->text;
    sch_sized_write(info, &made, sizeof made);
    return true;
}

bool sch_maxwell_constants(const struct sch_shader *shader, size_t section, uint32_t number, const void **data,
                           size_t *bytes)
{
    if (!shader || !shader->maxwell || !data || !bytes || section >= shader->maxwell->section_count) return false;
    const struct sch_maxwell_bank *bank = sch_maxwell_code_bank(shader->maxwell, section, number);
    if (!bank) return false;
    *data = bank->data;
    *bytes = bank->bytes;
    return true;
}

/* ---- instructions ---- */

/* Instruction `number` of all sections; NULL: past the last. */
static const struct sch_maxwell_item *item_at(const struct sch_shader *shader, uint32_t number)
{
    const struct sch_maxwell_code *code = shader->maxwell;
    size_t left = number;
    for (size_t s = 0; s < code->section_count; s++) {
        if (left < code->sections[s].count) return &code->sections[s].items[left];
        left -= code->sections[s].count;
    }
    return NULL;
}

static unsigned count_places(const struct sch_maxwell_places *places)
{
    unsigned count = 0;
    for (unsigned w = 0; w < SCH_MAXWELL_PLACE_WORDS; w++) count += (unsigned)__builtin_popcountll(places->words[w]);
    return count - (places->words[SCH_MAXWELL_PLACE_CC / 64] >> SCH_MAXWELL_PLACE_CC % 64 & 1);
}

static bool has_place(const struct sch_maxwell_places *places, unsigned place)
{
    return places->words[place / 64] >> place % 64 & 1;
}

static const char *name_of(const struct sch_maxwell_item *item)
{
    if (item->texture) return sch_maxwell_operation_names[item->instruction.operation];
    return item->general ? sch_maxwell_code_operations[sch_maxwell_code_form_of(item->word)->operation].name : "";
}

static int32_t target_of(const struct sch_maxwell_instruction *instruction)
{
    static const uint8_t targets[] = {
        [SCH_MAXWELL_1D] = SCH_TARGET_1D,     [SCH_MAXWELL_ARRAY_1D] = SCH_TARGET_1D_ARRAY,
        [SCH_MAXWELL_2D] = SCH_TARGET_2D,     [SCH_MAXWELL_ARRAY_2D] = SCH_TARGET_2D_ARRAY,
        [SCH_MAXWELL_3D] = SCH_TARGET_3D,     [SCH_MAXWELL_ARRAY_3D] = SCH_TARGET_3D,
        [SCH_MAXWELL_CUBE] = SCH_TARGET_CUBE, [SCH_MAXWELL_ARRAY_CUBE] = SCH_TARGET_CUBE_ARRAY};
    const bool says = instruction->operation != SCH_MAXWELL_TXQ && instruction->operation != SCH_MAXWELL_TXA;
    return says ? targets[instruction->parameter & 7] : -1;
}

bool sch_api_maxwell_instruction(const struct sch_shader *shader, uint32_t number, struct sch_instruction_info *made)
{
    struct sch_maxwell_effects effects;
    const struct sch_maxwell_item *item = item_at(shader, number);
    if (!item) return false;
    sch_maxwell_effects_of(item, &effects);
    made->name = name_of(item);
    made->destinations = count_places(&effects.writes);
    made->sources = count_places(&effects.reads);
    made->target = SCH_TARGET_UNKNOWN;
    made->line = item->position.line;
    made->column = item->position.column;
    made->offset = item->position.offset;
    if (!item->texture) return true;
    made->flags = SCH_INSTRUCTION_TEXTURE;
    if (target_of(&item->instruction) < 0) return true;
    made->flags |= SCH_INSTRUCTION_TARGET;
    made->target = (enum sch_target)target_of(&item->instruction);
    return true;
}

static enum sch_maxwell_operand_kind kind_of(const struct sch_maxwell_instruction *instruction, unsigned role)
{
    const bool whole = instruction->operation == SCH_MAXWELL_TLD || instruction->operation == SCH_MAXWELL_TLDS ||
                       instruction->operation == SCH_MAXWELL_TXQ;
    switch ((enum sch_maxwell_operand_role)role) {
    case SCH_MAXWELL_ROLE_LAYER:
        return SCH_MAXWELL_READS_LAYER;
    case SCH_MAXWELL_ROLE_HANDLE:
        return SCH_MAXWELL_READS_HANDLE;
    case SCH_MAXWELL_ROLE_OFFSET:
    case SCH_MAXWELL_ROLE_PTP0:
    case SCH_MAXWELL_ROLE_PTP1:
        return SCH_MAXWELL_READS_OFFSETS;
    case SCH_MAXWELL_ROLE_LAYER_OFFSETS:
        return SCH_MAXWELL_READS_LAYER_OFFSETS;
    case SCH_MAXWELL_ROLE_SAMPLE:
        return SCH_MAXWELL_READS_INTEGER;
    default:
        return whole ? SCH_MAXWELL_READS_INTEGER : SCH_MAXWELL_READS_FLOAT;
    }
}

static void add_operands(const struct sch_maxwell_instruction *instruction, unsigned first, unsigned count,
                         const uint8_t *roles, struct sch_maxwell_instruction_info *info)
{
    for (unsigned n = 0; n < count && first != SCH_MAXWELL_RZ; n++) {
        if (first + n >= SCH_MAXWELL_GROUP_REGISTERS || info->operand_count == SCH_MAXWELL_OPERANDS) continue;
        info->operands[info->operand_count++] = (struct sch_maxwell_operand){first + n, kind_of(instruction, roles[n])};
    }
}

static void describe(const struct sch_maxwell_instruction *instruction, struct sch_maxwell_instruction_info *info)
{
    struct sch_maxwell_packing packing;
    sch_maxwell_print(instruction, SCH_MAXWELL_TEXT_NVDISASM, NULL, info->text);
    sch_maxwell_operands(instruction, &packing);
    add_operands(instruction, instruction->ra, packing.a_count, packing.a, info);
    add_operands(instruction, instruction->rb, packing.b_count, packing.b, info);
    info->guard = instruction->guard < SCH_MAXWELL_GROUP_PREDICATES ? instruction->guard : -1;
    info->handle = instruction->bindless ? -1 : instruction->index;
    info->target = target_of(instruction);
    info->compares = instruction->compare;
    info->samples = sch_maxwell_operation_samples[instruction->operation];
}

static void put_slot(const struct sch_maxwell_item *item, struct sch_maxwell_instruction_info *made)
{
    _Static_assert((int)SCH_MAXWELL_SLOT_BYTES >= (int)SCH_MAXWELL_SCHEDULE_TEXT, "all fields of a slot fit");
    const struct sch_maxwell_schedule schedule = sch_maxwell_schedule_of(item->slot);
    char text[SCH_MAXWELL_SCHEDULE_TEXT];
    made->slot = item->slot;
    sch_maxwell_schedule_print(&schedule, text);
    snprintf(made->slot_text, sizeof made->slot_text, "%s", text + (*text == ' '));
}

bool sch_maxwell_instruction(const struct sch_shader *shader, uint32_t number,
                             struct sch_maxwell_instruction_info *info)
{
    struct sch_maxwell_instruction_info made = {.guard = -1, .handle = -1, .target = -1};
    if (!shader || !shader->maxwell || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    const struct sch_maxwell_item *item = item_at(shader, number);
    if (!item) return false;
    made.word = item->word;
    made.is_texture = item->texture;
    made.is_nop = !item->texture && item->word == SCH_MAXWELL_NOP;
    put_slot(item, &made);
    struct sch_maxwell_code_text text;
    if (item->texture)
        describe(&item->instruction, &made);
    else if (item->general && sch_maxwell_code_text(item->word, SCH_MAXWELL_SLOT_NEUTRAL, item->address, &text))
        snprintf(made.text, sizeof made.text, "%s;", text.text);
    sch_sized_write(info, &made, sizeof made);
    return true;
}

/* The type as which a texture instruction reads a register: the last one if it reads the register more than once. */
static enum sch_value_type type_of(const struct sch_maxwell_item *item, unsigned number)
{
    struct sch_maxwell_instruction_info info = {.operand_count = 0};
    enum sch_value_type type = SCH_VALUE_UNKNOWN;
    if (item->texture) describe(&item->instruction, &info);
    for (uint32_t n = 0; n < info.operand_count; n++) {
        if (info.operands[n].number != number) continue;
        type = info.operands[n].kind == SCH_MAXWELL_READS_FLOAT     ? SCH_VALUE_FLOAT
               : info.operands[n].kind == SCH_MAXWELL_READS_INTEGER ? SCH_VALUE_INT
                                                                    : SCH_VALUE_UINT;
    }
    return type;
}

/* Register `number` among the places; CC does not count as a register. False: past the last. */
static bool place_at(const struct sch_maxwell_places *places, uint32_t number, enum sch_file *file, uint32_t *index)
{
    for (unsigned place = 0; place < SCH_MAXWELL_PLACE_CC; place++) {
        if (!has_place(places, place) || number--) continue;
        *file = place < SCH_MAXWELL_PLACE_P0 ? SCH_FILE_TEMPORARY : SCH_FILE_ADDRESS;
        *index = place < SCH_MAXWELL_PLACE_P0 ? place : place - SCH_MAXWELL_PLACE_P0;
        return true;
    }
    return false;
}

bool sch_api_maxwell_operand(const struct sch_shader *shader, uint32_t instruction, uint32_t number,
                             struct sch_operand_info *made)
{
    struct sch_maxwell_effects effects;
    uint32_t index;
    const struct sch_maxwell_item *item = item_at(shader, instruction);
    if (!item) return false;
    sch_maxwell_effects_of(item, &effects);
    const uint32_t destinations = count_places(&effects.writes);
    const bool writes = number < destinations;
    if (!place_at(writes ? &effects.writes : &effects.reads, writes ? number : number - destinations, &made->file,
                  &index))
        return false;
    made->kind = writes ? SCH_OPERAND_DESTINATION : SCH_OPERAND_SOURCE;
    made->index.number = (int32_t)index;
    made->write_mask = writes;
    if (!writes && made->file == SCH_FILE_TEMPORARY) made->type = type_of(item, index);
    return true;
}

/* Types of one register in several instructions, as sch_register_use has them. */
static enum sch_value_type joined(enum sch_value_type a, enum sch_value_type b, bool first)
{
    if (first || a == b) return b;
    const bool whole = a != SCH_VALUE_FLOAT && b != SCH_VALUE_FLOAT && a != SCH_VALUE_UNKNOWN && b != SCH_VALUE_UNKNOWN;
    return whole ? SCH_VALUE_INT : SCH_VALUE_UNKNOWN;
}

void sch_api_maxwell_uses(const struct sch_shader *shader, struct sch_register_use uses[SCH_API_MAXWELL_USES],
                          size_t *count)
{
    struct sch_maxwell_places reads = {{0}}, writes = {{0}};
    struct sch_maxwell_effects effects;
    const struct sch_maxwell_item *item;
    bool typed[SCH_MAXWELL_GROUP_REGISTERS] = {false};
    enum sch_value_type types[SCH_MAXWELL_GROUP_REGISTERS] = {SCH_VALUE_UNKNOWN};
    for (uint32_t n = 0; (item = item_at(shader, n)); n++) {
        sch_maxwell_effects_of(item, &effects);
        sch_maxwell_places_add(&reads, &effects.reads);
        sch_maxwell_places_add(&writes, &effects.writes);
        for (unsigned r = 0; item->texture && r < SCH_MAXWELL_GROUP_REGISTERS; r++) {
            if (!has_place(&effects.reads, r)) continue;
            types[r] = joined(types[r], type_of(item, r), !typed[r]);
            typed[r] = true;
        }
    }
    *count = 0;
    for (unsigned place = 0; place < SCH_MAXWELL_PLACE_CC; place++) {
        if (!has_place(&reads, place) && !has_place(&writes, place)) continue;
        const bool predicate = place >= SCH_MAXWELL_PLACE_P0;
        const uint32_t index = predicate ? place - SCH_MAXWELL_PLACE_P0 : place;
        struct sch_register_use *use = &uses[(*count)++];
        memset(use, 0, sizeof *use); /* padding, too */
        use->file = predicate ? SCH_FILE_ADDRESS : SCH_FILE_TEMPORARY;
        use->first = use->last = index;
        use->is_read = has_place(&reads, place);
        use->is_written = has_place(&writes, place);
        for (unsigned c = 0; c < 4; c++) use->types[c] = SCH_VALUE_UNKNOWN;
        use->types[0] = predicate ? SCH_VALUE_UINT : types[index];
    }
}
