/* Direct3D shaders in `info`: profile, signatures, bindings, chunks, features, statistics, what is nested. */
#include "json.h"

#include <inttypes.h>
#include <string.h>

static const char *const signature_words[] = {[SCH_SIGNATURE_INPUT] = "input",
                                              [SCH_SIGNATURE_OUTPUT] = "output",
                                              [SCH_SIGNATURE_PATCH_CONSTANT] = "patch_constant"};
enum { SIGNATURES = 3 };

/* "xyz", or "-" for none. */
static const char *mask_text(uint8_t mask, char text[5])
{
    size_t length = 0;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1) text[length++] = "xyzw"[i];
    text[length] = 0;
    return length ? text : "-";
}

static const char *register_text(uint32_t number, char text[16])
{
    snprintf(text, 16, number == UINT32_MAX ? "-" : "%" PRIu32, number);
    return text;
}

static uint32_t little(const void *data, size_t word)
{
    const unsigned char *at = (const unsigned char *)data + 4 * word;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool find_chunk(const struct sch_shader *shader, const char *tag, struct sch_chunk_info *chunk)
{
    *chunk = (struct sch_chunk_info){.size = sizeof *chunk};
    for (uint32_t i = 0; sch_shader_chunk(shader, i, chunk); i++)
        if (strcmp(chunk->tag, tag) == 0) return true;
    return false;
}

static void print_text_signatures(const struct sch_shader *shader)
{
    char mask[5], used[5], number[16];
    struct sch_signature_info view = {.size = sizeof view};
    for (unsigned kind = 0; kind < SIGNATURES; kind++)
        for (uint32_t i = 0; sch_shader_signature(shader, (enum sch_signature_kind)kind, i, &view); i++)
            printf("%s\t%s\t%u\t%s\t%s\t%s\t%s\t%s\n", signature_words[kind], view.name, view.index,
                   register_text(view.register_number, number), mask_text(view.mask, mask), mask_text(view.used, used),
                   view.type, *view.system_value ? view.system_value : "-");
}

static void print_text_interfaces(const struct sch_shader *shader)
{
    struct sch_interface_info view = {.size = sizeof view};
    for (uint32_t i = 0; sch_shader_interface(shader, i, &view); i++) {
        printf("interface\tfp%u\t%u\t%u\t%s\t", view.slot, view.count, view.call_sites,
               view.indexed ? "dynamicindexed" : "-");
        for (uint32_t t = 0; t < view.table_count; t++) printf("%sft%u", t ? "," : "", view.tables[t]);
        putchar('\n');
    }
}

/* "ps_5_0", or "none". */
static const char *profile_text(const char *stage, uint32_t major, uint32_t minor, char text[16])
{
    snprintf(text, 16, *stage ? "%.2s_%u_%u" : "none", stage, major % 100, minor % 100);
    return text;
}

static void print_text_statistics(const struct sch_shader *shader)
{
    struct sch_chunk_info chunk;
    if (!find_chunk(shader, "STAT", &chunk)) return;
    for (unsigned i = 0; i < chunk.bytes / 4; i++)
        if (sch_d3d_statistic(i)) printf("statistic\t%s\t%u\n", sch_d3d_statistic(i), little(chunk.data, i));
}

static void print_text_nested(const struct sch_shader *shader)
{
    struct sch_nested_info nested = {.size = sizeof nested};
    char profile[16];
    for (uint32_t i = 0; sch_shader_nested(shader, i, &nested); i++)
        printf("nested\t%u\t%s\t%s\t%" PRIu64 "\t%zu\n", i + 1,
               profile_text(nested.stage, nested.major, nested.minor, profile), nested.tag, nested.offset,
               nested.bytes);
}

static char range_letter(const struct sch_range_info *range)
{
    static const char letters[] = {
        [SCH_RANGE_CONSTANTS] = 'b', [SCH_RANGE_TEXTURES] = 't', [SCH_RANGE_SAMPLERS] = 's', [SCH_RANGE_VIEWS] = 'u'};
    return letters[range->kind];
}

/* The file of registers whose numbers are the entries. */
static const char *range_file(const struct sch_range_info *range)
{
    static const char *const files[] = {[SCH_UNITS_CONSTANTS] = "CONST",
                                        [SCH_UNITS_VIEWS] = "SVIEW",
                                        [SCH_UNITS_SAMPLERS] = "SAMP",
                                        [SCH_UNITS_BUFFERS] = "BUFFER",
                                        [SCH_UNITS_IMAGES] = "IMAGE"};
    return files[range->array];
}

/* Up to model 5.0 registers are their own numbers. */
static void print_text_ranges(const struct sch_shader *shader)
{
    struct sch_range_info view = {.size = sizeof view};
    for (uint32_t i = 0; sch_shader_range(shader, i, &view) && view.spaces; i++) {
        printf("range\t%c%u\t%u\t", range_letter(&view), view.first, view.space);
        printf(view.count ? "%u\t" : "*\t", view.count);
        printf("%s[%u]\t%u\n", range_file(&view), view.unit, view.units);
    }
}

static void print_text(const struct sch_shader *shader, const struct sch_d3d_info *info)
{
    char profile[16];
    printf("profile\t%s\nchecksum\t%08x%08x%08x%08x\t%s\n",
           profile_text(info->stage, info->major, info->minor, profile), info->checksum[0], info->checksum[1],
           info->checksum[2], info->checksum[3], info->checksum_right ? "right" : "wrong");
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(info->features >> bit & 1)) continue;
        const char *word = sch_d3d_feature(bit);
        if (word)
            printf("feature\t%s\n", word);
        else
            printf("feature\t%u\n", bit);
    }
    print_text_signatures(shader);
    struct sch_binding_info binding = {.size = sizeof binding};
    for (uint32_t i = 0; sch_shader_binding(shader, i, &binding); i++)
        printf("binding\t%s\t%s\t%u\t%u\t%u\n", binding.name, binding.kind_word, binding.slot, binding.count,
               binding.space);
    print_text_interfaces(shader);
    print_text_ranges(shader);
    struct sch_chunk_info chunk = {.size = sizeof chunk};
    for (uint32_t i = 0; sch_shader_chunk(shader, i, &chunk); i++) printf("chunk\t%s\t%zu\n", chunk.tag, chunk.bytes);
    print_text_statistics(shader);
    print_text_nested(shader);
}

