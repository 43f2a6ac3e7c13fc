/* Structs that grow. */
#include "base/sized.h"

#include <string.h>

/* No struct of a caller comes near this, and none that is filled in will grow by it: a larger `size` is a stray value,
 * not a newer program. */
enum { LARGEST = 4096 };

static bool all_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i]) return false;
    return true;
}

/* `bytes` of `given`, which the caller knows. */
static bool read(void *known, size_t known_bytes, const void *given, size_t bytes)
{
    size_t common = bytes < known_bytes ? bytes : known_bytes;
    if (!all_zero((const unsigned char *)given + common, bytes - common)) return false;
    memcpy(known, given, common);
    return true;
}

bool sch_sized_read(void *known, size_t known_bytes, size_t first_bytes, const void *given)
{
    size_t size = 0;
    if (given) memcpy(&size, given, sizeof size);
    if (size != known_bytes) memset(known, 0, known_bytes);
    if (!given) return true;
    if (size < first_bytes || size > LARGEST) return false;
    return read(known, known_bytes, given, size);
}

bool sch_sized_fits(size_t given_bytes, size_t first_bytes)
{
    return given_bytes >= first_bytes && given_bytes - first_bytes <= LARGEST;
}

void sch_sized_write_element(void *given, size_t bytes, const void *value, size_t value_bytes)
{
    size_t common = bytes < value_bytes ? bytes : value_bytes;
    memcpy(given, value, common);
    memset((char *)given + common, 0, bytes - common);
}

void sch_sized_write(void *given, const void *value, size_t value_bytes)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    sch_sized_write_element(given, size, value, value_bytes);
    memcpy(given, &size, sizeof size);
}

bool sch_sized_read_array(void *known, size_t known_bytes, size_t first_bytes, const void *given, size_t stride,
                          size_t count)
{
    if (stride < first_bytes || stride > LARGEST) return false;
    for (size_t i = 0; i < count; i++) {
        char *to = (char *)known + i * known_bytes;
        if (stride != known_bytes) memset(to, 0, known_bytes);
        if (!read(to, known_bytes, (const char *)given + i * stride, stride)) return false;
    }
    return true;
}
