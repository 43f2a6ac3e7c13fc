/* The listing: profile, signatures, instructions. The templates of d3d.def say what is where. */
#include "d3d/text/internal.h"

#include <string.h>
#include <strings.h>

struct printer {
    struct sch_bytes out;
    const struct sch_d3d_shader *shader;
    enum sch_listing_style style;
    unsigned depth; /* of control flow */
};

static bool is_fxc(const struct printer *p) { return p->style != SCH_LISTING_VKD3D; }
static bool says_all(const struct printer *p) { return p->style == SCH_LISTING_FXC; }

static void text(struct printer *p, const char *words) { sch_bytes_text(&p->out, words); }

static const char *spelling(const struct printer *p, const struct sch_d3d_word *word)
{
    if (!word) return "";
    return !is_fxc(p) && *word->other ? word->other : word->word;
}

static const char *word_of(const struct printer *p, enum sch_d3d_vocabulary vocabulary, uint32_t number)
{
    return spelling(p, sch_d3d_word_by_number(vocabulary, number));
}

enum sch_d3d_field sch_d3d_template_field(char letter)
{
    static const struct {
        char letter;
        uint8_t field;
    } rows[] = {{'A', SCH_D3D_FIELD_ACCESS},       {'M', SCH_D3D_FIELD_SAMPLER},          {'T', SCH_D3D_FIELD_TOPOLOGY},
                {'P', SCH_D3D_FIELD_PRIMITIVE},    {'I', SCH_D3D_FIELD_INTERPOLATION},    {'d', SCH_D3D_FIELD_DOMAIN},
                {'p', SCH_D3D_FIELD_PARTITIONING}, {'O', SCH_D3D_FIELD_OUTPUT_PRIMITIVE}, {'Y', SCH_D3D_FIELD_DYNAMIC}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].letter == letter) return (enum sch_d3d_field)rows[i].field;
    return SCH_D3D_FIELD_COUNT;
}

static const char *field_word(const struct printer *p, uint32_t controls, enum sch_d3d_field field)
{
    return word_of(p, (enum sch_d3d_vocabulary)sch_d3d_fields[field].vocabulary, sch_d3d_get(controls, field));
}

static void print_types(struct printer *p, uint32_t types)
{
    text(p, "(");
    for (unsigned i = 0; i < 4; i++) {
        if (i) text(p, ",");
        text(p, word_of(p, SCH_D3D_WORDS_RETURN, types >> (4 * i) & 0xf));
    }
    text(p, ")");
}

static void print_operand(struct printer *p, const struct sch_d3d_operand *operand, char role, char type)
{
    bool upper = is_fxc(p) && sch_d3d_has_spaces(p->shader->program);
    sch_d3d_print_operand(&p->out, operand, role, type, p->style, upper);
}

/* Words of a vocabulary of bits. */
static void print_bits(struct printer *p, enum sch_d3d_vocabulary vocabulary, uint32_t bits, const char *first,
                       const char *between)
{
    size_t count;
    const struct sch_d3d_word *words = sch_d3d_words(&count);
    for (size_t i = 0; i < count; i++) {
        if (words[i].vocabulary != vocabulary || !(bits & words[i].number)) continue;
        text(p, first);
        text(p, spelling(p, &words[i]));
        first = between;
    }
}

static void print_dimension(struct printer *p, const struct sch_d3d_op_info *info, uint32_t controls)
{
    const char *word = field_word(p, controls, SCH_D3D_FIELD_DIMENSION);
    bool counted = sch_d3d_has_field(info, SCH_D3D_FIELD_SAMPLES); /* of views those bits are others */
    uint32_t samples = counted ? sch_d3d_get(controls, SCH_D3D_FIELD_SAMPLES) : 0;
    text(p, word);
    if (samples || (counted && strstr(word, "2dms"))) sch_bytes_format(&p->out, "(%u)", samples);
}

