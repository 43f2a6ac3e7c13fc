/* See step.h. */
#include "maxwell/run/step.h"

#include <stddef.h>
#include <string.h>

#include "isa/errors.h"
#include "maxwell/run/handlers.h"
#include "maxwell/text/template.h"

enum {
    RA_LOW = 8,
    RB_LOW = 20,
    RD_LOW = 0,
    RZ = 255,
    PT = 7,
    TEST_TRUE = 15,
    WHOLE_QUAD = 15,
    FIRST_CSM = 24,
    LAST_CSM = 29
};

/* ---- the rows ---- */

enum operation {
#define MAXWELL_CODE_OPERATION(name, title) OPERATION_##name,
#include "isa/maxwell_forms.def"
#undef MAXWELL_CODE_OPERATION
};

struct meaning {
    uint16_t operation;
    const char *form, *operands; /* operands NULL: a handler's */
    uint8_t body, kind;
};

static const struct meaning meanings[] = {
#define MAXWELL_CODE_BODY(operation, form, body, operands)                                                             \
    {OPERATION_##operation, form, operands, SCH_MAXWELL_BODY_##body, SCH_MAXWELL_KIND_arithmetic},
#define MAXWELL_CODE_HANDLER(operation, form, handler)                                                                 \
    {OPERATION_##operation, form, NULL, 0, SCH_MAXWELL_KIND_##handler},
#include "isa/maxwell_meanings.def"
#undef MAXWELL_CODE_BODY
#undef MAXWELL_CODE_HANDLER
};

sch_exec_handler *sch_maxwell_handler_of(unsigned kind)
{
    static sch_exec_handler *const handlers[SCH_MAXWELL_KIND_COUNT] = {
        [SCH_MAXWELL_KIND_arithmetic] = sch_maxwell_arithmetic,
#define MAXWELL_CODE_KIND(handler) [SCH_MAXWELL_KIND_##handler] = sch_maxwell_##handler,
#include "isa/maxwell_meanings.def"
#undef MAXWELL_CODE_KIND
    };
    return handlers[kind];
}

static bool ends_with(const char *name, const char *end)
{
    const size_t bytes = strlen(name), last = strlen(end);
    return bytes >= last && strcmp(name + bytes - last, end) == 0;
}

static const struct meaning *meaning_of(const struct sch_maxwell_code_form *form)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].operation == form->operation && ends_with(form->name, meanings[i].form)) return &meanings[i];
    return NULL;
}

static const struct modifier {
    const char *name;
    size_t member;
} modifiers[] = {
#define MAXWELL_CODE_MODIFIER(name, member) {name, offsetof(struct sch_maxwell_how, member)},
#include "isa/maxwell_meanings.def"
#undef MAXWELL_CODE_MODIFIER
};

/* ---- one instruction on its way ---- */

struct decoder {
    const struct sch_maxwell_section *section;
    const struct sch_maxwell_item *item;
    const struct sch_maxwell_code_form *form;
    const struct meaning *meaning;
    struct sch_maxwell_step *step;
    struct sch_maxwell_source spare; /* of operands that are more than there may be */
    bool begun;                      /* an operand other than predicates was there */
    unsigned operands;               /* of the row, so far */
    unsigned combines;               /* BOPs so far */
    const char *reason;              /* why it is not executed */
};

static struct sch_maxwell_bits bits_of(const struct sch_maxwell_token *token, unsigned number)
{
    const struct sch_maxwell_token argument = sch_maxwell_argument(token, number);
    const char *at = argument.text;
    return sch_maxwell_argument_bits(&at, argument.text + argument.bytes);
}

static uint64_t argument(const struct decoder *d, const struct sch_maxwell_token *token, unsigned number)
{
    const struct sch_maxwell_bits bits = bits_of(token, number);
    return sch_maxwell_bits_get(&bits, d->item->word);
}

static unsigned field(const struct decoder *d, unsigned high, unsigned low)
{
    const struct sch_maxwell_bits bits = sch_maxwell_range(high, low);
    return (unsigned)sch_maxwell_bits_get(&bits, d->item->word);
}

static int64_t signed_field(const struct decoder *d, unsigned high, unsigned low)
{
    const struct sch_maxwell_bits bits = sch_maxwell_range(high, low);
    return sch_maxwell_bits_signed(&bits, d->item->word);
}

