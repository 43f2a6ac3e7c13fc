/* See registers.h. A component is a node. Instructions mark nodes with the types that their opcodes have there, and
 * moves join nodes (union-find), so that what is only moved has the type of what becomes of it. The order of
 * instructions does not count: a register that holds floats here and integers there has no type. */
#include "registers.h"

#include <stdlib.h>
#include <string.h>

static const char *const file_names[SCH_CLI_FILES] = {"IN", "OUT", "SV", "CONST", "TEMP"};

/* Bits of nodes. WEAK ones come from components that an instruction perhaps does not read, and from what a semantic
 * usually is: they count where there is nothing better. */
enum { FLOAT = 1, INT = 2, UINT = 4, OTHER = 8, WEAK = 4 /* shift */, STRONG = 15 };
enum { READ = 1, DOUBTED = 2 };

/* The registers of a file, or of one constant buffer: 0 to count - 1, and behind them one that stands for all, which
 * operands mean that take their index from a register. */
struct space {
    enum sch_cli_register_file file;
    uint32_t buffer, count;
    size_t base; /* its first node */
};

enum { SPACES = 64, MOST_REGISTERS = 1 << 20 };

struct sch_cli_registers_of {
    struct space space[SPACES];
    size_t spaces, nodes;
    uint32_t *parent;
    uint8_t *types, *flags;
    struct sch_cli_range *range, *sorted; /* in the order of the text; by where they begin (sort_ranges) */
    size_t ranges;
};

struct operand {
    const struct space *space; /* NULL: another file */
    uint32_t index;            /* count: any */
    uint8_t component[4];      /* of the swizzle, or 0 to 3 */
    unsigned mask;             /* of a destination */
};

/* ---- nodes ---- */

static uint32_t root(struct sch_cli_registers_of *of, size_t node)
{
    while (of->parent[node] != node) {
        of->parent[node] = of->parent[of->parent[node]];
        node = of->parent[node];
    }
    return (uint32_t)node;
}

static void join(struct sch_cli_registers_of *of, size_t a, size_t b)
{
    const uint32_t x = root(of, a), y = root(of, b);
    if (x == y) return;
    of->parent[y] = x;
    of->types[x] |= of->types[y];
}

static size_t node_of(const struct operand *operand, unsigned component)
{
    return operand->space->base + (size_t)operand->index * 4 + component;
}

static const struct space *find_space(const struct sch_cli_registers_of *of, enum sch_cli_register_file file,
                                      uint32_t buffer)
{
    for (size_t i = 0; i < of->spaces; i++)
        if (of->space[i].file == file && of->space[i].buffer == buffer) return &of->space[i];
    return NULL;
}

/* ---- text ---- */

static bool find_file(const char *text, size_t bytes, enum sch_cli_register_file *file)
{
    for (unsigned i = 0; i < SCH_CLI_FILES; i++)
        if (strlen(file_names[i]) == bytes && memcmp(file_names[i], text, bytes) == 0) {
            *file = (enum sch_cli_register_file)i;
            return true;
        }
    return false;
}

/* A bracket: [3], [0..3], [], [ADDR[0].x+3]. `*any`: its number comes from a register. */
struct bracket {
    uint32_t first, last;
    bool any;
};

static const char *read_bracket(const char *at, struct bracket *bracket)
{
    char *end;
    *bracket = (struct bracket){0};
    if (*at != '[') return NULL;
    bracket->first = (uint32_t)strtoul(at + 1, &end, 10);
    bracket->last = bracket->first;
    bracket->any = end == at + 1;
    if (!bracket->any && end[0] == '.' && end[1] == '.') bracket->last = (uint32_t)strtoul(end + 2, &end, 10);
    unsigned depth = 0;
    for (; *at; at++) {
        if (*at == '[') depth++;
        if (*at == ']' && --depth == 0) return at + 1;
    }
    return NULL;
}

