/* What a shader declares: counts, signature, properties, hash. Reads the shader only. */
#include <string.h>

#include "api/maxwell.h"

#include "tgsi/tgsi.h"

/* Over the tokens; over the text with exact floats where tokens cannot say the shader. */
static enum sch_result hash_shader(const struct sch_shader *shader, uint64_t *hash)
{
    const struct sch_allocator *allocator = &shader->context->allocator;
    uint32_t *words;
    size_t count;
    enum sch_result status = sch_tgsi_encode(shader->ir, allocator, NULL, &words, &count);
    *hash = SCH_API_HASH_OF_NOTHING;
    for (size_t i = 0; i < count; i++) *hash = sch_api_hash(*hash, words[i], sizeof *words);
    sch_api_free(shader->context, words);
    if (status != SCH_ERROR_INVALID) return status;
    char *text;
    status = sch_tgsi_print(shader->ir, SCH_FLOAT_TEXT_HEX, allocator, &text, &count);
    for (size_t i = 0; i < count; i++) *hash = sch_api_hash(*hash, (unsigned char)text[i], 1);
    sch_api_free(shader->context, text);
    return status;
}

static void grow(uint32_t *count, uint32_t last)
{
    if (last + 1 > *count) *count = last + 1;
}

static void count_declaration(const struct sch_ir_declaration *declaration, struct sch_shader_info *info)
{
    switch (declaration->file) {
    case SCH_FILE_INPUT:
        grow(&info->inputs, declaration->last);
        break;
    case SCH_FILE_OUTPUT:
        grow(&info->outputs, declaration->last);
        break;
    case SCH_FILE_SYSTEM_VALUE:
        grow(&info->system_values, declaration->last);
        break;
    case SCH_FILE_TEMPORARY:
        grow(&info->temporaries, declaration->last);
        break;
    case SCH_FILE_SAMPLER:
        grow(&info->samplers, declaration->last);
        break;
    case SCH_FILE_SAMPLER_VIEW:
        grow(&info->sampler_views, declaration->last);
        break;
    case SCH_FILE_IMAGE:
        grow(&info->images, declaration->last);
        break;
    case SCH_FILE_BUFFER:
        grow(&info->buffers, declaration->last);
        break;
    case SCH_FILE_CONSTBUF:
        grow(&info->constant_buffers, declaration->last);
        break;
    case SCH_FILE_CONSTANT:
        grow(&info->constant_buffers, declaration->dimension); /* 0 of CONST[first..last] */
        break;
    default:
        break;
    }
}

static enum sch_result tgsi_info(const struct sch_shader *shader, struct sch_shader_info *made)
{
    const struct sch_ir_shader *ir = shader->ir;
    made->stage = (enum sch_stage)ir->stage;
    made->instructions = (uint32_t)ir->instruction_count;
    made->declarations = (uint32_t)ir->declaration_count;
    made->immediates = (uint32_t)ir->immediate_count;
    made->properties = (uint32_t)ir->property_count;
    for (size_t i = 0; i < ir->declaration_count; i++) count_declaration(&ir->declarations[i], made);
    made->block[0] = sch_ir_property_value(ir, SCH_PROPERTY_CS_FIXED_BLOCK_WIDTH, 0);
    made->block[1] = sch_ir_property_value(ir, SCH_PROPERTY_CS_FIXED_BLOCK_HEIGHT, 0);
    made->block[2] = sch_ir_property_value(ir, SCH_PROPERTY_CS_FIXED_BLOCK_DEPTH, 0);
    made->floats = (enum sch_float_text)ir->float_style;
    return hash_shader(shader, &made->hash);
}

/* Registers up to the highest that an instruction names. */
static enum sch_result maxwell_info(const struct sch_shader *shader, struct sch_shader_info *made)
{
    struct sch_register_use uses[SCH_API_MAXWELL_USES];
    size_t count;
    made->stage = SCH_STAGE_COMPUTE;
    made->instructions = (uint32_t)shader->maxwell->instructions;
    sch_api_maxwell_uses(shader, uses, &count);
    for (size_t i = 0; i < count; i++)
        if (uses[i].file == SCH_FILE_TEMPORARY) grow(&made->temporaries, uses[i].last);
    return sch_api_maxwell_hash(shader, &made->hash);
}

enum sch_result sch_shader_get_info(const struct sch_shader *shader, struct sch_shader_info *info)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(shader), NULL, __func__, NULL);
    if (!sch_api_given(&call, shader, "shader") || !SCH_API_FILLS(&call, info, sizeof *info))
        return sch_api_refused(&call);
    struct sch_shader_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    enum sch_result status = shader->maxwell ? maxwell_info(shader, &made)
                             : shader->d3d   ? sch_api_d3d_info(shader, &made)
                                             : tgsi_info(shader, &made);
    if (status != SCH_OK) memset(&made, 0, sizeof made);
    sch_sized_write(info, &made, sizeof made);
    return sch_api_end(&call, status);
}

static void describe_register(const struct sch_ir_shader *ir, const struct sch_ir_declaration *declaration,
                              uint32_t offset, struct sch_register_info *info)
{
    info->index = declaration->first + offset;
    info->semantic = SCH_SEMANTIC_NONE;
    info->semantic_name = "";
    info->per_vertex = sch_ir_is_per_vertex(ir, declaration);
    if (!declaration->has_semantic) return;
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_SEMANTIC, declaration->semantic);
    info->semantic = (enum sch_semantic)declaration->semantic;
    info->semantic_index = declaration->semantic_index + offset;
    if (word) info->semantic_name = word->word;
}

static bool tgsi_register(const struct sch_ir_shader *ir, enum sch_file file, uint32_t position,
                          struct sch_register_info *info)
{
    for (size_t i = 0; i < ir->declaration_count; i++) {
        const struct sch_ir_declaration *declaration = &ir->declarations[i];
        if (declaration->file != file) continue;
        uint32_t registers = (uint32_t)declaration->last - declaration->first + 1;
        if (position < registers) {
            describe_register(ir, declaration, position, info);
            return true;
        }
        position -= registers;
    }
    return false;
}

bool sch_shader_register(const struct sch_shader *shader, enum sch_file file, uint32_t position,
                         struct sch_register_info *info)
{
    if (!shader || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (file != SCH_FILE_INPUT && file != SCH_FILE_OUTPUT && file != SCH_FILE_SYSTEM_VALUE) return false;
    struct sch_register_info made;
    memset(&made, 0, sizeof made); /* padding, too */
    bool found = shader->d3d ? sch_api_d3d_register(shader, file, position, &made)
                             : shader->ir && tgsi_register(shader->ir, file, position, &made);
    if (found) sch_sized_write(info, &made, sizeof made);
    return found;
}

uint32_t sch_shader_property(const struct sch_shader *shader, const char *name, uint32_t fallback)
{
    if (!shader || !name || !shader->ir) return fallback;
    const struct sch_word *word = sch_word_find(SCH_WORDS_PROPERTY, name, strlen(name));
    return word ? sch_ir_property_value(shader->ir, (enum sch_property)word->number, fallback) : fallback;
}
