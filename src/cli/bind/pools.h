/* What Maxwell's lookups find in memory, as the command makes it: pools of headers and samplers from the text of
 * `scheelite headers`, and texels in block-linear order. */
#ifndef SCH_CLI_POOLS_H
#define SCH_CLI_POOLS_H

#include "picture/texels.h"

enum { SCH_CLI_HEADERS, SCH_CLI_SAMPLERS, SCH_CLI_POOLS };

/* Assembles a pool, in the context's memory; reports what is wrong with its text. */
enum sch_cli_exit sch_cli_pool_assemble(struct sch_context *context, const struct sch_cli_input *text, unsigned which,
                                        void **pool, size_t *bytes);

/* Texts that are written, and the texels that headers lead to. */
struct sch_cli_pool_texts {
    FILE *to[SCH_CLI_POOLS];
    char *data[SCH_CLI_POOLS];
    size_t bytes[SCH_CLI_POOLS];
    unsigned char *memory; /* the caller's (free) */
    size_t memory_bytes, room;
};
enum { SCH_CLI_POOL_TEXELS = 0x100000 }; /* the address of the memory */

/* End them whatever was returned: they are assembled if `exit_code` is YES, and `name` is what reports call them. */
enum sch_cli_exit sch_cli_pools_begin(struct sch_cli_pool_texts *texts);
enum sch_cli_exit sch_cli_pools_end(struct sch_cli_pool_texts *texts, enum sch_cli_exit exit_code, const char *name,
                                    struct sch_context *context, void *pools[SCH_CLI_POOLS],
                                    size_t bytes[SCH_CLI_POOLS]);

/* pool_entries.c: a header and the texels that it leads to, a sampler. Report what Maxwell does not have; `name` is
 * what reports call it. */
enum sch_cli_exit sch_cli_pools_header(struct sch_cli_pool_texts *texts, uint32_t number, const char *name,
                                       const struct sch_cli_texels *texels);
enum sch_cli_exit sch_cli_pools_sampler(struct sch_cli_pool_texts *texts, uint32_t number, const char *name,
                                        const struct sch_cli_state *state);

#endif
