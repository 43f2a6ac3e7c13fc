/* Instructions on resources, views, shared memory and samplers: what they may reach, by the rows of check.def, and what
 * the declaration of it says. */
#include "d3d/check/internal.h"

#define KIND(name) (1u << SCH_D3D_KIND_##name)

/* Sets of kinds. */
enum {
    KINDS_PLANE = KIND(2D) | KIND(2D_ARRAY),
    KINDS_GATHERED = KINDS_PLANE | KIND(CUBE) | KIND(CUBE_ARRAY),
    KINDS_COMPARED = KINDS_GATHERED | KIND(1D) | KIND(1D_ARRAY),
    KINDS_FILTERED = KINDS_COMPARED | KIND(3D),
    KINDS_MULTISAMPLED = KIND(2DMS) | KIND(2DMS_ARRAY),
    KINDS_LOADED = KINDS_PLANE | KIND(1D) | KIND(1D_ARRAY) | KIND(3D) | KIND(BUFFER),
    KINDS_SIZED = KINDS_FILTERED | KINDS_MULTISAMPLED,
    KINDS_RAW = KIND(RAW),
    KINDS_STRUCTURED = KIND(STRUCTURED),
    KINDS_BUFFERS = KIND(BUFFER) | KIND(RAW) | KIND(STRUCTURED),
    KINDS_ATOMIC = KINDS_LOADED | KIND(RAW) | KIND(STRUCTURED),
    KINDS_CUBES = KIND(CUBE) | KIND(CUBE_ARRAY)
};

enum sampler_mode { MODE_DEFAULT, MODE_COMPARISON, MODE_ANY };
enum view_types { TYPES_ANY, TYPES_INTEGER };

static const struct access {
    const char *registers; /* NULL: the opcode reaches nothing */
    uint16_t kinds;
    uint8_t offset, mode, types;
} rows[SCH_D3D_OP_LIMIT] = {
#define D3D_ACCESS(op, letters, set, texel_offset, sampler, typed)                                                     \
    [SCH_D3D_OP_##op] = {.registers = letters,                                                                         \
                         .kinds = KINDS_##set,                                                                         \
                         .offset = texel_offset,                                                                       \
                         .mode = MODE_##sampler,                                                                       \
                         .types = TYPES_##typed},
#include "d3d/check/check.def"
};

struct lookup {
    const struct sch_d3d_instruction *instruction;
    const struct sch_d3d_op_info *info;
    const struct access *row;
    const struct sch_d3d_operand *operand;         /* R or V */
    const struct sch_d3d_instruction *declaration; /* of it, or NULL */
};

static char register_letter(unsigned type)
{
    static const char letters[SCH_D3D_REGISTER_COUNT] = {[SCH_D3D_REGISTER_RESOURCE] = 't',
                                                         [SCH_D3D_REGISTER_VIEW] = 'u',
                                                         [SCH_D3D_REGISTER_SHARED_MEMORY] = 'g',
                                                         [SCH_D3D_REGISTER_RASTERIZER] = 'r'};
    return letters[type] ? letters[type] : '?';
}

static const char *kind_word(unsigned kind)
{
    const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_DIMENSION, kind);
    if (!word) word = sch_d3d_word_by_number(SCH_D3D_WORDS_UNTYPED, kind);
    return word->word;
}

static bool register_holds(struct sch_d3d_check *check, const struct lookup *lookup)
{
    if (strchr(lookup->row->registers, register_letter(lookup->operand->type))) return true;
    if (lookup->operand->type == SCH_D3D_REGISTER_CONSTANT_BUFFER)
        SCH_D3D_REPORT(check, D3D_RESOURCE_CONSTANT_BUFFER, lookup->instruction,
                       "%s: the constant buffer %s cannot be the resource", lookup->info->word,
                       SCH_D3D_NAMED(lookup->operand));
    else
        SCH_D3D_REPORT(check, D3D_RESOURCE_REGISTER, lookup->instruction, "%s: %s cannot be the resource",
                       lookup->info->word, SCH_D3D_NAMED(lookup->operand));
    return false;
}

static void check_kind(struct sch_d3d_check *check, const struct lookup *lookup, unsigned kind)
{
    if (!kind || lookup->row->kinds >> kind & 1) return;
    if (KINDS_BUFFERS >> kind & 1 && strchr(lookup->info->operands, 'P'))
        SCH_D3D_REPORT(check, D3D_SAMPLE_BUFFER, lookup->instruction, "%s: %s is declared as %s", lookup->info->word,
                       SCH_D3D_NAMED(lookup->operand), kind_word(kind));
    else
        SCH_D3D_REPORT(check, D3D_DIMENSION, lookup->instruction, "%s does not go with %s, which is declared as %s",
                       lookup->info->word, SCH_D3D_NAMED(lookup->operand), kind_word(kind));
}