static void print_interface(struct printer *p, const uint32_t *words)
{
    uint32_t tables = words[1] & 0xffff;
    sch_bytes_format(&p->out, "[%u][%u] = {", words[1] >> 16, words[0]);
    for (uint32_t i = 0; i < tables; i++) sch_bytes_format(&p->out, "%sft%u", i ? ", " : "", words[2 + i]);
    text(p, "}");
}

/* vkd3d says the components of ranges of untyped views. */
static void print_view_components(struct printer *p, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_operand *operand = &instruction->operands[0];
    bool view = operand->type == SCH_D3D_REGISTER_RESOURCE || operand->type == SCH_D3D_REGISTER_VIEW;
    bool typed = strstr(sch_d3d_op_info(instruction->opcode)->text, "%r") != NULL;
    bool all = operand->form == SCH_D3D_FORM_SWIZZLE && operand->select == SCH_D3D_SWIZZLE_XYZW;
    if (!is_fxc(p) && view && !typed && all && operand->index_count == 3) text(p, ".xyzw");
}

/* One letter of a template; goes after the plain words that it takes, unless they are the last ones. */
static void print_item(struct printer *p, const struct sch_d3d_instruction *instruction, char letter,
                       const uint32_t **words)
{
    uint32_t controls = instruction->controls;
    bool spaces = sch_d3d_has_spaces(p->shader->program);
    switch (letter) {
    case 'o':
        print_operand(p, &instruction->operands[0], 'O', '-');
        print_view_components(p, instruction);
        return;
    case 'n':
        sch_bytes_format(&p->out, "%u", *(*words)++);
        return;
    case 'f':
        sch_d3d_print_float(&p->out, *(*words)++, p->style);
        return;
    case 'v':
        text(p, word_of(p, SCH_D3D_WORDS_SYSTEM_VALUE, *(*words)++));
        return;
    case 'r':
        print_types(p, *(*words)++);
        return;
    case 'z':
        /* After a range, or after a blank: else it would be an index. */
        if (spaces)
            sch_bytes_format(&p->out, instruction->operands[0].index_count == 3 ? "[%u]" : " [%u]", *(*words)++);
        return;
    case 's':
        if (spaces) sch_bytes_format(&p->out, ", space=%u", *(*words)++);
        return;
    case 'b':
        for (uint32_t i = 0; i < **words; i++) sch_bytes_format(&p->out, "%sfb%u", i ? ", " : "", (*words)[1 + i]);
        return;
    case 't':
        print_interface(p, *words);
        return;
    case 'D':
        print_dimension(p, sch_d3d_op_info(instruction->opcode), controls);
        return;
    case 'F':
        print_bits(p, SCH_D3D_WORDS_FLAG, sch_d3d_get(controls, SCH_D3D_FIELD_FLAGS), " ", " | ");
        return;
    case 'G':
        if (sch_d3d_get(controls, SCH_D3D_FIELD_GLC)) text(p, "_glc");
        if (sch_d3d_get(controls, SCH_D3D_FIELD_ROV)) text(p, "_rov");
        if (sch_d3d_get(controls, SCH_D3D_FIELD_OPC)) text(p, "_opc");
        return;
    case 'C':
        sch_bytes_format(&p->out, "%u", sch_d3d_get(controls, SCH_D3D_FIELD_CONTROL_POINTS));
        return;
    case 'M': /* vkd3d says nothing of the default */
        if (is_fxc(p) || sch_d3d_get(controls, SCH_D3D_FIELD_SAMPLER))
            sch_bytes_format(&p->out, ", %s", field_word(p, controls, SCH_D3D_FIELD_SAMPLER));
        return;
    case 'I':
        if (sch_d3d_get(controls, SCH_D3D_FIELD_INTERPOLATION))
            sch_bytes_format(&p->out, " %s", field_word(p, controls, SCH_D3D_FIELD_INTERPOLATION));
        return;
    default: {
        enum sch_d3d_field field = sch_d3d_template_field(letter);
        if (field != SCH_D3D_FIELD_COUNT) text(p, field_word(p, controls, field));
        return;
    }
    }
}

