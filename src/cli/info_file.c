/* What scheelite info says of a file of pictures or textures. */
#include "info_file.h"

#include "texture_data.h"
#include "texture_file.h"

/* The word of a target, as --target takes it. */
static const char *target_word(enum sch_target target)
{
    for (const struct sch_cli_word *word = sch_cli_targets; word->word; word++)
        if (word->value == (int)target) return word->word;
    return "?";
}

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

static void print(const struct sch_cli_texture_file *file, const char *name, bool json)
{
    const struct sch_file_texture *texture = &file->texture;
    struct sch_file_kind_info kind = {.size = sizeof kind};
    sch_file_kind_get_info(file->kind, &kind);
    const struct number numbers[] = {{"width", texture->width},   {"height", texture->height},
                                     {"depth", texture->depth},   {"layers", texture->layers},
                                     {"levels", texture->levels}, {"bytes", texture->bytes},
                                     {"file_bytes", file->bytes}};
    if (json) {
        printf("{\n  \"schema\": \"scheelite-info-texture/1\",\n  \"file\": ");
        sch_cli_json_string(stdout, name);
    }
    printf(json ? ",\n  \"kind\": \"%s\",\n  \"format\": \"%s\",\n  \"target\": \"%s\""
                : "kind\t%s\nformat\t%s\ntarget\t%s\n",
           kind.name, sch_cli_format_name(texture->format), target_word(texture->target));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        printf(json ? ",\n  \"%s\": %llu" : "%s\t%llu\n", numbers[i].name, (unsigned long long)numbers[i].value);
    printf(json ? ",\n  \"transfer\": \"%s\"" : "transfer\t%s\n", transfer_word(texture->transfer));
    if (texture->transfer == SCH_FILE_TRANSFER_GAMMA)
        printf(json ? ",\n  \"gamma\": %.9g" : "gamma\t%.9g\n", (double)texture->gamma);
    if (json)
        printf(",\n  \"premultiplied\": %s\n}\n", texture->premultiplied ? "true" : "false");
    else
        printf("premultiplied\t%s\n", texture->premultiplied ? "yes" : "no");
}

enum sch_cli_exit sch_cli_info_file(const struct sch_cli_input *input, bool json)
{
    struct sch_context *context = NULL;
    struct sch_cli_texture_file file;
    if (sch_cli_plain_context_create(&context) != SCH_OK) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    const enum sch_cli_exit exit = sch_cli_texture_file_decode(context, input, false, &file);
    if (exit == SCH_CLI_YES) print(&file, input->name, json);
    sch_file_texture_release(&file.texture);
    sch_context_destroy(context);
    return exit;
}
