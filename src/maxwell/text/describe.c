/* Facts in words. A walk over all of them stops at the one that was asked for. */
#include "maxwell/text/describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "maxwell/text/tables.h"
#include "maxwell/text/text.h"

struct walk {
    size_t left;      /* facts before the one that is looked for */
    const char *name; /* of the operation or form whose facts these are; NULL: all */
    struct sch_maxwell_info *fact;
    unsigned operation;
    const struct sch_maxwell_form_row *form; /* NULL: all */
};

struct text {
    char bytes[sizeof((struct sch_maxwell_info *)0)->text];
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    size_t used = strlen(text->bytes);
    va_list list;
    va_start(list, format);
    vsnprintf(text->bytes + used, sizeof text->bytes - used, format, list);
    va_end(list);
}

/* Adds a word to a list, with a comma before it unless it is the first. */
static void add_item(struct text *text, const char *word) { add(text, "%s%s", *text->bytes ? ", " : "", word); }

/* Whether the next fact is the one that is looked for; else it need not be put into words. */
static bool reached(struct walk *walk) { return walk->left-- == 0; }

/* Whether facts of the operation, or of its form with .B, are looked for. */
static bool is_named(const struct walk *walk, bool bindless)
{
    const char *operation = sch_maxwell_operation_names[walk->operation];
    const size_t bytes = strlen(operation);
    if (!walk->name || strcasecmp(walk->name, operation) == 0) return true;
    return bindless && strncasecmp(walk->name, operation, bytes) == 0 && strcasecmp(walk->name + bytes, ".B") == 0;
}

/* Always true. */
static bool tell(struct walk *walk, const char *kind, const char *name, const char *bits, const char *text)
{
    struct sch_maxwell_info *fact = walk->fact;
    memset(fact, 0, sizeof *fact); /* padding, too */
    snprintf(fact->operation, sizeof fact->operation, "%s", sch_maxwell_operation_names[walk->operation]);
    snprintf(fact->kind, sizeof fact->kind, "%s", kind);
    snprintf(fact->form, sizeof fact->form, "%s%s", sch_maxwell_operation_names[walk->operation],
             walk->form && walk->form->bindless ? ".B" : "");
    snprintf(fact->name, sizeof fact->name, "%s", name);
    snprintf(fact->bits, sizeof fact->bits, "%s", bits);
    snprintf(fact->text, sizeof fact->text, "%s", text);
    return true;
}

/* ---- syntax ---- */

/* Whether the operation can do without a modifier of the field. */
static bool is_optional(unsigned operation, enum sch_maxwell_field field)
{
    struct sch_maxwell_instruction blank = sch_maxwell_blank(operation, false);
    unsigned value = sch_maxwell_get(&blank, field);
    return !sch_maxwell_name(field, value) && sch_maxwell_can_say(operation, field, value);
}

/* {.LZ|.LL}: braces if the modifier may be left out. */
static void add_modifier(struct text *text, unsigned operation, enum sch_maxwell_field field)
{
    const bool optional = is_optional(operation, field);
    const char *separator = optional ? "{." : ".";
    for (size_t i = 0; i < sch_maxwell_name_count; i++) {
        const struct sch_maxwell_name_row *name = &sch_maxwell_names[i];
        if (name->field != field || !sch_maxwell_can_say(operation, field, name->value) ||
            !strncmp(name->text, "INVALID", 7))
            continue;
        add(text, "%s%s", separator, name->text);
        separator = "|.";
    }
    if (optional) add(text, "}");
}

static void add_operand_word(struct text *text, char letter)
{
    static const struct {
        char letter;
        const char *word;
    } words[] = {
        {'e', "{Pd,}"},         {'1', "Rd1,"},         {'d', "Rd,"},           {'a', "Ra,"},
        {'b', "{Rb,}"},         {'B', "Rb,"},          {'z', "{RZ,}"},         {'q', "#query,"},
        {'p', "#paramA"},       {'m', "{, #wmskU04}"}, {'I', "#tsPtrIdxU13,"}, {'x', "#tsPtrIdxU13,"},
        {'i', "#tsPtrIdxU13,"}, {'c', "{, #wmsk}"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].letter == letter) add(text, letter == 'm' || letter == 'c' ? "%s" : " %s", words[i].word);
}

