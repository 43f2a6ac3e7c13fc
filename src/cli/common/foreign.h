/* Inputs of kinds that are not read as shaders. */
#ifndef SCH_CLI_FOREIGN_H
#define SCH_CLI_FOREIGN_H

#include "cli.h"

struct sch_cli_foreign {
    const char *what;   /* "GLSL"; NULL: it is not one of them */
    const char *advice; /* what to do */
};

/* What an input is, by its first bytes, a text by its words, and by the ending of its name. */
struct sch_cli_foreign sch_cli_foreign_of(const struct sch_cli_input *input);

#endif
