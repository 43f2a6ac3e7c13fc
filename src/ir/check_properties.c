/* Rules of properties: their stages, their values, those that belong together; and what they say about vertex
 * arrays. */
#include "ir/check_internal.h"

enum {
    MAX_CLIP_CULL = 8,      /* components of two registers (CLIPDIST: "2 x vec4 space") */
    MAX_PATCH_VERTICES = 32 /* the implied size of an empty bracket in tessellation stages */
};

/* The values that a property may have: `list` ends with a negative number; NULL means 0 to `most`. */
static const int input_primitives[] = {SCH_PRIMITIVE_POINTS,
                                       SCH_PRIMITIVE_LINES,
                                       SCH_PRIMITIVE_TRIANGLES,
                                       SCH_PRIMITIVE_LINES_ADJACENCY,
                                       SCH_PRIMITIVE_TRIANGLES_ADJACENCY,
                                       -1};
static const int output_primitives[] = {SCH_PRIMITIVE_POINTS, SCH_PRIMITIVE_LINE_STRIP, SCH_PRIMITIVE_TRIANGLE_STRIP,
                                        -1};
static const int tessellator_modes[] = {SCH_PRIMITIVE_LINES, SCH_PRIMITIVE_TRIANGLES, SCH_PRIMITIVE_QUADS, -1};

static const struct {
    uint8_t property;
    uint32_t least, most;
    const int *list;
} property_values[] = {
    {SCH_PROPERTY_GS_INPUT_PRIMITIVE, 0, 0, input_primitives},
    {SCH_PROPERTY_GS_OUTPUT_PRIMITIVE, 0, 0, output_primitives},
    {SCH_PROPERTY_TES_PRIM_MODE, 0, 0, tessellator_modes},
    {SCH_PROPERTY_FS_COORD_ORIGIN, 0, 1, NULL},
    {SCH_PROPERTY_FS_COORD_PIXEL_CENTER, 0, 1, NULL},
    {SCH_PROPERTY_FS_DEPTH_LAYOUT, 0, 4, NULL},
    {SCH_PROPERTY_GS_INVOCATIONS, 1, UINT32_MAX, NULL},
    {SCH_PROPERTY_TCS_VERTICES_OUT, 1, MAX_PATCH_VERTICES, NULL},
    {SCH_PROPERTY_TES_SPACING, 0, 2, NULL},
    {SCH_PROPERTY_TES_VERTEX_ORDER_CW, 0, 1, NULL},
    {SCH_PROPERTY_NUM_CLIPDIST_ENABLED, 0, MAX_CLIP_CULL, NULL},
    {SCH_PROPERTY_NUM_CULLDIST_ENABLED, 0, MAX_CLIP_CULL, NULL},
    {SCH_PROPERTY_NEXT_SHADER, 0, SCH_STAGE_COUNT - 1, NULL},
    {SCH_PROPERTY_D3D_RULES, 0, 1, NULL},
};

/* Properties that every shader of a stage should have. */
static const struct {
    uint8_t stage, property;
} needed[] = {
    {SCH_STAGE_GEOMETRY, SCH_PROPERTY_GS_INPUT_PRIMITIVE},     {SCH_STAGE_GEOMETRY, SCH_PROPERTY_GS_OUTPUT_PRIMITIVE},
    {SCH_STAGE_GEOMETRY, SCH_PROPERTY_GS_MAX_OUTPUT_VERTICES}, {SCH_STAGE_TESS_CTRL, SCH_PROPERTY_TCS_VERTICES_OUT},
    {SCH_STAGE_TESS_EVAL, SCH_PROPERTY_TES_PRIM_MODE},
};

static const char *name_of(unsigned property)
{
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_PROPERTY, property);
    return word ? word->word : "?";
}

static bool value_allowed(unsigned property, uint32_t value)
{
    for (size_t i = 0; i < sizeof property_values / sizeof *property_values; i++) {
        if (property_values[i].property != property) continue;
        if (!property_values[i].list) return value >= property_values[i].least && value <= property_values[i].most;
        for (const int *allowed = property_values[i].list; *allowed >= 0; allowed++)
            if (value == (uint32_t)*allowed) return true;
        return false;
    }
    return true;
}

static void check_property(struct sch_check *check, const struct sch_ir_property *property)
{
    if (property->name >= SCH_PROPERTY_COUNT || !property->count) {
        SCH_CHECK_REPORT(check, PROPERTY_EMPTY, property->position, "the property has no value");
        return;
    }
    bool patches = check->d3d && property->name == SCH_PROPERTY_GS_INPUT_PRIMITIVE &&
                   property->value[0] == SCH_PRIMITIVE_PATCHES; /* Direct3D has them; TGSI's text does not */
    if (!patches && !value_allowed(property->name, property->value[0]))
        SCH_CHECK_REPORT(check, PROPERTY_VALUE, property->position, "%s cannot be %u", name_of(property->name),
                         (unsigned)property->value[0]);
    if (!(sch_property_stages(property->name) >> check->shader->stage & 1))
        SCH_CHECK_REPORT(check, PROPERTY_STAGE, property->position, "%s has no effect in this stage",
                         name_of(property->name));
}

