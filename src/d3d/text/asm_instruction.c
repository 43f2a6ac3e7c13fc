/* Instructions and declarations from text: mnemonic, suffixes, groups in parentheses, operands; declarations by the
 * templates of d3d.def. */
#include "base/nearest.h"
#include "d3d/text/assembler.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The mnemonic that was perhaps meant; NULL: none is like it. */
static const char *nearest_mnemonic(const char *word, size_t bytes)
{
    const char *found = NULL;
    unsigned apart = UINT_MAX;
    for (unsigned opcode = 0; opcode < SCH_D3D_OP_LIMIT; opcode++) {
        const struct sch_d3d_op_info *info = sch_d3d_op_info(opcode);
        if (!info || info->flags & SCH_D3D_F_CUSTOM) continue;
        sch_nearest_try(word, bytes, info->word, &found, &apart);
        sch_nearest_try(word, bytes, info->other, &found, &apart);
    }
    return found;
}

/* The longest mnemonic at the cursor that ends where the word does or at one of its '_'. */
static const struct sch_d3d_op_info *take_mnemonic(struct sch_d3d_assembler *a)
{
    size_t length = sch_d3d_asm_word_length(a);
    for (size_t end = length; end > 0; end--) {
        if (end < length && a->at[end] != '_') continue;
        const struct sch_d3d_op_info *info = sch_d3d_op_find(a->at, end);
        if (!info || info->flags & SCH_D3D_F_CUSTOM) continue;
        a->at += end;
        return info;
    }
    const char *near = sch_diagnostics_keeps(a->diagnostics) ? nearest_mnemonic(a->at, length) : NULL;
    sch_d3d_asm_report(a, SCH_D_ASM_MNEMONIC, a->at, "no instruction is called %.*s%s%s%s",
                       length > 60 ? 60 : (int)length, a->at, near ? "; did you mean " : "", near ? near : "",
                       near ? "?" : "");
    return NULL;
}

static void set_field(struct sch_d3d_instruction *instruction, enum sch_d3d_field field, uint32_t value)
{
    instruction->controls |= sch_d3d_put(field, value);
}

/* A plain word of a declaration or a call. */
static void add_literal(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction, size_t *capacity,
                        uint32_t word)
{
    if (!SCH_ARENA_GROW(a->arena, instruction->literals, *capacity, instruction->literal_count)) {
        sch_d3d_asm_memory(a);
        return;
    }
    instruction->literals[instruction->literal_count++] = word;
}

static void add_extended(struct sch_d3d_instruction *instruction, enum sch_d3d_extended kind, uint32_t bits)
{
    unsigned at = 0;
    while (at < instruction->extended_count && (instruction->extended[at] & 0x3f) < (uint32_t)kind) at++;
    memmove(&instruction->extended[at + 1], &instruction->extended[at],
            (instruction->extended_count - at) * sizeof *instruction->extended);
    instruction->extended[at] = (uint32_t)kind | bits;
    instruction->extended_count++;
}

/* One word of a vocabulary as a field; false: none is there. */
static bool take_field(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction, enum sch_d3d_field field)
{
    const struct sch_d3d_word *word =
        sch_d3d_asm_vocabulary(a, (enum sch_d3d_vocabulary)sch_d3d_fields[field].vocabulary);
    if (word) set_field(instruction, field, word->number);
    return word != NULL;
}

static bool take_sync(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_word *word = sch_d3d_asm_vocabulary(a, SCH_D3D_WORDS_SYNC);
    if (word) set_field(instruction, SCH_D3D_FIELD_SYNC, word->number);
    return word != NULL;
}

/* "_sat", "_nz", "_uint", "_aoffimmi", "_indexable" ... The last two only announce groups. */
static void take_suffixes(struct sch_d3d_assembler *a, const struct sch_d3d_op_info *info,
                          struct sch_d3d_instruction *instruction, bool *tested)
{
    while (a->at < a->end && *a->at == '_') {
        bool resource = info->flags & SCH_D3D_F_RESOURCE;
        if (sch_d3d_has_field(info, SCH_D3D_FIELD_SAT) && sch_d3d_asm_take_suffix(a, "_sat"))
            instruction->controls |= sch_d3d_put(SCH_D3D_FIELD_SAT, 1);
        else if (resource && (sch_d3d_asm_take_suffix(a, "_aoffimmi") || sch_d3d_asm_take_suffix(a, "_indexable")))
            continue;
        else if (sch_d3d_has_field(info, SCH_D3D_FIELD_TEST) && !*tested &&
                 take_field(a, instruction, SCH_D3D_FIELD_TEST))
            *tested = true;
        else if (sch_d3d_has_field(info, SCH_D3D_FIELD_RESINFO) && take_field(a, instruction, SCH_D3D_FIELD_RESINFO))
            continue;
        else if (sch_d3d_has_field(info, SCH_D3D_FIELD_UINT) && take_field(a, instruction, SCH_D3D_FIELD_UINT))
            continue;
        else if (sch_d3d_has_field(info, SCH_D3D_FIELD_SYNC) && take_sync(a, instruction))
            continue;
        else
            sch_d3d_asm_report(a, SCH_D_ASM_SUFFIX, a->at, "%s has no such suffix", info->word);
    }
}

