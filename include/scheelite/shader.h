/* Shaders: reading them from text, binary tokens or containers; checking, printing, translating and describing them.
 * d3d.h declares what only Direct3D shaders have; dispatch.h runs shaders.
 *
 * Example, with a context:
 *
 *     const char text[] = "FRAG\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0], IN[0]\nEND\n";
 *     struct sch_shader *shader;
 *     struct sch_shader_info info = {.size = sizeof info};
 *     if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) return 1;
 *     if (sch_shader_check(shader, NULL) != SCH_OK || sch_shader_get_info(shader, &info) != SCH_OK) return 1;
 *     printf("%u instructions, %u input\n", info.instructions, info.inputs); // prints 2 instructions, 1 input
 *     sch_shader_destroy(shader);
 *
 * All functions are thread-safe. A shader is immutable: any number of threads may use it at once, until one of them
 * destroys it. */
#ifndef SCHEELITE_SHADER_H
#define SCHEELITE_SHADER_H

#include "diagnostics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A shader that was read. Immutable. */
struct sch_shader;

/* How a shader is written. */
enum sch_kind {
    SCH_KIND_AUTO = 0,     /* decided by the first bytes: a container, the header of binary tokens, otherwise text */
    SCH_KIND_TGSI = 1,     /* TGSI text */
    SCH_KIND_TGSI_BIN = 2, /* TGSI binary tokens: a Scheelite container, or only the words, in the host's byte order */
    SCH_KIND_DXBC = 3,     /* a Direct3D container, with a program of shader model 4.0 to 5.1 or without one */
    SCH_KIND_D3D_ASM = 4,  /* Direct3D assembly, as the documentation, fxc or vkd3d write it */
    SCH_KIND_MAXWELL = 5,  /* Maxwell code: text if all bytes are, otherwise raw code, which AUTO does not recognise */
    SCH_KIND_MAXWELL_TEXT = 6,
    SCH_KIND_MAXWELL_RAW = 7, /* bundles of 32 bytes: a control word and three instructions, low byte first */
    SCH_KIND_CUBIN = 8        /* an ELF file of 64 bits for EM_CUDA; its .text sections are read */
};

/* How an input is read (sch_shader_read). */
struct sch_read_options {
    size_t size;
    enum sch_kind kind;
    const char *name;  /* optional: the input's name in reports; copied */
    bool any_checksum; /* DXBC: read containers whose checksum is wrong, too, which Direct3D refuses */

    /* Text that is a part of a file (sch_text_shaders): the number of its first line in reports, counted from 1. 0: 1.
     * Offsets in reports count from the part's first byte. */
    uint32_t line;

    /* TGSI: what the words mean. AUTO: as sch_context_options.dialect says. */
    enum sch_dialect dialect;

    /* Maxwell code. `arch` overrides what the input says, unless it is DEFAULT. `schedule` makes a simple correct
     * schedule in place of the control slots in the input; phases stay, marks of reuse go. `kernel` (optional) is the
     * one section that is read: its name, or its number, counted from 1, if no section has that name. INVALID: there is
     * none. */
    enum sch_maxwell_arch arch;
    bool schedule;
    const char *kernel;

    /* Optional: what ends the reading of TGSI text before its end. DEADLINE: milliseconds from the call on, by
     * CLOCK_MONOTONIC; 0: none. CANCELLED: another thread has set the word that `cancel` points to. They are looked at
     * every thousand lines. Other inputs are read to their end. */
    uint32_t deadline_ms;
    const uint32_t *cancel;
};

/* The language that a shader was written in. */
enum sch_language { SCH_LANGUAGE_TGSI = 0, SCH_LANGUAGE_D3D = 1, SCH_LANGUAGE_MAXWELL = 2 };

/* The kind that AUTO takes an input for. Thread-safe. */
SCH_API enum sch_kind sch_shader_recognise(const void *data, size_t bytes);

