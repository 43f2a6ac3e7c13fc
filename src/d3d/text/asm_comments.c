/* Signatures from the tables that Microsoft's compiler writes as comments before a listing: "Input signature:" and its
 * kin, a line of titles, a line of dashes, one element a line. The assembler ignores other comments.
 * What directives say counts more. */
#include "d3d/text/assembler.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_blanks(struct sch_d3d_assembler *a)
{
    while (a->at < a->end && is_blank(*a->at)) a->at++;
}

static bool at_line_end(const struct sch_d3d_assembler *a) { return a->at >= a->end || *a->at == '\n'; }

static void next_line(struct sch_d3d_assembler *a)
{
    while (!at_line_end(a)) a->at++;
    sch_d3d_asm_next_line(a);
}

/* Goes after the "//" of a line that is a comment and nothing else; in a text that was read no other line begins
 * so. */
static bool enter_comment(struct sch_d3d_assembler *a)
{
    skip_blanks(a);
    if (at_line_end(a) || *a->at != '/') return false;
    a->at += 2;
    skip_blanks(a);
    return true;
}

/* The bytes up to a blank. */
static size_t token_length(const struct sch_d3d_assembler *a)
{
    size_t length = 0;
    while (length < (size_t)(a->end - a->at) && !is_blank(a->at[length]) && a->at[length] != '\n') length++;
    return length;
}

/* Whether all of a token's bytes are of a set; it may end where the text does. */
static bool consists_of(const char *token, size_t length, const char *set)
{
    for (size_t i = 0; i < length; i++)
        if (!token[i] || !strchr(set, token[i])) return false;
    return true;
}

static bool take_token(struct sch_d3d_assembler *a, const char *word)
{
    size_t length = strlen(word);
    if (token_length(a) != length || strncasecmp(a->at, word, length)) return false;
    a->at += length;
    skip_blanks(a);
    return true;
}

/* Words, each after blanks, to the end of the line. */
static bool take_tokens(struct sch_d3d_assembler *a, const char *const *words, size_t count)
{
    const char *before = a->at;
    size_t taken = 0;
    while (taken < count && take_token(a, words[taken])) taken++;
    if (taken == count && at_line_end(a)) return true;
    a->at = before;
    return false;
}

static bool take_title(struct sch_d3d_assembler *a, enum sch_signature_kind *kind)
{
    static const char *const titles[][3] = {
        {"Input", "signature:"}, {"Output", "signature:"}, {"Patch", "Constant", "signature:"}};
    for (unsigned i = 0; i < SCH_D3D_SIGNATURE_COUNT; i++) {
        if (!take_tokens(a, titles[i], i == SCH_SIGNATURE_PATCH_CONSTANT ? 3 : 2)) continue;
        *kind = (enum sch_signature_kind)i;
        return true;
    }
    return false;
}

/* The titles of the columns and the dashes below them; blank comments may come before. */
static bool take_heading(struct sch_d3d_assembler *a)
{
    static const char *const columns[] = {"Name", "Index", "Mask", "Register", "SysValue", "Format", "Used"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    while (a->at < a->end && enter_comment(a) && at_line_end(a)) next_line(a);
    if (!take_tokens(a, columns, COLUMNS)) return false;
    next_line(a);
    unsigned groups = 0;
    if (!enter_comment(a)) return false;
    for (; !at_line_end(a); groups++) {
        size_t length = token_length(a);
        if (!consists_of(a->at, length, "-")) return false;
        a->at += length;
        skip_blanks(a);
    }
    next_line(a);
    return groups == COLUMNS;
}

/* Adds the letters of components in their order, with blanks between them: " yz ", "x  w". False: there are none. */
static bool take_letters(struct sch_d3d_assembler *a, uint8_t *mask)
{
    static const char letters[] = "xyzw";
    for (;;) {
        size_t length = token_length(a);
        if (!length || !consists_of(a->at, length, letters)) return *mask != 0;
        const char *at = a->at;
        for (size_t i = 0; i < length; i++) {
            uint8_t bit = (uint8_t)(1u << (strchr(letters, at[i]) - letters));
            if (*mask >= bit) sch_d3d_asm_report(a, SCH_D_ASM_COMPONENTS, at, "each component is named once, in order");
            *mask |= bit;
        }
        if (a->bad) return true;
        a->at += length;
        skip_blanks(a);
    }
}

/* "TEXCOORD", or "m1:TEXCOORD" of another stream than 0. */
static void take_name(struct sch_d3d_assembler *a, struct sch_d3d_signature_element *element)
{
    if (a->end - a->at > 2 && a->at[0] == 'm' && a->at[1] >= '0' && a->at[1] <= '3' && a->at[2] == ':') {
        element->stream = (uint32_t)(a->at[1] - '0');
        a->at += 3;
    }
    size_t length = token_length(a);
    if (!length) sch_d3d_asm_report(a, SCH_D_ASM_SIGNATURE, a->at, "the name of a semantic is missing here");
    element->name = sch_arena_string(&a->shader->arena, a->at, length);
    a->at += length;
    if (!element->name) sch_d3d_asm_memory(a);
    skip_blanks(a);
}

/* A number, or the name of a register that has none: oDepth, vPrim and the like. */
static void take_register(struct sch_d3d_assembler *a, struct sch_d3d_signature_element *element)
{
    element->reg = UINT32_MAX;
    if (!at_line_end(a) && sch_d3d_is_digit(*a->at))
        element->reg = (uint32_t)sch_d3d_asm_number(a, UINT32_MAX - 1);
    else if (at_line_end(a))
        sch_d3d_asm_report(a, SCH_D_ASM_SIGNATURE, a->at, "a register is missing here");
    else
        a->at += token_length(a);
    skip_blanks(a);
}

static void take_format(struct sch_d3d_assembler *a, struct sch_d3d_signature_element *element)
{
    static const struct {
        const char *word;
        uint8_t type, precision;
    } formats[] = {{"unknown", 0, 0}, {"uint", 1, 0},    {"int", 2, 0},    {"float", 3, 0},
                   {"min16f", 3, 1},  {"min2_8f", 3, 2}, {"min16i", 2, 4}, {"min16u", 1, 5}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!take_token(a, formats[i].word)) continue;
        element->component_type = formats[i].type;
        element->min_precision = formats[i].precision;
        return;
    }
    sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at, "no format of a signature is called so");
}

