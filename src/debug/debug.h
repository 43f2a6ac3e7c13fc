/* What debuggers share that talk to somebody: what is debugged, and who opens it. Two are here: a server of the Debug
 * Adapter Protocol for editors, and a terminal. They use the public interface (debug.h there) alone; files, options and
 * processes are their host's. */
#ifndef SCH_DEBUGGER_DEBUG_H
#define SCH_DEBUGGER_DEBUG_H

#include "target.h"

/* What a shader takes the component of a register for. */
enum sch_debugger_type {
    SCH_DEBUGGER_UNKNOWN,
    SCH_DEBUGGER_FLOAT,
    SCH_DEBUGGER_INT,
    SCH_DEBUGGER_UINT,
    SCH_DEBUGGER_HEX /* no shader says so: how it is shown */
};

enum { SCH_DEBUGGER_VALUE_BYTES = 48, SCH_DEBUGGER_NAME_BYTES = SCH_DEBUG_NAME_BYTES, SCH_DEBUGGER_LANES = 32 };

/* What was opened; all of it is the host's. */
struct sch_debugger_subject {
    struct sch_debugger_target *target;
    const char *name, *what; /* the file and the invocation, for people */
    const char *path;        /* of the file, absolute; NULL: it has none */
    const char *source;      /* the text that stops name lines of; NULL: it has none, or its instructions no lines */
    const char *program;     /* what runs, as canonical text */
    const char *const *instructions; /* in it: where each begins */
    uint32_t instruction_count;
    bool several_vertices;

    void *user;
    void (*types)(void *user, const struct sch_debug_register *which, enum sch_debugger_type types[4]);
    void (*print_float)(uint32_t bits, char text[SCH_DEBUGGER_VALUE_BYTES]);
    /* Reads a value and says what its spelling is: a word (HEX), a float, as whole numbers in digits are, an int, a
     * uint. False if it is not one. */
    bool (*read_value)(const char *text, enum sch_debugger_type *type, uint32_t *bits);
};

/* The name of a register: TEMP[3], IN[0], IN[2][0] of several vertices, CONST[1][4]. */
void sch_debugger_register_name(const struct sch_debug_register *which, bool several_vertices,
                                char name[SCH_DEBUGGER_NAME_BYTES]);

/* What the source calls it: the same, or of a Direct3D shader r0, cb0[2]. False: the source has no such register, which
 * has TGSI's name then. */
bool sch_debugger_shown_name(const struct sch_debugger_subject *subject, const struct sch_debug_register *which,
                             char name[SCH_DEBUGGER_NAME_BYTES]);

/* Whether this was built with json-c, and with ncurses. */
bool sch_debugger_has_dap(void);
bool sch_debugger_has_terminal(void);

/* ---- editors (dap.c); without json-c no client is served ---- */

struct sch_debugger_host {
    void *user;
    /* Opens what the words say, options and their values as on a command line. NULL: it cannot be; why is in `said`,
     * which otherwise has what was remarked. */
    const struct sch_debugger_subject *(*open)(void *user, const char *const *words, uint32_t count, char *said,
                                               size_t bytes);
    void (*close)(void *user);
    int (*exit_of)(enum sch_result result); /* the exit code of a run that ended so */
};

/* Serves one client until it leaves. Needs 100 MiB at most, whatever the client sends. False: what came was no such
 * protocol, or there is no memory. */
bool sch_debugger_dap(const struct sch_debugger_host *host, int in, int out);

/* ---- terminals (terminal.c); without ncurses none can be used ---- */

/* Debugs on the terminal of standard input and output. False, and why: it cannot be used. */
bool sch_debugger_terminal(const struct sch_debugger_subject *subject, char problem[256]);

#endif
