/* A program of the build: prints manual pages (scdoc) and completions of shells from the tables of verbs and options.
 * It is not installed.
 *
 *   pages man VERB < FRAGMENT    the page of a verb; the fragment is its prose
 *   pages man < FRAGMENT         the page of the command
 *   pages bash | zsh | fish      completions
 *   pages options                all rows, for tests: verb, option, value, values, separated by tabs
 */
#include <stdio.h>
#include <string.h>

#include "common/options.h"

static bool has(const struct sch_cli_verb *verb, int id) { return sch_cli_verb_has(verb, (enum sch_cli_option_id)id); }

static const struct sch_cli_verb *next_verb(size_t *at) { return sch_cli_verb_at((*at)++); }

/* ---- manual pages ---- */

/* Text of a table: what scdoc would read as its marks is escaped. */
static void put(const char *text)
{
    if (*text == '-') putchar('\\'); /* no list */
    for (; *text; text++) {
        if (strchr("*_\\", *text)) putchar('\\');
        putchar(*text);
    }
}

static void put_bytes(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const char one[2] = {text[i], 0};
        put(one);
    }
}

static void man_synopsis(const struct sch_cli_verb *verb)
{
    for (const char *line = verb->synopsis; *line;) {
        const size_t bytes = strcspn(line, "\n");
        printf("*scheelite %s* ", verb->name);
        put_bytes(line, bytes);
        line += bytes + (line[bytes] == '\n');
        puts(*line ? "++" : "\n");
    }
}

static void man_words(const char *values)
{
    printf(" One of ");
    for (const char *at = values; *at;) {
        const size_t bytes = strcspn(at, "|");
        putchar('*');
        put_bytes(at, bytes);
        putchar('*');
        at += bytes + (at[bytes] == '|');
        if (*at) printf("%s", at[strcspn(at, "|")] ? ", " : " or ");
    }
    putchar('.');
}

static void man_option(const struct sch_cli_option *option)
{
    printf("*%s*", option->name);
    if (option->value && !(option->flags & (SCH_CLI_JOINED | SCH_CLI_LOOSE))) putchar(' ');
    if (option->value) put(option->value);
    printf("\n\t");
    put(option->text);
    if (sch_cli_option_words(option)) man_words(sch_cli_option_words(option));
    if (option->fallback) {
        printf(" Default: ");
        put(option->fallback);
        putchar('.');
    }
    if (option->flags & SCH_CLI_MANY) printf(" It may be given more than once.");
    printf("\n\n");
}

/* The options of a verb, each group of them below its title. */
static void man_options(const struct sch_cli_verb *verb)
{
    const char *title = NULL;
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        if (!has(verb, id)) continue;
        const char *now = sch_cli_group_titles[sch_cli_options[id].group];
        if (!title || strcmp(title, now) != 0) printf("## %s\n\n", now);
        title = now;
        man_option(&sch_cli_options[id]);
    }
}

static void man_examples(const char *verb)
{
    puts("# EXAMPLES\n");
    for (size_t i = 0; i < sch_cli_example_count; i++) {
        const struct sch_cli_example *example = &sch_cli_examples[i];
        if (verb && strcmp(example->verb, verb) != 0) continue;
        put(example->text);
        printf("\n\n\tscheelite ");
        put(example->command);
        printf("\n\n");
    }
}

/* Copies the fragment up to its first section, or from there on. */
static int copy_prose(char *line, size_t bytes)
{
    while (fgets(line, (int)bytes, stdin)) {
        if (line[0] == '#') return 1;
        fputs(line, stdout);
    }
    return 0;
}

static void copy_sections(char *line, size_t bytes)
{
    do fputs(line, stdout);
    while (fgets(line, (int)bytes, stdin));
    putchar('\n');
}

