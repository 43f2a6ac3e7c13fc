/* scheelite dis: a shader of any kind as canonical text. */
#include "files.h"
#include "hlsl_file.h"
#include "maxwell.h"

#include <stdlib.h>
#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Replaces words in hexadecimal, with or without 0x, by the bytes that they stand for. */
static enum sch_cli_exit read_hex_words(struct sch_cli_input *input)
{
    uint32_t *words = malloc((input->bytes / 2 + 1) * sizeof *words);
    if (!words) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    size_t count = 0;
    uint32_t line = 1;
    const char *at = input->data, *end = input->data + input->bytes, *line_begin = at;
    while (at < end) {
        if (is_blank(*at)) {
            if (*at++ == '\n') {
                line++;
                line_begin = at;
            }
            continue;
        }
        const char *begin = at;
        if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) at += 2;
        uint32_t word = 0;
        unsigned digits = 0;
        for (; at < end && digits < 9 && hex_digit(*at) >= 0; at++, digits++)
            word = word << 4 | (uint32_t)hex_digit(*at);
        if (digits == 0 || digits > 8 || (at < end && !is_blank(*at))) {
            struct sch_cli_location location = {input, line, (uint32_t)(begin - line_begin) + 1};
            sch_cli_report(&location, 0, "this is no 32-bit word in hexadecimal");
            free(words);
            return SCH_CLI_NO;
        }
        words[count++] = word;
    }
    free(input->data);
    input->data = (char *)words;
    input->bytes = count * sizeof *words;
    return SCH_CLI_YES;
}

/* Like sch_cli_shader_load, for words in hexadecimal. */
static enum sch_cli_exit load_words(const char *path, struct sch_cli_shader *shader)
{
    *shader = (struct sch_cli_shader){0};
    enum sch_cli_exit exit = sch_cli_read(path, &shader->input);
    if (exit == SCH_CLI_YES) exit = read_hex_words(&shader->input);
    if (exit == SCH_CLI_YES) exit = sch_cli_shader_parse(SCH_KIND_TGSI_BIN, shader);
    return sch_cli_worse(exit, sch_cli_print_diagnostics(shader->list, &shader->input));
}

static enum sch_cli_exit print_shader(const struct sch_cli_shader *shader, enum sch_float_text floats,
                                      enum sch_listing_style listing)
{
    struct sch_print_options options = {.size = sizeof options, .floats = floats, .listing = listing};
    char *text;
    size_t bytes;
    enum sch_result result = sch_shader_print(shader->shader, &options, &text, &bytes);
    if (result != SCH_OK) return sch_cli_result(result, NULL, shader->input.name);
    fwrite(text, 1, bytes, stdout);
    sch_free(shader->context, text);
    return SCH_CLI_YES;
}

struct wanted {
    enum sch_kind kind;
    enum sch_float_text floats;
    struct sch_cli_maxwell_options maxwell;
    bool words, hex, control;
    bool nvdisasm; /* a style that only Maxwell code has */
    bool d3d;      /* a style that only Direct3D shaders have */
    enum sch_listing_style listing;
    uint32_t nth;
    const char *file;
    struct sch_cli_files files;
    const char *ending; /* of a file that holds the listing */
};

static enum sch_cli_exit read_floats(const char *word, enum sch_float_text *floats)
{
    if (strcmp(word, "hex") == 0)
        *floats = SCH_FLOAT_TEXT_HEX;
    else if (strcmp(word, "dec") == 0)
        *floats = SCH_FLOAT_TEXT_DECIMAL;
    else
        return sch_cli_usage_error(&sch_cli_dis, "--floats is hex or dec, not %s", word);
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_style(const char *word, struct wanted *wanted)
{
    wanted->nvdisasm = strcmp(word, "nvdisasm") == 0;
    wanted->maxwell.style = wanted->nvdisasm ? SCH_MAXWELL_TEXT_NVDISASM : SCH_MAXWELL_TEXT_ISA;
    wanted->d3d = strcmp(word, "fxc") == 0 || strcmp(word, "vkd3d") == 0;
    wanted->listing = !wanted->d3d ? SCH_LISTING_FXC : *word == 'v' ? SCH_LISTING_VKD3D : SCH_LISTING_FXC_DUMP;
    if (wanted->d3d || wanted->nvdisasm || strcmp(word, "isa") == 0) return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_dis, "there is no style %s", word);
}

