/* The reader in front of the lexer (find.h). A text that begins with a stage word, and has no other line that does, is
 * one shader to its end. Every other one is a log: a shader begins at a line whose last word is a stage word, when what
 * follows looks like a shader's next line; what comes before the word on that line is the prefix of all its lines,
 * with other numbers, or of this line alone. Every byte is looked at a bounded number of times. */
#include "tgsi/find.h"

#include <string.h>

#include "base/literals.h"
#include "base/utf8.h"
#include "isa/isa.h"
#include "tgsi/parser.h"

enum { LONGEST_PREFIX = 256 };

struct finder {
    struct sch_tgsi_found *found;
    const char *text, *end;
    char *copy; /* NULL until something is blanked */
    enum sch_result status;
    const struct sch_until *until;
    size_t steps; /* lines seen, for looks at `until` */

    /* The shader that is open, if any. */
    bool open, log, ended; /* `ended`: after its END, outside of subroutines */
    bool continues;        /* the last line ended within a statement */
    unsigned subroutines;
    struct sch_line prefix; /* empty: none */
    const char *doubtful;   /* after its END: the first line that is not part of a shader; NULL: there was none */
};

/* ---- bytes ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
static bool is_word_byte(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

static const char *word_end(const char *at, const char *end)
{
    while (at < end && is_word_byte(*at)) at++;
    return at;
}

/* Where a comment begins, or the end. */
static const char *comment(const char *at, const char *end)
{
    for (; at < end; at++)
        if (*at == '#' || *at == ';' || (*at == '/' && end - at > 1 && at[1] == '/')) return at;
    return end;
}

static void blank(struct finder *f, const char *begin, const char *end)
{
    if (begin >= end || f->status != SCH_OK) return;
    if (!f->copy) f->copy = sch_arena_string(&f->found->arena, f->text, (size_t)(f->end - f->text));
    if (!f->copy) {
        f->status = SCH_ERROR_MEMORY;
        return;
    }
    memset(f->copy + (begin - f->text), ' ', (size_t)(end - begin));
}

/* Whether the next line is to be looked at. */
static bool goes_on(struct finder *f)
{
    if (f->status == SCH_OK) f->status = sch_until_step(f->until, f->steps++);
    return f->status == SCH_OK;
}

/* ---- what a line begins with ---- */

static struct sch_tgsi_word word_at(const char *at, const char *end)
{
    return (struct sch_tgsi_word){at, (size_t)(word_end(at, end) - at)};
}

/* A stage in capitals, as dumps write it, perhaps with a version; `bytes` of it, or 0. */
static size_t stage_bytes(const char *at, const char *end)
{
    size_t bytes;
    const struct sch_word *stage = sch_tgsi_stage_at(at, end, &bytes);
    return stage && memcmp(stage->word, at, strlen(stage->word)) == 0 ? bytes : 0;
}

/* After "12:" or where it is not there, `at`. */
static const char *behind_label(const char *at, const char *end)
{
    const char *digits = at;
    while (digits < end && is_digit(*digits)) digits++;
    const char *colon = sch_skip_blanks(digits, end);
    return digits > at && colon < end && *colon == ':' ? sch_skip_blanks(colon + 1, end) : at;
}

static bool is_opcode(struct sch_tgsi_word word)
{
    bool saturate, precise;
    return sch_tgsi_find_opcode(word, &saturate, &precise) || sch_tgsi_find_retired(word, &saturate, &precise);
}

static bool is_keyword(struct sch_tgsi_word word)
{
    return sch_tgsi_word_is(word, "DCL") || sch_tgsi_word_is(word, "IMM") || sch_tgsi_word_is(word, "PROPERTY");
}

/* Whether a statement may begin at `at`. */
static bool begins_statement(const char *at, const char *end)
{
    struct sch_tgsi_word word = word_at(behind_label(at, end), end);
    return is_keyword(word) || is_opcode(word);
}

