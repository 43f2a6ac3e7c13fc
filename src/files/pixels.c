/* Formats of texels whose components are numbers of one type. Holds no kind of file. */
#include "files/pixels.h"

#include <string.h>

#include "isa/errors.h"

static const struct sch_files_pixels rows[] = {
#define ROW(format, type, components, names, ...)                                                                      \
    {SCH_FORMAT_##format, SCH_FILES_##type, components, names, {__VA_ARGS__}},
#define BYTES(name, components, names, ...)                                                                            \
    ROW(name##_UNORM, UN8, components, names, __VA_ARGS__) ROW(name##_SRGB, UN8, components, names, __VA_ARGS__)
    /* clang-format off */
    BYTES(R8, 1, "R", 0)
    BYTES(L8, 1, "Y", 0)
    BYTES(L8A8, 2, "YA", 0, 1)
    BYTES(R8G8, 2, "RG", 0, 1)
    BYTES(R8G8B8, 3, "RGB", 0, 1, 2)
    BYTES(B8G8R8, 3, "RGB", 2, 1, 0)
    BYTES(R8G8B8A8, 4, "RGBA", 0, 1, 2, 3)
    BYTES(B8G8R8A8, 4, "RGBA", 2, 1, 0, 3)
    BYTES(A8R8G8B8, 4, "RGBA", 1, 2, 3, 0)
    BYTES(A8B8G8R8, 4, "RGBA", 3, 2, 1, 0)
    BYTES(R8G8B8X8, 4, "RGB", 0, 1, 2)
    BYTES(B8G8R8X8, 4, "RGB", 2, 1, 0)
    BYTES(X8R8G8B8, 4, "RGB", 1, 2, 3)
    BYTES(X8B8G8R8, 4, "RGB", 3, 2, 1)
    ROW(R16_UNORM, UN16, 1, "R", 0)
    ROW(L16_UNORM, UN16, 1, "Y", 0)
    ROW(Z16_UNORM, UN16, 1, "Z", 0)
    ROW(L16A16_UNORM, UN16, 2, "YA", 0, 1)
    ROW(R16G16_UNORM, UN16, 2, "RG", 0, 1)
    ROW(R16G16B16_UNORM, UN16, 3, "RGB", 0, 1, 2)
    ROW(R16G16B16A16_UNORM, UN16, 4, "RGBA", 0, 1, 2, 3)
    ROW(R16G16B16X16_UNORM, UN16, 4, "RGB", 0, 1, 2)
    ROW(R16_FLOAT, F16, 1, "R", 0)
    ROW(L16_FLOAT, F16, 1, "Y", 0)
    ROW(L16A16_FLOAT, F16, 2, "YA", 0, 1)
    ROW(R16G16_FLOAT, F16, 2, "RG", 0, 1)
    ROW(R16G16B16_FLOAT, F16, 3, "RGB", 0, 1, 2)
    ROW(R16G16B16A16_FLOAT, F16, 4, "RGBA", 0, 1, 2, 3)
    ROW(R16G16B16X16_FLOAT, F16, 4, "RGB", 0, 1, 2)
    ROW(R32_FLOAT, F32, 1, "R", 0)
    ROW(L32_FLOAT, F32, 1, "Y", 0)
    ROW(Z32_FLOAT, F32, 1, "Z", 0)
    ROW(L32A32_FLOAT, F32, 2, "YA", 0, 1)
    ROW(R32G32_FLOAT, F32, 2, "RG", 0, 1)
    ROW(R32G32B32_FLOAT, F32, 3, "RGB", 0, 1, 2)
    ROW(R32G32B32A32_FLOAT, F32, 4, "RGBA", 0, 1, 2, 3)
    ROW(R32G32B32X32_FLOAT, F32, 4, "RGB", 0, 1, 2)
    ROW(R32_UINT, UI32, 1, "R", 0)
    ROW(L32_UINT, UI32, 1, "Y", 0)
    ROW(L32A32_UINT, UI32, 2, "YA", 0, 1)
    ROW(R32G32_UINT, UI32, 2, "RG", 0, 1)
    ROW(R32G32B32_UINT, UI32, 3, "RGB", 0, 1, 2)
    ROW(R32G32B32A32_UINT, UI32, 4, "RGBA", 0, 1, 2, 3)
    ROW(R32G32B32X32_UINT, UI32, 4, "RGB", 0, 1, 2)
/* clang-format on */
#undef BYTES
#undef ROW
};

bool sch_files_pixels_of(enum sch_format format, struct sch_files_pixels *pixels)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].format != format) continue;
        *pixels = rows[i];
        return true;
    }
    return false;
}

