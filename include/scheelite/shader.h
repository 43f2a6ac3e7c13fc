/* Shaders: read from text, binary tokens or containers, checked, printed, described. Direct3D shaders are read,
 * checked, printed and written; running them is UNSUPPORTED yet. What only they have: d3d.h. */
#ifndef SCHEELITE_SHADER_H
#define SCHEELITE_SHADER_H

#include "diagnostics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A shader that was read. Immutable: any number of threads may use it. */
struct sch_shader;

/* How a shader is written. */
enum sch_kind {
    SCH_KIND_AUTO = 0,     /* decided by the first bytes: the container's magic, a token header, else text */
    SCH_KIND_TGSI = 1,     /* TGSI text */
    SCH_KIND_TGSI_BIN = 2, /* TGSI binary tokens: a Scheelite container, or bare words in the host's byte order */
    SCH_KIND_DXBC = 3,     /* a Direct3D container with a program of shader model 4.0 to 5.1, or without one */
    SCH_KIND_D3D_ASM = 4   /* Direct3D assembly: listings as the documentation, fxc or vkd3d write them */
};

struct sch_read_options {
    size_t size;
    enum sch_kind kind;
    const char *name;  /* optional: the input's name in reports; copied */
    bool any_checksum; /* DXBC: read a container whose checksum is wrong; Direct3D refuses it */

    /* TGSI text: the number, from 1, that reports give to its first line, where it is a part of a file
     * (sch_text_shaders); 0: 1. Offsets in reports count from the part's first byte. */
    uint32_t line;
};

/* The language that a shader was written in. */
enum sch_language { SCH_LANGUAGE_TGSI = 0, SCH_LANGUAGE_D3D = 1 };

/* Reads `bytes` bytes. `options` and `diagnostics` are optional; reports are appended to the list. A text of
 * TGSI may have comments and be a log, but holds one shader: of several INVALID, see sch_text_shaders. A shader that is
 * read is well formed but not yet valid: see sch_shader_check. `*shader` is NULL unless the result is SCH_OK. Errors:
 * ARGUMENT, MEMORY, INVALID, LIMIT. */
SCH_API enum sch_result sch_shader_read(struct sch_context *context, const void *data, size_t bytes,
                                        const struct sch_read_options *options,
                                        struct sch_diagnostics_list *diagnostics, struct sch_shader **shader);

/* A shader in a text: the `bytes` bytes from `offset` on, which is the beginning of line `line` (from 1). Elements of
 * an array with a stride. */
struct sch_text_shader {
    uint64_t offset, bytes;
    uint32_t line;
};

/* Finds the shaders in a text of TGSI, which may be a log: other lines between them, prefixes on all lines of one,
 * comments (//, #, ;). To read one of several, its bytes are given to sch_shader_read, with its line. Writes the first
 * `capacity` of them to `list`, which may be NULL where that is 0, `stride` bytes (sizeof *list) apart, and how many
 * there are to `*count`. A text without any, and an input of another kind, count as one. Errors: ARGUMENT, MEMORY,
 * LIMIT (more than 65536, or a text above the limit). Thread-safe. */
SCH_API enum sch_result sch_text_shaders(struct sch_context *context, const void *data, size_t bytes,
                                         struct sch_text_shader *list, size_t stride, size_t capacity, size_t *count);

SCH_API void sch_shader_destroy(struct sch_shader *shader);

/* NULL is TGSI. Thread-safe. */
SCH_API enum sch_language sch_shader_language(const struct sch_shader *shader);

/* Checks every rule of the language (structure, declarations against use, operands, stages). SCH_OK: valid, perhaps
 * with warnings in the list; SCH_ERROR_INVALID: the list says why. */
SCH_API enum sch_result sch_shader_check(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics);

/* A construct of a shader: all from the instruction that opens it to the one that ends it. Instructions are numbered
 * from 0 as sch_shader_print writes them. Elements of an array with a stride. */
struct sch_construct_info {
    enum sch_construct kind;
    uint32_t opener, end; /* IF and ENDIF, BGNLOOP and ENDLOOP, ... */
    uint32_t outer;       /* the place in the list of the construct around it; UINT32_MAX: none */
};

/* Lists the constructs of a TGSI shader in the order of their openers: the first `capacity` of them to `list`, which
 * may be NULL where that is 0, `stride` (sizeof *list) bytes apart, and how many there are to `*count`. ARGUMENT (also
 * where the shader is a Direct3D one), MEMORY, LIMIT, INVALID (constructs that are not closed in the order in which
 * they were opened, what belongs to none, subroutines that call themselves: sch_shader_check names it). */
SCH_API enum sch_result sch_shader_constructs(const struct sch_shader *shader, struct sch_construct_info *list,
                                              size_t stride, size_t capacity, size_t *count);

struct sch_print_options {
    size_t size;
    enum sch_float_text floats;     /* TGSI */
    enum sch_listing_style listing; /* Direct3D */
};

/* The shader's canonical text, zero-terminated; it is the caller's (sch_free). `bytes` (optional) receives its
 * length. */
SCH_API enum sch_result sch_shader_print(const struct sch_shader *shader, const struct sch_print_options *options,
                                         char **text, size_t *bytes);