/* "[precise]", "[precise(xy)]" */
static void take_precise(struct sch_d3d_assembler *a, const struct sch_d3d_op_info *info,
                         struct sch_d3d_instruction *instruction)
{
    const char *begin = a->at++;
    uint8_t mask = 0xf;
    if (!sch_d3d_has_field(info, SCH_D3D_FIELD_PRECISE) || !sch_d3d_asm_take_word(a, "precise")) {
        sch_d3d_asm_report(a, SCH_D_ASM_SUFFIX, begin, "only [precise] is allowed here, on instructions that compute");
        return;
    }
    if (sch_d3d_asm_take(a, '(')) {
        static const char letters[] = "xyzw";
        const char *at = a->at;
        uint8_t components[4];
        unsigned count = 0;
        for (char c; (c = sch_d3d_asm_skip(a)) && strchr(letters, c) && count < 4; a->at++)
            components[count++] = (uint8_t)(strchr(letters, c) - letters);
        mask = sch_d3d_asm_mask(a, components, count, at);
        if (!count) sch_d3d_asm_report(a, SCH_D_ASM_COMPONENTS, at, "components are missing here");
        sch_d3d_asm_expect(a, ')');
    }
    if (sch_d3d_asm_expect(a, ']')) set_field(instruction, SCH_D3D_FIELD_PRECISE, mask);
}

static void take_offset(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    uint32_t bits = 0;
    unsigned count = 0;
    do {
        bool negative = sch_d3d_asm_take(a, '-');
        sch_d3d_asm_skip(a);
        const char *at = a->at;
        uint32_t value = (uint32_t)sch_d3d_asm_number(a, INT32_MAX);
        if (negative) value = 0 - value;
        if (value + 8 > 15 || count == 3) {
            sch_d3d_asm_report(a, SCH_D_ASM_NUMBER, at, "texel offsets are up to three numbers from -8 to 7");
            return;
        }
        bits |= (value & 0xf) << (9 + 4 * count++);
    } while (sch_d3d_asm_take(a, ','));
    add_extended(instruction, SCH_D3D_EXTENDED_OFFSET, bits);
}

static bool take_types(struct sch_d3d_assembler *a, uint32_t *types)
{
    *types = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (i && !sch_d3d_asm_expect(a, ',')) return false;
        const struct sch_d3d_word *word = sch_d3d_asm_vocabulary(a, SCH_D3D_WORDS_RETURN);
        if (!word) {
            sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at,
                               "four return types are needed: unorm, snorm, sint, uint, "
                               "float, mixed, double");
            return false;
        }
        *types |= (uint32_t)word->number << (4 * i);
    }
    return true;
}

/* Dimension, perhaps with ", stride = N". */
static bool take_dimension(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_word *word = sch_d3d_asm_vocabulary(a, SCH_D3D_WORDS_DIMENSION);
    uint64_t stride = 0;
    if (!word) word = sch_d3d_asm_vocabulary(a, SCH_D3D_WORDS_UNTYPED);
    if (!word) return false;
    if (sch_d3d_asm_take(a, ',')) {
        if (sch_d3d_asm_take_word(a, "stride") && sch_d3d_asm_expect(a, '='))
            stride = sch_d3d_asm_number(a, 0xfff);
        else
            sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at, "only a stride may follow the dimension");
    }
    add_extended(instruction, SCH_D3D_EXTENDED_DIMENSION, (uint32_t)word->number << 6 | (uint32_t)stride << 11);
    return true;
}

