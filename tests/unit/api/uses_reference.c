/* See uses_reference.h. Every component of every register below the highest has a number; what moves connect is found
 * by spreading types along the list of moves until nothing changes. */
#include "uses_reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FILES = 5, MOST_BUFFERS = 64, STRONG = 0xff, LIKELY = 8 };
static const char *const words[FILES] = {"CONST", "IN", "OUT", "TEMP", "SV"};
static const enum sch_file files[FILES] = {SCH_FILE_CONSTANT, SCH_FILE_INPUT, SCH_FILE_OUTPUT, SCH_FILE_TEMPORARY,
                                           SCH_FILE_SYSTEM_VALUE};

/* The registers of a file, or of a buffer of CONST, and one more for all that registers choose. */
struct bank {
    int file;
    unsigned buffer;
    uint32_t count;
    unsigned (*types)[4]; /* bits 1 << enum sch_value_type; likely ones above LIKELY */
    bool *declared, *read;
};

struct move {
    size_t bank[2];
    uint32_t index[2];
    unsigned component[2];
};

struct uses_reference {
    struct bank banks[MOST_BUFFERS];
    size_t bank_count, move_count, move_room;
    struct move *moves;
};

struct place {
    bool there;
    size_t bank;
    uint32_t index;
    unsigned component[4], mask;
};

/* ---- texts ---- */

/* The file whose word is at `*at` before a bracket, and `*at` moved past the word; -1: another one. */
static int take_file(const char **at)
{
    for (int f = 0; f < FILES; f++) {
        const size_t length = strlen(words[f]);
        if (strncmp(*at, words[f], length) != 0 || (*at)[length] != '[') continue;
        *at += length;
        return f;
    }
    return -1;
}

/* [n], [n..m] or [REG[n].c+m], where the result is false. */
static bool take_bracket(const char **at, uint32_t *first, uint32_t *last)
{
    char *end;
    const char *begin = *at + 1;
    int depth = 0;
    *first = *last = (uint32_t)strtoul(begin, &end, 10);
    const bool direct = end != begin;
    if (direct && strncmp(end, "..", 2) == 0) *last = (uint32_t)strtoul(end + 2, NULL, 10);
    do {
        depth += (**at == '[') - (**at == ']');
        ++*at;
    } while (depth);
    if (**at == '(') *at = strchr(*at, ')') + 1;
    return direct;
}

static struct bank *bank_of(struct uses_reference *reference, int file, unsigned buffer, bool make)
{
    for (size_t b = 0; b < reference->bank_count; b++)
        if (reference->banks[b].file == file && reference->banks[b].buffer == buffer) return &reference->banks[b];
    if (!make) return NULL;
    assert_true(reference->bank_count < MOST_BUFFERS);
    struct bank *made = &reference->banks[reference->bank_count++];
    *made = (struct bank){.file = file, .buffer = buffer};
    return made;
}

/* FILE[first..last] or FILE[buffer][first..last] at `at`; false: the registers are not known, or of another file. */
static bool take_registers(const char **at, int *file, unsigned *buffer, uint32_t *first, uint32_t *last, bool *any)
{
    uint32_t number, end;
    *file = take_file(at);
    *buffer = 0;
    if (*file < 0) return false;
    bool direct = strncmp(*at, "[]", 2) == 0 ? (*at += 2, true) : take_bracket(at, first, last);
    *any = !direct;
    if (**at != '[') return true;
    if (files[*file] == SCH_FILE_CONSTANT && !direct) return false;
    if (files[*file] == SCH_FILE_CONSTANT) *buffer = *first;
    *any = !take_bracket(at, &number, &end);
    *first = number;
    *last = end;
    return true;
}

/* ---- declarations ---- */

/* What the registers' semantic usually is, from the words of the line. */
static unsigned likely_type(const char *line, enum sch_file file)
{
    struct sch_name_info name = {.size = sizeof name};
    char word[64] = "";
    const char *comma = strchr(line, ',');
    while (comma && (strncmp(comma, ", ARRAY(", 8) == 0 || strncmp(comma, ", LOCAL", 7) == 0))
        comma = strchr(comma + 1, ',');
    if (!comma || sscanf(comma, ", %63[A-Z_0-9]", word) != 1) return 0;
    for (size_t n = 0; sch_table_name(SCH_NAMES_SEMANTICS, n, &name); n++) {
        if (strcmp(name.word, word) != 0) continue;
        if (strcmp(name.type, "integer") == 0) return 1u << SCH_VALUE_UINT;
        return file == SCH_FILE_SYSTEM_VALUE ? 0 : 1u << SCH_VALUE_FLOAT;
    }
    return 0;
}

