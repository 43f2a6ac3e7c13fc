/* scheelite info of Maxwell code: counts, what a cubin says beside its code, a graphics program's header. */
#include "info.h"

#include "../support/json.h"
#include "inputs/maxwell.h"

static const char *kind_word(enum sch_kind kind)
{
    static const char *const words[] = {
        [SCH_KIND_MAXWELL_TEXT] = "maxwell text", [SCH_KIND_MAXWELL_RAW] = "maxwell code", [SCH_KIND_CUBIN] = "cubin"};
    return words[kind];
}

/* The fields of the words that the headers of all stages have alike (NVIDIA's open document on them). */
static const struct {
    const char *name;
    uint8_t word, low, width;
} header_fields[] = {
    {"SphType", 0, 0, 5},
    {"Version", 0, 5, 5},
    {"ShaderType", 0, 10, 4},
    {"MrtEnable", 0, 14, 1},
    {"KillsPixels", 0, 15, 1},
    {"DoesGlobalStore", 0, 16, 1},
    {"SassVersion", 0, 17, 4},
    {"DoesLoadOrStore", 0, 26, 1},
    {"DoesFp64", 0, 27, 1},
    {"StreamOutMask", 0, 28, 4},
    {"ShaderLocalMemoryLowSize", 1, 0, 24},
    {"PerPatchAttributeCount", 1, 24, 8},
    {"ShaderLocalMemoryHighSize", 2, 0, 24},
    {"ThreadsPerInputPrimitive", 2, 24, 8},
    {"ShaderLocalMemoryCrsSize", 3, 0, 24},
    {"OutputTopology", 3, 24, 4},
    {"MaxOutputVertexCount", 4, 0, 12},
    {"StoreReqStart", 4, 12, 8},
    {"StoreReqEnd", 4, 24, 8},
};

static void print_header_fields(const uint32_t *header)
{
    static const char *const stages[] = {"",         "vertex", "tessellation control", "tessellation evaluation",
                                         "geometry", "pixel"};
    const unsigned stage = header[0] >> 10 & 15;
    if (stage && stage < sizeof stages / sizeof *stages) printf("stage\t%s\n", stages[stage]);
    for (size_t i = 0; i < sizeof header_fields / sizeof *header_fields; i++) {
        const uint32_t value =
            header[header_fields[i].word] >> header_fields[i].low & ((1u << header_fields[i].width) - 1);
        if (value) printf("header field\t%s\t%u\n", header_fields[i].name, value);
    }
}

/* The words of a graphics program's header, and what the first of them say. */
static void print_header(const struct sch_cli_shader *shader)
{
    const struct sch_cli_code_place *place = shader->place;
    if (place) printf("offset\t%zu\n", place->skipped);
    if (!place || !place->has_header) return;
    printf("header");
    for (size_t i = 0; i < SCH_CLI_CODE_HEADER_WORDS; i++) printf("%c%08x", i ? ' ' : '\t', place->header[i]);
    putchar('\n');
    print_header_fields(place->header);
}

static const char *note_word(enum sch_maxwell_note_kind kind)
{
    static const char *const words[] = {"function", "line", "relocation", "parameter", "constant", "attribute"};
    return words[kind];
}

/* What a cubin says of a kernel, where it says something. */
static void print_kernel(const struct sch_maxwell_section_info *view)
{
    static const char *const kinds[] = {"callable", "kernel"};
    printf("%s\t", kinds[view->is_kernel]);
    sch_cli_print_clean(stdout, view->name);
    printf("\tregisters %u\tbarriers %u\tshared %u\tlocal %u\tstack ", view->registers, view->barriers,
           view->shared_bytes, view->local_bytes);
    if (view->stack_bytes == UINT32_MAX)
        printf("unknown");
    else
        printf("%u", view->stack_bytes);
    printf("\tconstants %u\tparameters %u\tof %u bytes\ttextures %u\n", view->constant_bytes, view->parameters,
           view->parameter_bytes, view->textures);
}

/* The section's name and a tab, or a dash for the whole file. */
static void print_owner(const struct sch_cli_shader *shader, int32_t section)
{
    struct sch_maxwell_section_info view = {.size = sizeof view};
    if (section >= 0 && sch_maxwell_section(shader->shader, (size_t)section, &view))
        sch_cli_print_clean(stdout, view.name);
    else
        putchar('-');
}

static void print_notes(const struct sch_cli_shader *shader)
{
    struct sch_maxwell_note_info note = {.size = sizeof note};
    for (size_t i = 0; sch_maxwell_note(shader->shader, i, &note); i++) {
        if (note.kind == SCH_MAXWELL_NOTE_LINE) continue; /* dis prints lines, before the code that they belong to */
        printf("%s\t", note_word(note.kind));
        print_owner(shader, note.section);
        printf("\t0x%x\t", note.offset);
        sch_cli_print_clean(stdout, note.name);
        putchar('\t');
        sch_cli_print_clean(stdout, note.text);
        putchar('\n');
    }
}

