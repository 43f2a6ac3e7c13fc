/* Inside the text reader: the cursor, what the parts of the parser share, and the primitives of the lexer. Only files
 * of this folder include it. */
#ifndef SCH_TGSI_PARSER_H
#define SCH_TGSI_PARSER_H

#include <scheelite/types.h>

#include "base/until.h"
#include "ir/ir.h"
#include "isa/errors.h"

/* A place in the text. Line breaks are counted where white space is skipped; nothing else contains one. */
struct sch_tgsi_cursor {
    const char *at;
    const char *line_begin;
    uint32_t line;
};

/* The instruction `source` of the text became several, or none: with all before it `sum` more than the text has. */
struct sch_tgsi_growth {
    uint32_t source, sum;
};

/* Forms that are not Mesa's, which are reported once in a shader. */
enum sch_tgsi_told {
    SCH_TGSI_TOLD_SWIZZLE = 1,
    SCH_TGSI_TOLD_STREAM = 2,
    SCH_TGSI_TOLD_OPERAND = 4,
    SCH_TGSI_TOLD_TARGET = 8,
    SCH_TGSI_TOLD_WRAP = 16
};

enum { SCH_TGSI_LITERALS = 16, SCH_TGSI_RETIRED = 30 };

struct sch_tgsi_parser {
    struct sch_tgsi_cursor cursor;
    const char *text, *end;
    struct sch_diagnostics *diagnostics;
    struct sch_ir_shader *shader;
    size_t errors, error_limit;
    enum sch_result fatal; /* not OK: reading ends here */
    const struct sch_until *until;
    size_t steps;              /* statements seen, for looks at `until` */
    unsigned implied_vertices; /* what an empty bracket means; 0: it is not allowed */
    uint32_t immediates;       /* statements seen, the wrong ones too, so that one error does not cause others */
    bool decimal_floats, hex_floats;
    unsigned told; /* enum sch_tgsi_told bits */

    bool told_retired[SCH_TGSI_RETIRED]; /* opcodes that were reported */

    /* parse_generated.c: what statements need that the text does not have */
    bool uses_temporaries;
    uint32_t literals[SCH_TGSI_LITERALS], literal_count;
    struct sch_position first_made;  /* of the first statement that needed any */
    uint32_t grown;                  /* instructions beyond those of the text, modulo 2^32 */
    struct sch_tgsi_growth *growths; /* in the shader's arena; sources ascend */
    size_t growth_count, growth_capacity;
};

/* A run of letters, digits and underscores; targets begin with a digit. */
struct sch_tgsi_word {
    const char *text;
    size_t bytes;
};

/* How much of a word a message quotes. */
#define SCH_TGSI_QUOTE(word) (int)((word).bytes > 40 ? 40 : (word).bytes), (word).text

static inline char sch_tgsi_peek(const struct sch_tgsi_parser *parser)
{
    return parser->cursor.at < parser->end ? *parser->cursor.at : '\0';
}
static inline bool sch_tgsi_at_end(const struct sch_tgsi_parser *parser) { return parser->cursor.at >= parser->end; }

struct sch_position sch_tgsi_position(const struct sch_tgsi_parser *parser, const struct sch_tgsi_cursor *cursor);

