/* See texture_file.h. */
#include "texture_file.h"

#include <string.h>

#include "../support/text.h"
#include "common/common.h"
#include "texture_data.h"

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* What the library has to say about a file that it reads all the same. */
struct listener {
    const char *name;
    enum sch_cli_exit exit_code; /* NO: the warning is an error */
    bool silent;
};

static void hear(void *user, unsigned code, const char *message)
{
    struct listener *listener = user;
    const struct sch_diagnostic_info report = {.size = sizeof report,
                                               .severity = SCH_SEVERITY_WARNING,
                                               .code = code,
                                               .source = listener->name,
                                               .message = message};
    if (!listener->silent) listener->exit_code = sch_cli_worse(listener->exit_code, sch_cli_warn_report(&report, NULL));
}

/* Whether a file that is refused is one that --lenient reads. */
static bool is_cut(const struct sch_cli_input *input, const struct sch_file_read_options *options)
{
    struct listener nobody = {.silent = true};
    struct sch_file_read_options again = *options;
    struct sch_file_texture texture = {.size = sizeof texture};
    if (options->lenient) return false;
    again.lenient = true;
    again.warn_user = &nobody;
    const bool cut = sch_file_texture_read(&again, input->data, input->bytes, &texture, NULL) == SCH_OK;
    sch_file_texture_release(&texture);
    return cut;
}

enum sch_cli_exit sch_cli_texture_file_decode(struct sch_context *context, const struct sch_cli_input *input,
                                              bool colors, struct sch_cli_texture_file *file)
{
    struct sch_file_error error = {.size = sizeof error};
    struct sch_context_memory room = {.size = sizeof room};
    *file = (struct sch_cli_texture_file){.texture.size = sizeof file->texture, .bytes = input->bytes};
    enum sch_result result = sch_context_get_memory(context, &room);
    /* Texels are held twice until a texture has them: refused by the header where that is too much. */
    const size_t half = (room.limit - room.held) / 2;
    const struct sch_file_options limits = {
        .size = sizeof limits, .memory = &room.memory, .max_bytes = half ? half : 1};
    struct listener listener = {.name = input->name};
    const struct sch_file_read_options options = {.size = sizeof options,
                                                  .limits = &limits,
                                                  .as_colors = colors,
                                                  .warn = hear,
                                                  .warn_user = &listener,
                                                  .lenient = sch_cli_given()->of_files.lenient};
    file->kind = sch_file_kind_of(input->data, input->bytes);
    if (result == SCH_OK) result = sch_file_texture_read(&options, input->data, input->bytes, &file->texture, &error);
    if (result == SCH_OK) return listener.exit_code;
    const struct sch_cli_location location = {.input = input};
    const char *hint = is_cut(input, &options) ? "; --lenient reads what is there" : "";
    sch_cli_report(&location, error.code, "%s%s", *error.message ? error.message : sch_result_text(result), hint);
    return sch_cli_exit_of(result);
}

enum sch_cli_exit sch_cli_texture_file_read(struct sch_context *context, const char *path, bool colors,
                                            struct sch_cli_texture_file *file)
{
    struct sch_cli_input input;
    *file = (struct sch_cli_texture_file){.texture.size = sizeof file->texture};
    enum sch_cli_exit exit_code = sch_cli_read_bytes(path, &input);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_file_decode(context, &input, colors, file);
    sch_cli_input_release(&input);
    return exit_code;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

/* The endings of the kinds that are written: ".png, .pnm, ..." */
static void list_endings(char *text, size_t room)
{
    struct sch_file_kind_info info = {.size = sizeof info};
    for (int kind = SCH_FILE_KIND_PNG; sch_file_kind_get_info((enum sch_file_kind)kind, &info) == SCH_OK; kind++)
        for (const char *word = info.writes ? info.extensions : ""; *word;) {
            const size_t bytes = strcspn(word, " ");
            sch_text_add(text, room, "%s.%.*s", *text ? ", " : "", (int)bytes, word);
            word += bytes;
            word += *word == ' ';
        }
}

enum sch_cli_exit sch_cli_texture_file_kind(const char *path, enum sch_file_kind *kind)
{
    struct sch_file_kind_info info = {.size = sizeof info};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    *kind = SCH_FILE_KIND_PNG;
    if (!dot || strcmp(path, "-") == 0) return SCH_CLI_YES;
    *kind = sch_file_kind_by_name(path);
    const bool known = sch_file_kind_get_info(*kind, &info) == SCH_OK;
    if (known && info.writes) return SCH_CLI_YES;
    char endings[200] = "";
    list_endings(endings, sizeof endings);
    if (known && info.needs)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: %s is written with %s, which this build lacks; others end in %s", path,
                            info.name, info.needs, endings);
    if (known)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: %s is read, but not written; what is written ends in %s", path,
                            info.name, endings);
    return sch_cli_fail(SCH_CLI_USAGE, "%s: no kind of picture ends in %s; what is written ends in %s", path, dot,
                        endings);
}

