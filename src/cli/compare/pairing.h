/* Which registers of two shaders are the same thing: inputs, outputs and system values by what they mean, constants by
 * buffer and number. A Direct3D shader is compared as the shader that it is lowered to; its signature gives names. */
#ifndef SCH_CLI_PAIRING_H
#define SCH_CLI_PAIRING_H

#include "bind/registers.h"
#include "inputs/reading.h"

/* A shader of a pair. */
struct sch_cli_party {
    struct sch_cli_shader shader; /* lowered */
    struct sch_shader_info info;
    struct sch_cli_registers_of *registers;
    const uint32_t *buffers; /* which buffer of the shader CONST[b] is; UINT32_MAX: none */
    uint32_t buffer_count;
    bool reads_memory;                /* constants as memory: all may be read */
    bool d3d_rules;                   /* the property: Direct3D's meaning of window positions */
    struct sch_signature_info *names; /* of the Direct3D shader: strings are copies */
    bool *names_outputs;              /* whether it is one of outputs */
    uint32_t name_count;
};

/* Reads a shader and what it means by its registers. Release it whatever was returned. */
enum sch_cli_exit sch_cli_party_load(const struct sch_cli_reading *reading, const char *path,
                                     struct sch_cli_party *party);
void sch_cli_party_release(struct sch_cli_party *party);

/* Where a value is in one of the two shaders. */
struct sch_cli_seat {
    bool there;
    enum sch_file file; /* IN, SV, CONST or OUT; of Maxwell code TEMP and ADDR for R and P, NULL for a lane's state */
    uint32_t buffer, index; /* of what Maxwell code writes: which of its writes */
    bool per_vertex;
    uint8_t stream[4]; /* of an output of a geometry shader: which vertices have the component */
};

/* A value of both, or of one of them. */
struct sch_cli_pair {
    char name[48]; /* GENERIC[1], CONST[0][3]; "#2": an input without a meaning */
    enum sch_semantic semantic;
    struct sch_cli_seat seat[2];
    enum sch_value_type types[4];
    uint32_t vertices; /* values that it has: 1, or one for each vertex */
    size_t at;         /* the first of its words among those of an invocation */
    uint32_t reads;    /* Maxwell code: as what R is read, bits of enum sch_maxwell_operand_kind */
    uint32_t number;   /* Maxwell code: of a register that is written */
};

struct sch_cli_pairs {
    struct sch_cli_pair *list;
    uint32_t count, room;
    size_t words; /* of an invocation */
};

/* Pairs what invocations are given, or what they leave. LIMIT: memory. */
enum sch_cli_exit sch_cli_pair_inputs(struct sch_cli_party parties[2], struct sch_cli_pairs *pairs);
enum sch_cli_exit sch_cli_pair_outputs(struct sch_cli_party parties[2], struct sch_cli_pairs *pairs);
void sch_cli_pairs_release(struct sch_cli_pairs *pairs);

/* Adds a pair that has no seats yet; NULL: memory. Gives all of them their places among the words of an invocation. */
struct sch_cli_pair *sch_cli_pair_add(struct sch_cli_pairs *pairs, const char *name);
void sch_cli_pairs_place(struct sch_cli_pairs *pairs);

/* Whether it is a register of Maxwell code, which has one word. */
static inline bool sch_cli_seat_is_scalar(const struct sch_cli_seat *seat)
{
    return seat->file == SCH_FILE_TEMPORARY || seat->file == SCH_FILE_ADDRESS || seat->file == SCH_FILE_NULL;
}

/* IN[2], IN[0][2], CONST[1][3], R[4]: as vectors and `eval` spell it. */
void sch_cli_seat_name(const struct sch_cli_seat *seat, uint32_t vertex, char name[40]);

#endif
