/* See shrink.h. The rules look at characters, not at grammar: what makes no sense is refused by whoever reads it. */
#include "shrink.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 8 };

/* A line, and who takes forms of it. */
struct line {
    const struct sch_cli_pieces *pieces;
    const char *text;
    enum sch_cli_language language;
    size_t word; /* bytes of blanks and of the first word */
    struct {
        size_t begin, end;
    } operand[OPERANDS]; /* what is between commas after it */
    unsigned operands;
    bool declares; /* it is not an instruction */
    sch_cli_take_fn *take;
    void *user;
};

/* Offers the line with other text in the place of a part of it. */
static bool offer(const struct line *line, size_t begin, size_t end, const char *text)
{
    char *form = malloc(strlen(line->text) + strlen(text) + 1);
    if (!form) return false;
    memcpy(form, line->text, begin);
    strcpy(stpcpy(form + begin, text), line->text + end);
    const bool taken = line->take(line->user, form);
    free(form);
    return taken;
}

static bool is_space(char c) { return c == ' ' || c == '\t'; }

static void add_operand(struct line *line, size_t begin, size_t end)
{
    while (begin < end && is_space(line->text[begin])) begin++;
    while (end > begin && is_space(line->text[end - 1])) end--;
    if (line->operands == OPERANDS || begin == end) return;
    line->operand[line->operands].begin = begin;
    line->operand[line->operands++].end = end;
}

static void find_operands(struct line *line)
{
    size_t begin = line->word;
    int depth = 0;
    for (size_t i = begin;; i++) {
        const char c = line->text[i];
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (c && (c != ',' || depth)) continue;
        add_operand(line, begin, i);
        if (!c) break;
        begin = i + 1;
    }
}

static bool begins(const struct line *line, const char *word)
{
    return strncmp(line->text + strspn(line->text, " \t"), word, strlen(word)) == 0;
}

/* ---- instructions ---- */

static bool other_than(const struct line *line, const char *word)
{
    const char *own = line->text + strspn(line->text, " \t");
    const size_t length = (size_t)(line->text + line->word - own);
    return length != strlen(word) || strncmp(own, word, length) != 0;
}

/* MOV of one of the operands. */
static bool to_move(const struct line *line)
{
    const char *move = line->language == SCH_CLI_IN_TGSI ? "MOV" : "mov";
    if (line->declares || line->operands < 2 || !other_than(line, move)) return false;
    for (unsigned from = 1; from < line->operands; from++) {
        char form[512];
        const int length =
            snprintf(form, sizeof form, "%s %.*s, %.*s", move, (int)(line->operand[0].end - line->operand[0].begin),
                     line->text + line->operand[0].begin, (int)(line->operand[from].end - line->operand[from].begin),
                     line->text + line->operand[from].begin);
        if (length < (int)sizeof form && line->take(line->user, form)) return true;
    }
    return false;
}

/* MAD_SAT, sample_c_lz: the first word without what follows one of its underscores. */
static bool cut_word(const struct line *line)
{
    for (size_t i = line->word; i > 1; i--)
        if (line->text[i - 1] == '_' && offer(line, i - 1, line->word, "")) return true;
    return false;
}

/* A constant for an operand: one that the shader has, or literals. */
static const char *first_immediate(const struct line *line)
{
    for (size_t i = 0; i < line->pieces->count; i++)
        if (strncmp(line->pieces->list[i].text, "IMM[", 4) == 0) return line->pieces->list[i].text;
    return NULL;
}

static bool to_constant(const struct line *line)
{
    static const char *const literals[] = {"l(0)", "l(0, 0, 0, 0)", "l(1.0)", "l(1.0, 1.0, 1.0, 1.0)"};
    char immediate[32] = "";
    const bool tgsi = line->language == SCH_CLI_IN_TGSI;
    const char *from = tgsi ? first_immediate(line) : NULL;
    if (line->declares || (tgsi && !from)) return false;
    if (from) snprintf(immediate, sizeof immediate, "%.*s.xxxx", (int)strcspn(from, " ") % 20, from);
    for (unsigned n = 0; n < line->operands; n++) {
        const char *operand = line->text + line->operand[n].begin;
        if (strncmp(operand, tgsi ? "IMM[" : "l(", tgsi ? 4 : 2) == 0) continue;
        for (size_t i = 0; i < (tgsi ? 1 : sizeof literals / sizeof *literals); i++)
            if (offer(line, line->operand[n].begin, line->operand[n].end, tgsi ? immediate : literals[i])) return true;
    }
    return false;
}

/* ---- operands ---- */