static void print_code_lines(const struct sch_cli_shader *shader, const struct sch_maxwell_code_info *info)
{
    printf("kind\t%s\narch\t%s\nhash\t%016llx\nsections\t%u\ninstructions\t%u\ntextures\t%u\nunknown\t%u\n",
           kind_word(info->kind), sch_cli_arch_word(info->arch), (unsigned long long)info->hash, info->sections,
           info->instructions, info->textures, info->unknown);
    print_header(shader);
    struct sch_maxwell_section_info view = {.size = sizeof view};
    for (size_t i = 0; sch_maxwell_section(shader->shader, i, &view); i++) {
        printf("section\t");
        sch_cli_print_clean(stdout, view.name);
        printf("\t%u\t%u\t%u\n", view.instructions, view.textures, view.registers);
    }
    if (info->kind != SCH_KIND_CUBIN) return;
    for (size_t i = 0; sch_maxwell_section(shader->shader, i, &view); i++) print_kernel(&view);
    print_notes(shader);
}

/* ---- JSON ---- */

static void section_json(const struct sch_maxwell_section_info *view, bool cubin, struct sch_json *json)
{
    sch_json_object(json, NULL, true);
    SCH_JSON_FIELDS(json, SCH_JSON_TEXT("name", view->name), SCH_JSON_NUMBER("instructions", view->instructions),
                    SCH_JSON_NUMBER("textures", view->textures), SCH_JSON_NUMBER("registers", view->registers));
    if (cubin)
        SCH_JSON_FIELDS(json, SCH_JSON_BOOL("kernel", view->is_kernel), SCH_JSON_NUMBER("barriers", view->barriers),
                        SCH_JSON_NUMBER("shared", view->shared_bytes), SCH_JSON_NUMBER("local", view->local_bytes),
                        SCH_JSON_NUMBER("stack", view->stack_bytes), SCH_JSON_NUMBER("constants", view->constant_bytes),
                        SCH_JSON_NUMBER("parameters", view->parameters),
                        SCH_JSON_NUMBER("parameter_bytes", view->parameter_bytes));
    sch_json_close(json);
}

static void notes_json(const struct sch_shader *code, struct sch_json *json)
{
    struct sch_maxwell_note_info note = {.size = sizeof note};
    sch_json_list(json, "notes", false);
    for (size_t i = 0; sch_maxwell_note(code, i, &note); i++) {
        sch_json_object(json, NULL, true);
        sch_json_text(json, "kind", note_word(note.kind));
        if (note.section < 0)
            sch_json_text(json, "section", NULL);
        else
            sch_json_signed(json, "section", note.section);
        SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("offset", note.offset), SCH_JSON_TEXT("name", note.name),
                        SCH_JSON_TEXT("text", note.text));
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void print_json(const struct sch_cli_shader *shader, const struct sch_maxwell_code_info *info)
{
    const struct sch_cli_code_place *place = shader->place;
    struct sch_maxwell_section_info view = {.size = sizeof view};
    struct sch_json json;
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)info->hash);
    sch_json_begin(&json, stdout, "scheelite-info-maxwell/1");
    SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("file", place ? place->file : shader->input.name),
                    SCH_JSON_TEXT("kind", kind_word(info->kind)), SCH_JSON_TEXT("arch", sch_cli_arch_word(info->arch)),
                    SCH_JSON_TEXT("hash", hash), SCH_JSON_NUMBER("instructions", info->instructions),
                    SCH_JSON_NUMBER("textures", info->textures), SCH_JSON_NUMBER("unknown", info->unknown));
    sch_json_list(&json, "sections", false);
    for (size_t i = 0; sch_maxwell_section(shader->shader, i, &view); i++)
        section_json(&view, info->kind == SCH_KIND_CUBIN, &json);
    sch_json_close(&json);
    notes_json(shader->shader, &json);
    sch_json_number(&json, "offset", place ? place->skipped : 0);
    if (place && place->has_header) {
        sch_json_list(&json, "header", true);
        for (size_t i = 0; i < SCH_CLI_CODE_HEADER_WORDS; i++) sch_json_hex(&json, NULL, place->header[i], 8);
        sch_json_close(&json);
    } else {
        sch_json_text(&json, "header", NULL);
    }
    sch_json_end(&json);
}

enum sch_cli_exit sch_cli_info_maxwell(const struct sch_cli_shader *shader, bool json)
{
    struct sch_maxwell_code_info info = {.size = sizeof info};
    const enum sch_result result = sch_maxwell_get_info(shader->shader, &info);
    if (result != SCH_OK) return sch_cli_result(result, NULL, shader->input.name);
    if (json)
        print_json(shader, &info);
    else
        print_code_lines(shader, &info);
    return SCH_CLI_YES;
}