static bool has_bit(const struct decoder *d, unsigned number)
{
    return number < SCH_MAXWELL_NO_BIT && (d->item->word >> number & 1);
}

/* ---- sources ---- */

static char letter_of(const struct decoder *d)
{
    const char *letters = d->meaning->operands;
    return letters && d->operands < strlen(letters) ? letters[d->operands] : 0;
}

static struct sch_maxwell_source *add_source(struct decoder *d, enum sch_maxwell_source_kind kind)
{
    struct sch_maxwell_step *step = d->step;
    struct sch_maxwell_source *source = d->operands < SCH_MAXWELL_SOURCES ? &step->source[d->operands] : &d->spare;
    *source = (struct sch_maxwell_source){.kind = (uint8_t)kind, .words = 1};
    if (d->operands < SCH_MAXWELL_SOURCES) step->source_count = (uint8_t)(d->operands + 1);
    d->operands++;
    d->begun = true;
    return source;
}

/* How many words an operand has that is not a register. */
static unsigned words_of(const struct decoder *d)
{
    enum { SIZE_64 = 3 };
    switch (letter_of(d)) {
    case 'd':
        return 2;
    case 'v':
        return sch_maxwell_source_is_f64(d->item->word) ? 2 : 1;
    case 'i':
        return d->step->how.from >> 1 == SIZE_64 ? 2 : 1;
    default:
        return 1;
    }
}

/* Signs of floats are done when they are read, those of integers by the body. */
static void take_signs(struct decoder *d, const struct sch_maxwell_decoration *from, char letter, unsigned operand,
                       struct sch_maxwell_source *source)
{
    const bool field_says =
        from->minus_field.ranges && sch_maxwell_bits_get(&from->minus_field, d->item->word) == from->minus_value;
    const bool minus = has_bit(d, from->minus) || field_says, bars = has_bit(d, from->bars);
    source->invert = has_bit(d, from->invert);
    if (letter == 'f' || letter == 'd' || letter == 'v') {
        source->minus = minus;
        source->bars = bars;
    } else {
        d->step->how.negate |= (uint8_t)(minus << operand);
        d->step->how.absolute |= (uint8_t)(bars << operand);
    }
}

static void take_parts(struct decoder *d, const struct sch_maxwell_decoration *from, char letter, unsigned operand,
                       struct sch_maxwell_source *source)
{
    struct sch_maxwell_how *how = &d->step->how;
    const bool f16 = letter == 'v' && sch_maxwell_source_is_f16(d->item->word);
    if (f16) source->half = has_bit(d, from->half) ? 2 : 1;
    if (operand >= sizeof how->part) return;
    if (from->selector.ranges) how->part[operand] = (uint8_t)sch_maxwell_bits_get(&from->selector, d->item->word);
    if (!from->suffix.ranges || from->lanes) return;
    const uint8_t value = (uint8_t)sch_maxwell_bits_get(&from->suffix, d->item->word);
    how->part[operand] = value;
    if (operand < sizeof how->order) how->order[operand] = value;
}

/* What may surround an operand. */
static void decorate(struct decoder *d, const struct sch_maxwell_token *token, struct sch_maxwell_source *source)
{
    const unsigned operand = d->operands - 1;
    const char *letters = d->meaning->operands;
    const char letter = letters && operand < strlen(letters) ? letters[operand] : 0;
    const struct sch_maxwell_decoration from = sch_maxwell_decoration_of(token);
    take_signs(d, &from, letter, operand, source);
    take_parts(d, &from, letter, operand, source);
}

static void take_register(struct decoder *d, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration from = sch_maxwell_decoration_of(token);
    const uint8_t number = (uint8_t)sch_maxwell_bits_get(&from.number, d->item->word);
    const uint8_t words = (uint8_t)sch_maxwell_decoration_registers(&from, d->item->word);
    if (has_bit(d, from.carry)) d->step->how.flags = true;
    if (from.number.range[0].low == RD_LOW && !d->begun) {
        d->step->result = number;
        d->step->result_words = words;
        d->begun = true;
        return;
    }
    struct sch_maxwell_source *source = add_source(d, SCH_MAXWELL_FROM_REGISTER);
    source->number = number;
    source->words = words;
    decorate(d, token, source);
}

static void add_register(struct decoder *d, unsigned number, unsigned words)
{
    struct sch_maxwell_source *source = add_source(d, SCH_MAXWELL_FROM_REGISTER);
    source->number = (uint8_t)number;
    source->words = (uint8_t)words;
}

