/* Text to words other than texture operations, by the same templates that print them. The text is matched against the
 * template of each form of its operation; where a token may take more than one way, the ways are tried in turn, and the
 * furthest that any of them came is where an error is reported. Modifiers may be in any order: tokens pick theirs out
 * of the list. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/digit.h"
#include "isa/errors.h"
#include "maxwell/text/control.h"
#include "maxwell/text/general_parser.h"

/* Whether the report says that something else was expected, which other forms of the operation may say otherwise. */
static bool is_expectation(unsigned code)
{
    return code == SCH_D_MAXWELL_REGISTER || code == SCH_D_MAXWELL_PUNCTUATION ||
           code == SCH_D_MAXWELL_OPERAND_NUMBER || code == SCH_D_MAXWELL_PREDICATE ||
           code == SCH_D_MAXWELL_OPERAND_WORD;
}

/* Two attempts came equally far. An error in an operand is reported rather than what was expected instead; if both
 * attempts expected something, both are reported. */
static void miss_too(struct parser *p, unsigned code, const char *message)
{
    static const char expected[] = "expected ";
    const size_t length = strlen(p->message), prefix = sizeof expected - 1;
    if (is_expectation(p->code) && !is_expectation(code)) {
        p->code = code;
        snprintf(p->message, sizeof p->message, "%s", message);
    } else if (is_expectation(p->code) && strncmp(message, expected, prefix) == 0 &&
               strncmp(p->message, expected, prefix) == 0 && !strstr(p->message, message + prefix))
        snprintf(p->message + length, sizeof p->message - length, "; or %s", message + prefix);
}

/* Remembers what is wrong here, unless another attempt came further. */
bool sch_maxwell_code_miss(struct parser *p, const char *at, unsigned code, const char *format, ...)
{
    char message[sizeof p->message];
    if (p->furthest && at < p->furthest) return false;
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (at == p->furthest) {
        miss_too(p, code, message);
        return false;
    }
    p->furthest = at;
    p->code = code;
    memcpy(p->message, message, sizeof message);
    return false;
}

/* ---- modifiers ---- */

/* The modifiers that begin at this one as a text with dots, such as .F32.FTZ.RN; how many there are, 0: others. */
static unsigned spells(const struct parser *p, const struct state *s, unsigned first, const char *text, size_t bytes)
{
    unsigned count = 0;
    while (bytes && *text == '.') {
        const char *dot = memchr(text + 1, '.', bytes - 1);
        size_t length = dot ? (size_t)(dot - text) : bytes;
        const size_t taken = length;
        while (length > 1 && text[length - 1] == ' ') length--;
        const unsigned number = first + count;
        if (number >= p->modifier_count || (s->used >> number & 1) || !is(p->modifiers[number], text + 1, length - 1))
            return 0;
        count++;
        text += taken;
        bytes -= taken;
    }
    return count;
}

static uint32_t used_from(unsigned first, unsigned count) { return ((UINT32_C(1) << count) - 1) << first; }

/* Matches the text with the modifiers from this one on, and the rest of the template after it; `changed` is the state
 * with what the text means. */
static bool with_text_at(struct parser *p, const char *rest, const struct state *s, const struct state *changed,
                         unsigned first, const char *text, size_t bytes)
{
    const unsigned count = spells(p, s, first, text, bytes);
    if (!count) return false;
    struct state next = *changed;
    next.used |= used_from(first, count);
    return sch_maxwell_code_match(p, rest, next);
}

/* The same at each place where the modifiers have the text. */
bool sch_maxwell_code_with_text(struct parser *p, const char *rest, const struct state *s, const struct state *changed,
                                const char *text, size_t bytes)
{
    for (unsigned first = 0; first < p->modifier_count; first++)
        if (with_text_at(p, rest, s, changed, first, text, bytes)) return true;
    return false;
}

/* A field whose texts are modifiers: one that is there, the first before the others, or the value that has no text. */
static bool match_texts(struct parser *p, const char *rest, const struct state *s, const struct sch_maxwell_bits *bits,
                        const struct sch_maxwell_texts *texts)
{
    const char *text;
    size_t bytes;
    for (unsigned first = 0; first <= p->modifier_count; first++)
        for (size_t value = 0; sch_maxwell_texts_at(texts, value, &text, &bytes); value++) {
            const bool last = first == p->modifier_count;
            if (value >> bits->width || (bytes == 0) != last || (bytes == 1 && *text == '!')) continue;
            struct state next = *s;
            if (!set(&next, bits, value)) continue;
            if (last ? sch_maxwell_code_match(p, rest, next) : with_text_at(p, rest, s, &next, first, text, bytes))
                return true;
        }
    return false;
}

