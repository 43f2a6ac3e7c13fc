/* NVIDIA Maxwell programs (sm_50 to sm_61): instructions as words and as text, control words, raw code and cubins;
 * texture headers and samplers; execution of texture instructions. docs/maxwell.md describes the syntax and the
 * execution. */
#ifndef SCHEELITE_MAXWELL_H
#define SCHEELITE_MAXWELL_H

#include "diagnostics.h"
#include "lookup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- programs ---- */

/* A program that was read. Immutable: any number of threads may use it at once. */
struct sch_maxwell_program;

/* How Maxwell code is written. */
enum sch_maxwell_kind {
    SCH_MAXWELL_KIND_AUTO = 0, /* decided by the bytes: a cubin's header; bytes that are all text; otherwise raw code */
    SCH_MAXWELL_KIND_TEXT = 1,
    SCH_MAXWELL_KIND_RAW = 2,  /* bundles of 32 bytes: a control word and three instructions, low byte first */
    SCH_MAXWELL_KIND_CUBIN = 3 /* an ELF file of 64 bits for EM_CUDA; its .text sections are read */
};

/* The kind of an input, if its first bytes show it: CUBIN or TEXT. Otherwise AUTO, also for raw code, which cannot be
 * recognised by its beginning. Thread-safe. */
SCH_API enum sch_maxwell_kind sch_maxwell_recognise(const void *data, size_t bytes);

/* How a program is read (sch_maxwell_program_read). */
struct sch_maxwell_read_options {
    size_t size;
    enum sch_maxwell_kind kind;
    enum sch_maxwell_arch arch; /* overrides what the input says, unless it is DEFAULT */
    const char *name;           /* optional: the input's name in reports; copied */
    bool schedule;              /* makes a simple correct schedule in place of the control slots in the input; phases
                                 * stay, marks of reuse go */
};

/* Reads a program from `bytes` bytes of `data`. `options` and `diagnostics` are optional; reports are appended to the
 * list. Errors: ARGUMENT, MEMORY, INVALID, LIMIT, UNSUPPORTED (a cubin of another architecture). Thread-safe. */
SCH_API enum sch_result sch_maxwell_program_read(struct sch_context *context, const void *data, size_t bytes,
                                                 const struct sch_maxwell_read_options *options,
                                                 struct sch_diagnostics_list *diagnostics,
                                                 struct sch_maxwell_program **program);

SCH_API void sch_maxwell_program_destroy(struct sch_maxwell_program *program); /* takes NULL */

/* Checks the restrictions of NVIDIA's instruction pages on texture instructions: alignment of registers, RZ, valid rows
 * of the tables. Each has a diagnostic of its own. Reading does not check them, since words in real programs may break
 * them. Also warns of registers that are read or overwritten before the barrier of an instruction that writes or reads
 * them was waited for. `diagnostics` is optional. SCH_OK: none is broken. INVALID: the list says which are. Errors
 * also: ARGUMENT, MEMORY, LIMIT. */
SCH_API enum sch_result sch_maxwell_program_check(const struct sch_maxwell_program *program,
                                                  struct sch_diagnostics_list *diagnostics);

/* Checks as sch_maxwell_program_check, but reports broken restrictions as warnings. Errors: ARGUMENT, MEMORY, LIMIT. */
SCH_API enum sch_result sch_maxwell_program_warn(const struct sch_maxwell_program *program,
                                                 struct sch_diagnostics_list *diagnostics);

/* How a program is printed (sch_maxwell_program_print). */
struct sch_maxwell_print_options {
    size_t size;
    enum sch_maxwell_text_style style;
    size_t labels; /* 1: targets of branches inside of a section are labels, .L_1 and so on; 0: addresses */
};

/* Writes a program as text: `*text` is zero-terminated and the caller's (sch_free). `bytes` (optional) receives its
 * length without the zero. Reading the text gives the same words, control words included. `options` is optional.
 * Errors: ARGUMENT, MEMORY, LIMIT. */
SCH_API enum sch_result sch_maxwell_program_print(const struct sch_maxwell_program *program,
                                                  const struct sch_maxwell_print_options *options, char **text,
                                                  size_t *bytes);

/* Writes a program as raw code: the words of all sections one after the other, control words included. `*words` is the
 * caller's (sch_free). KIND_RAW reads them back if they are stored low byte first. Errors: ARGUMENT, MEMORY, LIMIT. */
