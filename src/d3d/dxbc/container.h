/* The DXBC container: chunks in memory, read from bytes and written again, and what the chunks beside the program say
 * (signatures, resources, statistics, features). Holds no tokens: those are d3d/dxbc/program.h. Everything that is read
 * here is hostile; the bytes of every chunk are kept, known or not. */
#ifndef SCH_D3D_DXBC_CONTAINER_H
#define SCH_D3D_DXBC_CONTAINER_H

#include <scheelite/types.h>

#include "base/bytes.h"
#include "base/diagnostics.h"
#include "base/limits.h"

/* Four letters as the file has them. */
#define SCH_D3D_TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

struct sch_d3d_chunk {
    uint32_t tag;
    const unsigned char *data;
    size_t bytes;
    uint64_t offset; /* of the data, from the start of the file; 0 when the chunk was made here */
};

struct sch_d3d_container {
    struct sch_arena arena;
    struct sch_d3d_chunk *chunks; /* in the order of the file */
    size_t chunk_count, chunk_capacity;
    uint32_t checksum[4]; /* as the file had it */
    bool checksum_right;
    bool keeps_checksum; /* `checksum` is written as it is, not computed again */
    /* The whole file where it is not just a header and chunks one after the other, in the order of their offsets; else
     * NULL. Such a container is written as it was read. */
    const unsigned char *whole;
    size_t whole_bytes;
};

/* The checksum of `bytes` bytes: of a container, those after its checksum field (from byte 20). */
void sch_d3d_checksum(const void *data, size_t bytes, uint32_t digest[4]);

bool sch_d3d_container_recognise(const void *data, size_t bytes);

/* Reads a container; the container has its own copy of all bytes. A wrong checksum is refused, as Direct3D does, unless
 * `any_checksum`. INVALID, LIMIT, MEMORY. */
enum sch_result sch_d3d_container_read(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                       const void *data, size_t bytes, bool any_checksum,
                                       struct sch_diagnostics *diagnostics, struct sch_d3d_container **container);

/* An empty container; NULL: no memory. */
struct sch_d3d_container *sch_d3d_container_create(const struct sch_allocator *allocator,
                                                   const struct sch_limits *limits);
void sch_d3d_container_destroy(struct sch_d3d_container *container);

/* Appends a chunk with a copy of `data`, padded to whole words by bytes 0xab. False: no memory. */
bool sch_d3d_container_add(struct sch_d3d_container *container, uint32_t tag, const void *data, size_t bytes);

/* The same without padding. */
bool sch_d3d_container_add_exact(struct sch_d3d_container *container, uint32_t tag, const void *data, size_t bytes);

/* Makes `whole`, a container of the same chunks with other things around them, what is written; it is copied. INVALID:
 * it is not one, or has other chunks. MEMORY. */
enum sch_result sch_d3d_container_adopt(struct sch_d3d_container *container, const struct sch_allocator *allocator,
                                        const struct sch_limits *limits, const void *whole, size_t bytes);

/* Chunk `tag`, or NULL. */
const struct sch_d3d_chunk *sch_d3d_container_find(const struct sch_d3d_container *container, uint32_t tag);

/* The program: SHDR or SHEX. */
const struct sch_d3d_chunk *sch_d3d_container_program(const struct sch_d3d_container *container);

/* Writes header, chunks one after the other, or the whole file where the container has one, and the checksum; bytes
 * from `allocator`. LIMIT (4 GiB), MEMORY. */
enum sch_result sch_d3d_container_write(const struct sch_d3d_container *container,
                                        const struct sch_allocator *allocator, struct sch_diagnostics *diagnostics,
                                        void **data, size_t *bytes);

/* Signatures: ISGN, OSGN, PCSG, OSG5, ISG1, OSG1, PSG1. */
struct sch_d3d_signature_element {
    const char *name;
    uint32_t index;          /* of the semantic */
    uint32_t system_value;   /* 0: none (outputs of pixel shaders have 0 and the name says it) */
    uint32_t component_type; /* 0 unknown, 1 uint, 2 int, 3 float */
    uint32_t reg;            /* 0xffffffff: none (oDepth and the like) */
    uint32_t stream;
    uint32_t min_precision;
    uint8_t mask, used; /* used: inputs: components always read; outputs: components never written */
};

