/* How a verb reads its inputs: -x, --arch, --kernel, --offset and --nth of the command line. */
#ifndef SCH_CLI_READING_H
#define SCH_CLI_READING_H

#include "maxwell.h"

struct sch_cli_reading {
    enum sch_kind kind;
    struct sch_cli_maxwell_options maxwell;
    uint32_t nth; /* which shader of several; 0: not said */
};

/* Fills what the options say into `*reading`. */
enum sch_cli_exit sch_cli_reading_take(struct sch_cli_reading *reading, const struct sch_cli_arguments *arguments);

/* Reads a shader of any language from bytes, which are taken over; or from a file to run it, where Maxwell code is
 * checked, too. The reports are in its list. Release it whatever was returned. */
enum sch_cli_exit sch_cli_reading_shader(const struct sch_cli_reading *reading, struct sch_cli_input *input,
                                         struct sch_cli_shader *shader);
enum sch_cli_exit sch_cli_reading_file(const struct sch_cli_reading *reading, const char *path,
                                       struct sch_cli_shader *shader);
/* The same of a file; a Direct3D shader becomes what it is lowered to, and the reports are printed. */
enum sch_cli_exit sch_cli_reading_load(const struct sch_cli_reading *reading, const char *path,
                                       struct sch_cli_shader *shader);

/* What a verb does with a shader of an input: number `number` of `count`, or the only one, 0. `exit_code`: how it was
 * read; the reports are in its list. */
typedef enum sch_cli_exit sch_cli_shader_fn(void *user, const struct sch_cli_shader *shader, uint32_t number,
                                            uint32_t count, enum sch_cli_exit exit_code);

/* Does it with the shader that --nth says, else with each that an input holds, which is taken over. The worst exit code
 * is returned. */
enum sch_cli_exit sch_cli_reading_each(const struct sch_cli_reading *reading, struct sch_cli_input *input,
                                       sch_cli_shader_fn *one, void *user);

/* Raw Maxwell code, and that of an object file, becomes the text that dis prints of it, which has lines. */
enum sch_cli_exit sch_cli_reading_list(struct sch_cli_shader *shader);

#endif
