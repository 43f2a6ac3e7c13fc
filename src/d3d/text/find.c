/* Where listings are in a text (find.h). One begins at a line whose last word is a profile, if the next line is one
 * of a listing; what comes before the profile is the prefix of all its lines, with other numbers, or of this line
 * alone. The comments before it belong to it: signatures are in their tables. It ends after a RET outside of
 * constructs, where a line follows that no listing has. Listings in string literals are found in a copy in which only
 * the literals' contents are, and \n breaks lines. A text that begins with a profile, and has no other, is one
 * listing to its end. Every byte is looked at a bounded number of times. */
#include "d3d/text/find.h"

#include <string.h>
#include <strings.h>

#include "base/literals.h"
#include "base/utf8.h"
#include "d3d/text/assembler.h"

enum { LONGEST_PREFIX = 256, LONGEST_MNEMONIC = 64 };

struct finder {
    struct sch_d3d_found *found; /* NULL: it is enough to know whether there is one */
    const char *text, *end;
    const char *original; /* the text as it was given */
    char *copy;           /* NULL until something is blanked */
    enum sch_result status;
    bool any;

    /* The listing that is open, if any. */
    bool open, returned; /* `returned`: after a RET outside of constructs */
    unsigned depth;      /* of constructs */
    unsigned braces;
    struct sch_line prefix; /* empty: none */
    const char *last;       /* the end of its last line */
    const char *free;       /* where the lines begin that no listing has, before the line that is looked at */
    uint32_t free_line;
};

static const char *word_end(const char *at, const char *end)
{
    while (at < end && sch_d3d_is_word(*at)) at++;
    return at;
}

static bool is_comment(const char *at, const char *end) { return end - at > 1 && at[0] == '/' && at[1] == '/'; }

static bool begins_with(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - at) >= length && strncasecmp(at, word, length) == 0;
}

/* Nothing, or what a reader of listings skips. */
static bool says_nothing(const char *at, const char *end)
{
    at = sch_skip_blanks(at, end);
    return at == end || is_comment(at, end) || begins_with(at, end, "#line");
}

/* ---- lines of listings ---- */

/* The instruction whose mnemonic, with its suffixes, is the word; NULL: there is none. */
static const struct sch_d3d_op_info *instruction_of(const char *word, size_t bytes)
{
    for (size_t end = bytes < LONGEST_MNEMONIC ? bytes : 0; end; end--) {
        if (end < bytes && word[end] != '_') continue;
        const struct sch_d3d_op_info *info = sch_d3d_op_find(word, end);
        if (info && !(info->flags & SCH_D3D_F_CUSTOM)) return info;
    }
    return NULL;
}

/* Whether an operand begins here: a register, or values. */
static bool is_operand(const char *at, const char *end)
{
    while (at < end && (*at == '-' || *at == '|' || sch_is_blank(*at))) at++;
    const char *letters = at;
    while (at < end && sch_d3d_is_letter(*at)) at++;
    if (at == letters + 1 && at < end && *at == '(') return *letters == 'l' || *letters == 'd';
    const bool ends = at == end || sch_d3d_is_digit(*at) || strchr("[.,|", *at);
    return ends && sch_d3d_register_find(letters, (size_t)(at - letters)) != NULL;
}

/* The instruction of a line, without its label; NULL: the line has none. A word alone does not count: sentences begin
 * with "add" and "log", too. */
static const struct sch_d3d_op_info *instruction_at(const char *at, const char *end)
{
    const char *behind = word_end(at, end);
    const struct sch_d3d_op_info *info = instruction_of(at, (size_t)(behind - at));
    if (!info || info->flags & SCH_D3D_F_DECLARATION) return info;
    const char *next = sch_skip_blanks(behind, end);
    while (next < end && (*next == '(' || *next == '[')) { /* groups: dimension, types, precise */
        const char *close = memchr(next, *next == '(' ? ')' : ']', (size_t)(end - next));
        if (!close) return NULL;
        next = sch_skip_blanks(word_end(close + 1, end), end);
    }
    if (!sch_d3d_operand_count(info)) return says_nothing(next, end) ? info : NULL;
    return is_operand(next, end) ? info : NULL;
}

