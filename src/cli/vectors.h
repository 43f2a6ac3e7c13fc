/* The invocations that `scheelite eval` reads: a line of tab-separated fields each. */
#ifndef SCH_CLI_VECTORS_H
#define SCH_CLI_VECTORS_H

#include "setup.h"

enum { SCH_CLI_VERTICES = 32 }; /* of one patch or primitive */

/* Consecutive invocations with the same constants. */
struct sch_cli_batch {
    uint32_t count, capacity;
    uint32_t input_registers, input_vertices, system_value_registers;
    uint32_t *inputs, *system_values;
    uint32_t *lines; /* the line that each came from */
    struct sch_cli_constants constants;
};

struct sch_cli_vectors {
    struct sch_cli_input *input;
    const struct sch_cli_constants *defaults; /* of the command line; a line's fields go over them */
    bool quads;
    size_t at;
    uint32_t line;
    bool has_row;             /* `row` was read and waits for the next batch */
    struct sch_cli_batch row; /* room for one */
};

/* Makes the batch and the reader ready for a shader; false: memory. */
bool sch_cli_vectors_init(struct sch_cli_vectors *vectors, struct sch_cli_batch *batch,
                          const struct sch_shader_info *info, bool per_vertex);

/* Fills the batch with the next invocations; none: the end. NO: a line is wrong, which was reported. */
enum sch_cli_exit sch_cli_vectors_next(struct sch_cli_vectors *vectors, struct sch_cli_batch *batch);

void sch_cli_batch_release(struct sch_cli_batch *batch);

#endif
