/* See uses.h. Registers that declarations and operands do not distinguish are one cell. Instructions mark components of
 * cells with the types of their operands. Moves join components (union-find): a value that is only moved gets its type
 * from the instructions that make it or use it. */
#include "ir/uses.h"

#include <stdlib.h>
#include <string.h>

/* A register as one number, which sorts by file, buffer and register. ANY is not a register: it is for operands that
 * take their register from an index register. */
#define ANY UINT32_MAX
static uint64_t key_of(unsigned file, unsigned buffer, uint32_t index)
{
    return (uint64_t)file << 48 | (uint64_t)buffer << 32 | index;
}

/* Bits of types by enum sch_value_type, and those of what is only likely: it counts where nothing is certain. */
enum { LIKELY = 8, CERTAIN = (1 << LIKELY) - 1, CHANNELS = 4 };
#define TYPE_BIT(type) (1u << SCH_VALUE_##type)

struct cells {
    uint64_t *starts; /* the first register of each cell, ascending */
    size_t count, capacity;
    uint32_t *parent; /* of each component of a cell */
    uint16_t *types;  /* likewise */
    bool *read;
    /* For each cell how many more declarations begin than end there: all, and those whose semantic has such a type. */
    int32_t *declared, *floats, *integers;
};

/* ---- cells ---- */

static bool add_start(struct sch_arena *arena, struct cells *cells, uint64_t key)
{
    if (!SCH_ARENA_GROW(arena, cells->starts, cells->capacity, cells->count)) return false;
    cells->starts[cells->count++] = key;
    return true;
}

/* The key of an operand's register; false: its values are not followed. */
static bool operand_key(unsigned file, bool has_dimension, const struct sch_ir_bracket *dimension,
                        const struct sch_ir_bracket *index, uint64_t *key)
{
    const bool has_buffer = file == SCH_FILE_CONSTANT && has_dimension;
    if (!sch_ir_has_uses(file)) return false;
    if (has_buffer && (dimension->is_indirect || dimension->index < 0 || dimension->index > UINT16_MAX)) return false;
    if (!index->is_indirect && (index->index < 0 || index->index >= SCH_IR_REGISTERS)) return false;
    *key = key_of(file, has_buffer ? (unsigned)dimension->index : 0, index->is_indirect ? ANY : (uint32_t)index->index);
    return true;
}

static bool dst_key(const struct sch_ir_dst *dst, uint64_t *key)
{
    return operand_key(dst->file, dst->has_dimension, &dst->dimension, &dst->index, key);
}

static bool src_key(const struct sch_ir_src *src, uint64_t *key)
{
    return operand_key(src->file, src->has_dimension, &src->dimension, &src->index, key);
}

/* The registers from `first` to `last` are distinguished from others. */
static bool add_registers(struct sch_arena *arena, struct cells *cells, uint64_t first, uint64_t last)
{
    return add_start(arena, cells, first) && ((uint32_t)last == ANY || add_start(arena, cells, last + 1)) &&
           add_start(arena, cells, first | ANY);
}

static bool is_followed(const struct sch_ir_declaration *declaration)
{
    return sch_ir_has_uses(declaration->file) && declaration->first <= declaration->last &&
           declaration->last < SCH_IR_REGISTERS;
}

static uint64_t declared_key(const struct sch_ir_declaration *declaration, uint32_t index)
{
    const bool has_buffer = declaration->file == SCH_FILE_CONSTANT && declaration->has_dimension;
    return key_of(declaration->file, has_buffer ? declaration->dimension : 0, index);
}