static void print_declaration(struct printer *p, const struct sch_d3d_op_info *info,
                              const struct sch_d3d_instruction *instruction)
{
    const uint32_t *words = instruction->literals;
    for (const char *c = info->text; *c; c++) {
        if (*c != '%')
            sch_bytes_append(&p->out, c, 1);
        else
            print_item(p, instruction, *++c, &words);
    }
}

static void print_vectors(struct printer *p, const struct sch_d3d_instruction *instruction)
{
    text(p, is_fxc(p) ? "dcl_immediateConstantBuffer { " : "dcl_immediateConstantBuffer {\n");
    for (uint32_t i = 0; i < instruction->literal_count; i += 4) {
        const uint32_t *words = instruction->literals + i;
        if (is_fxc(p)) {
            text(p, i ? ",\n                              { " : "{ ");
            for (unsigned k = 0; k < 4; k++) {
                if (k) text(p, ", ");
                sch_d3d_print_untyped(&p->out, words[k], p->style);
            }
            text(p, "}");
        } else
            sch_bytes_format(&p->out, "    {0x%08x, 0x%08x, 0x%08x, 0x%08x},\n", words[0], words[1], words[2],
                             words[3]);
    }
    text(p, is_fxc(p) ? " }" : "}");
}

static void print_custom(struct printer *p, const struct sch_d3d_instruction *instruction)
{
    uint32_t kind = instruction->controls >> 11;
    const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_CUSTOM, kind);
    if (word && !strcmp(word->word, "immediateConstantBuffer")) {
        print_vectors(p, instruction);
        return;
    }
    sch_bytes_format(&p->out, "customdata %s {", word ? word->word : "");
    for (uint32_t i = 0; i < instruction->literal_count; i++)
        sch_bytes_format(&p->out, "%s0x%08x", i ? ", " : " ", instruction->literals[i]);
    text(p, " }");
}

static int offset_of(uint32_t extended, unsigned shift)
{
    int value = (int)(extended >> shift & 0xf);
    return value >= 8 ? value - 16 : value;
}

static void print_offset(struct printer *p, uint32_t extended)
{
    sch_bytes_format(&p->out, "(%d,%d,%d)", offset_of(extended, 9), offset_of(extended, 13), offset_of(extended, 17));
}

static void print_resource_dimension(struct printer *p, uint32_t extended)
{
    uint32_t dimension = extended >> 6 & 0x1f, stride = extended >> 11 & 0xfff;
    const char *word = word_of(p, SCH_D3D_WORDS_DIMENSION, dimension);
    if (!*word) word = word_of(p, SCH_D3D_WORDS_UNTYPED, dimension);
    sch_bytes_format(&p->out, "(%s", word);
    if (stride || !strcmp(word, "structured_buffer")) sch_bytes_format(&p->out, ", stride=%u", stride);
    text(p, ")");
}

static void print_precise(struct printer *p, uint32_t controls)
{
    uint32_t mask = sch_d3d_get(controls, SCH_D3D_FIELD_PRECISE);
    if (!mask) return;
    text(p, " [precise");
    if (mask != 0xf) {
        text(p, "(");
        for (unsigned i = 0; i < 4; i++)
            if (mask >> i & 1) sch_bytes_append(&p->out, &"xyzw"[i], 1);
        text(p, ")");
    }
    text(p, "]");
}

/* fxc: _aoffimmi_indexable(offset)(dimension)(types)_uint [precise]; types that are left out have no token. */
static void print_controls_fxc(struct printer *p, uint32_t controls, uint32_t offset, uint32_t dimension,
                               uint32_t types, const char *result)
{
    if (offset) text(p, "_aoffimmi");
    if (dimension || types) text(p, "_indexable");
    if (offset) print_offset(p, offset);
    if (dimension) print_resource_dimension(p, dimension);
    if (types)
        print_types(p, types >> 6);
    else if (dimension)
        text(p, "()");
    text(p, result);
    print_precise(p, controls);
}