/* At the end of a text that is not empty. */
static void drop_comma(struct text *text)
{
    char *last = text->bytes + strlen(text->bytes) - 1;
    if (*last == ',') *last = 0;
}

static bool describe_syntax(struct walk *walk)
{
    if (!reached(walk)) return false;
    struct text text = {""};
    add(&text, "%s", sch_maxwell_operation_names[walk->operation]);
    for (size_t i = 0; i < sch_maxwell_modifier_count; i++) {
        if (sch_maxwell_modifiers[i].operation != walk->operation) continue;
        if (sch_maxwell_modifiers[i].field != SCH_MF_BINDLESS)
            add_modifier(&text, walk->operation, sch_maxwell_modifiers[i].field);
        else if (walk->form->bindless)
            add(&text, ".B");
    }
    for (const char *letter = walk->form->operands; *letter; letter++) {
        /* An operand that may be left out has its comma inside its braces. */
        if (*letter == 'm' || *letter == 'c') drop_comma(&text);
        add_operand_word(&text, *letter);
    }
    drop_comma(&text);
    return tell(walk, "syntax", walk->form->bindless ? "bindless" : "bound", "", text.bytes);
}

/* ---- words and fields ---- */

static bool describe_word(struct walk *walk)
{
    for (unsigned column = 0; column < 2; column++) {
        char text[64];
        if (!reached(walk)) continue;
        snprintf(text, sizeof text, "%016llx in the bits %016llx", (unsigned long long)walk->form->base[column],
                 (unsigned long long)walk->form->mask[column]);
        return tell(walk, "word", column ? "sm_52, sm_53" : "sm_50", "", text);
    }
    return false;
}

static bool describe_field(struct walk *walk, const struct sch_maxwell_field_row *row)
{
    if (!reached(walk)) return false;
    struct text text = {""};
    char bits[8], item[48];
    if (row->width > 1)
        snprintf(bits, sizeof bits, "%u:%u", (row->low + row->width - 1u) & 63, row->low & 63u);
    else
        snprintf(bits, sizeof bits, "%u", row->low & 63u);
    for (size_t i = 0; i < sch_maxwell_name_count; i++) {
        const struct sch_maxwell_name_row *name = &sch_maxwell_names[i];
        unsigned code;
        if (name->field != row->field || !sch_maxwell_to_code(row, name->value, &code)) continue;
        snprintf(item, sizeof item, "%u %s", code, name->text);
        add_item(&text, item);
    }
    if (row->coding == SCH_MAXWELL_CODING_QUERY)
        add_item(&text, "any other even code but 0 and 4 is written as a number, code / 2");
    if (row->coding == SCH_MAXWELL_CODING_SCALAR) add_item(&text, "see the encodings");
    if (row->since != SCH_MAXWELL_SM_50) add_item(&text, "from sm_52 on");
    return tell(walk, "field", sch_maxwell_field_names[row->field], bits, text.bytes);
}

static bool describe_forms(struct walk *walk)
{
    for (unsigned form = 0; form < SCH_MAXWELL_FORMS; form++) {
        walk->form = &sch_maxwell_forms[form];
        if (walk->form->operation != walk->operation || !is_named(walk, walk->form->bindless)) continue;
        if (describe_syntax(walk) || describe_word(walk)) return true;
        for (size_t i = 0; i < sch_maxwell_field_row_count; i++)
            if (sch_maxwell_field_rows[i].form == form && describe_field(walk, &sch_maxwell_field_rows[i])) return true;
    }
    walk->form = NULL;
    return false;
}

/* ---- codes and operands ---- */

static void add_roles(struct text *text, const char *name, unsigned count, const uint8_t *roles)
{
    add(text, "; %s:", name);
    if (!count) add(text, " must be RZ");
    for (unsigned i = 0; i < count; i++) add(text, "%s %s", i ? "," : "", sch_maxwell_role_names[roles[i]]);
}

