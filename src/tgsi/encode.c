/* The encoder: items to words in Mesa 22.3's layout. Where Mesa's builder cuts a value to its bit field, this one
 * reports that the tokens cannot say it. */
#include "base/bytes.h"
#include "isa/errors.h"
#include "tgsi/rules.h"
#include "tgsi/tgsi.h"
#include "tgsi/words.h"

struct encoder {
    struct sch_bytes out;
    const struct sch_ir_shader *shader;
    struct sch_diagnostics *diagnostics;
    struct sch_position position; /* of the item */
    size_t errors;
};

/* The field's bits; reports a value that does not fit. */
static uint32_t put(struct encoder *encoder, enum sch_tgsi_field field, uint32_t value, const char *what)
{
    if (value > sch_tgsi_field_max(field)) {
        encoder->errors++;
        sch_diagnostics_add(encoder->diagnostics, SCH_SEVERITY_ERROR, SCH_D_TOKENS_CANNOT_SAY, encoder->position,
                            "%s %u does not fit: binary tokens hold at most %u", what, value,
                            sch_tgsi_field_max(field));
    }
    return sch_tgsi_put(field, value);
}

/* A signed index: fields have 16 bits. */
static uint32_t put_index(struct encoder *encoder, enum sch_tgsi_field field, int32_t index)
{
    if (index < INT16_MIN || index > INT16_MAX) {
        encoder->errors++;
        sch_diagnostics_add(encoder->diagnostics, SCH_SEVERITY_ERROR, SCH_D_TOKENS_CANNOT_SAY, encoder->position,
                            "register index %d does not fit: binary tokens hold %d to %d", index, INT16_MIN, INT16_MAX);
    }
    return sch_tgsi_put(field, (uint16_t)index);
}

static uint32_t put_file(struct encoder *encoder, enum sch_tgsi_field field, unsigned file)
{
    if (file >= SCH_FILE_RESOURCE) {
        encoder->errors++;
        sch_diagnostics_add(encoder->diagnostics, SCH_SEVERITY_ERROR, SCH_D_TOKENS_CANNOT_SAY, encoder->position,
                            "binary tokens have no RES file");
    }
    return sch_tgsi_put(field, file);
}

static void word(struct encoder *encoder, uint32_t word) { sch_bytes_append(&encoder->out, &word, sizeof word); }

static void indirect(struct encoder *encoder, const struct sch_ir_bracket *bracket)
{
    word(encoder, put_file(encoder, SCH_F_IND_FILE, bracket->indirect.file) |
                      put_index(encoder, SCH_F_IND_INDEX, bracket->indirect.index) |
                      sch_tgsi_put(SCH_F_IND_COMPONENT, bracket->indirect.component) |
                      put(encoder, SCH_F_IND_ARRAY_ID, bracket->indirect.array_id, "ArrayID"));
}

/* What follows an operand's own word: its index register, its dimension, the dimension's index register. */
static void brackets(struct encoder *encoder, const struct sch_ir_bracket *index, bool has_dimension,
                     const struct sch_ir_bracket *dimension)
{
    if (index->is_indirect) indirect(encoder, index);
    if (!has_dimension) return;
    word(encoder, sch_tgsi_put(SCH_F_DIM_INDIRECT, dimension->is_indirect) |
                      put_index(encoder, SCH_F_DIM_INDEX, dimension->index));
    if (dimension->is_indirect) indirect(encoder, dimension);
}

static void dst(struct encoder *encoder, const struct sch_ir_dst *dst)
{
    word(encoder, put_file(encoder, SCH_F_DST_FILE, dst->file) | sch_tgsi_put(SCH_F_DST_MASK, dst->write_mask) |
                      sch_tgsi_put(SCH_F_DST_INDIRECT, dst->index.is_indirect) |
                      sch_tgsi_put(SCH_F_DST_DIMENSION, dst->has_dimension) |
                      put_index(encoder, SCH_F_DST_INDEX, dst->index.index));
    brackets(encoder, &dst->index, dst->has_dimension, &dst->dimension);
}