/* Components, or YES and NO where there are none; nothing at all where none is used. */
static uint8_t take_used(struct sch_d3d_assembler *a)
{
    uint8_t used = 0;
    if (take_token(a, "YES")) return 1;
    if (take_token(a, "NO") || take_token(a, "N/A")) return 0;
    take_letters(a, &used);
    return used;
}

static void take_row(struct sch_d3d_assembler *a, struct sch_d3d_signature_element *element, bool written)
{
    take_name(a, element);
    element->index = (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
    skip_blanks(a);
    if (take_token(a, "N/A"))
        element->mask = 1;
    else if (!take_letters(a, &element->mask))
        sch_d3d_asm_report(a, SCH_D_ASM_COMPONENTS, a->at, "components are missing here");
    take_register(a, element);
    element->system_value = sch_d3d_asm_word_or_number(a, SCH_D3D_WORDS_SIGNATURE);
    if (element->system_value >= 64) element->system_value = 0; /* those of pixel shaders: the name says it */
    skip_blanks(a);
    take_format(a, element);
    uint8_t used = take_used(a);
    element->used = written ? (uint8_t)(0xf & ~used) : used;
    if (!at_line_end(a)) sch_d3d_asm_report(a, SCH_D_ASM_PUNCTUATION, a->at, "the line should end here");
}

/* "no Input", "no Output", "no Patch Constant": the table of an empty signature. */
static bool says_none(struct sch_d3d_assembler *a) { return take_token(a, "no"); }

static void take_rows(struct sch_d3d_assembler *a, enum sch_signature_kind kind)
{
    struct sch_d3d_signature *signature = &a->shader->signatures[kind];
    bool written = sch_d3d_is_written(a->shader->program->stage, kind);
    size_t capacity = 0;
    for (; a->at < a->end && enter_comment(a) && !at_line_end(a) && !says_none(a); next_line(a)) {
        struct sch_d3d_signature_element element = {0};
        a->bad = false;
        take_row(a, &element, written);
        if (a->status == SCH_ERROR_MEMORY) return;
        if (a->bad) continue;
        if (signature->count == SCH_D3D_MOST_ELEMENTS) {
            sch_d3d_asm_report(a, SCH_D_D3D_LIMIT, a->line_begin, "a signature has at most %d elements",
                               SCH_D3D_MOST_ELEMENTS);
            return;
        }
        if (!SCH_ARENA_GROW(&a->shader->arena, signature->elements, capacity, signature->count)) {
            sch_d3d_asm_memory(a);
            return;
        }
        signature->elements[signature->count++] = element;
    }
}

void sch_d3d_asm_comments(struct sch_d3d_assembler *a)
{
    bool described[SCH_D3D_SIGNATURE_COUNT];
    for (unsigned i = 0; i < SCH_D3D_SIGNATURE_COUNT; i++) described[i] = a->shader->signatures[i].tag != 0;
    a->at = a->line_begin = a->begin;
    a->line = a->first_line;
    while (a->at < a->end && a->status != SCH_ERROR_MEMORY && a->status != SCH_ERROR_LIMIT) {
        enum sch_signature_kind kind;
        if (!enter_comment(a) || !take_title(a, &kind)) {
            next_line(a);
            continue;
        }
        next_line(a);
        if (described[kind] || !take_heading(a)) continue;
        described[kind] = true;
        a->shader->signatures[kind].tag = 1;
        take_rows(a, kind);
    }
}
