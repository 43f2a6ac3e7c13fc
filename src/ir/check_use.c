/* Rules of the register that an operand names: it is declared, it has the brackets that its file wants, its index
 * registers hold integers and are declared, the components are inside the declaration's usage mask. */
#include "ir/check_internal.h"

#include <stdio.h>

/* Files whose registers hold values that an operand can be indexed with. */
enum {
    INDEX_FILES = SCH_FILE_BIT(ADDRESS) | SCH_FILE_BIT(TEMPORARY) | SCH_FILE_BIT(CONSTANT) | SCH_FILE_BIT(INPUT) |
                  SCH_FILE_BIT(OUTPUT) | SCH_FILE_BIT(SYSTEM_VALUE) | SCH_FILE_BIT(IMMEDIATE),
    /* "This is only legal for TEMP and CONST register files." */
    FREELY_INDEXED = SCH_FILE_BIT(TEMPORARY) | SCH_FILE_BIT(CONSTANT),
    /* Files where Mesa writes a second bracket that it then ignores. */
    DIMENSION_IGNORED_FILES = SCH_FILE_BIT(TEMPORARY) | SCH_FILE_BIT(INPUT) | SCH_FILE_BIT(OUTPUT)
};

static bool has_buffers(unsigned file) { return file == SCH_FILE_CONSTANT || file == SCH_FILE_HW_ATOMIC; }

static void name_register(char *name, size_t bytes, unsigned file, bool two, int dimension, int index)
{
    if (two)
        snprintf(name, bytes, "%s[%d][%d]", sch_check_file_word(file), dimension, index);
    else
        snprintf(name, bytes, "%s[%d]", sch_check_file_word(file), index);
}

/* A constant buffer read as memory is declared by the constants in it. */
static bool is_declared(const struct sch_check *check, unsigned file, int dimension, int index)
{
    if (file == SCH_FILE_IMMEDIATE) return index >= 0 && (size_t)index < check->shader->immediate_count;
    if (sch_check_find(check, file, dimension, index)) return true;
    return file == SCH_FILE_CONSTBUF && sch_check_find_dimension(check, SCH_FILE_CONSTANT, index);
}

static bool any_declared(const struct sch_check *check, unsigned file)
{
    if (file == SCH_FILE_IMMEDIATE) return check->shader->immediate_count != 0;
    if (check->declared >> file & 1) return true;
    return file == SCH_FILE_CONSTBUF && (check->declared & SCH_FILE_BIT(CONSTANT));
}

static void check_declared(struct sch_check *check, const struct sch_ir_instruction *instruction, unsigned file,
                           bool two, int dimension, int index)
{
    char name[48];
    if (is_declared(check, file, dimension, index)) return;
    if (!sch_check_set_add(check, &check->reported, SCH_CHECK_KEY(file, dimension, index))) return;
    if (file == SCH_FILE_MEMORY && any_declared(check, file)) {
        SCH_CHECK_REPORT(check, MEMORY_OTHER_NUMBER, instruction->position,
                         "MEMORY[%d] is not declared: the MEMORY that is declared is meant", index);
        return;
    }
    name_register(name, sizeof name, file, two, dimension, index);
    SCH_CHECK_REPORT(check, UNDECLARED, instruction->position, "%s is not declared", name);
}

static void check_index_register(struct sch_check *check, const struct sch_ir_instruction *instruction,
                                 const struct sch_ir_indirect *indirect)
{
    if (indirect->file >= SCH_FILE_COUNT || !(INDEX_FILES >> indirect->file & 1)) {
        SCH_CHECK_REPORT(check, INDEX_FILE, instruction->position, "%s cannot be an index",
                         sch_check_file_word(indirect->file));
        return;
    }
    check_declared(check, instruction, indirect->file, false, 0, indirect->index);
}

static void check_indirect(struct sch_check *check, const struct sch_check_operand *operand)
{
    unsigned file = operand->file;
    const struct sch_ir_instruction *instruction = operand->instruction;
    if (!any_declared(check, file)) {
        if (check->told_undeclared >> file & 1) return;
        check->told_undeclared |= 1u << file;
        SCH_CHECK_REPORT(check, UNDECLARED_FILE, instruction->position, "no register of %s is declared",
                         sch_check_file_word(file));
        return;
    }
    if (!operand->index->is_indirect) return;
    unsigned id = operand->index->indirect.array_id;
    if (id && !sch_check_set_has(&check->arrays, SCH_CHECK_KEY(file, 0, id))) {
        if (sch_check_set_add(check, &check->reported, SCH_CHECK_KEY(file + SCH_FILE_COUNT, 0, id)))
            SCH_CHECK_REPORT(check, ARRAY_UNKNOWN, instruction->position, "%s has no ARRAY(%u)",
                             sch_check_file_word(file), id);
    } else if (!id && !(FREELY_INDEXED >> file & 1) && !(check->told_indirect >> file & 1)) {
        check->told_indirect |= 1u << file;
        SCH_CHECK_REPORT(check, INDIRECT_WITHOUT_ARRAY, instruction->position,
                         "an indirect operand of %s without an ArrayID", sch_check_file_word(file));
    }
}