/* FILE[...] or FILE[...][...] at `text`: of two brackets the first is a buffer, or a vertex, which does not count. */
static const char *read_register(const char *text, enum sch_cli_register_file *file, struct bracket *buffer,
                                 struct bracket *index)
{
    const size_t name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    struct bracket second;
    *buffer = (struct bracket){0};
    if (!find_file(text, name, file)) return NULL;
    const char *at = read_bracket(text + name, index);
    if (!at || *at != '[') return at;
    at = read_bracket(at, &second);
    if (*file == SCH_CLI_FILE_CONST) *buffer = *index;
    *index = second;
    return at;
}

static bool add_range(struct sch_cli_registers_of *of, const struct sch_cli_range *range)
{
    struct sch_cli_range *larger = realloc(of->range, (of->ranges + 1) * sizeof *larger);
    if (!larger) return false;
    of->range = larger;
    larger[of->ranges++] = *range;
    struct space *space = (struct space *)find_space(of, range->file, range->buffer);
    if (!space) {
        if (of->spaces == SPACES) return true;
        space = &of->space[of->spaces++];
        *space = (struct space){.file = range->file, .buffer = range->buffer};
    }
    if (range->last >= space->count && range->last < MOST_REGISTERS) space->count = range->last + 1;
    return true;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct sch_cli_range *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->buffer != y->buffer) return x->buffer < y->buffer ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static bool are_of_one(const struct sch_cli_range *a, const struct sch_cli_range *b)
{
    return a->file == b->file && a->buffer == b->buffer;
}

/* Makes ranges in which a register is found by where they begin: each ends where it or one before it does. */
static bool sort_ranges(struct sch_cli_registers_of *of)
{
    of->sorted = malloc((of->ranges + 1) * sizeof *of->sorted);
    if (!of->sorted) return false;
    if (of->ranges) memcpy(of->sorted, of->range, of->ranges * sizeof *of->sorted);
    qsort(of->sorted, of->ranges, sizeof *of->sorted, compare_ranges);
    for (size_t i = 1; i < of->ranges; i++)
        if (are_of_one(&of->sorted[i - 1], &of->sorted[i]) && of->sorted[i].last < of->sorted[i - 1].last)
            of->sorted[i].last = of->sorted[i - 1].last;
    return true;
}

/* DCL FILE[...]; false: memory. */
static bool read_declaration(struct sch_cli_registers_of *of, const char *line)
{
    struct bracket buffer, index;
    enum sch_cli_register_file file;
    if (!read_register(line + 4, &file, &buffer, &index)) return true;
    const struct sch_cli_range range = {file, buffer.first, index.first, index.last};
    return add_range(of, &range);
}

static void read_components(const char *at, const char *end, struct operand *operand)
{
    for (unsigned c = 0; c < 4; c++) operand->component[c] = (uint8_t)c;
    operand->mask = 15;
    if (at >= end || *at != '.') return;
    operand->mask = 0;
    static const char letters[] = "xyzw";
    unsigned last = 0;
    unsigned c = 0;
    for (at++; at < end && c < 4; at++, c++) {
        const char *letter = strchr(letters, *at);
        if (!letter || !*letter) break;
        last = (unsigned)(letter - letters);
        operand->component[c] = (uint8_t)last;
        operand->mask |= 1u << last;
    }
    for (; c < 4; c++) operand->component[c] = (uint8_t)last;
}

static void mark_read(struct sch_cli_registers_of *of, const struct operand *operand)
{
    for (unsigned c = 0; c < 4; c++) of->flags[node_of(operand, c)] |= READ;
}

