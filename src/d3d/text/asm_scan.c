/* The assembler's cursor: blanks, words, numbers, components, quoted texts. */
#include "d3d/text/assembler.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/lines.h"
#include "base/number.h"

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* After a report the cursor is at the end of its line: nothing can be taken there. */
static void leave_line(struct sch_d3d_assembler *a)
{
    while (a->at < a->end && *a->at != '\n') a->at++;
}

void sch_d3d_asm_report(struct sch_d3d_assembler *a, enum sch_diagnostic_code code, const char *at, const char *format,
                        ...)
{
    if (a->bad) return;
    a->bad = true;
    if (a->status == SCH_OK) a->status = code == SCH_D_D3D_LIMIT ? SCH_ERROR_LIMIT : SCH_ERROR_INVALID;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct sch_position position = {.line = a->line,
                                    .column = at >= a->line_begin ? (uint32_t)(at - a->line_begin) + 1 : 1,
                                    .offset = (uint64_t)(at - a->text)};
    sch_diagnostics_add(a->diagnostics, SCH_SEVERITY_ERROR, code, position, "%s", message);
    leave_line(a);
}

void sch_d3d_asm_memory(struct sch_d3d_assembler *a)
{
    a->bad = true;
    a->status = SCH_ERROR_MEMORY;
    leave_line(a);
}

/* Digits, in hexadecimal after 0x; `at` where there are none. */
static const char *behind_number(const char *at, const char *end)
{
    const bool hexadecimal = end - at > 2 && at[0] == '0' && lower(at[1]) == 'x';
    const char *digits = hexadecimal ? at + 2 : at, *stop = digits;
    while (stop < end && sch_d3d_asm_digit(*stop) < (hexadecimal ? 16u : 10u)) stop++;
    return stop > digits ? stop : at;
}

const char *sch_d3d_behind_label(const char *at, const char *end)
{
    const char *first = sch_skip_blanks(at, end), *stop = behind_number(first, end);
    if (stop == first) return at;
    const char *second = sch_skip_blanks(stop, end), *last = behind_number(second, end);
    if (second > stop && last > second) stop = last;
    return stop < end && *stop == ':' ? sch_skip_blanks(stop + 1, end) : at;
}

char sch_d3d_asm_skip(struct sch_d3d_assembler *a)
{
    while (a->at < a->end && (*a->at == ' ' || *a->at == '\t' || *a->at == '\r')) a->at++;
    if (a->end - a->at >= 2 && a->at[0] == '/' && a->at[1] == '/')
        while (a->at < a->end && *a->at != '\n') a->at++;
    return a->at < a->end && *a->at != '\n' ? *a->at : 0;
}

void sch_d3d_asm_next_line(struct sch_d3d_assembler *a)
{
    const bool literal = a->original && a->at < a->end && a->original[a->at - a->text] != '\n';
    if (a->at < a->end) a->at++;
    if (literal) return; /* the line of the text continues */
    a->line++;
    a->line_begin = a->at;
}

char sch_d3d_asm_skip_lines(struct sch_d3d_assembler *a)
{
    char c;
    while (!(c = sch_d3d_asm_skip(a)) && a->at < a->end) sch_d3d_asm_next_line(a);
    return c;
}

bool sch_d3d_asm_take(struct sch_d3d_assembler *a, char c)
{
    if (sch_d3d_asm_skip(a) != c) return false;
    a->at++;
    return true;
}

bool sch_d3d_asm_expect(struct sch_d3d_assembler *a, char c)
{
    if (sch_d3d_asm_take(a, c)) return true;
    sch_d3d_asm_report(a, SCH_D_ASM_PUNCTUATION, a->at, "a '%c' is missing here", c);
    return false;
}

size_t sch_d3d_asm_word_length(const struct sch_d3d_assembler *a)
{
    size_t length = 0;
    while (length < (size_t)(a->end - a->at) && sch_d3d_is_word(a->at[length])) length++;
    return length;
}

bool sch_d3d_asm_take_word(struct sch_d3d_assembler *a, const char *word)
{
    sch_d3d_asm_skip(a);
    size_t length = strlen(word);
    if (sch_d3d_asm_word_length(a) != length || strncasecmp(a->at, word, length)) return false;
    a->at += length;
    return true;
}

/* How many bytes `word` takes at the cursor, 0 when it does not be there; a blank in it stands for any number. */
static size_t match(const struct sch_d3d_assembler *a, const char *word, bool before_suffix)
{
    const char *at = a->at;
    if (!*word) return 0;
    for (const char *c = word; *c; c++) {
        if (*c == ' ') {
            const char *begin = at;
            while (at < a->end && (*at == ' ' || *at == '\t')) at++;
            if (at == begin) return 0;
            continue;
        }
        if (at >= a->end || lower(*at) != lower(*c)) return 0;
        at++;
    }
    if (at < a->end && (sch_d3d_is_letter(*at) || sch_d3d_is_digit(*at))) return 0;
    if (at < a->end && *at == '_' && !before_suffix) return 0;
    return (size_t)(at - a->at);
}

