/* Declarations and signatures: what the program has, in the order in which Direct3D's compiler writes it. */
#include "d3d/raise/internal.h"

#include <string.h>

/* ---- one declaration ---- */

static struct sch_d3d_instruction *declare(struct sch_raise *r, unsigned opcode, const struct sch_d3d_operand *operand)
{
    r->at = NULL;
    return sch_raise_emit(r, opcode, operand, operand ? 1 : 0);
}

static void say(struct sch_raise *r, struct sch_d3d_instruction *made, const uint32_t *words, size_t count)
{
    made->literals = SCH_ARENA_ARRAY(r->arena, uint32_t, count ? count : 1);
    if (!made->literals) return;
    if (count) memcpy(made->literals, words, count * sizeof *words);
    made->literal_count = (uint32_t)count;
}

/* With an operand, where there is one, and one word. */
static struct sch_d3d_instruction *declare_number(struct sch_raise *r, unsigned opcode,
                                                  const struct sch_d3d_operand *operand, uint32_t number)
{
    struct sch_d3d_instruction *made = declare(r, opcode, operand);
    say(r, made, &number, 1);
    return made;
}

/* ---- signatures ---- */

static void sign(struct sch_raise *r, enum sch_signature_kind place, struct sch_d3d_signature_element element)
{
    enum { MOST = 64 };
    struct sch_d3d_signature *signature = &r->out->signatures[place];
    if (!signature->elements)
        signature->elements = SCH_ARENA_ARRAY(&r->out->arena, struct sch_d3d_signature_element, MOST);
    if (!signature->elements || signature->count == MOST) {
        r->status = SCH_ERROR_MEMORY;
        return;
    }
    signature->elements[signature->count++] = element;
}

/* ---- inputs and outputs ---- */

static struct sch_d3d_operand io_operand(struct sch_raise *r, unsigned type, uint32_t number, unsigned mask)
{
    struct sch_d3d_operand made = sch_raise_masked(sch_raise_register(type, number), mask);
    if (type != SCH_D3D_REGISTER_INPUT || r->in->stage != SCH_STAGE_GEOMETRY) return made;
    made.index[1] = made.index[0];
    made.index[0].value = r->vertices;
    made.index_count = 2;
    return made;
}

/* Vocabulary INTERPOLATION. */
static uint32_t interpolation_of(struct sch_raise *r, const struct sch_raise_io *io)
{
    enum { CONSTANT = 1 };
    static const uint8_t perspective[] = {2, 3, 6}, linear[] = {4, 5, 7}; /* centre, centroid, sample */
    if (io->semantic == SCH_SEMANTIC_POSITION) return linear[io->location == SCH_LOCATION_SAMPLE ? 2 : 0];
    if (io->interpolation == SCH_INTERPOLATION_CONSTANT) return CONSTANT;
    if (io->interpolation == SCH_INTERPOLATION_LINEAR) return linear[io->location];
    if (io->interpolation == SCH_INTERPOLATION_COLOR)
        sch_diagnostics_add(r->diagnostics, SCH_SEVERITY_WARNING, SCH_D_RAISE_INTERPOLATION, (struct sch_position){0},
                            "COLOR[%u] is interpolated with perspective: Direct3D has no state of flat shading",
                            io->semantic_index);
    return perspective[io->location];
}

static void declare_pixel_input(struct sch_raise *r, const struct sch_raise_io *io,
                                const struct sch_raise_meaning *meaning, const struct sch_d3d_operand *operand)
{
    enum { CONSTANT = 1 };
    unsigned opcode = !meaning->value                  ? SCH_D3D_OP_DCL_INPUT_PS
                      : meaning->kind == SCH_RAISE_SGV ? SCH_D3D_OP_DCL_INPUT_PS_SGV
                                                       : SCH_D3D_OP_DCL_INPUT_PS_SIV;
    uint32_t mode = meaning->type == SCH_RAISE_UINT ? CONSTANT : interpolation_of(r, io), value = meaning->value;
    struct sch_d3d_instruction *made = value ? declare_number(r, opcode, operand, value) : declare(r, opcode, operand);
    made->controls = sch_d3d_put(SCH_D3D_FIELD_INTERPOLATION, mode);
}