/* Reads a shader from `bytes` bytes of `data`. `options` and `diagnostics` are optional; reports are appended to the
 * list. Text may have comments, and may be a log. It must hold one shader: several are INVALID (sch_text_shaders finds
 * them). A shader that was read is well formed, but need not be valid: see sch_shader_check. Errors: ARGUMENT, MEMORY,
 * INVALID, LIMIT, DEADLINE, CANCELLED; UNSUPPORTED (a cubin of another architecture). */
SCH_API enum sch_result sch_shader_read(struct sch_context *context, const void *data, size_t bytes,
                                        const struct sch_read_options *options,
                                        struct sch_diagnostics_list *diagnostics, struct sch_shader **shader);

/* A shader in a text: `bytes` bytes from `offset` on, beginning with line `line`, counted from 1. Elements of an array
 * with a stride. */
struct sch_text_shader {
    uint64_t offset, bytes;
    uint32_t line;
};

/* Finds the shaders in TGSI text, or the listings of Direct3D in a text. The text may be a log: it may have other lines
 * between shaders, a prefix on all lines of a shader, and comments (TGSI: //, #, ;). Listings are also found in
 * comments of HLSL, and both in string literals of C, Rust or JSON. Pass the bytes and the line of one of them to
 * sch_shader_read to read it.
 *
 * Writes the number of shaders to `*count`, and the first `capacity` of them to `list`, whose elements are `stride`
 * bytes (sizeof *list) apart. `list` may be NULL if `capacity` is 0. A text without a shader, and an input that is not
 * text, count as one. Errors: ARGUMENT, MEMORY, LIMIT (more than 65536 shaders, or a text that is too long).
 * Thread-safe. */
SCH_API enum sch_result sch_text_shaders(struct sch_context *context, const void *data, size_t bytes,
                                         struct sch_text_shader *list, size_t stride, size_t capacity, size_t *count);

SCH_API void sch_shader_destroy(struct sch_shader *shader); /* takes NULL */

/* The language of a shader; TGSI for NULL. */
SCH_API enum sch_language sch_shader_language(const struct sch_shader *shader);

/* Checks the rules of the shader's language: structure, declarations, operands, stages. `diagnostics` is optional.
 * SCH_OK: the shader is valid, perhaps with warnings. INVALID: the list says why. Errors also: ARGUMENT, MEMORY,
 * LIMIT. */
SCH_API enum sch_result sch_shader_check(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics);

/* A construct of a shader, from the instruction that opens it to the one that ends it. Instructions are numbered from
 * 0, as sch_shader_print writes them. Elements of an array with a stride. */
struct sch_construct_info {
    enum sch_construct kind;
    uint32_t opener, end; /* IF and ENDIF, BGNLOOP and ENDLOOP, ... */
    uint32_t outer;       /* index in the list of the construct around it; UINT32_MAX: none */
};

/* Lists the constructs of a TGSI shader in the order of their openers. Writes their number to `*count`, and the first
 * `capacity` of them to `list`, whose elements are `stride` bytes (sizeof *list) apart. `list` may be NULL if
 * `capacity` is 0. Errors: ARGUMENT (also for a Direct3D shader), MEMORY, LIMIT, INVALID. INVALID means that constructs
 * do not nest, that an instruction such as ELSE or BRK is outside of its construct, or that a subroutine calls itself;
 * sch_shader_check reports it. */
SCH_API enum sch_result sch_shader_constructs(const struct sch_shader *shader, struct sch_construct_info *list,
                                              size_t stride, size_t capacity, size_t *count);

/* How a shader is printed (sch_shader_print). */
struct sch_print_options {
    size_t size;
    enum sch_float_text floats;     /* TGSI */
    enum sch_listing_style listing; /* Direct3D */

    /* Maxwell code; `labels`: targets of branches inside of a section are labels, .L_1 and so on, not addresses. */
    enum sch_maxwell_text_style style;
    bool labels;

    /* Optional, TGSI (otherwise ARGUMENT): receives where the first `start_capacity` instructions begin. The text of
     * instruction n goes from byte starts[n], which follows its number, to the end of the line. Instructions in
     * constructs are indented. */
    size_t *starts;
    size_t start_capacity;
};

