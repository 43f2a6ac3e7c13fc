/* Fuzz target: relocatable objects. They are loaded, never run; the function that was found must lie in the mapping. */
#include "fuzz.h"
#include "native/object.h"

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    struct sch_native_code code;
    const char *finding = NULL;
    if (sch_native_load(data, bytes, "sch_native_group", NULL, &code) == SCH_OK) {
        const uint8_t *memory = code.memory, *function = code.function;
        if (function < memory || function >= memory + code.bytes) finding = "the function is outside of the mapping";
        if (code.function_bytes > code.bytes) finding = "the function is larger than the mapping";
    } else if (code.memory) {
        finding = "memory is left of an object that was refused";
    }
    sch_native_unload(&code);
    return finding;
}

SCH_FUZZ_TARGET
