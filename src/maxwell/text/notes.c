/* Sections of cubins other than code. */
#include "maxwell/text/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/errors.h"

enum {
    TYPE_SYMBOLS = 2,
    TYPE_RELOCATIONS_ADDED = 4,
    TYPE_RELOCATIONS = 9,
    TYPE_INFO = 0x70000000, /* of .nv.info */
    SYMBOL_BYTES = 24,
    SYMBOL_FUNCTION = 2,
    SYMBOL_KERNEL = 0x10, /* st_other */
    TEXTS = 256,
    BANK_BYTES = 65536 /* of a constant bank: its offsets have 16 bits */
};

/* A symbol; `name` is "" where it has no name. */
struct symbol {
    const char *name;
    unsigned type, other;
    uint32_t section; /* of the file */
    uint64_t value, size;
};

struct notes {
    struct sch_elf *elf;
    struct sch_elf_section symbols, strings; /* `symbols.size` is 0: there are none */
    bool damaged;
    uint64_t damaged_at; /* the header of the first such section */
    bool full;
};

bool sch_maxwell_notes_add(struct sch_elf *elf, unsigned kind, uint32_t section, uint32_t offset, const char *name,
                           const char *text)
{
    struct sch_maxwell_code *code = elf->code;
    struct sch_arena *arena = &code->arena;
    /* Sections that lie over each other would give more. */
    if (code->note_count > elf->bytes / 4) return false;
    const char *text_copy = sch_arena_string(arena, text, strlen(text));
    if (!text_copy || !SCH_ARENA_GROW(arena, code->notes, code->note_capacity, code->note_count)) return false;
    code->notes[code->note_count] = (struct sch_maxwell_note){.kind = (uint8_t)kind,
                                                              .section = section,
                                                              .offset = offset,
                                                              .order = (uint32_t)code->note_count,
                                                              .name = name,
                                                              .text = text_copy};
    code->note_count++;
    return true;
}

static void add(struct notes *n, unsigned kind, uint32_t section, uint32_t offset, const char *name, const char *text)
{
    const char *copy = sch_arena_string(&n->elf->code->arena, name, strnlen(name, SCH_MAXWELL_NAME));
    n->full = n->full || !copy || !sch_maxwell_notes_add(n->elf, kind, section, offset, copy, text);
}

static void damage(struct notes *n, uint64_t index)
{
    if (!n->damaged) n->damaged_at = n->elf->table + index * SCH_ELF_SECTION_BYTES;
    n->damaged = true;
}

/* The bytes of a section; NULL, with damage: they are not inside of the file. */
static const unsigned char *bytes_of(struct notes *n, uint64_t index, const struct sch_elf_section *section)
{
    if (sch_elf_is_inside(n->elf, section->offset, section->size)) return n->elf->data + section->offset;
    damage(n, index);
    return NULL;
}

/* ---- symbols ---- */

static bool symbol_at(const struct notes *n, uint64_t index, struct symbol *symbol)
{
    if (index >= n->symbols.size / SYMBOL_BYTES) return false;
    const unsigned char *at = n->elf->data + n->symbols.offset + index * SYMBOL_BYTES;
    const char *name = sch_elf_text((const char *)n->elf->data + n->strings.offset, (size_t)n->strings.size,
                                    sch_elf_number(at, SCH_ELF_WORD));
    *symbol = (struct symbol){.name = name ? name : "",
                              .type = at[4] & 15u,
                              .other = at[5],
                              .section = (uint32_t)sch_elf_number(at + 6, SCH_ELF_HALF),
                              .value = sch_elf_number(at + 8, SCH_ELF_XWORD),
                              .size = sch_elf_number(at + 16, SCH_ELF_XWORD)};
    return true;
}

static uint32_t code_of(const struct notes *n, uint64_t section)
{
    return section < n->elf->count ? n->elf->sections[section] : SCH_ELF_NO_CODE;
}

static void find_symbols(struct notes *n)
{
    for (uint64_t i = 1; i < n->elf->count; i++) {
        const struct sch_elf_section section = sch_elf_section_at(n->elf, i);
        if (section.type != TYPE_SYMBOLS) continue;
        if (section.link >= n->elf->count) {
            damage(n, i);
            return;
        }
        const struct sch_elf_section strings = sch_elf_section_at(n->elf, section.link);
        if (!bytes_of(n, i, &section) || !bytes_of(n, section.link, &strings)) return;
        n->symbols = section;
        n->strings = strings;
        return;
    }
}

