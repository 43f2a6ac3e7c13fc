/* What scheelite info says of a file of pictures or textures. */
#include "info_file.h"

#include "../support/json.h"
#include "common/cli.h"
#include "picture/texture_data.h"
#include "picture/texture_file.h"

static const char *transfer_word(enum sch_file_transfer transfer)
{
    static const char *const words[] = {[SCH_FILE_TRANSFER_UNKNOWN] = "unknown",
                                        [SCH_FILE_TRANSFER_LINEAR] = "linear",
                                        [SCH_FILE_TRANSFER_SRGB] = "srgb",
                                        [SCH_FILE_TRANSFER_GAMMA] = "gamma"};
    return words[transfer];
}

struct number {
    const char *name;
    uint64_t value;
};

static void print_file_info(const struct sch_cli_texture_file *file, const char *name, bool as_json)
{
    const struct sch_file_texture *texture = &file->texture;
    struct sch_file_kind_info kind = {.size = sizeof kind};
    struct sch_json json;
    sch_file_kind_get_info(file->kind, &kind);
    const struct number numbers[] = {{"width", texture->width},   {"height", texture->height},
                                     {"depth", texture->depth},   {"layers", texture->layers},
                                     {"levels", texture->levels}, {"bytes", texture->bytes},
                                     {"file_bytes", file->bytes}};
    sch_json_document(&json, stdout, "scheelite-info-texture/1", as_json);
    if (as_json) sch_json_text(&json, "file", name);
    SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("kind", kind.name),
                    SCH_JSON_TEXT("format", sch_cli_format_name(texture->format)),
                    SCH_JSON_TEXT("target", sch_target_words[texture->target]));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sch_json_number(&json, numbers[i].name, numbers[i].value);
    sch_json_text(&json, "transfer", transfer_word(texture->transfer));
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
