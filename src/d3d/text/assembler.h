/* What the files of the assembler share: a cursor over the text, one line at a time. */
#ifndef SCH_D3D_TEXT_ASSEMBLER_H
#define SCH_D3D_TEXT_ASSEMBLER_H

#include "d3d/text/internal.h"
#include "isa/errors.h"

struct sch_d3d_assembler {
    const struct sch_limits *limits;
    struct sch_diagnostics *diagnostics;
    const char *text, *begin, *at, *end, *line_begin; /* `text`: what offsets count from; `begin`: the listing's */
    const char
        *original; /* `text` before string literals were opened (find.h): lines are counted in it; NULL: `text` */
    uint32_t line, first_line; /* the first one's number: the text may be a part of a file */
    struct sch_d3d_shader *shader;
    struct sch_arena *arena;                       /* the program's */
    bool bad;                                      /* the line is wrong: the rest of it is skipped */
    enum sch_result status;                        /* of the whole text */
    struct sch_d3d_type *open[SCH_D3D_TYPE_DEPTH]; /* structures of resources whose members are being read */
    unsigned open_count;
    size_t items; /* of resources */
    /* Chunks that are bytes, and the tags of .chunks: asm_chunks.c. */
    struct sch_d3d_blob *blobs, *list;
    size_t blob_count, blob_capacity, list_count, list_capacity;
    bool has_list;
    size_t program_chunk; /* which chunk of the container the text's program is */
};

/* Reports at `at`, once a line. */
void sch_d3d_asm_report(struct sch_d3d_assembler *a, enum sch_diagnostic_code code, const char *at, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

/* Memory ran out. */
void sch_d3d_asm_memory(struct sch_d3d_assembler *a);

/* Goes after what may come before a profile or an instruction on its line: the number that fxc's /Ni writes and the
 * offset of /No ("12:", "0x00000014:", "12  0x00000014:"). */
const char *sch_d3d_behind_label(const char *at, const char *end);

/* Skips blanks and comments, not line ends; returns the byte there, 0 at the end of the line. */
char sch_d3d_asm_skip(struct sch_d3d_assembler *a);

/* The value of a hexadecimal digit. */
enum { SCH_D3D_NO_DIGIT = 16 };
unsigned sch_d3d_asm_digit(char c);

/* The same with line ends, inside of braces. */
char sch_d3d_asm_skip_lines(struct sch_d3d_assembler *a);

/* From the end of a line, or of the text, to the next line. */
void sch_d3d_asm_next_line(struct sch_d3d_assembler *a);

/* Takes `c` if it is next, after blanks; `expect` reports when it is not. */
bool sch_d3d_asm_take(struct sch_d3d_assembler *a, char c);
bool sch_d3d_asm_expect(struct sch_d3d_assembler *a, char c);

/* Length of the word of letters, digits and '_' at the cursor. */
size_t sch_d3d_asm_word_length(const struct sch_d3d_assembler *a);

/* Takes the word `word`, any case, if it is at the cursor as a whole. */
bool sch_d3d_asm_take_word(struct sch_d3d_assembler *a, const char *word);

/* The same of a suffix, after which another may begin with '_'; no blanks before it. */
bool sch_d3d_asm_take_suffix(struct sch_d3d_assembler *a, const char *word);

/* Takes the longest word of a vocabulary that is at the cursor, or returns NULL. */
const struct sch_d3d_word *sch_d3d_asm_vocabulary(struct sch_d3d_assembler *a, enum sch_d3d_vocabulary vocabulary);

/* A number in decimal or with 0x, at most `most`; reports otherwise, and the answer counts for nothing. */
uint64_t sch_d3d_asm_number(struct sch_d3d_assembler *a, uint64_t most);

/* One value of a literal: 32 bits, or 64 when `wide`. */
uint64_t sch_d3d_asm_value(struct sch_d3d_assembler *a, bool wide);

/* ".xyz": the components as numbers; returns how many, 0 when there is no point. */
unsigned sch_d3d_asm_components(struct sch_d3d_assembler *a, uint8_t components[4]);

/* The same as a mask, whose letters are in order. */
uint8_t sch_d3d_asm_mask(struct sch_d3d_assembler *a, const uint8_t *components, unsigned count, const char *at);

void sch_d3d_asm_operand(struct sch_d3d_assembler *a, struct sch_d3d_operand *operand, char role, unsigned depth);
void sch_d3d_asm_instruction(struct sch_d3d_assembler *a);
/* Text between quotes, from the shader's arena; NULL when it is wrong. */
const char *sch_d3d_asm_quoted(struct sch_d3d_assembler *a);

/* A word of a vocabulary, or a number. */
uint32_t sch_d3d_asm_word_or_number(struct sch_d3d_assembler *a, enum sch_d3d_vocabulary vocabulary);

/* Makes the signatures that no directive describes from the comments that Microsoft's compiler writes; goes through the
 * text once more, when its stage is known. */
void sch_d3d_asm_comments(struct sch_d3d_assembler *a);

/* Takes the directive after the point if it is one about the container; `begin` is the point. */
bool sch_d3d_asm_chunk(struct sch_d3d_assembler *a, const char *begin);

/* Makes the container, once the whole text is read; returns the status. */
enum sch_result sch_d3d_asm_contain(struct sch_d3d_assembler *a);

/* Takes the directive after the point if it is one about resources; `begin` is the point. */
bool sch_d3d_asm_resource(struct sch_d3d_assembler *a, const char *begin);

#endif
