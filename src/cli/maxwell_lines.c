/* Maxwell instructions line by line: words to text (dis --hex) and text to words (asm --hex). Each line is answered
 * with one line, however many there are. */
#include "lines.h"
#include "maxwell.h"

#include <string.h>

enum { WARNINGS = 100 }; /* reports of warnings; errors are all reported */

struct answers {
    struct sch_maxwell_word_options word;
    struct sch_cli_input name; /* for reports: no text */
    bool control;
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    uint64_t warnings;
    enum sch_cli_exit exit;
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

/* The next word in hexadecimal, with or without 0x; moves behind it. */
static bool read_hex(const char **at, uint64_t *word)
{
    const char *text = *at;
    while (is_blank(*text)) text++;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) text += 2;
    *word = 0;
    unsigned digits = 0;
    for (int digit; (digit = hex_digit(*text)) >= 0; text++, digits++) {
        if (digits == 16) return false;
        *word = *word << 4 | (uint64_t)digit;
    }
    *at = text;
    return digits && (is_blank(*text) || *text == 0);
}

static bool is_end(const char *at)
{
    while (is_blank(*at)) at++;
    return *at == 0;
}

static bool read_line(struct answers *answers, const char *text, uint64_t *word)
{
    if (answers->control) {
        uint64_t slot;
        if (!read_hex(&text, &answers->word.control) || !read_hex(&text, &slot) || slot > 2) return false;
        answers->word.slot = (unsigned)slot;
    }
    return read_hex(&text, word) && is_end(text);
}

static void disassemble_line(void *user, char *text, size_t bytes, uint32_t line)
{
    struct answers *answers = user;
    uint64_t word;
    char printed[SCH_MAXWELL_TEXT_BYTES];
    if (strlen(text) != bytes || !read_line(answers, text, &word)) {
        struct sch_cli_place place = {&answers->name, line, 0};
        sch_cli_report(&place, 0, "expected %s",
                       answers->control ? "a control word, a slot (0 to 2) and a word in hexadecimal"
                                        : "a word of 64 bits in hexadecimal");
        answers->exit = sch_cli_worse(answers->exit, SCH_CLI_NO);
        puts("?");
        return;
    }
    puts(sch_maxwell_disassemble(word, &answers->word, printed) ? printed : "?");
}

/* ---- text to words ---- */

/* Prints the reports about a line and empties the list. */
static enum sch_result report(struct answers *answers, uint32_t line)
{
    bool error = sch_diagnostics_errors(answers->list) > 0;
    if (!error) answers->warnings++;
    if (error || answers->warnings <= WARNINGS) sch_cli_print_line_diagnostics(answers->list, answers->name.name, line);
    sch_diagnostics_destroy(answers->list);
    answers->list = NULL;
    return sch_diagnostics_create(answers->context, &answers->list);
}

static void assemble_line(void *user, char *text, size_t bytes, uint32_t line)
{
    struct answers *answers = user;
    uint64_t word;
    enum sch_result result = sch_maxwell_assemble(text, bytes, &answers->word, answers->list, &word, NULL);
    if (result == SCH_OK)
        printf("0x%016llx\n", (unsigned long long)word);
    else {
        puts("?");
        answers->exit = sch_cli_worse(answers->exit, sch_cli_result(result, answers->list, answers->name.name));
    }
    if (!sch_diagnostics_count(answers->list)) return;
    enum sch_cli_exit reported = sch_cli_result(report(answers, line), NULL, answers->name.name);
    answers->exit = sch_cli_worse(answers->exit, reported);
}

/* ---- the forms ---- */

static struct answers begin(const struct sch_cli_maxwell_options *options, const char *path, bool control)
{
    return (struct answers){
        .word = {.size = sizeof(struct sch_maxwell_word_options),
                 .target = options->target,
                 .style = options->style,
                 .has_control = control},
        .name = {.name = strcmp(path, "-") == 0 ? "<stdin>" : path},
        .control = control,
    };
}

enum sch_cli_exit sch_cli_maxwell_dis_lines(const struct sch_cli_maxwell_options *options, const char *path,
                                            bool control)
{
    struct answers answers = begin(options, path, control);
    enum sch_cli_exit exit = sch_cli_each_line(path, disassemble_line, NULL, &answers);
    return sch_cli_worse(exit, answers.exit);
}

enum sch_cli_exit sch_cli_maxwell_asm_lines(const struct sch_cli_maxwell_options *options, const char *path)
{
    struct answers answers = begin(options, path, false);
    enum sch_result result = sch_cli_plain_context_create(&answers.context);
    if (result == SCH_OK) result = sch_diagnostics_create(answers.context, &answers.list);
    enum sch_cli_exit exit = SCH_CLI_YES;
    if (result == SCH_OK)
        exit = sch_cli_each_line(path, assemble_line, NULL, &answers);
    else
        exit = sch_cli_result(result, NULL, answers.name.name);
    if (answers.warnings > WARNINGS)
        fprintf(stderr, "scheelite: warnings about %llu more lines are not shown\n",
                (unsigned long long)(answers.warnings - WARNINGS));
    sch_diagnostics_destroy(answers.list);
    sch_context_destroy(answers.context);
    return sch_cli_worse(exit, answers.exit);
}
