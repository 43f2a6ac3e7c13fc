/* A debugging session as the command line asks for it (trace, debug): which shader runs how, and which invocation is
 * looked at. */
#ifndef SCH_CLI_SESSION_H
#define SCH_CLI_SESSION_H

#include "bind/snapshot.h"
#include "launch/launch.h"
#include "shade/vectors.h"

enum { SCH_CLI_SOURCES = 5 }; /* that an instruction may have */

struct sch_cli_scene_session;
struct sch_cli_replay_session;

/* Flags of instructions that look texels up: of both families of opcodes (enum sch_instruction_flag). */
enum { SCH_CLI_LOOKS_UP = SCH_INSTRUCTION_TEXTURE | SCH_INSTRUCTION_SAMPLE };

struct sch_cli_session {
    struct sch_cli_setup setup;
    const char *file, *vectors;
    struct sch_cli_options_of_session asked; /* the invocation that is looked at */
    bool quads;
    uint32_t samples;

    struct sch_invocation_place wanted; /* vertex, instance, primitive, invocation, sample */

    const char *table_text;        /* the vectors themselves, which `vectors` then only names; NULL: it is a file */
    struct sch_cli_launch *launch; /* of a kernel: its parameters; NULL: none were given */
    bool launched;                 /* Maxwell code runs as a kernel that is launched */
    bool reported;                 /* the shader's diagnostics were printed before */
    /* A Direct3D container is shown as its listing, instructions of Maxwell code with their control slots. */
    bool listed;

    /* Once it is open: */
    struct sch_cli_shader shader; /* what runs: a Direct3D shader is lowered */
    struct sch_shader *source;    /* the Direct3D shader, where it is shown itself; else NULL */
    struct sch_program *program;  /* NULL: of scenes */
    struct sch_cli_registers_of *registers;
    struct sch_debug *debug;
    struct sch_pixel_event made_by; /* where a pixel was named: the event that is meant */
    char what[160];                 /* the invocation in words: "pixel 3,4 of 256x256" */
    char refused[192];              /* why a launch was; "": it was not */

    /* Its own. */
    struct sch_cli_input table;
    struct sch_cli_vectors reader;
    struct sch_cli_batch batch;
    struct sch_cli_snapshot snapshot;    /* of what shaders write */
    struct sch_storage_buffer *memories; /* of the launch */
    uint32_t memory_count;
    struct sch_cli_scene_session *scene;   /* session_scene.c */
    struct sch_cli_replay_session *replay; /* session_replay.c */
    char *text;                            /* of the shader, as it is printed */
    const char **lines;                    /* of each instruction in it, without its number */
    uint32_t instruction_count;
};

void sch_cli_session_init(struct sch_cli_session *session);
void sch_cli_session_release(struct sch_cli_session *session);

/* An option that the verb does not have alone: sch_cli_own_fn, of a session. */
enum sch_cli_exit sch_cli_session_option(void *user, const struct sch_cli_verb *verb, int option, const char *value);
/* Reads all arguments: which shader, how it runs and what is looked at; `take` as that of sch_cli_setup_parse. */
enum sch_cli_exit sch_cli_session_parse(struct sch_cli_session *session, struct sch_cli_arguments *arguments,
                                        sch_cli_own_fn *take, void *user);

/* Loads everything and begins the run, which stops where the group of the invocation begins. NO, and reported: the
 * invocation was never run. */
enum sch_cli_exit sch_cli_session_open(const struct sch_cli_verb *verb, struct sch_cli_session *session);

/* Whether the flag that cancels its dispatches was set, which a step does not look at. */
bool sch_cli_session_cancelled(const struct sch_cli_session *session);

/* session_scene.c: the same of a scene, but for the shader's text, which is read into `session->shader`. What its runs
 * are: */
enum sch_cli_exit sch_cli_scene_session_open(struct sch_cli_session *session, struct sch_debug_options *options,
                                             struct sch_invocation_place *place);
struct sch_context *sch_cli_scene_session_context(const struct sch_cli_scene_session *scene);
void sch_cli_scene_session_close(struct sch_cli_scene_session *scene);

/* session_replay.c: the same of a recording, which is taken over. */
enum sch_cli_exit sch_cli_replay_session_open(struct sch_cli_session *session, struct sch_cli_input *recording,
                                              struct sch_debug_options *options, struct sch_invocation_place *place);
struct sch_context *sch_cli_replay_session_context(const struct sch_cli_replay_session *replay);
void sch_cli_replay_session_close(struct sch_cli_replay_session *replay);

/* Lowers a Direct3D shader that was read into `session->shader`; if it is shown itself, `session->source` keeps it. */
enum sch_cli_exit sch_cli_session_lower(struct sch_cli_session *session);

/* trace.c: what the invocation does from here on, a line for each instruction, on standard output. */
enum sch_cli_exit sch_cli_trace_lines(const struct sch_cli_session *session);

/* Instruction `number` as text, `*length` bytes; "END" after the last. */
const char *sch_cli_session_instruction(const struct sch_cli_session *session, uint32_t number, uint32_t *length);

/* The type of what instruction `number` writes; UNKNOWN past the last. */
enum sch_value_type sch_cli_session_makes(const struct sch_cli_session *session, uint32_t number);

/* The instruction of the stop as the shader's own text has it, to be freed with free; NULL: out of memory. For a
 * Direct3D shader it is that shader's instruction, "" where the lowering added something. */
char *sch_cli_session_text(const struct sch_cli_session *session, const struct sch_debug_stop *stop);

/* The name of a register: TEMP[3], IN[0], IN[2][0] of several vertices, CONST[1][4]; where a Direct3D shader is shown
 * r0, v1, o0, cb0[2], x3[1]. False: a register that the Direct3D shader does not have. */
bool sch_cli_register_name(const struct sch_cli_session *session, const struct sch_debug_register *which,
                           char name[SCH_DEBUG_NAME_BYTES]);

/* What the shader takes a register's components for. */
void sch_cli_session_types(const struct sch_cli_session *session, const struct sch_debug_register *which,
                           enum sch_value_type types[4]);

#endif
