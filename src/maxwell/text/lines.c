/* Debug lines: the line number programs of DWARF 2 to 4, as far as they say which line an address comes from. */
#include <stdio.h>
#include <string.h>

#include "maxwell/text/notes.h"

/* A part of the section that is read on; `failed`: it ended too early. */
struct cursor {
    const unsigned char *data;
    size_t at, end;
    bool failed;
};

static uint64_t take(struct cursor *c, unsigned bytes)
{
    if (c->end - c->at < bytes) {
        c->failed = true;
        c->at = c->end;
        return 0;
    }
    c->at += bytes;
    return sch_elf_number(c->data + c->at - bytes, bytes);
}

/* A number in groups of 7 bits, the lowest first; its sign is the last group's. */
static uint64_t take_leb(struct cursor *c, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0, byte;
    do {
        byte = (unsigned)take(c, 1);
        if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) && !c->failed);
    if (is_signed && (byte & 0x40) && shift < 64) value |= UINT64_MAX << shift;
    return value;
}

static const char *take_text(struct cursor *c)
{
    const char *text = (const char *)c->data + c->at;
    const char *end = memchr(text, 0, c->end - c->at);
    if (!end) {
        c->failed = true;
        c->at = c->end;
        return "";
    }
    c->at += (size_t)(end - text) + 1;
    return text;
}

struct unit {
    struct sch_elf *elf;
    struct cursor in;
    const struct sch_maxwell_place *places;
    size_t place_count, next_place;
    unsigned least, base, opcodes;
    unsigned range;
    int line_base;
    const unsigned char *lengths; /* operands of the standard opcodes */
    const char **files;           /* names, in the program */
    size_t file_count, file_capacity;
    uint32_t section;
    uint64_t address, file, line;
};

/* The names of the files; false: no memory. */
static bool read_files(struct unit *u, struct cursor c)
{
    struct sch_arena *arena = &u->elf->code->arena;
    for (;;) {
        const char *name = take_text(&c);
        if (c.failed || !*name) return true;
        for (unsigned field = 0; field < 3; field++) take_leb(&c, false);
        if (!SCH_ARENA_GROW(arena, u->files, u->file_capacity, u->file_count)) return false;
        u->files[u->file_count] = sch_arena_string(arena, name, strnlen(name, SCH_MAXWELL_NAME));
        if (!u->files[u->file_count++]) return false;
    }
}

static const char *file_name(const struct unit *u)
{
    return u->file >= 1 && u->file <= u->file_count ? u->files[u->file - 1] : "";
}

static bool put_row(struct unit *u)
{
    char text[24];
    if (u->section == SCH_ELF_NO_CODE) return true;
    snprintf(text, sizeof text, "%llu", (unsigned long long)u->line);
    return sch_maxwell_notes_add(u->elf, SCH_MAXWELL_NOTE_LINE, u->section, (uint32_t)u->address, file_name(u), text);
}

static void begin_sequence(struct unit *u)
{
    u->address = 0;
    u->file = u->line = 1;
    u->section = u->elf->code->section_count == 1 ? 0 : SCH_ELF_NO_CODE;
}

/* An address: a relocation says of which section; without one it is that of the only section. */
static void set_address(struct unit *u, unsigned bytes)
{
    const size_t at = u->in.at;
    u->address = take(&u->in, bytes);
    for (size_t i = 0; i < u->place_count; i++) {
        const size_t number = (u->next_place + i) % u->place_count;
        if (u->places[number].at != at) continue;
        u->section = u->places[number].section;
        u->address += u->places[number].address;
        u->next_place = number + 1;
        return;
    }
}

static void extended(struct unit *u)
{
    enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };
    const uint64_t bytes = take_leb(&u->in, false);
    if (!bytes || bytes > u->in.end - u->in.at) {
        u->in.failed = true;
        return;
    }
    const size_t end = u->in.at + (size_t)bytes;
    const uint64_t opcode = take(&u->in, 1);
    if (opcode == END_SEQUENCE) begin_sequence(u);
    if (opcode == SET_ADDRESS && bytes - 1 <= SCH_ELF_XWORD) set_address(u, (unsigned)bytes - 1);
    u->in.at = end;
}

/* One opcode; false: no room for its row. */
static bool run(struct unit *u)
{
    enum { EXTENDED, COPY, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
    const unsigned opcode = (unsigned)take(&u->in, 1);
    if (opcode >= u->base) {
        const unsigned adjusted = opcode - u->base;
        u->address += (uint64_t)u->least * (adjusted / u->range);
        u->line += (uint64_t)(int64_t)(u->line_base + (int)(adjusted % u->range));
        return put_row(u);
    }
    switch (opcode) {
    case EXTENDED:
        extended(u);
        return true;
    case COPY:
        return put_row(u);
    case ADVANCE_PC:
        u->address += u->least * take_leb(&u->in, false);
        return true;
    case ADVANCE_LINE:
        u->line += take_leb(&u->in, true);
        return true;
    case SET_FILE:
        u->file = take_leb(&u->in, false);
        return true;
    case CONST_ADD_PC:
        u->address += (uint64_t)u->least * ((255 - u->base) / u->range);
        return true;
    case FIXED_ADVANCE_PC:
        u->address += take(&u->in, SCH_ELF_HALF);
        return true;
    default:
        for (unsigned i = 0; i < u->lengths[opcode - 1]; i++) take_leb(&u->in, false);
        return true;
    }
}

/* The header of a unit and its program; false: it is damaged. */
static bool read_unit(struct unit *u)
{
    enum { OLDEST = 2, NEWEST = 4 };
    struct cursor *c = &u->in;
    const unsigned version = (unsigned)take(c, SCH_ELF_HALF);
    if (version < OLDEST || version > NEWEST) return true; /* of another kind: nothing is known of its lines */
    const uint64_t header = take(c, SCH_ELF_WORD);
    if (header > c->end - c->at) return false;
    const size_t program = c->at + (size_t)header;
    u->least = (unsigned)take(c, 1);
    if (version == NEWEST) take(c, 1);
    take(c, 1); /* whether rows begin statements */
    const unsigned base = (unsigned)take(c, 1);
    u->line_base = base < 128 ? (int)base : (int)base - 256;
    u->range = (unsigned)take(c, 1);
    u->base = (unsigned)take(c, 1);
    u->lengths = c->data + c->at;
    if (c->failed || !u->range || !u->base || c->end - c->at < u->base) return false;
    c->at += u->base - 1;
    while (*take_text(c) && !c->failed) continue; /* folders */
    if (c->failed || program < c->at || !read_files(u, *c)) return false;
    c->at = program;
    begin_sequence(u);
    while (c->at < c->end && !c->failed)
        if (!run(u)) return false;
    return !c->failed;
}

bool sch_maxwell_lines_read(struct sch_elf *elf, const unsigned char *data, size_t bytes,
                            const struct sch_maxwell_place *places, size_t place_count)
{
    for (size_t at = 0; bytes - at >= SCH_ELF_WORD;) {
        const uint64_t length = sch_elf_number(data + at, SCH_ELF_WORD);
        at += SCH_ELF_WORD;
        if (length > bytes - at) return false;
        struct unit unit = {.elf = elf,
                            .in = {.data = data, .at = at, .end = at + (size_t)length},
                            .places = places,
                            .place_count = place_count};
        if (!read_unit(&unit)) return false;
        at += (size_t)length;
    }
    return true;
}