static void man_of_verb(const struct sch_cli_verb *verb)
{
    static char line[4096];
    printf("scheelite-%s(1)\n\n# NAME\n\nscheelite-%s - ", verb->name, verb->name);
    put(verb->summary);
    printf("\n\n# SYNOPSIS\n\n");
    man_synopsis(verb);
    printf("# DESCRIPTION\n\n");
    const int more = copy_prose(line, sizeof line);
    printf("\n# OPTIONS\n\n");
    man_options(verb);
    if (more) copy_sections(line, sizeof line);
    man_examples(verb->name);
    printf("# SEE ALSO\n\n*scheelite*(1)\n");
}

static void man_of_command(void)
{
    static char line[4096];
    const struct sch_cli_verb *verb;
    printf("scheelite(1)\n\n# NAME\n\nscheelite - read, check and run shaders\n\n# SYNOPSIS\n\n"
           "*scheelite* VERB [OPTION]... [FILE]...++\n*scheelite help* [VERB]++\n*scheelite --version*\n\n"
           "# DESCRIPTION\n\n");
    const int more = copy_prose(line, sizeof line);
    printf("\n# VERBS\n\n");
    for (size_t at = 0; (verb = next_verb(&at)) != NULL;) {
        printf("*scheelite-%s*(1)\n\t", verb->name);
        put(verb->summary);
        printf("\n\n");
    }
    printf("*help* [VERB]...\n\tlists the verbs, or says what one takes\n\n"
           "*version*\n\tsays which version this is, and what it found\n\n");
    if (more) copy_sections(line, sizeof line);
    man_examples(NULL);
    printf("# SEE ALSO\n\nThe pages of the verbs above.\n");
}

/* ---- completions ---- */

/* The words of a set, each after `before`, with blanks between them, without those that stand for others. */
static void put_words_behind(const char *before, const char *values)
{
    const char *between = "";
    for (const char *at = values; *at;) {
        const size_t bytes = strcspn(at, "|");
        const bool stands = bytes > 3 && strncmp(at, "no-", 3) == 0 && at[3] >= 'A' && at[3] <= 'Z';
        if (!stands) printf("%s%s%.*s", between, before, (int)bytes, at);
        between = " ";
        at += bytes + (at[bytes] == '|');
    }
}

static void put_words(const char *values) { put_words_behind("", values); }

/* The words of an option: of one whose value is joined, with the option in front. */
static void put_option_words(const struct sch_cli_option *option)
{
    if (option->flags & SCH_CLI_JOINED)
        put_words_behind(option->name, sch_cli_option_words(option));
    else
        fputs(option->name, stdout);
}

static bool joined(int id) { return sch_cli_options[id].flags & SCH_CLI_JOINED; }
static bool loose(int id) { return sch_cli_options[id].flags & SCH_CLI_LOOSE; }

static void bash_verb(const struct sch_cli_verb *verb)
{
    printf("    %s)\n        options='", verb->name);
    const char *between = "";
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        if (!has(verb, id)) continue;
        fputs(between, stdout);
        put_option_words(&sch_cli_options[id]);
        between = " ";
    }
    printf("'\n        words='");
    put_words(verb->words);
    printf("'%s\n        case $prev in\n", verb->command ? " commands=yes" : "");
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const struct sch_cli_option *option = &sch_cli_options[id];
        if (!has(verb, id) || !option->value || joined(id)) continue;
        bool before = false; /* a form's words come with the verb's */
        for (int other = 0; other < id; other++)
            before = before || (has(verb, other) && strcmp(sch_cli_options[other].name, option->name) == 0);
        if (before) continue;
        printf("        %s) taken=yes values='", option->name);
        for (int other = id; other < SCH_OPTION_COUNT; other++) {
            if (!has(verb, other) || strcmp(sch_cli_options[other].name, option->name) != 0) continue;
            if (other != id) putchar(' ');
            if (sch_cli_option_words(&sch_cli_options[other])) put_words(sch_cli_option_words(&sch_cli_options[other]));
        }
        printf("' ;;\n");
    }
    printf("        esac\n        ;;\n");
}

