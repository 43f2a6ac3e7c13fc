/* Facts about the instructions other than texture operations, from the rows of src/isa/maxwell_forms.def: what
 * `scheelite list maxwell` and `scheelite explain` print of them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "maxwell/text/describe.h"
#include "maxwell/text/template.h"

enum { FORMS_SHOWN = 48 };

struct text {
    char bytes[sizeof((struct sch_maxwell_info *)0)->text];
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    const size_t used = strlen(text->bytes);
    va_list list;
    va_start(list, format);
    vsnprintf(text->bytes + used, sizeof text->bytes - used, format, list);
    va_end(list);
}

/* ---- operands in words ---- */

/* Sources by their place in the word. */
static const char *register_name(unsigned low) { return low == 0 ? "Rd" : low == 8 ? "Ra" : low == 20 ? "Rb" : "Rc"; }

/* {-}{|}Ra{.H1}{|}{.reuse}, or what an immediate has after it. */
static void add_decorated(struct text *text, const struct sch_maxwell_token *token, const char *name, bool immediate)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const bool minus = d.minus != SCH_MAXWELL_NO_BIT || d.minus_field.ranges;
    const bool bars = d.bars != SCH_MAXWELL_NO_BIT, invert = d.invert != SCH_MAXWELL_NO_BIT;
    if (!immediate) add(text, "%s%s%s", minus ? "{-}" : "", invert ? "{~}" : "", bars ? "{|}" : "");
    add(text, "%s", name);
    if (immediate) add(text, "%s%s%s", minus ? "{.NEG}" : "", bars ? "{.ABS}" : "", invert ? "{.INV}" : "");
    if (d.suffix.ranges || d.selector.ranges) add(text, "{.part}");
    if (d.half != SCH_MAXWELL_NO_BIT) add(text, "{.H1}");
    if (!immediate && bars) add(text, "{|}");
    if (d.carry != SCH_MAXWELL_NO_BIT) add(text, "{.CC}");
    if (d.reuse != SCH_MAXWELL_NO_BIT) add(text, "{.reuse}");
}

/* Whether a text of a value is one that means something, or no text. */
static bool is_name(const char *word, size_t bytes)
{
    if (!bytes || (bytes == 1 && *word == '!') || memchr(word, '?', bytes)) return false;
    const size_t dot = *word == '.';
    return bytes - dot < 7 || memcmp(word + dot, "INVALID", 7) != 0;
}

/* Modifiers: in braces if they may be left out, else in parentheses; if there are many, only the first ones. */
static void add_modifiers(struct text *text, const struct sch_maxwell_token *token)
{
    enum { SHOWN = 5 };
    const struct sch_maxwell_token name = sch_maxwell_argument(token, 1);
    const struct sch_maxwell_texts texts = sch_maxwell_texts_of(&name);
    const char *word;
    size_t bytes, names = 0, shown = 0;
    bool optional = false;
    for (size_t value = 0; sch_maxwell_texts_at(&texts, value, &word, &bytes); value++) {
        optional |= !bytes;
        names += is_name(word, bytes);
    }
    if (!names) return;
    add(text, "%s", optional ? "{" : names > 1 ? "(" : "");
    for (size_t value = 0; shown < SHOWN && sch_maxwell_texts_at(&texts, value, &word, &bytes); value++) {
        if (!is_name(word, bytes)) continue;
        while (word[bytes - 1] == ' ') bytes--;
        add(text, "%s%.*s", shown++ ? "|" : "", (int)bytes, word);
    }
    add(text, "%s%s", names > SHOWN ? "|..." : "", optional ? "}" : names > 1 ? ")" : "");
}

static void add_predicate(struct text *text, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    add(text, "%sP", d.minus != SCH_MAXWELL_NO_BIT ? "{!}" : "");
}