/* Text writes places from 0x8000 on as negative numbers; a bank has 65536 bytes. */
static void take_constant(struct decoder *d, const struct sch_maxwell_token *token)
{
    enum { BANK_HIGH = 38, BANK_LOW = 34, OFFSET_HIGH = 33, UNIT = 4 };
    const uint8_t words = (uint8_t)words_of(d);
    struct sch_maxwell_source *source = add_source(d, SCH_MAXWELL_FROM_CONSTANT);
    source->number = (uint8_t)field(d, BANK_HIGH, BANK_LOW);
    source->offset = field(d, OFFSET_HIGH, RB_LOW) * UNIT;
    source->words = words;
    decorate(d, token, source);
}

/* 20 bits: the highest is apart. */
static int64_t short_number(const struct decoder *d)
{
    enum { TOP = 56, REST_HIGH = 38, REST_BITS = 19 };
    return (int64_t)field(d, REST_HIGH, RB_LOW) - ((int64_t)field(d, TOP, TOP) << REST_BITS);
}

static uint64_t short_float(const struct decoder *d, char letter)
{
    enum { FLOAT_SHIFT = 12, DOUBLE_SHIFT = 44, HALF_HIGH = 35 };
    const uint64_t number = (uint64_t)short_number(d);
    if (letter == 'd' || (letter == 'v' && sch_maxwell_source_is_f64(d->item->word))) return number << DOUBLE_SHIFT;
    if (letter == 'v' && sch_maxwell_source_is_f16(d->item->word)) return field(d, HALF_HIGH, RB_LOW);
    return (uint32_t)(number << FLOAT_SHIFT);
}

static void take_word(struct decoder *d, const struct sch_maxwell_token *token, uint64_t word)
{
    const uint8_t words = (uint8_t)words_of(d);
    struct sch_maxwell_source *source = add_source(d, SCH_MAXWELL_FROM_WORD);
    source->word = word;
    source->words = words;
    decorate(d, token, source);
}

static void take_number(struct decoder *d, uint64_t number)
{
    if (letter_of(d) == 'n') {
        d->step->how.number = (uint32_t)number;
        d->operands++;
        return;
    }
    add_source(d, SCH_MAXWELL_FROM_WORD)->word = number;
}

static void take_predicate(struct decoder *d, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration from = sch_maxwell_decoration_of(token);
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const unsigned low = bits.range[0].low;
    const uint8_t number = (uint8_t)field(d, low + 2, low);
    const bool written =
        from.written || (token->kind != SCH_MAXWELL_TOKEN_PREDICATE_LAST && from.minus == SCH_MAXWELL_NO_BIT);
    if (written) {
        if (d->step->predicates < 2) d->step->predicate[d->step->predicates++] = number;
        return;
    }
    struct sch_maxwell_source *source = add_source(d, SCH_MAXWELL_FROM_PREDICATE);
    source->number = number;
    source->is_not = has_bit(d, from.minus);
}

/* ---- modifiers ---- */

/* What no row names says nothing to who executes: hints for caches and schedulers. */
static void take_modifier(struct decoder *d, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_token name = sch_maxwell_argument(token, 1);
    const uint8_t value = (uint8_t)argument(d, token, 0);
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        if (strlen(modifiers[i].name) != name.bytes || memcmp(modifiers[i].name, name.text, name.bytes) != 0) continue;
        uint8_t *member = (uint8_t *)&d->step->how + modifiers[i].member;
        if (member == &d->step->how.combine && d->combines++) member = &d->step->how.last_combine;
        *member = value;
        if (member == &d->step->how.bank && d->begun) add_source(d, SCH_MAXWELL_FROM_BANK);
    }
}

static void take_rounding(struct decoder *d, const struct sch_maxwell_token *token)
{
    struct sch_maxwell_how *how = &d->step->how;
    how->integral = sch_maxwell_sizes_equal(d->item->word) && argument(d, token, 0) >> 2;
    how->rounding = argument(d, token, 0) & 3;
}