/* Functions, and which sections are kernels. */
static void read_functions(struct notes *n)
{
    struct symbol symbol;
    for (uint64_t i = 1; symbol_at(n, i, &symbol) && !n->full; i++) {
        const uint32_t code = code_of(n, symbol.section);
        if (code == SCH_ELF_NO_CODE || symbol.type != SYMBOL_FUNCTION) continue;
        char text[TEXTS];
        struct sch_maxwell_section *section = &n->elf->code->sections[code];
        section->entry = section->entry || (symbol.other & SYMBOL_KERNEL);
        snprintf(text, sizeof text, "%llu bytes", (unsigned long long)symbol.size);
        add(n, SCH_MAXWELL_NOTE_FUNCTION, code, (uint32_t)symbol.value, symbol.name, text);
    }
}

/* ---- relocations ---- */

/* A word in which a relocation puts an address, as a whole or in parts of 8 bytes. */
static void mark_relocated(struct notes *n, uint32_t code, uint64_t offset)
{
    struct sch_maxwell_section *section = &n->elf->code->sections[code];
    const uint64_t bundle = offset / SCH_MAXWELL_BUNDLE_BYTES, word = offset % SCH_MAXWELL_BUNDLE_BYTES / 8;
    const uint64_t number = bundle * SCH_MAXWELL_SLOTS + word - 1;
    if (word && number < section->count) section->items[number].relocated = true;
}

static void read_relocations(struct notes *n, uint64_t index, const struct sch_elf_section *section)
{
    const unsigned char *data = bytes_of(n, index, section);
    const bool added = section->type == TYPE_RELOCATIONS_ADDED;
    const size_t each = added ? 24 : 16;
    if (!data || section->info >= n->elf->count) {
        damage(n, index);
        return;
    }
    const struct sch_elf_section target = sch_elf_section_at(n->elf, section->info);
    const char *where = sch_elf_section_name(n->elf, &target);
    const uint32_t code = code_of(n, section->info);
    for (uint64_t at = 0; section->size - at >= each && !n->full; at += each) {
        const uint64_t offset = sch_elf_number(data + at, SCH_ELF_XWORD);
        const unsigned type = (unsigned)sch_elf_number(data + at + 8, SCH_ELF_WORD);
        struct symbol symbol = {.name = ""};
        char text[TEXTS];
        if (!symbol_at(n, sch_elf_number(data + at + 12, SCH_ELF_WORD), &symbol)) damage(n, index);
        int used = snprintf(text, sizeof text, "%.160s, type %u", where ? where : "", type);
        if (added && sch_elf_number(data + at + 16, SCH_ELF_XWORD))
            snprintf(text + used, sizeof text - (size_t)used, ", plus %lld",
                     (long long)sch_elf_number(data + at + 16, SCH_ELF_XWORD));
        if (code != SCH_ELF_NO_CODE) mark_relocated(n, code, offset);
        add(n, SCH_MAXWELL_NOTE_RELOCATION, code == SCH_ELF_NO_CODE ? SCH_MAXWELL_NOTE_FILE : code, (uint32_t)offset,
            symbol.name, text);
    }
}

/* ---- .nv.info ---- */

static const struct {
    uint8_t number;
    const char *name;
} attributes[] = {
    {0x09, "TEXTURES_AND_SAMPLERS"},
    {0x0a, "PARAM_CBANK"},
    {0x11, "FRAME_SIZE"},
    {0x12, "MIN_STACK_SIZE"},
    {0x15, "BINDLESS_TEXTURE_BANK"},
    {0x17, "KPARAM_INFO"},
    {0x19, "CBANK_PARAM_SIZE"},
    {0x1b, "MAXREG_COUNT"},
    {0x1c, "EXIT_INSTR_OFFSETS"},
    {0x1d, "S2RCTAID_INSTR_OFFSETS"},
    {0x1e, "CRS_STACK_SIZE"},
    {0x21, "EXPLICIT_CACHING"},
    {0x23, "MAX_STACK_SIZE"},
    {0x28, "COOP_GROUP_INSTR_OFFSETS"},
    {0x2a, "SW1850030_WAR"},
    {0x2f, "REGCOUNT"},
    {0x30, "SW2393858_WAR"},
    {0x31, "INT_WARP_WIDE_INSTR_OFFSETS"},
    {0x34, "INDIRECT_BRANCH_TARGETS"},
    {0x37, "CUDA_API_VERSION"},
};
enum {
    FRAME_SIZE = 0x11,
    MIN_STACK_SIZE = 0x12,
    KPARAM_INFO = 0x17,
    CBANK_PARAM_SIZE = 0x19,
    MAX_STACK_SIZE = 0x23,
    REGCOUNT = 0x2f,
    FORMAT_BYTE = 2,
    FORMAT_HALF = 3,
    FORMAT_DATA = 4,
    PARAMETER_SIZE = 18 /* the lowest bit of a parameter's size */
};

