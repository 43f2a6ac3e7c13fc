/* Rules of declarations by themselves: files, ranges, arrays, semantics and where they may stand, interpolation, views
 * and resources. What instructions do with them is in check_operands.c and check_texture.c. */
#include "ir/check_internal.h"

/* Stages that the specification names for a semantic (tgsi.rst, "Declaration Semantic"), for inputs, outputs and system
 * values. Where it says "vertex shader", all stages before the rasterizer are meant; ALL where it names none. A use
 * elsewhere is a warning, since Mesa emits such shaders. */
enum {
    V = 1 << SCH_STAGE_VERTEX,
    C = 1 << SCH_STAGE_TESS_CTRL,
    E = 1 << SCH_STAGE_TESS_EVAL,
    G = 1 << SCH_STAGE_GEOMETRY,
    F = 1 << SCH_STAGE_FRAGMENT,
    K = 1 << SCH_STAGE_COMPUTE,
    PRE = V | C | E | G,
    ALL = PRE | F | K
};

static const struct {
    uint8_t input, output, system_value;
} semantic_stages[SCH_SEMANTIC_COUNT] = {
    [SCH_SEMANTIC_POSITION] = {PRE | F, PRE | F, F},
    [SCH_SEMANTIC_COLOR] = {PRE | F, PRE | F, 0},
    [SCH_SEMANTIC_BCOLOR] = {0, PRE, 0},
    [SCH_SEMANTIC_FOG] = {PRE | F, PRE, 0},
    [SCH_SEMANTIC_PSIZE] = {PRE, PRE, 0},
    [SCH_SEMANTIC_GENERIC] = {PRE | F, PRE | F, 0},
    [SCH_SEMANTIC_NORMAL] = {V, 0, 0},
    [SCH_SEMANTIC_FACE] = {F, 0, F},
    [SCH_SEMANTIC_EDGEFLAG] = {V, V, 0},
    [SCH_SEMANTIC_PRIMID] = {G | F, PRE, G | F},
    [SCH_SEMANTIC_INSTANCEID] = {0, 0, V},
    [SCH_SEMANTIC_VERTEXID] = {0, 0, V},
    [SCH_SEMANTIC_STENCIL] = {0, F, 0},
    [SCH_SEMANTIC_CLIPDIST] = {ALL, ALL, 0},
    [SCH_SEMANTIC_CLIPVERTEX] = {PRE, PRE, 0},
    [SCH_SEMANTIC_GRID_SIZE] = {0, 0, K},
    [SCH_SEMANTIC_BLOCK_ID] = {0, 0, K},
    [SCH_SEMANTIC_BLOCK_SIZE] = {0, 0, K},
    [SCH_SEMANTIC_THREAD_ID] = {0, 0, K},
    [SCH_SEMANTIC_TEXCOORD] = {PRE | F, PRE, 0},
    [SCH_SEMANTIC_PCOORD] = {F, 0, 0},
    [SCH_SEMANTIC_VIEWPORT_INDEX] = {F, V | E | G, 0},
    [SCH_SEMANTIC_LAYER] = {F, V | E | G, 0},
    [SCH_SEMANTIC_SAMPLEID] = {0, 0, F},
    [SCH_SEMANTIC_SAMPLEPOS] = {0, 0, F},
    [SCH_SEMANTIC_SAMPLEMASK] = {0, F, F},
    [SCH_SEMANTIC_INVOCATIONID] = {0, 0, G},
    [SCH_SEMANTIC_VERTEXID_NOBASE] = {0, 0, V},
    [SCH_SEMANTIC_BASEVERTEX] = {0, 0, V},
    [SCH_SEMANTIC_PATCH] = {C | E, C | E, 0},
    [SCH_SEMANTIC_TESSCOORD] = {0, 0, E},
    [SCH_SEMANTIC_TESSOUTER] = {C | E, C | E, C | E},
    [SCH_SEMANTIC_TESSINNER] = {C | E, C | E, C | E},
    [SCH_SEMANTIC_VERTICESIN] = {0, 0, C | E},
    [SCH_SEMANTIC_HELPER_INVOCATION] = {0, 0, F},
    [SCH_SEMANTIC_BASEINSTANCE] = {0, 0, V},
    [SCH_SEMANTIC_DRAWID] = {0, 0, V},
    [SCH_SEMANTIC_WORK_DIM] = {0, 0, K},
    [SCH_SEMANTIC_SUBGROUP_SIZE] = {0, 0, ALL},
    [SCH_SEMANTIC_SUBGROUP_INVOCATION] = {0, 0, ALL},
    [SCH_SEMANTIC_SUBGROUP_EQ_MASK] = {0, 0, ALL},
    [SCH_SEMANTIC_SUBGROUP_GE_MASK] = {0, 0, ALL},
    [SCH_SEMANTIC_SUBGROUP_GT_MASK] = {0, 0, ALL},
    [SCH_SEMANTIC_SUBGROUP_LE_MASK] = {0, 0, ALL},
    [SCH_SEMANTIC_SUBGROUP_LT_MASK] = {0, 0, ALL},
    [SCH_SEMANTIC_CS_USER_DATA_AMD] = {0, 0, ALL},
    [SCH_SEMANTIC_VIEWPORT_MASK] = {ALL, ALL, 0},
    [SCH_SEMANTIC_TESS_DEFAULT_OUTER_LEVEL] = {0, 0, ALL},
    [SCH_SEMANTIC_TESS_DEFAULT_INNER_LEVEL] = {0, 0, ALL},
};

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
    bool two = file == SCH_FILE_CONSTANT || file == SCH_FILE_HW_ATOMIC || sch_check_is_vertex_array(stage, file);
    if (declaration->has_dimension && !two)
        SCH_CHECK_REPORT(check, DECLARED_DIMENSION, declaration->position, "registers of %s have one bracket", word);
}

