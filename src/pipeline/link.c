/* Linking: which register of one program is which of the next, by semantic name and index, and what the fixed functions
 * between them read and supply. Holds no state and no arithmetic. */
#include "pipeline/link.h"

#include "isa/errors.h"

enum { ALL_COMPONENTS = 15 };

struct linker {
    struct sch_link *link;
    struct sch_diagnostics *diagnostics;
    /* Two stages, and the vertex between them. */
    const struct sch_prepared_interface *from, *to; /* `to` may be NULL: fragments of which nothing is written */
    struct sch_link_copy *copies;
    uint32_t *copy_count;
    uint32_t next;   /* word of the vertex */
    bool full;       /* a limit is passed */
    bool by_number;  /* both stages are Direct3D's */
    bool from_patch; /* from a tessellation control shader to an evaluation shader */
    /* The attributes that have words already. */
    struct {
        uint8_t semantic;
        uint16_t index, word;
    } slots[2 * SCH_LINK_REGISTERS];
    uint32_t slot_count;
};

/* ---- stages ---- */

static enum sch_result refuse_stages(struct linker *l, const char *why)
{
    sch_diagnostics_add(l->diagnostics, sch_diagnostic_severity(SCH_D_LINK_STAGES), SCH_D_LINK_STAGES,
                        (struct sch_position){0}, "%s", why);
    return SCH_ERROR_INVALID;
}

/* The order in which primitives pass through a stage; 0: none of a pipeline. */
static unsigned order_of(unsigned stage)
{
    static const uint8_t order[SCH_STAGE_COUNT] = {[SCH_STAGE_VERTEX] = 1,
                                                   [SCH_STAGE_TESS_CTRL] = 2,
                                                   [SCH_STAGE_TESS_EVAL] = 3,
                                                   [SCH_STAGE_GEOMETRY] = 4,
                                                   [SCH_STAGE_FRAGMENT] = 5};
    return stage < SCH_STAGE_COUNT ? order[stage] : 0;
}

const struct sch_prepared_property *sch_link_tess_property(const struct sch_link *link, enum sch_property property)
{
    const struct sch_prepared_property *given = &link->tess_eval->interface.properties[property];
    const bool hull = !given->given && link->tess_ctrl && link->tess_ctrl->d3d;
    return hull ? &link->tess_ctrl->interface.properties[property] : given;
}

/* What becomes of patches after an evaluation shader: POINTS, LINES or TRIANGLES. */
static enum sch_primitive tessellated(const struct sch_link *link)
{
    if (sch_link_tess_property(link, SCH_PROPERTY_TES_POINT_MODE)->value) return SCH_PRIMITIVE_POINTS;
    const uint32_t domain = sch_link_tess_property(link, SCH_PROPERTY_TES_PRIM_MODE)->value;
    return domain == SCH_PRIMITIVE_LINES ? SCH_PRIMITIVE_LINES : SCH_PRIMITIVE_TRIANGLES;
}

/* Whether a geometry shader takes what tessellation makes (OpenGL 4.6 11.3.1). */
static enum sch_result match_geometry(struct linker *l)
{
    const struct sch_link *link = l->link;
    if (!link->geometry || !link->tess_eval) return SCH_OK;
    const enum sch_primitive made = tessellated(link);
    if (link->geometry->interface.properties[SCH_PROPERTY_GS_INPUT_PRIMITIVE].value == (uint32_t)made) return SCH_OK;
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_PRIMITIVE, made);
    sch_diagnostics_add(l->diagnostics, sch_diagnostic_severity(SCH_D_LINK_PRIMITIVE), SCH_D_LINK_PRIMITIVE,
                        (struct sch_position){0}, "tessellation makes %s, which the geometry shader does not take",
                        word ? word->word : "?");
    return SCH_ERROR_INVALID;
}

