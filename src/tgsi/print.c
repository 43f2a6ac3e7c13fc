/* The printer: Mesa's dump style, from the shader alone. What it prints, the parser reads back to a text that prints
 * the same. */
#include "base/bytes.h"
#include "base/number.h"
#include "tgsi/rules.h"
#include "tgsi/tgsi.h"

struct printer {
    struct sch_bytes out;
    const struct sch_ir_shader *shader;
    enum sch_float_text floats;
    bool exact_floats; /* the source's own style: no value may be lost; else decimal means Mesa's %10.4f */
    unsigned implied_vertices;
    uint32_t immediates, instructions;
    int64_t indent; /* negative after an unmatched END word, as in Mesa */
    size_t *starts; /* of instructions in the text, those below `start_capacity` */
    size_t start_capacity;
};

static void text(struct printer *printer, const char *words) { sch_bytes_text(&printer->out, words); }

static void word_of(struct printer *printer, enum sch_vocabulary vocabulary, unsigned number)
{
    const struct sch_word *word = sch_word_by_number(vocabulary, number);
    if (word)
        text(printer, word->word);
    else
        sch_bytes_uint(&printer->out, number, 1);
}

static void comma_word(struct printer *printer, enum sch_vocabulary vocabulary, unsigned number)
{
    text(printer, ", ");
    word_of(printer, vocabulary, number);
}

static void comma_format(struct printer *printer, unsigned number)
{
    text(printer, ", PIPE_FORMAT_");
    word_of(printer, SCH_WORDS_FORMAT, number);
}

static void in_brackets(struct printer *printer, int64_t number)
{
    text(printer, "[");
    sch_bytes_int(&printer->out, number);
    text(printer, "]");
}

static void mask(struct printer *printer, unsigned bits)
{
    if (bits == 15) return;
    text(printer, ".");
    for (unsigned c = 0; c < 4; c++)
        if (bits >> c & 1) sch_bytes_char(&printer->out, "xyzw"[c]);
}

static void bracket(struct printer *printer, const struct sch_ir_bracket *bracket)
{
    if (!bracket->is_indirect) {
        in_brackets(printer, bracket->index);
        return;
    }
    text(printer, "[");
    word_of(printer, SCH_WORDS_FILE, bracket->indirect.file);
    in_brackets(printer, bracket->indirect.index);
    text(printer, ".");
    sch_bytes_char(&printer->out, "xyzw"[bracket->indirect.component & 3]);
    if (bracket->index > 0) text(printer, "+");
    if (bracket->index != 0) sch_bytes_int(&printer->out, bracket->index);
    text(printer, "]");
    if (!bracket->indirect.array_id) return;
    text(printer, "(");
    sch_bytes_uint(&printer->out, bracket->indirect.array_id, 1);
    text(printer, ")");
}

static void dst(struct printer *printer, const struct sch_ir_dst *dst)
{
    word_of(printer, SCH_WORDS_FILE, dst->file);
    if (dst->has_dimension) bracket(printer, &dst->dimension);
    bracket(printer, &dst->index);
    mask(printer, dst->write_mask);
}

static void src(struct printer *printer, const struct sch_ir_src *src)
{
    if (src->negate) text(printer, "-");
    if (src->absolute) text(printer, "|");
    word_of(printer, SCH_WORDS_FILE, src->file);
    if (src->has_dimension) bracket(printer, &src->dimension);
    bracket(printer, &src->index);
    const uint8_t *s = src->swizzle;
    if (s[0] != 0 || s[1] != 1 || s[2] != 2 || s[3] != 3) {
        text(printer, ".");
        for (unsigned c = 0; c < 4; c++) sch_bytes_char(&printer->out, "xyzw"[s[c] & 3]);
    }
    if (src->absolute) text(printer, "|");
}

static void texture_words(struct printer *printer, const struct sch_ir_instruction *instruction,
                          const struct sch_op_info *op)
{
    if (!sch_tgsi_offsets_without_target(op)) comma_word(printer, SCH_WORDS_TARGET, instruction->target);
    for (unsigned i = 0; i < instruction->offset_count; i++) {
        const struct sch_ir_texel_offset *offset = &instruction->offset[i];
        comma_word(printer, SCH_WORDS_FILE, offset->file);
        in_brackets(printer, offset->index);
        text(printer, ".");
        for (unsigned c = 0; c < 3; c++) sch_bytes_char(&printer->out, "xyzw"[offset->swizzle[c] & 3]);
    }
}

