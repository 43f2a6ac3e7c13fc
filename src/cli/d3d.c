/* Direct3D shaders in `info`: profile, signatures, bindings, chunks, features, statistics, what is nested. */
#include "cli.h"

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

static void json_text(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    sch_cli_json_string(stdout, text);
}

static void print_json_signature(const struct sch_shader *shader, enum sch_signature_kind kind)
{
    struct sch_signature_info view = {.size = sizeof view};
    printf(",\n  \"%s_signature\": [", signature_words[kind]);
    for (uint32_t i = 0; sch_shader_signature(shader, kind, i, &view); i++) {
        printf("%s\n    {\"index\": %u, \"register\": ", i ? "," : "", view.index);
        if (view.register_number == UINT32_MAX)
            fputs("null", stdout);
        else
            printf("%u", view.register_number);
        printf(", \"mask\": %u, \"used\": %u, \"stream\": %u, \"min_precision\": %u", view.mask, view.used, view.stream,
               view.min_precision);
        json_text("name", view.name);
        json_text("type", view.type);
        json_text("system_value", view.system_value);
        putchar('}');
    }
    putchar(']');
}

static void print_json_chunks(const struct sch_shader *shader)
{
    struct sch_binding_info binding = {.size = sizeof binding};
    fputs(",\n  \"bindings\": [", stdout);
    for (uint32_t i = 0; sch_shader_binding(shader, i, &binding); i++) {
        printf("%s\n    {\"slot\": %u, \"count\": %u, \"space\": %u, \"dimension\": %u, \"return_type\": %u",
               i ? "," : "", binding.slot, binding.count, binding.space, binding.dimension, binding.return_type);
        json_text("name", binding.name);
        json_text("kind", binding.kind_word);
        putchar('}');
    }
    struct sch_chunk_info chunk = {.size = sizeof chunk};
    fputs("],\n  \"chunks\": [", stdout);
    for (uint32_t i = 0; sch_shader_chunk(shader, i, &chunk); i++) {
        printf("%s\n    {\"bytes\": %zu", i ? "," : "", chunk.bytes);
        json_text("tag", chunk.tag);
        putchar('}');
    }
    fputs("],\n  \"statistics\": {", stdout);
    bool has = find_chunk(shader, "STAT", &chunk);
    const char *separator = "";
    for (unsigned i = 0; has && i < chunk.bytes / 4; i++) {
        if (!sch_d3d_statistic(i)) continue;
        printf("%s\n    \"%s\": %u", separator, sch_d3d_statistic(i), little(chunk.data, i));
        separator = ",";
    }
    fputs("},\n  \"nested\": [", stdout);
    struct sch_nested_info nested = {.size = sizeof nested};
    char profile[16];
    for (uint32_t i = 0; sch_shader_nested(shader, i, &nested); i++)
        printf("%s\n    {\"number\": %u, \"profile\": \"%s\", \"offset\": %" PRIu64 ", \"bytes\": %zu}", i ? "," : "",
               i + 1, profile_text(nested.stage, nested.major, nested.minor, profile), nested.offset, nested.bytes);
    putchar(']');
}

static void print_json_interfaces(const struct sch_shader *shader)
{
    struct sch_interface_info view = {.size = sizeof view};
    fputs(",\n  \"interfaces\": [", stdout);
    for (uint32_t i = 0; sch_shader_interface(shader, i, &view); i++) {
        printf("%s\n    {\"slot\": %u, \"count\": %u, \"call_sites\": %u, \"dynamicindexed\": %s, \"tables\": [",
               i ? "," : "", view.slot, view.count, view.call_sites, view.indexed ? "true" : "false");
        for (uint32_t t = 0; t < view.table_count; t++) printf("%s%u", t ? ", " : "", view.tables[t]);
        fputs("]}", stdout);
    }
    putchar(']');
}

static void print_json_ranges(const struct sch_shader *shader)
{
    struct sch_range_info view = {.size = sizeof view};
    fputs(",\n  \"ranges\": [", stdout);
    for (uint32_t i = 0; sch_shader_range(shader, i, &view); i++)
        printf("%s\n    {\"register\": \"%c%u\", \"space\": %u, \"count\": %u, \"file\": \"%s\", \"unit\": %u, "
               "\"units\": %u}",
               i ? "," : "", range_letter(&view), view.first, view.space, view.count, range_file(&view), view.unit,
               view.units);
    putchar(']');
}

static void print_json(const struct sch_shader *shader, const struct sch_d3d_info *info)
{
    char profile[16];
    printf(",\n  \"profile\": \"%s\",\n  \"checksum\": \"%08x%08x%08x%08x\",\n  \"checksum_right\": %s"
           ",\n  \"features\": [",
           profile_text(info->stage, info->major, info->minor, profile), info->checksum[0], info->checksum[1],
           info->checksum[2], info->checksum[3], info->checksum_right ? "true" : "false");
    const char *separator = "";
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(info->features >> bit & 1)) continue;
        const char *word = sch_d3d_feature(bit);
        if (word)
            printf("%s\"%s\"", separator, word);
        else
            printf("%s%u", separator, bit);
        separator = ", ";
    }
    putchar(']');
    for (unsigned kind = 0; kind < SIGNATURES; kind++) print_json_signature(shader, (enum sch_signature_kind)kind);
    print_json_interfaces(shader);
    print_json_ranges(shader);
    print_json_chunks(shader);
}

void sch_cli_d3d_info(const struct sch_shader *shader, bool json)
{
    struct sch_d3d_info info = {.size = sizeof info};
    if (sch_shader_get_d3d_info(shader, &info) != SCH_OK) return;
    if (json)
        print_json(shader, &info);
    else
        print_text(shader, &info);
}
