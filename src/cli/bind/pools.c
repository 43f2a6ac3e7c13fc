/* See pools.h. */
#include "pools.h"

#include <stdlib.h>
#include <string.h>

/* ---- pools ---- */

enum sch_cli_exit sch_cli_pool_assemble(struct sch_context *context, const struct sch_cli_input *text, unsigned which,
                                        void **pool, size_t *bytes)
{
    const struct sch_maxwell_pool_options options = {.size = sizeof options,
                                                     .pool = which == SCH_CLI_SAMPLERS ? SCH_MAXWELL_POOL_SAMPLERS
                                                                                       : SCH_MAXWELL_POOL_HEADERS,
                                                     .name = text->name};
    struct sch_diagnostics_list *list = NULL;
    enum sch_result result = sch_diagnostics_create(context, &list);
    if (result == SCH_OK)
        result = sch_maxwell_pool_assemble(context, text->data, text->bytes, &options, list, pool, bytes);
    const enum sch_cli_exit exit_code = sch_cli_result(result, list, text->name);
    sch_cli_print_diagnostics(list, text);
    sch_diagnostics_destroy(list);
    return exit_code;
}

enum sch_cli_exit sch_cli_pools_begin(struct sch_cli_pool_texts *texts)
{
    for (unsigned i = 0; i < SCH_CLI_POOLS; i++) texts->to[i] = open_memstream(&texts->data[i], &texts->bytes[i]);
    return texts->to[SCH_CLI_HEADERS] && texts->to[SCH_CLI_SAMPLERS] ? SCH_CLI_YES : sch_cli_no_memory();
}

enum sch_cli_exit sch_cli_pools_end(struct sch_cli_pool_texts *texts, enum sch_cli_exit exit_code, const char *name,
                                    struct sch_context *context, void *pools[SCH_CLI_POOLS],
                                    size_t bytes[SCH_CLI_POOLS])
{
    for (unsigned i = 0; i < SCH_CLI_POOLS; i++) {
        if (texts->to[i] && fclose(texts->to[i]) != 0 && exit_code == SCH_CLI_YES) exit_code = sch_cli_no_memory();
        const struct sch_cli_input text = {.name = name, .data = texts->data[i], .bytes = texts->bytes[i]};
        if (exit_code == SCH_CLI_YES) exit_code = sch_cli_pool_assemble(context, &text, i, &pools[i], &bytes[i]);
        free(texts->data[i]);
    }
    return exit_code;
}
