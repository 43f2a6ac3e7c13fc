/* All memory that the command line binds, before and after a run: buffers, counters, GLOBAL and INPUT memory, images,
 * and the colour buffers that FBFETCH reads. */
#ifndef SCH_CLI_MEMORY_H
#define SCH_CLI_MEMORY_H

#include "buffer.h"
#include "image.h"

struct sch_cli_memory {
    struct sch_cli_buffer counters[SCH_CLI_BUFFERS]; /* --hwatomic N: counter i of HWATOMIC[N] is word i */
    struct sch_cli_buffer global, input;             /* --global, --input */
    struct sch_cli_image fb[SCH_CLI_IMAGES];         /* --fb N; never written */
};

struct sch_cli_setup;

/* Takes the value of an option that fills memory, or writes it; INTERNAL: it is another. */
enum sch_cli_exit sch_cli_memory_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, int option,
                                        const char *text);

/* Reads the contents; writes the outputs. */
enum sch_cli_exit sch_cli_memory_load(struct sch_cli_setup *setup, struct sch_context *context);
enum sch_cli_exit sch_cli_memory_write(struct sch_cli_setup *setup, struct sch_context *context);
void sch_cli_memory_release(struct sch_cli_setup *setup);

/* Binds what was given, over what is bound; `counters` has `count` entries, `color_buffers` SCH_CLI_IMAGES. */
void sch_cli_memory_bind(const struct sch_cli_memory *memory, struct sch_storage_buffer *counters, uint32_t count,
                         struct sch_image **color_buffers, struct sch_bindings *bindings);

#endif