static void declare_other(struct sch_raise *r, const struct sch_raise_meaning *meaning,
                          const struct sch_d3d_operand *operand, uint32_t value, bool is_input)
{
    static const uint8_t opcodes[2][3] = {{SCH_D3D_OP_DCL_OUTPUT, SCH_D3D_OP_DCL_OUTPUT_SIV, SCH_D3D_OP_DCL_OUTPUT_SGV},
                                          {SCH_D3D_OP_DCL_INPUT, SCH_D3D_OP_DCL_INPUT_SIV, SCH_D3D_OP_DCL_INPUT_SGV}};
    unsigned kind = !value ? 0 : meaning->kind == SCH_RAISE_SGV ? 2 : 1;
    if (value)
        declare_number(r, opcodes[is_input][kind], operand, value);
    else
        declare(r, opcodes[is_input][kind], operand);
}

/* One part of a register with one system value. */
static void declare_part(struct sch_raise *r, const struct sch_raise_io *io, const struct sch_raise_meaning *meaning,
                         unsigned mask, bool is_input)
{
    if (!mask) return;
    unsigned type = is_input ? SCH_D3D_REGISTER_INPUT : SCH_D3D_REGISTER_OUTPUT;
    struct sch_d3d_operand operand = io_operand(r, type, io->number, mask);
    if (is_input && r->in->stage == SCH_STAGE_FRAGMENT)
        declare_pixel_input(r, io, meaning, &operand);
    else
        declare_other(r, meaning, &operand, meaning->value, is_input);
    enum { ARRAY_INDEX = 4, VIEWPORT = 5 };
    bool chooses = !is_input && (meaning->value == ARRAY_INDEX || meaning->value == VIEWPORT);
    if (chooses && r->in->stage == SCH_STAGE_VERTEX) sch_raise_needs(r, SCH_RAISE_FEATURE_ARRAY_INDEX);
    uint8_t read = io->read & (uint8_t)mask;
    sign(r, is_input ? SCH_SIGNATURE_INPUT : SCH_SIGNATURE_OUTPUT,
         (struct sch_d3d_signature_element){.name = meaning->name,
                                            .index = io->semantic_index,
                                            .system_value = meaning->value,
                                            .component_type = meaning->type,
                                            .reg = io->number,
                                            .mask = (uint8_t)mask,
                                            .used = is_input ? read : (uint8_t)(15 & ~mask),
                                            .stream = io->stream});
}

/* "Clip distances, then cull distances": the first NUM_CLIPDIST_ENABLED components, then as many as the other says. */
static void declare_distances(struct sch_raise *r, const struct sch_raise_io *io,
                              const struct sch_raise_meaning *meaning, bool is_input)
{
    enum { CULL = 3 };
    uint32_t clip = sch_ir_property_value(r->in, SCH_PROPERTY_NUM_CLIPDIST_ENABLED, 0);
    uint32_t cull = sch_ir_property_value(r->in, SCH_PROPERTY_NUM_CULLDIST_ENABLED, 0);
    uint32_t all = sch_ir_property_value(r->in, SCH_PROPERTY_D3D_CULL_DISTANCES, ((1u << cull) - 1) << clip);
    const unsigned culled = io->semantic_index < 2 ? all >> 4 * io->semantic_index & 15 : 0;
    struct sch_raise_meaning culling = *meaning;
    culling.name = "SV_CullDistance";
    culling.value = CULL;
    struct sch_raise_io behind = *io; /* cull distances count from their first register */
    const unsigned first = all ? (unsigned)__builtin_ctz(all) / 4 : 0;
    behind.semantic_index = (uint16_t)(io->semantic_index - (first <= io->semantic_index ? first : 0));
    declare_part(r, io, meaning, io->mask & ~culled & 15u, is_input);
    declare_part(r, &behind, &culling, io->mask & culled, is_input);
}

