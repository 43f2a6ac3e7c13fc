/* scheelite info: what a shader is; files of pictures and textures: info_file.c. */
#include <scheelite/files.h>

#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "hlsl_file.h"
#include "info_file.h"
#include "maxwell.h"

const char *sch_cli_stage_word(enum sch_stage stage)
{
    static const char *const words[] = {
        [SCH_STAGE_VERTEX] = "vertex",     [SCH_STAGE_TESS_CTRL] = "tess_ctrl", [SCH_STAGE_TESS_EVAL] = "tess_eval",
        [SCH_STAGE_GEOMETRY] = "geometry", [SCH_STAGE_FRAGMENT] = "fragment",   [SCH_STAGE_COMPUTE] = "compute"};
    return words[stage];
}

struct count {
    const char *name;
    uint32_t value;
};

enum { COUNTS = 13 };

static void list_counts(const struct sch_shader_info *info, struct count counts[COUNTS])
{
    const struct count all[COUNTS] = {{"instructions", info->instructions},
                                      {"declarations", info->declarations},
                                      {"immediates", info->immediates},
                                      {"properties", info->properties},
                                      {"inputs", info->inputs},
                                      {"outputs", info->outputs},
                                      {"system_values", info->system_values},
                                      {"temporaries", info->temporaries},
                                      {"samplers", info->samplers},
                                      {"sampler_views", info->sampler_views},
                                      {"images", info->images},
                                      {"buffers", info->buffers},
                                      {"constant_buffers", info->constant_buffers}};
    memcpy(counts, all, sizeof all);
}

/* The stage in a word: containers without a program have none. */
static const char *stage_of(const struct sch_cli_shader *shader, const struct sch_shader_info *info)
{
    struct sch_d3d_info d3d = {.size = sizeof d3d};
    bool none = sch_shader_get_d3d_info(shader->shader, &d3d) == SCH_OK && !*d3d.stage;
    return none ? "none" : sch_cli_stage_word(info->stage);
}

static const char *const file_words[] = {
    [SCH_FILE_INPUT] = "IN", [SCH_FILE_OUTPUT] = "OUT", [SCH_FILE_SYSTEM_VALUE] = "SV"};

static void print_text(const struct sch_cli_shader *shader, const struct sch_shader_info *info)
{
    struct count counts[COUNTS];
    list_counts(info, counts);
    if (shader->input.length) printf("shader\t%u\nline\t%u\n", shader->input.nth, shader->input.line);
    printf("stage\t%s\nhash\t%016llx\n", stage_of(shader, info), (unsigned long long)info->hash);
    for (size_t i = 0; i < COUNTS; i++) printf("%s\t%u\n", counts[i].name, counts[i].value);
    if (info->stage == SCH_STAGE_COMPUTE) printf("block\t%ux%ux%u\n", info->block[0], info->block[1], info->block[2]);
    bool d3d = sch_shader_language(shader->shader) == SCH_LANGUAGE_D3D; /* its signatures say more */
    for (int file = SCH_FILE_INPUT; !d3d && file <= SCH_FILE_SYSTEM_VALUE; file++) {
        struct sch_register_info at = {.size = sizeof at};
        for (uint32_t i = 0; sch_shader_register(shader->shader, (enum sch_file)file, i, &at); i++) {
            printf("%s%s[%u]", file_words[file], at.per_vertex ? "[]" : "", at.index);
            if (at.semantic >= 0) printf("\t%s\t%u", at.semantic_name, at.semantic_index);
            putchar('\n');
        }
    }
    sch_cli_d3d_info(shader->shader, false);
}

static void print_json_registers(const struct sch_shader *shader, enum sch_file file, const char *name)
{
    struct sch_register_info at = {.size = sizeof at};
    printf(",\n  \"%s_registers\": [", name);
    for (uint32_t i = 0; sch_shader_register(shader, file, i, &at); i++) {
        printf("%s\n    {\"index\": %u, \"semantic\": ", i ? "," : "", at.index);
        if (at.semantic >= 0)
            sch_cli_json_string(stdout, at.semantic_name);
        else
            fputs("null", stdout);
        printf(", \"semantic_index\": %u, \"per_vertex\": %s}", at.semantic_index, at.per_vertex ? "true" : "false");
    }
    putchar(']');
}

static void print_json(const struct sch_cli_shader *shader, const struct sch_shader_info *info)
{
    struct count counts[COUNTS];
    list_counts(info, counts);
    fputs("{\n  \"schema\": \"scheelite-info/1\",\n  \"file\": ", stdout);
    sch_cli_json_string(stdout, shader->input.name);
    if (shader->input.length) printf(",\n  \"shader\": %u,\n  \"line\": %u", shader->input.nth, shader->input.line);
    bool d3d = sch_shader_language(shader->shader) == SCH_LANGUAGE_D3D;
    printf(",\n  \"kind\": \"%s\",\n  \"stage\": \"%s\",\n  \"hash\": \"%016llx\"", d3d ? "d3d" : "tgsi",
           stage_of(shader, info), (unsigned long long)info->hash);
    for (size_t i = 0; i < COUNTS; i++) printf(",\n  \"%s\": %u", counts[i].name, counts[i].value);
    printf(",\n  \"block\": [%u, %u, %u]", info->block[0], info->block[1], info->block[2]);
    print_json_registers(shader->shader, SCH_FILE_INPUT, "input");
    print_json_registers(shader->shader, SCH_FILE_OUTPUT, "output");
    print_json_registers(shader->shader, SCH_FILE_SYSTEM_VALUE, "system_value");
    sch_cli_d3d_info(shader->shader, true);
    fputs("\n}\n", stdout);
}

