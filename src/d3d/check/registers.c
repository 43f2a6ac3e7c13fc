/* Whether the register that an operand names is there: the stage has the file, the declarations have the register and
 * its components, indices are as many as there must be, and what is in them can be read. */
#include "d3d/check/internal.h"

struct use {
    const struct sch_d3d_instruction *instruction;
    const struct sch_d3d_operand *operand;
    bool written;
};

/* The components that an operand reads or writes: a mask of those that are named, 0xf where it is not known. */
static uint8_t components_of(const struct sch_d3d_operand *operand)
{
    uint8_t mask = 0;
    switch (operand->form) {
    case SCH_D3D_FORM_MASK:
        return operand->select;
    case SCH_D3D_FORM_SWIZZLE:
        for (unsigned i = 0; i < 4; i++) mask |= (uint8_t)(1u << (operand->select >> (2 * i) & 3));
        return mask;
    case SCH_D3D_FORM_SELECT:
        return (uint8_t)(1u << (operand->select & 3));
    default:
        return 1;
    }
}

/* For each greater one: a single dcl_temps makes them all right. */
static void check_temp(struct sch_d3d_check *check, const struct use *use)
{
    uint64_t number = use->operand->index[0].value;
    if (number < check->phase.temps || number < check->phase.told_temps) return;
    check->phase.told_temps = number == UINT64_MAX ? number : number + 1;
    SCH_D3D_REPORT(check, D3D_TEMP_RANGE, use->instruction, "%s, but dcl_temps says %llu", SCH_D3D_NAMED(use->operand),
                   (unsigned long long)check->phase.temps);
}

static void check_array(struct sch_d3d_check *check, const struct use *use)
{
    const struct sch_d3d_index *index = use->operand->index;
    const struct sch_d3d_array *array = index[0].value < check->array_count ? &check->arrays[index[0].value] : NULL;
    if (!array || array->phase != check->phase.number)
        SCH_D3D_REPORT(check, D3D_ARRAY_RANGE, use->instruction, "%s is not declared", SCH_D3D_NAMED(use->operand));
    else if (!index[1].relative && index[1].value >= array->size)
        SCH_D3D_REPORT(check, D3D_ARRAY_RANGE, use->instruction, "%s, but x%llu has %u elements",
                       SCH_D3D_NAMED(use->operand), (unsigned long long)index[0].value, array->size);
    else if (use->written && array->components < 4 && components_of(use->operand) >> array->components)
        SCH_D3D_REPORT(check, D3D_ARRAY_RANGE, use->instruction, "%s has %u components", SCH_D3D_NAMED(use->operand),
                       array->components);
}

/* Whether a declaration of shader model 5.1 has register `index`; others name one register. */
static bool in_range(const struct sch_d3d_check *check, const struct sch_d3d_instruction *declaration,
                     const struct sch_d3d_index *index)
{
    const struct sch_d3d_operand *range = &declaration->operands[0];
    if (!check->spaces || range->index_count < 3 || index->relative) return true;
    return index->value >= range->index[1].value && index->value <= range->index[2].value;
}

enum { MOST_VECTORS = 4096 }; /* REQ_CONSTANT_BUFFER_ELEMENT_COUNT */

static void check_constant_buffer(struct sch_d3d_check *check, const struct use *use)
{
    const struct sch_d3d_operand *operand = use->operand;
    const struct sch_d3d_declared *found = sch_d3d_find_declared(check, operand->type, operand->index[0].value);
    if (!found || !in_range(check, found->instruction, &operand->index[1])) {
        SCH_D3D_REPORT(check, D3D_CONSTANT_BUFFER_RANGE, use->instruction, "%s is not declared",
                       SCH_D3D_NAMED(use->operand));
        return;
    }
    const struct sch_d3d_index *element = &operand->index[operand->index_count - 1];
    const struct sch_d3d_instruction *declaration = found->instruction;
    uint64_t size = check->spaces                              ? declaration->literals[0]
                    : declaration->operands[0].index_count > 1 ? declaration->operands[0].index[1].value
                                                               : 0;
    if (!size) size = MOST_VECTORS; /* not known */
    if (!element->relative && element->value >= size)
        SCH_D3D_REPORT(check, D3D_CONSTANT_BUFFER_RANGE, use->instruction, "%s, but the buffer has %llu vectors",
                       SCH_D3D_NAMED(use->operand), (unsigned long long)size);
    if (element->relative && !sch_d3d_get(declaration->controls, SCH_D3D_FIELD_ACCESS))
        SCH_D3D_REPORT(check, D3D_IMMEDIATE_INDEXED, use->instruction, "%s of a buffer that is immediateIndexed",
                       SCH_D3D_NAMED(use->operand));
}

