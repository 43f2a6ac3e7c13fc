/* Textures of files in memory: parts of them, other formats, levels that are made, crosses that become cubes. Knows no
 * kinds of files (texture_file.h). */
#ifndef SCH_CLI_TEXTURE_DATA_H
#define SCH_CLI_TEXTURE_DATA_H

#include <scheelite/files.h>

#include "common/state.h"

static inline bool sch_cli_is_cube(enum sch_target target)
{
    return target == SCH_TARGET_CUBE || target == SCH_TARGET_CUBE_ARRAY;
}

/* Creates a resource; makes the levels after the first `levels`, each from the one before it. They print why not. */
enum sch_cli_exit sch_cli_resource_create(struct sch_context *context, const char *name,
                                          const struct sch_resource_options *shape, struct sch_resource **resource);
enum sch_cli_exit sch_cli_resource_make_mips(struct sch_context *context, const char *name,
                                             struct sch_resource *resource, uint32_t levels);

/* The first makes a resource from a texture; levels after the texture's own are zeros. The second puts the resource's
 * texels, in the context's memory, in place of the texture's, which are freed unless `texture->memory` is zero. Errors
 * are reported with `name`. */
enum sch_cli_exit sch_cli_texture_upload(struct sch_context *context, const char *name,
                                         const struct sch_file_texture *texture, uint32_t levels, bool decoded,
                                         struct sch_resource **resource);
enum sch_cli_exit sch_cli_texture_download(struct sch_context *context, const char *name,
                                           const struct sch_resource *resource, struct sch_file_texture *texture);

/* Converts all texels, as blits do. */
enum sch_cli_exit sch_cli_texture_convert(struct sch_context *context, const char *name,
                                          struct sch_file_texture *texture, enum sch_format format);

/* Depth as red, stencil as a fraction: formats of colours with the bits of others, so that blits take them. */
enum sch_cli_exit sch_cli_texture_as_color(struct sch_context *context, const char *name,
                                           struct sch_file_texture *texture);

/* Takes levels away, or makes what is missing from the last that is there. 0: all down to one texel. */
enum sch_cli_exit sch_cli_texture_set_levels(struct sch_context *context, const char *name,
                                             struct sch_file_texture *texture, uint32_t levels);
/* Whether levels can be made of texels of a format; if they are compressed, that is reported as the reason. */
enum sch_cli_exit sch_cli_check_means(const char *name, enum sch_format format);
uint32_t sch_cli_texture_full_levels(const struct sch_file_texture *texture);

/* The same bytes as another target: layers as faces, rows below each other as faces. False: they are not. */
bool sch_cli_texture_retarget(struct sch_file_texture *texture, enum sch_target target);

/* A cross of six squares becomes those squares one below another, in the order of a cube's faces. Whether it is one:
 * four squares in three rows (or three in four), the middle row being -X +Z +X -Z (-X +Z +X); above +Z is +Y and below
 * -Y, and in the upright one -Z, upside down, below that. */
bool sch_cli_texture_is_cross(const struct sch_file_texture *texture);
enum sch_cli_exit sch_cli_texture_uncross(const char *name, struct sch_file_texture *texture);

/* Which part is meant. */
struct sch_cli_part {
    bool has_level, has_layer, has_face;
    uint32_t level, layer, face;
};

/* Takes level, layer or face. */
enum sch_cli_taken sch_cli_part_option(struct sch_cli_part *part, const char *name, size_t name_bytes,
                                       const char *value, struct sch_cli_complaint *complaint);
/* The same of an option of a verb, by its number; USAGE, and said. */
enum sch_cli_exit sch_cli_part_take(const struct sch_cli_verb *verb, struct sch_cli_part *part, int option,
                                    const char *value);
bool sch_cli_part_has(const char *name, size_t name_bytes);

/* Leaves that part alone in the texture: of an array a layer, of a cube a face, of a 3D texture a slice. */
enum sch_cli_exit sch_cli_texture_pick(const char *name, struct sch_file_texture *texture,
                                       const struct sch_cli_part *part);

/* Whether it is one picture: 2D, with one level. */
bool sch_cli_texture_is_picture(const struct sch_file_texture *texture);

#endif