static void memory_words(struct printer *printer, const struct sch_ir_instruction *instruction)
{
    size_t count;
    const struct sch_word *qualifiers = sch_words(SCH_WORDS_QUALIFIER, &count);
    for (size_t i = 0; i < count; i++)
        if (instruction->qualifiers & qualifiers[i].number) {
            text(printer, ", ");
            text(printer, qualifiers[i].word);
        }
    if (instruction->memory_target) comma_word(printer, SCH_WORDS_TARGET, instruction->memory_target);
    if (instruction->memory_format) comma_format(printer, instruction->memory_format);
}

/* Mesa indents what IF, loops and subroutines hold, but not what a SWITCH does. */
static bool is_indented(const struct sch_op_info *op, unsigned parts)
{
    return op->flags & parts && sch_op_construct(op) != SCH_CONSTRUCT_SWITCH;
}

static void instruction(struct printer *printer, const struct sch_ir_instruction *read)
{
    struct sch_ir_instruction room;
    const struct sch_ir_instruction *instruction = sch_tgsi_as_written(read, &room);
    const struct sch_op_info *op = sch_op_info(instruction->opcode);
    if (!op) return;
    sch_bytes_uint(&printer->out, printer->instructions, 3);
    text(printer, ": ");
    if (printer->instructions < printer->start_capacity) printer->starts[printer->instructions] = printer->out.size;
    printer->instructions++;
    if (is_indented(op, SCH_OPF_DIVIDES | SCH_OPF_CLOSES)) printer->indent--;
    /* Levels past the limit are refused by the checks; without a bound here their blanks would be quadratic. */
    for (int64_t level = 0; level < printer->indent && level < printer->shader->limits.nesting; level++)
        text(printer, "  ");
    if (is_indented(op, SCH_OPF_OPENS | SCH_OPF_DIVIDES)) printer->indent++;

    text(printer, op->name);
    if (instruction->saturate) text(printer, "_SAT");
    if (instruction->precise) text(printer, "_PRECISE");
    for (unsigned i = 0; i < instruction->dst_count; i++) {
        text(printer, i ? ", " : " ");
        dst(printer, &instruction->dst[i]);
    }
    for (unsigned i = 0; i < instruction->src_count; i++) {
        text(printer, i || instruction->dst_count ? ", " : " ");
        src(printer, &instruction->src[i]);
    }
    if (instruction->has_texture) texture_words(printer, instruction, op);
    memory_words(printer, instruction);
    if (instruction->has_label && op->flags & SCH_OPF_BRANCH) {
        text(printer, " :");
        sch_bytes_uint(&printer->out, instruction->label, 1);
    }
    text(printer, "\n");
}

static void semantic(struct printer *printer, const struct sch_ir_declaration *declaration)
{
    comma_word(printer, SCH_WORDS_SEMANTIC, declaration->semantic);
    if (declaration->semantic_index || declaration->semantic == SCH_SEMANTIC_GENERIC ||
        declaration->semantic == SCH_SEMANTIC_TEXCOORD)
        in_brackets(printer, declaration->semantic_index);
}

static void streams(struct printer *printer, const struct sch_ir_declaration *declaration)
{
    if (!sch_tgsi_has_streams(declaration)) return;
    for (unsigned c = 0; c < 4; c++) {
        text(printer, c ? ", " : ", STREAM(");
        sch_bytes_uint(&printer->out, declaration->stream[c], 1);
    }
    text(printer, ")");
}

/* Only a fragment shader's inputs show their interpolation, elsewhere a location brings the mode with it: alone it
 * would not be read back. */
static bool shows_interpolation(const struct printer *printer, const struct sch_ir_declaration *declaration)
{
    if (!declaration->has_interpolation) return false;
    if (declaration->location != SCH_LOCATION_CENTER) return true;
    return printer->shader->stage == SCH_STAGE_FRAGMENT && declaration->file == SCH_FILE_INPUT;
}