static bool describe_scalar(struct walk *walk, const struct sch_maxwell_scalar_row *row)
{
    if (!reached(walk)) return false;
    struct text text = {""};
    char name[8];
    snprintf(name, sizeof name, "%u", row->code);
    add(&text, "%s", sch_maxwell_name(SCH_MF_PARAMETER, row->parameter));
    if (row->lod) add(&text, " .%s", sch_maxwell_name(SCH_MF_LOD, row->lod));
    if (row->offset) add(&text, " .%s", sch_maxwell_name(SCH_MF_OFFSET, row->offset));
    if (row->multisample) add(&text, " .MS");
    if (row->compare) add(&text, " .DC");
    add_roles(&text, "Ra", row->a_count, row->a);
    add_roles(&text, "Rb", row->b_count, row->b);
    return tell(walk, "encoding", name, "", text.bytes);
}

static bool describe_mask(struct walk *walk, const struct sch_maxwell_mask_row *row)
{
    if (!reached(walk)) return false;
    struct text text = {""};
    char name[8];
    snprintf(name, sizeof name, "%u", row->code);
    add(&text, "%s with %s", row->text, row->wide ? "Rd1" : "RZ for Rd1");
    unsigned count = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!(row->mask >> i & 1)) continue;
        add(&text, "%s%c", count == 0 ? "; Rd: " : count == 2 ? "; Rd1: " : ", ", "RGBA"[i]);
        count++;
    }
    return tell(walk, "mask", name, "", text.bytes);
}

static bool describe_codes(struct walk *walk)
{
    if (!sch_maxwell_is_scalar(walk->operation)) return false;
    for (size_t i = 0; i < sch_maxwell_scalar_count; i++)
        if (sch_maxwell_scalars[i].operation == walk->operation && describe_scalar(walk, &sch_maxwell_scalars[i]))
            return true;
    for (size_t i = 0; i < sch_maxwell_mask_count; i++)
        if (describe_mask(walk, &sch_maxwell_masks[i])) return true;
    return false;
}

static bool describe_operands(struct walk *walk, char letter)
{
    struct text text = {""};
    for (size_t i = 0; i < sch_maxwell_operand_row_count; i++) {
        const struct sch_maxwell_operand_row *row = &sch_maxwell_operand_rows[i];
        char item[64];
        const char *condition = sch_maxwell_condition_names[row->condition];
        if (row->operation != walk->operation || row->letter != letter) continue;
        snprintf(item, sizeof item, *condition ? "%s (%s)" : "%s", sch_maxwell_role_names[row->role], condition);
        add_item(&text, item);
    }
    return *text.bytes && reached(walk) && tell(walk, "operand", letter == 'A' ? "Ra" : "Rb", "", text.bytes);
}

static bool describe_results(struct walk *walk)
{
    static const struct {
        uint8_t operation;
        const char *name, *text;
    } rows[] = {
#define MAXWELL_RESULT(operation, name, text) {SCH_MAXWELL_##operation, name, text},
#include "isa/maxwell.def"
#undef MAXWELL_RESULT
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].operation == walk->operation && reached(walk))
            return tell(walk, "result", rows[i].name, "", rows[i].text);
    return false;
}

static bool describe_rules(struct walk *walk)
{
    for (size_t rule = 0; rule < sch_maxwell_rule_count(); rule++) {
        const char *text;
        char number[16];
        unsigned code = sch_maxwell_rule(walk->operation, rule, &text);
        snprintf(number, sizeof number, "%u", code);
        if (code && reached(walk)) return tell(walk, "restriction", number, "", text);
    }
    return false;
}

bool sch_maxwell_describe(const char *name, size_t index, struct sch_maxwell_info *fact)
{
    struct walk walk = {.left = index, .name = name, .fact = fact};
    for (walk.operation = 0; walk.operation < SCH_MAXWELL_OPERATIONS; walk.operation++) {
        const unsigned operation = walk.operation;
        if (!is_named(&walk, false)) { /* a form by itself has the facts of forms */
            if (describe_forms(&walk)) return true;
            continue;
        }
        if (reached(&walk))
            return tell(&walk, "operation", sch_maxwell_operation_names[operation], "",
                        sch_maxwell_operation_titles[operation]);
        if (describe_forms(&walk) || describe_codes(&walk) || describe_operands(&walk, 'A') ||
            describe_operands(&walk, 'B') || describe_results(&walk) || describe_rules(&walk))
            return true;
    }
    return sch_maxwell_code_describe(name, walk.left, fact);
}