/* The first bracket where it names a vertex. */
static void check_vertex(struct sch_check *check, const struct sch_check_operand *operand)
{
    const struct sch_ir_bracket *vertex = operand->dimension;
    uint32_t count = operand->file == SCH_FILE_OUTPUT ? check->output_vertices : check->input_vertices;
    if (vertex) {
        if (!vertex->is_indirect && (vertex->index < 0 || (uint32_t)vertex->index >= count))
            SCH_CHECK_REPORT(check, VERTEX_RANGE, operand->instruction->position, "%s has %u vertices, not a vertex %d",
                             sch_check_file_word(operand->file), (unsigned)count, vertex->index);
        return;
    }
    if (operand->index->is_indirect) return;
    const struct sch_check_range *range = sch_check_find(check, operand->file, 0, operand->index->index);
    if (!range || (range->declaration->has_semantic && sch_semantic_is_of_patch(range->declaration->semantic))) return;
    if (operand->file == SCH_FILE_OUTPUT)
        SCH_CHECK_REPORT(check, VERTEX_OMITTED, operand->instruction->position,
                         "OUT[%d] does not say of which vertex: its own is meant", operand->index->index);
    else
        SCH_CHECK_REPORT(check, DIMENSION_MISSING, operand->instruction->position,
                         "%s[%d] is an array of vertices and needs two brackets", sch_check_file_word(operand->file),
                         operand->index->index);
}

/* Whether the file may have this number of brackets; reports where it may not. */
static void check_brackets(struct sch_check *check, const struct sch_check_operand *operand)
{
    unsigned file = operand->file;
    const char *word = sch_check_file_word(file);
    if (sch_file_is_per_vertex(check->shader->stage, file)) {
        check_vertex(check, operand);
    } else if (file == SCH_FILE_HW_ATOMIC && !operand->dimension) {
        SCH_CHECK_REPORT(check, DIMENSION_MISSING, operand->instruction->position,
                         "HWATOMIC needs two brackets: the buffer and the counter");
    } else if (operand->dimension && !has_buffers(file)) {
        if (!(DIMENSION_IGNORED_FILES >> file & 1)) {
            SCH_CHECK_REPORT(check, DIMENSION_UNEXPECTED, operand->instruction->position,
                             "registers of %s have one bracket", word);
        } else if (!(check->told_dimension >> file & 1)) {
            check->told_dimension |= 1u << file;
            SCH_CHECK_REPORT(check, DIMENSION_IGNORED, operand->instruction->position,
                             "registers of %s have one bracket here: the first is ignored", word);
        }
    }
}

/* Producers read values like FACE whole, of which the other components are constant. */
static bool is_scalar(const struct sch_ir_declaration *declaration)
{
    if (declaration->file != SCH_FILE_INPUT || !declaration->has_semantic) return false;
    const struct sch_semantic_info *info = sch_semantic_info(declaration->semantic);
    return info && info->components == 1;
}

static void check_components(struct sch_check *check, const struct sch_check_operand *operand, int dimension)
{
    const struct sch_check_range *range = sch_check_find(check, operand->file, dimension, operand->index->index);
    if (!range || check->overlap_shared[range->overlap]) return;
    unsigned mask = range->declaration->usage_mask ? range->declaration->usage_mask : 15;
    if (!(operand->components & ~mask)) return;
    uint64_t number = SCH_CHECK_KEY(operand->file + 2 * SCH_FILE_COUNT, dimension, operand->index->index);
    if (!sch_check_set_add(check, &check->reported, number)) return;
    const char *file = sch_check_file_word(operand->file);
    if (is_scalar(range->declaration))
        SCH_CHECK_REPORT(check, OUTSIDE_USAGE_MASK, operand->instruction->position,
                         "a component of %s[%d] that its declaration leaves out", file, operand->index->index);
    else
        SCH_CHECK_REPORT(check, COMPONENT_LEFT_OUT, operand->instruction->position,
                         "a component of %s[%d] that its declaration leaves out", file, operand->index->index);
}

void sch_check_use(struct sch_check *check, const struct sch_check_operand *operand)
{
    const struct sch_ir_bracket *index = operand->index, *dimension = operand->dimension;
    bool buffers = has_buffers(operand->file);
    if (index->is_indirect) check_index_register(check, operand->instruction, &index->indirect);
    if (dimension && dimension->is_indirect) check_index_register(check, operand->instruction, &dimension->indirect);

    check_brackets(check, operand);
    if (index->is_indirect || (dimension && dimension->is_indirect && buffers)) {
        check_indirect(check, operand);
        return;
    }
    int buffer = dimension && buffers ? dimension->index : 0;
    check_declared(check, operand->instruction, operand->file, dimension && buffers, buffer, index->index);
    check_components(check, operand, buffer);
}