/* Declared return types, four bits each; 0 where there are none. */
static uint32_t types_of(const struct sch_d3d_instruction *declaration)
{
    bool typed = declaration->opcode == SCH_D3D_OP_DCL_RESOURCE || declaration->opcode == SCH_D3D_OP_DCL_UAV_TYPED;
    return typed ? declaration->literals[0] & 0xffff : 0;
}

static uint32_t stride_of(const struct sch_d3d_instruction *declaration)
{
    bool structured = declaration->opcode == SCH_D3D_OP_DCL_RESOURCE_STRUCTURED ||
                      declaration->opcode == SCH_D3D_OP_DCL_UAV_STRUCTURED ||
                      declaration->opcode == SCH_D3D_OP_DCL_TGSM_STRUCTURED;
    return structured ? declaration->literals[0] : 0;
}

/* What the instruction says again: "_indexable(dimension)(types)". */
static void check_repeated(struct sch_d3d_check *check, const struct lookup *lookup, unsigned kind)
{
    uint32_t dimension = sch_d3d_extended(lookup->instruction, SCH_D3D_EXTENDED_DIMENSION);
    uint32_t types = sch_d3d_extended(lookup->instruction, SCH_D3D_EXTENDED_RETURN);
    if (dimension && (dimension >> 6 & 0x1f) != kind) {
        SCH_D3D_REPORT(check, D3D_DIMENSION_DIFFERS, lookup->instruction, "%s says %s, but %s is declared as %s",
                       lookup->info->word, kind_word(dimension >> 6 & 0x1f), SCH_D3D_NAMED(lookup->operand),
                       kind_word(kind));
        return;
    }
    uint32_t stride = stride_of(lookup->declaration), declared = types_of(lookup->declaration);
    if (dimension && stride && (dimension >> 11 & 0xfff) != stride)
        SCH_D3D_REPORT(check, D3D_DIMENSION_DIFFERS, lookup->instruction,
                       "%s says stride %u, but %s is declared with %u", lookup->info->word, dimension >> 11 & 0xfff,
                       SCH_D3D_NAMED(lookup->operand), stride);
    if (types && declared && (types >> 6 & 0xffff) != declared)
        SCH_D3D_REPORT(check, D3D_DIMENSION_DIFFERS, lookup->instruction,
                       "%s has other return types than the declaration of %s", lookup->info->word,
                       SCH_D3D_NAMED(lookup->operand));
}

/* How many components of an offset count: "_aoffimmi componentes v,w são ignorados para Texture1Ds." */
static unsigned offset_components(unsigned kind)
{
    return kind == SCH_D3D_KIND_1D || kind == SCH_D3D_KIND_1D_ARRAY ? 1 : kind == SCH_D3D_KIND_3D ? 3 : 2;
}

/* Whether one of the four bits of a component that does not count is set. */
static bool has_more_components(uint32_t token, unsigned kind)
{
    enum { FIRST_BIT = 9, BITS = 4, MASK = 15, COMPONENTS = 3 };
    bool more = false;
    for (unsigned c = offset_components(kind); c < COMPONENTS; c++)
        more = more || token >> (FIRST_BIT + BITS * c) & MASK;
    return more;
}

static void check_offset(struct sch_d3d_check *check, const struct lookup *lookup, unsigned kind)
{
    uint32_t token = sch_d3d_extended(lookup->instruction, SCH_D3D_EXTENDED_OFFSET);
    if (!token) return;
    if (!lookup->row->offset || kind == SCH_D3D_KIND_BUFFER)
        SCH_D3D_REPORT(check, D3D_OFFSET_PLACE, lookup->instruction, "%s takes no texel offset%s", lookup->info->word,
                       lookup->row->offset ? " in a buffer" : "");
    else if (KINDS_CUBES >> kind & 1)
        SCH_D3D_REPORT(check, D3D_OFFSET_CUBE, lookup->instruction, "%s: a texel offset on the cube %s",
                       lookup->info->word, SCH_D3D_NAMED(lookup->operand));
    else if (kind && has_more_components(token, kind))
        SCH_D3D_REPORT(check, D3D_OFFSET_IGNORED, lookup->instruction,
                       "%s: components of the texel offset that %s does not have are ignored", lookup->info->word,
                       kind_word(kind));
}

