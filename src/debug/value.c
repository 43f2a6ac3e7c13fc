/* See value.h. */
#include "value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_small(uint32_t bits) { return bits && (bits & 0x7f800000) == 0; }

void sch_debugger_value(const struct sch_debugger_subject *subject, uint32_t bits, enum sch_debugger_type type,
                        char text[SCH_DEBUGGER_VALUE_BYTES])
{
    if (type == SCH_DEBUGGER_UNKNOWN && is_small(bits)) type = SCH_DEBUGGER_UINT;
    if (type == SCH_DEBUGGER_HEX)
        snprintf(text, SCH_DEBUGGER_VALUE_BYTES, "0x%08" PRIx32, bits);
    else if (type == SCH_DEBUGGER_INT)
        snprintf(text, SCH_DEBUGGER_VALUE_BYTES, "%" PRId32, (int32_t)bits);
    else if (type == SCH_DEBUGGER_UINT)
        snprintf(text, SCH_DEBUGGER_VALUE_BYTES, "%" PRIu32, bits);
    else
        subject->print_float(bits, text);
}

void sch_debugger_double(uint32_t low, uint32_t high, char text[SCH_DEBUGGER_VALUE_BYTES])
{
    const uint64_t bits = (uint64_t)high << 32 | low;
    double number;
    memcpy(&number, &bits, sizeof number);
    snprintf(text, SCH_DEBUGGER_VALUE_BYTES, "%.17g", number);
}

const char *sch_debugger_type_name(enum sch_debugger_type type)
{
    static const char *const names[] = {"word", "float", "int", "uint", "word"};
    return names[type];
}