static bool add_instruction(struct sch_arena *arena, struct cells *cells, const struct sch_ir_instruction *in)
{
    uint64_t key;
    for (unsigned d = 0; d < in->dst_count; d++)
        if (dst_key(&in->dst[d], &key) && !add_registers(arena, cells, key, key)) return false;
    for (unsigned s = 0; s < in->src_count; s++)
        if (src_key(&in->src[s], &key) && !add_registers(arena, cells, key, key)) return false;
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool make_cells(const struct sch_ir_shader *shader, struct sch_arena *arena, struct cells *cells)
{
    bool good = true;
    for (size_t i = 0; i < shader->declaration_count && good; i++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[i];
        if (is_followed(declaration))
            good = add_registers(arena, cells, declared_key(declaration, declaration->first),
                                 declared_key(declaration, declaration->last));
    }
    for (size_t i = 0; i < shader->instruction_count && good; i++)
        good = add_instruction(arena, cells, &shader->instructions[i]);
    if (!good) return false;
    if (cells->count) qsort(cells->starts, cells->count, sizeof *cells->starts, compare_keys);
    size_t kept = 0;
    for (size_t i = 0; i < cells->count; i++)
        if (!kept || cells->starts[kept - 1] != cells->starts[i]) cells->starts[kept++] = cells->starts[i];
    cells->count = kept;
    cells->parent = SCH_ARENA_ARRAY(arena, uint32_t, kept * CHANNELS);
    cells->types = SCH_ARENA_ARRAY(arena, uint16_t, kept * CHANNELS);
    cells->read = SCH_ARENA_ARRAY(arena, bool, kept);
    cells->declared = SCH_ARENA_ARRAY(arena, int32_t, kept + 1);
    cells->floats = SCH_ARENA_ARRAY(arena, int32_t, kept + 1);
    cells->integers = SCH_ARENA_ARRAY(arena, int32_t, kept + 1);
    if (arena->failed) return false;
    for (size_t i = 0; i < kept * CHANNELS; i++) cells->parent[i] = (uint32_t)i;
    return true;
}

/* The cell that begins with a register; there is one. */
static size_t cell_at(const struct cells *cells, uint64_t key)
{
    size_t low = 0, high = cells->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (cells->starts[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- components ---- */

static uint32_t root(struct cells *cells, size_t node)
{
    while (cells->parent[node] != node) {
        cells->parent[node] = cells->parent[cells->parent[node]];
        node = cells->parent[node];
    }
    return (uint32_t)node;
}

static void join(struct cells *cells, size_t a, size_t b)
{
    const uint32_t x = root(cells, a), y = root(cells, b);
    if (x == y) return;
    cells->parent[y] = x;
    cells->types[x] |= cells->types[y];
}

static void mark(struct cells *cells, size_t node, unsigned type, bool certain)
{
    if (type != SCH_VALUE_UNKNOWN) cells->types[root(cells, node)] |= (uint16_t)(1u << type << (certain ? 0 : LIKELY));
}

static bool may_move(const struct sch_ir_instruction *in)
{
    return in->opcode == SCH_OP_MOV && in->dst_count == 1 && in->src_count == 1 && !in->src[0].absolute;
}

/* For sources the components that the instruction certainly writes; for a destination that is not followed, all. */
static void mark_instruction(struct cells *cells, const struct sch_ir_instruction *in)
{
    const struct sch_op_info *op = sch_op_form(in->opcode, in->src_count);
    size_t to = 0;
    unsigned written = 15;
    uint64_t key;
    bool followed = false;
    if (!op) return;
    for (unsigned d = 0; d < in->dst_count && d < op->dsts; d++) {
        followed = dst_key(&in->dst[d], &key);
        if (!followed) continue;
        to = cell_at(cells, key) * CHANNELS;
        written = in->dst[d].write_mask & 15;
        for (unsigned c = 0; c < CHANNELS; c++)
            if (written >> c & 1) mark(cells, to + c, d ? SCH_VALUE_UNKNOWN : sch_value_of_letter(op->dst_type), true);
    }
    if (!followed) written = 15;
    for (unsigned s = 0; s < in->src_count && s < op->srcs; s++) {
        if (!src_key(&in->src[s], &key)) continue;
        const size_t from = cell_at(cells, key);
        cells->read[from] = true;
        for (unsigned c = 0; c < CHANNELS; c++) {
            const size_t node = from * CHANNELS + (in->src[s].swizzle[c] & 3);
            mark(cells, node, sch_value_of_letter(op->src_type[s]), written >> c & 1);
            if (followed && may_move(in) && written >> c & 1) join(cells, to + c, node);
        }
    }
}

/* Counts a declaration in the cells from its first register to its last. */
static void count_declaration(struct cells *cells, const struct sch_ir_declaration *declaration)
{
    if (!is_followed(declaration)) return;
    const size_t first = cell_at(cells, declared_key(declaration, declaration->first));
    const size_t end = cell_at(cells, declared_key(declaration, declaration->last) + 1);
    const struct sch_word *semantic =
        declaration->has_semantic ? sch_word_by_number(SCH_WORDS_SEMANTIC, declaration->semantic) : NULL;
    const bool is_float = semantic && strcmp(semantic->type, "F") == 0;
    int32_t *kind = !semantic                                    ? NULL
                    : !is_float                                  ? cells->integers
                    : declaration->file == SCH_FILE_SYSTEM_VALUE ? NULL
                                                                 : cells->floats;
    cells->declared[first]++;
    cells->declared[end]--;
    if (!kind) return;
    kind[first]++;
    kind[end]--;
}

/* ---- answers ---- */

static uint8_t type_of(unsigned bits)
{
    const unsigned types = bits & CERTAIN ? bits & CERTAIN : bits >> LIKELY;
    if (types == (TYPE_BIT(INT) | TYPE_BIT(UINT))) return SCH_VALUE_INT;
    if (types == (TYPE_BIT(INT64) | TYPE_BIT(UINT64))) return SCH_VALUE_INT64;
    for (unsigned type = SCH_VALUE_FLOAT; type <= SCH_VALUE_UINT64; type++)
        if (types == 1u << type) return (uint8_t)type;
    return SCH_VALUE_UNKNOWN;
}

static struct sch_ir_use use_of(struct cells *cells, size_t cell, size_t any)
{
    const uint64_t key = cells->starts[cell];
    struct sch_ir_use use = {.file = (uint8_t)(key >> 48),
                             .buffer = (uint16_t)(key >> 32),
                             .first = (uint32_t)key,
                             .last = (uint32_t)(cells->starts[cell + 1] - 1),
                             .is_read = cells->read[cell] || cells->read[any]};
    for (unsigned c = 0; c < CHANNELS; c++)
        use.types[c] =
            type_of(cells->types[root(cells, cell * CHANNELS + c)] | cells->types[root(cells, any * CHANNELS + c)]);
    return use;
}

/* Whether `next` continues where `use` ends, with the same facts. */
static bool continues(const struct sch_ir_use *use, const struct sch_ir_use *next)
{
    return use->file == next->file && use->buffer == next->buffer && use->last + 1 == next->first &&
           use->is_read == next->is_read && memcmp(use->types, next->types, sizeof use->types) == 0;
}

enum sch_result sch_ir_list_uses(const struct sch_ir_shader *shader, struct sch_arena *arena, struct sch_ir_use **uses,
                                 size_t *count)
{
    struct cells cells = {0};
    *count = 0;
    if (!make_cells(shader, arena, &cells)) return SCH_ERROR_MEMORY;
    for (size_t i = 0; i < shader->instruction_count; i++) mark_instruction(&cells, &shader->instructions[i]);
    for (size_t i = 0; i < shader->declaration_count; i++) count_declaration(&cells, &shader->declarations[i]);
    int32_t declared = 0, floats = 0, integers = 0;
    for (size_t i = 0; i < cells.count; i++) { /* the sums of all before are how many are open */
        cells.declared[i] = declared += cells.declared[i];
        floats += cells.floats[i];
        integers += cells.integers[i];
        for (unsigned c = 0; c < CHANNELS && floats; c++) mark(&cells, i * CHANNELS + c, SCH_VALUE_FLOAT, false);
        for (unsigned c = 0; c < CHANNELS && integers; c++) mark(&cells, i * CHANNELS + c, SCH_VALUE_UINT, false);
    }
    struct sch_ir_use *list = SCH_ARENA_ARRAY(arena, struct sch_ir_use, cells.count);
    if (!list) return SCH_ERROR_MEMORY;
    for (size_t i = cells.count, any = 0; i-- > 0;) { /* from the end: the last cell of a buffer is ANY */
        if ((uint32_t)cells.starts[i] == ANY) any = i;
        if (cells.declared[i]) list[i] = use_of(&cells, i, any);
    }
    for (size_t i = 0; i < cells.count; i++) {
        if (!cells.declared[i]) continue;
        if (*count && continues(&list[*count - 1], &list[i]))
            list[*count - 1].last = list[i].last;
        else
            list[(*count)++] = list[i];
    }
    *uses = list;
    return SCH_OK;
}
