/* Listings of nvdisasm and cuobjdump: what they contain besides instructions. program_text.c reads programs from
 * them. */
#ifndef SCH_MAXWELL_TEXT_LISTING_H
#define SCH_MAXWELL_TEXT_LISTING_H

#include "maxwell/text/statement.h"

enum sch_maxwell_listed {
    SCH_MAXWELL_LISTED_NOTHING,  /* nothing of the kind */
    SCH_MAXWELL_LISTED_LABEL,    /* name: */
    SCH_MAXWELL_LISTED_OTHER,    /* a directive or a line that says nothing about code */
    SCH_MAXWELL_LISTED_FUNCTION, /* Function : name */
    SCH_MAXWELL_LISTED_FLAGS     /* .headerflags, which name the architecture */
};
/* `*name` is where the name of a function begins. */
enum sch_maxwell_listed sch_maxwell_listed(const struct sch_maxwell_statement *statement, const char **name);

/* The architecture in .headerflags; false: none that is known. */
bool sch_maxwell_listed_arch(const struct sch_maxwell_statement *statement, enum sch_maxwell_arch *arch);

/* Skips a label on a line of its own, if the lexer is at one; the bytes of its name, or 0. nvdisasm prints it between
 * the brace that ends an instruction and that instruction's word. */
size_t sch_maxwell_listed_label(struct sch_maxwell_lexer *lexer);

/* Whether an instruction names symbols of the file, which only its word has the addresses of. */
bool sch_maxwell_has_symbols(const struct sch_maxwell_statement *statement);

/* Takes (*"notes"*) out of a statement: the targets of a BRX, which its word does not have. */
void sch_maxwell_listed_notes(struct sch_maxwell_statement *statement);

#endif
