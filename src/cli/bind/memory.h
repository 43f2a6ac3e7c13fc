/* What the command line binds beside buffers and images: counters, GLOBAL and INPUT memory, and the colour buffers that
 * FBFETCH reads. */
#ifndef SCH_CLI_MEMORY_H
#define SCH_CLI_MEMORY_H

#include "buffer.h"
#include "image.h"

struct sch_cli_memory {
    struct sch_cli_buffer counters[SCH_CLI_BUFFERS]; /* --hwatomic N: counter i of HWATOMIC[N] is word i */
    struct sch_cli_buffer global, input;             /* --global, --input */
    struct sch_cli_image fb[SCH_CLI_IMAGES];         /* --fb N; never written */
};

/* Takes the value of one of the options above; INTERNAL: it is another. */
enum sch_cli_exit sch_cli_memory_option(const struct sch_cli_verb *verb, struct sch_cli_memory *memory, int option,
                                        const char *text);

/* Reads the contents; writes the outputs. */
enum sch_cli_exit sch_cli_memory_load(struct sch_cli_memory *memory, struct sch_context *context);
enum sch_cli_exit sch_cli_memory_write(const struct sch_cli_memory *memory);
void sch_cli_memory_release(struct sch_cli_memory *memory);

/* Binds what was given, over what is bound; `counters` has `count` entries, `color_buffers` SCH_CLI_IMAGES. */
void sch_cli_memory_bind(const struct sch_cli_memory *memory, struct sch_storage_buffer *counters, uint32_t count,
                         struct sch_image **color_buffers, struct sch_bindings *bindings);

#endif
