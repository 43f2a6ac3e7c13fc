/* See scene_files.h. */
#include "scene_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../support/text.h"
#include "common/common.h"
#include "picture/targets.h"
#include "picture/texture_data.h"
#include "picture/texture_file.h"

enum sch_cli_exit sch_cli_scene_files_option(const struct sch_cli_verb *verb, struct sch_cli_scene_files *files,
                                             const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == text || !equals[1])
        return sch_cli_usage_error(verb, "--target is TEXTURE=FILE[,format=F], or the TEXTURE of -o, not %s", text);
    if (files->count == SCH_CLI_SCENE_FILES)
        return sch_cli_usage_error(verb, "--target can be given %d times", SCH_CLI_SCENE_FILES);
    struct sch_cli_scene_file *file = &files->list[files->count++];
    *file = (struct sch_cli_scene_file){.text = strdup(text)};
    if (!file->text) return sch_cli_no_memory();
    char *path = file->text + (equals - text);
    *path++ = 0;
    file->texture = file->text;
    file->path = path;
    return sch_cli_take_picture(verb, path, &file->kind, &file->format);
}

static enum sch_cli_exit write_picture(const struct sch_cli_scene_file *file, struct sch_context *context,
                                       const struct sch_scene_picture *picture, bool numbers)
{
    struct sch_file_texture texture = sch_cli_flat(numbers ? picture->format : SCH_FORMAT_R8G8B8A8_UNORM,
                                                   picture->width, picture->height, picture->texels, picture->bytes);
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    enum sch_format format = file->format;
    if (numbers && !format && sch_cli_texture_file_holds(file->kind, picture->own)) format = picture->own;
    if (format) exit_code = sch_cli_texture_convert(context, file->path, &texture, format);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_file_write(context, file->path, file->kind, &texture);
    if (texture.memory.free) sch_file_texture_release(&texture);
    return exit_code;
}

enum sch_cli_exit sch_cli_scene_file_write(const struct sch_cli_scene_file *file, struct sch_context *context,
                                           struct sch_scene_player *player, const char *name)
{
    struct sch_scene_picture picture = {0};
    struct sch_file_kind_info info = {.size = sizeof info};
    sch_file_kind_get_info(file->kind, &info);
    /* The kind is for numbers, or the format that is asked for needs them. */
    const bool numbers =
        file->format || info.textures || !sch_cli_texture_file_holds(file->kind, SCH_FORMAT_R8G8B8A8_UNORM);
    const enum sch_result result = sch_scene_player_picture(player, file->texture, numbers, &picture);
    /* A wrong call of the library is what the scene says wrongly. */
    if (result != SCH_OK)
        return sch_cli_fail(result == SCH_ERROR_ARGUMENT ? SCH_CLI_NO : sch_cli_exit_of(result), "%s: no picture: %s",
                            name, picture.problem);
    const enum sch_cli_exit exit_code = write_picture(file, context, &picture, numbers);
    free(picture.texels);
    return exit_code;
}

void sch_cli_scene_files_release(struct sch_cli_scene_files *files)
{
    for (uint32_t i = 0; i < files->count; i++) free(files->list[i].text);
    files->count = 0;
}

/* ---- files that a scene names ---- */

/* A path of the scene: relative ones begin in its folder. NULL: memory. */
static char *resolve(const char *scene, const char *path)
{
    const char *slash = *path == '/' ? NULL : strrchr(scene, '/');
    const size_t folder = slash ? (size_t)(slash - scene) + 1 : 0;
    char *whole = malloc(folder + strlen(path) + 1);
    if (!whole) return NULL;
    memcpy(whole, scene, folder);
    strcpy(whole + folder, path);
    return whole;
}

void sch_cli_scene_read_file(const char *scene, const char *path, struct sch_player_file *file)
{
    char *whole = resolve(scene, path);
    FILE *opened = whole ? fopen(whole, "rb") : NULL;
    if (opened) file->data = sch_text_read(opened, sch_cli_largest_input(), &file->bytes);
    if (!file->data) snprintf(file->problem, sizeof file->problem, "%s", strerror(whole ? errno : ENOMEM));
    if (opened) fclose(opened);
    free(whole);
}
