/* The arguments of a verb, one at a time. */
#include "../support/text.h"
#include "../support/words.h"
#include "cli.h"

#include <string.h>

/* Whether `argument` is the option; a value that comes with it (--name=VALUE, -WVALUE) is put into `attached`. */
static bool is_option(const char *argument, const struct sch_cli_option *option, const char **attached)
{
    const size_t length = strlen(option->name);
    *attached = NULL;
    if (strncmp(argument, option->name, length) != 0) return false;
    if (option->flags & SCH_CLI_JOINED) {
        *attached = argument + length;
        return true;
    }
    if (argument[length] == 0) return true;
    if (argument[length] != '=' || option->name[1] != '-') return false;
    *attached = argument + length + 1;
    return true;
}

enum { MOST_NAMED = 6 };

/* What other verbs take an option that this one does not: "; run, eval and jit do". */
static void name_takers(const char *name, char *text, size_t bytes)
{
    const struct sch_cli_verb *verb;
    char takers[MOST_NAMED * 12] = "", names[MOST_NAMED * 16];
    unsigned count = 0;
    for (size_t i = 0; count < MOST_NAMED && (verb = sch_cli_verb_at(i)) != NULL; i++) {
        bool takes = false;
        for (int id = 0; id < SCH_OPTION_COUNT && !takes; id++)
            takes = strcmp(sch_cli_options[id].name, name) == 0 && sch_cli_verb_has(verb, (enum sch_cli_option_id)id);
        if (takes) sch_text_add(takers, sizeof takers, "%s%s", count++ ? "|" : "", verb->name);
    }
    sch_cli_list_print(takers, " and ", names, sizeof names);
    text[0] = 0;
    if (count && count < MOST_NAMED) sch_text_add(text, bytes, "; %s do%s", names, count == 1 ? "es" : "");
}

static enum sch_cli_exit no_option(const struct sch_cli_verb *verb, const char *argument)
{
    const size_t length = strcspn(argument, "=");
    struct sch_nearest nearest = sch_nearest_to(argument, length);
    char takers[120];
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const struct sch_cli_option *option = &sch_cli_options[id];
        if (strlen(option->name) == length && strncmp(option->name, argument, length) == 0 &&
            !(argument[length] && option->name[1] != '-') && !sch_cli_verb_has(verb, (enum sch_cli_option_id)id)) {
            name_takers(option->name, takers, sizeof takers);
            return sch_cli_usage_error(verb, "%s takes no %s%s", verb->name, option->name, takers);
        }
        if (sch_cli_verb_has(verb, (enum sch_cli_option_id)id)) sch_nearest_offer(&nearest, option->name);
    }
    return sch_cli_usage_error(verb, "there is no option %.200s%s", argument, sch_nearest_said(&nearest));
}

/* Lets the usage error about a value that is not one of the option's words name the nearest of these. */
static void note_meant(const struct sch_cli_option *option, const char *value)
{
    struct sch_nearest nearest = sch_nearest_to(value, strlen(value));
    char said[100];
    if (value[0] >= '0' && value[0] <= '9') return; /* another number is meant */
    sch_nearest_offer_set(&nearest, option->values);
    if (!nearest.found || !nearest.apart) return;
    snprintf(said, sizeof said, "; did you mean %s%s?", option->flags & SCH_CLI_JOINED ? option->name : "",
             nearest.found);
    sch_cli_meant(said);
}

/* Takes the value, and notes that the option was given. */
static enum sch_cli_exit take_option(struct sch_cli_arguments *arguments, int id, const char *attached)
{
    const struct sch_cli_option *option = &sch_cli_options[id];
    const bool loose = option->flags & SCH_CLI_LOOSE;
    if (!option->value && attached) return sch_cli_usage_error(arguments->verb, "%s takes no value", option->name);
    if (option->value && !attached && !loose && arguments->at >= arguments->argc)
        return sch_cli_usage_error(arguments->verb, "%s needs a value: %s", option->name, option->value);
    if (option->value) arguments->value = attached || loose ? attached : arguments->argv[arguments->at++];
    if (option->flags & SCH_CLI_WRITTEN && !sch_cli_output_named(option, arguments->value))
        return sch_cli_fail(SCH_CLI_LIMIT, "too many files are written");
    if (option->value && arguments->given[id] && !(option->flags & SCH_CLI_MANY))
        return sch_cli_usage_error(arguments->verb, "%s is given twice", option->name);
    arguments->given[id] = option->value && arguments->value ? arguments->value : "";
    if (option->value && sch_cli_option_words(option) && arguments->value) note_meant(option, arguments->value);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_next(struct sch_cli_arguments *arguments, int *id)
{
    const char *argument = arguments->argv[arguments->at++], *attached;
    sch_cli_meant("");
    arguments->value = argument;
    *id = SCH_CLI_FILE;
    if (arguments->only_files || argument[0] != '-' || argument[1] == 0) return SCH_CLI_YES;
    for (*id = 0; *id < SCH_OPTION_COUNT; ++*id)
        if (sch_cli_verb_has(arguments->verb, (enum sch_cli_option_id) * id) &&
            is_option(argument, &sch_cli_options[*id], &attached))
            return take_option(arguments, *id, attached);
    return no_option(arguments->verb, argument);
}

bool sch_cli_number(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
    return sch_text_digits(text, strlen(text), 10, number) && *number >= low && *number <= high;
}

bool sch_cli_read_number(const char **at, uint32_t *number)
{
    uint64_t value;
    const size_t digits = strspn(*at, "0123456789");
    if (digits > 10 || !sch_text_digits(*at, digits, 10, &value) || value > UINT32_MAX) return false;
    *number = (uint32_t)value;
    *at += digits;
    return true;
}

enum sch_cli_exit sch_cli_kind(const struct sch_cli_verb *verb, const char *word, enum sch_kind *kind)
{
    uint32_t number;
    if (strcmp(word, "hlsl") == 0) { /* what it is compiled to has a kind of its own (hlsl_file.h) */
        *kind = SCH_KIND_AUTO;
        return SCH_CLI_YES;
    }
    if (sch_words_find(sch_kind_words, word, strlen(word), &number) && number && number <= SCH_KIND_D3D_ASM) {
        *kind = (enum sch_kind)number;
        return SCH_CLI_YES;
    }
    return sch_cli_usage_error(verb, "there is no kind %s (tgsi, tgsi-bin, dxbc, d3d-asm, hlsl, maxwell, cubin)", word);
}
