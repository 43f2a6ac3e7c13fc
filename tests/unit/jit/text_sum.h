/* The sum of a text of LLVM's intermediate representation (FNV-1a), without its numbers of 64 bits: they are places in
 * the core's structures, which may change when nothing of the compiler does. What they must be, running the code
 * shows. */
#ifndef TESTS_TEXT_SUM_H
#define TESTS_TEXT_SUM_H

#include <stdint.h>
#include <string.h>

static inline uint32_t text_sum(const char *text)
{
    static const char type[] = "i64 ";
    uint32_t sum = 0x811c9dc5;
    while (*text) {
        const size_t numbers =
            strncmp(text, type, sizeof type - 1) == 0 ? strspn(text + sizeof type - 1, "-0123456789") : 0;
        sum = (sum ^ (uint8_t)*text) * 0x01000193;
        text += numbers ? sizeof type - 1 + numbers : 1;
    }
    return sum;
}

#endif
