/* Values of options by the types of options.def, and what the tables say of all arguments together. */
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of a number as the table has them: "1..256 MiB". */
struct bounds {
    uint64_t low, high;
    bool open;        /* the type alone bounds it above */
    const char *unit; /* "" without one */
};

static struct bounds bounds_of(const struct sch_cli_option *option)
{
    struct bounds bounds = {.high = option->type == SCH_CLI_TYPE_LONG ? UINT64_MAX : UINT32_MAX, .unit = ""};
    if (!option->values) return bounds;
    char *end;
    bounds.low = strtoull(option->values, &end, 10);
    end += strlen("..");
    bounds.open = *end < '0' || *end > '9';
    if (!bounds.open) bounds.high = strtoull(end, &end, 10);
    if (*end == ' ') bounds.unit = end + 1;
    return bounds;
}

static uint32_t find_word(const char *list, const char *word) { return sch_cli_list_find(list, word, strlen(word)); }

static bool read_word(const struct sch_cli_option *option, const char *text, uint32_t *place)
{
    const uint32_t found = find_word(option->values, text);
    if (found != UINT32_MAX) *place = found;
    return found != UINT32_MAX;
}

/* How many numbers the value of a type is. */
static unsigned numbers_of(const struct sch_cli_option *option)
{
    return option->type == SCH_CLI_TYPE_PAIR ? 2 : option->type == SCH_CLI_TYPE_TRIPLE ? 3 : 1;
}

/* Numbers within the bounds, with a comma or, in WxH, an x between them. Those in brackets (X[,Y[,Z]]) may be left out:
 * they are as low as they can be, 1 for a size and 0 for a place. */
static bool read_numbers(const struct sch_cli_option *option, const char *text, uint32_t *numbers)
{
    const struct bounds bounds = bounds_of(option);
    const char separator = strchr(option->value, 'x') ? 'x' : ',';
    const unsigned count = numbers_of(option), needed = strchr(option->value, '[') ? 1 : count;
    for (unsigned i = 0; i < count; i++) {
        if (i >= needed && !*text) {
            numbers[i] = (uint32_t)bounds.low;
            continue;
        }
        if (i && *text++ != separator) return false;
        if (!sch_cli_read_number(&text, &numbers[i]) || numbers[i] < bounds.low || numbers[i] > bounds.high)
            return false;
    }
    return *text == 0;
}

static bool read_long(const struct sch_cli_option *option, const char *text, uint64_t *number)
{
    const struct bounds bounds = bounds_of(option);
    return sch_cli_number(text, bounds.low, bounds.high, number);
}

/* A number of a list may have zeros before it. */
static bool read_number(const struct sch_cli_option *option, const char *text, uint32_t *number)
{
    char digits[24];
    uint64_t read = 0;
    const char *words = sch_cli_option_words(option);
    bool good = words ? sch_cli_number(text, 0, UINT32_MAX, &read) : read_long(option, text, &read);
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)read);
    if (words) good = good && find_word(words, digits) != UINT32_MAX;
    *number = (uint32_t)read;
    return good;
}

static bool read_real(const struct sch_cli_option *option, const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && *number >= (double)bounds_of(option).low && isfinite(*number);
}

/* Whether it is one of the words, where these are all. */
static bool is_listed(const struct sch_cli_option *option, const char *text)
{
    const char *words = sch_cli_option_words(option);
    return !words || option->flags & SCH_CLI_OPEN || find_word(words, text) != UINT32_MAX;
}

/* Reads a value into the option's member. */
static bool read_value(const struct sch_cli_option *option, const char *text, struct sch_cli_values *values)
{
    void *to = (char *)values + option->member;
    switch (option->type) {
    case SCH_CLI_TYPE_FLAG:
        *(bool *)to = true;
        return true;
    case SCH_CLI_TYPE_TEXT:
        *(const char **)to = text;
        return is_listed(option, text);
    case SCH_CLI_TYPE_WORD:
        return read_word(option, text, to);
    case SCH_CLI_TYPE_NUMBER:
        return read_number(option, text, to);
    case SCH_CLI_TYPE_LONG:
        return read_long(option, text, to);
    case SCH_CLI_TYPE_PAIR:
    case SCH_CLI_TYPE_TRIPLE:
        return read_numbers(option, text, to);
    case SCH_CLI_TYPE_REAL:
        return read_real(option, text, to);
    case SCH_CLI_TYPE_OWN:
        break;
    }
    *(bool *)to = true;
    return is_listed(option, text);
}

/* What the option takes, as it follows its name and "is". */
static void describe_values(const struct sch_cli_option *option, char *text, size_t bytes)
{
    const char *words = sch_cli_option_words(option);
    const struct bounds bounds = words ? (struct bounds){0} : bounds_of(option);
    const unsigned long long low = bounds.low, high = bounds.high;
    if (words)
        sch_cli_list_print(words, " or ", text, bytes);
    else if (numbers_of(option) > 1 && bounds.open)
        snprintf(text, bytes, "%s with numbers from %llu", option->value, low);
    else if (numbers_of(option) > 1)
        snprintf(text, bytes, "%s with numbers of %llu to %llu", option->value, low, high);
    else if (bounds.open)
        snprintf(text, bytes, "a number %s%s%sfrom %llu", *bounds.unit ? "of " : "", bounds.unit,
                 *bounds.unit ? " " : "", low);
    else
        snprintf(text, bytes, "%llu to %llu%s%s", low, high, *bounds.unit ? " " : "", bounds.unit);
}