/* The operand from `text` to `end`. */
static struct operand read_operand(const struct sch_cli_registers_of *of, const char *text, const char *end)
{
    struct operand operand = {0};
    struct bracket buffer, index;
    enum sch_cli_register_file file;
    while (text < end && (*text == '-' || *text == '|' || *text == ' ')) text++;
    const char *at = read_register(text, &file, &buffer, &index);
    if (!at || at > end) return operand;
    operand.space = buffer.any ? NULL : find_space(of, file, buffer.first);
    if (!operand.space) return operand;
    operand.index = index.any || index.first >= operand.space->count ? operand.space->count : index.first;
    if (*at == '(') at += strcspn(at, ")") + 1; /* an ArrayID */
    read_components(at, end, &operand);
    return operand;
}

/* ---- instructions ---- */

static unsigned type_bit(char letter)
{
    switch (letter) {
    case 'F':
        return FLOAT;
    case 'I':
        return INT;
    case 'U':
        return UINT;
    case 'D':
    case 'L':
    case 'Q':
        return OTHER;
    default:
        return 0;
    }
}

static void mark(struct sch_cli_registers_of *of, const struct operand *operand, unsigned written, unsigned bit,
                 bool source)
{
    for (unsigned c = 0; c < 4; c++) {
        const bool sure = written >> c & 1;
        if (!source && !sure) continue;
        const size_t node = root(of, node_of(operand, source ? operand->component[c] : c));
        of->types[node] |= (uint8_t)(sure ? bit : bit << WEAK);
    }
}

static void move(struct sch_cli_registers_of *of, const struct operand *to, const struct operand *from)
{
    for (unsigned c = 0; c < 4; c++)
        if (to->mask >> c & 1) join(of, node_of(to, c), node_of(from, from->component[c]));
}

/* The end of an operand: its comma outside of brackets, or the end of the line. */
static const char *operand_end(const char *at, const char *end)
{
    unsigned depth = 0;
    for (; at < end; at++) {
        if (*at == '[' || *at == '(') depth++;
        if (*at == ']' || *at == ')') depth--;
        if (*at == ',' && !depth) break;
    }
    return at;
}

static bool find_opcode(const char *name, size_t bytes, struct sch_opcode_info *info)
{
    size_t longest = 0;
    struct sch_opcode_info view = {.size = sizeof view};
    for (size_t i = 0; sch_table_opcode(i, &view); i++) { /* suffixes follow with an underscore */
        const size_t length = strlen(view.name);
        if (length > bytes || length <= longest || memcmp(view.name, name, length) != 0) continue;
        if (length < bytes && strncmp(name + length, "_SAT", 4) != 0 && strncmp(name + length, "_PRECISE", 8) != 0)
            continue;
        longest = length;
        *info = view;
    }
    return longest > 0;
}

/* A value of a declaration's semantic where no instruction says more. */
static void mark_semantics(struct sch_cli_registers_of *of, const struct sch_shader *shader,
                           enum sch_file file, enum sch_cli_register_file own)
{
    struct sch_register_info at = {.size = sizeof at};
    const struct space *space = find_space(of, own, 0);
    for (uint32_t i = 0; space && sch_shader_register(shader, file, i, &at); i++) {
        struct sch_name_info name = {.size = sizeof name};
        if (at.semantic < 0 || at.index >= space->count) continue;
        for (size_t n = 0; sch_table_name(SCH_NAMES_SEMANTICS, n, &name); n++) {
            if (name.number != (unsigned)at.semantic) continue;
            const unsigned bit = strcmp(name.type, "integer") == 0 || own == SCH_CLI_FILE_SV ? 0 : FLOAT;
            const unsigned integer = strcmp(name.type, "integer") == 0 ? UINT : 0;
            for (size_t c = 0; c < 4; c++) {
                const size_t node = root(of, space->base + (size_t)at.index * 4 + c);
                of->types[node] |= (uint8_t)((bit | integer) << WEAK);
            }
        }
    }
}

