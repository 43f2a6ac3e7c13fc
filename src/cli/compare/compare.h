/* What the files of `scheelite compare` share: the two shaders, the inputs of a round of invocations, the difference
 * that is found, the witness that is left of it. */
#ifndef SCH_CLI_COMPARE_H
#define SCH_CLI_COMPARE_H

#include "bind/snapshot.h"
#include "compare_rows.h"
#include "pairing.h"
#include "random_bindings.h"
#include "shade/invoke.h"

enum {
    SCH_CLI_ROUND = 32,             /* invocations of a round, but for units that are larger */
    SCH_CLI_COMPARE_BUDGET = 16384, /* where --budget does not say another one: random inputs make loops endless */
    SCH_CLI_FRUITLESS = 4           /* rounds of which not one unit ended: then no more of them are taken apart */
};

/* Inputs of invocations: the words of their pairs, one invocation after the other. Constants are those of the first. */
struct sch_cli_inputs {
    uint32_t *words;
    uint32_t count; /* of invocations */
    bool quads;     /* four of them are a quad */
    uint32_t given; /* of --vectors: those that a line is of, of which there are fewer than whole units have */
};

/* A value that an instruction of Maxwell code gives to a register. */
struct sch_cli_code_write {
    uint32_t instruction;
    struct sch_debug_register which;
};

/* What runs one of the two. */
struct sch_cli_compared_side {
    const char *file;
    const char *code; /* of Maxwell code: its file, where `file` is the other one, whose lookups it is; else NULL */
    struct sch_cli_setup setup;
    struct sch_program *program;
    struct sch_cli_vectors vectors;
    struct sch_cli_batch batch;
    struct sch_cli_results results;
    struct sch_cli_input lines; /* the inputs of a round, as eval reads them */
    uint32_t buffers[SCH_CLI_CONSTANT_BUFFERS];
    struct sch_cli_snapshot before; /* none: it writes no memory */
    /* Two files of Maxwell code: what each writes, in its order, and whether four lanes are a quad. */
    struct sch_cli_code_write *writes;
    uint32_t write_count, write_room;
    bool quads;
};

enum sch_cli_difference_kind {
    SCH_CLI_SAME,
    SCH_CLI_OUTPUT_DIFFERS,
    SCH_CLI_KILL_DIFFERS,    /* words are 0 and 1 */
    SCH_CLI_EVENTS_DIFFER,   /* what is emitted: numbers of events, or an event */
    SCH_CLI_MEMORY_DIFFERS,  /* `what` names it */
    SCH_CLI_END_DIFFERS,     /* words are enum sch_result */
    SCH_CLI_REGISTER_DIFFERS /* of Maxwell code: `what` names it */
};

/* Where two runs of a round first differ. */
struct sch_cli_difference {
    enum sch_cli_difference_kind kind;
    uint32_t invocation;
    uint32_t event; /* of a geometry shader: which one; UINT32_MAX: none */
    const struct sch_cli_pair *pair;
    unsigned component;
    uint32_t words[2];
    char what[64];
};

struct sch_cli_compare {
    struct sch_cli_compared_side side[2];
    struct sch_cli_party party[2];
    struct sch_cli_pairs inputs, outputs;
    uint32_t unit; /* invocations that belong together */
    const struct sch_cli_arguments *arguments;
    /* What the options say. */
    struct sch_cli_options_of_compare asked;
    struct sch_cli_options_of_comparing comparing;
    bool code;  /* both are Maxwell code */
    bool quads; /* four invocations are a quad */
    unsigned samples;
    struct sch_cli_words said; /* the options that `eval` takes, as they were given; then those that were made */
    uint64_t done, undecided;  /* invocations */
    uint64_t all;              /* that are to be run, the given ones with the made ones */
    unsigned fruitless;
};

/* ---- compare_values.c ---- */

/* Every component of an invocation the same boundary value; each another one; random values. */
enum sch_cli_compare_style { SCH_CLI_EACH_THE_SAME, SCH_CLI_BOUNDARIES, SCH_CLI_RANDOM };
enum sch_cli_compare_style sch_cli_compare_style(uint64_t round);
uint32_t sch_cli_compare_word(const struct sch_cli_compare *compare, enum sch_cli_compare_style style,
                              enum sch_value_type type, uint32_t invocation, uint64_t *state);