bool sch_d3d_asm_take_suffix(struct sch_d3d_assembler *a, const char *word)
{
    size_t length = match(a, word, true);
    a->at += length;
    return length > 0;
}

const struct sch_d3d_word *sch_d3d_asm_vocabulary(struct sch_d3d_assembler *a, enum sch_d3d_vocabulary vocabulary)
{
    size_t count, best = 0;
    const struct sch_d3d_word *words = sch_d3d_words(&count), *found = NULL;
    sch_d3d_asm_skip(a);
    for (size_t i = 0; i < count; i++) {
        if (words[i].vocabulary != vocabulary) continue;
        bool before_suffix = vocabulary == SCH_D3D_WORDS_DIMENSION || words[i].word[0] == '_';
        size_t one = match(a, words[i].word, before_suffix), other = match(a, words[i].other, before_suffix);
        size_t length = one > other ? one : other;
        if (length <= best) continue;
        best = length;
        found = &words[i];
    }
    a->at += best;
    return found;
}

unsigned sch_d3d_asm_digit(char c)
{
    enum { TEN = 10 };
    if (sch_d3d_is_digit(c)) return (unsigned)(c - '0');
    c = lower(c);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + TEN : SCH_D3D_NO_DIGIT;
}

/* Digits in a base; false when the number is too large. */
static bool scan_digits(struct sch_d3d_assembler *a, unsigned base, uint64_t *number)
{
    bool good = true;
    *number = 0;
    for (; a->at < a->end; a->at++) {
        unsigned digit = sch_d3d_asm_digit(*a->at);
        if (digit >= base) break;
        good = good && !__builtin_mul_overflow(*number, (uint64_t)base, number) &&
               !__builtin_add_overflow(*number, (uint64_t)digit, number);
    }
    return good;
}

static bool take_hex_prefix(struct sch_d3d_assembler *a)
{
    if (a->end - a->at < 3 || a->at[0] != '0' || lower(a->at[1]) != 'x' ||
        sch_d3d_asm_digit(a->at[2]) == SCH_D3D_NO_DIGIT)
        return false;
    a->at += 2;
    return true;
}

uint64_t sch_d3d_asm_number(struct sch_d3d_assembler *a, uint64_t most)
{
    sch_d3d_asm_skip(a);
    const char *begin = a->at;
    uint64_t number;
    bool good = scan_digits(a, take_hex_prefix(a) ? 16 : 10, &number);
    if (a->at == begin)
        sch_d3d_asm_report(a, SCH_D_ASM_NUMBER, begin, "a number is missing here");
    else if (!good || number > most)
        sch_d3d_asm_report(a, SCH_D_ASM_NUMBER, begin, "the number is larger than %llu", (unsigned long long)most);
    return number;
}

/* Infinities and NaNs as C libraries write them; those of Microsoft have the old words (1.#INF00) and the new ones
 * (inf, nan, nan(ind)). `bits` without the sign. */
static bool take_special(struct sch_d3d_assembler *a, bool wide, bool negative, uint64_t *bits)
{
    static const struct {
        const char *word;
        bool nan;
    } rows[] = {{"infinity", false}, {"inf", false}, {"nan(ind)", true}, {"nan", true}};
    const size_t rest = (size_t)(a->end - a->at);
    size_t length = sch_number_read_microsoft(a->at, rest, wide ? SCH_FLOAT_64 : SCH_FLOAT_32, negative, bits);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !length; i++) {
        const size_t bytes = strlen(rows[i].word);
        if (rest < bytes || strncasecmp(a->at, rows[i].word, bytes)) continue;
        length = bytes;
        *bits = wide ? UINT64_C(0x7ff) << 52 : UINT64_C(0xff) << 23;
        if (rows[i].nan) *bits |= wide ? UINT64_C(1) << 51 : UINT64_C(1) << 22;
    }
    a->at += length;
    if (length && a->at < a->end && lower(*a->at) == (wide ? 'l' : 'f')) a->at++;
    return length > 0;
}

/* An integer of 32 bits with a sign; false if there is none. */
static bool is_integer(const char *begin, const char *end)
{
    for (; begin < end; begin++)
        if (*begin == '.' || lower(*begin) == 'e') return false;
    return true;
}

