/* The invocations that `scheelite eval` reads: a line of tab-separated fields each. */
#ifndef SCH_CLI_VECTORS_H
#define SCH_CLI_VECTORS_H

#include "bind/registers.h"
#include "bind/setup.h"

enum {
    SCH_CLI_VERTICES = 32, /* of one patch or primitive */
    SCH_CLI_PLANE_WORDS = 16
};

/* Consecutive invocations with the same constants. */
struct sch_cli_batch {
    uint32_t count, capacity;
    uint32_t input_registers, input_vertices, system_value_registers;
    uint32_t unit; /* invocations that belong together: a quad, a patch, those of a primitive */
    uint32_t *inputs, *system_values;
    size_t input_bytes, system_value_bytes;
    uint32_t *planes;    /* 16 words for each input register: struct sch_invocations */
    uint32_t *centroids; /* two words */
    uint32_t *pixels;    /* four words: x, y, layer, sample */
    bool has_planes;     /* a line of the batch names one */
    uint8_t *given;      /* one for each SV register: a line of the batch names it */
    uint8_t *helpers;    /* as in struct sch_invocations: lanes of Maxwell code that were killed or are off */
    bool lanes;          /* of Maxwell code: `inputs` are the words of its registers and predicates */
    uint32_t *lines;     /* the line that each came from */
    struct sch_cli_constants constants;
};

struct sch_cli_vectors {
    struct sch_cli_input *input;
    const struct sch_shader *shader;        /* that the invocations are of */
    const struct sch_cli_setup *setup;      /* its constants; a line's fields go over them */
    struct sch_cli_registers_of *registers; /* which a line may name, and what they hold */
    uint32_t *given;                        /* for each of them the last line that named it */
    uint32_t *given_parts;                  /* likewise of an input each vertex, and the parts of its plane */
    uint32_t centroid_line, pixel_line;
    size_t at;
    uint32_t line;
    bool repeats; /* units are patches or primitives: an empty line after the first of one repeats the one before */
    bool has_row; /* `row` was read and waits for the next batch */
    bool empty;   /* that line */
    struct sch_cli_batch row; /* room for one */
};

/* Lines that must stay together so that INVOCATIONID counts on: a patch, or the invocations of a primitive. */
uint32_t sch_cli_belonging(const struct sch_shader *shader, enum sch_stage stage);

/* Whether an input has a value for each vertex. */
bool sch_cli_any_per_vertex(const struct sch_shader *shader);

/* Makes the batch ready, and the reader, whose first four members the caller fills. `quads`: four lines are a quad.
 * False: memory. */
bool sch_cli_vectors_init(struct sch_cli_vectors *vectors, struct sch_cli_batch *batch, bool quads);

/* Fills the batch with the next invocations; none: the end. NO: a line is wrong, which was reported. */
enum sch_cli_exit sch_cli_vectors_next(struct sch_cli_vectors *vectors, struct sch_cli_batch *batch);

/* Its invocations as the library takes them, without results. */
struct sch_invocations sch_cli_batch_invocations(const struct sch_cli_batch *batch, bool quads, unsigned samples);

void sch_cli_vectors_release(struct sch_cli_vectors *vectors);
void sch_cli_batch_release(struct sch_cli_batch *batch);

#endif