/* Whether a suffix can be left out: without one a target has all components, and all operands of Direct3D have. */
static bool is_more_without(const struct line *line, size_t at)
{
    const bool target = line->operands && at < line->operand[0].end;
    return line->language == SCH_CLI_IN_D3D || (line->language == SCH_CLI_IN_TGSI && target);
}

/* A target without a mask gets one of a component. */
static bool narrow_target(const struct line *line)
{
    const size_t end = line->operands ? line->operand[0].end : 0;
    if (line->declares || !end || line->text[end - 1] != ']') return false;
    static const char *const masks[] = {".x", ".y", ".z", ".w"};
    for (unsigned c = 0; c < 4; c++)
        if (offer(line, end, end, masks[c])) return true;
    return false;
}

/* .xyzw and other words after a point: without the word, with its first letter alone, without one of its letters. */
static bool cut_suffix(const struct line *line)
{
    for (size_t i = line->word; line->text[i]; i++) {
        if (line->text[i] != '.' || !isalpha((unsigned char)line->text[i + 1])) continue;
        const size_t begin = i + 1, length = strspn(line->text + begin, "xyzwrgba");
        size_t end = begin;
        while (isalnum((unsigned char)line->text[end])) end++;
        if (!is_more_without(line, i) && offer(line, i, end, "")) return true;
        if (begin + length != end || length < 2) continue;
        if (offer(line, begin + 1, end, "")) return true;
        for (size_t c = begin; c < end; c++)
            if (offer(line, c, c + 1, "")) return true;
    }
    return false;
}

/* Words of Maxwell instructions have theirs, too. */
static bool cut_word_suffix(const struct line *line)
{
    size_t begin = line->word;
    while (begin && line->text[begin - 1] != '.' && !is_space(line->text[begin - 1])) begin--;
    return begin && line->text[begin - 1] == '.' && offer(line, begin - 1, line->word, "");
}

static bool drop_sign(const struct line *line)
{
    for (size_t i = line->word; line->text[i]; i++) {
        const char next = line->text[i + 1];
        if (line->text[i] == '-' && (isalpha((unsigned char)next) || next == '|') && offer(line, i, i + 1, ""))
            return true;
        const char *close = line->text[i] == '|' ? strchr(line->text + i + 1, '|') : NULL;
        if (!close) continue;
        char inner[256];
        const size_t end = (size_t)(close - line->text);
        snprintf(inner, sizeof inner, "%.*s", (int)(end - i - 1), line->text + i + 1);
        if (end - i < sizeof inner && offer(line, i, end + 1, inner)) return true;
        i = end;
    }
    return false;
}

/* [ADDR[0].x+3], [r0.x + 3]: a number without the register. */
static bool drop_indirect(const struct line *line)
{
    for (size_t i = line->word; line->text[i]; i++) {
        if (line->text[i] != '[' || !isalpha((unsigned char)line->text[i + 1])) continue;
        size_t end = i, depth = 0;
        do depth += (line->text[end] == '[') - (size_t)(line->text[end] == ']');
        while (depth && line->text[++end]);
        if (!line->text[end]) return false;
        size_t digits = end;
        while (isdigit((unsigned char)line->text[digits - 1])) digits--;
        char number[16];
        snprintf(number, sizeof number, "%.*s", (int)(end - digits), line->text + digits);
        if (offer(line, i + 1, end, digits < end ? number : "0")) return true;
    }
    return false;
}

/* ---- declarations and numbers ---- */

/* [2..9]: its halves, its ends. */
static bool cut_range(const struct line *line)
{
    const char *dots = strstr(line->text, "..");
    if (!dots || !isdigit((unsigned char)dots[2])) return false;
    size_t begin = (size_t)(dots - line->text);
    while (begin && isdigit((unsigned char)line->text[begin - 1])) begin--;
    char *end;
    const unsigned long low = strtoul(line->text + begin, NULL, 10), high = strtoul(dots + 2, &end, 10);
    const unsigned long middle = low + (high - low) / 2;
    const struct {
        unsigned long low, high;
    } parts[] = {{low, low}, {high, high}, {low, middle}, {middle + 1, high}, {low + 1, high}, {low, high - 1}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && low < high; i++) {
        char text[64];
        if (parts[i].low > parts[i].high) continue;
        if (parts[i].low == parts[i].high)
            snprintf(text, sizeof text, "%lu", parts[i].low);
        else
            snprintf(text, sizeof text, "%lu..%lu", parts[i].low, parts[i].high);
        if (offer(line, begin, (size_t)(end - line->text), text)) return true;
    }
    return false;
}