/* The name of an attribute; its number, where no source has a name. */
static const char *attribute_name(unsigned number, char text[TEXTS])
{
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].number == number) return attributes[i].name;
    snprintf(text, TEXTS, "0x%02x", number);
    return text;
}

/* Whether the record is a symbol and a value. */
static bool is_of_symbol(unsigned attribute)
{
    return attribute == FRAME_SIZE || attribute == MIN_STACK_SIZE || attribute == MAX_STACK_SIZE ||
           attribute == REGCOUNT;
}

/* Words of a record, the first ones. */
static void words_text(const unsigned char *data, size_t bytes, char text[TEXTS])
{
    enum { SHOWN = 16 };
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < bytes / 4 && i < SHOWN; i++)
        used += (size_t)snprintf(text + used, TEXTS - used, "%s0x%x", i ? ", " : "",
                                 (unsigned)sch_elf_number(data + 4 * i, SCH_ELF_WORD));
    for (size_t i = bytes / 4 * 4; i < bytes && bytes / 4 < SHOWN; i++)
        used += (size_t)snprintf(text + used, TEXTS - used, "%s0x%02x", i ? ", " : "", data[i]);
    if (bytes / 4 > SHOWN) snprintf(text + used, TEXTS - used, ", ... (%zu)", bytes / 4);
}

static void symbol_record(struct notes *n, unsigned attribute, const unsigned char *data, char text[TEXTS])
{
    struct symbol symbol = {.name = ""};
    const bool known = symbol_at(n, sch_elf_number(data, SCH_ELF_WORD), &symbol);
    const uint32_t value = (uint32_t)sch_elf_number(data + 4, SCH_ELF_WORD);
    const uint32_t code = known ? code_of(n, symbol.section) : SCH_ELF_NO_CODE;
    snprintf(text, TEXTS, "%.160s, 0x%x", symbol.name, value);
    if (code == SCH_ELF_NO_CODE || symbol.type != SYMBOL_FUNCTION) return;
    struct sch_maxwell_section *section = &n->elf->code->sections[code];
    if (attribute == FRAME_SIZE && value > section->local) section->local = value;
    if (attribute == MIN_STACK_SIZE && value > section->stack) section->stack = value;
}

static void parameter_record(struct notes *n, uint32_t code, const unsigned char *data)
{
    struct sch_maxwell_code *made = n->elf->code;
    char name[16], text[TEXTS];
    const unsigned offset = (unsigned)sch_elf_number(data + 6, SCH_ELF_HALF);
    const unsigned number = (unsigned)sch_elf_number(data + 4, SCH_ELF_HALF);
    const unsigned bytes = (unsigned)(sch_elf_number(data + 8, SCH_ELF_WORD) >> PARAMETER_SIZE);
    snprintf(name, sizeof name, "%u", number);
    snprintf(text, sizeof text, "%u bytes", bytes);
    if (!SCH_ARENA_GROW(&made->arena, made->parameters, made->parameter_capacity, made->parameter_count)) {
        n->full = true;
        return;
    }
    made->parameters[made->parameter_count++] =
        (struct sch_maxwell_argument){.section = code == SCH_ELF_NO_CODE ? SCH_MAXWELL_NOTE_FILE : code,
                                      .number = number,
                                      .offset = offset,
                                      .bytes = bytes};
    if (code != SCH_ELF_NO_CODE) n->elf->code->sections[code].parameters++;
    add(n, SCH_MAXWELL_NOTE_PARAMETER, code == SCH_ELF_NO_CODE ? SCH_MAXWELL_NOTE_FILE : code, offset, name, text);
}

