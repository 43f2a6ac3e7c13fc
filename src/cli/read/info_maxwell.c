/* scheelite info of Maxwell code: counts, what a cubin says beside its code, a graphics program's header. */
#include "read.h"

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

/* Lines leave out the notes on lines: dis prints these, before the code that they belong to. */
static void put_notes(struct sch_json *json, const struct sch_shader *code)
{
    struct sch_maxwell_note_info note = {.size = sizeof note};
    struct sch_maxwell_section_info owner = {.size = sizeof owner};
    char offset[16];
    sch_json_list(json, "notes", false);
    for (size_t i = 0; sch_maxwell_note(code, i, &note); i++) {
        const bool owned = note.section >= 0 && sch_maxwell_section(code, (size_t)note.section, &owner);
        if (json->lines && note.kind == SCH_MAXWELL_NOTE_LINE) continue;
        snprintf(offset, sizeof offset, "0x%x", note.offset);
        sch_json_row(json, note_word(note.kind));
        if (!json->lines) sch_json_text(json, "kind", note_word(note.kind));
        if (json->lines || !owned)
            sch_json_text(json, "section", !json->lines ? NULL : owned ? owner.name : "-");
        else
            sch_json_signed(json, "section", note.section);
        SCH_JSON_FIELDS(json, SCH_JSON_SHOWN("offset", note.offset, offset), SCH_JSON_TEXT("name", note.name),
                        SCH_JSON_TEXT("text", note.text));
        sch_json_close(json);
    }
    sch_json_close(json);
}

static void put_section(struct sch_json *json, const struct sch_maxwell_section_info *view, bool cubin)
{
    sch_json_row(json, "section");
    SCH_JSON_FIELDS(json, SCH_JSON_TEXT("name", view->name), SCH_JSON_NUMBER("instructions", view->instructions),
                    SCH_JSON_NUMBER("textures", view->textures), SCH_JSON_NUMBER("registers", view->registers));
    if (cubin && !json->lines)
        SCH_JSON_FIELDS(json, SCH_JSON_BOOL("kernel", view->is_kernel), SCH_JSON_NUMBER("barriers", view->barriers),
                        SCH_JSON_NUMBER("shared", view->shared_bytes), SCH_JSON_NUMBER("local", view->local_bytes),
                        SCH_JSON_NUMBER("stack", view->stack_bytes), SCH_JSON_NUMBER("constants", view->constant_bytes),
                        SCH_JSON_NUMBER("parameters", view->parameters),
                        SCH_JSON_NUMBER("parameter_bytes", view->parameter_bytes));
    sch_json_close(json);
}

static void put_header(struct sch_json *json, const struct sch_cli_code_place *place)
{
    sch_json_number(json, "offset", place ? place->skipped : 0);
    if (!place || !place->has_header) {
        sch_json_text(json, "header", NULL);
        return;
    }
    sch_json_list(json, "header", true);
    for (size_t i = 0; i < SCH_CLI_CODE_HEADER_WORDS; i++) sch_json_hex(json, NULL, place->header[i], 8);
    sch_json_close(json);
}

static void print_code(const struct sch_cli_shader *shader, const struct sch_maxwell_code_info *info, bool as_json)
{
    const bool cubin = info->kind == SCH_KIND_CUBIN;
    struct sch_maxwell_section_info view = {.size = sizeof view};
    struct sch_json json;
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)info->hash);
    sch_json_document(&json, stdout, "scheelite-info-maxwell/1", as_json);
    if (as_json) sch_json_text(&json, "file", shader->place ? shader->place->file : shader->input.name);
    SCH_JSON_FIELDS(&json, SCH_JSON_TEXT("kind", kind_word(info->kind)),
                    SCH_JSON_TEXT("arch", sch_cli_arch_word(info->arch)), SCH_JSON_TEXT("hash", hash));
    if (!as_json) sch_json_number(&json, "sections", info->sections);
    SCH_JSON_FIELDS(&json, SCH_JSON_NUMBER("instructions", info->instructions),
                    SCH_JSON_NUMBER("textures", info->textures), SCH_JSON_NUMBER("unknown", info->unknown));
    if (!as_json) print_header(shader);
    sch_json_list(&json, "sections", false);
    for (size_t i = 0; sch_maxwell_section(shader->shader, i, &view); i++) put_section(&json, &view, cubin);
    sch_json_close(&json);
    for (size_t i = 0; !as_json && cubin && sch_maxwell_section(shader->shader, i, &view); i++) print_kernel(&view);
    if (as_json || cubin) put_notes(&json, shader->shader);
    if (as_json) put_header(&json, shader->place);
    sch_json_end(&json);
}

enum sch_cli_exit sch_cli_info_maxwell(const struct sch_cli_shader *shader, bool json)
{
    struct sch_maxwell_code_info info = {.size = sizeof info};
    const enum sch_result result = sch_maxwell_get_info(shader->shader, &info);
    if (result != SCH_OK) return sch_cli_result(result, NULL, shader->input.name);
    print_code(shader, &info, json);
    return SCH_CLI_YES;
}