static void put_verbs(const char *between)
{
    const struct sch_cli_verb *verb;
    for (size_t at = 0; (verb = next_verb(&at)) != NULL;) printf("%s%s", verb->name, between);
}

static void bash(void)
{
    const struct sch_cli_verb *verb;
    puts("# Completion of scheelite in bash. Made from the tables of its verbs and options.\n"
         "_scheelite() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options='' words='' values='' "
         "taken='' commands=''\n"
         "    COMPREPLY=()");
    printf("    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"${COMP_WORDS[1]}\" = help ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    put_verbs(" ");
    puts("help version --help --version' -- \"$cur\"))\n"
         "        return\n"
         "    fi\n"
         "    # --option=value is three words here\n"
         "    if [ \"$cur\" = = ]; then\n"
         "        cur=''\n"
         "    elif [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -ge 3 ]; then\n"
         "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
         "    fi\n"
         "    case ${COMP_WORDS[1]} in");
    for (size_t at = 0; (verb = next_verb(&at)) != NULL;) bash_verb(verb);
    puts("    esac\n"
         "    if [ -n \"$taken\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n"
         "    elif [ \"${cur#-}\" != \"$cur\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
         "    elif [ -n \"$commands\" ] && [ \"$COMP_CWORD\" -eq 2 ]; then\n"
         "        COMPREPLY=($(compgen -c -- \"$cur\" | sort -u))\n"
         "    elif [ -n \"$words\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "    fi\n"
         "    # nothing: files, by the default of complete\n"
         "}\n"
         "complete -o bashdefault -o default -F _scheelite scheelite");
}

/* Inside of '...' of a shell; `special` is escaped by a backslash. */
static void put_quoted(const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            printf("%s%c", strchr(special, *text) ? "\\" : "", *text);
    }
}

/* The first sentence. */
static void put_sentence(const char *text, const char *special)
{
    char copy[400];
    const char *end = strstr(text, ". ");
    snprintf(copy, sizeof copy, "%.*s", (int)(end ? end - text : (long)strlen(text)), text);
    const size_t bytes = strlen(copy);
    if (bytes && copy[bytes - 1] == '.') copy[bytes - 1] = 0;
    put_quoted(copy, special);
}

static void zsh_verb(const struct sch_cli_verb *verb)
{
    printf("    %s)\n        _arguments -s -S", verb->name);
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const struct sch_cli_option *option = &sch_cli_options[id];
        const char *values = sch_cli_option_words(option);
        if (!has(verb, id)) continue;
        printf(" \\\n            '*%s%s[", option->name,
               !option->value           ? ""
               : joined(id)             ? "-"
               : loose(id)              ? "=-"
               : option->name[1] == '-' ? "="
                                        : "");
        put_sentence(option->text, "[]:\\");
        putchar(']');
        if (option->value) {
            fputs(loose(id) ? "::" : ":", stdout);
            put_quoted(option->value, "[]:\\");
            printf(":%s", values ? "(" : "_files");
            if (values) put_words(values);
            if (values) putchar(')');
        }
        putchar('\'');
    }
    if (verb->command)
        printf(" \\\n            '*::program:_normal'");
    else if (*verb->words) {
        printf(" \\\n            '*:word:(");
        put_words(verb->words);
        printf(")'");
    } else
        printf(" \\\n            '*:file:_files'");
    puts("\n        ;;");
}

static void zsh(void)
{
    const struct sch_cli_verb *verb;
    puts("#compdef scheelite\n"
         "# Completion of scheelite in zsh. Made from the tables of its verbs and options.\n"
         "_scheelite() {\n"
         "    local -a verbs\n"
         "    verbs=(");
    for (size_t at = 0; (verb = next_verb(&at)) != NULL;) {
        printf("        '%s:", verb->name);
        put_quoted(verb->summary, ":\\");
        puts("'");
    }
    puts("        'help:says what a verb takes'\n"
         "        'version:says which version this is'\n"
         "    )\n"
         "    if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
         "        _describe verb verbs\n"
         "        return\n"
         "    fi\n"
         "    local verb=$words[2]\n"
         "    shift words\n"
         "    (( CURRENT-- ))\n"
         "    case $verb in");
    for (size_t at = 0; (verb = next_verb(&at)) != NULL;) zsh_verb(verb);
    puts("    esac\n"
         "}\n"
         "_scheelite \"$@\"");
}

