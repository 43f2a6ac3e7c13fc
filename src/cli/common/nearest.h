/* Names that this folder gave to what ../support/names.h has. */
#ifndef SCH_CLI_NEAREST_H
#define SCH_CLI_NEAREST_H

#include "../support/names.h"

#define sch_cli_nearest         sch_nearest
#define sch_cli_nearest_to      sch_nearest_to
#define sch_cli_nearest_try     sch_nearest_offer
#define sch_cli_nearest_try_set sch_nearest_offer_set
#define sch_cli_nearest_word    sch_nearest_word
#define sch_cli_nearest_format  sch_nearest_format
#define sch_cli_nearest_said    sch_nearest_said

/* The search among the words of --target. */
struct sch_nearest sch_cli_nearest_target(const char *word, size_t bytes);

#endif
