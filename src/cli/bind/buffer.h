/* Storage buffers of the command line. */
#ifndef SCH_CLI_BUFFER_H
#define SCH_CLI_BUFFER_H

#include "common/cli.h"

enum { SCH_CLI_BUFFERS = 192 }; /* t# of Direct3D programs begin at 64: docs/d3d.md */

/* One --buffer and its --buffer-out. */
struct sch_cli_buffer {
    const char *source; /* a file, zero:BYTES or random:BYTES:seed=K; NULL: not bound */
    const char *output; /* NULL: not written */
    void *data;
    size_t bytes;
    bool random; /* bytes of the splitmix64 sequence of the seed */
    uint64_t seed;
};

/* What one is filled with: a file, zero:BYTES or random:BYTES[:seed=K], as `option` says it; and that, read. */
enum sch_cli_exit sch_cli_buffer_source(const struct sch_cli_verb *verb, const char *option,
                                        struct sch_cli_buffer *buffer, const char *source);
enum sch_cli_exit sch_cli_buffer_load(struct sch_cli_buffer *buffer);

#endif
