/* What the verbs that run shaders share: the engine's options, constants and textures of the command line. */
#ifndef SCH_CLI_SETUP_H
#define SCH_CLI_SETUP_H

#include "buffer.h"
#include "common/state.h"
#include "common/value.h"
#include "image.h"
#include "inputs/reading.h"
#include "interface.h"
#include "machine.h"
#include "memory.h"
#include "slots.h"

enum { SCH_CLI_CONSTANT_BUFFERS = 32, SCH_CLI_TEXTURES = 128, SCH_CLI_CONSTANT_REGISTERS = 65536 };

/* Constant buffers, register by register. */
struct sch_cli_constants {
    struct {
        uint32_t *words; /* four a register */
        uint32_t registers;
    } buffer[SCH_CLI_CONSTANT_BUFFERS + SCH_CLI_PLACED]; /* by slot */
};

/* Puts a register; false: memory. `buffer` is a slot, `index` below the limit above. */
bool sch_cli_constants_put(struct sch_cli_constants *constants, unsigned buffer, unsigned index,
                           const uint32_t words[4]);
bool sch_cli_constants_copy(struct sch_cli_constants *to, const struct sch_cli_constants *from);
bool sch_cli_constants_equal(const struct sch_cli_constants *a, const struct sch_cli_constants *b);
void sch_cli_constants_release(struct sch_cli_constants *constants);

/* How one --const was written; the texts are the command line's. */
struct sch_cli_constant_text {
    uint32_t buffer, index;
    bool spaced;
    unsigned count;
    struct sch_cli_spelled value[4];
    const char *text[4], *end[4];
};

/* How one --tex was written. */
struct sch_cli_texture {
    char *path; /* NULL: this number is not bound */
    struct sch_cli_state options;
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_sampler *state;
};

/* How one --sampler was written. */
struct sch_cli_sampler {
    bool given; /* else the texture of this number brings one, if it is bound */
    struct sch_cli_state options;
    struct sch_sampler *state;
};

/* What registers may be bound to, by slots. */
enum sch_cli_slot_kind {
    SCH_CLI_CONSTANT_SLOTS,
    SCH_CLI_TEXTURE_SLOTS,
    SCH_CLI_SAMPLER_SLOTS,
    SCH_CLI_BUFFER_SLOTS,
    SCH_CLI_IMAGE_SLOTS,
    SCH_CLI_SLOT_KINDS
};

/* The arrays of struct sch_bindings, which are made when the shader is known. */
struct sch_cli_arrays {
    struct sch_constant_buffer *constants;
    struct sch_view **views;
    struct sch_sampler **samplers;
    struct sch_storage_buffer *buffers, *counters;
    struct sch_image **images;
    uint32_t count[SCH_CLI_SLOT_KINDS], counter_count;
};

struct sch_cli_setup {
    struct sch_cli_reading reading;
    struct sch_program_options program;
    const char *lookup_code;              /* a file of Maxwell code that texture lookups run as; NULL: none */
    bool both;                            /* run by the interpreter and as machine code, and compare */
    struct sch_dispatch_options dispatch; /* its list, once the setup is loaded: */
    struct sch_diagnostics_list *refused; /* why a dispatch has no machine code; what is read and not bound */
    struct sch_cli_constants constants;
    struct sch_cli_constant_text *constant_texts;
    uint32_t constant_text_count;
    struct sch_cli_slots slots[SCH_CLI_SLOT_KINDS];
    bool spaces; /* the shader has register spaces: slots are settled with it */
    struct sch_cli_arrays arrays;
    struct sch_cli_texture texture[SCH_CLI_TEXTURES + SCH_CLI_PLACED];
    uint32_t textures; /* highest bound slot + 1 */
    struct sch_cli_sampler sampler[SCH_CLI_TEXTURES + SCH_CLI_PLACED];
    uint32_t samplers; /* likewise */
    struct sch_cli_buffer buffer[SCH_CLI_BUFFERS + SCH_CLI_PLACED];
    uint32_t buffers;   /* likewise */
    uint32_t *counters; /* of the buffers' slots: they begin at 0 and live as long as the buffers */
    struct sch_cli_image image[SCH_CLI_IMAGES + SCH_CLI_PLACED];
    uint32_t images; /* likewise */
    struct sch_cli_memory memory;
    struct sch_cli_interfaces interfaces;
    struct sch_cli_machine machine; /* of Maxwell code */
    const char *not_of_code;        /* an option that was given and is not for Maxwell code; NULL: there is none */
};