/* "(u,v,w)", "(texture2d)", "(float,float,float,float)" in any order; "()" says that there are no types. */
static void take_group(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction, bool *no_types)
{
    const char *begin = a->at++;
    enum sch_d3d_extended kind = SCH_D3D_EXTENDED_RETURN;
    uint32_t before = 0;
    char c = sch_d3d_asm_skip(a);
    if (c == ')') {
        *no_types = true;
    } else if (c == '-' || sch_d3d_is_digit(c)) {
        kind = SCH_D3D_EXTENDED_OFFSET;
        before = sch_d3d_extended(instruction, kind);
        if (!before) take_offset(a, instruction);
    } else {
        before = sch_d3d_extended(instruction, SCH_D3D_EXTENDED_DIMENSION);
        if (before || !take_dimension(a, instruction)) {
            uint32_t types;
            before = sch_d3d_extended(instruction, kind);
            if (!before && take_types(a, &types)) add_extended(instruction, kind, types << 6);
        }
    }
    if (before) sch_d3d_asm_report(a, SCH_D_ASM_SUFFIX, begin, "this is repeated");
    sch_d3d_asm_expect(a, ')');
}

static void take_controls(struct sch_d3d_assembler *a, const struct sch_d3d_op_info *info,
                          struct sch_d3d_instruction *instruction)
{
    enum { ALL_FLOAT = 0x5555 };
    bool tested = !sch_d3d_has_field(info, SCH_D3D_FIELD_TEST), no_types = false;
    for (bool more = true; more && !a->bad;) {
        take_suffixes(a, info, instruction, &tested);
        char c = sch_d3d_asm_skip(a);
        if (c == '[')
            take_precise(a, info, instruction);
        else if (c == '(' && info->flags & SCH_D3D_F_RESOURCE)
            take_group(a, instruction, &no_types);
        else
            more = c == '_';
    }
    if (!tested) sch_d3d_asm_report(a, SCH_D_ASM_SUFFIX, a->at, "%s ends in _z or _nz", info->word);
    /* vkd3d leaves types out that are all float. */
    if (!no_types && sch_d3d_extended(instruction, SCH_D3D_EXTENDED_DIMENSION) &&
        !sch_d3d_extended(instruction, SCH_D3D_EXTENDED_RETURN))
        add_extended(instruction, SCH_D3D_EXTENDED_RETURN, ALL_FLOAT << 6);
}

/* The last bracket of a call, or one after the operand, is the function's number, a word of its own in the tokens. */
static void split_call(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    struct sch_d3d_operand *operand = &instruction->operands[0];
    size_t capacity = 0;
    if (sch_d3d_asm_take(a, '[')) {
        add_literal(a, instruction, &capacity, (uint32_t)sch_d3d_asm_number(a, UINT32_MAX));
        sch_d3d_asm_expect(a, ']');
        return;
    }
    if (operand->index_count < 2 || operand->index[operand->index_count - 1].parts != SCH_D3D_INDEX_VALUE)
        sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, a->at, "a call is fcall fp#[index][function]");
    else
        add_literal(a, instruction, &capacity, (uint32_t)operand->index[--operand->index_count].value);
}

static bool make_operands(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction, unsigned count)
{
    instruction->operand_count = (uint8_t)count;
    instruction->operands = SCH_ARENA_ARRAY(a->arena, struct sch_d3d_operand, count ? count : 1);
    if (!instruction->operands) sch_d3d_asm_memory(a);
    return instruction->operands != NULL;
}

static void take_ordinary(struct sch_d3d_assembler *a, const struct sch_d3d_op_info *info,
                          struct sch_d3d_instruction *instruction)
{
    take_controls(a, info, instruction);
    unsigned count = sch_d3d_operand_count(info);
    if (!make_operands(a, instruction, count)) return;
    for (unsigned i = 0; i < count; i++) {
        if (i && !sch_d3d_asm_expect(a, ',')) return;
        sch_d3d_asm_operand(a, &instruction->operands[i], sch_d3d_text_role(info, instruction->operands, i), 0);
    }
    if (info->flags & SCH_D3D_F_FCALL) split_call(a, instruction);
}

/* A list of registers `file`# between braces, after its count. */
static void take_list(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction, size_t *capacity,
                      const char *file, uint32_t most)
{
    uint32_t place = instruction->literal_count, count = 0;
    add_literal(a, instruction, capacity, 0);
    while (!a->bad && sch_d3d_asm_skip(a) != '}') {
        if (count && !sch_d3d_asm_expect(a, ',')) return;
        sch_d3d_asm_skip(a);
        if ((size_t)(a->end - a->at) < strlen(file) || strncasecmp(a->at, file, strlen(file))) {
            sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, a->at, "%s# is expected here", file);
            return;
        }
        a->at += strlen(file);
        add_literal(a, instruction, capacity, (uint32_t)sch_d3d_asm_number(a, UINT32_MAX));
        if (count++ == most) sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, a->at, "too many of them");
    }
    if (!a->bad) instruction->literals[place] |= count;
}