static enum sch_result find_stages(struct linker *l, const struct sch_prepared *const *programs, size_t count)
{
    unsigned last = 0;
    for (size_t n = 0; n < count; n++) {
        const unsigned stage = programs[n]->stage, order = order_of(stage);
        if (!order) return refuse_stages(l, "a compute shader is not part of a pipeline");
        if (n == 0 && stage != SCH_STAGE_VERTEX) return refuse_stages(l, "the first program is not a vertex shader");
        if (order == last) return refuse_stages(l, "two programs of one stage");
        if (order < last) return refuse_stages(l, "the programs are not in the order of their stages");
        last = order;
        if (stage == SCH_STAGE_VERTEX) {
            l->link->vertex = programs[n];
        } else if (stage == SCH_STAGE_FRAGMENT) {
            l->link->fragment = programs[n];
        } else if (stage == SCH_STAGE_GEOMETRY) {
            l->link->geometry = programs[n];
        } else if (stage == SCH_STAGE_TESS_CTRL) {
            l->link->tess_ctrl = programs[n];
        } else {
            l->link->tess_eval = programs[n];
        }
    }
    if (!l->link->vertex) return refuse_stages(l, "there is no vertex shader");
    if (l->link->tess_ctrl && !l->link->tess_eval)
        return refuse_stages(l, "a tessellation control shader without an evaluation shader");
    l->link->last = l->link->geometry ? l->link->geometry : l->link->tess_eval ? l->link->tess_eval : l->link->vertex;
    return SCH_OK;
}

/* ---- the vertex ---- */

static void add_copy(struct linker *l, uint16_t output, unsigned mask, uint32_t word)
{
    const uint32_t count = *l->copy_count;
    struct sch_link_copy *last = count ? &l->copies[count - 1] : NULL;
    if (last && last->output == output && last->word == word) { /* the next components of the same register */
        last->mask |= (uint8_t)mask;
        return;
    }
    if (count == SCH_LINK_COPIES) {
        l->full = true;
        return;
    }
    l->copies[count] = (struct sch_link_copy){.output = output, .mask = (uint8_t)mask, .word = (uint16_t)word};
    *l->copy_count = count + 1;
}

/* The components of an output that are written and continue: of a geometry shader those of stream 0. */
static unsigned written(const struct sch_prepared_register *output)
{
    unsigned mask = output->used;
    for (unsigned c = 0; c < 4; c++)
        if (output->stream[c]) mask &= ~(1u << c);
    return mask;
}

static bool is_written(const struct linker *l, unsigned semantic, unsigned index)
{
    for (uint32_t r = 0; r < l->from->output_count; r++) {
        const struct sch_prepared_register *output = &l->from->outputs[r];
        if (output->semantic == semantic && output->semantic_index == index && written(output)) return true;
    }
    return false;
}

/* Copies what instructions write of the components `mask` of a semantic to words from `word` on. Where several
 * registers write one component, the lowest counts. Returns the components that none writes. */
static unsigned copy_written(struct linker *l, unsigned semantic, unsigned index, unsigned mask, uint32_t word)
{
    unsigned open = mask;
    for (uint32_t r = 0; r < l->from->output_count && open; r++) {
        const struct sch_prepared_register *output = &l->from->outputs[r];
        if (output->semantic != semantic || output->semantic_index != index) continue;
        const unsigned taken = written(output) & open;
        if (taken) add_copy(l, (uint16_t)r, taken, word);
        open &= ~taken;
    }
    return open;
}

/* Copies all of them: those that nothing writes are of (0, 0, 0, 1). */
static void copy_semantic(struct linker *l, unsigned semantic, unsigned index, unsigned mask, uint32_t word)
{
    const unsigned open = copy_written(l, semantic, index, mask, word);
    if (open) add_copy(l, SCH_LINK_NO_REGISTER, open, word);
}

static uint16_t take_words(struct linker *l, uint32_t count)
{
    const uint32_t word = l->next;
    l->next += count;
    return (uint16_t)word;
}

/* The word of a scalar, if it is written. */
static uint16_t place_scalar(struct linker *l, unsigned semantic)
{
    if (!is_written(l, semantic, 0)) return SCH_VERTEX_NONE;
    const uint16_t word = take_words(l, 1);
    copy_semantic(l, semantic, 0, 1, word);
    return word;
}

/* How many components of CLIPDIST are written: up to the last. */
static unsigned written_distances(const struct linker *l)
{
    unsigned count = 0;
    for (uint32_t r = 0; r < l->from->output_count; r++) {
        const struct sch_prepared_register *output = &l->from->outputs[r];
        if (output->semantic != SCH_SEMANTIC_CLIPDIST || output->semantic_index > 1) continue;
        for (unsigned c = 0; c < 4; c++)
            if (written(output) >> c & 1 && 4u * output->semantic_index + c >= count)
                count = 4u * output->semantic_index + c + 1;
    }
    return count;
}

enum { ALL_DISTANCES = (1 << SCH_CLIP_DISTANCES) - 1 };