uint64_t sch_d3d_asm_value(struct sch_d3d_assembler *a, bool wide)
{
    sch_d3d_asm_skip(a);
    const char *begin = a->at;
    bool negative = a->at < a->end && *a->at == '-';
    if (a->at < a->end && (*a->at == '-' || *a->at == '+')) a->at++;
    uint64_t bits = 0, sign = negative ? UINT64_C(1) << (wide ? 63 : 31) : 0;
    if (take_special(a, wide, negative, &bits)) return bits | sign;
    if (take_hex_prefix(a)) {
        bool good = scan_digits(a, 16, &bits);
        if (!good || negative || (!wide && bits > UINT32_MAX))
            sch_d3d_asm_report(a, SCH_D_ASM_NUMBER, begin, "the literal does not fit into %d bits", wide ? 64 : 32);
        return bits;
    }
    size_t length = sch_number_scan_decimal(a->at, (size_t)(a->end - a->at));
    if (!length) {
        sch_d3d_asm_report(a, SCH_D_ASM_NUMBER, begin, "a number is missing here");
        return bits;
    }
    const char *digits = a->at;
    a->at += length;
    if (wide || !is_integer(digits, a->at)) {
        bits = sch_number_read_decimal(digits, length, wide ? SCH_FLOAT_64 : SCH_FLOAT_32) | sign;
        if (a->at < a->end && (wide ? lower(*a->at) == 'l' : lower(*a->at) == 'f')) a->at++;
        return bits;
    }
    a->at = digits;
    bool good = scan_digits(a, 10, &bits);
    if (!good || bits > (negative ? UINT64_C(0x80000000) : UINT64_C(0xffffffff)))
        sch_d3d_asm_report(a, SCH_D_ASM_NUMBER, begin, "the literal does not fit into 32 bits");
    return negative ? (uint32_t) - (int64_t)bits : bits;
}

unsigned sch_d3d_asm_components(struct sch_d3d_assembler *a, uint8_t components[4])
{
    static const char letters[] = "xyzwrgba";
    unsigned count = 0;
    if (a->at >= a->end || *a->at != '.') return 0;
    const char *begin = a->at++;
    for (; a->at < a->end && sch_d3d_is_word(*a->at); a->at++) {
        const char *letter = strchr(letters, lower(*a->at));
        if (!letter || !*letter || count == 4) {
            sch_d3d_asm_report(a, SCH_D_ASM_COMPONENTS, a->at, "components are one to four of x, y, z, w");
            return count;
        }
        components[count++] = (uint8_t)((letter - letters) % 4);
    }
    if (!count) sch_d3d_asm_report(a, SCH_D_ASM_COMPONENTS, begin, "components are missing after the point");
    return count;
}

uint8_t sch_d3d_asm_mask(struct sch_d3d_assembler *a, const uint8_t *components, unsigned count, const char *at)
{
    uint8_t mask = 0;
    for (unsigned i = 0; i < count; i++) {
        if (mask >> components[i])
            sch_d3d_asm_report(a, SCH_D_ASM_COMPONENTS, at, "the letters of a mask are in the order x, y, z, w");
        mask |= (uint8_t)(1u << components[i]);
    }
    return mask;
}

/* "..." with \\xNN for what cannot be there; `name` has room for the rest of the line. */
static size_t take_quoted(struct sch_d3d_assembler *a, char *name)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = 0;
    a->at++;
    while (a->at < a->end && *a->at != '"' && *a->at != '\n') {
        unsigned code = (unsigned char)*a->at++;
        if (code == '\\' && a->end - a->at > 2 && a->at[0] == 'x') {
            const char *high = strchr(digits, a->at[1]), *low = strchr(digits, a->at[2]);
            code = high && low && *high && *low ? (unsigned)(high - digits) << 4 | (unsigned)(low - digits) : 0;
            a->at += 3;
        }
        if (!code) sch_d3d_asm_report(a, SCH_D_ASM_SIGNATURE, a->at, "this byte is not allowed in a name");
        name[length++] = (char)code;
    }
    sch_d3d_asm_expect(a, '"');
    return length;
}

/* Room for what is in the rest of the line, or NULL. */
static char *room_for_line(struct sch_d3d_assembler *a)
{
    const char *line_end = memchr(a->at, '\n', (size_t)(a->end - a->at));
    size_t room = (size_t)((line_end ? line_end : a->end) - a->at) + 1;
    char *text = SCH_ARENA_ARRAY(&a->shader->arena, char, room);
    if (!text) sch_d3d_asm_memory(a);
    return text;
}

const char *sch_d3d_asm_quoted(struct sch_d3d_assembler *a)
{
    if (sch_d3d_asm_skip(a) != '"') {
        sch_d3d_asm_report(a, SCH_D_ASM_PUNCTUATION, a->at, "a text between quotes is missing here");
        return NULL;
    }
    char *text = room_for_line(a);
    if (!text) return NULL;
    text[take_quoted(a, text)] = 0;
    return text;
}

uint32_t sch_d3d_asm_word_or_number(struct sch_d3d_assembler *a, enum sch_d3d_vocabulary vocabulary)
{
    const struct sch_d3d_word *word = sch_d3d_asm_vocabulary(a, vocabulary);
    if (word) return word->number;
    if (!sch_d3d_is_digit(sch_d3d_asm_skip(a))) sch_d3d_asm_report(a, SCH_D_ASM_WORD, a->at, "no such word");
    return (uint32_t)sch_d3d_asm_number(a, UINT32_MAX);
}