static bool is_custom(const char *at, const char *end)
{
    return begins_with(at, end, "dcl_immediateConstantBuffer") || begins_with(at, end, "customdata ");
}

static bool is_directive(const char *at, const char *end)
{
    return end - at > 1 && *at == '.' && sch_d3d_is_letter(at[1]);
}

static bool is_of_listing(const char *at, const char *end)
{
    at = sch_d3d_behind_label(sch_skip_blanks(at, end), end);
    return is_directive(at, end) || is_custom(at, end) || instruction_at(at, end);
}

/* ---- where one begins ---- */

/* Where the profile begins that is the last word of a line; NULL if there is none. */
static const char *profile_of(struct sch_line line)
{
    const char *end = sch_trimmed_end(line.begin, line.end), *at = end;
    while (at > line.begin && sch_d3d_is_word(at[-1])) at--;
    if (!sch_d3d_is_profile(at, (size_t)(end - at)) || (at[3] != '4' && at[3] != '5')) return NULL;
    return at - line.begin > LONGEST_PREFIX || is_comment(sch_skip_blanks(line.begin, line.end), line.end) ? NULL : at;
}

/* The next line that says something, after `prefix` if it has it; false: there is none. */
static bool next_content(const struct finder *f, struct sch_line line, struct sch_line prefix, struct sch_line *content)
{
    for (const char *at = sch_line_next(line, f->end); at < f->end; at = sch_line_next(line, f->end)) {
        line = sch_line_at(at, f->end);
        const char *behind = sch_behind_prefix(prefix, line);
        if (behind && says_nothing(behind, line.end)) continue;
        *content = (struct sch_line){behind, line.end};
        return behind != NULL;
    }
    return false;
}

/* Whether a listing begins at a profile on this line, and with which prefix. */
static bool begins_listing(const struct finder *f, struct sch_line line, const char *profile, struct sch_line *prefix)
{
    struct sch_line content;
    const struct sch_line none = {line.begin, line.begin}, all = {line.begin, sch_trimmed_end(line.begin, profile)};
    *prefix = none;
    const bool bare = sch_d3d_behind_label(sch_skip_blanks(line.begin, line.end), line.end) == profile;
    if (!bare && next_content(f, line, all, &content) && is_of_listing(content.begin, content.end)) {
        *prefix = all;
        return true;
    }
    return next_content(f, line, none, &content) && is_of_listing(content.begin, content.end);
}

/* ---- listings ---- */

static void blank(struct finder *f, const char *begin, const char *end)
{
    if (begin >= end || f->status != SCH_OK || !f->found) return;
    if (!f->copy) f->copy = sch_arena_string(&f->found->arena, f->text, (size_t)(f->end - f->text));
    if (!f->copy) {
        f->status = SCH_ERROR_MEMORY;
        return;
    }
    memset(f->copy + (begin - f->text), ' ', (size_t)(end - begin));
}

static void close_listing(struct finder *f, const char *end)
{
    if (!f->open) return;
    f->open = false;
    if (f->found) f->found->spans[f->found->count - 1].end = (size_t)(end - f->text);
}

/* Whether the byte is a line end of the text as it was given, so that lines are counted by it. */
static bool is_line_end(const struct finder *f, const char *at)
{
    return at < f->end && f->original[at - f->text] == '\n';
}

/* Goes back from the profile's line over comments with its prefix, to where the listing begins. */
static const char *first_comment(struct finder *f, struct sch_line line, uint32_t *number)
{
    const char *begin = line.begin;
    uint32_t count = 0;
    for (const char *at = begin; at > f->free;) {
        const char *previous = at - 1;
        while (previous > f->free && previous[-1] != '\n') previous--;
        const struct sch_line before = {previous, at - 1};
        const char *behind = sch_behind_prefix(f->prefix, before),
                   *first = behind ? sch_skip_blanks(behind, before.end) : NULL;
        if (!first || (first < before.end && !is_comment(first, before.end))) break;
        count += is_line_end(f, at - 1);
        at = previous;
        blank(f, before.begin, behind);
        if (first == before.end) continue;
        begin = previous;
        *number -= count;
        count = 0;
    }
    return begin;
}

