/* What printer and assembler share about the text of Direct3D assembly: the templates of declarations and the forms
 * that operands have by default. Private to src/d3d/text/. */
#ifndef SCH_D3D_TEXT_INTERNAL_H
#define SCH_D3D_TEXT_INTERNAL_H

#include "d3d/text/text.h"

/* Limits on a signature in text (Direct3D has 32 registers) and on a container in text (real ones have some ten
 * chunks). */
enum { SCH_D3D_MOST_ELEMENTS = 1024, SCH_D3D_MOST_CHUNKS = 4096 };

static inline bool sch_d3d_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool sch_d3d_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline bool sch_d3d_is_word(char c) { return sch_d3d_is_letter(c) || sch_d3d_is_digit(c) || c == '_'; }

/* Whether a word has the form of a profile and names a stage; its model need not exist. */
bool sch_d3d_is_profile(const char *word, size_t bytes);

/* The field that a letter of a declaration's template stands for by a word, or SCH_D3D_FIELD_COUNT. */
enum sch_d3d_field sch_d3d_template_field(char letter);

/* Whether an operand of this role names its components by a mask. */
static inline bool sch_d3d_is_masked(char role) { return role == 'D' || role == 'N' || role == 'V' || role == 'O'; }

/* The role of an operand as its text is read and written: 'T' for those whose components are always a swizzle, so that
 * one letter stands for four, as vkd3d has it: resources (those of sampleinfo and samplepos are one component in fxc's
 * programs), coordinates, sources of dot products, and of instructions that write several components from as many. The
 * operands before it are known. */
char sch_d3d_text_role(const struct sch_d3d_op_info *info, const struct sch_d3d_operand *operands, unsigned index);

/* Whether an operand is the range of registers that a declaration of model 5.1 has; its components are a swizzle. */
static inline bool sch_d3d_is_range(const struct sch_d3d_operand *operand, char role)
{
    return role == 'O' && operand->index_count == 3;
}

/* What an operand without suffix is: sets form and select. Type, index_count and value_count are set. */
void sch_d3d_bare_form(struct sch_d3d_operand *operand, char role);

/* Resources as directives: print_resources.c. What the program's model has no place for is left out: names of types
 * before 5.0, register spaces before 5.1. */
void sch_d3d_print_resources(struct sch_bytes *out, const struct sch_d3d_resources *resources,
                             const struct sch_d3d_program *program);

/* One source as the listing has it, in the spelling that says everything: print.c. */
void sch_d3d_print_source(struct sch_bytes *out, const struct sch_d3d_shader *shader, enum sch_d3d_source source);

/* Signatures as fxc writes them, in comments: print_comments.c. */
void sch_d3d_print_comments(struct sch_bytes *out, const struct sch_d3d_shader *shader);

/* What the rest of the listing does not say of the container: print_chunks.c. */
void sch_d3d_print_chunks(struct sch_bytes *out, const struct sch_d3d_shader *shader);

/* Text between quotes; a word of a vocabulary, or the number where there is none. */
void sch_d3d_print_quoted(struct sch_bytes *out, const char *text);
void sch_d3d_print_numbered(struct sch_bytes *out, enum sch_d3d_vocabulary vocabulary, uint32_t number);

/* Operands: print_operand.c. */
void sch_d3d_print_operand(struct sch_bytes *out, const struct sch_d3d_operand *operand, char role, char type,
                           enum sch_listing_style style, bool upper);

/* One word of constant data of unknown type: a float where it looks like one. */
void sch_d3d_print_untyped(struct sch_bytes *out, uint32_t bits, enum sch_listing_style style);
void sch_d3d_print_float(struct sch_bytes *out, uint32_t bits, enum sch_listing_style style);

#endif