/* "[size][sites] = {ft0, ft1": the closing brace is the template's or taken here. */
static void take_interface(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction, size_t *capacity)
{
    uint64_t size = 0, sites = 0;
    if (sch_d3d_asm_expect(a, '[')) size = sch_d3d_asm_number(a, 0xffff);
    if (sch_d3d_asm_expect(a, ']') && sch_d3d_asm_expect(a, '[')) sites = sch_d3d_asm_number(a, UINT32_MAX);
    if (!sch_d3d_asm_expect(a, ']') || !sch_d3d_asm_expect(a, '=') || !sch_d3d_asm_expect(a, '{')) return;
    add_literal(a, instruction, capacity, (uint32_t)sites);
    uint32_t place = instruction->literal_count;
    take_list(a, instruction, capacity, "ft", 0xfffe);
    if (a->bad) return;
    instruction->literals[place] |= (uint32_t)size << 16;
    sch_d3d_asm_expect(a, '}');
}

/* Whether a word of take_extras follows. */
static bool extras_follow(struct sch_d3d_assembler *a)
{
    const char *before = a->at;
    bool follow = sch_d3d_asm_take_word(a, "long") || sch_d3d_asm_take_word(a, "spare");
    a->at = before;
    return follow;
}

static void take_flags(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    if (!sch_d3d_asm_skip(a) || extras_follow(a)) return;
    do {
        const struct sch_d3d_word *word = sch_d3d_asm_vocabulary(a, SCH_D3D_WORDS_FLAG);
        if (word)
            set_field(instruction, SCH_D3D_FIELD_FLAGS, word->number);
        else
            sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at, "no global flag is called so");
    } while (sch_d3d_asm_take(a, '|'));
}

static void take_view_flags(struct sch_d3d_assembler *a, const struct sch_d3d_op_info *info,
                            struct sch_d3d_instruction *instruction)
{
    static const struct {
        const char *suffix;
        enum sch_d3d_field field;
    } rows[] = {{"_glc", SCH_D3D_FIELD_GLC}, {"_rov", SCH_D3D_FIELD_ROV}, {"_opc", SCH_D3D_FIELD_OPC}};
    while (a->at < a->end && *a->at == '_') {
        bool found = false;
        for (size_t i = 0; i < sizeof rows / sizeof *rows && !found; i++) {
            found = sch_d3d_has_field(info, rows[i].field) && sch_d3d_asm_take_suffix(a, rows[i].suffix);
            if (found) set_field(instruction, rows[i].field, 1);
        }
        if (!found) sch_d3d_asm_report(a, SCH_D_ASM_SUFFIX, a->at, "%s has no such suffix", info->word);
    }
}

static void take_sampled_dimension(struct sch_d3d_assembler *a, const struct sch_d3d_op_info *info,
                                   struct sch_d3d_instruction *instruction)
{
    if (!take_field(a, instruction, SCH_D3D_FIELD_DIMENSION)) {
        sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at, "no dimension is called so");
        return;
    }
    if (!sch_d3d_has_field(info, SCH_D3D_FIELD_SAMPLES) || a->at >= a->end || *a->at != '(') return;
    a->at++;
    set_field(instruction, SCH_D3D_FIELD_SAMPLES, (uint32_t)sch_d3d_asm_number(a, 127));
    sch_d3d_asm_expect(a, ')');
}

/* ", space=N" may be left out: 0. */
static uint32_t take_space(struct sch_d3d_assembler *a)
{
    if (!sch_d3d_asm_take(a, ',')) return 0;
    if (!sch_d3d_asm_take_word(a, "space"))
        sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at, "only the register space may follow here: space=N");
    sch_d3d_asm_expect(a, '=');
    return (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
}

/* ", mode_default": may be left out, and a register space may follow instead. */
static void take_sampler_mode(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    const char *before = a->at;
    if (sch_d3d_asm_take(a, ',') && !take_field(a, instruction, SCH_D3D_FIELD_SAMPLER)) a->at = before;
}

