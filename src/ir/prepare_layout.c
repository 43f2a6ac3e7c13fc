/* Where registers live: how many of each file a program needs, which constants its operands name directly, which inputs
 * it can read. A file is as large as what can be reached: the highest register that an operand names, and, where an
 * index register is used, all that are declared. */
#include <string.h>

#include "ir/prepare.h"

struct use {
    uint32_t named;    /* registers up to the highest that an operand names */
    uint32_t declared; /* up to the highest that is declared */
    bool indexed;      /* by a register */
};

struct layout {
    struct sch_prepared *program;
    const struct sch_ir_shader *shader;
    struct use uses[SCH_FILE_COUNT];
    struct sch_arena scratch;
    uint8_t *input_masks; /* components of registers of IN that operands name */
    size_t input_capacity;
    bool failed; /* no memory */
};

/* Files whose registers are stored; the others name resources or have their own storage. */
static const uint8_t stored_files[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT, SCH_FILE_SYSTEM_VALUE,
                                       SCH_FILE_INPUT};

static void name_register(struct layout *l, unsigned file, int index, unsigned components)
{
    if (file >= SCH_FILE_COUNT || index < 0) return;
    struct use *use = &l->uses[file];
    if ((uint32_t)index + 1 > use->named) use->named = (uint32_t)index + 1;
    if (file != SCH_FILE_INPUT) return;
    while ((size_t)index >= l->input_capacity && !l->failed)
        l->failed = !SCH_ARENA_GROW(&l->scratch, l->input_masks, l->input_capacity, l->input_capacity);
    if (!l->failed) l->input_masks[index] |= (uint8_t)components;
}

enum { ALL_COMPONENTS = 15 };

static void name_bracket(struct layout *l, unsigned file, const struct sch_ir_bracket *bracket, unsigned components)
{
    if (!bracket->is_indirect) {
        name_register(l, file, bracket->index, components);
        return;
    }
    l->uses[file].indexed = true;
    name_register(l, bracket->indirect.file, bracket->indirect.index, ALL_COMPONENTS);
}

static void name_constant(struct layout *l, const struct sch_ir_src *src)
{
    if (src->index.is_indirect || src->index.index < 0) return;
    if (src->has_dimension && (src->dimension.is_indirect || src->dimension.index < 0)) return;
    uint32_t buffer = src->has_dimension ? (uint32_t)src->dimension.index : 0, index = (uint32_t)src->index.index;
    if (sch_pairs_add(&l->program->constants, buffer, index) == SCH_PAIRS_NONE) l->failed = true;
}

/* An index register may itself be a constant: CONST[0] without a second bracket. */
static void name_index_constant(struct layout *l, const struct sch_ir_bracket *bracket)
{
    if (!bracket->is_indirect || bracket->indirect.file != SCH_FILE_CONSTANT) return;
    struct sch_ir_src src = sch_ir_src(SCH_FILE_CONSTANT, bracket->indirect.index);
    name_constant(l, &src);
}

static void name_source(struct layout *l, const struct sch_ir_src *src)
{
    if (src->file >= SCH_FILE_COUNT) return;
    unsigned components = 0;
    for (unsigned c = 0; c < 4; c++) components |= 1u << (src->swizzle[c] & 3);
    name_bracket(l, src->file, &src->index, components);
    name_index_constant(l, &src->index);
    if (src->has_dimension) {
        const struct sch_ir_bracket *dimension = &src->dimension;
        if (dimension->is_indirect)
            name_register(l, dimension->indirect.file, dimension->indirect.index, ALL_COMPONENTS);
        name_index_constant(l, &src->dimension);
    }
    if (src->file == SCH_FILE_CONSTANT) name_constant(l, src);
}

static void name_all(struct layout *l)
{
    for (size_t n = 0; n < l->shader->instruction_count; n++) {
        const struct sch_ir_instruction *instruction = &l->shader->instructions[n];
        for (unsigned d = 0; d < instruction->dst_count; d++) {
            const struct sch_ir_dst *dst = &instruction->dst[d];
            if (dst->file >= SCH_FILE_COUNT) continue;
            const struct sch_ir_src as_source = {.file = dst->file,
                                                 .has_dimension = dst->has_dimension,
                                                 .index = dst->index,
                                                 .dimension = dst->dimension};
            name_source(l, &as_source); /* a STORE through a handle reads its destination */
        }
        for (unsigned s = 0; s < instruction->src_count; s++) name_source(l, &instruction->src[s]);
        for (unsigned o = 0; o < instruction->offset_count; o++) {
            struct sch_ir_src offset = sch_ir_src(instruction->offset[o].file, instruction->offset[o].index);
            name_source(l, &offset);
        }
    }
    for (size_t n = 0; n < l->shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &l->shader->declarations[n];
        if (declaration->file >= SCH_FILE_COUNT) continue;
        struct use *use = &l->uses[declaration->file];
        if ((uint32_t)declaration->last + 1 > use->declared) use->declared = (uint32_t)declaration->last + 1;
    }
}

