/* What Maxwell's lookups find in memory, as the command makes it: pools of headers and samplers from the text of
 * `scheelite headers`, and texels in block-linear order. */
#ifndef SCH_CLI_POOLS_H
#define SCH_CLI_POOLS_H

#include "common/cli.h"

enum { SCH_CLI_HEADERS, SCH_CLI_SAMPLERS, SCH_CLI_POOLS };

/* Assembles a pool, in the context's memory; reports what is wrong with its text. */
enum sch_cli_exit sch_cli_pool_assemble(struct sch_context *context, const struct sch_cli_input *text, unsigned which,
                                        void **pool, size_t *bytes);

/* Texts that are written. */
struct sch_cli_pool_texts {
    FILE *to[SCH_CLI_POOLS];
    char *data[SCH_CLI_POOLS];
    size_t bytes[SCH_CLI_POOLS];
};

/* End them whatever was returned: they are assembled if `exit_code` is YES, and `name` is what reports call them. */
enum sch_cli_exit sch_cli_pools_begin(struct sch_cli_pool_texts *texts);
enum sch_cli_exit sch_cli_pools_end(struct sch_cli_pool_texts *texts, enum sch_cli_exit exit_code, const char *name,
                                    struct sch_context *context, void *pools[SCH_CLI_POOLS],
                                    size_t bytes[SCH_CLI_POOLS]);

/* Blocks are one GOB, 64 bytes of 8 rows (docs/maxwell.md, "Headers and samplers"). */

/* The bytes of rows of so many bytes. */
size_t sch_cli_gobs_bytes(size_t row_bytes, size_t rows);
/* Puts rows that follow each other there. */
void sch_cli_gobs_put(unsigned char *to, const unsigned char *from, size_t row_bytes, size_t rows);

#endif