/* Writes a shader as text: `*text` is zero-terminated and the caller's (sch_free). `bytes` (optional) receives its
 * length without the zero. Two shaders that are equal have the same text. `options` is optional. Errors: ARGUMENT,
 * MEMORY, LIMIT. */
SCH_API enum sch_result sch_shader_print(const struct sch_shader *shader, const struct sch_print_options *options,
                                         char **text, size_t *bytes);

/* The languages that sch_shader_translate writes. */
enum sch_translation {
    SCH_TRANSLATE_TGSI = 0, /* TGSI text; Direct3D shaders are lowered first */
    /* The texture lookups as NVIDIA Maxwell texture code (sm_50). Comments show the moves of operands and results, and
     * the arithmetic that a lookup needs. The rest of the shader is left out. */
    SCH_TRANSLATE_MAXWELL = 1
};

/* What a shader is translated to (sch_shader_translate). */
struct sch_translate_options {
    size_t size;
    enum sch_translation to;
};

/* Translates a shader to another language. A Direct3D shader is checked first, and so is every shader whose lookups
 * become Maxwell code. `*text` is zero-terminated and the caller's (sch_free). `bytes` (optional) receives its length
 * without the zero. `options` and `diagnostics` are optional. Errors: ARGUMENT, MEMORY, LIMIT, INVALID (as
 * sch_shader_check), UNSUPPORTED. If some lookups have no Maxwell code, the result is UNSUPPORTED, the list names them,
 * and `*text` has the other lookups. */
SCH_API enum sch_result sch_shader_translate(const struct sch_shader *shader,
                                             const struct sch_translate_options *options,
                                             struct sch_diagnostics_list *diagnostics, char **text, size_t *bytes);

/* Lowers a Direct3D shader to TGSI (docs/d3d.md), after checking it by Direct3D's rules. sch_program_create does this
 * itself: a program of the Direct3D shader and one of the lowered shader have the same registers. `*lowered` is a
 * shader of its own; reports about it give places in the Direct3D source. `diagnostics` is optional. Errors: ARGUMENT
 * (also for a TGSI shader), MEMORY, INVALID, UNSUPPORTED, LIMIT. */
SCH_API enum sch_result sch_shader_lower(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                         struct sch_shader **lowered);

/* Makes a Direct3D shader of model 5.0 from a TGSI shader (docs/d3d.md, "From TGSI to Direct3D"), after checking it.
 * The result is checked by Direct3D's rules, too. `*raised` is a shader of its own, which may be printed, serialized,
 * checked or run; reports about it give places in the TGSI source. `diagnostics` is optional. Errors: ARGUMENT (also
 * for a Direct3D shader), MEMORY, INVALID, UNSUPPORTED (Direct3D cannot express something, which the list names),
 * LIMIT. */
SCH_API enum sch_result sch_shader_raise(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                         struct sch_shader **raised);

/* Writes a shader as binary tokens: `*count` 32-bit words, the caller's (sch_free). TGSI has the layout of Mesa 22.3;
 * of a Direct3D shader these are the words of its program chunk, of Maxwell code those of raw code, low word first.
 * `diagnostics` is optional. Errors: ARGUMENT, MEMORY, LIMIT, INVALID. INVALID means that tokens cannot express
 * something (the RES file, a value that is too large for its field); the list says what. */
SCH_API enum sch_result sch_shader_tokens(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                          uint32_t **words, size_t *count);

/* Writes a shader as the bytes of a file, the caller's (sch_free). TGSI tokens are put in Scheelite's container, which
 * also keeps how floats were written. A Direct3D shader becomes a DXBC container, with all chunks that it was read
 * with, and Maxwell code raw code: the bundles of all sections. `diagnostics` is optional. Errors as
 * sch_shader_tokens. */
SCH_API enum sch_result sch_shader_serialize(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                             void **data, size_t *bytes);

