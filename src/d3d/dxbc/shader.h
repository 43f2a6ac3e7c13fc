/* A whole Direct3D shader: container, program, and what its signatures and resources say; from and to a container. */
#ifndef SCH_D3D_DXBC_SHADER_H
#define SCH_D3D_DXBC_SHADER_H

#include "d3d/dxbc/container.h"
#include "d3d/dxbc/program.h"

enum { SCH_D3D_SIGNATURE_COUNT = SCH_SIGNATURE_PATCH_CONSTANT + 1 }; /* of enum sch_signature_kind */

/* A container inside of a chunk, from byte `at` of its data on. */
struct sch_d3d_nested {
    const struct sch_d3d_chunk *chunk;
    const unsigned char *data;
    size_t at, bytes;
    uint32_t version; /* of its program, as the tokens have it; 0: it has none */
};

struct sch_d3d_shader {
    struct sch_arena arena;
    struct sch_d3d_container *container;
    struct sch_d3d_program *program;
    struct sch_d3d_signature signatures[SCH_D3D_SIGNATURE_COUNT]; /* tag 0: there is none */
    bool has_resources, has_features;
    struct sch_d3d_resources resources;
    uint64_t features;
    struct sch_d3d_nested *nested; /* of a container without a program, in the order of the file */
    size_t nested_count, nested_capacity;
};

/* An empty shader with an empty container and program; NULL: no memory. */
struct sch_d3d_shader *sch_d3d_shader_create(const struct sch_allocator *allocator, const struct sch_limits *limits);

/* What a listing says of a container, in the order in which a container that is made here has them: the chunks that are
 * made of text. All others are bytes. */
enum sch_d3d_source {
    SCH_D3D_SOURCE_RESOURCES,
    SCH_D3D_SOURCE_INPUT, /* the signatures, in the order of their places */
    SCH_D3D_SOURCE_OUTPUT,
    SCH_D3D_SOURCE_PATCH,
    SCH_D3D_SOURCE_PROGRAM,
    SCH_D3D_SOURCE_FEATURES,
    SCH_D3D_SOURCE_COUNT
};

/* The number in vocabulary SIGNATURE of an element: its system value, or what its name says among the outputs of a
 * pixel shader. */
uint32_t sch_d3d_system_value(const struct sch_d3d_signature_element *element, uint8_t stage,
                              enum sch_signature_kind place);

/* Whether "used" of a signature's elements means what is written. */
bool sch_d3d_is_written(uint8_t stage, enum sch_signature_kind place);

/* Whether there is a program: a container may have none. Without one `program` is empty, of model 0.0. */
static inline bool sch_d3d_has_program(const struct sch_d3d_shader *shader) { return shader->program->major != 0; }

/* Which source a chunk is; COUNT: none. */
enum sch_d3d_source sch_d3d_source_of(uint32_t tag);

/* The chunk that each source is read from, SIZE_MAX where there is none: the first of several, SHDR before SHEX. */
void sch_d3d_find_sources(const struct sch_d3d_container *container, size_t chunks[SCH_D3D_SOURCE_COUNT]);

bool sch_d3d_has_source(const struct sch_d3d_shader *shader, enum sch_d3d_source source);

/* The chunk that a source becomes by default. */
uint32_t sch_d3d_source_tag(const struct sch_d3d_shader *shader, enum sch_d3d_source source);

/* The data of a source's chunk; appends it to the shader's container, and notes the kind of signature. LIMIT,
 * MEMORY. */
enum sch_result sch_d3d_write_source(const struct sch_d3d_shader *shader, enum sch_d3d_source source, uint32_t tag,
                                     struct sch_diagnostics *diagnostics, struct sch_bytes *out);
enum sch_result sch_d3d_add_source(struct sch_d3d_shader *shader, enum sch_d3d_source source, uint32_t tag,
                                   struct sch_diagnostics *diagnostics);

/* Reads the program of the shader's container in the place of what `program` is, an empty one where the container has
 * none; NULL unless OK. INVALID, LIMIT, MEMORY. */
enum sch_result sch_d3d_shader_read_program(struct sch_d3d_shader *shader, const struct sch_limits *limits,
                                            struct sch_diagnostics *diagnostics);

/* Reads signatures, resources and features from the shader's container, those that it does not have yet, and finds what
 * is nested in one without a program. INVALID, LIMIT, MEMORY. */
enum sch_result sch_d3d_shader_describe(struct sch_d3d_shader *shader, const struct sch_limits *limits,
                                        struct sch_diagnostics *diagnostics);

/* Fills in `nested`: what has the outline of a container. MEMORY. */
enum sch_result sch_d3d_find_nested(struct sch_d3d_shader *shader, const struct sch_limits *limits);

/* Puts program, signatures (those with a tag that is not 0), resources and features into the shader's container.
 * LIMIT, MEMORY. */
enum sch_result sch_d3d_shader_contain(struct sch_d3d_shader *shader, struct sch_diagnostics *diagnostics);

/* Reads a container with its program, if it has one, signatures and resources. INVALID, LIMIT, MEMORY. */
enum sch_result sch_d3d_shader_read(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                    const void *data, size_t bytes, bool any_checksum,
                                    struct sch_diagnostics *diagnostics, struct sch_d3d_shader **shader);
void sch_d3d_shader_destroy(struct sch_d3d_shader *shader);

#endif