/* Which options go together. */
static enum sch_cli_exit check_arguments(const struct wanted *wanted)
{
    if (!wanted->files.count) return sch_cli_usage_error(&sch_cli_dis, "which file?");
    if (wanted->words && wanted->kind != SCH_KIND_TGSI_BIN)
        return sch_cli_usage_error(&sch_cli_dis, "--words goes with -x tgsi-bin");
    if (wanted->hex && (!wanted->maxwell.chosen || wanted->maxwell.kind == SCH_KIND_CUBIN))
        return sch_cli_usage_error(&sch_cli_dis, "--hex goes with -x maxwell");
    if (wanted->maxwell.labels && wanted->hex)
        return sch_cli_usage_error(&sch_cli_dis, "--labels goes with whole programs, not with --hex");
    if (wanted->control && !wanted->hex) return sch_cli_usage_error(&sch_cli_dis, "--control goes with --hex");
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        enum sch_cli_exit exit = SCH_CLI_YES;
        switch (option) {
        case SCH_CLI_STOP:
            return arguments->exit;
        case SCH_OPTION_KIND:
            exit = sch_cli_any_kind(&sch_cli_dis, arguments->value, &wanted->kind, &wanted->maxwell);
            break;
        case SCH_OPTION_FLOATS:
            exit = read_floats(arguments->value, &wanted->floats);
            break;
        case SCH_OPTION_STYLE:
            exit = read_style(arguments->value, wanted);
            break;
        case SCH_OPTION_DIS_WORDS:
            wanted->words = true;
            break;
        case SCH_OPTION_DIS_HEX:
            wanted->hex = true;
            break;
        case SCH_OPTION_KERNEL:
            wanted->maxwell.kernel = arguments->value;
            break;
        case SCH_OPTION_ARCH:
            exit = sch_cli_arch(&sch_cli_dis, arguments->value, &wanted->maxwell);
            break;
        case SCH_OPTION_CODE_OFFSET:
            exit = sch_cli_maxwell_offset(&sch_cli_dis, arguments->value, &wanted->maxwell);
            break;
        case SCH_OPTION_DIS_LABELS:
            wanted->maxwell.labels = true;
            break;
        case SCH_OPTION_CONTROL:
            wanted->control = true;
            break;
        case SCH_OPTION_NTH:
            exit = sch_cli_nth(&sch_cli_dis, arguments->value, &wanted->nth);
            break;
        case SCH_OPTION_RECURSIVE:
            wanted->files.recursive = true;
            break;
        case SCH_OPTION_TEXT_OUTPUT:
            wanted->files.output = arguments->value;
            break;
        default:
            exit = sch_cli_files_add(&wanted->files, arguments->value);
        }
        if (exit != SCH_CLI_YES) return exit;
    }
    return check_arguments(wanted);
}

static enum sch_cli_exit check_style(const struct wanted *wanted, const struct sch_cli_shader *shader)
{
    if (!wanted->d3d || sch_shader_language(shader->shader) == SCH_LANGUAGE_D3D) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_UNSUPPORTED, "styles fxc and vkd3d are of Direct3D shaders");
}

