/* What only NVIDIA Maxwell code has (sm_50 to sm_61): sections and notes of cubins, instructions as words and as text,
 * texture headers and samplers. Shaders of Maxwell code are read, checked, printed and run like any other (shader.h,
 * dispatch.h). docs/maxwell.md describes the syntax and the execution.
 *
 * Example:
 *
 *     char text[SCH_MAXWELL_TEXT_BYTES];
 *     uint64_t word;
 *     if (sch_maxwell_assemble("EXIT ;", 6, NULL, NULL, &word, NULL) != SCH_OK) return 1;
 *     if (sch_maxwell_disassemble(word, NULL, text)) printf("%s\n", text); // prints EXIT;
 */
#ifndef SCHEELITE_MAXWELL_H
#define SCHEELITE_MAXWELL_H

#include "diagnostics.h"
#include "shader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shaders of Maxwell code ---- */

/* Appends a warning for each restriction of NVIDIA's instruction pages that a texture instruction breaks (alignment of
 * registers, RZ, valid rows of the tables). sch_shader_check reports the same restrictions as errors. Reading does not
 * check them, because real programs contain words that break them. Both functions also warn of a register that is read
 * or overwritten without waiting for the barrier of the instruction that writes or reads it. `diagnostics` is optional.
 * Errors: ARGUMENT (also for another shader), MEMORY, LIMIT. */
SCH_API enum sch_result sch_maxwell_warn(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics);

/* What Maxwell code contains. */
struct sch_maxwell_code_info {
    size_t size;
    enum sch_kind kind; /* what the input was: MAXWELL_TEXT, MAXWELL_RAW or CUBIN */
    enum sch_maxwell_arch arch;
    uint32_t sections;
    uint32_t instructions, textures; /* all instructions, and texture instructions among them */
    uint64_t hash;                   /* FNV-1a of the raw code, low byte first */
    uint32_t unknown;                /* words that are not instructions */
};

/* Fills in `*info`. Errors: ARGUMENT (also for another shader, and if `size` is not set), MEMORY, LIMIT. */
SCH_API enum sch_result sch_maxwell_get_info(const struct sch_shader *shader, struct sch_maxwell_code_info *info);

/* A section of code; in a cubin it is a kernel or a function. */
struct sch_maxwell_section_info {
    size_t size;
    const char *name; /* "": the input has no name. Lives as long as the shader */
    uint32_t instructions, textures;
    uint32_t registers; /* used by the kernel, as the cubin says; 0: not known */
    /* For kernels and functions of a cubin; otherwise 0: */
    bool is_kernel;
    uint32_t barriers;                 /* of the block */
    uint32_t shared_bytes;             /* that the kernel declares; a launch may add more */
    uint32_t local_bytes, stack_bytes; /* of a lane: the function's own, and with what it calls; UINT32_MAX: unknown */
    uint32_t constant_bytes;           /* of c[0x0] */
    uint32_t parameters, parameter_bytes; /* how many, and their bytes in c[0x0] */
};

/* Fills in `*info` with section `index`, counted from 0. False past the last, for another shader, and if `size` is not
 * set. */
SCH_API bool sch_maxwell_section(const struct sch_shader *shader, size_t index, struct sch_maxwell_section_info *info);

/* A note: what a cubin says beside its code. */
struct sch_maxwell_note_info {
    size_t size;
    enum sch_maxwell_note_kind kind;
    int32_t section; /* of sch_maxwell_section; -1: it is about the whole file */
    uint32_t offset;
    const char *name, *text; /* live as long as the shader */
};

/* Fills in `*info` with note `index`, counted from 0: those of the first section first. False past the last, for
 * another shader, and if `size` is not set. Only cubins have notes. */
SCH_API bool sch_maxwell_note(const struct sch_shader *shader, size_t index, struct sch_maxwell_note_info *info);

/* What a cubin has in constant bank c[number] of a section: literals in c[0x2], the module's constants in c[0x3]. They
 * live as long as the shader. False where it has none, for another shader, and past the last section. */
SCH_API bool sch_maxwell_constants(const struct sch_shader *shader, size_t section, uint32_t number, const void **data,
                                   size_t *bytes);

/* ---- one instruction ---- */

enum { SCH_MAXWELL_TEXT_BYTES = 384 }; /* enough for the text of any instruction and its closing zero */

/* How one instruction is read or written (sch_maxwell_disassemble, sch_maxwell_assemble). */
struct sch_maxwell_word_options {
    size_t size;
    enum sch_maxwell_arch arch; /* DEFAULT: sm_50 */
    enum sch_maxwell_text_style style;
    uint64_t control; /* the control word of the instruction's bundle, if has_control */
    unsigned slot;    /* which of the bundle's three instructions: 0 to 2 */
    bool has_control; /* otherwise the text has no phase and no marks of scheduling */
    uint32_t address; /* of the instruction in its section: branches count from it */
};

/* Writes a word as text. False, with an empty `text`, if it is not an instruction of that architecture, if it cannot
 * have its control slot, or if the call is wrong. `options` is optional. With a control word, the text has the phase,
 * marks of reuse, and nvdisasm's marks: a blank before the semicolon if something is scheduled, and the braces of dual
 * issue. Thread-safe; allocates no memory. */
SCH_API bool sch_maxwell_disassemble(uint64_t word, const struct sch_maxwell_word_options *options,
                                     char text[SCH_MAXWELL_TEXT_BYTES]);

