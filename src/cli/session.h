/* A debugging session as the command line asks for it (trace, debug): which shader runs how, and which invocation is
 * looked at. */
#ifndef SCH_CLI_SESSION_H
#define SCH_CLI_SESSION_H

#include "saved.h"
#include "vectors.h"

struct sch_cli_session {
    struct sch_cli_setup setup;
    const char *file, *vectors;
    bool lowered; /* a Direct3D shader is shown as what it is lowered to */
    bool quads, has_line, has_size, has_pixel, has_grid, has_block, has_group, has_thread;
    uint32_t line; /* of the vectors */
    uint32_t samples, width, height, pixel[2], grid[3], block[3], work_group[3], thread[3];

    /* Once it is open: */
    struct sch_cli_shader shader; /* what runs: a Direct3D shader is lowered */
    struct sch_shader *source;    /* the Direct3D shader, where it is shown itself; else NULL */
    struct sch_program *program;
    struct sch_cli_registers_of *registers;
    struct sch_debug *debug;
    char what[96]; /* the invocation in words: "pixel 3,4 of 256x256" */

    /* Its own. */
    struct sch_cli_input table;
    struct sch_cli_vectors reader;
    struct sch_cli_batch batch;
    struct sch_cli_saved saved;
    char *text;         /* of the shader, as it is printed */
    const char **lines; /* of each instruction in it, without its number */
    uint32_t *lengths, instruction_count;
};

void sch_cli_session_init(struct sch_cli_session *session);
void sch_cli_session_release(struct sch_cli_session *session);

/* Takes an option of the groups that say what runs and what is looked at, or the file. */
enum sch_cli_exit sch_cli_session_option(const struct sch_cli_verb *verb, struct sch_cli_session *session, int option,
                                         const char *value);

/* Loads everything and begins the run, which stops where the group of the invocation begins. NO, and said: the
 * invocation was never run. */
enum sch_cli_exit sch_cli_session_open(const struct sch_cli_verb *verb, struct sch_cli_session *session);

/* Instruction `number` as text, `*length` bytes; "END" behind the last. */
const char *sch_cli_session_instruction(const struct sch_cli_session *session, uint32_t number, uint32_t *length);

/* The instruction at which the session stands as the shader's own text has it, to be freed with free; NULL: out of
 * memory. Of a Direct3D shader its own instruction, "" where the lowering added something. */
char *sch_cli_session_text(const struct sch_cli_session *session, const struct sch_debug_stop *stop);

/* The name of a register: TEMP[3], IN[0], IN[2][0] of several vertices, CONST[1][4]; where a Direct3D shader is shown
 * r0, v1, o0, cb0[2], x3[1]. False: a register that the Direct3D shader does not have. */
bool sch_cli_register_name(const struct sch_cli_session *session, const struct sch_debug_register *which,
                           char name[SCH_DEBUG_NAME_BYTES]);

/* What the shader takes a register's components for. */
void sch_cli_session_types(const struct sch_cli_session *session, const struct sch_debug_register *which,
                           enum sch_cli_type types[4]);

#endif
