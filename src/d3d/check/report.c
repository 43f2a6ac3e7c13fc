/* How the validator reports: severities and names of operands. Holds no rule. */
#include "d3d/check/internal.h"

#include <stdio.h>

enum sch_severity sch_d3d_check_severity(struct sch_d3d_check *check, unsigned code)
{
    enum sch_severity severity = sch_diagnostic_severity(code);
    check->errors += severity == SCH_SEVERITY_ERROR;
    return severity;
}

const char *sch_d3d_operand_name(const struct sch_d3d_operand *operand, char text[SCH_D3D_NAME])
{
    const struct sch_d3d_register_info *info = sch_d3d_register_info(operand->type);
    int length = snprintf(text, SCH_D3D_NAME, "%s", info->word);
    for (unsigned i = 0; i < operand->index_count && length < SCH_D3D_NAME; i++) {
        const struct sch_d3d_index *index = &operand->index[i];
        const char *sum = index->relative ? index->value ? "... + " : "..." : "";
        bool bracket = i || index->relative;
        char number[24] = "";
        if (index->value || !index->relative) snprintf(number, sizeof number, "%llu", (unsigned long long)index->value);
        length += snprintf(text + length, (size_t)(SCH_D3D_NAME - length), "%s%s%s%s", bracket ? "[" : "", sum, number,
                           bracket ? "]" : "");
    }
    return text;
}