/* Makes a word from the text of one instruction. Control fields and phase are not part of the word: `*control_slot`
 * (optional) receives their 21 bits. Broken restrictions of the instruction pages are warnings. `options` and
 * `diagnostics` are optional. Errors: ARGUMENT, INVALID, MEMORY. Thread-safe. */
SCH_API enum sch_result sch_maxwell_assemble(const char *text, size_t bytes,
                                             const struct sch_maxwell_word_options *options,
                                             struct sch_diagnostics_list *diagnostics, uint64_t *word,
                                             uint32_t *control_slot);

/* ---- texture headers and samplers ---- */

/* A pool holds texture headers or samplers, in 32 bytes each, as the hardware reads them (NVIDIA's class headers
 * clb097tex.h, clb197tex.h). As text, each entry is a block of named fields (docs/maxwell.md, "Headers and
 * samplers"). */
enum sch_maxwell_pool {
    SCH_MAXWELL_POOL_AUTO = 0, /* text: the kind of its blocks, INVALID if it has both; bytes: headers */
    SCH_MAXWELL_POOL_HEADERS = 1,
    SCH_MAXWELL_POOL_SAMPLERS = 2
};

/* Which pool a text is, and its name (sch_maxwell_pool_assemble, sch_maxwell_pool_print). */
struct sch_maxwell_pool_options {
    size_t size;
    enum sch_maxwell_pool pool;
    const char *name; /* optional: the input's name in reports; copied */
};

/* Whether bytes are text, not a pool: printable characters, white space and UTF-8 only. Thread-safe. */
SCH_API bool sch_maxwell_pool_is_text(const void *data, size_t bytes);

/* Makes a pool from text, with the entries 0 to the greatest index in the text. Entries without a block are zero.
 * `*pool` is the caller's (sch_free). `*pool_bytes` is a multiple of 32, and 0 for text without blocks. `options` and
 * `diagnostics` are optional. Errors: ARGUMENT, MEMORY, INVALID, LIMIT. Thread-safe. */
SCH_API enum sch_result sch_maxwell_pool_assemble(struct sch_context *context, const char *text, size_t bytes,
                                                  const struct sch_maxwell_pool_options *options,
                                                  struct sch_diagnostics_list *diagnostics, void **pool,
                                                  size_t *pool_bytes);

/* Writes a pool as text: `*text` is zero-terminated and the caller's (sch_free). `text_bytes` (optional) receives its
 * length without the zero. The text makes the same bytes again, reserved bits included. `options` and `diagnostics` are
 * optional. Errors: ARGUMENT, MEMORY, LIMIT, INVALID (`bytes` is not a multiple of 32). Thread-safe. */
SCH_API enum sch_result sch_maxwell_pool_print(struct sch_context *context, const void *pool, size_t bytes,
                                               const struct sch_maxwell_pool_options *options,
                                               struct sch_diagnostics_list *diagnostics, char **text,
                                               size_t *text_bytes);

/* ---- an instruction of a shader ---- */

/* How a texture instruction interprets a register. */
enum sch_maxwell_operand_kind {
    SCH_MAXWELL_READS_FLOAT = 0,        /* a coordinate, level, bias, derivative or reference */
    SCH_MAXWELL_READS_INTEGER = 1,      /* of loads and queries: a texel, level or sample */
    SCH_MAXWELL_READS_LAYER = 2,        /* a number of 16 bits */
    SCH_MAXWELL_READS_HANDLE = 3,       /* sampler[31:20], header[19:0] */
    SCH_MAXWELL_READS_OFFSETS = 4,      /* packed offsets in texels */
    SCH_MAXWELL_READS_LAYER_OFFSETS = 5 /* of TXD: a layer in bits 15:0, offsets above it */
};

/* A register that a texture instruction reads. Closed: no other member will come. */
struct sch_maxwell_operand {
    uint32_t number;
    enum sch_maxwell_operand_kind kind;
};
enum { SCH_MAXWELL_OPERANDS = 16 }; /* of an instruction, at most */

enum { SCH_MAXWELL_SLOT_BYTES = 96 };

/* Facts about an instruction of Maxwell code that struct sch_instruction_info lacks. */
struct sch_maxwell_instruction_info {
    size_t size;
    uint64_t word;
    bool is_texture;
    bool is_nop;                       /* it fills the last bundle, or does nothing anyway */
    char text[SCH_MAXWELL_TEXT_BYTES]; /* without scheduling marks; "" if the word is not an instruction */
    /* For texture instructions: */
    struct sch_maxwell_operand operands[SCH_MAXWELL_OPERANDS]; /* what is read; RZ is left out */
    uint32_t operand_count;
    int32_t guard;  /* the predicate that guards it, 0 to 6; -1: none */
    int32_t handle; /* the word of the constant bank that is the handle; -1: a register is */
    int32_t target; /* enum sch_target; -1: the instruction does not say (TXQ) */
    bool compares;  /* with a reference */
    bool samples;   /* it reads the sampler of its handle: no query (TXQ) or load (TLD) does */
    /* Its slot of the control word, 21 bits, and as text: {?stall4} {&wr0}; "" where it says nothing (0x7e0). */
    uint32_t slot;
    char slot_text[SCH_MAXWELL_SLOT_BYTES];
};

/* Fills in `*info` with instruction `number` of the shader, counted from 0 through all sections, as
 * sch_shader_instruction counts. False past the last, for another shader, and if `size` is not set. Thread-safe. */
SCH_API bool sch_maxwell_instruction(const struct sch_shader *shader, uint32_t number,
                                     struct sch_maxwell_instruction_info *info);

#ifdef __cplusplus
}
#endif
#endif
