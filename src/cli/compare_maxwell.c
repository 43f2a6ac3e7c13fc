/* Comparing two files of Maxwell code. */
#include "compare.h"

enum sch_cli_exit sch_cli_compare_maxwell(struct sch_cli_compare *compare)
{
    return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s and %s are Maxwell code", compare->side[0].file,
                        compare->side[1].file);
}