unsigned sch_files_channel_count(const struct sch_files_pixels *pixels) { return (unsigned)strlen(pixels->names); }

size_t sch_files_component_bytes(enum sch_files_component type)
{
    return type == SCH_FILES_UN8 ? 1 : type == SCH_FILES_UN16 || type == SCH_FILES_F16 ? 2 : 4;
}

size_t sch_files_texel_bytes(const struct sch_files_pixels *pixels)
{
    return sch_files_component_bytes(pixels->type) * pixels->components;
}

bool sch_files_has_alpha(const struct sch_files_pixels *pixels)
{
    return pixels->names[sch_files_channel_count(pixels) - 1] == 'A';
}

/* ---- alpha ---- */

/* 8 bits, of four components: pieces of a constant size become vectors. */
static bool full_bytes(const uint8_t *alpha, size_t count)
{
    enum { TOGETHER = 256 };
    for (; count >= TOGETHER; count -= TOGETHER, alpha += 4 * TOGETHER) {
        uint8_t all = 0xff;
        for (unsigned t = 0; t < TOGETHER; t++) all &= alpha[4 * t];
        if (all != 0xff) return false;
    }
    for (; count; count--, alpha += 4)
        if (*alpha != 0xff) return false;
    return true;
}

bool sch_files_drop_full_alpha(struct sch_files_pixels *pixels, const uint8_t *texels, size_t count)
{
    static const uint8_t ones[][4] = {[SCH_FILES_UN8] = {0xff},
                                      [SCH_FILES_UN16] = {0xff, 0xff},
                                      [SCH_FILES_F16] = {0, 0x3c},
                                      [SCH_FILES_F32] = {0, 0, 0x80, 0x3f},
                                      [SCH_FILES_UI32] = {1}};
    if (!sch_files_has_alpha(pixels)) return true;
    const unsigned last = sch_files_channel_count(pixels) - 1;
    const size_t bytes = sch_files_component_bytes(pixels->type), texel = sch_files_texel_bytes(pixels);
    const uint8_t *alpha = texels + bytes * pixels->from[last];
    if (pixels->type == SCH_FILES_UN8 && texel == 4) {
        if (!full_bytes(alpha, count)) return false;
    } else {
        for (size_t i = 0; i < count; i++, alpha += texel)
            if (memcmp(alpha, ones[pixels->type], bytes) != 0) return false;
    }
    pixels->names[last] = 0;
    return true;
}

/* ---- rows ---- */

static inline __attribute__((always_inline)) void
pick_bytes(const struct sch_files_pixels *pixels, const uint8_t *texels, uint32_t width, uint8_t *to, unsigned channels)
{
    const unsigned components = pixels->components;
    const uint8_t from[4] = {pixels->from[0], pixels->from[1], pixels->from[2], pixels->from[3]};
    for (uint32_t x = 0; x < width; x++, texels += components)
        for (unsigned c = 0; c < channels; c++) *to++ = texels[from[c]];
}

static void pick_words(const struct sch_files_pixels *pixels, const uint8_t *texels, uint32_t width, uint8_t *to)
{
    const unsigned channels = sch_files_channel_count(pixels);
    for (uint32_t x = 0; x < width; x++, texels += 2 * pixels->components)
        for (unsigned c = 0; c < channels; c++) {
            *to++ = texels[2 * pixels->from[c] + 1];
            *to++ = texels[2 * pixels->from[c]];
        }
}