SCH_API enum sch_result sch_maxwell_program_words(const struct sch_maxwell_program *program, uint64_t **words,
                                                  size_t *count);

/* What a program has. */
struct sch_maxwell_program_info {
    size_t size;
    enum sch_maxwell_kind kind; /* what the input was: never AUTO */
    enum sch_maxwell_arch arch;
    uint32_t sections;
    uint32_t instructions, textures; /* all instructions, and texture instructions among them */
    uint64_t hash;                   /* FNV-1a of the raw code, low byte first */
    uint32_t unknown;                /* words that are no instruction */
};

/* Fills in `*info`. Errors: ARGUMENT (also if `size` is not set), MEMORY, LIMIT. */
SCH_API enum sch_result sch_maxwell_program_get_info(const struct sch_maxwell_program *program,
                                                     struct sch_maxwell_program_info *info);

/* A section of code; in a cubin it is a kernel or a function. */
struct sch_maxwell_section_info {
    size_t size;
    const char *name; /* "": the input has no name. Lives as long as the program */
    uint32_t instructions, textures;
    uint32_t registers; /* used by the kernel, as the cubin says; 0: not known */
    /* Of a cubin's kernels and functions, else 0: */
    bool is_kernel;
    uint32_t barriers;                 /* of the block */
    uint32_t shared_bytes;             /* that the kernel declares; a launch may add more */
    uint32_t local_bytes, stack_bytes; /* of a lane: the function's own, and with what it calls; UINT32_MAX: unknown */
    uint32_t constant_bytes;           /* of c[0x0] */
    uint32_t parameters, parameter_bytes; /* how many, and their bytes in c[0x0] */
};

/* Fills in `*info` with section `index`, counted from 0. False past the last, and if `size` is not set. */
SCH_API bool sch_maxwell_program_section(const struct sch_maxwell_program *program, size_t index,
                                         struct sch_maxwell_section_info *info);

/* A note: what a cubin says beside its code. */
struct sch_maxwell_note_info {
    size_t size;
    enum sch_maxwell_note_kind kind;
    int32_t section; /* of sch_maxwell_program_section; -1: it is about the whole file */
    uint32_t offset;
    const char *name, *text; /* live as long as the program */
};

/* Fills in `*info` with note `index`, counted from 0: those of the first section first. False past the last, and if
 * `size` is not set. Only cubins have notes. */
SCH_API bool sch_maxwell_program_note(const struct sch_maxwell_program *program, size_t index,
                                      struct sch_maxwell_note_info *info);

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

/* ---- execution ---- */

/* The state of a group of 32 lanes. Lanes 4q to 4q + 3 are quad q: the pixels (0,0), (1,0), (0,1), (1,1). */
struct sch_maxwell_group {
    size_t size;
    uint32_t registers[SCH_MAXWELL_GROUP_REGISTERS][SCH_MAXWELL_GROUP_LANES];
    uint32_t predicates[SCH_MAXWELL_GROUP_PREDICATES]; /* a bit for each lane */
    uint32_t active;                                   /* a bit for each lane */
    uint32_t killed;                                   /* a bit for each active lane that is a helper; .NODEP disables
                                                          helpers */
};

/* What texture instructions see of the machine. The memory is the caller's, and must live as long as the executor. */
struct sch_maxwell_environment {
    size_t size;
    const void *headers, *samplers;     /* pools; their last entry is MaximumIndex */
    size_t header_bytes, sampler_bytes; /* multiples of 32; 0: there are no entries (TXQ needs no samplers) */
    const uint32_t *constants;          /* the constant bank that #tsPtrIdxU13 indexes */
    size_t constant_count;              /* words */
    const void *memory;                 /* the memory that addresses in headers point to; texels outside of it are 0 */
    size_t memory_bytes;
    uint64_t memory_address; /* the address of the first byte of `memory` */
    bool via_header_binding; /* SetSamplerBinding: a header's index is also the index of its sampler */
    bool pixel_shader;       /* quads have derivatives; otherwise only instructions with .NDV have them */
    bool half_toward_zero;   /* FP16_ROUNDING_MODE of .F16 results; otherwise to nearest even */
    unsigned width;          /* lanes of a vector: 4, 8, 16, or the next narrower that this processor has; 0: its best.
                              * It does not change results */
};

/* Runs groups of one program, and caches the headers that it reads. One thread at a time. The program must live as long
 * as the executor. */
