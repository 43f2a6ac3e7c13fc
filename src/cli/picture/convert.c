/* scheelite convert: a picture or texture as a file of another kind, in another format, or a part of it. */
#include <string.h>

#include "common/common.h"
#include "common/progress.h"
#include "common/words.h"
#include "texture_data.h"
#include "texture_file.h"

struct wanted {
    const char *input, *output;
    enum sch_format format; /* NONE: the input's */
    enum sch_target target;
    struct sch_cli_part part;
    uint32_t levels;
    bool has_levels, has_target;
};

static enum sch_cli_exit take_format(struct wanted *wanted, const char *value)
{
    wanted->format = sch_format_by_name(value);
    if (wanted->format > SCH_FORMAT_NONE) return SCH_CLI_YES;
    struct sch_nearest nearest = sch_nearest_format(value, strlen(value));
    return sch_cli_usage_error(&sch_cli_convert, "--format: there is no format %s%s", value,
                               sch_nearest_said(&nearest));
}

static enum sch_cli_exit take_target(struct wanted *wanted, const char *value)
{
    struct sch_nearest nearest = sch_cli_nearest_target(value, strlen(value));
    bool compares;
    if (!sch_cli_find_target(value, strlen(value), &wanted->target, &compares) || compares)
        return sch_cli_usage_error(&sch_cli_convert, "--target: there is no target %s%s", value,
                                   nearest.apart ? sch_nearest_said(&nearest) : "");
    wanted->has_target = true;
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_mips(struct wanted *wanted, const char *value)
{
    uint64_t number = 0;
    wanted->has_levels = true;
    if (strcmp(value, "make") != 0 && !sch_cli_number(value, 1, 32, &number))
        return sch_cli_usage_error(&sch_cli_convert, "--mips is a number of levels from 1, or make, not %s", value);
    wanted->levels = (uint32_t)number;
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_convert_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct wanted *wanted = user;
    switch (option) {
    case SCH_OPTION_CONVERT_FORMAT:
        return take_format(wanted, value);
    case SCH_OPTION_CONVERT_TARGET:
        return take_target(wanted, value);
    case SCH_OPTION_CONVERT_MIPS:
        return take_mips(wanted, value);
    default:
        return sch_cli_part_take(verb, &wanted->part, option, value);
    }
}

static enum sch_cli_exit read_convert_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    const enum sch_cli_exit exit_code = sch_cli_parse(arguments, take_convert_option, wanted);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const char *output = arguments->values.of_convert.output;
    wanted->input = arguments->files[0];
    return output ? sch_cli_picture_output(output, &wanted->output)
                  : sch_cli_usage_error(&sch_cli_convert, "where to? (-o FILE)");
}

static enum sch_cli_exit retarget(const struct wanted *wanted, struct sch_file_texture *texture)
{
    const bool cube = wanted->target == SCH_TARGET_CUBE || wanted->target == SCH_TARGET_CUBE_ARRAY;
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (!wanted->has_target) return exit_code;
    if (cube && sch_cli_texture_is_cross(texture)) exit_code = sch_cli_texture_uncross(wanted->input, texture);
    if (exit_code != SCH_CLI_YES || sch_cli_texture_retarget(texture, wanted->target)) return exit_code;
    return sch_cli_fail(
        SCH_CLI_NO, "%s: %u x %u x %u texels with %u layers and %u levels are not a texture of that target",
        wanted->input, texture->width, texture->height, texture->depth, texture->layers, texture->levels);
}

static enum sch_cli_exit convert(const struct wanted *wanted, struct sch_context *context)
{
    struct sch_cli_texture_file file;
    enum sch_file_kind kind;
    enum sch_cli_exit exit_code = sch_cli_texture_file_read(context, wanted->input, false, &file);
    struct sch_file_texture *texture = &file.texture;
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_pick(wanted->input, texture, &wanted->part);
    if (exit_code == SCH_CLI_YES) exit_code = retarget(wanted, texture);
    if (exit_code == SCH_CLI_YES && wanted->format)
        exit_code = sch_cli_texture_convert(context, wanted->input, texture, wanted->format);
    if (exit_code == SCH_CLI_YES && wanted->has_levels)
        exit_code = sch_cli_texture_set_levels(context, wanted->input, texture, wanted->levels);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_file_kind(wanted->output, &kind);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_file_write(context, wanted->output, kind, texture);
    sch_file_texture_release(texture);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_convert(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    struct sch_context *context = NULL;
    enum sch_cli_exit exit_code = read_convert_arguments(arguments, &wanted);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (sch_cli_plain_context_create(&context) != SCH_OK) return sch_cli_no_memory();
    sch_cli_progress_begin(&sch_cli_convert, false);
    exit_code = convert(&wanted, context);
    sch_context_destroy(context);
    return exit_code;
}
