/* What the arguments said that were parsed last. */
#include "cli.h"

static struct sch_cli_values given;

void sch_cli_keep_given(const struct sch_cli_values *values) { given = *values; }

const struct sch_cli_values *sch_cli_given(void) { return &given; }

const char *sch_cli_given_kind(void)
{
    const char *const kinds[] = {given.input.kind, given.shader_input.kind, given.of_reduce.kind,
                                 given.of_compare.kind};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i]) return kinds[i];
    return NULL;
}