/* vkd3d: _uint_indexable [precise](dimension)(offset)(types), types only where they are not all float. */
static void print_controls_vkd3d(struct printer *p, uint32_t controls, uint32_t offset, uint32_t dimension,
                                 uint32_t types, const char *result)
{
    enum { ALL_FLOAT = 0x5555 };
    text(p, result);
    if (dimension || types) text(p, "_indexable");
    print_precise(p, controls);
    if (dimension) print_resource_dimension(p, dimension);
    if (offset) print_offset(p, offset);
    if (types && types >> 6 != ALL_FLOAT) print_types(p, types >> 6);
}

static void print_controls(struct printer *p, const struct sch_d3d_op_info *info,
                           const struct sch_d3d_instruction *instruction)
{
    uint32_t controls = instruction->controls;
    uint32_t offset = sch_d3d_extended(instruction, SCH_D3D_EXTENDED_OFFSET);
    uint32_t dimension = sch_d3d_extended(instruction, SCH_D3D_EXTENDED_DIMENSION);
    uint32_t types = sch_d3d_extended(instruction, SCH_D3D_EXTENDED_RETURN);
    const char *result = "";
    if (sch_d3d_has_field(info, SCH_D3D_FIELD_TEST)) text(p, field_word(p, controls, SCH_D3D_FIELD_TEST));
    if (sch_d3d_has_field(info, SCH_D3D_FIELD_SYNC))
        print_bits(p, SCH_D3D_WORDS_SYNC, sch_d3d_get(controls, SCH_D3D_FIELD_SYNC), "", "");
    if (sch_d3d_has_field(info, SCH_D3D_FIELD_RESINFO)) result = field_word(p, controls, SCH_D3D_FIELD_RESINFO);
    if (sch_d3d_has_field(info, SCH_D3D_FIELD_UINT)) result = field_word(p, controls, SCH_D3D_FIELD_UINT);
    if (sch_d3d_has_field(info, SCH_D3D_FIELD_SAT) && sch_d3d_get(controls, SCH_D3D_FIELD_SAT)) text(p, "_sat");
    if (!sch_d3d_has_field(info, SCH_D3D_FIELD_PRECISE)) controls = 0;
    if (is_fxc(p))
        print_controls_fxc(p, controls, offset, dimension, types, result);
    else
        print_controls_vkd3d(p, controls, offset, dimension, types, result);
}

/* The number of a called function is where a last index would, after a blank where it could not be recognised. */
static void print_function(struct printer *p, const struct sch_d3d_instruction *instruction)
{
    unsigned indices = instruction->operands[0].index_count;
    sch_bytes_format(&p->out, indices == 1 || indices == 2 ? "[%u]" : " [%u]", instruction->literals[0]);
}

/* What the tokens have besides: words after the last operand, a length in a word of its own. */
static void print_extras(struct printer *p, const struct sch_d3d_instruction *instruction)
{
    if (!says_all(p)) return;
    if (instruction->long_length) text(p, " long");
    for (uint32_t i = 0; i < instruction->spare_count; i++)
        sch_bytes_format(&p->out, i ? ", 0x%08x" : " spare(0x%08x", instruction->spare[i]);
    if (instruction->spare_count) text(p, ")");
}

static void print_instruction(struct printer *p, const struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_op_info *info = sch_d3d_op_info(instruction->opcode);
    if (info->flags & SCH_D3D_F_DEDENT && p->depth) p->depth--;
    for (unsigned i = 0; i < p->depth && i < 64; i++) text(p, is_fxc(p) ? "  " : "    ");
    if (info->flags & SCH_D3D_F_INDENT) p->depth++;
    if (info->flags & SCH_D3D_F_CUSTOM) {
        print_custom(p, instruction);
        text(p, "\n");
        return;
    }
    text(p, !is_fxc(p) && *info->other ? info->other : info->word);
    if (info->flags & SCH_D3D_F_DECLARATION) {
        print_declaration(p, info, instruction);
    } else {
        print_controls(p, info, instruction);
        for (unsigned i = 0; i < instruction->operand_count; i++) {
            text(p, i ? ", " : " ");
            print_operand(p, &instruction->operands[i], sch_d3d_text_role(info, instruction->operands, i),
                          sch_d3d_operand_type(info, i));
        }
        if (info->flags & SCH_D3D_F_FCALL) print_function(p, instruction);
        /* fxc has the blank before operands also where there are none. */
        if (!instruction->operand_count && p->style == SCH_LISTING_FXC_DUMP) text(p, " ");
    }
    print_extras(p, instruction);
    text(p, "\n");
}