struct wanted {
    const char *file;
    struct sch_cli_files files;
    bool any; /* a file was described */
    enum sch_kind kind;
    struct sch_cli_maxwell_options maxwell;
    bool json;
    uint32_t nth;
};

static enum sch_cli_exit describe_shader(const struct wanted *wanted, const struct sch_cli_shader *shader)
{
    struct sch_shader_info info = {.size = sizeof info};
    enum sch_result result = sch_shader_get_info(shader->shader, &info);
    if (result != SCH_OK) return sch_cli_result(result, NULL, shader->input.name);
    if (wanted->json)
        print_json(shader, &info);
    else
        print_text(shader, &info);
    return SCH_CLI_YES;
}

/* All shaders of a text that can be read; as JSON a list. */
static enum sch_cli_exit describe_parts(const struct wanted *wanted, struct sch_cli_input *input,
                                        const struct sch_text_shader *list, size_t count)
{
    enum sch_cli_exit exit = SCH_CLI_YES;
    bool first = true;
    if (wanted->json) puts("[");
    for (uint32_t n = 1; n <= count; n++) {
        sch_cli_choose(input, list, n);
        struct sch_cli_shader shader = {.input = *input};
        enum sch_cli_exit one = sch_cli_shader_parse(wanted->kind, &shader);
        one = sch_cli_worse(one, sch_cli_print_diagnostics(shader.list, &shader.input));
        if (one == SCH_CLI_YES && !first) puts(wanted->json ? "," : "");
        if (one == SCH_CLI_YES) one = describe_shader(wanted, &shader);
        first = first && one != SCH_CLI_YES;
        shader.input.data = NULL; /* the caller's */
        sch_cli_shader_release(&shader);
        exit = sch_cli_worse(exit, one);
    }
    if (wanted->json) puts("]");
    return exit;
}

static enum sch_cli_exit describe(const struct wanted *wanted)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit = sch_cli_read_source(wanted->file, &input);
    if (exit != SCH_CLI_YES) return exit;
    if (wanted->kind == SCH_KIND_AUTO && sch_file_kind_of(input.data, input.bytes) != SCH_FILE_KIND_UNKNOWN) {
        exit = sch_cli_info_file(&input, wanted->json);
        sch_cli_input_release(&input);
        return exit;
    }
    if (sch_cli_is_maxwell(&wanted->maxwell, wanted->kind, &input))
        return sch_cli_maxwell_info(&wanted->maxwell, &input, wanted->json);
    struct sch_text_shader *list;
    size_t count;
    exit = sch_cli_shaders(&input, wanted->kind, &list, &count);
    struct sch_cli_shader shader = {.input = input};
    if (exit == SCH_CLI_YES && count > 1 && !wanted->nth) {
        exit = describe_parts(wanted, &input, list, count);
    } else if (exit == SCH_CLI_YES) {
        input.nth = wanted->nth;
        exit = sch_cli_shader_take(&input, wanted->kind, &shader);
        exit = sch_cli_worse(exit, sch_cli_print_diagnostics(shader.list, &shader.input));
        if (exit == SCH_CLI_YES) exit = describe_shader(wanted, &shader);
    }
    free(list);
    sch_cli_shader_release(&shader);
    return exit;
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        enum sch_cli_exit exit = SCH_CLI_YES;
        if (option == SCH_CLI_STOP) return arguments->exit;
        if (option == SCH_OPTION_KIND)
            exit = sch_cli_any_kind(&sch_cli_info, arguments->value, &wanted->kind, &wanted->maxwell);
        else if (option == SCH_OPTION_KERNEL)
            wanted->maxwell.kernel = arguments->value;
        else if (option == SCH_OPTION_ARCH)
            exit = sch_cli_arch(&sch_cli_info, arguments->value, &wanted->maxwell);
        else if (option == SCH_OPTION_CODE_OFFSET)
            exit = sch_cli_maxwell_offset(&sch_cli_info, arguments->value, &wanted->maxwell);
        else if (option == SCH_OPTION_JSON)
            wanted->json = true;
        else if (option == SCH_OPTION_NTH)
            exit = sch_cli_nth(&sch_cli_info, arguments->value, &wanted->nth);
        else if (option == SCH_OPTION_RECURSIVE)
            wanted->files.recursive = true;
        else if (option == SCH_OPTION_TEXT_OUTPUT)
            wanted->files.output = arguments->value;
        else
            exit = sch_cli_files_add(&wanted->files, arguments->value);
        if (exit != SCH_CLI_YES) return exit;
    }
    return sch_cli_files_settle(&sch_cli_info, &wanted->files);
}

static enum sch_cli_exit describe_one(void *user, const char *path, const char **ending)
{
    struct wanted *wanted = user;
    const bool listed = wanted->json && !wanted->files.output && wanted->files.count > 1;
    *ending = wanted->json ? ".json" : ".txt";
    wanted->file = path;
    if (listed && wanted->any) puts(",");
    wanted->any = true;
    const enum sch_cli_exit exit = describe(wanted);
    if (listed && exit != SCH_CLI_YES) puts("null"); /* the list has an entry for each file */
    return exit;
}

enum sch_cli_exit sch_cli_main_info(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_info, .argc = argc, .argv = argv};
    struct wanted wanted = {.kind = SCH_KIND_AUTO};
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    const bool listed = exit == SCH_CLI_YES && wanted.json && !wanted.files.output && wanted.files.count > 1;
    if (listed) puts("[");
    if (exit == SCH_CLI_YES)
        exit = sch_cli_each_file(&wanted.files, wanted.json ? NULL : "file\t", describe_one, &wanted);
    if (listed) puts("]");
    sch_cli_files_release(&wanted.files);
    return exit;
}