/* Types of video operands: A, and B, which is a register or a number of 16 bits. */
static void take_types(struct decoder *d, const struct sch_maxwell_token *token)
{
    enum { A_SIGNED = 48, B_SIGNED = 49, B_REGISTER = 50, HALF = 4, SIGNED = 8 };
    const bool is_unsigned = token->bytes == 1 && token->text[0] == 'u';
    const unsigned sign = !is_unsigned && has_bit(d, B_SIGNED) ? SIGNED : 0;
    d->step->how.type[0] = (uint8_t)(field(d, 38, 36) | (has_bit(d, A_SIGNED) ? SIGNED : 0));
    d->step->how.type[1] = (uint8_t)(sign | (has_bit(d, B_REGISTER) ? field(d, 30, 28) : HALF));
}

static void take_video(struct decoder *d, const struct sch_maxwell_token *token)
{
    enum { B_REGISTER = 50 };
    struct sch_maxwell_source *source =
        add_source(d, has_bit(d, B_REGISTER) ? SCH_MAXWELL_FROM_REGISTER : SCH_MAXWELL_FROM_WORD);
    source->number = (uint8_t)field(d, RB_LOW + 7, RB_LOW);
    source->word = field(d, 35, RB_LOW);
    decorate(d, token, source);
}

/* Whether a number is in all four bytes or in one is not known. */
static void take_video_bytes(struct decoder *d)
{
    enum { NO_ORDER = 15 };
    const unsigned order = field(d, 31, 28);
    add_register(d, field(d, RB_LOW + 7, RB_LOW), 1);
    d->step->how.order[1] = (uint8_t)order;
    if (order == NO_ORDER) d->reason = "what bytes a number stands for is not known";
}

/* ---- addresses and targets ---- */

/* Without a register the offset has no sign. */
static void take_address(struct decoder *d, const struct sch_maxwell_token *token, int scale)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    d->step->base = (uint8_t)field(d, RA_LOW + 7, RA_LOW);
    d->step->offset = d->step->base == RZ ? (int64_t)sch_maxwell_bits_get(&bits, d->item->word)
                                          : sch_maxwell_bits_signed(&bits, d->item->word);
    d->step->offset *= scale;
    d->begun = true;
}

static void take_bank(struct decoder *d)
{
    d->step->base = (uint8_t)field(d, RA_LOW + 7, RA_LOW);
    d->step->bank = (uint8_t)field(d, 40, 36);
    d->step->offset = signed_field(d, 35, 20);
    if (d->step->flow != SCH_MAXWELL_FLOW_NEXT) d->reason = "targets in constants are not followed";
}

uint32_t sch_maxwell_instruction_at(const struct sch_maxwell_section *section, int64_t address)
{
    enum { BUNDLE = 32, WORD = 8, EACH = 3 };
    if (address < 0 || address % WORD) return SCH_MAXWELL_LOST;
    const uint64_t bundle = (uint64_t)address / BUNDLE, slot = (uint64_t)address % BUNDLE / WORD;
    const uint64_t number = bundle * EACH + (slot ? slot - 1 : 0);
    return number <= section->count ? (uint32_t)number : SCH_MAXWELL_LOST;
}

static void take_target(struct decoder *d)
{
    int64_t target;
    if (!sch_maxwell_code_target(d->item->word, d->item->address, &target, NULL)) return;
    d->step->target = sch_maxwell_instruction_at(d->section, target);
    d->step->known_target = true;
    if (d->item->relocated) d->reason = "its target is not in the section: a relocation names it";
    if (d->step->target == SCH_MAXWELL_LOST) d->reason = "its target is not an instruction of the section";
}

static void take_computed(struct decoder *d, const struct sch_maxwell_token *token)
{
    enum { RELATIVE_HIGH = 43 };
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    d->step->base = (uint8_t)field(d, RA_LOW + 7, RA_LOW);
    d->step->offset = sch_maxwell_bits_signed(&bits, d->item->word);
    d->step->relative = bits.range[0].high == RELATIVE_HIGH;
}

/* The registers of a compare and swap: the old value, then the new one; RZ may take the place of either. */
static void take_swap(struct decoder *d, const struct sch_maxwell_token *token)
{
    enum { BOTH, NEW_IS_0, OLD_IS_0 };
    const unsigned mode = (unsigned)argument(d, token, 0), words = argument(d, token, 1) ? 2 : 1;
    const unsigned number = field(d, RB_LOW + 7, RB_LOW), next = number + words > RZ ? RZ : number + words;
    d->step->swaps = true;
    add_register(d, mode == OLD_IS_0 ? RZ : number, words);
    add_register(d, mode == BOTH ? next : mode == OLD_IS_0 ? number : RZ, words);
}