/* The same for sure: not a sentence that begins with IF or ADD. */
static bool is_statement(const char *at, const char *end)
{
    const char *opcode = behind_label(at, end);
    struct sch_tgsi_word word = word_at(opcode, end);
    if (is_keyword(word) || !is_opcode(word)) return is_keyword(word);
    const char *operand = sch_skip_blanks(opcode + word.bytes, end);
    if (opcode > at || operand == end) return true;
    while (operand < end && (*operand == '-' || *operand == '|')) operand++;
    struct sch_tgsi_word file = word_at(operand, end);
    return sch_word_find(SCH_WORDS_FILE, file.text, file.bytes) && file.text + file.bytes < end &&
           *sch_skip_blanks(file.text + file.bytes, end - 1) == '[';
}

/* ---- lines ---- */

static struct sch_line line_at(const struct finder *f, const char *at) { return sch_line_at(at, f->end); }

static const char *next_line(const struct finder *f, struct sch_line line) { return sch_line_next(line, f->end); }

/* The next line that is not blank nor a comment; empty at the end. */
static struct sch_line content_line(struct finder *f, struct sch_line line)
{
    for (const char *at = next_line(f, line); at < f->end && goes_on(f); at = next_line(f, line)) {
        line = line_at(f, at);
        const char *first = sch_skip_blanks(line.begin, line.end);
        if (comment(first, line.end) > first) return line;
    }
    return (struct sch_line){f->end, f->end};
}

/* PROPERTY NEXT_SHADER has a stage that begins nothing; it may be on a line of its own. */
static bool ends_with_name(const char *begin, const char *end)
{
    static const char name[] = "NEXT_SHADER";
    enum { NAME = sizeof name - 1 };
    end = sch_trimmed_end(begin, end);
    return end - begin >= NAME && sch_tgsi_word_is((struct sch_tgsi_word){end - NAME, NAME}, name);
}

/* Whether the byte before `at` is the point of a version: FRAG1.1. */
static bool is_version_point(const char *first, const char *at, const char *end)
{
    return at[-1] == '.' && at < end && is_digit(*at) && at - first > 1 && is_digit(at[-2]);
}

/* A line that ends with a stage word, or that begins with one and continues with a statement: where the word is, and
 * whether anything comes before it. */
static const char *stage_word(struct sch_line line)
{
    const char *first = sch_skip_blanks(line.begin, line.end);
    const size_t bytes = stage_bytes(first, line.end);
    if (bytes) {
        const char *behind = sch_skip_blanks(first + bytes, line.end);
        if (comment(behind, line.end) == behind || is_statement(behind, line.end)) return first;
    }
    const char *end = sch_trimmed_end(first, line.end), *at = end;
    while (at > first && (is_word_byte(at[-1]) || is_version_point(first, at, end))) at--;
    if (at == first || at - first > LONGEST_PREFIX || comment(first, line.end) == first) return NULL;
    if (ends_with_name(first, at)) return NULL;
    return at < end && stage_bytes(at, end) == (size_t)(end - at) ? at : NULL;
}

/* Whether a shader begins at a stage word of this line, and with which prefix. */
static bool begins_shader(struct finder *f, struct sch_line line, const char *stage, struct sch_line *prefix)
{
    *prefix = (struct sch_line){line.begin, sch_trimmed_end(line.begin, stage)};
    if (prefix->begin == prefix->end) return true;
    struct sch_line next = content_line(f, line);
    const struct sch_line first = next;
    const char *at = sch_behind_prefix(*prefix, next);
    while (at && at < f->end && comment(sch_skip_blanks(at, next.end), next.end) == sch_skip_blanks(at, next.end)) {
        next = content_line(f, next); /* nothing but the prefix, or a comment */
        at = sch_behind_prefix(*prefix, next);
    }
    if (at && begins_statement(sch_skip_blanks(at, next.end), next.end)) return true;
    next = first;
    *prefix = (struct sch_line){line.begin, line.begin};
    return begins_statement(sch_skip_blanks(next.begin, next.end), next.end);
}

/* ---- shaders ---- */

static void close_shader(struct finder *f, const char *end)
{
    if (!f->open) return;
    f->open = false;
    f->found->spans[f->found->count - 1].end = (size_t)((f->doubtful ? f->doubtful : end) - f->text);
}

