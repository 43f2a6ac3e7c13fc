/* The inside of the server of the Debug Adapter Protocol: what its files share. */
#ifndef SCH_DEBUGGER_DAP_H
#define SCH_DEBUGGER_DAP_H

#include <pthread.h>

#include "place.h"
#include "wire.h"

enum {
    SCH_DAP_BREAKPOINTS = 256,
    SCH_DAP_PROBLEM_BYTES =
        4096, /* Texts that editors ask for by a number: the program's, and a source that is not a file. */
    SCH_DAP_PROGRAM = 1,
    SCH_DAP_TEXT = 2
};

/* What the session is doing. */
enum sch_dap_state {
    SCH_DAP_NEW = 1 << 0,
    SCH_DAP_READY = 1 << 1, /* initialize was answered */
    SCH_DAP_OPEN = 1 << 2,  /* launched; breakpoints are being set */
    SCH_DAP_STOPPED = 1 << 3,
    SCH_DAP_RUNNING = 1 << 4,
    SCH_DAP_ENDED = 1 << 5, /* the run has; its source can still be looked at */
    SCH_DAP_CLOSED = 1 << 6 /* the editor has terminated it: there is no subject any more */
};

/* Which request a breakpoint is of: each replaces its own. */
enum sch_dap_set { SCH_DAP_OF_SOURCE, SCH_DAP_OF_PROGRAM, SCH_DAP_OF_INSTRUCTIONS, SCH_DAP_OF_DATA };

struct sch_dap_breakpoint {
    enum sch_dap_set set;
    uint32_t id;
    struct sch_debug_breakpoint point;
};

/* A movement that was asked for. */
struct sch_dap_plan {
    enum sch_debug_step step;
    bool back, by_line;
    uint32_t lane; /* that it is counted in; UINT32_MAX: all */
    bool seeks;    /* it is not a step, but goes to a moment: */
    uint64_t time;
};

struct sch_dap {
    const struct sch_debugger_host *host;
    struct sch_debugger_wire wire;
    enum sch_dap_state state;
    bool leaving;
    char problem[SCH_DAP_PROBLEM_BYTES]; /* of the request at hand */

    /* After the response at hand: what happens then. */
    enum { SCH_DAP_NOTHING, SCH_DAP_SAY_OPENED, SCH_DAP_BEGIN, SCH_DAP_MOVE, SCH_DAP_END } then;

    /* Once it is launched. */
    struct json_object *words; /* of the host's; they live as long as the session */
    const struct sch_debugger_subject *subject;
    struct sch_debugger_lines lines;
    bool stop_on_entry, no_debug;
    struct sch_debug_stop stop; /* where it is, or was when it began to run */
    uint32_t lane;              /* of the thread that stopped */
    char lane_names[SCH_DEBUGGER_LANES][120];
    char remarks[SCH_DAP_PROBLEM_BYTES];

    struct sch_dap_breakpoint breakpoints[SCH_DAP_BREAKPOINTS];
    uint32_t breakpoint_count, last_id, events;

    /* The thread that moves, while it is RUNNING. */
    struct sch_dap_plan plan;
    pthread_t thread;
    int done[2]; /* a pipe: it writes a byte at the end */
    enum sch_result result;
    uint32_t wanted_stop; /* of its steps */
    bool pausing;
    uint32_t lines_first; /* in the client's counting: 0 or 1 */
    uint32_t columns_first;
};

/* A request's handler: adds to the body. False: `problem` says why it cannot be. */
typedef bool sch_dap_handler(struct sch_dap *dap, struct json_object *arguments, struct json_object *body);

sch_dap_handler sch_dap_initialize, sch_dap_launch, sch_dap_configuration_done;                     /* dap_launch.c */
sch_dap_handler sch_dap_set_breakpoints, sch_dap_set_instruction_breakpoints;                       /* dap_break.c */
sch_dap_handler sch_dap_set_data_breakpoints, sch_dap_data_breakpoint_info, sch_dap_set_exceptions; /* dap_break.c */
sch_dap_handler sch_dap_threads, sch_dap_stack_trace, sch_dap_scopes, sch_dap_variables;            /* dap_inspect.c */
sch_dap_handler sch_dap_evaluate;                                                                   /* dap_values.c */
sch_dap_handler sch_dap_source, sch_dap_disassemble, sch_dap_read_memory, sch_dap_exception_info;   /* dap_text.c */
sch_dap_handler sch_dap_next, sch_dap_step_in, sch_dap_step_out, sch_dap_step_back, sch_dap_continue; /* dap_move.c */
sch_dap_handler sch_dap_reverse_continue, sch_dap_pause;                                              /* dap_move.c */

/* ---- dap_json.c: reading arguments, writing bodies ---- */