/* The first three of four components: each pixel is written with a byte too many, which the next one replaces. */
static void drop_fourth(const uint8_t *texels, uint32_t width, uint8_t *to)
{
    for (uint32_t x = 1; x < width; x++, texels += 4, to += 3) memcpy(to, texels, 4);
    memcpy(to, texels, 3);
}

void sch_files_row_high_first(const struct sch_files_pixels *pixels, const uint8_t *texels, uint32_t width, uint8_t *to)
{
    const unsigned channels = sch_files_channel_count(pixels);
    bool in_order = pixels->type == SCH_FILES_UN8;
    for (unsigned c = 0; c < channels; c++) in_order = in_order && pixels->from[c] == c;
    if (pixels->type != SCH_FILES_UN8)
        pick_words(pixels, texels, width, to);
    else if (in_order && pixels->components == channels)
        memcpy(to, texels, (size_t)width * channels);
    else if (in_order && channels == 3)
        drop_fourth(texels, width, to);
    else if (channels == 3)
        pick_bytes(pixels, texels, width, to, 3);
    else
        pick_bytes(pixels, texels, width, to, channels);
}

/* Exact: every number of 16 bits is one of 32 (IEEE 754). */
static float float_of_half(unsigned half)
{
    const uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
    uint32_t bits = sign | (exponent + 112) << 23 | fraction << 13;
    float value;
    if (exponent == 0x1f) bits = sign | 0x7f800000u | fraction << 13;
    if (!exponent) { /* fraction * 2^-24: below 2^-14, but a normal number of 32 bits */
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

void sch_files_row_floats(const struct sch_files_pixels *pixels, const uint8_t *texels, uint32_t width, float *to)
{
    const unsigned channels = sch_files_channel_count(pixels);
    const size_t bytes = sch_files_component_bytes(pixels->type), texel = sch_files_texel_bytes(pixels);
    for (uint32_t x = 0; x < width; x++, texels += texel)
        for (unsigned c = 0; c < channels; c++, to++) {
            const uint8_t *from = texels + bytes * pixels->from[c];
            if (pixels->type == SCH_FILES_F16)
                *to = float_of_half(from[0] | (unsigned)from[1] << 8);
            else
                memcpy(to, from, sizeof *to);
        }
}

/* ---- pictures ---- */

void sch_files_describe_picture(struct sch_file_texture *texture, enum sch_format format, uint32_t width,
                                uint32_t height)
{
    texture->target = SCH_TARGET_2D;
    texture->format = format;
    texture->width = width;
    texture->height = height;
    texture->depth = texture->layers = texture->levels = 1;
}

enum sch_result sch_files_begin_picture(const struct sch_files_writer *writer, const char *kind, unsigned types,
                                        const char *formats, struct sch_files_pixels *pixels)
{
    const struct sch_file_texture *texture = writer->texture;
    if (texture->target != SCH_TARGET_2D || texture->levels != 1) {
        sch_files_report(writer->error, SCH_D_FILE_FORM, "%s holds one picture, without levels and layers", kind);
        return SCH_ERROR_UNSUPPORTED;
    }
    if (!sch_files_pixels_of(texture->format, pixels) || !(types >> pixels->type & 1) ||
        (!(types & SCH_FILES_RG) && strcmp(pixels->names, "RG") == 0)) {
        sch_files_report(writer->error, SCH_D_FILE_FORMAT, "%s has no texels of %s, but %s", kind,
                         sch_files_format_name(texture->format), formats);
        return SCH_ERROR_UNSUPPORTED;
    }
    struct sch_files_pixels opaque = *pixels;
    if (texture->premultiplied && !(types & SCH_FILES_MULTIPLIED) &&
        !sch_files_drop_full_alpha(&opaque, texture->texels, (size_t)texture->width * texture->height)) {
        sch_files_report(writer->error, SCH_D_FILE_FORM, "%s has no colours that are multiplied with alpha", kind);
        return SCH_ERROR_UNSUPPORTED;
    }
    return SCH_OK;
}