/* Where a listing's part of the text begins: at its line, or, within a line, at the quote of its literal. */
static const char *part_begin(const struct finder *f, const char *begin)
{
    if (begin == f->text || is_line_end(f, begin - 1)) return begin;
    const char *at = f->original + (sch_skip_blanks(begin, f->end) - f->text);
    while (at > f->original && *at != '"') at--;
    return f->text + (at - f->original);
}

static void open_listing(struct finder *f, struct sch_line line, const char *profile, uint32_t number)
{
    close_listing(f, line.begin);
    f->any = true;
    f->returned = false;
    f->depth = f->braces = 0;
    f->last = line.end;
    if (!f->found) return;
    struct sch_d3d_found *found = f->found;
    if (found->count == SCH_D3D_FOUND_LIMIT) {
        f->status = SCH_ERROR_LIMIT;
        return;
    }
    if (!SCH_ARENA_GROW(&found->arena, found->spans, found->capacity, found->count)) {
        f->status = SCH_ERROR_MEMORY;
        return;
    }
    const char *begin = part_begin(f, first_comment(f, line, &number));
    blank(f, line.begin, profile);
    if (found->count && found->spans[found->count - 1].end > (size_t)(begin - f->text))
        found->spans[found->count - 1].end = (size_t)(begin - f->text);
    found->spans[found->count++] =
        (struct sch_d3d_span){.begin = (size_t)(begin - f->text), .end = (size_t)(f->end - f->text), .line = number};
    f->open = true;
}

/* Follows braces, constructs and RET through a line of the listing. */
static void follow(struct finder *f, const char *at, const char *end)
{
    at = sch_d3d_behind_label(sch_skip_blanks(at, end), end);
    if (f->braces || is_custom(at, end) || is_directive(at, end)) {
        for (; at < end && !is_comment(at, end); at++) {
            if (*at == '{') f->braces++;
            if (*at == '}' && f->braces) f->braces--;
        }
        return;
    }
    const struct sch_d3d_op_info *info = instruction_at(at, end);
    if (!info) return;
    if (info->flags & SCH_D3D_F_DEDENT && f->depth) f->depth--;
    if (info->flags & SCH_D3D_F_INDENT) f->depth++;
    f->returned = info->opcode == SCH_D3D_OP_RET && !f->depth;
}

/* A line of the open listing. */
static void take_line(struct finder *f, struct sch_line line)
{
    const char *at = sch_behind_prefix(f->prefix, line);
    const bool over = f->returned && !f->braces;
    if (over && (!at || (!says_nothing(at, line.end) && !is_of_listing(at, line.end)))) {
        close_listing(f, f->last);
        return;
    }
    blank(f, line.begin, at ? at : line.end);
    if (!at || says_nothing(at, line.end)) return;
    follow(f, at, line.end);
    f->last = line.end;
}

/* ---- string literals ---- */

/* Whether a listing continues after its profile's line in a literal, perhaps in one that follows it. */
static bool goes_on(const char *at, const char *end)
{
    while (at < end) {
        if (*at == '\\' && end - at > 1)
            at += 2;
        else if (sch_is_blank(*at) || *at == '\n' || *at == '"')
            at++;
        else if (is_comment(at, end))
            while (at < end && *at != '\\' && *at != '"' && *at != '\n') at++;
        else
            break;
    }
    const char *stop = at;
    while (stop < end && *stop != '\\' && *stop != '"' && *stop != '\n') stop++;
    return is_of_listing(at, stop);
}

/* Whether a profile is in a literal before this backslash, alone on its line. */
static bool ends_profile(const struct finder *f, const char *backslash)
{
    if (f->end - backslash < 2 || (backslash[1] != 'n' && backslash[1] != 'r')) return false;
    const char *last = sch_trimmed_end(f->text, backslash), *at = last;
    while (at > f->text && last - at < 8 && sch_d3d_is_word(at[-1])) at--;
    /* of "\nps_5_0" the n is of the break */
    const bool broken = last - at == 7 && *at == 'n' && at > f->text && at[-1] == '\\';
    at += broken;
    if (!sch_d3d_is_profile(at, (size_t)(last - at)) || (at[3] != '4' && at[3] != '5')) return false;
    const char *before = sch_trimmed_end(f->text, at);
    const bool first = before > f->text && before[-1] == '"';
    return first || broken || (before - f->text > 1 && memcmp(before - 2, "\\n", 2) == 0);
}