/* What the rest of the tokens looks like. */
static const struct {
    enum sch_maxwell_token_kind kind;
    const char *words;
} looks[] = {
    {SCH_MAXWELL_TOKEN_PLUS_ONE, "{.PO}"},
    {SCH_MAXWELL_TOKEN_PLUS_ONE_32, "{.PO}"},
    {SCH_MAXWELL_TOKEN_ROUNDING, "{.rounding}"},
    {SCH_MAXWELL_TOKEN_TYPES, "{.typeA.typeB}"},
    {SCH_MAXWELL_TOKEN_PHASE, "{.T|.P}"},
    {SCH_MAXWELL_TOKEN_INTEGER_16, "#16"},
    {SCH_MAXWELL_TOKEN_UNSIGNED_20_LAST, "{, #20}"},
    {SCH_MAXWELL_TOKEN_NUMBER, "#"},
    {SCH_MAXWELL_TOKEN_NUMBER_UNLESS_0, "{, #}"},
    {SCH_MAXWELL_TOKEN_NUMBER_UNLESS_15, "{, #}"},
    {SCH_MAXWELL_TOKEN_NUMBER_AFTER, "{ #}"},
    {SCH_MAXWELL_TOKEN_PREDICATE_FIRST, "{P,} "},
    {SCH_MAXWELL_TOKEN_PREDICATE_BEFORE, "{P,} "},
    {SCH_MAXWELL_TOKEN_PREDICATE_LAST, "{, P}"},
    {SCH_MAXWELL_TOKEN_TEST, "{ CC.test}"},
    {SCH_MAXWELL_TOKEN_TEST_FIRST, "{CC.test,} "},
    {SCH_MAXWELL_TOKEN_NOP, "{ CC.test}{, #}"},
    {SCH_MAXWELL_TOKEN_MEMORY, "[Ra+#]"},
    {SCH_MAXWELL_TOKEN_MEMORY_4, "[Ra+#]"},
    {SCH_MAXWELL_TOKEN_BANK, "c[#][Ra+#]"},
    {SCH_MAXWELL_TOKEN_BANK_TARGET, "c[#][#]"},
    {SCH_MAXWELL_TOKEN_RELATIVE, "target"},
    {SCH_MAXWELL_TOKEN_ABSOLUTE, "target"},
    {SCH_MAXWELL_TOKEN_COMPUTED, "Ra{ #}"},
    {SCH_MAXWELL_TOKEN_VOTE, "{Rd,} "},
    {SCH_MAXWELL_TOKEN_LANES, "signs"},
    {SCH_MAXWELL_TOKEN_SWAP, "Rb, Rb+1"},
    {SCH_MAXWELL_TOKEN_EITHER, "R|#"},
    {SCH_MAXWELL_TOKEN_EITHER_LAST, "{, R|#}"},
    {SCH_MAXWELL_TOKEN_SCOREBOARDS, "{ {#,...}}"},
    {SCH_MAXWELL_TOKEN_ATTRIBUTE, "a[Ra+#]"},
    {SCH_MAXWELL_TOKEN_ATTRIBUTE_PARTS, "{, Ra}{, #}"},
};

static void add_token(struct text *text, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const struct sch_maxwell_token first = sch_maxwell_argument(token, 1);
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (looks[i].kind == token->kind) {
            add(text, "%s", looks[i].words);
            return;
        }
    switch (token->kind) {
    case SCH_MAXWELL_TOKEN_LITERAL:
        add(text, "%.*s", (int)token->bytes, token->text);
        break;
    case SCH_MAXWELL_TOKEN_MODIFIER:
        add_modifiers(text, token);
        break;
    case SCH_MAXWELL_TOKEN_NUMBERED:
        add(text, "%.*s", (int)first.bytes, first.text);
        break;
    case SCH_MAXWELL_TOKEN_REGISTER:
        add_decorated(text, token, register_name(d.number.range[0].low), false);
        break;
    case SCH_MAXWELL_TOKEN_REGISTER_LAST:
        add(text, "{, %s}", register_name(d.number.range[0].low));
        break;
    case SCH_MAXWELL_TOKEN_CONSTANT:
    case SCH_MAXWELL_TOKEN_CONSTANT_APART:
        add_decorated(text, token, "c[#][#]", false);
        break;
    case SCH_MAXWELL_TOKEN_INTEGER_32:
    case SCH_MAXWELL_TOKEN_UNSIGNED_32:
        add_decorated(text, token, "#32", true);
        break;
    case SCH_MAXWELL_TOKEN_FLOAT_20:
    case SCH_MAXWELL_TOKEN_FLOAT_32:
    case SCH_MAXWELL_TOKEN_DOUBLE_20:
        add_decorated(text, token, "#float", true);
        break;
    case SCH_MAXWELL_TOKEN_PREDICATE:
        add_predicate(text, token);
        break;
    case SCH_MAXWELL_TOKEN_VIDEO:
    case SCH_MAXWELL_TOKEN_VIDEO_BYTES:
        add_decorated(text, token, "Rb{.part}|#", false);
        break;
    default:
        add_decorated(text, token, "#20", true);
        break;
    }
}