/* ---- looking into a shader ----
 *
 * The pieces of a TGSI shader, in the order of the text. To count the lookups of a sampler:
 *
 *     struct sch_instruction_info in = {.size = sizeof in};
 *     struct sch_operand_info operand = {.size = sizeof operand};
 *     for (uint32_t n = 0; sch_shader_instruction(shader, n, &in); n++)
 *         for (uint32_t o = 0; sch_shader_operand(shader, n, o, &operand); o++)
 *             lookups += operand.file == SCH_FILE_SAMPLER && operand.index.number == 3;
 *
 * These functions return false past the last piece, for a Direct3D shader, for NULL, and if `info->size` is not set.
 * They allocate nothing. Maxwell code has instructions, counted through all its sections, whose operands are registers
 * one by one: R0 to R254 are TEMPORARY, P0 to P6 are ADDRESS, and each has one component.
 *
 * Call sch_shader_lower first to look into a Direct3D shader: positions are then those of the Direct3D source. Dialects
 * (enum sch_dialect) were translated when the shader was read. A shader that was not checked may have opcodes, operands
 * and register numbers that no valid shader has. */

/* Facts of an instruction: bits. */
enum sch_instruction_flag {
    SCH_INSTRUCTION_SATURATE = 1 << 0,   /* results are clamped to 0..1 */
    SCH_INSTRUCTION_PRECISE = 1 << 1,    /* multiplications and additions are not fused */
    SCH_INSTRUCTION_TEXTURE = 1 << 2,    /* an opcode of the TEX family, which names a target */
    SCH_INSTRUCTION_SAMPLE = 1 << 3,     /* an opcode of the SAMPLE family: the declared view says it */
    SCH_INSTRUCTION_MEMORY = 1 << 4,     /* accesses buffers, images or memory */
    SCH_INSTRUCTION_STORE = 1 << 5,      /* writes them */
    SCH_INSTRUCTION_ATOMIC = 1 << 6,     /* reads and writes them in one step */
    SCH_INSTRUCTION_BARRIER = 1 << 7,    /* waits for the other invocations of the work group */
    SCH_INSTRUCTION_DERIVATIVE = 1 << 8, /* reads the other invocations of its quad */
    SCH_INSTRUCTION_LABEL = 1 << 9,      /* has a label */
    SCH_INSTRUCTION_TARGET = 1 << 10     /* names a target, which may be UNKNOWN */
};

/* An instruction. */
struct sch_instruction_info {
    size_t size;
    uint32_t opcode;        /* sch_opcode_info.number (tables.h); 0 of Maxwell code */
    const char *name;       /* "ADD", without suffixes; "" if no opcode has the number. Lives as the library */
    uint32_t flags;         /* bits of enum sch_instruction_flag */
    uint32_t destinations;  /* operands 0 to destinations - 1 (sch_shader_operand) */
    uint32_t sources;       /* the operands after those */
    uint32_t texel_offsets; /* the operands after the sources: TXF TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xyz */
    enum sch_target target; /* of TEX opcodes, and of images; otherwise UNKNOWN */
    enum sch_format format; /* of images; otherwise NONE */
    uint32_t qualifiers;    /* of accesses to memory: bits of enum sch_qualifier */
    uint32_t label;         /* as the source has it; where control goes follows from constructs */
    uint32_t line, column;  /* in the source, counted from 1, columns in bytes; 0 for binary input */
    uint64_t offset;        /* bytes from the start of the source */
};

/* Instruction `number`, counted from 0. Thread-safe. */
SCH_API bool sch_shader_instruction(const struct sch_shader *shader, uint32_t number,
                                    struct sch_instruction_info *info);

/* A bracket of an operand: [3], or [ADDR[0].x+3]. Closed: no other member will come. */
struct sch_operand_index {
    int32_t number;     /* of the register; with is_indirect added to what the index register holds */
    bool is_indirect;   /* the members below say which index register */
    enum sch_file file; /* ADDRESS or another file of integers */
    int32_t index;
    uint32_t component; /* 0 to 3 */
    uint32_t array_id;  /* the array that is indexed; 0: not stated */
};

