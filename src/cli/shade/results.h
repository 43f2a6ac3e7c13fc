/* What the invocations of a batch of eval wrote, and how that is printed: lines of registers or JSON. */
#ifndef SCH_CLI_RESULTS_H
#define SCH_CLI_RESULTS_H

#include "../support/json.h"
#include "common/value.h"
#include "vectors.h"

/* A register whose results are printed: of Maxwell code R and P, of others OUT. */
struct sch_cli_result {
    struct sch_register_info is;
    const char *file; /* its word: OUT, R, P */
    uint32_t at;      /* its first word among those of an invocation */
    unsigned count;   /* of words */
    enum sch_value_type types[4];
};

/* Where the results of a batch go. */
struct sch_cli_results {
    uint32_t registers;
    uint32_t *outputs;
    size_t output_bytes;
    uint8_t *killed;
    struct sch_cli_result *printed; /* the declared output registers, in order; of Maxwell code what it writes */
    uint32_t printed_count;
    uint32_t vertices; /* of an output patch; else 0 */
    uint32_t event_capacity;
    uint32_t *events, *event_counts, *event_outputs; /* geometry shaders */
    size_t event_output_bytes;
};

/* Room for what `batch` can hold, and for the three helpers that may close the last quad; the batch may get smaller for
 * it. False: memory. Release it whatever was returned. */
bool sch_cli_results_init(struct sch_cli_results *results, const struct sch_shader *shader,
                          struct sch_cli_registers_of *registers, struct sch_cli_batch *batch);
void sch_cli_results_release(struct sch_cli_results *results);

/* "OUT[3]", or of the vertex of a patch "OUT[1][3]"; "R[4]", "P[0]". */
void sch_cli_result_name(const struct sch_cli_results *results, const struct sch_cli_result *result, uint32_t vertex,
                         char name[40]);

/* The results of the batch's invocations. */
void sch_cli_results_print(const struct sch_cli_results *results, const struct sch_cli_batch *batch,
                           enum sch_cli_floats floats);
void sch_cli_results_json(const struct sch_cli_results *results, const struct sch_cli_batch *batch,
                          struct sch_json *json);

#endif
