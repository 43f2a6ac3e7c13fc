/* scheelite info: what a shader is; files of pictures and textures: info_file.c. */
#include <scheelite/files.h>

#include <stdlib.h>
#include <string.h>

#include "../support/words.h"
#include "common/files.h"
#include "common/hlsl_file.h"
#include "inputs/reading.h"
#include "read.h"

const char *sch_cli_stage_word(enum sch_stage stage) { return sch_stage_words[stage]; }

/* The stage in a word: containers without a program have none. */
static const char *stage_of(const struct sch_cli_shader *shader, const struct sch_shader_info *info)
{
    struct sch_d3d_info d3d = {.size = sizeof d3d};
    bool none = sch_shader_get_d3d_info(shader->shader, &d3d) == SCH_OK && !*d3d.stage;
    return none ? "none" : sch_cli_stage_word(info->stage);
}

/* The files that info lists. */
static const struct registers {
    enum sch_file file;
    const char *word, *key;
} files[] = {{SCH_FILE_INPUT, "IN", "input_registers"},
             {SCH_FILE_OUTPUT, "OUT", "output_registers"},
             {SCH_FILE_SYSTEM_VALUE, "SV", "system_value_registers"}};

static void put_registers(struct sch_json *json, const struct sch_shader *shader, const struct registers *of)
{
    struct sch_register_info at = {.size = sizeof at};
    sch_json_list(json, of->key, false);
    for (uint32_t i = 0; sch_shader_register(shader, of->file, i, &at); i++) {
        const bool named = at.semantic >= 0;
        char name[32];
        snprintf(name, sizeof name, "%s%s[%u]", of->word, at.per_vertex ? "[]" : "", at.index);
        sch_json_row(json, name);
        SCH_JSON_FIELDS(json, SCH_JSON_SHOWN("index", at.index, ""),
                        SCH_JSON_TEXT("semantic", named ? at.semantic_name : NULL),
                        SCH_JSON_SHOWN("semantic_index", at.semantic_index, named ? NULL : ""));
        if (!json->lines) sch_json_bool(json, "per_vertex", at.per_vertex);
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void print_shader_info(const struct sch_cli_shader *shader, const struct sch_shader_info *info, bool as_json)
{
    struct sch_json json;
    char hash[20];
    const bool d3d = sch_shader_language(shader->shader) == SCH_LANGUAGE_D3D; /* its signatures say more */
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)info->hash);
    sch_json_document(&json, stdout, "scheelite-info/1", as_json);
    if (as_json) sch_json_text(&json, "file", shader->input.name);
    if (shader->input.length) {
        SCH_JSON_FIELDS(&json, SCH_JSON_NUMBER("shader", shader->input.nth),
                        SCH_JSON_NUMBER("line", shader->input.line));
    }
    if (as_json) sch_json_text(&json, "kind", d3d ? "d3d" : "tgsi");
    SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("stage", stage_of(shader, info)), SCH_JSON_TEXT("hash", hash));
    SCH_JSON_FIELDS(
        &json, SCH_JSON_NUMBER("instructions", info->instructions), SCH_JSON_NUMBER("declarations", info->declarations),
        SCH_JSON_NUMBER("immediates", info->immediates), SCH_JSON_NUMBER("properties", info->properties),
        SCH_JSON_NUMBER("inputs", info->inputs), SCH_JSON_NUMBER("outputs", info->outputs),
        SCH_JSON_NUMBER("system_values", info->system_values), SCH_JSON_NUMBER("temporaries", info->temporaries),
        SCH_JSON_NUMBER("samplers", info->samplers), SCH_JSON_NUMBER("sampler_views", info->sampler_views),
        SCH_JSON_NUMBER("images", info->images), SCH_JSON_NUMBER("buffers", info->buffers),
        SCH_JSON_NUMBER("constant_buffers", info->constant_buffers));
    if (as_json)
        sch_json_numbers(&json, "block", info->block, 3);
    else if (info->stage == SCH_STAGE_COMPUTE)
        printf("block\t%ux%ux%u\n", info->block[0], info->block[1], info->block[2]);
    for (size_t i = 0; (as_json || !d3d) && i < sizeof files / sizeof *files; i++)
        put_registers(&json, shader->shader, &files[i]);
    sch_cli_d3d_info(shader->shader, &json);
    sch_json_end(&json);
}

