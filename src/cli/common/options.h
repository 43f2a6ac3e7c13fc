/* The tables of verbs and options (verbs.def, options.def) in memory. The command reads them, and so does a program of
 * the build, which prints them for manual pages and completions (tables.c): so nothing of the library is named here. */
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
#define OPTION(id, group, type, member, name, value, fallback, values, flags, text) SCH_OPTION_##id,
#include "options.def"
    SCH_OPTION_COUNT
};

enum sch_cli_option_flags {
    SCH_CLI_MANY = 1,    /* may be given more than once */
    SCH_CLI_JOINED = 2,  /* its value follows without a blank */
    SCH_CLI_WRITTEN = 4, /* a file that its value names is written */
    SCH_CLI_LOOSE = 8,   /* its value may be left out, else it follows = */
    SCH_CLI_OPEN = 16    /* its list of values is not all that it takes, or the verb refuses others */
};

/* What a value is read as, and the members that hold it. */
enum sch_cli_option_type {
    SCH_CLI_TYPE_FLAG,
    SCH_CLI_TYPE_TEXT,
    SCH_CLI_TYPE_WORD,
    SCH_CLI_TYPE_NUMBER,
    SCH_CLI_TYPE_LONG,
    SCH_CLI_TYPE_PAIR,
    SCH_CLI_TYPE_TRIPLE,
    SCH_CLI_TYPE_REAL,
    SCH_CLI_TYPE_OWN
};
typedef bool sch_cli_member_FLAG, sch_cli_member_OWN; /* whether it was given */
typedef const char *sch_cli_member_TEXT;
typedef uint32_t sch_cli_member_WORD, sch_cli_member_NUMBER, sch_cli_member_PAIR[2], sch_cli_member_TRIPLE[3];
typedef uint64_t sch_cli_member_LONG;
typedef double sch_cli_member_REAL;

/* What the options of a group say: struct sch_cli_options_GROUP, which a verb's struct may hold a copy of. Each group
 * closes the struct of the one before it. */
struct sch_cli_options_nothing {
    bool any;
#define GROUP(id, title)                                                                                               \
    }                                                                                                                  \
    ;                                                                                                                  \
    struct sch_cli_options_##id {                                                                                      \
        bool any; /* whether an option of the group was given */
#define OPTION(id, group, type, member, name, value, fallback, values, flags, text)                                    \
    sch_cli_member_##type member;                                                                                      \
    bool has_##member; /* whether it was given */
#include "options.def"
};

/* What all options of a command line say. */
struct sch_cli_values {
#define GROUP(id, title) struct sch_cli_options_##id id;
#include "options.def"
};

struct sch_cli_option {
    const char *name, *value, *fallback, *values, *text; /* as options.def says */
    enum sch_cli_group group;
    unsigned flags;
    enum sch_cli_option_type type;
    size_t member, has; /* where they are in struct sch_cli_values */
    size_t any;
};

/* The words of an option that takes no others, with | between them; NULL: it takes others. */
const char *sch_cli_option_words(const struct sch_cli_option *option);

struct sch_cli_verb {
    const char *name, *summary, *synopsis;
    const char *words; /* its words that are not options, if these are all that there are, with | between them */
    sch_cli_groups groups;
    bool command; /* everything after the first word is another program's */
};

/* Which words that are not options a verb takes. */
struct sch_cli_operands {
    const struct sch_cli_verb *verb;
    int least, most;
    const char *noun, *hint; /* what they are, in the singular; what the message about too many adds */
};

/* A text about a verb. */
struct sch_cli_verb_text {
    const struct sch_cli_verb *verb;
    const char *text;
};

/* Which options go together, by their names. */
struct sch_cli_rule {
    const struct sch_cli_verb *verb;
    const char *option, *others; /* with | between them */
    const char *why;             /* may be "" */
    bool excludes;               /* it goes with none of the others; else it needs one of them */
};

struct sch_cli_example {
    const char *verb, *command, *text;
};

extern const struct sch_cli_option sch_cli_options[SCH_OPTION_COUNT];
extern const char *const sch_cli_group_titles[SCH_GROUP_COUNT];
extern const struct sch_cli_example sch_cli_examples[];
extern const size_t sch_cli_example_count;
extern const struct sch_cli_rule sch_cli_rules_of_verbs[];
extern const size_t sch_cli_rule_count;

#define VERB(id, summary, follows, words, synopsis, groups) extern const struct sch_cli_verb sch_cli_##id;
#include "verbs.def"

/* The verbs in the order of the table; NULL after the last. */
const struct sch_cli_verb *sch_cli_verb_at(size_t index);

/* The section that begins with a verb; the options that are needed most often, with | between them. NULL: none. */
const char *sch_cli_section_of(const struct sch_cli_verb *verb);
const char *sch_cli_often_of(const struct sch_cli_verb *verb);

/* The words that a verb takes; NULL: any number. */
const struct sch_cli_operands *sch_cli_operands_of(const struct sch_cli_verb *verb);

/* The verb of a name; NULL: there is none. */
const struct sch_cli_verb *sch_cli_verb_named(const char *name);

/* Whether the verb takes an option. */
bool sch_cli_verb_has(const struct sch_cli_verb *verb, enum sch_cli_option_id id);

/* Lists with | between their words: the place of a word, UINT32_MAX: it is not there; "a, b or c", where `last`
 * is " or ". */
uint32_t sch_cli_list_find(const char *list, const char *word, size_t bytes);
void sch_cli_list_print(const char *list, const char *last, char *text, size_t bytes);

#endif
