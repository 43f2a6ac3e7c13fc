/* What scheelite info says of a file of pictures or textures. */
#include "read.h"

#include "picture/texture_data.h"
#include "picture/texture_file.h"

static void print_file_info(const struct sch_cli_texture_file *file, const char *name, bool as_json)
{
    const struct sch_file_texture *texture = &file->texture;
    struct sch_file_kind_info kind = {.size = sizeof kind};
    static const char *const transfers[] = {[SCH_FILE_TRANSFER_UNKNOWN] = "unknown",
                                            [SCH_FILE_TRANSFER_LINEAR] = "linear",
                                            [SCH_FILE_TRANSFER_SRGB] = "srgb",
                                            [SCH_FILE_TRANSFER_GAMMA] = "gamma"};
    struct sch_json json;
    sch_file_kind_get_info(file->kind, &kind);
    sch_json_document(&json, stdout, "scheelite-info-texture/1", as_json);
    if (as_json) sch_json_text(&json, "file", name);
    SCH_JSON_FIELDS(
        &json, SCH_JSON_TEXT("kind", kind.name), SCH_JSON_TEXT("format", sch_cli_format_name(texture->format)),
        SCH_JSON_TEXT("target", sch_target_words[texture->target]), SCH_JSON_NUMBER("width", texture->width),
        SCH_JSON_NUMBER("height", texture->height), SCH_JSON_NUMBER("depth", texture->depth),
        SCH_JSON_NUMBER("layers", texture->layers), SCH_JSON_NUMBER("levels", texture->levels),
        SCH_JSON_NUMBER("bytes", texture->bytes), SCH_JSON_NUMBER("file_bytes", file->bytes),
        SCH_JSON_TEXT("transfer", transfers[texture->transfer]));
    if (texture->transfer == SCH_FILE_TRANSFER_GAMMA) sch_json_real(&json, "gamma", (double)texture->gamma);
    sch_json_bool(&json, "premultiplied", texture->premultiplied);
    sch_json_end(&json);
}

enum sch_cli_exit sch_cli_info_file(const struct sch_cli_input *input, bool json)
{
    struct sch_context *context = NULL;
    struct sch_cli_texture_file file;
    if (sch_cli_plain_context_create(&context) != SCH_OK) return sch_cli_no_memory();
    const enum sch_cli_exit exit_code = sch_cli_texture_file_decode(context, input, false, &file);
    if (exit_code == SCH_CLI_YES) print_file_info(&file, input->name, json);
    sch_file_texture_release(&file.texture);
    sch_context_destroy(context);
    return exit_code;
}
