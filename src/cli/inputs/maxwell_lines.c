/* Maxwell instructions line by line: words to text (dis --hex) and text to words (asm --hex). Each line is answered
 * with one line, however many there are. */
#include "common/lines.h"
#include "maxwell.h"

#include <string.h>

enum { WARNINGS = 100 }; /* reports of warnings; errors are all reported */

struct output {
    struct sch_maxwell_word_options word;
    struct sch_cli_input name; /* for reports: no text */
    bool control;
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    uint64_t warnings;
    enum sch_cli_exit exit_code;
};

/* ---- words to text ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The next word in hexadecimal, with or without 0x; moves past it. Returns how many digits it has; 0: it is not one. */
static unsigned read_hex(const char **at, uint64_t *word)
{
    const char *text = *at;
    while (is_blank(*text)) text++;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) text += 2;
    *word = 0;
    unsigned digits = 0;
    for (int digit; (digit = hex_digit(*text)) >= 0; text++, digits++) {
        if (digits == 16) return 0;
        *word = *word << 4 | (uint64_t)digit;
    }
    *at = text;
    return is_blank(*text) || *text == 0 ? digits : 0;
}

static bool is_end(const char *at)
{
    while (is_blank(*at)) at++;
    return *at == 0;
}

/* An address before what a line has, as listings write it: 0048: (four digits at least), or in a comment. Branches
 * count from it; without one it is 0. */
static const char *read_address(struct output *output, const char *text)
{
    enum { LEAST = 4, MOST = 8 }; /* digits */
    output->word.address = 0;
    const char *at = text;
    while (is_blank(*at)) at++;
    const bool comment = at[0] == '/' && at[1] == '*';
    if (comment) at += 2;
    while (is_blank(*at)) at++;
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) at += 2;
    uint32_t address = 0;
    unsigned digits = 0;
    for (int digit; digits < MOST && (digit = hex_digit(*at)) >= 0; at++, digits++)
        address = address << 4 | (uint32_t)digit;
    while (is_blank(*at)) at++;
    if (digits < LEAST || (comment ? at[0] != '*' || at[1] != '/' : at[0] != ':' || !is_blank(at[1]))) return text;
    output->word.address = address;
    return at + (comment ? 2 : 1);
}

/* An instruction is bytes, of two digits each: where a digit is missing, it was lost, and the word is another one. */
static bool read_code_line(struct output *output, const char *text, uint64_t *word)
{
    text = read_address(output, text);
    if (output->control) {
        uint64_t slot;
        if (!read_hex(&text, &output->word.control) || !read_hex(&text, &slot) || slot > 2) return false;
        output->word.slot = (unsigned)slot;
    }
    const unsigned digits = read_hex(&text, word);
    return digits && digits % 2 == 0 && is_end(text);
}

static void disassemble_line(void *user, char *text, size_t bytes, uint32_t line)
{
    struct output *output = user;
    uint64_t word;
    char printed[SCH_MAXWELL_TEXT_BYTES];
    if (strlen(text) != bytes || !read_code_line(output, text, &word)) {
        struct sch_cli_location location = {&output->name, line, 0};
        sch_cli_report(&location, 0, "expected %s",
                       output->control
                           ? "a control word, a slot (0 to 2) and a word in hexadecimal, of an even number of digits"
                           : "a word of 64 bits in hexadecimal, of an even number of digits");
        output->exit_code = sch_cli_worse(output->exit_code, SCH_CLI_NO);
        puts("?");
        return;
    }
    puts(sch_maxwell_disassemble(word, &output->word, printed) ? printed : "?");
}

/* ---- text to words ---- */

/* Prints the reports about a line and empties the list. */
static enum sch_result report(struct output *output, uint32_t line)
{
    bool error = sch_diagnostics_errors(output->list) > 0;
    if (!error) output->warnings++;
    if (error || output->warnings <= WARNINGS) sch_cli_print_line_diagnostics(output->list, output->name.name, line);
    sch_diagnostics_destroy(output->list);
    output->list = NULL;
    return sch_diagnostics_create(output->context, &output->list);
}

static void assemble_line(void *user, char *text, size_t bytes, uint32_t line)
{
    struct output *output = user;
    uint64_t word;
    memset(text, ' ', (size_t)(read_address(output, text) - text)); /* columns stay */
    enum sch_result result = sch_maxwell_assemble(text, bytes, &output->word, output->list, &word, NULL);
    if (result == SCH_OK)
        printf("0x%016llx\n", (unsigned long long)word);
    else {
        puts("?");
        output->exit_code = sch_cli_worse(output->exit_code, sch_cli_result(result, output->list, output->name.name));
    }
    if (!sch_diagnostics_count(output->list)) return;
    enum sch_cli_exit reported = sch_cli_result(report(output, line), NULL, output->name.name);
    output->exit_code = sch_cli_worse(output->exit_code, reported);
}

/* ---- dis and asm ---- */

static struct output begin_lines(const struct sch_cli_maxwell_options *options, const char *path, bool control)
{
    return (struct output){
        .word = {.size = sizeof(struct sch_maxwell_word_options),
                 .arch = options->arch,
                 .style = options->style,
                 .has_control = control},
        .name = {.name = strcmp(path, "-") == 0 ? "<stdin>" : path},
        .control = control,
    };
}

enum sch_cli_exit sch_cli_maxwell_dis_lines(const struct sch_cli_maxwell_options *options, const char *path,
                                            bool control)
{
    struct output output = begin_lines(options, path, control);
    enum sch_cli_exit exit_code = sch_cli_each_line(path, disassemble_line, NULL, &output);
    return sch_cli_worse(exit_code, output.exit_code);
}

enum sch_cli_exit sch_cli_maxwell_asm_lines(const struct sch_cli_maxwell_options *options, const char *path)
{
    struct output output = begin_lines(options, path, false);
    enum sch_result result = sch_cli_plain_context_create(&output.context);
    if (result == SCH_OK) result = sch_diagnostics_create(output.context, &output.list);
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (result == SCH_OK)
        exit_code = sch_cli_each_line(path, assemble_line, NULL, &output);
    else
        exit_code = sch_cli_result(result, NULL, output.name.name);
    if (output.warnings > WARNINGS)
        fprintf(stderr, "scheelite: warnings about %llu more lines are not shown\n",
                (unsigned long long)(output.warnings - WARNINGS));
    sch_diagnostics_destroy(output.list);
    sch_context_destroy(output.context);
    return sch_cli_worse(exit_code, output.exit_code);
}
