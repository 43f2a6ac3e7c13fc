/* A program of the build: prints the tables of verbs and options for tools/gen-pages, which makes manual pages and
 * completions of them. A record ends with the byte 1e, a field with 1f. It is not installed. */
#include <stdio.h>

#include "common/options.h"

/* Ends with NULL. */
static void print_record(const char *const *fields)
{
    for (; *fields; fields++) printf("%s\x1f", *fields);
    putchar('\x1e');
}

#define PRINT(...) print_record((const char *const[]){__VA_ARGS__, NULL})

static const char *text_of(const char *text) { return text ? text : ""; }

static void print_verb(const struct sch_cli_verb *verb)
{
    PRINT("verb", verb->name, verb->summary, verb->synopsis, verb->words, verb->command ? "command" : "");
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const struct sch_cli_option *option = &sch_cli_options[id];
        if (!sch_cli_verb_has(verb, (enum sch_cli_option_id)id)) continue;
        PRINT("option", sch_cli_group_titles[option->group], option->name, text_of(option->value),
              text_of(option->fallback), text_of(sch_cli_option_words(option)), option->text,
              option->flags & SCH_CLI_JOINED  ? "joined"
              : option->flags & SCH_CLI_LOOSE ? "loose"
                                              : "",
              option->flags & SCH_CLI_MANY ? "many" : "");
    }
}

int main(void)
{
    const struct sch_cli_verb *verb;
    for (size_t at = 0; (verb = sch_cli_verb_at(at)) != NULL; at++) print_verb(verb);
    for (size_t i = 0; i < sch_cli_example_count; i++)
        PRINT("example", sch_cli_examples[i].verb, sch_cli_examples[i].command, sch_cli_examples[i].text);
    return ferror(stdout) || fclose(stdout) != 0;
}