static void src(struct encoder *encoder, const struct sch_ir_src *src)
{
    word(encoder, put_file(encoder, SCH_F_SRC_FILE, src->file) |
                      sch_tgsi_put(SCH_F_SRC_INDIRECT, src->index.is_indirect) |
                      sch_tgsi_put(SCH_F_SRC_DIMENSION, src->has_dimension) |
                      put_index(encoder, SCH_F_SRC_INDEX, src->index.index) |
                      sch_tgsi_put(SCH_F_SRC_X, src->swizzle[0]) | sch_tgsi_put(SCH_F_SRC_Y, src->swizzle[1]) |
                      sch_tgsi_put(SCH_F_SRC_Z, src->swizzle[2]) | sch_tgsi_put(SCH_F_SRC_W, src->swizzle[3]) |
                      sch_tgsi_put(SCH_F_SRC_ABSOLUTE, src->absolute) | sch_tgsi_put(SCH_F_SRC_NEGATE, src->negate));
    brackets(encoder, &src->index, src->has_dimension, &src->dimension);
}

static void texture(struct encoder *encoder, const struct sch_ir_instruction *instruction)
{
    word(encoder, sch_tgsi_put(SCH_F_TEX_TARGET, instruction->target) |
                      sch_tgsi_put(SCH_F_TEX_OFFSETS, instruction->offset_count) |
                      sch_tgsi_put(SCH_F_TEX_RETURN_TYPE, instruction->return_type));
    for (unsigned i = 0; i < instruction->offset_count; i++) {
        const struct sch_ir_texel_offset *offset = &instruction->offset[i];
        word(encoder,
             put_index(encoder, SCH_F_OFFSET_INDEX, offset->index) |
                 put_file(encoder, SCH_F_OFFSET_FILE, offset->file) | sch_tgsi_put(SCH_F_OFFSET_X, offset->swizzle[0]) |
                 sch_tgsi_put(SCH_F_OFFSET_Y, offset->swizzle[1]) | sch_tgsi_put(SCH_F_OFFSET_Z, offset->swizzle[2]));
    }
}

/* Writes the item's first word once its length is known. `own` is the part of it that the count leaves out. */
static void finish(struct encoder *encoder, size_t begin, enum sch_tgsi_field field, uint32_t first, size_t own)
{
    if (encoder->out.status != SCH_OK) return;
    size_t count = (encoder->out.size - begin) / sizeof(uint32_t) - own;
    first |= put(encoder, field, (uint32_t)count, "the item's count of words");
    uint32_t *at = (uint32_t *)(void *)(encoder->out.data + begin);
    *at = first;
}

static void instruction(struct encoder *encoder, const struct sch_ir_instruction *read)
{
    struct sch_ir_instruction room;
    const struct sch_ir_instruction *instruction = sch_tgsi_as_written(read, &room);
    size_t begin = encoder->out.size;
    uint32_t first =
        sch_tgsi_put(SCH_F_INS_TYPE, SCH_TOKEN_INSTRUCTION) |
        put(encoder, SCH_F_INS_OPCODE, instruction->opcode, "opcode") |
        sch_tgsi_put(SCH_F_INS_SATURATE, instruction->saturate) | sch_tgsi_put(SCH_F_INS_DSTS, instruction->dst_count) |
        sch_tgsi_put(SCH_F_INS_SRCS, instruction->src_count) | sch_tgsi_put(SCH_F_INS_LABEL, instruction->has_label) |
        sch_tgsi_put(SCH_F_INS_TEXTURE, instruction->has_texture) |
        sch_tgsi_put(SCH_F_INS_MEMORY, instruction->has_memory) | sch_tgsi_put(SCH_F_INS_PRECISE, instruction->precise);
    word(encoder, first);
    if (instruction->has_label) word(encoder, put(encoder, SCH_F_LABEL, instruction->label, "label"));
    if (instruction->has_texture) texture(encoder, instruction);
    if (instruction->has_memory)
        word(encoder, put(encoder, SCH_F_MEM_QUALIFIER, instruction->qualifiers, "qualifiers") |
                          sch_tgsi_put(SCH_F_MEM_TARGET, instruction->memory_target) |
                          put(encoder, SCH_F_MEM_FORMAT, instruction->memory_format, "format"));
    for (unsigned i = 0; i < instruction->dst_count; i++) dst(encoder, &instruction->dst[i]);
    for (unsigned i = 0; i < instruction->src_count; i++) src(encoder, &instruction->src[i]);
    finish(encoder, begin, SCH_F_INS_WORDS, first, 1);
}