/* The register file of a signature's elements. */
static const char *signature_file(uint8_t stage, enum sch_signature_kind kind)
{
    if (kind == SCH_SIGNATURE_OUTPUT) return "o";
    if (kind == SCH_SIGNATURE_PATCH_CONSTANT) return stage == SCH_D3D_DOMAIN ? "vpc" : "o";
    return stage == SCH_D3D_DOMAIN ? "vicp" : "v";
}

/* A name that looks like its index, or that has other bytes than letters, digits and '_', is quoted. */
static void print_name(struct printer *p, const struct sch_d3d_signature_element *element)
{
    size_t length = strlen(element->name);
    bool plain = length && !sch_d3d_is_digit(element->name[length - 1]);
    for (size_t i = 0; i < length; i++) plain = plain && sch_d3d_is_word(element->name[i]);
    if (plain)
        text(p, element->name);
    else
        sch_d3d_print_quoted(&p->out, element->name);
    if (element->index) sch_bytes_format(&p->out, "%u", element->index);
}

static void print_mask(struct printer *p, unsigned mask)
{
    if (mask & 0xf) text(p, ".");
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1) sch_bytes_append(&p->out, &"xyzw"[i], 1);
}

static void print_element(struct printer *p, const struct sch_d3d_signature_element *element,
                          enum sch_signature_kind kind)
{
    uint8_t stage = p->shader->program->stage;
    uint32_t value = sch_d3d_system_value(element, stage, kind);
    bool written = sch_d3d_is_written(stage, kind);
    text(p, ".param ");
    print_name(p, element);
    if (element->reg != UINT32_MAX || is_fxc(p)) print_mask(p, element->mask);
    text(p, ", ");
    if (element->reg != UINT32_MAX) {
        sch_bytes_format(&p->out, "%s%u", signature_file(stage, kind), element->reg);
    } else {
        const char *word = word_of(p, SCH_D3D_WORDS_UNPLACED, value);
        /* The assembler takes a mask for granted where there is none, but not of "none". */
        text(p, *word && (element->mask & 0xf || !is_fxc(p)) ? word : "none");
    }
    if (element->reg != UINT32_MAX || is_fxc(p)) print_mask(p, written ? 0xfu & ~element->used : element->used);
    text(p, ", ");
    sch_d3d_print_numbered(&p->out, SCH_D3D_WORDS_COMPONENT, element->component_type);
    if (value || element->min_precision || element->stream) {
        text(p, ", ");
        /* Words from 64 on stand for names; a file that has the number itself keeps it. */
        if (element->system_value >= 64)
            sch_bytes_format(&p->out, "%u", element->system_value);
        else
            sch_d3d_print_numbered(&p->out, SCH_D3D_WORDS_SIGNATURE, value);
    }
    if (element->min_precision || element->stream) {
        text(p, ", ");
        sch_d3d_print_numbered(&p->out, SCH_D3D_WORDS_SIGNATURE_PRECISION, element->min_precision);
    }
    if (element->stream) sch_bytes_format(&p->out, ", m%u", element->stream);
    text(p, "\n");
}

static void print_signature(struct printer *p, enum sch_signature_kind kind)
{
    static const char *const titles[] = {".input\n", ".output\n", ".patch_constant\n"};
    const struct sch_d3d_signature *signature = &p->shader->signatures[kind];
    if (!signature->tag || (!is_fxc(p) && !signature->count)) return;
    text(p, titles[kind]);
    for (size_t i = 0; i < signature->count; i++) print_element(p, &signature->elements[i], kind);
}