static void open_shader(struct finder *f, struct sch_line line, const char *begin, uint32_t number,
                        struct sch_line prefix)
{
    struct sch_tgsi_found *found = f->found;
    close_shader(f, line.begin);
    if (found->count == SCH_TGSI_FOUND_LIMIT) {
        f->status = SCH_ERROR_LIMIT;
        return;
    }
    if (!SCH_ARENA_GROW(&found->arena, found->spans, found->capacity, found->count)) {
        f->status = SCH_ERROR_MEMORY;
        return;
    }
    found->spans[found->count++] = (struct sch_tgsi_span){.begin = (size_t)(begin - f->text),
                                                          .end = (size_t)(f->end - f->text),
                                                          .line_begin = (size_t)(line.begin - f->text),
                                                          .line = number};
    f->open = true;
    f->ended = f->continues = false;
    f->subroutines = 0;
    f->doubtful = NULL;
    f->prefix = prefix;
}

/* Follows END and subroutines through a line of the shader, whose statement is on it; or END at its end, where all
 * of a shader is on one. */
static void follow(struct finder *f, const char *at, const char *end)
{
    struct sch_tgsi_word word = word_at(behind_label(at, end), end);
    const char *last_end = sch_trimmed_end(at, end), *last = last_end;
    while (last > at && is_word_byte(last[-1])) last--;
    const struct sch_tgsi_word last_word = {last, (size_t)(last_end - last)};
    if (sch_tgsi_word_is(word, "END") || sch_tgsi_word_is(last_word, "END")) f->ended = true;
    if (sch_tgsi_word_is(word, "BGNSUB")) f->subroutines++;
    if (sch_tgsi_word_is(word, "ENDSUB") && f->subroutines) f->subroutines--;
}

/* Whether a line before END is certainly not part of a shader: no statement, no label, no bracket, and nothing that
 * continues with the line before. */
static bool is_foreign(const struct finder *f, const char *at, const char *end)
{
    struct sch_tgsi_word word = word_at(at, end);
    end = sch_trimmed_end(at, end);
    if (!f->log || f->continues || !word.bytes || behind_label(at, end) > at || is_keyword(word)) return false;
    if (sch_tgsi_word_is(word, "END") || is_statement(at, end)) return false;
    if (word.text + word.bytes == end) return false; /* a word alone may be an opcode that is wrong */
    return memchr(at, '[', (size_t)(end - at)) == NULL;
}

/* A line of the open shader from `at` on. */
static void take_content(struct finder *f, struct sch_line line, const char *at)
{
    const char *end = comment(at, line.end), *first = sch_skip_blanks(at, end);
    const bool over = f->log && f->ended && !f->subroutines && first < end;
    if (over || f->doubtful || is_foreign(f, first, end)) {
        /* After END come subroutines, or what is not a shader's: a later line may show which of the two. So it is where
         * END is missing. */
        if (first < end && is_statement(first, end))
            f->doubtful = NULL;
        else if (!f->doubtful)
            f->doubtful = line.begin;
    }
    if (f->doubtful) return;
    if (first < end) {
        const char last = sch_trimmed_end(first, end)[-1];
        f->continues = last == ',' || last == '{' || last == '-';
    }
    follow(f, first, end);
    bool returns = line.end > at && line.end[-1] == '\r';
    blank(f, end == line.end && returns ? end - 1 : end, line.end);
}

static void take_line(struct finder *f, struct sch_line line, uint32_t number, bool after_name)
{
    struct sch_line prefix;
    const char *stage = after_name ? NULL : stage_word(line);
    if (stage && f->log && begins_shader(f, line, stage, &prefix)) {
        open_shader(f, line, stage, number, prefix);
        if (f->status != SCH_OK) return;
        f->continues = true; /* the stage word is not a statement */
        take_content(f, line, stage);
        return;
    }
    if (!f->open) return;
    const char *at = sch_behind_prefix(f->prefix, line);
    blank(f, line.begin, at ? at : line.end);
    if (at) take_content(f, line, at);
}

/* ---- string literals ---- */

/* Whether a literal that begins at `at` is a shader: a stage word in capitals is first, and alone or before a blank, an
 * escape or the literal's end. */
static bool literal_begins(const char *at, const char *end)
{
    at = sch_skip_blanks(at, end);
    const size_t bytes = stage_bytes(at, end);
    at += bytes;
    return bytes && (at == end || sch_is_blank(*at) || *at == '\\' || *at == '"');
}

