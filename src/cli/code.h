/* What the command says about machine code: where compiled code is kept, which compiler is taken. */
#ifndef SCH_CLI_CODE_H
#define SCH_CLI_CODE_H

#include "cli.h"

/* --cache DIR|none, --compiler FILE, --perf-map. Strings must stay; the folder's is not empty. */
void sch_cli_code_cache(const char *folder);
void sch_cli_code_compiler(const char *path);
void sch_cli_code_perf_map(void);
/* --in-process */
void sch_cli_code_inside(void);
/* No folder unless --cache names one: for verbs that show what compiling does. */
void sch_cli_code_no_default_cache(void);

/* Of --compiler; NULL: not given. */
const char *sch_cli_code_compiler_given(void);

/* sch_context_create with what the options say. */
enum sch_result sch_cli_context_create(struct sch_context **context);

#endif