static void take_record(struct notes *n, uint32_t code, unsigned format, unsigned attribute, const unsigned char *data,
                        size_t bytes)
{
    char text[TEXTS] = "", name[TEXTS];
    const uint32_t section = code == SCH_ELF_NO_CODE ? SCH_MAXWELL_NOTE_FILE : code;
    if (format == FORMAT_BYTE || format == FORMAT_HALF)
        snprintf(text, sizeof text, "0x%x", (unsigned)sch_elf_number(data, SCH_ELF_HALF));
    if (format == FORMAT_DATA && attribute == KPARAM_INFO && bytes >= 12) {
        parameter_record(n, code, data);
        return;
    }
    if (format == FORMAT_DATA && is_of_symbol(attribute) && bytes >= 8)
        symbol_record(n, attribute, data, text);
    else if (format == FORMAT_DATA)
        words_text(data, bytes, text);
    if (attribute == CBANK_PARAM_SIZE && format == FORMAT_HALF && code != SCH_ELF_NO_CODE)
        n->elf->code->sections[code].parameter_bytes = (uint32_t)sch_elf_number(data, SCH_ELF_HALF);
    add(n, SCH_MAXWELL_NOTE_ATTRIBUTE, section, attribute, attribute_name(attribute, name), text);
}

/* Records: a format, an attribute, and two bytes that are its value or the size of what follows. */
static void read_info(struct notes *n, uint64_t index, const struct sch_elf_section *section)
{
    enum { HEAD = 4 };
    const unsigned char *data = bytes_of(n, index, section);
    if (!data) return;
    const uint32_t code = section->info ? code_of(n, section->info) : SCH_ELF_NO_CODE;
    for (uint64_t at = 0; at < section->size && !n->full;) {
        if (section->size - at < HEAD) {
            damage(n, index);
            return;
        }
        const unsigned format = data[at], attribute = data[at + 1];
        const uint64_t size = format == FORMAT_DATA ? sch_elf_number(data + at + 2, SCH_ELF_HALF) : 0;
        const unsigned char *value = data + at + (format == FORMAT_DATA ? HEAD : 2);
        at += HEAD;
        if (size > section->size - at) {
            damage(n, index);
            return;
        }
        take_record(n, code, format, attribute, value, (size_t)size);
        at += size;
    }
}

/* ---- constants, shared and local memory ---- */

/* What follows a prefix in the name of a section that belongs to a kernel: the section of code of that name. */
static uint32_t kernel_of(const struct notes *n, const char *name)
{
    const struct sch_maxwell_code *code = n->elf->code;
    for (size_t i = 0; *name == '.' && i < code->section_count; i++)
        if (strcmp(code->sections[i].name, name + 1) == 0) return (uint32_t)i;
    return SCH_ELF_NO_CODE;
}

/* The contents of a bank. That of c[0x0] is the launch's. */
static void keep_bank(struct notes *n, uint64_t index, const struct sch_elf_section *section, uint32_t code,
                      unsigned number)
{
    struct sch_maxwell_code *made = n->elf->code;
    const unsigned char *data = number && section->size ? bytes_of(n, index, section) : NULL;
    if (!data || section->size > BANK_BYTES) {
        if (data) damage(n, index);
        return;
    }
    unsigned char *copy = sch_arena_alloc(&made->arena, (size_t)section->size, sizeof(uint64_t));
    if (!copy || made->bank_count > n->elf->count ||
        !SCH_ARENA_GROW(&made->arena, made->banks, made->bank_capacity, made->bank_count)) {
        n->full = true;
        return;
    }
    memcpy(copy, data, (size_t)section->size);
    made->banks[made->bank_count++] =
        (struct sch_maxwell_bank){.section = code, .number = number, .data = copy, .bytes = (size_t)section->size};
}

static void read_constants(struct notes *n, uint64_t index, const struct sch_elf_section *section, const char *rest)
{
    char text[TEXTS], name[TEXTS];
    unsigned bank = 0;
    while (*rest >= '0' && *rest <= '9' && bank < 100) bank = bank * 10 + (unsigned)(*rest++ - '0');
    const uint32_t code = kernel_of(n, rest), size = (uint32_t)section->size;
    if (code != SCH_ELF_NO_CODE && bank == 0) n->elf->code->sections[code].constants = size;
    snprintf(name, sizeof name, "c[0x%x]", bank);
    snprintf(text, sizeof text, "%u bytes", size);
    const uint32_t of = code == SCH_ELF_NO_CODE ? SCH_MAXWELL_NOTE_FILE : code;
    add(n, SCH_MAXWELL_NOTE_CONSTANT, of, bank, name, text);
    keep_bank(n, index, section, of, bank);
}

