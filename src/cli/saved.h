/* What shaders write outside of themselves (storage buffers, counters, GLOBAL memory, images): saved, and put back. */
#ifndef SCH_CLI_SAVED_H
#define SCH_CLI_SAVED_H

#include "setup.h"

struct sch_cli_saved {
    uint8_t *data; /* NULL: nothing was saved */
    size_t bytes;
};

/* Saves what the loaded setup binds, as it is now; puts it back. False: memory. */
bool sch_cli_saved_take(const struct sch_cli_setup *setup, struct sch_cli_saved *saved);
bool sch_cli_saved_put_back(const struct sch_cli_setup *setup, const struct sch_cli_saved *saved);
void sch_cli_saved_release(struct sch_cli_saved *saved);

/* Calls `visit` with each piece of it, always in the same order; images are written back afterwards. False: a call was,
 * or there is no memory. */
typedef bool sch_cli_visit_written(void *user, const char *kind, unsigned number, void *data, size_t bytes);
bool sch_cli_visit_all_written(const struct sch_cli_setup *setup, sch_cli_visit_written *visit, void *user);

#endif
