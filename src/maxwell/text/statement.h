/* The statements of a program's text: where each begins and ends, comments taken out, and an instruction or .word with
 * what is around it. What a program makes of them is in program_text.c. */
#ifndef SCH_MAXWELL_TEXT_STATEMENT_H
#define SCH_MAXWELL_TEXT_STATEMENT_H

#include "maxwell/text/code.h"

enum { SCH_MAXWELL_COMMENTS = 2 };
struct sch_maxwell_lexer {
    const char *text;
    size_t bytes, at, line_begin;
    uint32_t line; /* from 1 */
    struct sch_diagnostics *diagnostics;
    struct {
        uint64_t word;
        uint32_t line;
    } comments[SCH_MAXWELL_COMMENTS]; /* the first and the last of a skip that are a word, as in a listing */
    unsigned comment_count;
};

/* One statement, comments replaced by blanks; it lies on one line. */
enum { SCH_MAXWELL_STATEMENT = 16384 };
struct sch_maxwell_statement {
    struct sch_position position; /* of the first byte */
    size_t bytes;
    bool opens, closes; /* the braces of a dual-issue group, which are not in the text */
    char text[SCH_MAXWELL_STATEMENT + 1];
};

/* The position of the lexer. */
struct sch_position sch_maxwell_lexer_position(const struct sch_maxwell_lexer *lexer);

/* Goes to the next byte that is neither white space nor comment nor a lone semicolon, and notes the comments on the way
 * that are a word of 0x and 16 hexadecimal digits. False: a comment has no end, which was reported. At the end of the
 * text `at` is `bytes`. */
bool sch_maxwell_lexer_skip(struct sch_maxwell_lexer *lexer);

/* Takes the statement that begins here. False: it has no end, or it is too long; it was reported, and the lexer is past
 * it. */
bool sch_maxwell_lexer_take(struct sch_maxwell_lexer *lexer, struct sch_maxwell_statement *statement);

/* What a statement says of its control slot. */
struct sch_maxwell_fields {
    bool given;
    struct sch_maxwell_schedule schedule; /* not given: that of 0x7e0 */
};

/* A statement as an instruction and its fields; false: reported. Branches count from `address`. `labels`: it may name
 * one, in the statement's text. */
bool sch_maxwell_statement_instruction(const struct sch_maxwell_statement *statement, uint32_t address, bool labels,
                                       struct sch_diagnostics *diagnostics, struct sch_maxwell_line *line,
                                       struct sch_maxwell_fields *fields);

/* The statement's text from `begin` on as a number and control fields; without `fields`, as a number only. */
bool sch_maxwell_statement_number(const struct sch_maxwell_statement *statement, size_t begin,
                                  struct sch_diagnostics *diagnostics, uint64_t *number,
                                  struct sch_maxwell_fields *fields);

#endif
