/* The colours and the depth of a picture that run draws, and where they go: -o and --target N|depth=FILE[,format=F]. */
#ifndef SCH_CLI_TARGETS_H
#define SCH_CLI_TARGETS_H

#include <scheelite/files.h>

#include "common/cli.h"

/* The depth that the shader writes, as it writes it: POSITION.z. */
enum { SCH_CLI_DEPTH = SCH_COLOR_BUFFERS };

/* What one output of the fragment shader becomes. */
struct sch_cli_target {
    uint32_t index; /* of its COLOR, or SCH_CLI_DEPTH */
    char *path;
    enum sch_file_kind kind;
    /* NONE: R8G8B8A8_UNORM where the kind holds that, else floats as they are; of depth Z32_FLOAT */
    enum sch_format format;
    uint8_t *texels; /* rows from t = 0, zero before */
    bool words;      /* four words a texel, as the program wrote them; else four bytes */
};

enum { SCH_CLI_TARGETS = 16 };
struct sch_cli_targets {
    struct sch_cli_target list[SCH_CLI_TARGETS];
    uint32_t count;
};

/* Take FILE of COLOR 0, and N=FILE[,format=F] or depth=FILE[,format=F]. */
enum sch_cli_exit sch_cli_targets_output(const struct sch_cli_verb *verb, struct sch_cli_targets *targets,
                                         const char *path);
enum sch_cli_exit sch_cli_targets_option(const struct sch_cli_verb *verb, struct sch_cli_targets *targets,
                                         const char *text);

/* FILE[,format=F]: only FILE is left of the text. */
enum sch_cli_exit sch_cli_take_picture(const struct sch_cli_verb *verb, char *text, enum sch_file_kind *kind,
                                       enum sch_format *format);

/* Texels of zeros for all of them; files of all of them; an end. */
enum sch_cli_exit sch_cli_targets_allocate(struct sch_cli_targets *targets, uint32_t width, uint32_t height);
enum sch_cli_exit sch_cli_targets_write(const struct sch_cli_targets *targets, struct sch_context *context,
                                        uint32_t width, uint32_t height);
void sch_cli_targets_release(struct sch_cli_targets *targets);

size_t sch_cli_target_texel_bytes(const struct sch_cli_target *target);

#endif
