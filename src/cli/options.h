/* The tables of verbs and options (verbs.def, options.def) in memory. The command reads them, and so does the program
 * of the build that makes manual pages and completions (pages.c): so nothing of the library is named here. */
#ifndef SCH_CLI_OPTIONS_H
#define SCH_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sch_cli_group {
#define GROUP(id, title) SCH_GROUP_##id,
#include "options.def"
    SCH_GROUP_COUNT
};
/* A bit for each; every compiler that we take has integers of 128 bits on machines of 64. */
__extension__ typedef unsigned __int128 sch_cli_groups;
_Static_assert(SCH_GROUP_COUNT <= 128, "a verb's groups are bits of 128");

enum sch_cli_option_id {
#define OPTION(id, group, name, value, fallback, values, flags, text) SCH_OPTION_##id,
#include "options.def"
    SCH_OPTION_COUNT
};

enum sch_cli_option_flags {
    SCH_CLI_MANY = 1,    /* may be given more than once */
    SCH_CLI_JOINED = 2,  /* its value follows without a blank */
    SCH_CLI_WRITTEN = 4, /* a file that its value names is written */
    SCH_CLI_LOOSE = 8    /* it may stand without its value, which follows with = */
};

struct sch_cli_option {
    const char *name, *value, *fallback, *values, *text; /* as options.def says */
    enum sch_cli_group group;
    unsigned flags;
};

struct sch_cli_verb {
    const char *name, *summary, *synopsis;
    const char *words; /* its words that are no options, where these are all that there are, with | between them */
    sch_cli_groups groups;
    bool form;    /* of the verb that has the same name and stands before it */
    bool command; /* behind the first word everything is another program's */
};

struct sch_cli_example {
    const char *verb, *command, *text;
};

extern const struct sch_cli_option sch_cli_options[SCH_OPTION_COUNT];
extern const char *const sch_cli_group_titles[SCH_GROUP_COUNT];
extern const struct sch_cli_example sch_cli_examples[];
extern const size_t sch_cli_example_count;

#define VERB(id, summary, follows, words, synopsis, groups) extern const struct sch_cli_verb sch_cli_##id;
#define FORM(id, of, synopsis, groups)                      extern const struct sch_cli_verb sch_cli_##id;
#include "verbs.def"

/* The verbs in the order of the table, each followed by its forms; NULL behind the last. */
const struct sch_cli_verb *sch_cli_verb_at(size_t index);

/* The verb of a name; NULL: there is none. */
const struct sch_cli_verb *sch_cli_verb_named(const char *name);

/* Whether the verb takes an option; the verb or one of its forms. */
bool sch_cli_verb_has(const struct sch_cli_verb *verb, enum sch_cli_option_id id);
bool sch_cli_verb_or_form_has(const struct sch_cli_verb *verb, enum sch_cli_option_id id);

#endif
