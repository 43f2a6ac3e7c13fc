/* From tokens to a program. An instruction is where its length says, whatever its operands use; every word that is
 * looked at lies inside of it. */
#include "d3d/dxbc/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/errors.h"

enum { VERSION_WORDS = 2, LENGTH_SHIFT = 24, LENGTH_MASK = 0x7f };

#define MORE           (1u << 31)
#define CONTROL_BITS   0x00fff800u
#define SAMPLE_BITS    0x001ffe3fu /* kind, three offsets */
#define DIMENSION_BITS 0x007fffffu /* kind, dimension, stride */
#define RETURN_BITS    0x003fffffu /* kind, four types */
#define OPERAND_BITS   0x0003ffffu /* kind, modifier, precision, non-uniform */

/* Where decoding is; `end` is the end of the instruction. */
struct decoder {
    struct sch_d3d_program *program;
    struct sch_diagnostics *diagnostics;
    const char *chunk;
    uint64_t offset;
    const uint32_t *words;
    size_t at, end;
    enum sch_result status;
};

static void fail(struct decoder *d, enum sch_diagnostic_code code, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void fail(struct decoder *d, enum sch_diagnostic_code code, size_t at, const char *format, ...)
{
    if (d->status != SCH_OK) return;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    d->status = code == SCH_D_D3D_LIMIT ? SCH_ERROR_LIMIT : SCH_ERROR_INVALID;
    sch_diagnostics_add(d->diagnostics, SCH_SEVERITY_ERROR, code, (struct sch_position){.offset = d->offset + 4 * at},
                        "%s: %s", d->chunk, message);
}

/* Memory of the program; false has set the status. */
static void *take(struct decoder *d, size_t count, size_t each, size_t align)
{
    void *memory = sch_arena_array(&d->program->arena, count ? count : 1, each, align);
    if (!memory && d->status == SCH_OK) d->status = SCH_ERROR_MEMORY;
    return memory;
}

/* The next word of the instruction; 0 and a failure past its end. */
static uint32_t next(struct decoder *d)
{
    if (d->at < d->end) return d->words[d->at++];
    fail(d, SCH_D_D3D_LENGTH, d->at, "the instruction ends before its operands do");
    return 0;
}

static void decode_extended_operand(struct decoder *d, struct sch_d3d_operand *operand)
{
    size_t at = d->at;
    uint32_t word = next(d);
    if (d->status != SCH_OK) return;
    if ((word & 0x3f) != 1 || word & ~OPERAND_BITS)
        fail(d, SCH_D_D3D_RESERVED, at, "an extended operand token 0x%08x that is not known", word);
    uint32_t modifier = word >> 6 & 0xff, precision = word >> 14 & 7;
    if (modifier > 3) fail(d, SCH_D_D3D_NUMBER, at, "operand modifier %u does not exist", modifier);
    if (precision && !sch_d3d_word_by_number(SCH_D3D_WORDS_PRECISION, precision))
        fail(d, SCH_D_D3D_NUMBER, at, "minimum precision %u does not exist", precision);
    operand->extended = true;
    operand->modifier = (uint8_t)modifier;
    operand->precision = (uint8_t)precision;
    operand->nonuniform = word >> 17 & 1;
}

/* The form of the operand; returns the token's bits that belong to it. */
static uint32_t decode_form(struct decoder *d, uint32_t token, struct sch_d3d_operand *operand)
{
    enum { COUNT = 0x3, SELECTED = 0x3f, MASKED = 0xff, SWIZZLED = 0xfff };
    switch (token & 3) {
    case 0:
        operand->form = SCH_D3D_FORM_NONE;
        return COUNT;
    case 1:
        operand->form = SCH_D3D_FORM_SCALAR;
        return COUNT;
    case 2:
        break;
    default:
        fail(d, SCH_D_D3D_OPERAND, d->at - 1, "an operand with a count of components that is reserved");
        return COUNT;
    }
    switch (token >> 2 & 3) {
    case 0:
        operand->form = SCH_D3D_FORM_MASK;
        operand->select = token >> 4 & 0xf;
        return MASKED;
    case 1:
        operand->form = SCH_D3D_FORM_SWIZZLE;
        operand->select = token >> 4 & 0xff;
        return SWIZZLED;
    case 2:
        operand->form = SCH_D3D_FORM_SELECT;
        operand->select = token >> 4 & 3;
        return SELECTED;
    default:
        fail(d, SCH_D_D3D_OPERAND, d->at - 1, "an operand with a selection mode that is reserved");
        return COUNT;
    }
}

static void decode_operand(struct decoder *d, struct sch_d3d_operand *operand, unsigned depth);

static void decode_index(struct decoder *d, uint32_t representation, struct sch_d3d_index *index, unsigned depth)
{
    static const uint8_t parts[] = {SCH_D3D_INDEX_VALUE, SCH_D3D_INDEX_VALUE | SCH_D3D_INDEX_WIDE,
                                    SCH_D3D_INDEX_RELATIVE, SCH_D3D_INDEX_VALUE | SCH_D3D_INDEX_RELATIVE,
                                    SCH_D3D_INDEX_VALUE | SCH_D3D_INDEX_WIDE | SCH_D3D_INDEX_RELATIVE};
    if (representation >= sizeof parts) {
        fail(d, SCH_D_D3D_OPERAND, d->at, "an index with a representation that is reserved");
        return;
    }
    index->parts = parts[representation];
    if (index->parts & SCH_D3D_INDEX_VALUE) index->value = next(d);
    /* Wide values: the high word first (D3D's names: the first is the high one). */
    if (index->parts & SCH_D3D_INDEX_WIDE) index->value = index->value << 32 | next(d);
    if (!(index->parts & SCH_D3D_INDEX_RELATIVE) || d->status != SCH_OK) return;
    if (depth >= SCH_D3D_MAX_DEPTH) {
        fail(d, SCH_D_D3D_OPERAND, d->at, "indices are nested more than %d deep", SCH_D3D_MAX_DEPTH);
        return;
    }
    index->relative = take(d, 1, sizeof *index->relative, alignof(struct sch_d3d_operand));
    if (index->relative) decode_operand(d, index->relative, depth + 1);
}

static void decode_values(struct decoder *d, struct sch_d3d_operand *operand)
{
    bool one = operand->form == SCH_D3D_FORM_SCALAR;
    if (operand->form == SCH_D3D_FORM_NONE) {
        fail(d, SCH_D_D3D_OPERAND, d->at - 1, "an immediate without components");
        return;
    }
    operand->value_count = !one ? 4 : operand->type == SCH_D3D_REGISTER_IMMEDIATE64 ? 2 : 1;
    for (unsigned i = 0; i < operand->value_count; i++) operand->values[i] = next(d);
}

static void decode_operand(struct decoder *d, struct sch_d3d_operand *operand, unsigned depth)
{
    size_t at = d->at;
    uint32_t token = next(d);
    if (d->status != SCH_OK) return;
    uint32_t known = decode_form(d, token, operand) | 0xffu << 12 | 3u << 20 | MORE;
    operand->type = (uint8_t)(token >> 12);
    operand->index_count = token >> 20 & 3;
    for (unsigned i = 0; i < operand->index_count; i++) known |= 7u << (22 + 3 * i);
    if (d->status != SCH_OK) return;
    if (token & ~known) fail(d, SCH_D_D3D_RESERVED, at, "reserved bits of operand token 0x%08x are set", token);
    if (!sch_d3d_register_info(operand->type))
        fail(d, SCH_D_D3D_NUMBER, at, "operand type %u does not exist", operand->type);
    if (token & MORE) decode_extended_operand(d, operand);
    if (d->status != SCH_OK) return;
    if (operand->type == SCH_D3D_REGISTER_IMMEDIATE32 || operand->type == SCH_D3D_REGISTER_IMMEDIATE64) {
        if (operand->index_count) fail(d, SCH_D_D3D_OPERAND, at, "an immediate with an index");
        decode_values(d, operand);
        return;
    }
    for (unsigned i = 0; i < operand->index_count && d->status == SCH_OK; i++)
        decode_index(d, token >> (22 + 3 * i) & 7, &operand->index[i], depth);
}

static bool types_are_known(uint32_t types)
{
    for (unsigned i = 0; i < 4; i++)
        if (!sch_d3d_word_by_number(SCH_D3D_WORDS_RETURN, types >> (4 * i) & 0xf)) return false;
    return true;
}

static void decode_extended_opcode(struct decoder *d, struct sch_d3d_instruction *instruction)
{
    static const uint32_t known[] = {0, SAMPLE_BITS, DIMENSION_BITS, RETURN_BITS};
    const struct sch_d3d_op_info *info = sch_d3d_op_info(instruction->opcode);
    for (bool more = true; more && d->status == SCH_OK;) {
        size_t at = d->at;
        uint32_t word = next(d), kind = word & 0x3f;
        more = word & MORE;
        word &= ~MORE;
        if (kind < 1 || kind > 3 || word & ~known[kind])
            fail(d, SCH_D_D3D_RESERVED, at, "an extended opcode token 0x%08x that is not known", word);
        else if (!(info->flags & SCH_D3D_F_RESOURCE))
            fail(d, SCH_D_D3D_EXTENDED, at, "%s takes no extended opcode tokens", info->word);
        else if (sch_d3d_extended(instruction, (enum sch_d3d_extended)kind))
            fail(d, SCH_D_D3D_EXTENDED, at, "two extended opcode tokens of kind %u", kind);
        else if (kind == SCH_D3D_EXTENDED_DIMENSION &&
                 !sch_d3d_word_by_number(SCH_D3D_WORDS_DIMENSION, word >> 6 & 0x1f) &&
                 !sch_d3d_word_by_number(SCH_D3D_WORDS_UNTYPED, word >> 6 & 0x1f))
            fail(d, SCH_D_D3D_NUMBER, at, "resource dimension %u does not exist", word >> 6 & 0x1f);
        else if (kind == SCH_D3D_EXTENDED_RETURN && !types_are_known(word >> 6))
            fail(d, SCH_D_D3D_NUMBER, at, "return types 0x%04x do not exist", word >> 6);
        else
            instruction->extended[instruction->extended_count++] = word;
    }
}

static void check_controls(struct decoder *d, const struct sch_d3d_op_info *info, uint32_t token, size_t at)
{
    uint32_t reserved = token & CONTROL_BITS & ~sch_d3d_field_bits(info);
    if (reserved) fail(d, SCH_D_D3D_RESERVED, at, "reserved bits 0x%08x of %s are set", reserved, info->word);
    for (uint32_t left = info->fields; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        enum sch_d3d_vocabulary vocabulary = (enum sch_d3d_vocabulary)sch_d3d_fields[i].vocabulary;
        if (vocabulary == SCH_D3D_WORDS_NONE) continue;
        uint32_t value = sch_d3d_get(token, (enum sch_d3d_field)i);
        if (!sch_d3d_word_by_number(vocabulary, value))
            fail(d, SCH_D_D3D_NUMBER, at, "%s: %s %u does not exist", info->word, sch_d3d_fields[i].name, value);
    }
}

/* A declaration: its operand, if it has one, then plain words in the order in which its text names them. */
static void decode_literals(struct decoder *d, const struct sch_d3d_op_info *info,
                            struct sch_d3d_instruction *instruction)
{
    size_t most = d->end - d->at;
    instruction->literals = take(d, most, sizeof(uint32_t), alignof(uint32_t));
    if (!instruction->literals) return;
    bool spaces = sch_d3d_has_spaces(d->program);
    if (instruction->operand_count) decode_operand(d, &instruction->operands[0], 0);
    for (const char *c = info->text; *c && d->status == SCH_OK; c++) {
        if (*c != '%') continue;
        uint32_t count = 0;
        size_t at = d->at;
        switch (*++c) {
        case 'n':
        case 'f':
        case 'v':
        case 'r':
            count = 1;
            break;
        case 'z':
        case 's':
            count = spaces;
            break;
        case 'b': /* a count and as many numbers */
            count = at < d->end ? d->words[at] : 0;
            count = count < most ? count + 1 : UINT32_MAX;
            break;
        case 't': /* call sites, array size and count of tables, their numbers */
            count = at + 1 < d->end ? (d->words[at + 1] & 0xffff) + 2 : UINT32_MAX;
            break;
        default:
            continue;
        }
        if (count > d->end - d->at) {
            fail(d, SCH_D_D3D_LENGTH, at, "%s is cut off", info->word);
            return;
        }
        if (*c == 'r' && (d->words[at] >> 16 || !types_are_known(d->words[at])))
            fail(d, SCH_D_D3D_NUMBER, at, "return types 0x%08x do not exist", d->words[at]);
        if (*c == 'v' && !sch_d3d_word_by_number(SCH_D3D_WORDS_SYSTEM_VALUE, d->words[at]))
            fail(d, SCH_D_D3D_NUMBER, at, "system value %u does not exist", d->words[at]);
        for (uint32_t i = 0; i < count; i++) instruction->literals[instruction->literal_count++] = next(d);
    }
}

static void decode_custom(struct decoder *d, struct sch_d3d_instruction *instruction, size_t begin)
{
    uint32_t kind = d->words[begin] >> 11;
    if (!sch_d3d_word_by_number(SCH_D3D_WORDS_CUSTOM, kind)) {
        fail(d, SCH_D_D3D_NUMBER, begin, "custom data of class %u does not exist", kind);
        return;
    }
    instruction->controls = kind << 11;
    instruction->literal_count = (uint32_t)(d->end - d->at);
    if (kind == 3 && instruction->literal_count % 4)
        fail(d, SCH_D_D3D_LENGTH, begin, "an immediate constant buffer has whole vectors");
    instruction->literals = take(d, instruction->literal_count, sizeof(uint32_t), alignof(uint32_t));
    for (uint32_t i = 0; i < instruction->literal_count && d->status == SCH_OK; i++) instruction->literals[i] = next(d);
}

static void decode_body(struct decoder *d, const struct sch_d3d_op_info *info, struct sch_d3d_instruction *instruction,
                        uint32_t token, size_t begin)
{
    check_controls(d, info, token, begin);
    instruction->controls = token & CONTROL_BITS;
    if (token & MORE) decode_extended_opcode(d, instruction);
    unsigned operands = sch_d3d_operand_count(info);
    instruction->operand_count = (uint8_t)operands;
    instruction->operands = take(d, operands, sizeof *instruction->operands, alignof(struct sch_d3d_operand));
    if (!instruction->operands) return;
    if (info->flags & SCH_D3D_F_DECLARATION) {
        decode_literals(d, info, instruction);
    } else {
        if (info->flags & SCH_D3D_F_FCALL) {
            instruction->literals = take(d, 1, sizeof(uint32_t), alignof(uint32_t));
            if (!instruction->literals) return;
            instruction->literals[0] = next(d);
            instruction->literal_count = 1;
        }
        for (unsigned i = 0; i < operands && d->status == SCH_OK; i++) decode_operand(d, &instruction->operands[i], 0);
    }
    if (d->status != SCH_OK || d->at == d->end) return;
    instruction->spare_count = (uint32_t)(d->end - d->at);
    instruction->spare = take(d, instruction->spare_count, sizeof(uint32_t), alignof(uint32_t));
    for (uint32_t i = 0; i < instruction->spare_count && d->status == SCH_OK; i++) instruction->spare[i] = next(d);
}

/* One instruction; `limit` is the end of the program. */
static void decode_instruction(struct decoder *d, size_t limit)
{
    size_t begin = d->at;
    uint32_t token = d->words[begin], length = token >> LENGTH_SHIFT & LENGTH_MASK;
    const struct sch_d3d_op_info *info = sch_d3d_op_info(token & 0x7ff);
    if (!info) {
        fail(d, SCH_D_D3D_OPCODE, begin, "opcode %u does not exist", token & 0x7ff);
        return;
    }
    bool custom = info->flags & SCH_D3D_F_CUSTOM, stated = custom || !length;
    if (stated && limit - begin < 2) {
        fail(d, SCH_D_D3D_LENGTH, begin, "%s is cut off", info->word);
        return;
    }
    if (stated) length = d->words[begin + 1];
    if (length < (stated ? 2u : 1u) || length > limit - begin) {
        fail(d, SCH_D_D3D_LENGTH, begin, "%s cannot have %u words here", info->word, length);
        return;
    }
    struct sch_d3d_program *program = d->program;
    if (!SCH_ARENA_GROW(&program->arena, program->instructions, program->capacity, program->count)) {
        d->status = SCH_ERROR_MEMORY;
        return;
    }
    struct sch_d3d_instruction *instruction = &program->instructions[program->count++];
    *instruction = (struct sch_d3d_instruction){
        .opcode = info->opcode, .long_length = stated && !custom, .position = {.offset = d->offset + 4 * begin}};
    d->at = begin + (stated ? 2 : 1);
    d->end = begin + length;
    if (custom)
        decode_custom(d, instruction, begin);
    else
        decode_body(d, info, instruction, token, begin);
    d->at = begin + length;
}

static void decode_header(struct decoder *d, size_t count)
{
    if (count < VERSION_WORDS) {
        fail(d, SCH_D_D3D_PROGRAM, count, "the program's header is cut off");
        return;
    }
    uint32_t version = d->words[0], length = d->words[1];
    struct sch_d3d_program *program = d->program;
    program->minor = version & 0xf;
    program->major = version >> 4 & 0xf;
    program->stage = (uint8_t)(version >> 16);
    if (version >> 16 >= SCH_D3D_STAGE_COUNT || version & 0xff00)
        fail(d, SCH_D_D3D_PROGRAM, 0, "version 0x%08x is that of no stage", version);
    else if (!((program->major == 4 && program->minor <= 1) || (program->major == 5 && program->minor <= 1)))
        fail(d, SCH_D_D3D_PROGRAM, 0, "shader model %u.%u is not known; 4.0, 4.1, 5.0 and 5.1 are", program->major,
             program->minor);
    if (length < VERSION_WORDS || length > count)
        fail(d, SCH_D_D3D_PROGRAM, 1, "the program's length is %u words, but there are %zu", length, count);
}

enum sch_result sch_d3d_decode(const struct sch_allocator *allocator, const struct sch_limits *limits,
                               const uint32_t *words, size_t count, uint64_t offset, const char *chunk,
                               struct sch_diagnostics *diagnostics, struct sch_d3d_program **program)
{
    *program = NULL;
    struct decoder d = {.diagnostics = diagnostics, .chunk = chunk, .offset = offset, .words = words};
    d.program = sch_d3d_program_create(allocator, limits);
    if (!d.program) return SCH_ERROR_MEMORY;
    decode_header(&d, count);
    size_t limit = d.status == SCH_OK ? words[1] : 0;
    d.at = VERSION_WORDS;
    while (d.status == SCH_OK && d.at < limit) {
        /* Declarations are instructions here; the sum of the two limits bounds both. */
        if (limits->instructions && d.program->count >= (size_t)limits->instructions + limits->declarations)
            fail(&d, SCH_D_D3D_LIMIT, d.at, "more than %zu instructions",
                 (size_t)limits->instructions + limits->declarations);
        else
            decode_instruction(&d, limit);
    }
    if (d.status == SCH_OK && count > limit) {
        d.program->trailing_count = count - limit;
        d.program->trailing = take(&d, count - limit, sizeof *words, alignof(uint32_t));
        if (d.program->trailing) memcpy(d.program->trailing, words + limit, (count - limit) * sizeof *words);
    }
    if (d.status != SCH_OK)
        sch_d3d_program_destroy(d.program);
    else
        *program = d.program;
    return d.status;
}