/* The components of CLIPDIST that are clip and cull distances, as bits: those that Direct3D's programs name, or as many
 * as the properties say, or without any all clip distances. */
static void find_distances(const struct linker *l, unsigned *clip, unsigned *cull)
{
    const struct sch_prepared_property *properties = l->from->properties;
    if (properties[SCH_PROPERTY_D3D_CLIP_DISTANCES].given || properties[SCH_PROPERTY_D3D_CULL_DISTANCES].given) {
        *clip = properties[SCH_PROPERTY_D3D_CLIP_DISTANCES].value & ALL_DISTANCES;
        *cull = properties[SCH_PROPERTY_D3D_CULL_DISTANCES].value & ALL_DISTANCES & ~*clip;
        return;
    }
    const struct sch_prepared_property *clips = &properties[SCH_PROPERTY_NUM_CLIPDIST_ENABLED];
    const struct sch_prepared_property *culls = &properties[SCH_PROPERTY_NUM_CULLDIST_ENABLED];
    const unsigned clip_count = clips->given || culls->given ? clips->value : written_distances(l);
    *clip = ((1u << clip_count) - 1) & ALL_DISTANCES;
    *cull = ((1u << culls->value) - 1) << clip_count & ALL_DISTANCES;
}

/* The components, packed from a word on; how many. */
static uint8_t place_components(struct linker *l, unsigned components, uint32_t word)
{
    uint8_t count = 0;
    for (unsigned n = 0; n < SCH_CLIP_DISTANCES; n++)
        if (components >> n & 1) copy_semantic(l, SCH_SEMANTIC_CLIPDIST, n / 4, 1u << n % 4, word + count++ - n % 4);
    return count;
}

static void place_distances(struct linker *l)
{
    struct sch_vertex_layout *layout = &l->link->layout;
    unsigned clip, cull;
    find_distances(l, &clip, &cull);
    layout->clip_distance = layout->cull_distance = SCH_VERTEX_NONE;
    if (!(clip | cull)) return;
    const uint16_t word =
        take_words(l, ((unsigned)__builtin_popcount(clip) + (unsigned)__builtin_popcount(cull) + 3) / 4 * 4);
    layout->clip_distances = place_components(l, clip, word);
    layout->cull_distances = place_components(l, cull, word + layout->clip_distances);
    if (clip) layout->clip_distance = word;
    if (cull) layout->cull_distance = (uint16_t)(word + layout->clip_distances);
}

static void place_fixed(struct linker *l)
{
    struct sch_vertex_layout *layout = &l->link->layout;
    layout->position = take_words(l, 4);
    copy_semantic(l, SCH_SEMANTIC_POSITION, 0, ALL_COMPONENTS, layout->position);
    place_distances(l);
    layout->clip_vertex = SCH_VERTEX_NONE;
    if (is_written(l, SCH_SEMANTIC_CLIPVERTEX, 0)) {
        layout->clip_vertex = take_words(l, 4);
        copy_semantic(l, SCH_SEMANTIC_CLIPVERTEX, 0, ALL_COMPONENTS, layout->clip_vertex);
    }
    layout->point_size = place_scalar(l, SCH_SEMANTIC_PSIZE);
    layout->layer = place_scalar(l, SCH_SEMANTIC_LAYER);
    layout->viewport = place_scalar(l, SCH_SEMANTIC_VIEWPORT_INDEX);
    layout->viewport_mask = place_scalar(l, SCH_SEMANTIC_VIEWPORT_MASK);
    layout->edge_flag = place_scalar(l, SCH_SEMANTIC_EDGEFLAG);
    layout->primitive_id = place_scalar(l, SCH_SEMANTIC_PRIMID);
    l->next = (l->next + 3) / 4 * 4;
    layout->attributes = (uint16_t)l->next;
}

/* ---- attributes ---- */

/* The words of an attribute, whether anything writes it or not. */
static uint16_t place_attribute(struct linker *l, unsigned semantic, unsigned index)
{
    for (uint32_t n = 0; n < l->slot_count; n++)
        if (l->slots[n].semantic == semantic && l->slots[n].index == index) return l->slots[n].word;
    const uint16_t word = take_words(l, 4);
    copy_semantic(l, semantic, index, ALL_COMPONENTS, word);
    l->slots[l->slot_count].semantic = (uint8_t)semantic;
    l->slots[l->slot_count].index = (uint16_t)index;
    l->slots[l->slot_count++].word = word;
    return word;
}