/* Reports at the cursor or at `at`; always false, so that a caller can return it. */
bool sch_tgsi_error(struct sch_tgsi_parser *parser, enum sch_diagnostic_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool sch_tgsi_error_at(struct sch_tgsi_parser *parser, struct sch_tgsi_cursor at, enum sch_diagnostic_code code,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
void sch_tgsi_warning_at(struct sch_tgsi_parser *parser, struct sch_tgsi_cursor at, enum sch_diagnostic_code code,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/* "expected X", naming what is there instead. */
bool sch_tgsi_expected(struct sch_tgsi_parser *parser, enum sch_diagnostic_code code, const char *what);

/* Skips blanks, tabs and line feeds; whether there were any. */
bool sch_tgsi_skip_white(struct sch_tgsi_parser *parser);

/* White space, then `c`: takes both, or nothing. */
bool sch_tgsi_accept(struct sch_tgsi_parser *parser, char c);

/* The same, and an error when `c` is not there; `where` says in words what it belongs to. */
bool sch_tgsi_require(struct sch_tgsi_parser *parser, char c, const char *where);

/* The word at the cursor, not taken; empty when there is none. */
struct sch_tgsi_word sch_tgsi_word(const struct sch_tgsi_parser *parser);
void sch_tgsi_take(struct sch_tgsi_parser *parser, struct sch_tgsi_word word);
bool sch_tgsi_word_is(struct sch_tgsi_word word, const char *upper_case);

/* Takes the word at the cursor when the vocabulary has it, else NULL and nothing taken. */
const struct sch_word *sch_tgsi_take_word(struct sch_tgsi_parser *parser, enum sch_vocabulary vocabulary);

/* The stage word that begins at `at`, and its length with a version after it; NULL: there is none. */
const struct sch_word *sch_tgsi_stage_at(const char *at, const char *end, size_t *bytes);

/* Takes PIPE_FORMAT_ and the name of a format. */
const struct sch_word *sch_tgsi_take_format(struct sch_tgsi_parser *parser);

/* White space, decimal digits: an error when there are none or the number is above `limit`. `what` names it. */
bool sch_tgsi_uint(struct sch_tgsi_parser *parser, uint64_t limit, const char *what, uint64_t *value);

/* The parts of a statement; each starts after the word that chose it. */
bool sch_tgsi_declaration(struct sch_tgsi_parser *parser, struct sch_ir_declaration *declaration);
bool sch_tgsi_instruction(struct sch_tgsi_parser *parser, const struct sch_op_info *op,
                          struct sch_ir_instruction *instruction);

/* FILE and its opening bracket. */
bool sch_tgsi_file_bracket(struct sch_tgsi_parser *parser, uint8_t *file);
bool sch_tgsi_dst(struct sch_tgsi_parser *parser, struct sch_ir_dst *dst);
bool sch_tgsi_src(struct sch_tgsi_parser *parser, struct sch_ir_src *src);
bool sch_tgsi_texel_offset(struct sch_tgsi_parser *parser, struct sch_ir_texel_offset *offset);

/* "." and a mask, or the full mask. */
bool sch_tgsi_mask(struct sch_tgsi_parser *parser, uint8_t *mask);

/* The number of the component letter, or -1. */
int sch_tgsi_component(char c);

/* Cuts `suffix` off the word, where it is there. */
bool sch_tgsi_drop_suffix(struct sch_tgsi_word *word, const char *suffix);

/* Takes the result of adding an item to the shader: an error names the limit of `what`. */
bool sch_tgsi_added(struct sch_tgsi_parser *parser, enum sch_result status, const char *what, uint32_t limit);

/* parse_generated.c: the register of a literal, and temporary 0 or 1, that the text does not have; notes that the
 * instruction `source` of the text became `count`; gives all of these their numbers, after what the text declares. */
bool sch_tgsi_literal(struct sch_tgsi_parser *parser, uint32_t bits, struct sch_ir_src *src);
struct sch_ir_src sch_tgsi_temporary(struct sch_tgsi_parser *parser, unsigned number);
bool sch_tgsi_note_growth(struct sch_tgsi_parser *parser, uint32_t source, uint32_t count);
void sch_tgsi_finish_made(struct sch_tgsi_parser *parser);

/* Old opcodes (parse_retired.c): the row of a word, its suffixes taken off, or NULL; the statement after the word,
 * which is at `at`. */
struct sch_tgsi_retired;
const struct sch_tgsi_retired *sch_tgsi_find_retired(struct sch_tgsi_word word, bool *saturate, bool *precise);
bool sch_tgsi_retired_statement(struct sch_tgsi_parser *parser, const struct sch_tgsi_retired *of, bool saturate,
                                bool precise, struct sch_position position, struct sch_tgsi_cursor at);

/* Reports a form once in a shader. */
void sch_tgsi_tell(struct sch_tgsi_parser *parser, struct sch_tgsi_cursor at, enum sch_tgsi_told form,
                   const char *words);

/* The row of an opcode word, its suffixes taken off, or NULL. */
const struct sch_op_info *sch_tgsi_find_opcode(struct sch_tgsi_word word, bool *saturate, bool *precise);

#endif