/* The interpolation COLOR is read as a semantic where no semantic comes before it. */
static void label(struct printer *printer, const struct sch_ir_declaration *declaration)
{
    const bool ambiguous =
        shows_interpolation(printer, declaration) && declaration->interpolation == SCH_INTERPOLATION_COLOR;
    const struct sch_ir_declaration labelled = sch_tgsi_labelled(declaration);
    if (declaration->has_semantic || ambiguous) semantic(printer, &labelled);
    streams(printer, declaration);
}

static void view(struct printer *printer, const struct sch_ir_declaration *declaration)
{
    comma_word(printer, SCH_WORDS_TARGET, declaration->target);
    const uint8_t *type = declaration->return_type;
    bool same = type[0] == type[1] && type[0] == type[2] && type[0] == type[3];
    for (unsigned c = 0; c < (same ? 1u : 4u); c++) comma_word(printer, SCH_WORDS_RETURN_TYPE, type[c]);
}

/* What is between the registers and the interpolation. */
static void file_attributes(struct printer *printer, const struct sch_ir_declaration *declaration)
{
    switch (sch_tgsi_attributes(declaration->file)) {
    case SCH_TGSI_ATTRIBUTES_SEMANTIC:
        if (declaration->local) text(printer, ", LOCAL");
        label(printer, declaration);
        break;
    case SCH_TGSI_ATTRIBUTES_IMAGE:
    case SCH_TGSI_ATTRIBUTES_RESOURCE:
        comma_word(printer, SCH_WORDS_TARGET, declaration->target);
        if (declaration->file == SCH_FILE_IMAGE) comma_format(printer, declaration->format);
        if (declaration->writable) text(printer, ", WR");
        if (declaration->raw) text(printer, ", RAW");
        break;
    case SCH_TGSI_ATTRIBUTES_VIEW:
        view(printer, declaration);
        break;
    case SCH_TGSI_ATTRIBUTES_BUFFER:
        if (declaration->atomic) text(printer, ", ATOMIC");
        break;
    case SCH_TGSI_ATTRIBUTES_MEMORY:
        comma_word(printer, SCH_WORDS_MEMORY_KIND, declaration->memory_kind);
        break;
    }
}

static void interpolation(struct printer *printer, const struct sch_ir_declaration *declaration)
{
    if (!shows_interpolation(printer, declaration)) return;
    comma_word(printer, SCH_WORDS_INTERPOLATION, declaration->interpolation);
    if (declaration->location != SCH_LOCATION_CENTER) comma_word(printer, SCH_WORDS_LOCATION, declaration->location);
}

static void declaration(struct printer *printer, const struct sch_ir_declaration *declaration)
{
    text(printer, "DCL ");
    word_of(printer, SCH_WORDS_FILE, declaration->file);
    if (printer->implied_vertices && sch_ir_is_per_vertex(printer->shader, declaration)) text(printer, "[]");
    if (declaration->has_dimension) in_brackets(printer, declaration->dimension);
    text(printer, "[");
    sch_bytes_uint(&printer->out, declaration->first, 1);
    if (declaration->last != declaration->first) {
        text(printer, "..");
        sch_bytes_uint(&printer->out, declaration->last, 1);
    }
    text(printer, "]");
    mask(printer, declaration->usage_mask);
    if (declaration->array_id) {
        text(printer, ", ARRAY(");
        sch_bytes_uint(&printer->out, declaration->array_id, 1);
        text(printer, ")");
    }
    file_attributes(printer, declaration);
    interpolation(printer, declaration);
    if (declaration->invariant) text(printer, ", INVARIANT");
    text(printer, "\n");
}

static void float_value(struct printer *printer, uint32_t bits)
{
    char buffer[SCH_NUMBER_BYTES];
    size_t length = 0;
    if (printer->floats == SCH_FLOAT_TEXT_DECIMAL)
        length = printer->exact_floats ? sch_number_write_float(bits, buffer)
                                       : sch_number_write_fixed(bits, SCH_FLOAT_32, 4, 10, buffer);
    if (length)
        sch_bytes_append(&printer->out, buffer, length);
    else /* infinities and NaN have no decimal form that can be read */
        sch_bytes_format(&printer->out, "0x%08x", bits);
}