static void warn_of_missing(struct linker *l, const struct sch_prepared_register *reg, unsigned number)
{
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, reg->semantic);
    sch_diagnostics_add(l->diagnostics, sch_diagnostic_severity(SCH_D_LINK_INPUT_MISSING), SCH_D_LINK_INPUT_MISSING,
                        reg->position, "no stage before writes %s[%u]: IN[%u] reads (0, 0, 0, 1)",
                        word ? word->word : "?", (unsigned)reg->semantic_index, number);
}

/* ---- inputs of fragments ---- */

static void link_attribute(struct linker *l, struct sch_link_input *input, const struct sch_prepared_register *reg)
{
    const unsigned semantic = reg->semantic, index = reg->semantic_index;
    const bool back = semantic == SCH_SEMANTIC_COLOR && is_written(l, SCH_SEMANTIC_BCOLOR, index);
    if ((semantic == SCH_SEMANTIC_GENERIC || semantic == SCH_SEMANTIC_TEXCOORD) && index < SCH_LINK_NO_SPRITE) {
        input->sprite = (uint8_t)index;
        input->sprite_generic = semantic == SCH_SEMANTIC_GENERIC;
    }
    const bool written = is_written(l, semantic, index);
    if (!written) warn_of_missing(l, reg, input->number);
    if (!written && !back) return;
    input->source = SCH_LINK_ATTRIBUTE;
    input->word = input->back_word = place_attribute(l, semantic, index);
    if (back) input->back_word = place_attribute(l, SCH_SEMANTIC_BCOLOR, index);
}

/* The word of a semantic that the vertex has in a place of its own, or NONE. */
static uint16_t own_word(const struct sch_vertex_layout *layout, unsigned semantic)
{
    if (semantic == SCH_SEMANTIC_PRIMID) return layout->primitive_id;
    if (semantic == SCH_SEMANTIC_LAYER) return layout->layer;
    if (semantic == SCH_SEMANTIC_VIEWPORT_INDEX) return layout->viewport;
    return SCH_VERTEX_NONE;
}

/* What is not an attribute comes from the rasterizer. */
static bool link_fixed(struct linker *l, struct sch_link_input *input, unsigned semantic)
{
    static const struct {
        uint8_t semantic, source;
    } fixed[] = {{SCH_SEMANTIC_POSITION, SCH_LINK_POSITION},  {SCH_SEMANTIC_FACE, SCH_LINK_FACE},
                 {SCH_SEMANTIC_PCOORD, SCH_LINK_POINT_COORD}, {SCH_SEMANTIC_PRIMID, SCH_LINK_PRIMITIVE_ID},
                 {SCH_SEMANTIC_LAYER, SCH_LINK_LAYER},        {SCH_SEMANTIC_VIEWPORT_INDEX, SCH_LINK_VIEWPORT}};
    for (size_t n = 0; n < sizeof fixed / sizeof *fixed; n++) {
        if (fixed[n].semantic != semantic) continue;
        input->source = fixed[n].source;
        input->word = input->back_word = own_word(&l->link->layout, semantic);
        return true;
    }
    return false;
}

/* Without a mode a COLOR is as flat shading says, and everything else is perspective. */
static uint8_t mode_of(const struct sch_prepared_register *reg)
{
    if (reg->interpolation != SCH_INTERPOLATION_COUNT) return reg->interpolation;
    return reg->semantic == SCH_SEMANTIC_COLOR ? SCH_INTERPOLATION_COLOR : SCH_INTERPOLATION_PERSPECTIVE;
}

static void link_inputs(struct linker *l)
{
    struct sch_link *link = l->link;
    for (uint32_t r = 0; l->to && r < l->to->input_count; r++) {
        const struct sch_prepared_register *reg = &l->to->inputs[r];
        if (!reg->declared || !reg->used) continue;
        if (link->input_count == SCH_LINK_REGISTERS) {
            l->full = true;
            return;
        }
        struct sch_link_input *input = &link->inputs[link->input_count++];
        *input = (struct sch_link_input){.number = (uint16_t)r,
                                         .source = SCH_LINK_MISSING,
                                         .mask = reg->used,
                                         .interpolation = mode_of(reg),
                                         .location = reg->location,
                                         .sprite = SCH_LINK_NO_SPRITE,
                                         .word = SCH_VERTEX_NONE,
                                         .back_word = SCH_VERTEX_NONE};
        if (!link_fixed(l, input, reg->semantic)) link_attribute(l, input, reg);
    }
}

