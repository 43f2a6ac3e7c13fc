/* What the texts of Mesa's virpipe mean where TGSI says something else.
 *
 * virpipe copies each operand of 64 bits to a temporary of its own, and always to its first two components: "MOV
 * TEMP[9].xy, TEMP[0].zwzw" before "DADD TEMP[1].zw, TEMP[9], TEMP[10]" (virgl_tgsi.c). In TGSI the last two components
 * of a result come from the last two of the operands; the servers that it was written for read the first two. So such
 * operands are written out: "TEMP[9].xyxy".
 *
 * It has no absolute values, and writes MAX of a number and its negative instead. Of zeros that is the second operand
 * in TGSI, -0 for 0; |x| is meant, whose sign bit programs may look at. */
#include <string.h>

#include "client.h"

enum { COPIES = 4, NAME = 32 };

/* A text, and how far it was read; what is written of it. */
struct rewriting {
    const char *at, *end;
    char *to;
    uint32_t copies[COPIES]; /* the temporaries that the instructions right before this one made */
    unsigned copied;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Past the label of an instruction; NULL: the line has none. */
static const char *skip_label(const char *at, const char *end)
{
    while (at < end && *at == ' ') at++;
    const char *digits = at;
    while (at < end && is_digit(*at)) at++;
    if (at == digits || at == end || *at++ != ':') return NULL;
    while (at < end && *at == ' ') at++;
    return at;
}

/* Past "TEMP[n]"; NULL: something else is there. */
static const char *read_temporary(const char *at, const char *end, uint32_t *number)
{
    static const char start[] = "TEMP[";
    const size_t bytes = sizeof start - 1;
    if ((size_t)(end - at) <= bytes || memcmp(at, start, bytes) != 0 || !is_digit(at[bytes])) return NULL;
    *number = 0;
    for (at += bytes; at < end && is_digit(*at); at++) *number = *number * 10 + (uint32_t)(*at - '0');
    return at < end && *at == ']' ? at + 1 : NULL;
}

/* The opcode's row, without the suffixes of the text. */
static bool find_opcode(const char *at, const char *end, struct sch_opcode_info *info)
{
    char name[NAME] = "";
    for (size_t n = 0; n < sizeof name - 1 && at < end && *at != ' ' && *at != '_'; n++) name[n] = *at++;
    info->size = sizeof *info;
    for (size_t row = 0; sch_table_opcode(row, info); row++)
        if (!strcmp(info->name, name)) return true;
    return false;
}

/* Whether operand `n`, counted from the destination, is a source of 64 bits. */
static bool is_wide_source(const struct sch_opcode_info *info, unsigned n)
{
    const char *sources = strchr(info->signature, '_');
    if (n < info->destinations || !sources || n - info->destinations >= strlen(sources + 1)) return false;
    return strchr("DLQ", sources[1 + n - info->destinations]);
}

static bool writes_first_component(const char *at, const char *end)
{
    const char *comma = memchr(at, ',', (size_t)(end - at)), *mask = NULL;
    for (const char *c = at; comma && c < comma; c++)
        if (*c == '.') mask = c;
    return !mask || memchr(mask, 'x', (size_t)(comma - mask));
}

static void write(struct rewriting *text, const char *from, const char *end)
{
    memcpy(text->to, from, (size_t)(end - from));
    text->to += end - from;
}

static bool is_copy(const struct rewriting *text, uint32_t number)
{
    for (unsigned n = 0; n < text->copied; n++)
        if (text->copies[n] == number) return true;
    return false;
}

/* An instruction whose result begins behind the first component. */
static void write_instruction(struct rewriting *text, const char *line, const char *end,
                              const struct sch_opcode_info *info)
{
    static const char swizzle[] = ".xyxy";
    unsigned operand = 0;
    const char *from = line;
    for (const char *at = line; at < end; at++) {
        uint32_t number;
        if (*at != ',') continue;
        operand++;
        const char *name = at + 1 < end && at[1] == ' ' ? at + 2 : at + 1;
        const char *behind = read_temporary(name, end, &number);
        if (!behind || (behind < end && *behind != ',') || !is_wide_source(info, operand) || !is_copy(text, number))
            continue;
        write(text, from, behind);
        write(text, swizzle, swizzle + sizeof swizzle - 1);
        from = behind;
    }
    write(text, from, end);
}

/* Whether the line is "MOV TEMP[n].xy, ...". */
static bool take_copy(struct rewriting *text, const char *at, const char *end)
{
    static const char move[] = "MOV ", mask[] = ".xy,";
    uint32_t number;
    if ((size_t)(end - at) < sizeof move || memcmp(at, move, sizeof move - 1) != 0) return false;
    at = read_temporary(at + sizeof move - 1, end, &number);
    if (!at || (size_t)(end - at) < sizeof mask || memcmp(at, mask, sizeof mask - 1) != 0) return false;
    if (text->copied == COPIES) memmove(text->copies, text->copies + 1, sizeof text->copies - sizeof *text->copies);
    text->copies[text->copied < COPIES ? text->copied++ : COPIES - 1] = number;
    return true;
}

/* Whether the line is "MAX destination, x, -x": then "MOV destination, |x|" is written. */
static bool write_absolute(struct rewriting *text, const char *opcode, const char *end)
{
    static const char max[] = "MAX ", move[] = "MOV ", between[] = ", -";
    const size_t bytes = sizeof max - 1, gap = sizeof between - 1;
    if ((size_t)(end - opcode) < bytes || memcmp(opcode, max, bytes) != 0) return false;
    const char *first = memchr(opcode, ',', (size_t)(end - opcode));
    if (!first || end - first < 2) return false;
    first += 2; /* past the comma and a blank */
    const size_t left = (size_t)(end - first), name = (left - gap) / 2;
    if (left <= gap || (left - gap) % 2 || memcmp(first + name, between, gap) != 0 ||
        memcmp(first, first + name + gap, name) != 0)
        return false;
    write(text, text->at, opcode);
    write(text, move, move + sizeof move - 1);
    write(text, opcode + bytes, first);
    *text->to++ = '|';
    write(text, first, first + name);
    *text->to++ = '|';
    return true;
}

static void write_line(struct rewriting *text, const char *end)
{
    struct sch_opcode_info info;
    const char *opcode = skip_label(text->at, end);
    if (opcode && take_copy(text, opcode, end)) {
        write(text, text->at, end);
        return;
    }
    if (opcode && write_absolute(text, opcode, end)) {
        text->copied = 0;
        return;
    }
    if (opcode && text->copied && !writes_first_component(opcode, end) && find_opcode(opcode, end, &info))
        write_instruction(text, text->at, end, &info);
    else
        write(text, text->at, end);
    text->copied = 0;
}

char *sch_virgl_read_dialect(struct sch_virgl *virgl, const char *text, size_t bytes, size_t *made_bytes)
{
    char *made = sch_virgl_alloc(virgl, 2 * bytes + 1); /* an operand has more bytes than a swizzle */
    struct rewriting rewriting = {.at = text, .end = text + bytes, .to = made};
    if (!made) return NULL;
    while (rewriting.at < rewriting.end) {
        const char *line = memchr(rewriting.at, '\n', (size_t)(rewriting.end - rewriting.at));
        const char *end = line ? line : rewriting.end;
        write_line(&rewriting, end);
        if (line) *rewriting.to++ = '\n';
        rewriting.at = line ? line + 1 : end;
    }
    *made_bytes = (size_t)(rewriting.to - made);
    return made;
}