static void take_declaration(struct uses_reference *reference, const char *line, bool counting)
{
    const char *at = line + 4;
    int file;
    unsigned buffer;
    uint32_t first = 0, last = 0;
    bool any;
    if (!take_registers(&at, &file, &buffer, &first, &last, &any)) return;
    struct bank *bank = bank_of(reference, file, buffer, true);
    if (counting) {
        if (last >= bank->count) bank->count = last + 1;
        return;
    }
    const bool has_semantic =
        files[file] == SCH_FILE_INPUT || files[file] == SCH_FILE_OUTPUT || files[file] == SCH_FILE_SYSTEM_VALUE;
    for (uint32_t n = first; n <= last; n++) {
        bank->declared[n] = true;
        for (unsigned c = 0; c < 4 && has_semantic; c++) bank->types[n][c] |= likely_type(line, files[file]) << LIKELY;
    }
}

/* ---- instructions ---- */

static struct place take_operand(const struct uses_reference *reference, const char *at)
{
    struct place place = {.mask = 15};
    int file;
    unsigned buffer;
    uint32_t first = 0, last = 0;
    bool any;
    at += strspn(at, " -|");
    if (!take_registers(&at, &file, &buffer, &first, &last, &any)) return place;
    const struct bank *bank = bank_of((struct uses_reference *)reference, file, buffer, false);
    if (!bank) return place;
    place.there = true;
    place.bank = (size_t)(bank - reference->banks);
    place.index = any || first >= bank->count ? bank->count : first;
    for (unsigned c = 0; c < 4; c++) place.component[c] = c;
    if (*at != '.') return place;
    static const char letters[] = "xyzw";
    place.mask = 0;
    for (unsigned c = 0; c < 4 && at[1 + c] && strchr(letters, at[1 + c]); c++) {
        place.component[c] = (unsigned)(strchr(letters, at[1 + c]) - letters);
        place.mask |= 1u << place.component[c];
    }
    return place;
}

static unsigned bit_of(char letter)
{
    switch (letter) {
    case 'F':
        return 1u << SCH_VALUE_FLOAT;
    case 'I':
        return 1u << SCH_VALUE_INT;
    case 'U':
        return 1u << SCH_VALUE_UINT;
    case 'D':
        return 1u << SCH_VALUE_FLOAT64;
    case 'L':
        return 1u << SCH_VALUE_INT64;
    case 'Q':
        return 1u << SCH_VALUE_UINT64;
    default:
        return 0;
    }
}

static bool find_opcode(const char *word, size_t bytes, struct sch_opcode_info *found)
{
    struct sch_opcode_info row = {.size = sizeof row};
    size_t best = 0;
    for (size_t n = 0; sch_table_opcode(n, &row); n++) {
        const size_t length = strlen(row.name);
        const char *rest = word + length;
        if (length > bytes || length < best || strncmp(row.name, word, length) != 0) continue;
        if (length < bytes && strncmp(rest, "_SAT", 4) != 0 && strncmp(rest, "_PRECISE", 8) != 0) continue;
        best = length;
        *found = row;
    }
    return best > 0;
}

static void add_move(struct uses_reference *reference, const struct place *to, const struct place *from, unsigned c)
{
    if (reference->move_count == reference->move_room) {
        reference->move_room = 2 * reference->move_room + 16;
        reference->moves = realloc(reference->moves, reference->move_room * sizeof *reference->moves);
        assert_non_null(reference->moves);
    }
    reference->moves[reference->move_count++] =
        (struct move){{to->bank, from->bank}, {to->index, from->index}, {c, from->component[c]}};
}

