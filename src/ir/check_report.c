/* How the validator reports: severities, where reports go, words of messages. Holds no rule. */
#include "ir/check_internal.h"

enum sch_severity sch_check_severity(struct sch_check *check, unsigned code)
{
    enum sch_severity severity = sch_diagnostic_severity(code);
    if (severity != SCH_SEVERITY_ERROR) return severity;
    check->errors++;
    if (code == SCH_D_NESTING_LIMIT || code == SCH_D_REGISTER_LIMIT) check->limit_errors++;
    return SCH_SEVERITY_ERROR;
}

struct sch_diagnostics *sch_check_list(const struct sch_check *check, unsigned code)
{
    return check->d3d && sch_diagnostic_severity(code) != SCH_SEVERITY_ERROR ? NULL : check->diagnostics;
}

const char *sch_check_file_word(unsigned file)
{
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_FILE, file);
    return word ? word->word : "?";
}

const char *sch_check_target_word(unsigned target)
{
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_TARGET, target);
    return word ? word->word : "?";
}
