/* Maxwell code in the command: kinds, and reading it. */
#include "maxwell.h"
#include "common/code.h"
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

const char *sch_cli_arch_word(enum sch_maxwell_arch arch)
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
    const enum sch_cli_exit exit_code = sch_cli_offset(verb, word, &options->offset);
    return exit_code == SCH_CLI_YES ? sch_cli_wrapped_offset(verb, word)
                                    : exit_code; /* for what turns out to be a container */
}

enum { HEADER_BYTES = 4 * SCH_CLI_CODE_HEADER_WORDS, BUNDLE_BYTES = 32 };

/* Removes what comes before the code of a raw program: --offset bytes, and then the header of a graphics program. There
 * is one if the bytes are a whole number of bundles without it only. */
static enum sch_cli_exit skip(const struct sch_cli_maxwell_options *options, struct sch_cli_shader *shader)
{
    struct sch_cli_input *input = &shader->input;
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
    const bool has_header = raw && bytes > HEADER_BYTES && bytes % BUNDLE_BYTES == HEADER_BYTES % BUNDLE_BYTES;
    if (!options->offset && !has_header) return SCH_CLI_YES;
    struct sch_cli_code_place *place = shader->place = calloc(1, sizeof *place);
    if (!place) return sch_cli_no_memory();
    place->file = input->name;
    place->skipped = options->offset + (has_header ? (size_t)HEADER_BYTES : 0);
    place->has_header = has_header;
    for (size_t i = 0; has_header && i < SCH_CLI_CODE_HEADER_WORDS; i++, code += 4)
        place->header[i] = code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    input->bytes -= place->skipped;
    memmove(input->data, input->data + place->skipped, input->bytes);
    input->data[input->bytes] = 0;
    snprintf(place->name, sizeof place->name, "%.250s+0x%zx", input->name, place->skipped);
    input->name = place->name;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_maxwell_read(const struct sch_cli_maxwell_options *options, struct sch_cli_input *input,
                                       struct sch_cli_shader *shader)
{
    *shader = (struct sch_cli_shader){.input = *input};
    *input = (struct sch_cli_input){.name = input->name};
    const enum sch_cli_exit skipped = skip(options, shader);
    if (skipped != SCH_CLI_YES) return skipped;
    enum sch_result result = sch_cli_context_create(&shader->context);
    if (result == SCH_OK) result = sch_diagnostics_create(shader->context, &shader->list);
    const struct sch_read_options read = {.size = sizeof read,
                                          .kind = shader->place   ? SCH_KIND_MAXWELL_RAW
                                                  : options->kind ? options->kind
                                                                  : SCH_KIND_MAXWELL,
                                          .arch = options->arch,
                                          .schedule = options->schedule,
                                          .kernel = options->kernel,
                                          .name = shader->input.name};
    if (result == SCH_OK)
        result = sch_shader_read(shader->context, shader->input.data, shader->input.bytes, &read, shader->list,
                                 &shader->shader);
    return sch_cli_result(result, shader->list, shader->input.name);
}

enum sch_cli_exit sch_cli_maxwell_check(const struct sch_cli_shader *shader)
{
    struct sch_maxwell_code_info info = {.size = sizeof info};
    if (sch_shader_language(shader->shader) != SCH_LANGUAGE_MAXWELL) return SCH_CLI_YES;
    const enum sch_result result = sch_shader_check(shader->shader, shader->list);
    if (result != SCH_OK) return sch_cli_result(result, shader->list, shader->input.name);
    if (sch_maxwell_get_info(shader->shader, &info) == SCH_OK && info.sections != 1)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                            "%s: %u sections of code; a program of one is executed (--kernel NAME chooses it)",
                            shader->input.name, info.sections);
    return SCH_CLI_YES;
}
