/* Small picture files, made from their formats' documents, for tests of readers. Holds no test. */
#ifndef TESTS_PICTURE_SAMPLES_H
#define TESTS_PICTURE_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

struct picture_bytes {
    uint8_t data[1 << 15];
    size_t count;
};

/* The bytes of a file. */
struct picture_bytes picture_file(const char *path);

/* PNG's sum (PNG 3rd edition, annex D), and a number with the high byte first. */
uint32_t picture_crc(const uint8_t *data, size_t count);
void picture_put_32(uint8_t *at, uint32_t value);

/* A baseline JPEG of one block (ITU-T T.81), grey or YCbCr, whose texels are 165. */
struct picture_bytes picture_jpeg(int colored);

/* An OpenEXR file of scanlines without compression ("OpenEXR File Layout"): channels of one letter each, in the
 * order of the alphabet, all of one type and `sampling`. Its data window begins at (-3, 5). `flags` are those of the
 * version. */
enum { PICTURE_UINT = 0, PICTURE_HALF = 1, PICTURE_FLOAT = 2 };
enum { PICTURE_EXR_WIDTH = 3, PICTURE_EXR_HEIGHT = 2 };
struct picture_bytes picture_exr(const char *names, int type, uint32_t sampling, uint32_t flags);

/* The bits of its samples. */
uint32_t picture_exr_sample(char name, uint32_t x, uint32_t y);

#endif
