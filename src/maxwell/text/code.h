/* A Maxwell program in memory: sections of bundles, each instruction with its word, its control slot and, of a texture
 * operation, what it says. Reads raw code, text and cubins; writes raw code and text. The syntax of programs is in
 * docs/maxwell.md, that of one instruction in maxwell/text/text.h, control words in maxwell/text/control.h. Nothing
 * here executes. */
#ifndef SCH_MAXWELL_TEXT_CODE_H
#define SCH_MAXWELL_TEXT_CODE_H

#include "base/limits.h"
#include "maxwell/text/control.h"
#include "maxwell/text/general.h"

/* The word of NOP, as ptxas writes it: it fills the last bundle of a text. */
#define SCH_MAXWELL_NOP UINT64_C(0x50b0000000070f00)

struct sch_maxwell_item {
    uint64_t word;
    struct sch_maxwell_instruction instruction; /* where `texture`; with its phase */
    uint32_t slot;                              /* 21 bits of the control word */
    uint32_t address;                           /* bytes from the begin of the section */
    struct sch_position position;               /* in the text, or in the binary input */
    bool texture;                               /* a texture instruction of this architecture */
    bool general;                               /* another instruction; where neither, the word is no instruction */
    bool meaningless;                           /* that with a value that only nvdisasm has a name for */
    bool relocated;                             /* a relocation changes it: it names what is elsewhere */
    bool spare;                                 /* the first of a bundle: bit 63 of the control word */
};

enum { SCH_MAXWELL_NAME = 4000 }; /* bytes of a section's name at most: a statement holds them escaped */

struct sch_maxwell_section {
    const char *name; /* behind ".text.": the kernel; "" for raw code and for ".text"; zero-terminated */
    struct sch_maxwell_item *items;
    size_t count; /* whole bundles: a multiple of 3 */
    size_t capacity;
    size_t textures;                          /* texture instructions of it */
    size_t unknown;                           /* words that are no instruction */
    uint8_t registers;                        /* that the kernel uses (sh_info of a cubin's section); 0: not known */
    uint8_t barriers;                         /* of the block that it uses (sh_flags) */
    bool entry;                               /* a kernel, not a function that others call */
    uint32_t shared, local, stack, constants; /* bytes of shared memory, of a frame, of a lane's stack, of c[0x0] */
    uint32_t parameters, parameter_bytes;     /* how many, and their bytes in c[0x0] */
    bool named_section;                       /* ".text" or ".text.NAME" was said: text prints it */
};

/* What a cubin says beside its code. */
struct sch_maxwell_note {
    uint8_t kind;     /* enum sch_maxwell_note_kind */
    uint32_t section; /* of code; SCH_MAXWELL_NOTE_FILE: of the whole file */
    uint32_t offset;  /* what it counts is said there */
    uint32_t order;   /* in which it was read */
    const char *name, *text;
};
enum { SCH_MAXWELL_NOTE_FILE = UINT32_MAX };

/* The contents of a constant bank, as a cubin has them. */
struct sch_maxwell_bank {
    uint32_t section; /* of code; SCH_MAXWELL_NOTE_FILE: all sections see it */
    uint32_t number;  /* c[number] */
    const unsigned char *data;
    size_t bytes;
};

/* A parameter of a kernel. */
struct sch_maxwell_argument {
    uint32_t section;       /* of code; SCH_MAXWELL_NOTE_FILE: it is not known */
    uint32_t number;        /* from 0 */
    uint32_t offset, bytes; /* among the parameters */
};

struct sch_maxwell_code {
    struct sch_arena arena; /* holds everything, this struct too */
    struct sch_maxwell_section *sections;
    size_t section_count, section_capacity;
    struct sch_maxwell_note *notes; /* by section, kind and offset */
    size_t note_count, note_capacity;
    struct sch_maxwell_bank *banks; /* those that the file fills */
    size_t bank_count, bank_capacity;
    struct sch_maxwell_argument *parameters;
    size_t parameter_count, parameter_capacity;
    size_t instructions, textures, unknown; /* of all sections */
    uint8_t arch;                           /* enum sch_maxwell_arch */
};

/* How a program is to be read. */
struct sch_maxwell_read {
    const struct sch_allocator *allocator;
    const struct sch_limits *limits;
    struct sch_diagnostics *diagnostics; /* may be NULL */
    enum sch_maxwell_arch arch;          /* holds whatever the input says; ARCH_DEFAULT: what it says, else sm_50 */
};

/* Each reads one form of a program. Results: OK; INVALID, UNSUPPORTED (a cubin of another architecture) or LIMIT,
 * reported; MEMORY. `*code` is NULL unless OK. */
enum sch_result sch_maxwell_read_raw(const struct sch_maxwell_read *how, const void *data, size_t bytes,
                                     struct sch_maxwell_code **code);