static void declare_target(struct sch_raise *r, uint32_t number, unsigned mask)
{
    enum { FLOAT = 3 };
    struct sch_d3d_operand operand = io_operand(r, SCH_D3D_REGISTER_OUTPUT, number, mask);
    declare(r, SCH_D3D_OP_DCL_OUTPUT, &operand);
    sign(r, SCH_SIGNATURE_OUTPUT,
         (struct sch_d3d_signature_element){.name = "SV_Target",
                                            .index = number,
                                            .component_type = FLOAT,
                                            .reg = number,
                                            .mask = (uint8_t)mask,
                                            .used = (uint8_t)(15 & ~mask)});
}

static void declare_special(struct sch_raise *r, unsigned type)
{
    static const struct {
        uint8_t type, component;
        const char *name;
    } outputs[] = {{SCH_D3D_REGISTER_DEPTH, 3, "SV_Depth"},
                   {SCH_D3D_REGISTER_DEPTH_GREATER_EQUAL, 3, "SV_DepthGreaterEqual"},
                   {SCH_D3D_REGISTER_DEPTH_LESS_EQUAL, 3, "SV_DepthLessEqual"},
                   {SCH_D3D_REGISTER_STENCIL_REFERENCE, 1, "SV_StencilRef"},
                   {SCH_D3D_REGISTER_COVERAGE_MASK, 1, "SV_Coverage"}};
    struct sch_d3d_operand operand = sch_raise_bare(type);
    operand.form = SCH_D3D_FORM_SCALAR;
    declare(r, SCH_D3D_OP_DCL_OUTPUT, &operand);
    if (type == SCH_D3D_REGISTER_STENCIL_REFERENCE) sch_raise_needs(r, SCH_RAISE_FEATURE_STENCIL);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (outputs[i].type == type)
            sign(r, SCH_SIGNATURE_OUTPUT,
                 (struct sch_d3d_signature_element){.name = outputs[i].name,
                                                    .component_type = outputs[i].component,
                                                    .reg = UINT32_MAX,
                                                    .mask = 1,
                                                    .used = 14});
}

static void declare_pixel_output(struct sch_raise *r, const struct sch_raise_io *io)
{
    unsigned special = sch_raise_special(r, io);
    if (special) {
        declare_special(r, special);
        return;
    }
    bool all = r->broadcasts && !io->number;
    for (uint32_t target = io->number; target <= (all ? SCH_RAISE_TARGETS - 1u : io->number); target++)
        declare_target(r, target, io->mask);
}

/* Attributes of vertices have the names of their semantics, or ATTRIBUTE and the register's number. */
static void declare_attribute(struct sch_raise *r, const struct sch_raise_io *io)
{
    enum { FLOAT = 3 };
    struct sch_raise_io named = *io;
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, io->semantic);
    struct sch_raise_meaning meaning = {.name = io->named ? word->word : "ATTRIBUTE", .type = FLOAT};
    if (!io->named) named.semantic_index = io->number;
    declare_part(r, &named, &meaning, io->mask, true);
}

/* Registers of a range that is indexed have the same components. */
static void unite_ranges(struct sch_raise_io *list)
{
    for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++) {
        if (!list[i].indexed) continue;
        uint8_t mask = 0;
        for (unsigned k = i; k < i + list[i].range && k < SCH_RAISE_REGISTERS; k++) mask |= list[k].mask;
        for (unsigned k = i; k < i + list[i].range && k < SCH_RAISE_REGISTERS; k++) list[k].mask = mask;
    }
}

static void declare_ranges(struct sch_raise *r, const struct sch_raise_io *list, unsigned type)
{
    for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++) {
        if (!list[i].indexed) continue;
        struct sch_d3d_operand operand = io_operand(r, type, list[i].number, list[i].mask);
        declare_number(r, SCH_D3D_OP_DCL_INDEX_RANGE, &operand, list[i].range);
    }
}

static void declare_io(struct sch_raise *r, struct sch_raise_io *list, bool is_input)
{
    unite_ranges(list);
    for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++) {
        const struct sch_raise_io *io = &list[i];
        if (!io->declared || !io->mask) continue;
        const struct sch_raise_meaning *meaning = sch_raise_meaning_of(r, io, is_input);
        if (is_input && r->in->stage == SCH_STAGE_VERTEX)
            declare_attribute(r, io);
        else if (!is_input && r->in->stage == SCH_STAGE_FRAGMENT)
            declare_pixel_output(r, io);
        else if (meaning && io->semantic == SCH_SEMANTIC_CLIPDIST)
            declare_distances(r, io, meaning, is_input);
        else if (meaning)
            declare_part(r, io, meaning, sch_raise_is_scalar(meaning) ? 1 : io->mask, is_input);
    }
    declare_ranges(r, list, is_input ? SCH_D3D_REGISTER_INPUT : SCH_D3D_REGISTER_OUTPUT);
}

