/* See sort.h. */
#include "sort.h"

#include <string.h>

static enum sch_cli_type type_of(char letter)
{
    return letter == 'F'   ? SCH_CLI_TYPE_FLOAT
           : letter == 'I' ? SCH_CLI_TYPE_INT
           : letter == 'U' ? SCH_CLI_TYPE_UINT
                           : SCH_CLI_TYPE_UNKNOWN;
}

/* Whether a word is the opcode's name, perhaps with suffixes: ADD_SAT. */
static bool names_opcode(const char *word, size_t bytes, const char *name)
{
    const size_t length = strlen(name);
    if (length > bytes || strncmp(name, word, length) != 0) return false;
    return length == bytes || word[length] == '_';
}

/* Letters of destinations and of sources, with a line between: U_RIU. */
static void read_types(const char *signature, struct sch_cli_sort *sort)
{
    const char *letters = signature + strcspn(signature, "_");
    sort->makes = type_of(*signature);
    for (unsigned s = 0; s < SCH_CLI_SORT_SOURCES && letters[0] && letters[1 + s]; s++)
        sort->takes[s] = type_of(letters[1 + s]);
}

/* Of two names the longer one is meant: ATOMINC_WRAP. */
struct sch_cli_sort sch_cli_sort_of(const char *text)
{
    struct sch_opcode_info info = {.size = sizeof info};
    struct sch_cli_sort sort = {.is_lookup = false};
    const char *word = text + strspn(text, " ");
    const size_t bytes = strcspn(word, " \n");
    size_t longest = 0;
    for (size_t n = 0; sch_table_opcode(n, &info); n++) {
        if (strlen(info.name) <= longest || !names_opcode(word, bytes, info.name)) continue;
        longest = strlen(info.name);
        sort = (struct sch_cli_sort){.is_lookup = strstr(info.flags, "texture") != NULL,
                                     .is_memory = strstr(info.flags, "memory") || strstr(info.flags, "store"),
                                     .is_barrier = strstr(info.flags, "barrier") != NULL};
        read_types(info.signature, &sort);
    }
    return sort;
}
