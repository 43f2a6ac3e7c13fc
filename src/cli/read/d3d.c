/* Direct3D shaders in `info`: profile, signatures, bindings, chunks, features, statistics, what is nested. */
#include "../support/json.h"
#include "../support/text.h"
#include "common/cli.h"

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

static bool find_chunk(const struct sch_shader *shader, const char *tag, struct sch_chunk_info *chunk)
{
    *chunk = (struct sch_chunk_info){.size = sizeof *chunk};
    for (uint32_t i = 0; sch_shader_chunk(shader, i, chunk); i++)
        if (strcmp(chunk->tag, tag) == 0) return true;
    return false;
}

/* "ps_5_0", or "none". */
static const char *profile_text(const char *stage, uint32_t major, uint32_t minor, char text[16])
{
    snprintf(text, 16, *stage ? "%.2s_%u_%u" : "none", stage, major % 100, minor % 100);
    return text;
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

static void put_signature(struct sch_json *json, const struct sch_shader *shader, enum sch_signature_kind kind)
{
    static const char *const keys[] = {[SCH_SIGNATURE_INPUT] = "input_signature",
                                       [SCH_SIGNATURE_OUTPUT] = "output_signature",
                                       [SCH_SIGNATURE_PATCH_CONSTANT] = "patch_constant_signature"};
    struct sch_signature_info view = {.size = sizeof view};
    char mask[5], used[5], number[16];
    sch_json_list(json, keys[kind], false);
    for (uint32_t i = 0; sch_shader_signature(shader, kind, i, &view); i++) {
        const bool none = view.register_number == UINT32_MAX;
        sch_json_row(json, signature_words[kind]);
        SCH_JSON_FIELDS(json, SCH_JSON_TEXT("name", view.name), SCH_JSON_NUMBER("index", view.index));
        if (none && !json->lines)
            sch_json_text(json, "register", NULL);
        else
            SCH_JSON_FIELDS(
                json, SCH_JSON_SHOWN("register", view.register_number, register_text(view.register_number, number)));
        SCH_JSON_FIELDS(json, SCH_JSON_SHOWN("mask", view.mask, mask_text(view.mask, mask)),
                        SCH_JSON_SHOWN("used", view.used, mask_text(view.used, used)),
                        SCH_JSON_SHOWN("stream", view.stream, ""),
                        SCH_JSON_SHOWN("min_precision", view.min_precision, ""), SCH_JSON_TEXT("type", view.type),
                        SCH_JSON_TEXT("system_value", json->lines && !*view.system_value ? "-" : view.system_value));
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void put_bindings(struct sch_json *json, const struct sch_shader *shader)
{
    struct sch_binding_info binding = {.size = sizeof binding};
    sch_json_list(json, "bindings", false);
    for (uint32_t i = 0; sch_shader_binding(shader, i, &binding); i++)
        SCH_JSON_ROW(json, "binding", SCH_JSON_TEXT("name", binding.name), SCH_JSON_TEXT("kind", binding.kind_word),
                     SCH_JSON_NUMBER("slot", binding.slot), SCH_JSON_NUMBER("count", binding.count),
                     SCH_JSON_NUMBER("space", binding.space), SCH_JSON_SHOWN("dimension", binding.dimension, ""),
                     SCH_JSON_SHOWN("return_type", binding.return_type, ""));
    sch_json_close(json);
}

static void put_interfaces(struct sch_json *json, const struct sch_shader *shader)
{
    struct sch_interface_info view = {.size = sizeof view};
    char slot[16];
    sch_json_list(json, "interfaces", false);
    for (uint32_t i = 0; sch_shader_interface(shader, i, &view); i++) {
        snprintf(slot, sizeof slot, "fp%" PRIu32, view.slot);
        sch_json_row(json, "interface");
        SCH_JSON_FIELDS(json, SCH_JSON_SHOWN("slot", view.slot, slot), SCH_JSON_NUMBER("count", view.count),
                        SCH_JSON_NUMBER("call_sites", view.call_sites));
        if (json->lines) {
            printf("\t%s\t", view.indexed ? "dynamicindexed" : "-");
            for (uint32_t t = 0; t < view.table_count; t++) printf("%sft%u", t ? "," : "", view.tables[t]);
        } else {
            sch_json_bool(json, "dynamicindexed", view.indexed);
            sch_json_numbers(json, "tables", view.tables, view.table_count);
        }
        sch_json_close(json);
    }
    sch_json_close(json);
}

/* Lines have them of models with spaces: up to 5.0 registers are their own numbers. */
static void put_ranges(struct sch_json *json, const struct sch_shader *shader)
{
    struct sch_range_info view = {.size = sizeof view};
    char name[16], unit[32];
    sch_json_list(json, "ranges", false);
    for (uint32_t i = 0; sch_shader_range(shader, i, &view) && (view.spaces || !json->lines); i++) {
        snprintf(name, sizeof name, "%c%u", range_letter(&view), view.first);
        snprintf(unit, sizeof unit, "%s[%u]", range_file(&view), view.unit);
        sch_json_row(json, "range");
        SCH_JSON_FIELDS(json, SCH_JSON_TEXT("register", name), SCH_JSON_NUMBER("space", view.space),
                        SCH_JSON_SHOWN("count", view.count, view.count ? NULL : "*"),
                        SCH_JSON_SHOWN("unit", view.unit, unit));
        if (!json->lines) sch_json_text(json, "file", range_file(&view));
        sch_json_number(json, "units", view.units);
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void put_chunks(struct sch_json *json, const struct sch_shader *shader)
{
    struct sch_chunk_info chunk = {.size = sizeof chunk};
    sch_json_list(json, "chunks", false);
    for (uint32_t i = 0; sch_shader_chunk(shader, i, &chunk); i++)
        SCH_JSON_ROW(json, "chunk", SCH_JSON_TEXT("tag", chunk.tag), SCH_JSON_NUMBER("bytes", chunk.bytes));
    sch_json_close(json);
    sch_json_object(json, "statistics", false);
    const bool has = find_chunk(shader, "STAT", &chunk);
    for (unsigned i = 0; has && i < chunk.bytes / 4; i++) {
        if (!sch_d3d_statistic(i)) continue;
        if (json->lines) fputs("statistic\t", stdout);
        sch_json_number(json, sch_d3d_statistic(i), sch_bytes_word(chunk.data, i));
    }
    sch_json_close(json);
}

static void put_nested(struct sch_json *json, const struct sch_shader *shader)
{
    struct sch_nested_info nested = {.size = sizeof nested};
    char profile[16];
    sch_json_list(json, "nested", false);
    for (uint32_t i = 0; sch_shader_nested(shader, i, &nested); i++)
        SCH_JSON_ROW(json, "nested", SCH_JSON_NUMBER("number", i + 1),
                     SCH_JSON_TEXT("profile", profile_text(nested.stage, nested.major, nested.minor, profile)),
                     SCH_JSON_ONLY_SHOWN(nested.tag), SCH_JSON_NUMBER("offset", nested.offset),
                     SCH_JSON_NUMBER("bytes", nested.bytes));
    sch_json_close(json);
}

static void put_features(struct sch_json *json, uint64_t features)
{
    const char *key = json->lines ? "feature" : NULL;
    if (!json->lines) sch_json_list(json, "features", true);
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(features >> bit & 1)) continue;
        if (sch_d3d_feature(bit))
            sch_json_text(json, key, sch_d3d_feature(bit));
        else
            sch_json_number(json, key, bit);
    }
    if (!json->lines) sch_json_close(json);
}

void sch_cli_d3d_info(const struct sch_shader *shader, struct sch_json *json)
{
    struct sch_d3d_info info = {.size = sizeof info};
    char text[60];
    if (sch_shader_get_d3d_info(shader, &info) != SCH_OK) return;
    sch_json_text(json, "profile", profile_text(info.stage, info.major, info.minor, text));
    snprintf(text, sizeof text, "%08x%08x%08x%08x%s", info.checksum[0], info.checksum[1], info.checksum[2],
             info.checksum[3],
             !json->lines          ? ""
             : info.checksum_right ? "\tright"
                                   : "\twrong");
    sch_json_text(json, "checksum", text);
    if (!json->lines) sch_json_bool(json, "checksum_right", info.checksum_right);
    put_features(json, info.features);
    for (unsigned kind = 0; kind < SIGNATURES; kind++) put_signature(json, shader, (enum sch_signature_kind)kind);
    put_bindings(json, shader);
    put_interfaces(json, shader);
    put_ranges(json, shader);
    put_chunks(json, shader);
    put_nested(json, shader);
}
