/* What one invocation of a picture or of a grid got and gave, as text or JSON: run --pixel. */
#ifndef SCH_CLI_INVOCATION_H
#define SCH_CLI_INVOCATION_H

#include "../support/json.h"
#include "bind/registers.h"
#include "bind/snapshot.h"
#include "common/value.h"

enum { SCH_CLI_MOST_CHANGES = 256 }; /* that are kept */

/* Registers as in struct sch_invocations; NULL: it has none. */
struct sch_cli_invocation {
    uint32_t at[3], of[3]; /* the column and row of a pixel, the number in a grid; and the sizes of these */
    bool in_grid;
    uint32_t work_group[3], block[3], threads; /* of a grid: where it is; the size of work groups */
    uint32_t *inputs, *system_values, *outputs;
    bool killed;
    bool writes; /* memory; what its group has changed of it: */
    struct sch_cli_change changes[SCH_CLI_MOST_CHANGES];
    size_t change_count; /* with those that are not kept */
};

/* Notes what the group of the invocation has changed since then. False: memory is out. */
bool sch_cli_invocation_changed(struct sch_cli_invocation *invocation, const struct sch_cli_setup *setup,
                                const struct sch_cli_snapshot *before);

/* Prints it on standard output, or as a member of the open object of `json`. */
enum sch_cli_exit sch_cli_invocation_print(const struct sch_cli_invocation *invocation,
                                           const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                           enum sch_cli_floats floats, struct sch_json *json);

void sch_cli_invocation_release(struct sch_cli_invocation *invocation);

#endif
