/* Help on a terminal, from the tables (verbs.def, options.def). Manual pages are made of the same rows by
 * tools/gen-pages. */
#include "help.h"

#include "cli.h"

#include <string.h>

enum { INDENT = 24, LINE = 100 }; /* columns: where texts begin, and where their lines end */

/* A text from column INDENT on, whose lines are broken at blanks. */
static void print_wrapped(FILE *file, const char *text)
{
    size_t column = INDENT;
    bool begins = true;
    while (*text) {
        const size_t word = strcspn(text, " ");
        if (!begins && column + 1 + word > LINE) {
            fprintf(file, "\n%*s", INDENT, "");
            column = INDENT;
            begins = true;
        }
        fprintf(file, "%s%.*s", begins ? "" : " ", (int)word, text);
        column += !begins + word;
        text += word + (text[word] == ' ');
        begins = false;
    }
    fputc('\n', file);
}

static void print_option(FILE *file, const struct sch_cli_option *option)
{
    char head[100], text[800], words[400];
    size_t at = 0;
    snprintf(head, sizeof head, "  %s%s%s%s", option->name,
             option->value && !(option->flags & (SCH_CLI_JOINED | SCH_CLI_LOOSE)) ? " " : "",
             option->value ? option->value : "", option->flags & SCH_CLI_MANY ? " ..." : "");
    for (const char *c = sch_cli_option_words(option); c && *c && at + 3 < sizeof words; c++) {
        if (*c != '|')
            words[at++] = *c;
        else
            at += (size_t)snprintf(words + at, 3, ", ");
    }
    words[at] = 0;
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", option->text, at ? " One of: " : "", words, at ? "." : "",
             option->fallback ? " Default: " : "", option->fallback ? option->fallback : "",
             option->fallback ? "." : "");
    if (strlen(head) + 2 > INDENT)
        fprintf(file, "%s\n%*s", head, INDENT, "");
    else
        fprintf(file, "%-*s", INDENT, head);
    print_wrapped(file, text);
}

/* All options of a verb. */
static void print_options(FILE *file, const struct sch_cli_verb *verb)
{
    const char *title = NULL;
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const struct sch_cli_option *option = &sch_cli_options[id];
        if (!sch_cli_verb_has(verb, (enum sch_cli_option_id)id)) continue;
        const char *now = sch_cli_group_titles[option->group];
        if (!title || strcmp(title, now) != 0) fprintf(file, "\n%s:\n", now);
        title = now;
        print_option(file, option);
    }
}

/* The lines of a synopsis, each after the command's name. */
static void print_synopsis(FILE *file, const struct sch_cli_verb *verb)
{
    const char *head = "usage:";
    for (const char *line = verb->synopsis; *line;) {
        const size_t bytes = strcspn(line, "\n");
        fprintf(file, "%-6s scheelite %s %.*s\n", head, verb->name, (int)bytes, line);
        line += bytes + (line[bytes] == '\n');
        head = "";
    }
}

/* The words that are not options: the tables of list. */
static void print_words(FILE *file, const struct sch_cli_verb *verb)
{
    char text[256];
    snprintf(text, sizeof text, "%s", verb->words);
    for (char *at = text; *at; at++)
        if (*at == '|') *at = ' ';
    fprintf(file, "%-*s", INDENT, "words:");
    print_wrapped(file, text);
}

/* The options that are needed most often, in the order of the table; how many more the verb has. */
static unsigned print_often(FILE *file, const struct sch_cli_verb *verb, const char *often)
{
    unsigned others = 0;
    fputs("\nOptions:\n", file);
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const bool has = sch_cli_verb_has(verb, (enum sch_cli_option_id)id);
        if (has && sch_cli_list_find(often, sch_cli_options[id].name, strlen(sch_cli_options[id].name)) != UINT32_MAX)
            print_option(file, &sch_cli_options[id]);
        else
            others += has;
    }
    return others;
}

void sch_cli_print_verb_help(FILE *file, const struct sch_cli_verb *verb, bool all)
{
    const char *often = all ? NULL : sch_cli_often_of(verb);
    unsigned others = 0;
    fprintf(file, "scheelite %s: %s\n", verb->name, verb->summary);
    print_synopsis(file, verb);
    if (*verb->words) print_words(file, verb);
    fputs("\nExamples:\n", file);
    for (size_t i = 0; i < sch_cli_example_count; i++)
        if (strcmp(sch_cli_examples[i].verb, verb->name) == 0)
            fprintf(file, "  scheelite %s\n      %s\n", sch_cli_examples[i].command, sch_cli_examples[i].text);
    if (often)
        others = print_often(file, verb, often);
    else
        print_options(file, verb);
    fputc('\n', file);
    if (others) fprintf(file, "`scheelite %s --help-all` shows %u more options. ", verb->name, others);
    fprintf(file, "`man scheelite-%s` says more.\n", verb->name);
}

void sch_cli_print_help(FILE *file)
{
    const struct sch_cli_verb *verb;
    fputs("scheelite reads, checks and runs shaders.\n", file);
    for (size_t i = 0; (verb = sch_cli_verb_at(i)) != NULL; i++) {
        const char *section = sch_cli_section_of(verb);
        if (section) fprintf(file, "\n%s:\n", section);
        fprintf(file, "  %-9s %s\n", verb->name, verb->summary);
    }
    fputs("  help      prints this, or describes a verb: scheelite help VERB\n"
          "  version   prints the version, and which compiler, processor and cache it uses\n"
          "\n`scheelite VERB --help` describes a verb; `man scheelite` and `man scheelite-VERB` describe everything.\n"
          "Exit codes: 0 yes, 1 no (invalid), 2 usage, 3 cannot read or write, 4 not supported, 5 a limit or budget, "
          "70 a bug.\n",
          file);
}

/* Whether the word is an option whose value is the next one. */
static bool takes_next(const struct sch_cli_verb *verb, const char *word)
{
    for (int id = 0; id < SCH_OPTION_COUNT; id++)
        if (sch_cli_verb_has(verb, (enum sch_cli_option_id)id) && strcmp(sch_cli_options[id].name, word) == 0)
            return sch_cli_options[id].value && !(sch_cli_options[id].flags & (SCH_CLI_JOINED | SCH_CLI_LOOSE));
    return false;
}

enum sch_cli_help sch_cli_wants_help(const struct sch_cli_verb *verb, int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return SCH_CLI_HELP_OFTEN;
        if (strcmp(argv[i], "--help-all") == 0) return SCH_CLI_HELP_ALL;
        if (!verb->command) continue;
        if (argv[i][0] != '-' || argv[i][1] == 0) return SCH_CLI_HELP_NONE;
        if (takes_next(verb, argv[i])) i++;
    }
    return SCH_CLI_HELP_NONE;
}