static void file_words(struct encoder *encoder, const struct sch_ir_declaration *declaration)
{
    if (declaration->file == SCH_FILE_IMAGE)
        word(encoder, sch_tgsi_put(SCH_F_IMAGE_TARGET, declaration->target) |
                          sch_tgsi_put(SCH_F_IMAGE_RAW, declaration->raw) |
                          sch_tgsi_put(SCH_F_IMAGE_WRITABLE, declaration->writable) |
                          put(encoder, SCH_F_IMAGE_FORMAT, declaration->format, "format"));
    if (declaration->file == SCH_FILE_SAMPLER_VIEW)
        word(encoder, sch_tgsi_put(SCH_F_VIEW_TARGET, declaration->target) |
                          sch_tgsi_put(SCH_F_VIEW_X, declaration->return_type[0]) |
                          sch_tgsi_put(SCH_F_VIEW_Y, declaration->return_type[1]) |
                          sch_tgsi_put(SCH_F_VIEW_Z, declaration->return_type[2]) |
                          sch_tgsi_put(SCH_F_VIEW_W, declaration->return_type[3]));
}

/* Words of our own have no number in tokens. */
static void refuse_own(struct encoder *encoder, const char *what, enum sch_vocabulary vocabulary, unsigned number)
{
    const struct sch_word *word = sch_word_by_number(vocabulary, number);
    encoder->errors++;
    sch_diagnostics_add(encoder->diagnostics, SCH_SEVERITY_ERROR, SCH_D_TOKENS_CANNOT_SAY, encoder->position,
                        "binary tokens have no %s %s", what, word ? word->word : "?");
}

/* Streams are in the word of the semantic. */
static void declaration(struct encoder *encoder, const struct sch_ir_declaration *declaration)
{
    size_t begin = encoder->out.size;
    const struct sch_ir_declaration labelled = sch_tgsi_labelled(declaration);
    if (sch_tgsi_has_streams(declaration)) declaration = &labelled;
    if (declaration->has_semantic && declaration->semantic >= SCH_SEMANTIC_TOKEN_LIMIT)
        refuse_own(encoder, "semantic", SCH_WORDS_SEMANTIC, declaration->semantic);
    uint32_t first =
        sch_tgsi_put(SCH_F_DCL_TYPE, SCH_TOKEN_DECLARATION) | put_file(encoder, SCH_F_DCL_FILE, declaration->file) |
        sch_tgsi_put(SCH_F_DCL_MASK, declaration->usage_mask) |
        sch_tgsi_put(SCH_F_DCL_DIMENSION, declaration->has_dimension) |
        sch_tgsi_put(SCH_F_DCL_SEMANTIC, declaration->has_semantic) |
        sch_tgsi_put(SCH_F_DCL_INTERPOLATE, declaration->has_interpolation) |
        sch_tgsi_put(SCH_F_DCL_INVARIANT, declaration->invariant) | sch_tgsi_put(SCH_F_DCL_LOCAL, declaration->local) |
        sch_tgsi_put(SCH_F_DCL_ARRAY, declaration->array_id != 0) |
        sch_tgsi_put(SCH_F_DCL_ATOMIC, declaration->atomic) |
        sch_tgsi_put(SCH_F_DCL_MEMORY_KIND, declaration->memory_kind);
    word(encoder, first);
    word(encoder, put(encoder, SCH_F_RANGE_FIRST, declaration->first, "register") |
                      put(encoder, SCH_F_RANGE_LAST, declaration->last, "register"));
    if (declaration->has_dimension) word(encoder, sch_tgsi_put(SCH_F_DIM_2D, declaration->dimension));
    if (declaration->has_interpolation)
        word(encoder, sch_tgsi_put(SCH_F_INTERP_MODE, declaration->interpolation) |
                          sch_tgsi_put(SCH_F_INTERP_LOCATION, declaration->location));
    if (declaration->has_semantic)
        word(encoder, sch_tgsi_put(SCH_F_SEM_NAME, declaration->semantic) |
                          sch_tgsi_put(SCH_F_SEM_INDEX, declaration->semantic_index) |
                          sch_tgsi_put(SCH_F_SEM_STREAM_X, declaration->stream[0]) |
                          sch_tgsi_put(SCH_F_SEM_STREAM_Y, declaration->stream[1]) |
                          sch_tgsi_put(SCH_F_SEM_STREAM_Z, declaration->stream[2]) |
                          sch_tgsi_put(SCH_F_SEM_STREAM_W, declaration->stream[3]));
    file_words(encoder, declaration);
    if (declaration->array_id) word(encoder, put(encoder, SCH_F_ARRAY_ID, declaration->array_id, "ArrayID"));
    finish(encoder, begin, SCH_F_DCL_WORDS, first, 0);
}