static bool match_operand_text(struct parser *p, const char *rest, struct state s, const struct sch_maxwell_bits *bits,
                               const struct sch_maxwell_texts *texts)
{
    const char *text;
    size_t bytes;
    skip_blanks(p, &s);
    for (size_t value = 0; sch_maxwell_texts_at(texts, value, &text, &bytes); value++) {
        if (!bytes || (size_t)(p->end - s.at) < bytes || memcmp(s.at, text, bytes) != 0) continue;
        if (s.at + bytes < p->end && is_word(s.at[bytes])) continue;
        struct state next = s;
        next.at += bytes;
        if (set(&next, bits, value) && sch_maxwell_code_match(p, rest, next)) return true;
    }
    sch_maxwell_texts_at(texts, 0, &text, &bytes);
    return sch_maxwell_code_miss(p, s.at, SCH_D_MAXWELL_OPERAND_WORD, "expected %.*s or another name of its kind",
                                 (int)bytes, text);
}

/* Whether a text with dots, such as .F32.FTZ, has a modifier. */
static bool has_modifier(const char *text, size_t bytes, struct piece modifier)
{
    for (size_t at = 0, length; at < bytes; at += length) {
        const char *dot = memchr(text + at + 1, '.', bytes - at - 1);
        length = dot ? (size_t)(dot - text) - at : bytes - at;
        if (text[at] == '.' && is(modifier, text + at + 1, length - 1)) return true;
    }
    return false;
}

/* The first modifier that is not used yet and that no field of the form has; NULL: there is none. */
static const struct piece *unknown_modifier(const struct parser *p, const struct state *s)
{
    uint32_t known = s->used;
    struct sch_maxwell_token token;
    for (const char *template = p->form->template;
         sch_maxwell_token_next(&template, &token) && token.kind <= SCH_MAXWELL_TOKEN_PHASE;) {
        const struct sch_maxwell_token name = sch_maxwell_argument(&token, 1);
        const struct sch_maxwell_texts texts = sch_maxwell_texts_of(&name);
        const char *text = token.text;
        size_t bytes = token.bytes;
        if (token.kind > SCH_MAXWELL_TOKEN_MODIFIER) return NULL; /* a rule of its own has others */
        for (unsigned i = 0; i < p->modifier_count; i++) {
            if (token.kind == SCH_MAXWELL_TOKEN_LITERAL)
                known |= (uint32_t)has_modifier(text, bytes, p->modifiers[i]) << i;
            else
                for (size_t value = 0; sch_maxwell_texts_at(&texts, value, &text, &bytes); value++)
                    known |= (uint32_t)has_modifier(text, bytes, p->modifiers[i]) << i;
        }
    }
    for (unsigned i = 0; i < p->modifier_count; i++)
        if (!(known >> i & 1)) return &p->modifiers[i];
    return NULL;
}

static bool match_modifier(struct parser *p, const char *rest, const struct state *s,
                           const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_token name = sch_maxwell_argument(token, 1);
    const struct sch_maxwell_texts texts = sch_maxwell_texts_of(&name);
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    if (s->operands_begun) return match_operand_text(p, rest, *s, &bits, &texts);
    if (match_texts(p, rest, s, &bits, &texts)) return true;
    const char *text;
    size_t bytes;
    for (size_t value = 0; sch_maxwell_texts_at(&texts, value, &text, &bytes); value++)
        if (!bytes) return false;
    sch_maxwell_texts_at(&texts, bits.width > 1, &text, &bytes);
    const struct piece *unknown = unknown_modifier(p, s);
    if (unknown)
        return sch_maxwell_code_miss(
            p, unknown->at, SCH_D_MAXWELL_MODIFIER, "%s has no .%.*s here: %.*s or another of its kind",
            operation_name(p), unknown->bytes < SHOWN ? (int)unknown->bytes : SHOWN, unknown->at, (int)bytes, text);
    return sch_maxwell_code_miss(p, p->operands, SCH_D_MAXWELL_MODIFIER_MISSING,
                                 "%s lacks a modifier: %.*s or another of its kind", operation_name(p), (int)bytes,
                                 text);
}

/* .PO; what is no .PO is left to the minus of the operands. */
static bool match_plus_one(struct parser *p, const char *rest, const struct state *s,
                           const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    struct state next = *s;
    return (set(&next, &bits, 3) && sch_maxwell_code_with_text(p, rest, s, &next, ".PO", 3)) ||
           sch_maxwell_code_match(p, rest, *s);
}