static void add_syntax(struct text *text, const struct sch_maxwell_code_form *form)
{
    struct sch_maxwell_token token;
    add(text, "%s", sch_maxwell_code_operations[form->operation].name);
    for (const char *at = form->template; sch_maxwell_token_next(&at, &token);) add_token(text, &token);
}

/* ---- facts ---- */

static void tell(struct sch_maxwell_info *fact, unsigned operation, const char *form, const char *kind,
                 const char *name, const char *bits, const char *text)
{
    memset(fact, 0, sizeof *fact); /* padding, too */
    snprintf(fact->operation, sizeof fact->operation, "%s", sch_maxwell_code_operations[operation].name);
    snprintf(fact->form, sizeof fact->form, "%s", *form ? form : fact->operation);
    snprintf(fact->kind, sizeof fact->kind, "%s", kind);
    snprintf(fact->name, sizeof fact->name, "%s", name);
    snprintf(fact->bits, sizeof fact->bits, "%s", bits);
    snprintf(fact->text, sizeof fact->text, "%s", text);
}

static void tell_word(struct sch_maxwell_info *fact, const struct sch_maxwell_code_form *form)
{
    char text[128];
    snprintf(text, sizeof text, "%016llx in the bits %016llx; %s latency%s%s", (unsigned long long)form->match,
             (unsigned long long)form->mask, form->fixed ? "fixed" : "variable", form->guarded ? "" : "; no guard",
             form->strict ? "; bit 20 of the slot is 0" : "");
    tell(fact, form->operation, "", "word", form->name, "", text);
}

static bool has_token(const struct sch_maxwell_code_form *form, const struct sch_maxwell_token *token)
{
    const char *found = form->template;
    for (; (found = strstr(found, "{m:")) != NULL; found++)
        if (strncmp(found + 3, token->text, token->bytes) == 0 && found[3 + token->bytes] == '}') return true;
    return false;
}

/* The forms that have a field, where others of the operation do not; only those whose names have room. */
static void add_forms(struct text *text, unsigned operation, const struct sch_maxwell_token *token)
{
    struct text forms = {""};
    bool all = true;
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++) {
        const struct sch_maxwell_code_form *form = &sch_maxwell_code_forms[i];
        if (form->operation != operation) continue;
        const bool has = has_token(form, token);
        if (has && strlen(forms.bytes) < FORMS_SHOWN) add(&forms, "%s%s", *forms.bytes ? ", " : "", form->name);
        all &= has;
    }
    if (!all) add(text, "of %s: ", forms.bytes);
}