/* The languages that shaders are translated to. */
enum sch_translation {
    SCH_TRANSLATE_TGSI = 0,   /* as sch_shader_print */
    SCH_TRANSLATE_MAXWELL = 1 /* the texture lookups as NVIDIA Maxwell texture code (sm_50), commented: the moves of
                                 operands and results and the scalar arithmetic around an instruction stand in comments,
                                 the rest of the shader is left out */
};

struct sch_translate_options {
    size_t size;
    enum sch_translation to;
};

/* The shader in another language: text, zero-terminated, the caller's (sch_free); `bytes` (optional) receives its
 * length. `options` and `diagnostics` are optional. INVALID as sch_shader_check; UNSUPPORTED when some lookup has no
 * Maxwell code: the list says which and why, and `*text` is given nevertheless, with the others. */
SCH_API enum sch_result sch_shader_translate(const struct sch_shader *shader,
                                             const struct sch_translate_options *options,
                                             struct sch_diagnostics_list *diagnostics, char **text, size_t *bytes);

/* Lowers a Direct3D shader to one of the language that runs (docs/d3d.md): `*lowered` is a shader of its own, with
 * TGSI's vocabulary, whose registers are those that a program made of either is given; reports about it have places in
 * the Direct3D source. The shader is checked by Direct3D's rules first. `diagnostics` is optional. `*lowered` is NULL
 * unless the result is SCH_OK. Errors: ARGUMENT (also where the shader is no Direct3D one), MEMORY, INVALID,
 * UNSUPPORTED, LIMIT. Since a shader is immutable, several threads may lower it at once. */
SCH_API enum sch_result sch_shader_lower(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                         struct sch_shader **lowered);

/* The way back: makes a Direct3D shader of model 5.0 of a TGSI shader (docs/d3d.md, "From TGSI to Direct3D"): `*raised`
 * is a shader of its own, to be printed, serialized, checked or run; reports about it have places in the TGSI source.
 * The shader is checked first, and the result by Direct3D's rules. `diagnostics` is optional. `*raised` is NULL unless
 * the result is SCH_OK. Errors: ARGUMENT (also where the shader is a Direct3D one), MEMORY, INVALID, UNSUPPORTED (what
 * Direct3D has no word for: the list names it), LIMIT. Since a shader is immutable, several threads may raise it at
 * once. */
SCH_API enum sch_result sch_shader_raise(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                         struct sch_shader **raised);

/* The shader's binary tokens (Mesa 22.3's layout; of a Direct3D shader the words of its program chunk): `*count` 32-bit
 * words, the caller's. INVALID when tokens cannot say it (the RES file, a value that its field does not hold): the list
 * says what. */
SCH_API enum sch_result sch_shader_tokens(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                          uint32_t **words, size_t *count);

/* The tokens in Scheelite's container, which also keeps the float style; a Direct3D shader in a DXBC container, with
 * all chunks that it was read with. Bytes to store in a file, the caller's. */
SCH_API enum sch_result sch_shader_serialize(const struct sch_shader *shader, struct sch_diagnostics_list *diagnostics,
                                             void **data, size_t *bytes);

/* One declared register of a file, for callers that fill inputs and read outputs. */
struct sch_register_info {
    size_t size;
    unsigned index; /* register number */
    int semantic;   /* number of the semantic (`scheelite list semantics`), or -1 */
    unsigned semantic_index;
    const char *semantic_name; /* or "" */
    bool per_vertex;           /* has a vertex dimension (geometry and tessellation inputs) */
};

struct sch_shader_info {
    size_t size;
    enum sch_stage stage;
    uint32_t instructions, declarations, immediates, properties;
    uint32_t inputs, outputs, system_values; /* highest declared register + 1 */
    uint32_t temporaries, samplers, sampler_views, images, buffers, constant_buffers;
    uint32_t block[3];          /* compute: CS_FIXED_BLOCK_*, 0 when not fixed */
    uint64_t hash;              /* FNV-1a of the tokens (of the hexadecimal text where tokens cannot say the shader),
                                   words low byte first: equal for equal programs, on every machine */
    enum sch_float_text floats; /* as the source wrote them; SCH_FLOAT_TEXT_SOURCE when it wrote none */
};

SCH_API enum sch_result sch_shader_get_info(const struct sch_shader *shader, struct sch_shader_info *info);

/* The register files of which sch_shader_register tells. */
enum sch_register_file { SCH_REGISTERS_INPUT, SCH_REGISTERS_OUTPUT, SCH_REGISTERS_SYSTEM_VALUE };

/* Declared register number `position` (counted from 0 over all declarations of the file, ranges expanded); false past
 * the last. Of Direct3D shaders these are the elements of the signatures, with their names and -1 as number. */
SCH_API bool sch_shader_register(const struct sch_shader *shader, enum sch_register_file file, uint32_t position,
                                 struct sch_register_info *info);

/* The value of a property by its name ("FS_COORD_ORIGIN"), or `fallback` when the shader does not set it. */
SCH_API uint32_t sch_shader_property(const struct sch_shader *shader, const char *name, uint32_t fallback);

#ifdef __cplusplus
}
#endif
#endif