static void take_instruction(struct uses_reference *reference, const char *line)
{
    struct sch_opcode_info opcode = {.size = sizeof opcode};
    const size_t bytes = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    struct place to = {.mask = 15};
    if (!find_opcode(line, bytes, &opcode)) return;
    const bool moves = strcmp(opcode.name, "MOV") == 0 && !strchr(line, '|');
    const char *at = line + bytes, *letters = strchr(opcode.signature, '_') + 1;
    for (unsigned n = 0; n < opcode.destinations + opcode.sources && *at; n++) {
        const struct place place = take_operand(reference, at);
        const bool source = n >= opcode.destinations;
        const unsigned bit = bit_of(source ? letters[n - opcode.destinations] : n ? 0 : *opcode.signature);
        if (!source) to = place;
        if (place.there) {
            struct bank *bank = &reference->banks[place.bank];
            bank->read[place.index] |= source;
            for (unsigned c = 0; c < 4; c++) {
                const bool sure = (to.there ? to.mask : 15u) >> c & 1;
                if (source) bank->types[place.index][place.component[c]] |= bit << (sure ? 0 : LIKELY);
                if (!source && place.mask >> c & 1) bank->types[place.index][c] |= bit;
                if (source && moves && to.there && sure) add_move(reference, &to, &place, c);
            }
        }
        unsigned depth = 0; /* on to the comma outside of brackets */
        for (; *at && (*at != ',' || depth); at++)
            depth += (*at == '[' || *at == '(') - (unsigned)(*at == ']' || *at == ')');
        at += *at == ',';
    }
}

static void spread(struct uses_reference *reference)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t m = 0; m < reference->move_count; m++) {
            const struct move *move = &reference->moves[m];
            unsigned *ends[2];
            for (unsigned e = 0; e < 2; e++)
                ends[e] = &reference->banks[move->bank[e]].types[move->index[e]][move->component[e]];
            const unsigned both = *ends[0] | *ends[1];
            changed |= *ends[0] != both || *ends[1] != both;
            *ends[0] = *ends[1] = both;
        }
    }
}

static void take_lines(struct uses_reference *reference, const char *text, bool counting)
{
    char *copy = strdup(text);
    assert_non_null(copy);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
        const char *colon = line + strspn(line, " 0123456789");
        if (strncmp(line, "DCL ", 4) == 0)
            take_declaration(reference, line, counting);
        else if (!counting && colon != line && *colon == ':')
            take_instruction(reference, colon + 1 + strspn(colon + 1, " "));
    }
    free(copy);
}

struct uses_reference *uses_reference_read(const char *text)
{
    struct uses_reference *reference = calloc(1, sizeof *reference);
    assert_non_null(reference);
    take_lines(reference, text, true);
    for (size_t b = 0; b < reference->bank_count; b++) {
        struct bank *bank = &reference->banks[b];
        bank->types = calloc((size_t)bank->count + 1, sizeof *bank->types);
        bank->declared = calloc((size_t)bank->count + 1, sizeof *bank->declared);
        bank->read = calloc((size_t)bank->count + 1, sizeof *bank->read);
        assert_true(bank->types && bank->declared && bank->read);
    }
    take_lines(reference, text, false);
    spread(reference);
    return reference;
}

void uses_reference_release(struct uses_reference *reference)
{
    for (size_t b = 0; b < reference->bank_count; b++) {
        free(reference->banks[b].types);
        free(reference->banks[b].declared);
        free(reference->banks[b].read);
    }
    free(reference->moves);
    free(reference);
}

static enum sch_value_type type_of(unsigned bits)
{
    const unsigned types = bits & STRONG ? bits & STRONG : bits >> LIKELY;
    if (types == (1u << SCH_VALUE_INT | 1u << SCH_VALUE_UINT)) return SCH_VALUE_INT;
    if (types == (1u << SCH_VALUE_INT64 | 1u << SCH_VALUE_UINT64)) return SCH_VALUE_INT64;
    for (unsigned type = SCH_VALUE_FLOAT; type <= SCH_VALUE_UINT64; type++)
        if (types == 1u << type) return (enum sch_value_type)type;
    return SCH_VALUE_UNKNOWN;
}

bool uses_reference_of(struct uses_reference *reference, enum sch_file file, unsigned buffer, uint32_t index,
                       bool *is_read, enum sch_value_type types[4])
{
    int number = 0;
    while (files[number] != file) number++;
    const struct bank *bank = bank_of(reference, number, buffer, false);
    if (!bank || index >= bank->count || !bank->declared[index]) return false;
    *is_read = bank->read[index] || bank->read[bank->count];
    for (unsigned c = 0; c < 4; c++) types[c] = type_of(bank->types[index][c] | bank->types[bank->count][c]);
    return true;
}

size_t uses_reference_declared(const struct uses_reference *reference)
{
    size_t declared = 0;
    for (size_t b = 0; b < reference->bank_count; b++)
        for (uint32_t n = 0; n < reference->banks[b].count; n++) declared += reference->banks[b].declared[n];
    return declared;
}