static bool match_rounding(struct parser *p, const char *rest, const struct state *s,
                           const struct sch_maxwell_token *token)
{
    struct sch_maxwell_bits bits = bits_of(token, 0);
    struct sch_maxwell_bits low = sch_maxwell_range(bits.range[1].high, bits.range[1].low);
    const struct sch_maxwell_bits high = sch_maxwell_range(bits.range[0].high, bits.range[0].low);
    if (!sch_maxwell_sizes_equal(s->word)) {
        const struct sch_maxwell_texts texts = sch_maxwell_texts_named("RND");
        return match_texts(p, rest, s, &low, &texts);
    }
    for (unsigned whole = 2; whole-- > 0;) {
        const struct sch_maxwell_texts texts = sch_maxwell_texts_named(whole ? "F2FS" : "F2FP");
        struct state next = *s;
        if (set(&next, &high, whole) && match_texts(p, rest, &next, &low, &texts)) return true;
    }
    return false;
}

static bool match_numbered(struct parser *p, const char *rest, const struct state *s,
                           const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const struct sch_maxwell_token none = sch_maxwell_argument(token, 1), prefix = sch_maxwell_argument(token, 2);
    for (unsigned value = 0; value < 1u << bits.width; value++) {
        char text[40];
        const struct sch_maxwell_token *used = value ? &prefix : &none;
        struct state next = *s;
        int bytes = snprintf(text, sizeof text, "%.*s", (int)used->bytes, used->text);
        if (value) bytes += snprintf(text + bytes, sizeof text - (size_t)bytes, "%u", value);
        if (set(&next, &bits, value) && sch_maxwell_code_with_text(p, rest, s, &next, text, (size_t)bytes)) return true;
    }
    return sch_maxwell_code_miss(p, p->operands, SCH_D_MAXWELL_MODIFIER_MISSING, "%s needs %.*s", operation_name(p),
                                 (int)none.bytes, none.text);
}

const char *sch_maxwell_code_video_type(unsigned type)
{
    const struct sch_maxwell_texts texts = sch_maxwell_texts_named("VAT");
    const char *text = "";
    size_t bytes;
    sch_maxwell_texts_at(&texts, type, &text, &bytes);
    return text;
}

/* A bit for each type of this name, which has no dot. */
static uint16_t video_types(struct piece name)
{
    uint16_t types = 0;
    for (unsigned type = 0; type < TYPES; type++)
        if (is(name, sch_maxwell_code_video_type(type) + 1, strlen(sch_maxwell_code_video_type(type) + 1)))
            types |= (uint16_t)(1u << type);
    return types;
}

static bool match_types(struct parser *p, const char *rest, const struct state *s,
                        const struct sch_maxwell_token *token)
{
    for (unsigned first = 0; first + 1 < p->modifier_count; first++) {
        const uint16_t a = video_types(p->modifiers[first]);
        if (!a || (s->used >> first & 3)) continue;
        if (!video_types(p->modifiers[first + 1])) continue;
        struct state next = *s;
        next.used |= used_from(first, 2);
        next.video = *token->text;
        next.video_a = a;
        next.video_b = p->modifiers[first + 1];
        if (sch_maxwell_code_match(p, rest, next)) return true;
    }
    struct state next = *s;
    next.video = *token->text;
    next.video_a = 1 << S32;
    next.video_b.bytes = 0;
    return sch_maxwell_code_match(p, rest, next);
}

static bool match_phase(struct parser *p, const char *rest, const struct state *s)
{
    static const char *const phases[] = {".T", ".P", ".INVALIDPHASE3"};
    for (unsigned i = 0; i < 3; i++) {
        struct state next = *s;
        next.marks |= (i + 1) << SCH_MAXWELL_SLOT_PHASE;
        if (sch_maxwell_code_with_text(p, rest, s, &next, phases[i], strlen(phases[i]))) return true;
    }
    return sch_maxwell_code_match(p, rest, *s);
}

/* All modifiers are taken when the operands begin. */
bool sch_maxwell_code_begin_operands(struct parser *p, struct state *s)
{
    if (s->operands_begun) return true;
    for (unsigned i = 0; i < p->modifier_count; i++)
        if (!(s->used >> i & 1)) {
            const struct piece left = p->modifiers[i];
            return sch_maxwell_code_miss(p, left.at, SCH_D_MAXWELL_MODIFIER, "%s has no .%.*s here", operation_name(p),
                                         left.bytes < SHOWN ? (int)left.bytes : SHOWN, left.at);
        }
    s->operands_begun = true;
    s->at = p->operands;
    return true;
}