static void json_signature(struct sch_cli_json *json, const struct sch_shader *shader, enum sch_signature_kind kind)
{
    static const char *const keys[] = {[SCH_SIGNATURE_INPUT] = "input_signature",
                                       [SCH_SIGNATURE_OUTPUT] = "output_signature",
                                       [SCH_SIGNATURE_PATCH_CONSTANT] = "patch_constant_signature"};
    struct sch_signature_info view = {.size = sizeof view};
    sch_cli_json_list(json, keys[kind], false);
    for (uint32_t i = 0; sch_shader_signature(shader, kind, i, &view); i++) {
        sch_cli_json_row(json, NULL);
        sch_cli_json_number(json, "index", view.index);
        if (view.register_number == UINT32_MAX)
            sch_cli_json_text(json, "register", NULL);
        else
            sch_cli_json_number(json, "register", view.register_number);
        SCH_CLI_FIELDS(json, SCH_CLI_NUMBER("mask", view.mask), SCH_CLI_NUMBER("used", view.used),
                       SCH_CLI_NUMBER("stream", view.stream), SCH_CLI_NUMBER("min_precision", view.min_precision),
                       SCH_CLI_TEXT("name", view.name), SCH_CLI_TEXT("type", view.type),
                       SCH_CLI_TEXT("system_value", view.system_value));
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
}

static void json_bindings(struct sch_cli_json *json, const struct sch_shader *shader)
{
    struct sch_binding_info binding = {.size = sizeof binding};
    sch_cli_json_list(json, "bindings", false);
    for (uint32_t i = 0; sch_shader_binding(shader, i, &binding); i++) {
        SCH_CLI_ROW(json, NULL, SCH_CLI_NUMBER("slot", binding.slot), SCH_CLI_NUMBER("count", binding.count),
                    SCH_CLI_NUMBER("space", binding.space), SCH_CLI_NUMBER("dimension", binding.dimension),
                    SCH_CLI_NUMBER("return_type", binding.return_type), SCH_CLI_TEXT("name", binding.name),
                    SCH_CLI_TEXT("kind", binding.kind_word));
    }
    sch_cli_json_close(json);
}

static void json_chunks(struct sch_cli_json *json, const struct sch_shader *shader)
{
    struct sch_chunk_info chunk = {.size = sizeof chunk};
    sch_cli_json_list(json, "chunks", false);
    for (uint32_t i = 0; sch_shader_chunk(shader, i, &chunk); i++) {
        SCH_CLI_ROW(json, NULL, SCH_CLI_NUMBER("bytes", chunk.bytes), SCH_CLI_TEXT("tag", chunk.tag));
    }
    sch_cli_json_close(json);
    sch_cli_json_object(json, "statistics", false);
    const bool has = find_chunk(shader, "STAT", &chunk);
    for (unsigned i = 0; has && i < chunk.bytes / 4; i++)
        if (sch_d3d_statistic(i)) sch_cli_json_number(json, sch_d3d_statistic(i), little(chunk.data, i));
    sch_cli_json_close(json);
}

static void json_nested(struct sch_cli_json *json, const struct sch_shader *shader)
{
    struct sch_nested_info nested = {.size = sizeof nested};
    char profile[16];
    sch_cli_json_list(json, "nested", false);
    for (uint32_t i = 0; sch_shader_nested(shader, i, &nested); i++) {
        SCH_CLI_ROW(json, NULL, SCH_CLI_NUMBER("number", i + 1),
                    SCH_CLI_TEXT("profile", profile_text(nested.stage, nested.major, nested.minor, profile)),
                    SCH_CLI_NUMBER("offset", nested.offset), SCH_CLI_NUMBER("bytes", nested.bytes));
    }
    sch_cli_json_close(json);
}

static void json_interfaces(struct sch_cli_json *json, const struct sch_shader *shader)
{
    struct sch_interface_info view = {.size = sizeof view};
    sch_cli_json_list(json, "interfaces", false);
    for (uint32_t i = 0; sch_shader_interface(shader, i, &view); i++) {
        sch_cli_json_row(json, NULL);
        SCH_CLI_FIELDS(json, SCH_CLI_NUMBER("slot", view.slot), SCH_CLI_NUMBER("count", view.count),
                       SCH_CLI_NUMBER("call_sites", view.call_sites), SCH_CLI_BOOL("dynamicindexed", view.indexed));
        sch_cli_json_list(json, "tables", true);
        for (uint32_t t = 0; t < view.table_count; t++) sch_cli_json_number(json, NULL, view.tables[t]);
        sch_cli_json_close(json);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
}

static void json_ranges(struct sch_cli_json *json, const struct sch_shader *shader)
{
    struct sch_range_info view = {.size = sizeof view};
    char name[16];
    sch_cli_json_list(json, "ranges", false);
    for (uint32_t i = 0; sch_shader_range(shader, i, &view); i++) {
        snprintf(name, sizeof name, "%c%u", range_letter(&view), view.first);
        SCH_CLI_ROW(json, NULL, SCH_CLI_TEXT("register", name), SCH_CLI_NUMBER("space", view.space),
                    SCH_CLI_NUMBER("count", view.count), SCH_CLI_TEXT("file", range_file(&view)),
                    SCH_CLI_NUMBER("unit", view.unit), SCH_CLI_NUMBER("units", view.units));
    }
    sch_cli_json_close(json);
}

static void json_info(struct sch_cli_json *json, const struct sch_shader *shader, const struct sch_d3d_info *info)
{
    char text[40];
    sch_cli_json_text(json, "profile", profile_text(info->stage, info->major, info->minor, text));
    snprintf(text, sizeof text, "%08x%08x%08x%08x", info->checksum[0], info->checksum[1], info->checksum[2],
             info->checksum[3]);
    sch_cli_json_text(json, "checksum", text);
    sch_cli_json_bool(json, "checksum_right", info->checksum_right);
    sch_cli_json_list(json, "features", true);
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(info->features >> bit & 1)) continue;
        if (sch_d3d_feature(bit))
            sch_cli_json_text(json, NULL, sch_d3d_feature(bit));
        else
            sch_cli_json_number(json, NULL, bit);
    }
    sch_cli_json_close(json);
    for (unsigned kind = 0; kind < SIGNATURES; kind++) json_signature(json, shader, (enum sch_signature_kind)kind);
    json_interfaces(json, shader);
    json_ranges(json, shader);
    json_bindings(json, shader);
    json_chunks(json, shader);
    json_nested(json, shader);
}

void sch_cli_d3d_info(const struct sch_shader *shader, struct sch_cli_json *json)
{
    struct sch_d3d_info info = {.size = sizeof info};
    if (sch_shader_get_d3d_info(shader, &info) != SCH_OK) return;
    if (json->lines)
        print_text(shader, &info);
    else
        json_info(json, shader, &info);
}
