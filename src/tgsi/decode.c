/* The decoder: words to items. Nothing is believed: sizes, types, numbers, flags that the item cannot have, and padding
 * are checked, so that encoding gives exactly the same words again and the printed text can be read back. */
#include "isa/errors.h"
#include "tgsi/rules.h"
#include "tgsi/tgsi.h"
#include "tgsi/words.h"

struct decoder {
    const uint32_t *words;
    size_t count, at, end; /* `end`: of the item */
    uint64_t offset;
    size_t item; /* where the item began */
    struct sch_diagnostics *diagnostics;
    struct sch_ir_shader *shader;
    enum sch_result status;
};

static struct sch_position position(const struct decoder *decoder, size_t word)
{
    return (struct sch_position){.offset = decoder->offset + (uint64_t)word * sizeof(uint32_t)};
}

/* Reports at the word just read. */
#define FAIL(decoder, code, ...)                                                                                       \
    (sch_diagnostics_add((decoder)->diagnostics, SCH_SEVERITY_ERROR, (code),                                           \
                         position((decoder), (decoder)->at ? (decoder)->at - 1 : 0), __VA_ARGS__),                     \
     (decoder)->status = SCH_ERROR_INVALID, false)

/* The next word of the item; its padding, which `first` field's word leaves, must be zero. */
static bool next(struct decoder *decoder, enum sch_tgsi_field first, uint32_t *word)
{
    if (decoder->at >= decoder->end)
        return FAIL(decoder, SCH_D_TOKENS_SIZE, "the item that begins at word %zu ends before its %s word",
                    decoder->item, sch_tgsi_fields[first].word);
    *word = decoder->words[decoder->at++];
    if (*word & sch_tgsi_padding(first))
        return FAIL(decoder, SCH_D_TOKENS_RESERVED, "padding bits of the %s word are set: 0x%08x",
                    sch_tgsi_fields[first].word, *word & sch_tgsi_padding(first));
    return true;
}

/* A field that is a number of some vocabulary. */
static bool named(struct decoder *decoder, uint32_t word, enum sch_tgsi_field field, enum sch_vocabulary vocabulary,
                  uint32_t *number)
{
    *number = sch_tgsi_get(word, field);
    if (sch_word_by_number(vocabulary, *number)) return true;
    return FAIL(decoder, SCH_D_TOKENS_NUMBER, "%s: %u is in no table", sch_tgsi_fields[field].name, *number);
}

static bool file(struct decoder *decoder, uint32_t word, enum sch_tgsi_field field, uint8_t *result)
{
    uint32_t number = sch_tgsi_get(word, field);
    if (number >= SCH_FILE_RESOURCE)
        return FAIL(decoder, SCH_D_TOKENS_NUMBER, "%s: %u is not a register file", sch_tgsi_fields[field].name, number);
    *result = (uint8_t)number;
    return true;
}

static int32_t index_of(uint32_t word, enum sch_tgsi_field field)
{
    return (int16_t)(uint16_t)sch_tgsi_get(word, field);
}

static bool indirect(struct decoder *decoder, struct sch_ir_indirect *result)
{
    uint32_t word;
    if (!next(decoder, SCH_F_IND_FILE, &word) || !file(decoder, word, SCH_F_IND_FILE, &result->file)) return false;
    result->index = index_of(word, SCH_F_IND_INDEX);
    result->component = (uint8_t)sch_tgsi_get(word, SCH_F_IND_COMPONENT);
    result->array_id = (uint16_t)sch_tgsi_get(word, SCH_F_IND_ARRAY_ID);
    if (result->file == SCH_FILE_NULL || result->index < 0)
        return FAIL(decoder, SCH_D_TOKENS_INDEX, "no index register: file %u, index %d", result->file, result->index);
    return true;
}

static bool bracket(struct decoder *decoder, int32_t index, bool is_indirect, struct sch_ir_bracket *result)
{
    result->index = index;
    result->is_indirect = is_indirect;
    if (is_indirect) return indirect(decoder, &result->indirect);
    if (index < 0) return FAIL(decoder, SCH_D_TOKENS_INDEX, "the register index %d is negative", index);
    return true;
}