/* "  3: ADD TEMP[0].xy, IN[0], CONST[1][2]" */
static void read_instruction(struct sch_cli_registers_of *of, const char *line, const char *end)
{
    struct sch_opcode_info opcode = {.size = sizeof opcode};
    const size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (!find_opcode(line, name, &opcode)) return;
    const bool is_move = strcmp(opcode.name, "MOV") == 0 && !memchr(line, '|', (size_t)(end - line));
    const char *sources = strchr(opcode.signature, '_'), *at = line + name;
    struct operand destination = {0};
    for (unsigned n = 0; n < opcode.destinations + opcode.sources && at < end; n++) {
        const char *stop = operand_end(at, end);
        const bool source = n >= opcode.destinations;
        const struct operand operand = read_operand(of, at, stop);
        const char letter = source ? sources[1 + n - opcode.destinations] : opcode.signature[n ? 1 : 0];
        at = stop < end ? stop + 1 : end;
        if (!source) destination = operand;
        if (!operand.space) continue;
        if (source) mark_read(of, &operand);
        const unsigned written = !source ? operand.mask : destination.space ? destination.mask : 15;
        mark(of, &operand, written, type_bit(letter), source);
        if (is_move && source && destination.space) move(of, &destination, &operand);
    }
}

static const char *statement(const char *line)
{
    while (*line == ' ') line++;
    const size_t digits = strspn(line, "0123456789");
    if (!digits || line[digits] != ':') return NULL;
    line += digits + 1;
    while (*line == ' ') line++;
    return line;
}

static bool read_text(struct sch_cli_registers_of *of, const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, "DCL ", 4) == 0 && !read_declaration(of, line)) return false;
    if (!sort_ranges(of)) return false;
    for (size_t i = 0; i < of->spaces; i++) {
        of->space[i].base = of->nodes;
        of->nodes += ((size_t)of->space[i].count + 1) * 4;
    }
    of->parent = calloc(of->nodes + 1, sizeof *of->parent);
    of->types = calloc(of->nodes + 1, 1);
    of->flags = calloc(of->nodes + 1, 1);
    if (!of->parent || !of->types || !of->flags) return false;
    for (size_t i = 0; i < of->nodes; i++) of->parent[i] = (uint32_t)i;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *instruction = statement(line);
        if (instruction) read_instruction(of, instruction, line + strcspn(line, "\n"));
    }
    return true;
}

enum sch_cli_exit sch_cli_registers_create(const struct sch_cli_shader *shader, struct sch_cli_registers_of **made)
{
    const struct sch_print_options options = {.size = sizeof options};
    char *text;
    size_t bytes;
    *made = NULL;
    enum sch_result result = sch_shader_print(shader->shader, &options, &text, &bytes);
    if (result != SCH_OK) return sch_cli_result(result, NULL, shader->input.name);
    struct sch_cli_registers_of *of = calloc(1, sizeof *of);
    const bool good = of && read_text(of, text);
    sch_free(shader->context, text);
    if (!good) {
        sch_cli_registers_destroy(of);
        return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    }
    mark_semantics(of, shader->shader, SCH_FILE_INPUT, SCH_CLI_FILE_IN);
    mark_semantics(of, shader->shader, SCH_FILE_OUTPUT, SCH_CLI_FILE_OUT);
    mark_semantics(of, shader->shader, SCH_FILE_SYSTEM_VALUE, SCH_CLI_FILE_SV);
    *made = of;
    return SCH_CLI_YES;
}

void sch_cli_registers_destroy(struct sch_cli_registers_of *registers)
{
    if (!registers) return;
    free(registers->parent);
    free(registers->types);
    free(registers->flags);
    free(registers->range);
    free(registers->sorted);
    free(registers);
}

/* ---- answers ---- */