/* Atomic operations on typed views: integers of 32 bits; filtering: no integers. */
static void check_types(struct sch_d3d_check *check, const struct lookup *lookup)
{
    enum { SINT = 3, UINT = 4 }; /* vocabulary RETURN */
    uint32_t types = types_of(lookup->declaration), first = types & 0xf;
    bool integer = first == SINT || first == UINT;
    if (!types) return;
    if (lookup->row->types == TYPES_INTEGER && !integer)
        SCH_D3D_REPORT(check, D3D_ATOMIC_TYPE, lookup->instruction,
                       "%s: %s is declared with a type that is not an integer", lookup->info->word,
                       SCH_D3D_NAMED(lookup->operand));
    bool filters = lookup->row->mode != MODE_ANY && lookup->row->kinds & KIND(1D); /* gathers copy */
    if (integer && filters)
        SCH_D3D_REPORT(check, D3D_INTEGER_SAMPLED, lookup->instruction, "%s filters %s, which returns integers",
                       lookup->info->word, SCH_D3D_NAMED(lookup->operand));
}

/* The declaration of an operand, or NULL: there is none, or only a class knows which one. */
static const struct sch_d3d_declared *find(const struct sch_d3d_check *check, const struct sch_d3d_operand *operand)
{
    if (!operand->index_count || operand->index[0].relative) return NULL;
    return sch_d3d_find_declared(check, operand->type, operand->index[0].value);
}

static void check_reached(struct sch_d3d_check *check, struct lookup *lookup)
{
    const struct sch_d3d_operand *operand = lookup->operand;
    sch_d3d_check_register(check, lookup->instruction, operand, 'R');
    const struct sch_d3d_declared *found = find(check, operand);
    lookup->declaration = found ? found->instruction : NULL;
    unsigned kind = found ? sch_d3d_declared_kind(found->instruction) : 0;
    if (operand->index[0].relative) /* of a class: what the instruction says */
        kind = sch_d3d_extended(lookup->instruction, SCH_D3D_EXTENDED_DIMENSION) >> 6 & 0x1f;
    check_offset(check, lookup, kind);
    check_kind(check, lookup, kind);
    if (!found) return;
    check_repeated(check, lookup, kind);
    check_types(check, lookup);
}

/* gather4: "component select by one-component select on s#", "SM4.1: red only"; comparisons read red. */
static void check_gather(struct sch_d3d_check *check, const struct lookup *lookup,
                         const struct sch_d3d_operand *sampler)
{
    if (lookup->row->kinds != KINDS_GATHERED && lookup->row->kinds != KINDS_PLANE) return;
    if (sampler->form != SCH_D3D_FORM_SELECT)
        SCH_D3D_REPORT(check, D3D_GATHER_COMPONENT, lookup->instruction, "%s: the sampler names no component",
                       lookup->info->word);
    else if (sampler->select && check->model < 50)
        SCH_D3D_REPORT(check, D3D_GATHER_COMPONENT, lookup->instruction,
                       "%s gathers the first component only in model 4", lookup->info->word);
    else if (sampler->select && lookup->row->mode == MODE_COMPARISON)
        SCH_D3D_REPORT(check, D3D_GATHER_COMPARED, lookup->instruction, "%s compares the first component",
                       lookup->info->word);
}

static void check_sampler(struct sch_d3d_check *check, const struct lookup *lookup,
                          const struct sch_d3d_operand *sampler)
{
    enum { COMPARISON = 1 }; /* vocabulary SAMPLER */
    if (sampler->type != SCH_D3D_REGISTER_SAMPLER) {
        SCH_D3D_REPORT(check, D3D_SAMPLER_REGISTER, lookup->instruction, "%s: %s is not a sampler", lookup->info->word,
                       SCH_D3D_NAMED(sampler));
        return;
    }
    sch_d3d_check_register(check, lookup->instruction, sampler, 'P');
    check_gather(check, lookup, sampler);
    const struct sch_d3d_declared *found = find(check, sampler);
    if (!found || lookup->row->mode == MODE_ANY) return;
    bool comparison = sch_d3d_get(found->instruction->controls, SCH_D3D_FIELD_SAMPLER) == COMPARISON;
    if (comparison != (lookup->row->mode == MODE_COMPARISON))
        SCH_D3D_REPORT(check, D3D_SAMPLER_MODE, lookup->instruction, "%s does not go with %s, which is declared %s",
                       lookup->info->word, SCH_D3D_NAMED(sampler),
                       comparison ? "mode_comparison" : "without mode_comparison");
}

void sch_d3d_check_access(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                          const struct sch_d3d_op_info *info)
{
    struct lookup lookup = {.instruction = instruction, .info = info, .row = &rows[instruction->opcode]};
    if (!lookup.row->registers) return;
    for (unsigned i = 0; i < sch_d3d_operand_count(info); i++) {
        char role = sch_d3d_operand_role(info, i);
        if (role == 'R' || role == 'V') {
            lookup.operand = &instruction->operands[i];
            if (register_holds(check, &lookup)) check_reached(check, &lookup);
        } else if (role == 'P') {
            check_sampler(check, &lookup, &instruction->operands[i]);
        }
    }
}