/* What follows an operand's own word. */
static bool brackets(struct decoder *decoder, int32_t index, bool is_indirect, bool has_dimension,
                     struct sch_ir_bracket *first, struct sch_ir_bracket *dimension)
{
    uint32_t word;
    if (!bracket(decoder, index, is_indirect, first)) return false;
    if (!has_dimension) return true;
    if (!next(decoder, SCH_F_DIM_INDIRECT, &word)) return false;
    return bracket(decoder, index_of(word, SCH_F_DIM_INDEX), sch_tgsi_get(word, SCH_F_DIM_INDIRECT), dimension);
}

static bool dst(struct decoder *decoder, struct sch_ir_dst *dst)
{
    uint32_t word;
    if (!next(decoder, SCH_F_DST_FILE, &word) || !file(decoder, word, SCH_F_DST_FILE, &dst->file)) return false;
    dst->write_mask = (uint8_t)sch_tgsi_get(word, SCH_F_DST_MASK);
    dst->has_dimension = sch_tgsi_get(word, SCH_F_DST_DIMENSION);
    if (!dst->write_mask) return FAIL(decoder, SCH_D_TOKENS_INDEX, "the write mask is empty");
    return brackets(decoder, index_of(word, SCH_F_DST_INDEX), sch_tgsi_get(word, SCH_F_DST_INDIRECT),
                    dst->has_dimension, &dst->index, &dst->dimension);
}

static bool src(struct decoder *decoder, struct sch_ir_src *src)
{
    uint32_t word;
    if (!next(decoder, SCH_F_SRC_FILE, &word) || !file(decoder, word, SCH_F_SRC_FILE, &src->file)) return false;
    src->has_dimension = sch_tgsi_get(word, SCH_F_SRC_DIMENSION);
    src->absolute = sch_tgsi_get(word, SCH_F_SRC_ABSOLUTE);
    src->negate = sch_tgsi_get(word, SCH_F_SRC_NEGATE);
    src->swizzle[0] = (uint8_t)sch_tgsi_get(word, SCH_F_SRC_X);
    src->swizzle[1] = (uint8_t)sch_tgsi_get(word, SCH_F_SRC_Y);
    src->swizzle[2] = (uint8_t)sch_tgsi_get(word, SCH_F_SRC_Z);
    src->swizzle[3] = (uint8_t)sch_tgsi_get(word, SCH_F_SRC_W);
    return brackets(decoder, index_of(word, SCH_F_SRC_INDEX), sch_tgsi_get(word, SCH_F_SRC_INDIRECT),
                    src->has_dimension, &src->index, &src->dimension);
}

static bool texture(struct decoder *decoder, struct sch_ir_instruction *instruction)
{
    uint32_t word, number;
    if (!next(decoder, SCH_F_TEX_TARGET, &word)) return false;
    if (!named(decoder, word, SCH_F_TEX_TARGET, SCH_WORDS_TARGET, &number)) return false;
    instruction->target = (uint8_t)number;
    instruction->return_type = (uint8_t)sch_tgsi_get(word, SCH_F_TEX_RETURN_TYPE);
    instruction->offset_count = (uint8_t)sch_tgsi_get(word, SCH_F_TEX_OFFSETS);
    if (instruction->return_type > SCH_RETURN_UNKNOWN)
        return FAIL(decoder, SCH_D_TOKENS_NUMBER, "%u is not a return type", instruction->return_type);
    if (instruction->offset_count > SCH_MAX_OFFSETS)
        return FAIL(decoder, SCH_D_TOKENS_OPERANDS, "%u texel offsets, at most %d", instruction->offset_count,
                    SCH_MAX_OFFSETS);
    for (unsigned i = 0; i < instruction->offset_count; i++) {
        struct sch_ir_texel_offset *offset = &instruction->offset[i];
        if (!next(decoder, SCH_F_OFFSET_INDEX, &word)) return false;
        if (!file(decoder, word, SCH_F_OFFSET_FILE, &offset->file)) return false;
        offset->index = index_of(word, SCH_F_OFFSET_INDEX);
        offset->swizzle[0] = (uint8_t)sch_tgsi_get(word, SCH_F_OFFSET_X);
        offset->swizzle[1] = (uint8_t)sch_tgsi_get(word, SCH_F_OFFSET_Y);
        offset->swizzle[2] = (uint8_t)sch_tgsi_get(word, SCH_F_OFFSET_Z);
        if (offset->index < 0) return FAIL(decoder, SCH_D_TOKENS_INDEX, "the register index is negative");
    }
    return true;
}

