/* Rules of declarations by themselves: files, ranges, arrays, semantics and where they are allowed, interpolation,
 * views and resources. What instructions do with them is in check_operands.c and check_texture.c. */
#include "ir/check_internal.h"

/* Targets that the specification lists for a view (the first three) and a resource (these and CUBE). */
#define T(name) (1u << SCH_TARGET_##name)
enum {
    VIEW_TARGETS = T(BUFFER) | T(1D) | T(2D) | T(3D) | T(1D_ARRAY) | T(2D_ARRAY),
    RESOURCE_TARGETS = VIEW_TARGETS | T(CUBE),
    IMAGE_TARGETS = RESOURCE_TARGETS | T(RECT) | T(CUBE_ARRAY) | T(2D_MSAA) | T(2D_ARRAY_MSAA)
};
#undef T

enum { MAX_TEXCOORD = 7, CLIP_REGISTERS = 2 };

static void check_file(struct sch_check *check, const struct sch_ir_declaration *declaration)
{
    unsigned file = declaration->file, stage = check->shader->stage;
    const char *word = sch_check_file_word(file);
    if (file == SCH_FILE_NULL || file == SCH_FILE_IMMEDIATE || file >= SCH_FILE_COUNT)
        SCH_CHECK_REPORT(check, DECLARED_FILE, declaration->position, "registers of %s cannot be declared", word);
    if (declaration->first > declaration->last)
        SCH_CHECK_REPORT(check, RANGE_REVERSED, declaration->position, "the range %u..%u is empty", declaration->first,
                         declaration->last);
    else if (declaration->last >= check->shader->limits.registers)
        SCH_CHECK_REPORT(check, REGISTER_LIMIT, declaration->position, "%s[%u] is over the limit of %u registers", word,
                         declaration->last, (unsigned)check->shader->limits.registers);
    if (stage == SCH_STAGE_COMPUTE && (file == SCH_FILE_INPUT || file == SCH_FILE_OUTPUT))
        SCH_CHECK_REPORT(check, COMPUTE_INPUT_OUTPUT, declaration->position, "a compute shader has no %s registers",
                         word);

    if (file == SCH_FILE_HW_ATOMIC && !declaration->has_dimension)
        SCH_CHECK_REPORT(check, COUNTER_DIMENSION, declaration->position,
                         "HWATOMIC needs two brackets: the buffer and the counters");
    bool two = file == SCH_FILE_CONSTANT || file == SCH_FILE_HW_ATOMIC || sch_file_is_per_vertex(stage, file);
    if (declaration->has_dimension && !two)
        SCH_CHECK_REPORT(check, DECLARED_DIMENSION, declaration->position, "registers of %s have one bracket", word);
}

static void check_array(struct sch_check *check, const struct sch_ir_declaration *declaration)
{
    if (!declaration->array_id) return;
    if (!sch_check_set_add(check, &check->arrays, SCH_CHECK_KEY(declaration->file, 0, declaration->array_id)) &&
        !check->arena.failed)
        SCH_CHECK_REPORT(check, ARRAY_TWICE, declaration->position, "%s has an ARRAY(%u) already",
                         sch_check_file_word(declaration->file), declaration->array_id);
}

/* A stage that the specification does not name is a warning: a pedantic one where producers write the semantic. */
static void check_semantic_stage(struct sch_check *check, const struct sch_ir_declaration *declaration)
{
    const struct sch_semantic_info *info = sch_semantic_info(declaration->semantic);
    unsigned file = declaration->file, stage = 1u << check->shader->stage;
    if (declaration->semantic == SCH_SEMANTIC_PSIZE && check->shader->stage == SCH_STAGE_FRAGMENT)
        SCH_CHECK_REPORT(check, PSIZE_IN_FRAGMENT, declaration->position, "PSIZE cannot be used in fragment shaders");
    else if (sch_semantic_stages(info, file) & stage)
        return;
    else if (info->produced & stage)
        SCH_CHECK_REPORT(check, SEMANTIC_STAGE, declaration->position, "%s is not described for %s in this stage",
                         info->word, sch_check_file_word(file));
    else
        SCH_CHECK_REPORT(check, SEMANTIC_NOWHERE, declaration->position, "nothing is known as %s of %s in this stage",
                         info->word, sch_check_file_word(file));
}

/* The index of the range's last register: a range counts its indices up. */
static unsigned last_semantic_index(const struct sch_ir_declaration *declaration)
{
    return declaration->semantic_index + (unsigned)(declaration->last - declaration->first);
}

static void check_semantic_index(struct sch_check *check, const struct sch_ir_declaration *declaration)
{
    if (declaration->semantic == SCH_SEMANTIC_TEXCOORD && last_semantic_index(declaration) > MAX_TEXCOORD)
        SCH_CHECK_REPORT(check, TEXCOORD_INDEX, declaration->position, "the index of TEXCOORD is at most %d",
                         MAX_TEXCOORD);
    if (declaration->semantic == SCH_SEMANTIC_CLIPDIST && last_semantic_index(declaration) >= CLIP_REGISTERS)
        SCH_CHECK_REPORT(check, CLIPDIST_INDEX, declaration->position, "clip and cull distances have %d registers",
                         CLIP_REGISTERS);
}

