/* NVIDIA Maxwell programs (sm_50, sm_52, sm_53): texture instructions as words and text, control words, raw code and
 * cubins. Instructions other than texture operations are kept as words. The syntax of programs: docs/maxwell.md. */
#ifndef SCHEELITE_MAXWELL_H
#define SCHEELITE_MAXWELL_H

#include "diagnostics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- programs ---- */

/* A program that was read. Immutable: any number of threads may use it. */
struct sch_maxwell_program;

enum sch_maxwell_kind {
    SCH_MAXWELL_KIND_AUTO =
        0, /* decided by the bytes: a cubin's header; text where all bytes are text; else raw code */
    SCH_MAXWELL_KIND_TEXT = 1,
    SCH_MAXWELL_KIND_RAW = 2,  /* bundles of 32 bytes: a control word and three instructions, low byte first */
    SCH_MAXWELL_KIND_CUBIN = 3 /* an ELF file of 64 bits for EM_CUDA; its .text sections are read */
};

/* The kind that the first bytes tell for certain: CUBIN, TEXT, or AUTO when they tell nothing (raw code begins with
 * nothing by which it could be known). Thread-safe. */
SCH_API enum sch_maxwell_kind sch_maxwell_recognise(const void *data, size_t bytes);

struct sch_maxwell_read_options {
    size_t size;
    enum sch_maxwell_kind kind;
    enum sch_maxwell_arch arch; /* not DEFAULT: it holds whatever the input says */
    const char *name;           /* optional: the input's name in reports; copied */
};

/* Reads `bytes` bytes. `options` and `diagnostics` are optional; reports are appended to the list. `*program` is NULL
 * unless the result is SCH_OK. Errors: ARGUMENT, MEMORY, INVALID, LIMIT, UNSUPPORTED (a cubin of another
 * architecture). */
SCH_API enum sch_result sch_maxwell_program_read(struct sch_context *context, const void *data, size_t bytes,
                                                 const struct sch_maxwell_read_options *options,
                                                 struct sch_diagnostics_list *diagnostics,
                                                 struct sch_maxwell_program **program);

SCH_API void sch_maxwell_program_destroy(struct sch_maxwell_program *program); /* takes NULL */

/* Checks the texture instructions against the restrictions of the instruction pages (alignment of registers, RZ, legal
 * rows of the tables), each of which has a number of its own. SCH_OK: none is broken; SCH_ERROR_INVALID: the list says
 * which are. Hardware's words need not keep them, so reading does not ask. */
SCH_API enum sch_result sch_maxwell_program_check(const struct sch_maxwell_program *program,
                                                  struct sch_diagnostics_list *diagnostics);

/* The same as warnings: always SCH_OK, or MEMORY. */
SCH_API enum sch_result sch_maxwell_program_warn(const struct sch_maxwell_program *program,
                                                 struct sch_diagnostics_list *diagnostics);

struct sch_maxwell_print_options {
    size_t size;
    enum sch_maxwell_text_style style;
};

/* The program as text, zero-terminated, the caller's (sch_free); `bytes` (optional) receives its length. The text reads
 * as the same words, control words included. `options` is optional. */
SCH_API enum sch_result sch_maxwell_program_print(const struct sch_maxwell_program *program,
                                                  const struct sch_maxwell_print_options *options, char **text,
                                                  size_t *bytes);

/* Raw code: the words of all sections one behind the other, control words included, the caller's. Stored low byte first
 * they are what KIND_RAW reads. */
SCH_API enum sch_result sch_maxwell_program_words(const struct sch_maxwell_program *program, uint64_t **words,
                                                  size_t *count);

struct sch_maxwell_program_info {
    size_t size;
    enum sch_maxwell_kind kind; /* as which it was read: not AUTO */
    enum sch_maxwell_arch arch;
    uint32_t sections;
    uint32_t instructions, textures; /* all, and texture instructions */
    uint64_t hash;                   /* FNV-1a of the raw code, low byte first */
};
SCH_API enum sch_result sch_maxwell_program_get_info(const struct sch_maxwell_program *program,
                                                     struct sch_maxwell_program_info *info);

/* A section of code: of a cubin a kernel or function. */
struct sch_maxwell_section_info {
    size_t size;
    const char *name; /* the kernel; "" where the input names none. Lives as long as the program */
    uint32_t instructions, textures;
    uint32_t registers; /* that the kernel uses by the cubin's account; 0: not known */
};

/* Section `index` from 0; false past the last. */
SCH_API bool sch_maxwell_program_section(const struct sch_maxwell_program *program, size_t index,
                                         struct sch_maxwell_section_info *view);

/* ---- one instruction ---- */

enum { SCH_MAXWELL_TEXT_BYTES = 384 }; /* suffice for any instruction's text and its closing zero */

struct sch_maxwell_word_options {
    size_t size;
    enum sch_maxwell_arch arch; /* DEFAULT: sm_50 */
    enum sch_maxwell_text_style style;
    uint64_t control; /* the control word of the instruction's bundle, where `has_control` */
    unsigned slot;    /* 0..2: which of its three instructions */
    bool has_control; /* else no phase is printed, and nothing is scheduled */
};

/* A word as text. False, and `text` empty: it is no texture instruction of that architecture, or the call is wrong.
 * `options` is optional. With a control word the text has the phase, and nvdisasm's layout of it: a blank before the
 * semicolon where something is scheduled, the braces of dual issue. Thread-safe; makes no memory. */
SCH_API bool sch_maxwell_disassemble(uint64_t word, const struct sch_maxwell_word_options *options,
                                     char text[SCH_MAXWELL_TEXT_BYTES]);