static char without_case(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Whether a word is the name, its case and the name's '_' left out, as RenderDoc writes it. */
static bool is_joined(const char *word, size_t bytes, const char *name)
{
    size_t at = 0;
    for (; *name; name++) {
        if (*name == '_') continue;
        if (at == bytes || without_case(word[at]) != without_case(*name)) return false;
        at++;
    }
    return at == bytes && bytes;
}

/* A system value in RenderDoc's spelling (vertexid, isfrontface, sampleidx), or NULL. */
static const struct sch_d3d_word *take_joined_value(struct sch_d3d_assembler *a)
{
    size_t count;
    const size_t length = sch_d3d_asm_word_length(a);
    const struct sch_d3d_word *words = sch_d3d_words(&count);
    for (size_t i = 0; i < count; i++) {
        if (words[i].vocabulary != SCH_D3D_WORDS_SYSTEM_VALUE) continue;
        const bool sample = !strcmp(words[i].word, "sampleIndex") && is_joined(a->at, length, "sampleidx");
        if (!sample && !is_joined(a->at, length, words[i].word) && !is_joined(a->at, length, words[i].other)) continue;
        a->at += length;
        return &words[i];
    }
    return NULL;
}

static void take_value(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction, size_t *capacity)
{
    const struct sch_d3d_word *word = sch_d3d_asm_vocabulary(a, SCH_D3D_WORDS_SYSTEM_VALUE);
    if (!word) word = take_joined_value(a);
    if (word)
        add_literal(a, instruction, capacity, word->number);
    else
        sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at, "no system value is called so");
}

static void take_word_field(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction, char letter)
{
    enum sch_d3d_field field = sch_d3d_template_field(letter);
    bool optional = letter == 'I' || letter == 'Y'; /* the words of 0 are empty */
    if (!take_field(a, instruction, field) && !optional)
        sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at, "no %s is called so", sch_d3d_fields[field].name);
}

/* One letter of a template. */
static void take_item(struct sch_d3d_assembler *a, const struct sch_d3d_op_info *info,
                      struct sch_d3d_instruction *instruction, size_t *capacity, char letter)
{
    bool spaces = sch_d3d_has_spaces(a->shader->program);
    uint32_t types;
    switch (letter) {
    case 'o':
        if (make_operands(a, instruction, 1)) sch_d3d_asm_operand(a, &instruction->operands[0], 'O', 0);
        break;
    case 'n':
        add_literal(a, instruction, capacity, (uint32_t)sch_d3d_asm_number(a, UINT32_MAX));
        break;
    case 'f':
        add_literal(a, instruction, capacity, (uint32_t)sch_d3d_asm_value(a, false));
        break;
    case 'v':
        take_value(a, instruction, capacity);
        break;
    case 'r':
        if (sch_d3d_asm_expect(a, '(') && take_types(a, &types) && sch_d3d_asm_expect(a, ')'))
            add_literal(a, instruction, capacity, types);
        break;
    case 'z':
        if (!spaces || !sch_d3d_asm_expect(a, '[')) break;
        add_literal(a, instruction, capacity, (uint32_t)sch_d3d_asm_number(a, UINT32_MAX));
        sch_d3d_asm_expect(a, ']');
        break;
    case 's':
        if (spaces) add_literal(a, instruction, capacity, take_space(a));
        break;
    case 'b':
        take_list(a, instruction, capacity, "fb", UINT32_MAX);
        break;
    case 't':
        take_interface(a, instruction, capacity);
        break;
    case 'D':
        take_sampled_dimension(a, info, instruction);
        break;
    case 'F':
        take_flags(a, instruction);
        break;
    case 'G':
        take_view_flags(a, info, instruction);
        break;
    case 'C':
        set_field(instruction, SCH_D3D_FIELD_CONTROL_POINTS, (uint32_t)sch_d3d_asm_number(a, 63));
        break;
    case 'M':
        take_sampler_mode(a, instruction);
        break;
    default:
        take_word_field(a, instruction, letter);
    }
}

/* A template: other characters than letters after '%' are in the text, blanks for any number of blanks. A size in
 * brackets after a range of registers is not part of the operand. */
static void take_declaration(struct sch_d3d_assembler *a, const struct sch_d3d_op_info *info,
                             struct sch_d3d_instruction *instruction)
{
    size_t capacity = 0;
    for (const char *c = info->text; *c && !a->bad; c++) {
        if (*c == '%') {
            take_item(a, info, instruction, &capacity, *++c);
        } else if (*c == ' ') {
            sch_d3d_asm_skip(a);
        } else if (*c >= 'a' && *c <= 'z') {
            if (a->at < a->end && (*a->at | 0x20) == *c)
                a->at++;
            else
                sch_d3d_asm_report(a, SCH_D_ASM_PUNCTUATION, a->at, "a '%c' is missing here", *c);
        } else
            sch_d3d_asm_expect(a, *c);
    }
}