static bool number_at(const struct line *line, size_t begin, size_t end)
{
    const double value = strtod(line->text + begin, NULL);
    if (value == 0) return false;
    if (offer(line, begin, end, "0")) return true;
    if (value == 1) return false;
    if (offer(line, begin, end, "1.0") || offer(line, begin, end, "1")) return true;
    if (!line->declares || value < 3 || value > 1e9) return false;
    char less[32];
    snprintf(less, sizeof less, "%lu", (unsigned long)value / 2);
    if (offer(line, begin, end, less)) return true;
    snprintf(less, sizeof less, "%lu", (unsigned long)value - 1);
    return offer(line, begin, end, less);
}

/* Numbers become 0 or 1; in declarations they may become less. Those in brackets and names are not values. */
static bool lower_number(const struct line *line)
{
    int brackets = 0;
    for (size_t i = line->word; line->text[i]; i++) {
        brackets += (line->text[i] == '[') - (line->text[i] == ']');
        const char before = i ? line->text[i - 1] : ' ';
        const bool sign = line->text[i] == '-' && isdigit((unsigned char)line->text[i + 1]);
        if (brackets || (!isdigit((unsigned char)line->text[i]) && !sign) || isalnum((unsigned char)before) ||
            before == '_' || before == '.')
            continue;
        char *end;
        strtod(line->text + i, &end);
        if (number_at(line, i, (size_t)(end - line->text))) return true;
        i = (size_t)(end - line->text) - 1;
    }
    return false;
}

/* A declaration without what follows its last comma. */
static bool cut_tail(const struct line *line)
{
    const char *comma = line->declares ? strrchr(line->text, ',') : NULL;
    return comma && offer(line, (size_t)(comma - line->text), strlen(line->text), "");
}

/* Without one word, without two, without a statement between semicolons or braces. */
static bool drop_word(const struct line *line)
{
    const char *text = line->text;
    if (!line->declares) return false;
    for (size_t begin = line->word; text[begin];) {
        const size_t blank = begin + strspn(text + begin, " \t"), end = blank + strcspn(text + blank, " \t");
        const size_t more = end + strspn(text + end, " \t"), second = more + strcspn(text + more, " \t");
        const size_t statement = blank + strcspn(text + blank, ";{}");
        if (text[statement] && statement > blank && offer(line, blank, statement + (text[statement] == ';'), ""))
            return true;
        if (end == blank) break;
        if (offer(line, begin, end, "") || (second > end && offer(line, begin, second, ""))) return true;
        begin = end;
    }
    return false;
}

enum { TGSI = 1 << SCH_CLI_IN_TGSI, D3D = 1 << SCH_CLI_IN_D3D, MAXWELL = 1 << SCH_CLI_IN_MAXWELL };
enum { SCENE = 1 << SCH_CLI_IN_SCENE, SCRIPT = 1 << SCH_CLI_IN_SCRIPT, SHADER = TGSI | D3D };

/* In the order in which they are tried: what takes most away first. */
static const struct {
    bool (*rule)(const struct line *line);
    unsigned languages;
} rules[] = {
    {to_move, SHADER},          {to_constant, SHADER},          {drop_word, D3D | SCENE | SCRIPT},
    {cut_tail, TGSI},           {cut_range, TGSI | D3D},        {cut_word, SHADER},
    {cut_word_suffix, MAXWELL}, {drop_indirect, SHADER},        {drop_sign, SHADER},
    {narrow_target, TGSI},      {cut_suffix, SHADER | MAXWELL}, {lower_number, SHADER | MAXWELL | SCENE | SCRIPT}};

/* Whether the line has no instruction. */
static bool declares(const struct line *line)
{
    return !(1U << line->language & (SHADER | MAXWELL)) || begins(line, "DCL") || begins(line, "IMM[") ||
           begins(line, "PROPERTY") || begins(line, "dcl_") || begins(line, ".");
}

bool sch_cli_simplify(const struct sch_cli_pieces *pieces, size_t piece, sch_cli_take_fn *take, void *user)
{
    const struct sch_cli_piece *own = &pieces->list[piece];
    if (own->language > SCH_CLI_IN_SCRIPT) return false;
    struct line line = {.pieces = pieces, .text = own->text, .language = own->language, .take = take, .user = user};
    line.word = strspn(own->text, " \t");
    line.word += strcspn(own->text + line.word, " \t");
    line.declares = declares(&line);
    find_operands(&line);
    bool taken = false;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !taken; i++)
        if (rules[i].languages & 1U << line.language) taken = rules[i].rule(&line);
    return taken;
}
