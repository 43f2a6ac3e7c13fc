/* What the files of the parser share: an attempt's state, the characters and fields that it is at. See
 * general_parse.c. */
#ifndef SCH_MAXWELL_TEXT_GENERAL_PARSER_H
#define SCH_MAXWELL_TEXT_GENERAL_PARSER_H

#include <string.h>

#include "maxwell/text/template.h"

enum {
    MODIFIERS = 16,
    STEPS = 20000, /* tokens that are tried for one text, far more than any that is right takes */
    GUARD = 16,
    RA_LOW = 8,
    SHOWN = 40 /* bytes of a text in a message */
};

struct piece {
    const char *at;
    size_t bytes;
};

/* What one attempt has found so far. */
struct state {
    uint64_t word, decided; /* fields set, and the bits that are */
    const char *at;
    uint32_t used; /* a bit for each modifier */
    uint32_t marks;
    bool operands_begun;
    char video;           /* mode of the types of a video operation */
    uint16_t video_a;     /* a bit for each type that A may have */
    struct piece video_b; /* the name of B's type; empty: it is the one that is not printed */
    struct sch_maxwell_label label;
};

/* What is common to all attempts. */
struct parser {
    const char *text, *end;
    struct piece modifiers[MODIFIERS]; /* without their dots */
    unsigned modifier_count;
    const char *operands; /* where they begin */
    uint32_t address;
    bool labels; /* may be named */
    const struct sch_maxwell_code_form *form;
    unsigned steps;
    const char *furthest; /* where the best attempt failed, and why */
    unsigned code;
    char message[160];
    struct state found; /* by the attempt that held */
};

enum { IS_REGISTER = 50, B_SIGNED = 49, A_SIGNED = 48, S32 = 14, TYPES = 16 };

/* ---- general_parse.c ---- */

/* Remembers what is wrong at a place, unless another attempt came further. Always false. */
bool sch_maxwell_code_miss(struct parser *p, const char *at, unsigned code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Matches the rest of the template after a text, at each place where the modifiers have it; `changed` is the state with
 * what the text means. */
bool sch_maxwell_code_with_text(struct parser *p, const char *rest, const struct state *s, const struct state *changed,
                                const char *text, size_t bytes);
/* The name of a type of a video operation, with its dot. */
const char *sch_maxwell_code_video_type(unsigned type);
/* False: a modifier is left, which is reported. */
bool sch_maxwell_code_begin_operands(struct parser *p, struct state *s);
/* Whether the rest of a template matches from a state on; keeps the state in `found`. */
bool sch_maxwell_code_match(struct parser *p, const char *template, struct state state);

/* ---- general_operands.c ---- */

/* A name such as P3 or R12, or the last one by its letter. */
bool sch_maxwell_code_numbered(struct piece piece, char letter, char zero, unsigned last, unsigned *number);
/* Reads what a token stands for; false: it is not there. */
bool sch_maxwell_code_token(struct parser *p, struct state *s, const struct sch_maxwell_token *token);
/* Sets what a token means that the text leaves out; false: it must be there. */
bool sch_maxwell_code_default(struct state *s, const struct sch_maxwell_token *token);
/* Whether the text ends where the template does, and its parts fit each other. */
bool sch_maxwell_code_finish(struct parser *p, struct state *s);
/* Matches a text that the template has as it is, and the rest after it. */
bool sch_maxwell_code_literal(struct parser *p, const char *rest, const struct state *s,
                              const struct sch_maxwell_token *token);

static inline const char *operation_name(const struct parser *p)
{
    return sch_maxwell_code_operations[p->form->operation].name;
}

/* ---- characters ---- */

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static inline bool is_word(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '?';
}

static inline const char *past_blanks(const struct parser *p, const char *at)
{
    while (at < p->end && is_blank(*at)) at++;
    return at;
}

static inline void skip_blanks(const struct parser *p, struct state *s) { s->at = past_blanks(p, s->at); }

static inline char peek(const struct parser *p, const struct state *s) { return s->at < p->end ? *s->at : 0; }

static inline bool take(const struct parser *p, struct state *s, char c)
{
    skip_blanks(p, s);
    if (peek(p, s) != c) return false;
    s->at++;
    return true;
}

static inline struct piece word_at(const struct parser *p, const char *at)
{
    struct piece piece = {.at = at};
    while (at < p->end && is_word(*at)) at++;
    piece.bytes = (size_t)(at - piece.at);
    return piece;
}

static inline bool is(struct piece piece, const char *text, size_t bytes)
{
    return piece.bytes == bytes && memcmp(piece.at, text, bytes) == 0;
}

/* ---- fields ---- */

/* False: the bits have another value already. */
static inline bool set(struct state *s, const struct sch_maxwell_bits *bits, uint64_t value)
{
    const uint64_t mask = sch_maxwell_bits_mask(bits), put = sch_maxwell_bits_put(bits, value);
    if ((s->word ^ put) & s->decided & mask) return false;
    s->word |= put;
    s->decided |= mask;
    return true;
}

static inline bool set_range(struct state *s, unsigned high, unsigned low, uint64_t value)
{
    const struct sch_maxwell_bits bits = sch_maxwell_range(high, low);
    return set(s, &bits, value);
}

static inline bool set_bit(struct state *s, unsigned bit, bool value) { return set_range(s, bit, bit, value); }

static inline struct sch_maxwell_bits bits_of(const struct sch_maxwell_token *token, unsigned number)
{
    const struct sch_maxwell_token argument = sch_maxwell_argument(token, number);
    const char *at = argument.text;
    return sch_maxwell_argument_bits(&at, argument.text + argument.bytes);
}

#endif