bool sch_cli_is_declared(const struct sch_cli_registers_of *registers, enum sch_cli_register_file file, uint32_t buffer,
                         uint32_t index)
{
    const struct sch_cli_range wanted = {file, buffer, index, index};
    size_t low = 0, high = registers->ranges; /* the ranges below `low` do not begin behind the register */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_ranges(&registers->sorted[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct sch_cli_range *range = low ? &registers->sorted[low - 1] : NULL;
    return range && are_of_one(range, &wanted) && index <= range->last;
}

bool sch_cli_declared_range(const struct sch_cli_registers_of *registers, size_t position, struct sch_cli_range *range)
{
    if (position >= registers->ranges) return false;
    *range = registers->range[position];
    return true;
}

void sch_cli_describe_declared(const struct sch_cli_registers_of *registers, enum sch_cli_register_file file,
                               char text[160])
{
    enum { ROOM = 160, ENOUGH = 120 };
    size_t used = 0;
    *text = 0;
    for (size_t i = 0; i < registers->ranges; i++) {
        const struct sch_cli_range *range = &registers->range[i];
        if (range->file != file) continue;
        if (used > ENOUGH) {
            snprintf(text + used, ROOM - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, ROOM - used, "%s%s", used ? ", " : "", file_names[file]);
        if (range->buffer) used += (size_t)snprintf(text + used, ROOM - used, "[%u]", range->buffer);
        used += (size_t)snprintf(text + used, ROOM - used, range->last > range->first ? "[%u..%u]" : "[%u]",
                                 range->first, range->last);
    }
    if (!used) snprintf(text, ROOM, "no %s", file_names[file]);
}

static const struct space *place_of(const struct sch_cli_registers_of *registers, enum sch_cli_register_file file,
                                    uint32_t buffer, uint32_t index)
{
    const struct space *space = find_space(registers, file, buffer);
    return space && index < space->count ? space : NULL;
}

uint32_t sch_cli_register_number(const struct sch_cli_registers_of *registers, enum sch_cli_register_file file,
                                 uint32_t buffer, uint32_t index)
{
    const struct space *space = place_of(registers, file, buffer, index);
    return space ? (uint32_t)(space->base / 4) + index : 0;
}

uint32_t sch_cli_register_count(const struct sch_cli_registers_of *registers)
{
    return (uint32_t)(registers->nodes / 4);
}

enum sch_cli_type sch_cli_type_of(struct sch_cli_registers_of *registers, enum sch_cli_register_file file,
                                  uint32_t buffer, uint32_t index, unsigned component)
{
    const struct space *space = place_of(registers, file, buffer, index);
    if (!space) return SCH_CLI_TYPE_UNKNOWN;
    const unsigned bits = registers->types[root(registers, space->base + (size_t)index * 4 + component)] |
                          registers->types[root(registers, space->base + (size_t)space->count * 4 + component)];
    const unsigned types = bits & STRONG ? bits & STRONG : bits >> WEAK;
    if (types == FLOAT) return SCH_CLI_TYPE_FLOAT;
    if (types == UINT) return SCH_CLI_TYPE_UINT;
    return types == INT || types == (INT | UINT) ? SCH_CLI_TYPE_INT : SCH_CLI_TYPE_UNKNOWN;
}

void sch_cli_types_of(struct sch_cli_registers_of *registers, enum sch_cli_register_file file, uint32_t buffer,
                      uint32_t index, enum sch_cli_type types[4])
{
    for (unsigned c = 0; c < 4; c++) types[c] = sch_cli_type_of(registers, file, buffer, index, c);
}

bool sch_cli_doubt_is_new(struct sch_cli_registers_of *registers, enum sch_cli_register_file file, uint32_t buffer,
                          uint32_t index)
{
    const struct space *space = place_of(registers, file, buffer, index);
    if (!space) return false;
    uint8_t *flags = &registers->flags[space->base + (size_t)index * 4];
    const bool fresh = !(*flags & DOUBTED);
    *flags |= DOUBTED;
    return fresh;
}

bool sch_cli_is_read(const struct sch_cli_registers_of *registers, enum sch_cli_register_file file, uint32_t buffer,
                     uint32_t index)
{
    const struct space *space = place_of(registers, file, buffer, index);
    return space && ((registers->flags[space->base + (size_t)index * 4] |
                      registers->flags[space->base + (size_t)space->count * 4]) &
                     READ);
}
