/* What the parts of `scheelite bench compile` share: compiling once, and a row. */
#ifndef SCH_CLI_BENCH_COMPILE_H
#define SCH_CLI_BENCH_COMPILE_H

#include "bind/setup.h"

/* In milliseconds that passed, but for those of the compiler, which counts its thread's processor time. */
struct sch_cli_compile_times {
    enum sch_result result;
    bool told;                  /* why there is no result */
    double total;               /* from the process's first line to code that can be called */
    double parse;               /* reading the text */
    double prepare;             /* checking, decoding; in the first process loading the compiler, too */
    double build, passes, code; /* processor time */
    double load;                /* reading from the cache, checking, relocating, mapping */
    uint32_t instructions;
};

struct sch_cli_compile_row {
    const char *name;
    struct sch_cli_compile_times times;
};

/* Compiles a shader for groups, or for the spans that `spans` names, which is optional. */
struct sch_cli_compile_times sch_cli_compile(struct sch_context *context, const struct sch_cli_setup *setup,
                                             const struct sch_cli_input *input, const struct sch_code_options *spans);

/* Prints a row; `process`: what the process had done before. */
void sch_cli_compile_print(const struct sch_cli_compile_row *row, const char *process);

/* Lookups of all kinds of states, the rows with the median of their costs, with what 90 % do not exceed, and with the
 * greatest. The context loads the compiler inside. */
enum { SCH_CLI_LOOKUP_PLACES = 3 };
size_t sch_cli_bench_compile_lookup_rows(void);
enum sch_cli_exit sch_cli_bench_compile_lookups(struct sch_context *context, const struct sch_cli_setup *setup);

#endif
