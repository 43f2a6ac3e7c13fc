/* What `compare` binds where no option does: textures, buffers and images with random contents, samplers, for every
 * register that a shader names. They are options, as somebody could have typed them. */
#ifndef SCH_CLI_RANDOM_BINDINGS_H
#define SCH_CLI_RANDOM_BINDINGS_H

#include "bind/setup.h"

/* Options with their values. */
struct sch_cli_words {
    struct sch_cli_said {
        enum sch_cli_option_id option;
        char *value;
    } * list;
    uint32_t count;
};
/* Adds an option; false: memory. */
bool sch_cli_words_add(struct sch_cli_words *words, enum sch_cli_option_id option, const char *value);
void sch_cli_words_release(struct sch_cli_words *words);

/* What a shader names of the numbers that options bind; of a second shader more. */
struct sch_cli_named {
    struct {
        const char *target; /* as TGSI has it; NULL: it names no such view */
        enum sch_return_type type;
        bool compares, plain; /* plain: what is RECT for one shader and 2D for the other */
    } view[SCH_CLI_TEXTURES];
    bool sampler[SCH_CLI_TEXTURES], buffer[SCH_CLI_BUFFERS], counters[SCH_CLI_BUFFERS];
    struct {
        const char *target; /* NULL: it names no such image */
        enum sch_format format;
    } image[SCH_CLI_IMAGES];
    bool global, input; /* kinds of MEMORY */
};

/* Adds what the shader names, which is lowered. `spaces`: it has register spaces; then those of space 0 count, by their
 * registers. False: memory. */
bool sch_cli_named_add(struct sch_cli_named *named, const struct sch_cli_shader *shader, bool spaces);

/* Adds the options for what is named and not bound by the setup. `rules`: whose lookups follow. */
bool sch_cli_make_bindings(const struct sch_cli_named *named, const struct sch_cli_setup *setup, const char *rules,
                           struct sch_cli_words *words);

#endif