/* The text of surfaces has one operand for both values. Sources become coordinates, old value, new value, handle. */
static void split_swap(struct sch_maxwell_step *step)
{
    struct sch_maxwell_source *old = &step->source[1];
    const unsigned words = old->words / 2u, next = old->number + words;
    step->swaps = true;
    step->source[3] = step->source[2];
    step->source[2] = *old;
    old->words = (uint8_t)words;
    step->source[2].words = old->words;
    step->source[2].number = next > RZ ? RZ : (uint8_t)next;
    step->source_count = SCH_MAXWELL_SOURCES;
}

static void take_either(struct decoder *d, const struct sch_maxwell_token *token)
{
    if (argument(d, token, 0))
        take_number(d, argument(d, token, 2));
    else
        add_register(d, (unsigned)argument(d, token, 1), 1);
}

/* ---- tokens ---- */

static void take_operand(struct decoder *d, const struct sch_maxwell_token *token)
{
    enum { LONG_HIGH = 51 };
    switch (token->kind) {
    case SCH_MAXWELL_TOKEN_REGISTER:
    case SCH_MAXWELL_TOKEN_REGISTER_LAST:
        take_register(d, token);
        break;
    case SCH_MAXWELL_TOKEN_CONSTANT:
    case SCH_MAXWELL_TOKEN_CONSTANT_APART:
        take_constant(d, token);
        break;
    case SCH_MAXWELL_TOKEN_INTEGER_20:
    case SCH_MAXWELL_TOKEN_UNSIGNED_20:
    case SCH_MAXWELL_TOKEN_UNSIGNED_20_LAST:
        take_word(d, token, (uint64_t)short_number(d));
        break;
    case SCH_MAXWELL_TOKEN_INTEGER_32:
    case SCH_MAXWELL_TOKEN_UNSIGNED_32:
    case SCH_MAXWELL_TOKEN_FLOAT_32:
        take_word(d, token, field(d, LONG_HIGH, RB_LOW));
        break;
    case SCH_MAXWELL_TOKEN_FLOAT_20:
    case SCH_MAXWELL_TOKEN_DOUBLE_20:
        take_word(d, token, short_float(d, letter_of(d)));
        break;
    case SCH_MAXWELL_TOKEN_INTEGER_16:
        take_word(d, token, field(d, 35, RB_LOW));
        break;
    case SCH_MAXWELL_TOKEN_NUMBER:
    case SCH_MAXWELL_TOKEN_NUMBER_UNLESS_0:
    case SCH_MAXWELL_TOKEN_NUMBER_UNLESS_15:
    case SCH_MAXWELL_TOKEN_NUMBER_AFTER:
        take_number(d, argument(d, token, 0));
        break;
    case SCH_MAXWELL_TOKEN_LANES:
        take_number(d, field(d, 35, 28));
        break;
    case SCH_MAXWELL_TOKEN_PREDICATE:
    case SCH_MAXWELL_TOKEN_PREDICATE_FIRST:
    case SCH_MAXWELL_TOKEN_PREDICATE_BEFORE:
    case SCH_MAXWELL_TOKEN_PREDICATE_LAST:
        take_predicate(d, token);
        break;
    case SCH_MAXWELL_TOKEN_VIDEO:
        take_video(d, token);
        break;
    case SCH_MAXWELL_TOKEN_VIDEO_BYTES:
        take_video_bytes(d);
        break;
    case SCH_MAXWELL_TOKEN_SWAP:
        take_swap(d, token);
        break;
    case SCH_MAXWELL_TOKEN_EITHER:
    case SCH_MAXWELL_TOKEN_EITHER_LAST:
        take_either(d, token);
        break;
    default:
        break;
    }
}