/* ---- system values ---- */

static uint32_t list_values(struct linker *l, const struct sch_prepared *program,
                            const struct sch_vertex_layout *layout, struct sch_link_value *values)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < program->system_value_count; r++) {
        const struct sch_prepared_semantic *value = &program->system_values[r];
        if (!value->declared || !value->read) continue;
        if (count == SCH_LINK_VALUES) {
            l->full = true;
            break;
        }
        values[count++] = (struct sch_link_value){
            .number = (uint16_t)r, .semantic = value->semantic, .word = own_word(layout, value->semantic)};
    }
    return count;
}

/* ---- outputs of fragments ---- */

/* The lowest register with a semantic that the program writes. */
static uint16_t output_of(const struct linker *l, unsigned semantic, unsigned index)
{
    for (uint32_t r = 0; l->to && r < l->to->output_count; r++) {
        const struct sch_prepared_register *output = &l->to->outputs[r];
        if (output->used && output->semantic == semantic && output->semantic_index == index) return (uint16_t)r;
    }
    return SCH_LINK_NO_REGISTER;
}

static void link_outputs(struct linker *l)
{
    struct sch_link_outputs *outputs = &l->link->outputs;
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++) outputs->color[n] = output_of(l, SCH_SEMANTIC_COLOR, n);
    const struct sch_prepared_facts none = {0}, *facts = l->to ? &l->to->facts : &none;
    outputs->depth = facts->writes_depth ? output_of(l, SCH_SEMANTIC_POSITION, 0) : SCH_LINK_NO_REGISTER;
    outputs->stencil = facts->writes_stencil ? output_of(l, SCH_SEMANTIC_STENCIL, 0) : SCH_LINK_NO_REGISTER;
    outputs->sample_mask = facts->writes_sample_mask ? output_of(l, SCH_SEMANTIC_SAMPLEMASK, 0) : SCH_LINK_NO_REGISTER;
    outputs->broadcast = l->to && l->to->properties[SCH_PROPERTY_FS_COLOR0_WRITES_ALL_CBUFS].value;
}

/* ---- between stages ---- */

static void begin_vertex(struct linker *l, const struct sch_prepared *from, const struct sch_prepared *to,
                         struct sch_link_copy *copies, uint32_t *copy_count)
{
    l->from = &from->interface;
    l->to = to ? &to->interface : NULL;
    l->copies = copies;
    l->copy_count = copy_count;
    l->next = l->slot_count = 0;
    l->by_number = to && from->d3d && to->d3d;
    l->from_patch = from->stage == SCH_STAGE_TESS_CTRL;
}

/* An input links with outputs of its semantic. Registers of Direct3D's programs link by their numbers (D3D 4.4.3.2),
 * whatever system value one of the two gives them: where nothing writes the semantic, it is that of the output with the
 * input's number. NULL: nothing writes the input. */
static const struct sch_prepared_register *find_output(const struct linker *l, const struct sch_prepared_register *reg,
                                                       uint32_t number)
{
    if (is_written(l, reg->semantic, reg->semantic_index)) return reg;
    if (!l->by_number || number >= l->from->output_count) return NULL;
    const struct sch_prepared_register *output = &l->from->outputs[number];
    return written(output) && !sch_semantic_is_of_patch(output->semantic) ? output : NULL;
}

/* PRIM_ID is the primitive's number also where a stage before writes it, as only fragments have it from there
 * (OpenGL 4.6 11.3.4.4). */
static struct sch_link_register link_register(struct linker *l, const struct sch_prepared_register *reg,
                                              uint32_t number)
{
    struct sch_link_register made = {
        .number = (uint16_t)number, .source = SCH_LINK_MISSING, .mask = reg->used, .word = SCH_VERTEX_NONE};
    const struct sch_prepared_register *output = find_output(l, reg, number);
    if (reg->semantic == SCH_SEMANTIC_PRIMID) {
        made.source = SCH_LINK_PRIMITIVE_ID;
    } else if (output) {
        made.source = SCH_LINK_ATTRIBUTE;
        made.word = place_attribute(l, output->semantic, output->semantic_index);
    } else {
        warn_of_missing(l, reg, number);
    }
    return made;
}

/* ---- patches ---- */

static bool is_level(const struct sch_prepared_register *reg)
{
    return (reg->semantic == SCH_SEMANTIC_TESSOUTER || reg->semantic == SCH_SEMANTIC_TESSINNER) && !reg->semantic_index;
}