/* All shaders of a text, each behind a comment. */
static enum sch_cli_exit print_parts(const struct wanted *wanted, struct sch_cli_input *input,
                                     const struct sch_text_shader *list, size_t count)
{
    enum sch_cli_exit exit = SCH_CLI_YES;
    for (uint32_t n = 1; n <= count; n++) {
        sch_cli_choose(input, list, n);
        struct sch_cli_shader shader = {.input = *input};
        enum sch_cli_exit one = sch_cli_shader_parse(wanted->kind, &shader);
        one = sch_cli_worse(one, sch_cli_print_diagnostics(shader.list, &shader.input));
        const bool d3d = one == SCH_CLI_YES && sch_shader_language(shader.shader) == SCH_LANGUAGE_D3D;
        printf("%s%s shader %u, line %u\n", n > 1 ? "\n" : "", d3d ? "//" : "#", n, input->line);
        if (one == SCH_CLI_YES) one = check_style(wanted, &shader);
        if (one == SCH_CLI_YES) one = print_shader(&shader, wanted->floats, wanted->listing);
        shader.input.data = NULL; /* the caller's */
        sch_cli_shader_release(&shader);
        exit = sch_cli_worse(exit, one);
    }
    return exit;
}

/* A file of any kind but words in hexadecimal. */
static enum sch_cli_exit print_file(struct wanted *wanted)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit = sch_cli_read_source(wanted->file, &input);
    if (exit != SCH_CLI_YES) return exit;
    const bool maxwell = sch_cli_is_maxwell(&wanted->maxwell, wanted->kind, &input);
    if (maxwell) wanted->ending = ".maxwell";
    if (maxwell) return sch_cli_maxwell_dis(&wanted->maxwell, &input);
    struct sch_text_shader *list;
    size_t count;
    exit = sch_cli_shaders(&input, wanted->kind, &list, &count);
    if (exit == SCH_CLI_YES && count > 1 && !wanted->nth && !wanted->nvdisasm) {
        exit = print_parts(wanted, &input, list, count);
        free(list);
        sch_cli_input_release(&input);
        return exit;
    }
    free(list);
    input.nth = wanted->nth;
    struct sch_cli_shader shader = {.input = input};
    if (exit == SCH_CLI_YES && wanted->nvdisasm)
        exit = sch_cli_fail(SCH_CLI_UNSUPPORTED, "style nvdisasm is one of Maxwell code");
    else if (exit == SCH_CLI_YES) {
        exit = sch_cli_shader_take(&input, wanted->kind, &shader);
        exit = sch_cli_worse(exit, sch_cli_print_diagnostics(shader.list, &shader.input));
    }
    if (exit == SCH_CLI_YES) exit = check_style(wanted, &shader);
    if (exit == SCH_CLI_YES && sch_shader_language(shader.shader) == SCH_LANGUAGE_D3D) wanted->ending = ".asm";
    if (exit == SCH_CLI_YES) exit = print_shader(&shader, wanted->floats, wanted->listing);
    sch_cli_shader_release(&shader);
    return exit;
}

static enum sch_cli_exit print_words(const struct wanted *wanted)
{
    struct sch_cli_shader shader;
    enum sch_cli_exit exit = load_words(wanted->file, &shader);
    if (exit == SCH_CLI_YES) exit = print_shader(&shader, wanted->floats, SCH_LISTING_FXC);
    sch_cli_shader_release(&shader);
    return exit;
}

static enum sch_cli_exit print_one(void *user, const char *path, const char **ending)
{
    struct wanted *wanted = user;
    wanted->file = path;
    wanted->ending = ".tgsi";
    enum sch_cli_exit exit;
    if (wanted->hex)
        exit = sch_cli_maxwell_dis_lines(&wanted->maxwell, path, wanted->control);
    else
        exit = wanted->words ? print_words(wanted) : print_file(wanted);
    *ending = wanted->ending;
    return exit;
}

enum sch_cli_exit sch_cli_main_dis(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_dis, .argc = argc, .argv = argv};
    struct wanted wanted = {0};
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit == SCH_CLI_YES) exit = sch_cli_files_settle(&sch_cli_dis, &wanted.files);
    if (exit == SCH_CLI_YES) exit = sch_cli_each_file(&wanted.files, "# ", print_one, &wanted);
    sch_cli_files_release(&wanted.files);
    return exit;
}