/* "{ { a, b, c, d }, ... }" or "{ a, b, ... }": numbers between braces, over any number of lines. */
static void take_words(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    size_t capacity = 0;
    unsigned depth = 0;
    for (bool first = true; !a->bad; first = false) {
        char c = sch_d3d_asm_skip_lines(a);
        if (c == '{' && depth < 2) {
            a->at++;
            depth++;
        } else if (c == '}' && depth) {
            a->at++;
            if (!--depth) return;
        } else if (c == ',' && depth) {
            a->at++;
        } else if (first || !c || !depth) {
            sch_d3d_asm_report(a, SCH_D_ASM_PUNCTUATION, a->at, "numbers between braces are expected");
        } else if (instruction->literal_count / 4 >= a->limits->declarations) {
            sch_d3d_asm_report(a, SCH_D_D3D_LIMIT, a->at, "too many numbers");
        } else
            add_literal(a, instruction, &capacity, (uint32_t)sch_d3d_asm_value(a, false));
    }
}

/* The immediate constant buffer and other custom data have mnemonics of their own. */
static bool take_custom(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    const struct sch_d3d_word *word = NULL;
    const char *begin = a->at;
    if (sch_d3d_asm_take_word(a, "dcl_immediateConstantBuffer")) {
        word = sch_d3d_word_find(SCH_D3D_WORDS_CUSTOM, "immediateConstantBuffer", 23);
    } else if (sch_d3d_asm_take_word(a, "customdata")) {
        word = sch_d3d_asm_vocabulary(a, SCH_D3D_WORDS_CUSTOM);
        if (!word) sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at, "no class of custom data is called so");
    } else
        return false;
    if (!word) return true;
    instruction->opcode = SCH_D3D_OP_CUSTOMDATA;
    instruction->controls = (uint32_t)word->number << 11;
    take_words(a, instruction);
    if (!a->bad && !strcmp(word->word, "immediateConstantBuffer") && instruction->literal_count % 4)
        sch_d3d_asm_report(a, SCH_D_ASM_OPERAND, begin, "an immediate constant buffer has whole vectors");
    return true;
}

/* "spare(0x00000000)": words after the last operand. */
static void take_spare(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    size_t capacity = 0;
    if (!sch_d3d_asm_expect(a, '(')) return;
    do {
        uint32_t word = (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
        if (!SCH_ARENA_GROW(a->arena, instruction->spare, capacity, instruction->spare_count)) {
            sch_d3d_asm_memory(a);
            return;
        }
        instruction->spare[instruction->spare_count++] = word;
    } while (sch_d3d_asm_take(a, ','));
    sch_d3d_asm_expect(a, ')');
}

/* What tokens have that says nothing, at the end of the line. */
static void take_extras(struct sch_d3d_assembler *a, struct sch_d3d_instruction *instruction)
{
    if (instruction->opcode == SCH_D3D_OP_CUSTOMDATA) return;
    if (sch_d3d_asm_take_word(a, "long")) instruction->long_length = true;
    if (sch_d3d_asm_take_word(a, "spare")) take_spare(a, instruction);
}

void sch_d3d_asm_instruction(struct sch_d3d_assembler *a)
{
    struct sch_d3d_program *program = a->shader->program;
    struct sch_d3d_instruction made = {.position = {.line = a->line,
                                                    .column = (uint32_t)(a->at - a->line_begin) + 1,
                                                    .offset = (uint64_t)(a->at - a->text)}};
    if (program->count >= (size_t)a->limits->instructions + a->limits->declarations) {
        sch_d3d_asm_report(a, SCH_D_D3D_LIMIT, a->at, "more than %zu instructions", program->count);
        return;
    }
    if (!take_custom(a, &made)) {
        const struct sch_d3d_op_info *info = take_mnemonic(a);
        if (!info) return;
        made.opcode = info->opcode;
        if (info->flags & SCH_D3D_F_DECLARATION)
            take_declaration(a, info, &made);
        else
            take_ordinary(a, info, &made);
    }
    take_extras(a, &made);
    if (a->bad) return;
    if (!SCH_ARENA_GROW(a->arena, program->instructions, program->capacity, program->count)) {
        sch_d3d_asm_memory(a);
        return;
    }
    program->instructions[program->count++] = made;
}
