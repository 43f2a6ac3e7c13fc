/* Direct3D shaders in `info`: profile, signatures, bindings, chunks, features, statistics. */
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

/* The words of the chunk STAT; zero-ended names for those that programs are asked about. */
static const struct {
    unsigned word;
    const char *name;
} statistics[] = {{0, "instructions"},
                  {1, "temps"},
                  {3, "declarations"},
                  {4, "float"},
                  {5, "int"},
                  {6, "uint"},
                  {7, "static_flow"},
                  {8, "dynamic_flow"},
                  {14, "texture_samples"},
                  {15, "texture_loads"},
                  {16, "texture_comparisons"},
                  {17, "texture_bias"},
                  {18, "texture_gradients"},
                  {19, "moves"},
                  {20, "conditional_moves"},
                  {21, "conversions"},
                  {22, "bitwise"}};
enum { STATISTICS = sizeof statistics / sizeof *statistics };

static uint32_t little(const void *data, size_t word)
{
    const unsigned char *at = (const unsigned char *)data + 4 * word;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool find_chunk(const struct sch_shader *shader, const char *tag, struct sch_chunk_view *chunk)
{
    *chunk = (struct sch_chunk_view){.size = sizeof *chunk};
    for (uint32_t i = 0; sch_shader_chunk(shader, i, chunk); i++)
        if (strcmp(chunk->tag, tag) == 0) return true;
    return false;
}

static void print_text_signatures(const struct sch_shader *shader)
{
    char mask[5], used[5], number[16];
    struct sch_signature_view view = {.size = sizeof view};
    for (unsigned kind = 0; kind < SIGNATURES; kind++)
        for (uint32_t i = 0; sch_shader_signature(shader, (enum sch_signature_kind)kind, i, &view); i++)
            printf("%s\t%s\t%u\t%s\t%s\t%s\t%s\t%s\n", signature_words[kind], view.name, view.index,
                   register_text(view.register_number, number), mask_text(view.mask, mask), mask_text(view.used, used),
                   view.type, *view.system_value ? view.system_value : "-");
}

static void print_text_interfaces(const struct sch_shader *shader)
{
    struct sch_interface_view view = {.size = sizeof view};
    for (uint32_t i = 0; sch_shader_interface(shader, i, &view); i++) {
        printf("interface\tfp%u\t%u\t%u\t%s\t", view.slot, view.count, view.call_sites,
               view.indexed ? "dynamicindexed" : "-");
        for (uint32_t t = 0; t < view.table_count; t++) printf("%sft%u", t ? "," : "", view.tables[t]);
        putchar('\n');
    }
}

static void print_text(const struct sch_shader *shader, const struct sch_d3d_info *info)
{
    printf("profile\t%s_%u_%u\nchecksum\t%08x%08x%08x%08x\t%s\n", info->stage, info->major, info->minor,
           info->checksum[0], info->checksum[1], info->checksum[2], info->checksum[3],
           info->checksum_right ? "right" : "wrong");
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(info->features >> bit & 1)) continue;
        const char *word = sch_d3d_feature(bit);
        if (word)
            printf("feature\t%s\n", word);
        else
            printf("feature\t%u\n", bit);
    }
    print_text_signatures(shader);
    struct sch_binding_view binding = {.size = sizeof binding};
    for (uint32_t i = 0; sch_shader_binding(shader, i, &binding); i++)
        printf("binding\t%s\t%s\t%u\t%u\t%u\n", binding.name, binding.kind_word, binding.slot, binding.count,
               binding.space);
    print_text_interfaces(shader);
    struct sch_chunk_view chunk = {.size = sizeof chunk};
    for (uint32_t i = 0; sch_shader_chunk(shader, i, &chunk); i++) printf("chunk\t%s\t%zu\n", chunk.tag, chunk.bytes);
    if (!find_chunk(shader, "STAT", &chunk)) return;
    for (size_t i = 0; i < STATISTICS; i++)
        if (statistics[i].word < chunk.bytes / 4)
            printf("statistic\t%s\t%u\n", statistics[i].name, little(chunk.data, statistics[i].word));
}

static void json_text(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    sch_cli_json_string(stdout, text);
}

static void print_json_signature(const struct sch_shader *shader, enum sch_signature_kind kind)
{
    struct sch_signature_view view = {.size = sizeof view};
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
    struct sch_binding_view binding = {.size = sizeof binding};
    fputs(",\n  \"bindings\": [", stdout);
    for (uint32_t i = 0; sch_shader_binding(shader, i, &binding); i++) {
        printf("%s\n    {\"slot\": %u, \"count\": %u, \"space\": %u, \"dimension\": %u, \"return_type\": %u",
               i ? "," : "", binding.slot, binding.count, binding.space, binding.dimension, binding.return_type);
        json_text("name", binding.name);
        json_text("kind", binding.kind_word);
        putchar('}');
    }
    struct sch_chunk_view chunk = {.size = sizeof chunk};
    fputs("],\n  \"chunks\": [", stdout);
    for (uint32_t i = 0; sch_shader_chunk(shader, i, &chunk); i++) {
        printf("%s\n    {\"bytes\": %zu", i ? "," : "", chunk.bytes);
        json_text("tag", chunk.tag);
        putchar('}');
    }
    fputs("],\n  \"statistics\": {", stdout);
    bool has = find_chunk(shader, "STAT", &chunk);
    for (size_t i = 0; has && i < STATISTICS; i++)
        if (statistics[i].word < chunk.bytes / 4)
            printf("%s\n    \"%s\": %u", i ? "," : "", statistics[i].name, little(chunk.data, statistics[i].word));
    putchar('}');
}

static void print_json_interfaces(const struct sch_shader *shader)
{
    struct sch_interface_view view = {.size = sizeof view};
    fputs(",\n  \"interfaces\": [", stdout);
    for (uint32_t i = 0; sch_shader_interface(shader, i, &view); i++) {
        printf("%s\n    {\"slot\": %u, \"count\": %u, \"call_sites\": %u, \"dynamicindexed\": %s, \"tables\": [",
               i ? "," : "", view.slot, view.count, view.call_sites, view.indexed ? "true" : "false");
        for (uint32_t t = 0; t < view.table_count; t++) printf("%s%u", t ? ", " : "", view.tables[t]);
        fputs("]}", stdout);
    }
    putchar(']');
}

static void print_json(const struct sch_shader *shader, const struct sch_d3d_info *info)
{
    printf(",\n  \"profile\": \"%s_%u_%u\",\n  \"checksum\": \"%08x%08x%08x%08x\",\n  \"checksum_right\": %s"
           ",\n  \"features\": [",
           info->stage, info->major, info->minor, info->checksum[0], info->checksum[1], info->checksum[2],
           info->checksum[3], info->checksum_right ? "true" : "false");
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