static void print_features(struct printer *p)
{
    text(p, ".features");
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(p->shader->features >> bit & 1)) continue;
        const struct sch_d3d_word *word = sch_d3d_word_by_number(SCH_D3D_WORDS_FEATURE, bit);
        if (word)
            sch_bytes_format(&p->out, " %s", word->word);
        else
            sch_bytes_format(&p->out, " %u", bit);
    }
    text(p, "\n");
}

static void print_source(struct printer *p, enum sch_d3d_source source)
{
    const struct sch_d3d_program *program = p->shader->program;
    switch (source) {
    case SCH_D3D_SOURCE_PROGRAM:
        for (size_t i = 0; i < program->count; i++) print_instruction(p, &program->instructions[i]);
        break;
    case SCH_D3D_SOURCE_RESOURCES:
        if (p->shader->has_resources) sch_d3d_print_resources(&p->out, &p->shader->resources, program);
        break;
    case SCH_D3D_SOURCE_FEATURES:
        if (p->shader->has_features) print_features(p);
        break;
    default:
        print_signature(p, (enum sch_signature_kind)(source - SCH_D3D_SOURCE_INPUT));
    }
}

void sch_d3d_print_source(struct sch_bytes *out, const struct sch_d3d_shader *shader, enum sch_d3d_source source)
{
    struct printer p = {.out = *out, .shader = shader, .style = SCH_LISTING_FXC};
    print_source(&p, source);
    *out = p.out;
}

static void print_profile(struct printer *p)
{
    const struct sch_d3d_program *program = p->shader->program;
    if (sch_d3d_has_program(p->shader))
        sch_bytes_format(&p->out, "%s_%u_%u\n", word_of(p, SCH_D3D_WORDS_STAGE, program->stage), program->major,
                         program->minor);
    else
        text(p, "container\n");
}

static void print_listing(struct printer *p)
{
    bool dump = p->style == SCH_LISTING_FXC_DUMP && sch_d3d_has_program(p->shader);
    if (dump) sch_d3d_print_comments(&p->out, p->shader);
    print_profile(p);
    if (dump) {
        print_source(p, SCH_D3D_SOURCE_PROGRAM);
        return;
    }
    for (unsigned kind = 0; kind < SCH_D3D_SIGNATURE_COUNT; kind++) print_signature(p, (enum sch_signature_kind)kind);
    if (is_fxc(p)) {
        print_source(p, SCH_D3D_SOURCE_FEATURES);
        print_source(p, SCH_D3D_SOURCE_RESOURCES);
    }
    if (sch_d3d_has_program(p->shader)) text(p, ".text\n");
    print_source(p, SCH_D3D_SOURCE_PROGRAM);
    if (is_fxc(p) && p->shader->container) sch_d3d_print_chunks(&p->out, p->shader);
}

enum sch_result sch_d3d_print(const struct sch_d3d_shader *shader, enum sch_listing_style style,
                              const struct sch_allocator *allocator, char **result, size_t *bytes)
{
    struct printer p = {.out = {.allocator = allocator}, .shader = shader, .style = style};
    print_listing(&p);
    return sch_bytes_take_text(&p.out, result, bytes);
}

enum sch_result sch_d3d_print_instruction(const struct sch_d3d_shader *shader, size_t number,
                                          enum sch_listing_style style, const struct sch_allocator *allocator,
                                          char **result, size_t *bytes)
{
    const struct sch_d3d_program *program = shader->program;
    struct printer p = {.out = {.allocator = allocator}, .shader = shader, .style = style};
    for (size_t i = 0; i < number; i++) {
        const struct sch_d3d_op_info *info = sch_d3d_op_info(program->instructions[i].opcode);
        if (info->flags & SCH_D3D_F_DEDENT && p.depth) p.depth--;
        if (info->flags & SCH_D3D_F_INDENT) p.depth++;
    }
    print_instruction(&p, &program->instructions[number]);
    return sch_bytes_take_text(&p.out, result, bytes);
}
