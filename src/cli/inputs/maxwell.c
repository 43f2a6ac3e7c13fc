/* Maxwell programs in the command: kinds, reading, printing, words, description. */
#include "maxwell.h"
#include "common/wrapped.h"

#include <stdlib.h>
#include <string.h>

enum sch_cli_exit sch_cli_any_kind(const struct sch_cli_verb *verb, const char *word, enum sch_kind *kind,
                                   struct sch_cli_maxwell_options *options)
{
    options->chosen = strcmp(word, "maxwell") == 0 || strcmp(word, "cubin") == 0;
    /* -x maxwell is text or raw code: the bytes say which. */
    options->kind = strcmp(word, "cubin") == 0 ? SCH_KIND_CUBIN : SCH_KIND_MAXWELL;
    return options->chosen ? SCH_CLI_YES : sch_cli_kind(verb, word, kind);
}

static const struct {
    const char *word;
    enum sch_maxwell_arch arch;
} arches[] = {{"sm_50", SCH_MAXWELL_SM_50},
              {"sm_52", SCH_MAXWELL_SM_52},
              {"sm_53", SCH_MAXWELL_SM_53},
              {"sm_60", SCH_MAXWELL_SM_60},
              {"sm_61", SCH_MAXWELL_SM_61}};
enum { ARCHES = sizeof arches / sizeof *arches };

enum sch_cli_exit sch_cli_arch(const struct sch_cli_verb *verb, const char *word,
                               struct sch_cli_maxwell_options *options)
{
    for (size_t i = 0; i < ARCHES; i++) {
        if (strcmp(word, arches[i].word) != 0) continue;
        options->arch = arches[i].arch;
        return SCH_CLI_YES;
    }
    return sch_cli_usage_error(verb, "--arch is sm_50, sm_52, sm_53, sm_60 or sm_61, not %s", word);
}

static const char *arch_word(enum sch_maxwell_arch arch)
{
    size_t i = 0;
    while (arches[i].arch != arch) i++;
    return arches[i].word;
}

enum sch_cli_exit sch_cli_refuse_maxwell(const struct sch_cli_shader *shader, const char *what)
{
    if (sch_shader_language(shader->shader) != SCH_LANGUAGE_MAXWELL) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_USAGE, "%s is Maxwell code: %s", shader->input.name, what);
}

bool sch_cli_looks_like_maxwell(const struct sch_cli_input *input)
{
    const enum sch_kind kind = sch_shader_recognise(input->data, input->bytes);
    return kind == SCH_KIND_MAXWELL_TEXT || kind == SCH_KIND_CUBIN;
}

bool sch_cli_is_maxwell(const struct sch_cli_maxwell_options *options, enum sch_kind kind,
                        const struct sch_cli_input *input)
{
    if (options->chosen) return true;
    return kind == SCH_KIND_AUTO && sch_cli_looks_like_maxwell(input);
}

enum sch_cli_exit sch_cli_maxwell_offset(const struct sch_cli_verb *verb, const char *word,
                                         struct sch_cli_maxwell_options *options)
{
    const enum sch_cli_exit exit = sch_cli_offset(verb, word, &options->offset);
    return exit == SCH_CLI_YES ? sch_cli_wrapped_offset(verb, word) : exit; /* for what turns out to be a container */
}

enum { HEADER_BYTES = 80, BUNDLE_BYTES = 32 };

/* Takes what stands before the code of a raw program away: --offset bytes, and then the header of a graphics program.
 * That is there where the bytes are no whole number of bundles with it and are one without it. */