static enum sch_cli_exit take_given_option(struct sch_cli_arguments *arguments, int id, sch_cli_own_fn *own, void *user)
{
    const struct sch_cli_option *option = &sch_cli_options[id];
    char text[400];
    *(bool *)((char *)&arguments->values + option->has) = true;
    *(bool *)((char *)&arguments->values + option->any) = true;
    if (!read_value(option, arguments->value, &arguments->values)) {
        if (id == SCH_OPTION_SHADER_KIND && find_word("maxwell|cubin", arguments->value) != UINT32_MAX)
            return sch_cli_fail(SCH_CLI_UNSUPPORTED, "kind %s is not available in this version", arguments->value);
        describe_values(option, text, sizeof text);
        return sch_cli_usage_error(arguments->verb, "%s is %s, not %s", option->name, text, arguments->value);
    }
    if (option->type != SCH_CLI_TYPE_OWN) return SCH_CLI_YES;
    if (option->group == SCH_GROUP_common || option->group == SCH_GROUP_wrapped)
        return sch_cli_common_option(arguments->verb, (enum sch_cli_option_id)id, arguments->value);
    return own ? own(user, arguments->verb, id, arguments->value) : SCH_CLI_YES;
}

/* Members hold what holds without the option, where the table says a value. */
static void take_fallbacks(struct sch_cli_arguments *arguments)
{
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const struct sch_cli_option *option = &sch_cli_options[id];
        const bool reads = option->type != SCH_CLI_TYPE_TEXT && option->type != SCH_CLI_TYPE_OWN && option->fallback;
        struct sch_cli_values read = arguments->values;
        if (reads && sch_cli_verb_has(arguments->verb, (enum sch_cli_option_id)id) &&
            read_value(option, option->fallback, &read))
            arguments->values = read;
    }
}

/* ---- all arguments together ---- */

static const char *plural(int count) { return count == 1 ? "" : "s"; }

static enum sch_cli_exit take_file(struct sch_cli_arguments *arguments)
{
    static const char *const counts[] = {"no", "one", "two"};
    const struct sch_cli_operands *operands = sch_cli_operands_of(arguments->verb);
    if (operands && !operands->most)
        return sch_cli_usage_error(arguments->verb, "what is %s?%s%s", arguments->value, *operands->hint ? " " : "",
                                   operands->hint);
    if (operands && arguments->file_count == operands->most)
        return sch_cli_usage_error(arguments->verb, "%s %s%s only: %s%s", counts[operands->most], operands->noun,
                                   plural(operands->most), arguments->value, operands->hint);
    arguments->files = arguments->argv;
    arguments->files[arguments->file_count++] = (char *)arguments->value;
    return SCH_CLI_YES;
}

static enum sch_cli_exit check_files(const struct sch_cli_arguments *arguments)
{
    const struct sch_cli_operands *operands = sch_cli_operands_of(arguments->verb);
    if (!operands || arguments->file_count >= operands->least) return SCH_CLI_YES;
    return sch_cli_usage_error(arguments->verb, "which %s%s%s?", operands->least == 2 ? "two " : "", operands->noun,
                               plural(operands->least));
}

/* An option of a list that was given, other than `but`; NULL: none was. */
static const char *given_of(const struct sch_cli_arguments *arguments, const char *list, const char *but)
{
    for (int id = 0; id < SCH_OPTION_COUNT; id++) {
        const char *name = sch_cli_options[id].name;
        if (arguments->given[id] && find_word(list, name) != UINT32_MAX && !(but && strcmp(name, but) == 0))
            return name;
    }
    return NULL;
}

static enum sch_cli_exit check_rule(const struct sch_cli_arguments *arguments, const struct sch_cli_rule *rule)
{
    char text[200];
    const char *option = given_of(arguments, rule->option, NULL);
    const char *other = option ? given_of(arguments, rule->others, option) : NULL;
    if (!option || (other != NULL) != rule->excludes) return SCH_CLI_YES;
    if (rule->excludes)
        return sch_cli_usage_error(arguments->verb, "%s does not go with %s%s%s", option, other, *rule->why ? ": " : "",
                                   rule->why);
    sch_cli_list_print(rule->others, " or ", text, sizeof text);
    return sch_cli_usage_error(arguments->verb, "%s goes with %s", option, text);
}

/* Options and words, to the end or to a word after which all is another program's. */
static enum sch_cli_exit take_all(struct sch_cli_arguments *arguments, sch_cli_own_fn *own, void *user)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    while (exit_code == SCH_CLI_YES && arguments->at < arguments->argc) {
        int id;
        if (!arguments->only_files && strcmp(arguments->argv[arguments->at], "--") == 0) {
            arguments->only_files = true;
            arguments->at++;
            continue;
        }
        exit_code = sch_cli_next(arguments, &id);
        if (exit_code == SCH_CLI_YES && id == SCH_CLI_FILE && arguments->verb->command) {
            arguments->files = arguments->argv + arguments->at - 1;
            arguments->file_count = arguments->argc - arguments->at + 1;
            break;
        }
        if (exit_code == SCH_CLI_YES)
            exit_code = id == SCH_CLI_FILE ? take_file(arguments) : take_given_option(arguments, id, own, user);
    }
    return exit_code;
}

enum sch_cli_exit sch_cli_parse(struct sch_cli_arguments *arguments, sch_cli_own_fn *own, void *user)
{
    take_fallbacks(arguments);
    enum sch_cli_exit exit_code = take_all(arguments, own, user);
    sch_cli_keep_given(&arguments->values);
    if (exit_code == SCH_CLI_YES) exit_code = check_files(arguments);
    for (size_t i = 0; i < sch_cli_rule_count && exit_code == SCH_CLI_YES; i++)
        if (sch_cli_rules_of_verbs[i].verb == arguments->verb)
            exit_code = check_rule(arguments, &sch_cli_rules_of_verbs[i]);
    return exit_code;
}
