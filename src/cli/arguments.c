/* The arguments of a verb, one at a time. */
#include "common.h"
#include "hlsl_file.h"

#include <string.h>

static int stop(struct sch_cli_arguments *arguments, enum sch_cli_exit exit)
{
    arguments->exit = exit;
    return SCH_CLI_STOP;
}

/* Whether `argument` is option `name`; an attached value (--name=VALUE) is put into `attached`. */
static bool is_option(const char *argument, const char *name, const char **attached)
{
    size_t length = strlen(name);
    *attached = NULL;
    if (strncmp(argument, name, length) != 0) return false;
    if (argument[length] == 0) return true;
    if (argument[length] != '=' || name[1] != '-') return false;
    *attached = argument + length + 1;
    return true;
}

static int take_option(struct sch_cli_arguments *arguments, const struct sch_cli_option *option, int index,
                       const char *attached)
{
    if (option->kind == SCH_CLI_FLAG) {
        if (attached) return stop(arguments, sch_cli_usage_error(arguments->verb, "%s takes no value", option->name));
        return index;
    }
    if (!attached && arguments->at >= arguments->argc)
        return stop(arguments, sch_cli_usage_error(arguments->verb, "%s needs a value", option->name));
    arguments->value = attached ? attached : arguments->argv[arguments->at++];
    return index;
}

int sch_cli_next(struct sch_cli_arguments *arguments, const struct sch_cli_option *options)
{
    if (arguments->at >= arguments->argc) return SCH_CLI_END;
    const char *argument = arguments->argv[arguments->at++], *attached;
    arguments->value = argument;
    if (arguments->only_files || argument[0] != '-' || argument[1] == 0) return SCH_CLI_FILE;
    if (strcmp(argument, "--") == 0) {
        arguments->only_files = true;
        return sch_cli_next(arguments, options);
    }
    if (sch_cli_common_option(arguments, argument))
        return arguments->exit == SCH_CLI_YES ? sch_cli_next(arguments, options) : SCH_CLI_STOP;
    for (int i = 0; options[i].name; i++)
        if (is_option(argument, options[i].name, &attached)) return take_option(arguments, &options[i], i, attached);
    return stop(arguments, sch_cli_usage_error(arguments->verb, "there is no option %s", argument));
}

bool sch_cli_number(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
    uint64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        if (__builtin_mul_overflow(value, (uint64_t)10, &value)) return false;
        if (__builtin_add_overflow(value, (uint64_t)(*text - '0'), &value)) return false;
    }
    *number = value;
    return value >= low && value <= high;
}

enum sch_cli_exit sch_cli_nth(const struct sch_cli_verb *verb, const char *word, uint32_t *nth)
{
    uint64_t number;
    if (!sch_cli_number(word, 1, UINT32_MAX, &number))
        return sch_cli_usage_error(verb, "--nth is a number from 1, not %s", word);
    *nth = (uint32_t)number;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_kind(const struct sch_cli_verb *verb, const char *word, enum sch_kind *kind)
{
    static const struct {
        const char *word;
        enum sch_kind kind;
    } kinds[] = {{"tgsi", SCH_KIND_TGSI},
                 {"tgsi-bin", SCH_KIND_TGSI_BIN},
                 {"dxbc", SCH_KIND_DXBC},
                 {"d3d-asm", SCH_KIND_D3D_ASM}};
    static const char *const later[] = {"maxwell", "cubin"};
    if (strcmp(word, "hlsl") == 0) { /* what is compiled has a kind of its own */
        sch_cli_hlsl_all_files();
        *kind = SCH_KIND_AUTO;
        return SCH_CLI_YES;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(word, kinds[i].word) != 0) continue;
        *kind = kinds[i].kind;
        return SCH_CLI_YES;
    }
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (strcmp(word, later[i]) == 0)
            return sch_cli_fail(SCH_CLI_UNSUPPORTED, "kind %s is not available in this version", word);
    return sch_cli_usage_error(verb, "there is no kind %s (tgsi, tgsi-bin, dxbc, d3d-asm, hlsl, maxwell, cubin)", word);
}
