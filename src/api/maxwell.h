/* The object behind the public handle of a Maxwell program, for the files of this folder that use one. */
#ifndef SCH_API_MAXWELL_H
#define SCH_API_MAXWELL_H

#include <scheelite/maxwell.h>

#include "maxwell/text/code.h"

struct sch_maxwell_program {
    struct sch_context *context;
    struct sch_maxwell_code *code;
    char *name; /* of the input, for reports */
    enum sch_maxwell_kind kind;
};

/* False: no architecture. DEFAULT is sm_50. */
bool sch_api_maxwell_arch(enum sch_maxwell_arch given, enum sch_maxwell_arch *arch);

#endif