/* Fills a round: number `round` of those of the seed. */
void sch_cli_compare_fill(const struct sch_cli_compare *compare, uint64_t round, struct sch_cli_inputs *inputs);

/* Whether the value stays as execution makes it: no input says it. */
bool sch_cli_compare_is_made(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair);

/* ---- compare_run.c ---- */

/* Makes both ready to run. */
enum sch_cli_exit sch_cli_compare_prepare(struct sch_cli_compare *compare);
void sch_cli_compare_release(struct sch_cli_compare *compare);

/* The inputs as lines that `eval` reads, in the registers of one of the two; the caller's (free). NULL: memory. */
char *sch_cli_compare_lines(const struct sch_cli_compare *compare, unsigned which, const struct sch_cli_inputs *inputs);

/* Whether words are equal, as the options say. */
bool sch_cli_compare_is_same(const struct sch_cli_compare *compare, enum sch_value_type type, uint32_t a, uint32_t b);

/* Runs both. Inputs on which both end early in the same way are counted, and are the same. Returns YES, or the exit
 * code of the error that it printed. */
enum sch_cli_exit sch_cli_compare_round(struct sch_cli_compare *compare, const struct sch_cli_inputs *inputs,
                                        struct sch_cli_difference *difference);

/* Runs the invocations of --vectors, each with its own; `witness` receives those that differ. */
enum sch_cli_exit sch_cli_compare_given(struct sch_cli_compare *compare, struct sch_cli_inputs *witness,
                                        struct sch_cli_difference *difference);

/* Registers that both wrote in the last round, of an output that both have. */
const uint32_t *sch_cli_compare_output(const struct sch_cli_compare *compare, unsigned which,
                                       const struct sch_cli_difference *difference, const struct sch_cli_pair *pair);

/* ---- compare_witness.c ---- */

/* Makes the inputs fewer and simpler while the two differ on them. */
enum sch_cli_exit sch_cli_compare_reduce(struct sch_cli_compare *compare, struct sch_cli_inputs *inputs,
                                         struct sch_cli_difference *difference);

/* ---- compare_code.c: two files of Maxwell code ---- */

/* Options of shaders mean nothing here. */
enum sch_cli_exit sch_cli_code_check(const struct sch_cli_compare *compare);

/* The textures that words of the constant bank stand for. */
enum sch_cli_exit sch_cli_code_name(const struct sch_cli_compare *compare, struct sch_cli_named *named);

/* Pairs the registers that the code reads, and the values that it writes. */
enum sch_cli_exit sch_cli_code_pair(struct sch_cli_compare *compare);
/* Why a value has no partner; whether a later one takes a value's place, so that `eval` does not show it. */
void sch_cli_code_reason(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair, char text[160]);
bool sch_cli_code_overwrites(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair);

/* A value of a register in a round; whether it is a float there. */
uint32_t sch_cli_code_word(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair, uint64_t round,
                           uint32_t invocation, uint64_t *state);
bool sch_cli_code_is_float(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair, uint64_t round,
                           uint32_t invocation);

/* Makes room for what is written; false: memory. Runs the batch: the values are its results. */
bool sch_cli_code_prepare(struct sch_cli_compared_side *side);
enum sch_result sch_cli_code_run(struct sch_cli_compared_side *side, struct sch_context *context, bool quads);

/* ---- compare_traces.c ---- */

/* What both do in an invocation of the inputs, whose lines are given. Release the traces, whatever was returned. */
enum sch_cli_exit sch_cli_compare_trace(const struct sch_cli_compare *compare, const struct sch_cli_inputs *inputs,
                                        char *const lines[2], uint32_t invocation, struct sch_cli_traced trace[2]);

/* ---- compare_report.c ---- */

/* Says that they are the same; that they cannot be, for a reason; or shows a witness. NO, but for the first; IO where a
 * file cannot be written. */
enum sch_cli_exit sch_cli_compare_equal(const struct sch_cli_compare *compare);
enum sch_cli_exit sch_cli_compare_apart(const struct sch_cli_compare *compare, const char *reason, const char *text);
enum sch_cli_exit sch_cli_compare_show(struct sch_cli_compare *compare, const struct sch_cli_inputs *inputs,
                                       const struct sch_cli_difference *difference);

#endif