struct wanted {
    struct sch_cli_files files;
    bool any;      /* a file was described */
    bool any_part; /* likewise a shader of it */
    struct sch_cli_reading reading;
    bool json;
};

static enum sch_cli_exit describe(const struct wanted *wanted, const struct sch_cli_shader *shader)
{
    struct sch_shader_info info = {.size = sizeof info};
    if (sch_shader_language(shader->shader) == SCH_LANGUAGE_MAXWELL) return sch_cli_info_maxwell(shader, wanted->json);
    enum sch_result result = sch_shader_get_info(shader->shader, &info);
    if (result != SCH_OK) return sch_cli_result(result, NULL, shader->input.name);
    print_shader_info(shader, &info, wanted->json);
    return SCH_CLI_YES;
}

/* sch_cli_shader_fn: several are a list in JSON, of those that can be read. */
static enum sch_cli_exit describe_shader(void *user, const struct sch_cli_shader *shader, uint32_t number,
                                         uint32_t count, enum sch_cli_exit exit_code)
{
    struct wanted *wanted = user;
    if (wanted->json && number == 1) puts("[");
    exit_code = sch_cli_worse(exit_code, sch_cli_print_diagnostics(shader->list, &shader->input));
    if (exit_code == SCH_CLI_YES) {
        if (wanted->any_part) puts(wanted->json ? "," : "");
        exit_code = describe(wanted, shader);
        wanted->any_part = wanted->any_part || exit_code == SCH_CLI_YES;
    }
    if (wanted->json && number == count) puts("]");
    return exit_code;
}

static enum sch_cli_exit describe_file(struct wanted *wanted, const char *path)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit_code = sch_cli_read_source(path, &input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    wanted->any_part = false;
    if (wanted->reading.kind != SCH_KIND_AUTO || sch_file_kind_of(input.data, input.bytes) == SCH_FILE_KIND_UNKNOWN)
        return sch_cli_reading_each(&wanted->reading, &input, describe_shader, wanted);
    exit_code = sch_cli_info_file(&input, wanted->json);
    sch_cli_input_release(&input);
    return exit_code;
}

static enum sch_cli_exit read_info_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_reading_take(&wanted->reading, arguments);
    wanted->json = arguments->values.json.json;
    return exit_code == SCH_CLI_YES
               ? sch_cli_files_take(&wanted->files, arguments, arguments->values.text_output.output)
               : exit_code;
}

static enum sch_cli_exit describe_one(void *user, const char *path, const char **ending)
{
    struct wanted *wanted = user;
    const bool listed = wanted->json && !wanted->files.output && wanted->files.count > 1;
    *ending = wanted->json ? ".json" : ".txt";
    if (listed && wanted->any) puts(",");
    wanted->any = true;
    const enum sch_cli_exit exit_code = describe_file(wanted, path);
    if (listed && exit_code != SCH_CLI_YES) puts("null"); /* the list has an entry for each file */
    return exit_code;
}

enum sch_cli_exit sch_cli_main_info(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    enum sch_cli_exit exit_code = read_info_arguments(arguments, &wanted);
    const bool listed = exit_code == SCH_CLI_YES && wanted.json && !wanted.files.output && wanted.files.count > 1;
    if (listed) puts("[");
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_each_file(&wanted.files, wanted.json ? NULL : "file\t", describe_one, &wanted);
    if (listed) puts("]");
    sch_cli_files_release(&wanted.files);
    return exit_code;
}