bool sch_dap_wrong(struct sch_dap *dap, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Members of an object, which may be NULL; those of another type do not count. */
const char *sch_dap_get_text(struct json_object *from, const char *name);
bool sch_dap_get_bool(struct json_object *from, const char *name);
struct json_object *sch_dap_get_object(struct json_object *from, const char *name);
struct json_object *sch_dap_get_list(struct json_object *from, const char *name, size_t *count);
/* A whole number between the bounds; the fallback where there is none of this name. False: it is something else. */
bool sch_dap_get_number(struct sch_dap *dap, struct json_object *from, const char *name, int64_t low, int64_t high,
                        int64_t fallback, int64_t *number);

void sch_dap_put_text(struct json_object *to, const char *name, const char *text);
void sch_dap_put_bytes(struct json_object *to, const char *name, const char *text, size_t length);
void sch_dap_put_number(struct json_object *to, const char *name, int64_t number);
void sch_dap_put_bool(struct json_object *to, const char *name, bool value);
struct json_object *sch_dap_put_list(struct json_object *to, const char *name);
struct json_object *sch_dap_put_object(struct json_object *to, const char *name); /* no name: in a list */

/* An event, written: its body is taken over; NULL: it has none. */
void sch_dap_send_event(struct sch_dap *dap, const char *name, struct json_object *body);

/* ---- dap_move.c ---- */

/* Reports where it is, as a stop or as the end. */
void sch_dap_tell_stop(struct sch_dap *dap);
/* Begins to run, as `plan` says. */
void sch_dap_move(struct sch_dap *dap);
/* It has moved: the thread is waited for, and the stop reported; unless it was held for `sch_dap_hold`. */
void sch_dap_moved(struct sch_dap *dap);
/* Stops what runs for a moment: true, if it is to continue with sch_dap_move. */
bool sch_dap_hold(struct sch_dap *dap);
/* Interrupts what runs. A call of the engine that begins just now forgets that: it has to be called again. */
enum { SCH_DAP_PATIENCE_MS = 20 };
void sch_dap_interrupt(struct sch_dap *dap);
/* Has what runs end soon, and waits for that. */
void sch_dap_halt(struct sch_dap *dap);

/* ---- dap_break.c, dap_text.c ---- */

/* Gives the engine all breakpoints. */
bool sch_dap_apply_breakpoints(struct sch_dap *dap);

/* An address of the program for editors: its instructions are counted from there. They want numbers before it, too. */
enum { SCH_DAP_PROGRAM_AT = 0x10000000 };
void sch_dap_address(uint32_t instruction, char text[16]);
bool sch_dap_read_address(const char *text, uint32_t *instruction);

/* The source that instructions are shown in, or the text of the program, as member `member`. */
void sch_dap_put_source(const struct sch_dap *dap, struct json_object *to, const char *member, bool program);
/* Whether an instruction has a line in the source; that, or the one of the program. */
bool sch_dap_in_source(const struct sch_dap *dap, uint32_t instruction);
uint32_t sch_dap_line(const struct sch_dap *dap, uint32_t instruction);

/* Memory by its name: shared, private 5. False: there is none. */
bool sch_dap_memory(const struct sch_dap *dap, const char *reference, const uint8_t **memory, size_t *bytes);

/* A lane of the group from a thread's number; the one that stopped where there is no such member. */
bool sch_dap_get_lane(struct sch_dap *dap, struct json_object *arguments, uint32_t *lane);

/* ---- dap_values.c ---- */

/* What children a variable has: a number for editors that stands for all of this. */
enum sch_dap_kind {
    SCH_DAP_FILE = 1, /* item: enum sch_file */
    SCH_DAP_MASKS = 2,
    SCH_DAP_MEMORY = 3,
    SCH_DAP_CHANGES = 4,
    SCH_DAP_REGISTER = 5,  /* item: its position */
    SCH_DAP_COMPONENT = 6, /* item, and the channel */
    SCH_DAP_SHARED = 7,
    SCH_DAP_PRIVATE = 8,
    SCH_DAP_LOWERED = 9 /* registers that the source does not have */
};
struct sch_dap_reference {
    enum sch_dap_kind kind;
    uint32_t lane, channel, item;
};
int64_t sch_dap_reference(const struct sch_dap_reference *reference);
bool sch_dap_read_reference(int64_t number, struct sch_dap_reference *reference);

/* What registers of the program are: they have components, or are one. */
enum sch_dap_kind sch_dap_kind_of_registers(const struct sch_dap *dap);

/* The register at a position as text: its components. */
void sch_dap_print_register(const struct sch_dap *dap, const struct sch_debug_register *which, uint32_t lane, bool hex,
                            char text[256]);

#endif