/* Room for the registers of invocations, of zeros, and how many bytes it has. False: memory. */
bool sch_cli_registers(size_t invocations, uint32_t registers, uint32_t **words, size_t *bytes);

void sch_cli_setup_init(struct sch_cli_setup *setup);
void sch_cli_setup_release(struct sch_cli_setup *setup);

/* What --engine calls one; the engine of a word that an option has. */
const char *sch_cli_engine_word(enum sch_engine engine);
enum sch_engine sch_cli_engine_of(const char *word);

/* Reads all arguments of a verb: what options say of how a shader is run goes to the setup. `take` gets the options
 * whose values the verb reads itself (OWN), and hands those of the groups that bind something to sch_cli_setup_option;
 * NULL: there are only these. */
enum sch_cli_exit sch_cli_setup_parse(struct sch_cli_setup *setup, struct sch_cli_arguments *arguments,
                                      sch_cli_own_fn *take, void *user);

/* Takes an option that binds something: sch_cli_own_fn, of a setup. */
enum sch_cli_exit sch_cli_setup_option(void *user, const struct sch_cli_verb *verb, int option, const char *value);

/* What arguments that were parsed say of how a shader is run. */
enum sch_cli_exit sch_cli_setup_take(struct sch_cli_setup *setup, const struct sch_cli_arguments *arguments);

/* Loads the textures, buffers and images, or the machine of Maxwell code; writes what is to be written after the
 * run. */
enum sch_cli_exit sch_cli_setup_load(struct sch_cli_setup *setup, const struct sch_cli_shader *shader);

/* The slot of the register that an option names: [SPACE:]N before a sign, after which *rest begins. UINT32_MAX: the
 * usage error was reported; `syntax` is what the option takes. */
uint32_t sch_cli_take_slot(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, enum sch_cli_slot_kind kind,
                           const char *syntax, const char *text, const char **rest);
/* The same for an option that takes N=FILE. */
uint32_t sch_cli_take_file_slot(const struct sch_cli_verb *verb, struct sch_cli_setup *setup,
                                enum sch_cli_slot_kind kind, const char *option, const char *text, const char **rest);

/* Finds the units of all slots that are given, and makes the arrays: usage errors where the shader has no such
 * register. */
enum sch_cli_exit sch_cli_slots_settle(struct sch_cli_setup *setup, const struct sch_shader *shader);

/* Which entry of the bindings a slot is, and which one the sampler that comes with a texture; SCH_CLI_NO_UNIT: none. */
uint32_t sch_cli_unit(const struct sch_cli_setup *setup, enum sch_cli_slot_kind kind, uint32_t slot);
uint32_t sch_cli_texture_sampler(const struct sch_cli_setup *setup, uint32_t slot);

/* Prepares the program; reports what is wrong with it and was not said of the shader before. */
enum sch_cli_exit sch_cli_program_create(const struct sch_program_options *options, const struct sch_cli_shader *shader,
                                         struct sch_program **program);

/* Likewise, and slots and interfaces are settled with what the shader has. */
enum sch_cli_exit sch_cli_setup_program(struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                        struct sch_program **program);

struct sch_cli_bindings {
    struct sch_image *color_buffers[SCH_CLI_IMAGES];
    struct sch_bindings bindings;
};

/* `bound` points into itself and into the two others, and into arrays of the setup, which the next call fills again. */
void sch_cli_bind(const struct sch_cli_setup *setup, const struct sch_cli_constants *constants,
                  struct sch_cli_bindings *bound);

/* The exit code of a dispatch with the setup's options; prints where a budget or the work ran out, a
 * barrier waits, the shader aborted or the dispatch was to end, and why there is no machine code. `who` names the
 * invocation. */
enum sch_cli_exit sch_cli_dispatched(const struct sch_cli_setup *setup, enum sch_result result,
                                     const struct sch_dispatch_report *report, const struct sch_cli_shader *shader,
                                     const char *who);

/* Prints the warnings of the dispatches, and which options bind what is read and not bound. After the last dispatch. */
void sch_cli_setup_warn(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader);

#endif
