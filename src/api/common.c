/* What several files of this folder use: refusing arguments, arrays in memory of the context, the hash of programs.
 * Calls none of them. */
#include "api/api.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/checked.h"
#include "isa/errors.h"

bool sch_api_refuse(struct sch_diagnostics *list, const char *format, ...)
{
    char message[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sch_diagnostics_add(list, SCH_SEVERITY_ERROR, SCH_D_CALL_ARGUMENT, (struct sch_position){0}, "%s", message);
    return false;
}

bool sch_api_array(struct sch_context *context, size_t count, size_t element, void **array)
{
    size_t bytes;
    *array = NULL;
    if (!count) return true;
    if (!sch_mul_size(count, element, &bytes)) return false;
    *array = sch_api_alloc(context, bytes);
    return *array != NULL;
}

uint64_t sch_api_hash(uint64_t hash, uint64_t word, size_t bytes)
{
    for (; bytes--; word >>= 8) hash = (hash ^ (word & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}