/* The quote on the line after which a shader begins; NULL: there is none. */
static const char *quote_of(struct sch_line line)
{
    for (const char *at = line.begin; (at = memchr(at, '"', (size_t)(line.end - at))); at++)
        if (literal_begins(at + 1, line.end)) return at;
    return NULL;
}

/* Shaders as programs of C, Rust or JSON have them become texts: what is not a literal's content is blanked. Their
 * lines need not break where literals do. */
static void take_literals(struct finder *f, const char *at)
{
    struct sch_literals literals = {0};
    struct sch_no_content part;
    for (struct sch_line line; at < f->end && goes_on(f); at = next_line(f, line)) {
        line = line_at(f, at);
        sch_literals_line(&literals, line, literals.inside ? NULL : quote_of(line));
        while (sch_literals_next(&literals, &part)) blank(f, part.begin, part.end);
    }
    if (!f->copy) return;
    f->end = f->copy + (f->end - f->text);
    f->text = f->copy;
}

/* ---- the whole ---- */

/* After a byte order mark. */
static const char *text_begin(struct finder *f) { return f->text + sch_utf8_mark(f->text, (size_t)(f->end - f->text)); }

/* The first byte that is neither white space nor a comment, and its line. */
static const char *first_byte(struct finder *f, const char *at, struct sch_line *line, uint32_t *number)
{
    *number = 1;
    for (*line = line_at(f, at); at < f->end && goes_on(f); at = line->begin) {
        *line = line_at(f, at);
        at = sch_skip_blanks(at, line->end);
        if (comment(at, line->end) > at) return at;
        line->begin = next_line(f, *line);
        ++*number;
    }
    *line = (struct sch_line){f->end, f->end};
    return f->end;
}

/* Whether a line after the first begins another shader. */
static bool has_other_shaders(struct finder *f, struct sch_line line)
{
    bool after_name = ends_with_name(line.begin, line.end);
    for (const char *at = next_line(f, line); at < f->end && goes_on(f); at = next_line(f, line)) {
        struct sch_line prefix;
        line = line_at(f, at);
        const char *stage = after_name ? NULL : stage_word(line);
        if (stage && begins_shader(f, line, stage, &prefix)) return true;
        const char *end = comment(line.begin, line.end);
        if (sch_skip_blanks(line.begin, end) < end) after_name = ends_with_name(line.begin, end);
    }
    return false;
}

static void take_lines(struct finder *f, const char *at, uint32_t number)
{
    bool after_name = false;
    for (struct sch_line line; at < f->end && goes_on(f); at = next_line(f, line), number++) {
        line = line_at(f, at);
        take_line(f, line, number, after_name);
        const char *end = comment(line.begin, line.end);
        if (sch_skip_blanks(line.begin, end) < end) after_name = ends_with_name(line.begin, end);
    }
    close_shader(f, f->end);
}

enum sch_result sch_tgsi_find(const struct sch_allocator *allocator, const char *text, size_t bytes,
                              const struct sch_until *until, struct sch_tgsi_found *found)
{
    struct finder f = {.found = found, .text = text, .end = text + bytes, .until = until};
    struct sch_line line;
    uint32_t number;
    *found = (struct sch_tgsi_found){.text = text};
    sch_arena_init(&found->arena, allocator, 0);

    take_literals(&f, f.text);
    const char *begin = text_begin(&f), *first = first_byte(&f, begin, &line, &number);
    size_t bytes_of_stage;
    bool staged = sch_tgsi_stage_at(first, f.end, &bytes_of_stage);
    const struct sch_line none = {f.text, f.text};
    f.log = !staged || f.copy || has_other_shaders(&f, line);
    if (f.log) take_lines(&f, begin, 1);
    if (!found->count && f.status == SCH_OK) { /* one shader to the end, or what the parser will refuse */
        f.log = false;
        open_shader(&f, none, f.text, 1, none);
        blank(&f, f.text, begin);
        take_lines(&f, begin, 1);
    }
    if (f.copy) found->text = f.copy;
    return f.status;
}

void sch_tgsi_found_release(struct sch_tgsi_found *found) { sch_arena_release(&found->arena); }