static bool memory(struct decoder *decoder, struct sch_ir_instruction *instruction)
{
    uint32_t word, target, format;
    if (!next(decoder, SCH_F_MEM_QUALIFIER, &word)) return false;
    if (!named(decoder, word, SCH_F_MEM_TARGET, SCH_WORDS_TARGET, &target)) return false;
    if (!named(decoder, word, SCH_F_MEM_FORMAT, SCH_WORDS_FORMAT, &format)) return false;
    instruction->qualifiers = (uint8_t)sch_tgsi_get(word, SCH_F_MEM_QUALIFIER);
    instruction->memory_target = (uint8_t)target;
    instruction->memory_format = (uint16_t)format;
    return true;
}

/* Which optional words an opcode may have, and must have. */
static bool optional_words(struct decoder *decoder, const struct sch_op_info *op,
                           const struct sch_ir_instruction *instruction)
{
    bool needs_target = op->flags & SCH_OPF_TEXTURE;
    if (needs_target && !instruction->has_texture)
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "%s has no texture word", op->name);
    if (instruction->has_texture && !needs_target && !sch_tgsi_offsets_without_target(op))
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "%s cannot have a texture word", op->name);
    if (instruction->has_memory && !sch_tgsi_memory_word_in_tokens(op))
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "%s cannot have a memory word", op->name);
    if (instruction->has_label && !(op->flags & SCH_OPF_BRANCH))
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "%s cannot have a label", op->name);
    return true;
}

static bool instruction_items(struct decoder *decoder, uint32_t first, struct sch_ir_instruction *instruction)
{
    const struct sch_op_info *op = sch_op_info(sch_tgsi_get(first, SCH_F_INS_OPCODE));
    if (!op) return FAIL(decoder, SCH_D_TOKENS_NUMBER, "%u is not an opcode", sch_tgsi_get(first, SCH_F_INS_OPCODE));
    instruction->opcode = op->opcode;
    uint32_t dsts = sch_tgsi_get(first, SCH_F_INS_DSTS), srcs = sch_tgsi_get(first, SCH_F_INS_SRCS);
    if (dsts != op->dsts || srcs != sch_op_form(op->opcode, srcs)->srcs)
        return FAIL(decoder, SCH_D_TOKENS_OPERANDS, "%s has %u destinations and %u sources, it takes %u and %u",
                    op->name, dsts, srcs, op->dsts, op->srcs);
    instruction->dst_count = (uint8_t)dsts;
    instruction->src_count = (uint8_t)srcs;
    instruction->saturate = sch_tgsi_get(first, SCH_F_INS_SATURATE);
    instruction->precise = sch_tgsi_get(first, SCH_F_INS_PRECISE);
    instruction->has_label = sch_tgsi_get(first, SCH_F_INS_LABEL);
    instruction->has_texture = sch_tgsi_get(first, SCH_F_INS_TEXTURE);
    instruction->has_memory = sch_tgsi_get(first, SCH_F_INS_MEMORY);
    if (!optional_words(decoder, op, instruction)) return false;

    uint32_t label;
    if (instruction->has_label) {
        if (!next(decoder, SCH_F_LABEL, &label)) return false;
        instruction->label = label;
    }
    if (instruction->has_texture && !texture(decoder, instruction)) return false;
    if (instruction->has_memory && !memory(decoder, instruction)) return false;
    for (unsigned i = 0; i < dsts; i++)
        if (!dst(decoder, &instruction->dst[i])) return false;
    for (unsigned i = 0; i < srcs; i++)
        if (!src(decoder, &instruction->src[i])) return false;
    if (srcs < op->srcs && instruction->src[srcs - 1].file != SCH_FILE_SAMPLER)
        return FAIL(decoder, SCH_D_TOKENS_OPERANDS, "%s of a handle needs %u sources", op->name, op->srcs);
    return true;
}