static void check_array(struct sch_check *check, const struct sch_ir_declaration *declaration)
{
    if (!declaration->array_id) return;
    if (!sch_check_set_add(check, &check->arrays, SCH_CHECK_KEY(declaration->file, 0, declaration->array_id)) &&
        !check->out_of_memory)
        SCH_CHECK_REPORT(check, ARRAY_TWICE, declaration->position, "%s has an ARRAY(%u) already",
                         sch_check_file_word(declaration->file), declaration->array_id);
}

static unsigned stages_of(unsigned semantic, unsigned file)
{
    if (file == SCH_FILE_INPUT) return semantic_stages[semantic].input;
    if (file == SCH_FILE_OUTPUT) return semantic_stages[semantic].output;
    return semantic_stages[semantic].system_value;
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
    unsigned file = declaration->file, stage = check->shader->stage;
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
    if (declaration->semantic == SCH_SEMANTIC_PSIZE && stage == SCH_STAGE_FRAGMENT)
        SCH_CHECK_REPORT(check, PSIZE_IN_FRAGMENT, declaration->position, "PSIZE cannot be used in fragment shaders");
    else if (!(stages_of(declaration->semantic, file) & (1u << stage)))
        SCH_CHECK_REPORT(check, SEMANTIC_STAGE, declaration->position, "%s is not described for %s in this stage",
                         word->word, sch_check_file_word(file));
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
    if (declaration->target >= SCH_TARGET_COUNT || !(listed >> declaration->target & 1))
        SCH_CHECK_REPORT(check, VIEW_TARGET, declaration->position, "%s is not listed as a target of %s",
                         sch_check_target_word(declaration->target), sch_check_file_word(declaration->file));
}

/* Semantics that stand on registers: which component masks of each name and index are taken is not kept, only whether
 * two whole registers share one. */
static void check_semantic_twice(struct sch_check *check)
{
    struct sch_check_set seen = {0};
    for (size_t i = 0; i < check->range_count && !check->out_of_memory; i++) {
        const struct sch_check_range *range = &check->ranges[i];
        const struct sch_ir_declaration *declaration = range->declaration;
        if (!declaration->has_semantic || declaration->usage_mask != 15 || declaration->first != declaration->last)
            continue;
        uint64_t number = SCH_CHECK_KEY(declaration->file, declaration->semantic, declaration->semantic_index);
        if (sch_check_set_add(check, &seen, number) || check->out_of_memory) continue;
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