/* ---- system values ---- */

/* In the signature these have names; registers of their own are in none. */
static const char *value_name(unsigned value)
{
    static const char *const names[] = {
        [6] = "SV_VertexID", [8] = "SV_InstanceID", [9] = "SV_IsFrontFace", [10] = "SV_SampleIndex"};
    return names[value];
}

static void declare_values(struct sch_raise *r)
{
    bool seen[SCH_D3D_REGISTER_COUNT] = {false};
    for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++) {
        struct sch_raise_io *io = &r->values[i];
        const struct sch_raise_value *row = io->declared && io->mask ? sch_raise_value_of(r, io->semantic) : NULL;
        if (!row) continue;
        if (row->file == SCH_D3D_REGISTER_INPUT) {
            struct sch_raise_meaning meaning = {
                .name = value_name(row->value), .value = row->value, .kind = SCH_RAISE_SGV, .type = SCH_RAISE_UINT};
            io->read = 1;
            declare_part(r, io, &meaning, 1, true);
        } else if (!seen[row->file]) {
            struct sch_d3d_operand operand = sch_raise_whole(row->file);
            if (operand.form == SCH_D3D_FORM_SWIZZLE) operand = sch_raise_masked(operand, 7);
            if (row->file == SCH_D3D_REGISTER_PRIMITIVE_ID) operand.form = SCH_D3D_FORM_NONE;
            if (row->file == SCH_D3D_REGISTER_INNER_COVERAGE) sch_raise_needs(r, SCH_RAISE_FEATURE_INNER_COVERAGE);
            declare(r, SCH_D3D_OP_DCL_INPUT, &operand);
            seen[row->file] = true;
        }
    }
}

/* ---- constants, temporaries ---- */

static void declare_constants(struct sch_raise *r)
{
    for (uint32_t i = 0; i < SCH_RAISE_BUFFERS; i++) {
        if (!r->constants[i]) continue;
        struct sch_d3d_operand operand = sch_raise_register(SCH_D3D_REGISTER_CONSTANT_BUFFER, i);
        operand.index_count = 2;
        operand.index[1] = (struct sch_d3d_index){.parts = SCH_D3D_INDEX_VALUE, .value = r->constants[i]};
        declare(r, SCH_D3D_OP_DCL_CONSTANT_BUFFER, &operand)->controls =
            sch_d3d_put(SCH_D3D_FIELD_ACCESS, r->constants_indexed[i]);
    }
}

static void declare_immediates(struct sch_raise *r)
{
    enum { IMMEDIATE_CONSTANT_BUFFER = 3, CLASS_AT = 11 };
    size_t count = r->in->immediate_count;
    if (!r->immediates_indexed || !count) return;
    struct sch_d3d_instruction *made = declare(r, SCH_D3D_OP_CUSTOMDATA, NULL);
    made->controls = IMMEDIATE_CONSTANT_BUFFER << CLASS_AT;
    made->literals = SCH_ARENA_ARRAY(r->arena, uint32_t, 4 * count);
    if (!made->literals) return;
    for (size_t i = 0; i < count; i++)
        memcpy(made->literals + 4 * i, r->in->immediates[i].word, sizeof r->in->immediates[i].word);
    made->literal_count = (uint32_t)(4 * count);
}

static void declare_temps(struct sch_raise *r)
{
    uint32_t count = r->fixed + r->most;
    if (count) declare_number(r, SCH_D3D_OP_DCL_TEMPS, NULL, count);
    for (uint32_t i = 0; i < r->array_count; i++) {
        if (!r->arrays[i].indexed) continue;
        const uint32_t words[] = {i, r->arrays[i].size, 4};
        say(r, declare(r, SCH_D3D_OP_DCL_INDEXABLE_TEMP, NULL), words, 3);
    }
}