bool sch_maxwell_code_match(struct parser *p, const char *template, struct state state)
{
    struct sch_maxwell_token token;
    if (++p->steps > STEPS) return false;
    if (!sch_maxwell_token_next(&template, &token)) {
        if (!sch_maxwell_code_finish(p, &state)) return false;
        p->found = state;
        return true;
    }
    switch (token.kind) {
    case SCH_MAXWELL_TOKEN_LITERAL:
        return sch_maxwell_code_literal(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_MODIFIER:
        return match_modifier(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_PLUS_ONE:
    case SCH_MAXWELL_TOKEN_PLUS_ONE_32:
        return match_plus_one(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_ROUNDING:
        return match_rounding(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_NUMBERED:
        return match_numbered(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_TYPES:
        return match_types(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_PHASE:
        return match_phase(p, template, &state);
    default:
        break;
    }
    if (!sch_maxwell_code_begin_operands(p, &state)) return false;
    struct state next = state;
    if (sch_maxwell_code_token(p, &next, &token) && sch_maxwell_code_match(p, template, next)) return true;
    return sch_maxwell_code_default(&state, &token) && sch_maxwell_code_match(p, template, state);
}

/* ---- the instruction ---- */

static bool read_guard(struct parser *p, const char **at, uint64_t *guard, bool *given)
{
    unsigned number;
    *guard = SCH_MAXWELL_PT << GUARD;
    *at = past_blanks(p, *at);
    *given = *at < p->end && **at == '@';
    if (!*given) return true;
    const char *begin = (*at)++;
    const bool inverted = *at < p->end && **at == '!';
    if (inverted) ++*at;
    const struct piece piece = word_at(p, *at);
    if (!sch_maxwell_code_numbered(piece, 'P', 'T', SCH_MAXWELL_PT, &number))
        return sch_maxwell_code_miss(p, begin, SCH_D_MAXWELL_GUARD,
                                     "expected @P0 to @P6, @PT, or one of them with ! after the @");
    *at = past_blanks(p, piece.at + piece.bytes);
    *guard = (uint64_t)(number | inverted << 3) << GUARD;
    return true;
}

static bool read_modifiers(struct parser *p, const char *at)
{
    while (at < p->end && *at == '.') {
        const struct piece piece = word_at(p, at + 1);
        if (!piece.bytes || p->modifier_count == MODIFIERS)
            return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_MODIFIER, "expected a modifier after the dot");
        p->modifiers[p->modifier_count++] = piece;
        at = piece.at + piece.bytes;
    }
    p->operands = at;
    return true;
}

static bool parse(struct parser *p, uint64_t *word)
{
    const char *at = p->text;
    bool guarded;
    uint64_t guard;
    if (!read_guard(p, &at, &guard, &guarded)) return false;
    const char *begin = at;
    const struct piece name = word_at(p, at);
    const int operation = sch_maxwell_code_operation_find(name.at, name.bytes);
    if (operation < 0)
        return sch_maxwell_code_miss(p, begin, SCH_D_MAXWELL_OPERATION, "%.*s is not a Maxwell instruction",
                                     name.bytes < SHOWN ? (int)name.bytes : SHOWN, name.at);
    if (!read_modifiers(p, name.at + name.bytes)) return false;
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++) {
        const struct sch_maxwell_code_form *form = &sch_maxwell_code_forms[i];
        if (form->operation != operation) continue;
        p->form = form;
        if (guarded && !form->guarded)
            return sch_maxwell_code_miss(p, p->text, SCH_D_MAXWELL_GUARD, "%s has no guard",
                                         sch_maxwell_code_operations[operation].name);
        if (!sch_maxwell_code_match(p, form->template, (struct state){.at = p->operands})) continue;
        *word = p->found.word | form->match | (form->guarded ? guard : 0);
        return true;
    }
    return sch_maxwell_code_miss(p, begin, SCH_D_MAXWELL_OPERANDS, "this is not a form of %s",
                                 sch_maxwell_code_operations[operation].name);
}

enum sch_result sch_maxwell_code_parse(const char *text, size_t bytes, struct sch_position position, uint32_t address,
                                       struct sch_diagnostics *diagnostics, uint64_t *word, uint32_t *marks,
                                       struct sch_maxwell_label *label)
{
    struct parser parser = {.text = text, .end = text + bytes, .address = address, .labels = label != NULL};
    *marks = 0;
    if (label) *label = (struct sch_maxwell_label){.name = NULL};
    if (parse(&parser, word)) {
        *marks = parser.found.marks;
        if (label) *label = parser.found.label;
        return SCH_OK;
    }
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, parser.code,
                        sch_position_at(position, parser.text, parser.furthest), "%s", parser.message);
    return SCH_ERROR_INVALID;
}