/* Whether the text has a listing in a string literal. */
static bool holds_literal(const struct finder *f)
{
    for (const char *at = f->text; (at = memchr(at, '\\', (size_t)(f->end - at))); at++)
        if (ends_profile(f, at) && goes_on(at, f->end)) return true;
    return false;
}

/* The quote on the line after which a listing, or a comment before it, begins; NULL: there is none. */
static const char *quote_of(const struct finder *f, struct sch_line line)
{
    for (const char *at = line.begin; (at = memchr(at, '"', (size_t)(line.end - at))); at++) {
        const char *first = sch_skip_blanks(at + 1, line.end), *behind = word_end(first, line.end);
        if (is_comment(first, line.end)) return at;
        if (behind > first && ends_profile(f, sch_skip_blanks(behind, line.end))) return at;
    }
    return NULL;
}

/* Listings as programs of C, Rust or JSON have them become lines: what is not a literal's content is blanked, and lines
 * break where literals do. */
static void take_literals(struct finder *f)
{
    struct sch_literals literals = {0};
    struct sch_no_content part;
    for (const char *at = f->text; at < f->end && f->status == SCH_OK;) {
        const struct sch_line line = sch_line_at(at, f->end);
        sch_literals_line(&literals, line, literals.inside ? NULL : quote_of(f, line));
        while (sch_literals_next(&literals, &part)) {
            blank(f, part.begin, part.end);
            if (part.breaks && f->copy) f->copy[part.end - 1 - f->text] = '\n';
        }
        at = sch_line_next(line, f->end);
    }
    if (!f->copy) return;
    f->end = f->copy + (f->end - f->text);
    f->text = f->copy;
}

/* ---- the whole ---- */

static void find(struct finder *f)
{
    uint32_t number = 1;
    f->free = f->text;
    for (struct sch_line line = {f->text, f->text}; line.begin < f->end && f->status == SCH_OK;) {
        line = sch_line_at(line.begin, f->end);
        const char *profile = profile_of(line);
        struct sch_line prefix;
        if (profile && begins_listing(f, line, profile, &prefix)) {
            f->prefix = prefix;
            open_listing(f, line, profile, number);
            if (!f->found) return;
        } else if (f->open) {
            take_line(f, line);
        }
        if (f->open && f->last == line.end) f->free = sch_line_next(line, f->end);
        number += is_line_end(f, line.end);
        line.begin = sch_line_next(line, f->end);
    }
    close_listing(f, f->end);
}

enum sch_result sch_d3d_find(const struct sch_allocator *allocator, const char *text, size_t bytes,
                             struct sch_d3d_found *found)
{
    struct finder f = {.found = found, .text = text, .end = text + bytes, .original = text};
    *found = (struct sch_d3d_found){.text = text};
    sch_arena_init(&found->arena, allocator, 0);
    if (holds_literal(&f)) take_literals(&f);
    find(&f);
    const bool begins = sch_d3d_text_recognise(text, bytes);
    if (f.status == SCH_OK && begins && found->count <= 1) {
        if (!found->count && !SCH_ARENA_GROW(&found->arena, found->spans, found->capacity, found->count))
            f.status = SCH_ERROR_MEMORY;
        else
            found->spans[0] = (struct sch_d3d_span){.begin = sch_utf8_mark(text, bytes), .end = bytes, .line = 1};
        found->count = 1;
    } else if (f.copy) {
        found->text = f.copy;
    }
    return f.status;
}

void sch_d3d_found_release(struct sch_d3d_found *found) { sch_arena_release(&found->arena); }

bool sch_d3d_text_holds(const char *text, size_t bytes)
{
    struct finder f = {.text = text, .end = text + bytes, .original = text};
    find(&f);
    return f.any || holds_literal(&f);
}