static void check_semantic(struct sch_check *check, const struct sch_ir_declaration *declaration)
{
    unsigned file = declaration->file;
    if (!declaration->has_semantic) {
        if (file == SCH_FILE_SYSTEM_VALUE)
            SCH_CHECK_REPORT(check, SYSTEM_VALUE_UNNAMED, declaration->position, "a system value needs a semantic");
        return;
    }
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, declaration->semantic);
    if (!word || (file != SCH_FILE_INPUT && file != SCH_FILE_OUTPUT && file != SCH_FILE_SYSTEM_VALUE)) {
        SCH_CHECK_REPORT(check, SEMANTIC_ON_FILE, declaration->position, "registers of %s carry no semantic",
                         sch_check_file_word(file));
        return;
    }
    if (!(word->extra & (1u << file))) {
        SCH_CHECK_REPORT(check, SEMANTIC_FILE, declaration->position, "%s cannot be declared in %s", word->word,
                         sch_check_file_word(file));
        return;
    }
    check_semantic_stage(check, declaration);
    check_semantic_index(check, declaration);
}

static void check_interpolation(struct sch_check *check, const struct sch_ir_declaration *declaration)
{
    if (!declaration->has_interpolation) return;
    if (check->shader->stage != SCH_STAGE_FRAGMENT || declaration->file != SCH_FILE_INPUT)
        SCH_CHECK_REPORT(check, INTERPOLATION_PLACE, declaration->position,
                         "only inputs of fragment shaders are interpolated");
}

static void check_view(struct sch_check *check, const struct sch_ir_declaration *declaration)
{
    unsigned listed;
    switch (declaration->file) {
    case SCH_FILE_SAMPLER_VIEW:
        listed = VIEW_TARGETS;
        break;
    case SCH_FILE_RESOURCE:
        listed = RESOURCE_TARGETS;
        break;
    case SCH_FILE_IMAGE:
        listed = IMAGE_TARGETS;
        break;
    default:
        return;
    }
    if (declaration->target < SCH_TARGET_COUNT && listed >> declaration->target & 1) return;
    const char *target = sch_check_target_word(declaration->target), *file = sch_check_file_word(declaration->file);
    if (declaration->file == SCH_FILE_SAMPLER_VIEW)
        SCH_CHECK_REPORT(check, VIEW_TARGET, declaration->position, "%s is not listed as a target of %s", target, file);
    else
        SCH_CHECK_REPORT(check, RESOURCE_TARGET, declaration->position, "%s is not a target of %s", target, file);
}

/* Semantics that are on registers: which component masks of each name and index are taken is not kept, only whether
 * two whole registers share one. */
static void check_semantic_twice(struct sch_check *check)
{
    struct sch_check_set seen = {0};
    for (size_t i = 0; i < check->range_count && !check->arena.failed; i++) {
        const struct sch_check_range *range = &check->ranges[i];
        const struct sch_ir_declaration *declaration = range->declaration;
        if (!declaration->has_semantic || declaration->usage_mask != 15 || declaration->first != declaration->last)
            continue;
        uint64_t number = SCH_CHECK_KEY(declaration->file, declaration->semantic, declaration->semantic_index);
        if (sch_check_set_add(check, &seen, number) || check->arena.failed) continue;
        const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, declaration->semantic);
        SCH_CHECK_REPORT(check, SEMANTIC_TWICE, declaration->position, "%s[%u] is on another register already",
                         word ? word->word : "?", declaration->semantic_index);
    }
}

void sch_check_declarations(struct sch_check *check)
{
    const struct sch_ir_shader *shader = check->shader;
    bool told_system_value = false;
    uint32_t primitive_id = 0;
    for (size_t i = 0; i < shader->declaration_count; i++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[i];
        check_file(check, declaration);
        check_array(check, declaration);
        check_semantic(check, declaration);
        check_interpolation(check, declaration);
        check_view(check, declaration);

        if (!declaration->has_semantic) continue;
        if (declaration->file == SCH_FILE_SYSTEM_VALUE && !told_system_value) {
            told_system_value = true;
            SCH_CHECK_REPORT(check, SEMANTIC_ON_SYSTEM_VALUE, declaration->position,
                             "semantics are described for inputs and outputs only");
        }
        if (declaration->semantic == SCH_SEMANTIC_PRIMID) {
            uint32_t both = SCH_FILE_BIT(INPUT) | SCH_FILE_BIT(SYSTEM_VALUE), before = primitive_id & both;
            primitive_id |= 1u << declaration->file;
            if (before != both && (primitive_id & both) == both)
                SCH_CHECK_REPORT(check, PRIMITIVE_ID_TWICE, declaration->position,
                                 "PRIM_ID is an input and a system value");
        }
    }
    check_semantic_twice(check);
}
