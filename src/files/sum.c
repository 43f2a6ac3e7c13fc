/* Sums by which pictures are compared. */
#include "base/checked.h"
#include "base/sha256.h"
#include "base/sized.h"
#include "files/files.h"

enum { CHANNELS = 4 };

enum sch_result sch_picture_sha256(const struct sch_picture *given, uint8_t digest[SCH_PICTURE_SHA256_BYTES])
{
    struct sch_picture picture;
    struct sch_sha256 hash;
    size_t bytes;
    if (!given || !digest || !sch_sized_read(&picture, sizeof picture, sizeof picture, given))
        return SCH_ERROR_ARGUMENT;
    if (!picture.texels || !sch_mul_size(picture.width, picture.height, &bytes) ||
        !sch_mul_size(bytes, CHANNELS, &bytes) || bytes > picture.bytes)
        return SCH_ERROR_ARGUMENT;
    sch_sha256_begin(&hash);
    sch_sha256_add(&hash, picture.texels, bytes);
    sch_sha256_end(&hash, digest);
    return SCH_OK;
}
