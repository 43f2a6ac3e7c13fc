/* Small picture files, made from their formats' documents. */
#include "picture_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void put(struct picture_bytes *file, const void *data, size_t count)
{
    assert_true(count <= sizeof file->data - file->count);
    memcpy(file->data + file->count, data, count);
    file->count += count;
}

struct picture_bytes picture_file(const char *path)
{
    struct picture_bytes bytes = {.count = 0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    bytes.count = fread(bytes.data, 1, sizeof bytes.data, file);
    assert_true(bytes.count < sizeof bytes.data);
    fclose(file);
    return bytes;
}

uint32_t picture_crc(const uint8_t *data, size_t count)
{
    uint32_t c = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        c ^= data[i];
        for (int k = 0; k < 8; k++) c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    }
    return ~c;
}

void picture_put_32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* ---- JPEG ---- */

/* A table of 64 quanta of 8: a sample is 128 + DC * 8 / 8 (A.3.3, A.3.4). Codes: of DC 0 for no difference and 10
 * for one of six bits, of AC 0 for the end of the block. 37 is 100101 in six bits (F.1.2.1). */
struct picture_bytes picture_jpeg(int colored)
{
    static const uint8_t begin[] = {0xff, 0xd8, 0xff, 0xdb, 0, 67, 0};
    static const uint8_t codes[] = {0xff, 0xc4, 0, 21, 0x00, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6,
                                    0xff, 0xc4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t grey_frame[] = {0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0};
    static const uint8_t color_frame[] = {0xff, 0xc0, 0, 17, 8, 0, 8, 0, 8, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0};
    static const uint8_t grey_scan[] = {0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0};
    static const uint8_t color_scan[] = {0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0};
    /* 10 100101 0, then 0 0 for each other component, filled up with ones. */
    static const uint8_t grey_codes[] = {0xa5, 0x7f, 0xff, 0xd9}, color_codes[] = {0xa5, 0x07, 0xff, 0xd9};
    struct picture_bytes file = {.count = 0};
    put(&file, begin, sizeof begin);
    for (unsigned i = 0; i < 64; i++) put(&file, (const uint8_t[]){8}, 1);
    if (colored)
        put(&file, color_frame, sizeof color_frame);
    else
        put(&file, grey_frame, sizeof grey_frame);
    put(&file, codes, sizeof codes);
    if (colored) {
        put(&file, color_scan, sizeof color_scan);
        put(&file, color_codes, sizeof color_codes);
    } else {
        put(&file, grey_scan, sizeof grey_scan);
        put(&file, grey_codes, sizeof grey_codes);
    }
    return file;
}

/* ---- OpenEXR ---- */

static void put_low(struct picture_bytes *file, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) put(file, (const uint8_t[]){(uint8_t)(value >> 8 * i)}, 1);
}

static void put_attribute(struct picture_bytes *file, const char *name, const char *type, uint32_t bytes)
{
    put(file, name, strlen(name) + 1);
    put(file, type, strlen(type) + 1);
    put_low(file, bytes, 4);
}

static void put_window(struct picture_bytes *file, const char *name, int32_t x, int32_t y, int32_t width)
{
    put_attribute(file, name, "box2i", 16);
    put_low(file, (uint32_t)x, 4);
    put_low(file, (uint32_t)y, 4);
    put_low(file, (uint32_t)(x + width - 1), 4);
    put_low(file, (uint32_t)(y + PICTURE_EXR_HEIGHT - 1), 4);
}

uint32_t picture_exr_sample(char name, uint32_t x, uint32_t y)
{
    return 0x2000 + 64 * (uint32_t)(unsigned char)name + 8 * y + x;
}

struct picture_bytes picture_exr(const char *names, int type, uint32_t sampling, uint32_t flags)
{
    const size_t channels = strlen(names), bytes = type == PICTURE_HALF ? 2 : 4;
    struct picture_bytes file = {.count = 0};
    put_low(&file, 20000630, 4);
    put_low(&file, 2 | flags, 4);
    put_attribute(&file, "channels", "chlist", (uint32_t)(18 * channels + 1));
    for (size_t c = 0; c < channels; c++) {
        put(&file, (const char[]){names[c], 0}, 2);
        put_low(&file, (uint32_t)type, 4);
        put_low(&file, 0, 4);
        put_low(&file, sampling, 4);
        put_low(&file, sampling, 4);
    }
    put_low(&file, 0, 1);
    put_attribute(&file, "compression", "compression", 1);
    put_low(&file, 0, 1);
    if (sampling == 1)
        put_window(&file, "dataWindow", -3, 5, PICTURE_EXR_WIDTH);
    else /* corner and size are multiples of the sampling */
        put_window(&file, "dataWindow", -4, 4, 4);
    put_window(&file, "displayWindow", 0, 0, PICTURE_EXR_WIDTH);
    put_attribute(&file, "lineOrder", "lineOrder", 1);
    put_low(&file, 0, 1);
    put_attribute(&file, "pixelAspectRatio", "float", 4);
    put_low(&file, 0x3f800000, 4);
    put_attribute(&file, "screenWindowCenter", "v2f", 8);
    put_low(&file, 0, 8);
    put_attribute(&file, "screenWindowWidth", "float", 4);
    put_low(&file, 0x3f800000, 4);
    put_low(&file, 0, 1);
    const size_t line = 8 + channels * bytes * PICTURE_EXR_WIDTH, first = file.count + 8 * PICTURE_EXR_HEIGHT;
    for (size_t y = 0; y < PICTURE_EXR_HEIGHT; y++) put_low(&file, first + y * line, 8);
    for (uint32_t y = 0; y < PICTURE_EXR_HEIGHT; y++) {
        put_low(&file, 5 + y, 4);
        put_low(&file, line - 8, 4);
        for (size_t c = 0; c < channels; c++)
            for (uint32_t x = 0; x < PICTURE_EXR_WIDTH; x++) put_low(&file, picture_exr_sample(names[c], x, y), bytes);
    }
    return file;
}
