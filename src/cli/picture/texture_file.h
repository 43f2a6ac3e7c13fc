/* Files of pictures and textures: one of any kind in, one of the kind that the ending of its name says out. */
#ifndef SCH_CLI_TEXTURE_FILE_H
#define SCH_CLI_TEXTURE_FILE_H

#include <scheelite/files.h>

#include "common/cli.h"

/* A file that was read. Its texels are from the context's memory. */
struct sch_cli_texture_file {
    enum sch_file_kind kind;
    size_t bytes; /* of the file */
    struct sch_file_texture texture;
};

/* Reads all of a file; reports what is wrong with it. `colors`: a PNG of up to 8 bits becomes R8G8B8A8_UNORM, whatever
 * it has. NO also where a warning is an error; release the texture whatever was returned. */
enum sch_cli_exit sch_cli_texture_file_read(struct sch_context *context, const char *path, bool colors,
                                            struct sch_cli_texture_file *file);
enum sch_cli_exit sch_cli_texture_file_decode(struct sch_context *context, const struct sch_cli_input *input,
                                              bool colors, struct sch_cli_texture_file *file);

/* The kind that is written to `path`: what its ending says, PNG where it has none, and for "-". USAGE, and said, where
 * no kind that is written has the ending. */
enum sch_cli_exit sch_cli_texture_file_kind(const char *path, enum sch_file_kind *kind);

/* Notes where a picture is to go, if something can be written there: else USAGE, and said. */
enum sch_cli_exit sch_cli_picture_output(const char *path, const char **output);

/* Writes a texture. Where the kind does not hold its format, the texture becomes the nearest one that it holds, and a
 * note on stderr says so. `context` NULL: one is made where it is needed. */
enum sch_cli_exit sch_cli_texture_file_write(struct sch_context *context, const char *path, enum sch_file_kind kind,
                                             const struct sch_file_texture *texture);

/* One picture, whose texels somebody else frees. */
struct sch_file_texture sch_cli_flat(enum sch_format format, uint32_t width, uint32_t height, uint8_t *texels,
                                     size_t bytes);

/* ---- texture_fit.c ---- */

/* Formats of textures that go into files: which ones a kind of file holds, and what holds the others best. */

/* Whether a kind that is written holds texels of a format. */
bool sch_cli_texture_file_holds(enum sch_file_kind kind, enum sch_format format);

/* Makes the texture one of the nearest format that the kind holds. NO: there is none. */
enum sch_cli_exit sch_cli_texture_fit(struct sch_context *context, const char *path, enum sch_file_kind kind,
                                      struct sch_file_texture *texture);

#endif
