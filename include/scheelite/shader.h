/* Shaders: reading them from text, binary tokens or containers; checking, printing, translating and describing them.
 * What only Direct3D shaders have is in d3d.h. Running shaders: dispatch.h.
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
    SCH_KIND_D3D_ASM = 4   /* Direct3D assembly, as the documentation, fxc or vkd3d write it */
};

/* How an input is read (sch_shader_read). */
struct sch_read_options {
    size_t size;
    enum sch_kind kind;
    const char *name;  /* optional: the input's name in reports; copied */
    bool any_checksum; /* DXBC: read containers whose checksum is wrong, too, which Direct3D refuses */

    /* Text that is a part of a file (sch_text_shaders): the number of its first line in reports, counted from 1.
     * 0: 1. Offsets in reports count from the part's first byte. */
    uint32_t line;

    /* TGSI: what the words mean. AUTO: as sch_context_options.dialect says. */
    enum sch_dialect dialect;

    /* Optional: what ends the reading of TGSI text before its end. DEADLINE: milliseconds from the call on, by
     * CLOCK_MONOTONIC; 0: none. CANCELLED: another thread has set the word that `cancel` points to. They are looked at
     * every thousand lines. Other inputs are read to their end. */
    uint32_t deadline_ms;
    const uint32_t *cancel;
};

/* The language that a shader was written in. */
enum sch_language { SCH_LANGUAGE_TGSI = 0, SCH_LANGUAGE_D3D = 1 };

/* Reads a shader from `bytes` bytes of `data`. `options` and `diagnostics` are optional; reports are appended to the
 * list. Text may have comments, and may be a log. It must hold one shader: several are INVALID (sch_text_shaders finds
 * them). A shader that was read is well formed, but need not be valid: see sch_shader_check. Errors: ARGUMENT,
 * MEMORY, INVALID, LIMIT, DEADLINE, CANCELLED. */
SCH_API enum sch_result sch_shader_read(struct sch_context *context, const void *data, size_t bytes,
                                        const struct sch_read_options *options,
                                        struct sch_diagnostics_list *diagnostics, struct sch_shader **shader);

/* A shader in a text: `bytes` bytes from `offset` on, beginning with line `line`, counted from 1. Elements of an
 * array with a stride. */
struct sch_text_shader {
    uint64_t offset, bytes;
    uint32_t line;
};

/* Finds the shaders in TGSI text, or the listings of Direct3D in a text. The text may be a log: it may have other
 * lines between shaders, a prefix on all lines of a shader, and comments (TGSI: //, #, ;). Listings are also found in
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
 * do not nest, that an instruction such as ELSE or BRK stands outside of its construct, or that a subroutine calls
 * itself; sch_shader_check reports it. */
SCH_API enum sch_result sch_shader_constructs(const struct sch_shader *shader, struct sch_construct_info *list,
                                              size_t stride, size_t capacity, size_t *count);

/* How a shader is printed (sch_shader_print). */
struct sch_print_options {
    size_t size;
    enum sch_float_text floats;     /* TGSI */
    enum sch_listing_style listing; /* Direct3D */
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
 * of a Direct3D shader these are the words of its program chunk. `diagnostics` is optional. Errors: ARGUMENT, MEMORY,
 * LIMIT, INVALID. INVALID means that tokens cannot express something (the RES file, a value that is too large for its
 * field); the list says what. */
SCH_API enum sch_result sch_shader_tokens(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                          uint32_t **words, size_t *count);

/* Writes a shader as the bytes of a file, the caller's (sch_free). TGSI tokens are put in Scheelite's container, which
 * also keeps how floats were written. A Direct3D shader becomes a DXBC container, with all chunks that it was read
 * with. `diagnostics` is optional. Errors as sch_shader_tokens. */
SCH_API enum sch_result sch_shader_serialize(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                             void **data, size_t *bytes);

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

/* The register files that sch_shader_register lists. */
enum sch_register_file { SCH_REGISTERS_INPUT, SCH_REGISTERS_OUTPUT, SCH_REGISTERS_SYSTEM_VALUE };

/* Declared register `position` of a file, counted from 0 through all declarations, with each register of a range by
 * itself. False past the last, and if `size` is not set. Of Direct3D shaders these are the elements of the signatures,
 * or the declared v# and o# if a text has no signatures; they have no system values. */
SCH_API bool sch_shader_register(const struct sch_shader *shader, enum sch_register_file file, uint32_t position,
                                 struct sch_register_info *info);

/* The value of a property of a TGSI shader by its name ("FS_COORD_ORIGIN"); `fallback` if the shader does not set
 * it. */
SCH_API uint32_t sch_shader_property(const struct sch_shader *shader, const char *name, uint32_t fallback);

#ifdef __cplusplus
}
#endif
#endif
