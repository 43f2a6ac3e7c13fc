/* See targets.h. */
#include "targets.h"

#include <stdlib.h>
#include <string.h>

#include "texture_data.h"
#include "texture_file.h"

enum sch_cli_exit sch_cli_take_picture(const struct sch_cli_verb *verb, char *text, enum sch_file_kind *kind,
                                       enum sch_format *format)
{
    static const char key[] = ",format=";
    char *comma = strstr(text, key);
    *format = SCH_FORMAT_NONE;
    if (comma) {
        const char *name = comma + sizeof key - 1;
        *format = sch_format_by_name(name);
        if (*format <= SCH_FORMAT_NONE) {
            struct sch_nearest nearest = sch_nearest_format(name, strlen(name));
            return sch_cli_usage_error(verb, "--target: there is no format %s%s", name, sch_nearest_said(&nearest));
        }
        *comma = 0;
    }
    return sch_cli_texture_file_kind(text, kind);
}

static enum sch_cli_exit add(const struct sch_cli_verb *verb, struct sch_cli_targets *targets, uint32_t index,
                             const char *text, bool has_format)
{
    if (targets->count == SCH_CLI_TARGETS)
        return sch_cli_usage_error(verb, "-o and --target can be given %d times", SCH_CLI_TARGETS);
    struct sch_cli_target *target = &targets->list[targets->count++];
    *target = (struct sch_cli_target){.index = index, .path = strdup(text)};
    if (!target->path) return sch_cli_no_memory();
    const enum sch_cli_exit exit_code = has_format
                                            ? sch_cli_take_picture(verb, target->path, &target->kind, &target->format)
                                            : sch_cli_texture_file_kind(text, &target->kind);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (index == SCH_CLI_DEPTH)
        target->words = true;
    else
        target->words = target->format ? target->format != SCH_FORMAT_R8G8B8A8_UNORM
                                       : !sch_cli_texture_file_holds(target->kind, SCH_FORMAT_R8G8B8A8_UNORM);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_targets_output(const struct sch_cli_verb *verb, struct sch_cli_targets *targets,
                                         const char *path)
{
    return add(verb, targets, 0, path, false);
}

enum sch_cli_exit sch_cli_targets_option(const struct sch_cli_verb *verb, struct sch_cli_targets *targets,
                                         const char *text)
{
    const char *equals = strchr(text, '=');
    char digits[8] = "";
    uint64_t index;
    if (equals && *text == 'o') text++; /* o0, as listings name it */
    if (equals && (size_t)(equals - text) < sizeof digits) memcpy(digits, text, (size_t)(equals - text));
    if (strcmp(digits, "depth") == 0 && equals[1]) return add(verb, targets, SCH_CLI_DEPTH, equals + 1, true);
    if (!sch_cli_number(digits, 0, SCH_COLOR_BUFFERS - 1, &index) || !equals[1])
        return sch_cli_usage_error(
            verb, "--target is N=FILE[,format=F] with N from 0 to %d, or depth=FILE[,format=F], not %s",
            SCH_COLOR_BUFFERS - 1, text);
    return add(verb, targets, (uint32_t)index, equals + 1, true);
}

size_t sch_cli_target_texel_bytes(const struct sch_cli_target *target) { return target->words ? 16 : 4; }

enum sch_cli_exit sch_cli_targets_allocate(struct sch_cli_targets *targets, uint32_t width, uint32_t height)
{
    for (uint32_t i = 0; i < targets->count; i++) {
        struct sch_cli_target *target = &targets->list[i];
        target->texels = calloc((size_t)width * height, sch_cli_target_texel_bytes(target));
        if (!target->texels) return sch_cli_no_memory();
    }
    return SCH_CLI_YES;
}

/* Of the words of POSITION the third, in their place; as depth, unless a format of colours holds it. */
static void take_depth(const struct sch_cli_target *target, struct sch_file_texture *texture)
{
    struct sch_format_info info = {.size = sizeof info};
    const size_t texels = (size_t)texture->width * texture->height;
    for (size_t i = 0; i < texels; i++) memmove(target->texels + 4 * i, target->texels + 16 * i + 8, 4);
    const bool color =
        target->format && sch_format_get_info(target->format, &info) == SCH_OK && info.parts == SCH_PART_COLOR;
    texture->format = color ? SCH_FORMAT_R32_FLOAT : SCH_FORMAT_Z32_FLOAT;
    texture->bytes = 4 * texels;
}

static enum sch_cli_exit write_target(const struct sch_cli_target *target, struct sch_context *context, uint32_t width,
                                      uint32_t height)
{
    struct sch_format_info info = {.size = sizeof info};
    sch_format_get_info(target->format, &info);
    struct sch_file_texture texture = sch_cli_flat(SCH_FORMAT_R8G8B8A8_UNORM, width, height, target->texels,
                                                   (size_t)width * height * sch_cli_target_texel_bytes(target));
    if (target->index == SCH_CLI_DEPTH)
        take_depth(target, &texture);
    else if (target->words && info.integers)
        texture.format = info.is_signed ? SCH_FORMAT_R32G32B32A32_SINT : SCH_FORMAT_R32G32B32A32_UINT;
    else if (target->words)
        texture.format = SCH_FORMAT_R32G32B32A32_FLOAT;
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (target->format) exit_code = sch_cli_texture_convert(context, target->path, &texture, target->format);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_file_write(context, target->path, target->kind, &texture);
    if (texture.memory.free) sch_file_texture_release(&texture);
    return exit_code;
}

enum sch_cli_exit sch_cli_targets_write(const struct sch_cli_targets *targets, struct sch_context *context,
                                        uint32_t width, uint32_t height)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (uint32_t i = 0; i < targets->count && exit_code == SCH_CLI_YES; i++)
        exit_code = write_target(&targets->list[i], context, width, height);
    return exit_code;
}

void sch_cli_targets_release(struct sch_cli_targets *targets)
{
    for (uint32_t i = 0; i < targets->count; i++) {
        free(targets->list[i].path);
        free(targets->list[i].texels);
    }
    targets->count = 0;
}