/* ---- debug lines ---- */

/* The places of .debug_line that relocations fill with addresses of code. */
static void read_lines(struct notes *n, uint64_t index, const struct sch_elf_section *section)
{
    const unsigned char *data = bytes_of(n, index, section);
    struct sch_maxwell_place *places = NULL;
    size_t count = 0, capacity = 0;
    for (uint64_t i = 1; data && i < n->elf->count; i++) {
        const struct sch_elf_section from = sch_elf_section_at(n->elf, i);
        const bool added = from.type == TYPE_RELOCATIONS_ADDED;
        const size_t each = added ? 24 : 16;
        if ((!added && from.type != TYPE_RELOCATIONS) || from.info != index || !bytes_of(n, i, &from)) continue;
        for (uint64_t at = 0; from.size - at >= each && count < n->elf->bytes / 16; at += each) {
            const unsigned char *row = n->elf->data + from.offset + at;
            struct symbol symbol;
            if (!symbol_at(n, sch_elf_number(row + 12, SCH_ELF_WORD), &symbol)) continue;
            const uint64_t more = added ? sch_elf_number(row + 16, SCH_ELF_XWORD) : 0;
            if (!SCH_ARENA_GROW(&n->elf->code->arena, places, capacity, count)) {
                n->full = true;
                return;
            }
            places[count++] = (struct sch_maxwell_place){.at = sch_elf_number(row, SCH_ELF_XWORD),
                                                         .section = code_of(n, symbol.section),
                                                         .address = (uint32_t)(symbol.value + more)};
        }
    }
    if (data && !sch_maxwell_lines_read(n->elf, data, (size_t)section->size, places, count)) damage(n, index);
}

/* ---- all of it ---- */

static void read_section(struct notes *n, uint64_t index)
{
    static const char constant[] = ".nv.constant", info[] = ".nv.info", shared[] = ".nv.shared", local[] = ".nv.local",
                      lines[] = ".debug_line";
    const struct sch_elf_section section = sch_elf_section_at(n->elf, index);
    const char *name = sch_elf_section_name(n->elf, &section);
    if (section.type == TYPE_RELOCATIONS || section.type == TYPE_RELOCATIONS_ADDED) {
        read_relocations(n, index, &section);
        return;
    }
    if (!name) return;
    if (section.type == TYPE_INFO && strncmp(name, info, sizeof info - 1) == 0)
        read_info(n, index, &section);
    else if (strncmp(name, constant, sizeof constant - 1) == 0)
        read_constants(n, index, &section, name + sizeof constant - 1);
    else if (strcmp(name, lines) == 0)
        read_lines(n, index, &section);
    const bool is_shared = strncmp(name, shared, sizeof shared - 1) == 0;
    if (!is_shared && strncmp(name, local, sizeof local - 1) != 0) return;
    const uint32_t code = kernel_of(n, name + (is_shared ? sizeof shared : sizeof local) - 1);
    if (code == SCH_ELF_NO_CODE) return;
    struct sch_maxwell_section *kernel = &n->elf->code->sections[code];
    if (is_shared)
        kernel->shared = (uint32_t)section.size;
    else if (section.size > kernel->local)
        kernel->local = (uint32_t)section.size;
}

static int by_place(const void *left, const void *right)
{
    const struct sch_maxwell_note *a = left, *b = right;
    if (a->section != b->section) return a->section < b->section ? -1 : 1;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

enum sch_result sch_maxwell_notes_read(struct sch_elf *elf)
{
    struct notes notes = {.elf = elf};
    find_symbols(&notes);
    read_functions(&notes);
    for (uint64_t i = 1; i < elf->count && !notes.full; i++) read_section(&notes, i);
    if (elf->code->arena.failed) return SCH_ERROR_MEMORY;
    if (notes.full) damage(&notes, 0);
    if (notes.damaged)
        sch_diagnostics_add(elf->how->diagnostics, SCH_SEVERITY_WARNING, SCH_D_CUBIN_NOTES,
                            (struct sch_position){.offset = notes.damaged_at},
                            "what this section says of the code is damaged, and left out");
    if (elf->code->note_count) qsort(elf->code->notes, elf->code->note_count, sizeof *elf->code->notes, by_place);
    return SCH_OK;
}