/* Takes the result of adding an item to the shader. */
static bool added(struct decoder *decoder, enum sch_result status, const char *what)
{
    if (status == SCH_OK) return true;
    bool limit = status == SCH_ERROR_LIMIT || sch_tgsi_memory_limit_reached(decoder->shader);
    (void)FAIL(decoder, SCH_D_TOKENS_LIMIT, status == SCH_ERROR_LIMIT ? "too many %s" : "no memory for more %s", what);
    decoder->status = limit ? SCH_ERROR_LIMIT : SCH_ERROR_MEMORY;
    return false;
}

/* `words` are the item's, its first one included. */
static bool begin_item(struct decoder *decoder, enum sch_tgsi_field first, size_t words)
{
    uint32_t word = decoder->words[decoder->item];
    decoder->at = decoder->item + 1;
    if (word & sch_tgsi_padding(first))
        return FAIL(decoder, SCH_D_TOKENS_RESERVED, "padding bits of the %s word are set: 0x%08x",
                    sch_tgsi_fields[first].word, word & sch_tgsi_padding(first));
    if (!words || words > decoder->count - decoder->item)
        return FAIL(decoder, SCH_D_TOKENS_SIZE, "the item says %zu words, %zu are left", words,
                    decoder->count - decoder->item);
    decoder->end = decoder->item + words;
    return true;
}

static bool end_item(struct decoder *decoder)
{
    if (decoder->at == decoder->end) return true;
    return FAIL(decoder, SCH_D_TOKENS_SIZE, "the item that begins at word %zu has %zu words too many", decoder->item,
                decoder->end - decoder->at);
}

static bool instruction(struct decoder *decoder, uint32_t first)
{
    struct sch_ir_instruction instruction = {.position = position(decoder, decoder->item)};
    return begin_item(decoder, SCH_F_INS_TYPE, sch_tgsi_get(first, SCH_F_INS_WORDS) + (size_t)1) &&
           instruction_items(decoder, first, &instruction) && end_item(decoder) &&
           added(decoder, sch_ir_add_instruction(decoder->shader, &instruction), "instructions");
}

static bool immediate(struct decoder *decoder, uint32_t first)
{
    struct sch_ir_immediate immediate = {.position = position(decoder, decoder->item)};
    uint32_t type;
    if (!begin_item(decoder, SCH_F_IMM_TYPE, sch_tgsi_get(first, SCH_F_IMM_WORDS))) return false;
    if (!named(decoder, first, SCH_F_IMM_DATA_TYPE, SCH_WORDS_IMMEDIATE, &type)) return false;
    if (decoder->end - decoder->at != 4)
        return FAIL(decoder, SCH_D_TOKENS_SIZE, "an immediate has four words, not %zu", decoder->end - decoder->at);
    immediate.type = (uint8_t)type;
    for (unsigned i = 0; i < 4; i++) immediate.word[i] = decoder->words[decoder->at++];
    return added(decoder, sch_ir_add_immediate(decoder->shader, &immediate), "immediates");
}

static bool property(struct decoder *decoder, uint32_t first)
{
    struct sch_ir_property property = {.position = position(decoder, decoder->item)};
    uint32_t number;
    if (!begin_item(decoder, SCH_F_PROP_TYPE, sch_tgsi_get(first, SCH_F_PROP_WORDS))) return false;
    if (!named(decoder, first, SCH_F_PROP_NAME, SCH_WORDS_PROPERTY, &number)) return false;
    if (number >= SCH_PROPERTY_TOKEN_LIMIT)
        return FAIL(decoder, SCH_D_TOKENS_NUMBER, "property %u is not a property of binary tokens", number);
    enum { MOST = sizeof property.value / sizeof *property.value };
    size_t count = decoder->end - decoder->at;
    if (!count || count > MOST)
        return FAIL(decoder, SCH_D_TOKENS_SIZE, "a property has 1 to %d values, not %zu", MOST, count);
    property.name = (uint8_t)number;
    property.count = (uint8_t)count;
    enum sch_vocabulary vocabulary = sch_tgsi_property_vocabulary(sch_word_by_number(SCH_WORDS_PROPERTY, number));
    for (unsigned i = 0; i < count; i++) {
        property.value[i] = decoder->words[decoder->at++];
        if (vocabulary != SCH_WORDS_COUNT && !sch_word_by_number(vocabulary, property.value[i]))
            return FAIL(decoder, SCH_D_TOKENS_NUMBER, "%u is not a value of this property", property.value[i]);
    }
    return added(decoder, sch_ir_add_property(decoder->shader, &property), "properties");
}

