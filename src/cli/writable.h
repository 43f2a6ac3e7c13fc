/* What shaders may write outside of themselves: storage buffers, counters, GLOBAL memory, images. It is kept before a
 * run, put back, and compared. */
#ifndef SCH_CLI_WRITABLE_H
#define SCH_CLI_WRITABLE_H

#include "setup.h"

/* Copies all of it to `*copy`, which is made where it is NULL, and freed by free(). */
enum sch_cli_exit sch_cli_writable_save(const struct sch_cli_setup *setup, uint8_t **copy);

/* Puts back what was copied. */
enum sch_cli_exit sch_cli_writable_restore(const struct sch_cli_setup *setup, const uint8_t *copy);

/* A word that is another than in a copy. */
struct sch_cli_change {
    const char *kind; /* BUFFER, HWATOMIC, GLOBAL, IMAGE */
    uint32_t number;
    size_t byte;
    uint32_t before, after;
};

/* Calls `tell` with each such word, in order. */
typedef void sch_cli_tell_change(void *user, const struct sch_cli_change *change);
enum sch_cli_exit sch_cli_writable_compare(const struct sch_cli_setup *setup, const uint8_t *copy,
                                           sch_cli_tell_change *tell, void *user);

/* Whether an option says that something of it is written to a file. */
bool sch_cli_writable_is_output(const struct sch_cli_setup *setup);

#endif