/* ---- resources ---- */

static void declare_samplers(struct sch_raise *r)
{
    for (uint32_t i = 0; i < SCH_RAISE_RESOURCES; i++) {
        if (!r->samplers[i].used) continue;
        struct sch_d3d_operand operand = sch_raise_named(SCH_D3D_REGISTER_SAMPLER, i);
        declare(r, SCH_D3D_OP_DCL_SAMPLER, &operand)->controls =
            sch_d3d_put(SCH_D3D_FIELD_SAMPLER, r->samplers[i].compared ? SCH_RAISE_MODE_COMPARISON : 0);
    }
}

static void declare_typed(struct sch_raise *r, const struct sch_raise_resource *is, unsigned opcode,
                          struct sch_d3d_operand operand)
{
    declare_number(r, opcode, &operand, is->types)->controls = sch_d3d_put(SCH_D3D_FIELD_DIMENSION, is->dimension);
}

/* Views beyond 8, and those of stages other than the pixel's and compute, are Direct3D 11.1's. */
static struct sch_d3d_operand view(struct sch_raise *r, uint32_t number)
{
    enum { COMMON_VIEWS = 8 };
    if (number >= COMMON_VIEWS) sch_raise_needs(r, SCH_RAISE_FEATURE_VIEWS_64);
    if (r->in->stage != SCH_STAGE_FRAGMENT && r->in->stage != SCH_STAGE_COMPUTE)
        sch_raise_needs(r, SCH_RAISE_FEATURE_VIEWS_EVERYWHERE);
    return sch_raise_named(SCH_D3D_REGISTER_VIEW, number);
}

static void declare_raw(struct sch_raise *r, uint32_t number)
{
    struct sch_d3d_operand operand = view(r, number);
    declare(r, SCH_D3D_OP_DCL_UAV_RAW, &operand);
}

static void declare_resources(struct sch_raise *r)
{
    for (uint32_t i = 0; i < SCH_RAISE_RESOURCES; i++)
        if (r->views[i].used)
            declare_typed(r, &r->views[i], SCH_D3D_OP_DCL_RESOURCE, sch_raise_named(SCH_D3D_REGISTER_RESOURCE, i));
    for (uint32_t i = 0; i < SCH_RAISE_RESOURCES; i++)
        if (r->buffers[i].used) declare_raw(r, r->first_buffer + i);
    for (uint32_t i = 0; i < SCH_RAISE_RESOURCES; i++)
        if (r->images[i].used) declare_typed(r, &r->images[i], SCH_D3D_OP_DCL_UAV_TYPED, view(r, r->first_image + i));
    for (uint32_t i = 0; i < SCH_RAISE_RESOURCES; i++)
        if (r->counters[i]) declare_raw(r, r->first_counter + i);
}

/* ---- stages ---- */

static void declare_geometry(struct sch_raise *r)
{
    static const uint8_t inputs[SCH_PRIMITIVE_COUNT] = {[SCH_PRIMITIVE_POINTS] = 1,
                                                        [SCH_PRIMITIVE_LINES] = 2,
                                                        [SCH_PRIMITIVE_TRIANGLES] = 3,
                                                        [SCH_PRIMITIVE_LINES_ADJACENCY] = 6,
                                                        [SCH_PRIMITIVE_TRIANGLES_ADJACENCY] = 7};
    static const uint8_t outputs[SCH_PRIMITIVE_COUNT] = {
        [SCH_PRIMITIVE_POINTS] = 1, [SCH_PRIMITIVE_LINE_STRIP] = 3, [SCH_PRIMITIVE_TRIANGLE_STRIP] = 5};
    uint32_t in = sch_ir_property_value(r->in, SCH_PROPERTY_GS_INPUT_PRIMITIVE, SCH_PRIMITIVE_TRIANGLES);
    uint32_t out = sch_ir_property_value(r->in, SCH_PROPERTY_GS_OUTPUT_PRIMITIVE, SCH_PRIMITIVE_TRIANGLE_STRIP);
    uint32_t instances = sch_ir_property_value(r->in, SCH_PROPERTY_GS_INVOCATIONS, 1);
    if (!inputs[in] || !outputs[out]) {
        sch_raise_refuse(r, SCH_D_RAISE_PROPERTY, "a primitive that Direct3D's geometry shaders do not have");
        return;
    }
    declare(r, SCH_D3D_OP_DCL_INPUTPRIMITIVE, NULL)->controls = sch_d3d_put(SCH_D3D_FIELD_PRIMITIVE, inputs[in]);
    if (instances > 1) declare_number(r, SCH_D3D_OP_DCL_GSINSTANCES, NULL, instances);
}