static bool is_of_patch(const struct sch_prepared_register *reg)
{
    return sch_semantic_is_of_patch(reg->semantic) && reg->semantic != SCH_SEMANTIC_PRIMID;
}

/* Components of levels that nothing writes are 0, so that the patch is discarded. */
static void place_levels(struct linker *l)
{
    static const struct {
        uint8_t semantic, word;
    } levels[] = {{SCH_SEMANTIC_TESSOUTER, SCH_LINK_OUTER}, {SCH_SEMANTIC_TESSINNER, SCH_LINK_INNER}};
    l->next = SCH_LINK_LEVELS;
    for (size_t n = 0; l->from_patch && n < sizeof levels / sizeof *levels; n++)
        copy_written(l, levels[n].semantic, 0, ALL_COMPONENTS, levels[n].word);
}

/* Only a control shader writes patches, and only an evaluation shader reads what it wrote; every patch has levels. */
static struct sch_link_register link_patch(struct linker *l, const struct sch_prepared_register *reg, uint32_t number)
{
    struct sch_link_register made = {
        .number = (uint16_t)number, .source = SCH_LINK_PATCH, .mask = reg->used, .word = SCH_VERTEX_NONE};
    if (is_level(reg)) {
        made.word = reg->semantic == SCH_SEMANTIC_TESSOUTER ? SCH_LINK_OUTER : SCH_LINK_INNER;
    } else if (l->from_patch && is_written(l, reg->semantic, reg->semantic_index)) {
        made.word = place_attribute(l, reg->semantic, reg->semantic_index);
    } else {
        made.source = SCH_LINK_MISSING;
        warn_of_missing(l, reg, number);
    }
    return made;
}

/* ---- all together ---- */

/* The order between two programs can be seen, too, where one reads what the other writes, or their atomics differ. */
static uint8_t join_effects(const struct sch_prepared *const *programs, size_t count)
{
    const struct sch_prepared_facts *writer = NULL;
    bool reads = false;
    for (size_t n = 0; n < count; n++) {
        const struct sch_prepared_facts *facts = &programs[n]->interface.facts;
        if (facts->effects == SCH_EFFECTS_ORDERED) return SCH_EFFECTS_ORDERED;
        reads |= facts->reads_memory;
        if (facts->effects == SCH_EFFECTS_NONE) continue;
        if (writer && writer->only_atomic != facts->only_atomic) return SCH_EFFECTS_ORDERED;
        writer = facts;
    }
    if (!writer) return SCH_EFFECTS_NONE;
    return reads ? SCH_EFFECTS_ORDERED : SCH_EFFECTS_UNORDERED;
}

/* Whether a register's number is more than a link has place for. */
static bool has_too_many(const struct sch_prepared *program)
{
    return program->interface.input_count > SCH_LINK_NO_REGISTER ||
           program->interface.output_count > SCH_LINK_NO_REGISTER || program->system_value_count > SCH_LINK_NO_REGISTER;
}

static const struct sch_vertex_layout none = {.position = SCH_VERTEX_NONE,
                                              .clip_distance = SCH_VERTEX_NONE,
                                              .cull_distance = SCH_VERTEX_NONE,
                                              .clip_vertex = SCH_VERTEX_NONE,
                                              .viewport_mask = SCH_VERTEX_NONE,
                                              .point_size = SCH_VERTEX_NONE,
                                              .layer = SCH_VERTEX_NONE,
                                              .viewport = SCH_VERTEX_NONE,
                                              .edge_flag = SCH_VERTEX_NONE,
                                              .primitive_id = SCH_VERTEX_NONE};

/* The inputs of a stage that are of its vertices, or else of its patch. */
static void link_registers(struct linker *l, struct sch_link_hop *hop, bool of_patch)
{
    for (uint32_t r = 0; r < l->to->input_count; r++) {
        const struct sch_prepared_register *reg = &l->to->inputs[r];
        if (!reg->declared || !reg->used || is_of_patch(reg) != of_patch) continue;
        if (hop->input_count == SCH_LINK_REGISTERS) {
            l->full = true;
            return;
        }
        hop->inputs[hop->input_count++] = of_patch ? link_patch(l, reg, r) : link_register(l, reg, r);
    }
}