static void take_token(struct decoder *d, const struct sch_maxwell_token *token)
{
    enum { PLUS_ONE = 3 };
    switch (token->kind) {
    case SCH_MAXWELL_TOKEN_MODIFIER:
        take_modifier(d, token);
        break;
    case SCH_MAXWELL_TOKEN_PLUS_ONE:
    case SCH_MAXWELL_TOKEN_PLUS_ONE_32:
        d->step->how.plus_one = argument(d, token, 0) == PLUS_ONE;
        break;
    case SCH_MAXWELL_TOKEN_ROUNDING:
        take_rounding(d, token);
        break;
    case SCH_MAXWELL_TOKEN_TYPES:
        take_types(d, token);
        break;
    case SCH_MAXWELL_TOKEN_TEST:
    case SCH_MAXWELL_TOKEN_TEST_FIRST:
        d->step->test = (uint8_t)argument(d, token, 0);
        break;
    case SCH_MAXWELL_TOKEN_VOTE:
        d->step->result = (uint8_t)field(d, 7, RD_LOW);
        d->step->result_words = 1;
        break;
    case SCH_MAXWELL_TOKEN_MEMORY:
        take_address(d, token, 1);
        break;
    case SCH_MAXWELL_TOKEN_MEMORY_4:
        take_address(d, token, 4);
        break;
    case SCH_MAXWELL_TOKEN_BANK:
    case SCH_MAXWELL_TOKEN_BANK_TARGET:
        take_bank(d);
        break;
    case SCH_MAXWELL_TOKEN_RELATIVE:
    case SCH_MAXWELL_TOKEN_ABSOLUTE:
        take_target(d);
        break;
    case SCH_MAXWELL_TOKEN_COMPUTED:
        take_computed(d, token);
        break;
    default:
        take_operand(d, token);
        break;
    }
}

/* ---- what is not executed ---- */

static bool is_clip_test(unsigned test) { return test >= FIRST_CSM && test <= LAST_CSM; }

static bool is_unknown_float(const struct sch_maxwell_step *step)
{
    return !step->swaps && step->how.size == SCH_MAXWELL_F32 && step->how.mode != SCH_MAXWELL_UPDATE_ADD &&
           step->how.mode != SCH_MAXWELL_UPDATE_EXCH;
}

/* Parts of the instruction set of which the names are public, but not the meaning. */
static const char *unknown_part(const struct decoder *d)
{
    enum { LAST_KNOWN_ATOM = 8, SIZE_32 = 2, SIGNED_DATA = 6 };
    const struct sch_maxwell_step *step = d->step;
    const struct sch_maxwell_how *how = &step->how;
    const bool of_flags = d->form->operation == OPERATION_CSET || d->form->operation == OPERATION_CSETP;
    switch (d->form->operation) {
    case OPERATION_IMAD:
    case OPERATION_IMAD32I:
        return how->saturate ? "what .SAT does here is not known" : NULL;
    case OPERATION_SHL:
    case OPERATION_SHR:
    case OPERATION_SHF:
        return how->extend || how->chain ? "what shifts of several words do is not known" : NULL;
    case OPERATION_I2I:
    case OPERATION_I2F:
        return how->from >> 1 >= SIZE_32 && how->part[0] ? "which part of a word is meant is not known" : NULL;
    case OPERATION_SULD:
    case OPERATION_SUST:
    case OPERATION_SURED:
    case OPERATION_SUATOM:
        if (how->size > SCH_MAXWELL_S64 && d->form->operation >= OPERATION_SURED && how->size != SIGNED_DATA)
            return "what it does with numbers of this size is not known";
        return is_unknown_float(step) ? "floats are only added and exchanged" : NULL;
    case OPERATION_S2R:
    case OPERATION_CS2R:
        return sch_maxwell_special_is_known(how->mode) ? NULL : "what this register holds is not known";
    case OPERATION_ATOM:
    case OPERATION_RED:
        if (!step->swaps && how->size == SCH_MAXWELL_U128) return "updates of 128 bits are not executed";
        if (is_unknown_float(step)) return "floats are only added and exchanged";
        return how->mode > LAST_KNOWN_ATOM && !step->swaps ? "what it does is not known" : NULL;
    default:
        return is_clip_test(step->test) || (of_flags && is_clip_test(how->comparison))
                   ? "tests of the state of clipping are not executed"
                   : NULL;
    }
}

static enum sch_result refuse(const struct decoder *d, struct sch_diagnostics *diagnostics, const char *reason)
{
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_MAXWELL_RUN_WORD, d->item->position,
                        "%s is not executed: %s", sch_maxwell_code_operations[d->form->operation].name, reason);
    return SCH_ERROR_UNSUPPORTED;
}