static bool semantic(struct decoder *decoder, struct sch_ir_declaration *declaration)
{
    uint32_t word, number;
    if (!next(decoder, SCH_F_SEM_NAME, &word)) return false;
    if (!named(decoder, word, SCH_F_SEM_NAME, SCH_WORDS_SEMANTIC, &number)) return false;
    if (number >= SCH_SEMANTIC_TOKEN_LIMIT)
        return FAIL(decoder, SCH_D_TOKENS_NUMBER, "semantic %u is not a semantic of binary tokens", number);
    declaration->semantic = (uint8_t)number;
    declaration->semantic_index = (uint16_t)sch_tgsi_get(word, SCH_F_SEM_INDEX);
    unsigned any = 0;
    for (unsigned c = 0; c < 4; c++) {
        declaration->stream[c] = (uint8_t)sch_tgsi_get(word, (enum sch_tgsi_field)(SCH_F_SEM_STREAM_X + c));
        any |= declaration->stream[c];
    }
    if (any && (decoder->shader->stage != SCH_STAGE_GEOMETRY || declaration->file != SCH_FILE_OUTPUT))
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "only a geometry shader's output has a stream");
    return true;
}

static bool interpolation(struct decoder *decoder, struct sch_ir_declaration *declaration)
{
    uint32_t word, mode, location;
    if (!next(decoder, SCH_F_INTERP_MODE, &word)) return false;
    if (!named(decoder, word, SCH_F_INTERP_MODE, SCH_WORDS_INTERPOLATION, &mode)) return false;
    if (!named(decoder, word, SCH_F_INTERP_LOCATION, SCH_WORDS_LOCATION, &location)) return false;
    declaration->interpolation = (uint8_t)mode;
    declaration->location = (uint8_t)location;
    return true;
}

static bool image(struct decoder *decoder, struct sch_ir_declaration *declaration)
{
    uint32_t word, target, format;
    if (!next(decoder, SCH_F_IMAGE_TARGET, &word)) return false;
    if (!named(decoder, word, SCH_F_IMAGE_TARGET, SCH_WORDS_TARGET, &target)) return false;
    if (!named(decoder, word, SCH_F_IMAGE_FORMAT, SCH_WORDS_FORMAT, &format)) return false;
    declaration->target = (uint8_t)target;
    declaration->format = (uint16_t)format;
    declaration->raw = sch_tgsi_get(word, SCH_F_IMAGE_RAW);
    declaration->writable = sch_tgsi_get(word, SCH_F_IMAGE_WRITABLE);
    return true;
}

static bool view(struct decoder *decoder, struct sch_ir_declaration *declaration)
{
    uint32_t word, target, type;
    if (!next(decoder, SCH_F_VIEW_TARGET, &word)) return false;
    if (!named(decoder, word, SCH_F_VIEW_TARGET, SCH_WORDS_TARGET, &target)) return false;
    declaration->target = (uint8_t)target;
    for (unsigned c = 0; c < 4; c++) {
        if (!named(decoder, word, (enum sch_tgsi_field)(SCH_F_VIEW_X + c), SCH_WORDS_RETURN_TYPE, &type)) return false;
        declaration->return_type[c] = (uint8_t)type;
    }
    return true;
}