/* From one stage to another before the rasterizer: what that one can read. */
static void link_hop(struct linker *l, const struct sch_prepared *from, const struct sch_prepared *to)
{
    struct sch_link_hop *hop = &l->link->hops[l->link->hop_count++];
    *hop = (struct sch_link_hop){.from = from, .to = to, .layout = none};
    begin_vertex(l, from, to, hop->copies, &hop->copy_count);
    link_registers(l, hop, false);
    hop->layout.words = (uint16_t)l->next;
    begin_vertex(l, from, to, hop->patch_copies, &hop->patch_copy_count);
    place_levels(l);
    link_registers(l, hop, true);
    hop->patch_words = (uint16_t)l->next;
    hop->value_count = list_values(l, to, &none, hop->values);
}

static void link_hops(struct linker *l, const struct sch_prepared *const *programs, const char *const *names,
                      size_t count)
{
    for (size_t n = 1; n < count && programs[n]->stage != SCH_STAGE_FRAGMENT; n++) {
        if (names) sch_diagnostics_name(l->diagnostics, names[n]);
        link_hop(l, programs[n - 1], programs[n]);
    }
    if (names) sch_diagnostics_name(l->diagnostics, names[count - 1]);
}

static void link_rasterizer(struct linker *l)
{
    struct sch_link *link = l->link;
    begin_vertex(l, link->last, link->fragment, link->copies, &link->copy_count);
    place_fixed(l);
    link_inputs(l);
    link->layout.words = (uint16_t)l->next;
    link->layout.attribute_count = (uint16_t)((l->next - link->layout.attributes) / 4);
    if (link->fragment)
        link->fragment_value_count = list_values(l, link->fragment, &link->layout, link->fragment_values);
    link_outputs(l);
    const struct sch_prepared_property *properties = l->from->properties;
    /* "The effect of this property is undefined if a geometry or tessellation shader are in use": none. */
    link->window_space = link->last == link->vertex && properties[SCH_PROPERTY_VS_WINDOW_SPACE_POSITION].value;
    link->prohibit_ucps = properties[SCH_PROPERTY_VS_PROHIBIT_UCPS].value;
    link->layer_relative = properties[SCH_PROPERTY_LAYER_VIEWPORT_RELATIVE].value;
    link->d3d = (link->fragment ? link->fragment : link->last)->d3d;
}

enum sch_result sch_link_programs(const struct sch_prepared *const *programs, const char *const *names, size_t count,
                                  struct sch_diagnostics *diagnostics, struct sch_link *link)
{
    *link = (struct sch_link){0};
    struct linker l = {.link = link, .diagnostics = diagnostics};
    enum sch_result status = find_stages(&l, programs, count);
    if (status == SCH_OK) status = match_geometry(&l);
    if (status != SCH_OK) return status;
    for (size_t n = 0; n < count; n++) l.full |= has_too_many(programs[n]);
    l.full |= link->geometry && link->geometry->of_stage.emit_limit > SCH_LINK_EMITTED;
    link_hops(&l, programs, names, count);
    link_rasterizer(&l);
    link->vertex_value_count = list_values(&l, link->vertex, &none, link->vertex_values);
    link->effects = join_effects(programs, count);
    if (!l.full) return SCH_OK;
    sch_diagnostics_add(diagnostics, sch_diagnostic_severity(SCH_D_LINK_LIMIT), SCH_D_LINK_LIMIT,
                        (struct sch_position){0},
                        "the programs have more inputs than %d, system values than %d, or registers than %d, or emit "
                        "more than %d vertices",
                        SCH_LINK_REGISTERS, SCH_LINK_VALUES, SCH_LINK_NO_REGISTER, SCH_LINK_EMITTED);
    return SCH_ERROR_LIMIT;
}

/* ---- stream output ---- */

/* Copies of registers to the vertices of a stream. */
struct placing {
    const struct sch_prepared_interface *interface;
    struct sch_link_copy *copies;
    uint32_t first, most; /* of the copies */
    uint32_t *count;
    uint32_t words;
};

static bool place_part(struct placing *p, uint32_t output, unsigned mask, uint32_t word)
{
    if (!mask) return true;
    if (*p->count == p->most) return false;
    p->copies[(*p->count)++] =
        (struct sch_link_copy){.output = (uint16_t)output, .word = (uint16_t)word, .mask = (uint8_t)mask};
    return true;
}

/* The words of a register; one that is there twice has them once. Components that nothing writes are of
 * (0, 0, 0, 1). */