/* The role of an operand. */
enum sch_operand_kind { SCH_OPERAND_DESTINATION = 0, SCH_OPERAND_SOURCE = 1, SCH_OPERAND_TEXEL_OFFSET = 2 };

/* An operand: FILE[dimension][index], its components, and modifiers. */
struct sch_operand_info {
    size_t size;
    enum sch_operand_kind kind;
    enum sch_file file;
    bool has_dimension;                 /* has two brackets: the first is a constant buffer or a vertex */
    struct sch_operand_index dimension; /* that bracket */
    struct sch_operand_index index;
    uint32_t write_mask;   /* destinations: bit c is component c; otherwise 0 */
    uint32_t swizzle[4];   /* others: the component, 0 to 3, that is read as x, y, z and w; texel offsets have no w */
    bool negate, absolute; /* sources: -|x| is the negated absolute */
    /* What the instruction takes or makes. UNKNOWN: bits that it moves, a second result, or a register that it only
     * names, such as a sampler. */
    enum sch_value_type type;
};

/* Operand `number` of an instruction, counted from 0 in the order of the text. Thread-safe. */
SCH_API bool sch_shader_operand(const struct sch_shader *shader, uint32_t instruction, uint32_t number,
                                struct sch_operand_info *info);

/* A declaration of registers `first` to `last` of a file. Members that its file has no use for are 0. */
struct sch_declaration_info {
    size_t size;
    enum sch_file file;
    uint32_t first, last;
    bool has_dimension;         /* has two brackets with numbers: CONST[1][0..3] */
    uint32_t dimension;         /* CONSTANT: the buffer, 0 for CONST[0..3]; others: the vertices */
    bool per_vertex;            /* the registers exist once for each vertex */
    uint32_t usage_mask;        /* components that are used; 15: all, or not stated */
    uint32_t array_id;          /* ARRAY(1): what indirect operands name; 0: none */
    enum sch_semantic semantic; /* NONE: none */
    uint32_t semantic_index;    /* of the first register; that of the next one is greater by one */
    bool has_interpolation;     /* the two members below were given */
    enum sch_interpolation interpolation;
    enum sch_location location;
    uint32_t streams[4]; /* geometry shaders' outputs: the stream of each component */
    bool invariant;
    bool local;                           /* TEMPORARY: of the subroutine */
    bool atomic;                          /* BUFFER: of counters */
    bool raw, writable;                   /* IMAGE, RESOURCE */
    enum sch_target target;               /* IMAGE, SAMPLER_VIEW, RESOURCE; otherwise UNKNOWN */
    enum sch_format format;               /* IMAGE; NONE: not stated */
    enum sch_return_type return_types[4]; /* SAMPLER_VIEW, by component */
    enum sch_memory_kind memory_kind;     /* MEMORY */
    uint32_t line, column;                /* as in sch_instruction_info */
    uint64_t offset;
};

/* Declaration `number`, counted from 0 in the order of the text. sch_shader_register lists the registers of
 * inputs, outputs and system values one by one. Thread-safe. */
SCH_API bool sch_shader_declaration(const struct sch_shader *shader, uint32_t number,
                                    struct sch_declaration_info *info);

/* An immediate: IMM[number]. */
struct sch_immediate_info {
    size_t size;
    enum sch_immediate_type type;
    uint32_t words[4];     /* 64-bit values low word first */
    uint32_t line, column; /* as in sch_instruction_info */
    uint64_t offset;
};

/* Immediate `number`, counted from 0. Thread-safe. */
SCH_API bool sch_shader_immediate(const struct sch_shader *shader, uint32_t number, struct sch_immediate_info *info);

/* How a shader uses declared registers; it uses registers `first` to `last` alike. Elements of an array with a
 * stride. */