/* A field of texts: its bits as the template writes them, and its codes. */
static bool tell_field(struct sch_maxwell_info *fact, const struct sch_maxwell_code_form *form,
                       const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_token bits = sch_maxwell_argument(token, 0), name = sch_maxwell_argument(token, 1);
    const struct sch_maxwell_texts texts = sch_maxwell_texts_of(&name);
    struct text text = {""};
    char place[sizeof fact->bits];
    const char *word;
    size_t bytes;
    snprintf(place, sizeof place, "%.*s", (int)bits.bytes, bits.text);
    const size_t room = sizeof text.bytes - 64; /* of the special registers, the first ones */
    add_forms(&text, form->operation, token);
    const size_t before = strlen(text.bytes);
    for (size_t value = 0; sch_maxwell_texts_at(&texts, value, &word, &bytes) && strlen(text.bytes) < room; value++) {
        if (!is_name(word, bytes)) continue;
        while (word[bytes - 1] == ' ') bytes--;
        add(&text, "%s%u %.*s", text.bytes[before] ? ", " : "", (unsigned)value, (int)bytes, word);
    }
    if (!text.bytes[before]) add(&text, "0");
    if (strlen(text.bytes) >= room) add(&text, ", ...");
    /* A list that has no name is called by its first text. */
    char called[sizeof fact->name];
    bytes = 0;
    for (size_t value = 0; !bytes && sch_maxwell_texts_at(&texts, value, &word, &bytes); value++) continue;
    if (texts.table)
        snprintf(called, sizeof called, "%s", texts.table->name);
    else
        snprintf(called, sizeof called, "%.*s", (int)bytes, word);
    tell(fact, form->operation, "", "field", called, place, text.bytes);
    return true;
}

/* The first form of an operation with this field tells it. */
static bool told_before(size_t number, const struct sch_maxwell_token *token)
{
    const unsigned operation = sch_maxwell_code_forms[number].operation;
    while (number-- > 0 && sch_maxwell_code_forms[number].operation == operation)
        if (has_token(&sch_maxwell_code_forms[number], token)) return true;
    return false;
}

/* Whether the form has the modifiers of the one before it, as those have that differ in a source only. */
static bool is_alike(size_t number)
{
    const char *template = sch_maxwell_code_forms[number].template;
    const size_t bytes = strcspn(template, " ") + 1;
    return number && sch_maxwell_code_forms[number - 1].operation == sch_maxwell_code_forms[number].operation &&
           strncmp(sch_maxwell_code_forms[number - 1].template, template, bytes) == 0;
}

/* The fact of an operation that is `*left` facts from here; where there is none, `*left` is counted down. */
static bool describe_operation(unsigned operation, size_t first, size_t *left, struct sch_maxwell_info *fact)
{
    if ((*left)-- == 0) {
        tell(fact, operation, "", "operation", sch_maxwell_code_operations[operation].name, "",
             sch_maxwell_code_operations[operation].title);
        return true;
    }
    for (size_t i = first; i < sch_maxwell_code_form_count && sch_maxwell_code_forms[i].operation == operation; i++) {
        const struct sch_maxwell_code_form *form = &sch_maxwell_code_forms[i];
        if ((*left)-- == 0) {
            struct text text = {""};
            add_syntax(&text, form);
            tell(fact, operation, "", "syntax", form->name, "", text.bytes);
            return true;
        }
        if ((*left)-- == 0) {
            tell_word(fact, form);
            return true;
        }
    }
    for (size_t i = first; i < sch_maxwell_code_form_count && sch_maxwell_code_forms[i].operation == operation; i++) {
        const char *at = is_alike(i) ? NULL : strstr(sch_maxwell_code_forms[i].template, "{m:");
        for (; at; at = strstr(at + 1, "{m:")) {
            const struct sch_maxwell_token token = {SCH_MAXWELL_TOKEN_MODIFIER, at + 3, strcspn(at + 3, "}")};
            if (!told_before(i, &token) && (*left)-- == 0) return tell_field(fact, &sch_maxwell_code_forms[i], &token);
        }
    }
    return false;
}

bool sch_maxwell_code_describe(const char *name, size_t index, struct sch_maxwell_info *fact)
{
    size_t left = index;
    for (size_t form = 0; form < sch_maxwell_code_form_count;) {
        const unsigned operation = sch_maxwell_code_forms[form].operation;
        const bool named = !name || strcasecmp(name, sch_maxwell_code_operations[operation].name) == 0;
        if (named && describe_operation(operation, form, &left, fact)) return true;
        while (form < sch_maxwell_code_form_count && sch_maxwell_code_forms[form].operation == operation) form++;
    }
    return false;
}