static enum sch_cli_exit skip(const struct sch_cli_maxwell_options *options, struct sch_cli_maxwell *maxwell)
{
    struct sch_cli_input *input = &maxwell->input;
    if (!options->chosen || options->kind == SCH_KIND_CUBIN)
        return options->offset
                   ? sch_cli_fail(SCH_CLI_USAGE, "--offset is for raw code (-x maxwell) and Direct3D containers")
                   : SCH_CLI_YES;
    if (options->offset > input->bytes)
        return sch_cli_fail(SCH_CLI_NO, "%s: --offset %zu is past the end: it has %zu bytes", input->name,
                            options->offset, input->bytes);
    const unsigned char *code = (const unsigned char *)input->data + options->offset;
    const size_t bytes = input->bytes - options->offset;
    const bool raw =
        options->offset || (!sch_cli_looks_like_maxwell(input) && !sch_maxwell_pool_is_text(input->data, input->bytes));
    maxwell->skipped = options->offset;
    if (raw && bytes > HEADER_BYTES && bytes % BUNDLE_BYTES == HEADER_BYTES % BUNDLE_BYTES) {
        maxwell->has_header = true;
        maxwell->skipped += HEADER_BYTES;
        for (size_t i = 0; i < HEADER_BYTES / 4; i++, code += 4)
            maxwell->header[i] = code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    }
    if (!maxwell->skipped) return SCH_CLI_YES;
    input->bytes -= maxwell->skipped;
    memmove(input->data, input->data + maxwell->skipped, input->bytes);
    input->data[input->bytes] = 0;
    snprintf(maxwell->name, sizeof maxwell->name, "%.250s+0x%zx", input->name, maxwell->skipped);
    input->name = maxwell->name;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_maxwell_read(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                       struct sch_cli_maxwell *maxwell)
{
    *maxwell = (struct sch_cli_maxwell){.input = *input};
    *input = (struct sch_cli_input){.name = input->name};
    maxwell->file = maxwell->input.name;
    const enum sch_cli_exit skipped = skip(options, maxwell);
    if (skipped != SCH_CLI_YES) return skipped;
    enum sch_result result = sch_cli_plain_context_create(&maxwell->context);
    if (result == SCH_OK) result = sch_diagnostics_create(maxwell->context, &maxwell->list);
    struct sch_read_options read = {.size = sizeof read,
                                    .kind = maxwell->skipped ? SCH_KIND_MAXWELL_RAW
                                            : options->kind  ? options->kind
                                                             : SCH_KIND_MAXWELL,
                                    .arch = options->arch,
                                    .schedule = options->schedule,
                                    .kernel = options->kernel,
                                    .name = maxwell->input.name};
    if (result == SCH_OK)
        result = sch_shader_read(maxwell->context, maxwell->input.data, maxwell->input.bytes, &read, maxwell->list,
                                 &maxwell->program);
    return sch_cli_result(result, maxwell->list, maxwell->input.name);
}

/* Reads code that is to be executed, and checks it. */
static enum sch_cli_exit read_to_run(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                     struct sch_cli_maxwell *maxwell)
{
    struct sch_maxwell_code_info info = {.size = sizeof info};
    const enum sch_cli_exit exit = sch_cli_maxwell_read(options, input, maxwell);
    if (exit != SCH_CLI_YES) return exit;
    const enum sch_result result = sch_shader_check(maxwell->program, maxwell->list);
    if (result != SCH_OK) return sch_cli_result(result, maxwell->list, maxwell->input.name);
    if (sch_maxwell_get_info(maxwell->program, &info) == SCH_OK && info.sections != 1)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                            "%s: %u sections of code; a program of one is executed (--kernel NAME chooses it)",
                            maxwell->input.name, info.sections);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_maxwell_load(const struct sch_cli_maxwell_options *options, const char *path,
                                       struct sch_cli_maxwell *maxwell)
{
    struct sch_cli_input input;
    *maxwell = (struct sch_cli_maxwell){0};
    enum sch_cli_exit exit = sch_cli_read(path, &input);
    if (exit != SCH_CLI_YES) return exit;
    exit = read_to_run(options, &input, maxwell);
    return sch_cli_worse(exit, sch_cli_print_diagnostics(maxwell->list, &maxwell->input));
}

enum sch_cli_exit sch_cli_maxwell_shader(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                         struct sch_cli_shader *shader)
{
    struct sch_cli_maxwell code;
    const enum sch_cli_exit exit = read_to_run(options, input, &code);
    *shader = (struct sch_cli_shader){
        .context = code.context, .list = code.list, .shader = code.program, .input = code.input};
    if (code.input.name != code.name) return exit;
    shader->input.name = shader->place = strdup(code.name);
    return shader->place ? exit : sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
}

void sch_cli_maxwell_release(struct sch_cli_maxwell *maxwell)
{
    sch_shader_destroy(maxwell->program);
    sch_diagnostics_destroy(maxwell->list);
    sch_context_destroy(maxwell->context);
    sch_cli_input_release(&maxwell->input);
    *maxwell = (struct sch_cli_maxwell){0};
}

static enum sch_cli_exit fail(const struct sch_cli_maxwell *maxwell, enum sch_result result)
{
    return sch_cli_result(result, NULL, maxwell->input.name);
}

static enum sch_cli_exit print_text(const struct sch_cli_maxwell *maxwell,
                                    const struct sch_cli_maxwell_options *options)
{
    struct sch_print_options print = {.size = sizeof print, .style = options->style, .labels = options->labels};
    char *text;
    size_t bytes;
    enum sch_result result = sch_shader_print(maxwell->program, &print, &text, &bytes);
    if (result != SCH_OK) return fail(maxwell, result);
    fwrite(text, 1, bytes, stdout);
    sch_free(maxwell->context, text);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_maxwell_dis(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input)
{
    struct sch_cli_maxwell maxwell;
    enum sch_cli_exit exit = sch_cli_maxwell_read(options, input, &maxwell);
    exit = sch_cli_worse(exit, sch_cli_print_diagnostics(maxwell.list, &maxwell.input));
    if (exit == SCH_CLI_YES) exit = print_text(&maxwell, options);
    sch_cli_maxwell_release(&maxwell);
    return exit;
}

/* The words into a file, low byte first, or as text where there is none. */
static enum sch_cli_exit put_words(const struct sch_cli_maxwell *maxwell, const char *output)
{
    void *data;
    uint32_t *words;
    size_t count;
    enum sch_cli_exit exit = SCH_CLI_YES;
    enum sch_result result = sch_shader_tokens(maxwell->program, NULL, &words, &count);
    if (result != SCH_OK) return fail(maxwell, result);
    for (size_t i = 0; i < count && !output; i += 2) printf("0x%08x%08x\n", words[i + 1], words[i]);
    sch_free(maxwell->context, words);
    if (!output) return exit;
    result = sch_shader_serialize(maxwell->program, NULL, &data, &count);
    if (result != SCH_OK) return fail(maxwell, result);
    exit = sch_cli_write(output, data, count);
    sch_free(maxwell->context, data);
    return exit;
}

enum sch_cli_exit sch_cli_maxwell_asm(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                      const char *output)
{
    struct sch_cli_maxwell maxwell;
    enum sch_cli_exit exit = sch_cli_maxwell_read(options, input, &maxwell);
    if (exit == SCH_CLI_YES)
        exit = sch_cli_result(sch_maxwell_warn(maxwell.program, maxwell.list), maxwell.list, input->name);
    exit = sch_cli_worse(exit, sch_cli_print_diagnostics(maxwell.list, &maxwell.input));
    if (exit == SCH_CLI_YES) exit = put_words(&maxwell, output);
    sch_cli_maxwell_release(&maxwell);
    return exit;
}

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
static void print_header(const struct sch_cli_maxwell *maxwell)
{
    if (maxwell->skipped) printf("offset\t%zu\n", maxwell->skipped);
    if (!maxwell->has_header) return;
    printf("header");
    for (size_t i = 0; i < HEADER_BYTES / 4; i++) printf("%c%08x", i ? ' ' : '\t', maxwell->header[i]);
    putchar('\n');
    print_header_fields(maxwell->header);
}

static const char *note_word(enum sch_maxwell_note_kind kind)
{
    static const char *const words[] = {"function", "line", "relocation", "parameter", "constant", "attribute"};
    return words[kind];
}

static void print_name(const char *name)
{
    for (const char *at = name; *at; at++) putchar((unsigned char)*at < 0x20 || *at == 0x7f ? '?' : *at);
}

/* How many relocations of a cubin are of each kind is said by them, lines only by dis, where they belong to code. */
static bool is_shown(const struct sch_maxwell_note_info *note) { return note->kind != SCH_MAXWELL_NOTE_LINE; }

/* What a cubin says of a kernel, where it says something. */
static void print_kernel(const struct sch_maxwell_section_info *view)
{
    static const char *const kinds[] = {"callable", "kernel"};
    printf("%s\t", kinds[view->is_kernel]);
    print_name(view->name);
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
static void print_owner(const struct sch_cli_maxwell *maxwell, int32_t section)
{
    struct sch_maxwell_section_info view = {.size = sizeof view};
    if (section >= 0 && sch_maxwell_section(maxwell->program, (size_t)section, &view))
        print_name(view.name);
    else
        putchar('-');
}

static void print_notes(const struct sch_cli_maxwell *maxwell)
{
    struct sch_maxwell_note_info note = {.size = sizeof note};
    for (size_t i = 0; sch_maxwell_note(maxwell->program, i, &note); i++) {
        if (!is_shown(&note)) continue;
        printf("%s\t", note_word(note.kind));
        print_owner(maxwell, note.section);
        printf("\t0x%x\t", note.offset);
        print_name(note.name);
        putchar('\t');
        print_name(note.text);
        putchar('\n');
    }
}

static void print_info(const struct sch_cli_maxwell *maxwell, const struct sch_maxwell_code_info *info)
{
    printf("kind\t%s\narch\t%s\nhash\t%016llx\nsections\t%u\ninstructions\t%u\ntextures\t%u\nunknown\t%u\n",
           kind_word(info->kind), arch_word(info->arch), (unsigned long long)info->hash, info->sections,
           info->instructions, info->textures, info->unknown);
    print_header(maxwell);
    struct sch_maxwell_section_info view = {.size = sizeof view};
    for (size_t i = 0; sch_maxwell_section(maxwell->program, i, &view); i++) {
        printf("section\t");
        print_name(view.name);
        printf("\t%u\t%u\t%u\n", view.instructions, view.textures, view.registers);
    }
    if (info->kind != SCH_KIND_CUBIN) return;
    for (size_t i = 0; sch_maxwell_section(maxwell->program, i, &view); i++) print_kernel(&view);
    print_notes(maxwell);
}

static void print_json_notes(const struct sch_cli_maxwell *maxwell)
{
    struct sch_maxwell_note_info note = {.size = sizeof note};
    bool any = false;
    for (size_t i = 0; sch_maxwell_note(maxwell->program, i, &note); i++) {
        printf("%s\n    {\"kind\": \"%s\", \"section\": ", any ? "," : "", note_word(note.kind));
        if (note.section < 0)
            printf("null");
        else
            printf("%d", (int)note.section);
        printf(", \"offset\": %u, \"name\": ", note.offset);
        sch_cli_json_string(stdout, note.name);
        printf(", \"text\": ");
        sch_cli_json_string(stdout, note.text);
        putchar('}');
        any = true;
    }
}

static void print_json_info(const struct sch_cli_maxwell *maxwell, const struct sch_maxwell_code_info *info)
{
    fputs("{\n  \"schema\": \"scheelite-info-maxwell/1\",\n  \"file\": ", stdout);
    sch_cli_json_string(stdout, maxwell->file);
    printf(",\n  \"kind\": \"%s\",\n  \"arch\": \"%s\",\n  \"hash\": \"%016llx\",\n  \"instructions\": %u,\n"
           "  \"textures\": %u,\n  \"unknown\": %u,\n  \"sections\": [",
           kind_word(info->kind), arch_word(info->arch), (unsigned long long)info->hash, info->instructions,
           info->textures, info->unknown);
    struct sch_maxwell_section_info view = {.size = sizeof view};
    for (size_t i = 0; sch_maxwell_section(maxwell->program, i, &view); i++) {
        printf("%s\n    {\"name\": ", i ? "," : "");
        sch_cli_json_string(stdout, view.name);
        printf(", \"instructions\": %u, \"textures\": %u, \"registers\": %u", view.instructions, view.textures,
               view.registers);
        if (info->kind == SCH_KIND_CUBIN)
            printf(
                ", \"kernel\": %s, \"barriers\": %u, \"shared\": %u, \"local\": %u, \"stack\": %u, \"constants\": %u, "
                "\"parameters\": %u, \"parameter_bytes\": %u",
                view.is_kernel ? "true" : "false", view.barriers, view.shared_bytes, view.local_bytes, view.stack_bytes,
                view.constant_bytes, view.parameters, view.parameter_bytes);
        putchar('}');
    }
    printf("],\n  \"notes\": [");
    print_json_notes(maxwell);
    printf("],\n  \"offset\": %zu,\n  \"header\": ", maxwell->skipped);
    for (size_t i = 0; maxwell->has_header && i < HEADER_BYTES / 4; i++)
        printf("%s\"0x%08x\"", i ? ", " : "[", maxwell->header[i]);
    puts(maxwell->has_header ? "]\n}" : "null\n}");
}

enum sch_cli_exit sch_cli_maxwell_info(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                       bool json)
{
    struct sch_cli_maxwell maxwell;
    enum sch_cli_exit exit = sch_cli_maxwell_read(options, input, &maxwell);
    exit = sch_cli_worse(exit, sch_cli_print_diagnostics(maxwell.list, &maxwell.input));
    if (exit == SCH_CLI_YES) {
        struct sch_maxwell_code_info info = {.size = sizeof info};
        enum sch_result result = sch_maxwell_get_info(maxwell.program, &info);
        if (result != SCH_OK)
            exit = fail(&maxwell, result);
        else if (json)
            print_json_info(&maxwell, &info);
        else
            print_info(&maxwell, &info);
    }
    sch_cli_maxwell_release(&maxwell);
    return exit;
}