static uint64_t pair(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

static void immediate_value(struct printer *printer, unsigned type, const uint32_t *words)
{
    char buffer[SCH_NUMBER_BYTES];
    switch (type) {
    case SCH_IMMEDIATE_FLT32:
        float_value(printer, words[0]);
        break;
    case SCH_IMMEDIATE_INT32:
        sch_bytes_int(&printer->out, (int32_t)words[0]);
        break;
    case SCH_IMMEDIATE_FLT64:
        sch_bytes_append(&printer->out, buffer, sch_number_write_double(pair(words), buffer));
        break;
    case SCH_IMMEDIATE_INT64:
        sch_bytes_int(&printer->out, (int64_t)pair(words));
        break;
    case SCH_IMMEDIATE_UINT64:
        sch_bytes_uint(&printer->out, pair(words), 1);
        break;
    default:
        sch_bytes_uint(&printer->out, words[0], 1);
        break;
    }
}

static void immediate(struct printer *printer, const struct sch_ir_immediate *immediate)
{
    const struct sch_word *type = sch_word_by_number(SCH_WORDS_IMMEDIATE, immediate->type);
    if (!type) return;
    text(printer, "IMM");
    in_brackets(printer, printer->immediates++);
    text(printer, " ");
    text(printer, type->word);
    for (unsigned i = 0; i < type->extra; i++) {
        text(printer, i ? ", " : " {");
        immediate_value(printer, immediate->type, &immediate->word[i * 4 / type->extra]);
    }
    text(printer, "}\n");
}

static void property(struct printer *printer, const struct sch_ir_property *property)
{
    const struct sch_word *name = sch_word_by_number(SCH_WORDS_PROPERTY, property->name);
    if (!name) return;
    text(printer, "PROPERTY ");
    text(printer, name->word);
    enum sch_vocabulary vocabulary = sch_tgsi_property_vocabulary(name);
    for (unsigned i = 0; i < property->count; i++) {
        text(printer, i ? ", " : " ");
        if (vocabulary == SCH_WORDS_COUNT)
            sch_bytes_uint(&printer->out, property->value[i], 1);
        else
            word_of(printer, vocabulary, property->value[i]);
    }
    text(printer, "\n");
    if (property->name == SCH_PROPERTY_GS_INPUT_PRIMITIVE && printer->shader->stage == SCH_STAGE_GEOMETRY) {
        const struct sch_word *primitive = sch_word_by_number(SCH_WORDS_PRIMITIVE, property->value[0]);
        printer->implied_vertices = primitive ? primitive->extra : 0;
    }
}

enum sch_result sch_tgsi_print(const struct sch_ir_shader *shader, enum sch_float_text floats,
                               const struct sch_allocator *allocator, char **result, size_t *bytes)
{
    return sch_tgsi_print_lines(shader, floats, allocator, NULL, 0, result, bytes);
}

enum sch_result sch_tgsi_print_lines(const struct sch_ir_shader *shader, enum sch_float_text floats,
                                     const struct sch_allocator *allocator, size_t *starts, size_t start_capacity,
                                     char **result, size_t *bytes)
{
    *result = NULL;
    *bytes = 0;
    struct printer printer = {.out = {.allocator = allocator},
                              .shader = shader,
                              .starts = starts,
                              .start_capacity = start_capacity,
                              .floats = floats == SCH_FLOAT_TEXT_SOURCE ? shader->float_style : floats,
                              .exact_floats = floats == SCH_FLOAT_TEXT_SOURCE,
                              .implied_vertices = sch_tgsi_implied_vertices(shader->stage)};
    word_of(&printer, SCH_WORDS_STAGE, shader->stage);
    text(&printer, "\n");
    for (size_t i = 0; i < shader->item_count && printer.out.status == SCH_OK; i++) {
        uint32_t index = shader->items[i].index;
        switch (shader->items[i].kind) {
        case SCH_IR_DECLARATION:
            declaration(&printer, &shader->declarations[index]);
            break;
        case SCH_IR_IMMEDIATE:
            immediate(&printer, &shader->immediates[index]);
            break;
        case SCH_IR_PROPERTY:
            property(&printer, &shader->properties[index]);
            break;
        case SCH_IR_INSTRUCTION:
            instruction(&printer, &shader->instructions[index]);
            break;
        }
    }
    return sch_bytes_take_text(&printer.out, result, bytes);
}