/* The text of one instruction as a word; of its control fields and phase, which are not in the word, `*control_slot`
 * (optional) receives the 21 bits. Broken restrictions of the pages are warnings in the list. `options` and
 * `diagnostics` are optional. Errors: ARGUMENT, INVALID, MEMORY. */
SCH_API enum sch_result sch_maxwell_assemble(const char *text, size_t bytes,
                                             const struct sch_maxwell_word_options *options,
                                             struct sch_diagnostics_list *diagnostics, uint64_t *word,
                                             uint32_t *control_slot);

/* ---- texture headers and samplers ---- */

/* A pool holds texture headers, or samplers, of 32 bytes each, as the hardware reads them (NVIDIA's class headers
 * clb097tex.h, clb197tex.h). Their text, a block of named fields an entry: docs/maxwell.md, "Headers and samplers". */
enum sch_maxwell_pool {
    SCH_MAXWELL_POOL_AUTO = 0, /* of a text: the kind of its blocks, INVALID where it has both; of bytes: headers */
    SCH_MAXWELL_POOL_HEADERS = 1,
    SCH_MAXWELL_POOL_SAMPLERS = 2
};

struct sch_maxwell_pool_options {
    size_t size;
    enum sch_maxwell_pool pool;
    const char *name; /* optional: the input's name in reports; copied */
};

/* Whether bytes are characters, white space and UTF-8 only: a text, not a pool. Thread-safe. */
SCH_API bool sch_maxwell_pool_is_text(const void *data, size_t bytes);

/* Text to a pool: entries 0 to the greatest index given, the caller's (sch_free); those that no block gives are zero.
 * `*pool_bytes` is a multiple of 32; of a text without blocks 0. `options` and `diagnostics` are optional. Errors:
 * ARGUMENT, MEMORY, INVALID, LIMIT. */
SCH_API enum sch_result sch_maxwell_pool_assemble(struct sch_context *context, const char *text, size_t bytes,
                                                  const struct sch_maxwell_pool_options *options,
                                                  struct sch_diagnostics_list *diagnostics, void **pool,
                                                  size_t *pool_bytes);

/* A pool as text, zero-terminated, the caller's; `text_bytes` (optional) receives its length. It reads as the same
 * bytes, reserved bits included. INVALID: no whole number of entries; else errors as above. */
SCH_API enum sch_result sch_maxwell_pool_print(struct sch_context *context, const void *pool, size_t bytes,
                                               const struct sch_maxwell_pool_options *options,
                                               struct sch_diagnostics_list *diagnostics, char **text,
                                               size_t *text_bytes);

/* ---- execution ---- */

/* The state of a group: lanes 4 q to 4 q + 3 are the quad q: (0,0), (1,0), (0,1), (1,1). */
struct sch_maxwell_group {
    size_t size;
    uint32_t registers[SCH_MAXWELL_GROUP_REGISTERS][SCH_MAXWELL_GROUP_LANES];
    uint32_t predicates[SCH_MAXWELL_GROUP_PREDICATES]; /* a bit for each lane */
    uint32_t active;                                   /* a bit for each lane */
    uint32_t killed; /* of the active lanes those that go on as helpers: .NODEP disables them */
};

/* What texture instructions see of the machine. All memory is the caller's and must live as long as the executor. */
struct sch_maxwell_environment {
    size_t size;
    const void *headers, *samplers;     /* pools of 32-byte entries; MaximumIndex is their last */
    size_t header_bytes, sampler_bytes; /* multiples of 32; 0: none is valid (TXQ needs no samplers) */
    const uint32_t *constants;          /* the bank of #tsPtrIdxU13 */
    size_t constant_count;              /* words */
    const void *memory;                 /* what headers' addresses point into; elsewhere texels are 0 */
    size_t memory_bytes;
    uint64_t memory_address; /* of its first byte */
    bool via_header_binding; /* SetSamplerBinding: the header's index is the sampler's too */
    bool pixel_shader;       /* quads have derivatives; else only where .NDV says so */
    bool half_toward_zero;   /* FP16_ROUNDING_MODE of .F16 results; else to nearest even */
    unsigned width;          /* lanes of a vector: 4, 8, 16; 0: the processor's best. Not in the results */
};

/* Runs groups of one program; it keeps the headers that were read. Not thread-safe; the program must outlive it. */
struct sch_maxwell_executor;

/* Errors: ARGUMENT, MEMORY. */
SCH_API enum sch_result sch_maxwell_executor_create(const struct sch_maxwell_program *program,
                                                    const struct sch_maxwell_environment *environment,
                                                    struct sch_maxwell_executor **executor);
SCH_API void sch_maxwell_executor_destroy(struct sch_maxwell_executor *executor); /* takes NULL */

/* Executes the instructions of section `section` (from 0), the first to the last, on a group; docs/maxwell.md,
 * "Execution". NOP does nothing. UNSUPPORTED: an instruction that is no texture instruction, or a form, header or
 * sampler that cannot be executed; INVALID, LIMIT: a header that contradicts itself or shows too much. Each is reported
 * at the instruction's place in the program; the group is then as the instructions before it left it. Errors also:
 * ARGUMENT, MEMORY. */
SCH_API enum sch_result sch_maxwell_executor_run(struct sch_maxwell_executor *executor, size_t section,
                                                 struct sch_maxwell_group *group,
                                                 struct sch_diagnostics_list *diagnostics);

/* The registers and predicates that texture instructions of a section write: a bit each. False: no such section. */
SCH_API bool sch_maxwell_program_results(const struct sch_maxwell_program *program, size_t section,
                                         uint32_t registers[8], uint32_t *predicates);

#ifdef __cplusplus
}
#endif
#endif