static void check_constants(struct sch_d3d_check *check, const struct use *use)
{
    const struct sch_d3d_index *index = &use->operand->index[0];
    if (!check->constants)
        SCH_D3D_REPORT(check, D3D_IMMEDIATE_BUFFER_RANGE, use->instruction, "there is no immediate constant buffer");
    else if (!index->relative && index->value >= check->constants)
        SCH_D3D_REPORT(check, D3D_IMMEDIATE_BUFFER_RANGE, use->instruction, "%s, but the buffer has %u vectors",
                       SCH_D3D_NAMED(use->operand), check->constants);
}

static void check_declared(struct sch_d3d_check *check, const struct use *use)
{
    const struct sch_d3d_operand *operand = use->operand;
    const struct sch_d3d_declared *found = sch_d3d_find_declared(check, operand->type, operand->index[0].value);
    const struct sch_d3d_file *file = sch_d3d_file(operand->type);
    if (!found || (file->extra && operand->index_count > 1 && !in_range(check, found->instruction, &operand->index[1])))
        SCH_D3D_REPORT(check, D3D_UNDECLARED, use->instruction, "%s is not declared", SCH_D3D_NAMED(use->operand));
}

/* fcall fp#[array index], call site. */
static void check_interface(struct sch_d3d_check *check, const struct use *use)
{
    const struct sch_d3d_operand *operand = use->operand;
    const struct sch_d3d_declared *found = sch_d3d_find_declared(check, operand->type, operand->index[0].value);
    const struct sch_d3d_instruction *declaration = found ? found->instruction : NULL;
    const char *wrong = NULL;
    if (!declaration)
        wrong = "is not declared";
    else if (use->instruction->literal_count && use->instruction->literals[0] >= declaration->literals[1])
        wrong = "has no such call site";
    else if (!operand->index[1].relative && operand->index[1].value >= declaration->literals[2] >> 16)
        wrong = "is beyond its array";
    if (wrong) SCH_D3D_REPORT(check, D3D_INTERFACE, use->instruction, "%s %s", SCH_D3D_NAMED(use->operand), wrong);
}

/* this[slot]: the data of what an interface's slot holds. */
static void check_this(struct sch_d3d_check *check, const struct use *use)
{
    const struct sch_d3d_operand *operand = use->operand;
    uint64_t slot = operand->index[0].value;
    if (operand->index_count > 1) slot += operand->index[1].value;
    bool relative = operand->index[operand->index_count - 1].relative != NULL;
    if (relative ? !check->interface_slots : slot >= check->interface_slots)
        SCH_D3D_REPORT(check, D3D_INTERFACE, use->instruction, "%s is of no declared interface",
                       SCH_D3D_NAMED(use->operand));
}

static uint8_t declared_components(const struct sch_d3d_io *io, uint64_t number)
{
    uint8_t mask = 0;
    for (unsigned i = 0; i < SCH_D3D_STREAMS; i++) mask |= io->mask[i][number];
    return mask;
}

