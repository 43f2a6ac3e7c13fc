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

/* The shaders that an input holds: as sch_cli_shaders. */
enum sch_cli_exit sch_cli_reading_shaders(const struct sch_cli_reading *reading, const struct sch_cli_input *input,
                                          struct sch_text_shader **list, size_t *count);

/* Reads a shader of any language from bytes, which are taken over; or from a file to run it, where Maxwell code is
 * checked, too. The reports are in its list. Release it whatever was returned. */
enum sch_cli_exit sch_cli_reading_shader(const struct sch_cli_reading *reading, struct sch_cli_input *input,
                                         struct sch_cli_shader *shader);
enum sch_cli_exit sch_cli_reading_file(const struct sch_cli_reading *reading, const char *path,
                                       struct sch_cli_shader *shader);
/* The same of a file; a Direct3D shader becomes what it is lowered to, and the reports are printed. */
enum sch_cli_exit sch_cli_reading_load(const struct sch_cli_reading *reading, const char *path,
                                       struct sch_cli_shader *shader);

/* Raw Maxwell code, and that of an object file, becomes the text that dis prints of it, which has lines. */
enum sch_cli_exit sch_cli_reading_list(struct sch_cli_shader *shader);

#endif