enum sch_result sch_maxwell_read_text(const struct sch_maxwell_read *how, const char *text, size_t bytes,
                                      struct sch_maxwell_code **code);
enum sch_result sch_maxwell_read_cubin(const struct sch_maxwell_read *how, const void *data, size_t bytes,
                                       struct sch_maxwell_code **code);
void sch_maxwell_code_destroy(struct sch_maxwell_code *code); /* takes NULL */

/* The words of all sections one behind the other, control words included: 4 for each 3 instructions. */
size_t sch_maxwell_code_words(const struct sch_maxwell_code *code);
void sch_maxwell_code_write(const struct sch_maxwell_code *code, uint64_t *words);

/* What the file has in a constant bank of a section; NULL: nothing. */
const struct sch_maxwell_bank *sch_maxwell_code_bank(const struct sch_maxwell_code *code, size_t section,
                                                     uint32_t number);

/* Parameter `number` of a section; NULL: the file says nothing of it. */
const struct sch_maxwell_argument *sch_maxwell_code_argument(const struct sch_maxwell_code *code, size_t section,
                                                             uint32_t number);

/* Leaves out all sections but one, and what is said of them. */
void sch_maxwell_code_keep(struct sch_maxwell_code *code, size_t section);

/* Reports the restrictions that the texture instructions break; how many there are. */
unsigned sch_maxwell_code_check(const struct sch_maxwell_code *code, enum sch_severity severity,
                                struct sch_diagnostics *diagnostics);

/* The program as text that reads as the same words, zero-terminated, from the allocator; MEMORY. `*bytes` receives its
 * length. `labels`: targets inside of a section have labels. */
enum sch_result sch_maxwell_code_print(const struct sch_maxwell_code *code, enum sch_maxwell_text_style style,
                                       bool labels, const struct sch_allocator *allocator, char **text, size_t *bytes);

/* "sm_50" and back. */
bool sch_maxwell_arch_is(enum sch_maxwell_arch arch); /* SCH_MAXWELL_ARCH_DEFAULT is none */
const char *sch_maxwell_arch_name(enum sch_maxwell_arch arch);
bool sch_maxwell_arch_find(const char *name, size_t bytes, enum sch_maxwell_arch *arch);

/* An instruction as its text says it. */
struct sch_maxwell_line {
    bool texture;
    struct sch_maxwell_instruction instruction; /* of a texture operation; its word depends on the architecture */
    uint64_t word;                              /* of another one */
    uint32_t marks;                 /* bits 20:17 of the control slot that the text of another one says: .reuse */
    struct sch_maxwell_label label; /* in the text; its address is not in the word */
};

/* One instruction with its braces of dual issue and control fields, as a line of a listing has it: what is around it is
 * blanks and comments. `*slot` (may be NULL) receives its control slot, the phase included. Places are those in
 * `text`; branches count from `address`. */
enum sch_result sch_maxwell_parse_line(const char *text, size_t bytes, uint32_t address,
                                       struct sch_diagnostics *diagnostics, struct sch_maxwell_line *line,
                                       uint32_t *slot);

/* The instruction as nvdisasm lays it out under a control slot: " ;" for ";" where something is scheduled, the braces
 * of a dual-issue group. `closes`: it is the second of one. */
enum { SCH_MAXWELL_LAID_OUT = SCH_MAXWELL_LINE + 32 };
void sch_maxwell_lay_out(const char *printed, uint32_t slot, bool closes, char text[SCH_MAXWELL_LAID_OUT]);

/* ---- for the readers of this folder ---- */

/* An empty program and a section of it without items; NULL: no memory. The section moves when another one is made. */
struct sch_maxwell_code *sch_maxwell_code_new(const struct sch_maxwell_read *how);
struct sch_maxwell_section *sch_maxwell_code_section(struct sch_maxwell_code *code, const char *name, size_t bytes,
                                                     bool named);

/* Fills an empty section with the bundles of `bytes` bytes: whole bundles, within the limit of instructions (the caller
 * has checked both). `offset` is where they begin in the input. False: no memory. */
bool sch_maxwell_code_bundles(struct sch_maxwell_code *code, struct sch_maxwell_section *section,
                              const unsigned char *data, size_t bytes, uint64_t offset);

/* Fills in what the word and slot say, `texture`, `instruction` and `general`, and counts it in section and code. */
void sch_maxwell_item_decode(struct sch_maxwell_code *code, struct sch_maxwell_section *section,
                             struct sch_maxwell_item *item);

/* Whether a section of `count` instructions has room for `more`: each is one function, and has the limit for itself.
 * The sum over all sections is bounded by limits.memory, and by the 32 bits that count it. */
bool sch_maxwell_code_room(const struct sch_maxwell_code *code, const struct sch_limits *limits, size_t count,
                           size_t more);

#endif
