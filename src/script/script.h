/* Scripts of shader tests (.shader_test): reading them, and executing them on a context. docs/d3d.md, "Scripts", says
 * what is executed and what is skipped. On the public headers alone. It prints nothing, opens no file and starts no
 * process: what it has to say, and the programs of sections with HLSL, go through the caller's functions. */
#ifndef SCH_SCRIPT_SCRIPT_H
#define SCH_SCRIPT_SCRIPT_H

#include "../player/player.h"

enum { SCH_SCRIPT_REASON = 256 };

/* The caller. All are called by the thread that reads or runs. */
struct sch_script_host {
    void *user;
    /* Why a text is not a script; line 0: the whole text. */
    void (*error)(void *user, const struct sch_diagnostic_info *error);
    void (*result)(void *user, const struct sch_player_outcome *outcome);
    /* Fills in `*program`, which is zero. NULL: there is no HLSL compiler. */
    void (*compile)(void *user, const struct sch_player_hlsl *section, struct sch_player_file *program);
};

/* A script that was read. It does not change while it is executed. */
struct sch_script;

/* Whether the first line that is not a comment begins a section: shaders do not begin with a bracket. */
bool sch_script_is(const char *text, size_t bytes);

/* Reads a script, of which text[bytes] is 0; text and name must outlive it. INVALID: the host received the reason;
 * MEMORY. */
enum sch_result sch_script_read(const char *name, const char *text, size_t bytes, const struct sch_script_host *host,
                                struct sch_script **script);
/* Takes NULL. */
void sch_script_destroy(struct sch_script *script);

/* What the draws and dispatches of a run by the interpreter left in the resources, for the same script as machine code:
 * the first run that gets a trace records it and reports nothing to the host; further ones are compared, and an item
 * that leaves something else fails. Nothing in a script depends on what was drawn but its probes, so that all runs go
 * the same way. */
struct sch_script_trace;
struct sch_script_trace *sch_script_trace_create(void); /* NULL: memory is out */
void sch_script_trace_destroy(struct sch_script_trace *trace);

struct sch_script_options {
    struct sch_program_options program;
    struct sch_dispatch_options dispatch; /* but for its list, which is the run's own */
    unsigned model;                       /* major * 10 + minor; 0: the highest that a script admits */
    struct sch_script_trace *trace;       /* optional */
};

struct sch_script_report {
    uint64_t passed, failed, skipped;
    unsigned code; /* UNSUPPORTED: the diagnostic that says which machine code there is not */
    char message[512];
};

/* Executes a script; what it makes goes again. SCH_OK whatever failed. MEMORY; UNSUPPORTED: the engine `jit` has no
 * machine code for something; CANCELLED: the host wanted it to stop. */
enum sch_result sch_script_run(const struct sch_script *script, struct sch_context *context,
                               const struct sch_script_options *options, const struct sch_script_host *host,
                               struct sch_script_report *report);

#endif