struct sch_d3d_signature {
    uint32_t tag;
    struct sch_d3d_signature_element *elements;
    size_t count;
};

bool sch_d3d_is_signature(uint32_t tag);

/* Elements and names come from `arena`. */
enum sch_result sch_d3d_signature_read(struct sch_arena *arena, const struct sch_d3d_chunk *chunk,
                                       struct sch_diagnostics *diagnostics, struct sch_d3d_signature *signature);

/* Whether a signature's chunk of this kind has room for what its elements say: streams, minimum precisions. */
bool sch_d3d_signature_fits(const struct sch_d3d_signature *signature, uint32_t tag);

/* The chunk's data; equal names are stored once. The cost grows with the square of the count. */
void sch_d3d_signature_write(struct sch_bytes *out, const struct sch_d3d_signature *signature);

/* Resources: RDEF. Numbers are the file's: vocabularies of isa/d3d.def name them. */
struct sch_d3d_type {
    uint32_t kind, base, rows, columns, elements;
    const char *name; /* shader model 5; "" */
    struct sch_d3d_member *members;
    size_t member_count, member_capacity;
};

struct sch_d3d_member {
    const char *name;
    uint32_t offset;
    struct sch_d3d_type type;
};

struct sch_d3d_variable {
    const char *name;
    uint32_t start, size, flags;
    struct sch_d3d_type type;
    uint32_t *value; /* the default, value_count words; NULL */
    size_t value_count, value_capacity;
};

struct sch_d3d_constant_buffer {
    const char *name;
    uint32_t size, flags, kind;
    struct sch_d3d_variable *variables;
    size_t variable_count, variable_capacity;
};

struct sch_d3d_binding {
    const char *name;
    uint32_t kind, return_type, dimension, samples, slot, count, flags;
    uint32_t space, id; /* shader model 5.1 */
};

struct sch_d3d_resources {
    uint32_t target, flags; /* target: byte minor, byte major, 16 bits of the stage */
    const char *creator;
    struct sch_d3d_binding *bindings;
    size_t binding_count, binding_capacity;
    struct sch_d3d_constant_buffer *buffers;
    size_t buffer_count, buffer_capacity;
};

enum { SCH_D3D_TYPE_DEPTH = 8 }; /* structures in structures */

/* What comes after the header from model 5 on, seven sizes after it. That of 5.1 is as Microsoft's compiler writes
 * it. */
#define SCH_D3D_RD11     SCH_D3D_TAG('R', 'D', '1', '1')
#define SCH_D3D_RD11_5_1 SCH_D3D_TAG(0x13, 0x13, 'D', '%')

/* INVALID, with a warning: the chunk does not hold together, or asks for more than the limits allow. It is not needed
 * to run the program. MEMORY. */
enum sch_result sch_d3d_resources_read(struct sch_arena *arena, const struct sch_limits *limits,
                                       const struct sch_d3d_chunk *chunk, struct sch_diagnostics *diagnostics,
                                       struct sch_d3d_resources *resources);

/* The chunk's data. */
void sch_d3d_resources_write(struct sch_bytes *out, const struct sch_d3d_resources *resources);

/* SFI0: the flags. */
enum sch_result sch_d3d_features_read(const struct sch_d3d_chunk *chunk, struct sch_diagnostics *diagnostics,
                                      uint64_t *features);

/* "ISGN": four letters of a tag, others than printable ones as '?'. `text` has 5 bytes. */
const char *sch_d3d_tag_text(uint32_t tag, char *text);

/* Reports about a chunk: `at` bytes from the start of its data. Returns INVALID. */
enum sch_result sch_d3d_refuse(struct sch_diagnostics *diagnostics, unsigned code, const struct sch_d3d_chunk *chunk,
                               size_t at, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same as a warning, about a chunk without which the program runs. */
enum sch_result sch_d3d_skip(struct sch_diagnostics *diagnostics, unsigned code, const struct sch_d3d_chunk *chunk,
                             size_t at, const char *message);

/* A zero-terminated string inside a chunk's data, or NULL when it does not end there. */
const char *sch_d3d_chunk_string(const struct sch_d3d_chunk *chunk, uint32_t at);

#endif