/* The flags that a declaration of this file may have; the text has no place for others. */
static bool declaration_flags(struct decoder *decoder, uint32_t first, const struct sch_ir_declaration *declaration)
{
    unsigned stage = decoder->shader->stage;
    enum sch_tgsi_attributes kind = sch_tgsi_attributes(declaration->file);
    bool has_semantics = kind == SCH_TGSI_ATTRIBUTES_SEMANTIC;
    bool has_last = kind != SCH_TGSI_ATTRIBUTES_VIEW;
    if (!has_semantics && (declaration->has_semantic || declaration->local))
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "this declaration cannot have a semantic or be local");
    if (!has_last && (declaration->has_interpolation || declaration->invariant))
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "this declaration cannot be interpolated or invariant");
    if (declaration->atomic && kind != SCH_TGSI_ATTRIBUTES_BUFFER)
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "only a buffer can be atomic");
    if (declaration->memory_kind && kind != SCH_TGSI_ATTRIBUTES_MEMORY)
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "only MEMORY has a kind of memory");
    if (declaration->has_dimension && sch_file_is_per_vertex(stage, declaration->file))
        return FAIL(decoder, SCH_D_TOKENS_FLAG, "a declaration for every vertex has no dimension");
    if (!sch_tgsi_get(first, SCH_F_DCL_MASK)) return FAIL(decoder, SCH_D_TOKENS_INDEX, "the usage mask is empty");
    return true;
}

static bool registers(struct decoder *decoder, struct sch_ir_declaration *declaration)
{
    uint32_t word;
    if (!next(decoder, SCH_F_RANGE_FIRST, &word)) return false;
    declaration->first = sch_tgsi_get(word, SCH_F_RANGE_FIRST);
    declaration->last = sch_tgsi_get(word, SCH_F_RANGE_LAST);
    if (declaration->last < declaration->first)
        return FAIL(decoder, SCH_D_TOKENS_INDEX, "the range %u..%u ends before it begins", declaration->first,
                    declaration->last);
    if (declaration->last >= decoder->shader->limits.registers) {
        (void)FAIL(decoder, SCH_D_TOKENS_LIMIT, "register %u is above the limit of %u registers", declaration->last,
                   decoder->shader->limits.registers);
        decoder->status = SCH_ERROR_LIMIT;
        return false;
    }
    if (!declaration->has_dimension) return true;
    if (!next(decoder, SCH_F_DIM_2D, &word)) return false;
    declaration->dimension = (uint16_t)sch_tgsi_get(word, SCH_F_DIM_2D);
    return true;
}

static bool declaration_words(struct decoder *decoder, uint32_t first, struct sch_ir_declaration *declaration)
{
    if (!registers(decoder, declaration)) return false;
    if (declaration->has_interpolation && !interpolation(decoder, declaration)) return false;
    if (declaration->has_semantic && !semantic(decoder, declaration)) return false;
    if (declaration->file == SCH_FILE_IMAGE && !image(decoder, declaration)) return false;
    if (declaration->file == SCH_FILE_SAMPLER_VIEW && !view(decoder, declaration)) return false;
    uint32_t word;
    if (!sch_tgsi_get(first, SCH_F_DCL_ARRAY)) return true;
    if (!next(decoder, SCH_F_ARRAY_ID, &word)) return false;
    declaration->array_id = (uint16_t)sch_tgsi_get(word, SCH_F_ARRAY_ID);
    if (!declaration->array_id) return FAIL(decoder, SCH_D_TOKENS_INDEX, "ArrayID 0 means none");
    return true;
}

static bool declaration(struct decoder *decoder, uint32_t first)
{
    struct sch_ir_declaration declaration = {
        .position = position(decoder, decoder->item),
        .usage_mask = (uint8_t)sch_tgsi_get(first, SCH_F_DCL_MASK),
        .has_dimension = sch_tgsi_get(first, SCH_F_DCL_DIMENSION),
        .has_semantic = sch_tgsi_get(first, SCH_F_DCL_SEMANTIC),
        .has_interpolation = sch_tgsi_get(first, SCH_F_DCL_INTERPOLATE),
        .invariant = sch_tgsi_get(first, SCH_F_DCL_INVARIANT),
        .local = sch_tgsi_get(first, SCH_F_DCL_LOCAL),
        .atomic = sch_tgsi_get(first, SCH_F_DCL_ATOMIC),
        .memory_kind = (uint8_t)sch_tgsi_get(first, SCH_F_DCL_MEMORY_KIND),
    };
    return begin_item(decoder, SCH_F_DCL_TYPE, sch_tgsi_get(first, SCH_F_DCL_WORDS)) &&
           file(decoder, first, SCH_F_DCL_FILE, &declaration.file) && declaration_flags(decoder, first, &declaration) &&
           declaration_words(decoder, first, &declaration) && end_item(decoder) &&
           added(decoder, sch_ir_add_declaration(decoder->shader, &declaration), "declarations");
}