enum sch_cli_exit sch_cli_picture_output(const char *path, const char **output)
{
    enum sch_file_kind kind;
    const enum sch_cli_exit exit_code = sch_cli_texture_file_kind(path, &kind);
    if (exit_code == SCH_CLI_YES) *output = path;
    return exit_code;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* What the options say of it. */
static struct sch_file_write_options write_options(void)
{
    static const enum sch_file_supercompression schemes[] = {
        SCH_FILE_SUPERCOMPRESSION_NONE, SCH_FILE_SUPERCOMPRESSION_ZSTD, SCH_FILE_SUPERCOMPRESSION_ZLIB};
    const struct sch_cli_values *given = sch_cli_given();
    return (struct sch_file_write_options){.size = sizeof(struct sch_file_write_options),
                                           .has_compression = given->compress.has_compress,
                                           .compression = given->compress.compress,
                                           .supercompression = schemes[given->of_convert.supercompress],
                                           .threads = given->threads.threads};
}

static enum sch_cli_exit refused(const char *path, enum sch_result result, const struct sch_file_error *error)
{
    const struct sch_cli_input input = {.name = path};
    const struct sch_cli_location location = {.input = &input};
    sch_cli_report(&location, error->code, "%s", *error->message ? error->message : sch_result_text(result));
    return sch_cli_exit_of(result);
}

static enum sch_cli_exit say_format(const char *path, enum sch_file_kind kind, enum sch_format from, enum sch_format to)
{
    struct sch_file_kind_info info = {.size = sizeof info};
    sch_file_kind_get_info(kind, &info);
    return sch_cli_fail(SCH_CLI_YES, "%s: %s does not hold these texels of %s: they are written as %s", path, info.name,
                        sch_cli_format_name(from), sch_cli_format_name(to));
}

/* Again, as what the kind holds. `error` is of the first try. */
static enum sch_cli_exit write_fitted(struct sch_context *context, const char *path, enum sch_file_kind kind,
                                      const struct sch_file_texture *texture, struct sch_file_bytes *file,
                                      struct sch_file_error *error)
{
    struct sch_file_texture fitted = *texture;
    fitted.memory = (struct sch_allocator){0}; /* the texels are the caller's */
    enum sch_cli_exit exit_code = sch_cli_texture_fit(context, path, kind, &fitted);
    if (exit_code == SCH_CLI_NO) exit_code = refused(path, SCH_ERROR_UNSUPPORTED, error);
    if (exit_code == SCH_CLI_YES) {
        const struct sch_file_write_options how = write_options();
        const enum sch_result result = sch_file_texture_write(&how, kind, &fitted, file, error);
        exit_code =
            result == SCH_OK ? say_format(path, kind, texture->format, fitted.format) : refused(path, result, error);
    }
    if (fitted.memory.free) sch_file_texture_release(&fitted);
    return exit_code;
}

static enum sch_cli_exit check_shape(const char *path, enum sch_file_kind kind, const struct sch_file_texture *texture)
{
    struct sch_file_kind_info info = {.size = sizeof info};
    if (sch_file_kind_get_info(kind, &info) != SCH_OK || info.textures || sch_cli_texture_is_picture(texture))
        return SCH_CLI_YES;
    return sch_cli_fail(
        SCH_CLI_UNSUPPORTED,
        "%s: %s holds one 2D picture; say which one of %u levels and %u layers (level, layer, face), or "
        "write a .dds, .ktx or .ktx2",
        path, info.name, texture->levels, texture->target == SCH_TARGET_3D ? texture->depth : texture->layers);
}

enum sch_cli_exit sch_cli_texture_file_write(struct sch_context *context, const char *path, enum sch_file_kind kind,
                                             const struct sch_file_texture *texture)
{
    struct sch_file_bytes file = {0};
    struct sch_file_error error = {.size = sizeof error};
    struct sch_context *made = NULL;
    enum sch_cli_exit exit_code = check_shape(path, kind, texture);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const struct sch_file_write_options how = write_options();
    const enum sch_result result = sch_file_texture_write(&how, kind, texture, &file, &error);
    if (result == SCH_ERROR_UNSUPPORTED && error.code && error.code == sch_error_number("FILE_FORMAT")) {
        if (!context && sch_cli_plain_context_create(&made) != SCH_OK) return sch_cli_no_memory();
        exit_code = write_fitted(context ? context : made, path, kind, texture, &file, &error);
        sch_context_destroy(made);
    } else if (result != SCH_OK) {
        exit_code = refused(path, result, &error);
    }
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_write(path, file.data, file.bytes);
    sch_file_bytes_release(&file);
    return exit_code;
}

struct sch_file_texture sch_cli_flat(enum sch_format format, uint32_t width, uint32_t height, uint8_t *texels,
                                     size_t bytes)
{
    return (struct sch_file_texture){.size = sizeof(struct sch_file_texture),
                                     .target = SCH_TARGET_2D,
                                     .format = format,
                                     .width = width,
                                     .height = height,
                                     .depth = 1,
                                     .layers = 1,
                                     .levels = 1,
                                     .texels = texels,
                                     .bytes = bytes};
}
