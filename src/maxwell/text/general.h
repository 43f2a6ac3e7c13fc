/* Maxwell's instructions other than texture operations: words to text and back, by the templates of
 * src/isa/maxwell_forms.def. Nothing here knows one operation from another, and nothing here executes. */
#ifndef SCH_MAXWELL_TEXT_GENERAL_H
#define SCH_MAXWELL_TEXT_GENERAL_H

#include "maxwell/text/text.h"

/* A row of src/isa/maxwell_forms.def: a word belongs to the first one whose fixed bits it has. */
struct sch_maxwell_code_form {
    uint16_t operation; /* index of sch_maxwell_code_operations */
    bool guarded;       /* the word's guard counts; otherwise its bits are free */
    bool fixed;         /* of fixed latency: the control slot sets no barrier */
    bool strict;        /* bit 20 of the control slot is 0 */
    const char *name;   /* distinguishes the forms of one operation */
    uint64_t match, mask;
    const char *template;
};

struct sch_maxwell_code_operation {
    const char *name, *title;
};

/* What an operation does with the flow of control. */
enum sch_maxwell_flow {
    SCH_MAXWELL_FLOW_NEXT,          /* continues with the next instruction */
    SCH_MAXWELL_FLOW_BRANCH,        /* to a target that the word says, or a constant bank */
    SCH_MAXWELL_FLOW_COMPUTED,      /* to a target that a register says */
    SCH_MAXWELL_FLOW_CALL,          /* to a target, and back to the next instruction */
    SCH_MAXWELL_FLOW_PUSH_RETURN,   /* pushes the target that RETURN goes to */
    SCH_MAXWELL_FLOW_PUSH_SYNC,     /* SYNC */
    SCH_MAXWELL_FLOW_PUSH_BREAK,    /* BREAK */
    SCH_MAXWELL_FLOW_PUSH_CONTINUE, /* CONTINUE */
    SCH_MAXWELL_FLOW_PUSH_OTHER,    /* what long jumps and exits go to */
    SCH_MAXWELL_FLOW_SYNC,
    SCH_MAXWELL_FLOW_BREAK,
    SCH_MAXWELL_FLOW_CONTINUE,
    SCH_MAXWELL_FLOW_RETURN,
    SCH_MAXWELL_FLOW_END, /* leaves the program, or to where nothing in the section says */
    SCH_MAXWELL_FLOW_WAIT /* continues once scoreboards have counted down */
};
enum sch_maxwell_flow sch_maxwell_code_flow(unsigned operation);

extern const struct sch_maxwell_code_form sch_maxwell_code_forms[];
extern const size_t sch_maxwell_code_form_count;
extern const struct sch_maxwell_code_operation sch_maxwell_code_operations[];
extern const size_t sch_maxwell_code_operation_count;
enum { SCH_MAXWELL_CODE_OPERATIONS = 160 }; /* there are no more */

/* A list of the texts of a field's values, from 0 on: a row of src/isa/maxwell_enums.def. "!": a word with that value
 * is not an instruction. */
struct sch_maxwell_code_enum {
    const char *name;
    const char *const *texts;
    size_t count;
};
extern const struct sch_maxwell_code_enum sch_maxwell_code_enums[];
extern const size_t sch_maxwell_code_enum_count;
const struct sch_maxwell_code_enum *sch_maxwell_code_enum_find(const char *name,
                                                               size_t bytes); /* NULL: there is none */

/* The form of a word, whether or not its fields have values that it may have; NULL: no instruction has these bits. */
const struct sch_maxwell_code_form *sch_maxwell_code_form_of(uint64_t word);

/* The operation of a name, or -1. */
int sch_maxwell_code_operation_find(const char *name, size_t bytes);

/* A word as text. */
struct sch_maxwell_code_text {
    char text[SCH_MAXWELL_LINE]; /* without the semicolon */
    uint64_t unsaid;             /* what differs in the word that the text makes: the text does not show it */
    uint32_t marks;              /* bits 20:17 of the control slot that the text shows: .reuse, and the phase of STP */
};

/* Prints a word; `slot` is its control slot, `address` its place in the section, from which branches count. False, with
 * an empty text: it is not an instruction. */
bool sch_maxwell_code_text(uint64_t word, uint32_t slot, uint32_t address, struct sch_maxwell_code_text *text);

/* Whether the word is an instruction. `*meaningless` (may be NULL): a field of it has a value that only nvdisasm has a
 * name for. */
bool sch_maxwell_code_known(uint64_t word, bool *meaningless);

/* Why a word is not an instruction, in a few words. */
const char *sch_maxwell_code_reason(uint64_t word);

/* A label that an instruction names as its target, and where the address goes in its word. */
struct sch_maxwell_label {
    const char *name; /* NULL: it names none */
    size_t bytes;
    uint8_t high, low; /* bits of the word */
    bool relative;     /* the distance from the next instruction goes there */
};

/* Reads one instruction from all of `text`, which has neither comments nor control fields. `address` as above; the
 * position is that of the first byte. INVALID: it was reported. `*marks`: the bits 20:17 of the control slot that the
 * text says. `*label` (NULL: labels are refused): the label in the text, which has 0 in the word. */
enum sch_result sch_maxwell_code_parse(const char *text, size_t bytes, struct sch_position position, uint32_t address,
                                       struct sch_diagnostics *diagnostics, uint64_t *word, uint32_t *marks,
                                       struct sch_maxwell_label *label);

/* The address that a branch, a call or a push names; false: the word names none, or a constant. `relative` (may be
 * NULL): whether the word counts from its own address, so that the target is one of its section. */
bool sch_maxwell_code_target(uint64_t word, uint32_t address, int64_t *target, bool *relative);

/* Whether the control slot holds a phase, as those of texture instructions do. */
bool sch_maxwell_code_phased(uint64_t word);

/* Whether an instruction of the form may have this control slot; otherwise why not. */
bool sch_maxwell_code_takes(const struct sch_maxwell_code_form *form, uint32_t slot, const char **reason);

#endif
