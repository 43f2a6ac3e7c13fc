/* Images of the command line, before and after a run. */
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "render_target.h"
#include "setup.h"
#include "texels.h"

/* The N of N=FILE; NULL, and the usage error was said, when there is none. */
static struct sch_cli_image *numbered(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *option,
                                      const char *text, const char **rest)
{
    uint32_t number = sch_cli_take_file_slot(verb, setup, SCH_CLI_IMAGE_SLOTS, option, text, rest);
    if (number == UINT32_MAX) return NULL;
    if (setup->images <= number) setup->images = number + 1;
    return &setup->image[number];
}

enum sch_cli_exit sch_cli_image_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    const char *rest;
    struct sch_cli_image *image = numbered(verb, setup, "--image", text, &rest);
    return image ? sch_cli_image_source(verb, "--image", image, rest) : SCH_CLI_USAGE;
}

enum sch_cli_exit sch_cli_image_source(const struct sch_cli_verb *verb, const char *option, struct sch_cli_image *image,
                                       const char *source)
{
    free(image->source);
    image->target = SCH_TARGET_2D;
    image->source = strdup(source);
    if (!image->source) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    char *target = strstr(image->source, ",target=");
    int number;
    if (!target) return SCH_CLI_YES;
    *target = 0;
    target += strlen(",target=");
    if (!sch_cli_find_word(sch_cli_targets, target, strlen(target), &number) || number >= SCH_CLI_SHADOW)
        return sch_cli_usage_error(verb, "%s: there is no target %s", option, target);
    image->target = (enum sch_target)number;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_image_output(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text)
{
    const char *rest;
    struct sch_cli_image *image = numbered(verb, setup, "--image-out", text, &rest);
    if (image) image->output = rest;
    return image ? SCH_CLI_YES : SCH_CLI_USAGE;
}

enum sch_cli_exit sch_cli_image_load(struct sch_context *context, struct sch_cli_image *image)
{
    struct sch_cli_texels texels;
    const struct sch_cli_texels_options options = {image->source, image->target, false};
    enum sch_cli_exit exit = sch_cli_texels_load(context, &options, &texels);
    if (exit != SCH_CLI_YES) return exit;
    image->resource = texels.resource;
    const struct sch_resource_info *is = &texels.is;
    if (is->format == SCH_FORMAT_R8G8B8A8_UNORM && is->levels == 1 && is->samples == 1) {
        image->width = is->width;
        image->rows = is->height * is->depth * is->layers;
    }
    enum sch_result result = sch_image_create(image->resource, NULL, &image->image);
    if (result == SCH_OK) return SCH_CLI_YES;
    return sch_cli_fail(sch_cli_exit_of(result), "%s: it cannot be an image: %s", image->source,
                        sch_result_text(result));
}

enum sch_cli_exit sch_cli_images_load(struct sch_cli_setup *setup, struct sch_context *context)
{
    for (unsigned i = 0; i < setup->images; i++) {
        struct sch_cli_image *image = &setup->image[i];
        if (image->output && !image->source)
            return sch_cli_fail(SCH_CLI_USAGE, "--image-out %u: there is no --image %u", i, i);
        enum sch_cli_exit exit = image->source ? sch_cli_image_load(context, image) : SCH_CLI_YES;
        if (exit != SCH_CLI_YES) return exit;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit write_image(const struct sch_cli_image *image)
{
    size_t bytes = sch_resource_bytes(image->resource);
    const char *ending = strrchr(image->output, '.');
    uint8_t *data = malloc(bytes);
    if (!data) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    enum sch_result result = sch_resource_read_all(image->resource, data, bytes);
    enum sch_cli_exit exit = sch_cli_exit_of(result);
    bool picture = image->rows && ending && strcmp(ending, ".png") == 0;
    const struct sch_cli_render_target render_target = {image->width, image->rows, data};
    if (result == SCH_OK)
        exit = picture ? sch_cli_render_target_write(&render_target, image->output)
                       : sch_cli_write(image->output, data, bytes);
    free(data);
    return exit;
}

enum sch_cli_exit sch_cli_images_write(const struct sch_cli_setup *setup)
{
    for (unsigned i = 0; i < setup->images; i++) {
        enum sch_cli_exit exit = setup->image[i].output ? write_image(&setup->image[i]) : SCH_CLI_YES;
        if (exit != SCH_CLI_YES) return exit;
    }
    return SCH_CLI_YES;
}

void sch_cli_images_release(struct sch_cli_setup *setup)
{
    for (unsigned i = 0; i < SCH_CLI_IMAGES + SCH_CLI_PLACED; i++) {
        sch_image_destroy(setup->image[i].image);
        sch_resource_destroy(setup->image[i].resource);
        free(setup->image[i].source);
    }
}
