/* What eval, trace and debug of Maxwell code are given: a program, pools, banks, memory, textures, and lanes. Holds
 * nothing of what is done with them. */
#ifndef SCH_CLI_MAXWELL_INPUT_H
#define SCH_CLI_MAXWELL_INPUT_H

#include "inputs/maxwell.h"
#include "maxwell_lanes.h"
#include "maxwell_textures.h"

struct sch_cli_maxwell_input {
    const struct sch_cli_verb *verb; /* the form of it */
    struct sch_cli_maxwell_options options;
    struct sch_cli_machine machine;
    struct sch_program_options program_options;
    const char *file, *vectors, *headers, *samplers, *constants;
    char *memory;               /* up to the @ */
    struct sch_cli_setup setup; /* its textures */
    enum sch_cli_floats floats;
    bool json;
    uint32_t line; /* whose lane is looked at; 0: the first one */
    bool listed;   /* what is no text becomes its listing */

    /* Once it is open: */
    struct sch_cli_maxwell maxwell;
    char *listing;  /* that the program was read from; NULL: it was text, or is none */
    uint32_t count; /* of instructions, without the NOPs that fill the last bundle */
    struct sch_program *program;

    /* Its own. */
    struct sch_cli_input table, pools[2], constant_file, memory_file;
    void *assembled[2];
    uint32_t *words;
    struct sch_cli_maxwell_textures textures;
};

void sch_cli_maxwell_input_init(struct sch_cli_maxwell_input *input, const struct sch_cli_verb *form);
void sch_cli_maxwell_input_release(struct sch_cli_maxwell_input *input);

/* Takes an option of the groups that say what runs and with what, or the file; others are none of it. */
enum sch_cli_exit sch_cli_maxwell_input_option(struct sch_cli_maxwell_input *input, int option, const char *value);

/* Loads everything, and makes the program. */
enum sch_cli_exit sch_cli_maxwell_input_open(struct sch_cli_maxwell_input *input);

/* The group of the line, its lane, and what its lines say of the lanes. NO, and said: there is none. */
enum sch_cli_exit sch_cli_lanes_find(const struct sch_cli_maxwell_input *input, struct sch_cli_lane_reader *reader,
                                     struct sch_cli_warp *group,
                                     enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES], unsigned *lane);

#endif