struct sch_maxwell_executor;

/* Makes an executor. Errors: ARGUMENT, MEMORY, LIMIT. Thread-safe. */
SCH_API enum sch_result sch_maxwell_executor_create(const struct sch_maxwell_program *program,
                                                    const struct sch_maxwell_environment *environment,
                                                    struct sch_maxwell_executor **executor);
SCH_API void sch_maxwell_executor_destroy(struct sch_maxwell_executor *executor); /* takes NULL */

/* Executes the instructions of section `section`, counted from 0, on a group (docs/maxwell.md, "Execution"). NOP does
 * nothing. `diagnostics` is optional. Errors: ARGUMENT, MEMORY; UNSUPPORTED for other instructions than texture
 * instructions, and for forms, headers and samplers that are not supported; INVALID for a header that contradicts
 * itself; LIMIT for a header whose texture is too large. They are reported at the instruction's place in the program.
 * The instructions before it have then been executed. */
SCH_API enum sch_result sch_maxwell_executor_run(struct sch_maxwell_executor *executor, size_t section,
                                                 struct sch_maxwell_group *group,
                                                 struct sch_diagnostics_list *diagnostics);

/* What a texture instruction takes a register for. */
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

/* An instruction of a section. */
struct sch_maxwell_instruction_info {
    size_t size;
    uint64_t word; /* 0 in a program that was read from text */
    bool is_texture;
    uint32_t line, column, offset;     /* of it in the source: a line and column, or a byte */
    char text[SCH_MAXWELL_TEXT_BYTES]; /* without marks of scheduling; "" of a word that is no instruction */
    /* Of texture instructions: */
    struct sch_maxwell_operand operands[SCH_MAXWELL_OPERANDS]; /* what is read; RZ is left out */
    uint32_t operand_count;
    uint32_t written[8], written_predicates; /* bits; R0 is bit 0 of written[0] */
    int32_t guard;                           /* the predicate that is asked, 0 to 6; -1: none */
    int32_t handle;                          /* the word of the constant bank that is the handle; -1: a register is */
    int32_t target;                          /* enum sch_target; -1: the instruction does not say (TXQ) */
    bool compares;                           /* with a reference */
    bool is_nop;                             /* it is the NOP that fills the last bundle of a text */
    bool samples;                            /* it reads the sampler of its handle: no query (TXQ) or load (TLD) does */
};

/* Fills in `*info` with instruction `number` of a section, both counted from 0. False past the last, and if `size` is
 * not set. Thread-safe. */
SCH_API bool sch_maxwell_program_instruction(const struct sch_maxwell_program *program, size_t section, size_t number,
                                             struct sch_maxwell_instruction_info *info);

/* Executes instruction `number` of a section alone, so that the group can be looked at between instructions. All that
 * it changes is in the group: a copy of the group is a moment to which one can go back. ARGUMENT past the last; other
 * errors as sch_maxwell_executor_run. */
SCH_API enum sch_result sch_maxwell_executor_step(struct sch_maxwell_executor *executor, size_t section, size_t number,
                                                  struct sch_maxwell_group *group,
                                                  struct sch_diagnostics_list *diagnostics);

/* The lanes that execute instruction `number` of a section on a group as it is, a bit for each: active ones whose guard
 * holds, without killed ones of an instruction with .NODEP. 0 past the last. Thread-safe. */
SCH_API uint32_t sch_maxwell_program_lanes(const struct sch_maxwell_program *program, size_t section, size_t number,
                                           const struct sch_maxwell_group *group);

/* The explanation of the lookup that instruction `number` of a section makes in a lane of a group as it is; the group
 * stays so. ARGUMENT: there is no such instruction or lane; it looks up no texel there. Errors also: MEMORY, LIMIT;
 * INVALID, UNSUPPORTED as sch_maxwell_executor_run. */
SCH_API enum sch_result sch_maxwell_executor_explain(struct sch_maxwell_executor *executor, size_t section,
                                                     size_t number, const struct sch_maxwell_group *group,
                                                     uint32_t lane, struct sch_explanation **explanation);

/* The registers and predicates that the texture instructions of a section write, with a bit for each: R0 is bit 0 of
 * registers[0]. False if there is no such section. */
SCH_API bool sch_maxwell_program_results(const struct sch_maxwell_program *program, size_t section,
                                         uint32_t registers[8], uint32_t *predicates);

#ifdef __cplusplus
}
#endif
#endif
