/* What shaders write outside of themselves (storage buffers, counters, images): keeping it, putting it back, comparing
 * it. */
#ifndef SCH_CLI_SNAPSHOT_H
#define SCH_CLI_SNAPSHOT_H

#include "setup.h"

struct sch_cli_snapshot {
    uint8_t *data; /* NULL: none was taken */
};

/* Keeps what the memory of a setup holds; again over what was kept. False: memory is out, here and below. */
bool sch_cli_snapshot_take(const struct sch_cli_setup *setup, struct sch_cli_snapshot *snapshot);
bool sch_cli_snapshot_restore(const struct sch_cli_setup *setup, const struct sch_cli_snapshot *snapshot);
void sch_cli_snapshot_release(struct sch_cli_snapshot *snapshot);

/* A word that is another one than it was. */
struct sch_cli_change {
    const char *kind; /* BUFFER, HWATOMIC, GLOBAL, IMAGE */
    uint32_t number;
    size_t byte;
    uint32_t before, after;
};
/* Calls `note` with each such word, in order. */
typedef void sch_cli_change_fn(void *user, const struct sch_cli_change *change);
bool sch_cli_snapshot_changes(const struct sch_cli_setup *setup, const struct sch_cli_snapshot *snapshot,
                              sch_cli_change_fn *note, void *user);

/* Whether an option says that something of it is written to a file. */
bool sch_cli_memory_is_output(const struct sch_cli_setup *setup);

/* The first word that is another one than it was, or than it is in another setup with the same memory. */
struct sch_cli_memory_difference {
    bool differs;
    char what[64]; /* BUFFER[2], byte 16 */
    uint32_t before, now;
};
bool sch_cli_snapshot_compare(const struct sch_cli_setup *setup, const struct sch_cli_snapshot *snapshot,
                              struct sch_cli_memory_difference *difference);

#endif