static void report_io(struct sch_d3d_check *check, const struct use *use, const char *what)
{
    if (sch_d3d_may(use->operand->type, 'o'))
        SCH_D3D_REPORT(check, D3D_OUTPUT_UNDECLARED, use->instruction, "%s %s", SCH_D3D_NAMED(use->operand), what);
    else
        SCH_D3D_REPORT(check, D3D_INPUT_UNDECLARED, use->instruction, "%s %s", SCH_D3D_NAMED(use->operand), what);
}

static void check_io(struct sch_d3d_check *check, const struct use *use)
{
    const struct sch_d3d_operand *operand = use->operand;
    const struct sch_d3d_io *io = sch_d3d_io(check, operand->type);
    unsigned last = operand->index_count ? operand->index_count - 1u : 0;
    uint64_t number = operand->index[last].value; /* 0 where there is none */
    if (!io->any)
        report_io(check, use, "is not declared");
    else if (operand->index[last].relative) {
        if (number >= SCH_D3D_IO_REGISTERS || !(io->indexable >> number & 1))
            SCH_D3D_REPORT(check, D3D_NOT_INDEXABLE, use->instruction, "%s is in no dcl_indexrange",
                           SCH_D3D_NAMED(use->operand));
    } else if (number >= SCH_D3D_IO_REGISTERS || !declared_components(io, number))
        report_io(check, use, "is not declared");
    else if (operand->index_count && components_of(operand) & (uint8_t)~declared_components(io, number))
        report_io(check, use, "has components that are not declared");
    if (operand->index_count > 1 && io->any && !operand->index[0].relative && operand->index[0].value >= io->vertices)
        report_io(check, use, "is beyond the vertices or control points");
}

/* What has to be declared, by file; inputs and outputs apart. */
static const struct {
    uint8_t type;
    void (*check)(struct sch_d3d_check *check, const struct use *use);
} declared[] = {
    {SCH_D3D_REGISTER_TEMP, check_temp},
    {SCH_D3D_REGISTER_INDEXABLE_TEMP, check_array},
    {SCH_D3D_REGISTER_CONSTANT_BUFFER, check_constant_buffer},
    {SCH_D3D_REGISTER_IMMEDIATE_CONSTANT_BUFFER, check_constants},
    {SCH_D3D_REGISTER_SAMPLER, check_declared},
    {SCH_D3D_REGISTER_RESOURCE, check_declared},
    {SCH_D3D_REGISTER_VIEW, check_declared},
    {SCH_D3D_REGISTER_SHARED_MEMORY, check_declared},
    {SCH_D3D_REGISTER_STREAM, check_declared},
    {SCH_D3D_REGISTER_INTERFACE, check_interface},
    {SCH_D3D_REGISTER_THIS, check_this},
};

/* In t0[r0.x] the count is wrong as well, but what the page of sample forbids is the register. */
static bool resource_is_relative(const struct sch_d3d_operand *operand)
{
    if (operand->type != SCH_D3D_REGISTER_RESOURCE && operand->type != SCH_D3D_REGISTER_SAMPLER) return false;
    for (unsigned i = 0; i < operand->index_count; i++)
        if (operand->index[i].relative) return true;
    return false;
}

static bool counts_hold(struct sch_d3d_check *check, const struct use *use)
{
    unsigned least, most;
    sch_d3d_index_counts(check, use->operand->type, &least, &most);
    if (use->operand->index_count >= least && use->operand->index_count <= most) return true;
    if (!check->spaces && resource_is_relative(use->operand)) {
        SCH_D3D_REPORT(check, D3D_RESOURCE_RELATIVE, use->instruction, "%s: no relative addressing here",
                       SCH_D3D_NAMED(use->operand));
        return false;
    }
    SCH_D3D_REPORT(check, D3D_INDEX_COUNT, use->instruction, "%s has %u indices, but %u%s%s",
                   SCH_D3D_NAMED(use->operand), use->operand->index_count, most, least == most ? "" : " at most",
                   most == 1 ? " is right" : " are right");
    return false;
}