static void declare_streams(struct sch_raise *r)
{
    static const uint8_t outputs[SCH_PRIMITIVE_COUNT] = {
        [SCH_PRIMITIVE_POINTS] = 1, [SCH_PRIMITIVE_LINE_STRIP] = 3, [SCH_PRIMITIVE_TRIANGLE_STRIP] = 5};
    uint32_t out = sch_ir_property_value(r->in, SCH_PROPERTY_GS_OUTPUT_PRIMITIVE, SCH_PRIMITIVE_TRIANGLE_STRIP);
    for (uint32_t stream = 0; stream < SCH_RAISE_STREAMS; stream++) {
        if (!r->streams[stream]) continue;
        struct sch_d3d_operand operand = sch_raise_named(SCH_D3D_REGISTER_STREAM, stream);
        declare(r, SCH_D3D_OP_DCL_STREAM, &operand);
        declare(r, SCH_D3D_OP_DCL_OUTPUTTOPOLOGY, NULL)->controls = sch_d3d_put(SCH_D3D_FIELD_TOPOLOGY, outputs[out]);
        struct sch_raise_io list[SCH_RAISE_REGISTERS];
        memcpy(list, r->outputs, sizeof list);
        for (unsigned i = 0; i < SCH_RAISE_REGISTERS; i++)
            if (list[i].stream != stream) list[i].declared = false;
        declare_io(r, list, false);
    }
}

static void declare_stage(struct sch_raise *r)
{
    switch (r->in->stage) {
    case SCH_STAGE_GEOMETRY:
        declare_streams(r);
        declare_number(r, SCH_D3D_OP_DCL_MAXOUT, NULL,
                       sch_ir_property_value(r->in, SCH_PROPERTY_GS_MAX_OUTPUT_VERTICES, 1024));
        return;
    case SCH_STAGE_COMPUTE:
        say(r, declare(r, SCH_D3D_OP_DCL_THREAD_GROUP, NULL), r->block, 3);
        return;
    default:
        return;
    }
}

static void declare_shared(struct sch_raise *r)
{
    enum { MOST_BYTES = 32768 };
    if (!r->shared) return;
    struct sch_d3d_operand operand = sch_raise_named(SCH_D3D_REGISTER_SHARED_MEMORY, 0);
    declare_number(r, SCH_D3D_OP_DCL_TGSM_RAW, &operand, MOST_BYTES);
}

void sch_raise_declare(struct sch_raise *r, struct sch_d3d_instruction *code, size_t count)
{
    if (r->flags) declare(r, SCH_D3D_OP_DCL_GLOBAL_FLAGS, NULL)->controls = sch_d3d_put(SCH_D3D_FIELD_FLAGS, r->flags);
    declare_immediates(r);
    declare_constants(r);
    declare_samplers(r);
    declare_resources(r);
    if (r->in->stage == SCH_STAGE_GEOMETRY) declare_geometry(r);
    declare_io(r, r->inputs, true);
    declare_values(r);
    if (r->in->stage != SCH_STAGE_GEOMETRY) declare_io(r, r->outputs, false);
    declare_temps(r);
    declare_shared(r);
    declare_stage(r);
    for (unsigned i = 0; i < 2; i++) r->out->signatures[i].tag = 1; /* both are there, also where they are empty */
    r->out->has_features = r->features != 0;
    r->out->features = r->features;
    for (size_t i = 0; i < count; i++) {
        if (!SCH_ARENA_GROW(r->arena, r->code, r->capacity, r->count)) return;
        r->code[r->count++] = code[i];
    }
}
