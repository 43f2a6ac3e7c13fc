/* An instruction of a debugging session with the values that it made, as `trace` and `compare` show it. A Direct3D
 * instruction is all that it was lowered to. */
#ifndef SCH_CLI_TRACE_STEP_H
#define SCH_CLI_TRACE_STEP_H

#include <stdio.h>

#include "session.h"

enum { SCH_CLI_TRACE_LANES = 32 };

/* A register that an instruction wrote, with its values after it. */
struct sch_cli_written {
    struct sch_debug_register which;
    uint32_t channels, lanes; /* bits */
    uint32_t words[4][SCH_CLI_TRACE_LANES];
    enum sch_value_type type; /* what the opcode makes */
};

/* An instruction that was executed. */
struct sch_cli_step {
    struct sch_debug_stop before, after;
    char *text;
    uint32_t flags; /* bits of enum sch_instruction_flag */
    bool is_lookup, is_memory, has_changed;
    uint32_t lanes;      /* that are shown, of those that executed it */
    uint32_t has_source; /* bits: sources that are values, of the access to memory where there is one */
    uint32_t sources[SCH_CLI_SOURCES][4][SCH_CLI_TRACE_LANES];
    enum sch_value_type source_types[SCH_CLI_SOURCES]; /* what the opcode takes them for */
    struct sch_cli_written *written;
    uint32_t written_count, capacity;
    struct sch_explanation *explained[SCH_CLI_TRACE_LANES];
};

struct sch_cli_tracer {
    const struct sch_cli_session *session;
    bool scalar;    /* registers have one component, which has no name */
    uint32_t lanes; /* bits: those that are shown; 0: the invocation's */
    enum sch_cli_floats floats;
    void (*look)(void *user); /* called when `step.flags` are known and before the instruction runs; may be NULL */
    void *user;
    struct sch_cli_step step;
};

/* NULL: memory. `step.after` is where the session is. */
struct sch_cli_tracer *sch_cli_tracer_create(const struct sch_cli_session *session, uint32_t lanes,
                                             enum sch_cli_floats floats);
void sch_cli_tracer_destroy(struct sch_cli_tracer *tracer); /* takes NULL */

/* Moves to the first moment from `from` on. */
enum sch_result sch_cli_tracer_seek(struct sch_cli_tracer *tracer, uint64_t from);

/* Whether there is a next instruction. */
bool sch_cli_tracer_goes_on(const struct sch_cli_tracer *tracer);

/* Executes it; its lines and values are in `step`. */
enum sch_result sch_cli_tracer_step(struct sch_cli_tracer *tracer);

/* Reports why the group failed, or the run after a group that did not. */
enum sch_cli_exit sch_cli_tracer_report_end(const struct sch_cli_tracer *tracer);

/* Whether there is anything to say of it. */
bool sch_cli_step_is_shown(const struct sch_cli_step *step);

/* The text of the instruction, as it is shown. */
const char *sch_cli_step_text(const struct sch_cli_step *step);

/* What follows the text: registers with their new values, the words of an access to memory, the level and texels of a
 * lookup, each after two blanks. */
bool sch_cli_step_has_values(const struct sch_cli_step *step, unsigned lane);
void sch_cli_step_put_values(FILE *file, const struct sch_cli_tracer *tracer, unsigned lane);

/* What the shader takes a register for, else what the instruction makes. */
void sch_cli_written_types(const struct sch_cli_tracer *tracer, const struct sch_cli_written *written,
                           enum sch_value_type types[4]);

/* trace_page.c: writes what the group does between two moments as a page to standard output. The session is where it
 * was opened. LIMIT, and said: there are more moments than a page takes; it has the first ones then. */
enum sch_cli_exit sch_cli_trace_page(struct sch_cli_tracer *tracer, uint64_t from, uint64_t to);

/* "xyw" */
void sch_cli_channel_letters(uint32_t channels, char text[5]);

#endif