static bool items(struct decoder *decoder)
{
    while (decoder->at < decoder->count) {
        bool good;
        decoder->item = decoder->at;
        uint32_t first = decoder->words[decoder->item];
        switch (sch_tgsi_get(first, SCH_F_TYPE)) {
        case SCH_TOKEN_DECLARATION:
            good = declaration(decoder, first);
            break;
        case SCH_TOKEN_IMMEDIATE:
            good = immediate(decoder, first);
            break;
        case SCH_TOKEN_INSTRUCTION:
            good = instruction(decoder, first);
            break;
        case SCH_TOKEN_PROPERTY:
            good = property(decoder, first);
            break;
        default:
            decoder->at++;
            return FAIL(decoder, SCH_D_TOKENS_TYPE, "%u is not a token type", sch_tgsi_get(first, SCH_F_TYPE));
        }
        if (!good) return false; /* where the next item begins can no longer be known */
    }
    return true;
}

static bool header(struct decoder *decoder, uint32_t *stage)
{
    if (decoder->count < SCH_TGSI_HEADER_WORDS)
        return FAIL(decoder, SCH_D_TOKENS_HEADER, "%zu words are not a program", decoder->count);
    uint32_t first = decoder->words[0], processor = decoder->words[1];
    decoder->at = 1;
    if (sch_tgsi_get(first, SCH_F_HEADER_SIZE) != SCH_TGSI_HEADER_WORDS)
        return FAIL(decoder, SCH_D_TOKENS_HEADER, "the header says %u words, it has %d",
                    sch_tgsi_get(first, SCH_F_HEADER_SIZE), SCH_TGSI_HEADER_WORDS);
    if (sch_tgsi_get(first, SCH_F_BODY_SIZE) != decoder->count - SCH_TGSI_HEADER_WORDS)
        return FAIL(decoder, SCH_D_TOKENS_SIZE, "the header says %u words of body, there are %zu",
                    sch_tgsi_get(first, SCH_F_BODY_SIZE), decoder->count - SCH_TGSI_HEADER_WORDS);
    decoder->at = 2;
    if (processor & sch_tgsi_padding(SCH_F_STAGE))
        return FAIL(decoder, SCH_D_TOKENS_RESERVED, "padding bits of the PROCESSOR word are set");
    return named(decoder, processor, SCH_F_STAGE, SCH_WORDS_STAGE, stage);
}

enum sch_result sch_tgsi_decode(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                const uint32_t *words, size_t count, uint64_t offset,
                                struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader)
{
    *shader = NULL;
    struct decoder decoder = {
        .words = words, .count = count, .offset = offset, .diagnostics = diagnostics, .status = SCH_OK};
    uint32_t stage = 0;
    if (limits->source_bytes && count > limits->source_bytes / sizeof(uint32_t)) {
        (void)FAIL(&decoder, SCH_D_TOKENS_LIMIT, "%zu words are above the limit of %zu bytes", count,
                   limits->source_bytes);
        return SCH_ERROR_LIMIT;
    }
    if (!header(&decoder, &stage)) return decoder.status;
    decoder.shader = sch_ir_create(allocator, (enum sch_stage)stage, limits);
    if (!decoder.shader) return SCH_ERROR_MEMORY;
    if (!items(&decoder)) {
        sch_ir_destroy(decoder.shader);
        return decoder.status;
    }
    *shader = decoder.shader;
    return SCH_OK;
}
