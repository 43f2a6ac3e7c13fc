/* The tables of verbs and options. */
#include "options.h"

#include "../support/words.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    MANY = SCH_CLI_MANY,
    JOINED = SCH_CLI_JOINED,
    WRITTEN = SCH_CLI_WRITTEN,
    LOOSE = SCH_CLI_LOOSE,
    OPEN = SCH_CLI_OPEN
};

const struct sch_cli_option sch_cli_options[SCH_OPTION_COUNT] = {
#define IN(group, member) offsetof(struct sch_cli_values, group.member)
#define OPTION(id, group, type, member, name, value, fallback, values, flags, text)                                    \
    {name,                                                                                                             \
     value,                                                                                                            \
     fallback,                                                                                                         \
     values,                                                                                                           \
     text,                                                                                                             \
     SCH_GROUP_##group,                                                                                                \
     flags,                                                                                                            \
     SCH_CLI_TYPE_##type,                                                                                              \
     IN(group, member),                                                                                                \
     IN(group, has_##member),                                                                                          \
     IN(group, any)},
#include "options.def"
};

const char *const sch_cli_group_titles[SCH_GROUP_COUNT] = {
#define GROUP(id, title) title,
#include "options.def"
};

#define G(id) ((sch_cli_groups)1 << SCH_GROUP_##id)
enum { OPTIONS = 0, COMMAND = 1 };

#define VERB(id, summary, follows, words, synopsis, groups)                                                            \
    const struct sch_cli_verb sch_cli_##id = {#id, summary, synopsis, words, groups, follows};
#include "verbs.def"

static const struct sch_cli_verb *const verbs[] = {
#define VERB(id, summary, follows, words, synopsis, groups) &sch_cli_##id,
#include "verbs.def"
};

const struct sch_cli_example sch_cli_examples[] = {
#define EXAMPLE(of, command, text) {#of, command, text},
#include "verbs.def"
};
const size_t sch_cli_example_count = sizeof sch_cli_examples / sizeof *sch_cli_examples;

static const struct sch_cli_verb_text sections[] = {
#define SECTION(of, title) {&sch_cli_##of, title},
#include "verbs.def"
};

static const struct sch_cli_verb_text often[] = {
#define OFTEN(of, options) {&sch_cli_##of, options},
#include "verbs.def"
};

static const struct sch_cli_operands operands[] = {
#define OPERANDS(of, least, most, noun, hint) {&sch_cli_##of, least, most, noun, hint},
#include "verbs.def"
};

const struct sch_cli_rule sch_cli_rules_of_verbs[] = {
#define NEEDS(of, option, others)         {&sch_cli_##of, option, others, "", false},
#define EXCLUDES(of, option, others, why) {&sch_cli_##of, option, others, why, true},
#include "verbs.def"
};
const size_t sch_cli_rule_count = sizeof sch_cli_rules_of_verbs / sizeof *sch_cli_rules_of_verbs;

const char *sch_cli_option_words(const struct sch_cli_option *option)
{
    return option->values && !strstr(option->values, "..") ? option->values : NULL;
}

static const char *text_of(const struct sch_cli_verb_text *texts, size_t count, const struct sch_cli_verb *verb)
{
    for (size_t i = 0; i < count; i++)
        if (texts[i].verb == verb) return texts[i].text;
    return NULL;
}

const char *sch_cli_section_of(const struct sch_cli_verb *verb)
{
    return text_of(sections, sizeof sections / sizeof *sections, verb);
}

const char *sch_cli_often_of(const struct sch_cli_verb *verb)
{
    return text_of(often, sizeof often / sizeof *often, verb);
}

const struct sch_cli_operands *sch_cli_operands_of(const struct sch_cli_verb *verb)
{
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
        if (operands[i].verb == verb) return &operands[i];
    return NULL;
}

const struct sch_cli_verb *sch_cli_verb_at(size_t index)
{
    return index < sizeof verbs / sizeof *verbs ? verbs[index] : NULL;
}

const struct sch_cli_verb *sch_cli_verb_named(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    return NULL;
}

bool sch_cli_verb_has(const struct sch_cli_verb *verb, enum sch_cli_option_id id)
{
    return verb->groups >> sch_cli_options[id].group & 1;
}

uint32_t sch_cli_list_find(const char *list, const char *word, size_t length)
{
    for (uint32_t n = 0; *list; n++) {
        const size_t bytes = strcspn(list, "|");
        if (bytes == length && memcmp(list, word, bytes) == 0) return n;
        list += bytes + (list[bytes] == '|');
    }
    return UINT32_MAX;
}

void sch_cli_list_print(const char *list, const char *last, char *text, size_t bytes)
{
    size_t at = 0;
    text[0] = 0;
    while (*list && at < bytes) {
        const size_t word = strcspn(list, "|");
        const bool ends = !list[word];
        at += (size_t)snprintf(text + at, bytes - at, "%.*s%s", (int)word, list,
                               ends                           ? ""
                               : strchr(list + word + 1, '|') ? ", "
                                                              : last);
        list += word + !ends;
    }
}