static const struct sch_ir_property *last_property(const struct sch_check *check, unsigned name)
{
    const struct sch_ir_shader *shader = check->shader;
    for (size_t i = shader->property_count; i-- > 0;)
        if (shader->properties[i].name == name) return &shader->properties[i];
    return NULL;
}

static void check_together(struct sch_check *check)
{
    const struct sch_ir_shader *shader = check->shader;
    uint32_t clip = sch_ir_property_value(shader, SCH_PROPERTY_NUM_CLIPDIST_ENABLED, 0);
    uint32_t cull = sch_ir_property_value(shader, SCH_PROPERTY_NUM_CULLDIST_ENABLED, 0);
    if (clip <= MAX_CLIP_CULL && cull <= MAX_CLIP_CULL && clip + cull > MAX_CLIP_CULL)
        SCH_CHECK_REPORT(check, CLIP_CULL_TOTAL, last_property(check, SCH_PROPERTY_NUM_CULLDIST_ENABLED)->position,
                         "%u clip and %u cull distances do not fit two registers", (unsigned)clip, (unsigned)cull);

    if (sch_ir_property_value(shader, SCH_PROPERTY_FS_POST_DEPTH_COVERAGE, 0) &&
        !sch_ir_property_value(shader, SCH_PROPERTY_FS_EARLY_DEPTH_STENCIL, 0))
        SCH_CHECK_REPORT(check, COVERAGE_WITHOUT_EARLY,
                         last_property(check, SCH_PROPERTY_FS_POST_DEPTH_COVERAGE)->position,
                         "FS_POST_DEPTH_COVERAGE needs FS_EARLY_DEPTH_STENCIL");

    static const uint8_t block[] = {SCH_PROPERTY_CS_FIXED_BLOCK_WIDTH, SCH_PROPERTY_CS_FIXED_BLOCK_HEIGHT,
                                    SCH_PROPERTY_CS_FIXED_BLOCK_DEPTH};
    unsigned known = 0;
    const struct sch_ir_property *one = NULL;
    for (size_t i = 0; i < sizeof block; i++) {
        if (!sch_ir_property_value(shader, block[i], 0)) continue;
        known++;
        one = last_property(check, block[i]);
    }
    if (known && known < sizeof block)
        SCH_CHECK_REPORT(check, BLOCK_SIZE_PARTIAL, one->position,
                         "a fixed block size has a width, a height and a depth of at least 1");
}

static struct sch_position first_position(const struct sch_ir_shader *shader)
{
    if (shader->declaration_count) return shader->declarations[0].position;
    if (shader->instruction_count) return shader->instructions[0].position;
    return (struct sch_position){.line = 1, .column = 1};
}

/* How many vertices the first bracket of an operand may name. */
static void find_vertices(struct sch_check *check)
{
    const struct sch_ir_shader *shader = check->shader;
    if (shader->stage == SCH_STAGE_GEOMETRY) {
        uint32_t number =
            sch_ir_property_value(shader, SCH_PROPERTY_GS_INPUT_PRIMITIVE, SCH_PRIMITIVE_TRIANGLES_ADJACENCY);
        const struct sch_word *primitive = sch_word_by_number(SCH_WORDS_PRIMITIVE, number);
        check->input_vertices = primitive && primitive->extra ? primitive->extra : 6;
        if (number == SCH_PRIMITIVE_PATCHES) check->input_vertices = MAX_PATCH_VERTICES;
    } else if (shader->stage == SCH_STAGE_TESS_CTRL || shader->stage == SCH_STAGE_TESS_EVAL) {
        check->input_vertices = MAX_PATCH_VERTICES;
    }
    if (shader->stage == SCH_STAGE_TESS_CTRL)
        check->output_vertices = sch_ir_property_value(shader, SCH_PROPERTY_TCS_VERTICES_OUT, MAX_PATCH_VERTICES);
}

void sch_check_properties(struct sch_check *check)
{
    const struct sch_ir_shader *shader = check->shader;
    uint64_t seen = 0;
    for (size_t i = 0; i < shader->property_count; i++) {
        const struct sch_ir_property *property = &shader->properties[i];
        check_property(check, property);
        if (property->name >= SCH_PROPERTY_COUNT) continue;
        if (seen >> property->name & 1)
            SCH_CHECK_REPORT(check, PROPERTY_TWICE, property->position, "%s is given again", name_of(property->name));
        seen |= UINT64_C(1) << property->name;
    }
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i].stage == shader->stage && !(seen >> needed[i].property & 1))
            SCH_CHECK_REPORT(check, PROPERTY_MISSING, first_position(shader), "the shader has no %s",
                             name_of(needed[i].property));
    check_together(check);
    find_vertices(check);
}