struct sch_register_use {
    enum sch_file file; /* CONSTANT, INPUT, OUTPUT, TEMPORARY or SYSTEM_VALUE */
    uint32_t buffer;    /* CONSTANT; otherwise 0 */
    uint32_t first, last;
    /* An instruction reads the registers, or may do so by an index from a register. Reads of a buffer that a register
     * chooses do not count. */
    bool is_read;
    bool is_written; /* Maxwell code: an instruction writes them; otherwise false */
    /* The type that instructions take each component for. Types spread through moves in both directions: after MOV
     * OUT[0], TEMP[0] both registers have the types of either. If no instruction has a type, that of the declared
     * semantic is used. The order of instructions does not count: a component that holds floats at first and integers
     * later is UNKNOWN. One that holds both kinds of integers is INT. */
    enum sch_value_type types[4];
};

/* Lists all declared registers of these files, or all registers that Maxwell code names, TEMPORARY (R) and ADDRESS (P).
 * Each register is listed once; the list is sorted by file, buffer and number. Writes the number of elements to
 * `*count`, and the first `capacity` of them to `list`, whose elements are `stride` bytes (sizeof *list) apart. `list`
 * may be NULL if `capacity` is 0. Time and memory grow with the number of declarations and operands, not with that of
 * registers. Errors: ARGUMENT (also for a Direct3D shader), MEMORY, LIMIT. Thread-safe. */
SCH_API enum sch_result sch_shader_register_uses(const struct sch_shader *shader, struct sch_register_use *list,
                                                 size_t stride, size_t capacity, size_t *count);

/* ---- what it contains ---- */

/* A declared register, for callers that fill in inputs and read outputs. Strings live as long as the shader. */
struct sch_register_info {
    size_t size;
    unsigned index;             /* register number */
    enum sch_semantic semantic; /* NONE: none, and in Direct3D shaders */
    unsigned semantic_index;
    const char *semantic_name; /* TGSI: as sch_semantic_name; Direct3D: as the signature has it. "": none */
    bool per_vertex;           /* has a vertex dimension (registers of geometry and tessellation shaders) */
    /* Direct3D shaders: what the signature says, as sch_signature_info.system_value does in a word. NONE in TGSI. */
    enum sch_system_value system_value;
};

/* What a shader contains. In a Direct3D shader sampler_views counts t#, images counts u#, and immediates counts the
 * vectors of constant data. */
struct sch_shader_info {
    size_t size;
    enum sch_stage stage;
    uint32_t instructions, declarations, immediates, properties;
    uint32_t inputs, outputs, system_values; /* the highest declared register number + 1, here and below */
    uint32_t temporaries, samplers, sampler_views, images, buffers, constant_buffers;
    uint32_t block[3]; /* compute shaders: CS_FIXED_BLOCK_*; 0: not fixed */
    /* FNV-1a of the tokens, words low byte first; of the text with hexadecimal floats if tokens cannot express the
     * shader. The same on every machine. */
    uint64_t hash;
    enum sch_float_text floats; /* how the source wrote floats; SCH_FLOAT_TEXT_SOURCE: it has none */
};

/* Fills in `*info`. Errors: ARGUMENT, MEMORY, LIMIT. */
SCH_API enum sch_result sch_shader_get_info(const struct sch_shader *shader, struct sch_shader_info *info);

/* Declared register `position` of INPUT, OUTPUT or SYSTEM_VALUE, counted from 0 through all declarations, with each
 * register of a range by itself. False past the last, for other files, and if `size` is not set. For Direct3D shaders
 * these are the elements of the signatures, or the declared v# and o# if a text has no signatures; they have no system
 * values. */
SCH_API bool sch_shader_register(const struct sch_shader *shader, enum sch_file file, uint32_t position,
                                 struct sch_register_info *info);

/* The value of a property of a TGSI shader by its name ("FS_COORD_ORIGIN"); `fallback` if the shader does not set
 * it. */
SCH_API uint32_t sch_shader_property(const struct sch_shader *shader, const char *name, uint32_t fallback);

#ifdef __cplusplus
}
#endif
#endif
