/* Images of the command line, before and after a run. */
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "common/words.h"
#include "picture/texels.h"
#include "picture/texture_data.h"
#include "picture/texture_file.h"

enum sch_cli_exit sch_cli_image_source(const struct sch_cli_verb *verb, const char *option, struct sch_cli_image *image,
                                       const char *source)
{
    static const char key[] = ",target=";
    free(image->source);
    image->target = SCH_TARGET_2D;
    image->has_target = false;
    image->source = strdup(source);
    if (!image->source) return sch_cli_no_memory();
    char *target = strstr(image->source, key);
    bool compares;
    if (!target) return SCH_CLI_YES;
    const char *word = target + sizeof key - 1, *rest = word + strcspn(word, ",");
    if (!sch_cli_find_target(word, (size_t)(rest - word), &image->target, &compares) || compares) {
        struct sch_nearest nearest = sch_cli_nearest_target(word, strcspn(word, ","));
        return sch_cli_usage_error(verb, "%s: there is no target %s%s", option, word, sch_nearest_said(&nearest));
    }
    image->has_target = true;
    memmove(target, rest, strlen(rest) + 1);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_image_load(struct sch_context *context, struct sch_cli_image *image)
{
    struct sch_cli_texels texels;
    const struct sch_cli_texels_options options = {
        .text = image->source, .target = image->target, .has_target = image->has_target};
    enum sch_cli_exit exit_code = sch_cli_texels_load(context, &options, &texels);
    if (exit_code != SCH_CLI_YES) return exit_code;
    image->resource = texels.resource;
    enum sch_result result = sch_image_create(image->resource, NULL, &image->image);
    if (result == SCH_OK) return SCH_CLI_YES;
    return sch_cli_fail(sch_cli_exit_of(result), "%s: it cannot be an image: %s", image->source,
                        sch_result_text(result));
}

/* All bytes in their order. */
static enum sch_cli_exit write_bytes(const struct sch_cli_image *image)
{
    size_t bytes = sch_resource_bytes(image->resource);
    uint8_t *data = malloc(bytes);
    if (!data) return sch_cli_no_memory();
    enum sch_result result = sch_resource_read_all(image->resource, data, bytes);
    enum sch_cli_exit exit_code =
        result == SCH_OK ? sch_cli_write(image->output, data, bytes) : sch_cli_exit_of(result);
    free(data);
    return exit_code;
}

/* A file that does not hold textures has layers and slices below each other. */
static void stack(struct sch_file_texture *texture, bool textures)
{
    if (texture->target == SCH_TARGET_RECT) texture->target = SCH_TARGET_2D;
    if (texture->target == SCH_TARGET_BUFFER) texture->target = SCH_TARGET_1D;
    if (textures || texture->levels > 1) return;
    texture->height *= texture->depth * texture->layers;
    texture->depth = texture->layers = 1;
    texture->target = SCH_TARGET_2D;
}

static enum sch_cli_exit write_file(struct sch_context *context, const struct sch_cli_image *image,
                                    enum sch_file_kind kind)
{
    struct sch_file_texture texture = {.size = sizeof texture};
    struct sch_file_kind_info info = {.size = sizeof info};
    struct sch_resource_info is = {.size = sizeof is};
    sch_resource_get_info(image->resource, 0, &is);
    if (is.samples > 1)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: no kind of file has %u samples a texel", image->output,
                            is.samples);
    enum sch_cli_exit exit_code = sch_cli_texture_download(context, image->output, image->resource, &texture);
    if (exit_code != SCH_CLI_YES) return exit_code;
    sch_file_kind_get_info(kind, &info);
    stack(&texture, info.textures);
    exit_code = sch_cli_texture_file_write(context, image->output, kind, &texture);
    sch_file_texture_release(&texture);
    return exit_code;
}

enum sch_cli_exit sch_cli_image_write(struct sch_context *context, const struct sch_cli_image *image)
{
    struct sch_file_kind_info info = {.size = sizeof info};
    const enum sch_file_kind kind = sch_file_kind_by_name(image->output);
    if (sch_file_kind_get_info(kind, &info) == SCH_OK && info.writes) return write_file(context, image, kind);
    return write_bytes(image);
}