static bool place_output(struct placing *p, uint32_t output, uint16_t *word)
{
    const unsigned used = p->interface->outputs[output].used;
    for (uint32_t n = p->first; n < *p->count; n++) {
        *word = p->copies[n].word;
        if (p->copies[n].output == output) return true;
    }
    *word = (uint16_t)p->words;
    p->words += 4;
    return place_part(p, output, used, *word) && place_part(p, SCH_LINK_NO_REGISTER, ALL_COMPONENTS & ~used, *word);
}

bool sch_link_stream_output(struct sch_link *link, const struct sch_stream_output_options *options)
{
    const uint32_t first = link->copy_count; /* copies of stream 0 come after the rasterizer's */
    for (unsigned b = 0; b < SCH_STREAM_BUFFERS; b++) link->stride[b] = options->stride[b];
    for (uint32_t r = 0; r < options->register_count; r++) {
        const struct sch_stream_output_register *given = &options->registers[r];
        struct sch_link_stream *stream = &link->streams[given->stream];
        struct placing p = {&link->last->interface, stream->copies,      0,
                            SCH_LINK_STREAM_COPIES, &stream->copy_count, stream->words};
        if (!given->stream)
            p = (struct placing){p.interface,     link->copies,      first,
                                 SCH_LINK_COPIES, &link->copy_count, link->layout.words};
        uint16_t word;
        if (!place_output(&p, given->output, &word)) return false;
        if (given->stream)
            stream->words = p.words;
        else
            link->layout.words = (uint16_t)p.words;
        stream->parts[stream->part_count++] = (struct sch_link_part){.word = (uint16_t)(word + given->first_component),
                                                                     .count = given->component_count,
                                                                     .buffer = given->buffer,
                                                                     .offset = given->offset};
        stream->buffers |= 1u << given->buffer;
    }
    return true;
}

/* OpenGL 4.6 11.3.1. */
bool sch_link_takes(const struct sch_link *link, enum sch_primitive primitive)
{
    if (link->tess_eval) return primitive == SCH_PRIMITIVE_PATCHES;
    if (!link->geometry) return primitive != SCH_PRIMITIVE_PATCHES;
    switch ((enum sch_primitive)link->geometry->interface.properties[SCH_PROPERTY_GS_INPUT_PRIMITIVE].value) {
    case SCH_PRIMITIVE_POINTS:
        return primitive == SCH_PRIMITIVE_POINTS;
    case SCH_PRIMITIVE_LINES:
        return primitive == SCH_PRIMITIVE_LINES || primitive == SCH_PRIMITIVE_LINE_STRIP ||
               primitive == SCH_PRIMITIVE_LINE_LOOP;
    case SCH_PRIMITIVE_TRIANGLES:
        return primitive == SCH_PRIMITIVE_TRIANGLES || primitive == SCH_PRIMITIVE_TRIANGLE_STRIP ||
               primitive == SCH_PRIMITIVE_TRIANGLE_FAN;
    case SCH_PRIMITIVE_LINES_ADJACENCY:
        return primitive == SCH_PRIMITIVE_LINES_ADJACENCY || primitive == SCH_PRIMITIVE_LINE_STRIP_ADJACENCY;
    case SCH_PRIMITIVE_TRIANGLES_ADJACENCY:
        return primitive == SCH_PRIMITIVE_TRIANGLES_ADJACENCY || primitive == SCH_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY;
    default:
        return primitive == SCH_PRIMITIVE_PATCHES;
    }
}

const struct sch_link_hop *sch_link_hop_to(const struct sch_link *link, enum sch_stage stage)
{
    for (uint32_t n = 0; n < link->hop_count; n++)
        if (link->hops[n].to->stage == stage) return &link->hops[n];
    return NULL;
}

enum sch_interpolation sch_link_interpolation(const struct sch_link_input *input,
                                              const struct sch_rasterizer_options *rasterizer)
{
    if (input->interpolation != SCH_INTERPOLATION_COLOR) return (enum sch_interpolation)input->interpolation;
    return rasterizer->flatshade ? SCH_INTERPOLATION_CONSTANT : SCH_INTERPOLATION_PERSPECTIVE;
}

bool sch_link_is_sprite(const struct sch_link_input *input, const struct sch_rasterizer_options *rasterizer)
{
    return rasterizer->point_quad_rasterization && input->sprite != SCH_LINK_NO_SPRITE &&
           input->sprite_generic == rasterizer->sprite_coord_generic &&
           rasterizer->sprite_coord_enable >> input->sprite & 1;
}