/* "normally r#.c, x#[..].c, cb, v or vThread...": one component of something that can be read. */
static void check_index(struct sch_d3d_check *check, const struct use *use, const struct sch_d3d_index *index)
{
    const struct sch_d3d_operand *operand = index->relative;
    bool immediate = operand->value_count > 0;
    bool one = operand->form != SCH_D3D_FORM_MASK && operand->form != SCH_D3D_FORM_SWIZZLE;
    if (immediate || !one || operand->modifier || !sch_d3d_may(operand->type, 'r')) {
        SCH_D3D_REPORT(check, D3D_INDEX_REGISTER, use->instruction, "%s: %s cannot be an index",
                       SCH_D3D_NAMED(use->operand), SCH_D3D_NAMED(operand));
        return;
    }
    sch_d3d_check_register(check, use->instruction, operand, 'S');
}

/* Whether index `i` of an operand may hold a register. The first number of arrays and interfaces is fixed; the vertices
 * of inputs may vary. "O endereçamento relativo em srcResource ou srcSampler não é permitido": in shader model 5.1 the
 * second number of a resource is an index into the range of its declaration, and in programs with interfaces the first
 * of cb, t and s is what `this` gave ("mov r1.w, this[0].x ... cb[r1.w + 0][r0.w + 0]", 7.19.7.2). */
static bool may_be_relative(const struct sch_d3d_check *check, const struct sch_d3d_operand *operand, unsigned i)
{
    const struct sch_d3d_file *file = sch_d3d_file(operand->type);
    bool slot = operand->type == SCH_D3D_REGISTER_RESOURCE || operand->type == SCH_D3D_REGISTER_SAMPLER ||
                operand->type == SCH_D3D_REGISTER_CONSTANT_BUFFER;
    if (slot && i == 0 && !check->spaces)
        return check->interface_slots || operand->index[i].relative->type == SCH_D3D_REGISTER_THIS;
    if (!strchr(file->uses, 'x')) return check->spaces && file->extra && i > 0;
    bool many = file->most > 1 && operand->type != SCH_D3D_REGISTER_THIS && !strpbrk(file->uses, "io");
    return i > 0 || !many;
}

static bool indices_hold(struct sch_d3d_check *check, const struct use *use)
{
    const struct sch_d3d_operand *operand = use->operand;
    for (unsigned i = 0; i < operand->index_count; i++) {
        if (!operand->index[i].relative) continue;
        if (may_be_relative(check, operand, i)) {
            check_index(check, use, &operand->index[i]);
            continue;
        }
        if (operand->type == SCH_D3D_REGISTER_RESOURCE || operand->type == SCH_D3D_REGISTER_SAMPLER)
            SCH_D3D_REPORT(check, D3D_RESOURCE_RELATIVE, use->instruction, "%s: no relative addressing here",
                           SCH_D3D_NAMED(use->operand));
        else
            SCH_D3D_REPORT(check, D3D_NOT_INDEXABLE, use->instruction, "%s cannot be indexed there",
                           SCH_D3D_NAMED(use->operand));
        return false;
    }
    return true;
}

void sch_d3d_check_register(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                            const struct sch_d3d_operand *operand, char role)
{
    const struct use use = {instruction, operand, strchr("DN", role) != NULL};
    const struct sch_d3d_file *file = sch_d3d_file(operand->type);
    if (!sch_d3d_in_stage(check, file->stages)) {
        SCH_D3D_REPORT(check, D3D_FILE_STAGE, instruction, "%s is not in this stage", SCH_D3D_NAMED(operand));
        return;
    }
    if (!counts_hold(check, &use)) return;
    if (!indices_hold(check, &use)) return;
    if (strpbrk(file->uses, "io")) {
        check_io(check, &use);
        return;
    }
    if (operand->index_count && operand->index[0].relative &&
        operand->type != SCH_D3D_REGISTER_IMMEDIATE_CONSTANT_BUFFER && operand->type != SCH_D3D_REGISTER_THIS)
        return; /* of a class: it is not known which one */
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
        if (declared[i].type == operand->type) declared[i].check(check, &use);
}
