/* t# and s# of classes, which a register chooses: samplers, and views that are like what is read. */
#include "d3d/lower/internal.h"

static bool is_sampler(const struct sch_lower *l, uint32_t number)
{
    return sch_d3d_find_range(&l->ranges, SCH_D3D_REGISTER_SAMPLER, number) != NULL;
}

void sch_lower_class_sampler(struct sch_lower *l, const struct sch_d3d_operand *operand, struct sch_ir_bracket *bracket)
{
    enum { SLOTS = SCH_LOWER_SAMPLERS };
    for (uint32_t n = 0; n < SLOTS && !l->declared_samplers; n++) {
        struct sch_ir_declaration declaration = {.file = SCH_FILE_SAMPLER, .usage_mask = 15, .first = n};
        if (is_sampler(l, n)) continue;
        while (n + 1 < SLOTS && !is_sampler(l, n + 1u)) n++;
        declaration.last = n;
        sch_build_declare(l->build, &declaration);
    }
    l->declared_samplers = true;
    sch_lower_by_register(l, operand, SLOTS, 0, 0, bracket);
}

/* What the instruction says of its resource: "_indexable(dimension)(types)". */
static unsigned said_dimension(const struct sch_lower *l)
{
    return sch_d3d_extended(l->at, SCH_D3D_EXTENDED_DIMENSION) >> 6 & 31;
}

static bool fits(const struct sch_lower_resource *is, unsigned kind, unsigned dimension, uint32_t stride)
{
    if (!is->declared || is->kind != kind) return false;
    return kind == SCH_LOWER_TYPED ? !dimension || is->dimension == dimension : !stride || is->stride == stride;
}

static bool is_free(const struct sch_lower *l, uint32_t number)
{
    for (uint32_t i = 0; i < l->stand_in_count; i++)
        if (l->stand_ins[i].number == number) return false;
    return !sch_d3d_find_range(&l->ranges, SCH_D3D_REGISTER_RESOURCE, number);
}

/* A t# that no declaration has, the last one that is free. NULL: nothing says what it would be. */
static struct sch_lower_resource *stand_in(struct sch_lower *l, unsigned kind, unsigned dimension, uint32_t stride)
{
    uint32_t number = SCH_LOWER_RESOURCES;
    while (number && !is_free(l, number - 1)) number--;
    bool known = kind == SCH_LOWER_RAW || dimension || stride;
    if (!known || !number-- || l->stand_in_count == SCH_LOWER_STAND_INS) return NULL;
    struct sch_lower_resource *made = &l->stand_ins[l->stand_in_count++];
    bool bytes = kind != SCH_LOWER_TYPED;
    *made = (struct sch_lower_resource){.number = number, .unit = number + (bytes ? SCH_D3D_BYTE_UNITS : 0)};
    if (bytes)
        sch_lower_declare_bytes(l, made, stride);
    else
        sch_lower_declare_view(l, made, dimension, sch_d3d_extended(l->at, SCH_D3D_EXTENDED_RETURN) >> 6);
    return made;
}

/* A t# that stands for those of a class: a declared one that is like them, or one made for it. Which one is read is a
 * matter of the index. */
static const struct sch_lower_resource *representative(struct sch_lower *l, unsigned kind)
{
    static const struct sch_lower_resource none;
    unsigned dimension = kind == SCH_LOWER_TYPED ? said_dimension(l) : 0;
    uint32_t stride =
        kind == SCH_LOWER_STRUCTURED ? sch_d3d_extended(l->at, SCH_D3D_EXTENDED_DIMENSION) >> 11 & 0xfff : 0;
    for (size_t i = 0; i < l->ranges.count; i++)
        if (l->ranges.items[i].type == SCH_D3D_REGISTER_RESOURCE && fits(&l->placed[i], kind, dimension, stride))
            return &l->placed[i];
    for (uint32_t i = 0; i < l->stand_in_count; i++)
        if (fits(&l->stand_ins[i], kind, dimension, stride)) return &l->stand_ins[i];
    const struct sch_lower_resource *made = stand_in(l, kind, dimension, stride);
    if (!made) sch_lower_refuse(l, "a t# of a class whose dimension nothing says");
    return made ? made : &none;
}

const struct sch_lower_resource *sch_lower_class_view(struct sch_lower *l, const struct sch_d3d_operand *operand,
                                                      unsigned kind, struct sch_ir_bracket *bracket)
{
    const struct sch_lower_resource *is = representative(l, kind);
    sch_lower_by_register(l, operand, SCH_LOWER_RESOURCES, is->number, is->unit, bracket);
    return is;
}