static void place_files(struct layout *l)
{
    struct sch_prepared *program = l->program;
    uint32_t next = 0;
    for (size_t f = 0; f < sizeof stored_files; f++) {
        const struct use *use = &l->uses[stored_files[f]];
        const bool named = stored_files[f] == SCH_FILE_TEMPORARY || stored_files[f] == SCH_FILE_ADDRESS;
        const uint8_t width = l->shader->scalar && named ? 1 : 4;
        uint32_t count = use->named;
        if ((use->indexed || l->shader->scalar) && use->declared > count) count = use->declared;
        program->files[stored_files[f]] = (struct sch_prepared_file){
            .stored = true, .space = SCH_SPACE_STATE, .width = width, .base = next, .count = count};
        if (stored_files[f] != SCH_FILE_INPUT) next += width * count;
    }
    program->channels[SCH_SPACE_STATE] = next;
    program->channels[SCH_SPACE_RUN] = 4 * program->constants.count;
    program->channels[SCH_SPACE_PROGRAM] = 1 + 4 * (uint32_t)l->shader->immediate_count;
    program->files[SCH_FILE_IMMEDIATE] = (struct sch_prepared_file){.stored = true,
                                                                    .space = SCH_SPACE_PROGRAM,
                                                                    .width = 4,
                                                                    .base = 1,
                                                                    .count = (uint32_t)l->shader->immediate_count};
}

static bool list_inputs(struct layout *l)
{
    struct sch_prepared *program = l->program;
    uint32_t count = program->files[SCH_FILE_INPUT].count;
    uint32_t *inputs = SCH_ARENA_ARRAY(&program->arena, uint32_t, count);
    uint8_t *masks = SCH_ARENA_ARRAY(&program->arena, uint8_t, count);
    if (!inputs || !masks) return false;
    for (uint32_t r = 0; r < count; r++) {
        masks[r] = l->uses[SCH_FILE_INPUT].indexed ? ALL_COMPONENTS : l->input_masks[r];
        if (masks[r]) inputs[program->input_count++] = r;
    }
    program->inputs = inputs;
    program->input_masks = masks;
    return true;
}

static bool list_system_values(struct layout *l)
{
    struct sch_prepared *program = l->program;
    uint32_t named = program->files[SCH_FILE_SYSTEM_VALUE].count;
    uint32_t declared = l->uses[SCH_FILE_SYSTEM_VALUE].declared, count = declared > named ? declared : named;
    program->system_value_count = count;
    program->system_values = SCH_ARENA_ARRAY(&program->arena, struct sch_prepared_semantic, count);
    if (!program->system_values) return false;
    for (size_t n = 0; n < l->shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &l->shader->declarations[n];
        if (declaration->file != SCH_FILE_SYSTEM_VALUE || !declaration->has_semantic) continue;
        for (uint32_t r = declaration->first; r <= declaration->last && r < count; r++)
            program->system_values[r] = (struct sch_prepared_semantic){
                .semantic = declaration->semantic, .semantic_index = declaration->semantic_index, .declared = true};
    }
    return true;
}

/* A fragment's depth is z of POSITION, its stencil reference y of STENCIL; the other components take no writes. */
static bool list_outputs(struct layout *l)
{
    struct sch_prepared *program = l->program;
    uint32_t count = program->files[SCH_FILE_OUTPUT].count;
    program->output_masks = SCH_ARENA_ARRAY(&program->arena, uint8_t, count);
    if (!program->output_masks) return false;
    memset(program->output_masks, 15, count);
    if (program->stage != SCH_STAGE_FRAGMENT) return true;
    for (size_t n = 0; n < l->shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &l->shader->declarations[n];
        if (declaration->file != SCH_FILE_OUTPUT || !declaration->has_semantic) continue;
        unsigned mask = declaration->semantic == SCH_SEMANTIC_POSITION  ? 4
                        : declaration->semantic == SCH_SEMANTIC_STENCIL ? 2
                                                                        : 15;
        for (uint32_t r = declaration->first; r <= declaration->last && r < count; r++)
            program->output_masks[r] &= (uint8_t)mask;
    }
    return true;
}

static bool list_views(struct layout *l)
{
    struct sch_prepared *program = l->program;
    uint32_t count = l->uses[SCH_FILE_SAMPLER_VIEW].declared;
    program->view_targets = SCH_ARENA_ARRAY(&program->arena, uint8_t, count);
    if (!program->view_targets) return false;
    program->view_target_count = count;
    for (uint32_t v = 0; v < count; v++) program->view_targets[v] = SCH_TARGET_UNKNOWN;
    for (size_t n = 0; n < l->shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &l->shader->declarations[n];
        if (declaration->file != SCH_FILE_SAMPLER_VIEW) continue;
        for (uint32_t v = declaration->first; v <= declaration->last; v++)
            program->view_targets[v] = declaration->target;
    }
    return true;
}

/* The channel of zeros and the immediates. */
static bool list_words(struct layout *l)
{
    struct sch_prepared *program = l->program;
    program->program_words = SCH_ARENA_ARRAY(&program->arena, uint32_t, program->channels[SCH_SPACE_PROGRAM]);
    if (!program->program_words) return false;
    for (size_t n = 0; n < l->shader->immediate_count; n++)
        for (unsigned c = 0; c < 4; c++) program->program_words[1 + 4 * n + c] = l->shader->immediates[n].word[c];
    return true;
}

uint32_t sch_prepared_constant_slot(const struct sch_prepared *program, uint32_t buffer, uint32_t index)
{
    return sch_pairs_find(&program->constants, buffer, index);
}

enum sch_result sch_prepare_layout(struct sch_prepared *program, const struct sch_ir_shader *shader)
{
    struct layout l = {.program = program, .shader = shader};
    sch_arena_init(&l.scratch, &program->arena.allocator, 0);
    program->constants = (struct sch_pairs){.arena = &program->arena};
    name_all(&l);
    place_files(&l);
    bool ok =
        !l.failed && list_inputs(&l) && list_system_values(&l) && list_outputs(&l) && list_views(&l) && list_words(&l);
    sch_arena_release(&l.scratch);
    return ok ? SCH_OK : SCH_ERROR_MEMORY;
}