static void immediate(struct encoder *encoder, const struct sch_ir_immediate *immediate)
{
    word(encoder, sch_tgsi_put(SCH_F_IMM_TYPE, SCH_TOKEN_IMMEDIATE) | sch_tgsi_put(SCH_F_IMM_WORDS, 5) |
                      sch_tgsi_put(SCH_F_IMM_DATA_TYPE, immediate->type));
    for (unsigned i = 0; i < 4; i++) word(encoder, immediate->word[i]);
}

static void property(struct encoder *encoder, const struct sch_ir_property *property)
{
    if (property->name >= SCH_PROPERTY_TOKEN_LIMIT) refuse_own(encoder, "property", SCH_WORDS_PROPERTY, property->name);
    word(encoder, sch_tgsi_put(SCH_F_PROP_TYPE, SCH_TOKEN_PROPERTY) |
                      sch_tgsi_put(SCH_F_PROP_WORDS, property->count + 1u) |
                      sch_tgsi_put(SCH_F_PROP_NAME, property->name));
    for (unsigned i = 0; i < property->count; i++) word(encoder, property->value[i]);
}

static void item(struct encoder *encoder, struct sch_ir_item item)
{
    const struct sch_ir_shader *shader = encoder->shader;
    switch (item.kind) {
    case SCH_IR_DECLARATION:
        encoder->position = shader->declarations[item.index].position;
        declaration(encoder, &shader->declarations[item.index]);
        break;
    case SCH_IR_IMMEDIATE:
        encoder->position = shader->immediates[item.index].position;
        immediate(encoder, &shader->immediates[item.index]);
        break;
    case SCH_IR_PROPERTY:
        encoder->position = shader->properties[item.index].position;
        property(encoder, &shader->properties[item.index]);
        break;
    case SCH_IR_INSTRUCTION:
        encoder->position = shader->instructions[item.index].position;
        instruction(encoder, &shader->instructions[item.index]);
        break;
    }
}

enum sch_result sch_tgsi_encode(const struct sch_ir_shader *shader, const struct sch_allocator *allocator,
                                struct sch_diagnostics *diagnostics, uint32_t **words, size_t *count)
{
    *words = NULL;
    *count = 0;
    struct encoder encoder = {.out = {.allocator = allocator}, .shader = shader, .diagnostics = diagnostics};
    word(&encoder, 0);
    word(&encoder, sch_tgsi_put(SCH_F_STAGE, shader->stage));
    for (size_t i = 0; i < shader->item_count && encoder.out.status == SCH_OK; i++) item(&encoder, shader->items[i]);

    if (encoder.out.status == SCH_OK) {
        size_t body = encoder.out.size / sizeof(uint32_t) - SCH_TGSI_HEADER_WORDS;
        uint32_t small = body > UINT32_MAX ? UINT32_MAX : (uint32_t)body;
        uint32_t *header = (uint32_t *)(void *)encoder.out.data;
        *header = sch_tgsi_put(SCH_F_HEADER_SIZE, SCH_TGSI_HEADER_WORDS) |
                  put(&encoder, SCH_F_BODY_SIZE, small, "the program's count of words");
    }
    const enum sch_result status = encoder.out.status;
    if (status != SCH_OK || encoder.errors) {
        sch_bytes_release(&encoder.out);
        return status != SCH_OK ? status : SCH_ERROR_INVALID;
    }
    *words = (uint32_t *)(void *)encoder.out.data;
    *count = encoder.out.size / sizeof(uint32_t);
    return SCH_OK;
}
