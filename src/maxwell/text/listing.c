/* What listings of nvdisasm -hex and cuobjdump -sass contain besides instructions. */
#include "maxwell/text/listing.h"

#include <string.h>

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("._$@", c);
}

static bool is_label(const struct sch_maxwell_statement *statement)
{
    if (statement->bytes < 2 || statement->text[statement->bytes - 1] != ':') return false;
    for (size_t i = 0; i + 1 < statement->bytes; i++)
        if (!statement->text[i] || !is_name_character(statement->text[i])) return false;
    return true;
}

size_t sch_maxwell_listed_label(struct sch_maxwell_lexer *lexer)
{
    size_t at = lexer->at;
    while (at < lexer->bytes && lexer->text[at] && is_name_character(lexer->text[at])) at++;
    const size_t bytes = at - lexer->at;
    if (!bytes || lexer->bytes - at < 2 || lexer->text[at] != ':' || lexer->text[at + 1] != '\n') return 0;
    lexer->at = at + 1;
    return bytes;
}

static bool begins(const struct sch_maxwell_statement *statement, const char *word)
{
    return strncmp(statement->text, word, strlen(word)) == 0;
}

enum sch_maxwell_listed sch_maxwell_listed(const struct sch_maxwell_statement *statement, const char **name)
{
    static const char *const others[] = {
        ".elftype",   ".sectioninfo", ".sectionflags", ".sectionentsize", ".align",       ".global",
        ".weak",      ".type",        ".size",         ".other",          "Fatbin",       "=====",
        "arch =",     "code version", "producer =",    "host =",          "code for",     "compile_size",
        "compressed", "identifier",   "has debug",     ".....",           "ptxasOptions", "cuobjdump",
    };
    static const char function[] = "Function :";
    if (is_label(statement)) return SCH_MAXWELL_LISTED_LABEL;
    if (begins(statement, ".headerflags")) return SCH_MAXWELL_LISTED_FLAGS;
    if (begins(statement, function)) {
        *name = statement->text + sizeof function - 1;
        while (**name == ' ' || **name == '\t') ++*name;
        return SCH_MAXWELL_LISTED_FUNCTION;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(statement, others[i])) return SCH_MAXWELL_LISTED_OTHER;
    return SCH_MAXWELL_LISTED_NOTHING;
}

bool sch_maxwell_listed_arch(const struct sch_maxwell_statement *statement, enum sch_maxwell_arch *arch)
{
    static const char flag[] = "EF_CUDA_SM";
    const char *at = strstr(statement->text, flag);
    if (!at) return false;
    at += sizeof flag - 1;
    char name[16] = "sm_";
    const size_t digits = strspn(at, "0123456789");
    if (!digits || digits > 4) return false;
    memcpy(name + 3, at, digits);
    return sch_maxwell_arch_find(name, 3 + digits, arch);
}

bool sch_maxwell_has_symbols(const struct sch_maxwell_statement *statement)
{
    static const char *const marks[] = {"`(", "(*", "32@", "fun@"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strstr(statement->text, marks[i])) return true;
    return false;
}

void sch_maxwell_listed_notes(struct sch_maxwell_statement *statement)
{
    char *begin = strstr(statement->text, "(*"), *end = begin ? strstr(begin, "*)") : NULL;
    if (!end) return;
    memset(begin, ' ', (size_t)(end + 2 - begin));
    while (statement->bytes &&
           (statement->text[statement->bytes - 1] == ' ' || statement->text[statement->bytes - 1] == '\t'))
        statement->text[--statement->bytes] = 0;
}