enum sch_result sch_maxwell_step_decode(const struct sch_maxwell_section *section, const struct sch_maxwell_item *item,
                                        struct sch_diagnostics *diagnostics, struct sch_maxwell_step *step)
{
    enum { GUARD_LOW = 16, GUARD_NOT = 19 };
    struct decoder d = {.section = section, .item = item, .form = sch_maxwell_code_form_of(item->word), .step = step};
    struct sch_maxwell_token token;
    *step = (struct sch_maxwell_step){.guard = PT,
                                      .test = TEST_TRUE,
                                      .quad_lanes = WHOLE_QUAD,
                                      .result = RZ,
                                      .predicate = {PT, PT},
                                      .base = RZ,
                                      .address = item->address};
    d.meaning = meaning_of(d.form);
    if (!d.meaning) return refuse(&d, diagnostics, "what it does is not known, or not for compute shaders");
    if (item->meaningless) return refuse(&d, diagnostics, "a field has a reserved value");
    step->operation = d.form->operation;
    step->kind = d.meaning->kind;
    step->body = d.meaning->body;
    step->flow = (uint8_t)sch_maxwell_code_flow(d.form->operation);
    if (d.form->guarded) {
        step->guard = (uint8_t)field(&d, GUARD_LOW + 2, GUARD_LOW);
        step->guard_not = has_bit(&d, GUARD_NOT);
    }
    for (const char *at = d.form->template; sch_maxwell_token_next(&at, &token);) take_token(&d, &token);
    if (step->operation == OPERATION_SUATOM && strstr(d.form->name, "CAS")) split_swap(step);
    if (step->body == SCH_MAXWELL_BODY_MOV && step->kind == SCH_MAXWELL_KIND_arithmetic)
        step->quad_lanes = (uint8_t)step->how.number;
    if (item->relocated && !step->known_target)
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_WARNING, SCH_D_MAXWELL_RUN_LINKED, item->position,
                            "a relocation changes %s, which runs as it is in the file",
                            sch_maxwell_code_operations[d.form->operation].name);
    const char *reason = d.reason ? d.reason : unknown_part(&d);
    return reason ? refuse(&d, diagnostics, reason) : SCH_OK;
}

/* ---- floats ---- */

/* By tables FDST and FSRC. */
static unsigned bits_of_size(unsigned size)
{
    static const uint8_t bits[] = {0, 16, 32, 64};
    return bits[size & 3];
}

static unsigned source_bits(const struct sch_maxwell_source *source, char letter)
{
    if (letter == 'f') return 32;
    if (letter == 'd') return 64;
    if (letter != 'v') return 0;
    return source->half ? 16 : source->words > 1 ? 64 : 32;
}

static unsigned result_bits(const struct sch_maxwell_step *step)
{
    switch (step->body) {
    case SCH_MAXWELL_BODY_FADD:
    case SCH_MAXWELL_BODY_FMUL:
    case SCH_MAXWELL_BODY_FFMA:
    case SCH_MAXWELL_BODY_FSWZADD:
    case SCH_MAXWELL_BODY_FMNMX:
    case SCH_MAXWELL_BODY_FCMP:
    case SCH_MAXWELL_BODY_RRO:
    case SCH_MAXWELL_BODY_MUFU:
        return 32;
    case SCH_MAXWELL_BODY_DADD:
    case SCH_MAXWELL_BODY_DMUL:
    case SCH_MAXWELL_BODY_DFMA:
    case SCH_MAXWELL_BODY_DMNMX:
        return 64;
    case SCH_MAXWELL_BODY_F2F:
    case SCH_MAXWELL_BODY_I2F:
        return bits_of_size(step->how.to);
    default:
        return 0;
    }
}

struct sch_maxwell_floats sch_maxwell_step_floats(const struct sch_maxwell_step *step)
{
    enum { RCP64H = 6, RSQ64H = 7 }; /* table MUFU */
    struct sch_maxwell_floats floats = {.result = 0};
    if (step->kind != SCH_MAXWELL_KIND_arithmetic) return floats;
    const char *letters = "";
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings && !*letters; i++)
        if (meanings[i].operands && meanings[i].body == step->body) letters = meanings[i].operands;
    for (unsigned s = 0; s < step->source_count && letters[s]; s++)
        floats.source[s] = (uint8_t)source_bits(&step->source[s], letters[s]);
    floats.result = (uint8_t)result_bits(step);
    if (step->body == SCH_MAXWELL_BODY_MUFU && (step->how.mode == RCP64H || step->how.mode == RSQ64H))
        floats.result = floats.source[0] = 64;
    return floats;
}