static void fish_option(const struct sch_cli_verb *verb, int id)
{
    const struct sch_cli_option *option = &sch_cli_options[id];
    const char *name = option->name, *values = sch_cli_option_words(option);
    printf("complete -c scheelite -n '__fish_seen_subcommand_from %s' ", verb->name);
    if (joined(id)) {
        printf("-f -a '");
        put_option_words(option);
        putchar('\'');
    } else {
        printf("-%c %s", name[1] == '-' ? 'l' : name[2] ? 'o' : 's', name[1] == '-' ? name + 2 : name + 1);
        if (option->value && values) {
            printf(" -x -a '");
            put_words(values);
            putchar('\'');
        } else if (option->value && !loose(id))
            printf(" -r -F");
    }
    printf(" -d '");
    put_sentence(option->text, "\\");
    puts("'");
}

static void fish(void)
{
    const struct sch_cli_verb *verb;
    puts("# Completion of scheelite in fish. Made from the tables of its verbs and options.");
    for (size_t at = 0; (verb = next_verb(&at)) != NULL;) {
        printf("complete -c scheelite -n __fish_use_subcommand -f -a %s -d '", verb->name);
        put_quoted(verb->summary, "\\");
        puts("'");
    }
    puts("complete -c scheelite -n __fish_use_subcommand -f -a help -d 'says what a verb takes'\n"
         "complete -c scheelite -n __fish_use_subcommand -f -a version -d 'says which version this is'");
    printf("complete -c scheelite -n '__fish_seen_subcommand_from help' -f -a '");
    put_verbs(" ");
    puts("'");
    for (size_t at = 0; (verb = next_verb(&at)) != NULL;) {
        if (*verb->words) {
            printf("complete -c scheelite -n '__fish_seen_subcommand_from %s' -f -a '", verb->name);
            put_words(verb->words);
            puts("'");
        }
        if (verb->command)
            printf("complete -c scheelite -n '__fish_seen_subcommand_from %s' "
                   "-x -a '(__fish_complete_subcommand --fcs-skip=2)'\n",
                   verb->name);
        for (int id = 0; id < SCH_OPTION_COUNT; id++)
            if (has(verb, id)) fish_option(verb, id);
    }
}

static void print_row(const struct sch_cli_verb *verb, const struct sch_cli_option *option, const char *words)
{
    printf("%s\t%s\t%s\t%s\n", verb->name, option->name, option->value ? option->value : "", words ? words : "");
}

static void options(void)
{
    const struct sch_cli_verb *verb;
    for (size_t at = 0; (verb = next_verb(&at)) != NULL;)
        for (int id = 0; id < SCH_OPTION_COUNT; id++)
            if (has(verb, id)) print_row(verb, &sch_cli_options[id], sch_cli_option_words(&sch_cli_options[id]));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const struct sch_cli_verb *verb = argc > 2 ? sch_cli_verb_named(argv[2]) : NULL;
    if (strcmp(what, "man") == 0 && argc == 3 && verb)
        man_of_verb(verb);
    else if (strcmp(what, "man") == 0 && argc == 2)
        man_of_command();
    else if (strcmp(what, "bash") == 0)
        bash();
    else if (strcmp(what, "zsh") == 0)
        zsh();
    else if (strcmp(what, "fish") == 0)
        fish();
    else if (strcmp(what, "options") == 0)
        options();
    else
        return 2;
    return ferror(stdout) || fclose(stdout) != 0;
}
